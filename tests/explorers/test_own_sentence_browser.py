"""The model on a page, in Chromium: loading by a click, comparison with the package, refusals."""

import base64
import re

import numpy as np
import pytest
import said
from browsing import fresh_page
from explored import accessible, drawing, page_of, quiet, says

from slrbook.explorers import read_a_sentence
from slrbook.explorers.read_a_sentence import table
from slrbook.explorers.read_a_sentence.in_browser import site, weights
from slrlib import language

pytestmark = pytest.mark.browser

SEEN = ("scores", "values")
FIELD = "or type a sentence, then Enter"
OWN = "The soup was cold; but is the old man in the shop lovely & kind = good?"
ANSWERS = """async (sentences) => {
  const [answers, states] = [[], []];
  for (const sentence of sentences) {
    const { states: all, ...rest } = await slr.ownSentence.asked({ sentence, all: true });
    answers.push(rest);
    states.push(...all.at(-1));
  }
  const bytes = new Uint8Array(new Float32Array(states).buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 30000) {
    text += String.fromCharCode(...bytes.subarray(i, i + 30000));
  }
  return [answers, btoa(text)];
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, bert):
    folder = tmp_path_factory.mktemp("own")
    site.write(folder, bert)
    script = f'<script src="{site.SCRIPT}"></script></head>'
    text = page_of(read_a_sentence()).replace("</head>", script)
    (folder / "light.html").write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def rounded(bert):
    """The model of the package with the rounded weights of the page."""

    def near(matrix):
        whole, scale = weights.rounded(matrix)
        return whole * scale[:, None]

    def dense(each):
        if each.weight.ndim == 2:
            return each
        return each._replace(weight=np.stack([near(np.asarray(w).T).T for w in each.weight]))

    model = object.__new__(type(bert))
    blocks = bert.weights.blocks
    model.__dict__ |= vars(bert) | {
        "weights": bert.weights._replace(
            word=near(bert.weights.word), blocks=type(blocks)(*map(dense, blocks))
        )
    }
    return model


def said_by(explorer):
    return explorer.locator(".slr-reading").inner_text()


def rows(model, sentences, lengths):
    """The states of all tokens at the layer of the pair; short sentences form a separate batch."""
    found = [None] * len(sentences)
    for some in (lengths <= 14, lengths > 14):
        which = np.flatnonzero(some)
        states = model.states([sentences[i] for i in which])[0][table.LAYER]
        for i, each in zip(which, states, strict=True):
            found[i] = each[: lengths[i]]
    return np.concatenate(found)


def outputs(scores, values, lengths):
    """The output of the pair for each sentence."""
    ends = np.cumsum(lengths)[:-1]
    both = zip(np.split(scores, ends), np.split(values, ends), strict=True)
    return np.array([language.attend(each[0]) @ each[1] for each in both])


def test_the_page_computes_what_the_package_computes(browser, place, bert, rounded):
    """The same word pieces, and the states of the rounded weights to single precision.

    Compared with the exact weights: states differ by at most 3 percent on average and 9 percent at
    most, outputs by at most 0.4, with the same sign. In 500 sentences we found 2.3 percent, 7.4
    percent, 0.31, and four different signs.
    """
    sentences = said.sentences()[::8]
    with fresh_page(browser) as page:
        page.goto(place + "light.html")
        page.evaluate("slr.ownSentence.loaded(() => {})")
        answers, encoded = page.evaluate(ANSWERS, sentences)
        quiet(page)
    assert len(answers) > 60
    assert [each["ids"] for each in answers] == [
        each.ids for each in bert.tokenizer.encode_batch(sentences)
    ]
    assert [each["words"] for each in answers] == bert.tokens(sentences).pieces
    found = np.frombuffer(base64.b64decode(encoded), np.float32).reshape(-1, 384)
    lengths = np.array([len(each["ids"]) for each in answers])
    np.testing.assert_allclose(found, rows(rounded, sentences, lengths), atol=2e-4)
    exact = rows(bert, sentences, lengths)
    apart = np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1)
    assert apart.mean() < 0.03 and apart.max() < 0.09
    here = outputs(*(np.concatenate([each[name] for each in answers]) for name in SEEN), lengths)
    projected = language.project(table.pair(), exact[None], np.ones((1, len(exact)), bool))
    there = outputs(projected.score[0], projected.value[0], lengths)
    assert np.abs(here - there).max() < 0.4
    assert np.mean(np.sign(here) == np.sign(there)) >= 0.95


def test_a_click_loads_the_model_and_a_sentence_is_read(open_page, place, bert):
    page = open_page(f"{place}light.html")
    explorer = page.locator(".slr-explorer")
    before = drawing(explorer)
    button = explorer.get_by_role("button", name="type your own: load the model, 28 MB")
    button.focus()
    page.keyboard.press("Enter")
    field = explorer.get_by_label(FIELD)
    field.wait_for()
    button.wait_for(state="detached")
    page.wait_for_function("document.activeElement?.matches('input[type=text]')")
    assert drawing(explorer) == before  # the picture changes only after something is typed
    field.fill(OWN)
    page.keyboard.press("Enter")
    words, weights, output = read_a_sentence().read(OWN)
    told = f"of the weight is on “{words[weights.argmax()]}”."
    says(explorer, told)
    figures = explorer.locator(".slr-panel svg").first.locator("text").all_text_contents()
    assert [each for each in figures if each in words] == words
    shown = float(re.search(r"\(([+−].*?)\)", said_by(explorer))[1].replace("−", "-"))
    assert shown == pytest.approx(output, abs=0.4)
    accessible(page)
    page.wait_for_function("location.hash.includes('sentence=')")
    shared = page.evaluate("location.href")
    field.fill("word " * 30)
    page.keyboard.press("Enter")
    says(explorer, "sentence must have at most 24 tokens, got 32")
    explorer.get_by_label("opening").select_option("1")
    says(explorer, "the informative word")
    page.wait_for_function("!location.hash.includes('sentence=')")
    page.wait_for_function("document.querySelector('input[type=text]').value === ''")
    quiet(page)
    other = open_page(shared)
    other.get_by_role("button", name=f"load the model, 28 MB, to read “{OWN}”").click()
    says(other.locator(".slr-explorer"), told)
    assert other.get_by_label(FIELD).input_value() == OWN
    quiet(other)


def test_it_loads_from_a_file_and_says_what_did_not_come(browser, folder):
    missing = "**/minilm/07.js*"
    with fresh_page(browser) as page:
        page.route(missing, lambda route: route.abort())
        page.goto((folder / "light.html").as_uri())
        explorer = page.locator(".slr-explorer")
        explorer.get_by_role("button", name="load the model").click()
        words = "a part of it did not come; a click tries again"
        again = explorer.get_by_role("button", name=words)
        again.wait_for()
        page.unroute(missing)
        again.click()
        field = explorer.get_by_label(FIELD)
        field.fill("What a lovely day")
        page.keyboard.press("Enter")
        says(explorer, "on “lovely”.")
        assert said_by(explorer).startswith("The pair (k, v) predicts positive")
