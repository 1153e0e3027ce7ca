"""Random evenings: players choose, change, repeat requests, come late, leave; the power goes.

Whatever happens, the log replays to the game, a phase is resolved as the game's own moves resolve it, and the
views are those of a sitting that was never interrupted.
"""

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kripke_werewolf import QuantumWerewolf, preset, replay
from kripke_werewolf.errors import IllegalMove
from kripke_werewolf.tabletop import (
    DEVICE,
    PHONES,
    Archive,
    Away,
    Choose,
    EndPhase,
    Keeper,
    Pause,
    Undo,
    Vote,
    VoteOff,
    Withdraw,
    player_view,
    public_view,
    view_bytes,
)
from kripke_werewolf.werewolf import LogFile
from kripke_werewolf.werewolf.draws import Chance
from kripke_werewolf.werewolf.events import Refused
from kripke_werewolf.werewolf.log import HouseRules

NAMES = ["Ann", "Bo", "Cy", "Di"]
SEED = 3


class Evening(RuleBasedStateMachine):
    """A table with four players, on a log."""

    @initialize(
        rules=st.sampled_from(["cisra", "gekka", "straat"]),
        deal=st.sampled_from(["quantum", "classical"]),
        manner=st.sampled_from([PHONES, DEVICE]),
        ballot=st.sampled_from(["spoken", "open", "secret"]),
        ties=st.sampled_from(["lot", "village", "nobody"]),
        missing=st.sampled_from(["remind", "pass", "random"]),
        absent=st.sampled_from(["wait", "pass", "random"]),
        limit=st.sampled_from([None, 30]),
    )
    def begin(self, rules, deal, manner, ballot, ties, missing, absent, limit):
        self.folder = tempfile.mkdtemp()
        self.path = Path(self.folder) / "g.jsonl"
        numbers = "shuffled" if preset(rules).table == "anonymous" else None
        game = QuantumWerewolf(NAMES, rules=rules, deal=deal, wolves=1, numbers=numbers, rng=SEED)
        house = HouseRules(
            ties=ties,
            missing=missing,
            ballot=ballot,
            absent=absent,
            night_seconds=limit,
            day_seconds=limit,
        )
        self.log = LogFile.create(self.path, game)
        self.keeper = Keeper(self.log, manner, house=house, seed=SEED)
        self.manner, self.now, self.number = manner, 0.0, 0
        self.last = None

    def teardown(self):
        if hasattr(self, "log"):
            self.log.close()
            shutil.rmtree(self.folder)

    def submit(self, seat, command, moment=None):
        """Submit a command; whatever it did to the game, the game's own moves do too."""
        before, self.number = self.keeper.sitting, self.number + 1
        self.now += 1
        answer = self.keeper.submit(seat, command, request=str(self.number), moment=moment, now=self.now)
        self.last = seat, command, str(self.number), answer
        after = self.keeper.sitting
        if not answer.accepted:
            refusals = after.game.steps[len(before.game.steps) :]
            assert all(isinstance(step[0], Refused) for step in refusals)
            assert not refusals or (isinstance(command, Choose) and command.action == "attack")
        elif isinstance(command, Choose) and before.game.phase != after.game.phase:
            self.check_resolved(before, after, command)
        return answer

    def check_resolved(self, before, after, last):
        """Check a phase that ended because everybody had chosen against `QuantumWerewolf.act`."""
        chosen = {(c.actor, c.action): c.target for c in before.choices}
        chosen[last.actor, last.action] = last.target
        may = before.game.may_act
        actions = {}
        for (name, action), target in chosen.items():
            if action in may.get(name, ()) and target is not None:
                actions.setdefault(name, {})[action] = target
        if before.house.absent == "random" and before.flow.away:
            return  # the lot has chosen for them
        game = before.game.with_draw(Chance(SEED, len(before.game.steps) << 20))
        try:
            expected = game.act(actions, missing="pass")
        except IllegalMove:
            return  # a choice that the others' moves have made impossible
        if not any(c.result is not None for c in before.choices):
            assert expected == after.game

    # what people do

    @rule(data=st.data())
    def choose(self, data):
        name = data.draw(st.sampled_from(NAMES))
        action = data.draw(st.sampled_from(["vision", "attack"]))
        target = data.draw(st.sampled_from([*NAMES, None]))
        self.submit(name, Choose(name, action, target))

    @precondition(lambda self: self.keeper.sitting.open)
    @rule(data=st.data())
    def choose_well(self, data):
        sitting = self.keeper.sitting
        name, action = data.draw(st.sampled_from(sitting.open))
        target = data.draw(st.sampled_from([other for other in sitting.game.alive if other != name]))
        answer = self.submit(name, Choose(name, action, target))
        paused = sitting.flow.paused
        assert answer.accepted or paused or target in self.keeper.sitting.refused(name)

    @rule(name=st.sampled_from(NAMES), action=st.sampled_from(["vision", "attack", None]))
    def withdraw(self, name, action):
        self.submit(name, Withdraw(name, action))

    @precondition(lambda self: self.keeper.game.phase.kind == "vote")
    @rule(name=st.sampled_from(NAMES), other=st.sampled_from([*NAMES, None]))
    def vote(self, name, other):
        self.submit(name, Vote(name, other))

    @rule(players=st.lists(st.sampled_from(NAMES), min_size=1, max_size=2))
    def vote_off(self, players):
        self.submit(None, VoteOff(tuple(players)))

    @rule(missing=st.sampled_from([None, "pass", "random"]))
    def end(self, missing):
        self.submit(None, EndPhase(missing))

    @rule(count=st.integers(1, 3), phase=st.booleans())
    def undo(self, count, phase):
        self.submit(None, Undo(count, phase))

    @rule(paused=st.booleans())
    def pause(self, paused):
        self.submit(None, Pause(paused))
        self.submit(None, Pause(False))

    @rule(name=st.sampled_from(NAMES), away=st.booleans())
    def leave(self, name, away):
        self.submit(None, Away(name, away))

    @rule(seconds=st.sampled_from([1, 40]))
    def wait(self, seconds):
        self.now += seconds
        self.keeper.tick(self.now)

    @precondition(lambda self: self.last is not None)
    @rule()
    def repeat(self):
        """A double tap, or an answer that was lost on its way."""
        seat, command, request, answer = self.last
        before, size = self.keeper.sitting, self.path.stat().st_size
        assert self.keeper.submit(seat, command, request=request, now=self.now) == answer
        assert self.keeper.sitting is before
        assert self.path.stat().st_size == size

    @rule(name=st.sampled_from(NAMES))
    def come_late(self, name):
        before = self.keeper.sitting
        answer = self.submit(name, Choose(name, "vision", "Ann"), moment=f"{before.flow.era - 1}.0.0.1")
        assert "look again" in answer.text
        assert (self.keeper.sitting.choices, self.keeper.game) == (before.choices, before.game)

    @rule(cut=st.integers(0, 30))
    def kill(self, cut):
        """Kill the program, perhaps while it writes the last line, and start it again."""
        before = self.keeper.sitting
        views = [view_bytes(self.keeper.player_view(name)) for name in NAMES]
        self.log.close()
        content = self.path.read_bytes()
        whole = content[: content.rindex(b"\n", 0, -1) + 1]
        half = 0 < cut < len(content) - len(whole) and whole.count(b"\n") > 1
        if half:
            self.path.write_bytes(content[: len(whole) + cut])
        self.log = LogFile.open(self.path)
        self.keeper = Keeper(self.log, self.manner)
        if not half:
            assert self.keeper.sitting == before
            assert [view_bytes(self.keeper.player_view(name)) for name in NAMES] == views
        else:
            self.last = None

    # what always holds

    @invariant()
    def the_log_is_the_truth(self):
        if not hasattr(self, "keeper"):
            return
        sitting = self.keeper.sitting
        assert replay(self.path) == sitting.game
        assert self.log.choices == sitting.choices
        fresh = Archive()
        for name in NAMES:
            assert self.keeper.player_view(name) == player_view(sitting, name, fresh)
        assert self.keeper.public_view() == public_view(sitting, fresh)
        if sitting.game.phase.kind != "vote" and sitting.game.verdict is None:
            living = set(sitting.game.alive)
            assert {name for name, _ in sitting.open} <= living
            assert self.keeper.public_view()["waiting"] == len(sitting.waiting_for)


Evening.TestCase.settings = settings(
    max_examples=15,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestEvening = Evening.TestCase
