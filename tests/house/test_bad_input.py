"""Bad input raises an error of one sentence with the allowed and the given value."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from refused import refusal

from slrlib import (
    Overlaps,
    Task,
    Teacher,
    checks,
    heads,
    landscape,
    predictors,
    risk,
    special,
    sphere,
    transformer,
)
from slrlib.dynamics import manifold_step, pgd
from slrlib.experiments import PAPER, load, run
from slrlib.overlaps import (
    ORACLE,
    distance_to_manifold,
    overlaps_of,
    possible,
    random_overlaps,
    to_frame,
    vectors_of,
)
from slrlib.special import wilson
from slrlib.task import random_teacher, sample

KEY, NAN = jax.random.key(0), float("nan")
TASK = Task(6, 3)
TEACHER = random_teacher(6, key=KEY)
K, V = TEACHER
SEVERAL = Teacher(*(np.stack([x] * 4) for x in TEACHER))
X = np.zeros((2, 3, 6))
TILTED = np.eye(6)[0], np.array([0.6, 0.8, 0, 0, 0, 0])
FAR = Overlaps(1.1, 0, 0, 0, 0)


def schedule(f):
    return lambda: pgd(ORACLE, TASK, f, 0.1, 4, 2)


CASES = [  # a call of a function with a bad argument, and part of the message
    # numbers and their ranges
    (lambda: Task(1, 10), "d must be a whole number of at least 2, got 1"),
    (lambda: Task(2.5, 10), "d must be a whole number of at least 2, got 2.5"),
    (lambda: Task("400", 10), "d must be a number, got '400'"),
    (lambda: Task(True, 10), "d must be a number, got True"),
    (lambda: Task(np.array([80, 0]), 10), "got 0 in an array of shape (2,)"),
    (lambda: Task(400, NAN), "L must be a whole number of at least 1, got nan"),
    (lambda: Task(400, 10, gamma=-0.3), "gamma must be positive, got -0.3"),
    (lambda: wilson(3, 2), "hits must be from 0 to runs, and runs at least 1, got 3 of 2"),
    (lambda: Task(400, 10, noise=-1), "noise must be zero or more, got -1"),
    (lambda: Task(20, 4, 1e-200), "gamma must be at least 1e-15, got 1e-200"),
    (lambda: Task(1e300, 4), "d must be at most 1e+18, got 1e+300"),
    (lambda: special.zeta(1e300, 1.0), "t must be at most 1e+18 in size, got 1e+300"),
    (lambda: risk.oracle_excess_risk(np.inf, TASK), "lam must be at most 1e+09, got inf"),
    (lambda: manifold_step(1.5, 0.1, 0.1, TASK, 0.1), "kappa must be from -1 to 1, got 1.5"),
    (lambda: checks.floating("x", {"a": 1}), "x must be a number, got {'a': 1}"),
    (lambda: checks.floating("x", [[1], [1, 2]]), "x must be a number, got [[1], [1, 2]]"),
    (lambda: checks.floating("x", np.array([1j])), "x must be real numbers, got dtype complex128"),
    (lambda: checks.floating("x", "word " * 50), "x must be a number, got a str"),
    (lambda: checks.finite("x", np.full(9, np.inf)), "x must be finite, got inf in an array of"),
    (lambda: checks.count("n", [1, 2]), "n must be one whole number, got [1. 2.]"),
    (lambda: checks.flag("x", 1), "x must be True or False, got 1"),
    (lambda: random_overlaps(KEY, 20, 3), "shape must be a tuple of whole numbers, got 3"),
    # probabilities, shapes, directions
    (lambda: Task(6, 2, p=[0.5, 0.6]), "p must sum to one, got a sum of 1.1"),
    (lambda: Task(6, 3, p=[0.5, 0.5]), "p must have shape (..., 3), got (2,)"),
    (lambda: overlaps_of(K[:5], V, TEACHER), "k must have shape (..., 6), got (5,)"),
    (lambda: predictors.linear(X, np.zeros((2, 6))), "must have shape (..., 3, 6), got (2, 6)"),
    (lambda: predictors.erf_attention(X * NAN, K, V, 0.1), "X must be finite, got nan"),
    (lambda: predictors.bayes(X, Task(7, 3), TEACHER), "live in dimension d=7, got dimension 6"),
    (lambda: predictors.bayes(X, Task(6, 4), TEACHER), "X must hold L=4 tokens, got 3"),
    (lambda: sphere.project(np.zeros(3)), "point must not be zero, got a largest entry of 0"),
    (lambda: checks.floating("lam", np.ma.masked_less([0.1, 1], 0.5)), "no masked entries, got 1"),
    # overlaps, teachers, tasks, keys
    (lambda: possible("o", FAR), "those of unit vectors (Gram matrix without a negative eigen"),
    (lambda: risk.excess_risk(FAR, 0.1, TASK), "kappa=1.1, nu=0, theta=0, eta=0, rho=0"),
    (lambda: to_frame((1, 1, 0, 0)), "Overlaps(kappa, nu, theta, eta, rho), got [1 1 0 0]"),
    (lambda: Teacher(*TILTED), "orthogonal and of length one, got lengths 1.0 and 1.0"),
    (lambda: predictors.bayes(X, TASK, None), "must be a Teacher(k_star, v_star), got None"),
    (lambda: sample((400, 10), TEACHER, 2, key=KEY), "task must be a Task(d, L, gamma, noise, p)"),
    (lambda: sample(TASK, TEACHER, 0, key=KEY), "n must be a whole number of at least 1, got 0"),
    (lambda: sample(TASK, TEACHER, 2, key=None), "one random key such as jax.random.key(0)"),
    (lambda: checks.random_key(jax.random.split(KEY, 3)), "key must be one random key"),
    (lambda: vectors_of(ORACLE, random_teacher(3, key=KEY), key=KEY), "in dimension 4 or more"),
    (lambda: heads.sample(TASK, SEVERAL, 2, key=KEY), "teachers must be at most L=3, one a token"),
    # schedules and runs
    (schedule(lambda t: 0.1 - 0.1 * jnp.asarray(t, float)), "of zero or more, got -0.1 at step 2"),
    (schedule(lambda t: jnp.ones(3)[t]), "Use table[jnp.minimum(step, len(table) - 1)] to keep"),
    (schedule(lambda t: 0.1 if t < 2 else 0.2), "schedule must take a traced step (jnp.maximum in"),
    (schedule(lambda t: None), "the value of schedule must be a number, got None"),
    (
        lambda: transformer.advance_training(None, 1, 1),
        "state must be one of start_training(...), got None",
    ),
    (lambda: run(PAPER["fig3"], folder=3), "folder must be a path or None, got 3"),
    (lambda: load(3), "name must be that of an experiment, got 3"),
    (lambda: landscape.tilted_overlaps([], TASK), "lam must be one number, got []"),
    (lambda: landscape.tilted_overlaps(10.0, Task(400, 1)), "lam must be above lambda_c=inf, got"),
]


@pytest.mark.parametrize("call, words", CASES, ids=[words for _, words in CASES])
def test_one_sentence_says_what_is_allowed_and_what_came(call, words):
    told = refusal(call)
    assert words in told
    assert "\n" not in told and " must " in told and ", got " in told


@pytest.mark.either_precision
def test_concrete_values_are_checked_inside_a_trace_and_traced_ones_are_not():
    @jax.jit
    def inside(x):
        with pytest.raises(ValueError, match=r"^gamma must be positive, got -1$"):
            Task(6, 3, gamma=-1)
        with pytest.raises(ValueError, match=r"^overlaps must be those of unit vectors"):
            possible("o", FAR)
        with pytest.raises(ValueError, match=r"^k_star and v_star must be orthogonal"):
            Teacher(*TILTED)
        assert Task(6, 3, gamma=x).gamma is x
        return distance_to_manifold(Overlaps(0.0, 0.0, 0.0, 0.0, x))

    assert np.asarray(inside(-5.0)) == 5.0
