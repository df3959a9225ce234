"""The Bayes risk from pairs of tokens: against simulation, quadrature and its bounds."""

import itertools

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from chance import LIMIT
from scipy import integrate, stats

from slrlib import Task
from slrlib.risk import bayes_excess_risk, bayes_log_ceiling, bayes_log_gap
from slrlib.risk.bayes import log_overlap

pytestmark = pytest.mark.optimised

ROOT_HALF = 0.5**0.5


def pair_by_quadrature(d, gamma):
    """log of half K by mpmath, from its definition as a mean over the log-likelihood ratio.

    Where gamma = 1 the difference of two log-likelihoods is normal, N(0, 2 b^2) with b^2 = d / 2.
    """
    assert gamma == 1
    deviation = mp.sqrt(d)

    def f(x):
        return mp.npdf(x, 0, deviation) / (2 * mp.cosh(x / 2))

    mean = mp.quad(f, [-200, -50, -10, -3, 0, 3, 10, 50, 200])
    return float(mp.log(mean) - mp.mpf(d) / 8)  # (t1 - t2)^2 has mean 2, halved


@pytest.mark.parametrize("d", [2, 20, 400])
def test_the_pair_at_equal_spreads_is_a_mean_over_one_normal_number(d):
    ours = float(bayes_log_ceiling(Task(d=d, L=2, gamma=1.0)))
    assert abs(ours - pair_by_quadrature(d, 1)) < 1e-11 * max(1, abs(ours))


@pytest.mark.parametrize(("d", "gamma"), [(2, 0.3), (9, 5.0), (400, ROOT_HALF), (100_000, 1.4)])
def test_the_integral_against_another_rule(d, gamma):
    gg = gamma**2
    a, bb = 2 * (gg - 1) / (1 + gg), 4 * gg * d / (1 + gg) ** 3
    width = 1 / np.sqrt(1 + d / 2 * a * a + bb)

    def f(xi):
        wide = 1 + (a * xi) ** 2
        sech = 2 * np.exp(-np.pi * xi) / (1 + np.exp(-2 * np.pi * xi))
        return sech * np.exp(-bb * xi**2 / wide - (1 + d / 2) * np.log(wide))

    ends = [0, *(width * x for x in (1, 2, 4, 8, 16, 32)), 40 + 64 * width]
    pieces = [integrate.quad(f, *x, epsabs=0, epsrel=1e-11)[0] for x in itertools.pairwise(ends)]
    exact = np.log(2 * gg / (1 + gg) * sum(pieces))
    task = Task(d=d, L=2, gamma=gamma)
    assert abs(float(bayes_log_ceiling(task) - log_overlap(task)) - exact) < 1e-9


@pytest.mark.parametrize(("d", "L", "gamma"), [(6, 2, 0.5), (10, 2, ROOT_HALF), (4, 2, 2.0)])
def test_two_tokens_against_simulation_of_the_sequences(d, L, gamma):
    task = Task(d, L, gamma)
    mean, error = map(float, bayes_excess_risk(task, samples=60_000, key=jax.random.key(1)))
    exact = float(jnp.exp(bayes_log_ceiling(task)))
    assert abs(mean - exact) < LIMIT * error < 0.05 * exact


@pytest.mark.parametrize(("d", "L", "gamma"), [(20, 10, ROOT_HALF), (80, 10, 1.0), (40, 10, 3.0)])
def test_more_tokens_lie_between_the_bounds(d, L, gamma):
    task = Task(d, L, gamma)
    mean, error = map(float, bayes_excess_risk(task, samples=30_000, key=jax.random.key(2)))
    ceiling, gap = float(jnp.exp(bayes_log_ceiling(task))), float(jnp.exp(bayes_log_gap(task)))
    assert ceiling * max(1 - gap, 1 / (L - 1)) - LIMIT * error < mean < ceiling + LIMIT * error


def test_the_gap_is_the_affinity_of_three_laws():
    d, gamma = 3, 0.8  # along k* and two times across it

    def moment(s):  # E of the likelihood ratio to the power s, by quadrature
        def along(x, mean):
            ratio = stats.norm.pdf(x, mean, gamma) / stats.norm.pdf(x)
            return ratio**s * stats.norm.pdf(x)

        signal = integrate.quad(along, -15, 15, args=((d / 2) ** 0.5,))[0]
        return signal * integrate.quad(along, -15, 15, args=(0.0,))[0] ** (d - 1)

    task, pair = Task(d, 7, gamma), Task(d, 2, gamma)
    power = 3 * gamma**2 / (1 + 2 * gamma**2)
    K = 2 * float(jnp.exp(bayes_log_ceiling(pair)))
    exact = 5 * 2 ** (-1 / 3) * power * moment(1 / 3) ** 3 / K
    np.testing.assert_allclose(float(jnp.exp(bayes_log_gap(task))), exact, rtol=1e-8)


def test_at_the_paper_s_setting_the_ceiling_is_the_risk_to_many_digits():
    assert float(bayes_log_gap(Task(d=400, L=10))) < np.log(1e-17)
    assert float(bayes_log_gap(Task(d=400, L=10, gamma=1.0))) < np.log(1e-5)


def test_the_integral_lies_between_its_elementary_bounds():
    rng = np.random.default_rng(0)
    d = np.round(np.exp(rng.uniform(np.log(2), np.log(1e6), 400)))
    gamma = 10 ** rng.uniform(-2, 2, 400)
    task, gg = Task(d, 2, gamma), gamma**2
    log_K = np.asarray(bayes_log_ceiling(task)) + np.log(2) - np.asarray(log_overlap(task))
    aa = (2 * (gg - 1) / (1 + gg)) ** 2
    V = d / 2 * aa + 4 * gg * d / (1 + gg) ** 3
    power = 2 * gg / (1 + gg)
    assert np.all(log_K <= np.log(power) + 1e-12)
    assert np.all(log_K >= np.log(power * np.sqrt(np.pi / (V + aa + np.pi**2 / 2))) - 1e-12)


def test_a_law_of_the_place_is_refused():
    with pytest.raises(ValueError, match="must be None here, a uniform place"):
        bayes_log_ceiling(Task(d=20, L=2, p=np.array([0.7, 0.3])))
