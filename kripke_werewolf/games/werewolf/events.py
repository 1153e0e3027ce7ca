"""The events of a game: one class for everything about a kind of event.

A kind of event is a frozen dataclass derived from `Event`. Its fields contain the game master's information,
which the log keeps. Its methods define

* who sees it, and which part (`audience`), and its wording (`messages`, `worded`);
* its effect on the game (`happen`): conditions, draws, and the new state;
* the worlds left for a player who sees it, if they can be counted (`learn`);
* its action model (`model`), from which both engines compute knowledge.

Nothing else is needed for a new kind: moves, logs, handouts and questions support it. Players are named,
roles are the strings of `roles`. Formulas use the atoms `wolf_i`, `good_i`, `seer_i`, `villager_i`, `dead_i`
and, where wolves have ranks, `alpha_i`, …, `dominant_i`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any, ClassVar, Literal, Protocol, Self, TypeAlias, TypeGuard, TypeVar

from kripke_werewolf.base.errors import FormatError, GameError, IllegalMove, UnknownNameError, did_you_mean
from kripke_werewolf.base.settings import from_data
from kripke_werewolf.base.wording import Sentence, sequence
from kripke_werewolf.games.werewolf.declarations import Death, declared, new_values, seated
from kripke_werewolf.games.werewolf.draws import Draw, drawn_outcome
from kripke_werewolf.games.werewolf.roles import (
    SPARED,
    TAKE,
    Action,
    Moment,
    PhaseKind,
    Schema,
    SecretAct,
    parse_roles,
)
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.setup import Phase, Setup
from kripke_werewolf.games.werewolf.state import State, being, is_compulsory, refusal_text
from kripke_werewolf.games.werewolf.superposition import NotCovered, NoWorldLeft, Superposition, random_world
from kripke_werewolf.games.werewolf.vocabulary import resolve
from kripke_werewolf.logic.formulas import FALSE, TRUE, Atom, Formula, Not, conjunction, simplify
from kripke_werewolf.logic.formulas import formula as parsed
from kripke_werewolf.logic.semantics.action import ActionModel, private, public, semi_private
from kripke_werewolf.logic.semantics.action import Event as Possible

Weights: TypeAlias = tuple[tuple[str, int], ...]
"""The possible outcomes of a draw with their numbers of worlds, for the game master."""

Worlds = TypeVar("Worlds", bound=Superposition)

_Audience: TypeAlias = Mapping[str, Literal["insiders", "public", "quantum", "master"]]
"""Who sees something: the insiders of an event; besides these, everybody if targets are public, or in the
quantum deal, where an actor shows no card; or only the game master."""

_WORDS = {"action", "announced", "formula", "kind", "result", "role", "roles", "verdict"}
"""The fields of events that do not name players."""


class Event:
    """Something that happens in a game; its subclasses, frozen dataclasses, are the kinds of events.

    `name` is the name of the kind in logs. Fields without a default are required in a log.
    """

    __slots__ = ()

    name: ClassVar[str]
    kinds: ClassVar[dict[str, type[Event]]] = {}
    """All kinds of events by name."""
    is_move: ClassVar[bool] = True
    """Whether players make it happen; other events only follow from moves."""
    unordered: ClassVar[str] = ""
    """A common name for kinds of events whose order is not told when they follow each other."""
    hearers: ClassVar[str] = ""
    """The field with the player, or the players, who are told about it in private."""
    audience: ClassVar[_Audience] = {}
    """Who sees a field, or under "" any of it, if not everybody does."""
    messages: ClassVar[tuple[str, str, str]] = ("", "", "")
    """Its messages in the catalogues: with all secrets, for everybody, and for a player concerned."""

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            known = Event.kinds.setdefault(cls.name, cls)
            if (known.__module__, known.__name__) != (cls.__module__, cls.__name__):
                raise TypeError(f"{cls.name!r} is the name of two kinds of events")
            Event.kinds[cls.name] = cls  # a dataclass with slots is made twice; the second counts

    # visible parts

    def told_to(self, player: str | None, setup: Setup) -> Self | None:
        """Return the part visible to a player, or to everybody (None), under these settings."""
        if player in self.insiders:
            unseen = {"master"}
        else:
            public = {"public": setup.targets == "public", "quantum": setup.deal == "quantum"}
            unseen = {"master", "insiders"} | {who for who, sees in public.items() if not sees}
        hidden = [field for field, who in self.audience.items() if who in unseen]
        if "" in hidden:
            return None
        return replace(self, **{field: self.instead(field) for field in hidden})  # type: ignore[type-var]

    def instead(self, field: str) -> object:
        """Return the value for those who do not see a field: its default, or an empty name."""
        defaults = {one.name: one.default for one in fields(self)}  # type: ignore[arg-type]
        if defaults[field] is MISSING:
            return ""
        return defaults[field]

    @property
    def insiders(self) -> tuple[str, ...]:
        """The players who see more of it than everybody: those who are told in private."""
        return self.concerned

    @property
    def concerned(self) -> tuple[str, ...]:
        """The players who are told about it in private."""
        told: str | tuple[str, ...] = getattr(self, self.hearers, ())
        return (told,) if isinstance(told, str) else told

    @property
    def named(self) -> frozenset[str]:
        """The players named in its fields, except those for roles: a player may have the name of a role."""
        found = set[object]()
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.name not in _WORDS:
                found.update(value if isinstance(value, tuple) else (value,))
        return frozenset(name for name in found if isinstance(name, str) and name)

    # wording

    def in_full(self) -> str:
        """Return a sentence with all secrets, or ""."""
        return self.worded(self.messages[0])

    def in_public(self) -> str:
        """Return the announcement; called on the public part of the event."""
        return self.worded(self.messages[1])

    def in_private(self) -> str:
        """Return the words for a player concerned; called on the part visible to this player."""
        return self.worded(self.messages[2])

    def worded(self, message: str, **more: object) -> str:
        """Return a message of the catalogues with the fields as its values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        drawn = _of(values.pop("weights", ()))
        return Sentence(message, **values, drawn=drawn, hidden=not values.get("actor"), **more)

    # effect on the game

    def belongs_in(self, setup: Setup, phase: Phase) -> bool:
        """Whether it can happen in a phase; a move that belongs in the next one ends the current one."""
        return True

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Return the event with all random outcomes, and the state after it.

        `game` is the game before the step to which the event belongs, `state` the present state. Raises
        IllegalMove if the event is refused.
        """
        return self, state

    # information for a player, in a superposition

    def learn(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Return the worlds left for a player who sees this part of the event.

        `worlds`: a player's view, counted; see `engines.seen_worlds`. Raises NotCovered, as by default,
        if the event cannot be counted: a model is then built instead.
        """
        raise NotCovered(f"the event {self.name!r} cannot be counted")

    # action model

    def model(self, setup: Setup, before: frozenset[str], agents: frozenset[str]) -> ActionModel | None:
        """Return the event as an action model; None if it changes nothing for these players.

        It is called on the part that some players have seen, or on the whole event for the game master. If
        hidden fields are missing, all events compatible with the part are designated. `agents`: the players
        whose knowledge is in question. `before`: the players officially dead before it. The actions of
        players are modelled phase by phase, in the module `actions`.
        """
        return None

    @property
    def unnoticed(self) -> bool:
        """Whether some players believe that nothing happened, and so may come to have false beliefs."""
        return False

    # how it is logged

    def to_dict(self) -> dict[str, object]:
        """Return JSON-able values; fields with their defaults are omitted.

        >>> Attack("Ann", "Bob").to_dict()
        {'event': 'attack', 'actor': 'Ann', 'target': 'Bob'}
        """
        found: dict[str, object] = {"event": self.name}
        for field in fields(self):  # type: ignore[arg-type]  # all kinds are dataclasses
            value = getattr(self, field.name)
            if value != field.default:
                found[field.name] = dict(value) if field.name == "weights" else value
        return found

    @staticmethod
    def from_dict(data: Mapping[str, object]) -> Event:
        """Return the event written by `to_dict`; raise FormatError for anything else."""
        given: dict[str, Any] = dict(data)
        name = given.pop("event", None)
        cls = Event.kinds.get(str(name))
        if cls is None:
            raise FormatError(f"unknown event {name!r} (known: {', '.join(Event.kinds)})")
        if isinstance(given.get("weights"), Mapping):
            given["weights"] = list(given["weights"].items())
        try:
            values = {key: value for key, value in given.items() if value is not None}
            event: Event = from_data(cls, values, called=f"the event {name!r}")
        except (GameError, ValueError) as error:
            raise FormatError(str(error)) from None
        return event


Step: TypeAlias = tuple[Event, ...]
"""A move and the events that followed from it."""


def ends_phase(step: Step) -> bool:
    """Whether a step ended a phase."""
    return any(isinstance(event, PhaseEnded) for event in step)


def only_ends(step: Step) -> bool:
    """Whether a step only ends a phase, so that all players who had not acted have declined."""
    return isinstance(step[0], Declined | PhaseEnded) and ends_phase(step)


def table_due(setup: Setup, step: Step, before: State, state: State) -> bool:
    """Whether the rules announce the public table after a step (none: at the start): nightfall, or morning.

    `before`: the state before the step. If one of the dead must first name somebody, the table comes after
    that. Never in a classical deal: its table would tell everybody's role.
    """
    if setup.deal == "classical" or (state.naming and state.verdict is None):
        return False
    ended = ends_phase(step) or before.waits == "phase"
    if not step or (ended and before.phase.kind == "vote"):
        return "nightfall" in setup.rules.table_at
    morning = ended and (state.phase.kind == "vote" or state.verdict is not None)
    return morning and "morning" in setup.rules.table_at


class Played(Protocol):
    """A game as played so far, with the data that questions and reports need."""

    setup: Setup
    """The fixed settings: players, deck, rules."""
    steps: tuple[Step, ...]
    """The moves, each with its consequences."""
    states: tuple[State, ...]
    """The states before the first move and after each."""

    def worlds_where(self, f: Formula) -> tuple[Superposition, str | None]:
        """Return the surviving worlds where a formula is true, or the reason why it cannot be believed."""


def events_of(game: Played) -> tuple[Event, ...]:
    """Return all events, in order."""
    return tuple(event for step in game.steps for event in step)


def told_together(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield events in order: those whose order is not told as one list, and others singly."""
    for unordered, some in groupby(events, key=lambda event: event.unordered):
        if unordered:
            yield list(some)
        else:
            yield from ([event] for event in some)


def in_seat_order(setup: Setup, events: Iterable[Event]) -> tuple[Event, ...]:
    """Return events with consecutive actions, and deaths, in seat order, each player's vision first."""
    seats = {name: seat for seat, name in enumerate(setup.players)}

    def place(event: Event) -> tuple[int, bool, bool, int, str]:
        who = getattr(event, "actor", getattr(event, "player", ""))
        action, target = getattr(event, "action", ""), getattr(event, "target", "")
        done = isinstance(event, Acted)
        return seats.get(who, len(seats)), action != "vision", done, seats.get(target, 0), action

    return tuple(event for together in told_together(events) for event in sorted(together, key=place))


# --- actions of the players ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Action(Event):
    """A player's action at night, carried out or not."""

    unordered = "actions"
    hearers = "actor"

    audience: ClassVar[_Audience] = {"": "public", "actor": "quantum"}

    actor: str


@dataclass(frozen=True, slots=True)
class _Aimed(_Action):
    """A player's action on `target`."""

    target: str

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets."""
        return (self.target,)

    def places(self, setup: Setup) -> tuple[int, ...]:
        """Return the seats of the actor and the targets."""
        return tuple(map(setup.seat, (self.actor, *self.targets)))

    def _at(self, setup: Setup, schema: Schema) -> Formula:
        """Return a schema about actor and targets as a formula about the superposition."""
        return seated(setup, schema, *self.places(setup))


@dataclass(frozen=True, slots=True)
class Acted(_Aimed):
    """`actor` did something to `target`, perhaps also to `other`, and was shown `result`.

    `action`: the name of the action, by default that of the kind. As a move, `result` forces or restricts
    the result (`"wolf"`: any rank); None leaves it open, or says that there was nothing to show.
    """

    name = "acted"
    audience: ClassVar[_Audience] = {**_Action.audience, "result": "insiders", "weights": "master"}
    messages = ("acted-in-full", "acted", "acted-yourself")

    result: str | None = None
    weights: Weights = ()
    action: Action = ""
    other: str = ""

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets."""
        return tuple(filter(None, (self.target, self.other)))

    def belongs_in(self, setup: Setup, phase: Phase) -> bool:
        """Whether the phase has this action."""
        return self.action in setup.actions(phase)

    def worded(self, message: str, **more: object) -> str:
        """Return a message with the fields, the targets and the verb as its values."""
        words = words_for(self.action)
        return Event.worded(self, message, targets=self.targets, do=words.do, does=words.does, **more)

    def _checked(self, setup: Setup, state: State) -> SecretAct:
        """Return the declaration of the action; raise IllegalMove if it is not allowed."""
        actor, *targets = self.places(setup)
        for target in targets:
            reason = state.refusal(actor, self.action, target)
            if reason is not None:
                raise IllegalMove(refusal_text(self.actor, self.action, setup.players[target], reason))
        act = declared(setup).acts[self.action]
        if len(set(targets)) != 1 + act.two:
            needs = Sentence({True: "needs-two", False: "needs-one"}[act.two])
            raise IllegalMove(refusal_text(self.actor, self.action, self.targets, needs))
        return act

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Draw the result, if there is one, from the worlds where the actor has the action; carry it out.

        Worlds that do not match the result are removed. The action makes its changes, or leaves a mark.
        """
        setup, act = game.setup, self._checked(game.setup, state)
        target, *other = act.in_order(self.targets, setup.seat)
        seen = replace(self, target=target, other="".join(other))._drawn(state, act, draw)
        if act.mark is not None:
            bite = (setup.seat(self.target), setup.seat(self.actor))
            state = replace(state, bites={**state.bites, bite: Fraction(1, state.sharing(act.mark))})
        if not act.shows or seen.result is not None:
            state = replace(state, worlds=seen.learn(state.worlds, setup))
        return seen, state.after_acting(self.actor, self.action)

    def _drawn(self, state: State, act: SecretAct, draw: Draw) -> Self:
        """Return the action with its result."""
        setup, mine = state.setup, f"({act.by}) & ({act.pool})"
        pool = state.worlds if state.nightfall is None else state.nightfall
        counts = ((word, pool.count(self._at(setup, f"{mine} & ({where})"))) for word, where in act.shows)
        weights = {word: number for word, number in counts if number}
        forced = None if self.result is None else _words_within(self.result, act, setup)
        if weights:
            shown = drawn_outcome(draw, self.action, self.actor, weights, forced=forced)
            return replace(self, result=shown, weights=tuple(weights.items()))
        if forced is not None:
            alive, card = act.pool != "true", being(act.by)
            raise IllegalMove(Sentence("no-world-to-see", actor=self.actor, card=card, alive=alive))
        return self

    def learn(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Remove the worlds where the actor has the action, but it cannot happen or shows something else.

        In the others where the actor has it, it makes its changes.
        """
        act = declared(setup).acts[self.action]
        if act.shows:
            seen: dict[str | None, str] = {None: f"~({act.pool})", **dict(act.shows)}
            worlds = worlds.keep(self._at(setup, f"({act.by}) -> ({seen[self.result]})"))
        if not act.change:
            return worlds
        by, impossible = self._at(setup, act.by), self._at(setup, act.impossible)
        values = new_values(act.change, range(setup.deck.players), *self.places(setup))
        return following(worlds.change(values, by, unless=impossible), setup, "once")


@dataclass(frozen=True, slots=True)
class Vision(Acted):
    """`actor` looked at `target` and was shown `result`; None: no world was left to draw from."""

    name = "vision"

    action: Action = "vision"


@dataclass(frozen=True, slots=True)
class Attack(Acted):
    """`actor` attacked `target`."""

    name = "attack"

    action: Action = "attack"


def act_of(actor: str, action: Action, target: str, other: str = "", *, result: str | None = None) -> Acted:
    """Return a player's action as an event of its kind."""
    kind = {"vision": Vision, "attack": Attack}.get(action, Acted)
    return kind(actor, target, result, action=action, other=other)


@dataclass(frozen=True, slots=True)
class Declined(_Action):
    """`actor` declined a due vision; only if the rules allow it."""

    name = "declined"
    messages = ("declined", "declined", "declined-yourself")

    action: Action

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Use up the action, if it is not compulsory."""
        setup = game.setup
        reason = state.refusal(setup.seat(self.actor), self.action)
        if reason is None and is_compulsory(setup, self.action):
            reason = Sentence("is-compulsory", action=self.action, rules=setup.rules.name)
        if reason is not None:
            said = {"actor": self.actor, "action": self.action, "reason": reason}
            raise IllegalMove(Sentence("cannot-decline", **said))
        return self, state.after_acting(self.actor, self.action)

    def learn(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Return the same worlds."""
        return worlds


@dataclass(frozen=True, slots=True)
class Refused(_Aimed):
    """`actor` wanted to attack `target`, and was told that this is impossible.

    In every world where the actor is the dominant wolf, the target is a wolf too; only the actor learns this.
    """

    name = "refused"
    audience: ClassVar[_Audience] = {"": "insiders"}
    messages = ("refused", "refused", "refused-yourself")

    action: ClassVar[Action] = "attack"

    def belongs_in(self, setup: Setup, phase: Phase) -> bool:
        """Whether the phase has this action."""
        return self.action in setup.actions(phase)

    def learn(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Keep the worlds where the attack is impossible if it is the actor's."""
        act = declared(setup).acts[self.action]
        return worlds.keep(self._at(setup, f"({act.by}) -> ({act.impossible})"))

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Check that the attack is refused for a reason known only to the game master."""
        actor, target = self.places(game.setup)
        reason = state.refusal(actor, self.action, target)
        if reason is None or reason != state.secret_refusal(actor, self.action, target):
            why = reason or Sentence("attack-is-allowed")
            raise IllegalMove(Sentence("nothing-to-refuse", actor=self.actor, target=self.target, reason=why))
        return self, state


def is_action(event: Event) -> TypeGuard[Acted | Declined | Refused]:
    """Whether an event is an action of a player at night, done, declined or refused."""
    return isinstance(event, _Action)


# --- deaths --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OfficialDeath(Event):
    """`player` died officially; `role` was drawn, and `announced` published about it (None: nothing)."""

    takes_along: ClassVar[bool] = True
    """Whether the dead may name somebody, if their card allows it."""
    audience: ClassVar[_Audience] = {"role": "master", "weights": "master"}

    player: str
    role: str | None = None
    announced: str | None = None
    weights: Weights = ()

    def declared_in(self, setup: Setup) -> Death:
        """Return the declaration of the death."""
        return declared(setup).vote if self.is_move else declared(setup).found

    def _drawn(self, state: State, draw: Draw, forced: frozenset[str] | None) -> tuple[Self, State]:
        """Draw the exact role of the player, officially dead now, and keep the matching worlds."""
        setup, seat = state.setup, state.setup.seat(self.player)
        weights = {r: counts[seat] for r, counts in state.worlds.role_counts().items() if counts[seat]}
        role = drawn_outcome(draw, "role", self.player, weights, forced=forced)
        worlds = self._died(state.worlds.keep(Atom(f"{role}_{seat}")), setup)
        died = replace(self, role=role, announced=self._word(setup, role), weights=tuple(weights.items()))
        state = replace(state, worlds=worlds, dead=state.dead | {seat})
        taking = declared(setup).named.needs
        if self.takes_along and taking != "false" and state.count(taking, t=seat):
            state = replace(state, naming=state.naming | {self.player})
        return died, state

    def _killed(self, state: State, draw: Draw) -> tuple[Self, State]:
        """Remove the worlds where the player could not die, and draw the role, within a given one."""
        setup = state.setup
        forced = None if self.role is None else parse_roles(self.role, setup.deck)
        needs = seated(setup, self.declared_in(setup).needs, *map(setup.seat, self._places))
        return self._drawn(replace(state, worlds=state.worlds.keep(needs)), draw, forced)

    def _died(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Return the worlds once the player is dead in all, with what follows."""
        seats, change = range(setup.deck.players), self.declared_in(setup).change
        values = new_values(change, seats, setup.seat(self.player))
        return following(worlds.change(values), setup, "once", "found")

    def _word(self, setup: Setup, role: str) -> str | None:
        roles = declared(setup).roles
        return next((word for word, where in self.declared_in(setup).says if role in roles(where)), None)

    @property
    def _places(self) -> tuple[str, ...]:
        """Who dies, and whose doing it is."""
        return (self.player,)

    def learn(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Keep the worlds where the player could die and has a role as announced; the player is dead then."""
        how = self.declared_in(setup)
        where = f"({how.needs}) & ({how.said(self.announced)})"
        return self._died(worlds.keep(seated(setup, where, *map(setup.seat, self._places))), setup)

    def model(self, setup: Setup, before: frozenset[str], agents: frozenset[str]) -> ActionModel | None:
        """Return the death: one event per role; everybody sees the announcement."""
        game, how = declared(setup), self.declared_in(setup)
        word = {role: self._word(setup, role) for role in setup.deck.roles}
        actual = [r for r in word if self.role in (None, r) and self.announced in (None, word[r])]
        needs = game.at(how.needs, *self._places)
        dead = game.followed(new_values(how.change, game.players, self.player), "once", "found")
        events = {role: Possible(needs & Atom(f"{role}_{self.player}"), dead) for role in word}
        name = f"the death of {self.player}"
        return ActionModel.from_observations(events, {}, actual, others=word.__getitem__, name=name)


@dataclass(frozen=True, slots=True)
class VotedOff(OfficialDeath):
    """The village voted `player` off; see `OfficialDeath`.

    `tied`: the players among whom the lot decided, if any. As a move, `role` forces the role or restricts it
    (`"wolf"`: any rank).
    """

    name = "voted_off"
    messages = ("voted-off-in-full", "voted-off", "voted-off")

    tied: tuple[str, ...] = ()

    def in_full(self) -> str:
        """Return the lot, if there was one, the player, and the role."""
        return _after_lot("lot-among", self.tied, OfficialDeath.in_full(self))

    def in_public(self) -> str:
        """Return the lot, if there was one, the player, and the announcement."""
        return _after_lot("lot-decides", self.tied, OfficialDeath.in_public(self))

    def belongs_in(self, setup: Setup, phase: Phase) -> bool:
        """Whether the village votes in the phase."""
        return phase.kind == "vote"

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Let the lot decide a tie, remove the worlds where the player could not die, and draw the role."""
        setup = game.setup
        if self.tied or not self.player:
            self._check_tie(setup, state)
        if not self.player:
            named = drawn_outcome(draw, "tie", None, dict.fromkeys(self.tied, 1))
            return replace(self, player=named).happen(game, state, draw)
        seat = setup.seat(self.player)
        reason = state.over_for(seat)
        if state.verdict is None and state.phase.kind != "vote":
            reason = Sentence("no-vote-in", phase=state.phase)
        if reason is not None:
            raise IllegalMove(Sentence("cannot-be-voted-off", player=self.player, reason=reason))
        state, spared = replace(state, votes=state.votes + 1), declared(setup).spared
        if spared.needs == "false" or not (number := state.count(spared.needs, seat)):
            return self._killed(state, draw)
        weights = {SPARED: number, "dead": state.count(self.declared_in(setup).needs, seat)}
        forced = None
        if self.role is not None:
            forced = frozenset({SPARED if self.role == SPARED else "dead"})
        if drawn_outcome(draw, SPARED, self.player, weights, forced=forced) == "dead":
            return self._killed(state, draw)
        worlds = state.worlds.keep(seated(setup, spared.needs, seat))
        worlds = worlds.change(new_values(spared.change, range(setup.deck.players), seat))
        state = replace(state, worlds=following(worlds, setup, "once"))
        return Spared(self.player, tuple(weights.items()), self.tied), state

    def _check_tie(self, setup: Setup, state: State) -> None:
        """Raise IllegalMove if the lot cannot decide among the tied."""
        tied = self.tied
        if not tied:
            raise IllegalMove(Sentence("nobody-is-named"))
        dead = any(setup.seat(name) in state.dead for name in tied)
        if dead or len(set(tied)) < max(2, len(tied)):
            raise IllegalMove(Sentence("cannot-be-tied", tied=tied))
        if self.player not in ("", *tied):
            raise IllegalMove(Sentence("not-one-of-the-tied", player=self.player, tied=tied))


@dataclass(frozen=True, slots=True)
class Spared(Event):
    """The village voted for `player`, whose card spared them; `tied` as in `VotedOff`.

    A move without `weights` is a vote whose outcome is open.
    """

    name = "spared"
    audience: ClassVar[_Audience] = {"weights": "master"}
    messages = ("is-spared", "is-spared", "is-spared")

    player: str
    weights: Weights = ()
    tied: tuple[str, ...] = ()

    def worded(self, message: str, **more: object) -> str:
        """Return a message after that about the lot, if there was one."""
        return _after_lot("lot-decides", self.tied, Event.worded(self, message, **more))

    def belongs_in(self, setup: Setup, phase: Phase) -> bool:
        """Whether the village votes in the phase."""
        return phase.kind == "vote"

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Let the village vote."""
        role = SPARED if self.weights else None
        return VotedOff(self.player, role, tied=self.tied).happen(game, state, draw)

    def model(self, setup: Setup, before: frozenset[str], agents: frozenset[str]) -> ActionModel | None:
        """Return the announcement that the player was spared, with what it changes."""
        game = declared(setup)
        post = game.followed(new_values(game.spared.change, game.players, self.player), "once")
        happened = Possible(game.at(game.spared.needs, self.player), post)
        return ActionModel._of_sights({SPARED: happened}, {}, others=(1,), name=f"the vote for {self.player}")


@dataclass(frozen=True, slots=True)
class FoundDead(OfficialDeath):
    """`player` was dead in every world; see `OfficialDeath`. `role` is None if no world was left."""

    name = "found_dead"
    is_move = False
    unordered = "deaths"
    messages = ("found-dead-in-full", "found-dead", "found-dead")

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Draw the role, if any world is left."""
        if not state.worlds.size:
            return self, replace(state, dead=state.dead | {game.setup.seat(self.player)})
        return self._drawn(state, draw, None)


@dataclass(frozen=True, slots=True)
class TakenAlong(OfficialDeath):
    """`actor`, dead themselves, named `player`, who dies with them; see `OfficialDeath`."""

    name = "taken_along"
    takes_along = False
    messages = ("taken-along-in-full", "taken-along", "taken-along")

    actor: str = ""

    def declared_in(self, setup: Setup) -> Death:
        """Return the declaration of the death."""
        return declared(setup).named

    @property
    def _places(self) -> tuple[str, ...]:
        return self.player, self.actor

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Let the player die, and draw their role."""
        setup, seat = game.setup, game.setup.seat(self.player)
        reason = state.refusal(setup.seat(self.actor), TAKE, seat)
        if reason is not None:
            said = {"actor": self.actor, "player": self.player, "reason": reason}
            raise IllegalMove(Sentence("cannot-take-along", **said))
        event, state = self._killed(state, draw)
        naming = state.naming - {self.actor}
        if len(state.dead) == setup.deck.players:
            naming = frozenset()
        return event, replace(state, naming=naming)


# --- words ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said(Event):
    """`speaker` said `formula` (as a string) to the players in `to`, or to everybody if that is empty.

    `believed`: all who hear it believe it; otherwise it is a mere claim and changes nothing. `noticed`: the
    others see that the players in `to` are told whether it is true; otherwise they notice nothing.
    """

    name = "said"
    hearers = "to"
    messages = ("said", "said", "told-you")

    speaker: str
    formula: str
    to: tuple[str, ...] = ()
    believed: bool = False
    noticed: bool = False

    @property
    def audience(self) -> _Audience:  # type: ignore[override]
        """Everybody hears public words; of a whisper others hear at most the subject."""
        if not self.to:
            return {}
        if self.noticed:
            return {"formula": "insiders"}
        return {"": "insiders"}

    def instead(self, field: str) -> object:
        """Return the subject in place of the formula."""
        return self.subject

    @property
    def insiders(self) -> tuple[str, ...]:
        """The speaker of a whisper, and those who hear it."""
        if self.to:
            return (self.speaker, *self.to)
        return ()

    @property
    def subject(self) -> str:
        """What the words are about, but not whether it is true: the formula without denials."""
        about = parsed(self.formula)
        while isinstance(about, Not):
            about = about.body
        return str(about)

    def in_full(self) -> str:
        """Return speaker, hearers and words, and whether they are believed or noticed."""
        if self.to:
            return self.worded("told-in-full")
        return self.worded("said")

    def in_public(self) -> str:
        """Return the public words, or the subject of a whisper."""
        if self.to:
            return self.worded("told-whether")
        return self.worded("said")

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Keep the worlds where the words are true, if believed; they must be possible for the speaker."""
        setup, speaker = game.setup, self.speaker
        f = resolve(setup, self.formula)
        over, reason = state.over_for(setup.seat(speaker)), None
        if over is not None:
            raise IllegalMove(Sentence("cannot-speak", speaker=speaker, reason=over))
        if speaker in self.to or len(set(self.to)) < len(self.to):
            raise IllegalMove(Sentence("cannot-tell", speaker=speaker, to=self.to))
        if self.believed:
            worlds, reason = game.worlds_where(f)
            state = replace(state, worlds=worlds)
        if reason is not None:
            raise IllegalMove(f"{speaker} cannot {reason}")
        return replace(self, formula=str(f)), state

    def learn(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Return the same worlds after a mere claim; raise NotCovered for believed words."""
        if self.believed:
            raise NotCovered("words that are believed cannot be counted")
        return worlds

    def model(self, setup: Setup, before: frozenset[str], agents: frozenset[str]) -> ActionModel | None:
        """Return the announcement to everybody, or to some, noticed by the others or not."""
        if not self.believed:
            return None
        f, group = parsed(self.formula), (self.speaker, *self.to)
        if not self.to:
            return public(f)
        return semi_private(group, f).point("yes") if self.noticed else private(group, f)

    @property
    def unnoticed(self) -> bool:
        """Whether the others do not notice it."""
        return bool(self.to) and not self.noticed


# --- what follows by itself ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """`player` was told privately that only `role` is left to them."""

    name = "told"
    is_move = False
    hearers = "player"
    audience: ClassVar[_Audience] = {"": "insiders"}
    messages = ("told-role", "told-role", "told-your-role")

    player: str
    role: str

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Record that the player was told."""
        return self, replace(state, told=state.told | {game.setup.seat(self.player)})

    def learn(self, worlds: Worlds, setup: Setup) -> Worlds:
        """Keep the worlds where the player has the role."""
        return worlds.keep(Atom(f"{self.role}_{setup.seat(self.player)}"))


@dataclass(frozen=True, slots=True)
class Collapsed(Event):
    """An undetermined game ended: one world was drawn; `roles` by seat."""

    name = "collapsed"
    is_move = False
    audience: ClassVar[_Audience] = {"roles": "master"}
    messages = ("collapsed-in-full", "collapsed", "collapsed")

    roles: tuple[str, ...] = ()

    def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
        """Draw one world."""

        def drawn(player: int, weights: Mapping[str, int]) -> str:
            return drawn_outcome(draw, "collapse", game.setup.players[player], weights)

        worlds, roles = random_world(state.worlds, drawn)
        return replace(self, roles=roles), replace(state, worlds=worlds, forced=True)

    def model(self, setup: Setup, before: frozenset[str], agents: frozenset[str]) -> ActionModel | None:
        """Return the announcement that nothing could change any more; nobody learns the world drawn."""
        game = declared(setup)
        final = game.at(game.collapse.replace("everywhere ", ""), dead=before)
        if not self.roles:
            return public(final).named("the forced collapse")
        dealt = zip(self.roles, setup.players, strict=True)
        return unseen(conjunction(Atom(f"{role}_{name}") for role, name in dealt), final)


@dataclass(frozen=True, slots=True)
class PhaseEnded(Event):
    """A phase was over; `missing` lists compulsory actions that were not taken."""

    name = "phase_ended"
    audience: ClassVar[_Audience] = {"missing": "quantum"}

    kind: PhaseKind
    number: int
    missing: tuple[tuple[str, Action], ...] = ()

    def instead(self, field: str) -> object:
        """Return the missing actions without their players and their order."""
        return tuple(sorted(("", action) for _, action in self.missing))

    def in_full(self) -> str:
        """Return the players passed over, if any."""
        if not self.missing:
            return ""
        who = [Sentence("left-out", player=p, hidden=not p, action=action) for p, action in self.missing]
        return Sentence("passed-over", who=who)

    def in_public(self) -> str:
        """Return the phase, and the players passed over."""
        return sequence(Sentence("end-of", phase=Phase(self.kind, self.number, 0)), self.in_full())


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game was over; `winners` are the players who won in every world."""

    name = "game_ended"
    is_move = False

    verdict: str
    forced: bool = False
    winners: tuple[str, ...] = ()

    def in_full(self) -> str:
        """Return the winners, and whether by the forced collapse."""
        return self.worded("game-ended", several=self.verdict.endswith("s"), any=bool(self.winners))

    def in_public(self) -> str:
        """Return the winners."""
        return replace(self, forced=False).in_full()

    def model(self, setup: Setup, before: frozenset[str], agents: frozenset[str]) -> ActionModel | None:
        """Return the announcement that the verdict's condition holds, and that the winners' side has won."""
        if self.verdict == "draw":
            raise NoWorldLeft
        game, ending = declared(setup), declared(setup).ending(self.verdict)
        when = ending.drawn if self.forced else ending.when.replace("everywhere ", "")
        won = (game.at(ending.wins, name) for name in self.winners)
        told = conjunction([game.at(when, dead=before), *won])
        return public(told).named("the verdict and the winners")


# --- words that several kinds use ----------------------------------------------------------------


def _of(weights: Weights) -> str:
    if len(weights) < 2:
        return ""
    parts = [Sentence("role-in-worlds", role=name, n=weight) for name, weight in weights]
    return Sentence("drawn-of", n=sum(weight for _, weight in weights), parts=parts)


def _after_lot(message: str, tied: tuple[str, ...], said: str) -> str:
    """Return a sentence after the message that the lot decided among the tied, if there are any."""
    return sequence(Sentence(message, tied=tied), said) if tied else said


# --- effects that several kinds have -------------------------------------------------------------


def _words_within(text: str, act: SecretAct, setup: Setup) -> frozenset[str]:
    """Return the results of an action covered by a word: itself, or those of all roles that it means."""
    words, found = dict(act.shows), set[str]()
    if text in words:
        return frozenset({text})
    with suppress(UnknownNameError):
        wanted = parse_roles(text, setup.deck)
        meant = {word: declared(setup).roles(where) for word, where in act.shows}
        found = {word for word, roles in meant.items() if roles and roles <= wanted}
    if not found:
        hint, possible = did_you_mean(text, words), ", ".join(words)
        raise IllegalMove(f"a {act.name} cannot show {text!r}{hint} (possible: {possible})")
    return frozenset(found)


# --- effects on facts ----------------------------------------------------------------------------


def following(worlds: Worlds, setup: Setup, *moments: Moment) -> Worlds:
    """Return the worlds after what follows by itself at some moments."""
    for moment in moments:
        for values in declared(setup).following(moment, range(setup.deck.players)):
            worlds = worlds.change(values)
    return worlds


def moments_after(setup: Setup, phase: Phase) -> tuple[Moment, ...]:
    """Return the moments that come when a phase ends."""
    if setup.at_night(phase):
        return ("phase",)
    return ("phase", "found")


# --- in the words of the logic -------------------------------------------------------------------


@lru_cache(maxsize=256)
def definitions(setup: Setup, followed: frozenset[str] | None = None) -> Mapping[str, Formula]:
    """Return the atoms that are defined by others: `wolf_i`, `good_i`, `villager_i`, `dominant_i`.

    `followed`: the atoms whose changes matter; other deaths are omitted. By default all.
    """
    game, names = declared(setup), setup.players
    ignored: dict[str, Formula] = {
        f"dead_{p}": FALSE for p in names if followed is not None and f"dead_{p}" not in followed
    }
    found: dict[str, Formula] = {}
    for stem, schema in game.defined.items():
        meant = {f"{stem}_{name}": game.at(schema, name).substitute(found | ignored) for name in names}
        found |= {atom: simplify(f) for atom, f in meant.items()} if ignored else meant
    return found


@lru_cache(maxsize=4096)
def unseen(f: Formula, told: Formula = TRUE) -> ActionModel:
    """Return a hidden event: only worlds where `f` is true may be actual.

    `told`: the formula that everybody learns.
    """
    if told is not TRUE:
        f &= told
    events = {"so": Possible(f), "otherwise": Possible(told)}
    return ActionModel._of_sights(events, {}, ["so"], others=(3, 3), name="unseen")
