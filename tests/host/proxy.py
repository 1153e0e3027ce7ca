"""Networks that can be cut: each phone reaches the host at an address of its own on this machine.

A browser's own "offline" leaves an open stream of events as it is; here the connections themselves end.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Literal

Line = Literal["open", "cut", "silent", "deaf"]
"""Open; every connection ended and none accepted; nothing passes any more, and no connection ends; or the
answers of the host are lost, and then the connection ends."""


class Proxy:
    """Connections from `address` to the host, at the same port."""

    def __init__(self, address: str, port: int) -> None:
        self.address, self.port, self.line = address, port, "open"
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listening.bind((address, port))
        self._listening.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, line: Line) -> None:
        """Change what passes; a cut ends the open connections, also the streams."""
        self.line = line
        if line in ("open", "cut"):  # after a silence the old connections are gone
            pairs, self._pairs = self._pairs, []
            for pair in pairs:
                for one in pair:
                    _end(one)

    def close(self) -> None:
        self.set("cut")
        _end(self._listening)

    def _accept(self) -> None:
        while True:
            try:
                phone, _ = self._listening.accept()
            except OSError:
                return
            try:
                if self.line == "cut":
                    raise OSError
                host = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                host.settimeout(None)
            except OSError:  # also while the host is down
                _end(phone)
                continue
            pair = phone, host
            self._pairs.append(pair)
            for source, target in (pair, pair[::-1]):
                threading.Thread(target=self._pass, args=(source, target, pair), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, pair: tuple[socket.socket, ...]) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if self.line == "silent":
                    continue
                if self.line == "deaf" and source is pair[1]:
                    break
                target.sendall(data)
        if self.line != "silent":
            for one in pair:
                _end(one)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
