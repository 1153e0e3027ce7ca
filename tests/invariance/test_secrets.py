"""Two games that a player cannot tell apart look the same to them; the audit finds what does not.

`own_information` says what a player can tell apart, from the rules and the moves alone. Each leak below is
planted on another surface or about another secret.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import QuantumWerewolf, replay
from kripke_werewolf.console import audit as auditing
from kripke_werewolf.console.audit import audit_rules, own_information
from kripke_werewolf.console.screens import Rounds
from kripke_werewolf.errors import GameError
from kripke_werewolf.tabletop import Sitting, views
from kripke_werewolf.werewolf import events, handout, telling
from tests.werewolf.test_against_reference import variants


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs need not survive a loss of power here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def leaks(rules: Any, players: int = 3, games: int = 1, **options: Any) -> dict[str, int]:
    """Return the surfaces with leaks."""
    found = audit_rules(rules, players, wolves=1, games=games, **options)
    return {compared.surface: compared.leaks for compared in found if compared.leaks}


# --- nothing leaks -----------------------------------------------------------------------------------


@settings(max_examples=4)
@given(
    rules=st.sampled_from(["cisra", "gekka", "straat"]),
    targets=st.sampled_from(["secret", "public"]),
    deal=st.sampled_from(["quantum", "classical"]),
    seed=st.integers(0, 2**20),
)
def test_nothing_leaks_in_the_published_games(rules: str, targets: Any, deal: Any, seed: int) -> None:
    found = audit_rules(rules, 3, wolves=1, targets=targets, deal=deal, games=1, seed=seed)
    assert [compared for compared in found if compared.leaks] == []
    pairs = {compared.surface: compared.pairs for compared in found}
    assert min(pairs[surface] for surface in ("device", "handout", "phone", "refusals")) > 0


@settings(max_examples=4)
@given(
    rules=variants(),
    targets=st.sampled_from(["secret", "public"]),
    deal=st.sampled_from(["quantum", "classical"]),
    seed=st.integers(0, 2**20),
)
def test_nothing_leaks_under_house_rules(rules: Any, targets: Any, deal: Any, seed: int) -> None:
    found = audit_rules(rules, 3, wolves=1, targets=targets, deal=deal, games=1, seed=seed)
    assert [compared for compared in found if compared.leaks] == []


# --- what is planted is found ------------------------------------------------------------------------

Patch = pytest.MonkeyPatch


def vision_for_all(patch: Patch) -> None:
    patch.setattr(events.Vision, "seen_by", lambda self, player, *, targets: self)


def attack_for_its_victim(patch: Patch) -> None:
    seen = events.Attack.seen_by
    patch.setattr(
        events.Attack,
        "seen_by",
        lambda self, p, *, targets: self if p == self.target else seen(self, p, targets=targets),
    )


def count_of_moves(patch: Patch) -> None:
    screen = auditing.screen
    patch.setattr(
        auditing,
        "screen",
        lambda game: replace(screen(game), title=f"{game.phase}, {len(game.state.acted)} acted"),
    )


def order_of_moves(patch: Patch) -> None:
    patch.setattr(handout, "in_seat_order", lambda setup, events: tuple(events))


def refusal_by_worlds(patch: Patch) -> None:
    check = Sitting._check_target

    def told(self: Sitting, choice: Any) -> None:
        try:
            check(self, choice)
        except GameError as error:
            raise type(error)(f"{error} ({self.game.size} worlds)") from None

    patch.setattr(Sitting, "_check_target", told)


def chances_of_the_neighbour(patch: Patch) -> None:
    chances = handout._chances

    def wrong(setup: Any, state: Any, player: str, table: Any) -> Any:
        return chances(setup, state, setup.players[setup.seat(player) - 1], table)

    patch.setattr(handout, "_chances", wrong)


def notice_for_all(patch: Patch) -> None:
    patch.setattr(events.Told, "seen_by", lambda self, player, *, targets: self)


def roles_of_the_dead_in_json(patch: Patch) -> None:
    patch.setattr(events._Death, "seen_by", lambda self, player, *, targets: replace(self, weights=()))


def answered_on_a_phone(patch: Patch) -> None:
    table = views._table_now
    patch.setattr(views, "_table_now", lambda s: {**table(s), "answered": [c.actor for c in s.choices]})


def device_for_those_who_act(patch: Patch) -> None:
    round_ = Rounds._round
    patch.setattr(Rounds, "_round", lambda self: [n for n in round_(self) if self.game.may_act.get(n)])


def table_of_a_classical_deal(patch: Patch) -> None:
    due = handout.table_due
    patch.setattr(handout, "table_due", lambda setup, *args: due(replace(setup, deal="quantum"), *args))


def number_of_those_who_count(patch: Patch) -> None:
    table = views._table_now
    patch.setattr(views, "_table_now", lambda s: {**table(s), "waiting": len(s.to_choose)})


def order_of_messages(patch: Patch) -> None:
    patch.setattr(telling, "in_seat_order", lambda setup, events: tuple(events))


def worlds_below_own_chances(patch: Patch) -> None:
    table = QuantumWerewolf.table

    def noted(self: QuantumWerewolf, **options: Any) -> Any:
        return replace(table(self, **options), note=f"{self.size} worlds")

    patch.setattr(QuantumWerewolf, "table", noted)


def players_passed_over(patch: Patch) -> None:
    patch.setattr(events.PhaseEnded, "unsigned", lambda self: self)


PLANTED: dict[Callable[[Patch], None], tuple[dict[str, Any], str]] = {
    vision_for_all: ({"rules": "gekka"}, "handout"),
    attack_for_its_victim: ({"rules": "straat"}, "handout"),
    count_of_moves: ({"rules": "straat"}, "shared screen"),
    order_of_moves: ({"rules": "gekka", "targets": "public"}, "handout"),
    refusal_by_worlds: ({"rules": "cisra", "players": 4, "seed": 1}, "refusals"),
    chances_of_the_neighbour: ({"rules": "straat", "players": 4, "seed": 1}, "handout"),
    notice_for_all: ({"rules": "cisra", "players": 4, "seed": 1, "games": 2}, "handout"),
    roles_of_the_dead_in_json: ({"rules": "cisra", "players": 4, "seed": 1}, "handout"),
    answered_on_a_phone: ({"rules": "straat"}, "phone"),
    device_for_those_who_act: ({"rules": "straat", "deal": "classical"}, "device"),
    table_of_a_classical_deal: ({"rules": "gekka", "deal": "classical"}, "handout"),
    number_of_those_who_count: ({"rules": "straat", "deal": "classical"}, "phone"),
    order_of_messages: ({"rules": "gekka", "targets": "public"}, "messages"),
    worlds_below_own_chances: ({"rules": "cisra", "players": 4, "seed": 1}, "knowledge"),
    players_passed_over: ({"rules": "straat", "deal": "classical", "games": 2}, "handout"),
}


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    options, surface = PLANTED[plant]
    plant(monkeypatch)
    assert surface in leaks(**options)


def test_a_difference_comes_with_its_two_games(monkeypatch: Patch) -> None:
    """They are logs that can be replayed, and the player was told the same in both."""
    vision_for_all(monkeypatch)
    found = audit_rules("gekka", 3, wolves=1, games=1)
    (compared,) = [compared for compared in found if compared.surface == "handout"]
    player = compared.example.partition(" sees ")[0]
    one, two = (replay(game["log"]) for game in compared.to_dict()["games"])
    assert one != two
    assert own_information(one, player) == own_information(two, player)
    assert str(one.handout(player)) != str(two.handout(player))
