"""Questions with a choice, a number or a click, answered with the keyboard."""

import re

import pytest
from explored import POLICY, accessible, folder_of, quiet, rested
from steps import CHOSEN, asked

from slrbook.explorers.base import STAR
from slrbook.explorers.find_token.spec import FindToken
from slrbook.explorers.lam_map.spec import LamMap
from slrbook.explorers.puzzle.spec import Puzzle

pytestmark = pytest.mark.browser
EXPLORERS = FindToken, LamMap, Puzzle
folder = folder_of(POLICY, light=EXPLORERS)


def opened(page, explorer):
    """Unfold the questions of an explorer with the keyboard."""
    steps = page.locator(f".slr-explorer[data-name={explorer.stem()}] .slr-steps")
    steps.locator("summary").focus()
    page.keyboard.press("Enter")
    steps.locator(".slr-next").wait_for()
    return steps


def press(page, button):
    button.focus()
    page.keyboard.press("Enter")
    rested(page)


def commit(page, steps, step, known, number):
    """Answer correctly in the first step, wrongly in the others; return the expected feedback."""
    if step.click:
        press(page, steps.locator(".slr-show"))
        steps.locator("output", has_text="Choose in the picture.").wait_for()
        game = page.locator(".slr-explorer[data-name=find_token]")
        guess, look = CHOSEN["look"].values()
        press(page, game.get_by_role("button", name=re.compile(f"^token {guess},")))
        press(page, game.get_by_role("button", name=re.compile(rf"^along k⋆: token {look},")))
        return known["said"][1]["words"]
    guess = (known["truth"] + (number > 0)) % len(step.choices)
    press(page, steps.locator(".slr-guess").nth(guess))
    return known["said"][guess]["words"]


def next_words(explorer, number):
    """The first words of the following step."""
    last = number + 1 == len(explorer.asks)
    return "Why. " if last else f"{number + 2} of {len(explorer.asks)}."


def test_every_question_is_answered_after_the_guess(open_page, place):
    page = open_page(f"{place}light.html")
    for explorer in EXPLORERS:
        steps = opened(page, explorer)
        output, following = steps.locator("output"), steps.locator(".slr-next")
        for number, (step, known) in enumerate(zip(explorer.asks, asked(explorer), strict=True)):
            question = STAR.sub(r"\1⋆", step.question)  # as displayed on the page
            assert question in steps.locator("p").inner_text()
            assert output.inner_text() == "" and following.inner_text() == "skip"
            assert output.get_attribute("aria-live") == "polite"
            words = commit(page, steps, step, known, number)
            steps.get_by_role("button", name="next").wait_for()
            assert output.inner_text() == words
            if step.choices:
                assert steps.locator("[aria-pressed=true]").count() == 1
            press(page, following)
            steps.locator("p", has_text=next_words(explorer, number)).wait_for()
            assert steps.locator("p").evaluate("p => p === document.activeElement")
        link = steps.locator("a")
        assert link.get_attribute("href") == f"{explorer.why.page}.html#{explorer.why.label}"
        assert STAR.sub(r"\1⋆", explorer.why.words) in steps.locator("p").inner_text()
        press(page, steps.locator(".slr-again"))
        steps.locator("p", has_text=f"1 of {len(explorer.asks)}.").wait_for()
        assert output.inner_text() != ""  # the feedback is still there
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    accessible(page)
    quiet(page)
