"""A typed sentence in the explorer of the chapter on language, with and without a kernel."""

import json

import pytest
from explored import back, drawing, page_of, quiet, reset, says

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
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sentence")
    (folder / "light.html").write_text(page_of(read_a_sentence()), "utf-8")
    (folder / "explorer.js").write_text(read_a_sentence()._esm, "utf-8")
    (folder / "kernel.html").write_text(with_kernel(True), "utf-8")
    (folder / "no_model.html").write_text(with_kernel(False), "utf-8")
    return folder


def test_without_a_kernel_or_the_model_there_is_no_text_box(open_page, place):
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
    says(explorer, "The pair (k, v) predicts positive (+5.9): 99% of the weight is on “view”.")
    explorer.locator("input[type=range]").focus()
    page.keyboard.press("Home")  # lam also changes the weights of this sentence
    says(explorer, "The pair (k, v) predicts positive (+1.6): 21% of the weight is on “view”.")
    explorer.get_by_role("button", name="back to the menus").click()
    page.wait_for_function("sent.length === 2")
    assert page.evaluate("sent") == ["What a view", ""]
    page.evaluate("model.set('typed', {})")
    says(explorer, "“gentle”, the informative word")
    assert field.input_value() == ""
    page.evaluate("model.set('typed', {complaint: 'sentence must have at most 24 tokens'})")
    says(explorer, "This sentence cannot be used: sentence must have at most 24 tokens.")
    field.fill("   ")  # spaces alone are not a sentence
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('input[type=text]').value === ''")
    assert page.evaluate("sent") == ["What a view", ""]
    reset(explorer)
    page.evaluate("model.set('typed', {})")
    back(explorer, before)
    page.evaluate("leave()")
    quiet(page)
