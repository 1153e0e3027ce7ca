"""How fast worlds as rows are: `python -m benchmarks.tables [ROWS] [--rows] [--folder FOLDER]`.

Blocks of 1,000 rows: a sees tens, b the last digit, c the remainder by 7, each within its block; p is false
at one row of 2,003, q at half of them. Times are CPU time, compared with that of reading the table once in
the same run. Without `--rows` rows that look the same are grouped. Then a chain of classes, for common
knowledge (at most a million); a published table (at most ten million persons), whose figures are those of
queries by hand; and with `--parts g` all 168,168,000 deals of 15 cards, three each to four players and three
on the table.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from benchmarks.timing import timed
from kripke_werewolf.logic.tables import TableModel, disclose

ASKED = ("K_a p", "K_a q", "Kw_a p", "E_{a,b,c} p", "D_{b,c} p", "C_{a,b} p", "P_a(p) >= 9/10", "[!p] K_b q")
CHAIN = "SELECT i FROM range({}) t(i)"
BLOCKS = """CREATE TABLE IF NOT EXISTS worlds AS SELECT
    (i // 10)::INT AS a, (i // 1000 * 10 + i%10)::INT AS b, (i // 1000 * 7 + i%1000%7)::INT AS c,
    (i * 2654435761)%4294967296%2003 <> 0 AS p, (i * 2654435761)%4294967296%2 = 0 AS q
    FROM range({}) t(i)"""
PERSONS = """CREATE TABLE persons AS SELECT i AS id, hash(7 * i + 1)%20000 AS zip,
    hash(7 * i + 2)%70 // 2 AS years, hash(7 * i + 3)%100 < 52 AS female, hash(7 * i + 4)%4 AS ill,
    hash(7 * i + 5)%3 = 0 AS b FROM range({}) t(i)"""
SEES = ("zip", "years", "female")
FOUND = (
    """EXISTS (SELECT 1 FROM persons o WHERE o.b AND o.zip = w.zip AND o.years = w.years AND o.ill = w.ill)"""
)
BY_HAND = """SELECT id FROM persons AS w JOIN (SELECT zip, years, female FROM persons AS w WHERE {0}
    GROUP BY ALL HAVING count(DISTINCT ill) = 1) USING (zip, years, female) WHERE {0}"""
"""Each person whose class has one illness, among those for whom a condition holds."""
DEALS = """CREATE TABLE IF NOT EXISTS deals AS WITH free AS MATERIALIZED
    (SELECT m::SMALLINT AS m, h::SMALLINT AS h FROM range(32768) t(m), range(32768) u(h)
        WHERE bit_count(h) = 3 AND m & h = h)
    SELECT a.h AS a, b.h AS b, c.h AS c, d.h AS d FROM free a JOIN free b ON b.m = 32767 - a.h
    JOIN free c ON c.m = 32767 - a.h - b.h JOIN free d ON d.m = 32767 - a.h - b.h - c.h WHERE a.m = 32767"""
TABLED = (
    *("~K_a ~b3", "C_{a,b} (a0 | a9)", "D_{a,b} c6", "P_a(c6) = 1/4", "<!(a0 | a9)> C_{a,b} (a0 | a9)"),
    *("<!K_a (a0 | a9)> K_b a0", "[a?!c6] Kw_a c6", "E_{a,b} ~b3", "M_b K_a a0"),
)


def shown(what: str, ask: Callable[[], Any], unit: float = 0.0) -> float:
    """Print how long a question takes, and the peak of the memory so far; return the time."""
    seconds, found = timed(ask)
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    share = f"{seconds / unit:6.1f} readings" if unit else " " * 15
    print(f"{what:28} {seconds:8.2f} s {share} {peak:6,} MB  {found}", flush=True)
    return seconds


def main(size: int, folder: Path, *, rows: bool, parts: str) -> None:
    base = duckdb.connect(str(folder / f"worlds{size}.duckdb"))
    base.execute(f"SET threads = 1; SET memory_limit = '4GB'; SET temp_directory = '{folder}/spilled'")
    if "b" in parts:
        shown(f"make {size:,} rows", lambda: base.execute(BLOCKS.format(size)).fetchall())
        unit = shown(
            "read them", lambda: base.execute("SELECT sum(a), sum(b), sum(c) FROM worlds").fetchall()
        )
        sees, atoms = {x: [x] for x in "abc"}, {"p": "p", "q": "q"}
        m = TableModel("worlds", sees, atoms, connection=base, most=-1 if rows else 2_000_000)
        for f in ASKED:
            shown(f, lambda f=f: m.ask(f).true, unit)  # type: ignore[misc]
    if "c" in parts:
        length = min(size, 10**6)
        chain = TableModel(
            CHAIN.format(length),
            {"a": ["i // 2"], "b": ["(i + 1) // 2"]},
            {"p": "i <> 7"},
            connection=base,
            most=-1,
        )
        shown(f"C on a chain of {length:,}", lambda: chain.count("C_{a,b} p"))
    if "d" in parts:
        persons = min(size, 10**7)
        base.execute(PERSONS.format(persons))
        second = "SELECT zip, years, ill FROM persons WHERE b"
        found: list[Any] = []
        ask = lambda: found.append(disclose("persons", SEES, "ill", then=[second], connection=base))  # noqa: E731
        shown(f"disclose {persons:,} rows", ask)
        ills = {f"ill_{k}": f"ill = {k}" for k in range(4)}
        values = {"ill": {ill: ill for ill in ills}}
        m = TableModel("persons", {"o": SEES}, ills | {"b": FOUND}, variables=values, connection=base)
        for stage, model, where in zip(found[0].stages, (m, m.announce("b")), ("TRUE", FOUND), strict=True):
            told = sorted(row[0] for row in model.where("Kv_o(ill)", most=persons))
            assert told == sorted(row[0] for row in base.execute(BY_HAND.format(where)).fetchall())
            assert len(told) == stage["known"]
            print(f"{len(told):,} rows known after {stage['after']}: each as by hand")
    if "g" in parts:
        shown("make all deals", lambda: base.execute(DEALS).fetchall())
        held = {f"{x}{k}": f"({x} >> {k}) & 1 = 1" for x in "abcd" for k in range(15)}
        made: list[TableModel] = []
        deals = lambda: made.append(TableModel("deals", {x: [x] for x in "abcd"}, held, connection=base))  # noqa: E731
        shown("open them", deals)
        shown("group them", lambda: made[0].model("K_a K_b (a0 & a9 & b3 & c6)").size)
        for f in TABLED:
            shown(f, lambda f=f: made[0].ask(f))  # type: ignore[misc]
        later = made[0].announce("K_a (a0 | a9)")
        shown("after a says K_a (a0 | a9)", lambda: later.ask("K_b a0"))
    base.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("size", nargs="?", type=float, default=1e6)
    parser.add_argument("--rows", action="store_true", help="do not group rows")
    parser.add_argument("--parts", default="bcd", help="b: blocks, c: a chain, d: published, g: games")
    parser.add_argument("--folder", type=Path, help="where the tables are kept; by default nowhere")
    given = parser.parse_args()
    with TemporaryDirectory() as name:
        main(int(given.size), given.folder or Path(name), rows=given.rows, parts=given.parts)
