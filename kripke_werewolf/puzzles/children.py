"""Muddy children: knowing by others' not knowing."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language import Common, KnowsWhether, conjunction, disjunction
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Mask, Partition
from kripke_werewolf.models.valuation import Valuation
from kripke_werewolf.models.worlds import Computed
from kripke_werewolf.puzzles.puzzle import Happening, Puzzle, Question, ask, check_size, happens

__all__ = ["muddy_children"]


def muddy_children(*, n: int = 3, muddy: int | None = None, father: bool = True) -> Puzzle:
    """Return the puzzle of n children of whom `muddy` (by default all) have mud on their foreheads.

    Children see all foreheads but their own. The father says that at least one is muddy; then the
    children say again and again, all at once, who of them knows whether he or she is muddy. A world
    is a text of n digits, 1 for mud; the first children are the muddy ones. Without the father's
    words nobody ever learns anything.

    >>> [len(model) for model in muddy_children(n=4).history().models()]
    [16, 15, 11, 5, 1]
    """
    check_size(n, least=1, worlds=lambda k: 2**k)
    count = n if muddy is None else muddy
    if not isinstance(count, int) or not 1 <= count <= n:
        raise ModelError(f"between 1 and {n} of the children are muddy; got {muddy!r}")
    children = [str(i) for i in range(1, n + 1)]
    someone = disjunction(f"muddy_{i}" for i in children)
    knows = {i: KnowsWhether(i, f"muddy_{i}") for i in children}
    nobody = conjunction(~knows[i] for i in children)

    events: list[Happening] = []
    questions: list[Question] = []
    if father:
        events.append(happens("father: at least one of you is muddy", someone))
        questions.append(
            ask("it is common knowledge that someone is muddy", Common(children, someone), after=1)
        )
        events += [happens(f"round {j}: nobody knows", nobody) for j in range(1, count)]
        before = len(events)
        questions += [
            ask(
                "the muddy children know that they are",
                conjunction(knows[i] for i in children[:count]),
                after=before,
            )
        ]
        if count < n:
            clean = conjunction(~knows[i] for i in children[count:])
            questions.append(ask("the clean children do not know yet", clean, after=before))
            answer = conjunction(knows[i] if int(i) <= count else ~knows[i] for i in children)
            events.append(happens(f"round {count}: the muddy children know, the others do not", answer))
        everybody = conjunction(knows.values())
        questions.append(ask("now all children know", everybody, after=len(events)))
    else:
        events.append(happens("round 1: nobody knows", nobody))
        questions.append(ask("still nobody knows", nobody, after=1))
        questions.append(
            ask("it is common knowledge that someone is muddy", Common(children, someone), False, after=1)
        )
    return Puzzle(
        "muddy-children",
        f"{n} children, {count} of them muddy; each sees the others' foreheads, none its own.",
        "Littlewood 1953; Fagin, Halpern, Moses and Vardi 1995, section 1.1",
        _model(n, count),
        tuple(events),
        tuple(questions),
    )


def _model(n: int, muddy: int) -> KripkeModel:
    worlds = np.arange(2**n, dtype=np.int32)
    relations, rows = {}, {}
    for i in range(1, n + 1):
        shift = n - i  # the first child is the first, highest, digit
        others = (worlds >> (shift + 1) << shift) | (worlds & ((1 << shift) - 1))
        relations[str(i)] = Partition(others, 2 ** (n - 1))
        rows[f"muddy_{i}"] = partial(_digit, worlds, shift)
    actual = int("1" * muddy + "0" * (n - muddy), 2)
    names = Computed(2**n, lambda k: format(k, f"0{n}b"), partial(_number, n))
    return KripkeModel.from_parts(names, relations, Valuation(2**n, rows), np.array([actual]))


def _digit(worlds: npt.NDArray[np.int32], shift: int) -> Mask:
    return (worlds >> shift & 1).astype(bool)


def _number(n: int, name: object) -> int | None:
    if isinstance(name, str) and len(name) == n and set(name) <= {"0", "1"}:
        return int(name, 2)
    return None
