"""Entries of tables that force a conclusion, against all histories."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import QuantumWerewolf, preset
from kripke_werewolf.games.werewolf.budget import Budget
from kripke_werewolf.games.werewolf.inference import answers, infer, plan_of
from kripke_werewolf.games.werewolf.inference.answers import NoHistory, find_histories
from kripke_werewolf.games.werewolf.inference.plan import Published


def entries(plan):
    """Every entry by the number of its table, its row and its heading."""
    tables = [step for step in plan.steps if isinstance(step, Published)]
    return [(n, cell.row, cell.heading) for n, step in enumerate(tables) for cell in step.cells]


def night(players, wolves, seed, rules):
    """A random game up to the first morning."""
    chance = random.Random(seed)
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"][:players], wolves=wolves, rules=rules, rng=seed)
    while game.phase.kind != "vote" and game.verdict is None:
        for name in list(game.may_act):
            for action in game.may_act.get(name, ()):
                target = chance.choice(game.legal_targets(name, action))
                game = game.vision(name, target) if action == "vision" else game.attack(name, target)
    return game


def conclusions(found):
    """What the player knows: attacks and visions of others, and who is no wolf."""
    for made in found.moves:
        target = made.move.partition(":")[0].split()[-1]
        same = [
            m for m in found.moves if (m.step, m.player, m.action) == (made.step, made.player, made.action)
        ]
        sure = all(m.move.partition(":")[0].split()[-1] == target for m in same)
        if made.player != found.plan.viewer and target in found.setup.players and sure:
            verb = "attacks" if made.action == "attack" else "looks at"
            yield f"{made.player} {verb} {target} in {made.phase}"
    for name in found.setup.players:
        if found.chance(f"wolf_{name}") == 0:
            yield f"~wolf_{name}"


def left_open(game, viewer, conclusion, kept):
    """Whether some history with these entries has a world where a conclusion is false.

    The search for all histories is held against the literal ones in `test_inference`.
    """
    plan = plan_of(game.handout(viewer))
    places = frozenset(i for i, entry in enumerate(entries(plan)) if entry in kept)
    try:
        return False in find_histories(plan.only(places), Budget()).values_of(conclusion)
    except NoHistory:
        return False


def check(game, viewer):
    """Hold the reasons for some conclusions against histories; return how many needed entries."""
    found, checked = infer(game.handout(viewer)), 0
    for text in list(dict.fromkeys(conclusions(found)))[:2]:
        why, conclusion = found.because(text, seconds=None), answers._read_conclusion(found.plan, text)
        kept = {
            entry
            for entry, cell in zip(entries(found.plan), found.plan.cells, strict=True)
            if any(cell is other for other in why.cells)
        }
        assert len(kept) == len(why.cells)
        assert why.least in ("irreducible", "smallest")
        assert not left_open(game, viewer, conclusion, kept)
        for entry in kept:
            assert left_open(game, viewer, conclusion, kept - {entry}), (text, entry)
        checked += bool(kept)
    return checked


OPEN = preset("cisra", table="open")


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([OPEN, preset("gekka")]))
def test_entries_force_a_conclusion_and_each_is_needed(seed, rules):
    check(night(3, 1, seed, rules), "Bo")


@pytest.mark.parametrize("seed", [2, 4])
def test_entries_with_two_wolves(seed):
    assert check(night(4, 2, seed, preset("gekka")), "Bo")


def test_a_reason_that_is_not_finished_says_so(monkeypatch):
    found = infer(night(4, 1, 0, OPEN).handout("Bo"))
    text = next(conclusions(found))
    whole = found.because(text, seconds=None)
    assert str(whole).endswith(f"({whole.least})")

    def stopped(self):
        raise answers.Unfinished

    monkeypatch.setattr(answers._Forcing, "reduce", stopped)
    why = found.because(text, seconds=None)
    assert why.least == "not reduced"
    assert str(why).endswith("(not reduced)")
