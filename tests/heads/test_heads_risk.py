"""The risk of several heads compared with sampling, quadrature and the risk of one head."""

import jax
import numpy as np
import pytest
from chance import assert_mean
from scipy.special import erf

from slrlib import Task, Teacher, heads
from slrlib.overlaps import overlaps_of
from slrlib.risk import excess_risk

TASK = Task(80, 10)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def generic(d, m, H, key):
    """Teachers and heads whose inner products are all nonzero and large at any d."""
    rng = np.random.default_rng(key)
    common = 0.5 * rng.normal(size=(1, d))
    k_star, v_star = (common + rng.normal(size=(m, d)) for _ in range(2))
    k_star = unit(k_star)
    v_star = unit(v_star - np.sum(v_star * k_star, axis=-1, keepdims=True) * k_star)
    stars = np.concatenate([k_star, v_star])
    K, V = (0.6 * rng.normal(size=(H, 2 * m)) @ stars for _ in range(2))
    K = unit(unit(K) + unit(rng.normal(size=(H, d))))
    return Teacher(k_star, v_star), K, unit(V + 0.5 * K)


def squares(normals, K, V, teachers, lam, task):
    """Squared errors of the heads at tokens made of ``normals`` (n, L, d), in plain NumPy.

    The informative tokens come first, because attention ignores the order; label noise only adds
    its variance and is left out.
    """
    k_star, v_star = teachers
    m, own = len(k_star), task.gamma * normals[:, : len(k_star)]
    X = np.concatenate([own + np.sqrt(task.d / 2) * k_star, normals[:, m:]], axis=1)
    f = np.sum(erf(lam * (X @ K.T)) * (X @ V.T), axis=(1, 2))
    return (f - np.sum(own * v_star, axis=(1, 2))) ** 2


@pytest.mark.parametrize("d, m, H, lam", [(9, 1, 2, 0.6), (14, 3, 2, 0.4)])
def test_sampling(d, m, H, lam):
    task, (teachers, K, V) = Task(d, 6), generic(d, m, H, key=d)
    rng, means = np.random.default_rng(1), {False: [], True: []}
    for _ in range(24):
        normals = rng.standard_normal((5000, 6, d))
        means[False].append(np.mean(squares(normals, K, V, teachers, lam, task)))
        normals[:, 1:m] = normals[:, :1]
        means[True].append(np.mean(squares(normals, K, V, teachers, lam, task)))
    for shared, found in means.items():
        expected = heads.excess_risk(K, V, teachers, lam, task, shared_noise=shared)
        assert_mean(found, expected)
        assert float(expected) > 0.1


@pytest.mark.parametrize("lam", [0.05, 2.0])
def test_one_head_and_one_location_is_proposition_15(lam):
    for key in range(5):
        teachers, K, V = generic(20, 1, 1, key)
        o = overlaps_of(K[0], V[0], Teacher(teachers.k_star[0], teachers.v_star[0]))
        wanted = excess_risk(o, lam, TASK)
        np.testing.assert_allclose(heads.excess_risk(K, V, teachers, lam, TASK), wanted, 1e-12)


@pytest.mark.parametrize("m", [1, 4])
def test_oracle_pairs_of_any_number(m):
    axes = np.eye(2 * m)
    teachers, lam = Teacher(axes[:m], axes[m:]), np.array([0.01, 0.3, 2.0])
    wanted = heads.excess_risk(*teachers, teachers, lam, TASK)
    np.testing.assert_allclose(heads.oracle_excess_risk(lam, TASK, m), wanted, rtol=1e-9)


def test_the_gradient_is_the_limit_of_differences():
    teachers, K, V = generic(12, 2, 2, key=6)
    direction = np.random.default_rng(7).normal(size=(2, 2, 12))

    @jax.jit
    def along(step):
        moved = K + step * direction[0], V + step * direction[1]
        return heads.excess_risk(*moved, teachers, 0.6, TASK, shared_noise=True)

    slope = float(jax.jit(jax.grad(along))(0.0))
    errors = [abs(float(along(h) - along(-h)) / (2 * h) - slope) for h in (1e-2, 5e-3)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)
