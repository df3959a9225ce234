"""The five overlaps, the frame, feasibility, and random starts compared with random vectors."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from slrlib import sphere
from slrlib.overlaps import (
    ORACLE,
    Overlaps,
    distance_to_manifold,
    from_frame,
    is_feasible,
    overlaps_of,
    possible,
    random_overlaps,
    to_frame,
    vectors_of,
)
from slrlib.task import random_teacher

SEEDS = st.integers(0, 2**31 - 1)
PROPERTY = settings(deadline=None, derandomize=True, max_examples=20)
D = 12
TEACHER = random_teacher(D, key=jax.random.key(99))
COS, SIN = np.cos(0.3), np.sin(0.3)
SWAPPED = Overlaps(0.0, 0.0, 1.0, 1.0, 0.0)  # (k, v) = (v*, k*)
EDGES = [  # where the frame is degenerate: k or v, or both, in the plane of k* and v*
    ORACLE,
    SWAPPED,
    Overlaps(-1.0, 1.0, 0.0, 0.0, 0.0),
    Overlaps(0.0, 0.0, 0.0, 0.0, 1.0),
    Overlaps(0.0, 0.0, 0.0, 0.0, -1.0),
    Overlaps(0.0, 0.0, 0.0, 0.0, 0.0),
    Overlaps(COS, SIN, COS, SIN, 1.0),
    Overlaps(COS, -SIN, -COS, SIN, -1.0),
    Overlaps(COS, COS, SIN, SIN, 2 * COS * SIN),
    Overlaps(COS, 0.5, 0.0, SIN, 0.5 * SIN),
    Overlaps(1.0, 0.6, 0.8, 0.0, 0.8),
]


def draw(seed, d, **options):
    return random_overlaps(jax.random.key(seed), d, **options)


def assert_same(one, other, atol):
    for name, x, y in zip(Overlaps._fields, one, other, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=atol, err_msg=name)


def whole_vectors(seed, d, n, on_manifold=False):
    """Overlaps of pairs drawn directly as vectors of R^d, in NumPy."""
    rng = np.random.default_rng(seed)
    k_star, v_star = np.eye(d)[:2]
    k, v = rng.normal(size=(2, n, d))
    if on_manifold:
        k[:, 1] = 0.0
        v[:, 0] = 0.0
        rest = k.copy()
        rest[:, 0] = 0.0  # v is orthogonal to k* and k, hence to the part of k orthogonal to k*
        v -= np.sum(v * rest, -1, keepdims=True) / np.sum(rest**2, -1, keepdims=True) * rest
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    v /= np.linalg.norm(v, axis=-1, keepdims=True)
    return Overlaps(k @ k_star, v @ v_star, v @ k_star, k @ v_star, np.sum(k * v, -1))


def test_the_two_pairs_of_the_teacher():
    k_star, v_star = TEACHER
    assert_same(overlaps_of(k_star, v_star, TEACHER), ORACLE, 1e-15)
    assert_same(overlaps_of(v_star, k_star, TEACHER), SWAPPED, 1e-15)
    assert distance_to_manifold(ORACLE) == 0.0
    np.testing.assert_allclose(distance_to_manifold(SWAPPED), np.sqrt(2.0), rtol=1e-15)


@PROPERTY
@given(SEEDS, st.sampled_from([4, 5, D, 400]), st.booleans())
def test_vectors_have_the_overlaps_they_were_made_of(seed, d, on_manifold):
    o = draw(seed, d, on_manifold=on_manifold)
    teacher = random_teacher(D, key=jax.random.key(seed + 1))
    k, v = vectors_of(o, teacher, key=jax.random.key(seed))
    assert_same(overlaps_of(k, v, teacher), o, 1e-14)
    np.testing.assert_allclose([k @ k, v @ v], 1.0, rtol=0, atol=1e-15 * 4)


@pytest.mark.parametrize("o", EDGES)
def test_vectors_on_the_edge_of_what_is_possible(o):
    k, v = vectors_of(o, TEACHER, key=jax.random.key(3))
    assert_same(overlaps_of(k, v, TEACHER), o, 1e-14)
    assert bool(is_feasible(o, 1e-14))
    frame = to_frame(o)
    assert_same(from_frame(frame), o, 1e-15)
    np.testing.assert_allclose(jnp.sum(frame.v * frame.v), 1.0, rtol=0, atol=1e-14)


@PROPERTY
@given(SEEDS, st.sampled_from([2, 3, 4, 20, 1e9]), st.booleans())
def test_the_frame_holds_the_overlaps(seed, d, on_manifold):
    o = draw(seed, d, shape=(7,), on_manifold=on_manifold)
    frame = to_frame(o)
    assert_same(from_frame(frame), o, 1e-15 * 2)
    assert frame.k.shape == (7, 3) and frame.v.shape == (7, 4)
    for x in frame:
        np.testing.assert_allclose(jnp.sum(x * x, -1), 1.0, rtol=0, atol=1e-15 * 8)
    assert np.all(frame.k[:, 2] >= 0) and np.all(frame.v[:, 3] >= 0)


def test_the_distance_is_of_first_order_in_the_departure_from_the_manifold():
    o = Overlaps(0.3, -0.2, 3e-9, -4e-9, 12e-9)
    np.testing.assert_allclose(distance_to_manifold(o), 13e-9, rtol=1e-12)
    slopes = jax.grad(lambda t: distance_to_manifold(Overlaps(0.3, 0.2, t, 0.0, 0.0)))
    assert slopes(0.0) == 0.0 and slopes(0.1) == 1.0  # finite on M, where the distance has a kink


@pytest.mark.parametrize("on_manifold", [False, True])
@pytest.mark.parametrize("d", [2, 4, 20])
def test_random_starts_have_the_law_of_whole_vectors(d, on_manifold):
    if on_manifold and d < 4:
        d += 20  # in three dimensions or fewer M is a finite set
    n = 20_000
    ours = draw(d, d, shape=(n,), on_manifold=on_manifold)
    theirs = whole_vectors(d, d, n, on_manifold)
    for name, x, y in zip(Overlaps._fields, ours, theirs, strict=True):
        if on_manifold and name in ("theta", "eta", "rho"):
            assert np.all(np.asarray(x) == 0.0) and np.all(np.abs(y) < 1e-12), name
        else:
            assert stats.ks_2samp(np.asarray(x), y).pvalue > 1e-3, name
    mixes = [  # joint distribution: some directions in the space of the overlaps and their squares
        lambda o: o.rho - o.kappa * o.theta - o.eta * o.nu,
        lambda o: o.kappa * o.theta + 0.5 * o.rho,
        lambda o: o.kappa**2 + o.eta**2 - o.nu**2,
        lambda o: o.kappa + 2.0 * o.nu + 3.0 * o.theta + 4.0 * o.eta + 5.0 * o.rho,
    ]
    for mix in mixes[2:] if on_manifold else mixes:
        assert stats.ks_2samp(np.asarray(mix(ours)), mix(theirs)).pvalue > 1e-3


def test_vectors_of_random_overlaps_are_uniform():
    o = draw(10, D, shape=(20_000,))
    k, v = vectors_of(o, TEACHER, key=jax.random.key(11))
    direction = sphere.uniform(D, key=jax.random.key(12))
    beta = stats.beta((D - 1) / 2, (D - 1) / 2)
    for x in (k @ direction, v @ direction):
        assert stats.kstest((1 + np.asarray(x)) / 2, beta.cdf).pvalue > 1e-3


@pytest.mark.either_precision
def test_random_starts_can_be_traced_in_the_dimension():
    key = jax.random.key(0)
    eager = random_overlaps(key, 400, (1000,))
    batched = jax.jit(jax.vmap(lambda d: random_overlaps(key, d, (1000,))))
    traced = batched(jnp.array([6.0, 400.0, 1e9]))
    assert_same(Overlaps(*(x[1] for x in traced)), eager, 1e-6)
    assert eager.kappa.dtype == traced.kappa.dtype == jnp.zeros(()).dtype
    assert 0.9 < np.std(traced.rho[2]) * 1e9**0.5 < 1.1


@pytest.mark.either_precision
def test_the_frame_holds_the_overlaps_in_either_precision():
    o = random_overlaps(jax.random.key(1), 20, (50,))
    assert_same(from_frame(to_frame(o)), o, 1e-6)
    k, v = vectors_of(o, random_teacher(9, key=jax.random.key(2)), key=jax.random.key(3))
    assert np.all(np.isfinite(k)) and k.dtype == v.dtype == o.kappa.dtype
    assert np.all(is_feasible(o))
    assert possible("o", o).rho.shape == (50,)
    slope = jax.grad(lambda t: jnp.sum(to_frame(o._replace(theta=t)).v))(o.theta)
    assert np.all(np.isfinite(slope))
