"""The counting superposition against the enumerated one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb, perm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Deck
from kripke_werewolf.werewolf.superposition import random_world
from tests.cases import each
from tests.reference.game_model import is_wolf
from tests.superposed import attack, fact, lives, sees


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Enumerated, Counted]:
    """The same random happenings on both engines: visions, attacks, votes with shown or hidden ranks."""
    players = draw(st.integers(3, 7))
    wolves = draw(st.integers(1, min(4, players - 1)))
    deck = Deck(
        players,
        wolves=wolves,
        seers=draw(st.integers(0, 1)) if wolves < players else 0,
        ranked=draw(st.booleans()),
    )
    listed, counted = Enumerated.start(deck), Counted.start(deck)
    everybody = st.integers(0, players - 1)
    shown = draw(st.sampled_from(["kind", "side", "role"]))
    hide = draw(st.sampled_from([False, True, None]))
    dead: set[int] = set()
    for _ in range(draw(st.integers(0, 14))):
        what = draw(st.sampled_from(["vision", "vision", "attack", "attack", "vote"]))
        actor, target = draw(everybody), draw(everybody)
        if what == "vision":
            looking = listed.keep(fact(SEER, actor)).role_counts()
            pool = [role for role in sorted(deck.roles) if looking[role][target]]
            if not pool:
                continue
            role = draw(st.sampled_from(pool))
            roles = _covered(deck, shown, role)
            listed, counted = (
                listed.keep(sees(actor, target, roles)),
                counted.keep(sees(actor, target, roles)),
            )
        elif what == "attack":
            if not deck.ranked or actor == target or target in dead:
                continue
            after = listed.die(**attack(actor, target))
            if after.size:
                listed, counted = after, counted.die(**attack(actor, target))
        else:
            if target in dead:
                continue
            spared = draw(st.booleans())
            before = listed.keep(lives(target)) if spared else listed
            counts = before.role_counts()
            possible = [r for r in deck.roles if counts[r][target]]
            if not possible:
                continue
            role = draw(st.sampled_from(possible))
            hidden = draw(st.booleans()) if hide is None else hide
            role = WOLF if hidden and is_wolf(role) else role
            listed = before.fix(target, role).die(target)
            counted = counted.keep(lives(target)) if spared else counted
            counted = counted.fix(target, role).die(target)
            dead.add(target)
    return listed, counted


def _covered(deck: Deck, shown: str, role: str) -> frozenset[str]:
    if shown == "role":
        return frozenset({role})
    if is_wolf(role):
        return frozenset(deck.wolf_roles)
    return frozenset({VILLAGER, SEER}) if shown == "side" else frozenset({role})


def _agree(listed: Enumerated, counted: Counted) -> None:
    assert counted.size == listed.size
    assert dict(counted.role_counts()) == dict(listed.role_counts())
    for player in range(listed.deck.players):
        assert dict(counted.keep(lives(player)).role_counts()) == dict(
            listed.keep(lives(player)).role_counts()
        )
    assert counted.death_counts() == listed.death_counts()
    wolves = {listed.deck.letter(role) for role in listed.deck.wolf_roles}
    living = (
        ["wolf" if c in wolves else "other" for c in world if c.islower()] for world in listed.world_strings()
    )
    assert dict(counted.living()) == Counter((some.count("wolf"), some.count("other")) for some in living)


@given(pairs(), st.data())
def test_counts_are_those_of_the_list(both: tuple[Enumerated, Counted], data: st.DataObject) -> None:
    listed, counted = both
    _agree(listed, counted)
    players = st.integers(0, listed.deck.players - 1)
    one, other = data.draw(players), data.draw(players)
    living = lives(one) if data.draw(st.booleans()) else kw.TRUE
    asked = [fact(WOLF, one) & ~fact(WOLF, other), fact(SEER, one) & living & fact("good", other)]
    asked += [fact(SEER, one) & living & fact(role, other) for role in listed.deck.roles]
    if listed.deck.ranked:
        asked += [fact("dominant", one), fact("dominant", one) & ~fact(WOLF, other)]
    for f in asked:
        assert counted.count(f) == listed.count(f), f
    fallen = fact("dead", one)
    assert counted.keep(fallen).counts(WOLF) == listed.keep(fallen).counts(WOLF)


@given(pairs(), st.integers(0, 2**32 - 1))
def test_a_world_drawn_is_a_world(both: tuple[Enumerated, Counted], seed: int) -> None:
    listed, counted = both
    if not listed.size:
        return
    rng = np.random.default_rng(seed)

    def choose(player: int, weights: dict[str, int]) -> str:
        roles = sorted(weights)
        total = sum(weights.values())
        return str(rng.choice(roles, p=[weights[r] / total for r in roles]))

    world, roles = random_world(counted, choose)  # type: ignore[arg-type]
    assert world.size == 1
    fixed = listed
    for player, role in enumerate(roles):
        fixed = fixed.fix(player, role)
    assert fixed.size == 1


def test_sampling_is_uniform() -> None:
    start = Counted.start(Deck(4, wolves=2)).die(**attack(0, 1)).keep(sees(2, 3, frozenset({VILLAGER, SEER})))
    listed = (
        Enumerated.start(Deck(4, wolves=2)).die(**attack(0, 1)).keep(sees(2, 3, frozenset({VILLAGER, SEER})))
    )
    rng = np.random.default_rng(1)

    def choose(player: int, weights: dict[str, int]) -> str:
        roles, counts = zip(*sorted(weights.items()), strict=True)
        return str(rng.choice(roles, p=np.array(counts) / sum(counts)))

    drawn = Counter(random_world(start, choose)[1] for _ in range(1200))  # type: ignore[arg-type]
    assert len(drawn) == listed.size
    expected = 1200 / listed.size
    # 99.9 % quantile of chi-square with up to 23 degrees of freedom is below 50
    assert sum((n - expected) ** 2 / expected for n in drawn.values()) < 50


def test_integers_of_any_size() -> None:
    start = Counted.start(Deck(100, wolves=15))
    assert start.size == 100 * perm(99, 15) > 2**63
    assert sum(start.role_counts()["alpha"]) == start.size
    assert Counted.start(Deck(90, wolves=30, ranked=False)).size == 90 * comb(89, 30)


@each([False, True])
def test_everybody_has_one_role_and_every_rank_one_holder(hidden: bool) -> None:
    worlds = (
        Counted.start(Deck(60, wolves=9))
        .die(**attack(1, 2))
        .die(**attack(3, 1))
        .keep(sees(4, 5, frozenset({VILLAGER})))
    )
    for dead, role in ((10, "beta"), (11, "delta"), (12, "alpha")):
        worlds = worlds.keep(lives(dead)).fix(dead, WOLF if hidden else role).die(dead).die(**attack(6, 7))
    counts = worlds.role_counts()
    assert all(sum(counts[role]) == worlds.size for role in worlds.deck.wolf_roles)
    assert all(sum(counts[role][p] for role in counts) == worlds.size for p in range(60))
    assert (counts["alpha"][10] > 0) == hidden


def test_roles_of_two_players() -> None:
    listed, counted = (
        start(Deck(5, wolves=2)).keep(sees(0, 1, frozenset({VILLAGER, SEER}))).die(**attack(2, 3))
        for start in (Enumerated.start, Counted.start)
    )
    for one in listed.deck.roles:
        for other in listed.deck.roles:
            assert counted.fix(0, one).fix(3, other).size == listed.fix(0, one).fix(3, other).size


def test_what_it_cannot_count_is_refused() -> None:
    with pytest.raises(GameError, match="2 seers"):
        Counted.start(Deck(5, wolves=1, seers=2, ranked=False))
    with pytest.raises(GameError, match="one exact role"):
        Counted.start(Deck(6, wolves=3)).keep(sees(0, 1, frozenset({"alpha", "beta"})))


def test_a_game_of_a_hundred() -> None:
    game = kw.QuantumWerewolf([f"P{i}" for i in range(100)], wolves=15, rules="gekka", rng=5)
    assert isinstance(game.worlds, Counted)
    game = game.vision("P3", "P4").vision("P5", "P3")
    assert 0 < game.size < Counted.start(game.setup.deck).size
    assert game.table()["P3", "wolf"] is not None


def test_what_counting_does_not_serve_is_refused() -> None:
    players = [f"P{i}" for i in range(1, 41)]
    with pytest.raises(GameError, match="sample lists its worlds"):
        kw.QuantumWerewolf(players, wolves=5, engine="counting", sample=100)
    with pytest.raises(GameError, match="classical deal is a single world"):
        kw.QuantumWerewolf(players, wolves=5, engine="counting", deal="classical")
    game = kw.QuantumWerewolf(players, wolves=5, rules="cisra")
    with pytest.raises(GameError, match=rf"has {game.size:,} at the start.*sample="):
        game.model()


# what one player knows


@st.composite
def views(
    draw: st.DrawFn,
) -> tuple[Deck, Counted, list[tuple[tuple[str, ...], frozenset[int], Fraction]]]:
    """What a player saw of a random game: counted, and as deals, deaths and weights, attack by attack."""
    players = draw(st.integers(3, 6))
    deck = Deck(players, wolves=draw(st.integers(1, min(3, players - 2))), ranked=True)
    viewer, counted = draw(st.integers(0, players - 1)), Counted.start(deck)
    deals = {tuple(roles): Fraction(1) for roles in permutations(cards(deck))}
    worlds = [(deal, frozenset[int](), weight) for deal, weight in deals.items()]
    actual = draw(st.sampled_from(sorted(deals)))
    gone = frozenset[int]()
    alive, everybody = set(range(players)), st.integers(0, players - 1)

    def dominant(deal: tuple[str, ...], dead: frozenset[int]) -> int | None:
        led = [deal.index(role) for role in deck.wolf_roles]
        return next((p for p in led if p not in dead), None)

    for _ in range(draw(st.integers(1, 5))):
        if not alive:
            break
        what = draw(st.sampled_from(["vision", "vote", "night", "night", "without", "alive", "found"]))
        player = draw(st.sampled_from(sorted(alive)))
        wolf = is_wolf(actual[player])
        if what == "vision":
            target = draw(everybody)
            roles = _covered(deck, "side", actual[target])
            if actual[viewer] == SEER or draw(st.booleans()):
                worlds = [w for w in worlds if w[0][viewer] != SEER or w[0][target] in roles]
                counted = counted.keep(sees(viewer, target, roles))
        elif what == "vote" and player not in gone:
            worlds, counted = [w for w in worlds if player not in w[1]], counted.keep(lives(player))
            if draw(st.booleans()):
                worlds = [w for w in worlds if is_wolf(w[0][player]) == wolf]
                counted = counted.fix(player, WOLF) if wolf else counted.keep(~fact(WOLF, player))
            worlds, counted = [(r, d | {player}, x) for r, d, x in worlds], counted.die(player)
            alive, gone = alive - {player}, gone | {player}
        elif what == "alive":
            for p in sorted(alive - gone):
                if draw(st.booleans()):
                    worlds, counted = [w for w in worlds if p not in w[1]], counted.keep(lives(p))
        elif what == "without" and not wolf:
            role = draw(st.sampled_from([k for k in (WOLF, SEER, VILLAGER) if k != actual[player]]))
            worlds = [w for w in worlds if (WOLF if is_wolf(w[0][player]) else w[0][player]) != role]
            counted = counted.keep(~fact(role, player))
        elif what == "found":
            for dead in sorted(gone & alive):
                worlds = [w for w in worlds if dead in w[1]]
                counted = counted.keep(fact("dead", dead)).die(dead)
                alive -= {dead}
        elif what == "night" and alive and any(is_wolf(actual[p]) for p in alive):
            leader = dominant(actual, gone)
            prey = [p for p in sorted(alive) if not is_wolf(actual[p])]
            if not prey:
                continue
            target = draw(st.sampled_from(prey))
            own = target if leader == viewer else draw(st.one_of(st.none(), st.sampled_from(sorted(alive))))
            after = []
            for deal, d, weight in worlds:
                first = dominant(deal, d)
                options = [p for p in sorted(alive) if not is_wolf(deal[p])]
                if first is None:
                    after.append((deal, d, weight))
                elif first == viewer:
                    if own is not None and not is_wolf(deal[own]):
                        after.append((deal, d | {own}, weight))
                else:
                    after += [(deal, d | {p}, weight / len(options)) for p in options]
            worlds, gone = after, gone | {target}
            counted = (
                counted.keep(~fact("dominant", viewer)) if own is None else counted.die(**attack(viewer, own))
            )
            counted = counted.unseen_attack(viewer, alive)
    return deck, counted, worlds


def cards(deck: Deck) -> list[str]:
    return [role for role in deck.roles for _ in range(deck.cards(role))]


@given(views())
def test_a_players_view_is_that_of_all_attacks_listed(view):
    deck, counted, worlds = view
    total = sum(weight for _, _, weight in worlds)
    counts, deaths, size = counted.role_counts(), counted.death_counts(), counted.size
    assert (size > 0) == (total > 0)
    for player in range(deck.players):
        for role in deck.roles:
            share = sum(weight for deal, _, weight in worlds if deal[player] == role)
            assert total * counts[role][player] == share * size
        assert total * deaths[player] == size * sum(x for _, dead, x in worlds if player in dead)
