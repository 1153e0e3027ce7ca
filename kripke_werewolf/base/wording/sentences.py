"""Sentences for players: what they say, and how each language says it.

The catalogues are `en.ftl`, `nl.ftl`, …, in the part of Fluent's format that `fluent` reads. In a message,

* `LIST($names)` is a list with "and": "Ann, Bo and Cy"; `$names` alone has only commas;
* `WORD($role)` is the message `word-…` for a word of the game, such as a role; a percentage as the language
  writes it; others stay the same.

Values are strings, numbers and tuples of them; true, false and None are `yes`, `no` and `none`. No variant
is chosen by a value that may be a player's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, reduce
from pathlib import Path
from pkgutil import get_data
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar, cast

from kripke_werewolf.base.errors import UnknownNameError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.wording.fluent import Value, Wording

T = TypeVar("T")

ENGLISH = "en"
"""The language of the source: a message that another catalogue lacks is told in it."""
_HOME = Path(__file__).parent
LANGUAGES = (ENGLISH, *sorted({path.stem for path in _HOME.glob("*.ftl")} - {ENGLISH}))
"""The languages with a catalogue."""


class _Meaning(NamedTuple):
    """The message and the values of a sentence."""

    message: str
    values: tuple[tuple[str, _Value], ...]


_Value: TypeAlias = str | int | _Meaning | tuple[str | int | _Meaning, ...]


class Sentence(str):
    """A sentence for players: a string, its English text, that can be told in other languages.

    `message`: the name of the message in the catalogues. Values are strings, numbers, other sentences, and
    lists of them; anything else is turned into a string.

    >>> Sentence("alive", names=["Ann", "Bo"])
    'alive: Ann, Bo'
    """

    __slots__ = ("_meaning", "_said")
    _meaning: _Meaning
    _said: dict[str, str]  # by language, since views share their sentences

    def __new__(cls, message: str, /, **values: object) -> Self:  # noqa: D102  # the class says it
        meaning = _Meaning(message, tuple((name, _meant(value)) for name, value in values.items()))
        return cls._of(meaning)

    @classmethod
    def _of(cls, meaning: _Meaning) -> Self:
        self = super().__new__(cls, _told(meaning, ENGLISH))
        self._meaning, self._said = meaning, {}
        return self

    def told(self, language: str) -> str:
        """Return the sentence in a language; see `known_language`."""
        if language not in self._said:
            self._said[language] = _told(self._meaning, language)
        return self._said[language]

    def __str__(self) -> str:
        return self

    def __reduce__(self) -> tuple[Callable[[_Meaning], Sentence], tuple[_Meaning]]:
        return Sentence._of, (self._meaning,)


def word(text: str) -> Sentence:
    """Return a word of the game as a sentence: a role, a side, the heading of a column, or a percentage.

    >>> word("wolf").told("de"), word("66.7%").told("nl")
    ('Werwolf', '66,7%')
    """
    return Sentence("word", word=text)


def sequence(*parts: str) -> str:
    """Return sentences one after the other, without empty ones."""
    return _chained("sequence", filter(None, parts))


def divided(parts: Iterable[str]) -> str:
    """Return parts of a sentence, divided by semicolons.

    >>> divided([word("wolf"), word("dead")])
    'wolf; dead'
    """
    return _chained("clauses", parts)


def _chained(message: str, parts: Iterable[str]) -> str:
    first, *rest = tuple(parts) or ("",)
    return reduce(lambda one, other: Sentence(message, first=one, second=other), rest, first)


def in_language(value: T, language: str) -> T:
    """Return a value with all its sentences in a language; a document knows which one.

    >>> in_language({"phase": word("dead"), "players": ["dead"]}, "nl")
    {'phase': 'dood', 'players': ['dead']}
    """
    shared = dict[int, Any]()  # views have many parts in common

    def told(value: Any) -> Any:
        if isinstance(value, str):
            return value.told(language) if isinstance(value, Sentence) else value
        if id(value) not in shared:
            shared[id(value)] = whole(value)
        return shared[id(value)]

    def whole(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: told(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(told(item) for item in value)
        if not is_dataclass(value) or isinstance(value, type):
            return value
        parts = {field.name: told(getattr(value, field.name)) for field in fields(value)}
        return replace(value, **parts | ({"language": Path(language).stem} if "language" in parts else {}))

    return value if language == ENGLISH else cast(T, told(value))


def known_language(given: str) -> str:
    """Return a language: the name of a catalogue here, or the path of one of your own, a file `NAME.ftl`.

    Raises UnknownNameError for others, and FormatError for a file that cannot be read.

    >>> known_language("nl")
    'nl'
    """
    path = Path(given)
    if path.suffix != ".ftl" and given not in LANGUAGES:
        raise UnknownNameError(given, LANGUAGES, kind="language")
    _catalogue(given)
    return given


def page_words(language: str, prefix: str) -> dict[str, Any]:
    """Return the messages whose names begin with `prefix`, for a page that puts in values at `{name}`.

    A message that depends on the number `$n` is a dictionary by plural category.
    """
    names = [name for name in _catalogue(ENGLISH).messages if name.startswith(prefix)]
    return {name.removeprefix(prefix): _template(name, language) for name in names}


def _template(message: str, language: str) -> str | dict[str, str]:
    variables = _catalogue(ENGLISH).messages[message].variables
    values: dict[str, str | int] = {name: f"{{{name}}}" for name in variables}
    if "n" not in variables:
        return _told(_Meaning(message, tuple(values.items())), language)
    plural, found = _catalogue(language).plural, dict[str, str]()
    for number in (*range(3, 30), 2, 1, 0):  # the last of a category counts: its least number
        told = _told(_Meaning(message, tuple((values | {"n": number}).items())), language)
        found[plural(number)] = told.replace(str(number), "{n}")
    return found


def _meant(value: object) -> _Value:
    """Return a value as it is kept."""
    match value:
        case Sentence():
            return value._meaning
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case int():
            return value
        case list() | tuple():
            return tuple(cast("str | int | _Meaning", _meant(item)) for item in value)
        case str():
            return str(value)
    return _meant(str(value))


@lru_cache(maxsize=1 << 14)
def _told(meaning: _Meaning, language: str) -> str:
    """Return a sentence in a language; in English if its catalogue lacks it, or has an error in it."""
    message, values = meaning
    told = {name: _given(value, language) for name, value in values}
    for name in (language, ENGLISH):
        with suppress(KeyError, RecursionError):
            return _catalogue(name).said(message, told)
    raise KeyError(f"the catalogue has no message {message!r} with {', '.join(told) or 'no values'}")


def _given(value: _Value, language: str) -> Value:
    if isinstance(value, _Meaning):
        return _told(value, language)
    return [_given(item, language) for item in value] if isinstance(value, tuple) else value


@lru_cache(maxsize=64)
def _catalogue(language: str) -> Wording:
    if language in LANGUAGES:  # perhaps in an archive
        return Wording(cast(bytes, get_data(__package__, f"{language}.ftl")).decode(), f"{language}.ftl")
    found = Wording(read_text(language), language, _catalogue(ENGLISH))
    found.check()
    return found
