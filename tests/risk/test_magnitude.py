"""What lengths alone give away, against games that are really drawn and against quadrature."""

import numpy as np
import pytest
from chance import assert_mean
from scipy import integrate, stats

from slrlib import Task
from slrlib.risk.reference import noncentral, norm_only_hit_rate


def log_ratio(q, d, gamma):
    """log of the density of |X|^2, informative over other."""
    informative = stats.ncx2.logpdf(q / gamma**2, d, d / (2 * gamma**2)) - 2 * np.log(gamma)
    return informative - stats.chi2.logpdf(q, d)


@pytest.mark.parametrize(
    "d, L, gamma", [(400, 10, 0.5**0.5), (400, 10, 0.8), (20, 5, 0.6), (80, 3, 1.0), (6, 4, 1.4)]
)
def test_against_games(d, L, gamma):
    random = np.random.default_rng(d + L)
    games = 40_000
    informative = gamma**2 * random.noncentral_chisquare(d, d / (2 * gamma**2), games)
    others = random.chisquare(d, (games, L - 1))
    best = log_ratio(others, d, gamma).max(axis=1)
    wins = (log_ratio(informative, d, gamma) > best).astype(float)
    assert_mean(wins, norm_only_hit_rate(Task(d=d, L=L, gamma=gamma)))


def test_two_tokens_against_quadrature():
    """At gamma = 1 the ratio grows with the length, so the rule is to take the longer token."""
    d = 30

    def win(q):
        return stats.ncx2.pdf(q, d, d / 2) * stats.chi2.cdf(q, d)

    exact = integrate.quad(win, 0, 400, epsabs=1e-12)[0]
    assert norm_only_hit_rate(Task(d=d, L=2, gamma=1.0)) == pytest.approx(exact, abs=1e-5)


def test_the_value_of_the_book():
    rate = norm_only_hit_rate(Task(d=400, L=10))
    assert rate == pytest.approx(0.1150115, abs=2e-6)


@pytest.mark.parametrize("gamma", [0.5, 0.5**0.5, 0.9])
@pytest.mark.parametrize("d", [2, 400, 10**6])
def test_never_below_chance_and_never_above_one(d, gamma):
    assert 0.1 <= norm_only_hit_rate(Task(d=d, L=10, gamma=gamma)) <= 1 + 1e-12


def test_one_token_is_always_found():
    assert norm_only_hit_rate(Task(d=40, L=1)) == pytest.approx(1.0, abs=1e-12)


def test_a_location_that_is_not_uniform_is_refused():
    with pytest.raises(ValueError, match=r"^task\.p must be None"):
        norm_only_hit_rate(Task(d=40, L=2, p=[0.3, 0.7]))


@pytest.mark.parametrize("freedom, shift", [(2, 1e5), (400, 2e5), (1e6, 1e6), (1e6, 1e5)])
def test_the_closed_form_for_a_large_shift_is_that_of_the_series(freedom, shift):
    """A chi-square whose mean is far from zero, as for large d: here SciPy still has its series."""
    mean, spread = freedom + shift, np.sqrt(2 * (freedom + 2 * shift))
    at = mean + spread * np.linspace(-4, 4, 9)
    np.testing.assert_allclose(
        noncentral(at, freedom, shift), stats.ncx2.cdf(at, freedom, shift), rtol=0, atol=3e-8
    )
