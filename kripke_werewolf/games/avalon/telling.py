"""Narration of a game: every proposal, vote, card and announcement, and the knowledge afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product, zip_longest
from textwrap import wrap
from typing import TypeAlias

from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.games.avalon.game import AvalonPlay, Ruling, Turn
from kripke_werewolf.games.avalon.knowledge import Knowledge
from kripke_werewolf.games.avalon.rules import Deal, evil, is_merlin, seats
from kripke_werewolf.games.programs.chance import Mixed
from kripke_werewolf.logic.english.sentences import enumerated
from kripke_werewolf.logic.formulas import Formula, Knows

_WIDTH = 120


_Passage: TypeAlias = tuple[str, Sequence[tuple[str, ...]]]
"""A heading, and rows of cells below it."""


def facts(deal: Deal) -> dict[Formula, str]:
    """Return formulas about players' knowledge that are worth telling, with their readings.

    Whom each player knows to be evil or good, and the pairs of players one of whom they know to be evil: all
    that a good player can know about who is evil. For evil players also whom they know to be Merlin or not,
    and which good players they know to know an evil one.
    """
    out: dict[Formula, str] = {}
    players = seats(deal.players)
    pairs = list(combinations(players, 2))
    for i, j in product(players, players):
        out[Knows(i, evil(j))] = f"{i} knows that {j} is evil"
        out[Knows(i, ~evil(j))] = f"{i} knows that {j} is good"
    if deal.merlin is not None:
        out[Knows(deal.merlin, is_merlin(deal.merlin))] = f"{deal.merlin} knows that {deal.merlin} is Merlin"
    for i, (a, b) in product(players, pairs):
        if i not in (a, b):
            out[Knows(i, evil(a) | evil(b))] = f"{i} knows that {a} or {b} is evil"
    for i, g in product(deal.evil, deal.good):
        for j in deal.evil:
            out[Knows(i, Knows(g, evil(j)))] = f"{i} knows that {g} knows that {j} is evil"
        if deal.merlin is not None:
            out[Knows(i, is_merlin(g))] = f"{i} knows that {g} is Merlin"
            out[Knows(i, ~is_merlin(g))] = f"{i} knows that {g} is not Merlin"
    return out


def known_facts(knowledge: Knowledge, deal: Deal) -> dict[Formula, str]:
    """Return the known facts; about Merlin only if the worlds determine Merlin.

    That one of two players is evil is omitted if it is known of one of them.
    """
    true = {f: reading for f, reading in facts(knowledge.world(deal)).items() if knowledge.holds(f, deal)}
    players = seats(deal.players)
    plain = {
        Knows(i, evil(a) | evil(b))
        for i, (a, b) in product(players, combinations(players, 2))
        if Knows(i, evil(a)) in true or Knows(i, evil(b)) in true
    }
    return {f: reading for f, reading in true.items() if f not in plain}


def news(before: Knowledge, after: Knowledge, deal: Deal) -> dict[Formula, str]:
    """Return the facts known after an event but not before."""
    old = known_facts(before, deal)
    return {f: reading for f, reading in known_facts(after, deal).items() if f not in old}


def as_text(played: AvalonPlay) -> str:
    """Return the narrated game as plain text, in columns; long formulas take several lines."""
    lines = []
    for heading, rows in _story(played):
        lines += ["", heading]
        cells = [[wrap(cell, _WIDTH) for cell in row] for row in rows]
        columns = zip_longest(*cells, fillvalue=[])
        widths = [max((len(line) for cell in column for line in cell), default=0) for column in columns]
        for row in cells:
            for line in zip_longest(*row, fillvalue=""):
                padded = (text.ljust(width) for text, width in zip(line, widths, strict=False))
                lines.append("  " + "  ".join(padded).rstrip())
    return "\n".join(lines[1:])


def _story(played: AvalonPlay) -> Iterator[_Passage]:
    deal = played.deal
    start = played.turns[0].state.knowledge
    yield (f"Rules {played.rules.name}", [(k, str(v)) for k, v in played.rules.options().items()])
    yield (f"The deal: {deal}", _known(known_facts(start, deal)))
    for turn in played.turns:
        yield from _told(turn)
    yield (f"The end: {played.outcome}", [])


def _told(turn: Turn) -> Iterator[_Passage]:
    knowledge, deal, now = turn.state
    leader = f"{now.leader} ({deal.role(now.leader)})"
    number = len(turn.choice.moves)
    options = "one party" if number == 1 else f"{number} parties"
    choice = f"{leader} may propose {options}"
    true = [(f.unicode(), "true") for f, holds in turn.choice.asked.items() if holds]
    if true:
        choice += "; of what they ask is true"
    yield (choice, true)
    party = enumerated(turn.party)
    proposal = f"Quest {now.quest}, proposal {now.attempt}: {leader} leads and proposes {party}"
    if turn.votes:
        approve = sum(vote.holds for vote in turn.votes.values())
        verdict = "rejected" if turn.fails is None else "accepted"
        heading = f"{proposal}; {approve} to {len(now.players) - approve}: {verdict}"
        yield (heading, _reasons(turn.votes, deal, "for", "against"))
    else:
        yield (f"{proposal}; accepted without a vote", [])
    if learnt := news(knowledge, turn.heard, deal):
        yield ("What evil players infer from the votes", _known(learnt))
    if turn.fails is not None:
        cards = counted(turn.fails, "fail card") if turn.fails else "no fail card"
        said = "nothing" if turn.announcement is None else turn.announcement.unicode()
        heading = f"Quest {now.quest} of {party}: {cards}; announced: {said}"
        yield (heading, _reasons(turn.cards, deal, "fails", "passes"))
        learnt = news(turn.heard, turn.after, deal)
        yield ("What is known now" if learnt else "Nothing new is known now", _known(learnt))
    elif now.attempt == 5:
        yield (f"Quest {now.quest} fails: five proposals were rejected", [])
    if turn.suspects:
        yield (f"Evil players name one of {enumerated(turn.suspects)} as Merlin", [])


def _reasons(decisions: Mapping[int, Ruling], deal: Deal, yes: str, no: str) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for i, (rule, holds) in decisions.items():
        if isinstance(rule, Mixed):
            told = "; ".join(f"with probability {p}: {f.unicode()}" for f, p in rule.weights), "drawn"
        else:
            told = rule.unicode(), "true" if holds else "false"
        found.append((f"{i} {deal.role(i)}", yes if holds else no, *told))
    return found


def _known(found: Mapping[Formula, str]) -> list[tuple[str, ...]]:
    return [(f.unicode(), reading) for f, reading in found.items()]
