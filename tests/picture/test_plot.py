"""Pictures: reproducible bytes, one image per theme, legible text, alternative text."""

import base64
import io
import re

import matplotlib
import numpy as np
import pytest
from fresh import python
from matplotlib.image import imread

from slrbook import picture as plot
from slrbook.picture import style


@plot.picture(600, 300)
def line(axes, colors, x, y, width=1.0):
    axes.plot(x, y, color=colors.k, linewidth=width)
    axes.set_xlabel(r"$\lambda$, inverse temperature")


@plot.picture(500, 400)
def cloud(axes, colors, points):
    axes.scatter(*points.T, color=colors.other)


@pytest.fixture(scope="module")
def few():
    x = np.linspace(0.0, 1.0, 5)
    return line(x, x**2, alt='A "parabola" <rising>', caption=r"Where \( x < 1 \) & more")


@pytest.fixture(scope="module")
def many():
    points = np.random.default_rng(0).normal(size=(4000, 2))
    return cloud(points, alt="A cloud")


def sources(picture):
    """The (kind, bytes) of the two images in the HTML, light first."""
    found = re.findall(r'src="data:image/([a-z+]+);base64,([^"]+)"', picture._repr_html_())
    return [(kind, base64.b64decode(data)) for kind, data in found]


def test_a_picture_without_words_is_refused():
    for alt in ("   ", None):
        with pytest.raises(ValueError, match=r"^alt must be a sentence .*, got "):
            line([0, 1], [0, 1], alt=alt)


def test_few_marks_make_an_svg_and_many_a_png_at_twice_the_pixels(few, many):
    assert [kind for kind, _ in sources(few)] == ["svg+xml"] * 2
    assert [kind for kind, _ in sources(many)] == ["png"] * 2
    for _, data in sources(many):
        assert imread(io.BytesIO(data)).shape == (800, 1000, 4)
        assert len(data) < 60_000  # a palette keeps it small


def test_the_ground_is_transparent_and_the_text_has_the_color_of_the_theme(many):
    for theme, (_, data) in zip(style.THEMES, sources(many), strict=True):
        pixels = imread(io.BytesIO(data))
        assert pixels[0, 0, 3] == 0.0
        axis = many.figure(theme).axes[0]
        assert axis.xaxis.label.get_color() == style.colors(theme).text
        assert axis.collections[0].get_facecolor()[0] == pytest.approx(
            matplotlib.colors.to_rgba(style.colors(theme).other)
        )


def test_an_svg_is_that_of_its_theme_though_it_is_drawn_once(few):
    for theme, (_, data) in zip(style.THEMES, sources(few), strict=True):
        file = io.BytesIO()
        few.save(file, theme, format="svg", metadata={"Date": None, "Creator": None})
        alone, both = (re.sub(rb"\b[cmp]\w{10}\b", b"id", x) for x in (file.getvalue(), data))
        assert alone == both and style.colors(theme).k.lower().encode() in both


def test_a_star_is_drawn_by_its_own_letter():
    @plot.picture(300, 200)
    def named(axes, colors):
        axes.plot([0, 1], label=r"$k^\star$")
        axes.set_xlabel(r"$v^\star\cdot v$")
        axes.legend()

    axes = named(alt="One line").figure().axes[0]
    (name,) = axes.get_legend().get_texts()
    assert (name.get_text(), axes.get_xlabel()) == (r"$k{\star}$", r"$v{\star}\cdot v$")


def test_text_keeps_thirteen_pixels_on_a_phone():
    for width in range(240, 1000, 20):
        size = style.settings("light", width)["font.size"]
        assert size * min(1.0, 356 / width) >= 13.0


def test_the_html_says_the_words_and_escapes_them(few, many):
    text = few._repr_html_()
    assert text.count('alt="A &quot;parabola&quot; &lt;rising&gt;"') == 2
    assert r"<figcaption>Where \( x &lt; 1 \) &amp; more<" in text
    assert "figcaption class" not in many._repr_html_()


PRINT = """
import hashlib
from slrbook.picture import picture

@picture()
def draw(axes, colors):
    axes.plot([0, 1], [1, 0], color=colors.v, clip_on=True)
    axes.fill_between([0, 1], [1, 0], hatch="/")

import sys
shown = draw(alt="a line")._repr_html_()
assert "matplotlib.pyplot" not in sys.modules
print(hashlib.sha256(repr(shown).encode()).hexdigest())
"""


def test_every_process_makes_the_same_bytes_and_none_needs_pyplot():
    assert len({python("-c", PRINT, PYTHONHASHSEED=seed) for seed in "01"}) == 1


def test_a_researcher_can_save_it_and_keeps_the_settings_of_matplotlib(few, tmp_path):
    before = dict(matplotlib.rcParams)
    for suffix in ("svg", "png", "pdf"):
        few.save(tmp_path / f"line.{suffix}", "dark")
        assert (tmp_path / f"line.{suffix}").stat().st_size > 1000
    assert dict(matplotlib.rcParams) == before


SHOWN = """() => [...document.querySelectorAll('.slr-figure img')]
  .filter(image => image.checkVisibility() && image.getBoundingClientRect().height > 0)
  .map(image => image.className)"""
GROUNDS = [  # attributes of <html>, of <body>, the image that must show
    ("", "", "slr-light"),
    ("data-theme=dark", "", "slr-dark"),
    ("", "data-jp-theme-light=true", "slr-light"),
    ("", "data-jp-theme-light=false", "slr-dark"),
]


WIDTH = "() => document.querySelector('.slr-light').getBoundingClientRect().width"


def test_exactly_one_image_shows_on_every_ground_and_fits_a_phone(browser, few):
    page, figure = browser.new_page(viewport={"width": 375, "height": 800}), few._repr_html_()
    for html, body, image in GROUNDS:
        page.set_content(f"<!doctype html><html {html}><body {body}>{figure}</body></html>")
        assert page.evaluate(SHOWN) == [image]
    page.set_content(re.sub(r"<style>.*?</style>", "", figure))  # some viewers strip styles
    assert page.evaluate(SHOWN) == ["slr-light"]
    page.set_content(f"<!doctype html><body>{figure}")
    assert 330 <= page.evaluate(WIDTH) <= 375
    page.set_viewport_size({"width": 1400, "height": 800})
    page.wait_for_function("innerWidth === 1400")
    assert page.evaluate(WIDTH) == style.SHOWN
    page.close()


def test_steps_within_a_pixel_of_a_logarithmic_axis_are_drawn_once():
    step = np.arange(0, 100_001, 10)
    shown, at = style.after_start(step)
    assert shown.sum() == len(at) < style.PIXELS + 2 and np.array_equal(step[shown], at)
    assert (at[0], at[-1]) == (10, 100_000) and not shown[0]
    apart = 2 * np.log(1e4) / style.PIXELS
    assert np.diff(np.log(at[at > 1e4])).max() < apart
    few, kept = style.after_start([0, 1, 10, 100])
    assert few.tolist() == [False, True, True, True] and kept.tolist() == [1, 10, 100]
    assert style.after_start([5.0])[1].tolist() == [5.0]
