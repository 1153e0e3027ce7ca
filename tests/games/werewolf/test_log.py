"""The log: acknowledged moves are never lost, and impossible histories are rejected."""

import json
import os
import random
from errno import ENOSPC
from pathlib import Path

import pytest

from kripke_werewolf.base.errors import FormatError, GameError, UnknownNameError
from kripke_werewolf.games.werewolf import LogFile, QuantumWerewolf, read_log, replay
from kripke_werewolf.games.werewolf.log import HouseRules, TruncatedLog
from tests.cases import cases
from tests.forked import Program
from tests.logs import signed

DATA = Path(__file__).parents[2] / "data"
NAMES = ['An"n', "Bo'b", "<script>", "Ζoë 🐺", "d\\e"]


def played(rules, **settings):
    """A whole game with random moves."""
    game = QuantumWerewolf(NAMES, rules=rules, rng=5, **settings)
    while game.verdict is None:
        if game.phase.kind == "vote":
            game = game.vote_off(list(game.alive[:2]))
        else:
            game = game.end_phase(missing="random")
    return game


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize(
    "settings", [{}, {"deal": "classical", "wolves": 2}, {"sample": 7, "numbers": "shuffled"}]
)
def test_replay_rebuilds_every_step(rules, settings):
    game = played(rules, **settings)
    again = replay(game.log)
    assert again == game
    assert again.table() == game.table()
    assert again.phase == game.phase
    for step in range(len(game.steps) + 1):
        before = replay(game.log, step=step)
        assert before == game.at(step)
        assert before.log == game.log[: step + 1]


def test_an_undo_is_appended(tmp_path):
    path = tmp_path / "g.jsonl"
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="straat")
    with LogFile.create(path, game) as log:
        game = log.write(game.vision("Ann", "Bo", result="wolf"))
        game = log.write(game.attack("Ann", "Cy"))
        before = path.read_bytes()
        assert log.write(log.game.undo()) == game.at(1)
        log.write(log.game.attack("Ann", "Di"))
    assert path.read_bytes().startswith(before)
    assert replay(path).events[-1].target == "Di"
    assert len(replay(path).steps) == 2
    with pytest.raises(GameError, match="already exists"):
        LogFile.create(path, game)
    with pytest.raises(GameError, match="step 9"):
        replay(path, step=9)


def test_two_writers_are_refused(tmp_path):
    path = tmp_path / "g.jsonl"
    with LogFile.create(path, QuantumWerewolf(NAMES)):
        with pytest.raises(GameError, match="another program"):
            LogFile.open(path)
        assert Path(f"{path}.lock").exists()
    with LogFile.open(path) as log:
        assert log.recorded.notice is None
    assert [p.name for p in tmp_path.iterdir()] == ["g.jsonl"]


def test_the_log_of_another_game_is_not_written(tmp_path):
    with LogFile.create(tmp_path / "g.jsonl", QuantumWerewolf(NAMES)) as log:
        with pytest.raises(GameError, match="another game"):
            log.write(QuantumWerewolf(NAMES, rules="gekka"))
        with pytest.raises(GameError, match="nothing to undo"):
            log.write(log.game.undo())


@pytest.mark.parametrize("cut", [1, 20, 300])
def test_a_header_that_was_half_written_began_no_game(tmp_path, cut):
    path = tmp_path / "g.jsonl"
    path.write_text(readme_log()[0][:-cut], encoding="utf-8")
    for read in (replay, LogFile.open):
        with pytest.raises(FormatError, match=r"line 1: the header is only half written.*delete the file"):
            read(path)


def test_a_half_written_last_line_is_dropped(tmp_path):
    game = played("straat").at(4)
    for cut in range(1, 60):
        path = tmp_path / f"{cut}.jsonl"
        LogFile.create(path, game).close()
        whole = path.read_bytes()
        path.write_bytes(whole[:-cut])
        if cut == 1:  # only the line break is missing; the line is complete
            assert replay(path) == game
        else:
            with pytest.warns(TruncatedLog, match="line 5 is only half written"):
                assert replay(path) == game.at(3), cut
        with LogFile.open(path) as log:
            assert (log.recorded.notice is None) == (cut == 1)
            log.write(game)
        assert path.read_bytes() == whole, cut


def test_house_rules_and_the_seed_are_kept(tmp_path):
    game = played("straat").at(2)
    path = tmp_path / "g.jsonl"
    first, second = (HouseRules(ties="village"), 7), (HouseRules(missing="random"), 8)
    with LogFile.create(path, game, session=first) as log:
        log.settle(*first)
        begun = path.read_bytes()
        log.settle(*second)
    assert path.read_bytes().startswith(begun)
    added = json.loads(path.read_bytes().removeprefix(begun))
    assert added["session"] == {"missing": "random", "seed": 8}
    assert json.loads(begun.splitlines()[0])["version"] == 3
    path.write_bytes(begun)
    with LogFile.open(path) as log:
        assert (log.recorded.session, log.game) == (first, game)


def test_a_log_without_house_rules_is_read_and_may_get_them(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_bytes((DATA / "demo.jsonl").read_bytes())
    game = replay(path)
    with LogFile.open(path) as log:
        assert log.recorded.session is None
        log.settle(HouseRules(), 3)
    assert read_log(path).session == (HouseRules(), 3)
    assert replay(path) == game


def line_of(log, number, **changes):
    """The lines of a log with fields of the first event of one line changed."""
    lines = list(log)
    value = json.loads(lines[number])
    value["events"][0].update(changes)
    lines[number] = json.dumps(value)
    return signed(lines)


def readme_log():
    game = QuantumWerewolf(["Alice", "Bob", "Craig", "David"], wolves=2, rules="straat")
    game = game.vision("Alice", "Bob", result="wolf").attack("Alice", "Craig")
    return game.vote_off("David", role="wolf").vote_off("Bob", role="wolf").log


@cases(
    (1, {"actor": "Alise"}, "line 2: step 1 .*unknown player 'Alise'; did you mean 'Alice'"),
    (1, {"result": "seer"}, "step 1 .*seer is impossible in every|recorded as"),
    (1, {"result": "sear"}, "step 1 .*cannot show 'sear'"),
    (2, {"actor": "Bob", "event": "vision", "target": "Bob"}, "step 2"),
    (4, {"player": "Bob"}, "line 5: step 4 .*recorded as"),
    (4, {"announced": "seer"}, "event 1 of the step is recorded as"),
    (6, {"player": "David"}, "line 7: step 6 .*David is dead"),
    (3, {"event": "frobbed"}, "line 4: unknown event 'frobbed'"),
    (3, {"mood": "grim"}, "line 4: .*has no 'mood'"),
    (1, {"actor": None}, "lacks 'actor'"),
)
def test_an_impossible_history_is_refused(number, changes, reason):
    assert replay(readme_log()).verdict == "village"
    with pytest.raises(FormatError, match=reason):
        replay(line_of(readme_log(), number, **changes))


@pytest.mark.parametrize("session", [None, (HouseRules(), 7)])
def test_a_line_that_is_edited_dropped_added_or_exchanged_is_found(session, tmp_path):
    path = tmp_path / "g.jsonl"
    with LogFile.create(path, played("straat").at(6), session=session) as log:
        log.write(log.game.undo())
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(read_log(lines).steps) == 5
    for number, line in enumerate(lines[:-1]):
        following = lines[number + 1]
        for damaged in (
            [*lines[:number], line.replace("a", "b", 1), *lines[number + 1 :]],
            [*lines[:number], *lines[number + 1 :]],
            [*lines[:number], line, *lines[number:]],
            [*lines[:number], following, line, *lines[number + 2 :]],
        ):
            with pytest.raises(FormatError, match=f"line ({number + 1}|{number + 2}): "):
                read_log(damaged)


def test_blanks_and_line_ends_are_not_part_of_a_line():
    lines = [json.dumps(json.loads(line), indent=1).replace("\n", " ") for line in played("straat").log]
    assert read_log(lines).steps == read_log(played("straat").log).steps


def test_a_full_disk_names_the_file(tmp_path):
    path, game = tmp_path / "g.jsonl", QuantumWerewolf(NAMES, rules="straat")
    with LogFile.create(path, game) as log:
        log._file, file = Full(), log._file
        with pytest.raises(OSError, match="No space left") as caught:
            log.write(game.vision(NAMES[0], NAMES[1], result="villager"))
        assert caught.value.filename == str(path)
        log._file = file
        log.write(game.vision(NAMES[0], NAMES[1], result="villager"))
    assert len(replay(path).steps) == 1


class Full:
    """A file on a full disk."""

    def tell(self):
        return 0

    def write(self, data):
        raise OSError(ENOSPC, "No space left on device")

    def truncate(self, size):
        pass

    def seek(self, place):
        pass


def header_with(**changes):
    header, *rest = readme_log()
    return [json.dumps({**json.loads(header), **changes}), *rest]


@cases(
    ([], "empty"),
    (["{"], "line 1, column .*: expecting property name"),
    (["[1]"], "line 1: .*not an object"),
    (header_with(version=2), r"version=2 is not possible \(allowed: 3\)"),
    (line_of(readme_log(), 1, result=[[]]), "line 2: the result of the event 'vision' cannot be"),
    ([readme_log()[0], '{"session": 7}'], "line 2: the session 7 is not an object"),
    ([readme_log()[0], '{"session": {"ties": "lot", "missing": "pass"}}'], "the seed of a session"),
    ([readme_log()[0], '{"session": {"ties": "king", "missing": "pass", "seed": 1}}'], "ties='king'"),
    (header_with(players=["A", "A", "B", "C"]), "look alike"),
    (header_with(wolves=9), "more roles than players"),
    (header_with(numbers="shuffled"), "settings do not say"),
    (header_with(colour="red"), "unknown field 'colour'"),
    (header_with(rules={"name": "x", "rankd": True}), "a rule set has no 'rankd'"),
    (header_with(rules="straat"), "not an object"),
    (header_with(strict="no"), "line 1: strict is true or false, not 'no'"),
    (header_with(sample=5), "line 1: sample is a list"),
    (
        header_with(rules={**json.loads(readme_log()[0])["rules"], "opening": []}),
        "line 2: step 1 cannot have happened: day 1 has to end first",
    ),
    ([readme_log()[0], '{"undo": ' + "9" * 5000 + "}"], "line 2: .*digits"),
    ([readme_log()[0], readme_log()[2]], "line 2: step 2 stands where step 1"),
    ([readme_log()[0], '{"undo": 1}'], "cannot undo 1 steps; there are 0"),
    ([readme_log()[0], '{"step": 1, "events": []}'], "not empty"),
    ([readme_log()[0], '{"step": 1, "events": [3]}'], "the event 3 is not an object"),
)
def test_a_broken_log_is_refused_with_its_line(lines, reason):
    with pytest.raises(FormatError, match=reason):
        replay(signed(lines))


def test_a_header_with_a_wrong_checksum_or_none_is_refused():
    value = json.loads(readme_log()[0])
    for check, reason in (("0", "the checksum '0'"), (None, "no checksum")):
        header = {key: given for key, given in {**value, "check": check}.items() if given is not None}
        with pytest.raises(FormatError, match=f"line 1: it has {reason} .*the line was edited"):
            replay([json.dumps(header)])


def test_a_log_edited_with_an_editor_is_read():
    lines = readme_log()
    text = "\r\n".join([lines[0], "", *lines[1:], ""])
    assert len(read_log(text.split("\n")).steps) == len(lines) - 1


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(line_of(readme_log(), 1, actor="Zed")) + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"g\.jsonl, line 2: step 1"):
        replay(path)
    with pytest.raises(FormatError), LogFile.open(path):
        pass
    with pytest.raises(UnknownNameError):
        replay(readme_log()).refusal("Zed", "vision")


PLAYER = """
import sys
from pathlib import Path
from kripke_werewolf.games.werewolf import LogFile, QuantumWerewolf
path = Path(sys.argv[1])
if path.exists():
    log = LogFile.open(path)
else:
    log = LogFile.create(path, QuantumWerewolf([f"P{i}" for i in range(7)], wolves=2, rules="cisra"))
print("ready", len(log.game.steps), flush=True)
while True:
    game = log.game
    if game.verdict is not None:
        game = log.write(game.at(0))
    elif game.phase.kind == "vote":
        game = log.write(game.vote_off(list(game.alive[:2])))
    else:
        player, actions = next(iter(game.may_act.items()), (None, ()))
        if player is None:
            game = log.write(game.end_phase())
        elif actions[0] == "vision":
            game = log.write(game.vision(player, game.legal_targets(player, "vision")[0]))
        else:
            game = log.write(game.attack(player, game.legal_targets(player, "attack")[0]))
    print("done", path.read_text(encoding="utf-8").splitlines()[-1], flush=True)
"""


def test_a_killed_program_loses_nothing_it_acknowledged(tmp_path):
    path = tmp_path / "g.jsonl"
    chance = random.Random(20)
    for _ in range(5):
        output, printing = os.pipe()
        with open(os.devnull, encoding="utf-8") as nothing:
            child = Program(("-c", PLAYER, str(path)), (nothing.fileno(), printing, printing), cwd=tmp_path)
        os.close(printing)
        with open(output, encoding="utf-8") as screen:
            wanted = chance.randrange(1, 40)
            acknowledged = [screen.readline() for _ in range(wanted + 1)]
            child.kill()
            acknowledged += screen.readlines()
        last = acknowledged[-1] if acknowledged[-1].endswith("\n") else acknowledged[-2]
        with LogFile.open(path) as log:
            lines = path.read_text(encoding="utf-8").splitlines()
            game = log.game
        if last.startswith("done {"):
            kept = last.removeprefix("done ").rstrip("\n")
            assert kept in lines[-2:]  # one more step may have been written but not acknowledged
        assert replay(path) == game


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
@pytest.mark.parametrize("before", [None, 0o644])
def test_a_log_is_only_for_its_owner(tmp_path, before):
    path = tmp_path / "g.jsonl"
    if before is not None:  # left empty by a program that was killed
        path.touch(before)
    with LogFile.create(path, QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)):
        assert {oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()} == {"0o600"}
        assert len(list(tmp_path.iterdir())) == 2  # with its lock
