"""Functions that lower packages use and upper ones have: each package says where its own stand."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES: dict[str, str] = {}


def provide(module: str, *names: str) -> None:
    """Say in which module some functions or classes stand; it is loaded when the first of them is used."""
    _MODULES.update(dict.fromkeys(names, module))


def provided(name: str) -> Any:
    """Return a function or class that an upper package provides."""
    return getattr(import_module(_MODULES[name]), name)
