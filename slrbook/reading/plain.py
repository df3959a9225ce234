"""The content of a page in plain words, for the list of search results."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from bs4 import Tag
from bs4.element import NavigableString, PageElement

UNREAD = {"details", "script", "style", "table"}
UNREAD_CLASSES = {"headerlink", "backrefs", "eqno", "amsmath", "cell_input"} | {
    f"slr-{name}" for name in ("panels", "more", "copy", "answer", "head")
}
WITHIN_A_LINE = {"a", "abbr", "b", "code", "em", "i", "kbd", "span", "strong", "sub", "sup", "wbr"}
# TeX names of signs; the search page has this table too.
NAMES = (
    "alpha beta gamma delta varepsilon epsilon zeta eta theta kappa lambda mu nu xi rho sigma phi "
    "varphi psi omega Phi Delta nabla infty to le leq ge geq ne in approx sim cdot times pm ell "
    "star dots ldots"
)
SIGNS = "α β γ δ ε ε ζ η θ κ λ μ ν ξ ρ σ φ φ ψ ω Φ Δ ∇ ∞ → ≤ ≤ ≥ ≥ ≠ ∈ ≈ ∼ · × ± ℓ * … …"
AS_THEY_ARE = "E P R S N M erf erfc log exp sin cos arccos max min sign".split()
LETTERS = dict(zip(NAMES.split(), SIGNS.split(), strict=True)) | {x: x for x in AS_THEY_ARE}
SPACES = re.compile(r"\\[,;:! ]|\\q?quad|~")
ACCENTS = {"bar": "\u0304", "hat": "\u0302", "tilde": "\u0303"}
ACCENTED = re.compile(r"\\(bar|hat|tilde)\s*(?:\{(\\[A-Za-z]+|\w)\}|(\\[A-Za-z]+|\w))")
DRESS = re.compile(r"\\(?:tilde|bar|hat|mathrm|mathbf|mathcal|mathbb|text|operatorname)\b")
PART = r"\s*(?:\{([^{}]*)\}|(\w))"
FRACTION = re.compile(rf"\\[td]?frac{PART}{PART}")
COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
LONGEST = 40  # letters; a longer formula becomes an ellipsis


def formula(tex: str) -> str:
    """Return a short formula as text: ``\\lambda_c`` is λ_c; a complex one is an ellipsis."""
    text = ACCENTED.sub(lambda x: (x[2] or x[3]) + ACCENTS[x[1]], SPACES.sub(" ", tex))
    text = DRESS.sub("", text)
    text = re.sub(r"\\norm\s*\{([^{}]*)\}", r"‖\1‖", text)
    text = re.sub(r"\\sqrt\s*\{?(\w+)\}?", r"√\1", text)
    text = FRACTION.sub(lambda x: f"{_term(x[1] or x[2])}/{_term(x[3] or x[4])}", text)
    if set(COMMAND.findall(text)) - LETTERS.keys() or re.search(r"&|\\\\", text):
        return "…"
    text = COMMAND.sub(lambda found: LETTERS[found[1]], text)
    text = " ".join(re.sub(r"[{}]", "", text).replace("^*", "*").replace("^2", "²").split())
    text = unicodedata.normalize("NFC", text)
    return text if len(text) <= LONGEST else "…"


def _term(part: str) -> str:
    """Put a numerator or denominator into parentheses if it is a sum."""
    return f"({part})" if re.search(r"[-+]", part) else part


def words(tag: Iterable[PageElement]) -> str:
    """Return the words of ``tag``, or of several elements, without code, tables and pictures."""
    text = re.sub(r"\\\w+|¶", "", "".join(_read(tag)))  # a docstring may hold other markup
    text = " ".join(text.split())
    text = re.sub(r"…( …)+", "…", text)
    return re.sub(r" ([,.;:!?)\]])", r"\1", text).replace("( ", "(")


def _read(tag: Iterable[PageElement]) -> Iterator[str]:
    """Yield the strings of ``tag`` to read: formulas as text, and spaces between blocks."""
    for child in tag:
        if type(child) is NavigableString:  # but not a comment
            yield child
        elif isinstance(child, Tag):
            kinds = set(child.get("class") or [])
            if child.name in UNREAD or kinds & UNREAD_CLASSES:
                continue
            space = "" if child.name in WITHIN_A_LINE else " "
            inner = [formula(str(child["data-tex"]))] if "math" in kinds else _read(child)
            yield from (space, *inner, space)
