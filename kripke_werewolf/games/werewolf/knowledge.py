"""What players know: tables, the matrix of roles, since when and from which events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any, Protocol

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.provided import provide
from kripke_werewolf.base.reports.tables import Grid, Tabled, counted
from kripke_werewolf.games.werewolf.budget import Budget
from kripke_werewolf.games.werewolf.engines import Counting, Engine, as_seen_by, at_rest
from kripke_werewolf.games.werewolf.events import PhaseEnded, Played, ends_phase, events_of
from kripke_werewolf.games.werewolf.questions import AskedOfGame
from kripke_werewolf.games.werewolf.rules import column_fact
from kripke_werewolf.games.werewolf.setup import LIMIT, Setup
from kripke_werewolf.games.werewolf.table import Table, chances, chosen_columns
from kripke_werewolf.games.werewolf.told import Answering, Reading, Told, reading_in_words, reading_of, told
from kripke_werewolf.logic.formulas import TRUE, Atom, Formula, P, disjunction
from kripke_werewolf.logic.formulas.syntax import FormulaLike
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.verdict import Verdict, verdict_heading


def table_told(known: Told, columns: Sequence[str] | None, reading: Reading, timeout: float | None) -> Table:
    """Return the probabilities for the player with this handout: P_i of every fact, given their own records.

    Others' hidden moves are weighed: every possible move is equally likely. A fraction of a life is not a
    fact in any world, so with fractional attacks deaths are shown only if certain. `reading`: how published
    tables are read, `timeout`: for how many seconds; see `questions.ask`.
    """
    headings = chosen_columns(known.setup, columns)
    if reading_of(reading) == "exact":
        from kripke_werewolf.games.werewolf.inference import find_histories, plan_of

        return find_histories(plan_of(known), Budget(timeout)).table(columns)
    setup, known = known.setup, at_rest(known, headings)
    mortal = setup.players if any(column_fact(heading) == "dead" for heading in headings) else ()
    chance, worlds = _chances(known, mortal, timeout=timeout)
    rows, bitten = chances(setup, headings, chance)
    open_ = any(cell not in (0, 1) for row in rows for cell in row)
    seen = f"{as_seen_by(known)}, {reading_in_words('facts', more=open_ and known.announced)}"
    note = "; ".join(filter(None, (seen, bitten, _sampled(setup))))
    return Table(setup.players, headings, rows, worlds, note)


provide(__name__, "table_told")


def _chances(
    known: Told, mortal: Sequence[str] = (), *, listed: bool = True, **how: Any
) -> tuple[Callable[[str], Fraction], int | None]:
    """Return the owner's probability of an atom, as a function, and the size of the model if there is one.

    `mortal`: whose deaths are asked for; `listed`: whether to list a few worlds instead of counting them.
    """
    viewer, deaths = known.player, [Atom(f"dead_{name}") for name in mortal]
    facts: Sequence[Formula] = deaths or [TRUE]
    asked = AskedOfGame.of(known, P(viewer, facts[0]) >= 0, **how)
    counting, model = Counting(), None
    if asked.exact is not None:
        engine: Engine = asked.exact
    elif listed or counting.covers(known, asked.formula).cost is None:
        engine = asked.engine
        model = engine.shown(known, P(viewer, disjunction(facts)) >= 0)
    else:
        engine = counting
    worlds = model if isinstance(model, KripkeModel) else None

    def chance(atom: str) -> Fraction:
        fact = Atom(atom)
        found = worlds.probabilities(viewer, fact) if worlds else engine.probabilities(known, viewer, fact)
        (share,) = found  # a player cannot tell apart the worlds that fit what they were told
        return share

    return chance, None if worlds is None else len(worlds)


def _sampled(setup: Setup) -> str:
    return f"{setup.sampled} at the start" if setup.sampled else ""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class _ByReading(Displayed):
    """Knowledge that was found by a reading of published tables."""

    reading: Reading = "facts"
    """How published tables were read."""
    more: bool = False
    """Whether a published table may say more about what is not known."""
    sampled: str = ""
    """A caveat if the worlds are a sample; else ""."""

    @property
    def note(self) -> str:
        """The reading, whether a table may say more, and the caveat."""
        return "; ".join(filter(None, (reading_in_words(self.reading, more=self.more), self.sampled)))

    @property
    def remark(self) -> dict[str, object]:
        """The reading, and whether a table may say more, as JSON-able values."""
        return {"reading": self.reading, **({"a table may say more": True} if self.more else {})}


@dataclass(frozen=True, slots=True, repr=False)
class Knowledge(_ByReading):
    """The players' knowledge of each other's roles.

    `shares[viewer, subject][role]`: the viewer's exact probability that the subject has the role, of
    any rank; 1 and 0 are knowledge.
    """

    players: tuple[str, ...]
    shares: Mapping[tuple[str, str], Mapping[str, Fraction]]

    def known(self, viewer: str, subject: str) -> str | None:
        """Return the role that the viewer knows the subject to have, or None."""
        return next((role for role, share in self.shares[viewer, subject].items() if share == 1), None)

    def excluded(self, viewer: str, subject: str) -> tuple[str, ...]:
        """Return the roles that the viewer knows the subject not to have."""
        return tuple(role for role, share in self.shares[viewer, subject].items() if share == 0)

    def cell(self, viewer: str, subject: str) -> str:
        """Describe the viewer's knowledge of the subject in a word or two.

        The role if it is known; otherwise the excluded roles, and the probability of a wolf.
        """
        if known := self.known(viewer, subject):
            return known
        out = [f"no {role}" for role in self.excluded(viewer, subject)]
        if wolf := self.shares[viewer, subject]["wolf"]:
            out.append(f"wolf {wolf}")
        return ", ".join(out)

    @property
    def viewers(self) -> tuple[str, ...]:
        """The players whose knowledge is included."""
        return tuple(dict.fromkeys(viewer for viewer, _ in self.shares))

    def of(self, viewer: str) -> Knowledge:
        """Return the part about one player's knowledge."""
        shares = {key: value for key, value in self.shares.items() if key[0] == viewer}
        return replace(self, shares=shares)

    def to_dict(self) -> dict[str, object]:
        """Return the matrix as JSON-able values: fractions as strings, viewers first."""
        roles: dict[str, dict[str, dict[str, str]]] = {viewer: {} for viewer in self.viewers}
        for (viewer, subject), shares in self.shares.items():
            roles[viewer][subject] = {role: str(share) for role, share in shares.items()}
        return {viewer: {**self.remark, "roles": known} for viewer, known in roles.items()}

    def headline(self) -> str:
        """Return the number of roles that each player knows."""
        known = ((v, sum(self.known(v, s) is not None for s in self.players)) for v in self.viewers)
        return "; ".join(f"{viewer} knows {counted(number, 'role')}" for viewer, number in known)

    def display(self) -> Iterator[Grid]:
        """Yield the table of everyone's knowledge."""
        rows = tuple((v, *(self.cell(v, s) for s in self.players)) for v in self.viewers)
        yield Grid(("knows of", *self.players), rows, self.note, words=True)

    def __str__(self) -> str:
        (table,) = self.display()
        return table.to_text()


def knowledge_of(
    game: Played,
    *,
    reading: Reading = "facts",
    limit: int = LIMIT,
    timeout: float | None = None,
) -> Knowledge:
    """Return the players' knowledge of roles.

    `reading`: how published tables are read, `timeout`: for how many seconds; see `questions.ask`.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)
    >>> print(game.knowledge().of("Bo"))
    knows of  Ann       Bo        Cy
    Bo        wolf 1/3  wolf 1/3  wolf 1/3
    reading: facts
    """
    players, kinds, read = game.setup.players, game.setup.deck.kinds, reading_of(reading)
    budget = Budget(timeout)
    shares: dict[tuple[str, str], dict[str, Fraction]] = {}
    everything = told(game, full=True)
    for viewer in players:
        known = everything.of(viewer)
        chance, _ = _chances(known, listed=False, reading=read, limit=limit, timeout=timeout, budget=budget)
        for subject in players:
            shares[viewer, subject] = {role: chance(f"{role}_{subject}") for role in kinds}
    open_ = any(1 not in roles.values() for roles in shares.values())
    more = read == "facts" and open_ and everything.of().announced
    return Knowledge(players, shares, reading=read, more=more, sampled=_sampled(game.setup))


# --- since when -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Moment(_ByReading):
    """The verdicts of some formulas after an event.

    `number`: the number of the event, 0 for the start; `event`: its description; `verdicts`: in the order of
    the formulas.
    """

    number: int
    event: str
    verdicts: tuple[Verdict, ...]

    def headline(self) -> str:
        """Return the event and the verdicts."""
        return f"{self.number}, {self.event.removesuffix('.')}: {', '.join(self.verdicts)}"


class _Staged(Played, Protocol):
    """A game that remembers its earlier states."""

    def at(self, step: int) -> Played:
        """Return the game after `step` steps."""


def timeline(
    game: _Staged,
    *questions: FormulaLike,
    given: FormulaLike | None = None,
    reading: Reading = "facts",
    engine: Answering = "auto",
    limit: int = LIMIT,
    timeout: float | None = None,
) -> Tabled[Moment]:
    """Return the verdicts of formulas at the start and after every event; `given`: a condition.

    With `reading="exact"`, at the start and after every complete step, all of them in `timeout` seconds; see
    `questions.ask`.
    """
    read, budget = reading_of(reading), Budget(timeout)
    how: dict[str, Any] = {"given": given, "engine": engine, "limit": limit, "timeout": timeout}
    counts = accumulate(map(len, game.steps), initial=0)
    ends = {count: game.at(step) for step, count in enumerate(counts)}
    asked = [AskedOfGame.of(game, question, **how) for question in questions]
    if read == "exact":
        numbers: Iterable[int] = ends
        columns = [
            [
                AskedOfGame.of(at, q.formula, given=q.given, reading=read, budget=budget).verdict
                for at in ends.values()
            ]
            for q in asked
        ]
    else:
        numbers, columns = range(len(events_of(game)) + 1), [list(q.verdicts()) for q in asked]
    announced = next((n for n, at in ends.items() if told(at).announced), None)
    found = []
    for n, *verdicts in zip(numbers, *columns, strict=True):
        open_ = any(q.formula.agents and v == "false" for q, v in zip(asked, verdicts, strict=True))
        more = read == "facts" and open_ and announced is not None and n >= announced
        found.append(Moment(n, _then(game, n), tuple(verdicts), reading=read, more=more))
    header = ("number", "event", *(verdict_heading(q.formula, q.given) for q in asked))
    cells = ((str(moment.number), moment.event, *moment.verdicts) for moment in found)
    return Tabled(found, Grid(header, tuple(cells), words=True))


def since(
    game: _Staged,
    question: FormulaLike,
    *,
    given: FormulaLike | None = None,
    engine: Answering = "auto",
    limit: int = LIMIT,
) -> Moment | None:
    """Return the moment since which a formula has held without a break; None if it does not hold now.

    `given`: on this condition, which some world has since then.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Bo", "Cy", result="villager")
    >>> game = game.vision("Ann", "Bo", result="wolf")
    >>> game.since("K_Ann (seer_Ann -> wolf_Bo)")
    <Moment: 2, Ann looks at Bo and sees wolf (of 2 worlds: villager 1, wolf 1): true>
    """
    held: Moment | None = None
    for moment in reversed(timeline(game, question, given=given, engine=engine, limit=limit)):
        if moment.verdicts != ("true",):
            break
        held = moment
    return held


def _then(game: Played, number: int) -> str:
    """Return an event in words, and the phase after it if its messages count as part of the event."""
    if not number:
        return "the start"
    words, ends = events_of(game)[number - 1].in_full() or "The phase ends.", accumulate(map(len, game.steps))
    for end, step, after in zip(ends, game.steps, game.states[1:], strict=True):
        begins = ends_phase(step) and after.verdict is None and not isinstance(step[-1], PhaseEnded)
        if end == number and begins:
            return f"{words} Then {after.phase} begins."
    return words
