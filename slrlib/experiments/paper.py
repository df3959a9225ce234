"""The figures of the paper, each with the paper's parameters, and how to run one."""

import numpy as np

from slrlib.dynamics import constant, inverse_decay
from slrlib.experiments.curves import chart, compare
from slrlib.experiments.descent import descend
from slrlib.experiments.kinds import Comparison, Descent, Field
from slrlib.task import Task

_TASK = Task(d=400, L=10, gamma=0.5**0.5, noise=0.1)
_SIZES = tuple(float(d) for d in np.round(np.geomspace(10, 10_000, 61)))

# The parameters of Figures 3 and 6 are not in the paper's text: these are ours.
PAPER = {
    "fig3": Comparison("fig3", _TASK, sizes=_SIZES),
    "fig4a": Descent(
        "fig4a", _TASK, inverse_decay(1.0, 1e-4), alpha=4e-3, steps=120_000, log_every=300
    ),
    "fig4b": Descent(
        "fig4b", _TASK, constant(0.1), alpha=4e-3, steps=20_000, log_every=200, on_manifold=True
    ),
    "fig5": Descent(
        "fig5",
        Task(d=80, L=10, gamma=0.5**0.5, noise=0.1),
        inverse_decay(2.0, 1e-4),
        alpha=1e-3,
        steps=200_000,
        log_every=500,
        batch=5,
    ),
    "fig6": Field("fig6", _TASK, lam=0.1),
    "fig7a": Descent("fig7a", _TASK, constant(0.9), alpha=1e-3, steps=120_000, log_every=300),
    "fig7b": Descent("fig7b", _TASK, constant(0.1), alpha=4e-3, steps=20_000, log_every=200),
}


def run(experiment, *, folder=None, progress=False):
    """The data of ``experiment``, for ``slrlib.plot`` to draw: ``Descended``, ``Compared``, ...

    Runs of descent are kept in ``folder``, if given, after each of about twenty chunks: a second
    call reads them or goes on from there. ``progress`` shows a bar.
    """
    if isinstance(experiment, Descent):
        return descend(experiment, folder, progress)
    if isinstance(experiment, Comparison):
        return compare(experiment)
    if isinstance(experiment, Field):
        return chart(experiment)
    raise ValueError(f"experiment must be one such as PAPER['fig4a'], got {experiment!r}")
