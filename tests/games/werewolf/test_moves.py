"""Moves as facts of the game: how they are named, and who knows of them, against lists of all that may be."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import GameError, UnknownAtomError
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.inference import infer
from kripke_werewolf.games.werewolf.move_atoms import NOTHING, move_verbs, read_move
from kripke_werewolf.games.werewolf.roles import BODYGUARD, Role, SecretAct
from kripke_werewolf.games.werewolf.setup import Setup
from tests.cases import cases, each
from tests.games.werewolf.test_facts import GAMES, about
from tests.games.werewolf.test_own_information import play
from tests.games.werewolf.test_replay import OPEN, SEERS, after_visions
from tests.reference.facts import TooLarge, facts_model
from tests.reference.histories import Everybody

NAMES = ["Ann", "Bo", "Cy", "Di"]


# --- names ---------------------------------------------------------------------------------------


def setup_of(*players: str, **how: Any) -> Setup:
    return kw.QuantumWerewolf(players, wolves=1, **how).setup


PARTS = ["A", "B", "A_B", "B_A", "1", "2", "Bo_1", "Bo", "李", "O'Neil", "Mary Ann", "{A}", "A}_{B", "_"]


@settings(max_examples=75)
@given(data=st.data(), players=st.lists(st.sampled_from(PARTS), min_size=3, max_size=6, unique=True))
def test_a_name_is_read_as_the_move_that_it_was_written_for(data: st.DataObject, players: list[str]) -> None:
    setup = setup_of(*players, rules=data.draw(st.sampled_from(["cisra", "gekka", "straat"])))
    actor, target = data.draw(st.permutations(players))[:2]
    verb = data.draw(st.sampled_from(["attacked", "looked", "saw"]))
    words = {"cisra": "evil", "gekka": "human", "straat": "seer"}
    word = f"_{data.draw(st.sampled_from([words[setup.rules.name], NOTHING]))}" if verb == "saw" else ""
    night = data.draw(st.sampled_from(["", "_0", "_12"]))
    braced = (name.replace("{", "{{").replace("}", "}}") for name in (actor, target))
    move = read_move(setup, f"{verb}_{'_'.join(f'{{{name}}}' for name in braced)}{word}{night}")
    assert move is not None
    assert (move.actor, move.targets, move.result) == (actor, (target,), word[1:] or None)
    assert move.night == (int(night[1:]) if night else None)
    assert read_move(setup, move.name) == move
    assert read_move(setup, next(iter(kw.parse(str(kw.Atom(move.name))).atoms))) == move
    plain = f"{verb}_{actor}_{target}{word}{night}"
    assert {*"{}"} & {*plain} or f'"{move.name}"' in read_as(setup, plain)


def read_as(setup: Setup, text: str) -> str:
    """The move as which a text is read, or the message with all such moves."""
    try:
        return f'"{read_move(setup, text)}"'
    except GameError as error:
        return str(error)


def test_names_that_can_be_read_in_two_ways_are_refused_with_both() -> None:
    game = kw.QuantumWerewolf(["A", "Bo", "Bo_1"], wolves=1)
    with pytest.raises(GameError, match=r'write "attacked_\{A\}_\{Bo\}_1" or "attacked_\{A\}_\{Bo_1\}"'):
        game.ask("attacked_A_Bo_1")
    assert str(game.ask('"attacked_{A}_{Bo_1}"').formula) == '"attacked_{A}_{Bo_1}"'
    assert game.ask("attacked_A_Bo").formula.atoms == {"attacked_A_Bo"}


@cases(
    ("attacked_Ann_Boo", "attacked_Ann_Bo"),
    ("attacked_ann_Bo_1", "attacked_Ann_Bo_1"),
    ("attack_Ann_Bo", "attacked_Ann_Bo"),
    ("looks_Ann_Bo_0", "looked_Ann_Bo_0"),
    ("saw_Ann_Bo_god", "saw_Ann_Bo_good"),
    ("saw_Ann_Bo", "saw_Ann_Bo_good"),
    ("looked_Ann_Bo_good", "looked_Ann_Bo"),
)
def test_an_unknown_move_is_refused_with_one_like_it(asked: str, meant: str) -> None:
    game = kw.QuantumWerewolf(NAMES[:3], wolves=1, rules="cisra")
    with pytest.raises(UnknownAtomError) as refused:
        game.ask(f"K_Cy {asked}")
    assert meant in refused.value.near


def test_verbs_are_those_of_the_actions_of_the_deck() -> None:
    shows = ("wolf", "wolf_{t}"), ("no", "good_{t}")
    spy = Role(name="spy", acts=(SecretAct(name="spy", by="spy_{i}", shows=shows),))
    game = kw.QuantumWerewolf(NAMES, wolves=1, rules="gekka", cards={spy: 1, BODYGUARD: 1})
    assert list(move_verbs(game.setup)) == ["looked", "attacked", "protected", "spied", "saw"]
    assert str(read_move(game.setup, "saw_1_2_no", {"1": "Ann", "2": "Bo"})) == "saw_Ann_Bo_no"
    assert str(read_move(game.setup, "saw_Ann_Bo_human")) == "saw_Ann_Bo_human"
    with pytest.raises(GameError, match='write "saw_Ann_Bo_human" or "saw_Ann_Bo_no"'):
        read_move(game.setup, "saw_Ann_Bo_good")


def test_words_for_the_same_cards_are_the_word_that_is_shown() -> None:
    setup = setup_of(*NAMES, rules="cisra")
    assert str(read_move(setup, "saw_Ann_Bo_wolf_1")) == "saw_Ann_Bo_evil_1"
    assert str(read_move(setup, "saw_Ann_Bo_human")) == "saw_Ann_Bo_good"


# --- what is known of them, by the facts ---------------------------------------------------------


def some_moves(game: kw.QuantumWerewolf, mover: str, chance: random.Random) -> list[kw.Formula]:
    """Moves of a player, made or not, in some night or in any."""
    nights = ["", *(f"_{entry.phase.number}" for entry in game.handout(mover).entries)]
    words = {"straat": "wolf", "gekka": "human"}.get(game.rules.name, "good")
    shown = "" if game.rules.vision_shows == "role" and game.rules.name != "straat" else f"_{words}"
    found = []
    for target in game.players:
        for verb, word in ("attacked", ""), ("looked", ""), ("saw", shown):
            if word or verb != "saw":
                found.append(kw.Atom(f"{verb}_{mover}_{target}{word}{chance.choice(nights)}"))
    return chance.sample(found, 4)


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(
    ("rules", "targets"),
    [*((rules, "secret") for rules in GAMES), *((rules, "public") for rules in ("cisra", "gekka", "straat"))],
)
def test_who_knows_of_moves_is_as_in_the_listed_worlds(rules: str, targets: Any, seed: int) -> None:
    chance = random.Random(seed)
    names = NAMES[: 3 if rules == "straat" else 4]
    start = kw.QuantumWerewolf(names, wolves=1, rules=GAMES[rules], targets=targets)
    game = play(start.with_draw(Chance(seed)), chance, chance.randint(2, 12))
    if not game.size or game.verdict is not None:
        return
    mover = chance.choice(names)
    try:
        model = facts_model(game, ["Ann", "Bo"], movers=[mover], limit=20_000)
    except TooLarge:
        return
    for move in some_moves(game, mover, chance):
        fact = kw.Atom(f"{chance.choice(['wolf', 'seer', 'dead'])}_{chance.choice(names)}")
        if not move.atoms <= {*model.atoms}:  # never made in any world
            assert game.ask(kw.K("Ann", ~move)).holds
            continue
        asked = [f for one in (move, ~move, fact, ~fact) for f in about(one)]
        for question in (*asked, kw.K("Ann", move >> fact), kw.K("Bo", fact >> ~move)):
            found = game.ask(question)
            if found.verdict != model.verdict(question):  # the reference does not say who was asked
                assert found.holds, (question, game.handout("Ann"))
                assert game.ask(question, reading="exact").holds, question


# --- by all histories ----------------------------------------------------------------------------


@each([("gekka", 2, 1), ("gekka", 5, 1), (OPEN, 6, 1), (OPEN, 1, 1), (SEERS, 4, 2)])
def test_who_knows_of_moves_is_as_in_all_histories(rules: Any, seed: int, seers: int) -> None:
    game, chance = after_visions(rules, seed, seers), random.Random(seed)
    literal = Everybody(game).model(game, NAMES[:2])
    for mover in NAMES[:3]:
        for move in some_moves(game, mover, chance):
            if not move.atoms <= {*literal.atoms}:
                assert game.ask(kw.K("Ann", ~move), reading="exact").holds
                continue
            for question in (*about(move), kw.K("Bo", move >> kw.Atom("wolf_Cy"))):
                assert game.ask(question, reading="exact").verdict == literal.verdict(question), question


# --- what does not change the answer -------------------------------------------------------------


def a_night(rules: str) -> kw.QuantumWerewolf:
    """A game of four players after visions and two attacks; under the rules `gekka` without attacks."""
    game = kw.QuantumWerewolf(NAMES, wolves=1, rules=rules, rng=1, numbers=[1, 2, 3, 4])
    word = {"cisra": "good", "straat": "villager", "gekka": "human"}[rules]
    for actor, target in zip(NAMES, ("Bo", "Cy", "Ann", "Ann"), strict=True):
        game = game.vision(actor, target, result=word)
    game = game if rules == "straat" else game.end_phase()
    return game if rules == "gekka" else game.attack("Ann", "Bo").attack("Bo", "Di")


QUESTIONS = [
    "K_Ann looked_Ann_Bo",
    "K_Cy looked_Ann_Bo",
    "M_Cy (looked_Ann_Bo & wolf_Ann)",
    "M_Cy attacked_Ann_Bo",
    "K_Di (attacked_Ann_Bo -> ~attacked_Ann_Cy)",
    "C_{Ann,Bo} ~attacked_Di_Ann_0",
    "K_Bo K_Ann attacked_Ann_Bo",
    "P_Cy(looked_Ann_Bo) >= 1/4",
    "P_Cy(attacked_Ann_Bo & wolf_Ann) > 1/20",
]


@pytest.mark.parametrize("rules", ["cisra", "straat"])
def test_both_engines_agree_and_facts_do_not_change_with_moves_asked(rules: str) -> None:
    game = a_night(rules)
    over = game
    while over.phase.kind != "vote":  # before, others' moves have no chances
        over = over.end_phase(missing="pass")
    for question in QUESTIONS:
        asked = over if question.startswith("P") else game
        assert (
            asked.ask(question, engine="symbolic").verdict == asked.ask(question, engine="explicit").verdict
        )
    for fact in ("wolf_Bo", "seer_Ann", "dead_Bo"):
        for viewer in game.players:
            both = f"(attacked_Ann_Bo & {fact}) | (~attacked_Ann_Bo & {fact})"
            shares = [over.probabilities(viewer, kw.parse(text)) for text in (fact, both)]
            assert [*shares[0]] == [*shares[1]], (viewer, fact)


def test_declined_and_refused_moves_were_not_made() -> None:
    game = kw.QuantumWerewolf(NAMES[:3], wolves=1, rules="cisra").decline("Ann").end_phase().end_phase()
    game = game.refuse("Ann", "Bo") if game.refusal("Ann", "attack", target="Bo") else game
    for question in ("K_Ann ~looked_Ann_Bo", "K_Ann ~attacked_Ann_Bo", "~looked_Ann_Bo_0"):
        assert game.ask(question).holds


def test_actions_of_other_cards_are_known_like_the_usual_ones() -> None:
    game = kw.QuantumWerewolf(NAMES, wolves=1, rules="gekka", cards={BODYGUARD: 1}, rng=1)
    while game.phase.kind != "evening":
        game = game.end_phase()
    number = game.phase.number
    game = game.do("Ann", "protect", "Bo")
    assert game.ask(f"K_Ann protected_Ann_Bo_{number}").holds
    assert game.ask("K_Ann ~protected_Ann_Cy").holds
    assert not game.ask("K_Cy protected_Ann_Bo").holds
    assert game.ask("M_Cy protected_Ann_Bo").holds
    assert "protected Bo" in str(game.ask("K_Cy ~protected_Ann_Bo").explain())


def test_words_about_moves_are_announced_and_refused_like_others() -> None:
    game = a_night("cisra")
    said = game.claim("Ann", "looked_Ann_Bo & (seer_Ann -> good_Bo)")
    assert said.ask("C_{Bo,Cy} looked_Ann_Bo_1").holds
    assert said.ask("K_Cy (seer_Ann -> saw_Ann_Bo_good)").holds
    assert not said.ask("K_Cy saw_Ann_Bo_good").holds
    with pytest.raises(GameError, match="false in every surviving world"):
        game.claim("Ann", "looked_Ann_Cy")


def test_the_handout_says_of_moves_what_infer_says() -> None:
    game = a_night("gekka")
    found = infer(game.handout("Ann"))
    by_bo = [made for made in found.moves if made.player == "Bo"]
    assert found.chance("looked_Bo_Cy_1") == sum(
        m.chance or 0 for m in by_bo if m.move.startswith("looks at Cy")
    )
    assert found.exclude("looked_Bo_Ann_1") is not any(m.move.startswith("looks at Ann") for m in by_bo)
    reason = found.because("~saw_Bo_Cy_wolf_1", seconds=None)
    assert reason is None or {cell.row for cell in reason.cells} <= {*NAMES}


# --- models --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_models_with_moves_answer_like_questions(seed: int) -> None:
    chosen, names = random.Random(seed), NAMES[:3]
    game = kw.QuantumWerewolf(names, wolves=1, rules=["gekka", "cisra", "straat"][seed % 3], rng=seed)
    while game.may_act and len(game.steps) < 5:
        player = chosen.choice([name for name, actions in game.may_act.items() if actions])
        action = chosen.choice(game.may_act[player])
        game = getattr(game, action)(player, chosen.choice(game.legal_targets(player, action)))
    for verb in ("looked", "attacked"):
        atom = "_".join((verb, *chosen.sample(names, 2)))
        model = game.model(moves=[atom])
        for f in (atom, f"K_Ann {atom}", f"Kw_Bo {atom}", f"K_Bo K_Cy {atom}", f"M_Ann ({atom} & wolf_Bo)"):
            assert model.verdict(f) == game.ask(f).verdict
    with pytest.raises(UnknownAtomError, match="known: looked_…"):
        game.model(moves=["wolf_Ann"])
