"""The built pages in Chromium, light at 1280 and dark at 390 pixels, without network access."""

import re
from urllib.parse import unquote, urlsplit

import browsing
import pytest
from booksource import ROOT
from bs4 import BeautifulSoup
from explored import COLORS, WORDS, accessible, quiet

from slrbook.picture.style import font_size
from slrbook.tryit import site as tryit
from slrbook.tryit import wheel
from slrlib.language.extra import available

NOT_PAGES = {"_static", "_sources", "_images", "_downloads", "_sphinx_design_static"}


def contents() -> list[str]:
    """Every page in the table of contents, and the two that Sphinx adds."""
    files = re.findall(r"book/[\w-]+", (ROOT / "_toc.yml").read_text("utf-8"))
    return [f"{name}.html" for name in files] + ["genindex.html", "search.html"]


@pytest.fixture(scope="module")
def soups(site):
    """Every HTML file of the site, parsed, without the content of its formulas."""
    files = [
        file
        for file in sorted(browsing.SITE.rglob("*.html"))
        if file.relative_to(browsing.SITE).parts[0] not in NOT_PAGES
        and not file.name.startswith(".")  # files that another test is printing
    ]
    texts = (re.sub("<math.*?</math>", "", file.read_text("utf-8"), flags=re.S) for file in files)
    return {
        file: BeautifulSoup(text, "html.parser") for file, text in zip(files, texts, strict=True)
    }


# Unrendered TeX, in a formula or in text that is not code.
UNSET_FORMULAS = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [...document.querySelectorAll('.math')]
    .filter(e => e.localName !== 'math' && !e.querySelector('math')).map(e => e.dataset.tex);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (/\\\\[[(a-z]/.test(data) && !parentElement.closest('pre, code, script, template'))
      found.push(data.trim());
  }
  return found;
}"""
BAD_FORMULAS = """() => [...document.querySelectorAll('article math')]
  .filter(e => e.getClientRects().length && (e.querySelector('merror')
    || !(e instanceof MathMLElement) || !e.getBoundingClientRect().width))
  .map(e => e.closest('.math').dataset.tex)"""
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const out = [...document.querySelectorAll('article *, main *')]
    .filter(e => e.getBoundingClientRect().right > width + 1)
    .map(e => e.tagName + '.' + e.getAttribute('class') + ' ' + e.textContent.slice(0, 40));
  return ['the page scrolls sideways', ...out.slice(0, 5)];
}"""

SCROLLED_TABLES = """() => [...document.querySelectorAll('article table')]
  .map(e => e.closest('[tabindex="0"], .pst-scrollable-table-container'))
  .filter(e => e && e.getClientRects().length && e.scrollWidth > e.clientWidth + 1)
  .map(e => e.textContent.slice(0, 80))"""
# Keyboard users must not stop at formulas; folds must be named as they are displayed.
NEEDLESS_STOPS = """() => document.querySelectorAll(
  ':is(.math, math)[tabindex], math [tabindex]'
).length"""
MISNAMED_FOLDS = """() => [...document.querySelectorAll('summary[aria-label]')]
  .map(e => e.getAttribute('aria-label') + ': ' + e.textContent)"""

# Elements that must be scrolled sideways or are cut off on a phone, except code and tables in
# a box that can be focused.
WIDER_THAN_ITS_COLUMN = """() => [...document.querySelectorAll(
  'article :is(math, table, img, .slr-figure svg)'
)].filter(e => {
  const column = e.matches('math') ? e.closest('div, p, li, dd, td, figcaption') : document.body;
  return e.getClientRects().length && !e.closest('.slr-explorer')
    && !(e.matches('table') && e.closest('[tabindex="0"]'))
    && e.getBoundingClientRect().right > column.getBoundingClientRect().right + 2;
}).map(e => e.tagName + ' ' + e.closest('[id]')?.id + ' ' + e.parentElement.textContent)"""

# [which, width drawn, width shown] of each figure.
FIGURES = """() => [...document.querySelectorAll('article .slr-figure img')]
  .filter(e => e.clientWidth)
  .map(e => [e.closest('figure').id, +e.getAttribute('width'), e.clientWidth])"""
TURNED = """([scheme, width]) =>
  document.documentElement.dataset.theme === scheme && innerWidth === width"""
# The theme makes scrollable elements focusable, a little after the width has changed.
REACHABLE = """() => [...document.querySelectorAll('pre, .pst-scrollable-table-container')]
  .every(e => e.scrollWidth <= e.clientWidth || e.tabIndex === 0)"""


OPEN_EXERCISES = """() => {
  for (const fold of document.querySelectorAll('.slr-folds > details')) fold.open = true;
}"""

# When a reader searches a page, it fills all its folds.
SEARCH = "dispatchEvent(new KeyboardEvent('keydown', {key: 'f', ctrlKey: true}))"

# The layout may adapt to a new width with some delay.
TOO_WIDE_STILL = f"""async () => {{
  const tooWide = {TOO_WIDE};
  for (const end = performance.now() + 60000; ; await new Promise(requestAnimationFrame)) {{
    const found = tooWide();
    if (!found.length || performance.now() > end) return found;
  }}
}}"""


def fits(page):
    assert page.evaluate(BAD_FORMULAS) == []
    assert page.evaluate(TOO_WIDE_STILL) == []


def letters_are_large(page):
    """No label of a figure or an explorer is smaller than 13 pixels."""
    figures = [
        (which, font_size(drawn) * shown / drawn) for which, drawn, shown in page.evaluate(FIGURES)
    ]
    every = [*figures, *page.evaluate(WORDS)]
    assert [(which, pixels) for which, pixels in every if pixels < 13] == []


@pytest.fixture(scope="module", params=contents())
def page(browser, site, request):
    """This page in the light theme at desktop width."""
    with browsing.page_at(browser, site + request.param, 1280, "light") as page:
        page.elements = page.evaluate("document.querySelectorAll('*').length")
        page.evaluate(browsing.AT_ONCE)
        page.evaluate(OPEN_EXERCISES)
        page.evaluate(SEARCH)
        yield page


ASKED = set()  # the kinds of text, with their colors, on earlier pages


def turn(page, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function(TURNED, arg=[scheme, width])
    browsing.settle(page)
    page.wait_for_function(REACHABLE)


def test_a_page_is_whole_readable_and_alone(page):
    """First in the light theme of a desktop, then in the dark theme of a phone."""
    assert page.elements < 6000
    assert page.evaluate(UNSET_FORMULAS) == []
    turn(page, "light", 1280)
    fits(page)
    assert page.evaluate(SCROLLED_TABLES) == []
    assert page.evaluate(NEEDLESS_STOPS) == 0
    assert page.evaluate(MISNAMED_FOLDS) == []
    letters_are_large(page)
    ASKED.update(accessible(page, None, ASKED))
    turn(page, "dark", 390)
    fits(page)
    assert page.evaluate(WIDER_THAN_ITS_COLUMN) == []
    letters_are_large(page)
    ASKED.update(accessible(page, COLORS, ASKED))
    quiet(page)


def test_another_host_is_asked_in_vain_and_the_asking_is_seen(open_page, site):
    page = open_page("search.html")
    with page.expect_event("console"):  # the browser reports it after the page
        page.evaluate("fetch('http://192.0.2.1/').catch(() => null)")
    assert page.foreign == ["http://192.0.2.1/"]
    assert "ERR_PROXY_CONNECTION_FAILED" in str(page.errors)
    page.goto(site, wait_until="commit")  # the folder itself leads to the first page
    page.wait_for_url("**/book/intro.html")


def test_a_state_of_an_explorer_that_moved_lands_on_a_page_that_has_it(open_page, site):
    page = open_page(f"{site}book/language.html#read_a_sentence:lam=0.01")
    page.wait_for_url("**/pair_in_language.html#read_a_sentence:lam=0.01")
    assert page.errors == []


def words_for(image) -> str:
    """The image's alternative text, or the label of the drawing that has it as background."""
    drawing = image.parent.select_one('svg[role="img"]')
    if image.get("alt") == "" and drawing:
        return drawing.get("aria-label", "")
    return (image.get("alt") or "").strip()


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
def test_a_statement_of_the_paper_has_the_number_of_the_paper_only(soups):
    titles = [
        (box.get("id", ""), box.select_one(".admonition-title").get_text().strip())
        for soup in soups.values()
        for box in soup.select(".proof")
    ]
    papers = [(place, title) for place, title in titles if place.startswith("paper-")]
    assert len(papers) >= 20
    for place, title in papers:
        assert re.fullmatch(rf"[A-Z][a-z]+ {place.split('-')[-1]} of the paper.*", title), title
    others = [title for place, title in titles if not place.startswith("paper-")]
    assert len(others) > 20
    for title in others:
        assert re.match(r"[A-Z][a-z]+( \w+\.\d+ +| )\(", title) and "((" not in title, title
        assert "(not" not in title, title


def test_the_own_scripts_of_a_page_are_light(soups):
    """The common script once, the explorers' scripts, *Try it*; the model is loaded later."""

    def size(name):
        return len((browsing.SITE / "_static" / name).read_bytes())

    with_explorer = 0
    for file, soup in soups.items():
        loaded = soup.select('script[src*="slr.js"]')
        own = [tag.string for tag in soup.select("script:not([src])") if "slrExplorers" in tag.text]
        assert len(loaded) == bool(own) == bool(soup.select(".slr-explorer")), file.name
        offer = soup.select('script[src*="slr-model.js"]')
        reads = bool(soup.select("[data-name=read_a_sentence]"))
        assert len(offer) == (reads and available()), file.name
        runs = soup.select(f'script[src*="{tryit.SCRIPT}"]')
        assert len(runs) == (bool(soup.select(".slr-try")) and wheel.available()), file.name
        assert not soup.select('script[src*="minilm"], script[src*="micropython"]')
        shared = size("slr.js") * len(loaded) + (size("slr-model.js") if offer else 0)
        shared += size(tryit.SCRIPT) * len(runs)
        assert shared + sum(len(text.encode()) for text in own) < 250_000, file.name
        with_explorer += bool(own)
    assert with_explorer > 5


@pytest.mark.browser
def test_internal_links_resolve(soups):
    places = {  # each id, and the prefix of addresses that set an explorer of the page
        file.resolve(): {tag["id"] for tag in soup.select("[id]")}
        | {f"{tag['data-name']}:" for tag in soup.select(".slr-explorer[data-name]")}
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
            elif anchor and target in places and anchor not in places[target]:
                broken.append(f"{file.name}: {link} (no such place on the page)")
    assert broken == []
