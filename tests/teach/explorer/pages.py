"""A page without a page: it sends commands, and keeps the state of the last good reply."""

from typing import Any

from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.teach.explorer import State, respond
from kripke_werewolf.teach.explorer.boards import board_of
from kripke_werewolf.teach.explorer.replies import BUG


class Page:
    """Sends one command after the other; `do` expects that it works, `refused` that it does not."""

    def __init__(self, **opened: Any) -> None:
        self.state: Any = None
        self.said = ""
        if opened:
            self.do("open", **opened)

    def reply(self, command: str, want: list[str] | None = None, **arguments: Any) -> dict[str, Any]:
        return respond({"state": self.state, "do": {"command": command, **arguments}, "want": want})

    def do(self, command: str, **arguments: Any) -> Any:
        """Send a command; return its result."""
        reply = self.reply(command, [], **arguments)
        assert reply["ok"], (command, arguments, reply["error"])
        self.state, self.said = reply["state"], reply["said"]
        return reply["result"]

    def refused(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a command that cannot be done; return the error."""
        reply = self.reply(command, **arguments)
        assert not reply["ok"], (command, arguments)
        assert reply["error"]["kind"] != BUG, reply["error"]
        assert reply["state"] == self.state
        found: dict[str, Any] = reply["error"]
        return found

    def view(self, *sections: str) -> Any:
        """Return sections of the view; of one section, that alone."""
        reply = self.reply("show", list(sections))
        assert reply["ok"], reply["error"]
        return reply["view"][sections[0]] if len(sections) == 1 else reply["view"]

    @property
    def model(self) -> KripkeModel:
        """The model shown."""
        return board_of(State.from_dict(self.state)).model
