"""How often the lengths of the tokens alone give away which one is informative."""

import numpy as np
from scipy import stats

from slrlib import checks
from slrlib.task import Task

_CELLS = 1200  # per law; the rate moves by less than 1e-5 from here on


def norm_only_hit_rate(task: Task) -> float:
    """The share of sequences in which the best rule that sees only |X_1|, ..., |X_L| is right.

    |X_l|^2 is chi-square with d degrees of freedom, or gamma^2 times a noncentral chi-square for
    the informative token. The best rule picks the largest likelihood ratio of the two. The real
    line is cut into cells; the winner among cells is exact, ties are settled by lot.

    Book: {eq}`eq-slr-law` (section 2 of the paper).
    """
    checks.task(task)
    if task.p is not None:
        raise ValueError("task.p must be None, that is, a uniform location")
    d, L, gamma = (float(checks.floating("task", x)) for x in (task.d, task.L, task.gamma))
    other = stats.chi2(d)
    informative = stats.ncx2(d, d / (2 * gamma**2), scale=gamma**2)
    edges = _edges(other, informative)
    under_other = np.diff(other.cdf(edges))
    under_informative = np.diff(informative.cdf(edges))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(under_informative > 0, under_informative / under_other, 0.0)
    order = np.argsort(ratio, kind="stable")
    mass = under_other[order]
    up_to = np.minimum(np.cumsum(mass), 1.0)
    before = up_to - mass
    # P(win | cell): all others at or below it, ties by lot, ((a + m)^L - a^L) / (L m).
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = (up_to**L - before**L) / (L * mass)
    wins = np.where(mass > 1e-12, shared, up_to ** (L - 1))
    return float(np.sum(under_informative[order] * wins))


def _edges(*laws):
    """Cell edges at the normal-scale quantiles of each law, from 0 to infinity."""
    scores = np.linspace(-8.0, 8.0, _CELLS)
    inner = [law.mean() + law.std() * scores for law in laws]
    inner = np.unique(np.concatenate(inner))
    return np.concatenate([[0.0], inner[inner > 0], [np.inf]])
