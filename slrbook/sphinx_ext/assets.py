"""What pages load: scripts, two style sheets, and files for search and previews.

Nothing on a page comes from another host, and no script is loaded twice. The style sheets of the
theme, of the extensions and of the book are merged into one, without the rules for classes that no
page has and without unused variables. A second style sheet contains the fonts, because text moves
if it is first drawn in a fallback font. Scripts run after the page has been parsed.
"""

import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import tinycss2
from docutils import nodes

from slrbook import formulas, reading, static
from slrbook.explorers.read_a_sentence.in_browser import site as model
from slrbook.reading import entries, folds, pages
from slrbook.sphinx_ext.document import when_written
from slrbook.tryit import site as tryit
from slrbook.tryit import wheel
from slrlib import language
from slrlib.language import extra

LABEL_OF_FOLDS = '<summary aria-label="Toggle hidden content">'
UNUSED = """THEBE_JS_URL sphinx-thebe vnd.jupyter.widget-state+json togglebutton toggleHint
toggleOpenOnPrint""".split()

SITE, FONTS = "slr-site.css", "slr-fonts.css"
SHEET = re.compile(r'\s*<link (?=[^>]*rel="stylesheet")[^>]*href="([^"?]*)[^>]*>')
SCRIPT = re.compile(r'<script (?=[^>]*src="[^"]*_static/)(?!defer)')
OPTIONS = re.compile(r'<script [^>]*src="[^"]*documentation_options\.js[^>]*></script>')
NAMES = re.compile(r"[.#]([A-Za-z_][\w-]*)")
CLASSES = re.compile(r'(?:class|id)=["\']([^"\']*)')
IMPORT = re.compile(r"""@import\s*(?:url\()?["']?([\w./-]+)["']?\)?;""")
LATER = ("slr-sans-it", "slr-marks")  # for a few words; loaded when a page needs them
OURS = "slr"  # our scripts compose such names of classes, so their rules are kept
LONGEST = 300_000  # bytes; longer scripts are models and engines, and set no classes


class Offer(NamedTuple):
    """Scripts and styles for the pages that contain ``mark``, written only if one of them does."""

    mark: str
    files: tuple[str, ...]  # loaded with the page
    write: Callable[[Path], None]  # writes these and all that they load into _static
    available: Callable[[], bool] = lambda: True


@cache  # several pages call it
def _write_model(folder: Path) -> None:
    model.write(folder, language.load())


TRY = (tryit.SCRIPT, "slr.css", tryit.STYLE)
# In the order in which a page loads them. The files of explorers are always written.
OFFERS = (
    Offer('class="slr-explorer"', ("slr.js", "slr.css"), lambda folder: None),
    Offer('data-name="read_a_sentence"', (model.SCRIPT,), _write_model, extra.available),
    Offer('class="slr-try"', TRY, cache(tryit.write), wheel.available),
)


def wanted(body: str) -> list[Offer]:
    """Return the offers for a page."""
    return [offer for offer in OFFERS if offer.mark in body and offer.available()]


def _write(app):
    if app.builder.format == "html":
        for module in (formulas, reading, static):
            module.write(Path(app.outdir) / "_static")
        app.add_js_file(None, body=reading.source("early.js"), priority=1)
        app.add_js_file(reading.SCRIPT)
        app.add_css_file(reading.STYLE)
        app.add_css_file(formulas.STYLE)


def _load(app, pagename, templatename, context, doctree):
    if pagename == "search":
        for name in (reading.SEARCH, "slr-entries.js"):
            app.add_js_file(name, loading_method="defer")
    for name in [name for offer in wanted(context.get("body", "")) for name in offer.files]:
        (app.add_js_file if name.endswith(".js") else app.add_css_file)(name)
    if "body" in context:  # the label of myst-nb would hide the fold's own summary
        context["body"] = context["body"].replace(LABEL_OF_FOLDS, "<summary>")


def _drop_unused(app, pagename, templatename, context, doctree):
    """Drop repeated files, the notebook launcher Thebe, toggle buttons and the state of widgets.

    Explorers contain their own numbers, the book does not use Thebe, and its folds need no script.
    """
    for kind in ("script_files", "css_files"):
        used = {}
        for file in context.get(kind, []):
            key = file.filename or "", *map(file.attributes.get, ("type", "body"))
            if not any(name in part[:200] for name in UNUSED for part in filter(None, key)):
                used.setdefault(key, file)
        context.get(kind, [])[:] = used.values()


def _call(file: Path, name: str, *values) -> None:
    """Write a classic script that calls ``name``: unlike ``fetch``, it also works from a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{name}({', '.join(map(json.dumps, values))});\n", "utf-8")


def _offer(app, doctree):
    """Write the files of a page's offers once it is read, while other chapters still run."""
    if app.builder.format == "html":
        for offer in wanted("".join(raw.astext() for raw in doctree.findall(nodes.raw))):
            offer.write(Path(app.outdir) / "_static")


def _finish(app):
    """Write the files that need all pages: previews, anchors and entries of the search."""
    folder = Path(app.outdir) / "_static"
    read = pages.read(Path(app.outdir), app.env.found_docs)
    for page, found in pages.previews(read).items():
        _call(folder / "previews" / f"{page}.js", "slrPreviews", page, found)
    _call(folder / "slr-places.js", "slrPlaces", pages.places(read, reading.moved()["anchors"]))
    _call(folder / "slr-entries.js", "slrEntries", list(entries.entries(read)))


def text(file: Path) -> str:
    """Return a style sheet, with the imported style sheets inserted."""
    return IMPORT.sub(lambda found: text(file.parent / found[1]), file.read_text("utf-8"))


def known(site: Path, pages: dict[Path, str]) -> set[str]:
    """Return the classes and ids of all pages, and all words in scripts."""
    found: set[str] = set()
    for page in pages.values():
        found.update(*(each.split() for each in CLASSES.findall(page)))
        scripts = re.findall(r"<script.*?</script>", page, re.S)
        found.update(*(re.findall(r"[\w-]+", each) for each in scripts))
    for file in (site / "_static").rglob("*.js"):
        if "locales" not in file.parts and file.stat().st_size < LONGEST:
            found.update(re.findall(r"[\w-]+", file.read_text("utf-8")))
    return found


def applies(prelude: list, names: set[str]) -> bool:
    """Return whether a selector of a rule can match, judging by its classes and ids."""
    outside = [token for token in prelude if token.type != "function"]  # not what :not() holds
    used = [NAMES.findall(selector) for selector in tinycss2.serialize(outside).split(",")]
    return any(all(name in names or name.startswith(OURS) for name in each) for each in used)


def pruned(rules: list, names: set[str], fonts: dict[str, str], folder: Path) -> str:
    """Return the rules that apply to some page; put fonts from ``folder`` into ``fonts``."""
    kept = []
    for rule in rules:
        tokens = [token for token in rule.content or [] if token.type != "comment"]
        body = re.sub(r"\s+", " ", tinycss2.serialize(tokens)).strip()
        if rule.type == "qualified-rule":
            if applies(rule.prelude, names):
                kept.append(f"{tinycss2.serialize(rule.prelude).strip()}{{{body}}}")
        elif rule.at_keyword in {"media", "supports"}:
            parsed = tinycss2.parse_rule_list(rule.content, True, True)
            if inner := pruned(parsed, names, fonts, folder):
                kept.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        elif rule.at_keyword == "font-face":
            found = static.FONT.search(body)
            if not found or not (folder / found[1]).exists():  # the theme's icons; the site has few
                continue
            if (name := Path(found[1]).stem) in LATER:
                kept.append(f"@font-face{{{body}}}")
            else:
                body = re.sub(r"font-display: \w+", "font-display: block", body)  # see early.js
                fonts[name] = f"@font-face{{{static.with_fonts(body, folder)}}}"
        else:
            kept.append(rule.serialize())
    return "\n".join(kept)


def _written(file: Path, content: str) -> str:
    """Write the file, and return its name with a version."""
    file.write_text(content, "utf-8")
    return f"{file.name}?v={hashlib.sha256(content.encode()).hexdigest()[:8]}"


def _merge(app):
    site = Path(app.outdir)
    files = [file for file in site.rglob("*.html") if "_static" not in file.parts]
    pages = {file: file.read_text("utf-8") for file in files}
    loaded = [
        [(file.parent / address).resolve() for address in SHEET.findall(page)]
        for file, page in pages.items()
    ]
    # In the order of the page that loads most; others load a part of these in the same order.
    sheets = dict.fromkeys(chain(*sorted(loaded, key=len, reverse=True)))
    folder, names, fonts = site / "_static", known(site, pages), {}
    whole = [tinycss2.parse_stylesheet(text(sheet), True, True) for sheet in sheets]
    style = "\n".join(pruned(rules, names, fonts, folder) for rules in whole)
    sheet = "\n".join(fonts.values())
    links = [_written(folder / FONTS, sheet), _written(folder / SITE, style)]
    options = (folder / "documentation_options.js").read_text("utf-8")
    for file, page in pages.items():
        if not (first := SHEET.search(page)):
            continue
        place = first[1].partition("_static/")[0] + "_static/"
        both = "".join(f'\n<link rel="stylesheet" href="{place}{link}">' for link in links)
        page = page[: first.start()] + both + SHEET.sub("", page[first.start() :])
        page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
        if "searchtools.js" not in page:  # its inline scripts need earlier ones immediately
            page = SCRIPT.sub("<script defer ", page)
        file.write_text(folds.held(page), "utf-8")


def setup(app):
    app.config.templates_path.append(str(Path(__file__).parent / "templates"))
    app.connect("builder-inited", _write)
    app.connect("doctree-read", _offer)
    app.connect("html-page-context", _load)
    app.connect("html-page-context", _drop_unused, priority=950)  # after all that add files
    when_written(app, _finish)
    when_written(app, _merge, priority=990)  # after all that write pages
