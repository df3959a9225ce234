"""Nothing is silently wrong: runs that are killed, files that are torn, schedules of one's own."""

import random
from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest
from tiny import TINY

from slrbook.command.making import make
from slrlib import store
from slrlib.dynamics import constant, inverse_decay
from slrlib.dynamics.schedules import held, identity, values
from slrlib.experiments import PAPER, load, run

SHORT = replace(PAPER["fig7b"], steps=400, log_every=20, repetitions=4)


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(leaves(a), leaves(b), strict=True))


def close(a, b):
    """Equal but for rounding."""
    np.testing.assert_allclose(a.excess_risk, b.excess_risk, rtol=1e-9)


def leaves(result):
    return [x for field in result for x in (field if isinstance(field, tuple) else [field])]


class Own:
    """A schedule whose ``repr`` is that of any other, as two functions at one address have."""

    def __init__(self, lam):
        self.lam = lam

    def __call__(self, t):
        return self.lam + 0.0 * jnp.asarray(t, float)

    def __repr__(self):
        return "<function <lambda> at 0x7f0000000000>"


def test_two_schedules_of_one_s_own_have_two_files(tmp_path):
    one, two = (replace(SHORT, schedule=Own(lam)) for lam in (0.1, 0.2))
    assert repr(one.schedule) == repr(two.schedule)
    found, other = (run(e, folder=tmp_path) for e in (one, two))
    close(found, run(SHORT))
    assert np.max(np.abs(other.excess_risk - found.excess_risk)) > 0.1


def test_what_tells_a_schedule():
    assert identity(constant(0.1), 40) == {"lam0": 0.1, "rate": 0.0}
    assert identity(held(inverse_decay(2.0, 1e-4), 7), 40)["until"] == 7.0
    own = [identity(Own(x), 40) for x in (0.1, 0.1, 0.2)]
    assert own[0] == own[1] != own[2]
    late = identity(lambda t: jnp.where(t < 40, 0.1, 0.3), 40)  # apart at the last step only
    assert late != own[0] and identity(lambda t: jnp.where(t < 41, 0.1, 0.3), 40) == own[0]
    assert identity(held(Own(0.1), 7), 40) == own[0]
    np.testing.assert_allclose(values(inverse_decay(1.0, 0.5), 2), [1, 2 / 3, 0.5])


def test_training_that_diverges_says_so_and_keeps_what_was_before(tmp_path):
    e = replace(TINY, repetitions=2, learning_rate=30.0, early=(1, 1), steps=41)
    sentence = (
        r"^tiny diverged at step \d+: reduce learning_rate, got 30\.0; "
        r"the rows before are kept in .*npz$"
    )
    for _ in range(2):  # the second time it begins behind the rows that are kept
        with pytest.raises(ValueError, match=sentence):
            run(e, folder=tmp_path)
    arrays, header = store.load(e.file(tmp_path))
    assert header["chunks"] < header["of"] and np.all(np.isfinite(arrays["excess_risk"]))
    with pytest.raises(ValueError, match=r"diverged at step \d+: reduce learning_rate, got 30\.0$"):
        run(e)
    with pytest.raises(ValueError, match="no finished result of tiny with these parameters in "):
        load(e, tmp_path)


def torn(file, rng):
    """Ways in which a file is spoilt: cut, or one byte changed."""
    whole = file.read_bytes()
    for part in (0, 1, len(whole) // 3, len(whole) - 1):
        yield whole[:part]
    for place in rng.sample(range(len(whole)), 100):
        yield whole[:place] + bytes([whole[place] ^ (1 << rng.randrange(8))]) + whole[place + 1 :]


def test_a_spoilt_file_gives_one_sentence_or_the_same_numbers(tmp_path):
    path = tmp_path / "x.npz"
    store.save(path, {"x": np.linspace(0, 1, 40), "n": np.arange(3)}, {"seed": 1})
    arrays, header = store.load(path)
    refused = 0
    for content in list(torn(path, random.Random(0))):
        path.write_bytes(content)
        try:
            again, its = store.load(path)
        except store.CorruptFile as sentence:
            assert str(sentence).startswith("path must be a file that slrlib.store wrote, got ")
            refused += 1
        else:  # a date or some such
            assert its == header and all(np.array_equal(again[n], arrays[n]) for n in arrays)
    assert refused > 50


def test_a_torn_result_is_refused(tmp_path):
    run(SHORT, folder=tmp_path)
    file = SHORT.file(tmp_path)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    sentence = r"^corrupt file .*7b-.*npz: delete it and run the experiment again$"
    for read in (run, load, lambda e, folder: make([e], folder, processes=1, progress=False)):
        with pytest.raises(ValueError, match=sentence):
            read(SHORT, folder=tmp_path)


OUTDATED = (
    "computed with revision 1 of this experiment; the current revision is 2: recompute with "
    "--afresh"
)


def test_a_result_of_another_revision_is_read_with_a_warning(tmp_path, caplog, monkeypatch):
    made = run(SHORT, folder=tmp_path)
    assert store.load(SHORT.file(tmp_path))[1]["revision"] == 1
    assert same(run(SHORT, folder=tmp_path), made) and same(load(SHORT, tmp_path), made)
    assert not caplog.records
    monkeypatch.setattr(type(SHORT), "revision", 2)
    assert same(run(SHORT, folder=tmp_path), made) and same(load(SHORT, tmp_path), made)
    said = [record.getMessage() for record in caplog.records]
    assert said == [f"{SHORT.file(tmp_path)} was {OUTDATED}", f"{SHORT.name} was {OUTDATED}"]


def test_an_unknown_name_is_one_sentence():
    with pytest.raises(KeyError) as wrong:
        PAPER["fig4"]
    assert str(wrong.value) == "name must be an experiment (similar: fig4a, fig4b), got 'fig4'"
    assert "fig4" not in PAPER and PAPER.get("fig4") is None
