from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.bit_transmission import transmission
from kripke_werewolf import FormulaError, GameError, IllegalMove, UnknownAtomError, UnknownNameError, parse
from kripke_werewolf.games import (
    Anything,
    Cases,
    End,
    Game,
    Happening,
    Program,
    simulate,
    solve,
    wilson,
)
from tests.cases import cases, each
from tests.games.programs.random_games import FORMULAS, Small, strategies

# --- solved, simulated, enumerated ------------------------------------------------------------------


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_random_games_are_simulated_as_solved(seed: int) -> None:
    program = Program(Small(seed), strategies(seed))
    exact, counted = solve(program), simulate(program, 4000, rng=seed)
    for outcome, p in exact.weights.items():
        low, high = wilson(counted.weights.get(outcome, 0), 4000, confidence=0.99999)
        assert low <= float(p) <= high


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000))
def test_players_with_probabilities_are_calibrated(seed: int) -> None:
    """The mean of a player's probability is the probability, since they know chances and strategies."""
    solution = solve(Program(Small(seed, probable=True), strategies(seed)))
    for moment in solution.moments:
        for player in "ab":
            assert solution.expected(player, "p", at=moment) == solution.probability("p", at=moment)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(FORMULAS))
def test_measurements_agree_with_the_model_checker_along_plays(seed: int, formula: str) -> None:
    program = Program(Small(seed), strategies(seed))
    played = program.play(rng=seed)
    solution = solve(program)
    for state in played.states:
        assert state in solution.states
        model = state.knowledge.model
        assert state.knowledge.holds(parse(formula), state.world) == model.holds(formula, at=state.world)
    assert str(played).endswith(f"The end: {played.outcome}")


# --- a game with noise ----------------------------------------------------------------------------


class Guess(Game):
    """a sees one of two coins, hears b's signal about the other, and guesses whether they are equal."""

    name = "guess"
    players = ("a", "b")

    def __init__(self, noise: Fraction = Fraction(1, 4)) -> None:
        self.noise = noise

    def deals(self):
        return [(x, y) for x in (0, 1) for y in (0, 1)]

    def atoms(self, world):
        return [name for name, coin in zip("xy", world, strict=True) if coin]

    def vocabulary(self):
        return "xy"

    def sees(self, player, world):
        return world["ab".index(player)]

    def decides(self, now, world):
        return {"b": (0, 1)} if now == 1 else {"a": ("equal", "different")}

    def after(self, now, world, moves):
        if now == 1:
            return {
                Happening(world, 2, (("a", moves["b"]),)): 1 - self.noise,
                Happening(world, 2, (("a", 1 - moves["b"]),)): self.noise,
            }
        return End((moves["a"] == "equal") == (world[0] == world[1]))


# --- the instances --------------------------------------------------------------------------------


def test_the_bit_is_never_common_knowledge() -> None:
    solution = solve(transmission(rounds=4))
    assert solution.probability("Kw_R bit", at="round 4") == Fraction(7, 8)
    assert solution.probability("K_S Kw_R bit", at="round 4") == Fraction(1, 2)
    assert set(solution.timeline("K_R K_S Kw_R bit").values()) == {0}
    assert set(solution.timeline("C_{R,S} Kw_R bit").values()) == {0}
    assert solution.first("K_S Kw_R bit") == {
        "round 3": Fraction(1, 4),
        "round 4": Fraction(1, 4),
        None: Fraction(1, 2),
    }
    assert solution.expected("S", "received", at="round 3") == solution.probability("received", at="round 3")
    with pytest.raises(UnknownNameError, match="round 9"):
        solution.probability("bit", at="round 9")


def test_without_losses_everything_arrives() -> None:
    assert solve(transmission(rounds=2, loss=0)).weights == {"acknowledged": 1}


# --- what is refused ------------------------------------------------------------------------------


@cases(
    (Cases({"K_b x": 1}, otherwise=0), "they neither know to be true nor know to be false"),
    (Cases({"x": 1}, otherwise=0), "decides by x"),
    (Cases({"z": 1}, otherwise=0), "unknown atom 'z'"),
    (Cases({}, otherwise=5), "answers 5; allowed are 0, 1"),
    (Cases({}, otherwise={0: 1}), "answers .0: 1.; allowed are 0, 1, and choose"),
    (lambda *asked: 1 / 0, "ZeroDivisionError"),
)
def test_a_strategy_that_breaks_a_rule_is_named(strategy, said: str) -> None:
    if said.startswith("they"):
        strategy = Cases({"M_a x & x": 1}, otherwise=0)
    with pytest.raises(IllegalMove, match=f"guess, step 1: player b .*{said}"):
        solve(Program(Guess(), {"a": Anything(), "b": strategy}))


def test_moves_that_a_player_cannot_know_are_refused() -> None:
    class Unfair(Guess):
        def decides(self, now, world):
            return {"b": (0, 1) if world[0] else (0,)} if now == 1 else super().decides(now, world)

    with pytest.raises(GameError, match="looks the same to them"):
        solve(Program(Unfair(), {"a": Anything(), "b": Anything()}))


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(GameError, match="no strategy for b"):
        Program(Guess(), {"a": Anything()})
    with pytest.raises(GameError, match="no player c"):
        Program(Guess(), {"a": Anything(), "b": Anything(), "c": Anything()})
    with pytest.raises(GameError, match="cannot be called"):
        Program(Guess(), {"a": Anything, "b": Anything()})
    with pytest.raises(GameError, match="probable = True"):
        solve(Program(Guess(), {"a": Anything(), "b": Anything()})).expected("a", "y", at="step 2")


class Waiting(Guess):
    """The signal gets through at last: a game with a cycle."""

    def after(self, now, world, moves):
        if now == 1:
            return {Happening(world, 1): Fraction(2, 3), Happening(world, 2): Fraction(1, 3)}
        return super().after(now, world, moves)


class Endless(Guess):
    def after(self, now, world, moves):
        return Happening(world, 1)


def test_games_with_cycles_are_solved_if_they_end() -> None:
    playing = {"a": Anything(), "b": Anything()}
    solution = solve(Program(Waiting(), playing))
    assert solution.weights == {True: Fraction(1, 2), False: Fraction(1, 2)}
    assert solution.reached("step 2") == 1
    with pytest.raises(GameError, match="never end"):
        solve(Program(Endless(), playing))


# --- what a game may return ---------------------------------------------------------------------------


class Told(Game):
    """b may be told the deal at step 1, and says at step 2 whether they know it."""

    name = "told"
    players = ("a", "b")

    def __init__(self, **returns: object) -> None:
        self.returns = returns

    def deals(self):
        return self.returns.get("deals", ["x", "y"])

    def start(self):
        return self.returns.get("start", 1)

    def atoms(self, world):
        return [world]

    def vocabulary(self):
        return "xy"

    def sees(self, player, world):
        return self.returns.get("sees")

    def decides(self, now, world):
        return {self.returns.get("decides", "b"): ("yes", "no")} if now == 2 else {}

    def after(self, now, world, moves):
        seen = self.returns.get("seen", (("b", world),))
        return Happening(world, 2, seen) if now == 1 else End(self.returns.get("end", moves["b"]))


KNOWING = {"a": Anything(), "b": Cases({"Kw_b x": "yes"}, otherwise="no")}


@cases(
    ({"deals": [["x"]]}, r"told: deals\(\) returns \['x'\], which cannot be used \(unhashable"),
    ({"start": {}}, r"told: start\(\) returns {}, which cannot be used"),
    ({"sees": ["x"]}, r"told: sees\(\) returns \['x'\]"),
    ({"end": {}}, r"told: after\(\) returns End\(outcome={}\)"),
    ({"seen": (("b", ["x"]),)}, r"told: after\(\) returns .*unhashable type: 'list'"),
    ({"seen": ("b", "x")}, "told: .* expected a tuple of pairs"),
    (
        {"seen": (("B", "x"),)},
        r"told: after\(\) returns seen=.*'B'.* expected a tuple of pairs .*players are 'a', 'b'",
    ),
    ({"decides": "B"}, r"told: decides\(\) names 'B', who is not a player"),
)
def test_the_method_that_returns_a_wrong_value_is_named(returns, said: str) -> None:
    with pytest.raises(GameError, match=said):
        solve(Program(Told(**returns), KNOWING))


def test_players_whose_names_are_one_agent_are_refused() -> None:
    class Twins(Told):
        players = (1, "1")

    with pytest.raises(GameError, match="have the same name"):
        Program(Twins(), {1: Anything(), "1": Anything()})


def test_several_observations_in_one_step_all_count() -> None:
    class Noisy(Told):
        def after(self, now, world, moves):
            found = super().after(now, world, moves)
            return found._replace(seen=(*found.seen, ("b", "a sound"))) if now == 1 else found

    assert solve(Program(Noisy(), KNOWING)).weights == {"yes": 1}
    assert solve(Program(Told(seen=(("b", "a sound"),)), KNOWING)).weights == {"no": 1}


def test_outcomes_that_do_not_occur_have_share_0() -> None:
    program = Program(Told(), KNOWING)
    for result in (solve(program), simulate(program, 10, rng=1)):
        assert (result.share("yes"), result.share("no")) == (1, 0)


@each(["K_b ~<>x", "[]x", "□x"])
def test_there_are_no_operators_of_time(text: str) -> None:
    class Alone(Told):
        players = ("b",)

    with pytest.raises(IllegalMove, match="no operators of time"):
        solve(Program(Alone(), {"b": Cases({text: "yes"}, otherwise="no")}))
    solution = solve(Program(Alone(), {"b": KNOWING["b"]}))
    for measure in (solution.timeline, solution.first, lambda f: solution.probability(f, at="step 1")):
        with pytest.raises(FormulaError, match="no operators of time"):
            measure(text)
    assert solution.timeline("M x") == solution.timeline("M_b x")


class Rounds(Game):
    """A player is told the deal in the third step; all steps have one name."""

    players = ("a",)

    def start(self):
        return "round"

    def deals(self):
        return ["x", "y"]

    def atoms(self, world):
        return world[:1]

    def sees(self, player, world):
        return None

    def decides(self, now, world):
        return {"a": ("go",)}

    def moment(self, now):
        return now

    def after(self, now, world, moves):
        seen = (("a", world),) if len(world) == 2 else ()
        return End("end") if len(world) == 3 else Happening(f"{world}.", "round", seen)


def test_of_the_states_of_one_moment_the_first_counts() -> None:
    solution = solve(Program(Rounds(), {"a": Anything()}))
    assert solution.timeline("Kw_a x") == {"round": 0}
    assert solution.first("x") == {"round": Fraction(1, 2), None: Fraction(1, 2)}
    assert solution.first("Kw_a x") == {"round": 1}


def test_atoms_once_true_stay_known() -> None:
    class Fading(Rounds):
        def atoms(self, world):
            return [world] if len(world) == 1 else []

    asked = Cases({"K_a ~x": "go"}, otherwise="go")
    solution = solve(Program(Fading(), {"a": Anything()}))
    assert solution.timeline("x") == {"round": Fraction(1, 2)}
    assert solve(Program(Fading(), {"a": asked})).weights == {"end": 1}
    with pytest.raises(UnknownAtomError, match="unknown atom 'z'"):
        solution.timeline("z")
