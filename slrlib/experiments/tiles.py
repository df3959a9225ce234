"""The program of a sweep: a tile of cells on each device, and of each cell a few numbers.

A cell is one choice of all numbers, followed by runs from random starts. As many cells as make a
tile are followed together, by one compiled program whose shapes know nothing of the devices; each
device takes a tile at a time. So how many devices there are changes rounding only, as long as alpha
is below the edge of stability; beyond it runs are chaotic and rounding changes where they end.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from slrlib.dynamics import advance, start
from slrlib.dynamics.run import row, start_sgd
from slrlib.dynamics.scan import whole
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.landscape import BASINS, STATES, basin
from slrlib.landscape.states import in_time
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.risk.curvature import stability_limit
from slrlib.task import Task

FEW = 32  # steps that a dry run takes


@dataclass(frozen=True)
class Fixed:
    """What all cells of a program share; ``L`` too where it sizes the draws of a step."""

    steps: int
    log_every: int
    repetitions: int
    on_manifold: bool
    batch: int | None
    L: float | None


class Plan(NamedTuple):
    """What a sweep would cost: ``bytes`` on each device, ``seconds`` in all, both about so.

    Before these come those of ``compiling``, which the sweep does once more.
    """

    cells: int
    runs: int
    tiles: int
    devices: int
    bytes: int
    seconds: float
    compiling: float
    beyond: int = 0  # cells whose alpha is beyond the edge of stability

    def __str__(self) -> str:
        return (
            f"{self.cells:,} cells, {self.runs:,} runs in {self.tiles:,} "
            f"tile{'s' * (self.tiles > 1)} on {self.devices} "
            f"device{'s' * (self.devices > 1)}: about {self.seconds:.3g} s after some "
            f"{self.compiling:.2g} s of compiling, {self.bytes / 1e6:.3g} MB on each"
            + f"; {self.beyond:,} beyond the edge of stability"
            * (self.beyond > 0)
        )


class CellRow(NamedTuple):
    """What is kept of a cell: fractions of its runs, and medians over them at each row."""

    share: jax.Array  #        (verdict,)
    fraction: jax.Array  #     (state,)
    excess_risk: jax.Array  #  (time,)
    kappa: jax.Array  #        (time,) of |kappa|
    nu: jax.Array  #           (time,) of |nu|


def followed(numbers: dict[str, jax.Array], fixed: Fixed) -> CellRow:
    """One cell, whose ``numbers`` are scalars: the runs that ``Descent`` makes of them."""
    n = numbers
    key_start, key_noise = jax.random.split(jax.random.key(n["seed"].astype(int)))
    o = random_overlaps(key_start, n["d"], (fixed.repetitions,), on_manifold=fixed.on_manifold)
    task = Task(n["d"], n["L"] if fixed.L is None else fixed.L, n["gamma"], n["noise"])
    schedule = Held(InverseDecay(n["lam0"], n["rate"]), n["until"])
    if fixed.batch is None:
        run = start(o, task, schedule, n["alpha"])
    else:
        run = start_sgd(o, task, schedule, n["alpha"], fixed.batch, key=key_noise)
    rows = whole(run, row, advance(run, fixed.steps, fixed.log_every)[1])
    last = Overlaps(*(x[-1] for x in rows.overlaps))
    ends = basin(last, schedule(fixed.steps), task)
    states = in_time(ends, last.kappa, last.nu)
    share, fraction = (
        jnp.mean(codes[:, None] == jnp.arange(len(words))[None], axis=0, dtype=float)
        for codes, words in ((ends, BASINS), (states, STATES))
    )
    kappa, nu = (jnp.median(jnp.abs(x), axis=1) for x in rows.overlaps[:2])
    return CellRow(share, fraction, jnp.median(rows.excess_risk, axis=1), kappa, nu)


def alpha_curvature(numbers: dict[str, np.ndarray]) -> np.ndarray:
    """alpha over ``stability_limit`` at the first lam; above 1, PGD oscillates at (k*, v*)."""
    n = numbers
    task = Task(*(n[name] for name in ("d", "L", "gamma", "noise")))
    return n["alpha"] / np.asarray(stability_limit(n["lam0"], task))


def mesh() -> Mesh:
    """All devices, also those of other processes that ``jax.distributed`` has joined."""
    return Mesh(np.array(jax.devices()), ("tiles",))


@partial(jax.jit, static_argnames=("fixed", "over"))
def _side_by_side(numbers, fixed, over):
    def its_own(numbers):
        tile = jax.tree.map(lambda x: x[0], numbers)
        found = jax.vmap(partial(followed, fixed=fixed))(tile)
        return jax.tree.map(lambda x: x[None], found)

    each = PartitionSpec("tiles")
    return jax.shard_map(its_own, mesh=over, in_specs=each, out_specs=each, check_vma=False)(
        numbers
    )


def shared(numbers: dict[str, np.ndarray], over: Mesh) -> dict[str, jax.Array]:
    """A tile on each device, also where some devices belong to another process."""
    where = NamedSharding(over, PartitionSpec("tiles"))
    return {
        name: jax.make_array_from_callback(x.shape, where, lambda i, x=x: x[i])
        for name, x in numbers.items()
    }


def gathered(rows: CellRow) -> CellRow:
    """The rows of all processes, in each of them."""
    from jax.experimental.multihost_utils import process_allgather  # seldom needed

    return process_allgather(rows, tiled=True)


def follow(numbers: dict[str, np.ndarray], fixed: Fixed, over: Mesh) -> CellRow:
    """The cells of all tiles, with ``numbers`` of shape (tiles, cells): arrays (tiles, cells, ...).

    As many tiles at a time as there are devices, the last one repeated to make up the number.
    """
    count, wide = len(numbers["d"]), over.devices.size
    found = []
    for first in range(0, count, wide):
        those = np.minimum(np.arange(first, first + wide), count - 1)
        rows = _side_by_side(shared({n: x[those] for n, x in numbers.items()}, over), fixed, over)
        rows = gathered(rows) if jax.process_count() > 1 else rows
        found.append(jax.tree.map(lambda x, n=count - first: np.asarray(x)[:n], rows))
    return jax.tree.map(lambda *x: np.concatenate(x), *found)


def cost(numbers: dict[str, np.ndarray], fixed: Fixed, over: Mesh) -> tuple[int, float, float]:
    """(bytes on each device, seconds, those of compiling) of a tile on each device: as compiled,
    and from few steps."""
    wide = over.devices.size
    one = shared({name: np.repeat(x[:1], wide, axis=0) for name, x in numbers.items()}, over)
    steps, begun = min(fixed.steps, FEW), time.perf_counter()
    few = _side_by_side.lower(one, replace(fixed, steps=steps, log_every=steps), over).compile()
    rows = fixed.log_every != fixed.steps  # more steps take no more memory, more rows do
    compiling = time.perf_counter() - begun
    all_rows = _side_by_side.lower(one, fixed, over).compile() if rows else few
    needs = all_rows.memory_analysis()
    if needs is None:
        raise NotImplementedError("this backend does not say what memory a program takes")
    memory = needs.argument_size_in_bytes + needs.output_size_in_bytes + needs.temp_size_in_bytes
    jax.block_until_ready(few(one))
    begun = time.perf_counter()
    jax.block_until_ready(few(one))
    return memory, (time.perf_counter() - begun) / steps * fixed.steps, compiling
