"""What the laboratory asks: runs short enough for the answer to come at once."""

from slrbook.explorers.step import Step, Why

ASKS = (
    Step(
        "One run starts with k leaning on v*: η = 0.2, and κ = 0.05, ν = 0.03. After 20,000 steps, "
        "has v found v*?",
        "nu.1",
        "It ends with |κ| = {kappa.1} and |ν| = {nu.1}: k stands on v* instead, and still the "
        "excess risk is {median_risk}, where the pair (k*, v*) has {oracle}.",
        {"start": 2, "eta0": 0.2, "runs": 1},
        ("no, |ν| is near 0", "yes, |ν| is near 1"),
        cuts=(0.5,),
    ),
    Step(
        "Ten runs of PGD start at random on M, where θ, η and ρ are zero. After 3,000 steps, how "
        "far from M is the median run?",
        "distance.1",
        "Its distance to M is {distance.1}: all the descent does to it is to turn two angles.",
        {"start": 0, "steps": 3000, "runs": 10},
        ("on M still", "off M"),
        cuts=(0.01,),
    ),
)
WHY = Why(
    "On M the slopes of the risk point along k* and v* only, so that a run never leaves it. Off M "
    "a start with η ahead of κ sends k to v*; how many random starts do so, the runs count.",
    "M is invariant",
    "invariant_manifold",
    "paper-lem-4",
)
