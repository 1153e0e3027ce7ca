"""Models whose worlds are rows: the questions of `KripkeModel`, for tables that are larger than memory.

Questions are answered in one of two ways. Rows that look the same to the agents of a question and agree on
its atoms are one world, which weighs as much as they do: if few worlds are left they are listed in arrays.
Otherwise the question is a query. A question after updates is a formula about them: both ways read it as any
other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import cache
from time import process_time
from typing import Any, NamedTuple, Self, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FalseAnnouncement, FormulaError, ModelError, ModelTooLarge
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, agent_name, asked_formula
from kripke_werewolf.logic.models.model import KripkeModel, Meanings
from kripke_werewolf.logic.semantics.action import ActionModel, Event, is_equivalence
from kripke_werewolf.logic.semantics.answers import asked_of_model
from kripke_werewolf.logic.semantics.explanation import Explanation
from kripke_werewolf.logic.semantics.space import check_formula_names, needs, read_variables
from kripke_werewolf.logic.semantics.verdict import Verdict
from kripke_werewolf.logic.semantics.worlds import Computed
from kripke_werewolf.logic.tables.database import Row, Tell, opened, untold
from kripke_werewolf.logic.tables.space import BLIND, Seen, TableSpace, number_of, rank_of

LISTED = 2_000_000
"""The number of worlds up to which they are listed."""
_SAMPLE = 100_000  # rows on which the time of a question is measured
_WHERE = "where "  # the atom of a condition on rows begins with it
_Actions: TypeAlias = Meanings | None
_Listed: TypeAlias = tuple[KripkeModel, Any]
"""Worlds in memory, and the number of rows of each."""


class TableAnswer(NamedTuple):
    """The answer to a question about a table.

    `verdict`: at the designated rows. `true`, `size`: the number of rows where it is true, and of all.
    `listed`: the number of worlds in memory that stood for them; None if they were asked by queries.
    """

    verdict: Verdict
    true: int
    size: int
    listed: int | None = None


def worlds_of(space: TableSpace, most: int) -> _Listed | None:
    """Return the worlds of a space, and how many rows each stands for; None if the worlds are too many.

    Rows that look the same are one world, called by what agents see there and by the atoms. The relations
    must be equivalences. K, C, D, P and updates stay the same, as a world weighs as much as its rows.
    """
    from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation
    from kripke_werewolf.logic.semantics.cells import Partition

    ranks = {agent: f"{rank_of(seen.looks)} - 1" for agent, seen in space.relations.items()}
    sums = {agent: f"CAST(sum({space.weights.get(agent, '1')}) AS BIGINT)" for agent in ranks}
    wanted = dict.fromkeys((*space.key, *ranks.values(), *sums.values(), "count(*)"))
    chosen = ", ".join(f"{x} AS c{i}" for i, x in enumerate(wanted))
    groups = ", ".join(str(i) for i, _ in enumerate(space.key, 1))
    sql = f"SELECT {chosen} {space.rows()} GROUP BY {groups} LIMIT {most + 1}"
    found = dict(zip(wanted, space.engine.columns(sql), strict=True))
    rows = found["count(*)"].astype("int64")
    if len(rows) > most:
        return None
    large = any(found[x].sum(dtype=float) >= 2**62 for x in sums.values())
    looks = {x[1:-1]: found[x] for seen in space.relations.values() for x in seen.looks if x not in BLIND}
    facts = {atom: found[number_of(x)] == 1 for atom, x in space.valuation.items()}
    shown = [atom for atom in facts if not atom.startswith(_WHERE)]

    def called(row: int) -> str:
        seen = [f"{name} = {values[row]}" for name, values in looks.items()]
        true = [atom if facts[atom][row] else f"~{atom}" for atom in shown]
        return f"({', '.join(seen + true)})"

    arrays = ArraySpace(
        Computed(len(rows), called),
        {agent: Partition(found[x].astype("int32"), int(found[x].max()) + 1) for agent, x in ranks.items()},
        Valuation(len(rows), facts),
        {agent: found[x].astype(object if large else "int64") for agent, x in sums.items()},
        space.variables,
    )
    return KripkeModel.from_space(arrays), rows


class TableModel(Displayed):
    """A model whose worlds are the rows of a table; an immutable value.

    `source`: a Parquet or CSV file, a query, a data frame, or a table of the `connection`. `sees`: for
    each agent the columns or expressions whose values it sees; two rows are related for the agent iff these
    are the same, where NULL is a value. `atoms`: for each atom a condition on a row. `weights`: for agents
    with unequal weights a whole number, as an expression. `variables`: see `KripkeModel`. All rows are
    designated, until `point` names some.

    An atom must not be NULL, unless `unknown` says how to read it: True or False. `connection` and `dialect`:
    see `Database`; without one DuckDB is used. Rows that the agents and atoms of a question do not tell apart
    are one world. If these are at most as many as `most`, they are listed; -1: never.

    >>> import sqlite3
    >>> base = sqlite3.connect(":memory:")
    >>> _ = base.execute("CREATE TABLE deals AS SELECT 'red' ann, 'blue' bo UNION SELECT 'red', 'green'")
    >>> m = TableModel("deals", {"ann": ["ann"], "bo": ["bo"]}, {"blue": "bo = 'blue'"}, connection=base)
    >>> m.count("K_bo blue"), m.verdict("K_ann blue"), m.announce("blue").holds("K_ann blue")
    (1, Verdict('false', 0, 2), True)
    """

    def __init__(
        self,
        source: Any,
        sees: Mapping[Any, Iterable[str]],
        atoms: Mapping[str, str],
        *,
        weights: Mapping[Any, str] | None = None,
        variables: Mapping[str, Mapping[Any, FormulaLike]] | None = None,
        unknown: bool | None = None,
        connection: Any = None,
        dialect: str | None = None,
        most: int = LISTED,
    ) -> None:
        if not isinstance(sees, Mapping):
            raise ModelError(f"sees must give each agent its columns, such as {{'a': ['age']}}; got {sees!r}")
        engine, table = opened(source, connection, dialect)
        listed = {agent_name(a): [xs] if isinstance(xs, str) else xs for a, xs in sees.items()}
        seen = {agent: tuple(f"({x})" for x in xs) or BLIND for agent, xs in listed.items()}
        weighed = {agent_name(agent): f"({x})" for agent, x in (weights or {}).items()}
        read = "({})" if unknown is None else f"coalesce(({{}}), {unknown})"
        facts = {atom: read.format(x) for atom, x in atoms.items()}
        relations = {agent: Seen(xs, xs) for agent, xs in seen.items()}
        self.space = space = TableSpace(engine, table, relations, facts, weighed, read_variables(variables))
        null = "NULL; say how to read it, with coalesce(…, …), or for all atoms with unknown=False"
        checks = {
            f"agent {a!r} sees {x}": (f"{x} IS NULL AND FALSE", "") for a, xs in seen.items() for x in xs
        }
        checks |= {f"atom {atom!r}": (f"{x} IS NULL", null) for atom, x in facts.items()}
        for agent, x in weighed.items():
            wrong = f"({x} IS NULL OR {x} < 0 OR {x} <> CAST({x} AS BIGINT))"
            checks[f"agent {agent!r} weighs {x}"] = wrong, "not a whole number from 0"
        for what, (wrong, why) in checks.items():
            try:
                number = space.number(wrong)
            except ModelError as error:
                raise ModelError(f"{what}: {error}") from None
            if number:
                raise ModelError(f"{what}, which is at {number:,} rows {why}")
        with engine.scope():
            space.check_variables()
        self.agents, self.atoms, self.variables = (*seen,), (*facts,), space.variables
        self._most, self._rows = most, space.number("TRUE")
        self._steps = tuple[s.Dynamic, ...]()
        self._where: Formula = s.TRUE  # where the designated rows are
        self._found = dict[Any, _Listed | None]()
        if not self._rows:
            raise ModelError("the table has no rows, and a model needs a world")

    @property
    def size(self) -> int:
        """The exact number of worlds: rows, or after actions pairs of a row and an event."""
        return self.ask(s.TRUE).size

    def headline(self) -> str:
        """Return the number of rows, and the names of agents and atoms."""
        names = f"agents {', '.join(self.agents) or '-'}; atoms {', '.join(self.atoms) or '-'}"
        return f"{self._rows:,} rows; {names}; {len(self._steps)} updates"

    # --- questions ---------------------------------------------------------------------------------

    def _asked(self, f: FormulaLike, actions: Meanings | None = None) -> Formula:
        asked = asked_formula(f, self.agents, self.atoms).bind(**(actions or {}))
        check_formula_names(self.space, asked)
        return asked

    def _part(self, *asked: Formula) -> TableSpace:
        """Return the rows as they are given, for the agents and atoms that some formulas depend on."""
        given, left = self.space, [self._where, *asked, *self._steps]
        for node in s.nodes_within(*left):
            if isinstance(node, s.KnowsValue):
                left += self.variables[node.variable].values()
        agents, atoms = {a for f in left for a in f.agents}, {p for f in left for p in f.atoms}
        relations = {agent: seen for agent, seen in given.relations.items() if agent in agents}
        facts = {atom: f"coalesce(({atom.removeprefix(_WHERE)}), FALSE)" for atom in sorted(atoms)}
        valuation = {atom: given.valuation.get(atom, where) for atom, where in facts.items()}
        return replace(given, relations=relations, valuation=valuation)

    def _listed(self, space: TableSpace) -> _Listed | None:
        """Return the worlds of a part, and the rows of each; None if they are too many to be listed."""
        agents, atoms = names = frozenset(space.relations), frozenset(space.valuation)
        for known, found in self._found.items():
            if known == names or (found and known[0] >= agents and known[1] >= atoms):
                return found
        self._found[names] = None
        if self._shrinks(space):
            self._found[names] = worlds_of(space, self._most)
        return self._found[names]

    def _shrinks(self, space: TableSpace) -> bool:
        """Return whether many rows of a sample look the same; tell how long it will take to read all."""
        start, engine, number = process_time(), space.engine, 0
        if self._rows > _SAMPLE:
            with engine.scope():
                sample = replace(space, source=f"(SELECT * FROM {space.source} LIMIT {_SAMPLE}) AS w")
                number = engine.size(f"FROM {sample.classes(space.key)}")
            seconds = (process_time() - start) * self._rows / _SAMPLE
            engine.tell(f"{self._rows:,} rows: about {seconds:,.1f} s each time that they are read")
        return self._most >= 0 and number <= _SAMPLE / 2

    def _later(self, space: Any) -> Any:
        """Return a space after the updates."""
        for step in self._steps:
            space.truth(step)
            space = space.after(step, exact=True)[0]
        return space

    def ask(self, f: FormulaLike, *, actions: _Actions = None, tell: Tell = untold) -> TableAnswer:
        """Return the answer to a question, with the numbers of rows and the way it was found.

        `tell` is called with lines about the question while it runs: the way, the expected time, the steps.
        """
        asked, where = self._asked(f, actions), self._where
        with self.space.engine.scope(tell):
            space = self._part(asked)
            found = self._listed(space)
            wanted = asked, s.TRUE, asked if where is s.TRUE else where & asked, where
            if found is None:
                tell(f"{self._rows:,} rows are asked by queries")
                later = self._later(space)
                true, size, pointed, total = map(cache(later.number), map(later.truth, wanted))
                return TableAnswer(Verdict.of(pointed, total), true, size)
            model, rows = found
            tell(f"{len(rows):,} worlds are listed")
            later = self._later(model.arrays.asked())
            if (places := later.names.places_in(model.worlds)) is not None:
                rows = rows[places]
            true, size, pointed, total = (int(rows[later.truth(g)].sum()) for g in wanted)
            return TableAnswer(Verdict.of(pointed, total), true, size, len(found[1]))

    def holds(self, f: FormulaLike, at: str | None = None, *, actions: _Actions = None) -> bool:
        """Return whether a formula is true at all designated rows, or at those with the condition `at`."""
        if at is not None:
            return self.point(at).holds(f, actions=actions)
        return self.ask(f, actions=actions).verdict == "true"

    def valid(self, f: FormulaLike, *, actions: _Actions = None) -> bool:
        """Return whether a formula is true at all rows."""
        found = self.ask(f, actions=actions)
        return found.true == found.size

    def count(self, f: FormulaLike, *, actions: _Actions = None) -> int:
        """Return the number of rows where a formula is true."""
        return self.ask(f, actions=actions).true

    def verdict(
        self, f: FormulaLike, *, given: FormulaLike | None = None, actions: _Actions = None
    ) -> Verdict:
        """Return whether a formula is true at all, none or some of the designated rows."""
        asked, where = asked_of_model(self.space, f, given, actions)
        if where is not None:
            return self.verdict(asked & where).among(self.verdict(where))
        return self.ask(asked).verdict

    def where(self, f: FormulaLike, *, actions: _Actions = None, most: int = 20) -> list[Row]:
        """Return the first rows where a formula is true, with the numbers of the events that happened.

        `count` returns the number of all.
        """
        return self._first(self._asked(f, actions), most)

    def _first(self, f: Formula, most: int) -> list[Row]:
        with self.space.engine.scope():
            space: TableSpace = self._later(self._part(f))
            return space.engine.query(f"SELECT * {space.rows(space.truth(f))} LIMIT {most}")

    def model(self, *formulas: FormulaLike) -> KripkeModel:
        """Return the worlds that the agents and atoms of some formulas tell apart, as a `KripkeModel`.

        A world weighs as much as its rows. Raises `ModelTooLarge` if they are too many to be listed.
        """
        advice = "ask about fewer agents and atoms, or announce something first"
        return self._built(self._listed(self._part(*map(self._asked, formulas))), advice)

    def _built(self, found: _Listed | None, advice: str) -> KripkeModel:
        """Return listed worlds after the updates, as a model."""
        if found is None:
            raise ModelTooLarge(self._rows, self._most, "the list of worlds", advice)
        space = self._later(found[0].arrays)
        if self._where is s.TRUE:
            return KripkeModel.from_space(space)
        return KripkeModel.from_space(space, space.truth(self._where))

    def explain(self, f: FormulaLike, at: str | None = None, *, actions: _Actions = None) -> Explanation:
        """Return why a formula is true or false at the row `at`, or at one that determines the verdict.

        Worlds are called by what agents see and by the atoms. If not all can be listed, those are that the
        formula depends on at designated rows; raises `ModelTooLarge` if even they are too many.
        """
        if at is not None:
            return self.point(at).explain(f, actions=actions)
        asked = self._asked(f, actions)
        found = self._listed(self._part(asked)) or self._near(asked)
        return self._built(found, "name a row with at=, and ask without C and everywhere").explain(asked)

    def _near(self, f: Formula) -> _Listed | None:
        """Return the worlds that a formula depends on at designated rows, if they are few."""
        then = f
        for step in reversed(self._steps):
            then = step.with_children((*step.children[:-1], then))
        wanted, space = needs(then, self.variables), self._part(f)
        with space.engine.scope():
            near, depth, before = space.truth(self._where), wanted.depth, 0
            while before < (size := space.number(near)) <= LISTED and depth:
                steps = [space.diamond(seen, near) for seen in space.relations.values()]
                near, depth, before = space.settled(space.any_of([near, *steps])), depth - 1, size
            if wanted.whole or size > LISTED:
                return None
            return worlds_of(replace(space, all=near), LISTED)

    # --- updates -----------------------------------------------------------------------------------

    def announce(self, f: FormulaLike) -> Self:
        """Return the model after the truthful public announcement of a formula.

        Raises `FalseAnnouncement` if it is true at no designated row.
        """
        asked = self._asked(f)
        return self._then(s.Announce(asked), asked, "announcement")

    def update(self, action: ActionModel, *, merge: bool = False) -> Self:
        """Return the product update with an action model; its worlds are pairs of a row and an event.

        Worlds that nobody tells apart are grouped for every question, so `merge` changes nothing. Raises
        `FalseAnnouncement` if no designated event can happen at a designated row.
        """
        if not isinstance(action, ActionModel):
            raise FormulaError(f"expected an action model, got {action!r}; announce a formula with announce")
        action.check_names(self.space)
        wanted, before = s.disjunction(action.events[name].pre for name in action.designated), self
        if others := set(action.events).difference(action.designated):  # their rows are not designated
            if self._where is s.TRUE:
                before = self.point("TRUE")
            events, never = dict(action.events), dict.fromkeys(before._where.atoms, s.FALSE)
            for name in others:
                event = events[name]
                events[name] = Event(event.pre, {**event.post, **never}, weight=event.weight)
            action = action.with_events(events)
        return before._then(s.Act("act", None, action), wanted, action.name.replace("_", " "))

    def _then(self, update: s.Announce | s.Act, wanted: Formula, what: str) -> Self:
        """Return the model after an update, which is possible where a formula is true."""
        found = copy(self)
        found._steps = (*self._steps, s.Box(update, s.TRUE))
        if not found.ask(s.TRUE).verdict.total:
            count, rows = self.ask(s.TRUE).verdict.total, self._first(self._where, 3)
            raise FalseAnnouncement(wanted, rows, what=what, count=count)
        return found

    def point(self, *conditions: str) -> Self:
        """Return the same model in which the rows with a condition, such as `"id = 7"`, are designated."""
        where, found = " OR ".join(f"({condition})" for condition in conditions or ["FALSE"]), copy(self)
        found._where = s.Atom(_WHERE + where)
        if not found.ask(s.TRUE).verdict.total:
            raise ModelError(f"no row has {where}; at least one must be designated")
        return found

    def generated(self) -> Self:
        """Return the submodel of the designated rows and those that the agents reach from them.

        Raises `ModelError` after an action whose relations are not all equivalences.
        """
        actions = (f.update.model for f in self._steps if isinstance(f.update, s.Act))
        if not all(is_equivalence(sight) for a in actions for sight in a.among(self.agents).values()):
            raise ModelError(
                "after private actions queries cannot tell what is reached; ask model().generated()"
            )
        reached = self._where | s.CommonDual(self.agents, self._where)
        return self._then(s.Announce(reached), reached, "announcement")
