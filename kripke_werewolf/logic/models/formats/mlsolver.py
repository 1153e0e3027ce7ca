"""Conversion of models and formulas to and from the library mlsolver.

mlsolver (https://github.com/erohkohl/mlsolver) has multi-agent Kripke structures and the operators ~ & | -> K
M, called `Not`, `And`, `Or`, `Implies`, `Box_a` and `Diamond_a`. Its `Box_star` is not common knowledge but
"φ, and everyone knows φ", and is read as that. Conversion to mlsolver needs the package `mlsolver`;
conversion from it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from types import ModuleType
from typing import Any, SupportsIndex

from kripke_werewolf.base.errors import FormatError, FormulaError, ModelError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula, group_of
from kripke_werewolf.logic.models.model import KripkeModel


def _mlsolver(name: str) -> ModuleType:
    from importlib import import_module

    try:
        return import_module(f"mlsolver.{name}")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "mlsolver is not installed; it is on GitHub only: "
            "pip install git+https://github.com/erohkohl/mlsolver",
            name=error.name,
        ) from None


# --- models ----------------------------------------------------------------------------------------


def to_mlsolver(model: KripkeModel) -> Any:
    """Return a model as an mlsolver `KripkeStructure`.

    The names of worlds become strings, as mlsolver needs. Designated worlds, weights and variables are
    lost. Raises `ModelError` if two names become the same string, and for a model with ranks.
    """
    kripke = _mlsolver("kripke")
    if model.ranks:
        raise ModelError("mlsolver has no orders of plausibility: the ranks of this model would be lost")
    names = [str(name) for name in model.worlds]
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ModelError(f"mlsolver names worlds by strings, and {twice!r} would be the name of two worlds")
    true = model.valuation
    worlds = [kripke.World(str(w), {atom: w in here for atom, here in true.items()}) for w in model]
    relations = {a: {(str(w), str(v)) for w, v in pairs} for a, pairs in model.relations.items()}
    return kripke.KripkeStructure(worlds, relations)


def from_mlsolver(structure: Any, *, agent: object = "a") -> KripkeModel:
    """Return an mlsolver `KripkeStructure` as a model; all worlds are designated.

    `agent`: the owner of the relation if the structure has a single set of pairs instead of one per agent. An
    atom that a world does not mention is false there.
    """
    relations = structure.relations
    if not isinstance(relations, Mapping):
        relations = {agent: relations}
    atoms = dict.fromkeys(atom for world in structure.worlds for atom in world.assignment)
    true = {atom: [w.name for w in structure.worlds if w.assignment.get(atom)] for atom in atoms}
    return KripkeModel([world.name for world in structure.worlds], relations, true)


# --- formulas --------------------------------------------------------------------------------------


def to_mlsolver_formula(f: FormulaLike) -> Any:
    """Return a formula as an mlsolver formula.

    `^`, `<->`, `Kw` and `E` are expanded into the operators of mlsolver. Raises `FormulaError` for operators
    that it cannot express: constants, counting, common and distributed knowledge, probability, quantifiers,
    updates.
    """
    kinds = _mlsolver("formula")
    made: dict[Formula, Any] = {}

    def iff(left: Any, right: Any) -> Any:
        return kinds.And(kinds.Implies(left, right), kinds.Implies(right, left))

    for node in formula(f).rewrite(_written_out).subformulas():
        parts = [made[child] for child in node.children]
        match node:
            case s.Atom(name):
                made[node] = kinds.Atom(name)
            case s.Not() | s.Implies():
                made[node] = getattr(kinds, type(node).__name__)(*parts)
            case s.And() | s.Or():
                made[node] = reduce(getattr(kinds, type(node).__name__), parts)
            case s.Iff():
                made[node] = iff(*parts)
            case s.Xor():
                made[node] = reduce(lambda left, right: kinds.Not(iff(left, right)), parts)
            case s.Knows(agent, _):
                made[node] = kinds.Box_a(agent, *parts)
            case s.Possible(agent, _):
                made[node] = kinds.Diamond_a(agent, *parts)
            case s.Modal() if node.scope is s.Scope.REACH:
                raise FormulaError(f"mlsolver has no common knowledge (Box_star differs); got {node}")
            case _:
                raise FormulaError(f"mlsolver has no counterpart of {type(node).__name__}, got {node}")
    return made[formula(f).rewrite(_written_out)]


def _written_out(node: Formula) -> Formula:
    """Return the formula that a modal operator abbreviates, if mlsolver has the operators for it."""
    if isinstance(node, s.Modal) and node.scope in (s.Scope.AGENT, s.Scope.EACH, s.Scope.SOME):
        while isinstance(node, s.Modal) and (longer := node.unfolded()) is not None:
            node = longer.rewrite(_written_out)
    return node


def from_mlsolver_formula(
    value: Any, *, agents: Iterable[object] | None = None, agent: str | SupportsIndex = "a"
) -> Formula:
    """Return an mlsolver formula as a formula of this library.

    `agents`: all agents, for `Box_star` (mlsolver takes them from the structure). `agent`: the agent of `Box`
    and `Diamond` without an agent.
    """
    everyone = None if agents is None else tuple(agents)

    def built(node: Any, parts: list[Formula]) -> Formula:
        match type(node).__name__:
            case "Atom":
                return s.Atom(node.name)
            case "Not" | "And" | "Or" | "Implies" as kind:
                return getattr(s, kind)(*parts)  # type: ignore[no-any-return]
            case "Box_a" | "Box":
                return s.Knows(getattr(node, "agent", agent), *parts)
            case "Diamond_a" | "Diamond":
                return s.Possible(getattr(node, "agent", agent), *parts)
            case "Box_star" if everyone is None:
                raise FormulaError("Box_star is about all agents of a structure: say which with agents=[…]")
            case "Box_star":
                known = [s.box_of(s.Scope.EACH)._make(group_of(everyone), tuple(parts))] if everyone else []
                return s.conjunction([*parts, *known])
            case other:
                raise FormatError(f"expected a formula of mlsolver, got an object of class {other}")

    # a formula object may occur in several places; by its identity, since mlsolver's are not hashable
    made: dict[int, Formula] = {}
    stack, started = [value], set[int]()
    while stack:
        node = stack[-1]
        started.add(id(node))
        parts = [getattr(node, name) for name in ("inner", "left", "right") if hasattr(node, name)]
        missing = [part for part in parts if id(part) not in made]
        if any(id(part) in started for part in missing):
            raise FormatError(f"cyclic: a part of this {type(node).__name__} contains it")
        if missing:
            stack += missing
        else:
            made[id(node)] = built(node, [made[id(part)] for part in parts])
            stack.pop()
    return made[id(value)]
