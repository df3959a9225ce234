"""What the chapter on language measures, and what it shows where the model is not installed."""

from pathlib import Path

import numpy as np
import pytest

from slrlib import language
from slrlib.experiments import measured as measuring
from slrlib.experiments.inside import Heads
from slrlib.experiments.looking import Flipped

RESULTS = Path(__file__).parents[1] / "results"


@pytest.fixture
def without_model(monkeypatch):
    monkeypatch.setattr(language, "missing", lambda: "the wheel is not here")
    monkeypatch.setattr(language, "available", lambda: False)
    monkeypatch.delenv("CI", raising=False)


@pytest.mark.parametrize("name", measuring.MEASURED)
def test_without_the_model_each_number_is_there_all_the_same(without_model, name):
    assert not measuring.is_live()
    found = measuring.measured(name, RESULTS)
    for values in found:
        assert values.size and (values.dtype.kind == "U" or np.all(np.isfinite(values)))


def test_where_ci_is_set_a_missing_model_is_an_error(without_model, monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(ModuleNotFoundError, match="the wheel is not here"):
        measuring.measured("flip", RESULTS)


def test_the_command_says_what_it_needs(without_model, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.argv", ["measured", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        measuring.main()
    assert stop.value.code == 1 and capsys.readouterr().err == "the wheel is not here\n"
    assert not list(tmp_path.iterdir())


def test_one_word_flips_the_output():
    assert measuring.is_live()
    found = measuring.measured("flip")
    assert isinstance(found, Flipped)
    good, bad = found.pieces
    assert [(a, b) for a, b in zip(good, bad, strict=True) if a != b] == [("nice", "nasty")]
    assert list(good[found.at]) == ["nice", "nice"]
    assert found.output[0] > 1 and found.output[1] < -1
    assert np.sum(found.weight * found.value, 1) == pytest.approx(found.output, abs=1e-4)
    kept = measuring.stored(measuring.MEASURED["flip"], RESULTS)
    assert found.output == pytest.approx(kept.output, abs=0.05)
    assert found.weight == pytest.approx(kept.weight, abs=0.01)


def test_the_stored_heads_are_those_of_the_model():
    found = measuring.measured("heads")
    kept = measuring.stored(measuring.MEASURED["heads"], RESULTS)
    assert isinstance(found, Heads)
    assert found.informative == pytest.approx(kept.informative, abs=1e-4)
    assert found.hits == pytest.approx(kept.hits, abs=0.02)
