"""The game master's table: what is noted and resolved, house rules, undo, the log's choices."""

import pytest

from kripke_werewolf import FormatError, GameError, IllegalMove, LogFile, QuantumWerewolf, replay
from kripke_werewolf.games.werewolf.events import Attack, Vision
from kripke_werewolf.games.werewolf.log import HouseRules, PhaseChoice
from kripke_werewolf.play.console.commands import parse_command, submitted
from kripke_werewolf.play.tabletop import MASTER, Keeper
from tests.logs import signed

FOUR = ["Alice", "Bob", "Craig", "David"]


def session_of(tmp_path, rules="straat", house=None, players=FOUR, **settings):
    game = QuantumWerewolf(players, rules=rules, rng=1, **settings)
    return keeper_on(LogFile.create(tmp_path / "g.jsonl", game), house)


def keeper_on(log, house=None, seed=1):
    return Keeper(log, MASTER, house=house or HouseRules(), seed=seed)


def do(session, line):
    answer = session.submit(None, submitted(parse_command(line, session.game.setup)))
    if not answer.accepted:
        raise IllegalMove(answer.text)
    return answer


def play(session, text):
    return [do(session, line) for line in text.strip().splitlines()]


NIGHT = """
vision Alice Bob as wolf
attack Alice Craig
attack Bob Alice
vision Bob Bob
vision David Alice
attack David Bob
vision Craig David
"""


def test_a_night_is_worked_off_in_the_order_of_the_rules(tmp_path):
    session = session_of(tmp_path, numbers=[3, 1, 4, 2])
    noted = play(session, NIGHT)
    assert all(done.text and not done.messages for done in noted)
    assert session.game.steps == ()
    assert session.sitting.to_choose == {"Craig": ("attack",)}
    done = do(session, "attack Craig David")
    assert done.ended
    acts = [(e.actor, type(e)) for e in session.game.events if isinstance(e, (Vision, Attack))]
    assert acts == [(name, kind) for name in ("Bob", "David", "Alice", "Craig") for kind in (Vision, Attack)]
    assert "You look at Bob and see: wolf." in [m.text for m in done.messages if m.to == "Alice"]


def test_a_random_order_comes_from_the_seed(tmp_path):
    orders = set()
    for seed in range(8):
        path = tmp_path / f"{seed}"
        path.mkdir()
        game = QuantumWerewolf(FOUR, rules="gekka", rng=1)
        session = keeper_on(LogFile.create(path / "g.jsonl", game), seed=seed)
        play(session, "vision Alice Bob\nvision Bob Alice\nvision Craig Bob\nvision David Bob")
        orders.add(tuple(e.actor for e in session.game.events if isinstance(e, Vision)))
    assert len(orders) > 3


def test_where_the_order_does_not_matter_moves_are_made_at_once(tmp_path):
    session = session_of(tmp_path, "cisra")
    (done,) = play(session, "vision Bob Alice as evil")
    assert [str(m) for m in done.messages] == ["[Bob] You look at Alice and see: evil."]
    assert len(session.game.steps) == 1


@pytest.mark.parametrize(
    ("rules", "moves", "refused", "reason"),
    [
        ("straat", "", "vision Alice Bob as villain", "cannot show 'villain'"),
        ("straat", "vision Alice Bob", "end", "7 choices are missing"),
        ("cisra", "vision Alice Bob", "vision Alice Bob", "already used or declined"),
        ("cisra", "", "vision Alice Alice", "allow no vision on oneself"),
        ("cisra", "", "attack Alice Bob", "there are no attacks in night 1, visions"),
        ("cisra", "end\nvote Bob as villager", "attack Alice Bob", "Bob is dead"),
        ("cisra", "end", "vote Bob as seen", "unknown role 'seen'; did you mean 'seer'"),
        ("cisra", "end\nvote Bob as alpha", "vote Alice", "the game is over"),
        ("gekka", "", "attack Alice Bob", "there are no attacks on the first night"),
        ("cisra", "", "undo", "cannot take back 1 step: the game has 0 steps"),
        ("cisra", "", "undo phase", "nothing to undo"),
        ("cisra", "end", "undo 2", "cannot take back 2 steps: the game has 1 step"),
        ("cisra", "end", "undo 0", "cannot take back 0 steps; give a number of at least 1"),
    ],
)
def test_refused_moves_change_nothing(tmp_path, rules, moves, refused, reason):
    session = session_of(tmp_path, rules)
    play(session, moves)
    before = (tmp_path / "g.jsonl").read_bytes(), session.game, session.sitting.choices
    with pytest.raises((GameError, LookupError), match=reason):
        play(session, refused)
    assert ((tmp_path / "g.jsonl").read_bytes(), session.game, session.sitting.choices) == before


def test_missing_choices_by_the_house_rules(tmp_path):
    for missing, steps in (("pass", 1 + 1), ("random", 8)):
        path = tmp_path / missing
        path.mkdir()
        session = session_of(path, house=HouseRules(missing=missing))
        play(session, "vision Alice Bob\nend")
        assert str(session.game.phase) == "day 1"
        assert len(session.game.steps) == steps
    session = session_of(tmp_path)
    play(session, "vision Alice Bob")
    with pytest.raises(IllegalMove, match="'end pass' continues without"):
        play(session, "end")
    play(session, "end pass")
    assert ("Alice", "attack") in session.game.events[-1].missing


def test_missing_actions_where_moves_are_made_at_once(tmp_path):
    session = session_of(tmp_path, "cisra", house=HouseRules(missing="random"))
    play(session, "end\nend\nattack Alice Bob\nend")
    assert sum(isinstance(e, Attack) for e in session.game.events) == 4
    assert not any(isinstance(e, Vision) for e in session.game.events)


def test_ties(tmp_path):
    session = session_of(tmp_path, "cisra", house=HouseRules(ties="village"))
    play(session, "end")
    with pytest.raises(IllegalMove, match="the village decides"):
        play(session, "burn Alice Bob")
    (tmp_path / "lot").mkdir()
    session = session_of(tmp_path / "lot", "cisra", house=HouseRules())
    _, done = play(session, "end\nburn Alice Bob")
    assert "The vote is tied between Alice and Bob; the lot decides." in done.messages[0].text


def test_undo(tmp_path):
    session = session_of(tmp_path)
    play(session, NIGHT)
    play(session, "undo")
    assert session.sitting.to_choose == {"Craig": ("vision", "attack")}
    play(session, "vision Craig Alice\nattack Craig Alice")
    assert len(session.game.steps) == 8
    play(session, "lynch David as wolf\nundo")
    assert str(session.game.phase) == "day 1"
    play(session, "undo phase")
    assert (session.game.steps, session.sitting.choices) == ((), ())
    play(session, "vision Alice Bob\nattack Alice Bob\nundo phase")
    assert len(session.sitting.to_choose) == 4
    assert replay(tmp_path / "g.jsonl") == session.game


# choices in the log


def test_a_night_that_was_half_written_is_finished(tmp_path):
    """Killed while a night was written: who has acted is not asked again, the others' choices are kept."""
    session = session_of(tmp_path)
    play(session, NIGHT + "attack Craig David")
    session.log.close()
    lines = (tmp_path / "g.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if '"step"' in line)
    (tmp_path / "g.jsonl").write_text("".join(lines[: first + 3]) + lines[first + 3][:20], encoding="utf-8")
    with LogFile.open(tmp_path / "g.jsonl") as log:
        assert "half written" in log.recorded.notice
        again = keeper_on(log)
        acted = {(e.actor, type(e).__name__.lower()) for e in again.game.events}
        assert len(acted) == 3
        assert acted.isdisjoint((c.actor, c.action) for c in again.sitting.choices)
        assert again.sitting.to_choose == {"Craig": ("attack",)}
        play(again, "attack Craig David")
        assert str(again.game.phase) == "day 1"


def with_lines(tmp_path, *lines):
    session_of(tmp_path).log.close()
    path = tmp_path / "g.jsonl"
    written = path.read_text(encoding="utf-8").splitlines()
    path.write_text("".join(f"{line}\n" for line in signed([*written, *lines])), encoding="utf-8")
    return path


def test_impossible_choices_are_refused(tmp_path):
    bob = '{"chosen": {"actor": "Bob"'
    for number, (line, reason) in enumerate(
        (
            (
                bob.replace("Bob", "Zed") + ', "action": "attack", "target": "Bob"}}',
                "the attack of Zed: unknown player",
            ),
            (f'{bob}, "action": "attack", "target": "Zed"}}}}', "the attack of Bob: unknown player 'Zed'"),
            (f'{bob}, "action": "bite", "target": "Zed"}}}}', "action='bite' .*'vision', 'attack'"),
            (f"{bob}}}}}", "a choice lacks 'action'"),
            ('{"chosen": 3}', "the choice 3 is not an object"),
            (f'{bob}, "action": "attack", "target": 3}}}}', "the target of a choice cannot be 3"),
            (f'{bob}, "action": "attack", "mood": "grim"}}}}', "a choice has no 'mood'"),
            ('{"withdrawn": {"actor": "Bob", "action": "attack"}}', "'Bob' has chosen no attack"),
            (
                '{"step": 1, "events": [{"event": "phase_ended", "kind": "night", "number": 1}]}',
                "step 1 cannot have happened",
            ),
        )
    ):
        place = tmp_path / str(number)
        place.mkdir()
        with pytest.raises(FormatError, match=reason):
            LogFile.open(with_lines(place, line))


def test_a_choice_for_another_phase_is_refused(tmp_path):
    session = session_of(tmp_path)
    play(session, "end pass")
    session.log.write(session.game, (PhaseChoice("Bob", "attack", "Alice"),))
    session.log.close()
    with pytest.raises(FormatError, match="there is no attack in day 1"):
        LogFile.open(tmp_path / "g.jsonl")


def test_choices_are_taken_back_by_an_undo(tmp_path):
    session = session_of(tmp_path)
    play(session, "end pass\nlynch Bob as wolf")
    session.log.write(session.game, (PhaseChoice("Alice", "vision", "Craig"),))
    session.log.write(session.game.at(1))
    assert session.log.recorded.choices == ()
