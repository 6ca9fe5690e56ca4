"""A real headless browser, driven through a pair of pipes, to measure how a page looks."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next(filter(None, map(shutil.which, PROGRAMS)), None)
needs_chromium = pytest.mark.skipif(FOUND is None, reason=f"none of {', '.join(PROGRAMS)} is installed")
_LOADED = "new Promise(done => document.readyState === 'complete' ? done(true) : onload = () => done(true))"


class Browser:
    """One browser with one page, as a context manager that ends the process."""

    def __init__(self) -> None:
        assert FOUND is not None
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        options = f"--headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir={self._profile.name}"
        # The browser reads commands from descriptor 3 and answers on 4, each message ended by a zero byte.
        command = f'exec "{FOUND}" {options} --remote-debugging-pipe about:blank 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", command],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._replies = os.fdopen(self._in, "rb")
        self._unread = b""
        self._number = 0
        self._session: str | None = None
        [page] = [each for each in self._ask("Target.getTargets")["targetInfos"] if each["type"] == "page"]
        self._session = self._ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        self._replies.close()
        self._profile.cleanup()

    def open(self, path: Path, width: int, height: int = 900) -> None:
        """Show a file in a window of so many pixels, and wait until it is loaded."""
        self.resize(width, height)
        self._ask("Page.enable")
        self.value("window.isLeft = true")
        self._ask("Page.navigate", url=path.resolve().as_uri())
        # The answer may come before the page that is left has gone, above all if a page is opened again.
        while self.value("window.isLeft === true"):
            time.sleep(0.01)
        self.value(_LOADED)

    def resize(self, width: int, height: int = 900) -> None:
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def value(self, script: str) -> Any:
        """Return the value of a JavaScript expression as JSON. A promise is awaited."""
        found = self._ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def media(self, name: str) -> None:
        """Show the page as it is on `print` or on a `screen`."""
        self._ask("Emulation.setEmulatedMedia", media=name)

    def scheme(self, name: str) -> None:
        """Show the page to somebody who prefers a `dark` or a `light` one."""
        self._ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def press(self, key: str) -> None:
        """Press and release a key, such as `j` or `ArrowDown`, where the focus is."""
        code = {"Tab": 9, "Enter": 13, "ArrowDown": 40, "ArrowUp": 38}.get(key, ord(key[0].upper()))
        own = {"key": key, "windowsVirtualKeyCode": code, **({"text": key} if len(key) == 1 else {})}
        if key == "Enter":
            own["text"] = "\r"
        self._ask("Input.dispatchKeyEvent", type="keyDown", **own)
        self._ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def save_into(self, folder: Path) -> None:
        """Let the page save files, in this folder."""
        self._ask("Page.setDownloadBehavior", behavior="allow", downloadPath=f"{folder}")

    def picture(self, path: Path, whole: bool = False) -> None:
        """Write the window or the whole page as a PNG."""
        shot = self._ask("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._next()
            if reply.get("id") == self._number:
                assert "error" not in reply, reply
                found: dict[str, Any] = reply["result"]
                return found

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            more = self._replies.read1(1 << 16)
            assert more, "the browser has gone"
            self._unread += more
        message, _, self._unread = self._unread.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found
