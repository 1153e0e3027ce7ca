"""What must not change an evening: the order of answers, breaks, undo. No screen contradicts itself."""

import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import DEVICE, PHONES, Choose, EndPhase, Keeper, Undo, Vote, VoteOff
from kripke_werewolf.play.tabletop.commands import Command
from kripke_werewolf.play.tabletop.views import view_bytes
from tests.play.console.terminal import Listed

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")
seeds = st.integers(0, 100_000)
ballots = st.sampled_from(["spoken", "open", "secret"])
tables = st.builds(
    dict,
    rules=st.sampled_from(["gekka", "cisra", "straat"]),
    deal=st.sampled_from(["quantum", "classical"]),
    wolves=st.integers(1, 2),
)


@contextmanager
def evening(table: dict[str, Any], manner: Any, seed: int, **house: Any) -> Iterator[Keeper]:
    numbers = "shuffled" if table["rules"] == "gekka" else None
    game = QuantumWerewolf(NAMES, rng=seed, numbers=numbers, **table)
    with TemporaryDirectory() as place, LogFile.create(Path(place, "g.jsonl"), game) as log:
        yield Keeper(log, manner, house=HouseRules(missing="pass", **house), seed=seed)


@contextmanager
def reopened(keeper: Keeper) -> Iterator[Keeper]:
    """The evening as another program would read it from the disk now."""
    with TemporaryDirectory() as place:
        path = Path(place, "g.jsonl")
        path.write_bytes(keeper.log.path.read_bytes())
        with LogFile.open(path) as log:
            yield Keeper(log, keeper.sitting.manner)


def answers(keeper: Keeper, rng: random.Random) -> list[Command]:
    """Return what the players answer in this phase, or what the village decides."""
    sitting, game, found = keeper.sitting, keeper.game, list[Command]()
    if game.phase.kind == "vote":
        if sitting.house.ballot == "spoken":
            names = rng.sample(game.alive, rng.randint(0, 1))
            return [VoteOff(tuple(names)) if names else EndPhase()]
        return [Vote(name, rng.choice([*sitting.candidates, None])) for name in game.alive]
    for name, actions in sitting.slots.items():
        asked = {ask["action"]: ask for ask in keeper.player_view(name)["ask"]}
        for action in actions:
            targets = [*asked[action]["targets"], *([None] if asked[action]["may_decline"] else [])]
            if targets:
                found.append(Choose(name, action, rng.choice(targets)))
    return found


def sender(command: Command) -> str | None:
    return (
        command.actor if isinstance(command, Choose) else command.voter if isinstance(command, Vote) else None
    )


def play_phase(keeper: Keeper, commands: list[Command]) -> None:
    """Submit what is answered while the moment lasts, and end the phase if it is still there."""
    moment = keeper.sitting.moment
    for command in commands:
        if keeper.sitting.moment == moment:
            keeper.submit(sender(command), command)
    if keeper.sitting.moment == moment:
        keeper.submit(None, EndPhase("pass"))


@given(tables, ballots, seeds, st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_the_order_in_which_phones_answer_means_nothing(table, ballot, seed: int, order) -> None:
    rng = random.Random(seed)
    with (
        evening(table, PHONES, seed, ballot=ballot) as one,
        evening(table, PHONES, seed, ballot=ballot) as other,
    ):
        for _ in range(4):
            if one.game.verdict is not None:
                break
            commands = answers(one, rng)
            play_phase(one, commands)
            play_phase(other, order.sample(commands, len(commands)))
            for name in NAMES:
                assert view_bytes(one.player_view(name)) == view_bytes(other.player_view(name))


@given(tables, ballots, seeds)
@settings(max_examples=10)
def test_what_is_taken_back_and_done_again_is_the_same(table, ballot, seed: int) -> None:
    rng = random.Random(seed)
    with evening(table, PHONES, seed, ballot=ballot) as keeper:
        for _ in range(3):
            if keeper.game.verdict is not None:
                break
            commands, before = answers(keeper, rng), keeper.game
            play_phase(keeper, commands)
            after = keeper.game
            if after == before:  # a tie: the village votes again
                continue
            assert keeper.submit(None, Undo()).accepted
            if keeper.game == before:
                play_phase(keeper, commands)
                assert keeper.game == after


class Villager:
    """Answers at random on the shared device, until it stops at a prompt of everybody's screen."""

    def __init__(self, keeper: Keeper, seed: int, stop: int) -> None:
        self.keeper, self.chance, self.left = keeper, random.Random(seed), stop
        self.then: list[str] = []

    def __call__(self, prompt: str, terminal: Listed) -> str | None:
        names, chance = self.keeper.game.alive, self.chance
        if re.match(r"\nHand the device|(day|night) \d+> |\w+, whom do you vote", prompt):
            self.left -= 1
            if self.left < 0:
                return self.then.pop(0) if self.then else None
            day = not prompt.startswith(("\n", "night"))
            return chance.choice([*names, "end"]) if day else chance.choice(["", "", "", "status"])
        if "hom do you" in prompt or "Name somebody" in prompt:
            return chance.choice([*names, *names, "later", "nobody" if "nobody" in prompt else "help"])
        return ""


@given(
    tables, ballots, seeds, st.integers(1, 12), st.sampled_from(["undo", "undo 2", "undo 3", "undo phase"])
)
def test_undo_after_a_break_is_undo_without(table, ballot, seed: int, stop: int, undo: str) -> None:
    with evening(table, DEVICE, seed, ballot=ballot) as keeper:
        player = Villager(keeper, seed, stop)
        Rounds(keeper, Listed(player)).run()
        assume(keeper.game.verdict is None)
        with ExitStack() as stack:
            again = stack.enter_context(reopened(keeper))
            whole = stack.enter_context(evening(table, DEVICE, seed, ballot=ballot))
            told = []
            for table_, player in ((again, Villager(again, 0, 0)), (whole, Villager(whole, seed, stop))):
                player.then = [undo]
                terminal = Listed(player)
                Rounds(table_, terminal).run()
                told.append(re.findall(r"taken back.*|Refused: .*", "\n".join(terminal.screens))[-1:])
            assert told[0] == told[1]
            assert again.game == whole.game
            assert again.sitting.choices == whole.sitting.choices
            assert again.sitting.flow.votes == whole.sitting.flow.votes
