"""The audit of house rules counts what the console shows, and sees a secret that it gives away."""

from dataclasses import replace

import pytest

from kripke_werewolf import QuantumWerewolf, preset
from kripke_werewolf.console import audit
from kripke_werewolf.console.screens import Rounds
from kripke_werewolf.werewolf import handout
from kripke_werewolf.werewolf.events import Attack, Refused


def tallies(*args, **settings):
    return {tally.kind: tally for tally in audit.audit_rules(*args, **settings)}


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        (preset("cisra", table="open"), {"wolves": 2}),
        ("cisra", {"wolves": 1, "deal": "classical"}),
        ("gekka", {"deal": "classical", "targets": "public"}),
        ("straat", {"wolves": 1, "targets": "public"}),
    ],
)
def test_house_rules_are_audited(rules, settings):
    found = tallies(rules, 4, games=2, **settings)
    assert found["vision"].times > 0
    assert found["voted_off"].meant > 0
    assert found["rounds"].times > 2
    assert not any(tally.leaked for tally in found.values())
    if settings.get("targets") == "public" and "deal" not in settings:
        assert found["order"].times > 0


def test_messages_between_phases_are_not_booked_under_the_notice_before_them():
    """A notice to P4 ends night 2, and P5 is not asked for the vision that follows."""
    found = tallies("cisra", 5, games=1, seed=1)
    assert found["told"].leaked == 0
    assert found["messages"].meant > 0


def test_an_attack_that_everybody_sees_though_it_is_meant_for_its_actor_is_reported(monkeypatch):
    monkeypatch.setattr(Attack, "meant_for", lambda self, setup: frozenset({self.actor}))
    found = tallies("cisra", 4, wolves=1, targets="public", games=2)
    assert {kind for kind, tally in found.items() if tally.leaked} == {"attack"}
    assert " attacks " in found["attack"].example


def test_moves_that_are_published_in_the_order_in_which_they_were_made_are_reported(monkeypatch):
    monkeypatch.setattr(handout, "in_seat_order", lambda setup, events: tuple(events))
    assert tallies("gekka", 4, wolves=1, targets="public", games=2)["order"].leaked > 0


def test_a_device_that_goes_to_those_who_may_act_gives_them_away(monkeypatch):
    full = Rounds._round
    monkeypatch.setattr(Rounds, "_round", lambda self: [n for n in full(self) if self.game.may_act.get(n)])
    monkeypatch.setattr(Rounds, "_close", lambda self, phase: self._public_command("end pass"))
    rounds = tallies("straat", 5, wolves=1, deal="classical", games=2)["rounds"]
    assert rounds.leaked > 0
    assert "turns of the device with" in rounds.example


def test_a_device_that_comes_again_after_refused_attacks_gives_them_away(monkeypatch):
    """The first of four wolves attacks at random, and may name two of the others in vain."""
    monkeypatch.setattr(audit, "_PROMPTS", 4)  # one phase is enough
    names = [f"P{number}" for number in range(1, 10)]
    roles = ["alpha", "beta", "gamma", "delta", "seer", *["villager"] * 4]
    start = QuantumWerewolf(names, rules="cisra", wolves=4, deal="classical", roles=roles)
    while start.phase.kind != "attacks":
        start = start.end_phase()

    def played(secret):
        return audit.on_device(start, votes=0, secrets=secret)

    games = [played(secret) for secret in range(40)]
    assert any(isinstance(event, Refused) for game, _ in games for event in game.events)
    assert audit.compared(rounds for _, rounds in games).leaked == 0
    monkeypatch.setattr(audit, "DEVICE", replace(audit.DEVICE, forewarns=False))
    seen = audit.compared(played(secret)[1] for secret in range(40))
    assert seen.leaked > 0
    assert "turns of the device with" in seen.example


def test_the_rounds_are_those_that_the_console_shows():
    """Five turns for five players, each with the handing on, a question and a way out."""
    names = ["Ann", "Bo", "Cy", "Di", "Ed"]
    game, rounds = audit.on_device(QuantumWerewolf(names, rules="gekka", wolves=1, rng=1), votes=1, secrets=1)
    assert game.verdict is not None
    assert not any(isinstance(event, Refused) for event in game.events)
    handed = [prompt.split()[4] for prompt in rounds[0].prompts if "Hand the device" in prompt]
    assert handed == [f"{name}." for name in names]
    assert str(rounds[0]) == "night 1: 5 turns of the device with 15 prompts"
