"""One Transformer layer and two of them on one another, after as many steps of training."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.chunks import in_chunks
from slrlib.task import Task, Teacher, random_teacher
from slrlib.transformer import random_layer, random_register, risk_floor
from slrlib.transformer.layer import Layer, below, through
from slrlib.transformer.sequences import draw, single_precision

LAYERS = (1, 2)


def answered(layers: Sequence[Layer], register: jax.Array, X: jax.Array) -> jax.Array:
    """The prediction: all rows go through all layers, and the last reads its register row out.

    Book: {eq}`eq-layer`.
    """
    *lower, last = layers
    T = below(register, X)
    for layer in lower:
        T = through(layer, T)
    return through(last, T, 1)[..., 0, :] @ last.readout


class Run(NamedTuple):
    """What a run does not learn."""

    register: jax.Array
    teacher: Teacher  # (1, d)
    key: jax.Array


@partial(jax.jit, static_argnames=("task", "batch", "n"))
def _onward(layers, run, rate, begin, end, task, batch, n):
    """The layers after the steps from ``begin`` to ``end``, and their excess risk on ``n``
    sequences that no step has seen."""

    def error(layers, X, y):
        return jnp.mean((answered(layers, run.register, X) - y) ** 2)

    def step(t, layers):
        key_draw, key_label = jax.random.split(jax.random.fold_in(run.key, t))
        X, y = draw(task, run.teacher, batch, False, key_draw)
        y = y + task.noise * jax.random.normal(key_label, y.shape, y.dtype)
        return jax.tree.map(lambda w, s: w - rate * s, layers, jax.grad(error)(layers, X, y))

    layers = jax.lax.fori_loop(begin, end, step, layers)
    test = draw(task, run.teacher, n, False, jax.random.fold_in(run.key, 2**32 - 1))
    return layers, error(layers, *test)


class StackedResult(NamedTuple):
    """Excess risks at the steps ``looks`` of the experiment; a row is one run of so many layers."""

    layers: Annotated[np.ndarray, "row"]
    run: Annotated[np.ndarray, "row"]
    floor: Annotated[np.ndarray, "row"]  # below which no single layer can come
    excess_risk: Annotated[np.ndarray, "row look"]


@dataclass(frozen=True)
class StackedLayers(Experiment):
    """SGD of one layer and of two, side by side on the same teachers, registers and sequences."""

    task: Task
    looks: tuple[int, ...] = (250, 1000, 2000, 4000, 8000)
    runs: int = 12
    learning_rate: float = 0.01
    width: int = 80
    batch: int = 64
    test_points: int = 16_384
    seed: int = 0

    result: ClassVar[type] = StackedResult
    takes_minutes: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> StackedResult:
        for name in ("runs", "width", "batch", "test_points"):
            checks.count(name, getattr(self, name))
        checks.positive("learning_rate", self.learning_rate)
        if not self.looks or list(self.looks) != sorted({0, *self.looks} - {0}):
            raise ValueError(f"looks must be steps from 1 on that grow, got {self.looks}")
        todo = [(layers, run) for run in range(self.runs) for layers in LAYERS]

        def rows(_, start: int, stop: int):
            found = [(*row, *self.trained(*row)) for row in todo[start:stop]]
            return None, StackedResult(*map(np.array, zip(*found, strict=True)))

        nothing = np.zeros(0)
        none = StackedResult(nothing, nothing, nothing, np.zeros((0, len(self.looks))))
        return in_chunks(
            self, folder, progress,
            run=None, rows_of=StackedResult, first_rows=lambda _: none, advance=rows,
            chunks=[(i, i + 1) for i in range(len(todo))],
        )[1]  # fmt: skip

    def trained(self, layers: int, number: int) -> tuple[float, np.ndarray]:
        """The floor of this run, and its excess risk at each look."""
        d = checks.count("task.d", self.task.d, 4)
        task = Task(d, checks.count("task.L", self.task.L), self.task.gamma, self.task.noise)
        with single_precision():
            keys = jax.random.split(jax.random.fold_in(jax.random.key(self.seed), number), 5)
            run = Run(
                random_register(d, key=keys[0]), random_teacher(d, (1,), key=keys[1]), keys[2]
            )
            # the upper layer of two starts where the only one does
            stack = tuple(random_layer(d, d, self.width, key=keys[4 - i]) for i in range(layers))
            stack, at, risks, sizes = stack[::-1], 0, [], (self.batch, self.test_points)
            for look in self.looks:
                stack, risk = _onward(stack, run, self.learning_rate, at, look, task, *sizes)
                at = look
                risks.append(float(risk))
            teacher = jax.tree.map(np.asarray, run.teacher)
        return float(risk_floor(teacher, task)[0]), np.array(risks)
