"""The names and words of a game that a question may be about, and the formula that it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

from kripke_werewolf.base.errors import GameError, UnknownAgentError, UnknownAtomError
from kripke_werewolf.games.werewolf.declarations import atoms_of, declared
from kripke_werewolf.games.werewolf.move_atoms import SAW, read_move
from kripke_werewolf.games.werewolf.rules import FACTS, words_for
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.logic.english.phrases import FACTS as WORDS
from kripke_werewolf.logic.english.questions import Question, on_condition, parted
from kripke_werewolf.logic.english.vocabulary import MoveWords, Vocabulary
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.notation.reading import read_asked


@lru_cache(maxsize=256)
def vocabulary(setup: Setup, numbers: tuple[tuple[str, int], ...] = ()) -> Vocabulary:
    """Return the names of a game: its players, also by number, and the words for facts in tables.

    `numbers`: the numbers that are known, by player, where the settings hide them.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> from kripke_werewolf.logic.english.sentence_parser import from_sentence
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)
    >>> print(from_sentence("Does player 2 know that Ann is evil?", vocabulary=vocabulary(game.setup)))
    K_Bo wolf_Ann
    """
    known = dict(zip(setup.players, setup.numbers, strict=False)) | dict(numbers)
    by_number = tuple((str(number), name) for name, number in known.items())
    roles = ("wolf", *setup.deck.roles)
    single = tuple(dict.fromkeys(role for role in roles if setup.deck.cards(role) == 1 and role in WORDS))
    others = [role.name for role, _ in setup.deck.others]
    further = [(f"{word} {name}", name) for name in others for word in _articles(name)]
    return Vocabulary(
        setup.players,
        atoms_of(setup),
        by_number,
        (*FACTS.items(), *further, *(("lovers", fact) for fact in setup.deck.facts if fact == "linked")),
        single,
        tuple(_moves(setup)),
        first_night=setup.rules.first_number,
    )


def _moves(setup: Setup) -> Iterator[MoveWords]:
    """Yield the words for moves with one target, and for what they have shown."""
    for action, act in declared(setup).acts.items():
        words = words_for(action)
        stem = words.did.split()[0]
        yield MoveWords(stem, words.do, words.did, two=act.two)
        if act.shows and not act.two:
            yield MoveWords(SAW, "see", SAW, tuple(word for word, _ in act.shows), shown_by=stem)


def _articles(noun: str) -> tuple[str, str]:
    return "an" if noun[0] in "aeiou" else "a", "the"


# --- reading ---------------------------------------------------------------------------------------


def in_last_night(name: str, last: str) -> str:
    """Return a name that ends with the word for the last night, with its number; an error if there is none.

    >>> in_last_night("looked_Ann_Bo_last", "2")
    'looked_Ann_Bo_2'
    """
    if not last:
        raise GameError("no night is over yet, so there was no last night")
    return name.removesuffix("last") + last


def _statement(said: FormulaLike, words: Vocabulary) -> Question:
    return read_asked(said, words) if isinstance(said, str) else formula(said)


@lru_cache(maxsize=1024)
def resolve(
    setup: Setup, question: FormulaLike, words: Vocabulary | None = None, *, last: str = ""
) -> Formula:
    """Return a formula with all players by name, whether they were given by name or by number.

    `words`: those of the game, or of a handout whose owner knows more numbers. `last`: the number of the last
    night. `C`, `E` and `D` without an index are about all players. A string may also be a sentence or a
    yes-or-no question. Raises `UnknownAgentError` and `UnknownAtomError` for unknown names, and GameError for
    a number that is hidden and for other questions.
    """
    words, players = words or vocabulary(setup), setup.players
    asked = _statement(question, words)
    if not isinstance(asked, Formula):
        raise GameError(_NOT_YES_OR_NO.format(question))
    by_number = {number: name for number, name in words.numbers if number not in players}
    hidden = {str(n) for n in range(1, len(players) + 1)} - {*players, *by_number}
    known = atoms_of(setup)
    atoms = {}
    for atom in sorted(asked.atoms):
        recent = atom.endswith("_last") and "last" not in players
        written = in_last_night(atom, last) if recent else atom
        fact, _, player = written.partition("_")
        name = f"{fact}_{by_number[player]}" if player in by_number else written
        if name not in known:
            if player in hidden and f"{fact}_{players[0]}" in known:
                raise _hidden_number(atom, by_number)
            if player.isdecimal() and player not in by_number and f"{fact}_{players[0]}" in known:
                raise UnknownAtomError(player, players, kind="player", place=f"the atom {atom!r}")
            meant = f"{declared(setup).fact(fact)}_{name.partition('_')[2]}"  # the heading of a table
            move = read_move(setup, written, by_number)
            if meant not in known and move is None:
                raise UnknownAtomError(name, known)
            name = meant if move is None else move.name
        atoms[atom] = name
    for agent in sorted(asked.agents):
        if agent in hidden:
            raise _hidden_number(f"K_{agent}", by_number)
        if agent not in players and agent not in by_number:
            raise UnknownAgentError(agent, players)
    return asked.rename(
        agents=lambda agent: by_number.get(agent, agent), atoms=lambda atom: atoms.get(atom, atom)
    )


@lru_cache(maxsize=1024)
def resolve_asked(
    setup: Setup, question: FormulaLike, given: FormulaLike | None, words: Vocabulary, *, last: str = ""
) -> tuple[Formula, Formula | None]:
    """Return a yes-or-no question and its condition as formulas; see `resolve`.

    The condition is `given`, what a question in English says after "if" or "given that", or both.
    """
    read = partial(_statement, words=words)
    plain, where = read(question), None
    if given is not None or not isinstance(plain, Formula):
        plain, where = parted(on_condition(plain, given, read))
    if not isinstance(plain, Formula):
        raise GameError(_NOT_YES_OR_NO.format(question))
    named = partial(resolve, setup, words=words, last=last)
    return named(plain), None if where is None else named(where)


_NOT_YES_OR_NO = "{!r} is not a yes-or-no question; game.ask and the command ask answer it"


def _hidden_number(where: str, known: Mapping[str, str]) -> GameError:
    told = ", ".join(f"{number} is {name}" for number, name in known.items()) or "none"
    return GameError(f"{where!r}: this number is hidden; call players by name (known: {told})")
