"""One device for everybody: whole games, and nothing secret on a screen that others see."""

import random
import re
from itertools import count

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf, preset, replay
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import DEVICE, Choose, EndPhase, Keeper, Robots
from tests.play.console.terminal import Listed

NAMES = ["Ann", "Mary Ann", "Bo'b", "Di 🐺", "Ed"]
ASKED = re.compile("Whom do you|Name somebody all the same")
SECRETS = re.compile(r"You look|You attack|You decline|Your number|Your role|Your chances|Only one role")


class Village:
    """Answers every prompt at random, now and then with nonsense."""

    def __init__(self, session, chance, *, undo=0.0, limit=2000):
        self.session, self.chance, self.undo, self.limit = session, chance, undo, limit
        self.asked = []

    def __call__(self, prompt, terminal):
        self.limit -= 1
        assert self.limit, "the game does not end"
        names = list(self.session.game.alive)
        public = prompt.startswith(("\nHand", "day", "night"))
        if public and self.chance.random() < self.undo and self.session.game.steps:
            return self.chance.choice(["undo", "undo phase"])
        if re.match(r"day \d+> ", prompt):
            return self.chance.choice(
                [*names, " ".join(names[:2]), "Zed", "table", "/status", "vision Ann Ed"]
            )
        if ASKED.search(prompt):
            self.asked.append(terminal.screens[-1].split(",")[0])
            return self.chance.choice(
                [*names, "Zed", "help", "table"] + (["nobody"] if "nobody" in prompt else [])
            )
        return ""


def session_of(tmp_path, rules, seed=1, house=None, **settings):
    numbers = "shuffled" if preset(rules).table == "anonymous" else None
    game = QuantumWerewolf(NAMES, rules=rules, numbers=numbers, rng=seed, **settings)
    return Keeper(LogFile.create(tmp_path / "g.jsonl", game), DEVICE, house=house or HouseRules(), seed=seed)


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("seed", range(4))
def test_whole_games(tmp_path, rules, seed):
    session = session_of(tmp_path, rules, seed)
    village = Village(session, random.Random(seed), undo=0.02)
    terminal = Listed(village)
    Rounds(session, terminal).run()
    assert session.game.verdict is not None
    assert replay(tmp_path / "g.jsonl") == session.game
    assert "The game is over" in terminal.screens[-1]
    for screen in terminal.screens:
        shared = "Hand the device" in screen or re.search(r"^day \d+> ", screen, re.MULTILINE)
        assert not (shared and SECRETS.search(screen)), screen
        readers = [name for name in NAMES if re.search(rf"^{re.escape(name)}, ", screen, re.MULTILINE)]
        assert len(readers) <= 1, screen


def test_everybody_reads_what_he_was_shown_and_no_more(tmp_path):
    session = session_of(tmp_path, "gekka")
    terminal = Listed(Village(session, random.Random(8)))
    Rounds(session, terminal).run()
    private = [s for s in terminal.screens if SECRETS.search(s)]
    for message in session.game.messages:
        if message.to is not None and message.text.startswith("You look"):
            assert any(message.text in s and re.match(re.escape(message.to), s) for s in private)


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("seed", range(3))
def test_all_the_living_get_the_device_in_every_phase(tmp_path, rules, seed):
    """Otherwise the others would see who has nothing to choose."""
    session = session_of(tmp_path, rules, seed)
    village = Village(session, random.Random(seed))
    handed, living = {}, {}

    def answer(prompt, terminal):
        phase = session.game.phase
        if "Hand the device to" in prompt and phase.kind != "vote":
            living.setdefault(phase, session.game.alive)
            handed.setdefault(phase, []).append(re.search("Hand the device to (.*?)[.] ", prompt)[1])
        return village(prompt, terminal)

    Rounds(session, Listed(answer)).run()
    assert handed
    for phase, names in handed.items():
        assert [name for name in names if name in living[phase]] == list(living[phase]), phase


@pytest.mark.parametrize("command", ["status", "end", "end pass"])
def test_commands_between_two_players_tell_nothing_of_their_choices(tmp_path, command):
    """In a classical deal a night has one vision: asking before and after must look the same."""
    roles = ["v", "seer", "v", "alpha", "v"]
    session = session_of(tmp_path, "gekka", deal="classical", wolves=1, roles=roles)
    answers = []

    def answer(prompt, terminal):
        if ASKED.search(prompt):
            return "Ann"
        if "Hand the device to" in prompt and session.game.phase.kind == "night":
            _, asked, said = terminal.screens[-1].partition(f"press Enter. {command}\n")
            if not asked:
                return command
            answers.append(said)
        return None if session.game.phase.kind == "vote" else ""

    Rounds(session, Listed(answer)).run()
    assert len(answers) == 2 * len(NAMES)  # the deal, and the night
    assert len(set(answers)) == 1
    assert "step" not in answers[0]  # in some rules every choice is a step
    assert session.game.events[0].actor == NAMES[1]


def test_an_answer_that_is_changed_at_the_last_enter_is_noted_aloud(tmp_path):
    session = session_of(tmp_path, "gekka")
    typed = iter(["", "Ed", "Zed", "Bo'b", ""])
    terminal = Listed(lambda prompt, terminal: next(typed, None))
    Rounds(session, terminal).run()
    assert session.sitting.choice("Ann", "vision").target == "Bo'b"
    (screen,) = [screen for screen in terminal.screens if "Whom do you look at?" in screen]
    assert screen.partition("cleared. Bo'b\n")[2] == "It is noted.\n\nPress Enter; the screen is cleared. \n"


def test_a_player_reads_again_by_day(tmp_path):
    session = session_of(tmp_path, "cisra")
    session.submit(None, Choose("Ann", "vision", "Ed"))
    session.submit(None, EndPhase("pass"))
    typed = iter(["again Ann", "", "", "again Zed", "undo"])
    terminal = Listed(lambda prompt, terminal: next(typed, None))
    Rounds(session, terminal).run()
    (screen,) = [screen for screen in terminal.screens if "You look at Ed" in screen]
    assert screen.startswith("Ann, the night is over.")
    assert str(session.game.phase) == "night 1, visions"
    assert "taken back: the last votes and phases" in terminal.screens[-2]


def test_a_robot_does_not_get_the_device(tmp_path):
    session = session_of(tmp_path, "cisra")
    session.submit(None, Robots(("Ed",)))
    typed = iter(["again Ed"])
    terminal = Listed(lambda prompt, terminal: next(typed, None))
    Rounds(session, terminal).run()
    assert any("Ed is dead or played by a robot" in screen for screen in terminal.screens)
    assert not any(screen.startswith("Ed,") for screen in terminal.screens)


def test_a_game_goes_on_after_breaks_at_any_prompt(tmp_path):
    session = session_of(tmp_path, "straat")
    session.log.close()
    chance, breaks = random.Random(5), 0
    while replay(tmp_path / "g.jsonl").verdict is None:
        breaks += 1
        with LogFile.open(tmp_path / "g.jsonl") as log:
            session = Keeper(log, DEVICE, house=HouseRules(), seed=1)
            choices = session.sitting.choices
            village, left = Village(session, chance), iter(range(chance.randint(1, 40)))

            def answer(prompt, terminal, village=village, left=left):
                return None if next(left, None) is None else village(prompt, terminal)

            Rounds(session, Listed(answer)).run()
            if log.game.steps == session.game.at(0).steps:
                assert session.sitting.choices[: len(choices)] == choices  # what was noted stays noted
    assert breaks > 3


@pytest.mark.parametrize("missing", ["remind", "pass", "random"])
def test_missing_choices(tmp_path, missing):
    session = session_of(tmp_path, "straat", house=HouseRules(missing=missing))
    reminded = []

    def answer(prompt, terminal):
        if ASKED.search(prompt):
            return "later"
        if prompt.startswith("night"):
            reminded.append(terminal.screens[-1])
            return "end random" if len(reminded) > 1 else ""
        return None if prompt.startswith("day") else ""

    Rounds(session, Listed(answer)).run()
    assert str(session.game.phase) == "day 1"
    assert len(reminded) == (2 if missing == "remind" else 0)
    if reminded:
        assert "Not everybody has chosen" in reminded[0]
        assert not re.search(r"\d", reminded[0])
        assert not any(f"{name} (" in reminded[0] for name in NAMES)
    assert len(session.game.steps) == (1 if missing == "pass" else 10)


@pytest.mark.parametrize("command", ["vision Ann Ed", "numbers", "table master", "decline Ann"])
def test_secret_commands_are_not_for_the_shared_screen(tmp_path, command):
    session = session_of(tmp_path, "cisra")
    answers = iter([command, None])
    terminal = Listed(lambda prompt, _: next(answers))
    Rounds(session, terminal).run()
    assert any("not for this screen" in s for s in terminal.screens)
    assert session.game.steps == ()


ROLES = {"gekka": ["seer", "alpha", "beta", "v", "v"], "cisra": ["alpha", "seer", "v", "beta", "v"]}


@pytest.mark.parametrize("rules", ["gekka", "cisra"])
def test_a_classical_deal_tells_everybody_his_card(tmp_path, rules):
    roles = dict(zip(NAMES, ROLES[rules], strict=True))
    session = session_of(tmp_path, rules, deal="classical", wolves=2, roles=ROLES[rules])
    handed = []

    def answer(prompt, terminal):
        if "Hand the device to" in prompt:
            handed.append(re.search("Hand the device to (.*)[.] ", prompt)[1].split(".")[0])
        if ASKED.search(prompt):
            return "Ann" if terminal.screens[-1].startswith("Ed, ") else "Ed"
        return None if prompt.startswith("day") else ""

    terminal = Listed(answer)
    Rounds(session, terminal).run()
    seer = NAMES[ROLES[rules].index("seer")]
    screens = {name: "".join(s for s in terminal.screens if s.startswith(f"{name}, ")) for name in NAMES}
    for name, role in roles.items():
        assert f"Your role is {session.game.setup.roles[NAMES.index(name)]}" in screens[name]
        assert ("You look at Ed and see" in screens[name]) == (name == seer)
        assert ("The other wolves: " in screens[name]) == (role in ("alpha", "beta"))
    # the deal, the night, and its news where moves are made together
    assert handed == NAMES * (3 if rules == "gekka" else 2)
    shared = "".join(s for s in terminal.screens if not s.startswith(tuple(f"{n}, " for n in NAMES)))
    assert "100%" not in shared  # the table would give the deal away
    assert not re.search("alpha|beta", shared.replace("2 wolves", ""))


@pytest.mark.parametrize(
    ("rules", "players", "prompts", "keys"), [("cisra", 20, 3, 4), ("gekka", 8, 5, 6), ("straat", 8, 6, 8)]
)
def test_what_a_night_costs(tmp_path, rules, players, prompts, keys):
    """For each player: take the device, answer by the first letters of a name, leave; and read the news."""
    names = [f"{letter}player" for letter in "ABCDEFGHIJKLMNOPQRST"[:players]]
    numbers = "shuffled" if preset(rules).table == "anonymous" else None
    game = QuantumWerewolf(names, rules=rules, numbers=numbers, rng=1)
    session = Keeper(LogFile.create(tmp_path / "g.jsonl", game), DEVICE, seed=1)
    typed = []

    def answer(prompt, terminal):
        if prompt.startswith("day"):
            return None
        me = terminal.screens[-1].split(",")[0]
        first = "B" if me == names[0] else "A"
        typed.append(first if ASKED.search(prompt) else "")
        return typed[-1]

    terminal = Listed(answer)
    Rounds(session, terminal).run()
    assert session.game.phase.kind == "vote"
    assert len(typed) == prompts * players
    assert sum(len(text) + 1 for text in typed) == keys * players


ANSWERED = re.compile(r"Refused|refused|unknown|is not for this screen|is for the screen|not understood")


@pytest.mark.parametrize(
    ("rules", "ballot", "seed"), [("cisra", "secret", 0), ("gekka", "spoken", 1), ("straat", "open", 2)]
)
def test_every_answer_that_the_help_names_is_accepted(tmp_path, rules, ballot, seed):
    """At each prompt, in a game of its own, each word and command of the help is tried."""

    def offered(told, names):
        listed = [line.split("  ") for line in told.splitlines() if line.startswith("  ")]
        usages = [parts[1].strip() for parts in listed if len(parts) > 1]
        if not usages:
            return re.findall(r"'(\w+)'", told)
        for old, new in ((" [PLAYER …]", ""), ("PLAYER", names[0]), ("STEPS", "1")):
            usages = [usage.replace(old, new) for usage in usages]
        return [re.sub(r" \[(\S+) \| (\S+)\]", r" \1", usage) for usage in usages]

    def play(number, word):
        """Return the help at a prompt, what was said to this word of it, and the players still alive."""
        place = tmp_path / str(next(places))
        place.mkdir()
        session = session_of(place, rules, seed, house=HouseRules(ballot=ballot))
        village, shown = Village(session, random.Random(seed)), []

        def answer(prompt, terminal):
            shown.append("".join(terminal.screens))
            if len(shown) > number + 2:
                return None
            return {number: "help", number + 1: word}.get(len(shown)) or village(prompt, terminal)

        terminal = Listed(answer)
        Rounds(session, terminal).run()
        session.log.close()
        shown += ["".join(terminal.screens)] * (number + 2)  # it may have ended
        told, said = (shown[n + 1][len(shown[n]) :] for n in (number - 1, number))
        return told.partition("help\n")[2], said, session.game.alive

    places, helped = count(), 0
    for number in range(1, 60, 7):
        told, _, names = play(number, "table")
        for word in offered(told, names):
            _, said, _ = play(number, word)
            assert not ANSWERED.search(said) or word.startswith("undo"), (told, word, said)
            helped += 1
    assert helped > 2
