"""A game in words: the names used in sentences, and descriptions of worlds: deals and private events."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from kripke_werewolf.language.phrases import FACTS as WORDS
from kripke_werewolf.language.questions import Vocabulary
from kripke_werewolf.language.sentences import to_sentence
from kripke_werewolf.werewolf.actions import (
    DECLINED,
    LIVES,
    NOT_ASKED,
    PASSED_OVER,
    REFUSED,
    Option,
    WorldName,
)
from kripke_werewolf.werewolf.events import atoms_of
from kripke_werewolf.werewolf.roles import SEER, is_wolf, letter
from kripke_werewolf.werewolf.rules import FACTS
from kripke_werewolf.werewolf.setup import Setup


def vocabulary(setup: Setup, numbers: Mapping[str, int] | None = None) -> Vocabulary:
    """Return the names of a game: its players, also by number, and the words for facts in tables.

    `numbers`: the numbers that are known, by player, where the settings hide them.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> from kripke_werewolf.language.sentence_parser import from_sentence
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)
    >>> print(from_sentence("Does player 2 know that Ann is evil?", vocabulary=vocabulary(game.setup)))
    K_Bo wolf_Ann
    """
    known = dict(zip(setup.players, setup.numbers, strict=False)) | dict(numbers or {})
    by_number = tuple((str(number), name) for name, number in known.items())
    roles = ("wolf", *setup.deck.roles)
    single = tuple(dict.fromkeys(role for role in roles if setup.deck.cards(role) == 1 and role in WORDS))
    return Vocabulary(setup.players, atoms_of(setup), by_number, tuple(FACTS.items()), single)


def world_in_words(setup: Setup, world: Hashable) -> str:
    """Return the words for a world of a game's model, with its name.

    The world is a deal, or only some facts, with the private events in its name.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="straat", wolves=2, seers=1)
    >>> world_in_words(game.setup, "swvW")
    'the world where Ann is the seer, Bo and Di are the wolves, and Di is dead (swvW)'
    >>> world_in_words(game.setup, WorldName(frozenset({"wolf_Bo"}), [Option("Di", "Ann", "human")]))
    'the case where Bo is a wolf, in which Di looked at Ann (human) (wolf_Bo Di:Ann=human)'
    """
    deal, events = (world.deal, world.events) if isinstance(world, WorldName) else (str(world), ())
    if isinstance(deal, str):
        said = f"the world where {_dealt(setup, deal)}"
    else:
        clauses = [to_sentence(fact).removesuffix(".") for fact in sorted(deal)]
        said = f"the case where {_joined(clauses) or 'none of the facts in question is true'}"
    happened = [_happened(event) for event in events]
    return f"{said}{', in which ' if happened else ''}{_joined(happened)} ({world})"


def _dealt(setup: Setup, letters: str) -> str:
    """Return the clause that says who has which role, and who is dead."""
    holders: dict[str, list[str]] = {role: [] for role in setup.deck.roles[1:]}
    by_letter = {letter(role): role for role in setup.deck.roles}
    dead = []
    for player, card in zip(setup.players, letters, strict=True):
        if (role := by_letter[card.lower()]) in holders:
            holders[role].append(player)
        if card.isupper():
            dead.append(player)
    found = [_are(players, *_title(role)) for role, players in holders.items() if players]
    if dead:
        found.append(_are(dead, "dead", "dead"))
    return _joined(found or ["all are villagers"])


def _happened(event: Option) -> str:
    """Return the clause for a private event of a player: a move, a notice, or their number."""
    match event:
        case Option(who, None, _, note) if note in (DECLINED, NOT_ASKED, PASSED_OVER):
            return f"{who} {'' if note == DECLINED else 'was '}{note}"
        case Option(who, None, _, note) if note == LIVES:
            return f"{who} was shown to be alive"
        case Option(who, None, _, note) if note.isdecimal():
            return f"{who} is number {note}"
        case Option(who, None, _, note):
            return f"the roles left to {who} were {note}" if "/" in note else f"{who} was told {note}"
        case Option(who, target, _, note) if note == REFUSED:
            return f"the attack of {who} on {target} was refused"
        case Option(who, target, None, note):
            return f"{who} looked at {target} ({note})" if note else f"{who} attacked {target}"
    return f"{event.actor} looked at {event.target} ({event.result})"


def _joined(clauses: Sequence[str]) -> str:
    """Return clauses joined by commas and "and"."""
    *first, last = clauses or [""]
    return f"{', '.join(first)}{',' * (len(first) > 1)} and {last}" if first else last


def _title(role: str) -> tuple[str, str]:
    """Return the words for a single holder of a role, and for several."""
    if role == SEER:
        return "the seer", "the seers"
    if role in WORDS and is_wolf(role):
        words = WORDS[role]
        return (words, words) if words.startswith("the ") else ("the wolf", "the wolves")
    return role, role


def _are(players: Sequence[str], one: str, several: str) -> str:
    """Return the clause that players have a role."""
    if len(players) == 1:
        return f"{players[0]} is {one}"
    return f"{', '.join(players[:-1])} and {players[-1]} are {several}"
