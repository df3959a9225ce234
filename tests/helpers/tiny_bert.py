"""A random BERT of two narrow layers, written to a folder, and its states in plain NumPy."""

import json

import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = "[PAD] [UNK] [CLS] [SEP] the city is ugly gentle black horse very ##ly .".split()
WIDTH, INNER, HEADS, LAYERS, LONGEST, EPSILON = 12, 20, 3, 2, 16, 1e-12


def random_arrays(seed=0):
    """Names and arrays as in a published file, with layer norms far from the identity."""
    rng = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (LONGEST, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm": (WIDTH,),
    }
    for i in range(LAYERS):
        for name, shape in {
            "attention.self.query": (WIDTH, WIDTH),
            "attention.self.key": (WIDTH, WIDTH),
            "attention.self.value": (WIDTH, WIDTH),
            "attention.output.dense": (WIDTH, WIDTH),
            "attention.output.LayerNorm": (WIDTH,),
            "intermediate.dense": (INNER, WIDTH),
            "output.dense": (WIDTH, INNER),
            "output.LayerNorm": (WIDTH,),
        }.items():
            shapes[f"encoder.layer.{i}.{name}"] = shape
    arrays = {}
    for name, shape in shapes.items():
        if name.endswith(".weight"):
            arrays[name] = rng.normal(size=shape)
        else:
            arrays[f"{name}.weight"] = 1.0 * (len(shape) == 1) + 0.5 * rng.normal(size=shape)
            arrays[f"{name}.bias"] = 0.5 * rng.normal(size=shape[:1])
    return {name: np.ascontiguousarray(x, np.float32) for name, x in arrays.items()}


def write(folder, arrays, **changed):
    """The three files of a model, with some values of ``config.json`` changed."""
    from safetensors.numpy import save_file

    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "layer_norm_eps": EPSILON,
    }
    (folder / "config.json").write_text(json.dumps({**config, **changed}), "utf-8")
    save_file(arrays, folder / "model.safetensors")
    numbers = {word: i for i, word in enumerate(WORDS)}
    tokenizer = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(w, numbers[w]) for w in ("[CLS]", "[SEP]")]
    )
    tokenizer.enable_padding(length=LONGEST)  # as in published files; the encoder must ignore it
    tokenizer.enable_truncation(max_length=5)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def states(arrays, ids):
    """(layers + 1, T, D) of one sentence, token by token and head by head, in float64."""
    a = {name: x.astype(float) for name, x in arrays.items()}

    def dense(name, x):
        return a[f"{name}.weight"] @ x + a[f"{name}.bias"]

    def norm(name, x):
        scaled = (x - x.mean()) / np.sqrt(x.var() + EPSILON)
        return a[f"{name}.weight"] * scaled + a[f"{name}.bias"]

    embedded = [
        a["embeddings.word_embeddings.weight"][word]
        + a["embeddings.position_embeddings.weight"][place]
        + a["embeddings.token_type_embeddings.weight"][0]
        for place, word in enumerate(ids)
    ]
    found = [[norm("embeddings.LayerNorm", x) for x in embedded]]
    size = WIDTH // HEADS
    for i in range(LAYERS):
        here, before, after = f"encoder.layer.{i}.", found[-1], []
        for x in before:
            heads = []
            for part in (slice(h * size, (h + 1) * size) for h in range(HEADS)):
                query = dense(here + "attention.self.query", x)[part]
                keys = [dense(here + "attention.self.key", y)[part] for y in before]
                values = [dense(here + "attention.self.value", y)[part] for y in before]
                weights = np.exp([key @ query / np.sqrt(size) for key in keys])
                heads.append(weights / weights.sum() @ np.array(values))
            mixed = dense(here + "attention.output.dense", np.concatenate(heads))
            x = norm(here + "attention.output.LayerNorm", x + mixed)
            hidden = dense(here + "intermediate.dense", x)
            hidden = hidden * (1 + erf(hidden / np.sqrt(2))) / 2
            after.append(norm(here + "output.LayerNorm", x + dense(here + "output.dense", hidden)))
        found.append(after)
    return np.array(found)
