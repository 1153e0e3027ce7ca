"""Models whose worlds are rows: the questions of `KripkeModel`, for tables that are larger than memory.

Questions are answered in one of two ways. Rows that look the same to the agents of a question and agree on
its atoms are one world, which weighs as much as they do: if few worlds are left they are listed in arrays.
Otherwise the question is a query. A question after updates is a formula about them: both ways read it as any
other.

In SQL a truth set is a condition on a row, so the declarations of the operators write the query. A box does
not copy the worlds: it makes a table of the *classes where the formula fails* (what the agent sees at the
rows where it is false), and is itself `NOT EXISTS` in that table. An announcement is one more condition; an
update joins a constant table of events, and the way back from it puts the number of an event in the place of
the column.

A relation is a pair of lists of expressions: a row sees another iff what the one looks for is what the other
shows. They are the same for S5, and differ after private announcements; every relation that is transitive and
euclidean is such a pair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, chain, count, islice
from math import inf, lcm
from os import PathLike
from time import perf_counter
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FalseAnnouncement, ModelError, ModelTooLarge, cut_off, missing_package
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, agent_name, asked_formula
from kripke_werewolf.logic.models.model import KripkeModel, Meanings
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation, in_lowest_terms
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.cells import Partition, join
from kripke_werewolf.logic.semantics.explanation import Explanation
from kripke_werewolf.logic.semantics.space import Space, check_formula_names, needs, read_variables
from kripke_werewolf.logic.semantics.verdict import Verdict
from kripke_werewolf.logic.semantics.worlds import Computed

LISTED = 2_000_000
"""The number of worlds up to which they are listed."""
_SAMPLE = 100_000  # rows on which the time of a question is measured
_LONGEST, _DEEPEST = 4_000, 16  # characters and brackets of a condition before its classes become a table
_ROUNDS = 6  # rounds of common knowledge before the components of the classes are computed
_INSERTED = 10_000  # numbers written into a table at once
_NUMBER = count(1)  # of the tables
CHOSEN = s.Atom("designated row")
"""The atom that is true at the designated rows."""
Listed: TypeAlias = tuple[KripkeModel, Any]
"""Worlds in memory, and the number of rows of each."""

BLIND = ("'-'",)
"""What is looked for by who sees nothing."""
Tell: TypeAlias = Callable[[str], object]
"""What is called with lines about the progress of a question."""


def untold(line: str) -> None:
    """Tell nobody about the progress of a question."""


class Database:
    """A database, where rows come from, and the tables that a question makes there and drops again.

    `source`: a file (Parquet, CSV, JSON), a query, a data frame, or a table of the connection. `connection`:
    one to DuckDB or SQLite, by default to DuckDB in memory; for any other engine a function from SQL to rows,
    and the `dialect` of its SQL, as sqlglot calls it, which then translates the queries. `table`: the FROM of
    the rows. Sums are exact if below `largest`.
    """

    def __init__(self, source: Any, connection: Any, dialect: str | None = None) -> None:
        if connection is None:
            try:
                import duckdb
            except ImportError:
                raise ModelError(missing_package("a table of worlds", "duckdb", extra="duckdb")) from None
            connection = duckdb.connect()
        package = type(connection).__module__.partition(".")[0].removeprefix("_").removesuffix("3")
        self.dialect, self.translates = dialect or package, package not in ("duckdb", "sqlite")
        if self.translates and not (dialect and callable(connection)):
            raise ModelError(f"{connection!r} is no DuckDB or SQLite connection or function with dialect=")
        self.connection, self._tables, found = connection, list[str](), str(source)
        self.largest = 2**125 if self.dialect == "duckdb" else 2**62
        if not isinstance(source, str | PathLike):
            found = f"_frame{next(_NUMBER)}"
            connection.register(found, source)
        elif re.match(r"\s*(SELECT|WITH|FROM|VALUES)\s", found, re.IGNORECASE):
            found = f"({found})"
        elif re.search(r"\.(parquet|csv|tsv|json)(\.gz|\.zst)?$", found, re.IGNORECASE):
            found = "'" + found.replace("'", "''") + "'"
        self.table = f"{found} AS w"
        self.query(f"SELECT 1 FROM {self.table} LIMIT 0", f"no table, query or file {str(source)!r}: ")

    def query(self, sql: str, about: str = "") -> list[tuple[Any, ...]]:
        """Return the rows of a query; raises `ModelError` if the engine refuses it, `about` something."""
        try:
            if self.translates:
                from sqlglot import transpile

                return [tuple(row) for row in self.connection(*transpile(sql, "duckdb", self.dialect))]
            return [*self.connection.execute(sql).fetchall()]
        except Exception as error:
            if str(error) == "Query interrupted":  # DuckDB's words for Ctrl-C
                raise KeyboardInterrupt from None
            said = " ".join(str(error).split("\n\nLINE")[0].split())
            raise ModelError(f"{about}{self.dialect} refuses: {cut_off(said, 400)}") from error

    def size(self, tail: str) -> int:
        """Return the number of rows of FROM and WHERE."""
        return int(self.query(f"SELECT count(*) {tail}")[0][0])

    def store(self, columns: Mapping[str, str], tail: str, keys: int) -> str:
        """Make a table of a query, and return its name `_kN`; its columns are called `_kN_NAME`.

        `columns`: for each name its expression; `tail`: FROM and WHERE. The rows are grouped by the first
        `keys` columns. The table is temporary if the engine is known to have such.
        """
        name, kind = f"_k{next(_NUMBER)}", "TABLE" if self.translates else "TEMPORARY TABLE"
        self._tables.append(name)
        chosen = ", ".join(f"{what} AS {name}_{column}" for column, what in columns.items())
        groups = ", ".join(str(place) for place in range(1, keys + 1))
        self.query(f"CREATE {kind} {name} AS SELECT {chosen} {tail} GROUP BY {groups}")
        if self.dialect == "sqlite":  # it joins by indexes only
            found = ", ".join(f"{name}_{column}" for column in [*columns][:keys])
            self.query(f"CREATE INDEX {name}_keys ON {name} ({found})")
        return name

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Drop the tables that are made inside, whatever happens."""
        before = len(self._tables)
        try:
            yield
        finally:
            while len(self._tables) > before:
                self.query(f"DROP TABLE IF EXISTS {self._tables.pop()}")


class Seen(NamedTuple):
    """A relation: a row sees those rows whose `shows` have the values of its `looks`; NULL is a value."""

    looks: tuple[str, ...]
    shows: tuple[str, ...]


def number_of(condition: str) -> str:
    """Return the expression that is 1 where a condition is true, and 0 elsewhere."""
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END"


def rank_of(key: Iterable[str]) -> str:
    """Return the number, from 1, of the values of some expressions among all of a query."""
    return f"dense_rank() OVER (ORDER BY {', '.join(key)})"


def _by(column: str, values: Mapping[int, object], otherwise: object = "NULL") -> str:
    """Return the expression whose value depends on that of a column."""
    cases = " ".join(f"WHEN {key} THEN {value}" for key, value in values.items())
    return f"CASE {column} {cases} ELSE {otherwise} END" if cases else str(otherwise)


def _same(keys: tuple[str, ...], table: str, first: int = 0) -> str:
    """Return the condition that the values of some expressions are those of columns of a table."""
    return " AND ".join(f"({table}_{i} IS NOT DISTINCT FROM {key})" for i, key in enumerate(keys, first))


@dataclass(eq=False, repr=False)
class TableSpace(Space[str]):
    """The rows of `source` where the condition `all` is true.

    `weights`: for agents with unequal weights an expression.
    """

    engine: Database
    source: str
    relations: Mapping[str, Seen]
    valuation: dict[str, str]
    weights: Mapping[str, str]
    variables: Mapping[str, Mapping[str, Formula]]
    all: str = "TRUE"
    tell: Tell = untold

    def __post_init__(self) -> None:
        super().__init__()

    @property
    def key(self) -> tuple[str, ...]:
        """The expressions that tell rows apart: what agents look for, and the facts."""
        looks = chain(BLIND, *(seen.looks for seen in self.relations.values()))
        return tuple(dict.fromkeys((*looks, *map(number_of, self.valuation.values()))))

    # --- truth sets --------------------------------------------------------------------------------

    def complement(self, inside: str) -> str:  # noqa: D102 - inherited
        return f"(NOT {inside})"

    def all_of(self, sets: Sequence[str]) -> str:  # noqa: D102 - inherited
        return f"({' AND '.join(sets)})"

    def any_of(self, sets: Sequence[str]) -> str:  # noqa: D102 - inherited
        return f"({' OR '.join(sets)})" if sets else "FALSE"

    def odd_of(self, sets: Sequence[str]) -> str:  # noqa: D102 - inherited
        return f"(({' + '.join(map(number_of, sets))}) % 2 = 1)"

    def counted(self, sets: Sequence[str], low: int, high: int) -> str:  # noqa: D102 - inherited
        return f"(({' + '.join(map(number_of, sets))}) BETWEEN {low} AND {high})"

    def fact(self, atom: str) -> str:  # noqa: D102 - inherited
        return self.valuation[atom]

    def some(self, inside: str) -> bool:  # noqa: D102 - inherited
        return bool(self.engine.query(f"SELECT 1 {self.rows(inside)} LIMIT 1"))

    def rows(self, *conditions: str) -> str:
        """Return FROM and WHERE for the rows where all of some conditions hold."""
        kept = [condition for condition in (self.all, *conditions) if condition != "TRUE"]
        return f"FROM {self.source} WHERE {' AND '.join(kept) or 'TRUE'}"

    def evaluated(self, f: Formula) -> str:  # noqa: D102 - inherited
        text = super().evaluated(f)
        if not f.pointwise:
            self.tell(f"{type(f).__name__} is evaluated, after {len(self.memo)} other parts")
        return self.settled(text)

    def settled(self, text: str, *more: str) -> str:
        """Return a condition that is short: a long one is looked up in a table of the classes where it holds.

        It depends on facts and on what agents look for, and on the expressions `more`.
        """
        depth = max(accumulate({"(": 1, ")": -1}.get(c, 0) for c in text))
        if (len(text) <= _LONGEST and depth <= _DEEPEST) or text in self.valuation.values():
            return text
        key = (*self.key, *more)
        return self.among(key, self.classes(key, text))

    def listed(self, most: int) -> Listed | None:
        """Return the worlds, and how many rows each stands for; None if the worlds are too many.

        Rows that look the same are one world, called by what agents see there and by the atoms. The relations
        must be equivalences. K, C, D, P and updates stay the same, as a world weighs as much as its rows.
        """
        ranks = {agent: rank_of(seen.looks) for agent, seen in self.relations.items()}
        sums = {agent: f"sum({self.weights.get(agent, '1')})" for agent in ranks}
        wanted = dict.fromkeys((*self.key, *ranks.values(), *sums.values(), "count(*)"))
        chosen = ", ".join(f"{x} AS c{i}" for i, x in enumerate(wanted))
        groups = ", ".join(str(i) for i, _ in enumerate(self.key, 1))
        listed = self.engine.query(f"SELECT {chosen} {self.rows()} GROUP BY {groups} LIMIT {most + 1}")
        if len(listed) > most:
            return None
        found = dict(zip(wanted, np.array(listed, object).T, strict=True))
        rows = found["count(*)"].astype("int64")
        facts = {atom: found[number_of(x)] == 1 for atom, x in self.valuation.items()}
        told = {x[1:-1]: found[x] for seen in self.relations.values() for x in seen.looks if x not in BLIND}
        told |= {atom: true.astype(int) for atom, true in facts.items() if atom != CHOSEN.name}
        names = Computed(len(rows), lambda i: f"({', '.join(f'{n} = {x[i]}' for n, x in told.items())})")
        relations = {agent: Partition(found[x], max(found[x]) + 1) for agent, x in ranks.items()}
        weights = {agent: in_lowest_terms(found[x]) for agent, x in sums.items()}
        space = ArraySpace(names, relations, Valuation(len(rows), facts), weights, dict(self.variables))
        return KripkeModel.from_space(space), rows

    # --- relations ---------------------------------------------------------------------------------

    def classes(self, what: tuple[str, ...], *where: str, **more: str) -> str:
        """Make the table of the values of some expressions where conditions hold; return its name."""
        columns = {str(i): key for i, key in enumerate(what)}
        return self.engine.store({**columns, **more}, self.rows(*where), len(columns))

    def among(self, keys: tuple[str, ...], table: str, *more: str, first: int = 0) -> str:
        """Return the condition that the values of some expressions are those of a row, from a column on."""
        return f"EXISTS (SELECT 1 FROM {table} WHERE {' AND '.join((_same(keys, table, first), *more))})"

    def box(self, relation: Seen | Callable[[str], str], inside: str) -> str:  # noqa: D102 - inherited
        return self.complement(self.diamond(relation, self.complement(inside)))

    def diamond(self, relation: Seen | Callable[[str], str], inside: str) -> str:  # noqa: D102 - inherited
        if not isinstance(relation, Seen):
            return relation(inside)
        return self.among(relation.looks, self.classes(relation.shows, inside))

    def meet(self, left: Seen, right: Seen) -> Seen:  # noqa: D102 - inherited
        return Seen(left.looks + right.looks, left.shows + right.shows)

    def join(self, relations: list[Seen], within: str) -> Callable[[str], str]:  # noqa: D102 - inherited
        return lambda goal: self._led(relations, within, goal)

    def make_total(self) -> Seen:  # noqa: D102 - inherited
        return Seen(BLIND, BLIND)

    def _led(self, relations: list[Seen], within: str, goal: str) -> str:
        """Return the condition that one or more steps, each to a row of `within`, lead into a set.

        In each round a table for each relation gets the classes with a row of the goal, or of such a class of
        anybody, until nothing is new; if that takes long, the components of the classes decide.
        """
        tables, size, led = dict[Seen, str](), 0, "FALSE"
        for turn in count(1):
            for seen in relations:
                tables[seen] = self.classes(seen.shows, within, self.any_of([goal, led]))
                led = self.any_of([self.among(each.looks, table) for each, table in tables.items()])
            before, size = size, sum(self.engine.size(f"FROM {table}") for table in tables.values())
            self.tell(f"round {turn}: {size:,} classes lead there")
            if size == before or len(tables) == 1:
                break
            if turn == _ROUNDS and all(seen.looks == seen.shows for seen in tables):
                return self._connected([*tables], within, goal)
        return led

    def _connected(self, relations: list[Seen], within: str, goal: str) -> str:
        """Return the condition of `_led` if all relations are equivalences.

        Only the numbers of the classes that have rows in common come into memory, where they are joined.
        """
        engine, keys = self.engine, [seen.shows for seen in relations]
        ranks = {f"v{i}": rank_of(key) for i, key in enumerate(keys)}
        nodes = self.classes((*chain(*keys),), within, goal=f"max({number_of(goal)})", **ranks)
        numbers = ", ".join(f"{nodes}_{name}" for name in (*ranks, "goal"))
        *labels, goals = np.array(engine.query(f"SELECT {numbers} FROM {nodes}"), object).T
        self.tell(f"components: {len(goals):,} kinds of rows are joined")
        joined = join([Partition(label, max(label) + 1) for label in labels], goals == goals)
        values = (f"({rank})" for rank in {*labels[0][joined.image(goals == 1)].tolist()})
        hit = engine.store({"r": f"{nodes}_v0"}, f"FROM {nodes} WHERE FALSE", 1)
        while some := ", ".join(islice(values, _INSERTED)):
            engine.query(f"INSERT INTO {hit} VALUES {some}")
        there, places = f"{nodes}_v0 IN (SELECT {hit}_r FROM {hit})", accumulate(map(len, keys), initial=0)
        return self.any_of([self.among(key, nodes, there, first=next(places)) for key in keys])

    # --- probability -------------------------------------------------------------------------------

    def compared(self, node: s.Probability) -> str:  # noqa: D102 - inherited
        # all is multiplied by the denominators of the numbers, and by the total weights of the agents
        scale = lcm(node.bound.denominator, *(term.coefficient.denominator for term in node.terms))
        size = scale * (abs(node.bound) + sum(abs(term.coefficient) for term in node.terms))
        agents = dict.fromkeys(term.agent for term in node.terms)
        tables = {agent: self._summed(agent, node, scale) for agent in agents}
        for table in tables.values():
            size *= int(self.engine.query(f"SELECT max({table}_d) FROM {table}")[0][0] or 1)
        if size >= self.engine.largest:
            raise ModelError(f"the weights in {node} are too large for {self.engine.dialect}")
        whole = " * ".join(f"{table}_d" for table in tables.values())
        parts = [whole.replace(f"{table}_d", f"{table}_n") for table in tables.values()]
        compared = f"{' + '.join(parts)} {node.relation} {int(node.bound * scale)} * {whole}"
        same = [_same(self.relations[agent].looks, table) for agent, table in tables.items()]
        return f"EXISTS (SELECT 1 FROM {', '.join(tables.values())} WHERE {' AND '.join([*same, compared])})"

    def _summed(self, agent: str, node: s.Probability, scale: int) -> str:
        """Make the table of what an agent looks for: its weight `d`, and the sum `n` of the agent's terms."""
        (looks, shows), weight = self.relations[agent], self.weights.get(agent, "1")
        terms = [(int(term.coefficient * scale), term.body) for term in node.terms if term.agent == agent]
        worth = " + ".join(f"{number} * {number_of(self.memo[body])}" for number, body in terms)
        table = self.classes(shows, d=f"sum({weight})", n=f"sum({weight} * ({worth}))")
        if looks != shows:  # where an agent considers nothing possible, every probability is 1
            blind = self.rows(self.complement(self.among(looks, table)))
            ones = f"{', '.join(looks)}, 1, {sum(number for number, _ in terms)}"
            self.engine.query(f"INSERT INTO {table} SELECT DISTINCT {ones} {blind}")
        return table

    # --- other spaces ------------------------------------------------------------------------------

    def restricted(self, inside: str) -> tuple[TableSpace, Callable[[str], str]]:  # noqa: D102 - inherited
        return replace(self, all=f"{self.all} AND {inside}"), lambda part: self.all_of([inside, part])

    def product(self, action: ActionModel) -> tuple[TableSpace, Callable[[str], str]]:  # noqa: D102 - inherited
        column, copies = f"_ev{next(_NUMBER)}.e", self.copies(action)
        happens = {c.event: c.worlds for c in copies}
        relations, weights = {}, dict(self.weights)
        for agent, seen in self.relations.items():
            sight = action._sight(agent)
            number = {view: i for i, view in enumerate(dict.fromkeys(sight))}
            shown = {e: [i for view, i in number.items() if view >> e & 1] for e in happens}
            if any(len(views) > 1 for views in shown.values()):
                how = "in a way that is not transitive and euclidean; only few, listed worlds can tell it"
                raise ModelError(f"{agent!r} sees the events of {action.name!r} {how}")
            looks = _by(column, {e: number[view] for e, view in enumerate(sight)})
            shows = _by(column, {e: next(iter(views), -1) for e, views in shown.items()})
            relations[agent] = Seen((*seen.looks, looks), (*seen.shows, shows))
            if agent in action.splitting(self.relations):
                factor = _shares(sight, action.shares, happens, column)
                weights[agent] = f"{self.weights.get(agent, '1')} * {factor}"
        events = " UNION ALL ".join(f"SELECT {event} AS e" for event in happens)
        source = f"{self.source} CROSS JOIN ({events}) AS {column[:-2]}"
        happened = f"{self.all} AND {_by(column, happens)}"
        after = replace(self, source=source, relations=relations, weights=weights, all=happened)
        posts = {atom: {c.event: c.post[atom] for c in copies if atom in c.post} for atom in self.valuation}
        values = {atom: _by(column, post, self.fact(atom)) for atom, post in posts.items()}
        after.valuation = {atom: after.settled(value, column) for atom, value in values.items()}
        led = [(c.chosen, str(c.event)) for c in copies if c.chosen != "FALSE"]
        return after, lambda part: self.any_of([self.all_of([x, part.replace(column, e)]) for x, e in led])


def _shares(sight: Sequence[int], shares: Sequence[int], happens: Mapping[int, str], column: str) -> str:
    """Return the factor of an agent's weights if events that it confuses share the weight of a row."""
    totals = {e: {shares[e]} for e in happens if sight[e] >> e & 1}  # what all shares may add up to
    for event, sums in totals.items():
        for other in set(members(sight[event])) - {event}:
            sums |= {total + shares[other] for total in sums}
    common = lcm(*chain.from_iterable(totals.values()))
    factors = {}
    for event, sums in totals.items():
        whole = " + ".join(f"{shares[e]} * {number_of(happens[e])}" for e in members(sight[event]))
        factors[event] = _by(f"({whole})", {total: shares[event] * common // total for total in sorted(sums)})
    return _by(column, factors, common)


class TableAnswer(NamedTuple):
    """The answer to a question about a table.

    `verdict`: at the designated rows. `true`, `size`: the number of rows where it is true, and of all.
    `listed`: the number of worlds in memory that stood for them; None if they were asked by queries.
    """

    verdict: Verdict
    true: int
    size: int
    listed: int | None = None


class TableModel(Displayed):
    """A model whose worlds are the rows of a table; an immutable value.

    `source`: a file such as Parquet or CSV, a query, a data frame, or a table of the `connection`. `sees`:
    for each agent the columns or expressions whose values it sees; two rows are related for the agent iff
    these are the same, where NULL is a value. `atoms`: for each atom a condition on a row. `weights`: for
    agents with unequal weights a whole number from 1 to 2^31, as an expression. `variables`: see
    `KripkeModel`. All rows are designated, until `point` names some.

    An atom must not be NULL: `coalesce(…, FALSE)` says how to read it. `connection` and `dialect`: see
    `Database`; without one DuckDB is used. Rows that the agents and atoms of a question do not tell apart are
    one world. If these are at most as many as `most`, they are listed; -1: never.

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
        connection: Any = None,
        dialect: str | None = None,
        most: int = LISTED,
    ) -> None:
        if not (isinstance(sees, Mapping) and isinstance(atoms, Mapping)):
            raise ModelError("give mappings, such as sees={'a': ['age']} and atoms={'old': 'age > 60'}")
        engine = Database(source, connection, dialect)
        listed = {agent_name(a): [xs] if isinstance(xs, str) else xs for a, xs in sees.items()}
        seen = {agent: tuple(f"({x})" for x in xs) or BLIND for agent, xs in listed.items()}
        weighed = {agent_name(a): f"CAST(({x}) AS BIGINT)" for a, x in (weights or {}).items()}
        facts = {atom: f"({x})" for atom, x in atoms.items()}
        relations = {agent: Seen(xs, xs) for agent, xs in seen.items()}
        self.agents, self.atoms, self.variables = (*seen,), (*facts,), read_variables(variables)
        facts[CHOSEN.name] = "TRUE"
        self.space = space = TableSpace(engine, engine.table, relations, facts, weighed, self.variables)
        wrong = {f"agent {a!r} sees {x}": f"{x} IS NULL AND FALSE" for a, xs in seen.items() for x in xs}
        for atom, x in facts.items():
            wrong[f"atom {atom!r}, which must not be NULL, as in coalesce({x}, FALSE)"] = f"{x} IS NULL"
        for agent, x in (weights or {}).items():
            whole = (
                f"coalesce(({x}) BETWEEN 1 AND 2147483647 AND ({x}) = {weighed[agent_name(agent)]}, FALSE)"
            )
            wrong[f"agent {agent!r} weighs {x}, which must be a whole number from 1 to 2^31"] = f"NOT {whole}"
            self._asked(s.Knows(agent, s.TRUE))
        for what, condition in wrong.items():
            engine.query(f"SELECT {condition} {space.rows()} LIMIT 0", f"{what}: ")
        counts = ", ".join(["count(*)", *(f"sum({number_of(condition)})" for condition in wrong.values())])
        self._rows, *numbers = engine.query(f"SELECT {counts} {space.rows()}")[0]
        for what, number in zip(wrong, numbers, strict=True):
            if number:
                raise ModelError(f"{what}: not so at {number:,} rows")
        if not self._rows:
            raise ModelError("the table has no rows, and a model needs a world")
        with engine.scope():
            space.check_variables()
        self._most, self._steps = most, tuple[s.Box, ...]()
        self._found = dict[frozenset[Any], Listed | None]()

    @property
    def size(self) -> int:
        """The exact number of worlds: rows, or after actions pairs of a row and an event."""
        return self.ask(s.TRUE).size

    def headline(self) -> str:
        """Return the number of rows, and the names of agents and atoms."""
        return f"{self._rows:,} rows; agents {', '.join(self.agents)}; atoms {', '.join(self.atoms)}"

    # --- questions ---------------------------------------------------------------------------------

    def _asked(self, f: FormulaLike, actions: Meanings | None = None) -> Formula:
        asked = asked_formula(f, self.agents, self.atoms).bind(**(actions or {}))
        check_formula_names(self.space, asked)
        return asked

    def _part(self, *asked: Formula, tell: Tell = untold) -> TableSpace:
        """Return the rows as they are given, for the agents and atoms that some formulas depend on."""
        space, left = self.space, [CHOSEN, *asked, *self._steps]
        if any(isinstance(node, s.KnowsValue) for node in s.nodes_within(*left)):
            left += chain.from_iterable(values.values() for values in self.variables.values())
        agents, atoms = {a for f in left for a in f.agents}, {p for f in left for p in f.atoms}
        relations = {agent: seen for agent, seen in space.relations.items() if agent in agents}
        facts = {atom: x for atom, x in space.valuation.items() if atom in atoms}
        return replace(space, relations=relations, valuation=facts, tell=tell)

    def _listed(self, space: TableSpace) -> Listed | None:
        """Return the worlds of a part, and the rows of each; None if they are too many to be listed.

        They are if few rows of a sample look the same. Tells how long it takes to read all rows.
        """
        names, kinds = frozenset((*space.relations.items(), *space.valuation.items())), 0
        for known, found in self._found.items():
            if known == names or (found and known > names):
                return found
        if self._rows > _SAMPLE:
            start, sample = perf_counter(), f"(SELECT * {space.rows()} LIMIT {_SAMPLE}) AS w"
            kinds = space.engine.size(f"FROM (SELECT DISTINCT {', '.join(space.key)} FROM {sample}) AS kinds")
            seconds = (perf_counter() - start) * self._rows / _SAMPLE
            space.tell(f"{self._rows:,} rows: about {seconds:,.1f} s each time that they are read")
        few = self._most >= 0 and kinds <= _SAMPLE / 2
        self._found[names] = space.listed(self._most) if few else None
        return self._found[names]

    def _later(self, space: Any) -> Any:
        """Return a space after the updates."""
        for step in self._steps:
            space.truth(step)
            space = space.after(step, exact=True)[0]
        return space

    def ask(self, f: FormulaLike, *, actions: Meanings | None = None, tell: Tell = untold) -> TableAnswer:
        """Return the answer to a question, with the numbers of rows and the way it was found.

        `tell` is called with lines about the question while it runs: the way, the expected time, the steps.
        """
        asked = self._asked(f, actions)
        with self.space.engine.scope():
            space = self._part(asked, tell=tell)
            found = self._listed(space)
            if found is None:
                tell(f"{self._rows:,} rows are asked by queries")
                later, listed = self._later(space), None
                parts = [map(later.truth, part) for part in ((asked,), (), (asked, CHOSEN), (CHOSEN,))]
                counts = [*map(cache(later.engine.size), (later.rows(*part) for part in parts))]
            else:
                model, rows = found
                tell(f"{len(rows):,} worlds are listed")
                later, listed = self._later(model.arrays.asked()), len(rows)
                if (places := later.names.places_in(model.worlds)) is not None:
                    rows = rows[places]
                counts = [rows[later.truth(g)].sum() for g in (asked, s.TRUE, asked & CHOSEN, CHOSEN)]
        true, size, pointed, total = map(int, counts)
        return TableAnswer(Verdict.of(pointed, total), true, size, listed)

    def holds(self, f: FormulaLike, *, actions: Meanings | None = None) -> bool:
        """Return whether a formula is true at all designated rows, or at those with the condition `at`."""
        return self.ask(f, actions=actions).verdict == "true"

    def valid(self, f: FormulaLike, *, actions: Meanings | None = None) -> bool:
        """Return whether a formula is true at all rows."""
        found = self.ask(f, actions=actions)
        return found.true == found.size

    def count(self, f: FormulaLike, *, actions: Meanings | None = None) -> int:
        """Return the number of rows where a formula is true."""
        return self.ask(f, actions=actions).true

    def verdict(self, f: FormulaLike, *, actions: Meanings | None = None) -> Verdict:
        """Return whether a formula is true at all, none or some of the designated rows."""
        return self.ask(f, actions=actions).verdict

    def where(self, f: FormulaLike, *, most: int = 20) -> list[tuple[Any, ...]]:
        """Return the first rows where a formula is true, with the numbers of the events that happened.

        `count` returns the number of all.
        """
        asked = self._asked(f)
        with self.space.engine.scope():
            space: TableSpace = self._later(self._part(asked))
            return space.engine.query(f"SELECT * {space.rows(space.truth(asked))} LIMIT {most}")

    def model(self, *formulas: FormulaLike) -> KripkeModel:
        """Return the worlds that the agents and atoms of some formulas tell apart, as a `KripkeModel`.

        A world weighs as much as its rows. Raises `ModelTooLarge` if they are too many to be listed.
        """
        return self._built(self._listed(self._part(*map(self._asked, formulas))))

    def _built(self, found: Listed | None) -> KripkeModel:
        """Return listed worlds after the updates, as a model."""
        if found is None:
            raise ModelTooLarge(self._rows, self._most, "a list of worlds", "explain at one row, or ask less")
        space = self._later(found[0].arrays)
        atoms = [atom for atom in space.valuation if atom != CHOSEN.name]
        return KripkeModel.from_space(space.part(space.relations, atoms), space.truth(CHOSEN))

    def explain(self, f: FormulaLike, *, actions: Meanings | None = None) -> Explanation:
        """Return why a formula is true or false at the designated row, or at one that determines the verdict.

        Worlds are called by what agents see and by the atoms. If not all can be listed, those are that the
        formula depends on at designated rows; raises `ModelTooLarge` if even they are too many.
        """
        asked = self._asked(f, actions)
        return self._built(self._listed(self._part(asked)) or self._near(asked)).explain(asked)

    def _near(self, f: Formula) -> Listed | None:
        """Return the worlds that a formula depends on at designated rows, if they are few."""
        near, space = s.disjunction([CHOSEN]), self._part(f)
        depth = sum(needs(part, self.variables).depth for part in (f, *self._steps))
        if depth == inf:
            return None
        for _ in range(int(depth)):
            near |= s.EveryoneDual([*space.relations], near)
        with space.engine.scope():
            return replace(space, all=space.truth(near)).listed(LISTED)

    # --- updates -----------------------------------------------------------------------------------

    def announce(self, f: FormulaLike) -> Self:
        """Return the model after the truthful public announcement of a formula.

        Raises `FalseAnnouncement` if it is true at no designated row.
        """
        asked = self._asked(f)
        return self._then(s.Announce(asked), asked, "announcement")

    def update(self, action: ActionModel) -> Self:
        """Return the product update with an action model; its worlds are pairs of a row and an event.

        Raises `FalseAnnouncement` if no designated event can happen at a designated row.
        """
        if not isinstance(action, ActionModel):
            raise ModelError(f"expected an action model, got {action!r}; announce a formula with announce")
        action.check_names(self.space)
        events = dict(action.events)
        for name in set(events).difference(action.designated):
            events[name] = events[name].changing({**events[name].post, CHOSEN.name: s.FALSE})
        possible = s.disjunction(events[name].pre for name in action.designated)
        update = s.Act("act", None, action.with_events(events))
        return self._then(update, possible, action.name.replace("_", " "))

    def _then(self, update: s.Announce | s.Act, possible: Formula, what: str) -> Self:
        """Return the model after an update, which is possible where a formula is true."""
        found = copy(self)
        found._steps = (*self._steps, s.Box(update, s.TRUE))
        if not found.ask(s.TRUE).verdict.total:
            number = self.ask(s.TRUE).verdict.total
            raise FalseAnnouncement(possible, self.where(CHOSEN, most=3), what=what, count=number)
        return found

    def point(self, where: str) -> Self:
        """Return the same model in which the rows with a condition, such as `"id = 7"`, are designated.

        After an action these are pairs with the events that were designated.
        """
        found = copy(self)
        facts = {**self.space.valuation, CHOSEN.name: f"coalesce(({where}), FALSE)"}
        found.space = replace(self.space, valuation=facts)
        if not found.ask(s.TRUE).verdict.total:
            raise ModelError(f"no row has {where}; at least one must be designated")
        return found
