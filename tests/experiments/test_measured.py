"""What the chapter on language measures, and what it shows when the model is not installed."""

import numpy as np
import pytest

from slrbook import recheck, results
from slrbook.explorers.read_a_sentence import table as sentence_table
from slrlib.experiments import ALL, is_live, load, measured
from slrlib.experiments.catalogue import STORED
from slrlib.experiments.reading import told_pair
from slrlib.experiments.tokens import AttentionHeadsResult, WordFlipResult
from slrlib.language import extra

pytestmark = pytest.mark.optimized


@pytest.fixture
def without_model(monkeypatch):
    monkeypatch.setattr(extra, "missing", lambda: "the wheel is not here")
    monkeypatch.setattr(extra, "available", lambda: False)


def test_without_the_model_each_number_is_there_all_the_same(without_model):
    assert not is_live()
    names = [name for name in STORED if ALL[name].needs_model]
    assert len(names) > 3
    for values in (x for name in names for x in measured(name)):
        assert values.size and (values.dtype.kind == "U" or np.all(np.isfinite(values)))


def test_the_command_says_what_it_needs(without_model, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.argv", ["experiments", str(tmp_path), "flip"])
    assert results.main() == 1 and capsys.readouterr().err == "the wheel is not here\n"
    assert not list(tmp_path.iterdir())


def test_one_word_flips_the_output():
    assert is_live()
    found = measured("flip")
    assert isinstance(found, WordFlipResult)
    good, bad = found.pieces
    assert [(a, b) for a, b in zip(good, bad, strict=True) if a != b] == [("nice", "nasty")]
    assert list(good[found.at]) == ["nice", "nice"]
    assert found.output[0] > 1 and found.output[1] < -1
    assert np.sum(found.weight * found.value, 1) == pytest.approx(found.output, abs=1e-4)
    kept = load("flip")
    assert found.output == pytest.approx(kept.output, abs=0.05)
    assert found.weight == pytest.approx(kept.weight, abs=0.01)


def test_the_stored_heads_are_those_of_the_model():
    found = measured("heads")
    kept = load("heads")
    assert isinstance(found, AttentionHeadsResult)
    assert found.informative == pytest.approx(kept.informative, abs=1e-4)
    assert found.hits == pytest.approx(kept.hits, abs=0.02)


def test_a_sample_strays_as_far_as_allowed_and_seldom_further():
    whole = np.arange(200) < 130  # correct answers, sorted by label
    rng = np.random.default_rng(0)
    halves = [np.argsort(rng.uniform(size=(20_000, 100)))[:, :20] + start for start in (0, 100)]
    away = np.abs(whole[np.hstack(halves)].mean(1) - whole.mean())
    allowed = recheck.sampling(40, 200, cases=1, chance=0.05)
    assert np.mean(away > allowed) < 0.05 and away.max() > allowed / 2
    several = recheck.sampling(np.array([40, 200]), np.array([200, 200]), cases=30)
    assert several[0] > allowed and several[1] == 0  # no sampling error if all sentences are used


def test_the_stored_probes_answer_again_and_others_are_noticed():
    stored = load("fig1")
    asked = recheck.ask(stored)
    allowed = recheck.sampling(asked.n, stored.n, stored.accuracy.size) + asked.doubtful
    assert asked.n.tolist() == [1000, 320, 320, 144, 96] and asked.accuracy.shape == (7, 5)
    assert np.all(np.abs(asked.accuracy - stored.accuracy) < allowed + 1e-9)
    assert np.all(allowed[1:] < 0.25)
    other = recheck.ask(stored._replace(weight=np.roll(stored.weight, 1, axis=1)))
    assert np.any(np.abs(other.accuracy - stored.accuracy) > allowed + 0.1)


def test_a_few_long_texts_are_heard_as_before():
    experiment = ALL["hidden"]
    stored = load(experiment)
    rows, heard = recheck.reread(experiment, 32, 3)
    assert rows.tolist() == [0, 47, 95] and heard.shape == (2, 3, 2)
    before = stored.decisions[:, experiment.lengths.index(32)][:, rows]
    np.testing.assert_allclose(heard, before, rtol=0, atol=0.05)
    assert np.abs(before[:, 0] - before[:, 1]).max() > 1  # the texts differ
    signs = (stored.decisions[..., 0] > 0).sum(-1)  # of the probe: nearly all equal in long texts
    assert np.all((signs[:, 3:] == 0) | (signs[:, 3:] == stored.n[None, 3:]))


def test_the_pair_of_the_explorer_is_the_one_that_the_chapter_shows(bert):
    """This test is here because the train set has already been encoded."""
    fitted, stored = told_pair(sentence_table.LAYER), sentence_table.pair()
    for name in ("k", "v"):
        one, other = getattr(fitted, name), getattr(stored, name)
        assert np.linalg.norm(one - other) < 0.02 * np.linalg.norm(one)
    assert stored.bias == pytest.approx(fitted.bias, abs=0.05)
    assert stored.mean == pytest.approx(fitted.mean, abs=1e-3)
    assert stored.scale == pytest.approx(fitted.scale, abs=1e-3)
