"""What a published page says of itself; no page names another place unless it knows its own."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import browsing
import pytest
import smallbook
from bs4 import BeautifulSoup

from slrbook import chapters
from slrbook.sphinx_ext import publish

BASE, REPOSITORY = "https://book.example/slr", "https://github.com/example/slr-book"


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOK_BASE_URL", BASE)
        patch.setenv("BOOK_REPOSITORY_URL", REPOSITORY)
        return Path(smallbook.built(tmp_path_factory.mktemp("published")))


def soup(folder, name):
    return BeautifulSoup((folder / name).read_text("utf-8"), "html.parser")


def test_a_published_page_has_its_address_and_its_card(published):
    page = soup(published, "book/two.html")
    tags = page.select("meta[content]")
    said = {tag.get("property") or tag.get("name"): tag["content"] for tag in tags}
    assert page.select_one("link[rel=canonical]")["href"] == f"{BASE}/book/two.html"
    assert said["og:url"] == f"{BASE}/book/two.html" and said["og:title"] == "Two"
    picture = published / said["og:image"].removeprefix(f"{BASE}/")
    assert picture.read_bytes().startswith(b"\x89PNG")
    links = [a.get("href", "") for a in page.select("a")]
    assert any(link.startswith(f"{REPOSITORY}/edit/") for link in links)
    assert any(link.startswith(f"{REPOSITORY}/issues/new") for link in links)


def test_the_site_map_lists_each_chapter_and_a_lost_reader_finds_home(published):
    places = re.findall("<loc>(.*?)</loc>", (published / "sitemap.xml").read_text("utf-8"))
    assert {f"{BASE}/book/{name}.html" for name in ("one", "two")} <= set(places)
    assert all((published / place.removeprefix(f"{BASE}/")).exists() for place in places)
    assert not {place for place in places if re.search("search|genindex|404", place)}
    assert f"Sitemap: {BASE}/sitemap.xml" in (published / "robots.txt").read_text("utf-8")
    lost = soup(published, "404.html")
    assert lost.base["href"] == f"{BASE}/" and lost.select_one(
        "article a[href$='/book/intro.html']"
    )


@pytest.mark.usefixtures("site")
def test_the_built_book_names_no_place_of_its_own():
    descriptions = {}
    for name in chapters.contents(browsing.ROOT):
        file = browsing.SITE / f"{name}.html"
        page = soup(file.parent, file.name)
        assert not page.select("[rel=canonical], [property='og:url'], [property='og:image']")
        assert (
            page.select_one("link[rel=icon]")
            and "Version " in page.select_one(".extra_footer").get_text()
        )
        descriptions[file.stem] = page.select_one("meta[name=description]")["content"]
        assert not urlsplit(page.select_one("link[rel=icon]")["href"]).netloc
        assert "\\" not in descriptions[file.stem] and len(descriptions[file.stem]) > 40
    assert len(set(descriptions.values())) == len(descriptions) > 20
    assert not (browsing.SITE / "sitemap.xml").exists()


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_card_of_a_page_shows_its_first_figure(tmp_path, kind):
    file = tmp_path / "_images" / f"ab12.{kind}"
    file.parent.mkdir()
    shape = '<svg xmlns="http://www.w3.org/2000/svg" width="40pt" height="30pt"></svg>'
    file.write_text(shape, "utf-8")
    body = f'<img class="slr-light" width="40" loading="lazy" src="../_images/{file.name}">'
    assert publish._picture(tmp_path, body) == "_images/ab12.png"
    if kind == "svg":
        head = (tmp_path / "_images" / "ab12.png").read_bytes()[:24]
        width, height = (int.from_bytes(head[i : i + 4], "big") for i in (16, 20))
        assert head.startswith(b"\x89PNG") and width / height == 40 / 30
    assert publish._picture(tmp_path, "<p>No figure.</p>") == f"_static/{publish.CARD.name}"
