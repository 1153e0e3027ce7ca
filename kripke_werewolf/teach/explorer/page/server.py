"""The local server of the explorer: it serves one page and answers its requests.

It listens on 127.0.0.1 only, under a random path, and rejects requests that name another host or come from
another page. The library answers in a separate process, so that an endless request can be stopped.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from kripke_werewolf.base.processes import Helper
from kripke_werewolf.play.host.guard import FRAMELESS, HEADERS, refusal

TIME_LIMIT = 30.0
"""The time limit of a request, in seconds."""

_LARGEST = 4_000_000  # bytes of a request
_CHILD = (
    "from kripke_werewolf.teach.explorer import respond_json\n"
    "for line in sys.stdin:\n"
    "    print(respond_json(line), flush=True)\n"
)


class ExplorerServer(ThreadingHTTPServer):
    """A server on 127.0.0.1; `page` makes the page from the path for its requests.

    >>> server = ExplorerServer(lambda path: f"<p>{path}</p>")
    >>> server.url.startswith("http://127.0.0.1:")
    True
    >>> server.server_close()
    """

    daemon_threads = True

    def __init__(self, page: Callable[[str], str], *, port: int = 0, limit: float = TIME_LIMIT) -> None:
        self._limit, self._turn, self._helper = limit, threading.Lock(), Helper(_CHILD)
        self._helper.start()  # first, since the process starts in parallel
        super().__init__(("127.0.0.1", port), _Handler)
        self.path = f"/{secrets.token_urlsafe(16)}/"
        self.page = page(self.path).encode()

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.server_port}{self.path}"

    def ask(self, request: str) -> str:
        """Return the reply to a request, both JSON; an error if it takes too long or is stopped."""
        line = json.dumps(json.loads(request))
        with self._turn:
            try:
                return self._helper.ask(line, seconds=self._limit)
            except (TimeoutError, EOFError):
                self._helper.start()
        return json.dumps({"ok": False, "stopped": True})

    def stop(self) -> None:
        """Stop the present request."""
        if self._turn.locked():
            self._helper.kill()

    def server_close(self) -> None:
        """Close the socket, and end the answering process."""
        super().server_close()
        self._helper.stop()


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    protocol_version = "HTTP/1.1"
    server_version = "kripke-werewolf"
    sys_version = ""

    def do_GET(self) -> None:
        if self._body() is not None and self._known(""):
            self._send(200, self.server.page, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        body = self._body()
        if body is None:
            return
        if self.path == self.server.path + "stop":
            self.server.stop()
            self._send(200, b"{}", "application/json")
        elif self._known("answer"):
            try:
                self._send(200, self.server.ask(body.decode()).encode(), "application/json")
            except (ValueError, RecursionError):
                self._refuse(400, "the request must be JSON")

    def _body(self) -> bytes | None:
        """Return the body of a request, or refuse it and return None."""
        scope = {"server": self.server.server_address, "scheme": "http", "method": self.command}
        headers = {name.lower(): value for name, value in self.headers.items()}
        if denied := refusal(scope, headers, ("localhost",), _LARGEST):
            self._refuse(denied.status, str(denied))
            return None
        return self.rfile.read(int(headers["content-length"])) if self.command == "POST" else b""

    def _known(self, name: str) -> bool:
        given = self.path.partition("?")[0]
        if secrets.compare_digest(given.encode(), (self.server.path + name).encode()):
            return True
        self._refuse(404, "there is no such page; use the address that `kripke-werewolf explore` printed")
        return False

    def _refuse(self, code: int, message: str) -> None:
        self.close_connection = True
        self._send(code, f"error: {message}\n".encode(), "text/plain; charset=utf-8")

    def _send(self, code: int, content: bytes, kind: str) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in (HEADERS | {"Content-Security-Policy": FRAMELESS}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the terminal belongs to the user."""
