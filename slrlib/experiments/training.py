"""Training of the Transformer layer (Figures 8 and 10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.chunks import in_chunks
from slrlib.experiments.heads import matched
from slrlib.task import Task
from slrlib.transformer import advance_training, start_training
from slrlib.transformer.floor import joint_risk_floor
from slrlib.transformer.layer import alignment_caps, rank_ratio
from slrlib.transformer.training import TrainingRow

# The numbers that ``start_training`` takes.
OPTIONS = ("first", "heads", "locations", "head_size", "width", "zero")
OPTIONS += ("learning_rate", "batch", "shared_noise", "test_points")
NEAR = 0.01  # excess risk above the floor up to which a run counts as having reached it


class LayerTrainingResult(NamedTuple):
    """The rows of the runs, and the final numbers of each run; see ``transformer.TrainingRow``.

    With one head and one location the axes of heads and locations are left out.
    """

    step: Annotated[np.ndarray, "time"]
    excess_risk: Annotated[np.ndarray, "time run"]
    floor: Annotated[np.ndarray, "run"]  # lower bound for predictors of normalized tokens
    kappa: Annotated[np.ndarray, "time run head? location?"]  # |k_h.k_i*|
    nu: Annotated[np.ndarray, "time run head? location?"]  # v_h.v_i*, v as in the paper
    nu_gated: Annotated[np.ndarray, "time run head? location?"]  # with the gates of hidden units
    attention: Annotated[np.ndarray, "time run head? location?"]  # of head h on the token of i
    rank_ratio: Annotated[np.ndarray, "run head?"]  # of singular values, second over first
    key_cap: Annotated[np.ndarray, "run location?"]
    value_cap: Annotated[np.ndarray, "run location?"]
    example: Annotated[np.ndarray, "time head? token"]  # run 0: weights of register and tokens


@dataclass(frozen=True)
class LayerTraining(Experiment):
    """Training of the Transformer layer by SGD.

    A run depends on ``seed`` and on its number, not on the other runs.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    learning_rate : float
        Step size of SGD.
    steps : int
        Number of steps of each run.
    log_every : int
        Number of steps between rows of the result.
    early : tuple of int
        Up to step ``early[0]``, a row is kept every ``early[1]`` steps.
    repetitions : int
        Number of runs.
    first : int
        Number of the first run; the others are numbered consecutively.
    heads : int
        Number of heads H.
    locations : int
        Number of locations m.
    head_size : int or None
        Dimension p of the scores of a head; None: d / heads.
    width : int
        Number of hidden units.
    zero : str
        The matrix of the scores that starts at zero: "token", "register" or "neither".
    batch : int
        New sequences per step.
    shared_noise : bool
        Whether the informative tokens of a sequence have the same noise.
    test_points : int
        Number of sequences on which the excess risk is measured.
    seed : int
        Seed of the random numbers.
    """

    task: Task
    learning_rate: float
    steps: int
    log_every: int = 250
    early: tuple[int, int] = (1000, 50)
    repetitions: int = 20
    first: int = 0
    heads: int = 1
    locations: int = 1
    head_size: int | None = None
    width: int = 200
    zero: str = "token"
    batch: int = 128
    shared_noise: bool = False
    test_points: int = 8192
    seed: int = 0

    result: ClassVar[type] = LayerTrainingResult
    takes_minutes: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> LayerTrainingResult:
        options = {name: getattr(self, name) for name in OPTIONS}
        key = jax.random.key(self.seed)
        state = start_training(self.task, self.repetitions, key=key, **options)
        rows = jax.tree.map(np.asarray, advance_training(state, 0, 1)[1])
        how = advance_training, self.chunks(), TrainingRow
        state, rows = in_chunks(self, folder, progress, *how, run=state, rows=rows)
        teachers = jax.tree.map(np.asarray, state.teachers)
        of_runs = [np.asarray(x) for x in (rank_ratio(state.layer), *alignment_caps(teachers))]
        of_rows = [rows.kappa, rows.nu, rows.nu_gated, rows.attention]
        example = rows.example[:, 0]
        if self.heads == self.locations == 1:
            of_rows = [x[..., 0, 0] for x in of_rows]
            of_runs = [x[:, 0] for x in of_runs]
            example = example[:, 0]
        floor = joint_risk_floor(teachers, self.task, shared_noise=self.shared_noise)
        how_well = rows.step, rows.excess_risk, floor
        return LayerTrainingResult(*how_well, *of_rows, *of_runs, example=example)

    def chunks(self) -> list[tuple[int, int]]:
        """Return (steps, log_every) of each chunk: the early steps, then one row per chunk."""
        steps, every = self.steps, self.log_every
        until, fine = min(self.early[0], steps), self.early[1]
        for name, whole, part in (("early[1]", until, fine), ("log_every", steps - until, every)):
            if whole % part:
                raise ValueError(f"{name} must divide {whole} steps, got {part}")
        return [(until, fine)] * (until > 0) + [(every, every)] * ((steps - until) // every)

    def finding(self, r: LayerTrainingResult) -> str:
        above = r.excess_risk[-1] - r.floor
        near = f"{np.sum(above < NEAR)} of {len(above)} runs end within {NEAR} of their floor"
        return f"{near}; median risk {np.median(r.excess_risk[-1]):.4g}"

    def draw(self, r: LayerTrainingResult, pictures: Any, **words: str) -> Any:
        if r.kappa.ndim == 4:
            law = "shared noise" if self.shared_noise else "own noise"
            rows = r.step, r.excess_risk, r.floor.mean(), *matched(r.kappa, r.nu)
            return pictures.one_column({law: rows}, **words)
        rows = r.step, r.excess_risk, r.floor.mean(), r.attention, r.kappa, r.nu
        return pictures.layer_learns(*rows, **words)
