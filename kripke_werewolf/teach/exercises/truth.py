"""Formulas in one model: where they are true, which tell worlds or players apart; and after updates."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import Any, ClassVar, Self

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.english.sentences import clause
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas import parse
from kripke_werewolf.logic.formulas.simplification import simplify
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.logic.semantics.action import (
    ActionModel,
    is_equivalence,
    private,
    semi_private,
    suspected,
)
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.research.planning import shortest_announcement
from kripke_werewolf.teach.exercises import drawings, generation
from kripke_werewolf.teach.exercises.exercise import (
    Listing,
    Mistake,
    OnModel,
    Parameter,
    Result,
    Rng,
    Shown,
)
from kripke_werewolf.teach.exercises.forms import AFormula, Names, formal
from kripke_werewolf.teach.exercises.generation import DEPTH, FORMULAS, WORLDS, Unsuitable, assume, slips
from kripke_werewolf.teach.exercises.serialisation import Agent, Goals, World


@dataclass(frozen=True, slots=True, repr=False)
class TruthSet(Listing, OnModel):
    """At which worlds is a formula true? The answer is a list of worlds. `story`: what the model is about."""

    kind: ClassVar[str] = "truth-set"
    parameters: ClassVar = {"size": WORLDS, "depth": DEPTH, "formulas": FORMULAS}
    formula: Formula
    story: str | None = None

    def question(self) -> str:
        """Return the task in words."""
        asked = f"At which worlds is {formal(self.formula)} true?"
        return " ".join(filter(None, [self.story, asked]))

    @property
    def form(self) -> Names:
        """The names of worlds."""
        return Names(tuple(map(world_text, self.model.worlds)))

    def right(self) -> frozenset[str]:
        """Return the worlds where the formula is true."""
        return _true_in(self.model, self.formula)

    def because(self) -> Iterator[str]:
        """Yield the reason for each world."""
        yield f"these are all the worlds where {self.formula.unicode()} is true"
        for name in self.form.names:
            yield f"at {name}: {self.option_reason(name)}"

    def option_reason(self, option: str) -> str:
        """Return why the formula is true or false at a world."""
        world = self.model.worlds[self.form.names.index(option)]
        return str(self.model.explain(self.formula, at=world))

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the truth sets of formulas that are easily confused with it."""
        for misread, name in slips(self.formula):
            worlds = self.form.write(_true_in(self.model, misread))
            yield Mistake(worlds, name, f"these are the worlds where {misread.unicode()} is true ({name})")

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, principle: Formula | None = None) -> Self:
        """Return a question about a random S5 model and a formula true at some but not all worlds."""
        if principle is None:
            return cls("", *generation.telling(size, depth, rng))
        model = generation.random_model(size, "abc", rng)
        f = generation.random_instance(principle, depth, rng)
        return cls("", _with_orders(model, f, rng), f)._open()

    def _open(self) -> Self:
        """Return the exercise if the formula is true at some but not all worlds."""
        assume(0 < len(self.right()) < len(self.model))
        return self


def _with_orders(model: KripkeModel, f: Formula, rng: Rng) -> KripkeModel:
    """Return a model in which the agents whose beliefs a formula is about find some worlds more plausible."""
    ranks = dict[str, dict[Hashable, int]]()
    for node in f.subformulas():
        if isinstance(node, s.Believes) or (isinstance(node, s.Modal) and node.scope in s.ORDERED):
            for agent in node.label:
                drawn = rng.integers(0, len(model), len(model)).tolist()
                ranks[agent] = dict(zip(model.worlds, drawn, strict=True))
    return model.replace(ranks=ranks) if ranks else model


def _true_in(model: KripkeModel, f: Formula) -> frozenset[str]:
    """Return the worlds where a formula is true, by their names in sentences."""
    return frozenset(map(world_text, model.where(f)))


# --- finding formulas ------------------------------------------------------------------------------


_EITHER = [{"wanted": parse(f)} for f in ("p | q", "p | ~q", "~p | q", "~p | ~q")]
"""Formulas of which each is what is asked for in as many tasks of a class."""


def _where_true(model: KripkeModel, *literals: Formula) -> KripkeModel:
    """Return a model with atoms true where they were false, so that literals are true at the actual world."""
    for literal in literals:
        (atom,) = literal.atoms
        if not model.holds(literal):
            rest = [w for w in model.worlds if atom not in model.atoms_at(w)]
            model = model.replace(valuation={**model.valuation, atom: rest})
    return model


class _FindFormula(OnModel):
    """A task whose answer is a formula about the model."""

    __slots__ = ()
    patience: ClassVar[int] = 1000

    @property
    def form(self) -> AFormula:
        """A formula."""
        return AFormula(self.model.atoms, self.model.agents)

    def solution(self) -> str:
        """Return a formula."""
        found = self.found()
        if found is None or not self.judge(found).right:
            raise ModelError(f"the exercise has no solution: {self.question()}")
        return str(found)

    def found(self) -> Formula | None:
        """Return a formula of one or two literals that solves the exercise, if there is one."""
        literals = [f for atom in map(s.Atom, self.model.atoms) for f in (atom, ~atom)]
        pairs = [f for x, y in combinations(literals, 2) for f in (x | y, x & y)]
        return next((f for f in [*literals, *pairs] if self.judge(f).right), None)


@dataclass(frozen=True, slots=True, repr=False)
class Distinguish(_FindFormula):
    """Find a formula that is true at one world and false at another."""

    kind: ClassVar[str] = "distinguish"
    parameters: ClassVar = {
        "size": WORLDS,
        "depth": Parameter(2, range(1, 3), "modal depth of the formula; 1 for three worlds"),
    }
    true_at: World
    false_at: World

    def question(self) -> str:
        """Return the task in words."""
        where = f"true at {world_text(self.true_at)} and false at {world_text(self.false_at)}"
        return f"Find a formula that is {where}."

    def judge(self, answer: Formula) -> Result:
        """Return whether a formula distinguishes the worlds, and if not why."""
        worlds = (self.true_at, self.false_at)
        here, there = (self.model.holds(answer, at=world) for world in worlds)
        first, second = (f"at {world_text(w)}: {self.model.explain(answer, at=w)}" for w in worlds)
        if here == there:
            shown = f"true at both worlds\n{second}" if here else f"false at both worlds\n{first}"
            return Result(False, f"it is {shown}")
        flaw = "" if here else "it is the wrong way round; its negation works\n"
        return Result(here, f"{flaw}{first}\n{second}")

    def found(self) -> Formula | None:
        """Return a smallest formula that distinguishes the worlds."""
        return distinguishing_formula(self.model, self.true_at, self.model, self.false_at)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return two worlds that formulas of a smaller depth do not distinguish.

        Among n worlds, a depth of n - 2 always suffices, so three worlds need no larger depth than 1.
        """
        deep, model = min(depth, size - 2), generation.random_model(size, "ab", rng)
        pairs = [
            (w, v)
            for w, v in combinations(model.worlds, 2)
            if bisimilar(model, w, model, v, depth=deep - 1) and not bisimilar(model, w, model, v, depth=deep)
        ]
        assume(pairs)
        return cls("", model, *pairs[int(rng.integers(len(pairs)))])


@dataclass(frozen=True, slots=True, repr=False)
class Upgrading(_FindFormula):
    """Which truth has an effect on beliefs? The answer is the formula of a radical upgrade."""

    kind: ClassVar[str] = "upgrade"
    parameters: ClassVar = {"size": WORLDS}
    cards: ClassVar = (_EITHER,)
    goal: Formula

    def question(self) -> str:
        """Return the task in words."""
        after = formal(s.Box(s.Upgrade(s.Atom("φ")), self.goal))
        at = ", ".join(map(world_text, self.model.designated))
        return f"The actual world is {at}. Find a formula φ that is true there and for which {after} is true."

    def judge(self, answer: Formula) -> Result:
        """Return whether the formula is true and its upgrade has this effect, and if not why."""
        if not self.model.holds(answer):
            return Result(False, f"it is not true\n{self.model.explain(answer)}")
        why = self.model.upgrade(answer).explain(self.goal)
        return Result(why.value, str(why))

    @classmethod
    def generate(cls, rng: Rng, *, size: int, wanted: Formula) -> Self:
        """Return a belief of a in something false to which a truth leads: the one that is wanted."""
        false, true = (wanted.children[k] for k in rng.permutation(2).tolist())
        model = _where_true(generation.random_model(size, "ab", rng), ~false, true)
        goal: Formula = s.Believes("a", false)
        exercise = cls("", _with_orders(model, goal, rng), goal)
        assume(not exercise.model.holds(false | goal) and exercise.found() == wanted)
        return exercise


@dataclass(frozen=True, slots=True, repr=False)
class Announcement(_FindFormula):
    """Which announcement makes some agents learn a fact and others not?

    `learns`: pairs of an agent and a formula that they should know afterwards. `ignorant`: pairs of an agent
    and a formula whose truth value they should not know. `speaker`: the speaker, who must know that the
    announcement is true, and everyone learns that. `story`: what the model is about.
    """

    kind: ClassVar[str] = "announcement"
    parameters: ClassVar = {"size": replace(WORLDS, default=5, allowed=range(5, 13))}
    cards: ClassVar[Any] = (_EITHER,)
    speaker: Agent
    learns: Goals
    ignorant: Goals = ()
    story: str | None = None

    def question(self) -> str:
        """Return the task in words."""
        said = s.Knows(self.speaker, "φ")
        after = formal(s.Box(s.Announce(said), "ψ"))
        meaning = f"If {self.speaker} announces {formal(said.body)}, everyone learns {formal(said)}: "
        meaning += f"afterwards {formal(s.Atom('ψ'))} is true if {after} was true before."
        aims = [f"{agent} knows that {formal(f)}" for agent, f in self.learns]
        aims += [f"{agent} does not know whether {formal(f)}" for agent, f in self.ignorant]
        at = ", ".join(map(world_text, self.model.designated))
        asked = f"After which announcement by {self.speaker} is it true that {' and '.join(aims)}?"
        told = f"The actual world is {at}. {meaning} {asked}"
        return " ".join(filter(None, [self.story, told]))

    def judge(self, answer: Formula) -> Result:
        """Return whether an announcement has these effects, and if not which condition fails."""
        said = s.Knows(self.speaker, answer)
        if not self.model.holds(said):
            return Result(False, f"{self.speaker} cannot say it truthfully\n{self.model.explain(said)}")
        after, wanted = self.model.announce(said), self.aims()
        for aim in wanted:
            if not after.holds(aim):
                left = ", ".join(map(world_text, after.worlds[:8]))
                told = f"after the announcement {len(after)} of {len(self.model)} worlds are left ({left})"
                should = f"afterwards it should be true that {clause(aim)}"
                return Result(False, f"{should}\n{told}, and there\n{after.explain(aim)}")
        return Result(True, "\n".join(str(after.explain(aim)) for aim in wanted))

    def _works(self, answer: Formula) -> bool:
        said = s.Knows(self.speaker, answer)
        return self.model.holds(said) and all(map(self.model.announce(said).holds, self.aims()))

    def aims(self) -> list[Formula]:
        """Return the formulas that should be true afterwards."""
        known: list[Formula] = [s.Knows(agent, g) for agent, g in self.learns]
        return known + [s.Not(s.KnowsWhether(agent, g)) for agent, g in self.ignorant]

    def found(self) -> Formula | None:
        """Return a short announcement with these effects."""
        if (short := _FindFormula.found(self)) is not None:
            return short
        learns, ignorant = grouped(self.learns), grouped(self.ignorant)
        found = shortest_announcement(self.model, self.speaker, learns=learns, ignorant=ignorant)
        return simplify(found.body) if isinstance(found, s.Knows) else found

    @classmethod
    def generate(cls, rng: Rng, *, size: int, wanted: Formula) -> Self:
        """Return a secret that a may tell b, but not c, by saying what is wanted: that, or something else."""
        secret, other = (wanted.children[k] for k in rng.permutation(2).tolist())
        model = _where_true(generation.random_model(size, "abc", rng), secret, ~other)
        assume(not model.holds(s.Knows("b", secret)) and not model.holds(s.KnowsWhether("c", secret)))
        exercise = cls("", model, "a", (("b", secret),), (("c", secret),))
        facts = [s.Atom(atom) for atom in model.atoms]
        short = [f for x in facts for f in (x, ~x, s.KnowsWhether("a", x), ~s.KnowsWhether("a", x))]
        short += [f for card in _EITHER for f in card.values()]
        assume(exercise._works(wanted) and not any(exercise._works(f) for f in short if f != wanted))
        return exercise


# --- updated models -------------------------------------------------------------------------------


_FORMULAS = 8  # tried on the same model
_EVENT = Parameter("announcement", ("announcement", "action"), "what happens")


@dataclass(frozen=True, slots=True, repr=False)
class _OnUpdate(OnModel):
    """A task about a model and an update: a public announcement or an action."""

    announced: Formula | None
    action: ActionModel | None

    def __post_init__(self) -> None:
        if (self.announced is None) == (self.action is None):
            raise ModelError(f"a {self.kind} exercise needs either an announced formula or an action")
        if len(self.after()) == 0:
            raise ModelError("no world is left after the update")

    def after(self) -> KripkeModel:
        """Return the updated model."""
        return _updated(self.model, self.announced, self.action)

    def happening(self) -> str:
        """Return the words for the update, such as "the public announcement of `p`"."""
        if self.announced is None:
            return "the action"
        return f"the public announcement of {formal(self.announced)}"

    def shown(self) -> tuple[Shown, ...]:
        """Return the model, and the action if there is one."""
        if self.action is None:
            return (Shown(self.model),)
        return Shown(self.model, "The model"), Shown(self.action, "The action")

    def names(self) -> tuple[str, ...]:
        """Return the possible names of worlds after the update; for an action, worlds with events."""
        return tuple(self._origins())

    def _origins(self) -> dict[str, tuple[Hashable, str, Formula]]:
        """Return the world and the event that each possible world is made of, and the condition, by name."""
        if self.action is None:
            assert self.announced is not None
            return {world_text(w): (w, "", self.announced) for w in self.model.worlds}
        made = product(self.model.worlds, self.action.events.items())
        return {world_text((w, str(e))): (w, str(e), event.pre) for w, (e, event) in made}

    def kept(self, name: str) -> bool:
        """Return whether the world with this name exists after the update."""
        world, _, pre = self._origins()[name]
        return self.model.holds(pre, at=world)

    def world_reason(self, name: str) -> str:
        """Return why the world with this name exists after the update, or why not."""
        world, _, pre = self._origins()[name]
        if self.kept(name):
            return f"{pre.unicode()} is true at {world_text(world)}"
        where, why = f"{pre.unicode()} is false at {world_text(world)}", self.model.explain(pre, at=world)
        return f"{name} is not in the updated model, since {where}:\n{why}"

    def link_reason(self, agent: str, pair: drawings.Pair) -> str:
        """Return why an agent has an arrow after the update, or why not."""
        for name in pair:
            if not self.kept(name):
                return self.world_reason(name)
        (w, e, _), (v, f, _) = map(self._origins().__getitem__, pair)
        seen = v in self.model.successors(agent, w)
        before = f"before the update {agent} {_considers(seen)} {world_text(v)} possible at {world_text(w)}"
        if self.action is None:
            return before
        told = (e, f) in drawings.sight_pairs(self.action, agent)
        return f"{before}, and when {e} happens {agent} {_considers(told)} {f} possible"


@lru_cache(256)
def _updated(model: KripkeModel, announced: Formula | None, action: ActionModel | None) -> KripkeModel:
    after = model if announced is None else model.announce(announced)
    return after if action is None else after.update(action)


def _considers(seen: bool) -> str:
    return "considers" if seen else "does not consider"


def _happening(
    size: int, depth: int, event: str, rng: Rng
) -> tuple[KripkeModel, Formula | None, ActionModel | None]:
    """Return a random model and an update of it that removes some worlds, not all."""
    model, f = generation.telling(size, depth, rng)
    model = model.point(*model.worlds)
    if event == "announcement":
        assume(len(model.where(f)) > 1)
        return model, f, None
    make = (semi_private, private, suspected)[rng.integers(3)]
    action = make(str(rng.choice(list(model.agents))), f).for_agents(model.agents, model.atoms)
    return model, None, generation.lettered(action, model.agents)


@dataclass(frozen=True, slots=True, repr=False)
class UpdatedTruthSet(Listing, _OnUpdate):
    """At which worlds of the updated model is a formula true? The answer is a list of worlds."""

    kind: ClassVar[str] = "updated-truth-set"
    parameters: ClassVar = {"size": generation.WORLDS, "depth": generation.DEPTH, "event": _EVENT}
    formula: Formula

    def question(self) -> str:
        """Return the task in words."""
        asked = f"at which worlds of the updated model is {formal(self.formula)} true?"
        return f"After {self.happening()}, {asked}"

    @property
    def form(self) -> Names:
        """The names of worlds."""
        return Names(self.names())

    def right(self) -> frozenset[str]:
        """Return the worlds of the updated model where the formula is true."""
        return _true_in(self.after(), self.formula)

    def because(self) -> Iterator[str]:
        """Yield the reason for each remaining world."""
        yield f"these are all the worlds where {self.formula.unicode()} is true afterwards"
        for name in filter(self.kept, self.names()):
            yield f"at {name}: {self.option_reason(name)}"

    def option_reason(self, option: str) -> str:
        """Return why the formula is true or false at a world, or why the world does not exist."""
        if not self.kept(option):
            return self.world_reason(option)
        after = self.after()
        world = next(w for w in after.worlds if world_text(w) == option)
        return str(after.explain(self.formula, at=world))

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, event: str) -> Self:
        """Return a question about a random S5 model and a formula that the update makes true somewhere."""
        found = _happening(size, min(depth - 1, size - 2), event, rng)
        model, announced, action = found
        after = _updated(model, announced, action)
        left = frozenset(map(world_text, after.worlds))
        for _ in range(_FORMULAS):
            f = generation.random_formula(model, depth, rng)
            true = _true_in(after, f)
            # an announcement must change its truth set, unless too little is left for that
            if 0 < len(true) < len(after) and (action or size == 3 or true != _true_in(model, f) & left):
                return cls("", *found, f)
        raise Unsuitable


# --- all of it -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Product(_OnUpdate):
    """Give the whole updated model: its worlds, their true atoms, and everyone's arrows."""

    kind: ClassVar[str] = "product"
    parameters: ClassVar = {
        "size": Parameter(3, range(3, 7), "worlds of the model"),
        "depth": Parameter(1, range(1, 4), "modal depth of the announcement or message"),
        "event": Parameter("action", ("action", "announcement"), "what happens"),
    }

    def question(self) -> str:
        """Return the task in words."""
        what = "its worlds, their true atoms, and the arrows of each agent"
        return f"Draw the model after {self.happening()}: {what}."

    @property
    def form(self) -> drawings.AModel:
        """Worlds and arrows."""
        agents, atoms = self.model.agents, self.model.atoms
        partitions = all(self.model.classes(agent) is not None for agent in agents)
        if self.action is not None:
            partitions &= all(is_equivalence(self.action._sight(agent)) for agent in agents)
        return drawings.AModel(atoms, agents, "S5" if partitions else "K", self.names())

    def judge(self, answer: KripkeModel) -> Result:
        """Return whether worlds, atoms and arrows are right, and why the first wrong part is wrong."""
        after, names = self.after(), self.names()
        right, worlds = drawings.true_atoms(after), drawings.true_atoms(answer)
        arrows = {agent: drawings.relation_of(answer, agent) for agent in after.agents}
        parts = len(self.model.agents) + 2
        for name in names:
            if (name in worlds) != (name in right):
                flaw = f"the world {name} is missing: " if name in right else ""
                return Result(False, f"{flaw}{self.world_reason(name)}")
        for name, true in right.items():
            for atom in sorted(true ^ worlds[name]):
                truth = "true" if atom in true else "false"
                return Result(False, f"{atom} is {truth} at {name}", Fraction(1, parts))
        credit = 2 + sum(drawings.relation_of(after, a) == arrows[a] for a in after.agents)
        for agent in after.agents:
            there = drawings.relation_of(after, agent)
            if wrong := there ^ arrows[agent]:
                pair = min(wrong, key=lambda pair: tuple(map(names.index, pair)))
                verb = "is missing" if pair in there else "does not belong there"
                told = f"the arrow of {agent} from {pair[0]} to {pair[1]} {verb}"
                return Result(False, f"{told}: {self.link_reason(agent, pair)}", Fraction(credit, parts))
        head = f"{len(right)} worlds are left"
        if removed := [name for name in names if name not in right]:
            head += f"; removed: {', '.join(removed)}"
        return Result(True, f"{head}\n{self.solution()}")

    def solution(self) -> str:
        """Return the model drawn as text; designated worlds are marked unless all are designated."""
        return drawings.drawing(self.after(), logic=self.form.logic)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, event: str) -> Self:
        """Return a question about an update of a random S5 model that removes some worlds."""
        exercise = cls("", *_happening(size, depth, event, rng))
        assume(len(exercise.after()) < len(exercise.names()))
        return exercise
