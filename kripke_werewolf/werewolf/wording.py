"""A game in words: the names used in sentences, and descriptions of worlds: deals and private events."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from kripke_werewolf.language.phrases import FACTS as WORDS
from kripke_werewolf.language.questions import Vocabulary
from kripke_werewolf.language.sentences import to_sentence
from kripke_werewolf.werewolf.actions import WorldName
from kripke_werewolf.werewolf.events import atoms_of
from kripke_werewolf.werewolf.roles import SEER, WOLF, letter
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
    >>> from kripke_werewolf.werewolf.actions import Option
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
    happened = [event.in_words() for event in events]
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
    found = [_are(players, role) for role, players in holders.items() if players]
    if dead:
        found.append(_are(dead, "dead"))
    return _joined(found or ["all are villagers"])


def _joined(clauses: Sequence[str]) -> str:
    """Return clauses joined by commas and "and"."""
    *first, last = clauses or [""]
    return f"{', '.join(first)}{',' * (len(first) > 1)} and {last}" if first else last


def _are(players: Sequence[str], fact: str) -> str:
    """Return the clause that players have a role, or are dead."""
    *first, last = players
    if not first:
        return f"{last} is {_ONE.get(fact) or WORDS.get(fact, fact)}"
    return f"{', '.join(first)} and {last} are {_SEVERAL.get(fact) or WORDS.get(fact, fact)}"


_ONE = {SEER: "the seer", WOLF: "the wolf"}
_SEVERAL = {SEER: "the seers", WOLF: "the wolves"}
"""The words for all who have a card."""
