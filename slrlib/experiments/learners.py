"""Sequences that a multi-layer perceptron needs, and a softmax pair, against the length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import checks
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.chunks import in_parts
from slrlib.risk import null_excess_risk
from slrlib.task import Task, random_teacher, sample

BLOCK = 32  # batches that are drawn at once
GROWTH = 1.1  # from one look at the risk to the next
LEARNERS = ("perceptron", "pair")


class Perceptron:
    """One hidden layer of rectified units on the L d numbers of a sequence, and its slopes."""

    def __init__(self, length: int, d: int, width: int, rng: np.random.Generator) -> None:
        inputs = length * d
        self.weights = [
            rng.normal(0, (2 / inputs) ** 0.5, (inputs, width)),
            np.zeros(width),
            rng.normal(0, width**-0.5, width),
            np.zeros(1),
        ]

    def answer(self, X: np.ndarray) -> np.ndarray:
        """The predictions for sequences ``X`` of shape (n, L, d)."""
        hidden, bias, out, offset = self.weights
        return np.maximum(X.reshape(len(X), -1) @ hidden + bias, 0) @ out + offset

    def slopes(self, X: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """Of the mean squared error, one for each of the weights."""
        hidden, bias, out, offset = self.weights
        rows = X.reshape(len(X), -1)
        units = np.maximum(rows @ hidden + bias, 0)
        error = 2 * (units @ out + offset - y) / len(y)
        back = np.outer(error, out) * (units > 0)
        return [rows.T @ back, back.sum(0), units.T @ error, error.sum(keepdims=True)]


class SoftmaxPair:
    """Softmax attention with free k and v: the length of k is its inverse temperature."""

    def __init__(self, d: int, rng: np.random.Generator) -> None:
        self.weights = list(rng.normal(0, d**-0.5, (2, d)))

    def read(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(weights, values) of the tokens."""
        k, v = self.weights
        scores = X @ k
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True), X @ v

    def answer(self, X: np.ndarray) -> np.ndarray:
        """The predictions for sequences ``X`` of shape (n, L, d)."""
        weights, values = self.read(X)
        return np.sum(weights * values, axis=1)

    def slopes(self, X: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """Of the mean squared error, in k and in v."""
        weights, values = self.read(X)
        answer = np.sum(weights * values, axis=1)
        error = 2 * (answer - y) / len(y)
        of_scores = error[:, None] * weights * (values - answer[:, None])
        return [np.einsum("nl,nld->d", by, X) for by in (of_scores, error[:, None] * weights)]


def adam(
    weights: list[np.ndarray], slopes: list[np.ndarray], kept: list, t: int, rate: float
) -> None:
    """One step of Adam, in place; ``kept`` are the two means of each weight."""
    for w, slope, (mean, square) in zip(weights, slopes, kept, strict=True):
        mean += 0.1 * (slope - mean)
        square += 0.001 * (slope**2 - square)
        w -= rate * mean / (1 - 0.9**t) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8)


class LearnersResult(NamedTuple):
    """Fresh sequences up to half the null risk; ``most`` stands for that many or more.

    A row is one run at one length, with one rate a learner, in the order of ``LEARNERS``.
    """

    length: Annotated[np.ndarray, "row"]
    rate: Annotated[np.ndarray, "row learner"]
    run: Annotated[np.ndarray, "row"]
    needed: Annotated[np.ndarray, "row learner"]


@dataclass(frozen=True)
class Learners(Experiment):
    """Adam on fresh sequences, until the excess risk is half that of the prediction zero.

    The risk is measured whenever the number of sequences has grown by a tenth.

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
        Learning rates of the softmax pair, as many.
    runs : int
        Runs at each length and rate.
    width : int
        Hidden units of the perceptron.
    batch : int
        Fresh sequences in each step.
    most : int
        Largest number of sequences of a run.
    test_points : int
        Sequences on which the excess risk is measured.
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

    def compute(self, folder: Folder, progress: bool) -> LearnersResult:
        rates = list(zip(self.rates, self.pair_rates, strict=True))
        todo = [(L, both, i) for L in self.lengths for i in range(self.runs) for both in rates]
        each = len(rates)

        def rows(start: int, stop: int):
            found = [(*row, self.needed(*row)) for row in todo[start:stop]]
            return LearnersResult(*map(np.array, zip(*found, strict=True)))

        parts = [(i, i + each) for i in range(0, len(todo), each)]
        return in_parts(self, folder, progress, rows, parts)

    def best(self, result: LearnersResult, length: int, learner: str) -> tuple[float, ...]:
        """(median, low, high) of the runs at the rate whose median is lowest.

        From the second lowest to the second highest of eleven runs is a 98 % interval.
        """
        at = LEARNERS.index(learner)
        rates, column = result.rate[:, at], result.needed[:, at]
        here = result.length == length
        each = [np.sort(column[here & (rates == rate)]) for rate in np.unique(rates[here])]
        found = min(each, key=lambda needed: (np.median(needed), needed.sum()))
        cut = len(found) // 6
        return float(np.median(found)), float(found[cut]), float(found[-1 - cut])

    def needed(self, length: int, rates: tuple[float, float], run: int) -> tuple[int, int]:
        """The sequences that each learner needs in this run; both see the same."""
        task = replace(self.task, L=length)
        d = checks.count("task.d", task.d, 2)
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(self.seed), length), run)
        rng = np.random.default_rng([self.seed, length, run])
        teacher = random_teacher(d, key=jax.random.fold_in(key, 0))
        look_key = jax.random.fold_in(key, 2**32 - 1)  # no step has this number
        test = sample(replace(task, noise=0.0), teacher, self.test_points, key=look_key)
        X, y = np.asarray(test.X), np.asarray(test.y)
        half = float(null_excess_risk(task)) / 2
        learners = Perceptron(length, d, self.width, rng), SoftmaxPair(d, rng)
        kept = [[(0 * w, 0 * w) for w in each.weights] for each in learners]
        found, look = [self.most] * 2, float(self.batch)
        for t in range(1, self.most // self.batch + 1):
            at = (t - 1) % BLOCK
            if at == 0:
                later = jax.random.fold_in(key, t)
                block = sample(task, teacher, self.batch * BLOCK, key=later)
                tokens, labels = np.asarray(block.X), np.asarray(block.y)
            now = slice(at * self.batch, (at + 1) * self.batch)
            seen = t * self.batch
            for i, (learner, rate) in enumerate(zip(learners, rates, strict=True)):
                if found[i] < self.most:
                    continue
                slopes = learner.slopes(tokens[now], labels[now])
                adam(learner.weights, slopes, kept[i], t, rate)
                if seen >= look and np.mean((learner.answer(X) - y) ** 2) < half:
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
