"""Advice to a player, and robots: both from what this player was told, and from nothing else.

`night_changes` and `whom_to_name` are functions of a handout, `robot_answer` is one of a player's view and a
generator. So in two games that a player cannot tell apart the advice is the same, and robots play alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, cast

from kripke_werewolf.base.errors import GameError, KripkeError
from kripke_werewolf.base.reports.tables import shown
from kripke_werewolf.base.wording import Sentence, divided
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.events import OfficialDeath, Vision
from kripke_werewolf.games.werewolf.roles import parse_roles
from kripke_werewolf.games.werewolf.rules import column_fact
from kripke_werewolf.games.werewolf.rulesheet import kind_of
from kripke_werewolf.games.werewolf.setup import Phase
from kripke_werewolf.games.werewolf.state import being
from kripke_werewolf.games.werewolf.told import Entry, Told, roles_left
from kripke_werewolf.play.tabletop.commands import Choose, Vote

MOST_ROBOTS = 30
"""The largest number of robots at a table."""
SECONDS = 2.0
"""The time limit for a hint, and for the answer to a question."""


def night_changes(known: Told) -> str:
    """Return in one line what the last night changed for its owner; "" before its end, and for those dead.

    It names the night, and covers what they were told: the results of their looks, the roles that are no
    longer theirs, and their chances: at nightfall, or else in the last table before it, which is named, and
    in the morning. Where the rules show no table it says nothing about chances.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra")
    >>> game = game.vision("Ann", "Bo", result="evil").end_phase(missing="pass")
    >>> night_changes(game.handout("Ann")).split("; ")[0]
    'What night 1 changed for you: if you are the seer, Bo is evil'
    >>> night_changes(game.handout("Ann")).split("; ")[1]
    'your chances: good from 75% to 70%, evil from 25% to 30%.'
    """
    votes = [place for place, entry in enumerate(known.entries) if entry.phase.kind == "vote"]
    if not votes or known.verdict is not None:
        return ""
    end, before = votes[-1], votes[-2] + 1 if len(votes) > 1 else 0
    if known.player in known.dead_before(known.entries[before]):
        return ""
    (since, old), (told_at, new) = _own_row(known, before), _own_row(known, end)
    own = [] if known.setup.deal == "classical" else [*_roles_lost(known, before, end, old)]
    moved = [
        Sentence("chance-moved", fact=column, old=shown(old[column], "percent"), new=shown(cell, "percent"))
        for column, cell in new.items()
        if told_at is None and None not in (cell, old.get(column)) and cell != old[column]
    ]
    own += [Sentence("your-chances-moved", moved=moved)] if moved else []
    if own and since is not None:
        own = [Sentence("since-the-table", since=since, parts=divided(own))]
    parts = [*_looks(known, known.entries[before:end]), *own]
    night = Phase("night", known.entries[before].phase.number, before)
    return Sentence("changed-for-you", night=night, any=bool(parts), parts=divided(parts))


def _looks(known: Told, night: Collection[Entry]) -> Iterator[str]:
    card = being(f"{known.setup.deck.looker.name}_{{i}}")
    for event in (event for entry in night for event in entry.events):
        if isinstance(event, Vision) and event.actor == known.player and event.result is not None:
            yield Sentence("if-you-are", card=card, player=event.target, role=event.result)


def _roles_lost(known: Told, before: int, end: int, chances: Mapping[str, Any]) -> Iterator[str]:
    """Yield the roles that the owner lost at night; `chances`: those at nightfall, some of them 0 already."""
    deck, (old, new) = known.setup.deck, (_own_roles(known, place) for place in (before, end))
    gone = {*map(deck.kind, new), *(column_fact(column) for column, chance in chances.items() if chance == 0)}
    kinds = [kind for kind in deck.kinds if kind in map(deck.kind, old) and kind not in gone]
    if kinds:
        yield Sentence("no-longer-you", cards=[being(f"{kind}_{{i}}") for kind in kinds])


def _own_roles(known: Told, place: int) -> frozenset[str]:
    """Return the roles left to the owner before a phase: those of which the dead have not had every card."""
    deck, left = known.setup.deck, roles_left(known, known.player, place)
    deaths = [event for entry in known.entries[:place] for event in entry.events]
    words = [e.announced for e in deaths if isinstance(e, OfficialDeath) and e.player != known.player]
    for said in filter(None, words):
        roles = parse_roles(said, deck)
        left -= roles if words.count(said) == sum(map(deck.cards, roles)) else frozenset()
    return left


def _own_row(known: Told, place: int) -> tuple[Phase | None, Mapping[str, Any]]:
    """Return the owner's chances as last told when a phase begins; without a table, by the numbers of cards.

    First comes the phase at whose beginning they were told, None if it is this one.
    """
    setup, entries = known.setup, known.entries
    if told := dict(entries[place].chances):
        return None, dict(told[known.player])
    label = known.player if known.number is None else str(known.number)
    for earlier in range(place, -1, -1):
        table = entries[earlier - 1].table if earlier else known.table
        if table is not None:
            return entries[earlier].phase if earlier < place else None, table[label]
    facts = {heading: column_fact(heading) for heading in declared(setup).headings}
    held = {heading: 0 if fact == "dead" else setup.deck.cards(fact) for heading, fact in facts.items()}
    shares = {heading: Fraction(number, len(setup.players)) for heading, number in held.items()}
    return None, shares


def whom_to_name(known: Told, action: str, targets: Collection[str]) -> str:
    """Return a hint about whom to name for an action, or in a `vote`, by the probabilities of its owner.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra")
    >>> game = game.vision("Ann", "Bo", result="evil").end_phase()
    >>> whom_to_name(game.handout("Ann"), "vote", ["Bo", "Cy", "Di"])
    'From what you were told, apart from the numbers in the tables, the most likely to be a wolf: Bo.'
    """
    kind = kind_of(known.setup, action)
    try:
        table = known.probabilities(columns=["wolf"], timeout=SECONDS)
    except KripkeError:
        return Sentence("no-hint", hard=True)
    wanted = {"look": Fraction(1, 2), "vote": Fraction(1)}.get(kind, Fraction(0))
    others = [name for name in targets if name in table.labels and name != known.player]
    far = {name: abs(cast(Fraction, table[name, "wolf"]) - wanted) for name in others}
    best = [name for name in others if far[name] == min(far.values())]
    none = kind in ("join", "other") or best == others
    return Sentence("no-hint", hard=False) if none else Sentence("hint", kind=kind, names=best)


# --- robots ---------------------------------------------------------------------------------------


def robot_names(number: Any) -> tuple[str, ...]:
    """Return the names of some robots; raise GameError for a number that is not possible.

    >>> robot_names(2)
    ('Robot 1', 'Robot 2')
    """
    if type(number) is not int or not 0 <= number <= MOST_ROBOTS:
        raise GameError(Sentence("number-of-robots", n=number, most=MOST_ROBOTS))
    return tuple(f"Robot {place}" for place in range(1, number + 1))


def robot_answer(view: Mapping[str, Any], chance: Random) -> Choose | Vote | None:
    """Return the next answer of a robot that sees a player's view, at random; None if it has none to give.

    >>> view = {"player": "Robot 1", "paused": False, "vote": {"action": "vote", "answered": False,
    ...         "targets": ["Ann", "Robot 1"]}}
    >>> robot_answer(view, Random(1))
    Vote(voter='Robot 1', target='Ann')
    """
    me, vote = view["player"], view.get("vote")
    if view["paused"]:
        return None
    for ask in view.get("ask", ()):
        names = [name for name in ask["targets"] if name not in ask.get("refused", ())] or ask["targets"]
        if not ask["answered"] and names:
            return Choose(me, ask["action"], chance.choice([*names, None] if ask["may_decline"] else names))
    if vote is None or vote["answered"]:
        return None
    return Vote(me, chance.choice([name for name in vote["targets"] if name != me] or [None]))
