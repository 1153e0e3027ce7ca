"""What tables say of their games: P and knowledge agree, and nothing depends on what a seat was not told."""

import json
from fractions import Fraction
from random import Random

import pytest

from kripke_werewolf.games.programs.program import End, Game, Happening
from kripke_werewolf.research.arena import Arena, Night, Own, Werewolf, avalon


class Coin(Game):
    """One player has seen a coin, and may show it; the other guesses."""

    name = "coin"
    players = ("ann", "bo")

    def deals(self):
        return ["heads", "tails"]

    def atoms(self, world):
        return [world]

    def vocabulary(self):
        return ["heads", "tails"]

    def sees(self, player, world):
        return world if player == "ann" else None

    def decides(self, now, world):
        return {"ann": ("show", "hide")} if now == 1 else {"bo": ("heads", "tails")}

    def after(self, now, world, moves):
        if now == 2:
            return End(moves["bo"] == world)
        seen = (("bo", world),) if moves["ann"] == "show" else ()
        return Happening(world, 2, seen)

    def rewards(self, right):
        return {"ann": 1 - right, "bo": int(right)}

    def situation(self, now):
        return "Ann decides" if now == 1 else "Bo guesses"


def coin(seed: int) -> Own:
    return Own(of=Coin(), facts=("heads", "tails"), total=1, exact=True, seed=seed)


def tables(seed: int) -> list:
    cards = [("hunter=1",), ("witch=1",), ("bodyguard=1",)][seed % 3]
    return [
        Werewolf(rules=("cisra", "straat", "gekka")[seed % 3], players=4, seed=seed),
        Werewolf(rules="gekka", players=5, deal="classical", cards=cards, seed=seed),
        Night(players=3, cards=("wolf", "seer", "robber", "villager", "wolf"), seed=seed),
        avalon(small=True, seed=seed),
        coin(seed),
    ]


def played(arena: Arena, rng: Random, most: int = 30):
    """Play at random; yield before each decision."""
    while not arena.done and len(arena.rows) < most:
        seat, text = arena.get_observation()
        yield seat, text
        move = rng.choice(text.options) if text.options else None
        arena.step(json.dumps({"move": move, "say": "hello"}))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_chances_add_up_and_are_0_and_1_where_a_seat_knows(seed: int) -> None:
    """P comes from tables, counts and filters, knowledge from `ask` and from models."""
    for table in tables(seed):
        arena = Arena(table)
        for number, (seat, text) in enumerate(played(arena, Random(seed), most=8)):
            chances = text.chances()
            assert chances.keys() == set(text.facts)
            assert sum(chances.values()) == arena.table.total == sum(arena.table.truth().values())
            night = isinstance(table, Night) and arena.table.phase() == "night"
            for fact, share in chances.items():
                if night or number % 3:  # the model of One Night is that of the day
                    break
                known = arena.table.known(seat, fact, heard=False)[1][seat]
                assert known is {0: False, 1: True}.get(share)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_seat_was_not_told_changes_nothing_for_it(seed: int) -> None:
    """One seat chooses differently at night; who was told the same sees the same, byte for byte."""
    alike = 0
    for rules, players in (("cisra", 4), ("gekka", 5), ("straat", 4)):
        found = []
        for other in (False, True):
            arena, rng = Arena(Werewolf(rules=rules, players=players, seed=seed)), Random(seed)
            changed, seen = False, []
            while not arena.done and len(arena.rows) < 14:
                seat, text = arena.get_observation()
                move = rng.choice(sorted(text.options))
                if other and seat == "Bo" and not changed:
                    changed, move = True, min(set(text.options) - {move})
                told = arena.table.told(seat), arena.table.sitting.flow.counted, text.turn.kind
                seen.append((seat, told, str(text), text.chances(), text.turn.counts))
                arena.step(json.dumps({"move": move}))
            found.append(seen)
        for one, two in zip(*found, strict=False):
            if one[0] != "Bo" and one[:2] == two[:2]:
                alike += 1
                assert one == two
    assert alike > 12


def test_decoys_are_asked_in_the_same_way() -> None:
    table = Werewolf(rules="gekka", players=4, seed=2)
    asked = dict(played(Arena(table), Random(1), most=4))
    assert {text.turn.kind for text in asked.values()} == {"vision"}
    assert len({text.turn.question for text in asked.values()}) == 1


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_the_words_of_a_game_of_ones_own(seed: int) -> None:
    arena = Arena(coin(seed))
    _, text = arena.get_observation()
    side = next(fact for fact, share in arena.table.truth().items() if share)
    assert "* Ann decides" in text
    assert f"You see: {side}." in text
    _, row = arena.step('{"move": "show"}')
    assert row["regret"] == 0  # against blind play it is the same
    seat, text = arena.get_observation()
    assert (seat, text.chances()[side]) == ("bo", 1)
    done, row = arena.step(json.dumps({"move": {"heads": "tails", "tails": "heads"}[side]}))
    assert done
    assert (row["regret"], arena.table.outcome()) == (1, "False")


def test_estimated_regret_is_near_the_exact_one() -> None:
    """With blind play afterwards, which here is all that follows a guess."""
    exact = coin(1)
    estimated = Own(of=Coin(), facts=("heads",), rollouts=300, seed=1)
    for table in (exact, estimated):
        table.submit(table.turn(), "show")
    kind, regrets = estimated.regrets(estimated.turn(), {})
    assert kind == "rollouts"
    assert regrets == exact.regrets(exact.turn(), {})[1]


def test_hidden_cards_have_the_same_chance_before_the_first_move() -> None:
    for rules, wolves in (("cisra", 1), ("straat", 2)):
        table = Werewolf(rules=rules, players=5, wolves=wolves)
        assert table.total == wolves
        assert {*table.chances("Ann").values()} == {Fraction(wolves, 5)}
