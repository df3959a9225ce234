"""Where thousands of starts end, in the setting of a figure that has thirty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import checks
from slrlib.dynamics import advance, start
from slrlib.dynamics.run import start_sgd
from slrlib.experiments.base import Folder
from slrlib.experiments.chunks import in_parts
from slrlib.experiments.descent import Descending, lams
from slrlib.landscape import basin
from slrlib.landscape.states import STATES, in_time
from slrlib.overlaps import Overlaps, random_overlaps


class EndsResult(NamedTuple):
    """Of each run the end that the rule names first, and the one that it names after all steps,
    in numbers of ``landscape.BASINS``; and where it stands then, one of ``landscape.STATES``."""

    told: Annotated[np.ndarray, "run"]
    last: Annotated[np.ndarray, "run"]
    state: Annotated[np.ndarray, "run"]

    def count(self, state: str) -> int:
        """How many runs stand there after the last step, as ``locked on``."""
        return int(np.sum(self.state == STATES.index(state)))


@dataclass(frozen=True)
class Ends(Descending):
    """The ends of PGD, or of online SGD if a batch is given, from random starts.

    The rule is ``landscape.basin``, asked every ``log_every`` steps. ``together`` starts are
    followed, and then kept, at once, each by all its steps.
    """

    repetitions: int = 4000
    together: int = 500
    on_manifold: bool = False
    batch: int | None = None
    seed: int = 0

    result: ClassVar[type] = EndsResult
    takes_minutes: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> EndsResult:
        count, size = (
            checks.count(name, getattr(self, name)) for name in ("repetitions", "together")
        )

        none = EndsResult(*[np.zeros(0, np.int8)] * 3)
        parts = [(first, min(size, count - first)) for first in range(0, count, size)]
        return in_parts(self, folder, progress, none, self.ended, parts)

    def ended(self, first: int, count: int) -> EndsResult:
        """The ends of ``count`` starts, those of the part that begins with number ``first``."""
        key = jax.random.fold_in(jax.random.key(self.seed), first)
        key_start, key_noise = jax.random.split(key)
        o = random_overlaps(key_start, self.task.d, (count,), on_manifold=self.on_manifold)
        given = o, self.task, self.checked_schedule(), self.alpha
        if self.batch is None:
            run = start(*given)
        else:
            run = start_sgd(*given, self.batch, key=key_noise)
        _, rows = advance(run, self.steps, self.log_every)
        lam = np.asarray(lams(run.schedule, rows.step))[:, None]
        codes = np.asarray(basin(rows.overlaps, lam, self.task))
        told = codes[np.argmax(codes > 0, axis=0), np.arange(count)]
        last = Overlaps(*(x[-1] for x in rows.overlaps))
        state = np.asarray(in_time(codes[-1], last.kappa, last.nu))
        return EndsResult(*(x.astype(np.int8) for x in (told, codes[-1], state)))
