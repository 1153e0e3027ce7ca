"""Answers from all histories that explain a player's information: K, P, moves, numbers, an example.

`infer` reads a handout and returns `Histories`. A pair of a history and a world of its superposition is a
course of an ordinary game that the player considers possible. The player knows the formulas that are true in
all pairs; a pair has the probability of the history divided by its number of worlds, where others are assumed
to choose uniformly among their allowed moves (the probabilities of draws are exact).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import prod
from typing import Literal, TypeAlias

from kripke_werewolf.errors import GameError
from kripke_werewolf.language.formulas import Formula, FormulaLike
from kripke_werewolf.language.operators import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.tables import Cell as Chance
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.handout import Handout
from kripke_werewolf.werewolf.inference.evidence import (
    NOT_ASKED,
    PASSED,
    Acting,
    Evidence,
    Known,
    Move,
)
from kripke_werewolf.werewolf.inference.handouts import evidence_in
from kripke_werewolf.werewolf.inference.minds import Minds, is_true
from kripke_werewolf.werewolf.inference.reasons import Conclusion, Reason, read_conclusion, reason
from kripke_werewolf.werewolf.inference.records import Record, in_order, public_evidence
from kripke_werewolf.werewolf.inference.rows import Seen
from kripke_werewolf.werewolf.inference.scenarios import Dead, Deals, Worlds
from kripke_werewolf.werewolf.inference.search import (
    Budget,
    Find,
    Unfinished,
    check_covered,
    drawn_roles,
    placements,
    search,
)
from kripke_werewolf.werewolf.inference.solver import (
    Attacks as AttackMap,
)
from kripke_werewolf.werewolf.inference.solver import (
    Choice,
    OutOfTime,
    Problem,
    attack_maps,
    possible_choices,
    solver_covers,
)
from kripke_werewolf.werewolf.questions import resolve
from kripke_werewolf.werewolf.rules import FACTS, Action
from kripke_werewolf.werewolf.setup import Setup
from kripke_werewolf.werewolf.table import Table, chosen_columns

Way: TypeAlias = tuple[tuple[str, str, str], ...]
"""Everybody's attacks: phase, attacker and target of each."""
Status: TypeAlias = Literal["exact", "possible moves only", "not finished"]


class NoHistory(GameError):
    """No history explains the player's information: the sheet contradicts itself or the rules."""

    def __init__(self, message: str, evidence: Evidence) -> None:
        self.evidence = evidence
        super().__init__(message)

    def conflict(self, *, seconds: float | None = 10, smallest: bool = True) -> Reason | None:
        """Return jointly impossible entries, as few as time allows; None if none are found."""
        return reason(self.evidence, None, seconds=seconds, smallest=smallest, denied=_denied)


@dataclass(frozen=True, slots=True)
class Made:
    """A possible move of a player in a phase; players are named, or numbered if tables are."""

    step: int
    """The number of the phase among all phases on the sheet."""
    phase: str
    player: str
    action: str
    move: str
    """`looks at 3: good`, `attacks 5`, `does not look`, `is not asked for a vision`."""
    chance: Fraction | None
    """Its probability for the owner of the sheet; 1 is certainty. None if it is unknown."""


@dataclass(frozen=True, eq=False)
class Histories:
    """All histories that explain one player's information."""

    evidence: Evidence
    finds: tuple[Find, ...]
    status: Status = "exact"
    reason: str = ""
    """The reason why the search has not finished, or ""."""
    budget: Budget = field(default_factory=Budget)
    choices: tuple[Choice, ...] = ()
    """The moves that the solver found possible, if only these are known."""
    maps: tuple[AttackMap, ...] = ()
    """All combinations of attacks that the solver found possible, if they are few."""
    sizes: tuple[int, ...] = ()
    """The final numbers of worlds that the solver found possible, if the combinations of attacks are few."""

    @property
    def viewer(self) -> str:
        """The player."""
        return self.evidence.viewer

    @property
    def setup(self) -> Setup:
        """The public settings of the game."""
        return self.evidence.setup

    @cached_property
    def number(self) -> int:
        """The number of histories, one for each numbering of the players."""
        return sum(find.histories for find in self.finds)

    @cached_property
    def worlds(self) -> tuple[int, ...]:
        """The possible numbers of worlds of the superposition; empty if unknown."""
        found = set(self.sizes)
        for find in self.finds:
            found |= set(find.sizes)
        return tuple(sorted(found))

    # moves

    @cached_property
    def moves(self) -> tuple[Made, ...]:
        """Every possible move of each player in each phase, with its probability, most likely first.

        In anonymous tables players are numbers. If the search has not finished, or the solver alone found the
        moves, chances are None.
        """
        if self.status == "possible moves only":
            made = [self._made(choice) for choice in self.choices]
            return tuple(sorted(made, key=lambda m: (m.step, m.player, m.action, m.move)))
        sums: dict[Choice, Fraction] = {}
        for find in self.finds:
            for choice, weight in _choices(find):
                sums[choice] = sums.get(choice, Fraction(0)) + weight
        total = self._total if self.status == "exact" else None
        made = [self._made(c, None if total is None else w / total) for c, w in sums.items() if w]
        return tuple(sorted(made, key=lambda m: (m.step, m.player, m.action, -(m.chance or 0), m.move)))

    def _made(self, choice: Choice, chance: Fraction | None = None) -> Made:
        step = self.evidence.steps[choice.step]
        assert isinstance(step, Acting)
        return Made(
            choice.step,
            str(step.phase),
            self._called(choice.actor),
            choice.action,
            self._did(choice),
            chance,
        )

    def _called(self, place: int) -> str:
        return str(place + 1) if self.evidence.anonymous else self.setup.players[place]

    def _did(self, choice: Choice) -> str:
        if choice.target is None:
            idle = {NOT_ASKED: f"is not asked for {_A[choice.action]}", PASSED: "is passed over"}
            return idle.get(choice.result or "", "does not look")
        target = self._called(choice.target)
        return (
            f"attacks {target}"
            if choice.action == "attack"
            else f"looks at {target}: {choice.result or 'nothing'}"
        )

    @cached_property
    def attacks(self) -> tuple[tuple[Fraction | None, Way], ...]:
        """All possible combinations of attacks, with their probabilities, the most likely first.

        A combination lists (phase, attacker, target); players are numbers if tables are anonymous. The
        probabilities of combinations found by the solver are None.
        """
        if self.maps:
            return tuple((None, way) for way in sorted(map(self._way, self.maps)))
        sums: dict[Way, Fraction] = {}
        for find in self.finds:
            for way in find.attacks:
                key = self._way(way)
                sums[key] = sums.get(key, Fraction(0)) + find.weight / len(find.attacks) / self._total
        return tuple(sorted(((share, way) for way, share in sums.items()), key=lambda x: (-x[0], x[1])))

    def _way(self, attacks: AttackMap) -> Way:
        made = (self._made(Choice(n, p, "attack", t)) for (n, p), t in attacks.items() if t is not None)
        return tuple(sorted((m.phase, m.player, m.move.removeprefix("attacks ")) for m in made))

    @cached_property
    def numbers(self) -> dict[str, dict[int, Fraction]]:
        """The probability of every number for each player, if the tables are anonymous."""
        found: dict[str, dict[int, Fraction]] = {name: {} for name in self.setup.players}
        if not self.evidence.anonymous:
            return {}
        for find in self.finds:
            place = find.scenario.place
            free = [p for p in find.scenario.deals.places if p not in place.values()]
            for name in self.setup.players:
                for p in [place[name]] if name in place else free:
                    share = find.weight / self._total / (1 if name in place else len(free))
                    found[name][p + 1] = found[name].get(p + 1, Fraction(0)) + share
        return found

    def example(self) -> tuple[str, ...]:
        """Return a history of the most likely scenario in sentences; empty if none was found."""
        if not self.finds:
            return ()
        find = max(self.finds, key=lambda f: f.weight)
        made = {
            Choice(n, p, "attack", t, None if t is not None else NOT_ASKED)
            for (n, p), t in find.attacks[0].items()
        }
        for leaf in find.example():
            made |= {_choice(seen) for seen in leaf.seen}
        lines = [
            f"{name} is number {p + 1}." for name, p in find.scenario.place.items() if self.evidence.anonymous
        ]
        for choice in sorted(made, key=lambda c: (c.step, c.action, c.actor)):
            if choice.result not in (NOT_ASKED, PASSED):
                phase = self._made(choice).phase
                lines.append(f"{phase}: {self._called(choice.actor)} {self._did(choice)}.")
        for (number, p), role in sorted(find.scenario.roles.items()):
            lines.append(f"{self._called(p)} was {role} (step {number + 1}).")
        return tuple(lines)

    # knowledge

    def chance(self, fact: FormulaLike) -> Fraction:
        """Return the probability of a formula for this player.

        Raises GameError if it is about others' knowledge that cannot be determined; see `ask`.
        """
        f = resolve(self.setup, fact, self.evidence.known_numbers)
        if not f.is_boolean:
            self._check_chances(f)
            minds = Minds()
            return minds.chance(minds.view(self), f)
        found = self.valuations(f.atoms)
        true = sum((weight for facts, weight in found.items() if is_true(f, facts)), Fraction(0))
        return true / self._total

    def ask(self, question: FormulaLike) -> Verdict:
        """Return whether a formula is true in all, none or some of the worlds the player considers possible.

        It may be about this and other players' knowledge, including distributed, common and higher-order
        knowledge: every possible record of others is searched. Raises UnknownAtomError and UnknownAgentError,
        and GameError if there are too many records, or if others' records are not found.
        """
        f = resolve(self.setup, question, self.evidence.known_numbers)
        if beyond_a_model(f, self.viewer) is None:
            return self.model(f).verdict(f)
        self._check_chances(f)
        minds = Minds()
        return Verdict.of(*minds.verdict(minds.view(self), f))

    def model(self, question: FormulaLike) -> KripkeModel:
        """Return the Kripke model of the player's knowledge, as far as a formula needs it.

        Its designated worlds are those that the player considers possible, distinguished by the atoms of the
        formula and the records of the others in it. From each of them another player sees the worlds that
        they consider possible with that record.
        """
        f = resolve(self.setup, question, self.evidence.known_numbers)
        if (part := beyond_a_model(f, self.viewer)) is not None:
            raise GameError(
                f"{part} is about what several players know together, or know of each other beyond the "
                "first; no model is built for that, but it can be asked"
            )
        self._check_chances(f)
        others = sorted(f.agents - {self.viewer})
        if not others:
            return self._model_of({(): self}, f.atoms, ())
        return self._model_of(self._by_records(others), f.atoms, others)

    def _model_of(
        self, cells: Mapping[tuple[Record, ...], Histories], atoms: frozenset[str], others: Sequence[str]
    ) -> KripkeModel:
        """Return a model with a part for each combination of records of the others, and their parts."""
        worlds: list[tuple[object, ...]] = []
        weights: dict[Hashable, object] = {}
        true: dict[str, list[tuple[object, ...]]] = {atom: [] for atom in atoms}
        parts: dict[tuple[object, ...], list[tuple[object, ...]]] = {}

        def add(part: tuple[object, ...], histories: Histories) -> None:
            if part in parts:
                return
            parts[part] = []
            for facts, weight in histories.valuations(atoms).items():
                world = (*part, facts)
                worlds.append(world)
                parts[part].append(world)
                weights[world] = weight
                for atom in facts:
                    true[atom].append(world)

        for records, histories in cells.items():
            add((self.viewer, *records), histories)
        mine = [world for inside in parts.values() for world in inside]
        sees: dict[str, list[tuple[object, object]]] = {self.viewer: [(w, v) for w in mine for v in mine]}
        for position, other in enumerate(others):
            pairs: dict[tuple[object, object], None] = {}
            for records in cells:
                part = (other, records[position])
                add(part, self.as_seen_by(records[position]))
                here = (*parts[self.viewer, *records], *parts[part])
                pairs |= dict.fromkeys((w, v) for w in here for v in parts[part])
            sees[other] = list(pairs)
        given: dict[str, Mapping[Hashable, object]] = dict.fromkeys(sees, weights)
        return KripkeModel(worlds, sees, true, designated=mine, weights=given)

    def because(
        self, conclusion: FormulaLike, *, seconds: float | None = 10, smallest: bool = False
    ) -> Reason | None:
        """Return entries of the tables that imply a conclusion; None if they leave it open.

        None of them can be omitted; `smallest`: smaller sets are sought as long as the time allows.
        `conclusion`: a fact (`~wolf_Bo`) or a move (`1 attacks 4`, `Bo looks at Cy in night 1`). With the
        extra `[infer]` the solver finds them; without it, and under rules without ranks or with several
        seers, the search for histories is repeated, which takes longer.
        """
        return reason(
            self.evidence,
            read_conclusion(self.evidence, conclusion),
            seconds=seconds,
            smallest=smallest,
            denied=_denied,
        )

    # others' knowledge

    def _by_records(self, others: Sequence[str]) -> dict[tuple[Record, ...], Histories]:
        """Return the histories by the others' moves and messages."""
        found: dict[tuple[Record, ...], Histories] = {(): self}
        for other in others:
            found = {
                (*records, record): narrowed
                for records, histories in found.items()
                for record, narrowed in histories.with_record(other)
            }
        return found

    def with_record(self, other: str) -> Iterator[tuple[Record, Histories]]:
        """Yield every possible record of another player, with the histories that have it."""
        for record in self._moves_of(other):
            for running in record.with_running(self.evidence):
                narrowed = self.narrowed(running)
                if narrowed is None:
                    continue
                for noted in running.with_notices(self.evidence):
                    histories = narrowed.narrowed(noted)
                    if histories is not None:
                        yield noted, histories

    def narrowed(self, record: Record) -> Histories | None:
        """Return the histories in which another player has a record, or None."""
        self._check_records(record.player)
        try:
            return _finished(find_histories(record.added_to(self.evidence), self.budget))
        except NoHistory:
            return None

    def _check_records(self, other: str) -> None:
        """Raise GameError if a record is more than moves and notices."""
        if self.setup.rules.told == "probabilities":
            raise GameError(
                f"{other} is told their own probabilities in every phase, so there are too many things they "
                "may have been told; ask about them with reading='facts'"
            )

    def as_seen_by(self, record: Record) -> Histories:
        """Return all histories that explain another player's information, given their record."""
        return _finished(find_histories(record.evidence(self.evidence), self.budget))

    def of_the_public(self) -> Histories | None:
        """Return all histories that explain the public information; None if there are too many.

        Also None if tables are anonymous, since nobody's number is known.
        """
        if self.evidence.anonymous:
            return None
        found = find_histories(public_evidence(self.evidence), self.budget)
        return found if found.status == "exact" else None

    def _check_chances(self, f: Formula) -> None:
        """Raise GameError for probabilities of others' knowledge while a phase runs."""
        if self.evidence.running is None or not f.agents - {self.viewer}:
            return
        if any(isinstance(node, Probability) for node in f.subformulas()):
            raise GameError(
                "whether others have moved in a phase that has not ended has no probability; ask what they "
                "know, or ask when the phase is over, or with reading='facts'"
            )

    def _moves_of(self, other: str) -> tuple[Record, ...]:
        """Return every possible move and result of another player, including their number."""
        self._check_records(other)
        several = self.setup.deck.seers > 1
        found: dict[Record, None] = {}
        for find in search(self.evidence, self.budget, named=[other]):
            own = find.scenario.place[other]
            attacks: set[tuple[_Did, ...]] = {
                tuple((n, "attack", t, None) for (n, p), t in way.items() if p == own) for way in find.attacks
            }
            for groups, shares in zip(find.groups, find.total.shares, strict=True):
                for leaves, share in zip(groups, shares, strict=True):
                    for leaf in leaves if share[0] else ():
                        looks: tuple[_Did, ...] = tuple(
                            (n, "vision", t, r) for n, p, t, r in leaf.seen if p == own
                        )
                        if looks or several or not self._looked(other):
                            for hits in sorted(attacks, key=str):
                                found |= dict.fromkeys(self._named(find, other, (*looks, *hits)))
        return tuple(found)

    def _looked(self, other: str) -> bool:
        """Whether another player lived in a finished phase of visions."""
        return any(
            isinstance(step, Acting)
            and step.ended
            and other in living
            and "vision" in self.setup.actions(step.phase)
            for step, living in zip(self.evidence.steps, self.evidence.living(), strict=True)
        )

    def _named(self, find: Find, other: str, moves: Sequence[_Did]) -> Iterator[Record]:
        """Yield a record with its targets by name, for every possible numbering."""
        scenario = find.scenario
        names = {place: name for name, place in scenario.place.items()}
        targets = sorted({t for _, _, t, _ in moves if isinstance(t, int) and t not in names})
        rest = [name for name in self.setup.players if name not in scenario.place]
        for chosen in permutations(rest, len(targets)):
            called = {**names, **dict(zip(targets, chosen, strict=True))}
            number = scenario.place[other] + 1 if self.evidence.anonymous else None
            yield Record(other, number, in_order(_known_of(self.evidence, other, moves, called)))

    # probabilities

    @cached_property
    def _total(self) -> Fraction:
        return sum((find.weight for find in self.finds), Fraction(0))

    def valuations(self, atoms: Iterable[str]) -> dict[frozenset[str], Fraction]:
        """Return the weight of the pairs of a history and a world by their true atoms among those given.

        Raises GameError if not all histories were found.
        """
        if self.status != "exact":
            why = self.reason or "only possible moves were looked for"
            raise GameError(
                f"not all histories were found, because {why}; more time, fewer players or tables with exact "
                "numbers would help, and reading='facts' answers what follows from the facts alone"
            )
        found: dict[frozenset[str], Fraction] = {}
        asked = sorted(atoms)
        mortal = any(atom.startswith(("dead_", "dominant_")) for atom in asked)
        for find in self.finds:
            sums: dict[tuple[Worlds, Dead], Fraction] = {}
            for leaf, _, per_world, _ in find.shares():
                for attacks in find.attacks if mortal else (None,):
                    key = leaf.alive, () if attacks is None else find.dead(leaf, attacks)
                    share = per_world * len(find.attacks) if attacks is None else per_world
                    sums[key] = sums.get(key, Fraction(0)) + share
            for place, share in _placed(find, asked):
                for (alive, dead), weight in sums.items():
                    for facts, worlds in _split(find.scenario.deals, place, asked, alive, dead).items():
                        found[facts] = found.get(facts, Fraction(0)) + weight * share * worlds.bit_count()
        return {facts: weight for facts, weight in found.items() if weight}

    def table(self, columns: Sequence[str] | None = None) -> Table:
        """Return the probability of every fact for this player."""
        headings = chosen_columns(self.setup, columns)
        fractional = self.setup.rules.attack == "fractional"

        def cell(name: str, heading: str) -> Chance:
            chance = self.chance(f"{FACTS[heading]}_{{{name}}}")
            return None if FACTS[heading] == "dead" and fractional and not chance else chance

        rows = tuple(tuple(cell(name, h) for h in headings) for name in self.setup.players)
        return Table(self.setup.players, headings, rows, None, f"as {self.viewer} sees it, reading: table")


def _split(
    deals: Deals, place: Mapping[str, int], atoms: Sequence[str], alive: Worlds, dead: Dead
) -> dict[frozenset[str], Worlds]:
    """Return sets of worlds by the true atoms among those given."""
    found = {frozenset[str](): alive}
    for atom in atoms:
        fact, _, name = atom.rpartition("_")
        p = place[name]
        if fact == "dead":
            inside = dead[p]
        elif fact == "dominant":
            inside = deals.dominated(alive, dead, p)
        else:
            inside = deals.holders[fact][p]
        parts: dict[frozenset[str], Worlds] = {}
        for facts, worlds in found.items():
            for key, part in ((facts | {atom}, worlds & inside), (facts, worlds & ~inside)):
                if part:
                    parts[key] = part
        found = parts
    return found


def _placed(find: Find, atoms: Sequence[str]) -> Iterator[tuple[Mapping[str, int], Fraction]]:
    """Yield the places of the players in some atoms, equally likely for players that are not named."""
    place = find.scenario.place
    names = [n for n in dict.fromkeys(a.rpartition("_")[2] for a in atoms) if n not in place]
    free = [p for p in find.scenario.deals.places if p not in place.values()]
    ways = list(permutations(free, len(names)))
    for chosen in ways:
        yield {**place, **dict(zip(names, chosen, strict=True))}, Fraction(1, len(ways))


def _finished(found: Histories) -> Histories:
    if found.status != "exact":
        raise GameError(
            f"what others know was not found, because {found.reason}; more time or fewer players would help, "
            "and reading='facts' answers what follows from the facts alone"
        )
    return found


def _denied(evidence: Evidence, conclusion: Conclusion | None, deadline: float | None) -> bool:
    """Return whether some history that explains the evidence has a world where a conclusion is false."""
    left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
    try:
        found = find_histories(evidence, Budget(left))
    except NoHistory:
        return False
    if found.status != "exact":
        raise OutOfTime
    if conclusion is None:
        return True
    if conclusion.fact is not None:
        return found.chance(conclusion.fact) < 1
    made = (choice for find in found.finds for choice, weight in _choices(find) if weight)
    wanted = conclusion.move
    return wanted is not None and any(c[:3] == wanted[:3] and c.target != wanted.target for c in made)


def beyond_a_model(f: Formula, viewer: str) -> Formula | None:
    """Return a part of a formula for which `Histories.model` has no worlds, or None.

    Such parts are about the joint knowledge of several players, and about others' knowledge of knowledge.
    """
    for node in f.subformulas():
        agents = _own_agents(node)
        others = agents - {viewer}
        if others and (len(agents) > 1 or node.scattered):
            return node
        if others and any(child.agents - agents for child in node.children):
            return node
    return None


def _own_agents(node: Formula) -> frozenset[str]:
    return (
        node.agents.difference(*(child.agents for child in node.children)) if node.children else node.agents
    )


_A: Mapping[str, str] = {"vision": "a vision", "attack": "an attack"}


def _choice(seen: Seen) -> Choice:
    number, actor, target, result = seen
    if isinstance(target, int):
        return Choice(number, actor, "vision", target, result)
    return Choice(number, actor, "vision", None, target)


def _choices(find: Find) -> Iterator[tuple[Choice, Fraction]]:
    """Yield all moves of a scenario with their weights."""
    for attacks in find.attacks:
        for (number, actor), target in attacks.items():
            passed = None if target is not None else NOT_ASKED
            yield Choice(number, actor, "attack", target, passed), find.weight / len(find.attacks)
    for leaf, _, _, weight in find.shares():
        for seen in leaf.seen:
            yield _choice(seen), weight * len(find.attacks)


# --- what another player may have done and been told ------------------------------------------------

_Did: TypeAlias = tuple[int, Action, "int | str | None", "str | None"]
"""A move by its step and action: the place of the target (None: declined, or not asked), and the result."""


def _known_of(
    evidence: Evidence, player: str, moves: Sequence[_Did], called: Mapping[int, str]
) -> Iterator[tuple[int, Action, Known]]:
    """Yield the moves of a player by the positions of their phases, targets by name."""
    for number, action, target, result in moves:
        step = evidence.steps[number]
        assert isinstance(step, Acting)
        made: Known = NOT_ASKED
        if isinstance(target, int):
            made = Move(called[target], result)
        elif PASSED in (target, step.known.get((player, action))):
            made = PASSED
        elif target is None and action == "vision":
            made = Move(None)
        yield step.phase.position, action, made


# --- the search -------------------------------------------------------------------------------------


def find_histories(evidence: Evidence, budget: Budget) -> Histories:
    """Return all histories that explain the evidence; raise NoHistory if there are none.

    If there are too many for the time or the memory, the solver still finds the possible attacks; a third of
    the time is reserved for it if it supports the rules.
    """
    if budget.seconds is not None and solver_covers(evidence):
        budget = replace(budget, spared=budget.seconds / 3)
    finds: list[Find] = []
    try:
        for find in search(evidence, budget):
            finds.append(find)
    except Unfinished as error:
        try:
            choices, _ = _solver_choices(evidence, ("attack",), budget.deadline)
        except (OutOfTime, GameError):
            return Histories(evidence, tuple(finds), "not finished", str(error), budget)
        return Histories(evidence, tuple(finds), "possible moves only", str(error), budget, choices)
    if not finds:
        raise NoHistory(f"no history explains what {evidence.viewer} was told", evidence)
    return Histories(evidence, tuple(finds), budget=budget)


def _solver_choices(
    evidence: Evidence, actions: Sequence[str], deadline: float | None, *, sizes_too: bool = False
) -> tuple[tuple[Choice, ...], tuple[int, ...]]:
    """Return the moves of some kinds that the solver finds possible; raise OutOfTime if not finished.

    `sizes_too`: also return the possible numbers of worlds; empty if there are many.
    """
    if not solver_covers(evidence):
        raise GameError(
            "the solver covers rules with ranked wolves and one seer, "
            f"not {evidence.setup.rules.name!r} with {evidence.setup.deck.seers} seers"
        )
    found, sizes, many = set[Choice](), set[int](), False
    for place, _ in placements(evidence, ()):
        for roles in drawn_roles(evidence, place):
            problem = Problem(evidence, place, roles)
            possible = possible_choices(problem, deadline=deadline, actions=actions, sizes=sizes_too)
            found |= possible.moves
            sizes |= possible.sizes
            many = many or bool(possible.moves and not possible.sizes)
    return tuple(sorted(found, key=str)), () if many else tuple(sorted(sizes))


def possible_moves(
    sheet: Handout | Evidence,
    *,
    actions: Sequence[Action] = ("vision", "attack"),
    timeout: float | None = None,
) -> Histories:
    """Return the possible moves found by the solver, without probabilities and numbers of histories.

    Verdicts are ignored, so a move found possible may still be excluded by one. If only attacks are requested
    and few are open, all combinations of attacks and the numbers of worlds are found too. Needs the extra
    `[infer]`. Raises NoHistory if nothing is possible.
    """
    evidence = evidence_in(sheet) if isinstance(sheet, Handout) else sheet
    check_covered(evidence)
    deadline = None if timeout is None else time.monotonic() + timeout
    try:
        attacks_only = set(actions) == {"attack"}
        choices, sizes = _solver_choices(evidence, actions, deadline, sizes_too=attacks_only)
    except OutOfTime:
        return Histories(evidence, (), "not finished", f"the time was up ({timeout:g} s)")
    begun = any(
        isinstance(s, Acting) and {*actions} & {*evidence.setup.actions(s.phase)} for s in evidence.steps
    )
    if not choices and begun:
        raise NoHistory(f"no history explains what {evidence.viewer} was told", evidence)
    maps = _few_ways(evidence, choices, deadline) if attacks_only and sizes else ()
    return Histories(
        evidence, (), "possible moves only", choices=choices, maps=maps, sizes=sizes if maps else ()
    )


_FEW = 200
"""The most combinations of attacks that the solver lists."""


def _few_ways(evidence: Evidence, choices: Sequence[Choice], deadline: float | None) -> tuple[AttackMap, ...]:
    """Return all combinations of attacks found by the solver; none if there may be many."""
    several: dict[tuple[int, int], list[int | None]] = {}
    for choice in choices:
        several.setdefault((choice.step, choice.actor), []).append(choice.target)
    if prod(map(len, several.values())) > _FEW:
        return ()
    if all(len(targets) == 1 for targets in several.values()):
        return ({key: target for key, (target,) in several.items()},)
    maps: dict[tuple[tuple[tuple[int, int], int | None], ...], AttackMap] = {}
    try:
        for place, _ in placements(evidence, ()):
            for roles in drawn_roles(evidence, place):
                for attacks in attack_maps(Problem(evidence, place, roles), deadline=deadline):
                    maps[tuple(sorted(attacks.items()))] = attacks
    except OutOfTime:
        return ()
    return tuple(maps.values())


def infer(
    sheet: Handout | Evidence,
    *,
    timeout: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Histories:
    """Return all histories that explain a player's information.

    `timeout`: the total time in seconds. If the search is not finished in two thirds of it, the solver gets
    the rest, and the answer is marked as possible moves only, or as unfinished. `progress` is called from
    time to time with the number of scenarios tried. Raises NoHistory if the sheet contradicts itself, and
    GameError if the search does not support the rules.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka")
    >>> for player in game.players:
    ...     game = game.vision(player, "Ann", result="human")
    >>> found = infer(game.handout("Bo"))
    >>> found.number, str(found.ask("K_Bo ~wolf_Ann"))
    (8, 'true')
    """
    evidence = evidence_in(sheet) if isinstance(sheet, Handout) else sheet
    return find_histories(evidence, Budget(timeout, progress=progress))


__all__ = [
    "Histories",
    "Made",
    "NoHistory",
    "Status",
    "beyond_a_model",
    "find_histories",
    "infer",
    "possible_moves",
]
