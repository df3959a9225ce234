"""Every curvature compared with automatic differentiation, every threshold with its definition."""

import math

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from booksource import defined
from hypothesis import given, settings
from hypothesis import strategies as st
from saddles import saddle_direction, transverse_saddle_rates
from scipy.special import lambertw

from slrlib import Overlaps, Task, Teacher, heads, landscape, special, sphere
from slrlib.dynamics import inverse_decay, manifold_step, pgd, start
from slrlib.landscape import BASINS, basin, basins_of
from slrlib.overlaps import ORACLE, overlaps_of, random_overlaps
from slrlib.risk import excess_risk, manifold_excess_risk, oracle_excess_risk

RACE = defined("off_the_manifold", "rate_ratio", np=np, special=special)
PAPER = Task(400, 10)
TASKS = [PAPER, Task(12, 30, gamma=1.3)]
LAMS = [0.05, 0.3, 2.0]
N = 7  # the dimension of the vectors in this file; the risk uses the d of the task
TEACHER = Teacher(np.eye(N)[0], np.eye(N)[1])
by_task = pytest.mark.parametrize("task", TASKS, ids=lambda t: f"d={t.d:.0f}")
by_lam = pytest.mark.parametrize("lam", LAMS)


# On M


@jax.jit
def hessian_in_angles(angles, lam, task):
    def risk(x):
        return manifold_excess_risk(jnp.cos(x[0]), jnp.cos(x[1]), lam, task)

    return jax.vmap(jax.hessian(risk))(angles)


@by_task
@by_lam
def test_the_hessian_in_angles(lam, task):
    angles = jax.random.uniform(jax.random.key(0), (12, 2), maxval=math.pi)

    wanted = hessian_in_angles(angles, lam, task)
    got = landscape.manifold_hessian(*jnp.cos(angles).T, lam, task)
    np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-12 * np.max(np.abs(wanted)))


@jax.jit
def hessian_at_the_saddle(lam, task):
    return jax.hessian(lambda x: manifold_excess_risk(x[0], x[1], lam, task))(jnp.zeros(2))


@jax.jit
def slopes_at_the_minimizer(lam, task, alpha):
    return jax.jacfwd(lambda x: jnp.stack(manifold_step(x[0], x[1], lam, task, alpha)))(jnp.ones(2))


@jax.jit
def slope_of_the_swapped(v, across, lam, task):
    def risk(x):
        moved = sphere.project(v + x * across)
        return excess_risk(overlaps_of(TEACHER.v_star, moved, TEACHER), lam, task)

    return jax.grad(risk)(0.0)


@by_task
@by_lam
def test_the_saddle_is_left_along_its_negative_curvature(lam, task):
    values, axes = np.linalg.eigh(hessian_at_the_saddle(lam, task))
    np.testing.assert_allclose(landscape.saddle_rates(lam, task), values, rtol=1e-10)
    direction = saddle_direction(lam, task)
    np.testing.assert_allclose(direction, axes[0, 0] / axes[1, 0], rtol=1e-10)
    assert values[0] < 0 < values[1] and direction > 0


@by_task
@by_lam
def test_the_local_factors_are_the_slopes_of_the_step(lam, task):
    alpha = 0.3 / task.gamma**2
    matrix = np.asarray(slopes_at_the_minimizer(lam, task, alpha))
    factors = (1 + alpha * np.array(landscape.local_slopes(lam, task))) ** 2
    np.testing.assert_allclose(np.diag(matrix), factors, rtol=1e-12)
    assert matrix[0, 1] == matrix[1, 0] == 0


@pytest.mark.parametrize("lam", [0.1, 1.0])
def test_the_local_slopes_keep_their_digits(lam):
    """At lam = 1 the derivative in kappa is 1e-58."""
    A = lam * mp.sqrt(200) / mp.sqrt(1 + mp.mpf(lam) ** 2)
    slope = 2 / mp.sqrt(mp.pi) * mp.exp(-(A**2))
    by_kappa = -A * slope * mp.erfc(A / mp.sqrt(1 + 2 * mp.mpf(lam) ** 2))
    got = landscape.local_slopes(lam, Task(400, 10, gamma=0.5**0.5))
    np.testing.assert_allclose(np.array(got), [float(by_kappa), float(-mp.erf(A))], rtol=1e-13)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(st.floats(1e-3, 5.0), st.floats(0.05, 4.0), st.integers(2, 10**6))
def test_no_curvature_exceeds_the_certificate(lam, gamma, d):
    """The largest absolute eigenvalue of the Hessian on a grid of angles is a lower bound."""
    task = Task(d, 10, gamma)
    kappa, nu = np.cos(np.meshgrid(*[np.linspace(0, np.pi, 61)] * 2))
    curvatures = np.linalg.eigvalsh(landscape.manifold_hessian(kappa, nu, lam, task))
    assert np.max(np.abs(curvatures)) * landscape.certified_step(lam, task) <= 1


# Across M


@jax.jit
def hessian_along(point, directions, lam, task):
    def risk(x):
        k, v = point + jnp.einsum("i,ijk->jk", x, directions)
        return excess_risk(overlaps_of(sphere.project(k), sphere.project(v), TEACHER), lam, task)

    return jax.hessian(risk)(jnp.zeros(len(directions)))


def curvatures(k, v, turns, lam, task):
    """The Hessian of the risk on the two spheres along ``turns``: pairs ("k" or "v", direction)."""
    directions = np.zeros((len(turns), 2, N))
    for row, (which, direction) in zip(directions, turns, strict=True):
        row["kv".index(which)] = direction
    return hessian_along(np.stack([k, v]), directions, lam, task)


@by_task
@by_lam
def test_the_hessian_at_the_minimizer_and_on_the_plateau(lam, task):
    k_star, v_star, e = np.eye(N)[:3]
    wanted = curvatures(k_star, v_star, [("k", v_star), ("v", k_star)], lam, task)
    got = landscape.minimizer_hessian(lam, task)
    np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-13 * np.max(np.abs(wanted)))
    for kappa in (0.1, 0.7):
        k = kappa * k_star + np.sqrt(1 - kappa**2) * e
        wanted = curvatures(k, v_star, [("k", v_star), ("v", k_star), ("v", e)], lam, task)
        got = landscape.swapped.edge_hessian(kappa, lam, task)
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-13 * np.max(np.abs(wanted)))
        top = np.linalg.eigvalsh(wanted)[-1]
        np.testing.assert_allclose(landscape.edge_of_stability(kappa, lam, task), top, rtol=1e-10)


# The swapped pair


@by_task
@by_lam
def test_the_swapped_family_is_stationary_with_these_curvatures(lam, task):
    o = landscape.swapped_overlaps(lam, task)
    theta, rest = float(o.theta), math.sqrt(1 - float(o.theta) ** 2)
    k_star, v_star, e, *others = np.eye(N)
    v, across = theta * k_star + rest * e, rest * k_star - theta * e
    risk = excess_risk(o, lam, task)
    np.testing.assert_allclose(landscape.swapped_excess_risk(lam, task), risk, rtol=1e-11)

    turns = [("k", k_star), ("k", e), ("v", v_star), ("v", across)]
    turns += [(which, x) for which in "kv" for x in others]
    wanted = np.asarray(curvatures(v_star, v, turns, lam, task))
    scale = np.max(np.abs(wanted))
    got = landscape.swapped.swapped_hessian(lam, task)
    np.testing.assert_allclose(got, wanted[:3, :3], rtol=1e-9, atol=1e-12 * scale)
    # The other directions decouple from this block and have nonnegative curvature.
    np.testing.assert_allclose(wanted[:3, 3:], 0, atol=1e-12 * scale)
    assert np.min(np.linalg.eigvalsh(wanted[3:, 3:])) > -1e-12 * scale
    slope = slope_of_the_swapped(v, across, lam, task)
    assert theta == 1.0 or abs(slope) < 1e-12 * scale
    is_minimum = np.linalg.eigvalsh(wanted[:3, :3])[0] > 0
    assert landscape.swapped.swapped_is_minimum(lam, task) == is_minimum


THRESHOLDS = [  # gamma^2, L, d, lambda_sw, lambda_c, where free theta is 1, lambda_eq
    (0.5, 2, 80, 1.88581, 0.88043, 0.14151, 0.17229),
    (0.5, 10, 400, 0.92068, 0.89244, 0.06279, 0.09072),
    (0.5, 100, 10**4, 0.49509, 0.87755, 0.01253, 0.02352),
    (1.0, 10, 400, 0.85787, 0.91975, 0.06291, 0.08478),
]


@pytest.mark.parametrize("row", THRESHOLDS, ids=str)
def test_the_table_of_thresholds(row):
    gg, L, d, *wanted, one, eq = row
    task = Task(d, L, math.sqrt(gg))
    found = [f(task) for f in (landscape.lambda_sw, landscape.lambda_c, landscape.lambda_eq)]
    np.testing.assert_allclose(found, [*wanted, eq], atol=6e-6)
    assert abs(landscape.swapped.free_theta(one, task) - 1) < 6e-6 / one


def test_thresholds_in_high_dimension_and_their_exceptions():
    for gg, L, limit in ((0.5, 10, 0.86401), (0.5, 100, 0.48767), (1.0, 10, 0.78946)):
        assert landscape.lambda_sw(Task(10**12, L, math.sqrt(gg))) == pytest.approx(limit, abs=1e-5)
    assert landscape.lambda_c(Task(10**12, 10)) == pytest.approx(math.sqrt(3) / 2, abs=1e-9)
    assert landscape.lambda_c(Task(6, 20)) == np.inf
    # With a single token the pair is a minimum at every lam and gamma.
    alone = [Task(d, 1, gamma) for d in (2, 400) for gamma in (0.1, 2.0)]
    assert all(landscape.lambda_c(task) == np.inf for task in alone)
    assert all(landscape.lambda_c_exact(task) == np.inf for task in alone)
    # At small d the closed form omits terms exp(-lam^2 d / w).
    exact = [landscape.lambda_c_exact(Task(d, L)) for L, d in ((2, 6), (5, 6), (2, 20))]
    assert exact.pop(1) > 3.0
    np.testing.assert_allclose(exact, [2.50419, 0.94126], atol=5e-6)
    np.testing.assert_allclose(landscape.lambda_c(Task(6, 2)), 1.05409, atol=5e-6)
    closed = float(landscape.lambda_c(PAPER))
    assert landscape.lambda_c_exact(PAPER) == pytest.approx(closed, rel=1e-10)


# lam for the oracle


@pytest.mark.parametrize("gamma, L, d", [(0.5**0.5, 2, 80), (0.5**0.5, 10, 400), (1, 100, 10**6)])
def test_the_best_lam_is_the_lowest(gamma, L, d):
    task = Task(d, L, gamma)
    lam, excess = landscape.best_lam(task)
    assert excess == pytest.approx(float(oracle_excess_risk(lam, task)), rel=1e-14)
    for other in (lam * (1 + 1e-4), lam * (1 - 1e-4), lam / 3, 3 * lam):
        assert oracle_excess_risk(other, task) > excess
    slope = jax.grad(oracle_excess_risk)(lam, task)
    assert abs(slope * lam / excess) < 1e-11
    assert excess < oracle_excess_risk(landscape.explicit_lam(task), task)
    assert landscape.explicit_lam(task) == pytest.approx((d * L) ** -0.25)


def test_the_derivative_of_the_best_lam():
    slope = jax.grad(lambda gamma: landscape.best_lam(Task(400, 10, gamma))[0])(0.7)
    ends = [float(landscape.best_lam(Task(400, 10, 0.7 + h))[0]) for h in (1e-4, -1e-4)]
    assert slope == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=1e-6)


def test_the_best_lam_approaches_lambert_s():
    for L, d, ratio in ((2, 400, 0.925), (10, 400, 0.833), (2, 10**4, 0.968), (2, 10**10, 0.995)):
        task = Task(d, L)
        W = lambertw(d * 0.5 / (2 * (L - 1))).real
        law = 4 / math.pi * (L - 1) / d * (1 + W)
        assert landscape.best_lam(task)[1] / law == pytest.approx(ratio, abs=6e-4)


# Competing escape rates


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.floats(1e-3, 3.0), st.floats(0.1, 3.0))
def test_the_true_escape_is_the_faster_one(lam, gamma):
    s = float(RACE["rate_ratio"](lam, Task(400, 10, gamma)))
    assert s > 1
    task = Task(1e14, 10, gamma)
    rates = landscape.saddle_rates(lam, task)[0], transverse_saddle_rates(lam, task)[0]
    assert rates[0] / rates[1] == pytest.approx(s, rel=1e-5)


# Minima found by the search for several heads


@pytest.mark.parametrize("lam, risk", [(2.0, 4.5788), (1.0, 3.9690), (0.9, 3.80657)])
def test_above_lambda_c_the_tilted_minimum_is_below_the_oracle(lam, risk):
    o = landscape.tilted_overlaps(lam, PAPER)
    found = excess_risk(o, lam, PAPER)
    assert found == pytest.approx(risk, abs=6e-5) and found < oracle_excess_risk(lam, PAPER)
    lowest = heads.minima(lam, PAPER, 1, 1, starts=40, key=jax.random.key(2)).excess_risk[0]
    assert found == pytest.approx(lowest, rel=1e-9)
    assert BASINS[int(basin(o, lam, PAPER))] == "in the basin of the tilted pair"


def test_the_minima_below_and_in_the_window_of_recovery():
    """For L = 100 and lambda_sw < lam < lambda_c the true pair is the only minimum."""
    task = Task(400, 100)
    low, high = landscape.lambda_sw(task), float(landscape.lambda_c(task))
    assert low < high
    for lam, nu in ((0.1, {0.0, 1.0}), ((low + high) / 2, {1.0})):
        found = heads.minima(lam, task, 1, 1, starts=60, key=jax.random.key(1))
        assert set(np.abs(found.nu[:, 0, 0]).round(5)) == nu
        lowest = [oracle_excess_risk(lam, task)]
        lowest += [landscape.swapped_excess_risk(lam, task)] * (len(nu) - 1)
        np.testing.assert_allclose(found.excess_risk, np.sort(lowest), rtol=1e-9)


# Basins


def test_the_names_of_the_basins():
    tilted = Overlaps(0.30, 0.94, 0.32, -0.95, -0.80)

    def name(o, lam):
        return BASINS[int(basin(o, lam, PAPER))]

    assert name(ORACLE, 0.1) == "in the basin of the pair" and name(ORACLE, 0.9) == "undecided"
    assert name(Overlaps(-0.4, -0.98, 0.02, 0.01, 0.0), 0.5) == "in the basin of the pair"
    for lam in (0.1, 0.9):
        swapped = landscape.swapped_overlaps(lam, PAPER)
        assert name(swapped, lam) == "in the basin of the swapped pair"
    assert name(landscape.swapped_overlaps(0.95, PAPER), 0.95) == "undecided"
    assert name(tilted, 0.9) == "in the basin of the tilted pair"
    assert name(tilted, 0.1) == "undecided"
    assert name(Overlaps(0.1, 0.05, 0.1, -0.08, 0.0), 0.1) == "undecided"


def test_the_rule_tells_the_end_of_full_runs_of_figure_4a(monkeypatch):
    monkeypatch.setattr("slrlib.landscape.states.MANY", 16)  # so that decided runs are dropped
    schedule, o = inverse_decay(1.0, 1e-4), random_overlaps(jax.random.key(5), 400, (32,))
    early = basins_of(start(o, PAPER, schedule, 4e-3), 2000, 12_000)
    assert np.all(early > 0)
    rows = pgd(o, PAPER, schedule, 4e-3, 120_000, 2000)
    end = jax.tree.map(lambda x: np.abs(x[-1]), rows)
    true, swapped = np.asarray(end.overlaps.kappa) > 0.99, np.asarray(end.overlaps.eta) > 0.99
    assert np.all(true ^ swapped) and np.any(swapped)
    ends = np.where(true, "in the basin of the pair", "in the basin of the swapped pair")
    told = np.asarray(basin(rows.overlaps, 1 / (1 + 1e-4 * rows.step[:, None]), PAPER))
    first = told[np.argmax(told > 0, axis=0), range(32)]
    assert np.array_equal(ends, np.array(BASINS)[first])
    # Other batch sizes round differently, and early steps amplify the difference; this changes the
    # end of less than one start in a thousand.
    assert np.sum(ends != np.array(BASINS)[early]) <= 2
