"""Names that look like notation, and what they were probably meant to say.

Errors about unknown names and the remarks of `prove` take their suggestions from here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import atom_text, group_text, single_letters

LETTERS = r"(?=\w\w)(?:a?b?c?d?e?|i?j?k?|1?2?3?4?5?)"
"""Agents written together: letters or digits in ascending order."""


def meant_by_atom(name: str) -> str | None:
    """Return the formula that the name of an atom looks like.

    >>> meant_by_atom("Kap"), meant_by_atom("pvq"), meant_by_atom("T"), meant_by_atom("wolf_2")
    ('K_a p', 'p | q', 'true', None)
    >>> meant_by_atom("Cabp"), meant_by_atom("AKp"), meant_by_atom("Kpq"), meant_by_atom("KM")
    ('C_{a,b} p', 'everywhere K_a p', 'K_p q', 'K_a M_a …')
    """
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if found := re.fullmatch(rf"([{single_letters()}]w?)_?([a-t]|\d)_?([pqr]'*)", name):
        return f"{found[1]}_{found[2]} {found[3]}"
    if found := re.fullmatch(rf"([{single_letters()}])({LETTERS})([pqr]'*)", name):
        letter = "E" if found[1] in "KBM" else found[1]
        return f"{letter}_{group_text(tuple(found[2]))} {found[3]}"
    if found := re.fullmatch(rf"[AU]([{single_letters()}])([pqr]'*)", name):
        return f"everywhere {found[1]}_a {found[2]}"
    if found := re.fullmatch(r"([p-t])[vV]([p-t])", name):
        return f"{found[1]} | {found[2]}"
    if re.fullmatch(rf"[{single_letters()}]+_?", name):
        return "".join(f"{letter}_a " for letter in name.removesuffix("_")) + "…"
    return None


_CONSTANTS = {"T": "true", "F": "false"} | {
    foreign: sign.ascii for sign in s.Constant.spellings.values() for foreign in sign.foreign
}


def meant_by_agent(name: str, known: Collection[str] = ()) -> str | None:
    """Return the group, or the operators, that the name of an agent looks like.

    A group consists of known agents or, if none are given, of letters or digits in ascending order. G and H
    are textbook names for the group of all agents.

    >>> meant_by_agent("ab"), meant_by_agent("ba", ["a", "b"]), meant_by_agent("aK_b"), meant_by_agent("Bo")
    ('{a,b}', '{a,b}', 'a K_b', None)
    >>> meant_by_agent("K_a")  # the group of [K_a!p]q
    '[!K_a …]'
    """
    if re.fullmatch(rf"[{single_letters()}]w?_\w+", name) and name not in known:
        return f"[!{name} …]"
    if found := re.match(rf"(\w+?)([{single_letters()}]w?_)(?=\w)", name):
        return f"{found[1]} {name[found.start(2) :]}"
    if name in ("G", "H") and name not in known and 1 < len(known) < 6:
        return group_text(tuple(sorted(known)))
    if len(name) < 2 or name in known:
        return None
    parts = name.split()
    if len(parts) > 1 and all(part in known if known else len(part) == 1 for part in parts):
        return group_text(tuple(sorted(parts)))
    if set(name) <= {*known} if known else re.fullmatch(LETTERS, name):
        return group_text(tuple(sorted(name)))
    return None


def doubtful_names(f: Formula) -> Iterator[str]:
    """Yield a remark about each name of a formula that looks like something else.

    >>> from kripke_werewolf.language.parser import parse
    >>> print(*doubtful_names(parse("Kap -> C_{ab} q | C_G q")), sep="\\n")
    Kap is read as an atom; did you mean K_a p?
    ab is read as one agent; did you mean {a,b}?
    G is read as one agent; a group is declared as in --group G=a,b, in Python by groups=...
    """
    for atom in sorted(f.atoms):
        if meant := meant_by_atom(atom):
            yield f"{atom_text(atom)} is read as an atom; did you mean {meant}?"
    one = {node.agent for node in f.subformulas() if isinstance(node, s.OfAgent)}
    for agent in sorted(f.agents):
        if meant := meant_by_agent(agent):
            remark = f"{agent} is read as one agent; did you mean {meant}?"
            if agent in one and meant[0] == "{":
                remark += f" For a group there are E_{meant}, C_{meant} and D_{meant}."
            yield remark
    alone = {
        node.label[0] for node in f.subformulas() if isinstance(node, s.OfGroup) and len(node.label) == 1
    }
    for name in sorted(alone):
        if re.fullmatch(r"[A-Z]", name):
            yield (
                f"{name} is read as one agent; a group is declared as in --group {name}=a,b, in Python by "
                f'groups={{"{name}": ["a", "b"]}}, in a file with a derivation by a line group {name} = a, b'
            )


def about_disjunctions(f: Formula) -> Iterator[str]:
    """Yield a remark about common knowledge of a disjunction, which looks like that on a condition.

    >>> from kripke_werewolf.language.parser import parse
    >>> print(*about_disjunctions(parse("C_{a,b} (p | q)")))
    C_{a,b} (p | q) is about a disjunction; with q as a condition, write C_{a,b}^{q} p
    """
    for node in f.subformulas():
        match node:
            case s.OfReach(_, s.Or((given, known))) if node.within is s.TRUE:
                other = type(node)(node.label, given, within=known)
                yield f"{node} is about a disjunction; with {known} as a condition, write {other}"


def about_unindexed(signs: Collection[str], agents: Collection[str]) -> Iterator[str]:
    """Yield a remark on operators without an index, which are about the agents named by the others.

    >>> print(*about_unindexed(["K"], ["b"]))
    K without an index is about b, as the operators with an index are; write K_b to be sure
    """
    if signs and agents:
        index = group_text(tuple(sorted(agents)))
        named = ", ".join(sorted(agents))
        letters = [sign for sign in signs if " " not in sign]
        written = " and ".join(f"{sign}_{index}" for sign in letters)
        remark = (
            f"{' and '.join(signs)} without an index is about {named}, as the operators with an index are"
        )
        yield f"{remark}; write {written} to be sure" if letters else remark
