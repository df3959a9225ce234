"""What a result shows, in a line or a small table: what ``python -m slrlib fig4a`` prints."""

from collections.abc import Callable
from typing import Any

import numpy as np

from slrlib.experiments.base import Experiment
from slrlib.experiments.curves import ManifoldField, RiskByDimension
from slrlib.experiments.descent import Descent
from slrlib.experiments.draws import WordDraws
from slrlib.experiments.ends import Ends, errors_of
from slrlib.experiments.heads import HeadsDescent
from slrlib.experiments.learners import LEARNERS, Learners
from slrlib.experiments.lengths import TextLength
from slrlib.experiments.logistic import LogisticDescent
from slrlib.experiments.probes import ClsProbes
from slrlib.experiments.random_starts import KINDS, OUTCOMES, RandomStarts
from slrlib.experiments.reading import SETS
from slrlib.experiments.schedules import Schedules
from slrlib.experiments.series import SETTINGS, AnomalySeries
from slrlib.experiments.stacked import StackedLayers
from slrlib.experiments.sweeps import Sweep
from slrlib.experiments.tables import ParameterTable, SentenceSets
from slrlib.experiments.tokens import AttentionHeads, TokenPlane, WordFlip
from slrlib.experiments.training import LayerTraining
from slrlib.heads import oracle_excess_risk
from slrlib.landscape import BASINS, STATES
from slrlib.special.fractions import counted

NEAR = 0.01  # of excess risk: what counts as having reached the floor


def finding(experiment: Experiment, result: Any) -> str:
    """What the ``result`` of ``experiment`` shows, in words."""
    return FINDINGS[type(experiment)](experiment, result)


def descent(e: Descent, r: Any) -> str:
    risk, oracle = np.median(r.excess_risk[-1]), r.oracle[-1]
    return f"{counted(r.ends)}; median excess risk {risk:.4g}, oracle pair {oracle:.4g}"


def sweep(e: Sweep, r: Any) -> str:
    cells = np.isfinite(r.fraction).all(-1)
    if cells.any():
        words, parts, kind = STATES, r.fraction[cells], f"{cells.sum()} counted"
    else:
        words, parts, kind = BASINS, r.share, "early verdicts"
    listed = ", ".join(f"{w}: {x:.1%}" for w, x in zip(words, parts.mean(0), strict=True))
    return f"{len(r.d)} cells, {kind}; {listed}"


def risk_by_dimension(e: RiskByDimension, r: Any) -> str:
    at_ours, at_best = (x[-1] / r.linear[-1] for x in (r.oracle, r.best))
    return (
        f"at d = {r.d[-1]:g} and lam = (dL)^(-1/4) the oracle pair has {at_ours:.1%} of the best "
        f"linear risk; at its best lam {at_best:.1%}"
    )


def manifold_field(e: ManifoldField, r: Any) -> str:
    lowest, highest = r.excess_risk.min(), r.excess_risk.max()
    return f"excess risk from {lowest:.4g} at the oracle pair to {highest:.4g}"


def heads_descent(e: HeadsDescent, r: Any) -> str:
    lam, risk = float(r.lam[-1]), np.mean(r.excess_risk[-1])
    oracle = oracle_excess_risk(lam, e.task, e.locations)
    best = np.abs(r.kappa[-1]).max(axis=-2).mean()
    said = f"mean excess risk {risk:.4g}, oracle pairs {oracle:.4g}"
    return f"{said}; the better head of a location has |k_h.k_i*| = {best:.2f}"


def layer_training(e: LayerTraining, r: Any) -> str:
    above = r.excess_risk[-1] - r.floor
    near = f"{np.sum(above < NEAR)} of {len(above)} runs end within {NEAR} of their floor"
    return f"{near}; median risk {np.median(r.excess_risk[-1]):.4g}"


def by_set(accuracy: np.ndarray) -> str:
    """A number for each set of sentences."""
    return ", ".join(f"{name} {x:.2f}" for name, x in zip(SETS, accuracy, strict=True))


def cls_probes(e: ClsProbes, r: Any) -> str:
    return "accuracy, mean of layers 1 to 6: " + by_set(r.accuracy[1:].mean(0))


def learners(e: Learners, r: Any) -> str:
    needed = [(L, *(e.best(r, L, learner)[0] for learner in LEARNERS)) for L in e.lengths]
    rows = "; ".join(f"L = {L}: {mlp:,.0f} and {pair:,.0f}" for L, mlp, pair in needed)
    return f"sequences that a {' and a softmax '.join(LEARNERS)} need: {rows}"


def ends(e: Ends, r: Any) -> str:
    where = counted(np.array(STATES)[r.where])
    wrong = "".join(
        f"\nfirst verdict {verdict}: {wrong:,} of {runs:,} differ from the last verdict "
        f"({low:.1%} to {high:.1%})"
        for _, verdict, runs, wrong, low, high in errors_of(e.name, r)
    )
    return f"after {e.steps:,} steps: {where}{wrong}"


def random_starts(e: RandomStarts, r: Any) -> str:
    rows = (
        f"{kind} attention, d = {d:g}: {counted(np.array(OUTCOMES)[r.at(kind, d).end.astype(int)])}"
        for kind in KINDS
        for d in e.sizes
    )
    return "\n".join(rows)


def schedules(e: Schedules, r: Any) -> str:
    rows = zip(e.cells(), r.count[:, 2], strict=True)
    told = (f"({lam0:g}, {alpha:g}, {first}) {n:,}" for (lam0, alpha, first), n in rows)
    return f"swapped of {e.repetitions:,} by (lam0, alpha, steps there): {', '.join(told)}"


def logistic_descent(e: LogisticDescent, r: Any) -> str:
    told = (f"{r.at(lam).found().mean():.2%} at lam = {lam:g}" for lam in e.lams)
    return f"share of {e.starts:,} starts that recover the pair: {', '.join(told)}"


def anomaly_series(e: AnomalySeries, r: Any) -> str:
    found = (r.kappa > 0.8) & (r.nu > 0.8)
    told = (f"{name} {found[r.setting == i].mean():.2%}" for i, name in enumerate(SETTINGS))
    return f"share of {e.starts:,} starts that find the waves: {', '.join(told)}"


def stacked(e: StackedLayers, r: Any) -> str:
    ends = r.excess_risk[:, -1]
    told = (f"{n}: {np.median(ends[r.layers == n]):.4g}" for n in e.layers)
    below = np.sum(ends[r.layers == 2] < r.floor[r.layers == 2])
    said = f"median excess risk by layers, {', '.join(told)}"
    return f"{said}; two end below the floor of one in {below:,} of {e.runs:,} runs"


def word_flip(e: WordFlip, r: Any) -> str:
    said = zip(e.words, r.output, strict=True)
    return "output of the pair: " + ", ".join(f"{word} {x:+.2f}" for word, x in said)


def token_plane(e: TokenPlane, r: Any) -> str:
    first = np.where(r.role > 0, r.score, -np.inf).argmax(-1)
    hits = np.take_along_axis(r.role[None], first[..., None], -1)[..., 0] >= 3
    shares = zip(e.layers, hits.mean(-1), strict=True)
    words = ", ".join(f"{share:.1%} at layer {layer}" for layer, share in shares)
    return f"the informative token has the largest score in {words}"


def attention_heads(e: AttentionHeads, r: Any) -> str:
    best = f"the best of {r.hits.size} heads finds the informative word in"
    return f"{best} {r.hits.max():.0%} of the sentences, chance {float(r.chance):.0%}"


def text_length(e: TextLength, r: Any) -> str:
    lengths = zip(r.length, r.told[0], r.cls[0], strict=True)
    rows = [f"{n} tokens: pair {told:.2f}, [CLS] {cls:.2f}" for n, told, cls in lengths]
    return f"accuracy on {e.chosen[0]}; " + "; ".join(rows)


def word_draws(e: WordDraws, r: Any) -> str:
    kinds = {"[CLS]": r.cls, "mean of the tokens": r.mean, "all tokens side by side": r.joined}
    kinds |= {"pair, locations known": r.told, "pair, labels alone": r.learned.mean(axis=2)}
    return "\n".join(f"{kind}: {by_set(x.mean((0, 1)))}" for kind, x in kinds.items())


def aligned(rows: list) -> str:
    """A table of text, each column as wide as its longest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [[c.ljust(w) for c, w in zip(row, widths, strict=True)] for row in rows]
    return "\n".join("  ".join(row).rstrip() for row in padded)


def sentence_sets(e: SentenceSets, r: Any) -> str:
    return aligned([r._fields, *zip(*(column.tolist() for column in r), strict=True)])


def parameter_table(e: ParameterTable, r: Any) -> str:
    rows = zip(r.name.tolist(), r.value.tolist(), strict=True)
    return aligned([("", *r.parameter.tolist()), *((name, *row) for name, row in rows)])


FINDINGS: dict[type, Callable[[Any, Any], str]] = {
    AnomalySeries: anomaly_series,
    AttentionHeads: attention_heads,
    ClsProbes: cls_probes,
    Descent: descent,
    Ends: ends,
    HeadsDescent: heads_descent,
    LayerTraining: layer_training,
    Learners: learners,
    LogisticDescent: logistic_descent,
    ManifoldField: manifold_field,
    ParameterTable: parameter_table,
    RandomStarts: random_starts,
    RiskByDimension: risk_by_dimension,
    Schedules: schedules,
    SentenceSets: sentence_sets,
    StackedLayers: stacked,
    Sweep: sweep,
    TextLength: text_length,
    TokenPlane: token_plane,
    WordDraws: word_draws,
    WordFlip: word_flip,
}
