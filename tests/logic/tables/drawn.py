"""Random tables with random questions and updates, asked as rows and as `KripkeModel`."""

import random
import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import kripke_werewolf as kw
from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.tables import TableModel

AGENTS, ATOMS = "abc", "pqr"
VARIABLES = {"x": {"both": "p & q", "one": "p ^ q", "none": "~p & ~q"}}
WAYS = {"listed": {}, "rows": {"most": -1}}
"""The ways to answer: worlds in memory, queries about the rows."""


def connected(engine: str) -> Any:
    """Return a connection to an empty database."""
    if engine == "sqlite":
        return sqlite3.connect(":memory:")
    import duckdb

    base = duckdb.connect()
    base.execute("SET threads = 1")
    return base


def filled(base: Any, rng: random.Random, unknown: bool | None, most: int = 60) -> list[tuple[Any, ...]]:
    """Make a table of random rows, and return them: number, seen columns with NULLs, atoms, weights.

    Atoms are NULL at some rows, unless `unknown` is None.
    """
    values = [True, True, False] if unknown is None else [True, True, False, None]
    size, rows = max(1, int(most ** rng.random())), []
    for i in range(size):
        seen = [rng.choice([None, *range(rng.choice([1, 3, 9, size]))]) for _ in range(4)]
        rows.append((i, *seen, *(rng.choice(values) for _ in ATOMS), *(rng.randint(1, 5) for _ in AGENTS)))
    columns = "id INT, c1 INT, c2 INT, c3 INT, c4 INT, p BOOL, q BOOL, r BOOL, wa INT, wb INT, wc INT"
    base.execute("DROP TABLE IF EXISTS worlds")
    base.execute(f"CREATE TABLE worlds ({columns})")
    base.executemany(f"INSERT INTO worlds VALUES ({', '.join('?' * 11)})", rows)
    return rows


def models(base: Any, rng: random.Random) -> tuple[dict[str, TableModel], kw.KripkeModel]:
    """Return a random table as a model in each way, and the same as a `KripkeModel`."""
    unknown = rng.choice([None, None, False, True])
    rows = filled(base, rng, unknown)
    sees = {agent: sorted(rng.sample(range(1, 5), rng.choice([0, 1, 1, 2, 2, 3]))) for agent in AGENTS}
    weighed = [agent for agent in AGENTS if rng.random() < 0.4]
    chosen = rng.randrange(len(rows)) if rng.random() < 0.5 else None
    parts: dict[str, Any] = {"weights": {agent: f"w{agent}" for agent in weighed}, "variables": VARIABLES}
    read = {None: unknown, False: False, True: True}  # atoms by their values in the table
    columns = {agent: [f"c{i}" for i in places] for agent, places in sees.items()}
    atoms = {atom: atom if unknown is None else f"coalesce({atom}, {unknown})" for atom in ATOMS}
    tables = {
        way: TableModel("worlds", columns, atoms, connection=base, **parts, **more)
        for way, more in WAYS.items()
    }
    if chosen is not None:
        tables = {way: table.point(f"id <= {chosen}") for way, table in tables.items()}
    model = kw.KripkeModel.from_observations(
        range(len(rows)),
        {a: (lambda w, places=places: tuple(rows[w][i] for i in places)) for a, places in sees.items()},
        lambda w: [atom for j, atom in enumerate(ATOMS) if read[rows[w][5 + j]]],
        None if chosen is None else range(chosen + 1),
        atoms=ATOMS,
        weights={a: {w: row[8 + AGENTS.index(a)] for w, row in enumerate(rows)} for a in weighed},
        variables=VARIABLES,
    )
    return tables, model


def drawn_formula(rng: random.Random, depth: int, updates: int = 2) -> kw.Formula:
    """Return a random formula; `updates`: how deep updates may be nested."""
    if depth <= 0 or rng.random() < 0.08:
        return rng.choice([*map(s.Atom, ATOMS)] * 4 + [s.TRUE, s.FALSE])

    def part(less: int = 1, fewer: int = 0) -> kw.Formula:
        return drawn_formula(rng, depth - less, updates - fewer)

    group = rng.sample(AGENTS, rng.randint(1, 3))
    kinds = ["not", "binary", "agent", "agent", "each", "common", "common", "distributed", "worlds", "count"]
    kinds += ["probability", "update", "value", "quantifier"]
    match rng.choice(kinds):
        case "not":
            return ~part()
        case "binary":
            return rng.choice([s.And, s.Or, s.Xor, s.Implies, s.Iff])(part(), part())
        case "agent":
            return rng.choice([s.Knows, s.Possible, s.KnowsWhether])(group[0], part())
        case "each":
            return rng.choice([s.Everyone, s.EveryoneWhether, s.EveryoneDual, s.SomeoneKnows])(group, part())
        case "common":
            kind = rng.choice([s.Common, s.CommonWhether, s.CommonDual])
            return kind(group, part(), **({"within": part()} if rng.random() < 0.4 else {}))
        case "distributed":
            kind = rng.choice([s.Distributed, s.DistributedDual, s.DistributedWhether])
            return kind(group, part())
        case "worlds":
            return rng.choice([s.Everywhere, s.Somewhere])(part())
        case "count":
            return s.Count(rng.choice(s.Count.KINDS), rng.randint(0, 4), part(), part(), part())
        case "probability":
            whose = rng.choices(group, k=rng.choice([1, 1, 2]))
            terms = [(rng.choice([1, 1, -1, Fraction(1, 2)]), agent, part()) for agent in whose]
            return s.Probability(terms, rng.choice(s.Probability.RELATIONS), Fraction(rng.randint(-2, 4), 4))
        case "value":
            return s.KnowsValue(group[0], "x")
        case "quantifier":
            return rng.choice([s.Forall, s.Exists])(rng.sample(ATOMS, rng.randint(1, 2)), part())
    if updates <= 0:
        return part()
    return rng.choice([s.Box, s.Diamond])(s.Act("act", None, drawn_action(rng, depth - 2)), part(1, 1))


def drawn_action(rng: random.Random, depth: int = 2) -> kw.ActionModel:
    """Return a random action whose relations are equivalences, or transitive and euclidean."""

    def content() -> kw.Formula:
        return drawn_formula(rng, depth, 0)

    group = tuple(rng.sample(AGENTS, rng.randint(1, 2)))
    match rng.randrange(8):
        case 0:
            return kw.public(content())
        case 1:
            return kw.whether(content())
        case 2:
            return kw.semi_private(group, content())
        case 3:
            return kw.private(group, content())
        case 4:
            return kw.suspected(group, content())
        case 5:
            return kw.lie(group[0], content())
        case 6:
            return kw.assign({atom: content() for atom in rng.sample(ATOMS, rng.randint(1, 2))})
    names = [f"e{i}" for i in range(rng.randint(2, 4))]
    events = {
        name: kw.Event(
            content(), {a: content() for a in ATOMS if rng.random() < 0.3}, weight=rng.randint(1, 3)
        )
        for name in names
    }
    views = {agent: {name: rng.randrange(2) for name in names}.get for agent in AGENTS}
    return kw.ActionModel.from_observations(events, views, rng.sample(names, rng.randint(1, 2)))


def answer(ask: Any) -> Any:
    """Return what a question returns, or the class of its error."""
    try:
        return ask()
    except KripkeError as error:
        if isinstance(error, kw.ModelError):
            return f"ModelError: {error}"
        return type(error).__name__


def differences(engine: str, rng: random.Random, questions: int) -> Iterator[str]:
    """Yield a line for each question or update of a random table that rows answer in another way."""
    tables, model = models(connected(engine), rng)
    asked = [drawn_formula(rng, rng.randint(1, 5)) for _ in range(questions)]
    for f in asked:
        yield from _compared(tables, model, f)
    for action in (None, drawn_action(rng)):
        f = drawn_formula(rng, 2, 0)

        def updated(m: Any, action: Any = action, f: kw.Formula = f) -> Any:
            return m.announce(f) if action is None else m.update(action)

        after = answer(lambda: updated(model))
        later = {way: answer(lambda t=table: updated(t)) for way, table in tables.items()}
        if isinstance(after, str):
            yield from (f"{action} {f}: {way} {found}" for way, found in later.items() if found != after)
        elif any(isinstance(found, str) for found in later.values()):
            yield f"{action} {f}: {later}"
        else:
            for g in (drawn_formula(rng, 3, 1), drawn_formula(rng, 2, 0)):
                yield from _compared(later, after, g, f" after {action} {f}")
            again = answer(lambda: after.announce(g))  # noqa: B023
            further = {way: answer(lambda t=table: t.announce(g)) for way, table in later.items()}  # noqa: B023
            if isinstance(again, str):
                yield from (f"again {again}: {way} {x}" for way, x in further.items() if x != again)
            elif any(isinstance(found, str) for found in further.values()):
                yield f"later {g}: {further}"
            else:
                yield from _compared(further, again, asked[0], f" later, after {action} {f} and {g}")


def _compared(
    tables: dict[str, TableModel], model: kw.KripkeModel, f: kw.Formula, when: str = ""
) -> Iterator[str]:
    def expected() -> Any:
        found = model.verdict(f)
        return len(model.where(f)), len(model), found.satisfied, found.total

    want = answer(expected)
    for way, table in tables.items():

        def got(table: TableModel = table) -> Any:
            found = table.ask(f)
            return found.true, found.size, found.verdict.satisfied, found.verdict.total

        if (found := answer(got)) != want:
            yield f"{way}{when}: {f}: {found}, not {want}"
