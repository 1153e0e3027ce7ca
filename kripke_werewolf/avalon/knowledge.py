"""The Kripke models of the game, and what becomes of them.

A world is a `Deal`. Two worlds are related for a player iff he observes the same in both: an evil player
sees who is evil, Merlin sees everything, any other good player sees only that he is one. The models are
not pointed: one model serves every game in which the same was announced and inferred, whatever the
actual deal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
import numpy.typing as npt

from kripke_werewolf.avalon.rules import Rules
from kripke_werewolf.avalon.setting import PAIRS, PLAYERS, Deal, evil, is_merlin
from kripke_werewolf.language import Formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.relation import Mask, Partition
from kripke_werewolf.semantics.truth import Frame, check_names

__all__ = ["Knowledge", "deals", "initial_model"]


def deals(rules: Rules) -> list[Deal]:
    """Return the deals of a game, equally likely."""
    if rules.merlin is None:
        return [Deal(pair) for pair in PAIRS]
    some = slice(1) if rules.merlin_seat == "lowest" else slice(None)
    return [Deal(pair, merlin) for pair in PAIRS for merlin in Deal(pair).good[some]]


def initial_model(rules: Rules, *, merlin: int | None = None) -> KripkeModel:
    """Return what everybody knows after the deal: 30 worlds, or 10 where a world does not say who is Merlin.

    `merlin`: for a game with Merlin on the 10 worlds of `worlds="pairs"`, the player who is Merlin; he
    tells all of them apart. The atoms `m_i` are false in the models of pairs.

    >>> model = initial_model(Rules(merlin="naive"))
    >>> len(model), model.holds("K_3 (e_4 & ~K_3 m_5) & ~Kw_1 e_3", at=Deal((3, 4), 5))
    (30, True)
    """
    if rules.merlin is not None and rules.worlds == "roles":
        worlds = [Deal(pair, good) for pair in PAIRS for good in Deal(pair).good]
    else:
        worlds = [Deal(pair) for pair in PAIRS]

    def observation(player: int) -> Callable[[Deal], Hashable]:
        def observe(deal: Deal) -> Hashable:
            if player in (deal.merlin, merlin):
                return deal
            return deal.evil if player in deal.evil else "good"

        return observe

    def atoms(deal: Deal) -> list[str]:
        roles = [evil(i) for i in deal.evil] + ([is_merlin(deal.merlin)] if deal.merlin else [])
        return [atom.name for atom in roles]

    return KripkeModel.from_observations(
        worlds,
        {i: observation(i) for i in PLAYERS},
        atoms,
        atoms=[atom(i).name for atom in (evil, is_merlin) for i in PLAYERS],
    )


class Knowledge:
    """What everybody knows at one point of a game: a model, and the truth sets asked of it so far.

    Equal models are one knowledge: equality and hash are those of the worlds left and of the players'
    information cells.
    """

    __slots__ = ("_bits", "_cells", "_checked", "_frame", "_hash", "_key", "_number", "model")
    model: KripkeModel

    def __init__(self, model: KripkeModel) -> None:
        self._fill(model, set())

    def _fill(self, model: KripkeModel, checked: set[Formula]) -> None:
        self.model = model
        self._frame = Frame(model)
        self._checked = checked
        self._bits: dict[Formula, int] = {}
        self._cells: dict[tuple[int, int], int] = {}
        self._number = {world: number for number, world in enumerate(model.worlds)}
        cells = tuple(_first_of_cell(model.relation(i).labels) for i in PLAYERS)
        self._key = tuple(self._number), cells
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Knowledge) else NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def world(self, deal: Deal) -> Deal:
        """Return the world of a deal: the deal itself, or its evil pair where worlds are pairs."""
        return deal if deal in self._number else Deal(deal.evil)

    def truth(self, f: Formula) -> Mask:
        """Return the worlds where a formula is true, as a boolean array."""
        if f not in self._frame.memo:
            if f not in self._checked:  # what follows from this knowledge has the same names
                check_names(self.model, f)
                self._checked.add(f)
            self._frame.add([f])
        return self._frame.memo[f]

    def holds(self, f: Formula, deal: Deal) -> bool:
        """Return whether a formula is true at the world of a deal."""
        return bool(self.truth(f)[self._number[self.world(deal)]])

    def known(self, player: int, f: Formula, deal: Deal) -> bool | None:
        """Return the truth value of a formula as far as the player knows it; None: he does not.

        That is K_i φ, K_i ~φ or neither. Masks of worlds are held as integers, since a strategy asks often.
        """
        if f not in self._bits:
            self._bits[f] = _bits(self.truth(f))
        number = self._number[self.world(deal)]
        if (player, number) not in self._cells:
            seen = self.model.relation(player).successors(number)
            self._cells[player, number] = sum(1 << int(world) for world in seen)
        cell = self._cells[player, number]
        true = self._bits[f] & cell
        return True if true == cell else None if true else False

    def announced(self, f: Formula) -> Knowledge:
        """Return the knowledge after the public announcement of a formula that is true somewhere."""
        return self._then(self.model.restrict(self.truth(f)))

    def observed(self, facts: Sequence[Mask]) -> Knowledge:
        """Return the knowledge after all evil players, and they alone, observed which facts are true.

        At a world with evil player i, i no longer considers possible the worlds where another of the
        facts (truth sets) are true; nothing changes for the good players there. In terms of action
        models: the events are the pairs of evil players and the possible answers, and two events look
        the same to a player who is evil in neither.
        """
        model = self.model
        answers = np.zeros(len(model), np.int32)
        for fact in facts:
            answers = 2 * answers + fact
        relations = dict(model.relations)
        for i in PLAYERS:
            seen = np.where(model.truth(evil(i).name), answers, 0)
            relations[str(i)] = model.relation(i).meet(Partition(seen, 1 << len(facts)))
        return self._then(KripkeModel.from_parts(model.names, relations, model.valuation))

    def _then(self, model: KripkeModel) -> Knowledge:
        new = Knowledge.__new__(Knowledge)
        new._fill(model, self._checked)
        return new


def _first_of_cell(labels: npt.NDArray[np.int32]) -> bytes:
    # for every world the first world of its cell: the same for all numberings of the cells
    _, first, cell = np.unique(labels, return_index=True, return_inverse=True)
    return first[cell].astype(np.int8).tobytes()


def _bits(true: Mask) -> int:
    return int.from_bytes(np.packbits(true, bitorder="little").tobytes(), "little")
