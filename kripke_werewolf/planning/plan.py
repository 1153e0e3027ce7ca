"""Shortest plans: breadth-first search over the models reachable by actions.

A state of the search is a model with designated worlds. All states found so far share one model and differ in
the worlds they designate, so one update applies all actions to all of them. The model is contracted after
every step: states are bisimilar iff they designate the same worlds of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import count
from operator import or_
from typing import NamedTuple, TypeAlias

from kripke_werewolf.errors import FormulaError, ModelTooLarge, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula, natural
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.action import ActionModel, Event, Sight, public
from kripke_werewolf.semantics.space import Needs, check_formula_names, needs

_MOST_WORLDS = 4_000_000

Plan: TypeAlias = tuple[str, ...]
State: TypeAlias = frozenset[int]
"""The numbers of the worlds that a state designates."""


def shortest_plan(
    model: KripkeModel,
    actions: Mapping[str, ActionModel | FormulaLike],
    goal: FormulaLike,
    *,
    limit: int = 10,
) -> Plan | None:
    """Return a shortest sequence of actions after which the goal is true; None if there is none.

    `actions`: action models, or formulas to be announced publicly, by name. An action is possible if some
    designated event can happen at some designated world; the other designated worlds are then removed, as in
    `KripkeModel.update`. The goal must be true at all designated worlds. Of several shortest plans the first
    in the order of the actions is returned.

    Bisimilar models are tried once; if a formula has D or P, only models that agree on these as well are
    identified. Raises `Undecided` if there is no plan of at most `limit` actions but there may be a longer
    one, and `FormulaError` for `everywhere` and `somewhere`, whose truth depends on unreachable worlds.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, ["w"])
    >>> shortest_plan(m, {"say p": "p", "say p or q": "p | q", "wait": "true"}, "K_a p")
    ('say p',)
    """
    natural(limit, "limit")
    asked = formula(goal)
    acts = {name: a if isinstance(a, ActionModel) else public(a) for name, a in actions.items()}
    check_formula_names(model.space, asked)
    for name, act in acts.items():
        check_formula_names(model.space, s.Box(s.Act(str(name), None, act), s.TRUE))
    need = _needed([asked, *(f for act in acts.values() for f in act.formulas)], model)
    choice = _Choice.of(acts, model.agents)

    space = model.space if need.probable else model.space.unweighted()
    start = KripkeModel.from_space(space, space.set_of(model.points))
    search = _Search(start, {State(start.points): ()}, [State(start.points)])
    for length in range(limit + 1):
        true = State(search.model.numbers(asked))
        for state in search.newest:
            if state <= true:
                return search.plans[state]
        if not acts or not search.newest:
            return None
        if length < limit:
            search = search.after(choice, need)
    raise Undecided(f"no plan of at most {limit} actions reaches {asked}; a longer one may (limit=…)")


def _needed(formulas: Sequence[Formula], model: KripkeModel) -> Needs:
    """Return the combined needs of some formulas; raise `FormulaError` for unreachable worlds."""
    for f in formulas:
        if needs(f, model.variables).whole:
            node = next(g for g in f.subformulas() if needs(g, model.variables).whole)
            raise FormulaError(f"a plan cannot be made with {node}: it speaks of worlds out of reach")
    return reduce(or_, [needs(f, model.variables) for f in formulas])


class _Choice(NamedTuple):
    """All actions combined in one: event 0, which changes nothing, then the events of each action.

    `designated`: the numbers of the designated events of each action.
    """

    action: ActionModel
    designated: Mapping[str, list[int]]

    @classmethod
    def of(cls, acts: Mapping[str, ActionModel], agents: Sequence[str]) -> _Choice:
        events = [Event()]
        sights: dict[str, Sight] = dict.fromkeys(agents, (1,))
        designated = {}
        for name, act in acts.items():
            first = len(events)
            places = {event: first + k for k, event in enumerate(act.events)}
            designated[name] = [places[event] for event in act.designated]
            events += act.events.values()
            for agent in agents:
                sights[agent] += tuple(seen << first for seen in act.sight(agent))
        happening = [0, *(e for numbers in designated.values() for e in numbers)]
        action = ActionModel.of_sights(dict(enumerate(events)), sights, happening, name="any action")
        return cls(action, designated)


class _Search(NamedTuple):
    """A model, its states with a shortest plan for each, and the states with the longest plans."""

    model: KripkeModel
    plans: Mapping[State, Plan]
    newest: Sequence[State]

    def after(self, choice: _Choice, need: Needs) -> _Search:
        """Return the search after one more action."""
        try:
            updated = self.model.update(choice.action, limit=_MOST_WORLDS)
        except ModelTooLarge as error:
            length = len(self.plans[self.newest[0]]) + 1
            raise Undecided(
                f"the search for a plan came to {error.worlds:,} worlds after {length} actions, more than "
                f"the {_MOST_WORLDS:,} allowed; use fewer actions, or actions with fewer events"
            ) from error
        # the copies of the worlds are numbered event by event
        number = count()
        events = choice.action.events.values()
        copies = [{w: next(number) for w in self.model.numbers(event.pre)} for event in events]
        space = updated.space
        reached = space.members(space.reachable(space.set_of(updated.points)))
        quotient, blocks = updated.restrict(reached).space.quotient(
            distributed=need.distributed, probable=need.probable
        )
        block = dict(zip(reached, blocks, strict=True))

        def carried(state: State, numbers: Sequence[int]) -> State:
            return State([block[copies[e][w]] for e in numbers for w in state if w in copies[e]])

        plans = {carried(state, [0]): plan for state, plan in self.plans.items()}
        known = len(plans)
        for state, name in self._steps(choice):
            found = carried(state, choice.designated[name])
            if found and found not in plans:
                plans[found] = (*self.plans[state], name)
        points = quotient.set_of(sorted(State().union(*plans)))
        return _Search(KripkeModel.from_space(quotient, points), plans, list(plans)[known:])

    def _steps(self, choice: _Choice) -> Iterator[tuple[State, str]]:
        for state in self.newest:
            for name in choice.designated:
                yield state, name
