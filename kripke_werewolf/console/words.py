"""What a console says about a game: headings, status, help."""

from __future__ import annotations

from kripke_werewolf.console.language import USAGE
from kripke_werewolf.console.session import Session
from kripke_werewolf.werewolf.events import Action, PhaseEnded
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.handout import announced_table
from kripke_werewolf.werewolf.messages import Message, messages
from kripke_werewolf.werewolf.story import stages, worlds_text
from kripke_werewolf.werewolf.table import Table

__all__ = [
    "LOOKS",
    "help_text",
    "last_table",
    "numbers_text",
    "recent",
    "status_text",
    "table_text",
    "to_do_text",
]

LOOKS: dict[Action, str] = {"vision": "look at", "attack": "attack"}

_HELP = {
    "vision": "let a player look at another",
    "attack": "let a player attack another",
    "decline": "let a player do without a vision",
    "vote": "vote a player off; several are a tie",
    "end": "end the phase: nobody is voted off; who may decline declines",
    "undo": "take back the last choice or step, several steps, or the phase",
    "table": "the public table, or the game master's",
    "status": "where the game stands",
    "numbers": "who has which number",
    "help": "this list",
    "quit": "stop; everything is saved",
}


def help_text(verbs: tuple[str, ...] = tuple(USAGE)) -> str:
    """Return the commands with what they do."""
    width = max(len(USAGE[verb]) for verb in verbs)
    return "\n".join(f"  {USAGE[verb]:{width}}  {_HELP[verb]}" for verb in verbs)


def to_do_text(session: Session) -> str:
    """Return who has still to do what, with everything that is secret."""
    game = session.game
    if game.verdict is not None:
        return "the game is over"
    if game.phase.kind == "vote":
        return "the village votes"
    due = [f"{name} ({' and '.join(actions)})" for name, actions in session.to_choose.items()]
    free = [a for a in game.setup.actions(game.phase) if session.may_decline(a)]
    declined = f"; a {free[0]} may be declined" if due and free else ""
    return f"to act: {', '.join(due)}{declined}" if due else "nobody has anything to do: 'end' goes on"


def status_text(session: Session, *, secret: bool) -> str:
    """Return where the game stands; `secret`: with the numbers of worlds and steps, and who is to act."""
    game = session.game
    made = f", {len(game.steps)} step{'' if len(game.steps) == 1 else 's'} made" if secret else ""
    lines = [f"{game.phase if game.verdict is None else 'the game is over'}{made}"]
    lines.append(f"alive: {', '.join(game.alive) or 'nobody'}")
    dead = [name for name in game.players if name not in game.alive]
    if dead:
        lines.append(f"dead: {', '.join(dead)}")
    if secret:
        lines.append(worlds_text(game.size))
        if game.verdict is None:
            lines.append(to_do_text(session))
    if game.setup.sampled:
        lines.append(f"played on {game.setup.sampled}")
    return "\n".join(lines)


def numbers_text(game: QuantumWerewolf) -> str:
    """Return who has which number: the game master's secret where the table is anonymous."""
    pairs = sorted(zip(game.setup.numbers, game.players, strict=True))
    return "\n".join(f"{number:4}  {name}" for number, name in pairs)


def table_text(table: Table) -> str:
    """Return a public table as it is announced."""
    text = table.to_text("percent")
    return text if table.worlds is None else f"{text}\nleft: {worlds_text(table.worlds)}"


def last_table(game: QuantumWerewolf) -> Table | None:
    """Return the table as it was last made public; None if none was yet."""
    found = None
    for now in stages(game):
        if now.table_due:
            found = announced_table(now)
    return found


def recent(game: QuantumWerewolf) -> tuple[Message, ...]:
    """Return what was to be told since the phase before the current one began."""
    ends = [i for i, step in enumerate(game.steps) if any(isinstance(e, PhaseEnded) for e in step)]
    since = 0 if len(ends) < 2 else ends[-2] + 1
    return messages(game.setup, [event for step in game.steps[since:] for event in step])
