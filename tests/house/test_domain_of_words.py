"""Sentences, probes and pairs, and experiments of one step, over their whole domain."""

import contextlib
from dataclasses import replace

import jax
import numpy as np
import pytest
from refused import refusal

from slrlib import experiments, language
from slrlib.experiments import PAPER
from slrlib.language.sentences import count_tokens

KEY = jax.random.key(2)


def test_sentences():
    """The place is that of the marked word, however few or many sentences and fillers there are."""
    sets = language.sentence_sets()
    for name, those in sets.items():
        words = {
            text[place:].split()[0].strip(".,")
            for text, place in zip(those[0], those.place, strict=True)
        }
        assert set(those.labels) == {1, -1} and len(words) < 20, name
        for n in (2, len(those.sentences)):
            some = language.subset(those, n, key=KEY)
            assert len(some.sentences) == n and abs(some.labels.sum()) <= 1
        few = language.subset(those, 2, key=KEY)
        for length in (20, 3000):
            for where in (0.0, 1.0, None):
                longer = language.hide(few, length, where=where, key=KEY)
                for i, text in enumerate(longer.sentences):
                    shift = longer.place[i] - few.place[i]
                    assert text[shift : shift + len(few.sentences[i])] == few.sentences[i]
                    assert count_tokens(text) <= length
    own = language.marked(["It is *nice*.", "*Bad*"], [1, -1])
    assert own.sentences == ["It is nice.", "Bad"] and own.place.tolist() == [6, 0]
    told = refusal(lambda: language.hide(few, 10**9, key=KEY))
    assert told == "length must be at most 100000 tokens, got 1000000000"


def tokens(n, T, D, size):
    """States of n sentences of up to T tokens, whose informative one is shifted along its label."""
    random = np.random.default_rng(n + T)
    mask = np.arange(T) < random.integers(1, T + 1, (n, 1))
    at, labels = random.integers(0, mask.sum(1)), np.where(np.arange(n) % 2, 1, -1)
    states = random.normal(size=(n, T, D))
    states[np.arange(n), at, 0] += 5
    states[np.arange(n), at, 1] += 3 * labels
    return (size * states).astype(np.float32), mask, at, labels


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
@pytest.mark.parametrize("n, T, D", [(2, 2, 2), (40, 5, 3)])
def test_probes_and_pairs_of_any_size(n, T, D, size):
    """States are standardised, so their size changes nothing; all shares are shares."""
    states, mask, at, labels = tokens(n, T, D, size)
    one = tokens(n, T, D, 1.0)[0]
    probe, same = (language.fit_probe(x[:, 0], labels) for x in (states, one))
    decided = language.decide(probe, states[:, 0])
    np.testing.assert_allclose(decided, language.decide(same, one[:, 0]), atol=1e-2)
    score = language.score(decided, labels)
    assert 0 <= score.low <= score.accuracy <= score.high <= 1 and 0 <= score.auc <= 1
    pairs = language.fit_pair_label_only(states, mask, labels, inits=1, steps=2, key=KEY)
    with contextlib.suppress(ValueError):  # a sentence where no token is uninformative
        pairs.append(language.fit_pair(states, mask, at, labels))
    for pair in pairs:
        found = language.project(pair, states, mask)
        assert np.all(np.isfinite(found.score[mask])) and np.all(found.score[~mask] == -np.inf)
        for lam in (0.0, 1e-9, 1.0, np.inf):
            assert np.all(np.isfinite(language.pair_predict(pair, states, mask, lam)))
        hits = language.hit_rates(pair, states, mask, at, labels)
        assert all(0 <= rate <= 1 for rate in hits)
        assert language.end_of(hits) in ("lost", "shortcut", "found")
    assert [language.end_of(x) for x in ((0, 0), (1, 0), (1, 1))] == ["lost", "shortcut", "found"]


@pytest.mark.parametrize("lam", [0.0, 1e-300, 1.0, 1e300, np.inf])
def test_the_weight_of_each_token(lam):
    score = np.random.default_rng(3).normal(size=(50, 4)) * 10.0 ** np.arange(-25, 25)[:, None]
    score[:, 3] = -np.inf
    weights = language.attend(score, lam)
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-6)
    assert np.all(weights >= 0) and not np.any(weights[:, 3])
    if lam in (0.0, 1.0):
        lower = np.exp(np.minimum(lam * (score[:, :3] - score[:, :3].max(-1, keepdims=True)), 0))
        np.testing.assert_allclose(weights[:, :3], lower / lower.sum(-1, keepdims=True), rtol=1e-5)


def test_a_folder_that_is_no_model(tmp_path):
    told = refusal(lambda: language.load(tmp_path))
    assert told.startswith(
        "name_or_folder must hold config.json, tokenizer.json, model.safetensors"
    )


def test_experiments_of_one_step_or_none(tmp_path):
    """What is kept is what is made; what was not made is refused; a task at a corner ends well."""
    for task in (replace(PAPER["fig4a"].task, L=1.0), replace(PAPER["fig4a"].task, gamma=1e-9)):
        e = replace(PAPER["fig4a"], task=task, steps=1, log_every=1, repetitions=1)
        assert isinstance(e, experiments.Descent)
        result = experiments.run(e, folder=tmp_path)
        again = experiments.load(e, tmp_path)
        assert result.excess_risk.tobytes() == again.excess_risk.tobytes()
        assert np.all(np.isfinite(result.excess_risk))
    other = replace(e, seed=10**18)
    told = refusal(lambda: experiments.load(other, tmp_path))
    assert told.startswith("no finished result of fig4a with these parameters in ")
    with pytest.raises(KeyError):
        experiments.measured("fig4z")
