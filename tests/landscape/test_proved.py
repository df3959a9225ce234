"""Theorems about the thresholds of lam, checked for random tasks and to many digits."""

import jax
import mpmath as mp
import numpy as np
import pytest
from booksource import defined

from slrlib import Overlaps, Task, landscape, special
from slrlib.landscape.swapped import minimizer_determinant, swapped_hessian
from slrlib.risk import excess_risk, oracle_excess_risk
from slrlib.risk.closed import shorthand

COUNT = 4000
PAGE = defined(
    "lambda_must_fall", "threshold_margins", "swapped_end", jax=jax, np=np, shorthand=shorthand
)
MARGINS = jax.jit(PAGE["threshold_margins"])
MIRROR = defined("off_the_manifold", "mirror_step_size", np=np, special=special)


@pytest.fixture(scope="module")
def tasks():
    rng = np.random.default_rng(0)
    d = np.floor(np.exp(rng.uniform(np.log(2), np.log(1e5), COUNT)))
    L = np.floor(np.exp(rng.uniform(np.log(2), np.log(1e4), COUNT)))
    return Task(d, L, 10 ** rng.uniform(-2.5, 2, COUNT))


@pytest.fixture(scope="module")
def lams():
    return 10 ** np.random.default_rng(1).uniform(-3, 2, COUNT)


def mean(f):
    """E[f(x)] for a standard normal x, by quadrature."""
    return mp.quad(lambda x: f(x) * mp.npdf(x), [-9, -3, 0, 3, 9])


def test_the_pair_is_a_minimum_up_to_lambda_c_and_a_saddle_beyond_the_gap(tasks, lams):
    close = np.minimum(np.asarray(landscape.lambda_c(tasks)), 1e6)
    for lam in (lams, close * (1 - 1e-9), close * (1 + 0.2 * lams / 100)):
        s, e = map(np.asarray, MARGINS(lam, tasks))
        determinant = np.asarray(minimizer_determinant(lam, tasks))
        assert np.all(determinant[s > 1e-12] > 0) and np.sum(s > 1e-12) > 100
        assert np.all(determinant[s + e < -1e-9] < 0)
        others, gg = tasks.L - 1, tasks.gamma**2
        scale = 16 / np.pi * others * lam**2 / (1 + 2 * lam**2) * (tasks.d / 2 + gg)
        assert np.all(determinant / scale <= (s + e) * (1 + 1e-9) + 1e-9)
        assert np.all(e > 0) or lam.max() > 1


def test_the_margins_in_many_digits():
    """Compute the means by quadrature; use only the theorem's formula, not the closed forms."""
    d, L, gamma, lam = 20, 3, mp.mpf("0.8"), mp.mpf("0.6")
    with mp.workdps(20):
        r, n = mp.sqrt(mp.mpf(d) / 2), L - 1
        u, w = 1 + 2 * (lam * gamma) ** 2, 1 + 4 * (lam * gamma) ** 2
        A = lam * r / mp.sqrt(u)
        b = (lam * gamma) ** 2 / u
        C = mean(lambda x: mp.erf(lam * x) * x)
        squares = mean(lambda x: mp.erf(lam * x) ** 2 * (x**2 - 1))  # h
        H = squares + (L - 2) * C**2
        E1, f = 2 / mp.sqrt(mp.pi) * mp.exp(-(A**2)), mp.erfc(A / mp.sqrt(w))
        F1 = 2 / mp.sqrt(mp.pi * w) * mp.exp(-(A**2) / w)
        p = 2 * gamma**2 * A * (1 + 4 * b) * f + 4 * gamma**2 * b * F1
        p += 4 * n * C * gamma**2 * A / r
        P, size = 2 * n * H + E1 * p, r**2 + gamma**2
        mixed = 2 * n * C * r * mp.erfc(A) + 2 * gamma**2 * A * E1 * max(3 * f - 1 / u, 0)
        e = 2 * size * E1 * p + 2 * gamma**2 * A * E1 * (2 + f) * P + 4 * n * C * r * mixed
        e /= 4 * n * C**2 * size
        s = (4 * n * H * size - (2 * n * C * r) ** 2) / (4 * n * C**2 * size)
    got = MARGINS(float(lam), Task(d, L, float(gamma)))
    np.testing.assert_allclose(got, [float(s), float(e)], rtol=1e-10)


def test_below_the_bound_the_swapped_family_predicts_better(tasks):
    few = Task(tasks.d, 1.0, np.minimum(tasks.gamma, 2 * np.sqrt(tasks.d)))
    until = np.asarray(landscape.swapped_lower_until(few))
    for part in (1.0, 0.5):
        lam = part * until
        gap = np.asarray(oracle_excess_risk(lam, few) - landscape.swapped_excess_risk(lam, few))
        leading = 4 * few.gamma**2 / (3 * np.sqrt(np.pi)) * (lam * np.sqrt(few.d / 2)) ** 3
        assert np.min(gap / leading) > 0.1


def test_both_risks_by_quadrature_at_the_bound():
    """The oracle's risk from its definition; the swapped one with the best theta for k = v*."""
    d, gamma = 30, mp.mpf("1.3")
    task = Task(d, 1, 1.3)
    lam = mp.mpf(float(landscape.swapped_lower_until(task)))
    with mp.workdps(20):
        r = mp.sqrt(mp.mpf(d) / 2)
        oracle = gamma**2 * mean(lambda x: (1 - mp.erf(lam * (r + gamma * x))) ** 2)
        square = mean(lambda x: mp.erf(lam * gamma * x) ** 2)
        signal = gamma * mean(lambda x: mp.erf(lam * gamma * x) * x)
        theta = min(1, signal / (r * square))
        swapped = gamma**2 * (1 + square) - 2 * r * theta * signal + (r * theta) ** 2 * square
    assert oracle > swapped
    np.testing.assert_allclose(oracle_excess_risk(float(lam), task), float(oracle), rtol=1e-11)
    got = landscape.swapped_excess_risk(float(lam), task)
    np.testing.assert_allclose(got, float(swapped), rtol=1e-11)


def test_for_large_lam_the_sign_of_the_limit_decides(tasks):
    limit = PAGE["swapped_end"](tasks.d, tasks.L, tasks.gamma)
    clear = (np.abs(limit) > 0.02 * tasks.d) & (2 * tasks.gamma < np.sqrt(np.pi * tasks.d))
    lam = 1e5 * np.maximum(1, 1 / tasks.gamma)
    least = np.linalg.eigvalsh(np.asarray(swapped_hessian(lam, tasks)))[:, 0]
    assert np.sum(limit[clear] > 0) > 100 and np.sum(limit[clear] < 0) > 100
    assert np.array_equal(np.sign(least[clear]), np.sign(limit[clear]))


def test_on_the_mirror_manifold_order_is_kept_and_every_start_swaps():
    rng = np.random.default_rng(3)
    for task, lam in ((Task(400, 10), 0.1), (Task(20, 2, 3.0), 0.3), (Task(400, 10), 0.02)):
        alpha = float(MIRROR["mirror_step_size"](lam, task))
        law = float(landscape.swapped_overlaps(lam, task).theta)

        @jax.jit
        def step(pair, lam=lam, task=task, alpha=alpha):
            def risk(angles):
                theta, eta = jax.numpy.sin(angles)
                zero = jax.numpy.zeros_like(theta)
                return jax.numpy.sum(excess_risk(Overlaps(zero, zero, theta, eta, zero), lam, task))

            return pair - jax.numpy.arctan(alpha * jax.grad(risk)(pair))

        low = rng.uniform(-np.pi / 2, np.pi / 2, (2, 1000))
        high = rng.uniform(low, np.pi / 2)
        for _ in range(600):
            low, high = np.asarray(step(low)), np.asarray(step(high))
            assert np.min(high - low) > -1e-13
        theta, eta = np.sin(low)
        assert np.all(theta * eta > 0)
        np.testing.assert_allclose(np.abs([theta, eta]).T, [[law, 1.0]] * 1000, atol=1e-4)
