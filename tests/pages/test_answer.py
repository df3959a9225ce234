"""The answer boxes of the exercises: feedback to correct, wrong and invalid answers."""

import json
import re

import pytest
from booksource import NOTEBOOKS
from browsing import SITE
from bs4 import BeautifulSoup

from slrbook import reading
from slrbook.answer import answer


def test_a_box_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="truth must be the place of one of 2 choices, got 2"):
        answer("ex", "Which?", 2, choices=("a", "b"))
    with pytest.raises(ValueError, match="a typical wrong answer must be wrong"):
        answer("ex", "How much?", 0.5, within=0.01, wrong={0.505: "Close."})


@pytest.fixture(scope="module")
def boxes():
    """All boxes of the built book."""
    files = [SITE / "book" / f"{file.stem}.html" for file in NOTEBOOKS]
    text = "".join(file.read_text("utf-8") for file in files)
    forms = re.findall(r"<form\b[^>]*\bslr-answer\b.*?</form>", text, re.S)
    return BeautifulSoup("".join(forms), "html.parser").select(".slr-answer")


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>boxes</title>
<style>{style}</style><script>{script}</script><main><h1>Boxes</h1>{body}</main></html>"""
STORED = """window.slrStored = {
  get: (name) => localStorage.getItem(name),
  set: (name, value) => localStorage.setItem(name, value),
};"""  # as early.js defines it


@pytest.fixture
def page(boxes, open_page, site):
    """One page with all boxes, at an address of the site."""
    page = open_page("search.html")
    body, script = "\n".join(map(str, boxes)), STORED + reading.source("answer.js")
    text = PAGE.format(style=reading.source("reading.css"), script=script, body=body)
    page.route("**/boxes.html", lambda route: route.fulfill(body=text, content_type="text/html"))
    page.goto(site + "boxes.html")
    return page


def give(page, form, value):
    """Answer with the keyboard: a number to twelve digits, or the choice with this index."""
    radios = form.locator("input[type=radio]")
    if radios.count():
        radios.nth(int(value)).focus()
        page.keyboard.press("Space")
    else:
        form.locator("input").fill(value if isinstance(value, str) else f"{value:.12g}")
    page.keyboard.press("Enter")
    return form.locator("output").inner_text()


@pytest.mark.browser
def test_each_box_takes_the_right_answer_and_refuses_a_typical_wrong_one(page, boxes):
    assert len(boxes) >= 9
    for box, form in zip(boxes, page.locator(".slr-answer").all(), strict=True):
        known = json.loads(box["data-answer"])
        for value, words in known["wrong"]:
            assert give(page, form, value) == f"Not that. {words}"
        assert known["wrong"] and give(page, form, known["truth"]) == "Right."
        if form.locator("input[type=text]").count():
            far = known["truth"] + 7 * abs(known["truth"]) + 3
            assert give(page, form, far) == "Not that. A hint may help."
            assert give(page, form, "often").startswith("A number is asked for")
            inside = known["truth"] * (1 + 0.9 * known["within"])
            assert give(page, form, inside) == "Right."
            assert give(page, form, known["truth"] * (1 + 1.5 * known["within"]) + 1e-6) != "Right."
            assert give(page, form, f"{known['truth']:.12g}".replace(".", ",")) == "Right."
            assert give(page, form, f"{2 * known['truth']:.12g} / 2") == "Right."
    page.reload()  # answers are remembered, and can be cleared
    forms = page.locator(".slr-answer")
    assert forms.locator("output").all_inner_texts() == ["Right."] * len(boxes)
    assert give(page, page.locator(".slr-answer:has(input[type=text])").first, "") == ""
    page.reload()
    assert forms.locator("output").all_inner_texts().count("Right.") == len(boxes) - 1
    assert page.errors == [] and page.foreign == []
