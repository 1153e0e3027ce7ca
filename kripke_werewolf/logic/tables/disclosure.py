"""What a published table gives away about a person in it, to an observer who knows some columns of their row.

The rows are the worlds: which of them is the person's is what the observer does not know. So the secret is
*known* where all rows of a class have the same (`Kv`, homogeneity), and a further table that has the person
too, or an announcement about them, leaves fewer rows (composition).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.reports.documents import Document, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.logic.formulas.syntax import rational
from kripke_werewolf.logic.tables.model import BLIND, Database, TableSpace, number_of

_LIMITS = "A row is one person. Nothing is said of two together, of samples, or of guesses from elsewhere."


_Measured: TypeAlias = tuple[dict[str, int], tuple[Any, ...]]


class Disclosure(NamedTuple):
    """What a table gives away; see `disclose`.

    `stages`: what an observer can tell `after` the table, each further table and each announcement. `rows`:
    those that may be the person's; `classes`: how many kinds of them are told apart. There are `k` rows in
    the smallest class (k-anonymity), and `l` values of the secret in the class with the fewest (distinct
    l-diversity). Of the rows, how many are `alone` in their class, for how many the secret is `known`, known
    `but for one` other value, and `likely`: some value has a probability above the bound.

    `columns`: for each column for how many rows the secret is known without it. `examples`: the classes that
    tell most at the end: what the observer sees, the secret if it is known (else None), the number of rows
    and of values.
    """

    secret: str
    bound: Fraction
    stages: tuple[dict[str, Any], ...]
    columns: dict[str, int]
    examples: tuple[tuple[Any, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return self._asdict() | {"bound": str(self.bound), "not said": _LIMITS}

    def document(self) -> Document:
        """Return the report."""
        last = self.stages[-1]
        said = f"{self.secret} is known for {last['known']:,} of {last['rows']:,} rows"
        figures = f"k = {last['k']}, l = {last['l']}; likely: with a probability above {self.bound}"
        grids = [
            _grid(last, map(dict.values, self.stages)),
            _grid(("column", "known without it"), self.columns.items()),
            _grid((*self.columns, self.secret, "rows", "values"), self.examples),
        ]
        words = Paragraph(f"{said}; {figures}. {_LIMITS}")
        return Document(f"What the table tells about {self.secret}", (words, *grids))


def _grid(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> Grid:
    """Return the grid of a report; numbers have commas."""
    shown = (tuple(f"{x:,}" if isinstance(x, int) else x or "-" for x in row) for row in rows)
    return Grid(tuple(head), tuple(shown))


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

    `source`, `connection`: see `TableModel`. `sees`: columns, or expressions such as `zip // 10`. `secret`:
    the column that should not be known, or an expression. `then`: further tables that have the person too,
    with the same secret and some of the same columns. `announced`: conditions on the person's row that the
    observer learns.

    >>> import sqlite3
    >>> base = sqlite3.connect(":memory:")
    >>> _ = base.execute("CREATE TABLE t AS SELECT 30 age, 'flu' ill UNION ALL SELECT 40, 'flu'"
    ...                  " UNION ALL SELECT 40, 'none'")
    >>> disclose("t", ["age"], "ill", connection=base).stages[-1]["known"]
    1
    """
    engine = Database(source, connection)
    space, limit = TableSpace(engine, engine.table, {}, {}, {}, {}), rational(bound)
    if nothing := engine.size(space.rows(f"({secret}) IS NULL")):
        raise ModelError(f"{secret} is NULL at {nothing:,} rows; read it as with coalesce({secret}, 'none')")
    with engine.scope():
        learnt = [("the table", "TRUE")]
        learnt += [(f"table {i}", _joined(other, space, sees, secret)) for i, other in enumerate(then, 2)]
        learnt += [(text, f"({text})") for text in announced]
        stages = []
        for after, condition in learnt:
            space = space.restricted(condition)[0]
            figures, examples = _measured(space, sees, secret, limit)
            stages.append({"after": after, **figures})
            if not figures["rows"]:
                raise ModelError(f"no row is left after {after}, so it is not true of anybody in the table")
        rests = {column: [other for other in sees if other != column] for column in sees}
        columns = {c: _measured(space, rest, secret, limit)[0]["known"] for c, rest in rests.items()}
    return Disclosure(secret, limit, tuple(stages), columns, examples)


def _measured(space: TableSpace, sees: Sequence[str], secret: str, bound: Fraction) -> _Measured:
    """Return the figures of a stage, and the classes that tell most."""
    key, query = tuple(f"({column})" for column in sees) or BLIND, space.engine.query
    values = space.classes((*key, f"({secret})"), n="count(*)")
    columns = {str(i): f"{values}_{i}" for i, _ in enumerate(key)}
    columns |= {"n": f"sum({values}_n)", "l": "count(*)", "most": f"max({values}_n)"}
    columns["secret"] = f"CASE WHEN count(*) = 1 THEN min({values}_{len(key)}) END"
    classes = space.engine.store(columns, f"FROM {values}", len(key))
    rows, number, most = (f"{classes}_{name}" for name in ("n", "l", "most"))
    kinds = {"alone": f"{rows} = 1", "known": f"{number} = 1", "but for one": f"{number} = 2"}
    kinds["likely"] = f"{most} * {bound.denominator} > {rows} * {bound.numerator}"
    wanted = {"rows": f"sum({rows})", "classes": "count(*)", "k": f"min({rows})", "l": f"min({number})"}
    wanted |= {kind: f"sum({rows} * {number_of(where)})" for kind, where in kinds.items()}
    found = query(f"SELECT {', '.join(wanted.values())} FROM {classes}")[0]
    words = ", ".join(f"CAST({classes}_{name} AS VARCHAR)" for name in (*range(len(sees)), "secret"))
    told = f"SELECT {words}, {rows}, {number} FROM {classes} ORDER BY {number}, {rows} DESC, {words} LIMIT 5"
    return {name: int(x or 0) for name, x in zip(wanted, found, strict=True)}, tuple(query(told))


def _joined(other: Any, space: TableSpace, sees: Sequence[str], secret: str) -> str:
    """Return the condition that a further table may have the person too, with the same secret."""
    further = TableSpace(space.engine, Database(other, space.engine.connection).table, {}, {}, {}, {})
    theirs = space.engine.connection.execute(f"SELECT * {further.rows()} LIMIT 0").description
    shared = [column for column in sees if column.lower() in {name.lower() for name, *_ in theirs}]
    if not shared:
        raise ModelError(f"{other!r} has none of the columns {', '.join(sees)}, so nobody can be found in it")
    key = tuple(f"({column})" for column in (*shared, secret))
    return space.among(key, further.classes(key))
