"""Two heads: why do heads not separate? The exact risk of two heads on two locations."""

from slrbook.explorers.base import Explorer
from slrbook.explorers.listed import with_controls
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control
from slrbook.explorers.two_heads import table
from slrlib.heads.risk import Overlaps, excess_risk_of
from slrlib.task import Task

GAMMA, D, L = 0.5**0.5, 80.0, 10.0  # Figure 9 of the paper
PRODUCTS = 22  # inner products of the two heads with the targets and with each other


def overlaps(*q) -> Overlaps:
    """The 22 numbers in the order of the page; directions of length one, orthonormal targets."""
    rows = tuple(zip(q[:20:2], q[1:20:2], strict=True))
    kk_star, kv_star, vk_star, vv_star, kv = (rows[i : i + 2] for i in range(0, 10, 2))
    kk, vv = (((1.0, x), (x, 1.0)) for x in q[20:])
    apart = ((1.0, 0.0), (0.0, 1.0))
    return Overlaps(kk_star, kv_star, vk_star, vv_star, kk, kv, vv, apart)


def risk(lam, L, *q):
    """The excess risk of two heads at these products, with the task of Figure 9."""
    return excess_risk_of(overlaps(*q), lam, Task(d=D, L=L, gamma=GAMMA, noise=0.0))


def _place(at):
    """An overlap of a direction at the start, which the hand sets in a disc."""
    return Control(at, -1.0, 1.0, place="hidden")


class TwoHeads(Explorer):
    """Two discs with the overlaps of both heads, the path of descent, and its excess risk."""

    question = "Why do two heads not specialize on one location each?"
    note = (
        "★ one head for each location. ▲ the nearest of the lowest minima found. Thin curves with "
        "rings: v along k₁*, k₂* (left) and k along v₁*, v₂* (middle). The other overlaps are "
        "random at the start. Descent with momentum on the exact risk; d = 80, L = 10, γ² = 1/2, "
        "independent noise."
    )
    python = """\
import jax
jax.config.update("jax_enable_x64", True)
from slrbook.explorers.two_heads.spec import risk

lam = {lam}
start = {start}
end = {end}  # inner products before and after the descent
excess_risk, two = ([float(risk(lam, L, *q)) for q in (start, end)] for L in (10, 2))
noise = [whole - part for whole, part in zip(excess_risk, two)]
print("excess risk", excess_risk, "of it from the other tokens", noise)
"""
    asks = (
        Step(
            "Always predicting 0 has excess risk 1. At λ = 1, what is the excess risk of two heads "
            "with exactly one location each?",
            "separated",
            "These heads have excess risk {separated}.",
            {"lam": 1.0},
            ("less than 0.2", "between 0.2 and 1", "more than 1"),
            cuts=(0.2, 1.0),
        ),
        Step(
            "Descent starts from such heads at λ = 1. How far does it reduce the excess risk?",
            "excess_risk.1",
            "The excess risk decreases from {excess_risk.0} to {excess_risk.1}.",
            {"lam": 1.0, "steps": 1000},
            ("to below 1", "to between 1 and 4", "hardly at all"),
            cuts=(1.0, 4.0),
        ),
    )
    why = Why(
        "Each separated head admits the noise of all other tokens. If the two heads share both "
        "locations, with opposite signs, their noise nearly cancels.",
        "the risk of separated heads",
        "several_heads",
        "equation-eq-several-oracle",
    )
    scripts = ("view.js", "heads.js")
    order = (
        *("lam", "shared", "steps", "k11", "k12", "k21", "k22"),
        *("v11", "v12", "v21", "v22", "rest"),
    )

    lam = Control(1 / 3, 0.03, 1.0, sign="λ", words="inverse temperature", log=True)
    shared = Control(0.0, -1.0, 1.0, words="alignment of k₁, k₂ outside the disc", step=0.01)
    steps = Control(800, 0, 2000, words="steps of descent", step=20, whole=True)
    k11 = _place(0.98)
    k12 = _place(0.0)
    k21 = _place(0.0)
    k22 = _place(0.98)
    v11 = _place(0.98)
    v12 = _place(0.0)
    v21 = _place(0.0)
    v22 = _place(0.98)
    rest = Control(0, 0, table.COUNT - 1, whole=True, place="hidden")

    @classmethod
    def functions(cls):
        return {"risk": (risk, ["lam", "L", *(f"q{i}" for i in range(PRODUCTS))])}

    @classmethod
    def constants(cls):
        return table.stored()


@with_controls(TwoHeads)
def two_heads(**controls) -> TwoHeads:
    """Two heads on two locations; ``lam``, ``shared``, ``steps``, ``k11`` to ``v22``."""
    return TwoHeads(**controls)
