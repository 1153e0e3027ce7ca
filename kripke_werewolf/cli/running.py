"""The processes that a command is spread over: on this machine, or those of a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from kripke_werewolf.games.simulation import open_executor, stoppable


@contextmanager
def executor_opened(*, workers: int | None = None, scheduler: str | None = None) -> Iterator[Executor | None]:
    """Open the executor that the options ask for; a lost connection is reported in our own words only.

    SIGTERM, which schedulers send, is treated like an interruption by the keyboard.
    """
    # a lost connection is told by our own message, not by tracebacks in the library's log
    if scheduler is not None:
        logging.disable(logging.CRITICAL)
    try:
        with stoppable(), open_executor(workers=workers, scheduler=scheduler) as executor:
            yield executor
    finally:
        logging.disable(logging.NOTSET)
