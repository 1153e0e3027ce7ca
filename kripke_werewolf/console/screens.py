"""The two screens of the console: the game master's own, and one device handed from player to player."""

from __future__ import annotations

from collections.abc import Iterable

from kripke_werewolf.console.language import USAGE, VERBS, Command, help_text, parse, read_player
from kripke_werewolf.console.session import Done, Session
from kripke_werewolf.console.terminal import Terminal
from kripke_werewolf.errors import IllegalMove, KripkeError
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.werewolf import Message, QuantumWerewolf, Table
from kripke_werewolf.werewolf.events import PhaseEnded, worlds_text
from kripke_werewolf.werewolf.handout import announced_table, chances, chances_text, opening
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


class Rounds(_Screen):
    """One device for everybody: handed round by night, shown to the village by day.

    Nothing secret is left on the screen. `everybody`: by night all the living get the device, so that nobody
    sees who has something to choose; otherwise only those who have.
    """

    def __init__(self, session: Session, terminal: Terminal, *, everybody: bool) -> None:
        super().__init__(session, terminal)
        self.everybody = everybody
        self.public: list[str] = []
        self.unread: dict[str, list[str]] = {}
        self.visited: tuple[Phase, set[str]] | None = None
        self.table: Table | None = None
        self.reading = False  # whether the device has to go round for private news before the day

    def run(self) -> None:
        """Play until the game is over, or somebody quits."""
        self._catch_up()
        self.public.insert(0, describe_setup(self.game.setup))
        try:
            dealing = self.game.setup.roles is not None and not self.game.steps
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
        self.public, self.unread, self.visited = [], {}, None
        self.reading = True
        self.table = _last_table(self.game)
        for message in _recent(self.game):
            self._keep(message)

    def _keep(self, message: Message) -> None:
        if message.to is None:
            self.public.append(message.text)
        else:
            self.unread.setdefault(message.to, []).append(message.text)

    def _take(self, done: Done) -> None:
        for message in done.messages:
            self._keep(message)
        if done.ended and self.game.table_due:
            self.table = announced_table(self.game)

    def _news(self) -> str:
        """Return what everybody may see: the news, and the table as it was last made public."""
        news, self.public = self.public, []
        parts = ["\n".join(news)] if news else []
        if self.table is not None:
            parts.append(_table_text(self.table))
        if self.game.verdict is None:
            parts.append(f"It is {self.game.phase}. Alive: {', '.join(self.game.alive)}.")
        return "\n\n".join(parts)

    # by day

    def _day(self) -> None:
        self.terminal.clear()
        self.show(self._news())
        self.show("\nWho is voted off? Several names are a tie; 'end' if nobody.")
        names = self.game.alive
        while self.game.phase.kind == "vote" and self.game.verdict is None:
            line = self.terminal.ask(f"{self.game.phase}> ", (*names, *_PUBLIC), names)
            if self._public_command(line, voting=True) and self.public:
                self.show("\n".join(self.public))  # several may be voted off in a day
                names = self.game.alive

    def _public_command(self, line: str, *, voting: bool = False, handing: bool = False) -> bool:
        """Carry out what everybody may see; return whether the game went on.

        `handing`: the device is going round. Then a night cannot be ended: whether it could would tell
        who has chosen something.
        """
        setup = self.game.setup
        if not line.strip():
            return False
        try:
            if voting and not line.startswith("/") and not _is_command(line, setup.players):
                line = f"vote {line}"
            command = parse(line, setup)
            if command is None:
                return False
            if command.verb not in _PUBLIC or command.word == "master":
                self.show("That is secret and not for this screen; players choose when they have the device.")
                return False
            if handing and command.verb == "end" and self.game.phase.kind != "vote":
                self.show(f"{self.game.phase} ends when the device has gone round.")
                return False
            return self._public_answer(command)
        except KripkeError as error:
            self.show(f"refused: {error}")
            return False

    def _public_answer(self, command: Command) -> bool:
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
                done = self.session.do(command)
                self.terminal.clear()
                self.show(f"{done.noted}.")
                self.terminal.ask("Press Enter.")
                raise _Changed
            case _:
                self._take(self.session.do(command))
                return True
        return False

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
        session = self.session
        phase, collects = self.game.phase, session.collects
        if self.visited is None or self.visited[0] != phase:
            self.visited = phase, set()
        holders = self._round()
        for name in holders:
            if not self._is_still(phase):
                break
            self._turn(name, last=name == holders[-1])
            self.visited[1].add(name)
        self.reading = collects or bool(session.choices)  # what was only noted has its results later
        if self._is_still(phase):
            self._close(phase)

    def _is_still(self, phase: Phase) -> bool:
        return self.game.phase == phase and self.game.verdict is None

    def _round(self) -> list[str]:
        """Return who gets the device: the living who have not had it, and the dead for their news."""
        game, still = self.game, self.session.to_choose
        seen = self.visited[1] if self.visited else set()
        # everybody has to learn their number in the first round; those who were dealt a card have seen it
        everybody = self.everybody or (game.phase.position == 0 and game.setup.roles is None)
        due = {n for n in game.alive if n in still or (everybody and n not in seen)}
        return [n for n in game.players if n in due or n in self.unread]

    def _close(self, phase: Phase) -> None:
        """End a phase in which everybody had the device; ask what to do if somebody has still to choose."""
        session = self.session
        self.terminal.clear()
        if not session.to_choose or session.house.missing != "remind":
            self._public_command("end")
        while self._is_still(phase):
            left = sum(map(len, session.to_choose.values()))
            some = "One choice is" if left == 1 else f"{left or 'No'} choices are"
            self.show(f"{some} missing. Enter: hand the device round again; 'end pass' goes on")
            self.show("without, 'end random' lets the lot choose what has to be chosen.")
            line = self.terminal.ask(f"{phase}> ", _PUBLIC)
            if not line:
                return
            self._public_command(line)

    def _turn(self, name: str, *, last: bool) -> None:
        self._hand_to(name)
        self._private_header(name)
        actions = self.session.to_choose.get(name, ())
        for action in actions:
            self._choice(name, action, last=last)
        if not actions:
            self.show("There is nothing for you to choose now.")
        self._leave()

    def _hand_to(self, name: str) -> None:
        """Ask for the device to be handed on; commands are possible meanwhile."""
        self.terminal.clear()
        self.show(self._news())
        while line := self.terminal.ask(f"\nHand the device to {name}. {name}: press Enter. ", _PUBLIC):
            phase = self.game.phase
            if self._public_command(line, handing=True) and self.game.phase != phase:
                raise _Changed
        self.terminal.clear()

    def _private_header(self, name: str) -> None:
        self.show(f"{name}, {self.game.phase}\n")
        for text in opening(self.game.setup, name):
            self.show(text)
        self.show_chances(name)
        self._show_unread(name)

    def _show_unread(self, name: str, *otherwise: str) -> None:
        for text in self.unread.pop(name, otherwise):
            self.show(text)

    def _leave(self) -> None:
        self.terminal.ask("\nPress Enter; the screen is cleared. ")
        self.terminal.clear()

    def _choice(self, name: str, action: Action, *, last: bool) -> None:
        """Ask a player for a target until the rules accept it, or they leave it for later."""
        game, optional = self.game, self.session.may_decline(action)
        if not optional and not game.legal_targets(name, action):
            self.show(f"There is nobody you could {_LOOKS[action]}.")
            return
        itself = game.rules.vision_self if action == "vision" else game.rules.attack_self
        names = [other for other in game.alive if other != name or itself]
        without = " (Enter: nobody)" if optional else ""
        while True:
            line = self.terminal.ask(f"\nWhom do you {_LOOKS[action]}?{without} ", (*names, *_PRIVATE))
            word = line.removeprefix("/").casefold()
            if word in _PRIVATE and (line.startswith("/") or line not in game.players):
                if word == "later":
                    return
                self._private_answer(word)
                continue
            try:
                if not line and not optional:
                    self.show("You have to choose somebody; 'later' if you need time.")
                    continue
                self._choose(name, action, line, last=last)
                return
            except KripkeError as error:
                self.show(f"Refused: {error}")

    def _private_answer(self, word: str) -> None:
        match word:
            case "table":
                self.show_table(self.table)
            case "status":
                self.show_status(secret=False)
            case _:
                self.show("Write a name; 'later' to choose when the device comes again, 'table', 'status'.")

    def _choose(self, name: str, action: Action, line: str, *, last: bool) -> None:
        if line:
            target, rest = read_player(line, self.game.setup)
            if rest:
                target, _ = read_player(f'"{line}"', self.game.setup)  # says what is unknown
            done = self.session.act(action, name, target, lasting=not last)
        else:
            done = self.session.decline(name, lasting=not last)
        self._take(done)
        self._show_unread(name, "It is noted.")

    # after a night in which all moves were made together

    def _news_round(self) -> None:
        """Let everybody read what they were shown; those with nothing to read are handed the device too."""
        game = self.game
        if self.reading and self.unread:
            for name in [n for n in game.players if n in self.unread or n in game.alive]:
                self._hand_to(name)
                self.show(f"{name}, the night is over.\n")
                self._show_unread(name, "There is nothing to tell you.")
                self._leave()
        self.reading = False


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


def _recent(game: QuantumWerewolf) -> tuple[Message, ...]:
    """Return what was to be told since the phase before the current one began."""
    ends = [i for i, step in enumerate(game.steps) if any(isinstance(e, PhaseEnded) for e in step)]
    since = 0 if len(ends) < 2 else ends[-2] + 1
    return messages(game.setup, [event for step in game.steps[since:] for event in step])
