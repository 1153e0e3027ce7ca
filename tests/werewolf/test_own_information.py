"""Knowledge is a function of a player's information, and uses all of it."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.errors import ModelTooLarge
from kripke_werewolf.werewolf.draws import Chance
from kripke_werewolf.werewolf.questions import Inquiry
from kripke_werewolf.werewolf.rules import FACTS
from kripke_werewolf.werewolf.setup import LIMIT

NAMES = ["Ann", "Bo", "Cy", "Di"]


def play(
    game: kw.QuantumWerewolf, chance: random.Random, moves: int, secret: random.Random | None = None
) -> kw.QuantumWerewolf:
    """Return a game after some random moves; attacks that are refused are sometimes tried.

    `secret`: the source for the draws and for all targets but Ann's, by default the same.
    """
    hidden = secret or chance
    game = game.with_draw(Chance(hidden.randrange(2**32)))
    for _ in range(moves):
        due = [(name, action) for name, actions in game.may_act.items() for action in actions]
        if game.verdict is not None:
            break
        if game.phase.kind == "vote":
            game = game.vote_off(chance.choice(game.alive)) if chance.random() < 0.8 else game.end_phase()
            continue
        if not due or chance.random() < 0.1:
            game = game.end_phase()
            continue
        name, action = chance.choice(due)
        targets = game.legal_targets(name, action)
        refused = [t for t in game.alive if "every remaining" in str(game.refusal(name, action, target=t))]
        choosing = chance if name == "Ann" else hidden
        if refused and choosing.random() < 0.5:
            game = game.refuse(name, choosing.choice(refused))
        elif targets:
            target = choosing.choice(targets)
            game = game.vision(name, target) if action == "vision" else game.attack(name, target)
        else:
            game = game.end_phase()
    return game


def answers(game: kw.QuantumWerewolf, questions: list[str]) -> list[str]:
    """The verdicts of questions about knowledge, on the model of all who occur in them."""
    together = Inquiry.of(game, " & ".join(f"({f})" for f in questions), engine="auto", limit=LIMIT)
    return [str(together.asking(f).verdict) for f in questions]


@settings(max_examples=5)
@given(seed=st.integers(0, 2**32), wolves=st.integers(1, 2))
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("targets", ["secret", "public"])
@pytest.mark.parametrize("deal", ["quantum", "classical"])
def test_equal_handouts_give_equal_answers(
    rules: str, targets: Any, deal: Any, seed: int, wolves: int
) -> None:
    chance = random.Random(seed)
    names, moves = NAMES[: 2 + wolves], chance.randint(2, 9)
    alike = dict[Any, list[kw.QuantumWerewolf]]()
    for number in range(20):
        start = kw.QuantumWerewolf(names, wolves=wolves, rules=rules, targets=targets, deal=deal, rng=number)
        game = play(start, random.Random(seed), moves, secret=chance)
        if game.size and game not in alike.setdefault(handout := game.handout("Ann"), []):
            alike[handout].append(game)
    facts = [f"{fact}_{name}" for fact in ("wolf", "seer", "dead") for name in names]
    asked = [f"K_Ann {no}{f}" for f in (*facts, "K_Bo wolf_Cy", "K_Bo ~wolf_Ann") for no in ("", "~")]
    pairs = [games[:2] for games in alike.values() if len(games) > 1]
    assume(pairs)
    for first, other in pairs[:2]:
        with suppress(ModelTooLarge):
            assert answers(first, asked) == answers(other, asked)
            assert first.table(viewer="Ann") == other.table(viewer="Ann")


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("rules", ["cisra", "gekka"])
def test_what_is_known_by_facts_is_known_by_tables(rules: str, seed: int) -> None:
    chance = random.Random(seed)
    game = play(kw.QuantumWerewolf(NAMES, wolves=1, rules=rules), chance, chance.randint(3, 8))
    for viewer in ("Ann", "Bo") if game.size else ():
        asked = [
            f"K_{viewer} {no}{fact}_{name}"
            for fact in ("wolf", "seer", "dead")
            for name in NAMES
            for no in ("", "~")
        ]
        known = [f for f, told in zip(asked, answers(game, asked), strict=True) if told == "true"]
        if known:
            assert game.ask(" & ".join(known), reading="table").holds, (known, game.handout(viewer))


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_what_a_table_with_names_says_for_certain_is_known(seed: int) -> None:
    """Once the next night is running others may have moved, so that players may have died since the table."""
    chance = random.Random(seed)
    game = play(kw.QuantumWerewolf([*NAMES, "Ed"], wolves=1, rules="gekka"), chance, chance.randint(5, 25))
    table = game.handout(game.players[0]).tables[-1]
    for name in game.players if game.size else ():
        for column, value in table.row(name).items():
            fact = kw.Atom(f"{FACTS[column]}_{name}")
            if value == 1 or (
                value == 0 and (column != "dead" or (game.table_due and game.phase.kind == "vote"))
            ):
                for viewer in game.alive:
                    assert game.ask(kw.K(viewer, fact if value else ~fact)).holds, (viewer, name, column)


def test_the_winners_are_known() -> None:
    game = kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed"], wolves=2, rules="cisra", rng=5)
    while game.verdict is None:
        voting = game.phase.kind == "vote"
        game = game.vote_off(game.alive[-1]) if voting else game.end_phase(missing="random")
    side = "wolf" if game.verdict == "wolves" else "good"
    assert game.results
    for name, won in game.results.items():
        if won:
            assert game.ask(f"C_{{1,2,3,4,5}} {side}_{name}").holds


def test_a_refused_attack_tells_its_actor_alone() -> None:
    game = kw.QuantumWerewolf(NAMES, rules="cisra", wolves=2)
    for actor, target, shown in (("Ann", "Bo", "good"), ("Bo", "Ann", "good"), ("Cy", "Ann", "good")):
        game = game.vision(actor, target, result=shown)
    game = game.vision("Di", "Bo", result="evil").end_phase()
    told = game.refuse("Ann", "Bo")
    f = "dominant_Ann -> wolf_Bo"
    assert not game.ask(f"K_Ann ({f})").holds
    assert told.ask(f"K_Ann ({f})").holds
    by_tables = told.ask(f"K_Ann ({f})", reading="table")
    assert by_tables.reasons() == ("the refused attack of Ann in night 1, attacks",)
    assert not told.ask(f"K_Bo ({f})").holds
    assert told.audit()[-1].ruled_out.keys() == {"Ann"}
