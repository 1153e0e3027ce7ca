"""A test for every case of a list, as one test: for cases that have no name of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product


def each(*lists: Iterable[object]) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Run a test for every case of a list, or of several in every combination; the error names the cases.

    A case is a tuple of arguments, or the only one.
    """

    def one_test(test: Callable[..., object]) -> Callable[[], None]:
        def run() -> None:
            failed = []
            for cases in product(*lists):
                arguments = [x for case in cases for x in (case if isinstance(case, tuple) else (case,))]
                try:
                    test(*arguments)
                except Exception as error:
                    failed.append(f"{arguments}: {type(error).__name__}: {error}")
            assert not failed, "\n".join([f"{len(failed)} cases fail", *failed])

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return one_test
