"""A chart parser: all readings of a list of tokens by a grammar of categories that combine.

The algorithm is Earley's (1970), with one token of lookahead: a rule is only begun where the next token may
begin it. Readings share their parts, and are ordered by costs. No function calls itself, so that deep
sentences cause no recursion errors; for a grammar that is unambiguous and has no left recursion, the time is
linear in the number of tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.grouping import grouped

Token: TypeAlias = Mapping[str, Mapping[int, Any]]
"""What may begin at a place: words and classes such as `<number>`, each with its lengths and values."""


class Readings(tuple[Any, ...]):
    """The values of a part, or of a token, that has several readings."""


class Production(NamedTuple):
    """A category and its parts; `make` returns its value from those of the categories and classes in it.

    A part is a category (it begins with a capital), a class of tokens (`<number>`), or a word; `is/are` is
    one of several words. `make` returns `Readings` for more than one value, and None for none.
    """

    category: str
    parts: tuple[str, ...]
    make: Callable[..., Any]
    cost: int = 0


def _is_category(part: str) -> bool:
    return part[:1].isupper()


@lru_cache(maxsize=4096)
def _valued(parts: tuple[str, ...]) -> tuple[bool, ...]:
    """Return whether each part has a value."""
    return tuple(part[:1] == "<" < part or _is_category(part) for part in parts)


@lru_cache(maxsize=8192)
def expanded(pattern: str) -> tuple[tuple[str, ...], ...]:
    """Return the parts that a pattern stands for: those in brackets may be left out.

    >>> expanded("it is [not] true")
    (('it', 'is', 'not', 'true'), ('it', 'is', 'true'))
    """
    optional = re.search(r"\[([^\[\]]*)\]", pattern) if "[" in pattern else None
    if optional is None:
        return (tuple(pattern.split()),)
    before, after = pattern[: optional.start()], pattern[optional.end() :]
    return expanded(before + optional[1] + after) + expanded(before + after)


class _State:
    """A rule that has been followed up to a part."""

    __slots__ = ("at", "awaits", "next", "rule")

    def __init__(self, rule: Production, at: int = 0) -> None:
        self.rule, self.at = rule, at
        self.next: _State | None = None
        self.awaits = rule.parts[at] if at < len(rule.parts) else ""

    @property
    def following(self) -> _State:
        """The same rule, followed over one more part; always the same object, made when it is needed."""
        self.next = self.next or _State(self.rule, self.at + 1)
        return self.next


class Grammar:
    """Rules, prepared for charts."""

    def __init__(self, rules: Iterable[Production]) -> None:
        self.rules = grouped((rule.category, rule) for rule in rules)
        self.terminals: dict[str, set[str]] = {}
        """For each word or class, the parts that it may be."""
        parts = set[str]().union(*(rule.parts for rules in self.rules.values() for rule in rules))
        for part in filter(lambda part: not _is_category(part), parts):
            for word in part.split("/") if part[0] != "<" and len(part) > 1 else (part,):
                self.terminals.setdefault(word, set()).add(part)
        self._begun: dict[tuple[str, frozenset[str]], list[_State]] = {}

    @cached_property
    def first(self) -> dict[str, set[str]]:
        """The words and classes that may begin each category."""
        found: dict[str, set[str]] = {category: set() for category in self.rules}
        changed = True
        while changed:
            changed = False
            for category, rules in self.rules.items():
                for part in {rule.parts[0] for rule in rules if rule.parts}:
                    more = found.get(part, {part})
                    if not more <= found[category]:
                        found[category] |= more
                        changed = True
        return found

    def begun(self, category: str, terminals: frozenset[str]) -> list[_State]:
        """Return the rules of a category that a token may begin, given as the parts that it may be."""
        if (key := (category, terminals)) not in self._begun:
            self._begun[key] = [
                _State(rule)
                for rule in self.rules.get(category, ())
                if not terminals.isdisjoint(self.first.get(rule.parts[0], {rule.parts[0]}))
            ]
        return self._begun[key]


Span: TypeAlias = tuple[str, int, int]
"""A category, and where the tokens of it begin and end."""


class Chart:
    """The readings of tokens as a category; `reached`: the number of tokens that begin a reading.

    Raises OverflowError if it has more than `most` entries.
    """

    def __init__(self, grammar: Grammar, tokens: Sequence[Token], top: str, most: int) -> None:
        self.grammar, self.tokens, self.whole = grammar, tokens, (top, 0, len(tokens))
        self.ended: dict[Span, list[_State]] = {}
        self.reached = size = 0
        self.entries: list[dict[tuple[_State, int], list[tuple[_State, int, Any]]]] = [
            {} for _ in range(len(tokens) + 1)
        ]
        """For each place, the rules followed there and where they began, with the ways to get there."""
        waiting: list[dict[str, list[tuple[_State, int]]]] = [{} for _ in self.entries]
        for here, entries in enumerate(self.entries):
            token = tokens[here] if here < len(tokens) else {}
            terminals = {
                part: found for word, found in token.items() for part in grammar.terminals.get(word, ())
            }
            kinds = frozenset(terminals)
            agenda = list(entries)
            if here == 0:
                agenda += self._begin(top, 0, kinds)
                waiting[0][top] = []
            if agenda:
                self.reached = here
            while agenda:
                entry = agenda.pop()
                state, start = entry
                if not state.awaits:
                    key = (state.rule.category, start, here)
                    self.ended.setdefault(key, []).append(state)
                    if len(self.ended[key]) == 1:
                        for outer in waiting[start].get(key[0], ()):
                            self._advance(outer, start, here, key, agenda)
                elif state.awaits in terminals:
                    for size_of, value in terminals[state.awaits].items():
                        self._advance(entry, here, here + size_of, value, None)
                elif _is_category(state.awaits):
                    if state.awaits not in waiting[here]:
                        waiting[here][state.awaits] = []
                        agenda += self._begin(state.awaits, here, kinds)
                    waiting[here][state.awaits].append(entry)
            size += len(entries)
            if size > most:
                raise OverflowError

    def _begin(self, category: str, here: int, kinds: frozenset[str]) -> list[tuple[_State, int]]:
        found = [(state, here) for state in self.grammar.begun(category, kinds)]
        self.entries[here].update((entry, []) for entry in found)
        return found

    def _advance(
        self, entry: tuple[_State, int], at: int, to: int, part: Any, agenda: list[tuple[_State, int]] | None
    ) -> None:
        """Follow a rule over one more part."""
        state, start = entry
        further = (state.following, start)
        ways = self.entries[to].setdefault(further, [])
        if not ways and agenda is not None:
            agenda.append(further)
        ways.append((state, at, part))

    @property
    def complete(self) -> bool:
        """Whether the tokens have a reading."""
        return self.whole in self.ended

    def values(self, most: int = 8) -> list[Any]:
        """Return the values of the readings of the least cost, without duplicates."""
        found: dict[Span, list[tuple[int, Any]]] = {}
        ways: dict[Span, list[tuple[Production, tuple[Any, ...]]]] = {}
        stack = [self.whole]
        while stack:
            key = stack[-1]
            if key not in ways:
                ways[key] = list(self._ways(key))
                rest = [part for _, parts in ways[key] for part in parts if type(part) is tuple]
                stack += [part for part in rest if part not in ways]
            else:
                stack.pop()
                if key not in found:
                    found[key] = _made(ways[key], found, most)
        least = min((cost for cost, _ in found[self.whole]), default=0)
        return [value for cost, value in found[self.whole] if cost == least]

    @property
    def expected(self) -> list[str]:
        """The words and classes that could follow where the readings end."""
        awaited = {state.awaits for state, _ in self.entries[self.reached]} - {""} or {self.whole[0]}
        parts = set[str]().union(*(self.grammar.first.get(part, {part}) for part in awaited))
        divided = (part.split("/") if part[0] != "<" else [part] for part in parts)
        return sorted({word for words in divided for word in words if word})

    def _ways(self, key: Span) -> Iterator[tuple[Production, tuple[Any, ...]]]:
        """Yield the rules by which a category was read, each with its parts."""
        _, start, end = key
        for last in self.ended[key]:
            paths: list[tuple[_State, int, tuple[Any, ...]]] = [(last, end, ())]
            while paths:
                state, at, parts = paths.pop()
                if state.at == 0:
                    yield last.rule, parts
                    continue
                for before, place, part in self.entries[at][state, start]:
                    paths.append((before, place, (part, *parts)))


def _each(part: Any) -> Iterable[Any]:
    """Return the values of a part: several if it has several readings."""
    return part if isinstance(part, Readings) else (part,)


def _made(
    ways: list[tuple[Production, tuple[Any, ...]]], found: Mapping[Span, list[tuple[int, Any]]], most: int
) -> list[tuple[int, Any]]:
    """Return the values of a category with their costs, the least first."""
    values: dict[Any, int] = {}
    for rule, parts in ways:
        choices = []
        for part, valued in zip(parts, _valued(rule.parts), strict=True):
            if valued and type(part) is tuple:
                choices.append(found[part])
            elif valued:
                choices.append([(0, value) for value in _each(part)])
        for chosen in product(*choices):
            cost = rule.cost + sum(price for price, _ in chosen)
            for value in _each(rule.make(*(value for _, value in chosen))):
                if value is not None and cost < values.get(value, cost + 1):
                    values[value] = cost
    return sorted(((cost, value) for value, cost in values.items()), key=lambda pair: pair[0])[:most]
