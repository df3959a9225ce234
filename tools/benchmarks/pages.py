"""How quick pages are on a phone: a table, and ratios if two sites are given. Asserts nothing.

    python tools/benchmarks/pages.py [_build/html [OTHER_SITE]]

Chromium's processor is slowed four times and its network to 9 Mbit/s (three pages also to 1.6), as
the DevTools protocol does it; the server compresses with gzip. *Set* is when all
formulas are drawn: MathML when the page has been read and its fonts are there, MathJax when it says
so. *Blocking* is the time beyond 50 ms of each task after the
first paint, until five seconds after formulas are set. *Shift* is the sum of layout shifts. Where
npm is installed, Lighthouse (a tool for developers, which npx downloads) scores the pages too.
"""

import contextlib
import functools
import gzip
import json
import mimetypes
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))
import browsing

PAGES = ("intro", "predictor", "how_long", "off_the_manifold", "random_starts")
PROFILES = {  # latency in milliseconds, Mbit/s, and the pages
    "9 Mbit/s": (60, 9.0, PAGES),
    "1.6 Mbit/s": (150, 1.6, ("predictor", "how_long")),
}
SLOWER = 4
COLUMNS = ("paint s", "set s", "blocking s", "shift", "kB", "nodes")
WATCH = """
window.tasks = []; window.shift = 0;
new PerformanceObserver(list => {
  for (const e of list.getEntries()) tasks.push([e.startTime, e.duration]);
}).observe({ type: 'longtask', buffered: true });
new PerformanceObserver(list => {
  for (const e of list.getEntries()) if (!e.hadRecentInput) shift += e.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
SET = """async () => {
  if (document.readyState !== 'complete') await new Promise(r => addEventListener('load', r));
  await window.MathJax?.startup?.promise;
  await document.fonts.ready;
  while (!performance.getEntriesByName('first-contentful-paint').length)
    await new Promise(requestAnimationFrame);
  const drawn = window.MathJax ? performance.now()
    : Math.max(performance.getEntriesByType('navigation')[0].domInteractive,
      performance.getEntriesByName('first-contentful-paint')[0].startTime,
      ...performance.getEntriesByType('resource').filter(e => /woff2/.test(e.name))
        .map(e => e.responseEnd));
  await new Promise(requestAnimationFrame);
  return drawn / 1000;
}"""
FOUND = """() => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0].startTime;
  const blocked = tasks.filter(([start]) => start >= paint)
    .reduce((sum, [, long]) => sum + Math.max(0, long - 50), 0);
  return [paint / 1000, blocked / 1000, shift, document.querySelectorAll('*').length];
}"""


class Compressed(BaseHTTPRequestHandler):
    """Files of a site, compressed as hosts do it."""

    protocol_version = "HTTP/1.1"

    def __init__(self, site, *args):
        self.site = site
        super().__init__(*args)

    def do_GET(self):
        file = self.site / unquote(urlsplit(self.path).path).lstrip("/")
        found = file.is_file()
        data = file.read_bytes() if found else b""
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        self.send_response(200 if found else 404)
        if kind.startswith("text/") or kind.endswith(("javascript", "json", "xml")):
            data = gzip.compress(data)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def measured(browser, address: str, latency: float, rate: float) -> list[float]:
    """The figures of ``COLUMNS`` for one visit with an empty cache."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=2)
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    received = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    session.send("Network.enable")
    speed = rate * 1e6 / 8
    network = {"latency": latency, "downloadThroughput": speed, "uploadThroughput": speed / 4}
    session.send("Network.emulateNetworkConditions", {"offline": False, **network})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit", timeout=0)
    ready = page.evaluate(SET)
    page.wait_for_timeout(5000)
    paint, blocked, shift, nodes = page.evaluate(FOUND)
    context.close()
    return [paint, ready, blocked, shift, sum(received) / 1000, nodes]


@contextlib.contextmanager
def served(site: Path):
    """The address of the pages of a site."""
    handler = functools.partial(Compressed, site.resolve())
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/book"
        server.shutdown()


def visits(browser, site: Path) -> dict[tuple[str, str], list[float]]:
    with served(site) as address:
        return {
            (name, page): measured(browser, f"{address}/{page}.html", latency, rate)
            for name, (latency, rate, pages) in PROFILES.items()
            for page in pages
        }


def lighthouse(address: str, chromium: str | None) -> dict[str, float]:
    """The scores of a page on a phone, of 100."""
    line = ["npx", "--yes", "lighthouse@13", address, "--quiet", "--output=json"]
    line += ["--only-categories=performance,accessibility,seo"]
    line += ["--chrome-flags=--headless --no-sandbox"]
    env = os.environ | {"CHROME_PATH": chromium or ""}
    text = subprocess.run(line, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: 100 * each["score"] for name, each in json.loads(text)["categories"].items()}


def main() -> None:
    sites = [Path(argument) for argument in sys.argv[1:] or ["_build/html"]]
    chromium = browsing.find_chromium().executable
    with browsing.launched(chromium) as browser:
        found = [visits(browser, site) for site in sites]
    form = "{:<11} {:<17} {:<8}" + " {:>10}" * len(COLUMNS)
    print(form.format("network", "page", "site", *COLUMNS))
    for key in found[0]:
        for number, rows in enumerate(found, 1):
            print(
                form.format(*key, number, *(f"{x:.3g}" if x < 1000 else int(x) for x in rows[key]))
            )
        if len(found) == 2:
            ratios = [
                b / a if a else float("nan") for a, b in zip(*(x[key] for x in found), strict=True)
            ]
            print(form.format(*key, "2 / 1", *(f"{x:.2f}" for x in ratios)))
    if shutil.which("npx"):
        for number, site in enumerate(sites, 1):
            with served(site) as address:
                for page in PAGES:
                    scores = lighthouse(f"{address}/{page}.html", chromium)
                    print(f"{page:<17} {number}", *(f"{n} {x:.0f}" for n, x in scores.items()))


if __name__ == "__main__":
    main()
