"""Suggestions for a name that does not exist, and for a call with arguments that do not fit its signature.

The words that mean the same are in `usage.txt`, the calls that do what somebody asks for in `calls.txt`.
Nothing is guessed beyond these tables and the spelling.
"""

from __future__ import annotations

import re
import sys
import typing
from abc import ABCMeta
from collections.abc import Callable, Collection, Mapping
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, getattr_static, isclass, isfunction, signature
from itertools import chain
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from kripke_werewolf.base.errors import CallError, near_misses
from kripke_werewolf.base.places import short_address

_CHANGES = {"add", "append", "change", "clone", "copy", "delete", "insert", "pop", "remove", "set"}
_FILLERS = {"a", "as", "calculate", "compute", "do", "export", "find", "get", "is", "the", "to", "write"}
_ALIKE = 0.85  # the similarity of a misspelt name
_MOST = 3  # names that are suggested


@cache
def same_words() -> list[list[str]]:
    """Return groups of words that mean much the same, the usual one first; they are in `usage.txt`.

    >>> [group for group in same_words() if "refute" in group]
    [['countermodel', 'counterexample', 'refute']]
    """
    return [line.split() for line in _lines_of("usage.txt")]


def _lines_of(name: str) -> list[str]:
    from importlib.resources import files

    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.replace("\n    ", " ").splitlines() if not line.startswith("#")]


@cache
def advised_calls() -> list[tuple[set[str], set[str], list[str]]]:
    """Return the rows of `calls.txt`: kinds of values, words for what they lack, and the calls that do it."""
    rows = [re.split(": | -> ", line, maxsplit=2) for line in _lines_of("calls.txt")]
    return [({*kinds.split()}, {*words.split()}, calls.split(" | ")) for kinds, words, calls in rows]


def advised(owner: Any, *words: str) -> str:
    """Return the calls to suggest when an object is asked for these words; see `advised_calls`.

    >>> from kripke_werewolf import KripkeModel
    >>> advised(KripkeModel(["w"], {}, {}), "to_png"), advised(KripkeModel, "draw(", "path=")
    ('kw.visualise.save(model, "picture.png")', 'kw.visualise.save(model, "picture.png")')
    """
    kind = owner if isclass(owner) else type(owner)
    kinds = {owner.__name__} if isinstance(owner, ModuleType) else {base.__name__ for base in kind.__mro__}
    kinds |= {owner.__name__.partition(".")[0]} if isinstance(owner, _Package) else set()
    rows = [(known, calls) for of, known, calls in advised_calls() if kinds & of]
    exact = next((calls for known, calls in rows if known.issuperset(words)), [])
    stems = {*map(_stem, words)}
    found = exact or next((calls for known, calls in rows if stems.issubset(map(_stem, known))), [])
    return " or ".join(found).replace("$", _name_in_examples(owner))


@cache
def _stem(name: str) -> str:
    return "".join(_words(name))


@cache
def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name in one spelling; `is_valid`, `Valid` and `get_valid` have the same."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold().split("_")
    words = [re.sub(r"i[sz](e|ing|ation)$", "ise", part) for part in parts]
    return tuple(word.rstrip("s") for word in words if word and word not in _FILLERS) or tuple(parts)


def meant_names(name: str, known: Collection[str]) -> list[str]:
    """Return the known names that `name` may stand for: the same words, the same meaning, or similar letters.

    >>> meant_names("is_true", ["announce", "holds"]), meant_names("minimize", ["contract", "points"])
    (['holds'], ['contract'])
    >>> meant_names("getWorlds", ["holds", "worlds"]), meant_names("wrolds", ["holds", "worlds"])[0]
    (['worlds'], 'worlds')
    """
    stems = {_stem(other): other for other in reversed(tuple(known))}
    alike = near_misses(name, known, 1, _ALIKE)
    same_case = [other for other in known if other.islower() == name.islower()]
    for wanted in (_stem(name), *(() if alike else _words(name))):
        if wanted in stems:
            return [stems[wanted]]
        if related := _related(wanted.title() if name[:1].isupper() else wanted, known):
            return related
        if longer := [other for other in same_case if wanted in _words(other)]:
            return longer[:_MOST]
    words = [word for word in near_misses(name, chain(*same_words()), 1, _ALIKE) if word != name]
    near = near_misses(name, known, _MOST)
    if len(name) < 3:  # two letters are like too many
        near = []
    return near or (meant_names(words[0], known) if words else [])


def _related(name: str, known: Collection[str]) -> list[str]:
    """Return the known names that mean much the same; for a class, which has a capital letter, classes."""
    stems = {_stem(other): other for other in reversed(tuple(known))}
    groups = [list(map(_stem, group)) for group in same_words()]
    if name[:1].isupper():
        groups = [group for group in groups if stems.get(group[0], "")[:1].isupper()]
    related = [stem for group in groups if _stem(name) in group for stem in group if stem in stems]
    return [stems[stem] for stem in dict.fromkeys(related)][:_MOST]


class UnknownAttributeError(AttributeError):
    """An attribute that an object, a class or a module lacks; the message says what was meant.

    The message is made when it is read, since many programs only try whether an attribute exists.

    >>> from kripke_werewolf import KripkeModel
    >>> print(UnknownAttributeError(KripkeModel(["w"], {}, {}), "evaluate"))
    'KripkeModel' object has no attribute 'evaluate': write model.holds(formula) or model.ask(formula)
    """

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(name=name)
        self.owner = owner

    def __str__(self) -> str:
        owner, name = self.owner, str(self.name)
        advice = "" if name.startswith("_") else _advice(owner, name)
        return f"{_kind_of(owner)} has no attribute {name!r}{advice}"

    def __reduce__(self) -> tuple[Any, ...]:
        return AttributeError, (str(self),)


def set_parts(value: object, /, **parts: object) -> None:
    """Give an immutable value its parts, while it is made.

    >>> from kripke_werewolf.logic.semantics.action import Event
    >>> event = Event.__new__(Event)
    >>> set_parts(event, pre=True)
    >>> event.pre
    True
    """
    for name, part in parts.items():
        object.__setattr__(value, name, part)


def unchangeable(owner: Any, name: str) -> AttributeError:
    """Return the error for setting an attribute of a value that never changes."""
    what = _name_in_examples(owner)
    meant = f"{what}.replace({name}=…)" if name in owner._given() else advised(owner, f"{name}=")
    return AttributeError(f"{what}s are immutable: cannot set {name!r}{meant and f'; write {meant}'}")


def _advice(owner: Any, name: str) -> str:
    if calls := advised(owner, name):
        return f": write {calls}"
    if name.split("_")[0] in _CHANGES and not isinstance(owner, ModuleType):
        return f": write a new {_name_in_examples(owner)}; models do not change and need no copy"
    meant = _elsewhere(owner, name)
    if not meant:
        meant = [_called(owner, other) for other in meant_names(name, _names_in(owner))]
        others = [_called(p, other) for p in _places(owner) for other in _related(name, _names_in(p))]
        meant += [call for call in others if f"({_name_in_examples(owner)}" in call]  # which take the value
    if not meant:  # a radical upgrade is an upgrade
        meant = [call for call in _elsewhere(owner, _words(name)[-1]) if call.endswith(")")]
    if not meant:
        return _listed(owner)
    return f": write {' or '.join(meant[:_MOST])}"


def _listed(owner: Any) -> str:
    names = _names_in(owner) or [module.name for module in iter_modules(getattr(owner, "__path__", ()))]
    return f"; it has {', '.join(sorted(names, key=str.swapcase))}"


def _names_in(place: Any) -> Collection[str]:
    return getattr(place, "__all__", None) or public_names(place)


def _places(owner: Any) -> list[Any]:
    """Return where a name may stand instead: in the library, and for a value in the package of its class."""
    home = [] if isinstance(owner, ModuleType) else [sys.modules[owner.__module__.rpartition(".")[0]]]
    return [sys.modules[__name__.partition(".")[0]], *home]


def _inner(owner: Any) -> list[Any]:
    """Return the packages in a package; a value has none."""
    return [getattr(owner, name) for name in getattr(owner, "_PACKAGES", ())]


def _called(owner: Any, name: str) -> str:
    """Return a name in a module, a class or a value as programs write it, with what a function needs."""
    of_module, part = isinstance(owner, ModuleType), getattr_static(owner, name, None)
    called = f"{short_address(owner.__name__) if of_module else _name_in_examples(owner)}.{name}"
    if not isfunction(part):
        return called
    needed = [_argument(p) for p in _taken(part, method=not of_module) if p.default is p.empty]
    return f"{called}({', '.join(needed)})"


def _elsewhere(owner: Any, asked: str) -> list[str]:
    """Return the places of a name elsewhere, for one asked of the library in packages and their classes, too.

    If it stands nowhere, those of names with all its words: `load_epddl` is `load_task` in the package epddl.
    """
    stem, words = _stem(asked), {*_words(asked)}
    library, *home = _places(owner)
    places = [library, *home]
    if owner is library:
        places += [part for name in dir(library) if isclass(part := getattr(library, name))]
        places += [part for place in _inner(library) for part in _inner(place)]
    places += _inner(owner)
    found: dict[int, tuple[bool, bool, str]] = {}
    for place in places:
        in_module = isinstance(place, ModuleType)
        around = _words(short_address(place.__name__).rpartition(".")[2]) if in_module else ()
        for name in _names_in(place):
            part, own = getattr_static(place, name, name), {*_words(name)}
            near = len(words) > 1 and bool(words & own) and words <= own.union(around)
            if (in_module or isfunction(part)) and (near or _stem(name) == stem):
                rank = _stem(name) != stem, name[0].isupper() != asked[0].isupper()
                found.setdefault(id(part), (*rank, _called(place, name)))
    ranked = sorted(found.values(), key=lambda one: one[:2])
    return [*dict.fromkeys(call for near, _, call in ranked if near == ranked[0][0])]


def public_names(value: Any) -> list[str]:
    """Return the names of an object's attributes that are not private."""
    return [name for name in dir(value) if not name.startswith("_")]


def _name_in_examples(value: Any) -> str:
    """Return the name of a value in examples: its `called_in_examples`, or the last word of its class.

    >>> from kripke_werewolf import ActionModel, QuantumWerewolf
    >>> _name_in_examples(ActionModel), _name_in_examples(QuantumWerewolf)
    ('action', 'game')
    """
    kind = value if isclass(value) else type(value)
    own = getattr(kind, "called_in_examples", None)
    return own or re.split(r"(?<=[a-z])(?=[A-Z])", kind.__name__)[-1].casefold()


def _taken(function: Callable[..., Any], *, method: bool) -> list[Parameter]:
    """Return the parameters of a function that its calls name, for a method without `self`."""
    taken = [p for p in signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
    return taken[1:] if method else taken


def _argument(parameter: Parameter) -> str:
    name = "formula" if str(parameter.annotation).startswith("FormulaLike") else parameter.name
    return f"*{name}" if parameter.kind is Parameter.VAR_POSITIONAL else name


def explained(function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Return a function whose error for arguments that it does not take shows how it is called.

    `name`: that of the method that it becomes, or with its class that of the static method.

    >>> explained(public_names)()
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.CallError: public_names(value): missing a required argument: 'value'
    """
    inner = getattr(function, "explains", function)  # the function itself, if this is done already

    @wraps(inner)
    def better(*given: Any, **named: Any) -> Any:
        try:
            return inner(*given, **named)
        except TypeError as error:
            meant = better_error(error, inner, given, named, name)
            if meant is error:
                raise
            raise meant from None

    shown, before = inner.__code__, 3  # lines of `better` before its call of the inner function
    # tracebacks and `inspect` show the function that was called, at its first line
    better.__code__ = better.__code__.replace(  # type: ignore[attr-defined]
        co_filename=shown.co_filename,
        co_name=shown.co_name,
        co_qualname=shown.co_qualname,
        co_firstlineno=max(0, shown.co_firstlineno - before),
    )
    better.explains = inner  # type: ignore[attr-defined]
    return better


def better_error(
    error: TypeError,
    function: Callable[..., Any],
    given: tuple[Any, ...],
    named: dict[str, Any],
    name: str | None = None,
) -> TypeError:
    """Return the error of a call whose arguments do not fit the signature; others as they are."""
    try:
        signature(function).bind(*given, **named)
    except TypeError as wrong:
        # a method is explained under its own name, the function of a package or a static method is not
        bound = bool(given) and name is not None and "." not in name
        owner = given[0] if bound else sys.modules[function.__module__.partition(".")[0]]
        called = name or function.__name__
        kind = owner if isclass(owner) else type(owner)
        if called in ("__init__", "__new__"):
            called = getattr(kind, "called_in_calls", kind.__name__)
        elif bound:
            called = f"{kind.__name__ if isclass(owner) else _name_in_examples(owner)}.{called}"
        taken = _taken(function, method=bound)
        shown = [f"{_argument(p)}{'=…' if p.kind is p.KEYWORD_ONLY else ''}" for p in taken]
        form, reason = f"{called}({', '.join(shown)})", _reason(wrong, function, named)
        return CallError(f"{form}: {reason}{_remedy(owner, called, function, given, named)}")
    return error


def _reason(wrong: TypeError, function: Callable[..., Any], named: dict[str, Any]) -> str:
    """Return the first reason why arguments do not fit, with parameters as they are shown."""
    known = signature(function).parameters
    for key in named:
        if key not in known:
            return f"got an unexpected keyword argument {key!r}"
    shown = {repr(key): repr(_argument(parameter)) for key, parameter in known.items()}
    return re.sub(r"'\w+'", lambda key: shown.get(key[0], key[0]), str(wrong))


def _remedy(
    owner: Any, called: str, function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> str:
    """Return the end of a message: what an unknown keyword, or any argument, was given for."""
    known = signature(function).parameters
    unknown = [key for key in named if key not in known]
    for word in [f"{key}=" for key in unknown[:1]] or [*(type(value).__name__ for value in given), "*"]:
        if calls := advised(owner, f"{called.rpartition('.')[2]}(", word):
            return f"; write {calls}"
    meant = [f"{other}=" for key in unknown[:1] for other in meant_names(key, known)]
    return f"; did you mean {' or '.join(meant)}?" if meant else ""


def _is_called(name: str) -> bool:
    return name == "__init__" or not name.startswith("_")


class Helpful(ABCMeta):
    """The metaclass of public values: unknown names and wrong calls are explained."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **more: Any) -> None:
        super().__init__(name, bases, namespace, **more)
        for key, value in namespace.items():
            if _is_called(key) and isinstance(value, FunctionType | classmethod | staticmethod):
                setattr(cls, key, value)

    def __setattr__(cls, key: str, value: Any) -> None:
        """Set an attribute, such as the constructor of a dataclass."""
        if _is_called(key) and isinstance(value, classmethod | staticmethod):
            shown = key if isinstance(value, classmethod) else f"{cls.__name__}.{key}"
            value = type(value)(explained(value.__func__, shown))
        elif _is_called(key) and isfunction(value):
            value = explained(value, key)
        super().__setattr__(key, value)

    if not typing.TYPE_CHECKING:

        def __getattr__(cls, name: str) -> object:
            raise UnknownAttributeError(cls, name)


def _kind_of(owner: Any) -> str:
    if isinstance(owner, ModuleType):
        return f"module {owner.__name__!r}"
    return f"type object {owner.__name__!r}" if isclass(owner) else f"{type(owner).__name__!r} object"


class Explaining(metaclass=Helpful):
    """A value whose unknown attributes are explained."""

    __slots__ = ()

    if not typing.TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if hasattr(type(self), name):  # a property, whose own error is the cause
                return object.__getattribute__(self, name)
            raise UnknownAttributeError(self, name)


class _Part(ModuleType):
    """A module of a package, which is called like a function by mistake."""

    def __call__(self, *given: object, **named: object) -> NoReturn:
        library, *_, name = self.__name__.split(".")
        advice = _advice(sys.modules[library], name)
        if advice.startswith(";") or advice.endswith(f".{name}"):  # nothing, or the module itself
            advice = _listed(self)
        raise CallError(f"{self.__name__} is a module, not a function{advice}")


class _Package(_Part):
    """A package that explains unknown names, and loads some of its names when they are used.

    `_LATER` lists these by module, as an import in the package would name it, without the first dot.
    `_PACKAGES` are modules that need no import, with the places where they stand. `dir` leaves `_INNER` out.
    `_HELPS`: whether the package's functions explain wrong calls.
    """

    _LATER: Mapping[str, Collection[str]] = {}
    _PACKAGES: Mapping[str, str] = {}
    _INNER = ""
    _HELPS = False

    def __getattr__(self, name: str) -> object:
        if name == "__all__":  # for `import *`, which otherwise takes what is loaded
            return [public for public in dir(self) if not public.startswith("_")]
        if name == "visualise":  # beside this package, and not loaded with it
            return import_module(name)
        homes = {inner: home for home, names in self._LATER.items() for inner in names}
        homes |= self._PACKAGES
        if name not in homes:
            raise UnknownAttributeError(self, name)
        loaded = import_module(f".{homes[name]}", self.__name__)
        if name in self._PACKAGES and type(loaded) is ModuleType:
            loaded.__class__ = _Package
        setattr(self, name, loaded if name in self._PACKAGES else getattr(loaded, name))
        if self._HELPS:
            _help(self, name)
        return vars(self)[name]

    def __dir__(self) -> list[str]:
        own = [name for name, value in vars(self).items() if not isinstance(value, ModuleType)]
        return sorted({*own, *chain(*self._LATER.values()), *self._PACKAGES} - {*self._INNER.split()})


def load_later(package: str) -> None:
    """Load the names of a package that it lists in `_LATER` when they are used; explain unknown ones."""
    sys.modules[package].__class__ = _Package


def help_callers(package: str) -> None:
    """Explain the unknown names of a package, and the wrong calls of its public functions; see `load_later`.

    The functions are replaced in their modules, too, so that they can be pickled.
    """
    module = sys.modules[package]
    module.__class__ = _Package
    vars(module)["_HELPS"] = True
    for name, value in list(vars(module).items()):
        if type(value) is ModuleType and value.__name__ == f"{package}.{name}":
            value.__class__ = _Part
        _help(module, name)


def _help(module: ModuleType, name: str) -> None:
    """Explain wrong calls of a name, if it is a public function of the package."""
    function = vars(module)[name]
    if name.startswith("_") or not isfunction(function):
        return
    if function.__module__.partition(".")[0] == module.__name__.partition(".")[0]:
        parts = function.__module__.split(".")
        homes = (module, *(sys.modules[".".join(parts[:end])] for end in range(1, len(parts) + 1)))
        better = explained(function)
        for home in homes:
            if vars(home).get(name) is function:
                setattr(home, name, better)
