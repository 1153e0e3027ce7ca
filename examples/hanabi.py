"""A small Hanabi: everybody sees all hands but the own one, and hints are public.

    python examples/hanabi.py

Six cards, red and blue, numbers 1 to 3; two players hold two each, in order. A hint names all cards of
one colour or number in the other's hand. Ones can be played at once.
"""

from itertools import permutations

import kripke_werewolf as kw
from kripke_werewolf.logic.testing import Game, check_game

DECK = ("red1", "red2", "red3", "blue1", "blue2", "blue3")


def hint(player, what, places):
    """The formula that exactly the cards at these places have a colour or number."""
    facts = [kw.Atom(f"{player}{place}_{what}") for place in (1, 2)]
    return kw.conjunction(f if place in places else ~f for place, f in enumerate(facts, 1))


def valuation(cards):
    """Colour and number of the card at each place: Ann1_red, Bob2_3."""
    places = ("Ann1", "Ann2", "Bob1", "Bob2")
    return [f"{p}_{x}" for p, card in zip(places, cards, strict=True) for x in (card[:-1], card[-1])]


def handout(player, cards):
    """What a player may look at: the other's hand."""
    return cards[2:] if player == "Ann" else cards[:2]


# A world is the four cards in the hands; each player sees the hand of the other.
game = Game(
    worlds=list(permutations(DECK, 4)),
    observations={"Ann": lambda cards: cards[2:], "Bob": lambda cards: cards[:2]},
    valuation=valuation,
    start=("red1", "blue3", "red2", "blue1"),
    events=[
        ("Ann: your second card is a one, the first is not", hint("Bob", "1", {2}), "Ann"),
        ("Bob: your first card is red, the second is not", hint("Ann", "red", {1}), "Bob"),
        ("Ann: your first card is red, the second is not", hint("Bob", "red", {1}), "Ann"),
        ("Bob: your first card is a one, the second is not", hint("Ann", "1", {1}), "Bob"),
    ],
    handout=handout,
)

history = check_game(game)

# After every hint: how many worlds are left, and who knows a card to play.
playable = {
    f"{player} knows a card to play": kw.disjunction(kw.K(player, f"{player}{k}_1") for k in (1, 2))
    for player in ("Ann", "Bob")
}
names = ["at the start", *(step.name for step in history.steps)]
for name, model, row in zip(names, history.models, history.timeline(*playable.values()), strict=True):
    knowing = [text for text, verdict in zip(playable, row, strict=True) if verdict == "true"]
    print(f"{len(model):>4} worlds  {name}{': ' if knowing else ''}{', '.join(knowing)}")
history.model.draw()

# Since when does Ann know her first card?
learnt = history.explain_learning("K_Ann Ann1_1")
print(f"Ann knows that her first card is a one since hint {learnt.since}")
print("She knows exactly which card it is:", history.model.holds("K_Ann (Ann1_red & Ann1_1)"))
print("Does she know her second card?", history.model.holds("Kw_Ann Ann2_2"))
history.model.draw(formula="K_Ann Ann1_1")
