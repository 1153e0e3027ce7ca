"""A host in a separate process, and phones that only send requests."""

import http.client
import json
import os
import re
import secrets
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.forked import Program

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


class Host:
    """`kripke-werewolf host` on 127.0.0.1; it can be killed and started again.

    `fresh`: by a new interpreter. `tls`: what its certificate is checked against.
    """

    def __init__(
        self, folder: Path, *args: str, fresh: bool = False, tls: ssl.SSLContext | None = None
    ) -> None:
        self.folder, self.port, self.fresh, self.tls = folder, 0, fresh, tls
        self.log = folder / "game-1.jsonl"
        """The log of the first game."""
        self.start(*args)

    def start(self, *args: str) -> None:
        """Start it, and read what it prints."""
        given = ("host", str(self.folder), "--address", "127.0.0.1", "--port", str(self.port), *args)
        reading, writing = os.pipe()
        self.process: Program | subprocess.Popen[bytes]
        if self.fresh:
            command = [sys.executable, "-m", "kripke_werewolf", *given]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=writing, stderr=writing)
        else:
            with open(os.devnull, encoding="utf-8") as nothing:
                self.process = Program(given, (nothing.fileno(), writing, writing), cwd=self.folder.parent)
        os.close(writing)
        self.output = open(reading, encoding="utf-8")  # noqa: SIM115 - until it is killed
        self.printed = ""
        for line in self.output:
            self.printed += line
            if "Ctrl+C" in line:
                break
        else:
            raise AssertionError(f"the host has not begun:\n{self.printed}")
        self.address = re.search(r"(https?://\S+)", self.printed)[1]  # type: ignore[index]
        self.code = re.search(r"code ([A-Z]+)", self.printed)[1]  # type: ignore[index]
        self.key = re.search(r"key ([A-Z]+)", self.printed)[1]  # type: ignore[index]
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)
        self.output.close()

    def connect(self, seconds: float = 60) -> http.client.HTTPConnection:
        """Return a connection to it."""
        if self.tls is not None:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=seconds, context=self.tls)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)

    @property
    def seconds(self) -> float:
        """The processor time used."""
        parts = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """The memory in use, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) // 1024

    def wait(self, seconds: float = 20) -> None:
        """Wait until it answers."""
        end = time.monotonic() + seconds
        while True:
            with suppress(OSError):
                connection = self.connect(5)
                connection.request("GET", "/hello")
                connection.getresponse().read()
                connection.close()
                return
            assert time.monotonic() < end, "the host does not answer"
            time.sleep(0.05)


@contextmanager
def hosted(folder: Path, *args: str, **more: Any) -> Iterator[Host]:
    host = Host(folder, *args, **more)
    host.wait()
    try:
        yield host
    finally:
        host.kill()


class Phone:
    """A device that sends the requests of the page."""

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
        connection = self.host.connect()
        given = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())} if self.cookies else {}
        content = None
        if method == "POST":
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            given |= {"Origin": self.host.address.rstrip("/"), "Content-Type": "application/json"}
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
        """Return the first view in the stream."""
        return json.loads(self.frame(who))["view"]

    def frame(self, who: str = "player") -> bytes:
        connection = self.host.connect()
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


def join(page: Any, host: Host, name: str) -> None:
    """Join in a browser."""
    page.goto(f"{host.address}#{host.code}")
    page.fill("#name", name)
    page.click("button.primary")
    page.wait_for_selector("ol.people")
