"""Chromium by its own protocol, over a pipe: for pages that a person would press on.

In: an address, and JavaScript to look and press with. Out: values, screenshots, and all that the
console has complained of.
"""

import base64
import fcntl
import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["AXE", "BROWSER", "Tab", "opened"]

ROOT = Path(__file__).parents[1]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
AXE = ROOT / ".boot/node_modules/axe-core/axe.min.js"

WAIT_MS = 60_000


class Tab:
    """A page in Chromium."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._rest = b""
        self._count = 0
        self._session = ""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        reply = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = reply["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """Calls a method of the protocol."""
        self._count += 1
        message: dict[str, object] = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._next()
            if reply.get("id") == self._count:
                assert "error" not in reply, reply
                result: dict[str, Any] = reply["result"]
                return result
            self._note(reply)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = os.read(self._read, 1 << 20)
            assert chunk, "the browser has ended"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\0")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _note(self, reply: dict[str, Any]) -> None:
        params = reply.get("params", {})
        match reply.get("method"):
            case "Runtime.consoleAPICalled" if params["type"] in {"error", "warning", "assert"}:
                self.complaints.append(json.dumps(params["args"]))
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(params["exceptionDetails"]))
            case "Log.entryAdded" if params["entry"]["level"] in {"error", "warning"}:
                self.complaints.append(params["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])

    def open(self, address: str) -> None:
        """Opens an address."""
        self.call("Page.navigate", url=address)

    def do(self, script: str) -> Any:
        """Returns the result of a script, which may use `await`."""
        reply = self.call(
            "Runtime.evaluate",
            expression=f"(async () => {{ {script} }})()",
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    def wait(self, condition: str) -> None:
        """Waits until an expression holds."""
        script = f"""const until = Date.now() + {WAIT_MS};
            while (!({condition})) {{
              if (Date.now() > until) return document.body.innerText;
              await new Promise((done) => setTimeout(done, 20));
            }}"""
        found = self.do(script)
        assert found is None, f"not met: {condition}\n{found}\n{self.complaints}"

    def look(self, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Changes the window's size and its colour scheme."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def shot(self, path: Path) -> None:
        """Saves a screenshot of the whole page."""
        reply = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(reply["data"]))

    def violations(self) -> list[Any] | None:
        """Returns the findings of axe-core; `None` if axe-core has not been fetched."""
        if not AXE.is_file():
            return None
        self.do(AXE.read_text("utf-8") + "; window.axe = axe;")
        return list(
            self.do("""const found = await axe.run(document, { resultTypes: ["violations"] });
            const first = (each) => each.nodes[0].html.slice(0, 160);
            return found.violations.map((each) => [each.id, each.nodes.length, first(each)]);""")
        )


@contextmanager
def opened(folder: Path) -> Iterator[Tab]:
    """A browser with one page; `folder` is for what it writes."""
    assert BROWSER
    (their_read, our_write), (our_read, their_write) = os.pipe(), os.pipe()
    words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    words += [f"--user-data-dir={folder}", "--remote-debugging-pipe"]
    # The browser reads at 3 and writes at 4, which may be taken here.
    above = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (their_read, their_write)]
    quiet = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
    places = [(os.POSIX_SPAWN_DUP2, end, place) for place, end in enumerate(above, 3)]
    browser = os.posix_spawn(BROWSER, [BROWSER, *words], os.environ, file_actions=[quiet, *places])
    for end in (their_read, their_write, *above):
        os.close(end)
    try:
        yield Tab(our_write, our_read)
    finally:
        os.kill(browser, signal.SIGKILL)
        os.waitpid(browser, 0)
        for end in (our_write, our_read):
            os.close(end)
