"""Every formula at random arguments of its whole domain, in double and in single precision.

Numbers are never nan; single precision agrees with double precision up to a stated rounding
error; many digits, or a limit, confirm double precision.
"""

import operator

import exact
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from across import transverse_block

from slrlib import Overlaps, Task, dynamics, heads, landscape, risk, special
from slrlib.overlaps import random_overlaps

N = 300
RANDOM = np.random.default_rng(0)


def log_uniform(low, high, n=N):
    return 10 ** RANDOM.uniform(np.log10(low), np.log10(high), n)


LAM, ALPHA = log_uniform(1e-8, 1e8), log_uniform(1e-8, 1e2)
T = RANDOM.normal(size=N) * log_uniform(1e-4, 1e4)
TASK = {
    "d": np.floor(log_uniform(2, 1e12)),
    "L": np.floor(log_uniform(1, 1e9)),
    "gamma": log_uniform(1e-6, 1e6),
}
KAPPA, NU = RANDOM.uniform(-1, 1, (2, N))
LOW, HIGH = np.sort(np.abs([KAPPA, NU]), axis=0)
OF_LAM = """oracle_excess_risk linear_attention_excess_risk saddle_rates certified_step
minimizer_hessian swapped_overlaps local_slopes swapped_excess_risk""".split()
OF_TASK = """linear_excess_risk best_linear_attention null_excess_risk argmax_excess_risk
bayes.log_overlap explicit_lam lambda_c swapped_lower_until bayes_log_ceiling""".split()
SPECIAL = sorted(set(special.__all__) - {"erf", "erfc", "erf_prime", "erf_second", "zeta_zero"})


def here(x):
    """Convert to the configured precision."""
    return jnp.asarray(x, float)


def numbers(x64, f):
    """All numbers of ``f(lam, task)`` as rows, computed with x64 on or off."""
    with jax.enable_x64(x64):
        task = Task(**{name: here(x) for name, x in TASK.items()})
        leaves = jax.tree.leaves(f(here(LAM), task))
        return np.stack([np.asarray(x, np.float64).reshape(N, -1) for x in leaves], axis=-1)


def named(name):
    package = risk if hasattr(risk, name.partition(".")[0]) else landscape
    return operator.attrgetter(name)(package)


def largest(double):
    """The largest size in each row."""
    return np.max(np.abs(double), axis=(1, 2), keepdims=True)


def close(f, rounding, size=np.abs):
    """Check that the error in single precision is at most ``rounding`` times ``size``."""
    double, single = numbers(True, f), numbers(False, f)
    assert not np.isnan(double).any() and not np.isnan(single).any()
    size, finite = size(double), np.isfinite(double)
    assert np.all(np.isfinite(single) == finite)
    gap = np.abs(np.where(finite, double, 0.0) - np.where(finite, single, 0.0))
    assert np.all(gap <= rounding * np.where(finite, size, 1.0) + 1e-30), np.max(gap / size)


@pytest.mark.parametrize("name", OF_LAM)
def test_functions_of_lam_and_the_task(name):
    close(named(name), 1e-3 if "hessian" in name else 1e-4)


@pytest.mark.parametrize("name", OF_TASK)
def test_functions_of_the_task(name):
    close(lambda lam, task: named(name)(task), 1e-4)


@pytest.mark.parametrize("name", SPECIAL)
def test_gaussian_means(name):
    def f(lam, task):
        return getattr(special, name)(here(T), task.gamma)

    close(f, 1e-3 if "prime" in name else 1e-4)


def test_the_risk_and_its_gradient():
    """Sums with cancellation: the error is relative to the sum of absolute terms."""
    o = jax.tree.map(np.asarray, random_overlaps(jax.random.key(0), 5, (N,)))

    def at_overlaps(f):
        return lambda lam, task: f(Overlaps(*map(here, o)), lam, task)

    terms = np.abs(numbers(True, at_overlaps(risk.risk_terms)))
    added = np.sum(terms, axis=(1, 2), keepdims=True)
    close(at_overlaps(risk.excess_risk), 1e-4, lambda _: added)
    close(at_overlaps(risk.risk_terms), 1e-4, lambda _: added)
    close(at_overlaps(risk.excess_risk_gradient), 1e-3, largest)


def on_M(f, *more):
    """``f`` at random points of M, with additional arguments."""
    return lambda lam, task: f(here(KAPPA), here(NU), lam, task, *map(here, more))


def test_on_the_manifold_and_across_it():
    close(on_M(risk.manifold_excess_risk), 1e-4)
    close(on_M(transverse_block, ALPHA), 1e-3, largest)
    steep = 1 + (LAM * np.sqrt(TASK["d"] / 2) * np.abs(KAPPA)) ** 2
    close(on_M(landscape.manifold_hessian), 1e-3, lambda x: largest(x) * steep[:, None, None])


def test_the_swapped_pair_where_all_digits_cancel():
    """With one token and tiny lam gamma only (lam gamma)^2 of gamma^2 remains; 60 digits."""
    mp = exact.mp
    for lam, gamma in ((1.0, 1e-15), (0.3, 1e-9), (1e9, 1e-15), (2.0, 0.05), (2.0, 0.2)):
        with mp.workdps(60):
            g = mp.mpf(lam) * mp.mpf(gamma)
            s = 2 * g**2 / (1 + 2 * g**2)
            own = 2 / mp.pi * mp.asin(s)  # E erf^2, whose linear part is 2 s / pi
            wanted = float(mp.mpf(gamma) ** 2 * (own + 1 - 2 * s / mp.pi / own))
        found = landscape.swapped_excess_risk(lam, Task(400, 1, gamma))
        assert float(found) == pytest.approx(wanted, rel=1e-10)
    for x64 in (True, False):
        with jax.enable_x64(x64):
            lam, gamma = np.meshgrid([1e-30, 1e-9, 0.3, 1e9], [1e-15, 1e-9, 0.7, 1e9])
            task = Task(2.0, 1.0, jnp.asarray(gamma, float))
            assert np.all(landscape.swapped_excess_risk(jnp.asarray(lam, float), task) >= 0)


def two_or_more(task):
    """For functions that need a third dimension or a second token."""
    return Task(task.d + 1, task.L + 1, task.gamma)


BOUNDS = {
    "edge_of_stability": lambda lam, task: landscape.edge_of_stability(here(KAPPA), lam, task),
    "best_excess_bounds": lambda lam, task: landscape.best_excess_bounds(two_or_more(task)),
    "arrival_bound": lambda lam, task: landscape.arrival_bound(lam, task, here(ALPHA)),
    "plateau_bounds": lambda lam, task: landscape.plateau_bounds(
        here(LOW), here(HIGH), lam, task, here(ALPHA)
    ),
    "manifold_step": on_M(dynamics.manifold_step, ALPHA),
    "threshold_excess_risk": lambda lam, task: risk.threshold_excess_risk(here(ALPHA), task),
    "bayes_log_gap": lambda lam, task: risk.bayes_log_gap(two_or_more(task)),
    "erf_floor": lambda lam, task: risk.erf_floor(two_or_more(task)),
    "heads.oracle_excess_risk": lambda lam, task: heads.oracle_excess_risk(
        lam, two_or_more(task), 2
    ),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_steps_and_reference_risks(name):
    close(BOUNDS[name], 1e-4)


def test_double_precision_against_many_digits():
    """The oracle's risk at random tasks, each from means computed to 40 digits."""
    found = numbers(True, risk.oracle_excess_risk)[:40, 0, 0]
    for i in range(40):
        lam, d, L, gamma = (float(x[i]) for x in (LAM, *TASK.values()))
        signal = exact.mp.mpf(lam) * exact.mp.sqrt(exact.mp.mpf(d) / 2)
        own = exact.mean_erfc_squared(signal, exact.mp.mpf(lam) * gamma)
        wanted = exact.mp.mpf(gamma) ** 2 * own + (L - 1) * exact.zeta_zero(lam)
        np.testing.assert_allclose(found[i], float(wanted), rtol=1e-11)


def test_the_best_lam_over_the_whole_domain():
    """No other lam is better; where the gain is tiny, lam is that of linear attention."""
    task = Task(TASK["d"], TASK["L"] + 1, TASK["gamma"])
    best = landscape.best_lam(task)
    lam, lowest = np.asarray(best.lam), np.asarray(best.excess_risk)
    for factor in (0.5, 0.9, 1.1, 2.0):
        other = np.asarray(risk.oracle_excess_risk(factor * lam, task))
        assert np.all(lowest <= other * (1 + 1e-12))
    linear = np.sqrt(np.pi) / 2 * np.asarray(risk.best_linear_attention(task)[0])
    small = linear * np.maximum(np.sqrt(TASK["d"]), np.maximum(1, TASK["gamma"])) < 1e-4
    assert small.sum() > 30
    np.testing.assert_allclose(lam[small], linear[small], rtol=1e-5)
    with jax.enable_x64(False):
        single = landscape.best_lam(Task(TASK["d"], TASK["L"] + 1, TASK["gamma"]))
    np.testing.assert_allclose(single[0], lam, rtol=1e-3)
