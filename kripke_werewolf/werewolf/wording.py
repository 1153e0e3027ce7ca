"""A game in words: the names used in sentences, and descriptions of worlds, which are deals."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from kripke_werewolf.language.phrases import FACTS as WORDS
from kripke_werewolf.language.questions import Vocabulary
from kripke_werewolf.language.sentences import to_sentence
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
    return Vocabulary(setup.players, atoms_of(setup), by_number, tuple(FACTS.items()))


def deal_in_words(setup: Setup, world: Hashable) -> str:
    """Return the words for a world of a game's model, with its name.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="straat", wolves=2, seers=1)
    >>> deal_in_words(game.setup, "swvW")
    'the world where Ann is the seer, Bo and Di are the wolves, and Di is dead (swvW)'
    """
    letters = str(world).partition(" ")[0]
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
    *first, last = found or ["all are villagers"]
    said = f"{', '.join(first)}{',' * (len(first) > 1)} and {last}" if first else last
    return f"the world where {said} ({world})"


def cases_in_words(worlds: Iterable[Hashable]) -> dict[Hashable, str]:
    """Return the words for the worlds of a model made from histories, which are told apart by some facts.

    A world is a player, what others may have been told (their records, numbered in this order), and the
    facts that are true.

    >>> world = ("Bo", frozenset({"wolf_Ann"}))
    >>> cases_in_words([world])[world]
    'the case where Ann is a wolf'
    """
    found: dict[Hashable, str] = {}
    numbers: dict[object, int] = {}
    for world in worlds:
        assert isinstance(world, tuple)
        *part, facts = world
        clauses = [to_sentence(fact).removesuffix(".") for fact in sorted(facts)]
        said = " and ".join(clauses) or "none of the facts in question is true"
        for record in part[1:]:
            number = numbers.setdefault(record, len(numbers) + 1)
            said += f", and {record.player} has record {number}"
        found[world] = f"the case where {said}"
    return found


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
