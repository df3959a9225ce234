"""Random starts: where descent ends for three kinds of attention, and the limit in d."""

import jax
import jax.numpy as jnp

from slrbook.explorers.base import Explorer
from slrbook.explorers.parts import Control, Step, Why, menu, spread
from slrlib.dynamics.steps import Pair, descend_along, overlaps_of_pair
from slrlib.experiments import random_starts as experiment
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk_gradient, linear_pair_excess_risk, two_token_softmax_excess_risk
from slrlib.task import Task

RUNS = 100
PAPER = experiment.RandomStarts("random-starts")  # sets the step size and the longest time
SOFT, ERF, LINEAR = range(3)  # indices into KINDS


def _softmax(o, lam, task):
    """Return the risk over two tokens; for lam < 1, fewer nodes are enough."""
    return two_token_softmax_excess_risk(o, lam, task, points=37)


SLOPES = (jax.grad(_softmax), excess_risk_gradient, jax.grad(linear_pair_excess_risk))


def step_of(kind):
    """Return a function: one step of descent on the frame of (k, v), at lam = a / sqrt(d/2)."""

    def step(kappa, eta, a, theta, nu, b, c, scale, d, gamma):
        pair, task = Pair(kappa, eta, a, theta, nu, b, c), Task(d=d, L=2, gamma=gamma, noise=0.0)
        o = Overlaps(*map(jnp.asarray, overlaps_of_pair(pair)))
        slope = SLOPES[kind](o, scale / jnp.sqrt(d / 2), task)
        return descend_along(pair, slope, PAPER.step / d)

    return step


def ending(kappa, nu, eta):
    """Return the outcome of a run, as an index into ``OUTCOMES``."""
    zero = 0.0 * kappa
    return experiment.outcome(Pair(kappa, eta, zero, zero, nu, zero, zero))


def flow(q0, q1, q2, q3, scale, gamma):
    """Return the four coordinates after one step of the limit flow on R^4."""
    return tuple(experiment.limit_step(jnp.stack([q0, q1, q2, q3]), scale, gamma))


def lean(first, second, slope):
    """Return the component of two coordinates along the growing direction at the flow's saddle."""
    m = (jnp.sqrt(slope**2 + 4) - slope) / 2
    return jnp.abs(m * first + second) / jnp.sqrt(m**2 + 1)


class RandomStarts(Explorer):
    """A hundred random starts, the course and end of each, and the prediction for large d."""

    question = "How often does descent from a random start recover the teacher?"
    note = (
        f"L = 2. Recovered: |k·k*|, |v·v*| > {experiment.ARRIVED}. Swapped: "
        f"|k·v*| > {experiment.ARRIVED}, |v·v*| < {experiment.SHORT}. Right: dots are "
        "starts; the axes are √(d/2) times the components of (κ, ν) and of (θ, η) = (v·k*, k·v*) "
        "in the direction that grows. Most starts below the dashed line recover the teacher."
    )
    python = """\
import numpy as np
from slrlib.experiments.random_starts import KINDS, RandomStarts

starts = RandomStarts(
    "my-starts", a={a}, gamma={gamma}, sizes=({d},), starts={runs}, together={runs}, seed={seed}
)
found = starts.part(KINDS.index("{name}"), 0)
undecided, teacher, swapped = np.bincount(found.end.astype(int), minlength=3).tolist()
predicted = int(np.sum(found.predicted == found.end))
print("of {runs} runs", teacher, "end at the teacher,", swapped, "swapped,", undecided, "undecided")
"""
    asks = (
        Step(
            "With erf attention about half of the starts recover the teacher. How many of these "
            "100 starts recover it with softmax attention?",
            "teacher",
            "{swapped} end swapped, because softmax weights are positive on average, so the "
            "gradient turns v toward v* from every start.",
            {"kind": SOFT},
            ("fewer than 30", "30 to 70", "more than 70"),
            cuts=(30, 71),
        ),
        Step(
            "How many of the same starts recover the teacher with linear attention?",
            "teacher",
            "The other {swapped} end swapped, because exchanging k and v does not change the "
            "output of linear attention.",
            {"kind": LINEAR},
            ("fewer than 30", "30 to 70", "more than 70"),
            cuts=(30, 71),
        ),
        Step(
            "In dimension 20, for how many of the starts does the limit d → ∞ predict the outcome "
            "of erf attention correctly?",
            "predicted",
            "It predicts {predicted} of 100 outcomes correctly, because the outcome is decided "
            "while all overlaps are small, and the limit is then already accurate.",
            {"d": 20},
            ("about half of them", "60 to 90", "more than 90"),
            cuts=(60, 91),
        ),
    )
    why = Why(
        "Near a random start all overlaps are small, and the risk of erf attention hardly changes "
        "when the roles of k* and v* are exchanged. Softmax has no such symmetry. Next, "
        "increase d and see the wrong predictions disappear.",
        "erf attention from random starts",
        "random_starts",
        "random-erf",
    )
    functions = {
        "softmaxStep": step_of(SOFT),
        "erfStep": step_of(ERF),
        "linearStep": step_of(LINEAR),
        "ending": ending,
        "flow": flow,
        "lean": lean,
    }

    kind = menu("attention", experiment.KINDS, ERF)
    a = Control(PAPER.a, 0.3, 1.2, sign="a", words="= λ √(d/2)", step=0.01)
    d = Control(320, 20, 2000, sign="d", words="dimension", log=True, whole=True)
    gamma = spread(PAPER.gamma)
    seed = Control(0, 0, 999_999, whole=True, place="hidden")

    @classmethod
    def constants(cls):
        return {
            "runs": RUNS,
            "step": PAPER.step,
            "longest": PAPER.longest,
            "flowSteps": int(experiment.LIMIT_TIME / experiment.LIMIT_STEP),
        }
