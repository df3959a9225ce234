"""Any grid of tasks, schedules, step sizes and seeds, on all devices, resumable to the bit.

Example: ``sweep({"d": [80, 400], "lam0": [0.1, 0.5, 0.9]}, steps=20_000)``.

A cell of the grid is one choice of all numbers, followed by runs from random starts. As many cells
as make a tile are followed together, by one compiled program whose shapes do not depend on the
number of devices; each device takes a tile at a time. So the number of devices changes rounding
only, as long as alpha is below the edge of stability; beyond it runs are chaotic and rounding
changes where they end. Of each cell only fractions and medians are kept, so that the memory does
not grow with the grid.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.dynamics import advance
from slrlib.dynamics.run import row, start_sgd
from slrlib.dynamics.scan import whole
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.experiments.base import LOG, Experiment, Folder, precision
from slrlib.experiments.chunks import AT_LEAST, in_chunks
from slrlib.landscape import BASINS, STATES, basin
from slrlib.landscape.states import in_time
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.risk.closed import stability_limit
from slrlib.task import Task

AT_ONCE = 8  # tiles at most, after which what is done is kept; of more devices one for each
MOST = 32  # cells that a tile has if nothing else is said

Grid = tuple[tuple[str, tuple[float, ...]], ...]  # the axes, as an experiment keeps them

# The numbers of a cell: the value that each has if the grid does not name it, and its check.
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
    """The axes of a grid as an experiment keeps them."""
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


def all_cells(grid: Grid, steps: int) -> dict[str, np.ndarray]:
    """The numbers of all cells, each an array (cells,); the last axis changes fastest."""
    usual = {name: x for name, (x, _) in NUMBERS.items()} | {"until": float(steps)}
    many = math.prod(len(each) for _, each in grid)
    checks.room(20 * many, **{name: len(each) for name, each in grid})
    values = [*itertools.product(*(each for _, each in grid))]
    own = dict(zip((name for name, _ in grid), np.array(values, float).T, strict=True))
    return {name: own.get(name, np.full(len(values), x)) for name, x in usual.items()}


class SweepResult(NamedTuple):
    """A row for each cell of the grid, in the order of its axes, the last one changing fastest.

    ``fraction`` is that of the runs in each of ``landscape.STATES`` after the last step: nan in a
    cell whose ``alpha_curvature`` is above 1, which is not counted, and in files stored without
    it. ``share`` is the fraction of each early verdict, one of ``landscape.BASINS``. The excess
    risk and the sizes of kappa and nu are medians over the runs of a cell, before each ``step``.
    ``alpha_curvature`` is alpha over ``stability_limit``, 2 / curvature at (k*, v*), at the first
    lam: above 1 the step size is beyond the edge of stability.
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
    fraction: Annotated[np.ndarray, "cell state"] = np.array(np.nan)
    alpha_curvature: Annotated[np.ndarray, "cell"] = np.array(np.nan)

    @property
    def end(self) -> np.ndarray:
        """The words of the columns of ``share``."""
        return np.array(BASINS)

    def table(self) -> tuple[list[str], list[list[np.ndarray | None]]]:
        """A line for each cell, as ``tidy.table`` has it: ``fraction_swapped``, ``kappa_20000``."""
        found = dict(zip(self._fields[:9], self[:9], strict=True))
        found["alpha_curvature"] = np.broadcast_to(self.alpha_curvature, self.d.shape)
        fraction = np.broadcast_to(self.fraction, (len(self.d), len(STATES)))
        for kind, words, x in (("fraction", STATES, fraction), ("share", BASINS, self.share)):
            found |= {f"{kind}_{w.replace(' ', '_')}": x[:, i] for i, w in enumerate(words)}
        for name in ("excess_risk", "kappa", "nu"):
            found |= {f"{name}_{s}": getattr(self, name)[:, i] for i, s in enumerate(self.step)}
        return list(found), [list(found.values())]


class Rows(NamedTuple):
    """The cells done so far, -1 where one was repeated to fill a tile."""

    cell: np.ndarray
    share: np.ndarray
    fraction: np.ndarray
    excess_risk: np.ndarray
    kappa: np.ndarray
    nu: np.ndarray


@dataclass(frozen=True)
class Fixed:
    """What all cells of a program share; ``L`` too where it sizes the draws of a step."""

    steps: int
    log_every: int
    repetitions: int
    on_manifold: bool
    batch: int | None
    L: float | None


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
    """alpha over ``stability_limit`` at the initial lam; above 1, PGD oscillates at (k*, v*)."""
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


@dataclass(frozen=True)
class Sweep(Experiment):
    """Runs of PGD, or of SGD if a batch is given, in every cell of a grid; see ``sweep``.

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
        Steps from one row of the result to the next.
    repetitions : int
        Runs in each cell.
    on_manifold : bool
        Whether the random starts lie on the invariant manifold.
    batch : int or None
        Fresh sequences in each step; None: the exact gradient.
    together : int
        Cells that are computed together.
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

    def validate(self, folder: Folder) -> None:
        checked_grid(dict(self.grid))
        super().validate(folder)

    def cells(self) -> dict[str, np.ndarray]:
        """The numbers of all cells, each an array (cells,)."""
        return all_cells(self.grid, self.steps)

    def layout(self, cells: dict[str, np.ndarray]) -> list[np.ndarray]:
        """Which cells make up each tile; SGD has a program of its own for each L."""
        L = cells["L"] if self.batch is not None else np.zeros_like(cells["L"])
        groups = [np.flatnonzero(L == each) for each in np.unique(L)]
        size = self.together
        return [group[i : i + size] for group in groups for i in range(0, len(group), size)]

    def programs(
        self, cells: dict[str, np.ndarray], those: list[np.ndarray]
    ) -> Iterator[tuple[Fixed, np.ndarray, dict[str, np.ndarray]]]:
        """(what is fixed, cells, their numbers) of shape (tiles, cells) for each program."""
        size = self.together
        filled = np.array([np.r_[tile, np.repeat(tile[-1], size - len(tile))] for tile in those])
        L = cells["L"][filled[:, 0]]
        for each in [None] if self.batch is None else np.unique(L):
            its = filled if each is None else filled[L == each]
            shared = (self.repetitions, self.on_manifold, self.batch)
            fixed = Fixed(
                self.steps, self.log_every, *shared, None if each is None else float(each)
            )
            yield fixed, its, {name: x[its] for name, x in cells.items()}

    def chunks(self, folder: Folder, count: int, devices: int) -> list[tuple[int, int]]:
        """(tiles, 1) of each chunk: as small as the devices allow, behind those that are kept."""
        arrays, header = self.read(folder, whole=False) or ({}, {})
        again = header.get("float") == precision()
        before, first = (header["chunks"], int(arrays["run_0"])) if again else (0, 0)
        size = devices * max(1, min(AT_ONCE, count // AT_LEAST) // devices)
        return [(0, 1)] * before + [(min(size, count - i), 1) for i in range(first, count, size)]

    def compute(self, folder: Folder, progress: bool) -> SweepResult:
        cells = self.cells()
        layout, over = self.layout(cells), mesh()
        _, _, times = checks.spaced(self.steps, self.log_every, at_least=1)

        def onward(done: jax.Array, count: int, _: int) -> tuple[jax.Array, Rows]:
            parts = []
            for fixed, its, numbers in self.programs(cells, layout[int(done) : int(done) + count]):
                once = np.diff(its, prepend=-1, axis=1) != 0  # the last one fills a tile
                flat = [
                    np.asarray(x).reshape(-1, *x.shape[2:]) for x in follow(numbers, fixed, over)
                ]
                parts.append(Rows(np.where(once, its, -1).ravel(), *flat))
            return done + count, jax.tree.map(lambda *x: np.concatenate(x), *parts)

        shapes = (0, len(BASINS)), (0, len(STATES)), *[(0, times + 1)] * 3
        _, rows = in_chunks(
            self,
            folder,
            progress,
            run=jnp.zeros((), int),
            rows_of=Rows,
            first_rows=lambda _: Rows(np.zeros(0, int), *map(np.zeros, shapes)),
            advance=onward,
            chunks=self.chunks(folder, len(layout), over.devices.size),
        )
        there = np.flatnonzero(rows.cell >= 0)
        order = there[np.argsort(rows.cell[there])]
        step = np.arange(times + 1) * self.log_every
        kept, beyond = (
            {n: x[order] for n, x in rows._asdict().items() if n != "cell"},
            self.warned(cells),
        )
        kept["fraction"] = np.where(beyond[:, None] > 1, np.nan, kept["fraction"])
        return SweepResult(**cells, step=step, alpha_curvature=beyond, **kept)

    def warned(self, cells: dict[str, np.ndarray]) -> np.ndarray:
        """``alpha_curvature`` of all cells, with a warning if it is above 1 in some."""
        found = alpha_curvature(cells)
        if count := int(np.sum(found > 1)):
            LOG.warning(
                "in %d of %d cells alpha is beyond the edge of stability: their ends are not "
                "counted, and rounding may change their risks",
                count,
                len(found),
            )
        return found

    def finding(self, r: SweepResult) -> str:
        cells = np.isfinite(r.fraction).all(-1)
        if cells.any():
            words, parts, kind = STATES, r.fraction[cells], f"{cells.sum()} counted"
        else:
            words, parts, kind = BASINS, r.share, "early verdicts"
        listed = ", ".join(f"{w}: {x:.1%}" for w, x in zip(words, parts.mean(0), strict=True))
        return f"{len(r.d)} cells, {kind}; {listed}"

    def draw(self, r: SweepResult, pictures: Any, **words: str) -> Any:
        d, lam0 = np.unique(r.d), np.unique(r.lam0)
        if len(r.d) != len(d) * len(lam0):
            raise ValueError("the grid must have the axes d and lam0 alone in a picture")
        at = np.searchsorted(d, r.d), np.searchsorted(lam0, r.lam0)
        early = np.ndim(r.fraction) == 0  # a file stored without states
        source = r.share if early else r.fraction
        ends = np.zeros((2, len(d), len(lam0)))
        ends[:, *at] = source[:, 1], source[:, 0]
        return pictures.recovery_map(d, lam0, *ends, early=early, **words)


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
    """A ``SweepResult`` of all combinations of the numbers in ``grid``.

    The axes are d, L, gamma and noise of the task, lam0, rate and until of the schedule (held after
    that step), alpha and seed; what is left out is as in Figure 7(b). With a ``batch`` it is online
    SGD. Each cell has ``repetitions`` runs, those of ``Descent`` with its numbers. ``together``
    cells (32, but of a small grid a twentieth) make a tile; each device of JAX follows a tile at a
    time. How many there are changes rounding only in cells whose alpha is below the edge of
    stability; a warning counts the others, and their ends are not counted. With a ``folder``, what
    is done is kept after every few tiles, and a second call goes on from it and gives the same
    bits. Processes joined by ``jax.distributed`` make the same call, with one ``folder`` for all.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    axes = checked_grid(grid)
    if together is None:
        together = min(MOST, max(1, math.prod(len(values) for _, values in axes) // AT_LEAST))
    return Sweep(
        "sweep",
        axes,
        checks.count("steps", steps),
        steps if log_every is None else checks.spaced(steps, log_every)[1],
        checks.count("repetitions", repetitions),
        checks.flag("on_manifold", on_manifold),
        None if batch is None else checks.count("batch", batch),
        checks.count("together", together),
    ).run(folder, progress)


# Of Figure 4(a) the dimension and the initial lam; the fate of a start is decided by this step.
FIRST_LAM = (("d", (50.0, 100.0, 200.0, 400.0, 800.0, 1600.0)),)
FIRST_LAM += (("lam0", (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)), ("rate", (1e-4,)))
EXPERIMENTS = (
    Sweep("phases", FIRST_LAM, 40_000, 40_000, repetitions=4000, together=1),
    # Constant lam, as the theory of the two escapes assumes: four values at d = 400, and one value
    # in three dimensions, with steps below the edge of stability.
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
