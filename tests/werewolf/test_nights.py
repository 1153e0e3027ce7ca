"""One night of two wolves' attacks, added up, against the solver."""

import random
from fractions import Fraction

import pytest

from benchmarks.inference import morning
from kripke_werewolf.werewolf import preset
from kripke_werewolf.werewolf.inference import evidence_in, nights, possible, possible_moves
from kripke_werewolf.werewolf.inference.evidence import Acting, Shown
from kripke_werewolf.werewolf.inference.nights import Night
from kripke_werewolf.werewolf.inference.reasons import Conclusion
from kripke_werewolf.werewolf.inference.scenarios import as_wolf, deals_of
from kripke_werewolf.werewolf.inference.solver import Choice, Problem
from kripke_werewolf.werewolf.roles import is_wolf


def denied(seed, players=5):
    """What a player was told up to the first table after the attacks, and an attack by another player."""
    evidence = evidence_in(morning("cisra", players, 2, seed, 2).handout("P1"))
    place = {name: seat for seat, name in enumerate(evidence.setup.players)}
    chance = random.Random(seed)
    actor, target = chance.sample(range(1, players), 2)
    return evidence, place, Choice(Night(evidence, place).night, actor, "attack", target)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_ruled_out_is_impossible(seed):
    evidence, place, move = denied(seed)
    night = Night(evidence, place, move)
    assert night.covered
    every = range(len(evidence.cells))
    problem = Problem(evidence, place, {}, assumed=every)
    Conclusion("", move).deny(problem)
    chance = random.Random(seed)
    for number in (*(chance.randrange(8, len(every)) for _ in range(3)), len(every)):
        entries = sorted(chance.sample(every, number))
        first = next(night.solutions(entries, None))
        assert first.found is not None
        if not first.found:
            assert set(first.core) <= set(entries)
            assert problem.solve(seconds=None, assume=first.core).found is False


@pytest.mark.parametrize("seed", range(4))
def test_what_is_found_has_all_entries(seed):
    evidence, place, _ = denied(seed)
    night = Night(evidence, place)
    solutions = list(night.solutions(range(len(evidence.cells)), None))
    assert solutions
    for solution in solutions:
        assert solution.found
        for number, deals in deals_after(evidence, {c[:3]: c for c in solution.made}).items():
            for cell in evidence.steps[number].cells:
                fact, low, high = as_wolf(cell)
                seat = evidence.setup.seat(cell.row)
                inside = sum(
                    dead == seat if fact == "dead" else is_wolf(roles[seat]) for roles, dead in deals
                )
                assert low <= Fraction(inside, len(deals)) <= high


def deals_after(evidence, made):
    """For each table the deals that some moves leave, each with the player killed."""
    deals = [(roles, None) for roles in deals_of(evidence.setup.deck).roles]
    labels = evidence.setup.rules.labels(evidence.setup.rules.vision_shows, evidence.setup.deck)
    found = {}
    for number, step in enumerate(evidence.steps):
        if isinstance(step, Shown):
            found[number] = deals
        if not isinstance(step, Acting):
            continue
        left = []
        for roles, dead in deals:
            look = made.get((number, roles.index("seer"), "vision"))
            attack = made.get((number, roles.index("alpha"), "attack"))
            seen = look is None or roles[look.target] in labels[look.result]
            if seen and not (attack and is_wolf(roles[attack.target])):
                left.append((roles, attack.target if attack else dead))
        deals = left
    return found


VARIANTS = {
    "cisra": {},
    "any target": {"attack_must_be_possible": False, "vision_self": True, "told": "nothing"},
    "exact seer": {"vision_shows": "role"},
    "suicidal": {"attack_self": True},
    "living seers": {"vision_worlds": "alive"},
    "kinds": {"vision_shows": "kind"},
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(2))
def test_the_moves_are_the_same_with_and_without(variant, seed, monkeypatch):
    rules = preset("cisra", table="open", **VARIANTS[variant])
    handout = morning(rules, 4 + seed, 2, seed, 2).handout("P1")
    monkeypatch.setattr(possible, "_FEW_DEALS", 0)
    found = possible_moves(handout, actions=["attack"])
    with monkeypatch.context() as without:
        without.setattr(Night, "covered", False)
        assert possible_moves(handout, actions=["attack"]).moves == found.moves
    assert found.moves
    evidence = evidence_in(handout)
    night = Night(evidence, {name: seat for seat, name in enumerate(handout.setup.players)})
    assert night.covered == (variant in ("cisra", "any target", "kinds"))


def test_a_night_that_is_too_much_is_left_to_the_solver(monkeypatch):
    handout = morning("cisra", 4, 2, 0, 2).handout("P1")
    found = possible_moves(handout, actions=["attack"]).moves
    monkeypatch.setattr(possible, "_FEW_DEALS", 0)
    monkeypatch.setattr(nights, "MAX_TRIED", 0)
    assert possible_moves(handout, actions=["attack"]).moves == found
