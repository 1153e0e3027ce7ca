"""Epistemic logic in SQL: worlds are the rows of a table, and a truth set is a condition on a row.

So the declarations of the operators write the query. A box does not copy the worlds: it makes a table of the
*classes where the formula fails* (what the agent sees at the rows where it is false), and is itself `NOT
EXISTS` in that table. An announcement is one more condition; an update joins a constant table of events, and
the way back from it puts the number of an event in the place of the column.

A relation is a pair of lists of expressions: a row sees another iff what the one looks for is what the other
shows. They are the same for S5, and differ after private announcements; every relation that is transitive and
euclidean is such a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, count, islice
from math import lcm
from typing import NamedTuple

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.bits import members, no_probabilities
from kripke_werewolf.logic.semantics.space import Space
from kripke_werewolf.logic.tables.database import Database

_LONGEST, _DEEPEST = 4_000, 16  # characters and brackets of a condition before its classes become a table
_ROUNDS = 6  # rounds of common knowledge before the components of the classes are computed
_INSERTED = 10_000  # numbers written into a table at once
_EVENTS = count(1)


BLIND = ("'-'",)
"""What is looked for by who sees nothing."""


class Seen(NamedTuple):
    """A relation: a row sees those rows whose `shows` have the values of its `looks`; NULL is a value."""

    looks: tuple[str, ...]
    shows: tuple[str, ...]


class Reach(NamedTuple):
    """The relation of one or more steps along any of several relations, each to a row of `within`."""

    relations: list[Seen]
    within: str


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


def _same(keys: tuple[str, ...], table: str) -> str:
    """Return the condition that the values of some expressions are those of the first columns of a table."""
    return " AND ".join(f"({table}_{i} IS NOT DISTINCT FROM {key})" for i, key in enumerate(keys))


@dataclass(eq=False, repr=False)
class TableSpace(Space[str]):
    """The rows of `source` where the condition `all` is true.

    `weights`: for agents with unequal weights an expression.
    """

    engine: Database
    source: str
    relations: Mapping[str, Seen]
    valuation: Mapping[str, str]
    weights: Mapping[str, str]
    variables: Mapping[str, Mapping[str, Formula]]
    all: str = "TRUE"

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

    def number(self, inside: str) -> int:
        """Return the number of rows in a truth set."""
        return self.engine.size(self.rows(inside))

    def rows(self, *conditions: str) -> str:
        """Return FROM and WHERE for the rows where all of some conditions hold."""
        return f"FROM {self.source} WHERE {' AND '.join((self.all, *conditions))}"

    def evaluated(self, f: Formula) -> str:  # noqa: D102 - inherited
        text = super().evaluated(f)
        if not f.pointwise:
            self.engine.tell(f"{type(f).__name__} is evaluated, after {len(self.memo)} other parts")
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

    # --- relations ---------------------------------------------------------------------------------

    def classes(self, what: tuple[str, ...], *where: str, **more: str) -> str:
        """Make the table of the values of some expressions where conditions hold; return its name."""
        columns = {str(i): key for i, key in enumerate(what)}
        return self.engine.store({**columns, **more}, self.rows(*where), keys=len(columns))

    def among(self, keys: tuple[str, ...], table: str, *more: str) -> str:
        """Return the condition that the values of some expressions are a row of a table."""
        return f"EXISTS (SELECT 1 FROM {table} WHERE {' AND '.join((_same(keys, table), *more))})"

    def box(self, relation: Seen | Reach, inside: str) -> str:  # noqa: D102 - inherited
        return self.complement(self.diamond(relation, self.complement(inside)))

    def diamond(self, relation: Seen | Reach, inside: str) -> str:  # noqa: D102 - inherited
        if isinstance(relation, Reach):
            tables = self._leading(relation, inside)
            return self.any_of([self.among(seen.looks, table) for seen, table in tables.items()])
        return self.among(relation.looks, self.classes(relation.shows, inside))

    def meet(self, left: Seen, right: Seen) -> Seen:  # noqa: D102 - inherited
        return Seen(left.looks + right.looks, left.shows + right.shows)

    def join(self, relations: list[Seen], within: str) -> Reach:  # noqa: D102 - inherited
        return Reach(relations, within)

    def make_total(self) -> Seen:  # noqa: D102 - inherited
        return Seen(BLIND, BLIND)

    def _leading(self, reach: Reach, goal: str) -> dict[Seen, str]:
        """Return for each relation the table of the classes from which a group can reach a set.

        In each round they get the classes with a row of the goal, or of such a class of anybody, until
        nothing is new; if that takes long, those in the components of the goal.
        """
        tables, size = dict[Seen, str](), 0
        for turn in count(1):
            for seen in reach.relations:
                ways = [self.among(other.looks, table) for other, table in tables.items()]
                tables[seen] = self.classes(seen.shows, reach.within, self.any_of([goal, *ways]))
            before, size = size, sum(self.engine.size(f"FROM {table}") for table in tables.values())
            self.engine.tell(f"round {turn}: {size:,} classes lead there")
            if size == before or len(tables) == 1:
                return tables
            if turn == _ROUNDS and all(seen.looks == seen.shows for seen in tables):
                return self._connected([*tables], reach.within, goal)
        return tables

    def _connected(self, relations: list[Seen], within: str, goal: str) -> dict[Seen, str]:
        """Return the tables of `_leading` if all relations are equivalences: whole components of classes.

        Only the numbers of the classes that have rows in common come into memory, where they are joined.
        """
        from kripke_werewolf.logic.semantics.cells import Partition, join

        engine, columns = self.engine, count()
        ids = {f"v{i}": f"{rank_of(seen.shows)} - 1" for i, seen in enumerate(relations)}
        key = (*chain.from_iterable(seen.shows for seen in relations),)
        nodes = self.classes(key, within, goal=f"max({number_of(goal)})", **ids)
        numbers = ", ".join(f"{nodes}_{name}" for name in (*ids, "goal"))
        *labels, goals = engine.columns(f"SELECT {numbers} FROM {nodes}")
        engine.tell(f"components: {len(goals):,} kinds of rows are joined")
        classes = [Partition(x.astype("int32"), int(x.max(initial=-1)) + 1) for x in labels]
        there = {*labels[0][join(classes, goals == goals).image(goals == 1)].tolist()}
        hit, values = engine.store({"r": "0"}, f"FROM {nodes} WHERE FALSE"), (f"({x})" for x in there)
        while some := ", ".join(islice(values, _INSERTED)):
            engine.query(f"INSERT INTO {hit} VALUES {some}")
        tables = {}
        for seen in relations:
            own = {str(i): f"{nodes}_{next(columns)}" for i, _ in enumerate(seen.shows)}
            found = f"FROM {nodes} JOIN {hit} ON {hit}_r = {nodes}_v0"
            tables[seen] = engine.store(own, found, keys=len(own))
        return tables

    # --- probability -------------------------------------------------------------------------------

    def compared(self, node: s.Probability) -> str:  # noqa: D102 - inherited
        # all is multiplied by the denominators of the numbers, and by the total weights of the agents
        scale = lcm(node.bound.denominator, *(term.coefficient.denominator for term in node.terms))
        size = scale * (abs(node.bound) + sum(abs(term.coefficient) for term in node.terms))
        tables = {agent: self._summed(agent, node) for agent in dict.fromkeys(t.agent for t in node.terms)}
        for agent, table in tables.items():
            least, most = self.engine.query(f"SELECT min({table}_d), max({table}_d) FROM {table}")[0]
            if least == 0 and self.some(self.among(self.relations[agent].looks, table, f"{table}_d = 0")):
                raise no_probabilities(agent, "some row")
            size *= max(1, int(most or 0))
        if size >= (engine := self.engine).largest:
            raise ModelError(f"{engine.dialect} cannot compare the weights in {node}: they are too large")
        whole = " * ".join(f"{table}_d" for table in tables.values())
        parts = [f"{int(-node.bound * scale)} * {whole}"]
        for i, term in enumerate(node.terms):
            table = tables[term.agent]
            parts.append(f"{int(term.coefficient * scale)} * {whole.replace(f'{table}_d', f'{table}_n{i}')}")
        same = [_same(self.relations[agent].looks, table) for agent, table in tables.items()]
        compared = f"{' + '.join(parts)} {node.relation.replace('!=', '<>')} 0"
        return f"EXISTS (SELECT 1 FROM {', '.join(tables.values())} WHERE {' AND '.join([*same, compared])})"

    def _summed(self, agent: str, node: s.Probability) -> str:
        """Make the table of what an agent looks for, with the weight `d` of that, and `n…` of the bodies."""
        (looks, shows), weight = self.relations[agent], self.weights.get(agent, "1")
        sums = {"d": f"sum({weight})"}
        for i, term in enumerate(node.terms):
            if term.agent == agent:
                sums[f"n{i}"] = f"sum(CASE WHEN {self.memo[term.body]} THEN {weight} ELSE 0 END)"
        table = self.classes(shows, **{n: f"CAST({x} AS {self.engine.integer})" for n, x in sums.items()})
        if looks != shows:  # where an agent considers nothing possible, every probability is 1
            blind, ones = self.rows(self.complement(self.among(looks, table))), ", 1" * len(sums)
            self.engine.query(f"INSERT INTO {table} SELECT DISTINCT {', '.join(looks)}{ones} {blind}")
        return table

    # --- other spaces ------------------------------------------------------------------------------

    def restricted(self, inside: str) -> tuple[TableSpace, Callable[[str], str]]:  # noqa: D102 - inherited
        return replace(self, all=f"{self.all} AND {inside}"), lambda part: self.all_of([inside, part])

    def product(self, action: ActionModel) -> tuple[TableSpace, Callable[[str], str]]:  # noqa: D102 - inherited
        column, copies = f"_ev{next(_EVENTS)}.e", self.copies(action)
        happens = {c.event: c.worlds for c in copies}
        relations, weights = {}, dict(self.weights)
        for agent, seen in self.relations.items():
            sight = action._sight(agent)
            number = {view: i for i, view in enumerate(dict.fromkeys(sight))}
            shown = {e: i for view, i in number.items() for e in members(view)}
            if len(shown) < sum(map(int.bit_count, number)):
                raise ModelError(
                    f"{agent!r} sees the events of {action.name!r} in a way that is not transitive and "
                    "euclidean, which queries cannot tell; `model` lists the worlds if they are few"
                )
            sees = {e: number[view] for e, view in enumerate(sight)}
            looks, shows = (_by(column, dict(sorted(x.items())), -1) for x in (sees, shown))
            relations[agent] = Seen((*seen.looks, looks), (*seen.shows, shows))
            if agent in action.splitting(self.relations):
                factor = _shares(sight, action.shares, happens, column)
                weights[agent] = f"{self.weights.get(agent, '1')} * {factor}"
        events = " UNION ALL ".join(f"SELECT {event} AS e" for event in happens)
        source = f"{self.source} CROSS JOIN ({events}) AS {column[:-2]}"
        happened = f"{self.all} AND {_by(column, happens)}"
        after = replace(self, source=source, relations=relations, weights=weights, all=happened)
        posts = {atom: {c.event: c.post[atom] for c in copies if atom in c.post} for atom in self.valuation}
        after.valuation = {
            atom: after.settled(_by(column, post, self.fact(atom)), column) for atom, post in posts.items()
        }
        chosen = [e for e, name in enumerate(action.events) if name in set(action.designated)]

        def before(part: str) -> str:
            return self.any_of([self.all_of([happens[e], part.replace(column, str(e))]) for e in chosen])

        return after, before


def _shares(sight: Sequence[int], shares: Sequence[int], happens: Mapping[int, str], column: str) -> str:
    """Return the factor of an agent's weights if events that it confuses share the weight of a row."""
    totals = dict[int, set[int]]()  # for each event that has a share, what all shares may add up to
    for event in happens:
        if sight[event] >> event & 1:
            totals[event] = {shares[event]}
            for other in set(members(sight[event])) - {event}:
                totals[event] |= {total + shares[other] for total in totals[event]}
    common = lcm(*chain.from_iterable(totals.values()))
    factors = {}
    for event, sums in totals.items():
        whole = " + ".join(f"{shares[e]} * {number_of(happens[e])}" for e in members(sight[event]))
        factors[event] = _by(f"({whole})", {total: shares[event] * common // total for total in sorted(sums)})
    return _by(column, factors, common)
