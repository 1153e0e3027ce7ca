"""The engines that answer questions about what was told, each saying which ones it covers, and at what cost.

`Counting` conditions counted worlds case by case; `ListedWorlds` builds the Kripke model; `Diagrams` the
knowledge structure; `AllHistories` finds everything that may have happened. The cheapest that covers a
question answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations
from math import comb, prod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from kripke_werewolf.errors import DiagramTooLarge, FalseAnnouncement, ModelTooLarge, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.actions import HIDDEN_ATTACK
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.counted_view import MANY, counted_worlds, counts_deaths, share
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import Vision, definitions
from kripke_werewolf.werewolf.game_models import (
    MOST_LISTED,
    Course,
    Explicit,
    Structure,
    along,
    at_the_end,
    misleads,
)
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Role, is_wolf
from kripke_werewolf.werewolf.setup import Setup
from kripke_werewolf.werewolf.superposition import NotCovered, NoWorldLeft, Superposition
from kripke_werewolf.werewolf.told import Told

if TYPE_CHECKING:
    from kripke_werewolf.symbolic.structure import SymbolicStructure
    from kripke_werewolf.werewolf.inference import Budget, Replay
    from kripke_werewolf.werewolf.inference import Histories as Found

    Model: TypeAlias = KripkeModel | SymbolicStructure

_LEAST_NODES = 1 << 20
"""The number of nodes always allowed for diagrams: they take 24 MB."""

_MOST_CASES = 1000
"""The greatest number of cases; with a hundred players a case takes some hundredths of a second."""

_MOST_KEPT = 64
"""The most courses and models that are kept for further questions about the same game."""

_SECONDS_FOR_ENTRIES = 10
"""The most seconds for finding the entries of tables on which an answer rests."""

CHEAPER = "ask about fewer players at once (what one player knows is found quickly: who knows, knowledge)"


@dataclass(frozen=True, slots=True)
class Cover:
    """Whether an engine covers a question about what was told, and at what cost."""

    cost: float | None
    """An estimate, of worlds or steps; an upper bound where a limit is checked. None: it is not covered."""
    why: str = ""
    """Why it is not covered."""
    helps: tuple[str, ...] = ()
    """What would help."""


class Engine(Protocol):
    """Answers questions about what was told."""

    name: ClassVar[str]

    def floor(self, told: Told) -> float:
        """Return a cost that no question about it is below, found at once."""
        ...

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether it covers a question."""
        ...

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return whether a formula is true in all, none or some of the worlds that fit what was told."""
        ...

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return a player's probabilities of a formula, each with its number of worlds."""
        ...

    def shown(self, told: Told, question: Formula) -> Model | Superposition | None:
        """Return the model or the worlds by which it answers a question; None if it shows none."""
        ...

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return the names of news that imply a positive answer about knowledge, if it finds them."""
        ...


def cheapest(engines: Iterable[Engine], told: Told, question: Formula) -> Engine:
    """Return the cheapest engine that covers a question; raise NotCovered with the reasons if none does."""
    best: tuple[float, Engine] | None = None
    refused: dict[str, Cover] = {}
    for engine in sorted(engines, key=lambda engine: engine.floor(told)):
        if best is not None and best[0] <= engine.floor(told):
            continue
        cover = engine.covers(told, question)
        if cover.cost is None:
            refused[engine.name] = cover
        elif best is None or cover.cost < best[0]:
            best = cover.cost, engine
    if best is not None:
        return best[1]
    reasons = "; ".join(f"{name}: {cover.why}" for name, cover in refused.items())
    helps = dict.fromkeys(chain.from_iterable(cover.helps for cover in refused.values()))
    advice = f"; what would help: {', or '.join(helps)}" if helps else ""
    raise NotCovered(f"no engine covers {question} ({reasons}){advice}")


# --- worlds counted ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counting:
    """Counts the worlds where facts are true, case by case, by conditioning counted worlds."""

    name: ClassVar[str] = "counting"

    superposition: Superposition | None = None
    """The surviving worlds of a game, for questions about facts."""
    limit: int = 0
    """How many worlds are rather listed than counted for those."""
    _found: dict[tuple[int, str, Formula], Verdict | Cover] = field(default_factory=dict, compare=False)
    _worlds: dict[tuple[int, str], tuple[Told, Superposition | str]] = field(
        default_factory=dict, compare=False
    )

    def floor(self, told: Told) -> float:
        """Return the size of a model that takes about as long."""
        return MANY

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether a question is about facts, or about what single players know of facts."""
        if unnoticed(told):
            return Cover(None, "somebody did not notice what happened")
        asked = _facts_in(question)
        if any(not body.is_boolean for _, body in asked):
            return Cover(None, f"it counts what one player knows of facts; {question} cannot be counted")
        if not {player for player, _ in asked if player} <= {*told.owners}:
            return Cover(None, "others may have been told more")
        for player, body in asked:
            if isinstance(refused := self._counted(told, player, body), Cover):
                return refused
        facts = question.is_boolean and self.superposition is not None
        return Cover(max(self.limit, MANY) if facts else MANY)

    def _of(self, told: Told, player: str) -> Superposition | str:
        """Return the worlds of a player ("": of all owners); or why they are not counted."""
        key = id(told), player  # which is kept alive
        if key not in self._worlds:
            over = None if player else self.superposition
            known = told.of(player) if player else told
            self._worlds[key] = told, counted_worlds(known) if over is None else over
        return self._worlds[key][1]

    def _counted(self, told: Told, player: str, body: Formula) -> Verdict | Cover:
        """Return in how many of the worlds of a player facts are true; or why they are not counted."""
        key = id(told), player, body
        if key not in self._found:
            self._found[key] = self._count(told, player, body)
        return self._found[key]

    def _count(self, told: Told, player: str, body: Formula) -> Verdict | Cover:
        over = None if player else self.superposition
        worlds = self._of(told, player)
        if isinstance(worlds, str):
            return Cover(None, worlds)
        if over is None and any(atom.startswith("dead_") for atom in body.atoms) and not counts_deaths(told):
            return Cover(None, "deaths are not counted while attacks are under way")
        if not worlds.size:
            return Cover(None, "no world is left")
        found = verdict_by_cases(told.setup, worlds, body)
        return found or Cover(None, f"{body} cannot be counted case by case")

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return the verdict, from the numbers of worlds."""
        shares = {part: self._counted(told, *part) for part in _facts_in(question)}
        match question:
            case s.Knows() | s.Possible() | Probability():
                chance = {part: v.fraction for part, v in shares.items() if isinstance(v, Verdict)}
            case _:
                (verdict,) = shares.values()
                assert isinstance(verdict, Verdict)
                return verdict
        match question:
            case s.Knows(agent=agent, body=body):
                true = chance[agent, body] == 1
            case s.Possible(agent=agent, body=body):
                true = chance[agent, body] > 0
            case Probability():
                total = sum(term.coefficient * chance[term.agent, term.body] for term in question.terms)
                true = bool(question.holds(total, question.bound))
        return Verdict.of(int(true), 1)

    def chance(self, told: Told, atom: str) -> Fraction:
        """Return the owner's probability of a fact."""
        worlds = self._of(told, told.player)
        assert isinstance(worlds, Counted)
        return share(worlds, told.setup, atom)

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return the share of the player's worlds."""
        verdict = self._counted(told, player, fact)
        assert isinstance(verdict, Verdict)
        return {Fraction(verdict.satisfied, verdict.total): 1}

    def shown(self, told: Told, question: Formula) -> Superposition | None:
        """Return the counted worlds, for a question about facts."""
        worlds = self._of(told, "") if question.is_boolean else None
        return None if isinstance(worlds, str) else worlds

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return nothing: counting does not follow single news."""
        return ()


def unnoticed(told: Told) -> bool:
    """Whether something happened unnoticed by others, so that their beliefs may be false."""
    return any(event.unnoticed for event in told.events)


def _facts_in(question: Formula) -> list[tuple[str, Formula]]:
    """Return the formulas to be counted, each with the player whose worlds are meant ("": all owners)."""
    match question:
        case s.Knows(agent=agent, body=body) | s.Possible(agent=agent, body=body):
            return [(agent, body)]
        case Probability():
            return [(term.agent, term.body) for term in question.terms]
    return [("", question)]


def knowers_in(f: Formula) -> frozenset[str] | None:
    """Return the players whose own information determines a formula; None if facts matter.

    >>> from kripke_werewolf import parse
    >>> sorted(knowers_in(parse("K_a K_b p & ~D_{c,d} p"))), knowers_in(parse("K_a p & p"))
    (['a', 'c', 'd'], None)
    """
    known: dict[Formula, frozenset[str] | None] = {}
    for node in f.ordered(lambda node: node.children if node.pointwise else ()):
        match node:
            case s.Constant():
                known[node] = frozenset()
            case s.OfAgent() | s.OfGroup():
                known[node] = frozenset(node.label)
            case s.KnowsValue():
                known[node] = frozenset({node.agent})
            case Probability():
                known[node] = frozenset(term.agent for term in node.terms)
            case _:
                parts = [known[part] for part in node.children] if node.pointwise else []
                some = [part for part in parts if part is not None]
                known[node] = frozenset().union(*some) if parts and len(some) == len(parts) else None
    return known[f]


def verdict_by_cases(setup: Setup, worlds: Superposition, f: Formula) -> Verdict | None:
    """Return whether a Boolean formula is true in all, none or some of the worlds, with their numbers.

    None if it is not Boolean or has too many cases, or if the worlds cannot be counted by cases.
    """
    if not f.is_boolean:
        return None
    if isinstance(f, s.Atom) and f.name.startswith("dominant_"):
        seat = setup.seat(f.name.removeprefix("dominant_"))
        return Verdict.of(worlds.count(s.Atom(f"dominant_{seat}")), worlds.size)
    exact, roughly = set(setup.deck.wolf_roles), {WOLF, SEER, VILLAGER, "good"}
    roles: dict[int, tuple[Role, ...]] = {}
    mortal: list[int] = []
    for seat, name in enumerate(setup.players):
        about = {atom.removesuffix(f"_{name}") for atom in f.atoms if atom.endswith(f"_{name}")}
        if "dominant" in about:
            return None
        if "dead" in about:
            mortal.append(seat)
        if about & exact or (about & roughly and not isinstance(worlds, Counted)):
            roles[seat] = setup.deck.roles
        elif about & roughly:
            roles[seat] = tuple(role for role in (VILLAGER, SEER, WOLF) if setup.deck.cards(role))
    if prod(map(len, roles.values())) * 3 ** len(mortal) > _MOST_CASES:
        return None
    try:
        found = list(_cases(setup.players, worlds, roles, mortal))
    except NotCovered:
        return None
    true = {atom: [number for number, (facts, _) in enumerate(found) if atom in facts] for atom in f.atoms}
    # the cases as worlds without agents, for the model checker
    inside = KripkeModel(range(len(found)), {}, true).truth_set(f)
    numbers = [count for _, count in found]
    return Verdict.of(sum(n for n, yes in zip(numbers, inside, strict=True) if yes), sum(numbers))


def _cases(
    players: Sequence[str], worlds: Superposition, roles: Mapping[int, Sequence[Role]], mortal: Sequence[int]
) -> Iterator[tuple[frozenset[str], int]]:
    """Yield the facts of each case that occurs, roles and deaths, and its number of worlds."""
    cases = [(worlds, frozenset[str]())]
    for player, possible in roles.items():
        cases = [
            (
                fixed,
                facts | {f"{fact}_{players[player]}" for fact in (role, WOLF if is_wolf(role) else "good")},
            )
            for here, facts in cases
            for role in possible
            if (fixed := here.fix(player, role)).size
        ]
    for here, facts in cases:
        for dead in chain.from_iterable(combinations(mortal, n) for n in range(len(mortal) + 1)):
            count = _with_dead(
                reduce(lambda w, player: w.keep(~s.Atom(f"dead_{player}")), set(mortal) - set(dead), here),
                dead,
            )
            if count:
                yield facts | {f"dead_{players[player]}" for player in dead}, count


def _with_dead(worlds: Superposition, dead: Sequence[int]) -> int:
    """Count the worlds where all of these players are dead."""
    if not dead:
        return worlds.size
    return _with_dead(worlds, dead[1:]) - _with_dead(worlds.keep(~s.Atom(f"dead_{dead[0]}")), dead[1:])


# --- models --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Models(ABC):
    """An engine that updates a model with every event."""

    limit: int
    tick: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    """A function that raises Undecided when the time is over."""
    kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """Courses and small models of the game, for further questions."""

    def course(self, told: Told, question: Formula) -> Course:
        """Return the information relevant to a question."""
        agents = question.agents | ({*told.owners} if len(told.owners) == 1 else set())
        mortal = [name for name in told.setup.players if f"dead_{name}" in question.atoms]
        if self._all_deaths(question):
            mortal = list(told.setup.players)
        key = "course", id(told), agents, frozenset(mortal)
        if key not in self.kept:
            self.kept[key] = told, Course.of(told, agents, mortal)
        course: Course = self.kept[key][1]
        return course

    def _all_deaths(self, question: Formula) -> bool:
        return False

    @abstractmethod
    def start(
        self, told: Told, question: Formula, courses: Iterable[Sequence[ActionModel]]
    ) -> Explicit | Structure:
        """Return the model before the first move; a running night may kill more than it does."""

    def after(self, told: Told, question: Formula, actions: Sequence[ActionModel]) -> Model:
        """Return the model after some actions."""

        def in_time(action: ActionModel) -> ActionModel:
            self.tick()
            return action

        return at_the_end(self.start(told, question, [actions]), map(in_time, actions)).shown()

    def shown(self, told: Told, question: Formula) -> Model:
        """Return the present model, for the agents of a question."""
        course = self.course(told, question)
        key = self.name, id(told), course.agents, course.deaths_of, is_weighted(question)  # type: ignore[attr-defined]
        if key not in self.kept:
            model = self.after(told, question, course.actions)
            if len(self.kept) > _MOST_KEPT:
                self.kept.clear()
            self.kept[key] = told, model
        found: Model = self.kept[key][1]
        return found

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return the verdict on the model."""
        with self._advised(told, question):
            return self.shown(told, question).verdict(self.defined(told, question))

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return the player's probabilities on the model."""
        asked = s.P(player, fact) >= 0
        with self._advised(told, asked):
            return self.shown(told, asked).probabilities(player, self.defined(told, fact, asked))

    def defined(self, told: Told, question: Formula, asked: Formula | None = None) -> Formula:
        """Return a formula in the atoms of the model."""
        return question

    @contextmanager
    def _advised(self, told: Told, question: Formula) -> Iterator[None]:
        yield

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return the names of an irreducible set of news that implies a positive answer about knowledge.

        Unseen deaths are not news.
        """
        actions = self.course(told, question).actions
        kept = list(actions)
        if self._verdict_after(told, question, kept) != "true":
            return ()
        for action in actions:
            fewer = [other for other in kept if other is not action]
            if action.name != HIDDEN_ATTACK and self._verdict_after(told, question, fewer) == "true":
                kept = fewer
        return tuple(action.name for action in kept if action.name != HIDDEN_ATTACK)

    def _verdict_after(self, told: Told, question: Formula, actions: Sequence[ActionModel]) -> Verdict | None:
        """Return the verdict after some actions; None if they are impossible, or too many to list."""
        try:
            return self.after(told, question, actions).verdict(self.defined(told, question))
        except (FalseAnnouncement, NoWorldLeft, ModelTooLarge, DiagramTooLarge):
            return None

    def verdicts(self, told: Told, question: Formula, moments: Sequence[Told]) -> Iterator[Verdict]:
        """Yield the verdict at several moments of the same game; common beginnings are computed once."""
        courses = [self.course(told, question).actions_in(moment) for moment in moments]
        for now in along(self.start(told, question, courses), courses):
            self.tick()
            yield now.shown().verdict(self.defined(told, question))


def is_weighted(question: Formula) -> bool:
    """Whether probabilities matter."""
    return any(isinstance(f, Probability) for f in question.subformulas())


@dataclass(frozen=True)
class ListedWorlds(_Models):
    """Lists the worlds of a Kripke model."""

    name: ClassVar[str] = "explicit"

    listed: bool = True
    """Whether the game lists its worlds, so that questions about facts are answered from the list."""

    def floor(self, told: Told) -> float:
        """Return the number of deals."""
        return told.setup.deck.worlds if told.setup.sample is None else told.setup.sample[0]

    def most_worlds(self, told: Told, question: Formula) -> float:
        """Return a greatest number of worlds of a model; at least the deals, if those are many."""
        dealt = self.floor(told)
        return dealt if dealt > MANY else self.course(told, question).most_worlds

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether the worlds are within the limit, and nobody has false beliefs."""
        setup, dealt = told.setup, int(self.floor(told))
        if unnoticed(told):
            return Cover(None, "somebody did not notice what happened")
        if not (self.listed or knowers_in(question)):
            return Cover(None, "the worlds of this game are only counted")
        if dealt > self.limit or (setup.sample is None and not Enumerated.fits(setup.deck)):
            return Cover(None, f"{dealt:,} deals are more than {self.limit:,}", ("play with fewer players",))
        course = self.course(told, question)
        if any(misleads(action, course.agents) for action in course.actions):
            return Cover(None, "somebody did not notice what happened")
        last = setup.deal == "classical" or setup.sample is not None  # no diagrams: it stops at the limit
        if course.most_worlds > self.limit and not last:
            return Cover(
                None, f"up to {course.most_worlds:,} worlds are more than {self.limit:,}", (CHEAPER,)
            )
        return Cover(course.most_worlds)

    def start(
        self, told: Told, question: Formula, courses: Iterable[Sequence[ActionModel]]
    ) -> Explicit | Structure:
        """Return the model before the first move."""
        course = self.course(told, question).with_deaths_in(courses)
        return Explicit.start(told, course, weighted=is_weighted(question), limit=self.limit)


@dataclass(frozen=True)
class Diagrams(_Models):
    """Keeps the worlds as decision diagrams, in a knowledge structure."""

    name: ClassVar[str] = "symbolic"

    @property
    def nodes(self) -> int:
        """The greatest number of nodes."""
        return max(self.limit, _LEAST_NODES)

    def floor(self, told: Told) -> float:
        """Return a cost above that of what is rather listed or counted."""
        return max(self.limit, MANY) + 1

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether the deal is a quantum deal with all worlds."""
        if told.setup.deal == "classical" or told.setup.sample is not None:
            return Cover(None, "the quantum deal with all worlds only")
        return Cover(self.floor(told))

    def _all_deaths(self, question: Formula) -> bool:
        return is_weighted(question)  # weights are right if every victim is modelled

    def start(
        self, told: Told, question: Formula, courses: Iterable[Sequence[ActionModel]]
    ) -> Explicit | Structure:
        """Return the structure before the first move.

        Raises `DiagramTooLarge` if probabilities would need every set of wolves for every secret.
        """
        setup, asked = told.setup, question.agents
        secrets = sum(isinstance(e, Vision) and e.actor in asked for e in told.events)
        if is_weighted(question) and setup.targets == "secret" and secrets and setup.deck.wolves > 1:
            needed = comb(len(setup.players), setup.deck.wolves) * len(setup.players)
            if needed > self.nodes:
                raise DiagramTooLarge(needed, self.nodes)
        course = self.course(told, question).with_deaths_in(courses)
        return Structure.start(told, course, nodes=self.nodes)

    def defined(self, told: Told, question: Formula, asked: Formula | None = None) -> Formula:
        """Return a formula with atoms only for exact roles and the deaths that matter."""
        course = self.course(told, question if asked is None else asked)
        return question.substitute(definitions(told.setup, course.followed))

    @contextmanager
    def _advised(self, told: Told, question: Formula) -> Iterator[None]:
        try:
            yield
        except DiagramTooLarge as error:
            helps = [CHEAPER, "play on a sample of the worlds"]
            if told.setup.targets == "secret":
                helps.insert(1, 'play with targets="public"')
            most = self.course(told, question).most_worlds
            if unnoticed(told):
                helps.append("raise limit=")
            elif most <= MOST_LISTED:
                helps.append(f"let the explicit engine list up to {most:,} worlds (limit=)")
            advice = ", ".join(helps[:-1]) + f", or {helps[-1]}"
            raise DiagramTooLarge(error.nodes, error.limit, advice) from None


# --- histories -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class AllHistories:
    """Finds all histories that explain what was told, numbers of tables, verdicts and silence included."""

    name: ClassVar[str] = "histories"

    budget: Budget
    _found: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def floor(self, told: Told) -> float:
        """Return nothing: histories are the only exact engine."""
        return 0

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether a question is about what the owners know, and histories of the game are found.

        The cost is the number of deals that sums go over, or the most histories that are listed.
        """
        from kripke_werewolf.werewolf.inference.plan import BY_FACTS, plan_of
        from kripke_werewolf.werewolf.inference.replay import MOST_HISTORIES, unlisted
        from kripke_werewolf.werewolf.inference.search import unsearched

        operators = (s.OfAgent, s.OfGroup, Probability)
        if not all(f.pointwise or isinstance(f, operators) for f in question.subformulas()):
            return Cover(
                None, "reading='exact' is about what players know now", ("reading='facts' can answer",)
            )
        if self._of_one(told, question):
            why, cost = unsearched(plan_of(told)), told.setup.deck.worlds
        else:
            why = unlisted(told, sorted(question.agents), weighted=is_weighted(question))
            cost = MOST_HISTORIES
        return Cover(None, why, (BY_FACTS,)) if why else Cover(cost)

    def of(self, told: Told, player: str) -> Found:
        """Return the histories that explain what an owner was told."""
        from kripke_werewolf.werewolf.inference import find_histories, plan_of

        if player not in self._found:
            self._found[player] = find_histories(plan_of(told.of(player)), self.budget)
        found: Found = self._found[player]
        return found

    def listed(self, told: Told, question: Formula) -> Replay:
        """Return the list of all histories, for what several players know of each other."""
        from kripke_werewolf.werewolf.inference import Replay

        key = told.owners, question.agents, is_weighted(question)
        if key not in self._found:
            self._found[key] = Replay(told, sorted(question.agents), weighted=key[-1], budget=self.budget)
        found: Replay = self._found[key]
        return found

    def unfinished(self, told: Told, question: Formula) -> bool:
        """Whether there are too many histories to list them all."""
        return not self._of_one(told, question) and bool(self.listed(told, question).unfinished)

    def _of_one(self, told: Told, question: Formula) -> bool:
        """Whether it is about what one player knows of facts, so that the histories need not be listed."""
        from kripke_werewolf.werewolf.inference.plan import unplanned

        alone = len(told.owners) == 1 and question.agents <= {told.player}
        return alone and not any(map(unplanned, told.entries))

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return the verdict, over all histories."""
        if self._of_one(told, question):
            return self.of(told, told.player).ask(question)
        return self.listed(told, question).model(question).verdict(question)

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return the player's probability, over all histories."""
        return {self.of(told, player).chance(fact): 1}

    def shown(self, told: Told, question: Formula, *, deals: bool = False) -> KripkeModel | None:
        """Return a model of what one player knows; None for what several know of each other."""
        return (
            self.of(told, told.player).model(question, deals=deals) if self._of_one(told, question) else None
        )

    def explained_by(self, told: Told, question: Formula) -> KripkeModel:
        """Return the model that explains an answer about what the owners know."""
        return self.shown(told, question, deals=True) or self.listed(told, question).model(
            question, deals=True
        )

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return the entries of tables that imply what one player knows of facts."""
        if not isinstance(question, s.Knows) or not question.body.is_boolean:
            return ()
        seconds = self.budget.left(_SECONDS_FOR_ENTRIES)
        if not seconds:
            raise Undecided(f"the time was up before the entries were found on which {question} rests")
        why = self.of(told, question.agent).because(question.body, seconds=seconds)
        return tuple(map(str, why.cells)) if why is not None else ()
