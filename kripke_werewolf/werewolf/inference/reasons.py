"""Which entries of the tables force a conclusion, and which cannot hold together.

The player's own record and the public events are given. A set of entries is irreducible if leaving out any
of them leaves the conclusion open. For a smallest set: a set forces the conclusion just if it meets every set
whose complement leaves it open.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from kripke_werewolf.errors import GameError, Undecided
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.operators import Knows, Not
from kripke_werewolf.language.reading import read_asked
from kripke_werewolf.werewolf.inference.plan import (
    Acting,
    Cell,
    Move,
    PlacedMove,
    Plan,
    Published,
    under_way,
)
from kripke_werewolf.werewolf.inference.search import Budget, drawn_roles, placements
from kripke_werewolf.werewolf.inference.solver import (
    OutOfTime,
    Problem,
    SolverResult,
    check_solver,
    seconds_left,
    solver_covers,
)
from kripke_werewolf.werewolf.move_atoms import moves_in
from kripke_werewolf.werewolf.questions import resolve
from kripke_werewolf.werewolf.roles import Action
from kripke_werewolf.werewolf.rules import words_for
from kripke_werewolf.werewolf.vocabulary import vocabulary

_MOVE = re.compile(r"(.+?) (attack(?:s|ed)|look(?:s|ed) at) (.+?)(?: in (.+?))?(: [^:]+)?", re.IGNORECASE)


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
            split = (atom.partition("_") for atom in self.fact.atoms)
            seats = {f"{stem}_{name}": f"{stem}_{problem.place[name]}" for stem, _, name in split}
            problem.with_some(Not(self.fact.rename(atoms=seats.__getitem__)))


def read_conclusion(plan: Plan, text: FormulaLike) -> Conclusion:
    """Return the conclusion that a string stands for: a move (`1 attacked 4`), a formula or a sentence.

    Of a formula K_i φ about the player's own knowledge φ is taken. Raises GameError and the errors of
    formulas.
    """
    found = _MOVE.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        about = vocabulary(plan.setup, plan.told.known_numbers)
        read = read_asked(text, about) if isinstance(text, str) else formula(text)
        if not isinstance(read, Formula):
            raise GameError(f"{text}: ask why of a fact, or of a move like '1 attacks 4'")
        f = resolve(plan.setup, read, plan.told.known_numbers)
        if isinstance(f, Knows) and f.agent == plan.viewer:
            f = f.body
        if not f.is_boolean:
            raise GameError(
                f"{f} is about what players know; ask why of a fact, or of a move like '1 attacks 4'"
            )
        if under_way(plan.told, f.atoms):
            raise GameError(f"{f} is about moves that may be under way; ask why when the phase is over")
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
        raise GameError(f"{text}: the sheet has no phase with {words_for(action).one}")
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
    plan: Plan, conclusion: Conclusion | None, *, seconds: float | None = None, smallest: bool = False
) -> Reason | None:
    """Return entries that force a conclusion; without a conclusion, entries that contradict each other.

    None of them can be left out, if the time allows; `smallest`: then fewer ones are looked for until the
    time is over. None if all entries together leave it open. Where the solver is not installed, or does not
    cover the rules, all histories are searched. Raises Undecided if the time is over before it is known
    whether the conclusion follows.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    forcing = _Forcing(_cases(plan, conclusion), _telling(plan), deadline)
    try:
        if not forcing.begin():
            return None
    except OutOfTime:
        raise Undecided(
            f"the time was up ({seconds:g} s) before it was known whether this follows; allow more time"
        ) from None
    least: Literal["smallest", "irreducible", "not reduced"] = "not reduced"
    with suppress(OutOfTime):
        forcing.reduce()
        least = "irreducible"
        if smallest or len(forcing.entries) < 2:
            forcing.shrink()
            least = "smallest"
    cells = plan.cells
    return Reason(
        "" if conclusion is None else conclusion.text,
        tuple(cells[i] for i in forcing.entries),
        least,
        tuple(cells[i] for i in forcing.entries if least != "not reduced" or i in forcing.needed),
    )


def _cases(plan: Plan, conclusion: Conclusion | None) -> list[_Searched]:
    """Return the means to decide if entries force a conclusion: one for each numbering and drawn roles."""
    atoms = sorted(conclusion.fact.atoms) if conclusion is not None and conclusion.fact is not None else []
    dying = plan.running is not None and any(a.startswith(("dead_", "dominant_")) for a in atoms)
    moves = moves_in(plan.setup, atoms)  # of those the solver knows nothing
    if dying or moves or not find_spec("ortools") or not solver_covers(plan):
        return [_Searched(plan, conclusion)]
    given, named = plan.only(frozenset()), [atom.partition("_")[2] for atom in atoms]
    return [
        _Solved(plan, conclusion, place, roles)
        for place, _ in placements(given, named)
        for roles in drawn_roles(given, place)
    ]


class _Searched:
    """The denial of a conclusion, decided by the search for all histories."""

    tried = 0
    """Which of several entries is tried first: the earliest (0) or the latest (-1)."""

    def __init__(self, plan: Plan, conclusion: Conclusion | None) -> None:
        self._plan, self._conclusion = plan, conclusion

    def left_open(self, entries: Sequence[int], deadline: float | None) -> SolverResult:
        """Return whether some history has some entries but not the conclusion; there is no core but all."""
        if not self._denied(self._plan.only(frozenset(entries)), deadline):
            return SolverResult(False, core=tuple(entries))
        return SolverResult(True, broken=frozenset(range(len(self._plan.cells))) - frozenset(entries))

    def _denied(self, plan: Plan, deadline: float | None) -> bool:
        """Whether some history that explains a plan has a world where the conclusion is false."""
        from kripke_werewolf.werewolf.inference.answers import NoHistory, find_histories

        try:
            found = find_histories(plan, Budget(seconds_left(deadline)))
        except NoHistory:
            return False
        if found.reason:
            raise OutOfTime
        try:
            return self._conclusion is None or False in found.values_of(self._conclusion)
        except GameError:  # the histories with a move in question are searched for, too
            if deadline is None or time.monotonic() < deadline:
                raise
            raise OutOfTime from None


class _Solved(_Searched):
    """The denial for one numbering and given drawn roles, decided by the solver.

    A proof that entries do not force the conclusion is a history, with every move, confirmed by the exact
    search.
    """

    tried = -1  # proofs from early tables are short

    def __init__(
        self,
        plan: Plan,
        conclusion: Conclusion | None,
        place: Mapping[str, int],
        roles: Mapping[tuple[int, int], str],
    ) -> None:
        super().__init__(plan, conclusion)
        self._place = place
        self._problem = Problem(plan, place, roles, assumed=range(len(plan.cells)))
        if conclusion is not None:
            conclusion.deny(self._problem)

    def left_open(self, entries: Sequence[int], deadline: float | None) -> SolverResult:
        """Return whether some history has some entries but not the conclusion."""
        solution = self._problem.solve(seconds=seconds_left(deadline), assume=entries)
        if solution.found and not self._confirmed(entries, solution, deadline):
            # a verdict, or the order in a night, rules the solution out: the search decides
            return super().left_open(entries, deadline)
        return solution

    def _confirmed(self, entries: Sequence[int], solution: SolverResult, deadline: float | None) -> bool:
        """Whether a solution is a history; the exact search, given all moves, also checks verdicts."""
        plan, names = self._plan, {p: name for name, p in self._place.items()}
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
        return self._denied(plan, deadline)


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
        answer = self._open(self._every)
        self.entries = list(answer.core)
        return not answer.found

    def _open(self, entries: Sequence[int]) -> SolverResult:
        """Return whether some entries leave the conclusion open in any case."""
        core: set[int] = set()
        for case in self._cases:
            answer = case.left_open(entries, self._deadline)
            if answer.found:
                return answer
            core |= set(answer.core)
        return SolverResult(False, core=tuple(sorted(core)))

    def reduce(self) -> None:
        """Remove entries one by one until all are needed; raise OutOfTime if this takes too long.

        A proof shows that an entry can be removed, and often others with it; a history without an entry shows
        that it is needed.
        """
        while open_ := [i for i in self.entries if i not in self.needed]:
            entry = open_[self._cases[0].tried]
            answer = self._open([i for i in self.entries if i != entry])
            if answer.found:
                self.needed.append(entry)
            else:
                self.entries = list(answer.core)

    def shrink(self) -> None:
        """Search for a smallest set; raise OutOfTime if this takes too long.

        Every set that leaves the conclusion open is enlarged as far as possible; a forcing set must contain
        one of the missing entries.
        """
        missing: list[frozenset[int]] = []
        for _ in range(_ROUNDS):
            candidate = _meeting(missing)
            if candidate is None or len(candidate) >= len(self.entries):
                return
            answer = self._open(candidate)
            if not answer.found:
                self.entries = candidate
                return
            lacking = answer.broken.intersection(self._every)
            for entry in sorted(lacking):
                if entry in lacking:
                    answer = self._open([i for i in self._every if i == entry or i not in lacking])
                    lacking = lacking & answer.broken if answer.found else lacking
            missing.append(lacking)
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
