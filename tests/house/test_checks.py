"""What passes the door, what does not, and the sentence that a caller then reads."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from slrlib import Overlaps, Task, checks, landscape, predictors, risk, special, sphere
from slrlib.overlaps import to_frame
from slrlib.task import random_teacher

NAN, KEY = float("nan"), jax.random.key(0)


@pytest.mark.either_precision
@pytest.mark.parametrize("value", [2, 2.0, np.int64(2), np.float32(2), np.array(2), jnp.int32(2)])
def test_a_concrete_scalar_becomes_a_python_float(value):
    got = checks.floating("x", value)
    assert type(got) is float and got == 2.0


@pytest.mark.either_precision
@pytest.mark.parametrize("value", [[1, 2], (1.0, 2.0), np.arange(2), jnp.arange(2), jnp.ones(2)])
def test_a_concrete_array_becomes_a_floating_jax_array(value):
    got = checks.floating("x", value)
    assert isinstance(got, jax.Array) and got.shape == (2,)
    assert got.dtype == jnp.zeros(()).dtype


def test_a_jax_array_of_low_precision_is_left_as_it_is():
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


REFUSED = [
    (checks.floating, "abc", "x must be a number, got 'abc'"),
    (checks.floating, None, "x must be a number, got None"),
    (checks.floating, True, "x must be a number, got True"),
    (checks.floating, 1j, "x must be a number, got 1j"),
    (checks.floating, [[1], [1, 2]], "x must be a number, got [[1], [1, 2]]"),
    (checks.floating, {"a": 1}, "x must be a number, got {'a': 1}"),
    (checks.floating, jnp.array([True]), "x must be real numbers, got dtype bool"),
    (checks.floating, np.array([1j]), "x must be real numbers, got dtype complex128"),
    (
        checks.floating,
        np.ma.masked_array([1.0, 2.0], [True, False]),
        "x must have no masked entries, got 1",
    ),
    (checks.floating, "word " * 50, "x must be a number, got a str"),
    (checks.finite, NAN, "x must be finite, got nan"),
    (checks.finite, np.full(100, np.inf), "x must be finite, got inf in an array of shape (100,)"),
    (checks.positive, -0.3, "x must be positive, got -0.3"),
    (checks.positive, 0, "x must be positive, got 0"),
    (checks.positive, [1, -2.5], "x must be positive, got -2.5 in an array of shape (2,)"),
    (checks.positive, NAN, "x must be positive, got nan"),
    (checks.positive, float("inf"), "x must be at most 1e+09, got inf"),
    (checks.nonnegative, -1, "x must be zero or more, got -1"),
]


@pytest.mark.parametrize("door, value, sentence", REFUSED)
def test_refusals(door, value, sentence):
    with pytest.raises(ValueError) as caught:
        door("x", value)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "value, sentence",
    [
        (0, "n must be a whole number of at least 1, got 0"),
        (2.5, "n must be a whole number of at least 1, got 2.5"),
        (NAN, "n must be a whole number of at least 1, got nan"),
        ([1, 2], "n must be one whole number, got [1. 2.]"),
        ("3", "n must be a number, got '3'"),
    ],
)
def test_count_refuses(value, sentence):
    with pytest.raises(ValueError) as caught:
        checks.count("n", value)
    assert str(caught.value) == sentence


def test_count_is_a_python_int_and_cannot_be_traced():
    got = checks.count("n", 400.0)
    assert type(got) is int and got == 400
    with pytest.raises(ValueError, match="n must be a plain whole number here, got a traced value"):
        jax.jit(lambda n: checks.count("n", n))(3)


def test_whole_takes_whole_floats_and_batches():
    assert checks.whole("d", 1e9, 2) == 1e9
    assert checks.whole("d", np.array([80, 400]), 2).tolist() == [80.0, 400.0]
    with pytest.raises(ValueError, match=r"^d must be a whole number of at least 2, got 0.5 in"):
        checks.whole("d", np.array([80, 0.5]), 2)


def test_shapes():
    X = np.zeros((3, 4, 5))
    assert checks.ends_in("X", X, (None, 5)).shape == (3, 4, 5)
    for shape, got, sentence in [
        ((None, 6), X, "X must have shape (..., any, 6), got (3, 4, 5)"),
        ((None, None), X[0, 0], "X must have shape (..., any, any), got (5,)"),
        ((5,), 1.0, "X must have shape (..., 5), got ()"),
        (
            (None,),
            X[0] / np.where(X[0] == 0, 0 * X[0] + NAN, 1),
            "X must be finite, got nan in an array of shape (4, 5)",
        ),
    ]:
        with pytest.raises(ValueError) as caught:
            checks.ends_in("X", got, shape)
        assert str(caught.value).startswith(sentence)


@pytest.mark.either_precision
def test_keys_of_both_styles_pass():
    new, old = jax.random.key(0), jax.random.PRNGKey(0)
    assert checks.random_key(new) is new and checks.random_key(old) is old
    assert jax.jit(lambda k: jax.random.uniform(checks.random_key(k)))(new) < 1


@pytest.mark.parametrize(
    "value, came",
    [
        (None, "None"),
        (0, "0"),
        (np.zeros(2), "[0. 0.]"),
        ("seed", "'seed'"),
    ],
)
def test_what_is_no_key_is_refused(value, came):
    with pytest.raises(ValueError) as caught:
        checks.random_key(value)
    expected = f"key must be one random key such as jax.random.key(0), got {came}"
    assert str(caught.value) == expected


def test_several_keys_are_not_one():
    with pytest.raises(ValueError, match=r"^key must be one random key"):
        checks.random_key(jax.random.split(jax.random.key(0), 3))


def test_a_flag_is_true_or_false():
    assert checks.flag("x", True) is True and checks.flag("x", np.bool_(False)) is False
    for value, got in ((1, "1"), ("no", "'no'"), (None, "None")):
        with pytest.raises(ValueError, match=f"^x must be True or False, got {got}$"):
            checks.flag("x", value)


@pytest.fixture
def programs(monkeypatch):
    """The names of the programs that are compiled from here on."""
    names = []

    class Reader(logging.Handler):
        def emit(self, record):
            if "Finished XLA compilation" in record.getMessage():
                names.append(record.getMessage())

    reader, log = Reader(), logging.getLogger("jax._src.dispatch")
    level = log.level
    log.addHandler(reader)
    log.setLevel(logging.DEBUG)
    monkeypatch.setattr(log, "propagate", False)
    yield names
    log.removeHandler(reader)
    log.setLevel(level)


TASK = Task(40, 7, gamma=0.6)
LAM = np.array([0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17])
ONE_PROGRAM = {
    "mean": lambda: special.mean_erf_erf_second(LAM, 0.3),
    "oracle": lambda: risk.oracle_excess_risk(LAM, TASK, scale=0.9),
    "terms": lambda: risk.risk_terms(Overlaps(0.1, 0.2, LAM, 0.0, 0.1), 0.3, TASK),
    "weights": lambda: predictors.erf_weights(np.ones((2, 3, 5)), 0.1),
    "teacher": lambda: random_teacher(9, key=KEY),
    "project": lambda: sphere.project(np.ones((3, 5))),
    "frame": lambda: to_frame(Overlaps(0.1, LAM, 0.0, 0.0, 0.0)),
    "explicit lam": lambda: landscape.explicit_lam(TASK),
    "transverse": lambda: landscape.edge_of_stability(LAM, 0.1, TASK),
}


@pytest.mark.parametrize("call", ONE_PROGRAM.values(), ids=ONE_PROGRAM)
def test_a_public_function_of_plain_numbers_is_one_program(programs, call):
    call()
    assert len(programs) <= 1
    seen = len(programs)
    call()
    assert len(programs) == seen


def test_a_call_with_too_few_arguments_names_them_in_order():
    with pytest.raises(TypeError) as caught:
        landscape.edge_of_stability(0.1, TASK)
    wanted = "missing a required argument: 'task'"
    assert str(caught.value) == wanted


def test_a_compiled_function_reads_its_arguments_at_the_door_and_stays_traceable(programs):
    @checks.compiled("power", x=checks.positive)
    def raised(x, power=2):
        return x**power

    assert raised(3.0) == raised(x=3) == 9.0 and len(programs) == 1
    assert raised(np.array([1.0, 2.0]), 3).tolist() == [1.0, 8.0]
    assert jax.grad(raised)(3.0) == 6.0
    assert jax.jit(jax.vmap(raised))(jnp.array([-1.0, 2.0])).tolist() == [1.0, 4.0]
    with pytest.raises(ValueError, match=r"^x must be positive, got -1$"):
        raised(-1)
