"""Lists of cases in one test: a failure says which case it was."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def naming(*case: object) -> Iterator[None]:
    """Note the case, such as an answer and its message, at an error inside."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case {case!r}")
        raise
