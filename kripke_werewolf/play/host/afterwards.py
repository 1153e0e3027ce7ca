"""What there is to tell after the game: its story, and what players could have known, phase by phase.

A separate process computes it while the game is played, with what the computer has to spare: what everybody
knew at the end of a phase, from the news alone (`facts`) or from all that follows from the tables (`exact`).
A search of the tables ends in time, and at once when there is something more urgent. Any other question that
takes too long is abandoned with its process; a new process continues with the next one.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import sys
import warnings
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import dropwhile
from pathlib import Path
from typing import Any, Literal, TypeAlias

from kripke_werewolf.base.processes import Helper
from kripke_werewolf.base.reports.documents import Block, Document, Heading, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.base.wording import Sentence, in_language, word
from kripke_werewolf.games.werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf.knowledge import Knowledge
from kripke_werewolf.games.werewolf.log import TruncatedLog, read_log, replay, shared_start
from kripke_werewolf.games.werewolf.tale import Asked, knowledge_after, report, tale, to_ask, who_knew
from kripke_werewolf.play.tabletop.sitting import read_flow

TIME_LIMIT = 60.0
"""The time limit of a question, in seconds."""

_SERVER = "from kripke_werewolf.play.host.afterwards import main; main(*sys.argv[1:])"
SEARCHING = 0.8
"""The part of the time limit after which the search for histories ends by itself."""
_TRIES = 3
"""How often a question is asked if its process ends without an answer."""

_Task: TypeAlias = Asked | Literal["tale", "report"]


def _cells_for_phones(game: QuantumWerewolf, asked: Asked, known: Knowledge | str) -> dict[str, Any]:
    """Return everybody's knowledge after a number of steps, as JSON-able values, or why it is unknown."""
    found: dict[str, Any] = {"phase": str(game.states[asked[0] - 1].phase), "reading": asked[1]}
    if isinstance(known, str):
        return {**found, "error": known}
    rows = {v: [[s, _cell(known, v, s)] for s in known.players if s != v] for v in known.viewers}
    return {**found, "known": rows}


def _cell(known: Knowledge, viewer: str, subject: str) -> str:
    role = known.known(viewer, subject)
    if role is not None:
        return word(role)
    items = [Sentence("no-role", role=role) for role in known.excluded(viewer, subject)]
    if wolf := known.shares[viewer, subject]["wolf"]:
        items.append(Sentence("share", fact="wolf", share=f"{float(wolf):.0%}"))
    return Sentence("list", items=items)


def _as_parts(blocks: Iterable[Block]) -> Iterator[dict[str, Any]]:
    """Yield blocks of a document from its first heading on, as JSON-able values for a page.

    What stands before it is on the page already, and figures are left out.
    """
    for block in dropwhile(lambda block: not isinstance(block, Heading), blocks):
        match block:
            case Heading(text, level):
                yield {"heading": text, "level": level}
            case Paragraph(text):
                yield {"text": text}
            case Items(lines):
                yield {"items": lines}
            case Grid(header, rows, note):
                yield {"header": header, "rows": rows, "note": note}


class Afterwards:
    """What has been computed so far about a game, even while it is played; it is shown after the end.

    `follow` tells it how far the game is; its process reads the log.
    """

    def __init__(self, log: Path, *, limit: float = TIME_LIMIT) -> None:
        self._helper, self._limit = Helper(_SERVER, str(log), str(SEARCHING * limit)), limit
        self.log = log
        """The log of the game."""
        self._game: QuantumWerewolf | None = None
        self._found: dict[Asked, Knowledge | str] = {}
        self._cells: dict[Asked, dict[str, Any]] = {}
        self._asking: _Task | None = None
        self._changed = asyncio.Event()
        self._tale: Document | None = None
        """The story; empty if it took too long."""
        self.report: Document | Literal[""] | None = None
        """The game with all tables; "" if it took too long."""
        self.version = 0
        """Increases with every change."""
        self._told: dict[str, bytes] = {}

    def tell(self, story: Document | None) -> None:
        """Note the whole story of a game that needs no search, or that there is none yet."""
        if story != self._tale:
            self._tale = self.report = story
            self._changed_now()

    def follow(self, game: QuantumWerewolf) -> None:
        """Note how the game stands, and forget answers about steps that were taken back."""
        if game is self._game:
            return
        kept = 0 if self._game is None else shared_start(self._game.steps, game.steps)
        self._found = {asked: known for asked, known in self._found.items() if asked[0] <= kept}
        self._cells = {asked: shown for asked, shown in self._cells.items() if asked[0] <= kept}
        self._game, self._tale, self.report = game, None, None
        self._changed_now()
        if isinstance(self._asking, tuple) and self._asking[1] == "exact" and self._asking != self._next():
            self._helper.kill()
        self._changed.set()

    def _changed_now(self) -> None:
        self.version += 1
        self._told.clear()

    @property
    def story(self) -> Document | None:
        """The story of the finished game, with what could have been known as far as it has been found."""
        if self._tale is None or self._game is None:
            return self._tale
        return replace(self._tale, blocks=(*self._tale.blocks, *who_knew(self._game, self._found)))

    def progress(self) -> dict[str, Any]:
        """Return JSON-able values for the pages: the story, the answers so far, how many are expected."""
        story = self.story
        asked = [] if self._game is None else list(to_ask(self._game))
        told = [] if story is None else list(_as_parts(story.blocks))
        answers = [self._cells[one] for one in asked if one in self._cells]
        done = self._tale is not None and self._next() is None
        made = {"version": self.version, "report": bool(self.report), "done": done}
        return {**made, "answers": answers, "total": len(asked), "story": told}

    def told(self, language: str) -> bytes:
        """Return the progress as JSON in a language."""
        if language not in self._told:  # many phones ask for it
            found = in_language(self.progress(), language)
            self._told[language] = json.dumps(found, ensure_ascii=False).encode()
        return self._told[language]

    def _next(self) -> _Task | None:
        """Return the most urgent question; the facts of all phases come before any search of tables."""
        if self._game is None:
            return None
        missing = [asked for asked in to_ask(self._game) if asked not in self._found]
        over = self._game.verdict is not None
        if over and self._tale is None:
            return "tale"
        if over and self.report is None and not any("facts" in one for one in missing):
            return "report"
        return next(iter(missing), None)

    async def run(self) -> None:
        """Answer questions until it is cancelled."""
        tries = 0
        try:
            while True:
                self._changed.clear()
                game, task = self._game, self._next()
                if game is None or task is None:
                    await self._changed.wait()
                else:
                    tries = 0 if await self._answered(game, task, last=tries + 1 == _TRIES) else tries + 1
        finally:
            self._helper.stop()

    async def _answered(self, game: QuantumWerewolf, task: _Task, *, last: bool) -> bool:
        """Ask for one thing, and return whether the matter is now settled, even if there is no answer."""
        self._asking = task
        line = task if isinstance(task, str) else f"{task[0]} {task[1]}"
        try:
            reply = await asyncio.to_thread(self._helper.ask, line, seconds=self._limit)
            found: Any = pickle.loads(b64decode(reply))
        except (EOFError, TimeoutError) as error:
            if game is not self._game:  # it was stopped for something more urgent, or the game went on
                return True
            if isinstance(error, EOFError) and not last:
                return False
            given_up = {"report": "", "tale": Document("", ())}
            found = given_up.get(str(task), "this took too long and was abandoned")
        finally:
            self._asking = None
        if isinstance(task, str):
            if task == "report" and game is self._game:
                self.report = found
            elif game is self._game:
                self._tale = found
        elif self._game is not None and shared_start(game.steps, self._game.steps) >= task[0]:
            self._found[task], self._cells[task] = found, _cells_for_phones(game, task, found)
        self._changed_now()
        return True


def main(log: str, timeout: str) -> None:
    """Answer each line: `tale`, `report`, or a number of steps and a reading, from the log as it is then."""
    if hasattr(os, "nice"):
        os.nice(10)  # the host comes first
    warnings.simplefilter("ignore", TruncatedLog)  # it is being written
    game: QuantumWerewolf | None = None
    for line in sys.stdin:
        game = replay(log, since=game)
        match line.split():
            case [step, "facts" | "exact" as reading]:
                said: Any = knowledge_after(game, (int(step), reading), float(timeout))
            case ["tale"]:
                said = tale(game, votes=read_flow(read_log(log).flow or {}).results)
            case _:
                said = report(game, plots=True)
        print(b64encode(pickle.dumps(said)).decode(), flush=True)  # with its sentences, for every language
