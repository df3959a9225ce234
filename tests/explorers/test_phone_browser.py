"""The explorers on a phone, by touch: one picture in sight, its tabs, its points, its controls."""

import pytest
from browsing import served
from explored import SOON, accessible, drawing, legible, moved, page_of, quiet, rested, says

from slrbook.explorers import EXPLORERS, find_token, puzzle, the_laboratory

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 390, 844
HEIGHTS = """() => [...document.querySelectorAll('.slr-explorer')]
  .map(e => [e.dataset.name, e.getBoundingClientRect().height])"""
# What a thumb must hit: [explorer, words, width, height] of each.
TARGETS = """() => [...document.querySelectorAll('.slr-explorer')].flatMap(e =>
  [...e.querySelectorAll(`.slr-tabs button, .slr-foot button, summary, .slr-point, select,
      input[type=range]`)]
    .filter(t => t.checkVisibility({visibilityProperty: true}))
    .map(t => [t, t.getBoundingClientRect()])
    .filter(([t, b]) => b.width < 44 || b.height < 43.9)
    .map(([t, b]) => [e.dataset.name, t.textContent || t.dataset.name, b.width, b.height]))"""

# Each with all that unfolds, one thing after the other, and at every question before and after its
# answer: [explorer, what is open, height].
STATES = """async () => {
  const frame = () => new Promise(requestAnimationFrame), found = [];
  for (const e of document.querySelectorAll('.slr-explorer')) {
    const [more, lines] = ['more', 'lines'].map(x => e.querySelector(`.slr-${x}`));
    const steps = e.querySelector('.slr-steps');
    const button = name => steps.querySelector(`.slr-${name}`);
    const measured = async (what) => {
      do await frame(); while (e.ariaBusy === 'true');
      found.push([e.dataset.name, what, e.getBoundingClientRect().height]);
    };
    more.open = true;
    await measured('more');
    lines.click();
    await measured('more and lines');
    more.open = false;
    await measured('lines');
    lines.click();
    steps.open = true;
    for (let last = false, i = 1; !last; i++) {
      await measured(`question ${i}`);
      const form = steps.querySelector('form');
      if (form) form.querySelector('input').value = 1;
      (form?.querySelector('button') || button('guess') || button('show'))?.click();
      await measured(`answer ${i}`);
      if (button('show')) e.querySelector('.slr-choices button').click();
      await measured(`choice ${i}`);
      if (!(last = !button('next'))) button('next').click();
    }
    steps.open = false;
  }
  return found;
}"""
AT_THE_END = """e => {
  const more = e.querySelector('.slr-more');
  more.open = true;
  [...more.querySelectorAll('input, select')].pop().scrollIntoView({ block: 'end' });
  const [picture, hand] = [e.querySelector('.slr-panel'), more].map(x => x.getBoundingClientRect());
  return picture.top >= 0 && picture.bottom < hand.bottom && hand.bottom > 0;
}"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("phone")
    pages = {"all": [explorer() for explorer in EXPLORERS], "game": [find_token()]}
    pages |= {"puzzle": [puzzle()]}
    pages["lots"] = [the_laboratory(lam0=0.03, d=20, steps=6000, runs=100)]
    for name, widgets in pages.items():
        (folder / f"{name}.html").write_text(page_of(*widgets), "utf-8")
    with served(folder) as address:
        yield address


def phone(open_page, address):
    page = open_page(address, width=WIDTH, has_touch=True)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.wait_for_function(f"innerWidth === {WIDTH} && innerHeight === {HEIGHT}")
    rested(page)
    return page


def test_each_fits_a_phone_and_a_thumb(open_page, place):
    page = phone(open_page, place + "all.html")
    assert [(name, tall) for name, tall in page.evaluate(HEIGHTS) if tall > 800] == []
    assert page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    accessible(page)
    states = page.evaluate(STATES)
    assert len(states) > 12 * len(EXPLORERS)
    assert [state for state in states if state[-1] > 800] == []
    quiet(page)


def test_the_picture_is_in_sight_while_a_thumb_moves_a_control(open_page, place):
    page = phone(open_page, place + "all.html")
    for explorer in page.locator(".slr-explorer").all():
        explorer.evaluate("e => e.scrollIntoView()")
        sliders = explorer.locator("input[type=range]").all()
        slider = [one for one in sliders if one.is_visible()][-1]
        box, picture = slider.bounding_box(), explorer.locator(".slr-panel").first.bounding_box()
        assert picture["y"] >= 0 and box["y"] + box["height"] <= HEIGHT
        before = slider.input_value()
        low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
        part = 0.7 if float(before) < 0.5 * (low + high) else 0.3
        page.touchscreen.tap(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
        given = [slider.element_handle(), before]
        page.wait_for_function("([e, before]) => e.value !== before", arg=given, timeout=SOON)
        if explorer.locator(".slr-more input").count():  # and so it is at the end of the fold
            page.wait_for_function(AT_THE_END, arg=explorer.element_handle(), timeout=SOON)
    quiet(page)


def test_tabs_turn_from_picture_to_picture(open_page, place):
    page = phone(open_page, place + "puzzle.html")
    panels = page.locator(".slr-panel").all()
    tabs = page.locator(".slr-tabs button").all()
    for chosen, tab in enumerate(tabs):
        tab.tap()
        page.locator(f".slr-panels[data-tab='{chosen}']").wait_for()
        assert [panel.is_visible() for panel in panels] == [i == chosen for i in range(2)]
        assert tab.get_attribute("aria-pressed") == "true"
    tabs[0].tap()
    panels[0].wait_for()
    shown = drawing(page.locator(".slr-explorer"))
    panel = panels[0].bounding_box()
    page.touchscreen.tap(panel["x"] + 0.4 * panel["width"], panel["y"] + 0.7 * panel["height"])
    moved(page.locator(".slr-explorer"), shown)
    quiet(page)


def test_the_game_turns_the_page_by_itself(open_page, place):
    page = phone(open_page, place + "game.html")
    for panel, words in ((0, "You chose token"), (1, "was informative")):
        box = page.locator(".slr-panel").nth(panel).bounding_box()
        page.touchscreen.tap(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
        page.locator(".slr-reading", has_text=words).wait_for()
        page.locator(".slr-panel").nth(1).wait_for()
    page.get_by_role("button", name="next sequence").tap()
    page.locator(".slr-reading", has_text="Not from its length").wait_for()
    page.locator(".slr-panel").first.wait_for()
    quiet(page)


def test_the_note_is_shown_in_full_and_the_lines_unfold(open_page, place):
    page = phone(open_page, place + "puzzle.html")
    note = page.locator(".slr-note")
    assert note.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    page.get_by_text("More", exact=True).tap()
    page.get_by_role("button", name="as Python").tap()
    page.locator(".slr-code", has_text="print(result.summary())").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    accessible(page)
    quiet(page)


def test_two_lots_with_four_kinds_of_ends_each_fit(open_page, place):
    page = phone(open_page, place + "lots.html")
    explorer = page.locator(".slr-explorer")
    explorer.get_by_role("button", name="compare with these runs").tap()
    says(explorer, "Dotted, for comparison: ")
    slider = explorer.locator("input[data-name=lam0]")
    slider.focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    explorer.locator("input[data-name=lam0][aria-valuetext='0.0397']").wait_for()
    rested(page)
    said = explorer.locator(".slr-reading").inner_text()
    kinds = ("recovered the teacher", "swapped", "on the plateau", "undecided")
    assert [said.count(kind) for kind in kinds] == [2, 2, 2, 2], said
    assert [tall for _, tall in page.evaluate(HEIGHTS) if tall > 800] == []
    assert [state for state in page.evaluate(STATES) if state[-1] > 800] == []
    quiet(page)


MIDST = """e => {
  const line = e.querySelector('.slr-steps summary');
  scrollBy(0, line.getBoundingClientRect().top - 300);
  return line.getBoundingClientRect().top;
}"""
IN_SIGHT = """e => {
  const { top, bottom } = e.querySelector('.slr-panel').getBoundingClientRect();
  return e.querySelector('.slr-steps').open && 0 <= top && bottom < innerHeight;
}"""


def test_who_opens_the_questions_sees_the_picture(open_page, place):
    """The hands give them their place, and the page would have moved away."""
    page = phone(open_page, place + "all.html")
    explorer = page.locator(".slr-explorer[data-name=see_m]")
    assert explorer.evaluate(MIDST) == pytest.approx(300, abs=1)
    assert not explorer.evaluate(IN_SIGHT)
    page.locator(".slr-explorer[data-name=see_m] .slr-steps summary").tap()
    page.wait_for_function(IN_SIGHT, arg=explorer.element_handle(), timeout=SOON)
    legible(page, WIDTH)
    quiet(page)
