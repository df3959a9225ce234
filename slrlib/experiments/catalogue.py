"""All experiments under their names: the paper's, their variants, and what the book adds."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import Any

import numpy as np

from slrlib.dynamics import constant, inverse_decay
from slrlib.dynamics.schedules import held
from slrlib.experiments.base import Experiment
from slrlib.experiments.curves import ManifoldField, RiskByDimension
from slrlib.experiments.descent import Descent
from slrlib.experiments.draws import WordDraws
from slrlib.experiments.ends import Ends
from slrlib.experiments.heads import HeadsDescent
from slrlib.experiments.learners import Learners
from slrlib.experiments.lengths import TextLength
from slrlib.experiments.logistic import LogisticDescent
from slrlib.experiments.probes import ClsProbes
from slrlib.experiments.random_starts import RandomStarts
from slrlib.experiments.schedules import Schedules
from slrlib.experiments.series import AnomalySeries
from slrlib.experiments.stacked import StackedLayers
from slrlib.experiments.sweeps import Sweep
from slrlib.experiments.tables import ParameterTable, SentenceSets
from slrlib.experiments.tokens import AttentionHeads, TokenPlane, WordFlip
from slrlib.experiments.training import LayerTraining
from slrlib.task import Task

TASK = Task(d=400, L=10, gamma=0.5**0.5, noise=0.1)
SMALL = Task(d=80, L=10, gamma=0.5**0.5, noise=0.1)
SIZES = tuple(float(d) for d in np.round(np.geomspace(10, 10_000, 61)))
SLOW = held(inverse_decay(2.0, 1e-4), 25_000)
# Of Figure 4(a) the dimension and the first lam; the fate of a start is decided by this step.
FIRST_LAM = (("d", (50.0, 100.0, 200.0, 400.0, 800.0, 1600.0)),)
FIRST_LAM += (("lam0", (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)), ("rate", (1e-4,)))


class UnknownName(KeyError, ValueError):
    """No experiment has this name; the message lists similar names."""

    def __str__(self) -> str:
        return self.args[0]


class Named(dict[str, Experiment]):
    """Experiments by name; the error for another name suggests similar ones, or lists all."""

    def __missing__(self, name: str) -> Experiment:
        near = [n for n in self if isinstance(name, str) and name and n.startswith(name)]
        near = near or difflib.get_close_matches(str(name).lower(), self, n=5, cutoff=0.75)
        known = (
            f"an experiment (similar: {', '.join(near)})" if near else f"one of {', '.join(self)}"
        )
        raise UnknownName(f"name must be {known}, got {name!r}")


def named(*experiments: Experiment) -> Named:
    return Named((each.name, each) for each in experiments)


# The parameters of Figures 3 and 6 are not in the paper's text: these are ours.
#: The experiments of the paper by name, with its parameters.
PAPER = named(
    ClsProbes("fig1"),
    TokenPlane("fig2"),
    RiskByDimension("fig3", TASK, sizes=SIZES),
    Descent("fig4a", TASK, inverse_decay(1.0, 1e-4), alpha=4e-3, steps=120_000, log_every=300),
    Descent(
        "fig4b", TASK, constant(0.1), alpha=4e-3, steps=20_000, log_every=200, on_manifold=True
    ),
    Descent(
        "fig5", SMALL, inverse_decay(2.0, 1e-4), alpha=1e-3, steps=200_000, log_every=500, batch=5
    ),
    ManifoldField("fig6", TASK, lam=0.1),
    Descent("fig7a", TASK, constant(0.9), alpha=1e-3, steps=120_000, log_every=300),
    Descent("fig7b", TASK, constant(0.1), alpha=4e-3, steps=20_000, log_every=200),
    LayerTraining("fig8", SMALL, learning_rate=0.01, steps=8000),
    # The text's table suggests an increment of 1e-4 and independent noise of the informative
    # tokens; the curves of the figure go with 2e-4, and with shared noise.
    HeadsDescent(
        "fig9",
        SMALL,
        held(inverse_decay(2.0, 2e-4), 25_000),
        alpha=1e-3,
        steps=100_000,
        log_every=500,
    ),
    # The paper has 10 repetitions; 48 give the share of successes a useful interval.
    LayerTraining(
        "fig10", SMALL, learning_rate=0.02, steps=10_000, repetitions=48, heads=2, locations=2
    ),
    SentenceSets("table1"),
)
PAPER |= named(ParameterTable("table2", tuple(PAPER.values())))


def thousands(name: str, **changes: Any) -> Ends:
    """The ends of 4,000 runs in the setting of a figure of the paper, which has thirty."""
    shown = vars(PAPER[name])
    kept = "task", "schedule", "alpha", "steps", "on_manifold", "batch"
    return Ends(f"ends-{name}", log_every=2000, **{n: shown[n] for n in kept} | changes)


FALLING = thousands("fig4a", steps=40_000)

# "shared": the informative tokens of a sequence carry the same noise.
MORE = named(
    replace(PAPER["fig9"], name="fig9-shared", shared_noise=True),
    replace(PAPER["fig9"], name="fig9-slow", schedule=SLOW),
    replace(PAPER["fig9"], name="fig9-slow-shared", schedule=SLOW, shared_noise=True),
    # Uniform starts of two heads in the original task, on the exact risk.
    HeadsDescent(
        "two-heads",
        SMALL,
        held(inverse_decay(1.0, 5e-4), 4000),
        alpha=8e-3,
        steps=12_000,
        log_every=12_000,
        repetitions=4000,
        locations=1,
        batch=None,
    ),
    replace(PAPER["fig8"], name="fig8-register", zero="register"),
    replace(
        PAPER["fig8"],
        name="fig8-half",
        learning_rate=0.005,
        steps=16_000,
        log_every=500,
        early=(2000, 100),
    ),
    replace(PAPER["fig10"], name="fig10-shared", shared_noise=True),
    WordFlip("flip"),
    # Sentences unlike those that the pair was fitted to.
    WordFlip("flip-negation", pattern="My dog is {} cruel.", words=("not", "very")),
    WordFlip(
        "flip-ending", pattern="The film was long. The ending was {} good.", words=("not", "very")
    ),
    WordFlip(
        "flip-soup",
        pattern="The waiter was rude, but the soup was {}.",
        words=("great", "awful"),
    ),
    WordDraws("draws"),
    # A control task, and an encoder without training.
    WordDraws("draws-labels", control="labels", draws=5, layers=(0, 3, 5)),
    WordDraws("draws-weights", control="weights", draws=5, layers=(0, 3, 5)),
    AttentionHeads("heads"),
    TextLength("hidden"),
    Learners("learners", Task(d=40, L=2)),
    StackedLayers("stacked", Task(d=40, L=5)),
    StackedLayers(
        "stacked-many",
        Task(d=8, L=2),
        looks=(1000, 4000),
        layers=(2,),
        runs=4000,
        together=50,
        learning_rate=0.04,
        width=16,
        batch=16,
        test_points=8192,
    ),
    *map(thousands, ("fig7b", "fig4b", "fig4a", "fig7a")),
    thousands("fig5", steps=50_000),
    # Figure 4(a) with other first lam; and the unstable corner of `phases`, with alpha / 4.
    *(
        replace(FALLING, name=f"ends-{lam0:g}", schedule=inverse_decay(lam0, 1e-4))
        for lam0 in (2.0, 0.5, 0.1)
    ),
    replace(
        FALLING,
        name="ends-corner",
        task=replace(TASK, d=1600),
        schedule=inverse_decay(2.0, 1e-4),
        alpha=1e-3,
    ),
    # Two cells of the diagram below, asked where it stops and then on to the end of the way.
    *(
        replace(
            FALLING,
            name=f"ends-d{d}",
            task=replace(TASK, d=d),
            schedule=inverse_decay(lam0, 1e-4),
            steps=steps,
            log_every=40_000,
        )
        for d, lam0, steps in ((50, 2.0, 160_000), (1600, 0.5, 320_000))
    ),
    LogisticDescent("logistic", TASK),
    RandomStarts("random-starts"),
    AnomalySeries("series", Task(d=48, L=8)),
    Sweep("phases", FIRST_LAM, 40_000, 40_000, repetitions=4000, together=1),
    # Constant lam, as the theory of the two escapes assumes: four values at d = 400, and one value
    # in three dimensions, with steps below the edge of stability.
    Sweep("race", (("lam0", (0.1, 0.2, 0.3, 0.5)),), 8000, 8000, repetitions=8000, together=1),
    Sweep(
        "race-d",
        (("d", (50.0, 200.0, 800.0)), ("lam0", (0.8,)), ("alpha", (1e-3,))),
        40_000,
        40_000,
        repetitions=4000,
        together=1,
    ),
    Schedules("schedules", TASK),
)
#: All experiments by name: those of the paper and the variants of the book.
ALL = Named(PAPER | MORE)

# What takes minutes, or a model that is not everywhere, stands in results/.
STORED = [name for name, e in ALL.items() if e.needs_model or e.takes_minutes]
