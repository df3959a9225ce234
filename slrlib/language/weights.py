"""The weights of a BERT encoder, read from ``config.json`` and ``model.safetensors``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks
from slrlib.language.extra import needed
from slrlib.language.folders import check_hash


class Dense(NamedTuple):
    """x -> x @ weight + bias, or the scale and the shift of a layer norm."""

    weight: jax.Array
    bias: jax.Array


class Block(NamedTuple):
    """One layer; every array has a leading axis over the layers of the encoder."""

    query: Dense
    key: Dense
    value: Dense
    output: Dense
    attention_norm: Dense
    up: Dense
    down: Dense
    block_norm: Dense


class Weights(NamedTuple):
    """A whole encoder in float32; matrices are stored ready for ``x @ weight``."""

    word: jax.Array
    position: jax.Array
    segment: jax.Array
    embedding_norm: Dense
    blocks: Block


_BLOCK = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "block_norm": "output.LayerNorm",
}
_COUNTS = "hidden_layers", "attention_heads"


class Shape(NamedTuple):
    """The numbers that the arrays do not determine: layers, heads, and the layer-norm epsilon."""

    layers: int
    heads: int
    epsilon: float


def read_config(folder: Path) -> dict[str, Any]:
    """Read ``config.json``; refuse an encoder of another kind."""
    try:
        config = dict(json.loads((folder / "config.json").read_text("utf-8")))
    except (ValueError, TypeError) as broken:
        raise ValueError(f"config.json must be an object of JSON, got {broken}") from broken
    wanted = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    expect(config, **wanted)
    for name in ("num_hidden_layers", "num_attention_heads", "layer_norm_eps"):
        if name not in config:
            raise ValueError(f"config.json must give {name}")
    return config


def expect(config: dict[str, Any], **wanted: Any) -> None:
    """Refuse a config with other values; a missing entry may be anything."""
    for name, value in wanted.items():
        if config.get(name, value) != value:
            raise ValueError(f"config.json must have {name} {value!r}, got {config[name]!r}")


def shape_of(config: dict[str, Any]) -> Shape:
    """The ``Shape`` that a config gives."""
    layers, heads = (checks.count(f"num_{n}", config[f"num_{n}"]) for n in _COUNTS)
    return Shape(layers, heads, float(checks.positive("layer_norm_eps", config["layer_norm_eps"])))


def opened(file: Path) -> Any:
    """Open the file of weights with safetensors."""
    reader = needed("safetensors")
    try:
        return reader.safe_open(file, framework="numpy")
    except reader.SafetensorError as broken:
        raise ValueError(
            f"{file} must be a whole file of safetensors, got {broken}: please fetch it again"
        ) from broken


def read_weights(folder: Path, config: dict[str, Any], sha256: str | None = None) -> Weights:
    """Read the ``Weights`` in ``folder``; if a ``sha256`` is given, the file must have it.

    Each array must have the shape that the others and ``config`` imply.
    """
    file, layers = folder / "model.safetensors", shape_of(config).layers
    if sha256 is not None:
        check_hash(file, sha256)
    with opened(file) as found:
        stored = {_plain_name(name): name for name in found.keys()}

        def tensor(name, *wanted):
            if name not in stored:
                raise ValueError(
                    f"model.safetensors must hold a BERT encoder of {layers} layers, but has no "
                    f"{name}"
                )
            array = found.get_tensor(stored[name])
            fits = [n in (None, got) for n, got in zip(wanted, array.shape, strict=False)]
            if array.ndim != len(wanted) or not all(fits):
                asked = str(wanted).replace("None", "any")
                raise ValueError(
                    f"model.safetensors must hold {name} of shape {asked}, got {array.shape}"
                )
            return array.astype(np.float32)

        def dense(name, *wanted):
            return Dense(tensor(f"{name}.weight", *wanted).T, tensor(f"{name}.bias", wanted[0]))

        def stacked(name, *wanted):
            each = [dense(f"encoder.layer.{i}.{name}", *wanted) for i in range(layers)]
            return jax.tree.map(lambda *arrays: jnp.asarray(np.stack(arrays)), *each)

        word = tensor("embeddings.word_embeddings.weight", None, None)
        size = word.shape[1]
        inner = len(tensor("encoder.layer.0.intermediate.dense.bias", None))
        sizes = {"up": (inner, size), "down": (size, inner)}
        sizes |= dict.fromkeys(("attention_norm", "block_norm"), (size,))
        position = tensor("embeddings.position_embeddings.weight", None, size)
        segment = tensor("embeddings.token_type_embeddings.weight", None, size)
        expect(
            config,
            hidden_size=size,
            vocab_size=len(word),
            max_position_embeddings=len(position),
            type_vocab_size=len(segment),
            intermediate_size=inner,
            num_hidden_layers=len({name.split(".")[2] for name in stored if _of_layer(name)}),
        )
        if size % (heads := shape_of(config).heads):
            raise ValueError(
                f"config.json must have num_attention_heads that divide the size {size} of the "
                f"states, got {heads}"
            )
        weights = Weights(
            word=word,
            position=position,
            segment=segment[0],
            embedding_norm=dense("embeddings.LayerNorm", size),
            blocks=Block(
                **{
                    name: stacked(its, *sizes.get(name, (size, size)))
                    for name, its in _BLOCK.items()
                }
            ),
        )
    return jax.tree.map(jnp.asarray, weights)


def random_weights(weights: Weights, *, key: jax.Array) -> Weights:
    """Draw weights of the same shapes as BERT draws them before any training.

    Parameters
    ----------
    weights : Weights
        Those of a model, of which only the shapes are used.
    key : jax.Array
        Random key.

    Returns
    -------
    Weights
        Matrices and embeddings with independent N(0, 0.02^2) entries, biases of zero, and layer
        norms that neither scale nor shift.

    Examples
    --------
    >>> first = random_weights(load().weights, key=jax.random.key(0))
    """
    flat, tree = jax.tree_util.tree_flatten_with_path(weights)
    drawn = []
    for (path, array), its in zip(flat, jax.random.split(key, len(flat)), strict=True):
        name = jax.tree_util.keystr(path)
        if name.endswith(".bias"):
            drawn.append(jnp.zeros_like(array))
        elif "norm" in name:
            drawn.append(jnp.ones_like(array))
        else:
            drawn.append(0.02 * jax.random.normal(its, array.shape, array.dtype))
    return jax.tree_util.tree_unflatten(tree, drawn)


def _of_layer(name):
    return name.startswith("encoder.layer.")


def _plain_name(name):
    """One name for each array: no prefix ``bert.``, and layer norms with weight and bias.

    The checkpoints that were first published call the two arrays of a layer norm gamma and beta.
    """
    name = name.removeprefix("bert.")
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
    return name.replace("LayerNorm.beta", "LayerNorm.bias")
