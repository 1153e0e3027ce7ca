"""Drinking logicians and dining cryptographers: answers and sums that tell just enough."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import product

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language import Common, Knows, KnowsWhether, Xor, conjunction, disjunction
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, check_size, happens, places

__all__ = ["dining_cryptographers", "drinking_logicians"]


def drinking_logicians(*, n: int = 3) -> Puzzle:
    """Return the joke of n logicians who walk into a bar and are asked whether all of them want beer.

    Each knows what he wants himself; all but the last say that they do not know, and so say that they
    do. Atoms `beer_1`, …; a world is a text of n digits.

    >>> [len(model) for model in drinking_logicians(n=5).history().models()]
    [32, 16, 8, 4, 2]
    """
    check_size(n, least=2, worlds=lambda k: 16 * 2**k)
    people = [str(i) for i in range(1, n + 1)]
    model = KripkeModel.from_observations(
        ["".join(bits) for bits in product("01", repeat=n)],
        {i: places(k) for k, i in enumerate(people)},
        lambda world: [f"beer_{i}" for i, bit in zip(people, world, strict=True) if bit == "1"],
        "1" * n,
    )
    everybody = conjunction(f"beer_{i}" for i in people)
    return Puzzle(
        "drinking-logicians",
        f"{n} logicians walk into a bar. The waiter: do all of you want beer?",
        "a joke of logicians",
        model,
        tuple(happens(f"{i}: I do not know", ~KnowsWhether(i, everybody)) for i in people[:-1]),
        (
            ask(
                "the last one knows the answer at first",
                KnowsWhether(people[-1], everybody),
                False,
                after=0,
            ),
            ask("the last one knows: yes", Knows(people[-1], everybody), after=n - 1),
        ),
    )


def dining_cryptographers(*, n: int = 3, payer: int | None = 1) -> Puzzle:
    """Return the protocol by which n cryptographers learn whether one of them paid, and not who.

    The dinner was paid by cryptographer `payer`, or by the NSA (None). Each two neighbours at the
    round table toss a coin that only they see, and each says whether his two coins differ, lying if
    he paid. Atoms `paid_1`, … and `coin_1`, … (the coin between i and i + 1); a world is the payer (0:
    the NSA) and the coins.

    >>> [len(dining_cryptographers(payer=p).history().model) for p in (1, None)]
    [6, 2]
    """
    check_size(n, least=3, worlds=lambda k: 16 * (k + 1) * 2**k)
    if payer is not None and not (isinstance(payer, int) and 1 <= payer <= n):
        raise ModelError(f"the payer is None (the NSA) or one of 1 to {n}; got {payer!r}")
    people = range(1, n + 1)

    def sees(i: int) -> Callable[[str], Hashable]:
        # his own coin and the one of his left neighbour, and whether he paid
        return lambda world: (world.split()[0] == str(i), world[-n:][i - 1], world[-n:][i - 2])

    model = KripkeModel.from_observations(
        [f"{p} {''.join(coins)}" for p in range(n + 1) for coins in product("01", repeat=n)],
        {str(i): sees(i) for i in people},
        lambda world: [
            *(f"paid_{i}" for i in people if world.split()[0] == str(i)),
            *(f"coin_{i}" for i in people if world[-n:][i - 1] == "1"),
        ],
        f"{payer or 0} {'0' * n}",
    )
    group = [str(i) for i in people]
    one_of_us = disjunction(f"paid_{i}" for i in people)
    says = {i: Xor(f"coin_{i}", f"coin_{i - 1 or n}", f"paid_{i}") for i in people}
    events = [
        happens(f"{i}: my coins are {'different' if i == payer else 'equal'}", f if i == payer else ~f)
        for i, f in says.items()
    ]
    others = [i for i in people if i != payer]
    informed = disjunction(KnowsWhether(i, one_of_us) for i in others)
    culprit_known = disjunction(Knows(i, f"paid_{j}") for i in others for j in people)
    return Puzzle(
        "dining-cryptographers",
        f"{n} cryptographers have dined; one of them paid, or the NSA did.",
        "Chaum 1988",
        model,
        tuple(events),
        (
            ask("another of them knows already whether one of them paid", informed, False, after=0),
            ask("all know that one of them paid", Common(group, one_of_us), after=n),
            ask("another of them knows who", culprit_known, False, after=n),
        )
        if payer is not None
        else (
            ask("somebody knows already whether one of them paid", informed, False, after=0),
            ask("all know that the NSA paid", Common(group, ~one_of_us), after=n),
        ),
    )
