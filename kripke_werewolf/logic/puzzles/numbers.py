"""Puzzles about numbers: consecutive numbers, sum and product, what sum.

Their models are bounded, which causes artefacts near the bound: an agent may know a number only because
the larger alternative is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kripke_werewolf.logic.formulas import Atom, C, Everywhere, Formula, K, Kw, Somewhere, conjunction
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.puzzles.puzzle import (
    Engine,
    Icon,
    Puzzle,
    asks,
    check_size,
    happens,
    numbered_model,
    runs,
)


def consecutive_numbers(n: int = 10, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of two agents with consecutive numbers between 0 and n, each seeing its own.

    Worlds are pairs, a's number first; `a_3` says that a has the number 3. The variable `a` has the
    numbers of a as values, `b` those of b.

    >>> [len(model) for model in consecutive_numbers(10).history().models]
    [20, 18, 14, 4, 4]
    """
    check_size(n, least=6, most=1000)
    return Puzzle(
        "consecutive-numbers",
        f"a and b have consecutive numbers, at most {n}; each sees its own.",
        KripkeModel.from_observations(
            sorted((i + up, i + 1 - up) for i in range(n) for up in (0, 1)),
            {"a": lambda pair: pair[0], "b": lambda pair: pair[1]},
            lambda pair: [f"a_{pair[0]}", f"b_{pair[1]}"],
            variables={agent: {str(k): f"{agent}_{k}" for k in range(n + 1)} for agent in "ab"},
        ),
        (
            asks("a would know it at once from 0", "everywhere (a_0 -> Kv_a(b))"),
            happens("a: I do not know your number", "~Kv_a(b)"),
            happens("b: I do not know your number", "~Kv_b(a)"),
            asks("nobody has 0, and all know it", "C_{a,b} (~a_0 & ~b_0)"),
            happens("a: now I know it", "Kv_a(b)"),
            asks("a has 1 or 2, or a number near the bound", f"a_1 | a_2 | a_{n - 1} | a_{n - 2}"),
            happens("b: so do I", "Kv_b(a)"),
        ),
        engine=engine,
        icons=tuple(Icon("envelope", {f"{x}_{k}": str(k) for k in range(n + 1)}, x) for x in "ab"),
    )


def sum_and_product(n: int = 100, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of two numbers 1 < x < y with x + y at most n; S knows their sum, P their product.

    Worlds are pairs (x, y). The atom `x_8` says that the binary digit of x at the place of 8 is 1, so an
    agent knows x if it knows whether each of these atoms is true. The puzzle has its well-known solution for
    n >= 65, none below (the last announcement is false), and several for n >= 1685.

    >>> puzzle = sum_and_product(100)
    >>> [len(model) for model in puzzle.history().models], puzzle.history().model.worlds[0]
    ([2352, 145, 86, 1], (4, 13))
    """
    check_size(n, least=7, worlds=lambda k: (k - 3) ** 2 // 4)
    pair = _Tuple.of_bounds(x=(n - 1) // 2, y=n - 2)
    x, y = pair.value("x"), pair.value("y")
    knows = {agent: pair.known_to(agent, "xy") for agent in "SP"}
    return Puzzle(
        "sum-and-product",
        f"Two numbers, 1 < x < y and x + y <= {n}. S knows their sum, P their product.",
        numbered_model(
            runs(pair.run((k, k + 1), (0, 1), n - 2 * k) for k in range(2, (n + 1) // 2)),
            pair.atoms(),
            {"S": lambda k: x(k) + y(k), "P": lambda k: x(k) * y(k)},
            pair.values,
        ),
        (
            asks("some products tell the numbers at once", Somewhere(knows["P"])),
            # S's earlier knowledge implies P's statement, so one announcement replaces both
            happens("P: I do not know the numbers. S: I knew that", K("S", ~knows["P"])),
            asks("the sum is odd", "everywhere (x_1 xor y_1)"),
            happens("P: now I know them", knows["P"]),
            happens("S: now I know them too", knows["S"]),
            asks(
                "both know that the numbers are 4 and 13",
                C(["P", "S"], pair.are(x=4, y=13)),
                True if n < 1685 else "mixed",
            ),
        ),
        {"ignorant": ~knows["P"]},
        engine=engine,
    )


def what_sum(n: int = 300, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of three positive numbers, the largest at most n and the sum of the other two.

    a, b and c each see the others' numbers. Worlds are triples; the atom `b_4` says that the binary
    digit of b's number at the place of 4 is 1, and `inner` that no number exceeds n / 6, so that
    three answers later the bound cannot yet be noticed.

    >>> puzzle = what_sum()
    >>> puzzle.model.designated, puzzle.history().model.where("inner & a_32 & a_16 & ~a_1")
    (((50, 20, 30),), [(50, 20, 30)])
    """
    check_size(n, least=300, worlds=lambda k: 3 * k * (k - 1) // 2)
    triple = _Tuple.of_bounds(a=n, b=n, c=n)
    a, b, c = (triple.value(agent) for agent in "abc")
    knows = {agent: triple.known_to(agent, agent) for agent in "abc"}
    return Puzzle(
        "what-sum",
        f"a, b and c have positive numbers, at most {n}, on their foreheads; one is the sum of the others.",
        numbered_model(
            runs(
                [
                    *(triple.run((k + 1, k, 1), (1, 0, 1), n - k) for k in range(1, n)),
                    *(triple.run((k, k + 1, 1), (0, 1, 1), n - k) for k in range(1, n)),
                    *(triple.run((k, 1, k + 1), (0, 1, 1), n - k) for k in range(1, n)),
                ]
            ),
            {"inner": lambda k: (6 * a(k) <= n) & (6 * b(k) <= n) & (6 * c(k) <= n), **triple.atoms()},
            {
                "a": lambda k: b(k) * (n + 1) + c(k),
                "b": lambda k: a(k) * (n + 1) + c(k),
                "c": lambda k: a(k) * (n + 1) + b(k),
            },
            triple.values,
            triple.number(50, 20, 30),
        ),
        (
            happens("a: I do not know my number", ~knows["a"]),
            happens("b: I do not know my number", ~knows["b"]),
            asks("a knows its number after two answers", knows["a"], False),
            happens("c: I do not know my number", ~knows["c"]),
            asks("the third answer tells a its number", knows["a"]),
            happens("a: now I know my number, it is 50", knows["a"] & triple.are(a=50)),
            asks(
                "far from the bound, the others can only be 20 and 30",
                Everywhere(Atom("inner") >> triple.are(b=20, c=30)),
            ),
        ),
        engine=engine,
    )


@dataclass(frozen=True, slots=True)
class _Tuple:
    """A tuple of named numbers, packed into one number: the binary digits of each lie side by side.

    `places`: the positions of the digits of each. The atom `x_4` is the digit of x at the place of 4.
    """

    places: Mapping[str, range]

    @classmethod
    def of_bounds(cls, **most: int) -> _Tuple:
        """Return tuples of numbers with the given bounds; the digits of the first are the highest."""
        places, start = {}, 0
        for name, largest in reversed(most.items()):
            places[name] = range(start, start + largest.bit_length())
            start += largest.bit_length()
        return cls(dict(reversed(places.items())))

    def number(self, *values: int) -> int:
        """Return the number that packs a tuple."""
        return sum(v << places.start for v, places in zip(values, self.places.values(), strict=True))

    def run(self, first: tuple[int, ...], step: tuple[int, ...], length: int) -> range:
        """Return the packed numbers of `length` tuples, from the first one on in equal steps."""
        start, distance = self.number(*first), self.number(*step)
        return range(start, start + length * distance, distance)

    def value(self, name: str) -> Callable[[Any], Any]:
        """Return the function from packed numbers, or an array of them, to the value of a name."""
        return partial(_digits, self.places[name])

    def values(self, number: int) -> tuple[int, ...]:
        """Return the tuple."""
        return tuple(_digits(places, number) for places in self.places.values())

    def atoms(self) -> dict[str, Callable[[Any], Any]]:
        """Return for each atom the function from packed numbers to its digit."""
        return {
            f"{name}_{2**k}": partial(_digits, places[k : k + 1])
            for name, places in self.places.items()
            for k in range(len(places))
        }

    def are(self, **values: int) -> Formula:
        """Return the formula that the numbers have the given values."""
        return conjunction(
            Atom(f"{name}_{2**k}") if value >> k & 1 else ~Atom(f"{name}_{2**k}")
            for name, value in values.items()
            for k in range(len(self.places[name]))
        )

    def known_to(self, agent: str, names: str) -> Formula:
        """Return the formula that an agent knows the numbers with the given names."""
        return conjunction(Kw(agent, f"{n}_{2**k}") for n in names for k in range(len(self.places[n])))


def _digits(places: range, number: Any) -> Any:
    return number >> places.start & (1 << len(places)) - 1
