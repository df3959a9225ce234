"""The sharpness of the risk at a layer, which limits the stable step sizes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from slrlib.transformer.fast import read
from slrlib.transformer.sequences import single_precision
from slrlib.transformer.start import Training
from slrlib.transformer.training import each, held_out


def sharpness(state: Training) -> np.ndarray:
    """Compute the largest eigenvalue of the Hessian of the risk in all weights, for each run.

    The risk is that on the test sequences of the runs, without label noise, which does not change
    its Hessian. Gradient descent is stable up to a learning rate of 2 over this number.

    Parameters
    ----------
    state : Training
        R runs, from ``start_training`` or ``advance_training``.

    Returns
    -------
    ndarray
        Shape (R,).

    Book: {eq}`eq-sharpness`.
    """
    with single_precision():
        return np.array([_largest(one) for one in each(state)])


@jax.jit
def _tested(one):
    return held_out((one.register, one.teachers, one.keys), one)


@jax.jit
def _curved(layer, direction, register, Z, y):
    """The Hessian times ``direction``, which holds all weights in one row."""

    def slope(flat):
        def risk(layer):
            return jnp.mean((read(layer, register, Z)[0] - y) ** 2)

        return ravel_pytree(jax.grad(risk)(shaped(flat)))[0]

    flat, shaped = ravel_pytree(layer)
    return jax.jvp(slope, (flat,), (direction,))[1]


def _largest(one):
    from scipy.sparse.linalg import LinearOperator, eigsh  # slow to import, and only this asks

    given = (one.register, *_tested(one))
    size = sum(x.size for x in jax.tree.leaves(one.layer))

    def product(v):
        return np.asarray(_curved(one.layer, v.astype(np.float32), *given), float)

    # SciPy makes one of another class here, with other arguments than ``__init__`` has.
    hessian = LinearOperator((size, size), matvec=product, dtype=np.float64)  # type: ignore[reportCallIssue]
    start = np.random.default_rng(0).normal(size=size)
    few = {"k": 1, "ncv": 6, "tol": 1e-3}  # it stands well apart: a few products find it
    return eigsh(hessian, which="LA", v0=start, return_eigenvectors=False, **few)[0]
