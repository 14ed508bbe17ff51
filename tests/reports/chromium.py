"""A headless Chromium that a test drives over a pipe: no port, no network, no dependency."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)


def installed() -> str | None:
    """Where Chromium is, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Tab:
    """One page of a running Chromium; events that arrive between answers are kept in `events`."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read, self._rest, self._count = write, read, b"", 0
        self.events: list[dict[str, Any]] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Call the browser and wait for its answer."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 20)
            assert piece, "Chromium has gone"
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        event: dict[str, Any] = json.loads(message)
        return event

    def open(self, path: Path | str, *, width: int = 1280, theme: str = "light", height: int = 900) -> None:
        """Load a file or an address at a width and in the theme that the reader's system prefers."""
        mobile = width < 500
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.events.clear()
        self.send("Page.navigate", url=path if isinstance(path, str) else path.resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def value(self, script: str) -> Any:
        """What a JavaScript expression gives."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def hover(self, x: float, y: float) -> None:
        """Move the mouse there, in pixels of the window."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, name: str) -> None:
        """Press a key."""
        code = {"ArrowRight": 39, "Tab": 9, "Escape": 27}[name]
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def picture(self, path: Path) -> None:
        """The whole page as a PNG."""
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def chromium(program: str) -> Iterator[Tab]:
    """A fresh browser with an empty profile; it and its profile are gone afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4; the shell puts ours there.
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}'
        process = subprocess.Popen(
            ["/bin/bash", "-c", shell, program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(to_read, from_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        try:
            yield Tab(to_write, from_read)
        finally:
            process.terminate()
            process.wait(timeout=20)
            os.close(to_write)
            os.close(from_read)


def complaints(tab: Tab) -> list[object]:
    """Errors and warnings in the console, refused loads and exceptions since the page was opened."""
    wanted = {"Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled", "Network.loadingFailed"}
    return [event for event in tab.events if event["method"] in wanted]


def requests(tab: Tab) -> list[str]:
    return [e["params"]["request"]["url"] for e in tab.events if e["method"] == "Network.requestWillBeSent"]
