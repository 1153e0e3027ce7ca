"""The two screens of the console: the game master's own, and one device handed from player to player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kripke_werewolf.console.language import USAGE, VERBS, Command, help_text, parse, read_player
from kripke_werewolf.console.session import Done, Session, phase_start
from kripke_werewolf.console.terminal import Terminal
from kripke_werewolf.errors import IllegalMove, KripkeError
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.werewolf import Message, QuantumWerewolf, Table
from kripke_werewolf.werewolf.events import worlds_text
from kripke_werewolf.werewolf.handout import announced_table, chances, chances_text, opening
from kripke_werewolf.werewolf.log import Choice
from kripke_werewolf.werewolf.rules import Action
from kripke_werewolf.werewolf.setup import Phase
from kripke_werewolf.werewolf.telling import describe_setup, messages, stages


class _Screen:
    """A session on a terminal."""

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self.session, self.terminal = session, terminal
        self.show = terminal.show

    @property
    def game(self) -> QuantumWerewolf:
        """The game as it is on disk."""
        return self.session.game

    def show_table(self, table: Table | None) -> None:
        """Show the table as it was last made public."""
        self.show("no table was made public yet" if table is None else _table_text(table))

    def show_status(self, *, secret: bool) -> None:
        """Show the state of the game; `secret`: with the numbers of worlds and steps, and who is to act."""
        game = self.game
        made = f", {counted(len(game.steps), 'step')} made" if secret else ""
        self.show(f"{game.phase if game.verdict is None else 'the game is over'}{made}")
        self.show(f"alive: {', '.join(game.alive) or 'nobody'}")
        dead = [name for name in game.players if name not in game.alive]
        if dead:
            self.show(f"dead: {', '.join(dead)}")
        if secret:
            self.show(worlds_text(game.size))
            if game.verdict is None:
                self.show(_to_do_text(self.session))
        if game.setup.sampled:
            self.show(f"played on {game.setup.sampled}")

    def show_chances(self, name: str, to: str = "") -> None:
        """Show a player the chances the rules tell them; `to` goes before the text."""
        own = chances(self.game, name)
        if own:
            self.show(f"{to}Your chances: {chances_text(own)}.")


class Master(_Screen):
    """Reads one command a line until the end of the input or `quit`, and says what to tell to whom.

    Everything secret is on this screen. `patient`: go on after a refused command; otherwise the error ends
    the run, all before it being saved.
    """

    def __init__(self, session: Session, terminal: Terminal, *, patient: bool) -> None:
        super().__init__(session, terminal)
        self.patient = patient

    def run(self) -> None:
        """Play. Raises the error of a refused command unless patient."""
        self._begin()
        while True:
            prompt = f"{self.game.phase}> " if self.game.verdict is None else "over> "
            try:
                line = self.terminal.ask(prompt, tuple(USAGE), self.game.players)
            except (EOFError, KeyboardInterrupt):
                return
            try:
                command = parse(line, self.game.setup)
                if command is not None and command.verb == "quit":
                    return
                if command is not None:
                    self._answer(command)
            except KripkeError as error:
                if not self.patient:
                    raise
                self.show(f"refused: {error}")

    def _begin(self) -> None:
        game = self.game
        self.show(describe_setup(game.setup))
        self.show(f"Players: {', '.join(game.players)}.")
        if not game.steps:
            for name in game.players:
                for text in opening(game.setup, name):
                    self.show(f"tell {name}: {text}")
        self._phase()

    def _phase(self) -> None:
        """Announce what there is to announce now, and who is to act."""
        game = self.game
        if game.table_due:
            self.show(f"tell all: the table\n\n{_table_text(announced_table(game))}\n")
        if game.verdict is not None:
            self.show("The game is over.")
            return
        self.show(f"== {game.phase} ==")
        for name in game.alive:
            self.show_chances(name, f"tell {name}: ")
        self.show(_to_do_text(self.session))

    def _answer(self, command: Command) -> None:
        game = self.game
        match command.verb:
            case "help":
                self.show(help_text())
            case "status":
                self.show_status(secret=True)
            case "numbers":
                for number, name in sorted(zip(game.setup.numbers, game.players, strict=True)):
                    self.show(f"{number:4}  {name}")
            case "table" if command.word == "master":
                self.show(f"{game.table().to_text('percent')}\n{worlds_text(game.size)}")
            case "table":
                self.show_table(_last_table(game))
            case "vote" | "end":
                try:
                    self._report(self.session.do(command))
                except IllegalMove as error:
                    if game.verdict is not None:
                        raise
                    raise IllegalMove(f"{error} ({_to_do_text(self.session)})") from None
            case _:
                self._report(self.session.do(command))

    def _report(self, done: Done) -> None:
        for message in done.messages:
            self.show(f"tell {message.to or 'all'}: {message.text}")
        if done.noted:
            self.show(done.noted)
        if done.ended:
            self._phase()


_PUBLIC = ("vote", "end", "undo", "table", "status", "help", "quit")
_PRIVATE = ("later", "table", "status", "help")
_LOOKS: dict[Action, str] = {"vision": "look at", "attack": "attack"}


class _Quit(Exception):
    """The players stop."""


class _Changed(Exception):
    """Something was taken back; the round begins anew."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A moment of the game that everybody has seen, to which `undo` goes back."""

    step: int
    holder: str | None = None
    """Who got the device then."""
    choices: tuple[Choice, ...] = ()
    late: frozenset[tuple[str, Action]] = frozenset()


class Rounds(_Screen):
    """One device for everybody: handed round by night, shown to the village by day.

    The screens that everybody sees, who gets the device how often, and the number of prompts there depend on
    public information alone:

    * by night all the living get the device, and whoever has died since it last went round; all the living
      are asked the same number of questions, and if there is nothing to choose the answer does not count;
    * moves are announced, and a phase ends, when the device has gone round, never in somebody's hands;
    * after every night whose moves are made together it goes round once more, with or without news;
    * `undo` counts in turns of the device, votes and nights, and outcomes cannot be forced.

    Only somebody whose answer is refused, or who answers `later`, is asked again; this also happens to those
    whose answer does not count.
    """

    def __init__(self, session: Session, terminal: Terminal) -> None:
        super().__init__(session, terminal)
        self.greeting = describe_setup(session.game.setup)
        self.table: Table | None = None
        self.unread: dict[str, list[str]] = {}
        self.foretold: set[Message] = set()  # told before the move was made
        self.turns: list[_Moment] = []  # of the phase
        self.late: set[tuple[str, Action]] = set()  # who answered "later", with or without a choice
        self.present: tuple[str, ...] = ()  # who was alive when the device last went round
        self.read = -1  # the step after which everybody read the news of the night

    def run(self) -> None:
        """Play until the game is over, or somebody quits."""
        self._catch_up()
        if self.game.phase.kind != "vote" and self.game.verdict is None:  # it may have begun before a break
            self.turns.append(_Moment(phase_start(self.game, len(self.game.steps))))
        try:
            dealing = self.game.setup.roles is not None and self.game.phase.position == 0
            while True:
                try:
                    if dealing:
                        self._deal()
                        dealing = False
                    if self.game.verdict is not None:
                        self._end()
                        return
                    if self.game.phase.kind != "vote":
                        self._night()
                    else:
                        self._news_round()
                        self._day()
                except _Changed:
                    self._catch_up()
        except (_Quit, EOFError, KeyboardInterrupt):
            self.terminal.clear()

    def _end(self) -> None:
        self.terminal.clear()
        self.show(self._news())
        while line := self.terminal.ask("The game is over. Press Enter. ", _PUBLIC):
            self._public_command(line)

    # what is known to whom

    def _catch_up(self) -> None:
        """Collect again what may not have been told, after a break or when something was taken back."""
        since = _news_since(self.game)
        self.unread, self.foretold = {}, set()
        self.present = self.game.at(since).alive
        self.table = _last_table(self.game)
        self._keep(_messages(self.game, since, len(self.game.steps)))

    def _keep(self, told: Iterable[Message]) -> None:
        for message in told:
            if message.to is not None and message not in self.foretold:
                self.unread.setdefault(message.to, []).append(message.text)
            self.foretold.discard(message)

    def _take(self, done: Done) -> None:
        self._keep(done.messages)
        if done.noted:
            self.foretold.update(done.messages)
        if done.ended and self.game.table_due:
            self.table = announced_table(self.game)

    def _news(self) -> str:
        """Return what everybody may see: the news of this day or night and the one before, and the table."""
        game, greeting = self.game, self.greeting
        self.greeting = ""
        acting = game.verdict is None and game.phase.kind != "vote"  # moves are announced when all have acted
        until = phase_start(game, len(game.steps)) if acting else len(game.steps)
        parts = ["\n".join(filter(None, [greeting, *_announcements(game, _news_since(game), until)]))]
        if self.table is not None:
            parts.append(_table_text(self.table))
        if game.verdict is None:
            parts.append(f"It is {game.phase}. Alive: {', '.join(game.alive)}.")
        return "\n\n".join(filter(None, parts))

    # by day

    def _day(self) -> None:
        self.terminal.clear()
        self.show(self._news())
        self.show("\nWho is voted off? Several names are a tie; 'end' if nobody.")
        while self.game.phase.kind == "vote" and self.game.verdict is None:
            names, made = self.game.alive, len(self.game.steps)
            line = self.terminal.ask(f"{self.game.phase}> ", (*names, *_PUBLIC), names)
            self._public_command(line, voting=True)
            for text in _announcements(self.game, made, len(self.game.steps)):  # there may be several votes
                self.show(text)

    def _public_command(self, line: str, *, voting: bool = False, handing: bool = False) -> None:
        """Carry out what everybody may see.

        `handing`: the device is going round. Then a night cannot be ended: whether it could would tell
        who has chosen something.
        """
        setup = self.game.setup
        if not line.strip():
            return
        try:
            if voting and not line.startswith("/") and not _is_command(line, setup.players):
                line = f"vote {line}"
            command = parse(line, setup)
            if command is None:
                return
            if command.verb not in _PUBLIC or command.word == "master":
                self.show("That is secret and not for this screen; players choose when they have the device.")
            elif command.verb == "vote" and command.word is not None:
                self.show("Who they were is drawn here; 'as' is for the game master's own screen.")
            elif handing and command.verb == "end" and self.game.phase.kind != "vote":
                self.show(f"{self.game.phase} ends when the device has gone round.")
            else:
                self._public_answer(command)
        except KripkeError as error:
            self.show(f"refused: {error}")

    def _public_answer(self, command: Command) -> None:
        match command.verb:
            case "quit":
                raise _Quit
            case "help":
                self.show(help_text(_PUBLIC))
            case "status":
                self.show_status(secret=False)
            case "table":
                self.show_table(self.table)
            case "undo":
                self._undo(command)
            case "end" if self.game.phase.kind != "vote" and self.game.verdict is None:
                self._end_phase(command.word)
            case _:
                self._take(self.session.do(command))

    def _undo(self, command: Command) -> None:
        """Take back turns of the device, votes and nights, and go on from there."""
        moments = list(self._moments())
        if not moments:
            raise IllegalMove("there is nothing to undo: the game has just begun")
        count = int(command.word or 1) if command.word != "phase" else self._moments_of_phase(moments)
        if not 0 < count <= len(moments):
            raise IllegalMove(f"cannot take back {count} turns, votes and nights; 1 to {len(moments)} can be")
        moment = moments[count - 1]
        self.turns = self.turns[: max(0, len(self.turns) - count)]
        self.session.go_back(moment.step, moment.choices)
        self.late = set(moment.late)
        if moment.step < self.read:
            self.read = -1
        whose = f", before the turn of {moment.holder}" if moment.holder else ""
        self.terminal.clear()
        self.show(f"Taken back; it is {self.game.phase}{whose}.")
        self.terminal.ask("Press Enter.")
        raise _Changed

    def _moments(self) -> Iterator[_Moment]:
        """Yield the moments to which `undo` can go back, the last first."""
        game = self.game
        yield from reversed(self.turns)
        step = len(game.steps)
        if game.phase.kind != "vote" and game.verdict is None:
            step = phase_start(game, step)
        while step:
            step -= 1
            if game.states[step].phase.kind != "vote":
                step = phase_start(game, step)
            yield _Moment(step)

    def _moments_of_phase(self, moments: list[_Moment]) -> int:
        """Return how many moments back this phase began; the one before if this one has just begun."""
        if self.turns:
            return len(self.turns)
        start = phase_start(self.game, moments[0].step)
        return next(count for count, moment in enumerate(moments, start=1) if moment.step == start)

    def _deal(self) -> None:
        """Let everybody see the card they were dealt, whether or not they have anything to do at first."""
        for name in self.game.players:
            self._hand_to(name)
            self.show(f"{name}, this is your card.\n")
            for text in opening(self.game.setup, name):
                self.show(text)
            self._leave()

    # by night

    def _night(self) -> None:
        living = self.game.alive
        for name in self._round():
            self._turn(name)
        self._close(self.game.phase)
        if not self.turns:
            self.present = living

    def _is_still(self, phase: Phase) -> bool:
        return self.game.phase == phase and self.game.verdict is None

    def _round(self) -> list[str]:
        """Return who gets the device: all the living and who died since, and then who wanted it later."""
        had = {turn.holder for turn in self.turns}
        first = [n for n in self.game.players if n in (*self.game.alive, *self.present) and n not in had]
        return first or [n for n in self.game.players if any(n == name for name, _ in self.late)]

    def _close(self, phase: Phase) -> None:
        """End a phase in which everybody had the device; ask what to do if somebody has still to choose."""
        self.terminal.clear()
        if not self.late or self.session.house.missing != "remind":
            self._public_command("end")
        while self._is_still(phase):
            some = "One choice is" if len(self.late) == 1 else f"{len(self.late)} choices are"
            self.show(f"{some} missing. Enter: hand the device round again; 'end pass' goes on")
            self.show("without, 'end random' lets the lot choose what has to be chosen.")
            line = self.terminal.ask(f"{phase}> ", _PUBLIC)
            if not line:
                return
            self._public_command(line)

    def _end_phase(self, word: str | None) -> None:
        """End a phase of the night.

        If nobody wants the device again, only choices are missing for which there was nobody to choose.
        """
        left = sum(not self.session.may_decline(action) for _, action in self.late)
        reminded = self.session.house.missing == "remind" and word is None
        if reminded and left:
            number = "1 choice is" if left == 1 else f"{left} choices are"
            raise IllegalMove(f"{self.game.phase} cannot end: {number} missing; 'end pass' goes on without")
        self._take(self.session.do(Command("end", word="pass" if reminded else word)))
        self.turns, self.late = [], set()

    def _turn(self, name: str) -> None:
        self._hand_to(name)
        late = frozenset(self.late)
        again = [action for player, action in late if player == name]
        self.turns.append(_Moment(len(self.game.steps), name, self.session.choices, late))
        self._private_header(name)
        for action in self.game.setup.actions(self.game.phase) if name in self.game.alive else ():
            if not again or action in again:
                self._choice(name, action)
        self._leave()

    def _hand_to(self, name: str) -> None:
        """Ask for the device to be handed on; commands are possible meanwhile."""
        self.terminal.clear()
        self.show(self._news())
        while line := self.terminal.ask(f"\nHand the device to {name}. {name}: press Enter. ", _PUBLIC):
            made = len(self.game.steps)
            self._public_command(line, handing=True)
            if len(self.game.steps) != made:
                raise _Changed
        self.terminal.clear()

    def _private_header(self, name: str) -> None:
        self.show(f"{name}, {self.game.phase}\n")
        for text in opening(self.game.setup, name):
            self.show(text)
        self.show_chances(name)
        self._show_unread(name, *(() if name in self.game.alive else ("There is nothing to tell you.",)))

    def _show_unread(self, name: str, *otherwise: str) -> None:
        for text in self.unread.pop(name, otherwise):
            self.show(text)

    def _leave(self) -> None:
        self.terminal.ask("\nPress Enter; the screen is cleared. ")
        self.terminal.clear()

    def _choice(self, name: str, action: Action) -> None:
        """Ask a player for a target until it is accepted or left for later, whether or not it counts."""
        optional, idle = self.session.may_decline(action), self._idle(name, action)
        itself = self.game.rules.vision_self if action == "vision" else self.game.rules.attack_self
        names = [other for other in self.game.alive if other != name or itself]
        question = "Name somebody all the same." if idle else f"Whom do you {_LOOKS[action]}?"
        without = " (Enter: nobody)" if optional else ""
        self.late.discard((name, action))
        self.show(idle)
        while True:
            line = self.terminal.ask(f"\n{question}{without} ", (*names, *_PRIVATE))
            word = line.removeprefix("/").casefold()
            if word in _PRIVATE and (line.startswith("/") or line not in self.game.players):
                if word == "later":
                    self.late.add((name, action))
                    return
                self._private_answer(word)
                continue
            try:
                target = self._target(line, optional=optional)
                if not idle:
                    self._choose(name, action, target)
                elif target is not None and target not in names:
                    raise IllegalMove(f"{target} cannot be chosen, only {', '.join(names)}")
                self._show_unread(name, "It is noted.")
                return
            except KripkeError as error:
                self.show(f"Refused: {error}")

    def _idle(self, name: str, action: Action) -> str:
        """Return why the answer of a player does not count; nothing if it does."""
        if any((choice.actor, choice.action) == (name, action) for choice in self.session.choices):
            why = "You have chosen already."
        elif action not in self.session.to_choose.get(name, ()):
            why = f"You have nobody to {_LOOKS[action]}."
        elif not self.session.may_decline(action) and not self.game.legal_targets(name, action):
            why = f"There is nobody you could {_LOOKS[action]}."
        else:
            return ""
        return f"{why} Answer as if you had: your answer does not count, but nobody sees that."

    def _private_answer(self, word: str) -> None:
        match word:
            case "table":
                self.show_table(self.table)
            case "status":
                self.show_status(secret=False)
            case _:
                self.show("Write a name; 'later' to choose when the device comes again, 'table', 'status'.")

    def _target(self, line: str, *, optional: bool) -> str | None:
        """Return the player who is named; None for an empty line, where nobody has to be."""
        if not line and not optional:
            raise IllegalMove("you have to choose somebody; 'later' if you need time")
        if not line:
            return None
        target, rest = read_player(line, self.game.setup)
        if rest:
            target, _ = read_player(f'"{line}"', self.game.setup)  # says what is unknown
        return target

    def _choose(self, name: str, action: Action, target: str | None) -> None:
        session = self.session
        self._take(session.decline(name) if target is None else session.act(action, name, target))

    # after a night in which all moves were made together

    def _news_round(self) -> None:
        """Let everybody read what they were shown; those with nothing to read are handed the device too."""
        game, start = self.game, len(self.game.steps)
        begun = start and phase_start(game, start) == start and self.read != start
        if begun and self.session.collects_in(game.states[start - 1].phase):
            for name in [n for n in game.players if n in (*self.present, *game.alive)]:
                self._hand_to(name)
                self.show(f"{name}, the night is over.\n")
                self._show_unread(name, "There is nothing to tell you.")
                self._leave()
            self.read, self.present = start, game.alive


def _is_command(line: str, players: Iterable[str]) -> bool:
    word = line.split()[0].casefold()
    return word in VERBS and word not in {name.casefold() for name in players}


def _to_do_text(session: Session) -> str:
    """Return who has still to do what, with everything that is secret."""
    game = session.game
    if game.verdict is not None:
        return "the game is over"
    if game.phase.kind == "vote":
        return "the village votes"
    due = [f"{name} ({' and '.join(actions)})" for name, actions in session.to_choose.items()]
    free = [a for a in game.setup.actions(game.phase) if session.may_decline(a)]
    declined = f"; a {free[0]} may be declined" if due and free else ""
    return f"to act: {', '.join(due)}{declined}" if due else "nobody has anything to do: 'end' goes on"


def _table_text(table: Table) -> str:
    """Return a public table as it is announced."""
    text = table.to_text("percent")
    return text if table.worlds is None else f"{text}\nleft: {worlds_text(table.worlds)}"


def _last_table(game: QuantumWerewolf) -> Table | None:
    """Return the table as it was last made public; None if none was yet."""
    found = None
    for now in stages(game):
        if now.table_due:
            found = announced_table(now)
    return found


def _news_since(game: QuantumWerewolf) -> int:
    """Return the number of steps before the news: those of this day or night, and of the one before."""
    by_day = [state.phase.kind == "vote" for state in game.states]
    changes = [step for step in range(1, len(by_day)) if by_day[step] != by_day[step - 1]]
    return changes[-2] if len(changes) > 1 else 0


def _messages(game: QuantumWerewolf, since: int, until: int) -> tuple[Message, ...]:
    """Return the messages about some of the steps."""
    return messages(game.setup, [event for step in game.steps[since:until] for event in step])


def _announcements(game: QuantumWerewolf, since: int, until: int) -> list[str]:
    """Return the messages to everybody about some of the steps."""
    return [message.text for message in _messages(game, since, until) if message.to is None]
