"""Words of the explorers: they keep off marks and lines, and say what their numbers say."""

import itertools
import json
import re

import numpy as np
import pytest
from js import Engine
from test_explore import picture

from slrbook import static
from slrbook.explorers.bias.spec import Bias
from slrbook.explorers.descent.spec import Descent
from slrbook.explorers.laboratory.spec import Laboratory
from slrbook.explorers.landscape.spec import Landscape
from slrbook.explorers.puzzle.spec import Puzzle
from slrbook.explorers.read_a_sentence.spec import ReadASentence
from slrbook.explorers.where.spec import Where
from slrbook.explorers.who_is_optimal.spec import WhoIsOptimal

LETTER = 6.0  # units of a picture: no letter in it is much wider
TEXT = r'<text x="([-\d.]+)" y="([-\d.]+)" text-anchor="(\w+)"(?! class="name)[^>]*>([^<]+)<'
DOT = r'<circle cx="([-\d.]+)" cy="([-\d.]+)" r="([\d.]+)" class="(?:mark|ring)'


def boxes(panel):
    """The words of a panel with the middle of their boxes: (words, left, top, right, bottom)."""
    for x, y, anchor, words in re.findall(TEXT, panel):
        wide = LETTER * len(words)
        left = float(x) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        yield words, left, float(y) - 8, left + wide, float(y)


def on_words(panel, points):
    """What has one of these points under it."""
    return [
        words
        for words, left, top, right, bottom in boxes(panel)
        if any(left < x < right and top < y < bottom for x, y in points)
    ]


def dots(panel):
    return [(float(x), float(y)) for x, y, _ in re.findall(DOT, panel)]


def test_who_looks_at_the_informative_token():
    """Whoever is named gives it more than half of the weight of one, and nobody else does."""
    engine, told = Engine(Where.program()), set()
    for L, lam, d in [(2, 0.1, 400), (2, 0.02, 400), (10, 2, 400), (10, 0.1, 10), (20, 0.5, 1e6)]:
        for seed in range(20):
            more = {"show_argmax": 1, "show_linear": 1} if seed % 2 else {}
            seen = picture(engine, L=L, lam=lam, d=d, seed=seed, **more)
            figures, said = seen["figures"], seen["reading"].split(". The label is")[0].lower()
            token = f"to token {figures['informative']}, the informative one"
            assert token in said
            who = said.split(token)[0].rpartition(";")[2]
            right = figures["informative"] - 1 == int(np.argmax(figures["scores"]))
            expected = {"argmax": right and bool(more), "softmax": figures["weight_softmax"] > 0.5}
            expected["erf"] = figures["weight_erf"] > 0.5
            assert {name: name in who for name in expected} == expected, seen["reading"]
            told.add(who)
    assert len(told) > 3


@pytest.mark.parametrize("tau", [0.0, 7.0, 20.0])
@pytest.mark.parametrize("lam", [0.0638, 0.1, 2.0])
def test_a_bias_says_a_number_once(tau, lam):
    reading = picture(Engine(Bias.program()), tau=tau, lam=lam)["reading"]
    compared = reading.split("excess risk")[1].replace("predicting 0", "")
    numbers = re.findall(r"\d+\.?\d*", compared)
    assert numbers and len(set(numbers)) == len(numbers), reading


@pytest.mark.parametrize("lam", [0.02, 0.1, 1.0])
def test_the_legend_of_the_descent_lies_where_no_line_passes(lam):
    controls = {"lam0": lam, "decay": 0, "steps": 5_000}
    panel = picture(Engine(Descent.program()), **controls)["panels"][1]
    points = []
    for line in re.findall(r'<path d="M([^"]+)" class="line (?!frame|axis)', panel):
        pairs = np.array([pair.split(",") for pair in line.split("L")], float)
        points += [p for a, b in itertools.pairwise(pairs) for p in np.linspace(a, b, 50)]
    legend = [words for words, *_ in boxes(panel) if re.search(r"^\d+ .*: \d", words)]
    assert legend and not set(legend) & set(on_words(panel, points))


@pytest.mark.parametrize("seed", range(5))
def test_the_words_of_a_typed_sentence_lie_on_no_dot(seed):
    random = np.random.default_rng(seed)
    words = ["[CLS]", *"the old lion is kind but its den was cruel and cold .".split(), "[SEP]"]
    scores, values = random.normal(-1, 3, len(words)), random.normal(0, 3, len(words))
    typed = {"words": words, "scores": scores.tolist(), "values": values.tolist(), "sentence": "x"}
    text = f"""JSON.stringify(explorer.draw(
      {{...Object.fromEntries(SPEC.controls.map(c => [c.name, c.paper])), lam: 0.05}},
      undefined, {{ typed: {json.dumps(typed)}, sentence: "x" }}).panels[1])"""
    panel = json.loads(Engine(ReadASentence.program()).value(text))
    assert len(dots(panel)) == len(words)
    assert on_words(panel, dots(panel)) == []


def test_what_is_rounding_off_m_is_not_given_in_digits():
    text = "JSON.stringify([0, 4e-321, 2.56e-8].map(apartFrom))"
    said = json.loads(Engine(Laboratory.program()).value(text))
    assert said == ["0", "less than 10⁻¹⁴", "2.56 × 10⁻⁸"]


@pytest.mark.parametrize(
    "lam, d, words",
    [
        (0.1, 400, "of the three attentions erf is lowest"),
        (0.003, 10, "of the three attentions erf and linear attention are lowest"),
    ],
)
def test_what_is_shown_alike_is_level(lam, d, words):
    seen = picture(Engine(WhoIsOptimal.program()), lam=lam, d=d, show_softmax=1)
    assert words in seen["reading"].lower()


def test_a_number_is_written_as_people_write_it():
    engine = Engine(static.script())
    text = "JSON.stringify([-0.004, 0.004, -0.25, -1e-17, 3].map(x => slr.fixed(x)))"
    assert json.loads(engine.value(text)) == ["0.00", "0.00", "−0.25", "0.00", "3.00"]
    text = "JSON.stringify([0, 1, 2, 20000].map(slr.inSteps))"
    assert json.loads(engine.value(text)) == ["0 steps", "1 step", "2 steps", "20,000 steps"]
    text = "JSON.stringify([999.7, 999.4, 1e-3, 9.997e-4, 2.34e-7].map(x => risk(log10(x))))"
    said = json.loads(Engine(WhoIsOptimal.program()).value(text))
    assert said == ["1,000", "999", "0.00100", "1.0 × 10⁻³", "2.3 × 10⁻⁷"]


@pytest.mark.parametrize("explorer", [Where, Bias, Landscape, Puzzle])
def test_no_number_is_minus_nothing_and_one_step_is_one(explorer):
    """From starts beside the end of a run, and where a prediction is all but zero."""
    engine = Engine(explorer.program())
    near = [
        {"kappa0": 0.9495, "nu0": 1.0, "alpha": 0.04, "steps": 1000, "lam": 0.02},
        {"kappa0": -0.004, "nu0": -0.004, "alpha": 4e-4, "steps": 1000, "lam": 0.02},
    ]
    given = [{"seed": seed, "lam": 0.01} for seed in range(60)] if explorer is Where else near
    for controls in given:
        seen = picture(engine, **controls)
        said = " ".join([seen["reading"], *seen["labels"], *seen["panels"]])
        assert not re.search(r"[−-]0\.0+(?!\d)|\b1 steps", re.sub(r"<[^>]*>", " ", said)), controls


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_in_the_colour_of_a_line_are_read_on_the_ground(theme):
    """At 4.5 to one, as all small letters; each colour has its rule."""
    colours = static.colours(theme)

    def light(colour):
        r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in (r, g, b)]
        return np.dot([0.2126, 0.7152, 0.0722], parts) + 0.05

    names = [name.removesuffix("words") for name in colours if name.endswith("words")]
    assert {"k", "v", "oracle", "saddle", "swapped", "tilted"} < set(names)
    ground = light({"light": "#ffffff", "dark": "#121212"}[theme])
    for name in names:
        words = light(colours[f"{name}words"])
        assert max(words, ground) / min(words, ground) >= 4.5, name
        assert f".slr-panel text.{name} {{ fill: var(--slr-{name}words); }}" in static.style()


def test_runs_to_compare_with_are_described_briefly():
    """A phone has room for both: no intervals, and nothing that was just said of the other."""
    row = """{t: 6000, oracle: 0.39, all: Array.from({length: 100}, () => [0, 0, 0, 0, 0, 0.5]),
      bands: Array(4).fill([0.1, 0.2, 0.3])}"""
    ends = '[["recovered the teacher", 24, 0.17, 0.33], ["undecided", 76, 0.67, 0.83]]'
    text = f"""JSON.stringify((() => {{
      const row = {row}, ends = {ends}, values = {{batch: 0, start: 1}};
      const other = whoOf({{batch: 1, start: 1}}, row);
      return [say(values, row, ends), say(values, row, ends, whoOf(values, row)),
        say(values, row, ends, other)];
    }})())"""
    alone, same, other = json.loads(Engine(Laboratory.program()).value(text))
    who = "PGD, 100 runs on the spheres, after 6,000 steps: "
    assert alone.startswith(
        f"{who}24 recovered the teacher (17 to 33%), 76 undecided (67 to 83%). Median"
    )
    assert same == "24 recovered the teacher, 76 undecided. Median excess risk 0.2."
    assert other == who + same
