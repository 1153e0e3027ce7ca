"""The state of the explorer: the source of the model, the steps, and the selections.

A state can be written as JSON, and as a link: compressed, for the fragment of an address.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Generic, NamedTuple, TypeVar

from kripke_werewolf.base.errors import FormatError, FormulaError, UnknownNameError, check_known
from kripke_werewolf.logic.formulas.logics import logic_named
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.limits import check_length

VERSION = 1
"""The version of the format of states and links; older ones remain readable."""

T = TypeVar("T")
Json = Mapping[str, Any]


F = TypeVar("F", bound=Callable[..., Any])


def by_name(*functions: F) -> dict[str, F]:
    """Return functions by their names, without an underscore before them."""
    return {function.__name__.removeprefix("_"): function for function in functions}


def chosen(table: Mapping[str, T], name: object, kind: str) -> T:
    """Return the entry with a name; raises `UnknownNameError`, which says what kind it should be."""
    return table[check_known(str(name), table, kind=kind)]


class FieldError(FormatError):
    """An error in one argument of a command.

    Attributes: `field`, the argument; `at`, the position in it, or None.
    """

    def __init__(self, message: str, field: str, at: int | None = None) -> None:
        self.field, self.at = field, at
        super().__init__(message)


class Edit(NamedTuple):
    """A step: the number of its predecessor (0: the start), and the command that made it."""

    parent: int
    do: Json


class Answered(NamedTuple):
    """An answer to an exercise, and whether the student has checked it."""

    text: str
    checked: bool


@dataclass(frozen=True, slots=True)
class State:
    """The content of a link; an immutable value.

    `start`: the source of the model. `steps`: a tree, numbered from 1; each names its predecessor. `at`: the
    step whose model is shown; `tip`: the end of the branch for `redo`. `formula`: the line as typed; `pins`:
    the formulas kept. `world`: the world explained. `places`: for each step, the nodes moved by hand.
    `predictions`: answers to the questions of a guided story, by the number of the moment. `exercises`: a
    set, each as TOML; `answers` to them, by number. `proof`: the file on the proof desk; `undone`: its lines
    that were taken back.
    """

    start: Json = field(default_factory=lambda: {"empty": True})
    steps: tuple[Edit, ...] = ()
    at: int = 0
    tip: int = 0
    formula: str = ""
    pins: tuple[str, ...] = ()
    world: int | None = None
    logic: str = "S5"
    places: Mapping[int, Mapping[int, tuple[float, float]]] = field(default_factory=dict)
    predictions: Mapping[int, str] = field(default_factory=dict)
    exercises: Json | None = None
    answers: Mapping[int, Answered] = field(default_factory=dict)
    proof: str = ""
    undone: tuple[str, ...] = ()

    def path(self, step: int | None = None) -> list[int]:
        """Return the numbers of the steps from the start to a step, by default the one shown."""
        found = []
        number = self.at if step is None else step
        while number:
            found.append(number)
            number = self.steps[number - 1].parent
        return found[::-1]

    def with_step(self, do: Json) -> State:
        """Return the state after a new step from the one shown."""
        if len(self.steps) >= limits.MOST_STEPS:
            most = f"this page keeps at most {limits.MOST_STEPS} steps"
            raise FormatError(f"{most}; start again from the model shown")
        number = len(self.steps) + 1
        return replace(self, steps=(*self.steps, Edit(self.at, do)), at=number, tip=number, world=self.world)

    def at_step(self, step: int) -> State:
        """Return the state that shows another step; the branch to redo is kept if it passes through it."""
        tip = self.tip if step in (0, *self.path(self.tip)) else step
        return replace(self, at=step, tip=tip, world=None)

    def without(self, step: int) -> State:
        """Return the state without a step and all its successors."""
        gone = {step}
        for number, (parent, _) in enumerate(self.steps, 1):
            if parent in gone:
                gone.add(number)
        kept = [n for n in range(len(self.steps) + 1) if n not in gone]
        new = {old: number for number, old in enumerate(kept)}
        near = self.steps[step - 1].parent

        def moved(number: int) -> int:
            return new.get(number, new[near])

        return replace(
            self,
            steps=tuple(Edit(new[s.parent], s.do) for n, s in enumerate(self.steps, 1) if n in new),
            at=moved(self.at),
            tip=moved(self.tip),
            places={new[n]: nodes for n, nodes in self.places.items() if n in new},
            world=None if self.at in gone else self.world,
        )

    # --- as JSON -----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the state as JSON-ready values; initial values are omitted."""
        found: dict[str, Any] = {"explorer": VERSION}
        usual = {"at": len(self.steps), "tip": self.at, "logic": "S5"}
        for name in self.__dataclass_fields__:
            value = _as_json(getattr(self, name))
            if name == "start" or (value != usual.get(name) and value not in ("", [], {})):
                found[name] = value
        return found

    @staticmethod
    def from_dict(data: Any) -> State:
        """Return the state written by `to_dict`; raises `FormatError` with the place and the reason."""
        if not isinstance(data, Mapping) or "explorer" not in data:
            raise FormatError("this is not a state of the explorer: the key 'explorer' is missing")
        if data["explorer"] != VERSION or isinstance(data["explorer"], bool):
            raise FormatError(f"explorer: this version reads format {VERSION}, got {data['explorer']!r}")
        for key in data:
            if key not in (*State.__dataclass_fields__, "explorer"):
                raise FormatError(f"{key}: no such key in a state")
        steps = tuple(_steps(_listed(data, "steps", limits.MOST_STEPS)))
        at = read_number(data.get("at", len(steps)), "at", len(steps))
        world, sheet = data.get("world"), data.get("exercises")
        return State(
            start=read_object(data.get("start"), "start"),
            steps=steps,
            at=at,
            tip=read_number(data.get("tip", at), "tip", len(steps)),
            formula=read_line(data.get("formula", ""), "formula"),
            pins=tuple(read_line(pin, "pins") for pin in _listed(data, "pins", limits.MOST_PINS)),
            world=None if world is None else read_number(world, "world", limits.MOST_WORLDS),
            logic=_logic(data.get("logic", "S5"), "logic"),
            places=_numbered(data.get("places", {}), "places", len(steps), _places),
            predictions=_numbered(data.get("predictions", {}), "predictions", limits.MOST_STEPS, read_line),
            exercises=None if sheet is None else read_sheet(read_object(sheet, "exercises"), "items"),
            answers=_numbered(data.get("answers", {}), "answers", limits.MOST_EXERCISES, _answer),
            proof=read_line(data.get("proof", ""), "proof", limits.MOST_ANSWER),
            undone=tuple(read_line(row, "undone") for row in _listed(data, "undone", limits.MOST_STEPS)),
        )


# --- links -----------------------------------------------------------------------------------------


def link(state: State) -> str:
    """Return the state as the fragment of an address: the version, a dot, and the compressed JSON.

    >>> state = State({"puzzle": "hexa"}, formula="K_a 0_a")
    >>> state_of_link(link(state)) == state, link(state).partition(".")[0]
    (True, '1')
    """
    text = json.dumps(state.to_dict(), ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(text.encode("utf-8", "surrogatepass")) + packer.flush()
    return f"{VERSION}.{urlsafe_b64encode(packed).decode().rstrip('=')}"


def state_of_link(text: str) -> State:
    """Return the state in a link: a whole address or its fragment.

    Raises `FormatError` for a link that is damaged, too long, or of a later version.
    """
    fragment = text.strip().rpartition("#")[2]
    check_length(fragment, limits.MOST_LINK, "the link")
    version, dot, packed = fragment.partition(".")
    if not dot or number_written(version) < 0:
        raise FormatError("this link is broken: it does not begin with a version and a dot")
    if int(version) > VERSION:
        formats = f"it has format {version}, and this one reads {VERSION}"
        raise FormatError(f"this link was made by a newer version: {formats}")
    unpacker = zlib.decompressobj(wbits=-15)
    try:
        raw = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        plain = unpacker.decompress(raw, limits.MOST_STATE)
        if unpacker.unconsumed_tail:
            raise FormatError("this link holds too much")
        if not unpacker.eof:
            raise FormatError("this link is broken: its end is missing")
        data = json.loads(plain.decode("utf-8", "surrogatepass"))
    except FormatError:
        raise
    except (zlib.error, ValueError, RecursionError):
        raise FormatError("this link is broken: parts of it are missing or changed") from None
    return State.from_dict(data)


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _as_json(item) for key, item in value.items()}
    return list(map(_as_json, value)) if isinstance(value, tuple) else value


# --- reading ---------------------------------------------------------------------------------------


def read_as(value: Any, kind: type[T], place: str, words: str) -> T:
    """Return a value of a type; raises `FormatError`, which says what was expected, for any other."""
    if not isinstance(value, kind):
        raise FormatError(f"{place}: expected {words}, got {type(value).__name__}")
    return value


def _listed(data: Json, key: str, most: int) -> list[Any]:
    value = read_as(data.get(key, []), list, key, "a list")
    check_length(value, most, key)
    return value


def read_object(value: Any, place: str) -> Json:
    """Return a mapping; raises `FormatError` for anything else."""
    return read_as(value, Mapping, place, "an object")  # type: ignore[type-abstract]


def read_line(value: Any, place: str, most: int = limits.MOST_LINE) -> str:
    """Return a string of at most this length; by default that of a formula or a name."""
    check_length(read_as(value, str, place, "a string"), most, place)
    return str(value)


def _logic(value: Any, place: str) -> str:
    try:
        return logic_named(read_line(value, place)).name
    except (FormulaError, UnknownNameError) as error:
        raise FormatError(f"{place}: {error}") from None


def read_number(value: Any, place: str, most: int, what: str = "a number") -> int:
    """Return a whole number from 0 to `most`; the error says `what` it is."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise FormatError(f"{place}: expected {what} from 0 to {most}, got {value!r}")
    return value


_ARGUMENTS: Mapping[str, tuple[Any, Any, str]] = {
    "a string": (str, str, "agent answer atom edit formula have how link logic name named student text theme "
                 "under what"),
    "a whole number": (int, object, "at attempt from n node number step to world"),
    "a list of strings": (list, str, "atoms group want"),
    "a list of numbers of worlds": (list, int, "worlds"),
    "an object": (dict, object, "answers hints"),
    "a command as an object": (Mapping, str, "do"),
}  # fmt: skip
"""The kinds of arguments: the type, that of the items, and the names."""
_KINDS = {key: (what, kind, item) for what, (kind, item, keys) in _ARGUMENTS.items() for key in keys.split()}


def check_arguments(given: Json) -> None:
    """Raise `FieldError` if an argument of a request or a command, or of one inside it, is of another kind.

    >>> check_arguments({"do": {"command": "edit", "edit": "flip", "world": True}})
    Traceback (most recent call last):
    ...
    kripke_werewolf.teach.explorer.state.FieldError: world: expected a whole number, got True
    """
    for key, value in given.items():
        if key not in _KINDS or value is None:
            continue
        what, kind, item = _KINDS[key]
        fits = isinstance(value, kind) and not isinstance(value, bool)
        if not fits or (kind is list and not all(isinstance(part, item) for part in value)):
            raise FieldError(f"{key}: expected {what}, got {value!r}", key)
        if isinstance(value, Mapping):
            check_arguments(value)


def _steps(given: list[Any]) -> Iterator[Edit]:
    for number, item in enumerate(given, 1):
        place = f"steps[{number - 1}]"
        if not isinstance(item, list | tuple) or len(item) != 2:
            raise FormatError(f"{place}: expected the step before it and a command")
        do = read_object(item[1], place)
        check_arguments(do)
        yield Edit(read_number(item[0], place, number - 1), do)


def _numbered(value: Any, place: str, most: int, read: Callable[[Any, str], T]) -> dict[int, T]:
    found = {}
    for key, item in read_object(value, place).items():
        number = number_written(key)
        if not 0 <= number <= most:
            raise FormatError(f"{place}: expected a number from 0 to {most}, got {key!r}")
        found[number] = read(item, f"{place}.{key}")
    return found


def number_written(text: object) -> int:
    """Return the number that some digits write; -1 for anything else, and for more than nine digits."""
    digits = str(text)
    return int(digits) if digits.isdecimal() and len(digits) < 10 else -1


def _places(value: Any, place: str) -> dict[int, tuple[float, float]]:
    return _numbered(value, place, limits.MOST_WORLDS, read_spot)


def read_spot(value: Any, place: str) -> tuple[float, float]:
    """Return a point in the plane, two numbers of reasonable size."""
    match value:
        case [int() | float() as x, int() | float() as y] if max(abs(x), abs(y)) < 1e5:
            if not isinstance(x, bool) and not isinstance(y, bool):
                return float(x), float(y)
    raise FormatError(f"{place}: expected two numbers, got {value!r}")


def _answer(value: Any, place: str) -> Answered:
    if not isinstance(value, list | tuple) or len(value) != 2 or not isinstance(value[1], bool):
        raise FormatError(f"{place}: expected an answer, and whether it was checked")
    return Answered(read_line(value[0], place, limits.MOST_ANSWER), value[1])


def read_sheet(data: Json, key: str) -> Json:
    """Return a sheet as the state keeps it; `key`: that of its exercises, each as TOML, in the data."""
    items = _listed(data, key, limits.MOST_EXERCISES)
    if not items:
        raise FormatError("exercises: expected a list of at least one exercise")
    texts = [read_line(item, f"exercises[{n}]", limits.MOST_TEXT) for n, item in enumerate(items)]
    names = ("title", "text", "student", "name", "seal", "due", "attempts", "host")
    return {"items": texts} | {
        name: read_line(data[name], name, limits.MOST_TEXT) for name in names if name in data
    }


# --- what is kept ----------------------------------------------------------------------------------


class Kept(Generic[T]):
    """A cache of the most recently used values by a key that names everything they were made from."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: dict[Any, T] = {}

    def get(self, key: Any, make: Callable[[], T]) -> T:
        """Return the value of a key, computed if it is missing."""
        value = self.values.pop(key) if key in self.values else make()
        self.values[key] = value  # the last one used comes last
        if len(self.values) > self.most:
            del self.values[next(iter(self.values))]
        return value


def digest(*parts: Any) -> str:
    """Return a short hash of JSON-ready values."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise FormatError(f"expected a JSON value, got {value!r}")
