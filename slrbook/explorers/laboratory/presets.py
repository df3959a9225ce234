"""Settings of the laboratory by name: the paper's experiments, and what the book adds."""

from slrlib.dynamics.schedules import InverseDecay
from slrlib.experiments import PAPER
from slrlib.experiments.descent import Descent


def _of(name: str) -> dict[str, float]:
    """Return the controls that reproduce an experiment of the paper."""
    e = PAPER[name]
    assert isinstance(e, Descent) and isinstance(e.schedule, InverseDecay)
    return {
        "d": float(e.task.d),
        "L": float(e.task.L),
        "gamma": float(e.task.gamma),
        "lam0": float(e.schedule.lam0),
        "decay": float(e.schedule.rate),
        "alpha": float(e.alpha),
        "batch": e.batch or 0,
        **({"noise": float(e.task.noise)} if e.batch else {}),  # PGD does not use it
        "start": 0 if e.on_manifold else 1,
        "steps": e.steps,
        "runs": e.repetitions,
    }


_SWAP = {"start": 2, "kappa0": 0.05, "nu0": 0.03, "theta0": 0.05, "eta0": 0.2, "rho0": 0.0}

NOISE = _of("fig5")["noise"]  # label noise in the paper's SGD

PRESETS: dict[str, tuple[str, dict[str, float]]] = {
    "fig4a": ("Figure 4(a): decaying λ, PGD", _of("fig4a")),
    "fig4b": ("Figure 4(b): on M", _of("fig4b")),
    "fig5": ("Figure 5: SGD", _of("fig5")),
    "fig7a": ("Figure 7(a): λ too large", _of("fig7a")),
    "fig7b": ("Figure 7(b): λ = 0.1, random starts", _of("fig7b")),
    "swap": ("One run that swaps k and v", _of("fig7b") | _SWAP),
    "edge": ("The edge of stability", _of("fig4a") | {"steps": 6_000, "runs": 30}),
    "small": ("λ too small", _of("fig7b") | {"lam0": 0.02, "steps": 60_000}),
}
