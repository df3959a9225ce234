"""The explorer of the chapter on language in Chromium: menus, keys, a phone, the dark, typing."""

import json
import re

import pytest
from browsing import served
from explored import (
    back,
    drawing,
    heights,
    moved,
    page_of,
    quiet,
    readable,
    reset,
    rested,
    says,
    without_script,
)

from slrbook.explorers import read_a_sentence

pytestmark = pytest.mark.browser

KERNEL = """<script type="module">
import explorer from "./explorer.js";
const values = %s, listeners = {};
window.sent = [];
window.model = {
  get: (name) => values[name],
  set(name, value) {
    if (name === "sentence") sent.push(value);
    values[name] = value;
    for (const listener of listeners[`change:${name}`] || []) listener();
  },
  save_changes() {},
  on(event, listener) { (listeners[event] ||= []).push(listener); },
  off(event, listener) { listeners[event] = listeners[event].filter((l) => l !== listener); },
};
window.leave = explorer.render({ model, el: document.querySelector("main div") });
</script>"""
HEARD = {
    "sentence": "What a view",
    "words": ["[CLS]", "what", "a", "view", "[SEP]"],
    "scores": [-2.0, 0.0, -1.0, 5.0, -2.0],
    "values": [0.0, 1.0, 0.5, 6.0, 0.0],
}


def with_kernel(types):
    explorer = read_a_sentence()
    values = explorer._values() | {"types": types, "sentence": "", "typed": {}}
    start = f"<style>{explorer._css}</style><div></div>"
    return page_of().replace("</main>", f"{start}</main>{KERNEL % json.dumps(values)}")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sentence")
    for theme in ("light", "dark"):
        (folder / f"{theme}.html").write_text(page_of(read_a_sentence(), theme=theme), "utf-8")
    (folder / "explorer.js").write_text(read_a_sentence()._esm, "utf-8")
    (folder / "kernel.html").write_text(with_kernel(True), "utf-8")
    (folder / "no_model.html").write_text(with_kernel(False), "utf-8")
    with served(folder) as address:
        yield address


def exactly(words):
    return re.compile(f"^{re.escape(words)}$")


POSITIVE = re.compile("^Predicts positive")


def said(explorer):
    return explorer.locator(".slr-reading").inner_text()


def test_each_control_moves_the_picture_and_reset_brings_it_back(open_page, place):
    page = open_page(place + "light.html")
    explorer = page.locator(".slr-explorer")
    before, words = drawing(explorer), said(explorer)
    explorer.locator(".slr-more summary").click()
    controls = explorer.locator("input, select").all()
    assert len(controls) == 5
    assert explorer.locator(".slr-more").locator("input, select").count() == 1
    for control in controls:
        control.focus()
        page.keyboard.press(
            "ArrowDown" if control.evaluate("e => e.tagName") == "SELECT" else "Home"
        )
        moved(explorer, before)
        assert control.evaluate("e => document.activeElement === e")
        reset(explorer)
        back(explorer, before)
    assert said(explorer) == words
    assert [e.input_value() for e in explorer.locator("select").all()] == ["0"] * 4
    quiet(page)


def test_one_word_flips_the_answer(open_page, place):
    page = open_page(place + "light.html")
    explorer = page.locator(".slr-explorer")
    says(explorer, POSITIVE)
    explorer.locator("select[data-name=adjective]").select_option("cruel")
    says(explorer, re.compile("^Predicts negative"))
    explorer.get_by_role("button", name="replace “cruel” with “gentle”").click()
    says(explorer, POSITIVE)
    assert explorer.locator("select[data-name=adjective]").input_value() == "0"
    quiet(page)


@pytest.mark.parametrize("theme, width", [("light", 1280), ("dark", 375)])
@pytest.mark.parametrize("opening", ["0", "4"])
def test_readable_and_accessible(open_page, place, theme, width, opening):
    page = open_page(f"{place}{theme}.html", width=width)
    explorer = page.locator(".slr-explorer")
    explorer.get_by_label("opening").select_option(opening)
    explorer.locator(".slr-more").evaluate("e => e.open = true")  # on a phone in place of the rest
    rested(page)
    readable(page, width, marks="text, .ring")


@pytest.mark.parametrize("width", [375, 900])
def test_the_still_takes_the_space_of_the_picture(open_page, browser, place, width):
    live = open_page(place + "light.html", width=width)
    drawing(live.locator(".slr-explorer"))
    with without_script(browser, place + "light.html", width) as still:
        assert heights(live) == pytest.approx(heights(still), abs=30)  # one line of the reading
        assert still.locator(".slr-explorer svg").first.is_visible()
        assert still.locator("select").first.is_hidden()


def test_a_page_has_no_text_box(open_page, place):
    page = open_page(place + "light.html")
    assert page.locator("input[type=text]").count() == 0
    page = open_page(place + "no_model.html")
    page.locator(".slr-more").wait_for()
    assert page.locator("input[type=text]").count() == 0
    quiet(page)


def test_a_kernel_reads_what_is_typed(open_page, place):
    page = open_page(place + "kernel.html")
    explorer = page.locator("main > div")
    field = explorer.get_by_label("or type a sentence, then Enter")
    before = drawing(explorer)
    field.fill("What a view")
    page.keyboard.press("Enter")
    page.wait_for_function("sent.length === 1")
    assert page.evaluate("sent") == ["What a view"]
    page.evaluate("heard => model.set('typed', heard)", HEARD)
    says(explorer, exactly("Predicts positive (+5.9): 99% of the weight is on “view”."))
    explorer.locator("input[type=range]").focus()
    page.keyboard.press("Home")  # lam moves the weights of this sentence too
    says(explorer, exactly("Predicts positive (+1.6): 21% of the weight is on “view”."))
    explorer.get_by_role("button", name="back to the menus").click()
    page.wait_for_function("sent.length === 2")
    assert page.evaluate("sent") == ["What a view", ""]
    page.evaluate("model.set('typed', {})")
    says(explorer, "“gentle”, the informative word")
    assert field.input_value() == ""
    page.evaluate("model.set('typed', {complaint: 'sentence must have at most 24 tokens'})")
    says(
        explorer,
        exactly(
            "This sentence cannot be used: sentence must have at most 24 tokens. "
            "The picture shows the sentence of the menus."
        ),
    )
    assert explorer.get_by_role("button", name="back to the menus").count() == 1
    page.evaluate("heard => model.set('typed', heard)", HEARD | {"values": [0.04] * 5})
    says(explorer, exactly("Predicts neither (0.0): 21% of the weight is on “view”."))
    field.fill("   ")  # nothing but spaces is no sentence
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('input[type=text]').value === ''")
    assert page.evaluate("sent") == ["What a view", ""]
    reset(explorer)
    page.evaluate("model.set('typed', {})")
    back(explorer, before)
    page.evaluate("leave()")
    quiet(page)
