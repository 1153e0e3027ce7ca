"""`check_game`: games that are games of possible worlds, and all ways in which others are not."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count, permutations
from typing import Any

import pytest

from kripke_werewolf import ActionModel, Event, GameError, assign, observe, private, suspected
from kripke_werewolf.logic.testing import Game, check_game
from tests.cases import cases

PLAYERS = ("a", "b", "c")


def own(k: int) -> Callable[[Any], Any]:
    return lambda deal: deal[k]


GAME = Game(
    worlds=["".join(p) for p in permutations("012")],
    observations={player: own(k) for k, player in enumerate(PLAYERS)},
    valuation=lambda deal: [f"{player}_{card}" for player, card in zip(PLAYERS, deal, strict=True)],
    start="012",
    events=[
        ("a shows b her card", observe("b", ["a_0", "a_1", "a_2"]).point("a_0"), "a"),
        ("b: I know the deal", "K_b c_2", "b"),
    ],
    handout=lambda player, deal: f"you have card {deal[PLAYERS.index(player)]}",
)


def test_a_game_that_is_one() -> None:
    history = check_game(GAME)
    assert [len(model) for model in history.models] == [6, 6, 2]
    assert history.start.where("K_a a_0") == ["012", "021"]
    assert history.model.holds("K_b c_2 & ~K_c a_0 | K_c a_0")


def test_without_events_and_handouts() -> None:
    assert len(check_game(replace(GAME, events=(), handout=None)).model) == 6


def test_private_events_and_changes_keep_the_actual_world() -> None:
    events = [("a whisper", private("b", "a_0")), ("swap", assign(a_0="b_0", b_0="a_0"))]
    assert check_game(replace(GAME, events=events)).model.holds("~a_0 & b_0")


def unsteady() -> Callable[[Any], Any]:
    numbers = count()
    return lambda deal: next(numbers)


def leaking(player: str, deal: str) -> str:
    return deal if player == "c" else ""


def own_card_only(player: str, deal: str) -> bool:
    return player == "c" and deal in ("012", "102")  # both have c_2


both_events = ActionModel({"e": Event(), "f": Event()}, {}, others=[("e", "e"), ("f", "f")])


@cases(
    ({"worlds": []}, "no worlds"),
    ({"worlds": ["012", "012"]}, "given twice"),
    ({"start": "999"}, "'999' is not one of the 6 worlds"),
    ({"observations": {}}, "no players"),
    ({"observations": {"a": unsteady()}}, "answers differently when asked twice"),
    ({"observations": {"a": lambda deal: [deal]}}, "not hashable; return a tuple"),
    ({"observations": {"a": lambda deal: deal[7]}}, "fails at '012': IndexError"),
    ({"valuation": lambda deal: [1]}, "not a string"),
    ({"valuation": lambda deal: None}, "the valuation fails at '012': TypeError"),
    ({"events": [("no action",)]}, "event 1 must be (name, action)"),
    ({"events": [("odd", "p &")]}, "event 1 ('odd'): cannot read the formula"),
    ({"events": [("odd", "a_9")]}, "event 1 ('odd'): unknown atom 'a_9'"),
    ({"events": [("odd", "a_0", "z")]}, "event 1 ('odd'): unknown agent 'z'"),
    ({"events": [("false", "a_1")]}, "event 1 ('false') removes the actual world"),
    ({"events": [("open", both_events)]}, "2 worlds are designated"),
    ({"events": [("open", suspected("b", "a_1").point("yes"))]}, "removes the actual world"),
    ({"events": [("guess", "b_1", "a")]}, "more than 'a' knows: at 012"),
    ({"handout": leaking}, "at the start the handout of 'c' tells more"),
)
def test_what_is_wrong_is_said(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError) as caught:
        check_game(replace(GAME, **changes))
    assert words in str(caught.value)


def test_a_move_by_an_action_must_be_known_too() -> None:
    show = observe("c", ["a_0", "a_1", "a_2"]).point("a_0")
    check_game(replace(GAME, events=[("a shows c her card", show, "a")]))
    with pytest.raises(GameError, match="more than 'b' knows"):
        check_game(replace(GAME, events=[("b shows c a's card", show, "b")]))


def test_what_is_no_game() -> None:
    with pytest.raises(GameError, match="expected a kripke_werewolf"):
        check_game("chess")  # type: ignore[arg-type]


def test_handouts_that_fit() -> None:
    check_game(replace(GAME, handout=own_card_only))


def test_a_handout_that_fails_names_player_and_world() -> None:
    game = Game(
        ["u"], {"a": lambda world: None}, lambda world: [], "u", handout=lambda player, world: world[7]
    )
    with pytest.raises(GameError, match="the handout of 'a' fails at 'u': IndexError"):
        check_game(game)
