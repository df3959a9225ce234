"""Descents, thresholds, fits and trained layers at random arguments of their whole domain.

What must hold is a round trip, an invariant, a change of sign, or one sentence.
``test_every_name.py`` says which public function is held to what, and where.
"""

import jax
import numpy as np
import pytest
from refused import refusal

from slrlib import (
    Overlaps,
    Task,
    dynamics,
    heads,
    landscape,
    overlaps,
    risk,
    transformer,
)
from slrlib.landscape.swapped import free_theta, minimiser_hessian, swapped_hessian
from slrlib.overlaps import from_frame
from slrlib.task import random_teacher

KEY = jax.random.key(1)
BOTH = pytest.mark.parametrize("x64", [True, False], ids=["double", "single"])
CORNERS = [
    Task(2, 1, 1e-15),
    Task(3, 2, 1e9),
    Task(400, 10),
    Task(1e18, 1e18, 1e9),
    Task(7, 1e9, 5),
]
N = 60


def log_uniform(random, low, high):
    return 10 ** random.uniform(np.log10(low), np.log10(high), N)


def some():
    """(task, lam, share of the longest certified step) at random."""
    random = np.random.default_rng(0)
    d, L = np.floor(log_uniform(random, 2, 1e12)), np.floor(log_uniform(random, 1, 1e9))
    task = Task(d, L, log_uniform(random, 1e-3, 1e3))
    return task, log_uniform(random, 1e-6, 1e6), random.uniform(0, 1, N), random


# --- steps and runs ----------------------------------------------------------------------------


def test_a_step_on_the_manifold_and_back():
    task, lam, share, random = some()
    alpha = np.minimum(share * np.asarray(landscape.certified_step(lam, task)), 1e9)
    phi, psi = random.uniform(0, np.pi, (2, N))
    before = dynamics.inverse_manifold_step(phi, psi, lam, task, alpha)
    there = dynamics.manifold_step(*np.cos(before), lam, task, alpha)
    np.testing.assert_allclose(there, np.cos((phi, psi)), atol=1e-6)
    for corner in CORNERS:
        for steep in (1e-30, 1e-3, 1e9):
            for step in (0.0, 1e-9, 1e9):
                ends = dynamics.inverse_manifold_step(0.3, 2.0, steep, corner, step)
                assert np.all(np.isfinite(ends))


def test_a_step_stays_on_the_spheres_and_lowers_the_risk():
    task, lam, share, _ = some()
    alpha = np.minimum(0.9 * share * np.asarray(landscape.certified_step(lam, task)), 1e9)
    o = overlaps.random_overlaps(KEY, 400, (N,), on_manifold=True)
    after = from_frame(dynamics.pgd_step(overlaps.to_frame(o), lam, task, alpha))
    size = np.sum(np.abs(np.stack(risk.risk_terms(o, lam, task))), axis=0)
    assert np.all(
        risk.excess_risk(after, lam, task) <= risk.excess_risk(o, lam, task) + 1e-9 * size
    )
    wanted = dynamics.manifold_step(o.kappa, o.nu, lam, task, alpha)
    np.testing.assert_allclose((after.kappa, after.nu), wanted, atol=1e-8)


@BOTH
def test_steps_and_runs_at_the_corners(x64):
    """Nothing moves without a step; else all stays on the spheres, or one sentence says why not."""
    eps = 1e-12 if x64 else 1e-4
    with jax.enable_x64(x64):
        o = overlaps.random_overlaps(KEY, 400, (4,))
        frame = overlaps.to_frame(o)
        for task in CORNERS:
            for lam in (0.0, 1e-30, 0.3, 1e9):
                for alpha in (0.0, 1e-9, 1e9):
                    k, v = dynamics.pgd_step(frame, lam, task, alpha)
                    lengths = [np.linalg.norm(np.asarray(x, float), axis=-1) for x in (k, v)]
                    np.testing.assert_allclose(lengths, 1, atol=eps)
                    if alpha == 0:
                        np.testing.assert_allclose(k, frame.k, atol=eps)
            for schedule in SCHEDULES.values():
                still = dynamics.pgd(o, task, schedule, 0.0, 2, 1)
                np.testing.assert_allclose(still.overlaps.rho[-1], o.rho, atol=10 * eps)
                row = dynamics.pgd(o, task, schedule, 1e-9, 0, 1)
                assert row.step.tolist() == [0] and np.all(np.isfinite(row.excess_risk))


SCHEDULES = {
    "constant": dynamics.constant(0.1),
    "decay": dynamics.inverse_decay(1e9, 1e9),
    "held": dynamics.held(dynamics.inverse_decay(0.3, 1e-3), 1e18),
    "held at once": dynamics.held(dynamics.inverse_decay(0.3, 1e-3), 0),
}


def test_schedules_from_their_first_step_to_their_last():
    wanted = {
        "constant": (0.1, 0.1, 0.1),
        "decay": (1e9, 1e9 / (1 + 1e9), 1e-18),
        "held": (0.3, 0.3 / 1.001, 3e-16),
        "held at once": (0.3, 0.3, 0.3),
    }
    for name, schedule in SCHEDULES.items():
        np.testing.assert_allclose([schedule(t) for t in (0, 1, 1e18)], wanted[name], rtol=1e-12)


def test_a_run_in_parts_and_one_that_single_precision_cannot_hold():
    o = overlaps.random_overlaps(KEY, 400, (4,))
    task, schedule = Task(400, 10), SCHEDULES["decay"]
    whole = dynamics.pgd(o, task, schedule, 0.01, 6, 2)
    run, first = dynamics.advance(dynamics.start(o, task, schedule, 0.01), 2, 2)
    _, rest = dynamics.advance(run, 4, 2)
    risks = np.concatenate([whole.excess_risk[:1], first.excess_risk, rest.excess_risk])
    assert risks.tobytes() == whole.excess_risk.tobytes()
    with jax.enable_x64(False):
        o = Overlaps(*(np.asarray(x, np.float32) for x in o))
        told = refusal(lambda: dynamics.pgd(o, Task(400, 1e18), SCHEDULES["constant"], 1e9, 4, 2))
    assert told.startswith("risk is NaN or inf at step ")


@pytest.mark.parametrize("alpha", [0.0, 1e-9, 1e9])
def test_sgd_at_the_corners(alpha):
    o = overlaps.random_overlaps(KEY, 400, (4,))
    for task in (Task(6, 10, 1e-9), Task(1e18, 10, 1e9, 1e9)):
        rows = dynamics.sgd(o, task, SCHEDULES["constant"], alpha, 2, 3, 1, key=KEY)
        assert np.all(np.isfinite(rows.excess_risk)) and rows.step.tolist() == [0, 1, 2, 3]
        assert all(np.all(np.abs(x) <= 1 + 1e-9) for x in rows.overlaps)
        if alpha == 0:
            np.testing.assert_allclose(rows.overlaps.rho[-1], o.rho, atol=1e-12)


# --- thresholds of lam -------------------------------------------------------------------------


def least(matrix):
    """The lowest eigenvalue over the largest size, after a scaling that keeps its sign."""
    matrix = np.asarray(matrix)
    scale = np.sqrt(np.abs(np.diagonal(matrix, axis1=-2, axis2=-1)))
    scale = np.where(scale > 0, scale, 1)
    return np.linalg.eigvalsh(matrix / scale[..., None] / scale[..., None, :])[..., 0]


MARGINS = {  # what is positive below the threshold
    "lambda_c_exact": lambda lam, task: least(minimiser_hessian(lam, task)),
    "lambda_sw": lambda lam, task: least(swapped_hessian(lam, task)),
    "lambda_clip": lambda lam, task: free_theta(lam, task) - 1,
    "lambda_eq": lambda lam, task: (
        1 - landscape.swapped_excess_risk(lam, task) / risk.oracle_excess_risk(lam, task)
    ),
}


@pytest.mark.parametrize("name", MARGINS)
def test_thresholds_are_where_signs_change(name):
    random, finite = np.random.default_rng(7), 0
    for _ in range(25):
        d, L = np.floor(10 ** random.uniform(0.4, 5)), np.floor(10 ** random.uniform(0.35, 3))
        gamma = 10 ** random.uniform(-2, 0.5)
        task = Task(float(max(d, 2)), float(L), float(min(gamma, 9 * d**0.5)))
        lam = getattr(landscape, name)(task)
        with jax.enable_x64(False):
            assert getattr(landscape, name)(task) == lam
        finite += np.isfinite(lam)
        low = 0.2 / max(1, task.gamma) / task.d**0.5
        high = lam if np.isfinite(lam) else 1e3
        below = np.geomspace(min(low, high / 10), high * (1 - 1e-3), 40)
        margin = np.asarray(MARGINS[name](below, task))
        assert np.all(margin > -1e-9), (task, lam)
        if np.isfinite(lam):
            above = float(np.asarray(MARGINS[name](np.array([lam * (1 + 1e-3)]), task))[0])
            assert above < 1e-9, (task, lam)
    assert finite > 3


@pytest.mark.parametrize("m", [1, 2, 5])
def test_the_best_lam_of_several_heads(m):
    random = np.random.default_rng(m)
    for _ in range(12):
        d, L = np.floor(10 ** random.uniform(0.4, 12)), np.floor(10 ** random.uniform(1, 9))
        task = Task(float(d), float(L), float(10 ** random.uniform(-6, 6)))
        best = heads.best_lam(task, m)
        others = best.lam * np.array([1e-3, 0.5, 0.9, 1.0, 1.1, 2.0, 1e3])
        risks = np.asarray(heads.oracle_excess_risk(np.minimum(others, 1e9), task, m))
        assert np.all(best.excess_risk <= risks * (1 + 1e-12))
        assert best.excess_risk == pytest.approx(risks[3], rel=1e-12)
        if m == 1:
            assert best.lam == pytest.approx(float(landscape.best_lam(task).lam), rel=1e-9)
    told = refusal(lambda: heads.best_lam(Task(20, 1), 2))
    assert told == "task.L must be a whole number of at least 2, got 1.0"


# --- basins, and the line between them -----------------------------------------------------------


@BOTH
def test_basins(x64):
    """Near a minimum the rule names it, where it is one; and precision does not matter."""
    near = {1: Overlaps(1.0, 1.0, 0.0, 0.0, 0.0), 2: Overlaps(0.0, 0.0, 1.0, 1.0, 0.0)}
    for task in CORNERS:
        for lam in (1e-30, 1e-3, 0.3, 1e9):
            with jax.enable_x64(x64):
                found = {i: int(landscape.basin(o, lam, task)) for i, o in near.items()}
            assert all(found[i] in (0, i, 3) for i in near)
    assert len(landscape.BASINS) == 4
    o = Overlaps(*(np.array([x, -x, 0.5 * x]) for x in (0.95, 0.95, 0.0, 0.0, 0.0)))
    run = dynamics.start(o, Task(400, 10), SCHEDULES["constant"], 4e-3)
    code, step = landscape.basins_of(run, 50, 5000)
    assert code.tolist() == [1, 1, 1] and np.all(step % 50 == 0) and np.all(step <= 5000)


def test_the_dividing_line():
    """Odd, falling from 1 to -1, and zero at zero."""
    kappa = np.array([-1.0, -0.6, -1e-6, 0.0, 1e-6, 0.6, 1.0])
    for task, lam in ((Task(400, 10), 0.1), (Task(2, 1, 5.0), 0.01), (Task(1e6, 10, 0.1), 1e-3)):
        alpha = float(np.minimum(landscape.certified_step(lam, task), 1e9))
        nu = np.asarray(landscape.dividing_nu(kappa, lam, task, alpha))
        np.testing.assert_allclose(nu, -nu[::-1], atol=1e-12)
        assert nu[3] == 0 and np.all(np.diff(nu) <= 1e-12) and abs(nu[0] - 1) < 1e-6


def test_the_tilted_minimum_is_refused_where_there_is_none():
    for task in (Task(2, 10), Task(400, 10, 1e9), Task(400, 1)):
        told = refusal(lambda task=task: landscape.tilted_overlaps(10.0, task))
        assert told == "lam must be above lambda_c=inf, got 10.0"


# --- trained layers ------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("shape", [(2, 1, 1, 1), (6, 3, 5, 2)])
def test_layers(shape, x64):
    """The fast prediction is that of the whole layer, whatever the size of the tokens."""
    d, p, width, H = shape
    with jax.enable_x64(x64):
        layer = transformer.random_layer(d, p, width, H, key=KEY)
        layer = layer._replace(token=layer.register[..., ::-1, :])
        register = transformer.random_register(d, key=KEY)
        assert register.shape == (d,) and layer.readout.shape == (d,)
        random = np.random.default_rng(9)
        X = random.normal(size=(30, 4, d)) * 10 ** random.uniform(-9, 9, (30, 1, 1))
        whole, fast = (
            f(layer, register, X) for f in (transformer.predict, transformer.predict_register)
        )
        np.testing.assert_allclose(fast, whole, atol=1e-9 if x64 else 1e-3)
        u = transformer.score_direction(layer, register)
        assert u.shape == (H, d) and np.all(np.isfinite(u))


def test_training_at_a_corner():
    task = Task(2, 1, 1e-9, 0.0)
    state = transformer.start_training(
        task, 2, key=KEY, width=1, batch=1, test_points=4, learning_rate=1e-30
    )
    after, rows = transformer.advance_training(state, 2, 1)
    for before, now in zip(jax.tree.leaves(state.layer), jax.tree.leaves(after.layer), strict=True):
        np.testing.assert_allclose(before, now, atol=1e-25)  # so short a step moves nothing
    assert all(np.all(np.isfinite(x)) for x in rows) and rows.step.tolist() == [1, 2]
    assert np.all(np.isfinite(transformer.sharpness(state)))


@BOTH
def test_the_floor_of_layers_that_normalise(x64):
    """Between zero and the null risk, and the linear one is higher."""
    with jax.enable_x64(x64):
        for d in (4, 5, 200):
            teacher = random_teacher(d, (3,), key=KEY)
            for gamma in (1e-15, 1e-9, 1e-3, 0.7, 10.0, 1e9):
                floor = transformer.risk_floor(teacher, Task(d, 3, gamma)) / gamma**2
                line = transformer.risk_floor(teacher, Task(d, 3, gamma), linear=True) / gamma**2
                assert np.all((floor >= 0) & (floor <= line + 1e-5) & (line <= 1 + 1e-5))
