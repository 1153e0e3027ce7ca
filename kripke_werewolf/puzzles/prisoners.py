"""Prisoners and the light in the interrogation room."""

from __future__ import annotations

from collections.abc import Sequence

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language import Knows, Not, conjunction
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, check_size, happens
from kripke_werewolf.semantics.action import ActionModel, Event

__all__ = ["prisoners"]


def prisoners(*, n: int = 3, visits: Sequence[int] | None = None) -> Puzzle:
    """Return the puzzle of n prisoners who are called one a day into a room with a light.

    Prisoner 1 counts: he puts the light out whenever it is on. Everybody else puts it on the first
    time he finds it off. So once the counter has found it on n - 1 times he knows that all have been
    there. `visits`: who is called on each day, by default 2, 1, 3, 1, … Nobody sees who else is called.
    Atoms `light`, `been_i`, and `done_i` once i has put the light on.

    >>> [len(model) for model in prisoners(n=3).history().models()]
    [1, 3, 9, 27, 81]
    """
    check_size(n, least=3, most=5)
    called = list(visits) if visits is not None else [k for i in range(2, n + 1) for k in (i, 1)]
    if any(not isinstance(k, int) or not 1 <= k <= n for k in called):
        raise ModelError(f"visits are numbers of prisoners, 1 to {n}; got {visits!r}")
    people = [str(i) for i in range(1, n + 1)]
    model = KripkeModel.from_partitions(
        ["start"],
        {i: [["start"]] for i in people},
        {"light": [], **{f"{what}_{i}": [] for i in people for what in ("been", "done")}},
    )
    all_been = conjunction(f"been_{i}" for i in people)
    days = {i: _day(people, i) for i in people}
    clever = visits is None
    return Puzzle(
        "prisoners",
        f"{n} prisoners are called into a room with a light, one a day; they are free when one of them"
        " says rightly that all have been there.",
        "van Ditmarsch, van Eijck and Wu 2010",
        model,
        tuple(happens(f"day {d}: prisoner {k} is called", days[str(k)]) for d, k in enumerate(called, 1)),
        (
            ask(
                "the counter knows this a day earlier",
                Knows("1", all_been),
                False,
                after=len(called) - 1,
            ),
            ask("the counter knows that all have been there", Knows("1", all_been), after=len(called)),
            ask(
                "nobody else knows",
                conjunction(Not(Knows(i, all_been)) for i in people[1:]),
                after=len(called),
            ),
        )
        if clever
        else (),
    )


def _day(people: Sequence[str], called: str) -> ActionModel:
    """Return a day on which prisoner `called` is the one; the others know only that they are not."""
    events, who, sees = {}, {}, {}
    for i in people:
        light_after = False if i == "1" else f"light | ~done_{i}"
        done = {} if i == "1" else {f"done_{i}": f"done_{i} | ~light"}
        for on in (True, False):
            name = f"{i} {'on' if on else 'off'}"
            pre = "light" if on else "~light"
            events[name] = Event(pre, {f"been_{i}": True, "light": light_after, **done})
            who[name], sees[name] = i, on
    relations = {
        i: [
            (e, f)
            for e in events
            for f in events
            if (who[e] == i) == (who[f] == i) and (who[e] != i or sees[e] == sees[f])
        ]
        for i in people
    }
    return ActionModel(events, relations, [f"{called} on", f"{called} off"], name=f"call {called}")
