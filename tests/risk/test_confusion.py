"""The Bayes risk from pairs of tokens: compared with simulation, quadrature and its bounds."""

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from booksource import defined
from chance import LIMIT
from scipy import integrate, stats

from slrlib import Task
from slrlib.risk import (
    bayes_excess_risk,
    bayes_log_ceiling,
    bayes_log_gap,
    exact_softmax_excess_risk,
)

pytestmark = pytest.mark.optimized

ROOT_HALF = 0.5**0.5


@pytest.mark.parametrize(("d", "L", "gamma"), [(6, 2, 0.5), (4, 2, 2.0)])
def test_two_tokens_against_simulation_of_the_sequences(d, L, gamma):
    task = Task(d, L, gamma)
    mean, error = map(float, bayes_excess_risk(task, samples=60_000, key=jax.random.key(1)))
    exact = float(jnp.exp(bayes_log_ceiling(task)))
    assert abs(mean - exact) < LIMIT * error < 0.05 * exact


@pytest.mark.parametrize(("d", "L", "gamma"), [(20, 10, ROOT_HALF), (40, 10, 3.0)])
def test_more_tokens_lie_between_the_bounds(d, L, gamma):
    task = Task(d, L, gamma)
    mean, error = map(float, bayes_excess_risk(task, samples=30_000, key=jax.random.key(2)))
    ceiling, gap = float(jnp.exp(bayes_log_ceiling(task))), float(jnp.exp(bayes_log_gap(task)))
    assert ceiling * max(1 - gap, 1 / (L - 1)) - LIMIT * error < mean < ceiling + LIMIT * error


def test_the_gap_is_the_affinity_of_three_laws():
    d, gamma = 3, 0.8  # one coordinate along k* and two orthogonal to it

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


@pytest.mark.parametrize("power", [0.04, 1.0, 9.0])
def test_the_leading_order_in_many_digits(power):
    """From the posterior of two tokens, by mpmath; the next order is relative 1 / d."""
    leading = defined("what_attention_reaches", "leading", np=np)["leading"]
    power, ratios = mp.mpf(power), []
    a, gap = 2 * (power - 1) / (1 + power), 1 + power
    for d in (100, 400):

        def f(x, d=d):
            wide = 1 + (a * x) ** 2
            bell = mp.exp(-4 * power * d / gap**3 * x**2 / wide) / wide ** (1 + mp.mpf(d) / 2)
            return bell / mp.cosh(mp.pi * x)

        half = mp.quad(f, [0, 0.01, 0.03, 0.1, 0.3, 1, 4, 16])
        overlap = (2 * mp.sqrt(power) / gap) ** d * mp.exp(-mp.mpf(d) / (4 * gap))
        exact = overlap * 2 * power / gap * half
        ratios.append(float(leading(d, float(power)) / exact) - 1)
        ours = float(bayes_log_ceiling(Task(d, 2, float(power) ** 0.5)))
        assert abs(ours - float(mp.log(exact))) < 1e-9
    assert 0 < ratios[0] < 0.06 and abs(4 * ratios[1] / ratios[0] - 1) < 0.1


def missed(rng, d, L, gamma, n):
    """n samples of t_J^2 (1 - pi_J), from the score and length of each token."""
    r, total = (d / 2) ** 0.5, []
    for _ in range(n):
        s, t = rng.normal(size=L), rng.normal(size=L)
        q = rng.chisquare(d - 2, L)
        s[0], t[0], q[0] = r + gamma * s[0], gamma * t[0], gamma**2 * q[0]
        log_odds = (s * s - ((s - r) / gamma) ** 2 + (1 - gamma**-2) * (t * t + q)) / 2
        weight = np.exp(log_odds - log_odds.max())
        total.append(t[0] ** 2 * np.sum(weight[1:]) / np.sum(weight))
    return np.array(total)


@pytest.mark.parametrize("gamma", [ROOT_HALF, 1.6])
def test_the_wall_by_sampled_likelihood_ratios(gamma):
    D = 0.25 + (gamma**2 - 1 - np.log(gamma**2)) / 2
    rng, d = np.random.default_rng(5), round(5 / D)
    shares = []
    for L in (5, 140, 2700):  # log(L) / d is near 0.3 D, D, 1.6 D; both gamma share three programs
        values = missed(rng, d, L, gamma, 1500)
        mean, error = values.mean(), values.std() / len(values) ** 0.5
        task = Task(d, L, gamma)
        other = bayes_excess_risk(task, samples=500, key=jax.random.key(L))
        assert abs(mean - other.mean) < LIMIT * np.hypot(error, other.error)
        shares.append(mean / gamma**2)
    assert shares[0] < 0.15 and 0.3 < shares[1] < 0.5 < shares[2]


def test_the_wall_of_softmax_at_equal_spreads():
    """At gamma = 1 softmax is Bayes-optimal, and the threshold of log(L) / d is a quarter."""
    shares = {}
    for q in (0.15, 0.2, 0.3):
        for d in (40, 80, 120):
            task = Task(d, float(np.round(np.exp(q * d))), 1.0)
            shares[q, d] = float(exact_softmax_excess_risk(task.signal, task))
    for d, further in ((40, 80), (80, 120)):
        assert shares[0.15, further] < shares[0.15, d] and shares[0.2, further] < shares[0.2, d]
        assert shares[0.3, further] > shares[0.3, d]
    assert shares[0.15, 120] < 0.05 and shares[0.3, 120] > 0.75
