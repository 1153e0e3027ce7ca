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
from kripke_werewolf.language.operators import Atom, Probability
from kripke_werewolf.language.simplification import simplify
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.actions import WorldName
from kripke_werewolf.werewolf.inference.evidence import (
    NOT_ASKED,
    PASSED,
    UNMADE,
    Acting,
    Evidence,
    Known,
    Move,
    Shown,
    idle,
)
from kripke_werewolf.werewolf.inference.handouts import evidence_in
from kripke_werewolf.werewolf.inference.minds import Cells, Minds, is_true, own_agents
from kripke_werewolf.werewolf.inference.possible import Case, Possible, attack_maps_of, possible_choices
from kripke_werewolf.werewolf.inference.reasons import Conclusion, Reason, read_conclusion, reason
from kripke_werewolf.werewolf.inference.records import Record, in_order, public_evidence
from kripke_werewolf.werewolf.inference.rows import Seen
from kripke_werewolf.werewolf.inference.scenarios import (
    Dead,
    Deals,
    Worlds,
    deals_of,
    known_move,
    place_of,
)
from kripke_werewolf.werewolf.inference.search import (
    Budget,
    Find,
    Unfinished,
    check_covered,
    drawn_roles,
    placements,
    search,
)
from kripke_werewolf.werewolf.inference.solver import Attacks, Choice, OutOfTime, solver_covers
from kripke_werewolf.werewolf.questions import resolve
from kripke_werewolf.werewolf.roles import VILLAGER, letter
from kripke_werewolf.werewolf.rules import ACTION_WORDS, FACTS, Action
from kripke_werewolf.werewolf.setup import Setup
from kripke_werewolf.werewolf.table import Table, chances, chosen_columns
from kripke_werewolf.werewolf.told import Told

Way: TypeAlias = tuple[tuple[str, str, str], ...]
"""Everybody's attacks: phase, attacker and target of each."""
_MOST_DEALS = 600
"""The most deals by which the worlds of a model are told apart."""
_MOST_NUMBERED = 5
"""The most players for that if their numbers are hidden."""
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
    """The number of the phase among all phases of the game, from 0."""
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
    maps: tuple[Attacks, ...] = ()
    """All combinations of attacks that the solver found possible, if they are few."""
    sizes: tuple[int, ...] = ()
    """The final numbers of worlds that the solver found possible; empty if it has not found all of them."""

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
        if self.status == "possible moves only":  # the search found but a part of them
            return self.sizes
        return tuple(sorted({size for find in self.finds for size in find.sizes}))

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
        total = self._total if self.status == "exact" else None
        made = [self._made(c, None if total is None else w / total) for c, w in self._weights.items()]
        return tuple(sorted(made, key=lambda m: (m.step, m.player, m.action, -(m.chance or 0), m.move)))

    @cached_property
    def _weights(self) -> Mapping[Choice, Fraction]:
        """The weight of each move in the histories found."""
        sums: dict[Choice, Fraction] = {}
        for find in self.finds:
            for choice, weight in _choices(find):
                sums[choice] = sums.get(choice, Fraction(0)) + weight
        return {choice: weight for choice, weight in sums.items() if weight}

    def _made(self, choice: Choice, chance: Fraction | None = None) -> Made:
        step = self.evidence.steps[choice.step]
        assert isinstance(step, Acting)
        return Made(
            step.phase.position,
            str(step.phase),
            self._called(choice.actor),
            choice.action,
            self._did(choice),
            chance,
        )

    def _called(self, place: int) -> str:
        return str(place + 1) if self.evidence.anonymous else self.setup.players[place]

    def _did(self, choice: Choice) -> str:
        words, step = ACTION_WORDS[choice.action], self.evidence.steps[choice.step]
        if choice.target is None:
            assert isinstance(step, Acting)
            unmoved = {
                NOT_ASKED: f"is not asked for {words.one}",
                PASSED: "is passed over" if step.ended else f"is asked for {words.one}",
                UNMADE: f"has not acted so far ({choice.action})",
            }
            return unmoved.get(choice.result or "", "does not look")
        target = self._called(choice.target)
        shown = f": {choice.result or 'nothing'}" if choice.action == "vision" else ""
        return f"{words.does} {target}{shown}"

    @cached_property
    def attacks(self) -> tuple[tuple[Fraction | None, Way], ...]:
        """All possible combinations of attacks, with their probabilities, the most likely first.

        A combination lists (phase, attacker, target); players are numbers if tables are anonymous. The
        probabilities of combinations found by the solver are None; there are none if these may be many.
        """
        if self.status == "possible moves only":
            return tuple((None, way) for way in sorted(map(self._way, self.maps)))
        sums: dict[Way, Fraction] = {}
        for find in self.finds:
            for way in find.attacks:
                key = self._way(way)
                sums[key] = sums.get(key, Fraction(0)) + find.weight / len(find.attacks) / self._total
        return tuple(sorted(((share, way) for way, share in sums.items()), key=lambda x: (-x[0], x[1])))

    def _way(self, attacks: Attacks) -> Way:
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
        made = {Choice(n, p, "attack", t, None) for (n, p), t in find.attacks[0].items() if t is not None}
        for leaf in find.example():
            made |= {_choice(seen) for seen in leaf.seen}
        lines = [
            f"{name} is number {p + 1}." for name, p in find.scenario.place.items() if self.evidence.anonymous
        ]
        for choice in sorted(made, key=lambda c: (c.step, c.action, c.actor)):
            if choice.result not in (NOT_ASKED, PASSED, UNMADE):
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
        minds = Minds()
        told = minds.view(self)
        f = minds.settled(told, simplify(f, logic="S5"))
        if beyond_a_model(f, self.viewer) is None:
            return self.model(f).verdict(f)
        self._check_chances(f)
        return Verdict.of(*minds.verdict(told, f))

    def model(self, question: FormulaLike, *, deals: bool = False) -> KripkeModel:
        """Return the S5 model of the player's knowledge, as far as a formula needs it.

        Its designated worlds are those that the player considers possible, distinguished by the atoms of the
        formula (with `deals` by all roles, if these are few) and the records of the others in it. The further
        worlds are those that another player with one of these records considers possible; what the others
        would know there is left out.
        """
        f = resolve(self.setup, question, self.evidence.known_numbers)
        if (part := beyond_a_model(f, self.viewer)) is not None:
            raise GameError(
                f"{part} is about what several players know together, or know of each other beyond the "
                "first; no model is built for that, but it can be asked"
            )
        self._check_chances(f)
        others = sorted(f.agents - {self.viewer})
        return self._model_of(f.atoms, self.told_apart(f.atoms) if deals else f.atoms, others)

    def told_apart(self, atoms: frozenset[str]) -> frozenset[str]:
        """Return these atoms and those for all roles, unless there are too many deals."""
        deck, players = self.setup.deck, self.setup.players
        if deck.worlds > _MOST_DEALS or (self.evidence.anonymous and len(players) > _MOST_NUMBERED):
            return atoms
        hidden = [*deck.roles[1:], *(["dead"] if any(a.startswith("dominant_") for a in atoms) else [])]
        return atoms | {f"{fact}_{name}" for fact in hidden for name in players}

    def world(self, facts: frozenset[str], apart: frozenset[str], records: Sequence[Record]) -> WorldName:
        """Return the name of the world with these facts, told apart by some atoms, and records."""
        events = [event for record in records for event in record.events]
        special = self.setup.deck.roles[1:]
        if not apart.issuperset(f"{role}_{name}" for role in special for name in self.setup.players):
            return WorldName(facts, events)
        letters = ""
        for name in self.setup.players:
            role = next((role for role in special if f"{role}_{name}" in facts), VILLAGER)
            letters += letter(role).upper() if f"dead_{name}" in facts else letter(role)
        return WorldName(letters, events)

    def _model_of(self, atoms: frozenset[str], apart: frozenset[str], others: Sequence[str]) -> KripkeModel:
        """Return the model with a cell of the player, and one of each other player for each of their records.

        `apart`: the atoms by which worlds are distinguished, those of the model among them.
        """
        cells, found, mine = self._by_records(others), Cells(atoms), dict[Hashable, Fraction]()
        alike: dict[tuple[int, Record, frozenset[str]], list[Hashable]] = {}
        for records, histories in cells.items():
            for facts, weight in histories.valuations(apart).items():
                world = found.world((records, facts), self.world(facts, apart, records), facts)
                mine[world] = weight
                for position, record in enumerate(records):
                    alike.setdefault((position, record, facts), []).append(world)
        found.add(self.viewer, mine)
        for position, other in enumerate(others):
            for record in dict.fromkeys(records[position] for records in cells):
                seen: dict[Hashable, Fraction] = {}
                for facts, weight in self.as_seen_by(record).valuations(apart).items():
                    name = self.world(facts, apart, [record])
                    same = alike.get((position, record, facts))
                    worlds = same or [found.world((other, record, facts), name, facts)]
                    seen |= dict.fromkeys(worlds, weight / len(worlds))
                found.add(other, seen)
        return found.model(mine)

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
        return reason(
            self.evidence,
            read_conclusion(self.evidence, conclusion),
            seconds=seconds,
            smallest=smallest,
            denied=_denied,
        )

    def exclude(self, conclusion: FormulaLike) -> bool:
        """Whether a fact or a move (see `because`) is false in every history; False if that is not known."""
        read = read_conclusion(self.evidence, conclusion)
        if read.fact is not None:
            return self.status == "exact" and self.chance(read.fact) == 0
        tried = self.choices if self.status == "possible moves only" else self._weights
        made = {read.made_by(choice) for choice in tried} - {None}
        return self.status != "not finished" and made == {False}

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
            return all_histories(record.added_to(self.evidence), self.budget)
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
        return all_histories(record.evidence(self.evidence), self.budget)

    @property
    def _shown_to_all(self) -> bool:
        """Whether everybody saw the tables on the sheet, and they name players."""
        return not self.evidence.anonymous and self.setup.rules.told != "probabilities"

    def announced(self, f: Formula) -> bool | None:
        """Return the truth value of a Boolean formula about roles if it follows from public facts.

        These are announced roles and certain entries of tables. The value is then common knowledge, and no
        history needs to be searched for.
        """
        atoms = sorted(f.atoms)
        if not self._shown_to_all or any(atom.startswith(("dead_", "dominant_")) for atom in atoms):
            return None
        evidence, deals = public_evidence(self.evidence), deals_of(self.setup.deck)
        place = {name: seat for seat, name in enumerate(self.setup.players)}
        worlds = deals.every
        for step in evidence.steps:
            for cell in step.cells if isinstance(step, Shown) else ():
                if FACTS[cell.heading] != "dead":
                    holders = deals.holders[FACTS[cell.heading]][place_of(evidence, cell.row)]
                    worlds &= holders if cell.low == 1 else ~holders if cell.high == 0 else worlds
        values = set[bool]()
        for roles in drawn_roles(evidence, place):
            left = worlds
            for (_, p), role in roles.items():
                left &= deals.holders[role][p]
            values |= {is_true(f, facts) for facts in _split(deals, place, atoms, left, ())}
        return values.pop() if len(values) == 1 else None

    def of_the_public(self, atoms: frozenset[str]) -> Histories | None:
        """Return all histories that explain the public information about some atoms; None if too many.

        Those of a running phase, which removes no world for certain, are left out. Also None if the atoms are
        about deaths in such a phase, if tables are anonymous, since nobody's number is known, or if players
        are told their own probabilities, which are not public.
        """
        now, mortal = self.evidence.running, any(a.startswith(("dead_", "dominant_")) for a in atoms)
        if not self._shown_to_all or (now is not None and mortal):
            return None
        evidence = public_evidence(self.evidence)
        evidence = replace(evidence, steps=tuple(s for s in evidence.steps if s != evidence.running))
        found = find_histories(evidence, self.budget)
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
        one = self.setup.deck.seers == 1  # then a player who looked has their own leaves
        found: dict[Record, None] = {}
        for find in _all_finds(self.evidence, self.budget, named=[other]):
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
                        if looks or not one or not self._looked(other):
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
            raise _not_all(self.evidence, self.reason or "only possible moves were looked for")
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
            parts = sums
            if mortal:
                parts = {}
                for (alive, dead), weight in sums.items():
                    for left, fallen, share in find.scenario.after_open_attacks(alive, dead):
                        parts[left, fallen] = parts.get((left, fallen), Fraction(0)) + weight * share
            for place, share in _placed(find, asked):
                for (alive, dead), weight in parts.items():
                    for facts, worlds in _split(find.scenario.deals, place, asked, alive, dead).items():
                        found[facts] = found.get(facts, Fraction(0)) + weight * share * worlds.bit_count()
        return {facts: weight for facts, weight in found.items() if weight}

    def table(self, columns: Sequence[str] | None = None) -> Table:
        """Return the probability of every fact for this player."""
        headings = chosen_columns(self.setup, columns)
        rows, bitten = chances(self.setup, headings, lambda atom: self.chance(Atom(atom)))
        note = f"as {self.viewer} sees it, reading: table"
        return Table(self.setup.players, headings, rows, None, f"{note}; {bitten}" if bitten else note)


def _split(
    deals: Deals, place: Mapping[str, int], atoms: Sequence[str], alive: Worlds, dead: Dead
) -> dict[frozenset[str], Worlds]:
    """Return sets of worlds by the true atoms among those given."""
    found = {frozenset[str](): alive}
    for atom in atoms:
        fact, _, name = atom.partition("_")
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
    names = [n for n in dict.fromkeys(a.partition("_")[2] for a in atoms) if n not in place]
    free = [p for p in find.scenario.deals.places if p not in place.values()]
    ways = list(permutations(free, len(names)))
    for chosen in ways:
        yield {**place, **dict(zip(names, chosen, strict=True))}, Fraction(1, len(ways))


def _not_all(evidence: Evidence, why: str) -> GameError:
    moves = ", and `infer --possible moves` finds possible moves" if solver_covers(evidence) else ""
    return GameError(
        f"not all histories were found, because {why}; a longer timeout (--timeout), fewer players or tables "
        "with exact numbers would help; reading='facts' (--reading facts) answers what follows from the "
        f"facts alone{moves}"
    )


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
    return any(conclusion.made_by(choice) is False for choice in made)


def beyond_a_model(f: Formula, viewer: str) -> Formula | None:
    """Return a part of a formula for which `Histories.model` has no worlds, or None.

    Such parts are about the joint knowledge of several players, and about others' knowledge of knowledge.
    """
    for node in f.subformulas():
        agents = own_agents(node)
        others = agents - {viewer}
        if others and (len(agents) > 1 or node.scattered):
            return node
        if others and any(child.agents - agents for child in node.children):
            return node
    return None


def _choice(seen: Seen) -> Choice:
    number, actor, target, result = seen
    if isinstance(target, int):
        return Choice(number, actor, "vision", target, result)
    return Choice(number, actor, "vision", None, target)


def _choices(find: Find) -> Iterator[tuple[Choice, Fraction]]:
    """Yield all moves of a scenario with their weights."""
    scenario = find.scenario
    for attacks in find.attacks:
        for (number, actor), target in attacks.items():
            step = scenario.evidence.steps[number]
            assert isinstance(step, Acting)
            known = known_move(scenario.place, step, actor, "attack")
            passed = None if target is not None else idle(known)
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
        finds.extend(search(evidence, budget))
    except Unfinished as error:
        try:
            choices = _moves_of(_solver_choices(evidence, ("attack",), budget.deadline))
        except (OutOfTime, GameError):
            choices = ()
        status: Status = "possible moves only" if choices else "not finished"
        return Histories(evidence, tuple(finds), status, str(error), budget, choices)
    if not finds:
        raise _no_history(evidence)
    return Histories(evidence, tuple(finds), budget=budget)


def all_histories(sheet: Told | Evidence, budget: Budget) -> Histories:
    """Return all histories that explain a player's information, as `reading="table"` needs them.

    Raises GameError if the search is not finished within the budget, and NoHistory if there are none.
    """
    evidence = evidence_in(sheet) if isinstance(sheet, Told) else sheet
    finds = tuple(_all_finds(evidence, budget))
    if not finds:
        raise _no_history(evidence)
    return Histories(evidence, finds, budget=budget)


def _all_finds(evidence: Evidence, budget: Budget, *, named: Sequence[str] = ()) -> Iterator[Find]:
    """Yield the results of the search; raise GameError if it is not finished."""
    try:
        yield from search(evidence, replace(budget, spared=0), named=named)
    except Unfinished as error:
        raise _not_all(evidence, str(error)) from None


def _no_history(evidence: Evidence) -> NoHistory:
    return NoHistory(f"no history explains what {evidence.viewer} was told", evidence)


_Solved: TypeAlias = tuple[Case, Possible]
"""What the solver finds possible for a numbering and drawn roles."""


def _solver_choices(
    evidence: Evidence, actions: Sequence[Action], deadline: float | None, *, sizes: bool = False
) -> list[_Solved]:
    """Return the moves that the solver finds possible for each numbering and drawn roles, or raise OutOfTime.

    `sizes`: with the possible numbers of worlds.
    """
    if not solver_covers(evidence):
        seers = counted(evidence.setup.deck.seers, "seer")
        raise GameError(
            "the solver, which finds only possible moves (--possible), covers rules with ranked wolves and "
            f"one seer, not {evidence.setup.rules.name!r} with {seers}; `infer` without --possible "
            "(in Python infer(evidence)) finds all histories under these rules, too"
        )
    found = []
    for place, _ in placements(evidence, ()):
        for roles in drawn_roles(evidence, place):
            case = Case(evidence, place, roles)
            found.append((case, possible_choices(case, deadline=deadline, actions=actions, sizes=sizes)))
    return found


def _moves_of(solved: Sequence[_Solved]) -> tuple[Choice, ...]:
    return tuple(sorted({choice for _, possible in solved for choice in possible.moves}, key=str))


def _sizes_of(solved: Sequence[_Solved]) -> tuple[int, ...]:
    """Return the possible numbers of worlds; none if there are many, or if they are hard to find."""
    if any(possible.moves and not possible.sizes for _, possible in solved):
        return ()
    return tuple(sorted({size for _, possible in solved for size in possible.sizes}))


def possible_moves(
    sheet: Told | Evidence,
    *,
    actions: Sequence[Action] = ("vision", "attack"),
    timeout: float | None = None,
) -> Histories:
    """Return the possible moves found by the solver, without probabilities and numbers of histories.

    Verdicts are ignored, so a move found possible may still be excluded by one. If only attacks are requested
    and few are open, all combinations of attacks are found too, and the numbers of worlds unless they are
    many or hard to find. Needs the extra `[infer]`. Raises NoHistory if nothing is possible.
    """
    evidence = evidence_in(sheet) if isinstance(sheet, Told) else sheet
    check_covered(evidence)
    deadline = None if timeout is None else time.monotonic() + timeout
    try:
        attacks_only = set(actions) == {"attack"}
        solved = _solver_choices(evidence, actions, deadline, sizes=attacks_only)
    except OutOfTime:
        return Histories(evidence, (), "not finished", f"the time was up ({timeout:g} s)")
    begun = any(
        isinstance(s, Acting) and {*actions} & {*evidence.setup.actions(s.phase)} for s in evidence.steps
    )
    choices = _moves_of(solved)
    if not choices and begun:
        raise _no_history(evidence)
    maps = _few_ways(solved, deadline) if attacks_only else ()
    return Histories(evidence, (), "possible moves only", choices=choices, maps=maps, sizes=_sizes_of(solved))


_FEW = 200
"""The most combinations of attacks that the solver lists."""


def _few_ways(solved: Sequence[_Solved], deadline: float | None) -> tuple[Attacks, ...]:
    """Return all combinations of attacks found by the solver; none if there may be many."""
    several: dict[tuple[int, int], list[int | None]] = {}
    for choice in _moves_of(solved):
        several.setdefault((choice.step, choice.actor), []).append(choice.target)
    if prod(map(len, several.values())) > _FEW:
        return ()
    if all(len(targets) == 1 for targets in several.values()):
        return ({key: target for key, (target,) in several.items()},)
    maps: dict[tuple[tuple[tuple[int, int], int | None], ...], Attacks] = {}
    try:
        for case, possible in solved:
            for attacks in attack_maps_of(case, possible, deadline=deadline):
                maps[tuple(sorted(attacks.items()))] = attacks
    except OutOfTime:
        return ()
    return tuple(maps.values())


def infer(
    sheet: Told | Evidence,
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
    evidence = evidence_in(sheet) if isinstance(sheet, Told) else sheet
    return find_histories(evidence, Budget(timeout, progress=progress))


__all__ = [
    "Histories",
    "Made",
    "NoHistory",
    "Status",
    "all_histories",
    "beyond_a_model",
    "find_histories",
    "infer",
    "possible_moves",
]
