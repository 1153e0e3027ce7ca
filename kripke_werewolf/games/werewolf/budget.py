"""The limits of a search on time and memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import NoReturn

MAX_STATES = 3_000_000
"""Partial sums that may be in memory at once: each takes some tens of bytes."""


class Unfinished(Exception):
    """The search had to stop; the message says why."""


@dataclass
class Budget:
    """The limits of a search on time and memory; it counts what has been done."""

    seconds: float | None = None
    states: int = MAX_STATES
    started: float = field(default_factory=time.monotonic)
    scenarios: int = 0
    progress: Callable[[int], None] | None = None
    """Called now and then with the number of scenarios tried so far."""

    def left(self, most: float = inf) -> float:
        """Return the seconds that are left, at most these."""
        if self.seconds is not None:
            most = min(most, self.started + self.seconds - time.monotonic())
        return max(most, 0.0)

    def tick(self) -> None:
        """Raise Unfinished when time has run out, and report the progress."""
        if self.progress is not None:
            self.progress(self.scenarios)
        if not self.left():
            self.stop()

    def stop(self) -> NoReturn:
        """Raise Unfinished because time has run out."""
        allowed = "" if self.seconds is None else f" ({self.seconds:g} s)"
        raise Unfinished(f"time ran out{allowed}")
