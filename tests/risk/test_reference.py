"""Reference risks: oracle at any scale, best linear, linear attention, null, argmax."""

import json
import math
from pathlib import Path

import exact
import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from chance import assert_mean
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import erf, ndtr

from slrlib import Task
from slrlib.overlaps import ORACLE
from slrlib.risk import (
    argmax_excess_risk,
    excess_risk,
    linear_attention_excess_risk,
    linear_excess_risk,
    manifold_excess_risk,
    null_excess_risk,
    oracle_excess_risk,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())
LAWS = ([0.1, 0.2, 0.3, 0.4], [0.25] * 4, [1.0, 0.0, 0.0], [0.9, 0.1], [0.5, 0.5, 0.0], [1.0])
SETTINGS = [(8, 3, 0.5), (20, 10, 0.7), (6, 1, 1.5), (400, 10, 0.5**0.5), (50, 40, 2.0)]


def golden(start):
    """(inputs, output) of the stored values whose formula begins so."""
    return [(e["inputs"], e["output"]) for e in GOLDEN if e["formula"].startswith(start)]


def task_of(inputs):
    return Task(inputs["d"], inputs["L"], inputs["gamma"])


@pytest.mark.parametrize(("inputs", "output"), golden("linear_predictor"))
def test_golden_linear(inputs, output):
    task = Task(9, len(inputs["p"]), inputs["gamma"], p=inputs["p"])
    np.testing.assert_allclose(linear_excess_risk(task), output, rtol=1e-15)


@pytest.mark.parametrize(("inputs", "output"), golden("oracle_excess"))
def test_golden_oracle(inputs, output):
    np.testing.assert_allclose(
        oracle_excess_risk(inputs["lam"], task_of(inputs)), output, rtol=2e-14
    )


@pytest.mark.parametrize(("inputs", "output"), golden("lambda_star"))
def test_golden_best_lam(inputs, output):
    best, value = output
    task = task_of(inputs)
    np.testing.assert_allclose(oracle_excess_risk(best, task), value, rtol=2e-14)
    assert abs(jax.grad(oracle_excess_risk)(best, task)) * best < 1e-12 * value


@pytest.mark.parametrize(("inputs", "output"), golden("argmax"))
def test_golden_argmax(inputs, output):
    np.testing.assert_allclose(argmax_excess_risk(task_of(inputs)), output, rtol=2e-14)


# The oracle parameters, with a free output scale.


@pytest.mark.parametrize(("d", "L", "gamma"), SETTINGS)
@pytest.mark.parametrize("lam", [0.01, 0.1, 0.7])
def test_oracle_is_the_risk_at_the_oracle_overlaps(d, L, gamma, lam):
    task = Task(d, L, gamma)
    value = oracle_excess_risk(lam, task)
    np.testing.assert_allclose(manifold_excess_risk(1.0, 1.0, lam, task), value, rtol=1e-13)
    size = gamma**2 + float(value)
    np.testing.assert_allclose(excess_risk(ORACLE, lam, task), value, atol=1e-14 * size)


@pytest.mark.parametrize("scale", [0.0, 0.4, 1.0, 1.3, -2.0, 30.0, 1e6])
@pytest.mark.parametrize(
    ("lam", "d", "gamma"), [(0.3, 20.0, 0.8), (1e-6, 400.0, 1.0), (1.0, 80.0, 2.0)]
)
def test_scaled_oracle_against_its_definition(scale, lam, d, gamma):
    """gamma^2 E[(1 - a erf)^2] + (L - 1) a^2 E[erf^2], by quadrature."""
    t, s = lam * math.sqrt(d / 2), lam * gamma
    informative = exact.gaussian_mean(lambda x: (1 - scale * x.erf()) ** 2, t, s)
    noise = exact.gaussian_mean(lambda x: x.erf() ** 2, 0, lam)
    expected = float(gamma**2 * informative + 4 * scale**2 * noise)
    got = oracle_excess_risk(lam, Task(d=d, L=5, gamma=gamma), scale=scale)
    np.testing.assert_allclose(got, expected, rtol=1e-13)


def test_a_small_lam_with_a_large_scale_is_linear_attention():
    task, slope = Task(d=400, L=10), 0.06
    for lam, near in ((1e-3, 1e-2), (1e-5, 1e-6), (1e-8, 1e-11)):
        scale = slope * math.sqrt(math.pi) / (2 * lam)
        linear = linear_attention_excess_risk(slope, task)
        assert abs(oracle_excess_risk(lam, task, scale) / linear - 1) < near


def test_corollary_2_bounds_the_oracle_risk():
    for d, L in ((10**3, 4), (10**6, 10), (10**9, 1000)):
        task, lam = Task(d, L), (d * L) ** -0.25
        missed = 0.5 * exact.mean_erfc_squared(lam * math.sqrt(d / 2), lam * math.sqrt(0.5))
        assert oracle_excess_risk(lam, task) <= float(missed) + 4 / math.pi * math.sqrt(L / d)


# Direct simulation of all of them.


@pytest.mark.parametrize(
    ("d", "L", "gamma"), [(8, 3, 0.5), (6, 5, 1.0), (20, 4, 1.4), (10, 2, 0.7)]
)
def test_against_direct_simulation(d, L, gamma):
    """Six z-scores for each of four tasks, all below 4; the first two axes are k* and v*."""
    rng, n, task = np.random.default_rng(d), 200_000, Task(d, L, gamma)
    X = rng.normal(size=(n, L, 2))
    X[:, 0] *= gamma
    X[:, 0, 0] += math.sqrt(d / 2)
    s, t = X[..., 0], X[..., 1]
    y = t[:, 0]  # the label without its noise, which adds the same to every risk

    def assert_excess(prediction, expected):
        assert_mean((y - prediction) ** 2, expected)

    assert_excess(np.sum(erf(0.4 * s) * t, 1), oracle_excess_risk(0.4, task))
    assert_excess(0.6 * np.sum(erf(0.9 * s) * t, 1), oracle_excess_risk(0.9, task, 0.6))
    assert_excess(0.3 * np.sum(s * t, 1), linear_attention_excess_risk(0.3, task))
    assert_excess(0.0 * y, null_excess_risk(task))
    assert_excess(t[np.arange(n), s.argmax(1)], argmax_excess_risk(task))
    p = rng.dirichlet(np.ones(L))
    place = rng.choice(L, size=n, p=p)
    moved = t.copy()  # the informative token changes places with token 0
    moved[:, 0], moved[np.arange(n), place] = t[np.arange(n), place], t[:, 0]
    beta = p * gamma**2 / (1 + p * (gamma**2 - 1))
    assert_excess(moved @ beta, linear_excess_risk(Task(d, L, gamma, p=p)))


# Linear predictors.


@pytest.mark.parametrize("p", LAWS)
@pytest.mark.parametrize("gamma", [0.05, 0.7, 1.0, 3.0])
def test_linear_solves_the_normal_equations(p, gamma):
    d, L = 6, len(p)
    k_star, v_star = np.eye(d)[:2]
    moments = np.zeros((L, d, L, d))
    for l, q in enumerate(p):
        moments[l, :, l] = (1 - q + q * gamma**2) * np.eye(d) + q * d / 2 * np.outer(k_star, k_star)
    with_y = np.multiply.outer(np.array(p) * gamma**2, v_star).ravel()
    beta = np.linalg.solve(moments.reshape(L * d, L * d), with_y)
    expected = gamma**2 - with_y @ beta
    got = float(linear_excess_risk(Task(d, L, gamma, p=p)))
    assert got == pytest.approx(expected, abs=1e-14)
    assert got >= gamma**2 - gamma**2 * max(1, gamma**2) * sum(q * q for q in p) - 1e-14


@settings(deadline=None, derandomize=True, max_examples=12)
@given(st.integers(1, 50), st.floats(1e-3, 1e3))
def test_linear_uniform_is_one_case_of_any_law(L, gamma):
    given_law = linear_excess_risk(Task(10, L, gamma, p=np.full(L, 1 / L)))
    uniform = linear_excess_risk(Task(10, L, gamma))
    np.testing.assert_allclose(uniform, given_law, rtol=1e-12, atol=1e-14)
    assert 0 <= uniform <= null_excess_risk(Task(10, L, gamma))


def test_linear_keeps_its_digits_and_needs_no_array():
    assert linear_excess_risk(Task(10**9, 10**9, 1.0)) == pytest.approx(1 - 1e-9, rel=1e-15)
    assert linear_excess_risk(Task(10, 1)) == 0
    small = linear_excess_risk(Task(10, 2, 2.0, p=[1 - 1e-7, 1e-7]))
    p, q = mp.mpf(1 - 1e-7), mp.mpf(1e-7)
    expected = 4 * (p * (1 - p) / (1 + 3 * p) + q * (1 - q) / (1 + 3 * q))
    assert small == pytest.approx(float(expected), rel=1e-9)
    batch = Task(np.full(2, 10), np.full(2, 2), np.array([0.5, 2.0]), p=np.full((2, 2), 0.5))
    np.testing.assert_allclose(linear_excess_risk(batch), [4 / 20, 4 / 5], rtol=1e-15)


@pytest.mark.parametrize(("d", "L", "gamma"), SETTINGS)
def test_linear_attention_at_its_best(d, L, gamma):
    task, r = Task(d, L, gamma), math.sqrt(d / 2)
    gg = gamma**2
    best = minimize_scalar(lambda lam: float(linear_attention_excess_risk(abs(lam), task)))
    expected = gg * (gg**2 + L - 1) / (gg * d / 2 + gg**2 + L - 1)
    assert best.fun == pytest.approx(expected, rel=1e-10)
    at_one = linear_attention_excess_risk(1 / r, task)
    assert float(at_one) == pytest.approx(2 / d * (gg**2 + L - 1), rel=1e-13)


# Argmax.


@pytest.mark.parametrize("d", [6, 400, 2000, 10**9])
@pytest.mark.parametrize("gamma", [1e-6, 0.3, 1.0, 1.4, 30.0, 1e3])
def test_argmax_against_quadrature(d, gamma):
    assert argmax_excess_risk(Task(d, 1, gamma)) == 0
    for L in (2, 10, 59, 60, 3000, 10**9):
        expected = exact.argmax_excess(d, L, gamma)
        got = float(argmax_excess_risk(Task(d, L, gamma)))
        if expected < 1e-290:
            assert 0 <= got < 1e-280
        else:  # the exponent of the tail is what conditions the value
            allowed = 1e-12 + 1e-15 * d / (1 + gamma**2)
            assert abs(got / float(expected) - 1) < allowed, L


def test_argmax_of_two_tokens_is_a_normal_tail():
    for d, gamma in ((6, 0.2), (80, 1.0), (400, 3.0)):
        tail = ndtr(-math.sqrt(d / 2 / (1 + gamma**2)))
        got = argmax_excess_risk(Task(d, 2, gamma))
        assert got == pytest.approx((1 + gamma**2) * tail, rel=1e-12)


def test_argmax_slopes():
    def risk(d, L, gamma):
        return argmax_excess_risk(Task(d=d, L=L, gamma=gamma))

    risk_of = jax.jit(risk)  # between whole numbers too
    for z in ((20.0, 10.0, 0.7), (80.0, 200.0, 1.3), (12.0, 5000.0, 2.0)):
        slopes = jax.grad(risk, (0, 1, 2))(*z)
        for i, slope in enumerate(slopes):
            h = 1e-5 * z[i]
            ahead, back = ([x + s * h * (i == j) for j, x in enumerate(z)] for s in (1, -1))
            assert float(slope) == pytest.approx(
                float(risk_of(*ahead) - risk_of(*back)) / (2 * h), rel=1e-6
            )


# Shapes, doors, precision.

TASKWISE = [argmax_excess_risk, linear_excess_risk, null_excess_risk]
WITH_LAM = [oracle_excess_risk, linear_attention_excess_risk]


EXACTLY = {
    argmax_excess_risk: exact.argmax_excess,
    linear_excess_risk: lambda d, L, gamma: gamma**2 * (L - 1) / (L - 1 + gamma**2),
    null_excess_risk: lambda d, L, gamma: gamma**2,
    oracle_excess_risk: lambda d, L, gamma: (
        gamma**2 * exact.mean_erfc_squared(LAM * mp.sqrt(d / 2), LAM * gamma)
        + (L - 1) * exact.zeta_zero(LAM)
    ),
    linear_attention_excess_risk: lambda d, L, gamma: (
        gamma**2 * ((LAM * mp.sqrt(d / 2) - 1) ** 2 + (LAM * gamma) ** 2) + (L - 1) * LAM**2
    ),
}
LAM = 0.25


@pytest.mark.either_precision
@pytest.mark.parametrize("fn", EXACTLY)
def test_shapes_precision_and_slopes(fn):
    """One value a task, in the precision that runs, with rounding as the tail allows."""
    before = (LAM,) if fn in WITH_LAM else ()
    rows = [(6.0, 1.0, 0.5), (80.0, 10.0, 1.0), (2.0**29, 2.0**20, 2.0)]
    task = Task(*map(jnp.array, zip(*rows, strict=True)))
    together = fn(*before, task)
    assert together.shape == (3,) and together.dtype == task.d.dtype
    eps = float(jnp.finfo(task.d.dtype).eps)
    for row, value in zip(rows, together, strict=True):
        alone = fn(*before, Task(*row))
        assert alone.shape == ()
        np.testing.assert_allclose(alone, value, rtol=64 * eps)
        expected = EXACTLY[fn](*map(mp.mpf, row))
        if expected > 1e-30:
            assert abs(float(alone) / float(expected) - 1) < 64 * eps * (1 + min(row[0], 80))
        slopes = jax.grad(fn, tuple(range(len(before) + 1)))(*before, Task(*row))
        assert all(np.isfinite(leaf) for leaf in jax.tree.leaves(slopes))


@pytest.mark.parametrize("fn", WITH_LAM)
def test_bad_lam_gets_one_sentence(fn):
    with pytest.raises(ValueError, match=r"lam must be zero or more, got -1.0"):
        fn(-1.0, Task(9, 2))
    with pytest.raises(ValueError, match="task must be a Task"):
        fn(1.0, None)


@pytest.mark.parametrize("fn", TASKWISE)
def test_bad_task_gets_one_sentence(fn):
    with pytest.raises(ValueError, match="task must be a Task"):
        fn({"d": 3})


def test_bad_scale_gets_one_sentence():
    with pytest.raises(ValueError, match="scale must be finite, got nan"):
        oracle_excess_risk(0.1, Task(9, 2), scale=float("nan"))
