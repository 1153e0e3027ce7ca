"""The game master's own screen, or a script: one command a line, secrets included."""

from __future__ import annotations

from kripke_werewolf.console.language import USAGE, Command, parse
from kripke_werewolf.console.session import Done, Session
from kripke_werewolf.console.terminal import Terminal
from kripke_werewolf.console.words import (
    help_text,
    last_table,
    numbers_text,
    status_text,
    table_text,
    to_do_text,
)
from kripke_werewolf.errors import IllegalMove, KripkeError
from kripke_werewolf.werewolf.handout import announced_table, chances, chances_text, opening
from kripke_werewolf.werewolf.story import describe_setup, worlds_text

__all__ = ["Master"]


class Master:
    """Reads commands until the end of the input or `quit`, and says what to tell to whom.

    `patient`: go on after a refused command; otherwise the error ends the run, all before it being saved.
    """

    def __init__(self, session: Session, terminal: Terminal, *, patient: bool) -> None:
        self.session, self.terminal, self.patient = session, terminal, patient

    def run(self) -> None:
        """Play. Raises the error of a refused command unless patient."""
        self._begin()
        while True:
            names = self.session.game.players
            over = self.session.game.verdict is not None
            prompt = "over> " if over else f"{self.session.game.phase}> "
            try:
                line = self.terminal.ask(prompt, tuple(USAGE), names)
            except (EOFError, KeyboardInterrupt):
                return
            try:
                command = parse(line, self.session.game.setup)
                if command is not None and command.verb == "quit":
                    return
                if command is not None:
                    self._answer(command)
            except KripkeError as error:
                if not self.patient:
                    raise
                self.terminal.show(f"refused: {error}")

    def _begin(self) -> None:
        game, show = self.session.game, self.terminal.show
        show(describe_setup(game.setup))
        show(f"Players: {', '.join(game.players)}.")
        if not game.steps:
            for name in game.players:
                for text in opening(game.setup, name):
                    show(f"tell {name}: {text}")
        self._phase()

    def _phase(self) -> None:
        """Announce what there is to announce now, and who is to act."""
        game, show = self.session.game, self.terminal.show
        if game.table_due:
            show(f"tell all: the table\n\n{table_text(announced_table(game))}\n")
        if game.verdict is not None:
            show("The game is over.")
            return
        show(f"== {game.phase} ==")
        for name in game.alive:
            own = chances(game, name)
            if own:
                show(f"tell {name}: Your chances: {chances_text(own)}.")
        show(to_do_text(self.session))

    def _answer(self, command: Command) -> None:
        game, show = self.session.game, self.terminal.show
        match command.verb:
            case "help":
                show(help_text())
            case "status":
                show(status_text(self.session, secret=True))
            case "numbers":
                show(numbers_text(game))
            case "table" if command.word == "master":
                show(f"{game.table().to_text('percent')}\n{worlds_text(game.size)}")
            case "table":
                table = last_table(game)
                show("no table was made public yet" if table is None else table_text(table))
            case "vote" | "end":
                try:
                    self._report(self.session.do(command))
                except IllegalMove as error:
                    if game.verdict is not None:
                        raise
                    raise IllegalMove(f"{error} ({to_do_text(self.session)})") from None
            case _:
                self._report(self.session.do(command))

    def _report(self, done: Done) -> None:
        for message in done.messages:
            self.terminal.show(f"tell {message.to or 'all'}: {message.text}")
        if done.noted:
            self.terminal.show(done.noted)
        if done.ended:
            self._phase()
