"""Databases: a connection, the tables that a question makes there, and where its rows come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from os import PathLike
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import ModelError, cut_off, missing_package

Row: TypeAlias = tuple[Any, ...]
Tell: TypeAlias = Callable[[str], object]
"""What is called with lines about the progress of a question."""

_OWN = {"duckdb": "duckdb", "sqlite3": "sqlite"}
"""The packages of connections to the engines that read queries as they are written here."""
_NUMBER = count(1)


def untold(line: str) -> None:
    """Tell nobody about the progress of a question."""


class Database:
    """A database, and the tables that this library makes there and drops again.

    `connection`: one of DuckDB or SQLite; for any other engine a function from a query to its rows, and the
    `dialect` of its SQL, as sqlglot calls it, which then translates the queries. `tell` is called with lines
    about the progress of a question. Sums are `integer` values, exact if below `largest`.
    """

    def __init__(self, connection: Any, dialect: str | None = None) -> None:
        package = type(connection).__module__.partition(".")[0].removeprefix("_")
        self.dialect = dialect or _OWN.get(package, "")
        self.translates = self.dialect not in _OWN.values()
        if self.translates and not (self.dialect and callable(connection)):
            raise ModelError(
                f"{connection!r} is not a connection to DuckDB or SQLite; for another engine give a function "
                'from a query to its rows, and the dialect of its SQL, such as dialect="spark"'
            )
        self.connection, self._tables = connection, list[str]()
        self.tell: Tell = untold
        self.integer, self.largest = "BIGINT", 2**62
        if self.dialect == "duckdb":
            self.integer, self.largest = "HUGEINT", 2**125

    def query(self, sql: str) -> list[Row]:
        """Return the rows of a query; raises `ModelError` if the engine refuses it."""
        try:
            if self.translates:
                from sqlglot import transpile

                (translated,) = transpile(sql, read="duckdb", write=self.dialect)
                return [tuple(row) for row in self.connection(translated)]
            rows: list[Row] = self.connection.execute(sql).fetchall()
        except ImportError as error:
            what = f"the dialect {self.dialect!r}"
            raise ModelError(missing_package(what, error.name or "sqlglot")) from None
        except Exception as error:
            if str(error) == "Query interrupted":  # DuckDB's words for Ctrl-C
                raise KeyboardInterrupt from None
            said = " ".join(str(error).split("\n\nLINE")[0].split())
            raise ModelError(f"{self.dialect} refuses: {cut_off(said, 400)}") from error
        return rows

    def columns(self, sql: str) -> list[Any]:
        """Return the columns of a query as arrays."""
        import numpy as np

        if self.dialect == "duckdb":
            return [*self.connection.execute(sql).fetchnumpy().values()]
        return [*np.array(self.query(sql), object).T]

    def size(self, tail: str) -> int:
        """Return the number of rows of FROM and WHERE."""
        return int(self.query(f"SELECT count(*) {tail}")[0][0])

    def store(self, columns: Mapping[str, str], tail: str, *, keys: int = 0) -> str:
        """Make a table of a query, and return its name `_kN`; its columns are called `_kN_NAME`.

        `columns`: for each name its expression; `tail`: FROM and WHERE. With `keys` the rows are grouped by
        the first columns. The table is temporary if the engine is known to have such.
        """
        name, kind = f"_k{next(_NUMBER)}", "TABLE" if self.translates else "TEMPORARY TABLE"
        self._tables.append(name)
        sql = f"SELECT {', '.join(f'{what} AS {name}_{column}' for column, what in columns.items())} {tail}"
        if keys:
            sql += f" GROUP BY {', '.join(map(str, range(1, keys + 1)))}"
        self.query(f"CREATE {kind} {name} AS {sql}")
        if keys and self.dialect == "sqlite":  # it joins by indexes only
            found = ", ".join(f"{name}_{column}" for column in [*columns][:keys])
            self.query(f"CREATE INDEX {name}_keys ON {name} ({found})")
        return name

    @contextmanager
    def scope(self, tell: Tell | None = None) -> Iterator[None]:
        """Drop the tables that are made inside, whatever happens; `tell` is told about the progress."""
        outer = self._tables, self.tell
        self._tables, self.tell = [], tell or self.tell
        try:
            yield
        finally:
            made, (self._tables, self.tell) = self._tables, outer
            for name in made:
                self.query(f"DROP TABLE IF EXISTS {name}")


def opened(source: Any, connection: Any, dialect: str | None = None) -> tuple[Database, str]:
    """Return the engine of a source of rows, by default DuckDB in memory, and the FROM of its queries.

    A source is a Parquet or CSV file, a query, a data frame, or a table of the connection.
    """
    if connection is None:
        try:
            import duckdb
        except ImportError:
            raise ModelError(missing_package("a table of worlds", "duckdb", extra="duckdb")) from None
        connection = duckdb.connect()
    engine, found = Database(connection, dialect), str(source)
    if not isinstance(source, str | PathLike):
        found = f"_frame{next(_NUMBER)}"
        connection.register(found, source)
    elif re.match(r"\s*(SELECT|WITH|FROM|VALUES)\s", found, re.IGNORECASE):
        found = f"({found})"
    elif found.lower().endswith((".parquet", ".csv")):
        found = "'" + found.replace("'", "''") + "'"
    try:
        engine.query(f"SELECT 1 FROM {found} AS w LIMIT 0")
    except ModelError as error:
        raise ModelError(f"there is no file, query or table {str(source)!r}: {error}") from None
    return engine, f"{found} AS w"
