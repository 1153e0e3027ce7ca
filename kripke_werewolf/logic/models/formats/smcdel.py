"""S5 models as SMCDEL's text files (`.smcdel.txt`); `symbolic.smcdel` reads such files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count, islice
from typing import Any

from kripke_werewolf.base.errors import ModelError, ModelTooLarge
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import atom_text
from kripke_werewolf.logic.models.model import KripkeModel, Numbered

# literals of the law: about four bytes of text each
_MOST_LITERALS = 20_000_000
KEYWORDS = {
    "Top": "formula", "Bot": "formula", "Not": "~", "not": "~", "iff": "iff",
    "AND": "list", "OR": "list", "XOR": "list", "ONEOF": "list", "K": "K", "Kw": "K",
    "Forall": "quantifier", "ForAll": "quantifier", "Exists": "quantifier",
    "VARS": "VARS", "LAW": "LAW", "OBS": "OBS",
}  # fmt: skip
"""The words of SMCDEL's files, each with the kind of token that it is."""
_TAKEN = {*KEYWORDS, "TRUE", "VALID", "WHERE", "knows", "comknow", "distknow"}


def to_smcdel(model: KripkeModel, *, named: bool = False) -> str:
    """Return an S5 model as an SMCDEL text file without queries.

    The worlds become the states of a knowledge structure with the same facts and knowledge (van Benthem, van
    Eijck, Gattinger and Su 2018, definition 14). Fresh atoms are added where the atoms do not determine the
    world or its cell for some agent.

    SMCDEL numbers its atoms: comments in the file give the meaning of each number and the original names of
    renamed agents. With `named`, atoms keep their names, which `read_smcdel` reads and SMCDEL does not.
    Names, weights and designation of worlds are lost.

    >>> from kripke_werewolf import KripkeModel
    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w"], ["v"]], "b": [["w", "v"]]}, {"p": ["w"]})
    >>> print(to_smcdel(m), end="")
    -- 1: p
    -- 2: true at every state, for b, who observes nothing
    VARS 1,2
    LAW OR(AND(1,2),AND(~1,2))
    OBS a: 1
        b: 2

    Raises `ModelError` if some relation is not an equivalence or a name cannot be kept, and `ModelTooLarge`
    if the law would have too many literals.
    """
    if not len(model):
        raise ModelError("a model without worlds cannot be written: no state law would fit")
    if model.ranks:
        raise ModelError("SMCDEL has no orders of plausibility: the ranks of this model would be lost")
    size = len(model)
    meanings = [str(atom_text(atom)) for atom in model.atoms]
    places = Numbered(model)
    true = [set(places.numbers(s.Atom(atom))) for atom in model.atoms]
    columns = [[w in there for w in range(size)] for there in true]

    def add(new: Sequence[list[bool]], meaning: str) -> range:
        columns.extend(new)
        meanings.extend([meaning] * len(new))
        return range(len(columns) - len(new), len(columns))

    observed: dict[str, list[int]] = {}
    for agent in model.agents:
        if places.classes(agent) is None:
            flaw = model.frame_flaws("S5")[agent]
            raise ModelError(f"SMCDEL files hold S5 models: the relation of agent {agent} is {flaw}")
        seen, fresh = observed_by(columns[: len(model.atoms)], places.space.cells(agent)[0])
        observed[agent] = [*seen, *add(fresh, f"observed by {agent} only")]
    add(separating(columns, range(size)), "tells apart states that agree in all else")
    for agent, seen in observed.items():
        if not seen:
            seen += add([[True] * size], f"true at every state, for {agent}, who observes nothing")
    if not columns:
        add([[True] * size], "true at the only state")
    if len(columns) * size > _MOST_LITERALS:
        raise ModelTooLarge(size, _MOST_LITERALS // len(columns), "the state law", "contract the model first")

    names = _atom_names(model.atoms, len(columns), named)
    agents = _agent_names(list(observed), names)
    told = zip(names, meanings, strict=True)
    lines = [f"-- {name}: {meaning}" for name, meaning in told if name not in (meaning, meaning.strip('"'))]
    lines += [f"-- {new}: agent {atom_text(agent)}" for agent, new in agents.items() if agent != new]
    states = []
    for row in zip(*columns, strict=True) if size < 2 ** len(columns) else ():
        literals = [name if true else f"~{name}" for name, true in zip(names, row, strict=True)]
        states.append(f"AND({','.join(literals)})")
    law = f"OR({','.join(states)})" if len(states) > 1 else "".join(states)
    lines += [f"VARS {','.join(names)}", f"LAW {law or 'Top'}"]
    sights = [f"{agents[agent]}: {','.join(names[i] for i in seen)}" for agent, seen in observed.items()]
    return "\n".join([*lines, "OBS " + "\n    ".join(sights)]) + "\n"


def observed_by(columns: Sequence[list[bool]], labels: Sequence[int]) -> tuple[list[int], list[list[bool]]]:
    """Return the columns that an agent observes who tells apart the worlds with different labels.

    These are the numbers of those that have one value for each label, and more columns, which separate
    the labels that agree in those.
    """
    cells = len({*labels})
    seen = [i for i, column in enumerate(columns) if len({*zip(labels, column, strict=True)}) == cells]
    return seen, separating([columns[i] for i in seen], labels)


def separating(columns: Sequence[list[bool]], labels: Sequence[int]) -> list[list[bool]]:
    """Return columns that separate worlds with different labels that agree in the given columns."""
    ranks: dict[Any, dict[int, int]] = {}
    rank = []
    for w, label in enumerate(labels):
        here = ranks.setdefault(tuple(column[w] for column in columns), {})
        rank.append(here.setdefault(label, len(here)))
    return [[r >> bit & 1 == 1 for r in rank] for bit in range(max(rank, default=0).bit_length())]


def _atom_names(atoms: Sequence[str], number: int, named: bool) -> list[str]:
    """Return names for the atoms of the file: the given ones where possible, then fresh ones."""
    if named:
        for atom in atoms:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*|0|[1-9][0-9]*", atom) or atom in _TAKEN:
                raise ModelError(f"atom {atom!r} cannot keep its name in an SMCDEL file; use named=False")
        return [*atoms, *islice(_fresh("fresh", atoms), number - len(atoms))]
    if all(re.fullmatch(r"0|[1-9][0-9]*", atom, re.ASCII) for atom in atoms):
        start = max(map(int, atoms), default=0) + 1
        return [*atoms, *map(str, range(start, start + number - len(atoms)))]
    return [str(i) for i in range(1, number + 1)]


def _fresh(stem: str, taken: Collection[str]) -> Iterator[str]:
    return (name for number in count(1) if (name := f"{stem}{number}") not in taken)


def _agent_names(agents: Sequence[str], atoms: Sequence[str]) -> dict[str, str]:
    """Return the name of each agent in the file: its own if that is a word."""
    fresh, names = _fresh("agent", {*agents, *atoms}), {}
    for agent in agents:
        kept = re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", agent) and agent not in {*_TAKEN, *atoms}
        names[agent] = agent if kept else next(fresh)
    return names
