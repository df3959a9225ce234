"""The Transformer layer in a plain and a fast form, its sequences and its alignments.

Three exact identities are used. The register is the same in every sequence, so each head scores the
tokens with one vector u. The readout is linear, so ``back`` is multiplied by it first, and the
product of the hidden units with ``back`` is never formed. Layer norm has no weights, so it is
computed outside the gradient.

The prediction is the register row, which does not change when tokens are permuted. Here the
informative tokens therefore always come first; predictions and gradients have the same
distribution.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task, Teacher

__all__ = ["predict", "predict_register", "random_layer", "random_register", "score_direction"]

ZERO = ("token", "register", "neither")


class Layer(NamedTuple):
    """The weights of a layer of H heads; additional leading axes hold several layers.

    Row i gives row j the score LN(T_i) register token^T LN(T_j) / sqrt(p): ``register`` acts on the
    row that attends, ``token`` on the row attended to. ``output`` None is the identity, which is
    not trained.

    Book: {eq}`eq-layer` (equation (29) of the paper).
    """

    token: jax.Array  # (H, d, p)
    register: jax.Array  # (H, d, p)
    value: jax.Array  # (H, d, p), or (1, d, d) if output is None
    output: jax.Array | None  # (H, p, d)
    hidden: jax.Array  # (d, width)
    hidden_bias: jax.Array  # (width,)
    back: jax.Array  # (width, d)
    back_bias: jax.Array  # (d,)
    readout: jax.Array  # (d,)


@checks.compiled(x=checks.vectors)
def layer_norm(x: ArrayLike) -> jax.Array:
    """Subtract the mean of each row and divide by its standard deviation; no gain, no bias.

    Book: {eq}`eq-layer-norm`.
    """
    x = jnp.asarray(x)
    centered = x - jnp.mean(x, axis=-1, keepdims=True)
    deviation = jnp.sqrt(jnp.mean(centered * centered, axis=-1, keepdims=True))
    return centered / (deviation + 1e-5)


def random_layer(
    d: int, p: int, width: int, heads: int = 1, *, key: jax.Array, zero: str = "token"
) -> Layer:
    """Sample the initial weights of a layer.

    Weights are Gaussian: a matrix from R^a to R^b has variance 2 / (a + b), the readout 1 / d^2.
    Biases are zero, and one matrix of the attention scores may be zero too.

    Parameters
    ----------
    d : int
        Dimension of the tokens.
    p : int
        Dimension of the scores of a head.
    width : int
        Number of hidden units.
    heads : int
        Number of heads H; one head has no output matrix.
    key : Array
        Random key.
    zero : str
        The matrix of the scores that starts at zero: "token", "register" or "neither".

    Returns
    -------
    Layer
        The matrices ``token`` and ``register`` (H, d, p), ``value``, ``output``, ``hidden``,
        ``back``, the biases, and the ``readout`` (d,).

    Examples
    --------
    >>> random_layer(8, 4, 6, key=jax.random.key(0)).hidden.shape
    (8, 6)

    Book: {eq}`eq-layer` (appendix E.3 of the paper).
    """
    d, p = checks.count("d", d), checks.count("p", p)
    width, heads = checks.count("width", width), checks.count("heads", heads)
    if zero not in ZERO:
        raise ValueError(f"zero must be 'token', 'register' or 'neither', got {checks.shown(zero)}")
    keys = iter(jax.random.split(checks.random_key(key), 6))

    def matrix(*shape, key=None):
        deviation = sqrt(2 / (shape[-2] + shape[-1]))
        return deviation * jax.random.normal(next(keys) if key is None else key, shape)

    one, other = matrix(heads, d, p), jnp.zeros((heads, d, p))
    if zero == "neither":
        other = matrix(heads, d, p, key=jax.random.fold_in(key, 7))
    return Layer(
        token=other if zero == "token" else one,
        register=one if zero == "token" else other,
        value=matrix(heads, d, d if heads == 1 else p),
        hidden=matrix(d, width),
        hidden_bias=jnp.zeros(width),
        back=matrix(width, d),
        back_bias=jnp.zeros(d),
        # The full matrix has p H rows: the p rows of each head, one head after the other.
        output=None if heads == 1 else matrix(heads * p, d).reshape(heads, p, d),
        readout=jax.random.normal(jax.random.fold_in(key, 6), (d,)) / d,
    )


def random_register(d: int, *, key: jax.Array) -> jax.Array:
    """Sample the register token, with entries of variance 1/d; it is not trained.

    Parameters
    ----------
    d : int
        Dimension of the tokens.
    key : Array
        Random key.

    Returns
    -------
    Array
        Shape (d,).

    Examples
    --------
    >>> random_register(8, key=jax.random.key(0)).shape
    (8,)

    Book: {eq}`eq-layer` (appendix E.3 of the paper).
    """
    key, d = checks.random_key(key), checks.count("d", d)
    return jax.random.normal(key, (d,)) / sqrt(d)


def _one_layer(name, layer):
    """Check a layer, which must have no additional leading axes."""
    if not isinstance(layer, Layer):
        raise ValueError(f"{name} must be a Layer, got {checks.shown(layer)}")
    if layer.readout.ndim != 1:
        raise ValueError(
            f"{name} must be one layer, with a readout of shape (d,), got {layer.readout.shape}"
        )
    return layer


of_tokens = checks.compiled(layer=_one_layer, register=checks.finite, X=checks.finite)


def fitting(layer: Layer, register: ArrayLike) -> jax.Array:
    """Return the register as an array; its dimension must be that of the layer."""
    d = layer.readout.shape[-1]
    register = jnp.asarray(checks.ends_in("register", register, (d,)))
    if register.ndim != 1:
        raise ValueError(f"register must have shape ({d},), got {register.shape}")
    return register


def below(register: jax.Array, X: jax.Array) -> jax.Array:
    """Return the L + 1 input rows: the register above the tokens."""
    top = jnp.broadcast_to(register, (*X.shape[:-2], 1, X.shape[-1]))
    return jnp.concatenate([top, X], axis=-2)


def through(layer: Layer, T: jax.Array, formed: int | None = None) -> jax.Array:
    """Compute the output rows for rows ``T`` of shape (..., L + 1, d), or the first ``formed``."""
    N = layer_norm(T)
    weights = attention(layer, N, formed)
    read = jnp.einsum("...hij,...jd,hdp->...hip", weights, N, layer.value)
    if layer.output is not None:
        read = jnp.einsum("...hip,hpd->...hid", read, layer.output)
    T = T[..., :formed, :] + jnp.sum(read, axis=-3)
    units = jax.nn.relu(T @ layer.hidden + as_rows(layer.hidden_bias, T))
    return T + units @ layer.back + as_rows(layer.back_bias, T)


def answered(layers: Sequence[Layer], register: jax.Array, X: jax.Array) -> jax.Array:
    """Apply all layers to all rows and read out the register row of the last layer.

    Book: {eq}`eq-layer`.
    """
    *lower, last = layers
    T = below(register, X)
    for layer in lower:
        T = through(layer, T)
    return through(last, T, 1)[..., 0, :] @ last.readout


@of_tokens
def predict(layer: Layer, register: ArrayLike, X: ArrayLike) -> jax.Array:
    """Predict the label of each sequence: the register row of the layer, times its readout.

    Parameters
    ----------
    layer : Layer
        The weights, for example from ``random_layer``.
    register : array_like
        The register token, of shape (d,).
    X : array_like
        Sequences, of shape (..., L, d).

    Returns
    -------
    Array
        The predictions, of shape (...).

    Examples
    --------
    >>> key = jax.random.key(0)
    >>> given = random_layer(8, 4, 6, key=key), random_register(8, key=key)
    >>> predict(*given, jnp.ones((3, 5, 8))).shape
    (3,)

    Book: {eq}`eq-layer` (appendix E.3 of the paper).
    """
    register = fitting(layer, register)
    return answered([layer], register, jnp.asarray(checks.ends_in("X", X, (None, len(register)))))


def as_rows(vector: jax.Array, rows: jax.Array) -> jax.Array:
    """Return ``vector`` with as many axes as ``rows``, as strict rank promotion requires."""
    return vector.reshape((1,) * (rows.ndim - 1) + vector.shape)


def attention(layer: Layer, N: jax.Array, formed: int | None = None) -> jax.Array:
    """Compute the attention (..., H, L + 1, L + 1) of each head, or its first ``formed`` rows.

    Row 0 is that of the register.
    """
    looks = jnp.einsum("...id,hdp->...hip", N[..., :formed, :], layer.register)
    shows = jnp.einsum("...jd,hdp->...hjp", N, layer.token)
    scores = jnp.einsum("...hip,...hjp->...hij", looks, shows) / sqrt(layer.token.shape[-1])
    return jax.nn.softmax(scores, axis=-1)


@checks.compiled(layer=_one_layer, register=checks.finite)
def score_direction(layer: Layer, register: ArrayLike) -> jax.Array:
    """Compute the vector u_h with which each head scores tokens: x has the score u_h.LN(x).

    Parameters
    ----------
    layer : Layer
        The weights, for example from ``random_layer``.
    register : array_like
        The register token, of shape (d,).

    Returns
    -------
    Array
        Shape (H, d): one vector for each head.

    Examples
    --------
    >>> from slrlib.transformer import random_layer, random_register
    >>> key = jax.random.key(0)
    >>> score_direction(random_layer(8, 4, 6, key=key), random_register(8, key=key)).shape
    (1, 8)

    Book: {eq}`eq-register-score`.
    """
    asked = jnp.einsum("d,hdp->hp", layer_norm(fitting(layer, register)), layer.register)
    return jnp.einsum("hdp,hp->hd", layer.token, asked) / sqrt(layer.token.shape[-1])


@of_tokens
def predict_register(layer: Layer, register: ArrayLike, X: ArrayLike) -> jax.Array:
    """Predict the label of each sequence from the register row alone; faster than ``predict``.

    Parameters
    ----------
    layer : Layer
        The weights, for example from ``random_layer``.
    register : array_like
        The register token, of shape (d,).
    X : array_like
        Sequences, of shape (..., L, d).

    Returns
    -------
    Array
        The predictions, of shape (...), equal to those of ``predict`` up to rounding.

    Examples
    --------
    >>> from slrlib.transformer import random_layer, random_register
    >>> key = jax.random.key(0)
    >>> given = random_layer(8, 4, 6, key=key), random_register(8, key=key)
    >>> predict_register(*given, jnp.ones((3, 5, 8))).shape
    (3,)

    Book: {eq}`eq-register-row`.
    """
    register = fitting(layer, register)
    X = jnp.asarray(checks.ends_in("X", X, (None, len(register))))
    return read(layer, register, layer_norm(X))[0]


def read(layer: Layer, register: jax.Array, Z: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Compute prediction, attention and hidden units for tokens that are already normalized."""
    own, u = layer_norm(register), score_direction(layer, register)
    # One matrix-vector product per head is faster than all heads at once.
    scores = jnp.stack([Z @ head for head in u], axis=-2)
    self_score = jnp.broadcast_to((u @ own)[:, None], (*scores.shape[:-1], 1))
    weights = jax.nn.softmax(jnp.concatenate([self_score, scores], axis=-1), axis=-1)
    row = as_rows(register, Z[..., 0, :])
    for head, value in enumerate(layer.value):
        to_self, to_tokens = weights[..., head, :1], weights[..., head, 1:]
        seen = jnp.einsum("...l,...ld->...d", to_tokens, Z) + to_self * as_rows(own, row)
        taken = seen @ value
        row = row + (taken if layer.output is None else taken @ layer.output[head])
    units = jax.nn.relu(row @ layer.hidden + as_rows(layer.hidden_bias, row))
    answer = row @ layer.readout + units @ (layer.back @ layer.readout)
    return answer + layer.back_bias @ layer.readout, weights, units


@contextlib.contextmanager
def single_precision() -> Iterator[None]:
    """Use float32, and random bits in the older and faster layout of the same generator."""
    with jax.enable_x64(False), jax.threefry_partitionable(False):
        yield


def draw(
    task: Task, teachers: Teacher, n: int, shared_noise: bool, key: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Sample tokens (n, L, d) and noiseless labels (n,); token i < m has row i of ``teachers``."""
    k_star, v_star = teachers
    (m, d), L = k_star.shape, int(task.L)
    key_others, key_own = jax.random.split(key)
    own = task.gamma * jax.random.normal(key_own, (n, 1 if shared_noise else m, d))
    informative = sqrt(task.d / 2) * k_star[None] + own
    others = jax.random.normal(key_others, (n, L - m, d))
    X = jnp.concatenate([informative, others], axis=1)
    return X, jnp.einsum("nmd,md->n", informative, v_star)


def _unit(vector):
    """Normalize a vector; a zero vector stays zero."""
    square = jnp.sum(vector * vector, axis=-1, keepdims=True)
    return vector * jax.lax.rsqrt(jnp.where(square > 0, square, 1.0))


@jax.jit
def key_direction(layer: Layer, register: ArrayLike) -> jax.Array:
    """Compute k of each head, of shape (H, d): the first left singular vector of token register^T.

    That product has rank one as long as only the register row is used and one of the two matrices
    started at zero. So k is u / |u|, up to its sign. It is zero before the first step.

    Book: {eq}`eq-layer-alignments` (appendix E.3 of the paper).
    """
    return _unit(score_direction(layer, register))


@jax.jit
def value_direction(layer: Layer, gate: ArrayLike = 1.0) -> jax.Array:
    """Compute v of each head, (H, d): the normalized gradient of the output in its value.

    With a ``gate`` of one every hidden unit is active, as in the paper. ``gate`` (width,) may also
    be the fraction of sequences that activate each unit.

    Book: {eq}`eq-layer-alignments` (appendix E.3 of the paper).
    """
    slope = layer.readout + layer.hidden @ (gate * (layer.back @ layer.readout))
    slope = slope[None] if layer.output is None else jnp.einsum("hpd,d->hp", layer.output, slope)
    return _unit(jnp.einsum("hdp,hp->hd", layer.value, slope))


@jax.jit
def rank_ratio(layer: Layer) -> jax.Array:
    """Compute the second singular value of token register^T over its first, for each head.

    The ratio of a zero product is zero.

    Book: {eq}`eq-layer-alignments` (a footnote of the paper, appendix E.3).
    """
    product = jnp.einsum("...dp,...ep->...de", layer.token, layer.register)
    sizes = jnp.linalg.svd(product, compute_uv=False)
    first = sizes[..., 0]
    return sizes[..., 1] / jnp.where(first > 0, first, 1.0)


@checks.compiled()
def alignment_caps(teacher: Teacher) -> tuple[jax.Array, ...]:
    """Compute the largest |k.k*| and |v.v*| of a k and a v orthogonal to the ones vector.

    They are the lengths of k* and v* without their means, which layer norm removes. Every k of a
    layer is orthogonal to the ones vector if its matrix at the tokens started at zero. For v the
    cap is not a bound: along the ones vector, v keeps its initial value.

    Book: {eq}`eq-risk-floor`.
    """
    means = (jnp.mean(direction, axis=-1) for direction in teacher)
    return tuple(jnp.sqrt(1.0 - teacher[0].shape[-1] * mean * mean) for mean in means)
