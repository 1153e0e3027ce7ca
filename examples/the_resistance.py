"""The Resistance: five players, two of them spies who know each other; missions tell.

    python examples/the_resistance.py

A mission with sabotage has a spy in it, with two cards of sabotage two. That a mission succeeds tells
nothing: a spy may hold back. A world is the pair of spies.
"""

from itertools import combinations

import kripke_werewolf as kw
from kripke_werewolf.logic.testing import Game, check_game

PLAYERS = ("Ann", "Bob", "Cy", "Di", "Ed")


def mission(team, sabotages):
    """The formula that at least this many of the team are spies."""
    return kw.atleast(sabotages, *(f"spy_{player}" for player in team))


def valuation(spies):
    """The spies: spy_Ann, …"""
    return [f"spy_{player}" for player in spies]


def handout(player, spies):
    """The card that a player gets to read."""
    return f"you are a spy with {', '.join(s for s in spies if s != player)}" if player in spies else "good"


# A world is the pair of spies. Spies know each other; the good know nothing.
game = Game(
    worlds=list(combinations(PLAYERS, 2)),
    observations={p: lambda spies, p=p: spies if p in spies else "none" for p in PLAYERS},
    valuation=valuation,
    start=("Bob", "Di"),
    events=[
        ("the mission of Ann and Bob is sabotaged", mission(["Ann", "Bob"], 1)),
        ("the mission of Bob, Cy and Di is sabotaged twice", mission(["Bob", "Cy", "Di"], 2)),
        ("Di, caught: I am a spy", "spy_Di", "Di"),
    ],
    handout=handout,
)

history = check_game(game)
history.start.draw()

# After every event: how many worlds are left, and who knows all spies.
names = ["at the start", *(step.name for step in history.steps)]
for name, model in zip(names, history.models, strict=True):
    knowing = [p for p in PLAYERS if all(model.holds(kw.Kw(p, f"spy_{q}")) for q in PLAYERS)]
    print(f"{len(model):>2} worlds  {name}; all spies are known to {', '.join(knowing)}")
history.draw()

# Who knows what after the second mission?
second = history.at(2)
print("After the second mission Ann knows of Bob:", second.holds("K_Ann spy_Bob"))
print("Cy takes Bob for a spy with probability 1:", second.holds("P_Cy(spy_Bob) = 1"))
print("Bob knows that Ann knows:", second.holds("K_Bob K_Ann spy_Bob"))
print("In the end it is common knowledge:", history.model.holds(kw.C(PLAYERS, "spy_Bob & spy_Di")))
second.draw(formula="K_Ann spy_Bob")
