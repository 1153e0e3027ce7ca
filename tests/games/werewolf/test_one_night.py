"""One Night: the arrays against histories one by one, and the rules of the day."""

import json
import random
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import FormatError, GameError, IllegalMove, ModelTooLarge, UnknownNameError
from kripke_werewolf.games.one_night import OneNight, PlayedNight
from kripke_werewolf.games.werewolf.roles import ONE_NIGHT, ROLES, CardAct, Deck, Role
from kripke_werewolf.logic.models.model import Numbered
from tests.cases import cases
from tests.reference.one_night import Past, pasts

PLAYERS = ("Ann", "Bo", "Cy")
ALONE = [act for act in ONE_NIGHT["wolf"].acts if isinstance(act, CardAct)]
WITCH = Role(
    name="witch",
    several="witches",
    words=("heks", "hexe", "魔女"),
    acts=(
        CardAct(at=7, on=("middle",), sees=1, optional=True),
        CardAct(at=7, on=("middle", "player"), sees=1, swaps=True),
    ),
)
FIRST = ("wolf", "wolf", "seer", "robber", "troublemaker", "villager")


def key(night: PlayedNight) -> tuple[object, ...]:
    return night.dealt, tuple((move.player, *move.words) for move in night.moves)


def compare(game: OneNight, alone: list[CardAct] = ALONE) -> None:
    """Check all histories of a game against the reference: cards, what players notice, weights, K."""
    roles = [ONE_NIGHT[card] if isinstance(card, str) else card for card in game.cards]
    expected = {(p.dealt, p.moves): p for p in pasts(game.players, roles, game.middle, alone)}
    nights = [PlayedNight(game, number) for number in range(len(game.model))]
    found = {key(night): night for night in nights}
    assert len(found) == len(nights)
    assert found.keys() == expected.keys()
    histories: list[Past] = [expected[key(night)] for night in nights]
    for night, past in zip(nights, histories, strict=True):
        assert tuple(night.cards.values()) == past.cards
    for seat, player in enumerate(game.players):
        noticed = [past.noticed[seat] for past in histories]
        cells = game.model.arrays.relations[str(player)].labels.tolist()
        assert (
            len(set(zip(cells, map(str, noticed), strict=True)))
            == len(set(cells))
            == len(set(map(str, noticed)))
        )
        some = random.Random(seat).sample(range(len(nights)), min(len(nights), 60))
        told = {number: nights[number].told(player) for number in some}
        assert (
            len({(cells[n], told[n]) for n in some})
            == len({cells[n] for n in some})
            == len(set(told.values()))
        )
        weights = game.model.arrays.weight(player).tolist()
        total = sum(weights)
        assert [Fraction(w, total) for w in weights] == [past.chance for past in histories]
        possible = defaultdict(set)
        for cell, past in zip(cells, histories, strict=True):
            for place, card in zip(game.places, past.cards, strict=True):
                possible[cell, place].add(card)
        for place in game.places:
            for name in game.roles:
                known = Numbered(game.model).mask(f"K_{player} {name}_{place}").tolist()
                assert known == [possible[cell, place] == {name} for cell in cells]


CATALOGUE = [
    (FIRST[1:], 2),
    (("wolf", "minion", "seer", "drunk", "insomniac"), 2),
    (("wolf", "mason", "mason", "robber", "robber"), 2),
    (("wolf", "seer", "seer", "insomniac", "drunk"), 2),
]


@pytest.mark.parametrize(("cards", "middle"), CATALOGUE)
def test_all_roles_against_histories_one_by_one(cards: tuple[str, ...], middle: int) -> None:
    compare(OneNight(PLAYERS, cards, middle))


PLACES = st.sampled_from(["own", "other", "player", "middle"])


@st.composite
def acting(draw: st.DrawFn, name: str) -> Role:
    """Return a role with up to two acts, at different times or as alternatives with names."""
    acts = []
    for number in range(draw(st.integers(1, 2))):
        on = draw(st.lists(PLACES, min_size=1, max_size=2).filter(lambda kinds: kinds.count("own") < 2))
        swaps = len(on) == 2 and draw(st.booleans())
        acts.append(
            CardAct(
                at=draw(st.integers(1, 3)),
                on=tuple(on),
                sees=draw(st.integers(0, len(on))) if swaps else len(on),
                swaps=swaps,
                after=draw(st.booleans()),
                optional=draw(st.booleans()),
                name=f"way{number}",
            )
        )
    return Role(name=name, acts=tuple(acts), knows=draw(st.sampled_from([(), ("evil_{t}",), ("wolf_{t}",)])))


@given(st.data())
def test_declared_roles_against_histories_one_by_one(data: st.DataObject) -> None:
    own = [data.draw(acting(name)) for name in ("zany", "able")]
    seats, middle = data.draw(st.sampled_from([(2, 0), (2, 1), (2, 2), (3, 0), (3, 1)]))
    pool = ["wolf", "minion", "seer", "robber", "insomniac", *own]
    cards = data.draw(st.lists(st.sampled_from(pool), min_size=seats + middle, max_size=seats + middle))
    game = OneNight(PLAYERS[:seats], tuple(cards), middle)
    assume(game.ways.sum() < 400)
    compare(game)


def test_a_witch_in_three_lines() -> None:
    game = OneNight(PLAYERS, (WITCH, "wolf", "robber", "villager", "villager", "insomniac"))
    night = game.night(
        ["villager", "witch", "insomniac", "wolf", "robber", "villager"], ["Bo", "middle1", "Ann"]
    )
    assert night.told("Bo")[1] == "You look at middle card 1 (wolf) and swap middle card 1 and Ann's card."
    assert night.ask("K_Bo wolf_Ann & ~K_Ann wolf_Ann & K_Cy insomniac_Cy").holds
    data = json.loads(json.dumps(night.to_dict()))
    assert PlayedNight.from_dict(data) == night


# --- nights ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_night_survives_a_file(seed: int) -> None:
    cards = random.Random(seed).sample(list(ONE_NIGHT), 7)
    game = OneNight(("Ann", "Bo", "Cy", "Di"), tuple(cards))
    night = game.drawn(seed)
    if "seer" in night.dealt[:4]:
        night = night.claim("Bo", "dealt_seer_Bo", believed=False)
    night = night.claim("Cy", "good_Ann")
    night = night.vote(dict(zip(game.players, ("Bo", "Cy", "Cy", "Ann"), strict=True)))
    again = PlayedNight.from_dict(json.loads(json.dumps(night.to_dict())))
    assert again == night
    assert again.headline() == night.headline()
    assert all(again.told(player) == night.told(player) for player in game.players)


def test_the_same_seed_draws_the_same_night_and_all_deals_are_equally_likely() -> None:
    game = OneNight(PLAYERS, ("wolf", "villager", "villager", "drunk"), 1)
    rng = np.random.default_rng(3)
    counts = Counter(game.drawn(rng).dealt for _ in range(1200))
    assert len(counts) == 12
    assert max(counts.values()) < 150 > 50 < min(counts.values())
    assert game.drawn(7) == game.drawn(7)


def test_words_in_other_languages() -> None:
    for words in (
        ("weerwolf", "handlanger", "ziener", "dief", "onruststoker", "dronkaard"),
        ("Werwolf", "Günstling", "Seherin", "Räuber", "Unruhestifterin", "Trunkenbold"),
        ("人狼", "手下", "占い師", "怪盗", "いたずらっ子", "酔っ払い"),
    ):
        assert list(OneNight(PLAYERS, words).roles) == sorted(
            ["wolf", "minion", "seer", "robber", "troublemaker", "drunk"]
        )


# --- the day ---------------------------------------------------------------------------------------

MASONS = OneNight(PLAYERS, ("wolf", "mason", "mason", "villager"), 1)


def test_a_lie_convinces_those_who_do_not_know_better() -> None:
    night = MASONS.night(["wolf", "mason", "mason", "villager"])
    lie = night.claim("Ann", "mason_Ann")
    assert lie.ask("K_Bo ~mason_Ann & K_Cy ~mason_Ann & ~K_Bo wolf_Ann & K_Ann wolf_Ann").holds
    other = MASONS.night(["wolf", "villager", "mason", "mason"])
    assert not other.ask("M_Bo wolf_Ann & M_Bo villager_middle1")
    believed = other.claim("Ann", "mason_Ann")
    assert believed.ask("K_Bo mason_Ann & ~mason_Ann & ~K_Cy false").holds
    assert believed.ask("M_Ann K_Bo mason_Ann & K_Ann ~mason_Ann").holds
    assert not other.claim("Ann", "mason_Ann", believed=False).ask("K_Bo mason_Ann")


@pytest.mark.parametrize("seed", range(6))
def test_belief_after_a_claim_is_conditional(seed: int) -> None:
    game = OneNight(PLAYERS, FIRST)
    night = game.drawn(seed)
    words = random.Random(seed).choice(["dealt_robber_Cy", "wolf_Bo | wolf_middle2", "K_Bo dealt_wolf_Cy"])
    day = night.claim("Ann", words).claim("Bo", "~dealt_wolf_Bo")
    said, later = (
        Numbered(game.model).mask(words),
        Numbered(night.claim("Ann", words).model).mask("~dealt_wolf_Bo"),
    )
    cell = game.model.arrays.relations["Cy"].labels == game.model.arrays.relations["Cy"].labels[night.number]
    for true in (said, later):
        cell = cell & true if (cell & true).any() else cell
    weights = game.model.arrays.weight("Cy") * cell
    for place, chances in day.chances("Cy").items():
        assert sum(chances.values()) == 1
        for card, chance in chances.items():
            inside = weights[game.model.arrays.valuation[f"{card}_{place}"]].sum()
            assert chance == Fraction(int(inside), int(weights.sum()))
            assert day.ask(f"P_Cy({card}_{place}) = {chance}").holds


def plain_winners(cards: dict[str, str], dead: set[str]) -> set[str]:
    """Return the winners as the rules say it."""
    side = {p: "evil" if card in ("wolf", "minion") else "good" for p, card in cards.items()}
    wolves = {p for p, card in cards.items() if card == "wolf"}
    if wolves & dead or (not wolves and not dead):
        return {p for p in cards if side[p] == "good"}
    if wolves:
        return {p for p in cards if side[p] == "evil"}
    minions = {p for p, card in cards.items() if card == "minion"}
    return minions if dead - minions else set()


@pytest.mark.parametrize("seed", range(40))
def test_the_winners(seed: int) -> None:
    rng = random.Random(seed)
    game = OneNight(("Ann", "Bo", "Cy"), ("wolf", "minion", "villager", "seer", "robber", "drunk"))
    night = game.drawn(seed)
    votes = {player: rng.choice([p for p in game.players if p != player]) for player in game.players}
    day = night.vote(votes)
    counts = Counter(votes.values())
    dead = {p for p, n in counts.items() if n == max(counts.values()) and n > 1}
    assert set(day.dead) == dead
    assert set(day.winners) == plain_winners({p: night.cards[p] for p in game.players}, dead)
    assert ("won by" in day.headline()) is True
    assert night.winners == night.dead == ()


# --- refusals --------------------------------------------------------------------------------------


def test_too_many_histories_are_refused_with_their_number() -> None:
    many = OneNight(tuple("abcdefg"), (*ONE_NIGHT, "villager"), 3)
    assert many.deals.shape[1] == 1_814_400  # fewer than the limit
    with pytest.raises(ModelTooLarge, match="worlds, above the limit") as refused:
        many.ways  # noqa: B018
    assert refused.value.worlds > refused.value.limit == many.limit
    huge = OneNight(tuple("abcdefghijkl"), (*ONE_NIGHT, *["wolf", "seer", "drunk"] * 2), 3)
    with pytest.raises(ModelTooLarge, match="would have"):
        huge.deals  # noqa: B018
    small = replace(OneNight(PLAYERS, FIRST), limit=1000)
    with pytest.raises(ModelTooLarge, match=r"7,200 worlds, above the limit of 1,000"):
        small.drawn(1)


def test_roles_of_one_night_are_refused_in_other_games_and_the_other_way_round() -> None:
    with pytest.raises(GameError, match=r"'robber' .* in a quantum deal nobody has a card"):
        Deck(5, wolves=1, others=((ONE_NIGHT["robber"], 1),))
    with pytest.raises(GameError, match="'hunter' is for longer games: see its 'follows'"):
        OneNight(PLAYERS, (*FIRST[:5], ROLES["hunter"]))
    with pytest.raises(GameError, match="'cupid'"):
        OneNight(PLAYERS, (*FIRST[:5], ROLES["cupid"]))


@cases(
    (lambda: OneNight(PLAYERS, FIRST[:5]), GameError, "cards: 5 given; give one for each of Ann, Bo, Cy"),
    (lambda: OneNight(("Ann", "middle1", "Cy"), FIRST), GameError, "middle1"),
    (lambda: OneNight(PLAYERS, (*FIRST[:5], "sear")), UnknownNameError, "unknown role 'sear'.*seer"),
    (lambda: OneNight(PLAYERS, (*FIRST[:5], Role(name="seer"))), GameError, "two different roles"),
    (lambda: OneNight(PLAYERS, FIRST).night(FIRST[:5]), GameError, "has other cards than the game"),
    (lambda: OneNight(PLAYERS, FIRST).night(["wolf"] * 6), GameError, "has other cards than the game"),
    (
        lambda: OneNight(PLAYERS, FIRST).night(FIRST[2:] + FIRST[:2], ["Ann", "middle1"]),
        IllegalMove,
        r"Ann middle1: not a night of this deal \(possible choices: Ann Bo, Ann Cy, Ann middle1 middle2",
    ),
    (lambda: OneNight(PLAYERS, FIRST).drawn(1).told("Di"), UnknownNameError, "unknown player 'Di'"),
    (lambda: OneNight(PLAYERS, FIRST).drawn(1).claim("Di", "wolf_Bo"), UnknownNameError, "'Di'"),
    (lambda: OneNight(PLAYERS, FIRST).drawn(1).vote({"Ann": "Bo"}), GameError, "vote for one of them"),
    (lambda: CardAct(at=1, on=("own",), swaps=True), GameError, "give two places to swap"),
    (lambda: CardAct(at=1, on=("left",)), GameError, "'left' is not possible"),
)
def test_wrong_values(make, error, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=message):
        make()


@cases(
    {"format": "x"}, {"dealt": 3}, {"dealt": ["wolf"]}, {"moves": [3]}, {"moves": [["Ann", "Ann"]]},
    {"cards": "wolf"}, {"players": []}, {"claims": [["Ann"]]}, {"votes": [1]}, {"more": 1},
)  # fmt: skip
def test_wrong_files(change: dict[str, object]) -> None:
    data = OneNight(PLAYERS, FIRST).drawn(1).to_dict()
    with pytest.raises(FormatError, match="not a night"):
        PlayedNight.from_dict({**data, **change})


# --- what is known at night, and votes ------------------------------------------------------------

NIGHT = OneNight(("Ann", "Bo", "Cy"), ("wolf", "robber", "minion", "villager"), middle=1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_chances_at_night_count_the_deals_that_are_told_alike(seed: int) -> None:
    deal = Random(seed).randrange(NIGHT.deals.shape[1])
    for player in NIGHT.players:
        told = NIGHT.opening(player, deal)
        alike = [n for n in range(NIGHT.deals.shape[1]) if NIGHT.opening(player, n) == told]
        for row, place in enumerate(NIGHT.places):
            cards = Counter(list(NIGHT.roles)[NIGHT.deals[row, n]] for n in alike)
            shares = {card: Fraction(n, len(alike)) for card, n in cards.items()}
            assert NIGHT.dealt_chances(player, deal)[place] == shares


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_worth_of_a_vote_counts_all_nights_and_ballots(seed: int) -> None:
    night = NIGHT.drawn(seed)
    nights = [PlayedNight(NIGHT, number) for number in range(len(NIGHT.model))]
    ways = Counter(other.dealt for other in nights)
    player = NIGHT.players[seed % 3]
    others = [name for name in NIGHT.players if name != player]
    alike = [one for one in nights if one.told(player) == night.told(player)]
    for target, worth in night.vote_chances(player).items():
        won = total = Fraction(0)
        for other in alike:
            for votes in product(*([n for n in NIGHT.players if n != o] for o in others)):
                ballot = {player: target, **dict(zip(others, votes, strict=True))}
                weight = Fraction(1, ways[other.dealt])
                total += weight
                won += weight * (player in other.vote(ballot).winners)
        assert worth == won / total
