"""How likely cards are for a player after a night of One Night, without a list of all its histories.

Histories are counted by tables of cards. Roles between which nothing that the player was told and no exchange
makes a difference count as one, and others' looks count for nothing. After the player's last look only
numbers are kept: how often each card lies at each place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kripke_werewolf.base.errors import ModelTooLarge
from kripke_werewolf.games.one_night import Cards, NightMove, OneNight, PlayedNight
from kripke_werewolf.games.werewolf.roles import CardAct, Role
from kripke_werewolf.logic.semantics.numbering import Longs

MOST_TABLES = 3_000_000
"""The largest number of tables that are kept."""


@lru_cache(64)
def counted_chances(night: PlayedNight, player: str) -> Mapping[str, Mapping[str, Fraction]] | None:
    """Return `night.chances(player)` before any claim; None if that takes too long.

    >>> cards = ("wolf", "minion", "seer", "drunk", "villager", "villager")
    >>> night = OneNight(("Ann", "Bo", "Cy"), cards).drawn(7)
    >>> counted_chances(night, "Ann") == night.chances("Ann")
    True
    """
    roles, seat = night.game.roles, night.game.players.index(player)
    told, own = [move for move in night.moves if move.player == player], night.dealt[seat]
    acts = [(name, act) for name, role in roles.items() for act in role.acts if isinstance(act, CardAct)]
    apart = {card for move in told for card in move.seen} | {name for name, act in acts if act.swaps}
    if roles[own].acts or roles[own].knows:
        apart.add(own)
    schemas = [*roles[own].knows, *(act.where for name, act in acts if name in {*apart, own})]
    apart |= {name for name in roles if any(f"{name}_" in schema for schema in schemas)}
    alike = {name: Role(name=role.side, side=role.side) for name, role in roles.items() if name not in apart}
    cards = [alike.get(name, roles[name]) for name in night.dealt]
    if own in alike:
        cards[seat] = Role(name="own", side=roles[own].side)
    game = OneNight(night.game.players, tuple(cards), night.game.middle, limit=MOST_TABLES)
    try:
        counts = _counted(game, player, game.deal_of([role.name for role in cards]), told)
    except ModelTooLarge:
        return None
    copies, total = Counter(role.name for role in cards), int(counts[0].sum())
    found: dict[str, dict[str, Fraction]] = {place: defaultdict(Fraction) for place in game.places}
    for (name, card), number in Counter(zip([role.name for role in cards], night.dealt, strict=True)).items():
        for place, often in zip(game.places, counts[:, list(game.roles).index(name)].tolist(), strict=True):
            if often:
                found[place][card] += Fraction(often * number, copies[name] * total)
    return found


def _counted(game: OneNight, player: str, deal: int, told: Sequence[NightMove]) -> Longs:
    """Return how often each card lies at each place, by what a player's card and own moves leave possible."""
    rows, names, left = np.flatnonzero(game.alike(player, deal)), list(game.roles), list(told)
    table: npt.NDArray[Any] = game.deals[:, rows]
    others = [turn for turn in game.turns if turn.player != player and turn.swaps]
    ways = np.ones(len(rows), np.int64)
    for turn in others:
        ways[turn.deals[rows]] *= len(turn.choices)
    weight = np.lcm.reduce(ways) // ways
    for turn in game.turns:
        here = turn.deals[rows]
        if table.ndim == 2 and not any(move.seen for move in left):
            table = _as_counts(table, len(names), weight)
        if turn.player == player and turn.deals[deal]:
            move = left.pop(0)
            choice = next(choice for choice in turn.choices if choice.words == move.words)
            for place, card in zip(choice.looked, move.seen, strict=True):
                here &= table[place] == names.index(card)
            rows, weight, table = rows[here], weight[here], choice.done(table[..., here])
        elif turn.player == player:
            rows, weight, table = rows[~here], weight[~here], table[..., ~here]
        elif turn in others and table.ndim > 2:
            table[..., here] = sum(choice.done(table[..., here]) for choice in turn.choices)
        elif turn in others:
            after = [table[:, ~here], *(choice.done(table[:, here]) for choice in turn.choices)]
            index = np.concatenate([np.flatnonzero(~here), *[np.flatnonzero(here)] * len(turn.choices)])
            game.check_size(len(index))
            rows, weight, table = rows[index], weight[index], np.concatenate(after, axis=1)
    found = table if table.ndim > 2 else _as_counts(table, len(names), weight)
    counts: Longs = found.sum(axis=-1)
    return counts


def _as_counts(table: Cards, roles: int, weight: Longs) -> Longs:
    """Return by places and roles the weights of the tables with this card there, else 0."""
    counts: Longs = (table[:, None] == np.arange(roles)[:, None]) * weight
    return counts
