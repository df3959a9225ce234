"""The entries of the search besides whole pages: statements, figures, terms and others."""

from collections.abc import Iterator
from typing import NamedTuple

from bs4 import Tag

from slrbook.reading.pages import Pages
from slrbook.reading.plain import words

EXCERPT = 240  # letters
HEADINGS = ["h1", "h2", "h3", "h4"]


class Entry(NamedTuple):
    """An entry, which leads to an anchor of a page."""

    kind: str
    title: str
    page: str
    anchor: str
    text: str


def short(text: str) -> str:
    """Return the beginning of ``text``, up to the end of a word."""
    if len(text) <= EXCERPT:
        return text
    return text[:EXCERPT].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def box(tag: Tag) -> tuple[str, str]:
    """Return (title, text) of a statement or an exercise."""
    head = tag.select_one(".admonition-title")
    title = words(head) if head else ""
    return title, words(tag).removeprefix(title).strip()


def picture(tag: Tag) -> tuple[str, str]:
    """Return (title, text) of a figure: number and first sentence of the caption, whole caption."""
    caption = tag.select_one("figcaption")
    number = tag.select_one(".caption-number")
    named = words(number) if number else ""
    text = words(caption).removeprefix(named).strip() if caption else ""
    title = f"{named.rstrip('.')}: {first_sentence(text)}" if named else first_sentence(text)
    return title, text


def first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".")


def explorer(tag: Tag) -> tuple[str, str]:
    question = tag.select_one(".slr-question")
    label = tag.select_one("[role=group][aria-label]")
    name = str(label["aria-label"]) if label else "Explorer"
    return name, words(question) if question else ""


def word(tag: Tag) -> tuple[str, str]:
    meaning = tag.find_next_sibling("dd")
    title = words(tag) if str(tag["id"]).startswith("term-") else ""  # no functions of the package
    return title, words(meaning) if isinstance(meaning, Tag) else ""


def section(tag: Tag) -> tuple[str, str]:
    """Return a heading, and the paragraphs and formulas between it and the next heading."""
    head = tag.find(HEADINGS, recursive=False)
    below = tag.find_all(["p", "div"], recursive=False)
    text = words([x for x in below if x.name == "p" or "math" in (x.get("class") or [])])
    return words(head) if isinstance(head, Tag) else "", text


READERS = {  # by class or element, in the order of the entries of a page
    "proof": ("statement", box),
    "exercise": ("exercise", box),
    "slr-figure": ("figure", picture),
    "slr-explorer": ("explorer", explorer),
    "dt": ("word", word),
    "section": ("section", section),
}


def entries(pages: Pages) -> Iterator[Entry]:
    """Yield every statement, exercise, figure, explorer, word and section of the book."""
    for page, article in pages.items():
        named = article.find_all(id=True)
        for mark, (kind, read) in READERS.items():
            for tag in named:
                if tag.name == mark or mark in (tag.get("class") or []):
                    title, text = read(tag)
                    if title:
                        yield Entry(kind, title, page, str(tag["id"]), short(text))
