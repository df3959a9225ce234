"""Paired comparisons over independent samples, with a correction for multiple comparisons."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class Paired(NamedTuple):
    """A mean difference, half the width of its 95% interval, p-value and detectable difference."""

    mean: np.ndarray
    half: np.ndarray
    p: np.ndarray
    detectable: np.ndarray


def paired(differences: ArrayLike, level: float = 0.05, power: float = 0.8) -> Paired:
    """Test whether the mean of independent differences is zero, by Student's t-test.

    Parameters
    ----------
    differences : array_like, shape (n, ...)
        n independent differences, two or more, of each comparison.
    level : float
        Level of the two-sided test for which ``detectable`` is computed.
    power : float
        Probability with which such a test finds a mean difference of size ``detectable``.

    Returns
    -------
    Paired
        Arrays of shape (...), in the units of ``differences``. Where all differences of a
        comparison are equal, p is 1 if they are zero and 0 otherwise.

    Examples
    --------
    >>> found = paired([0.1, 0.3, 0.2, 0.2])
    >>> print(f"{found.mean:.2f} +- {found.half:.2f}, p = {found.p:.2f}")
    0.20 +- 0.13, p = 0.02
    """
    from scipy import optimize, stats  # takes a second

    x = np.asarray(differences, float)
    df = len(x) - 1
    mean, error = x.mean(axis=0), x.std(axis=0, ddof=1) / np.sqrt(len(x))
    same = error < 1e-12
    t = np.where(same, np.where(np.abs(mean) < 1e-12, 0, np.inf), mean / np.where(same, 1, error))
    critical = stats.t.isf(level / 2, df)
    shift = optimize.brentq(lambda s: stats.nct.sf(critical, df, s) - power, 0, 10 * critical)
    half = stats.t.isf(0.025, df) * error
    return Paired(mean, half, 2 * stats.t.sf(np.abs(t), df), shift * error)


def holm(p: ArrayLike) -> np.ndarray:
    """Adjust p-values for multiple comparisons by the method of Holm (1979).

    Parameters
    ----------
    p : array_like
        p-values of all comparisons of one family.

    Returns
    -------
    numpy.ndarray
        Adjusted p-values of the same shape. If those below 0.05 are called significant, the
        probability that any true null hypothesis is rejected is at most 5%.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, float)
    order = np.argsort(p, axis=None)
    grown = np.maximum.accumulate(p.ravel()[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(grown, 1)
    return adjusted.reshape(p.shape)
