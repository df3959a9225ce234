"""The card of a figure: its numbers are those of the stored result."""

import json

import numpy as np
import pytest
import smallbook
from booksource import ROOT

from slrbook import card
from slrlib import store
from slrlib.experiments import PAPER, base, run
from slrlib.experiments.catalogue import STORED


def header(name):
    (file,) = [f for f in (ROOT / "results").glob(f"{name}-*.npz") if len(f.stem) == len(name) + 9]
    return file, json.loads(str(np.load(file)["header"]))


@pytest.mark.parametrize("name", STORED)
def test_a_card_says_what_the_header_says(name):
    file, stored = header(name)
    made = card.made(name)
    assert made["Data"].startswith(f"results/{file.name}, ")
    assert made["Revision"] == f"{stored.get('revision', 1)} of this kind of experiment"
    assert f"jax {stored['versions']['jax']}, " in made["Made with"]
    assert stored["machine"]["instructions"] in made["Processor"]
    assert made["Seed"] == str(stored["experiment"].get("seed", ""))
    assert made["Processor time"] == card.duration(stored.get("seconds"))
    assert ("Processor time" in card.html(name, "", "", "")) == ("seconds" in stored)


def test_a_figure_that_is_computed_live_says_so_and_by_what():
    made = card.made("fig4a")
    assert made["Seed"] == "0" and made["Computed"] == "while this page was made"
    assert made["Revision"] == f"{PAPER['fig4a'].revision} of this kind of experiment"
    assert made["Processor"] == card.processor(store.machine())


def test_what_was_computed_here_says_how_long_it_took(monkeypatch):
    monkeypatch.delitem(base.cpu_seconds, "table2", raising=False)
    assert card.made("table2")["Processor time"] == ""
    run(PAPER["table2"])
    assert card.made("table2")["Processor time"] == card.duration(base.cpu_seconds["table2"]) != ""


def test_an_unknown_figure_is_refused():
    with pytest.raises(ValueError, match="name must be an experiment"):
        card.made("fig44")


def test_times_and_processors_in_words():
    assert [card.duration(s) for s in (None, 3.2, 600)] == ["", "3 seconds", "10 minutes"]
    assert [card.duration(s) for s in (0.1, 1.2)] == ["less than a second", "about a second"]
    machine = {"architecture": "x86_64", "instructions": "AVX2", "threads": 2}
    assert card.processor(machine) == "x86_64 with AVX2, 2 threads"
    assert card.processor({}) == ""


def test_what_is_said_is_text():
    assert smallbook.CARD.startswith('<details class="slr-made">')
    assert "<dd>&lt;18&gt; of 20</dd>" in smallbook.CARD
