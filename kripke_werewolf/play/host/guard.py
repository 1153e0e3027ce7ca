"""Checks of requests before they are processed: host, origin, size and rate.

A page of another site open on a player's device can send requests to this host, but not with this host's
`Origin`; a foreign name that resolves to this machine (DNS rebinding) is not among the allowed names.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any, TypeAlias

from kripke_werewolf.base.wording import Sentence

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 8192
"""The greatest size of a request's body, in bytes."""
LONGEST_KEY = 200
"""The number of characters by which devices are told apart: those of their cookies."""
_REMEMBERED = 4096
"""The number of addresses and of devices remembered."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

FRAMELESS = "frame-ancestors 'none'"
"""The policy of a page that states the rest of its policy itself."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}


class Bucket:
    """A rate limit by key: tokens that are refilled with time.

    >>> bucket = Bucket(most=2, per_second=1)
    >>> [bucket.take("a", now=0.0), bucket.take("a", now=0.0), bucket.take("a", now=0.0)]
    [True, True, False]
    >>> bucket.take("a", now=1.0)
    True
    """

    def __init__(self, *, most: float, per_second: float) -> None:
        self._most, self._per_second = most, per_second
        self._left: dict[str, tuple[float, float]] = {}

    def _now(self, key: str, now: float | None) -> tuple[float, float]:
        """Return the number of tokens that are left, and the time."""
        if now is None:
            now = time.monotonic()
        left, since = self._left.get(key, (self._most, now))
        return min(self._most, left + (now - since) * self._per_second), now

    def empty(self, key: str, *, now: float | None = None) -> bool:
        """Whether no token is left now."""
        return self._now(key, now)[0] < 1

    def take(self, key: str, *, now: float | None = None) -> bool:
        """Take a token, and return whether there was one."""
        left, now = self._now(key, now)
        self._left.pop(key, None)
        if len(self._left) >= _REMEMBERED:  # the one that has been idle longest
            del self._left[next(iter(self._left))]
        taken = left >= 1
        if taken:
            left -= 1
        self._left[key] = left, now
        return taken


class Denied(Exception):
    """A rejected request: the status and the message."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def _split_host(value: str) -> tuple[str, str]:
    """Return the name and the port of a `Host` header.

    >>> _split_host("127.0.0.1:80"), _split_host("[::1]:80"), _split_host("here")
    (('127.0.0.1', '80'), ('::1', '80'), ('here', ''))
    """
    name, colon, port = value.rpartition(":")
    if not colon or not port.isdecimal():
        name, port = value, ""
    return name.strip("[]").casefold(), port


def refusal(scope: Scope, headers: Mapping[str, str], names: Iterable[str], largest: int) -> Denied | None:
    """Return why the target, origin or size of a request is rejected; None if it is allowed.

    The allowed hosts are `names`, and the address of this machine that received the request. `largest`: the
    greatest size of a body, in bytes.
    """
    host = headers.get("host", "")
    name, port = _split_host(host)
    own, own_port = (scope.get("server") or ("", 0))[:2]
    known = {known.casefold() for known in names}
    ports = {80: ("80", ""), 443: ("443", "")}.get(own_port, (str(own_port),))
    if not (name in known or name == str(own)) or port not in ports:
        return Denied(421, Sentence("no-such-host", host=host[:80]))
    origin, page = headers.get("origin"), f"{scope['scheme']}://{host}"
    if origin is not None and origin != page:
        return Denied(403, f"the request must come from a page of this host, not from {origin[:80]!r}")
    # a link to a page may always be followed, since the page has no secrets
    visit = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and not visit:
        return Denied(403, "the request must come from a page of this host")
    if scope["method"] == "POST":
        if origin is None:
            return Denied(403, "the request must say which page it comes from (Origin)")
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return Denied(415, "the request must be JSON (Content-Type: application/json)")
        length = headers.get("content-length", "")
        if not length.isdecimal():
            return Denied(411, "the request must give its length")
        if len(length) > 9 or int(length) > largest:
            return Denied(413, Sentence("request-too-large", n=f"{largest:,}"))
    elif scope["method"] not in ("GET", "HEAD"):
        return Denied(405, "only GET and POST are possible")
    return None


class Guard:
    """An application that rejects bad requests, and adds the headers of `HEADERS` to every reply.

    `seat` returns a name for the seat whose device sent a header of cookies, None for others. A device with a
    seat is limited alone, whatever else comes from its address. `said` returns a sentence in the language
    of a request.
    """

    largest = LARGEST
    """The greatest size of a request's body, in bytes."""

    def __init__(
        self,
        app: Application,
        names: Iterable[str],
        seat: Callable[[str], str | None] = lambda cookie: None,
        said: Callable[[str, Scope], str] = lambda text, scope: text,
    ) -> None:
        self._app, self._names, self._seat, self._said = app, tuple(names), seat, said
        self._devices = Bucket(most=400, per_second=60)  # by their seats, or else by their cookies
        self._addresses = Bucket(most=4000, per_second=600)  # all players may share one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        texts = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
        headers = {name.lower(): value for name, value in texts}
        address = str((scope.get("client") or ("",))[0])
        found = refusal(scope, headers, self._names, self.largest)
        cookie = headers.get("cookie", "")
        seat = self._seat(cookie)
        device = seat or cookie[:LONGEST_KEY]
        if (device and not self._devices.take(device)) or not (seat or self._addresses.take(address)):
            found = Denied(429, Sentence("too-many-commands"))

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                extra = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in given)]
            await send(message)

        if found is None:
            await self._app(scope, receive, guarded)
            return
        text = f"error: {self._said(str(found), scope)}\n".encode()
        kind = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
        await guarded({"type": "http.response.start", "status": found.status, "headers": kind})
        await guarded({"type": "http.response.body", "body": text})
