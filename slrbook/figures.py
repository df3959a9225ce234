"""The picture of each figure, from its result: what ``python -m slrlib fig4a --out`` draws."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from slrbook import picture as pictures
from slrbook.command.finding import finding
from slrlib.experiments.base import Experiment
from slrlib.experiments.curves import ManifoldField, RiskByDimension
from slrlib.experiments.descent import Descent
from slrlib.experiments.draws import WordDraws
from slrlib.experiments.heads import HeadsDescent
from slrlib.experiments.lengths import TextLength
from slrlib.experiments.probes import ClsProbes
from slrlib.experiments.sweeps import Sweep
from slrlib.experiments.tokens import AttentionHeads, TokenPlane, WordFlip
from slrlib.experiments.training import LayerTraining
from slrlib.heads import oracle_excess_risk

NAMES = {
    "train": "train",
    "test": "test",
    "ood_tokens": "unseen words",
    "ood_structure": "unseen pattern",
    "ood_both": "both unseen",
}
SETS = list(NAMES.values())


def draw(experiment: Experiment, result: Any) -> pictures.Picture:
    """The picture of a result of ``experiment``."""
    return DRAWN[type(experiment)](experiment, result, alt=finding(experiment, result))


def save(experiment: Experiment, result: Any, path: str | Path) -> None:
    """Write that picture; the letters of a PDF stay letters, as journals ask."""
    with matplotlib.rc_context({"pdf.fonttype": 42}):
        draw(experiment, result).save(path)


def descent(e: Descent, r: Any, **words: str) -> pictures.Picture:
    columns = r.step, r.excess_risk, r.overlaps.kappa, r.overlaps.nu, r.distance
    return pictures.four_panels(*columns, r.ends, r.oracle, **words)


def matched(kappa: np.ndarray, nu: np.ndarray) -> list[np.ndarray]:
    """|kappa| and |nu| of two heads, in the order that fits the two locations best."""
    K, V = np.abs(kappa), np.abs(nu)
    if K.shape[2:] != (2, 2):
        raise ValueError(f"heads and locations must be two in a picture, got {K.shape[2:]}")
    crossed = K[-1, :, 0, 1] + K[-1, :, 1, 0] > K[-1, :, 0, 0] + K[-1, :, 1, 1]
    return [np.where(crossed[:, None, None], x[..., ::-1, :], x) for x in (K, V)]


@pictures.picture(420, 780, panels=(3, 1))
def one_column(axes, colours, columns):
    """``heads_learn`` for one law of the noise."""
    pictures.heads_learn.__wrapped__(axes[:, None], colours, columns)


def heads(e: HeadsDescent, r: Any, **words: str) -> pictures.Picture:
    oracle = oracle_excess_risk(r.lam, e.task, e.locations)
    law = "shared noise" if e.shared_noise else "own noise"
    return one_column({law: (r.step, r.excess_risk, oracle, *matched(r.kappa, r.nu))}, **words)


def layer(e: LayerTraining, r: Any, **words: str) -> pictures.Picture:
    if r.kappa.ndim == 4:
        law = "shared noise" if e.shared_noise else "own noise"
        rows = r.step, r.excess_risk, r.floor.mean(), *matched(r.kappa, r.nu)
        return one_column({law: rows}, **words)
    caps = r.key_cap.mean(), r.value_cap.mean()
    above = r.excess_risk - r.floor
    return pictures.layer_learns(
        r.step, r.excess_risk, above, r.kappa, r.nu, r.nu_gated, caps, **words
    )


def by_dimension(e: RiskByDimension, r: Any, **words: str) -> pictures.Picture:
    null = float(r.null)
    return pictures.oracle_and_linear(
        r.d / e.task.L, r.oracle, r.best, r.linear, null, np.empty((0, 3)), **words
    )


def field(e: ManifoldField, r: Any, **words: str) -> pictures.Picture:
    levels = np.linspace(r.excess_risk.min(), r.excess_risk.max(), 10)[1:-1]
    return pictures.manifold_risk(r.kappa, r.nu, r.excess_risk, levels, **words)


def probes(e: ClsProbes, r: Any, **words: str) -> pictures.Picture:
    return pictures.probe_by_layer(SETS, r.accuracy, r.low, r.high, r.auc, **words)


def plane(e: TokenPlane, r: Any, **words: str) -> pictures.Picture:
    if len(e.layers) != 3:
        raise ValueError(f"layers must be three in a picture, got {e.layers}")
    return pictures.word_planes(r.score, r.value, r.role, e.layers, **words)


def flip(e: WordFlip, r: Any, **words: str) -> pictures.Picture:
    if len(e.words) != 2:
        raise ValueError(f"words must be two in a picture, got {e.words}")
    return pictures.one_word_flips(r.pieces, r.weight, r.at, r.output, **words)


def attention(e: AttentionHeads, r: Any, **words: str) -> pictures.Picture:
    return pictures.head_hits(r.hits, **words)


def draws(e: WordDraws, r: Any, **words: str) -> pictures.Picture:
    shown = (x[..., 1:] for x in (r.told, r.learned, r.cls, r.mean, r.joined))
    return pictures.predictors_by_layer(SETS[1:], *shown, e.layers, **words)


def lengths(e: TextLength, r: Any, **words: str) -> pictures.Picture:
    if len(e.chosen) != 2:
        raise ValueError(f"chosen must be two sets in a picture, got {e.chosen}")
    curves = {"[CLS] probe: labels": (r.cls, "cls")}
    curves["(k, v): labels and locations"] = (r.told, "told")
    for end in ("found", "shortcut"):
        if (those := r.ends == end).any():
            curves[f"(k, v): labels, {end}"] = (r.learned[..., those].mean(-1), end)
    names = [NAMES[name] for name in e.chosen]
    return pictures.by_length(names, r.length, curves, **words)


def recovery(e: Sweep, r: Any, **words: str) -> pictures.Picture:
    d, lam0 = np.unique(r.d), np.unique(r.lam0)
    if len(r.d) != len(d) * len(lam0):
        raise ValueError("the grid must have the axes d and lam0 alone in a picture")
    at = np.searchsorted(d, r.d), np.searchsorted(lam0, r.lam0)
    early = np.ndim(r.fraction) == 0  # a file stored without states
    source = r.share if early else r.fraction
    ends = np.zeros((2, len(d), len(lam0)))
    ends[:, *at] = source[:, 1], source[:, 0]
    return pictures.recovery_map(d, lam0, *ends, early=early, **words)


DRAWN: dict[type, Callable[..., pictures.Picture]] = {
    Descent: descent,
    HeadsDescent: heads,
    LayerTraining: layer,
    RiskByDimension: by_dimension,
    ManifoldField: field,
    ClsProbes: probes,
    TokenPlane: plane,
    WordFlip: flip,
    AttentionHeads: attention,
    WordDraws: draws,
    TextLength: lengths,
    Sweep: recovery,
}
