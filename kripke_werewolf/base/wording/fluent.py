"""Catalogues of messages: the part of Fluent's format that they use (https://projectfluent.org).

    name = words { $value }, { another-message }, { "words" }, { LIST($names) }, { WORD($role) } { $n ->
            [one] words
           *[other] words if no other form fits
        }

A form fits a number that it names, or whose plural it is, and a string that is the same. These messages say
how a language writes: `language-plural` gives the plural of a number from its digits `$n`, the last one
`$last` and the last two `$last-two`; `language-thousands` and `language-decimals` are the signs in numbers;
`language-percentage` is for numbers with a percent sign; `language-list` adds an item to a list, and
`language-list-end` the last one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property, partial, reduce
from operator import itemgetter
from typing import TypeAlias

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.reader import Source

Value: TypeAlias = "str | int | list[Value]"
"""What a variable stands for: a string, a number, or a list."""
_Values: TypeAlias = Mapping[str, Value]
_Said: TypeAlias = Callable[[_Values], Value]
"""What is said, depending on the values of variables."""

_NAME = "[A-Za-z][A-Za-z0-9_-]*"
_ENTRY = re.compile(rf"^(?:#.*|({_NAME}) *=(.*(?:\n(?:[ {{}}\[*].*)?)*)|.*\S.*)", re.MULTILINE)
"""A comment, or the name and the words of a message, or a line that is neither."""
_BEGIN = re.compile(r" *(?:\n\s*(?=[^\s\[*.}]))?")
_PIECE = re.compile(r"((?:[^{}\n]+|\n(?!\s*(?:[\[*.}]|\Z)))+)|\{")
"""Words, of which no line begins with a sign of forms; or a brace."""
_BRACED = re.compile(rf'\s*(?:\$({_NAME})(\s*->)?|(LIST|WORD)\(|({_NAME})(?![\w.(-])|"([^"\\\n]*)")')
_FORM = re.compile(rf"\s*\n\s*(\*?)\[\s*(\d+|{_NAME})\s*\]")
_RARE = re.compile(r"\[(few|many)\]")
_PLURALS = {"zero", "one", "two", "few", "many", "other"}
_PERCENTAGE = re.compile(r"([<>]?)([\d.]+)%")


class Wording:
    """The messages of a language, each of which is read when it is first said.

    `like`: the catalogue that says how to write what this one leaves open. Raises FormatError for a line
    that belongs to no message.

    >>> Wording("is-dead = { $player } is dead", "en.ftl").said("is-dead", {"player": "Ann"})
    'Ann is dead'
    """

    def __init__(self, text: str, name: str, like: Wording | None = None) -> None:
        source, shared = Source(text, name), like.messages.items() if like else ()
        self.messages: dict[str, _Message] = {n: m for n, m in shared if n.startswith("language-")}
        """The messages by name."""
        for entry in _ENTRY.finditer(text):
            if entry[1]:
                self.messages[entry[1]] = _Message(self, source, *entry.span(2))
            elif not entry[0].startswith("#"):
                raise source.error(entry.start(), "expected a message, NAME = WORDS, or a comment with #")

    def check(self) -> None:
        """Read all messages; raises FormatError for what is not in this part of the format."""
        plurals, rule = set[str](), self.messages["language-plural"]
        wrong = rule.error(f"one of {', '.join(sorted(_PLURALS))}, by $n, $last or $last-two")
        with suppress(KeyError, RecursionError):
            plurals = {self.plural(number) for number in range(200)}
        if not plurals or not plurals <= _PLURALS:
            raise wrong
        for message in self.messages.values():
            rare = _RARE.search(message.source.text, message.at, message.end)
            if rare and rare[1] not in plurals:
                raise message.source.error(rare.start(1), f"no number is {rare[1]!r}: see language-plural")
            message.said  # noqa: B018  # read now

    def said(self, message: str, values: _Values) -> str:
        """Return a message with values.

        Raises KeyError for a message or a value that is missing, RecursionError if a message quotes itself.
        """
        return self.written(self.messages[message].said(values))

    def plural(self, number: int) -> str:
        """Return the plural category of a number, such as `one` or `other`."""
        digits = {"n": str(number), "last": str(number % 10), "last-two": str(number % 100)}
        return self.said("language-plural", digits)

    def fitting(self, value: Value) -> tuple[str, ...]:
        """Return the names of the forms that fit a value."""
        return (str(value), self.plural(value)) if isinstance(value, int) else (self.written(value),)

    def written(self, value: Value) -> str:
        """Return a value as the language writes it; a list only with commas."""
        if isinstance(value, str):
            return value
        if isinstance(value, int):
            return f"{value:,}".replace(",", self.said("language-thousands", {}))
        return reduce(partial(self._longer, "language-list"), map(self.written, value or [""]))

    def listed(self, value: Value) -> Value:
        """Return a list with "and" before its last item, and other values as they are: LIST."""
        if not isinstance(value, list) or len(value) < 2:
            return value
        return self._longer("language-list-end", self.written(value[:-1]), self.written(value[-1]))

    def worded(self, value: Value) -> Value:
        """Return a word of the game or a percentage in the language, and other values as they are: WORD."""
        if isinstance(value, list):
            return [self.worded(item) for item in value]
        if found := _PERCENTAGE.fullmatch(str(value)):
            number = found[2].replace(".", self.said("language-decimals", {}))
            return found[1] + self.said("language-percentage", {"number": number})
        with suppress(KeyError):  # a word of the game
            return self.said(f"word-{value}".replace(" ", "-"), {})
        return value

    def _longer(self, message: str, items: str, item: str) -> str:
        return self.said(message, {"items": items, "item": item})


class _Message:
    """The words of a message, from a place in its source to an end; reading moves the place on."""

    def __init__(self, catalogue: Wording, source: Source, at: int, end: int) -> None:
        self.catalogue, self.source, self.at, self.end = catalogue, source, at, end
        self.variables = re.findall(rf"\$({_NAME})", source.text[at:end])
        """The variables in it, without those of the messages that it quotes."""

    @cached_property
    def said(self) -> _Said:
        """What it says."""
        words = self._words()
        if not self._taken(r"\s*\Z"):
            raise self.error('words or the next message; write { "}" } for a brace, { "." } to begin a line')
        return words

    def error(self, expected: str) -> FormatError:
        """Return an error that says what is expected here, or after blanks."""
        self._taken(r"\s*(?=\S)")
        return self.source.error(self.at, f"expected {expected}")

    def _taken(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Read on if a pattern matches here."""
        found = re.compile(pattern).match(self.source.text, self.at, self.end)
        self.at = found.end() if found else self.at
        return found

    def _words(self) -> _Said:
        """Read words; in a form, up to the next one."""
        self._taken(_BEGIN)
        parts = list[str | _Said]()
        while found := self._taken(_PIECE):
            parts.append(re.sub(r"\n *", "\n", found[1]) if found[1] else self._braced("}"))
        if not parts:
            raise self.error('words; write { "" } for none')
        if isinstance(parts[-1], str):
            parts[-1] = parts[-1].rstrip(" \n")
        written = self.catalogue.written
        return lambda values: "".join(p if isinstance(p, str) else written(p(values)) for p in parts)

    def _braced(self, closing: str) -> _Said:
        """Read an expression, and the brace or bracket at its end."""
        found = self._taken(_BRACED)
        if not found:
            raise self.error('$name, a message, LIST($names), WORD($name) or "words" in braces')
        said = self._expression(*found.groups())
        if not self._taken(rf"\s*\{closing}"):
            raise self.error(f"{closing!r}")
        return said

    def _expression(self, variable: str, arrow: str, function: str, message: str, text: str) -> _Said:
        """Read on in an expression that begins with one of these."""
        if arrow:
            return self._choice(variable)
        if variable:
            return itemgetter(variable)
        if message:
            return partial(self.catalogue.said, message)
        if function:
            done = self.catalogue.listed if function == "LIST" else self.catalogue.worded
            value = self._braced(")")
            return lambda values: done(value(values))
        return lambda _: text

    def _choice(self, variable: str) -> _Said:
        """Read the forms of which the value of a variable chooses one."""
        forms, default = dict[str, _Said](), list[_Said]()
        while found := self._taken(_FORM):
            forms[found[2]] = self._words()
            default += [forms[found[2]]] if found[1] else []
        if len(default) != 1:
            raise self.error("forms, each on a line of its own, and one of them with a star: *[other]")

        def said(values: _Values) -> Value:
            fitting = self.catalogue.fitting(values[variable])
            return next((form for name, form in forms.items() if name in fitting), default[0])(values)

        return said
