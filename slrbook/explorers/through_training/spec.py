"""Through training: how does the layer learn? The stored runs of Figure 8, step by step."""

from slrbook.explorers.base import Explorer
from slrbook.explorers.listed import with_controls
from slrbook.explorers.step import Step, Why
from slrbook.explorers.through_training import table
from slrbook.explorers.trait import Control, toggle


class ThroughTraining(Explorer):
    """The attention of one sequence, the risk and the alignments, at any step of the training."""

    title = "Through training"
    question = "How does the layer learn?"
    note = (
        "The attention has two matrices, one at the register and one at the tokens; one of them "
        "starts at zero. First picture: one sequence of one run; r is the register, token 1 the "
        "informative one. Lines and bands: median and 95% of the 20 runs at full scale "
        "(d = p = 80, L = 10), v as the paper defines it. Dotted: the floor, which is the risk "
        "that layer norm leaves to any predictor, and the alignment of the best direction that "
        "layer norm lets through (medians). Steps on a square-root scale."
    )
    python = """\
from slrbook.explorers.through_training import table

stored = table.stored()
row = max(i for i, step in enumerate(stored["step"]) if step <= {step})
trained = stored["runs"][{zero}]  # median, 2.5% and 97.5% of the runs of Figure 8
name = "above" if {floor} else "risk"  # above its floor, or in full
risk, low, high = (line[row] / 1e5 for line in trained[name])
k, v, seen = (line[row] / 1000 for line in (trained["k"][0], trained["v"][0], trained["seen"]))
print(f"risk {risk:.3g}, |k.k*| {k:.3g}, v.v* {v:.3g}, attention on the token {seen:.3g}")
"""
    asks = (
        Step(
            "After 100 steps of SGD, which share of its attention does the register give to the "
            "informative one of ten tokens?",
            "seen",
            "It is {seen}, while |k·k*| is {k}.",
            {"step": 100},
            ("about an even share", "from a fifth to nine tenths", "nearly all"),
            cuts=(0.2, 0.9),
        ),
        Step(
            "And after 1,000 steps?",
            "seen",
            "It is {seen}, while |k·k*| is {k}.",
            {"step": 1000},
            ("about an even share", "from a fifth to nine tenths", "nearly all"),
            cuts=(0.2, 0.9),
        ),
        Step(
            "With the zero matrix at the register, not at the tokens: how far does |k·k*| come by "
            "the end?",
            "k",
            "It comes to {k}, and the excess risk to {risk}.",
            {"step": 8000, "zero": 1},
            ("below 0.95", "above 0.95"),
            cuts=(0.95,),
        ),
    )
    why = Why(
        "A head looks along one vector. It turns before the attention shows it; the attention "
        "snaps when it has grown long. Where the matrix at the tokens starts at random, part of "
        "that start stays.",
        "rank one",
        "transformers",
        "layer-rank-one",
    )
    order = ("step", "zero", "floor", "playing")

    step = Control(300, 0, 8000, words="steps of SGD", whole=True, stops=table.stored()["step"])
    zero = toggle("zero matrix at the register, not at the tokens")
    floor = toggle("risk minus its floor")
    playing = Control(0, 0, 1, whole=True, place="hidden")

    @classmethod
    def functions(cls):
        return {}

    @classmethod
    def constants(cls):
        return {"runs": table.stored()["runs"]}


@with_controls(ThroughTraining)
def through_training(**controls) -> ThroughTraining:
    """The training of Figure 8; ``step``, ``zero`` (1: at the register), ``floor``, ``playing``."""
    return ThroughTraining(**controls)
