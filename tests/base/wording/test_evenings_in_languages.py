"""Whole evenings in other languages: everything that players see comes from a catalogue."""

import random
import re

import pytest

from kripke_werewolf import PRESETS, LogFile, QuantumWerewolf, preset
from kripke_werewolf.base.wording import Sentence, word
from kripke_werewolf.base.wording import sentences as wording
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Master, Rounds
from kripke_werewolf.play.tabletop import DEVICE, MASTER, Keeper
from tests.base.wording.pseudo import pseudo_language, unspoken
from tests.play.console.terminal import Listed

NAMES = ["ANN", "MARY ANN", "BO", "DI", "ED"]
TYPED = [*NAMES, "ZED", "HELP", "TABLE", "STATUS", "/UNDO", "NOBODY", "LATER", "", "", ""]
SETTINGS = {
    "cisra": {},
    "gekka": {"rules": "gekka", "cards": {"hunter": 1, "cupid": 1}},
    "straat": {"rules": "straat", "targets": "public"},
    "cards": {"rules": "cisra", "deal": "classical", "wolves": 2},
    "roles": {"cards": {"bodyguard": 1, "witch": 1}, "targets": "public"},
}


class Guest:
    """Answers every prompt at random, in capitals."""

    def __init__(self, chance):
        self.chance, self.limit = chance, 400

    def __call__(self, prompt, terminal):
        self.limit -= 1
        return self.chance.choice(TYPED) if self.limit else None


def keeper_of(folder, seed, manner=DEVICE, house=None, **settings):
    settings = {"rules": "cisra", **settings}
    anonymous = preset(settings["rules"]).table == "anonymous" and settings.get("deal") != "classical"
    game = QuantumWerewolf(NAMES, numbers="shuffled" if anonymous else None, rng=seed, **settings)
    log = LogFile.create(folder / "g.jsonl", game)
    return Keeper(log, manner, house=house or HouseRules(missing="pass"), seed=seed)


ACTS = ["link", "protect", "heal", "poison"]  # of roles: the English verbs are made from their names
TAUGHT = [*ACTS, *(f"{act}s" for act in ACTS), *PRESETS, "pass", "random", "phase"]
LANGUAGES_OF_OTHERS = wording.LANGUAGES[1:]
USAGES = re.compile(r"^  .*?  ", flags=re.MULTILINE)
"""The commands in the list of them: their arguments are not translated."""
ENGLISH_WORDS = re.compile(r"[a-z]{4,}", re.IGNORECASE)


def evening(folder, kind, seed, language, guest):
    """Return what one device showed at an evening."""
    ballot = ("spoken", "open", "secret")[(seed + len(kind)) % 3]
    house = HouseRules(missing="pass", ballot=ballot, ties=("lot", "village", "nobody")[seed % 3])
    keeper = keeper_of(folder, seed, house=house, **SETTINGS[kind])
    terminal = Listed(guest)
    Rounds(keeper, terminal, language=language).run()
    keeper.log.close()
    return "\n".join(terminal.screens)


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_device_says_nothing_of_its_own(tmp_path, kind):
    """Played in a language that is one file made here: other words than its own come from no catalogue."""
    shown = evening(tmp_path, kind, 1, pseudo_language(tmp_path), Guest(random.Random(1)))
    lines = [line for line in shown.split("\n") if "unknown" not in line]  # the library's own errors
    assert "HAND THE DEVICE TO" in shown
    assert unspoken(USAGES.sub("", "\n".join(lines)), TAUGHT) == []


@pytest.mark.parametrize("language", LANGUAGES_OF_OTHERS)
@pytest.mark.parametrize("kind", SETTINGS)
def test_no_english_is_left(tmp_path, kind, language):
    """No word of the English catalogue that the other one does not have."""
    home = wording._HOME
    english, own = ((home / f"{name}.ftl").read_text(encoding="utf-8") for name in ("en", language))
    words = {*ENGLISH_WORDS.findall(english)} - {*ENGLISH_WORDS.findall(own)}
    seed = len(kind)
    shown = evening(tmp_path, kind, seed, language, Guest(random.Random(seed)))
    assert len(shown) > 1000
    assert {word for word in ENGLISH_WORDS.findall(USAGES.sub("", shown)) if word in words} == set()
    assert "{" not in shown


@pytest.mark.parametrize("kind", ["cisra", "cards"])
def test_a_device_understands_its_language(tmp_path, kind):
    """Commands are typed in the language of the screen, and in English."""
    answers = iter(["hulp", "stand", "tabel", "STAND", "status", "stop"])
    shown = evening(tmp_path, kind, 1, "nl", lambda prompt, terminal: next(answers, None))
    assert shown.count("in leven: ANN") == 3
    assert "geweigerd" not in shown.casefold()


@pytest.mark.parametrize(
    ("line", "news"), [("klaar", "Klaar is weggestemd"), ("/klaar", "Niemand is weggestemd")]
)
def test_a_player_is_no_command(tmp_path, line, news):
    """Who is called like a command is voted off by that name; with a slash it is the command."""

    def day(keeper):
        """Press Enter by day."""
        return "" if keeper.game.phase.kind == "vote" else None

    names = ["Stem", "Klaar", "Ann", "Bo"]
    game = QuantumWerewolf(names, rules="straat", wolves=1, rng=1).end_phase(missing="pass")
    typed = iter(["/stand", line])
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        keeper = Keeper(log, DEVICE, house=HouseRules(), seed=1)
        terminal = Listed(lambda prompt, terminal: next(typed, None) if "dag" in prompt else day(keeper))
        Rounds(keeper, terminal, language="nl").run()
    shown = "\n".join(terminal.screens)
    assert "in leven: Stem, Klaar, Ann, Bo" in shown
    assert news in shown


@pytest.mark.parametrize("language", LANGUAGES_OF_OTHERS)
def test_the_game_masters_table_and_ambiguous_names_are_in_their_language(tmp_path, language):
    game = QuantumWerewolf(["Anna", "Anne", "Bo", "Di"], rules="cisra", wolves=1, rng=1)
    typed = iter(["table master", "vision An Bo"])
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        keeper = Keeper(log, MASTER, house=HouseRules(), seed=1)
        terminal = Listed(lambda prompt, terminal: next(typed, None))
        Master(keeper, terminal, language=language).run()
    lines = "\n".join(terminal.screens).split("\n")
    headings = [[word(text).told(language) for text in ("player", "good", "evil", "dead")]]
    assert [line.split() for line in lines if line.split()[:1] == headings[0][:1]] == headings
    several = Sentence("may-be", text="An", names=["Anna", "Anne"], exactly=False).told(language)
    assert any(several in line for line in lines)
    assert " or " not in several


@pytest.mark.parametrize(
    "lines", [["状況", "投票 太郎", "戻す", "投票 2", "戻す", "次へ"], ["/状況", "投票 4", "戻す 1", "/次へ"]]
)
@pytest.mark.parametrize("wide", [False, True])
def test_a_japanese_keyboard_types_wide_characters(tmp_path, lines, wide):
    game = QuantumWerewolf(["花子", "太郎", "次郎", "Di"], rules="straat", wolves=1, rng=1)
    wider = {ord(narrow): ord(narrow) + 0xFEE0 for narrow in "0123456789/"} | {ord(" "): 0x3000}
    typed = iter([line.translate(wider) if wide else line for line in lines])
    with LogFile.create(tmp_path / "g.jsonl", game.end_phase(missing="pass")) as log:
        keeper = Keeper(log, MASTER, house=HouseRules(), seed=1)
        Master(keeper, Listed(lambda prompt, terminal: next(typed, None)), patient=False, language="ja").run()
    assert next(typed, None) is None
    assert keeper.game.phase.kind == "night"
    assert len(keeper.game.alive) == 4
