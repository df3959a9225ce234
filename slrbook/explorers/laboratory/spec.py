"""The laboratory: the paper's runs of descent, at any parameters, with counts of their outcomes."""

import jax.numpy as jnp

from slrbook.explorers.laboratory.asks import ASKS, WHY
from slrbook.explorers.laboratory.presets import NOISE, PRESETS
from slrbook.explorers.lam_map.spec import determinant
from slrbook.explorers.of_descent import OfDescent, ending, risk, step, task_of
from slrbook.explorers.parts import Control, menu, toggle
from slrlib.dynamics.steps import against, framed
from slrlib.experiments import PAPER
from slrlib.landscape.states import STATES
from slrlib.landscape.swapped import minimizer_determinant, minimizer_entries

MOST = 1_000_000  # steps
SHOWS = ("excess risk", "overlaps", "distance to M", "schedule of λ")  # in the right panel


def turned(kappa, eta, a, theta, nu, b, c, k0, k1, k2, k3, k4, v0, v1, v2, v3, v4, v5, alpha):
    """Return the frame after a gradient step on six axes, of which the first four are the frame's.

    Book: {eq}`eq-sgd-chain`.
    """
    zero = jnp.zeros_like(kappa)
    k = against((kappa, eta, a, zero, zero, zero), (k0, k1, k2, k3, k4, zero), alpha)
    v = against((theta, nu, b, c, zero, zero), (v0, v1, v2, v3, v4, v5), alpha)
    return tuple(framed(k, v))


def stability(lam, d, L, gamma):
    """Return a number in [-1, 1] that is positive where (k*, v*) is a minimum.

    Book: {eq}`eq-transverse` (not in the paper).
    """
    task = task_of(d, L, gamma)
    a, b, c = minimizer_entries(lam, task)
    return minimizer_determinant(lam, task) / (a * c + b**2)


def _overlap(sign, at):
    return Control(at, -1.0, 1.0, sign=sign, words="at your start", step=0.01, place="more")


class Laboratory(OfDescent):
    """Many runs of PGD or SGD: their risk, their overlaps, their distance to M, and their ends.

    A ``preset`` such as "fig4a" sets the controls; controls that are given override it.
    """

    called = "the_laboratory"
    question = "How many runs recover the teacher?"
    note = (
        "The right panel has one line for each outcome at the last step, with a band for 95% of "
        "its runs. ★: recovered; ◆: swapped (k and v exchange roles). “More” offers other "
        "quantities, SGD, the schedule of λ and 95% intervals. Presets named “Figure” are "
        "experiments of the paper."
    )
    asks, why = ASKS, WHY
    scripts = ("view.js", "ends.js", "schedule.js", "engine.js", "job.js", "export.js")
    functions = {
        "step": step,
        "turned": turned,
        "risk": risk,
        "ending": ending,
        "stability": stability,
        "determinant": determinant,
    }

    lam0 = Control(0.1, 0.005, 5.0, sign="λ", words="at the start", log=True)
    alpha = Control(4e-3, 1e-4, 1.0, sign="α", words="step size", log=True, place="more")
    d = Control(400, 6, 1e6, sign="d", words="dimension", log=True, whole=True)
    batch = Control(0, 0, 50, words="batch; 0: exact gradient (PGD)", whole=True, place="more")
    at = Control(100, 0, 100, words="step shown, % of all steps", whole=True, place="more")
    start = menu("start", ("on M", "on the spheres", "your start"), 1, "more")
    steps = Control(20_000, 100, MOST, words="steps", log=True, whole=True, place="more")
    runs = Control(30, 1, 100, words="runs", whole=True, place="more")
    decay = Control(0.0, 0.0, 1e-3, words="decay: λ / (1 + decay × step)", step=1e-5, place="more")
    until = Control(
        MOST, 1000, MOST, words="λ constant from step", step=1000, whole=True, place="more"
    )
    noise = Control(NOISE, 0.0, 2.0, sign="ε", words="label noise of SGD", step=0.05, place="more")
    kappa0 = _overlap("κ", 0.05)
    nu0 = _overlap("ν", 0.03)
    theta0 = _overlap("θ", 0.05)
    eta0 = _overlap("η", 0.08)
    rho0 = _overlap("ρ", 0.0)
    seed = Control(0, 0, 999_999, words="seed", whole=True, kind="number", place="more")
    shown = menu("right panel", SHOWS, place="more")
    details = toggle("95% intervals and risks in the sentence", place="more")

    def __init__(self, preset: str | None = None, **controls):
        if preset is not None and preset not in PRESETS:
            raise ValueError(f"preset must be one of {', '.join(PRESETS)}, got {preset!r}")
        super().__init__(**{**(PRESETS[preset][1] if preset else {}), **controls})

    @classmethod
    def constants(cls):
        return {
            "states": STATES,
            "shows": SHOWS,
            "most": MOST,
            "presets": [[*preset, name in PAPER and name] for name, preset in PRESETS.items()],
        }


def link(preset: str) -> str:
    """Return the part of a preset's address that follows ``laboratory.html``."""
    setting = PRESETS[preset][1]
    known = {name: setting.get(name, c.paper) for name, c in Laboratory.controls().items()}
    new = [f"{name}={x:.15g}" for name, x in known.items() if x != getattr(Laboratory, name).paper]
    return f"#laboratory:{'&'.join(new)}"
