"""Metadata of a published page; a page names its own address only if it is known."""

from urllib.parse import urlsplit

import browsing
import pytest
from bs4 import BeautifulSoup

from slrbook import chapters
from slrbook.sphinx_ext import publish


@pytest.mark.usefixtures("site")
def test_the_built_book_names_no_place_of_its_own():
    descriptions = {}
    for name in chapters.contents(browsing.ROOT):
        file = browsing.SITE / f"{name}.html"
        head, _, body = file.read_text("utf-8").partition("</head>")
        page, footer = BeautifulSoup(head, "html.parser"), body[body.rindex("extra_footer") :]
        assert not page.select("[rel=canonical], [property='og:url'], [property='og:image']")
        assert "Version " in footer
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
