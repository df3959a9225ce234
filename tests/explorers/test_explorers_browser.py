"""The explorers in Chromium, on a page of their own: hand, reset, independence, silence."""

import re
from xml.etree import ElementTree

import pytest
from browsing import served
from explored import (
    accessible,
    back,
    drawing,
    heights,
    legible,
    moved,
    page_of,
    quiet,
    reset,
    rested,
    says,
    without_script,
)
from PIL import Image

from slrbook.explorers import drawn, find_token, puzzle, where_does_it_look

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Pages with three explorers, with the same one three times, and the three in the dark."""
    folder = tmp_path_factory.mktemp("explorers")
    three = [puzzle(), find_token(), where_does_it_look()]
    pages = {
        "three": page_of(*three),
        "dark": page_of(*three, theme="dark"),
        "same": page_of(where_does_it_look(), where_does_it_look(), where_does_it_look(lam=0.5)),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    puzzle(lam=0.2).save_html(folder / "new" / "saved.html")
    with served(folder) as place:
        yield place


def explorer_on(page, number):
    return page.locator(".slr-explorer").nth(number)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_keys_change_the_drawing_and_reset_restores_it(open_page, address, number):
    page = open_page(address + "three.html")
    explorer = explorer_on(page, number)
    before, said = drawing(explorer), explorer.locator(".slr-reading").inner_text()
    slider = explorer.locator("input[type=range]").first
    slider.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    moved(explorer, before)
    assert slider.evaluate("e => document.activeElement === e")
    reset(explorer)
    back(explorer, before)
    assert explorer.locator(".slr-reading").inner_text() == said
    quiet(page)


def test_arrow_keys_move_the_start(open_page, address):
    page = open_page(address + "three.html")
    explorer = explorer_on(page, 0)
    before = drawing(explorer)
    point = explorer.locator(".slr-point")
    point.focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowDown")
    explorer.locator(".slr-point[aria-valuetext='kappa of k minus 0.15, nu of v 0.03']").wait_for()
    moved(explorer, before)
    page.keyboard.press("Home")
    back(explorer, before)
    quiet(page)


HAS_FOCUS = "e => document.activeElement === e"


def test_escape_closes_what_is_open_and_leads_back(open_page, address):
    page = open_page(address + "three.html")
    rested(page)
    explorer, steps = explorer_on(page, 0), page.locator(".slr-steps").first
    for fold, inside in ((explorer.locator(".slr-more"), "input"), (steps, ".slr-guess")):
        line = fold.locator("summary")
        line.focus()
        page.keyboard.press("Enter")
        fold.locator(inside).first.focus()
        page.keyboard.press("Escape")
        fold.locator(inside).first.wait_for(state="hidden")
        assert line.evaluate(HAS_FOCUS)
    code, lines = explorer.locator(".slr-code"), explorer.locator(".slr-lines")
    explorer.locator(".slr-more").evaluate("e => e.open = true")
    for where in (code, lines):
        lines.focus()
        page.keyboard.press("Space")
        code.wait_for()
        where.focus()
        page.keyboard.press("Escape")
        code.wait_for(state="hidden")
        assert lines.evaluate(HAS_FOCUS) and lines.get_attribute("aria-expanded") == "false"
    quiet(page)


def test_the_end_key_on_a_start_leaves_the_page_where_it_is(open_page, address):
    page = open_page(address + "three.html")
    rested(page)
    point = explorer_on(page, 0).locator(".slr-point")
    point.focus()
    before = page.evaluate("scrollY")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    explorer_on(page, 0).locator(".slr-point[aria-valuetext^='kappa of k minus 0.03']").wait_for()
    rested(page)
    assert page.evaluate("scrollY") == before
    quiet(page)


def test_the_mouse_drags_the_start_to_the_other_corner(open_page, address):
    page = open_page(address + "three.html")
    explorer = explorer_on(page, 0)
    box = explorer.locator(".slr-point").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = drawing(explorer)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 80, steps=5)
    page.mouse.up()
    says(explorer, re.compile(r"^Yes: descent recovers the teacher at \(−1, −1\)"))
    after = moved(explorer, before)
    page.mouse.move(x + 50, y)  # the hand is off
    assert drawing(explorer) == after
    quiet(page)


@pytest.mark.parametrize("number", [0, 2])
def test_the_mouse_drags_a_slider(open_page, address, number):
    page = open_page(address + "three.html")
    explorer = explorer_on(page, number)
    before = drawing(explorer)
    slider = explorer.locator("input[type=range]").first
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    moved(explorer, before)
    quiet(page)


@pytest.mark.parametrize("button", ["sample another sequence", "next sequence"])
def test_another_sequence(open_page, address, button):
    page = open_page(address + "three.html")
    explorer = explorer_on(page, 1 if button == "next sequence" else 2)
    before = drawing(explorer)
    explorer.get_by_role("button", name=button).click()
    moved(explorer, before)
    quiet(page)


def test_ten_rounds_of_the_game(open_page, address):
    page = open_page(address + "three.html")
    game = explorer_on(page, 1)
    reading = game.locator(".slr-reading")
    for number in range(1, 11):
        token = game.get_by_role("button", name=re.compile("^token 4,"))
        token.focus()
        page.keyboard.press("Enter")
        says(game, re.compile(r"^You chose token 4 by its length\."))
        assert token.get_attribute("aria-pressed") == "true"
        assert game.locator("svg").nth(1).locator("circle").count() == 0  # no answer yet
        game.get_by_role("button", name=re.compile(r"^along k⋆: token 4,")).click()
        if number < 10:
            says(game, f" of {number} along k⋆.")
            game.get_by_role("button", name="next sequence").click()
            says(game, "Not from its length")
    says(game, re.compile("^By length you found "))
    assert game.locator("svg").nth(1).locator("circle.ring").count() == 10
    assert reading.inner_text().endswith("the largest X·k⋆ finds 10 of 10.")
    game.get_by_role("button", name="play again").click()
    says(game, "Not from its length")
    assert game.locator("svg").nth(1).locator("circle").count() == 0
    quiet(page)


def finger(page):
    """Real touch events, from the browser's own input pipeline."""
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        at = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    return touch


def test_a_finger_drags_the_start_and_taps(open_page, address):
    page = open_page(address + "three.html", width=375, has_touch=True)
    explorer = explorer_on(page, 0)
    box = explorer.locator(".slr-point").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = drawing(explorer)
    touch = finger(page)
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x - 12 * step, y + 14 * step))
    touch("touchEnd")
    dragged = moved(explorer, before)
    assert page.evaluate("scrollY") == 0  # the point moved, not the page
    page.touchscreen.tap(x + 60, y - 40)
    assert moved(explorer, dragged) != before
    game = explorer_on(page, 1)
    unseen = drawing(game)
    game.get_by_role("button", name=re.compile("^token 2,")).tap()
    moved(game, unseen)
    scene = explorer_on(page, 2)
    unseen = drawing(scene)
    slider = scene.locator("input[type=range]").first
    slider.scroll_into_view_if_needed()
    place = slider.bounding_box()
    page.touchscreen.tap(place["x"] + place["width"] * 0.8, place["y"] + place["height"] / 2)
    moved(scene, unseen)
    quiet(page)


def test_three_on_a_page_are_independent(open_page, address):
    page = open_page(address + "same.html")
    before = [drawing(explorer_on(page, i)) for i in range(3)]
    assert before[0] == before[1] != before[2]
    explorer_on(page, 1).locator("input[type=range]").first.focus()
    page.keyboard.press("End")
    moved(explorer_on(page, 1), before[1])
    after = [drawing(explorer_on(page, i)) for i in range(3)]
    assert after[0] == before[0] and after[2] == before[2] and after[1] != before[1]
    quiet(page)


FAILS_AT_ONE = """() => {
  const el = document.querySelector("main").appendChild(document.createElement("div"));
  el.id = "fails";
  const [values, heard] = [{ x: 0 }, []];
  const model = {
    get: (name) => values[name],
    set: (name, value) => ((values[name] = value), name === "x" && heard.forEach((tell) => tell())),
    on: (_, tell) => heard.push(tell),
    save_changes() {},
  };
  const x = { name: "x", words: "x", paper: 0, low: 0, high: 2, step: 1, place: "view" };
  const view = {
    panels: [],
    names: [],
    *work({ x }) {
      if (x === 1) throw new Error("no such state");
    },
    draw: ({ x }) => ({ panels: [], labels: [], reading: `x is ${x}.` }),
  };
  const spec = { title: "", question: "", note: "", python: "", controls: [x] };
  slr.widget(spec, view).render({ model, el });
}"""


def test_where_a_view_fails_the_page_says_so_and_goes_on(open_page, address):
    page = open_page(address + "three.html")
    page.evaluate(FAILS_AT_ONE)
    explorer, reading = page.locator("#fails"), page.locator("#fails .slr-reading")
    explorer.locator("input").focus()
    for words in ("An error: this state cannot be shown.", "x is 2."):
        page.keyboard.press("ArrowRight")
        reading.filter(has_text=words).wait_for()
        rested(page)
        assert reading.inner_text().startswith(words)
        assert explorer.evaluate("e => e.ariaBusy") == "false"
    assert len(page.errors) == 1 and "no such state" in str(page.errors[0])
    assert page.foreign == []


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_jumps_when_the_script_takes_over(open_page, browser, address, width):
    """The still picture takes the space of the live one, and is seen without a script."""
    live = open_page(address + "three.html", width=width)
    rested(live)
    with without_script(browser, address + "three.html", width) as still:
        assert heights(live) == pytest.approx(heights(still), abs=30)  # one line of the reading
        assert still.locator(".slr-explorer svg").count() == 6
        assert still.locator(".slr-more").first.is_hidden()
    assert live.locator(".slr-more").first.is_visible()


def test_readable_on_a_phone(open_page, address):
    page = open_page(address + "three.html", width=375)
    legible(page, 375)


@pytest.mark.parametrize("name", ["three", "dark"])
def test_accessible_in_light_and_dark(open_page, address, name):
    page = open_page(address + f"{name}.html")
    for details in page.locator("details").all():
        details.evaluate("e => e.open = true")
    accessible(page)


def test_a_reader_who_wants_no_motion_sees_the_end_at_once(open_page, address):
    page = open_page(address + "three.html", reduced_motion="reduce")
    rested(page)
    assert (
        explorer_on(page, 0)
        .locator(".slr-reading")
        .inner_text()
        .startswith("Yes: descent recovers")
    )
    quiet(page)


def test_a_saved_file_moves_from_where_it_starts(open_page, address):
    page = open_page(address + "new/saved.html")
    explorer = explorer_on(page, 0)
    slider = explorer.locator("input[type=range]").first
    assert "0.2" in slider.get_attribute("aria-valuetext")
    before = drawing(explorer)
    slider.press("ArrowRight")
    moved(explorer, before)
    assert page.errors == [] and page.foreign == []


def test_a_png_is_what_the_svg_shows(chromium, tmp_path, monkeypatch):
    """Of the size of the picture, and not blank."""
    monkeypatch.setenv("CHROMIUM", chromium)
    image = Image.open(puzzle(lam=0.2).save(tmp_path / "new" / "puzzle.png")).convert("RGB")
    root = ElementTree.parse(puzzle(lam=0.2).save(tmp_path / "puzzle.svg")).getroot()
    assert image.size == tuple(drawn.SHARPNESS * int(root.get(x)) for x in ("width", "height"))
    assert image.getpixel((1, 1)) == (255, 255, 255)
    assert len(image.getcolors(maxcolors=10**7)) > 100
