"""The parts of the book, the header and length of each page, and the paths on the first page."""

import re
from functools import cache
from html import unescape
from string import ascii_uppercase

import browsing
import pytest
from booksource import ROOT, prose
from bs4 import BeautifulSoup

from slrbook import chapters, length
from slrbook.sphinx_ext.contents import TO_LOOK_UP

LEVELS = {"introductory", "intermediate", "advanced", TO_LOOK_UP}
PAGES = chapters.contents(ROOT)
FURTHER = next(pages for caption, pages in chapters.parts(ROOT) if "further" in caption)


def source(page: str) -> str:
    notebook = ROOT / f"{page}.ipynb"
    return prose(notebook if notebook.exists() else ROOT / f"{page}.md")


def html(page: str) -> str:
    return (browsing.SITE / f"{page}.html").read_text("utf-8").partition("<article")[2]


@cache
def built(page: str) -> BeautifulSoup:
    return BeautifulSoup(f"<article{html(page)}", "html.parser").article


@pytest.mark.browser
def test_each_page_says_its_level_its_computed_minutes_and_what_it_is_about(site):
    for page in PAGES:
        said = chapters.about(ROOT, page)
        assert said["level"] in LEVELS and len(said["about"]) > 20, page
        head = source(page).partition("\n## ")[0]
        assert not re.search(r"\d+ minutes\b|\*\*Time:", head), page
        minutes = f"{length.of(ROOT, page).minutes}\u00a0min · "
        time = "" if said["level"] == TO_LOOK_UP else minutes
        heads = re.findall(r'</h1>\s*<p class="slr-head">(.*?)</p>', html(page))
        assert [unescape(head) for head in heads] == [time + said["level"]], page


def test_a_page_that_goes_further_says_what_it_gives_needs_and_for_whom():
    parts = ("What you will learn", "What you need", "Who needs it")
    lines = r"\\\n".join(rf"\*\*{part}:\*\* .+\." for part in parts)
    for page in FURTHER:
        first = re.search(r"^# .+\n\n((?:.+\n)+)", source(page), re.M)[1]
        assert re.fullmatch(lines, first.strip()), page


@pytest.mark.browser
def test_pages_that_go_further_have_letters_and_their_parts_begin_with_them(site):
    assert len(FURTHER) <= len(ascii_uppercase)
    for letter, page in zip(ascii_uppercase, FURTHER, strict=False):
        article = built(page)
        assert article.h1.select_one(".section-number").text.strip() == f"{letter}."
        assert not article.select("h2 .section-number")
        numbers = [n.text for n in article.select(".eqno, .proof .caption-number")]
        numbers = [n for n in numbers if re.search(r"\d", n)]
        assert all(re.search(rf"\b{letter}\.\d+", n) for n in numbers), (page, numbers)
    theorem = built("book/several_heads").select_one('a[href$="#erf-floor"]')
    letter = ascii_uppercase[FURTHER.index("book/what_attention_reaches")]
    assert re.fullmatch(rf"Theorem {letter}\.\d+", theorem.text)


@pytest.mark.browser
def test_the_first_page_lists_every_page_in_the_order_of_the_contents(site):
    names = [dt.a["href"] for dt in built("book/intro").select("details dl > dt")]
    assert [f"book/{name.removesuffix('.html')}" for name in names] == PAGES[1:]


@pytest.mark.browser
def test_a_path_of_the_first_page_names_its_pages_and_their_time(site):
    paths = built("book/intro").select_one("#where-to-go-from-here > dl")
    assert len(paths.select("dt")) == 5
    for term in paths.select("dt"):
        path = term.find_next_sibling("dd")
        links = [a["href"].removesuffix(".html") for a in path.select("a")]
        times = {f"book/{name}": length.of(ROOT, f"book/{name}").minutes for name in links}
        assert times.keys() <= set(PAGES)
        total = int(re.search(r"\((\d+)\u00a0min\)", term.text)[1])
        said = [int(n) for n in re.findall(r"\((\d+)\u00a0min\)", path.text)]
        assert total == sum(said) and set(said) <= set(times.values())
        if "30 minutes" in term.text:
            assert total <= 30


# The cheat sheet

BOTTOM = (
    "Math.max(...[...document.querySelectorAll('.slr-sheet *')]"
    ".map(e => e.getBoundingClientRect().bottom))"
)


def test_the_cheat_sheet_fits_one_screen_and_prints_on_one_page(open_page):
    page = open_page("book/cheat_sheet.html", width=1280)  # and a height of 900
    assert page.evaluate(BOTTOM) <= 900
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "12mm")
    printed = page.pdf(format="A4", margin=margin)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
