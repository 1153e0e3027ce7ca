"""A sitting: a game with its players' choices, votes and time limits, as a value without input or output.

`Sitting` holds the game, the choices of this night, the votes of this day, the absent players, and the pause
and end of a phase. `submit` returns the next sitting and a `Receipt`; nothing is modified.

* **Choices** are noted for each player and replaced until the phase ends. Then they are made
  together, in the order of the rules. By the `Manner` of the sitting all the living answer for every action
  of the phase (`slots`): the answers of those who have nothing to choose are noted, counted and checked in
  the same way, and do nothing.
* **Votes** are spoken (somebody says who is voted off), open or secret, by the house rules; they are replaced
  until they are counted. Ties go to the lot, to a second vote among the tied, or to nobody.
* **Players who are away** are waited for, passed over, or chosen for at random, by the house rules.
* **Time** is given in (`now`, in seconds of any clock) and never read.
* **Requests** with an id are answered once: the same id of the same seat gets the same answer, and nothing
  is done again.
* **Stale commands** are refused: `moment` names the moment that the sender's page showed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from kripke_werewolf.base.errors import FormatError, GameError, IllegalMove, KripkeError, check_known
from kripke_werewolf.base.settings import from_data
from kripke_werewolf.base.wording import Sentence, divided
from kripke_werewolf.games.werewolf import Message, QuantumWerewolf
from kripke_werewolf.games.werewolf.declarations import declared, exclusive
from kripke_werewolf.games.werewolf.draws import Chance, drawn_outcome
from kripke_werewolf.games.werewolf.events import Event, Refused, Vision
from kripke_werewolf.games.werewolf.log import HouseRules, PhaseChoice, Unacted
from kripke_werewolf.games.werewolf.roles import TAKE, Action
from kripke_werewolf.games.werewolf.setup import Phase
from kripke_werewolf.games.werewolf.state import is_compulsory, public_choices, public_refusal, refusal_text
from kripke_werewolf.games.werewolf.telling import messages
from kripke_werewolf.play.tabletop import commands

_TRIES = 32
"""The largest number of times a night is drawn so that all forced outcomes become possible."""
REMEMBERED = 2000
"""The number of answered requests kept."""

T = TypeVar("T")
Sent: TypeAlias = tuple[str | None, str]
"""A request: the seat that sent it, and its id."""


def with_answer(answered: Mapping[Sent, T], request: Sent, answer: T) -> dict[Sent, T]:
    """Return the latest answered requests, with one more."""
    return {**dict(list(answered.items())[-REMEMBERED + 1 :]), request: answer}


Slot: TypeAlias = tuple[str, Action]
"""A player and an action that need an answer."""


class Manner(Enum):
    """The way in which a table is run.

    On a device and on phones the moves of every phase wait for its end, and all the living answer, even those
    who have nothing to choose. A game master enters moves, and only those of a night, whose order matters,
    wait. On a device a vision that is independent of other moves is told at once, and the choice is final; a
    phase does not end by itself; and who is refused an attack is told of everybody else they cannot attack,
    so that the next attempt succeeds: everybody would notice the device coming back for another.
    """

    MASTER = "a game master enters the moves"
    DEVICE = "one device is passed around"
    PHONES = "everybody has a phone"


MASTER, DEVICE, PHONES = Manner


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a command."""

    accepted: bool
    text: str = ""
    """A confirmation, or the reason for a rejection; it may be secret from everybody but the sender."""
    messages: tuple[Message, ...] = ()
    """The messages that result: all of them for the game master, only their own for players."""
    ended: bool = False
    """Whether a phase has ended."""

    def for_seat(self, seat: str | None) -> Receipt:
        """Return the part of the answer that its sender may see."""
        if seat is None:
            return self
        own = tuple(message for message in self.messages if message.to == seat)
        return replace(self, messages=own, ended=False)


@dataclass(frozen=True, slots=True)
class Tally:
    """A count of votes."""

    position: int
    """The position of the phase."""
    voted_off: int
    """The number of players voted off earlier in the phase."""
    counts: tuple[tuple[str | None, int], ...]
    """The votes for each player, and for nobody (None), in descending order, then by seat."""
    votes: tuple[tuple[str, str | None], ...] = ()
    """The votes of the players, in seat order; empty for a secret ballot."""

    def __str__(self) -> str:
        told = (({"player": name or "", "anybody": name is not None}, n) for name, n in self.counts)
        counts, by = [Sentence("votes-for", **who, n=n) for who, n in told], votes_in_words(self.votes)
        return Sentence("tally", n=len(counts), counts=counts, opened=bool(self.votes), by=by)


def votes_in_words(votes: Iterable[tuple[str, str | None]]) -> str:
    """Return the votes in words.

    >>> votes_in_words([("Ann", "Bo"), ("Bo", None)])
    'Ann for Bo; Bo for nobody'
    """
    said = ((voter, {"player": name or "", "anybody": name is not None}) for voter, name in votes)
    return divided(Sentence("vote-of", voter=voter, **vote) for voter, vote in said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The state of an evening besides the game; it is kept in the log."""

    era: int = 0
    """The number of times the game has gone back; earlier commands are stale."""
    round: int = 1
    """The number of the ballot among several for one decision."""
    candidates: tuple[str, ...] = ()
    """The candidates of a second ballot; empty for all living players."""
    votes: tuple[tuple[str, str | None], ...] = ()
    """The votes of this round, in seat order."""
    counted: tuple[Tally, ...] = ()
    """The votes counted so far in the game."""
    away: tuple[str, ...] = ()
    """The players who have left the table, in seat order."""
    robots: tuple[str, ...] = ()
    """The players that the program plays, in seat order."""
    paused: bool = False
    deadline: float | int | None = None
    """The end of the time for this phase; None without a limit, or in a pause."""
    left: float | int | None = None
    """The seconds left when it was paused."""
    timed: str = ""
    """The moment for which the time limit was set."""
    moment: str = ""
    """The moment to which round, candidates and votes belong."""

    @property
    def results(self) -> dict[tuple[int, int], str]:
        """The counts of votes in words, by the phase and the number of players already voted off in it."""
        return {(tally.position, tally.voted_off): str(tally) for tally in self.counted}

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values; initial values are omitted."""
        start = asdict(Flow())
        found = {name: value for name, value in asdict(self).items() if value != start[name]}
        if not found.keys() & {"votes", "round", "candidates"}:
            found.pop("moment", None)
        return found


def read_flow(data: Mapping[str, Any]) -> Flow:
    """Return the flow in a log; raise FormatError for anything else."""
    return _read(Flow, data, "the flow of the evening")


def _read(kind: type[T], data: Mapping[str, Any], what: str) -> T:
    try:
        found: T = from_data(kind, data)
    except (GameError, ValueError) as error:
        raise FormatError(f"{what} cannot be read: {error}") from None
    return found


def with_people(
    flow: Flow, command: commands.Away | commands.Robots, players: Sequence[str]
) -> tuple[Flow, Sentence]:
    """Return the flow after a player has left or come back, or when the program plays for some; and the news.

    Raises UnknownNameError for anybody but the players.
    """
    if isinstance(command, commands.Robots):
        named = {check_known(name, players, kind="player") for name in command.players}
        robots = tuple(name for name in players if name in named)
        return replace(flow, robots=robots), Sentence("robots-play", n=len(robots), names=robots)
    away = {*flow.away, check_known(command.player, players, kind="player")}
    if not command.away:
        away.remove(command.player)
    told = Sentence("is-away", player=command.player, away=command.away)
    return replace(flow, away=tuple(name for name in players if name in away)), told


def check_own(seat: str, command: object) -> None:
    """Raise IllegalMove unless a command is a player's own."""
    if not isinstance(command, commands.OWN):
        raise IllegalMove(Sentence("for-the-master"))
    if seat != (command.voter if isinstance(command, commands.Vote) else command.actor):
        raise IllegalMove(Sentence("only-for-oneself", player=seat))


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was answered."""

    seat: str | None
    id: str
    command: str
    """The command, as its `repr`."""
    answer: Receipt


class _Conflict(Exception):
    """A forced outcome is impossible in this order, with these draws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A game with the state of the table around it: an immutable value. See the module.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules="gekka", wolves=1)
    >>> sitting = Sitting(game=game, manner=PHONES, seed=7)
    >>> sitting, answer = sitting.submit("Ann", commands.Choose("Ann", "vision", "Bo"))
    >>> answer.text, sitting.waiting_for
    ('noted: Ann has chosen', ('Bo', 'Cy'))
    >>> sitting.submit("Ann", commands.Choose("Bo", "vision", "Cy"))[1].text
    'Ann can choose only for themselves'
    """

    game: QuantumWerewolf
    manner: Manner
    house: HouseRules = field(default_factory=HouseRules)
    seed: int = 0
    """The source of randomness: the same moves draw the same outcomes."""
    choices: tuple[PhaseChoice, ...] = ()
    """The choices recorded in this phase, in order, including those without effect."""
    flow: Flow = field(default_factory=Flow)
    answered: Mapping[Sent, Request] = field(default_factory=dict)
    """The requests answered so far, by seat and id."""

    def __post_init__(self) -> None:
        if self.flow.moment != self.moment:  # another phase has begun, or it was cut off while it began
            flow = replace(self.flow, round=1, candidates=(), votes=())
            object.__setattr__(self, "flow", replace(flow, moment=_moment(flow, self.game)))

    # where it stands

    @property
    def moment(self) -> str:
        """A name for the phase, its ballot and the number of times the game has gone back; not secret."""
        return _moment(self.flow, self.game)

    @property
    def voting(self) -> bool:
        """Whether the village votes now: by day, unless somebody who died is naming another."""
        game = self.game
        return game.verdict is None and game.phase.kind == "vote" and not game.state.naming

    @property
    def gathers(self) -> bool:
        """Whether moves are recorded in this phase, and made together at its end."""
        phase, setup = self.game.phase, self.game.setup
        if phase.kind == "vote" or self.game.verdict is not None or self.game.state.naming:
            return False
        return self.manner is not MASTER or (phase.kind == "night" and not setup.strict)

    @property
    def foretells(self) -> bool:
        """Whether visions of this phase are told at once; choices are final then."""
        return self.foretells_in(self.game.phase)

    def foretells_in(self, phase: Phase) -> bool:
        """Whether visions of a phase are told at once: where none depends on another."""
        game = declared(self.game.setup)
        return self.manner is DEVICE and phase.kind == "visions" and exclusive(game, game.acts["vision"])

    @property
    def slots(self) -> dict[str, tuple[Action, ...]]:
        """The players and the actions they are asked for in this phase, answered or not."""
        game = self.game
        if game.state.naming and game.verdict is None:  # the dead who take somebody along are seen to do so
            return {name: (TAKE,) for name in game.players if name in game.state.naming}
        if game.verdict is not None or game.phase.kind == "vote":
            return {}
        actions = game.setup.actions(game.phase)
        if self.manner is not MASTER:
            return dict.fromkeys(game.alive, actions) if actions else {}
        asked = {name: tuple(a for a in actions if (name, a) in game.state.entitled) for name in game.players}
        return {name: some for name, some in asked.items() if some}

    @property
    def open(self) -> tuple[Slot, ...]:
        """The slots without an answer, in seat order."""
        answered = {(choice.actor, choice.action) for choice in self.choices} | self.game.state.acted
        slots = ((name, action) for name, actions in self.slots.items() for action in actions)
        return tuple(slot for slot in slots if slot not in answered)

    @property
    def to_choose(self) -> dict[str, tuple[Action, ...]]:
        """The players and actions whose choices are still missing and count; for the game master only."""
        missing = [slot for slot in self.open if self.counts(*slot)]
        return {name: tuple(action for actor, action in missing if actor == name) for name, _ in missing}

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The players who have not answered or voted, except those whom nobody waits for.

        At night only their number is public.
        """
        if self.voting:
            if self.house.ballot == "spoken":
                return ()
            voted = {voter for voter, _ in self.flow.votes}
            return tuple(name for name in self.game.alive if name not in voted and not self.excused(name))
        return tuple(name for name in dict.fromkeys(name for name, _ in self.open) if not self.excused(name))

    def excused(self, player: str) -> bool:
        """Whether a player is away and nobody waits for them."""
        return player in self.flow.away and self.house.absent != "wait"

    def counts(self, player: str, action: Action) -> bool:
        """Whether an answer of a player has an effect; only they and the game master may know this."""
        if action not in self.game.may_act.get(player, ()):
            return False
        return action == "vision" or bool(self.possible(player, action))

    def possible(self, player: str, action: Action) -> list[str]:
        """Return the choices that are possible for a player, according to the information they have."""
        told = self.refused(player) if action == "attack" else ()
        return [words for words in self.choosable(player, action) if words not in told]

    def choosable(self, player: str, action: Action) -> dict[str, tuple[str, ...]]:
        """Return the choices of a player that the public knows to be possible; see `public_choices`."""
        setup = self.game.setup
        return public_choices(setup, self.game.state.dead, setup.seat(player), action)

    def _targets_of(self, choice: PhaseChoice) -> tuple[str, ...]:
        """Return the players whom a choice names."""
        return self.choosable(choice.actor, choice.action).get(choice.target or "", (choice.target or "",))

    def refused(self, player: str) -> tuple[str, ...]:
        """Return the players whom this player was told in this phase that they cannot attack."""
        steps = self.game.steps[phase_start(self.game, len(self.game.steps)) :]
        return tuple(e.target for step in steps for e in step if isinstance(e, Refused) and e.actor == player)

    def choice(self, player: str, action: Action) -> PhaseChoice | None:
        """Return the choice recorded for a player and an action."""
        return next((c for c in self.choices if (c.actor, c.action) == (player, action)), None)

    def may_decline(self, action: Action) -> bool:
        """Whether an action may be declined."""
        return not is_compulsory(self.game.setup, action)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The players who can be voted for."""
        return self.flow.candidates or self.game.alive

    @property
    def moments(self) -> tuple[int, ...]:
        """The steps to which `Undo` goes back, the last first.

        If only nights gather choices, every step counts. Otherwise every vote and phase does, so that the
        number does not reveal how many players have acted; the current phase counts once people have begun
        it, since robots answer again at once.
        """
        game, found, robots = self.game, list[int](), self.flow.robots
        if self.manner is MASTER:
            return tuple(range(len(game.steps) - 1, -1, -1))
        step = len(game.steps)
        if game.phase.kind != "vote" and game.verdict is None:
            step = phase_start(game, step)
            if step < len(game.steps) or any(choice.actor not in robots for choice in self.choices):
                found.append(step)
        elif any(voter not in robots for voter, _ in self.flow.votes):
            found.append(step)
        while step:
            step -= 1
            if game.states[step].phase.kind != "vote":
                step = phase_start(game, step)
            found.append(step)
        return tuple(found)

    # what is done

    def submit(
        self,
        seat: str | None,
        command: commands.Command,
        *,
        request: str | None = None,
        moment: str | None = None,
        now: float | None = None,
    ) -> tuple[Sitting, Receipt]:
        """Return the sitting after a command, and the answer to its sender.

        `seat`: the player, or None for the game master. A rejected command is answered with the reason and
        changes nothing, except that an attack rejected for a reason secret to its actor is recorded. Raises
        GameError if a request id was used for another command.
        """
        given = repr(command)
        if request is not None and (known := self.answered.get((seat, request))) is not None:
            if known.command != given:
                raise GameError(f"the request id {request!r} was used for another command")
            return self, known.answer
        try:
            if moment is not None and moment != self.moment:
                over = self.game.verdict is not None
                raise IllegalMove(Sentence("this-is-over", over=over, phase=self.game.phase))
            self._check_submitter(seat, command)
            after, answer = self._done(command)
            after, answer = after._ended(seat, command, answer)
        except KripkeError as error:
            after, answer = self, Receipt(False, commands.reason_of(error))
        answer = answer.for_seat(seat)
        after = after._timed(now)
        if request is not None:
            done = Request(seat, request, given, answer)
            after = replace(after, answered=with_answer(self.answered, (seat, request), done))
        return after, answer

    def tick(self, now: float) -> Sitting:
        """Return the sitting at time `now`: a phase whose time is up ends by the house rules.

        If they only remind players, the phase continues until it is ended. A phase in which everybody has
        answered ends, too, if it has not ended yet: because of a pause, or because the program was killed.
        """
        flow, after, spoken = self.flow, self, self.house.ballot == "spoken"
        with suppress(KripkeError):
            if flow.paused or flow.deadline is None or now < flow.deadline:
                after = self._completed()[0]
            elif self.game.verdict is not None or (self.game.phase.kind == "vote" and spoken):
                return self
            else:
                after = self._end(None)[0]
        return after._timed(now)

    def _check_submitter(self, seat: str | None, command: commands.Command) -> None:
        if seat is None:
            return
        self.game.setup.seat(seat)
        check_own(seat, command)
        if isinstance(command, commands.Choose) and command.result is not None:
            raise IllegalMove(Sentence("only-the-master-decides"))
        if self.flow.paused:
            raise IllegalMove(Sentence("game-is-paused"))

    def _done(self, command: commands.Command) -> tuple[Sitting, Receipt]:
        match command:
            case commands.Choose(actor, action, target, result):
                return self._choose(PhaseChoice(self.game.setup.name_of(actor), action, target, result))
            case commands.Vote(voter, target):
                return self._vote(self.game.setup.name_of(voter), target)
            case commands.VoteOff(players, role):
                return self._vote_off(players, role)
            case commands.EndPhase(missing):
                return self._end(missing)
            case commands.Undo(count, phase):
                return self._undo(count, phase)
            case commands.Pause(paused):
                return self._noted(paused=paused, text=Sentence("pausing", paused=paused))
            case commands.Away() | commands.Robots():
                flow, text = with_people(self.flow, command, self.game.players)
                return replace(self, flow=flow), Receipt(True, text)

    def _noted(self, *, text: str, **flow: Any) -> tuple[Sitting, Receipt]:
        return replace(self, flow=replace(self.flow, **flow)), Receipt(True, text)

    def _ended(self, seat: str | None, command: commands.Command, answer: Receipt) -> tuple[Sitting, Receipt]:
        """End the phase if everybody has answered with this command.

        If an outcome forced by the game master has become impossible, the phase continues, and players are
        not told why.
        """
        if not answer.accepted or not isinstance(command, commands.Choose | commands.Vote | commands.Away):
            return self, answer
        try:
            after, closed = self._completed()
        except IllegalMove:
            if seat is None:
                raise
            return self, answer
        if after is self:
            return self, answer
        return after, replace(closed, text=answer.text, messages=answer.messages + closed.messages)

    def _completed(self) -> tuple[Sitting, Receipt]:
        """End the phase if everybody has answered; raise IllegalMove if a forced outcome is impossible."""
        waits = self.flow.paused or self.waiting_for
        if self.manner is not DEVICE and not waits and self.game.verdict is None:
            if self.gathers and self.choices:
                return self._resolved(self._chosen_for(self._overdue("pass"), "pass"))
            if self.game.state.naming:
                return self._named_by_lot()
            if self.voting and self.flow.votes and self.house.ballot != "spoken":
                return self._count()
        return self, Receipt(True)

    # choices

    def _choose(self, choice: PhaseChoice) -> tuple[Sitting, Receipt]:
        game, setup, gathers = self.game, self.game.setup, self.gathers
        actor, action = choice.actor, choice.action
        reason = game.refusal(actor, action)
        decoy = self.manner is not MASTER and action in self.slots.get(actor, ())
        if gathers and reason is not None and decoy:
            reason = game.state.repeat_refusal(setup.seat(actor), action)
        out_of_turn = gathers and setup.strict and action in game.may_act.get(actor, ())
        if reason is not None and not out_of_turn:
            said = {"action": action, "actor": actor, "reason": reason}
            raise IllegalMove(Sentence("action-refused", **said))
        if gathers and self.foretells and self.choice(actor, action) is not None:
            raise IllegalMove(Sentence("choice-is-final", actor=actor))
        if choice.target is None:
            if not gathers:
                return self._played(self._game().decline(actor, action=action))
            if not self.may_decline(action):
                what = Sentence("is-compulsory", action=action, rules=setup.rules.name)
                raise IllegalMove(Sentence("cannot-decline", actor=actor, action=action, reason=what))
            return self._with(replace(choice, result=None))
        if choice.target not in self.choosable(actor, action):
            choice = replace(choice, target=setup.name_of(choice.target))
        public = public_refusal(setup, game.state.dead, setup.seat(actor), action, choice.target or "")
        if public is not None:
            raise IllegalMove(refusal_text(actor, action, choice.target, public))
        if gathers and not self.counts(actor, action):
            return self._with(replace(choice, result=None))
        if (refused := self._refusal(choice)) is not None:
            return refused
        if not gathers:
            game, targets = self._game(), self._targets_of(choice)
            return self._played(game.do(actor, action, *targets, result=choice.result))
        if choice.result is not None or (self.foretells and action == "vision"):
            return self._foretold(choice)
        after, answer = self._with(choice)
        if self.manner is MASTER and any(c.result is not None for c in self.choices):
            after._resolve(())  # raises if an outcome forced before has become impossible
        return after, answer

    def _refusal(self, choice: PhaseChoice) -> tuple[Sitting, Receipt] | None:
        """Return the sitting and the answer if an attack is rejected for a reason secret to its actor.

        None if it is not rejected.
        """
        if choice.action != "attack" or choice.target is None:
            return None
        lenient = self.game.setup.strict and self.game.phase.kind == "night"  # the order is unknown as yet
        reason = None if lenient else self.game.refusal(choice.actor, "attack", target=choice.target)
        if reason is None:
            return None
        text = refusal_text(choice.actor, choice.action, choice.target, reason)
        if choice.target in self.refused(choice.actor):
            return self, Receipt(False, text)
        refused = [choice.target]
        if self.manner is DEVICE:
            allowed = self.game.legal_targets(choice.actor, "attack")
            told = self.possible(choice.actor, "attack")
            refused += [name for name in told if name not in allowed and name != choice.target]
        game = self._game()
        for name in refused:
            game = game.refuse(choice.actor, name)
        if others := refused[1:]:
            text = Sentence("same-is-true", reason=text, others=others)
        kept = tuple(c for c in self.choices if (c.actor, c.action) != (choice.actor, "attack"))
        return replace(self, game=game, choices=kept), Receipt(False, text)

    def _foretold(self, choice: PhaseChoice) -> tuple[Sitting, Receipt]:
        """Record a vision with its result: forced, or drawn now because it does not depend on other moves."""
        game, setup = self.game, self.game.setup
        if self.foretells or not setup.strict:  # the order of a strict night is unknown as yet
            position = (len(game.steps) << 20) + (1 << 18) + (setup.seat(choice.actor) << 8)
            drawn = game.with_draw(Chance(self.seed, position))
            moved = drawn.do(choice.actor, choice.action, *self._targets_of(choice), result=choice.result)
            event = moved.steps[len(game.steps)][0]
            if self.foretells and isinstance(event, Vision):
                after, answer = self._with(replace(choice, result=event.result))
                told = tuple(m for m in messages(setup, [event]) if m.to == choice.actor)
                return after, replace(answer, messages=told)
        after, answer = self._with(choice)
        after._resolve(())  # raises if it is incompatible with the recorded choices
        return after, answer

    def _with(self, choice: PhaseChoice) -> tuple[Sitting, Receipt]:
        """Record a choice in place of an earlier one for the same action."""
        others = (c for c in self.choices if (c.actor, c.action) != (choice.actor, choice.action))
        text = Sentence("noted-choice", actor=choice.actor)
        return replace(self, choices=(*others, choice)), Receipt(True, text)

    # ends of phases

    def _end(self, missing: Unacted | None) -> tuple[Sitting, Receipt]:
        game = self.game
        if game.verdict is not None:
            raise IllegalMove(Sentence("over-already"))
        how: Unacted = missing or self.house.missing
        if game.state.naming and (how != "remind" or not self.waiting_for):
            return self._named_by_lot()
        if game.phase.kind == "vote":
            if self.house.ballot != "spoken" and self.flow.votes:
                return self._count()
            return self._played(self._game().end_phase(missing="pass"))
        due = self._overdue(how)
        if how == "remind" and due:
            some = {"hidden": self.manner is not MASTER, "n": len(due)}
            raise IllegalMove(Sentence("phase-cannot-end", phase=game.phase, **some))
        if not self.gathers and not self.choices:
            return self._played(self._game().end_phase(missing="random" if how == "random" else "pass"))
        return self._resolved(self._chosen_for(due, how))

    def _named_by_lot(self) -> tuple[Sitting, Receipt]:
        """Let the lot name companions for the dead who name nobody themselves."""
        chance = Chance(self.seed, len(self.game.steps) << 20)
        game = self.game.with_draw(chance)
        while naming := sorted(game.state.naming, key=game.setup.seat):
            possible = dict.fromkeys(game.legal_targets(naming[0], TAKE), 1)
            game = game.take_along(naming[0], drawn_outcome(chance, "target", naming[0], possible))
        return self._played(game)

    def _overdue(self, how: Unacted) -> tuple[Slot, ...]:
        """Return the open slots of compulsory actions; for reminders, without those of absent players."""
        due = (slot for slot in self.open if not self.may_decline(slot[1]))
        return tuple(slot for slot in due if how != "remind" or not self.excused(slot[0]))

    def _chosen_for(self, due: Iterable[Slot], how: Unacted) -> tuple[PhaseChoice, ...]:
        """Return random choices for the slots to be filled by lot: all, or those of absent players."""
        game, found = self.game, []
        away = [slot for slot in self.open if self.excused(slot[0]) and not self.may_decline(slot[1])]
        chance = Chance(self.seed, (len(game.steps) << 20) + (1 << 19))
        for name, action in dict.fromkeys((*due, *away)):
            random = self.house.absent == "random" if self.excused(name) else how == "random"
            if random and self.counts(name, action) and (choices := game.legal_choices(name, action)):
                target = drawn_outcome(chance, "target", name, dict.fromkeys(choices, 1))
                found.append(PhaseChoice(name, action, target))
        return tuple(found)

    def _resolved(self, more: tuple[PhaseChoice, ...]) -> tuple[Sitting, Receipt]:
        after, answer = self._played(self._resolve(more))
        return replace(after, choices=()), answer  # also while somebody who died names another

    def _resolve(self, more: tuple[PhaseChoice, ...]) -> QuantumWerewolf:
        """Return the game after all choices have been carried out and the phase has ended.

        They are carried out in the order of the rules. Forced outcomes make all draws repeat until they are
        possible.
        """
        chosen = [c for c in (*self.choices, *more) if self.counts(c.actor, c.action)]
        conflict: _Conflict | None = None
        for number in range(_TRIES if any(c.result is not None for c in chosen) else 1):
            try:
                return self._resolve_once(chosen, number)
            except _Conflict as error:
                conflict = error
        raise IllegalMove(Sentence("not-together", reason=str(conflict)))

    def _resolve_once(self, chosen: list[PhaseChoice], number: int) -> QuantumWerewolf:
        moves = {(c.actor, c.action): c for c in chosen}
        game = self.game.with_draw(Chance(self.seed, (len(self.game.steps) << 20) + (number << 12)))
        game, order = game.acting_order(dict.fromkeys(c.actor for c in chosen))
        for actor in order:
            for action in self.game.setup.actions(self.game.phase):
                if choice := moves.get((actor, action)):
                    game = self._made(game, choice)
        over = game.phase != self.game.phase or game.verdict is not None or game.state.naming
        return game if over else game.end_phase(missing="pass")

    def _made(self, game: QuantumWerewolf, choice: PhaseChoice) -> QuantumWerewolf:
        """Carry out one choice; an attack that has become impossible is refused and skipped."""
        if choice.target is None:
            return game.decline(choice.actor, action=choice.action) if game.setup.strict else game
        try:
            return game.do(choice.actor, choice.action, *self._targets_of(choice), result=choice.result)
        except IllegalMove as error:
            if choice.result is not None:
                raise _Conflict(str(error)) from None
            if choice.action == "attack":
                with suppress(IllegalMove):
                    return game.refuse(choice.actor, choice.target)
            return game

    # votes

    def _vote(self, voter: str, target: str | None) -> tuple[Sitting, Receipt]:
        game, setup = self.game, self.game.setup
        if game.verdict is not None:
            raise IllegalMove(Sentence("nobody-can-vote"))
        if game.phase.kind != "vote":
            raise IllegalMove(Sentence("no-vote-in", phase=game.phase))
        if self.house.ballot == "spoken":
            raise IllegalMove(Sentence("votes-aloud"))
        if voter not in game.alive:
            raise IllegalMove(Sentence("dead-have-no-vote", voter=voter))
        if target is not None:
            target = setup.name_of(target)
            if target not in game.alive:
                dead = Sentence("is-dead", player=target)
                raise IllegalMove(Sentence("cannot-be-voted-off", player=target, reason=dead))
            if target not in self.candidates:
                raise IllegalMove(Sentence("only-the-tied", names=self.candidates))
        votes = {**dict(self.flow.votes), voter: target}
        ordered = tuple((name, votes[name]) for name in game.players if name in votes)
        return self._noted(votes=ordered, text=Sentence("noted-vote", voter=voter))

    def _count(self) -> tuple[Sitting, Receipt]:
        """Count the votes; then the village votes somebody off, votes again, or votes nobody off."""
        game = self._game()
        votes = [target for voter, target in self.flow.votes for _ in range(game.state.votes_of(voter))]
        names: list[str | None] = [*game.players, None]
        counts = sorted(((n, votes.count(n)) for n in names if n in votes), key=lambda item: -item[1])
        opened = self.flow.votes if self.house.ballot == "open" else ()
        result = Tally(game.phase.position, game.state.votes, tuple(counts), opened)
        flow = replace(self.flow, counted=(*self.flow.counted, result), votes=())
        leaders = [name for name, number in counts if number == counts[0][1]]
        tied = tuple(name for name in leaders if name is not None)
        told = (Message(None, str(result)),)
        if None in leaders:  # nobody has as many votes as anybody
            game = game.end_phase(missing="pass")
        elif len(tied) == 1:
            game = game.vote_off(tied[0])
        elif self.house.ties == "lot":
            game = game.vote_off(tied)
        elif self.house.ties == "village" and flow.round == 1:
            text, again = Sentence("votes-again", tied=tied), replace(flow, round=2, candidates=tied)
            again = replace(again, moment=_moment(again, game))
            return replace(self, flow=again), Receipt(True, text, (*told, Message(None, text)))
        else:
            game = game.end_phase(missing="pass")
        after, answer = replace(self, flow=flow)._played(game)
        return after, replace(answer, messages=told + answer.messages)

    def _vote_off(self, players: tuple[str, ...], role: str | None) -> tuple[Sitting, Receipt]:
        game = self._game()
        if game.phase.kind != "vote" and game.verdict is None:
            raise IllegalMove(Sentence("no-vote-end", phase=game.phase))
        if len(players) > 1 and self.house.ties != "lot":
            raise IllegalMove(Sentence("are-tied", names=players, ties=self.house.ties))
        return self._played(game.vote_off(players if len(players) > 1 else players[0], role=role))

    # going back

    def _undo(self, count: int, phase: bool) -> tuple[Sitting, Receipt]:
        game, nights = self.game, self.manner is MASTER
        if nights and phase and self.choices:
            return replace(self, choices=()), Receipt(True, Sentence("all-taken-back", phase=game.phase))
        if nights and count == 1 and self.choices:
            return replace(self, choices=self.choices[:-1]), Receipt(True, Sentence("last-taken-back"))
        if phase:
            if not self.moments:
                raise IllegalMove(Sentence("nothing-to-undo"))
            after = self._back(game.at(phase_start(game, self.moments[0])))
            return after, Receipt(True, Sentence("phase-taken-back", phase=after.game.phase))
        if count < 1:
            raise IllegalMove(Sentence("at-least-one", n=count))
        if count > len(self.moments):
            if nights:
                raise IllegalMove(Sentence("not-so-many-steps", n=count, steps=len(game.steps)))
            raise IllegalMove(Sentence("not-so-many-moments", count=count, n=len(self.moments)))
        after = self._back(game.at(self.moments[count - 1]))
        back = {"n": count, "nights": nights, "phase": after.game.phase}
        return after, Receipt(True, Sentence("steps-taken-back", **back))

    def _back(self, game: QuantumWerewolf) -> Sitting:
        position, votes = game.phase.position, game.state.votes
        before = tuple(c for c in self.flow.counted if (c.position, c.voted_off) < (position, votes))
        was = self.flow
        flow = Flow(era=was.era + 1, away=was.away, robots=was.robots, paused=was.paused, counted=before)
        return replace(self, game=game, choices=(), flow=replace(flow, moment=_moment(flow, game)))

    # steps and time

    def _game(self) -> QuantumWerewolf:
        """The game with the random generator for its next step."""
        return self.game.with_draw(Chance(self.seed, len(self.game.steps) << 20))

    def _played(self, game: QuantumWerewolf) -> tuple[Sitting, Receipt]:
        """Return the sitting after further steps of the game."""
        before = self.game
        events: list[Event] = [event for step in game.steps[len(before.steps) :] for event in step]
        ended = game.phase != before.phase or game.verdict is not None
        after = replace(self, game=game, choices=() if ended or game.state.naming else self.choices)
        return after, Receipt(True, messages=messages(game.setup, events), ended=ended)

    def _timed(self, now: float | None) -> Sitting:
        """Start the time of a new phase, and stop it while the game is paused."""
        flow, game = self.flow, self.game
        if now is None:
            return self
        limit = self.house.day_seconds if game.phase.kind == "vote" else self.house.night_seconds
        if game.verdict is not None:
            limit = None
        if flow.timed != self.moment or limit is None:
            flow = replace(flow, timed="" if limit is None else self.moment, left=limit, deadline=None)
        if flow.paused and flow.deadline is not None:
            flow = replace(flow, left=max(0.0, flow.deadline - now), deadline=None)
        if not flow.paused and flow.left is not None:
            flow = replace(flow, deadline=now + flow.left, left=None)
        return self if flow == self.flow else replace(self, flow=flow)


def _moment(flow: Flow, game: QuantumWerewolf) -> str:
    phase = game.phase.position if game.verdict is None else "end"
    naming = "t" if game.state.naming else ""
    return f"{flow.era}.{phase}{naming}.{game.state.votes}.{flow.round}"


def phase_start(game: QuantumWerewolf, step: int) -> int:
    """Return the number of steps before the phase that the game was in after `step` steps."""
    phase = game.states[step].phase
    return next(number for number, state in enumerate(game.states) if state.phase == phase)


def read_requests(found: Iterable[Mapping[str, Any]]) -> dict[Sent, Request]:
    """Return the requests of a log by seat and id."""
    requests = [_read(Request, data, "a request of the log") for data in found]
    return {(request.seat, request.id): request for request in requests}
