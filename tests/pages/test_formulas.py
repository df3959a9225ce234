"""Statements whose formulas are on a page only, checked by quadrature of their definitions."""

from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from booksource import defined
from chance import assert_mean
from scipy.special import erf, erfinv, expit

from slrlib import Overlaps, Task, special
from slrlib.risk import activation_excess_risk, exact_softmax_excess_risk, manifold_excess_risk

SOFT = [np.tanh, lambda s: expit(s - 1), lambda s: erf(s) + 0.2]


def normal(points):
    """Nodes and weights for the mean over a standard normal variable."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(points)
    return nodes, weights / weights.sum()


def normals(count, points):
    """Nodes (count, points ** count) of independent normal variables, and weights."""
    nodes, weights = normal(points)
    grid = np.array(list(product(range(points), repeat=count))).T
    return nodes[grid], np.prod(weights[grid], axis=0)


def unit(x):
    return x / np.linalg.norm(x)


@pytest.fixture(scope="module")
def changed_task():
    names = "nodes", "mass", "moments", "changed", "gained"
    return defined("changed_task", *names, np=np, special=special)


@pytest.mark.parametrize("weight", SOFT)
def test_the_risk_of_a_changed_task(changed_task, weight):
    """Sum over whole tokens in four dimensions, with a Poisson number of tokens."""
    rng, lam, gamma, c, n = np.random.default_rng(3), 0.3, 0.8, 0.25, 3.0
    k, v = map(unit, rng.normal(size=(2, 4)))
    mu, r = 0.4 * rng.normal(size=4), 1.7
    k_star, v_star = np.eye(4)[0], np.array([c, np.sqrt(1 - c**2), 0, 0])
    Z, mass = normals(4, 22)

    def token(X, label):
        error = weight(lam * (k @ X)) * (v @ X) - label
        return mass @ error, mass @ error**2

    own = r * k_star[:, None] + gamma * Z
    (a, A), (b, B) = token(own, v_star @ own), token(mu[:, None] + Z, 0)
    variances = (A - a**2) + n * (B - b**2)
    brute = variances + (a + n * b) ** 2 + n * b**2  # the number of tokens has variance n
    o = k @ k_star, v @ v_star, v @ k_star, k @ v_star, k @ v
    told = changed_task["changed"](weight, o, lam, (r, gamma, n, n**2), c, (k @ mu, v @ mu))
    assert told == pytest.approx(brute, rel=1e-6)


@pytest.mark.parametrize("tau", [0.7, -0.3])
def test_what_equally_correlated_tokens_add_on_M(changed_task, tau):
    """For three tokens: the mean over their scores, from the definitions of weights and label."""
    task, lam, kappa, nu = Task(d=10, L=3, gamma=0.8), 0.4, -0.6, 0.7
    together = tau + (1 - tau) * np.eye(3)
    values, vectors = np.linalg.eigh(together)
    Z, mass = normals(3, 40)
    spread = np.array([0.8, 1, 1])
    s = spread[:, None] * ((vectors * np.sqrt(values)) @ Z)
    s[0] += 5**0.5 * kappa
    a = erf(lam * s)
    cov = together * np.outer(spread, spread)  # of the values; with the label it is nu times row 0
    risk = mass @ np.einsum("in,ij,jn->n", a, cov, a) - 2 * nu * mass @ (cov[0] @ a) + 0.8**2
    told = manifold_excess_risk(kappa, nu, lam, task)
    told = told + changed_task["gained"](kappa, lam, tau, task)
    assert risk == pytest.approx(float(told), rel=1e-9)


@pytest.mark.parametrize("L", [1, 2, 3])
def test_all_rows_read_by_quadrature_over_all_scores(L):
    here = defined("changed_task", "G7", "p7", "all_rows", np=np, erf=erf, gamma=0.7)
    d, lam = 8, 0.11
    s, mass = normals(L, 48)
    s[0] = 2 + 0.7 * s[0]
    A = sum(erf(lam * s[[row]] * s) for row in range(L))
    each = 0.49 * (A[0] - 1) ** 2 + np.sum(A[1:] ** 2, axis=0)
    assert here["all_rows"](lam, d, L) == pytest.approx(mass @ each, rel=1e-7)


def two_tokens(o, lam, r, gamma):
    """The formula for softmax over two tokens, as stated in the book."""
    G, chance = normal(80)
    q = 1 + gamma**2
    p = 1 / (1 + jnp.exp(-lam * (r * o.kappa + q**0.5 * G)))
    b = gamma**2 * o.rho * p - o.rho * (1 - p) - gamma**2 * o.eta
    mean = r * o.theta * p + b * G / q**0.5
    rest = (1 - p) ** 2 + gamma**2 * (1 - 2 * o.nu * p + p**2)
    return chance @ (mean**2 - b**2 / q + rest)


def test_softmax_over_two_tokens_by_both_scores():
    """Given both scores, values and label are normal; given only the difference, they are not."""
    rng, lam, r, gamma = np.random.default_rng(4), 0.6, 1.5, 0.8
    (x, y), mass = normals(2, 60)
    for _ in range(3):
        k, v = map(unit, rng.normal(size=(2, 4)))
        o = Overlaps(k[0], v[1], v[0], k[1], k @ v)
        p = expit(lam * (r * o.kappa + gamma * x - y))
        mean = p * (r * o.theta + o.rho * gamma * x) + (1 - p) * o.rho * y - o.eta * gamma * x
        own = p**2 * (1 - o.rho**2) - 2 * p * (o.nu - o.rho * o.eta) + 1 - o.eta**2
        brute = mass @ (mean**2 + gamma**2 * own + (1 - p) ** 2 * (1 - o.rho**2))
        assert float(two_tokens(o, lam, r, gamma)) == pytest.approx(brute, rel=1e-10)
    pair = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)
    exact = exact_softmax_excess_risk(0.3, Task(d=20, L=2, gamma=0.8))
    assert float(two_tokens(pair, 0.3, 10**0.5, 0.8)) == pytest.approx(float(exact), rel=1e-9)


def test_no_slope_leaves_M_and_softmax_falls_towards_v_star_and_then_k_star():
    slope = jax.jit(jax.grad(two_tokens))
    for kappa, nu, lam in product((-0.99, -0.3, 0.0, 0.8), (-0.99, 0.6, 1.0), (0.1, 1.0)):
        g = slope(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, 3.0, 0.8)
        assert max(abs(float(x)) for x in (g.theta, g.eta, g.rho)) < 1e-12
        assert g.nu < 0 and (nu < 1 or g.kappa < 0)


def test_activations_that_do_not_fall_have_the_slopes_of_the_proof_on_M():
    task, lam, (G, chance) = Task(d=18, L=4, gamma=0.8), 0.4, normal(80)

    def ramp(s):  # nondecreasing, between -1 and 1, and not odd
        return jnp.tanh(2 * s + 0.3) * 0.5 + 0.1

    slope = jax.jit(jax.grad(lambda o: activation_excess_risk(ramp, o, lam, task)))
    for kappa, nu in product((-0.9, 0.0, 0.7), (-0.8, 0.5)):
        g = slope(Overlaps(kappa, nu, 0.0, 0.0, 0.0))
        assert max(abs(float(x)) for x in (g.theta, g.eta, g.rho)) < 1e-10
        own = np.asarray(ramp(lam * (3 * kappa + 0.8 * G)))

        def rises(values):  # d / d kappa of a mean over the informative score
            return 3 / 0.8 * (chance @ (values * G))

        up, down = rises((1 - own) ** 2), rises((1 + own) ** 2)
        assert up < 0 < down and rises(own) > 0
        assert float(g.nu) == pytest.approx(-2 * 0.64 * (chance @ own), rel=1e-8)
        told = 0.64 * ((1 + nu) / 2 * up + (1 - nu) / 2 * down)
        assert float(g.kappa) == pytest.approx(told, rel=1e-8)


def test_above_the_bound_the_risk_is_least_where_the_theorem_says():
    task, lam, c = Task(d=50, L=3, gamma=0.8), 0.5, 1.3
    g = lam * task.gamma
    A, w = lam * 5 / np.sqrt(1 + 2 * g**2), 1 + 4 * g**2
    least = np.sqrt(w) * erfinv(1 / c) / A
    assert least < 1
    kappas = least + np.array([-0.02, -1e-4, 0.0, 1e-4, 0.02])
    o = Overlaps(kappas, *np.ones((1, 5)), *np.zeros((3, 5)))
    risks = np.asarray(activation_excess_risk(lambda s: c * special.erf(s), o, lam, task))
    assert np.argmin(risks) == 2


def test_up_to_the_bound_the_risk_falls_towards_the_pair_on_both_edges():
    """c erf on M with c erf(A / sqrt w) = 1, and linear weights with lam r = 1."""
    (G, chance), kappas = normal(120), np.linspace(-0.98, 0.98, 50)
    for r, gamma, lam in ((5.0, 0.8, 0.2), (3.0, 2.0, 0.3), (1.7, 0.3, 0.4)):
        g = lam * gamma
        at_end = erf(lam * r / np.sqrt((1 + 2 * g**2) * (1 + 4 * g**2)))
        scores = r * kappas[:, None] + gamma * G
        for own in (erf(lam * scores) / at_end, scores / r):
            up, down = (((1 + sign * own) ** 2 * G) @ chance for sign in (-1, 1))
            assert np.all(up < 0) and np.all(down > 0) and np.all((own * G) @ chance > 0)
            assert np.allclose(down, -up[::-1], rtol=1e-9)


def test_the_noise_of_the_other_tokens():
    """Its variance by quadrature and by sampling, and the two limits of Lyapunov's ratio."""
    G, chance = normal(120)
    for lam in (0.01, 0.1, 0.7):
        square = chance @ erf(lam * G) ** 2
        assert float(special.zeta(0.0, lam)) == pytest.approx(square, rel=1e-9)
        assert square <= 4 / np.pi * lam**2
    few = chance @ erf(1e-3 * G) ** 4 / float(special.zeta(0.0, 1e-3)) ** 2
    many = np.mean(erf(1e4 * np.abs(np.arange(1, 1000) / 250)) ** 4)
    assert few == pytest.approx(3, abs=1e-4) and many == pytest.approx(1, abs=1e-3)
    score, value = np.random.default_rng(5).normal(size=(2, 50_000, 6))
    own, label = np.random.default_rng(6).normal(size=(2, 50_000))
    noise = np.sum(erf(0.5 * score[:, :5]) * value[:, :5], axis=1)
    first = erf(0.5 * (3 + 0.8 * own)) * label
    assert_mean(noise, 0.0)
    assert_mean(noise**2, 5 * float(special.zeta(0.0, 0.5)))
    assert_mean(noise * first, 0.0)
    assert_mean(noise * label, 0.0)
