"""The floor due to layer norm: attained by one predictor, a lower bound for all, closed form."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from slrlib import Task, Teacher
from slrlib.task import random_teacher
from slrlib.transformer import risk_floor
from slrlib.transformer.floor import joint_risk_floor
from slrlib.transformer.layer import layer_norm

GAMMA = 0.7
OFF = {"d": 6, "gamma": GAMMA}, {"d": 80}


def pair(d, seed=0):
    return Teacher(*np.linalg.qr(np.random.default_rng(seed).normal(size=(d, 2)))[0].T)


def informative(teacher, task, n, seed, shared_noise=False):
    """The informative tokens (n, m, d) and the noiseless labels, in plain NumPy."""
    k_star, v_star = (np.asarray(x).reshape(-1, np.shape(x)[-1]) for x in teacher)
    m, d = k_star.shape
    noise = np.random.default_rng(seed).normal(size=(n, 1 if shared_noise else m, d))
    own = np.broadcast_to(task.gamma * noise, (n, m, d))
    return own + np.sqrt(task.d / 2) * k_star, np.sum(own * v_star, axis=(1, 2))


def best_predictor(teacher, task):
    """E[Y | LN(X)], with the conditional mean of the length from scipy's quadrature."""
    k, v = teacher
    d = k.size
    k_off, v_off = k - k.mean(), v - v.mean()
    mean = np.sqrt(d / 2) * np.linalg.norm(k_off) / task.gamma

    def length(c):
        mode = (mean * c + np.sqrt((mean * c) ** 2 + 4 * (d - 2))) / 2

        def density(rho):
            log = (d - 2) * (np.log(rho) - np.log(mode)) - (rho * rho - mode * mode) / 2
            return np.exp(log + (rho - mode) * mean * c)

        reach = max(mode - 9, 1e-9), mode + 9
        return quad(lambda r: r * density(r), *reach)[0] / quad(density, *reach)[0]

    grid = np.linspace(-1, 1, 201)
    lengths = task.gamma * np.array([length(c) for c in grid])

    def predict(X):
        n = np.asarray(layer_norm(jnp.asarray(X))) / np.sqrt(d)
        known = np.sum(v) / d * np.sum(k) * np.sqrt(d / 2)  # the constant mean
        cosine = n @ k_off / np.linalg.norm(k_off)
        return known + np.interp(cosine, grid, lengths) * (n @ v_off)

    return predict


@pytest.mark.parametrize("numbers", OFF, ids=lambda n: f"d={n['d']}")
def test_the_best_predictor_of_normalized_tokens_reaches_the_floor(numbers):
    task, teacher = Task(L=3, **numbers), pair(numbers["d"])
    X, y = informative(teacher, task, 50_000, 5)
    error = (best_predictor(teacher, task)(X[:, 0]) - y) ** 2
    z = (error.mean() - risk_floor(teacher, task)) / error.std() * np.sqrt(len(y))
    assert abs(z) < 4


@settings(deadline=None, derandomize=True, max_examples=12)
@given(st.integers(4, 120), st.floats(0.05, 3.0), st.integers(0, 100))
def test_the_floor_lies_between_the_hidden_mean_and_the_null_risk(d, gamma, seed):
    task, teacher = Task(d, 2, gamma=gamma), pair(d, seed)
    floor = float(risk_floor(teacher, task))
    assert gamma**2 * np.sum(teacher.v_star) ** 2 / d < floor <= gamma**2 * (1 + 1e-9)


def test_floors_of_several_locations_add_up():
    teachers = random_teacher(10, (5, 3), key=jax.random.key(2))
    task = Task(10, 4)
    each = risk_floor(teachers, task)
    assert each.shape == (5, 3)
    np.testing.assert_allclose(joint_risk_floor(teachers, task), each.sum(-1), rtol=1e-12)
    one = Teacher(*(x[:, :1] for x in teachers))
    both = [joint_risk_floor(one, task, shared_noise=x) for x in (False, True)]
    np.testing.assert_array_equal(*both)


def test_under_shared_noise_two_normalized_tokens_give_both_lengths_away():
    d, task = 20, Task(20, 4, gamma=GAMMA)
    teachers = random_teacher(d, (2,), key=jax.random.key(3))
    X, y = informative(teachers, task, 4000, 4, shared_noise=True)
    k, v = (np.asarray(x, float) for x in teachers)
    n = X - X.mean(-1, keepdims=True)
    n = n / np.linalg.norm(n, axis=-1, keepdims=True)
    apart = np.sqrt(d / 2) * (k[0] - k[1] - np.mean(k[0] - k[1]))  # rho_1 n_1 - rho_2 n_2
    lengths = [np.linalg.lstsq(np.stack([a, -b], 1), apart, rcond=None)[0] for a, b in n]
    centered = np.array(lengths)[..., None] * n
    known = np.sqrt(d / 2) * np.sum(k.mean(-1) * v.sum(-1))
    error = (np.einsum("nmd,md->n", centered, v) + known - y) ** 2
    floor = joint_risk_floor(teachers, task, shared_noise=True)
    assert abs(error.mean() - floor) < 4 * error.std() / np.sqrt(len(y))
    assert floor == pytest.approx(GAMMA**2 * np.sum(v) ** 2 / d)
