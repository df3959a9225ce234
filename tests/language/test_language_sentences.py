"""The sentence sets: sizes, balance, overlap, positions of words, hiding among fillers."""

import re
from functools import cache

import jax
import numpy as np
import pytest

from slrlib import language
from slrlib.experiments import PAPER, run
from slrlib.language import sentences as words
from slrlib.language.sentences import count_tokens, random_lists

# The numbers in the table of the paper's appendix.
SIZES = {"train": 15552, "test": 4608, "ood_tokens": 3072, "ood_structure": 144, "ood_both": 96}
FAMILIES = "book", "drawn"
FRAMES = [words.LISTS.train_frame, words.LISTS.test_frame, words.POOLS]
PAIRS = [words.LISTS.seen, words.LISTS.unseen, words.LISTS.city, words.ADJECTIVES]


@cache
def sets_of(family):
    lists = [] if family == "book" else [random_lists(key=jax.random.key(3))]
    return language.sentence_sets(*lists)


def word_at(text, place):
    return re.match(r"\w+", text[place:]).group()


def informative(those):
    return {word_at(*each) for each in zip(those.sentences, those.place, strict=True)}


def contents(text):
    return set(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_label_hangs_on_the_informative_word_alone(family):
    sets = sets_of(family)
    assert {name: len(each.sentences) for name, each in sets.items()} == SIZES
    assert all(each.labels.sum() == 0 for each in sets.values())
    sign = {}
    for each in sets.values():
        for text, label, place in zip(each.sentences, each.labels, each.place, strict=True):
            assert sign.setdefault(word_at(text, place), label) == label
    assert len(informative(sets["train"])) == 6 and len(sign) == 10
    everything = set().union(*map(contents, sets["train"].sentences))
    for name in ("ood_tokens", "ood_both"):
        unseen = informative(sets[name])
        assert len(unseen) == 4 and not unseen & everything
    for name, each in sets.items():
        assert np.all((each.distractor < 0) == ("structure" in name or "both" in name))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_distractor_tells_nothing(family):
    for name in ("train", "test", "ood_tokens"):
        each = sets_of(family)[name]
        by_word = {}
        for text, label, place in zip(each.sentences, each.labels, each.distractor, strict=True):
            by_word.setdefault(word_at(text, place), []).append(label)
        assert len(by_word) == 16 and all(sum(labels) == 0 for labels in by_word.values())


def test_frames_of_train_and_test_share_no_word():
    drawn = random_lists(key=jax.random.key(5))
    for lists in (words.LISTS, drawn):
        for slot in words.Frame._fields:
            one, other = (set(getattr(f, slot)) for f in (lists.train_frame, lists.test_frame))
            assert one & other == ({""} if slot == "adverb" else set())


def test_every_word_is_one_token(bert):
    vocabulary = bert.tokenizer.get_vocab()
    used = {word for pair in [*FRAMES, *PAIRS] for each in pair for word in each} - {""}
    used |= {word for text in words.FILLERS for word in contents(text)}
    used |= {w for p in ("The city is", "Hello, how are you? Good evening") for w in contents(p)}
    assert used - set(vocabulary) == set() and len(used) > 200


def test_a_subset_is_balanced_and_keeps_what_belongs_together():
    full = sets_of("book")["test"]
    part = language.subset(full, 101, key=jax.random.key(0))
    assert len(part.sentences) == 101 and part.labels.sum() == 1
    known = dict(zip(full.sentences, zip(*full[1:], strict=True), strict=True))
    for row in zip(*part, strict=True):
        assert known[row[0]] == row[1:]
    with pytest.raises(ValueError, match="n must be at most 4608, got 5000"):
        language.subset(full, 5000, key=jax.random.key(0))


@pytest.mark.parametrize("length", [20, 512])
def test_hidden_sentences_are_as_long_as_asked_and_still_there(length):
    part = language.subset(sets_of("book")["test"], 40, key=jax.random.key(1))
    hidden = language.hide(part, length, key=jax.random.key(length))
    for before, after in zip(zip(*part, strict=True), zip(*hidden, strict=True), strict=True):
        assert length - 4 <= count_tokens(after[0]) <= length
        assert before[0] in after[0] and before[1] == after[1]
        for old, new in zip(before[2:], after[2:], strict=True):
            assert word_at(before[0], old) == word_at(after[0], new)


def test_the_table_of_sizes():
    table = run(PAPER["table1"])
    assert dict(zip(table.name.tolist(), table.n.tolist(), strict=True)) == SIZES
    assert np.array_equal(2 * table.positive, table.n)
    assert table.tokens.tolist() == [14, 14, 14, 18, 18]


def test_the_table_of_parameters_is_read_off_the_experiments():
    table = run(PAPER["table2"])
    assert set(table.name) == {name for name, e in PAPER.items() if hasattr(e, "task")}
    rows = dict(zip(table.name, table.value.tolist(), strict=True))
    fig4a = ["400", "10", "0.707107", "0.1", "1 / (1 + 0.0001 t)", "-", "0.004", "-"]
    assert rows["fig4a"] == [*fig4a, "120000", "-", "30"]
