"""The explorers on a phone, by touch: one visible picture, its tabs, its points, its controls."""

import pytest
from explored import SOON, accessible, drawing, folder_of, moved, quiet, rested

from slrbook.explorers import EXPLORERS, find_token, puzzle

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 390, 844
HEIGHTS = """() => [...document.querySelectorAll('.slr-explorer')]
  .map(e => [e.dataset.name, e.getBoundingClientRect().height])"""
# The touch targets: [explorer, text, width, height] of each.
TARGETS = """() => [...document.querySelectorAll('.slr-explorer')].flatMap(e =>
  [...e.querySelectorAll(`.slr-tabs button, .slr-foot button, summary, .slr-point, select,
      input[type=range]`)]
    .filter(t => t.checkVisibility({visibilityProperty: true}))
    .map(t => [t, t.getBoundingClientRect()])
    .filter(([t, b]) => b.width < 44 || b.height < 43.9)
    .map(([t, b]) => [e.dataset.name, t.textContent || t.dataset.name, b.width, b.height]))"""

# Each explorer with each fold opened in turn, and at every question before and after its answer:
# [explorer, what is open, height].
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
    lines?.click();
    await measured('more and lines');
    more.open = false;
    await measured('lines');
    lines?.click();
    steps.open = true;
    for (let last = false, i = 1; !last; i++) {
      await measured(`question ${i}`);
      (button('guess') || button('show'))?.click();
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


folder = folder_of(all=EXPLORERS, two=[puzzle, find_token])


def phone(open_page, address):
    page = open_page(address, WIDTH, height=HEIGHT, has_touch=True)
    rested(page)
    return page


def test_each_fits_a_phone_and_a_thumb_and_a_control_keeps_its_picture_in_sight(open_page, place):
    page = phone(open_page, place + "all.html")
    assert [(name, tall) for name, tall in page.evaluate(HEIGHTS) if tall > 800] == []
    assert page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    accessible(page)
    states = page.evaluate(STATES)
    assert len(states) > 12 * len(EXPLORERS)
    assert [state for state in states if state[-1] > 800] == []
    rested(page)
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
        if explorer.locator(".slr-more input").count():  # also at the end of the fold
            page.wait_for_function(AT_THE_END, arg=explorer.element_handle(), timeout=SOON)
    quiet(page)


def test_tabs_turn_from_picture_to_picture_and_the_game_turns_by_itself(open_page, place):
    page = phone(open_page, place + "two.html")
    explorer, game = page.locator(".slr-explorer").all()
    panels = explorer.locator(".slr-panel").all()
    for chosen, tab in reversed(list(enumerate(explorer.locator(".slr-tabs button").all()))):
        tab.tap()
        explorer.locator(f".slr-panels[data-tab='{chosen}']").wait_for()
        assert [panel.is_visible() for panel in panels] == [i == chosen for i in range(2)]
        assert tab.get_attribute("aria-pressed") == "true"
    shown = drawing(explorer)
    box = panels[0].bounding_box()
    page.touchscreen.tap(box["x"] + 0.4 * box["width"], box["y"] + 0.7 * box["height"])
    moved(explorer, shown)
    for panel, words in ((0, "You chose token"), (1, "was informative")):
        game.locator(".slr-panel").nth(panel).tap()
        game.locator(".slr-reading", has_text=words).wait_for()
        game.locator(".slr-panel").nth(1).wait_for()
    game.get_by_role("button", name="next sequence").tap()
    game.locator(".slr-panel").first.wait_for()
    quiet(page)
