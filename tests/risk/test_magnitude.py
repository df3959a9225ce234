"""The information in lengths alone, compared with simulated games and with quadrature."""

import numpy as np
import pytest
from chance import assert_mean
from scipy import integrate, stats

from slrlib import Task
from slrlib.risk.reference import norm_only_hit_rate


def log_ratio(q, d, gamma):
    """log of the ratio of the densities of |X|^2, informative over other."""
    informative = stats.ncx2.logpdf(q / gamma**2, d, d / (2 * gamma**2)) - 2 * np.log(gamma)
    return informative - stats.chi2.logpdf(q, d)


@pytest.mark.parametrize("d, L, gamma", [(400, 10, 0.5**0.5), (20, 5, 0.6), (6, 4, 1.4)])
def test_against_games(d, L, gamma):
    random = np.random.default_rng(d + L)
    games = 40_000
    informative = gamma**2 * random.noncentral_chisquare(d, d / (2 * gamma**2), games)
    others = random.chisquare(d, (games, L - 1))
    best = log_ratio(others, d, gamma).max(axis=1)
    wins = (log_ratio(informative, d, gamma) > best).astype(float)
    assert_mean(wins, norm_only_hit_rate(Task(d=d, L=L, gamma=gamma)))


def test_two_tokens_against_quadrature():
    """At gamma = 1 the ratio increases with the length, so the rule selects the longer token."""
    d = 30

    def win(q):
        return stats.ncx2.pdf(q, d, d / 2) * stats.chi2.cdf(q, d)

    exact = integrate.quad(win, 0, 400, epsabs=1e-12)[0]
    assert norm_only_hit_rate(Task(d=d, L=2, gamma=1.0)) == pytest.approx(exact, abs=1e-5)
