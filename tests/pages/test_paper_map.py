"""The map of the paper compared with the chapters, functions and tests that it names."""

import importlib
import re

import numpy as np
from booksource import (
    EQUATION,
    ROOT,
    STATEMENT,
    code_cells,
    labels_made,
    missing_tests,
    pages,
    prose,
)

from slrbook.statements import OF_THE_PAPER

MAP = ROOT / "book" / "paper_map.ipynb"
KINDS = {
    "Definition": "def",
    "Assumption": "ass",
    "Theorem": "thm",
    "Corollary": "cor",
    "Proposition": "prop",
    "Lemma": "lem",
}
ITEMS = """Definition 1, Assumption 1, Theorem 1, Corollary 2, Proposition 3, Lemma 4, Theorem 5,
Lemma 6, Lemma 7, Proposition 8, Proposition 9, Proposition 10, Proposition 11, Proposition 12,
Proposition 13, Lemma 14, Proposition 15, Lemma 16, Lemma 17, Lemma 18, Figure 1(a), Figure 1(b),
Figure 2, Figure 3, Figure 4(a), Figure 4(b), Figure 5, Figure 6, Figure 7(a), Figure 7(b),
Figure 8, Figure 9, Figure 10, Table 1, Table 2""".replace("\n", " ").split(", ")
QUOTED = {"Figure 1(a)"}  # two sentences that a page quotes; there is nothing to compute
WITHOUT_FUNCTION = {"Lemma 16"}  # a fact about square roots

GLUE = re.compile(r"\{glue:text\}`[\w-]+\.ipynb::[\w-]+:[^`]+`")
FUNCTION = re.compile(r"`(slr(?:lib|book)\.[\w.]+)`")
PAGE = re.compile(r"\{doc\}`(\w+)`")
NAME = re.compile(r"\*\*(?:\{prf:ref\}`)?([^<`*]+?)(?: <[^>]+>`)?\*\* (.+)")
MATHS = re.compile(r"\$[^$]*\$")


def tables(text: str) -> list[list[list[str]]]:
    """The list-tables of ``text``, each a list of rows of cells, without their headers."""
    found = []
    for box in re.findall(r"^:::\{list-table\}[^\n]*\n(.*?)^:::$", text, re.M | re.S):
        rows = re.split(r"^\* - ", box, flags=re.M)[2:]  # skip the options and the header
        found.append([[c.strip() for c in re.split(r"^  -", row, flags=re.M)] for row in rows])
    return found


MAIN, CLAIMS = tables(prose(MAP))
ROWS = {NAME.fullmatch(row[0])[1]: row for row in MAIN}
MADE = {label: page for page in pages() for label in labels_made(prose(page))}


def label_of(name: str) -> str | None:
    """The label of a statement in the book, or None: Theorem 5 is paper-thm-5."""
    kind, number = name.split(" ")
    return f"paper-{KINDS[kind]}-{number}" if kind in KINDS else None


def test_each_item_of_the_paper_has_one_row_in_its_order():
    assert list(ROWS) == list(OF_THE_PAPER) == ITEMS and len(MAIN) == len(ITEMS)


def test_a_row_leads_to_its_place_in_the_book():
    for name, (first, where, _) in ROWS.items():
        (page,) = PAGE.findall(where)
        assert (ROOT / "book" / f"{page}.ipynb").exists()
        assert STATEMENT.findall(first) == ([label_of(name)] if label_of(name) else [])
        assert not label_of(name) or MADE[label_of(name)].stem == page


def test_a_row_names_a_function_and_a_test_that_exist():
    assert "tests/" not in prose(MAP)  # they are not displayed
    for name in ROWS.keys() - QUOTED:
        _, where, verdict = ROWS[name]
        functions, tests = FUNCTION.findall(where), OF_THE_PAPER[name]
        assert tests and GLUE.search(verdict), name
        assert bool(functions) == (name not in WITHOUT_FUNCTION), name
        for path in functions:
            module, function = path.rsplit(".", 1)
            assert callable(getattr(importlib.import_module(module), function))
        assert missing_tests([tuple(test.split("::")) for test in tests]) == []


def test_the_map_names_the_pages_that_read_stored_results():
    readers = {
        file.stem
        for file in pages()
        if file.suffix == ".ipynb"
        and any(re.search(r"(?<![.\w])load\(\"", cell["source"]) for cell in code_cells(file))
    }
    (sentence,) = re.findall(r"use stored results:\s[^.]*\.", prose(MAP))
    assert set(PAGE.findall(sentence)) == readers


def test_each_claim_has_its_number_and_its_place():
    for *_, verdict in (*MAIN, *CLAIMS):  # verdicts are computed, not typed
        assert re.findall(r"\d+", GLUE.sub("", verdict)) == []
    assert len(CLAIMS) >= 6
    for claim, holds, number in CLAIMS:
        assert claim and GLUE.search(number), claim
        places = PAGE.findall(holds)
        assert places, claim
        assert all((ROOT / "book" / f"{page}.ipynb").exists() for page in places)
        assert all(label in MADE for label in EQUATION.findall(holds))
        assert not re.search(r"\d\.\d", MATHS.sub("", holds)), "a number belongs in the last column"


def test_the_recovered_bound_of_lemma_16_holds_and_is_sharp():
    x = np.geomspace(1e-12, 1e12, 500)
    root = np.sqrt(1 + x)
    left = x / (root * (1 + root))  # 1 - 1/sqrt(1 + x) without cancellation
    assert np.all(left <= x / 2)
    assert left[0] / x[0] > 0.5 * (1 - 1e-11), "no smaller constant would do"
