"""The laboratory in Python: what the page has run as arrays, and the same runs by slrlib."""

import jax
import numpy as np

from slrlib.dynamics import constant, held, inverse_decay, pgd, sgd
from slrlib.experiments.descent import DescentResult, result_of
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.risk import oracle_excess_risk
from slrlib.task import Task

ROWS = 100  # of a run, at most, and the start


def shown(rows: list, task: Task) -> DescentResult:
    """The rows of the page, each with its step, lam, the oracle's risk and six numbers a run."""
    step, lam, oracle, runs = (np.array(x) for x in zip(*rows, strict=True))
    *five, risks = np.moveaxis(runs.astype(float), -1, 0)
    return result_of(step, lam, Overlaps(*five), risks, oracle, task)


def computed(values: dict[str, float], seen: Overlaps | None) -> DescentResult:
    """The runs at these controls by slrlib; ``seen`` has the starts of the page in its first row.

    Else they start where the controls say, or are drawn by the seed, as the samples of SGD are.
    """
    task = Task(values["d"], values["L"], values["gamma"], values["noise"])
    steps, runs, batch = (int(values[name]) for name in ("steps", "runs", "batch"))
    key_start, key = jax.random.split(jax.random.key(int(values["seed"])))
    if seen is not None:
        starts = Overlaps(*(x[0] for x in seen))
    elif values["start"] == 2:
        starts = Overlaps(*(np.full(runs, values[f"{name}0"]) for name in Overlaps._fields))
    else:
        starts = random_overlaps(key_start, task.d, (runs,), on_manifold=values["start"] == 0)
    schedule = constant(values["lam0"])
    if values["decay"]:
        schedule = inverse_decay(values["lam0"], values["decay"])
    if values["decay"] and values["until"] < steps:
        schedule = held(schedule, values["until"])
    every = next(steps // parts for parts in range(ROWS, 0, -1) if steps % parts == 0)
    if batch:
        run = sgd(starts, task, schedule, values["alpha"], batch, steps, every, key=key)
    else:
        run = pgd(starts, task, schedule, values["alpha"], steps, every)
    lam = np.broadcast_to(schedule(np.asarray(run.step, float)), run.step.shape)
    step, risks, oracle = map(
        np.asarray, (run.step, run.excess_risk, oracle_excess_risk(lam, task))
    )
    return result_of(step, lam, Overlaps(*map(np.asarray, run.overlaps)), risks, oracle, task)
