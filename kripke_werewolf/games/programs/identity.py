"""The identity of a strategy: its code and every value that the code reads.

Two strategies are the same only if they are of the same class, with the same code, and if every value that
the code can read is the same: attributes of the instance and of its classes, defaults, variables of enclosing
functions, globals. A value that cannot be part of the identity raises an error with the reason.
"""

from __future__ import annotations

import dis
import random
import sys
import types
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.logic.formulas import Formula

_OWN = __name__.partition(".")[0]
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, Fraction, Formula, PurePath)
_OPAQUE = ("builtins", "_io", "_thread", "_random", "_socket", "_ctypes", "_queue")
_LOOKED_UP = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
_WRAPPERS: dict[type, tuple[str, ...]] = {
    types.MethodType: ("__self__", "__func__"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    partial: ("func", "args", "keywords"),
    cached_property: ("func",),
    type(cache(len)): ("__wrapped__",),
}
"""Objects made from functions, with the attributes that hold these."""
_SKIPPED = {
    "__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__firstlineno__",
    "__static_attributes__", "__orig_bases__", "__parameters__", "__abstractmethods__", "_abc_impl",
    "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__slots__", "__hash__", "__eq__",
    "__slotnames__", "__annotate__", "__annotate_func__", "__classcell__", "__is_protocol__", "_is_protocol",
    "__protocol_attrs__", "__non_callable_proto_members__", "_is_runtime_protocol", "__subclasshook__",
}  # fmt: skip


def identity(value: object) -> str:
    """Return a short string, different for any two strategies that may decide differently.

    >>> class Patient:
    ...     def __init__(self, n): self.n = n
    >>> identity(Patient(1)) == identity(Patient(1)), identity(Patient(1)) == identity(Patient(2))
    (True, False)

    Raises GameError for a strategy that reads a value which cannot be compared, such as an open file, or a
    generator of random numbers.
    """
    return sha256(repr(_Description().of(value, "it")).encode()).hexdigest()[:16]


def is_ours(value: object) -> bool:
    """Return whether all code of a strategy, including its parameters, is the library's own."""
    if isinstance(value, types.FunctionType):
        return _of_library(value)
    kinds = [kind for kind in type(value).__mro__ if kind is not object]
    if not all(_of_library(kind) and not _set_by_hand(kind) for kind in kinds):
        return False
    return all(isinstance(v, _PLAIN) or is_ours(v) for v in parameters(value).values())


def answers_by_ours(strategy: object, question: str) -> bool:
    """Return whether a method of a strategy, including its parameters, is the library's own.

    The methods of the library's strategies for Avalon call none of their own.
    """
    method = getattr(type(strategy), question, None)
    if not isinstance(method, types.FunctionType) or not _of_library(method):
        return False
    given = parameters(strategy)
    return question not in given and all(isinstance(v, _PLAIN) or is_ours(v) for v in given.values())


def named(value: object) -> str:
    """Return a strategy in one line: its class and its parameters.

    >>> class Patient:
    ...     def __init__(self, n): self.n = n
    >>> named(Patient(2))
    'Patient(n=2)'
    """
    shown = ", ".join(
        f"{name}={named(v) if hasattr(v, '__dict__') and not callable(v) else repr(v)}"
        for name, v in parameters(value).items()
    )
    kind = type(value)
    name = getattr(value, "__qualname__", None) or kind.__qualname__
    return f"{name.rpartition('<locals>.')[2]}({shown})"


def _of_library(kind: Any) -> bool:
    module = getattr(kind, "__module__", None) or ""
    if module == "builtins":
        return not _written(kind)
    return module == _OWN or module.startswith(f"{_OWN}.") or module in ("typing", "abc")


def _written(kind: Any) -> bool:
    """Return whether a class is written in a module; code executed as a string belongs to none."""
    return bool(getattr(kind, "__flags__", 0) & (1 << 9))


def parameters(value: object) -> dict[str, Any]:
    """Return the parameters of a strategy: the values of its instance."""
    found = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if slot not in ("__dict__", "__weakref__") and hasattr(value, slot):
                found[slot] = getattr(value, slot)
    return found


class _Description:
    """A nested tuple of plain values that describes a value completely."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.kept: list[object] = []  # so that no id is used twice

    def of(self, value: Any, path: str) -> Any:
        if isinstance(value, Enum):
            return "enum", type(value).__qualname__, value.name
        if isinstance(value, _PLAIN):
            return type(value).__name__, repr(value)
        if id(value) in self.seen:
            return "again", self.seen[id(value)]
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        if isinstance(value, tuple | list):
            parts = [self.of(v, f"{path}[{n}]") for n, v in enumerate(value)]
            return type(value).__qualname__, parts
        if isinstance(value, set | frozenset):
            return "set", sorted(repr(_Description().of(v, path)) for v in value)
        if isinstance(value, Mapping):
            pairs = [
                (repr(_Description().of(k, path)), self.of(v, f"{path}[{k!r}]")) for k, v in value.items()
            ]
            return "mapping", sorted(pairs, key=lambda pair: pair[0])
        return self._thing(value, path)

    def _thing(self, value: Any, path: str) -> Any:
        if isinstance(value, types.ModuleType):
            return "module", value.__name__
        if isinstance(value, type):
            return self._class(value, path)
        if isinstance(value, types.FunctionType):
            return self._function(value, path)
        for wrapper, inside in _WRAPPERS.items():
            if isinstance(value, wrapper):
                return wrapper.__name__, [self.of(getattr(value, part), path) for part in inside]
        if isinstance(
            value, types.BuiltinFunctionType | types.MethodWrapperType | types.WrapperDescriptorType
        ):
            if isinstance(owner := getattr(value, "__self__", None), random.Random):
                self._refuse(path, "is a source of randomness", owner)
            return "builtin", value.__qualname__
        if isinstance(
            value, types.MethodDescriptorType | types.GetSetDescriptorType | types.MemberDescriptorType
        ):
            return "descriptor", value.__qualname__
        if isinstance(value, random.Random) or type(value).__name__ in ("Generator", "RandomState"):
            self._refuse(path, "is a source of randomness", value)
        kind = type(value)
        if kind.__module__ == "numpy" or kind.__module__.startswith("numpy."):
            if hasattr(value, "tobytes"):
                return "numpy", str(value.dtype), str(value.shape), value.tobytes().hex()
            return "numpy", getattr(value, "__name__", repr(value))
        if kind is types.GenericAlias or kind.__module__ in ("typing", "__future__"):
            return "typing", repr(value)
        if (kind.__module__ in _OPAQUE and not _written(kind)) or hasattr(value, "__next__"):
            self._refuse(path, "cannot be compared", value)
        variables = parameters(value)
        parts = {name: self.of(v, f"{path}.{name}") for name, v in sorted(variables.items())}
        return "object", self.of(kind, path), sorted(parts.items())

    def _refuse(self, path: str, problem: str, value: object) -> None:
        advice = "mix with choose({…}) instead" if "random" in problem else "give it a plain value instead"
        raise GameError(
            f"{path} is {value!r}, which {problem}, so the strategy has no identity: {advice} "
            "(part of it may be numbers, strings, formulas, tuples, lists, sets, mappings, functions, "
            "classes, and objects made of these)"
        )

    def _class(self, kind: type, path: str) -> Any:
        name = f"{_module(kind)}.{kind.__qualname__}"
        if _of_library(kind) or not _written(kind):
            own = _set_by_hand(kind)
            return "class", name, [(n, self.of(value, f"{kind.__qualname__}.{n}")) for n, value in own]
        if _is_installed(kind):
            return "class", name
        parts = [
            (attribute, self.of(value, f"{kind.__qualname__}.{attribute}"))
            for attribute, value in sorted(kind.__dict__.items())
            if attribute not in _SKIPPED and not isinstance(value, types.MemberDescriptorType)
        ]
        return "class", name, parts, [self.of(base, path) for base in kind.__bases__ if base is not object]

    def _function(self, function: types.FunctionType, path: str) -> Any:
        module = _module(function)
        name = f"{module}.{function.__qualname__}"
        if module == _OWN or module.startswith(f"{_OWN}.") or _is_installed(function):
            return "function", name
        code = function.__code__
        where = function.__qualname__.rpartition("<locals>.")[2]
        cells = [
            (free, self.of(cell.cell_contents, f"{free} in {where}"))
            for free, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
            if free != "__class__" and _filled(cell)
        ]
        values = [
            (global_name, self.of(function.__globals__[global_name], f"{global_name}, read by {where},"))
            for global_name in sorted(_globals(code) & function.__globals__.keys())
            if not global_name.startswith("__")  # as __name__, which differs between processes
        ]
        defaults = self.of((function.__defaults__, function.__kwdefaults__), f"a default of {where}")
        return "function", name, _code(code), defaults, cells, values


def _set_by_hand(kind: type) -> list[tuple[str, Any]]:
    """Return the functions of one of the library's classes that are not the library's own."""
    if not kind.__module__.startswith(_OWN):
        return []
    return [
        (attribute, value)
        for attribute, value in sorted(kind.__dict__.items())
        if isinstance(value, types.FunctionType)
        and not (value.__module__ or "").startswith((_OWN, "dataclasses", "typing", "abc"))
        and not value.__qualname__.startswith(("__create_fn__", f"{kind.__qualname__}."))
    ]


def _module(value: Any) -> str:
    # a spawned process has the main module of its parent under another name
    name = getattr(value, "__module__", None) or ""
    return "__main__" if name == "__mp_main__" else name


def _filled(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


@lru_cache(1024)
def _globals(code: types.CodeType) -> frozenset[str]:
    """Return the names that code, including nested functions and classes, may look up among globals."""
    read = {step.argval for step in dis.get_instructions(code) if step.opname in _LOOKED_UP}
    return frozenset(read).union(*(_globals(c) for c in code.co_consts if isinstance(c, types.CodeType)))


def _code(code: types.CodeType) -> Any:
    constants = [_code(c) if isinstance(c, types.CodeType) else _constant(c) for c in code.co_consts]
    return code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars


def _constant(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _is_installed(value: Any) -> bool:
    """Return whether code belongs to the standard library or numpy, which is assumed not to change."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] in _installed()


@cache
def _installed() -> frozenset[str]:
    own = {"__main__", "__mp_main__", "builtins"}  # builtins: the module of code executed as a string
    return frozenset(sys.stdlib_module_names - own) | {"numpy", "scipy", "networkx"}
