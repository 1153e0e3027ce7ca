"""A session: a game on its log, and the commands that go on with it.

Phases in which everybody looks and then attacks (a "night") depend on the order of turns, which the
rules set and nobody should see. There a move is noted first, on disk too, and all are made together, in
the order of the rules, when everybody has chosen. In other phases a move is made at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kripke_werewolf.console.language import Command, move
from kripke_werewolf.errors import GameError, IllegalMove
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.werewolf import LogFile, Message, QuantumWerewolf
from kripke_werewolf.werewolf.draws import Chance, choose
from kripke_werewolf.werewolf.log import Choice, HouseRules, Unacted
from kripke_werewolf.werewolf.rules import Action
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

    With the same `seed` the same moves draw the same outcomes, also after a break. If it `waits`, noted
    choices are made by `end` only, not with the last choice: nobody then sees who chose last.
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
        """Whether moves are noted now, and made together.

        In a classical deal this holds also where the rules would let moves be made at once: the phase
        would end with the only seer's vision.
        """
        setup, phase = self.game.setup, self.game.phase
        dealt = setup.roles is not None and phase.kind != "vote"
        return (phase.kind == "night" or dealt) and not setup.strict

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

    def act(
        self, action: Action, actor: str, target: str, *, result: str | None = None, lasting: bool = False
    ) -> Done:
        """Let a player look or attack, at once or when all have chosen.

        `lasting`: a move that would end the phase is noted, and made by `end`: others, who have nothing to
        choose, must not see from it that they are left out.
        """
        command = Command(action, (actor, target), result)
        return self._choose_or_move(command, Choice(actor, action, target, result), lasting)

    def decline(self, actor: str, *, lasting: bool = False) -> Done:
        """Let a player do without a vision; `lasting` as in `act`."""
        return self._choose_or_move(Command("decline", (actor,)), Choice(actor, "vision", None), lasting)

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
        step = len(self.game.steps) - 1
        phase = self.game.at(step).phase
        while step and self.game.at(step - 1).phase == phase:
            step -= 1
        return self.undo(len(self.game.steps) - step)

    def _game(self) -> QuantumWerewolf:
        """The game with the chance of its next step."""
        return self.game.with_draw(Chance(self.seed, len(self.game.steps) << 20))

    def _check_open(self, actor: str, action: Action) -> None:
        reason = self.game.refusal(actor, action)
        if reason is None and action not in self.to_choose.get(actor, ()):
            reason = f"{actor} has already chosen; undo takes the last choice back"
        if reason is not None:
            raise IllegalMove(f"the {action} of {actor} is refused: {reason}")

    def _choose_or_move(self, command: Command, choice: Choice, lasting: bool) -> Done:
        self._check_open(choice.actor, choice.action)
        moved = move(self._game(), command)  # made for trial: whatever is wrong with it is said now
        if self.collects or (lasting and _ended(self.game, moved)):
            return self._choose(choice)
        return self._go_on(moved)

    def _choose(self, choice: Choice) -> Done:
        if not self.waits and self.to_choose == {choice.actor: (choice.action,)}:  # nobody else is left
            return self._make((*self.choices, choice))
        self.log.choose(choice)
        return Done(noted=f"noted: {choice.actor} has chosen")

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


def _ended(before: QuantumWerewolf, after: QuantumWerewolf) -> bool:
    return after.phase != before.phase or after.verdict is not None
