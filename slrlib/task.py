"""The task: one of L tokens determines the label. Tasks, teachers and samples.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks, sphere
from slrlib.overlaps import Floating
from slrlib.sphere import in_a_row

__all__ = [
    "Task",
    "Teacher",
    "random_teacher",
    "sample",
]


_NARROW = 1e-15  # least gamma, whose square does not underflow in single precision


@checks.tree
@dataclass(frozen=True)
class Task:
    """The parameters of single-location regression.

    The informative token, at a random location, is sqrt(d/2) k* + gamma G; the other tokens are
    standard normal vectors of R^d, as is G. The label Y is the component of the informative token
    along v*, plus noise. The parameters are the leaves of a pytree, so each of them can be traced,
    batched by ``vmap`` or differentiated.

    Parameters
    ----------
    d : int or array_like
        Dimension of a token, >= 2.
    L : int or array_like
        Number of tokens, >= 1.
    gamma : array_like
        Standard deviation > 0 of each coordinate of the informative token around its mean.
    noise : array_like
        Standard deviation >= 0 of the label noise (epsilon in the paper).
    p : array_like or None
        Probabilities of the location, of shape (L,), with sum 1; None for a uniform location.

    Examples
    --------
    >>> round(Task(d=400, L=10).signal, 4)
    14.1421

    Book: {eq}`eq-slr` and {eq}`eq-slr-law` (section 2 of the paper).
    """

    d: Floating
    L: Floating
    gamma: Floating = 0.5**0.5
    noise: Floating = 0.1
    p: Floating | None = None

    def __post_init__(self) -> None:
        checked = {
            "d": checks.whole("d", self.d, at_least=2),
            "L": checks.whole("L", self.L, at_least=1),
            "gamma": checks.positive("gamma", self.gamma, at_least=_NARROW),
            "noise": checks.nonnegative("noise", self.noise),
            "p": None if self.p is None else _probabilities(self.p, self.L),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def signal(self) -> jax.Array | Any:
        """Length sqrt(d/2) of the mean of the informative token."""
        return math.sqrt(self.d / 2.0) if isinstance(self.d, float) else jnp.sqrt(self.d / 2.0)

    @property
    def probabilities(self) -> jax.Array | Any:
        """Probabilities of the location, of shape (L,); L cannot be traced if ``p`` is None."""
        if self.p is not None:
            return self.p
        return jnp.full(L := checks.count("task.L", self.L), 1.0 / L)


def _probabilities(p, L):
    """Check that ``p`` holds L probabilities, and convert them to floating numbers."""
    tokens = int(L) if isinstance(L, int | float) else None
    number = checks.ends_in("p", checks.nonnegative("p", p), (tokens,))
    if not checks.is_traced(p):
        total = np.sum(np.asarray(p, np.float64), axis=-1)
        if np.any(np.abs(total - 1.0) > 1e-6):
            raise ValueError(f"p must sum to one, got a sum of {checks.shown(total)}")
    return number


@checks.tree
@dataclass(frozen=True)
class Teacher:
    """The hidden orthonormal directions (k*, v*) of a task.

    k* marks the informative token, and the label is its component along v*. A teacher unpacks as
    the tuple (k_star, v_star).

    Parameters
    ----------
    k_star : array_like
        Unit vectors k*, of shape (..., d).
    v_star : array_like
        Unit vectors v* orthogonal to k*, of shape (..., d).

    Examples
    --------
    >>> k_star, v_star = Teacher([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    >>> k_star.shape
    (3,)

    Book: {prf:ref}`Assumption 1 of the paper <paper-ass-1>`.
    """

    k_star: jax.Array | Any
    v_star: jax.Array | Any

    def __post_init__(self) -> None:
        checks.orthonormal(self.k_star, self.v_star)
        for name, value in (("k_star", self.k_star), ("v_star", self.v_star)):
            if not hasattr(value, "shape"):  # lists, which JAX would take for trees
                object.__setattr__(self, name, np.asarray(value, float))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: int) -> jax.Array | Any:
        return (self.k_star, self.v_star)[i]


class Sample(NamedTuple):
    """A sample of n sequences of tokens with their labels.

    Parameters
    ----------
    X : jax.Array
        Tokens, of shape (n, L, d).
    y : jax.Array
        Labels, of shape (n,).
    location : jax.Array
        Locations of the informative tokens, from 0 to L - 1, of shape (n,).
    """

    X: jax.Array
    y: jax.Array
    location: jax.Array


@checks.compiled(static=("d", "shape"), d=partial(checks.count, at_least=2), shape=checks.shape)
def random_teacher(d: float, shape: tuple[int, ...] = (), *, key: jax.Array) -> Teacher:
    """Sample uniform teachers: orthonormal pairs (k*, v*) of R^d.

    Parameters
    ----------
    d : int
        Dimension, >= 2.
    shape : tuple of int
        Shape of the batch.
    key : jax.Array
        Random key.

    Returns
    -------
    Teacher
        k_star and v_star, each of shape ``(*shape, d)``.

    Examples
    --------
    >>> random_teacher(400, (3,), key=jax.random.key(0)).k_star.shape
    (3, 400)

    Book: {prf:ref}`Assumption 1 of the paper <paper-ass-1>`.
    """
    # One loop samples both, because sampling takes most of the compile time.
    drawn = jax.vmap(lambda key: sphere.uniform(d, shape, key=key))
    k_star, v_star = drawn(jax.random.split(key))
    for _ in range(2):  # the second pass removes the rounding error of the first
        v_star = sphere.project(sphere.tangent(k_star, v_star))
    return Teacher(k_star, v_star)


def sizes(task: Task, n: int, dimension: int) -> tuple[int, int, int]:
    """Check the sizes n, L, d of the arrays to sample; they cannot be traced."""
    checks.task(task, d=dimension)
    return checks.count("n", n), checks.count("task.L", task.L), checks.count("task.d", task.d, 2)


def sample(task: Task, teacher: Teacher, n: int, *, key: jax.Array) -> Sample:
    """Sample ``n`` sequences with their labels and the locations of the informative tokens.

    Parameters
    ----------
    task : Task
        The task; d and L cannot be traced.
    teacher : Teacher
        One teacher (k*, v*), of shapes (d,).
    n : int
        Number of sequences.
    key : jax.Array
        Random key.

    Returns
    -------
    Sample
        Tokens X of shape (n, L, d), labels y of shape (n,) and locations of shape (n,).

    Examples
    --------
    >>> key = jax.random.key(0)
    >>> sample(Task(d=20, L=6), random_teacher(20, key=key), 100, key=key).X.shape
    (100, 6, 20)

    Book: {eq}`eq-slr` and {eq}`eq-slr-law` (section 2 of the paper).
    """
    k_star, v_star = checks.teacher(teacher, axes=("d",))
    shape = sizes(task, n, k_star.shape[-1])
    key = checks.random_key(key)
    X, y, location = draw(task, k_star[None, :], v_star[None, :], key, shape, False)
    return Sample(X, y, location[:, 0])


@partial(jax.jit, static_argnames=("shape", "shared_noise"))
def draw(
    task: Task,
    k_star: jax.Array,
    v_star: jax.Array,
    key: jax.Array,
    shape: tuple[int, int, int],
    shared_noise: bool,
) -> Sample:
    """Sample with one informative token for each of the m teachers; ``shape`` is (n, L, d).

    ``k_star`` and ``v_star`` have shape (m, d). The label is the sum of the components of the m
    informative tokens, each along its v*; with ``shared_noise`` these tokens have the same noise.
    """
    (n, L, d), m = shape, k_star.shape[0]
    checks.room(n * L * d, n=n, L=L, d=d)
    key_place, key_token, key_own, key_label = jax.random.split(key, 4)
    log_p = jnp.zeros(L) if task.p is None else jnp.log(task.p)
    race = log_p[None, :] + in_a_row(jax.random.gumbel, key_place, (n, L))
    location = jax.lax.top_k(race, m)[1]  # the m largest: distinct locations with probabilities p
    own = in_a_row(jax.random.normal, key_own, (n, 1 if shared_noise else m, d))
    informative = task.signal * k_star[None, :, :] + task.gamma * own
    others = in_a_row(jax.random.normal, key_token, (n, L, d))
    X = others.at[jnp.arange(n)[:, None], location].set(informative)
    label_noise = task.noise * jax.random.normal(key_label, (n,))
    y = jnp.einsum("nmd,md->n", informative, v_star) + label_noise
    return Sample(X, y, location)
