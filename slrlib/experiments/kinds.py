"""What an experiment is: a few numbers that never change, from which its data follow."""

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass

import numpy as np

from slrlib.dynamics import InverseDecay
from slrlib.task import Task


def _plain(value):
    """``value`` as plain JSON."""
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple):
        return [_plain(x) for x in value]
    if callable(value):
        return repr(value)  # a schedule of one's own: runs, but is not recognised another day
    return np.asarray(value).tolist() if hasattr(value, "dtype") else value


@dataclass(frozen=True)
class Experiment:
    """A name and a task; each kind below adds its own numbers.

    Change one with ``dataclasses.replace(PAPER["fig4a"], repetitions=1000)``.
    """

    name: str
    task: Task

    def described(self):
        """Its kind and all its numbers as plain JSON, the name aside."""
        numbers = _plain(self)
        del numbers["name"]
        return {"kind": type(self).__name__, **numbers}

    def fingerprint(self):
        """Eight letters that change with any of its numbers."""
        text = json.dumps(self.described(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Descent(Experiment):
    """Runs of PGD, or of online SGD if ``batch`` is given, from ``repetitions`` random starts."""

    schedule: InverseDecay
    alpha: float
    steps: int
    log_every: int
    repetitions: int = 30
    on_manifold: bool = False
    batch: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Comparison(Experiment):
    """Risks of the oracle and of the best linear predictor at several dimensions ``sizes``."""

    sizes: tuple


@dataclass(frozen=True)
class Field(Experiment):
    """The risk on M and its descent, on a square grid of (kappa, nu)."""

    lam: float
    points: int = 61


@dataclass(frozen=True)
class LayerTraining(Experiment):
    """``repetitions`` runs of SGD, number ``first`` and on, whatever others there are.

    A row is kept every ``log_every`` steps, and in the beginning, up to step ``early[0]``, every
    ``early[1]``. ``head_size`` None stands for d / heads.
    """

    learning_rate: float
    steps: int
    log_every: int = 250
    early: tuple = (1000, 50)
    repetitions: int = 20
    first: int = 0
    heads: int = 1
    locations: int = 1
    head_size: int | None = None
    width: int = 200
    zero: str = "token"
    batch: int = 128
    shared_noise: bool = False
    test_points: int = 8192
    seed: int = 0
