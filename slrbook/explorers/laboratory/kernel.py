"""The laboratory in Python: what the page has run as arrays, and the same runs by slrlib."""

import numpy as np

from slrlib.dynamics import constant, held, inverse_decay
from slrlib.experiments import Descent
from slrlib.experiments.descent import DescentResult, result_of
from slrlib.overlaps import Overlaps
from slrlib.task import Task

ROWS = 100  # of a run, at most, and the start


def shown(rows: list, task: Task) -> DescentResult:
    """The rows of the page, each with its step, lam, the oracle's risk and six numbers a run."""
    step, lam, oracle, runs = (np.array(x) for x in zip(*rows, strict=True))
    *five, risks = np.moveaxis(runs.astype(float), -1, 0)
    return result_of(step, lam, Overlaps(*five), risks, oracle, task)


def experiment(values: dict[str, float], seen: Overlaps | None) -> Descent:
    """The runs at these controls as an experiment; the page draws the same starts from the seed.

    A start of one's own is the first row of what the page has ``seen``, where it has been turned
    into one that exists.
    """
    steps, runs, batch = (int(values[name]) for name in ("steps", "runs", "batch"))
    own = None
    if values["start"] == 2:
        own = Overlaps(*(values[f"{name}0"] for name in Overlaps._fields))
        own = own if seen is None else Overlaps(*(float(x[0, 0]) for x in seen))
    schedule = constant(values["lam0"])
    if values["decay"]:
        schedule = inverse_decay(values["lam0"], values["decay"])
    if values["decay"] and values["until"] < steps:
        schedule = held(schedule, values["until"])
    return Descent(
        "laboratory",
        Task(values["d"], values["L"], values["gamma"], values["noise"]),
        schedule,
        alpha=values["alpha"],
        steps=steps,
        log_every=next(steps // parts for parts in range(ROWS, 0, -1) if steps % parts == 0),
        repetitions=1 if own and not batch else runs,  # which would all be one
        on_manifold=values["start"] == 0,
        batch=batch or None,
        seed=int(values["seed"]),
        starts=own,
    )
