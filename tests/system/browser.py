"""Headless Chromium for tests of pages, by the DevTools protocol over two pipes. Without it, tests are skipped.

>>> with Browser(tmp_path) as browser:
...     browser.open(page)
...     assert browser.value("document.title") == "..."
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

_OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe")
_PATIENCE_S = 60  # on a loaded computer


def needed() -> str:
    """Chromium's path; skips the test if there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-headless-shell") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium: scripts/install browser")
    return found


class Browser:
    """A browser with one page and no network: a request of another kind than file: fails, and is in `requests`."""

    def __init__(self, folder: Path, width: int = 1600, height: int = 1000) -> None:
        self.requests: list[str] = []
        self.errors: list[str] = []
        self._number = 0
        self._rest = b""
        self._session = ""
        read_by_browser, self._out = os.pipe()
        self._in, written_by_browser = os.pipe()
        command = [needed(), *_OPTIONS, f"--window-size={width},{height}", f"--user-data-dir={folder / 'browser'}"]
        # The browser reads commands from 3 and writes answers to 4.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{read_by_browser} 4>&{written_by_browser}', "bash", *command],
            pass_fds=(read_by_browser, written_by_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_by_browser)
        os.close(written_by_browser)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self._call(f"{domain}.enable")
        self._call(
            "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0
        )

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def open(self, page: Path) -> None:
        """Loads a file and waits until its scripts have run."""
        self._call("Page.navigate", url=page.resolve().as_uri())
        self.wait("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript gives, as JSON has it; a promise is awaited."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + _PATIENCE_S
        while not self.value(expression):
            assert time.monotonic() < end, f"never: {expression}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """On an element."""
        self.value(f"document.querySelector({json.dumps(selector)}).click()")

    def hover(self, selector: str) -> None:
        """Moves the mouse onto an element."""
        x, y = self._middle(selector)
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def mouse_click(self, selector: str) -> None:
        """As a user who moves the mouse there and presses it: whatever is on top gets the click."""
        self.hover(selector)
        x, y = self._middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _middle(self, selector: str) -> list[float]:
        found: list[float] = self.value(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        return found

    def type(self, selector: str, text: str) -> None:
        """Into a field, as a user who ends with Enter."""
        self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(text)};"
            " for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {bubbles: true})); })()"
        )

    def dark(self) -> None:
        """As for a user who prefers dark colours."""
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def picture(self, file: Path) -> None:
        """Keeps what the page shows, as PNG."""
        file.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Runtime.exceptionThrown":
            details = event["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        if event.get("method") == "Network.requestWillBeSent":
            url = event["params"]["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.requests.append(url)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._in, 1 << 20)
            assert piece, "the browser has ended"
            self._rest += piece
        one, self._rest = self._rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(one)
        return found
