"""Moves as facts of the game: `attacked_Ann_Bo`, `looked_Ann_Bo_0`, `saw_Ann_Bo_good`.

Such an atom is true if the move was made, whatever the mover's card is; one that was refused was not made. It
names the mover, the targets, for `saw` the word that the mover was shown, and perhaps the night. The verbs
are those of the actions of the deck. The moves are too many to list, so a name is read when it is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from kripke_werewolf.base.errors import GameError, UnknownAtomError, UnknownNameError, near_misses
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.roles import Action, SecretAct, parse_roles
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.setup import Setup

SAW = "saw"
"""The verb for what a move has shown to its player."""
NOTHING = "nothing"
"""The word for a move that should have shown something, but had nothing to show."""

Way: TypeAlias = tuple[str, tuple[str, ...], str | None, int | None]
"""A move by its verb, the mover and the targets, what was shown, and the night."""

_TAIL = re.compile(r"(?:_([^_]*[^_\d][^_]*))?(?:_(\d+))?")
"""The end of the name of a move: perhaps what it has shown, and the night."""


@dataclass(frozen=True, slots=True)
class MoveAtom:
    """An atom about a move.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> setup = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").setup
    >>> move = read_move(setup, "saw_1_{Bo}_human_0", {"1": "Ann"})
    >>> print(move, move.actor, move.targets, move.result, move.night)
    saw_Ann_Bo_human_0 Ann ('Bo',) human 0
    """

    name: str
    """How it is written: with names, in braces where they would be read in several ways."""
    actions: frozenset[Action]
    """The actions that it may be."""
    actor: str
    targets: tuple[str, ...]
    result: str | None = None
    """The word that was shown; None: any."""
    night: int | None = None
    """The number of the night; None: any."""

    def __str__(self) -> str:
        return self.name

    def is_made(
        self, actor: str, action: Action, targets: tuple[str, ...], result: str | None, night: int
    ) -> bool:
        """Whether a move makes it true; `result`: None if it showed nothing."""
        return (
            (self.actor, self.targets) == (actor, targets)
            and action in self.actions
            and self.result in (None, result or NOTHING)
            and self.night in (None, night)
        )


def move_verbs(setup: Setup) -> Mapping[str, frozenset[Action]]:
    """Return the verbs of the moves of a game, each with its actions.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> list(move_verbs(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).setup))
    ['looked', 'attacked', 'saw']
    """
    acts = declared(setup).acts
    showing = frozenset(action for action, act in acts.items() if act.shows)
    own = {words_for(action).did.partition(" ")[0]: frozenset({action}) for action in acts}
    return {verb: actions for verb, actions in {**own, SAW: showing}.items() if actions}


def moves_in(setup: Setup, atoms: Iterable[str]) -> tuple[MoveAtom, ...]:
    """Return the moves among some atoms of a game, by name."""
    return tuple(move for atom in sorted(atoms) for move in _moves(setup, atom, ()))


def read_move(setup: Setup, text: str, numbers: Mapping[str, str] | None = None) -> MoveAtom | None:
    """Return the move that a name stands for; None if it does not begin with the verb of one.

    `numbers`: the players by their numbers, as far as these are known. Raises UnknownAtomError for moves of
    unknown players and with unknown words, and GameError for what can be read in several ways.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> read_move(QuantumWerewolf(["A", "B", "A_B", "B_A"], wolves=1).setup, "attacked_A_B_A")
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.GameError: 'attacked_A_B_A' can be read in several ways: ...
    """
    found = _moves(setup, text, tuple((numbers or {}).items()))
    if len(found) == 1:
        return found[0]
    if found:
        ways = " or ".join(f'"{move.name}"' for move in found)
        raise GameError(f"{text!r} can be read in several ways: write {ways}, with the quotes")
    verb, _, rest = text.partition("_")
    if "_" not in rest and verb not in move_verbs(setup):
        return None
    if near := near_misses(verb, move_verbs(setup), most=1):
        raise UnknownAtomError(text, _near(setup, near[0], rest))
    return None


def named_move(setup: Setup, text: str) -> str:
    """Return the name of a move as models have it; raises UnknownAtomError for anything else."""
    found = read_move(setup, text)
    if found is None:
        raise UnknownAtomError(text, [f"{verb}_…" for verb in move_verbs(setup)])
    return found.name


@lru_cache(maxsize=4096)
def _moves(setup: Setup, text: str, numbers: tuple[tuple[str, str], ...]) -> tuple[MoveAtom, ...]:
    """Return all moves that a name may stand for; none if it is another fact."""
    return tuple(_named(setup, way) for way in _ways(setup, text, numbers))


def _ways(setup: Setup, text: str, numbers: tuple[tuple[str, str], ...]) -> list[Way]:
    """Return all ways to read a name as a move."""
    verb, _, rest = text.partition("_")
    if rest in setup.players and verb in setup.deck.facts:
        return []
    names = {name: name for name in setup.players} | dict(numbers)
    acts = [act for action, act in declared(setup).acts.items() if action in move_verbs(setup).get(verb, ())]
    shown = {NOTHING, *(word for act in acts for word, _ in act.shows)}
    found: dict[Way, None] = {}
    for act in acts:
        for players, tail in _split(f"_{rest}", names, 2 + act.two):
            end = _TAIL.fullmatch(tail)
            if end is None or (end[1] is None) is (verb == SAW):
                continue
            word = None if end[1] is None else _meant(setup, act, end[1], shown)
            if (word is None) is (end[1] is None):
                night = None if end[2] is None else int(end[2])
                targets = act.in_order(players[1:], key=setup.seat)
                found[verb, (players[0], *targets), word, night] = None
    return list(found)


def _split(rest: str, names: Mapping[str, str], many: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the players at the beginning of the rest of a name, and what follows them."""
    if not many:
        yield (), rest
        return
    for written, name in names.items():
        for form in (f"_{written}", f"_{_braced(written)}"):
            if rest.startswith(form) and (form[1:] == _braced(written) or not {*written} & {*"{}"}):
                for others, tail in _split(rest.removeprefix(form), names, many - 1):
                    yield (name, *others), tail


def _braced(name: str) -> str:
    """Return a name in braces; its own braces are doubled."""
    return f"{{{name.replace('{', '{{').replace('}', '}}')}}}"


def _meant(setup: Setup, act: SecretAct, text: str, shown: Collection[str]) -> str | None:
    """Return the result of an action that a word stands for: itself, or the word for exactly the same cards.

    `shown`: all words that are results.
    """
    if text in shown:
        return text if text in (NOTHING, *dict(act.shows)) else None
    try:
        meant = parse_roles(text, setup.deck)
    except UnknownNameError:
        return None
    game = declared(setup)
    return next((word for word, where in act.shows if game.roles(where) == meant), None)


def _named(setup: Setup, way: Way) -> MoveAtom:
    """Return a move with a name that no other move has."""
    verb, players, word, night = way
    end = "".join(f"_{part}" for part in (word, night) if part is not None)
    plain = f"{verb}_{'_'.join(players)}{end}"
    alone = _ways(setup, plain, ()) == [way]
    name = plain if alone else f"{verb}_{'_'.join(map(_braced, players))}{end}"
    return MoveAtom(name, move_verbs(setup)[verb], players[0], players[1:], word, night)


def _near(setup: Setup, verb: str, rest: str) -> list[str]:
    """Return the names of the moves with a verb that are most like an unknown one, part by part."""
    acts = [declared(setup).acts[action] for action in sorted(move_verbs(setup)[verb])]
    slots: list[Sequence[str]] = [setup.players] * (2 + acts[0].two)
    if verb == SAW:
        slots.append([word for act in acts for word, _ in act.shows])
    parts = rest.split("_") + [""] * len(slots)
    near = [near_misses(part, slot, most=2) or slot[:2] for part, slot in zip(parts, slots, strict=False)]
    night = [part for part in parts[len(slots) :] if part.isdecimal()][:1]
    different = (chosen for chosen in product(*near) if len({*chosen}) == len(chosen))
    return ["_".join((verb, *chosen, *night)) for chosen in different]
