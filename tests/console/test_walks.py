"""Random evenings on one device: nonsense, `undo`, breaks and kills at any prompt, at every table rule.

At every prompt no two sentences of the screen contradict each other, a fresh reader of the log finds the same
game and answers, and what was noted is noted.
"""

import random
import re
from contextlib import suppress

import pytest

from kripke_werewolf import QuantumWerewolf, preset
from kripke_werewolf.console.screens import Rounds
from kripke_werewolf.tabletop import DEVICE, Keeper
from kripke_werewolf.werewolf import LogFile
from kripke_werewolf.werewolf.log import HouseRules
from kripke_werewolf.wording import Sentence
from tests.console.terminal import Listed
from tests.tabletop.screens import News, stated

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]
DECKS = [{}, {}, {"cupid": 1}, {"bodyguard": 1}, {"witch": 1}, {"fox": 1}]


class Killed(BaseException):
    """The program is killed."""


def opposed(sentences, players):
    """Return what contradicts what among the sentences of one screen."""
    news, wrong = News(tuple(players)), []
    told = [part for text in sentences for part in stated(text)]
    lines = [text for text in sentences if isinstance(text, Sentence)]
    news.page("this screen", "", lines)
    wrong += [text for text in news.wrong if "after the end" not in text]
    for message, values in told:
        if message in ("it-is", "alive") and set(values["names"]) & set(news.dead):
            wrong.append(f"{message} {values}, dead by the news: {sorted(news.dead)}")
        if message == "dead" and not set(news.dead) <= set(values["names"]):
            wrong.append(f"{message} {values}, dead by the news: {sorted(news.dead)}")
    turns = {values["player"] for message, values in told if message in ("whose-turn", "night-is-over")}
    if len(turns) > 1:
        wrong.append(f"the turns of {turns}")
    return wrong


class Walker(Listed):
    """A terminal whose players answer at random, and that checks every screen."""

    def __init__(self, keeper, chance, prompts):
        super().__init__(self.type, clock=lambda: 0.0)
        self.keeper, self.chance, self.left = keeper, chance, prompts
        self.said, self.wrong, self.prompts = [[]], [], 0

    def show(self, text, style="plain"):
        super().show(text, style)
        self.said[-1].append(text)

    def clear(self, *, hands=False):
        super().clear(hands=hands)
        self.said.append([])

    def type(self, prompt, terminal):
        self.check()
        self.prompts += 1
        self.left -= 1
        if self.left < 0:
            if self.chance.random() < 0.5:
                raise Killed
            return None
        chance, names = self.chance, list(self.keeper.game.alive)
        public = prompt.startswith(("\nHand", "day", "night"))
        if public and chance.random() < 0.06:
            return chance.choice(
                ["undo", "undo 2", "undo phase", "status", "table", "away Bo", "back Bo", "again Ann"]
            )
        if re.match(r"day \d+> ", prompt):
            return chance.choice([*names, " ".join(names[:2]), "end", "Zed"])
        if re.match(r"night .*> ", prompt):
            return chance.choice(["", "end", "end pass", "end random"])
        if re.search("Whom do you|Name somebody|whom do you vote", prompt):
            if "link" in prompt or "two" in prompt:
                return " ".join(chance.sample(names, 2)) if len(names) > 1 else "later"
            return chance.choice([*names, *names, "later", "nobody", "Zed", "status"])
        return ""

    def check(self):
        self.wrong += opposed(self.said[-1], self.keeper.game.players)


def fresh(path, keeper):
    copy = path.with_name("copy.jsonl")
    copy.write_bytes(path.read_bytes())
    with LogFile.open(copy) as log:
        again = Keeper(log, DEVICE)
        same = again.sitting == keeper.sitting
        return same and all(again.player_view(n) == keeper.player_view(n) for n in keeper.game.players)


def walked(path, seed, prompts=100):
    """Return what was wrong at an evening with breaks, and the number of prompts."""
    chance = random.Random(seed)
    rules = ("straat", "cisra", "gekka")[seed % 3]
    cards = chance.choice(
        [deck for deck in DECKS if rules != "straat" or not {"witch", "bodyguard"} & deck.keys()]
    )
    numbers = "shuffled" if preset(rules).table == "anonymous" else None
    game = QuantumWerewolf(NAMES, rules=rules, wolves=1, cards=cards, numbers=numbers, rng=seed)
    house = HouseRules(
        ballot=chance.choice(["spoken", "open", "secret"]),
        ties=chance.choice(["lot", "village", "nobody"]),
        missing=chance.choice(["remind", "pass", "random"]),
        absent=chance.choice(["wait", "pass"]),
    )
    LogFile.create(path, game, session=(house, seed)).close()
    wrong, made = [], 0
    while made < prompts and not wrong:
        with LogFile.open(path) as log:
            keeper = Keeper(log, DEVICE)
            if keeper.game.verdict is not None:
                break
            terminal = Walker(keeper, chance, chance.randint(3, 40))
            with suppress(Killed):
                Rounds(keeper, terminal).run()
            wrong += terminal.wrong
            made += terminal.prompts
            if not fresh(path, keeper):
                wrong.append("another game, or other answers, in the log")
    return wrong, made


@pytest.mark.parametrize("seed", range(6))
def test_an_evening_on_one_device_contradicts_nothing(tmp_path, seed):
    wrong, made = walked(tmp_path / "g.jsonl", seed)
    assert wrong == []
    assert made > 3


def test_contradictions_of_a_screen_are_noticed():
    voted = Sentence("voted-off", player="Bo", known=False, role="")
    phase = Sentence("phase", kind="night", n=1)
    for more in (
        Sentence("nobody-voted-off"),
        Sentence("it-is", phase=phase, names=["Ann", "Bo"]),
        Sentence("dead", names=["Cy"]),
        Sentence("found-dead", player="Bo", known=False, role=""),
    ):
        assert opposed([voted], NAMES) == []
        assert opposed([voted, more], NAMES)
    turns = [Sentence("whose-turn", player=name, phase=phase) for name in ("Ann", "Bo")]
    assert opposed(turns, NAMES)
