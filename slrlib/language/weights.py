"""The weights of a BERT encoder, read from ``config.json`` and ``model.safetensors``."""

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


class Shape(NamedTuple):
    """What the arrays do not tell: the numbers of layers and heads, and the layer-norm epsilon."""

    layers: int
    heads: int
    epsilon: float


def read_shape(folder: Path) -> Shape:
    """The ``Shape`` that ``config.json`` gives, if it is one of an encoder as computed here."""
    try:
        config = dict(json.loads((folder / "config.json").read_text("utf-8")))
    except (ValueError, TypeError) as broken:
        raise ValueError(f"config.json must be an object of JSON, got {broken}") from broken
    wanted = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for name, value in wanted.items():
        if config.get(name, value) != value:
            raise ValueError(f"config.json must have {name} {value!r}, got {config[name]!r}")
    counts = "num_hidden_layers", "num_attention_heads"
    for name in (*counts, "layer_norm_eps"):
        if name not in config:
            raise ValueError(f"config.json must give {name}")
    layers, heads = (checks.count(name, config[name]) for name in counts)
    return Shape(layers, heads, float(checks.positive("layer_norm_eps", config["layer_norm_eps"])))


def opened(file: Path) -> Any:
    """The file of weights, opened by safetensors."""
    reader = needed("safetensors")
    try:
        return reader.safe_open(file, framework="numpy")
    except reader.SafetensorError as broken:
        raise ValueError(
            f"{file} must be a whole file of safetensors, got {broken}: please fetch it again"
        ) from broken


def read_weights(folder: Path, shape: Shape, sha256: str | None = None) -> Weights:
    """The ``Weights`` in ``folder``; if a ``sha256`` is given, the file must have it."""
    file, layers = folder / "model.safetensors", shape.layers
    if sha256 is not None:
        check_hash(file, sha256)
    with opened(file) as found:
        stored = {_plain_name(name): name for name in found.keys()}

        def tensor(name):
            if name not in stored:
                raise ValueError(
                    f"model.safetensors must hold a BERT encoder of {layers} layers, but has no "
                    f"{name}"
                )
            return found.get_tensor(stored[name]).astype(np.float32)

        def norm(name):
            return Dense(tensor(f"{name}.weight"), tensor(f"{name}.bias"))

        def stacked(name):
            names = [f"encoder.layer.{i}.{name}" for i in range(layers)]
            weight = np.stack([tensor(f"{each}.weight").T for each in names])  # .T: for x @ weight
            bias = np.stack([tensor(f"{each}.bias") for each in names])
            return Dense(jnp.asarray(weight), jnp.asarray(bias))

        weights = Weights(
            word=tensor("embeddings.word_embeddings.weight"),
            position=tensor("embeddings.position_embeddings.weight"),
            segment=tensor("embeddings.token_type_embeddings.weight")[0],
            embedding_norm=norm("embeddings.LayerNorm"),
            blocks=Block(**{name: stacked(its_name) for name, its_name in _BLOCK.items()}),
        )
    check_shapes(weights, shape)
    return jax.tree.map(jnp.asarray, weights)


def check_shapes(weights: Weights, shape: Shape) -> None:
    """Refuse arrays that do not make one encoder, or that its heads do not divide."""
    size = weights.word.shape[-1]
    if size % shape.heads:
        raise ValueError(
            f"config.json must have num_attention_heads that divide the size {size} of the states, "
            f"got {shape.heads}"
        )
    for name in ("query", "key", "value", "output"):
        its = getattr(weights.blocks, name).weight.shape[1:]
        if its != (size, size):
            raise ValueError(
                f"model.safetensors must hold {name} of shape {(size,) * 2}, got {its}"
            )


def _plain_name(name):
    """One name for each array: no prefix ``bert.``, and layer norms with weight and bias.

    The checkpoints that were first published call the two arrays of a layer norm gamma and beta.
    """
    name = name.removeprefix("bert.")
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
    return name.replace("LayerNorm.beta", "LayerNorm.bias")
