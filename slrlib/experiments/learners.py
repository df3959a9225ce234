"""The number of sequences that a perceptron and a softmax pair need, by sequence length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.example_libraries.optimizers import adam

from slrlib import checks
from slrlib.experiments.chunks import InParts
from slrlib.predictors import softmax_attention
from slrlib.risk import null_excess_risk
from slrlib.task import Task, random_teacher, sample

BLOCK = 32  # batches that are sampled at once
GROWTH = 1.1  # factor in the number of sequences between measurements of the risk
LEARNERS = ("perceptron", "pair")


def perceptron(weights: list[jax.Array], X: jax.Array) -> jax.Array:
    """Apply a network with one hidden ReLU layer to the L d numbers of each sequence (n, L, d)."""
    hidden, bias, out, offset = weights
    return jax.nn.relu(X.reshape(len(X), -1) @ hidden + bias[None]) @ out + offset[0]


def softmax_pair(weights: list[jax.Array], X: jax.Array) -> jax.Array:
    """Apply softmax attention with k and v of any norm; |k| acts as the inverse temperature."""
    k, v = weights
    return softmax_attention(X, k, v, 1.0)


@partial(jax.jit, static_argnames="answer")
def _error(weights, X, y, answer):
    """Return the mean squared error of a learner."""
    return jnp.mean((answer(weights, X) - y) ** 2)


@partial(jax.jit, static_argnames="answer")
def _stepped(t, state, X, y, rate, answer):
    """Return the state of Adam after step number ``t`` on these sequences."""
    _, update, weights_of = adam(rate)
    return update(t, jax.grad(_error)(weights_of(state), X, y, answer), state)


class LearnersResult(NamedTuple):
    """The number of new sequences until the excess risk is half the null risk.

    The value ``most`` means that many or more. A row is one run at one length, with one learning
    rate per learner, in the order of ``LEARNERS``.
    """

    length: Annotated[np.ndarray, "row"]
    rate: Annotated[np.ndarray, "row learner"]
    run: Annotated[np.ndarray, "row"]
    needed: Annotated[np.ndarray, "row learner"]


@dataclass(frozen=True)
class Learners(InParts):
    """Training by Adam on new sequences until the excess risk is half that of predicting zero.

    The risk is measured whenever the number of sequences has grown by 10%.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    lengths : tuple of int
        Lengths L of the sequences.
    rates : tuple of float
        Learning rates of the perceptron.
    pair_rates : tuple of float
        Learning rates of the softmax pair, as many as ``rates``.
    runs : int
        Number of runs at each length and rate.
    width : int
        Number of hidden units of the perceptron.
    batch : int
        New sequences per step.
    most : int
        Largest number of sequences of a run.
    test_points : int
        Number of sequences on which the excess risk is measured.
    seed : int
        Seed of the random numbers.
    """

    task: Task
    lengths: tuple[int, ...] = (2, 3, 4, 6, 8)
    rates: tuple[float, ...] = (3e-3, 1e-2)  # of the perceptron
    pair_rates: tuple[float, ...] = (3e-2, 1e-1)
    runs: int = 11
    width: int = 128
    batch: int = 64
    most: int = 2**19
    test_points: int = 2048
    seed: int = 0

    result: ClassVar[type] = LearnersResult
    takes_minutes: ClassVar[bool] = True

    def parts(self) -> list[tuple[int, int]]:
        return [(L, i) for L in self.lengths for i in range(self.runs)]

    def part(self, length: int, run: int) -> LearnersResult:
        """Return the rows of one run at one length, one row for each rate."""
        rates = zip(self.rates, self.pair_rates, strict=True)
        rows = [(length, both, run, self.needed(length, both, run)) for both in rates]
        return LearnersResult(*map(np.array, zip(*rows, strict=True)))

    def best(self, result: LearnersResult, length: int, learner: str) -> tuple[float, ...]:
        """Return (median, low, high) of the runs at the rate with the lowest median.

        For eleven runs, the range from the second lowest to the second highest is a 98% interval.
        """
        at = LEARNERS.index(learner)
        rates, column = result.rate[:, at], result.needed[:, at]
        here = result.length == length
        each = [np.sort(column[here & (rates == rate)]) for rate in np.unique(rates[here])]
        found = min(each, key=lambda needed: (np.median(needed), needed.sum()))
        cut = len(found) // 6
        return float(np.median(found)), float(found[cut]), float(found[-1 - cut])

    def needed(self, length: int, rates: tuple[float, float], run: int) -> tuple[int, int]:
        """Return the number of sequences that each learner needs; both use the same sequences."""
        task = replace(self.task, L=length)
        d = checks.count("task.d", task.d, 2)
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(self.seed), length), run)
        rng = np.random.default_rng([self.seed, length, run])
        teacher = random_teacher(d, key=jax.random.fold_in(key, 0))
        look_key = jax.random.fold_in(key, 2**32 - 1)  # no step has this number
        X, y, _ = sample(replace(task, noise=0.0), teacher, self.test_points, key=look_key)
        half = float(null_excess_risk(task)) / 2
        init, _, weights_of = adam(0.0)
        inputs, width = length * d, self.width
        hidden = rng.normal(0, (2 / inputs) ** 0.5, (inputs, width))
        out = rng.normal(0, width**-0.5, width)
        states = [
            init([hidden, np.zeros(width), out, np.zeros(1)]),
            init([*rng.normal(0, d**-0.5, (2, d))]),
        ]
        found, look = [self.most] * 2, float(self.batch)
        for t in range(self.most // self.batch):
            if t % BLOCK == 0:
                later = jax.random.fold_in(key, t + 1)
                block = sample(task, teacher, self.batch * BLOCK, key=later)
                tokens = block.X.reshape(BLOCK, self.batch, length, d)
                labels = block.y.reshape(BLOCK, self.batch)
            seen, now = (t + 1) * self.batch, t % BLOCK
            for i, answer in enumerate((perceptron, softmax_pair)):
                if found[i] < self.most:
                    continue
                states[i] = _stepped(t, states[i], tokens[now], labels[now], rates[i], answer)
                if seen >= look and _error(weights_of(states[i]), X, y, answer) < half:
                    found[i] = seen
            look = max(look, GROWTH * seen) if seen >= look else look
            if max(found) < self.most:
                break
        return found[0], found[1]

    def finding(self, r: LearnersResult) -> str:
        needed = [(L, *(self.best(r, L, learner)[0] for learner in LEARNERS)) for L in self.lengths]
        rows = "; ".join(f"L = {L}: {mlp:,.0f} and {pair:,.0f}" for L, mlp, pair in needed)
        return f"sequences that a {' and a softmax '.join(LEARNERS)} need: {rows}"


EXPERIMENTS = (Learners("learners", Task(d=40, L=2)),)
