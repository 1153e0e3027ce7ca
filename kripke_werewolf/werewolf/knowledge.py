"""Who knows what about whom: tables as a player sees them, and the matrix of all players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import get_args

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import GameError
from kripke_werewolf.language import Atom, Formula, Not, conjunction, disjunction
from kripke_werewolf.language.formulas import FormulaLike
from kripke_werewolf.language.operators import Knows
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.tables import Cell, Grid, counted
from kripke_werewolf.werewolf.actions import View
from kripke_werewolf.werewolf.counted_view import MANY, CountedView
from kripke_werewolf.werewolf.events import Played
from kripke_werewolf.werewolf.game_models import build_model
from kripke_werewolf.werewolf.handout import Handout, handout
from kripke_werewolf.werewolf.questions import Inquiry, Reading, ask_tables, resolve
from kripke_werewolf.werewolf.rules import FACTS, check_possible
from kripke_werewolf.werewolf.setup import LIMIT, Setup
from kripke_werewolf.werewolf.table import Table, chosen_columns


def table_of(
    game: Played, viewer: str | int, *, columns: Sequence[str] | None, reading: Reading, limit: int
) -> Table:
    """Return the probabilities as a player sees them: P_i of every fact, their own records being fixed.

    What others did unseen is weighed: every move they may have made is equally likely. A fraction of a
    life is no fact in any world, so where attacks are fractional a death is only shown when certain.
    `reading`: how published tables are read; see `questions.ask`.
    """
    return table_from(handout(game, viewer), columns=columns, reading=reading, limit=limit)


def table_from(
    told: Handout, *, columns: Sequence[str] | None = None, reading: Reading = "facts", limit: int = LIMIT
) -> Table:
    """Return the probabilities as the player with this handout sees them; see `table_of`."""
    check_possible("reading", reading, get_args(Reading))
    setup, name = told.setup, told.player
    if reading == "table":
        from kripke_werewolf.werewolf.inference import infer

        return infer(told).table(columns)
    headings = chosen_columns(setup, columns)
    if setup.deck.worlds > MANY and all(FACTS[heading] != "dead" for heading in headings):
        with suppress(GameError):
            return _counted_table(told, headings)
    model = build_model(View.of({name: told}), [name], limit=limit)
    rows = tuple(tuple(_cell(setup, model, name, subject, h) for h in headings) for subject in setup.players)
    notes = [f"as {name} sees it, reading: facts"]
    if any(cell is None for row in rows for cell in row):
        notes.append("?: bitten perhaps, but a fraction of a life is no fact in any world")
    return Table(setup.players, headings, rows, len(model), "; ".join(notes + _sampled(setup)))


def _counted_table(told: Handout, headings: tuple[str, ...]) -> Table:
    """Return the probabilities of roles, which do not need the worlds one by one."""
    chance, players = CountedView.of(told).chance, told.setup.players
    rows = tuple(tuple(chance(f"{FACTS[heading]}_{name}") for heading in headings) for name in players)
    return Table(players, headings, rows, None, f"as {told.player} sees it, reading: facts")


def _sampled(setup: Setup) -> list[str]:
    return [f"{setup.sampled} at the start"] if setup.sampled else []


def _cell(setup: Setup, model: KripkeModel, viewer: str, subject: str, heading: str) -> Cell:
    fact = FACTS[heading]
    share = _share(model, viewer, f"{fact}_{subject}")
    return None if fact == "dead" and setup.rules.attack == "fractional" and not share else share


def _share(model: KripkeModel, viewer: str, atom: str) -> Fraction:
    import numpy as np

    # the model is generated from the designated worlds, which a player cannot tell apart: one cell
    weights = model.weight(viewer)
    return Fraction(int(np.sum(weights[model.truth(atom)])), int(np.sum(weights)))


@dataclass(frozen=True, slots=True, repr=False)
class Knowledge(Displayed):
    """Who knows what about whom.

    `shares[viewer, subject][role]`: how likely the viewer holds the subject to have the role (seer,
    villager, wolf), exactly; 1 and 0 are knowledge. `second[viewer, other, subject]`: True where the
    viewer knows that the other knows the subject's role, False where they know that the other does not,
    None where they know neither; empty unless asked for.
    """

    players: tuple[str, ...]
    shares: Mapping[tuple[str, str], Mapping[str, Fraction]]
    second: Mapping[tuple[str, str, str], bool | None]
    note: str = ""
    """The reading, and a caveat about the numbers, such as that the worlds are a sample."""
    reading: Reading = "facts"
    """How published tables were read."""

    def known(self, viewer: str, subject: str) -> str | None:
        """Return the role that the viewer knows the subject to have, if they know it."""
        return next((role for role, share in self.shares[viewer, subject].items() if share == 1), None)

    def excluded(self, viewer: str, subject: str) -> tuple[str, ...]:
        """Return the roles that the viewer knows the subject not to have."""
        return tuple(role for role, share in self.shares[viewer, subject].items() if share == 0)

    def cell(self, viewer: str, subject: str) -> str:
        """Describe the viewer's knowledge of the subject in a word or two.

        The role if it is known; otherwise what it is not, and how likely a wolf.
        """
        role = self.known(viewer, subject)
        if role is not None:
            return role
        out = [f"no {role}" for role in self.excluded(viewer, subject)]
        wolf = self.shares[viewer, subject]["wolf"]
        return ", ".join(out + ([] if wolf in (0, 1) else [f"wolf {wolf}"]))

    @property
    def viewers(self) -> tuple[str, ...]:
        """The players whose knowledge it is."""
        return tuple(dict.fromkeys(viewer for viewer, _ in self.shares))

    def of(self, viewer: str) -> Knowledge:
        """Return the part about what one player knows."""
        shares = {key: value for key, value in self.shares.items() if key[0] == viewer}
        second = {key: value for key, value in self.second.items() if key[0] == viewer}
        return Knowledge(self.players, shares, second, self.note, self.reading)

    def to_dict(self) -> dict[str, object]:
        """Return the matrix as JSON-able values: fractions as text, viewers first."""
        return {
            viewer: {
                "reading": self.reading,
                "roles": {s: {r: str(x) for r, x in self.shares[viewer, s].items()} for s in self.players},
                "others": {
                    o: {s: self.second[viewer, o, s] for s in self.players}
                    for o in self.players
                    if (viewer, o, self.players[0]) in self.second
                },
            }
            for viewer in self.viewers
        }

    def headline(self) -> str:
        """Return how many roles each player knows."""
        known = ((v, sum(self.known(v, s) is not None for s in self.players)) for v in self.viewers)
        return "; ".join(f"{viewer} knows {counted(number, 'role')}" for viewer, number in known)

    def display(self) -> Iterator[Grid]:
        """Yield the table of what everyone knows of everyone, and one for each player of what others know."""
        rows = tuple((v, *(self.cell(v, s) for s in self.players)) for v in self.viewers)
        yield Grid(("knows of", *self.players), rows, "" if self.second else self.note, words=True)
        if self.second:
            *others, last = (self._second_of(viewer) for viewer in self.viewers)
            yield from (*others, replace(last, note=self.note))

    def __str__(self) -> str:
        return "\n\n".join(table.to_text() for table in self.display())

    def _second_of(self, viewer: str) -> Grid:
        others = [o for o in self.players if o != viewer]
        words = {True: "yes", False: "no", None: "open"}
        rows = ((f"  {o}", *(words[self.second[viewer, o, s]] for s in self.players)) for o in others)
        return Grid((f"for {viewer}: knows the role of", *self.players), tuple(rows), words=True)


_ROLES = ("villager", "seer", "wolf")


def knowledge_of(
    game: Played, *, depth: int = 1, reading: Reading = "facts", limit: int = LIMIT
) -> Knowledge:
    """Return who knows what about whom; with depth 2 also who knows whether others know it.

    `reading`: how published tables are read; see `questions.ask`.
    """
    check_possible("depth", depth, (1, 2))
    check_possible("reading", reading, get_args(Reading))
    shares: dict[tuple[str, str], dict[str, Fraction]] = {}
    for viewer in game.setup.players:
        chance = _chances(game, viewer, reading, limit)
        for subject in game.setup.players:
            shares[viewer, subject] = {role: chance(f"{role}_{subject}") for role in _ROLES}
    second: dict[tuple[str, str, str], bool | None] = {}
    if depth == 2:
        for viewer in game.setup.players:
            for other in game.setup.players:
                if other != viewer:
                    second |= _of_the_other(game, viewer, other, reading, limit)
    note = "; ".join([f"reading: {reading}", *_sampled(game.setup)])
    return Knowledge(game.setup.players, shares, second, note, reading)


def _chances(game: Played, viewer: str, reading: Reading, limit: int) -> Callable[[str], Fraction]:
    """Return how likely a player holds a fact, as a function of its atom."""
    own = handout(game, viewer)
    if reading == "table":
        from kripke_werewolf.werewolf.inference import infer

        return infer(own).chance
    with suppress(GameError):
        return CountedView.of(own).chance
    model = build_model(View.of({viewer: own}), [viewer], deaths_of=[], limit=limit)
    return lambda atom: _share(model, viewer, atom)


def _of_the_other(
    game: Played, viewer: str, other: str, reading: Reading, limit: int
) -> dict[tuple[str, str, str], bool | None]:
    """Return the viewer's knowledge of the other's knowledge of every player's role."""
    questions = {s: _knows_role(other, s) for s in game.setup.players}
    if reading == "table":
        return {(viewer, other, s): _known_by_tables(game, viewer, q) for s, q in questions.items()}
    # one model answers for all subjects
    together = Inquiry.of(game, Knows(viewer, conjunction(questions.values())), engine="auto", limit=limit)
    return {(viewer, other, s): _known(together, viewer, q) for s, q in questions.items()}


def _known(inquiry: Inquiry, viewer: str, f: Formula) -> bool | None:
    """Return whether the viewer knows a formula to be true (True), to be false (False), or neither."""
    if inquiry.asking(Knows(viewer, f)).holds:
        return True
    return False if inquiry.asking(Knows(viewer, Not(f))).holds else None


def _known_by_tables(game: Played, viewer: str, f: Formula) -> bool | None:
    if ask_tables(game, Knows(viewer, f)).holds:
        return True
    return False if ask_tables(game, Knows(viewer, Not(f))).holds else None


def _knows_role(agent: str, subject: str) -> Formula:
    return disjunction(Knows(agent, Atom(f"{role}_{subject}")) for role in ("villager", "seer", "wolf"))


def who_knows(
    game: Played, question: FormulaLike, *, reading: Reading = "facts", limit: int = LIMIT
) -> dict[str, bool | None]:
    """Return for every player whether they know a formula true (True), false (False), or neither.

    `reading`: how published tables are read; see `questions.ask`.
    """
    check_possible("reading", reading, get_args(Reading))
    f = resolve(game.setup, question)
    if reading == "table":
        return {player: _known_by_tables(game, player, f) for player in game.setup.players}
    return {
        player: _known(Inquiry.of(game, Knows(player, f), engine="auto", limit=limit), player, f)
        for player in game.setup.players
    }
