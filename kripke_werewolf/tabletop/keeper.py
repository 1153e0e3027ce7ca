"""The keeper of a sitting: it holds the current one, admits one command at a time, and writes the log.

All decisions are in `Sitting`, a value. A keeper adds a lock for threads, a file, and a number that increases
with every change.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from random import Random
from threading import RLock
from typing import TYPE_CHECKING

from kripke_werewolf.tabletop.advice import robot_answer, whom_to_name
from kripke_werewolf.tabletop.commands import Command
from kripke_werewolf.tabletop.sitting import Flow, Manner, Receipt, Sent, Sitting, read_flow, read_requests
from kripke_werewolf.tabletop.views import Archive, View, master_view, player_view, public_view
from kripke_werewolf.werewolf import LogFile, QuantumWerewolf, Table
from kripke_werewolf.werewolf.log import HouseRules
from kripke_werewolf.wording import Sentence

if TYPE_CHECKING:
    from kripke_werewolf.tabletop.night import NightKeeper


def let_robots_answer(keeper: Keeper | NightKeeper, now: float | None = None) -> bool:
    """Let the robots of a keeper answer in this moment, and return whether one has; see `robot_answer`."""
    before, moment = keeper.sitting, keeper.sitting.moment
    for name in (name for name in before.flow.robots if name in before.waiting_for):
        chance = Random(f"{before.seed} {moment} {name}")
        for _ in keeper.game.players:  # an attack may be refused
            answer = robot_answer(keeper.player_view(name), chance)
            if answer is None or keeper.sitting.moment != moment:
                break
            keeper.submit(name, answer, now=now)
    return keeper.sitting is not before


class Keeper:
    """A sitting and its log: every command that `submit` has answered is on disk.

    `house` and `seed`: by default those in the log. The log stays open, and locked against other programs,
    until its opener closes it.

    >>> import tempfile, pathlib
    >>> from kripke_werewolf import LogFile, QuantumWerewolf
    >>> from kripke_werewolf.tabletop import PHONES, Choose
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "g.jsonl"
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules="gekka", wolves=1)
    >>> with LogFile.create(path, game) as log:
    ...     keeper = Keeper(log, PHONES, seed=7)
    ...     answer = keeper.submit("Ann", Choose("Ann", "vision", "Bo"), request="a1")
    >>> answer.text, keeper.revision
    ('noted: Ann has chosen', 1)
    >>> with LogFile.open(path) as log:
    ...     again = Keeper(log, PHONES)
    ...     again.submit("Ann", Choose("Ann", "vision", "Bo"), request="a1") == answer
    True
    >>> again.public_view()["waiting"], again.revision
    (2, 0)
    """

    def __init__(
        self, log: LogFile, manner: Manner, *, house: HouseRules | None = None, seed: int | None = None
    ) -> None:
        kept_house, kept_seed = log.session or (HouseRules(), 0)
        house, seed = house or kept_house, kept_seed if seed is None else seed
        self.log = log
        self.revision = 0
        """Increases with every change since the start; a view may be unchanged."""
        self._archive = Archive()
        self._hints: dict[tuple[str, int, str, str], str] = {}
        self._lock = RLock()
        self._sitting = Sitting(
            game=log.game,
            manner=manner,
            house=house,
            seed=seed,
            choices=log.choices,
            flow=Flow() if log.recorded.flow is None else read_flow(log.recorded.flow),
            answered=read_requests(log.recorded.requests),
        )
        log.settle(house, seed)

    @property
    def sitting(self) -> Sitting:
        """The sitting as on disk: a value that other threads may read at any time."""
        return self._sitting

    @property
    def game(self) -> QuantumWerewolf:
        """The game as it is on disk."""
        return self._sitting.game

    def submit(
        self,
        seat: str | None,
        command: Command,
        *,
        request: str | None = None,
        moment: str | None = None,
        now: float | None = None,
    ) -> Receipt:
        """Carry out a command and return the answer; see `Sitting.submit`.

        Raises OSError if the log cannot be written, such as on a full disk; nothing has changed then.
        """
        with self._lock:
            after, answer = self._sitting.submit(seat, command, request=request, moment=moment, now=now)
            self._write(after, None if request is None else (seat, request))
            return answer

    def tick(self, now: float) -> bool:
        """Let time pass, and return whether that changed anything; see `Sitting.tick`."""
        with self._lock:
            before = self._sitting
            self._write(before.tick(now), None)
            return self._sitting is not before

    def play_robots(self, now: float | None = None) -> bool:
        """Let the robots answer in this moment, and return whether one has."""
        with self._lock:
            return let_robots_answer(self, now)

    def _write(self, after: Sitting, request: Sent | None) -> None:
        before = self._sitting
        if after is before:
            return
        if after.house != before.house:
            self.log.settle(after.house, after.seed)
        new = request is not None and request not in before.answered
        answered = (asdict(after.answered[request]),) if request is not None and new else ()
        flow = after.flow.to_dict()
        changed = None if flow == before.flow.to_dict() else flow
        self.log.update(after.game, after.choices, flow=changed, requests=answered)
        self._sitting = replace(after, game=self.log.game)
        if replace(after, answered=before.answered) != before:  # more than one request answered
            self.revision += 1

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.verdict is not None

    def close(self) -> None:
        """Close the log."""
        self.log.close()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that were published, in order."""
        return self._archive.at(self.game).handout(None).tables

    def player_view(self, seat: str) -> View:
        """Return the information that one player may see now."""
        return player_view(self._sitting, seat, self._archive)

    def hint(self, seat: str, action: str) -> str:
        """Return a hint to one player for an action, or the vote; see `whom_to_name`."""
        sitting, game = self._sitting, self._sitting.game
        asked = (*sitting.slots.get(seat, ()), *(["vote"] if game.phase.kind == "vote" else []))
        key = sitting.moment, len(game.steps), seat, action
        if action not in asked:
            return Sentence("no-hint", hard=False)
        if key not in self._hints:
            choices = sitting.candidates if action == "vote" else sitting.choosable(seat, action)
            told = whom_to_name(self._archive.at(game).handout(seat), action, choices)
            kept = {known: text for known, text in self._hints.items() if known[0] == key[0]}
            self._hints = {**kept, key: told}
        return self._hints[key]

    def public_view(self) -> View:
        """Return the information that everybody may see now."""
        return public_view(self._sitting, self._archive)

    def master_view(self) -> View:
        """Return everything, for the game master."""
        return master_view(self._sitting, self._archive)
