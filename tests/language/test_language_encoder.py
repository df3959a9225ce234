"""The encoder compared with transformers (stored states of MiniLM) and with plain NumPy.

``data/make_minilm_states.py`` produced the stored states.
"""

from pathlib import Path

import numpy as np
import pytest
import tiny_bert

from slrlib.language import encoder
from slrlib.language.encoder import Bert

pytestmark = pytest.mark.optimized

COORDINATES, HEADS = slice(0, None, 24), slice(0, None, 4)  # the stored coordinates and heads
WITHIN = 1e-5  # absolute, for numbers up to 11; padding alone changes torch's result by 4e-6


@pytest.fixture(scope="module")
def reference():
    file = Path(__file__).parents[2] / "results" / "reference" / "minilm_states.npz"
    with np.load(file, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return Bert(tiny_bert.write(tmp_path_factory.mktemp("tiny"), tiny_bert.random_arrays()))


TINY_SENTENCES = ["the city is ugly .", "horse", "the black horse is very horsely gentle .", ""]


def test_the_states_of_minilm(bert, reference):
    states, mask = bert.states(reference["sentences"])
    assert states.dtype == np.float32 and states.shape == (7, *mask.shape, 384)
    np.testing.assert_array_equal(mask.sum(1), reference["lengths"])
    found = states[..., COORDINATES][:, mask]
    np.testing.assert_allclose(found, reference["states"], rtol=0, atol=WITHIN)
    np.testing.assert_allclose(states[:, :, 0], reference["cls_states"], rtol=0, atol=WITHIN)
    assert np.abs(reference["cls_states"]).max() > 5  # 1e-5 is six digits of the largest states


def test_the_attention_of_cls_in_minilm(bert, reference):
    tokens = bert.tokens(reference["sentences"])
    (attention,) = bert._run(tokens, lambda x, attention: [attention])
    assert attention.shape == (6, len(tokens.mask), 12, tokens.mask.shape[1])
    found = np.moveaxis(attention[:, :, HEADS], 2, -1)[:, tokens.mask]
    np.testing.assert_allclose(found, reference["cls_attention"], rtol=0, atol=WITHIN)


@pytest.mark.either_precision
def test_the_states_of_a_random_model_as_plain_numpy_finds_them(tiny):
    arrays, tokens = tiny_bert.random_arrays(), tiny.tokens(TINY_SENTENCES)
    states, mask = tiny.states(TINY_SENTENCES)
    assert states.dtype == np.float32 and tokens.mask.sum(1).tolist() == [7, 3, 11, 2]
    for number, row in enumerate(mask):
        wanted = tiny_bert.states(arrays, tokens.ids[number][row])
        np.testing.assert_allclose(states[:, number, row], wanted, rtol=0, atol=WITHIN)


def test_batches_change_nothing(tiny, monkeypatch):
    sentences = ["the city is ugly", "the horse is gentle", "very black city horse"] * 7
    whole, _ = tiny.states(sentences)
    monkeypatch.setattr(encoder, "TOKENS_AT_ONCE", 60)  # four of 21 sentences per batch
    monkeypatch.setattr(encoder, "FEW", 3)
    in_parts, _ = tiny.states(sentences)
    assert encoder.batch_shape(21, 6, tiny.longest) == (4, 14) and in_parts.shape == whole.shape
    np.testing.assert_allclose(in_parts, whole, rtol=0, atol=WITHIN)
    np.testing.assert_array_equal(tiny.cls_states(sentences), in_parts[:, :, 0])


def test_the_longest_sentence_is_computed_and_a_longer_one_refused(bert):
    assert bert.longest == 512
    states, mask = bert.states(["city " * 510])
    assert states.shape == (7, 1, 512, 384) and mask.all() and np.isfinite(states).all()
    with pytest.raises(ValueError, match="at most 512 tokens each, got 513 in sentence 1"):
        bert.states(["city", "city " * 511])


def test_the_place_of_a_word(bert):
    sentences = ["The city is bright.", "Unbelievably, gently."]
    tokens = bert.tokens(sentences)
    assert tokens.pieces[0] == ["[CLS]", "the", "city", "is", "bright", ".", "[SEP]"]
    places = [sentences[0].index("bright"), sentences[1].index("gently")]
    for number, index in enumerate(tokens.at(places)):
        start, end = tokens.spans[number, index]
        assert sentences[number][start:end].lower() == tokens.pieces[number][index]
    assert tokens.at(places)[0] == 4
    with pytest.raises(ValueError, match="place must be within a word, got 3 in sentence 0"):
        tokens.at([3, 0])
    with pytest.raises(ValueError, match="one whole number for each of the 2 sentences"):
        tokens.at([1.5, 2.0])
