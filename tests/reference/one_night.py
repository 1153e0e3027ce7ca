"""One Night, history by history: slow and obvious."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any, NamedTuple

from kripke_werewolf.games.werewolf.roles import CardAct, Role


class Past(NamedTuple):
    """One history: the deal, the moves in order, the cards afterwards, and what each player noticed."""

    dealt: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]
    cards: tuple[str, ...]
    noticed: tuple[tuple[Any, ...], ...]
    chance: Fraction


def pasts(
    players: Sequence[str], roles: Sequence[Role], middle: int, alone: Sequence[CardAct] = ()
) -> Iterator[Past]:
    """Yield all histories, for roles whose holders are told of others with a role or side.

    `alone`: the acts that only a sole holder of the card takes; the others have no condition.
    """
    named = {role.name: role for role in roles}
    deals = sorted(set(permutations(role.name for role in roles)))
    places = [*players, *(f"middle{k + 1}" for k in range(middle))]
    for deal in deals:
        noticed: list[tuple[Any, ...]] = []
        for seat, card in enumerate(deal[: len(players)]):
            words = [schema.removesuffix("_{t}") for schema in named[card].knows]
            told = [
                [
                    p
                    for p, other in enumerate(deal[: len(players)])
                    if p != seat and word in (other, named[other].side)
                ]
                for word in words
            ]
            noticed.append((card, told))
        ways: list[tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[tuple[Any, ...], ...], Fraction]]
        ways = [((), deal, tuple(noticed), Fraction(1, len(deals)))]
        times = sorted(
            {(act.at, role.name) for role in roles for act in role.acts if isinstance(act, CardAct)}
        )
        for at, name in times:
            for seat in range(len(players)):
                acts = [act for act in named[name].acts if isinstance(act, CardAct) and act.at == at]
                if acts[0] in alone and deal[: len(players)].count(name) > 1:
                    continue
                if deal[seat] == name:
                    ways = [after for way in ways for after in _turn(way, seat, acts, len(players), places)]
        for moves, cards, seen, chance in ways:
            yield Past(deal, moves, cards, seen, chance)


def _turn(way: Any, seat: int, acts: Sequence[CardAct], seats: int, places: Sequence[str]) -> list[Any]:
    moves, cards, noticed, chance = way
    found: dict[Any, Any] = {}
    for act in acts:
        kinds = {
            "own": [seat],
            "other": [p for p in range(seats) if p != seat],
            "player": list(range(seats)),
            "middle": list(range(seats, len(places))),
        }
        if act.optional:
            found["nothing"] = ((), list(cards), ("nothing",))
        for chosen in product(*(kinds[kind] for kind in act.on)):
            if len(set(chosen)) < len(chosen):
                continue
            after, look = list(cards), chosen[: act.sees]
            before = [(p, after[p]) for p in look]
            if act.swaps:
                one, other = chosen
                after[one], after[other] = after[other], after[one]
            shown = [(p, after[p]) for p in look] if act.after else before
            words = [places[p] for p, kind in zip(chosen, act.on, strict=True) if kind != "own"]
            words = [act.name, *words] if act.name else words
            same = act.name, acts.index(act), frozenset(look), frozenset(chosen)
            found.setdefault(same, (tuple(words), after, (same, tuple(sorted(shown)))))
    if not found:
        return [way]
    out = []
    for words, after, note in found.values():
        mine = (*noticed[seat], note)
        seen = (*noticed[:seat], mine, *noticed[seat + 1 :])
        player = places[seat]
        out.append(((*moves, (player, *words)), tuple(after), seen, chance / len(found)))
    return out
