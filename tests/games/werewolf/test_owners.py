"""What follows for owners of information: who was asked, open moves, and groups as one owner."""

import random
from fractions import Fraction
from typing import Any

import pytest

import kripke_werewolf as kw
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf import questions
from kripke_werewolf.games.werewolf.engines import Counting, ListedWorlds
from kripke_werewolf.games.werewolf.setup import LIMIT
from kripke_werewolf.games.werewolf.told import told

NAMES = ["Ann", "Bo", "Cy"]


def played(game: kw.QuantumWerewolf, chance: random.Random, moves: int) -> kw.QuantumWerewolf:
    """Return a game after some random moves of any kind."""
    for _ in range(moves):
        due = [(name, action) for name, actions in game.may_act.items() for action in actions]
        if game.verdict is not None:
            break
        if game.phase.kind == "vote" and chance.random() < 0.7:
            game = game.vote_off(chance.choice(game.alive))
        elif not due or chance.random() < 0.15:
            game = game.end_phase()
        else:
            name, action = chance.choice(due)
            choices = [*game.legal_choices(name, action).values()]
            game = game.do(name, action, *chance.choice(choices)) if choices else game.end_phase()
    return game


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("seed", range(2))
def test_a8_who_was_asked_is_known_where_nothing_private_can_change_it(rules: str, seed: int) -> None:
    """Nobody's vision removes the last world of another seer, nor of their own."""
    chance = random.Random(seed)
    game = kw.QuantumWerewolf(NAMES, wolves=1, rules=rules, rng=seed)
    assert game.ask("K_Ann M_Cy seer_Cy", reading="exact").holds
    while game.phase.kind != "vote":
        assert game.ask("K_Ann M_Cy seer_Cy").holds, game.log
        before, game = game, played(game, chance, 1)
        assert game != before
    certain = any(cell in (0, 1) for table in told(game).tables for row in table.rows for cell in row[:-1])
    if game.setup.numbers_hidden or not certain:  # a certain entry may contradict what Cy may have seen
        assert game.ask("K_Ann M_Cy seer_Cy").holds


def test_a8_who_may_not_have_been_asked_after_a_death() -> None:
    game = kw.QuantumWerewolf([*NAMES, "Di"], wolves=1, rules="cisra").end_phase()
    game = game.vote_off("Di", role="villager").end_phase()
    assert not game.ask("K_Ann M_Cy seer_Cy").holds  # Cy may have looked, and Di may have been the seer


@pytest.mark.parametrize("rules", ["cisra", "gekka"])
@pytest.mark.parametrize("reading", ["facts", "exact"])
def test_a9_a_table_in_a_running_phase_is_of_its_beginning(rules: str, reading: Any) -> None:
    game = kw.QuantumWerewolf([*NAMES, "Di"], wolves=1, rules=kw.preset(rules, table="open"))
    while "attack" not in game.setup.actions(game.phase):
        game = game.end_phase()
    public = game.table(public=True)
    for moved in (game, game.attack("Bo", "Ann")):
        own = moved.table(viewer="Ann", reading=reading)
        assert (own.rows, own.columns) == (public.rows, public.columns)
        assert f"at the beginning of {game.phase}, own moves included" in own.note
        with pytest.raises(GameError, match="has no probability"):
            moved.ask("P_Ann(dead_Cy) > 0", reading=reading)
        with pytest.raises(GameError, match="has no probability"):
            moved.ask("P_Ann(K_Bo wolf_Cy) > 0", reading=reading)
        assert moved.ask("P_Ann(wolf_Cy) = 1/4", reading=reading).holds
        assert not moved.ask("K_Ann ~dead_Cy", reading=reading).holds
    assert game.attack("Ann", "Cy").table(viewer="Ann", reading=reading)["Cy", "dead"] == Fraction(1, 4)


@pytest.mark.parametrize("seed", range(4))
def test_d_is_knowledge_of_one_owner(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the intersection of the members' relations in the explicit model of all."""
    chance = random.Random(seed)
    how: dict[str, Any] = {"targets": chance.choice(["secret", "public"]), "cards": {}}
    how["deal"] = chance.choice(["quantum", "quantum", "classical"])
    rules = chance.choice(["cisra", "gekka", "straat"])
    if rules == "cisra" and seed % 2:
        how["cards"] = {"bodyguard": 1}
    game = played(kw.QuantumWerewolf(NAMES, wolves=1, rules=rules, rng=seed, **how), chance, 1 + seed)
    group = chance.sample(NAMES, chance.randint(2, 3))
    a, b = chance.sample(NAMES, 2)
    known = f"D_{{{','.join(group)}}}"
    for body in (f"~seer_{b}", f"dead_{a} | wolf_{b}", f"M_{a} seer_{b}"):
        for question in (f"{known} ({body})", f"~{known} ({body}) | wolf_{a}", f"K_{a} {known} ({body})"):
            monkeypatch.setattr(questions, "_MOST_SHOWN", 10**9)
            slow = game.ask(question).verdict
            monkeypatch.setattr(questions, "_MOST_SHOWN", 0)
            assert game.at(len(game.steps)).ask(question).verdict == slow, (question, game.log)
    sheet, fact = told(game, *group), kw.parse(f"wolf_{a}")
    if Counting().covers(sheet, fact).cost is not None:
        assert Counting().verdict(sheet, fact).fraction in (0, 1) or not game.ask(f"{known} {fact}").holds
        assert (Counting().verdict(sheet, fact) == "true") == (
            ListedWorlds(LIMIT).verdict(sheet, fact) == "true"
        )


@pytest.mark.parametrize("seed", range(2))
def test_d_is_knowledge_of_one_owner_by_all_histories(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    game = played(kw.QuantumWerewolf(NAMES, wolves=1, rules="cisra", rng=seed), chance, 2 + 2 * seed)
    asked = [f"D_{{Ann,Cy}} {fact}" for fact in ("wolf_Bo", "~seer_Bo", "(wolf_Ann | seer_Bo)")]
    fast = [game.ask(question, reading="exact").verdict for question in asked]
    monkeypatch.setattr(questions.AskedOfGame, "_put", property(lambda self: self))
    again = game.at(len(game.steps))
    assert [again.ask(question, reading="exact").verdict for question in asked] == fast
