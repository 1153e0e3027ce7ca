"""Which entries of the tables force a conclusion, and which cannot hold together.

The player's own record and the public events are given. A set of entries is irreducible if leaving out any
of them leaves the conclusion open. For a smallest set: a set forces the conclusion just if it meets every set
whose complement leaves it open.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from typing import Literal

from kripke_werewolf.errors import GameError
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.operators import Knows
from kripke_werewolf.semantics.bits import BitSpace
from kripke_werewolf.werewolf.inference.evidence import Acting, Cell, Evidence, Shown
from kripke_werewolf.werewolf.inference.scenarios import as_wolf
from kripke_werewolf.werewolf.inference.search import drawn_roles, placements
from kripke_werewolf.werewolf.inference.solver import (
    Choice,
    Constraints,
    Outline,
    OutOfTime,
    Problem,
    Solution,
    check_solver,
    solver_covers,
)
from kripke_werewolf.werewolf.questions import resolve
from kripke_werewolf.werewolf.roles import Role, is_wolf

_MOVE = re.compile(r"(.+?) (attack(?:s|ed)|look(?:s|ed) at) (.+?)(?: in (.+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reason:
    """The entries of tables that force a conclusion; without a conclusion: that cannot hold together."""

    conclusion: str
    cells: tuple[Cell, ...]
    least: Literal["smallest", "irreducible", "not reduced"]
    """Whether no fewer entries do, none of these can be left out, or the time was up before that."""

    def __str__(self) -> str:
        entries = ", ".join(map(str, self.cells)) or "the moves and events alone"
        if not self.conclusion:
            return f"these cannot hold together: {entries} ({self.least})"
        return f"{self.conclusion}, because of {entries} ({self.least})"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Something that may follow: a move, by its places, or a fact about the worlds."""

    text: str
    move: Choice | None = None
    fact: Formula | None = None

    def deny(self, problem: Constraints) -> None:
        """Demand that it is not so."""
        if self.move is not None:
            for choice in problem.choices:
                same = (choice.step, choice.actor, choice.action) == self.move[:3]
                if same and choice.target == self.move.target:
                    problem.without(choice)
        if self.fact is not None:
            problem.with_some(dict(_failing(problem, self.fact)))

    @property
    def named(self) -> tuple[str, ...]:
        """The players it is about."""
        if self.fact is None:
            return ()
        return tuple(dict.fromkeys(atom.rpartition("_")[2] for atom in sorted(self.fact.atoms)))


def _failing(problem: Constraints, fact: Formula) -> Iterator[tuple[int, list[Collection[tuple[int, bool]]]]]:
    """Yield for each deal the ways of who is dead in which a fact is false."""
    mortal = sorted(atom for atom in fact.atoms if atom.startswith("dead_"))
    place, last = problem.place, len(problem.living) - 1
    for w, roles in enumerate(problem.deals.roles):
        facts = {}
        for atom in fact.atoms:
            kind_, _, name = atom.rpartition("_")
            role = roles[place[name]]
            if kind_ == "dominant":
                facts[atom] = problem.dominant_in(w, last) == place[name]
            else:
                facts[atom] = kind_ in (role, "wolf" if is_wolf(role) else "good")
        ways: list[Collection[tuple[int, bool]]] = []
        for dead in product((False, True), repeat=len(mortal)):
            now = {**facts, **dict(zip(mortal, dead, strict=True))}
            if not BitSpace.numbered(1, {}, {a: int(now[a]) for a in fact.atoms}).truth(fact):
                ways.append([(place[a.rpartition("_")[2]], d) for a, d in zip(mortal, dead, strict=True)])
        yield w, ways


def read_conclusion(evidence: Evidence, text: FormulaLike) -> Conclusion:
    """Return the conclusion that a string stands for: `1 attacked 4`, `Bo looks at Cy`, or a formula.

    Of a formula K_i φ about the player's own knowledge φ is taken. Raises GameError and the errors of
    formulas.
    """
    found = _MOVE.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        f = resolve(evidence.setup, formula(text))
        if isinstance(f, Knows) and f.agent == evidence.viewer:
            f = f.body
        if not f.is_boolean:
            raise GameError(
                f"{f} is about what players know; ask why of a fact, or of a move like '1 attacks 4'"
            )
        return Conclusion(str(f), fact=f)
    who, verb, whom, when = found.groups()
    action = "attack" if verb.casefold().startswith("attack") else "vision"
    steps = [
        (n, step)
        for n, step in enumerate(evidence.steps)
        if isinstance(step, Acting) and action in evidence.setup.actions(step.phase)
    ]
    chosen = [n for n, step in steps if when is None or str(step.phase).startswith(when.casefold())]
    if len(chosen) != 1:
        phases = ", ".join(str(step.phase) for _, step in steps)
        raise GameError(f"say in which phase: {text} in … (phases: {phases})")
    actor, target = _place(evidence, who), _place(evidence, whom)
    return Conclusion(str(text), Choice(chosen[0], actor, action, target))


def _place(evidence: Evidence, name: str) -> int:
    setup = evidence.setup
    if evidence.anonymous:
        if name.isdecimal() and 1 <= int(name) <= len(setup.players):
            return int(name) - 1
        raise GameError(f"{name!r} is not a number from 1 to {len(setup.players)}: here moves go by numbers")
    return setup.seat(name)


def reason(
    evidence: Evidence,
    conclusion: Conclusion | None,
    *,
    seconds: float | None = None,
    smallest: bool = False,
    denied: Callable[[Evidence, Conclusion | None, float | None], bool],
) -> Reason | None:
    """Return entries that force a conclusion, or that contradict each other if there is none.

    None of them can be left out, if the time allows; `smallest`: then fewer ones are looked for until the
    time is over. None if all entries together leave it open. `denied`: whether some history that explains
    evidence has a world where a conclusion is false, found before a deadline; asked where the solver is not
    installed, or does not cover the rules. Raises GameError where the time is over before it is known whether
    the conclusion follows.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    every = _telling(evidence)
    named = () if conclusion is None else conclusion.named
    cases: list[_Case | _Searched] = [_Searched(evidence, conclusion, denied)]
    if find_spec("ortools") and solver_covers(evidence):
        cases = [
            _Case(evidence, conclusion, place, roles)
            for place, _ in placements(evidence, named)
            for roles in drawn_roles(evidence, place)
        ]

    def solved(entries: Sequence[int], effort: float | None = None) -> Solution:
        """Solve all cases with some entries: one with a solution, or all their cores together."""
        core: set[int] = set()
        for case in cases:
            solution = case.solve(entries, deadline, effort)
            if solution.found is not False:
                return solution
            core |= set(solution.core)
        return Solution(False, frozenset(), tuple(sorted(core)))

    try:
        first = solved(every)
    except OutOfTime:
        raise GameError(
            f"the time was up ({seconds:g} s) before it was known whether this follows; allow more time"
        ) from None
    if first.found:
        return None
    text = "" if conclusion is None else conclusion.text
    best = Reason(text, tuple(evidence.cells[i] for i in first.core), "not reduced")
    found = list(first.core)
    try:
        for fewer, least in _reduced(found, solved):
            found, best = fewer, Reason(text, tuple(evidence.cells[i] for i in fewer), least)
        if smallest or len(found) < 2:
            found = _smallest(found, every, solved)
            best = Reason(text, tuple(evidence.cells[i] for i in found), "smallest")
    except OutOfTime:
        pass
    return best


@dataclass(frozen=True, slots=True)
class _Searched:
    """The denial of a conclusion, decided by the search for all histories."""

    evidence: Evidence
    conclusion: Conclusion | None
    denied: Callable[[Evidence, Conclusion | None, float | None], bool]

    def solve(self, entries: Sequence[int], deadline: float | None, effort: float | None) -> Solution:
        """Search with some entries; there is no core but all of them."""
        found = self.denied(self.evidence.only(frozenset(entries)), self.conclusion, deadline)
        return Solution(found, frozenset(), () if found else tuple(entries))


class _Case:
    """The denial of a conclusion for one numbering and given drawn roles: in outline, and deal by deal."""

    def __init__(
        self,
        evidence: Evidence,
        conclusion: Conclusion | None,
        place: Mapping[str, int],
        roles: Mapping[tuple[int, int], Role],
    ) -> None:
        self._about = evidence, place, roles
        self._conclusion = conclusion
        move = None if conclusion is None else conclusion.move
        self._outline = self._denied(Outline) if move is None or move.action == "attack" else None
        self._problem: Constraints | None = None

    def _denied(self, kind: type[Constraints]) -> Constraints:
        found = kind(*self._about, assumed=range(len(self._about[0].cells)))
        if self._conclusion is not None:
            self._conclusion.deny(found)
        return found

    def solve(self, entries: Sequence[int], deadline: float | None, effort: float | None) -> Solution:
        """Solve with some entries, in outline first: that there is no solution is found much sooner there."""
        if self._outline is not None:
            rough = self._outline.solve(seconds=None, assume=entries, effort=_EFFORT)
            if rough.found is False:
                return rough
        if self._problem is None:
            self._problem = self._denied(Problem)
        left = None if deadline is None else deadline - time.monotonic()
        solution = self._problem.solve(seconds=left, assume=entries, effort=effort)
        if solution.found is None and (
            effort is None or (deadline is not None and time.monotonic() > deadline)
        ):
            raise OutOfTime
        return solution


def _telling(evidence: Evidence) -> list[int]:
    """Return the entries by their places in `Evidence.cells`, of those that say the same only the first."""
    found: dict[object, int] = {}
    place = 0
    for number, step in enumerate(evidence.steps):
        for cell in step.cells if isinstance(step, Shown) else ():
            found.setdefault((number, cell.row, as_wolf(cell)), place)
            place += 1
    return sorted(found.values())


def _reduced(
    found: list[int], solved: Callable[[Sequence[int], float | None], Solution]
) -> Iterator[tuple[list[int], Literal["irreducible", "not reduced"]]]:
    """Yield smaller and smaller sets of entries that force the conclusion: without several, then without one.

    That entries can go is shown by a proof, which also says what else can; that one cannot, by a solution.
    What takes long to decide is left for the end.
    """
    needed, open_, undecided = list[int](), found, list[int]()
    size = len(open_) // 2
    while open_:
        size = max(1, min(size, len(open_)))
        rest = open_[size:]
        solution = solved([*needed, *rest], _EFFORT)
        if solution.found is False:
            open_ = [i for i in rest if i in solution.core]
            size = len(open_) // 2
            yield [*needed, *open_], "not reduced"
        elif size > 1:
            size //= 2
        else:
            undecided += open_[:1] if solution.found is None else []
            needed.append(open_[0])
            open_, size = rest, len(rest) // 2
    for entry in undecided:
        rest = [i for i in needed if i != entry]
        if entry in needed and not (solution := solved(rest, None)).found:
            needed = [i for i in rest if i in solution.core]
            yield needed, "not reduced"
    yield needed, "irreducible"


_EFFORT = 3.0
"""How much the solver works on one set of entries before another is tried."""
_ROUNDS = 60
"""So many open sets are tried on the way to a smallest reason."""


def _smallest(found: list[int], every: list[int], solved: Callable[[Sequence[int]], Solution]) -> list[int]:
    """Return a smallest set of entries that forces the conclusion; raise OutOfTime if it takes too long.

    Every set that leaves it open is enlarged as far as possible; what is missing then must be met.
    """
    missing: list[frozenset[int]] = []
    for _ in range(_ROUNDS):
        candidate = _meeting(missing, len(found))
        if candidate is None or len(candidate) >= len(found):
            return found
        if not solved(candidate).found:
            return candidate
        open_ = set(candidate)
        for entry in every:
            if entry not in open_ and solved([*open_, entry]).found:
                open_.add(entry)
        missing.append(frozenset(every) - open_)
    raise OutOfTime


def _meeting(sets: Sequence[frozenset[int]], most: int) -> list[int] | None:
    """Return a smallest set of fewer than `most` elements that meets each of some sets, if there is one."""
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
