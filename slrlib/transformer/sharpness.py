"""How steep the valley is in which a layer lies: what decides which step sizes are stable."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from scipy.sparse.linalg import LinearOperator, eigsh

from slrlib.transformer.fast import _read
from slrlib.transformer.sequences import single_precision
from slrlib.transformer.training import _held_out


def sharpness(state):
    """Largest eigenvalue of the Hessian of the risk in all weights, for each run of ``state``.

    Measured on the test sequences of the runs, without label noise, which has no part in its mean.

    Book: {eq}`eq-sharpness`.
    """
    with single_precision():
        return np.array([_largest(state, r) for r in range(len(state.keys))])


@jax.jit
def _curved(layer, direction, register, Z, y):
    """The Hessian times ``direction``."""

    def risk(layer):
        return jnp.mean((_read(layer, register, Z)[0] - y) ** 2)

    return jax.jvp(jax.grad(risk), (layer,), (direction,))[1]


def _largest(state, r):
    layer, *run = jax.tree.map(
        lambda x: x[r], (state.layer, state.register, state.teachers, state.keys)
    )
    given = (run[0], *_held_out(run, state))
    flat, shaped = ravel_pytree(layer)

    def product(v):
        return ravel_pytree(_curved(layer, shaped(jnp.asarray(v, flat.dtype)), *given))[0]

    hessian = LinearOperator((flat.size, flat.size), matvec=product, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=flat.size)
    few = {"k": 1, "ncv": 6, "tol": 1e-3}  # it stands well apart: a few products find it
    return eigsh(hessian, which="LA", v0=start, return_eigenvectors=False, **few)[0]
