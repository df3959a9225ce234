"""Every curvature against automatic differentiation, every threshold against its definition."""

import json
import math
import operator
from pathlib import Path

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from across import transverse_block, transverse_hessian
from hypothesis import given, settings
from hypothesis import strategies as st
from saddles import saddle_direction, transverse_saddle_rates
from scipy.special import lambertw
from stationary import stationary_points

from slrlib import Overlaps, Task, Teacher, heads, landscape, sphere
from slrlib.dynamics import constant, inverse_decay, manifold_step, pgd, pgd_step, start
from slrlib.landscape import BASINS, basin, basins_of
from slrlib.landscape.points import lambert
from slrlib.overlaps import ORACLE, from_frame, overlaps_of, random_overlaps, to_frame
from slrlib.risk import excess_risk, manifold_excess_risk, oracle_excess_risk

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())
PAPER = Task(400, 10)
TASKS = [PAPER, Task(80, 2, gamma=1.3), Task(12, 30, gamma=0.4)]
LAMS = [0.05, 0.3, 0.9, 2.0]
N = 7  # the dimension of the vectors here; the d of the risk is that of the task
TEACHER = Teacher(np.eye(N)[0], np.eye(N)[1])
by_task = pytest.mark.parametrize("task", TASKS, ids=lambda t: f"d={t.d:.0f}")
by_lam = pytest.mark.parametrize("lam", LAMS)


def swapped_numbers(lam, task, clipped):
    matrix = np.array(landscape.swapped.swapped_hessian(lam, task))
    if clipped:
        assert matrix[0, 1] == matrix[1, 2] == 0
        matrix = matrix[np.ix_([0, 2], [0, 2])]
    theta = landscape.swapped_overlaps(lam, task).theta
    return [theta, landscape.swapped_excess_risk(lam, task), *np.linalg.eigvalsh(matrix)]


def eigenvalues(matrix):
    return np.linalg.eigvalsh(np.asarray(matrix))


FORMULAS = {
    "saddle_hessian": lambda lam, task, i: landscape.saddle_rates(lam, task),
    "saddle_transverse": lambda lam, task, i: transverse_saddle_rates(lam, task),
    "minimiser_gradients": lambda lam, task, i: landscape.local_slopes(lam, task),
    "minimiser_transverse": lambda lam, task, i: eigenvalues(
        landscape.minimiser_hessian(lam, task)
    ),
    "race_exponent": lambda lam, task, i: landscape.bounds.race_exponent(lam, task),
    "swapped_point": lambda lam, task, i: swapped_numbers(lam, task, i["clipped"]),
    "lambda_c": lambda lam, task, i: landscape.lambda_c(task),
    "lambda_star": lambda lam, task, i: landscape.best_lam(task),
    "transverse_3x3": lambda lam, task, i: np.ravel(
        transverse_block(i["kappa"], i["nu"], lam, task, i["alpha"])
    ),
}
ENTRIES = [(name, e) for name in FORMULAS for e in GOLDEN if e["formula"].startswith(name)]


@pytest.mark.parametrize("name, entry", ENTRIES, ids=lambda x: x if isinstance(x, str) else "")
def test_golden_values(name, entry):
    i = entry["inputs"]
    task = Task(i.get("d", 400), i.get("L", 10), i["gamma"])
    np.testing.assert_allclose(
        FORMULAS[name](i.get("lam"), task, i), entry["output"], rtol=1e-12, atol=0
    )


def test_every_formula_has_golden_values():
    assert {name for name, _ in ENTRIES} == set(FORMULAS)


# On M


@jax.jit
def hessian_in_angles(angles, lam, task):
    def risk(x):
        return manifold_excess_risk(jnp.cos(x[0]), jnp.cos(x[1]), lam, task)

    return jax.vmap(jax.hessian(risk))(angles)


@jax.jit
def hessian_across(kappa, nu, lam, task):
    return jax.hessian(lambda x: excess_risk(Overlaps(kappa, nu, *x), lam, task))(jnp.zeros(3))


@jax.jit
def slopes_of_the_step(points, lam, task, alpha):
    def moved(x):
        return jnp.stack(from_frame(pgd_step(to_frame(Overlaps(*x)), lam, task, alpha)))

    return jax.vmap(jax.jacfwd(moved))(points)


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
def slopes_at_the_minimiser(lam, task, alpha):
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
    matrix = np.asarray(slopes_at_the_minimiser(lam, task, alpha))
    factors = (1 + alpha * np.array(landscape.local_slopes(lam, task))) ** 2
    np.testing.assert_allclose(np.diag(matrix), factors, rtol=1e-12)
    assert matrix[0, 1] == matrix[1, 0] == 0


@pytest.mark.parametrize("lam", [0.1, 1.0])
def test_the_local_slopes_keep_their_digits(lam):
    """At lam = 1 the slope in kappa is 1e-58."""
    A = lam * mp.sqrt(200) / mp.sqrt(1 + mp.mpf(lam) ** 2)
    slope = 2 / mp.sqrt(mp.pi) * mp.exp(-(A**2))
    by_kappa = -A * slope * mp.erfc(A / mp.sqrt(1 + 2 * mp.mpf(lam) ** 2))
    got = landscape.local_slopes(lam, Task(400, 10, gamma=0.5**0.5))
    np.testing.assert_allclose(
        [float(x) for x in got], [float(by_kappa), float(-mp.erf(A))], rtol=1e-13
    )


def largest_curvature(lam, task, points):
    """The largest |eigenvalue| of the Hessian on a grid of angles: from below, the sup."""
    kappa, nu = np.cos(np.meshgrid(*[np.linspace(0, np.pi, points)] * 2))
    return np.abs(eigenvalues(landscape.manifold_hessian(kappa, nu, lam, task))).max()


def test_the_certified_step_of_the_paper_s_tasks():
    lam = jnp.array([0.05, 0.1, 0.9, 1.0])
    certified = landscape.certified_step(lam, PAPER)
    np.testing.assert_allclose(certified, [0.3498, 0.1303, 0.004080, 0.003724], rtol=3e-4)
    sampled = [largest_curvature(x, PAPER, points=401) for x in lam]
    np.testing.assert_allclose(sampled, [1.174249, 3.267941, 107.0665, 116.8785], rtol=1e-3)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(st.floats(1e-3, 5.0), st.floats(0.05, 4.0), st.integers(2, 10**6))
def test_no_curvature_exceeds_the_certificate(lam, gamma, d):
    task = Task(d, 10, gamma)
    assert largest_curvature(lam, task, 61) * landscape.certified_step(lam, task) <= 1


# Across M


@by_task
@by_lam
def test_the_second_derivatives_across(lam, task):
    for kappa, nu in [(0.0, 0.0), (0.3, -0.6), (-0.8, 0.2), (1.0, 1.0)]:
        wanted = hessian_across(kappa, nu, lam, task)
        got = transverse_hessian(kappa, lam, task)
        np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-13 * np.max(np.abs(wanted)))


@by_task
@pytest.mark.parametrize("lam, alpha", [(0.1, 4e-3), (0.9, 1e-3), (0.3, 0.1)])
def test_the_block_is_the_slope_of_the_step_and_M_decouples(lam, alpha, task):
    points = jax.random.uniform(jax.random.key(1), (8, 2), minval=-0.95, maxval=0.95)
    on_m = jnp.concatenate([points, jnp.zeros((8, 3))], axis=1)
    wanted = slopes_of_the_step(on_m, lam, task, alpha)
    got = transverse_block(*points.T, lam, task, alpha)
    np.testing.assert_allclose(got, wanted[:, 2:, 2:], atol=1e-11 * np.max(np.abs(wanted)))
    np.testing.assert_allclose(wanted[:, :2, 2:], 0, atol=1e-11)
    np.testing.assert_allclose(wanted[:, 2:, :2], 0, atol=1e-11)


@jax.jit
def hessian_along(point, directions, lam, task):
    def risk(x):
        k, v = point + jnp.einsum("i,ijk->jk", x, directions)
        return excess_risk(overlaps_of(sphere.project(k), sphere.project(v), TEACHER), lam, task)

    return jax.hessian(risk)(jnp.zeros(len(directions)))


def curvatures(k, v, turns, lam, task):
    """The Hessian of the risk on the two spheres along ``turns``, pairs (of k or v, direction)."""
    directions = np.zeros((len(turns), 2, N))
    for row, (which, direction) in zip(directions, turns, strict=True):
        row["kv".index(which)] = direction
    return hessian_along(np.stack([k, v]), directions, lam, task)


@by_task
@by_lam
def test_the_hessian_at_the_minimiser_and_on_the_plateau(lam, task):
    k_star, v_star, e = np.eye(N)[:3]
    wanted = curvatures(k_star, v_star, [("k", v_star), ("v", k_star)], lam, task)
    got = landscape.minimiser_hessian(lam, task)
    np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-13 * np.max(np.abs(wanted)))
    for kappa in (0.1, 0.7):
        k = kappa * k_star + np.sqrt(1 - kappa**2) * e
        wanted = curvatures(k, v_star, [("k", v_star), ("v", k_star), ("v", e)], lam, task)
        got = landscape.swapped.edge_hessian(kappa, lam, task)
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-13 * np.max(np.abs(wanted)))
        top = np.linalg.eigvalsh(wanted)[-1]
        np.testing.assert_allclose(landscape.edge_of_stability(kappa, lam, task), top, rtol=1e-10)


def test_all_other_directions_at_the_minimiser_have_the_local_slopes():
    everything = [(w, x) for w, i in (("k", 0), ("v", 1)) for x in np.delete(np.eye(N), i, axis=0)]
    values = np.linalg.eigvalsh(curvatures(*np.eye(N)[:2], everything, 0.1, PAPER))
    across = eigenvalues(landscape.minimiser_hessian(0.1, PAPER))
    slopes = np.repeat(-np.array(landscape.local_slopes(0.1, PAPER)), N - 2)
    np.testing.assert_allclose(values, np.sort([*across, *slopes]), atol=1e-11)


def test_figure_4a_is_pinned_at_the_edge_of_stability():
    """Long oscillations hold kappa where alpha h_max(kappa) = 2; the run gives .1808 at 6000."""
    for step, kappa in [(6000, 0.18056), (10000, 0.23708), (15000, 0.31621)]:
        h = landscape.edge_of_stability(kappa, 1 / (1 + 1e-4 * step), PAPER)
        assert abs(4e-3 * h - 2) < 2e-4
    assert 4e-3 * landscape.edge_of_stability(1.0, 1.0, PAPER) == pytest.approx(3.4755, abs=1e-4)


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
    # What the matrix leaves out is uncoupled from it, and curves upwards or is flat.
    np.testing.assert_allclose(wanted[:3, 3:], 0, atol=1e-12 * scale)
    assert np.min(np.linalg.eigvalsh(wanted[3:, 3:])) > -1e-12 * scale
    slope = slope_of_the_swapped(v, across, lam, task)
    assert theta == 1.0 or abs(slope) < 1e-12 * scale
    is_minimum = np.linalg.eigvalsh(wanted[:3, :3])[0] > 0
    assert landscape.swapped.swapped_is_minimum(lam, task) == is_minimum


THRESHOLDS = [  # gamma^2, L, d, lambda_sw, lambda_c, lambda_clip, lambda_eq
    (0.5, 2, 80, 1.88581, 0.88043, 0.14151, 0.17229),
    (0.5, 2, 400, 1.72161, 0.86891, 0.06279, 0.09072),
    (0.5, 10, 80, 1.12750, 1.00778, 0.14151, 0.17229),
    (0.5, 10, 400, 0.92068, 0.89244, 0.06279, 0.09072),
    (0.5, 10, 10**4, 0.86633, 0.86707, 0.01253, 0.02352),
    (0.5, 100, 400, 0.63284, 1.23008, 0.06279, 0.09072),
    (0.5, 100, 10**4, 0.49509, 0.87755, 0.01253, 0.02352),
    (1.0, 10, 400, 0.85787, 0.91975, 0.06291, 0.08478),
]


@pytest.mark.parametrize("row", THRESHOLDS, ids=str)
def test_the_table_of_thresholds(row):
    gg, L, d, *wanted = row
    task = Task(d, L, math.sqrt(gg))
    found = [
        landscape.lambda_sw(task),
        landscape.lambda_c(task),
        landscape.lambda_clip(task),
        landscape.lambda_eq(task),
    ]
    np.testing.assert_allclose(found, wanted, atol=6e-6)
    sw, c, clip, eq = (float(x) for x in found)
    assert landscape.swapped.swapped_is_minimum(0.999 * sw, task)
    assert not landscape.swapped.swapped_is_minimum(1.001 * sw, task)
    assert np.all(np.linalg.eigvalsh(landscape.minimiser_hessian(0.999 * c, task)) > 0)
    assert np.min(np.linalg.eigvalsh(landscape.minimiser_hessian(1.001 * c, task))) < 0
    assert landscape.swapped_overlaps(0.999 * clip, task).theta == 1
    assert landscape.swapped_overlaps(1.001 * clip, task).theta < 1
    for lam, lower in ((0.99 * eq, True), (1.01 * eq, False)):
        below = landscape.swapped_excess_risk(lam, task) < oracle_excess_risk(lam, task)
        assert below == lower


def test_thresholds_in_high_dimension_and_their_exceptions():
    for gg, L, limit in ((0.5, 10, 0.86401), (0.5, 100, 0.48767), (1.0, 10, 0.78946)):
        assert landscape.lambda_sw(Task(10**12, L, math.sqrt(gg))) == pytest.approx(limit, abs=1e-5)
    assert landscape.lambda_c(Task(10**12, 10)) == pytest.approx(math.sqrt(3) / 2, abs=1e-9)
    assert landscape.lambda_c(Task(6, 20)) == np.inf
    # A single token leaves the pair a minimum at every lam, whatever gamma is.
    alone = [Task(d, 1, gamma) for d in (2, 400) for gamma in (0.1, 2.0)]
    assert all(landscape.lambda_c(task) == np.inf for task in alone)
    assert all(landscape.lambda_c_exact(task) == np.inf for task in alone)
    # Small d: the closed form leaves out terms exp(-lam^2 d / w).
    exact = [landscape.lambda_c_exact(Task(d, L)) for L, d in ((2, 6), (5, 6), (2, 20))]
    assert exact.pop(1) > 3.0
    np.testing.assert_allclose(exact, [2.50419, 0.94126], atol=5e-6)
    np.testing.assert_allclose(landscape.lambda_c(Task(6, 2)), 1.05409, atol=5e-6)
    closed = float(landscape.lambda_c(PAPER))
    assert landscape.lambda_c_exact(PAPER) == pytest.approx(closed, rel=1e-10)


def test_at_lambda_c_the_noise_of_one_token_stops_growing_with_rho():
    """In the limit of large d: zeta_0 + rho^2 (E[erf^2 G^2] - zeta_0 - E[erf G]^2) is flat."""
    lam = mp.sqrt(3) / 2

    def mean(f):
        return mp.quad(lambda g: f(g) * mp.npdf(g), [-mp.inf, -2, 0, 2, mp.inf])

    square = mean(lambda g: mp.erf(lam * g) ** 2 * (g**2 - 1))
    assert abs(square - mean(lambda g: mp.erf(lam * g) * g) ** 2) < 1e-15


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


def test_the_best_lam_of_many_tasks_and_its_derivative():
    tasks = Task(np.array([80, 400, 2000]), 10)
    lam, excess = landscape.best_lam(tasks)
    np.testing.assert_allclose(lam, [0.09248, 0.06377, 0.03730], atol=5e-6)
    np.testing.assert_allclose(excess, [0.181841, 0.0671020, 0.0204888], atol=1e-6)
    slope = jax.grad(lambda gamma: landscape.best_lam(Task(400, 10, gamma))[0])(0.7)
    ends = [float(landscape.best_lam(Task(400, 10, 0.7 + h))[0]) for h in (1e-4, -1e-4)]
    assert slope == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=1e-6)


def test_the_best_lam_approaches_lambert_s():
    for L, d, ratio in ((2, 400, 0.925), (10, 400, 0.833), (2, 10**4, 0.968), (2, 10**10, 0.995)):
        task = Task(d, L)
        W = lambertw(d * 0.5 / (2 * (L - 1))).real
        np.testing.assert_allclose(lambert(d * 0.5 / (2 * (L - 1))), W, rtol=1e-13)
        law = 4 / math.pi * (L - 1) / d * (1 + W)
        assert landscape.best_lam(task)[1] / law == pytest.approx(ratio, abs=6e-4)


# The race


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.floats(1e-3, 3.0), st.floats(0.1, 3.0))
def test_the_true_escape_is_the_faster_one(lam, gamma):
    s = landscape.bounds.race_exponent(lam, Task(400, 10, gamma))
    assert s > 1
    task = Task(1e14, 10, gamma)
    rates = landscape.saddle_rates(lam, task)[0], transverse_saddle_rates(lam, task)[0]
    assert rates[0] / rates[1] == pytest.approx(float(s), rel=1e-5)


def test_the_law_of_the_race():
    assert landscape.swap_probability(1e-4, PAPER) == pytest.approx(0.5, abs=1e-6)
    lam, gg = jnp.array([0.3, 1.0, 2.0]), 400**-0.5
    s = np.asarray(landscape.bounds.race_exponent(lam, PAPER))
    nu, eta = np.random.default_rng(0).normal(0, gg, (2, 1, 200_000))
    share = np.mean(np.abs(nu) < np.abs(eta) ** s[:, None], axis=1)
    law = np.asarray(landscape.swap_probability(lam, PAPER))
    assert np.all(np.abs(share - law) < 4 * np.sqrt(law * (1 - law) / 200_000))
    far = landscape.swap_probability(1.0, Task(np.array([10**8, 10**10]), 10))
    assert far[1] / far[0] == pytest.approx(100 ** (-(float(s[1]) - 1) / 2), rel=1e-3)


# All stationary points


def test_the_list_of_stationary_points_at_the_end_of_figure_4a():
    points = stationary_points(1 / 13, PAPER, starts=150, key=jax.random.key(0))
    assert np.all(np.diff(points.excess_risk) >= 0)
    kinds = list(zip(points.index, points.flat, points.beyond, strict=True))
    listed = np.stack(points.overlaps, axis=-1)
    wanted = {
        (0, 0, 0.8171, 1, 0): (0.068889, (0, 1, 0)),
        (1, 1, 0, 0, 0): (0.075012, (0, 0, 0)),
        (0.1430, 0.5788, 0.1430, 0.5624, -0.3079): (0.408846, (1, 1, 0)),
        (0, 0, 0, 0, 0): (0.568886, (2, 1, 0)),
        (0, 0, 1, 1, 0): (0.093956, (3, 0, 1)),
        (1, -1, 0, 0, 0): (1.824917, (5, 0, 2)),
    }
    for o, (risk, kind) in wanted.items():
        here = np.argmin(np.max(np.abs(listed - np.array(o)), axis=-1))
        np.testing.assert_allclose(listed[here], o, atol=1e-4)
        assert points.excess_risk[here] == pytest.approx(risk, abs=2e-6)
        assert kinds[here] == kind
    # Morse and Bott: on S^3 x S^3 the signed count of isolated points is zero.
    signs = np.array([[1, 1, 1, 1, 1], [-1, -1, -1, -1, 1], [1, 1, -1, -1, -1], [-1, -1, 1, 1, -1]])
    images = [len({tuple(np.round(x, 3) + 0.0) for x in signs * o}) for o in listed]
    alone = points.flat == 0
    assert np.sum(((-1) ** points.index * images)[alone]) == 0
    assert np.sum(points.found) == 150 + 24 + 44


@pytest.mark.parametrize("lam, risk", [(2.0, 4.5788), (1.0, 3.9690), (0.9, 3.80657)])
def test_above_lambda_c_the_tilted_minimum_is_below_the_oracle(lam, risk):
    o = landscape.tilted_overlaps(lam, PAPER)
    found = excess_risk(o, lam, PAPER)
    assert found == pytest.approx(risk, abs=6e-5) and found < oracle_excess_risk(lam, PAPER)
    points = stationary_points(lam, PAPER, starts=40, key=jax.random.key(2))
    lowest = [float(x[0]) for x in points.overlaps]
    np.testing.assert_allclose(np.abs(lowest), np.abs(np.stack(o)), atol=1e-6)
    assert (points.index[0], points.flat[0], points.beyond[0]) == (0, 0, 0)
    assert BASINS[int(basin(o, lam, PAPER))] == "in the basin of the tilted pair"
    with pytest.raises(ValueError, match=r"^lam must be above lambda_c=0.89\d+, got 0.5$"):
        landscape.tilted_overlaps(0.5, PAPER)


def test_one_head_on_one_location_has_the_minima_of_the_single_task():
    task = Task(80, 10)
    found = heads.minima(0.1, task, 1, 1, starts=60, key=jax.random.key(1))
    points = stationary_points(0.1, task, starts=100, key=jax.random.key(2))
    least = (points.index == 0) & (points.beyond == 0)
    np.testing.assert_allclose(found.excess_risk, points.excess_risk[least], rtol=1e-9)


def minima(lam, task):
    points = stationary_points(lam, task, starts=60, key=jax.random.key(1))
    listed = np.stack(points.overlaps, axis=-1)
    return listed[(points.index == 0) & (points.beyond == 0)]


def test_the_minima_below_and_in_the_window_of_recovery():
    """For L = 100 and lam between lambda_sw and lambda_c the true pair is the only minimum."""
    task = Task(400, 100)
    low, high = landscape.lambda_sw(task), float(landscape.lambda_c(task))
    assert low < high
    found = minima(0.1, task)
    theta = float(landscape.swapped_overlaps(0.1, task).theta)
    wanted = sorted([(1.0, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, theta, 1.0, 0.0)])
    np.testing.assert_allclose(sorted(map(tuple, found)), wanted, atol=1e-6)
    # There the risk is flat in kappa to rounding: whatever point of the plateau is met has nu = 1.
    found = minima((low + high) / 2, task)
    assert len(found)
    np.testing.assert_allclose(found[:, 1:], [[1.0, 0.0, 0.0, 0.0]] * len(found), atol=1e-5)


# Basins


def test_the_names_of_the_basins():
    tilted = Overlaps(0.30, 0.94, 0.32, -0.95, -0.80)

    def name(o, lam):
        return BASINS[int(basin(o, lam, PAPER))]

    assert name(ORACLE, 0.1) == "in the basin of the pair" and name(ORACLE, 0.9) == "undecided"
    assert name(Overlaps(-0.4, -0.98, 0.02, 0.01, 0.0), 0.5) == "in the basin of the pair"
    for lam in (0.1, 0.9):
        assert (
            name(landscape.swapped_overlaps(lam, PAPER), lam) == "in the basin of the swapped pair"
        )
    assert name(landscape.swapped_overlaps(0.95, PAPER), 0.95) == "undecided"
    assert (
        name(tilted, 0.9) == "in the basin of the tilted pair" and name(tilted, 0.1) == "undecided"
    )
    assert name(Overlaps(0.1, 0.05, 0.1, -0.08, 0.0), 0.1) == "undecided"


def test_the_rule_tells_the_end_of_full_runs_of_figure_4a():
    schedule, o = inverse_decay(1.0, 1e-4), random_overlaps(jax.random.key(5), 400, (32,))
    early, steps = basins_of(start(o, PAPER, schedule, 4e-3), 2000, 20_000)
    assert np.all(early > 0) and np.max(steps) <= 12_000
    rows = pgd(o, PAPER, schedule, 4e-3, 120_000, 2000)
    end = jax.tree.map(lambda x: np.abs(x[-1]), rows)
    true, swapped = np.asarray(end.overlaps.kappa) > 0.99, np.asarray(end.overlaps.eta) > 0.99
    assert np.all(true ^ swapped) and np.any(swapped)
    ends = np.where(true, "in the basin of the pair", "in the basin of the swapped pair")
    told = np.asarray(basin(rows.overlaps, 1 / (1 + 1e-4 * rows.step[:, None]), PAPER))
    first = told[np.argmax(told > 0, axis=0), range(32)]
    assert np.array_equal(ends, np.array(BASINS)[first])
    # Batches of another size round otherwise, early steps magnify that, and a start may change
    # sides: less than one in a thousand does.
    assert np.sum(ends != np.array(BASINS)[early]) <= 2


def test_at_constant_lam_half_of_the_runs_are_swapped():
    o = random_overlaps(jax.random.key(6), 400, (128,))
    codes, _ = basins_of(start(o, PAPER, constant(0.1), 4e-3), 1000, 8000)
    counts = np.bincount(codes, minlength=4)
    assert counts[1] + counts[2] == 128
    assert abs(counts[2] - 64) < 4 * math.sqrt(32)  # a binomial count: 128 halves


# At the door, and in float32


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: landscape.saddle_rates(0.0, PAPER), "lam must be positive, got 0.0"),
        (
            lambda: landscape.lambda_sw(Task(np.array([80, 400]), 10)),
            r"task.d must be one number, got \[ ?80. 400.\]",
        ),
        (
            lambda: basins_of(start(ORACLE, PAPER, constant(0.1), 4e-3), 10, 10),
            r"run must hold overlaps of shape \(n,\), got \(\)",
        ),
        (
            lambda: landscape.manifold_hessian(1.5, 0.0, 0.1, PAPER),
            "kappa must be from -1 to 1, got 1.5",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        call()


@pytest.mark.either_precision
def test_batches_shapes_and_types():
    lam = jnp.linspace(0.1, 0.9, 3)
    shapes = {
        "certified_step": (3,),
        "saddle_rates": (2, 3),
        "local_slopes": (2, 3),
        "minimiser_hessian": (3, 2, 2),
        "swapped_excess_risk": (3,),
        "swapped.swapped_hessian": (3, 3, 3),
        "race.race_exponent": (3,),
        "swap_probability": (3,),
    }
    fs = {name: operator.attrgetter(name)(landscape) for name in shapes}

    def total(f):
        return lambda x: jnp.sum(jnp.asarray(f(x, PAPER)))

    one_program = jax.jit(lambda x: {name: jax.grad(total(f))(x) for name, f in fs.items()})
    for name, slope in one_program(lam).items():
        value = jnp.asarray(fs[name](lam, PAPER))
        assert (value.shape, value.dtype) == (shapes[name], lam.dtype), name
        assert np.all(np.isfinite(value)) and np.all(np.isfinite(slope)), name
    assert transverse_block(lam, lam, lam, PAPER, 1e-3).shape == (3, 3, 3)
    assert landscape.edge_of_stability(lam, 0.3, PAPER).shape == (3,)
    found = jnp.asarray(landscape.best_lam(PAPER))
    np.testing.assert_allclose(found, [0.063767, 0.067102], rtol=2e-3)
