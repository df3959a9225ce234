"""Order on M, failing starts, and which schedules arrive: each checked by a second method."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import special

from slrlib import Task, landscape
from slrlib.dynamics import inverse_manifold_step, manifold_step

TASKS = [Task(400, 10), Task(12, 30, gamma=2.0)]
LAMS = [0.05, 0.9]
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


def test_far_beyond_the_certified_step_the_order_is_lost():
    task, lam = TASKS[0], 0.1
    low, high = ordered_starts(2000, 0)
    alpha = 20 * landscape.certified_step(lam, task)
    low, high = (np.stack(manifold_step(*pair, lam, task, alpha)) for pair in (low, high))
    assert np.min(high - low) < -0.01


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


@jax.jit
def back(pair, lam, task, alpha):
    def undo(pair, _):
        return inverse_manifold_step(*pair, lam, task, alpha), jnp.stack(pair)

    return jax.lax.scan(undo, pair, None, length=3000)[1]


@jax.jit
def forth(pair, lams, task, alpha):
    def step(pair, lam):
        return manifold_step(*pair, lam, task, alpha), None

    return jax.lax.scan(step, pair, lams)[0]


@by_task
def test_the_line_that_leads_back_from_the_saddle_divides_the_ends(task):
    """It decreases, is tangent to the stable eigenvector at the saddle, and separates runs."""
    lam = 0.1
    alpha = landscape.certified_step(lam, task)
    down, up = map(float, landscape.saddle_rates(lam, task))
    aside = 1e-7 * np.array([up, -np.sqrt(-up * down)])

    line = np.cos(back(tuple(np.pi / 2 - aside), lam, task, alpha))
    small, *chosen = line[np.searchsorted(line[:, 0], [1e-4, 0.05, 0.2, 0.5, 0.9, 0.97])]
    assert np.all(np.diff(line[line[:, 0] < 0.999], axis=0) * [1, -1] > 0)
    assert abs(small[1] / small[0] + np.sqrt(-down / up)) < 1e-5
    kappa, nu = np.transpose(chosen)
    beside = nu * np.array([[1 + 1e-5], [1 - 1e-5]])
    start = np.broadcast_to(kappa, beside.shape), beside
    for ends in forth(start, np.full(3000, lam), task, alpha):
        assert np.all(np.sign(ends) == [[-1], [1]])


@pytest.mark.parametrize(("power", "arrives"), [(0.5, True), (1.0, True), (2.0, False)])
def test_a_schedule_arrives_if_its_sum_diverges(power, arrives):
    """At d = 20 from a start with equal signs; the step is below all certified step sizes."""
    task = Task(20, 2)
    lams = (1 + np.arange(60_000) / 10) ** -power
    alpha = float(np.min(landscape.certified_step(lams, task)))
    kappa, nu = map(float, forth((0.1, 0.1), lams, task, alpha))
    if arrives:
        assert min(kappa, nu) > 0.99
    else:  # the angle of v stays above the product of 1 - 2 alpha gamma^2 erf(A_t)
        A = lams * np.sqrt(10) / np.sqrt(1 + 2 * (lams * task.gamma) ** 2)
        kept = np.prod(1 - 2 * alpha * task.gamma**2 * special.erf(A))
        assert nu <= np.cos(np.arccos(0.1) * kept) < 1 - 1e-6
        assert max(kappa, nu) < 0.99


WEIGHTS = {
    "shifted": lambda s: np.tanh(s - 0.4),  # not odd: the saddle is not at (0, 0)
    "steep": lambda s: special.erf(4 * s),  # close to the sign function
}
by_weight = pytest.mark.parametrize("name", WEIGHTS)


class OnM:
    """Descent on M at d = 8 and lambda = 1 for any weight function, with means by quadrature."""

    def __init__(self, sigma):
        nodes, mass = np.polynomial.hermite_e.hermegauss(160)
        mass = mass / mass.sum()
        grid = np.linspace(-1, 1, 4001)  # grid of kappa; values in between are interpolated
        a = sigma(2.0 * grid[:, None] + 0.5**0.5 * nodes)  # r = 2, gamma^2 = 1/2
        slope = nodes * mass * 2.0 / 0.5**0.5
        self.grid, self.m, self.by_m, self.by_S = grid, a @ mass, a @ slope, a**2 @ slope
        kappa, nu = np.meshgrid(grid[::40], np.linspace(-1, 1, 101), indexing="ij")
        by_m, by_S = (x[::40, None] for x in (self.by_m, self.by_S))
        second_m, second_S = (np.gradient(x, grid)[::40, None] for x in (self.by_m, self.by_S))
        g_kappa, g_nu = 0.5 * (by_S - 2 * nu * by_m), -self.m[::40, None]
        bends = 0.5 * (second_S - 2 * nu * second_m)
        aa = (1 - kappa**2) * bends - kappa * g_kappa
        ab = -np.sqrt((1 - kappa**2) * (1 - nu**2)) * by_m
        hessian = np.moveaxis(np.array([[aa, ab], [ab, -nu * g_nu]]), (0, 1), (-2, -1))
        self.alpha = 0.9 / np.abs(np.linalg.eigvalsh(hessian)).max()

    def slopes(self, a, b):
        m, by_m, by_S = (np.interp(np.sin(a), self.grid, x) for x in (self.m, self.by_m, self.by_S))
        return np.cos(a) * 0.5 * (by_S - 2 * np.sin(b) * by_m), -np.cos(b) * m

    def step(self, a, b):
        slopes = self.slopes(a, b)
        return tuple(x - np.arctan(self.alpha * s) for x, s in zip((a, b), slopes, strict=True))

    def side(self, a, b):
        """1 or -1 for the minimum to which each start converges, 0 if it is not near one yet."""
        for _ in range(1500):
            a, b = self.step(a, b)
        return np.sign(a + b) * (np.minimum(abs(a), abs(b)) > 0.5) * (a * b > 0)

    def saddle(self):
        a = np.arcsin(np.interp(0.0, self.m, self.grid))
        by_m, by_S = (np.interp(np.sin(a), self.grid, x) for x in (self.by_m, self.by_S))
        return a, np.arcsin(by_S / (2 * by_m))

    def dividing(self, at, axis):
        """The dividing points on vertical lines (axis 1) or horizontal ones (axis 0)."""
        low, high = np.full_like(at, -np.pi / 2), np.full_like(at, np.pi / 2)
        for _ in range(27):  # to a precision of 3e-8
            middle = (low + high) / 2
            end = self.side(*((at, middle) if axis else (middle, at)))
            low, high = np.where(end > 0, low, middle), np.where(end > 0, middle, high)
        return (low + high) / 2


@by_weight
def test_for_any_nondecreasing_weight_the_starts_that_fail_are_one_decreasing_curve(name):
    """Bisection on vertical and on horizontal lines finds the same curve."""
    descent = OnM(WEIGHTS[name])
    a = np.linspace(-1.2, 1.2, 25)
    b = descent.dividing(a, 1)
    assert np.all(np.diff(b) < 0)
    inside = abs(b) < 1.45
    assert inside.sum() >= 5
    np.testing.assert_allclose(descent.dividing(b[inside], 0), a[inside], atol=1e-5)
    rows = np.linspace(-1.5, 1.5, 61)  # the end changes once on each vertical line
    ends = descent.side(*np.meshgrid(a, rows))
    assert np.all(np.sum(np.diff(ends, axis=0) > 0, axis=0) <= 2)
    assert np.all(np.diff(ends, axis=0) >= 0)


@by_weight
def test_for_any_nondecreasing_weight_the_curve_leads_back_from_the_saddle(name):
    descent = OnM(WEIGHTS[name])
    saddle = np.array(descent.saddle())
    assert np.max(np.abs(descent.slopes(*saddle))) < 1e-6
    beside = (saddle[:, None] + h * np.eye(2) for h in (1e-4, -1e-4))
    ahead, behind = (np.array(descent.step(*x)) for x in beside)
    J = (ahead - behind) / 2e-4  # symmetric at the saddle, as the proof says
    values, vectors = np.linalg.eigh((J + J.T) / 2)
    assert abs(J[0, 1] - J[1, 0]) < 1e-4 and 0 < values[0] < 1 < values[1]
    assert vectors[0, 1] * vectors[1, 1] > 0 > vectors[0, 0] * vectors[1, 0]
    for sign in (1, -1):
        point, line = saddle + sign * 1e-3 * vectors[:, 0], []
        for _ in range(40):
            before = point
            for _ in range(200):  # the step is the identity minus a contraction
                before = point + before - np.array(descent.step(*before))
            point = before
            line.append(point)
        a, b = np.array([p for p in line if 0.02 < np.hypot(*(p - saddle)) and max(abs(p)) < 1.4]).T
        np.testing.assert_allclose(descent.dividing(a, 1), b, atol=2e-4)
