"""One step of online SGD as a Markov chain on the frame, exact in distribution for every d >= 6.

A step depends on a token only through X k, X v and the two sums of its gradients, with weights
omega and mu that depend on X k and X v alone. The noise tokens therefore add, in every direction
orthogonal to k and v, a Gaussian pair with the same 2x2 covariance. Two such directions lie in the
frame. Of the d - 4 outside, only the Gram matrix matters (Wishart, by Bartlett's decomposition).
The informative token has a mean in the frame, so its four coordinates are drawn one by one.

Normal and uniform numbers are drawn in float32, and the sums over the noise tokens, which are
functions of such numbers alone, are float32 too. All else has the precision of the frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp

from slrlib import checks
from slrlib.dynamics.steps import Pair, against, framed, inner
from slrlib.dynamics.tokens import Drawn, Sums
from slrlib.overlaps import safe_ratio
from slrlib.special import erf, erf_prime
from slrlib.task import Task


def _root(s11, s12, s22):
    """The entries C11, C21, C22 of the lower triangular C with C C^T = S."""
    c11 = jnp.sqrt(s11)
    c21 = safe_ratio(s12, c11)
    return c11, c21, jnp.sqrt(jnp.maximum(s22 - c21 * c21, 0.0))


def _plus(*vectors: Iterable[Any]) -> list[Any]:
    return [sum(parts) for parts in zip(*vectors, strict=True)]


def _times(factor: Any, vector: Iterable[Any]) -> list[Any]:
    return [factor * x for x in vector]


def _total(x):
    """The sum over the samples."""
    return jnp.sum(x, axis=0)


def moved(p: Pair, drawn: Drawn, sums: Sums, lam: jax.Array, task: Task, alpha: jax.Array) -> Pair:
    """Take one step, given its random numbers and the sums over its noise tokens."""
    own, spare, chi = (x.astype(p.kappa.dtype) for x in drawn)
    sums = Sums(*(x.astype(p.kappa.dtype) for x in sums))
    zero, batch = jnp.zeros_like(p.kappa), own.shape[1]
    k, v = [p.kappa, p.eta, p.a, zero], [p.theta, p.nu, p.b, p.c]
    rho = inner(k, v)
    rest = _plus(v, _times(-rho, k))
    length = jnp.sqrt(inner(rest, rest))  # v = rho k + length side
    side = [safe_ratio(x, length) for x in rest]
    rho_, length_ = rho[None], length[None]

    # The informative token: its coordinates, what k and v see of it, and the error of the sample.
    here = _times(task.gamma, own[:4])
    here[0] = here[0] + task.signal
    s, t = (inner(here, [x[None] for x in point]) for point in (k, v))
    e, f = erf(lam * s), lam * erf_prime(lam * s)
    error = rho_ * sums.es + length_ * sums.eh + e * t - (here[1] + task.noise * own[4])
    weight = 2.0 / batch * error
    omega, mu, square = weight * f * t, weight * e, weight**2

    # Covariance in a direction orthogonal to k and v: of the noise tokens, and of all tokens.
    f_sums = rho**2, 2 * rho * length, length**2
    noise = (
        inner(f_sums, [_total(square * x) for x in (sums.ffss, sums.ffsh, sums.ffhh)]),
        rho * _total(square * sums.efs) + length * _total(square * sums.efh),
        _total(square * sums.ee),
    )
    own_part = [_total(x * y) for x, y in ((omega, omega), (omega, mu), (mu, mu))]
    whole = _plus(noise, _times(task.gamma**2, own_part))

    # In the frame: two free directions, k and side, and the informative token.
    c11, c21, c22 = _root(*noise)
    k_free = _times(c11, spare[:4])
    v_free = _plus(_times(c21, spare[:4]), _times(c22, spare[4:8]))
    fss, fsh, fhh = (_total(weight * x) for x in (sums.fss, sums.fsh, sums.fhh))
    k_sums = rho * fss + length * fsh, rho * fsh + length * fhh
    v_sums = _total(weight * sums.es), _total(weight * sums.eh)
    k_slope, v_slope = (
        _plus(
            [_total(w * x) for x in here],
            free,
            _times(along - inner(free, k), k),
            _times(across - inner(free, side), side),
        )
        for w, free, (along, across) in ((omega, k_free, k_sums), (mu, v_free, v_sums))
    )
    # Outside: a Gram matrix with d - 4 degrees of freedom, as that of two vectors of a plane.
    c11, c21, c22 = _root(*whole)
    k_slope += [c11 * chi[0], zero]
    v_slope += [c21 * chi[0] + c22 * spare[8], c22 * chi[1]]
    k, v = k + [zero] * 2, v + [zero] * 2
    return framed(against(k, k_slope, alpha), against(v, v_slope, alpha))


def tokens_of(task: Task) -> int:
    """Return the number of tokens; refuse a task whose dimension is too small for the chain."""
    checks.whole("task.d", checks.task(task).d, at_least=6)
    return checks.count("task.L", task.L)
