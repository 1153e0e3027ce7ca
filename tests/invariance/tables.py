"""What players see at a table, for the audit: phones, and a device that is passed around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from kripke_werewolf.base.reports.tables import Tabled
from kripke_werewolf.games.audit import Audit, Compared, _twins, told_by_declaration
from kripke_werewolf.games.werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.play import tabletop
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.console.terminal import Style, Words
from kripke_werewolf.play.tabletop import Choose, Keeper, Sitting, Vote
from kripke_werewolf.play.tabletop.advice import whom_to_name
from kripke_werewolf.play.tabletop.commands import Command
from kripke_werewolf.play.tabletop.sitting import phase_start
from kripke_werewolf.play.tabletop.views import Archive, player_view, public_view, view_bytes

_SECONDS = 99
"""The time limit of a phase on phones."""
_PLAYED = 3
"""The number of twins that are also played at tables."""
_PROMPTS = 6
"""The number of prompts of the device per player."""

_Chooser: TypeAlias = Callable[[Sitting, str, str], Vote | Choose]
"""Returns the choice of a player for an action, or the vote."""


class AtTables(Audit):
    """A comparison of games that are played on phones and on a device."""

    def printed(self, game: QuantumWerewolf, player: str) -> dict[str, str]:
        return super().printed(game, player) | _at_first(game, player)

    def known(self, game: QuantumWerewolf, player: str) -> dict[str, str]:
        return super().known(game, player) | _hints(game, player)

    def rules(self, rules: Any, players: int, *, games: int, seed: int = 0, **how: Any) -> Tabled[Compared]:
        """Compare random games of a rule set, played on phones, as `audit_rules` does."""
        how = {"numbers": "shuffled", "engine": "enumerated", **how}
        for number in range(seed, seed + games):
            names = [f"P{place}" for place in range(1, players + 1)]
            setup = QuantumWerewolf(names, rules=rules, rng=number, **how).setup
            if number % 2:
                setup = replace(setup, rules=replace(setup.rules, table_at=()))
            game = QuantumWerewolf.from_setup(setup, draw=Chance(number))
            while game.verdict is None:
                game = self.phones(game)
            self.play(game)
        return self.report()

    def play(self, game: QuantumWerewolf) -> None:
        """Compare a game and its twins, and play every phase of some of them on phones and on a device."""
        super().play(game)
        for other in (game, *islice(_twins(game), _PLAYED)):
            self.steps(other)
            for begin, state in enumerate(other.states):
                begins = not begin or other.states[begin - 1].phase != state.phase
                if begins and state.verdict is None:
                    self.phones(other.at(begin))
                    self.phones(other.at(begin))
                    self.device(other.at(begin))

    def phones(self, game: QuantumWerewolf) -> QuantumWerewolf:
        """Play a phase on phones, compare what a player sees meanwhile, and return the game after it."""
        house = HouseRules(ballot="secret", night_seconds=_SECONDS, day_seconds=_SECONDS)
        sitting = Sitting(game=game, manner=tabletop.PHONES, house=house, seed=self.chance.getrandbits(32))
        sitting, archive, choose = sitting.tick(0), Archive(), self.chooser(game)
        for _ in range(len(game.players) * self.chance.choice((1, 4, 4, 4))):  # or the time is up
            name = self.chance.choice(game.alive)
            action = self.chance.choice(sitting.slots.get(name, ("vote",)))
            sitting, answer = sitting.submit(name, command := choose(sitting, name, action), now=0)
            self.on_phone(sitting, name, archive, f"{command} {answer.accepted}", str(answer))
            if sitting.game.phase != game.phase or sitting.game.verdict is not None:
                break
            self.on_phone(sitting, self.chance.choice(game.players), archive)
        else:
            sitting = sitting.tick(_SECONDS)
            for name in game.players:
                self.on_phone(sitting, name, archive, "late")
            sitting, _ = sitting.submit(None, tabletop.EndPhase("pass"))
        self.steps(sitting.game, len(game.steps) + 1)
        return sitting.game

    def on_phone(
        self, sitting: Sitting, player: str, archive: Archive, after: str = "", answer: str = ""
    ) -> None:
        """Compare what a player sees on a phone; at the end of the game everybody is told everything."""
        flow, votes = sitting.flow, dict(sitting.flow.votes)
        public = frozenset(votes), flow.round, flow.candidates, flow.counted
        own = votes.get(player), *(choice for choice in sitting.choices if choice.actor == player)
        told = told_by_declaration(sitting.game, player), public, len(sitting.waiting_for), own
        if sitting.game.verdict is None:
            shows = partial(_on_phone, sitting, player, archive, answer)
            self.add(player, (after, told), sitting.game, shows, (sitting.choices, flow))

    def device(self, game: QuantumWerewolf) -> None:
        """Pass a device around, and compare the screens that the players see."""
        with TemporaryDirectory() as folder, LogFile.create(Path(folder) / "g.jsonl", game) as log:
            table = _Table(Keeper(log, tabletop.DEVICE, house=HouseRules(), seed=1), self.chooser(game))
            Rounds(table.keeper, table).run()
        for number, (holder, sitting, seen) in enumerate(table.frames):
            for player in game.players:
                told = told_by_declaration(game, player), told_by_declaration(sitting.game, player)
                own = tuple(choice for choice in sitting.choices if choice.actor == player)
                shows = partial(dict[str, str], device=seen if holder in ("", player) else "")
                self.add(player, (number, told, own), sitting.game, shows, (sitting.choices, sitting.flow))

    def chooser(self, game: QuantumWerewolf) -> _Chooser:
        """Return how the players choose: at most two of them at random, the others always the same."""
        some = self.chance.sample(game.players, self.chance.randint(0, 2))

        def choose(sitting: Sitting, name: str, action: str) -> Vote | Choose:
            refused, alive = sitting.refused(name), sitting.game.alive
            others = [other for other in alive if other != name and other not in refused] or [name]
            usual = Random(f"{name} {action} {sitting.game.phase}").choice(others)
            target = self.chance.choice([*others, None]) if name in some else usual
            return Vote(name, target) if action == "vote" else Choose(name, action, target)

        return choose


def _at_first(game: QuantumWerewolf, player: str) -> dict[str, str]:
    """Return the view on a phone when a phase begins; at the end of the game everybody is told everything."""
    if game.verdict is not None or phase_start(game, len(game.steps)) < len(game.steps):
        return {}
    view = player_view(Sitting(game=game, manner=tabletop.PHONES), player, Archive())
    return {"phone": str(view_bytes(view))}


def _hints(game: QuantumWerewolf, player: str) -> dict[str, str]:
    """Return the hints to a player."""
    sitting, known = Sitting(game=game, manner=tabletop.PHONES), game.handout(player)
    actions = sitting.slots.get(player, ())
    return {f"hint: {name}": whom_to_name(known, name, sitting.choosable(player, name)) for name in actions}


def _on_phone(sitting: Sitting, player: str, archive: Archive, answer: str) -> dict[str, str]:
    """Return the view on a player's phone, the shared view, an answer, and the refusals of commands."""
    view, public = player_view(sitting, player, archive), public_view(sitting, archive)
    shown = {"phone": str(view_bytes(view)), "phone: for all": str(view_bytes(public))}
    shown["phone: answer"], targets = answer, sitting.game.players
    commands: list[Command] = [Vote(player, name) for name in targets]
    for action in declared(sitting.game.setup).acts:
        choices = sitting.choosable(player, action)
        commands += [Choose(player, action, name) for name in (*targets, *choices, None)]
    answers = {f"refusals: {command}": sitting.submit(player, command)[1] for command in commands}
    return shown | {key: refusal.text for key, refusal in answers.items() if not refusal.accepted}


class _Table:
    """A terminal at which everybody answers; it keeps each screen and prompt with who has the device."""

    holder, screen = "", ""

    def __init__(self, keeper: Keeper, choose: _Chooser) -> None:
        self.keeper, self.choose = keeper, choose
        self.frames: list[tuple[str, Sitting, str]] = []

    def show(self, text: str, style: Style = "plain") -> None:
        """Keep the lines, and note whose screen it is."""
        if style == "private":
            self.holder = next(name for name in self.keeper.game.players if text.startswith(f"{name}, "))
        self.screen += f"{text}\n"

    def clear(self, *, hands: bool = False) -> None:
        """Begin a screen for everybody."""
        self.holder, self.screen = "", ""

    def ask(self, prompt: str, words: Words = (), about: Vocabulary | None = None) -> str:
        """Answer; raise EOFError when the village is asked, at the end, and after a long time."""
        sitting = self.keeper.sitting
        if sitting.game.verdict is None:
            self.frames.append((self.holder, sitting, f"{self.screen}{prompt} {words}"))
        if (
            prompt.startswith("day")
            or sitting.game.verdict
            or len(self.frames) > _PROMPTS * len(sitting.game.players)
        ):
            raise EOFError
        offered = [name for name in words if name in sitting.game.players]
        if not self.holder or prompt.startswith("\nPress Enter") or not offered:
            return ""
        action = "attack" if "attack" in prompt else "vision"
        target = self.choose(sitting, self.holder, action).target or "nobody"
        return target if target in offered or "decline" in prompt else offered[0]
