"""The card of a figure shows the numbers of the stored result."""

import json

import numpy as np
from booksource import ROOT

from slrbook import card
from slrlib import store
from slrlib.experiments import PAPER
from slrlib.experiments.catalogue import STORED


def test_a_card_says_what_the_header_says():
    for name in STORED:
        (file,) = (ROOT / "results").glob(f"{name}-????????.npz")
        stored, made = json.loads(str(np.load(file)["header"])), card.made(name)
        assert made["Data"].startswith(f"results/{file.name}, ")
        assert made["Revision"] == f"{stored.get('revision', 1)} of this kind of experiment"
        assert f"jax {stored['versions']['jax']}, " in made["Made with"]
        assert stored["machine"]["instructions"] in made["Processor"]
        assert made["Seed"] == str(stored["experiment"].get("seed", ""))
        assert made["Processor time"] == card.duration(stored.get("seconds"))
        assert ("Processor time" in card.card(name).data) == ("seconds" in stored)


def test_a_figure_that_is_computed_live_says_so_and_by_what():
    made = card.made("fig4a")
    assert made["Seed"] == "0" and made["Computed"] == "while this page was made"
    assert made["Revision"] == f"{PAPER['fig4a'].revision} of this kind of experiment"
    assert made["Processor"] == card.processor(store.machine())
