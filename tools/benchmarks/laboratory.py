"""Figures 4(a) and 5 in the laboratory, in Chromium, against the compiled code of slrlib.

Prints; asserts nothing. Needs a Chromium that Playwright can start. Goals: 5 and 10 times.
"""

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import jax

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))
import browsing
from explored import page_of

from slrbook.explorers import the_laboratory
from slrbook.explorers.laboratory.spec import link
from slrlib.experiments import PAPER, run

RESTS = "document.querySelector('.slr-explorer').ariaBusy === 'false'"


def in_python(name: str) -> float:
    """Seconds of the second run; the first one, of few rows, compiles the same program."""
    experiment = PAPER[name]
    run(replace(experiment, steps=4 * experiment.log_every))
    start = time.perf_counter()
    run(experiment)
    return time.perf_counter() - start


def in_the_page(page, name: str) -> float:
    page.goto("about:blank")
    page.goto(ADDRESS + "lab.html")
    page.wait_for_function(RESTS)
    start = time.perf_counter()
    page.evaluate("hash => { location.hash = hash }", link(name))
    page.wait_for_function(f"location.hash.length > 1 && {RESTS}", timeout=0)
    return time.perf_counter() - start


jax.config.update("jax_enable_x64", True)
CHROMIUM = browsing.find_chromium().executable
with tempfile.TemporaryDirectory() as folder, browsing.launched(CHROMIUM) as browser:
    Path(folder, "lab.html").write_text(page_of(the_laboratory()), "utf-8")
    with browsing.served(Path(folder)) as ADDRESS:
        page = browser.new_page()
        for name in ("fig4a", "fig5"):
            here, there = in_python(name), in_the_page(page, name)
            seconds = f"{here:.1f} s in Python, {there:.1f} s in the page"
            print(f"{name}: {seconds}, {there / here:.1f} times")
