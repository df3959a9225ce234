"""The numbers that the text of a page quotes, handed over in one call."""

import numpy as np
from myst_nb import glue

from slrlib.experiments.fractions import wilson


def numbers(chapter: str, **values) -> None:
    """Hand ``values`` to the text: ``first_step=3`` of "pgd" is ``{glue:text}`pgd-first-step` ``.

    A ``share`` gives three of them, ``...-share``, ``...-low`` and ``...-high``.
    """
    for name, value in values.items():
        key = f"{chapter}-{name.replace('_', '-')}"
        if isinstance(value, dict):
            numbers(key, **value)
        else:
            glue(key, _plain(value), display=False)


def share(hits: int, runs: int) -> dict[str, float]:
    """The share ``hits / runs`` and the ends of its 95 % Wilson interval."""
    low, high = wilson(hits, runs)
    return {"share": hits / runs, "low": low, "high": high}


def out_of(hits: int, runs: int) -> str:
    """The count as people say it before a noun: "all 30", "none of the 30" or "29 of the 30"."""
    if hits == runs:
        return f"all {runs:,}"
    return f"{hits:,} of the {runs:,}" if hits else f"none of the {runs:,}"


def t_interval(values) -> tuple:
    """(mean, half): Student's 95 % interval mean +- half for the mean of independent rows."""
    from scipy.stats import ttest_1samp

    low, high = ttest_1samp(values, 0).confidence_interval()
    return (high + low) / 2, (high - low) / 2


def _plain(value):
    """A plain number or text, as it can be formatted."""
    if isinstance(value, str | bool | int):
        return value
    array = np.asarray(value)
    if array.ndim:
        raise ValueError(f"a number of the text must be a scalar, got shape {array.shape}")
    return float(value) if array.dtype == object else array.item()  # such as a number of mpmath
