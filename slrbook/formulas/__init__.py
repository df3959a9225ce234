"""Formulas: TeX becomes MathML while the site is written, and browsers draw it without a script.

Temml converts the TeX in V8. Its output is made smaller here, and a long inline formula is split
after its relations, so that a narrow page can break the line there.
"""

import atexit
import functools
import html
import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

from py_mini_racer import MiniRacer

HERE = Path(__file__).parent
FONT, STYLE = "stix-two-math.woff2", "slr-formulas.css"
UNHEARD = re.compile(r' (?:fence|separator)="\w+"| style="(?:level|display:block math)[^"]*"')
APPLIED = "<mo>\u2061</mo>"  # between a function and its argument; Firefox adds space to it
NO_PADDING = ' style="padding-left:0em;padding-right:0em;"'  # the style sheet sets this too
INFERRED = {"math", "mtd", "msqrt", "mstyle", "mpadded"}  # their children are implicitly one row
BREAKS = set("=≠≤≥<>≈≃∼∈→↦±+−,;")  # a line may end after these
LONG = 18  # inline formulas with fewer letters are not split
FEW = 5  # the least number of letters in a part


class BadFormula(ValueError):
    """A formula that Temml cannot read."""


@functools.cache
def _temml() -> MiniRacer:
    engine = MiniRacer()
    atexit.register(engine.close)  # V8 can hang if it is closed during Python's shutdown
    engine.eval((HERE / "temml.min.js").read_text("utf-8"))
    engine.eval(
        "const mathml = (tex, display, macros) => temml.renderToString(tex,"
        " { displayMode: display, macros, throwOnError: true })"
    )
    return engine


@functools.cache
def _rows(tex: str, display: bool, macros: str) -> list[ElementTree.Element]:
    """Return the parts of the formula; there are several only if it is long and inline."""
    try:
        text = str(_temml().call("mathml", tex, display, json.loads(macros)))
    except Exception as error:
        raise BadFormula(f"{str(error).splitlines()[0]}: {tex}") from error
    text = text.replace(NO_PADDING, "").replace(APPLIED, '<mo lspace="0" rspace="0">\u2061</mo>')
    whole = ElementTree.fromstring(UNHEARD.sub("", text))
    _unwrap(whole)
    whole.attrib.clear()
    if display:
        whole.set("display", "block")
        return [whole]
    while len(whole) > 1 and (whole[-1].tag == "mspace" or whole[-1].text == "\u2061"):
        del whole[-1]  # as in "erf", where a function has no argument
    for end, space in ((whole[0], "lspace"), (whole[-1], "rspace")):
        if end.tag == "mo":  # the text already has a space
            end.set(space, "0")
    return _parted(whole)


def _unwrap(element: ElementTree.Element) -> None:
    """Remove each row that has no effect: in an implicit row, or around a single element."""
    for child in element:
        _unwrap(child)
    for at, child in enumerate(element):
        if child.tag == "mrow" and not child.attrib and len(child) == 1:
            element[at] = child[0]
    if element.tag in INFERRED and len(element) == 1 and element[0].tag == "mrow":
        row = element[0]
        if not row.attrib:
            element[:] = row[:]


def _letters(element: ElementTree.Element) -> int:
    return len("".join(element.itertext()))


def _parted(whole: ElementTree.Element) -> list[ElementTree.Element]:
    """Split a long formula into parts; each but the last ends with a sign of ``BREAKS``."""
    if _letters(whole) < LONG:
        return [whole]
    parts, part, left = [], ElementTree.Element("math"), _letters(whole)
    for at, child in enumerate(whole):
        part.append(child)
        space = at + 1 < len(whole) and whole[at + 1].tag == "mspace"
        ends = child.tag == "mspace" and len(part) > 1 and _breaks(part[-2])
        if (_breaks(child) or ends) and not space and min(_letters(part), left) >= FEW:
            left -= _letters(part)
            if left < FEW:
                continue
            for sign in part.findall("mo")[-1:]:
                sign.set("form", "infix")
            parts.append(part)
            part = ElementTree.Element("math")
    return [*parts, part] if len(part) else parts


def _breaks(child: ElementTree.Element) -> bool:
    return child.tag == "mo" and child.text in BREAKS and child.get("form") != "prefix"


def mathml(tex: str, display: bool = False, macros: dict[str, str] | None = None) -> str:
    r"""Return the formula as HTML.

    Parameters
    ----------
    tex : str
        The text between ``\(`` and ``\)``, or for a display between ``\[`` and ``\]``.
    display : bool
        Whether the formula is displayed on a line of its own.
    macros : dict
        The TeX of each macro by its name without backslash; ``#1`` is an argument.

    Returns
    -------
    str
        MathML. An inline formula is one element of class ``math`` with the TeX as ``data-tex``; the
        caller puts a display into such an element.

    Examples
    --------
    >>> mathml(r"\lambda")
    '<math class="math" data-tex="\\lambda"><mi>λ</mi></math>'
    """
    named = json.dumps({f"\\{name}": text for name, text in (macros or {}).items()})
    parts = [
        ElementTree.tostring(row, "unicode", short_empty_elements=False)
        for row in _rows(tex, display, named)
    ]
    if display:
        return parts[0]
    known = f'class="math" data-tex="{html.escape(" ".join(tex.split()))}"'
    if len(parts) > 1:
        return f"<span {known}>{''.join(parts)}</span>"
    return parts[0].replace("<math", f"<math {known}", 1)


def write(folder: Path) -> None:
    """Put the style and the font of formulas into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "formulas.css", folder / STYLE)
    shutil.copy(HERE / FONT, folder)
