"""The game: what strategies decide, what happens then, and with what probability.

A state is what everybody knows, the deal, and the scores. The players' strategies decide everything but
the choices left to chance, so a game is a walk on finitely many states; `successors` are the transition
probabilities. Everything found out about a state is remembered, and equal knowledge is one value, so no
model is built twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from kripke_werewolf.avalon.knowledge import Knowledge, deals, initial_model
from kripke_werewolf.avalon.rules import (
    PLAYERS,
    PROPOSALS,
    Deal,
    Outcome,
    Party,
    Role,
    Rules,
    evil,
    is_good,
    is_merlin,
)
from kripke_werewolf.avalon.strategies import (
    CautiousMerlin,
    Evil,
    EvilStrategy,
    Good,
    GoodStrategy,
    Situation,
)
from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FalseAnnouncement, GameError, IllegalMove, KripkeError
from kripke_werewolf.language import Formula, atleast, conjunction, exactly
from kripke_werewolf.language.formulas import FormulaLike, formula
from kripke_werewolf.reports.documents import Block, Outline
from kripke_werewolf.reports.tables import counted

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")


# --- decisions -----------------------------------------------------------------------------------


class Decision(NamedTuple):
    """A formula by which a player decided, and whether it is true."""

    formula: Formula
    holds: bool


class Proposals(NamedTuple):
    """The parties that a leader may propose."""

    parties: Mapping[Party, Fraction]
    """Their probabilities."""
    asked: Mapping[Formula, bool]
    """The questions that the leader asked in order to find them, with the answers."""


class Ballot(NamedTuple):
    """The formulas by which the players vote on a party: for each role, one formula per player."""

    party: Party
    good: tuple[Formula, ...]
    merlin: tuple[Formula, ...]
    evil: tuple[Formula, ...]

    def formula(self, player: int, role: Role) -> Formula:
        """Return the formula by which a player votes in a role."""
        of_role = self.good if role == "good" else self.evil if role == "evil" else self.merlin
        return of_role[player - 1]


class Decisions:
    """The strategies of a game, asked and checked; their answers are remembered.

    A decision is a formula, true or false at the actual world, and the player must know which: it depends
    on nothing but the worlds that the player considers possible (`cell`). The methods raise `IllegalMove`
    for a strategy that breaks a rule, naming the player and the rule.
    """

    def __init__(self, rules: Rules, good: GoodStrategy, merlin: GoodStrategy, evil: EvilStrategy) -> None:
        self._rules, self._evil = rules, evil
        self._strategies: dict[Role, GoodStrategy] = {"good": good, "Merlin": merlin, "evil": evil}
        self.proposals = cache(self._proposals)
        self.ballot = cache(self._ballot)
        self.fails = cache(self._fails)
        self.suspects = cache(self._suspects)

    def _proposals(self, knowledge: Knowledge, cell: int, role: Role, now: Situation) -> Proposals:
        """Return the parties that the leader may propose."""
        move = now.leader, role, f"leads quest {now.quest}"
        asked: dict[Formula, bool] = {}

        def holds(f: FormulaLike) -> bool:
            read = self._read(move, f)
            asked[read] = self._decided(move, read, knowledge, cell)
            return asked[read]

        def ask() -> tuple[object, list[object]]:
            answer: object = self._strategies[role].party(now.leader, now, holds)
            return answer, list(answer) if isinstance(answer, Iterable) else [answer]

        rule = _proposing(now.quest, now.size)
        answer, named = self._answered(move, rule, ask)
        found = []
        for proposed in named:
            party = _party(proposed, now.size)
            if party is None:
                no_party = f"answers {answer!r}, in which {proposed!r} is no party"
                problem = f"proposes {proposed!r}" if isinstance(proposed, _COLLECTIONS) else no_party
                raise self._illegal(move, problem, rule)
            found.append(party)
        if not found:
            raise self._illegal(move, "proposes no party", rule)
        share = _one_of(len(found))
        parties: dict[Party, Fraction] = {}
        for party in found:
            parties[party] = parties[party] + share if party in parties else share
        return Proposals(parties, asked)

    def _ballot(self, now: Situation, party: Party) -> Ballot:
        """Return the formulas by which everybody would vote on a party."""

        def approvals(role: Role) -> tuple[Formula, ...]:
            approves, does = self._strategies[role].approves, _voting(party)
            return tuple([self._asked((i, role, does), approves, i, party, now) for i in PLAYERS])

        good = approvals("good")
        return Ballot(party, good, approvals("Merlin") if self._rules.merlin else good, approvals("evil"))

    def _fails(self, now: Situation, party: Party) -> tuple[Formula, ...]:
        """Return the formulas by which the members of a party would play fail cards, being evil."""
        return tuple([self._asked((i, "evil", _QUESTING), self._evil.fails, i, party, now) for i in party])

    def _suspects(self, knowledge: Knowledge, deal: Deal, now: Situation) -> tuple[int, ...]:
        """Return of whom evil players name one as Merlin: all good players, should nobody be suspect."""
        assassin = deal.evil[0]
        move: Move = assassin, "evil", "looks for Merlin"
        cell = knowledge.cell(assassin, deal)
        found = {good: self._asked(move, self._evil.suspects, assassin, good, now) for good in deal.good}
        return tuple(g for g, f in found.items() if self._decided(move, f, knowledge, cell)) or deal.good

    def approving(self, knowledge: Knowledge, deal: Deal, ballot: Ballot) -> tuple[int, ...]:
        """Return the players who vote for a party."""
        formulas = [(i, ballot.formula(i, deal.role(i))) for i in PLAYERS]
        return self._affirming(formulas, _voting(ballot.party), knowledge, deal)

    def failing(
        self, knowledge: Knowledge, deal: Deal, party: Party, fails: tuple[Formula, ...]
    ) -> tuple[int, ...]:
        """Return the evil members of a party who play a fail card."""
        formulas = [(i, f) for i, f in zip(party, fails, strict=True) if i in deal.evil]
        return self._affirming(formulas, _QUESTING, knowledge, deal)

    def _affirming(
        self, formulas: Iterable[tuple[int, Formula]], does: str, knowledge: Knowledge, deal: Deal
    ) -> tuple[int, ...]:
        """Return the players who decide in the affirmative by their formulas."""
        found = []
        for i, f in formulas:
            if self._decided((i, deal.role(i), does), f, knowledge, knowledge.cell(i, deal)):
                found.append(i)
        return tuple(found)

    # --- reading and checking --------------------------------------------------------------------

    def _decided(self, move: Move, f: Formula, knowledge: Knowledge, cell: int) -> bool:
        """Return how a player decides by a formula, considering the worlds of a cell possible."""
        try:
            decision = knowledge.settled(f, cell)
        except KripkeError as error:
            raise self._illegal(move, f"decides by {f} ({error})", _DECISION) from error
        if decision is None:
            problem = f"decides by {f}, which they neither know to be true nor know to be false"
            raise self._illegal(move, problem, _DECISION)
        return decision

    def _asked(self, move: Move, ask: Callable[..., object], *arguments: object) -> Formula:
        """Return the formula that a strategy answers."""
        return self._read(move, self._answered(move, _DECISION, ask, *arguments))

    def _answered(self, move: Move, rule: str, ask: Callable[..., T], *arguments: object) -> T:
        """Return the answer of a strategy; an error inside it is raised as one of the player."""
        try:
            return ask(*arguments)
        except IllegalMove:
            raise
        except Exception as error:
            problem = f"their strategy raises {type(error).__name__}: {error}"
            raise self._illegal(move, problem, rule) from error

    def _read(self, move: Move, answer: object) -> Formula:
        """Return the formula that is meant by an answer."""
        try:
            return formula(answer)  # type: ignore[arg-type]
        except KripkeError as error:
            raise self._illegal(move, f"decides by {answer!r} ({error})", _DECISION) from error

    def _illegal(self, move: Move, problem: str, rule: str) -> IllegalMove:
        player, role, does = move
        return IllegalMove(
            f"Avalon, rules {self._rules.name!r}: player {player} ({role}) {does} and {problem}; "
            f"the rule: {rule}"
        )


Move: TypeAlias = tuple[int, Role, str]
"""A player in a role, and what they are about to do."""

_DECISION = "a decision is True, False or a formula about the game whose truth value the player knows"
_QUESTING = "plays a card"
_COLLECTIONS = (tuple, list, set, frozenset)


@cache
def _proposing(quest: int, size: int) -> str:
    party = f"a party for quest {quest} has {size} different players of {PLAYERS}"
    return f"{party}, and a leader answers with a list of parties"


@cache
def _voting(party: Party) -> str:
    return f"votes on the party {', '.join(map(str, party))}"


def _is_whole(a: object) -> bool:
    return isinstance(a, Integral) and not isinstance(a, bool)


def _party(proposed: object, size: int) -> Party | None:
    """Return a proposed party in ascending order; None if it is no party of that size."""
    if not isinstance(proposed, _COLLECTIONS):
        return None
    players = {int(a) for a in proposed if type(a) is int or _is_whole(a)}
    fits = len(proposed) == len(players) == size and players <= set(PLAYERS)
    return tuple(sorted(players)) if fits else None


# --- the game ------------------------------------------------------------------------------------


class State(NamedTuple):
    """Where a game stands when the leader is about to propose a party."""

    knowledge: Knowledge
    deal: Deal
    now: Situation


Next: TypeAlias = State | Outcome


class Vote(NamedTuple):
    """The formulas by which everybody votes on a party, who approves, and the knowledge afterwards."""

    ballot: Ballot
    approving: tuple[int, ...]
    heard: Knowledge


class Quest(NamedTuple):
    """The formulas by which a party would fail, who does, the announcement, and the knowledge afterwards."""

    fails: tuple[Formula, ...]
    failing: tuple[int, ...]
    announcement: Formula | None
    after: Knowledge


class Turn(NamedTuple):
    """One proposal and what came of it."""

    state: State
    party: Party
    choice: Proposals
    """The parties that the leader might have proposed, and the questions asked in order to find them."""
    vote: Vote | None
    """None if the party is accepted without a vote."""
    quest: Quest | None
    """None if the party is rejected."""
    suspects: tuple[int, ...]
    """Of whom evil players name one as Merlin; empty where there is no assassination."""
    following: Mapping[Next, Fraction]
    """The states or outcomes that follow, with their probabilities."""

    @property
    def votes(self) -> dict[int, Decision]:
        """Who votes for the party and by which formula; empty where it is accepted without a vote."""
        if self.vote is None:
            return {}
        formulas = {i: self.vote.ballot.formula(i, self.state.deal.role(i)) for i in PLAYERS}
        return {i: Decision(f, i in self.vote.approving) for i, f in formulas.items()}

    @property
    def accepted(self) -> bool:
        """Whether there is a quest."""
        return self.quest is not None

    @property
    def heard(self) -> Knowledge:
        """The knowledge after the vote."""
        return self.vote.heard if self.vote else self.state.knowledge

    @property
    def cards(self) -> dict[int, Decision]:
        """Which evil members of the party play a fail card; empty where no quest takes place."""
        if self.quest is None:
            return {}
        formulas = zip(self.party, self.quest.fails, strict=True)
        return {i: Decision(f, i in self.quest.failing) for i, f in formulas if i in self.state.deal.evil}

    @property
    def fails(self) -> int:
        """The number of fail cards played."""
        return len(self.quest.failing) if self.quest else 0

    @property
    def announcement(self) -> Formula | None:
        """What the result of the quest announces, if anything."""
        return self.quest.announcement if self.quest else None

    @property
    def after(self) -> Knowledge:
        """The knowledge after the quest."""
        return self.quest.after if self.quest else self.heard


@dataclass(frozen=True, slots=True, repr=False)
class Played(Displayed):
    """A game from the deal to the outcome; `str` and `html` tell it."""

    rules: Rules
    turns: tuple[Turn, ...]
    outcome: Outcome

    @property
    def deal(self) -> Deal:
        """The roles."""
        return self.turns[0].state.deal

    def headline(self) -> str:
        """Return how it ended."""
        return f"{self.outcome} ({counted(len(self.turns), 'turn')})"

    def display(self) -> Iterator[Block]:
        """Yield the game told."""
        yield Outline(str(self))

    def __str__(self) -> str:
        from kripke_werewolf.avalon.telling import as_text

        return as_text(self)

    def html(self) -> str:
        """Return the game told as an HTML page."""
        from kripke_werewolf.avalon.telling import as_html

        return as_html(self)


class Avalon:
    """The game under given rules, with given strategies; by default those of the rules.

    >>> game = Avalon(Rules(merlin="naive", assassinate=True))
    >>> game.play(rng=1).outcome.winner
    'evil'

    Raises GameError for what is no strategy, and for one without a player to play it.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        good: GoodStrategy | None = None,
        merlin: GoodStrategy | None = None,
        evil: EvilStrategy | None = None,
    ) -> None:
        if not isinstance(rules, Rules):
            raise GameError(f"rules={rules!r} are no rules (try published(), intended() or Rules(…))")
        for role, strategy in (("good", good), ("merlin", merlin), ("evil", evil)):
            _check_strategy(role, strategy)
        if merlin is not None and rules.merlin is None:
            raise GameError(f"a strategy for Merlin was given, but the rules {rules.name!r} have merlin=None")
        self.rules = rules
        self.good: GoodStrategy = good or Good()
        self.merlin = merlin or (
            {"naive": Good(), "cautious": CautiousMerlin()}[rules.merlin] if rules.merlin else None
        )
        self.evil: EvilStrategy = evil or Evil()
        self._decisions = Decisions(rules, self.good, self.merlin or self.good, self.evil)
        self._dealt = cache(self._make_dealt)
        self._vote = cache(self._make_vote)
        self._heard = cache(self._make_heard)
        self._quest = cache(self._make_quest)
        self._announcement = cache(self._make_announcement)

    def _parts(self) -> tuple[Rules, GoodStrategy, GoodStrategy | None, EvilStrategy]:
        return self.rules, self.good, self.merlin, self.evil

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, Avalon) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Avalon, self.rules, good=self.good, merlin=self.merlin, evil=self.evil), ()

    def __repr__(self) -> str:
        return f"Avalon({self.rules!r}, good={self.good!r}, merlin={self.merlin!r}, evil={self.evil!r})"

    # --- the walk --------------------------------------------------------------------------------

    def starts(self) -> dict[State, Fraction]:
        """Return the states after the deal, with their probabilities."""
        states = [
            State(
                self._dealt(deal.merlin if self.rules.worlds == "pairs" else None),
                deal,
                Situation(self.rules, leader, 1, 0, 0),
            )
            for deal in deals(self.rules)
            for leader in PLAYERS
        ]
        return dict.fromkeys(states, _one_of(len(states)))

    def proposals(self, state: State) -> Mapping[Party, Fraction]:
        """Return the parties that the leader may propose, with their probabilities."""
        return self._choice(state).parties

    def turn(self, state: State, party: Party) -> Turn:
        """Return what happens when the leader proposes a party."""
        return self._turn(state, party, self._choice(state))

    def successors(self, state: State) -> dict[Next, Fraction]:
        """Return the states and outcomes that can follow, with their probabilities."""
        out: dict[Next, Fraction] = {}
        choice = self._choice(state)
        for party, p in choice.parties.items():
            for following, q in self._turn(state, party, choice).following.items():
                share = p if q == 1 else p * q
                out[following] = out[following] + share if following in out else share
        return out

    def play(self, *, rng: np.random.Generator | int | None = None) -> Played:
        """Return one game, chance being drawn from `rng`; raises GameError for what is no seed."""
        chance = generator(rng)
        place: Next = draw(self.starts(), chance)
        turns: list[Turn] = []
        while isinstance(place, State):
            turns.append(self.turn(place, draw(self.proposals(place), chance)))
            place = draw(turns[-1].following, chance)
        return Played(self.rules, tuple(turns), place)

    # --- proposals, votes, quests and scores -------------------------------------------------------

    def _choice(self, state: State) -> Proposals:
        knowledge, deal, now = state
        cell = knowledge.cell(now.leader, deal)
        return self._decisions.proposals(knowledge, cell, deal.role(now.leader), now)

    def _turn(self, state: State, party: Party, choice: Proposals) -> Turn:
        knowledge, deal, now = state
        vote, quest, after = None, None, knowledge
        if now.attempt < PROPOSALS or self.rules.fifth == "fails":
            vote = self._vote(knowledge, deal, self._decisions.ballot(now, party))
            after = vote.heard
        if vote is None or len(vote.approving) >= 3:
            quest = self._quest(after, deal, party, self._decisions.fails(now, party))
            after = quest.after
        suspects, following = self._following(State(after, deal, now), quest)
        return Turn(state, party, choice, vote, quest, suspects, following)

    def _following(self, state: State, quest: Quest | None) -> tuple[tuple[int, ...], dict[Next, Fraction]]:
        """Return the suspects, if there is an assassination, and what follows a quest or a rejection."""
        knowledge, deal, now = state
        if quest is None and now.attempt < PROPOSALS:
            return (), self._next_leader(state, now.attempt + 1, now.failed, now.succeeded)
        failed = quest is None or bool(quest.failing)
        lost, won = now.failed + failed, now.succeeded + (not failed)
        if max(lost, won) < 3:
            return (), self._next_leader(state, 1, lost, won)
        end = Outcome("evil" if failed else "good", now.quest)
        if failed or not self.rules.assassinate:
            return (), {end: _one_of(1)}
        suspects = self._decisions.suspects(knowledge, deal, now)
        risk = Fraction(suspects.count(deal.merlin or 0), len(suspects))
        ends: dict[Next, Fraction] = {end: 1 - risk, Outcome("evil", now.quest, "assassination"): risk}
        return suspects, {end: p for end, p in ends.items() if p}

    def _next_leader(self, state: State, attempt: int, failed: int, succeeded: int) -> dict[Next, Fraction]:
        """Return the states in which the next leader may propose."""
        knowledge, deal, now = state
        leaders = PLAYERS if self.rules.leader == "random" else (now.leader % len(PLAYERS) + 1,)
        share = _one_of(len(leaders))
        return {
            State(knowledge, deal, Situation(now.rules, leader, attempt, failed, succeeded)): share
            for leader in leaders
        }

    def _make_vote(self, knowledge: Knowledge, deal: Deal, ballot: Ballot) -> Vote:
        approving = self._decisions.approving(knowledge, deal, ballot)
        return Vote(ballot, approving, self._heard(knowledge, ballot))

    def _make_quest(
        self, knowledge: Knowledge, deal: Deal, party: Party, fails: tuple[Formula, ...]
    ) -> Quest:
        failing = self._decisions.failing(knowledge, deal, party, fails)
        announcement = self._announcement(len(failing), party, fails)
        if announcement is None:
            return Quest(fails, failing, None, knowledge)
        if not knowledge.holds(announcement, deal):
            error = FalseAnnouncement(announcement, [deal])
            raise GameError(
                f"Avalon, rules {self.rules.name!r}: announcements={self.rules.announcements!r} does not fit "
                f"the strategy {self.evil!r} of the evil players: {error}"
            ) from error
        return Quest(fails, failing, announcement, knowledge.announced(announcement))

    # --- what everybody learns -------------------------------------------------------------------

    def _make_dealt(self, merlin: int | None) -> Knowledge:
        return Knowledge(initial_model(self.rules, merlin=merlin))

    def _make_heard(self, knowledge: Knowledge, ballot: Ballot) -> Knowledge:
        """Return the knowledge after a vote: evil players compare it with what each deal lets expect."""
        if self.rules.merlin is None or not self.rules.inference:
            return knowledge

        def approves(player: int) -> int:
            """Return the worlds in which the player would approve."""
            truth = knowledge.truth
            as_evil, as_merlin = truth(evil(player)), truth(is_merlin(player))
            return (
                as_evil & truth(ballot.formula(player, "evil"))
                | as_merlin & truth(ballot.formula(player, "Merlin"))
                | truth(ballot.formula(player, "good")) & ~as_evil & ~as_merlin
            )

        return knowledge.observed([approves(i) for i in PLAYERS])

    def _make_announcement(self, number: int, party: Party, fails: tuple[Formula, ...]) -> Formula | None:
        """Return what the number of fail cards announces."""
        if self.rules.announcements == "policy":
            return exactly(number, *(evil(i) & f for i, f in zip(party, fails, strict=True)))
        if number:
            return atleast(number, *map(evil, party))
        return conjunction(map(is_good, party)) if self.rules.announcements == "success" else None


@cache
def _one_of(number: int) -> Fraction:
    """Return the probability of each of so many equally likely choices."""
    return Fraction(1, number)


def check_game(game: object) -> None:
    """Raise GameError for what is no game."""
    if not isinstance(game, Avalon):
        given = f"the rules {game.name!r}" if isinstance(game, Rules) else repr(game)
        raise GameError(f"expected a game, such as Avalon(published()); got {given}")


def _check_strategy(role: str, strategy: object) -> None:
    if strategy is None:
        return
    wanted = ("party", "approves", "fails", "suspects") if role == "evil" else ("party", "approves")
    missing = [name for name in wanted if not callable(getattr(strategy, name, None))]
    if missing or isinstance(strategy, type):
        problem = "is a class, not an instance of it" if not missing else f"has no {' and no '.join(missing)}"
        raise GameError(f"{role}={strategy!r} is not a strategy: it {problem} (needed: {', '.join(wanted)})")


# --- chance --------------------------------------------------------------------------------------


def generator(rng: np.random.Generator | int | None) -> np.random.Generator:
    """Return the generator of a seed, or the one given; raises GameError for what is neither.

    >>> int(generator(7).integers(1000)) == int(generator(7).integers(1000))
    True
    """
    import numpy as np

    try:
        made = np.random.default_rng(rng)
    except (TypeError, ValueError):
        made = None
    # a generator without a seed sequence, as that of an old RandomState, cannot spawn others
    if made is None or not isinstance(made.bit_generator.seed_seq, np.random.SeedSequence):
        raise GameError(f"rng={rng!r} is not possible (allowed: a whole number from 0, a Generator, None)")
    return made


def draw(weights: Mapping[T, Fraction], rng: np.random.Generator) -> T:
    """Return one of the keys, drawn by its probability."""
    import numpy as np

    outcomes = list(weights)
    bounds = np.cumsum([float(p) for p in weights.values()])
    return outcomes[min(int(np.searchsorted(bounds, rng.random(), side="right")), len(outcomes) - 1)]
