"""Addresses, the socket, and the terminal of a host."""

from __future__ import annotations

import asyncio
import io
import re
import socket
from collections.abc import Callable
from pathlib import Path

import h11
import segno
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.play.host.app import Room, application
from kripke_werewolf.play.host.asking import own_address
from kripke_werewolf.play.host.evening import Evening
from kripke_werewolf.play.host.guard import LARGEST, Application
from kripke_werewolf.play.host.seats import new_code

ANY = "0.0.0.0"
"""Listen at all addresses of this machine."""


class _Connection(H11Protocol):
    """A connection that is closed if a request does not arrive in time.

    If there are too many connections, the one that has waited longest for a request makes room for the new
    one. A stream of views is a request that has arrived; between requests the server's own limit applies.
    """

    patience = 10.0
    """The seconds in which a request, with its head and its body, must arrive."""
    most = 300
    """The largest number of connections; below the number at which the server refuses requests."""
    _due: asyncio.TimerHandle | None = None
    _heard = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, perhaps in place of another connection."""
        super().connection_made(transport)
        self._wait()
        kept = [one for one in self.connections if not one.transport.is_closing()]
        if len(kept) > self.most:
            idle = (one for one in kept if isinstance(one, _Connection) and one._arriving)
            min(idle, key=lambda one: one._heard).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        if self._due is not None:
            self._due.cancel()

    @property
    def _arriving(self) -> bool:
        """Whether a request has not arrived yet, or not as a whole."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _wait(self) -> None:
        self._heard = self.loop.time()
        if self._arriving and self._due is None:
            self._due = self.loop.call_later(self.patience, self.transport.abort)
        elif not self._arriving and self._due is not None:
            self._due.cancel()
            self._due = None


def bound(address: str, port: int) -> socket.socket:
    """Return a socket that listens there; raise GameError if that is impossible."""
    if not 0 <= port <= 65535:
        raise GameError(f"--port: a port is a number from 0 to 65535, got {port}")
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((address, port))
        found.listen(256)  # early requests wait until the host has started
    except OSError as error:
        found.close()
        reason = error.strerror or str(error)
        raise GameError(f"cannot listen at {address}:{port} ({reason}); choose another --port") from None
    return found


def serve(
    evening: Evening,
    listening: socket.socket,
    *,
    names: tuple[str, ...] = (),
    tls: tuple[Path, Path] | None = None,
    language: str | None = None,
) -> None:
    """Host an evening until the user interrupts. `tls`: the files of a certificate and its key."""

    def made(address: str, allowed: tuple[str, ...], stopping: Callable[[], bool]) -> tuple[Application, str]:
        room = Room(evening, key=new_code(10), address=address, secure=tls is not None, language=language)
        room.stopping = stopping
        return application(room, allowed), _greeting(room)

    run_until_stopped(made, listening, names=names, tls=tls)


def run_until_stopped(
    make: Callable[[str, tuple[str, ...], Callable[[], bool]], tuple[Application, str]],
    listening: socket.socket,
    *,
    names: tuple[str, ...],
    tls: tuple[Path, Path] | None,
) -> None:
    """Run an application until the user interrupts.

    `make` returns it and the text for the terminal, for its address, the allowed names of this host, and a
    function that tells whether the server is about to stop.
    Raises `GameError` for a certificate that cannot be used, and for a name that no machine can have.
    """
    if wrong := [name for name in names if not re.fullmatch(r"[\w-]+(\.[\w-]+)*", name)]:
        raise GameError(f"{wrong[0]!r} is not the name of a machine in a network, such as table.local")
    bound_to, port = listening.getsockname()[:2]
    shown = own_address() if bound_to == ANY else bound_to
    scheme, (certificate, key) = "https" if tls else "http", tls or (None, None)
    machine = socket.gethostname()
    allowed = ("localhost", machine, f"{machine}.local", *names)

    def stopping() -> bool:
        return server.should_exit

    app, greeting = make(f"{scheme}://{[*names, shown][0]}:{port}/", allowed, stopping)
    config = uvicorn.Config(
        app,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=400,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=2 * LARGEST,
        http=_Connection,
        ws="none",
        ssl_certfile=certificate,
        ssl_keyfile=key,
        ssl_keyfile_password="-",  # an encrypted key is rejected without asking
    )
    try:
        config.load()
    except OSError as error:
        raise GameError(
            f"--tls: cannot use the certificate {str(certificate)!r} with the key {str(key)!r} "
            f"({error}); give PEM files, the key without a password"
        ) from None
    print(greeting, flush=True)
    server = uvicorn.Server(config)
    server.run(sockets=[listening])


def _greeting(room: Room) -> str:
    """Return the text for the terminal: the address for phones, and what is not protected."""
    code = room.evening.seats.code
    drawn = io.StringIO()
    segno.make(f"{room.address}#{code}", error="l").terminal(out=drawn, compact=True, border=2)
    warning = "All traffic is encrypted."
    if not room.secure:
        warning = (
            "Nothing is encrypted: anyone who can listen in on this network can see secrets and take "
            "seats. Use a network you trust, or --tls."
        )
    return f"""\
Phones:       {room.address}   code {code}

{drawn.getvalue().rstrip(chr(10))}

Screen:       {room.address}tv
Watchers:     {room.address}watch#{room.evening.seats.watching} (everything, after a promise of silence)
Game master:  {room.address}master   key {room.key} (keep it secret; new at each start)

{warning}
The log holds all secrets: do not open it during the game.
Press Ctrl+C to stop; the same command continues the game."""
