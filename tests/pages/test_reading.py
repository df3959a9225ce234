"""Reading aids: code on demand, checks that open, previews, moved addresses."""

import re

import browsing
import pytest
import smallbook
from bs4 import BeautifulSoup

from slrbook.reading import folds, pages

CODE = ".cell_input:visible"
BOX = ".slr-preview"
INSIDE = """() => {
  const box = document.querySelector('.slr-preview').getBoundingClientRect();
  const wide = document.documentElement.clientWidth;
  return box.left >= 0 && box.right <= wide && box.top >= 0 && box.bottom <= innerHeight;
}"""
APART = """link => {
  const box = document.querySelector('.slr-preview').getBoundingClientRect();
  return [...link.getClientRects()].every(r => r.bottom <= box.top || box.bottom <= r.top);
}"""
SET = "document.querySelectorAll('.slr-preview math').length"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return smallbook.built(tmp_path_factory.mktemp("small"))


@pytest.fixture
def open_small(place, open_page):
    return lambda name, **options: open_page(f"{place}book/{name}.html", **options)


def code(page):
    return [text.strip() for text in page.locator(CODE).all_inner_texts()]


# Metadata of a published page


def soup(folder, name):
    return BeautifulSoup((folder / name).read_text("utf-8"), "html.parser")


def test_a_published_page_has_its_address_and_its_card(folder):
    page = soup(folder, "book/two.html")
    tags = page.select("meta[content]")
    said = {tag.get("property") or tag.get("name"): tag["content"] for tag in tags}
    assert page.select_one("link[rel=canonical]")["href"] == f"{smallbook.BASE}/book/two.html"
    assert said["og:url"] == f"{smallbook.BASE}/book/two.html" and said["og:title"] == "Two"
    picture = folder / said["og:image"].removeprefix(f"{smallbook.BASE}/")
    assert picture.read_bytes().startswith(b"\x89PNG")
    links = [a.get("href", "") for a in page.select("a")]
    assert any(link.startswith(f"{smallbook.REPOSITORY}/edit/") for link in links)
    assert any(link.startswith(f"{smallbook.REPOSITORY}/issues/new") for link in links)
    notebook = (folder / "notebooks" / "one.ipynb").read_text("utf-8")
    assert f"({smallbook.BASE}/book/two.html#equation-eq-there)" in notebook
    assert f"git+{smallbook.REPOSITORY}@main" in notebook


def test_the_site_map_lists_each_chapter_and_a_lost_reader_finds_home(folder):
    places = re.findall("<loc>(.*?)</loc>", (folder / "sitemap.xml").read_text("utf-8"))
    assert {f"{smallbook.BASE}/book/{name}.html" for name in ("one", "two")} <= set(places)
    assert all((folder / place.removeprefix(f"{smallbook.BASE}/")).exists() for place in places)
    assert not {place for place in places if re.search("search|genindex|404", place)}
    assert f"Sitemap: {smallbook.BASE}/sitemap.xml" in (folder / "robots.txt").read_text("utf-8")
    lost = soup(folder, "404.html")
    assert lost.base["href"] == f"{smallbook.BASE}/"
    assert lost.select_one("article a[href$='/book/intro.html']")


# Show code


def pressed(page, how):
    """Wait until the state of the switch is ``how`` ("true" or "false")."""
    page.locator(f".slr-show-code[aria-pressed={how}]:visible").first.wait_for()


def test_code_is_seen_on_demand_which_is_remembered(open_small):
    page = open_small("one", scheme="dark", width=390)
    assert code(page) == ["taught = 2"]
    assert page.locator(".above-input:visible").count() == 1  # of the failing check
    for who in ("plain", "taught", "folded"):
        assert page.get_by_text(f"{who} says this").is_visible()
    switch = page.get_by_role("button", name="Show code")
    page.emulate_media(media="print")  # print shows the same as the screen
    assert code(page) == ["taught = 2"] and not switch.is_visible()
    page.emulate_media(media="screen")
    assert min(switch.bounding_box()[side] for side in ("width", "height")) >= 44  # for a thumb
    switch.focus()
    page.keyboard.press("Enter")
    pressed(page, "true")
    assert code(page) == ["import plain", "silent = 1", "taught = 2"]
    assert page.locator("details.above-input:visible").count() == 3  # folded, but can be opened
    page.reload()
    pressed(page, "true")
    assert len(code(page)) == 3
    switch.press("Space")
    pressed(page, "false")
    page.reload()
    pressed(page, "false")
    assert code(page) == ["taught = 2"] and page.errors == []


def test_without_scripts_everything_is_shown(folder, browser):
    with browsing.fresh_page(browser, java_script_enabled=False) as page:
        page.goto((folder / "book" / "one.html").as_uri())
        assert code(page) == ["import plain", "silent = 1", "taught = 2"]
        assert not page.locator(".slr-show-code").is_visible()
        page.locator(BADGE).click()
        page.locator("details.slr-checked > summary:visible").first.click()
        page.locator("details.slr-checked[open]").first.wait_for()
        assert {"check(0)", "check(1)", "check(2)"} & set(code(page))


# Checks


BADGE = "details.slr-checks > summary"


def test_the_checks_of_a_section_are_one_badge_and_one_that_fails_is_in_view(open_small):
    page = open_small("one", width=390)
    badge = page.locator(BADGE)
    assert badge.inner_text().split() == ["✓", "2", "checks"]
    fails = page.locator(".slr-check:visible")
    assert fails.inner_text().split() == ["✗", "It", "fails"]
    page.locator(".tag_check > .above-input > summary").focus()
    page.keyboard.press("Enter")
    assert "check(2)" in code(page)
    badge.focus()
    page.keyboard.press("Enter")
    lines = page.locator("details.slr-checks .slr-check:visible")
    assert [line.split()[0] for line in lines.all_inner_texts()] == ["✓", "✓"]
    assert "check(0)" not in code(page)
    page.locator("summary", has_text="So is it").click()
    assert "check(0)" in code(page) and "check(1)" not in code(page)
    colors = [
        page.locator(".slr-check", has_text=words).evaluate("e => getComputedStyle(e).color")
        for words in ("simulations", "It fails")
    ]
    assert colors[0] != colors[1]
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_card_is_one_line_that_opens(open_small):
    page = open_small("one", width=390)
    line = page.locator("details.slr-made > summary")
    assert not page.locator(".slr-card").is_visible()
    line.focus()
    page.keyboard.press("Enter")
    page.locator(".slr-card", has_text="results/fig8-").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


# Previews


def link_to(page, anchor):
    return page.locator(f'.bd-article a[href$="#{anchor}"]:not(.headerlink)').first


PREVIEWS = [  # the target of a link, the text of its preview, the number of its formulas
    ("equation-eq-there", "(2.1)", 1),
    ("equation-eq-here", "(1.1)", 1),
    ("prop-there", "Nothing is lost", 3),
    ("term-oracle", "The predictor that knows", 1),
    ("fig-here", "What is to be seen.", 0),
    ("id2", "A. Author. A title.", 0),
]


def test_a_link_shows_beside_it_what_it_leads_to(open_small):
    page = open_small("one")
    box = page.locator(BOX)
    for anchor, words, formulas in PREVIEWS:
        link = link_to(page, anchor)
        link.hover()
        box.wait_for()
        said = box.inner_text().replace("\xa0", "").replace(" ", "")
        assert words.replace(" ", "") in said and "Folded" not in said
        assert page.evaluate(SET) == formulas
        assert page.evaluate(INSIDE) and link.evaluate(APART)
        assert link.get_attribute("aria-describedby") == box.get_attribute("id")
        assert box.get_attribute("role") == "tooltip"
        page.mouse.move(2, 2)
        box.wait_for(state="detached")
        assert link.get_attribute("aria-describedby") is None
    link_to(page, "sec-two").hover()  # a section has no preview
    page.evaluate("new Promise(done => setTimeout(done, 300))")  # longer than the delay
    assert box.count() == 0 and page.errors == []


def test_a_preview_opens_on_focus_and_closes_with_escape(open_small):
    page = open_small("one")
    link_to(page, "equation-eq-there").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.locator(BOX).wait_for()
    page.keyboard.press("Escape")
    page.locator(BOX).wait_for(state="detached")
    page.keyboard.press("Tab")
    page.locator(BOX, has_text="(1.1)").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/one.html#equation-eq-here")


def test_a_preview_works_from_a_file(folder, browser):
    with browsing.fresh_page(browser) as page:
        page.goto((folder / "book" / "one.html").as_uri())
        browsing.settle(page)
        link_to(page, "equation-eq-there").hover()
        page.locator(BOX).wait_for()
        assert page.evaluate(SET) == 1
        page.goto((folder / "book" / "one.html").as_uri() + "#prop-there")
        page.wait_for_url("**/two.html#prop-there")


# Addresses that moved


def test_an_address_whose_place_moved_or_has_a_new_name_lands(open_small):
    page = open_small("one")
    renamed = 'slrPlaces({"sec-two": "book/two", "old-name": "book/two.html#prop-there"});'
    page.route("**/slr-places.js", lambda route: route.fulfill(body=renamed))
    for anchor, place in (("sec-two", "sec-two"), ("old-name", "prop-there")):
        page.goto(page.url.replace("two.html", "one.html").partition("#")[0])
        page.evaluate(f"location.hash = '{anchor}'")
        page.wait_for_url(f"**/two.html#{place}")
        assert page.locator(f"#{place}").count() == 1


def test_a_statement_goes_before_a_heading_of_its_name_and_numbers_lead_nowhere():
    site = {
        "api": '<section id="floor"></section><p id="both"></p>',
        "new": '<div class="proof" id="floor"></div><figure class="slr-figure" id="figure-7">'
        '</figure><p id="both"></p><p id="alone"></p>'
        '<div class="slr-explorer" id="explorer-1" data-name="puzzle"></div>',
    }
    read = {name: BeautifulSoup(text, "html.parser") for name, text in site.items()}
    found = {"puzzle:": "new", "floor": "new", "alone": "new"}
    assert pages.places(read) == found
    renamed = {"old": "floor", "lost": "nowhere"}
    assert pages.places(read, renamed) == found | {"old": "new.html#floor"}


# Wait until the page has searched for the anchor, first here and then in the list of anchors.
LOOKED = """async anchor => {
  const heard = new Promise(done => addEventListener('hashchange', done, {once: true}));
  location.hash = anchor;
  await heard;
  const list = document.querySelector('script[src*="slr-places"]');
  if (list && !list.heard) await new Promise(done => (list.onload = done));
  if (list) list.heard = true;
  for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
}"""


def test_an_address_that_is_here_or_nowhere_stays(open_small):
    page = open_small("one")
    for anchor in ("equation-eq-here", "nowhere", "a%E0%A4%A"):
        page.evaluate(LOOKED, anchor)
        assert "/one.html" in page.url and page.errors == []


def test_what_another_page_took_in_is_still_found(browser, site):
    with browsing.fresh_page(browser) as page:
        for old, new in (
            ("glossary.html#term-gamma", "notation.html#term-gamma"),
            ("open_questions.html#two-layers", "further_results.html#two-layers"),
        ):
            page.goto(f"{site}book/{old}")
            page.wait_for_url(f"**/book/{new}")
        assert page.errors == []


# Folds of long pages

HELD = "details noscript"


def test_a_fold_is_filled_when_it_opens_or_an_address_leads_into_it_or_all_is_printed(open_page):
    page = open_page("book/how_long.html")
    many = page.locator(HELD).count()
    assert many > 4
    page.get_by_text("which the proofs below use").click()
    page.locator("details[open] div.math").first.wait_for()
    assert page.locator(HELD).count() == many - 1
    page.evaluate("location.hash = 'equation-eq-arrival-box'")  # in a nested fold
    page.locator("#equation-eq-arrival-box").wait_for()
    assert page.locator(HELD).count() == many - 2
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(HELD).count() == 0 and page.errors == []


def test_an_address_of_the_package_opens_its_fold_in_firefox_from_a_file(firefox, site):
    firefox.goto((browsing.SITE / "book" / "api.html").as_uri() + "#slrlib.risk.excess_risk")
    browsing.settle(firefox)
    top = "document.getElementById('slrlib.risk.excess_risk').getBoundingClientRect().top"
    assert 0 <= firefox.evaluate(top) < 200


def test_only_large_folds_of_long_pages_are_held():
    def fold(size, more=""):
        content = f'<div class="sd-summary-content">{"<i></i>" * size}{more}</div>'
        return f'<details class="sd-dropdown"><summary>Proof</summary>{content}</details>'

    page = fold(folds.LARGE, fold(folds.LARGE)) + fold(3) + "<p>" * folds.MANY
    assert folds.held(page).count("<noscript>") == 1
    assert folds.held(page).replace("<noscript>", "").replace("</noscript>", "") == page
    assert folds.held(fold(folds.LARGE)) == fold(folds.LARGE)
