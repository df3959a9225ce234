"""Through training: how does the layer learn? The stored runs of Figure 8, step by step."""

from slrbook.explorers.base import Explorer
from slrbook.explorers.parts import Control, Step, Why, toggle
from slrbook.explorers.through_training import table


class ThroughTraining(Explorer):
    """The alignments and the attention of one sequence, at any step of the training."""

    question = "In what order does the layer learn k and v?"
    note = (
        "The prediction is made at row r (the register, not one of the ten tokens), so only the "
        "query of this row matters. Left: median and 95% band of 20 runs (d = 80, L = 10) on a "
        "square-root scale of steps; rings: first stored step at which the median exceeds 0.8; "
        "dotted: highest possible alignment of a direction orthogonal to (1, …, 1). Right: one "
        "sequence of one run; token 1 is informative."
    )
    python = """\
from slrbook.explorers.through_training import table

stored = table.stored()
row = max(i for i, step in enumerate(stored["step"]) if step <= {step})
trained = stored["runs"][{zero}]  # median, 2.5% and 97.5% of the runs of Figure 8
risk = trained["risk"][row] / 1e5
k, v, seen = (line[row] / 1000 for line in (trained["k"][0], trained["v"][0], trained["seen"]))
print(f"risk {risk:.3g}, |k.k*| {k:.3g}, v.v* {v:.3g}, attention on the token {seen:.3g}")
"""
    asks = (
        Step(
            "How large is the attention weight of the informative token after 100 steps of SGD?",
            "seen",
            "It is {seen}, although |k·k*| is already {k}, because the scores are still small.",
            {"step": 100},
            ("about one tenth", "between 0.2 and 0.9", "more than 0.9"),
            cuts=(0.2, 0.9),
        ),
        Step(
            "And after 1,000 steps?",
            "seen",
            "It is {seen}, while |k·k*| is {k}, because the scores have become large.",
            {"step": 1000},
            ("about one tenth", "between 0.2 and 0.9", "more than 0.9"),
            cuts=(0.2, 0.9),
        ),
        Step(
            "Now the query matrix starts at zero, not the key matrix. How large is |k·k*| at the "
            "end?",
            "k",
            "It reaches {k}, with excess risk {risk}, because part of the random initial key "
            "matrix remains.",
            {"step": 8000, "zero": 1},
            ("below 0.95", "above 0.95"),
            cuts=(0.95,),
        ),
    )
    why = Why(
        "A head scores tokens along one vector. This vector first turns toward k*; the attention "
        "concentrates once the vector is long. If the key matrix starts at random, part of its "
        "initial value remains. Next, play the training with either matrix starting at zero.",
        "rank one",
        "transformers",
        "layer-rank-one",
    )
    step = Control(0, 0, 8000, words="steps of SGD", whole=True, stops=table.stored()["step"])
    zero = toggle("the query matrix starts at zero, not the key matrix")
    playing = Control(0, 0, 1, whole=True, place="hidden")

    @classmethod
    def constants(cls):
        return {"runs": table.stored()["runs"]}
