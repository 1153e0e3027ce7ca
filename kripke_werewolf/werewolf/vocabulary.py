"""The names and words of a game that a question in English may be about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kripke_werewolf.language.phrases import FACTS as WORDS
from kripke_werewolf.language.vocabulary import MoveWords, Vocabulary
from kripke_werewolf.werewolf.declarations import declared
from kripke_werewolf.werewolf.events import atoms_of
from kripke_werewolf.werewolf.move_atoms import SAW
from kripke_werewolf.werewolf.roles import Role
from kripke_werewolf.werewolf.rules import FACTS, words_for
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
    further = [
        (f"{word} {role.name}", role.name) for role, _ in setup.deck.others for word in _articles(role)
    ]
    return Vocabulary(
        setup.players,
        atoms_of(setup),
        by_number,
        (*FACTS.items(), *further),
        single,
        tuple(_moves(setup)),
        first_night=setup.rules.first_number,
    )


def _moves(setup: Setup) -> Iterator[MoveWords]:
    """Yield the words for moves with one target, and for what they have shown."""
    for action, act in declared(setup).acts.items():
        words = words_for(action)
        if not act.two:
            yield MoveWords(words.did.split()[0], words.do, words.did)
        if act.shows and not act.two:
            yield MoveWords(SAW, "see", SAW, tuple(word for word, _ in act.shows))


def _articles(role: Role) -> tuple[str, str]:
    return "an" if role.name[0] in "aeiou" else "a", "the"
