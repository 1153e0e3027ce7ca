"""Questions about a game: any formula, with players by name or number, asked of the cheapest engine.

A question about knowledge is answered from what the players in it were told; a large one is divided into
parts about fewer players, each asked of the cheapest engine for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import chain, permutations, takewhile
from math import inf, prod
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from kripke_werewolf.base.errors import GameError, ModelTooLarge, Undecided
from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.base.provided import provide
from kripke_werewolf.base.settings import check_possible
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf import engines
from kripke_werewolf.games.werewolf.actions import WorldName
from kripke_werewolf.games.werewolf.budget import Budget
from kripke_werewolf.games.werewolf.declarations import declared, splits_worlds
from kripke_werewolf.games.werewolf.enumerated import Enumerated
from kripke_werewolf.games.werewolf.events import Acted, OfficialDeath, Played, Said, VotedOff, events_of
from kripke_werewolf.games.werewolf.game_models import build_model
from kripke_werewolf.games.werewolf.move_atoms import move_verbs
from kripke_werewolf.games.werewolf.setup import LIMIT, Setup
from kripke_werewolf.games.werewolf.superposition import NotCovered, Superposition
from kripke_werewolf.games.werewolf.told import Answering, GameAnswer, Reading, Told, reading_of, told
from kripke_werewolf.games.werewolf.vocabulary import in_last_night, resolve_asked, vocabulary
from kripke_werewolf.logic.english.phrases import FACTS as WORDS
from kripke_werewolf.logic.english.questions import WhatHappened
from kripke_werewolf.logic.english.sentences import clause, enumerated
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import conditioned
from kripke_werewolf.logic.formulas.simplification import negated, simplify
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, joined
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.answers import OfModel, answer_of, chances_on
from kripke_werewolf.logic.semantics.verdict import NO_WORLD, Verdict

if TYPE_CHECKING:
    from kripke_werewolf.games.werewolf.inference import Histories as Found
    from kripke_werewolf.games.werewolf.inference import Replay
    from kripke_werewolf.logic.semantics.explanation import Explanation
    from kripke_werewolf.logic.symbolic.structure import SymbolicStructure


def _clock(timeout: float | None) -> Callable[[], None]:
    """Return a function that raises Undecided once `timeout` seconds have passed."""
    seconds = inf if timeout is None else timeout
    return partial(_tick, seconds, monotonic() + seconds)


def _tick(timeout: float, end: float) -> None:
    if monotonic() > end:
        raise Undecided(f"no answer after {timeout:g} s; give it longer (--timeout), or {engines.CHEAPER}")


_MOST_SHOWN = 5_000
"""The largest number of worlds of a model with all members of a group that knows together."""

_SECONDS_FOR_ENTRIES = 10
"""The largest number of seconds for finding the entries of tables on which an answer rests."""


@dataclass(frozen=True)
class AllHistories(engines.Engine):
    """Finds all histories that explain what was told, numbers of tables, verdicts and silence included."""

    name: ClassVar[str] = "histories"

    budget: Budget
    kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """The latest search that was finished, which questions about the same moment need not repeat."""
    _found: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def covers(self, told: Told, question: Formula) -> engines.Cover:
        """Return whether a question is about what the owners know, and histories of the game can be found.

        The cost is the number of deals that sums go over, or the most histories that are listed.
        """
        from kripke_werewolf.games.werewolf.inference.plan import BY_FACTS, plan_of
        from kripke_werewolf.games.werewolf.inference.replay import MOST_HISTORIES, unlisted
        from kripke_werewolf.games.werewolf.inference.search import unsearched

        operators = (s.OfAgent, s.OfGroup, s.Probability)
        if not all(f.pointwise or isinstance(f, operators) for f in question.subformulas()):
            return engines.Cover(
                None, "reading='exact' is about what players know now", ("reading='facts' can answer",)
            )
        if self._of_one(told, question):
            why, cost = unsearched(plan_of(told)), told.setup.deck.worlds
        else:
            why = unlisted(told, sorted(question.agents))
            cost = MOST_HISTORIES
        return engines.Cover(None, why, (BY_FACTS,)) if why else engines.Cover(cost)

    def of(self, told: Told, player: str) -> Found:
        """Return the histories that explain what an owner was told."""
        from kripke_werewolf.games.werewolf.inference import find_histories, plan_of

        def found() -> Found:
            known, plan = self.kept.get("of one"), plan_of(told.of(player))
            if known is None or known.plan != plan:
                known = find_histories(plan, self.budget)
                if not known.reason:  # with more time there may be more
                    self.kept["of one"] = known
            return replace(known, budget=self.budget)

        return remembered(self._found, player, found)

    def listed(self, told: Told, question: Formula) -> Replay:
        """Return the list of all histories, for what several players know of each other."""
        from kripke_werewolf.games.werewolf.inference import Replay

        return Replay.of(told, question, self.budget, self.kept)

    def unfinished(self, told: Told, question: Formula) -> bool:
        """Whether there are too many histories to list them all."""
        return not self._of_one(told, question) and bool(self.listed(told, question).unfinished)

    def _of_one(self, told: Told, question: Formula) -> bool:
        """Whether it is about what one player knows of facts, so that the histories need not be listed."""
        from kripke_werewolf.games.werewolf.inference.plan import unplanned

        alone = len(told.owners) == 1 and question.agents <= {told.player}
        alone, game = alone and not engines.under_way(told, question.atoms), declared(told.setup)
        alone = alone and told.setup.deck.plain and splits_worlds(game, game.acts["vision"])
        return alone and not any(map(unplanned, told.entries))

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return the verdict, over all histories."""
        return self.model(told, question).verdict(question)

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return the player's probability, over all histories."""
        return {self.of(told, player).chance(fact): 1}

    def shown(self, told: Told, question: Formula) -> KripkeModel | None:
        """Return a model of what one player knows; None for what several know of each other."""
        return self.model(told, question) if self._of_one(told, question) else None

    def model(self, told: Told, question: Formula, *, deals: bool = False) -> KripkeModel:
        """Return the model of what the owners know; `deals`: for an explanation, told apart by all cards."""
        if self._of_one(told, question):
            return self.of(told, told.player).model(question, deals=deals)
        return self.listed(told, question).model(question, deals=deals)

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return the entries of tables that imply what one player knows of facts."""
        of_one = self._of_one(told, question)
        if not of_one or not isinstance(question, s.Knows) or not question.body.is_boolean:
            return ()
        seconds = self.budget.left(_SECONDS_FOR_ENTRIES)
        if not seconds:
            raise Undecided(f"time ran out before the entries on which {question} rests were found")
        why = self.of(told, question.agent).because(question.body, seconds=seconds)
        return () if why is None else tuple(map(str, why.cells))


@dataclass(frozen=True)
class AskedOfGame:
    """A question about a game at some moment, and the engines that may answer it."""

    game: Played | Told
    """The game; or what a player was told, for a question about what this player considers possible."""
    formula: Formula
    facts: tuple[engines.Engine, ...]
    """The engines for questions about facts and, with `reading="facts"`, about knowledge."""
    exact: AllHistories | None = None
    """The engine for questions about knowledge with `reading="exact"`."""
    given: Formula | None = None
    """The condition to which the worlds are restricted, if there is one."""
    tick: Callable[[], None] = field(default=_clock(None), repr=False, compare=False)
    """A function that raises Undecided when time has run out; see `clock`."""
    only: frozenset[int] | None = None
    """The numbers of the events assumed to have happened; None for all."""
    kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What was told to whom."""
    parts: dict[Formula, bool] = field(default_factory=dict, repr=False, compare=False)
    """The parts about knowledge answered so far."""
    words: Vocabulary | None = field(default=None, repr=False, compare=False)
    """The names and words of the game."""

    @classmethod
    def of(
        cls,
        game: Played | Told,
        question: FormulaLike,
        *,
        given: FormulaLike | None = None,
        reading: str = "facts",
        engine: Answering = "auto",
        limit: int = LIMIT,
        timeout: float | None = None,
        budget: Budget | None = None,
        tick: Callable[[], None] | None = None,
    ) -> AskedOfGame:
        """Read a question; `limit`: how many worlds may be listed; `budget` and `tick`: shared by several."""
        if engine not in get_args(Answering):
            check_possible("engine", engine, get_args(Answering))
        worlds = None
        if not isinstance(game, Told):
            worlds = game.states[-1].worlds
        kept, exact = getattr(game, "kept", {}), None
        if reading_of(reading) == "exact":
            exact, timeout, tick = AllHistories(budget or Budget(timeout), kept), None, None
        tick = tick or _clock(timeout)
        able: tuple[engines.Engine, ...] = (
            engines.Counting(worlds, limit, kept),
            engines.ListedWorlds(limit, tick, kept),
            engines.Diagrams(limit, tick, kept),
        )
        facts = tuple(found for found in able if engine in ("auto", found.name))
        f, where = resolve_asked(game.setup, question, given, _words(game), last=_last_night(game))
        return cls(game, f, facts, exact, where, tick, kept=kept, words=_words(game))

    def about(self, part: Formula) -> AskedOfGame:
        """Return the question about another formula at the same moment."""
        return replace(self, formula=part)

    @cached_property
    def conditioned(self) -> tuple[AskedOfGame, AskedOfGame]:
        """The questions whose verdicts give that on the condition; see `answers.conditioned`."""
        assert self.given is not None
        asked, where = conditioned(self.formula, self.given)
        return replace(self, formula=asked & where, given=None), replace(self, formula=where, given=None)

    @cached_property
    def knowers(self) -> frozenset[str] | None:
        """The players from whose information alone the answer follows; None if it is about facts."""
        if isinstance(self.game, Told):
            return frozenset(self.game.owners)
        return engines.knowers_in(self.formula) or None

    @cached_property
    def known(self) -> Told:
        """What was told to those players; about facts, everything."""
        if isinstance(self.game, Told):
            return self.game
        knowers, only = self.knowers, self.only
        find = partial(told, self.game, *(knowers or ()), only=only, full=knowers is None)
        return remembered(self.kept, ("told", knowers, only), find)

    @cached_property
    def engine(self) -> engines.Engine:
        """The cheapest engine that covers the question; raises GameError if a probability is undefined."""
        engines.check_weighed(self.known, self.formula)
        if self.exact is not None and self.knowers is not None:
            return engines.cheapest([self.exact], self.known, self.formula)
        if len(self.facts) == 1:
            return self.facts[0]
        return engines.cheapest(self.facts, self.known, self.formula)

    @cached_property
    def divided(self) -> bool:
        """Whether parts about knowledge are answered one by one.

        With `reading="exact"`, unless it is about one player; else if a model of all players is large. Such a
        part must be true in all surviving worlds or in none.
        """
        f, handout = self.formula, isinstance(self.game, Told)
        if f.is_boolean or self.exact is not None:
            return not f.is_boolean and not handout and len(self.known.owners) != 1
        if self._quick or not self._large:
            return False
        if handout:
            return self.knowers == engines.knowers_in(f)
        return all(engines.knowers_in(part) for part in f.ordered(joined) if not part.pointwise)

    @cached_property
    def _large(self) -> bool:
        """Whether the model of all players in question may be too large to be listed quickly.

        What a group knows together can always be asked of one owner, who was told what its members were.
        """
        f, known, most = self.formula, self.known, engines.MANY
        if any(isinstance(part, s.OfGroup) and part.scope is s.Scope.MEET for part in f.ordered(joined)):
            most = min(engines.MANY, _MOST_SHOWN)
        several = len(self.facts) > 1 and not engines.unnoticed(known)
        return several and self._listing.most_worlds(known, f) > most

    @cached_property
    def _put(self) -> AskedOfGame:
        """The question as it is put: a group knows together what is true wherever what it was told fits."""
        f, known = self.formula, self.known
        if not isinstance(f, s.Distributed) or f.within is not s.TRUE or {*f.label} != {*known.owners}:
            return self
        if isinstance(self.game, Told) or not (self._large or self.exact is not None):
            return self
        counting = [replace(f, superposition=None) for f in self.facts if isinstance(f, engines.Counting)]
        others = [one for one in self.facts if not isinstance(one, engines.Counting)]
        return replace(self, game=known, formula=f.body, parts={}, facts=(*counting, *others))

    @property
    def _listing(self) -> engines.ListedWorlds:
        """The engine that lists worlds, among several."""
        listing = self.facts[1]
        assert isinstance(listing, engines.ListedWorlds)
        return listing

    @cached_property
    def verdict(self) -> Verdict:
        """Whether it is true in all, none or some of the surviving worlds."""
        if self.given is not None:
            both, where = self.conditioned
            return both.verdict.among(where.verdict)
        if not self.divided:
            return self._undivided
        left = settled(simplify(self.formula, logic="S5"), self._part)
        if isinstance(left, s.Constant):
            return Verdict.of(int(left is s.TRUE), 1)
        return self.about(left).verdict

    @property
    def _undivided(self) -> Verdict:
        """The verdict of the engine; with too many histories, that of the facts alone if they suffice."""
        if self._put is not self:
            return Verdict.of(int(self._put.verdict == "true"), 1)
        f, exact, engine = self.formula, self.exact, self.engine
        if exact is not None and self.knowers and engines.is_positive(f) and exact.unfinished(self.known, f):
            by_facts = self._by_facts().verdict
            if by_facts == "true":
                return by_facts
        return engine.verdict(self.known, f)

    def holds(self, other: Formula) -> bool:
        """Return whether another formula is true in all surviving worlds."""
        return self.about(other).verdict == "true"

    def answer(self) -> GameAnswer:
        """Return the answer."""
        if self.given is not None:
            both = self.conditioned[0].answer()
            return replace(both, formula=self.formula, given=self.given, verdict=self.verdict, asked=self)
        f, known, verdict = self.formula, self.known, self.verdict
        if verdict == "mixed" and isinstance(self.game, Told) and engines.knowers_in(f) == self.knowers:
            self._check_said(known)
        more, empty = self._may_say_more(verdict), verdict == "true" and self._is_about_nobody()
        return replace(self.plain(verdict), more=more, empty=empty)

    def plain(self, verdict: Verdict) -> GameAnswer:
        """Return an answer without remarks."""
        reading: Reading = "facts" if self.exact is None else "exact"
        return GameAnswer(self.formula, verdict, self, reading=reading, sampled=self.game.setup.sampled)

    @cached_property
    def model(self) -> KripkeModel | SymbolicStructure | Superposition | None:
        """The model that shows the answer, or the counted worlds; None if it was found part by part."""
        if self.given is not None:
            return self.conditioned[0].model
        if self.divided:
            return None
        return self._modelling.shown(self.known, self.formula)

    @property
    def _modelling(self) -> engines.Engine:
        """The engine that shows and explains the answer: one with a model, if the worlds are few."""
        return self._listing if self._quick else self.engine

    @property
    def _quick(self) -> bool:
        """Whether the worlds of those who are asked are so few that they are listed without a model."""
        return self._counted and self.facts[0].floor(self.known) < engines.MANY

    @cached_property
    def _counted(self) -> bool:
        """Whether it can be counted what one player knows."""
        asked = len(self.facts) > 1 and self.exact is None and self.knowers is not None
        return asked and self.facts[0].covers(self.known, self.formula).cost is not None

    def _check_said(self, known: Told) -> None:
        """Raise GameError if a typed sheet leaves open what its player was asked, and so what they know."""
        for entry in known.entries:
            for name, action in sorted(entry.unsaid):
                ways = (Sentence(said, action=action).rstrip(".") for said in ("asked-for", "not-asked"))
                raise GameError(
                    f"what {name} knows depends on what the sheet leaves out: under {str(entry.phase)!r}, "
                    f"write {' or '.join(map(repr, ways))}, or the action itself"
                )

    def _is_about_nobody(self) -> bool:
        """Whether it says something about all players of some kind, and none were found."""
        if not isinstance(self.formula, s.And):
            return False
        parts = self.formula.children
        given = [part.children[0] for part in parts if isinstance(part, s.Implies)]
        try:
            return len(given) == len(parts) > 0 and self.about(s.disjunction(given)).verdict == "false"
        except Undecided:  # the time is over, and the answer is known without this
            return False

    def explanation(self, verdict: Verdict) -> Explanation:
        """Return the explanation of an answer."""
        f, shown = self.formula, self.model
        if self.given is not None and not isinstance(shown, KripkeModel):
            asked = self.given >> f if verdict == "true" else self.given & f
            return replace(self, formula=asked, given=None).explanation(verdict)
        if self.exact is not None and self.given is None and f.agents:
            if self.knowers is None:
                raise NotCovered(f"{f} is about knowledge and facts at once: ask its parts one by one")
            shown = self.exact.model(self.known, f, deals=True)
        if isinstance(shown, KripkeModel):
            return _explained(self.game.setup, shown, f, self.given)
        if why := _by_fewer_worlds(self, verdict == "true"):
            return why
        raise NotCovered(
            f"an explanation of {f} would need a model of more than {_MOST_EXPLAINED:,} worlds; "
            "a question about fewer players, or about what one of them knows, needs fewer"
        )

    def _may_say_more(self, verdict: Verdict) -> bool:
        """Whether what was announced may imply more than facts do."""
        if self.exact is not None or verdict == "true" or not self.known.announced:
            return False
        if verdict == "mixed" or self.formula.is_boolean:
            return verdict == "mixed" and isinstance(self.game, Told)
        if isinstance(f := self.formula, s.Knows) and f.body.is_boolean:
            return not self.holds(s.Knows(f.agent, negated(f.body)))  # else no table can say it
        return True

    def reasons(self) -> tuple[str, ...]:
        """Return the news and entries of tables on which a positive answer rests, if they are found."""
        if self.exact is not None:
            if self.known.alone and (found := self.exact.rests_on(self.known, self.formula)):
                return found
            facts = self._by_facts()
            return facts.reasons() if facts.verdict == "true" else ()
        if not self.divided:
            return self._modelling.rests_on(self.known, self.formula)
        if engines.is_weighted(self.formula):
            return ()
        asked = list[Formula]()

        def true(part: Formula) -> bool:
            if holds := self._part(part):
                asked.append(part)
            return holds

        settled(simplify(self.formula, logic="S5"), true)
        put = [self.about(part)._put for part in asked]
        names = (name for part in put for name in part._modelling.rests_on(part.known, part.formula))
        return tuple(dict.fromkeys(names))

    def _by_facts(self) -> AskedOfGame:
        return replace(self, exact=None, parts={})

    # part by part

    def _part(self, part: Formula) -> bool:
        """Return whether a part about knowledge is true; it is asked only once."""
        return remembered(self.parts, part, lambda: self.about(part)._is_true())

    def _is_true(self) -> bool:
        """Return whether a part about knowledge is true.

        A model is built last. If i knows that j knows that φ, both know φ; what the public knows is commonly
        known; and if φ is commonly known, everybody knows that everybody knows it.
        """
        if self.exact is None:
            self.tick()
        large = self.exact is None and self._large and self._put is self
        if large and not self._counted:
            over, body = _nested(self.formula)
            weaker, pairs = [body] if body.agents < self.formula.agents else [], list[Formula]()
            for f in over:
                alike = f.scope in (s.Scope.SOME, s.Scope.MEET)
                weaker += [f.with_children([body])] if alike else [s.Knows(i, body) for i in f.label]
                if f.scope is s.Scope.REACH:
                    pairs += [s.Knows(i, s.Knows(j, body)) for i, j in permutations(f.label, 2)]
            if any(map(self._is_refuted, weaker)):
                return False
            if over and body.is_boolean and self._is_public(body):
                return True
            if any(map(self._is_refuted, pairs)):
                return False
        return self._undivided == "true"

    def _is_refuted(self, weaker: Formula) -> bool:
        """Whether a formula that follows is about knowledge that can be asked for, and false."""
        knowers = engines.knowers_in(weaker)
        alone = isinstance(self.game, Told) and knowers != self.knowers
        if weaker is self.formula or knowers is None or alone:
            return False
        return settled(weaker, self._part) is not s.TRUE

    def _is_public(self, facts: Formula) -> bool:
        """Whether facts are known to follow from public information, listed or counted."""
        if isinstance(self.game, Told):
            return False
        public = told(self.game, only=self.only)
        able = (e for e in (engines.Counting(), self._listing) if e.covers(public, facts).cost is not None)
        return any(engine.verdict(public, facts) == "true" for engine in able)

    def probabilities(self, player: str) -> dict[Fraction, int]:
        """Return a player's probabilities of the formula, each with its number of worlds."""
        if self.given is not None:
            plain = replace(self, given=None)
            return {**chances_on(self.given, lambda f: plain.about(f).probabilities(player), self.formula)}
        asked = self.about(s.P(player, self.formula) >= 0)
        return asked.engine.probabilities(asked.known, player, self.formula)

    # at other moments

    def verdicts(self, chosen: Iterable[Sequence[int]] | None = None) -> Iterator[Verdict]:
        """Yield the verdicts if only the events with some numbers had happened.

        By default at the start and after each event.
        """
        if chosen is None:
            assert not isinstance(self.game, Told)
            chosen = [range(1, number + 1) for number in range(len(events_of(self.game)) + 1)]
        if self.given is not None:
            yield from map(Verdict.among, *(asked.verdicts(chosen) for asked in self.conditioned))
        elif self.divided and self.knowers:
            yield from (replace(self, only=frozenset(only), parts={}, kept={}).verdict for only in chosen)
        else:
            moments = [replace(self, only=frozenset(only)).known for only in chosen]
            for moment in moments:
                engines.check_weighed(moment, self.formula)
            engine = self.facts[0]
            if len(self.facts) > 1:  # the cheapest one that keeps a model
                engine = engines.cheapest(self.facts[1:], self.known, self.formula)
            assert isinstance(engine, engines.ListedWorlds | engines.Diagrams)
            yield from engine.verdicts(self.known, self.formula, moments)


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
            divided[node] = joined(node)
            if isinstance(node, s.Modal) and (equivalent := _apart(node)) is not None:
                divided[node] = (equivalent,)
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
            new[node] = node.with_children(found) if node.pointwise else found[0]
            if all(isinstance(part, s.Constant) for part in found):
                new[node] = s.Constant(one.holds(new[node]))
    return new[f]


_MOST_PARTS = 2_000
"""The largest number of parts of a formula: K_i K_j φ for all pairs of 40 players, for example."""


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
        return s.Not(f.of_kind(box, negated(f.body)))
    boxes = list(takewhile(lambda box: box.scope not in (s.Scope.EACH, s.Scope.SOME), over))
    inner = [*over, body][len(boxes)]
    if not boxes or inner.is_boolean or not (parts := _conjuncts(inner)):
        return None
    found = [reduce(lambda part, box: box.with_children([part]), reversed(boxes), part) for part in parts]
    return s.conjunction(simplify(part, logic="S5") for part in found)


def _conjuncts(f: Formula) -> list[Formula]:
    """Return the parts of a formula that is a conjunction, written in some way; none if it is not."""
    inner, positive = f, True
    if isinstance(f, s.Not):
        inner, positive = f.body, False
    if isinstance(inner, s.Modal) and (unfolded := inner.unfolded()) is not None:
        inner = unfolded
    if not isinstance(inner, s.Junction) or inner.decides is positive:
        return []
    return [part if sign is positive else negated(part) for part, sign in inner.literals()]


def _nested(f: Formula) -> tuple[list[s.Modal], Formula]:
    """Return the operators K, E, Sk, C and D at the beginning of a formula, and the formula below them."""
    over: list[s.Modal] = []
    while isinstance(f, s.OfAgent | s.OfGroup) and f.mode is s.Mode.BOX and f.within is s.TRUE:
        over.append(f)
        f = f.body
    return over, f


def ask(
    game: Played | Told,
    question: FormulaLike,
    *,
    given: FormulaLike | None = None,
    reading: Reading = "facts",
    engine: Answering = "auto",
    limit: int = LIMIT,
    timeout: float | None = None,
    asker: str | int = "",
) -> GameAnswer:
    """Return whether a formula is true now: yes, no, or in how many of the surviving worlds.

    A question in English may also ask who, which, how many or how likely, or have two readings; see `Answer`.
    `asker`: the player who says "I" in it.

    Given what one player was told, it is evaluated in the worlds this player considers possible. About the
    player's own knowledge the answer is the same; other formulas are true if the player knows them to be.

    Players are named or numbered: `K_Alice wolf_Bob`, `K_1 wolf_2`. Atoms are `wolf_i`, `seer_i`,
    `villager_i`, `good_i`, `dead_i` and, where wolves have ranks, `alpha_i`, …, `dominant_i`; and moves, with
    or without the number of the night: `attacked_Ann_Bo`, `looked_Ann_Bo_0`, `saw_Ann_Bo_good`. Questions
    about knowledge are answered from what the players in question were told.

    `given`: a condition, like "if" or "given that" in English. It restricts the worlds that the question is
    about: "in 1 of 4 of the worlds where …", or "no world has that". A question about chances is about those
    worlds of the player whose chances they are; what players know is what they know there, since nobody
    learns the condition, and the answer says so. A formula `p -> q` is something else: it is true wherever p
    is false.

    `reading`: which engines are asked. `"facts"`: those that use events, and entries of tables of 0 and 100%;
    worlds are counted, listed up to `limit`, or kept as decision diagrams, whatever is cheapest, unless
    `engine` is given. If that would be too large, parts about players' knowledge are answered one by one.
    `"exact"`: by all histories that explain a player's information; see `inference`. The answer is looked for
    during `timeout` seconds; Undecided, or GameError for `"exact"`, if that is not enough.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> print(game.ask("K_Ann (seer_Ann -> wolf_Bo)"), game.ask("wolf_Bo"))
    yes in 2 of 5 worlds
    >>> print(game.ask("Is Bo the wolf if Cy is the villager?"), "/", game.ask("wolf_Bo", given="seer_Ann"))
    in 1 of 2 of the worlds where Cy is a villager / yes

    Raises UnknownAgentError, UnknownAtomError, FormulaSyntaxError and ModelTooLarge.
    """
    how = {"reading": reading, "engine": engine, "limit": limit, "timeout": timeout}
    words = _words(game)
    if asker:
        words = replace(words, asker=game.setup.name_of(asker))
    return answer_of(OfGame(game, words, how), question, given)  # type: ignore[return-value]


provide(__name__, "ask")


def probabilities(
    game: Played,
    player: str | int,
    fact: FormulaLike,
    *,
    given: FormulaLike | None = None,
    reading: Reading = "facts",
    engine: Answering = "auto",
    limit: int = LIMIT,
    timeout: float | None = None,
) -> dict[Fraction, int]:
    """Return a player's probabilities of a formula, each with its number of worlds.

    On a condition (`given`) they are those in the player's worlds where it holds; none if there are none. All
    designated worlds have the same value, unless players were told something unnoticed by others.
    `reading`, `engine`, `limit` and `timeout` as in `ask`.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> game.probabilities("Ann", "wolf_Bo")
    {Fraction(2, 5): 5}
    """
    name = game.setup.name_of(player)
    how: dict[str, Any] = {"reading": reading, "engine": engine, "limit": limit, "timeout": timeout}
    return AskedOfGame.of(game, fact, given=given, **how).probabilities(name)


def _reason(
    asked: AskedOfGame, value: bool, rule: str, because: str = "", parts: Sequence[Explanation] = ()
) -> Explanation:
    """Return why a formula has a value, not at one world but in all that are considered."""
    from kripke_werewolf.logic.semantics.explanation import Explanation

    sentence = ": ".join(filter(None, (clause(asked.formula, value, words=asked.words), because)))
    return Explanation(asked.formula, value, None, rule, sentence, tuple(parts))


def _from_parts(asked: AskedOfGame, value: bool, rule: str, *parts: Explanation) -> Explanation:
    """Return why a formula has a value that follows from those of some parts."""
    said = " and ".join(clause(part.formula, part.value, words=asked.words) for part in parts)
    return _reason(asked, value, rule, said, parts)


def _explained(setup: Setup, model: KripkeModel, f: Formula, given: Formula | None = None) -> Explanation:
    """Return the explanation of a formula on a model of a game, with its worlds in words."""
    return model.with_words(vocabulary(setup)).explain(f, given=given, called=partial(world_in_words, setup))


_MOST_EXPLAINED = 200_000
"""The greatest number of worlds of a model that is built for an explanation only."""


_DEEPEST = 30
"""The largest number of parts of parts of a formula that are explained without a model of the whole."""


def _model_of(known: Told, agents: Iterable[str], f: Formula, *, weighted: bool) -> KripkeModel | None:
    """Return the generated model for some players, or None if it cannot be listed, or not quickly."""
    try:
        found = build_model(known, agents, about=f.atoms, weighted=weighted, limit=_MOST_EXPLAINED)
        return found.generated().with_words(vocabulary(known.setup))
    except (NotCovered, ModelTooLarge):
        return None


def _by_fewer_worlds(asked: AskedOfGame, holds: bool, depth: int = 0) -> Explanation | None:
    """Return the explanation of an answer that was found without listing worlds; None if nothing suffices.

    It comes from the model of all players in question, if that is small. Otherwise "K_i, E or C (about facts)
    is false" follows from the worlds that fit what one of the players was told, where the facts are false;
    that it is true follows if the facts are true in all worlds that fit the public information; and D is
    about the worlds that fit what the whole group was told. A conjunction, disjunction or implication follows
    from its parts, which are explained at some `depth`.
    """
    f, game, known = asked.formula, asked.game, asked.known
    model = _model_of(known, f.agents | known.alone, f, weighted=True)
    if model is not None:
        return _explained(known.setup, model, f)
    if isinstance(f, s.Not) and depth < _DEEPEST:
        why = _by_fewer_worlds(asked.about(f.body), not holds, depth + 1)
        return None if why is None else _reason(asked, holds, "negation", parts=[why])
    if isinstance(f, s.Junction) and depth < _DEEPEST and (parts := _by_parts(asked, f, holds, depth + 1)):
        return _from_parts(asked, holds, "one part" if holds == f.decides else "all parts", *parts)
    over, facts = _nested(f)
    together = len(over) == 1 and isinstance(f, s.Distributed)
    spoken = s.Scope.AGENT, s.Scope.EACH, s.Scope.REACH
    if not together and not all(box.mode is s.Mode.BOX and box.scope in spoken for box in over):
        return None
    players = tuple(dict.fromkeys(chain.from_iterable(box.label for box in over)))
    own = not isinstance(game, Told) or players == (game.player,)
    if not players or not facts.is_boolean or not own or engines.unnoticed(known):
        return None
    if together or len(players) == 1:
        return _of_worlds(asked, players, facts)
    if holds:
        why = _of_worlds(asked, (), facts)
        return why if why is not None and why.value else None
    for player in players:
        why = _of_worlds(asked.about(s.Knows(player, facts)), (player,), facts)
        if why is None:
            return None
        if not why.value:
            return _from_parts(asked, False, "one part", why)
    return None


def _by_parts(asked: AskedOfGame, f: s.Junction, holds: bool, depth: int) -> tuple[Explanation, ...]:
    """Return the parts from which the value of a formula follows: a part that decides, or all of them.

    Parts that would need too large a model are stated without reasons. Empty if none has reasons, or if the
    formula is about facts that are open.
    """
    decided = holds == f.decides
    found: list[Explanation] = []
    for part, positive in f.literals():
        of_part, value = asked.about(part), positive == holds
        if of_part.verdict == Verdict.of(int(value), 1):
            why = _by_fewer_worlds(of_part, value, depth)
            if decided and why is not None:
                return (why,)
            found.append(why or _reason(of_part, value, "looked up"))
        elif not decided:
            return ()
    given = any(why.rule != "looked up" for why in found)
    return tuple(found) if given and not decided else ()


def _of_worlds(asked: AskedOfGame, players: Sequence[str], facts: Formula) -> Explanation | None:
    """Explain a formula by the worlds that fit what these players were told together, or all players were.

    It is true if the facts are true in all these worlds. If those of one player are too many, the reason is
    the player's probability of the facts.
    """
    known = asked.game if isinstance(asked.game, Told) else told(asked.game, *players)
    what = f"what was told to {' and '.join(players)}" if players else "the public information"
    worlds = _model_of(known, (), facts, weighted=False)
    if worlds is None:
        counting = engines.Counting()
        if len(players) != 1 or counting.covers(known, s.Knows(players[0], facts)).cost is None:
            return None
        (share,) = counting.probabilities(known, players[0], facts)
        return _reason(asked, share == 1, "numbers", f"P_{players[0]}({facts}) is {share}")
    said = partial(clause, facts, words=asked.words)
    false = next(iter(worlds.where(~facts)), None)
    if false is not None:
        because = f"{what} fits {world_in_words(known.setup, false)}, where {said(False)}"
        return _reason(asked, False, "one part", because, [worlds.explain(facts, at=false)])
    return _reason(asked, True, "one part", f"{said()} in all {len(worlds):,} worlds that fit {what}")


def worlds_where(game: Played, f: Formula) -> tuple[Superposition, str | None]:
    """Return the surviving worlds where a formula is true, or the reason why it cannot be said and believed.

    A formula about knowledge is true in all or in none of them; an open fact collapses.
    """
    answer, worlds = ask(game, f), game.states[-1].worlds
    if answer.verdict == "false":
        return worlds, f"say {f}: it is false in every surviving world"
    if answer.verdict == "true":
        return worlds, None
    model = answer.model
    if not isinstance(model, KripkeModel) or not isinstance(worlds, Enumerated):
        return worlds, f"say {f}: it is open, and the worlds are too many to list"
    true = {*model.where(f)}.intersection(model.designated)
    return worlds.among({str(world).partition(" ")[0].lower() for world in true}), None


def _words(game: Played | Told) -> Vocabulary:
    return game.words if isinstance(game, Told) else vocabulary(game.setup)


def _last_night(game: Played | Told) -> str:
    """Return the number of the last night that is over; nothing before that.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo")
    >>> _last_night(game), _last_night(game.end_phase())
    ('', '1')
    """
    phases = [part.phase for part in (game.entries if isinstance(game, Told) else game.states)]
    nights = [phase.number for phase in phases if phase.kind != "vote"]
    over = (str(number) for number in nights if phases[-1].kind == "vote" or number < phases[-1].number)
    return ["", *over][-1]


# --- in words --------------------------------------------------------------------------------------


def world_in_words(setup: Setup, world: Hashable) -> str:
    """Return the words for a world of a game's model, with its name.

    The world is a deal, or only some facts, with the private events in its name.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> from kripke_werewolf.games.werewolf.actions import Option
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="straat", wolves=2, seers=1)
    >>> world_in_words(game.setup, WorldName("swvW"))
    'the world where Ann is a seer, Bo is a wolf, Di is a wolf and Di is dead (swvW)'
    >>> world_in_words(game.setup, WorldName(frozenset({"wolf_Bo"}), [Option("Di", "Ann", "human")]))
    'the case where Bo is a wolf, in which Di looked at Ann (human) (wolf_Bo Di:Ann=human)'
    """
    assert isinstance(world, WorldName)
    if isinstance(world.deal, str):
        roles = {letter: WORDS.get(role, f"the {role}") for role, letter in setup.deck.letters.items()}
        cards = [*zip(setup.players, world.deal, strict=True)]
        true = [f"{name} is {roles[card.lower()]}" for name, card in cards if card.lower() != "v"]
        true += [f"{name} is dead" for name, card in cards if card.isupper()]
        said = f"the world where {enumerated(true or ['all are villagers'])}"
    else:
        true = [clause(s.Atom(fact)) for fact in sorted(world.deal)]
        said = f"the case where {enumerated(true or ['none of the facts in question is true'])}"
    if world.events:
        said += f", in which {enumerated(event.in_words() for event in world.events)}"
    return f"{said} ({world})"


# --- what a game is asked -------------------------------------------------------------------------


_KINDS = {"": Acted | OfficialDeath | Said, "moves": Acted, "deaths": OfficialDeath, "votes": VotedOff}
"""The events that a question what happened is about."""


@dataclass(frozen=True)
class OfGame(OfModel):
    """A game or a handout (`model`) that is asked; `how`: as in `ask`."""

    model: Played | Told
    how: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin the time that all parts of the questions share."""
        timeout = self.how.get("timeout")
        shared = {"tick": _clock(timeout), "budget": Budget(timeout)}
        object.__setattr__(self, "how", {**shared, **self.how})

    def answer(self, f: Formula, given: Formula | None) -> GameAnswer:
        """Return the answer in the surviving worlds."""
        return AskedOfGame.of(self.model, f, given=given, **self.how).answer()

    def chances(self, agent: str | None, f: Formula, given: Formula | None) -> GameAnswer:
        """Return the probabilities of a player, of a handout by default its owner."""
        whose = agent or getattr(self.model, "player", None)
        if not whose:
            answer = self.answer(f, given)
            values = {} if answer.verdict == "none" else {answer.verdict.fraction: answer.verdict.total}
            return replace(answer, chances={"": values}, none=NO_WORLD)
        asked = AskedOfGame.of(self.model, s.P(whose, f) >= 0, given=given, **self.how)
        ((_, name, fact),) = asked.formula.terms  # type: ignore[attr-defined]
        values = asked.about(fact).probabilities(name)
        told_more = asked.exact is None and not {*values} <= {0, 1} and bool(asked.known.announced)
        answer = replace(asked.plain(Verdict.of(1, 1)), given=asked.given, more=told_more)
        return replace(answer, chances={"": values}, none=NO_WORLD)

    def happened(self, asked: WhatHappened) -> dict[str, Any]:
        """Return the events of the log, or the worlds that a player considers possible, if they are few."""
        game = self.model
        if asked.kind == "cells":
            known = game if isinstance(game, Told) else told(game, *asked.agents)
            return OfModel(build_model(known, asked.agents, limit=engines.MANY), self.words).happened(asked)
        if asked.kind == "where" or not all(f.is_boolean for _, f in asked.answers):
            raise GameError("of a game it is only counted in how many worlds a fact is true")
        if asked.kind == "counted":
            return {"names": (str(self.answer(asked.of(""), None).verdict.satisfied),), "none": "none"}
        if isinstance(game, Told):
            raise GameError("this is answered by the log of the game; a handout prints what its player knows")
        when, verbs = asked.when, move_verbs(game.setup)
        if when.endswith(" last"):
            when = in_last_night(when, _last_night(game))
        kind = _KINDS.get(asked.kind, Acted)
        actions = verbs.get(asked.kind) or {None}.union(*verbs.values())
        found = []
        for step, state in zip(game.steps, game.states, strict=False):
            time = f"{'day' if state.phase.kind == 'vote' else 'night'} {state.phase.number}"
            if when not in ("", time):
                continue
            for event in step:
                concerned = {event.actor} if isinstance(event, Acted) and asked.kind else event.named
                concerns = not asked.agents or concerned & {*asked.agents}
                if concerns and isinstance(event, kind) and getattr(event, "action", None) in actions:
                    found.append((str(state.phase), event.in_full().removesuffix(".")))
        return {"names": tuple(f"{phase}: {said}" for phase, said in found), "none": "nothing"}
