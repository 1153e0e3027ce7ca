"""Who is told what: declared by cards and events, and read by handouts, models, questions and pages."""

from itertools import permutations
from typing import Any

import pytest

import kripke_werewolf as kw
from kripke_werewolf import Role, SecretAct, Told
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.inference import infer
from kripke_werewolf.games.werewolf.roles import RoleNews
from kripke_werewolf.games.werewolf.rulesheet import rule_sheet

SIX = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
FOUR = SIX[:4]
MADMAN = Role(name="madman", side="evil")


def with_lovers(**settings: Any) -> kw.QuantumWerewolf:
    """Return ordinary Werewolf, after cupid's turn: Bo and Ed are lovers."""
    roles = ["alpha", "villager", "witch", "cupid", "seer", "villager"]
    cards, dealt = {"cupid": 1, "witch": 1}, {"deal": "classical", "roles": roles} | settings
    game = kw.QuantumWerewolf(SIX, wolves=1, rules="cisra", cards=cards, rng=1, **dealt)
    game = game.do("Di", "link", "Bo", "Ed")
    return game if dealt["deal"] == "classical" else game.end_phase()


def test_lovers_are_told_that_they_are_lovers() -> None:
    game = with_lovers()
    assert game.ask("K_Bo linked_Bo")
    assert game.ask("K_Ed linked_Bo")
    assert game.ask("K_Bo K_Ed linked_Bo")
    assert not game.ask("K_Ann linked_Bo")
    assert not game.ask("K_Ann ~linked_Ed")
    assert game.ask("K_Ann (linked_Bo -> K_Bo linked_Bo)")  # everybody knows what a card tells
    assert "Who is in love: Bo and Ed." in str(game.handout("Bo"))
    assert "in love" not in str(game.handout("Di")) + str(game.handout("Ann"))


def test_the_witch_is_shown_who_was_attacked() -> None:
    game = with_lovers()
    while game.phase.kind != "dawn":
        game = game.end_phase()
    assert "Who is attacked: nobody." in game.handout("Cy").told[-1]
    while game.phase.kind != "attacks":
        game = game.end_phase()
    game = game.attack("Ann", "Bo").end_phase()
    assert game.phase.kind == "dawn"
    assert game.handout("Cy").told[-1] == ("Who is attacked: Bo.",)
    assert game.ask("K_Cy struck_Bo")
    assert not game.ask("Kw_Ed struck_Bo")
    again = Told.from_dict(game.handout("Cy").to_dict())
    assert again == game.handout("Cy")
    assert again.ask("K_Cy struck_Bo")


def test_older_handouts_do_not_say_who_is_in_love() -> None:
    data = with_lovers().handout("Bo").to_dict()
    for phase in data["phases"]:
        del phase["shown"]
    assert not Told.from_dict(data).ask("K_Bo linked_Bo").holds
    assert not Told.from_dict(data).ask("K_Bo ~linked_Bo").holds


def test_in_the_quantum_deal_cards_tell_nobody_anything() -> None:
    game = with_lovers(deal="quantum", roles=None)
    assert game.state.shown == frozenset()
    assert "love" not in str(game.handout("Bo"))


def crier(where: str) -> Role:
    """Return a card that marks somebody every evening, which is news of this kind."""
    act = SecretAct(name="mark", by="crier_{i}", when="evening", change=(("marked_{t}", "true"),))
    return Role(name="crier", acts=(act,), facts=("marked",), news=(RoleNews("marked", where),))


@pytest.mark.parametrize("deal", ["classical", "quantum"])
def test_news_to_everybody(deal: Any) -> None:
    """It is told where it is true in all worlds; in a classical deal its absence is news, too."""
    roles = ["crier", "alpha", "seer", "villager"] if deal == "classical" else None
    cards = {crier("marked_{t}"): 1}
    game = kw.QuantumWerewolf(FOUR, wolves=1, rules="gekka", cards=cards, deal=deal, roles=roles)
    game = game.do("Ann", "mark", "Bo")
    told = deal == "classical"
    if not told:
        game = game.do("Bo", "mark", "Ann").end_phase()
    for name in FOUR:
        assert ("Who is marked: Bo." in game.handout(name).told[-1]) is told
        assert game.ask(f"K_{name} marked_Bo").holds is told


def test_targets_and_holders_are_told() -> None:
    cards = {crier("marked_{i} & crier_{t}"): 1}
    roles = ["crier", "alpha", "seer", "villager"]
    game = kw.QuantumWerewolf(FOUR, wolves=1, rules="gekka", cards=cards, deal="classical", roles=roles)
    game = game.do("Ann", "mark", "Bo")
    assert game.ask("K_Bo crier_Ann")
    assert game.ask("K_Ann K_Bo crier_Ann")
    assert not game.ask("K_Cy crier_Ann")


def test_news_to_everybody_says_something_about_histories() -> None:
    """Nobody is certainly unmarked: then everybody was marked by somebody, in one history only."""
    for where, number in ("~marked_{t}", 1), ("crier_{t}", 4):
        game = kw.QuantumWerewolf(FOUR[:3], wolves=1, rules="gekka", cards={crier(where): 1})
        game = game.do("Ann", "mark", "Bo").do("Bo", "mark", "Cy").do("Cy", "mark", "Ann").end_phase()
        assert infer(game.handout("Ann")).number == number


def test_equal_pages_give_equal_answers_in_classical_deals() -> None:
    """What lovers and the witch know is a function of what they were told."""
    found: dict[str, set[str]] = {}
    for roles in list(permutations(["alpha", "cupid", "witch", "seer"]))[::5]:
        cards = {"cupid": 1, "witch": 1}
        game = kw.QuantumWerewolf(FOUR, wolves=1, rules="cisra", cards=cards, deal="classical", roles=roles)
        game = game.do(FOUR[roles.index("cupid")], "link", "Ann", "Bo")
        for name in FOUR:
            answers = [str(game.ask(f"Kw_{name} {fact}")) for fact in ("linked_Bo", "cupid_Cy", "alpha_Ann")]
            found.setdefault(str(game.handout(name)), set()).add(str(answers))
    assert {len(answers) for answers in found.values()} == {1}


# --- one word, one meaning ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["cisra", "gekka"])
def test_a_side_has_one_word(rules: str) -> None:
    """In a look, in an announcement, and in the table."""
    game = kw.QuantumWerewolf(SIX, wolves=1, rules=kw.preset(rules, announce_vote="side"), cards={MADMAN: 1})
    game = game.vision("Ann", "Bo", result="evil").end_phase().vote_off("Di", role="madman")
    assert game.ask("K_Ann (seer_Ann -> evil_Bo)")
    assert not game.ask("K_Ann (seer_Ann -> wolf_Bo)")
    assert game.table()["Di", "evil"] == 1
    assert "madman" not in game.table().columns
    assert "Di is voted off and was evil." in str(game.handout("Ann"))
    words = {word for word, _ in declared(game.setup).vote.says}
    assert words <= {*declared(game.setup).headings}


@pytest.mark.parametrize(("rules", "seen"), [("cisra", "good"), ("gekka", "human"), ("straat", "villager")])
def test_a_madman_is_seen_as_human(rules: str, seen: str) -> None:
    madman = Role(name="madman", side="evil", seen_as="villager")
    sheet = rule_sheet(kw.preset(rules), cards={madman: 1}).to_text()
    assert "Whoever looks at this card sees: villager." in sheet
    game = kw.QuantumWerewolf(SIX, wolves=1, rules=rules, cards={madman: 1})
    with pytest.raises(kw.GameError):
        game.vision("Ann", "Bo", result="madman")
    looked = game.vision("Ann", "Bo", result=seen)
    assert looked.ask("M_Ann (seer_Ann & madman_Bo)")
    assert not looked.ask("M_Ann (seer_Ann & wolf_Bo)")
    assert game.vision("Ann", "Bo", result="wolf").ask("K_Ann (seer_Ann -> wolf_Bo)")
