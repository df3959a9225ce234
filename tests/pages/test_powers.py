"""Numbers in the prose of the built book are written as people write them."""

import importlib.util
import re

import browsing
import pytest
from booksource import ROOT

from slrbook.numbers import out_of

WRITTEN = {
    "5.6e-16": "5.6×10⁻¹⁶",
    "-3e-18": "−3×10⁻¹⁸",
    "1e-05": "10⁻⁵",
    "2e+08": "2×10⁸",
    "0e+00": "0",
    "0.067": "0.067",
}


@pytest.mark.parametrize("python, people", WRITTEN.items())
def test_a_number_of_the_prose_is_written_anew_and_code_is_not(python, people):
    found = importlib.util.spec_from_file_location("slr_powers", ROOT / "ext" / "slr_powers.py")
    assert found and found.loader
    powers = importlib.util.module_from_spec(found)
    found.loader.exec_module(powers)
    prose = '<span class="pasted-text">{}</span>'.format
    assert powers.NUMBER.sub(powers.written, prose(python)) == prose(people)
    assert powers.NUMBER.sub(powers.written, f"<pre>{python}</pre>") == f"<pre>{python}</pre>"


def test_a_count_that_is_the_whole_or_nothing_is_said_in_a_word():
    said = [out_of(hits, 4000) for hits in (0, 1, 3999, 4000)]
    assert said == ["none of the 4,000", "1 of the 4,000", "3,999 of the 4,000", "all 4,000"]


@pytest.mark.usefixtures("site")
def test_no_page_shows_a_number_as_a_computer_writes_it():
    read = [page.read_text("utf-8") for page in sorted((browsing.SITE / "book").glob("*.html"))]
    pasted = re.findall(r'class="pasted-text">([^<]*)<', "".join(read))
    assert len(pasted) > 300
    assert [number for number in pasted if re.search(r"\de[+-]?\d|^-", number)] == []
    captions = re.findall(r"<figcaption.*?</figcaption>", "".join(read), re.S)
    assert len(captions) > 40
    assert [words for words in captions if re.search(r"\b\de[+-]\d", words)] == []


@pytest.mark.usefixtures("site")
def test_no_line_of_a_page_begins_with_the_comma_after_a_formula():
    kept, parted = 0, re.compile(r'(.{23})(<span class="math [^<]*</span>)[,.;:?!)]')
    for page in sorted((browsing.SITE / "book").glob("*.html")):
        words = page.read_text("utf-8")
        found = parted.findall(words[words.find("<article") : words.find("</article>")])
        assert {before for before, _ in found} <= {'<span class="slr-kept">'}, page.name
        kept += len(found)
    assert kept > 500


@pytest.mark.usefixtures("site")
def test_no_line_of_a_page_parts_a_number_from_the_sign_before_it():
    number, spreads, bounds = '<span class="pasted-text">', 0, 0
    bound = re.compile(rf'(.{{23}})<span class="math [^<]*\\(?:pm|le|ge)\\\)</span> {number}')
    for page in sorted((browsing.SITE / "book").glob("*.html")):
        words = page.read_text("utf-8")
        found = bound.findall(words)
        assert set(found) <= {'<span class="slr-kept">'} and not re.search(r"\d ± ", words)
        spreads, bounds = spreads + words.count(f"&nbsp;±&nbsp;{number}"), bounds + len(found)
    assert spreads > 10 and bounds
