"""Gossip: telephone calls in which two agents exchange all secrets they know."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language import Formula, Iff, Or, conjunction, formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, check_size, happens
from kripke_werewolf.semantics.action import ActionModel, Event, assign

__all__ = ["everybody_knows_all", "gossip", "public_calls"]


def gossip(*, n: int = 4, calls: Sequence[str] | None = None) -> Puzzle:
    """Return the puzzle of n agents, each with a secret, and some calls; nobody hears others' calls.

    `has_0_2`: agent 0 has the secret of 2. Everybody knows how many calls were made, those in which
    he took part, and which secrets the two of them had then together.

    >>> [len(model) for model in gossip(n=4).history().models()]
    [1, 6, 36]
    """
    check_size(n, least=2, most=6)
    agents = [str(i) for i in range(n)]
    if calls is None:  # the first two calls of the well-known example, as far as there are agents for them
        calls = ("01", "12") if n > 2 else ("01",)
    pairs = {"".join(pair): pair for pair in combinations(agents, 2)}
    for call in calls:
        if call not in pairs:
            raise ModelError(f"a call is one of {', '.join(pairs)}; got {call!r}")
    events, parts = {}, {}
    for name, (i, j) in pairs.items():
        others = [k for k in agents if k not in (i, j)]
        for size in range(len(others) + 1):
            for more in combinations(others, size):
                joint = (i, j, *more)
                happening = f"{name}: {''.join(sorted(joint))}"
                events[happening] = Event(
                    conjunction(Iff(_either(i, j, k), formula(k in joint)) for k in others),
                    {f"has_{x}_{k}": True for x in (i, j) for k in joint},
                )
                parts[happening] = (i, j)
    relations = {
        x: [(e, f) for e in events for f in events if e == f or (x not in parts[e] and x not in parts[f])]
        for x in agents
    }
    action = ActionModel(events, relations, name="call")
    return Puzzle(
        "gossip",
        f"{n} agents have a secret each; in a call two of them exchange all the secrets they have.",
        "Tijdeman 1971; Attamah, van Ditmarsch, Grossi and van der Hoek 2014",
        _start(agents),
        tuple(
            happens(
                f"{call[0]} calls {call[1]}", action.point(*(e for e in events if e.startswith(f"{call}:")))
            )
            for call in calls
        ),
        (
            ask("2 knows that 0 has the secret of 1", "K_2 has_0_1", after=2),
            ask("2 knows that 1 has the secret of 0", "K_2 has_1_0", after=2),
            ask("0 knows that 1 has the secret of 2", "K_0 has_1_2", False, after=2),
        )
        if n == 4 and tuple(calls) == ("01", "12")
        else (),
    )


def public_calls(n: int) -> tuple[KripkeModel, dict[str, ActionModel]]:
    """Return the start of the gossip problem and all calls, where everybody hears who calls whom.

    With `everybody_knows_all(n)` as the goal, a problem for `shortest_plan`.
    """
    check_size(n, least=2, most=8)
    agents = [str(i) for i in range(n)]
    calls = {}
    for i, j in combinations(agents, 2):
        changes = {f"has_{x}_{k}": _either(i, j, k) for x in (i, j) for k in agents if k != x}
        calls[i + j] = assign(changes).named(f"{i} calls {j}")
    return _start(agents), calls


def everybody_knows_all(n: int) -> Formula:
    """Return that every one of n agents has all secrets."""
    return conjunction(f"has_{i}_{k}" for i in range(n) for k in range(n) if i != k)


def _start(agents: Sequence[str]) -> KripkeModel:
    return KripkeModel.from_partitions(
        ["start"],
        {i: [["start"]] for i in agents},
        {f"has_{i}_{k}": ["start"] if i == k else [] for i in agents for k in agents},
    )


def _either(i: str, j: str, k: str) -> Formula:
    return Or(f"has_{i}_{k}", f"has_{j}_{k}")
