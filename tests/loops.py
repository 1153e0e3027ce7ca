"""Lists of cases that have no names of their own, tried in one test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def loop(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Let a test try all cases, and fail with all of those for which it fails.

    The arguments are those of `pytest.mark.parametrize`, for tests without fixtures.
    """
    listed = list(cases)

    def over(test: Callable[..., None]) -> Callable[..., None]:
        def whole(**given: Any) -> None:
            wrong = []
            for case in listed:
                values = {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
                try:
                    test(**values, **given)
                except (Exception, pytest.fail.Exception) as error:
                    wrong.append(f"{case}: {error!r}")
            assert not wrong, "\n".join(wrong)

        whole.__name__, whole.__doc__, whole.__module__ = test.__name__, test.__doc__, test.__module__
        return whole

    return over
