"""The built pages, read once: the previews of links, and the page of each anchor."""

import copy
import html
import posixpath
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

Pages = dict[str, Tag]  # the article of each page, by its name, such as "book/task"
NAMELESS = re.compile(r"id\d+|(figure|explorer)-\d+|[\w-]+-content")  # ids that extensions number
GONE, GONE_CLASSES = {"details", "script"}, {"headerlink", "backrefs"}  # removed from previews
ARTICLE = re.compile(r'<article class="bd-article".*</article>', re.DOTALL)
CODE = re.compile(r'<div class="highlight"><pre>.*?</pre></div>', re.DOTALL)
FORMULA = re.compile(r"(<math\b[^>]*>)(.*?)(</math>)", re.DOTALL)
KINDS = {"proof", "exercise", "math", "citation", "slr-figure"}


def read(folder: Path, names: Iterable[str]) -> Pages:
    """Return the articles of the pages ``names`` of the site in ``folder``.

    Code, which no preview or entry contains, is removed, and formulas become text: together they
    are most of the tags.
    """
    found = {}
    for name in sorted(names):
        if article := ARTICLE.search((folder / f"{name}.html").read_text("utf-8")):
            text = CODE.sub("", article[0])
            text = FORMULA.sub(lambda x: x[1] + html.escape(x[2], quote=False) + x[3], text)
            found[name] = BeautifulSoup(text, "html.parser").article
    return found


def address(page: str, link: str) -> tuple[str, str]:
    """Return (page, anchor) of a link on ``page``; two empty texts if it leaves the book."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not parts.fragment:
        return "", ""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
    return path.removesuffix(".html") if parts.path else page, unquote(parts.fragment)


def linked(pages: Pages) -> set[tuple[str, str]]:
    """Return (page, anchor) of every place in the book that a page links to."""
    links = [(page, a) for page, body in pages.items() for a in body.find_all("a", href=True)]
    links = [(page, a["href"]) for page, a in links if "headerlink" not in (a.get("class") or [])]
    return {address(page, str(link)) for page, link in links}


def seen(tag: Tag) -> Tag | None:
    """Return the element to preview for ``tag``: a statement, formula, figure, entry or word."""
    if tag.name == "dt":
        return tag
    kinds = set(tag.get("class") or [])
    if "cell" in kinds:  # a label in front of the cell that draws a figure
        return tag.select_one(".slr-figure")
    return tag if kinds & KINDS else None


def plain(tag: Tag) -> Tag:
    """Return a copy to be shown or read elsewhere, without proofs, links and ids."""
    shown = copy.copy(tag)
    if tag.name == "dt":  # a term, with its definition
        meaning = tag.find_next_sibling("dd")
        shown = BeautifulSoup("<dl></dl>", "html.parser").find("dl")
        assert isinstance(shown, Tag) and isinstance(meaning, Tag)
        shown.extend([copy.copy(tag), copy.copy(meaning)])
    shown.attrs.pop("id", None)
    for each in shown.find_all(True):
        each.attrs.pop("id", None)
        if each.name in GONE or GONE_CLASSES & set(each.get("class") or []):
            each.extract()
        elif each.name == "a":
            each.unwrap()
    return shown


def previews(pages: Pages) -> dict[str, dict[str, str]]:
    """Return the previews of each page: the HTML for each of its anchors that is linked to."""
    found: dict[str, dict[str, str]] = {page: {} for page in pages}
    named = {
        (page, str(tag["id"])): tag
        for page, article in pages.items()
        for tag in reversed(article.find_all(id=True))  # the first of equal names
    }
    for place in sorted(linked(pages) & set(named)):
        if (tag := seen(named[place])) is not None:
            page, anchor = place
            shown = str(plain(tag))
            found[page][anchor] = FORMULA.sub(lambda x: x[1] + html.unescape(x[2]) + x[3], shown)
    return found


def places(pages: Pages, renamed: dict[str, str] | None = None) -> dict[str, str]:
    """Return the page of each anchor that exists on only one page, to redirect old addresses.

    ``"find_token:"`` maps to a page with this explorer; any such page can take its state. An
    anchor in ``renamed`` maps to its new name, as ``book/page.html#new``.
    """
    homes: dict[str, dict[str, bool]] = {}
    for page, article in pages.items():
        for tag in article.find_all(id=True):
            homes.setdefault(str(tag["id"]), {})[page] = bool(KINDS & set(tag.get("class") or []))
    named = {name: where for name, where in homes.items() if not NAMELESS.match(name)}
    # A statement, formula or exercise takes precedence over a heading with the same name.
    best = {name: [p for p in where if where[p]] or [*where] for name, where in named.items()}
    explorers = {
        f"{tag['data-name']}:": page
        for page in sorted(pages)
        for tag in pages[page].select(".slr-explorer[data-name]")
    }
    found = explorers | {name: where[0] for name, where in best.items() if len(where) == 1}
    new = {old: new for old, new in (renamed or {}).items() if new in found}
    return found | {old: f"{found[name]}.html#{name}" for old, name in new.items()}
