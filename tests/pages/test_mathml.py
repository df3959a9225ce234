"""TeX as MathML: the markup, its font, the copied text, and pages opened as a file."""

import re

import browsing
import pytest
import yaml
from booksource import ROOT
from bs4 import BeautifulSoup

from slrbook import formulas
from slrbook.formulas import BadFormula, mathml

STYLE = (formulas.HERE / "formulas.css").read_text("utf-8")
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
MACROS = CONFIG["sphinx"]["config"]["formula_macros"]
LONG = r"R(k,v)=\gamma^2-2\gamma^2\nu\,m_1(\kappa)+\sum_\ell\E[a_\ell^2]+\varepsilon^2"


def within(html):
    return list(BeautifulSoup(html, "html.parser").select("math"))


def test_a_short_formula_is_one_element_with_its_tex():
    (formula,) = within(mathml(r"\norm{x} <  1", macros=MACROS))
    assert formula["data-tex"] == r"\norm{x} < 1" and formula["class"] == ["math"]
    assert formula.get_text() == "‖x‖<1" and not formula.find_parent("span")
    assert formula.find("mrow", recursive=False).get_text() == "‖x‖"  # a group for screen readers
    assert [len(row) for row in formula.select("mrow") if not row.attrs and len(row) < 2] == []


def test_a_long_formula_in_a_line_ends_its_parts_with_relations():
    whole, parts = within(mathml(LONG, True, MACROS)), within(mathml(LONG, False, MACROS))
    assert len(whole) == 1 and whole[0]["display"] == "block" and len(parts) == 3
    assert "".join(part.get_text() for part in parts) == whole[0].get_text()
    assert {part.get_text()[-1] for part in parts[:-1]} <= formulas.BREAKS
    assert min(len(part.get_text()) for part in parts) >= formulas.FEW
    holder = parts[0].parent
    assert holder["data-tex"] == LONG and holder.find_all("math") == parts


def test_what_is_no_formula_is_named():
    for tex in (r"\frac{1", r"\nosuchname", "a^b^c"):
        with pytest.raises(BadFormula, match=re.escape(tex)):
            mathml(tex)


def in_the_font():
    ranges = re.search(r"unicode-range: ([^;]+);", STYLE)[1].replace("U+", "").split(", ")
    ends = [part.split("-") for part in ranges]
    return {x for end in ends for x in range(int(end[0], 16), int(end[-1], 16) + 1)}


def slanted(letter):
    """The character that a browser displays for a one-letter variable."""
    for first, last, slant in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("Α", "Ω", 0x1D6E2)):
        if first <= letter <= last:
            return 0x210E if letter == "h" else slant + ord(letter) - ord(first)
    return 0x1D6FC + ord(letter) - ord("α") if "α" <= letter <= "ω" else ord(letter)


@pytest.mark.usefixtures("site")
def test_the_font_has_every_sign_of_every_formula():
    known, seen = in_the_font(), set()
    for page in sorted((browsing.SITE / "book").glob("*.html")):
        for found in re.findall(r"<m(?:i|o|n|text)\b[^>]*>([^<]*)<", page.read_text("utf-8")):
            text = BeautifulSoup(found, "html.parser").get_text()
            seen |= {slanted(text)} if len(text) == 1 else set(map(ord, text))
    assert len(seen) > 100
    assert {chr(sign) for sign in seen - known} == set()


COPIED = """() => {
  const paragraph = [...document.querySelectorAll('article p')].find(p => p.querySelector('.math'));
  getSelection().selectAllChildren(paragraph);
  const copied = new DataTransfer();
  document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: copied, cancelable: true }));
  const formulas = [...paragraph.querySelectorAll('.math')].map(e => `$${e.dataset.tex}$`);
  return [copied.getData('text/plain'), copied.getData('text/html'), formulas];
}"""


def test_who_copies_a_formula_gets_its_tex(open_page):
    page = open_page("book/predictor.html")
    plain, html, tex = page.evaluate(COPIED)
    assert tex and all(each in plain for each in tex)
    assert "<math" in html and "\n" not in plain.strip()


FONT = "[...document.fonts].filter(x => x.family.includes('STIX')).map(x => x.status)"
PREDICTOR = browsing.SITE / "book" / "predictor.html"


@pytest.mark.usefixtures("site")
def test_a_page_opened_as_a_file_has_the_font(browser):
    with browsing.fresh_page(browser) as page:
        page.goto(PREDICTOR.as_uri())
        browsing.settle(page)
        assert page.evaluate(FONT) == ["loaded"] and page.errors == []
