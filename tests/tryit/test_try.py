"""*Try it* without a browser: the module slr under CPython, the files of a site, the snippets."""

import math
import re
from types import SimpleNamespace

import metrics
import numpy as np
import pytest
from docutils import nodes
from js import Engine
from refused import refusal
from tried import WithJax, snippets

from slrbook.sphinx_ext import assets, document
from slrbook.tryit import site, wheel
from slrlib import Overlaps, Task, landscape
from slrlib.dynamics import constant, pgd
from slrlib.risk import excess_risk, oracle_excess_risk
from slrlib.special import zeta

PAIR = (0.3, 0.4, 0.1, -0.2, 0.05)


@pytest.fixture(scope="module")
def slr():
    return WithJax().slr


def test_it_offers_what_slrlib_has(slr):
    d, L, gamma, lam = 40, 6, 0.8, 0.2
    task, o = Task(d=d, L=L, gamma=gamma), Overlaps(*PAIR)
    where = (d, L, gamma)
    assert slr.excess_risk(PAIR, lam, *where) == pytest.approx(float(excess_risk(o, lam, task)))
    oracle = float(oracle_excess_risk(lam, task))
    assert slr.oracle_excess_risk(lam, *where) == pytest.approx(oracle)
    assert slr.excess_risk([1, 1, 0, 0, 0], lam, *where) == pytest.approx(oracle)
    swapped = float(landscape.swapped_excess_risk(lam, task))
    assert slr.swapped_excess_risk(lam, *where) == pytest.approx(swapped)
    assert slr.zeta(-1.3, 0.7) == pytest.approx(float(zeta(-1.3, 0.7)), rel=1e-13)
    assert slr.lambda_c(*where) == pytest.approx(float(landscape.lambda_c(task)))
    assert slr.lambda_sw(*where) == pytest.approx(landscape.lambda_sw(task), rel=1e-10)
    assert slr.lambda_sw(20, 2, 2.0) == math.inf == landscape.lambda_sw(Task(20, 2, 2.0))
    here = PAIR
    for _ in range(3):
        here = slr.step(here, lam, 0.01, *where)
    run = pgd(o, task, constant(lam), 0.01, 3, 3)
    np.testing.assert_allclose(here, [x[-1] for x in run.overlaps], rtol=1e-10)


def test_random_starts_are_those_of_unit_vectors_and_of_the_laboratory(slr):
    for seed in range(20):
        o = slr.random_start(seed, d=30)
        assert slr.excess_risk(o, 0.1) > 0  # which refuses overlaps that no unit vectors have
        assert slr.random_start(seed, 30, on_manifold=True)[2:] == (0.0, 0.0, 0.0)
    assert slr.random_start(4) == slr.random_start(4) != slr.random_start(5)
    assert len(slr.normals(1, 7)) == 7 and slr.normals(1, 7) == slr.normals(1, 8)[:7]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda s: s.zeta(1, -2), "gamma must be positive, got -2"),
        (lambda s: s.zeta("1", 2), "t must be a number, got '1'"),
        (lambda s: s.step((1, 0), 0.1, 0.1), "five numbers (kappa, nu, theta, eta, rho), got (1,"),
        (lambda s: s.excess_risk((1, 1, 0.5, 0, 0), 1), "no two unit vectors have the overlaps"),
        (lambda s: s.lambda_c(d=2.5), "d must be a whole number of at least 2, got 2.5"),
        (lambda s: s.plot([1, 2], [3]), "as many xs as ys, from 2 to 20000, got 2 xs and 1 ys"),
    ],
)
def test_a_wrong_argument_is_one_sentence(slr, call, told):
    said = refusal(lambda: call(slr))
    assert told in said and "\n" not in said


def test_what_a_site_gets(micropython, tmp_path):
    site.write(tmp_path)
    sizes = {file.name: file.stat().st_size for file in tmp_path.iterdir()}
    assert set(sizes) == {site.SCRIPT, site.STYLE, site.ENGINE}
    assert sizes[site.SCRIPT] < 15_000 and 700_000 < sizes[site.ENGINE] < 900_000
    small, large = ((tmp_path / name).read_text("utf-8") for name in (site.SCRIPT, site.ENGINE))
    assert re.findall(r"https?:", small) == [] and site.ENGINE in small
    assert "import.meta" not in large and "MIT licence" in large
    assert micropython == wheel.folder()


def test_it_is_offered_only_where_it_stands_and_is_installed(monkeypatch):
    code = ["x = 1 < 2", "", "print(x)"]
    machine = SimpleNamespace(reporter=None)
    directive = document.Try("try", ["one"], {}, code, 1, 0, "", None, machine)
    (node,) = directive.run()
    assert isinstance(node, nodes.raw)
    assert node.astext().count("x = 1 &lt; 2\n\nprint(x)\n") == 1
    offer = assets.OFFERS[-1]
    for installed, text, wanted in (
        (False, node.astext(), False),
        (True, "<p>No code.</p>", False),
        (True, node.astext(), True),
    ):
        own = offer._replace(available=lambda installed=installed: installed)
        monkeypatch.setattr(assets, "OFFERS", (own,))
        assert bool(assets.wanted(text)) == wanted
    assert offer.files == (site.SCRIPT, "slr.css", site.STYLE)


def test_the_snippets_of_the_book_fit():
    """A browser test runs them and compares with JAX."""
    found = snippets()
    assert len(found) >= 9 and len({name for name, _ in found}) == len(found)
    for name, code in found:
        assert max(map(len, code.splitlines())) <= metrics.COLUMN, name


def test_the_picture_names_what_it_draws():
    engine = Engine(site.DRAWN.read_text("utf-8"), (site.HERE / "plot.js").read_text("utf-8"))
    lot = '{name: "a<b", xlabel: "steps", ylabel: "", xs: [0, 5, 10], ys: [1e-3, 1, 10], log: true}'
    picture = engine.value(f"pictured([{lot}, {{...{lot}, name: ''}}])")
    label = "A plot for steps from 0 to 10: a&lt;b from 0.001 to 10; a curve from 0.001 to 10."
    assert label in picture and "a<b" not in picture and "NaN" not in picture
    assert ">0.1</text>" in picture and ">10</text>" in picture
    flat = engine.value('pictured([{name: "", xs: [1, 1], ys: [2, 2], log: false}])')
    assert "NaN" not in flat and "Infinity" not in flat
