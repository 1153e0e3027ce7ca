"""The counting superposition against the enumerated one."""

import random
from collections import Counter
from fractions import Fraction
from math import comb, perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf.counted import Counted
from kripke_werewolf.games.werewolf.enumerated import Enumerated
from kripke_werewolf.games.werewolf.roles import SEER, VILLAGER, WOLF, Deck
from kripke_werewolf.games.werewolf.superposition import random_world
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
    dead = (sum(map(str.isupper, world)) for world in listed.world_strings())
    assert dict(counted._totals.dead) == Counter(dead)


@given(pairs(), st.data())
def test_counts_are_those_of_the_list(both: tuple[Enumerated, Counted], data: st.DataObject) -> None:
    listed, counted = both
    _agree(listed, counted)
    players = st.integers(0, listed.deck.players - 1)
    one, other = data.draw(players), data.draw(players)
    living = lives(one) if data.draw(st.booleans()) else kw.TRUE
    asked = [fact(WOLF, one) & ~fact(WOLF, other), fact(SEER, one) & living & fact("good", other)]
    asked += [fact(SEER, one) & living & fact(role, other) for role in listed.deck.roles]
    asked += [(fact(WOLF, one) | ~lives(other)) & ~(living & fact(SEER, other))]
    if listed.deck.ranked:
        asked += [fact("dominant", one), fact("dominant", one) & ~fact(WOLF, other)]
        asked += [fact("dominant", one) | ~lives(one) & (fact("alpha", other) | fact(SEER, other))]
    for f in asked:
        assert counted.count(f) == listed.count(f), f
    fallen = fact("dead", one)
    assert counted.keep(fallen).counts(WOLF) == listed.keep(fallen).counts(WOLF)


@given(pairs(), st.integers(0, 2**32 - 1))
def test_a_world_drawn_is_one_of_all_that_are_equally_likely(
    both: tuple[Enumerated, Counted], seed: int
) -> None:
    listed, counted = both
    if not listed.size:
        return
    rng, chance = random.Random(seed), Fraction(1)

    def choose(player: int, weights: dict[str, int]) -> str:
        nonlocal chance
        role = rng.choice(sorted(role for role, weight in weights.items() if weight))
        chance *= Fraction(weights[role], sum(weights.values()))
        return role

    world, roles = random_world(counted, choose)  # type: ignore[arg-type]
    assert world.size == 1
    assert chance == Fraction(1, listed.size)
    fixed = listed
    for player, role in enumerate(roles):
        fixed = fixed.fix(player, role)
    assert fixed.size == 1


def test_integers_of_any_size() -> None:
    start = Counted.start(Deck(100, wolves=15))
    assert start.size == 100 * perm(99, 15) > 2**63
    assert sum(start.role_counts()["alpha"]) == start.size
    assert Counted.start(Deck(90, wolves=30, ranked=False)).size == 90 * comb(89, 30)


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
