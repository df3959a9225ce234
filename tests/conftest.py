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
import subprocess
import sys

import browsing
import jax
import pytest

jax.config.update("jax_enable_x64", os.environ.get("SLRLIB_X64", "1") != "0")
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")

X64_OFF = "test_either_precision.py"
CHROMIUM = pytest.StashKey()  # how to start it, or why it does not start
NOT_RUN = pytest.StashKey()  # the browser tests that were set aside


def needs_browser(item) -> bool:
    named = "browser" in getattr(item, "fixturenames", ())
    return named or item.get_closest_marker("browser") is not None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Browser tests come last (a live Playwright holds an event loop that notebooks would meet).

    Just before them comes the test that waits for the run with x64 off.
    """
    items.sort(key=lambda item: item.path.name == X64_OFF)
    browser_items = [item for item in items if needs_browser(item)]
    if not browser_items or config.option.collectonly:
        return
    rest = [item for item in items if not needs_browser(item)]
    chromium = config.stash[CHROMIUM] = browsing.find_chromium()
    if chromium.works or os.environ.get("CI"):
        items[:] = rest + browser_items
    else:
        items[:] = rest
        config.stash[NOT_RUN] = browser_items
        config.hook.pytest_deselected(items=browser_items)


def pytest_terminal_summary(terminalreporter, config):
    not_run = config.stash.get(NOT_RUN, [])
    if not_run:
        plural = "s" if len(not_run) > 1 else ""
        why = config.stash[CHROMIUM].why_not
        terminalreporter.write_line(f"NOT RUN: {len(not_run)} browser test{plural}, because {why}.")


@pytest.fixture(scope="session", autouse=True)
def x64_off(request, tmp_path_factory):
    """The process that runs the marked tests with x64 off, begun beside the others, and its log."""
    if not any(item.path.name == X64_OFF for item in request.session.items):
        yield
        return
    log = tmp_path_factory.mktemp("x64_off") / "log"
    command = [sys.executable, "-m", "pytest", "tests", "-m", "either_precision", "-q"]
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, "-p", "no:cacheprovider", "-p", "no:nbval"],
            env={**os.environ, "SLRLIB_X64": "0"},
            cwd=browsing.ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    yield process, log
    if process.poll() is None:
        process.kill()
        process.wait()


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
