"""The questions of the laboratory, which need only short runs."""

from slrbook.explorers.parts import Step, Why

ASKS = (
    Step(
        "Increase λ from 0.1 to 0.15. Do more or fewer of the 30 runs recover the teacher in "
        "20,000 steps?",
        "kappa.1",
        "The median of |κ| is {kappa.1}, that of |ν| is {nu.1}: at a larger λ, erf is flat from a "
        "smaller κ on, and k is learned more slowly.",
        {"lam0": 0.15},
        ("fewer", "as many or more"),
        cuts=(0.95,),
    ),
    Step(
        "One run starts with k closer to v* than to k*: k·v* = 0.2, k·k* = 0.05. Is v aligned with "
        "v* after 20,000 steps?",
        "nu.1",
        "At the end |κ| = {kappa.1} and |ν| = {nu.1}, because k starts closer to v*. "
        "The excess risk is {median_risk}; the teacher has {oracle}.",
        {"start": 2, "eta0": 0.2, "runs": 1, "shown": 1},
        ("no, |ν| is near 0", "yes, |ν| is near 1"),
        cuts=(0.5,),
    ),
    Step(
        "Ten runs of PGD start at random on M, where θ, η and ρ are zero. After 3,000 steps, how "
        "far from M is the median run?",
        "distance.1",
        "Its distance to M is {distance.1}, because on M descent changes only κ and ν.",
        {"start": 0, "steps": 3000, "runs": 10, "shown": 2},
        ("still on M", "off M"),
        cuts=(0.01,),
    ),
)
WHY = Why(
    "On M the gradient in k points along k* and the gradient in v along v*, so a run never leaves "
    "M. Off M, k can converge to v* if η is larger than κ at the start. The laboratory counts how "
    "often this happens from random starts. Next, lower the initial λ and count again.",
    "M is invariant",
    "invariant_manifold",
    "paper-lem-4",
)
