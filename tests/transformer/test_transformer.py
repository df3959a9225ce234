"""The layer: computed by hand, plain compared with fast including gradients, its alignments."""

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from layers import attend, gated_value_direction, register_weights
from scipy.special import softmax

from slrlib.task import random_teacher
from slrlib.transformer import (
    predict,
    predict_register,
    random_layer,
    random_register,
    score_direction,
)
from slrlib.transformer.layer import (
    Layer,
    alignment_caps,
    below,
    key_direction,
    layer_norm,
    rank_ratio,
    through,
    value_direction,
)

D, L, N, WIDTH = 12, 5, 7, 9
KEY = jax.random.key(0)
KINDS = [(1, "token"), (2, None)]


@cache
def drawn(heads=1, zero=None):
    """A layer, a register and tokens; no bias is zero, and with ``zero`` None no entry is."""
    layer = random_layer(D, D // heads, WIDTH, heads, zero=zero or "token", key=KEY)
    register = random_register(D, key=jax.random.fold_in(KEY, 1))
    rng, layer = np.random.default_rng(0), jax.device_get(layer)
    X = rng.normal(size=(N, L, D)) + 0.3
    if zero is None:
        layer = layer._replace(token=rng.normal(size=(heads, D, 3)))
        layer = layer._replace(register=layer.register[..., :3])
    moved = jax.tree.map(lambda w: w + 0.3 * rng.normal(size=w.shape), layer)
    moved = moved._replace(token=layer.token, register=layer.register)
    return jax.device_put((moved, register, X))


def by_hand(layer, register, X):
    """Equation (29) for one sequence, with loops over rows and heads, in NumPy."""
    w = Layer(*(None if x is None else np.asarray(x) for x in layer))
    T = np.vstack([register, X])
    Z = (T - T.mean(1, keepdims=True)) / (T.std(1, keepdims=True) + 1e-5)
    rows = []
    for i in range(len(T)):
        row = T[i].copy()
        for h in range(len(w.token)):
            scores = [Z[i] @ w.register[h] @ w.token[h].T @ Z[j] for j in range(len(T))]
            e = np.exp(np.array(scores) / np.sqrt(w.token.shape[-1]))
            read = (e / e.sum()) @ Z @ w.value[h]
            row += read if w.output is None else read @ w.output[h]
        rows.append(row + np.maximum(row @ w.hidden + w.hidden_bias, 0) @ w.back + w.back_bias)
    return np.array(rows)


@pytest.mark.parametrize("heads, zero", KINDS)
def test_the_plain_layer_is_equation_29(heads, zero):
    layer, register, X = drawn(heads, zero)
    out = jax.jit(lambda layer, register, X: through(layer, below(register, X)))(layer, register, X)
    assert out.shape == (N, L + 1, D)
    np.testing.assert_allclose(out[3], by_hand(layer, register, X[3]), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(predict(layer, register, X), out[:, 0] @ layer.readout, rtol=1e-12)


@partial(jax.jit, static_argnames="f")
def graded(f, layer, register, X):
    """The loss of the predictor ``f`` and its gradients in the layer and the register."""

    def loss(layer, register):
        return jnp.mean((f(layer, register, X) - jnp.arange(N) / N) ** 2)

    return jax.value_and_grad(loss, (0, 1))(layer, register)


@pytest.mark.parametrize("heads, zero", KINDS)
def test_fast_is_plain_in_loss_and_in_every_gradient(heads, zero):
    layer, register, X = drawn(heads, zero)
    (a, da), (b, db) = (
        jax.device_get(graded(f, layer, register, X)) for f in (predict, predict_register)
    )
    assert abs(a / b - 1) < 1e-12
    for x, z in zip(jax.tree.leaves(da), jax.tree.leaves(db), strict=True):
        assert np.max(np.abs(x - z)) <= 1e-10 * np.max(np.abs(x))
    moving = [np.any(np.asarray(x) != 0) for x in jax.tree.leaves(da)]
    # A random matrix multiplied by a zero one has no gradient yet; all other parameters have one.
    assert len(moving) - sum(moving) == (zero is not None)


@pytest.mark.parametrize("heads", [1, 2])
def test_its_register_row_attends_as_a_cls_token(heads):
    layer, register, X = drawn(heads)
    weights = register_weights(layer, register, X)
    assert weights.shape == (N, heads, L + 1)
    np.testing.assert_allclose(weights, attend(layer, register, X)[..., 0, :], rtol=1e-10)
    rows = np.asarray(layer_norm(below(register, X)))
    for h in range(heads):
        looks, shows = rows[0, 0] @ layer.register[h], rows @ layer.token[h]
        by_hand = softmax(shows @ looks / np.sqrt(len(looks)), axis=-1)
        np.testing.assert_allclose(weights[:, h], by_hand, rtol=1e-10)


@pytest.mark.parametrize("heads", [1, 2])
def test_first_weights_have_the_stated_variances(heads):
    d, p, width = 80, 80 // heads, 200
    layer = random_layer(d, p, width, heads, key=KEY)
    wanted = {"register": 2 / (d + p), "hidden": 2 / (d + width), "back": 2 / (d + width)}
    wanted |= {"readout": 1 / d**2, "value": 2 / (d + p)} | ({"output": 1 / d} if heads > 1 else {})
    for name, variance in wanted.items():
        w = np.asarray(getattr(layer, name))
        z = (np.mean(w**2) / variance - 1) / np.sqrt(2 / w.size)
        assert abs(z) < 4, (name, z)
    assert not np.any(layer.token) and not np.any(layer.hidden_bias) and not np.any(layer.back_bias)
    assert layer.output is None or layer.output.shape == (heads, p, d)
    other = random_layer(d, p, width, heads, zero="register", key=KEY)
    assert np.any(other.token) and not np.any(other.register)
    both = random_layer(d, p, width, heads, zero="neither", key=KEY)
    pair = np.stack([np.ravel(both.token), np.ravel(both.register)])
    assert np.all(abs(np.mean(pair**2, axis=1) * (d + p) / 2 - 1) < 4 * np.sqrt(2 / pair[0].size))
    assert abs(np.corrcoef(pair)[0, 1]) < 4 / np.sqrt(pair[0].size)
    c = np.asarray(random_register(4000, key=KEY))
    assert abs(np.sum(c * c) - 1) < 4 * np.sqrt(2 / 4000)


def test_k_is_the_first_singular_vector_of_a_product_of_rank_one():
    layer, register, _ = drawn(2)
    u = score_direction(layer, register)
    own = layer_norm(register)
    # token = u own^T register' / ...: rank one by construction, as in training
    layer = layer._replace(register=jnp.einsum("d,hp->hdp", own, layer.register[:, 0]))
    assert np.all(rank_ratio(layer) < 1e-14)
    for h in range(2):
        left = np.linalg.svd(layer.token[h] @ layer.register[h].T)[0][:, 0]
        k = key_direction(layer, register)[h]
        assert abs(left @ k) == pytest.approx(1, abs=1e-12)
    assert u.shape == (2, D)
    still, register, _ = drawn(2, "register")
    assert np.all(key_direction(still, register) == 0) and np.all(rank_ratio(still) == 0)


def test_caps_are_the_lengths_off_the_ones_vector():
    teacher = random_teacher(D, (4,), key=KEY)
    off = np.eye(D) - np.ones((D, D)) / D
    for cap, x in zip(alignment_caps(teacher), teacher, strict=True):
        np.testing.assert_allclose(cap, np.linalg.norm(x @ off, axis=-1), rtol=1e-12)


@pytest.mark.parametrize("heads", [1, 2])
def test_v_is_how_the_seen_token_moves_the_output(heads):
    layer, register, X = drawn(heads, "token")
    own = layer_norm(register)

    def mean_output(shift):
        """The mean prediction when the input of head h is shifted by ``shift``[h]."""
        Z = layer_norm(X)
        row = register[None, :]
        for h in range(heads):
            seen = (jnp.sum(Z, axis=1) + own[None, :]) / (L + 1) + shift[h][None, :]
            read = seen @ layer.value[h]
            row = row + (read if layer.output is None else read @ layer.output[h])
        units = jax.nn.relu(row @ layer.hidden + layer.hidden_bias[None, :])
        return jnp.mean((row + units @ layer.back) @ layer.readout)

    slope = np.asarray(jax.jit(jax.grad(mean_output))(np.zeros((heads, D))))
    slope = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    np.testing.assert_allclose(gated_value_direction(layer, register, X), slope, atol=1e-12)
    plain = jax.device_get(layer)
    through = np.eye(D) + plain.hidden @ plain.back
    for h in range(heads):
        out = np.eye(D) if plain.output is None else plain.output[h]
        v = plain.value[h] @ out @ through @ plain.readout
        v = v / np.linalg.norm(v)
        np.testing.assert_allclose(value_direction(layer)[h], v, atol=1e-12)
