"""Puzzles of actions: gossip, prisoners and a light, Sally and Anne."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas import Atom, Formula, K, Not, Or, conjunction
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.puzzles.puzzle import (
    Engine,
    Icon,
    Puzzle,
    asks,
    check_size,
    engine_for,
    happens,
    known_if,
)
from kripke_werewolf.logic.semantics.action import ActionModel, Event, assign

Events: TypeAlias = dict[tuple[str, ...], dict[str, Event]]  # by name, given by who is present


# --- gossip -----------------------------------------------------------------------------------------


def gossip(
    n: int = 4, *, calls: Sequence[str] | None = None, observing: str = "secrets", engine: Engine = "explicit"
) -> Puzzle:
    """Return the puzzle of n agents, each with a secret, and some calls, which the others do not hear.

    `has_0_2`: agent 0 has the secret of 2. A call is written `01`. Everybody knows the number of calls and
    their own calls. With `observing="secrets"` they also know which secrets the two callers had after the
    call; with `observing="calls"` they do not. Formulas: `experts`, everybody has all secrets. Actions:
    `call`, any two agents call each other; `call_0_1`, …: these two do.

    Different calls lead to different knowledge, so every call multiplies the worlds by the number of pairs:
    six agents have 2,562,890,625 worlds after eight calls. The history contracts the models on the way, so it
    answers questions without listing these worlds. For the last model itself, use the symbolic engine with
    `observing="calls"`.

    >>> [len(model) for model in gossip(4).history().models]
    [1, 6, 36]
    """
    check_size(n, least=2, most=6, engine=engine)
    agents = [str(i) for i in range(n)]
    if calls is None:  # the first two calls of the well-known example, as far as there are agents for them
        calls = ("01", "12") if n > 2 else ("01",)
    pairs = {i + k: (i, k) for i, k in combinations(agents, 2)}
    for call in calls:
        if call not in pairs:
            raise ModelError(f"a call is one of {', '.join(pairs)}; got {call!r}")
    if observing not in ("secrets", "calls"):
        raise ModelError(f"observing= is 'secrets' or 'calls', got {observing!r}")
    events: Events = {pair: _contents(pair, agents, observing) for pair in pairs.values()}
    action = _seen_by_those_present("call", events, agents)
    made = {call: action.point(*events[pair]) for call, pair in pairs.items()}
    return Puzzle(
        "gossip",
        f"each of {n} agents has a secret; in a call two of them exchange all the secrets they have.",
        _untold(agents),
        known_if(
            (n, *calls, observing) == (4, "01", "12", "secrets"),
            *(happens(" calls ".join(pairs[call]), made[call]) for call in calls),
            asks("2 knows that 0 has the secret of 1", "K_2 has_0_1"),
            asks("2 knows that 1 has the secret of 0", "K_2 has_1_0"),
            asks("0 knows that 1 has the secret of 2", "K_0 has_1_2", False),
        ),
        {"experts": everybody_knows_all(n)},
        {"call": action, **{"_".join(["call", *pair]): made[call] for call, pair in pairs.items()}},
        engine=engine_for(engine, len(pairs) ** len(calls)),
    )


def public_calls(n: int) -> tuple[KripkeModel, dict[str, ActionModel]]:
    """Return the start of the gossip problem and all calls; everybody hears who calls whom.

    Use them in a planning `Task` with the goal `everybody_knows_all(n)`.
    """
    check_size(n, least=2, most=8)
    agents = [str(i) for i in range(n)]
    pairs = list(combinations(agents, 2))
    return _untold(agents), {
        i + k: assign(_exchange((i, k), agents)).named(f"{i} calls {k}") for i, k in pairs
    }


def everybody_knows_all(n: int) -> Formula:
    """Return the formula that all n agents have all secrets."""
    return conjunction(f"has_{i}_{k}" for i in range(n) for k in range(n))


def _untold(agents: Sequence[str]) -> KripkeModel:
    return _start(agents, {f"has_{i}_{k}": i == k for i in agents for k in agents})


def _start(agents: Sequence[str], facts: Mapping[str, bool]) -> KripkeModel:
    """Return the model with one world, in which everybody knows all the facts."""
    valuation = {atom: ["start"] if true else [] for atom, true in facts.items()}
    return KripkeModel.from_partitions(["start"], {agent: [["start"]] for agent in agents}, valuation)


def _exchange(pair: tuple[str, str], agents: Sequence[str]) -> dict[str, Formula]:
    """Return the changes of a call: both get the secrets that either had."""
    joint = {k: Or(*(Atom(f"has_{i}_{k}") for i in pair)) for k in agents}
    return {f"has_{i}_{k}": joint[k] for i in pair for k in agents if k != i}


def _contents(pair: tuple[str, str], agents: Sequence[str], observing: str) -> dict[str, Event]:
    """Return the calls of a pair that they distinguish, by the secrets that they then have: `01: 0123`."""
    call, changes = "".join(pair), _exchange(pair, agents)
    if observing == "calls":
        return {call: Event(True, changes)}
    joint = {k: changes[f"has_{pair[0]}_{k}"] for k in agents if k not in pair}
    found = {}
    for had in product((False, True), repeat=len(joint)):
        known = [k for k, yes in zip(joint, had, strict=True) if yes]
        content = conjunction(f if k in known else ~f for k, f in joint.items())
        found[f"{call}: {''.join(sorted((*pair, *known)))}"] = Event(content, changes)
    return found


def _seen_by_those_present(name: str, events: Events, agents: Sequence[str]) -> ActionModel:
    """Return the action whose events are distinguished by those present; the others see who is absent."""
    every = {event: e for some in events.values() for event, e in some.items()}
    relations = {}
    for agent in agents:
        unseen = [event for present, some in events.items() if agent not in present for event in some]
        relations[agent] = [*((event, event) for event in every), *product(unseen, unseen)]
    return ActionModel(every, relations, name=name)


# --- prisoners --------------------------------------------------------------------------------------


def prisoners(n: int = 3, *, visits: Sequence[int] | None = None, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of n prisoners who are called one a day into a room with a light.

    Prisoner 1 counts, and switches the light off whenever it is on. Each other prisoner switches it on the
    first time they find it off. When the counter has found it on n - 1 times, they know that all have been
    there. `visits`: the prisoner called on each day, by default 2, 1, 3, 1, … Nobody sees who else is called.
    Atoms `light`, `been_1`, …, and `done_2` once 2 has switched the light on. Formulas: `all`, everybody has
    been there, and `declares`, the counter knows that. Actions: `day`, somebody is called; `day_1`, ….

    >>> [len(model) for model in prisoners(3).history().models]
    [1, 3, 9, 27, 81]
    """
    check_size(n, least=2, most=5, engine=engine)
    called = list(visits) if visits is not None else [k for i in range(2, n + 1) for k in (i, 1)]
    if any(not isinstance(k, int) or not 1 <= k <= n for k in called):
        raise ModelError(f"visits are numbers of prisoners, 1 to {n}; got {visits!r}")
    people = [str(i) for i in range(1, n + 1)]
    events: Events = {}
    for i in people:
        on: dict[str, Formula | bool] = {f"been_{i}": True}
        off = dict(on)
        if i == "1":
            on["light"] = False
        else:
            off |= {"light": Or("light", Not(f"done_{i}")), f"done_{i}": True}
        events[i,] = {f"{i} on": Event("light", on), f"{i} off": Event("~light", off)}
    day = _seen_by_those_present("day", events, people)
    days = {i: day.point(f"{i} on", f"{i} off") for i in people}
    atoms = ["light", *(f"{what}_{i}" for i in people for what in ("been", "done"))]
    all_been = conjunction(f"been_{i}" for i in people)
    counted = K("1", all_been)
    visited = [happens(f"day {d}: prisoner {k} is called", days[str(k)]) for d, k in enumerate(called, 1)]
    return Puzzle(
        "prisoners",
        f"{n} prisoners are called into a room with a light, one a day; they are free when one of them"
        " rightly says that all have been there.",
        _start(people, dict.fromkeys(atoms, False)),
        known_if(
            visits is None,
            *visited[:-1],
            asks("the counter knows this a day earlier", counted, False),
            *visited[-1:],
            asks("the counter knows that all have been there", counted),
            asks("nobody else knows", conjunction(~K(i, all_been) for i in people[1:])),
        ),
        {"all": all_been, "declares": counted},
        {"day": day, **{f"day_{i}": action for i, action in days.items()}},
        engine=engine_for(engine, n ** len(called)),
    )


# --- Sally and Anne ---------------------------------------------------------------------------------


def sally_anne(*, engine: Engine = "explicit") -> Puzzle:
    """Return the false-belief test: Anne moves the marble while Sally is away and suspects nothing.

    `here`: Sally is in the room. `basket`: the marble is in the basket, not in the box.

    >>> [len(model) for model in sally_anne().history().models]
    [1, 1, 1, 2, 2]
    """
    move = ActionModel(
        {"move": Event(True, {"basket": False}), "nothing": Event()},
        {
            "Anne": [("move", "move"), ("nothing", "nothing")],
            "Sally": [("move", "nothing"), ("nothing", "nothing")],
        },
        ["move"],
        name="move",
    )
    return Puzzle(
        "sally-anne",
        "Sally puts a marble into a basket and goes out; Anne moves it to a box; Sally comes back.",
        _start(["Sally", "Anne"], {"here": True, "basket": False}),
        (
            happens("Sally puts the marble into the basket", assign(basket=True)),
            happens("Sally leaves", assign(here=False)),
            happens("Anne moves the marble to the box", move),
            happens("Sally comes back", assign(here=True)),
            asks("the marble is in the basket", "basket", False),
            asks("Sally believes that it is in the basket", "B_Sally basket"),
            asks("Anne knows that it is not", "K_Anne ~basket"),
            asks("Anne knows what Sally believes", "K_Anne B_Sally basket"),
            asks("Sally believes that Anne believes so, too", "B_Sally B_Anne basket"),
        ),
        engine=engine,
        icons=(Icon("sally", {"here": ""}), Icon("marble", {"basket": ""})),
    )
