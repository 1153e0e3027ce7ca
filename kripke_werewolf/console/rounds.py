"""One device for everybody: handed from player to player, nothing secret left on the screen."""

from __future__ import annotations

from collections.abc import Iterable

from kripke_werewolf.console.language import VERBS, Command, parse, read_player
from kripke_werewolf.console.session import Done, Session
from kripke_werewolf.console.terminal import Terminal
from kripke_werewolf.console.words import LOOKS, help_text, last_table, recent, status_text, table_text
from kripke_werewolf.errors import KripkeError
from kripke_werewolf.werewolf.events import Action
from kripke_werewolf.werewolf.handout import announced_table, chances, chances_text, opening
from kripke_werewolf.werewolf.messages import Message
from kripke_werewolf.werewolf.state import Phase
from kripke_werewolf.werewolf.story import describe_setup
from kripke_werewolf.werewolf.table import Table

__all__ = ["Rounds"]

_PUBLIC = ("vote", "end", "undo", "table", "status", "help", "quit")
_PRIVATE = ("later", "table", "status", "help")


class _Quit(Exception):
    """The players stop."""


class _Changed(Exception):
    """Something was taken back; the round begins anew."""


class Rounds:
    """Walks through the phases: a round of the device by night, the village together by day.

    `everybody`: by night all the living get the device, so that nobody sees who has something to choose;
    otherwise only those who have.
    """

    def __init__(self, session: Session, terminal: Terminal, *, everybody: bool) -> None:
        self.session, self.terminal, self.everybody = session, terminal, everybody
        self.public: list[str] = []
        self.unread: dict[str, list[str]] = {}
        self.visited: tuple[Phase, set[str]] | None = None
        self.table: Table | None = None
        self.reading = False  # whether the device has to go round for private news before the day

    def run(self) -> None:
        """Play until the game is over, or somebody quits."""
        self._catch_up()
        self.public.insert(0, describe_setup(self.session.game.setup))
        try:
            dealing = self.session.game.setup.roles is not None and not self.session.game.steps
            while True:
                try:
                    if dealing:
                        self._deal()
                        dealing = False
                    if self.session.game.verdict is not None:
                        self._end()
                        return
                    if self.session.game.phase.kind != "vote":
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
        self.terminal.show(self._news())
        while line := self.terminal.ask("The game is over. Press Enter. ", _PUBLIC):
            self._public_command(line)

    # what is known to whom

    def _catch_up(self) -> None:
        """Collect anew what may not have been told, after a break or when something was taken back."""
        self.public, self.unread, self.visited = [], {}, None
        self.reading = True
        game = self.session.game
        self.table = last_table(game)
        for message in recent(game):
            self._keep(message)

    def _keep(self, message: Message) -> None:
        if message.to is None:
            self.public.append(message.text)
        else:
            self.unread.setdefault(message.to, []).append(message.text)

    def _take(self, done: Done) -> None:
        for message in done.messages:
            self._keep(message)
        if done.ended and self.session.game.table_due:
            self.table = announced_table(self.session.game)

    def _news(self) -> str:
        """What everybody may see: the news, and the table as it was last made public."""
        game = self.session.game
        news, self.public = self.public, []
        parts = ["\n".join(news)] if news else []
        if self.table is not None:
            parts.append(table_text(self.table))
        if game.verdict is None:
            parts.append(f"It is {game.phase}. Alive: {', '.join(game.alive)}.")
        return "\n\n".join(parts)

    # by day

    def _day(self) -> None:
        self.terminal.clear()
        self.terminal.show(self._news())
        self.terminal.show("\nWho is voted off? Several names are a tie; 'end' if nobody.")
        names = self.session.game.alive
        while self.session.game.phase.kind == "vote" and self.session.game.verdict is None:
            line = self.terminal.ask(f"{self.session.game.phase}> ", (*names, *_PUBLIC), names)
            if self._public_command(line, voting=True) and self.public:
                self.terminal.show("\n".join(self.public))  # several may be voted off in a day
                names = self.session.game.alive

    def _public_command(self, line: str, *, voting: bool = False, handing: bool = False) -> bool:
        """Carry out what everybody may see; return whether the game went on.

        `handing`: the device is going round. Then a night cannot be ended: whether it could would tell
        who has chosen something.
        """
        setup, show = self.session.game.setup, self.terminal.show
        if not line.strip():
            return False
        try:
            if voting and not line.startswith("/") and not _is_command(line, setup.players):
                line = f"vote {line}"
            command = parse(line, setup)
            if command is None:
                return False
            if command.verb not in _PUBLIC or command.word == "master":
                show("That is secret and not for this screen; players choose when they have the device.")
                return False
            if handing and command.verb == "end" and self.session.game.phase.kind != "vote":
                show(f"{self.session.game.phase} ends when the device has gone round.")
                return False
            return self._public_answer(command)
        except KripkeError as error:
            show(f"refused: {error}")
            return False

    def _public_answer(self, command: Command) -> bool:
        match command.verb:
            case "quit":
                raise _Quit
            case "help":
                self.terminal.show(help_text(_PUBLIC))
            case "status":
                self.terminal.show(status_text(self.session, secret=False))
            case "table":
                self._show_table()
            case "undo":
                done = self.session.do(command)
                self.terminal.clear()
                self.terminal.show(f"{done.noted}.")
                self.terminal.ask("Press Enter.")
                raise _Changed
            case _:
                self._take(self.session.do(command))
                return True
        return False

    def _show_table(self) -> None:
        shown = "no table was made public yet" if self.table is None else table_text(self.table)
        self.terminal.show(shown)

    def _deal(self) -> None:
        """Let everybody see the card he was dealt, whether or not he has anything to do at first."""
        for name in self.session.game.players:
            self._hand_to(name)
            self.terminal.show(f"{name}, this is your card.\n")
            for text in opening(self.session.game.setup, name):
                self.terminal.show(text)
            self._leave()

    # by night

    def _night(self) -> None:
        session = self.session
        phase, collects = session.game.phase, session.collects
        if self.visited is None or self.visited[0] != phase:
            self.visited = phase, set()
        holders = self._round()
        for name in holders:
            if session.game.phase != phase or session.game.verdict is not None:
                break
            self._turn(name, last=name == holders[-1])
            self.visited[1].add(name)
        self.reading = collects or bool(session.choices)  # what was only noted has its results later
        if session.game.phase == phase and session.game.verdict is None:
            self._close(phase)

    def _round(self) -> list[str]:
        """Who gets the device: first those who have not had it in this phase; the dead for their news."""
        game, still = self.session.game, self.session.to_choose
        seen = self.visited[1] if self.visited else set()
        # everybody has to learn his number in the first round; those who were dealt a card have seen it
        everybody = self.everybody or (game.phase.position == 0 and game.setup.roles is None)
        due = {n for n in game.alive if n in still or (everybody and n not in seen)}
        return [n for n in game.players if n in due or n in self.unread]

    def _close(self, phase: Phase) -> None:
        """End a phase in which everybody had the device; ask what to do if somebody has still to choose."""
        session = self.session
        self.terminal.clear()
        if not session.to_choose or session.house.missing != "remind":
            self._public_command("end")
        while session.game.phase == phase and session.game.verdict is None:
            left = sum(map(len, session.to_choose.values()))
            some = "One choice is" if left == 1 else f"{left or 'No'} choices are"
            self.terminal.show(f"{some} missing. Enter: hand the device round again; 'end pass' goes on")
            self.terminal.show("without, 'end random' lets the lot choose what has to be chosen.")
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
            self.terminal.show("There is nothing for you to choose now.")
        self._leave()

    def _hand_to(self, name: str) -> None:
        """Ask for the device to be handed on; commands are possible meanwhile."""
        self.terminal.clear()
        self.terminal.show(self._news())
        while True:
            line = self.terminal.ask(f"\nHand the device to {name}. {name}: press Enter. ", _PUBLIC)
            if not line:
                break
            phase = self.session.game.phase
            if self._public_command(line, handing=True) and self.session.game.phase != phase:
                raise _Changed
        self.terminal.clear()

    def _private_header(self, name: str) -> None:
        game = self.session.game
        self.terminal.show(f"{name}, {game.phase}\n")
        for text in opening(game.setup, name):
            self.terminal.show(text)
        own = chances(game, name)
        if own:
            self.terminal.show(f"Your chances: {chances_text(own)}.")
        for text in self.unread.pop(name, ()):
            self.terminal.show(text)

    def _leave(self) -> None:
        self.terminal.ask("\nPress Enter; the screen is cleared. ")
        self.terminal.clear()

    def _choice(self, name: str, action: Action, *, last: bool) -> None:
        """Ask a player for a target until the rules accept it, or he leaves it for later."""
        game, optional = self.session.game, self.session.may_decline(action)
        if not optional and not game.legal_targets(name, action):
            self.terminal.show(f"There is nobody you could {LOOKS[action]}.")
            return
        itself = game.rules.vision_self if action == "vision" else game.rules.attack_self
        names = [other for other in game.alive if other != name or itself]
        without = " (Enter: nobody)" if optional else ""
        while True:
            line = self.terminal.ask(f"\nWhom do you {LOOKS[action]}?{without} ", (*names, *_PRIVATE))
            word = line.removeprefix("/").casefold()
            if word in _PRIVATE and (line.startswith("/") or line not in game.players):
                if word == "later":
                    return
                self._private_answer(word)
                continue
            try:
                if not line and not optional:
                    self.terminal.show("You have to choose somebody; 'later' if you need time.")
                    continue
                self._choose(name, action, line, last=last)
                return
            except KripkeError as error:
                self.terminal.show(f"Refused: {error}")

    def _private_answer(self, word: str) -> None:
        match word:
            case "table":
                self._show_table()
            case "status":
                self.terminal.show(status_text(self.session, secret=False))
            case _:
                self.terminal.show(
                    "Write a name; 'later' to choose when the device comes again, 'table', 'status'."
                )

    def _choose(self, name: str, action: Action, line: str, *, last: bool) -> None:
        if not line:
            self._take(self.session.decline(name, lasting=not last))
        else:
            target, rest = read_player(line, self.session.game.setup)
            if rest:
                target, _ = read_player(f'"{line}"', self.session.game.setup)  # says what is unknown
            self._take(self.session.act(action, name, target, lasting=not last))
        for text in self.unread.pop(name, ["It is noted."]):
            self.terminal.show(text)

    # after a night in which all moves were made together

    def _news_round(self) -> None:
        """Let everybody read what he was shown; those with nothing to read are handed the device too."""
        game = self.session.game
        if self.reading and self.unread:
            for name in [n for n in game.players if n in self.unread or n in game.alive]:
                self._hand_to(name)
                self.terminal.show(f"{name}, the night is over.\n")
                for text in self.unread.pop(name, ["There is nothing to tell you."]):
                    self.terminal.show(text)
                self._leave()
        self.reading = False


def _is_command(line: str, players: Iterable[str]) -> bool:
    word = line.split()[0].casefold()
    return word in VERBS and word not in {name.casefold() for name in players}
