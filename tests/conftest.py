"""What every test shares: strict numerics, and a Chromium that reaches no other host.

``browser``    one Chromium for the session
``site``       the address of the built book, served on loopback
``open_page``  ``open_page(path, width=1280, scheme="light")`` gives a Playwright page, loaded and
               with its formulas set; ``page.foreign`` lists the requests to other hosts (all are
               blocked), ``page.errors`` the console errors beyond the two harmless ones. ``path``
               is a page such as ``"book/task.html"``, or a whole address on this machine. Other
               keywords (``has_touch=True``) go to Playwright's ``new_context``.
"""

import os

import browsing
import jax
import pytest

jax.config.update("jax_enable_x64", os.environ.get("SLRLIB_X64", "1") != "0")
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")

X64_OFF = "test_either_precision.py"
CHROMIUM = pytest.StashKey()  # how to start it, or why it does not start
NOT_RUN = pytest.StashKey()  # how many browser tests were set aside, and why


def needs_browser(item) -> bool:
    named = "browser" in getattr(item, "fixturenames", ())
    return named or item.get_closest_marker("browser") is not None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """The longest test first; browser tests last, as a live Playwright would disturb notebooks."""
    items.sort(key=lambda item: item.path.name != X64_OFF)
    browser_items = [item for item in items if needs_browser(item)]
    if not browser_items or config.option.collectonly:
        return
    rest = [item for item in items if not needs_browser(item)]
    chromium = config.stash[CHROMIUM] = browsing.find_chromium()
    if chromium.works or os.environ.get("CI"):
        items[:] = rest + browser_items
    else:
        items[:] = rest
        set_aside = (len(browser_items), chromium.why_not)
        if hasattr(config, "workeroutput"):  # one of several processes: tell the first one
            config.workeroutput["not_run"] = set_aside
        config.stash[NOT_RUN] = set_aside
        config.hook.pytest_deselected(items=browser_items)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Hear from the other processes what they set aside (all of them set aside the same)."""
    if set_aside := getattr(node, "workeroutput", {}).get("not_run"):
        node.config.stash[NOT_RUN] = set_aside


def pytest_terminal_summary(terminalreporter, config):
    number, why = config.stash.get(NOT_RUN, (0, ""))
    if number:
        plural = "s" if number > 1 else ""
        terminalreporter.write_line(f"NOT RUN: {number} browser test{plural}, because {why}.")


@pytest.fixture(scope="session")
def browser(pytestconfig):
    chromium = pytestconfig.stash[CHROMIUM]
    if not chromium.works:
        pytest.fail(f"CI is set, so the browser tests must run, but {chromium.why_not}", False)
    with browsing.launched(chromium.executable) as running:
        yield running


@pytest.fixture(scope="session")
def site():
    complaint = browsing.complaint_about_site()
    if complaint:
        pytest.fail(complaint, False)
    with browsing.served(browsing.SITE) as address:
        yield address


@pytest.fixture
def open_page(browser, request):
    contexts = []

    def open_page(path, width=1280, scheme="light", height=900, **options):
        if not path.startswith("http"):
            path = request.getfixturevalue("site") + path
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = browsing.watched_page(context)
        response = page.goto(path, wait_until="load")
        assert response.ok, f"{path} answered {response.status}"
        browsing.settle(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
