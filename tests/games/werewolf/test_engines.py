"""One value that says what was told, and engines that say what they cover."""

import sys
from pathlib import Path
from typing import Any

import pytest

import kripke_werewolf as kw
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf.budget import Budget
from kripke_werewolf.games.werewolf.engines import Counting, ListedWorlds, cheapest
from kripke_werewolf.games.werewolf.questions import AllHistories
from kripke_werewolf.games.werewolf.told import told


def test_a_question_passes_few_modules() -> None:
    """Those that all who are asked share, and at first rules, tables and worlds; no model is made.

    A call may pass `base.usage`.
    """
    names = ["1", "2", "3", "4"]
    kw.QuantumWerewolf(names, wolves=1).vision("3", "4").ask("K_2 wolf_4")  # the question is read here
    game = kw.QuantumWerewolf(names, wolves=1).vision("2", "4")
    passed = set()

    def entered(frame: Any, event: str, arg: object) -> None:
        if event == "call" and "kripke_werewolf" in Path(frame.f_code.co_filename).parts:
            passed.add(frame.f_code.co_filename)

    for most in (19, 15):
        passed.clear()
        sys.setprofile(entered)
        try:
            game.ask("K_2 wolf_4")
        finally:
            sys.setprofile(None)
        assert len(passed) <= most, sorted(passed)


def test_all_reasons_are_given_if_no_engine_covers_a_question() -> None:
    game = kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1).private(
        "Ann", "Bo", "~wolf_Cy", noticed=False
    )
    known = game.handout("Ann")
    with pytest.raises(
        GameError, match=r"no engine covers .*counting: somebody did not notice.*explicit: somebody"
    ):
        cheapest([Counting(), ListedWorlds(1000)], known, kw.parse("K_Ann wolf_Bo"))


def test_what_was_told_is_equal_for_games_a_group_cannot_tell_apart() -> None:
    start = kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka")
    looks = [start.vision("Ann", "Bo", result="human").vision("Cy", name) for name in ("Ann", "Di")]
    first, second = (told(game, "Bo", "Ann") for game in looks)
    assert first == second
    assert first.owners == ("Ann", "Bo")
    assert first.of("Ann") == looks[0].handout("Ann")
    assert first.of() == told(looks[1])
    assert told(looks[0], full=True) != told(looks[1], full=True)
    assert told(looks[0], full=True).of("Cy") != told(looks[1], full=True).of("Cy")


@pytest.mark.parametrize(
    ("question", "more", "why"),
    [
        ("K_Ann wolf_Bo", {"deal": "classical"}, "no table is published"),
        ("K_Ann K_Bo wolf_Cy", {"sample": 3}, "shows no exact tables"),
    ],
)
def test_histories_say_before_a_search_what_they_do_not_cover(
    question: str, more: dict[str, Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="straat", rng=1, **more)
    engine, f = AllHistories(Budget()), kw.parse(question)
    known = told(game, *sorted(f.agents))
    monkeypatch.setattr(AllHistories, "listed", None)
    monkeypatch.setattr(AllHistories, "of", None)
    cover = engine.covers(known, f)
    assert cover.cost is None
    assert why in cover.why
    assert any("reading='facts'" in help_ for help_ in cover.helps)
    with pytest.raises(GameError, match=f"histories: .*{why}.*what would help: reading='facts'"):
        game.ask(question, reading="exact")


def test_who_knows_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = kw.QuantumWerewolf([f"P{i}" for i in range(12)], wolves=3, rules="cisra", rng=1)
    for name in game.players:
        game = game.vision(name, game.legal_targets(name, "vision")[0])
    listed = kw.P("P1", "wolf_P2") >= game.knowledge().shares["P1", "P2"]["wolf"]
    assert game.ask(listed).holds
    monkeypatch.setattr(ListedWorlds, "shown", None)
    game.knowledge()


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("names", [["Ann", "Bo", "Cy", "Di"], ["名前", "Mr. X", "é", "q", "z"]])
def test_a_classical_deal_looks_the_same_on_arrays(
    rules: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = [(player, f"{fact}_{other}") for player in names for other in names for fact in ("wolf", "seer")]
    found = []
    for small in (0, 10**6):  # the largest model that is kept as bits
        monkeypatch.setattr("kripke_werewolf.logic.models.model.SMALL", small)
        game = kw.QuantumWerewolf(names, wolves=2, rules=rules, deal="classical", rng=3)
        found.append([str(game.ask(kw.K(player, kw.Atom(fact)))) for player, fact in facts])
        model = game.model(agents=names)
        found[-1] += [str(model.where(kw.K(player, kw.Atom(fact)))) for player, fact in facts]
    assert found[0] == found[1]
    assert "yes" in found[0]
