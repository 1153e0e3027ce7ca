"""Action models of the events of a game, as far as some players have been told about them.

The source is a `Told`, of a player or of a group. Others may have made any moves that the public rules allow.
Only where all players are among its owners are hidden moves known; with the drawn roles, too, the designated
worlds of the model are the superposition.

Within a night the moves of others come first, and attacks before visions: the order is hidden, and a vision
without a result reveals least at the end of the night.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import NamedTuple, Self

from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import (
    Declared,
    by_cards,
    declared,
    exclusive,
    keeps,
    new_values,
)
from kripke_werewolf.games.werewolf.move_atoms import NOTHING, MoveAtom
from kripke_werewolf.games.werewolf.roles import Action, Moment, Schema, SecretAct
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.state import public_choices
from kripke_werewolf.games.werewolf.told import (
    Entry,
    Moves,
    Told,
    certain_facts,
    dead_in,
    published_cells,
    roles_left,
    surely,
    tellable,
)
from kripke_werewolf.logic.formulas import TRUE, Atom, Formula, Knows, conjunction, disjunction
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.semantics.action import ActionModel, public
from kripke_werewolf.logic.semantics.action import Event as Possible

HIDDEN_ATTACK = "attack that nobody sees"


class Option(NamedTuple):
    """A hidden action or notice that is possible for a player."""

    actor: str
    target: str | None = None
    result: str | None = None
    note: str = ""
    action: Action = ""
    """The action; "": a vision, if there is a result or a note, or an attack."""

    @classmethod
    def of(cls, move: ev.Acted | ev.Declined) -> Option:
        """Return a move as an option of its actor."""
        if isinstance(move, ev.Declined):
            return cls(move.actor, note=DECLINED)
        found = cls(move.actor, " and ".join(move.targets), move.result, action=_other(move.action))
        if isinstance(move, ev.Vision) and move.result is None:
            return found._replace(note=NOTHING)
        return found

    @classmethod
    def made(cls, move: MoveAtom) -> Option:
        """Return the option that a move says was chosen, if it says so."""
        found = cls(move.actor, " and ".join(move.targets), move.result, action=min(move.actions))
        if move.night is not None:
            return found._replace(note=f"night {move.night}")
        return found

    def __str__(self) -> str:
        done = self.target or self.note
        if self.action and self.target:
            done = f"{self.action} {done}"
        if shown := self.result or (self.target and self.note):
            done += f"={shown}"
        return f"{self.actor}:{done}"

    def in_words(self) -> str:
        """Return the clause for a private event of a player: a move, a notice, or their number."""
        who, target, _, note, _ = self
        if note == REFUSED:
            return f"the attack of {who} on {target} was refused"
        if target is None:
            if "/" in note:
                return f"the roles left to {who} were {note}"
            numbered = f"is number {note}" if note.isdecimal() else f"was told {note}"
            return f"{who} {_SAID.get(note, numbered)}"
        if shown := ", ".join(filter(None, (self.result, note))):
            return f"{who} {words_for(self.action or 'vision').did} {target} ({shown})"
        return f"{who} {words_for(self.action or 'attack').did} {target}"


def _other(action: Action) -> Action:
    return {"vision": "", "attack": ""}.get(action, action)


WAITS, DECLINED, NOT_ASKED, PASSED_OVER = "waits", "declined", "not asked", "passed over"
REFUSED, LIVES = "refused", "lives"
"""Notes on options."""
_SAID = {DECLINED: "declined", LIVES: "was shown to be alive"} | {
    note: f"was {note}" for note in (NOT_ASKED, PASSED_OVER)
}


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


# --- what was told, as action models -------------------------------------------------------------


def actions_of(
    known: Told, agents: frozenset[str], moves: Sequence[MoveAtom] = ()
) -> Iterator[tuple[int, ActionModel]]:
    """Yield the phase position and the action model of every event relevant to the agents' knowledge.

    `moves`: the moves in question, whose atoms become true when they are made.
    """
    yield from ((0, action) for action in _table_news(known, -1, agents))
    for place, entry in enumerate(known.entries):
        for action in _phase_actions(known, place, entry, agents, moves):
            yield entry.phase.position, action
    if not known.setup.deck.changing:  # otherwise each phase has its own
        yield from ((known.entries[-1].phase.position, action) for action in _role_news(known, agents, None))


def _phase_actions(
    known: Told, place: int, entry: Entry, agents: frozenset[str], moves: Sequence[MoveAtom]
) -> Iterator[ActionModel]:
    before, dead = frozenset[tuple[str, Action]](), set(known.dead_before(entry))
    if entry.phase.kind == "vote":
        yield from _followed(known.setup, "morning")
    if known.setup.deck.changing:
        yield from _role_news(known, agents, place)
    yield from _news(known, place, entry, agents)
    for acted, event in entry.interruptions:
        yield from _Stretch(known, entry, before, acted, moves, agents).moves()
        before |= acted
        yield from _told(known, event, dead, agents, place)
    yield from _Stretch(known, entry, before, None, moves, agents).moves()
    moments = ev.moments_after(known.setup, entry.phase)
    if ev.ends_phase(entry.events):
        yield from _followed(known.setup, *moments)
    for event in entry.after:
        yield from _told(known, event, dead, agents, place)
    found = "found" in moments and entry.ended and entry is not known.entries[-1]
    if found and known.setup.deal == "classical":
        living = (~Atom(f"dead_{name}") for name in known.setup.players if name not in dead)
        yield public(conjunction(living)).named(f"nobody else was found dead after {entry.phase}")
    yield from _table_news(known, place, agents)


def _followed(setup: Setup, *moments: Moment) -> Iterator[ActionModel]:
    """Yield the changes that follow by themselves at some moments."""
    if post := declared(setup).followed({}, *moments):
        name = f"what follows: {' and '.join(moments)}"
        yield ActionModel._of_sights({name: Possible(post=post)}, {}, others=(1,), name=name)


def _news(known: Told, place: int, entry: Entry, agents: frozenset[str]) -> Iterator[ActionModel]:
    """Yield the news when a phase begins, about what may have changed since the last one began."""
    setup, game, dead = known.setup, declared(known.setup), known.dead_before(entry)
    made = [game.vote.change, game.named.change, *(each.change for each in game.follows)]
    for last in known.entries[place - 1 : place]:
        made += [game.acts[action].change for action in setup.actions(last.phase)]
    changed = {"dead_", "dominant_", *(atom.partition("{")[0] for change in made for atom, _ in change)}
    for news in game.news:
        where = game.told_where(news)
        due = not place or setup.deal == "quantum" or any(fact in where for fact in changed)
        if news.asked:
            due = news.asked in setup.actions(entry.phase)
        hearers = [""] if news.public else [name for name in setup.players if name not in dead]
        for hearer, about in product(hearers if due else (), setup.players):
            true, told = game.at(where, hearer, about), None
            if entry.shown is not None and hearer in ("", *known.owners):
                told = (hearer, news.word, about) in entry.shown
            if not news.public:
                yes, no = Option(hearer, note=f"{about} is {news.word}"), Option(hearer, note=WAITS)
                options = {yes: Possible(true), no: Possible(negated(true))}
                actual = {True: yes, False: no, None: None}[told]
                name = f"whether {hearer} is told that {about} is {news.word}"
                yield from _private(options, actual, name, hearer, agents)
            elif told or (told is False and setup.deal == "classical"):
                yield public(true if told else negated(true))


def _told(
    known: Told, event: ev.Event, dead: set[str], agents: frozenset[str], place: int
) -> Iterator[ActionModel]:
    """Yield an event that is not a move; notices about agents' roles precede words."""
    action = event.model(known.setup, frozenset(dead), agents)
    if action is not None:
        if isinstance(event, ev.Said) and {event.speaker, *event.to}.isdisjoint(known.owners):
            action = action.point(*action.events)  # others see only what it is about
        if action.formula_agents and not known.setup.deck.changing:
            yield from _role_news(known, agents, place)
        yield action
    dead.update(dead_in([event]))


# --- moves ---------------------------------------------------------------------------------------


def _seen(setup: Setup) -> bool:
    """Whether everybody sees actors and targets; in a classical deal the actor is hidden."""
    return setup.targets == "public" and setup.deal == "quantum"


@dataclass(frozen=True)
class _Stretch:
    """The moves between two interruptions of a phase.

    `before`: the players who had acted by the first one; `acted`: by the next one, if there is one;
    `asked`: the moves in question.
    """

    known: Told
    entry: Entry
    before: Moves
    acted: Moves | None
    asked: Sequence[MoveAtom]
    agents: frozenset[str]

    @cached_property
    def setup(self) -> Setup:
        """The settings of the game."""
        return self.known.setup

    @cached_property
    def game(self) -> Declared:
        """The declarations of the game."""
        return declared(self.setup)

    @cached_property
    def living(self) -> list[str]:
        """The players who may act in the phase."""
        dead = self.known.dead_before(self.entry)
        return [name for name in self.setup.players if name not in dead]

    @cached_property
    def passed(self) -> Moves:
        """The players seen to have been passed over: in a classical deal it would reveal their cards."""
        if self.entry.ended and self.acted is None and self.setup.deal == "quantum":
            return self.entry.passed_over
        return frozenset()

    def move(self, player: str, action: Action) -> ev.Acted | ev.Declined | None:
        """Return the known move of a player by the next interruption."""
        if self.acted is None or (player, action) in self.acted:
            return self.entry.move(player, action)
        return None

    def moves(self) -> Iterator[ActionModel]:
        """Yield the moves: attacks come first, those of others before those of the agents."""
        agents, actions = self.agents, self.setup.actions(self.entry.phase)
        for action in sorted(actions, key=lambda action: action == "vision"):  # attacks before visions
            if self._idle(self.game.acts[action]):
                continue
            due = [name for name in self.living if (name, action) not in self.before]
            if self.acted is not None and self.setup.deal == "quantum":  # the players who had acted were seen
                due = [name for name in due if (name, action) in self.acted]
            if self.entry.resting:
                due = [name for name in due if name in self.known.owners]
            others, merged = [name for name in due if name not in agents], list[str]()
            act = self.game.acts[action]
            on_actor = any("{i}" in atom for atom, _ in act.change)
            if act.change and not (_seen(self.setup) or on_actor or act.shows) and exclusive(self.game, act):
                merged = [name for name in others if not (self._asks(name, action) or self._is_told(name))]
                yield from self._attack_of_others(merged, action)
            for name in sorted(due, key=agents.__contains__):
                if name not in merged:
                    what = f"the {action} of {name} in {self.entry.phase}"
                    options = self._options(name, action)
                    yield from _private(options, self._actual(name, action), what, name, agents)
        if self.acted is None:
            yield from self._refusals()

    def _refusals(self) -> Iterator[ActionModel]:
        """Yield the notices to agents whose attacks were refused."""
        act = self.game.acts["attack"]
        for player in self.known.owners:
            for target in self.entry.refused(player):
                wolf = self.game.at(f"({act.by}) -> ({act.impossible})", player, target)
                refused = Option(player, target, note=REFUSED)
                options = {refused: Possible(wolf), Option(player, note=WAITS): Possible()}
                name = f"the refused attack of {player} in {self.entry.phase}"
                yield from _private(options, refused, name, player, self.agents)

    def _is_told(self, player: str) -> bool:
        """Whether a player is one of several owners, but not all, so that only their moves are known."""
        return player in self.known.owners and len(self.known.owners) < len(self.setup.players)

    def _idle(self, act: SecretAct) -> bool:
        """Whether it is public that nobody is asked: nobody is dead, or the deck has no such card."""
        cards = self.game.roles(act.asked)
        nobody = cards and not any(map(self.setup.deck.cards, cards))
        return bool(nobody) or (act.on == "dead" and len(self.living) == len(self.setup.players))

    def _asks(self, player: str, action: Action) -> bool:
        """Whether moves of a player with an action are in question."""
        return any(move.actor == player and action in move.actions for move in self.asked)

    def _options(self, player: str, action: Action) -> dict[Option, Possible]:
        """Return every option of a player that is possible according to public information."""
        setup, act, classical = self.setup, self.game.acts[action], self.setup.deal == "classical"
        role = self.game.at(act.asked, player)
        asked = role if classical else self._deemed(player, act.asked)
        visible = self.entry.move(player, action) if _seen(setup) else None
        if visible is None and (player, action) in self.passed:
            return {Option(player, note=PASSED_OVER): Possible(asked)}
        found: dict[Option, Possible] = {}
        if visible is None and not self._must_have_moved(action):
            found[Option(player, note=WAITS)] = Possible(asked)
        if visible is None and (classical or self.acted is None):
            if not surely(self.known, self.known.entries.index(self.entry), player, act.asked):
                found[Option(player, note=NOT_ASKED)] = Possible(~role)
            elif asked is not TRUE:  # what an agent was told may contradict the public tables
                found[Option(player, note=NOT_ASKED)] = Possible(negated(asked))
        if _seen(setup) and visible is None:
            return found
        if act.mark is None:
            asked = _all([asked, self._goes_on(player, action)])
        if isinstance(visible, ev.Declined) or (visible is None and not act.compulsory):
            found[Option(player, note=DECLINED)] = Possible(asked)
        if visible is None:
            found |= self._aimed(player, act, self._chosen(player, act), asked)
        elif not isinstance(visible, ev.Declined):
            found |= self._aimed(player, act, [visible.targets], asked)
        return found

    def _deemed(self, player: str, schema: Schema, *targets: str) -> Formula:
        """Return that an agent deems a kind of world possible, since there was one; trivial for others.

        There was one when the phase began: after an interruption the agent may know better.
        """
        unsure = self.setup.deal == "classical" or not by_cards(self.game, schema)
        if unsure or player not in self.agents or self.entry.interruptions:
            return TRUE
        return ~Knows(player, ~self.game.at(schema, player, *targets))

    def _goes_on(self, player: str, action: Action) -> Formula:
        """Return the formula that a running phase of a classical deal has not ended with its last move.

        Another move is due. If somebody died in it, the dominant wolf has attacked. Other moves leave no
        trace in a world, so those of others may always be due.
        """
        entry, game = self.entry, self.game
        over = self.acted is None and (entry.ended or entry.cut or entry is not self.known.entries[-1])
        if self.setup.deal == "quantum" or over or dead_in(event for _, event in entry.interruptions):
            return TRUE
        killed = disjunction(Atom(f"dead_{name}") for name in self.living)
        deadly = [a for a in self.setup.actions(entry.phase) if "dead_{t}" in dict(game.acts[a].change)]
        attacked = deadly == ["attack"]  # what else kills leaves the same trace
        due, found = set(product(self.living, self.setup.actions(entry.phase))), []
        for name, other in sorted(due - self.before - {(player, action)}):
            found.append(game.at(game.acts[other].asked, name))
            if attacked and other == "attack":
                found[-1] &= ~(game.at(game.acts[other].by, name) & killed)
        return disjunction(found)

    def _must_have_moved(self, action: Action) -> bool:
        """Whether it is public that everyone asked, and not known to have been passed over, has acted."""
        if self.setup.deal == "quantum":
            return self.acted is not None or self.entry.ended
        if self.setup.targets == "public":  # the actor is hidden
            moves = (event for event in self.entry.events if isinstance(event, ev.Acted | ev.Declined))
            seen = sum(event.action == action for event in moves)
            asked = self.game.roles(self.game.acts[action].asked)
            if (asked and seen >= sum(map(self.setup.deck.cards, asked))) or (not asked and seen):
                return True
        passed = any(missing == action for _, missing in self.entry.passed_over)
        return self.entry.ended and self.acted is None and not passed

    def _chosen(self, player: str, act: SecretAct) -> list[tuple[str, ...]]:
        """Return the choices of targets that are possible according to public information."""
        setup, seen = self.setup, {*self.setup.players}
        dead = [seat for seat, name in enumerate(setup.players) if name not in self.living]
        if setup.targets == "public":
            moves = (event for event in self.entry.events if isinstance(event, ev.Acted))
            seen = {event.target for event in moves if event.action == act.name}
        choices = public_choices(setup, dead, setup.seat(player), act.name).values()
        return [targets for targets in choices if seen.issuperset(targets)]

    def _aimed(
        self, player: str, act: SecretAct, chosen: Iterable[tuple[str, ...]], asked: Formula
    ) -> dict[Option, Possible]:
        """Return the options of a player who acts on one of some targets.

        Where the player has the action, it shows the truth, and is possible. A mark is not a fact in any
        world; a move in question is one in all worlds.
        """
        if act.mark is not None and not self._asks(player, act.name):
            return {Option(player, note=WAITS): Possible(asked)}
        game, found = self.game, dict[Option, Possible]()
        by, blind = game.at(act.by, player), game.at(f"~(({act.by}) & ({act.pool}))", player)
        unseeing = act.shows and self._may_show_nothing(act)
        for targets in chosen:
            places, named = (player, *targets), " and ".join(targets)
            made = partial(self._made, player, act.name, targets)
            change = ((atom, f"({act.by}) & ({new}) | ~({act.by}) & {atom}") for atom, new in act.change)
            post = game.followed(new_values(tuple(change), game.players, *places), "once")
            for word, where in act.shows or ((None, "true"),):
                true = game.at(f"({where}) & ~({act.impossible})", *places)
                seen = self._deemed(player, f"({act.by}) & ({where})", *targets) if word else TRUE
                option = Option(player, named, word, action=_other(act.name))
                found[option] = Possible(_all([asked, seen, by >> true]), post | made(word))
            if unseeing:
                option = Option(player, named, note=NOTHING, action=_other(act.name))
                found[option] = Possible(_all([asked, blind]), made(None))
        return found

    def _made(
        self, player: str, action: Action, targets: tuple[str, ...], word: str | None
    ) -> dict[str, Formula]:
        """Return the moves in question that are made by a choice, as changes of atoms."""
        night = self.entry.phase.number
        return {m.name: TRUE for m in self.asked if m.is_made(player, action, targets, word, night)}

    def _may_show_nothing(self, act: SecretAct) -> bool:
        """Whether a player may have to act and then see no result, since no world is left."""
        game, kind, actions = self.game, f"({act.by}) & ({act.pool})", self.setup.actions(self.entry.phase)
        lasting, changing = by_cards(game, kind), (game.acts[a] for a in actions if game.acts[a].change)
        removed = any(not (lasting and keeps(game, other, kind)) for other in changing)
        dead = act.pool != "true" and bool(self.entry.phase.position)
        part = bool(self.before) or self.setup.sample is not None
        return removed or dead or part or not exclusive(game, act)

    def _actual(self, player: str, action: Action) -> Option | None:
        """Return the actual option, by an interruption or the end; None if it is unknown."""
        entry, move = self.entry, self.move(player, action)
        if player not in self.known.owners:
            return None
        if move is not None and (self.game.acts[action].mark is None or self._asks(player, action)):
            return Option.of(move)
        if move is None and (player, action) in entry.unsaid:
            return None
        note = WAITS
        if (player, action) in self.passed:
            note = PASSED_OVER
        elif move is None and (player, action) not in entry.asked:
            note = NOT_ASKED
        return Option(player, note=note)

    def _attack_of_others(self, others: Sequence[str], action: Action) -> Iterator[ActionModel]:
        """Yield the attack of a dominant wolf who is not an agent, as one action on any possible target.

        Before the phase has ended it may not have happened yet. Where all players' moves are known it also
        restricts the actual worlds.
        """
        game, act = self.game, self.game.acts[action]
        by = {name: game.at(act.by, name) for name in others if (name, action) not in self.passed}
        if not by:
            return
        killing = disjunction(_all([own, self._goes_on(name, action)]) for name, own in by.items())
        events: dict[Option, Possible] = {}
        for targets in dict.fromkeys(targets for name in by for targets in self._chosen(name, act)):
            places = ("", *targets)
            possible = killing & ~game.at(act.impossible, *places)
            post = game.followed(new_values(act.change, game.players, *places), "once")
            events[Option("", " and ".join(targets))] = Possible(possible, post)
        events[Option("")], actual = Possible(), None
        certain = act.compulsory and self._must_have_moved(action)
        if certain and not (self.setup.deal == "classical" and self.before):
            events[Option("")] = Possible(~disjunction(by.values()))
        if set(self.known.owners) == {*self.setup.players}:
            actual = list(events)
            made = ((own, self.move(name, action)) for name, own in by.items())
            attacks = [(own, Option.of(move).target) for own, move in made if isinstance(move, ev.Acted)]
            for option in actual:
                real = disjunction(own for own, target in attacks if option.target in (None, target))
                if option.target is None:
                    real = ~real
                event, other = events[option], option._replace(note="otherwise")
                events[option] = Possible(_all([event.pre, real]), event.post)
                events[other] = Possible(_all([event.pre, ~real]), event.post)
        name = {"attack": HIDDEN_ATTACK}.get(action, f"hidden {action}")
        yield ActionModel.from_observations(events, {}, actual, others=lambda option: None, name=name)


@lru_cache(maxsize=4096)
def _secret_action(
    options: tuple[tuple[Option, Possible], ...], actual: Option | None, name: str, seen_by: str = ""
) -> ActionModel:
    """Return an event that only one player, or nobody, can tell from the others.

    `actual` is None if any option may be the actual one.
    """
    own = {seen_by: lambda option: option} if seen_by else {}
    known = [actual] if actual in dict(options) else None
    return ActionModel.from_observations(dict(options), own, known, others=lambda option: None, name=name)


def _private(
    options: Mapping[Option, Possible], actual: Option | None, name: str, player: str, agents: frozenset[str]
) -> Iterator[ActionModel]:
    """Yield a move or a message that only one player sees.

    Of other players than the agents only the effect matters, and whether it restricts the actual worlds.
    """
    mine = agents.intersection([player])
    if mine or len(options) == 1 or any(event.post for event in options.values()):
        if list(options.values()) != [Possible()]:
            yield _secret_action(tuple(options.items()), actual, name, *mine)
    elif actual is not None and options.get(actual, Possible()).pre is not TRUE:
        yield ev.unseen(options[actual].pre)


def _all(parts: Iterable[Formula]) -> Formula:
    return conjunction(part for part in parts if part is not TRUE)


# --- what is told about roles --------------------------------------------------------------------


def _table_news(known: Told, place: int, agents: frozenset[str]) -> Iterator[ActionModel]:
    """Yield the certain entries of the table published after a phase (-1: at the start).

    In a table with names, these are facts that everybody learns. In an anonymous one, players know their own
    row: being alive is news; the rest is in `_role_news`.
    """
    where = f"of {known.entries[place].phase}" if place >= 0 else "before the first move"
    facts, hidden = certain_facts(known, place), known.setup.numbers_hidden
    for fact, words in facts.items() if not hidden else ():
        yield public(fact).named(f"the table {where} says that {words}")
    mortal = hidden and any(fact == "dead" for _, _, fact, _ in published_cells(known, place))
    for player in sorted(agents.union(known.owners)) if mortal else ():
        alive, lives, unsure = ~Atom(f"dead_{player}"), Option(player, note=LIVES), Option(player, note=WAITS)
        actual = None
        if player in known.owners and alive in facts:
            actual = lives
        elif player in known.owners:
            actual = unsure
        options = {lives: Possible(alive), unsure: Possible()}
        yield from _private(options, actual, f"the row of {player} in the table", player, agents)


def _role_news(known: Told, agents: frozenset[str], place: int | None) -> Iterator[ActionModel]:
    """Yield the combined notices to agents about their own roles, before a phase or until now.

    Notices, own rows of anonymous tables and own chances leave some of the roles; the time does not matter
    unless cards change.
    """
    setup = known.setup
    possible = tellable(setup)
    if not known.begun or len(possible) < 2:
        return
    game, moment = declared(setup), len(known.entries) - known.running if place is None else place
    kinds = [act.asked for act in game.acts.values() if by_cards(game, act.asked)]
    for player in sorted(agents.union(known.owners)):
        told, actual = dict.fromkeys(possible[1:]), None
        if player in known.owners:
            mine = roles_left(known, player, place)
            told, actual = told | {mine: None}, Option(player, note=_left(mine, setup))
        sure = [game.roles(kind) for kind in kinds if surely(known, moment, player, kind)]
        options = dict[Option, Possible]()
        for roles in told:
            option = Option(player, note=_left(roles, setup))
            if option == actual or all(map(roles.intersection, sure)):
                options[option] = Possible(disjunction(Atom(f"{role}_{player}") for role in sorted(roles)))
        options[Option(player, note=WAITS)] = Possible()
        name = f"the roles that were left to {player}"
        yield from _private(options, actual, name, player, agents)


def _left(roles: Collection[str], setup: Setup) -> str:
    return WAITS if len(roles) == len(setup.deck.roles) else "/".join(sorted(roles))
