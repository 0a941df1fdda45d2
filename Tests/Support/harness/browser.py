"""A page in Debian's headless Chromium, by the DevTools protocol over a pipe: no port, no driver, no further package."""
import base64
import contextlib
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

from .waiting import PATIENCE

PROGRAM = shutil.which("chromium")
STALL = "GPU stall due to ReadPixels"
MISSING = "chromium is not installed: pages are tried in it on Debian 12 (scripts/require browser)"


def pipe():
    """Both ends of a pipe, none of which is in the place of 3 or 4."""
    ends = []
    for end in os.pipe():
        ends.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10))
        os.close(end)
    return ends


class Browser:
    """One page at a time, in a profile of its own; with WebGL where it is asked for, drawn by the processor."""

    def __init__(self, folder, webgl=False):
        # Chromium reads commands from descriptor 3 and answers on 4; each message ends with a zero byte.
        from_here, self._commands = pipe()
        self._answers, from_there = pipe()
        self._folder = folder
        # What WebGL has drawn is put into the page without it: three times as many frames.
        software = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]
        graphics = software if webgl else ["--disable-gpu"]
        command = [
            PROGRAM, "--headless=new", "--no-sandbox", *graphics, "--disable-dev-shm-usage", "--no-first-run",
            "--remote-debugging-pipe", f"--user-data-dir={folder}", "--hide-scrollbars", "about:blank"]
        # The shell puts the pipes where Chromium expects them; others than bash know descriptors up to 9 only.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{from_here} 4>&{from_there}; exec "$@"', "bash", *command],
            pass_fds=(from_here, from_there), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)})
        os.close(from_here)
        os.close(from_there)
        self._buffer = b""
        self._count = 0
        self._session = None
        self._events = []
        target = self._first_page()
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def _first_page(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            pages = [each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page"]
            if pages:
                return pages[0]["targetId"]
        raise TimeoutError("chromium shows no page")

    def _read(self, until):
        """The next message from the browser."""
        while b"\0" not in self._buffer:
            if not select.select([self._answers], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("chromium does not answer")
            received = os.read(self._answers, 1 << 20)
            if not received:
                raise EOFError(f"chromium has ended with {self._process.wait()}")
            self._buffer += received
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """The result of a method of the protocol."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._read(until)
            if answer.get("id") != self._count:
                self._events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def open(self, path):
        """Loads a file and waits until its `load` event."""
        self._events.clear()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def open_url(self, url):
        """Loads a page of a server and waits until its `load` event."""
        self._events.clear()
        self.call("Page.navigate", url=url)
        self.wait(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(url)})")

    def evaluate(self, expression):
        """Value of an expression of JavaScript."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:1000])
        return found["result"].get("value")

    def wait(self, expression):
        """Waits until an expression is true."""
        until = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() > until:
                raise TimeoutError(f"not within {PATIENCE} s: {expression}")
            time.sleep(0.02)

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def mouse(self, kind, x, y, **more):
        """An event of the mouse: mouseMoved, mousePressed, mouseReleased or mouseWheel, at a place of the window."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.frame()

    def key(self, key):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.frame()

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.frame()

    def scheme(self, name):
        """light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        self.frame()

    def screenshot(self, path, box=None):
        """Saves the window, or a box in it: left, top, width and height."""
        part = {"clip": dict(zip(("x", "y", "width", "height", "scale"), (*box, 1)))} if box else {}
        found = self.call("Page.captureScreenshot", format="png", **part)
        pathlib.Path(path).write_bytes(base64.b64decode(found["data"]))

    @property
    def complaints(self):
        """Errors and warnings of the console, exceptions, and what the page's policy blocked, since `open`; but for what
        the driver of WebGL says about the reading of its picture, which is this browser's own."""
        self.evaluate("1")
        found = []
        for event in self._events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"])[:2000])
            elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("warning", "error"):
                if STALL not in parameters["entry"]["text"]:
                    found.append(parameters["entry"]["text"])
            elif event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("warning", "error", "assert"):
                found.append(json.dumps(parameters["args"])[:2000])
        return found

    @property
    def requests(self):
        """Addresses that the page has asked for since `open`."""
        return [event["params"]["request"]["url"] for event in self._events
                if event.get("method") == "Network.requestWillBeSent"]

    def close(self):
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        os.close(self._commands)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._answers)


@contextlib.contextmanager
def browser(webgl=False):
    """A browser that is gone afterwards, with its profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        opened = Browser(folder, webgl)
        try:
            yield opened
        finally:
            opened.close()
