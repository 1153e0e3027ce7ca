"""Completion of formulas while typing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, all_operators
from kripke_werewolf.language.names import atom_text, group_text, spellings
from kripke_werewolf.models import KripkeModel

_MOST = 12


class _Item(NamedTuple):
    """A completion: the text to insert, its display, and its meaning."""

    insert: str
    shown: str
    kind: str
    explained: str


def _about(kind: type[Formula]) -> str:
    """Return the first sentence of an operator's docstring."""
    return (kind.__doc__ or "").strip().split("\n", 1)[0]


def operators() -> list[dict[str, str]]:
    """Return the signs with keys on the page: how they are typed and shown, their words and their meaning.

    The operators of an agent, and those about a group's knowledge, come first; the others of a group come
    last. They are inserted up to the agents, which completion adds; announcements around a formula.

    >>> [(sign["type"], sign["shown"], sign["name"]) for sign in operators() if sign["type"] in ("K_", "[!")]
    [('K_', 'K', 'an agent knows that'), ('[!', '[!φ]', 'after an announcement, …')]
    """
    modal: list[dict[str, str]] = []
    others: list[dict[str, str]] = []
    rare: list[dict[str, str]] = []
    for kind in all_operators():
        for number, sign in enumerate(spellings(kind)):
            who = "an agent" if issubclass(kind, s.OfAgent) else "a group"
            name = _words(kind, number, who)
            key = {"shown": sign.unicode, "name": name, "explained": _about(kind), "close": ""}
            if issubclass(kind, s.Dynamic):
                shown, close = f"{sign.unicode}!φ{kind.closing.unicode}", f"{kind.closing.ascii} "
                others.append(key | {"type": f"{sign.ascii}!", "shown": shown, "close": close})
            elif issubclass(kind, s.OfAgent | s.OfGroup):
                common = issubclass(kind, s.OfAgent) or kind.mode is s.Mode.BOX
                (modal if common else rare).append({"type": f"{sign.ascii}_"} | key)
            elif not issubclass(kind, s.Modal) and sign.ascii != sign.unicode:
                others.append({"type": sign.ascii} | key)
    return modal + others + rare


def _words(kind: type[Formula], number: int, who: str) -> str:
    """Return the words of a sign of an operator for some agents, about any atoms and announcements."""
    given = getattr(kind, "english", None)
    phrases = list(given.values()) if isinstance(given, Mapping) else [given]
    if (phrase := phrases[number]) is None:
        return _about(kind)
    said: str = phrase.says
    return said.format(who, name="a variable", names="atoms", number="some", update="an announcement")


def completions(text: str, at: int, model: KripkeModel, actions: Sequence[str] = ()) -> dict[str, Any]:
    """Return the completions of the word before a position: the part to be replaced, and the items.

    >>> model = KripkeModel.from_partitions("wv", {"ann": ["wv"], "bo": ["wv"]}, {"muddy_1": [], "p": ["w"]})
    >>> found = completions("K_a", 3, model)
    >>> found["start"], found["end"], [item["insert"] for item in found["items"]]
    (0, 3, ['K_ann '])
    >>> [item["insert"] for item in completions("p & mud", 7, model)["items"]]
    ['muddy_1']
    """
    before = text[:at]
    group = re.search(r"(\w+)_\{([^{}]*)$", before)
    if group:
        return _members(group, at, model)
    word = re.search(r"(?:\[|<)?[\w']*$", before)
    typed = word[0] if word else ""
    return _found(at - len(typed), at, typed, _all(model, actions))


def _members(group: re.Match[str], at: int, model: KripkeModel) -> dict[str, Any]:
    """Return the agents that can continue a group in braces."""
    *others, last = group[2].split(",")
    there = {name.strip() for name in others}
    typed = last.lstrip()
    items = [_Item(agent, agent, "agent", "an agent") for agent in model.agents if agent not in there]
    return _found(at - len(typed), at, typed, items)


def _found(start: int, end: int, typed: str, items: Sequence[_Item] | Iterator[_Item]) -> dict[str, Any]:
    wanted = typed.casefold()
    begun = (item for item in items if item.insert.casefold().startswith(wanted))
    fitting = [item._asdict() for item in begun if item.insert.strip() != typed]
    return {"start": start, "end": end, "items": fitting[:_MOST]}


def _all(model: KripkeModel, actions: Sequence[str]) -> Iterator[_Item]:
    for atom in model.atoms:
        yield _Item(atom_text(atom), s.Atom(atom).unicode(), "atom", "an atom")
    single = [(agent,) for agent in model.agents]
    for family, groups in ((s.OfAgent, single), (s.OfGroup, [model.agents] if len(single) > 1 else [])):
        for kind in (kind for kind in all_operators() if issubclass(kind, family)):
            for group in groups:
                sign = f"{kind.spelling.ascii}_{group_text(group)}"
                yield _Item(f"{sign} ", sign, "operator", _words(kind, 0, ", ".join(group)))
    for variable in model.variables:
        for agent in model.agents:
            sign = f"Kv_{group_text((agent,))}({variable})"
            yield _Item(sign, sign, "operator", _about(s.KnowsValue))
    for word in ("everywhere", "somewhere", "true", "false"):
        yield _Item(word, word, "word", "")
    for name in actions:
        yield _Item(f"[{name}]", f"[{name}]", "action", "after this action")
    yield _Item("[!", "[!φ]ψ", "operator", _about(s.Box))
