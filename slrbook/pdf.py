"""The book as PDF: one page of HTML from the built pages, printed by Chromium.

``make pdf`` writes ``_build/pdf/book.pdf`` (all pages), ``part-1.pdf``, ``cheat_sheet.pdf`` and
``additions.pdf``. Chromium makes the outline from the headings and the links from the anchors; the
style sheet numbers the pages. Proofs are unfolded, explorers become pictures with their address,
and the solutions are left out unless ``--solutions`` is given.
"""

import argparse
import os
import re
import sys
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from slrbook import chapters, chromium

STYLE = Path(__file__).with_suffix(".css").read_text("utf-8")
TITLE = "Single-location regression, executable"
GONE = "script, .slr-steps, form, .slr-try, .slr-hands, .slr-more, .slr-tabs, .slr-note, button, "
GONE += "details.hide, details.slr-checked, details.answer, "  # folded code and answer boxes
GONE += 'details:has(> summary:-soup-contains("Hint", "hint"))'


class Printed:
    """The chosen pages of a built site as one page."""

    def __init__(self, site: Path, pages: list[str], solutions: bool, address: str):
        self.site, self.pages = site, pages
        self.solutions, self.address = solutions, address
        self.names = {Path(page).name for page in pages}
        self.head = ""

    def html(self) -> str:
        """Return the page, which belongs in the folder of the book's pages."""
        articles = "\n".join(str(self.article(page)) for page in self.pages)
        return (
            '<!DOCTYPE html>\n<html lang="en" data-theme="light" data-mode="light">\n<head>'
            f'<meta charset="utf-8"><title>{TITLE}</title>{self.head}'
            f'<style>{STYLE}</style></head>\n<body class="bd-content">\n'
            f'<main class="bd-main">\n{articles}</main></body></html>\n'
        )

    def article(self, page: str) -> Tag:
        soup = BeautifulSoup((self.site / f"{page}.html").read_text("utf-8"), "html.parser")
        self.head = self.head or "".join(map(str, soup.select("head link[rel=stylesheet]")))
        found = soup.select_one("article.bd-article")
        assert found is not None
        name = Path(page).name
        for kept in found.select("noscript"):  # large folds of long pages: see reading/folds.py
            kept.unwrap()
        for explorer in found.select(".slr-explorer"):
            self.still(soup, explorer, name)
        for gone in found.select(GONE + ", details.solution" * (not self.solutions)):
            gone.decompose()
        for details in found.select("details"):
            details["open"] = ""
        for image in found.select("img[loading]"):
            del image["loading"]
        for math in found.select("math"):  # else each letter is an element of the tagged PDF
            math["aria-hidden"] = "true"
            math.wrap(soup.new_tag("span", attrs={"role": "img", "aria-label": math.get_text()}))
        for tag in found.select("[id]"):
            tag["id"] = f"{name}--{tag['id']}"
        for link in found.select("a[href]"):
            self.lead(link, name)
        found["id"] = name
        return found

    def still(self, soup: BeautifulSoup, explorer: Tag, name: str) -> None:
        """Replace an explorer by its picture and a link to the interactive version."""
        explorer["class"] = "slr-explorer slr-printed"
        path = f"book/{name}.html#{explorer['data-name']}:"
        link = soup.new_tag("a", href=f"{self.address}{path}")
        link.string = f"Interactive: {self.address}{path}"
        explorer.append(link)
        cell = explorer.find_parent(class_="cell")
        for code in cell.select(".cell_input") if cell else []:
            code.decompose()

    def lead(self, link: Tag, name: str) -> None:
        """Make a link lead to its target in this document, or else to the site."""
        uri = str(link["href"])
        if re.match(r"[a-z]+:", uri):
            return
        page, _, anchor = uri.partition("#")
        target = Path(page).stem if page else name
        if target in self.names and ":" not in anchor:
            link["href"] = f"#{target}--{anchor}" if anchor else f"#{target}"
        elif self.address:
            link["href"] = f"{self.address}book/{target}.html" + f"#{anchor}" * bool(anchor)
        else:
            del link["href"]


def write(printed: Printed, file: Path) -> None:
    """Print the pages to ``file``."""
    page = printed.site / "book" / f".{file.stem}.htm"  # not .html: no page of the site
    page.write_text(printed.html(), "utf-8")
    file.parent.mkdir(parents=True, exist_ok=True)
    flags = ["--disable-gpu", "--generate-pdf-document-outline", "--no-pdf-header-footer"]
    flags += ["--allow-file-access-from-files", "--virtual-time-budget=120000"]
    try:
        chromium.render(page, file, *flags, f"--print-to-pdf={file}")
    finally:
        page.unlink()


def count(file: Path) -> int:
    """Return the number of pages of a PDF that Chromium wrote."""
    return len(re.findall(rb"/Type\s*/Page\b", file.read_bytes()))


def choices(root: Path) -> dict[str, list[str]]:
    """Return the pages of each PDF."""
    pages, parts = chapters.contents(root), chapters.parts(root)
    return {
        "book": pages,
        "part-1": [pages[0], *parts[0][1]],
        "cheat_sheet": ["book/cheat_sheet"],
        "additions": ["book/additions"],
    }


def main() -> int:
    """Run ``python -m slrbook.pdf`` and return its exit status."""
    root = Path.cwd()
    chosen = choices(root)
    command = argparse.ArgumentParser(description="Print the built book to PDF.")
    command.add_argument("names", nargs="*", default=[*chosen], help=", ".join(chosen))
    command.add_argument("--solutions", action="store_true", help="print the solutions too")
    given = command.parse_args()
    site = root / "_build" / "html"
    if not (site / "index.html").exists():
        print("There is no built book yet: please run 'make book' first.", file=sys.stderr)
        return 1
    address = os.environ.get("BOOK_BASE_URL", "")
    address += "/" * bool(address and not address.endswith("/"))
    for name in given.names:
        file = root / "_build" / "pdf" / f"{name}.pdf"
        write(Printed(site, chosen[name], given.solutions, address), file)
        print(f"{file}: {count(file)} pages, {file.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
