"""Games whose players may make any moves: their nodes, and what players know there."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.bit_transmission import BitTransmission
from examples.learning.environment import Juncture, Playable
from kripke_werewolf import Atom, GameError
from kripke_werewolf.games import Anything, End, Happening, Program, solve
from tests.games.programs.crew import Crew
from tests.games.programs.random_games import Small
from tests.games.programs.test_program import Waiting


def nothing(end) -> dict[str, float]:
    return {}


def free(game) -> Program:
    return Program(game, {player: Anything() for player in game.players})


def walk(program: Program, table: Playable, rng: random.Random):
    """Yield the nodes of a random play after each step, with the same state of the program."""
    node = table.node(())
    action = rng.choice(node.actions)
    state, node = list(program.starts())[action], node.child(action)
    while not node.ended:
        yield state, node
        chosen: dict = {}
        while node.player is not None and (node.chosen or not chosen):
            action = rng.choice(node.actions)
            chosen[node.player] = node.legal[action]
            node = node.child(action)
        courses = [c for c in program.courses(state) if dict(c.moves) == chosen]
        if node.player is None and node.ways:
            action = rng.choice(node.actions)
            drawn = node.ways[action][0]
            ends = isinstance(drawn, End)
            courses = [c for c in courses if (c.place == drawn.outcome if ends else c.happening == drawn)]
            node = node.child(action)
        (course,) = courses
        state = course.place


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_players_know_what_they_know_in_a_program(seed: int) -> None:
    """Here worlds are excluded step by step; there a model is built."""
    game = Small(seed)
    table, program = Playable(game, nothing, limit=9999), free(game)
    for state, node in walk(program, table, random.Random(seed)):
        assert (state.actual, state.now) == (node.world, node.now)
        knowledge = state.knowledge.with_atoms(table.bounds.atoms)
        for player in game.players:
            cell = knowledge.cell(player, state.world)
            found = [knowledge.settled(Atom(atom), cell) for atom in table.bounds.atoms]
            assert table.known(node, player) == [{True: 1, False: -1, None: 0}[known] for known in found]


def longest(match) -> int:
    """The number of steps of the longest play."""
    places, steps = {*match.starts()}, 0
    while places := {after for s in places if match.is_state(s) for after in match.successors(s)}:
        steps += 1
    return steps


@pytest.mark.parametrize("game", [BitTransmission(rounds=3), Crew(), Small(5)])
def test_the_bounds_are_those_of_the_solution(game) -> None:
    bounds, solution = Playable(game, nothing, limit=99_999).bounds, solve(free(game))
    assert bounds.longest == longest(free(game))
    assert set(bounds.outcomes) == set(solution.weights)
    assert set(bounds.atoms) == {a for s in solution.states for a in s.knowledge.points.valuation}


def test_a_node_is_its_path() -> None:
    """After another process has read it, too, or after others have been forgotten."""
    table = Playable(Small(3), nothing, limit=9999)
    node = table.node(())
    while not node.ended:
        node = node.child(node.actions[-1])
    again = Playable(Small(3), nothing, limit=9999).node(node.path)
    sent: Juncture = pickle.loads(pickle.dumps(node))
    for other in (again, sent):
        assert (other.world, other.seen, other.path) == (node.world, node.seen, node.path)
    assert table.node(()).child(node.path[0]).path == node.path[:1]


class Endless(BitTransmission):
    """S may go on for ever; the steps are numbered."""

    def decides(self, now, world):
        return {"S": ("go", "stop")}

    def after(self, now, world, moves):
        return Happening(world, now + 1) if moves["S"] == "go" else End("received")


def test_a_game_without_an_end_is_refused() -> None:
    with pytest.raises(GameError, match=r"more than 20,000 states.* players may go on for ever"):
        Playable(Endless(), nothing, limit=20_000)
    assert Playable(Waiting(), nothing, limit=20_000).bounds.longest is None


class Unsure(BitTransmission):
    """R may do more if the bit is true, without knowing it."""

    def decides(self, now, world):
        return {"R": ("send", "wait") if world[0] else ("wait",)}

    def after(self, now, world, moves):
        return End("received")


def test_players_must_know_their_moves() -> None:
    table = Playable(Unsure(), nothing, limit=99)
    first, second = (table.node(()).child(action) for action in (0, 1))
    assert first.legal
    with pytest.raises(
        GameError, match=r"R may do (send, )?wait, but (send, )?wait in a situation that looks"
    ):
        _ = second.legal
