"""Pages of Chromium that serve one test after another."""

import contextlib

import browsing
from playwright.sync_api import Error as PlaywrightError


class Pages:
    """Pages of one Chromium. One that a test is done with serves another, as a new one has all
    scripts to load and compile: forgetful, at rest, and in a context of its own."""

    def __init__(self, browser):
        self.browser, self.free = browser, []

    def take(self, address, width, scheme, height=900, **options):
        """A page at ``address``, settled; with ``options`` of ``new_context`` a new one."""
        viewport = {"width": width, "height": height}
        if options or not self.free:
            context = self.browser.new_context(viewport=viewport, color_scheme=scheme, **options)
            page = browsing.watched_page(context)
            page.again = not options
        else:
            page = self.free.pop()
            page.foreign, page.errors = [], []
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme)
        response = page.goto(address, wait_until="load")
        assert response.ok, f"{address} answered {response.status}"
        browsing.settle(page)
        return page

    def give_back(self, page):
        if page.again:
            with contextlib.suppress(PlaywrightError):  # it is still on its way, or broken
                self._empty(page)
                self.free.append(page)
                return
        page.context.close()

    def _empty(self, page):
        page.unroute_all()
        page.wait_for_load_state()
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.context.clear_permissions()
        page.mouse.move(0, 0)
        page.emulate_media(media="null")
        page.goto("about:blank")
