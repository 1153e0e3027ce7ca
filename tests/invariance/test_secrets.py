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

from kripke_werewolf import QuantumWerewolf, preset
from kripke_werewolf.console import audit as auditing
from kripke_werewolf.console.audit import audit_rules, own_information
from kripke_werewolf.console.screens import Rounds
from kripke_werewolf.errors import GameError
from kripke_werewolf.tabletop import Answer, Sitting, views
from kripke_werewolf.werewolf import events, handout, replay, telling
from kripke_werewolf.werewolf.handout import Handout
from kripke_werewolf.werewolf.inference import infer
from tests.werewolf.test_against_reference import variants

NAMES = ["Ann", "Bo", "Cy", "Di"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs need not survive a loss of power here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def leaks(*args: Any, **settings: Any) -> dict[str, int]:
    """Return the surfaces with leaks."""
    return {found.surface: found.leaks for found in audit_rules(*args, **settings) if found.leaks}


# --- nothing leaks -----------------------------------------------------------------------------------


@settings(max_examples=6)
@given(
    rules=st.sampled_from(["cisra", "gekka", "straat"]),
    targets=st.sampled_from(["secret", "public"]),
    deal=st.sampled_from(["quantum", "classical"]),
    seed=st.integers(0, 2**20),
)
def test_nothing_leaks_in_the_published_games(rules: str, targets: Any, deal: Any, seed: int) -> None:
    found = audit_rules(rules, 4, wolves=1, targets=targets, deal=deal, games=1, seed=seed)
    assert [compared for compared in found if compared.leaks] == []
    assert sum(compared.pairs for compared in found if compared.surface == "handout") > 20


@settings(max_examples=12)
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


def numbers_of_worlds_in_json(patch: Patch) -> None:
    patch.setattr(
        events.Vision,
        "seen_by",
        lambda self, player, *, targets: self if player == self.actor else None,
    )


def answered_on_a_phone(patch: Patch) -> None:
    table = views._table_now
    patch.setattr(
        views, "_table_now", lambda s: {**table(s), "answered": [c.actor for c in s.choices]}
    )


def device_for_those_who_act(patch: Patch) -> None:
    round_ = Rounds._round
    patch.setattr(Rounds, "_round", lambda self: [n for n in round_(self) if self.game.may_act.get(n)])


PLANTED: dict[Callable[[Patch], None], tuple[Any, dict[str, Any], str]] = {
    vision_for_all: ("gekka", {}, "handout"),
    attack_for_its_victim: ("cisra", {}, "handout"),
    count_of_moves: ("straat", {}, "shared screen"),
    order_of_moves: ("gekka", {"targets": "public"}, "handout"),
    refusal_by_worlds: ("gekka", {}, "refusals"),
    chances_of_the_neighbour: ("straat", {}, "handout"),
    notice_for_all: ("cisra", {}, "handout"),
    numbers_of_worlds_in_json: ("cisra", {}, "handout"),
    answered_on_a_phone: ("straat", {}, "phone"),
    device_for_those_who_act: ("straat", {"deal": "classical"}, "device"),
}


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    rules, options, surface = PLANTED[plant]
    plant(monkeypatch)
    assert surface in leaks(rules, 4, wolves=1, games=2, **options)
