"""Puzzles about numbers: consecutive numbers, sum and product, what sum.

Their models are bounded, so what happens near the bound is an artefact: there an agent may know a
number only because the larger alternative is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from kripke_werewolf.language import (
    Atom,
    Common,
    Everywhere,
    Formula,
    Knows,
    KnowsWhether,
    Somewhere,
    conjunction,
)
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.numbering import dense
from kripke_werewolf.models.relation import Mask, Partition
from kripke_werewolf.models.valuation import Valuation
from kripke_werewolf.models.worlds import Computed
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, check_size, happens

__all__ = ["consecutive_numbers", "sum_and_product", "what_sum"]

Numbers = npt.NDArray[np.int64]


def consecutive_numbers(*, n: int = 10) -> Puzzle:
    """Return the puzzle of two agents with consecutive numbers between 0 and n, each seeing its own.

    Worlds are pairs, a's number first; `a_3` says that a has the number 3. The variable `a` has the
    numbers of a as values, `b` those of b.

    >>> [len(model) for model in consecutive_numbers(n=10).history().models()]
    [20, 18, 14, 4, 4]
    """
    check_size(n, least=6, most=1000)
    pairs = sorted((i + up, i + 1 - up) for i in range(n) for up in (0, 1))
    model = KripkeModel.from_observations(
        pairs,
        {"a": lambda w: w[0], "b": lambda w: w[1]},
        lambda w: [f"a_{w[0]}", f"b_{w[1]}"],
        variables={agent: {str(k): f"{agent}_{k}" for k in range(n + 1)} for agent in "ab"},
    )
    return Puzzle(
        "consecutive-numbers",
        f"a and b have consecutive numbers, at most {n}; each sees its own.",
        "Littlewood 1953; van Emde Boas, Groenendijk and Stokhof 1980",
        model,
        (
            happens("a: I do not know your number", "~Kv_a(b)"),
            happens("b: I do not know your number", "~Kv_b(a)"),
            happens("a: now I know it", "Kv_a(b)"),
            happens("b: so do I", "Kv_b(a)"),
        ),
        (
            ask("a would know it at once from 0", "everywhere (a_0 -> Kv_a(b))", after=0),
            ask("nobody has 0, and all know it", "C_{a,b} (~a_0 & ~b_0)", after=2),
            ask("a has 1 or 2, or a number near the bound", f"a_1 | a_2 | a_{n - 1} | a_{n - 2}", after=3),
        ),
    )


def sum_and_product(*, n: int = 100) -> Puzzle:
    """Return the puzzle of two numbers 1 < x < y with x + y at most n; S knows their sum, P their product.

    Worlds are pairs (x, y). The atom `x_8` says that the binary digit of x at the place of 8 is 1, so
    an agent knows x if it knows whether each of these atoms is true. From n = 65 on the puzzle has its
    well-known solution, below it none (the last announcement is false), from n = 1685 on several.

    >>> puzzle = sum_and_product(n=100)
    >>> [len(model) for model in puzzle.history().models()], puzzle.history().model.worlds[0]
    ([2352, 145, 86, 1], (4, 13))
    """
    check_size(n, least=7, worlds=lambda k: (k - 3) ** 2 // 4)
    smaller = np.arange(2, (n - 1) // 2 + 1)
    x = np.repeat(smaller, n - 2 * smaller)  # y runs from x + 1 to n - x
    first = np.cumsum(n - 2 * smaller) - (n - 2 * smaller)
    y = x + 1 + np.arange(len(x)) - np.repeat(first, n - 2 * smaller)
    digits = {"x": x, "y": y}
    model = _model(digits, {"S": x + y, "P": x * y})
    knows = {agent: conjunction(KnowsWhether(agent, atom) for atom in model.atoms) for agent in "SP"}
    return Puzzle(
        "sum-and-product",
        f"Two numbers, 1 < x < y and x + y <= {n}. S knows their sum, P their product.",
        "Freudenthal 1969; van Ditmarsch, Ruan and Verbrugge 2008",
        model,
        (
            # what S knew before P spoke says more than what P said, so one announcement does for both
            happens("P: I do not know the numbers. S: I knew that", Knows("S", ~knows["P"])),
            happens("P: now I know them", knows["P"]),
            happens("S: now I know them too", knows["S"]),
        ),
        (
            ask("some products tell the numbers at once", Somewhere(knows["P"]), after=0),
            ask("the sum is odd", "everywhere (x_1 ^ y_1)", after=1),
            ask(
                "both know that the numbers are 4 and 13",
                Common(["P", "S"], _are({"x": 4, "y": 13}, digits)),
                True if n < 1685 else "mixed",
                after=3,
            ),
        ),
    )


def what_sum(*, n: int = 300) -> Puzzle:
    """Return the puzzle of three positive numbers, the largest at most n and the sum of the other two.

    a, b and c each see the others' numbers. Worlds are triples; the atom `b_4` says that the binary
    digit of b's number at the place of 4 is 1, and `inner` that no number exceeds n / 6, so that
    three answers later the bound cannot yet be noticed.

    >>> puzzle = what_sum()
    >>> puzzle.model.designated, puzzle.history().model.where("inner & a_32 & a_16 & ~a_1")
    (((50, 20, 30),), [(50, 20, 30)])
    """
    check_size(n, least=300, worlds=lambda k: 3 * k * (k - 1) // 2)
    one = np.arange(1, n)
    x = np.repeat(one, n - one)  # y runs from 1 to n - x
    y = 1 + np.arange(len(x)) - np.repeat(np.cumsum(n - one) - (n - one), n - one)
    numbers = {
        "a": np.concatenate([x + y, x, x]),
        "b": np.concatenate([x, x + y, y]),
        "c": np.concatenate([y, y, x + y]),
    }
    a, b, c = numbers.values()
    width = n + 1
    model = _model(
        numbers,
        {"a": b * width + c, "b": a * width + c, "c": a * width + b},
        more={"inner": 6 * np.maximum(a, np.maximum(b, c)) <= n},
        actual=(50, 20, 30),
    )
    own = {
        agent: conjunction(KnowsWhether(agent, p) for p in model.atoms if p.startswith(f"{agent}_"))
        for agent in "abc"
    }
    fifty = _are({"a": 50}, numbers)
    return Puzzle(
        "what-sum",
        f"a, b and c have positive numbers, at most {n}, on their foreheads; one is the sum of the others.",
        "van Ditmarsch and Ruan 2007",
        model,
        (
            *(happens(f"{agent}: I do not know my number", ~own[agent]) for agent in "abc"),
            happens("a: now I know my number, it is 50", own["a"] & fifty),
        ),
        (
            ask("a knows its number after two answers", own["a"], False, after=2),
            ask("the third answer tells a its number", own["a"], after=3),
            ask(
                "far from the bound, the others can only be 20 and 30",
                Everywhere(Atom("inner") >> _are({"b": 20, "c": 30}, numbers)),
                after=4,
            ),
        ),
    )


def _model(
    columns: dict[str, Numbers],
    observed: dict[str, Numbers],
    *,
    more: dict[str, Mask] | None = None,
    actual: tuple[int, ...] | None = None,
) -> KripkeModel:
    """Return the model whose worlds are the rows of the columns; agents observe a number at each."""
    rows: dict[str, Mask | Callable[[], Mask]] = {**(more or {})}
    for name, values in columns.items():
        for place in range(int(values.max()).bit_length()):
            rows[f"{name}_{2**place}"] = partial(_digit, values, place)
    relations = {}
    for agent, seen in observed.items():
        labels, found = dense(seen, int(seen.max()) + 1)
        relations[agent] = Partition(labels, len(found))
    table = tuple(columns.values())
    size = len(table[0])
    names = Computed(size, partial(_row, table), partial(_find, table))
    designated = None if actual is None else np.array([names.index(actual)])
    return KripkeModel.from_parts(names, relations, Valuation(size, rows), designated)


def _digit(values: Numbers, place: int) -> Mask:
    return (values >> place & 1).astype(bool)


def _row(table: tuple[Numbers, ...], number: int) -> tuple[int, ...]:
    return tuple(int(column[number]) for column in table)


def _find(table: tuple[Numbers, ...], name: object) -> int | None:
    if not (isinstance(name, tuple) and len(name) == len(table) and all(isinstance(k, int) for k in name)):
        return None
    found = np.flatnonzero(np.logical_and.reduce([c == k for c, k in zip(table, name, strict=True)]))
    return int(found[0]) if len(found) else None


def _are(values: Mapping[str, int], columns: Mapping[str, Numbers]) -> Formula:
    """Return the formula that numbers have the given values, digit by digit."""
    digits = []
    for name, value in values.items():
        for place in range(int(columns[name].max()).bit_length()):
            atom = Atom(f"{name}_{2**place}")
            digits.append(atom if value >> place & 1 else ~atom)
    return conjunction(digits)
