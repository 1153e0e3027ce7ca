"""The keeper of a sitting: it holds the current one, admits one command at a time, and writes the log.

All decisions are in `Sitting`, a value. A keeper adds a lock for threads, a file, and a number that increases
with every change.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, replace
from random import Random
from threading import RLock
from typing import Any, Protocol

from kripke_werewolf.base.errors import ModelError, Undecided, cut_off
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.games.werewolf.told import Told
from kripke_werewolf.play.tabletop.advice import SECONDS, robot_answer, whom_to_name
from kripke_werewolf.play.tabletop.sitting import Manner, Receipt, Sitting, read_flow, read_requests
from kripke_werewolf.play.tabletop.views import Archive, View, master_view, player_view, public_view

_MOST_READ = 200
"""The largest number of characters that say how a question was read."""


class Keeping(Protocol):
    """What keepers of both games do: one command at a time is carried out, and robots answer."""

    _lock: RLock
    sitting: Any
    """The sitting as on disk."""

    def _write(self, after: Any) -> None:
        """Write a sitting to disk, and make it the present one."""

    def player_view(self, seat: str) -> View:
        """Return the information that one player may see now."""

    def submit(
        self,
        seat: str | None,
        command: Any,
        *,
        request: str | None = None,
        moment: str | None = None,
        now: float | None = None,
    ) -> Receipt:
        """Carry out a command and return the answer; see `Sitting.submit`.

        Raises OSError if the file cannot be written, such as on a full disk; nothing has changed then.
        """
        with self._lock:
            after, answer = self.sitting.submit(seat, command, request=request, moment=moment, now=now)
            self._write(after)
            given: Receipt = answer
            return given

    def play_robots(self, now: float | None = None) -> bool:
        """Let the robots answer in this moment, and return whether one has; see `robot_answer`."""
        with self._lock:
            before, moment = self.sitting, self.sitting.moment
            for name in (name for name in before.flow.robots if name in before.waiting_for):
                chance = Random(f"{before.seed} {moment} {name}")
                for _ in before.game.players:  # an attack may be refused
                    answer = robot_answer(self.player_view(name), chance)
                    if answer is None or self.sitting.moment != moment:
                        break
                    self.submit(name, answer, now=now)
            return self.sitting is not before


class Keeper(Keeping):
    """A sitting and its log: every command that `submit` has answered is on disk.

    `house` and `seed`: by default those in the log. The log stays open, and locked against other programs,
    until its opener closes it.

    >>> import tempfile, pathlib
    >>> from kripke_werewolf import LogFile, QuantumWerewolf
    >>> from kripke_werewolf.play.tabletop import PHONES, Choose
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

    sitting: Sitting
    """The sitting as on disk: a value that other threads may read at any time."""

    def __init__(
        self, log: LogFile, manner: Manner, *, house: HouseRules | None = None, seed: int | None = None
    ) -> None:
        kept_house, kept_seed = log.recorded.session or (HouseRules(), 0)
        house, seed = house or kept_house, kept_seed if seed is None else seed
        self.log = log
        self.revision = 0
        """Increases with every change since the start; a view may be unchanged."""
        self._archive = Archive()
        self._hints: dict[tuple[str, int, str, str], str] = {}
        self._lock = RLock()
        self.sitting = Sitting(
            game=log.game,
            manner=manner,
            house=house,
            seed=seed,
            choices=log.recorded.choices,
            flow=read_flow(log.recorded.flow or {}),
            answered=read_requests(log.recorded.requests),
        )
        log.settle(house, seed)

    @property
    def game(self) -> QuantumWerewolf:
        """The game as it is on disk."""
        return self.sitting.game

    def tick(self, now: float) -> bool:
        """Let time pass, and return whether that changed anything; see `Sitting.tick`."""
        with self._lock:
            before = self.sitting
            self._write(before.tick(now))
            return self.sitting is not before

    def _write(self, after: Sitting) -> None:
        before = self.sitting
        if after is before:
            return
        flow = after.flow.to_dict()
        new_flow = None if flow == before.flow.to_dict() else flow
        requests = (asdict(done) for sent, done in after.answered.items() if sent not in before.answered)
        self.log.write(after.game, after.choices, flow=new_flow, requests=tuple(requests))
        self.sitting = replace(after, game=self.log.game)
        if replace(after, answered=before.answered) != before:  # more than one request answered
            self.revision += 1

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.verdict is not None

    @property
    def winners(self) -> tuple[str, ...]:
        """Those who have won, once the game is over."""
        return tuple(name for name, won in self.game.results.items() if won)

    def close(self) -> None:
        """Close the log."""
        self.log.close()

    def player_view(self, seat: str) -> View:
        """Return the information that one player may see now."""
        return player_view(self.sitting, seat, self._archive)

    def hint(self, seat: str, action: str) -> str:
        """Return a hint to one player for an action, or the vote; see `whom_to_name`."""
        sitting, game = self.sitting, self.sitting.game
        key = sitting.moment, len(game.steps), seat, action
        if game.phase.kind == "vote" and action == "vote":
            choices: Collection[str] = sitting.candidates
        elif action in sitting.slots.get(seat, ()):
            choices = sitting.choosable(seat, action)
        else:
            return Sentence("no-hint", hard=False)
        if key not in self._hints:
            told = whom_to_name(self._archive.at(game).handout(seat), action, choices)
            kept = {known: text for known, text in self._hints.items() if known[0] == key[0]}
            self._hints = {**kept, key: told}
        return self._hints[key]

    def known(self, seat: str | None) -> QuantumWerewolf | Told:
        """Return the thing that a seat may ask about: a player's handout, or for the game master the game."""
        if seat is None:
            return self.game
        return self._archive.at(self.game).handout(seat)

    def ask(self, seat: str | None, question: str) -> str:
        """Return the answer to a question in English about what a seat knows; see `known`.

        Raises KripkeError for a question that is not understood.
        """
        try:
            answer = self.known(seat).ask(question, timeout=SECONDS)
        except (ModelError, Undecided):
            return Sentence("no-hint", hard=True)
        more = any(part.more for _, part in (*answer.parts, ("", answer)))
        return Sentence("asked", answer=str(answer), more=more, read=cut_off(answer.read_as, _MOST_READ))

    def public_view(self) -> View:
        """Return the information that everybody may see now."""
        return public_view(self.sitting, self._archive)

    def master_view(self) -> View:
        """Return everything, for the game master."""
        return master_view(self.sitting, self._archive)
