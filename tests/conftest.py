"""Fixtures shared by all tests: strict numerics, a Chromium without network access, a model.

``bert``       the pretrained model of the chapter on language, loaded once
``micropython``  the folder of MicroPython, if installed
``browser``    one Chromium for the session
``firefox``    the page of one Firefox per file, also without network access
``site``       the address of the built book, served on loopback
``place``      the address of the pages in the ``folder`` fixture of a test file
``open_page``  ``open_page(path, width=1280, scheme="light")`` gives a Playwright page, loaded and
               with its formulas rendered; ``page.foreign`` lists the requests to other hosts (all
               are blocked), ``page.errors`` the console errors. ``path`` is a page such as
               ``"book/task.html"``, or a full address on this machine. Other keywords
               (``has_touch=True``) are passed to Playwright's ``new_context``.
"""

import contextlib
import ctypes
import gc
import os

import browsing
import firefox as bidi
import jax
import psutil
import pytest

from slrbook import processor
from slrbook.tryit import wheel
from slrlib import language
from slrlib.language import extra


def compile_quickly():
    """Reduce XLA's optimization: most programs of the tests are small and run once or twice.

    Compilation took more than half of the tests' time. The kernels of chapters use the same flags,
    but their programs are optimized, and so are those of tests marked ``optimized``, which compute
    longer than they compile. Everything else that runs slrlib compiles without these flags. The
    user's XLA_FLAGS come after ours and therefore take precedence.
    """
    given = os.environ.get("XLA_FLAGS")
    os.environ["XLA_FLAGS"] = f"{processor.FAST_XLA_FLAGS} {given or ''}"
    # Small programs run faster in the thread that calls them.
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    jax.devices()  # JAX reads both settings here, once; our flags must not reach other processes
    del os.environ["XLA_FLAGS"]
    if given is not None:
        os.environ["XLA_FLAGS"] = given


compile_quickly()
gc.set_threshold(50_000, 20, 100)  # tracing makes many objects, little garbage
jax.config.update("jax_traceback_in_locations_limit", 0)  # programs do not store source lines
jax.config.update("jax_enable_x64", os.environ.get("SLRLIB_X64", "1") != "0")
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")
jax.config.update("jax_disable_most_optimizations", True)  # for programs compiled during import

X64_OFF = "test_either_precision.py"
LONGEST = {"test_pages.py", "test_hands.py"}
HOW = jax.make_user_context(None)  # separates the caches of the two ways of compiling
MUCH = 1.2e9  # bytes; below this limit later files reuse the programs of earlier ones
NOT_RUN = {}  # the kinds of tests that are skipped, and why
NEEDED = {  # fixture: the name of its tests, and the reason why it is unavailable, if it is
    "bert": ("model", lambda config: extra.missing()),
    "micropython": ("MicroPython", lambda config: wheel.missing()),
    "firefox": ("Firefox", lambda config: located(config, bidi.find_firefox).why_not),
    "browser": ("browser", lambda config: located(config, browsing.find_chromium).why_not),
}


def needs(item, fixture) -> bool:
    """Whether a test needs a fixture; tests that only read built pages are marked ``browser``."""
    marked = fixture == "browser" and item.get_closest_marker("browser") is not None
    return marked or fixture in getattr(item, "fixturenames", ())


def lateness(item) -> int:
    """Order of a test: first those without a browser, then the longest files, then the others."""
    if needs(item, "firefox") or item.path.name in LONGEST:
        return 1
    return 2 * needs(item, "browser")


def pytest_itemcollected(item):
    """Mark a test of the built pages ``site``: it opens one or has a fixture that needs them."""
    fixtures = getattr(item, "fixturenames", ())
    if "site" in fixtures or ("open_page" in fixtures and "place" not in fixtures):
        item.add_marker("site")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Run the longest test first and browser tests last: a live Playwright would disturb notebooks.

    Without Chromium, Firefox, the model or MicroPython, the tests that need it are skipped,
    except in CI.
    """
    items.sort(key=lambda item: item.path.name != X64_OFF)
    if config.option.collectonly:
        return
    for fixture, (kind, why_not) in NEEDED.items():
        some = [item for item in items if needs(item, fixture)]
        if some and not os.environ.get("CI") and (why := why_not(config)):
            items[:] = [item for item in items if item not in set(some)]
            NOT_RUN[kind] = why
            config.hook.pytest_deselected(items=some)
    last = {}  # all tests of a file run in one process, so a browser test delays its whole file
    for item in items:
        last[item.path] = max(lateness(item), last.get(item.path, 0))
    items.sort(key=lambda item: last[item.path])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Find the browsers in the first process: they start slowly, and all workers need one result.

    In CI no test is skipped, so each worker finds a browser when a test needs it.
    """
    if os.environ.get("CI"):
        return
    finders = (browsing.find_chromium, bidi.find_firefox)
    node.workerinput["browsers"] = {find.__name__: tuple(find()) for find in finders}
    NOT_RUN.update({kind: why_not(node.config) for kind, why_not in NEEDED.values()})


def located(config, find) -> browsing.Found:
    """The result of ``find()``, which a worker may have received from the first process."""
    told = getattr(config, "workerinput", {}).get("browsers")
    return browsing.Found(*told[find.__name__]) if told else find()


def pytest_terminal_summary(terminalreporter, config):
    for kind, why in NOT_RUN.items():
        if why and not os.environ.get("CI"):
            terminalreporter.write_line(f"NOT RUN: the {kind} tests, because {why}.")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Set how the programs of a test and of its fixtures are compiled.

    JAX's cache of compiled programs ignores this setting, so a user context separates the two
    kinds: no result depends on which tests ran earlier in the same process.
    """
    in_full = item.get_closest_marker("optimized") is not None
    jax.config.update("jax_disable_most_optimizations", not in_full)
    with HOW(in_full):
        return (yield)


@pytest.fixture(scope="module", autouse=True)
def modest():
    """Clear the compiled programs of JAX after a file if the process has grown too large."""
    yield
    if psutil.Process().memory_info().rss > MUCH:
        jax.clear_caches()
        gc.collect()
        with contextlib.suppress(AttributeError, OSError):  # the C library is not glibc
            ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(scope="session")
def bert():
    return language.load()


@pytest.fixture(scope="session")
def micropython():
    found = wheel.folder()
    assert found, wheel.missing()
    return found


@pytest.fixture(scope="session")
def browser(pytestconfig):
    chromium = located(pytestconfig, browsing.find_chromium)
    if not chromium.works:
        pytest.fail(f"CI is set, so the browser tests must run, but {chromium.why_not}", False)
    with browsing.launched(chromium.executable) as running:
        yield running


@pytest.fixture(scope="module")
def firefox(pytestconfig):
    found = located(pytestconfig, bidi.find_firefox)
    if not found.works:
        pytest.fail(f"CI is set, so the tests in Firefox must run, but {found.why_not}", False)
    with bidi.launched(found.executable) as page:
        yield page


@pytest.fixture(scope="session")
def site():
    complaint = browsing.complaint_about_site()
    if complaint:
        pytest.fail(complaint, False)
    with browsing.served(browsing.SITE) as address:
        yield address


@pytest.fixture(scope="module")
def place(folder):
    with browsing.served(folder) as address:
        yield address


@pytest.fixture
def open_page(browser, request):
    with contextlib.ExitStack() as opened:

        def open_page(path, width=1280, scheme="light", **options):
            if not path.startswith("http"):
                path = request.getfixturevalue("site") + path
            return opened.enter_context(browsing.page_at(browser, path, width, scheme, **options))

        yield open_page
