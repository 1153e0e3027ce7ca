"""The names that sentences and questions are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class MoveWords(NamedTuple):
    """The words for a move, and the atoms about it: `attacked_Ann_Bo`, in night 1 `attacked_Ann_Bo_1`.

    With a result the atom ends in it: `saw_Ann_Bo_good`; `shown_by` is then the stem of the move that shows
    it. With `two` targets both are in it, in the order of the agents: `linked_Ann_Bo_Cy`.
    """

    stem: str
    base: str
    """The base form of the verb: `attack`."""
    past: str
    """The past, which is the participle as well: `attacked`."""
    results: tuple[str, ...] = ()
    shown_by: str = ""
    two: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that may occur in a sentence: those of a model or of a game.

    `agents`: names that may consist of several words, or look like words of sentences; they are recognised
    wherever a name may stand. `atoms`: all atoms. `numbers`: the names of agents that also have a number
    ("player 2"). `facts`: further words for facts, with the fact each stands for, after `~` if it is denied:
    with `evil` for `wolf` and `clean` for `~muddy`, "Di is clean" is `~muddy_Di`; with `tails` for `~heads`,
    "tails" is `~heads`. `single`: the stems of facts that exactly one agent has, who can be called by them:
    "the seer is dead". `moves`: what agents may have done to others. `asker`: the agent who says "I".
    `first_night`: the number of the first night. `phrases`: for kinds of atoms the words that are written and
    read, as in `to_sentence`; further ones, and those for `~` and an atom, are read only. `kinds`: what the
    agents are, besides players: one and several of them, `("child", "children")`. `neuter`: whether an agent
    may be called "it".
    """

    agents: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    single: tuple[str, ...] = ()
    moves: tuple[MoveWords, ...] = ()
    asker: str = ""
    first_night: int = 1
    phrases: tuple[tuple[str, str], ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    neuter: bool = False

    def agent(self, name: str) -> str:
        """Return the name of an agent who may be given by a number."""
        return name if name in self.agents else dict(self.numbers).get(name, name)

    def atom(self, name: str) -> str:
        """Return the atom that is meant: `wolf_Ann` for `wolf_1`, and `evil_Ann` where that is the word."""
        stem, _, agent = name.partition("_")
        named = [f"{one}_{self.agent(agent)}" for one in (stem, dict(self.facts).get(stem, stem))]
        return next((one for one in (name, *named) if one in self.atoms), name)
