"""Whole evenings with the further cards: on one device, on phones, and typed by a game master."""

import random

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf, preset, replay
from kripke_werewolf.base.wording import LANGUAGES, Sentence
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import DEVICE, PHONES, Away, Choose, EndPhase, Keeper, Undo, VoteOff
from tests.play.console.terminal import Listed

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
CARDS = ["hunter", "cupid", "bodyguard", "witch", "fox", "drunk"]


def game_of(seed, names=NAMES):
    """Return a game with one or two of the cards, a hunter in every other one, and how it is voted."""
    r = random.Random(seed)
    rules, deal = r.choice(["cisra", "gekka", "straat"]), r.choice(["quantum", "classical"])
    able = ["hunter", "cupid", "fox"] if rules == "straat" else CARDS
    cards = {r.choice(able[1:]): 1} | ({"hunter": 1} if seed % 2 else {})
    numbers = "shuffled" if preset(rules).table == "anonymous" else None
    settings = {"rules": rules, "deal": deal, "cards": cards, "wolves": 1, "numbers": numbers, "rng": seed}
    return QuantumWerewolf(names, **settings), r.choice(["spoken", "open", "secret"])


class Guests(Listed):
    """Players who answer every question at random; `seen` is all that was shown."""

    def __init__(self, keeper, seed, language):
        super().__init__(None)
        self.keeper, self.chance, self.left = keeper, random.Random(seed), 1500
        self.end = Sentence("typed", command="end").told(language)

    def ask(self, prompt, words=(), about=None):
        self.left -= 1
        assert self.left, f"the evening does not end: {self.screens[-1][-500:]}"
        offered = [word for word in words if any(name in word for name in NAMES)]
        text = ""
        if offered and "Enter" not in prompt:
            text = self.chance.choice(offered)
        elif ">" in prompt:
            text = f"{self.end} random"
        self.screens[-1] += f"{prompt}{text}\n"
        return text


def evening(path, seed, language):
    game, ballot = game_of(seed)
    with LogFile.create(path, game) as log:
        keeper = Keeper(log, DEVICE, house=HouseRules(ballot=ballot), seed=seed)
        guests = Guests(keeper, seed, language)
        Rounds(keeper, guests, language=language).run()
    return keeper.game, guests.screens


@pytest.mark.parametrize("seed", range(6))
def test_an_evening_on_one_device_ends_and_is_the_same_in_every_language(tmp_path, seed):
    played = [evening(tmp_path / f"{name}.jsonl", seed, name) for name in LANGUAGES]
    game, screens = played[0]
    assert game.verdict is not None
    assert all(other.steps == game.steps and len(seen) == len(screens) for other, seen in played[1:])
    assert replay(tmp_path / "nl.jsonl") == game


def phones(log, seed, **house):
    house = HouseRules(**{"ballot": "open", "missing": "pass", "absent": "pass"} | house)
    return Keeper(log, PHONES, house=house, seed=seed)


@pytest.fixture
def table(tmp_path):
    """Return a table of phones where Bo, a hunter, was found dead in the night."""
    roles = ["alpha", "hunter", "seer", "villager", "villager", "villager"]
    game = QuantumWerewolf(
        NAMES, rules="cisra", deal="classical", cards={"hunter": 1}, wolves=1, roles=roles, rng=1
    )
    game = game.end_phase().vote_off("Flo")
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        keeper = phones(log, 1, night_seconds=60)
        keeper.tick(0)
        for name in game.alive:
            keeper.submit(name, Choose(name, "attack", "Bo" if name == "Ann" else "Ann"), now=1)
        yield keeper


def test_a_hunter_killed_at_night_is_asked_before_the_night_goes_on(table):
    assert table.game.state.naming == {"Bo"}
    assert "Bo" not in table.game.alive
    assert table.player_view("Bo")["ask"][0]["targets"] == ["Ann", "Cy", "Di", "Ed"]
    assert table.sitting.waiting_for == ("Bo",)
    assert table.submit("Bo", Choose("Bo", "take", "Cy")).accepted
    assert "Cy" not in table.game.alive
    assert str(table.game.phase) == "night 2, visions"


@pytest.mark.parametrize("how", ["time", "pass", "random", "away"])
def test_where_a_hunter_names_nobody_the_lot_does(table, how):
    living = table.game.alive
    if how == "time":
        assert table.tick(1000)
    elif how == "away":
        assert table.submit(None, Away("Bo")).accepted
    else:
        assert table.submit(None, EndPhase(how)).accepted
    assert not table.game.state.naming
    assert len({*living} - {*table.game.alive}) == 1


def test_a_hunter_is_waited_for_where_the_house_says_so(table):
    table.submit(None, Away("Bo"))
    table.submit(None, Undo(phase=True))
    assert not table.game.state.naming  # the night has begun anew
    assert table.game.alive == ("Ann", "Bo", "Cy", "Di", "Ed")


def test_the_dead_hunter_is_asked_on_the_screen_that_everybody_sees(tmp_path):
    game = QuantumWerewolf(NAMES, rules="cisra", cards={"hunter": 1}, wolves=1, rng=2).end_phase()
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        keeper = Keeper(log, DEVICE, seed=1)
        keeper.submit(None, VoteOff(("Cy",), "hunter"))
        lines = iter(["help", "Cy", "nobody", "Di"])
        terminal = Listed(lambda prompt, terminal: next(lines, None))
        Rounds(keeper, terminal).run()
    shown = "\n".join(terminal.screens)
    assert "Cy, day 1\n" in shown
    assert "Whom do you take along? Di" in shown
    assert "Refused: Cy cannot take along Cy: Cy is dead" in shown
    assert "Refused: Cy cannot decline 'take': 'take' is compulsory" in shown
    assert "Only one role is left for you" not in shown.partition("Whom do you take along? Di")[2]
    assert "Di" not in keeper.game.alive
