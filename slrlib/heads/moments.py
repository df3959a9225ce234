"""What two heads of erf attention take from a token: means and covariances, number by number.

Head (k, v) takes erf(lam k.X) v.X from a token X, Gaussian with covariance ``variance`` times the
identity. ``s`` and ``t`` are the means of k.X and v.X; ``kk``, ``kv``, ... are inner products.
"""

import jax.numpy as jnp

from slrlib.heads.pairs import centred_pair_means, pair_means
from slrlib.special import erf, erf_prime, erf_second


def _erfs(lam, variance, s, kk):
    """The means of erf, erf' and erf'' at lam k.X, where k.X has mean s."""
    root = jnp.sqrt(1 + 2 * lam**2 * variance * kk)
    x = lam * s / root
    return erf(x), erf_prime(x) / root, erf_second(x) / root**2


def mean(lam, variance, s, t, kk, kv):
    """E[erf(lam k.X) v.X], by Stein's lemma; v.X has mean t."""
    e0, e1, _ = _erfs(lam, variance, s, kk)
    return t * e0 + lam * variance * kv * e1


def with_label(lam, variance, s, t, kk, kv, k_v_star, v_v_star):
    """E[erf(lam k.X) v.X y], y = v*.(X - E X): every v* is orthogonal to its own k*."""
    e0, e1, e2 = _erfs(lam, variance, s, kk)
    by_s, by_t = lam * variance * k_v_star, variance * v_v_star
    return e0 * by_t + e1 * t * by_s + e2 * lam * variance * kv * by_s


def _bent(F, hh, hg, gh, gg):
    """What second derivatives give, from the covariances of v.X with both arguments of erf."""
    return F.by_11 * hh * gh + F.by_12 * (hh * gg + hg * gh) + F.by_22 * hg * gg


def covariance(lam, variance, s, s2, t, t2, kk, kk2, kk12, vv, *kv):
    """Between what two heads take from one token, or from two tokens of equal noise."""
    F = pair_means(lam * s, lam * s2, *(lam**2 * variance * x for x in (kk, kk2, kk12)))
    hh, hg, gh, gg = (lam * variance * x for x in kv)
    both = F.value * (t * t2 + variance * vv) + _bent(F, hh, hg, gh, gg)
    both += t2 * (hh * F.by_1 + hg * F.by_2) + t * (gh * F.by_1 + gg * F.by_2)
    return both - mean(lam, variance, s, t, kk, kv[0]) * mean(lam, variance, s2, t2, kk2, kv[3])


def noise_mean(lam, kk, kv):
    """The mean at a token without a signal, where k.X and v.X have mean zero and variance one."""
    return mean(lam, 1.0, 0.0, 0.0, kk, kv)


def noise_covariance(lam, kk, kk2, kk12, vv, *kv):
    """The covariance at a token without a signal."""
    F = centred_pair_means(*(lam**2 * x for x in (kk, kk2, kk12)))
    both = F.value * vv + _bent(F, *(lam * x for x in kv))
    return both - noise_mean(lam, kk, kv[0]) * noise_mean(lam, kk2, kv[3])
