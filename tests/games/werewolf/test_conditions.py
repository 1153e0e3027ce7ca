"""Questions on a condition, compared with worlds that are listed and filtered here."""

import random
from fractions import Fraction
from itertools import product

import pytest

from kripke_werewolf import GameError, K, KripkeModel, QuantumWerewolf, parse
from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.games.one_night import OneNight
from kripke_werewolf.games.werewolf.inference import infer
from tests.superposed import moved

SIX = ["Ann", "Bo", "Cy", "Di", "Eve", "Flo"]
FOUR = SIX[:4]
GAMES = {"cisra": {"wolves": 1}, "gekka": {"wolves": 1}, "straat": {"wolves": 2, "seers": 1}}
NOTHING = "no world has that"
BOTH = "in 1 of 4 of the worlds where Ann is good and Di is a wolf"


def evening() -> QuantumWerewolf:
    """The game of the finding, with six players."""
    game = QuantumWerewolf(SIX, wolves=1, rules="cisra")
    game = game.vision("Bo", "Di", result="evil").vision("Ann", "Bo", result="good").end_phase()
    return game.vote_off("Flo", role="villager")


def test_conditions_are_no_implications() -> None:
    game = evening()
    assert [str(game.ask(f)) for f in ("wolf_Di", "seer_Bo & wolf_Di")] == [
        "in 4 of 16 worlds",
        "in 1 of 16 worlds",
    ]
    for asked, answer in {
        "Who is the wolf if Bo is the seer?": "Di",
        "Is Flo the wolf if Bo is the seer?": "no",
        "How many wolves are alive if Bo is the seer?": "1",
        "Given that Di is a wolf, is Bo the seer?": "in 1 of 4 of the worlds where Di is a wolf",
        "Given that Di is a wolf, how likely is Bo the seer?": "1/4",
        "If Bo is the seer, then Di is a wolf?": "yes",
        "If Flo is the seer, is Di a wolf?": NOTHING,
        "Who is the wolf if Flo is the seer?": NOTHING,
        "If Flo is the seer, how likely is it that Di is a wolf?": NOTHING,
        "Could Di be a wolf if Flo is the seer?": NOTHING,
        "Suppose Ann is good. If Di is a wolf, is Bo the seer?": BOTH,
        "If Bo is the seer, who is most likely to be a wolf?": "Di (1)",
        "Is it true that if Bo is the seer then Flo is a wolf?": "in 15 of 16 worlds",
        "seer_Bo -> wolf_Flo": "in 15 of 16 worlds",
    }.items():
        assert str(game.ask(asked)) == answer, asked
    with pytest.raises(TypeError, match=NOTHING):
        bool(game.ask("wolf_Di", given="seer_Flo"))
    with pytest.raises(FormulaError, match="condition"):
        game.ask("what happened last night?", given="seer_Bo")


# --- the same, from a list of worlds ---------------------------------------------------------------


def true(world: str, fact: str) -> bool:
    """Whether a fact is true in a world written as a card for each seat, in capitals for the dead."""
    role, _, name = fact.partition("_")
    card = world[FOUR.index(name)]
    if role == "dead":
        return card.isupper()
    wolf = card.lower() not in "vs"
    return {"wolf": wolf, "good": not wolf, "seer": card in "sS", "villager": card in "vV"}[role]


WORDS = {"wolf": "a wolf", "good": "good", "seer": "the seer", "villager": "a villager", "dead": "dead"}
SPELLINGS = ["is {q} if {p}?", "If {p}, is {q}?", "Suppose {p}; is {q}?", "Given that {p}, is {q}?",
             "Is {q}, assuming that {p}?", "Provided {p}, is {q}?"]  # fmt: skip


def fraction(worlds: list[str], fact: str) -> Fraction:
    return Fraction(sum(true(world, fact) for world in worlds), len(worlds))


def said(worlds: list[str], fact: str, where: str) -> str:
    """Return the answer expected to whether a fact is true in the worlds that are left."""
    number = sum(true(world, fact) for world in worlds)
    return {0: "no", len(worlds): "yes"}.get(
        number, f"in {number} of {len(worlds)} of the worlds where {where}"
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", GAMES)
def test_all_spellings_filter_the_worlds(rules: str, seed: int) -> None:
    chance = random.Random(seed)
    game = QuantumWerewolf(FOUR, rules=rules, rng=seed, **GAMES[rules])
    while game.verdict is None and chance.random() < 0.85:
        game = moved(game, chance) if game.may_act else game.end_phase()
    worlds = game.worlds.world_strings()
    facts = ["_".join(pair) for pair in product(WORDS, FOUR)]
    for asked, given in [chance.sample(facts, 2) for _ in range(6)]:
        (q, p), left = (parse(asked), parse(given)), [world for world in worlds if true(world, given)]
        statement, about = (
            f"{name} is {WORDS[kind]}" for kind, name in (f.split("_") for f in (given, asked))
        )
        about = about.replace(" is", "", 1)
        answers = [game.ask(text.format(q=about, p=statement)) for text in SPELLINGS]
        answers += [game.ask(f"is {about}?", given=given), game.ask(q, given=p)]
        where = statement.replace("the seer", "a seer")
        expected = said(left, asked, where) if left else NOTHING
        assert {str(answer) for answer in answers} == {expected}, (asked, given)
        who, able = (game.ask(f"{words} the wolf?", given=p) for words in ("who is", "who could be"))
        likely = game.ask(f"how likely is it that {about.replace(' ', ' is ', 1)} if {statement}?")
        many = game.ask("how many players are dead?", given=given)
        if not left:
            assert {str(who), str(able), str(likely), str(many)} == {NOTHING}
            continue
        shares = {name: fraction(left, f"wolf_{name}") for name in FOUR}
        assert who.names == tuple(name for name in FOUR if shares[name] == 1)
        assert who.possible == tuple(name for name in FOUR if 0 < shares[name] < 1)
        assert able.names == tuple(name for name in FOUR if shares[name])
        assert likely.probability == fraction(left, asked)
        dead = {sum(card.isupper() for card in world) for world in left}
        assert {*map(int, (*many.names, *many.possible))} == dead


@pytest.mark.parametrize("rules", ["cisra", "gekka"])
def test_the_carrier_of_the_worlds_does_not_matter(rules: str) -> None:
    games = [
        QuantumWerewolf(FOUR, rules=rules, wolves=1, engine=e, rng=1) for e in ("enumerated", "counting")
    ]
    for name, target in zip(FOUR, FOUR[1:] + FOUR[:1], strict=True):
        games = [game.vision(name, target) for game in games]
    for q, p in product(
        ["wolf_Di", "seer_Ann | wolf_Bo", "~wolf_Cy"], ["seer_Bo", "~wolf_Di", "wolf_Ann & seer_Ann"]
    ):
        first, second = (game.ask(q, given=p) for game in games)
        assert str(first) == str(second)


# --- what players know and find likely --------------------------------------------------------------


@pytest.mark.parametrize("reading", ["facts", "exact"])
def test_knowledge_and_chances_are_those_of_the_owners_worlds(reading: str) -> None:
    game = evening()
    for name, q, p in product(["Ann", "Bo"], ["wolf_Di", "seer_Eve"], ["seer_Bo", "good_Cy", "seer_Flo"]):
        (both,), (alone,) = (game.probabilities(name, f, reading=reading) for f in (f"{q} & {p}", p))
        asked = f"how likely does {name} think it is that {q}?"
        sheet = game.handout(name)
        if not alone:
            assert game.probabilities(name, q, given=p, reading=reading) == {}
            assert str(game.ask(asked, given=p, reading=reading)) == NOTHING
            assert sheet.ask(q, given=p, reading=reading).verdict == "none"
            continue
        assert [*game.probabilities(name, q, given=p, reading=reading)] == [both / alone]
        assert game.ask(asked, given=p, reading=reading).probability == both / alone
        assert sheet.ask(f"how likely is it that {q}?", given=p, reading=reading).probability == both / alone
        for bound in (both / alone, both / alone + Fraction(1, 99)):
            compared = game.ask(f"P_{name}({q}) >= {bound}", given=p, reading=reading)
            assert compared.holds is (both / alone >= bound)
        assert (sheet.ask(q, given=p, reading=reading).verdict == "true") is (both == alone)
        assert game.ask(K(name, q), given=p, reading=reading).holds is (both == alone)
        itself = game.ask(K(name, p), given=p, reading=reading)
        if itself.verdict != "none":  # there is such a world in the game
            assert itself.holds is game.ask(K(name, p), reading=reading).holds
            assert "nobody learns the condition" in str(itself)


def test_who_could_it_be_for_somebody_is_asked_of_their_worlds() -> None:
    game = evening()
    for text in (
        "In Ann's view, could Di be a wolf if Cy is the seer?",
        "could Di be a wolf if Cy is the seer?",
    ):
        assert game.ask(text, asker="Ann").holds is game.ask("M_Ann (seer_Cy & wolf_Di)").holds
    own = game.ask("if I am a wolf, is Bo the seer?", asker="Ann")
    assert own.holds is game.ask("K_Ann (wolf_Ann -> seer_Bo)").holds


def test_a_condition_about_knowledge() -> None:
    game = QuantumWerewolf(FOUR, wolves=1, rules="cisra").vision("Ann", "Di", result="evil")
    known = "K_Ann (seer_Ann -> wolf_Di)"
    assert game.ask("wolf_Di", given=known).verdict.fraction == game.ask("wolf_Di").verdict.fraction
    assert str(game.ask("wolf_Di", given="K_Bo wolf_Di")) == NOTHING
    assert str(game.ask("if Bo knows that Di is a wolf, is Di a wolf?")) == NOTHING


def test_since_and_timeline_of_a_condition() -> None:
    game = evening()
    held = game.since("Is Di a wolf if Bo is the seer?")
    assert held is not None
    assert held.number == 1
    assert held == game.since("wolf_Di", given="seer_Bo")
    assert game.since("wolf_Di", given="seer_Flo") is None
    for step, (moment,) in zip(
        range(3), [m.verdicts for m in game.timeline("wolf_Di", given="seer_Bo")], strict=False
    ):
        assert moment == game.at(step).ask("wolf_Di", given="seer_Bo").verdict
    assert [m.verdicts for m in game.timeline("is Di a wolf if Bo is the seer?")] == [
        m.verdicts for m in game.timeline("wolf_Di", given="seer_Bo")
    ]
    exact = game.timeline("K_Ann wolf_Di", given="seer_Bo", reading="exact")
    assert exact[-1].verdicts == (game.ask("K_Ann wolf_Di", given="seer_Bo", reading="exact").verdict,)


def test_histories_on_a_condition() -> None:
    found = infer(evening().handout("Ann"))
    both, alone = found.chance("wolf_Di & good_Cy"), found.chance("good_Cy")
    assert found.chance("wolf_Di", given="good_Cy") == both / alone
    assert found.ask("is Di a wolf if Cy is good?") == "mixed"
    assert found.ask("good_Bo", given="seer_Ann") == "true"
    assert found.ask("wolf_Di", given="wolf_Flo") == "none"
    with pytest.raises(GameError, match=NOTHING):
        found.chance("wolf_Di", given="wolf_Flo")


# --- models ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_models_filter_their_worlds(seed: int) -> None:
    chance = random.Random(seed)
    names = [f"w{n}" for n in range(8)]
    facts = {atom: {w for w in names if chance.random() < 0.5} for atom in "pq"}
    cells = [names[:3], names[3:]]
    points = chance.sample(names, 6)
    model = KripkeModel.from_partitions(names, {"a": cells}, facts, points)
    left = [w for w in points if w in facts["q"]]
    verdict = model.verdict("p", given="q")
    assert (verdict.satisfied, verdict.total) == (sum(w in facts["p"] for w in left), len(left))
    for text in ("is p true if q is true?", "given that q is true, is p true?", "If q holds, is p true?"):
        assert model.verdict(text) == verdict
    assert model.verdict("if q is true, then p is true") == model.verdict("q -> p")
    chances: dict[Fraction, int] = {}
    for world in points:
        (cell,) = (cell for cell in cells if world in cell)
        if inside := [w for w in cell if w in facts["q"]]:
            share = Fraction(sum(w in facts["p"] for w in inside), len(inside))
            chances[share] = chances.get(share, 0) + 1
    assert model.probabilities("a", "p", given="q") == chances
    seen = {w: facts["q"].intersection(*(cell for cell in cells if w in cell)) for w in points}
    known = [facts["p"] >= some for some in seen.values() if some]
    verdict_on_a = model.verdict("K_a p", given="q")
    assert (verdict_on_a.satisfied, verdict_on_a.total) == (sum(known), len(known))
    if left:
        assert model.explain("p", given="q").value is (verdict == "true")
    assert model.verdict("p", given="q & ~q") == "none"
    with pytest.raises(FormulaError, match=NOTHING):
        model.explain("p", given="q & ~q")
    with pytest.raises(FormulaError, match="on the condition"):
        model.where("is p true if q is true?")


def test_one_night_on_a_condition() -> None:
    game = OneNight(FOUR[:2], ("wolf", "robber", "villager"), 1)
    night = game.night(["robber", "wolf", "villager"], ["Bo", "middle1"], ["Ann", "Bo"])
    assert night.ask("wolf_Ann", given="dealt_wolf_Bo").holds
    assert night.ask("wolf_Ann", given="wolf_Bo").verdict == "none"
    assert night.ask("P_Bo(wolf_Ann) = 1", given="wolf_Ann").holds
