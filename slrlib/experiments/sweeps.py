"""Sweeps over grids of tasks, schedules, step sizes and seeds, on all devices.

Example: ``sweep({"d": [80, 400], "lam0": [0.1, 0.5, 0.9]}, steps=20_000)``.

A cell of the grid is one choice of all numbers, with runs from random starts. One compiled program
computes the cells of a tile together. Its shapes do not depend on the number of devices, and each
device computes one tile at a time. So the number of devices changes only rounding, as long as alpha
is below the edge of stability; beyond it runs are chaotic, and rounding changes where they end. A
resumed sweep gives bitwise identical results. Only fractions and medians of each cell are kept, so
that the memory does not grow with the grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.dynamics.run import followed, start_sgd
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.experiments.base import LOG, Experiment, Folder
from slrlib.experiments.chunks import AT_LEAST, in_chunks
from slrlib.landscape import BASINS, STATES, basin
from slrlib.landscape.states import in_time
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.risk.closed import stability_limit
from slrlib.task import Task

MOST = 32  # default number of cells in a tile

Grid = tuple[tuple[str, tuple[float, ...]], ...]  # the axes in the form that an experiment stores

# The numbers of a cell: the default value of each, and the function that validates it.
NUMBERS: dict[str, tuple[float | None, Callable]] = {
    "d": (400.0, partial(checks.whole, at_least=6)),
    "L": (10.0, partial(checks.whole, at_least=1)),
    "gamma": (0.5**0.5, checks.positive),
    "noise": (0.1, checks.nonnegative),
    "lam0": (0.1, checks.positive),
    "rate": (0.0, checks.nonnegative),
    "until": (None, checks.nonnegative),
    "alpha": (4e-3, checks.nonnegative),
    "seed": (0.0, partial(checks.whole, at_least=0)),
}


def checked_grid(grid: Mapping[str, Any]) -> Grid:
    """Return the axes of a grid in the form that an experiment stores."""
    if not isinstance(grid, Mapping):
        raise ValueError(f"grid must be a dict such as {{'d': [50, 100]}}, got {grid!r}")
    axes = []
    for name, given in grid.items():
        if name not in NUMBERS:
            raise ValueError(f"grid must have axes among {', '.join(NUMBERS)}, got {name!r}")
        given = list(given) if isinstance(given, range) else given
        values = np.atleast_1d(np.asarray(NUMBERS[name][1](name, given)))
        if values.ndim != 1 or not len(values):
            got = checks.shown(values)
            raise ValueError(f"{name} must be a number or a list of them, got {got}")
        axes.append((name, tuple(values.tolist())))
    return tuple(axes)


class SweepResult(NamedTuple):
    """The results of a sweep, one row for each cell of the grid; the last axis changes fastest.

    ``fraction`` is the fraction of runs in each of ``landscape.STATES`` after the last step. It is
    nan in cells with ``alpha_curvature`` above 1, where final states are not counted, and in files
    stored without it. ``share`` is the fraction of runs with each early verdict in
    ``landscape.BASINS``. The excess risk, |kappa| and |nu| are medians over the runs of a cell,
    before each ``step``. ``alpha_curvature`` is alpha divided by ``stability_limit``, which is 2 /
    curvature at (k*, v*), at the first lam: above 1 the step size is beyond the edge of stability.
    """

    d: Annotated[np.ndarray, "cell"]
    L: Annotated[np.ndarray, "cell"]
    gamma: Annotated[np.ndarray, "cell"]
    noise: Annotated[np.ndarray, "cell"]
    lam0: Annotated[np.ndarray, "cell"]
    rate: Annotated[np.ndarray, "cell"]
    until: Annotated[np.ndarray, "cell"]
    alpha: Annotated[np.ndarray, "cell"]
    seed: Annotated[np.ndarray, "cell"]
    step: Annotated[np.ndarray, "time"]
    share: Annotated[np.ndarray, "cell verdict"]
    excess_risk: Annotated[np.ndarray, "cell time"]
    kappa: Annotated[np.ndarray, "cell time"]
    nu: Annotated[np.ndarray, "cell time"]
    fraction: Annotated[np.ndarray, "cell? state?"] = np.array(np.nan)
    alpha_curvature: Annotated[np.ndarray, "cell?"] = np.array(np.nan)


class CellRow(NamedTuple):
    """The stored numbers of a cell: fractions of its runs, and medians over them at each row."""

    cell: jax.Array  #         its number
    share: jax.Array  #        (verdict,)
    fraction: jax.Array  #     (state,)
    excess_risk: jax.Array  #  (time,)
    kappa: jax.Array  #        (time,) of |kappa|
    nu: jax.Array  #           (time,) of |nu|


def row_of_cell(cell: dict[str, jax.Array], runs: Sweep, L: float | None) -> CellRow:
    """Compute the row of one ``cell``, a dict of scalars, from the same runs as in ``Descent``.

    ``L`` is given if it determines the shape of the random numbers of a step.
    """
    key_start, key_noise = jax.random.split(jax.random.key(cell["seed"].astype(int)))
    o = random_overlaps(key_start, cell["d"], (runs.repetitions,), on_manifold=runs.on_manifold)
    task = Task(cell["d"], cell["L"] if L is None else L, cell["gamma"], cell["noise"])
    schedule = Held(InverseDecay(cell["lam0"], cell["rate"]), cell["until"])
    run = start_sgd(o, task, schedule, cell["alpha"], runs.batch, key=key_noise)
    rows = followed(run, runs.steps, runs.log_every)[1]
    last = Overlaps(*(x[-1] for x in rows.overlaps))
    ends = basin(last, schedule(runs.steps), task)
    states = in_time(ends, last.kappa, last.nu)
    share, fraction = (
        jnp.mean(codes[:, None] == jnp.arange(len(words))[None], axis=0, dtype=float)
        for codes, words in ((ends, BASINS), (states, STATES))
    )
    kappa, nu = (jnp.median(jnp.abs(x), axis=1) for x in rows.overlaps[:2])
    risk = jnp.median(rows.excess_risk, axis=1)
    return CellRow(cell["cell"], share, fraction, risk, kappa, nu)


@partial(jax.jit, static_argnames=("runs", "L", "over"))
def _side_by_side(numbers, runs, L, over):
    its_own = jax.vmap(jax.vmap(partial(row_of_cell, runs=runs, L=L)))  # the cells of a tile
    each = PartitionSpec("tiles")
    spread = jax.shard_map(its_own, mesh=over, in_specs=each, out_specs=each, check_vma=False)
    return spread(numbers)


def follow(numbers: dict[str, np.ndarray], runs: Sweep, L: float | None, over: Mesh) -> CellRow:
    """Compute tiles of cells, one on each device: ``numbers`` (tiles, cells) to rows (cells,).

    If there are fewer tiles than devices, the last one is repeated.
    """
    count = len(numbers["d"])
    those = np.minimum(np.arange(over.devices.size), count - 1)
    rows = _side_by_side({n: x[those] for n, x in numbers.items()}, runs, L, over)
    if jax.process_count() > 1:  # the rows of all processes, in each of them
        from jax.experimental.multihost_utils import process_allgather  # seldom needed

        rows = process_allgather(rows, tiled=True)
    return jax.tree.map(lambda x: np.concatenate(np.asarray(x)[:count]), rows)


@dataclass(frozen=True)
class Sweep(Experiment):
    """Runs of PGD, or of SGD if ``batch`` is given, in every cell of a grid; see ``sweep``.

    Parameters
    ----------
    name : str
        Name of the experiment.
    grid : tuple
        The axes of the grid, each (name, values); ``checked_grid`` makes them from a dict.
    alpha : tuple of float
        Step sizes, if the grid has this axis.
    seed : tuple of int
        Seeds of the random numbers, if the grid has this axis.
    steps : int
        Number of steps of each run.
    log_every : int
        Number of steps between rows of the result.
    repetitions : int
        Number of runs in each cell.
    on_manifold : bool
        Whether the random starts lie on the invariant manifold.
    batch : int or None
        New sequences per step; None: the exact gradient.
    together : int
        Number of cells computed together.
    """

    grid: Grid
    steps: int
    log_every: int
    repetitions: int = 30
    on_manifold: bool = False
    batch: int | None = None
    together: int = MOST  # cells of a tile

    result: ClassVar[type] = SweepResult
    takes_minutes: ClassVar[bool] = True

    def cells(self) -> dict[str, np.ndarray]:
        """Return the numbers of all cells as arrays (cells,); the last axis changes fastest."""
        usual = {name: x for name, (x, _) in NUMBERS.items()} | {"until": float(self.steps)}
        axes = {name: np.array(values, float) for name, values in self.grid}
        many = math.prod(map(len, axes.values()))
        checks.room(20 * many, **{name: len(values) for name, values in axes.items()})
        own = dict(zip(axes, np.meshgrid(*axes.values(), indexing="ij"), strict=True))
        return {n: own[n].ravel() if n in own else np.full(many, x) for n, x in usual.items()}

    def layout(self, cells: dict[str, np.ndarray]) -> np.ndarray:
        """Return the cells of each tile, (tiles, together); the last cell is repeated to fill it.

        SGD has a separate program, and therefore separate tiles, for each L.
        """
        L = cells["L"] if self.batch is not None else np.zeros_like(cells["L"])
        groups = [np.flatnonzero(L == each) for each in np.unique(L)]
        size = self.together
        tiles = [group[i : i + size] for group in groups for i in range(0, len(group), size)]
        return np.array([np.pad(tile, (0, size - len(tile)), "edge") for tile in tiles])

    def compute(self, folder: Folder, progress: bool) -> SweepResult:
        cells = self.cells()
        # All devices, including those of other processes that ``jax.distributed`` has joined.
        layout, over = self.layout(cells), Mesh(np.array(jax.devices()), ("tiles",))
        _, _, times = checks.spaced(self.steps, self.log_every, at_least=1)
        numbers = {name: x[layout] for name, x in cells.items()} | {"cell": layout}
        runs, L = replace(self, grid=()), numbers["L"][:, 0]  # one program for any grid

        def onward(done: jax.Array, count: int, _: int) -> tuple[jax.Array, CellRow]:
            these = slice(int(done), int(done) + count)
            its = None if self.batch is None else float(L[int(done)])
            rows = follow({name: x[these] for name, x in numbers.items()}, runs, its, over)
            return done + count, rows

        arrays, header = self.unfinished(folder)
        first, chunks = int(arrays.get("run_0", 0)), [(0, 1)] * header.get("chunks", 0)
        while first < len(layout):  # a tile for each device, all with one program
            there = L[first : first + over.devices.size]
            chunks.append((len(there) if self.batch is None else int(sum(there == there[0])), 1))
            first += chunks[-1][0]
        start = jnp.zeros((), int)  # the number of tiles that are done
        _, rows = in_chunks(self, folder, progress, onward, chunks, CellRow, run=start)
        _, order = np.unique(rows.cell, return_index=True)  # some were repeated to fill a tile
        step = np.arange(times + 1) * self.log_every
        kept = {name: x[order] for name, x in rows._asdict().items() if name != "cell"}
        task = Task(*(cells[name] for name in ("d", "L", "gamma", "noise")))
        beyond = cells["alpha"] / np.asarray(stability_limit(cells["lam0"], task))
        if np.any(beyond > 1):
            LOG.warning(
                "in %d of %d cells alpha is beyond the edge of stability: their ends are not "
                "counted, and rounding may change their risks",
                np.sum(beyond > 1),
                len(beyond),
            )
        kept["fraction"] = np.where(beyond[:, None] > 1, np.nan, kept["fraction"])
        return SweepResult(**cells, step=step, alpha_curvature=beyond, **kept)

    def finding(self, r: SweepResult) -> str:
        cells = np.isfinite(r.fraction).all(-1)
        words, parts, kind = BASINS, r.share, "early verdicts"
        if cells.any():
            words, parts, kind = STATES, r.fraction[cells], f"{cells.sum()} counted"
        listed = ", ".join(f"{w}: {x:.1%}" for w, x in zip(words, parts.mean(0), strict=True))
        return f"{len(r.d)} cells, {kind}; {listed}"

    def draw(self, r: SweepResult, pictures: Any, **words: str) -> Any:
        d, lam0 = np.unique(r.d), np.unique(r.lam0)
        if len(r.d) != len(d) * len(lam0):
            raise ValueError("the grid must have the axes d and lam0 alone in a picture")
        at = np.searchsorted(d, r.d), np.searchsorted(lam0, r.lam0)
        ends = np.zeros((2, len(d), len(lam0)))
        ends[:, *at] = r.share[:, 1], r.share[:, 0]
        return pictures.recovery_map(d, lam0, *ends, **words)


def sweep(
    grid: Mapping[str, ArrayLike],
    *,
    steps: int,
    log_every: int | None = None,
    repetitions: int = 30,
    on_manifold: bool = False,
    batch: int | None = None,
    together: int | None = None,
    folder: Folder = None,
    progress: bool = False,
) -> Any:
    """Run descent for all combinations of the numbers in a grid.

    The runs of a cell are those of ``Descent`` with the same numbers. A tile consists of
    ``together`` cells, and each JAX device computes one tile at a time. In cells with alpha below
    the edge of stability, the number of devices changes only rounding. In the other cells final
    states are not counted, and a warning gives the number of these cells. Processes joined by
    ``jax.distributed`` must make the same call, with the same ``folder``.

    Parameters
    ----------
    grid : dict
        Values of each axis: d, L, gamma and noise of the task, lam0, rate and until of the schedule
        (constant after step ``until``), alpha, seed. The other numbers are those of Figure 7(b).
    steps : int
        Number of steps of each run.
    log_every : int, optional
        Number of steps between rows; if None, ``steps``.
    repetitions : int
        Number of runs in each cell.
    on_manifold : bool
        Whether the random starts lie on the invariant manifold.
    batch : int, optional
        New sequences per step of online SGD; if None, PGD.
    together : int, optional
        Number of cells in a tile; if None, 32, or a twentieth of a small grid.
    folder : str or Path, optional
        Where to store the rows after each set of tiles. A second call resumes the sweep; the
        results are bitwise identical.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    SweepResult
        One row for each cell; the last axis of the grid changes fastest.

    Examples
    --------
    >>> found = sweep({"d": [80, 400], "lam0": [0.1, 0.5]}, steps=10, repetitions=2)
    >>> found.excess_risk.shape
    (4, 2)

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    axes = checked_grid(grid)
    if together is None:
        together = min(MOST, max(1, math.prod(len(values) for _, values in axes) // AT_LEAST))
    how = repetitions, on_manifold, batch, together
    return Sweep("sweep", axes, steps, log_every or steps, *how).run(folder, progress)


# Figure 4(a) with other dimensions and initial lam; after these steps outcomes are decided.
FIRST_LAM = (("d", (50.0, 100.0, 200.0, 400.0, 800.0, 1600.0)),)
FIRST_LAM += (("lam0", (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)), ("rate", (1e-4,)))
EXPERIMENTS = (
    Sweep("phases", FIRST_LAM, 40_000, 40_000, repetitions=4000, together=1),
    # Constant lam, as the theory of competing escape rates assumes: four values at d = 400, and one
    # value in three dimensions, with step sizes below the edge of stability.
    Sweep("race", (("lam0", (0.1, 0.2, 0.3, 0.5)),), 8000, 8000, repetitions=8000, together=1),
    Sweep(
        "race-d",
        (("d", (50.0, 200.0, 800.0)), ("lam0", (0.8,)), ("alpha", (1e-3,))),
        40_000,
        40_000,
        repetitions=4000,
        together=1,
    ),
)
