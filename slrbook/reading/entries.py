"""What the search of the book finds beyond whole pages: each place that a reader may ask for."""

from collections.abc import Iterator
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

from slrbook.reading.pages import Pages
from slrbook.reading.plain import words

EXCERPT = 240  # letters
EXPLORER, FIGURE = ".slr-explorer", "figure.slr-figure"


class Entry(NamedTuple):
    """A place of the book, in words."""

    kind: str
    title: str
    page: str
    anchor: str
    text: str


def short(text: str) -> str:
    """The beginning of ``text``, up to the end of a word."""
    if len(text) <= EXCERPT:
        return text
    return text[:EXCERPT].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def box(tag: Tag, kind: str) -> tuple[str, str, str]:
    """(kind, title, text) of a statement or an exercise."""
    head = tag.select_one(".admonition-title")
    title = words(head) if head else ""
    return kind, title, words(tag).removeprefix(title).strip()


def picture(tag: Tag, kind: str) -> tuple[str, str, str]:
    """The same of a figure: its number, if it has one, and the first sentence of its caption."""
    caption = tag.select_one("figcaption")
    number = tag.select_one(".caption-number")
    named = words(number) if number else ""
    text = words(caption).removeprefix(named).strip() if caption else ""
    title = f"{named.rstrip('.')}: {first_sentence(text)}" if named else first_sentence(text)
    return kind, title, text


def first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".")


def explorer(tag: Tag, kind: str) -> tuple[str, str, str]:
    question = tag.select_one(".slr-question")
    label = tag.select_one("[role=group][aria-label]")
    name = str(label["aria-label"]) if label else "Explorer"
    return kind, name, words(question) if question else ""


def word(tag: Tag, kind: str) -> tuple[str, str, str]:
    meaning = tag.find_next_sibling("dd")
    return kind, words(tag), words(meaning) if isinstance(meaning, Tag) else ""


def section(tag: Tag, kind: str) -> tuple[str, str, str]:
    """A heading, with the paragraphs and formulas below it and above the next heading."""
    head = tag.find(["h1", "h2", "h3", "h4"], recursive=False)
    below = "".join(map(str, tag.select(":scope > p, :scope > div.math")))
    text = words(BeautifulSoup(below, "html.parser"))
    return kind, words(head) if isinstance(head, Tag) else "", text


KINDS = (
    ("statement", ".proof[id]", box),
    ("exercise", ".exercise[id]", box),
    ("figure", f"{FIGURE}[id]", picture),
    ("explorer", f"{EXPLORER}[id]", explorer),
    ("word", "dt[id^=term-]", word),
    ("section", "section[id]:has(> h1, > h2, > h3, > h4)", section),
)


def entries(pages: Pages) -> Iterator[Entry]:
    """Every statement, exercise, figure, explorer, word and section of the book."""
    for page, article in pages.items():
        for kind, selector, read in KINDS:
            for tag in article.select(selector):
                name, title, text = read(tag, kind)
                if title:
                    yield Entry(name, title, page, str(tag["id"]), short(text))
