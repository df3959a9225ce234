"""What the explorer "two heads" cannot compute in a blink: minima found, and random draws.

``python -m slrbook.explorers.two_heads.table`` makes the table again, in a few minutes.
"""

import functools
import json
from pathlib import Path

import jax
import numpy as np

import slrlib.heads
from slrlib import sphere
from slrlib.task import Task

FILE = Path(__file__).with_name("table.json")
TASK = Task(d=80, L=10, gamma=0.5**0.5, noise=0.0)  # Figure 9 of the paper
DRAWS, KEPT, STARTS = 3, 3, 200
SEED = 9
COUNT = DRAWS + 2 * KEPT


def coordinates(gram):
    """k_1, k_2, v_1, v_2 in 8 coordinates, of which the first four are along k1*, k2*, v1*, v2*."""
    along = gram[4:, :4]
    values, axes = np.linalg.eigh(gram[4:, 4:] - along @ along.T)
    return np.concatenate([along, axes * np.sqrt(np.maximum(values, 0.0))], axis=1)


def outside(heads):
    """What the discs do not show: the part of each k beside the k*, and of each v beside the v*."""
    return np.concatenate([heads[:2, 2:], np.delete(heads[2:], [2, 3], axis=1)])


def drawn(key):
    """Directions of two heads as at a random start: uniform on the sphere of R^80."""
    heads = np.asarray(sphere.uniform(int(TASK.d), (4,), key=key))
    gram = np.eye(8)
    gram[4:, :4] = heads[:, :4]
    gram[4:, 4:] = heads @ heads.T
    return coordinates(gram)


def discs(heads):
    """The eight overlaps that the discs show."""
    return np.concatenate([heads[:2, :2].ravel(), heads[2:, 2:4].ravel()])


def shared(rest):
    """The cosine of what both k have beside the k*."""
    one, other = rest[:2]
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


@functools.cache
def stored() -> dict:
    """``rests``: 24 numbers a draw, then a minimum; ``minima``: lam, risk, ``shared``, the discs.

    Rests and discs are in thousandths.
    """
    return json.loads(FILE.read_text("utf-8"))


def make(key) -> dict:
    draws = [drawn(k) for k in jax.random.split(key, DRAWS)]
    rests, minima = [outside(heads) for heads in draws], []
    for lam in (1 / 3, slrlib.heads.best_lam(TASK, 2)[0]):
        found = slrlib.heads.minima(lam, TASK, 2, starts=STARTS, key=key)
        for risk, gram in list(zip(found.excess_risk, found.gram, strict=True))[:KEPT]:
            heads = coordinates(gram)
            rests.append(outside(heads))
            numbers = [round(float(x), 4) for x in (lam, risk, shared(rests[-1]))]
            minima.append([*numbers, *_thousandths(discs(heads))])
    return {"rests": [_thousandths(rest) for rest in rests], "minima": minima}


def _thousandths(numbers):
    return [round(1000 * float(x)) for x in numbers.ravel()]


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    FILE.write_text(json.dumps(make(jax.random.key(SEED)), separators=(",", ":")) + "\n", "utf-8")
