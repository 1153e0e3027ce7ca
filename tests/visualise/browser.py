"""Headless Chromium through its own driver, spoken to in the W3C WebDriver protocol."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def available() -> bool:
    return bool(shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome")))


class Browser:
    """One session: pages are opened, scripts run, keys and clicks sent."""

    def __init__(self, address: str, *, width: int, height: int) -> None:
        binary = shutil.which("chromium") or shutil.which("google-chrome")
        flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            f"--window-size={width},{height}",
        ]
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": flags, "binary": binary},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        self._base = address
        session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._base = f"{address}/session/{session['sessionId']}"

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self._base + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def open(self, path: Path) -> None:
        self._call("POST", "/url", {"url": path.resolve().as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def _element(self, selector: str) -> str:
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        return str(next(iter(found.values())))

    def click(self, selector: str) -> None:
        self._call("POST", f"/element/{self._element(selector)}/click")

    def keys(self, selector: str, text: str) -> None:
        self._call("POST", f"/element/{self._element(selector)}/value", {"text": text})

    def actions(self, *steps: dict[str, Any]) -> None:
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self._call("POST", "/actions", {"actions": [pointer]})

    def log(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._call("POST", "/se/log", {"type": kind})
        return found

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self) -> list[str]:
        """Return the addresses asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def pdf(self) -> bytes:
        """Return the page as it is printed."""
        return base64.b64decode(self._call("POST", "/print", {"page": {}}))

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def window(self, width: int, height: int) -> None:
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def scheme(self, name: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.devtools("Emulation.setEmulatedMedia", features=features)

    def press(self, key: str) -> None:
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def close(self) -> None:
        self._call("DELETE", "")


@contextmanager
def browsing(*, width: int = 1200, height: int = 800) -> Iterator[Browser]:
    driver = subprocess.Popen(
        ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert driver.stdout is not None
        line = next(line for line in driver.stdout if "successfully on port" in line)
        browser = Browser(
            f"http://127.0.0.1:{line.rsplit(' ', 1)[1].strip().rstrip('.')}", width=width, height=height
        )
        try:
            yield browser
        finally:
            browser.close()
    finally:
        driver.terminate()
        driver.wait(timeout=20)
