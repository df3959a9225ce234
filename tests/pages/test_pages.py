"""The built pages in Chromium, each in light and dark, at 1280 and 375 pixels, all else blocked."""

import re
from urllib.parse import unquote, urlsplit

import browsing
import pytest
from axe_playwright_python.sync_playwright import Axe
from booksource import NOTEBOOKS, ROOT
from bs4 import BeautifulSoup

from slrbook import times
from slrlib import language

NOT_PAGES = {"_static", "_sources", "_images", "_downloads", "_sphinx_design_static"}


def contents() -> list[str]:
    """Every page that the table of contents asks for, and the two that Sphinx adds."""
    files = re.findall(r"book/[\w-]+", (ROOT / "_toc.yml").read_text("utf-8"))
    return [f"{name}.html" for name in files] + ["genindex.html", "search.html"]


@pytest.fixture(scope="module")
def soups(site):
    """Every html file of the site, parsed."""
    files = [
        file
        for file in sorted(browsing.SITE.rglob("*.html"))
        if file.relative_to(browsing.SITE).parts[0] not in NOT_PAGES
    ]
    return {file: BeautifulSoup(file.read_text("utf-8"), "html.parser") for file in files}


UNSET_FORMULAS = """() => [...document.querySelectorAll('.math')]
  .filter(e => !e.querySelector('mjx-container svg') && e.textContent.trim())
  .map(e => e.textContent.trim())"""
BAD_FORMULAS = """() => [...document.querySelectorAll(
  'mjx-merror, mjx-container [data-mml-node=merror], mjx-container [data-mml-node=mtext][fill=red]'
)].map(e => e.closest('mjx-container').parentElement.id + ' ' + e.textContent)"""
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const out = [...document.querySelectorAll('article *, main *')]
    .filter(e => e.getBoundingClientRect().right > width + 1)
    .map(e => e.tagName + '.' + e.getAttribute('class') + ' ' + e.textContent.slice(0, 40));
  return ['the page scrolls sideways', ...out.slice(0, 5)];
}"""

# The theme gives what scrolls a place for the keyboard, a little after the width has changed.
REACHABLE = """() => [...document.querySelectorAll('pre')]
  .every(e => e.scrollWidth <= e.clientWidth || e.tabIndex === 0)"""


def grave_violations(page):
    # preload=False: axe would look for the theme's nested stylesheets beside the page
    options = {"resultTypes": ["violations"], "preload": False}
    response = Axe().run(page, options=options).response
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in response["violations"]
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]


def fits(page):
    assert page.evaluate(BAD_FORMULAS) == []
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("path", contents())
def test_a_page_is_whole_readable_and_alone(open_page, path):
    """Loaded in the light of a desktop, turned to a phone, to the dark, and back to the desktop."""
    page = open_page(path, width=1280, scheme="light")
    assert page.evaluate(UNSET_FORMULAS) == []
    for scheme, width in (("light", 1280), ("light", 375), ("dark", 375), ("dark", 1280)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        browsing.settle(page)
        page.wait_for_function(REACHABLE)
        assert page.locator("html").get_attribute("data-theme") == scheme
        fits(page)
        if (scheme, width) in {("light", 1280), ("dark", 375)}:
            assert grave_violations(page) == []
    assert page.foreign == []
    assert page.errors == []


def test_the_folder_itself_leads_to_the_first_page(open_page, site):
    page = open_page("search.html")
    page.goto(site, wait_until="commit")
    page.wait_for_url("**/book/intro.html")


# What a reader sees of the explorers, once a slider has been moved and the picture is another one,
# or once all work is done, however slow the machine is.
MOVE = """async (slider, [value, before]) => {
  const picture = () => JSON.stringify([
    [...document.querySelectorAll('canvas')].map(c => c.toDataURL()),
    [...document.querySelectorAll('article svg')]
      .filter(s => !s.closest('mjx-container')).map(s => s.outerHTML)]);
  const frame = () => new Promise(requestAnimationFrame);
  slider.value = value;
  for (const name of ['input', 'change'])
    slider.dispatchEvent(new Event(name, {bubbles: true}));
  await frame(); await frame();
  const explorer = slider.closest('.slr-explorer');
  while (explorer.ariaBusy === 'true' && picture() === before) await frame();
  return picture();
}"""


@pytest.mark.parametrize("path", contents())
def test_no_slider_is_dead(open_page, path):
    page = open_page(path)
    for slider in page.locator("input[type=range]").all():
        low = slider.evaluate(MOVE, [slider.get_attribute("min") or "0", ""])
        high = slider.evaluate(MOVE, [slider.get_attribute("max") or "100", low])
        name = slider.get_attribute("aria-label") or slider.get_attribute("data-name")
        assert low != high, f"moving {name} from end to end changes no picture"


@pytest.mark.parametrize("path", ["book/intro.html", "book/task.html", "book/predictor.html"])
def test_the_page_has_a_slider(open_page, path):
    assert open_page(path).locator("input[type=range]").count() > 0


def words_for(image) -> str:
    """Its alternative text, or that of the labelled drawing whose background it is."""
    drawing = image.parent.select_one('svg[role="img"]')
    if image.get("alt") == "" and drawing:
        return drawing.get("aria-label", "")
    return (image.get("alt") or "").strip()


@pytest.mark.browser
def test_no_chapter_compiled_more_than_sixty_programs(site):
    costs = times.last(ROOT)
    assert set(costs) == {f"book/{file.stem}" for file in NOTEBOOKS}
    many = {page: cost["programs"] for page, cost in costs.items() if cost.get("programs", 0) > 60}
    assert many == {}, "see `make times`; a public function on plain numbers is one program"


@pytest.mark.browser
def test_every_image_says_what_it_shows(soups):
    poor = []
    for file, soup in soups.items():
        for image in soup.select("img"):
            words = words_for(image)
            looks_like_a_file = re.search(r"\.(png|svg|jpe?g)$|^_?images?/", words, re.I)
            if len(words) < 20 or looks_like_a_file:
                poor.append(f"{file.name}: {words!r} for {image.get('src', '')[:60]}")
    assert poor == []


@pytest.mark.browser
def test_figures_of_a_chapter_are_numbered_in_order(soups):
    numbered = 0
    for file, soup in soups.items():
        figures = soup.select("article .slr-figure")
        ids = [figure["id"] for figure in figures]
        assert ids == [f"figure-{i}" for i in range(1, len(ids) + 1)], file.name
        chapter = soup.select_one("article h1 .section-number")
        for i, figure in enumerate(figures, 1):
            number = figure.select_one("figcaption > .caption-number")
            if chapter and figure.figcaption:
                assert number.text == f"Figure {chapter.text.strip()}{i}. "
                numbered += 1
            else:
                assert number is None
    assert numbered > 20


@pytest.mark.browser
def test_the_own_scripts_of_a_page_are_light(soups):
    """The common script once, and what the explorers of the page bring; the model waits."""

    def size(name):
        return len((browsing.SITE / "_static" / name).read_bytes())

    with_explorer = 0
    for file, soup in soups.items():
        loaded = [tag["src"] for tag in soup.select("script[src]") if "slr.js" in tag["src"]]
        own = [tag.string for tag in soup.select("script:not([src])") if "slr?.live" in tag.text]
        assert len(loaded) == bool(own) == bool(soup.select(".slr-explorer")), file.name
        offer = [tag for tag in soup.select("script[src]") if "slr-model.js" in tag["src"]]
        reads = bool(soup.select("[data-name=read_a_sentence]"))
        assert len(offer) == (reads and language.available()), file.name
        assert not [tag for tag in soup.select("script[src]") if "minilm" in tag["src"]]
        shared = size("slr.js") * len(loaded) + (size("slr-model.js") if offer else 0)
        assert shared + sum(len(text.encode()) for text in own) < 250_000, file.name
        with_explorer += bool(own)
    assert with_explorer > 5


@pytest.mark.browser
def test_internal_links_resolve(soups):
    ids = {
        file.resolve(): {tag["id"] for tag in soup.select("[id]")} for file, soup in soups.items()
    }
    explorers = {  # the first word of an address that sets an explorer of the page
        file.resolve(): {f"{tag['data-name']}:" for tag in soup.select(".slr-explorer[data-name]")}
        for file, soup in soups.items()
    }
    broken = []
    for file, soup in soups.items():
        links = [tag.get("href") or tag.get("src") for tag in soup.select("[href], [src]")]
        for link in filter(None, links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file.resolve()
            if target.is_dir():
                target = target / "index.html"
            anchor = unquote(parts.fragment)
            if ":" in anchor:  # the state of an explorer
                anchor = anchor.partition(":")[0] + ":"
            if not target.exists():
                broken.append(f"{file.name}: {link}")
            elif anchor and target in ids and anchor not in ids[target] | explorers[target]:
                broken.append(f"{file.name}: {link} (no such place on the page)")
    assert broken == []
