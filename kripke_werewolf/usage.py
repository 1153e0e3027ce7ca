"""What was meant by a name that does not exist, or by a call that does not work.

Classes with the metaclass `Helpful` and modules that call `help_callers` suggest the nearest names for an
unknown one: by spelling, and by the table of words that mean the same in the field. A call that fails because
of its arguments says how it is made. A call that works passes through one more function (0.2 µs).
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
import typing
from abc import ABCMeta
from collections import abc
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, getattr_static, isclass, isfunction, signature
from itertools import chain, permutations
from types import FunctionType, ModuleType
from typing import Any, NoReturn, TypeAlias

from kripke_werewolf.errors import (
    CallError,
    FormulaError,
    KripkeError,
    UnknownNameError,
    cut_off,
    near_misses,
)
from kripke_werewolf.settings import fits

_CHANGES = {"add", "append", "change", "delete", "insert", "pop", "remove", "set"}
_COPIES = {"clone", "copy", "deepcopy"}
_FILLERS = {"a", "as", "by", "calculate", "compute", "do", "get", "is", "the", "to"}
_SAMPLES = {"agent": '"a"', "group": '["a", "b"]', "formula": '"p"', "names": '["p", "q"]', "variable": '"x"'}
_SAMPLES |= {"players": '["Ann", "Bo", "Cy"]', "player": '"Bo"', "actor": '"Ann"', "target": '"Bo"'}
"""Values of parameters in examples."""
_PARTS = ("formula", "table", "model")
"""Parts of values in which to look for what people ask of the whole, the likeliest last."""
_NAMESPACES = ("worlds", "atoms", "agents", "players")
"""The attributes of values that list names, which people confuse."""
_MANY = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_MOST = 3  # names that are suggested
_SHORT = 3  # letters of the agents after an operator, as in `Know_Ann`
_LISTED = 10  # parameters in the form of a call

Call: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
"""A function and what it was called with."""


# --- names -------------------------------------------------------------------------------------------


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
    ('visualise.save(model, "picture.png")', 'visualise.save(model, "picture.png")')
    """
    kind = owner if isclass(owner) else type(owner)
    kinds = {owner.__name__} if isinstance(owner, ModuleType) else {base.__name__ for base in kind.__mro__}
    kinds |= {owner.__name__.partition(".")[0]} if isinstance(owner, _Package) else set()
    rows = [(known, calls) for of, known, calls in advised_calls() if kinds & of]
    exact = next((calls for known, calls in rows if known.issuperset(words)), [])
    stems = {*map(_stem, words)}
    found = exact or next((calls for known, calls in rows if stems.issubset(map(_stem, known))), [])
    return " or ".join(found).replace("$", name_in_examples(owner))


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
    if _stem(name) in stems:
        return [stems[_stem(name)]]
    near = near_misses(name, known, most=_MOST)
    alike = near and SequenceMatcher(None, name, near[0]).ratio() > 0.85
    groups = [list(map(_stem, group)) for group in same_words()]
    for wanted in (_stem(name), *(() if alike else _words(name))):
        related = [stem for group in groups if wanted in group for stem in group if stem in stems]
        if related:
            return [stems[stem] for stem in dict.fromkeys(related)][:_MOST]
    words = near_misses(name, chain(*same_words()), most=1)
    return near or (meant_names(words[0], known) if words and words[0] != name else [])


class UnknownAttributeError(AttributeError):
    """An attribute that an object, a class or a module lacks; the message says what was meant.

    The message is made when it is read, since many programs only try whether an attribute exists.

    >>> from kripke_werewolf import KripkeModel
    >>> print(UnknownAttributeError(KripkeModel(["w"], {}, {}), "evaluate"))
    'KripkeModel' object has no attribute 'evaluate': write model.holds(formula)
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

    >>> from kripke_werewolf.semantics.action import Event
    >>> event = Event.__new__(Event)
    >>> set_parts(event, pre=True)
    >>> event.pre
    True
    """
    for name, part in parts.items():
        object.__setattr__(value, name, part)


def unchangeable(owner: Any, name: str) -> AttributeError:
    """Return the error for setting an attribute: it says how to make a value with another one.

    >>> from kripke_werewolf import KripkeModel
    >>> print(unchangeable(KripkeModel(["w"], {}, {}), "designated"))
    models are immutable: cannot set 'designated'; write model.point(…) or model.replace(designated=…)
    """
    what, kind = name_in_examples(owner), type(owner)
    methods = [other for other in public_names(kind) if isfunction(getattr(kind, other))]
    meant = [_method(owner, other) for other in meant_names(name, methods)]
    meant += [f"{what}.replace({name}=…)"] * (name in owner._given())
    advice = f"; write {' or '.join(meant)}" if meant else ""
    return AttributeError(f"{what}s are immutable: cannot set {name!r}{advice}")


def _advice(owner: Any, name: str) -> str:
    first = name.split("_")[0]
    if first in _COPIES:
        return f": a {name_in_examples(owner)} never changes, so it needs no copy"
    if calls := advised(owner, name) or _with_agents(owner, *name.split("_")):
        return f": write {calls}"
    if first in _CHANGES and first != name and not isinstance(owner, ModuleType):
        return f": write a new {name_in_examples(owner)}; models do not change, and updates return new ones"
    if isinstance(owner, ModuleType):
        return _advice_in(owner, name)
    known = public_names(owner)
    found = [_method(owner, other) for other in meant_names(name, known)]
    for part in _PARTS:
        if (value := getattr(owner, part, None)) is not None and not callable(value) and hasattr(value, name):
            found = [_method(value, name, place=f"{name_in_examples(owner)}.{part}")]
    function = getattr(import_module("kripke_werewolf"), name, None)
    if isfunction(function):
        taken = next(iter(hints_of(function).values()), None)
        kinds = [kind for kind in (taken, *typing.get_args(taken)) if isinstance(kind, Helpful)]
        if isinstance(owner, tuple(kinds)):
            found.insert(0, as_written(f"kw.{name}", function, of=owner))
        elif hasattr(owner, "update") and signature(function).return_annotation == "ActionModel":
            found.insert(0, f"{name_in_examples(owner)}.update({as_written(f'kw.{name}', function)})")
    return f": write {' or '.join(dict.fromkeys(found[:_MOST]))}" if found else ""


def _with_agents(owner: Any, operator: str, agents: str = "", *more: str) -> str:
    """Return the calls for an operator with its agents in the name, as in `Know_b` or `C_ab`."""
    if more or not 0 < len(agents) <= _SHORT:
        return ""
    group = f"{{{','.join(agents)}}}"
    return re.sub(r"\{a(,b)?\}", group, re.sub(r"_a\b", f"_{agents}", advised(owner, operator)))


def _advice_in(module: ModuleType, name: str) -> str:
    """Return the advice on a name that a module lacks: here, in other packages, or methods of classes."""
    here = {n: getattr(module, n, None) for n in getattr(module, "__all__", public_names(module))}
    inner = _elsewhere(module)
    helpful = [value for value in here.values() if isinstance(value, Helpful)]
    kinds = sorted(helpful, key=lambda kind: len(dir(kind)))
    short = module.__name__.replace("kripke_werewolf", "kw")
    known = [other for other, value in here.items() if not isinstance(value, ModuleType)]
    found = [as_written(f"{short}.{other}", here[other]) for other in meant_names(name, known)]
    if name in inner:
        return f"; it is {' or '.join([inner[name], *found[:1]])}"
    # the methods of the largest class last, so that they are the ones named
    methods = {method: kind for kind in kinds for method in public_names(kind)}
    meant = [_method(methods[other], other) for other in meant_names(name, methods)]
    if name in methods:
        found, meant = [], [_method(methods[name], name)]
    found = [*found[:2], *meant[:2]] or [inner[other] for other in meant_names(name, inner)]
    return f": write {' or '.join(dict.fromkeys(found))}" if found else ""


def _method(owner: Any, method: str, *, place: str = "") -> str:
    """Return how a method is written: of a value, or of the class if that is how it is called."""
    static = getattr_static(owner, method)
    kind = owner if isclass(owner) else type(owner)
    by_class = isinstance(static, classmethod | staticmethod)
    place = kind.__name__ if by_class else place or name_in_examples(owner)
    return as_written(f"{place}.{method}", static, bound=True)


def _elsewhere(module: ModuleType) -> dict[str, str]:
    """Return the public names of the packages that a module names, and of the drawing package."""
    found: dict[str, str] = {}
    for package in (*getattr(module, "_PACKAGES", ()), "visualise"):
        full = package if package == "visualise" else f"{module.__name__}.{package}"
        try:
            inner = import_module(full)
        except ImportError:  # a library that the package needs is not installed
            continue
        for name in getattr(inner, "__all__", ()):
            if typing.get_origin(getattr(inner, name)) is None:
                found.setdefault(name, f"{full}.{name}")
    return found


def public_names(value: Any) -> list[str]:
    """Return the names of an object's attributes that are not private."""
    return [name for name in dir(value) if not name.startswith("_")]


def name_in_examples(value: Any) -> str:
    """Return the name of a value in examples: its `called_in_examples`, or the last word of its class.

    >>> from kripke_werewolf import ActionModel, QuantumWerewolf
    >>> name_in_examples(ActionModel), name_in_examples(QuantumWerewolf)
    ('action', 'game')
    """
    kind = value if isclass(value) else type(value)
    own = getattr(kind, "called_in_examples", None)
    return own or re.split(r"(?<=[a-z])(?=[A-Z])", kind.__name__)[-1].casefold()


def as_written(place: str, value: Any, *, bound: bool = False, of: Any = None) -> str:
    """Return how a name is written: a function with the arguments that it needs.

    `bound`: a method, whose first parameter is not written; `of`: the object
    that stands for the first parameter.
    """
    if isinstance(value, classmethod | staticmethod):
        bound, value = isinstance(value, classmethod), value.__func__
    if isinstance(value, Helpful) and isfunction(made := getattr(value, "__init__", None)):
        bound, value = True, made
    if not isfunction(value):
        return place
    parameters = list(signature(value).parameters.values())[int(bound) :]
    shown = []
    for parameter in parameters:
        if parameter.kind in _MANY:
            shown.append("…")
        elif parameter.default is Parameter.empty:
            word = _argument(parameter)
            shown.append(f"{word}=…" if parameter.kind is Parameter.KEYWORD_ONLY else word)
    if of is not None and shown:
        shown[0] = name_in_examples(of)
    return f"{place}({', '.join(shown)})"


def _argument(parameter: Parameter) -> str:
    return "formula" if str(parameter.annotation).startswith("FormulaLike") else parameter.name


# --- calls -------------------------------------------------------------------------------------------


@cache
def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the parameters; `Any` for one whose names are not known when the program runs."""
    target = function.__init__ if isclass(function) else function
    target = getattr(target, "__wrapped__", target)
    known = _Known(vars(builtins) | vars(abc) | vars(typing) | getattr(target, "__globals__", {}))
    parameters = signature(function).parameters.values()
    return {p.name: Any if p.annotation is p.empty else _resolved(p.annotation, known) for p in parameters}


class _Known(dict[str, Any]):
    """The names that type hints mention; others are those of the library."""

    def __missing__(self, name: str) -> Any:
        return getattr(sys.modules["kripke_werewolf"], name)


def _resolved(hint: Any, known: dict[str, Any]) -> Any:
    if not isinstance(hint, str):
        return hint
    try:
        return _resolved(eval(hint, {}, known), known)
    except (NameError, TypeError, AttributeError, SyntaxError):
        parts = hint.split(" | ")
        return Any if len(parts) == 1 else typing.Union[tuple(_resolved(part, known) for part in parts)]  # noqa: UP007


def explained(function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Return a function whose errors for wrong arguments say its name, and what it takes.

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
        except Exception as error:
            meant = better_error(error, (inner, given, named), name)
            if meant is error:
                raise
            raise meant from None

    better.explains = inner  # type: ignore[attr-defined]
    return better


def better_error(error: Exception, call: Call, name: str | None = None) -> Exception:
    """Return the error of a call that failed because of its arguments, with the call that was meant.

    It is the same error if the arguments are not the cause.
    """
    function, given, named = call
    taken = signature(function)
    # a method is explained under its own name, the function of a package or a static method is not
    owner = given[0] if given and name is not None and "." not in name else None
    name = _call_name(owner, name or function.__name__)
    try:
        bound = taken.bind(*given, **named)
    except TypeError as wrong:
        if not isinstance(error, TypeError):
            return error
        unknown = next((key for key in named if key not in taken.parameters), None)
        reason = f"got an unexpected keyword argument {unknown!r}"
        if unknown is None:
            shown = {repr(key): repr(_argument(parameter)) for key, parameter in taken.parameters.items()}
            reason = re.sub(r"'\w+'", lambda key: shown.get(key[0], key[0]), str(wrong))
        form = _form(name, taken.parameters.values(), owner)
        return CallError(f"{form}: {reason}{_hint(call, owner, name, unknown)}")
    kinds = hints_of(function)
    wrong_kinds = [
        key for key, value in bound.arguments.items() if key in kinds and not _fits(value, taken, key, kinds)
    ]
    if isinstance(error, UnknownAttributeError):  # of a value that another kind was expected for
        wrong_kinds += [key for key, value in bound.arguments.items() if value is error.owner is not owner]
    ours = [key for key in wrong_kinds if isinstance(bound.arguments[key], Explaining)]
    if isinstance(error, UnknownNameError) and not ours:
        return _confused(error, owner, call, name)
    swapped = _in_order(call, kinds, owner) if wrong_kinds else None
    if swapped is not None:
        return CallError(
            f"the arguments of {name} are in another order: write {_shown(name, swapped, named)}"
        )
    several = next((bound.arguments.get(p.name) for p in taken.parameters.values() if p.kind is _MANY[0]), ())
    if several and isinstance(several[0], list | tuple) and isinstance(error, FormulaError):
        return CallError(f"{error}; write {_shown(name, several[0], named)}")
    if isinstance(error, KripkeError) and not isinstance(error, UnknownNameError):
        return error
    if wrong_kinds and isinstance(error, TypeError | AttributeError | ValueError | LookupError):
        key, other = wrong_kinds[0], _advised_instead(owner, call, name, "*")
        if not other and hasattr(bound.arguments[key], function.__name__):
            other = f"write {_method(bound.arguments[key], function.__name__)}"
        shown_as, wanted = _argument(taken.parameters[key]), _kind_in_words(taken.parameters[key])
        return CallError(
            f"{_form(name, taken.parameters.values(), owner)}: {shown_as} must be {wanted}, "
            f"got {_short(bound.arguments[key])}{other and f'; {other}'}"
        )
    return error


def _call_name(owner: Any, name: str) -> str:
    if owner is None:
        return name
    if name in ("__init__", "__new__"):
        kind = owner if isclass(owner) else type(owner)
        return str(getattr(kind, "called_in_calls", kind.__name__))
    return f"{owner.__name__ if isclass(owner) else name_in_examples(owner)}.{name}"


def _form(name: str, parameters: Iterable[Parameter], owner: Any) -> str:
    wanted = [
        f"{p.name}=…" if p.kind is p.KEYWORD_ONLY else f"*{_argument(p)}" if p.kind in _MANY else _argument(p)
        for p in list(parameters)[owner is not None :]
        if p.kind is not p.VAR_KEYWORD
    ]
    return f"{name}({', '.join(wanted[:_LISTED])}{', …' * (len(wanted) > _LISTED)})"


def _hint(call: Call, owner: Any, name: str, unknown: str | None) -> str:
    """Return the end of a message: the place of an unknown keyword, or of an argument too many."""
    function, given, named = call
    parameters = signature(function).parameters
    wrong = [f"{unknown}="] if unknown else [*(type(value).__name__ for value in given), "*"]
    if calls := next(filter(None, (_advised_instead(owner, call, name, word) for word in wrong)), ""):
        return f"; {calls}"
    if unknown is not None:
        rest = [p for p in parameters.values() if p.name not in named and p.kind not in _MANY][len(given) :]
        known = {p.name: p.name for p in rest} | {_argument(p): p.name for p in rest}
        meant = [f"{known[other]}=" for other in meant_names(unknown, known)]
        if meant:
            return f"; did you mean {' or '.join(meant)}?"
    kinds = hints_of(function)
    places = [p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    wanted = [_argument(p) for p in places if p.default is p.empty][owner is not None :]
    formulas = [p.name for p in parameters.values() if "FormulaLike" in str(p.annotation)]
    options = [p.name for p in parameters.values() if p.kind is p.KEYWORD_ONLY and p.name not in formulas]
    for value in given[len(places) :] if all(map(fits, given, kinds.values())) else ():
        kinds = {key: kind for key, kind in kinds.items() if Any not in (kind, *typing.get_args(kind))}
        meant = [key for key in options if key in kinds and fits(value, kinds[key])]
        if meant:
            return f"; did you mean {meant[0]}={_short(value)}?"
    if wanted and all(word in _SAMPLES for word in wanted):
        return f"; for example {name}({', '.join(map(_SAMPLES.__getitem__, wanted))})"
    kind = owner if isclass(owner) else type(owner)
    example = _first_call(name, function.__doc__, kind.__doc__)
    return f"; for example {example}" if example else ""


def _advised_instead(owner: Any, call: Call, name: str, wrong: str) -> str:
    """Return the call to write for one with a wrong keyword, or (`*`) with other arguments than it takes."""
    place = sys.modules[call[0].__module__.partition(".")[0]] if owner is None else owner
    calls = advised(place, f"{name.rpartition('.')[2]}(", wrong)
    return calls and f"write {calls}"


def _first_call(name: str, *documented: str | None) -> str:
    r"""Return the first call of a name in the examples of docstrings, with the values of its variables.

    >>> _first_call("f", ">>> x = [1]\n>>> g(f(x, 2))")
    'f([1], 2)'
    """
    for text in filter(None, documented):
        code = "\n".join(re.findall(r"^ *(?:>>>|\.\.\.) ?(.*)$", text, re.MULTILINE))
        tree = ast.parse(code)
        given = {
            ast.unparse(node.targets[0]): ast.get_source_segment(code, node.value) or ""
            for node in tree.body
            if isinstance(node, ast.Assign)
        }
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))  # the longest first
        for said in (" ".join((ast.get_source_segment(code, node) or "").split()) for node in calls):
            if re.match(rf"([\w.]+\.)?{name.split('.')[-1]}\(", said):
                variables = re.split(r"(?<![\w\"'.])([a-z]\w*)(?=[,)])", said)
                return "".join(given.get(part, part) for part in variables)
    return ""


def _fits(value: Any, taken: Any, key: str, kinds: dict[str, Any]) -> bool:
    kind = taken.parameters[key].kind
    return kind in _MANY or fits(value, kinds[key])


def _in_order(call: Call, kinds: dict[str, Any], owner: Any) -> tuple[Any, ...] | None:
    """Return the positional arguments in the order in which they fit the types of the parameters."""
    values, types = call[1][owner is not None :], list(kinds.values())[owner is not None :]
    if not 2 <= len(values) <= 4 or all(map(fits, values, types)):
        return None
    return next((order for order in permutations(values) if all(map(fits, order, types))), None)


def _confused(error: UnknownNameError, owner: Any, call: Call, name: str) -> Exception:
    """Return the error for an unknown name, with a remark if it is a name of another kind."""
    if not isinstance(error.name, str | int | tuple | list):
        return error  # names of other kinds, as of numpy, may not compare with everything
    _, given, named = call
    optional = error.kind.startswith(("option", "parameter"))
    if optional and (calls := _advised_instead(owner, call, name, f"{error.name}=")):
        error.args = (f"unknown {error.kind} {error.name!r}: {calls}",)
        return error
    values, wrong = list(given[owner is not None :]), str(error.name)
    spaces = ((kind, getattr(of, kind, ())) for of in (owner, *values) for kind in _NAMESPACES)
    some = ((kind, [*map(str, names[:1000])]) for kind, names in spaces if isinstance(names, Sequence))
    listed = [kind for kind, names in some if wrong in names]
    known = (value for value in values if isinstance(value, str | int) and str(value) in error.known)
    other, words = next(known, ""), [*map(str, values)]
    if (listed or isinstance(error.name, list)) and not named and {wrong, str(other)} <= {*words} - {""}:
        here, there = words.index(wrong), words.index(str(other))
        values[here], values[there] = other, values[here]
        error.args = (f"{error}; did you mean {_shown(name, values, named)}?",)
    elif listed and not error.near and listed[0] != f"{error.kind}s":
        calls = _advised_instead(owner, call, name, f"{listed[0]}=")
        error.args = (f"{error}; it is one of the {listed[0]}{calls and f': {calls}'}",)
    elif error.kind == "agent" and "{" not in str(error) and wrong[1:]:
        parts = re.findall(r"\w", wrong)
        several = f"; several agents are a list, {parts}" if parts and {*parts} <= {*error.known} else ""
        error.args = (f"{error}{several}",)
    return error


def _shown(name: str, values: Iterable[Any], named: dict[str, Any]) -> str:
    return f"{name}({', '.join([*map(_short, values), *(f'{k}={_short(v)}' for k, v in named.items())])})"


def _short(value: Any) -> str:
    """Return a value as a call shows it: a string or a number as it is, another by its kind."""
    text = repr(value)
    if isinstance(value, str | int | float | list | tuple | dict):
        return cut_off(text)
    return text if text.startswith("parse(") and len(text) <= 60 else name_in_examples(value)


def _kind_in_words(parameter: Parameter) -> str:
    """Return the type of a parameter as messages name it."""
    text = re.sub(r"\w+\.(?=\w)", "", str(parameter.annotation)).replace("FormulaLike", "a formula")
    return text.replace(" | ", " or ").replace("str", "a string", 1) if text else "another value"


# --- what classes and modules do ---------------------------------------------------------------------


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
    """A value whose unknown attributes are explained, as is its use as a list or a pair if it is none.

    >>> from kripke_werewolf import Event
    >>> pre, post = Event("p")
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.CallError: 'Event' object is not a list or a pair: write event.pre or ...
    """

    __slots__ = ()

    if not typing.TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if hasattr(type(self), name):  # a property, whose own error is the cause
                return object.__getattribute__(self, name)
            raise UnknownAttributeError(self, name)

        def __getitem__(self, place: object) -> object:
            parts = [n for n in getattr(type(self), "__match_args__", ()) if not n.startswith("_")]
            meant = advised(self, "[") or " or ".join(f"{name_in_examples(self)}.{n}" for n in parts[:_MOST])
            raise CallError(f"{_kind_of(self)} is not a list or a pair{meant and f': write {meant}'}")

        def __lt__(self, other: object) -> bool:
            if meant := advised(self, "<"):
                raise CallError(f"{_kind_of(self)} is not a number: write {meant}")
            return NotImplemented

        __gt__ = __le__ = __ge__ = __lt__


class _Part(ModuleType):
    """A module of a package, which is called like a function by mistake."""

    def __call__(self, *given: object, **named: object) -> NoReturn:
        place, _, name = self.__name__.rpartition(".")
        advice = _advice(sys.modules.get(place, self), name)
        raise CallError(f"{self.__name__} is a module, not a function{advice}")


class _Package(_Part):
    """A package that explains unknown names, and loads some of its names when they are used.

    `_LATER` lists these by module. `_PACKAGES` are modules that need no import.
    """

    _LATER: Mapping[str, Collection[str]] = {}
    _PACKAGES: Collection[str] = ()

    def __getattr__(self, name: str) -> object:
        if name == "__all__":  # for `import *`, which otherwise takes what is loaded
            return [public for public in dir(self) if not public.startswith("_")]
        if name == "visualise":  # beside this package, and not loaded with it
            return import_module(name)
        home = (
            name if name in self._PACKAGES else next((h for h in self._LATER if name in self._LATER[h]), None)
        )
        if home is None:
            raise UnknownAttributeError(self, name)
        loaded = import_module(f"{self.__name__}.{home}")
        setattr(self, name, loaded if home == name else getattr(loaded, name))
        self._prepare(name)
        return vars(self)[name]

    def _prepare(self, name: str) -> None:
        """Make a loaded name ready for use."""

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *chain(*self._LATER.values()), *self._PACKAGES})


class _HelpfulPackage(_Package):
    """A package whose functions explain wrong calls."""

    def _prepare(self, name: str) -> None:
        _help(self, name)


def load_later(package: str) -> None:
    """Load the names of a package that it lists in `_LATER` when they are used; explain unknown ones."""
    sys.modules[package].__class__ = _Package


def help_callers(package: str) -> None:
    """Explain the unknown names of a package, and the wrong calls of its public functions; see `load_later`.

    The functions are replaced in their modules, too, so that they can be pickled.
    """
    module = sys.modules[package]
    module.__class__ = _HelpfulPackage
    for name, value in list(vars(module).items()):
        if type(value) is ModuleType and value.__name__ == f"{package}.{name}":
            value.__class__ = _Part
        _help(module, name)


def _help(module: ModuleType, name: str) -> None:
    """Explain wrong calls of a name, if it is a public function of the package."""
    function = vars(module)[name]
    if not name.startswith("_") and isfunction(function) and function.__module__.startswith(module.__name__):
        parts = function.__module__.split(".")
        homes = (sys.modules[".".join(parts[:end])] for end in range(1, len(parts) + 1))
        better = explained(function)
        for home in homes:
            if vars(home).get(name) is function:
                setattr(home, name, better)
