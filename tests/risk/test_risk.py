"""The excess risk: definitions, direct simulation, derivatives, symmetries, the whole domain."""

import json
from functools import lru_cache
from pathlib import Path

import exact
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erf

from slrlib import Overlaps, Task
from slrlib.overlaps import ORACLE, Frame, from_frame, random_overlaps
from slrlib.risk import (
    RiskTerms,
    excess_risk,
    excess_risk_gradient,
    manifold_excess_risk,
    oracle_excess_risk,
    risk_terms,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())
GENERIC = Overlaps(0.3, 0.4, -0.2, 0.25, 0.35)
# (overlaps, lam, d, L, gamma), on and off M
POINTS = [
    (GENERIC, 0.4, 20.0, 6.0, 0.8),
    (Overlaps(-0.5, 0.3, 0.4, 0.6, -0.3), 1.2, 80.0, 10.0, 0.7),
    (Overlaps(0.05, -0.02, 0.03, 0.04, -0.05), 0.1, 400.0, 10.0, 0.5**0.5),
    (Overlaps(0.0, 0.0, 1.0, 1.0, 0.0), 0.05, 400.0, 10.0, 0.5**0.5),
    (Overlaps(0.7, -0.6, -0.3, 0.2, 0.1), 3.0, 12.0, 2.0, 2.0),
    (Overlaps(1e-9, 1e-12, 1e-6, -1e-9, 0.5), 2.0, 1e6, 100.0, 1.0),
    (Overlaps(0.0, 0.0, 0.0, 0.0, -1.0), 0.3, 30.0, 3.0, 0.4),
    (Overlaps(0.6, 0.8, 0.0, 0.0, 0.0), 0.2, 50.0, 5.0, 1.3),
    (ORACLE, 0.06, 400.0, 10.0, 0.5**0.5),
    (Overlaps(-0.4, 0.9, 0.0, 0.0, 0.0), 1.0, 9.0, 1.0, 3.0),
]


def at(point):
    o, lam, d, L, gamma = point
    return o, lam, Task(d=d, L=L, gamma=gamma)


@lru_cache
def random_points(seed=0, on_manifold=False, n=200):
    """Overlaps, lam and Task of ``n`` moderate settings, in arrays."""
    rng = np.random.default_rng(seed)
    o = random_overlaps(jax.random.key(seed), 5, (n,), on_manifold=on_manifold)
    lam, gamma = 10 ** rng.uniform(-1.5, 0.5, n), 10 ** rng.uniform(-0.5, 0.4, n)
    d, L = rng.integers(6, 500, n), rng.integers(1, 30, n)
    return o, jnp.asarray(lam), Task(d=d, L=L, gamma=gamma, noise=np.full(n, 0.1))


# Two oracles: the definition by quadrature, and direct simulation.


@pytest.mark.parametrize("point", POINTS)
def test_each_term_against_its_definition(point):
    o, lam, task = at(point)
    expected = exact.risk_terms(o, lam, task.d, task.L, task.gamma)
    got = risk_terms(o, lam, task)
    size = float(sum(abs(term) for term in expected))
    for name, one, other in zip(RiskTerms._fields, got, expected, strict=True):
        assert abs(float(one) - float(other)) <= 1e-12 * abs(float(other)) + 1e-16 * size, name
    assert abs(float(excess_risk(o, lam, task)) - float(sum(expected))) <= 1e-15 * size


def simulated(o, lam, task, n, rng):
    """The six terms and the whole, as samples: tokens in R^d, k and v placed by their frame."""
    d, L = int(task.d), int(task.L)
    kappa, nu, theta, eta, rho = (float(value) for value in o)
    k, v = np.zeros(d), np.zeros(d)
    k[:3] = kappa, eta, np.sqrt(1 - kappa**2 - eta**2)
    v[:3] = theta, nu, (rho - kappa * theta - eta * nu) / k[2]
    v[3] = np.sqrt(max(0.0, 1 - v @ v))
    X = rng.normal(size=(n, L, d))
    X[:, 0] = task.gamma * X[:, 0]
    X[:, 0, 0] += np.sqrt(d / 2)
    y = X[:, 0, 1] + task.noise * rng.normal(size=n)
    e, t = erf(lam * (X @ k)), X @ v
    others = (e * t)[:, 1:].sum(1)
    squares = ((e * t)[:, 1:] ** 2).sum(1)
    first = (e * t)[:, 0]
    terms = {
        "target": y**2 - task.noise**2,
        "cross": -2 * y * first,
        "informative": first**2,
        "noise": squares,
        "noise_pairs": others**2 - squares,
        "mixed": 2 * first * others,
    }
    return terms, (y - first - others) ** 2 - task.noise**2


@pytest.mark.parametrize("on_manifold", [False, True])
def test_terms_and_sum_against_direct_simulation(on_manifold):
    """24 points, half of them on M: seven z-scores at each, all below 4."""
    rng = np.random.default_rng(3)
    o, lam, gamma, L = (
        random_overlaps(jax.random.key(7), 8, (12,), on_manifold=on_manifold),
        10 ** rng.uniform(-1, 0.3, 12),
        rng.uniform(0.4, 1.6, 12),
        rng.choice([1, 3, 4, 6], 12),
    )
    for i in range(12):
        here = Overlaps(*(float(value[i]) for value in o))
        task = Task(d=8, L=int(L[i]), gamma=gamma[i], noise=0.3)
        terms, whole = simulated(here, lam[i], task, 40_000, rng)
        exactly = risk_terms(here, lam[i], task)
        for name in RiskTerms._fields[: 6 if task.L > 1 else 3]:
            assert_mean(terms[name], getattr(exactly, name))
        assert_mean(whole, excess_risk(here, lam[i], task))


def golden(start):
    """(inputs, output) of the stored values whose formula begins so."""
    return [(e["inputs"], e["output"]) for e in GOLDEN if e["formula"].startswith(start)]


@pytest.mark.parametrize(("inputs", "output"), golden("excess_risk_R"))
def test_golden_risk(inputs, output):
    task = Task(inputs["d"], inputs["L"], inputs["gamma"])
    got = excess_risk(Overlaps(*inputs["s"]), inputs["lam"], task)
    np.testing.assert_allclose(got, output, rtol=1e-14)


@pytest.mark.parametrize(("inputs", "output"), golden("gradient_of_R"))
def test_golden_gradient(inputs, output):
    task = Task(inputs["d"], inputs["L"], inputs["gamma"])
    got = excess_risk_gradient(Overlaps(*inputs["s"]), inputs["lam"], task)
    np.testing.assert_allclose(got, output, rtol=1e-14)


@pytest.mark.parametrize(("inputs", "output"), golden("minimiser_gradients"))
def test_golden_gradient_at_the_minimiser(inputs, output):
    """At lam = 1 it is 4e-54 in kappa: a plain erf(y) - nu would keep three digits."""
    task = Task(inputs["d"], inputs["L"], inputs["gamma"])
    got = excess_risk_gradient(ORACLE, inputs["lam"], task)
    np.testing.assert_allclose(got[:2], output, rtol=1e-13)


# Derivatives.


def joined(overlaps):
    """The five numbers on a last axis."""
    return np.stack([np.asarray(value) for value in overlaps], -1)


def assert_near(got, expected, rtol):
    """Equal to ``rtol`` of the largest entry on the last axis."""
    gap, size = np.abs(got - expected), np.abs(expected).max(-1, keepdims=True)
    assert np.all(gap <= rtol * size), (gap / size).max()


def test_closed_gradient_is_autodiff_jointly_and_one_by_one():
    o, lam, task = random_points()
    value, joint = jax.jit(jax.vmap(jax.value_and_grad(excess_risk)))(o, lam, task)
    np.testing.assert_allclose(value, excess_risk(o, lam, task), rtol=1e-12)
    closed = joined(jax.jit(excess_risk_gradient)(o, lam, task))
    assert_near(closed, joined(joint), 1e-12)
    assert_near(joined(excess_risk_gradient(o, lam, task)), closed, 1e-12)

    def risk(kappa, nu, theta, eta, rho, lam, task):
        return excess_risk(Overlaps(kappa, nu, theta, eta, rho), lam, task)

    def one_by_one(*given):
        return [jax.grad(risk, i)(*given) for i in range(5)]

    alone = jax.jit(jax.vmap(one_by_one))(*o, lam, task)
    assert_near(joined(alone), joined(joint), 1e-13)


@pytest.mark.parametrize("point", POINTS[:5])
def test_gradient_against_the_definition_by_differences(point):
    o, lam, task = at(point)

    def risk(*args):
        return sum(exact.risk_terms(args, lam, task.d, task.L, task.gamma))

    h = 1e-6
    steps = [[float(x) + h * (i == j) for j, x in enumerate(o)] for i in range(5)]
    back = [[float(x) - h * (i == j) for j, x in enumerate(o)] for i in range(5)]
    expected = [float((risk(*a) - risk(*b)) / (2 * h)) for a, b in zip(steps, back, strict=True)]
    assert_near(joined(excess_risk_gradient(o, lam, task)), np.array(expected), 1e-8)


def test_slope_test_of_gradients():
    """R(z + h v) - R(z) - h v.g shrinks like h^2, for z the overlaps, lam, d, L and gamma."""
    rng = np.random.default_rng(5)

    def risk(z):
        return excess_risk(Overlaps(*z[:5]), z[5], Task(d=z[6], L=z[7], gamma=z[8]))

    risk_of, slope_of = jax.jit(risk), jax.jit(jax.grad(risk))
    for point in POINTS[:3]:
        o, lam, task = at(point)
        z = np.array([*o, lam, task.d, task.L, task.gamma])
        closed = joined(excess_risk_gradient(o, lam, task))
        v = rng.normal(size=9) * np.maximum(np.abs(z), 0.05) / 10
        for slope, mask in ((slope_of(z), 1.0), (np.append(closed, np.zeros(4)), np.arange(9) < 5)):
            steps = np.logspace(-1, -3, 9)
            linear = float(np.dot(slope, v * mask))
            errors = [
                abs(float(risk_of(z + h * v * mask) - risk_of(z)) - h * linear) for h in steps
            ]
            assert abs(np.polyfit(np.log(steps), np.log(errors), 1)[0] - 2) < 0.1


# Structure.


@settings(deadline=None, derandomize=True, max_examples=5)
@given(st.integers(0, 2**31))
def test_symmetries(seed):
    """(k, v) to -(k, v), and the reflection of v*: the value does not change, slopes follow."""
    o, lam, task = random_points(seed)
    kappa, nu, theta, eta, rho = o
    value, slope = excess_risk(o, lam, task), excess_risk_gradient(o, lam, task)
    for mirrored, signs in (
        (Overlaps(-kappa, -nu, -theta, -eta, rho), (-1, -1, -1, -1, 1)),
        (Overlaps(kappa, nu, -theta, -eta, -rho), (1, 1, -1, -1, -1)),
    ):
        np.testing.assert_array_equal(excess_risk(mirrored, lam, task), value)
        other = excess_risk_gradient(mirrored, lam, task)
        np.testing.assert_array_equal(joined(other) * np.array(signs), joined(slope))


@pytest.mark.either_precision
def test_no_slope_leaves_the_manifold():
    """Lemma 14: on M the derivatives in theta, eta and rho are zero, not merely small."""
    o, lam, task = random_points(on_manifold=True)
    for slope in (
        excess_risk_gradient(o, lam, task),
        jax.vmap(jax.grad(excess_risk))(o, lam, task),
    ):
        for part in (slope.theta, slope.eta, slope.rho):
            np.testing.assert_array_equal(part, 0.0)
        assert np.all(slope.nu != 0.0)


def test_on_the_manifold_the_two_forms_agree():
    o, lam, task = random_points(seed=2, on_manifold=True)
    size = sum(jnp.abs(term) for term in risk_terms(o, lam, task))
    value = manifold_excess_risk(o.kappa, o.nu, lam, task)
    assert np.all(np.abs(value - excess_risk(o, lam, task)) <= 1e-14 * size)
    risk = jax.vmap(jax.grad(manifold_excess_risk, (0, 1)))
    slope = excess_risk_gradient(o, lam, task)
    np.testing.assert_allclose(risk(o.kappa, o.nu, lam, task), slope[:2], rtol=1e-12)
    mirrored = manifold_excess_risk(-o.kappa, -o.nu, lam, task)
    np.testing.assert_array_equal(mirrored, value)


@pytest.mark.parametrize(
    ("kappa", "nu", "lam", "d", "gamma"),
    [
        (1.0, 1.0, 1.0, 400.0, 0.5**0.5),
        (-1.0, -1.0, 0.9, 80.0, 1.0),
        (1.0, 1.0, 3.0, 1e4, 2.0),
        (0.9, 1 - 1e-13, 0.5, 2000.0, 0.5),
    ],
)
def test_near_the_oracle_no_digit_is_lost(kappa, nu, lam, d, gamma):
    """With L = 1 the risk is exponentially small; the sum of all terms would be rounding only."""
    task = Task(d=d, L=1, gamma=gamma)
    t, s = lam * np.sqrt(d / 2) * abs(kappa), lam * gamma
    mean = exact.mp.erf(exact.scales(t, s)[2])
    expected = gamma**2 * (2 * (1 - abs(nu)) * mean + exact.mean_erfc_squared(t, s))
    got = float(manifold_excess_risk(kappa, nu, lam, task))
    assert abs(got / float(expected) - 1) < 1e-12
    if kappa == nu == 1.0:
        assert float(oracle_excess_risk(lam, task)) == pytest.approx(got, rel=1e-12)
    u, _, x, y = exact.scales(t, s)  # and the slope in kappa, at the same point
    A = exact.mp.mpf(lam) * exact.mp.sqrt(d / 2) / exact.mp.sqrt(u)
    tail = exact.mp.erfc(y) - (1 - abs(nu))
    slope = -2 * exact.mp.mpf(gamma) ** 2 * A * exact.erf_prime(x) * tail * np.sign(kappa)
    closed = excess_risk_gradient(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task).kappa
    assert abs(float(closed) / float(slope) - 1) < 1e-12


# The whole domain.


def log_between(low, high):
    edges = st.sampled_from([low, high])
    return (
        st.floats(np.log10(low), np.log10(high)).map(lambda p: min(max(10**p, low), high)) | edges
    )


coordinate = st.tuples(st.sampled_from([-1.0, 1.0]), st.floats(-12, 0)).map(
    lambda c: c[0] * 10 ** c[1]
)
directions = st.lists(coordinate | st.just(0.0), min_size=7, max_size=7)


def overlaps_from(numbers):
    """A feasible point with coordinates down to 1e-12 or zero."""
    k, v = np.array(numbers[:3]), np.array(numbers[3:])
    k[2] = k[2] if k.any() else 1.0
    v[3] = v[3] if v.any() else 1.0
    return from_frame(Frame(jnp.asarray(k / np.linalg.norm(k)), jnp.asarray(v / np.linalg.norm(v))))


@jax.jit
def everything(o, lam, d, L, gamma):
    def risk(o, lam, d, L, gamma):
        return excess_risk(o, lam, Task(d=d, L=L, gamma=gamma))

    task = Task(d=d, L=L, gamma=gamma)
    slopes = jax.grad(risk, (0, 1, 2, 3, 4))(o, lam, d, L, gamma)
    closed = excess_risk_gradient(o, lam, task)
    bends = jax.hessian(risk, (0, 1))(o, lam, d, L, gamma)
    return risk_terms(o, lam, task), slopes, closed, bends


@settings(deadline=None, derandomize=True, max_examples=400)
@given(
    directions,
    log_between(1e-12, 1e6),
    log_between(6, 1e9).map(round),
    log_between(1, 1e6).map(round),
    log_between(1e-6, 1e3),
)
def test_finite_and_not_negative_over_the_whole_domain(numbers, lam, d, L, gamma):
    """Never below -64 eps times the sum of the absolute terms; all derivatives are finite."""
    o = overlaps_from(numbers)
    terms, slopes, closed, bends = everything(o, lam, float(d), float(L), gamma)
    for leaf in jax.tree.leaves((terms, slopes, closed, bends)):
        assert np.isfinite(leaf)
    value, size = float(sum(terms)), float(sum(jnp.abs(term) for term in terms))
    assert value >= -64 * 2.0**-52 * size
    on_it = manifold_excess_risk(o.kappa, o.nu, lam, Task(d=d, L=L, gamma=gamma))
    assert np.isfinite(on_it) and on_it >= 0


# Shapes, doors, precision.


@pytest.mark.either_precision
def test_any_batch_shape():
    o, lam, task = random_points(n=6)
    whole = excess_risk(o, lam, task)
    assert whole.shape == (6,)
    rows = Overlaps(*(value.reshape(2, 3) for value in o))
    batched = Task(*(jnp.reshape(value, (2, 3)) for value in (task.d, task.L, task.gamma)))
    got = excess_risk(rows, lam.reshape(2, 3), batched)
    np.testing.assert_allclose(got, whole.reshape(2, 3), rtol=1e-5)
    assert {term.shape for term in risk_terms(rows, 0.3, batched)} == {(2, 3)}
    assert {part.shape for part in excess_risk_gradient(rows, 0.3, batched)} == {(2, 3)}
    one = Task(d=400, L=10)
    assert {term.shape for term in risk_terms(o, 0.3, one)} == {(6,)}
    assert {term.shape for term in risk_terms(GENERIC, lam, one)} == {(6,)}
    assert excess_risk(GENERIC, 0.3, one).shape == ()
    assert manifold_excess_risk(o.kappa * 0.5, 0.3, lam, one).shape == (6,)
    mapped = jax.vmap(excess_risk)(o, lam, task)
    np.testing.assert_allclose(mapped, whole, rtol=1e-5)


@pytest.mark.either_precision
def test_lam_zero_is_the_null_predictor():
    task = Task(d=400, L=10)
    assert float(excess_risk(GENERIC, 0.0, task)) == pytest.approx(0.5, rel=1e-6)
    assert np.all(joined(excess_risk_gradient(GENERIC, 0.0, task)) == 0)
    assert np.isfinite(jax.grad(excess_risk, 1)(GENERIC, 0.0, task))


@pytest.mark.parametrize("fn", [excess_risk, risk_terms, excess_risk_gradient])
@pytest.mark.parametrize(
    ("o", "lam", "task", "sentence"),
    [
        (ORACLE, -0.1, Task(9, 2), "lam must be zero or more, got -0.1"),
        (ORACLE, "0.1", Task(9, 2), "lam must be a number, got '0.1'"),
        (ORACLE, float("nan"), Task(9, 2), "lam must be zero or more, got nan"),
        (
            Overlaps(1.0, 1.0, 0.5, 0.0, 0.0),
            0.1,
            Task(9, 2),
            "overlaps must be those of unit vectors",
        ),
        (
            Overlaps(float("nan"), 1.0, 0.0, 0.0, 0.0),
            0.1,
            Task(9, 2),
            "kappa must be finite, got nan",
        ),
        ((1.0, 1.0), 0.1, Task(9, 2), "overlaps must be Overlaps"),
        (ORACLE, 0.1, "task", "task must be a Task"),
    ],
)
def test_bad_input_gets_one_sentence(fn, o, lam, task, sentence):
    with pytest.raises(ValueError, match=sentence):
        fn(o, lam, task)


def test_the_manifold_form_has_a_door():
    with pytest.raises(ValueError, match="kappa must be from -1 to 1, got "):
        manifold_excess_risk(1.2, 0.3, 0.1, Task(9, 2))


@pytest.mark.either_precision
@pytest.mark.parametrize("point", POINTS)
def test_rounding_stays_within_the_stated_bound(point):
    """Within 64 eps (1 + x^2) of the sum of the absolute terms, for the eps of either precision."""
    o, lam, d, L, gamma = point
    here = jnp.asarray([*o, lam, d, L, gamma])
    numbers = [float(value) for value in here]  # rounded as they will be
    terms = exact.risk_terms(numbers[:5], *numbers[5:])
    o, (lam, d, L, gamma) = Overlaps(*here[:5]), here[5:]
    task = Task(d=d, L=L, gamma=gamma)
    value, slope = jax.value_and_grad(excess_risk)(o, lam, task)
    assert value.dtype == here.dtype and all(part.dtype == here.dtype for part in slope)
    x = exact.scales(numbers[5] * (numbers[6] / 2) ** 0.5 * numbers[0], numbers[5] * numbers[8])[2]
    size = float(sum(abs(term) for term in terms) * (1 + x**2))
    bound = 64 * float(jnp.finfo(here.dtype).eps) * size
    assert abs(float(value) - float(sum(terms))) <= bound
    assert all(np.isfinite(part) for part in jax.tree.leaves(slope))
    closed = excess_risk_gradient(o, lam, task)
    assert all(np.isfinite(part) and part.dtype == here.dtype for part in closed)


def test_float32_inputs_are_worked_in_float32():
    o, lam, task = random_points(seed=4)
    single = jax.tree.map(lambda x: jnp.asarray(x, jnp.float32), (o, lam, task))
    double = jax.tree.map(lambda x: jnp.asarray(x, jnp.float64), single)
    value = excess_risk(*single)
    assert value.dtype == jnp.float32
    size = sum(jnp.abs(term) for term in risk_terms(*double))
    gap = jnp.abs(jnp.asarray(value, jnp.float64) - excess_risk(*double))
    assert np.all(gap <= 64 * 2.0**-23 * size)
