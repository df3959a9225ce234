"""Firefox through WebDriver BiDi, which it supports itself, without a driver.

``Page`` has the few members of a Playwright page that the helpers of the Chromium tests use
(``evaluate``, ``foreign``, ``errors``), and methods for keyboard and mouse.
"""

import contextlib
import functools
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import browsing
import websocket
from browsing import Found

PREFERENCES = {
    # All other hosts are behind a nonexistent proxy.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "layout.css.prefers-color-scheme.content-override": 1,  # light
}
KEYS = {"Enter": "\ue006", "PageUp": "\ue00e", "End": "\ue010", "Home": "\ue011"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "Space": " "}
PATIENCE = 600  # seconds for an answer
ARRIVED = "address => document.readyState === 'complete' && location.href.startsWith(address)"
EVENTS = ["log.entryAdded", "network.beforeRequestSent"]


class Refused(Exception):
    """The error that Firefox returned."""


class Page:
    """The one page of a Firefox: commands are answered in order, events are recorded meanwhile."""

    def __init__(self, address):
        # Firefox refuses connections from web pages, so this client sends no origin.
        self.socket = websocket.create_connection(address, PATIENCE, suppress_origin=True)
        self.number, self.foreign, self.errors = 0, [], []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=EVENTS)
        # The first tab has no focus and would ignore keys; a new one has the focus.
        self.here = {"context": self.command("browsingContext.create", type="tab")["context"]}

    def command(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message["type"] == "event":
                self._note(message["method"], message["params"])
            elif message.get("id") == self.number:
                if message["type"] != "success":
                    raise Refused(f"{method}: {message['message']}")
                return message["result"]

    def _note(self, kind, params):
        if kind == "log.entryAdded" and params["level"] == "error":
            self.errors.append(params["text"])
        elif kind == "network.beforeRequestSent":
            address = params["request"]["url"]
            if not browsing.is_local(address):
                self.foreign.append(address)

    def goto(self, address):
        self.foreign, self.errors = [], []
        self.command("browsingContext.navigate", **self.here, url=address, wait="complete")
        for _ in range(20 * PATIENCE):  # Firefox may have answered for an earlier page
            with contextlib.suppress(Refused):
                if self.evaluate(ARRIVED, address):
                    return
            time.sleep(0.05)
        raise Refused(f"{address} was not reached")

    def resize(self, width, height=900):
        viewport = {"width": width, "height": height}
        self.command("browsingContext.setViewport", **self.here, viewport=viewport)

    def evaluate(self, script, argument=None):
        """The awaited value of an expression, or of a function of ``argument``."""
        said = self.command(
            "script.evaluate",
            expression=f"""(async () => {{
              const said = ({script});
              const value = typeof said === "function" ? said({json.dumps(argument)}) : said;
              return JSON.stringify(await value) ?? "null";
            }})()""",
            target=self.here,
            awaitPromise=True,
        )
        if said["type"] != "success":
            raise Refused(said["exceptionDetails"]["text"])
        return json.loads(said["result"]["value"])

    def _act(self, device, steps, **more):
        actions = [{"type": device, "id": device, "actions": steps, **more}]
        self.command("input.performActions", **self.here, actions=actions)

    def press(self, key):
        self._act("key", [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")])

    def drag(self, start, end):
        """Press the left button at ``start`` and release it at ``end``."""
        places = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in (start, end)]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act("pointer", [places[0], down, places[1], up])

    def click(self, place):
        self.drag(place, place)


@contextlib.contextmanager
def launched(executable):
    """The page of a new Firefox with a temporary profile and home."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items()]
        (Path(home) / "user.js").write_text("".join(lines), "utf-8")
        command = [executable, "--headless", "--no-remote", "--profile", home]
        running = subprocess.Popen(
            [*command, "--remote-debugging-port", "0", "about:blank"],
            env=os.environ | {"HOME": home, "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        page = None
        try:
            page = Page(_address(running, Path(home) / "WebDriverBiDiServer.json"))
            yield page
            gone = OSError, ValueError, websocket.WebSocketException, subprocess.TimeoutExpired
            with contextlib.suppress(*gone):  # it may exit before it has answered
                page.command("browser.close")
                running.wait(60)
        finally:
            if page:
                page.socket.shutdown()
            running.kill()
            running.wait()


def _address(running, file, seconds=600):
    """The address at which Firefox listens, which it writes to its profile."""
    for _ in range(10 * seconds):
        if running.poll() is not None:
            break
        with contextlib.suppress(OSError, ValueError):
            place = json.loads(file.read_text("utf-8"))
            return f"ws://{place['ws_host']}:{place['ws_port']}/session"
        time.sleep(0.1)
    raise OSError("Firefox does not listen")


@functools.cache
def find_firefox() -> Found:
    """The first that starts: $FIREFOX, or one on the path."""
    names = ["firefox", "firefox-esr"]
    found = [*filter(None, [os.environ.get("FIREFOX"), *map(shutil.which, names)])]
    for candidate in found:
        with contextlib.suppress(OSError, Refused, websocket.WebSocketException):
            with launched(candidate):
                return Found(True, candidate)
    if found:
        return Found(False, why_not=f"{found[0]} does not start or does not answer")
    return Found(False, why_not="no Firefox was found (on Debian it is the package firefox-esr)")
