"""What a published table gives away about a person in it, to an observer who knows some columns of their row.

The rows are the worlds: which of them is the person's is what the observer does not know. So the secret is
*known* where all rows of a class have the same (`Kv`, homogeneity), and a further table that has the person
too, or an announcement about them, leaves fewer rows (composition).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.reports.documents import Document, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.logic.formulas.syntax import rational
from kripke_werewolf.logic.tables.database import opened
from kripke_werewolf.logic.tables.space import BLIND, TableSpace, number_of

_LIMITS = (
    "A row is a person, and one person is looked for. Nothing is said of two persons together, of tables "
    "that have a sample of the persons, or of what can be guessed from elsewhere."
)


class Disclosure(NamedTuple):
    """What a table gives away; see `disclose`.

    `stages`: what an observer can tell `after` the table, each further table and each announcement. `rows`:
    those that may be the person's; `classes`: how many kinds of them are told apart. There are `k` rows in
    the smallest class (k-anonymity), and `l` values of the secret in the class with the fewest (distinct
    l-diversity). Of the rows, how many are `alone` in their class, for how many the secret is `known`, known
    `but for one` other value, and `likely`: some value has a probability above the bound.

    `columns`: for each column for how many rows it tells the secret by itself, and how many are told without
    it. `examples`: classes of each of these kinds at the end: the kind, what the observer sees, the secret if
    it is known (else None), and the number of rows.
    """

    secret: str
    bound: Fraction
    stages: tuple[dict[str, Any], ...]
    columns: dict[str, tuple[int, int]]
    examples: tuple[tuple[Any, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return self._asdict() | {"bound": str(self.bound), "not said": _LIMITS}

    def document(self) -> Document:
        """Return the report."""
        last = self.stages[-1]
        said = f"{self.secret} is known for {last['known']:,} of {last['rows']:,} rows"
        columns = ((name, *told) for name, told in self.columns.items())
        blocks = (
            Paragraph(f"{said}; k = {last['k']}, l = {last['l']}. {_LIMITS}"),
            _grid(
                last,
                (stage.values() for stage in self.stages),
                f"Likely: with a probability above {self.bound}.",
            ),
            _grid(("column", "known by it alone", "known without it"), columns),
            _grid(("for example", *self.columns, self.secret, "rows"), self.examples),
        )
        return Document(f"What the table tells about {self.secret}", blocks)


def _grid(head: Iterable[str], rows: Iterable[Iterable[Any]], note: str = "") -> Grid:
    """Return the grid of a report; numbers have commas."""
    shown = (tuple(f"{x:,}" if isinstance(x, int) else x or "-" for x in row) for row in rows)
    return Grid(tuple(head), tuple(shown), note)


def disclose(
    source: Any,
    sees: Sequence[str],
    secret: str,
    *,
    then: Iterable[Any] = (),
    announced: Iterable[str] = (),
    bound: object = Fraction(1, 2),
    connection: Any = None,
) -> Disclosure:
    """Measure what a table gives away to an observer who knows some columns of a person's row.

    `source`, `connection`: see `TableModel`. `sees`: columns, or expressions such as `zip // 10 AS area`.
    `secret`: the column that should not be known, or an expression. `then`: further tables that have the
    person too, with the same secret and some of the same columns. `announced`: conditions on the person's
    row that the observer learns.

    >>> import sqlite3
    >>> base = sqlite3.connect(":memory:")
    >>> _ = base.execute("CREATE TABLE t AS SELECT 30 age, 'flu' ill UNION ALL SELECT 40, 'flu'"
    ...                  " UNION ALL SELECT 40, 'none'")
    >>> disclose("t", ["age"], "ill", connection=base).stages[-1]["known"]
    1
    """
    engine, table = opened(source, connection)
    space, limit = TableSpace(engine, table, {}, {}, {}, {}), rational(bound)
    split = (re.split(r"\s+AS\s+(?=\w+$)", text, flags=re.IGNORECASE) for text in sees)
    named = {parts[-1]: f"({parts[0]})" for parts in split}
    if nothing := space.number(f"({secret}) IS NULL"):
        advice = f"say how to read it, as with coalesce({secret}, 'none')"
        raise ModelError(f"{secret} is NULL at {nothing:,} rows; {advice}")
    with engine.scope():
        conditions = {"the table": "TRUE"}
        for number, other in enumerate(then, 2):
            conditions[f"table {number}"] = _joined(other, space, named, secret)
        conditions |= {text: f"({text})" for text in announced}
        stages, columns, examples = [], {}, list[tuple[Any, ...]]()
        for after, condition in conditions.items():
            space = space.restricted(condition)[0]
            figures, examples = _measured(space, [*named.values()], secret, limit)
            if not figures["rows"]:
                raise ModelError(f"no row is left after {after}, so it is not true of anybody in the table")
            stages.append({"after": after, **figures})
        for name in named:
            rest = [text for other, text in named.items() if other != name]
            alone, without = (_measured(space, key, secret, limit)[0] for key in ([named[name]], rest))
            columns[name] = alone["known"], without["known"]
    return Disclosure(secret, limit, tuple(stages), columns, tuple(examples))


def _measured(
    space: TableSpace, seen: Sequence[str], secret: str, bound: Fraction
) -> tuple[dict[str, int], list[tuple[Any, ...]]]:
    """Return the figures of a stage, and classes of each kind as examples."""
    key, query = (*seen,) or BLIND, space.engine.query
    values = space.classes((*key, f"({secret})"), n="count(*)")
    columns = {str(i): f"{values}_{i}" for i, _ in enumerate(key)}
    columns |= {"n": f"sum({values}_n)", "l": "count(*)", "most": f"max({values}_n)"}
    columns["secret"] = f"CASE WHEN count(*) = 1 THEN min({values}_{len(key)}) END"
    classes = space.engine.store(columns, f"FROM {values}", keys=len(key))
    rows, number, most = (f"{classes}_{name}" for name in ("n", "l", "most"))
    wanted = {"rows": f"sum({rows})", "classes": "count(*)", "k": f"min({rows})", "l": f"min({number})"}
    kinds = {"alone": f"{rows} = 1", "known": f"{number} = 1", "but for one": f"{number} = 2"}
    kinds["likely"] = f"{most} * {bound.denominator} > {rows} * {bound.numerator}"
    wanted |= {name: f"sum({rows} * {number_of(condition)})" for name, condition in kinds.items()}
    found = query(f"SELECT {', '.join(wanted.values())} FROM {classes}")[0]
    words = ", ".join(f"CAST({classes}_{name} AS VARCHAR)" for name in (*range(len(seen)), "secret"))
    shown = f"SELECT {words}, {rows} FROM {classes} WHERE {{}} ORDER BY {rows} DESC, {words} LIMIT 2"
    examples = [(kind, *row) for kind, where in kinds.items() for row in query(shown.format(where))]
    return {name: int(x or 0) for name, x in zip(wanted, found, strict=True)}, examples


def _joined(other: Any, space: TableSpace, named: dict[str, str], secret: str) -> str:
    """Return the condition that a further table may have the person too, with the same secret."""
    table = opened(other, space.engine.connection)[1]
    further = TableSpace(space.engine, table, {}, {}, {}, {})
    theirs = space.engine.connection.execute(f"SELECT * FROM {table} LIMIT 0").description
    known = {name.lower() for name, *_ in theirs}
    shared = {name: text for name, text in named.items() if name.lower() in known}
    if not shared:
        none = f"none of the columns {', '.join(named)}"
        raise ModelError(f"{other!r} has {none}, so nobody can be found in it")
    return space.among((*shared.values(), f"({secret})"), further.classes((*shared, f"({secret})")))
