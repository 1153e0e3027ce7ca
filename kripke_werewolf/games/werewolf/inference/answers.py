"""Answers from all histories that explain a player's information: K, P, moves, numbers, an example.

`infer` reads a handout and returns `Histories`. A pair of a history and a world of its superposition is a
course of an ordinary game that the player considers possible. The player knows the formulas that are true in
all pairs; a pair has the probability of the history divided by its number of worlds, where others are assumed
to choose uniformly among their allowed moves (the probabilities of draws are exact).

`because` finds entries of the tables that force a conclusion; the player's own record and the public events
are given. A set of entries is irreducible if leaving out any of them leaves the conclusion open. For a
smallest set: a set forces the conclusion exactly if it meets every set whose complement leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from importlib.util import find_spec
from itertools import chain, combinations, groupby
from math import factorial
from typing import Any, Literal, TypeAlias, TypeVar, cast

from kripke_werewolf.base.errors import GameError, Undecided
from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.base.reports.tables import counted, shown
from kripke_werewolf.games.werewolf import engines
from kripke_werewolf.games.werewolf.budget import Budget, Unfinished
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.inference import plan as plans
from kripke_werewolf.games.werewolf.inference.replay import (
    ListedHistory,
    Replay,
    deal_atoms,
    unlisted,
    world_name,
)
from kripke_werewolf.games.werewolf.inference.scenario import Attacks
from kripke_werewolf.games.werewolf.inference.search import (
    MAX_DEALS,
    Find,
    drawn_roles,
    placements,
    search,
    unsearched,
)
from kripke_werewolf.games.werewolf.inference.solver import Problem, SolverResult, solver_covers
from kripke_werewolf.games.werewolf.move_atoms import moves_in
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.table import Table, chances, chosen_columns
from kripke_werewolf.games.werewolf.told import Told
from kripke_werewolf.games.werewolf.vocabulary import resolve, resolve_asked, vocabulary
from kripke_werewolf.logic.formulas.operators import FALSE, TRUE, Atom, Knows, Not, P, conjunction
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.notation.reading import read_asked
from kripke_werewolf.logic.semantics.verdict import NO_WORLD, Verdict

K = TypeVar("K", bound=Hashable)
Way: TypeAlias = tuple[tuple[str, str, str], ...]
"""Everybody's attacks: phase, attacker and target of each."""
_HELP = (
    "More time, more or exact entries in the tables, or fewer players would help. For a recorded game, "
    "`ask LOG --reading facts` says what follows from the facts alone; for a handout, "
    "`game infer SHEET --reading facts` does."
)
"""Said of a search that was not finished."""
_LISTED = 8
"""The number of moves named for a player in a phase; the data have all of them."""
_MOST_DEALS = 3_000
"""The largest number of deals, with each numbering, by which the worlds of a model are told apart."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The entries of tables that force a conclusion; without a conclusion: that cannot hold together."""

    conclusion: str
    cells: tuple[plans.Cell, ...]
    least: Literal["smallest", "irreducible", "not reduced"]
    """Whether no smaller set does, none of these can be left out, or time ran out before that was known."""

    def __str__(self) -> str:
        entries = ", ".join(map(str, self.cells)) or "the moves and events alone"
        if not self.conclusion:
            return f"these cannot hold together: {entries} ({self.least})"
        return f"{self.conclusion}, because of {entries} ({self.least})"

    def to_dict(self) -> dict[str, Any]:
        """Return the entries, and whether fewer would do, for JSON."""
        entries = [{"row": c.row, "column": c.heading, "entry": c.text, "place": c.place} for c in self.cells]
        return {"forced": True, "entries": entries, "least": self.least}


@dataclass(frozen=True, slots=True)
class _Conclusion:
    """Something that may follow: a move, by its places, or a fact about the worlds."""

    text: str
    move: plans.PlacedMove | None = None
    fact: Formula = TRUE

    def made_by(self, choice: plans.PlacedMove) -> bool | None:
        """Whether a choice is its move; None if it is about another action, or this is not a move."""
        if self.move is None or choice[:3] != self.move[:3]:
            return None
        return choice.target == self.move.target

    def deny(self, problem: Problem) -> None:
        """Demand that it is false."""
        for choice in filter(self.made_by, problem.choices):
            problem.without(choice)
        if self.move is None:
            split = (atom.partition("_") for atom in self.fact.atoms)
            seats = {f"{stem}_{name}": f"{stem}_{problem.place[name]}" for stem, _, name in split}
            problem.with_some(Not(self.fact.rename(atoms=seats.__getitem__)))


class NoHistory(GameError):
    """A sheet that no history explains: it contradicts itself or the rules.

    Compare it with the game, line by line.
    """

    def __init__(self, plan: plans.Plan) -> None:
        self.plan = plan
        super().__init__(f"no history explains what {plan.viewer} was told")

    def conflict(self, *, seconds: float | None = 10, smallest: bool = True) -> Reason | None:
        """Return jointly impossible entries, as few as time allows; None if none are found."""
        return reason(self.plan, _Conclusion("", fact=FALSE), seconds=seconds, smallest=smallest)


@dataclass(frozen=True, slots=True)
class Made:
    """A possible move of a player in a phase; players are named, or numbered if tables are."""

    step: int
    """The number of the phase among all phases of the game, from 0."""
    phase: str
    player: str
    action: str
    move: str
    """`looks at 3: good`, `attacks 5`, `does not look`, `is not asked for a vision`."""
    chance: Fraction | None
    """Its probability for the owner of the sheet; 1 is certainty. None if it is unknown."""

    def __str__(self) -> str:
        return f"{self.move} ({shown(self.chance, 'percent')})" if self.chance not in (None, 1) else self.move

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON; the probability is a fraction such as "2/3"."""
        chance = None if self.chance is None else str(self.chance)
        told = {"phase": self.phase, "player": self.player, "action": self.action, "move": self.move}
        return told | {"chance": chance}


@dataclass(frozen=True, eq=False)
class Histories:
    """All histories that explain one player's information."""

    plan: plans.Plan
    """What the player was told, as constraints."""
    finds: tuple[Find | ListedHistory, ...]
    reason: str = ""
    """The reason why the search has not finished, or ""."""
    budget: Budget = field(default_factory=Budget)
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def status(self) -> Literal["exact", "not finished"]:
        """Whether all histories were found."""
        return "not finished" if self.reason else "exact"

    @property
    def setup(self) -> Setup:
        """The public settings of the game."""
        return self.plan.setup

    @cached_property
    def number(self) -> int:
        """The number of histories, one for each numbering of the players."""
        return sum(find.histories for find in self.finds)

    @cached_property
    def worlds(self) -> tuple[int, ...]:
        """The possible numbers of worlds of the superposition, as far as they were found."""
        return tuple(sorted({size for find in self.finds for size in find.sizes}))

    # moves

    @cached_property
    def moves(self) -> tuple[Made, ...]:
        """Every possible move of each player in each phase, with its probability, most likely first.

        In anonymous tables players are numbers. If the search has not finished, chances are None.
        """
        found = []
        for choice, weight in self._weights.items():
            actor, phase = self.setup.rows[choice.actor], self._acting(choice.step).phase
            chance = weight / self._total if self.status == "exact" else None
            found.append(Made(phase.position, str(phase), actor, choice.action, self._did(choice), chance))
        return tuple(sorted(found, key=lambda m: (m.step, m.player, m.action, -(m.chance or 0), m.move)))

    @cached_property
    def _weights(self) -> Mapping[plans.PlacedMove, Fraction]:
        """The weight of each move in the histories found."""
        sums = summed(pair for find in self.finds for pair in find.moves())
        return {choice: weight for choice, weight in sums.items() if weight}

    def _acting(self, step: int) -> plans.Acting:
        acting = self.plan.steps[step]
        assert isinstance(acting, plans.Acting)
        return acting

    def _did(self, choice: plans.PlacedMove) -> str:
        words = words_for(choice.action)
        if choice.target is None:
            ended = self._acting(choice.step).ended
            unmoved = {
                plans.NOT_ASKED: f"is not asked for {words.one}",
                plans.PASSED: "is passed over" if ended else f"is asked for {words.one}",
                plans.UNMADE: f"has not acted so far ({choice.action})",
            }
            return unmoved.get(choice.result or "", f"does not {words.do.removesuffix(' at')}")
        targets = (self.setup.rows[place] for place in (choice.target, choice.other) if place is not None)
        did = f"{words.does} {' and '.join(targets)}"
        if declared(self.setup).acts[choice.action].shows:
            did += f": {choice.result or 'nothing'}"
        return did

    @cached_property
    def attacks(self) -> tuple[tuple[Fraction, Way], ...]:
        """All possible combinations of attacks, with their probabilities, the most likely first.

        A combination lists (phase, attacker, target); players are numbers if tables are anonymous.
        """
        ways = ((way, find.weight / len(find.attacks)) for find in self.finds for way in find.attacks)
        sums = summed((self._way(way), weight / self._total) for way, weight in ways)
        return tuple(sorted(((share, way) for way, share in sums.items()), key=lambda x: (-x[0], x[1])))

    def _way(self, attacks: Attacks) -> Way:
        rows, hits = self.setup.rows, ((*turn, t) for turn, t in attacks.items() if t is not None)
        return tuple(sorted((str(self._acting(n).phase), rows[p], rows[t]) for n, p, t in hits))

    @cached_property
    def numbers(self) -> dict[str, dict[int, Fraction]]:
        """The probability of every number for each player, if the tables are anonymous."""
        found: dict[str, dict[int, Fraction]] = {}
        for name in self.setup.players if self.setup.numbers_hidden else ():
            places = ((*place, find.weight) for find in self.finds for place in find.places([name]))
            found[name] = summed((p[name] + 1, weight / self._total * share) for p, share, weight in places)
        return found

    def example(self) -> tuple[str, ...]:
        """Return a history of the most likely scenario in sentences; empty if none was found."""
        if not self.finds:
            return ()
        find = max(self.finds, key=lambda f: f.weight)
        rows, (place, _) = self.setup.rows, next(find.places(()))
        lines = [f"{name} is number {p + 1}." for name, p in place.items() if self.setup.numbers_hidden]
        if isinstance(find, ListedHistory):
            return (*lines, *find.in_sentences())
        for choice in sorted(find.example(), key=lambda c: (c.step, c.action, c.actor)):
            if choice.made:
                lines.append(f"{self._acting(choice.step).phase}: {rows[choice.actor]} {self._did(choice)}.")
        for (number, p), role in sorted(find.scenario.roles.items()):
            lines.append(f"{rows[p]} was {role} (step {number + 1}).")
        return tuple(lines)

    # everything about the game

    def headline(self) -> str:
        """Return the number of histories and of worlds, or why not all were found."""
        if self.status == "exact":
            worlds = " or ".join(f"{n:,}" for n in self.worlds)
            many = "history explains" if self.number == 1 else "histories explain"
            return f"{self.number:,} {many} what {self.plan.viewer} was told; worlds left: {worlds} (exact)."
        if not self.budget.scenarios:
            return f"Not finished, because {self.reason}; no history has been found so far."
        tried = f"{counted(self.budget.scenarios, 'way')} to attack tried, {self.number:,} histories found"
        return f"Not finished, because {self.reason}; {tried}."

    def in_words(self, *, example: bool = False) -> Iterator[str]:
        """Yield lines: the headline, the table, numbers, moves, and an `example` if it is wanted."""
        yield self.headline()
        if self.reason:
            yield _HELP
        else:
            yield from ("", self.table().to_text("percent"))
            for name, numbers in self.numbers.items():
                likely = sorted(numbers.items(), key=lambda item: -item[1])
                yield f"{name} is number " + ", ".join(f"{n} ({shown(p, 'percent')})" for n, p in likely)
        for phase, moves in groupby(self.moves, key=lambda made: made.phase):
            yield from ("", f"{phase}:")
            for player, made in groupby(moves, key=lambda m: m.player):
                each = list(map(str, made))
                more = f" … and {len(each) - _LISTED} more" if len(each) > _LISTED else ""
                yield f"  {player} {', '.join(each[:_LISTED])}{more}"
        if example:
            lines = self.example() or ["no history was found"]
            yield from ("", "For example:", *(f"  {line}" for line in lines))

    def to_dict(self, *, example: bool = False) -> dict[str, Any]:
        """Return the same for JSON, with all moves."""
        content: dict[str, Any] = {"player": self.plan.viewer, "reading": "exact"}
        content |= {"status": self.status, "reason": self.reason}
        if self.reason:
            content["help"] = _HELP
        else:
            content |= {"histories": self.number, "worlds": [*self.worlds], "table": self.table().to_dict()}
            likely = self.numbers.items()
            content["numbers"] = {name: {str(n): str(p) for n, p in row.items()} for name, row in likely}
        content["moves"] = [made.to_dict() for made in self.moves]
        if example:
            content["example"] = [*self.example()]
        return content

    # knowledge

    def chance(self, fact: FormulaLike, *, given: FormulaLike | None = None) -> Fraction:
        """Return the probability of a formula for this player, perhaps on a condition.

        Raises GameError if it is about others' knowledge that cannot be determined, see `ask`, and if the
        condition is impossible.
        """
        f, where = resolve_asked(self.setup, fact, given, self.plan.told.words)
        about = P(self.plan.viewer, _both(f, where)) >= 0
        for chance in self.model(about).probabilities(self.plan.viewer, f, given=where):
            return chance
        raise GameError(f"{NO_WORLD}: {where} is false in every history")

    def ask(self, question: FormulaLike, *, given: FormulaLike | None = None) -> Verdict:
        """Return whether a formula is true in all, none or some of the worlds the player considers possible.

        `given`: of those where this condition holds; see `questions.ask`. Raises GameError if not all
        histories were found, or if they are too many for a formula about others.
        """
        f, where = resolve_asked(self.setup, question, given, self.plan.told.words)
        about = _both(f, where)
        if self._is_listed(about) and self._replay(about).unfinished and engines.is_positive(about):
            verdict = self.plan.told.ask(f, given=where).verdict  # what is known by the facts alone is known
            if verdict == "true":
                return verdict
        return self.model(about).verdict(f, given=where)

    def _is_listed(self, f: Formula) -> bool:
        """Whether all histories are listed for a formula: about others' knowledge, or moves under way."""
        return bool(f.agents - {self.plan.viewer}) or engines.under_way(self.plan.told, f.atoms)

    def _replay(self, f: Formula) -> Replay:
        """Return the list of all histories, for a formula of that kind."""
        return Replay.of(self.plan.told, f, self.budget, self._known)

    def model(self, question: FormulaLike, *, deals: bool = False) -> KripkeModel:
        """Return the S5 model of the player's knowledge, as far as a formula needs it.

        `deals`: worlds are told apart by all cards where these are few, for an explanation.
        """
        f = resolve(self.setup, question, self.plan.told.words)
        engines.check_weighed(self.plan.told, f)
        if self._is_listed(f):
            return self._replay(f).model(f, deals=deals)
        numberings = factorial(len(self.setup.players)) if self.setup.numbers_hidden else 1
        deals, atoms = deals and self.setup.deck.worlds * numberings <= _MOST_DEALS, f.atoms
        if deals:
            atoms |= deal_atoms(self.setup, *{"dead" for atom in atoms if atom.startswith("dominant_")})
        known = self.valuations(atoms)
        found = {world_name(self.setup, facts, deals=deals): facts for facts in known}
        weights: dict[Hashable, object] = {world: known[facts] for world, facts in found.items()}
        return KripkeModel.from_observations(
            found,
            {self.plan.viewer: lambda world: None},
            lambda world: found[world] & f.atoms,
            atoms=f.atoms,
            weights={self.plan.viewer: weights} if engines.is_weighted(f) or all(known.values()) else None,
        )

    def because(
        self, conclusion: FormulaLike, *, seconds: float | None = 10, smallest: bool = False
    ) -> Reason | None:
        """Return entries of the tables that imply a conclusion; None if they leave it open.

        None of them can be omitted; `smallest`: smaller sets are sought as long as the time allows.
        `conclusion`: a fact (`~wolf_Bo`) or a move (`1 attacks 4`, `Bo looks at Cy in night 1`). With the
        extra `[infer]` the solver finds them; without it, and under rules without ranks or with several
        seers, the search for histories is repeated, which takes longer. Raises Undecided if the time is over
        before it is known whether the conclusion follows.
        """
        return reason(self.plan, _read_conclusion(self.plan, conclusion), seconds=seconds, smallest=smallest)

    def exclude(self, conclusion: FormulaLike) -> bool:
        """Whether a fact or a move (see `because`) is false in every history; False if that is not known."""
        read = _read_conclusion(self.plan, conclusion)
        return self.status == "exact" and self.values_of(read) == {False}

    def values_of(self, conclusion: _Conclusion) -> set[bool]:
        """Return the truth values that a conclusion has in the histories found."""
        if conclusion.move is not None:
            made = (conclusion.made_by(choice) for choice in self._weights)
            return {value for value in made if value is not None}
        return {"true": {True}, "false": {False}}.get(self.ask(conclusion.fact), {True, False})

    # probabilities

    @cached_property
    def _total(self) -> Fraction:
        if not (total := sum((find.weight for find in self.finds), Fraction(0))):
            raise GameError(engines.UNWEIGHED)  # what the player was shown rests on open moves of others
        return total

    def valuations(self, atoms: Iterable[str]) -> dict[frozenset[str], Fraction]:
        """Return the weight of the pairs of a history and a world by their true atoms among those given.

        Raises GameError if not all histories were found.
        """
        moves = moves_in(self.setup, atoms)
        if any(isinstance(find, ListedHistory) for find in self.finds):
            moves = ()  # these tell whether a move was made
        made = {move.name: self.plan.told.made(move) for move in moves}
        open_ = self.plan.cases_of([move for move in moves if made[move.name] is None])
        known = frozenset(name for name, so in made.items() if so)
        found = self._by_moves(sorted({*atoms} - made.keys()), tuple(open_.items()))
        return {true | known: weight for true, weight in found.items() if weight}

    def _by_moves(
        self, facts: Sequence[str], cases: tuple[tuple[plans.Turn, Mapping[plans.Move, frozenset[str]]], ...]
    ) -> dict[frozenset[str], Fraction]:
        """Return the weight of the pairs by the facts that are true, and the moves of some cases.

        The weight where none of the moves was made is that of all histories minus that of those with one of
        them.
        """
        if self.reason:
            raise GameError(
                f"not all histories were found, because {self.reason}; a longer timeout (--timeout), fewer "
                "players or tables with exact numbers would help; reading='facts' (--reading facts) answers "
                "what follows from the facts alone"
            )
        if not cases:
            return summed(pair for find in self.finds for pair in find.valued(facts))
        (turn, moves), *rest = cases
        found = self._by_moves(facts, tuple(rest))
        for move, made in moves.items():
            plan = self.plan.with_moves({turn: move}, {})
            some = remembered(self._known, (turn, move), partial(_histories, plan, self.budget))
            for true, weight in some._by_moves(facts, tuple(rest)).items():
                found[true] -= weight
                found[true | made] = found.get(true | made, Fraction(0)) + weight
        return found

    def table(self, columns: Sequence[str] | None = None) -> Table:
        """Return the probability of every fact for this player."""
        headings, seen = chosen_columns(self.setup, columns), self
        known = engines.at_rest(self.plan.told, headings)
        if known != self.plan.told:
            seen = find_histories(plans.plan_of(known), self.budget)
        rows, bitten = chances(self.setup, headings, lambda atom: seen.chance(Atom(atom)))
        note = "; ".join(filter(None, (f"{engines.as_seen_by(known)}, reading: exact", bitten)))
        return Table(self.setup.players, headings, rows, None, note)


def _both(f: Formula, where: Formula | None) -> Formula:
    return conjunction(part for part in (f, where) if part is not None)


def summed(shares: Iterable[tuple[K, Fraction]]) -> dict[K, Fraction]:
    """Return the sum of the shares of each key."""
    found: dict[K, Fraction] = {}
    for key, share in shares:
        found[key] = found.get(key, Fraction(0)) + share
    return found


# --- the search -------------------------------------------------------------------------------------


def find_histories(plan: plans.Plan, budget: Budget) -> Histories:
    """Return all histories that explain a plan; raise NoHistory if there are none.

    If the search does not finish, the status says so, and answers that need all histories raise GameError.
    """
    found = _histories(plan, budget)
    if not found.finds and not found.reason:
        raise NoHistory(plan)
    return found


def _histories(plan: plans.Plan, budget: Budget) -> Histories:
    """Return all histories that explain a plan, perhaps none."""
    finds, why = list[Find | ListedHistory](), ""
    try:
        finds.extend(_found(plan, budget))
    except Unfinished as error:
        why = str(error)
    return Histories(plan, tuple(finds), why, budget)


def _found(plan: plans.Plan, budget: Budget) -> Iterable[Find | ListedHistory]:
    """Return histories, searched for, or listed where the search does not cover the game."""
    why = unsearched(plan)
    if not why:
        return search(plan, budget)
    more = unlisted(plan.told, [plan.viewer])
    if more or plan.setup.deck.worlds > MAX_DEALS:
        raise GameError("; ".join(dict.fromkeys(filter(None, (why, more, plans.BY_FACTS)))))
    listed = Replay(plan.told, [plan.viewer], weighted=True, alone=True, budget=budget)
    if listed.unfinished:
        raise Unfinished(listed.unfinished)
    return [ListedHistory(plan, course) for course in listed.courses]


def infer(
    told: Told, *, timeout: float | None = None, progress: Callable[[int], None] | None = None
) -> Histories:
    """Return all histories that explain a player's information.

    `timeout`: the total time in seconds; if the search is not finished by then, the status says so.
    `progress` is called from time to time with the number of scenarios tried. Raises NoHistory if the sheet
    contradicts itself, and GameError if the search does not support the rules.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka")
    >>> for player in game.players:
    ...     game = game.vision(player, "Ann", result="human")
    >>> found = infer(game.handout("Bo"))
    >>> found.number, str(found.ask("K_Bo ~wolf_Ann"))
    (8, 'true')
    """
    return find_histories(plans.plan_of(told), Budget(timeout, progress=progress))


# --- which entries force a conclusion --------------------------------------------------------------


def _read_conclusion(plan: plans.Plan, asked: FormulaLike) -> _Conclusion:
    """Return the conclusion that a string stands for: a move (`1 attacked 4`), a formula or a sentence.

    For a formula K_i φ about the player's own knowledge, φ is taken. Raises GameError and the errors of
    formulas.
    """
    setup, text, read = plan.setup, str(asked), cast(Any, asked)
    for words in map(words_for, declared(setup).acts):
        does = f"(.+) (?:{words.does}|{words.did}) (.+?)(?: in night ([0-9]+).*)?"
        said = re.fullmatch(does, text)
        if said and {said[1], said[2]} <= {*setup.rows}:
            setup = replace(setup, players=setup.rows)  # moves go by numbers where these are hidden
            read = Atom(f"{words.did.split()[0]}_{{{said[1]}}}_{{{said[2]}}}_{said[3] or ''}".rstrip("_"))
    known = vocabulary(setup, plan.told.numbers)
    if isinstance(read, str):
        read = read_asked(read, known)
    if not isinstance(read, Formula):
        raise GameError(f"{text}: only a fact can have reasons, or a move like '1 attacks 4'")
    f = resolve(setup, read, known)
    if isinstance(f, Knows) and f.agent == plan.viewer:
        f = f.body
    if not f.is_boolean:
        raise GameError(
            f"{f} is about what players know; only a fact can have reasons, or a move like '1 attacks 4'"
        )
    for move in moves_in(setup, f.atoms):
        steps = [(n, step.phase.number, a) for a in move.actions for n, step in plan.acting(a)]
        made = [(n, action) for n, night, action in steps if move.night in (None, night)]
        if f == Atom(move.name) and len(made) == 1 and move.result is None:
            ((step, action),) = made
            actor, target, *_ = map(setup.seat, (move.actor, *move.targets))
            return _Conclusion(text, plans.PlacedMove(step, actor, action, target))
    if setup != plan.setup:
        raise GameError(f"{text}: this may have been in {counted(len(made), 'night')}; say in which one")
    if engines.under_way(plan.told, f.atoms):
        raise GameError(f"{f} is about moves that may be under way; ask why when the phase is over")
    return _Conclusion(str(f), fact=f)


def reason(
    plan: plans.Plan, conclusion: _Conclusion, *, seconds: float | None = None, smallest: bool = False
) -> Reason | None:
    """Return entries that force a conclusion; if it is false in any case, they contradict each other.

    None of them can be left out, if the time allows; `smallest`: then fewer ones are looked for until
    time runs out. None if all entries together leave it open. Where the solver is not installed, or does not
    cover the rules, all histories are searched. Raises Undecided if time runs out before it is known
    whether the conclusion follows.
    """
    cells = [(n, c.row, c.as_wolf) for n, s in plan.all(plans.Published) for c in s.cells]
    # an entry that repeats an earlier one is left out
    every = sorted({cell: place for place, cell in reversed(list(enumerate(cells)))}.values())
    forcing = _Forcing(plan, conclusion, Budget(seconds), _problems(plan, conclusion), every)
    try:
        whole = forcing.open(every)
    except Unfinished:
        raise Undecided(
            f"time ran out ({seconds:g} s) before it was known whether this follows; allow more time"
        ) from None
    if whole.found:
        return None
    forcing.entries = whole.core
    least: Literal["smallest", "irreducible", "not reduced"] = "not reduced"
    with suppress(Unfinished):
        forcing.reduce()
        least = "irreducible"
        if smallest or len(forcing.entries) < 2:
            forcing.shrink()
            least = "smallest"
    return Reason(conclusion.text, tuple(plan.cells[i] for i in forcing.entries), least)


def _problems(plan: plans.Plan, conclusion: _Conclusion) -> list[Problem] | None:
    """Return the denial of a conclusion for each numbering and drawn roles; None without the solver."""
    atoms = sorted(conclusion.fact.atoms)
    dying = plan.running is not None and any(a.startswith(("dead_", "dominant_")) for a in atoms)
    moves = moves_in(plan.setup, atoms)  # of those the solver knows nothing
    if dying or moves or not find_spec("ortools") or not solver_covers(plan):
        return None
    given, named = plan.only(frozenset()), [atom.partition("_")[2] for atom in atoms]
    found = []
    for place, _ in placements(given, named):
        for roles in drawn_roles(given, place):
            found.append(Problem(plan, place, roles, assumed=range(len(plan.cells))))
            conclusion.deny(found[-1])
    return found


@dataclass
class _Forcing:
    """A set of entries that forces a conclusion, and its reduction.

    Its denial is decided by the search for all histories, or first by the solver; then a proof that entries
    do not force the conclusion is a history, with every move, confirmed by the exact search.
    """

    plan: plans.Plan
    conclusion: _Conclusion
    budget: Budget
    problems: Sequence[Problem] | None
    every: Sequence[int]
    entries: Sequence[int] = ()
    """Entries that force the conclusion."""

    def open(self, entries: Sequence[int]) -> SolverResult:
        """Return whether some history has some entries but not the conclusion; the search has no core."""
        searched, core = self.problems is None, set[int]()
        for problem in self.problems or ():
            solution = problem.solve(self.budget, entries)
            if solution.found and self._confirmed(entries, solution, problem.place):
                return solution
            if solution.found:  # a verdict, or the order in a night, rules it out: the search decides
                searched = True
            core.update(solution.core)
        if not searched:
            return SolverResult(False, core=tuple(sorted(core)))
        if not self._denied(self.plan.only(frozenset(entries))):
            return SolverResult(False, core=tuple(entries))
        return SolverResult(True, broken=frozenset(range(len(self.plan.cells))) - frozenset(entries))

    def _denied(self, plan: plans.Plan) -> bool:
        """Whether some history that explains a plan has a world where the conclusion is false."""
        found = _histories(plan, Budget(self.budget.left()))
        if found.reason:
            raise Unfinished(found.reason)
        try:
            return bool(found.finds) and False in found.values_of(self.conclusion)
        except GameError:  # the histories with a move in question are searched for, too
            self.budget.tick()
            raise

    def _confirmed(self, entries: Sequence[int], solution: SolverResult, place: Mapping[str, int]) -> bool:
        """Whether a solution is a history; the exact search, given all moves, also checks verdicts."""
        plan, players, made = self.plan, self.plan.setup.players, solution.made
        free = (p for p in range(len(players)) if p not in place.values())
        whole = {**place, **{name: next(free) for name in players if name not in place}}
        called: dict[int | None, str] = {p: name for name, p in whole.items()}
        if plan.setup.numbers_hidden:
            numbers = tuple((name, p + 1) for name, p in whole.items())
            plan = replace(plan, told=replace(plan.told, numbers=numbers))
        known = {
            (c.step, called[c.actor], c.action): plans.Move(called.get(c.target), c.result) for c in made
        }
        return self._denied(plan.only(frozenset(entries)).with_moves(known, solution.tables))

    def reduce(self) -> None:
        """Remove entries one by one until all are needed; raise Unfinished if this takes too long.

        A proof shows that an entry can be removed, and often others with it; a history without an entry shows
        that it is needed.
        """
        needed = list[int]()
        while open_ := [i for i in self.entries if i not in needed]:
            entry = open_[0 if self.problems is None else -1]  # proofs from early tables are short
            answer = self.open([i for i in self.entries if i != entry])
            if answer.found:
                needed.append(entry)
            else:
                self.entries = answer.core

    def shrink(self) -> None:
        """Search for a smallest set; raise Unfinished if this takes too long.

        Every set that leaves the conclusion open is enlarged as far as possible; a forcing set must contain
        one of the missing entries.
        """
        missing: list[frozenset[int]] = []
        smaller = (combinations(self.every, size) for size in range(len(self.entries)))
        for candidate in chain.from_iterable(smaller):
            self.budget.tick()
            if any(lacking.isdisjoint(candidate) for lacking in missing):
                continue
            answer = self.open(candidate)
            if not answer.found:
                self.entries = candidate
                return
            lacking = answer.broken.intersection(self.every)
            for entry in sorted(lacking):
                if entry in lacking:
                    answer = self.open([i for i in self.every if i == entry or i not in lacking])
                    if answer.found:
                        lacking &= answer.broken
            missing.append(lacking)
