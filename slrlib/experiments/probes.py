"""Linear probes of [CLS] in a pretrained model (Figure 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.reading import NAMES, SETS, bert, by_set, stacked


class ClsProbesResult(NamedTuple):
    """The accuracy, its 95% interval and the area under the ROC curve at each layer from 0 on.

    ``weight`` and ``bias`` of a layer apply to the state without standardization, so the probes can
    be evaluated again.
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

    Parameters
    ----------
    name : str
        Name of the experiment.
    most : int or None
        Largest number of sentences in a set; None: all.
    penalty : float
        The l2 penalty of the regression.
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

    def finding(self, r: ClsProbesResult) -> str:
        return "accuracy, mean of layers 1 to 6: " + by_set(r.accuracy[1:].mean(0))

    def draw(self, r: ClsProbesResult, pictures: Any, **words: str) -> Any:
        return pictures.probe_by_layer(NAMES, r.accuracy, r.low, r.high, r.auc, **words)
