"""The SAT solver against all assignments."""

from functools import reduce
from itertools import product
from operator import and_, or_
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import Undecided
from kripke_werewolf.logic.deciding import sat
from kripke_werewolf.logic.deciding.sat import Solver, Steps

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


def test_the_limit_ends_a_search():
    solver = Solver(110, steps=Steps(20_000))
    for clause in pigeons(10):
        solver.add(clause)
    with pytest.raises(Undecided, match="within 20,000 steps"):
        solver.solve()


# --- how the search goes on ----------------------------------------------------------------------

MANY = 9
# bit i of TRUE_IN[v]: whether variable v is true in assignment i, of all the assignments
EVERY = (1 << 2**MANY) - 1
TRUE_IN = [sum((i >> v & 1) << i for i in range(2**MANY)) for v in range(MANY)]


def solutions(given_clauses):
    """Return the assignments that satisfy all clauses, as bits."""
    found = EVERY
    for clause in given_clauses:
        found &= reduce(or_, [TRUE_IN[x - 1] if x > 0 else EVERY ^ TRUE_IN[-x - 1] for x in clause], 0)
    return found


def learnt_and_kept(solver):
    """Return all clauses of a solver, including learnt ones."""
    return {id(clause): tuple(clause) for watched in solver._watches for clause in watched}.values()


def hard(seed):
    """Return random clauses of three literals, about 4.5 for each variable: few can be satisfied easily."""
    rng = Random(seed)
    number = rng.randint(4 * MANY, 5 * MANY)
    return [[rng.choice((v, -v)) for v in rng.sample(range(1, MANY + 1), 3)] for _ in range(number)]


hard_clauses = st.integers(0, 2**32 - 1).map(hard)  # drawn one by one they would take longer than the search
few_literals = st.lists(st.integers(1, MANY).flatmap(lambda v: st.sampled_from([v, -v])), max_size=3)


@pytest.mark.parametrize("restart", [1, 2, 100])
@pytest.mark.parametrize("most_bump", [1.5, 1e100])
@given(
    given_clauses=hard_clauses,
    queries=st.lists(few_literals, min_size=1, max_size=6),
)
def test_restarts_and_activities_change_no_answer(restart, most_bump, given_clauses, queries):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sat, "_RESTART", restart)
        patch.setattr(sat, "_MOST_BUMP", most_bump)
        solver = Solver(MANY, steps=Steps(1_000_000))
        for clause in given_clauses:
            solver.add(clause)
        every = solutions(given_clauses)
        for assumptions in queries:
            expected = every & solutions([x] for x in assumptions)
            assert solver.solve(assumptions) == bool(expected)
            if expected:
                place = sum(solver.is_true(v) << (v - 1) for v in range(1, MANY + 1))
                assert expected >> place & 1
            else:
                assert set(solver.core) <= set(assumptions)
                assert not every & solutions([x] for x in solver.core)
        # whatever was learnt follows from what was given
        assert all(not every & ~solutions([clause]) for clause in learnt_and_kept(solver))


@pytest.mark.parametrize("most_bump", [1.1, 1e100])
@given(given_clauses=hard_clauses, assumptions=few_literals)
def test_every_conflict_teaches_a_clause_that_forces_a_literal(most_bump, given_clauses, assumptions):
    every = solutions(given_clauses)

    class Checked(Solver):
        def _learn(self, wrong):
            assert all(self._value[x] is False for x in wrong)
            involved = [abs(x) for x in wrong if self._level[abs(x)]]
            super()._learn(wrong)
            assert all(self._activity[v] > 0 for v in involved)
            literal = self._trail[-1]
            reason = self._reason[abs(literal)]
            assert reason[0] == literal
            assert all(self._value[x] is False for x in reason[1:])
            assert not every & ~solutions([reason])
            # the search went back as far as the clause still forces the literal
            levels = [self._level[abs(x)] for x in reason[1:]]
            assert len(self._starts) == max(levels, default=0)

        def _back_to(self, level):
            super()._back_to(level)
            # every variable without a value is in the heap with its activity
            entries = set(self._order)
            assert all(
                (-self._activity[v], v) in entries for v in range(1, self._size + 1) if self._value[v] is None
            )

        def _next_decision(self):
            free = [v for v in range(1, self._size + 1) if self._value[v] is None]
            most = max((self._activity[v] for v in free), default=None)
            found = super()._next_decision()
            assert (found == 0) == (not free)
            assert not found or self._activity[abs(found)] == most
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sat, "_MOST_BUMP", most_bump)
        solver = Checked(MANY, steps=Steps(1_000_000))
        for clause in given_clauses:
            solver.add(clause)
        for asked in (assumptions, [], [-x for x in assumptions]):
            expected = every & reduce(and_, [solutions([[x]]) for x in asked], EVERY)
            assert solver.solve(asked) == bool(expected)


def test_free_variables_are_false():
    solver = Solver(MANY, steps=Steps(1_000))
    assert solver.solve()
    assert not any(map(solver.is_true, range(1, MANY + 1)))


def test_restarts_keep_what_was_learnt(monkeypatch):
    # a search that forgot its clauses would go round in circles
    monkeypatch.setattr(sat, "_RESTART", 1)
    solver = Solver(30, steps=Steps(5_000_000))
    for clause in pigeons(5):
        solver.add(clause)
    assert not solver.solve()
    # and what is known in the end is known for all later questions
    steps = solver._steps.taken
    assert not solver.solve([1])
    assert solver._steps.taken == steps


@given(clauses, st.lists(literals, min_size=1, max_size=3), st.booleans())
def test_a_defined_variable_is_the_conjunction_of_its_parts(given_clauses, parts, value):
    solver = Solver(VARIABLES + 1, steps=Steps(100_000))
    new = VARIABLES + 1
    solver.define(new, parts)
    for clause in given_clauses:
        solver.add(clause)
    wanted = [[part] for part in parts] if value else [[-part for part in parts]]
    assert solver.solve([new if value else -new]) == satisfiable([*given_clauses, *wanted])
