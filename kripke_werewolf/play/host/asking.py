"""A page that asks one person, on a phone or in any browser: it shows a prompt, and waits for the answer.

The page needs no other package, and no script. Who knows its address can answer; nothing is encrypted.
"""

from __future__ import annotations

import json
import secrets
import socket
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from threading import Thread
from urllib.parse import parse_qsl

from kripke_werewolf.play.host.guard import HEADERS, LARGEST

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
_PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>{body}"""
_WAITING = '<meta http-equiv="refresh" content="2"><p>Waiting for the others …'


class Person:
    """A function from a prompt to the answer that a person gives on the page at `address`.

    The prompt may have `options`, one of which is the `move`, and `facts`, whose chances are asked in
    percent; what is not filled in is left out. `listen`: the address of this machine in the network.
    """

    name = "person"

    def __init__(self, listen: str = "127.0.0.1", port: int = 0) -> None:
        self._number, self._text, self._answers = 0, "", SimpleQueue[str]()
        self._key = f"/{secrets.token_urlsafe(12)}"
        asked = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked._answer(self, asked._form() if asked._text else _WAITING)

            def do_POST(self) -> None:
                length = self.headers.get("Content-Length", "")
                size = min(int(length), LARGEST) if length.isdecimal() else 0
                given = dict(parse_qsl(self.rfile.read(size).decode(errors="replace")))
                if self.path == asked._key and asked._text and given.pop("number", "") == str(asked._number):
                    asked._text = ""  # a second answer is late
                    asked._answers.put(_as_answer(given))
                asked._answer(self, _WAITING)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer((listen, port), Page)
        self.address = f"http://{listen}:{self._server.server_port}{self._key}"
        """The address of the page."""
        Thread(target=self._server.serve_forever, daemon=True).start()

    def __call__(self, text: str) -> str:
        """Show a prompt; return the person's answer to it."""
        self._number, self._text = self._number + 1, text
        return self._answers.get()

    def close(self) -> None:
        """Take the page away."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, page: BaseHTTPRequestHandler, body: str) -> None:
        known = page.path == self._key
        page.send_response(200 if known else 404)
        for name, value in (HEADERS | {"Content-Security-Policy": _POLICY}).items():
            page.send_header(name, value)
        page.send_header("Content-Type", "text/html; charset=utf-8")
        page.end_headers()
        page.wfile.write(_PAGE.format(title="Your turn", body=body if known else "<p>no such page").encode())

    def _form(self) -> str:
        text, fields = escape(self._text), list[str]()
        for option in map(escape, getattr(self._text, "options", ())):
            fields.append(f'<p><label><input type=radio name=move value="{option}">{option}</label>')
        if not fields:
            fields.append("<p><label>say <input name=say maxlength=300></label>")
        for fact in map(escape, getattr(self._text, "facts", ())):
            number = f'<input type=number min=0 max=100 step=any name="% {fact}">'
            fields.append(f"<p><label>{number} % {fact}</label>")
        fields.append(f"<input type=hidden name=number value={self._number}><p><button>Answer</button>")
        return f"<form method=post>{''.join(fields)}</form><pre style='white-space: pre-wrap'>{text}</pre>"


def _as_answer(given: dict[str, str]) -> str:
    """Return the answer in the fields of a form, as JSON."""
    beliefs = {name[2:]: f"{value}%" for name, value in given.items() if name.startswith("% ")}
    words = {name: given[name] for name in ("move", "say") if name in given}
    return json.dumps({**words, "beliefs": beliefs}, ensure_ascii=False)


def own_address() -> str:
    """Return the address of this machine in its network; 127.0.0.1 if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only determines the route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
