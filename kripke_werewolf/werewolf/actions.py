"""The events of a game as action models, in the words of the logic.

This is the definition that the model of a game follows; see `knowledge_model` for it in words. Atoms
are `seer_i`, `villager_i`, the ranks (or `wolf_i`, where wolves are equal) and `dead_i`; the others
are defined by these.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

from kripke_werewolf.errors import GameError
from kripke_werewolf.language import TRUE, Atom, Formula, conjunction, disjunction
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.semantics.action import ActionModel, private, public, semi_private
from kripke_werewolf.semantics.action import Event as Possible
from kripke_werewolf.werewolf.events import (
    Action,
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    Said,
    Told,
    Vision,
    VotedOff,
)
from kripke_werewolf.werewolf.legality import target_refusal
from kripke_werewolf.werewolf.roles import Role, kind
from kripke_werewolf.werewolf.rules import Shown

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["action_of", "definitions", "legal_targets"]


def definitions(game: QuantumWerewolf) -> dict[str, Formula]:
    """Return the atoms that are defined by others: `wolf_i`, `good_i`, `villager_i`, `dominant_i`."""
    deck = game.setup.deck
    found: dict[str, Formula] = {}
    fallen = _fallen(game)
    for name in game.players:
        wolf = disjunction(Atom(f"{rank}_{name}") for rank in deck.wolf_roles)
        found |= {f"good_{name}": ~wolf, f"villager_{name}": ~(wolf | Atom(f"seer_{name}"))}
        if deck.ranked:
            found |= {f"wolf_{name}": wolf, f"dominant_{name}": _dominant(name, fallen)}
    return found


def _fallen(game: QuantumWerewolf) -> dict[str, Formula]:
    """For each rank of wolves, the highest first, that its holder is dead."""
    deck = game.setup.deck
    return {
        rank: disjunction(Atom(f"{rank}_{p}") & Atom(f"dead_{p}") for p in game.players)
        for rank in (deck.wolf_roles if deck.ranked else ())
    }


def _dominant(name: str, fallen: Mapping[str, Formula]) -> Formula:
    """The player is the highest-ranked living wolf."""
    alive = ~Atom(f"dead_{name}")
    superior_dead = list(fallen.values())
    return disjunction(
        conjunction([Atom(f"{rank}_{name}"), alive, *superior_dead[:i]]) for i, rank in enumerate(fallen)
    )


def legal_targets(game: QuantumWerewolf, before: QuantumWerewolf, actor: str, action: Action) -> list[str]:
    """Return whom the others consider possible as the target of an action, before which `before` stood."""
    seat = game.setup.seat
    return [
        t
        for t in game.players
        if target_refusal(game.setup, before._state, seat(actor), action, seat(t)) is None
    ]


def action_of(event: Event, game: QuantumWerewolf, before: QuantumWerewolf) -> ActionModel | None:
    """Return the action model of an event in the quantum deal; None for one that changes nothing.

    `before` is the game when the step of the event began. Raises `GameError` when no world is left.
    """
    match event:
        case Vision(actor, target, result):
            return _vision(game, before, actor, (target, result))
        case Declined(actor, "vision"):
            return _vision(game, before, actor, None)
        case Attack(actor, target) if game.rules.attack == "dominant":
            return _attack(game, before, actor, target)
        case VotedOff(player, role, _):
            return _death(game, player, role, game.rules.announce_vote, voted=True)
        case FoundDead(player, role, _):
            return _death(game, player, role, game.rules.announce_found, voted=False)
        case Told(player, role):
            return _told(game, player, role)
        case Said(speaker, text, to, True, noticed):
            f = formula(text)
            if not to:
                return public(f)
            return semi_private((speaker, *to), f).point("yes") if noticed else private((speaker, *to), f)
        case Collapsed(roles):
            world = conjunction(_has(r, n) for r, n in zip(roles, game.players, strict=True))
            # nobody learns which world was drawn: only the designated ones are fewer
            events: dict[Hashable, Possible] = {"drawn": Possible(world), "other": Possible(~world)}
            return ActionModel(events, {}, ["drawn"], others=_all(events), name="collapse")
        case _:
            return None


def _vision(
    game: QuantumWerewolf, before: QuantumWerewolf, actor: str, seen: tuple[str, str | None] | None
) -> ActionModel | None:
    public = game.setup.targets == "public"
    if public and seen is None:
        return None
    targets = [seen[0]] if public and seen else legal_targets(game, before, actor, "vision")
    seer = Atom(f"seer_{actor}")
    events: dict[Hashable, Possible] = {}
    for target in targets:
        for label, roles in game.rules.labels(game.rules.vision_shows, game.setup.deck).items():
            events[target, label] = Possible(seer >> _one_of(game, roles, target))
        if game.rules.vision_worlds == "alive":
            events[target, None] = Possible(~(seer & ~Atom(f"dead_{actor}")))
    if not game.rules.vision_compulsory and not public:
        events["declined"] = Possible()
    return _known_to(actor, events, seen or "declined", f"vision of {actor}")


def _attack(game: QuantumWerewolf, before: QuantumWerewolf, actor: str, target: str) -> ActionModel:
    targets = [target] if game.setup.targets == "public" else legal_targets(game, before, actor, "attack")
    strongest = _dominant(actor, _fallen(game))
    events: dict[Hashable, Possible] = {
        t: Possible(strongest >> ~_wolf(game, t), {f"dead_{t}": Atom(f"dead_{t}") | strongest})
        for t in targets
    }
    return _known_to(actor, events, target, f"attack of {actor}")


def _death(
    game: QuantumWerewolf, player: str, role: Role | None, shown: Shown, *, voted: bool
) -> ActionModel:
    if role is None:
        raise GameError("no world is left, so there is nothing to know about the game")
    dead = Atom(f"dead_{player}")
    before: Formula = TRUE
    if voted and game.rules.vote_eliminates:
        before = ~dead
    elif not voted and game.rules.attack == "dominant":
        before = dead
    word = {r: w for w, roles in game.rules.labels(shown, game.setup.deck).items() for r in roles}
    roles = game.setup.deck.roles
    events = {r: Possible(before & _has(r, player), {dead.name: True}) for r in roles}
    alike = [(r, q) for r in roles for q in roles if word[r] == word[q]]
    return ActionModel(events, {}, [role], others=alike, name=f"death of {player}")


def _told(game: QuantumWerewolf, player: str, role: Role) -> ActionModel:
    meant: dict[Hashable, list[Role]] = {}
    for r in game.setup.deck.roles:
        meant.setdefault(r if game.rules.told == "role" else kind(r), []).append(r)
    events = {r: Possible(_one_of(game, roles, player)) for r, roles in meant.items()}
    return _known_to(player, events | {"not told": Possible()}, role, f"notice to {player}")


def _known_to(agent: str, events: dict[Hashable, Possible], actual: Hashable, name: str) -> ActionModel:
    return ActionModel(events, {agent: [(e, e) for e in events]}, [actual], others=_all(events), name=name)


def _all(events: Iterable[Hashable]) -> list[tuple[Hashable, Hashable]]:
    return [(e, f) for e in events for f in events]


def _has(role: Role, player: str) -> Formula:
    return Atom(f"{role}_{player}")


def _one_of(game: QuantumWerewolf, roles: Iterable[Role], player: str) -> Formula:
    wanted = set(roles)
    return disjunction(_has(r, player) for r in game.setup.deck.roles if r in wanted)


def _wolf(game: QuantumWerewolf, player: str) -> Formula:
    return _one_of(game, game.setup.deck.wolf_roles, player)
