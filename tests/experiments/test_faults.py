"""Failures are reported: interrupted runs, corrupt files, user-defined schedules."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest
from equal import same
from tiny import TINY

from slrbook.results import make
from slrlib import store
from slrlib.dynamics import constant, inverse_decay
from slrlib.dynamics.schedules import held, values
from slrlib.experiments import PAPER, load, run
from slrlib.experiments.base import plain

SHORT = replace(PAPER["fig7b"], steps=400, log_every=20, repetitions=4)


class Own:
    """A schedule whose ``repr`` equals that of others, like two functions at one address."""

    def __init__(self, lam):
        self.lam = lam

    def __call__(self, t):
        return self.lam + 0.0 * jnp.asarray(t, float)

    def __repr__(self):
        return "<function <lambda> at 0x7f0000000000>"


def test_what_tells_a_schedule(tmp_path):
    one, two = (replace(SHORT, schedule=Own(lam), steps=40) for lam in (0.1, 0.2))
    found, other = (run(e, folder=tmp_path) for e in (one, two))  # in two files
    plainly = run(replace(SHORT, steps=40))
    np.testing.assert_allclose(found.excess_risk, plainly.excess_risk, rtol=1e-9)
    assert np.max(np.abs(other.excess_risk - found.excess_risk)) > 0.1
    assert plain(constant(0.1), 40) == {"lam0": 0.1, "rate": 0.0}
    assert plain(held(inverse_decay(2.0, 1e-4), 7), 40)["until"] == 7.0
    own = [plain(Own(x), 40) for x in (0.1, 0.1, 0.2)]
    assert own[0] == own[1] != own[2]
    late = plain(lambda t: jnp.where(t < 40, 0.1, 0.3), 40)  # they differ at the last step only
    assert late != own[0] and plain(lambda t: jnp.where(t < 41, 0.1, 0.3), 40) == own[0]
    assert plain(held(Own(0.1), 7), 40) == own[0]
    np.testing.assert_allclose(values(inverse_decay(1.0, 0.5), 2), [1, 2 / 3, 0.5])


def test_training_that_diverges_says_so_and_keeps_what_was_before(tmp_path):
    e = replace(TINY, repetitions=2, learning_rate=30.0, early=(1, 1), steps=41)
    sentence = r"^tiny diverged at step \d+: reduce learning_rate, got 30\.0$"
    for _ in range(2):  # the second attempt resumes after the stored rows
        with pytest.raises(ValueError, match=sentence):
            run(e, folder=tmp_path)
    arrays, header = store.load(e.file(tmp_path))
    assert header["chunks"] < header["of"] and np.all(np.isfinite(arrays["excess_risk"]))
    with pytest.raises(ValueError, match="no finished result of tiny with these parameters in "):
        load(e, tmp_path)


def test_a_torn_result_is_refused_and_one_of_another_revision_is_read_with_a_warning(
    tmp_path, caplog, monkeypatch
):
    made, file = run(SHORT, folder=tmp_path), SHORT.file(tmp_path)
    assert same(run(SHORT, folder=tmp_path), made) and same(load(SHORT, tmp_path), made)
    assert not caplog.records
    with monkeypatch.context() as patched:
        patched.setattr(type(SHORT), "revision", 2)
        assert same(run(SHORT, folder=tmp_path), made) and same(load(SHORT, tmp_path), made)
    for record, name in zip(caplog.records, (file, SHORT.name), strict=True):
        said = f"{name} was computed with revision 1 of this experiment; the current revision is 2"
        assert record.getMessage() == f"{said}: recompute with --afresh"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    sentence = r"^corrupt file .*7b-.*npz: delete it and run the experiment again$"
    for read in (run, load, lambda e, folder: make([e], folder)):
        with pytest.raises(ValueError, match=sentence):
            read(SHORT, folder=tmp_path)
