"""Lists of cases that have no names of their own: one test tries them all, and names those that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def each(*lists: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test of a function and the cases to call it with; a tuple holds several arguments."""
    cases = [case if isinstance(case, tuple) else (case,) for listed in lists for case in listed]

    def decorated(test: Callable[..., None]) -> Callable[[], None]:
        def all_cases() -> None:
            failed = []
            for case in cases:
                try:
                    test(*case)
                except Exception as error:
                    failed.append(f"{', '.join(map(repr, case))}: {type(error).__name__} {error}")
            assert not failed, "\n".join(failed)

        all_cases.__name__, all_cases.__doc__ = test.__name__, test.__doc__
        all_cases.__module__ = test.__module__
        return all_cases

    return decorated
