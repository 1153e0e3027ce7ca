"""The page with the rules: it says everything that a field of the rules can change."""

from dataclasses import fields
from itertools import combinations
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from kripke_werewolf import GameError, QuantumWerewolf, Rules, preset
from kripke_werewolf.games.werewolf import PRESETS, rule_sheet

VALUES = {
    "name": ("cisra", "mine"),
    "default_wolves": (None, 1, 2),
    "sides": (("good", "evil"), ("light", "dark")),
    "opening": (("visions",), ("night",), ("visions", "attacks"), ()),
    "cycle": (("vote", "night"), ("vote", "attacks", "visions")),
    "first_number": (0, 1),
    "burnings": (1, 2),
    "columns": (("good", "evil", "dead"), ("villager", "seer", "wolf")),
    "table_at": ((), ("morning",), ("nightfall",), ("nightfall", "morning")),
}
BASES = (*PRESETS.values(), preset("gekka", opening=("night",), columns=("good", "wolf", "dead")))


def values(name):
    hint = get_type_hints(Rules)[name]
    if get_origin(hint) is Literal:
        return get_args(hint)
    return (False, True) if hint is bool else VALUES[name]


def sheets(base, name, values, **more):
    """Return the pages of a rule set with each of these values of a field that it can have."""
    found = []
    for value in values:
        try:
            found.append(rule_sheet(preset(base.name, **_changed(base) | {name: value}), **more).to_text())
        except GameError:  # two fields would contradict each other
            return []
    return found


def _changed(base):
    return {f.name: getattr(base, f.name) for f in fields(Rules) if f.name != "name"}


@pytest.mark.parametrize("name", [field.name for field in fields(Rules)])
def test_every_field_of_the_rules_is_told(name):
    for one, other in combinations(values(name), 2):
        pairs = [pair for base in BASES if (pair := sheets(base, name, (one, other)))]
        assert pairs
        assert any(a != b for a, b in pairs), (one, other)


@pytest.mark.parametrize("name", PRESETS)
def test_a_page_each(name):
    quantum, cards = (rule_sheet(preset(name), deal=deal) for deal in ("quantum", "classical"))
    for sheet in (quantum, cards):
        text = sheet.to_text()
        assert 15 < text.count("\n") < 40
        assert "{" not in text
        assert "None" not in text
    assert "world" in quantum.to_text()
    assert "world" not in cards.to_text()
    assert "Everybody is told whom" in rule_sheet(preset(name), targets="public").to_text()


@pytest.mark.parametrize("deal", ["quantum", "classical"])
@pytest.mark.parametrize("name", PRESETS)
def test_the_page_says_whether_a_fox_is_one_of_the_living(name, deal):
    """A wolf, a fox and a villager: the wolf is half of them only if the fox is not counted."""
    roles = ["wolf", "fox", "villager"]
    rules = preset(name, opening=("visions",), verdict_after="phase", forced_collapse="none")
    sheet = rule_sheet(rules, deal=deal, cards={"fox": 1}).to_text()
    dealt = {"wolves": 1, "seers": 0, "cards": {"fox": 1}, "roles": roles}
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules=rules, deal="classical", **dealt)
    counted = game.end_phase().verdict is None
    assert ("Not counted among the living here: fox." in sheet) == (not counted)
    assert "Not counted" not in rule_sheet(rules, deal=deal, cards={"hunter": 1}).to_text()


def test_impossible_settings():
    with pytest.raises(GameError, match="deal='clasical' is not possible; did you mean 'classical'"):
        rule_sheet(preset("cisra"), deal="clasical")
    with pytest.raises(GameError, match="targets='open' is not possible"):
        rule_sheet(preset("cisra"), targets="open")
