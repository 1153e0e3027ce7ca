"""Values that are kept by everything they were made from."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Generic, TypeVar

from kripke_werewolf.errors import FormatError

T = TypeVar("T")


class Kept(Generic[T]):
    """A cache of the most recently used values by key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: OrderedDict[Any, T] = OrderedDict()

    def get(self, key: Any, make: Callable[[], T]) -> T:
        """Return the value of a key, computed if it is missing."""
        if key not in self.values:
            self.values[key] = make()
            if len(self.values) > self.most:
                self.values.popitem(last=False)
        self.values.move_to_end(key)
        return self.values[key]


def digest(*parts: Any) -> str:
    """Return a short hash of JSON-ready values."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise FormatError(f"expected a JSON value, got {value!r}")
