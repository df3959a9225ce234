"""A stored table of the excess risk of the exact Bayes predictor, from Monte Carlo.

``log_overlap`` determines nearly all of the risk. The rest, the logarithm of the risk over
``(L - 1) B^2 / sqrt(d)``, varies so slowly that it can be interpolated in a coarse table.
``python -m slrbook.explorers.who_is_optimal.table`` recomputes the table in a few minutes.
"""

import functools
import json
from pathlib import Path

import jax
import numpy as np

from slrlib.risk.bayes import bayes_log_excess_risk, log_overlap
from slrlib.task import Task

FILE = Path(__file__).with_name("table.json")
DIMENSIONS = (10, 20, 50, 200, 1000)
TOKENS = (2, 3, 5, 10, 20)
GAMMAS = (0.5, 0.6, 0.5**0.5, 0.85, 1.0, 1.25, 1.6, 2.0, 2.5)
SAMPLES = 20_000
UNIT = 0.05  # the values are stored as whole multiples of it


@functools.partial(jax.jit, static_argnames=("L", "samples"))
def remainder(d, gamma, key, *, L, samples):
    """Return (log(risk sqrt(d) / ((L - 1) B^2)), its standard error) at arrays of d and gamma."""

    def one(d, gamma, key):
        task = Task(d=d, L=L, gamma=gamma)
        value, error = bayes_log_excess_risk(task, samples=samples, key=key)
        return value - log_overlap(task) - np.log(L - 1.0) + 0.5 * jax.numpy.log(d), error

    return jax.lax.map(lambda point: one(*point), (d, gamma, jax.random.split(key, len(d))))


@functools.cache
def stored() -> dict:
    """Return the axes ``d``, ``L``, ``gamma``, the ``values`` in ``unit``s, and their ``error``."""
    return json.loads(FILE.read_text("utf-8"))


def make() -> dict:
    d, gamma = (x.ravel() for x in np.meshgrid(np.array(DIMENSIONS, float), GAMMAS, indexing="ij"))
    keys = jax.random.split(jax.random.key(1), len(TOKENS))
    found = [
        remainder(d, gamma, key, L=float(L), samples=SAMPLES)
        for L, key in zip(TOKENS, keys, strict=True)
    ]
    shape = (len(TOKENS), len(DIMENSIONS), len(GAMMAS))
    values = np.stack([value for value, _ in found]).reshape(shape).transpose(1, 0, 2)
    return {
        "d": DIMENSIONS,
        "L": TOKENS,
        "gamma": [round(gamma, 6) for gamma in GAMMAS],
        "values": [round(float(value) / UNIT) for value in values.ravel()],
        "unit": UNIT,
        "error": round(float(max(error.max() for _, error in found)) + UNIT / 2, 3),
    }


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    FILE.write_text(json.dumps(make(), separators=(",", ":")) + "\n", "utf-8")
