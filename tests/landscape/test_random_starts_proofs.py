"""The lemmas and formulas of the proofs for random starts, each checked independently."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flint import arb
from numpy.polynomial.hermite_e import hermegauss
from scipy.integrate import solve_ivp
from scipy.special import erf, expit

from slrbook.certificates.closed import Setting
from slrbook.certificates.softmax import margin, means
from slrlib import Overlaps, Task
from slrlib.overlaps import random_overlaps
from slrlib.risk import excess_risk, linear_pair_excess_risk, two_token_softmax_excess_risk

NODES, MASS = hermegauss(80)
MASS = MASS / MASS.sum()


def any_weights(c, o, r, gamma):
    """The risk for any weights, from its coefficients (f, P, p, alpha, beta, sigma, phi)."""
    f, P, p, alpha, beta, sigma, phi = c
    squares = r**2 * p * o.theta**2 + sigma * o.rho**2
    mixed = 2 * alpha * o.theta * o.rho - 2 * beta * o.theta * o.eta - 2 * phi * o.rho * o.eta
    return f + 2 * gamma**2 * (1 - o.nu) * P + squares + mixed


def coefficients(mean, w, s, r, gamma):
    """The means of {eq}`eq-softmax-means` from their definitions: weights w, centered scores s."""
    S, rest = sum(a * b for a, b in zip(w, s, strict=True)), sum(mean(x**2) for x in w[1:])
    P, p = mean(w[0]), mean(w[0] ** 2)
    return (
        gamma**2 * mean((1 - w[0]) ** 2) + rest,
        P,
        p,
        r * mean(w[0] * S),
        r * mean(w[0] * s[0]),
        mean(S**2) - gamma**2 * p - rest,
        mean(S * s[0]) - gamma**2 * P,
    )


def erf_slopes(lam, score):
    """The first two derivatives of erf(lam score) with respect to the score."""
    first = 2 * lam / np.sqrt(np.pi) * np.exp(-((lam * score) ** 2))
    return first, -2 * lam**2 * score * first


def grid(gamma):
    """The two centered scores of two tokens at the nodes, and a function for the mean over them."""
    s = [gamma * NODES[:, None], NODES[None, :] + 0 * NODES[:, None]]
    return s, lambda x: MASS @ (x + 0 * s[1]) @ MASS


def vectors(o, d):
    """Two unit vectors of R^d with the overlaps ``o``; the first axes are k* and v*."""
    k, v = np.zeros((2, d))
    k[:2], v[:2] = (o.kappa, o.eta), (o.theta, o.nu)
    k[2] = np.sqrt(1 - k @ k)
    v[2] = (o.rho - k @ v) / k[2]
    v[3] = np.sqrt(1 - v @ v)
    return k, v


def overlaps_of(k, v):
    """The overlaps of two unit vectors; the first axes are k* and v*."""
    return Overlaps(k[0], v[1], v[0], k[1], k @ v)


def test_the_risk_for_any_weights_by_sampled_tokens_for_three_tokens():
    """Softmax with L = 3: the formula with means from one sample, the loss from another sample."""
    d, L, gamma, lam, count = 7, 3, 0.8, 0.6, 400_000
    r, rng, o = np.sqrt(d / 2), np.random.default_rng(0), Overlaps(0.5, 0.3, -0.4, 0.6, 0.35)
    k, v = vectors(o, d)

    def weights(scores):
        w = np.exp(lam * (scores - scores.max(0)))
        return list(w / w.sum(0))

    s = rng.normal(size=(L, count)) * np.array([gamma, 1, 1])[:, None]
    w = weights(s + np.array([r * o.kappa, 0, 0])[:, None])
    formula = any_weights(coefficients(np.mean, w, list(s), r, gamma), o, r, gamma)
    X = rng.normal(size=(L, count, d))
    X[0] = gamma * X[0] + r * np.eye(d)[0]
    output = sum(a * b for a, b in zip(weights(X @ k), X @ v, strict=True))
    loss = (output - X[0, :, 1]) ** 2
    assert abs(loss.mean() - formula) < 6 * loss.std() / count**0.5  # both are estimates


def test_the_risk_for_any_weights_is_the_exact_risk_of_erf():
    d, L, gamma, lam = 9, 4, 1.3, 0.4
    task, r = Task(d=d, L=L, gamma=gamma), np.sqrt(d / 2)
    for o in zip(*map(np.asarray, random_overlaps(jax.random.key(1), d, (5,))), strict=True):
        o = Overlaps(*o)
        w, u = erf(lam * (r * o.kappa + gamma * NODES)), erf(lam * NODES)
        mean = lambda x: MASS @ x  # noqa: E731
        n, q, s = L - 1, mean(u * NODES), gamma * NODES
        P, p, rest = mean(w), mean(w**2), n * mean(u**2)
        square = mean(w**2 * s**2) + 2 * mean(w * s) * n * q
        square += n * mean(u**2 * NODES**2) + n * (n - 1) * q**2
        c = (
            gamma**2 * mean((1 - w) ** 2) + rest,
            P,
            p,
            r * (mean(w**2 * s) + P * n * q),
            r * mean(w * s),
            square - gamma**2 * p - rest,
            mean(w * s**2) - gamma**2 * P,
        )
        exact = float(excess_risk(o, lam, task))
        assert abs(any_weights(c, o, r, gamma) / exact - 1) < 1e-9
        # the same means by Stein's identity, {eq}`eq-erf-means`
        (w1, w2), (u1, u2) = erf_slopes(lam, r * o.kappa + s), erf_slopes(lam, NODES)
        stein = (
            2 * r * gamma**2 * mean(w * w1) + r * n * q * P,
            r * gamma**2 * mean(w1),
            2 * gamma**4 * mean(w1**2 + w * w2)
            + 2 * n * q * gamma**2 * mean(w1)
            + 2 * n * mean(u1**2 + u * u2)
            + n * (n - 1) * q**2,
            gamma**4 * mean(w2),
        )
        np.testing.assert_allclose(stein, c[3:], rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("gg, lam", [(0.5, 0.1), (2.0, 0.3)])
def test_the_means_of_the_certificates_are_those_of_the_definitions(gg, lam):
    """Two tokens: quadrature over both scores, derivatives by differences, and the total risk."""
    d, gamma, h = 30, gg**0.5, 1e-5
    r = np.sqrt(d / 2)
    s, mean = grid(gamma)

    def at(kappa):
        w = expit(lam * (r * kappa + s[0] - s[1]))
        return np.array(coefficients(mean, [w, 1 - w], s, r, gamma))

    for kappa in (-1.0, -0.2, 0.7):
        value, slope = at(kappa), (at(kappa + h) - at(kappa - h)) / (2 * h)
        x = means(arb(kappa), arb(lam), Setting(d, 2, gg))
        here = [x.P, x.p, x.alpha, x.beta, x.sigma, x.phi]
        there = [x.f_, x.P_, x.p_, x.alpha_, x.beta_, x.sigma_, x.phi_]
        np.testing.assert_allclose([float(y.mid()) for y in here], value[1:], rtol=2e-4, atol=1e-6)
        np.testing.assert_allclose([float(y.mid()) for y in there], slope, rtol=2e-4, atol=2e-6)
        for y, z in zip(here, value[1:], strict=True):
            assert abs(float(y.mid()) - z) <= float(y.rad()) + 1e-9
        o = Overlaps(kappa, 0.1, -0.2 * (1 - kappa**2), 0.0, -0.3)
        exact = two_token_softmax_excess_risk(o, lam, Task(d=d, L=2, gamma=gamma))
        assert abs(any_weights(value, o, r, gamma) / float(exact) - 1) < 1e-8


def test_the_condition_is_refused_where_there_is_a_spurious_minimum():
    wide = Setting(5135, 2, 6.243**2)
    assert margin(arb("-0.12849"), arb("0.0003"), wide) > 0
    with pytest.raises(ArithmeticError, match="not proved"):
        margin(arb("-0.12849"), arb("1.5816"), wide)


RISKS = {
    "linear": (linear_pair_excess_risk, Task(d=6, L=3, gamma=0.9)),
    "erf": (excess_risk, Task(d=6, L=3, gamma=0.9)),
    "softmax": (two_token_softmax_excess_risk, Task(d=6, L=2, gamma=0.9)),
}


@pytest.mark.parametrize("kind", RISKS)
def test_the_multipliers_are_the_curvature_along_a_fresh_direction(kind):
    """At any pair the second derivative along e is m x^2 + 2 Q x y + m' y^2; also the gradient."""
    risk, task = RISKS[kind]
    k, v = jax.random.normal(jax.random.key(7), (2, 5))
    k, v = (jnp.append(x / jnp.linalg.norm(x), 0.0) for x in (k, v))
    e = jnp.eye(6)[5]

    @jax.jit
    @jax.grad
    @jax.grad
    def bend(t, x, y):
        turned = (jnp.cos(t * z) * u + jnp.sin(t * z) * e for z, u in ((x, k), (y, v)))
        return risk(overlaps_of(*turned), 0.3, task)

    g = jax.grad(lambda o: risk(o, 0.3, task))(overlaps_of(k, v))
    by_k, by_v = jax.grad(lambda k, v: risk(overlaps_of(k, v), 0.3, task), (0, 1))(k, v)
    np.testing.assert_allclose(by_k[:2], [g.kappa + g.rho * v[0], g.eta + g.rho * v[1]], rtol=1e-9)
    np.testing.assert_allclose(by_v[:2], [g.theta + g.rho * k[0], g.nu + g.rho * k[1]], rtol=1e-9)
    np.testing.assert_allclose(by_k[2:], g.rho * v[2:], rtol=1e-9, atol=1e-12)
    m, other = -k @ by_k, -v @ by_v
    for x, y in ((1.0, 0.0), (0.0, 1.0), (0.7, -1.1)):
        assert abs(bend(0.0, x, y) - (m * x**2 + 2 * g.rho * x * y + other * y**2)) < 1e-9


def linear_parts(x, r, lam, gamma, n):
    """k, v and the flow of F/2 for linear attention, in vectors."""
    k, v = x[: len(x) // 2], x[len(x) // 2 :]
    G, N, c0, tau = r**2 * gamma**2, gamma**2 + n, gamma**4 + n, gamma**2 * r / lam
    z, rho = k[0] * v[0], k @ v
    M = r**2 * z + N * rho
    Q = N * M + G * z + c0 * rho
    by_k, by_v = Q * v, Q * k
    by_k[0] += -tau * v[1] + r**2 * v[0] * M + G * (k[0] + v[0] * rho)
    by_k[1] += -tau * v[0]
    by_v[0] += -tau * k[1] + r**2 * k[0] * M + G * (v[0] + k[0] * rho)
    by_v[1] += -tau * k[0]
    m, other = -k @ by_k, -v @ by_v
    return k, v, -by_k - m * k, -by_v - other * v, m, other, Q, M


def test_the_flow_of_linear_attention_is_that_of_the_proof():
    """F, its gradient and the equations of the cones at random pairs, for L = 1 and L = 5."""
    rng, r, lam, gamma = np.random.default_rng(3), np.sqrt(3.5), 0.45, 0.8

    @partial(jax.grad, argnums=(0, 1))
    def slopes(k, v, task):
        return linear_pair_excess_risk(overlaps_of(k, v), lam, task) / (2 * lam**2)

    for n in (0, 4):
        task = Task(d=7, L=n + 1, gamma=gamma)
        k, v = rng.normal(size=(2, 5))
        k, v = k / np.linalg.norm(k), v / np.linalg.norm(v)
        by_k, by_v = map(np.asarray, slopes(k, v, task))
        k, v, to_k, to_v, m, other, Q, M = linear_parts(np.concatenate([k, v]), r, lam, gamma, n)
        np.testing.assert_allclose(to_k, -by_k + k @ by_k * k, atol=1e-9)
        np.testing.assert_allclose(to_v, -by_v + v @ by_v * v, atol=1e-9)
        G, tau, rho = r**2 * gamma**2, gamma**2 * r / lam, k @ v
        assert abs(other - m - G * (k[0] ** 2 - v[0] ** 2)) < 1e-9
        first, second = k[0] + v[0], k[0] - v[0]
        outer, inner = v[1] + k[1], v[1] - k[1]
        cones = (1, first, outer, second, inner), (-1, second, inner, first, outer)
        for sign, x, y, w, u in cones:
            mean = (m + other) / 2
            bracket = sign * r**2 * M + G * (1 + sign * rho) + sign * Q + mean - G * w**2 / 2
            assert abs(to_k[0] + sign * to_v[0] - (tau * y - x * bracket)) < 1e-9
            speed = x * (tau - G * w * u / 2) - y * (mean + sign * Q)
            assert abs(to_v[1] + sign * to_k[1] - speed) < 1e-9


def test_each_cone_of_linear_attention_leads_to_its_minimum():
    """The four sets of the theorem and the signs of their limits, also at lam r = 1 and d = 3."""
    rng, gamma = np.random.default_rng(4), 1.1
    ends = {(1, 1): [1, 1, 0, 0], (-1, -1): [-1, -1, 0, 0]}
    ends |= {(1, -1): [0, 0, 1, 1], (-1, 1): [0, 0, -1, -1]}  # signs of the pairs + and -
    seen = set()
    for d, size, n in ((3, 1.0, 0), (8, 0.6, 2)):
        r = np.sqrt(d / 2)

        def flow(_, x, r=r, size=size, n=n):
            return np.concatenate(linear_parts(x, r, size / r, gamma, n)[2:4])

        for _ in range(40):
            k, v = rng.normal(size=(2, d))
            x = np.concatenate([k / np.linalg.norm(k), v / np.linalg.norm(v)])
            k, v = x[:d], x[d:]
            plus = np.sign([k[0] + v[0], v[1] + k[1]])
            minus = np.sign([k[0] - v[0], v[1] - k[1]])
            if plus[0] != plus[1] or minus[0] != minus[1]:
                continue
            signs = int(plus[0]), int(minus[0])
            x = solve_ivp(flow, (0, 300 / r**2), x, method="LSODA", rtol=1e-8).y[:, -1]
            found = [x[0], x[d + 1], x[d], x[1]]
            np.testing.assert_allclose(found, ends[signs], atol=2e-3)
            seen.add(signs)
    assert seen == set(ends)


def test_one_pair_of_the_limit_flow_wins_at_the_rate_of_the_theorem():
    """log X grows at rate mu, Theta decays twice as fast, and H converges."""
    a, gamma = 0.8, 0.9
    hat = 2 * a / np.sqrt(np.pi)
    mu = gamma**2 * (np.sqrt(hat**4 + 4 * hat**2) - hat**2)

    def flow(_, s):
        X, V, T, H = s
        return (
            2 * gamma**2 * hat * V - 2 * hat**2 * X * (gamma**2 + T**2),
            2 * gamma**2 * hat * X,
            2 * gamma**2 * hat * H - 2 * hat**2 * T * (gamma**2 + X**2),
            2 * gamma**2 * hat * T,
        )

    starts, winners = np.random.default_rng(5).normal(size=(12, 4)) / np.sqrt(2), []
    for start in starts:
        times = np.array([0.0, 5 / mu, 6 / mu])
        path = solve_ivp(flow, (0, times[-1]), start, "LSODA", times, rtol=1e-10, atol=1e-14).y.T
        first = abs(path[-1, 1]) > abs(path[-1, 3])
        X, V, T, H = (path if first else path[:, [2, 3, 0, 1]]).T
        assert X[-1] * V[-1] > 0
        if abs(X[1]) < 20:  # this start stays close to the boundary for long
            continue
        winners.append(bool(first))
        assert abs(np.log(X[2] / X[1]) - 1) < 0.02 and abs(np.log(V[2] / V[1]) - 1) < 0.02
        assert abs(np.log(T[2] / T[1]) + 2) < 0.05 and abs(H[2] / H[1] - 1) < 0.01
    assert len(winners) >= 8 and set(winners) == {True, False}


def test_the_exact_risk_of_erf_has_the_limit_of_the_theorem():
    """r^2 (R - const) - U decreases like 1/r, and the swapped end has the lower risk."""
    a, gamma, L = 0.9, 0.7, 4
    hat, rng = 2 * a / np.sqrt(np.pi), np.random.default_rng(6)
    s, null = rng.normal(size=5), np.zeros(5)
    gap = []
    for r in (1e2, 1e3):
        task = Task(d=2 * r**2, L=L, gamma=gamma)
        here, zero = (float(excess_risk(Overlaps(*x), a / r, task)) for x in (s / r, null))
        X, V, T, H, _ = s
        U = -2 * gamma**2 * hat * (X * V + T * H) + hat**2 * gamma**2 * (X**2 + T**2)
        gap.append(abs(r**2 * (here - zero) - U - hat**2 * X**2 * T**2))
    assert gap[1] < 0.15 * gap[0] < 0.1
    theta = min(1.0, 1 / hat)
    pair, swapped = (
        float(excess_risk(Overlaps(*map(float, x)), a / 1e3, Task(d=2e6, L=L, gamma=gamma)))
        for x in ((1, 1, 0, 0, 0), (0, 0, theta, 1, 0))
    )
    assert abs(pair - gamma**2 * (1 - erf(a)) ** 2) < 1e-4
    assert abs(swapped - gamma**2 * (1 - hat * theta) ** 2) < 1e-4
    assert swapped < pair


def other_than_saddles(risk, starts):
    """(kappa, nu, theta, eta) of the critical points in R^5 that are not strict saddles.

    Newton's method finds the critical points; it must find enough of both kinds."""

    def on_spheres(x):
        k, v = x[:5] / jnp.linalg.norm(x[:5]), x[5:] / jnp.linalg.norm(x[5:])
        return risk(overlaps_of(k, v))

    slope, bend = jax.grad(on_spheres), jax.hessian(on_spheres)

    def tangent(x):
        none = jnp.zeros(5)
        k, v = jnp.concatenate([x[:5], none]), jnp.concatenate([none, x[5:]])
        flat = jnp.eye(10) - jnp.outer(k, k) - jnp.outer(v, v)
        return flat @ bend(x) @ flat

    def step(_, x):
        move = jnp.linalg.pinv(tangent(x), rtol=1e-9, hermitian=True) @ slope(x)
        x = x - move / jnp.maximum(1.0, jnp.linalg.norm(move) / 0.3)
        return jnp.concatenate([y / jnp.linalg.norm(y) for y in (x[:5], x[5:])])

    @jax.jit
    @jax.vmap
    def found(x):
        x = jax.lax.fori_loop(0, 60, step, x)
        H = tangent(x)
        return x, jnp.linalg.norm(slope(x)) / jnp.linalg.norm(H), jnp.linalg.eigvalsh(H)

    x, size, eigen = map(np.asarray, found(starts))
    there, saddle = size < 1e-9, eigen[:, 0] < -1e-7 * eigen[:, -1]
    assert np.sum(there & saddle) > 20 and np.sum(there & ~saddle) > 5
    return x[there & ~saddle][:, [0, 6, 5, 1]]


@pytest.mark.parametrize("size, L", [(1.0, 1), (0.6, 4)])
def test_no_other_critical_point_of_linear_attention_is_a_minimum(size, L):
    task = Task(d=5, L=L, gamma=0.8)
    lam = size / np.sqrt(2.5)
    # Newton's method converges to saddles unless it starts near a minimum
    ends = jnp.zeros((10, 10)).at[:5, [0, 6]].set(1.0).at[5:, [1, 5]].set(-1.0)
    noise = jax.random.normal(jax.random.key(1), (150, 10))
    starts = noise.at[:10].set(ends + 0.1 * noise[:10])
    o = other_than_saddles(lambda o: linear_pair_excess_risk(o, lam, task), starts)
    assert {tuple(x) for x in abs(o).round(4).tolist()} <= {(1, 1, 0, 0), (0, 0, 1, 1)}
    assert np.all(o[:, 0] * o[:, 1] + o[:, 2] * o[:, 3] > 0)


def test_no_other_critical_point_of_softmax_is_a_minimum():
    """At a setting where (H) is certified."""
    task = Task(d=20, L=2, gamma=0.5**0.5)
    starts = jax.random.normal(jax.random.key(2), (150, 10))
    o = other_than_saddles(lambda o: two_token_softmax_excess_risk(o, 0.1, task), starts)
    np.testing.assert_allclose(o, np.broadcast_to([1, 1, 0, 0], o.shape), atol=1e-4)


def test_softmax_follows_two_equations_in_high_dimension():
    """The exact flow from overlaps of order 1/sqrt(d), compared with {eq}`eq-softmax-ode`."""
    d, a, gg = 4e6, 1.2, 0.6
    task, lam = Task(d=d, L=2, gamma=gg**0.5), a / np.sqrt(d / 2)

    def risk(k, v):
        return two_token_softmax_excess_risk(overlaps_of(k, v), lam, task)

    @jax.jit
    def flow(x):
        k, v = x[:4], x[4:]
        by_k, by_v = jax.grad(risk, (0, 1))(k, v)
        return -jnp.concatenate([by_k - k @ by_k * k, by_v - v @ by_v * v])

    small = np.random.default_rng(8).normal(size=5) / np.sqrt(d)
    k = np.array([small[0], small[1], 1.0, 0.0])
    v = np.array([small[2], small[3], small[4], 1.0])
    start = np.concatenate([k / np.linalg.norm(k), v / np.linalg.norm(v)])
    times = np.array([1.0, 3.0, 8.0, 20.0])
    exact = solve_ivp(
        lambda _, x: np.asarray(flow(x)), (0, 20), start, "LSODA", times, rtol=1e-7, atol=1e-10
    ).y

    def limit(_, x):
        s = expit(a * x[0])
        pull = gg * (x[1] - s) + 1 - s
        return [2 * a * s * (1 - s) * (1 - x[0] ** 2) * pull, 2 * gg * s * (1 - x[1] ** 2)]

    expected = solve_ivp(limit, (0, 20), [0.0, 0.0], t_eval=times, rtol=1e-8).y
    np.testing.assert_allclose(exact[[0, 5]], expected, atol=0.01)
    assert expected[0, 0] < 0.5 and np.all(exact[[0, 5], -1] > 0.99)
