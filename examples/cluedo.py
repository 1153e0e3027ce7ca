"""A small Cluedo: three players, four suspects, four weapons; who did it, and with what?

    python examples/cluedo.py

One suspect and one weapon lie in an envelope; the other six cards are dealt, two to each player.
"""

from itertools import combinations, product
from typing import NamedTuple

import kripke_werewolf as kw
from kripke_werewolf.logic.testing import Game, check_game

SUSPECTS = ("Scarlett", "Mustard", "Green", "Plum")
WEAPONS = ("rope", "dagger", "wrench", "pistol")
PLAYERS = ("Ann", "Bob", "Cy")


class Deal(NamedTuple):
    """A world: two cards at each of four places."""

    Envelope: tuple[str, str]
    Ann: tuple[str, str]
    Bob: tuple[str, str]
    Cy: tuple[str, str]


def deals():
    """All ways to deal the cards."""
    for crime in product(SUSPECTS, WEAPONS):
        rest = [card for card in SUSPECTS + WEAPONS if card not in crime]
        for ann in combinations(rest, 2):
            left = [card for card in rest if card not in ann]
            for bob in combinations(left, 2):
                yield Deal(crime, ann, bob, tuple(card for card in left if card not in bob))


def valuation(deal):
    """Who has which card: Bob_rope, Envelope_Plum."""
    return [f"{place}_{card}" for place, cards in deal._asdict().items() for card in cards]


# Everybody sees their own cards; a move depends on nothing else.
game = Game(
    worlds=list(deals()),
    observations={player: lambda deal, player=player: getattr(deal, player) for player in PLAYERS},
    valuation=valuation,
    start=Deal(("Plum", "pistol"), ("Mustard", "dagger"), ("Green", "wrench"), ("Scarlett", "rope")),
    events=[
        # Ann: Scarlett with the rope? Bob has neither; Cy shows Ann one of the two
        ("Bob has neither Scarlett nor the rope", "~Bob_Scarlett & ~Bob_rope", "Bob"),
        (
            "Cy shows Ann the rope",
            kw.observe(["Ann", "Cy"], ["Cy_rope", "Cy_Scarlett"]).point("Cy_rope"),
            "Cy",
        ),
        # Bob: Plum with the pistol? Nobody has them
        ("Cy has neither Plum nor the pistol", "~Cy_Plum & ~Cy_pistol", "Cy"),
        ("Ann has neither Plum nor the pistol", "~Ann_Plum & ~Ann_pistol", "Ann"),
    ],
)

history = check_game(game)

# After every move: how many worlds are left, and who knows the solution.
solved = {p: kw.conjunction(kw.Kw(p, f"Envelope_{card}") for card in SUSPECTS + WEAPONS) for p in PLAYERS}
print(f"{'worlds':>6}  {'  '.join(PLAYERS)}")
names = ["at the start", *(step.name for step in history.steps)]
for name, model, row in zip(names, history.models, history.timeline(*solved.values()), strict=True):
    knowing = "  ".join(
        f"{'yes' if verdict == 'true' else '-':{len(p)}}" for p, verdict in zip(PLAYERS, row, strict=True)
    )
    print(f"{len(model):>6}  {knowing}  {name}")
history.model.draw(agents=["Bob"])

# Who knows what in the end?
now = history.model
print("Bob knows the murderer:", now.holds("K_Bob Envelope_Plum"))
print("Does Ann know that Bob does?", now.holds(kw.K("Ann", solved["Bob"])))
print("Together all three know the solution:", now.holds("D_{Ann,Bob,Cy} (Envelope_Plum & Envelope_pistol)"))
now.draw(agents=["Bob"], formula="K_Bob Envelope_Plum")
