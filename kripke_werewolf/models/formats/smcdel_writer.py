"""Explicit S5 models as SMCDEL text files.

The worlds become the states of a knowledge structure with the same facts and knowledge (van Benthem,
van Eijck, Gattinger and Su 2018, definition 14): where the atoms do not say which cell of an agent a
world lies in, or do not tell worlds apart, fresh atoms do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError, ModelTooLarge
from kripke_werewolf.language.names import atom_text
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Mask, Partition

__all__ = ["to_smcdel"]

# literals of the law: about four bytes of text each
_MOST_LITERALS = 20_000_000
_KEYWORDS = frozenset(
    {
        *("VARS", "LAW", "OBS", "TRUE", "VALID", "WHERE", "Top", "Bot", "Not", "not", "iff"),
        *("AND", "OR", "XOR", "ONEOF", "K", "Kw", "ForAll", "Forall", "Exists"),
        *("knows", "comknow", "distknow"),
    }
)


def to_smcdel(model: KripkeModel, *, named: bool = False) -> str:
    """Return an S5 model as an SMCDEL text file without queries.

    SMCDEL knows atoms by numbers: comments in the file say what each number means, and which agent
    had another name. With `named` atoms keep their names, which `read_smcdel` reads and SMCDEL does
    not. Worlds become states, one each; their names and weights and which of them are designated
    have no place in the format.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w"], ["v"]], "b": [["w", "v"]]}, {"p": ["w"]})
    >>> print(to_smcdel(m), end="")
    -- 1: p
    -- 2: true at every state, for b, who observes nothing
    VARS 1,2
    LAW OR(AND(1,2),AND(~1,2))
    OBS a: 1
        b: 2

    Raises `ModelError` if some relation is no equivalence or a name cannot be kept, and
    `ModelTooLarge` if the law would have too many literals.
    """
    if not len(model):
        raise ModelError("a model without worlds cannot be written: no state law would fit")
    meanings = [str(atom_text(atom)) for atom in model.atoms]
    columns: list[Mask] = [model.valuation[atom] for atom in model.atoms]
    size = len(model)

    def add(new: Sequence[Mask], meaning: str) -> range:
        columns.extend(new)
        meanings.extend([meaning] * len(new))
        return range(len(columns) - len(new), len(columns))

    observed: dict[str, list[int]] = {}
    for agent, relation in model.relations.items():
        cells = relation.simplest()
        if not isinstance(cells, Partition):
            found = model.frame_class(agent)
            missing, example = next(iter(found.counterexamples.items()))
            raise ModelError(
                f"SMCDEL files hold S5 models: the relation of agent {agent} is {found}, "
                f"not {missing} at {', '.join(map(str, example))}"
            )
        seen = [i for i, column in enumerate(columns[: len(model.atoms)]) if _constant_on(cells, column)]
        fresh = _separating(_rows([columns[i] for i in seen], size), cells.labels)
        observed[agent] = [*seen, *add(fresh, f"observed by {agent} only")]
    add(_separating(_rows(columns, size), np.arange(size)), "tells apart states that agree in all else")
    for agent, seen in observed.items():
        if not seen:
            seen += add([np.ones(size, bool)], f"true at every state, for {agent}, who observes nothing")
    if not columns:
        add([np.ones(size, bool)], "true at the only state")
    if len(columns) * size > _MOST_LITERALS:
        raise ModelTooLarge(size, _MOST_LITERALS // len(columns), "the state law", "contract the model first")
    names = _atom_names(model.atoms, len(columns), named)
    agents = _agent_names(list(observed), names)
    told = zip(names, meanings, strict=True)
    lines = [f"-- {name}: {meaning}" for name, meaning in told if name not in (meaning, meaning.strip('"'))]
    lines += [f"-- {new}: agent {atom_text(agent)}" for agent, new in agents.items() if agent != new]
    lines += [f"VARS {','.join(names)}", f"LAW {_law(names, columns, size)}"]
    sights = [f"{agents[agent]}: {','.join(names[i] for i in seen)}" for agent, seen in observed.items()]
    return "\n".join([*lines, "OBS " + "\n    ".join(sights)]) + "\n"


def _constant_on(cells: Partition, column: Mask) -> bool:
    true = np.bincount(cells.labels[column], minlength=cells.cells)
    return bool(((true == 0) | (true == np.bincount(cells.labels, minlength=cells.cells))).all())


def _rows(columns: Iterable[Mask], size: int) -> npt.NDArray[np.int64]:
    """Number the worlds such that those with equal values in the columns have the same number."""
    numbers = np.zeros(size, np.int64)
    for column in columns:
        numbers = np.unique(2 * numbers + column, return_inverse=True)[1]
    return numbers


def _separating(coarse: npt.NDArray[np.integer], fine: npt.NDArray[np.integer]) -> list[Mask]:
    """Return columns that tell apart, within each class of `coarse`, the classes of `fine` in it."""
    pairs, place = np.unique(coarse * (int(fine.max()) + 1) + fine, return_inverse=True)
    owner = pairs // (int(fine.max()) + 1)
    rank = (np.arange(len(pairs)) - np.searchsorted(owner, owner))[place]
    return [(rank >> bit) & 1 == 1 for bit in range(int(rank.max()).bit_length())]


def _atom_names(atoms: Sequence[str], number: int, named: bool) -> list[str]:
    """Return names for the atoms of the file: the given ones where possible, then fresh ones."""
    if named:
        for atom in atoms:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*|0|[1-9][0-9]*", atom) or atom in _KEYWORDS:
                raise ModelError(f"atom {atom!r} cannot keep its name in an SMCDEL file; use named=False")
        fresh = (name for i in range(1, 10**9) if (name := f"fresh{i}") not in atoms)
        return [*atoms, *(next(fresh) for _ in range(number - len(atoms)))]
    if all(re.fullmatch(r"0|[1-9][0-9]*", atom, re.ASCII) for atom in atoms):
        start = max(map(int, atoms), default=0) + 1
        return [*atoms, *map(str, range(start, start + number - len(atoms)))]
    return [str(i) for i in range(1, number + 1)]


def _agent_names(agents: Sequence[str], atoms: Sequence[str]) -> dict[str, str]:
    """Return for each agent its name in the file: its own where that is a word."""
    taken = {*agents, *atoms}
    fresh = (name for i in range(1, 10**9) if (name := f"agent{i}") not in taken)
    return {
        agent: agent
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", agent) and agent not in {*_KEYWORDS, *atoms}
        else next(fresh)
        for agent in agents
    }


def _law(names: Sequence[str], columns: Sequence[Mask], size: int) -> str:
    if size == 2 ** len(columns):
        return "Top"
    literals = [(f"~{name}", name) for name in names]
    rows = np.stack(columns, axis=1).tolist()
    states = [
        f"AND({','.join(pair[value] for pair, value in zip(literals, row, strict=True))})" for row in rows
    ]
    return states[0] if size == 1 else f"OR({','.join(states)})"
