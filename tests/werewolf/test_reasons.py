"""Entries of tables that force a conclusion, against every history played literally."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.werewolf import preset
from kripke_werewolf.werewolf.inference import Budget, answers, infer, plan_of
from kripke_werewolf.werewolf.inference.answers import NoHistory, find_histories
from kripke_werewolf.werewolf.inference.plan import Published
from tests.reference.histories import Course


class Partly(Course):
    """The histories that explain what a player was told, of the tables only some entries."""

    def __init__(self, game, viewer, kept):
        super().__init__(game, viewer)
        self.kept = kept

    def _published(self, history, **when):
        found = super()._published(history, **when)
        if found is history:
            return history
        *before, (rows, worlds) = found.info
        number = sum(news[0] == "table" for news in before if news)
        names, headings = self.setup.players, self.rules.headings
        cells = tuple(
            (number, name, heading, value)
            for name, row in zip(names, rows, strict=True)
            for heading, value in zip(headings, row, strict=True)
            if (number, name, heading) in self.kept
        )
        return replace(found, info=(*before, ("table", cells, worlds)))


def entries(plan):
    """Every entry by the number of its table, its row and its heading."""
    tables = [step for step in plan.steps if isinstance(step, Published)]
    return [(n, cell.row, cell.heading) for n, step in enumerate(tables) for cell in step.cells]


def left_open(game, viewer, conclusion, kept):
    """Whether some literal history with these entries has a world where a conclusion is false."""
    course, numbers = Partly(game, viewer, frozenset(kept)), game.setup.numbers
    (actual,) = course.histories([numbers], actual=True)
    found = course.histories([numbers], wanted=actual.info)
    if conclusion.move is not None:
        move = conclusion.move
        position = plan_of(game.handout(viewer)).steps[move.step].phase.position
        made = position, move.actor, move.action
        return {t for h in found for key, t, _ in h.moves if key == made} != {move.target}
    seats = {f"wolf_{name}": seat for seat, name in enumerate(game.players)}
    assert conclusion.fact is not None
    seat = seats[str(conclusion.fact).removeprefix("~")]
    return any(roles[seat] not in ("villager", "seer") for h in found for roles, _ in h.game.worlds)


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
        if made.player != found.viewer and target in found.setup.players and sure:
            verb = "attacks" if made.action == "attack" else "looks at"
            yield f"{made.player} {verb} {target} in {made.phase}"
    for name in found.setup.players:
        if found.chance(f"wolf_{name}") == 0:
            yield f"~wolf_{name}"


def left_open_by_search(game, viewer, conclusion, kept):
    """The same by the search for all histories, which `test_inference` holds against the literal ones."""
    plan = plan_of(game.handout(viewer))
    places = frozenset(i for i, entry in enumerate(entries(plan)) if entry in kept)
    try:
        return False in find_histories(plan.only(places), Budget()).values_of(conclusion)
    except NoHistory:
        return False


def check(game, viewer, is_open, *, most):
    """Hold the reasons for some conclusions against histories; return how many needed entries."""
    found, checked = infer(game.handout(viewer)), 0
    for text in list(dict.fromkeys(conclusions(found)))[:most]:
        why, conclusion = found.because(text, seconds=None), answers._read_conclusion(found.plan, text)
        kept = {
            entry
            for entry, cell in zip(entries(found.plan), found.plan.cells, strict=True)
            if any(cell is other for other in why.cells)
        }
        assert len(kept) == len(why.cells) == len(why.needed)
        assert why.least in ("irreducible", "smallest")
        assert not is_open(game, viewer, conclusion, kept)
        for entry in kept:
            assert is_open(game, viewer, conclusion, kept - {entry}), (text, entry)
        checked += bool(kept)
    return checked


OPEN = preset("cisra", table="open")


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([OPEN, preset("gekka")]))
def test_entries_force_a_conclusion_and_each_is_needed(seed, rules):
    check(night(3, 1, seed, rules), "Bo", left_open, most=2)


@pytest.mark.parametrize("seed", [2, 4])
def test_entries_with_two_wolves(seed):
    assert check(night(4, 2, seed, preset("gekka")), "Bo", left_open_by_search, most=2)


def test_a_reason_that_is_not_finished_says_how_much_of_it_is_proven(monkeypatch):
    found = infer(night(4, 1, 0, OPEN).handout("Bo"))
    text = next(conclusions(found))
    whole, forcing = found.because(text, seconds=None), answers._Forcing
    assert str(whole).endswith(f"({whole.least})")

    def stopped(self):
        self.needed = self.entries[:1]
        raise answers.Unfinished

    monkeypatch.setattr(forcing, "reduce", stopped)
    why = found.because(text, seconds=None)
    assert (why.least, len(why.needed)) == ("not reduced", 1)
    assert str(why).endswith(f"(not reduced: 1 of {len(why.cells)} are known to be needed)")
