"""The story of a game, step by step, as the game master knows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    GameEnded,
    PhaseEnded,
    Said,
    Told,
    Vision,
    VotedOff,
    Weights,
    event_to_dict,
)
from kripke_werewolf.werewolf.log_format import Step
from kripke_werewolf.werewolf.state import Phase, Setup
from kripke_werewolf.werewolf.table import Table

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Episode", "describe_setup", "sentence", "stages", "story", "worlds_text"]


@dataclass(frozen=True, slots=True)
class Episode:
    """One step of a game with what it did; step 0 is the start."""

    step: int
    phase: Phase
    """The phase in which the step was made."""
    events: Step
    worlds: int
    """The number of worlds after the step."""
    table: Table
    """The game master's table after the step."""
    public: Table | None
    """The table that was announced then; None if none was."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What happened, in the words of somebody who knows everything."""
        return tuple(text for event in self.events if (text := sentence(event)))

    @property
    def ended(self) -> bool:
        """Whether the step ended its phase."""
        return any(isinstance(event, PhaseEnded) for event in self.events)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values."""
        return {
            "step": self.step,
            "phase": str(self.phase),
            "events": [event_to_dict(event) for event in self.events],
            "text": list(self.sentences),
            "worlds": self.worlds,
        }


def stages(game: QuantumWerewolf) -> Iterator[QuantumWerewolf]:
    """Yield the game at its start and after every step."""
    now = game.at(0)
    yield now
    for step in game.steps:
        now = now.repeat(step)
        yield now


def story(game: QuantumWerewolf) -> Iterator[Episode]:
    """Yield what happened, from the start to now.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> for episode in story(game):
    ...     print(episode.step, episode.worlds, *episode.sentences)
    0 6
    1 5 Ann looks at Bo and sees wolf (of 2 worlds: villager 1, wolf 1).
    """
    phase = None
    for step, now in enumerate(stages(game)):
        yield Episode(
            step=step,
            phase=phase or now.phase,
            events=now.steps[-1] if step else (),
            worlds=now.size,
            table=now.table(),
            public=now.table(public=True) if now.table_due else None,
        )
        phase = now.phase


def sentence(event: Event) -> str:
    """Return what happened in one sentence, with everything that is secret."""
    match event:
        case Vision(actor, target, None):
            return f"{actor} looks at {target} and sees nothing: no world is left to see."
        case Vision(actor, target, result, weights):
            return f"{actor} looks at {target} and sees {result}{_of(weights)}."
        case Attack(actor, target):
            return f"{actor} attacks {target}."
        case Declined(actor, action):
            return f"{actor} does without the {action}."
        case VotedOff(player, role, _, weights, tied):
            lot = f"Tied are {', '.join(tied)}; the lot decides. " if tied else ""
            return f"{lot}{player} is voted off and was {_role(role)}{_of(weights)}."
        case FoundDead(player, None):
            return f"{player} is dead: no world is left."
        case FoundDead(player, role, _, weights):
            return f"{player} is found dead and was {_role(role)}{_of(weights)}."
        case Told(player, role):
            return f"{player} is told that only one role is left: {role}."
        case Said(speaker, f, (), believed):
            return f"{speaker} {'says, and is believed' if believed else 'claims'}: {f}."
        case Said(speaker, f, to, _, noticed):
            seen = "while the others see it" if noticed else "unnoticed by the others"
            return f"{speaker} tells {' and '.join(to)}, {seen}: {f}."
        case Collapsed(roles):
            return f"Nothing can change any more; one world is drawn: {', '.join(roles)}."
        case PhaseEnded(_, _, missing) if missing:
            left_out = ", ".join(f"{player} ({action})" for player, action in missing)
            return f"Passed over: {left_out}."
        case GameEnded(verdict, forced, winners):
            ends = {"village": "The village wins", "wolves": "The wolves win", "draw": "The game is a draw"}
            how = ", by the forced collapse" if forced else ""
            names = f"; winners: {', '.join(winners)}" if winners else ""
            return f"{ends[verdict]}{how}{names}."
        case _:
            return ""


def _role(role: str | None) -> str:
    return role or "of an unknown role"


def _of(weights: Weights) -> str:
    if len(weights) < 2:
        return ""
    total = sum(weight for _, weight in weights)
    return f" (of {worlds_text(total)}: {', '.join(f'{name} {weight:,}' for name, weight in weights)})"


def worlds_text(worlds: int) -> str:
    """Return a number of worlds in words: `1 world`, `1,860,480 worlds`."""
    return "1 world" if worlds == 1 else f"{worlds:,} worlds"


def describe_setup(setup: Setup) -> str:
    """Return the public settings of a game in one sentence.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> describe_setup(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").setup)
    "3 players under the rules 'gekka': 1 seer, 1 wolf, 1 villager; quantum deal, secret targets."
    """
    deck = setup.deck
    cards = [(deck.seers, "seer", "seers"), (deck.wolves, "wolf", "wolves")]
    cards.append((deck.villagers, "villager", "villagers"))
    held = ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in cards if n)
    sample = f", {setup.sampled}" if setup.sampled else ""
    return (
        f"{len(setup.players)} players under the rules {setup.rules.name!r}: {held}; "
        f"{setup.deal} deal, {setup.targets} targets{sample}."
    )
