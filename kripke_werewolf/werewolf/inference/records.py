"""Records: the private part of a player's information; the rest is public."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from kripke_werewolf.werewolf.actions import DECLINED, NOTHING, Option
from kripke_werewolf.werewolf.inference.evidence import (
    NOT_ASKED,
    PASSED,
    UNMADE,
    Acting,
    Evidence,
    Known,
    Move,
    Step,
    Told,
)
from kripke_werewolf.werewolf.roles import WOLF
from kripke_werewolf.werewolf.rules import Action
from kripke_werewolf.werewolf.state import compulsory


@dataclass(frozen=True, slots=True)
class Record:
    """The private part of another player's information: their number, moves, and notice."""

    player: str
    number: int | None
    known: tuple[tuple[int, Action, Known], ...]
    """Their moves by the position of the phase, in order."""
    notice: tuple[int, str] | None = None
    """The notice (counted from 0) at which they were told their only role, and the role."""
    noted: bool = False
    """Whether the time of a notice is recorded."""

    @property
    def events(self) -> tuple[Option, ...]:
        """The number, moves and notice, as in the names of worlds."""
        found = [] if self.number is None else [Option(self.player, note=str(self.number))]
        for _, action, known in self.known:
            if not isinstance(known, Move):
                found.append(Option(self.player, note=known))
            elif known.target is None:
                found.append(Option(self.player, note=DECLINED))
            else:
                blind = action == "vision" and known.result is None
                found.append(Option(self.player, known.target, known.result, NOTHING if blind else ""))
        if self.notice is not None:
            found.append(Option(self.player, note=self.notice[1]))
        return tuple(found)

    @classmethod
    def of(cls, evidence: Evidence) -> Record:
        """Return the record of the player with this evidence, without refused attacks."""
        known, notice, at = [], None, 0
        for step in evidence.steps:
            if isinstance(step, Acting):
                known += [
                    (step.phase.position, action, made)
                    for (name, action), made in step.known.items()
                    if name == evidence.viewer
                ]
            elif isinstance(step, Told) and step.player == evidence.viewer:
                notice = (at, step.role) if step.role is not None and notice is None else notice
                at += 1
        return cls(evidence.viewer, evidence.number, in_order(known), notice, noted=True)

    def with_notices(self, evidence: Evidence) -> Iterator[Record]:
        """Yield the record with every possible notice to the player."""
        yield replace(self, noted=True)
        if evidence.setup.rules.told in ("role", "kind"):
            deck = evidence.setup.deck
            words = deck.roles if evidence.setup.rules.told == "role" else ("villager", "seer", WOLF)
            for at in range(sum(isinstance(step, Told) for step in evidence.steps)):
                yield from (replace(self, noted=True, notice=(at, word)) for word in words)

    def with_running(self, evidence: Evidence) -> Iterator[Record]:
        """Yield the record with every possible move of the player in the current phase."""
        running = evidence.running
        living = () if running is None else list(evidence.living())[evidence.steps.index(running)]
        if running is None or self.player not in living:
            yield self
            return
        setup, known = evidence.setup, _public(running, evidence)
        position, choices = running.phase.position, list[list[tuple[int, Action, Known]]]()
        for action in setup.actions(running.phase):
            made = known.get((self.player, action))
            moves: list[Known] = [NOT_ASKED, PASSED]
            if isinstance(made, Move):
                moves = list(_with_results(evidence, action, [made.target]))
            elif setup.targets == "secret":
                own = setup.rules.vision_self if action == "vision" else setup.rules.attack_self
                moves += _with_results(evidence, action, [p for p in living if own or p != self.player])
                if action == "vision" and not compulsory(setup, action):
                    moves.append(Move(None))
            choices.append([(position, action, move) for move in moves])
        for chosen in product(*choices):
            yield replace(self, known=in_order((*self.known, *chosen)))

    def _notices(self, evidence: Evidence) -> Iterator[Told]:
        number = sum(isinstance(step, Told) and step.player == evidence.viewer for step in evidence.steps)
        for at in range(number):
            yield Told(
                self.player, self.notice[1] if self.notice is not None and self.notice[0] == at else None
            )

    def added_to(self, evidence: Evidence) -> Evidence:
        """Return the evidence of a player who also has this information."""
        found = evidence.with_known({(at, self.player, action): k for at, action, k in self.known})
        if self.noted:
            notices, steps = self._notices(evidence), list[Step]()
            for step in found.steps:
                steps.append(step)
                if isinstance(step, Told) and step.player == evidence.viewer:
                    steps.append(next(notices))
            found = replace(found, steps=tuple(steps))
        return found if self.number is None else found.with_number(self.player, self.number)

    def evidence(self, evidence: Evidence) -> Evidence:
        """Return this player's information, given another's: the public part, and this record."""
        notices, steps = self._notices(evidence), list[Step]()
        for step in evidence.steps:
            if isinstance(step, Told):
                steps += [next(notices)] if step.player == evidence.viewer else []
            elif isinstance(step, Acting):
                steps.append(replace(step, known=_public(step, evidence), refused=()))
            else:
                steps.append(step)
        own = replace(evidence, viewer=self.player, number=self.number, steps=tuple(steps), numbers={})
        return own.with_known({(at, self.player, action): k for at, action, k in self.known})


def in_order(known: Iterable[tuple[int, Action, Known]]) -> tuple[tuple[int, Action, Known], ...]:
    """Return moves in a canonical order."""
    return tuple(sorted(known, key=lambda move: move[:2]))


def public_evidence(evidence: Evidence) -> Evidence:
    """Return the public information, as the evidence of a player with an unknown record."""
    steps = [
        replace(step, known=_public(step, evidence), refused=()) if isinstance(step, Acting) else step
        for step in evidence.steps
        if not isinstance(step, Told)
    ]
    return replace(evidence, steps=tuple(steps), numbers={})


def _with_results(evidence: Evidence, action: Action, targets: Iterable[str | None]) -> Iterator[Move]:
    """Yield a move at each target, with every possible result of a vision."""
    rules, results = evidence.setup.rules, list[str | None]([None])
    if action == "vision":
        results = [*rules.labels(rules.vision_shows, evidence.setup.deck)]
        results += [None] if rules.vision_worlds == "alive" else []
    for target in targets:
        yield from (Move(target, result) for result in ([None] if target is None else results))


def _public(step: Acting, evidence: Evidence) -> dict[tuple[str, Action], Known]:
    """Return the public information about the moves of a phase."""
    found: dict[tuple[str, Action], Known] = {}
    for key, made in step.known.items():
        if made == PASSED and step.ended:
            found[key] = made
        elif evidence.setup.targets == "public":
            idle = made if step.ended else UNMADE
            found[key] = made._replace(result=None, shown=False) if isinstance(made, Move) else idle
    return found


__all__ = ["Record", "in_order", "public_evidence"]
