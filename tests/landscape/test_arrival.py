"""The bound on the arrival time compared with runs, and with a NumPy version of its formula."""

import jax
import numpy as np
import pytest
from booksource import defined
from scipy import integrate, special

from slrlib import Task, landscape, overlaps
from slrlib.dynamics import manifold_step

pytestmark = pytest.mark.optimized
SCHEDULE = defined("how_long", "schedule_bound", np=np, gammaln=special.gammaln)

SETTINGS = [
    (400, 0.05, 0.7, 1.0),
    (12, 0.3, 0.7, 1.0),
    (20_000, 0.005, 0.7, 0.4),
    (40, 0.6, 1.5, 1.0),
]
each = pytest.mark.parametrize(("d", "lam", "gamma", "part"), SETTINGS)


def by_numpy(d, lam, gamma, alpha, missed, short, sizes):
    """The sum in the proof, minimized over the sizes of the box, with an integral by scipy."""
    g, c = lam * gamma, 2 / np.sqrt(np.pi)
    u, w = 1 + 2 * g**2, 1 + 4 * g**2
    A, beta = lam * np.sqrt(d / 2 / u), 2 * gamma**2 * c * lam * np.sqrt(d / 2 / u)
    a_m, best = beta * c * A / np.sqrt(w), np.inf
    for size in sizes:
        k1 = min(0.5, size / A)
        n1 = special.erf(A * k1 / np.sqrt(w))
        far = max(n1, np.sqrt(1 - (missed / 2) ** (2 / (d - 3))))
        a1, b1, low = np.arcsin([k1, n1, far])
        read = special.erf(A * k1)
        turn = np.arctan(2 * alpha * gamma**2 * np.sqrt(1 - far**2) * read)
        T0 = np.ceil((low + b1) / turn)
        slope = max(beta * (n1 + far), 2 * gamma**2 * read)
        prime = beta * np.exp(-((A * k1) ** 2)) * np.sqrt((1 - k1**2) * (1 - far**2))
        prime /= 1 + (alpha * slope) ** 2
        own = alpha * (a_m + beta * k1 * n1 * (1 + 2 * A**2) / 4)
        kept = 1 - 2 * alpha * gamma**2 * n1 * read
        M = np.array([[1 - own, alpha * prime], [alpha * prime, kept]])
        mu = np.linalg.eigvalsh(M)[-1] - 1
        if mu <= 0 or 2 * alpha * gamma**2 * n1 >= 1 or alpha * beta * far > k1:
            continue
        ratio = alpha * prime / (mu + own)
        C = (2 * a1 * ratio + low + b1) / (1 - 2 * alpha * gamma**2 * n1) ** T0
        density = 1 / integrate.quad(lambda b: np.cos(b) ** (d - 4), -np.pi / 2, np.pi / 2)[0]
        T1 = max(np.ceil(np.log(2 * density * C / missed) / np.log1p(mu)), 0)
        k2 = np.sqrt(w) * special.erfinv(n1 / 2) / A
        climb = np.log1p(alpha * gamma**2 * A * c * np.exp(-((A * k2) ** 2)) * n1)
        n_1 = np.ceil(np.arctanh(k2) / climb)
        nf = max(n1, 1 - 0.1 * special.erfc(A / np.sqrt(w)))
        grow = np.log1p(2 * alpha * gamma**2 * special.erf(A * k2))
        n_2 = np.ceil((np.arctanh(nf) - np.arctanh(n1)) / grow)

        def inverse(t, A=A, w=w):
            x = A * np.tanh(t)
            G = 2 * gamma**2 * A * c * np.exp(-(x**2)) * special.erfc(x / np.sqrt(w))
            return 1 / np.log1p(0.9 * alpha * G)

        way = integrate.quad(inverse, np.arctanh(k2), np.arctanh(1 - short))[0]
        n_4 = np.ceil(max(np.arctanh(1 - short) - np.arctanh(nf), 0) / grow)
        best = min(best, T0 + T1 + n_1 + n_2 + max(np.ceil(1 + way), n_4))
    return best


@each
def test_the_sum_is_that_of_the_proof(d, lam, gamma, part):
    task = Task(d, 10, gamma)
    alpha = part * float(landscape.certified_step(lam, task))
    wanted = by_numpy(d, lam, gamma, alpha, 0.05, 0.01, landscape.bounds.SIZES)
    got = float(landscape.arrival_bound(lam, task, alpha))
    assert abs(got - wanted) <= 3 + 1e-9 * wanted  # rounding up may differ in each term


@jax.jit
def after(pair, steps, lam, task, alpha):
    return jax.lax.fori_loop(0, steps, lambda _, pair: manifold_step(*pair, lam, task, alpha), pair)


@each
def test_no_more_starts_than_allowed_arrive_later(d, lam, gamma, part):
    """1,000 starts per setting: 95% have arrived at the bound, but not at a twelfth of it."""
    task = Task(d, 10, gamma)
    alpha = part * float(landscape.certified_step(lam, task))
    bound = int(landscape.arrival_bound(lam, task, alpha))
    o = overlaps.random_overlaps(jax.random.key(0), d, (1000,), on_manifold=True)

    def share(steps):
        kappa, nu = map(np.asarray, after((o.kappa, o.nu), steps, lam, task, alpha))
        return np.mean((np.minimum(np.abs(kappa), np.abs(nu)) >= 0.99) & (kappa * nu > 0))

    assert share(bound) >= 0.95
    assert share(bound // 12) < 0.95


def test_where_nothing_is_said():
    assert landscape.arrival_bound(0.3, Task(3, 2), 0.1) == np.inf
    few = landscape.arrival_bound(0.3, Task(30, 2), 0.1)
    assert few == landscape.arrival_bound(0.3, Task(30, 1000), 0.1)


@jax.jit
def after_falling(pair, lams, task, alpha):
    def step(pair, lam):
        return manifold_step(*pair, lam, task, alpha), None

    return jax.lax.scan(step, pair, lams)[0]


@pytest.mark.parametrize(("d", "lam0", "decay"), [(80, 1.0, 1e-2), (400, 0.5, 2e-3)])
def test_a_falling_lam_arrives_within_a_power_of_d(d, lam0, decay):
    task, u = Task(d, 10), 1 / (1 - 0.5 / (4 * d))
    lams = lam0 / (1 + decay * np.arange(8000))
    alpha = float(np.min(landscape.certified_step(lams, task)))
    bound = float(SCHEDULE["schedule_bound"](lam0, decay, task, alpha))
    power = decay * np.sqrt(u * np.pi / (8 * d)) / (alpha * 0.5 * lam0)
    density = 1 / integrate.quad(lambda b: np.cos(b) ** (d - 4), -np.pi / 2, np.pi / 2)[0]
    wanted = (lam0 * np.sqrt(8 * d / u) / decay + 1) * np.exp(9 * power)
    wanted *= (4.8 * density / 0.05) ** (2.44 * power) * (2 / 0.01) ** (1.5 * power)
    np.testing.assert_allclose(bound, wanted, rtol=1e-8)
    o = overlaps.random_overlaps(jax.random.key(2), d, (1000,), on_manifold=True)
    kappa, nu = map(np.asarray, after_falling((o.kappa, o.nu), lams, task, alpha))
    assert np.mean((np.minimum(np.abs(kappa), np.abs(nu)) >= 0.99) & (kappa * nu > 0)) >= 0.95
    assert 8000 < bound < np.inf


def test_the_constants_of_the_proof_for_a_falling_lam():
    """Verify each rounded constant of the proof at A = 1/4."""
    A, z = 0.25, 0.26
    c = 2 / np.sqrt(np.pi)
    for a in np.linspace(1e-3, A, 200):  # alpha beta is at most beta / B_11, without a term of B_11
        assert 4 * a / np.sqrt(np.pi) / (8 * a**2 * np.sqrt(2 / np.pi / np.e) + 1.9357) < z
    assert 8 / np.sqrt(2 * np.pi * np.e) > 1.9357
    ratio = c * A  # an upper bound on a_M / beta and F / kappa
    shrink = np.log(1 / 0.75) * 2 * np.arcsin(0.25) / (np.pi / 4 * np.sqrt(15 / 16))
    assert np.exp(-shrink) > 0.82
    half = np.arctan(z * (1 - A**2 / 3) / 2 * np.cos(np.pi / 6)) / z
    assert np.pi / 6 / half + z < 1.52
    outer = 0.75 * np.exp(-(A**2) / 4) / (1 + (z * (ratio / 2 + 0.5)) ** 2) - ratio
    inner = 15 / 16 * np.exp(-(A**2) / 16) / (1 + (z * (ratio + 1) / 4) ** 2)
    inner -= ratio + (1 + 2 * A**2) / 16
    assert min(np.log1p(outer * z), np.log1p(inner * z)) / z > 0.41
    assert 1 / 0.41 < 2.44 and np.pi / 3 < 1.05
    assert 1.05 / 0.82 * np.exp(0.41 * 1.52) < 2.4
    fall = -np.log1p(-ratio * z) / z
    read = np.arctan(z * (1 - A**2 / 3) * 0.25 * np.sqrt(15 / 16)) / z
    first = -np.log(1 - np.arcsin(0.25) * fall / read) / fall + z
    assert first < 1.57
    rises = [
        (np.exp(-(A**2) / 4) * (0.25 - ratio / 2), np.arctanh(0.5)),
        ((1 - A**2 / 3) / 2, np.arctanh(0.65) - np.arctanh(0.25)),
    ]
    times = [way / (np.log1p(s * z) / z) + z for s, way in rises]
    assert first + sum(times) + z < 9
    last = np.log1p(z * np.exp(-(A**2)) * (0.65 - special.erf(A))) / z
    assert 0.5 / last < 1.5
