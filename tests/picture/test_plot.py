"""Pictures: the same bytes every time, one image on every ground, legible, with words for all."""

import ast
import base64
import inspect
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.image import imread

from slrbook import picture as plot
from slrbook.picture import style
from slrbook.picture.picture import LARGEST_SVG

FOLDER = Path(plot.__file__).parent


@plot.picture(600, 300)
def line(axes, colours, x, y, width=1.0):
    axes.plot(x, y, color=colours.k, linewidth=width)
    axes.set_xlabel(r"$\lambda$, inverse temperature")


@plot.picture(500, 400)
def cloud(axes, colours, points):
    axes.scatter(*points.T, color=colours.other)


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


def one_of_each():
    """Every drawing function that the package exports, called on small arrays."""
    rng = np.random.default_rng(1)
    points, rates = rng.normal(size=(40, 2)), np.linspace(0.1, 1.0, 7)
    steps = np.geomspace(10.0, 1e5, 60)
    slow, fast = (1 / (1 + scale * np.array([2, 1, 0.5]) / steps[:, None]) for scale in (3e3, 1e3))
    return {
        "alignments": lambda **say: plot.alignments(steps, slow, fast, **say),
        "norm_rate": lambda **say: plot.norm_rate(rates, rates, 0.1, 0.7, **say),
        "norms": lambda **say: plot.norms(points[:, 0] + 9, points[:, 1] + 9, **say),
        "token_plane": lambda **say: plot.token_plane(points, points + 9.0, 9.0, **say),
    }


def test_no_function_of_the_two_modules_is_left_out():
    modules = {"slrbook.picture.task"}
    exported = {name for name in plot.__all__ if getattr(plot, name).__module__ in modules}
    assert exported == set(one_of_each())


@pytest.mark.parametrize("name", one_of_each())
def test_each_function_draws_in_both_themes(name):
    picture = one_of_each()[name](alt="What it shows")
    light, dark = sources(picture)
    assert light[0] == dark[0] and light[1] != dark[1]
    with matplotlib.rc_context(style.settings("light", picture.width)):
        figure = picture.figure()
        figure.canvas.draw()
        for axes in figure.axes:
            assert axes.get_title() == ""
            assert axes.get_xlabel()
            frame = figure.bbox
            for text in axes.texts:
                box = text.get_window_extent()
                assert frame.x0 <= box.x0 and box.x1 <= frame.x1, text.get_text()


@pytest.mark.parametrize("alt", ["", "   ", None, 3])
def test_a_picture_without_words_is_refused(alt):
    with pytest.raises(ValueError, match=r"^alt must be a sentence .*, got "):
        line([0, 1], [0, 1], alt=alt)


def test_an_unknown_theme_is_refused(few):
    with pytest.raises(ValueError, match=r'^theme must be "light" or "dark", got \'sepia\'$'):
        few.figure("sepia")


def test_the_signature_is_that_of_the_drawing_without_its_canvas():
    assert list(inspect.signature(line).parameters) == ["x", "y", "width", "alt", "caption"]


def test_few_marks_make_an_svg_and_many_a_png_at_twice_the_pixels(few, many):
    assert [kind for kind, _ in sources(few)] == ["svg+xml"] * 2
    assert [kind for kind, _ in sources(many)] == ["png"] * 2
    for _, data in sources(many):
        assert imread(io.BytesIO(data)).shape == (800, 1000, 4)
        assert len(data) < LARGEST_SVG * 2


def test_the_ground_is_transparent_and_the_text_has_the_colour_of_the_theme(many):
    for theme, (_, data) in zip(style.THEMES, sources(many), strict=True):
        pixels = imread(io.BytesIO(data))
        assert pixels[0, 0, 3] == 0.0
        axis = many.figure(theme).axes[0]
        assert axis.xaxis.label.get_color() == style.colours(theme).text
        assert axis.collections[0].get_facecolor()[0] == pytest.approx(
            matplotlib.colors.to_rgba(style.colours(theme).other)
        )


def test_a_star_is_drawn_by_its_own_letter():
    @plot.picture(300, 200)
    def named(axes, colours):
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


def test_the_bundle_has_words_and_a_page(few):
    bundle = few._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}  # a third drawing would cost a third more
    assert bundle["text/plain"] == repr(few)


PRINT = """
import hashlib
from slrbook.picture import picture

@picture()
def draw(axes, colours):
    axes.plot([0, 1], [1, 0], color=colours.v, clip_on=True)
    axes.fill_between([0, 1], [1, 0], hatch="/")

import sys
shown = draw(alt="a line")._repr_mimebundle_()
assert "matplotlib.pyplot" not in sys.modules
print(hashlib.sha256(repr(shown).encode()).hexdigest())
"""


def test_every_process_makes_the_same_bytes_and_none_needs_pyplot():
    seen = set()
    for seed in "01":
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", PRINT], env=env, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        seen.add(run.stdout)
    assert len(seen) == 1


def test_drawing_leaves_the_settings_of_matplotlib_alone(few):
    before = dict(matplotlib.rcParams)
    few.figure("dark")
    assert dict(matplotlib.rcParams) == before


def test_a_researcher_can_save_it(few, tmp_path):
    for suffix in ("svg", "png", "pdf"):
        few.save(tmp_path / f"line.{suffix}", "dark")
        assert (tmp_path / f"line.{suffix}").stat().st_size > 1000


def test_the_package_computes_nothing_with_the_theory():
    """Only NumPy, matplotlib and the standard library: no JAX, nothing else of slrlib."""
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                allowed = name.startswith("slrbook.picture") or name.split(".")[0] in {
                    *sys.stdlib_module_names,
                    "matplotlib",
                    "numpy",
                }
                assert allowed, f"{file.name} imports {name}"


SHOWN = """() => [...document.querySelectorAll('.slr-figure img')]
  .filter(image => image.checkVisibility() && image.getBoundingClientRect().height > 0)
  .map(image => image.className)"""
GROUNDS = [  # attributes of <html>, of <body>, the image that must show
    ("", "", "slr-light"),
    ("data-theme=light", "", "slr-light"),
    ("data-theme=dark", "", "slr-dark"),
    ("", "data-jp-theme-light=true", "slr-light"),
    ("", "data-jp-theme-light=false", "slr-dark"),
]


@pytest.mark.parametrize("reset", ["", "[hidden]{display:none!important}"])
@pytest.mark.parametrize(("html", "body", "image"), GROUNDS)
def test_exactly_one_image_shows(browser, few, html, body, image, reset):
    page = browser.new_page()
    figure = few._repr_html_()
    page.set_content(
        f"<!doctype html><html {html}><style>{reset}</style><body {body}>{figure}</body></html>"
    )
    assert page.evaluate(SHOWN) == [image]
    page.close()


def test_exactly_one_image_shows_where_styles_are_stripped(browser, few):
    page = browser.new_page()
    page.set_content(re.sub(r"<style>.*?</style>", "", few._repr_html_()))
    assert page.evaluate(SHOWN) == ["slr-light"]
    page.close()


def test_a_picture_fits_a_phone_and_is_no_wider_than_any_other(browser, few):
    page = browser.new_page(viewport={"width": 375, "height": 800})
    page.set_content(f"<!doctype html><body>{few._repr_html_()}")
    width = "() => document.querySelector('.slr-light').getBoundingClientRect().width"
    assert 330 <= page.evaluate(width) <= 375
    page.set_viewport_size({"width": 1400, "height": 800})
    page.wait_for_function("innerWidth === 1400")
    assert page.evaluate(width) == style.SHOWN
    page.close()
