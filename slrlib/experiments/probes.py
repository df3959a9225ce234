"""Linear predictors inside a pretrained model: the probes of [CLS] of Figure 1, and controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.reading import (
    SETS,
    bert,
    canonical,
    check,
    measure,
    stacked,
    told_pair,
)
from slrlib.language.probes import concatenated, mean_pooled


class ClsProbesResult(NamedTuple):
    """Layers from 0 on: accuracy with its 95% interval, area under the ROC.

    With ``weight`` and ``bias`` of a layer, applied to the state as it is, the probes can be asked
    once more.
    """

    n: Annotated[np.ndarray, "set"]
    accuracy: Annotated[np.ndarray, "layer set"]
    low: Annotated[np.ndarray, "layer set"]
    high: Annotated[np.ndarray, "layer set"]
    auc: Annotated[np.ndarray, "layer set"]
    weight: Annotated[np.ndarray, "layer coordinate"]
    bias: Annotated[np.ndarray, "layer"]


@dataclass(frozen=True)
class ClsProbes(Experiment):
    """A logistic regression on [CLS] at each layer, on the paper's sets (Figure 1).

    ``most`` sentences of a set, or all of them.
    """

    most: int | None = None
    penalty: float = 1.0

    result: ClassVar[type] = ClsProbesResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> ClsProbesResult:
        sets = language.sentence_sets()
        for i, (name, those) in enumerate(sets.items()):
            if self.most is not None and self.most < len(those.labels):
                sets[name] = language.subset(those, self.most, key=jax.random.key(i))
        states = {name: bert().cls_states(those.sentences) for name, those in sets.items()}
        scores, weights, biases = [], [], []
        for layer, train in enumerate(states["train"]):
            fitted = language.fit_probe(train, sets["train"].labels, self.penalty)
            weights.append(fitted.weight / fitted.scale)
            biases.append(fitted.bias - fitted.mean @ weights[-1])
            decisions = {name: language.decide(fitted, states[name][layer]) for name in SETS}
            scores.append([language.score(decisions[name], sets[name].labels) for name in SETS])
        n = np.array([len(sets[name].labels) for name in SETS])
        return ClsProbesResult(n, *stacked(scores), weight=np.array(weights), bias=np.array(biases))


CONTROLS = ("[CLS]", "mean of the tokens", "concatenated tokens", "(k, v)")


class LinearControlsResult(NamedTuple):
    """Controls as in ``CONTROLS``."""

    accuracy: Annotated[np.ndarray, "control layer set"]
    auc: Annotated[np.ndarray, "control layer set"]


@dataclass(frozen=True)
class LinearControls(Experiment):
    """Linear predictors on [CLS], on the mean and on all tokens one after another, with the same
    labels, beside the pair (k, v)."""

    layers: tuple[int, ...] = (0, 5)

    result: ClassVar[type] = LinearControlsResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> LinearControlsResult:
        check(self.layers)
        sets = {name: seen for name, (_, seen) in canonical().items()}
        train, longest = sets["train"], max(seen.mask.shape[1] for seen in sets.values())
        summaries = (
            lambda states, mask: states[:, 0],
            mean_pooled,
            lambda states, mask: concatenated(states, mask, longest),
        )
        rows = []
        for summary in summaries:
            rows.append([])
            for layer in self.layers:
                seen = {n: summary(each.states[layer], each.mask) for n, each in sets.items()}
                fitted = language.fit_probe(seen["train"], train.labels)
                decisions = {name: language.decide(fitted, x) for name, x in seen.items()}
                rows[-1].append([language.score(decisions[n], sets[n].labels) for n in SETS])
        pairs = [(layer, told_pair(layer)) for layer in self.layers]
        rows.append([[measure(p, sets[name], layer).score for name in SETS] for layer, p in pairs])
        scores = stacked(rows)
        return LinearControlsResult(scores.accuracy, scores.auc)
