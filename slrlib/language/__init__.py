"""A real pretrained Transformer on sentences with one informative word.

The packages that read a model (the extra ``language``) are imported only when they are needed.
"""

from slrlib.language.encoder import Read, load
from slrlib.language.extra import available, missing
from slrlib.language.learned import fit_pair_label_only
from slrlib.language.pair import (
    PENALTY_OF_K,
    Pair,
    Projected,
    attend,
    cosine,
    end_of,
    fit_pair,
    hit_rates,
    pair_predict,
    project,
)
from slrlib.language.probes import (
    Probe,
    Score,
    concatenated,
    decide,
    fit_probe,
    hits_of_heads,
    mean_pooled,
    score,
    t_interval,
)
from slrlib.language.sentences import (
    SentenceSet,
    compose,
    count_tokens,
    hide,
    marked,
    random_sentence_sets,
    sentence_sets,
    subset,
)
from slrlib.language.tokens import Tokens

__all__ = [
    "PENALTY_OF_K",
    "Pair",
    "Probe",
    "Projected",
    "Read",
    "Score",
    "SentenceSet",
    "Tokens",
    "attend",
    "available",
    "compose",
    "concatenated",
    "cosine",
    "count_tokens",
    "decide",
    "end_of",
    "fit_pair",
    "fit_pair_label_only",
    "fit_probe",
    "hide",
    "hit_rates",
    "hits_of_heads",
    "load",
    "marked",
    "mean_pooled",
    "missing",
    "pair_predict",
    "project",
    "random_sentence_sets",
    "score",
    "sentence_sets",
    "subset",
    "t_interval",
]
