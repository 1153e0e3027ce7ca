"""After the game: what players could have known, phase by phase, computed in a separate process.

The process answers one query after another: what everybody knew at the end of a phase, from the news alone
(`facts`) or from all that follows from the tables (`table`). A search of the tables ends in time. Any other
query that takes too long is abandoned with its process; a new process continues with the next query.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal, get_args

from kripke_werewolf.errors import KripkeError
from kripke_werewolf.files import holds_night
from kripke_werewolf.processes import Helper
from kripke_werewolf.reports.documents import Document
from kripke_werewolf.tabletop.night import NightSitting, read_night
from kripke_werewolf.werewolf import QuantumWerewolf
from kripke_werewolf.werewolf.knowledge import Knowledge, knowledge_of
from kripke_werewolf.werewolf.log import replay
from kripke_werewolf.werewolf.questions import Reading
from kripke_werewolf.werewolf.telling import report
from kripke_werewolf.wording import Sentence, word

TIME_LIMIT = 60.0
"""The time limit of a query, in seconds."""

_SERVER = "from kripke_werewolf.host.afterwards import main; main(*sys.argv[1:])"
SEARCHING = 0.8
"""The part of the time limit after which the search for histories ends by itself."""


def questions(game: QuantumWerewolf) -> list[tuple[int, Reading]]:
    """Return the queries about a game: the number of steps at the end of a phase, and the reading.

    >>> questions(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1))
    []
    """
    ends = [n for n in range(1, len(game.states)) if game.states[n].phase != game.states[n - 1].phase]
    if game.verdict is not None and len(game.steps) not in ends:
        ends.append(len(game.steps))
    readings = get_args(Reading)
    if game.setup.deal == "classical":  # which publishes no table
        readings = ("facts",)
    return [(step, reading) for reading in readings for step in ends]


def answer(game: QuantumWerewolf, step: int, reading: Reading, timeout: float) -> dict[str, Any]:
    """Return everybody's knowledge after a number of steps, as JSON-able values, or why it is unknown.

    `timeout`: for how many seconds histories are searched for.
    """
    found: dict[str, Any] = {"phase": str(game.states[step - 1].phase), "reading": reading}
    try:
        known = knowledge_of(game.at(step), reading=reading, timeout=timeout)
    except KripkeError as error:
        return {**found, "error": str(error)}
    rows = {v: [[s, _cell(known, v, s)] for s in known.players if s != v] for v in known.viewers}
    return {**found, "known": rows}


def _cell(known: Knowledge, viewer: str, subject: str) -> str:
    role = known.known(viewer, subject)
    if role is not None:
        return word(role)
    wolf = known.shares[viewer, subject]["wolf"]
    out = [Sentence("no-role", role=role) for role in known.excluded(viewer, subject)]
    some = [Sentence("share", fact="wolf", share=f"{float(wolf):.0%}")] if wolf else []
    return Sentence("list", items=[*out, *some])


class Afterwards:
    """The results about a finished game computed so far.

    Its process reads the log in its present state; the game must not continue.
    """

    def __init__(self, log: Path, *, limit: float = TIME_LIMIT) -> None:
        self._log, self._limit = log, limit
        self.answers: list[dict[str, Any]] = []
        self.total: int | None = None
        """The number of queries; None until it is known."""
        self.report: Document | Literal[""] | None = None
        """The whole story; "" if it took too long."""

    def progress(self) -> dict[str, Any]:
        """Return JSON-able values for the pages: the answers so far, and the number of queries."""
        done = self.total is not None and len(self.answers) >= self.total and self.report is not None
        return {"answers": self.answers, "total": self.total, "report": self.report is not None, "done": done}

    async def run(self) -> AsyncIterator[None]:
        """Answer all queries; yield whenever there are new results."""
        helper, failures = Helper(_SERVER, str(self._log), str(SEARCHING * self._limit)), 0
        try:
            while failures < 3 and not self.progress()["done"]:
                before = self.total, len(self.answers), self.report
                try:
                    self._note(pickle.loads(b64decode(await asyncio.to_thread(self._ask, helper))))
                except EOFError:
                    pass
                except TimeoutError:
                    if self.report is None:
                        self.report = ""
                    elif self.total is not None:
                        self.answers.append({"error": "this took too long and was given up"})
                failures = 0 if before != (self.total, len(self.answers), self.report) else failures + 1
                yield
        finally:
            helper.stop()

    def _ask(self, helper: Helper) -> str:
        """Return the next thing that is missing, as `main` writes it."""
        missing = "total" if self.total is None else "report" if self.report is None else len(self.answers)
        return helper.ask(str(missing), seconds=self._limit)

    def _note(self, line: dict[str, Any]) -> None:
        if "total" in line:
            self.total = line["total"]
        elif "report" in line:
            self.report = line["report"]
        else:
            self.answers.append(line)


def _story(game: QuantumWerewolf | NightSitting) -> Document:
    return game.report() if isinstance(game, NightSitting) else report(game, plots=True)


def main(log: str, timeout: str) -> None:
    """Answer each line: `total`, the number of queries, `report`, or the place of a query among them."""
    game = read_night(Path(log)) if holds_night(Path(log)) else replay(log)
    asked = questions(game) if isinstance(game, QuantumWerewolf) else []
    for line in sys.stdin:
        match line.strip():
            case "total":
                said: dict[str, Any] = {"total": len(asked)}
            case "report":
                said = {"report": _story(game)}
            case place:
                assert isinstance(game, QuantumWerewolf)  # there are no questions about One Night
                said = answer(game, *asked[int(place)], float(timeout))
        print(b64encode(pickle.dumps(said)).decode(), flush=True)  # with its sentences, for every language
