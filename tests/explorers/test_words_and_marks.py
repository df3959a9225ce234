"""Text of the explorers: it agrees with their numbers and is readable."""

import numpy as np
import pytest
from js import Engine
from shown import picture

from slrbook import static
from slrbook.explorers.where.spec import Where
from slrbook.explorers.who_is_optimal.spec import WhoIsOptimal


def test_who_looks_at_the_informative_token():
    """Exactly the predictors named give the informative token a weight of more than 0.5."""
    engine, told = Engine(Where.program()), set()
    for L, lam, d in [(2, 0.1, 400), (2, 0.02, 400), (10, 2, 400), (10, 0.1, 10), (20, 0.5, 1e6)]:
        for seed in range(20):
            seen = picture(engine, L=L, lam=lam, d=d, seed=seed)
            figures, said = seen["figures"], seen["reading"]
            token = f"to token {figures['informative']}, the informative one"
            assert token in said
            who = said.split(token)[0].rpartition(";")[2]
            for name in ("softmax", "erf"):
                assert (name in who) == (figures[f"weight_{name}"] > 0.5), said
            told.add(who)
    assert len(told) > 3


def test_a_number_is_written_as_people_write_it():
    engine = Engine(static.script())
    asked = [5.5283e-8, -5.5283e-8, 1e-8, 9.999e-6, 1e-4, 0.25, -0.25, 0, 12345, 1.5e21]
    found = engine.data(f"{asked}.map((x) => slr.written(x))")
    small = ["5.53 × 10⁻⁸", "−5.53 × 10⁻⁸", "10⁻⁸", "10⁻⁵", "0.0001"]
    assert found == [*small, "0.25", "−0.25", "0", "12,300", "1.5 × 10²¹"]
    assert engine.value("slr.written(-1234567.5, 8)") == "−1,234,567.5"
    fixed = engine.data("[-0.004, 0.004, -0.25, -1e-17, 3].map(x => slr.fixed(x))")
    assert fixed == ["0.00", "0.00", "−0.25", "0.00", "3.00"]
    steps = engine.data("[0, 1, 2, 20000].map(slr.inSteps)")
    assert steps == ["0 steps", "1 step", "2 steps", "20,000 steps"]
    risks = "[999.7, 999.4, 1e-3, 9.997e-4, 2.34e-7].map(x => risk(log10(x)))"
    said = Engine(WhoIsOptimal.program()).data(risks)
    assert said == ["1,000", "999", "0.001", "0.001", "2.3 × 10⁻⁷"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_in_the_color_of_a_line_are_read_on_the_ground(theme):
    """The contrast is at least 4.5 to one, as for all small text; each color has a CSS rule."""
    colors = static.colors(theme)

    def light(color):
        r, g, b = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in (r, g, b)]
        return np.dot([0.2126, 0.7152, 0.0722], parts) + 0.05

    names = [name.removesuffix("words") for name in colors if name.endswith("words")]
    assert {"k", "v", "oracle", "saddle", "swapped", "tilted"} < set(names)
    ground = light({"light": "#ffffff", "dark": "#121212"}[theme])
    for name in names:
        words = light(colors[f"{name}words"])
        assert max(words, ground) / min(words, ground) >= 4.5, name
        assert f".slr-panel text.{name} {{ fill: var(--slr-{name}words); }}" in static.style()
