"""*Try it* in a browser: the book's code against JAX, user input, files, a strict policy."""

from html import escape

import pytest
from browsing import fresh_page
from explored import accessible, quiet
from tried import WithJax, same, snippets

from slrbook import reading, static
from slrbook.tryit import site

pytestmark = pytest.mark.browser

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src data:; font-src 'self'; worker-src blob:"
)
HEAD = (
    '<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>try</title>'
    '<link rel="icon" href="data:,">{policy}'
    '<link rel="stylesheet" href="slr.css"><link rel="stylesheet" href="slr-try.css">'
    '<script src="early.js"></script><script src="slr-try.js"></script>'
    "<style>body {{ --pst-color-background: {ground}; "
    "--pst-color-text-base: {ink}; --pst-color-text-muted: {muted}; --pst-color-border: {muted}; "
    "background: {ground}; color: {ink}; }}</style></head>"
    "<body><main><h1>Try it</h1>{body}</main></body></html>"
)
COLORS = {"light": ("#fff", "#111", "#595959"), "dark": ("#121212", "#eee", "#b0b0b0")}
FIRST = "print(1 + 1)\n"
EACH = """async (codes) => {
  const found = [];
  for (const code of codes) {
    const [said, lots] = [[], []];
    const hear = (told) => (told.lot ? lots.push(told.lot) : said.push(told.said));
    const { ended } = slrTry.run(code, hear);
    const { failed } = await ended;
    found.push([said.join("") + failed, lots]);
  }
  return found;
}"""


def page_of(theme="light", policy=POLICY):
    ground, ink, muted = COLORS[theme]
    places = [("first", FIRST), *snippets()]
    body = "".join(
        f'<div class="slr-try" data-name="{name}"><template>{escape(code)}</template></div>'
        for name, code in places
    )
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    return HEAD.format(theme=theme, policy=meta, ground=ground, ink=ink, muted=muted, body=body)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, micropython):
    folder = tmp_path_factory.mktemp("try")
    site.write(folder)
    static.write(folder)
    (folder / "early.js").write_text(reading.source("early.js"), "utf-8")
    pages = {"light": page_of(), "dark": page_of("dark"), "file": page_of(policy="")}
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return folder


def box_of(page, name="first"):
    return page.locator(f".slr-try[data-name={name}]")


def says(box, words):
    """Wait until the status below the code is ``words``."""
    box.get_by_role("status").and_(box.page.get_by_text(words, exact=True)).wait_for()


def printed(box):
    return box.get_by_role("log").text_content()


def test_the_code_of_the_book_gives_what_jax_gives(open_page, place):
    run, page = WithJax(), open_page(f"{place}light.html")
    found = page.evaluate(EACH, [code for _, code in snippets()])
    for (name, code), here in zip(snippets(), found, strict=True):
        assert "Traceback" not in here[0], name
        same(here, run(code))
    quiet(page)


def test_a_box_by_hand(browser, place):
    """With the keyboard only, on a dark phone screen."""
    asked = []
    with fresh_page(browser, viewport={"width": 1280, "height": 900}) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{place}light.html")
        box = box_of(page)
        button = box.get_by_role("button", name="Try it")
        assert not [url for url in asked if "micropython" in url]
        button.focus()
        page.keyboard.press("Enter")
        field = box.get_by_label("Python, yours to change")
        assert field.evaluate("e => document.activeElement === e") and field.input_value() == FIRST
        page.keyboard.press("Control+Enter")
        says(box, "Done.")
        assert printed(box) == "2\n"
        assert [url for url in asked if "micropython" in url]

        field.fill("for i in range(2):")
        field.press("End")
        page.keyboard.press("Enter")
        page.keyboard.type("print(i)")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.type("1/0")
        assert field.input_value() == "for i in range(2):\n    print(i)\n        1/0"
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        assert box.get_by_role("button", name="Run").evaluate("e => document.activeElement === e")
        field.fill("import slr\ndef f(x):\n    return slr.zeta(x, -1)\n\nf(2)")
        box.get_by_role("button", name="Run").click()
        says(box, "An error, named below.")
        assert printed(box) == (
            "Traceback (most recent call last):\n"
            '  File "<your code>", line 5, in <module>\n    f(2)\n'
            '  File "<your code>", line 3, in f\n    return slr.zeta(x, -1)\n'
            "ValueError: gamma must be positive, got -1\n"
        )

        field.fill("print('on')\nwhile True:\n    pass")
        field.press("Control+Enter")
        box.get_by_role("log").filter(has_text="on").wait_for()
        says(box, "Running.")
        box.get_by_role("button", name="Stop").click()
        says(box, "Stopped.")
        assert printed(box) == "on\n"
        field.fill("from slr import plot\nplot([1, 2, 3], [1, 4, 9], 'squares')\nprint('drawn')")
        field.press("Control+Enter")
        says(box, "Done.")
        label = "A plot for x from 1 to 3: squares from 1 to 9."
        box.get_by_role("img", name=label).wait_for()
        accessible(page)

        page.goto(f"{place}dark.html")
        page.set_viewport_size({"width": 390, "height": 844})
        box_of(page, "task-find").get_by_role("button", name="Try it", exact=True).wait_for()
        box.get_by_role("button", name="Try it (as you left it)").click()
        assert "'squares'" in field.input_value()
        other = box_of(page, "man-descend")
        other.get_by_role("button", name="Try it").click()
        other.get_by_role("button", name="Run").click()
        says(other, "Done.")
        other.get_by_role("img").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        accessible(page)
        box.get_by_role("button", name="Reset").click()
        says(box, "As it was.")
        kept = "Object.keys(JSON.parse(localStorage.getItem('slr-try')))"
        assert field.input_value() == FIRST and page.evaluate(kept) == []
        quiet(page)


def test_it_works_from_a_file_and_says_what_did_not_come(browser, folder):
    missing = "**/slr-micropython.js*"
    with fresh_page(browser) as page:
        page.route(missing, lambda route: route.abort())
        page.goto((folder / "file.html").as_uri())
        box = box_of(page)
        box.get_by_role("button", name="Try it").click()
        box.get_by_role("button", name="Run").click()
        says(box, "Python could not start: it did not come; Run tries again.")
        page.unroute(missing)
        box.get_by_role("button", name="Run").click()
        says(box, "Done.")
        assert printed(box) == "2\n"
