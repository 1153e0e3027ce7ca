"""The processes that a command is spread over: on this machine, or those of a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import NamedTuple


class Running(NamedTuple):
    """The processes that a command is spread over.

    Options:
      --workers: The number of processes; by default one.
      --scheduler ADDRESS: Run on the Dask cluster of this scheduler (extra 'cluster').
    """

    workers: int | None = None
    scheduler: str | None = None


@contextmanager
def executor_opened(running: Running) -> Iterator[Executor | None]:
    """Open the executor that the options ask for; a lost connection is reported in our own words only.

    SIGTERM, which schedulers send, is treated like an interruption by the keyboard.
    """
    from kripke_werewolf.games.simulation import open_executor, stoppable

    # a lost connection is told by our own message, not by tracebacks in the library's log
    if running.scheduler is not None:
        logging.disable(logging.CRITICAL)
    try:
        with stoppable(), open_executor(**running._asdict()) as executor:
            yield executor
    finally:
        logging.disable(logging.NOTSET)
