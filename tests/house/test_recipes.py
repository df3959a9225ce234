"""The recipes run unchanged, in order, and print the output shown on the page."""

import re
from pathlib import Path

import matplotlib
import pytest

PAGE = (Path(__file__).parents[2] / "book" / "recipes.md").read_text("utf-8")
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.S)
BEFORE, *RECIPES = re.split(r"^\(recipe-(\w+)\)=\n", PAGE, flags=re.M)
NAMES, TEXTS = RECIPES[::2], RECIPES[1::2]
WIDTH = 77  # characters; longer lines would be cut off at 1280 pixels
START = BLOCK.search(BEFORE)[1]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")


@pytest.fixture
def compare(capsys):
    """Run the code blocks of a text, each of which must print the block below it."""

    def compare(text):
        for code, promised in BLOCK.findall(text):
            exec(compile(START + code, "recipes.md", "exec"), {})
            assert promised and capsys.readouterr().out == promised

    return compare


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("cite", "sentences")])
def test_a_recipe_prints_what_it_says(name, compare):
    compare(TEXTS[NAMES.index(name)])


def test_own_sentences_are_read(bert, compare):
    compare(TEXTS[NAMES.index("sentences")])


def test_each_recipe_can_be_linked_to():
    assert len(NAMES) == len(set(NAMES))
    assert all(text.startswith("## ") for text in TEXTS)


def test_no_line_is_cut_off():
    blocks = re.findall(r"```(?:python|text|sh)\n(.*?)```", PAGE, re.S)
    assert max(len(line) for block in blocks for line in block.splitlines()) <= WIDTH
