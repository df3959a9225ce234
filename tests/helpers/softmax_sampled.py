"""The risk of softmax attention by draws of the scores: another way to the integral of slrlib."""

from functools import partial

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp

from slrlib.risk.bayes import Estimate


@partial(jax.jit, static_argnames=("samples", "L"))
def _average(key, samples, L, *numbers):
    values = _draws(key, samples, L, *numbers)
    return jnp.mean(values), jnp.std(values, ddof=1) / jnp.sqrt(float(samples))


def sampled_softmax_excess_risk(lam, task, *, key, samples):
    """Excess risk of softmax attention with (k*, v*): (mean, error), the standard one.

    Only the scores X k* are drawn; the average over the values X v* is exact. Half of the draws
    move the true token and one rival towards each other, and carry the ratio of the densities.
    """
    return Estimate(*_average(key, samples, int(task.L), task.d, task.gamma, lam))


def _draws(key, n, L, d, gamma, lam):
    """Weighted conditional risks gamma^2 (1 - w_J)^2 + sum of w_l^2 over the other tokens."""
    power, signal = gamma**2, jnp.sqrt(d / 2.0)
    key_moved, key_rival, key_true, key_others = jax.random.split(key, 4)
    moved = jax.random.bernoulli(key_moved, shape=(n,))
    rival = jax.nn.one_hot(jax.random.randint(key_rival, (n,), 0, L - 1), L - 1, dtype=bool)
    move = jnp.minimum(2.0 * lam, signal / (1.0 + power))  # no further than where they meet
    true = signal + gamma * jax.random.normal(key_true, (n,)) - jnp.where(moved, power * move, 0.0)
    others = jax.random.normal(key_others, (n, L - 1))
    others = others + jnp.where(rival & moved[:, None], move, 0.0)

    # Density of the moved draws over that of the plain ones, then of the half-and-half mixture.
    log_true = move * (signal - true) - 0.5 * power * move**2
    log_others = logsumexp(move * others - 0.5 * move**2, axis=-1) - jnp.log(L - 1.0)
    weight = 2.0 * jax.nn.sigmoid(-(log_true + log_others))

    shares = jax.nn.softmax(lam * jnp.concatenate([true[:, None], others], axis=-1), axis=-1)[:, 1:]
    return weight * (power * jnp.sum(shares, axis=-1) ** 2 + jnp.sum(shares**2, axis=-1))
