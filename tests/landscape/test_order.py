"""Order on M, the starts that fail, and which schedules arrive: each against a second way."""

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from scipy import special

from slrlib import Task, landscape
from slrlib.dynamics import inverse_manifold_step, manifold_step
from slrlib.risk import manifold_excess_risk

TASKS = [Task(400, 10), Task(20, 2, gamma=2.0), Task(12, 30, gamma=0.4)]
LAMS = [0.05, 0.3, 0.9]
by_task = pytest.mark.parametrize("task", TASKS, ids=lambda t: f"d={t.d:.0f}")
by_lam = pytest.mark.parametrize("lam", LAMS)


def ordered_starts(count, seed):
    """Starts low <= high, (2, count) each, some of them close together, some on an edge."""
    rng = np.random.default_rng(seed)
    low = rng.uniform(-1, 1, (2, count))
    high = low + (1 - low) * rng.uniform(0, 1, (2, count)) ** rng.choice([1, 6, 20], count)
    high[0, ::10], low[1, 5::10] = 1.0, -1.0
    return low, high


@by_task
@by_lam
def test_descent_keeps_the_order(lam, task):
    alpha = landscape.certified_step(lam, task)
    low, high = ordered_starts(2000, 0)
    for _ in range(100):
        low, high = (np.stack(manifold_step(*pair, lam, task, alpha)) for pair in (low, high))
        assert np.min(high - low) > -1e-13


@by_task
@by_lam
def test_the_mixed_derivative_is_never_positive(lam, task):
    angles = jax.random.uniform(jax.random.key(1), (200, 2), maxval=np.pi)

    def risk(angles):
        return manifold_excess_risk(*jnp.cos(angles), lam, task)

    mixed = jax.vmap(jax.hessian(risk))(angles)[:, 0, 1]
    assert np.max(mixed) <= 1e-14


def test_far_beyond_the_certified_step_the_order_is_lost():
    task, lam = TASKS[0], 0.1
    low, high = ordered_starts(2000, 0)
    alpha = 20 * landscape.certified_step(lam, task)
    low, high = (np.stack(manifold_step(*pair, lam, task, alpha)) for pair in (low, high))
    assert np.min(high - low) < -0.01


@by_task
@by_lam
def test_a_start_of_one_sign_keeps_it_and_nu_never_falls(lam, task):
    alpha = landscape.certified_step(lam, task)
    kappa, nu = np.random.default_rng(2).uniform(0, 1, (2, 500))
    kappa[:50], nu[50:100] = 0.0, 0.0
    before = nu
    for number in range(200):
        kappa, nu = map(np.asarray, manifold_step(kappa, nu, lam, task, alpha))
        assert np.all(nu >= before - 1e-15) and np.all(kappa >= 0)
        assert number == 0 or np.min(kappa * nu) > 0
        before = nu


@by_task
def test_two_starts_in_the_fourth_quadrant_part_as_fast_as_the_proof_says(task):
    """w' >= M w for the difference w of two ordered starts, in latitudes."""
    lam = 0.3
    alpha = float(landscape.certified_step(lam, task))
    down, up = map(float, landscape.saddle_rates(lam, task))
    a_m, beta = up + down, np.sqrt(-up * down)
    rng = np.random.default_rng(3)
    a, b = rng.uniform(0, 1.4, (2, 1000)) * [[1], [-1]]
    more = rng.uniform(0, 0.1, (2, 1000))
    far = np.stack([np.minimum(a + more[0], 1.4), np.minimum(b + more[1], 0)])
    near = np.stack([a, b])
    after = [np.arcsin(manifold_step(*np.sin(x), lam, task, alpha)) for x in (near, far)]
    A = beta / (4 * task.gamma**2 / np.sqrt(np.pi))
    mixed = alpha * beta / 5 * np.cos(1.4) ** 2 * np.exp(-((A * np.sin(1.4)) ** 2))
    growth = np.array([[1 - alpha * a_m, mixed], [mixed, 1]])
    assert np.min(after[1] - after[0] - growth @ (far - near)) > -1e-12


@by_task
def test_the_dividing_line_is_the_one_that_leads_back_from_the_saddle(task):
    lam = 0.1
    alpha = landscape.certified_step(lam, task)
    down, up = map(float, landscape.saddle_rates(lam, task))
    aside = 1e-7 * np.array([up, -np.sqrt(-up * down)])

    @jax.jit
    def back(pair):
        def undo(pair, _):
            return inverse_manifold_step(*pair, lam, task, alpha), jnp.stack(pair)

        return jax.lax.scan(undo, pair, None, length=3000)[1]

    line = np.cos(back(tuple(np.pi / 2 - aside)))
    # Without interpolation: the dividing nu above the very points that the steps back visit.
    chosen = line[np.searchsorted(line[:, 0], [0.05, 0.2, 0.5, 0.9, 0.97])]
    got = landscape.dividing_nu(chosen[:, 0], lam, task, alpha)
    np.testing.assert_allclose(got, chosen[:, 1], rtol=1e-5)


def test_the_dividing_line_in_thirty_digits():
    d, lam, gamma, kappa = 100, mp.mpf("0.3"), mp.sqrt(mp.mpf("0.5")), mp.mpf("0.8")
    alpha = mp.mpf(float(landscape.certified_step(0.3, Task(d, 10))))
    g = lam * gamma
    u, w = 1 + 2 * g**2, 1 + 4 * g**2
    A = lam * mp.sqrt(d / mp.mpf(2)) / mp.sqrt(u)

    def ends_above(a, b):
        while a * b < 0:
            x = A * mp.sin(a)
            slope = 2 * gamma**2 * A * mp.cos(a) * 2 / mp.sqrt(mp.pi) * mp.exp(-(x**2))
            slope *= mp.erf(x / mp.sqrt(w)) - mp.sin(b)
            turned = a - mp.atan(alpha * slope)
            a, b = turned, b + mp.atan(alpha * 2 * gamma**2 * mp.cos(b) * mp.erf(x))
        return a + b > 0

    with mp.workdps(30):
        low, high = -mp.pi / 2, mp.mpf(0)
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if ends_above(mp.asin(kappa), middle) else (middle, high)
        wanted = float(mp.sin(low))
    got = float(landscape.dividing_nu(0.8, 0.3, Task(d, 10), float(alpha)))
    assert abs(got - wanted) < 1e-11


def test_the_dividing_line_falls_is_odd_and_has_the_slope_of_the_saddle():
    task, lam = TASKS[0], 0.1
    alpha = landscape.certified_step(lam, task)
    kappa = np.r_[1e-4, np.linspace(0.02, 0.999, 40)]
    nu = np.asarray(landscape.dividing_nu(kappa, lam, task, alpha))
    assert np.all(np.diff(nu) < 0) and -1 < nu[-1] < -0.99
    np.testing.assert_allclose(landscape.dividing_nu(-kappa, lam, task, alpha), -nu, rtol=1e-12)
    down, up = map(float, landscape.saddle_rates(lam, task))
    assert abs(nu[0] / kappa[0] + np.sqrt(-down / up)) < 1e-5
    assert float(landscape.dividing_nu(0.0, lam, task, alpha)) == 0.0


def test_the_number_of_tokens_does_not_move_the_dividing_line():
    few, many = (landscape.dividing_nu(0.6, 0.1, Task(400, L), 0.1) for L in (2, 1000))
    assert abs(float(few) - float(many)) < 1e-12


@pytest.mark.parametrize(("power", "arrives"), [(0.5, True), (1.0, True), (2.0, False)])
def test_a_schedule_arrives_if_its_sum_diverges(power, arrives):
    """At d = 20 from a start of one sign; a constant step below every certified one."""
    task = Task(20, 2)
    lams = (1 + np.arange(60_000) / 10) ** -power
    alpha = float(np.min(landscape.certified_step(lams, task)))

    @jax.jit
    def run(lams):
        def step(pair, lam):
            return manifold_step(*pair, lam, task, alpha), None

        return jax.lax.scan(step, (0.1, 0.1), lams)[0]

    kappa, nu = map(float, run(lams))
    if arrives:
        assert min(kappa, nu) > 0.99
    else:  # the angle of v keeps at least the product of 1 - 2 alpha gamma^2 erf(A_t)
        A = lams * np.sqrt(10) / np.sqrt(1 + 2 * (lams * task.gamma) ** 2)
        kept = np.prod(1 - 2 * alpha * task.gamma**2 * special.erf(A))
        assert nu <= np.cos(np.arccos(0.1) * kept) < 1 - 1e-6
        assert max(kappa, nu) < 0.99
