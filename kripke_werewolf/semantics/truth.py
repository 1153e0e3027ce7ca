"""The model checker: truth sets of formulas on Kripke models.

One fold over the subformulas, children first, each once. A dynamic operator evaluates its body on
the updated model, which is built once per query and update, by the same code that users call. The
fold keeps its own stack, so neither deep formulas nor deeply nested announcements recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import product as combinations
from operator import and_, or_, xor

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import (
    FormulaError,
    UnknownActionError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownVariableError,
)
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.models.common import common_box, everyone_box
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Mask, Relation
from kripke_werewolf.semantics.action import ActionModel, action_of_update
from kripke_werewolf.semantics.probability import probability_set
from kripke_werewolf.semantics.product import Product, product

__all__ = ["Frame", "check_names", "evaluated", "truth_set", "truth_sets"]


def truth_set(model: KripkeModel, formula: s.Formula) -> Mask:
    """Return the worlds where a formula is true, as a boolean array.

    Raises an `UnknownNameError` for an atom, agent, variable or action that the model or the
    formula does not have, wherever it occurs.
    """
    return truth_sets(model, [formula])[0]


def truth_sets(model: KripkeModel, formulas: Sequence[s.Formula]) -> list[Mask]:
    """Return the truth sets of several formulas; subformulas they share are evaluated once."""
    root = evaluated(model, formulas)
    return [root.memo[f] for f in formulas]


def evaluated(model: KripkeModel, formulas: Sequence[s.Formula]) -> Frame:
    """Return the frame that holds the truth sets of several formulas and of all they depend on."""
    for formula in formulas:
        check_names(model, formula)
    root = Frame(model)
    root.add(formulas)
    return root


def check_names(model: KripkeModel, formula: s.Formula) -> None:
    """Raise an `UnknownNameError` if the formula mentions what the model does not have.

    Looks into the actions that the formula names and into the variables of `Kv` as well.
    """
    pending, seen = [formula], set[object]()
    while pending:
        current = pending.pop()
        for node in current.subformulas():
            match node:
                case s.Box(s.Act(name, event, action), _) | s.Diamond(s.Act(name, event, action), _):
                    if action is None:
                        hint = "the formula; bind it to an action model (actions=…)"
                        raise UnknownActionError(name, (), place=hint)
                    if event is not None:
                        action.point(event)
                    if action not in seen:
                        seen.add(action)
                        pending.extend(action.formulas)
                case s.KnowsValue(_, variable):
                    if variable not in model.variables:
                        raise UnknownVariableError(variable, model.variables)
                    if variable not in seen:
                        seen.add(variable)
                        pending.extend(model.variables[variable].values())
        for agent in sorted(current.agents - model.relations.keys()):
            raise UnknownAgentError(agent, model.agents)
        for atom in sorted(current.atoms - model.valuation.keys()):
            raise UnknownAtomError(atom, model.atoms)


_MOST_BOUND = 16  # atoms of a quantifier: each doubles the instances

_COMPARE: dict[str, Callable[[npt.NDArray[np.int32], int], Mask]] = {
    "exactly": np.equal,
    "atleast": np.greater_equal,
    "atmost": np.less_equal,
}


class Frame:
    """One model of the query: the given one, or what an update inside the formula makes of it.

    `memo`: the truth sets found so far. `after`: for each update that was made the frame of the new
    model, and which of its worlds come from which of this one.
    """

    def __init__(self, model: KripkeModel) -> None:
        self.model = model
        self.memo: dict[s.Formula, Mask] = {}
        self.instances: dict[s.Formula, list[s.Formula]] = {}
        self.met: dict[tuple[str, ...], Relation] = {}
        self.after: dict[s.Announce | s.Act, tuple[Frame, Product]] = {}

    def add(self, formulas: Sequence[s.Formula]) -> None:
        """Evaluate more formulas on this model."""
        tasks = [(self, f) for f in reversed(formulas)]
        while tasks:
            frame, node = tasks[-1]
            missing = [] if node in frame.memo else frame.missing(node)
            if missing:
                tasks.extend(missing)
                continue
            if node not in frame.memo:
                frame.memo[node] = frame.evaluate(node)
            tasks.pop()

    def missing(self, node: s.Formula) -> list[tuple[Frame, s.Formula]]:
        """Return what must be evaluated before `node` can be, and has not been yet."""
        match node:
            case s.Box(update, body) | s.Diamond(update, body):
                action = action_of_update(update)
                wanted = [(self, f) for f in (action.formulas if action else node.children[:1])]
                wanted = [(frame, f) for frame, f in wanted if f not in frame.memo]
                if wanted:
                    return wanted
                frame = self.updated(update, action)[0]
                return [] if body in frame.memo else [(frame, body)]
            case s.Forall() | s.Exists() | s.KnowsValue():
                needed: Iterable[s.Formula] = self.expanded(node)
            case _:
                needed = node.children
        return [(self, f) for f in needed if f not in self.memo]

    def evaluate(self, node: s.Formula) -> Mask:
        """Return the truth set of `node`, its parts being in the memo."""
        memo, model = self.memo, self.model
        match node:
            case s.Atom(name):
                return model.valuation[name]
            case s.Constant(value):
                return np.full(len(model), value)
            case s.Not(f):
                return ~memo[f]
            case s.And(parts):
                return reduce(and_, (memo[f] for f in parts))
            case s.Or(parts):
                return reduce(or_, (memo[f] for f in parts))
            case s.Xor(parts):
                return reduce(xor, (memo[f] for f in parts))
            case s.Implies(f, g):
                return ~memo[f] | memo[g]
            case s.Iff(f, g):
                return ~(memo[f] ^ memo[g])
            case s.Count(kind, number, parts):
                true = np.zeros(len(model), np.int32)
                for f in parts:
                    true += memo[f]
                return _COMPARE[kind](true, number)
            case s.Knows(agent, f):
                return model.relations[agent].box(memo[f])
            case s.Possible(agent, f):
                return ~model.relations[agent].box(~memo[f])
            case s.KnowsWhether(agent, f):
                return _whether(memo[f], model.relations[agent].box)
            case s.Everyone(group, f):
                return everyone_box([model.relations[a] for a in group], memo[f])
            case s.Common(group, f):
                return self.common(group, memo[f])
            case s.CommonWhether(group, f):
                return _whether(memo[f], lambda inside: self.common(group, inside))
            case s.Distributed(group, f):
                return self.meet(group).box(memo[f])
            case s.DistributedWhether(group, f):
                return _whether(memo[f], self.meet(group).box)
            case s.Everywhere(f):
                return np.full(len(model), bool(memo[f].all()))
            case s.Somewhere(f):
                return np.full(len(model), bool(memo[f].any()))
            case s.Forall():
                return reduce(and_, (memo[f] for f in self.expanded(node)))
            case s.Exists() | s.KnowsValue():
                return reduce(or_, (memo[f] for f in self.expanded(node)))
            case s.Box(update, f):
                frame, updated = self.after[update]
                return ~updated.some(~frame.memo[f])
            case s.Diamond(update, f):
                frame, updated = self.after[update]
                return updated.some(frame.memo[f])
            case Probability():
                return probability_set(model, node, memo)
        raise TypeError(f"no truth condition for {type(node).__name__}")

    def common(self, group: tuple[str, ...], inside: Mask) -> Mask:
        """Return where it is common knowledge in a group that the actual world lies inside."""
        return common_box([self.model.relations[a] for a in group], inside)

    def meet(self, group: tuple[str, ...]) -> Relation:
        """Return what a group considers possible together: the intersection of their relations."""
        if group not in self.met:
            self.met[group] = reduce(lambda r, q: r.meet(q), (self.model.relations[a] for a in group))
        return self.met[group]

    def expanded(self, node: s.Formula) -> list[s.Formula]:
        """Return the instances that a quantifier, or the values that Kv, ranges over."""
        if node not in self.instances:
            match node:
                case s.Forall(names, body) | s.Exists(names, body):
                    bound = [name for name in names if name in body.atoms]
                    if len(bound) > _MOST_BOUND:
                        raise FormulaError(
                            f"a quantifier over {len(bound)} atoms has {2 ** len(bound):,} instances; "
                            f"it can be evaluated for at most {_MOST_BOUND}"
                        )
                    values = combinations((s.TRUE, s.FALSE), repeat=len(bound))
                    found = [body.substitute(dict(zip(bound, v, strict=True))) for v in values]
                case s.KnowsValue(agent, variable):
                    found = [s.Knows(agent, f) for f in self.model.variables[variable].values()]
                case _:
                    raise TypeError(f"{type(node).__name__} does not range over anything")
            self.instances[node] = found
        return self.instances[node]

    def updated(self, update: s.Announce | s.Act, action: ActionModel | None) -> tuple[Frame, Product]:
        """Return the frame of the updated model, and which of its worlds come from which of ours."""
        if update not in self.after:
            if action is None:
                assert isinstance(update, s.Announce)
                result = Product.restriction(self.model, self.memo[update.content])
            else:
                result = product(self.model, action, self.memo)
            self.after[update] = Frame(result.model), result
        return self.after[update]


def _whether(true: Mask, box: Callable[[Mask], Mask]) -> Mask:
    return box(true) | box(~true)
