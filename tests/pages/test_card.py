"""The card of a figure: its numbers are those of the stored result."""

import json

import numpy as np
import pytest
import smallbook
from booksource import ROOT

from slrbook import card
from slrlib.experiments.registry import STORED


def header(name):
    (file,) = [f for f in (ROOT / "results").glob(f"{name}-*.npz") if len(f.stem) == len(name) + 9]
    return file, json.loads(str(np.load(file)["header"]))


@pytest.mark.parametrize("name", STORED)
def test_a_card_says_what_the_header_says(name):
    file, stored = header(name)
    made = card.made(name)
    assert made["Data"] == f"results/{file.name}"
    assert stored["versions"]["code"] in made["Made with"]
    assert stored["machine"]["instructions"] in made["Processor"]
    assert made["Seed"] == str(stored["experiment"].get("seed", ""))
    assert made["Commit"] == str(stored.get("commit", ""))
    assert bool(made["Computed in"]) == ("seconds" in stored)


def test_a_figure_that_is_computed_live_has_a_command_and_a_seed():
    assert card.made("fig4a") == {"Seed": "0"}


def test_an_unknown_figure_is_refused():
    with pytest.raises(ValueError, match="name must be one of"):
        card.made("fig44")


def test_times_and_processors_in_words():
    assert [card.duration(s) for s in (None, 3.2, 600)] == ["", "3 seconds", "10 minutes"]
    machine = {"architecture": "x86_64", "instructions": "AVX2", "threads": 2}
    assert card.processor(machine) == "x86_64 with AVX2, 2 threads"
    assert card.processor({}) == ""


def test_what_is_said_is_text():
    assert smallbook.CARD.startswith('<details class="slr-made">')
    assert "<dd>&lt;18&gt; of 20</dd>" in smallbook.CARD
