"""All explorers at random settings on one page: their text is correct and can be read."""

import json
import re
from pathlib import Path

import pytest
from explored import POLICY, folder_of, quiet, rested
from js import Engine
from settings import address, settings
from shown import pictures

from slrbook.explorers import EXPLORERS

pytestmark = pytest.mark.browser

LINKS = json.loads(Path(__file__).with_name("links_of_all.json").read_text("utf-8"))
DRIVE = Path(__file__).parents[1].joinpath("helpers", "drive.js").read_text("utf-8")
STRANGE = r"NaN|undefined|Infinity|[−-]0\.0+(?!\d)|\b1 steps|\de[-+]\d"  # confusing for readers
GROUNDS = {"light": [255, 255, 255], "dark": [18, 18, 18]}
folder = folder_of(POLICY, light=EXPLORERS, dark=EXPLORERS)


@pytest.mark.parametrize(
    "theme, width, count, seed",
    [("light", 1280, 24, 0), ("dark", 390, 8, 1)],
)
def test_at_any_setting_an_explorer_says_what_is_so_and_can_be_read(
    open_page, place, theme, width, count, seed
):
    page = open_page(f"{place}{theme}.html", width=width)
    drawn = {explorer: settings(explorer, count, seed) for explorer in EXPLORERS}
    hashes = [
        ";".join(address(explorer, drawn[explorer][i]) for explorer in EXPLORERS)
        for i in range(count)
    ]
    rows = page.evaluate(DRIVE, [hashes, GROUNDS[theme]])
    wrong = {
        f"{explorer.stem()} {found} at {drawn[explorer][i]}"
        for i, row in enumerate(rows)
        for explorer, (_, all_found) in zip(EXPLORERS, row, strict=True)
        for found in all_found
    }
    assert sorted(wrong) == []
    for number, explorer in enumerate(EXPLORERS):
        said = [row[number][0] for row in rows]
        engine = Engine(explorer.program())
        if engine.value("!explorer.work"):  # a run at the edge of stability depends on the engine
            alone = [one["reading"] for one in pictures(engine, drawn[explorer])]
            assert said == alone, explorer.stem()
        assert [words for words in said if re.search(STRANGE, words)] == []
        assert len(set(said)) > 0.2 * count, explorer.stem()
    quiet(page)


def test_a_stored_link_of_an_explorer_shows_what_it_showed(open_page, place):
    """One address with a part for each explorer; the names and meanings of controls are stable."""
    page = open_page(f"{place}light.html#{';'.join(LINKS)}", width=1280)
    rested(page)
    for link, words in LINKS.items():
        explorer = page.locator(f".slr-explorer[data-name={link.partition(':')[0]}]")
        assert words in explorer.locator(".slr-reading").inner_text(), link
    # Draggable points have a descriptive name and position for screen readers.
    named = page.get_by_role("slider", name=re.compile("^start.*Arrow keys move it"))
    assert named.count() == page.locator(".slr-point").count() == 5
    for said in named.evaluate_all("all => all.map(e => e.ariaLabel + e.ariaValueText)"):
        assert re.search(r"of k (minus )?\d\.\d\d, |nu of v (minus )?\d", said), said
        assert not re.search(r"[a-z]\d", said), said
    quiet(page)
