"""Slides of the one-hour lecture, made from the table of the page for teachers.

Each row of the table is a slide: the question in large letters and the explorer of the row in the
mode for a class (``?class``). The minutes and the usual wrong answer are the speaker's notes.
"""

from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

PAGE, NAME = "book/teaching", "book/slides.html"
STYLE = """
html { font: 26px/1.35 sans-serif; color: #1f2328; background: #fff; }
body { margin: 0; }
section { display: none; height: 100vh; box-sizing: border-box; padding: 1.2rem 1.6rem 3rem; }
section.now { display: flex; flex-direction: column; gap: .6rem; }
h1, h2 { margin: 0; font-size: 1.5rem; }
section.title { justify-content: center; text-align: center; }
iframe { flex: 1; border: 1px solid #bbb; }
footer { font-size: .7rem; display: flex; justify-content: space-between; }
aside { display: none; font-size: .8rem; background: #fff3cd; padding: .4rem .8rem; }
.notes aside { display: block; }
button { font: inherit; min-width: 44px; min-height: 44px; }
"""
SCRIPT = """
const slides = [...document.querySelectorAll("section")];
const asked = Number(location.hash.slice(1)) - 1;
let at = slides[asked] ? asked : 0;
function show(next) {
  at = Math.min(Math.max(next, 0), slides.length - 1);
  slides.forEach((slide, i) => slide.classList.toggle("now", i === at));
  const frame = slides[at].querySelector("iframe[data-src]");
  if (frame) frame.src = frame.dataset.src;
  frame?.removeAttribute("data-src");
  history.replaceState(null, "", `#${at + 1}`);
}
document.addEventListener("keydown", ({ key }) => {
  if (["ArrowRight", "PageDown", " "].includes(key)) show(at + 1);
  if (["ArrowLeft", "PageUp"].includes(key)) show(at - 1);
  if (key === "n") document.body.classList.toggle("notes");
});
for (const button of document.querySelectorAll("button"))
  button.addEventListener("click", () => show(at + Number(button.value)));
show(at);
"""


def inside(cell) -> str:
    """What a cell of the table holds."""
    return "".join(map(str, (cell.find("p") or cell).contents))


def slide(row: list) -> str:
    """The slide of a row: minutes, link, question, the usual wrong answer."""
    minutes, link, question, wrong = row
    page, _, state = str(link.select_one("a")["href"]).partition("#")
    return (
        f"<section><h2>{inside(question)}</h2>"
        f'<iframe title="{escape(link.get_text(" ", strip=True))}" '
        f'data-src="{page}?class#{state}"></iframe>'
        f"<aside><b>Minutes {minutes.get_text(strip=True)}.</b> Usual wrong answer: "
        f"{inside(wrong)}</aside></section>"
    )


def slides(text: str) -> str:
    """The page of slides, from the built page for teachers."""
    soup = BeautifulSoup(text, "html.parser")
    rows = [row.find_all("td") for row in soup.select("table tbody tr")]
    shown = [slide(row) for row in rows if len(row) == 4 and row[1].select_one("a")]
    styles = "".join(map(str, soup.select('link[href*="formulas"]')))
    title = (
        '<section class="title"><h1>Which token matters? A lecture of one hour</h1>'
        "<p>Arrow keys: next and previous slide. N: notes for the speaker.</p></section>"
    )
    foot = (
        '<footer style="position:fixed;right:1rem;bottom:.2rem"><button value="-1" '
        'aria-label="previous slide">‹</button><button value="1" aria-label="next slide">›</button>'
        "</footer>"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Slides of a lecture of one hour</title>{styles}<style>{STYLE}</style></head>"
        f"<body>{title}{''.join(shown)}{foot}<script>{SCRIPT}</script></body></html>\n"
    )


def _write(app, exception):
    page = Path(app.outdir) / f"{PAGE}.html"
    if exception is None and page.exists():
        (Path(app.outdir) / NAME).write_text(slides(page.read_text("utf-8")), "utf-8")


def setup(app):
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
