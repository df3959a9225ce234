"""Numbers in the prose of the built book use typographic notation."""

import re

import browsing
import pytest
from booksource import pages, prose
from docutils import nodes
from docutils.utils import new_document

from slrbook.picture.style import as_html
from slrbook.sphinx_ext.document import Readable

WRITTEN = {
    "5.6e-16": "5.6×10⁻¹⁶",
    "-3e-18": "−3×10⁻¹⁸",
    "1e-05": "10⁻⁵",
    "2e+08": "2×10⁸",
    "0e+00": "0",
    "0.067": "0.067",
}


def glued(text):
    return nodes.inline(text, text, classes=["pasted-text"])


def transformed(*children):
    """The paragraph with these nodes after the transform."""
    page = new_document("page")
    page += nodes.paragraph("", "", *children)
    Readable(page).run()
    return page[0]


def test_numbers_are_written_as_people_write_them_and_code_is_not():
    for python, people in WRITTEN.items():
        number, code = transformed(glued(python), nodes.literal(python, python))
        assert (number.astext(), code.astext()) == (people, python)
        assert as_html(f"about {python} & more") == f"about {people} &amp; more"


def emptied(page):
    """The page with each inline formula replaced by an element that contains only its TeX."""
    formula = r'<(math|span) class="math" (data-tex="[^"]*")>.*?</\1>'
    return re.sub(formula, r"<i \2></i>", page, flags=re.S).replace("\u00a0", "&nbsp;")


@pytest.fixture(scope="module")
def articles(site):
    files = sorted((browsing.SITE / "book").glob("*.html"))
    return {file.name: emptied(file.read_text("utf-8").partition("<article")[2]) for file in files}


def test_no_page_shows_a_number_as_a_computer_writes_it(articles):
    read = "".join(articles.values())
    pasted = re.findall(r'class="pasted-text">([^<]*)<', read)
    assert len(pasted) > 300
    assert [number for number in pasted if re.search(r"\de[+-]?\d|^-", number)] == []
    captions = re.findall(r"<figcaption.*?</figcaption>", read, re.S)
    assert len(captions) > 40
    assert [words for words in captions if re.search(r"\b\de[+-]\d", words)] == []


def test_no_line_begins_with_the_comma_after_a_formula_or_parts_a_number_from_its_sign(articles):
    number, counts = '<span class="pasted-text">', [0, 0]
    comma = re.compile(r'(.{23})<i data-tex="[^"]*"></i>[,.;:?!)]')
    bound = re.compile(rf'(.{{23}})<i data-tex="[^"]*\\(?:pm|le|ge)"></i> {number}')
    for name, words in articles.items():
        found = comma.findall(words.partition("</article>")[0])
        assert {*found, *bound.findall(words)} <= {'<span class="slr-kept">'}, name
        assert not re.search(r"\d ± ", words)
        counts = [counts[0] + len(found), counts[1] + words.count(f"&nbsp;±&nbsp;{number}")]
    spreads = sum(prose(page).count("` $\\pm$ {glue:text}`") for page in pages())
    assert counts[0] > 500 and counts[1] == spreads > 0
