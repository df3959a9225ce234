"""The model of a page without a browser: eight bits, word pieces, the files beside the pages."""

import json
import re

import numpy as np
import pytest
import said
from js import Engine
from smallsite import Site

from slrbook.explorers import read_a_sentence
from slrbook.explorers.read_a_sentence import table
from slrbook.explorers.read_a_sentence.in_browser import site, weights
from slrbook.explorers.read_a_sentence.spec import ReadASentence
from slrbook.sphinx_ext import assets
from slrlib import language
from slrlib.language import extra

PIECES = (site.HERE / "pieces.js").read_text("utf-8")


@pytest.fixture(scope="module")
def pieces(bert):
    """The numbers of the pieces of sentences, as the page finds them."""
    known = f"const known = new Map(Object.entries({json.dumps(bert.tokenizer.get_vocab())}));"
    numbers = "tokensOf(words, known).map((piece) => known.get(piece))"
    engine = Engine(PIECES, known, f"const idsOf = (words) => {numbers};")
    return lambda texts: json.loads(engine.value(f"JSON.stringify({json.dumps(texts)}.map(idsOf))"))


def ids(bert, texts):
    return [each.ids for each in bert.tokenizer.encode_batch(texts)]


def test_a_row_is_rounded_by_half_a_step_at_most():
    random = np.random.default_rng(0)
    matrix = random.normal(0, random.uniform(1e-3, 10, (40, 1)), (40, 64)).astype(np.float32)
    matrix[7] = 0
    whole, scale = weights.rounded(matrix)
    assert whole.dtype == np.int8 and np.abs(whole).max() == weights.LEVELS
    assert np.all(np.abs(whole * scale[:, None] - matrix) <= 0.5001 * scale[:, None])
    assert scale[0] == pytest.approx(np.abs(matrix[0]).max() / 127)
    assert not whole[7].any() and scale[7] > 0


def test_odd_letters_and_long_words_have_the_same_pieces(bert, pieces):
    texts = [*said.ODD, " ".join(said.ODD), *said.sentences()]
    assert pieces(texts) == ids(bert, texts)


def test_every_letter_has_the_same_pieces(bert, pieces):
    """Those of Unicode 3.2 whose kind is the same today; the tokenizer knows some later ones."""
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


def test_the_two_directions_are_the_pair(bert):
    states, mask = bert.states(["A gentle dog."])
    there = language.project(table.pair(), states[table.LAYER], mask)
    for name, found in weights.seen_by(table.pair()).items():
        here = states[table.LAYER] @ np.array(found["direction"]) + found["offset"]
        np.testing.assert_allclose(here, getattr(there, name), atol=1e-4)


def test_a_site_has_the_model_only_where_it_is_asked_for_and_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(language, "load", lambda: None)
    monkeypatch.setattr(site, "write", lambda folder, bert: (folder.parent / "m.js").touch())
    body = read_a_sentence().static_html()
    for installed, text, expected in (
        (False, body, ([], [])),
        (True, "<p>No explorer.</p>", ([], [])),
        (True, body, ([site.SCRIPT], ["m.js"])),
    ):
        monkeypatch.setattr(extra, "available", lambda installed=installed: installed)
        assert Site(tmp_path, text).built(assets.MODEL) == expected


def test_the_script_that_offers_the_model_is_small_and_names_its_licence(bert):
    described, _ = weights.packed(bert, table.pair(), table.LAYER, table.LONGEST)
    text = site.own_script({"manifest": described})
    assert re.findall(r"https?:", text) == [] and len(text.encode()) < 40_000
    assert "all-MiniLM-L6-v2" in text and "Apache License" in text
    assert "without it only the stored sentences are available" in ReadASentence.note
