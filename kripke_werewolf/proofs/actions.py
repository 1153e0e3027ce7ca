"""Action models in derivations: the announcements that they stand for, and names that tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count

from kripke_werewolf.errors import FormulaError, KripkeError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.parser import parse
from kripke_werewolf.proofs.abbreviations import plain
from kripke_werewolf.proofs.proof import Proof
from kripke_werewolf.semantics.action import ActionModel, action_of_update


def as_action(update: s.Announce) -> ActionModel | None:
    """Return the action model that lines of derivations name for an announcement; None for a public one.

    It has no actual events, since a line names the event that it is about.
    """
    action = action_of_update(s.Announce(plain(update.content), update.group, update.whether))
    return None if action is None else action.point(*action.events)


def declared(text: str, groups: Mapping[str, Iterable[object]] | None = None) -> ActionModel:
    """Return the action that a declaration such as `[a!p]` stands for; raises `FormulaError` for another."""
    f = parse(f"{text}true", groups=groups)
    action = as_action(f.update) if isinstance(f, s.Box) and isinstance(f.update, s.Announce) else None
    if action is None or f.children[-1] is not s.TRUE:
        raise FormulaError(f"expected an announcement to some agents, such as [a!p], got {text!r}")
    return action


def with_actions(f: Formula, actions: Mapping[str, ActionModel]) -> Formula:
    """Return a formula with declared actions for their names, by the names that derivations have for them."""

    def named(node: Formula) -> Formula:
        match node:
            case s.Dynamic(s.Act(name, event, None), body) if name in actions:
                return type(node)(s.Act(actions[name].name, event, actions[name]), body)
        return node

    return f.rewrite(named) if actions else f


def announcement(action: ActionModel) -> s.Announce | None:
    """Return an announcement that lines of derivations name an action for, if there is one.

    >>> from kripke_werewolf.language import parse
    >>> update = parse("[a!p]q").update
    >>> announcement(as_action(update)) == update
    True
    """
    group = tuple(action.relations) or None
    for event in action.events.values():
        for asked in (False, True):
            found = s.Announce(event.pre, group, asked)
            try:
                if as_action(found) == action:
                    return found
            except KripkeError:  # a precondition that derivations cannot have
                return None
    return None


def named_apart(proof: Proof) -> tuple[Proof, dict[str, str]]:
    """Return a derivation with a name of its own for each action, and the announcements they stand for.

    The announcement is written as in `[a!p]`, empty for an action that is none.

    >>> from kripke_werewolf.proofs.derivation import derivation
    >>> named_apart(derivation("([a!p]K_b q <-> (p -> K_b q)) & ([b!p]K_a q <-> (p -> K_a q))"))[1]
    {'private': '[b!p]', 'private_2': '[a!p]'}
    """
    names: dict[ActionModel, str] = {}
    for node in (node for line in proof.lines for node in line.formula.subformulas()):
        if isinstance(node, s.Dynamic) and isinstance(node.update, s.Act) and node.update.model is not None:
            model = node.update.model
            if model not in names:
                names[model] = next(n for n in _names(node.update.name) if n not in names.values())

    def renamed(node: Formula) -> Formula:
        match node:
            case s.Dynamic(s.Act(name, event, model), body) if model is not None and names[model] != name:
                return type(node)(s.Act(names[model], event, model), body)
        return node

    lines = tuple(replace(line, formula=line.formula.rewrite(renamed)) for line in proof.lines)
    found = {name: announcement(model) for model, name in names.items()}
    shown = {name: str(s.Box(u, s.TRUE)).removesuffix("true") if u else "" for name, u in found.items()}
    return Proof(proof.logic, lines), shown


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))
