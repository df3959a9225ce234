"""The sentences of "read a sentence", with scores and values of a pair (k, v) for each token.

``python -m slrbook.explorers.read_a_sentence.table`` recomputes the table in a minute.
It needs the model.
"""

import functools
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from slrlib import language
from slrlib.language import extra
from slrlib.language.pair import Pair

FILE = Path(__file__).with_name("table.json")
LAYER = 5
ADJECTIVES = (  # alternately positive and negative; the pair was fitted without the last four
    *("gentle", "cruel", "friendly", "ugly", "beautiful", "filthy"),
    *("sweet", "horrible", "wonderful", "vicious"),
)
MENUS = {  # the train set contains none of the words of the frame
    "adjective": ADJECTIVES,
    "opening": (
        *("The city is cruel. His", "The city is grim. His", "The city is friendly. His"),
        *("The city is peaceful. His", "Hello, how are you? Good evening, his"),
    ),
    "where": ("at the end", "before the animal"),
    "animal": ("sheep", "monkey"),
}
ENDS = ("white [animal] is quite [adjective].", "[adjective] [animal] is quite white.")  # by where
CHARACTERS, BASE = 3, 36  # each token is one number of three base-36 digits
VALUE_UNIT = 0.1
LONGEST = 24  # tokens of a sentence that the reader types


def compose(adjective, opening, where, animal):
    """Compose the sentence from the words of the menus."""
    end = ENDS[MENUS["where"].index(where)]
    return f"{opening} {end.replace('[animal]', animal).replace('[adjective]', adjective)}"


def sentences():
    """Return all sentences of the menus; the adjective varies fastest, the opening slowest."""
    words = product(*(MENUS[name] for name in ("opening", "where", "animal", "adjective")))
    return [
        compose(adjective, opening, where, animal) for opening, where, animal, adjective in words
    ]


@functools.cache
def stored() -> dict:
    """Return ``rows`` (a text per sentence), the units for ``unpacked``, and the ``pair``."""
    return json.loads(FILE.read_text("utf-8"))


@functools.cache
def pair() -> Pair:
    """Return the pair with which the table was computed."""
    return pair_of(stored()["pair"])


def pair_of(found) -> Pair:
    numbers: dict[str, Any] = {n: np.array(x) if n != "bias" else x for n, x in found.items()}
    return Pair(**numbers)


def projected(sentences, pair, bert):
    """Return (n lists of word pieces, ``Projected``) of these sentences at the table's layer."""
    states, mask = bert.states(sentences)
    return bert.tokens(sentences).pieces, language.project(pair, states[LAYER], mask)


def hear(sentence):
    """Return word pieces, scores X k and values X v + bias of a sentence that the reader typed."""
    if not isinstance(sentence, str) or not sentence.strip():
        raise ValueError(f"sentence must be text with at least one word, got {sentence!r}")
    if extra.missing():
        raise ModuleNotFoundError(extra.missing())
    from slrlib.experiments.reading import bert

    length = bert().tokens([sentence]).mask.shape[1]
    if length > LONGEST:
        raise ValueError(f"sentence must have at most {LONGEST} tokens, got {length}")
    pieces, seen = projected([sentence], pair(), bert())
    return pieces[0], seen.score[0], seen.value[0]


def packed(seen) -> dict:
    """Encode all tokens as text, on the finest grid of scores that three digits allow."""
    mask = np.isfinite(seen.score)
    scores, values = seen.score[mask], seen.value[mask]
    bottom = round(float(values.min()), 1)
    value = np.round((seen.value - bottom) / VALUE_UNIT).astype(int)
    levels = int(value[mask].max()) + 1
    low, high = float(np.floor(scores.min())), float(np.ceil(scores.max()))
    unit = round((high - low) / (BASE**CHARACTERS // levels - 1), 4) + 1e-4
    score = np.round((np.where(mask, seen.score, low) - low) / unit).astype(int)
    numbers = score * levels + value
    return {
        "rows": ["".join(map(_digits, row[own])) for row, own in zip(numbers, mask, strict=True)],
        "score": [low, round(unit, 4)],
        "value": [bottom, VALUE_UNIT],
        "levels": levels,
    }


def _digits(number):
    return np.base_repr(number, BASE).lower().rjust(CHARACTERS, "0")


def unpacked(table, row):
    """Return (scores, values) of one sentence."""
    text = table["rows"][row]
    numbers = [int(text[i : i + CHARACTERS], BASE) for i in range(0, len(text), CHARACTERS)]
    grid = np.divmod(numbers, table["levels"])
    return [
        low + unit * x
        for (low, unit), x in zip((table["score"], table["value"]), grid, strict=True)
    ]


def make() -> dict:
    """Compute the table for the pair that the chapter shows, fitted with known locations."""
    from slrlib.experiments.reading import bert, told_pair

    fitted = {
        name: [float(f"{x:.5g}") for x in each] if np.ndim(each) else round(each, 5)
        for name, each in told_pair(LAYER)._asdict().items()
    }
    return packed(projected(sentences(), pair_of(fitted), bert())[1]) | {"pair": fitted}


if __name__ == "__main__":
    FILE.write_text(json.dumps(make(), separators=(",", ":")) + "\n", "utf-8")
