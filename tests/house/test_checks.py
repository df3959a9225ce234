"""Arguments: conversion of numbers, tracing, and the number of programs a call compiles."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from slrlib import Overlaps, Task, checks, landscape, predictors, risk, special, sphere
from slrlib.overlaps import to_frame
from slrlib.task import random_teacher

KEY = jax.random.key(0)


@pytest.mark.either_precision
def test_a_scalar_becomes_a_float_and_an_array_a_floating_jax_array():
    for value in (2, 2.0, np.int64(2), np.float32(2), np.array(2), jnp.int32(2)):
        got = checks.floating("x", value)
        assert type(got) is float and got == 2.0
    for value in ([1, 2], (1.0, 2.0), np.arange(2), jnp.arange(2), jnp.ones(2)):
        got = checks.floating("x", value)
        assert isinstance(got, jax.Array) and got.shape == (2,)
        assert got.dtype == jnp.zeros(()).dtype
    assert checks.floating("x", jnp.ones(2, jnp.float32)).dtype == jnp.float32
    assert checks.floating("x", jnp.ones(2, jnp.bfloat16)).dtype == jnp.bfloat16


@pytest.mark.either_precision
def test_traced_values_pass_every_door_unread():
    @jax.jit
    def through(x, n):
        for door in (checks.floating, checks.finite, checks.positive, checks.nonnegative):
            assert door("x", x) is x
        assert jnp.issubdtype(checks.floating("n", n).dtype, jnp.floating)
        return checks.whole("x", x, 1)

    assert through(-0.5, 3) == -0.5


def test_count_is_a_python_int_and_cannot_be_traced():
    got = checks.count("n", 400.0)
    assert type(got) is int and got == 400
    with pytest.raises(ValueError, match="n must be a plain whole number here, got a traced value"):
        jax.jit(lambda n: checks.count("n", n))(3)


@pytest.mark.either_precision
def test_keys_of_both_styles_pass():
    new, old = jax.random.key(0), jax.random.PRNGKey(0)
    assert checks.random_key(new) is new and checks.random_key(old) is old
    assert jax.jit(lambda k: jax.random.uniform(checks.random_key(k)))(new) < 1


@pytest.fixture
def programs(caplog):
    """A function that counts the programs compiled since the start of the test."""
    caplog.set_level(logging.DEBUG, "jax._src.dispatch")
    return lambda: sum("Finished XLA compilation" in message for message in caplog.messages)


TASK = Task(40, 7, gamma=0.6)
LAM = np.array([0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17])
ONE_PROGRAM = [
    lambda: special.mean_erf_prime(LAM, 0.3),
    lambda: risk.oracle_excess_risk(LAM, TASK, scale=0.9),
    lambda: risk.risk_terms(Overlaps(0.1, 0.2, LAM, 0.0, 0.1), 0.3, TASK),
    lambda: predictors.erf_weights(np.ones((2, 3, 5)), 0.1),
    lambda: random_teacher(9, key=KEY),
    lambda: sphere.project(np.ones((3, 5))),
    lambda: to_frame(Overlaps(0.1, LAM, 0.0, 0.0, 0.0)),
    lambda: landscape.explicit_lam(TASK),
    lambda: landscape.edge_of_stability(LAM, 0.1, TASK),
]


def test_a_compiled_function_reads_its_arguments_at_the_door_and_stays_traceable(programs):
    @checks.compiled("power", x=checks.positive)
    def raised(x, power=2):
        return x**power

    assert raised(3.0) == raised(x=3) == 9.0 and programs() == 1
    assert raised(np.array([1.0, 2.0]), 3).tolist() == [1.0, 8.0]
    assert jax.grad(raised)(3.0) == 6.0
    assert jax.jit(jax.vmap(raised))(jnp.array([-1.0, 2.0])).tolist() == [1.0, 4.0]
    with pytest.raises(ValueError, match=r"^x must be positive, got -1$"):
        raised(-1)


def test_a_public_function_of_plain_numbers_is_one_program(programs):
    for call in ONE_PROGRAM:
        before = programs()
        call()
        seen = programs()
        call()
        assert programs() == seen <= before + 1
