"""Local minima of the risk of several heads, up to its symmetries.

The risk depends only on inner products, and every Gram matrix of 2m + 2H vectors occurs in R^(2m +
2H). So the search takes place there, for any d. It does not prove that the list is complete.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import NamedTuple

import jax
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.heads.risk import excess_risk_of
from slrlib.landscape import tilted
from slrlib.landscape.points import best_of_each
from slrlib.landscape.tools import plain
from slrlib.risk.reference import Best
from slrlib.sphere import project
from slrlib.task import Task


def _signed(order, signs):
    """Return the matrix that moves row ``order[i]``, times ``signs[i]``, to position i."""
    return np.eye(len(order))[list(order)] * np.asarray(signs, float)[:, None]


def symmetries(m: int, H: int) -> np.ndarray:
    """Return the symmetries of the Gram matrices, each (n, n), for independent noise.

    Heads may be exchanged, and (k_h, v_h) replaced by -(k_h, v_h). Locations may be exchanged. A
    token may change its sign with its k_i* and v_i*. All v_i* may change their sign with all v_h.
    """
    none, found = np.zeros((2 * m, 2 * H)), []
    turns, boths = (list(product([1, -1], repeat=count)) for count in (m, H))
    for places, turn, v_sign in product(permutations(range(m)), turns, (1, -1)):
        signs = *turn, *(v_sign * sign for sign in turn)
        targets = _signed([*places, *(m + i for i in places)], signs)
        for order, both in product(permutations(range(H)), boths):
            signs = *both, *(v_sign * sign for sign in both)
            heads = _signed([*order, *(H + i for i in order)], signs)
            found.append(np.block([[targets, none], [none.T, heads]]))
    return np.array(found)


def canonical(gram: np.ndarray, m: int, H: int) -> np.ndarray:
    """Return the image of ``gram`` (n, n) that matches head i to pair i, by nu, then by kappa.

    Small weights on the other products break ties.
    """
    moves = symmetries(m, H)
    weights = 1e-3 / (2.0 + np.arange(gram.size).reshape(gram.shape))
    for i in range(min(m, H)):
        weights[m + i, 2 * m + H + i] = 1.0 + 1e-2 / (1 + i)
        weights[i, 2 * m + i] = 0.5
    images = moves @ gram @ moves.transpose(0, 2, 1)
    return images[np.argmax(np.sum(weights * images, axis=(1, 2)))]


_SAME = 1e-8  # minima whose risks have a smaller relative difference are the same
_REST = 1e-9  # a start whose gradient norm stays above it has not converged
_FLAT = 1e-9  # a curvature below this times the largest counts as zero


class Minima(NamedTuple):
    """The minima of the excess risk, one per row.

    Parameters
    ----------
    excess_risk : ndarray
        Shape (minima,).
    kappa, eta, nu : ndarray
        Shape (minima, H, m): k_h.k_i*, k_h.v_i*, v_h.v_i*.
    gram : ndarray
        Shape (minima, n, n), n = 2m + 2H: all inner products, in the order k*, v*, k, v.
    found : ndarray
        Number of starts that converged to the minimum.
    slope : ndarray
        Norm of the gradient.
    curvature : ndarray
        Lowest eigenvalue of the Hessian on the spheres.
    flat : ndarray
        Number of zero eigenvalues: the dimension of the family of points with the same risk to
        which the minimum belongs.
    """

    excess_risk: np.ndarray
    kappa: np.ndarray
    eta: np.ndarray
    nu: np.ndarray
    gram: np.ndarray
    found: np.ndarray
    slope: np.ndarray
    curvature: np.ndarray
    flat: np.ndarray


@jax.value_and_grad
def _energy(x, targets, given):
    """Compute the risk of heads x (2, H, n) and its gradient, for ``tilted.minimized``."""
    return excess_risk_of(*x, targets, *given)


def _described(ends, targets, found):
    """Return the rows for points x (count, 2, H, n) with risk, slope and curvatures."""
    x, risk, slope, curvature = ends
    H, m = x.shape[2], targets.shape[2]
    axes = np.concatenate([y.reshape(len(x), -1, x.shape[-1]) for y in (targets, x)], axis=1)
    gram = axes @ axes.transpose(0, 2, 1)
    gram = np.array([canonical(one, m, H) for one in gram])
    k_star, v_star, k, v = np.split(np.arange(2 * m + 2 * H), np.cumsum([m, m, H]))
    kappa, eta, nu = (gram[:, y[:, None], z] for y, z in ((k, k_star), (k, v_star), (v, v_star)))
    floor = _FLAT * np.max(np.abs(curvature), axis=1, keepdims=True)
    flat = np.sum(np.abs(curvature) <= floor, axis=1)
    return Minima(risk, kappa, eta, nu, gram, found, slope, curvature[:, 0], flat)


@checks.in_double
def minima(
    lam: ArrayLike,
    task: Task,
    m: int,
    heads: int = 2,
    *,
    key: jax.Array,
    starts: int = 200,
) -> Minima:
    """Search for the minima of the exact risk of several heads, from random starts.

    The noise of the locations is independent. Starts whose gradient norm stays above 1e-9 are
    discarded. The search uses double precision regardless of the JAX setting.

    Parameters
    ----------
    lam : float
        Inverse temperature lambda > 0, a plain number.
    task : Task
        The task, of plain numbers; d, L and gamma enter.
    m : int
        Number of locations, whose 2m directions k_i* and v_i* are orthonormal.
    heads : int
        Number of heads H.
    key : Array
        Random key of the starts.
    starts : int
        Number of starts.

    Returns
    -------
    Minima
        One row for each value of the risk, in increasing order; minima that are related by a
        symmetry share a row. The first axis of each array is that of the minima.

    Examples
    --------
    >>> found = minima(0.5, Task(d=80, L=10), 1, heads=1, key=jax.random.key(0), starts=5)
    >>> found.excess_risk.shape == found.found.shape
    True

    Book: {eq}`eq-several-risk` (not in the paper).
    """
    task, lam, H = plain(task), checks.one_positive("lam", lam), checks.count("heads", heads)
    m, count = checks.count("m", m), checks.count("starts", starts)
    n = 2 * m + 2 * H
    x = project(jax.random.normal(checks.random_key(key), (count, 2, H, n)))
    targets = np.broadcast_to(np.eye(n)[: 2 * m].reshape(2, m, n), (count, 2, m, n))
    ends = tilted.minimized(_energy, x, targets, (lam, task), _REST)
    _, risk, slope, _ = ends
    order = np.flatnonzero(slope < _REST)
    if not len(order):
        raise ValueError(
            f"no start of {count} converged: smallest gradient norm {slope.min():.1e} above the "
            f"tolerance {_REST:g}"
        )
    order = order[np.argsort(risk[order])]
    rises = np.diff(risk[order]) > _SAME * risk[order[1:]]
    groups = np.split(order, 1 + np.flatnonzero(rises))
    found, first = np.array([len(group) for group in groups]), [group[0] for group in groups]
    return _described([y[first] for y in ends], targets[first], found)


@checks.in_double
def minima_below(gram: ArrayLike, lam: ArrayLike, task: Task, m: int) -> Minima:
    """Descend from given heads to minima of the exact risk, with independent noise.

    The descent uses double precision regardless of the JAX setting.

    Parameters
    ----------
    gram : array_like
        Shape (runs, n, n), n = 2m + 2H: the Gram matrices of k*, v*, k, v in this order.
    lam : float
        Inverse temperature lambda > 0, a plain number.
    task : Task
        The task, of plain numbers; d, L and gamma enter.
    m : int
        Number of locations.

    Returns
    -------
    Minima
        One row for each Gram matrix; see ``minima``.

    Examples
    --------
    >>> at_teacher = np.kron(np.ones((2, 2)), np.eye(2))  # k = k*, v = v*
    >>> minima_below(at_teacher[None], 0.5, Task(d=80, L=10), 1).kappa.shape
    (1, 1, 1)

    Book: {eq}`eq-several-risk` (not in the paper).
    """
    task, lam, m = plain(task), checks.one_positive("lam", lam), checks.count("m", m)
    gram = np.asarray(checks.ends_in("gram", gram, (None, None)), float)
    values, axes = np.linalg.eigh(gram)
    x = axes * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    targets, x = (y.reshape(len(gram), 2, -1, gram.shape[-1]) for y in np.split(x, [2 * m], axis=1))
    ends = tilted.minimized(_energy, x, targets, (lam, task))
    return _described(ends, targets, np.ones(len(gram), int))


def best_lam(task: Task, m: int) -> Best:
    """Find the lambda at which m heads at m orthonormal pairs have their lowest excess risk.

    The search uses double precision regardless of the JAX setting.

    Parameters
    ----------
    task : Task
        The task, of plain numbers (not arrays, not traced); d, L and gamma enter.
    m : int
        Number of locations and of heads, at most L.

    Returns
    -------
    Best
        ``lam`` and ``excess_risk``, two floats.

    Examples
    --------
    >>> print(f"{best_lam(Task(d=80, L=10), 2).lam:.4f}")
    0.0954

    Book: {eq}`eq-several-oracle` (not in the paper).
    """
    task, m = plain(task), checks.count("m", m)
    checks.whole("task.L", task.L, at_least=m)
    each = best_of_each(task, float(m))
    return Best(float(each.lam), m * float(each.excess_risk))
