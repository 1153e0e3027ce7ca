"""Lists of cases that have no names of their own: one test tries them all, and names those that fail."""

from collections.abc import Callable, Iterable
from inspect import signature
from itertools import product


def each(*lists: Iterable[object]) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Run a test for every case of a list, or of several in every combination; the error names the cases.

    A case is one argument, or a tuple of several if the test has more arguments than there are lists.
    """

    def one_test(test: Callable[..., object]) -> Callable[[], None]:
        several = len(signature(test).parameters) > len(lists)

        def run() -> None:
            failed = []
            for cases in product(*lists):
                arguments: list[object] = []
                for case in cases:
                    arguments += case if several and isinstance(case, tuple) else [case]
                try:
                    test(*arguments)
                except Exception as error:
                    failed.append(f"{arguments}: {type(error).__name__}: {error}")
            assert not failed, "\n".join([f"{len(failed)} cases fail", *failed])

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return one_test


def cases(*given: object) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Run a test for every case that is given, as `each` does for those of a list."""
    return each(given)
