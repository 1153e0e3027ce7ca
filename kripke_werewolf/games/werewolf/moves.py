"""Moves with their automatic consequences.

After a vote and at the end of a phase, players who are certainly dead are found, the verdict is tested, an
undetermined game may collapse, and players are told privately the certain facts about them. A phase ends with
its last possible action, or when the game master ends it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from kripke_werewolf.base.errors import GameError, IllegalMove
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.draws import Draw
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.state import State

Moved: TypeAlias = tuple[State, ev.Step]
"""The state after a step, and the step."""


def play(game: ev.Played, move: ev.Event, draw: Draw) -> Moved:
    """Make a move with all its consequences; raise IllegalMove if it is not allowed."""
    before = game.states[-1]
    event, state = move.happen(game, before, draw)
    step: ev.Step = (event,)
    over, voted = bool(before.open) and not state.open, state.votes > before.votes
    if before.waits and not state.naming:  # what a dead player's choice had interrupted
        state, voted, over = replace(state, waits=""), before.waits == "vote", False
        if before.waits == "phase":
            state, consequences = _after_phase(game, state, draw)
            return state, step + consequences
    if voted:
        state, consequences = aftermath(game, state, draw, voted=True)
        step += consequences
        over = state.votes >= game.setup.rules.burnings
    if over and state.verdict is None and not state.naming:
        state, ending = end_phase(game, state, draw)
        step += ending
    return state, step


def waits_for_next_phase(game: ev.Played, move: ev.Event) -> bool:
    """Whether a move belongs in the next phase, and the current one may end without missing actions."""
    setup, state = game.setup, game.states[-1]
    if state.verdict is not None or (setup.strict and state.open):
        return False
    following = setup.phase_after(state.phase)
    return not move.belongs_in(setup, state.phase) and move.belongs_in(setup, following)


def end_phase(game: ev.Played, state: State, draw: Draw) -> Moved:
    """End the phase: compulsory actions that are missing are recorded, other missing ones declined."""
    if state.verdict is not None:
        raise IllegalMove(Sentence("over-already"))
    if state.naming:
        raise IllegalMove(Sentence("cannot-end-yet", reason=state.over_for(0)))
    declined = (ev.Declined(name, action) for name, action in state.due(compulsory=False))
    ended = ev.PhaseEnded(state.phase.kind, state.phase.number, state.due(compulsory=True))
    moments = ev.moments_after(game.setup, state.phase)
    state = replace(state, worlds=ev.following(state.worlds, game.setup, *moments))
    state, consequences = _after_phase(game, state, draw)
    return state, (*declined, ended, *consequences)


def _after_phase(game: ev.Played, state: State, draw: Draw) -> Moved:
    """Carry out the consequences of a finished phase, and begin the next one if the game goes on."""
    state, consequences = aftermath(game, state, draw, voted=False)
    if state.verdict is None and not state.naming:
        phase = game.setup.phase_after(state.phase)
        if phase.kind == "vote":
            state = replace(state, worlds=ev.following(state.worlds, game.setup, "morning"))
        state = state.begin(phase)
    return state, consequences


def aftermath(game: ev.Played, state: State, draw: Draw, *, voted: bool) -> Moved:
    """Carry out the consequences of a vote or of a finished phase.

    In this order: certain deaths one after the other (after a vote the rules may leave them to nightfall;
    before a dawn they come then), verdict, forced collapse with its deaths, private notices. If one of the
    dead may take somebody along, the rest waits for their choice.
    """
    setup, step = game.setup, tuple[ev.Event, ...]()
    if not voted or setup.rules.verdict_at_vote == "after deaths":
        state, step = _cascade(game, state, draw)
    if state.naming and len(state.dead) < setup.deck.players:
        return replace(state, waits="vote" if voted else "phase"), step
    nobody_left = len(state.dead) == setup.deck.players  # to vote, so the end would not be tested later
    if setup.rules.verdict_after == "phase" or voted or nobody_left:
        verdict = state.standing
        if verdict is None and state.holds(declared(setup).collapse):
            collapsed, state = ev.Collapsed().happen(game, state, draw)
            state, deaths = _cascade(game, state, draw)
            step += (collapsed, *deaths)
            ends = declared(setup).endings
            verdict = next(end.verdict for end in ends if state.holds(f"everywhere ({end.drawn})"))
        state = state if verdict is None else replace(state, verdict=verdict, entitled=frozenset())
    state = replace(state, naming=frozenset())  # of those who die in a collapse, too
    for player, role in state.certain(declared(setup).notices, besides=state.told).items():
        told, state = ev.Notice(player, role).happen(game, state, draw)
        step += (told,)
    if state.verdict is not None:
        won = tuple(name for name, wins in state.winners.items() if wins)
        step += (ev.GameEnded(state.verdict, state.forced, won),)
    return state, step


def _cascade(game: ev.Played, state: State, draw: Draw) -> Moved:
    """Find all players who are dead in every world, until there are none left."""
    setup, step = game.setup, tuple[ev.Event, ...]()
    if setup.at_night(state.phase):
        return state, step
    by_seat = setup.rules.cascade == "rounds"
    order = sorted(range(setup.deck.players), key=None if by_seat else setup.numbers.__getitem__)
    while True:
        safe = {seat for seat, chance in enumerate(state.death_chances) if chance is not None and chance < 1}
        certain = [seat for seat in order if seat not in state.dead | safe]
        if not certain:
            return state, step
        for seat in certain if setup.rules.cascade == "together" else certain[:1]:
            death, state = ev.FoundDead(setup.players[seat]).happen(game, state, draw)
            step += (death,)
        if setup.rules.cascade == "rounds":  # go on around the table
            place = order.index(seat) + 1
            order = order[place:] + order[:place]


def repeated(game: ev.Played, step: ev.Step) -> Moved:
    """Repeat a recorded move with its outcomes forced.

    Raises IllegalMove if the rules forbid it, and GameError if its consequences differ from the record.
    """
    if not step:
        raise GameError("a step without events is not a move")
    move, draw = step[0], _outcomes(game.setup, step)
    if not move.is_move:
        raise GameError(f"{move} is not a move; it can only follow from one")
    if ev.only_ends(step):
        state, again = end_phase(game, game.states[-1], draw)
    elif isinstance(move, ev.TakenAlong) and game.states[-1].forced:
        state, again = _named_late(game, move, draw)
    elif waits_for_next_phase(game, move):
        raise GameError(f"{game.states[-1].phase} has to end first, and no step says so")
    else:
        state, again = play(game, move, draw)
    for place, (recorded, event) in enumerate(zip(step, again, strict=False), start=1):
        if recorded != event:
            raise GameError(f"event {place} of the step is recorded as {recorded!r}, but {event!r} follows")
    if len(step) != len(again):
        raise GameError(f"the step records {len(step)} events, but its move leads to {len(again)}")
    return state, again


def _named_late(game: ev.Played, move: ev.TakenAlong, draw: Draw) -> Moved:
    """Let one of the dead name somebody after a collapse that ended the game, as older logs may say."""
    dead = {game.setup.players[seat] for seat in game.states[-1].dead}
    event, state = move.happen(game, replace(game.states[-1], naming=frozenset(dead & {move.actor})), draw)
    return replace(state, naming=frozenset()), (event,)


def _outcomes(setup: Setup, step: ev.Step) -> Draw:
    """Return a draw that takes its outcomes from the events of one step."""
    roles = {event.player: event.role for event in step if isinstance(event, ev.FoundDead)}
    ends = (event.roles for event in step if isinstance(event, ev.Collapsed))
    collapsed = dict(zip(setup.players, next(ends, ()), strict=False))

    def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        outcome = (collapsed if kind == "collapse" and collapsed else roles).get(player or "")
        if outcome is None:
            raise GameError(f"the step has no outcome for the draw {kind!r} of {player!r}")
        return outcome

    return draw
