"""Training of the Transformer layer (Figures 8 and 10): a few runs at a time, each part kept."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np
from tqdm import tqdm

from slrlib import checks
from slrlib.experiments import kept
from slrlib.experiments.descent import _joined, _leaves
from slrlib.transformer import (
    TrainingRow,
    advance_training,
    joint_risk_floor,
    key_alignment_cap,
    rank_ratio,
    start_training,
    value_alignment_cap,
)

_TOGETHER = 4  # runs in a part


class Trained(NamedTuple):
    """Rows of R runs, time first, and numbers of each run; see ``transformer.TrainingRow``.

    With one head and one location the axes (H, m) are left out. ``example`` shows run 0: the
    weights of the register and the L tokens of one sequence, of which the first is informative.
    """

    step: np.ndarray  #         (time,)
    excess_risk: np.ndarray  #  (time, R)
    floor: np.ndarray  #        (R,) no predictor of normalised tokens has less excess risk
    kappa: np.ndarray  #        (time, R, H, m) |k_h.k_i*|
    nu: np.ndarray  #           (time, R, H, m) v_h.v_i*, v as in the paper
    nu_gated: np.ndarray  #     (time, R, H, m) the same with the gates of the hidden units
    attention: np.ndarray  #    (time, R, H, m) mean weight of head h on the token of location i
    rank_ratio: np.ndarray  #   (R, H) second singular value over the first, at the end
    key_cap: np.ndarray  #      (R, m)
    value_cap: np.ndarray  #    (R, m)
    example: np.ndarray  #      (time, H, L + 1)


def parts(experiment):
    """Experiments of a few runs each that make up ``experiment``."""
    e = experiment
    count = checks.count("repetitions", e.repetitions)
    return [
        replace(e, first=e.first + i, repetitions=min(_TOGETHER, count - i))
        for i in range(0, count, _TOGETHER)
    ]


def _chunks(e):
    """(steps, log_every) of each chunk: the beginning, then four rows at a time."""
    steps, every = checks.count("steps", e.steps), checks.count("log_every", e.log_every)
    until, fine = min(e.early[0], steps), e.early[1]
    for name, whole, part in (("early[1]", until, fine), ("log_every", steps - until, every)):
        if whole % part:
            raise ValueError(f"{name} must divide {whole} steps, got {part}")
    rows = (steps - until) // every
    return [(until, fine)] * (until > 0) + [
        (every * min(4, rows - i), every) for i in range(0, rows, 4)
    ]


def _first(e):
    return start_training(
        e.task,
        e.repetitions,
        heads=e.heads,
        locations=e.locations,
        head_size=e.head_size,
        width=e.width,
        zero=e.zero,
        learning_rate=e.learning_rate,
        batch=e.batch,
        shared_noise=e.shared_noise,
        test_points=e.test_points,
        first=e.first,
        key=jax.random.key(e.seed),
    )


def run_part(e, folder, bar):
    """The runs of one part, all together; kept with their state after each chunk."""
    chunks = _chunks(e)
    state, there = _first(e), kept.find(e, folder)
    if there:
        arrays, found = there
        done, state = found["chunks"], _leaves(state)[1](arrays)
        rows = TrainingRow(*(arrays[name] for name in TrainingRow._fields))
    else:
        done, rows = 0, jax.tree.map(np.asarray, advance_training(state, 0, 1)[1])
    bar.update(done)
    for i, (steps, every) in list(enumerate(chunks))[done:]:
        state, more = advance_training(state, steps, every)
        rows = _joined([rows, more])
        arrays = {**rows._asdict(), **_leaves(state)[0]}
        kept.keep(e, folder, arrays, float="float32", chunks=i + 1, of=len(chunks))
        bar.update()
    return _described(e, state, rows)


def _described(e, state, rows):
    teachers = jax.tree.map(np.asarray, state.teachers)
    single = e.heads == e.locations == 1

    def squeezed(x):
        return np.asarray(x)[..., 0, 0] if single else np.asarray(x)

    ratio, caps = rank_ratio(state.layer), (key_alignment_cap, value_alignment_cap)
    own = [np.asarray(ratio), *(np.asarray(cap(teachers)) for cap in caps)]
    ratio, key_cap, value_cap = (x[:, 0] for x in own) if single else own
    example = np.asarray(rows.example)[:, 0]
    return Trained(
        step=np.asarray(rows.step),
        excess_risk=np.asarray(rows.excess_risk),
        floor=joint_risk_floor(teachers, state.task, shared_noise=e.shared_noise),
        kappa=squeezed(rows.kappa),
        nu=squeezed(rows.nu),
        nu_gated=squeezed(rows.nu_gated),
        attention=squeezed(rows.attention),
        rank_ratio=ratio,
        key_cap=key_cap,
        value_cap=value_cap,
        example=example[:, 0] if single else example,
    )


_OF_RUNS = ("floor", "rank_ratio", "key_cap", "value_cap")  # no time axis in front


def _together(found):
    """The results of the parts as one."""

    def join(name):
        each = [getattr(result, name) for result in found]
        if name in ("step", "example"):
            return each[0]
        return np.concatenate(each, axis=0 if name in _OF_RUNS else 1)

    return Trained(*(join(name) for name in Trained._fields))


def train(experiment, folder=None, progress=False):
    """The rows of ``experiment``; with a ``folder``, kept there, its parts in ``unfinished``."""
    e = experiment
    if there := kept.find(e, folder):
        return Trained(**there[0])
    beside = None if folder is None else Path(folder) / "unfinished"
    pieces = parts(e)
    with tqdm(total=len(pieces) * len(_chunks(e)), desc=e.name, disable=not progress) as bar:
        result = _together([run_part(part, beside, bar) for part in pieces])
    kept.keep(e, folder, result._asdict(), float="float32", chunks=1, of=1)
    if beside is not None:
        for part in pieces:
            kept.path_of(part, beside).unlink()
        if not any(beside.iterdir()):
            beside.rmdir()
    return result
