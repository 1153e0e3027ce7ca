"""Action models in derivations: their declarations in text, and distinct names for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Protocol, Self, TypeVar

from kripke_werewolf.errors import FormulaError, KripkeError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import atom_text
from kripke_werewolf.language.parser import parse
from kripke_werewolf.proofs.abbreviations import unabbreviated
from kripke_werewolf.semantics.action import ActionModel, Event, action_of_update
from kripke_werewolf.stories.actions import action_lines


class _OfFormulas(Protocol):
    def mapped(self, put: Callable[[Formula], Formula]) -> Self:
        """Return it with every formula replaced."""


P = TypeVar("P", bound=_OfFormulas)


def _as_action(update: s.Announce) -> ActionModel | None:
    """Return the action model for an announcement in derivations; None for a public one.

    It has no actual events, since each line names its event.
    """
    action = action_of_update(s.Announce(unabbreviated(update.content), update.group, update.whether))
    return None if action is None else action.point(*action.events)


def announced(text: str, groups: Mapping[str, Iterable[object]] | None = None) -> ActionModel:
    """Return the action denoted by an announcement such as `[a!p]`; raises `FormulaError` for others."""
    f = parse(f"{text}true", groups=groups)
    action = _as_action(f.update) if isinstance(f, s.Box) and isinstance(f.update, s.Announce) else None
    if action is None or f.children[-1] is not s.TRUE:
        raise FormulaError(f"expected an announcement to some agents, such as [a!p], got {text!r}")
    return action


def with_actions(f: Formula, actions: Mapping[str, ActionModel]) -> Formula:
    """Return a formula with declared actions for their names, under the names used in derivations."""

    def named(node: Formula) -> Formula:
        match node:
            case s.Dynamic(s.Act(name, None, None), body) if name in actions:
                return type(node)(s.Act(name, None, actions[name]), body)
            case s.Dynamic(s.Act(name, event, None), body) if name in actions:
                whole = _whole(actions[name])
                return type(node)(s.Act(whole.name, event, whole), body)
        return node

    return f.rewrite(named) if actions else f


def announcement(action: ActionModel) -> s.Announce | None:
    """Return an announcement with the events and relations of an action, or None.

    >>> from kripke_werewolf.language import parse
    >>> update = parse("[a!p]q").update
    >>> announcement(_as_action(update)) == update
    True
    """
    group = tuple(action.relations) or None
    for event in action.events.values():
        for asked in (False, True):
            found = s.Announce(event.pre, group, asked)
            try:
                if (known := _as_action(found)) and known.named(action.name) == _whole(action):
                    return found
            except KripkeError:  # a precondition not allowed in derivations
                return None
    return None


def known_as(action: ActionModel, others: Iterable[ActionModel]) -> ActionModel:
    """Return an action under the name that an announcement, or another action, has for the same events."""
    known = [x for x in others if _whole(x).named(action.name) == _whole(action)]
    if (update := announcement(action)) is not None and (same := _as_action(update)) is not None:
        known.insert(0, same)
    return action.named(known[0].name) if known else action


def _whole(action: ActionModel) -> ActionModel:
    return action.point(*action.events)


class _Names:
    """The actions in formulas with their names; with other designated events an action is a different one.

    `whole`: the actions whose events formulas name, with all events designated; `acted`: those whose
    designated events are meant. Both give the names used in formulas.
    """

    def __init__(self) -> None:
        self.whole: dict[ActionModel, str] = {}
        self.acted: dict[ActionModel, str] = {}
        self._order: list[ActionModel] = []

    def see(self, f: Formula) -> Formula:
        """Record the actions of a formula, those in the conditions of others first; return it."""
        for node in f.subformulas():
            if isinstance(node, s.Dynamic) and isinstance(node.update, s.Act):
                name, event, model = node.update
                if model is None:
                    continue
                action, known = (model, self.acted) if event is None else (_whole(model), self.whole)
                if action not in known:
                    for condition in action.formulas:
                        self.see(condition)
                    known[action] = name
                    self._order.append(_whole(action))
        return f

    def given(self) -> Iterator[tuple[str, ActionModel, bool]]:
        """Yield names with their actions, and whether formulas name events of the action by that name."""
        taken: list[str] = []
        for whole in dict.fromkeys(self._order):
            acted = [(action, name) for action, name in self.acted.items() if _whole(action) == whole]
            for n, (action, name) in enumerate(acted or [(whole, self.whole[whole])]):
                taken.append(next(x for x in _numbered(name) if x not in taken))
                yield taken[-1], action, n == 0


def named_apart(proof: P) -> tuple[P, dict[str, str]]:
    """Return a proof with distinct names for its actions, and their declarations.

    A declaration is an announcement such as `[a!p]`, or the lines that describe an action; an action follows
    those that it mentions.

    >>> from kripke_werewolf.proofs.derivation import derivation
    >>> named_apart(derivation("([a!p]K_b q <-> (p -> K_b q)) & ([b!p]K_a q <-> (p -> K_a q))"))[1]
    {'private': '[b!p]', 'private_2': '[a!p]'}
    """
    names = _Names()
    proof.mapped(names.see)
    acted: dict[ActionModel, str] = {}
    whole: dict[ActionModel, str] = {}
    declarations: dict[str, str] = {}

    def renamed(node: Formula) -> Formula:
        match node:
            case s.Dynamic(s.Act(_, None, model), body) if model is not None:
                return type(node)(s.Act(acted[model], None, model), body)
            case s.Dynamic(s.Act(_, event, model), body) if model is not None:
                return type(node)(s.Act(whole[_whole(model)], event, model), body)
        return node

    for name, action, first in names.given():
        declarations[name] = _declaration(name, action, renamed)
        acted[action] = name
        if first:
            whole[_whole(action)] = name
    return proof.mapped(lambda f: f.rewrite(renamed)), declarations


def _declaration(name: str, action: ActionModel, renamed: Callable[[Formula], Formula]) -> str:
    update = announcement(action)
    if update is not None and action == _whole(action) and re.fullmatch(r"\w+", name):
        said = s.Box(update, s.TRUE).rewrite(renamed)
        return str(said).removesuffix("true")
    events = {
        key: Event(event.pre.rewrite(renamed), {atom: f.rewrite(renamed) for atom, f in event.post.items()})
        for key, event in action.events.items()
    }
    return "\n".join(action_lines(action.with_events(events)))


def declaration(name: str, text: str) -> str:
    """Return the declaration of an action under a name, from an announcement or from its describing lines."""
    if text.startswith("["):
        return f"action {name} = {text}"
    return "\n    ".join([f"action {atom_text(name)}:", *text.splitlines()])


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))
