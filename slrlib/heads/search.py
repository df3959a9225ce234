"""Newton's descent of the exact risk of several heads, many starts side by side."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from slrlib.heads.risk import excess_risk_of, overlaps
from slrlib.sphere import project
from slrlib.task import Teacher

_BATCH, _STEPS, _ROUNDS, _REST = 50, 25, 24, 1e-11
_LEVEL = 1e-9  # a curvature that is negative by less than this times the largest is zero


def _normals(x):
    """The normals of the spheres at x (2, H, n), as rows."""
    n = x.shape[-1]
    own = jnp.repeat(jnp.eye(x.size // n, dtype=x.dtype), n, axis=1)
    return own * x.reshape(1, -1)


def _look(x, risk):
    """The risk, and its gradient and Hessian on the spheres as vector and matrix of all numbers."""

    def slope_of(y):
        value, slope = jax.value_and_grad(lambda y: risk(y.reshape(x.shape)))(y)
        return slope, (value, slope)

    bend, (value, slope) = jax.jacfwd(slope_of, has_aux=True)(x.reshape(-1))
    normals = _normals(x)
    tangent = jnp.eye(x.size, dtype=x.dtype) - normals.T @ normals
    turn = jnp.repeat(normals @ slope, x.shape[-1])
    return value, tangent @ slope, tangent @ (bend - jnp.diag(turn)) @ tangent


def _curvatures(x, bend):
    """The eigenvalues of the Hessian on the spheres only, the lowest first."""
    normals = _normals(x)
    above = 1 + bend.shape[0] * jnp.max(jnp.abs(bend))
    values = jnp.linalg.eigvalsh(bend + above * normals.T @ normals)
    return values[: -len(normals)]


@partial(jax.jit, static_argnames="shared_noise")
def _round(x, damping, targets, lam, task, shared_noise):
    """Some steps from each start, negative curvatures turned over; then what stands there."""

    def descend(x, damping, targets):
        def risk(y):
            o = overlaps(*y, Teacher(*targets))
            return excess_risk_of(o, lam, task, shared_noise=shared_noise)

        def step(i, state):
            new, x, value, slope, bend, damping = state
            new_value, new_slope, new_bend = _look(new, risk)
            rounding = 1e-14 * value  # risks this close cannot be told apart: the gradient decides
            shorter = jnp.linalg.norm(new_slope) < jnp.linalg.norm(slope)
            lower = (new_value < value - rounding) | ((new_value < value + rounding) & shorter)
            damping = jnp.clip(jnp.where(lower, damping / 4, damping * 4), 1e-10, 1e8)
            here = (new, new_value, new_slope, new_bend), (x, value, slope, bend)
            x, value, slope, bend = (jnp.where(lower, a, b) for a, b in zip(*here, strict=True))
            values, axes = jnp.linalg.eigh(bend)
            largest = jnp.max(jnp.abs(values))
            move = -axes @ ((axes.T @ slope) / (jnp.abs(values) + damping * largest))
            saddle = (jnp.linalg.norm(slope) < 1e-8) & (values[0] < -_LEVEL * largest)
            push = 0.05 * 0.3 ** (i % 4).astype(x.dtype)  # a saddle may be shallow: four lengths
            move = jnp.where(saddle, push * axes[:, 0], move)
            damping = jnp.where(saddle, 1e-2, damping)
            return project(x + move.reshape(x.shape)), x, value, slope, bend, damping

        size = x.size
        worst = jnp.full((), 1e300, x.dtype), jnp.ones(size, x.dtype), jnp.zeros((size, size))
        state = jax.lax.fori_loop(0, _STEPS, step, (x, x, *worst, damping))
        _, x, value, slope, bend, damping = state
        return x, damping, value, jnp.linalg.norm(slope), _curvatures(x, bend)

    return jax.vmap(descend)(x, damping, targets)


def minimised(x, targets, lam, task, shared_noise):
    """The ends of all starts x (count, 2, H, n), with their risk, slope and curvatures.

    After each round only those that still move go on, in batches of one size.
    """
    lam, task = jax.tree.map(jnp.asarray, (lam, task))
    damping, found = np.full(len(x), 1e-2), None
    x, todo = np.array(x), np.arange(len(x))
    for _ in range(_ROUNDS):
        for part in np.split(todo, range(_BATCH, len(todo), _BATCH)):
            rows = np.resize(part, _BATCH)
            new = _round(
                *map(jnp.asarray, (x[rows], damping[rows], targets[rows])),
                lam,
                task,
                shared_noise=shared_noise,
            )
            x[part], damping[part], *rest = (np.asarray(y)[: len(part)] for y in new)
            if found is None:
                found = [np.zeros((len(x), *y.shape[1:])) for y in rest]
            for all_of_them, y in zip(found, rest, strict=True):
                all_of_them[part] = y
        largest = np.max(np.abs(found[2]), axis=1)
        todo = np.flatnonzero((found[1] > _REST) | (found[2][:, 0] < -_LEVEL * largest))
        if not len(todo):
            break
    return x, *found
