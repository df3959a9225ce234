"""Any grid of tasks, schedules, step sizes and seeds, on all devices, resumable to the bit.

``sweep({"d": [80, 400], "lam0": [0.1, 0.5, 0.9]}, steps=20_000, dry=True)`` says what it would
cost; without ``dry`` it is made. The cells of the grid are followed tile by tile, and of each only
fractions and medians stay, so that the memory it takes does not grow with the grid.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.experiments import grids, tiles
from slrlib.experiments.base import LOG, Experiment, Folder, precision
from slrlib.experiments.cells import Rows, SweepResult, named
from slrlib.experiments.chunks import AT_LEAST, in_chunks
from slrlib.experiments.tiles import Plan
from slrlib.landscape import BASINS, STATES

AT_ONCE = 8  # tiles at most, after which what is done is kept; of more devices one for each
MOST = 32  # cells that a tile has if nothing else is said


@dataclass(frozen=True)
class Sweep(Experiment):
    """Runs of PGD, or of SGD if a batch is given, in every cell of a grid; see ``sweep``."""

    grid: grids.Grid
    steps: int
    log_every: int
    repetitions: int = 30
    on_manifold: bool = False
    batch: int | None = None
    together: int = MOST  # cells of a tile

    result: ClassVar[type] = SweepResult
    takes_minutes: ClassVar[bool] = True

    def validate(self, folder: Folder) -> None:
        checks.count("repetitions", self.repetitions)
        grids.checked(dict(self.grid))
        super().validate(folder)

    def cells(self) -> dict[str, np.ndarray]:
        """The numbers of all cells, each an array (cells,)."""
        return grids.cells(self.grid, self.steps)

    def layout(self, cells: dict[str, np.ndarray]) -> list[np.ndarray]:
        """Which cells make up each tile; SGD has a program of its own for each L."""
        L = cells["L"] if self.batch is not None else np.zeros_like(cells["L"])
        groups = [np.flatnonzero(L == each) for each in np.unique(L)]
        size = checks.count("together", self.together)
        return [group[i : i + size] for group in groups for i in range(0, len(group), size)]

    def programs(
        self, cells: dict[str, np.ndarray], those: list[np.ndarray]
    ) -> Iterator[tuple[tiles.Fixed, np.ndarray, dict[str, np.ndarray]]]:
        """(what is fixed, cells, their numbers) of shape (tiles, cells) for each program."""
        size = self.together
        filled = np.array([np.r_[tile, np.repeat(tile[-1], size - len(tile))] for tile in those])
        L = cells["L"][filled[:, 0]]
        for each in [None] if self.batch is None else np.unique(L):
            its = filled if each is None else filled[L == each]
            shared = (self.repetitions, self.on_manifold, self.batch)
            fixed = tiles.Fixed(
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
        layout, over = self.layout(cells), tiles.mesh()
        _, _, times = checks.spaced(self.steps, self.log_every, at_least=1)

        def onward(done: jax.Array, count: int, _: int) -> tuple[jax.Array, Rows]:
            parts = []
            for fixed, its, numbers in self.programs(cells, layout[int(done) : int(done) + count]):
                once = np.diff(its, prepend=-1, axis=1) != 0  # the last one fills a tile
                flat = [
                    np.asarray(x).reshape(-1, *x.shape[2:])
                    for x in tiles.follow(numbers, fixed, over)
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
        kept, beyond = {n: x[order] for n, x in named(rows)}, self.warned(cells)
        kept["fraction"] = np.where(beyond[:, None] > 1, np.nan, kept["fraction"])
        return SweepResult(**cells, step=step, alpha_curvature=beyond, **kept)

    def warned(self, cells: dict[str, np.ndarray]) -> np.ndarray:
        """``alpha_curvature`` of all cells, with a warning if it is above 1 in some."""
        found = tiles.alpha_curvature(cells)
        if count := int(np.sum(found > 1)):
            LOG.warning(
                "in %d of %d cells alpha is beyond the edge of stability: their ends are not "
                "counted, and rounding may change their risks",
                count,
                len(found),
            )
        return found

    def plan(self) -> Plan:
        """What it would cost here, in memory and time."""
        cells = self.cells()
        layout, over = self.layout(cells), tiles.mesh()
        seconds, compiling, memory = 0.0, 0.0, 0
        for fixed, its, numbers in self.programs(cells, layout):
            needs, takes, first = tiles.cost(numbers, fixed, over)
            memory, compiling = max(memory, needs), compiling + first
            seconds += takes * -(-len(its) // over.size)
        runs = len(cells["d"]) * self.repetitions
        beyond = int(np.sum(self.warned(cells) > 1))
        return Plan(
            len(cells["d"]), runs, len(layout), over.size, memory, seconds, compiling, beyond
        )


def sweep(
    grid: Mapping[str, ArrayLike],
    *,
    steps: int,
    log_every: int | None = None,
    repetitions: int = 30,
    on_manifold: bool = False,
    batch: int | None = None,
    together: int | None = None,
    dry: bool = False,
    folder: Folder = None,
    progress: bool = False,
) -> Any:
    """A ``SweepResult`` of all combinations of the numbers in ``grid``; if ``dry``, its ``Plan``,
    for which the program is compiled and a few steps are taken.

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
    axes = grids.checked(grid)
    if together is None:
        together = min(MOST, max(1, math.prod(len(values) for _, values in axes) // AT_LEAST))
    sweep = Sweep(
        "sweep",
        axes,
        checks.count("steps", steps),
        steps if log_every is None else checks.spaced(steps, log_every)[1],
        checks.count("repetitions", repetitions),
        checks.flag("on_manifold", on_manifold),
        None if batch is None else checks.count("batch", batch),
        checks.count("together", together),
    )
    return sweep.plan() if checks.flag("dry", dry) else sweep.run(folder, progress)
