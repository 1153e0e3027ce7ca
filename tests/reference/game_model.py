"""The model of a game by its definition: one action model per event, all players' secrets, no reductions.

Slow: every private record multiplies the worlds. Dominance is no atom but a formula over ranks and deaths.
"""

from __future__ import annotations

from itertools import permutations

import kripke_werewolf as kw
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    Told,
    Vision,
    VotedOff,
)
from kripke_werewolf.werewolf.roles import is_wolf, kind

__all__ = ["dominant", "game_model", "product_size", "without_dominance"]


def game_model(game: kw.QuantumWerewolf) -> kw.KripkeModel:
    """Return the product of the action models of all events of a game in the quantum deal."""
    model = _start(game)
    before = game.at(0)
    for step in game.steps:
        for event in step:
            action = _action(game, before, event)
            if action is not None:
                model = model.update(action)
        before = before.repeat(step)
    return model


def product_size(game: kw.QuantumWerewolf) -> int:
    """Return an upper bound of the worlds of `game_model`, without building it."""
    size, before = game.at(0).size, game.at(0)
    for step in game.steps:
        for event in step:
            action = _action(game, before, event)
            if isinstance(event, Vision | Attack | Declined | Told) and action is not None:
                size *= len(action.events)
        before = before.repeat(step)
    return size


def _start(game: kw.QuantumWerewolf) -> kw.KripkeModel:
    deck = game.setup.deck
    cards = [role for role in deck.roles for _ in range(deck.cards(role))]
    worlds = sorted(set(permutations(cards)))
    roles_atoms = {
        f"{role}_{name}": [w for w in worlds if w[i] == role]
        for role in deck.roles
        for i, name in enumerate(game.players)
    }
    wolves = {f"wolf_{name}": [w for w in worlds if is_wolf(w[i])] for i, name in enumerate(game.players)}
    good = {f"good_{n}": [w for w in worlds if not is_wolf(w[i])] for i, n in enumerate(game.players)}
    dead: dict[str, list[object]] = {f"dead_{name}": [] for name in game.players}
    total = {name: [worlds] for name in game.players}
    return kw.KripkeModel.from_partitions(worlds, total, {**roles_atoms, **wolves, **good, **dead})


def dominant(game: kw.QuantumWerewolf, name: str) -> kw.Formula:
    """Return the formula that a player is the highest-ranked living wolf."""
    deck = game.setup.deck
    if not deck.ranked:
        return kw.FALSE
    options = []
    for i, rank in enumerate(deck.wolf_roles):
        superior_dead = [
            kw.disjunction(kw.Atom(f"{higher}_{other}") & kw.Atom(f"dead_{other}") for other in game.players)
            for higher in deck.wolf_roles[:i]
        ]
        options.append(kw.conjunction([kw.Atom(f"{rank}_{name}"), ~kw.Atom(f"dead_{name}"), *superior_dead]))
    return kw.disjunction(options)


def without_dominance(game: kw.QuantumWerewolf, f: kw.Formula) -> kw.Formula:
    """Replace the atoms `dominant_i` by their definition."""
    return f.substitute({f"dominant_{n}": dominant(game, n) for n in game.players})


def _shows(game: kw.QuantumWerewolf, target: str, label: str) -> kw.Formula:
    roles = game.rules.labels(game.rules.vision_shows, game.setup.deck)[label]
    return kw.disjunction(kw.Atom(f"{r}_{target}") for r in sorted(roles))


def _action(game: kw.QuantumWerewolf, before: kw.QuantumWerewolf, event: Event) -> kw.ActionModel | None:
    match event:
        case Vision(actor, target, result):
            return _vision(game, before, actor, (target, result))
        case Declined(actor, "vision"):
            return _vision(game, before, actor, None)
        case Attack(actor, target):
            return _attack(game, before, actor, target)
        case VotedOff(player, role, _):
            return _death(game, player, str(role), game.rules.announce_vote, voted=True)
        case FoundDead(player, role, _):
            return _death(game, player, str(role), game.rules.announce_found, voted=False)
        case Told(player, role):
            return _told(game, player, role)
        case Collapsed(roles):
            f = kw.conjunction(kw.Atom(f"{r}_{n}") for r, n in zip(roles, game.players, strict=True))
            # nobody learns which world was drawn: only the designated worlds are fewer
            return kw.ActionModel(
                {"drawn": kw.Event(f), "other": kw.Event(~f)}, {}, ["drawn"], others=_all(["drawn", "other"])
            )
        case _:
            return None


def _same(events: list[object]) -> list[tuple[object, object]]:
    return [(e, e) for e in events]


def _all(events: list[object]) -> list[tuple[object, object]]:
    return [(e, f) for e in events for f in events]


def _seen_by_actor(actor: str, events: dict[object, kw.Event], actual: object) -> kw.ActionModel:
    names = list(events)
    return kw.ActionModel(events, {actor: _same(names)}, [actual], others=_all(names))


def _vision(
    game: kw.QuantumWerewolf, before: kw.QuantumWerewolf, actor: str, seen: tuple[str, str | None] | None
) -> kw.ActionModel | None:
    public = game.setup.targets == "public"
    if public and seen is None:
        return None
    targets = [seen[0]] if public and seen else _legal(game, before, actor, "vision")
    seer = kw.Atom(f"seer_{actor}")
    events: dict[object, kw.Event] = {}
    for target in targets:
        for label in game.rules.labels(game.rules.vision_shows, game.setup.deck):
            events[target, label] = kw.Event(seer >> _shows(game, target, label))
        if game.rules.vision_worlds == "alive":
            events[target, None] = kw.Event(~(seer & ~kw.Atom(f"dead_{actor}")))
    if not game.rules.vision_compulsory and not public:
        events["declined"] = kw.Event()
    return _seen_by_actor(actor, events, "declined" if seen is None else seen)


def _legal(game: kw.QuantumWerewolf, before: kw.QuantumWerewolf, actor: str, action: str) -> list[str]:
    from kripke_werewolf.werewolf.legality import target_refusal

    seat = game.setup.seat(actor)
    return [
        name
        for i, name in enumerate(game.players)
        if target_refusal(game.setup, before._state, seat, action, i) is None  # type: ignore[arg-type]
    ]


def _attack(
    game: kw.QuantumWerewolf, before: kw.QuantumWerewolf, actor: str, target: str
) -> kw.ActionModel | None:
    if game.rules.attack != "dominant":
        return None
    targets = [target] if game.setup.targets == "public" else _legal(game, before, actor, "attack")
    strongest = dominant(game, actor)
    events: dict[object, kw.Event] = {
        t: kw.Event(strongest >> ~kw.Atom(f"wolf_{t}"), {f"dead_{t}": kw.Atom(f"dead_{t}") | strongest})
        for t in targets
    }
    return _seen_by_actor(actor, events, target)


def _death(game: kw.QuantumWerewolf, player: str, role: str, shown: str, *, voted: bool) -> kw.ActionModel:
    labels = game.rules.labels(shown, game.setup.deck)  # type: ignore[arg-type]
    dead = kw.Atom(f"dead_{player}")
    before: kw.Formula = kw.TRUE
    if voted and game.rules.vote_eliminates:
        before = ~dead
    elif not voted and game.rules.attack == "dominant":
        before = dead
    roles: list[object] = list(game.setup.deck.roles)
    events = {r: kw.Event(before & kw.Atom(f"{r}_{player}"), {f"dead_{player}": True}) for r in roles}
    word = {r: next(label for label, covered in labels.items() if r in covered) for r in roles}
    confused = [(r, q) for r in roles for q in roles if word[r] == word[q]]
    return kw.ActionModel(events, {}, [role], others=confused)


def _told(game: kw.QuantumWerewolf, player: str, role: str) -> kw.ActionModel:
    exact = game.rules.told == "role"
    meant: dict[str, list[str]] = {}
    for r in game.setup.deck.roles:
        meant.setdefault(r if exact else kind(r), []).append(r)
    events: dict[object, kw.Event] = {
        r: kw.Event(kw.disjunction(kw.Atom(f"{q}_{player}") for q in all_)) for r, all_ in meant.items()
    }
    events["not told"] = kw.Event()
    return _seen_by_actor(player, events, role)
