"""Knowledge is a function of a player's information, and uses all of it."""

import json
import random
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import FormulaError, GameError
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.questions import AskedOfGame
from kripke_werewolf.games.werewolf.rules import FACTS
from kripke_werewolf.games.werewolf.setup import LIMIT
from kripke_werewolf.games.werewolf.told import told

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


def is_unweighed(told: kw.Told, question: str) -> bool:
    """Whether moves that others may have made in secret can change what a question about P is about."""
    acting = told.setup.actions(told.entries[-1].phase) if told.running else ()
    if not question.startswith("P_") or told.setup.targets == "public" or len(told.alive) < 2 or not acting:
        return False
    kills = "attack" in acting and told.setup.rules.attack == "dominant"
    mortal = any(f"dead_{name}" in question for name in told.alive)
    return (kills and mortal) or ("K_" in question.replace(f"K_{told.player} ", ""))


def night_with_a_known_wolf() -> kw.QuantumWerewolf:
    """Return a game in which Ann cannot attack Bo: Bo is a wolf in every world where Ann leads."""
    game = kw.QuantumWerewolf(NAMES, rules="cisra", wolves=2)
    for actor, target, shown in (("Ann", "Bo", "good"), ("Bo", "Ann", "good"), ("Cy", "Ann", "good")):
        game = game.vision(actor, target, result=shown)
    return game.vision("Di", "Bo", result="evil").end_phase()


def answers(game: kw.QuantumWerewolf, questions: list[str]) -> list[str]:
    """The verdicts of questions about knowledge, on the model of all who occur in them."""
    return [str(game.ask(f, limit=LIMIT).verdict) for f in questions]


VARIANTS = {
    "cisra": [
        kw.preset("cisra"),
        kw.preset("cisra", table="open", told="probabilities"),
        kw.preset("cisra", opening=("night",), cycle=("vote", "night"), attack_must_be_possible=False),
    ],
    "gekka": [
        kw.preset("gekka"),
        kw.preset("gekka", table="anonymous", show_dead=False),
        kw.preset("gekka", first_attack=True, split_seer=True),
    ],
    "straat": [
        kw.preset("straat"),
        kw.preset("straat", burnings=2, vision_compulsory=False),
        kw.preset("straat", table="open", told="role", vision_shows="side"),
    ],
}


OPEN = {
    "cisra": kw.preset("cisra"),
    "cisra, open tables": kw.preset("cisra", table="open", announce_found="role"),
    "gekka": kw.preset("gekka"),
    "gekka, attacks at once": kw.preset("gekka", first_attack=True, split_seer=True),
}


@settings(max_examples=1)
@given(seed=st.integers(0, 2**32))
@example(seed=2)  # attacks may be under way
@example(seed=3)  # whose targets are secret
@example(seed=8)
@pytest.mark.parametrize("rules", OPEN)
def test_what_is_known_by_facts_is_known_by_tables(rules: str, seed: int) -> None:
    chance = random.Random(seed)
    game = play(kw.QuantumWerewolf(NAMES, wolves=1, rules=OPEN[rules]), chance, chance.randint(7, 12))
    for viewer in ("Ann", "Bo") if game.size else ():
        facts = [
            f"{no}{fact}_{name}" for fact in ("wolf", "seer", "dead") for name in NAMES for no in ("", "~")
        ]
        facts += [" | ".join(chance.sample(facts, chance.randint(2, 5))) for _ in range(12)]
        facts += [" | ".join([f"wolf_{viewer}", *(f"dead_{name}" for name in game.alive)])]
        asked = [f"K_{viewer} ({f})" for f in facts]
        known = [f for f, told in zip(asked, answers(game, asked), strict=True) if told == "true"]
        if known:
            assert game.ask(" & ".join(known), reading="exact").holds, (known, game.handout(viewer))


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_what_a_table_with_names_says_for_certain_is_known(seed: int) -> None:
    """Once the next night is running others may have moved, so that players may have died since the table."""
    chance = random.Random(seed)
    game = play(kw.QuantumWerewolf([*NAMES, "Ed"], wolves=1, rules="gekka"), chance, chance.randint(5, 25))
    table = game.handout(game.players[0]).tables[-1]
    for name in game.players if game.size else ():
        for column, value in table[name].items():
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


@settings(max_examples=2)
@given(seed=st.integers(0, 2**32), wolves=st.integers(1, 2), variant=st.integers(0, 2))
@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("targets", ["secret", "public"])
@pytest.mark.parametrize("deal", ["quantum", "classical"])
def test_a_handout_answers_as_the_game_does(
    rules: str, targets: Any, deal: Any, seed: int, wolves: int, variant: int
) -> None:
    chance, chosen = random.Random(seed), VARIANTS[rules][variant]
    numbered = {"numbers": "shuffled"} if chosen.table == "anonymous" else {}
    start = kw.QuantumWerewolf(
        NAMES[: 2 + wolves], wolves=wolves, rules=chosen, targets=targets, deal=deal, rng=seed, **numbered
    )
    game = play(start, chance, chance.randint(2, 12))
    assume(game.size)
    me, other = chance.sample(game.players, 2)
    told = kw.Told.from_dict(json.loads(game.handout(me).to_json()))
    one, two = chance.sample([f"{f}_{n}" for f in ("wolf", "seer", "good", "dead") for n in game.players], 2)
    for question in (
        f"K_{me} ({one} | ~{two})",
        f"~K_{me} {one} & M_{me} {two}",
        f"P_{me}({one}) + P_{me}({two}) >= 1/2",
        f"K_{me} K_{other} {one}",
        f"K_{me} ~K_{other} {one}",
        f"P_{me}(K_{other} {one}) > 1/3",
    ):
        if is_unweighed(told, question):
            for asked in (told, game):
                with pytest.raises(GameError, match="has no probability"):
                    asked.ask(question)
            continue
        found, expected = told.ask(question), game.ask(question)
        assert (found.verdict, found.note) == (expected.verdict, expected.note), question
        assert found.reasons() == expected.reasons(), question
    for fact in (one, f"{one} | ~{two}", f"K_{other} {two}", f"K_{me} {one} & {two}"):
        known = game.ask(kw.K(me, fact)).holds
        denied = game.ask(kw.K(me, ~kw.parse(fact))).holds
        answer = told.ask(fact)
        assert answer.verdict == ("true" if known else "false" if denied else "mixed"), fact
        assert not answer.more or told.announced
        if kw.parse(fact).is_boolean and not is_unweighed(told, f"P_{me}({fact}) > 0"):
            assert list(AskedOfGame.of(told, fact).probabilities(me)) == list(game.probabilities(me, fact))


def test_the_handout_of_a_large_game_answers() -> None:
    names = [f"P{i}" for i in range(1, 21)]
    game = kw.QuantumWerewolf(names, wolves=4, rules="cisra", rng=1).vision("P1", "P2", result="good")
    told = game.end_phase(missing="random").handout("P1")
    assert told.ask("K_P1 (seer_P1 -> good_P2)").holds
    assert told.ask("seer_P1 -> good_P2").holds
    answer = told.ask("wolf_P3")
    assert answer.verdict == "mixed"
    assert [answer.verdict.fraction] == list(AskedOfGame.of(told, "wolf_P3").probabilities(told.player))
    assert answer.note == "reading: facts; what was announced may say more (reading: exact)"
    with pytest.raises(GameError, match="would need a model of more than"):
        told.ask("~K_P2 wolf_P3").explain()


def test_a_handout_is_asked_by_tables_and_public_information_as_nobody() -> None:
    game = kw.QuantumWerewolf(NAMES, wolves=1, rules="gekka", rng=1).vision("Bo", "Ann").end_phase()
    question = f"P_Bo(wolf_Cy) = {game.table(public=True)['Cy', 'wolf']}"
    answer = game.handout("Bo").ask(question, reading="exact")
    assert (answer.holds, answer.note) == (True, "reading: exact")
    assert told(game).ask("wolf_Cy").verdict == "mixed"
    with pytest.raises(FormulaError, match=r"write a player.s name instead"):
        told(game).ask("Am I a wolf?")


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
def test_news_without_which_later_news_is_impossible_is_kept(engine: Any) -> None:
    rules = kw.preset("gekka", table_at=("nightfall", "morning"))  # a table says that Bo is dead
    game = kw.QuantumWerewolf(NAMES, wolves=1, rules=rules, rng=1).vision("Ann", "Bo", result="human")
    game = game.end_phase().vote_off("Bo", role="villager").end_phase()
    assert game.ask("K_Ann dead_Bo", engine=engine).reasons() == ("the death of Bo",)


def test_reasons_are_those_of_what_was_asked() -> None:
    """What a question was settled by on the way, such as K_Ann wolf_Ann, has reasons of its own."""
    game = kw.QuantumWerewolf(NAMES[:3], rules="cisra", rng=226).vision("Bo", "Cy", result="good")
    game = game.vision("Cy", "Bo", result="evil").vision("Ann", "Bo", result="evil")
    game = game.vote_off("Cy", role="villager").attack("Bo", "Ann").attack("Ann", "Bo")
    question = "K_Bo K_Ann wolf_Ann"
    assert game.handout("Bo").ask(question).reasons() == game.ask(question).reasons()
    assert len(game.ask("E_{Ann,Bo} wolf_Ann").reasons()) == 3
