"""Helpers of the browser tests: find Chromium, serve the built book, monitor a page."""

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from slrbook import build

ROOT = Path(__file__).parents[2]
SITE = Path(os.environ.get("BOOK_SITE") or ROOT / "_build" / "html")  # BOOK_SITE: built elsewhere
SOURCES = {".ipynb", ".md", ".bib", ".py", ".js", ".css", ".json", ".yml"}
LOCAL_HOSTS = {"127.0.0.1", "localhost"}
NOWHERE = (
    "--proxy-server=http://127.0.0.1:9"  # all other hosts are behind a proxy that does not exist
)
PATIENCE = 600_000  # milliseconds; slow machines must not fail


class Found(NamedTuple):
    """Whether a browser starts, and where it is."""

    works: bool
    executable: str | None = None  # None: Playwright's own
    why_not: str = ""


@contextlib.contextmanager
def launched(executable):
    """A running Chromium without network access; as root it needs its sandbox disabled."""
    arguments = [NOWHERE] + ["--no-sandbox"] * (getattr(os, "geteuid", lambda: 1)() == 0)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=executable, args=arguments, timeout=PATIENCE
        )
        try:
            yield running
        finally:
            running.close()


def _starts(executable) -> bool:
    try:
        with launched(executable):
            return True
    except PlaywrightError:
        return False


def _driver_starts() -> bool:
    try:
        with sync_playwright():
            return True
    except Exception:  # any error that closes the connection
        return False


@functools.cache
def find_chromium() -> Found:
    """The first that starts: $CHROMIUM, one on the path, Playwright's own (installed if needed)."""
    if not _driver_starts():
        why = "Playwright itself does not start (on Debian it needs the package libatomic1)"
        return Found(False, why_not=why)
    names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    for candidate in [os.environ.get("CHROMIUM"), *map(shutil.which, names)]:
        if candidate and _starts(candidate):
            return Found(True, candidate)
    if _starts(None):
        return Found(True)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        subprocess.run(command, check=True, timeout=300, capture_output=True)
    except (subprocess.SubprocessError, OSError):
        why = "no Chromium was found and `playwright install chromium` did not succeed"
        return Found(False, why_not=why)
    if _starts(None):
        return Found(True)
    return Found(False, why_not="the Chromium that Playwright installed does not start")


def complaint_about_site() -> str:
    """One sentence if the book is incomplete or older than its sources, else an empty string."""
    if "BOOK_SITE" in os.environ and (SITE / "index.html").exists():
        return ""
    stamp = SITE / build.BUILT
    if not stamp.exists():
        return "There is no complete book: please run `make book` (or `make test`) first."
    places = [ROOT / name for name in ("book", "slrlib", "slrbook")]
    files = [file for place in places for file in place.rglob("*") if file.suffix in SOURCES]
    files += [ROOT / "_config.yml", ROOT / "_toc.yml"]
    files = [file for file in files if ".ipynb_checkpoints" not in file.parts]
    newest = max(files, key=lambda file: file.stat().st_mtime)
    if newest.stat().st_mtime > stamp.stat().st_mtime:
        name = newest.relative_to(ROOT)
        return f"The built book is older than {name}: please run `make book` (or `make test`)."
    return ""


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # a refused connection is retried only a second later


class _Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keep connections open for several files
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path != "/favicon.ico":  # no page has one, but browsers request it
            return super().do_GET()
        self.send_response(204)
        return self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """The address of ``folder`` on loopback, served by a thread."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def is_local(address) -> bool:
    parts = urlsplit(address)
    return parts.scheme in {"data", "blob", "about"} or parts.hostname in LOCAL_HOSTS


def watched_page(context):
    """A new page that records ``foreign`` (requests to other hosts) and ``errors``."""
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.foreign, page.errors = [], []

    def on_address(address):
        if not is_local(address):
            page.foreign.append(address)

    def on_console(message):
        if message.type == "error":
            page.errors.append(f"{message.text} ({message.location.get('url', '')})")

    page.on("request", lambda request: on_address(request.url))
    page.on("websocket", lambda socket: on_address(socket.url))
    page.on("pageerror", lambda error: page.errors.append(error.message))
    page.on("console", on_console)
    return page


@contextlib.contextmanager
def fresh_page(browser, **options):
    """A monitored page in its own context, which is closed with it."""
    context = browser.new_context(**options)
    try:
        yield watched_page(context)
    finally:
        context.close()


# The transition of an invisible button may never end, and `settle` would wait for it.
AT_ONCE = """() => {
  const style = document.createElement('style');
  style.textContent = '*, ::before, ::after { transition: none !important }';
  document.head.append(style);
}"""


def settle(page):
    """Wait until fonts are loaded, transitions have ended, and two frames are painted."""
    page.evaluate(
        """async () => {
          await document.fonts.ready;
          const frame = () => new Promise(requestAnimationFrame);
          await frame();
          const moving = document.getAnimations()
            .filter(a => Number.isFinite(a.effect.getComputedTiming().endTime));
          const over = Promise.all(moving.map(a => a.finished.catch(() => null)));
          await Promise.race([over, new Promise(done => setTimeout(done, 30000))]); // one unseen
          await frame();
        }"""
    )


@contextlib.contextmanager
def page_at(browser, address, width, scheme, height=900, **options):
    """A fresh page at ``address``, settled."""
    viewport = {"width": width, "height": height}
    with fresh_page(browser, viewport=viewport, color_scheme=scheme, **options) as page:
        response = page.goto(address, wait_until="load")
        assert response.ok, f"{address} answered {response.status}"
        settle(page)
        yield page
