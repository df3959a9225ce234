"""The minima of the two-head risk: the list at lam = 1/3, and minimality in larger spaces."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from slrlib import Task, Teacher, heads, sphere
from slrlib.heads.minima import symmetries

TASK, LAM = Task(80, 10), 1 / 3
N = 20  # a space with additional dimensions


@pytest.fixture(scope="module")
def minima():
    return heads.minima(LAM, TASK, 2, starts=60, key=jax.random.key(0))


def vectors(gram):
    """Vectors of R^N with these inner products: the teachers, K and V."""
    values, axes = np.linalg.eigh(gram)
    x = axes * np.sqrt(np.maximum(values, 0))
    x = np.pad(x, ((0, 0), (0, N - len(x))))
    return Teacher(x[:2], x[2:4]), x[4:6], x[6:8]


def test_the_list_at_the_last_lam_of_figure_9(minima):
    wanted = [0.247765, 0.276731, 0.283556, 0.289195, 0.291256, 0.348096]
    np.testing.assert_allclose(minima.excess_risk, wanted, atol=1e-6)
    assert minima.found.sum() == 60
    assert np.all(minima.slope < 1e-9)
    assert minima.flat.tolist() == [0, 0, 1, 0, 0, 0]
    isolated = minima.flat == 0
    assert np.all(minima.curvature[isolated] > 1e-3)
    assert np.all(np.abs(minima.curvature[~isolated]) < 1e-9)
    oracle = float(heads.oracle_excess_risk(LAM, TASK, 2))
    assert oracle == pytest.approx(1.926166, abs=1e-6)
    assert oracle > 5 * minima.excess_risk[-1]


def test_the_products_fit_together_and_give_the_risk(minima):
    np.testing.assert_allclose(np.einsum("...ii->...i", minima.gram), 1.0, atol=1e-12)
    assert np.min(np.linalg.eigvalsh(minima.gram)) > -1e-12
    np.testing.assert_array_equal(minima.gram[:, :4, :4], np.eye(4)[None].repeat(6, 0))
    for i in range(6):
        teachers, K, V = vectors(minima.gram[i])
        risk = heads.excess_risk(K, V, teachers, LAM, TASK)
        assert float(risk) == pytest.approx(minima.excess_risk[i], rel=1e-10)
        for field, x, stars in (("kappa", K, 0), ("eta", K, 1), ("nu", V, 1)):
            np.testing.assert_allclose(getattr(minima, field)[i], x @ teachers[stars].T, atol=1e-9)


def test_no_small_move_lowers_the_risk_not_even_out_of_the_space_of_the_search(minima):
    for i in range(6):
        teachers, K, V = vectors(minima.gram[i])
        off = 0.02 * jax.random.normal(jax.random.key(i), (400, 2, 2, N))
        near = sphere.project(jnp.stack([K, V])[None] + off)
        spread = Teacher(*(jnp.asarray(x)[None] for x in teachers))
        risks = heads.excess_risk(near[:, 0], near[:, 1], spread, LAM, TASK)
        assert np.min(risks) > minima.excess_risk[i]


def test_the_symmetries_keep_the_risk(minima):
    moves = symmetries(2, 2)
    assert len(moves) == 128
    images = moves @ minima.gram[0] @ moves.transpose(0, 2, 1)
    parts = [vectors(image) for image in images[::7]]
    teachers, K, V = (np.array([part[n] for part in parts]) for n in range(3))
    teachers = Teacher(teachers[:, 0], teachers[:, 1])
    risks = heads.excess_risk(K, V, teachers, LAM, TASK)
    np.testing.assert_allclose(risks, minima.excess_risk[0], rtol=1e-10)


def test_descent_from_near_a_minimum_ends_there(minima):
    rng = np.random.default_rng(0)
    grams = []
    for gram in minima.gram:
        teachers, K, V = vectors(gram)
        K, V = (x + 0.01 * rng.normal(size=x.shape) for x in (K, V))
        axes = np.concatenate([*teachers, *(np.asarray(sphere.project(x)) for x in (K, V))])
        grams.append(axes @ axes.T)
    ends = heads.minima_below(np.array(grams), LAM, TASK, 2)
    np.testing.assert_allclose(ends.excess_risk, minima.excess_risk, rtol=1e-9)


def test_the_best_lam_of_the_oracle_pairs():
    lam, excess = heads.best_lam(TASK, 2)
    around = heads.oracle_excess_risk(lam * np.array([0.99, 1.0, 1.01]), TASK, 2)
    assert excess == pytest.approx(float(around[1])) and np.argmin(around) == 1
