"""Probes and pairs on tokens with a known solution, and on the real model."""

from dataclasses import replace
from types import SimpleNamespace

import jax
import numpy as np
import pytest
from scipy import stats

from slrbook.paired import holm, paired
from slrlib import language
from slrlib.experiments import ALL, PAPER, draws, load, run
from slrlib.experiments.draws import WordDraws
from slrlib.experiments.lengths import TextLength
from slrlib.experiments.reading import SETS
from slrlib.experiments.tokens import ROLES
from slrlib.language.pair import concatenated, hits_of_heads, mean_pooled
from slrlib.language.sentences import random_lists

pytestmark = pytest.mark.optimized

D, T = 12, 7


def made(n, seed, key=4.0, value=3.0):
    """Tokens as in the paper: one of T has a shift along axis 0 and the label along axis 1."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, T + 1, n)
    mask, rows = np.arange(T) < lengths[:, None], np.arange(n)
    at, labels = rng.integers(0, lengths), np.where(np.arange(n) % 2, 1, -1)
    states = 0.5 * rng.standard_normal((n, T, D)).astype(np.float32)
    states[rows, at, 0] += key
    states[rows, at, 1] += value * labels
    states[~mask] = 1e6  # padding must have no effect
    return SimpleNamespace(states=states, mask=mask, at=at, labels=labels)


TRAIN, TEST = made(300, 0), made(200, 1)


def test_a_probe_meets_its_optimality_conditions():
    x, labels, penalty = TRAIN.states[:, 0], TRAIN.labels, 3.0
    probe = language.fit_probe(x, labels, penalty)
    columns = (x - probe.mean) / probe.scale
    pull = labels / (1 + np.exp(labels * language.decide(probe, x)))
    np.testing.assert_allclose(columns.T @ pull, penalty * probe.weight, atol=0.05)
    assert abs(pull.sum()) < 0.05


def test_the_area_counts_pairs_and_half_of_the_ties():
    rng = np.random.default_rng(2)
    labels = np.where(rng.uniform(size=90) < 0.4, 1, -1)
    for decisions in (rng.standard_normal(90) + labels, rng.integers(0, 3, 90), np.zeros(90)):
        found = language.score(decisions, labels)
        gap = decisions[labels > 0][:, None] - decisions[labels < 0]
        assert found.auc == pytest.approx(np.mean((1 + np.sign(gap)) / 2), abs=1e-12)
        assert found.accuracy == np.mean(np.where(decisions > 0, 1, -1) == labels)
        assert found.low <= found.accuracy <= found.high


def by_hand(pair, those, lam):
    """The predictor, sentence by sentence, from its formula."""
    out = []
    for x, there in zip(those.states, those.mask, strict=True):
        x = (x[there].astype(float) - pair.mean) / pair.scale
        weights = np.exp(lam * (x @ pair.k))
        out.append(weights @ (x @ pair.v + pair.bias) / weights.sum())
    return np.array(out)


@pytest.fixture(scope="module")
def told():
    return language.fit_pair(TRAIN.states, TRAIN.mask, TRAIN.at, TRAIN.labels, penalty=1.0)


def learn(those, **options):
    options = {"rate": 0.02, "key": jax.random.key(0), **options}
    return language.fit_pair_label_only(those.states, those.mask, those.labels, **options)


def hits_on(pair, those):
    return language.hit_rates(pair, those.states, those.mask, those.at, those.labels)


def test_the_prediction_is_its_formula(told):
    lam = 2.0
    predicted = language.pair_predict(told, TEST.states, TEST.mask, lam)
    np.testing.assert_allclose(predicted, by_hand(told, TEST, lam), rtol=1e-3, atol=1e-3)


def test_attention_is_a_law_on_the_tokens_that_are_there(told):
    projected = language.project(told, TEST.states, TEST.mask)
    for lam in (0, 1e-9, 1.0, 300.0, np.inf):
        weights = language.attend(projected.score, lam)
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
        assert np.all(weights[~TEST.mask] == 0)
    hardest = language.attend(projected.score, np.inf)
    assert np.array_equal(hardest.argmax(-1), projected.score.argmax(-1))
    assert set(np.unique(hardest)) == {0.0, 1.0}
    equal = TEST.mask / TEST.mask.sum(1)[:, None]
    assert language.attend(projected.score, 0) == pytest.approx(equal)


def test_the_pair_is_found_with_the_places_known(told):
    hits = hits_on(told, TEST)
    predicted = language.pair_predict(told, TEST.states, TEST.mask)
    assert min(hits) > 0.97 and language.end_of(hits) == "found"
    assert language.score(predicted, TEST.labels).accuracy > 0.97
    assert abs(told.k[0]) > 5 * np.abs(told.k[2:]).max()
    assert abs(told.v[1]) > 5 * np.abs(told.v[2:]).max()


def test_the_pair_is_found_from_labels_that_need_the_place():
    """With weak labels, no single token reveals the label by its value."""
    train, test = (made(300, seed, key=3.0, value=1.0) for seed in (0, 1))
    for pair in learn(train):
        hits = hits_on(pair, test)
        assert min(hits) > 0.75 and language.end_of(hits) == "found"
        predicted = language.pair_predict(pair, test.states, test.mask)
        assert language.score(predicted, test.labels).accuracy > 0.9


def test_strong_labels_allow_the_shortcut():
    """Here k may search for one label instead of the position and still solve the train set."""
    for pair in learn(TRAIN):
        hits = hits_on(pair, TEST)
        assert language.end_of(hits) == "shortcut" and max(hits) > 0.95 and min(hits) < 0.2
        predicted = language.pair_predict(pair, TEST.states, TEST.mask)
        assert language.score(predicted, TEST.labels).accuracy > 0.97
        assert np.sign(pair.k @ pair.v) == np.sign(hits[0] - hits[1])


def test_learning_ends_where_no_move_lowers_the_loss():
    penalty, rng = 0.03, np.random.default_rng(0)
    (pair,) = learn(TRAIN, inits=1, steps=3000, penalty=penalty)

    def loss(numbers):
        k, v, bias = numbers[:D], numbers[D:-1], numbers[-1]
        margins = by_hand(pair._replace(k=k, v=v, bias=bias), TRAIN, 1.0) * TRAIN.labels
        return np.mean(np.logaddexp(0, -margins)) + penalty / 2 * (k @ k + v @ v)

    end = np.r_[pair.k, pair.v, pair.bias]
    least = loss(end)
    assert least < 0.7 * np.log(2)
    for _ in range(10):
        move = 0.03 * rng.standard_normal(2 * D + 1)
        assert np.min([loss(end + move), loss(end - move)]) > least


def test_a_mean_and_a_row_of_tokens_leave_padding_out():
    states = np.arange(12.0).reshape(2, 3, 2)
    mask = np.array([[True, True, False], [True, True, True]])
    assert mean_pooled(states, mask).tolist() == [[1, 2], [8, 9]]
    assert concatenated(states, mask, 3).tolist() == [[0, 1, 2, 3, 0, 0], [6, 7, 8, 9, 10, 11]]
    assert concatenated(states, mask, 4).shape == (2, 8)


def test_heads_are_asked_for_words_only():
    attention = np.zeros((1, 2, 2, 5))
    attention[..., 0], attention[..., 3] = 0.5, 0.3  # [CLS]; the last token of the first sentence
    attention[0, 0, 0, 2] = attention[0, 1, 0, 1] = 0.2
    mask = np.array([[True, True, True, True, False], [True] * 5])
    assert hits_of_heads(attention, [2, 3], mask).tolist() == [[1.0, 0.5]]


# The real model, with few sentences.


@pytest.fixture(scope="module")
def planes():
    return run(replace(PAPER["fig2"], layers=(5,), sentences=60))


def test_tokens_of_unseen_words_fall_apart_in_the_plane(planes):
    mean = {name: planes.score[0][planes.role == i].mean() for i, name in enumerate(ROLES) if i > 0}
    assert min(mean["positive"], mean["negative"]) > mean["distractor"] + 2 > mean["other"] + 2
    value = planes.value[0]
    assert value[planes.role == 3].mean() > 3 and value[planes.role == 4].mean() < -3
    assert np.all(np.sum(planes.role >= 3, axis=1) == 1)
    assert np.all(np.sum(planes.role == 2, axis=1) == 1)
    places, times = np.unique(planes.role >= 3, axis=0, return_counts=True)
    assert len(places) == 3 and max(times) < 40, "the place varies, as both patterns are there"


def test_the_probe_by_layer_in_short(tmp_path):
    short = replace(PAPER["fig1"], most=100)
    probed = run(short, folder=tmp_path)
    assert probed.accuracy.shape == probed.auc.shape == (7, len(SETS))
    assert probed.n.tolist() == [100, 100, 100, 100, 96]
    assert np.all(probed.accuracy[0] == 0.5) and np.all(probed.accuracy[1:, 0] == 1)
    assert np.all((probed.low <= probed.accuracy) & (probed.accuracy <= probed.high))
    assert np.all(probed.accuracy[1:, 1] > 0.5)
    again = run(short, folder=tmp_path)
    assert all(np.array_equal(a, b) for a, b in zip(probed, again, strict=True))
    assert len(list(tmp_path.iterdir())) == 1


def test_one_draw_in_short():
    short = WordDraws("draws", draws=1, train=200, test=40, layers=(5,), inits=2)
    drawn = run(short)
    assert drawn.cls.shape == drawn.told.shape == (1, 7, 5)
    assert drawn.learned.shape == (1, 1, 2, 5) and drawn.learned_hits.shape == (1, 1, 2, 5, 2)
    assert np.all(drawn.told[:, :, 0] == 1) and np.all(drawn.told[:, :, 1] > 0.9)
    assert np.all(drawn.told_hits[:, :, 0] > 0.95)
    assert set(drawn.ends.ravel()) <= {"found", "shortcut", "lost"}


def test_long_texts_in_short(planes):
    few = {"lengths": (32, 128), "sentences": (40, 20), "labels": 320}
    hidden = run(TextLength("distance", chosen=("test",), **few))
    assert hidden.cls.shape == hidden.told.shape == (1, 2)
    assert hidden.told[0, 1] > 0.75 > hidden.cls[0, 1]
    assert hidden.learned.shape == (1, 2, 4)
    assert hidden.ends.shape == (4,) and set(hidden.ends) <= {"found", "shortcut", "lost"}


def test_a_control_task_gives_each_word_one_random_label():
    lists = random_lists(key=jax.random.key(0))
    true = language.sentence_sets(lists)
    control = draws.relabeled(true, lists, key=jax.random.key(1))
    signs = {}
    for name, those in control.items():
        assert those.sentences == true[name].sentences
        assert abs(those.labels @ true[name].labels) < len(those.labels)
        for text, place, label in zip(those.sentences, those.place, those.labels, strict=True):
            signs.setdefault(text[place:].split()[0].rstrip("."), set()).add(int(label))
    assert set(signs) == {word for both in (*lists.seen, *lists.unseen) for word in both}
    assert all(len(each) == 1 for each in signs.values())
    assert sum(min(each) for each in signs.values()) == 0, "as many of each sign"


def test_one_layer_of_a_stored_sample_comes_out_again():
    """Deterministic fits agree with the stored ones, up to a few sentences of each set."""
    stored, e, layer = load("draws"), ALL["draws"], 4
    sets, _ = e.sets(e.draws - 1)
    linear = [draws.probe_scores(sets, layer, each) for each in draws.summaries(sets)]
    told = draws.on_all(draws.told_pair(sets, layer), sets, layer)
    fresh = [[score.accuracy for score in each] for each in linear] + [told.score.accuracy]
    kept = [x[-1, layer] for x in (stored.cls, stored.mean, stored.joined, stored.told)]
    np.testing.assert_allclose(fresh, kept, atol=0.05)
    np.testing.assert_allclose(told.hits, stored.told_hits[-1, layer], atol=0.05)


def test_an_untrained_encoder_has_random_weights_and_the_same_architecture():
    bert = language.load()
    one, again = (bert.untrained(key=jax.random.key(0)) for _ in range(2))
    assert one.shape == bert.shape and one.tokenizer is bert.tokenizer
    shapes = jax.tree.map(lambda x: x.shape, one.weights)
    assert shapes == jax.tree.map(lambda x: x.shape, bert.weights)
    assert np.std(one.weights.blocks.up.weight) == pytest.approx(0.02, rel=0.01)
    assert np.all(one.weights.blocks.block_norm.weight == 1)
    mine, same, others = (b.cls_states(["A white cat."]) for b in (one, again, bert))
    assert np.array_equal(mine, same) and np.abs(mine - others).max() > 0.1


def test_paired_differences_are_tested_as_by_scipy():
    x = np.random.default_rng(1).standard_normal((10, 4)) + 0.5
    found, expected = paired(x), stats.ttest_1samp(x, 0)
    np.testing.assert_allclose(found.p, expected.pvalue, rtol=1e-8)
    interval = expected.confidence_interval()
    np.testing.assert_allclose(found.mean - found.half, interval.low, rtol=1e-10)
    np.testing.assert_allclose(found.mean + found.half, interval.high, rtol=1e-10)
    assert paired([1.0, 3.0])[:2] == pytest.approx((2.0, 12.7062), abs=1e-4)
    same = paired([[0.0, 0.2]] * 5)
    assert same.p.tolist() == [1, 0] and same.half.tolist() == [0, 0]


def test_a_difference_of_the_detectable_size_is_detected_as_often_as_promised():
    """The power of a t-test from the noncentral t distribution."""
    x = np.random.default_rng(2).standard_normal(10)
    shift = paired(x).detectable / (x.std(ddof=1) / 10**0.5)
    assert stats.nct.sf(stats.t.isf(0.025, 9), 9, shift) == pytest.approx(0.8, abs=0.002)


def test_adjusted_p_values_are_those_of_holm():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([[0.5, 0.9], [0.001, 0.6]]) == pytest.approx(np.array([[1, 1], [0.004, 1]]))
