"""The explorers without a browser: their mathematics, samples, text and traits."""

import importlib
import inspect
import re
import sys
from xml.etree import ElementTree

import jax
import numpy as np
import pytest
import traitlets
from chance import LIMIT, z_score
from js import Engine
from scipy import stats
from shown import picture

from slrbook import explorers, static
from slrbook.explorers import (
    EXPLORERS,
    puzzle,
    read_a_sentence,
    stills,
    the_landscape,
    where_does_it_look,
)
from slrbook.explorers.find_token.spec import FindToken
from slrbook.explorers.puzzle.spec import Puzzle
from slrbook.explorers.where.spec import Where
from slrlib import Task, predictors
from slrlib.dynamics import manifold_step
from slrlib.risk import manifold_excess_risk

POINTS = 2_000
TASK = Task(400, 10)  # the task of the paper
RANGES = {  # ranges of the arguments of printed functions, where they differ from the control's
    **{"kappa": (-1, 1), "nu": (-1, 1), "lam": (0.01, 2), "alpha": (4e-4, 4e-2)},
    **{"phi": (0, np.pi), "psi": (0, np.pi)},
    **{"along_k": (-5, 5), "along_v": (-5, 5), "rest": (0, 2e3), "informative": (0, 1)},
    **{"gamma": (0.5, 1.5), "d": (10, 1e6), "score": (-800, 800), "highest": (0, 800)},
    **{"u": (-60, 12), "L": (2, 20), "tau": (-2, 20)},
    **{"eta": (-1, 1), "theta": (-1, 1), "a": (0.1, 1), "b": (-1, 1), "c": (0, 1)},
    **{f"q{i}": (-1, 1) for i in range(22)},
    **{"along": (-20, 20), "across": (-5, 5), "overlap": (-1, 1)},
    **{"scale": (0.3, 1.2), "rho": (-1, 1), "first": (-1, 1), "second": (-1, 1)}
    | {f"{at}{i}": (-3, 3) for at in "kv" for i in range(6)},
}
each = pytest.mark.parametrize("explorer", EXPLORERS, ids=lambda explorer: explorer.stem())


@pytest.fixture(scope="module")
def engines():
    return {explorer: Engine(explorer.program()) for explorer in EXPLORERS}


@each
def test_a_printed_function_is_the_tested_one(engines, explorer):
    random = np.random.default_rng(1)
    for name, function in explorer.functions.items():
        names, columns = list(inspect.signature(function).parameters), []
        for argument in names:
            control = explorer.controls().get(argument)
            low, high = RANGES.get(argument, (control.low, control.high) if control else (0.1, 1))
            column = random.uniform(low, high, POINTS)
            if low >= 0.01 * high and low > 0:
                column = np.exp(random.uniform(np.log(low), np.log(high), POINTS))
            if argument == "informative":
                column = np.round(column)
            if argument == "highest":  # at least the score
                column = np.maximum(column, columns[names.index("score")])
            columns.append(column)
        there = engines[explorer](name, *columns)
        here = np.stack(np.atleast_2d(jax.jit(jax.vmap(function))(*columns)), axis=-1)
        error = np.abs(there.reshape(here.shape) - here) / np.maximum(1.0, np.abs(here))
        assert error.max() < 1e-12, name


def expected_run(kappa0, nu0, lam, alpha, steps):
    """The puzzle in Python: the path, and the first steps beyond 0.95."""

    def advance(state, _):
        return tuple(manifold_step(*state, lam, TASK, alpha)), state

    state = (jax.numpy.asarray(kappa0), jax.numpy.asarray(nu0))
    end, path = jax.lax.scan(advance, state, length=steps)
    kappa, nu = (np.append(np.asarray(rows), last) for rows, last in zip(path, end, strict=True))

    def first(condition):
        return int(np.argmax(condition)) if condition.any() else -1

    def for_good(past):
        return int(len(past) - np.argmin(past[::-1])) * bool(not past.all()) if past[-1] else -1

    both = (np.abs(kappa) >= 0.95) & (np.abs(nu) >= 0.95) & (kappa * nu > 0)
    return {
        "kappa": kappa[-1],
        "nu": nu[-1],
        "kappa_past": for_good(np.abs(kappa) >= 0.95),
        "nu_past": for_good(np.abs(nu) >= 0.95),
        "locks_on_after": first(both),
        "excess_risk": float(manifold_excess_risk(kappa[-1], nu[-1], lam, TASK)),
    }


@pytest.mark.parametrize(
    "kappa0, nu0, lam, steps, words",
    [
        (-0.05, 0.05, 0.1, 20_000, "Yes: descent recovers the teacher at (1, 1) after"),
        (-0.5, 0.1, 0.05, 20_000, "Yes: descent recovers the teacher at (−1, −1) after"),
        (-0.3, -0.4, 0.6, 20_000, "Not yet: after 20,000 steps descent is on the plateau"),
        (0.0, 0.0, 0.1, 20_000, "No: after 20,000 steps descent is at the saddle"),
        (1.0, -1.0, 0.1, 20_000, "No: after 20,000 steps descent is at a maximum"),
        (0.05, 0.05, 0.1, 1_000, "Not yet: after 1,000 steps κ = "),
        (0.99, 0.97, 0.1, 20_000, "Yes: the start is already at the teacher, (1, 1)."),
    ],
)
def test_the_reading_of_the_puzzle(engines, kappa0, nu0, lam, steps, words):
    seen = picture(engines[Puzzle], kappa0=kappa0, nu0=nu0, lam=lam, steps=steps)
    expected = expected_run(kappa0, nu0, lam, 4e-3, steps)
    figures = seen["figures"]
    regime = figures.pop("regime")
    assert figures == pytest.approx(expected, abs=1e-9)
    assert seen["reading"].startswith(words)
    if regime == "on the plateau":  # the next step changes kappa with the sign of nu
        ahead = expected_run(expected["kappa"], expected["nu"], lam, 4e-3, 1)
        rises = ahead["kappa"] > expected["kappa"]
        assert rises == (nu0 > 0)
        assert seen["reading"].endswith("still rising." if rises else "still falling.")
    if expected["locks_on_after"] > 0:
        assert f"{expected['locks_on_after']:,} steps" in seen["reading"]
        assert "ν converges before κ" in seen["reading"]


@pytest.mark.parametrize(
    "lam, d, L, gamma", [(0.1, 400, 10, 0.7), (2, 1e6, 20, 1.5), (0.01, 10, 2, 0.5)]
)
def test_the_reading_of_where_does_it_look(engines, lam, d, L, gamma):
    for seed in range(4):
        figures = picture(engines[Where], lam=lam, d=d, L=L, gamma=gamma, seed=seed)["figures"]
        scores, values = (np.array(figures[name]) for name in ("scores", "values"))
        place = figures["informative"] - 1
        weights = {
            "softmax": predictors.softmax_weights(scores, lam),
            "erf": predictors.erf_weights(scores, lam),
        }
        for name, weight in weights.items():
            size = np.sum(np.abs(weight * values)) + 1
            assert figures[name] == pytest.approx(float(weight @ values), abs=1e-12 * size)
        assert figures["total_erf"] == pytest.approx(float(weights["erf"].sum()), abs=1e-12)
        exact = float(weights["softmax"][place])
        assert figures["weight_softmax"] == pytest.approx(exact, abs=1e-12)
        assert abs(figures["label"] - values[place]) < 0.6  # six standard deviations of the noise


def test_the_sequences_have_the_law_of_the_task(engines):
    d, L, gamma, games = 400, 10, 0.5**0.5, 3000
    text = f"""[...Array({games}).keys()].flatMap((seed) => {{
      const {{ place, tokens }} = sequence(seed, 1, {gamma});
      const other = tokens[(place + 1) % {L}], mine = tokens[place];
      return [place, mine.s, mine.t, mine.length ** 2, other.s, other.t, other.length ** 2]; }})"""
    table = engines[FindToken].numbers(text).reshape(games, 7)
    place, columns = table[:, 0].astype(int), table[:, 1:].T
    laws = [
        *(stats.norm((d / 2) ** 0.5, gamma), stats.norm(0, gamma)),
        stats.ncx2(d, d / (2 * gamma**2), scale=gamma**2),
        *(stats.norm(0, 1), stats.norm(0, 1), stats.chi2(d)),
    ]
    for column, law in zip(columns, laws, strict=True):
        assert abs(z_score(column, law.mean())) < LIMIT
        assert abs(z_score((column - law.mean()) ** 2, law.var())) < LIMIT
        assert stats.kstest(column, law.cdf).pvalue > 1e-4
    assert stats.chisquare(np.bincount(place, minlength=L)).pvalue > 1e-4


def numbers_apart(text):
    found = [float(number) for number in re.findall(r"-?\d+\.?\d*", text)]
    return re.sub(r"-?\d+\.?\d*", "0", text), np.array(found)


@each
def test_the_stored_still_is_fresh(explorer):
    """If this fails, run ``python -m slrbook.explorers.stills``."""
    fresh, stored = stills.make(explorer), explorer.still()
    assert fresh["reading"] == stored["reading"]
    assert fresh["figures"].keys() == stored["figures"].keys()
    without_pixels = [re.sub(r"base64,[^\"]*", "", still["html"]) for still in (fresh, stored)]
    (words, numbers), (stored_words, stored_numbers) = map(numbers_apart, without_pixels)
    assert words == stored_words, f"run python -m slrbook.explorers.stills {explorer.stem()}"
    np.testing.assert_allclose(numbers, stored_numbers, atol=0.2)


def test_a_page_without_scripts_shows_the_controls_that_it_starts_with():
    explorer = explorers.the_landscape(kappa0=0.6, nu0=-0.3)
    page = explorer.static_html()
    assert explorer.compute().reading in page
    assert explorer.still()["reading"] not in page


FOREIGN = r"https?:|//[a-z]+\.[a-z]|\bimport\b|\beval\b|new Function"


@each
def test_the_page_asks_nobody(explorer):
    page, (data, _) = explorer().static_html(), explorer()._repr_mimebundle_()
    assert page == data["text/html"]  # the page without a kernel
    assert "application/vnd.jupyter.widget-view+json" in data
    assert not re.search(FOREIGN, page)
    inputs = re.findall(r"<input[^>]*>", explorer.still()["html"])
    assert inputs and all('data-lm-suppress-shortcuts="true"' in field for field in inputs)
    labels = re.findall(r'role="img" aria-label="([^"]*)"', explorer.still()["html"])
    panels = explorer.still()["html"].count('class="slr-panel"')
    assert len(labels) == panels > 0 and all(len(label) > 60 for label in labels)


@each
def test_a_control_stays_in_its_range(explorer):
    widget = explorer()
    for name, control in explorer.controls().items():
        assert getattr(widget, name) == control.paper
        for bad in (control.low - 1, control.high + 1, float("nan"), True, "one"):
            refused = rf"^{name} must be (an?|one of) .*, got "
            with pytest.raises(traitlets.TraitError, match=refused):
                setattr(widget, name, bad)
        setattr(widget, name, control.high)
        assert getattr(widget, name) == control.high
    changed = [c for c in explorer.controls().values() if c.high != c.paper]
    assert changed and repr(widget).count("=") == len(changed)


@each
def test_the_maker_says_which_controls_there_are(explorer):
    makers = [getattr(explorers, name) for name in explorers.__all__ if name != "EXPLORERS"]
    (make,) = [make for make in makers if inspect.signature(make).return_annotation is explorer]
    defaults = {name: each.default for name, each in inspect.signature(make).parameters.items()}
    for name, control in explorer.controls().items():
        assert defaults[name] == control.paper
        assert f"\n{control.told()}\n" in inspect.getdoc(make) + "\n"


def test_what_is_no_control_or_no_value_is_named():
    widget = puzzle()
    for bad, words in (
        (lambda: puzzle(lamda=0.2), r"^the controls are lam, .*, got 'lamda'$"),
        (lambda: setattr(widget, "lamda", 0.2), r"^the controls are lam, .*, got 'lamda'$"),
        (lambda: widget.save("a.jpg"), r"^path must end in \.svg, got 'a\.jpg'$"),
        (lambda: widget.save_html("l.txt"), r"^path must end in \.html, got 'l\.txt'$"),
    ):
        with pytest.raises(ValueError, match=words):
            bad()
    with pytest.raises(traitlets.TraitError, match=r"^L must be a whole number"):
        where_does_it_look(L=2.5)
    with pytest.raises(traitlets.TraitError, match=r"^animal must be one of 'sheep', 'monkey', or"):
        read_a_sentence(animal="cow")


def test_one_script_serves_all_explorers():
    """It adds one name to the page and is not included again in the page's own scripts."""
    before = Engine().value("Object.getOwnPropertyNames(globalThis).join()").split(",")
    after = Engine(static.script()).value("Object.getOwnPropertyNames(globalThis).join()")
    assert set(after.split(",")) - set(before) - {"$show", "$table"} == {"slr"}
    assert not re.search(FOREIGN, static.inline().replace("<script>", ""))
    assert "</script" not in static.script() and "</style" not in static.style()
    assert not any("function plane(" in explorer.own() for explorer in EXPLORERS)


@pytest.mark.parametrize("make", [puzzle, the_landscape])
def test_an_explorer_is_the_same_where_jax_computes_in_32_bits(make):
    explorer = type(make())
    with jax.enable_x64(False):
        narrow = explorer.own.__func__.__wrapped__(explorer)
    assert narrow == explorer.own()


@pytest.mark.parametrize("make", [puzzle, read_a_sentence])
def test_what_is_seen_is_saved_as_one_svg(make, tmp_path):
    explorer = make()
    text = explorer.save(tmp_path / "new" / "seen.svg").read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert len(root.findall("{*}svg")) == explorer.still()["html"].count("<svg")
    assert root.find("{*}title").text == explorer.question
    assert root.find("{*}desc").text == explorer.still()["reading"]
    assert "var(--" not in text and "drag" not in text and "click" not in text
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_a_picture_is_of_the_controls_as_they_are(tmp_path):
    first = puzzle().save(tmp_path / "first.svg").read_text("utf-8")
    moved = puzzle(kappa0=-0.5, nu0=0.7)
    assert moved.save(tmp_path / "moved.svg").read_text("utf-8") != first
    moved.kappa0, moved.nu0 = (puzzle().kappa0, puzzle().nu0)
    assert moved.save(tmp_path / "back.svg").read_text("utf-8") == first


def test_without_an_extra_one_sentence_says_what_to_type(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)
    with pytest.raises(ModuleNotFoundError, match=r"type 'pip install mini-racer'$"):
        puzzle().save(tmp_path / "a.svg")
    assert not list(tmp_path.iterdir())
    monkeypatch.delitem(sys.modules, "slrbook.explorers")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    sentence = r"^the explorers need anywidget: type \"pip install '\.\[book\]'\" in the clone$"
    with pytest.raises(ModuleNotFoundError, match=sentence):
        importlib.import_module("slrbook.explorers")
