"""Players' knowledge about each other's knowledge, using the numbers of tables.

The truth of a formula about a player's knowledge is determined by their information, whatever the actual
history; for a group, by their joint information (distributed knowledge) or that of any member (common
knowledge). So it is computed once for each *record*, the private part of a player's information, and the
histories of a player are split by the possible records of others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from kripke_werewolf.errors import GameError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.bits import BitSpace
from kripke_werewolf.werewolf.actions import Option, WorldName
from kripke_werewolf.werewolf.inference.evidence import BY_FACTS, Acting
from kripke_werewolf.werewolf.inference.records import Record

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.inference.answers import Histories

MOST_RECORDS = 400
"""The most records whose histories are searched for one question."""
MOST_NESTED = 40
"""The most operators about knowledge inside each other for which no model is built."""
MOST_WORLDS = 20_000
"""The most worlds of a model of several players' records."""


class Told(NamedTuple):
    """The joint information of some players, and the histories that explain it."""

    records: tuple[Record, ...]
    histories: Histories

    def record(self, player: str) -> Record | None:
        """Return the record of one of the players."""
        return next((record for record in self.records if record.player == player), None)


class Cells:
    """Worlds, and the players' cells of them, from which an S5 model is built."""

    def __init__(self, atoms: Iterable[str]) -> None:
        self._names: dict[Hashable, WorldName] = {}
        self._used: dict[WorldName, int] = {}
        self._true: dict[str, list[Hashable]] = {atom: [] for atom in atoms}
        self._cells: dict[str, list[Mapping[Hashable, Fraction]]] = {}

    def __len__(self) -> int:
        return len(self._names)

    def world(self, key: Hashable, name: WorldName, facts: frozenset[str]) -> WorldName:
        """Return the name of the world with a key, which is added if it is new.

        Different worlds have different names: those that were told alike are numbered.
        """
        if key not in self._names:
            self._used[name] = number = self._used.get(name, 0) + 1
            if number > 1:
                name = WorldName(name.deal, (*name.events, Option("", note=f"case {number}")))
            self._names[key] = name
            for atom in facts & self._true.keys():
                self._true[atom].append(name)
        return self._names[key]

    def add(self, player: str, weights: Mapping[Hashable, Fraction]) -> None:
        """Add a cell of a player: its worlds with their weights."""
        self._cells.setdefault(player, []).append(weights)

    def model(self, designated: Iterable[Hashable]) -> KripkeModel:
        """Return the model; a player tells the worlds apart that are in none of their cells."""
        classes: dict[str, list[list[Hashable]]] = {}
        weights: dict[str, dict[Hashable, Fraction]] = {}
        for player, cells in self._cells.items():
            given = {world: weight for cell in cells for world, weight in cell.items()}
            alone = [name for name in self._names.values() if name not in given]
            classes[player] = [list(cell) for cell in cells]
            classes[player] += [[name] for name in alone]
            weights[player] = given | dict.fromkeys(alone, Fraction(1))
        names = self._names.values()
        return KripkeModel.from_partitions(names, classes, self._true, designated, weights=weights)


class Minds:
    """The truth of formulas about knowledge in one game, cached by record."""

    def __init__(self) -> None:
        self._views: dict[Record, Told] = {}
        self._joint: dict[tuple[Record, ...], Told] = {}
        self._truths: dict[tuple[tuple[Record, ...], Formula], bool] = {}

    def view(self, histories: Histories) -> Told:
        """Return a player's information, with all histories that explain it."""
        told = Told((Record.of(histories.evidence),), histories)
        return self._views.setdefault(told.records[0], told)

    def together(self, views: Sequence[Told]) -> Told:
        """Return the joint information of several players.

        Raises GameError if an attack was refused, which the others do not see.
        """
        first, *rest = dict.fromkeys(views)
        for view in rest:
            evidence = view.histories.evidence
            if any(isinstance(step, Acting) and step.refused for step in evidence.steps):
                raise GameError(
                    f"an attack of {evidence.viewer} was refused; what several players know together is then "
                    "not searched for; ask with reading='facts'"
                )
        return reduce(lambda told, view: self._with(told, view.records[0]), rest, first)

    def verdict(self, told: Told, f: Formula) -> tuple[int, int]:
        """Return the numbers of worlds that the player considers possible: where a formula is true, and all.

        Worlds are distinguished as far as the formula does.
        """
        if _is_deep(f):
            found = self._deep_model(told, f).verdict(f)
            return found.satisfied, found.total
        truths = [true for true, _ in self._worlds(told, f)]
        return sum(truths), len(truths)

    def chance(self, told: Told, f: Formula) -> Fraction:
        """Return the probability of a formula for the first of the players."""
        if _is_deep(f):
            (chance,) = self._deep_model(told, f).probabilities(told.records[0].player, f)
            return chance
        found = list(self._worlds(told, f))
        total = sum((weight for _, weight in found), Fraction(0))
        return sum((weight for true, weight in found if true), Fraction(0)) / total

    def settled(self, told: Told, f: Formula) -> Formula:
        """Return a formula whose knowledge parts that public facts decide are replaced by truth values."""
        return f if _is_deep(f) else _with_truths(f, self._announced(told, f)[0])

    # worlds

    def _worlds(self, told: Told, f: Formula) -> Iterator[tuple[bool, Fraction]]:
        """Yield the truth of a formula in each possible world, with its weight."""
        for cell, settled in self._cells(told, f):
            for facts, weight in cell.histories.valuations(settled.atoms).items():
                yield is_true(settled, facts), weight

    def _cells(self, told: Told, f: Formula) -> Iterator[tuple[Told, Formula]]:
        """Yield the histories by the records relevant to a formula, with its knowledge parts replaced by
        truth values."""
        settled, parts = self._announced(told, f)
        missing: list[str] = []
        for part in parts:
            missing += [p for p in self._players(told, part) if told.record(p) is None and p not in missing]
        for cell in self._split(told, missing):
            truths = settled | {part: self.truth(cell, part) for part in parts}
            yield cell, _with_truths(f, truths)

    def _announced(self, told: Told, f: Formula) -> tuple[dict[Formula, bool], list[Formula]]:
        """Divide the knowledge parts of a formula: those that public facts decide, with their truth values,
        and the others."""
        decided, others = dict[Formula, bool](), list[Formula]()
        for part in dict.fromkeys(_about_knowledge(f)):
            if isinstance(part, s.Modal) and part.scope is not s.Scope.WORLDS:
                inner, open_ = self._announced(told, part.body)
                body = None if open_ else _with_truths(part.body, inner)
                value = None if body is None else told.histories.announced(body)
                if value is not None:
                    decided[part] = _decided(part, iter([value]))
                    continue
            others.append(part)
        return decided, others

    def _players(self, told: Told, part: Formula) -> tuple[str, ...]:
        """Return the players whose records determine a part about knowledge: for common knowledge, one."""
        players = tuple(sorted(own_agents(part)))
        if isinstance(part, s.Modal):
            players = part.label
            if part.scope is s.Scope.REACH:
                known = [p for p in players if told.record(p) is not None]
                return tuple(known or players)[:1]
        if isinstance(part, s.Probability):
            players = tuple(dict.fromkeys(term.agent for term in part.terms))
        return players

    # models

    def model(self, told: Told, f: Formula) -> KripkeModel:
        """Return the S5 model of all that the players in a formula may have been told.

        Its designated worlds are those that these players may together be in. Raises GameError if it is too
        large.
        """
        agents = sorted(f.agents | {record.player for record in told.records})
        apart, found = told.histories.told_apart(f.atoms), Cells(f.atoms)

        def worlds(cells: Iterable[Told]) -> dict[Hashable, Fraction]:
            """Return the worlds in some cells with their weights."""
            weights: dict[Hashable, Fraction] = {}
            for cell in cells:
                joint = tuple(cell.record(agent) for agent in agents)
                for facts, weight in cell.histories.valuations(apart).items():
                    name = told.histories.world(facts, apart, [r for r in joint if r is not None])
                    weights[found.world((joint, facts), name, facts)] = weight
            return weights

        start = self._split(told, agents)
        designated = worlds(start)
        waiting = [record for cell in start for record in cell.records]
        seen = set[Record]()
        while waiting:
            record = waiting.pop(0)
            if record in seen:
                continue
            seen.add(record)
            cells = self._split(self._seen(told, record), agents)
            waiting += [other for cell in cells for other in cell.records]
            found.add(record.player, worlds(cells))
            if len(found) > MOST_WORLDS:
                raise GameError(
                    f"the model of all that {', '.join(agents)} may have been told would have more than "
                    f"{MOST_WORLDS:,} worlds, which is too many to explain an answer or to ask more than "
                    f"{MOST_NESTED} operators about knowledge inside each other; {BY_FACTS}"
                )
        return found.model(designated)

    def _deep_model(self, told: Told, f: Formula) -> KripkeModel:
        """Return the model for a formula with too many operators inside each other to be searched."""
        for node in f.subformulas():
            if not (node.pointwise or isinstance(node, s.OfAgent | s.OfGroup | s.Probability)):
                raise _not_knowledge(node)
        return self.model(told, f)

    def _split(self, told: Told, agents: Sequence[str]) -> list[Told]:
        """Return some players' information, split by the records of others."""
        cells = [told]
        for player in agents:
            if told.record(player) is None:
                cells = [
                    self._added(cell, record, histories)
                    for cell in cells
                    for record, histories in cell.histories.with_record(player)
                ]
        return cells

    # truth

    def truth(self, told: Told, part: Formula) -> bool:
        """Return whether a formula about knowledge is true, given the players' information."""
        records = tuple(r for p in self._players(told, part) if (r := told.record(p)) is not None)
        if (records, part) not in self._truths:
            deep = _is_deep(part)
            true = self._deep_model(told, part).holds(part) if deep else self._truth(told, records, part)
            self._truths[records, part] = true
        return self._truths[records, part]

    def _truth(self, told: Told, records: tuple[Record, ...], part: Formula) -> bool:
        if isinstance(part, s.Probability):
            views = {record.player: self._seen(told, record) for record in records}
            total = sum(term.coefficient * self.chance(views[term.agent], term.body) for term in part.terms)
            return bool(part.holds(total, part.bound))
        if not isinstance(part, s.Modal) or part.scope is s.Scope.WORLDS:
            raise _not_knowledge(part)
        if part.scope is s.Scope.REACH:
            return self._common(self._seen(told, records[0]), part)
        first, *rest = records
        seen = reduce(self._with, rest, self._seen(told, first))
        return _decided(part, (true for true, _ in self._worlds(seen, part.body)))

    def _common(self, told: Told, part: s.Modal) -> bool:
        """Return whether a formula is common knowledge: true everywhere that steps of the group lead to."""
        if part.body.is_boolean and part.mode is s.Mode.BOX:
            public = told.histories.of_the_public(part.body.atoms)
            if public is not None and all(true for true, _ in self._worlds(Told((), public), part.body)):
                return True
        seen, waiting = {told.records[0]}, [told.records[0]]

        def reached() -> Iterator[bool]:
            while waiting:
                now = self._seen(told, waiting.pop(0))
                yield from (true for true, _ in self._worlds(now, part.body))
                for player in part.label:
                    if player != now.records[0].player:
                        for record, _ in now.histories.with_record(player):
                            if record not in seen:
                                seen.add(record)
                                waiting.append(record)

        return _decided(part, reached())

    # players' information

    def _seen(self, told: Told, record: Record) -> Told:
        """Return the information of a player with this record, with all histories that explain it."""
        if record not in self._views:
            self._count(record)
            self._views[record] = Told((record,), told.histories.as_seen_by(record))
        return self._views[record]

    def _with(self, told: Told, record: Record) -> Told:
        """Return the joint information of some players and one more whose record is known to fit."""
        records = (*told.records, record)
        if records not in self._joint:
            self._count(record)
            histories = told.histories.narrowed(record)
            assert histories is not None
            self._joint[records] = Told(records, histories)
        return self._joint[records]

    def _added(self, told: Told, record: Record, histories: Histories) -> Told:
        return self._joint.setdefault((*told.records, record), Told((*told.records, record), histories))

    def _count(self, record: Record) -> None:
        if len(self._views) + len(self._joint) > MOST_RECORDS:
            raise GameError(
                f"{record.player} and the others may have been told more than {MOST_RECORDS} different "
                "things, each of which would have to be searched; fewer players in the question would "
                "shrink that, and reading='facts' answers it"
            )


def _not_knowledge(part: Formula) -> GameError:
    return GameError(
        f"{part} is not about what players know in this game, which is all that reading='table' answers; "
        "ask with reading='facts'"
    )


def _is_deep(f: Formula) -> bool:
    """Whether more operators are inside each other than are searched one by one."""
    depth: dict[Formula, int] = {}
    for node in f.subformulas():
        depth[node] = (not node.pointwise) + max((depth[child] for child in node.children), default=0)
    return depth[f] > MOST_NESTED


def _decided(part: s.Modal, truths: Iterator[bool]) -> bool:
    """Return the value of a mode for the truth values in its scope, as soon as they decide it."""
    found = set[bool]()
    for true in truths:
        found.add(true)
        if part.mode is s.Mode.BOX and False in found:
            return False
        if part.mode is s.Mode.DIAMOND and True in found:
            return True
        if len(found) == 2:
            return False
    return part.mode is not s.Mode.DIAMOND


def _parts(f: Formula) -> tuple[Formula, ...]:
    """Return the parts of which a formula is made, abbreviations expanded; none if it is about knowledge."""
    if isinstance(f, s.Modal) and f.scope in (s.Scope.EACH, s.Scope.SOME):
        unfolded = f.unfolded()
        assert unfolded is not None
        return (unfolded,)
    return f.children if f.pointwise else ()


def _about_knowledge(f: Formula) -> Iterator[Formula]:
    """Yield the outermost parts of a formula about knowledge."""
    return (node for node in f.ordered(_parts) if not node.pointwise and not _parts(node))


def _with_truths(f: Formula, truths: Mapping[Formula, bool]) -> Formula:
    """Return a formula whose parts about knowledge are replaced by their truth values, if these are given."""
    new: dict[Formula, Formula] = {}
    for node in f.ordered(_parts):
        found = [new[part] for part in _parts(node)]
        if node in truths:
            new[node] = s.Constant(truths[node])
        elif node.pointwise:
            new[node] = node.with_children(found)
        else:
            new[node] = found[0] if found else node
    return new[f]


def own_agents(f: Formula) -> frozenset[str]:
    """Return the players of the outermost operator of a formula."""
    return f.agents.difference(*(child.agents for child in f.children))


def is_true(f: Formula, facts: frozenset[str]) -> bool:
    """Return whether a Boolean formula is true if exactly these atoms are."""
    valuation = {atom: int(atom in facts) for atom in f.atoms}
    return bool(BitSpace.numbered(1, {}, valuation).truth(f))


__all__ = ["MOST_RECORDS", "Minds", "Told", "is_true", "own_agents"]
