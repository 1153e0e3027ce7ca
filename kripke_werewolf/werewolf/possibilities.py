"""The worlds of a game's Kripke model, as columns that events of the game transform.

A world is an assignment of the deck, who is dead in it, and what the agents privately did and saw.
Each part is one array over all worlds; nothing loops over worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import GameError, ModelTooLarge
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Mask, Partition, dense
from kripke_werewolf.models.valuation import Valuation
from kripke_werewolf.models.weights import Weights, reduced, split
from kripke_werewolf.models.worlds import Computed
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, Role, letter

__all__ = ["Possibilities", "Rows"]

Rows = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class _Record:
    """What was done or seen in one event: per world the number of one of the options."""

    options: tuple[str, ...]
    chosen: npt.NDArray[np.int16]


class Possibilities:
    """Columns over the worlds that the agents consider possible.

    `deal`: which assignment (row of `roles`, shape (assignments, players)); `deaths`: bit p where
    player p is dead; `actual`: whether the world is designated; for each agent (a seat) its class in
    `labels` and its `weights`, where they are not all the same.
    """

    def __init__(
        self, worlds: Enumerated, agents: tuple[int, ...], *, weighted: bool, limit: int, names: Sequence[str]
    ) -> None:
        self.worlds, self.agents, self.weighted, self.limit, self.names = (
            worlds,
            agents,
            weighted,
            limit,
            names,
        )
        self.check_size(worlds.size)
        self.deck = worlds.deck
        self.code = {role: i for i, role in enumerate(self.deck.roles)}
        self.roles = _role_codes(worlds)
        self.deal = np.arange(worlds.size, dtype=np.int32)
        self.deaths = np.zeros(worlds.size, np.uint64)
        self.actual = np.ones(worlds.size, bool)
        self.records: list[_Record] = []
        self.weights: dict[int, Weights] = {}
        self.labels: dict[int, npt.NDArray[np.int32]] = {k: np.zeros(worlds.size, np.int32) for k in agents}

    def __len__(self) -> int:
        return len(self.deal)

    def check_size(self, size: int) -> None:
        """Raise `ModelTooLarge` for more worlds than the limit."""
        if size > self.limit:
            players = [self.names[k] for k in self.agents]
            who = f" for {', '.join(players)}" if players else ""
            fewer = "ask about fewer players at once, " if len(players) > 1 else ""
            advice = f'{fewer}play with targets="public", raise limit=, or use the symbolic engine'
            raise ModelTooLarge(size, self.limit, f"the model of the game{who}", advice)

    # --- facts, per world --------------------------------------------------------------------------

    def has(self, player: int, roles: Iterable[Role]) -> Mask:
        """Return where the player has one of the roles."""
        wanted = np.zeros(len(self.code), bool)
        wanted[[self.code[r] for r in roles]] = True
        found: Mask = wanted.take(self.roles[:, player].take(self.deal))
        return found

    def is_seer(self, player: int) -> Mask:
        """Return where the player is a seer."""
        return self.has(player, [SEER])

    def is_wolf(self, player: int) -> Mask:
        """Return where the player is a wolf of any rank."""
        return self.has(player, self.deck.wolf_roles)

    def is_dead(self, player: int) -> Mask:
        """Return where the player is dead."""
        found: Mask = (self.deaths >> np.uint64(player)).astype(np.uint8) & 1 == 1
        return found

    def dominant(self, player: int) -> Mask:
        """Return where the player is the highest-ranked living wolf; equal wolves have none."""
        found = np.zeros(len(self), bool)
        superior_dead = np.ones(len(self), bool)
        for column in self.worlds.wolves if self.deck.ranked else ():
            holder = column[self.deal]
            dead = (self.deaths >> holder.astype(np.uint64)).astype(np.uint8) & 1 == 1
            found |= superior_dead & ~dead & (holder == player)
            superior_dead &= dead
        return found

    def is_deal(self, roles: Sequence[Role]) -> Mask:
        """Return where exactly these roles are dealt."""
        codes = np.array([self.code[r] for r in roles], np.uint8)
        found: Mask = (self.roles == codes).all(axis=1).take(self.deal)
        return found

    # --- changes -----------------------------------------------------------------------------------

    def narrow(self, mask: Mask) -> None:
        """Let only worlds inside the mask be designated."""
        self.actual = self.actual & mask

    def keep(self, mask: Mask) -> None:
        """Drop the worlds outside the mask."""
        if not mask.all():
            self._take(np.flatnonzero(mask))

    def copy(self, possible: Sequence[Mask], *, teller: int | None = None) -> npt.NDArray[np.int64]:
        """Copy every world for each event possible there; return the event's number per new world.

        Every agent but `teller` shares out the weight of a world equally among its copies.
        """
        self.check_size(sum(int(np.count_nonzero(p)) for p in possible))
        row, event = np.nonzero(np.stack(possible, axis=1))
        among = np.stack(possible).sum(axis=0, dtype=np.int64)[row]
        self._take(row)
        if self.weighted:
            for k in self.agents:
                if k != teller:
                    old = self.weights.get(k, np.ones(len(row), np.int64))
                    self.weights = {**self.weights, k: split(old, among)}
        return event

    def _take(self, row: Rows) -> None:
        self.deal, self.deaths, self.actual = self.deal[row], self.deaths[row], self.actual[row]
        self.labels = {k: label[row] for k, label in self.labels.items()}
        self.records = [_Record(r.options, r.chosen[row]) for r in self.records]
        self.weights = {k: w[row] for k, w in self.weights.items()}

    def refine(self, agent: int, by: Rows) -> None:
        """Let an agent tell apart worlds with different values of `by` (not negative)."""
        count = int(by.max(initial=0)) + 1
        key = self.labels[agent].astype(np.int64) * count + by
        refined = dense(key, (int(self.labels[agent].max(initial=0)) + 1) * count)[0]
        self.labels = {**self.labels, agent: refined}

    def record(self, options: Sequence[str], chosen: Rows) -> None:
        """Note what was done or seen, for the names of the worlds."""
        self.records = [*self.records, _Record(tuple(options), chosen.astype(np.int16))]

    def kill(self, player: int, where: Mask) -> None:
        """Let the player be dead in some worlds."""
        self.deaths = np.where(where, self.deaths | np.uint64(1 << player), self.deaths)

    def merge(self) -> None:
        """Make one world of those that have assignment, deaths and all agents' classes in common."""
        key: npt.NDArray[np.integer] = self.deal
        distinct, deaths = np.unique(self.deaths, return_inverse=True)
        parts: list[tuple[Rows, int]] = [(deaths, len(distinct))]
        parts += [(label, int(label.max(initial=0)) + 1) for label in self.labels.values()]
        bound = len(self.roles)
        for part, size in parts:
            key, found = dense(key.astype(np.int64) * size + part, bound * size)
            bound = len(found)
        if bound == len(key):
            return
        first = np.zeros(bound, np.int64)
        first[key[::-1]] = np.arange(len(key))[::-1]
        actual = np.zeros(bound, bool)
        actual[key[self.actual]] = True
        weights: dict[int, Weights] = {}
        for k, old in self.weights.items():
            sums: Weights = np.zeros(bound, np.int64) if old.dtype != object else np.zeros(bound, object)
            np.add.at(sums, key, old)
            weights[k] = sums
        self._take(first)
        self.actual, self.weights = actual, weights

    def prune(self) -> None:
        """Drop worlds out of reach where that is cheap to see: for no agent, or only one."""
        if not self.actual.any():
            raise GameError("no world is left, so there is nothing to know about the game")
        if not self.agents:
            self.keep(self.actual)
        elif len(self.agents) == 1:
            label = self.labels[self.agents[0]]
            self.keep(label == label[np.argmax(self.actual)])

    # --- the result --------------------------------------------------------------------------------

    def model(self, deaths_of: Iterable[int]) -> KripkeModel:
        """Return the Kripke model generated from the designated worlds, with `dead_…` for some players."""
        # the columns are replaced, never changed in place: the model reads them as they are now
        return copy(self)._model(deaths_of)

    def truth_set(self, f: Formula) -> Mask:
        """Return where a formula is true."""
        return copy(self)._all(range(len(self.names))).truth_set(f)

    def _model(self, deaths_of: Iterable[int]) -> KripkeModel:
        model = self._all(deaths_of)
        return model.generated() if len(self.agents) > 1 else model

    def _all(self, deaths_of: Iterable[int]) -> KripkeModel:
        facts: dict[str, Callable[[int], Mask]] = {
            "wolf": self.is_wolf,
            "seer": self.is_seer,
            "villager": lambda p: self.has(p, [VILLAGER]),
            "good": lambda p: ~self.is_wolf(p),
            "dead": self.is_dead,
        }
        if self.deck.ranked:
            facts |= {r: self._holder_of(r) for r in self.deck.wolf_roles} | {"dominant": self.dominant}
        known = {"dead": set(deaths_of)}
        rows = {
            f"{fact}_{name}": _later(truth, player)
            for fact, truth in facts.items()
            for player, name in enumerate(self.names)
            if player in known.get(fact, (player,))
        }
        designated = np.flatnonzero(self.actual)
        return KripkeModel.from_parts(
            Computed(len(self), self._name, self._finder()),
            {self.names[k]: _partition(labels) for k, labels in self.labels.items()},
            Valuation(len(self), rows),
            None if len(designated) == len(self) else designated,
            weights={self.names[k]: reduced(w) for k, w in self.weights.items()},
        )

    def _holder_of(self, role: Role) -> Callable[[int], Mask]:
        return lambda player: self.has(player, [role])

    def _name(self, number: int) -> str:
        text = ""
        for player, code in enumerate(self.roles[self.deal[number]].tolist()):
            sign = letter(self.deck.roles[code])
            text += sign.upper() if int(self.deaths[number]) >> player & 1 else sign
        return " ".join([text, *(r.options[int(r.chosen[number])] for r in self.records)])

    def _finder(self) -> Callable[[object], int | None]:
        numbers: dict[object, int] = {}

        def find(name: object) -> int | None:
            if not numbers:
                numbers.update((self._name(i), i) for i in range(len(self)))
            return numbers.get(name)

        return find


def _later(truth: Callable[[int], Mask], player: int) -> Callable[[], Mask]:
    return lambda: truth(player)


def _partition(labels: npt.NDArray[np.int32]) -> Partition:
    return Partition(labels, int(labels.max(initial=0)) + 1)


def _role_codes(worlds: Enumerated) -> npt.NDArray[np.uint8]:
    """The role of every player in every world, as its place among the deck's roles; (worlds, players)."""
    codes = np.zeros((worlds.size, worlds.deck.players), np.uint8)
    rows = np.arange(worlds.size)
    for column in worlds.seers:
        codes[rows, column] = 1
    for rank, column in enumerate(worlds.wolves):
        codes[rows, column] = 2 + (rank if worlds.deck.ranked else 0)
    return codes
