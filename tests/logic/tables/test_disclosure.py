"""What a table gives away: against the definitions in Python, hand-written SQL, and `TableModel`."""

import json
import random
import sqlite3
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kripke_werewolf as kw
from kripke_werewolf.cli.main import cli
from kripke_werewolf.logic.tables import TableModel, disclose

NONE = "coalesce(ill, 'none')"
COLUMNS = ("age", "area", "sex", "ill", "ward")


def rows_of(seed: int, size: int = 200) -> list[tuple[Any, ...]]:
    rng = random.Random(seed)
    ills = ["flu", "ulcer", "none"]
    return [
        (
            rng.choice([None, *range(8)]),
            rng.randrange(9),
            rng.randrange(2),
            rng.choice(ills),
            rng.randrange(3),
        )
        for _ in range(size)
    ]


def stored(name: str, rows: list[tuple[Any, ...]], base: sqlite3.Connection) -> None:
    base.execute(f"CREATE TABLE {name} ({', '.join(COLUMNS)})")
    base.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?, ?)", rows)


def expected(rows: list[tuple[Any, ...]], sees: list[str], bound: Fraction) -> dict[str, int]:
    """Return the figures by their definitions."""
    classes = defaultdict[Any, Counter[str]](Counter)
    for row in rows:
        classes[tuple(row[COLUMNS.index(name)] for name in sees)][row[3]] += 1
    sizes = {key: values.total() for key, values in classes.items()}
    return {
        "rows": len(rows),
        "classes": len(classes),
        "k": min(sizes.values()),
        "l": min(map(len, classes.values())),
        "alone": sum(size for size in sizes.values() if size == 1),
        "known": sum(sizes[key] for key, values in classes.items() if len(values) == 1),
        "but for one": sum(sizes[key] for key, values in classes.items() if len(values) == 2),
        "likely": sum(
            sizes[key]
            for key, values in classes.items()
            if Fraction(max(values.values()), sizes[key]) > bound
        ),
    }


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_those_of_the_definitions(seed: int) -> None:
    rows, further = rows_of(seed), rows_of(seed + 100, 150)
    base = sqlite3.connect(":memory:")
    stored("first", rows, base)
    stored("second", further, base)
    sees, bound = ["age", "area", "sex"], Fraction(2, 3)
    second = "SELECT age, area, ill FROM second"
    found = disclose(
        "first", sees, "ill", then=[second], announced=["ward > 0"], bound=bound, connection=base
    )
    kept = {(row[0], row[1], row[3]) for row in further}
    later = [row for row in rows if (row[0], row[1], row[3]) in kept]
    last = [row for row in later if row[4] > 0]
    stages = [expected(some, sees, bound) for some in (rows, later, last)]
    assert [stage["after"] for stage in found.stages] == ["the table", "table 2", "ward > 0"]
    assert [{k: v for k, v in stage.items() if k != "after"} for stage in found.stages] == stages
    counts = Counter(tuple(None if x is None else str(x) for x in row[:3]) for row in last)
    values = Counter(
        tuple(None if x is None else str(x) for x in row[:3]) for row in {row[:4] for row in last}
    )
    for *seen, ill, size, number in found.examples:
        told = {row[3] for row in last if [None if x is None else str(x) for x in row[:3]] == seen}
        assert (size, number) == (counts[tuple(seen)], len(told))
        assert ill == (min(told) if len(told) == 1 else None)
    assert [number for *_, number in found.examples] == sorted(values.values())[:5]  # those that tell most
    for name in sees:
        others = [other for other in sees if other != name]
        assert found.columns[name] == expected(last, others, bound)["known"]


@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_the_logic_says(seed: int) -> None:
    """Known is Kv, likely a probability; an announcement leaves the rows where it is true."""
    base = sqlite3.connect(":memory:")
    stored("t", rows_of(seed), base)
    ills = {ill: f"ill = '{ill}'" for ill in ("flu", "ulcer", "none")}
    values = {"ill": {ill: ill for ill in ills}}
    m = TableModel("t", {"o": ["age", "area"]}, {**ills, "on": "ward > 0"}, variables=values, connection=base)
    found = disclose("t", ["age", "area"], "ill", announced=["ward > 0"], bound="3/5", connection=base)
    likely = " | ".join(f"P_o({ill}) > 3/5" for ill in ills)
    for model, stage in zip((m, m.announce("on")), found.stages, strict=True):
        assert model.count("Kv_o(ill)") == stage["known"]
        assert model.count(likely) == stage["likely"]
        assert model.count("exactly(2; M_o flu, M_o ulcer, M_o none)") == stage["but for one"]


def test_composition_against_queries_by_hand() -> None:
    """The attack of Ganta, Kasiviswanathan and Smith: what both tables allow."""
    base = sqlite3.connect(":memory:")
    stored("first", rows_of(7, 400), base)
    stored("second", rows_of(8, 300), base)
    found = disclose("first", ["age", "sex"], "ill", then=["second"], connection=base)
    by_hand = """
        WITH one AS (SELECT DISTINCT age, sex, ill FROM first),
        two AS (SELECT DISTINCT age, sex, ill FROM second),
        both AS (SELECT one.* FROM one JOIN two
                 ON one.age IS two.age AND one.sex = two.sex AND one.ill = two.ill),
        told AS (SELECT age, sex, min(ill) AS ill FROM both GROUP BY age, sex HAVING count(*) = 1)
        SELECT first.* FROM first JOIN told
        ON first.age IS told.age AND first.sex = told.sex AND first.ill = told.ill"""
    breached = base.execute(by_hand).fetchall()
    assert found.stages[-1]["known"] == len(breached)
    both = "EXISTS (SELECT 1 FROM second o WHERE o.age IS w.age AND o.sex = w.sex AND o.ill = w.ill)"
    ills = {ill: f"ill = '{ill}'" for ill in ("flu", "ulcer", "none")}
    values = {"ill": {ill: ill for ill in ills}}
    m = TableModel("first", {"o": ["age", "sex"]}, {**ills, "both": both}, variables=values, connection=base)
    rows = m.announce("both").where("Kv_o(ill)", most=400)
    assert Counter(rows) == Counter(breached)  # row by row


def test_expressions_nulls_and_errors() -> None:
    base = sqlite3.connect(":memory:")
    stored("t", [(30, 1, 0, "flu", 0), (31, 1, 0, None, 0), (47, 1, 0, "none", 0)], base)
    with pytest.raises(kw.ModelError, match="ill is NULL at 1 rows"):
        disclose("t", ["age"], "ill", connection=base)
    found = disclose("t", ["age / 10"], NONE, connection=base)
    assert (found.stages[0]["known"], found.columns) == (1, {"age / 10": 0})
    assert disclose("t", [], NONE, connection=base).stages[0]["classes"] == 1
    with pytest.raises(kw.ModelError, match="none of the columns age"):
        disclose("t", ["age"], NONE, then=["SELECT 1 AS size, 'flu' AS ill"], connection=base)
    with pytest.raises(kw.ModelError, match="no row is left after 1 = 2"):
        disclose("t", ["age"], NONE, announced=["1 = 2"], connection=base)
    assert disclose("t", [], NONE, connection=base).stages[0]["classes"] == 1
    with pytest.raises(kw.ModelError, match="no such column: agee"):
        disclose("t", ["agee"], NONE, connection=base)


def test_the_command(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    table, page = tmp_path / "t.csv", tmp_path / "t.html"
    table.write_text("age,zip,ill\n30,1,flu\n30,2,flu\n40,1,flu\n40,2,<none>\n", encoding="utf-8")
    call = ["disclose", str(table), "--sees", "age", "--secret", "ill", "-o", str(page)]
    done = CliRunner().invoke(cli, call)
    assert (done.exit_code, "ill is known for 2 of 4 rows" in done.output) == (1, True)
    assert "<td" in page.read_text(encoding="utf-8")
    done = CliRunner().invoke(cli, [*call[:-2], "--announced", "age = 40", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["stages"][1] == {
        "after": "age = 40", "rows": 2, "classes": 1, "k": 2, "l": 2,
        "alone": 0, "known": 0, "but for one": 2, "likely": 0,
    }  # fmt: skip
