"""See M: does a run converge to it or leave it? One run in two linked panels."""

import jax.numpy as jnp

from slrbook.explorers.of_descent import RUN, OfDescent, ending, slide, step
from slrbook.explorers.parts import Control, Step, Why
from slrlib.landscape.states import LARGE, LOCKED, MANIFOLD_STATES, SMALL, STATES, manifold_state
from slrlib.overlaps import Overlaps, rest_of_gram, to_frame


def room(kappa, nu, theta, eta, rho):
    """Return a number that is nonnegative if unit vectors k, v with these overlaps exist.

    Book: {eq}`eq-gram`.
    """
    k_rest, v_rest, both = rest_of_gram((kappa, nu, theta, eta, rho))
    return jnp.minimum(jnp.minimum(k_rest, v_rest), k_rest * v_rest - both**2)


def placed(kappa, nu, theta, eta, rho):
    """Return the frame of a pair with these overlaps.

    Book: {eq}`eq-frame`.
    """
    k, v = to_frame(Overlaps(kappa, nu, theta, eta, rho))
    return k[0], k[1], k[2], v[0], v[1], v[2], v[3]


def _part(sign, at):
    words = "fraction of the distance"
    return Control(at, -1.0, 1.0, sign=sign, words=words, step=0.05, place="more")


class SeeM(OfDescent):
    """One run from a start at a chosen distance from M, in a chosen direction."""

    question = "Does a run that starts near M return to M?"
    note = (
        "On M the overlaps θ = v·k*, η = k·v* and ρ = k·v are zero; the distance from M is "
        "√(θ² + η² + ρ²). ★ lowest risk, ✕ saddle, ■ highest; arrows: descent on M. "
        f"Recovered: |κ|, |ν| > {LOCKED}. Swapped: |η| > {LARGE}, |ν| < {SMALL}."
    )
    python = RUN + 'print("at most", result.distance.max(), "off M")\n'
    asks = (
        Step(
            "From distance 0.03 this run converges to M. Now it starts three times farther away, "
            "in the same direction. Where does it end?",
            "end",
            "Its distance from M grows to {distance}, because θ and η are now larger than κ and ν.",
            {"far": 0.09},
            ("at the teacher", "swapped"),
            values=("recovered the teacher", "swapped"),
        ),
        Step(
            "The distance is the same, but only ρ differs from zero: k and v overlap with each "
            "other, not with each other’s target. Where does the run end?",
            "end",
            "Its distance from M is at most {most}, and {distance} at the end, because ρ alone "
            "does not turn k toward v*.",
            {"far": 0.09, "theta0": 0, "eta0": 0, "rho0": 1},
            ("at the teacher", "swapped"),
            values=("recovered the teacher", "swapped"),
        ),
        Step(
            "Now λ = 1.5, and the run starts near the teacher, κ = ν = 0.98, at distance 0.0001 "
            "from M. How far from M does it end?",
            "distance",
            "At the end its distance from M is {distance} and its state is “{end}”, because for λ "
            "above 0.89 the teacher is not a local minimum.",
            {"lam": 1.5, "alpha": 4e-4, "far": 1e-4, "kappa0": 0.98, "nu0": 0.98},
            ("below 0.01", "above 0.01"),
            cuts=(0.01,),
        ),
    )
    why = Why(
        "Near the saddle, θ and η grow at the same time as κ and ν; the overlaps that grow faster "
        "decide where the run ends. Near the teacher M attracts runs if λ is below 0.89, so a run "
        "that recovers the teacher converges to M. Next, find the distance at which the run swaps.",
        "when the teacher is a minimum",
        "lambda_must_fall",
        "pair-minimum",
    )
    functions = {
        "room": room,
        "placed": placed,
        "step": step,
        "slide": slide,
        "ending": ending,
        "endingOnM": manifold_state,
    }

    lam = Control(0.1, 0.02, 2.0, sign="λ", words="inverse temperature", log=True)
    far = Control(0.03, 1e-6, 1.0, words="distance from M at the start", log=True)
    theta0 = _part("θ", 1.0)
    eta0 = _part("η", 1.0)
    rho0 = _part("ρ", 0.0)
    kappa0 = Control(0.05, -1.0, 1.0, sign="κ", words="at the start", step=0.01, place="more")
    nu0 = Control(0.03, -1.0, 1.0, sign="ν", words="at the start", step=0.01, place="more")

    @classmethod
    def constants(cls):
        return {"states": STATES, "onM": MANIFOLD_STATES}
