"""The game: the decisions of strategies, their consequences, and the probabilities.

A state consists of everybody's knowledge, the deal, and the scores. The players' strategies make all
decisions except those left to chance, so a game is a Markov chain on finitely many states; `successors` are
the transition probabilities. Results about a state are cached, and equal knowledge is one value, so no model
is built twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial, reduce
from operator import and_
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError, IllegalMove, KripkeError
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.base.reports.documents import Block, Outline
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.games.avalon.knowledge import Knowledge
from kripke_werewolf.games.avalon.outcomes import AvalonSimulation, AvalonSolution
from kripke_werewolf.games.avalon.rules import (
    PROPOSALS,
    AvalonTable,
    Deal,
    Outcome,
    Party,
    Role,
    Rules,
    Situation,
    deals,
    evil,
    is_merlin,
)
from kripke_werewolf.games.avalon.strategies import CautiousMerlin, Evil, Good
from kripke_werewolf.games.programs.chance import ONE, Mixed, add, jointly, sample, uniform
from kripke_werewolf.games.programs.decisions import (
    Rule,
    answered,
    answering,
    as_rule,
    decided,
    supports,
    weighed,
)
from kripke_werewolf.games.programs.match import Match, State, is_ours
from kripke_werewolf.games.programs.program import Decided
from kripke_werewolf.logic.formulas import Formula, atleast, atmost, conjunction, disjunction, exactly

# --- decisions -----------------------------------------------------------------------------------


class Ruling(NamedTuple):
    """A decision and its basis."""

    formula: Rule
    """The formula, or the mixture of formulas."""
    holds: bool
    """The truth value of the formula; for a mixture, the value drawn."""


@dataclass(frozen=True, eq=False)
class Ballot:
    """The formulas of the votes on a party: for each role, one rule per player."""

    rules: Mapping[Role, tuple[Rule, ...]]
    is_mixed: bool
    """Whether a vote is left to chance."""


class Decisions:
    """The strategies of a game, queried and checked; their answers are cached.

    A decision is a formula whose truth value at the actual world the player must know: it depends only on the
    worlds that the player considers possible (`cell`). The methods raise `IllegalMove` for a strategy that
    breaks a rule, naming the player and the rule.
    """

    def __init__(self, rules: Rules, by_role: Mapping[Role, Any]) -> None:
        self._rules, self._by_role = rules, by_role
        self._ballots: dict[Hashable, Ballot] = {}
        ours = {
            (role, question): is_ours(strategy, question)
            for role, strategy in by_role.items()
            for question in _asked_of(role)
        }
        playing = all(mine for (_, question), mine in ours.items() if question in _PLAYING)
        self._alike = {pair: playing if pair[1] in _PLAYING else mine for pair, mine in ours.items()}
        self._plain, self._rule = cache(self._make_plain), cache(self._make_rule)
        self.proposals, self.ballot = cache(self._proposals), cache(self._ballot)
        self.fails, self.suspects = cache(self._fails), cache(self._suspects)

    def same(self, now: Situation, question: str, role: Role = "evil") -> Situation:
        """Return a situation in which the answers to a question are the same, and votes if it is `fails`.

        The library's own strategies propose and vote by their knowledge and the size of the party, whatever
        the scores, and play cards according to whether two quests have failed. Others may depend on
        everything.
        """
        return self._plain(now, question) if self._alike[role, question] else now

    def _make_plain(self, now: Situation, question: str) -> Situation:
        lost = 2 if now.failed == 2 else 0
        first = self._rules.sizes.index(now.size, lost) - lost
        if question == "party":
            return Situation(self._rules, now.leader, 1, lost, first)
        last = now.attempt if now.attempt == PROPOSALS else 1
        return Situation(self._rules, 1, last, lost, first, now.stage, now.party)

    def _proposals(self, knowledge: Knowledge, cell: int, role: Role, now: Situation) -> Decided:
        """Return the parties that the leader may propose."""
        rule = (
            f"a party for quest {now.quest} has {now.size} different players of {now.players}, and a leader "
            "answers with a list of parties, or with choose({party: weight})"
        )
        illegal = partial(self._illegal, now.leader, role, "party", now, rule=rule)
        strategy = self._by_role[role]
        holds, asked = answering(knowledge, cell, partial(illegal, rule=_DECISION))

        def ask() -> dict[Party, Fraction]:
            answer = strategy.party(now.leader, now, holds)
            if not isinstance(answer, Mixed):
                listed = [*answer]
                answer = Mixed(tuple((proposed, uniform(len(listed))) for proposed in listed))
            found: dict[Party, Fraction] = {}
            for proposed, p in answer.weights:
                party = tuple(i for i in now.players if i in proposed)
                if not len(party) == len(proposed) == now.size:
                    raise illegal(f"proposes {proposed!r}")
                add(found, party, p)
            return found

        parties = answered(ask, illegal, ours=is_ours(strategy, "party"))
        if not parties:
            raise illegal("proposes no party")
        return Decided(parties, asked)

    def _ballot(self, now: Situation) -> Ballot:
        """Return the rules by which everybody would vote on a party."""
        plain = self.same(now, "approves")
        rules = {
            role: tuple(self._rule("approves", role, i, now.party, plain) for i in now.players)
            for role in self._by_role
        }
        # the same decisions in other situations are one ballot: what follows from it is found out once
        mixed = any(isinstance(rule, Mixed) for listed in rules.values() for rule in listed)
        return self._ballots.setdefault((now.party, *rules.values()), Ballot(rules, mixed))

    def _fails(self, now: Situation) -> tuple[Rule, ...]:
        """Return the rules by which the members of a party, if evil, play fail cards."""
        plain = self.same(now, "fails")
        return tuple(self._rule("fails", "evil", i, now.party, plain) for i in now.party)

    def _suspects(self, knowledge: Knowledge, deal: Deal, now: Situation) -> Party:
        """Return the possible choices of the assassin: all possible good players if nobody is suspect."""
        place, plain = State(knowledge, deal, now), self.same(now, "suspects")
        cell = knowledge.cell(deal.assassin, deal)
        candidates = [i for i in now.players if knowledge.settled(evil(i), cell) is not True]
        rules = {i: self._rule("suspects", "evil", deal.assassin, i, plain) for i in candidates}
        found = [i for i, rule in rules.items() if self.chance(place, "suspects", deal.assassin, rule)]
        return tuple(found or candidates)

    def chance(self, place: State, question: str, player: int, rule: Rule) -> Fraction:
        """Return the probability that a player decides yes."""
        knowledge, deal, now = place
        try:
            decision = decided(rule, knowledge, knowledge.cell(player, deal))
        except KripkeError as error:
            problem = f"decides by {rule} ({error})"
            raise self._illegal(player, deal.role(player), question, now, problem) from error
        if isinstance(decision, Formula):
            problem = f"decides by {decision}, which they neither know to be true nor know to be false"
            raise self._illegal(player, deal.role(player), question, now, problem)
        return decision

    # --- reading and checking --------------------------------------------------------------------

    def _make_rule(self, question: str, role: Role, player: int, about: object, now: Situation) -> Rule:
        """Return the answer of a player's strategy to one query."""
        strategy = self._by_role[role]

        def ask() -> Rule:
            return as_rule(getattr(strategy, question)(player, about, now))

        illegal = partial(self._illegal, player, role, question, now)
        return answered(ask, illegal, ours=is_ours(strategy, question))

    def _illegal(
        self, player: int, role: Role, question: str, now: Situation, problem: str, rule: str = ""
    ) -> IllegalMove:
        does = {
            "party": f"leads quest {now.quest}",
            "approves": f"votes on the party {', '.join(map(str, now.party))}",
            "fails": "plays a card",
            "suspects": "looks for Merlin",
        }
        return IllegalMove(
            f"Avalon, rules {self._rules.name!r}: player {player} ({role}) {does[question]} and {problem}; "
            f"the rule: {rule or _DECISION}"
        )


_DECISION = (
    "a decision is True, False or a formula about the game whose truth value the player knows, or a mixture "
    "of these, such as choose({True: '2/3', False: '1/3'})"
)
_QUESTIONS = ("party", "approves", "fails", "suspects")
"""The methods of a strategy of evil players; others have the first two."""
_PLAYING = ("approves", "fails")
_STAGES = {"vote": ("approves", "against", "for"), "cards": ("fails", "pass", "fail")}
"""What is asked at a stage, and the moves of those who decide no and yes."""


def _asked_of(role: str) -> tuple[str, ...]:
    return _QUESTIONS if role == "evil" else _QUESTIONS[:2]


# --- the game ------------------------------------------------------------------------------------


Next: TypeAlias = State | Outcome


class _TurnStep(NamedTuple):
    """A vote, or the cards on a quest."""

    place: State
    """The state before it."""
    rules: Mapping[int, Rule]
    """The rules by which players decide."""
    moves: Mapping[int, str]
    """What everybody does, in the words of `AvalonTable`."""
    now: Situation
    """The situation afterwards."""
    after: Knowledge
    """The knowledge afterwards."""

    def rulings(self) -> dict[int, Ruling]:
        """Return the decision of each player, with the rule that it follows."""
        yes = _STAGES[self.place.now.stage][2]
        return {i: Ruling(rule, self.moves[i] == yes) for i, rule in self.rules.items()}


class Turn(NamedTuple):
    """A proposal and its consequences."""

    state: State
    party: Party
    choice: Decided
    """The parties that the leader might have proposed, with the leader's queries."""
    votes: Mapping[int, Ruling]
    """The vote of each player with its formula; empty if the party is accepted without a vote."""
    heard: Knowledge
    """The knowledge after the vote."""
    cards: Mapping[int, Ruling]
    """The card decision of each evil member; empty if no quest takes place."""
    fails: int | None
    """The number of fail cards; None if the party is rejected."""
    announcement: Formula | None
    """The formula announced by the result of the quest, if any."""
    after: Knowledge
    """The knowledge after the turn."""
    suspects: Party
    """The players from whom evil players choose Merlin; empty if there is no assassination."""
    following: Mapping[Next, Fraction]
    """The next states or outcomes with their probabilities."""


@dataclass(frozen=True, slots=True, repr=False)
class AvalonPlay(Displayed):
    """A game from the deal to the outcome; `str` narrates it."""

    rules: Rules
    turns: tuple[Turn, ...]
    outcome: Outcome

    @property
    def deal(self) -> Deal:
        """The roles."""
        deal: Deal = self.turns[0].state.world
        return deal

    def headline(self) -> str:
        """Return the outcome."""
        return f"{self.outcome} ({counted(len(self.turns), 'turn')})"

    def display(self) -> Iterator[Block]:
        """Yield the narrated game."""
        yield Outline(str(self))

    def __str__(self) -> str:
        from kripke_werewolf.games.avalon.telling import as_text

        return as_text(self)


class Avalon(Match[AvalonSolution, AvalonSimulation]):
    """The game under given rules, with given strategies; by default those of the rules.

    `good`, `merlin`, `evil`: the strategies of the good players, of Merlin, and of the evil players. Without
    `merlin` a naive Merlin plays by the strategy `good`, and a cautious one hides among players of that
    strategy.

    >>> game = Avalon(Rules(merlin="naive", assassinate=True))
    >>> game.play(rng=1).outcome.winner
    'evil'

    Raises GameError for anything but a strategy, and for a strategy without a player.
    """

    title = "Avalon"
    solution = AvalonSolution
    simulation = AvalonSimulation

    def __init__(
        self,
        rules: Rules,
        *,
        good: Good | None = None,
        merlin: Good | None = None,
        evil: Evil | None = None,
    ) -> None:
        if not isinstance(rules, Rules):
            raise GameError(f"rules={rules!r} are not rules (try published(), intended() or Rules(…))")
        if merlin is not None and rules.merlin is None:
            raise GameError(f"a strategy for Merlin was given, but the rules {rules.name!r} have merlin=None")
        self.rules, self.game = rules, AvalonTable(rules)
        self._given: dict[str, Any] = {"good": good, "merlin": merlin, "evil": evil}
        self._by_role: dict[Role, Any] = {
            "good": _strategy("good", good, Good()),
            "evil": _strategy("evil", evil, Evil()),
        }
        if rules.merlin is not None:
            behind = self._by_role["good"]
            if rules.merlin == "cautious":
                behind = CautiousMerlin(behind)
            self._by_role["Merlin"] = _strategy("merlin", merlin, behind)
        self.forget()

    def forget(self) -> None:
        """Clear the cached results of the strategies."""
        self.decisions = Decisions(self.rules, self._by_role)
        self._dealt = cache(partial(Knowledge.dealt, self.rules))
        self._courses_from = defaultdict[State, dict[Party, list[tuple[Knowledge, Any, Fraction]]]](dict)
        self._heard = cache(self._make_heard)
        self._announcement = cache(self._make_announcement)
        self._onward = cache(self._make_onward)
        self._roles = cache(self._make_roles)

    def options(self) -> dict[str, object]:
        """Return the name of the rules and the value of every option."""
        return {"name": self.rules.name, **self.rules.options()}

    def strategies(self) -> dict[str, object]:
        """Return the strategies by role."""
        return dict(self._by_role.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Avalon, self.rules, **self._given), ()

    # --- the walk --------------------------------------------------------------------------------

    def stage(self, state: State) -> int:
        """Return the number of the proposal: games at the earliest proposal move first."""
        return int(state.now.quest * (PROPOSALS + 1) + state.now.attempt)

    def starts(self) -> dict[State, Fraction]:
        """Return the states after the deal, with their probabilities."""
        states = []
        for deal in deals(self.rules):
            knowledge = self._dealt(merlin=deal.merlin if self.rules.worlds == "pairs" else None)
            states += [State(knowledge, deal, Situation(self.rules, i, 1, 0, 0)) for i in self.rules.seats]
        return dict.fromkeys(states, uniform(len(states)))

    def turns(self, state: State, party: Party) -> list[tuple[Turn, Fraction]]:
        """Return the possible consequences of proposing a party, with their probabilities."""
        choice, found = self.choice(state), []
        for course, p in self.courses(self.proposing(state, party)):
            rulings = {step.place.now.stage: step.rulings() for step in course}
            votes, cards = (rulings.get(stage, {}) for stage in _STAGES)
            place, _, _, now, after = course[-1]
            heard = course[0].after if votes else course[0].place.knowledge
            said = None if now.fails is None else self.announced(place.now, now.fails)
            ends = self.following(state._replace(knowledge=after), now.fails)
            found.append((Turn(state, party, choice, votes, heard, cards, now.fails, said, after, *ends), p))
        return found

    def successors(self, state: State) -> dict[Next, Fraction]:
        """Return the possible successors, states and outcomes, with their probabilities."""
        _, deal, now = state
        here = state._replace(now=self.decisions.same(now, "fails"))
        known = self._courses_from[here]
        out: dict[Next, Fraction] = {}
        for party, weight in self.choice(state).moves.items():
            if party not in known:
                ends = ((course[-1], p) for course, p in self.courses(self.proposing(here, party)))
                known[party] = [(last.after, last.now.fails, p) for last, p in ends]
            for after, fails, p in known[party]:
                for place, q in self.following(State(after, deal, now), fails)[1].items():
                    add(out, place, weight * p * q)
        return out

    def _make_roles(self, knowledge: Knowledge, player: int) -> list[tuple[Role, int]]:
        """Return the worlds where a player has each role."""
        as_evil, as_merlin = knowledge.truth(evil(player)), knowledge.truth(is_merlin(player))
        rest = knowledge.space.all & ~as_evil & ~as_merlin
        found: list[tuple[Role, int]] = [("evil", as_evil), ("Merlin", as_merlin), ("good", rest)]
        return [entry for entry in found if entry[1]]

    def play(self, *, rng: np.random.Generator | int | None = None) -> AvalonPlay:
        """Return one game with chance drawn from `rng`; raises GameError for an invalid seed."""
        chance = generator(rng)
        self.current()
        place: Next = sample(self.starts(), chance)
        turns: list[Turn] = []
        while isinstance(place, State):
            found = self.turns(place, sample(self.choice(place).moves, chance))
            number = 0
            if len(found) > 1:
                number = sample({n: p for n, (_, p) in enumerate(found)}, chance)
            turns.append(found[number][0])
            place = sample(turns[-1].following, chance)
        self.unchanged()
        return AvalonPlay(self.rules, tuple(turns), place)

    # --- proposals, votes, quests and scores -------------------------------------------------------

    def choice(self, state: State) -> Decided:
        """Return the parties that the leader may propose, with their probabilities and the queries."""
        knowledge, deal, now = state
        cell = knowledge.cell(now.leader, deal)
        role = deal.role(now.leader)
        return self.decisions.proposals(knowledge, cell, role, self.decisions.same(now, "party", role))

    def proposing(self, state: State, party: Party) -> State:
        """Return the state after a proposal."""
        knowledge, deal, now = state
        moved = self.game.moved(now, {now.leader: party})
        return State(knowledge, deal, moved)

    def courses(self, place: State) -> Iterator[tuple[tuple[_TurnStep, ...], Fraction]]:
        """Yield the possible courses of a proposal (a vote, the cards, or both), with their probabilities."""
        question, no, yes = _STAGES[place.now.stage]
        rules, chances = self.ruled(place), dict[int, dict[str, Fraction]]()
        for i, rule in rules.items():
            p = self.decisions.chance(place, question, i, rule)
            chances[i] = {yes if p else no: ONE}
            if p and p is not ONE:
                chances[i] = {yes: p, no: 1 - p}
        for moves, p in jointly(chances):
            now = self.game.moved(place.now, moves)
            step = _TurnStep(place, rules, moves, now, self.learnt(place, moves))
            if now.stage == place.now.stage:
                yield (step,), p
            else:
                for course, q in self.courses(State(step.after, place.world, step.now)):
                    yield (step, *course), p * q

    def ruled(self, place: State) -> dict[int, Rule]:
        """Return the rules by which players vote, or evil members of a party play fail cards."""
        _, deal, now = place
        if now.stage == "vote":
            ballot = self.decisions.ballot(now)
            return {i: ballot.rules[deal.role(i)][i - 1] for i in self.rules.seats}
        fails = zip(now.party, self.decisions.fails(now), strict=True)
        return {i: rule for i, rule in fails if i in deal.evil}

    def learnt(self, place: State, moves: Mapping[int, Any]) -> Knowledge:
        """Return everybody's knowledge after votes or cards."""
        knowledge: Knowledge = place.knowledge
        now: Situation = place.now
        if now.stage == "vote":
            ballot = self.decisions.ballot(now)
            approving = tuple(i for i in moves if ballot.is_mixed and moves[i] == "for")
            return self._heard(knowledge, ballot, approving)
        said = self.announced(now, [*moves.values()].count("fail"))
        if said is None:
            return knowledge
        if not knowledge.holds(said, place.world):
            raise GameError(
                f"Avalon, rules {self.rules.name!r}: announcements={self.rules.announcements!r} does not fit "
                f"the strategy {self._by_role['evil']!r} of the evil players: {said} is announced, and false "
                f"in {place.world}"
            )
        return knowledge.left(knowledge.truth(said))

    def announced(self, now: Situation, fails: int) -> Formula | None:
        """Return the formula announced by the number of fail cards, if any."""
        return self._announcement(fails, now.party, self.decisions.fails(now))

    def following(self, state: State, fails: int | None) -> tuple[Party, Mapping[Next, Fraction]]:
        """Return the suspects, if there is an assassination, and what follows a quest or a rejection.

        The state has the knowledge afterwards. `fails`: the number of fail cards, None after a rejection.
        """
        onward = self._onward(state.now, fails)
        if isinstance(onward, Outcome):
            return (), {onward: ONE}
        if onward[0].stage == "party":
            share = uniform(len(onward))
            return (), {State(state.knowledge, state.world, now): share for now in onward}
        suspects = self.decisions.suspects(state.knowledge, state.world, onward[0])
        risk = Fraction(suspects.count(state.world.merlin or 0), len(suspects))
        end = Outcome("good", state.now.quest)
        ends: dict[Next, Fraction] = {end: 1 - risk, end._replace(winner="evil", by="assassination"): risk}
        return suspects, {place: p for place, p in ends.items() if p}

    def _make_onward(self, now: Situation, fails: int | None) -> Outcome | tuple[Situation, ...]:
        onward = self.game.onward(now._replace(fails=fails))
        if isinstance(onward, Outcome):
            return onward
        if onward[0].stage == "name":
            return tuple(self.decisions.same(now, "suspects") for now in onward)
        return tuple(now._replace(fails=None) for now in onward)

    # --- what everybody learns -------------------------------------------------------------------

    def _make_heard(self, knowledge: Knowledge, ballot: Ballot, approving: Party) -> Knowledge:
        """Return the knowledge after a vote: evil players compare it with the votes expected for each deal.

        For mixed votes they compare the approving players: the worlds in which these votes are possible are
        separated from the others, and these from each other by the votes possible there.
        """
        seats = self.rules.seats
        if self.rules.merlin is None or not self.rules.inference:
            return knowledge
        votes = [self._approves(knowledge, ballot, i) for i in seats]
        if not ballot.is_mixed:
            return knowledge.observed([yes for yes, _ in votes])
        fits = reduce(and_, [votes[i - 1][i not in approving] for i in seats])
        return knowledge.observed([fits, *(side & ~fits for sides in votes for side in sides)])

    def _approves(self, knowledge: Knowledge, ballot: Ballot, player: int) -> tuple[int, int]:
        """Return the worlds in which a player may approve, and those in which they may not."""
        may = not_ = 0
        for role, inside in self._roles(knowledge, player):
            yes, no = supports(ballot.rules[role][player - 1], knowledge)
            may, not_ = may | inside & yes, not_ | inside & no
        return may, not_

    def _make_announcement(self, number: int, party: Party, fails: tuple[Rule, ...]) -> Formula | None:
        """Return the formula announced by the number of fail cards."""
        if self.rules.announcements == "policy":
            options = [(evil(i), [f for f, _ in weighed(rule)]) for i, rule in zip(party, fails, strict=True)]
            may = [as_evil & disjunction(listed) for as_evil, listed in options]
            must = [as_evil & conjunction(listed) for as_evil, listed in options]
            if not any(isinstance(rule, Mixed) for rule in fails):
                return exactly(number, *may)
            return atleast(number, *may) & atmost(number, *must)
        if number:
            return atleast(number, *map(evil, party))
        if self.rules.announcements == "success":
            return conjunction(~evil(a) for a in party)
        return None


def _strategy(role: str, given: Any, default: Any) -> Any:
    """Return the strategy of a role, by default another one; raises GameError for anything else."""
    if given is None:
        return default
    missing = [name for name in _asked_of(role) if not callable(getattr(given, name, None))]
    if missing or isinstance(given, type):
        problem = f"has no {' and no '.join(missing)}" if missing else "is a class, not an instance of it"
        needed = ", ".join(_asked_of(role))
        raise GameError(f"{role}={given!r} is not a strategy: it {problem} (needed: {needed})")
    return given
