"""Models and formulas written as those of the library mlsolver, to compare with it.

It is on GitHub only: `pip install git+https://github.com/erohkohl/mlsolver`.
"""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from typing import Any

from kripke_werewolf.errors import FormulaError, ModelError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.models.model import KripkeModel


def to_mlsolver(model: KripkeModel) -> Any:
    """Return a model as an mlsolver `KripkeStructure`.

    The names of worlds become strings, as mlsolver needs. Designated worlds, weights and variables are
    lost. Raises `ModelError` if two names become the same string.
    """
    kripke = import_module("mlsolver.kripke")
    names = [str(name) for name in model.worlds]
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ModelError(f"mlsolver names worlds by strings, and {twice!r} would be the name of two worlds")
    true = model.valuation
    worlds = [kripke.World(str(w), {atom: w in here for atom, here in true.items()}) for w in model]
    relations = {a: {(str(w), str(v)) for w, v in pairs} for a, pairs in model.relations.items()}
    return kripke.KripkeStructure(worlds, relations)


def to_mlsolver_formula(f: FormulaLike) -> Any:
    """Return a formula as an mlsolver formula.

    `^`, `<->`, `Kw` and `E` are expanded into the operators of mlsolver. Raises `FormulaError` for operators
    that it cannot express: constants, counting, common and distributed knowledge, probability, quantifiers,
    updates.
    """
    kinds = import_module("mlsolver.formula")
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
