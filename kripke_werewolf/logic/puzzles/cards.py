"""Puzzles of cards: Russian cards, Hexa, aces and eights, and the spies of The Resistance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import combinations, permutations, product

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas import C, K, Kw, conjunction, disjunction
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.puzzles.puzzle import Engine, Icon, Puzzle, asks, happens, known_if, places
from kripke_werewolf.logic.semantics.action import observe

_SAFE = ("012", "034", "056", "135", "246")


def russian_cards(*, hands: Sequence[str] = _SAFE, engine: Engine = "explicit") -> Puzzle:
    """Return the Russian cards problem: a and b tell each other their cards, in front of c.

    Cards 0 to 6 are dealt: a gets 012, b 345, c 6. Each sees only their own hand. a announces that a's
    hand is one of `hands`; with the default, b learns a's hand and c learns no card. Then b announces
    c's card. Atoms such as `a_0` say who has a card; a world is `012|345|6`.
    Formulas: `a_learns_b`, `b_learns_a` (the whole hand), `c_ignorant` (c knows the owner of no card
    but its own).

    >>> [len(model) for model in russian_cards().history().models]
    [140, 20, 3]
    """
    if isinstance(hands, str) or not all(
        isinstance(h, str) and len(set(h)) == len(h) == 3 and set(h) <= set("0123456") for h in hands
    ):
        raise ModelError(f"hands are strings of three different cards 0 to 6, such as '012'; got {hands!r}")
    cards = "0123456"
    deals = []
    for a in combinations(cards, 3):
        rest = [k for k in cards if k not in a]
        for b in combinations(rest, 3):
            deals.append("|".join("".join(h) for h in (a, b, [k for k in rest if k not in b])))
    a_learns_b = conjunction(Kw("a", f"b_{k}") for k in cards)
    b_learns_a = conjunction(Kw("b", f"a_{k}") for k in cards)
    # it considers both owners possible for every card but its own
    c_ignorant = conjunction(f"~(K_c a_{k} | K_c b_{k})" for k in cards)
    return Puzzle(
        "russian-cards",
        "Seven cards; a and b have three each, c has one. a and b want to learn the deal, and c must not.",
        KripkeModel.from_observations(
            deals,
            {"a": places(0, 1, 2), "b": places(4, 5, 6), "c": places(8)},
            lambda deal: [f"{x}_{k}" for x, hand in zip("abc", deal.split("|"), strict=True) for k in hand],
            "012|345|6",
        ),
        known_if(
            tuple(hands) == _SAFE,
            happens(
                f"a: my hand is one of {', '.join(hands)}",
                K("a", disjunction(conjunction(f"a_{k}" for k in hand) for hand in hands)),
            ),
            asks("b knows a's hand, and a knows that", C(["a", "b"], b_learns_a)),
            asks("all know that c knows no card of the others", C(["a", "b", "c"], c_ignorant)),
            asks("b knows c's card", "K_b c_6"),
            happens("b: c has card 6", "K_b c_6"),
            asks("a and b commonly know that they know the deal", C(["a", "b"], b_learns_a & a_learns_b)),
            asks("c still knows no card of the others", c_ignorant),
        ),
        {"a_learns_b": a_learns_b, "b_learns_a": b_learns_a, "c_ignorant": c_ignorant},
        engine=engine,
        icons=tuple(Icon("card" if x == "c" else "hand", {f"{x}_{k}": k for k in cards}, x) for x in "abc"),
    )


def hexa(*, move: str = "show", engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of three players who hold one of three cards each, and one of three moves.

    a holds 0, b 1 and c 2. `deny`: a says "I do not have card 1". `show`: a shows the card to b,
    while c looks on. `whisper`: a whispers to b a card that a does not have; c sees them whisper. Atoms
    such as `a_0` say who has a card; a world lists the cards of a, b, c.

    >>> [len(hexa(move=m).history().model) for m in ("deny", "show", "whisper")]
    [4, 6, 12]
    """
    b_knows = conjunction(Kw("b", f"a_{k}") for k in "012")
    moves = {
        "deny": (
            happens("a: I do not have card 1", "~a_1"),
            asks("c knows a's card", "K_c a_0"),
            asks("b knows it", "K_b a_0", False),
        ),
        "show": (
            happens("a shows its card to b", observe("b", [f"a_{k}" for k in "012"])),
            asks("all know that b knows the deal", C(["a", "b", "c"], b_knows)),
            asks("c knows a's card", "K_c a_0", False),
        ),
        "whisper": (
            happens(
                "a whispers to b a card that it does not have",
                observe(["a", "b"], [f"~a_{k}" for k in "012"]),
            ),
            asks("b has learnt the deal", b_knows, "mixed"),
            asks("c knows whether b has", Kw("c", b_knows), False),
        ),
    }
    if move not in moves:
        raise ModelError(f"the move is deny, show or whisper; got {move!r}")
    return Puzzle(
        "hexa",
        "Three players hold the cards 0, 1 and 2, one each, and see only their own.",
        KripkeModel.from_observations(
            ["".join(deal) for deal in permutations("012")],
            {agent: places(i) for i, agent in enumerate("abc")},
            lambda deal: [f"{agent}_{card}" for agent, card in zip("abc", deal, strict=True)],
            "012",
        ),
        moves[move],
        engine=engine,
        icons=tuple(Icon("card", {f"{x}_{card}": card for card in "012"}, x) for x in "abc"),
    )


def aces_and_eights(*, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of three players, each with two of four aces and four eights on the forehead.

    Each sees the others' cards. They say in turn that they do not know their own cards, until one
    does. Atoms such as `two_1`, `one_1` and `none_1` say how many aces a player has; a world lists
    the three hands.

    >>> [len(model) for model in aces_and_eights().history().models]
    [19, 17, 15, 11, 7, 7]
    """
    words = {"AA": "two", "A8": "one", "88": "none"}
    deals = [d for d in product(words, repeat=3) if max("".join(d).count(card) for card in "A8") <= 4]
    knows = {i: disjunction(K(i, f"{word}_{i}") for word in words.values()) for i in "123"}
    return Puzzle(
        "aces-and-eights",
        "Of four aces and four eights, three players have two cards each; each sees those of the others.",
        KripkeModel.from_observations(
            [" ".join(deal) for deal in deals],
            {"1": places(3, 4, 6, 7), "2": places(0, 1, 6, 7), "3": places(0, 1, 3, 4)},
            lambda deal: [f"{words[hand]}_{i}" for i, hand in enumerate(deal.split(), 1)],
        ),
        (
            asks("in one case 1 would know at once", "somewhere K_1 none_1"),
            *(happens(f"{i}: I do not know my cards", ~knows[i]) for i in "1231"),
            asks("2 knows, whatever the cards", knows["2"]),
            happens("2: I know mine", knows["2"]),
            asks("they are an ace and an eight", "K_2 one_2"),
        ),
        engine=engine,
        icons=tuple(
            Icon("two-cards", {f"{word}_{i}": " ".join(hand) for hand, word in words.items()}, i)
            for i in knows
        ),
    )


def resistance(*, spies_know: bool = True, engine: Engine = "explicit") -> Puzzle:
    """Return five players of whom two, 1 and 2, are spies; the mission of 1 and 5 fails.

    All players know whether they are spies; with `spies_know` the spies know each other. Atoms `spy_1`, …; a
    world is the pair of spies.

    >>> [len(model) for model in resistance().history().models]
    [10, 7]
    """
    players = "12345"

    def sees(player: str) -> Callable[[str], Hashable]:
        return lambda spies: spies if spies_know and player in spies else player in spies

    return Puzzle(
        "resistance",
        "Five players, two of them spies. A mission fails if a spy sabotages it.",
        KripkeModel.from_observations(
            ["".join(pair) for pair in combinations(players, 2)],
            {i: sees(i) for i in players},
            lambda spies: [f"spy_{i}" for i in spies],
            "12",
        ),
        (
            happens("the mission of 1 and 5 fails", "spy_1 | spy_5"),
            asks("5, who is not a spy, knows that 1 is one", "K_5 spy_1"),
            asks("3 knows that", "K_3 spy_1", False),
            asks("1 knows that 5 knows it", "K_1 K_5 spy_1", spies_know),
        ),
        engine=engine,
        icons=tuple(Icon("spy", {f"spy_{i}": ""}, i) for i in players),
    )
