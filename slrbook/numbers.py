"""The numbers that the text of a page quotes, passed to it in one call."""

from collections.abc import Iterable

import numpy as np
from IPython.core.formatters import format_display_data
from IPython.display import HTML, display

from slrbook.picture.style import signed
from slrlib.special import wilson

GLUED = "application/papermill.record/"  # myst-nb's prefix for outputs that only the text shows


def numbers(chapter: str, **values) -> None:
    """Pass ``values`` to the text: ``first_step=3`` of "pgd" is ``{glue:text}`pgd-first-step` ``.

    A result of ``share`` gives three numbers: ``...-share``, ``...-low`` and ``...-high``.
    """
    for name, value in values.items():
        key = f"{chapter}-{name.replace('_', '-')}"
        if isinstance(value, dict):
            numbers(key, **value)
        else:
            kinds, _ = format_display_data(_plain(value))
            metadata = {"scrapbook": {"name": key, "mime_prefix": GLUED}}
            display({GLUED + kind: x for kind, x in kinds.items()}, raw=True, metadata=metadata)


def share(hits: int, runs: int) -> dict[str, float]:
    """Return the fraction ``hits / runs`` and the ends of its 95% Wilson interval."""
    low, high = wilson(hits, runs)
    return {"share": hits / runs, "low": low, "high": high}


def out_of(hits: int, runs: int) -> str:
    """Return the count as words before a noun: "all 30", "none of the 30" or "29 of the 30"."""
    if hits == runs:
        return f"all {runs:,}"
    return f"{hits:,} of the {runs:,}" if hits else f"none of the {runs:,}"


def compared(one: tuple[float, float], two: tuple[float, float]) -> dict[str, float]:
    """Test whether two counts of successes have the same probability.

    Parameters
    ----------
    one, two : (hits, runs), two independent samples.

    Returns
    -------
    ``p`` of Fisher's exact test, and ``least``: samples of this size detect a difference of
    ``least`` from the pooled fraction, in either possible direction, at the 5% level with a power
    of 80% (normal approximation of the arcsine of the square root, which holds near 0 and 1 too).

    Examples
    --------
    >>> {name: round(x, 3) for name, x in compared((50, 1000), (40, 1000)).items()}
    {'p': 0.332, 'least': 0.029}
    """
    from scipy.stats import fisher_exact

    table = [[round(hits), round(runs - hits)] for hits, runs in (one, two)]
    pooled = (one[0] + two[0]) / (one[1] + two[1])
    shift = (1.96 + 0.84) / 2 * (1 / one[1] + 1 / two[1]) ** 0.5
    shifted = np.arcsin(pooled**0.5) + np.array([-shift, shift])
    possible = shifted[(shifted >= 0) & (shifted <= np.pi / 2)]
    least = float(np.max(abs(np.sin(possible) ** 2 - pooled), initial=0.0)) or float("nan")
    return {"p": float(np.asarray(fisher_exact(table))[1]), "least": least}


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> HTML:
    """Return an HTML table, given the HTML of its cells.

    Parameters
    ----------
    header : the names of the columns.
    rows : the cells of each row.

    Returns
    -------
    The table, with typographic minus signs; it scrolls horizontally if it is too wide.

    Examples
    --------
    >>> "<td>−1 to 2-3</td>" in table(["range"], [["-1 to 2-3"]]).data
    True
    """
    lines = [f"<tr>{''.join(f'<th>{x}</th>' for x in header)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{x}</td>' for x in row)}</tr>" for row in rows]
    body = signed("".join(lines))
    whole = f"<table class='table slr-table'>{body}</table>"
    return HTML(f"<div style='overflow-x:auto' tabindex=0>{whole}</div>")


def _plain(value):
    """Return a plain number or text that can be formatted."""
    if isinstance(value, str | bool | int):
        return value
    array = np.asarray(value)
    if array.ndim:
        raise ValueError(f"a number of the text must be a scalar, got shape {array.shape}")
    return float(value) if array.dtype == object else array.item()  # for example, from mpmath
