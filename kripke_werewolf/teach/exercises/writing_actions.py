"""Write the action model for a described event; any action with the same effect is right.

The effect of an action at a world depends on its atoms and on the knowledge that conditions mention: on the
type of the world. All possible types, with all possible steps between them, are one model, in which every
condition has a truth value. Two actions have the same effect iff there is a bisimulation of their products
with it that preserves the type: the action emulation of Van Eijck, Ruan and Sadzik 2012, for actions whose
preconditions determine the type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, Self

from kripke_werewolf.base.errors import FormulaError, KripkeError, ModelError, Undecided
from kripke_werewolf.base.reader import Part
from kripke_werewolf.logic.deciding import satisfiable
from kripke_werewolf.logic.english.sentences import names, to_sentence
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import logic_named
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.semantics.action import (
    ActionModel,
    Event,
    private,
    public,
    semi_private,
    suspected,
)
from kripke_werewolf.logic.written import read_formula
from kripke_werewolf.teach.exercises.drawings import Drawing, DrawnEntry, arrows_text, sight_pairs
from kripke_werewolf.teach.exercises.exercise import Card, Exercise, Parameter, Result, Rng
from kripke_werewolf.teach.exercises.forms import Form, one_world_model, refuse
from kripke_werewolf.teach.exercises.generation import STORIES, lettered, plain_formula
from kripke_werewolf.teach.exercises.serialisation import Logic

_KINDS = ("public", "private", "semi-private", "suspected", "change")


@dataclass(frozen=True, slots=True)
class AnAction(Form):
    """An action model drawn as text. `changes`: whether the instructions explain the notation of changes."""

    agents: tuple[str, ...]
    atoms: tuple[str, ...]
    changes: bool = False
    lines: ClassVar[int] = 6

    @property
    def words(self) -> str:
        """The form in words."""
        agent, atom = self.agents[0], self.atoms[0]
        event = f"true, {atom} := ~{atom}" if self.changes else atom
        example = f"e*: {event}; f: true; {agent}: e->e, f->f"
        rest = "with the actual event marked and all arrows written (e-f is an arrow each way)"
        return f"the action drawn as text, such as {example} {rest}"

    def parse(self, given: Part) -> ActionModel:
        """Return the action model: events have preconditions, and changes follow: `e: p, q := ~q`."""
        known = one_world_model(self.atoms, self.agents)

        def formula(part: Part) -> Formula:
            return read_formula(part.text, known, part.fail)

        def event(entry: DrawnEntry, _: object) -> Event:
            pre, *changes = entry.content.split() or [entry.content]
            posts = (change.halves(":=", "atom := formula") for change in changes)
            changed = {atom.known(self.atoms, "atom"): formula(post) for atom, post in posts}
            return Event(formula(pre), changed)

        events, marked, arrows = Drawing(self.agents, self.atoms, "event").read(given, event)
        try:
            return ActionModel(events, arrows, marked)
        except KripkeError as error:
            refuse(given, str(error))


@dataclass(frozen=True, slots=True, repr=False)
class WriteAction(Exercise):
    """Write the action model for a described event. `logic`: that of the models in which it may happen."""

    kind: ClassVar[str] = "action-model"
    parameters: ClassVar = {
        "agents": Parameter(2, range(2, 4), "agents"),
        "event": Parameter("any", ("any", *_KINDS), "what happens"),
        "depth": Parameter(0, range(3), "modal depth of the message"),
    }
    description: str
    action: ActionModel
    logic: Logic = "K"

    def __post_init__(self) -> None:
        if not self.action.relations or self.action.others is not None:
            raise ModelError("the action must give the arrows of each agent")
        if not self._atoms():
            raise ModelError("the conditions of the action must be about some atoms")
        for agent in self._agents():
            if logic_named(self.logic).of((agent,)).name not in COMPARED:
                raise ModelError(f"the logic of an agent may be {', '.join(COMPARED)}, got {self.logic}")
        _Types([self.action], self._atoms(), self._agents(), self.logic)  # raises if they are too many

    def _agents(self) -> tuple[str, ...]:
        return tuple(self.action.relations)

    def _atoms(self) -> tuple[str, ...]:
        return tuple(sorted(self.action.formula_atoms))

    def question(self) -> str:
        """Return the task in words."""
        where = self.description
        if self.logic != "K":
            where += f" It happens in {self._every_model()}."
        return f"{where} Write the action model, for the agents {names(self._agents())}."

    def _every_model(self) -> str:
        said = logic_named(self.logic).words(self._agents())
        return "every model" if said == "K" else f"every model of {said}"

    @property
    def form(self) -> AnAction:
        """An action model."""
        return AnAction(self._agents(), self._atoms(), bool(self.action.changed))

    def judge(self, answer: ActionModel) -> Result:
        """Return whether the action has the same effect on every model, and if not where it differs."""
        try:
            apart = effects_apart(answer, self.action, self._atoms(), self._agents(), self.logic)
        except (FormulaError, Undecided) as error:
            return Result(False, f"this cannot be compared: {error}")
        said = f"it has the same effect on {self._every_model()} as this action"
        return Result(not apart, apart or f"{said}\n{self.solution()}")

    def solution(self) -> str:
        """Return the action drawn as text."""
        return _action_drawing(self.action, self._agents())

    @classmethod
    def deck(cls, *, event: str, **parameters: Any) -> Sequence[Sequence[Card]]:
        """Return the kinds of events."""
        return ([{"event": kind} for kind in (_KINDS if event == "any" else (event,))],)

    @classmethod
    def generate(cls, rng: Rng, *, agents: int, event: str, depth: int) -> Self:
        """Return the description of an announcement to some agents, or of a change seen by some."""
        everyone = tuple("abc"[:agents])
        count = int(rng.integers(1, agents))
        group = tuple(sorted(str(a) for a in rng.permutation(list(everyone))[:count]))
        others = tuple(a for a in everyone if a not in group)
        if event == "change":
            atom, value = str(rng.choice(["p", "q"])), bool(rng.random() < 0.5)
            pairs = {agent: [("e", "e" if agent in group else "f"), ("f", "f")] for agent in everyone}
            action = ActionModel({"e": Event(True, {atom: value}), "f": Event()}, pairs, ["e"])
            return cls("", _described(event, f"{atom} becomes {str(value).lower()}", group, others), action)
        content = plain_formula(depth, rng)
        said = to_sentence(content)[:-1]
        said = said[0].lower() + said[1:]
        return cls("", _described(event, said, group, others), _of_kind(event, content, group, everyone))


def _of_kind(kind: str, content: Formula, group: Sequence[str], agents: Sequence[str]) -> ActionModel:
    """Return an announcement of one of four kinds, with events named e, f, g."""
    if kind == "public":
        return lettered(public(content), agents)
    if kind == "private":
        return lettered(private(group, content), agents)
    make = {"semi-private": semi_private, "suspected": suspected}
    return lettered(make[kind](group, content).point("yes"), agents)


def _described(kind: str, said: str, group: Sequence[str], others: Sequence[str]) -> str:
    """Return the message that a group gets, and what the others notice, in words."""
    words = {"told": names(group), "rest": names(others), "said": said}
    for some, number in (("group", len(group)), ("others", len(others))):
        words |= STORIES.get(f"{some}-of-{number}", STORIES[some])
    return str(STORIES[kind].format(**words, unaware=STORIES["unaware"].format(**words)))


def _action_drawing(action: ActionModel, agents: Iterable[str]) -> str:
    """Return an action model drawn as text.

    >>> from kripke_werewolf.logic.semantics import private
    >>> print(_action_drawing(private("a", "p"), "ab"))
    told*: p
    nothing: true
    a: told->told, nothing->nothing
    b: told->nothing, nothing->nothing
    """
    names = [str(event) for event in action.events]
    lines = []
    for name, (event, happens) in zip(names, action.events.items(), strict=True):
        mark = "*" if event in action.designated else ""
        said = [str(happens.pre), *(f"{atom} := {f}" for atom, f in happens.post.items())]
        lines.append(f"{name}{mark}: {', '.join(said)}")
    arrows = (f"{agent}: {arrows_text(sight_pairs(action, agent), names)}" for agent in agents)
    return "\n".join([*lines, *arrows])


# --- the same effect -------------------------------------------------------------------------------

_MOST = 8
"""The largest number of atoms and knowledge statements from which types are made: at most 2^8 types."""
_STEPS = 100_000
COMPARED = ("K", "KD45", "S5")
"""The logics of agents for which the possible steps between types are known."""


class _Types:
    """The types of worlds that the formulas of some actions distinguish, as a model of a logic.

    Raises `FormulaError` for modal operators other than those about the knowledge of one agent or of each of
    several, and for too many formulas.
    """

    def __init__(
        self, actions: Iterable[ActionModel], atoms: Sequence[str], agents: Iterable[str], logic: str
    ) -> None:
        self._letters: dict[Formula, s.Atom] = {}  # for K_a φ, with letters for the knowledge in φ
        self._meaning: dict[str, Formula] = {}
        formulas = [*(f for action in actions for f in action.formulas), *map(s.Atom, atoms)]
        skeletons = {f: unabbreviated(f).rewrite(self._lettered) for f in formulas}
        self._basic = [*map(s.Atom, atoms), *self._letters.values()]
        if len(self._basic) > _MOST:
            many = f"{len(self._basic)} atoms and things known"
            raise FormulaError(f"the conditions mention {many}; at most {_MOST} can be compared")
        rows = list(product((True, False), repeat=len(self._basic)))
        true = {atom.name: [n for n, row in enumerate(rows) if row[k]] for k, atom in enumerate(self._basic)}
        self._every = KripkeModel.from_partitions(range(len(rows)), {}, true)
        self.worlds = [n for n, row in enumerate(rows) if not self._letters or self._possible(row, logic)]
        self.holds = {f: self._where(skeleton) for f, skeleton in skeletons.items()}
        """For each of the formulas, the types at whose worlds it is true."""
        self.steps = {agent: self._steps_of(agent, logic) for agent in agents}
        """For each agent and type, the types that the agent may then consider possible."""

    def _lettered(self, node: Formula) -> Formula:
        match node:
            case s.Knows(_, body):
                if node not in self._letters:
                    letter = s.Atom(f"known {len(self._letters)}")
                    self._letters[node] = letter
                    self._meaning[letter.name] = node.with_children([body.substitute(self._meaning)])
                return self._letters[node]
            case s.Modal() | s.Dynamic() | s.Quantifier() | s.Probability() | s.KnowsValue():
                raise FormulaError(f"conditions with {node.unicode()} cannot be compared")
        return node

    def _possible(self, row: Sequence[bool], logic: str) -> bool:
        basic = (self._meaning.get(atom.name, atom) for atom in self._basic)
        whole = s.conjunction(f if true else s.Not(f) for f, true in zip(basic, row, strict=True))
        return satisfiable(whole, logic=logic, limit=_STEPS) is not None

    def _where(self, skeleton: Formula) -> frozenset[int]:
        return frozenset(Numbered(self._every).numbers(skeleton)) & frozenset(self.worlds)

    def _steps_of(self, agent: str, logic: str) -> dict[int, list[int]]:
        known = [
            (self._where(letter), self._where(box.children[0]))
            for box, letter in self._letters.items()
            if isinstance(box, s.Knows) and box.agent == agent
        ]
        same = logic_named(logic).of((agent,)).euclidean  # then agents know what they know and do not know

        def possible(w: int, v: int) -> bool:
            """Return whether an agent at a world of the first type may consider the second possible."""
            if same and any((w in box) != (v in box) for box, _ in known):
                return False
            return all(v in body or w not in box for box, body in known)

        return {w: [v for v in self.worlds if possible(w, v)] for w in self.worlds}

    def words(self, world: int) -> str:
        """Return the facts of a type in words: "where p and K_a p are true"."""
        true = [atom for atom in self._basic if world in self._where(atom)]
        shown = [self._meaning.get(atom.name, atom).unicode() for atom in true] or ["no atom"]
        return f"where {names(shown)} {'are' if len(shown) > 1 else 'is'} true"

    def model(self) -> KripkeModel:
        """Return the types as a model, with further atoms that no action changes: they keep the type."""
        pairs = {a: [(w, v) for w, seen in steps.items() for v in seen] for a, steps in self.steps.items()}
        true = {atom.name: sorted(self._where(atom)) for atom in self._basic}
        before = {f"{name} before": where for name, where in true.items()}
        facts = {name: where for name, where in true.items() if name not in self._meaning}
        return KripkeModel(self.worlds, pairs, facts | before)


def effects_apart(
    mine: ActionModel, right: ActionModel, atoms: Sequence[str], agents: Sequence[str], logic: str = "K"
) -> str:
    """Return where the effect of the first action differs from that of the second, the right one.

    They are compared on all models of a logic; empty if they differ nowhere.
    """
    types, both = _Types([mine, right], atoms, agents, logic), []
    for w in types.worlds:
        mine_there, right_there = (
            [e for e in action.designated if w in types.holds[action.events[e].pre]]
            for action in (mine, right)
        )
        if mine_there and right_there:
            both.append((w, mine_there, right_there))
        elif mine_there or right_there:
            verb = "can happen, but should not" if mine_there else "cannot happen, but should"
            return f"{types.words(w)}, your action {verb}"
    if not both:
        return ""
    model = types.model()
    first, second = (model.update(action.point(*action.events)) for action in (mine, right))
    for w, these, those in both:
        alike = {(e, f) for e in these for f in those if bisimilar(first, (w, e), second, (w, f))}
        pairs = [(e, those[0]) for e in these if not any((e, f) in alike for f in those)]
        pairs += [(these[0], f) for f in those if not any((e, f) in alike for e in these)]
        for e, f in pairs:
            after, wanted = (model.for_agents(agents, atoms) for model in (first, second))
            said = distinguishing_formula(after, (w, e), wanted, (w, f))
            told = "your action leaves the agents with different beliefs about the facts before it"
            if said is not None:
                here, there = ("true", "false") if after.holds(said, at=(w, e)) else ("false", "true")
                told = f"{said} is {here} after your action and {there} after the right one"
            return f"{types.words(w)}, {told}"
    return ""
