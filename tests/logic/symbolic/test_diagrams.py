"""Diagrams, conjunctions in parts, and the memory limit."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import DiagramTooLarge, ModelError
from kripke_werewolf.logic.formulas import Atom, Xor, conjunction
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.symbolic import KnowledgeStructure, Oxidd
from kripke_werewolf.logic.symbolic.bdd import variable_set
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor, factor

SIZE = 5


def diagram(bdds: Oxidd, variables: list[int], table: list[bool]) -> Factor:
    """Return the function with the given truth table over the variables."""
    found = bdds.false
    for values, true in zip(product([False, True], repeat=len(variables)), table, strict=True):
        if true:
            row = bdds.true
            for v, value in zip(variables, values, strict=True):
                row = row & (bdds.variable(v) if value else ~bdds.variable(v))
            found = found | row
    return Factor(found, variable_set(variables))


@given(st.integers(0, 2**200))
def test_bit_sets_list_their_members(variables: int) -> None:
    found = list(members(variables))
    assert found == sorted(found)
    assert variable_set(found) == variables


@given(st.lists(st.integers(0, SIZE - 1), min_size=1, unique=True), st.data())
def test_the_support_is_what_the_function_depends_on(chosen: list[int], data: st.DataObject) -> None:
    bdds = Oxidd(nodes=4096)
    variables = [bdds.declare(SIZE)[i] for i in chosen]
    table = data.draw(st.lists(st.booleans(), min_size=2 ** len(chosen), max_size=2 ** len(chosen)))
    f = diagram(bdds, variables, table).diagram
    depends = {v for v in variables if bdds.exists(f, 1 << v) != f}
    assert factor(bdds, f, (1 << 4096) - 1).support == variable_set(depends)
    found = factor(bdds, f, variable_set(variables)).support
    assert depends <= set(members(found)) <= set(variables)


@given(st.data())
def test_elimination_from_parts_equals_quantification_of_the_whole(data: st.DataObject) -> None:
    bdds = Oxidd(nodes=4096)
    variables = list(bdds.declare(SIZE))
    parts = []
    for _ in range(data.draw(st.integers(0, 4))):
        of = sorted(data.draw(st.sets(st.sampled_from(variables), min_size=1, max_size=3)))
        table = data.draw(st.lists(st.booleans(), min_size=2 ** len(of), max_size=2 ** len(of)))
        parts.append(diagram(bdds, of, table))
    law = Conjunction(bdds, tuple(parts))
    gone = variable_set(data.draw(st.sets(st.sampled_from(variables))))
    whole = bdds.true
    for p in parts:
        whole = whole & p.diagram
    assert law.whole().diagram == whole
    assert Conjunction(bdds).also(*parts).whole().diagram == whole
    eliminated = law.eliminate(gone)
    assert eliminated.whole().diagram == bdds.exists(whole, gone)
    assert not eliminated.support & gone
    assert law.satisfiable() == (whole != bdds.false)
    assert law.count(variable_set(variables)) == bdds.count(whole, SIZE)


def test_new_variables_lie_where_they_are_wanted() -> None:
    bdds = Oxidd(nodes=4096)
    a, b = bdds.declare(2)
    (c,) = bdds.declare(1, below=a)
    (d,) = bdds.declare(1)
    assert sorted([a, b, c, d], key=bdds.level) == [a, c, b, d]
    bdds.release(1 << c | 1 << d)
    assert list(bdds.declare(1, below=b)) == [d]  # released variables are used again, where they fit
    e, f = bdds.declare(2, below=a)
    assert e == c
    assert sorted([a, b, c, d, f], key=bdds.level) == [a, f, c, b, d]
    assert all(bdds.level(v + 1) == bdds.level(v) + 1 for v in (a, b, c, d, f))


def test_queries_do_not_use_up_variables() -> None:
    structure = KnowledgeStructure(["p", "q"], True, {"a": ["p"]})
    manager = structure.space.bdds._manager
    structure.valid("[?!q] forall p. <a!p> K_a q")
    used = manager.num_vars()
    for _ in range(5):
        structure.valid("[?!p] forall q. <a!q> K_a p")
    assert manager.num_vars() == used


def tangled(n: int) -> tuple[list[str], object]:
    """Return a law whose diagram is exponential in the given order: x_i <-> y_i, all x first."""
    names = [f"x{i}" for i in range(n)] + [f"y{i}" for i in range(n)]
    return names, conjunction(~Xor(Atom(f"x{i}"), Atom(f"y{i}")) for i in range(n))


def test_running_out_of_memory_is_one_clear_error() -> None:
    names, law = tangled(16)
    bdds = Oxidd(nodes=5000)
    with pytest.raises(DiagramTooLarge, match="more than the limit of 5,000 nodes") as caught:
        KnowledgeStructure(names, law, {}, bdds=bdds)
    assert caught.value.limit == 5000
    assert caught.value.nodes > 0
    # the manager serves smaller structures afterwards, and the same law in a better order
    better = [n for i in range(16) for n in (f"x{i}", f"y{i}")]
    assert KnowledgeStructure(better, law, {"a": ["x0"]}, bdds=bdds).size == 2**16


@pytest.mark.slow
def test_garbage_is_collected_before_giving_up() -> None:
    names, law = tangled(9)
    bdds = Oxidd(nodes=5000)
    for _ in range(8):
        assert KnowledgeStructure(names, law, {}, bdds=bdds).size == 2**9


def test_a_limit_must_be_sensible() -> None:
    with pytest.raises(ModelError, match="at least 1024 nodes"):
        Oxidd(nodes=10)
