"""Which entries of the tables force a conclusion, and which cannot hold together.

The player's own record and the public events are given. A set of entries is irreducible if leaving out any
of them leaves the conclusion open. For a smallest set: a set forces the conclusion just if it meets every set
whose complement leaves it open.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import product
from typing import Literal, NamedTuple, TypeAlias, cast

from kripke_werewolf.errors import GameError, Undecided
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.operators import Knows
from kripke_werewolf.language.sentence_parser import read_question
from kripke_werewolf.werewolf.enumerated import deals_of
from kripke_werewolf.werewolf.inference.plan import (
    Acting,
    Cell,
    Move,
    PlacedMove,
    Plan,
    Published,
)
from kripke_werewolf.werewolf.inference.scenarios import is_true
from kripke_werewolf.werewolf.inference.search import drawn_roles, placements
from kripke_werewolf.werewolf.inference.solver import (
    OutOfTime,
    Problem,
    SolverResult,
    Summed,
    check_solver,
    seconds_left,
    solver_covers,
)
from kripke_werewolf.werewolf.questions import resolve
from kripke_werewolf.werewolf.roles import Role, is_wolf
from kripke_werewolf.werewolf.rules import ACTION_WORDS, Action
from kripke_werewolf.werewolf.wording import vocabulary

_MOVE = re.compile(r"(.+?) (attack(?:s|ed)|look(?:s|ed) at) (.+?)(?: in (.+?))?(: [^:]+)?", re.IGNORECASE)


Denied: TypeAlias = "Callable[[Plan, Conclusion | None, float | None], bool]"
"""Whether a history that explains the plan has a world where the conclusion is false; with a deadline."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The entries of tables that force a conclusion; without a conclusion: that cannot hold together."""

    conclusion: str
    cells: tuple[Cell, ...]
    least: Literal["smallest", "irreducible", "not reduced"]
    """Whether no fewer entries do, none of these can be left out, or the time was up before that."""
    needed: tuple[Cell, ...] = ()
    """The entries proven needed: without any one of them some history leaves the conclusion open."""

    def __str__(self) -> str:
        entries = ", ".join(map(str, self.cells)) or "the moves and events alone"
        least: str = self.least
        if least == "not reduced" and self.cells:
            least += f": {len(self.needed)} of {len(self.cells)} proven needed"
        if not self.conclusion:
            return f"these cannot hold together: {entries} ({least})"
        return f"{self.conclusion}, because of {entries} ({least})"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Something that may follow: a move, by its places, or a fact about the worlds."""

    text: str
    move: PlacedMove | None = None
    fact: Formula | None = None

    def made_by(self, choice: PlacedMove) -> bool | None:
        """Whether a choice is its move; None if it is about another action, or this is not a move."""
        if self.move is None or choice[:3] != self.move[:3]:
            return None
        return choice.target == self.move.target

    def deny(self, problem: Problem) -> None:
        """Demand that it is not so."""
        for choice in filter(self.made_by, problem.choices):
            problem.without(choice)
        if self.fact is not None:
            problem.with_some(dict(_failing(problem, self.fact)))

    @property
    def named(self) -> tuple[str, ...]:
        """The players it is about."""
        if self.fact is None:
            return ()
        return tuple(dict.fromkeys(atom.partition("_")[2] for atom in sorted(self.fact.atoms)))


def _failing(problem: Problem, fact: Formula) -> Iterator[tuple[int, list[Collection[tuple[int, bool]]]]]:
    """Yield for each deal the ways of who is dead in which a fact is false."""
    mortal = sorted(atom for atom in fact.atoms if atom.startswith("dead_"))
    place, last = problem.place, len(problem.living) - 1
    for w, roles in enumerate(problem.deals.roles):
        facts = {}
        for atom in fact.atoms:
            kind_, _, name = atom.partition("_")
            role = roles[place[name]]
            if kind_ == "dominant":
                facts[atom] = problem.dominant(w, last) == place[name]
            else:
                facts[atom] = kind_ in (role, "wolf" if is_wolf(role) else "good")
        ways: list[Collection[tuple[int, bool]]] = []
        for dead in product((False, True), repeat=len(mortal)):
            now = {**facts, **dict(zip(mortal, dead, strict=True))}
            if not is_true(fact, frozenset(atom for atom, holds in now.items() if holds)):
                ways.append([(place[a.partition("_")[2]], d) for a, d in zip(mortal, dead, strict=True)])
        yield w, ways


def read_conclusion(plan: Plan, text: FormulaLike) -> Conclusion:
    """Return the conclusion that a string stands for: a move (`1 attacked 4`), a formula or a sentence.

    Of a formula K_i φ about the player's own knowledge φ is taken. Raises GameError and the errors of
    formulas.
    """
    found = _MOVE.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        about = vocabulary(plan.setup, plan.told.known_numbers)
        read = read_question(text, about) if isinstance(text, str) else formula(text)
        if not isinstance(read, Formula):
            raise GameError(f"{text}: ask why of a fact, or of a move like '1 attacks 4'")
        f = resolve(plan.setup, read, plan.told.known_numbers)
        if isinstance(f, Knows) and f.agent == plan.viewer:
            f = f.body
        if not f.is_boolean:
            raise GameError(
                f"{f} is about what players know; ask why of a fact, or of a move like '1 attacks 4'"
            )
        return Conclusion(str(f), fact=f)
    who, verb, whom, when, shown = found.groups()
    if shown is not None:
        raise GameError(f"ask why of a move, without what it shows: {str(text).removesuffix(shown)}")
    action: Action = "attack" if verb.casefold().startswith("attack") else "vision"
    steps = [
        (n, step)
        for n, step in enumerate(plan.steps)
        if isinstance(step, Acting) and action in plan.setup.actions(step.phase)
    ]
    chosen = [n for n, step in steps if when is None or str(step.phase).startswith(when.casefold())]
    if not steps:
        raise GameError(f"{text}: the sheet has no phase with {ACTION_WORDS[action].one}")
    if len(chosen) != 1:
        phases = ", ".join(str(step.phase) for _, step in steps)
        raise GameError(f"say in which phase: {text} in … (phases: {phases})")
    actor, target = _place(plan, who), _place(plan, whom)
    return Conclusion(str(text), PlacedMove(chosen[0], actor, action, target))


def _place(plan: Plan, name: str) -> int:
    setup = plan.setup
    if plan.anonymous:
        if name.isdecimal() and 1 <= int(name) <= len(setup.players):
            return int(name) - 1
        raise GameError(f"{name!r} is not a number from 1 to {len(setup.players)}: here moves go by numbers")
    return setup.seat(name)


def reason(
    plan: Plan,
    conclusion: Conclusion | None,
    *,
    seconds: float | None = None,
    smallest: bool = False,
    denied: Denied,
) -> Reason | None:
    """Return entries that force a conclusion; without a conclusion, entries that contradict each other.

    None of them can be left out, if the time allows; `smallest`: then fewer ones are looked for until the
    time is over. None if all entries together leave it open. `denied`: whether some history that explains
    plan has a world where a conclusion is false, found before a deadline; asked where the solver is not
    installed, or does not cover the rules. Raises Undecided if the time is over before it is known whether
    the conclusion follows.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    every = _telling(plan)
    named = () if conclusion is None else conclusion.named
    given = plan.only(frozenset())
    cases: Sequence[_Searched] = [_Searched(plan, conclusion, denied)]
    atoms = conclusion.fact.atoms if conclusion is not None and conclusion.fact is not None else ()
    dying = plan.running is not None and any(a.startswith(("dead_", "dominant_")) for a in atoms)
    if find_spec("ortools") and solver_covers(plan) and not dying:
        cases = [
            _Solved(plan, conclusion, denied, place, roles)
            for place, _ in placements(given, named)
            for roles in drawn_roles(given, place)
        ]
    forcing = _Forcing(cases, every, deadline)
    try:
        if not forcing.begin():
            return None
    except OutOfTime:
        raise Undecided(
            f"the time was up ({seconds:g} s) before it was known whether this follows; allow more time"
        ) from None
    least: Literal["smallest", "irreducible", "not reduced"] = "not reduced"
    try:
        forcing.reduce()
        least = "irreducible"
        if smallest or len(forcing.entries) < 2:
            forcing.shrink()
            least = "smallest"
    except OutOfTime:
        pass
    cells = plan.cells
    return Reason(
        "" if conclusion is None else conclusion.text,
        tuple(cells[i] for i in forcing.entries),
        least,
        tuple(cells[i] for i in forcing.entries if least != "not reduced" or i in forcing.needed),
    )


class Refutation(NamedTuple):
    """Whether some entries leave a conclusion open."""

    open: bool | None
    """Whether some history has the entries but not the conclusion; None if unknown."""
    core: tuple[int, ...] = ()
    """If it is not open: entries that force the conclusion."""
    broken: frozenset[int] = frozenset()
    """If it is open: the entries that such a history violates."""


class _Searched:
    """The denial of a conclusion, decided by the search for all histories."""

    def __init__(self, plan: Plan, conclusion: Conclusion | None, denied: Denied) -> None:
        self._evidence, self._conclusion, self._denied = plan, conclusion, denied

    def begin(self, entries: Sequence[int], deadline: float | None) -> Refutation:
        """Search with all entries."""
        return self.refuted(entries, deadline, None)

    def refuted(self, entries: Sequence[int], deadline: float | None, effort: float | None) -> Refutation:
        """Search with some entries; there is no core but all of them."""
        open_ = self._denied(self._evidence.only(frozenset(entries)), self._conclusion, deadline)
        others = frozenset(range(len(self._evidence.cells))) - frozenset(entries)
        return Refutation(open_, () if open_ else tuple(entries), others)

    def widen(self) -> None:
        """Do nothing: the search always covers the whole game."""

    def witnessed(self, entries: Sequence[int], deadline: float | None, effort: float | None) -> Refutation:
        """Search with some entries; all solutions are histories."""
        return self.refuted(entries, deadline, effort)


class _Solved(_Searched):
    """The denial of a conclusion for one numbering and given drawn roles.

    A proof that entries force the conclusion uses the game up to the earliest table that suffices: there are
    fewer constraints, and whatever they exclude is excluded in the whole game. A proof that entries do not
    force it is a history of the whole game, with every move, confirmed by the exact search.
    """

    def __init__(
        self,
        plan: Plan,
        conclusion: Conclusion | None,
        denied: Denied,
        place: Mapping[str, int],
        roles: Mapping[tuple[int, int], Role],
    ) -> None:
        super().__init__(plan, conclusion, denied)
        self._place, self._roles = place, roles
        self._whole: Problem | None = None
        tables = [n for n, step in enumerate(plan.steps) if isinstance(step, Published) and step.cells]
        self._ends = [n + 1 for n in tables[:-1] if self._deniable(n)] + [len(plan.steps)]
        """The steps after which the constraints may end: each table, and the end of the game."""
        self._stage = 0
        """The index of the end at which the conclusion was found to follow."""
        self._steps = [n for n in tables for _ in cast(Published, plan.steps[n]).cells]
        """For each entry the step of its table."""
        self._early: dict[int, Problem] = {}
        self._last = SolverResult(None, frozenset(), ())

    def _deniable(self, number: int) -> bool:
        """Whether the denial can be stated after an early table: roles do not change."""
        if self._conclusion is None:
            return True
        if self._conclusion.move is not None:
            return self._conclusion.move.step < number
        fact = self._conclusion.fact
        return fact is not None and not any(a.startswith(("dead_", "dominant_")) for a in fact.atoms)

    def _constraints(self, kind: type[Problem], end: int) -> Problem:
        plan = replace(self._evidence, steps=self._evidence.steps[:end])
        found = kind(plan, self._place, self._roles, assumed=range(len(plan.cells)))
        if self._conclusion is not None:
            self._conclusion.deny(found)
        return found

    def begin(self, entries: Sequence[int], deadline: float | None) -> Refutation:
        """Return whether all entries leave the conclusion open, trying the early tables first."""
        for stage in range(len(self._ends)):
            self._stage = stage
            answer = self.refuted(entries, deadline, None)
            if answer.open is False:
                return answer
        return self.witnessed(entries, deadline, None)

    def refuted(self, entries: Sequence[int], deadline: float | None, effort: float | None) -> Refutation:
        """Return whether some entries leave the conclusion open at the stage where all of them do not."""
        end = self._ends[self._stage]
        inside = [i for i in entries if self._steps[i] < end]
        if end not in self._early:
            few = len(deals_of(self._evidence.setup.deck).roles) <= _FEW_DEALS
            self._early[end] = self._constraints(Summed if few else Problem, end)
        self._last = self._early[end].solve(seconds=seconds_left(deadline), assume=inside, effort=effort)
        if self._last.found is None and effort is None:
            raise OutOfTime
        return Refutation(self._last.found, self._last.core, self._last.broken)

    def widen(self) -> None:
        """Use the constraints of the whole game in all further proofs."""
        self._stage = len(self._ends) - 1

    def witnessed(self, entries: Sequence[int], deadline: float | None, effort: float | None) -> Refutation:
        """Return whether some history of the whole game, sought near the last solution, has the entries."""
        solution = self._last
        if self._stage < len(self._ends) - 1:
            solution = self._finished(entries, solution.made, deadline, effort)
        if solution.found and not self._confirmed(entries, solution, deadline):
            # a verdict, or the order in a night, rules the solution out: the search decides
            return super().refuted(entries, deadline, effort)
        return Refutation(solution.found, solution.core, solution.broken)

    def _finished(
        self,
        entries: Sequence[int],
        made: Collection[PlacedMove],
        deadline: float | None,
        effort: float | None,
    ) -> SolverResult:
        """Return a solution for the whole game that begins with some moves, or else any other."""
        if self._whole is None:
            self._whole = self._constraints(Problem, self._ends[-1])
        for begun in (made, ()) if made else ((),):
            solution = self._whole.solve(
                seconds=seconds_left(deadline), assume=entries, effort=effort, made=begun
            )
            if solution.found:
                break
        return solution

    def _confirmed(self, entries: Sequence[int], solution: SolverResult, deadline: float | None) -> bool:
        """Whether a solution is a history; the exact search, given all moves, also checks verdicts."""
        plan, names = self._evidence, {p: name for name, p in self._place.items()}
        if plan.anonymous:
            rest = [name for name in plan.setup.players if name not in self._place]
            free = [p for p in range(len(plan.setup.players)) if p not in names]
            names |= dict(zip(free, rest, strict=True))
            for p, name in names.items():
                plan = plan.with_number(name, p + 1)
        known: dict[tuple[int, str, Action], Move] = {}
        for choice in solution.made:
            target = None if choice.target is None else names[choice.target]
            known[choice.step, names[choice.actor], choice.action] = Move(target, choice.result)
        plan = plan.only(frozenset(entries)).with_moves(known, solution.tables)
        return self._denied(plan, self._conclusion, deadline)


class _Forcing:
    """A set of entries that forces a conclusion, and its reduction."""

    def __init__(self, cases: Sequence[_Searched], every: list[int], deadline: float | None) -> None:
        self._cases, self._every, self._deadline = cases, every, deadline
        self.entries: list[int] = every
        """Entries that force the conclusion."""
        self.needed: list[int] = []
        """The entries among these that are proven needed."""

    def begin(self) -> bool:
        """Whether the tables force the conclusion; if so, `entries` do."""
        core: set[int] = set()
        for case in self._cases:
            answer = case.begin(self._every, self._deadline)
            if answer.open is None:
                raise OutOfTime
            if answer.open:
                return False
            core |= set(answer.core)
        self.entries = sorted(core)
        return True

    def _open(self, entries: Sequence[int], effort: float | None, *, witness: bool) -> Refutation:
        """Return whether some entries leave the conclusion open in any case.

        `witness`: confirm it by a history.
        """
        core: set[int] = set()
        undecided = False
        for case in self._cases:
            answer = case.refuted(entries, self._deadline, effort)
            if witness and answer.open:
                answer = case.witnessed(entries, self._deadline, effort)
            if answer.open:
                return answer
            undecided = undecided or answer.open is None
            core |= set(answer.core)
        return Refutation(None) if undecided else Refutation(False, tuple(sorted(core)))

    def reduce(self) -> None:
        """Remove entries one by one until all are needed; raise OutOfTime if this takes too long.

        A proof shows that an entry can be removed, and often others with it; a history without an entry shows
        that it is needed. Entries that take long to decide come last.
        """
        undecided: list[int] = []
        for effort in (_EFFORT, None):
            undecided = []
            while open_ := [i for i in self.entries if i not in self.needed and i not in undecided]:
                entry = open_[0]
                rest = [i for i in self.entries if i != entry]
                answer = self._open(rest, effort, witness=True)
                if answer.open is False:
                    self.entries = [i for i in rest if i in answer.core]
                elif answer.open:
                    self.needed.append(entry)
                else:
                    undecided.append(entry)
        if undecided:
            raise OutOfTime

    def shrink(self) -> None:
        """Search for a smallest set; raise OutOfTime if this takes too long.

        Every set that leaves the conclusion open is enlarged as far as possible; a forcing set must contain
        one of the missing entries.
        """
        missing: list[frozenset[int]] = []
        for case in self._cases:
            case.widen()
        for _ in range(_ROUNDS):
            candidate = _meeting(missing)
            if candidate is None or len(candidate) >= len(self.entries):
                return
            answer = self._open(candidate, None, witness=False)
            if answer.open is False:
                self.entries = candidate
                return
            kept = [i for i in self._every if i not in answer.broken]
            for entry in self._every:
                if entry not in kept:
                    answer = self._open([*kept, entry], None, witness=False)
                    if answer.open:
                        kept = [i for i in self._every if i in (*kept, entry) or i not in answer.broken]
            if not self._open(kept, None, witness=True).open:
                break
            missing.append(frozenset(self._every) - set(kept))
        raise OutOfTime


def _telling(plan: Plan) -> list[int]:
    """Return the entries by their places in `Plan.cells`, of those that say the same only the first."""
    found: dict[object, int] = {}
    place = 0
    for number, step in enumerate(plan.steps):
        for cell in step.cells if isinstance(step, Published) else ():
            found.setdefault((number, cell.row, cell.as_wolf), place)
            place += 1
    return sorted(found.values())


_FEW_DEALS = 150
"""The most deals for which additional sums make the proofs faster."""
_EFFORT = 3.0
"""The solver's effort on one set of entries before it tries another."""
_ROUNDS = 60
"""The most open sets tried in the search for a smallest reason."""


def _meeting(sets: Sequence[frozenset[int]]) -> list[int] | None:
    """Return a smallest set that meets each of some sets, if there is one."""
    if not find_spec("ortools"):
        raise OutOfTime  # no set is known to be the smallest
    cp = check_solver()
    model = cp.CpModel()
    chosen = {i: model.new_bool_var("") for i in sorted(frozenset().union(*sets))}
    for some in sets:
        model.add_bool_or([chosen[i] for i in some])
    model.minimize(sum(chosen.values()))
    solver = cp.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp.OPTIMAL, cp.FEASIBLE):
        return None
    return [i for i, v in chosen.items() if solver.value(v)]


__all__ = ["Conclusion", "Reason", "read_conclusion", "reason"]
