"""Models whose worlds are rows, against `KripkeModel` with the same rows as worlds."""

import os
import random
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kripke_werewolf as kw
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.tables import TableModel
from tests.logic.tables.drawn import WAYS, connected, differences

ENGINES = ["sqlite", "duckdb"]
TABLES = int(os.environ.get("TABLES", "6"))


@pytest.fixture(params=ENGINES)
def base(request: pytest.FixtureRequest) -> Any:
    if request.param == "duckdb":
        pytest.importorskip("duckdb")
    return connected(request.param)


def made(base: Any, rows: str, sees: dict[str, list[str]], atoms: dict[str, str], **more: Any) -> TableModel:
    """Return the model of rows, given as a query."""
    return TableModel(rows, sees, atoms, connection=base, **more)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(TABLES))
def test_random_questions_and_updates(engine: str, seed: int) -> None:
    """Each table with 16 formulas and 2 updates, grouped and row by row."""
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    assert list(differences(engine, random.Random(seed), 16)) == []


# a chain of rows: a sees pairs (0 1)(2 3)…, b pairs (1 2)(3 4)…, and the last row of each part is not p
CHAIN = """WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < {}) SELECT i FROM t"""


@pytest.mark.parametrize("way", WAYS)
def test_common_knowledge_on_a_long_chain(base: Any, way: str) -> None:
    sees = {"a": ["(i - i % 2)"], "b": ["(i + 1 - (i + 1) % 2)", "i < 150"]}  # 149 and 150 are apart
    m = made(base, CHAIN.format(299), sees, {"p": "i <> 299", "q": "i % 50 <> 7"}, **WAYS[way])
    assert m.count("C_{a,b} p") == 150
    assert m.count("Cm_{a,b} ~p") == 150
    assert m.count("C_{a,b}^{q} p") == 257  # the others reach the last row through rows from 258 on
    assert m.count("Cw_{a,b} (p | q)") == 300


def test_components_are_those_of_all_orders(base: Any) -> None:
    """The links between classes are in random order."""
    rng = random.Random(3)
    places = rng.sample(range(120), 120)
    rows = " UNION ALL ".join(
        f"SELECT {places[i]} AS l, {places[(i + 1) % 120]} AS r, {i} AS i" for i in range(120)
    )
    sees = {"a": ["l"], "b": ["r"]}  # one circle: the right end of a row is the left end of the next
    m = made(base, rows, sees, {"p": "i <> 60"}, most=-1)
    linked = {"a": ["l"], "b": ["r"], "c": ["l % 2"]}
    assert m.count("C_{a,b} p") == 119  # a and b see each row apart
    assert made(base, rows, linked, {"p": "i <> 60"}, most=-1).count("C_{a,c} p") == 60


def test_null_is_a_value_that_is_seen(base: Any) -> None:
    rows = "SELECT NULL AS c, 1 AS p UNION ALL SELECT NULL, 0 UNION ALL SELECT 3, 1"
    for more in WAYS.values():
        assert made(base, rows, {"a": ["c"]}, {"p": "p = 1"}, **more).where("K_a p") == [(3, 1)]


def test_an_atom_must_not_be_null(base: Any) -> None:
    rows = "SELECT 1 AS c, NULL AS p UNION ALL SELECT 2, 1"
    with pytest.raises(
        kw.ModelError, match=r"not be NULL, as in coalesce\(\(p = 1\), FALSE\): not so at 1 rows"
    ):
        made(base, rows, {"a": ["c"]}, {"p": "p = 1"})
    assert made(base, rows, {"a": ["c"]}, {"p": "coalesce(p = 1, FALSE)"}).count("K_a p") == 1
    assert made(base, rows, {"a": ["c"]}, {"p": "coalesce(p = 1, TRUE)"}).count("K_a p") == 2


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"source": "worldz"}, "no table, query or file 'worldz'"),
        ({"source": "worldz.parquet"}, "no table, query or file 'worldz.parquet'"),
        ({"source": "SELECT 1 AS c WHERE 1 = 2"}, "the table has no rows"),
        ({"sees": {"a": ["cc"]}}, "agent 'a' sees (cc)"),
        ({"sees": {"a": "cc"}}, "agent 'a' sees (cc)"),
        ({"sees": ["c"]}, "give mappings, such as sees={'a': ['age']} and"),
        ({"atoms": {"p": "cc = 1"}}, "atom 'p', which must not be NULL"),
        (
            {"weights": {"a": "c - 2"}},
            "agent 'a' weighs c - 2, which must be a whole number from 1 to 2^31: not so at 1",
        ),
        ({"weights": {"a": "c / 2.0"}}, "agent 'a' weighs c / 2.0, which must be a whole"),
        ({"atoms": ["c = 1"]}, "give mappings"),
        ({"variables": {"x": {1: "p", 2: "true"}}}, "variable 'x' has two values"),
    ],
)
def test_wrong_parts_are_refused(base: Any, parts: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"source": "SELECT 1 AS c", "sees": {"a": ["c"]}, "atoms": {"p": "c = 1"}}
    with pytest.raises(kw.ModelError) as error:
        TableModel(**{**given, **parts}, connection=base)
    assert message in str(error.value)


def test_names_are_checked(base: Any) -> None:
    m = made(base, "SELECT 1 AS c", {"ann": ["c"]}, {"wet": "c = 1"})
    with pytest.raises(kw.UnknownAtomError, match="did you mean 'wet'"):
        m.count("K_ann wett")
    with pytest.raises(kw.UnknownAgentError, match="did you mean 'ann'"):
        m.holds("K_anne wet")
    with pytest.raises(kw.UnknownAgentError):
        m.update(kw.private("anne", "wet"))
    with pytest.raises(kw.UnknownAgentError, match="did you mean 'ann'"):
        made(base, "SELECT 1 AS c", {"ann": ["c"]}, {}, weights={"anne": "c"})
    with pytest.raises(kw.ModelError, match="no row has"):
        m.point("c = 2")
    with pytest.raises(
        kw.FalseAnnouncement, match=r"false announcement: ~wet is false at the designated world"
    ):
        m.announce("~wet")
    with pytest.raises(kw.ModelError, match="no DuckDB or SQLite connection"):
        TableModel("t", {}, {}, connection=object())


@pytest.mark.parametrize("way", WAYS)
def test_deep_formulas_are_asked_in_steps(base: Any, way: str) -> None:
    m = made(
        base, CHAIN.format(9), {"a": ["i % 3"], "b": ["i % 2"]}, {"p": "i < 6", "q": "i > 2"}, **WAYS[way]
    )
    f = kw.parse("p")
    for n in range(120):
        f = ~(f & (kw.K("a", f) | ~kw.parse("q"))) if n % 30 else kw.M("b", f)
    rows = range(10)
    sees = {"a": lambda i: i % 3, "b": lambda i: i % 2}
    true = {"p": lambda i: i < 6, "q": lambda i: i > 2}
    model = kw.KripkeModel.from_observations(rows, sees, lambda i: [x for x, of in true.items() if of(i)])
    assert m.count(f) == len(model.where(f))
    assert m.count(kw.parse("~" * 1001 + "p")) == 4


def kept_tables(base: Any) -> list[Any]:
    if isinstance(base, sqlite3.Connection):
        return base.execute("SELECT name FROM sqlite_temp_master").fetchall()
    return base.execute("SELECT table_name FROM duckdb_tables()").fetchall()


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_behind(base: Any, way: str) -> None:
    m = made(base, CHAIN.format(30), {"a": ["i % 3"], "b": ["i % 2"]}, {"p": "i < 6"}, **WAYS[way])
    m.count("K_a C_{a,b} p")
    later = m.announce("K_a M_b p").update(kw.semi_private("a", "p"))
    later.where("K_a p")

    def interrupted(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        later.ask("C_{a,b} p", tell=interrupted)
    assert kept_tables(base) == []
    assert m.count("K_a p") == 0


def test_it_is_told_how_a_question_is_asked(base: Any) -> None:
    parts = CHAIN.format(200_000), {"a": ["i % 3"], "b": ["i"]}, {"p": "i < 6", "q": "i % 2 = 0"}
    base.execute(f"CREATE TABLE long AS {parts[0]}")
    m = made(base, "long", *parts[1:])
    told: list[str] = []
    found = m.ask("K_a q", tell=told.append)
    assert (found.true, found.size, found.listed) == (0, 200_001, 6)
    assert told[0].startswith("200,001 rows: about ")
    assert told[1] == "6 worlds are listed"
    told.clear()
    assert m.ask("K_b q", tell=told.append).listed is None  # all rows look different
    assert told[1:] == ["200,001 rows are asked by queries", "Knows is evaluated, after 1 other parts"]


def test_a_model_of_its_worlds(base: Any) -> None:
    m = made(base, CHAIN.format(99), {"a": ["i % 3"], "b": ["i"]}, {"p": "i < 60"})
    small = m.model("K_a p")
    assert small.atoms == ("p",)
    assert (len(small), small.agents, sorted(small.weights["a"].values())) == (
        6,
        ("a",),
        [13, 13, 14, 20, 20, 20],
    )
    with pytest.raises(kw.ModelTooLarge, match="above the limit of 9"):
        made(base, CHAIN.format(99), {"b": ["i"]}, {}, most=9).model("K_b true")


def test_a_row_explains(base: Any) -> None:
    rows = "SELECT 1 AS zip, 'flu' AS ill UNION ALL SELECT 1, 'none' UNION ALL SELECT 2, 'flu'"
    m = made(base, rows, {"a": ["zip"], "b": ["ill"]}, {"flu": "ill = 'flu'"})
    said = str(m.point("ill = 'flu' AND zip = 1").explain("K_a flu & K_b flu"))
    assert "is false at (zip = 1, ill = flu, flu = 1):" in said
    assert "from (zip = 1, ill = none, flu = 0), where flu is false" in said
    later = m.update(kw.semi_private("a", "flu"))
    assert re.search(
        r"at \(\(zip = \d, ill = \w+, flu = [01]\), (yes|no)\)", str(later.explain("K_b Kw_a flu"))
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_row_among_too_many_to_be_listed_explains(base: Any, seed: int) -> None:
    """The same is said as where all worlds are listed."""
    rng = random.Random(seed)
    rows = f"SELECT i, i % 7 * 31 % 10 AS c, i / 3 AS d FROM ({CHAIN.format(60)}) AS t"
    parts = rows, {"a": ["d"], "b": ["c", "i % 2"]}, {"p": "i % 5 <> 2", "q": "i % 4 <> 1"}
    tables = [made(base, *parts, **more) for more in WAYS.values()]
    for f in ("p & q", "K_a p", "K_a K_b q", "~M_b K_a p", "P_b(q) > 1/2", "[a?!p] K_b Kw_a p"):
        at = f"i = {rng.randrange(61)}"
        found = [m.point(at).explain(f) for m in tables]
        assert found[0].value == found[1].value == tables[0].point(at).holds(f), (f, at)
        assert found[0].world == found[1].world, (f, at)
        later = [m.point(at).update(kw.semi_private("b", "p")).explain(f).value for m in tables]
        assert later[0] == later[1], (f, at)
    with pytest.raises(kw.ModelTooLarge, match="explain at one row"):
        tables[1].point("i = 3").explain("everywhere p")


def test_rows_after_actions_have_their_events(base: Any) -> None:
    m = made(base, "SELECT 1 AS c UNION ALL SELECT 2", {"a": []}, {"p": "c = 1"})
    assert m.update(kw.whether("p")).where("p | ~p") == [(1, 0), (2, 1)]
    assert m.where("p | ~p", most=1) == [(1,)]
    for later in (
        m.point("c = 1").update(kw.private("a", "p")),
        m.update(kw.private("a", "p")).point("c = 1"),
    ):
        assert (later.size, later.verdict("K_a p")) == (3, kw.Verdict.of(1, 1))


def test_an_action_that_rows_cannot_tell(base: Any) -> None:
    """A relation over events that is not transitive: queries refuse it, listed worlds do not."""
    pairs = [("x", "x"), ("x", "y"), ("y", "y"), ("y", "z"), ("z", "z")]
    action = kw.ActionModel({"x": "p", "y": True, "z": "~p"}, {"a": pairs})
    parts = "SELECT 1 AS c UNION ALL SELECT 2", {"a": []}, {"p": "c = 1"}
    assert made(base, *parts).update(action).size == 4
    with pytest.raises(kw.ModelError, match="not transitive and euclidean"):
        made(base, *parts, most=-1).update(action).count("K_a p")


def test_probabilities_that_are_too_large(base: Any) -> None:
    rows = CHAIN.format(4)
    parts = {"weights": dict.fromkeys("abc", "1000000000"), "most": -1}
    m = made(base, rows, {"a": ["i"], "b": ["i"], "c": []}, {"p": "i > 0"}, **parts)
    assert m.count("P_a(p) - P_b(p) = 0") == 5
    if isinstance(base, sqlite3.Connection):
        with pytest.raises(kw.ModelError, match="too large for sqlite"):
            m.count("P_a(p) + P_c(p) = P_b(p)")
    else:
        assert m.count("P_a(p) + P_c(p) - P_b(p) = 4/5") == 5
    with pytest.raises(kw.ModelError, match=r"weighs 5000000000, which must be a whole number from 1 to 2"):
        made(base, rows, {"a": []}, {}, weights={"a": "5000000000"})


def test_files_and_frames(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    (tmp_path / "w.csv").write_text("c,p\n1,true\n1,false\n2,true\n", encoding="utf-8")
    duckdb.connect().execute(f"COPY (SELECT * FROM '{tmp_path}/w.csv') TO '{tmp_path}/w.parquet'")
    sources = [tmp_path / "w.csv", str(tmp_path / "w.parquet"), f"SELECT * FROM '{tmp_path}/w.csv'"]
    try:
        import pandas as pd

        sources.append(pd.DataFrame({"c": [1, 1, 2], "p": [True, False, True]}))
    except ImportError:
        pass
    for source in sources:
        assert TableModel(source, {"a": ["c"]}, {"p": "p"}).count("K_a p") == 1


def test_an_interrupt_of_a_query_ends_it() -> None:
    """Ctrl-C while the engine runs: the program ends, and its database had nothing on the disk."""
    pytest.importorskip("duckdb")
    program = """
import signal, threading, os, time, duckdb
from kripke_werewolf.logic.tables import TableModel
base = duckdb.connect()
base.execute("SET enable_progress_bar = false")  # which a busy machine would print
base.execute("CREATE TABLE w AS SELECT i FROM range(3000000) t(i)")
m = TableModel("w", {"a": ["i // 2"], "b": ["(i + 1) // 2"]}, {"p": "i <> 7"}, connection=base, most=-1)
main = threading.get_ident()
threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
try:
    m.count("C_{a,b} p")
    print("answered")
except KeyboardInterrupt:
    print("interrupted", base.execute("SELECT table_name FROM duckdb_tables()").fetchall())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.splitlines() == ["interrupted [('w',)]"], done.stderr


# --- other engines -----------------------------------------------------------------------------------------

ASKED = [
    "K_a p",
    "M_b q",
    "E_{a,b} p",
    "D_{a,b} q",
    "C_{a,b} p",
    "Cw_{a,b}^{q} p",
    "P_a(p) >= 2/3",
    "[!p] K_b q",
]
ASKED += ["[a?!q] Kw_a q", "[a!q] K_b ~Kw_a q", "P_a(p) + P_b(q) >= 1", "somewhere p", "exactly(1; p, K_a q)"]
LOOKS = {"a": ["i % 7"], "b": ["i % 5", "i % 2"]}
FACTS = {"p": "i % 35 <> 3", "q": "i % 3 = 0"}


def test_the_grammar_of_spark() -> None:
    """The queries for Spark are read by its grammar, and have the same meaning again in SQLite."""
    sqlglot = pytest.importorskip("sqlglot")
    base, sent = sqlite3.connect(":memory:"), []
    base.execute(f"CREATE TABLE w AS {CHAIN.format(209)}")

    def run(sql: str) -> list[Any]:
        sent.append(sql)
        (tree,) = sqlglot.parse(sql, read="spark")
        return base.execute(tree.sql("sqlite")).fetchall()

    spark = TableModel("w", LOOKS, FACTS, connection=run, dialect="spark", most=-1)
    own = TableModel("w", LOOKS, FACTS, connection=base)
    assert {f: spark.count(f) for f in ASKED} == {f: own.count(f) for f in ASKED}
    assert any(sql.startswith("CREATE TABLE") for sql in sent)
    sees = {"a": ["i - i % 2"], "b": ["i + 1 - (i + 1) % 2", "i < 150"]}  # 149 and 150 are apart
    chain = TableModel("w", sees, {"p": "i <> 209"}, connection=run, dialect="spark", most=-1)
    assert chain.count("C_{a,b} p") == 150
    assert any(sql.startswith("INSERT") for sql in sent)  # by components
    assert base.execute("SELECT name FROM sqlite_master").fetchall() == [("w",)]


@pytest.mark.parametrize("way", WAYS)
def test_datafusion(way: str) -> None:
    datafusion = pytest.importorskip("datafusion")
    pytest.importorskip("sqlglot")
    context = datafusion.SessionContext()

    def run(sql: str) -> list[Any]:
        return [tuple(row.values()) for row in context.sql(sql).to_pylist()]

    run("CREATE TABLE w AS SELECT value AS i FROM generate_series(0, 209)")
    there = TableModel("w", LOOKS, FACTS, connection=run, dialect="postgres", **WAYS[way])
    base = sqlite3.connect(":memory:")
    own = TableModel(CHAIN.format(209), LOOKS, FACTS, connection=base)
    assert {f: there.count(f) for f in ASKED} == {f: own.count(f) for f in ASKED}


def test_counting_formulas_are_quick(base: Any) -> None:
    """Counting is a sum, not one condition for each choice of the parts."""
    atoms = {f"p{k}": f"i % {k + 2} = 0" for k in range(20)}
    m = made(base, CHAIN.format(50), {"a": ["i"]}, atoms, most=-1)
    expected = sum(1 for i in range(51) if sum(i % (k + 2) == 0 for k in range(20)) >= 5)
    assert m.count(s.atleast(5, *atoms)) == expected
