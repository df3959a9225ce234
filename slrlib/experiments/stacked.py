"""One Transformer layer compared with a stack of two, after the same number of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks
from slrlib.experiments.chunks import InParts
from slrlib.task import Task, random_teacher
from slrlib.transformer import random_layer, random_register, risk_floor
from slrlib.transformer.layer import answered, single_precision
from slrlib.transformer.training import Training, held_out, stepped


@partial(jax.jit, static_argnames=("d", "width", "layers"))
def _first(root, numbers, d, width, layers):
    """Return the initial layers of each run, its register, teacher and key."""

    def first(number):
        keys = jax.random.split(jax.random.fold_in(root, number), 5)
        # the upper of two layers has the initial weights of the single layer
        stack = tuple(random_layer(d, d, width, key=keys[4 - i]) for i in range(layers))[::-1]
        return stack, random_register(d, key=keys[0]), random_teacher(d, (1,), key=keys[1]), keys[2]

    return jax.vmap(first)(numbers)


def _risk(layers, register, X, y):
    return jnp.mean((answered(layers, register, X) - y) ** 2)


@jax.jit
def _onward(run, end):
    """Train all runs in parallel up to step ``end``.

    Return the runs, and their excess risk on sequences that are not used for training.
    """

    def onward(one):
        step = partial(stepped, one=one, risk=_risk)
        layers = jax.lax.fori_loop(one.step, end, lambda t, layers: step(layers, t), one.layer)
        return layers, _risk(layers, one.register, *held_out(one))

    axes = replace(run, step=None, layer=0, register=0, teachers=0, keys=0, learning_rate=None)
    layers, risk = jax.vmap(onward, in_axes=(axes,))(run)
    return replace(run, step=end, layer=layers), risk


DIVERGED = 1e6  # excess risk assigned to a run that diverged; a few of the small stacks do


class StackedResult(NamedTuple):
    """The excess risks at the steps ``looks``; a row is one run with ``layers`` layers.

    Runs that diverged have the excess risk ``DIVERGED``.
    """

    layers: Annotated[np.ndarray, "row"]
    run: Annotated[np.ndarray, "row"]
    floor: Annotated[np.ndarray, "row"]  # lower bound for a single layer
    excess_risk: Annotated[np.ndarray, "row look"]


@dataclass(frozen=True)
class StackedLayers(InParts):
    """SGD of a single Transformer layer and of stacks of layers.

    Stacks of all sizes have the same teachers, registers and sequences.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    looks : tuple of int
        Steps at which the excess risk is measured, increasing.
    layers : tuple of int
        Numbers of layers, increasing.
    runs : int
        Number of runs for each number of layers.
    together : int
        Number of runs computed and stored together.
    learning_rate : float
        Step size of SGD.
    width : int
        Number of hidden units.
    batch : int
        New sequences per step.
    test_points : int
        Number of sequences on which the excess risk is measured.
    seed : int
        Seed of the random numbers.
    """

    task: Task
    looks: tuple[int, ...] = (250, 1000, 2000, 4000, 8000)
    layers: tuple[int, ...] = (1, 2)
    runs: int = 12
    together: int = 1
    learning_rate: float = 0.01
    width: int = 80
    batch: int = 64
    test_points: int = 16_384
    seed: int = 0

    result: ClassVar[type] = StackedResult
    takes_minutes: ClassVar[bool] = True

    def parts(self) -> list[tuple[int, range]]:
        checks.positive("learning_rate", self.learning_rate)
        if list(self.looks) != sorted({0, *self.looks} - {0}):
            raise ValueError(f"looks must be steps from 1 on that grow, got {self.looks}")
        return [
            (layers, range(i, min(i + self.together, self.runs)))
            for i in range(0, self.runs, self.together)
            for layers in self.layers
        ]

    def part(self, layers: int, numbers: Sequence[int]) -> StackedResult:
        """Return the rows of these runs, which do not depend on the number of runs."""
        d = checks.count("task.d", self.task.d, 4)
        task = Task(d, checks.count("task.L", self.task.L), self.task.gamma, self.task.noise)
        with single_precision():
            root = jax.random.key(self.seed)
            given = root, np.asarray(numbers, np.uint32), d, self.width, layers
            stack, register, teachers, keys = _first(*given)
            how = self.learning_rate, task, self.batch, False, self.test_points
            run, risks = Training(0, stack, register, teachers, keys, *how), []
            for look in self.looks:
                run, risk = _onward(run, look)
                risks.append(np.nan_to_num(np.asarray(risk, float), nan=DIVERGED))
            teachers = jax.tree.map(np.asarray, teachers)
        floors, those = risk_floor(teachers, task)[:, 0], np.asarray(numbers, float)
        risks = np.minimum(np.stack(risks, 1), DIVERGED)
        return StackedResult(np.full(len(those), float(layers)), those, floors, risks)

    def finding(self, r: StackedResult) -> str:
        ends = r.excess_risk[:, -1]
        told = (f"{n}: {np.median(ends[r.layers == n]):.4g}" for n in self.layers)
        below = np.sum(ends[r.layers == 2] < r.floor[r.layers == 2])
        said = f"median excess risk by layers, {', '.join(told)}"
        return f"{said}; in {below:,} of {self.runs:,} runs two layers end below the floor of one"


EXPERIMENTS = (
    StackedLayers("stacked", Task(d=40, L=5)),
    StackedLayers(
        "stacked-many",
        Task(d=8, L=2),
        looks=(1000, 4000),
        layers=(2,),
        runs=4000,
        together=50,
        learning_rate=0.04,
        width=16,
        batch=16,
        test_points=8192,
    ),
)
