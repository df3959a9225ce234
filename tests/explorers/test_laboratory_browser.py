"""The laboratory in Chromium: its Worker, its saved files, its controls."""

import csv
import re

import numpy as np
import pytest
from booksource import ROOT, cells
from browsing import fresh_page
from explored import accessible, drawing, moved, page_of, quiet, reset, rested, says

from slrbook.explorers import the_laboratory
from slrbook.explorers.laboratory.spec import link
from slrlib import Overlaps, Task
from slrlib.dynamics import inverse_decay, pgd
from slrlib.landscape.states import state

pytestmark = pytest.mark.browser

STATE = "#laboratory:lam0=0.2&decay=0.0001&alpha=0.001&steps=12000&runs=12&seed=7&details=1"
STRICT = "default-src 'self' 'unsafe-inline' data: blob:; worker-src 'none'"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("laboratory")
    (folder / "lab.html").write_text(page_of(the_laboratory()), "utf-8")
    (folder / "strict.html").write_text(page_of(the_laboratory(), policy=STRICT), "utf-8")
    return folder


def rests(page):
    rested(page)
    return page.locator(".slr-reading").inner_text()


def addressed(page, words):
    """Wait until the address, which is updated after the work, contains these words."""
    page.wait_for_function("words => location.hash.includes(words)", arg=words)


def saved(page, kind):
    """The file that a button saves, once the button confirms it."""
    with page.expect_download() as download:
        page.get_by_role("button", name=f"save {kind}").click()
    page.get_by_role("button", name=f"{kind} saved").wait_for()
    return download.value.path()


def table(page):
    with open(saved(page, "CSV"), encoding="utf-8") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def test_a_worker_finds_the_numbers_of_python(open_page, place):
    page = open_page(place + "lab.html" + STATE)
    said, drawn = rests(page), drawing(page.locator(".slr-explorer"))
    many = len(page.workers)
    assert many >= 1
    page.get_by_text("More", exact=True).click()
    rows = table(page)
    steps = sorted({row["step"] for row in rows})
    names = ("kappa", "nu", "theta", "eta", "rho", "excess_risk")
    there = np.array([[row[name] for name in names] for row in rows]).reshape(len(steps), 12, 6)
    run = pgd(Overlaps(*there[0].T[:5]), Task(400, 10), inverse_decay(0.2, 1e-4), 1e-3, 12_000, 100)
    assert steps == run.step.tolist()
    np.testing.assert_allclose(
        there, np.stack([*run.overlaps, run.excess_risk], -1), rtol=1e-9, atol=1e-9
    )
    assert f"Median excess risk {np.median(run.excess_risk[-1]):.3g};" in said
    last = Overlaps(*(overlap[-1] for overlap in run.overlaps))
    count = int(np.sum(state(last, 0.2 / 2.2, Task(400, 10)) == 1))
    assert said.startswith(f"{count or 'None'} of 12 runs ")
    picture = saved(page, "SVG").read_text("utf-8")
    assert picture.startswith("<svg ") and "/2000/svg" in picture and "class=" not in picture
    assert picture.count("<g ") == 2 and "runs by outcome" in picture and "NaN" not in picture
    page.locator("input[data-name=alpha]").focus()
    page.keyboard.press("PageUp")
    moved(page.locator(".slr-explorer"), drawn)
    assert rests(page) != said
    for _ in range(3600):  # the first Workers are closed; the browser reports it a little later
        if len(page.workers) != many:
            page.wait_for_timeout(50)
    assert len(page.workers) == many
    quiet(page)


def test_where_a_worker_is_refused_the_page_does_it(open_page, place, browser, folder):
    said = rests(open_page(place + "lab.html" + STATE))
    strict = open_page(place + "strict.html" + STATE)
    assert rests(strict) == said and strict.workers == []
    with fresh_page(browser) as page:  # and as a file
        page.goto((folder / "lab.html").as_uri() + STATE)
        assert rests(page) == said


# In one call, as the runs may end soon.
STOP = """async () => {
  const [reading, action] = ['.slr-reading', '.slr-action'].map(e => document.querySelector(e));
  while (!/Running, step [1-9]/.test(reading.textContent) || action.textContent !== 'stop')
    await new Promise(requestAnimationFrame);
  action.click();
}"""


def test_stop_continue_compare_and_the_menu(open_page, place):
    page = open_page(place + "lab.html#laboratory:steps=600000&runs=100")
    page.evaluate(STOP)
    explorer = page.locator(".slr-explorer")
    says(explorer, re.compile(r"after [\d,]+ steps"))
    at = int(re.search(r"after ([\d,]+) steps", rests(page))[1].replace(",", ""))
    assert 0 < at < 600_000
    addressed(page, f"steps={at}&")
    page.get_by_role("button", name="continue to").click()
    says(explorer, f"after {2 * at:,} steps")
    page.get_by_role("button", name="keep these runs for comparison").click()
    page.get_by_role("button", name="stop comparing").wait_for()
    page.locator(".slr-menu").select_option(label="One run that swaps k and v")
    says(explorer, "the run is swapped")
    says(explorer, re.compile("Dotted, for comparison: .* of 100 runs"))
    assert page.locator("svg .dots").count() == 2
    addressed(page, link("swap"))
    assert page.evaluate("location.href").endswith(link("swap"))
    page.get_by_role("button", name="stop comparing").click()
    page.locator(".slr-reading").filter(has_not_text="Dotted").wait_for()
    page.locator("input[data-name=nu0]").evaluate("e => e.closest('details').open = true")
    page.locator("input[data-name=lam0]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.slr-menu').value === '0'")  # without preset
    rested(page)
    accessible(page)
    page.get_by_role("button", name="keep these runs for comparison").click()
    page.get_by_role("button", name="stop comparing").wait_for()
    reset(page)  # the initial state, without a comparison
    page.get_by_role("button", name="keep these runs for comparison").wait_for()
    quiet(page)


def test_the_links_of_the_page_are_its_presets():
    text = "".join(cell["source"] for cell in cells(ROOT / "book" / "laboratory.ipynb"))
    links = re.findall(r'href="(#laboratory:[^"]*)"', text)
    assert links == [link(name) for name in ("fig4a", "fig7b", "swap", "edge")]
