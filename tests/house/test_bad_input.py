"""Bad input gets one sentence that says what is allowed and what came."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from refused import refusal

from slrlib import (
    Overlaps,
    Task,
    Teacher,
    heads,
    landscape,
    predictors,
    risk,
    sphere,
    transformer,
)
from slrlib.dynamics import manifold_step, pgd
from slrlib.dynamics.schedules import InverseDecay
from slrlib.experiments import PAPER, load, run
from slrlib.overlaps import (
    ORACLE,
    check_overlaps,
    distance_to_manifold,
    from_frame,
    is_feasible,
    overlaps_of,
    random_overlaps,
    to_frame,
    vectors_of,
)
from slrlib.task import random_teacher, sample

D, L = 6, 3
KEY = jax.random.key(0)
TASK = Task(D, L)
TEACHER = random_teacher(D, key=KEY)
K, V = TEACHER
X = np.zeros((2, L, D))
CLS = np.ones(D)
NAN = float("nan")
NOT_A_KEY = "key must be one random key such as jax.random.key(0), got None"
NO_VECTORS = (
    "overlaps must be those of unit vectors (Gram matrix without a negative eigenvalue), got "
)
TILTED = np.eye(D)[0], np.array([0.6, 0.8, 0, 0, 0, 0])
LONG = 2 * np.eye(D)[0], np.eye(D)[1]
FIVE = "overlaps must be Overlaps(kappa, nu, theta, eta, rho), got "


def o(kappa=0.0, nu=0.0, theta=0.0, eta=0.0, rho=0.0):
    return Overlaps(kappa, nu, theta, eta, rho)


def forgotten(t):
    """A schedule without its ``return``."""


CASES = {
    # Task
    "d=0": (lambda: Task(0, 10), "d must be a whole number of at least 2, got 0"),
    "d=1": (lambda: Task(1, 10), "d must be a whole number of at least 2, got 1"),
    "d=2.5": (lambda: Task(2.5, 10), "d must be a whole number of at least 2, got 2.5"),
    "d=inf": (lambda: Task(np.inf, 10), "d must be a whole number of at least 2, got inf"),
    "d='400'": (lambda: Task("400", 10), "d must be a number, got '400'"),
    "d=None": (lambda: Task(None, 10), "d must be a number, got None"),
    "d=True": (lambda: Task(True, 10), "d must be a number, got True"),
    "d batch": (
        lambda: Task(np.array([80, 0]), 10),
        "d must be a whole number of at least 2, got 0 in an array of shape (2,)",
    ),
    "L=0": (lambda: Task(400, 0), "L must be a whole number of at least 1, got 0"),
    "L=nan": (lambda: Task(400, NAN), "L must be a whole number of at least 1, got nan"),
    "gamma<0": (lambda: Task(400, 10, gamma=-0.3), "gamma must be positive, got -0.3"),
    "gamma=0": (lambda: Task(400, 10, gamma=0), "gamma must be positive, got 0"),
    "gamma=nan": (lambda: Task(400, 10, gamma=NAN), "gamma must be positive, got nan"),
    "gamma=False": (lambda: Task(400, 10, gamma=False), "gamma must be a number, got False"),
    "gamma=[]": (lambda: Task(400, 10, gamma={}), "gamma must be a number, got {}"),
    "noise<0": (lambda: Task(400, 10, noise=-1), "noise must be zero or more, got -1"),
    "p sum": (lambda: Task(D, 2, p=[0.5, 0.6]), "p must sum to one, got a sum of 1.1"),
    "p<0": (
        lambda: Task(D, 2, p=[1.5, -0.5]),
        "p must be zero or more, got -0.5 in an array of shape (2,)",
    ),
    "p length": (
        lambda: Task(D, 3, p=[0.5, 0.5]),
        "p must hold one probability for each of L=3 tokens, got 2",
    ),
    "p scalar": (lambda: Task(D, 1, p=1.0), "p must have shape (..., any), got ()"),
    "p word": (lambda: Task(D, 3, p="uniform"), "p must be a number, got 'uniform'"),
    "p ragged": (lambda: Task(D, 3, p=[[1], [0, 1]]), "p must be a number, got [[1], [0, 1]]"),
    # Overlaps
    "too long": (
        lambda: check_overlaps(o(kappa=1.1)),
        NO_VECTORS + "kappa=1.1, nu=0, theta=0, eta=0, rho=0",
    ),
    "both": (
        lambda: check_overlaps(o(kappa=1, theta=0.5)),
        NO_VECTORS + "kappa=1, nu=0, theta=0.5, eta=0, rho=0",
    ),
    "in a batch": (
        lambda: risk.excess_risk(o(kappa=np.array([0.1, 0.9]), eta=0.8), 0.1, TASK),
        NO_VECTORS + "kappa=0.9, nu=0, theta=0, eta=0.8, rho=0",
    ),
    "distance": (
        lambda: distance_to_manifold(o(rho=-2)),
        NO_VECTORS + "kappa=0, nu=0, theta=0, eta=0, rho=-2",
    ),
    "frame of": (
        lambda: to_frame(o(nu=1, theta=1)),
        NO_VECTORS + "kappa=0, nu=1, theta=1, eta=0, rho=0",
    ),
    "nan overlap": (lambda: check_overlaps(o(theta=NAN)), "theta must be finite, got nan"),
    "word overlap": (lambda: check_overlaps(o(rho="0")), "rho must be a number, got '0'"),
    "None overlap": (lambda: is_feasible(o(rho=None)), "rho must be a number, got None"),
    "bool overlap": (lambda: check_overlaps(o(eta=True)), "eta must be a number, got True"),
    "overlap shapes": (
        lambda: check_overlaps(o(kappa=np.zeros(2), nu=np.zeros(3))),
        "overlaps must have shapes that broadcast, got [(2,), (3,), (), (), ()]",
    ),
    "no overlaps": (lambda: check_overlaps("oracle"), FIVE + "'oracle'"),
    "four overlaps": (lambda: to_frame((1, 1, 0, 0)), FIVE + "[1 1 0 0]"),
    "None as overlaps": (lambda: distance_to_manifold(None), FIVE + "None"),
    "frame": (
        lambda: from_frame((np.zeros(4), np.zeros(4))),
        "frame.k must have shape (..., 3), got (4,)",
    ),
    "k shape": (lambda: overlaps_of(K[:5], V, TEACHER), "k must have shape (..., 6), got (5,)"),
    "v nan": (
        lambda: overlaps_of(K, V * NAN, TEACHER),
        "v must be finite, got nan in an array of shape (6,)",
    ),
    "random d": (
        lambda: random_overlaps(KEY, 1),
        "d must be a whole number of at least 2, got 1",
    ),
    "random key": (
        lambda: random_overlaps(400, 10),
        "key must be one random key such as jax.random.key(0), got 400",
    ),
    "vectors key": (lambda: vectors_of(ORACLE, TEACHER, key=None), NOT_A_KEY),
    "vectors in space": (
        lambda: vectors_of(ORACLE, random_teacher(3, key=KEY), key=KEY),
        "teacher must be one pair in dimension 4 or more, got shape (3,)",
    ),
    # Teacher and sphere
    "tilted teacher": (
        lambda: overlaps_of(K, V, Teacher(*TILTED)),
        "k_star and v_star must be orthogonal and of length one, got lengths 1.0 and 1.0 "
        "and inner product 0.6",
    ),
    "long teacher": (
        lambda: sample(TASK, Teacher(*LONG), 2, key=KEY),
        "k_star and v_star must be orthogonal and of length one, got lengths 2.0 and 1.0 "
        "and inner product 0.0",
    ),
    "uneven teacher": (
        lambda: sample(TASK, Teacher(K, V[:5]), 2, key=KEY),
        "k_star and v_star must have the same shape, got (6,) and (5,)",
    ),
    "no teacher": (
        lambda: predictors.bayes(X, TASK, None),
        "teacher must be a Teacher(k_star, v_star), got None",
    ),
    "zero point": (
        lambda: sphere.project(np.zeros(3)),
        "point must not be zero, got a zero vector",
    ),
    "point scalar": (lambda: sphere.project(1.0), "point must have shape (..., any), got ()"),
    "uniform key": (lambda: sphere.uniform(3, key=None), NOT_A_KEY),
    "uniform d": (
        lambda: sphere.uniform(0, key=KEY),
        "d must be a whole number of at least 1, got 0",
    ),
    "teacher d": (
        lambda: random_teacher(1, key=KEY),
        "d must be a whole number of at least 2, got 1",
    ),
    "teacher key": (lambda: random_teacher(4, key=None), NOT_A_KEY),
    # Samples
    "sample key": (lambda: sample(TASK, TEACHER, 2, key=None), NOT_A_KEY),
    "sample n": (
        lambda: sample(TASK, TEACHER, 0, key=KEY),
        "n must be a whole number of at least 1, got 0",
    ),
    "sample task": (
        lambda: sample((400, 10), TEACHER, 2, key=KEY),
        "task must be a Task(d, L, gamma, noise, p), got [400 10]",
    ),
    "sample dimension": (
        lambda: sample(Task(7, 3), TEACHER, 2, key=KEY),
        "teacher must live in dimension d=7, got dimension 6",
    ),
    "sample batch": (
        lambda: sample(Task(np.array([6, 7]), 3), TEACHER, 2, key=KEY),
        "task.d must be one whole number, got [6. 7.]",
    ),
    "one for several": (
        lambda: heads.sample(TASK, TEACHER, 2, key=KEY),
        "teachers must hold arrays of shape (m, d), got shape (6,)",
    ),
    "several for one": (
        lambda: sample(TASK, random_teacher(D, (2,), key=KEY), 2, key=KEY),
        "teacher must be one pair of shape (d,), got shape (2, 6)",
    ),
    "heads as lists": (
        lambda: heads.excess_risk([[1.0] * D], [[1.0] * D], Teacher(K[None], V[None]), 0.1, TASK),
        "K must be an array, such as jnp.asarray of it, got a list",
    ),
    "heads swapped": (
        lambda: heads.excess_risk(K[None], V[None], 0.1, Teacher(K[None], V[None]), TASK),
        "teachers must be a Teacher(k_star, v_star), got 0.1",
    ),
    "too many": (
        lambda: heads.sample(TASK, random_teacher(D, (4,), key=KEY), 2, key=KEY),
        "teachers must be at most L=3, one a token, got 4",
    ),
    "too few places": (
        lambda: heads.sample(Task(D, L, p=[0, 1, 0]), random_teacher(D, (2,), key=KEY), 2, key=KEY),
        "p must be positive at 2 places or more, got [0. 1. 0.]",
    ),
    # Predictors
    "X word": (lambda: predictors.argmax_attention("X", K, V), "X must be a number, got 'X'"),
    "X flat": (
        lambda: predictors.erf_attention(X[0, 0], K, V, 0.1),
        "X must have shape (..., any, any), got (6,)",
    ),
    "X nan": (
        lambda: predictors.argmax_attention(X * NAN, K, V),
        "X must be finite, got nan in an array of shape (2, 3, 6)",
    ),
    "k and X": (
        lambda: predictors.softmax_attention(X, K[:4], V, 0.1),
        "k must have shape (6,), got (4,)",
    ),
    "v None": (
        lambda: predictors.linear_attention(X, K, None, 0.1),
        "v must be a number, got None",
    ),
    "lam<0": (
        lambda: predictors.erf_attention(X, K, V, -0.1),
        "lam must be zero or more, got -0.1",
    ),
    "lam word": (lambda: predictors.softmax_weights(X, "1"), "lam must be a number, got '1'"),
    "scale nan": (
        lambda: predictors.erf_attention(X, K, V, 0.1, scale=NAN),
        "scale must be finite, got nan",
    ),
    "beta": (
        lambda: predictors.linear(X, np.zeros((2, D))),
        "beta must have shape (..., 3, 6), got (2, 6)",
    ),
    "bayes X": (
        lambda: predictors.bayes(X[..., :4], TASK, TEACHER),
        "X must have shape (..., any, 6), got (2, 3, 4)",
    ),
    "bayes task": (
        lambda: predictors.bayes_weights(X, None, TEACHER),
        "task must be a Task(d, L, gamma, noise, p), got None",
    ),
    "bayes L": (
        lambda: predictors.bayes(X, Task(D, 4), TEACHER),
        "X must hold L=4 tokens, got 3",
    ),
    "bayes d": (
        lambda: predictors.bayes(X, Task(7, 3), TEACHER),
        "teacher must live in dimension d=7, got dimension 6",
    ),
    "best linear": (
        lambda: predictors.best_linear(TASK, "teacher"),
        "teacher must be a Teacher(k_star, v_star), got 'teacher'",
    ),
    "cls": (
        lambda: predictors.cls_attention(X, CLS[:5], *predictors.matrices_of(K, V, 1.0, CLS)),
        "cls must have shape (..., 6), got (5,)",
    ),
    "head": (
        lambda: predictors.cls_attention(X, CLS, K, K, V, V),
        "query must have shape (..., 6, any), got (6,)",
    ),
    "zero cls": (
        lambda: predictors.matrices_of(K, V, 1.0, 0 * CLS),
        "cls must not be zero, got a zero vector",
    ),
    "k matrix": (
        lambda: predictors.erf_attention(X, np.zeros((6, 6)), V, 0.1),
        "k must have shape (6,), got (6, 6)",
    ),
    "teachers and k": (
        lambda: overlaps_of(np.stack([K, K]), V, random_teacher(D, (3,), key=KEY)),
        "k and v and teacher must have shapes that broadcast, got (2, 6) and (6,) and (3, 6)",
    ),
    # Monte Carlo
    "bayes risk key": (lambda: risk.bayes_excess_risk(TASK, samples=10, key=None), NOT_A_KEY),
    "bayes risk samples": (
        lambda: risk.bayes_excess_risk(TASK, samples=1, key=KEY),
        "samples must be a whole number of at least 2, got 1",
    ),
    "bayes risk task": (
        lambda: risk.bayes_excess_risk(400, samples=10, key=KEY),
        "task must be a Task(d, L, gamma, noise, p), got 400",
    ),
    "softmax risk lam": (
        lambda: risk.exact_softmax_excess_risk(-1, TASK),
        "lam must be zero or more, got -1",
    ),
    # Dynamics
    "schedule below zero": (
        lambda: pgd(ORACLE, TASK, lambda t: 0.1 - 0.1 * jnp.asarray(t, float), 0.1, 4, 2),
        "schedule must give a finite lam of zero or more, got -0.1 at step 2",
    ),
    "schedule that ends": (
        lambda: pgd(ORACLE, TASK, lambda t: jnp.ones(3)[t], 0.1, 4, 2),
        "schedule must give lam at each of the 4 steps, got a table that ends: out-of-bounds "
        "indexing for array of shape (3,): index 3 is out of bounds for axis 0 with size 3. "
        "Use table[jnp.minimum(step, len(table) - 1)] to keep its last value",
    ),
    "schedule from below zero": (
        lambda: pgd(ORACLE, TASK, InverseDecay(-1.0, 0.0), 0.1, 4, 2),
        "lam0 must be zero or more, got -1.0",
    ),
    "alpha": (
        lambda: manifold_step(0.1, 0.1, 0.1, TASK, -1.0),
        "alpha must be zero or more, got -1.0",
    ),
    "kappa": (
        lambda: manifold_step(1.5, 0.1, 0.1, TASK, 0.1),
        "kappa must be from -1 to 1, got 1.5",
    ),
    "nu": (lambda: manifold_step(0.5, "x", 0.1, TASK, 0.1), "nu must be a number, got 'x'"),
    "kappa None": (
        lambda: manifold_step(None, 0.1, 0.1, TASK, 0.1),
        "kappa must be a number, got None",
    ),
    "step task": (
        lambda: manifold_step(0.5, 0.1, 0.1, "task", 0.1),
        "task must be a Task(d, L, gamma, noise, p), got 'task'",
    ),
    # Where a word or an empty list once met arithmetic
    "training state": (
        lambda: transformer.advance_training(3, 4, 2),
        "state must be one of start_training(...), got 3",
    ),
    "sharpness state": (
        lambda: transformer.sharpness(None),
        "state must be one of start_training(...), got None",
    ),
    "layer": (
        lambda: transformer.score_direction(None, [1.0]),
        "layer must be a Layer, got None",
    ),
    "sizes": (
        lambda: run(replace(PAPER["fig3"], sizes=())),
        "sizes must be a tuple of one value or more, got []",
    ),
    "words in sizes": (
        lambda: run(replace(PAPER["fig3"], sizes=("a",))),
        "sizes must be a number, got ['a']",
    ),
    "folder": (lambda: run(PAPER["fig3"], folder=3), "folder must be a path or None, got 3"),
    "load": (lambda: load(3), "name must be that of an experiment, got 3"),
    "csv": (
        lambda: run(replace(PAPER["fig3"], sizes=(10.0,))).to_csv(None),
        "path must be that of a file, got 'None'",
    ),
    "csv in a folder": (
        lambda: run(replace(PAPER["fig3"], sizes=(10.0,))).to_csv(".."),
        "path must be that of a file, got '..'",
    ),
    "short": (
        lambda: landscape.arrival_bound(0.1, TASK, 0.01, "x", 0.1),
        "missed must be a number, got 'x'",
    ),
    "plateau": (
        lambda: landscape.plateau_bounds(None, 0.5, 0.1, TASK, 0.01),
        "low must be a number, got None",
    ),
    "lam list": (lambda: landscape.tilted_overlaps([], TASK), "lam must be one number, got []"),
}


@pytest.mark.parametrize("call, sentence", CASES.values(), ids=CASES)
def test_one_sentence_says_what_is_allowed_and_what_came(call, sentence):
    assert refusal(call) == sentence
    assert "\n" not in sentence and " must " in sentence and ", got " in sentence


@pytest.mark.either_precision
def test_concrete_values_are_checked_inside_a_trace_and_traced_ones_are_not():
    @jax.jit
    def inside(x):
        with pytest.raises(ValueError, match=r"^gamma must be positive, got -1$"):
            Task(D, L, gamma=-1)
        with pytest.raises(ValueError, match=r"^overlaps must be those of unit vectors"):
            check_overlaps(o(kappa=2.0))
        with pytest.raises(ValueError, match=r"^p must sum to one, got a sum of 0.5$"):
            Task(D, 2, p=np.array([0.5, 0.0]))
        with pytest.raises(ValueError, match=r"^p must be zero or more, got -0.5 in an array"):
            Task(D, 2, p=[1.5, -0.5])
        with pytest.raises(ValueError, match=r"^k_star and v_star must be orthogonal"):
            overlaps_of(K, V, Teacher(*TILTED))
        assert Task(D, L, gamma=x).gamma is x
        return distance_to_manifold(o(rho=x))

    assert np.asarray(inside(-5.0)) == 5.0


def test_whole_floats_numpy_scalars_and_large_sizes_are_welcome():
    for task in (Task(400.0, 10.0), Task(np.int32(400), np.uint8(10)), Task(jnp.array(400), 10)):
        assert (task.d, task.L) == (400.0, 10.0)
    assert Task(1e9, 1e9).d == 1e9
    assert risk.null_excess_risk(Task(1e9, 1e9)) == pytest.approx(0.5)
