"""A pretrained Transformer on sentences with one informative word.

The packages that read a model (the extra ``language``) are imported only when they are needed.
"""

from __future__ import annotations

from slrlib.language.encoder import load
from slrlib.language.pair import (
    attend,
    decide,
    end_of,
    fit_pair,
    fit_pair_label_only,
    fit_probe,
    hit_rates,
    pair_predict,
    project,
    score,
)
from slrlib.language.sentences import hide, marked, sentence_sets, subset

__all__ = [
    "attend",
    "decide",
    "end_of",
    "fit_pair",
    "fit_pair_label_only",
    "fit_probe",
    "hide",
    "hit_rates",
    "load",
    "marked",
    "pair_predict",
    "project",
    "score",
    "sentence_sets",
    "subset",
]
