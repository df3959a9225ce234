"""The explorer of the chapter on language, without a browser."""

import json

import numpy as np
import pytest
from shown import engine_of, picture

from slrbook.explorers import read_a_sentence
from slrbook.explorers.read_a_sentence import table as sentence_table
from slrbook.explorers.read_a_sentence.spec import ReadASentence
from slrbook.explorers.read_a_sentence.table import ADJECTIVES, LAYER, MENUS
from slrlib import language
from slrlib.language.pair import Projected
from slrlib.language.sentences import count_tokens

TABLE = sentence_table.stored()
TEXTS = sentence_table.sentences()
LAMS = (0.01, 0.1, 0.3, 1.0, 2.0)
page = engine_of(ReadASentence)


@pytest.fixture(scope="module")
def seen(bert):
    """All sentences as the current model encodes them: (word pieces, ``Projected``)."""
    return sentence_table.projected(TEXTS, sentence_table.pair(), bert)


def at_row(row):
    """The values of the menus that select this row of the table."""
    names = ("opening", "where", "animal", "adjective")
    shape = [len(MENUS[name]) for name in names]
    return dict(zip(names, map(int, np.unravel_index(row, shape)), strict=True))


def test_the_family_is_complete_and_balanced():
    assert len(TEXTS) == len(set(TEXTS)) == len(TABLE["rows"]) == 200
    lists = language.sentence_sets()["train"]
    assert not set(TEXTS) & set(lists.sentences)
    known = set(" ".join(lists.sentences).lower().replace(".", "").split())
    assert {word for word in ADJECTIVES if word not in known} == set(ADJECTIVES[6:])
    assert known.isdisjoint([*MENUS["animal"], "his", "white", "quite", "hello"])


def test_the_stored_numbers_are_those_of_the_model(seen):
    """If this fails, run ``python -m slrbook.explorers.read_a_sentence.table``."""
    for row, (score, value) in enumerate(zip(*seen[1], strict=True)):
        there = np.isfinite(score)
        stored_score, stored_value = sentence_table.unpacked(TABLE, row)
        assert stored_score == pytest.approx(score[there], abs=0.51 * TABLE["score"][1])
        assert stored_value == pytest.approx(value[there], abs=0.51 * TABLE["value"][1])


def test_the_page_computes_what_the_package_computes(page, seen):
    pieces, projected = seen
    at = [text.rindex(ADJECTIVES[i % len(ADJECTIVES)]) for i, text in enumerate(TEXTS)]
    for row in range(0, 200, 7):
        lam = LAMS[row % len(LAMS)]
        figures = picture(page, **at_row(row), lam=lam)["figures"]
        words = [word if word[0] == "[" else word.lower() for word in figures["words"]]
        assert words == list(pieces[row])
        assert figures["place"] == count_tokens(TEXTS[row][: at[row]]) - 1
        stored = Projected(*sentence_table.unpacked(TABLE, row))
        weights = language.attend(stored.score, lam)
        assert figures["scores"] == pytest.approx(stored.score, abs=1e-12)
        assert figures["weights"] == pytest.approx(weights, abs=1e-12)
        assert figures["output"] == pytest.approx(float(weights @ stored.value), abs=1e-12)
        there = np.isfinite(projected.score[row])
        assert figures["values"] == pytest.approx(projected.value[row][there], abs=0.051)


def test_an_even_look_goes_wrong_and_says_so(page):
    rows = [picture(page, **at_row(row), lam=0.01) for row in range(200)]
    wrong = [r["figures"]["output"] * r["figures"]["label"] < 0 for r in rows]
    assert [", which is wrong: " in r["reading"] for r in rows] == wrong
    assert 0.1 < np.mean(wrong) < 0.4
    same = [r["figures"]["output"] * r["figures"]["other"] > 0 for r in rows]
    assert ["the prediction is still" in r["reading"] for r in rows] == same


def test_any_sentence_is_read_where_the_model_is(bert):
    explorer = read_a_sentence(lam=0.5)
    assert explorer.types
    text = "The soup was cold, but the old man in the shop is lovely."
    words, weights, output = explorer.read(text)
    states, mask = bert.states([text])
    expected = language.pair_predict(sentence_table.pair(), states[LAYER], mask, 0.5)
    assert output == pytest.approx(float(expected[0]), rel=1e-5)
    assert list(words) == bert.tokens([text]).pieces[0] == list(explorer.typed["words"])
    assert explorer.sentence == text and weights.sum() == pytest.approx(1.0, abs=1e-6)
    explorer.adjective = 3  # a menu returns to the stored sentences
    assert explorer.sentence == "" and explorer.typed == {}


def test_the_lines_of_python_of_a_typed_sentence_find_it(bert, page, capsys):
    explorer = read_a_sentence(lam=0.5)
    explorer.read('He said: "a lovely day \\ night", cruelly.')
    shown = f"""(() => {{
      const values = {json.dumps(explorer._values())};
      const typed = {json.dumps(explorer.typed)};
      const {{ figures }} = explorer.draw(values, undefined, {{ typed }});
      return [slr.pythonOf(SPEC, explorer, values, figures), figures];
    }})()"""
    lines, figures = page.data(shown)
    known = {}
    exec(lines, known)
    assert list(known["words"]) == figures["words"]
    assert known["output"] == pytest.approx(figures["output"], rel=1e-5)
    assert f"the weighted sum is {figures['output']:+.1f}" in capsys.readouterr().out


def test_what_cannot_be_read_is_said_in_a_sentence(bert):
    explorer = read_a_sentence()
    for bad in ("", "  ", 3, ["one"]):
        with pytest.raises(ValueError, match=r"^sentence must be text with at least one word, got"):
            explorer.read(bad)
    with pytest.raises(ValueError, match=r"^sentence must have at most 24 tokens, got 32$"):
        explorer.read("word " * 30)
    explorer.sentence = "word " * 30  # as from the text box
    assert explorer.typed == {"complaint": "sentence must have at most 24 tokens, got 32"}
    explorer.sentence = ""
    assert explorer.typed == {}
