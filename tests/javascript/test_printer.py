"""Printed JavaScript computes the same as Python; what cannot be printed is refused by name."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.scipy.special import erf, erfc
from jax.scipy.stats import norm
from js import Engine

from slrbook.javascript import printed, runtime
from slrlib import Overlaps, Task, risk, special
from slrlib.overlaps import random_overlaps

POINTS = 2_000
NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)
EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, 30.0, -30.0, 1e-300, 1e300, np.inf, -np.inf, np.nan)


class Pair(NamedTuple):
    first: jax.Array
    second: jax.Array


def in_python(fn, *columns):
    """``fn`` at each point, compiled, one row per point."""
    leaves = jax.tree.leaves(jax.jit(jax.vmap(fn))(*map(jnp.asarray, columns)))
    table = np.concatenate([np.asarray(leaf, float).reshape(len(leaf), -1) for leaf in leaves], 1)
    return table[:, 0] if table.shape[1] == 1 else table


def disagreement(engine, name, fn, *columns):
    """The largest difference between V8 and Python relative to max(1, |f|); same NaN, same inf."""
    expected, got = in_python(fn, *columns), engine(name, *columns)
    assert got.shape == expected.shape
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(got[~finite], expected[~finite])
    gap = np.abs(got[finite] - expected[finite]) / np.maximum(1, np.abs(expected[finite]))
    return gap.max(initial=0.0)


def normals(count, seed=0, scale=2.0):
    return scale * np.random.default_rng(seed).standard_normal((count, POINTS))


# Functions with every kind of operation.


def elementary(x, y):
    return (
        jnp.exp(-(x**2)) * erf(y) + erfc(x - y) + jnp.log1p(x**2) * jnp.sqrt(1 + y**2),
        jnp.where(x > y, jnp.maximum(x, 0.0) ** 3, -jnp.tanh(y)) + jnp.clip(x, -1.0, 2.0),
        jnp.arctan2(x, y) + jnp.arcsin(jnp.tanh(x)) + jnp.expm1(-jnp.abs(y)) + jnp.sign(x),
        jax.nn.sigmoid(x) + jax.nn.softplus(y) + jax.nn.gelu(x) + jnp.logaddexp(x, y),
        (1 + x**2) ** y + (2 + y) ** -3 + jnp.square(x) + 2.0**y + jnp.sinc(x) + jnp.mod(x, y),
        norm.cdf(x) + norm.pdf(y) + norm.logcdf(x) + jnp.hypot(x, y) + jnp.sinh(x / 5),
        jnp.floor(x) + jnp.ceil(y) + jnp.cbrt(x) + jnp.cos(x) * jnp.sin(y) + jnp.arctan(y),
    )


def total(x, y):
    return sum(elementary(x, y)[:4])


def quadrature(x, s):
    """Two integrals that depend on each other; the second loop needs the first."""
    nodes, weights = jnp.asarray(NODES, x.dtype), jnp.asarray(WEIGHTS, x.dtype)
    first = jnp.sum(weights * jnp.exp(-jnp.square(s * nodes - x[..., None])), axis=-1)
    second = weights @ jnp.cos(nodes * first)
    return first, second, jnp.max(weights * jnp.sin(x * nodes)), jnp.min(jnp.cos(nodes + s))


def arrays(x, y):
    """Small arrays, indexed and stacked."""
    three = jnp.stack([x, y, x * y])
    first, second = three[1:]
    long = jnp.concatenate([three, y * jnp.asarray(NODES[:9], x.dtype), three])
    sums = jnp.sum(long), jnp.max(long), jnp.sum(long[2:9:3]), jnp.sum(long[4:7]) + first * second
    return *sums, jax.nn.softmax(three), jnp.asarray(NODES[:3], x.dtype) * x + three[:1]


def all_of_one(x):
    """A vector of equal values, a loop inside a branch, and a tuple in a tuple."""
    same = jnp.broadcast_to(x, (20,))
    branch = jnp.where(x > 0, jnp.sum(jnp.sqrt(jnp.asarray(NODES + 2) + x**2)), x)
    return Pair(jnp.sum(same) + jnp.max(same), (branch, jnp.sum(same[3:5])))


OWN = {
    "elementary": (elementary, "xy"),
    "gradient": (jax.grad(total, (0, 1)), "xy"),
    "second": (jax.grad(jax.grad(total), 1), "xy"),
    "valueAndGradient": (jax.value_and_grad(total), "xy"),
    "quadrature": (quadrature, "xs"),
    "quadratureGradient": (jax.grad(lambda x, s: sum(quadrature(x, s)), (0, 1)), "xs"),
    "arrays": (arrays, "xy"),
    "allOfOne": (all_of_one, "x"),
    "compiled": (jax.jit(jax.checkpoint(total)), "xy"),
}


def test_a_printed_function_is_the_python_function():
    own = Engine(runtime(), printed(OWN))
    for name, (fn, names) in OWN.items():
        assert disagreement(own, name, fn, *normals(len(names))) < 1e-12, name


UNARY = {
    name: getattr(jnp, name)
    for name in "exp expm1 log log1p sqrt cbrt abs sign floor ceil tanh sinh cosh arctan arcsinh "
    "isfinite isnan square reciprocal".split()
} | {"erf": erf, "erfc": erfc, "erfInv": jax.scipy.special.erfinv, "sigmoid": jax.nn.sigmoid}
BINARY = {
    "pow": jnp.power,
    "max": jnp.maximum,
    "min": jnp.minimum,
    "atan2": jnp.arctan2,
    "divide": jnp.divide,
    "remainder": jax.lax.rem,
    "clip": lambda x, y: jnp.clip(x, y, 2.0),
    "less": lambda x, y: (x < y) | (x == y) & (x != 1.0) ^ ~(y >= x),
    "where": lambda x, y: jnp.where(x <= y, x, y * x),
    "all": lambda x, y: jnp.all(jnp.stack([x, y, 1.0 - y]) < x + 2.0).astype(float),
}


def test_infinities_nan_and_zeros_are_those_of_python():
    both = {f"{n}1": (fn, "x") for n, fn in UNARY.items()}
    both |= {f"{n}2": (fn, "xy") for n, fn in BINARY.items()}
    engine = Engine(runtime(), printed(both))
    grid = [g.ravel() for g in np.meshgrid(EDGES, EDGES)]
    for name, fn in UNARY.items():
        assert disagreement(engine, f"{name}1", fn, np.array(EDGES)) < 1e-13, name
    for name, fn in BINARY.items():
        assert disagreement(engine, f"{name}2", fn, *grid) < 1e-13, name


# Random programs: any mixture of scalars, loops that need other loops, and branches.

STEPS = {
    "add": lambda a, b: (a + b) / 2,
    "sub": lambda a, b: a - (b - a) * 0.5,
    "mul": lambda a, b: a * b * 0.9,
    "div": lambda a, b: a / (1.5 + b * b),
    "neg": lambda a, b: -(-a - 1.0) - -b,
    "tanh": lambda a, b: jnp.tanh(a),
    "sine": lambda a, b: jnp.sin(2.0 * a - b),
    "where": lambda a, b: jnp.where((a < b) & ~(a > 0.5), b, a),
    "mean": lambda a, b: jnp.sum(a * jnp.asarray(WEIGHTS / 2)),
    "largest": lambda a, b: jnp.max(b - a * jnp.asarray(NODES)),
    "pair": lambda a, b: jnp.sum(jnp.concatenate([a[:3], b[-2:]]) * 0.3) + jnp.sum(a[2:20]) / 18,
}


@settings(deadline=None, derandomize=True, max_examples=10)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 40), st.integers(0, 40)),
        min_size=5,
        max_size=25,
    )
)
def test_random_programs(program):
    def fn(x, y):
        pool = [x, y, jnp.asarray(NODES) * x[None], jnp.asarray(NODES[::-1].copy())]
        for op, i, j in program:
            a, b = pool[i % len(pool)], pool[j % len(pool)]
            if op in ("mean", "largest", "pair"):
                a, b = (jnp.broadcast_to(v, NODES.shape) for v in (a, b))
            elif a.ndim != b.ndim:
                a, b = (v if v.ndim else v[None] for v in (a, b))
            pool.append(STEPS[op](a, b))
        return tuple(v if v.ndim == 0 else v[v.size // 2] for v in pool[-6:])

    points = np.random.default_rng(0).standard_normal((2, 20))
    assert disagreement(Engine(runtime(), printed({"fn": (fn, "xy")})), "fn", fn, *points) < 1e-9


# Functions of the package; the tests of the explorers cover more, with their gradients.


def log_uniform(rng, low, high):
    return np.exp(rng.uniform(np.log(low), np.log(high), POINTS))


def values(seed=1):
    """All arguments, over a range larger than that of the explorers."""
    rng = np.random.default_rng(seed)
    five = random_overlaps(jax.random.key(3), 5.0, (POINTS,))
    return dict(zip(Overlaps._fields, map(np.asarray, five), strict=True)) | {
        "t": normals(1, 5)[0] * 10.0 ** np.linspace(-8, 3, POINTS),
        "lam": log_uniform(rng, 1e-3, 1e2),
        "gamma": log_uniform(rng, 1e-2, 10),
        "d": np.rint(log_uniform(rng, 6, 1e6)),
        "L": np.rint(log_uniform(rng, 1, 1e3)),
    }


def excess(kappa, nu, theta, eta, rho, lam, gamma, d, L):
    task = Task(d=d, L=L, gamma=gamma, noise=0.1)
    return risk.excess_risk(Overlaps(kappa, nu, theta, eta, rho), lam, task)


OFF_M = [*Overlaps._fields, "lam", "gamma", "d", "L"]
PACKAGE = {
    "zetaGradient": (jax.value_and_grad(special.zeta, (0, 1)), ["t", "gamma"]),
    "meanErfcSquared": (jax.value_and_grad(special.mean_erfc_squared, (0, 1)), ["t", "gamma"]),
    "zetaZero": (jax.value_and_grad(special.zeta_zero), ["gamma"]),
    "excess": (jax.value_and_grad(excess, (0, 1, 2, 3, 4)), OFF_M),
}


def test_a_function_of_the_package_is_the_same_in_the_page():
    package, given = Engine(runtime(), printed(PACKAGE)), values()
    for name, (fn, names) in PACKAGE.items():
        assert disagreement(package, name, fn, *(given[n] for n in names)) < 1e-12, name


# Supported and unsupported operations.


def test_the_notice_travels():
    text = runtime()
    notice = text[text.index("/*!") : text.index("*/")]
    assert "Copyright (C) 1993 by Sun Microsystems, Inc." in notice
    assert "provided that this notice is preserved" in notice


def loop(x):
    return jax.lax.fori_loop(0, 3, lambda i, y: y * y, x)


REFUSED = {
    "scan": (loop, "the primitive scan"),
    "cond": (lambda x: jax.lax.cond(x > 0, jnp.sin, jnp.cos, x), "cond"),
    "argmax": (lambda x: jnp.argmax(jnp.stack([x, -x])), "argmax"),
    "sort": (lambda x: jnp.sort(jnp.stack([x, -x]))[0], "sort"),
    "digamma": (jax.scipy.special.digamma, "digamma"),
    "outer": (lambda x: jnp.sum(jnp.outer(x * NODES, x * NODES)), r"of shape \(32, 32\)"),
    "narrow": (lambda x: x.astype(jnp.float32), "type float32"),
}


def test_what_has_no_form_is_refused_by_name():
    for name, (fn, words) in REFUSED.items():
        told = f"{words}.* has no JavaScript form .in {name}F"
        with pytest.raises(NotImplementedError, match=told):
            printed({f"{name}F": (fn, ["x"])})
    for names, name in ((["var"], "f"), (["x"], "erf"), (["2x"], "f")):
        with pytest.raises(ValueError, match="names must be free in JavaScript, got"):
            printed({name: (jnp.sin, names)})


@pytest.mark.either_precision
def test_what_is_printed_is_in_float64_whatever_the_notebook_computes_in():
    third = np.linspace(0, 1, 4)[1]
    texts = []
    for wide in (False, True):
        with jax.enable_x64(wide):
            texts.append(printed({"f": (lambda x: jnp.sum(third * x * jnp.asarray(NODES)), ["x"])}))
            sine = printed({"f": (jnp.sin, ["x"])})
            assert sine == "function f(x){return Math.sin(x);}\n"
    assert texts[0] == texts[1] and repr(float(third)) in texts[0]
