"""From a player's information to all histories that explain it, against every history played literally."""

import random
from concurrent.futures import wait
from fractions import Fraction
from itertools import product
from threading import Event

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import Atom, K, QuantumWerewolf
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf import preset
from kripke_werewolf.games.werewolf.budget import Budget, Unfinished
from kripke_werewolf.games.werewolf.engines import under_way
from kripke_werewolf.games.werewolf.inference import answers as answering
from kripke_werewolf.games.werewolf.inference import infer, plan_of
from kripke_werewolf.games.werewolf.inference import search as searching
from kripke_werewolf.games.werewolf.inference import solver as solving
from kripke_werewolf.games.werewolf.inference.answers import find_histories
from kripke_werewolf.games.werewolf.rules import FACTS
from tests.games.werewolf.test_against_reference import variants
from tests.reference.histories import alike, chance_of, hidden_moves, is_certain, made_in, shares
from tests.superposed import moved

cp_model = pytest.importorskip("ortools.sat.python.cp_model")

RULES = {
    "cisra": preset("cisra"),
    "cisra, living seers": preset("cisra", vision_worlds="alive"),
    "cisra, parity": preset("cisra", forced_collapse="parity"),
    "gekka": preset("gekka"),
    "gekka, anonymous": preset("gekka", table="anonymous", show_dead=False),
    "gekka, first attack": preset("gekka", first_attack=True, split_seer=True),
    "straat": preset("straat"),
    "straat, lynching": preset("straat", verdict_after="lynching", bites="script"),
}


def played(rules, players, wolves, seed, moves, targets="secret", seers=1):
    """A random game with a number of moves."""
    chance = random.Random(seed)
    names = ["Ann", "Bo", "Cy", "Di"][:players]
    game = QuantumWerewolf(
        names, wolves=wolves, seers=seers, rules=rules, rng=seed, numbers="shuffled", targets=targets
    )
    for _ in range(moves):
        if game.verdict is not None:
            break
        if game.phase.kind == "vote":
            game = game.vote_off(chance.choice(game.alive)) if chance.random() < 0.8 else game.end_phase()
        elif game.may_act:
            game = moved(game, chance)
        else:
            game = game.end_phase()
    return game


def is_true(fact, seat):
    """A fact of the reference about one player, as a function of a world."""
    wolf = lambda roles: roles[seat] not in ("villager", "seer")  # noqa: E731
    return {
        "wolf": lambda roles, dead: wolf(roles),
        "good": lambda roles, dead: not wolf(roles),
        "seer": lambda roles, dead: roles[seat] == "seer",
        "villager": lambda roles, dead: roles[seat] == "villager",
        "dead": lambda roles, dead: seat in dead,
    }[fact]


def agrees(game, viewer):
    """Whether number, knowledge and probabilities are those of the literal histories."""
    literal = alike(game, viewer)
    if not literal[0].game.worlds:
        with pytest.raises(GameError):
            infer(game.handout(viewer))
        return
    found = infer(game.handout(viewer))
    # others' moves in a running phase are among histories only where these are listed
    searched = isinstance(found.finds[0], searching.Find)
    seen = [history for history in literal if not (searched and hidden_moves(history))]
    facts = {
        f"{fact}_{name}": is_true(fact, seat)
        for seat, name in enumerate(game.players)
        for fact in ("wolf", "good", "seer", "villager", "dead")
    }
    a, b = game.players[:2]
    facts[f"seer_{a} & dead_{b}"] = lambda roles, dead: is_true("seer", 0)(roles, dead) and 1 in dead
    known = chance_of(literal, is_true("wolf", 0)) is not None
    assert found.status == "exact"
    if known:
        assert found.number == len(seen)
        assert set(found.worlds) == {len(history.game.worlds) for history in seen}
    for fact, true in facts.items():
        attacked = any(m[0][2] == "attack" for h in literal for m in hidden_moves(h))
        mortal = fact.rpartition("dead_")[2] not in found.plan.told.dead
        weighed = "dead" not in fact or game.rules.attack == "fractional" or not (attacked and mortal)
        if not weighed:
            with pytest.raises(GameError, match="has no probability"):
                found.chance(fact)
        elif known:
            assert found.chance(fact) == chance_of(literal, true), fact
        for no, opposite in (("", False), ("~", True)):
            certain = is_certain(literal, lambda *world, t=true, o=opposite: t(*world) != o)
            assert (found.ask(f"K_{viewer} {no}({fact})") == "true") == certain, (no, fact)
            assert not weighed or (found.chance(f"{no}({fact})") == 1) == certain, (no, fact)
    agrees_on_moves(game, viewer, found, literal)


def agrees_on_moves(game, viewer, found, literal):
    """Whether knowledge and probabilities of moves, alone and with a fact, are those of the histories."""
    made = {id(history): {*made_in(history, game)} for history in literal}
    every = sorted(set().union(*made.values()))
    weights, chance = shares(literal), random.Random(len(literal))
    for move in chance.sample(every, min(2, len(every))):
        f = Atom(move)
        for no, question in ("", f), ("~", ~f):
            certain = all((move in made[id(h)]) == (not no) for h in literal if h.game.worlds)
            assert (found.ask(K(viewer, question)) == "true") == certain, (no, move)
        if weights is None or under_way(found.plan.told, [move]):
            continue
        seat = chance.randrange(len(game.players))
        wolf = is_true("wolf", seat)
        of_wolf = sum((w for (h, at), w in weights.items() if move in made[id(h)] and wolf(*at)), Fraction(0))
        assert found.chance(f) == sum(w for (h, _), w in weights.items() if move in made[id(h)]), move
        assert found.chance(f & Atom(f"wolf_{game.players[seat]}")) == of_wolf, move


@settings(max_examples=6, deadline=None)
@given(st.sampled_from(list(RULES)), st.integers(0, 2**32), st.integers(1, 9), st.sampled_from([0, 1, 2]))
def test_three_players(rules, seed, moves, viewer):
    agrees(played(RULES[rules], 3, 1, seed, moves), ["Ann", "Bo", "Cy"][viewer])


@settings(max_examples=9, deadline=None)
@given(
    variants(),
    st.integers(0, 2**32),
    st.integers(0, 8),
    st.sampled_from(["Ann", "Bo", "Cy"]),
    st.sampled_from(["secret", "public"]),
)
def test_own_rule_sets(rules, seed, moves, viewer, targets):
    late = rules.attack_must_be_possible and rules.acting_order == "random"
    assume(not late or "night" not in (*rules.opening, *rules.cycle))  # these are refused
    agrees(played(rules, 3, 1, seed, moves, targets), viewer)


@settings(max_examples=8, deadline=None)
@given(
    st.sampled_from(["gekka", "cisra"]),
    st.integers(0, 2**32),
    st.integers(2, 6),
    st.sampled_from(["Ann", "Bo", "Cy"]),
    st.booleans(),
)
def test_two_seers_in_any_order(rules, seed, moves, viewer, alive):
    rules = preset(rules, several_seers=True, vision_worlds="alive" if alive else "all")
    game = played(rules, 3, 1, seed, moves, seers=2)
    if game.handout(viewer).running:
        with pytest.raises(GameError, match="histories with several seers are not listed"):
            infer(game.handout(viewer))
        return
    agrees(game, viewer)


@pytest.mark.parametrize(("rules", "wolves"), [("cisra", 1), ("gekka", 2)])
def test_four_players(rules, wolves):
    agrees(played(RULES[rules], 4, wolves, wolves, 4), "Bo")


@pytest.mark.parametrize("rules", ["straat", "straat, lynching"])
def test_bites_of_two_wolves(rules):
    """Each wolf takes half a life, and the table says how much of it a player has lost."""
    agrees(played(RULES[rules], 3, 2, 0, 7), "Bo")


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_wolf_who_was_voted_off_does_not_count_as_living(seed):
    rules = preset("straat", evil_wins="known half", vision_shows="role", announce_vote="role")
    agrees(played(rules, 3, 2, seed, 9), "Ann")


@pytest.mark.parametrize("rules", ["cisra, living seers", "cisra, parity", "gekka"])
def test_games_that_the_wolves_have_won(rules):
    game = played(RULES[rules], 3, 1, 0, 30)
    assert game.verdict == "wolves"
    agrees(game, "Bo")


def at_a_vote(rules, seed, days):
    """A random game of three players at its n-th vote, or over before."""
    moves = 1
    while True:
        game = played(rules, 3, 1, seed, moves)
        if game.verdict is not None or (
            game.phase.kind == "vote" and game.phase.position >= 1 + 3 * (days - 1)
        ):
            return game
        moves += 1


def test_the_published_chance_is_the_players():
    """P_i of every column of a published named table is the published figure."""
    for seed in range(5):
        game = played(RULES["gekka"], 4, 1, seed, 4)
        table, found = game.table(public=True), infer(game.handout("Bo"))
        for name, heading in product(game.players, table.columns):
            assert found.chance(f"{FACTS[heading]}_{name}") == table[name, heading]


def test_several_wolves_with_and_without_the_solver(monkeypatch):
    game = played(RULES["cisra"], 4, 2, 5, 12)
    assert game.phase.position > 1
    without = infer(game.handout("Ann"))
    monkeypatch.setattr(searching, "_attack_maps", lambda plan: searching.MAX_MAPS + 1)
    solved = infer(game.handout("Ann"))
    assert solved.number == without.number
    assert {m: m.chance for m in solved.moves} == {m: m.chance for m in without.moves}


def test_a_search_that_may_not_go_on_says_so():
    game = played(RULES["cisra"], 4, 1, 1, 4)
    found = infer(game.handout("Ann"), timeout=0)
    assert found.status == "not finished"
    assert "time ran out" in found.reason
    for question in (found.ask, found.chance):
        with pytest.raises(
            GameError, match=r"not all histories were found, because time ran out \(0 s\); a longer"
        ):
            question("wolf_Bo")


@pytest.mark.parametrize("rules", ["cisra", "gekka"])
def test_a_part_of_the_search_is_not_given_as_all(rules, monkeypatch):
    sheet = plan_of(at_a_vote(RULES["cisra"], 2, 2).handout("Ann"))
    if rules == "gekka":  # before the first attacks
        game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka", rng=1)
        sheet = plan_of(game.vision("Ann", "Bo").end_phase().handout("Bo"))

    def partly(plan, budget):
        yield next(searching.search(plan, Budget()))
        raise Unfinished("time ran out")

    monkeypatch.setattr(answering, "search", partly)
    found = find_histories(sheet, Budget(300))
    assert found.status == "not finished"


def test_the_moves_of_a_running_night_are_not_passed_over():
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka", rng=1)
    game = game.vision("Ann", "Bo", result="human")
    for name, move in (("Ann", "looks at Bo: human"), ("Bo", "is asked for a vision")):
        assert {m.move for m in infer(game.handout(name)).moves} == {move}


def test_the_last_attack_of_a_night_is_open():
    """Nobody but the other living player can still attack, or the night would be over."""
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="cisra").decline("Bo")
    game = game.vision("Cy", "Bo", result="evil").vision("Ann", "Bo", result="evil")
    game = game.vote_off("Bo", role="seer").attack("Ann", "Cy")
    agrees(game, "Ann")


def solved(rules, monkeypatch):
    """Search for histories whose attacks the solver finds."""
    monkeypatch.setattr(searching, "_attack_maps", lambda plan: searching.MAX_MAPS + 1)
    return infer(played(rules, 4, 2, 0, 12).handout("Ann"), timeout=600)


def test_a_solver_that_stops_early_is_no_interrupt(monkeypatch):
    monkeypatch.setattr(cp_model.CpSolver, "solve", lambda *_: cp_model.UNKNOWN)
    assert solved(RULES["cisra"], monkeypatch).status == "not finished"


def test_an_interrupt_stops_the_solver(monkeypatch):
    stopped, waits = Event(), []

    def interrupted(running, seconds):
        """Wait; the first wait is interrupted."""
        waits.append(seconds)
        if len(waits) == 1:
            raise KeyboardInterrupt
        return wait(running, seconds)

    def solve(*_):
        assert stopped.wait(60)
        return cp_model.UNKNOWN

    monkeypatch.setattr(solving, "wait", interrupted)
    monkeypatch.setattr(cp_model.CpSolver, "solve", solve)
    monkeypatch.setattr(cp_model.CpSolver, "stop_search", lambda _: stopped.set())
    with pytest.raises(KeyboardInterrupt):
        solved(RULES["cisra"], monkeypatch)
    assert stopped.is_set()


def test_a_bounded_memory():
    game = at_a_vote(RULES["cisra"], 2, 2)
    found = find_histories(plan_of(game.handout("Ann")), Budget(states=2))
    assert (found.status, found.number) == ("not finished", 0)
    assert "partial sums" in found.reason


def test_a_classical_deal_is_refused():
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka", deal="classical", rng=1)
    with pytest.raises(GameError, match="classical deal no table is published"):
        infer(game.handout("Ann"))
