"""Slides of the one-hour lecture, made from the table of the page for teachers.

Each row of the table is a slide: the question in large letters and the explorer of the row in the
mode for a class (``?class``). The minutes and the usual wrong answer are the speaker's notes.
"""

from pathlib import Path

from bs4 import BeautifulSoup

from slrbook.sphinx_ext.document import when_written

PAGE, NAME = "book/teaching", "book/slides.html"


def inside(cell) -> str:
    """What a cell of the table holds."""
    return "".join(map(str, (cell.find("p") or cell).contents))


def slide(row: list) -> tuple[str, ...]:
    """The parts of a slide: minutes, name and address of the explorer, question, wrong answer."""
    minutes, link, question, wrong = row
    page, _, state = str(link.select_one("a")["href"]).partition("#")
    name, address = link.get_text(" ", strip=True), f"{page}?class#{state}"
    return minutes.get_text(strip=True), name, address, inside(question), inside(wrong)


def _write(app):
    page = Path(app.outdir) / f"{PAGE}.html"
    if page.exists():
        soup = BeautifulSoup(page.read_text("utf-8"), "html.parser")
        rows = [row.find_all("td") for row in soup.select("table tbody tr")]
        shown = [slide(row) for row in rows if len(row) == 4 and row[1].select_one("a")]
        styles = "".join(map(str, soup.select('link[href*="formulas"]')))
        text = app.builder.templates.render("slides.html", {"rows": shown, "styles": styles})
        (Path(app.outdir) / NAME).write_text(text, "utf-8")


def setup(app):
    when_written(app, _write)
