"""Where simulations run: this process, other processes of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from pickle import PicklingError

from kripke_werewolf.errors import GameError, KripkeError

__all__ = ["ClusterError", "ExecutorBroken", "open_executor", "reason"]


class ClusterError(KripkeError, ConnectionError):
    """A Dask scheduler that cannot be reached."""


class ExecutorBroken(KripkeError, RuntimeError):
    """An executor that did not finish what it was given."""


def reason(error: BaseException) -> str:
    """Return why work on an executor stopped, in words."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, CancelledError):
        return "the executor has cancelled its work, as a cluster does when its scheduler is gone"
    if isinstance(error, BrokenProcessPool):
        return (
            "a process ended abruptly: it was killed, or could not import what it needs (a strategy must be "
            "in a module; a script must start processes under `if __name__ == '__main__':`)"
        )
    if isinstance(error, PicklingError) or "pickle" in str(error):
        return f"{error}: it cannot be sent to another process (a strategy must be a class of a module)"
    return f"{type(error).__name__}: {error}"


@contextmanager
def open_executor(
    *, workers: int | None = None, scheduler: str | None = None, timeout: float = 5
) -> Iterator[Executor | None]:
    """Open the executor that the arguments ask for, and close it at the end of the block.

    `workers`: that many processes. `scheduler`: the address of a running Dask scheduler (extra `cluster`),
    given up on after `timeout` seconds. Neither: None, for this process.

    Raises `ClusterError` for a scheduler that cannot be reached, and GameError for impossible arguments.
    """
    if workers is not None and scheduler is not None:
        raise GameError("give workers or a scheduler, not both: a cluster has its own workers")
    if workers is not None:
        if workers < 1:
            raise GameError(f"workers={workers!r} is not possible (allowed: a whole number from 1)")
        # spawned, not forked: a fork would copy the threads of a progress bar half
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield pool
    elif scheduler is not None:
        with _cluster(scheduler, timeout) as executor:
            yield executor
    else:
        yield None


@contextmanager
def _cluster(address: str, timeout: float) -> Iterator[Executor]:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ClusterError(
            "a scheduler needs the package distributed; install kripke-werewolf[cluster]"
        ) from None
    try:
        # what is no address is refused here: a client made of it waits, and fails once more when it goes
        full = distributed.comm.normalize_address(address)
        if not full.startswith("inproc:"):
            distributed.comm.get_address_host_port(full, strict=True)
        client = distributed.Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # refused, timed out, or not an address
        raise ClusterError(f"cannot reach a Dask scheduler at {address!r}: {error}") from error
    with client, client.get_executor() as executor:
        yield executor
