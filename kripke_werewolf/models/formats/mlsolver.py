"""Conversion of models and formulas from the library mlsolver, without which it works.

mlsolver (https://github.com/erohkohl/mlsolver) has multi-agent Kripke structures and the operators ~ & | -> K
M, called `Not`, `And`, `Or`, `Implies`, `Box_a` and `Diamond_a`. Its `Box_star` is not common knowledge but
"φ, and everyone knows φ", and is read as that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, SupportsIndex

from kripke_werewolf.errors import FormatError, FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel


def from_mlsolver(structure: Any, *, agent: object = "a") -> KripkeModel:
    """Return an mlsolver `KripkeStructure` as a model; all worlds are designated.

    `agent`: the owner of the relation if the structure has a single set of pairs instead of one per agent. An
    atom that a world does not mention is false there.
    """
    relations = structure.relations
    if not isinstance(relations, Mapping):
        relations = {agent: relations}
    true: dict[str, list[Any]] = {}
    for world in structure.worlds:
        for atom, value in world.assignment.items():
            row = true.setdefault(atom, [])
            if value:
                row.append(world.name)
    return KripkeModel([world.name for world in structure.worlds], relations, true)


def from_mlsolver_formula(
    value: Any, *, agents: Iterable[object] | None = None, agent: str | SupportsIndex = "a"
) -> Formula:
    """Return an mlsolver formula as a formula of this library.

    `agents`: all agents, for `Box_star` (mlsolver takes them from the structure). `agent`: the agent of `Box`
    and `Diamond` without an agent.
    """
    everyone = None if agents is None else tuple(agents)

    def star(body: Formula) -> Formula:
        if everyone is None:
            raise FormulaError("Box_star is about all agents of a structure: say which with agents=[…]")
        return body & s.Everyone(everyone, body) if everyone else body

    builders: dict[str, tuple[tuple[str, ...], Callable[..., Formula]]] = {
        "Not": (("inner",), lambda _, f: s.Not(f)),
        "And": (("left", "right"), lambda _, f, g: s.And(f, g)),
        "Or": (("left", "right"), lambda _, f, g: s.Or(f, g)),
        "Implies": (("left", "right"), lambda _, f, g: s.Implies(f, g)),
        "Box_a": (("inner",), lambda x, f: s.Knows(x.agent, f)),
        "Diamond_a": (("inner",), lambda x, f: s.Possible(x.agent, f)),
        "Box": (("inner",), lambda _, f: s.Knows(agent, f)),
        "Diamond": (("inner",), lambda _, f: s.Possible(agent, f)),
        "Box_star": (("inner",), lambda _, f: star(f)),
        "Atom": ((), lambda x: s.Atom(x.name)),
    }
    # a formula object may occur in several places; by its identity, since mlsolver's are not hashable
    made: dict[int, Formula] = {}
    stack, started = [value], set[int]()
    while stack:
        node = stack[-1]
        started.add(id(node))
        if type(node).__name__ not in builders:
            raise FormatError(f"expected a formula of mlsolver, got an object of class {type(node).__name__}")
        names, build = builders[type(node).__name__]
        parts = [getattr(node, name) for name in names]
        missing = [part for part in parts if id(part) not in made]
        if any(id(part) in started for part in missing):
            raise FormatError(f"cyclic: a part of this {type(node).__name__} contains it")
        if missing:
            stack += missing
        else:
            made[id(node)] = build(node, *(made[id(part)] for part in parts))
            stack.pop()
    return made[id(value)]
