from fractions import Fraction

import pytest

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.avalon import (
    Avalon,
    Good,
    SimulationStopped,
    configurations,
    intended,
    published,
    study,
)
from kripke_werewolf.games.avalon.rules import option_values
from kripke_werewolf.games.avalon.study import Replication, replicate
from kripke_werewolf.games.programs.chain import CHUNK
from tests.games.programs.strategies import Patient


def test_the_table_beside_ours(solved, monkeypatch) -> None:
    few = dict(list(configurations("published").items())[:1])
    monkeypatch.setattr(study, "configurations", lambda _: few)
    monkeypatch.setattr(study, "PRINTED", {name: study.PRINTED[name] for name in few})
    rows = list(study.replicate(2000, rng=1))
    assert [row.configuration for row in rows] == ["F/F/F"]
    for row in rows:
        assert row.exact.good == solved(few[row.configuration]).good
        low, high = row.simulated.interval(confidence=0.9999)
        assert low < float(row.exact.good) < high
        assert abs(row.deviation()) < 1.5


def test_ablation_changes_every_option_alone(monkeypatch) -> None:
    def counted(game: Avalon) -> object:
        return type("", (), {"good": Fraction(len(changed(game.rules)))})

    def changed(rules) -> list[str]:
        return [o for o, value in rules.options().items() if value != base.options()[o]]

    base = intended(merlin="naive", assassinate=True)
    monkeypatch.setattr(study, "solve", counted)
    variations = list(study.ablation(base))
    varied = [
        values for option, values in option_values().items() if option not in (*study.TABLE, "lookahead")
    ]
    assert len(variations) == sum(len(values) - 1 for values in varied)
    assert {v.option: v.problem for v in variations if v.good is None}.keys() == {
        "merlin", "worlds", "knowledge"
    }  # fmt: skip
    assert all(v.good == 1 for v in variations if v.good is not None)


def test_ablation_by_strategies_of_ones_own(monkeypatch) -> None:
    few = {"leader": ("seat", "random"), "cards": ("fail", "hide"), "announcements": ("policy", "success")}
    monkeypatch.setattr(study, "option_values", lambda: few)
    asked = []

    def counted(game: Avalon) -> object:
        asked.append(game.strategy("evil", 1))
        if game.rules.announcements == "success":
            raise GameError("announcements='success' does not fit the strategy")
        return type("", (), {"good": Fraction(1, 2)})

    monkeypatch.setattr(study, "solve", counted)
    base = published(announcements="policy")
    own = {"evil": Patient(1), "merlin": Good()}  # without a Merlin the strategy is left out
    found = {v.option: v for v in study.ablation(base, strategies=own)}
    assert {type(evil) for evil in asked} == {Patient}
    assert found["leader"] == study.Variation("leader", "random", Fraction(1, 2))
    assert found["announcements"].good is None
    assert "does not fit" in found["announcements"].problem


def test_games_of_a_configuration_that_was_stopped_are_kept() -> None:
    done: list[int] = []

    def interrupt(games: int) -> None:
        done.append(games)
        if sum(done) > 2 * CHUNK:  # after the first chunk of the second configuration
            raise KeyboardInterrupt

    rows: list[Replication] = []
    with pytest.raises(SimulationStopped, match="20,000 of 40,000 games: interrupted"):
        rows.extend(replicate(2 * CHUNK, rng=1, progress=interrupt))
    assert [(row.configuration, row.simulated.games) for row in rows] == [
        ("F/F/F", 2 * CHUNK), ("T/F/F", CHUNK)
    ]  # fmt: skip
