"""Questions about a game that ask who, how many or how likely, or that have several readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kripke_werewolf.errors import CallError, GameError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import TRUE, P
from kripke_werewolf.language.questions import HowLikely, Question, WhatHappened, Who
from kripke_werewolf.language.sentence_parser import SeveralMeanings
from kripke_werewolf.reports.documents import Block, Paragraph
from kripke_werewolf.semantics.answers import Chances, FoundAnswers, found_for
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.events import Acted, OfficialDeath, Played, Said, VotedOff
from kripke_werewolf.werewolf.move_atoms import move_verbs
from kripke_werewolf.werewolf.questions import AskedOfGame, last_night
from kripke_werewolf.werewolf.told import Answer, Told, reading_of
from kripke_werewolf.werewolf.vocabulary import NotYesOrNo, in_last_night


@dataclass(frozen=True, repr=False, eq=False)
class OpenAnswer(Answer):
    """The answer to a question that asks who, how many or how likely, or that has several readings.

    `parts`: the answer to each formula that was asked, by name, number or reading. `found`: what they say
    together. It counts as the answer to the first part that is true, or else to the last one.
    """

    question: str = ""
    parts: tuple[tuple[str, Answer], ...] = field(default=(), repr=False)
    found: FoundAnswers | None = None

    @property
    def _yes(self) -> bool | None:
        said = {str(answer) for _, answer in self.parts}
        if self.found:
            said = {str(self)}
        if said in ({"yes"}, {"no"}):
            return said == {"yes"}
        return None

    def __bool__(self) -> bool:
        if self._yes is None:
            raise CallError(f"neither yes nor no, but {self}; write answer.names, .number or .probability")
        return self._yes

    def __float__(self) -> float:
        for value in (self.probability, self.number):
            if value is not None:
                return float(value)
        return float(str(self))

    @property
    def names(self) -> tuple[str, ...]:
        """The answers that are certainly right, or those that are most likely."""
        return self.found.names if self.found else ()

    @property
    def possible(self) -> tuple[str, ...]:
        """The answers that are right in some of the worlds."""
        return self.found.possible if self.found else ()

    @property
    def number(self) -> int | None:
        """The number that was asked for, if it is certain."""
        return int(self.names[0]) if len(self.names) == 1 and self.names[0].isdecimal() else None

    @property
    def probability(self) -> Fraction | None:
        """The probability that was asked for, if it is the same in all worlds."""
        return self.found.probability if self.found else None

    def headline(self) -> str:
        """Return the question and the answer."""
        return f"{self.question} {self}"

    def display(self) -> Iterator[Block]:
        """Yield the line."""
        yield Paragraph(self.headline())

    def __str__(self) -> str:
        if self.found is not None:
            return str(self.found)
        answers = dict.fromkeys(str(answer) for _, answer in self.parts)
        if len(answers) == 1:
            return f"{next(iter(answers))} ({len(self.parts)} readings)"
        return "; ".join(f"{answer} if it means {reading}" for reading, answer in self.parts)


def open_answer(
    game: Played | Told, question: str, several: NotYesOrNo | SeveralMeanings, **how: Any
) -> OpenAnswer:
    """Return the answer to a question that was read but is not answered by yes or no; `how`: as in `ask`.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> print(game.ask("who could be the wolf?"))
    Ann, Bo, Cy
    >>> game.ask("how likely does Ann think it is that Bo is the wolf?").probability
    Fraction(2, 5)
    """
    if isinstance(several, SeveralMeanings):
        parts = tuple(_reading(game, question, meant, **how) for meant in several.readings)
        return _over(question, parts, None)
    return _open(game, question, several.asked, **how)


def _reading(game: Played | Told, question: str, asked: Question, **how: Any) -> tuple[str, Answer]:
    """Return the name of a reading, and the answer to it."""
    if isinstance(asked, Formula):
        return str(asked), AskedOfGame.of(game, asked, **how).answer()
    return type(asked).__name__, _open(game, question, asked, **how)


def _open(game: Played | Told, question: str, asked: Who | HowLikely, **how: Any) -> OpenAnswer:
    if isinstance(asked, WhatHappened):
        return _over(
            question, (("", AskedOfGame.of(game, TRUE, **how).answer()),), what_happened(game, asked)
        )
    given: dict[str, Answer] = {}

    def verdict_of(f: Formula) -> Verdict:
        given[str(f)] = AskedOfGame.of(game, f, **how).answer()
        return given[str(f)].verdict

    def chances_of(agent: str, f: Formula) -> Chances:
        of_agent = AskedOfGame.of(game, P(agent, f) >= 0, **how)
        values = of_agent.about(f).probabilities(agent)
        reading = reading_of(how["reading"])
        more = reading == "facts" and not {*values} <= {0, 1} and bool(of_agent.known.announced)
        true = Verdict.of(1, 1)
        given[str(f)] = Answer(of_agent.formula, true, None, of_agent, reading, more, game.setup.sampled)
        return values

    found = found_for(asked, verdict_of, chances_of, game.setup.players)
    names = {str(f): name for name, f in asked.answers} if isinstance(asked, Who) else {}
    return _over(question, tuple((names.get(f, f), answer) for f, answer in given.items()), found)


_KINDS = {"": Acted | OfficialDeath | Said, "moves": Acted, "deaths": OfficialDeath, "votes": VotedOff}
"""The events that a question what happened is about."""


def what_happened(game: Played | Told, asked: WhatHappened) -> FoundAnswers:
    """Return the answer of the log to a question about what has happened.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> print(game.ask("what happened to Bo?"))
    night 1: Ann looks at Bo and sees wolf (of 2 worlds: villager 1, wolf 1)
    """
    if isinstance(game, Told):
        raise GameError(
            "what has happened is in the log of the game; a handout prints what its player knows of it"
        )
    if asked.kind == "worlds":
        return FoundAnswers((str(game.states[-1].worlds.size),))
    when, verbs = asked.when, move_verbs(game.setup)
    if when.endswith(" last"):
        when = in_last_night(when, last_night(game))
    kind = _KINDS.get(asked.kind, Acted)
    actions = verbs.get(asked.kind) or {None}.union(*verbs.values())
    found = []
    for step, state in zip(game.steps, game.states, strict=False):
        time = f"{'day' if state.phase.kind == 'vote' else 'night'} {state.phase.number}"
        if when not in ("", "first", "last", time):
            continue
        for event in step:
            concerned = {event.actor} if isinstance(event, Acted) and asked.kind else event.named
            concerns = not asked.agents or concerned & {*asked.agents}
            if concerns and isinstance(event, kind) and getattr(event, "action", None) in actions:
                found.append((str(state.phase), event.in_full().removesuffix(".")))
    if found and when in ("first", "last"):
        end = found[0 if when == "first" else -1][0]
        found = [(phase, said) for phase, said in found if phase == end]
    return FoundAnswers(tuple(f"{phase}: {said}" for phase, said in found), none="nothing")


def _over(question: str, parts: tuple[tuple[str, Answer], ...], found: FoundAnswers | None) -> OpenAnswer:
    """Return the answer that rests on some parts."""
    shown = next((answer for _, answer in parts if answer.holds), parts[-1][1])
    more = any(answer.more for _, answer in parts)
    fields = {
        name: getattr(shown, name) for name in ("formula", "verdict", "model", "asked", "reading", "sampled")
    }
    return OpenAnswer(**fields, more=more, question=question, parts=parts, found=found)
