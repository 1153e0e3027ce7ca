"""Action models of the events of a game, as far as some players have been told about them.

The source is a `View`: the combined handouts of some players. Others may have made any moves that the public
rules allow. Only the game master's view also contains the hidden events; these determine the actual events,
so that the designated worlds of the model are the superposition.

Within a night the moves of others come first, and attacks before visions: the order is hidden, and a vision
without a result reveals least at the end of the night.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, Self

from kripke_werewolf.language import TRUE, Atom, Formula, conjunction, disjunction
from kripke_werewolf.reports.tables import Cell, Rounded
from kripke_werewolf.semantics.action import ActionModel, public
from kripke_werewolf.semantics.action import Event as Possible
from kripke_werewolf.werewolf.declarations import Act, Declared, declared, exclusive
from kripke_werewolf.werewolf.events import (
    Attack,
    Declined,
    Event,
    PhaseEnded,
    Played,
    Said,
    Vision,
    is_action,
    one_of,
    unseen,
)
from kripke_werewolf.werewolf.events import Told as Notice
from kripke_werewolf.werewolf.roles import WOLF, Role, kind
from kripke_werewolf.werewolf.rules import FACTS, Action
from kripke_werewolf.werewolf.setup import Phase, Setup
from kripke_werewolf.werewolf.state import compulsory, public_refusals
from kripke_werewolf.werewolf.table import Table
from kripke_werewolf.werewolf.told import Entry, Moves, Told, dead_in, told

HIDDEN_ATTACK = "attack that nobody sees"


class Option(NamedTuple):
    """A hidden action or notice that is possible for a player."""

    actor: str
    target: str | None = None
    result: str | None = None
    note: str = ""

    def __str__(self) -> str:
        shown = self.result or (self.target and self.note)
        return f"{self.actor}:{self.target or self.note}{f'={shown}' if shown else ''}"


WAITS, DECLINED, NOT_ASKED, PASSED_OVER = "waits", "declined", "not asked", "passed over"
NOTHING, REFUSED, LIVES = "nothing", "refused", "lives"
"""Notes on options."""


class WorldName(str):
    """The name of a world: the deal, and the private events of some players.

    `deal`: the letters of the roles in seat order, capital where dead; or, where worlds are only told apart
    by some facts, those that are true. `events`: the events; an actor's are in order.

    >>> WorldName("svw", [Option("Cy", "Ann", "human")])
    'svw Cy:Ann=human'
    """

    __slots__ = ("deal", "events")
    deal: str | frozenset[str]
    events: tuple[Option, ...]

    def __new__(cls, deal: str | frozenset[str], events: Iterable[Option] = ()) -> Self:
        """Write the deal and the events in one line."""
        happened = tuple(events)
        head = deal if isinstance(deal, str) else "&".join(sorted(deal)) or "none"
        name = super().__new__(cls, " ".join([head, *map(str, happened)]))
        name.deal, name.events = deal, happened
        return name

    def __getnewargs__(self) -> tuple[str | frozenset[str], tuple[Option, ...]]:  # type: ignore[override]
        return self.deal, self.events


# --- what some players have been told, put together ----------------------------------------------


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase in a view."""

    phase: Phase
    dead: frozenset[str]
    """The players who were officially dead when it began."""
    own: Mapping[str, Entry]
    """The parts of the players' handouts for the phase."""
    seen: Entry
    """One of these parts, or the public one, for public information."""
    interruptions: tuple[tuple[Moves, Event], ...]
    """The events before the end other than moves, each with the players who had acted by then."""
    ended: bool
    after: tuple[Event, ...]
    """The events at its end."""
    moves: tuple[Event, ...] | None
    """All moves, in the game master's view; None if they are unknown."""

    @property
    def actual(self) -> Mapping[tuple[str, Action], Vision | Attack | Declined]:
        """The known moves by actor; for each player, their information about their own moves."""
        known = self.moves
        if known is None:  # others may have seen less
            own = ((name, event) for name, part in self.own.items() for event in part.events)
            known = tuple(e for name, e in own if is_action(e) and e.actor == name)
        return {(e.actor, e.action): e for e in known if isinstance(e, Vision | Attack | Declined)}


@dataclass(frozen=True, slots=True)
class View:
    """The combined information of some players; or the game master's view."""

    setup: Setup
    """The public settings."""
    handouts: Mapping[str, Told]
    stages: tuple[Stage, ...]
    table: Table | None
    """The table published before the first move."""
    roles: tuple[Role, ...] | None = None
    """The cards of a classical deal, in the game master's view."""

    @classmethod
    def of(cls, handouts: Mapping[str, Told]) -> View:
        """Return the view of players with these handouts, without any other information."""
        some = next(iter(handouts.values()))
        stages = []
        for place, part in enumerate(some.entries):
            own = {name: handout.entries[place] for name, handout in handouts.items()}
            before, after = zip(*(_split(p) for p in own.values()), strict=True)
            dead = frozenset(dead_in(e for earlier in some.entries[:place] for e in earlier.events))
            ended = any(isinstance(event, PhaseEnded) for event in part.events)
            at_the_end = tuple(
                event for _, event in _merged([[(_NOBODY, e) for e in some] for some in after])
            )
            stages.append(Stage(part.phase, dead, own, part, _merged(before), ended, at_the_end, None))
        return cls(some.setup, handouts, tuple(stages), some.table)

    @classmethod
    def of_master(cls, game: Played, *, only: Container[int] | None = None) -> View:
        """Return the game master's view.

        `only`: the numbers of the events assumed to have happened; by default all.
        """
        master = told(game, only=only, full=True)
        handouts = {name: master.of(name) for name in game.setup.players}
        everybody = master.of()
        hidden = _by_phase(game, only)
        stages = []
        for place, (part, events) in enumerate(zip(everybody.entries, hidden, strict=False)):
            own = {name: handout.entries[place] for name, handout in handouts.items()}
            dead = frozenset(dead_in(e for earlier in everybody.entries[:place] for e in earlier.events))
            ended = any(isinstance(event, PhaseEnded) for event in events)
            last = next((i for i, e in enumerate(events) if isinstance(e, PhaseEnded)), len(events))
            acted = list(accumulate(events, _with_move, initial=frozenset[tuple[str, Action]]()))
            before = tuple((acted[i], e) for i, e in enumerate(events[:last]) if not is_action(e))
            moves = tuple(e for e in events if is_action(e))
            stages.append(Stage(part.phase, dead, own, part, before, ended, events[last + 1 :], moves))
        return cls(game.setup.public, handouts, tuple(stages), everybody.table, game.setup.roles)

    @property
    def cards(self) -> Mapping[str, Role]:
        """The cards of a classical deal known in the view."""
        if self.roles is not None:
            return dict(zip(self.setup.players, self.roles, strict=True))
        known: dict[str, Role] = {}
        for handout in self.handouts.values():
            known |= dict(handout.cards)
        return known

    @property
    def begun(self) -> bool:
        """Whether anything has happened that may have told players their own roles."""
        if not self.stages:
            return False
        first = self.stages[0]
        return len(self.stages) > 1 or first.ended or bool(dead_in(e for _, e in first.interruptions))


def _split(part: Entry) -> tuple[tuple[tuple[Moves, Event], ...], tuple[Event, ...]]:
    """Return the interruptions of a phase, each with the players who had acted, and the events at its end."""
    last = next((i for i, e in enumerate(part.events) if isinstance(e, PhaseEnded)), len(part.events))
    before = (event for event in part.events[:last] if not is_action(event))
    return tuple(zip(part.acted, before, strict=True)), part.events[last + 1 :]


_NOBODY: Moves = frozenset()


def _merged(sequences: Iterable[Sequence[tuple[Moves, Event]]]) -> tuple[tuple[Moves, Event], ...]:
    """Return the events of several sequences, each once, in an order consistent with all of them."""
    rest = [list(sequence) for sequence in sequences]
    found: list[tuple[Moves, Event]] = []
    while rest := [sequence for sequence in rest if sequence]:
        heads = [sequence[0][1] for sequence in rest]
        listed = [[event for _, event in sequence] for sequence in rest]
        first = next((h for h in heads if all(e[0] == h or h not in e for e in listed)), heads[0])
        together = [sequence.pop(0)[0] for sequence in rest if sequence[0][1] == first]
        found.append((_NOBODY.union(*together), first))
    return tuple(found)


def _with_move(acted: Moves, event: Event) -> Moves:
    if isinstance(event, Vision | Attack | Declined):
        return acted | {(event.actor, event.action)}
    return acted


def _by_phase(game: Played, only: Container[int] | None) -> list[tuple[Event, ...]]:
    """Return the events of a game by phase, all or only those with the given numbers."""
    found, number = [list[Event]()], 0
    for step, before, after in zip(game.steps, game.states, game.states[1:], strict=False):
        for event in step:
            number += 1
            if only is None or number in only:
                found[-1].append(event)
        if after.phase != before.phase:
            found.append([])
    return list(map(tuple, found))


# --- a view as action models ---------------------------------------------------------------------


def actions_of(view: View, agents: frozenset[str]) -> Iterator[tuple[int, ActionModel]]:
    """Yield the phase position and the action model of every event relevant to the agents' knowledge."""
    yield from ((0, action) for action in _table_news(view, -1, agents))
    for place, stage in enumerate(view.stages):
        for action in _stage_actions(view, place, stage, agents):
            yield stage.phase.position, action
    yield from ((view.stages[-1].phase.position, action) for action in _role_news(view, agents, None))


def _stage_actions(view: View, place: int, stage: Stage, agents: frozenset[str]) -> Iterator[ActionModel]:
    before, dead = frozenset[tuple[str, Action]](), set(stage.dead)
    for acted, event in stage.interruptions:
        if view.setup.actions(stage.phase):
            yield from _moves(view, stage, agents, before, acted)
            before |= acted
        yield from _told(view, event, dead, agents, place)
    if view.setup.actions(stage.phase):
        yield from _moves(view, stage, agents, before, None)
    for event in stage.after:
        yield from _told(view, event, dead, agents, place)
    yield from _table_news(view, place, agents)


def _told(
    view: View, event: Event, dead: set[str], agents: frozenset[str], place: int
) -> Iterator[ActionModel]:
    """Yield an event that is not a move; notices about agents' roles precede words."""
    action = event.model(view.setup, frozenset(dead), agents)
    if action is not None:
        if isinstance(event, Said) and view.handouts.keys().isdisjoint((event.speaker, *event.to)):
            action = action.point(*action.events)  # others see only what it is about
        if action.formula_agents:
            yield from _role_news(view, agents, place)
        yield action
    dead.update(dead_in([event]))


# --- moves ---------------------------------------------------------------------------------------


def _moves(
    view: View, stage: Stage, agents: frozenset[str], before: Moves, acted: Moves | None
) -> Iterator[ActionModel]:
    """Yield the moves between two interruptions of a phase.

    `acted`: the players who had acted by the next one, if there is one. Attacks come first, those of others
    before those of the agents.
    """
    setup = view.setup
    living = [name for name in setup.players if name not in stage.dead]
    for action in sorted(setup.actions(stage.phase)):  # attacks before visions
        due = [name for name in living if (name, action) not in before]
        if acted is not None and setup.deal == "quantum":  # the players who had acted were seen
            due = [name for name in due if (name, action) in acted]
        possible = {name: _options(view, stage, name, action, before, acted) for name in due}
        others = [name for name in due if name not in agents]
        if declared(setup).acts[action].change and not _seen(setup):
            yield from _attack_of_others(view, stage, others, before, acted)
            others = []
        for name in others:
            yield from _move_of_other(view, stage, name, action, possible[name], acted)
        for name in due:
            if name in agents:
                yield from _move_of_agent(view, stage, name, action, possible[name], acted)
    if acted is None:
        yield from _refusals(view, stage, agents)


def _seen(setup: Setup) -> bool:
    """Whether everybody sees actors and targets; in a classical deal the actor is hidden."""
    return setup.targets == "public" and setup.deal == "quantum"


def _options(
    view: View, stage: Stage, player: str, action: Action, before: Moves, acted: Moves | None
) -> dict[Option, Possible]:
    """Return every option of a player that is possible according to public information."""
    setup, seen, last = view.setup, stage.seen, acted is None
    game = declared(setup)
    act = game.acts[action]
    role = game.at(act.asked, player)
    asked = role if setup.deal == "classical" else TRUE
    visible = seen.move(player, action) if _seen(setup) else None
    if visible is None and last and stage.ended and (player, action) in seen.passed_over:
        return {Option(player, note=PASSED_OVER): Possible(asked)}
    found: dict[Option, Possible] = {}
    if visible is None and not _must_have_moved(setup, stage, action, acted):
        found[Option(player, note=WAITS)] = Possible(asked)
    if (
        visible is None
        and (last or setup.deal == "classical")
        and (stage.phase.position or setup.deal == "classical" or setup.sample)
    ):
        found[Option(player, note=NOT_ASKED)] = Possible(~role)
    if _seen(setup) and visible is None:
        return found
    if act.mark is None:
        asked = _all([asked, _goes_on(view, stage, player, action, before, acted)])
    if isinstance(visible, Declined) or (visible is None and not compulsory(setup, action)):
        found[Option(player, note=DECLINED)] = Possible(asked)
    if not isinstance(visible, Declined):
        targets = [visible.target] if visible is not None else _targets(view, stage, player, action)
        found |= _aimed(setup, stage, player, act, targets, asked, interrupted=bool(before))
    return found


def _goes_on(
    view: View, stage: Stage, player: str, action: Action, before: Moves, acted: Moves | None
) -> Formula:
    """Return that a phase of a classical deal, if known to run, has not ended with a move: another is due.

    If somebody died in the phase the dominant wolf has attacked. Other moves leave no trace in a world, so
    those of others may always be due.
    """
    setup = view.setup
    over = stage.ended or stage.seen.cut or stage is not view.stages[-1]
    if setup.deal == "quantum" or (acted is None and over) or dead_in(e for _, e in stage.interruptions):
        return TRUE
    living = [name for name in setup.players if name not in stage.dead]
    killed = disjunction(Atom(f"dead_{name}") for name in living)
    game = declared(setup)
    due = {(name, other) for other in setup.actions(stage.phase) for name in living}
    return disjunction(
        game.at(game.acts[other].asked, name)
        & (~(game.at(game.acts[other].by, name) & killed) if game.acts[other].change else TRUE)
        for name, other in sorted(due - before - {(player, action)})
    )


def _must_have_moved(setup: Setup, stage: Stage, action: Action, acted: Moves | None) -> bool:
    """Whether it is public that everyone asked, and not known to have been passed over, has acted."""
    if setup.deal == "classical":  # the actor is hidden
        seen = sum(is_action(event) and event.action == action for event in stage.seen.events)
        if setup.targets == "public" and seen >= _most(setup, action):
            return True
        passed = any(missing == action for _, missing in stage.seen.passed_over)
        return stage.ended and acted is None and not passed
    return acted is not None or stage.ended


def _most(setup: Setup, action: Action) -> int:
    """Return the greatest number of players asked for an action in a classical deal."""
    asked = declared(setup).roles(declared(setup).acts[action].asked)
    return sum(map(setup.deck.cards, asked)) if asked else 1


def _targets(view: View, stage: Stage, player: str, action: Action) -> list[str]:
    """Return the targets that are possible for a player according to public information."""
    setup = view.setup
    dead = [setup.seat(name) for name in stage.dead]
    refused = public_refusals(setup, dead, setup.seat(player), action)
    legal = [name for seat, name in enumerate(setup.players) if seat not in refused]
    if setup.targets == "public":
        seen = {e.target for e in stage.seen.events if isinstance(e, Vision | Attack) and e.action == action}
        legal = [name for name in legal if name in seen]
    return legal


def _aimed(
    setup: Setup,
    stage: Stage,
    player: str,
    act: Act,
    targets: Sequence[str],
    asked: Formula,
    *,
    interrupted: bool,
) -> dict[Option, Possible]:
    """Return the options of a player who acts on one of some targets.

    Where the action is the player's, it shows the truth, and is possible. A mark is not a fact in any world.
    """
    if act.mark is not None:
        return {Option(player, note=WAITS): Possible(asked)}
    game, found = declared(setup), dict[Option, Possible]()
    by = game.at(act.by, player)
    for target in targets:
        post = {
            atom.format(i=player, t=target): game.at(
                f"({act.by}) & ({value}) | ~({act.by}) & {atom}", player, target
            )
            for atom, value in act.change
        }
        for word, where in act.shows or ((None, "true"),):
            true = game.at(f"({where}) & ~({act.impossible})", player, target)
            found[Option(player, target, word)] = Possible(_all([asked, by >> true]), post)
        if act.shows and _may_show_nothing(setup, stage.phase, act, interrupted=interrupted):
            blind = game.at(f"~(({act.by}) & ({act.pool}))", player)
            found[Option(player, target, note=NOTHING)] = Possible(_all([asked, blind]))
    return found


def _may_show_nothing(setup: Setup, phase: Phase, act: Act, *, interrupted: bool) -> bool:
    """Whether an action may be due and, when made, have no world left to show a result."""
    game = declared(setup)
    removed = any(game.acts[action].change for action in setup.actions(phase))
    dead = act.pool != "true" and bool(phase.position)
    return removed or dead or not exclusive(game, act) or interrupted or setup.sample is not None


def _all(parts: Iterable[Formula]) -> Formula:
    return conjunction(part for part in parts if part is not TRUE)


def _actual(view: View, stage: Stage, player: str, action: Action, acted: Moves | None) -> Option | None:
    """Return the actual option, by an interruption or the end; None if it is unknown."""
    part, move = stage.own.get(player), stage.actual.get((player, action))
    if acted is not None and (player, action) not in acted:
        move = None
    if part is None and stage.moves is None:
        return None
    if isinstance(move, Declined):
        return Option(player, note=DECLINED)
    if move is not None and declared(view.setup).acts[action].mark is not None:
        return Option(player, note=WAITS)
    if isinstance(move, Vision):
        return Option(player, move.target, move.result, NOTHING if move.result is None else "")
    if move is not None:
        return Option(player, move.target)
    if part is None or not part.begun or (player, action) in part.unsaid:
        return None
    if (player, action) not in part.asked:
        return Option(player, note=NOT_ASKED)
    return Option(player, note=PASSED_OVER if stage.ended and acted is None else WAITS)


def _move_of_agent(
    view: View,
    stage: Stage,
    player: str,
    action: Action,
    options: Mapping[Option, Possible],
    acted: Moves | None,
) -> Iterator[ActionModel]:
    """Yield the move of an agent, seen only by them."""
    actual = _actual(view, stage, player, action, acted)
    if actual is not None and actual.note == PASSED_OVER and actual not in options:
        actual = Option(player, note=WAITS)
    if len(options) > 1 or any(event.pre is not TRUE or event.post for event in options.values()):
        yield own_action(player, tuple(options.items()), actual, f"the {action} of {player} in {stage.phase}")


def _move_of_other(
    view: View,
    stage: Stage,
    player: str,
    action: Action,
    options: Mapping[Option, Possible],
    acted: Moves | None,
) -> Iterator[ActionModel]:
    """Yield the move of another player: its effect, and the part that all see.

    In the game master's view it also restricts the actual worlds.
    """
    if len(options) == 1:
        ((_, event),) = options.items()
        if event.post:
            yield ActionModel.of_sights({"seen": event}, {}, others=(1,), name=action)
        elif event.pre is not TRUE:
            yield public(event.pre)
        return
    actual = _actual(view, stage, player, action, acted)
    if actual is not None and actual in options and options[actual].pre is not TRUE:
        yield unseen(options[actual].pre)


def _attack_of_others(
    view: View,
    stage: Stage,
    others: Sequence[str],
    before: Moves,
    acted: Moves | None,
) -> Iterator[ActionModel]:
    """Yield the attack of a dominant wolf who is not an agent, as one action.

    Before the phase has ended it may not have happened yet.
    """
    setup, passed = view.setup, stage.seen.passed_over if stage.ended and acted is None else frozenset()
    killers = tuple(name for name in others if (name, "attack") not in passed)
    if not killers:
        return
    certain = _must_have_moved(setup, stage, "attack", acted) and not (setup.deal == "classical" and before)
    game = declared(setup)
    act = game.acts["attack"]
    killing = disjunction(
        _all([game.at(act.by, name), _goes_on(view, stage, name, "attack", before, acted)])
        for name in killers
    )
    targets = dict.fromkeys(t for name in killers for t in _targets(view, stage, name, "attack"))
    hidden: tuple[tuple[str, str], ...] | None = None
    if stage.moves is not None:
        made = ((name, stage.actual.get((name, "attack"))) for name in killers)
        hidden = tuple((name, e.target) for name, e in made if isinstance(e, Attack) and _by_now(e, acted))
    yield _hidden_attack(game, act, killers, killing, tuple(targets), certain, hidden)


def _by_now(event: Attack, acted: Moves | None) -> bool:
    return acted is None or (event.actor, event.action) in acted


def _refusals(view: View, stage: Stage, agents: frozenset[str]) -> Iterator[ActionModel]:
    """Yield the notices to agents whose attacks were refused."""
    for player in view.setup.players:
        for target in stage.own[player].refused(player) if player in agents and player in stage.own else ():
            game = declared(view.setup)
            act = game.acts["attack"]
            wolf = game.at(f"({act.by}) -> ({act.impossible})", player, target)
            refused = Option(player, target, note=REFUSED)
            options = {refused: Possible(wolf), Option(player, note=WAITS): Possible()}
            name = f"the refused attack of {player} in {stage.phase}"
            yield own_action(player, tuple(options.items()), refused, name)


@lru_cache(maxsize=4096)
def own_action(
    player: str, options: tuple[tuple[Option, Possible], ...], actual: Option | None, name: str
) -> ActionModel:
    """Return an event seen by only one player; `actual` is None if any option may be the actual one."""
    events = dict(options)
    return ActionModel.from_observations(
        events,
        {player: _everything},
        [actual] if actual in events else None,
        others=_nothing,
        name=name,
    )


def _everything(event: Option) -> object:
    return event


def _nothing(event: Option) -> object:
    return None


@lru_cache(maxsize=1024)
def _hidden_attack(
    game: Declared,
    act: Act,
    killers: tuple[str, ...],
    killing: Formula,
    targets: tuple[str, ...],
    certain: bool,
    hidden: tuple[tuple[str, str], ...] | None,
) -> ActionModel:
    """Return a hidden attack: by the killer whose it is, on any target on which it is possible.

    `killing`: that it may have happened; `certain`: whether it has if one of them is dominant. `hidden`: the
    actual attacker and target.
    """
    dominant = disjunction(game.at(act.by, name) for name in killers)
    events: dict[Option, Possible] = {}
    actual: list[Option] = []

    def add(option: Option, pre: Formula, post: Mapping[str, Formula], really: Formula | None) -> None:
        if really is None:
            events[option] = Possible(pre, post)
            return
        actual.append(option)
        events[option] = Possible(_all([pre, really]), post)
        events[option._replace(note="otherwise")] = Possible(_all([pre, ~really]), post)

    for target in targets:
        real = None
        if hidden is not None:
            real = disjunction(game.at(act.by, name) for name, t in hidden if t == target)
        changed = {atom.format(t=target): game.at(value, t=target) for atom, value in act.change}
        add(Option("", target), killing & ~game.at(act.impossible, t=target), changed, real)
    moved = None if hidden is None else ~disjunction(game.at(act.by, name) for name, _ in hidden)
    add(Option(""), ~dominant if certain else TRUE, {}, moved)
    return ActionModel.from_observations(events, {}, actual or None, others=_nothing, name=HIDDEN_ATTACK)


# --- what is told about roles --------------------------------------------------------------------


def cells_of(table: Table) -> Iterator[tuple[str, str, str, Cell]]:
    """Yield row, column, fact and value of every cell; of a typed entry the value if it is exact."""
    for label, row in zip(table.labels, table.rows, strict=True):
        for column, value in zip(table.columns, row, strict=True):
            if isinstance(value, Rounded):
                value = value.low if value.low == value.high else None
            yield label, column, FACTS[column], value


def _table_news(view: View, place: int, agents: frozenset[str]) -> Iterator[ActionModel]:
    """Yield the certain entries of the table published after a phase (-1: at the start).

    In a table with names, these are facts that everybody learns. In an anonymous one, players know their own
    row: being alive is news; the rest is in `_role_news`.
    """
    table = view.table if place < 0 else view.stages[place].seen.table
    mortal = deaths_possible(view, place)
    if table is None:
        return
    if not view.setup.numbers_hidden:
        where = "before the first move" if place < 0 else f"of {view.stages[place].phase}"
        for fact, words in _certain(table, mortal).items():
            yield public(fact).named(f"the table {where} says that {words}")
        return
    if not mortal or all(fact != "dead" for _, _, fact, _ in cells_of(table)):
        return
    for player in sorted(agents):
        lives, unsure = Option(player, note=LIVES), Option(player, note=WAITS)
        actual = None
        if player in view.handouts:
            rows = {(row, fact): value for row, _, fact, value in cells_of(table)}
            actual = lives if rows[str(view.handouts[player].number), "dead"] == 0 else unsure
        options = {lives: Possible(~Atom(f"dead_{player}")), unsure: Possible()}
        yield own_action(player, tuple(options.items()), actual, f"the row of {player} in the table")


def _certain(table: Table, mortal: bool) -> dict[Formula, str]:
    """Return the certain facts in a table with names, each with its entry in words.

    `mortal`: whether anybody may be dead without this being known.
    """
    found: dict[Formula, str] = {}
    for name, column, fact, value in cells_of(table):
        if value in (0, 1) and (fact != "dead" or mortal):
            atom = Atom(f"{WOLF if fact == 'good' else fact}_{name}")
            words = (
                f"{name} is {'' if value else 'not '}{column} with certainty ({'100%' if value else '0%'})"
            )
            found.setdefault(atom if bool(value) is (fact != "good") else ~atom, words)
    return found


def deaths_possible(view: View, place: int) -> bool:
    """Whether anybody may be dead after a phase without this being known."""
    done = view.stages[: place + 1]
    attacks = any("attack" in view.setup.actions(stage.phase) for stage in done)
    return declared(view.setup).mark is None and attacks


def _role_news(view: View, agents: frozenset[str], place: int | None) -> Iterator[ActionModel]:
    """Yield the combined notices to agents about their own roles, before a phase or by now.

    Notices, own rows of anonymous tables and own chances leave some of the roles; the time does not matter,
    since roles do not change.
    """
    setup = view.setup
    possible = _tellable(setup)
    if not view.begun or len(possible) < 2:
        return
    for player in sorted(agents):
        handout = view.handouts.get(player)
        actual = None if handout is None else Option(player, note=_left(roles_left(handout, place), setup))
        left = [(roles, one_of(player, roles, setup.deck)) for roles in possible[1:]]
        options = [(Option(player, note=_left(roles, setup)), Possible(f)) for roles, f in left]
        options.append((Option(player, note=WAITS), Possible()))
        yield own_action(player, tuple(options), actual, f"the roles that were left to {player}")


def _left(roles: Collection[Role], setup: Setup) -> str:
    return WAITS if len(roles) == len(setup.deck.roles) else "/".join(sorted(roles))


@lru_cache(maxsize=64)
def _tellable(setup: Setup) -> tuple[frozenset[Role], ...]:
    """Return the sets of roles that players may be told are left to them; the first contains all."""
    rules, everything, game = setup.rules, frozenset(setup.deck.roles), declared(setup)
    if setup.deal == "classical":
        return (everything,)
    facts = {game.roles(where) for _, where in game.notices}
    if (setup.numbers_hidden and rules.table_at) or rules.told == "probabilities":
        columns = [covered(FACTS[column], setup) for column in rules.headings if FACTS[column] != "dead"]
        facts |= {part for roles in columns for part in (roles, everything - roles)}
    found = {everything}
    for fact in facts:
        found |= {roles & fact for roles in found}
    return (everything, *sorted(found - {everything, frozenset()}, key=sorted))


def covered(fact: str, setup: Setup) -> frozenset[Role]:
    """Return the roles for which a fact is true."""
    return declared(setup).roles(f"{fact}_{{i}}")


def roles_left(handout: Told, place: int | None) -> frozenset[Role]:
    """Return the roles that a player may have as far as they were told, before a phase or by now."""
    setup, left = handout.setup, frozenset(handout.setup.deck.roles)
    parts = handout.entries[:place]
    tables = (handout.table, *(part.table for part in parts))
    cells = (cell for table in tables if table is not None for cell in cells_of(table))
    news = [(fact, value) for row, _, fact, value in cells if row == str(handout.number)]
    news += [(FACTS[c], value) for part in parts for _, own in part.chances for c, value in own]
    for event in (event for part in parts for event in part.events):
        if isinstance(event, Notice):
            left = frozenset(role for role in left if event.role in (role, kind(role)))
    for fact, value in news:
        if fact != "dead" and value in (0, 1):
            left = left & covered(fact, setup) if value else left - covered(fact, setup)
    return left
