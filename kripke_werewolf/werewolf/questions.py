"""Questions about a game: any formula, with players by name or number, and the engine that answers.

A question that is not about knowledge can be answered by counting worlds case by case: a case fixes the role
of each player in the question, and which of them are dead. Its worlds are counted by conditioning the
superposition, without listing them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property, partial, reduce
from itertools import chain, combinations, permutations, takewhile
from math import comb, prod
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from kripke_werewolf.display import Displayed, drawn
from kripke_werewolf.errors import (
    DiagramTooLarge,
    FalseAnnouncement,
    GameError,
    ModelTooLarge,
    Undecided,
    UnknownAgentError,
    UnknownAtomError,
)
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.operators import Probability
from kripke_werewolf.language.questions import HowLikely, Who
from kripke_werewolf.language.sentence_parser import read_question
from kripke_werewolf.language.sentences import clause
from kripke_werewolf.language.simplification import negated, simplify
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.documents import Block, Paragraph
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.actions import HIDDEN_ATTACK
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.counted_view import MANY, counted_worlds, counts_deaths
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import Event, Played, Vision, atoms_of, definitions, events_of
from kripke_werewolf.werewolf.game_models import (
    MOST_LISTED,
    Course,
    Explicit,
    Structure,
    along,
    at_the_end,
    build_model,
    dealt_in,
)
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Role, is_wolf
from kripke_werewolf.werewolf.rules import FACTS, check_possible
from kripke_werewolf.werewolf.setup import LIMIT, Setup
from kripke_werewolf.werewolf.superposition import NotCovered, NoWorldLeft, Superposition
from kripke_werewolf.werewolf.told import Told, told
from kripke_werewolf.werewolf.wording import vocabulary, world_in_words

if TYPE_CHECKING:
    from kripke_werewolf.semantics.explanation import Explanation
    from kripke_werewolf.symbolic.structure import SymbolicStructure
    from kripke_werewolf.werewolf.inference.search import Budget

_LEAST_NODES = 1 << 20
"""The number of nodes always allowed for diagrams: they take 24 MB."""

_SECONDS_FOR_ENTRIES = 10
"""The most seconds for finding the entries of tables on which an answer rests."""

Answering: TypeAlias = Literal["auto", "explicit", "symbolic"]
Reading: TypeAlias = Literal["facts", "table"]
"""Whether only the certain entries of published tables are used, or everything that follows from them."""


def reading_in_words(reading: Reading, *, more: bool) -> str:
    """Return the reading that an answer rests on; `more`: whether a published table may say more.

    >>> reading_in_words("facts", more=True)
    'reading: facts; a published table may say more (reading: table)'
    """
    return f"reading: {reading}" + ("; a published table may say more (reading: table)" if more else "")


def clock(timeout: float | None) -> Callable[[], None]:
    """Return a function that raises Undecided when `timeout` seconds from now are over."""
    end = None if timeout is None else monotonic() + timeout

    def tick() -> None:
        if end is not None and monotonic() > end:
            raise Undecided(
                f"there is no answer after {timeout:g} s; give it longer (--timeout), or {_CHEAPER}"
            )

    return tick


_ENDLESS = clock(None)
_CHEAPER = "ask about fewer players at once (what one player knows is found quickly: who knows, knowledge)"


@dataclass(frozen=True, repr=False)
class Answer(Displayed):
    """The answer to a question about a game.

    `formula`: the question, players by name. `verdict`: whether it is true in all, none or some of the
    surviving worlds; for a question about knowledge alone, of the worlds that those players consider
    possible. `model`: the Kripke model or knowledge structure it was evaluated on, or the superposition if
    worlds were only counted; None if several parts of the question were answered separately.
    """

    formula: Formula
    verdict: Verdict
    model: KripkeModel | SymbolicStructure | Superposition | None
    reading: Reading = "facts"
    """How published tables were read."""
    more: bool = False
    """Whether a published table may imply more than was used for a negative answer."""
    reasons: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False, compare=False)
    """A function that returns the news and table entries on which a positive answer about knowledge rests."""
    sampled: str = ""
    """The part of the worlds it refers to, if the game is played on a sample; else ""."""
    explained: Callable[[], Explanation] | None = field(default=None, repr=False, compare=False)
    """A function that returns the explanation; None if there is none."""

    @property
    def holds(self) -> bool:
        """Whether the formula is true in every surviving world."""
        return self.verdict == "true"

    @property
    def note(self) -> str:
        """The reading used for the answer, in words.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").vision("Ann", "Bo")
        >>> game.end_phase().ask("K_Ann wolf_Cy").note
        'reading: facts; a published table may say more (reading: table)'
        """
        return reading_in_words(self.reading, more=self.more)

    def explain(self) -> Explanation:
        """Return the explanation, a tree of checkable reasons; see `KripkeModel.explain`.

        If the worlds of all players in question are too many, it is given by fewer worlds: those that fit the
        information of one player, of a group, or of the public. Raises GameError if these do not suffice, and
        if the `timeout` of the question is over.
        """
        if self.explained is None:
            raise NotCovered(f"{self.formula} is about knowledge and facts at once: ask its parts one by one")
        return self.explained()

    def headline(self) -> str:
        """Return the question and the answer."""
        return f"{self.formula.unicode()}: {self}"

    def display(self) -> Iterator[Block]:
        """Yield the line, and the picture of the model, filled where the formula is true."""
        yield Paragraph(self.headline())
        if isinstance(self.model, KripkeModel):
            yield drawn(self.model, formula=self.formula)

    def __str__(self) -> str:
        text = "yes" if self.holds else "no"
        if self.verdict == "mixed":
            text = f"in {self.verdict.satisfied} of {self.verdict.total} worlds"
        return f"{text} ({self.sampled})" if self.sampled else text


@dataclass(frozen=True)
class Inquiry:
    """A question about a game at some moment, and the engine that answers it."""

    game: Played | Told
    """The game; or a player's handout, for a question about what this player considers possible."""
    formula: Formula
    chosen: Answering
    """The engine asked for."""
    limit: int
    only: frozenset[int] | None = None
    """The numbers of the events assumed to have happened; None for all."""
    tick: Callable[[], None] = field(default=_ENDLESS, repr=False, compare=False)
    """A function that raises Undecided when the time is over; see `clock`."""

    @classmethod
    def of(
        cls,
        game: Played | Told,
        question: FormulaLike,
        *,
        engine: Answering = "auto",
        limit: int = LIMIT,
        tick: Callable[[], None] = _ENDLESS,
    ) -> Inquiry:
        """Read a question; `limit`: the most worlds that are listed."""
        if engine not in get_args(Answering):
            raise GameError(f"engine={engine!r} is not possible (allowed: {', '.join(get_args(Answering))})")
        return cls(game, resolve(game.setup, question), engine, limit, tick=tick)

    def about(self, part: Formula) -> Inquiry:
        """Return the inquiry about another formula at the same moment."""
        return Inquiry(self.game, part, self.chosen, self.limit, self.only, self.tick)

    @cached_property
    def weighted(self) -> bool:
        """Whether probabilities matter."""
        return any(isinstance(f, Probability) for f in self.formula.subformulas())

    @cached_property
    def knowers(self) -> frozenset[str] | None:
        """The players whose handouts alone settle the question; None if it is about facts."""
        if isinstance(self.game, Told):
            return frozenset({self.game.player})
        return knowers_in(self.formula) or None

    @cached_property
    def _counts(self) -> bool:
        """Whether worlds may be counted instead, and parts about knowledge answered one by one."""
        return self.chosen == "auto" and not _unnoticed(self.game)

    @cached_property
    def _least(self) -> Course:
        """The information relevant to the question, with the deaths that are in it."""
        asked = self.formula
        agents = (asked.agents | (self.knowers or frozenset())) - {""}  # the public is nobody
        deaths_of = [name for name in self.game.setup.players if f"dead_{name}" in asked.atoms]
        return Course.of(self.known, agents, deaths_of)

    @cached_property
    def course(self) -> Course:
        """All information relevant to the question."""
        if self.engine == "symbolic" and self.weighted:  # weights are right if every victim is modelled
            return Course.of(self.known, self._least.agents)
        return self._least

    @cached_property
    def engine(self) -> Answering:
        """The engine for models: explicit up to `limit` worlds, symbolic beyond, unless one was asked for."""
        if self.chosen != "auto":
            return self.chosen
        game, setup = self.game, self.game.setup
        listed = (
            isinstance(game, Told)
            or self.knowers is not None
            or isinstance(game.states[0].worlds, Enumerated)
        )
        fits = listed and not _unnoticed(game) and self._least.most_worlds <= self.limit
        symbolic = setup.deal == "quantum" and setup.sample is None
        return "explicit" if fits or not symbolic else "symbolic"

    @cached_property
    def known(self) -> Told:
        """The information from which the question is answered."""
        return _known(self.game, self.knowers, only=self.only)

    @cached_property
    def model(self) -> KripkeModel | SymbolicStructure:
        """The present model of the game, for the agents of the question."""
        self._check_weights()
        return self._after(self.course.actions)

    def _after(self, actions: Sequence[ActionModel]) -> KripkeModel | SymbolicStructure:
        """Return the model after some actions."""
        return at_the_end(self._start(actions), map(self._in_time, actions)).shown()

    def _in_time(self, action: ActionModel) -> ActionModel:
        self.tick()
        return action

    @cached_property
    def _large(self) -> bool:
        """Whether the model of all players in question may be too large to be listed quickly."""
        setup = self.game.setup
        dealt = setup.deck.worlds if setup.sample is None else 0
        return self._counts and (dealt > MANY or self._least.most_worlds > MANY)

    def answer(self) -> Answer:
        """Return the present answer."""
        facts = self._counts and self.formula.is_boolean
        many = facts and ((isinstance(self.game, Told) and self._large) or self.engine == "symbolic")
        worlds = self._superposition if many else None
        if worlds is not None and worlds.size:
            verdict = verdict_by_cases(self.game.setup, worlds, self.formula)
            if verdict is not None:
                sampled = self.game.setup.sampled
                explained = partial(_by_fewer_worlds, self.game, self.formula, verdict == "true")
                return Answer(self.formula, verdict, worlds, sampled=sampled, explained=explained)
        try:
            if self.in_parts:
                return self._answer_in_parts()
            return self._answered(self.in_model(self.formula), self.model, self.rests_on)
        except DiagramTooLarge as error:
            raise DiagramTooLarge(error.nodes, error.limit, self._advice()) from None

    @property
    def _superposition(self) -> Superposition | None:
        """The worlds on which facts depend; for a handout those its player considers possible, if counted."""
        if not isinstance(self.game, Told):
            return self.game.states[-1].worlds
        if any(atom.startswith("dead_") for atom in self.formula.atoms) and not counts_deaths(self.game):
            return None
        worlds = counted_worlds(self.game)
        return None if isinstance(worlds, str) else worlds

    # part by part

    @property
    def in_parts(self) -> bool:
        """Whether parts about knowledge are answered one by one, since a model of all players is large.

        Such a part must be true in all surviving worlds or in none.
        """
        if self.formula.is_boolean or not self._large:
            return False
        if self.knowers is None:
            parts = self.formula.ordered(lambda f: f.children if f.pointwise else ())
            return self.engine == "symbolic" and all(knowers_in(f) for f in parts if not f.pointwise)
        return self.knowers == knowers_in(self.formula)

    def _answer_in_parts(self) -> Answer:
        asked: dict[Formula, bool] = {}  # not those that others are settled by

        def true(part: Formula) -> bool:
            return asked.setdefault(part, self._part(part))

        def reasons() -> tuple[str, ...]:
            parts = (part for part, holds in asked.items() if holds)
            return tuple(dict.fromkeys(name for part in parts for name in self.about(part).rests_on()))

        left = settled(simplify(self.formula, logic="S5"), true)
        found = isinstance(left, s.Constant)
        verdict = Verdict.of(int(left is s.TRUE), 1) if found else self.about(left).answer().verdict
        return self._answered(verdict, None, reasons if verdict == "true" and not self.weighted else tuple)

    def _answered(
        self,
        verdict: Verdict,
        model: KripkeModel | SymbolicStructure | None,
        reasons: Callable[[], tuple[str, ...]],
    ) -> Answer:
        """Return an answer; if no model lists its worlds, fewer worlds explain it."""
        f, setup = self.formula, self.game.setup
        more = verdict == "false" and bool(self.known.tables)
        return Answer(
            f,
            verdict,
            model,
            more=more and not _denied(f, self.holds),
            reasons=reasons,
            sampled=setup.sampled,
            explained=partial(_explained, setup, model, f)
            if isinstance(model, KripkeModel)
            else partial(_by_fewer_worlds, self.game, f, verdict == "true"),
        )

    @cached_property
    def _parts(self) -> dict[Formula, bool]:
        return {}

    def _part(self, part: Formula) -> bool:
        """Return whether a part about knowledge is true; it is asked only once."""
        if part not in self._parts:
            self._parts[part] = self.about(part)._is_true(self._part)
        return self._parts[part]

    def _settled(self, f: Formula) -> Formula:
        return settled(simplify(f, logic="S5"), self._part)

    def holds(self, other: Formula) -> bool:
        """Return whether another formula, about no further players, is true in all surviving worlds."""
        if self.in_parts:
            return self._settled(other) is s.TRUE
        return self.in_model(other) == "true"

    def _is_true(self, true: Callable[[Formula], bool]) -> bool:
        """Return whether a part about knowledge is true; `true` answers for other parts.

        A model is built last. If i knows that j knows that φ, both know φ; what the public knows is commonly
        known; and if φ is commonly known, everybody knows that everybody knows it.
        """
        self.tick()
        if self._large:
            if all(child.is_boolean for child in self.formula.children):
                with suppress(NotCovered):
                    return known_by_counting(self.formula, self.known)
            over, body = _nested(self.formula)
            weaker, pairs = [body], list[Formula]()
            for f in over:
                if f.scope in (s.Scope.SOME, s.Scope.MEET):
                    weaker.append(f.with_children([body]))
                else:
                    weaker += [s.Knows(player, body) for player in f.label]
                if f.scope is s.Scope.REACH:
                    pairs += [s.Knows(i, s.Knows(j, body)) for i, j in permutations(f.label, 2)]
            if not all(settled(f, true) is s.TRUE for f in weaker if self._is_asked(f, fewer=f is body)):
                return False
            if over and body.is_boolean and self._is_public(body):
                return True
            if not all(true(f) for f in pairs if self._is_asked(f)):
                return False
        return self.in_model(self.formula) == "true"

    def _is_asked(self, other: Formula, *, fewer: bool = False) -> bool:
        """Whether another formula about knowledge may be asked first; `fewer`: if it is of fewer players."""
        knowers, players = knowers_in(other), self.formula.agents
        alone = isinstance(self.game, Told) and knowers != self.knowers
        shorter = other.agents < players if fewer else other is not self.formula
        return shorter and knowers is not None and not alone

    def _is_public(self, facts: Formula) -> bool:
        """Whether facts are known to follow from public information."""
        if isinstance(self.game, Told):
            return False
        known = told(self.game, only=self.only)
        with suppress(NotCovered, ModelTooLarge, DiagramTooLarge):
            return Inquiry.of(known, facts, limit=self.limit, tick=self.tick).answer().holds
        return False

    def probabilities(self, player: str, body: Formula) -> dict[Fraction, int]:
        """Return a player's probabilities of a formula, each with its number of worlds."""
        if self._large:
            with suppress(NotCovered):
                return {shares_by_counting(self.known)(player, body): 1}
        try:
            return self.model.probabilities(player, self._defined(body))
        except DiagramTooLarge as error:
            raise DiagramTooLarge(error.nodes, error.limit, self._advice()) from None

    def in_model(self, f: Formula) -> Verdict:
        """Return the verdict on another formula, about no further players, on the same model."""
        return self.model.verdict(self._defined(f))

    def rests_on(self) -> tuple[str, ...]:
        """Return the names of an irreducible set of news that implies a positive answer about knowledge.

        Unseen deaths are not news. Empty for a question about facts.
        """
        kept = list(self.course.actions)
        if self.knowers is None or self._verdict_after(kept) != "true":
            return ()
        for action in self.course.actions:
            fewer = [other for other in kept if other is not action]
            if action.name != HIDDEN_ATTACK and self._verdict_after(fewer) == "true":
                kept = fewer
        return tuple(action.name for action in kept if action.name != HIDDEN_ATTACK)

    def _verdict_after(self, actions: Sequence[ActionModel]) -> Verdict | None:
        """Return the verdict after some actions; None if they are impossible, or too many to list."""
        try:
            return self._after(actions).verdict(self._defined(self.formula))
        except (FalseAnnouncement, NoWorldLeft, ModelTooLarge, DiagramTooLarge):
            return None

    def verdicts(self, *, only: Container[int] | None = None) -> Iterator[tuple[int, Verdict]]:
        """Yield the number of each event (0: the start) and the verdict after it.

        `only`: the numbers of the events that happen, by default all.
        """
        every = range(1, len(_events(self.game)) + 1)
        numbers = [0, *(number for number in every if only is None or number in only)]
        if self.in_parts and self.knowers:
            yield from ((n, self.verdict_of(numbers[1 : place + 1])) for place, n in enumerate(numbers))
            return
        moments = [self._known_with(numbers[1 : place + 1]) for place in range(len(numbers))]
        courses = [self.course.actions_in(known) for known in moments]
        models = along(self._start(*courses), courses)
        for number, now in zip(numbers, models, strict=True):
            self.tick()
            yield number, now.shown().verdict(self._defined(self.formula))

    def verdict_of(self, only: Sequence[int]) -> Verdict:
        """Return the verdict if only the events with these numbers had happened."""
        if self.in_parts and self.knowers:
            return replace(self, only=frozenset(only)).about(self.formula).answer().verdict
        return self._after(self.course.actions_in(self._known_with(only))).verdict(
            self._defined(self.formula)
        )

    def _known_with(self, only: Sequence[int]) -> Told:
        return _known(self.game, self.knowers, only=frozenset(only))

    def _start(self, *courses: Sequence[ActionModel]) -> Explicit | Structure:
        """Return the model before some courses of the game; a running night may kill more than it does."""
        course = self.course.with_deaths_in(courses)
        if self.engine == "symbolic":
            return Structure.start(self.known, course, nodes=self._nodes)
        return Explicit.start(self.known, course, weighted=self.weighted, limit=self.limit)

    @property
    def _nodes(self) -> int:
        return max(self.limit, _LEAST_NODES)

    def _advice(self) -> str:
        """Return advice for a question whose diagrams are too large."""
        helps = [_CHEAPER, "play on a sample of the worlds"]
        if self.game.setup.targets == "secret":
            helps.insert(1, 'play with targets="public"')
        if _unnoticed(self.game):
            helps.append("raise limit=")
        elif self.course.most_worlds <= MOST_LISTED:
            helps.append(f"let the explicit engine list up to {self.course.most_worlds:,} worlds (limit=)")
        return ", ".join(helps[:-1]) + f", or {helps[-1]}"

    def _check_weights(self) -> None:
        """Raise `DiagramTooLarge` if probabilities would need every set of wolves for every secret."""
        if self.engine != "symbolic" or not self.weighted:
            return
        setup, asked = self.game.setup, self.formula.agents
        secrets = sum(isinstance(e, Vision) and e.actor in asked for e in _events(self.game))
        if setup.targets == "secret" and secrets and setup.deck.wolves > 1:
            needed = comb(len(setup.players), setup.deck.wolves) * len(setup.players)
            if needed > self._nodes:
                raise DiagramTooLarge(needed, self._nodes)

    def _defined(self, f: Formula) -> Formula:
        if self.engine == "explicit":
            return f
        # structures have atoms only for exact roles and the deaths that matter
        return f.substitute(definitions(self.game.setup, self.course.followed))


def _known(
    game: Played | Told, knowers: frozenset[str] | None, *, only: Container[int] | None = None
) -> Told:
    """Return what the knowers were told, or everything for a question about facts.

    Raises GameError for others if there is only the handout of one player.
    """
    if isinstance(game, Told):
        if only is not None or knowers != frozenset({game.player}):
            raise GameError(f"the handout of {game.player} is all that is known of this game")
        return game
    if knowers is None:
        return told(game, only=only, full=True)
    return told(game, *knowers, only=only)


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


def settled(f: Formula, true: Callable[[Formula], bool]) -> Formula:
    """Return a formula with its parts about knowledge replaced by their truth values, found by `true`.

    The parts are as small as possible (see `_apart`), and asked from the left until they decide the formula.
    """
    new: dict[Formula, Formula] = {}
    divided: dict[Formula, tuple[Formula, ...]] = {}
    one, waiting = KripkeModel(["w"], {}, {}), [f]
    while waiting:
        node = waiting[-1]
        if node in new or node.is_boolean:
            new.setdefault(waiting.pop(), node)
            continue
        if node not in divided:
            equivalent = _apart(node) if isinstance(node, s.Modal) else None
            divided[node] = (
                (equivalent,) if equivalent is not None else node.children if node.pointwise else ()
            )
        if not (parts := divided[node]):
            new[node] = s.Constant(true(node))
        elif isinstance(node, s.Junction) and any(
            new.get(part) is s.Constant(sign is node.decides) for part, sign in node.literals()
        ):
            new[node] = s.Constant(node.decides)
        elif missing := [part for part in parts if part not in new]:
            waiting.append(missing[0])
        else:
            found = [new[part] for part in parts]
            over = node.with_children(found) if node.pointwise else found[0]
            constant = all(isinstance(part, s.Constant) for part in found)
            new[node] = s.Constant(one.holds(over)) if constant else over
    return new[f]


_MOST_PARTS = 2_000
"""The most parts into which a formula is divided: K_i K_j φ for all pairs of 40 players, for example."""


def _apart(f: s.Modal) -> Formula | None:
    """Return a formula equivalent to one about knowledge, of parts about fewer players or facts, or None.

    E_G φ is a conjunction of K_i φ, and K_i E_G φ of K_i K_j φ; K_i (φ & ψ) is K_i φ & K_i ψ; M_i φ is
    ~K_i ~φ.

    >>> from kripke_werewolf import parse
    >>> print(_apart(parse("K_a E_{a,b} p")), "/", _apart(parse("M_a K_b p")))
    K_a p & K_a K_b p / ~K_a ~K_b p
    """
    if f.body.is_boolean and f.scope in (s.Scope.AGENT, s.Scope.WORLDS) and f.mode is not s.Mode.WHETHER:
        return None
    over, body = _nested(f)
    if prod(len(box.label) for box in over if box.scope is s.Scope.EACH) > _MOST_PARTS:
        return None
    if (unfolded := f.unfolded()) is not None:
        return unfolded
    box = s.modal(f.scope, s.Mode.BOX)
    if f.mode is s.Mode.DIAMOND and box is not None:
        return s.Not(box._make(f.label, (negated(f.body),)))
    boxes = list(takewhile(lambda box: box.scope not in (s.Scope.EACH, s.Scope.SOME), over))
    parts = _conjuncts(over[len(boxes)] if len(boxes) < len(over) else body)
    if not boxes or not parts or (body.is_boolean and len(boxes) == len(over)):
        return None
    found = [reduce(lambda part, box: box.with_children([part]), reversed(boxes), part) for part in parts]
    return s.conjunction(simplify(part, logic="S5") for part in found)


def _conjuncts(f: Formula) -> list[Formula]:
    """Return the parts of a formula that is a conjunction, written in some way; none if it is not."""
    inner = f.body if isinstance(f, s.Not) else f
    if isinstance(inner, s.Modal) and (unfolded := inner.unfolded()) is not None:
        inner = unfolded
    positive = not isinstance(f, s.Not)
    if not isinstance(inner, s.Junction) or inner.decides is positive:
        return []
    return [part if sign is positive else negated(part) for part, sign in inner.literals()]


def _nested(f: Formula) -> tuple[list[s.Modal], Formula]:
    """Return the operators K, E, Sk, C and D at the beginning of a formula, and the formula below them."""
    over: list[s.Modal] = []
    while isinstance(f, s.OfAgent | s.OfGroup) and f.mode is s.Mode.BOX:
        over.append(f)
        f = f.body
    return over, f


def _denied(f: Formula, true: Callable[[Formula], bool]) -> bool:
    """Whether a player knows the contrary of a fact that they do not know: no table can say it."""
    return isinstance(f, s.Knows) and f.body.is_boolean and true(s.Knows(f.agent, negated(f.body)))


def _events(game: Played | Told) -> tuple[Event, ...]:
    return game.events if isinstance(game, Told) else events_of(game)


def _unnoticed(game: Played | Told) -> bool:
    """Whether something happened unnoticed by others, so that their beliefs may be false."""
    return any(event.unnoticed for event in _events(game))


def ask(
    game: Played,
    question: FormulaLike,
    *,
    reading: Reading = "facts",
    engine: Answering = "auto",
    limit: int = LIMIT,
    timeout: float | None = None,
) -> Answer:
    """Return whether a formula is true now: yes, no, or in how many of the surviving worlds.

    Players are named or numbered: `K_Alice wolf_Bob`, `K_1 wolf_2`. Atoms are `wolf_i`, `seer_i`,
    `villager_i`, `good_i`, `dead_i` and, where wolves have ranks, `alpha_i`, …, `dominant_i`. Questions about
    knowledge are answered from the handouts of the players in question.

    `reading`: how published tables are read. `"facts"`: entries of 0 and 100% are facts; the model is built
    for the players in the question, explicitly up to `limit` worlds, symbolically beyond, unless `engine` is
    given. If that would be too large, its parts about players' knowledge are answered one by one. `"table"`:
    exactly, by all histories that explain a player's information; see `inference`. The answer is looked for
    during `timeout` seconds; Undecided, or GameError for `"table"`, if that is not enough.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> print(game.ask("K_Ann (seer_Ann -> wolf_Bo)"), game.ask("wolf_Bo"))
    yes in 2 of 5 worlds

    Raises UnknownAgentError, UnknownAtomError, FormulaSyntaxError and ModelTooLarge.
    """
    check_possible("reading", reading, get_args(Reading))
    if reading == "table":
        return ask_tables(game, resolve(game.setup, question), table_budget(timeout))
    return Inquiry.of(game, question, engine=engine, limit=limit, tick=clock(timeout)).answer()


def probabilities(
    game: Played,
    player: str | int,
    fact: FormulaLike,
    *,
    reading: Reading = "facts",
    engine: Answering = "auto",
    limit: int = LIMIT,
    timeout: float | None = None,
) -> dict[Fraction, int]:
    """Return a player's probabilities of a formula, each with its number of worlds.

    All designated worlds have the same value, unless players were told something unnoticed by others.
    `reading`, `engine`, `limit` and `timeout` as in `ask`.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> game.probabilities("Ann", "wolf_Bo")
    {Fraction(2, 5): 5}
    """
    check_possible("reading", reading, get_args(Reading))
    name, body = game.setup.name_of(player), resolve(game.setup, fact)
    if reading == "table":
        from kripke_werewolf.werewolf.inference import all_histories

        return {all_histories(told(game, name), table_budget(timeout)).chance(body): 1}
    asked = s.P(name, body) >= 0
    inquiry = Inquiry.of(game, asked, engine=engine, limit=limit, tick=clock(timeout))
    return inquiry.probabilities(name, body)


def ask_from(
    known: Told,
    question: FormulaLike,
    *,
    reading: Reading = "facts",
    limit: int = LIMIT,
    timeout: float | None = None,
) -> Answer:
    """Return whether a formula is true in all, none or some of the worlds that a player considers possible.

    The answer follows from this player's handout alone. About the player's own knowledge it is the same as
    that of `ask`; other formulas are true if the player knows them to be. `reading`, `limit` and `timeout` as
    in `ask`.
    """
    check_possible("reading", reading, get_args(Reading))
    f = _resolved(known, question)
    if reading == "table":
        from kripke_werewolf.werewolf.inference import all_histories

        return Answer(f, all_histories(known, table_budget(timeout)).ask(f), None, reading=reading)
    answer = Inquiry.of(known, f, limit=limit, tick=clock(timeout)).answer()
    settled = answer.verdict == "false" and (f.is_boolean or not answer.more)
    return replace(answer, more=bool(known.tables) and answer.verdict != "true" and not settled)


def chance_from(known: Told, fact: FormulaLike, *, limit: int = LIMIT) -> Fraction:
    """Return a player's probability of a formula by the facts in their handout alone."""
    body = _resolved(known, fact)
    asked = s.P(known.player, body) >= 0
    (chance,) = Inquiry.of(known, asked, limit=limit).probabilities(known.player, body)
    return chance


def _resolved(known: Told, question: FormulaLike) -> Formula:
    """Return a formula with players by name; a player with a hidden number knows their own."""
    if not known.player:
        raise GameError("this is public information, and not the handout of a player")
    return resolve(known.setup, question, known.known_numbers)


def table_budget(timeout: float | None) -> Budget:
    """Return the time for all searches of one question with `reading="table"`, which begins now."""
    from kripke_werewolf.werewolf.inference import Budget

    return Budget(timeout)


def ask_tables(game: Played, f: Formula, budget: Budget) -> Answer:
    """Return the answer to a question that uses the numbers of published tables.

    Every part about a player's knowledge is answered from the histories that explain their handout, and about
    several players' knowledge from those that explain all their handouts; the rest is about facts.
    """
    from kripke_werewolf.werewolf.inference import Histories, Replay, all_histories

    @cache
    def histories(player: str) -> Histories:
        return all_histories(told(game, player), budget)

    @cache
    def replay(knowers: frozenset[str], agents: frozenset[str], weighted: bool) -> Replay:
        known = told(game, *sorted(knowers))
        return Replay(known, sorted(agents), weighted=weighted, deadline=budget.deadline)

    def listed(node: Formula) -> Replay:
        weighted = any(isinstance(part, Probability) for part in node.subformulas())
        return replay(knowers_in(node) or frozenset(), node.agents, weighted)

    def model_of(node: Formula, *, deals: bool = False) -> KripkeModel:
        """Return the model of what the players in a formula know, from all histories."""
        if len(node.agents) == 1:
            return histories(*node.agents).model(node, deals=deals)
        return listed(node).model(node, deals=deals)

    def true(node: Formula) -> bool:
        if isinstance(node, s.Modal) and node.scope is s.Scope.WORLDS and node.body.is_boolean:
            return Inquiry.of(game, node).answer().holds  # facts in any reading
        known = s.OfAgent | s.OfGroup | Probability
        if not all(part.pointwise or isinstance(part, known) for part in node.subformulas()):
            raise GameError(
                f"{node} cannot be answered with reading='table', which is about what players know now; "
                "reading='facts' can"
            )
        if len(node.agents) > 1 and listed(node).unfinished and is_positive(node):
            return Inquiry.of(game, node).answer().holds or model_of(node).verdict(node) == "true"
        return model_of(node).verdict(node) == "true"

    left = settled(simplify(f, logic="S5"), true)
    if left.atoms or not f.agents:
        found = Inquiry.of(game, left if left.atoms else f).answer()
        about_facts = found.explained if not f.agents else None  # which are facts in any reading
        sampled = game.setup.sampled
        return Answer(f, found.verdict, None, reading="table", sampled=sampled, explained=about_facts)
    knowers = knowers_in(f) or frozenset()
    (model, verdict) = (None, Verdict.of(int(KripkeModel(["w"], {}, {}).holds(left)), 1))
    if len(f.agents) == len(knowers) == 1:
        model = model_of(f)
        verdict = model.verdict(f)

    def explanation() -> Explanation:
        return _explained(game.setup, model_of(f, deals=True), f)

    def reasons() -> tuple[str, ...]:
        if verdict != "true":
            return ()
        if isinstance(f, s.Knows) and f.body.is_boolean:
            seconds = budget.left(_SECONDS_FOR_ENTRIES)
            if not seconds:
                raise Undecided(f"the time was up before the entries were found on which {f} rests")
            why = histories(f.agent).because(f.body, seconds=seconds)
            if why is not None and why.cells:
                return tuple(map(str, why.cells))
        with suppress(NotCovered, ModelTooLarge, DiagramTooLarge):  # perhaps the numbers are not needed
            inquiry = Inquiry.of(game, f)
            return () if inquiry.weighted else inquiry.rests_on()
        return ()

    return Answer(
        f,
        verdict,
        model,
        reading="table",
        reasons=reasons,
        sampled=game.setup.sampled,
        explained=explanation if knowers else None,
    )


def is_positive(f: Formula) -> bool:
    """Whether nobody's ignorance can make a formula true, so that who is told more knows no less."""
    waiting = [f]
    while waiting:
        match waiting.pop():
            case node if node.is_boolean:
                continue
            case s.Modal(mode=s.Mode.BOX, body=body):
                waiting.append(body)
            case s.Junction() as node:
                for part, sign in node.literals():
                    if not sign and not part.is_boolean:
                        return False
                    waiting.append(part)
            case _:
                return False
    return True


def _reason(
    f: Formula, value: bool, rule: str, sentence: str, parts: tuple[Explanation, ...] = ()
) -> Explanation:
    """Return why a formula has a value, not at one world but in all that are considered."""
    from kripke_werewolf.semantics.explanation import Explanation

    return Explanation(f, value, None, rule, sentence, parts)


def _explained(setup: Setup, model: KripkeModel, f: Formula) -> Explanation:
    """Return the explanation of a formula on a model of a game, with its worlds in words."""
    return model.explain(f, called=partial(world_in_words, setup))


_MOST_EXPLAINED = 200_000
"""The greatest number of worlds of a model that is built for an explanation only."""


_DEEPEST = 30
"""The most parts of parts of a formula that are explained without a model of the whole."""


def _by_fewer_worlds(game: Played | Told, f: Formula, holds: bool, depth: int = 0) -> Explanation:
    """Return the explanation of an answer that was found without listing worlds.

    It comes from the model of all players in question, if that is small. Otherwise "K_i, E or C (about facts)
    is false" follows from the worlds that fit what one of the players was told, where the facts are false;
    that it is true follows if the facts are true in all worlds that fit the public information; and D is
    about the worlds that fit what the whole group was told. A conjunction, disjunction or implication follows
    from its parts. Raises NotCovered if none of them suffices.
    """
    setup = game.setup
    with suppress(NotCovered, ModelTooLarge):
        model = Inquiry.of(game, f, engine="explicit", limit=_MOST_EXPLAINED).model
        assert isinstance(model, KripkeModel)
        return _explained(setup, model, f)
    if isinstance(f, s.Not):
        negations: list[Formula] = []
        while isinstance(f, s.Not):
            negations.append(f)
            f, holds = f.body, not holds
        why = _by_fewer_worlds(game, f, holds, depth)
        for negation in reversed(negations):
            holds = not holds
            why = _reason(negation, holds, "negation", clause(negation, holds), (why,))
        return why
    if isinstance(f, s.Junction) and depth < _DEEPEST and (parts := _by_parts(game, f, holds, depth + 1)):
        told = " and ".join(clause(part.formula, part.value) for part in parts)
        rule = "one part" if holds == f.decides else "all parts"
        return _reason(f, holds, rule, f"{clause(f, holds)}: {told}", parts)
    over, facts = _nested(f)
    alone = len(over) == 1 and isinstance(f, s.Distributed)
    if not alone and not all(isinstance(box, s.Knows | s.Everyone | s.Common) for box in over):
        over = []
    players = tuple(dict.fromkeys(chain.from_iterable(box.label for box in over)))
    asked = not isinstance(game, Told) or players == (game.player,)
    if players and facts.is_boolean and asked and not _unnoticed(game):
        with suppress(NotCovered, ModelTooLarge):
            if isinstance(f, s.Distributed) or len(players) == 1:
                return _of_worlds(game, f, players, facts)
            if holds and not isinstance(game, Told):
                lasting = not any(atom.startswith(("dead_", "dominant_")) for atom in facts.atoms)
                why = _of_worlds(game, f, (), facts)  # public information up to the last phase that has ended
                if lasting and why.value:
                    return why
            for player in () if holds else players:
                why = _of_worlds(game, known := s.Knows(player, facts), (player,), facts)
                if not why.value:
                    sentence = f"{clause(f, False)}: {clause(known, False)}"
                    return _reason(f, False, "one part", sentence, (why,))
    raise NotCovered(
        f"an explanation of {f} would need a model of more than {_MOST_EXPLAINED:,} worlds; a question about "
        "fewer players, or about what one of them knows, needs fewer"
    )


def _by_parts(game: Played | Told, f: s.Junction, holds: bool, depth: int) -> tuple[Explanation, ...]:
    """Return the parts from which the value of a formula follows: a part that decides, or all of them.

    Parts that would need too large a model are stated without reasons. Empty if none has reasons, or if the
    formula is about facts that are open.
    """
    decided = holds == f.decides
    found: list[Explanation] = []
    for part, positive in f.literals():
        value = positive == holds
        answer = Inquiry.of(game, part).answer()
        if answer.verdict != ("true" if value else "false"):
            if decided:
                continue
            return ()
        try:
            found.append(_by_fewer_worlds(game, part, value, depth))
        except (NotCovered, ModelTooLarge):
            found.append(_reason(part, value, "looked up", clause(part, value)))
        if decided and found[-1].rule != "looked up":
            return (found[-1],)
    return () if decided or all(why.rule == "looked up" for why in found) else tuple(found)


def _of_worlds(game: Played | Told, f: Formula, players: Sequence[str], facts: Formula) -> Explanation:
    """Explain a formula by the worlds that fit what these players were told together, or all players were.

    It is true if the facts are true in all these worlds. If those of one player are too many, the reason is
    the player's probability of the facts.
    """

    setup = game.setup
    if isinstance(game, Told) or players:
        known = _known(game, frozenset(players))
    else:
        known = told(game).past
    mortal = [name for name in setup.players if f"dead_{name}" in facts.atoms]
    try:
        worlds = build_model(known, [], deaths_of=mortal, weighted=False, limit=_MOST_EXPLAINED).generated()
    except (NotCovered, ModelTooLarge):
        if len(players) != 1:
            raise
        share = shares_by_counting(known)(players[0], facts)
        sentence = f"{clause(f, share == 1)}: P_{players[0]}({facts}) is {share}"
        return _reason(f, share == 1, "numbers", sentence)
    what = f"what {' and '.join(players)} {'was' if len(players) == 1 else 'were'} told"
    what = what if players else "the public information"
    false = next(iter(worlds.where(~facts)), None)
    if false is None:
        sentence = f"{clause(f)}: {clause(facts)} in all {len(worlds):,} worlds that fit {what}"
        return _reason(f, True, "one part", sentence)
    called = partial(world_in_words, setup)
    sentence = f"{clause(f, False)}: {what} fits {called(false)}, where {clause(facts, False)}"
    return _reason(f, False, "one part", sentence, (worlds.explain(facts, at=false),))


def worlds_where(game: Played, f: Formula) -> tuple[Superposition, str | None]:
    """Return the surviving worlds where a formula is true, or the reason why it cannot be said and believed.

    A formula about knowledge is true in all or in none of them; an open fact collapses.
    """
    import numpy as np

    answer, worlds = ask(game, f), game.states[-1].worlds
    if answer.verdict == "false":
        return worlds, f"say {f}: it is false in every surviving world"
    if answer.verdict == "true":
        return worlds, None
    model = answer.model
    if not isinstance(model, KripkeModel) or not isinstance(worlds, Enumerated):
        return worlds, f"say {f}: it is open, and the worlds are too many to list"
    true = model.truth_set(f)
    named = [dealt_in(str(model.names[i])) for i in model.designated_indices if true[i]]
    return worlds.among(np.isin([world.lower() for world in worlds.world_strings()], named)), None


def resolve(setup: Setup, question: FormulaLike, numbers: Mapping[str, int] | None = None) -> Formula:
    """Return a formula with all players by name, whether they were given by name or by number.

    `numbers`: the numbers that are known, by player, where the settings hide them. `C`, `E` and `D` without
    an index are about all players. A string may also be a sentence or a yes-or-no question. Raises
    `UnknownAgentError` and `UnknownAtomError` for unknown names, and GameError for a number that is hidden
    and for other questions.
    """
    read = read_question(question, vocabulary(setup, numbers)) if isinstance(question, str) else question
    if isinstance(read, Who | HowLikely):
        raise GameError(
            f"{question!r} is not a yes-or-no question; game.who_knows, game.probabilities and the command "
            "ask answer others"
        )
    asked, players = formula(read), setup.players
    known_numbers = dict(zip(players, setup.numbers, strict=False)) | dict(numbers or {})
    named = {str(number): name for name, number in known_numbers.items()}
    by_number = {number: name for number, name in named.items() if number not in players}
    hidden = {str(n) for n in range(1, len(players) + 1)} - {*players, *by_number}
    known = atoms_of(setup)
    atoms = {}
    for atom in sorted(asked.atoms):
        fact, _, player = atom.partition("_")
        name = f"{fact}_{by_number[player]}" if player in by_number else atom
        if name not in known:
            if player in hidden and f"{fact}_{players[0]}" in known:
                raise _hidden_number(atom, by_number)
            if player.isdecimal() and player not in by_number and f"{fact}_{players[0]}" in known:
                raise UnknownAtomError(player, players, kind="player", place=f"the atom {atom!r}")
            meant = f"{FACTS.get(fact)}_{name.partition('_')[2]}"  # the heading of a table
            raise UnknownAtomError(name, known, meant=repr(meant) if meant in known else None)
        atoms[atom] = name
    for agent in sorted(asked.agents):
        if agent in hidden:
            raise _hidden_number(f"K_{agent}", by_number)
        if agent not in players and agent not in by_number:
            raise UnknownAgentError(agent, players)
    return asked.rename(
        agents=lambda agent: by_number.get(agent, agent), atoms=lambda atom: atoms.get(atom, atom)
    )


def _hidden_number(where: str, known: Mapping[str, str]) -> GameError:
    told = ", ".join(f"{number} is {name}" for number, name in known.items()) or "none"
    return GameError(f"{where!r}: this number is hidden; call players by name (known: {told})")


# --- by counting worlds --------------------------------------------------------------------------

_MOST_CASES = 1000
"""The greatest number of cases; with a hundred players a case takes some hundredths of a second."""


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


def shares_by_counting(known: Told) -> Callable[[str, Formula], Fraction]:
    """Return the function that gives owners' probabilities of Boolean formulas.

    It raises NotCovered for other formulas, and if what a player was told cannot be counted.
    """
    worlds = {name: counted_worlds(known.of(name)) for name in known.owners}

    def share(agent: str, body: Formula) -> Fraction:
        if isinstance(here := worlds[agent], str):
            raise NotCovered(here)
        if any(atom.startswith("dead_") for atom in body.atoms) and not counts_deaths(known):
            raise NotCovered("deaths are not counted while attacks are under way")
        found = verdict_by_cases(known.setup, here, body)
        if found is None:
            raise NotCovered(f"{body} cannot be counted case by case")
        return Fraction(found.satisfied, found.total)

    return share


def known_by_counting(f: Formula, known: Told) -> bool:
    """Return whether a formula about players' knowledge and probabilities of roles is true.

    It must be built from K_i, M_i and P_i of Boolean formulas. Raises NotCovered for others, and
    if what a player was told cannot be counted.
    """
    share = shares_by_counting(known)

    def true(node: Formula) -> bool:
        match node:
            case s.Knows(agent=agent, body=body):
                return share(agent, body) == 1
            case s.Possible(agent=agent, body=body):
                return share(agent, body) > 0
            case Probability():
                total = sum(term.coefficient * share(term.agent, term.body) for term in node.terms)
                return bool(node.holds(total, node.bound))
        raise NotCovered(f"{node} cannot be counted")

    return settled(f, true) is s.TRUE


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
