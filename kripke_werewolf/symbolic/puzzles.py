"""Classic puzzles as symbolic structures, for numbers that no list of worlds can hold.

Every function returns a `Puzzle`: the structure, the formulas that are announced or asked, by name,
and the actions that happen, by name. The order of a structure's vocabulary is the order of its
diagrams; each function says why it is the one it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations

from kripke_werewolf.errors import GameError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import (
    And,
    Atom,
    Common,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    Or,
    Xor,
    conjunction,
    disjunction,
    exactly,
    oneof,
)
from kripke_werewolf.semantics.action import ActionModel, Event
from kripke_werewolf.symbolic.bdd import BDDs
from kripke_werewolf.symbolic.structure import KnowledgeStructure

__all__ = [
    "SYMBOLIC",
    "MuddyByNumber",
    "Puzzle",
    "cheryl",
    "dining_cryptographers",
    "drinking_logicians",
    "gossip",
    "muddy_by_number",
    "muddy_children",
    "prisoners",
    "russian_cards",
    "sum_and_product",
]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A structure with the formulas and actions of its story, by name.

    `story`: the names of the formulas that are announced, in order; it ends where the puzzle does.
    """

    structure: KnowledgeStructure
    formulas: Mapping[str, Formula]
    actions: Mapping[str, ActionModel] = field(default_factory=dict)
    story: tuple[str, ...] = ()


def _at_least(value: int, least: int, what: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise GameError(f"a whole number of {what}, at least {least}, is needed; got {value!r}")


# --- muddy children ---------------------------------------------------------------------------------


def muddy_children(n: int = 3, *, bdds: BDDs | None = None) -> Puzzle:
    """Return the muddy children: child i sees every forehead but its own (Littlewood 1953).

    Formulas: `father` (someone is muddy), `nobody` (no child knows whether it is muddy), `knows_i`.
    All announcements are symmetric in the children, so every order serves, and the law has as many
    nodes as children times rounds at most.

    >>> puzzle = muddy_children(4)
    >>> s = puzzle.structure.announce(puzzle.formulas["father"])
    >>> s.size, s.announce(puzzle.formulas["nobody"]).size
    (15, 11)
    """
    _at_least(n, 1, "children")
    mud = [f"m{i}" for i in range(n)]
    sees = {i: [m for k, m in enumerate(mud) if k != i] for i in range(n)}
    knows = {f"knows_{i}": KnowsWhether(i, Atom(mud[i])) for i in range(n)}
    formulas = {"father": disjunction(map(Atom, mud)), "nobody": conjunction(Not(f) for f in knows.values())}
    story = ("father", *["nobody"] * (n - 1))
    return Puzzle(KnowledgeStructure(mud, True, sees, bdds=bdds), formulas | knows, story=story)


@dataclass(frozen=True, slots=True)
class MuddyByNumber:
    """The muddy children up to symmetry: what matters is how many are muddy.

    A muddy child that sees k muddy ones considers k and k + 1 muddy children possible, and so does a
    clean child that sees k. `possible`: the numbers left, as a bit set; a value.
    """

    n: int
    possible: int

    @property
    def numbers(self) -> list[int]:
        """The numbers of muddy children that are still possible."""
        return [k for k in range(self.n + 1) if self.possible >> k & 1]

    @property
    def size(self) -> int:
        """How many numbers of muddy children are still possible."""
        return self.possible.bit_count()

    def someone_knows(self) -> int:
        """Return the numbers with which some child knows whether it is muddy, as a bit set."""
        everything = (1 << self.n + 1) - 1
        # a muddy child among k knows when k - 1 is impossible; a clean one when k + 1 is
        muddy = everything & ~1 & ~(self.possible << 1)
        clean = everything & ~(1 << self.n) & ~(self.possible >> 1)
        return self.possible & (muddy | clean)

    def nobody(self) -> MuddyByNumber:
        """Return the situation after all children have said that they do not know."""
        return MuddyByNumber(self.n, self.possible & ~self.someone_knows())


def muddy_by_number(n: int) -> MuddyByNumber:
    """Return the quotient of the muddy children after the father has spoken.

    >>> muddy_by_number(1000).nobody().numbers[0]
    2
    """
    _at_least(n, 1, "children")
    return MuddyByNumber(n, (1 << n + 1) - 2)


# --- cryptographers and logicians -------------------------------------------------------------------


def dining_cryptographers(n: int = 3, *, ring: bool = False, bdds: BDDs | None = None) -> Puzzle:
    """Return the dining cryptographers: has one of them paid, and not the NSA? (Chaum 1988).

    Every two of them share a coin (`ring=True`: neighbours only). Atoms: `paid_i`, `nsa`,
    `coin_i_j` for i < j. Formulas: `says_i`, what i announces: the exclusive or of its coins and of
    whether it paid; `odd`, the exclusive or of all these, the one announcement that matters; `safe`:
    if 0 paid, it is common knowledge that one of them has, and nobody else knows who.

    The payers come first, then the coins by their owners: an announcement mentions payers and few
    coins, and a payer stays close to the first of its coins.
    """
    _at_least(n, 3, "cryptographers")
    pairs = [(i, (i + 1) % n) for i in range(n)] if ring else list(combinations(range(n), 2))
    pairs = sorted((min(p), max(p)) for p in pairs)
    paid = [f"paid_{i}" for i in range(n)]
    coins: list[list[str]] = [[] for _ in range(n)]
    for i, k in pairs:
        for owner in (i, k):
            coins[owner].append(f"coin_{i}_{k}")
    vocabulary = ["nsa", *paid, *(f"coin_{i}_{k}" for i, k in pairs)]
    observables = {i: [paid[i], *coins[i]] for i in range(n)}
    paying = [Atom(name) for name in paid]
    says = {f"says_{i}": Xor(paying[i], *map(Atom, coins[i])) for i in range(n)}
    others = conjunction(Not(Knows(i, paying[0])) for i in range(1, n))
    formulas: dict[str, Formula] = {
        **says,
        "odd": Xor(*says.values()),
        "safe": Implies(paying[0], And(Common(range(n), disjunction(paying)), others)),
    }
    structure = KnowledgeStructure(vocabulary, oneof(Atom("nsa"), *paying), observables, bdds=bdds)
    return Puzzle(structure, formulas, story=("odd",))


def drinking_logicians(n: int = 3, *, bdds: BDDs | None = None) -> Puzzle:
    """Return the logicians in a bar who are asked in turn whether all of them want beer.

    Logician i knows only whether it wants one itself. Formulas: `all`, and `unsure_i` (i does not
    know whether all do). Announced in turn they fix one atom after the other, so the order is that
    of the answers.
    """
    _at_least(n, 1, "logicians")
    wants = [f"wants_{i}" for i in range(n)]
    everybody = conjunction(map(Atom, wants))
    unsure = {f"unsure_{i}": Not(KnowsWhether(i, everybody)) for i in range(n)}
    structure = KnowledgeStructure(wants, True, {i: [wants[i]] for i in range(n)}, bdds=bdds)
    return Puzzle(structure, {"all": everybody, **unsure}, story=tuple(unsure)[:-1])


# --- cards and numbers ------------------------------------------------------------------------------


def russian_cards(*, bdds: BDDs | None = None) -> Puzzle:
    """Return the Russian cards: a and b hold three cards each, c one (van Ditmarsch 2003).

    Atoms: `a_4` (a holds card 4), …; the owners of one card lie next to each other. Formulas:
    `a_learns_b`, `b_learns_a` (the whole hand), `c_ignorant` (c knows the owner of no card but its
    own), `announcement` (a: my hand is one of 012, 034, 056, 135, 246), and `reply` (b: c has 6).
    The actual deal is 012 to a, 345 to b, 6 to c.
    """
    cards = range(7)
    vocabulary = [f"{player}_{card}" for card in cards for player in "abc"]
    law = conjunction(
        [
            *(oneof(*(f"{player}_{card}" for player in "abc")) for card in cards),
            *(
                exactly(number, *(f"{player}_{card}" for card in cards))
                for player, number in (("a", 3), ("b", 3), ("c", 1))
            ),
        ]
    )
    observables = {player: [f"{player}_{card}" for card in cards] for player in "abc"}
    deal = {f"{p}_{c}" for p, hand in (("a", "012"), ("b", "345"), ("c", "6")) for c in hand}

    def hand(*hands: str) -> Formula:
        return disjunction(conjunction(f"a_{card}" for card in cards_) for cards_ in hands)

    formulas: dict[str, Formula] = {
        "a_learns_b": conjunction(KnowsWhether("a", f"b_{card}") for card in cards),
        "b_learns_a": conjunction(KnowsWhether("b", f"a_{card}") for card in cards),
        "c_ignorant": conjunction(Not(Knows("c", f"{p}_{card}")) for p in "ab" for card in cards),
        "announcement": Knows("a", hand("012", "034", "056", "135", "246")),
        "unsafe": Knows("a", Or(hand("012"), conjunction(Not(f"a_{card}") for card in range(3)))),
        "reply": Knows("b", "c_6"),
    }
    structure = KnowledgeStructure(vocabulary, law, observables, [deal], bdds=bdds)
    return Puzzle(structure, formulas, story=("announcement", "reply"))


_DAYS = {"May": (15, 16, 19), "June": (17, 18), "July": (14, 16), "August": (14, 15, 17)}
_DATES = tuple((month, day) for month in _DAYS for day in _DAYS[month])


def cheryl(
    dates: Iterable[tuple[str, int]] = _DATES,
    *,
    bdds: BDDs | None = None,
) -> Puzzle:
    """Return Cheryl's birthday: a is told the month, b the day (Singapore 2015).

    Atoms: the months, and `day_14`, …. Formulas: `first` (a: I do not know, but I know that b does
    not either), `second` (b: now I know), `third` (a: then I know too).
    """
    found = list(dates)
    months = list(dict.fromkeys(month for month, _ in found))
    days = [f"day_{day}" for day in sorted({day for _, day in found})]
    states = [{month, f"day_{day}"} for month, day in found]
    structure = KnowledgeStructure.from_states([*months, *days], states, {"a": months, "b": days}, bdds=bdds)

    def knows(agent: str) -> Formula:
        return conjunction(KnowsWhether(agent, atom) for atom in [*months, *days])

    first = And(Not(knows("a")), Knows("a", Not(knows("b"))))
    formulas = {"first": first, "second": knows("b"), "third": knows("a")}
    return Puzzle(structure, formulas, story=tuple(formulas))


def sum_and_product(bound: int = 100, *, bdds: BDDs | None = None) -> Puzzle:
    """Return Sum and Product: 1 < x < y, x + y at most the bound (Freudenthal 1969).

    S is told the sum and P the product. All numbers are binary: `x_0` is the lowest bit of x.
    Formulas: `ignorant` (P does not know the numbers), and what is announced: `knew` (S knew that),
    `product` (now P knows), `sum` (now S knows too). The bits of the product come first, those of the
    sum next and those of the numbers, which these determine, last.

    >>> puzzle = sum_and_product(65)
    >>> puzzle.structure.announce(puzzle.formulas["knew"]).size
    79
    """
    _at_least(bound, 5, "as the bound")
    pairs = [(x, y) for x in range(2, bound) for y in range(x + 1, bound - x + 1)]
    widths = {
        "p": max(x * y for x, y in pairs).bit_length(),
        "s": bound.bit_length(),
        "x": max(x for x, _ in pairs).bit_length(),
        "y": max(y for _, y in pairs).bit_length(),
    }
    bits = {name: [f"{name}_{k}" for k in reversed(range(width))] for name, width in widths.items()}

    def state(x: int, y: int) -> set[str]:
        values = {"p": x * y, "s": x + y, "x": x, "y": y}
        return {
            f"{name}_{k}" for name, value in values.items() for k in range(widths[name]) if value >> k & 1
        }

    structure = KnowledgeStructure.from_states(
        chain.from_iterable(bits.values()),
        (state(x, y) for x, y in pairs),
        {"S": bits["s"], "P": bits["p"]},
        bdds=bdds,
    )

    def knows(agent: str) -> Formula:
        return conjunction(KnowsWhether(agent, bit) for name in "xy" for bit in bits[name])

    ignorant = Not(knows("P"))
    told = {"knew": Knows("S", ignorant), "product": knows("P"), "sum": knows("S")}
    return Puzzle(structure, {"ignorant": ignorant, **told}, story=tuple(told))


# --- stories with actions ---------------------------------------------------------------------------


def prisoners(n: int = 3, *, bdds: BDDs | None = None) -> Puzzle:
    """Return the prisoners and the light: one prisoner a day is led into a room with a lamp.

    Prisoner 0 counts: it switches the light off. Every other prisoner switches it on the first time
    it finds it off. Atoms: `light`, `been_i`, `done_i` (i has switched it on). Actions: `day`, some
    prisoner is led in; each prisoner sees only whether it is led in itself, and then the light.
    `day_i`: it is i. Formulas: `all`, everybody has been in the room, and `declares`, the counter
    knows that.
    """
    _at_least(n, 2, "prisoners")
    been = [f"been_{i}" for i in range(n)]
    done = [f"done_{i}" for i in range(n)]
    events: dict[tuple[int, str], Event] = {}
    for i in range(n):
        for light in ("on", "off"):
            pre: Formula = Atom("light") if light == "on" else Not("light")
            post: dict[str, Formula | bool] = {been[i]: True}
            if i == 0:
                post["light"] = False
            elif light == "off":
                post |= {"light": Or("light", Not(done[i])), done[i]: True}
            events[i, light] = Event(pre, post)
    relations = {
        i: [(e, f) for e in events for f in events if e == f or (e[0] != i and f[0] != i)] for i in range(n)
    }
    day = ActionModel(events, relations, name="day")
    law = conjunction(Not(atom) for atom in ["light", *been, *done])
    structure = KnowledgeStructure(["light", *been, *done], law, {i: [] for i in range(n)}, bdds=bdds)
    everybody = conjunction(been)
    actions = {"day": day} | {f"day_{i}": day.point((i, "on"), (i, "off")) for i in range(n)}
    return Puzzle(structure, {"all": everybody, "declares": Knows(0, everybody)}, actions)


def gossip(n: int = 4, *, observing: str = "secrets", bdds: BDDs | None = None) -> Puzzle:
    """Return the gossips: each has a secret, and in a call two exchange all they have.

    Atoms: `s_i_k` (i has the secret of k). Actions: `call`, some two call; `call_i_k`: it is i and k.
    Everybody notices that there is a call; those who call know that it is theirs, and with
    `observing="secrets"` which secrets the two have together; with `observing="calls"` only that.
    Formulas: `experts`, everybody has every secret.
    """
    _at_least(n, 2, "gossips")
    if observing not in ("secrets", "calls"):
        raise GameError(f"expected 'secrets' or 'calls', got {observing!r}")
    secrets = [[f"s_{i}_{k}" for k in range(n)] for i in range(n)]
    events: dict[tuple[int, ...], Event] = {}
    for i, k in combinations(range(n), 2):
        joint = [Or(a, b) for a, b in zip(secrets[i], secrets[k], strict=True)]
        post = {secrets[j][m]: joint[m] for j in (i, k) for m in range(n)}
        others = [m for m in range(n) if m not in (i, k)]
        if observing == "calls":
            events[i, k] = Event(True, post)
            continue
        for number in range(len(others) + 1):
            for known in combinations(others, number):
                content = (joint[m] if m in known else Not(joint[m]) for m in others)
                events[i, k, *known] = Event(conjunction(content), post)
    relations = {
        agent: [
            (e, f) for e in events for f in events if e == f or (agent not in e[:2] and agent not in f[:2])
        ]
        for agent in range(n)
    }
    call = ActionModel(events, relations, name="call")
    actions = {"call": call}
    for i, k in combinations(range(n), 2):
        actions[f"call_{i}_{k}"] = call.point(*(e for e in events if e[:2] == (i, k)))
    vocabulary = list(chain.from_iterable(secrets))
    law = conjunction(
        Atom(secrets[i][i]) if i == k else Not(secrets[i][k]) for i in range(n) for k in range(n)
    )
    structure = KnowledgeStructure(vocabulary, law, {i: [] for i in range(n)}, bdds=bdds)
    return Puzzle(structure, {"experts": conjunction(vocabulary)}, actions)


SYMBOLIC: Mapping[str, Callable[..., Puzzle]] = {
    "muddy-children": muddy_children,
    "dining-cryptographers": dining_cryptographers,
    "drinking-logicians": drinking_logicians,
    "russian-cards": russian_cards,
    "cheryl": cheryl,
    "sum-and-product": sum_and_product,
}
"""The puzzles that run by announcements alone, by the names of the explicit ones."""
