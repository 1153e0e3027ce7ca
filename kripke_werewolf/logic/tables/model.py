"""Models whose worlds are rows: the questions of `KripkeModel`, for tables that are larger than memory.

Questions are answered in one of two ways. Rows that look the same to the agents of a question and agree on
its atoms are one world, which weighs as much as they do: if few worlds are left they are listed, and a
`KripkeModel` answers. Otherwise the question is a query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from time import process_time
from typing import Any, NamedTuple, Self, TypeAlias, cast

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FalseAnnouncement, FormulaError, ModelError, ModelTooLarge
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, agent_name, asked_formula
from kripke_werewolf.logic.models.model import KripkeModel, Meanings, Numbered
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.answers import asked_of_model
from kripke_werewolf.logic.semantics.explanation import Explanation
from kripke_werewolf.logic.semantics.space import check_formula_names, read_variables
from kripke_werewolf.logic.semantics.verdict import Verdict
from kripke_werewolf.logic.semantics.worlds import Named
from kripke_werewolf.logic.tables.database import Row, Tell, opened, untold
from kripke_werewolf.logic.tables.space import BLIND, Seen, TableSpace, number_of, rank_of

LISTED = 2_000_000
"""The number of worlds up to which they are listed."""
_SAMPLE = 100_000  # rows on which the time of a question is measured
_WHERE = "where "  # the atom of a condition on rows begins with it
_Actions: TypeAlias = Meanings | None
_Names = tuple[frozenset[str], frozenset[str]]
"""The agents and the atoms that a question depends on."""


class TableAnswer(NamedTuple):
    """The answer to a question about a table.

    `verdict`: at the designated rows. `true`, `size`: the number of rows where it is true, and of all.
    `listed`: the number of worlds in memory that stood for them; None if they were asked by queries.
    """

    verdict: Verdict
    true: int
    size: int
    listed: int | None = None


class _Listed(NamedTuple):
    """Worlds in memory: a model, the number of rows of each, and the columns of the query for them."""

    model: KripkeModel
    rows: Any
    columns: Mapping[str, Any]


def worlds_of(space: TableSpace, most: int) -> _Listed | None:
    """Return the rows of a space in which rows that look the same are one world; None if these are too many.

    Its relations must be equivalences. K, C, D, P and updates stay the same, as a world weighs as much as its
    rows.
    """
    from kripke_werewolf.logic.semantics.arrays import Valuation
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
    model = KripkeModel.from_parts(
        Named.known(range(len(rows))),
        {agent: Partition(found[x].astype("int32"), int(found[x].max()) + 1) for agent, x in ranks.items()},
        Valuation(len(rows), {atom: found[number_of(x)] == 1 for atom, x in space.valuation.items()}),
        weights={agent: found[x].astype(object if large else "int64") for agent, x in sums.items()},
        variables=space.variables,
    )
    return _Listed(model, rows, found)


def _updated(before: _Listed, step: Formula) -> _Listed:
    """Return listed worlds after a step; see `TableModel._then`."""
    model = after = before.model
    match step:
        case s.Atom():
            space: Any = model.space
            after = KripkeModel.from_space(space, space.fact(step.name))
        case s.Dynamic(s.Announce(content), _):
            after = model.announce(content)
        case s.Dynamic(s.Act(_, _, action), _):
            sights, named = action.among(model.agents), action.name
            after = model.update(ActionModel._of_sights(action.events, sights, action.designated, name=named))
        case _:
            after = model.generated()
    number: dict[Any, int] = {world: i for i, world in enumerate(model.worlds)}
    names: Iterable[Any] = after.worlds
    places = [number[world] if world in number else number[world[0]] for world in names]
    return before._replace(model=after, rows=before.rows[places])


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
        engine, table = opened(source, connection, dialect)
        seen = {agent_name(agent): tuple(f"({x})" for x in xs) for agent, xs in sees.items()}
        weighed = {agent_name(agent): f"({x})" for agent, x in (weights or {}).items()}
        read = "({})" if unknown is None else f"coalesce(({{}}), {unknown})"
        facts = {atom: read.format(x) for atom, x in atoms.items()}
        relations = {agent: Seen(xs or BLIND, xs or BLIND) for agent, xs in seen.items()}
        self.space = space = TableSpace(engine, table, relations, facts, weighed, read_variables(variables))
        refused = {f"agent {a!r} sees {x}": f"{x} IS NULL AND FALSE" for a, xs in seen.items() for x in xs}
        refused |= {f"atom {atom!r} is NULL": f"{x} IS NULL" for atom, x in facts.items()}
        for agent, x in weighed.items():
            text = f"agent {agent!r} weighs {x}, not a whole number from 0,"
            refused[text] = f"({x} IS NULL OR {x} < 0 OR {x} <> CAST({x} AS BIGINT))"
        for what, condition in refused.items():
            try:
                number = space.number(condition)
            except ModelError as error:
                raise ModelError(f"{what}: {error}") from None
            if number:
                advice = "say how to read it, with coalesce(…, …), or for all atoms with unknown=False"
                raise ModelError(f"{what} at {number:,} rows; {advice}")
        with engine.scope():
            space.check_variables()
        self.agents, self.atoms, self.variables = (*seen,), (*facts,), space.variables
        self._most, self._rows = most, space.number("TRUE")
        self._before: TableModel | None = None
        self._steps, self._found = tuple[Formula, ...](), dict[_Names, _Listed | None]()
        if not self._rows:
            raise ModelError("the table has no rows, and a model needs a world")

    def _then(self, step: Formula) -> Self:
        """Return the model after a step, which has the names that every later question depends on.

        It is an announcement or an action, the atom of a condition on designated rows, or what all agents
        know: only what they reach is left.
        """
        found = copy(self)
        found._before, found._steps, found._found = self, (*self._steps, step), {}
        return found

    @property
    def size(self) -> int:
        """The exact number of worlds: rows, or after actions pairs of a row and an event."""
        return self.ask(s.TRUE).size

    def __len__(self) -> int:
        return self.size

    def headline(self) -> str:
        """Return the number of rows, and the names of agents and atoms."""
        names = f"agents {', '.join(self.agents) or '-'}; atoms {', '.join(self.atoms) or '-'}"
        return f"{self._rows:,} rows; {names}; {len(self._steps)} updates"

    # --- questions ---------------------------------------------------------------------------------

    def _asked(self, f: FormulaLike, actions: Meanings | None = None) -> Formula:
        asked = asked_formula(f, self.agents, self.atoms).bind(**(actions or {}))
        check_formula_names(self.space, asked)
        return asked

    def _names(self, *asked: Formula) -> _Names:
        """Return the agents and atoms that some formulas and the updates so far depend on."""
        left = [*asked, *self._steps]
        for node in s.nodes_within(*left):
            if isinstance(node, s.KnowsValue):
                left += self.variables[node.variable].values()
        agents, atoms = (f.agents for f in left), (f.atoms for f in left)
        return frozenset[str]().union(*agents), frozenset[str]().union(*atoms)

    def _part(self, names: _Names) -> TableSpace:
        """Return the rows as they are given, for some agents and atoms."""
        given, (agents, atoms) = self.space, names
        facts = {atom: f"coalesce(({atom.removeprefix(_WHERE)}), FALSE)" for atom in atoms}
        return replace(
            given,
            relations={agent: seen for agent, seen in given.relations.items() if agent in agents},
            valuation={atom: given.valuation.get(atom, x) for atom, x in facts.items()},
        )

    def _listed(self, names: _Names) -> _Listed | None:
        """Return the worlds after all steps, if they are few enough to be listed."""
        for (agents, atoms), known in self._found.items():
            if agents >= names[0] and atoms >= names[1]:
                return known
        found = None
        if self._before is not None:
            before = self._before._listed(names)
            found = before and _updated(before, self._steps[-1])
        elif self._shrinks(space := self._part(names)):
            found = worlds_of(space, self._most)
        self._found[names] = found
        return found

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

    def _queried(self, names: _Names) -> tuple[TableSpace, str]:
        """Return the space after all steps, and the condition on designated rows."""
        space, chosen = self._part(names), "TRUE"  # its tables of classes are of one question
        for step in self._steps:
            match step:
                case s.Atom():
                    chosen = space.fact(step.name)
                case s.Dynamic(update, _):
                    space.truth(step)
                    space = cast(TableSpace, space.after(step, exact=True)[0])
                    if isinstance(update, s.Act):
                        action = update.model
                        places = (str(e) for e, name in enumerate(action.events) if name in action.designated)
                        chosen = f"({chosen} AND {space.events[-1]} IN ({', '.join(places)}))"
                case _:
                    back = [Seen(seen.shows, seen.looks) for seen in space.relations.values()]
                    reached = space.any_of([chosen, space.diamond(space.join(back, "TRUE"), chosen)])
                    space = space.restricted(reached)[0]
        return space, chosen

    def ask(self, f: FormulaLike, *, actions: _Actions = None, tell: Tell = untold) -> TableAnswer:
        """Return the answer to a question, with the numbers of rows and the way it was found.

        `tell` is called with lines about the question while it runs: the way, the expected time, the steps.
        """
        asked, engine = self._asked(f, actions), self.space.engine
        names, engine.tell = self._names(asked), tell
        found = self._listed(names)
        if found is not None:
            tell(f"{len(found.rows):,} worlds are listed")
            numbered, rows = Numbered(found.model), found.rows
            inside, points = numbered.mask(asked), numbered.points
            parts = rows[points][inside[points]], rows[points], rows[inside], rows
            pointed, total, true, size = (int(part.sum()) for part in parts)
            return TableAnswer(Verdict.of(pointed, total), true, size, len(rows))
        tell(f"{self._rows:,} rows are asked by queries")
        with engine.scope():
            space, chosen = self._queried(names)
            where = space.truth(asked)
            pointed, total, true, size = map(space.number, (f"{chosen} AND {where}", chosen, where, "TRUE"))
        return TableAnswer(Verdict.of(pointed, total), true, size)

    def holds(self, f: FormulaLike, at: str | None = None, *, actions: _Actions = None) -> bool:
        """Return whether a formula is true at all designated rows, or at those with the condition `at`."""
        verdict = (self if at is None else self.point(at)).ask(f, actions=actions).verdict
        return verdict.satisfied == verdict.total

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

    def where(
        self, f: FormulaLike, *, actions: _Actions = None, columns: str = "w.*", most: int = 20
    ) -> list[Row]:
        """Return some columns of the first rows where a formula is true, and the numbers of the events.

        `count` returns the number of all.
        """
        asked, engine = self._asked(f, actions), self.space.engine
        with engine.scope():
            space, _ = self._queried(self._names(asked))
            chosen = ", ".join((columns, *space.events))
            return engine.query(f"SELECT {chosen} {space.rows(space.truth(asked))} LIMIT {most}")

    def model(self, *formulas: FormulaLike) -> KripkeModel:
        """Return the worlds that the agents and atoms of some formulas tell apart, as a `KripkeModel`.

        A world weighs as much as its rows. Raises `ModelTooLarge` if they are too many to be listed.
        """
        return self._few(*map(self._asked, formulas)).model

    def _few(self, *asked: Formula) -> _Listed:
        found = self._listed(self._names(*asked))
        if found is None:
            advice = "ask about fewer agents and atoms, or announce something first"
            raise ModelTooLarge(self._rows, self._most, "the list of worlds", advice)
        return found

    def explain(self, f: FormulaLike, at: str | None = None, *, actions: _Actions = None) -> Explanation:
        """Return why a formula is true or false at the row `at`, or at one that determines the verdict.

        Worlds are called by what agents see there. Raises `ModelTooLarge` if they cannot be listed.
        """
        asked, model = self._asked(f, actions), self if at is None else self.point(at)
        found = model._few(asked)
        seen = (self.space.relations[agent].looks for agent in found.model.agents)
        looks = dict.fromkeys(x for xs in seen for x in xs if x not in BLIND)

        def called(row: Any) -> str:
            return " and ".join([f"row {row}", *(f"{x[1:-1]} = {found.columns[x][row]}" for x in looks)])

        return found.model.explain(asked, called=called)

    # --- updates -----------------------------------------------------------------------------------

    def announce(self, f: FormulaLike) -> Self:
        """Return the model after the truthful public announcement of a formula.

        Raises `FalseAnnouncement` if it is true at no designated row.
        """
        asked = self._asked(f)
        return self._possible(asked, s.Announce(asked), "announcement")

    def update(self, action: ActionModel, *, merge: bool = False) -> Self:
        """Return the product update with an action model; its worlds are pairs of a row and an event.

        Worlds that nobody tells apart are grouped for every question, so `merge` changes nothing. Raises
        `FalseAnnouncement` if no designated event can happen at a designated row.
        """
        if not isinstance(action, ActionModel):
            raise FormulaError(f"expected an action model, got {action!r}; announce a formula with announce")
        action.check_names(self.space)
        wanted = s.disjunction(action.events[name].pre for name in action.designated)
        return self._possible(wanted, s.Act("act", None, action), action.name.replace("_", " "))

    def _possible(self, f: Formula, update: Any, what: str) -> Self:
        """Return the model after an update that is possible where a formula is true."""
        verdict = self.ask(f).verdict
        if not verdict.satisfied:
            raise FalseAnnouncement(f, self.where("true", most=3), what=what, count=verdict.total)
        return self._then(s.Box(update, s.TRUE))

    def point(self, *conditions: str) -> Self:
        """Return the same model in which the rows with a condition, such as `"id = 7"`, are designated."""
        where = " OR ".join(f"({condition})" for condition in conditions or ["FALSE"])
        found = self._then(s.Atom(_WHERE + where))
        if not found.ask(s.TRUE).verdict.total:
            raise ModelError(f"no row has {where}; at least one must be designated")
        return found

    def generated(self) -> Self:
        """Return the submodel of the designated rows and those that the agents reach from them."""
        return self._then(s.conjunction(s.Knows(agent, s.TRUE) for agent in self.agents))
