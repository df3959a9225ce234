"""Each symbol is said to mean something where a reader, who reads in order, first meets it."""

import re

import pytest
from booksource import ROOT, prose

from slrbook import chapters

FOLDED = re.compile(r"^(`{3,}|:{3,})\{dropdown\}.*?^\1\s*$", re.S | re.M)
EXERCISE = re.compile(r"^(`{3,}|:{3,})\{(exercise|solution)-start\}.*?^\1\{\2-end\}", re.S | re.M)
FORMULA = re.compile(r"\$\$.*?\$\$|\$.*?\$", re.S)
# The letter in a formula, and words that say what it is.
LETTERS = {
    "d": r"a vector of \$d\$ numbers",
    "L": r"\$L\$ tokens",
    r"k^\star": r"a direction \$k\^\\star\$",
    r"v^\star": r"along .* \$v\^\\star\$",
    r"\lambda": r"\$\\lambda\$.*(sharp|temperature)",
    r"\erf": r"error function",
    r"\kappa": r"\$\\kappa\s*=",
    r"\nu": r"\$\\nu\s*=",
    r"\M": r"\*manifold\* \$\\M\$ is",
    "J_0": r"at a random place \$J_0\$",
    r"\xi": r"\$\\xi\$ is centred noise",
    r"\varepsilon": r"standard deviation \$\\varepsilon\$",
    r"\gamma": r"\$\\gamma\$ .*(spread|standard deviation|wide)",
    "r": r"We write \$r=\\sqrt\{d/2\}\$",
    "G": r"\$G\$ is a standard normal number",
    r"\theta": r"\\theta&?=v\\cdot k\^\\star",
    r"\eta": r"\\eta&?=k\\cdot v\^\\star",
    r"\rho": r"\\rho&?=k\\cdot v",
    "A": r"\$A=\\lambda r/",
    r"\zeta_0": r"\$\\zeta_0\(\\lambda\)=\\E\\,.*which is the \*mean squared weight",
    r"R_\lambda": r"The risk \$R_\\lambda\(k,v\)=",
    r"\erfc": r"\$\\erfc=1-\\erf\$",
    "W": r"Let \$W\$ and \$W_2\$ be",
    "w": r"with \$w=",
    r"\sigma": r"\\sigma",
    r"\Phi": r"\$\\Phi\$ is the distribution function",
    r"\lambda_c": r"above \$\\lambda_c\$",
    r"\lambda_{eq}": r"up to some \$\\lambda_\{eq\}\$",
    r"\alpha": r"step size \$\\alpha>0\$",
    "E_0": r"\$E_0=\\erf\(x\)\$ is",
    "F": r"\$F=",
    r"\phi": r"\\kappa=\\cos\\phi",
    r"\psi": r"\\nu=\\cos\\psi",
    r"\bar\alpha": r"where \$\\bar\\alpha\$",
    r"\chi": r"function \$\\chi\$",
    r"\lambda_{sw}": r"two thresholds of its own",
    r"h_{\max}": r"h_\{\\max\}.*largest curvature|largest curvature .*h_\{\\max",
    "H": r"layer with \$H\$ heads",
}


def paragraphs(page):
    """What a reader sees of a page with all that folds closed, solved exercises aside."""
    text = EXERCISE.sub("", FOLDED.sub("", prose(page)))
    return [part for part in re.split(r"\n\s*\n", text) if part.strip()]


@pytest.fixture(scope="module")
def read():
    """(page, paragraphs) in the order of the book."""
    files = [ROOT / f"{name}.ipynb" for name in chapters.notebooks(ROOT)]
    return [(file.stem, paragraphs(file)) for file in files]


def is_in(letter, formulas):
    before = r"(?<![\\A-Za-z{^])" if letter[0].isalpha() else ""
    after = r"(?![A-Za-z_])" if len(letter) == 1 or letter[-1].isalpha() else ""
    return re.search(before + re.escape(letter) + after, " ".join(formulas))


@pytest.mark.parametrize("letter", LETTERS)
def test_a_symbol_is_explained_where_it_first_stands(read, letter):
    first = next(
        (page, i, parts)
        for page, parts in read
        for i, part in enumerate(parts)
        if is_in(letter, FORMULA.findall(part))
    )
    page, i, parts = first
    near = "\n".join(parts[max(0, i - 1) : i + 3]).replace("\n", " ")
    assert re.search(LETTERS[letter], near), f"{page}: {parts[i][:200]}"
