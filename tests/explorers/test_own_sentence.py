"""The model of a page without a browser: 8-bit weights, word pieces, the files of the pages."""

import json
import re

import numpy as np
import pytest
import said
from js import Engine

from slrbook.explorers.read_a_sentence import table
from slrbook.explorers.read_a_sentence.in_browser import site, weights
from slrbook.explorers.read_a_sentence.spec import ReadASentence

PIECES = (site.HERE / "pieces.js").read_text("utf-8")


@pytest.fixture(scope="module")
def pieces(bert):
    """The ids of the word pieces of sentences, as the page computes them."""
    known = f"const known = new Map(Object.entries({json.dumps(bert.tokenizer.get_vocab())}));"
    numbers = "tokensOf(words, known).map((piece) => known.get(piece))"
    engine = Engine(PIECES, known, f"const idsOf = (words) => {numbers};")
    return lambda texts: engine.data(f"{json.dumps(texts)}.map(idsOf)")


def ids(bert, texts):
    return [each.ids for each in bert.tokenizer.encode_batch(texts)]


def test_odd_letters_and_long_words_have_the_same_pieces(bert, pieces):
    texts = [*said.ODD, " ".join(said.ODD), *said.sentences()]
    assert pieces(texts) == ids(bert, texts)


def test_every_letter_has_the_same_pieces(bert, pieces):
    """Characters of Unicode 3.2 with an unchanged category; the tokenizer knows some later ones."""
    letters = said.steady()
    texts = [f"an{letter}s" for letter in letters]
    assert len(texts) > 90_000
    both = zip(letters, pieces(texts), ids(bert, texts), strict=True)
    assert [hex(ord(letter)) for letter, here, there in both if here != there] == []


def test_all_numbers_come_back_from_the_bytes(bert):
    described, numbers = weights.packed(bert, table.pair(), 1, 8)
    named, at = dict(weights.arrays(bert, 1, 8)), 0
    for name, size, bits in described["arrays"]:
        kind = {8: np.int8, 32: np.float32}[bits]
        there = np.frombuffer(numbers, kind, size, at)
        np.testing.assert_array_equal(there, named.pop(name).ravel())
        at += size * bits // 8
    assert not named
    words = numbers[at:].decode().split("\n")
    assert len(numbers) - at == described["words"]
    assert words == [bert.tokenizer.id_to_token(i) for i in range(len(words))]
    assert len(words) == bert.tokenizer.get_vocab_size()


def test_the_script_that_offers_the_model_is_small_and_names_its_licence(bert):
    described, _ = weights.packed(bert, table.pair(), table.LAYER, table.LONGEST)
    text = site.own_script({"manifest": described})
    assert re.findall(r"https?:", text) == [] and len(text.encode()) < 40_000
    assert "all-MiniLM-L6-v2" in text and "Apache License" in text
    assert "without it only the stored sentences are available" in ReadASentence.note
