"""The solver in C against ours, in questions to clauses and in decisions."""

from contextlib import nullcontext
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.clauses import random_clauses
from kripke_werewolf.base.errors import Undecided
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding import countermodel, sat, valid
from kripke_werewolf.logic.deciding.sat import Solver, Steps
from tests import strategies
from tests.logic.deciding.test_sat import pigeons

pytest.importorskip("pysat")
VARIABLES = 6
literals = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v]))
clauses = st.lists(st.lists(literals, min_size=1, max_size=4), max_size=25)


def in_c():
    """Return a context in which every search goes on in C from its first question."""
    return patch.multiple(sat, _LONG=0, _HARD=0)


@given(clauses, st.lists(st.tuples(clauses, st.lists(literals, max_size=4)), max_size=4))
def test_both_answer_alike_as_clauses_are_added(first, questions):
    solvers = [Solver(VARIABLES, steps=Steps(100_000)) for _ in range(2)]
    said = list(first)
    for solver in solvers:
        for clause in first:
            solver.add(clause)
    for more, assumptions in questions:
        said += more
        answers = []
        for solver, context in zip(solvers, (nullcontext(), in_c()), strict=True):
            assert solver.new_variable() > VARIABLES
            for clause in more:
                solver.add(clause)
            with context:
                answers.append(solver.solve(assumptions))
            if answers[-1]:
                assert all(
                    any(map(solver.is_true, clause)) for clause in [*said, *([x] for x in assumptions)]
                )
            else:
                assert set(solver.core) <= set(assumptions)
                assert not solver.solve(solver.core)
        assert answers[0] == answers[1]


def test_the_limit_ends_a_search_in_c():
    solver = Solver(132, steps=Steps(20_000))
    for clause in pigeons(11):
        solver.add(clause)
    with (
        in_c(),
        pytest.raises(Undecided, match="within 20,000 steps of the search; a larger limit"),
    ):
        solver.solve()


def test_conflicts_beyond_the_first_restart_are_blamed_on_assumptions():
    solver, switch = Solver(73, steps=Steps(10**7)), 73
    for clause in pigeons(7):
        solver.add([-switch, *clause])
    with in_c():
        assert not solver.solve([1, switch, 2])
        assert switch in solver.core
        assert solver.solve([1, -switch, 2])


def test_the_message_names_the_solver_in_c(monkeypatch):
    monkeypatch.setattr(sat, "find_spec", lambda _: None)
    with in_c(), pytest.raises(Undecided, match=r'pip install "kripke-werewolf\[sat\]"'):
        valid(~random_clauses(Random(1), atoms=8, clauses=80, depth=1), "K", limit=20_000)


LOGICS = ["K", "T", "KD", "K4", "S4", "K45", "KD45", "S5", "KB", "a: S5, b: KD45, others: K", "a: S4, b: KB"]
_formulas = strategies.formulas(probability=False, quantifiers=False, dynamic=False, max_depth=4)


@pytest.mark.parametrize("logic", LOGICS)
@given(data=st.data())
def test_decisions_do_not_depend_on_the_solver(logic, data):
    parts = data.draw(st.lists(_formulas, min_size=1, max_size=3))
    formula = f.conjunction(parts)
    answer = valid(formula, logic), valid(~formula, logic)
    with in_c():
        assert (valid(formula, logic), valid(~formula, logic)) == answer
        # models pass the model checker; neither the order of parts nor the names of atoms matter
        assert (countermodel(formula, logic) is None) == answer[0]
        turned = f.conjunction(reversed(parts)).rename(atoms=lambda atom: f"x{atom}")
        assert (valid(turned, logic), valid(~turned, logic)) == answer
