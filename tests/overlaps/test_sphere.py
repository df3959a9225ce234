"""Projection, tangent vectors, retraction and uniform points on the sphere."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from slrlib import sphere

SEEDS = st.integers(0, 2**31 - 1)
DIMENSIONS = st.sampled_from([1, 2, 3, 7, 40])  # few, so that few programs are compiled
PROPERTY = settings(deadline=None, derandomize=True, max_examples=15)


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


@PROPERTY
@given(SEEDS, DIMENSIONS, st.floats(1e-12, 1e15))
def test_projection_is_the_nearest_point(seed, d, size):
    point = size * normal(seed, d)
    got = np.asarray(sphere.project(point))
    assert abs(np.linalg.norm(got) - 1) < 1e-15 * 4
    np.testing.assert_allclose(sphere.project(got), got, atol=1e-15)
    others = np.asarray(sphere.uniform(d, (50,), key=jax.random.key(seed)))
    assert np.all(others @ point <= got @ point * (1 + 1e-12))


@PROPERTY
@given(SEEDS, DIMENSIONS)
def test_retraction_stays_on_the_sphere_and_tangents_are_orthogonal(seed, d):
    point = sphere.project(normal(seed, d))
    step = sphere.tangent(point, 3.0 * normal(seed + 1, d))
    assert abs(float(point @ step)) < 1e-14
    np.testing.assert_allclose(sphere.tangent(point, step), step, atol=1e-14)
    assert abs(float(jnp.linalg.norm(sphere.retract(point, step))) - 1) < 1e-15 * 4


@pytest.mark.parametrize("d", [2, 6, 50])
def test_a_coordinate_of_a_uniform_point_has_its_beta_law(d):
    points = np.asarray(sphere.uniform(d, (4000,), key=jax.random.key(d)))
    beta = stats.beta((d - 1) / 2, (d - 1) / 2)
    direction = sphere.project(normal(d, d))
    for x in (points[:, 0], points @ np.asarray(direction)):
        assert stats.kstest((1 + x) / 2, beta.cdf).pvalue > 1e-3
    assert_mean(points[:, :, None] * points[:, None, :], np.eye(d) / d)


@pytest.mark.either_precision
def test_it_can_be_traced():
    points = sphere.uniform(6, (4,), key=jax.random.key(1))
    one_by_one = jnp.stack([sphere.retract(x, 0.1 * x[::-1]) for x in points])
    together = jax.jit(jax.vmap(lambda x: sphere.retract(x, 0.1 * x[::-1])))(points)
    np.testing.assert_allclose(together, one_by_one, atol=1e-6)
    slope = jax.grad(lambda x: jnp.sum(sphere.project(x)))(2.0 * points[0])
    np.testing.assert_allclose(slope, sphere.tangent(points[0], jnp.ones(6)) / 2, atol=1e-6)
