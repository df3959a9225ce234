"""How often the norms of the tokens alone reveal which token is informative."""

from __future__ import annotations

import numpy as np
from scipy.special import chdtr, ndtr

from slrlib import checks
from slrlib.task import Task

_CELLS = 1200  # per distribution; more cells change the rate by less than 1e-5
_MANY = 1e5  # from this noncentrality on, Sankaran's closed form is good to 1e-6


def norm_only_hit_rate(task: Task) -> float:
    """Compute how often the norms of the tokens alone identify the informative token.

    The rule is the best that depends only on the norms. |X_l|^2 is chi-square with d degrees of
    freedom, or gamma^2 times a noncentral chi-square for the informative token, and the rule picks
    the largest likelihood ratio of the two. The computation divides the real line into cells; it is
    exact for the rule that sees only the cell of each norm and breaks ties at random.

    Parameters
    ----------
    task : Task
        One task (d, L, gamma) with a uniform location; its numbers cannot be traced.

    Returns
    -------
    float
        The probability that the rule is right, with an error below 1e-5.

    Examples
    --------
    >>> round(norm_only_hit_rate(Task(d=400, L=10)), 3)
    0.115

    Book: {eq}`eq-slr-law` (section 2 of the paper).
    """
    checks.task(task)
    if task.p is not None:
        raise ValueError("task.p must be None, that is, a uniform location")
    d, L = checks.count("task.d", task.d, 2), checks.count("task.L", task.L)
    gamma = float(checks.positive("task.gamma", task.gamma))
    mean, spread = d / 2 + gamma**2 * d, gamma * np.sqrt(2 * d * (1 + gamma**2))
    edges = _edges((d, np.sqrt(2 * d)), (mean, spread))
    under_other = np.diff(chdtr(d, edges))
    under_informative = np.diff(noncentral(edges / gamma**2, d, d / (2 * gamma**2)))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(under_informative > 0, under_informative / under_other, 0.0)
    order = np.argsort(ratio, kind="stable")
    mass = under_other[order]
    up_to = np.minimum(np.cumsum(mass), 1.0)
    before = up_to - mass
    # P(win | cell): all others at or below it, ties at random, ((a + m)^L - a^L) / (L m).
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = (up_to**L - before**L) / (L * mass)
    wins = np.where(mass > 1e-12, shared, up_to ** (L - 1))
    return float(np.sum(under_informative[order] * wins))


def noncentral(x, freedom, shift):
    """Compute the probability that a noncentral chi-square variable is at most x."""
    if shift < _MANY:
        from scipy.stats import ncx2  # as long to import as all that slrlib needs besides

        return ncx2.cdf(x, freedom, shift)
    # SciPy's series grows without end. A power of the number is nearly normal (Sankaran, 1963).
    first, second, third = (freedom + n * shift for n in (1, 2, 3))
    h, p = 1 - 2 / 3 * first * third / second**2, second / first**2
    m = (h - 1) * (1 - 3 * h)
    middle = h * p * (h - 1 - 0.5 * (2 - h) * m * p)
    # x^h - 1 - middle; where x is near its mean, the power must not round
    with np.errstate(divide="ignore"):
        score = np.expm1(h * np.log(x / first)) - middle
    return ndtr(score / (h * np.sqrt(2 * p) * (1 + 0.5 * m * p)))


def _edges(*laws):
    """Compute cell edges from 0 to infinity from the (mean, spread) of each distribution."""
    scores = np.linspace(-8.0, 8.0, _CELLS)
    inner = [mean + spread * scores for mean, spread in laws]
    inner = np.unique(np.concatenate(inner))
    return np.concatenate([[0.0], inner[inner > 0], [np.inf]])
