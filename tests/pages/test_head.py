"""What a page loads first: two style sheets with all rules that it needs, and no scripts."""

import re

import pytest
import tinycss2
from browsing import SITE
from bs4 import BeautifulSoup, SoupStrainer

from slrbook.sphinx_ext import assets

PAGES = ("intro", "several_heads", "api")
SOURCES = (
    *("styles/theme.css", "styles/pydata-sphinx-theme.css", "styles/sphinx-book-theme.css"),
    *("sphinx-design.min.css", "proof.css", "exercise.css", "copybutton.css", "book.css"),
)
# The selectors that match an element; selectors that scripts cannot test are left out.
MATCHED = """selectors => selectors.filter(each => {
  try { return document.querySelector(each.replace(/::?(before|after|marker|selection)/g, '')); }
  catch { return false; }
})"""


def selectors(style: str) -> set[str]:
    """The selectors of the rules of a style sheet, including those within media queries."""
    found, rules = set(), tinycss2.parse_stylesheet(style, True, True)
    for rule in rules:
        if rule.type == "qualified-rule":
            found.add(tinycss2.serialize(rule.prelude).strip())
        elif rule.type == "at-rule" and rule.at_keyword in {"media", "supports"}:
            rules += tinycss2.parse_rule_list(rule.content, True, True)
    return found


@pytest.mark.usefixtures("site")
@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_two_style_sheets_and_no_script_delays_it(name):
    text = (SITE / "book" / f"{name}.html").read_text("utf-8")
    soup = BeautifulSoup(text, "html.parser", parse_only=SoupStrainer(["link", "script"]))
    links = soup.select("link[rel=stylesheet]")
    sheets = [re.sub(r"\?v=\w{8}$", "", link["href"]) for link in links]
    assert sheets == [f"../_static/{name}" for name in (assets.FONTS, assets.SITE)]
    scripts = soup.select("script[src]")
    assert scripts and all(script.has_attr("defer") for script in scripts)


def test_no_page_has_an_element_for_a_rule_that_was_left_out(open_page, site):
    whole = set().union(*(selectors(assets.text(SITE / "_static" / name)) for name in SOURCES))
    kept = selectors((SITE / "_static" / assets.SITE).read_text("utf-8"))
    gone = sorted(whole - kept)
    assert len(gone) > 1000
    for name in PAGES:
        page = open_page(f"{site}book/{name}.html")
        assert page.evaluate(MATCHED, gone) == []


def test_the_text_is_shown_in_its_fonts_and_does_not_move(open_page, site):
    page = open_page(f"{site}book/task.html")
    page.wait_for_function("!document.documentElement.classList.contains('slr-hidden')")
    faces = page.evaluate("[...document.fonts].map(f => [f.family, f.display, f.status])")
    now = [status for _, display, status in faces if display == "block"]
    assert len(now) >= 6 and set(now) == {"loaded"}
