import pytest

from kripke_werewolf.base.errors import GameError, UnknownNameError
from kripke_werewolf.games.avalon import Rules, configurations, intended, published
from kripke_werewolf.games.avalon.rules import option_values
from tests.cases import cases


def test_presets_set_every_option_to_an_allowed_value() -> None:
    for name in ("published", "intended"):
        for rules in configurations(name).values():
            assert all(value in option_values()[option] for option, value in rules.options().items())


def test_higher_order_reasoning_of_the_publication_is_two_rules() -> None:
    without, with_it = published().options(), published(higher_order=True).options()
    assert {option for option in without if without[option] != with_it[option]} == {"cards", "announcements"}


def test_options_may_free_a_preset_of_what_it_could_not_have() -> None:
    rules = published(merlin="cautious", worlds="roles", knowledge="actual")
    assert (rules.merlin, rules.worlds, rules.announcements) == ("cautious", "roles", "success")
    with pytest.raises(GameError, match="merlin='cautious' needs worlds='roles'"):
        published(merlin="cautious")


def test_the_publication_seats_merlin_lowest_or_anywhere() -> None:
    assert published(merlin=True).merlin_seat == "lowest"
    assert published(merlin="uniform").merlin_seat == "uniform"
    assert published(merlin="naive") == published(merlin=True)


@cases(
    ({"assassinate": True}, "assassinate=True needs a Merlin"),
    ({"merlin": "cautious", "worlds": "pairs", "inference": False}, "merlin='cautious' needs worlds='roles'"),
    ({"merlin": "naive", "worlds": "pairs"}, "inference=True needs worlds='roles'"),
    ({"merlin": "naive", "knowledge": "somewhere"}, "knowledge='somewhere' needs worlds='pairs'"),
    ({"announcements": "success", "cards": "hide"}, "announcements='success' needs cards='fail'"),
    ({"merlin": "cautious", "percival": True}, "merlin='cautious' needs percival=False"),
    ({"cards": "bluff"}, "cards='bluff' is not possible (allowed: 'fail', 'hide', 'lookahead')"),
)
def test_impossible_options_are_refused_by_name(options: dict[str, object], named: str) -> None:
    with pytest.raises(GameError) as caught:
        Rules().but(**options)
    assert named in str(caught.value)


def test_an_unknown_option_is_refused_with_near_misses() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'announcements'"):
        intended(announcement="policy")


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="known: published, intended"):
        configurations("house")
