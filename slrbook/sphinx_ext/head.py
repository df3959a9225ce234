"""What a page loads before it can be drawn: two style sheets, and no script.

The style sheets of the theme, of the extensions and of the book become one, without the rules for
classes that no page has. A second one holds the fonts: text that is drawn in another font first
would move. Scripts wait until the page has been read.
"""

import base64
import hashlib
import re
from pathlib import Path

import tinycss2

SITE, FONTS = "slr-site.css", "slr-fonts.css"
SHEET = re.compile(r'\s*<link (?=[^>]*rel="stylesheet")[^>]*href="([^"?]*)[^>]*>')
SCRIPT = re.compile(r'<script (?=[^>]*src="[^"]*_static/)(?!defer)')
OPTIONS = re.compile(r'<script [^>]*src="[^"]*documentation_options\.js[^>]*></script>')
CLASSES = re.compile(r'(?:class|id)=["\']([^"\']*)')
IMPORT = re.compile(r"""@import\s*(?:url\()?["']?([\w./-]+)["']?\)?;""")
FONT = re.compile(r"""url\(["']?([\w-]+\.woff2)["']?\)""")
LATER = ("slr-sans-it", "slr-marks", "slr-greek")  # of a few words; they come when needed
OURS = "slr"  # our scripts put names of classes together, so none that begins so is dropped
LONGEST = 300_000  # characters of a script that sets classes; longer ones are models and engines


def text(file: Path) -> str:
    """A style sheet with what it imports."""
    return IMPORT.sub(lambda found: text(file.parent / found[1]), file.read_text("utf-8"))


def known(site: Path, pages: dict[Path, str]) -> set[str]:
    """The classes and ids of all pages, and the words of all scripts."""
    found: set[str] = set()
    for page in pages.values():
        found.update(*(each.split() for each in CLASSES.findall(page)))
        scripts = re.findall(r"<script.*?</script>", page, re.S)
        found.update(*(re.findall(r"[\w-]+", each) for each in scripts))
    for file in (site / "_static").rglob("*.js"):
        if "locales" not in file.parts and file.stat().st_size < LONGEST:
            found.update(re.findall(r"[\w-]+", file.read_text("utf-8")))
    return found


def _applies(selector: list, names: set[str]) -> bool:
    """Whether an element can match, as far as its classes and ids tell."""
    for token, after in zip(selector, [*selector[1:], None], strict=True):
        if token.type == "hash" and token.value not in names:
            return False
        if token == "." and after is not None and after.type == "ident":
            if after.value not in names and not after.value.startswith(OURS):
                return False
    return True


def _selectors(prelude: list) -> list[list]:
    parts: list[list] = [[]]
    for token in prelude:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def pruned(rules: list, names: set[str], fonts: dict[str, str], folder: Path) -> str:
    """The rules that apply to some page; those of fonts go to ``fonts``."""
    kept = []
    for rule in rules:
        body = tinycss2.serialize(
            [token for token in rule.content or [] if token.type != "comment"]
        )
        body = re.sub(r"\s+", " ", body).strip()
        if rule.type == "qualified-rule":
            each = [s for s in _selectors(rule.prelude) if _applies(s, names)]
            if each:
                head = ",".join(tinycss2.serialize(s).strip() for s in each)
                kept.append(f"{head}{{{body}}}")
        elif rule.at_keyword in {"media", "supports"}:
            parsed = tinycss2.parse_rule_list(rule.content, True, True)
            if inner := pruned(parsed, names, fonts, folder):
                kept.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        elif rule.at_keyword == "font-face":
            file = folder / (found[1] if (found := FONT.search(body)) else "missing")
            if not file.exists():  # icons of the theme, of which the site has its own few
                continue
            if file.stem in LATER:
                kept.append(f"@font-face{{{body}}}")
            else:
                data = base64.b64encode(file.read_bytes()).decode()
                body = FONT.sub(f'url("data:font/woff2;base64,{data}")', body)
                body = re.sub(r"font-display: \w+", "font-display: block", body)  # see early.js
                fonts[file.stem] = f"@font-face{{{body}}}"
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
    static, names, fonts = site / "_static", known(site, pages), {}
    whole = [tinycss2.parse_stylesheet(text(sheet), True, True) for sheet in sheets]
    style = "\n".join(pruned(rules, names, fonts, static) for rules in whole)
    links = [
        _written(static / FONTS, "\n".join(fonts.values())),
        _written(static / SITE, style),
    ]
    options = (static / "documentation_options.js").read_text("utf-8")
    for file, page in pages.items():
        if not (first := SHEET.search(page)):
            continue
        place = first[1].partition("_static/")[0] + "_static/"
        both = "".join(f'\n<link rel="stylesheet" href="{place}{link}">' for link in links)
        page = page[: first.start()] + both + SHEET.sub("", page[first.start() :])
        page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
        if "searchtools.js" not in page:  # the scripts of the search rely on those before them
            page = SCRIPT.sub("<script defer ", page)
        file.write_text(page, "utf-8")


def setup(app):
    app.connect("build-finished", _finish, priority=990)  # after all that write pages
    return {"parallel_read_safe": True, "parallel_write_safe": True}
