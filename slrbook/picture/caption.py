"""A caption as HTML, and numbers as people write them: 3×10⁻¹⁶ and −1, not 3e-16 and -1."""

import html
import re

_POWER = re.compile(r"(?<![\w.])(-?)(\d(?:\.\d+)?)e([+-]\d+)\b")
_SPREAD = re.compile(r"(?<=\d) ± (?=\d)")
_FORMULA = re.compile(r"\\\((?:(?!\\\)).)*\\\)[,.;:?!)]+")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _power(found: re.Match) -> str:
    sign, digits, power = found.groups()
    if float(digits) == 0:
        return "0"
    times = "" if float(digits) == 1 else f"{digits}×"
    return f"{sign.replace('-', '−')}{times}10{str(int(power)).translate(_RAISED)}"


def readable(text: str) -> str:
    """Write powers of ten with raised digits, and keep ``a ± b`` on one line.

    >>> readable("about 3e-16")
    'about 3×10⁻¹⁶'
    """
    return _SPREAD.sub("\u00a0±\u00a0", _POWER.sub(_power, text))


def as_html(caption: str) -> str:
    r"""Escape a caption; each ``\(...\)`` stays on one line with the punctuation after it."""
    text = html.escape(readable(caption), quote=False)
    return _FORMULA.sub(r'<span class="slr-kept">\g<0></span>', text)
