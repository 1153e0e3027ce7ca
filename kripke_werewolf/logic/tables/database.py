"""Databases: a connection, the tables that a question makes there, and where its rows come from."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import ModelError, cut_off, missing_package

Row: TypeAlias = tuple[Any, ...]

_OWN = {"duckdb": "duckdb", "sqlite3": "sqlite"}
"""The packages of connections to the engines that read queries as they are written here."""
_TEMPORARY = ("CREATE TEMPORARY TABLE {} AS ", "DROP TABLE IF EXISTS {}")
_STORED = {
    "spark": ("CACHE TABLE {} AS ", "DROP VIEW IF EXISTS {}"),
    "datafusion": ("CREATE TABLE {} AS ", "DROP TABLE IF EXISTS {}"),
}
"""How engines without temporary tables keep the rows of a query, and forget them."""
_LIKE = {"datafusion": "postgres"}
"""The dialects that sqlglot knows by the name of another."""
_INTEGERS = {"duckdb": ("HUGEINT", 2**125)}
_FILES = (".parquet", ".csv", ".tsv", ".json", ".jsonl", ".csv.gz", ".tsv.gz", ".json.gz")
_NUMBER = count(1)


def untold(line: str) -> None:
    """Tell nobody about the progress of a question."""


class Database:
    """A database, and the tables that this library makes there, which are temporary and dropped again.

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
        self.tell: Callable[[str], object] = untold
        self._create, self._drop = _STORED.get(self.dialect, _TEMPORARY)
        self.integer, self.largest = _INTEGERS.get(self.dialect, ("BIGINT", 2**62))

    def query(self, sql: str, head: str = "") -> list[Row]:
        """Return the rows of a query; raises `ModelError` if the engine refuses it."""
        try:
            if self.translates:
                return [tuple(row) for row in self.connection(head + (sql and in_dialect(sql, self.dialect)))]
            rows: list[Row] = self.connection.execute(head + sql).fetchall()
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

    def size(self, table: str) -> int:
        """Return the number of rows of a table."""
        number: int = self.query(f"SELECT count(*) FROM {table}")[0][0]
        return number

    def store(self, columns: Mapping[str, str], tail: str, *, keys: int = 0) -> str:
        """Make a table of a query, and return its name `_kN`; its columns are called `_kN_NAME`.

        `columns`: for each name its expression; `tail`: FROM and WHERE. With `keys` the rows are grouped by
        the first columns.
        """
        name = f"_k{next(_NUMBER)}"
        self._tables.append(name)
        sql = f"SELECT {', '.join(f'{what} AS {name}_{column}' for column, what in columns.items())} {tail}"
        if keys:
            sql += f" GROUP BY {', '.join(map(str, range(1, keys + 1)))}"
        self.query(sql, self._create.format(name))
        if keys and self.dialect == "sqlite":  # it joins by indexes only
            found = ", ".join(f"{name}_{column}" for column in [*columns][:keys])
            self.query(f"CREATE INDEX {name}_keys ON {name} ({found})")
        return name

    def drop(self, tables: Iterable[str]) -> None:
        """Drop some tables."""
        for name in tables:
            self.query("", self._drop.format(name))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Drop the tables that are made inside, whatever happens."""
        outer, self._tables = self._tables, []
        try:
            yield
        finally:
            made, self._tables = self._tables, outer
            self.drop(made)


def in_dialect(sql: str, dialect: str) -> str:
    """Return a query in another dialect of SQL."""
    try:
        import sqlglot
    except ImportError:
        raise ModelError(missing_package(f"the dialect {dialect!r}", "sqlglot")) from None
    return str(sqlglot.transpile(sql, read="duckdb", write=_LIKE.get(dialect, dialect))[0])


def opened(source: Any, connection: Any, dialect: str | None = None) -> tuple[Database, str]:
    """Return the engine of a source of rows, and how its queries name the source.

    A source is a file (Parquet, CSV, JSON), a query, a data frame, or a table of the connection.
    """
    engine = Database(_duckdb() if connection is None else connection, dialect)
    if not isinstance(source, str | os.PathLike):
        name = f"_frame{next(_NUMBER)}"
        engine.connection.register(name, source)
        return engine, name
    found = text = os.fspath(source)
    if re.match(r"\s*(SELECT|WITH|FROM|VALUES)\s", text, re.IGNORECASE):
        found = f"({text})"
    elif text.lower().endswith(_FILES):
        found = sql_string(text)
    try:
        engine.query(f"SELECT 1 FROM {found} AS w LIMIT 0")
    except ModelError as error:
        raise ModelError(f"there is no file, query or table {text!r}: {error}") from None
    return engine, found


def sql_string(text: str) -> str:
    """Return a string as it is written in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _duckdb() -> Any:
    """Return a database in memory; what the memory does not hold goes to a folder that it removes."""
    try:
        import duckdb
    except ImportError:
        raise ModelError(missing_package("a table of worlds", "duckdb", extra="duckdb")) from None
    folder = os.path.join(tempfile.gettempdir(), f"kripke-werewolf-{os.getpid()}")
    return duckdb.connect(config={"temp_directory": folder})
