"""The printed book: its parts, sizes, content and omissions."""

import subprocess
import sys

import pytest
from booksource import ROOT
from browsing import SITE

from slrbook import chapters, pdf

CHOSEN = pdf.choices(ROOT)


@pytest.mark.browser
@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("name", "most"), [("cheat_sheet", 1), ("additions", 2), ("part-1", 120)])
def test_each_pdf_has_its_size(tmp_path, name, most):
    file = tmp_path / f"{name}.pdf"
    pdf.write(pdf.Printed(SITE, CHOSEN[name], False, ""), file)
    assert 1 <= pdf.count(file) <= most and file.stat().st_size < 5e6
    assert b"/Outlines" in file.read_bytes()


@pytest.fixture(scope="module")
def articles(site):
    """Each page of Part I as in the PDF, without solutions."""
    printed = pdf.Printed(SITE, CHOSEN["part-1"], False, "https://book.test/")
    return {page: printed.article(page) for page in printed.pages}


def chosen(articles, selector):
    return [found for article in articles.values() for found in article.select(selector)]


@pytest.mark.browser
def test_proofs_are_open_and_solutions_are_left_out(articles):
    assert chosen(articles, ".solution") == []
    with_solutions = pdf.Printed(SITE, CHOSEN["part-1"], True, "")
    solved = {page: with_solutions.article(page) for page in with_solutions.pages[1:4]}
    assert len(chosen(solved, ".solution")) > 10
    proofs = [d for d in chosen(articles, "details") if "Proof" in d.select_one("summary").text]
    assert len(proofs) > 5 and all(d.has_attr("open") for d in proofs)
    assert chosen(articles, "script, button, form") == []
    long = (SITE / "book/pgd_convergence.html").read_text("utf-8")
    article = long[long.index("<article") : long.index("</article>")]
    assert "<noscript>" in article  # where a long page keeps its proofs
    assert chosen(articles, "noscript") == []


@pytest.mark.browser
def test_every_explorer_is_a_picture_with_its_address(articles):
    explorers = chosen(articles, ".slr-explorer")
    assert len(explorers) >= 6
    for each in explorers:
        assert each.select("svg, img") and each.select_one("a")["href"].startswith("https://book")


def test_without_a_site_it_says_so(tmp_path):
    line = [sys.executable, "-m", "slrbook.pdf"]
    (tmp_path / "_toc.yml").write_text((ROOT / "_toc.yml").read_text("utf-8"), "utf-8")
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "make book" in done.stderr
    assert set(CHOSEN["book"]) == set(chapters.contents(ROOT))
