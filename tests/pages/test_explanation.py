"""After three pages a reader can explain the result to a friend, in sentences of those pages."""

import re

import pytest
from booksource import ROOT, prose

PAGES = ("intro", "task", "predictor")
EXPLANATION = {  # in this order, each with the page where it stands word for word
    "In some sentences one word decides, and its place changes from sentence to sentence.": "intro",
    "A sequence has $L$ tokens, each a vector of $d$ numbers, and all of them are noise but one, "
    "which stands at a hidden place.": "intro",
    "That token has a mean along a direction $k^\\star$, which says **where to look**.": "intro",
    "The answer is what it shows along a second direction $v^\\star$, which says "
    "**what to read**.": "intro",
    "By length alone the game is close to hopeless; along one hidden direction it is "
    "trivial.": "task",
    "A simplified attention layer guesses two directions, $k$ and $v$, gives each token the weight "
    "$\\erf(\\lambda X_\\ell\\cdot k)$, and adds up what the tokens show along $v$, each times its "
    "weight.": "intro",
    "The *risk* is its mean squared error on new sequences.": "predictor",
    "Four arrows are then in play, $k^\\star$ and $v^\\star$ of the teacher and $k$ and $v$ of the "
    "learner, and how they lie to one another is told by their inner products, the "
    "*overlaps*:": "predictor",
    "In the lower row of the picture three overlaps are zero: $k$ is orthogonal to $v^\\star$, $v$ "
    "to $k^\\star$, and $k$ to $v$.": "predictor",
    "The set of such pairs is the *manifold*": "predictor",
    "If $\\lambda$ is constant and the steps are small enough, then gradient descent from almost "
    "every start on $\\M$ ends at $(k^\\star,v^\\star)$ or at $(-k^\\star,-v^\\star)$.": "intro",
    "So $v$ goes on to its end while $k$ slows down.": "intro",
    "A few per cent of these starts end with $k$ at $v^\\star$ and $v$ leaning towards $k^\\star$, "
    "and they predict *better* than those that find the pair": "intro",
}


@pytest.mark.parametrize(("sentence", "page"), EXPLANATION.items())
def test_the_sentence_stands_on_its_page(sentence, page):
    assert page in PAGES
    assert sentence in re.sub(r"\s+", " ", prose(ROOT / "book" / f"{page}.ipynb"))


def test_the_explanation_is_short_and_names_what_matters():
    text = " ".join(EXPLANATION)
    assert 150 <= len(text.split()) <= 280
    for word in (
        "$k^\\star$",
        "$v^\\star$",
        "\\erf",
        "*risk*",
        "*overlaps*",
        "$\\M$",
        "every start",
    ):
        assert word in text


@pytest.mark.parametrize("page", PAGES)
def test_the_page_gives_some_of_it(page):
    assert page in EXPLANATION.values()


def test_the_main_theorem_is_named_on_the_first_page():
    assert "{prf:ref}`Theorem 5 of the paper <paper-thm-5>`" in prose(ROOT / "book" / "intro.ipynb")
