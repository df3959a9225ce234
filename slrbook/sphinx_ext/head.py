"""What a page loads before it can be drawn: two style sheets, and no script.

The style sheets of the theme, of the extensions and of the book become one, without the rules for
classes that no page has. A second one contains the fonts, because text that is first drawn in
another font moves when its own arrives. Scripts run after the page has been parsed.
"""

import hashlib
import re
from pathlib import Path

import tinycss2

from slrbook import static

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


def text(file: Path) -> str:
    """A style sheet, with those that it imports in place."""
    return IMPORT.sub(lambda found: text(file.parent / found[1]), file.read_text("utf-8"))


def known(site: Path, pages: dict[Path, str]) -> set[str]:
    """The classes and ids of all pages, and all words in scripts."""
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
    """Whether one of the selectors of a rule can match, as far as its classes and ids tell."""
    outside = [token for token in prelude if token.type != "function"]  # not what :not() holds
    used = [NAMES.findall(selector) for selector in tinycss2.serialize(outside).split(",")]
    return any(all(name in names or name.startswith(OURS) for name in each) for each in used)


def pruned(rules: list, names: set[str], fonts: dict[str, str], folder: Path) -> str:
    """The rules that apply to some page; fonts from ``folder`` are put into ``fonts``."""
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
    """Write the file, and return its name with its version."""
    file.write_text(content, "utf-8")
    return f"{file.name}?v={hashlib.sha256(content.encode()).hexdigest()[:8]}"


def _finish(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    files = [file for file in site.rglob("*.html") if "_static" not in file.parts]
    pages = {file: file.read_text("utf-8") for file in files}
    sheets: list[Path] = []  # in the order in which the pages load them
    for file, page in pages.items():
        at = 0
        for address in SHEET.findall(page):
            sheet = (file.parent / address).resolve()
            if sheet in sheets:
                at = sheets.index(sheet) + 1
            else:
                sheets.insert(at, sheet)
                at += 1
    folder, names, fonts = site / "_static", known(site, pages), {}
    whole = [tinycss2.parse_stylesheet(text(sheet), True, True) for sheet in sheets]
    style = "\n".join(pruned(rules, names, fonts, folder) for rules in whole)
    links = [
        _written(folder / FONTS, "\n".join(fonts.values())),
        _written(folder / SITE, style),
    ]
    options = (folder / "documentation_options.js").read_text("utf-8")
    for file, page in pages.items():
        if not (first := SHEET.search(page)):
            continue
        place = first[1].partition("_static/")[0] + "_static/"
        both = "".join(f'\n<link rel="stylesheet" href="{place}{link}">' for link in links)
        page = page[: first.start()] + both + SHEET.sub("", page[first.start() :])
        page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
        if "searchtools.js" not in page:  # its scripts use those before them at once
            page = SCRIPT.sub("<script defer ", page)
        file.write_text(page, "utf-8")


def setup(app):
    app.connect("build-finished", _finish, priority=990)  # after all that write pages
    return {"parallel_read_safe": True, "parallel_write_safe": True}
