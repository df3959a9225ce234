"""Queries to the search of the built book, and the targets of the first results."""

import json
import re

import browsing
import pytest

from slrbook.reading.plain import formula

# A query; the title, and the kind, of an entry that must be among the first three results.
QUERIES = [
    ("Theorem 5", "Theorem 5", "statement"),
    ("lemma 18", "Lemma 18", "statement"),
    ("lambda_c", "lambda_c", "word"),
    ("λ", "lambda", "word"),
    ("gamma", "gamma", "word"),
    ("why is nu first", "nu", "word"),
    ("edge of stability", "edge of stability", "word"),
    ("what is the oracle", "oracle", "word"),
    ("saddles", "saddle", "word"),
    ("takeaways", "Takeaways", "section"),
    ("exercise 3.1", "Exercise 3.1", "exercise"),
    ("figure 3.1", "Figure 3.1", "figure"),
]


@pytest.fixture(scope="module")
def entries(site):
    """Every entry: (kind, title, page, anchor, text)."""
    text = (browsing.SITE / "_static" / "slr-entries.js").read_text("utf-8")
    return json.loads(re.fullmatch(r"slrEntries\((.*)\);\s*", text, re.S)[1])


def test_a_question_finds_its_place(open_page):
    page = open_page("search.html")
    for query, title, kind in QUERIES:
        found = page.evaluate("query => slrSearch(query).slice(0, 3)", query)
        said = [(each["kind"], each["title"]) for each in found]
        assert any(each == kind and title in words for each, words in said), (query, said)


def test_each_answer_lands(entries, site):
    pages = {
        page: (browsing.SITE / f"{page}.html").read_text("utf-8") for _, _, page, *_ in entries
    }
    missing = [entry[:4] for entry in entries if f'id="{entry[3]}"' not in pages[entry[2]]]
    assert missing == []
    kinds = {entry[0] for entry in entries}
    assert kinds == {"statement", "exercise", "figure", "explorer", "word", "section"}


@pytest.mark.browser
def test_answers_can_be_read(entries):
    for _, title, page, _, text in entries:
        assert not re.search(r"\\[a-zA-Z(\[]|\$", title + text), (page, title, text)
        assert len(text) < 260


def test_the_page_of_the_search_shows_answers_and_then_pages(open_page):
    page = open_page("search.html?q=edge+of+stability", width=390, scheme="dark")
    page.get_by_text("Search finished").wait_for()
    items = page.locator("#search-results li")
    found = page.locator(".search-summary").inner_text()
    places, pages = re.fullmatch(r".* found (\d+) places? and (\d+) pages?\.", found).groups()
    assert items.count() == int(places) + int(pages) > 3
    first = items.first
    assert "edge of stability" in first.inner_text() and "glossary" in first.inner_text()
    page.locator("#search-results .context").last.wait_for()
    text = page.locator("#search-results").inner_text()
    assert not re.search(r"\\[a-zA-Z(\[]|\$", text)
    first.get_by_role("link").click()
    page.wait_for_url("**/notation.html#term-edge-of-stability")
    assert page.errors == []


def test_a_search_without_a_server(browser, site):
    """A page opened as a file cannot fetch anything, and shows its local data."""
    with browsing.fresh_page(browser) as page:
        page.goto(f"{(browsing.SITE / 'search.html').as_uri()}?q=edge+of+stability")
        page.get_by_text("Search finished").wait_for()
        items = page.locator("#search-results li")
        assert items.count() == page.locator("#search-results li .context").count() > 3
        assert page.errors == []


def test_a_formula_in_letters():
    for tex, text in (
        (r"\bar{n}_0+\hat x", "n̄_0+x̂"),
        (r"(k^\star,v^\star)", "(k*,v*)"),
        (r"\sqrt\pi\int_0^t", "…"),
        (r"\lambda_t=\frac{\lambda_0}{1+\delta t}", "λ_t=λ_0/(1+δ t)"),
        (r"\erf(t+\gamma G)^2", "erf(t+γ G)²"),
    ):
        assert formula(tex) == text
