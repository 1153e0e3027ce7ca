"""What can be read off a game at any moment: worlds, table, who may do what, what is told."""

from __future__ import annotations

from collections.abc import Sequence

from kripke_werewolf.werewolf.endings import known_roles, standing, winners
from kripke_werewolf.werewolf.events import Action, PhaseEnded, Verdict
from kripke_werewolf.werewolf.legality import actor_refusal, missing, target_refusal
from kripke_werewolf.werewolf.log_format import Step, game_lines
from kripke_werewolf.werewolf.messages import Message, messages
from kripke_werewolf.werewolf.rules import Rules
from kripke_werewolf.werewolf.state import Phase, Setup, State
from kripke_werewolf.werewolf.superposition import Superposition
from kripke_werewolf.werewolf.table import Table, make_table

__all__ = ["GameView"]


class GameView:
    """The part of `QuantumWerewolf` that only looks."""

    __slots__ = ("_state", "setup", "steps")

    setup: Setup
    """What is fixed: players, deck, rules, settings."""
    steps: tuple[Step, ...]
    """The moves so far: for each, its event and those that followed from it."""
    _state: State

    # what is

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all players in seat order."""
        return self.setup.players

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.setup.rules

    @property
    def worlds(self) -> Superposition:
        """The superposition: the worlds that survive."""
        return self._state.worlds

    @property
    def size(self) -> int:
        """The number of worlds."""
        return self._state.worlds.size

    @property
    def phase(self) -> Phase:
        """The current phase, or the last one if the game is over."""
        return self._state.phase

    @property
    def events(self) -> Step:
        """Everything that happened, in order."""
        return tuple(event for step in self.steps for event in step)

    @property
    def alive(self) -> tuple[str, ...]:
        """The players who are not officially dead, in seat order."""
        return tuple(name for p, name in enumerate(self.players) if p not in self._state.dead)

    @property
    def verdict(self) -> Verdict | None:
        """`"village"`, `"wolves"` or `"draw"`; None while the game runs."""
        return self._state.verdict

    @property
    def forced(self) -> bool:
        """Whether the verdict came by a forced collapse."""
        return self._state.forced

    @property
    def standing(self) -> Verdict | None:
        """The verdict the worlds give right now, whether or not the rules test it at this point."""
        return self.verdict or standing(self.setup, self._state)

    @property
    def results(self) -> dict[str, bool | None]:
        """Who has won, once the game is over; None for everybody in a draw. Empty while it runs."""
        return winners(self.setup, self._state) if self.verdict else {}

    @property
    def known_roles(self) -> dict[str, str]:
        """The players with only one role left, and that role."""
        return {self.players[p]: role for p, role in known_roles(self.setup, self._state).items()}

    def table(self, *, public: bool = False, columns: Sequence[str] | None = None) -> Table:
        """Return the probability table: the game master's, or the one the rules make public."""
        return make_table(self.setup, self._state, public=public, columns=columns)

    @property
    def table_due(self) -> bool:
        """Whether the rules announce the public table at this moment: nightfall, or morning.

        Never in a classical deal: its table would tell everybody's role.
        """
        if self.setup.roles is not None:
            return False
        ended = [e for e in self.steps[-1] if isinstance(e, PhaseEnded)] if self.steps else []
        if not self.steps or (ended and ended[-1].kind == "vote"):
            return "nightfall" in self.rules.table_at
        morning = bool(ended) and (self.phase.kind == "vote" or self.verdict is not None)
        return morning and "morning" in self.rules.table_at

    # what may be done

    @property
    def may_act(self) -> dict[str, tuple[Action, ...]]:
        """The players who still have actions in this phase, with these actions."""
        if self.verdict is not None:
            return {}
        kinds = self.setup.actions(self.phase)
        due = {n: tuple(a for a in kinds if p in self._state.open(a)) for p, n in enumerate(self.players)}
        return {name: actions for name, actions in due.items() if actions}

    @property
    def waiting_for(self) -> tuple[tuple[str, Action], ...]:
        """The compulsory actions not yet taken in this phase."""
        if self.verdict is not None:
            return ()
        return tuple((self.players[p], action) for p, action in missing(self.setup, self._state))

    def refusal(self, actor: str | int, action: Action, *, target: str | int | None = None) -> str | None:
        """Return why a move would be refused in this phase, or None if it is allowed.

        Without a target: why the player may not act at all.
        """
        seat = self.setup.seat(actor)
        reason = actor_refusal(self.setup, self._state, seat, action)
        if reason is not None or target is None:
            return reason
        return target_refusal(self.setup, self._state, seat, action, self.setup.seat(target))

    def legal_targets(self, actor: str | int, action: Action) -> tuple[str, ...]:
        """Return the targets a player may choose now, in seat order; none if he may not act."""
        return tuple(name for name in self.players if self.refusal(actor, action, target=name) is None)

    # what is told

    @property
    def news(self) -> tuple[Message, ...]:
        """What to tell to whom about the last step."""
        return messages(self.setup, self.steps[-1] if self.steps else ())

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was told to whom since the start."""
        return messages(self.setup, self.events)

    @property
    def log(self) -> tuple[str, ...]:
        """The game as lines of JSON: a header, then one line per step."""
        return game_lines(self.setup, self.steps)
