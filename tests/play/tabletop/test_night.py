"""One Night at a table: whole evenings on one device and on phones, what they show, and what they keep."""

import json
import random
import re

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from kripke_werewolf import Atom, FormatError, GameError, OneNight, PlayedNight
from kripke_werewolf.base.errors import ModelTooLarge
from kripke_werewolf.base.wording import LANGUAGES, in_language
from kripke_werewolf.games.werewolf.roles import ONE_NIGHT, USUAL_CARDS
from kripke_werewolf.play.console.commands import PRIVATE, PUBLIC
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import Away, Choose, EndPhase, Robots, Undo, Vote, VoteOff
from kripke_werewolf.play.tabletop.counting import counted_chances
from kripke_werewolf.play.tabletop.night import NightKeeper, NightSitting, read_night
from kripke_werewolf.play.tabletop.sitting import REMEMBERED
from kripke_werewolf.play.tabletop.views import view_bytes
from tests.play.console.terminal import Listed
from tests.play.host.hosting import Phone, hosted

PLAYERS = ("Ann", "Bo", "Mary Ann")
DECKS = [
    ("wolf", "wolf", "seer", "robber", "troublemaker", "villager"),
    ("wolf", "minion", "drunk", "insomniac", "seer", "villager"),
    ("mason", "mason", "wolf", "robber", "insomniac", "troublemaker"),
]


def sitting_of(seed):
    game = OneNight(PLAYERS, random.Random(seed).choice(DECKS))
    return NightSitting(game=game, dealt=game.drawn(seed).dealt, seed=seed)


def answered(sitting, chance):
    """Return the sitting after random answers to all questions, in random order."""
    while sitting.stage == "night":
        name = chance.choice(sitting.waiting_for)
        number = chance.choice(sitting.open(name))
        target = chance.choice(sitting.offered(name, number))
        sitting, answer = sitting.submit(name, Choose(name, str(number), target or None))
        assert answer.accepted
    return sitting


class Guests(Listed):
    """Players who answer at random; before they vote they look, and ask for help."""

    def __init__(self, seed):
        super().__init__(None)
        self.chance, self.left, self.handed = random.Random(seed), 300, 0
        self.day = ["again Bo", "claim Bo nonsense", "help", "vote"]

    def ask(self, prompt, words=(), about=None):
        self.left -= 1
        assert self.left
        text = ""
        if len(words) == len(PUBLIC):
            self.handed += 1
            if self.handed > 2 * len(PLAYERS) and self.day:  # all have chosen, and read
                text = self.day.pop(0)
        elif "Enter" not in prompt:
            text = words[self.chance.randrange(len(words) - len(PRIVATE))]
        self.screens[-1] += f"{prompt}{text}\n"
        return text


def evening(path, seed, language):
    keeper, guests = NightKeeper(path, sitting_of(seed)), Guests(seed)
    Rounds(keeper, guests, language=language).run()
    keeper.close()
    return keeper.sitting, guests.screens


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_on_one_device_is_the_same_in_every_language(tmp_path, seed):
    played = {name: evening(tmp_path / f"{name}.json", seed, name) for name in LANGUAGES}
    sitting, screens = played["en"]
    assert sitting.stage == "over"
    for name, (other, shown) in played.items():
        assert other == sitting
        assert len(shown) == len(screens)
        assert read_night(tmp_path / f"{name}.json") == sitting
    assert (
        PlayedNight.from_dict(json.loads((tmp_path / "ja.json").read_text(encoding="utf-8"))) == sitting.night
    )
    for player in PLAYERS:  # what is secret is shown to nobody else
        for text in sitting.sheet(player)[1:]:
            seen = [screen for screen in screens[:-2] if text in screen]
            assert all(any(f"{name}, the" in screen for name in PLAYERS) for screen in seen)
    shared = [screen for screen in screens if "Hand the device" in screen]
    assert not [screen for screen in shared if "You " in screen]


@pytest.mark.parametrize("seed", range(8))
def test_everybody_is_asked_as_much_and_sees_no_more_than_they_know(seed):
    chance = random.Random(seed)
    one = answered(sitting_of(seed), chance)
    night, arrays = one.night, one.game.model.arrays
    player = chance.choice(PLAYERS)
    cell = np.flatnonzero(arrays.relations[player].labels == arrays.relations[player].labels[night.number])
    other = PlayedNight(one.game, int(chance.choice(cell.tolist())))
    made = {(move.player, move.words) for move in other.moves}
    blank = NightSitting(game=one.game, dealt=other.dealt, seed=seed)
    assert len({len(blank.open(name)) for name in PLAYERS}) == 1
    choices = []
    for name in PLAYERS:
        turns = one.game.choosing(name, blank.deal)
        words = [w for turn in turns for c in turn.choices if (name, w := c.words) in made] or [()]
        choices.append((name, 0, " and ".join(words[-1]) if turns else blank.offered(name, 0)[0]))
    alike = NightSitting(game=one.game, dealt=other.dealt, seed=seed, answers=tuple(choices))
    assert alike.night == other
    assert view_bytes(alike.player_view(player)) == view_bytes(one.player_view(player))
    assert alike.handout(player).to_text() == one.handout(player).to_text()
    assert view_bytes(alike.public_view()) == view_bytes(one.public_view())


def test_the_night_goes_on_after_a_break_and_is_taken_back(tmp_path):
    path, chance = tmp_path / "n.json", random.Random(3)
    keeper = NightKeeper(path, sitting_of(3))
    with pytest.raises(GameError, match="another program"):
        NightKeeper(path)
    seen = [keeper.sitting]
    while not keeper.over:
        keeper.close()
        keeper = NightKeeper(path)
        assert keeper.sitting == seen[-1]
        name = keeper.sitting.waiting_for[0]
        view = keeper.player_view(name)
        if "ask" in view:
            command = Choose(name, "0", chance.choice(view["ask"][0]["targets"]))
        else:
            command = Vote(name, chance.choice(PLAYERS))
        moment = view["moment"]
        first = keeper.submit(name, command, request="r", moment=moment)
        assert first.accepted
        assert keeper.submit(name, command, request="r", moment=moment) == first
        seen.append(keeper.sitting)
    for before in reversed(seen[:-1]):
        assert keeper.submit(None, Undo()).accepted
        assert (keeper.sitting.answers, keeper.sitting.votes) == (before.answers, before.votes)
    assert not keeper.submit(None, Undo()).accepted
    assert not keeper.submit("Ann", Choose("Ann", "0", "Bo"), moment=moment).accepted
    keeper.close()


@pytest.mark.parametrize("seed", range(3))
def test_what_is_missing_is_drawn(seed):
    sitting = sitting_of(seed)
    again, _ = sitting.submit(None, EndPhase())
    assert again.stage == "day"
    assert again == sitting.submit(None, EndPhase())[0]
    over, _ = again.submit(None, EndPhase())
    assert over.stage == "over"
    assert all(voter != target for voter, target in over.votes)
    night = over.night
    assert over.ending.rows[0][1] == ("won" if "Ann" in night.winners else "lost")
    back, _ = over.submit(None, Undo(phase=True))
    assert (back.stage, back.votes) == ("day", ())
    assert back.submit(None, Undo(phase=True))[0].answers == ()


def test_what_is_refused_changes_nothing():
    for seat, command, reason in [
        ("Ann", Choose("Bo", "0", "Ann"), "Ann can choose only for themselves"),
        ("Ann", Choose("Ann", "7", "Bo"), "there is no such thing in One Night"),
        ("Ann", Choose("Ann", "0", "Zed"), "there is no such thing in One Night"),
        ("Ann", Vote("Ann", "Bo"), "there is no such thing in One Night"),
        ("Ann", Undo(), "that is for the game master"),
        (None, VoteOff(("Ann",)), "there is no such thing in One Night"),
        (None, Away("Zed"), "unknown player 'Zed'"),
    ]:
        sitting = sitting_of(2)
        after, answer = sitting.submit(seat, command)
        assert after == sitting
        assert not answer.accepted
        assert reason in answer.text


def test_by_day_everybody_votes_for_somebody():
    sitting = answered(sitting_of(1), random.Random(1))
    assert "everybody votes" in sitting.submit("Ann", Vote("Ann", None))[1].text
    sitting, _ = sitting.submit("Ann", Vote("Ann", "Bo"))
    sitting, _ = sitting.submit("Ann", Vote("Ann", "Mary Ann"))
    assert sitting.votes == (("Ann", "Mary Ann"),)
    assert sitting.submit(None, Away("Bo"))[0].public_view()["away"] == ["Bo"]


def test_a_choice_is_changed_until_all_have_answered():
    sitting = sitting_of(0)
    first, second = sitting.offered("Ann", 0)[-1], sitting.offered("Ann", 0)[0]
    sitting, _ = sitting.submit("Ann", Choose("Ann", "0", first or None))
    sitting, _ = sitting.submit("Ann", Choose("Ann", "0", second or None))
    assert sitting.answers == (("Ann", 0, second),)
    with pytest.raises(GameError, match="not over"):
        sitting.report()


def titles(game):
    return [re.sub(r"^middle(\d)", r"middle \1", place) for place in game.places]


def test_the_master_and_the_report_tell_everything():
    sitting = answered(sitting_of(5), random.Random(5))
    shown = sitting.master_view()
    assert [row[0] for row in shown["master_table"]["rows"]] == titles(sitting.game)
    assert len(shown["choices"]) == 3
    over, _ = sitting.submit(None, EndPhase())
    text = over.report().to_text()
    for move in over.night.moves:
        assert str(move.sentence(move.player)) in text
    for name in LANGUAGES:
        assert in_language(over.report(), name).to_text()


def test_too_many_histories_are_not_counted(monkeypatch):
    monkeypatch.setattr("kripke_werewolf.play.tabletop.counting.MOST_TABLES", 10)
    counted_chances.cache_clear()
    for hits in range(2):  # every change of the table asks again
        table = answered(sitting_of(1), random.Random(1)).chances("Ann")
        assert not table.rows
        assert "Too many" in table.note
        assert counted_chances.cache_info().hits == hits


CARDS = st.lists(st.sampled_from(sorted(ONE_NIGHT)), min_size=3, max_size=7)


@settings(max_examples=40)
@given(cards=CARDS, middle=st.integers(1, 3), seed=st.integers(0, 2**20))
def test_counted_chances_are_those_of_all_histories(cards, middle, seed):
    assume(len(cards) - middle >= 2)
    names = tuple("ABCDEF"[: len(cards) - middle])
    game = OneNight(names, tuple(cards), middle, limit=60_000)
    try:
        night = game.drawn(seed)
    except ModelTooLarge:
        reject()
    for name in names:
        assert counted_chances(night, name) == night.chances(name)


@pytest.mark.parametrize("players", [6, 8])
def test_a_table_of_chances_for_many_players(players):
    """Each place has one card, and each card is somewhere: exactly."""
    cards = (*USUAL_CARDS, "villager")[: players + 3]
    game = OneNight(tuple("ABCDEFGH"[:players]), cards, limit=10**12)
    night = game.drawn(players)
    for name in game.players:
        if night.dealt[game.players.index(name)] != "insomniac":
            shares = counted_chances(night, name)
            assert {sum(some.values()) for some in shares.values()} == {1}
            for card, number in game.numbers.items():
                assert sum(some.get(card, 0) for some in shares.values()) == number


def test_a_file_with_claims_is_read_without_them(tmp_path):
    """Older files may have them: at a table they counted for nothing."""
    keeper = NightKeeper(tmp_path / "n.json", answered(sitting_of(1), random.Random(1)))
    keeper.close()
    data = json.loads(keeper.path.read_text(encoding="utf-8"))
    data["evening"]["claims"] = data["claims"] = [["Bo", "wolf_Bo"]]
    keeper.path.write_text(json.dumps(data), encoding="utf-8")
    assert read_night(keeper.path) == keeper.sitting


@pytest.mark.parametrize("text", ["{}", '{"format": "kripke_werewolf one night"}', "[]", "x"])
def test_a_file_that_is_no_evening(tmp_path, text):
    path = tmp_path / "n.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError):
        read_night(path)


def test_an_evening_on_phones(tmp_path):
    with hosted(tmp_path / "n", "--rules", "one-night", "--seed", "3") as host:
        phones = {name: Phone(host) for name in ("ANN", "BO", "CY")}
        for name, phone in phones.items():
            assert phone.join(name)[0] == 200
        assert phones["ANN"].send("POST", "/begin", {})[0] == 200
        assert len({len(phone.frame()) for phone in phones.values()}) == 1
        for stage in ("ask", "vote"):
            for phone in phones.values():
                view = phone.view()
                target = view["ask"][0]["targets"][0] if stage == "ask" else "BO"
                told = {"do": "choose", "action": "0"} if stage == "ask" else {"do": "vote"}
                assert phone.submit({**told, "target": target}, view["moment"])[1]["accepted"]
        view = phones["BO"].view()
        assert view["kind"] == "over"
        assert view["dead"] == ["BO"]
        assert len(view["ending"]["rows"]) == 6
        assert "One Night" in phones["CY"].send("GET", "/rules")[1]
    assert read_night(tmp_path / "n" / "game-1.jsonl").stage == "over"


def test_every_role_has_a_rule_for_players():
    from kripke_werewolf.games.werewolf.rulesheet import night_sheet

    sheet = night_sheet((*ONE_NIGHT, "villager"), 1)
    for name in LANGUAGES:
        text = in_language(sheet, name).to_text()
        assert "rule of" not in text
    assert "Wolves see each other" in sheet.to_text()


def test_the_lot_answers_for_those_who_leave(tmp_path):
    keeper = NightKeeper(tmp_path / "n.json", sitting_of(4))

    def answer(prompt, terminal):
        if prompt.endswith("> "):
            return "end"
        return "" if "Enter" in prompt else "later"

    terminal = Listed(answer)
    Rounds(keeper, terminal).run()
    keeper.close()
    assert keeper.over
    assert keeper.sitting == sitting_of(4).submit(None, EndPhase())[0].submit(None, EndPhase())[0]
    shown = "".join(terminal.screens)
    assert "The game is over" in shown
    assert shown.count("Press Enter; the screen") == 3 * len(PLAYERS)  # they read what was chosen for them


def test_tables_and_buttons_name_players_by_their_names():
    game = OneNight(("Tom and Ann", "Bo", "Cy"), DECKS[0])
    for seed in range(4):
        sitting = NightSitting(game=game, dealt=game.drawn(seed).dealt)
        for name in game.players:
            for label, pair in zip(*map(sitting.question(name, 0).get, ("labels", "pairs")), strict=True):
                assert in_language(label, "ja") == label or "middle" in label or len(pair) == 2
                assert {*pair} <= {*titles(game)}
        sitting = answered(sitting, random.Random(seed))
        for table in (sitting.chances("Bo"), sitting.ending):
            rows = in_language(table, "ja").rows
            assert tuple(row[0] for row in rows[:3]) == game.players


def test_what_to_do_by_day_is_said_by_day(tmp_path):
    keeper = NightKeeper(tmp_path / "n.json", sitting_of(4))

    def answer(prompt, terminal):
        if keeper.sitting.stage == "day" and "Talk about" in terminal.screens[-1]:
            return None
        return "" if "Enter" in prompt else "nobody" if "nobody" in prompt else "Bo"

    terminal = Listed(answer)
    Rounds(keeper, terminal).run()
    keeper.close()
    told = [screen for screen in terminal.screens if "Talk about the night" in screen]
    assert len(told) == 1


@pytest.mark.parametrize("number", [5, 8])
def test_a_night_of_many_players_is_played_without_a_list_of_its_histories(number, monkeypatch):
    names = tuple("ABCDEFGH"[:number])
    game = OneNight(names, tuple(USUAL_CARDS[:number] + USUAL_CARDS[-3:]), limit=10**10)
    monkeypatch.setattr(OneNight, "model", property(lambda game: pytest.fail("all histories are listed")))
    sitting = answered(NightSitting(game=game, dealt=game.drawn(number).dealt), random.Random(number))
    over, _ = sitting.submit(None, EndPhase())
    for view in (over.master_view(), *map(over.player_view, names)):
        assert view["kind"] == "over"
    assert "Winners" in over.report().to_text() or "Nobody" in over.report().to_text()


@pytest.mark.parametrize("seed", range(6))
def test_a_history_alone_says_of_itself_what_the_whole_model_says(seed):
    night = answered(sitting_of(seed), random.Random(seed)).night
    for fact in random.Random(seed).sample(sorted(night.game.model.atoms), 20):
        assert night._alone.verdict(Atom(fact)) == night.ask(Atom(fact)).verdict


@pytest.mark.parametrize("seed", range(4))
def test_robots_play_whole_nights_and_undo_takes_back_what_people_did(seed, tmp_path):
    names = ("Ann", "Robot 1", "Robot 2", "Robot 3")
    game = OneNight(names, tuple(USUAL_CARDS[:7]), 3)
    sitting = NightSitting(game=game, dealt=game.drawn(seed).dealt, seed=seed)
    keeper = NightKeeper(tmp_path / "n.json", sitting)
    assert keeper.submit(None, Robots(names[1:])).accepted
    assert keeper.play_robots()
    assert not keeper.play_robots()  # each has answered once
    assert keeper.sitting.waiting_for == ("Ann",)
    assert keeper.public_view()["robots"].startswith("Practice")
    for number in keeper.sitting.open("Ann"):
        target = keeper.sitting.offered("Ann", number)[-1]
        assert keeper.submit("Ann", Choose("Ann", str(number), target or None)).accepted
    assert keeper.sitting.stage == "day"
    night = keeper.sitting.night
    assert keeper.play_robots()
    assert keeper.sitting.night == night
    assert keeper.submit("Ann", Vote("Ann", "Robot 1")).accepted
    assert keeper.over
    again = read_night(tmp_path / "n.json")
    keeper.close()
    assert again == keeper.sitting


def test_only_the_latest_requests_are_remembered(tmp_path):
    game = OneNight(("Ann", "Bo"), ("wolf", "seer", "villager"), middle=1)
    keeper = NightKeeper(tmp_path / "n.json", NightSitting(game=game, dealt=("wolf", "seer", "villager")))
    first = keeper.submit("Ann", Choose("Ann", "0", None), request="r0")
    assert keeper.submit("Ann", Choose("Ann", "0", "Bo"), request="r0") == first
    for number in range(1, REMEMBERED + 5):
        keeper.submit("Ann", Vote("Ann", "Bo"), request=f"r{number}")  # refused at night
    assert keeper.submit("Ann", Vote("Ann", "Bo"), request="r0") != first
    assert len(keeper.sitting.answered) == REMEMBERED
    keeper.close()


def test_at_the_end_everybody_reads_who_they_are_now(tmp_path):
    game = OneNight(("Ann", "Bo", "Cy"), ("wolf", "robber", "villager", "seer"), middle=1)
    sitting = NightSitting(game=game, dealt=("wolf", "robber", "villager", "seer"))
    for name, target in (("Ann", "middle1"), ("Bo", "Ann"), ("Cy", "Ann")):
        sitting, _ = sitting.submit(name, Choose(name, "0", target))
    told = sitting.player_view("Bo")["sheet"][0]["lines"]
    assert told[-1] == "You swap your own card and Ann's card and look at your own card (wolf)."
    for name, target in (("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Bo")):
        assert "headline" not in sitting.player_view(name)
        sitting, _ = sitting.submit(name, Vote(name, target))
    ends = {name: sitting.player_view(name)["headline"] for name in game.players}
    assert ends == {
        "Ann": "Your card is now the robber: you win. Winners: Ann, Cy.",
        "Bo": "Your card is now the wolf: you lose. Winners: Ann, Cy.",
        "Cy": "Your card is now the villager: you win. Winners: Ann, Cy.",
    }
    assert sitting.public_view()["headline"] == "Winners: Ann, Cy."
