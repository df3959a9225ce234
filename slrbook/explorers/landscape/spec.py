"""The landscape: the risk on M, and where descent converges from each point."""

from typing import ClassVar

from slrbook.explorers.of_descent import TOKENS, OnM, risk_on_m, task_of
from slrbook.explorers.parts import Control, Step, Why
from slrlib.dynamics.steps import manifold_angle_step
from slrlib.landscape import certified_step, saddle_rates
from slrlib.landscape.states import MANIFOLD_STATES, manifold_state


def step(phi, psi, lam, alpha, d, gamma):
    """Return the angles after one step of projected gradient descent on M."""
    return manifold_angle_step(phi, psi, lam, task_of(d, TOKENS, gamma), alpha)


def rates(lam, d, gamma):
    """Return the two curvatures at the saddle, and the certified step size."""
    task = task_of(d, TOKENS, gamma)
    return *saddle_rates(lam, task), certified_step(lam, task)


class Landscape(OnM):
    """The square of M with its risk, the arrows of descent and the line that divides the starts."""

    called = "the_landscape"
    question = "From which starts on M does descent miss the teacher?"
    note = (
        "M is the set of pairs (k, v) whose overlaps other than κ = k·k* and ν = v·v* are zero. "
        "Arrows show the direction of descent. "
        "(1, 1) and (−1, −1) are the teacher up to sign."
    )
    divides: ClassVar[bool] = True  # whether the dividing line is shown
    asks = (
        Step(
            "Descent starts at κ = 0.9, ν = −0.2: k is close to k*, but v points slightly "
            "away from v*. Where does it end?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}, because the start lies above the dividing line.",
            {"kappa0": 0.9, "nu0": -0.2},
            ("at (−1, −1)", "at neither corner", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "From κ = 0.6, ν = −0.39 descent reaches (1, 1). Where does it end from ν = −0.41?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}, because this start lies below the dividing line.",
            {"nu0": -0.41},
            ("at (−1, −1)", "at neither corner", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
    )
    why = Why(
        "The starts that converge to the saddle form one decreasing curve, the dividing line. "
        "Starts above it converge to (1, 1), starts below it to (−1, −1). Next, start on the line "
        "and then 10⁻⁶ beyond it.",
        "the dividing line",
        "pgd_convergence",
        "order-line",
    )
    scripts = ("view.js", "divide.js")
    functions = {"step": step, "risk": risk_on_m, "ending": manifold_state, "rates": rates}

    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    kappa0 = Control(0.6, -1.0, 1.0, sign="κ", words="at the start", step=0.01, place="more")
    nu0 = Control(-0.39, -1.0, 1.0, sign="ν", words="at the start", step=0.01, place="more")

    @classmethod
    def constants(cls):
        return {"states": MANIFOLD_STATES, "divides": cls.divides}


class FixedPoints(Landscape):
    """The same square without the dividing line, and where descent converges."""

    called = "the_fixed_points"
    question = "To which point does descent on M converge?"
    note = (
        "M is the set of pairs (k, v) whose overlaps other than κ = k·k* and ν = v·v* are zero. "
        "Arrows show the direction of descent. The five marked points are fixed points."
    )
    divides = False
    drawn_in = "fixed_points.json"
    asks = (
        Step(
            "Descent starts at the saddle, κ = ν = 0. Where is it after 20,000 steps?",
            "regime",
            "It does not move, because the gradient is zero at the saddle.",
            {"kappa0": 0, "nu0": 0},
            ("it has left", "it is still there"),
            values=("recovered the teacher", "at the saddle"),
        ),
        Step(
            "Now descent starts near the saddle, at κ = 0, ν = −0.01. Where does it end?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}, because the saddle repels all starts except those "
            "on one curve.",
            {"kappa0": 0, "nu0": -0.01},
            ("at (−1, −1)", "at the saddle", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "Where does descent end from κ = 0.3, ν = −0.9?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}, because it starts below that curve.",
            {"kappa0": 0.3, "nu0": -0.9},
            ("at (−1, −1)", "at neither corner", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
    )
    why = Why(
        "Descent on M has five fixed points: two minima, two maxima and the saddle. Only the "
        "minima attract descent, and both are the teacher up to sign. Next, drag the start across "
        "the middle and observe where the limit changes.",
        "the fixed points on M",
        "invariant_manifold",
        "paper-prop-10",
    )

    @classmethod
    def stem(cls):
        return "fixed_points"
