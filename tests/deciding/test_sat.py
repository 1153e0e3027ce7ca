"""The SAT solver against all assignments."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.deciding.sat import Solver, Steps
from kripke_werewolf.errors import Undecided

VARIABLES = 5
literals = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v]))
clauses = st.lists(st.lists(literals, max_size=4), max_size=25)


def satisfied(clause, values):
    return any(values[abs(x) - 1] == (x > 0) for x in clause)


def satisfiable(given_clauses):
    return any(
        all(satisfied(c, values) for c in given_clauses)
        for values in product((False, True), repeat=VARIABLES)
    )


@given(
    clauses, st.lists(st.one_of(st.lists(literals, max_size=4), st.lists(literals, max_size=3)), max_size=4)
)
def test_agrees_with_all_assignments(first, queries):
    solver = Solver(VARIABLES, steps=Steps(100_000))
    for clause in first:
        solver.add(clause)
    for assumptions in queries:
        expected = satisfiable([*first, *([x] for x in assumptions)])
        assert solver.solve(assumptions) == expected
        if expected:
            values = [solver.is_true(v) for v in range(1, VARIABLES + 1)]
            assert all(satisfied(c, values) for c in [*first, *([x] for x in assumptions)])
        else:
            assert set(solver.core) <= set(assumptions)
            assert not satisfiable([*first, *([x] for x in solver.core)])


@given(clauses, clauses)
def test_clauses_and_variables_may_be_added_between_questions(first, later):
    solver = Solver(VARIABLES, steps=Steps(100_000))
    switch = 0
    for clause in first:
        solver.add(clause)
    before = solver.solve()
    assert before == satisfiable(first)
    switch = solver.new_variable()
    for clause in later:
        solver.add([-switch, *clause])
    assert solver.solve([-switch]) == before
    assert solver.solve([switch]) == satisfiable([*first, *later])


def pigeons(n):
    """n + 1 pigeons in n holes."""
    hole = {(p, h): p * n + h + 1 for p in range(n + 1) for h in range(n)}
    yield from ([hole[p, h] for h in range(n)] for p in range(n + 1))
    yield from ([-hole[p, h], -hole[q, h]] for h in range(n) for p in range(n + 1) for q in range(p))


def test_pigeonholes():
    solver = Solver(30, steps=Steps(1_000_000))
    for clause in pigeons(5):
        solver.add(clause)
    assert not solver.solve()
    assert solver.core == []


def test_the_limit_ends_a_search():
    solver = Solver(110, steps=Steps(20_000))
    for clause in pigeons(10):
        solver.add(clause)
    with pytest.raises(Undecided, match="within 20,000 steps"):
        solver.solve()
