"""Write the action model for an event that is described; any action with the same effect is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, ClassVar, Self

from kripke_werewolf.errors import ModelError
from kripke_werewolf.exercises.drawings import action_drawing, read_action
from kripke_werewolf.exercises.exercise import Exercise, Mistake, Parameter, Result, modal_depth
from kripke_werewolf.exercises.forms import Form, Given
from kripke_werewolf.exercises.random_parts import plain_formula
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentences import clause, names
from kripke_werewolf.language.simplification import simplify
from kripke_werewolf.models import KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.semantics.action import ActionModel, Event, private, public, semi_private, suspected

if TYPE_CHECKING:
    from numpy.random import Generator

_KINDS = ("public", "private", "semi-private", "suspected")


@dataclass(frozen=True, slots=True)
class AnAction(Form):
    """An action model whose preconditions are without knowledge, drawn as text."""

    agents: tuple[str, ...]
    atoms: tuple[str, ...]
    lines: ClassVar[int] = 6

    @property
    def words(self) -> str:
        """The form in words."""
        agent, atom = self.agents[0], self.atoms[0]
        return (
            f"the action drawn as text, such as e*: {atom}; f: true; {agent}: e->e, f->f with the actual "
            "event marked and all arrows written (e-f is an arrow each way)"
        )

    def parse(self, given: Given) -> ActionModel:
        """Return the action model."""

        def flaw(f: Formula) -> str:
            return "a precondition here is about atoms only, without knowledge" if modal_depth(f) else ""

        return read_action(given, self.atoms, self.agents, flaw)


def everything(atoms: Sequence[str], agents: Sequence[str]) -> KripkeModel:
    """Return the model of all valuations, between which no agent can tell."""
    worlds = [
        "".join(atom if true else f"~{atom}" for atom, true in zip(atoms, row, strict=True)) or "w"
        for row in product((True, False), repeat=len(atoms))
    ]
    rows = list(product((True, False), repeat=len(atoms)))
    valuation = {
        atom: [w for w, row in zip(worlds, rows, strict=True) if row[k]] for k, atom in enumerate(atoms)
    }
    return KripkeModel.from_partitions(worlds, {agent: [worlds] for agent in agents}, valuation)


def compared(mine: ActionModel, right: ActionModel, atoms: Sequence[str], agents: Sequence[str]) -> str:
    """Return where two actions differ in effect; empty if they do not.

    For preconditions about atoms it is enough to look at the model of all valuations: a model updated with
    either action is bisimilar to the other if that one is.
    """
    start = everything(atoms, agents)
    pair = [start.update(action.point(*action.events)) for action in (mine, right)]
    for world in start.worlds:
        can = [
            [e for e in action.designated if start.holds(action.events[e].pre, at=world)]
            for action in (mine, right)
        ]
        where = f"where {', '.join(start.atoms_at(world)) or 'no atom'} is true"
        if bool(can[0]) != bool(can[1]):
            verb = "cannot happen, but should" if can[1] else "can happen, but should not"
            return f"{where}, your action {verb}"
        for (own, others), (here, there) in (((0, 1), pair), ((1, 0), pair[::-1])):
            for e in can[own]:
                if not any(bisimilar(here, (world, e), there, (world, f)) for f in can[others]):
                    f = distinguishing_formula(here, (world, e), there, (world, can[others][0]))
                    truth = ("true", "false") if own == 0 else ("false", "true")
                    return f"{where}, {f} is {truth[0]} after your action and {truth[1]} after the right one"
    return ""


@dataclass(frozen=True, slots=True, repr=False)
class WriteAction(Exercise):
    """Write the action model for an event that is described. Preconditions are about atoms only."""

    kind: ClassVar[str] = "action-model"
    about: ClassVar[str] = "write the action model for an event"
    parameters: ClassVar = {
        "agents": Parameter(2, range(2, 4), "agents"),
        "event": Parameter("any", ("any", *_KINDS), "what happens"),
    }
    description: str
    action: ActionModel

    def __post_init__(self) -> None:
        if not self.action.relations or self.action.others is not None:
            raise ModelError("the action must give the arrows of each agent")
        if not self._atoms():
            raise ModelError("the preconditions of the action must be about some atoms")
        for event in self.action.events.values():
            if modal_depth(event.pre) or event.post:
                raise ModelError("the events of the action must be about atoms only, and change nothing")

    def _agents(self) -> tuple[str, ...]:
        return tuple(self.action.relations)

    def _atoms(self) -> tuple[str, ...]:
        return tuple(sorted(self.action.formula_atoms))

    def question(self) -> str:
        """Return the task in words."""
        return f"{self.description} Write the action model, for the agents {names(self._agents())}."

    @property
    def form(self) -> AnAction:
        """An action model."""
        return AnAction(self._agents(), self._atoms())

    def judge(self, answer: ActionModel) -> Result:
        """Return whether the action has the same effect on every model, and if not where it differs."""
        agents, atoms = self._agents(), self._atoms()
        apart = compared(answer, self.action, atoms, agents)
        if not apart:
            said = "it has the same effect on every model as this action"
            return Result(True, f"{said}\n{action_drawing(self.action, agents)}")
        for mistake, action in self._others():
            if not compared(answer, action, atoms, agents):
                return Result(False, f"{mistake.sentence}\n{apart}", mistake=mistake.name)
        return Result(False, apart)

    def solution(self) -> str:
        """Return the action as it is drawn."""
        return action_drawing(self.action, self._agents())

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the actions of other kinds of events."""
        for mistake, _ in self._others():
            yield mistake

    def _others(self) -> Iterator[tuple[Mistake, ActionModel]]:
        agents = self._agents()
        content = self.action.events[self.action.designated[0]].pre
        groups = [group for count in range(1, len(agents)) for group in combinations(agents, count)]
        for kind in _KINDS:
            for group in groups[:1] if kind == "public" else groups:
                action = _of_kind(kind, content, group, agents)
                who = "" if kind == "public" else f" to {names(group)}"
                sentence = f"this is a {kind} announcement{who}"
                yield Mistake(action_drawing(action, agents), f"{kind} announcement", sentence), action

    @classmethod
    def generate(cls, rng: Generator, *, agents: int, event: str) -> Self | None:
        """Return the description of a public, private, semi-private or suspected announcement."""
        everyone = tuple("abc"[:agents])
        kind = str(rng.choice(_KINDS)) if event == "any" else event
        count = int(rng.integers(1, agents))
        group = tuple(sorted(str(a) for a in rng.permutation(list(everyone))[:count]))
        content = plain_formula(0, rng)
        others = tuple(a for a in everyone if a not in group)
        return cls("", _described(kind, content, group, others), _of_kind(kind, content, group, everyone))


def _of_kind(kind: str, content: Formula, group: Sequence[str], agents: Sequence[str]) -> ActionModel:
    """Return an announcement that happens, of one of four kinds, its events named e, f, g."""
    make = {
        "public": lambda: public(content),
        "private": lambda: private(group, content),
        "semi-private": lambda: semi_private(group, content).point("yes"),
        "suspected": lambda: suspected(group, content).point("yes"),
    }
    whole = make[kind]()
    letters = dict(zip(whole.events, "efg", strict=False))
    return ActionModel.of_sights(
        {letters[name]: Event(simplify(event.pre)) for name, event in whole.events.items()},
        {agent: whole.sight(agent) for agent in agents},
        [letters[name] for name in whole.designated],
    )


def _described(kind: str, content: Formula, group: Sequence[str], others: Sequence[str]) -> str:
    told, rest, said = names(group), names(others), clause(content)
    one, few = len(group) == 1, len(others) == 1
    learn = f"{told} {'learns' if one else 'learn together'}"
    match kind:
        case "public":
            return f"It is publicly announced that {said}."
        case "private":
            notices = "notices nothing and believes" if few else "notice nothing and believe"
            return f"{learn} that {said}. {rest} {notices} that nothing happens."
        case "semi-private":
            sees = "sees" if few else "see"
            answer = "learns" if one else "learn"
            return (
                f"{learn} that {said}. {rest} {sees} that {told} {answer} whether that is so, but not which, "
                "and everyone is aware of all this."
            )
        case _:
            considers = "considers" if few else "consider"
            return (
                f"{learn} that {said}. {rest} {considers} three things possible: that {told} learnt this, "
                "that they learnt the opposite, or that nothing happened. Everyone is aware of that."
            )
