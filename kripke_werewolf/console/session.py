"""A session: a game on its log, and the commands that go on with it.

Phases in which everybody looks and then attacks (a "night") depend on the order of turns, which the
rules set and nobody should see. There a move is noted first, on disk too, and all are made together, in
the order of the rules, when everybody has chosen. In other phases a move is made at once.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from kripke_werewolf.console.language import Command, move
from kripke_werewolf.errors import GameError, IllegalMove
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.werewolf import LogFile, Message, QuantumWerewolf
from kripke_werewolf.werewolf.draws import Chance, choose
from kripke_werewolf.werewolf.events import Vision
from kripke_werewolf.werewolf.log import Choice, HouseRules, Unacted
from kripke_werewolf.werewolf.rules import Action
from kripke_werewolf.werewolf.setup import Phase
from kripke_werewolf.werewolf.state import compulsory
from kripke_werewolf.werewolf.telling import messages


@dataclass(frozen=True, slots=True)
class Done:
    """The effect of a command; it is on disk."""

    messages: tuple[Message, ...] = ()
    """What to tell to whom."""
    noted: str = ""
    """A confirmation, if there is nothing to tell; it gives no secret away."""
    ended: bool = False
    """Whether a phase has ended."""


class Session:
    """A game being played; `game` is always what is on disk.

    With the same `seed` the same moves draw the same outcomes, also after a break. If it `waits`, no choice
    ends a phase, only `end` does: nobody then sees who had the last choice.
    """

    def __init__(self, log: LogFile, house: HouseRules, *, seed: int, waits: bool = False) -> None:
        self.log, self.house, self.seed, self.waits = log, house, seed, waits

    @property
    def game(self) -> QuantumWerewolf:
        """The game as it is on disk."""
        return self.log.game

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices for this night that are not yet made."""
        return tuple(c for c in self.log.choices if c.action in self.game.may_act.get(c.actor, ()))

    @property
    def collects(self) -> bool:
        """Whether moves are noted now, and made together."""
        return self.collects_in(self.game.phase)

    def collects_in(self, phase: Phase) -> bool:
        """Whether moves are noted in a phase, and made together at its end."""
        return phase.kind == "night" and not self.game.setup.strict

    @property
    def to_choose(self) -> dict[str, tuple[Action, ...]]:
        """Who has still to choose, and which actions."""
        chosen = {(c.actor, c.action) for c in self.choices}
        due = {
            name: tuple(action for action in actions if (name, action) not in chosen)
            for name, actions in self.game.may_act.items()
        }
        return {name: actions for name, actions in due.items() if actions}

    def may_decline(self, action: Action) -> bool:
        """Whether an action may be declined."""
        return not compulsory(self.game.setup, action)

    def do(self, command: Command) -> Done:
        """Carry out a command that changes the game.

        Raises IllegalMove with the reason when it is refused; nothing has changed then.
        """
        match command:
            case Command("vision" | "attack" as action, (actor, target), word):
                return self.act(action, actor, target, result=word)
            case Command("decline", (actor,)):
                return self.decline(actor)
            case Command("vote", players, word):
                return self.vote(players, role=word)
            case Command("end", _, word):
                return self.end("pass" if word == "pass" else "random" if word == "random" else None)
            case Command("undo", _, word):
                return self.undo_phase() if word == "phase" else self.undo(int(word or 1))
        raise GameError(f"{command.verb!r} does not change the game")

    def act(self, action: Action, actor: str, target: str, *, result: str | None = None) -> Done:
        """Let a player look or attack, at once or when all have chosen."""
        return self._choose_or_move(
            Command(action, (actor, target), result), Choice(actor, action, target, result)
        )

    def decline(self, actor: str) -> Done:
        """Let a player do without a vision."""
        return self._choose_or_move(Command("decline", (actor,)), Choice(actor, "vision", None))

    def vote(self, players: tuple[str, ...], *, role: str | None = None) -> Done:
        """Let the village vote somebody off, or decide a tie."""
        if self.game.phase.kind != "vote" and self.game.verdict is None:
            raise IllegalMove(f"there is no vote in {self.game.phase}; 'end' ends it")
        if len(players) > 1 and self.house.ties == "village":
            raise IllegalMove(f"{', '.join(players)} are tied, and the village decides: name one of them")
        return self._go_on(move(self._game(), Command("vote", players, role)))

    def end(self, missing: Literal["pass", "random"] | None = None) -> Done:
        """End the phase; the house rules decide by default on compulsory actions not taken."""
        game = self.game
        if game.verdict is not None:
            raise IllegalMove("the phase cannot end: the game is over")
        how: Unacted = missing or self.house.missing
        due = [
            (name, action)
            for name, actions in self.to_choose.items()
            for action in actions
            if not self.may_decline(action)
        ]
        if due and how == "remind":
            number = "1 choice is" if len(due) == 1 else f"{len(due)} choices are"
            raise IllegalMove(f"{game.phase} cannot end: {number} missing; 'end pass' goes on without")
        if not self.collects and not self.choices:
            return self._go_on(self._game().end_phase(missing="random" if how == "random" else "pass"))
        random = self._random_choices(due) if how == "random" else ()
        return self._make((*self.choices, *random))

    def undo(self, steps: int = 1) -> Done:
        """Take back the last choice, if there is one, or the last steps."""
        if steps == 1 and self.choices:
            self.log.withdraw(self.choices[-1])
            return Done(noted="the last choice is taken back")
        made = len(self.game.steps)
        if not steps:
            raise IllegalMove("cannot take back 0 steps; give a number of at least 1")
        if steps > made:
            has = f"the game has {counted(made, 'step')}"
            raise IllegalMove(f"cannot take back {counted(steps, 'step')}: {has}")
        self.log.write(self.game.at(made - steps))
        return Done(noted=f"taken back: {counted(steps, 'step')}; it is {self.game.phase}")

    def undo_phase(self) -> Done:
        """Go back to the beginning of the phase, or of the one before if this one has just begun."""
        if self.choices:
            for choice in reversed(self.choices):
                self.log.withdraw(choice)
            return Done(noted=f"all choices are taken back; it is {self.game.phase}")
        if not self.game.steps:
            raise IllegalMove("there is nothing to undo: the game has just begun")
        made = len(self.game.steps)
        return self.undo(made - phase_start(self.game, made - 1))

    def go_back(self, step: int, choices: tuple[Choice, ...] = ()) -> None:
        """Go back to the game after so many steps, with these choices noted."""
        if step < len(self.game.steps):
            self.log.write(self.game.at(step))
        for choice in self.choices:
            if choice not in choices:
                self.log.withdraw(choice)
        for choice in choices:
            if choice not in self.choices:
                self.log.choose(choice)

    def _game(self) -> QuantumWerewolf:
        """The game with the chance of its next step."""
        return self.game.with_draw(Chance(self.seed, len(self.game.steps) << 20))

    def _check_open(self, actor: str, action: Action) -> None:
        reason = self.game.refusal(actor, action)
        if reason is None and action not in self.to_choose.get(actor, ()):
            reason = f"{actor} has already chosen; undo takes the last choice back"
        if reason is not None:
            raise IllegalMove(f"the {action} of {actor} is refused: {reason}")

    def _choose_or_move(self, command: Command, choice: Choice) -> Done:
        self._check_open(choice.actor, choice.action)
        try:
            moved = move(self._game(), command)  # made for trial: whatever is wrong with it is said now
        except IllegalMove:
            self._note_refusal(choice)
            raise
        if self.collects:
            return self._choose(choice)
        if self.waits and _ended(self.game, moved):
            return self._foretell(choice, moved)
        return self._go_on(moved)

    def _note_refusal(self, choice: Choice) -> None:
        """Record a refusal that tells its actor something, once in a phase."""
        if choice.action == "attack" and choice.target is not None:
            known = self.game.handout(choice.actor).parts[-1].refused(choice.actor)
            with suppress(IllegalMove):
                refused = self.game.refuse(choice.actor, choice.target)
                if choice.target not in known:
                    self.log.write(refused)

    def _foretell(self, choice: Choice, moved: QuantumWerewolf) -> Done:
        """Note a choice that would end the phase, with what its actor is told about it already now."""
        event = moved.steps[len(self.game.steps)][0]
        result = event.result if isinstance(event, Vision) else None
        self.log.choose(replace(choice, result=result))
        told = tuple(m for m in messages(moved.setup, [event]) if m.to == choice.actor)
        return Done(told, noted=_noted(choice))

    def _choose(self, choice: Choice) -> Done:
        if not self.waits and self.to_choose == {choice.actor: (choice.action,)}:  # nobody else is left
            return self._make((*self.choices, choice))
        self.log.choose(choice)
        return Done(noted=_noted(choice))

    def _random_choices(self, due: list[tuple[str, Action]]) -> tuple[Choice, ...]:
        game, chance = self.game, Chance(self.seed, (len(self.game.steps) << 20) + (1 << 19))
        found = []
        for name, action in due:
            targets = game.legal_targets(name, action)
            if targets:
                found.append(Choice(name, action, choose(chance, "target", name, dict.fromkeys(targets, 1))))
        return tuple(found)

    def _make(self, choices: tuple[Choice, ...]) -> Done:
        """Make the moves of a night together, and end it."""
        actions: dict[str, dict[str, str | tuple[str, str]]] = {}
        for c in choices:
            if c.target is not None:
                actions.setdefault(c.actor, {})[c.action] = (
                    c.target if c.result is None else (c.target, c.result)
                )
        return self._go_on(self._game().act(actions, missing="pass"))

    def _go_on(self, game: QuantumWerewolf) -> Done:
        before = self.game
        self.log.write(game)
        events = [event for step in game.steps[len(before.steps) :] for event in step]
        return Done(messages(game.setup, events), ended=_ended(before, game))


def phase_start(game: QuantumWerewolf, step: int) -> int:
    """Return the number of steps after which the phase began that the game was in after `step` steps."""
    phase = game.states[step].phase
    return next(number for number, state in enumerate(game.states) if state.phase == phase)


def _noted(choice: Choice) -> str:
    return f"noted: {choice.actor} has chosen"


def _ended(before: QuantumWerewolf, after: QuantumWerewolf) -> bool:
    return after.phase != before.phase or after.verdict is not None
