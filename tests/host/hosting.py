"""A host in a process of its own, and phones that are nothing but requests."""

from __future__ import annotations

import http.client
import json
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


class Host:
    """`kripke-werewolf host` on 127.0.0.1; it can be killed and started again."""

    def __init__(self, log: Path, *args: str) -> None:
        self.log, self.port, self._args = log, 0, args
        self.start(*args)

    def start(self, *args: str) -> None:
        command = [sys.executable, "-m", "kripke_werewolf", "host", str(self.log)]
        self.process = subprocess.Popen(
            [*command, "--address", "127.0.0.1", "--port", str(self.port), *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        assert self.process.stdout is not None
        printed = ""
        for line in self.process.stdout:
            printed += line
            if "Ctrl+C" in line:
                break
        else:
            raise AssertionError(f"the host has not begun:\n{printed}")
        self.address = re.search(r"(http://\S+)", printed)[1]  # type: ignore[index]
        self.code = re.search(r"code ([A-Z]+)", printed)[1]  # type: ignore[index]
        self.key = re.search(r"key ([A-Z]+)", printed)[1]  # type: ignore[index]
        self.port = int(self.address.rstrip("/").rpartition(":")[2])
        self.printed = printed

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def wait(self, seconds: float = 20) -> None:
        """Wait until it answers."""
        end = time.monotonic() + seconds
        while True:
            with suppress(OSError):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/hello")
                connection.getresponse().read()
                connection.close()
                return
            assert time.monotonic() < end, "the host does not answer"
            time.sleep(0.05)


@contextmanager
def hosted(log: Path, *args: str) -> Iterator[Host]:
    host = Host(log, *args)
    host.wait()
    try:
        yield host
    finally:
        host.kill()


class Phone:
    """A device that sends what the page would send."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.cookies: dict[str, str] = {}
        self.last = b""
        """The last reply."""

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        """Send a request, and return the status and the reply: JSON if it is that."""
        connection = http.client.HTTPConnection("127.0.0.1", self.host.port, timeout=20)
        given = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())} if self.cookies else {}
        content = None
        if method == "POST":
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            given |= {"Origin": f"http://127.0.0.1:{self.host.port}", "Content-Type": "application/json"}
        given |= headers or {}
        try:
            connection.request(method, path, content, {k: v for k, v in given.items() if v})
            reply = connection.getresponse()
            self.last = reply.read()
            for cookie in reply.headers.get_all("Set-Cookie") or ():
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            with suppress(ValueError):
                return reply.status, json.loads(self.last)
            return reply.status, self.last.decode()
        finally:
            connection.close()

    def join(self, name: str, code: str | None = None) -> tuple[int, Any]:
        return self.send("POST", "/join", {"code": code or self.host.code, "name": name})

    def submit(self, command: dict[str, Any], moment: str, request: str | None = None) -> tuple[int, Any]:
        body = {"command": command, "moment": moment, "request": request or secrets.token_hex(8)}
        return self.send("POST", "/submit", body)

    def view(self, who: str = "player") -> Any:
        """Return what the stream shows first."""
        return json.loads(self.frame(who))["view"]

    def frame(self, who: str = "player") -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.host.port, timeout=20)
        cookie = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        try:
            connection.request("GET", f"/events/{who}", headers={"Cookie": cookie} if cookie else {})
            reply = connection.getresponse()
            assert reply.status == 200, reply.read()
            event = b""
            for line in reply:
                if line.startswith(b"event: "):
                    event = line[7:].strip()
                elif line.startswith(b"data: ") and event == b"view":
                    return line[6:].strip()
            raise AssertionError("the stream has ended without a view")
        finally:
            connection.close()
