"""The three thresholds of lam, and a proof for many tasks that each is crossed at most once."""

from collections.abc import Sequence

from flint import arb

from slrbook.certificates import closed
from slrbook.certificates.claim import proved
from slrbook.certificates.closed import Setting
from slrbook.certificates.thresholds import Curve, once, threshold


def lambda_c(setting: Setting) -> arb:
    """The largest lam that {prf:ref}`pair-minimum` covers. Book: {eq}`eq-lambda-c`."""
    m = (setting.L - 1) * arb(setting.gg) / (arb(setting.d) / 2 + setting.gg)
    return ((2 / (1 - m)) ** 2 - 1).sqrt() / 2


def lower_until(setting: Setting) -> arb:
    """The largest lam that {prf:ref}`swapped-lower` covers. Book: {eq}`eq-swapped-lower`."""
    r2 = arb(setting.d) / 2
    return arb("0.73") * r2.sqrt() / (r2 + 3 * arb(setting.gg))


EQUAL = Curve(closed.gap, closed.gap_clipped, lower_until)
PAIR = Curve(closed.pair, start=lambda_c)
SWAPPED = Curve(closed.unclipped, closed.clipped)


def just_above(setting: Setting) -> dict:
    """Prove that the threshold of the pair is above lambda_c by less than 1e-38."""
    found = once(PAIR, setting, 60)
    low, high = (arb(end) - lambda_c(setting) for end in found["root"])
    proved(0 < low and high < arb("1e-38"), "a little gap")
    return found


def each_task(settings: Sequence[Setting]) -> dict:
    """Prove the three thresholds for each task.

    The risks are compared at L = 2 only, because their difference does not depend on L. At m >= 1
    the pair is a minimum at every lam by {prf:ref}`pair-minimum`.
    """
    for setting in settings:
        if setting.L == 2:
            once(EQUAL, setting, 12)
        if (setting.L - 1) * setting.gg < setting.d / 2 + setting.gg:
            threshold(PAIR, setting, 12)
        threshold(SWAPPED, setting, 12)
    return {}
