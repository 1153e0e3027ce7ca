"""Setting up a game: from what a caller wrote to a valid `Setup`, its worlds and the first state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.draws import Draw, choose
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.legality import entitled
from kripke_werewolf.werewolf.roles import Deck, Role, parse_roles
from kripke_werewolf.werewolf.rules import Rules, preset
from kripke_werewolf.werewolf.state import Deal, Phase, Setup, State, Targets, check_names
from kripke_werewolf.werewolf.superposition import Superposition

__all__ = ["ENGINES", "Engine", "make_setup", "make_worlds", "start_state"]

ENGINES: Mapping[str, Callable[[Deck], Superposition]] = {
    "enumerated": Enumerated.start,
    "counting": Counted.start,
}
"""The ways to represent a superposition: worlds one by one, or only their numbers."""

Engine: TypeAlias = Literal["auto", "enumerated", "counting"] | Callable[[Deck], Superposition]
"""One of `ENGINES` by name, any other way, or `"auto"`: enumerated as long as the worlds fit the memory."""


def make_setup(
    players: Sequence[str],
    *,
    wolves: int | None,
    seers: int,
    rules: str | Rules,
    targets: Targets,
    deal: Deal,
    roles: Sequence[str] | Mapping[str, str] | None,
    numbers: Sequence[int] | Literal["shuffled"] | None,
    strict: bool,
    sample: tuple[int, int] | None,
    draw: Draw,
) -> Setup:
    """Check all settings of a game, draw what is left to chance, and return them as a value.

    Raises GameError for impossible ones.
    """
    listed = isinstance(players, Iterable) and not isinstance(players, str)
    names = check_names(list(players) if listed else players)
    rules = preset(rules) if isinstance(rules, str) else rules
    if not isinstance(rules, Rules):
        raise GameError(f"rules={rules!r} is neither a rule set's name nor a Rules value")
    for setting, value, allowed in (("targets", targets, get_args(Targets)), ("deal", deal, get_args(Deal))):
        if value not in allowed:
            raise GameError(f"{setting}={value!r} is not possible (allowed: {', '.join(map(repr, allowed))})")
    wolves = rules.wolves_for(len(names)) if wolves is None else wolves
    deck = Deck(len(names), wolves=wolves, seers=seers, ranked=rules.ranked)
    if seers > 1 and not rules.several_seers:
        raise GameError(
            f"seers={seers}: the rules {rules.name!r} have at most one (several_seers=True allows more)"
        )
    if deal == "quantum" and roles is not None:
        raise GameError("roles= are dealt with deal='classical' only; in the quantum deal nobody has one")
    if deal == "classical" and sample is not None:
        raise GameError("sample= is for deal='quantum'; a classical deal is a single world")
    if sample is not None:
        worlds = sample[0]
        if isinstance(worlds, bool) or not isinstance(worlds, int) or worlds < 1:
            raise GameError(f"sample={worlds!r} is not a number of worlds; give an integer of at least 1")
        if worlds >= deck.worlds:  # that is all of them
            sample = None
    return Setup(
        players=names,
        deck=deck,
        rules=rules,
        targets=targets,
        deal=deal,
        numbers=_numbers(names, numbers, draw),
        strict=strict,
        roles=_deal(names, deck, roles, draw) if deal == "classical" else None,
        sample=sample,
    )


def _numbers(
    names: tuple[str, ...], numbers: Sequence[int] | Literal["shuffled"] | None, draw: Draw
) -> tuple[int, ...]:
    seats = tuple(range(1, len(names) + 1))
    if numbers is None:
        return seats
    if isinstance(numbers, str):
        if numbers != "shuffled":
            raise GameError(
                f"numbers={numbers!r} is not possible (allowed: 'shuffled', or a number per player)"
            )
        rest, drawn = [str(n) for n in seats], []
        for name in names:
            drawn.append(choose(draw, "number", name, dict.fromkeys(rest, 1)))
            rest.remove(drawn[-1])
        return tuple(map(int, drawn))
    given = list(numbers) if isinstance(numbers, Iterable) else []
    if len(given) != len(seats) or any(seat not in given for seat in seats):
        raise GameError(f"numbers={numbers!r} are not the numbers 1 to {len(names)}, one per player")
    return tuple(map(int, given))


def _deal(
    names: tuple[str, ...], deck: Deck, roles: Sequence[str] | Mapping[str, str] | None, draw: Draw
) -> tuple[Role, ...]:
    """The actual roles by seat: those given, checked against the deck, or drawn card by card."""
    if roles is None:
        cards, dealt = {role: deck.cards(role) for role in deck.roles}, []
        for name in names:
            dealt.append(choose(draw, "deal", name, cards))
            cards[dealt[-1]] -= 1
        return tuple(dealt)
    if isinstance(roles, Mapping):
        if set(roles) != set(names):
            raise GameError(f"roles are given for {', '.join(roles)}, but the players are {', '.join(names)}")
        roles = [roles[name] for name in names]
    exact = [parse_roles(role, deck) for role in roles]
    for text, meant in zip(roles, exact, strict=True):
        if len(meant) != 1:
            raise GameError(f"{text!r} is not an exact role here (possible: {', '.join(deck.roles)})")
    found = tuple(next(iter(meant)) for meant in exact)
    Enumerated.single(deck, found)  # refuses what are not the cards of the deck
    return found


def make_worlds(setup: Setup, engine: Engine) -> Superposition:
    """Return the superposition at the start: all worlds, a sample, or the one that was dealt.

    Raises GameError for an engine that does not exist, or that cannot represent these worlds.
    """
    if engine == "counting" and (setup.roles is not None or setup.sample is not None):
        what = "a sample lists its worlds" if setup.roles is None else "a classical deal is a single world"
        raise GameError(f"engine='counting' is not possible here: {what}; leave out engine=")
    if setup.roles is not None:
        return Enumerated.single(setup.deck, setup.roles)
    if setup.sample is not None:
        worlds, seed = setup.sample
        return Enumerated.sample(setup.deck, worlds, rng=np.random.default_rng(seed))
    if callable(engine):
        return engine(setup.deck)
    if engine == "auto":
        countable = setup.deck.seers < 2 and not Enumerated.fits(setup.deck)
        engine = "counting" if countable else "enumerated"
    if engine not in ENGINES:
        raise GameError(
            f"engine={engine!r} is not possible (allowed: 'auto', {', '.join(map(repr, ENGINES))})"
        )
    return ENGINES[engine](setup.deck)


def start_state(setup: Setup, worlds: Superposition) -> State:
    """Return the state before the first move."""
    phase = Phase(setup.phase_at(0), setup.rules.first_number, 0)
    rights = entitled(setup, worlds, phase, frozenset())
    return State(worlds, phase, entitled=rights, wolves_left=setup.deck.wolves)
