"""A small book with all reading aids, built once, with the settings of the real book."""

import functools
from pathlib import Path

import nbformat
import yaml
from booksource import ROOT, notebook
from fresh import python

from slrbook.card import card

ONE = """# One

See {eq}`eq-there` and {eq}`eq-here`, {prf:ref}`prop-there`, {cite}`paper`, {term}`oracle` and the
picture {ref}`of two <fig-here>`; {ref}`a section <sec-two>` has nothing to show.

$$ a = b^2 $$ (eq-here)
"""
TWO = r"""# Two

Words first, so that the page is long.

(sec-two)=
## A section of two

$$ \frac{c}{d} = \sqrt{e} $$ (eq-there)

:::{prf:proposition} Nothing is lost
:label: prop-there

For every $x > 0$ there is a $y$ with $y > x$.

```{dropdown} Proof
Folded words.
```
:::

```{exercise}
:label: ex-two

**Pencil.** Is there a largest $y$?
```

```{glossary}
oracle
  The predictor that knows $k^\star$, see {eq}`eq-here`.
```

```{bibliography}
```
"""
BASE, REPOSITORY = "https://book.example/slr", "https://github.com/example/slr-book"
PAPER = "@article{paper, author={A. Author}, title={A title}, journal={J}, year={2020}}"
FIGURE = (
    '<figure class="slr-figure"><svg viewBox="0 0 9 9" role="img" aria-label="a square of nine">'
    "<rect width='9' height='9'/></svg><figcaption>What is to be seen.</figcaption></figure>"
)
CARD = card("fig8", paper="19 of 20", ours="<18> of 20", verdict="the same").data
LINE = '<p class="slr-check slr-{}"><b>{}</b> {}</p>'


def said(html: str) -> list:
    return [nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": "a line"})]


def cell(source: str, *tags: str, outputs: list | None = None) -> nbformat.NotebookNode:
    """An executed code cell."""
    new = nbformat.v4.new_code_cell
    return new(source, metadata={"tags": list(tags)}, outputs=outputs or [], execution_count=1)


def printed(text: str) -> list:
    return [nbformat.v4.new_output("stream", name="stdout", text=text)]


def checked(source: str, *line: str) -> nbformat.NotebookNode:
    return cell(source, "hide-input", "check", outputs=said(LINE.format(*line)))


def chapter() -> list[nbformat.NotebookNode]:
    """The cells of the first chapter."""
    long = "2,000,000 simulations agree with the closed form of the risk, z = 0.17 " * 2
    return [
        nbformat.v4.new_markdown_cell(ONE),
        cell("import plain", outputs=printed("plain says this")),
        cell("silent = 1"),
        cell("taught = 2", "teach", outputs=printed("taught says this")),
        cell("folded = 3", "hide-input", outputs=printed("folded says this")),
        checked("check(1)", "holds", "✓", long),
        checked("check(0)", "holds", "✓", "So is it"),
        checked("check(2)", "fails", "✗", "It fails"),
        nbformat.v4.new_markdown_cell("(fig-here)="),
        cell("show(figure)", "hide-input", outputs=said(FIGURE)),
        cell("card(figure)", "remove-input", outputs=said(CARD)),
    ]


def settings() -> dict:
    """The real settings, with paths for use from another folder."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    sphinx = config["sphinx"]
    sphinx["config"]["html_static_path"] = [str(ROOT / "book" / "_static")]
    config["html"]["favicon"] = str(ROOT / config["html"]["favicon"])
    return config | {"title": "A small book", "bibtex_bibfiles": ["references.bib"]}


@functools.cache
def built(folder: Path) -> Path:
    """Build the book; return the folder of the site."""
    (folder / "book").mkdir()
    (folder / "_config.yml").write_text(yaml.safe_dump(settings()), "utf-8")
    chapters = [{"file": "book/one"}, {"file": "book/two"}]
    toc = {"format": "jb-book", "root": "book/intro"}
    toc["parts"] = [{"caption": "All", "numbered": True, "chapters": chapters}]
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")
    (folder / "book" / "intro.md").write_text("# A small book\n\nWords.\n", "utf-8")
    (folder / "book" / "two.md").write_text(TWO, "utf-8")
    (folder / "references.bib").write_text(PAPER, "utf-8")
    nbformat.write(notebook(chapter()), folder / "book" / "one.ipynb")
    command = "from jupyter_book.cli.main import main; main(prog_name='jupyter-book')"
    line = ["-c", command, "build", ".", "-W", "-n", "--keep-going"]
    place = {"BOOK_BASE_URL": BASE, "BOOK_REPOSITORY_URL": REPOSITORY}
    python(*line, folder=folder, SLR_EXECUTED=str(folder), PYTHONPATH=str(ROOT), **place)
    return folder / "_build" / "html"
