"""Figure 9: its parameters, a short version of it, and its stored result."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest

from slrlib import heads
from slrlib.experiments import PAPER, run
from slrlib.experiments.heads import HeadsDescentResult
from slrlib.task import Teacher

SHORT = replace(PAPER["fig9"], steps=40, log_every=10, repetitions=4)


def test_a_short_run():
    shared, e = True, replace(SHORT, shared_noise=True)
    found = run(e)
    assert isinstance(found, HeadsDescentResult)
    assert found.step.tolist() == [0, 10, 20, 30, 40]
    np.testing.assert_allclose(found.lam, 2 / (1 + 2e-4 * found.step), rtol=1e-12)
    assert found.excess_risk.shape == (5, 4) and found.kappa.shape == found.nu.shape == (5, 4, 2, 2)
    np.testing.assert_allclose(np.einsum("rii->ri", found.gram), 1.0, atol=1e-12)
    k_star, v_star, k, v = np.split(np.arange(8), 4)
    for field, rows, columns in ((found.kappa, k, k_star), (found.nu, v, v_star)):
        np.testing.assert_allclose(field[-1], found.gram[:, rows][:, :, columns], atol=1e-6)
    values, axes = np.linalg.eigh(found.gram)
    x = jnp.asarray(axes * np.sqrt(np.maximum(values, 0))[:, None, :])
    teachers, K, V = Teacher(x[:, :2], x[:, 2:4]), x[:, 4:6], x[:, 6:8]
    risk = heads.excess_risk(K, V, teachers, found.lam[-1], e.task, shared_noise=shared)
    np.testing.assert_allclose(found.excess_risk[-1], risk, rtol=1e-9)


def test_the_parameters_are_the_paper_s_and_a_slice_of_the_repetitions_is_the_same():
    e = PAPER["fig9"]
    got = e.task.d, e.task.L, e.batch, e.alpha, e.steps, e.heads, e.locations, e.shared_noise
    assert got == (80, 10, 5, 1e-3, 100_000, 2, 2, False)
    assert e.schedule(0) == 2.0 and float(e.schedule(60_000)) == pytest.approx(1 / 3)
    whole, part = run(SHORT), run(replace(SHORT, repetitions=2))
    np.testing.assert_array_equal(whole.excess_risk[0, :2], part.excess_risk[0])
    np.testing.assert_allclose(whole.excess_risk[:, :2], part.excess_risk, rtol=1e-9)
