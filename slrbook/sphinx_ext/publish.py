"""Settings from the environment, metadata of published pages, and slides.

SLR_EXECUTED is a folder with executed notebooks; without it Sphinx executes them, as
`jupyter-book build .` does. With SLR_WAITS it waits for each of them until standard input ends.
With BOOK_REPOSITORY_URL, buttons lead to the repository. BOOK_BASE_URL is the address of the
published site; without it no page contains the address of another host, and there is no site map,
``robots.txt`` or page for wrong addresses.
"""

import os
import re
import select
import subprocess
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from bs4 import BeautifulSoup

import slrlib
from slrbook import chapters, chromium
from slrbook.reading.plain import formula
from slrbook.sphinx_ext.document import when_written

CARD = Path(__file__).parents[2] / "docs" / "puzzle.png"
FIGURE = re.compile(r'class="slr-light"[^>]* src="[./]*_images/(\w+\.\w+)"')
LAUNCH = {
    "notebook_interface": "jupyterlab",
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
}
TEACHING, SLIDES = "book/teaching", "book/slides.html"
UNLISTED = {"404", "search", "genindex", "prf-prf"}
LOST = '<h1>This page does not exist</h1><p>Go to the <a href="{}">first page</a> or search.</p>'


def described(root: Path, page: str) -> str:
    """Return the subject that a page states, as plain text."""
    text = chapters.about(root, page).get("about", "").replace("`", "")
    return re.sub(r"\$([^$]+)\$", lambda found: formula(found[1]), text)


def _photograph(picture: str, path: Path) -> None:
    """Convert an SVG to a PNG with the installed Chromium."""
    width, height = (int(x) for x in re.findall(r' (?:width|height)="(\d+)', picture)[:2])
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(f'<meta charset="utf-8"><body style="margin:0">{picture}</body>', "utf-8")
        flags = ["--hide-scrollbars", f"--window-size={width},{height}"]
        flags += ["--force-device-scale-factor=3", f"--screenshot={path}"]
        chromium.render(page, path, *flags)


def _picture(folder: Path, body: str) -> str:
    """Return the address of the preview picture: the first figure as PNG, or the book's."""
    if not (figure := FIGURE.search(body)):
        return f"_static/{CARD.name}"
    file = folder / "_images" / figure[1]
    card = file.with_suffix(".png")
    if not card.exists():
        try:
            _photograph(re.sub(r'(\d)pt"', r'\1"', file.read_text("utf-8")), card)
        except FileNotFoundError:  # there is no browser
            return f"_static/{CARD.name}"
    return f"_images/{card.name}"


def _revision() -> str:
    """Return the version and, in a git clone, the commit and its date."""
    command = ["git", "log", "-1", "--format=%h, %cs"]
    try:
        said = subprocess.run(command, cwd=CARD.parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return f"Version {slrlib.__version__}"
    return f"Version {slrlib.__version__} ({said.stdout.strip()})"


def _configure(app, config):
    if os.environ.get("SLR_EXECUTED"):
        config.nb_execution_mode = "off"
    options = config.html_theme_options
    slug = os.environ.get("GITHUB_REPOSITORY")
    url = os.environ.get("BOOK_REPOSITORY_URL") or (f"https://github.com/{slug}" if slug else "")
    options["repository_url"] = url
    options["launch_buttons"] = LAUNCH if url else {}
    if url:
        options["repository_branch"] = os.environ.get("BOOK_BRANCH") or "main"
        for button in ("repository", "edit_page", "issues"):
            options[f"use_{button}_button"] = True
    options["extra_footer"] += f"<p>{_revision()}</p>"
    if base := os.environ.get("BOOK_BASE_URL", ""):
        config.html_baseurl = base.rstrip("/") + "/"


def _order(app, env, docnames):
    """Read the chapters last, in the order in which they run."""
    root = Path(app.srcdir)
    run = chapters.longest_first(root, chapters.notebooks(root))
    docnames.sort(key=lambda page: run.index(page) if page in run else -1)


def _read_executed(app, docname, source):
    """Replace a notebook by its executed copy, where there is one (see slrbook.build)."""
    if not (folder := os.environ.get("SLR_EXECUTED")):
        return
    file = Path(folder) / f"{docname}.ipynb"
    if os.environ.get("SLR_WAITS") and (Path(app.srcdir) / f"{docname}.ipynb").exists():
        while not file.exists() and not select.select([sys.stdin], [], [], 0.2)[0]:
            pass
    if file.exists():
        source[0] = file.read_text("utf-8")


def _describe(app, pagename, templatename, context, doctree):
    base, tags = app.config.html_baseurl, {}
    if doctree is not None:
        tags = {"og:title": app.env.titles[pagename].astext(), "og:type": "article"}
        tags["og:site_name"] = app.config.html_title or app.config.project
        if text := described(Path(app.srcdir), pagename):
            tags |= {"description": text, "og:description": text}
    if base and tags:
        picture = _picture(Path(app.outdir), context.get("body", ""))
        tags |= {"og:url": f"{base}{pagename}.html", "og:image": f"{base}{picture}"}
        tags["twitter:card"] = "summary_large_image"
    lines = [context.get("metatags", "")]
    for name, text in tags.items():
        kind = "property" if name.startswith("og:") else "name"
        lines.append(f'<meta {kind}="{name}" content="{escape(text)}">')
    if pagename == "404":  # it is served at any address
        lines.append(f'<base href="{escape(base)}">')
    context["metatags"] = "\n".join(lines)


def _pages(app):
    if base := app.config.html_baseurl:
        home = f"{base}{app.config.root_doc}.html"
        yield "404", {"title": "Page not found", "body": LOST.format(escape(home))}, "page.html"


def _finish(app):
    if not (base := app.config.html_baseurl):
        return
    folder = Path(app.outdir)
    names = sorted(set(app.env.found_docs) - UNLISTED)
    places = "".join(f"<url><loc>{escape(base)}{name}.html</loc></url>\n" for name in names)
    kind = "http://www.sitemaps.org/schemas/sitemap/0.9"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    text = f'{head}<urlset xmlns="{kind}">\n{places}</urlset>\n'
    (folder / "sitemap.xml").write_text(text, "utf-8")
    (folder / "robots.txt").write_text(f"User-agent: *\nSitemap: {base}sitemap.xml\n", "utf-8")
    (folder / "_static" / CARD.name).write_bytes(CARD.read_bytes())


def inside(cell) -> str:
    """Return the content of a cell of the table."""
    return "".join(map(str, (cell.find("p") or cell).contents))


def slide(row: list) -> tuple[str, ...]:
    """Return minutes, name and address of the explorer, question and wrong answer of a slide."""
    minutes, link, question, wrong = row
    page, _, state = str(link.select_one("a")["href"]).partition("#")
    name, address = link.get_text(" ", strip=True), f"{page}?class#{state}"
    return minutes.get_text(strip=True), name, address, inside(question), inside(wrong)


def _slides(app):
    """Make the slides of the lecture from the table of the page for teachers.

    Each row is a slide: the question in large letters and the explorer of the row in the mode for a
    class (``?class``). The minutes and the usual wrong answer are the speaker's notes.
    """
    page = Path(app.outdir) / f"{TEACHING}.html"
    if page.exists():
        soup = BeautifulSoup(page.read_text("utf-8"), "html.parser")
        rows = [row.find_all("td") for row in soup.select("table tbody tr")]
        shown = [slide(row) for row in rows if len(row) == 4 and row[1].select_one("a")]
        styles = "".join(map(str, soup.select('link[href*="formulas"]')))
        text = app.builder.templates.render("slides.html", {"rows": shown, "styles": styles})
        (Path(app.outdir) / SLIDES).write_text(text, "utf-8")


def setup(app):
    app.connect("config-inited", _configure, priority=100)
    app.connect("env-before-read-docs", _order)
    app.connect("source-read", _read_executed)
    app.connect("html-page-context", _describe)
    app.connect("html-collect-pages", _pages)
    when_written(app, _slides)
    when_written(app, _finish)
