"""Every sentence of random evenings is so, by worlds listed from the log alone; a false one is found."""

from collections import Counter
from dataclasses import replace

import pytest

from kripke_werewolf.games.werewolf import told
from kripke_werewolf.games.werewolf.events import FoundDead, GameEnded
from kripke_werewolf.play.tabletop import advice, views
from tests.play.claims import CLAIMS, nothing, read

SEEDS = (1, 2, 6, 25, 106)  # each rule set and both deals, a fox, a drunk
NAMED_AT_DAWN = 810069  # a hunter is found dead and names somebody before the table of that morning


@pytest.mark.parametrize("seed", [*SEEDS, NAMED_AT_DAWN])
def test_every_sentence_of_an_evening_is_so(seed):
    said, wrong = read(seed, every=3)
    assert wrong == []
    assert said.total() > 100


@pytest.mark.slow
def test_every_sentence_of_many_evenings_is_so():
    """And nearly everything that can be claimed is said in them."""
    found = Counter[str]()
    for seed in range(60):
        said, wrong = read(seed)
        assert wrong == []
        found += said
    rare = {"collapsed-in-full", "collapsed", "lot-among", "refused", "refused-yourself", "in-fractions"}
    claims = {message for message, claim in CLAIMS.items() if claim is not nothing}
    assert claims - {*found} <= rare


def figures_of_the_morning_before(patch):
    """As it once was: the day's vote was counted as night."""
    real = advice._own_row

    def own_row(known, place):
        without = replace(known, entries=tuple(replace(entry, chances=()) for entry in known.entries))
        return None, real(without, place)[1]

    patch.setattr(advice, "_own_row", own_row)


def another_is_found_dead(patch):
    real = FoundDead.in_public
    patch.setattr(FoundDead, "in_public", lambda self: real(replace(self, player=self.player[::-1])))


def another_has_won(patch):
    real = GameEnded.in_full
    patch.setattr(GameEnded, "in_full", lambda self: real(replace(self, winners=self.winners[1:])))


def chances_of_the_neighbour(patch):
    real = told.own_chances

    def wrong(setup, state):
        own = real(setup, state)
        return dict(zip(own, [*own.values()][1:] + [*own.values()][:1], strict=True))

    patch.setattr(told, "own_chances", wrong)


def rounded_down(patch):
    real = views.aligned_percentages
    patch.setattr(
        views, "aligned_percentages", lambda cells: real([c.replace("3.3%", "3.1%") for c in cells])
    )


@pytest.mark.parametrize(
    ("plant", "message", "seeds"),
    [
        (figures_of_the_morning_before, "changed-for-you", (3, 1)),
        (another_is_found_dead, "found-dead", (2, 5, 8)),
        (another_has_won, "game-ended", (2, 4)),
        (chances_of_the_neighbour, "chances-at-first", (3, 15)),
        (rounded_down, "figure", (1, 2, 3)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_planted_is_found(plant, message, seeds, monkeypatch):
    plant(monkeypatch)
    assert any(f"{seed} {message}: " in text for seed in seeds for text in read(seed)[1])
