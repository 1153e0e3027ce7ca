"""Formulas as clauses of a sentence, for explanations."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.sentences import to_sentence

__all__ = ["clause", "listed", "names", "quoted", "subject", "world_text"]

_DEEP = 6  # operators that a clause spells out before it quotes the formula


def clause(f: s.Formula, value: bool = True, *, believers: Collection[str] = ()) -> str:
    """Return the clause that a formula is true, or that it is false.

    `believers`: the agents whose K reads "believes", because they may be wrong.

    >>> clause(s.Knows(2, "~wolf_4")), clause(s.Not(s.KnowsWhether("b", "p")), False)
    ('player 2 knows that player 4 is not a wolf', 'b knows whether p is true')
    >>> clause(s.Knows("a", s.Knows("b", "p")), False, believers={"b"})
    'a does not know that b believes that p is true'
    """
    head = ""
    for _ in range(_DEEP):
        no = "" if value else "not "
        match f:
            case s.Not(body):
                f, value = body, not value
                continue
            case s.Knows(agent, body):
                head += f"{subject(agent)} {_does('believe' if agent in believers else 'know', value)} that "
            case s.Possible(agent, body):
                head += f"{subject(agent)} {_does('consider', value)} it possible that "
            case s.KnowsWhether(agent, body):
                head += f"{subject(agent)} {_does('know', value)} whether "
            case s.Everyone(group, body):
                verb = "believe" if set(group) & set(believers) else "know"
                head += f"{no}everyone among {names(group)} {verb}s that "
            case s.Common(group, body):
                noun = "belief" if set(group) & set(believers) else "knowledge"
                head += f"it is {no}common {noun} among {names(group)} that "
            case s.CommonWhether(group, body):
                head += f"it is {no}common knowledge among {names(group)} whether "
            case s.Distributed(group, body):
                head += f"it is {no}distributed knowledge among {names(group)} that "
            case s.DistributedWhether(group, body):
                head += f"it is {no}distributed knowledge among {names(group)} whether "
            case s.KnowsValue(agent, variable):
                return f"{head}{subject(agent)} {_does('know', value)} the value of {variable}"
            case s.Atom():
                return head + _fact(f if value else ~f)
            case _:
                break
        f, value = body, True
    return f"{head}{quoted(f)} is {'true' if value else 'false'}"


def _does(verb: str, value: bool) -> str:
    return f"{verb}s" if value else f"does not {verb}"


def _fact(literal: s.Formula) -> str:
    text = to_sentence(literal).removesuffix(".")
    return text[0].lower() + text[1:] if text.startswith("Player ") else text


def quoted(f: s.Formula) -> str:
    """Return the text of a formula, in brackets if it is more than one word and a bracket."""
    text = str(f)
    return f"({text})" if isinstance(f, s.And | s.Or | s.Xor | s.Implies | s.Iff) else text


def subject(agent: str) -> str:
    """Return an agent as it is called in sentences: a number is a player."""
    return f"player {agent}" if agent.isdecimal() else agent


def names(group: Sequence[str]) -> str:
    """Return the names of a group: `a, b and c`, `players 1 and 2`."""
    *others, last = group
    if not others:
        return subject(last)
    numbered = "players " if all(agent.isdecimal() for agent in group) else ""
    return f"{numbered}{', '.join(others)} and {last}"


def listed(things: Sequence[str], number: int) -> str:
    """Return the first of `number` things: `w, v, u and 3 more`."""
    shown = ", ".join(things)
    return f"{shown} and {number - len(things)} more" if number > len(things) else shown


def world_text(world: Hashable) -> str:
    """Return the name of a world as sentences have it; the events that made it follow the old name.

    >>> world_text("w"), world_text((("w", "yes"), "told"))
    ('w', '(w, yes, told)')
    """
    parts: list[str] = []
    while isinstance(world, tuple) and len(world) == 2 and isinstance(world[1], str):
        parts.append(world[1])
        world = world[0]
    if not parts:
        return str(world)
    return f"({', '.join([str(world), *reversed(parts)])})"
