"""Knowledge and belief structures: calls, meaning, bad input."""

import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import (
    FalseAnnouncement,
    FormulaError,
    ModelError,
    ModelTooLarge,
    UnknownActionError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownVariableError,
    UnknownWorldError,
)
from kripke_werewolf.logic.formulas import Act, Atom, Box, Formula, Knows, Not, exactly, parse
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics import ActionModel, Event, assign, private, public, semi_private, whether
from kripke_werewolf.logic.symbolic import BeliefStructure, KnowledgeStructure
from kripke_werewolf.logic.symbolic.translation import to_explicit
from tests.cases import cases
from tests.strategies import action_models, formulas


def pair() -> KnowledgeStructure:
    return KnowledgeStructure(["p", "q"], "p | q", {"a": ["p"], "b": []})


def sets(states: object) -> set[frozenset[str]]:
    return set(states)  # type: ignore[call-overload]


def test_it_answers_the_calls_of_a_model() -> None:
    s = pair()
    assert (s.agents, s.atoms, s.vocabulary, s.size, len(s)) == (("a", "b"), ("p", "q"), ("p", "q"), 3, 3)
    assert s.observables == {"a": {"p"}, "b": frozenset()}
    assert list(s.worlds) == [{"q"}, {"p"}, {"p", "q"}]
    assert {"p"} in s.worlds
    assert set() not in s.worlds
    assert {"p", "nonsense"} not in s.worlds
    assert (s.holds("K_a q", at={"q"}), s.holds("K_a q", at=["p", "q"])) == (True, False)
    assert sets(s.where("K_a q")) == {frozenset({"q"})}
    assert (s.count("q"), s.valid("p | q"), s.valid("p")) == (2, True, False)
    verdict = s.verdict("p")
    assert (verdict, verdict.fraction) == ("mixed", Fraction(2, 3))
    assert s.verdict("p | q") == "true"
    assert s.verdict("~p & ~q") == "false"


def test_designated_states() -> None:
    s = pair()
    assert s.designated.size == 3
    assert list(s.point({"p"}).designated) == [{"p"}]
    assert sets(s.point({"p"}, {"q"}).designated) == {frozenset("p"), frozenset("q")}
    assert s.point(parse("p & q")).holds("q")
    assert s.point("p & q").designated.size == 1
    assert s.point({"p"}).verdict("q") == "false"
    given = KnowledgeStructure(["p", "q"], True, {}, [{"p"}, set()])
    assert sets(given.designated) == {frozenset("p"), frozenset()}
    assert KnowledgeStructure(["p"], True, {}, {"p"}).designated.size == 1
    assert KnowledgeStructure(["p"], True, {}, "~p").holds("~p")
    assert not s.holds("p")
    assert s.point({"p"}).announce("p").designated.size == 1


def test_numbers_of_states_are_exact_beyond_machine_words() -> None:
    names = [f"p{i}" for i in range(200)]
    s = KnowledgeStructure(names, exactly(100, *map(Atom, names)), {"a": names[:100]})
    assert s.size == 90548514656103281165404177077484163874504589675413336841320
    assert s.count("p0") * 2 == s.size
    assert s.verdict("p0").fraction == Fraction(1, 2)
    assert s.designated.size == s.size
    # a knows the rest where it sees none or all of the hundred
    assert s.count("Kw_a p199") == 2
    with pytest.raises(OverflowError):
        len(s)
    with pytest.raises(ModelTooLarge, match="the explicit model would have"):
        s.to_explicit()


def test_values_of_variables() -> None:
    s = KnowledgeStructure(
        ["p", "q"], True, {"a": ["p"], "b": []}, variables={"x": {"two": "p & q", "less": "~p | ~q"}}
    )
    assert sets(s.where("Kv_a(x)")) == {frozenset("q"), frozenset()}
    assert not s.valid("somewhere Kv_b(x)")
    # substituting for an atom in a formula leaves the values of variables alone
    assert s.valid("forall p. (Kv_a(x) <-> exists p. Kv_a(x))")
    assert s.announce("p").valid("[!q] Kv_b(x)")


def test_the_structure_generated_by_the_designated_states() -> None:
    s = KnowledgeStructure(["p", "q"], True, {"a": ["p"]}, [{"p"}])
    assert sets(s.generated().worlds) == {frozenset("p"), frozenset("pq")}
    assert pair().generated().size == 3
    secret = pair().point({"p", "q"}).update(private(["b"], "p & q"))
    assert secret.generated().size == 4
    assert isinstance(secret, BeliefStructure)
    assert isinstance(s.update(semi_private(["a"], "q")), KnowledgeStructure)


def test_belief_structures_by_formulas() -> None:
    b = BeliefStructure(["p", "q"], "p -> q", {"a": "q' & (p -> p')"}, observables={"b": ["p"], "a": []})
    assert b.agents == ("b", "a")
    assert b.valid("K_a q")
    assert sets(b.where("K_a p")) == {frozenset("pq")}
    assert b.valid("p -> K_b p")
    assert not b.valid("q -> K_b q")
    both = BeliefStructure(["p", "q"], True, {"a": "q'"}, observables={"a": ["q"]})
    assert sets(both.where("K_a false")) == {frozenset(), frozenset("p")}
    assert both.valid("D_{a} q")


def test_the_explicit_model_has_the_states_as_worlds() -> None:
    s = pair().point({"p"})
    model = s.to_explicit()
    assert list(model.worlds) == list(s.worlds)
    assert model.designated == (frozenset("p"),)
    assert model.holds("K_a q", at=frozenset("q"))
    assert model.worlds.find(frozenset("r")) is None
    with pytest.raises(ModelTooLarge):
        to_explicit(s, limit=2)


def test_structures_of_explicit_models_observe_atoms_where_these_suffice() -> None:
    model = KripkeModel.from_observations(
        range(8),
        {"a": lambda w: w & 1, "b": lambda w: w & 3},
        lambda w: [n for i, n in enumerate("pqr") if w >> i & 1],
    )
    s = KnowledgeStructure.from_explicit(model)
    assert s.vocabulary == ("p", "q", "r")
    assert s.observables == {"a": {"p"}, "b": {"p", "q"}}
    two = KripkeModel.from_partitions(["w", "v"], {"a": [["w"], ["v"]]}, {"p": []})
    assert KnowledgeStructure.from_explicit(two).observables == {"a": {"p", "a#1"}}


@given(
    st.lists(st.frozensets(st.sampled_from("pqr")), min_size=1),
    formulas(agents=("a", "b")),
    action_models(agents=("a", "b")),
)
def test_states_can_be_listed(states: list[frozenset[str]], f: Formula, action: ActionModel) -> None:
    s = KnowledgeStructure("pqr", tuple(states), {"a": "p", "b": "qr"})
    assert sets(s.worlds) == set(states)
    try:
        expected = s.to_explicit().where(f)
    except FormulaError:
        return
    assert list(s.where(f)) == expected
    try:
        updated = s.update(action)
    except FalseAnnouncement:
        assert s.valid(Box(Act("act", None, action), False))
    else:
        assert s.valid(Box(Act("act", None, action), f)) == updated.holds(f)


DEPTH = 1_500


def test_deep_formulas_do_not_recurse() -> None:
    assert sys.getrecursionlimit() < DEPTH
    s = pair()
    f: Formula = Atom("p")
    for i in range(DEPTH):
        f = Not(f) if i % 2 else Knows("ab"[i % 4 // 2], f)
    assert s.count(f) == Numbered(s.to_explicit()).mask(f).sum()
    for text, depth in (("[!q]p", DEPTH), ("[?!q]p", 1050), ("[a!q]p", 1050), ("forall q. p", 1050)):
        outer = parse(text)
        g: Formula = Atom("p")
        for _ in range(depth):
            g = outer.with_children((*outer.children[:-1], g))
        assert sets(s.where(g)) == {frozenset("p"), frozenset("pq")}, text


CHANGE = {"change": assign(p="q")}


@cases(
    (lambda: KnowledgeStructure(["p"], "q", {}), UnknownAtomError, "unknown atom 'q'"),
    (lambda: KnowledgeStructure(["p"], True, {"a": ["pp"]}), UnknownAtomError, "observables of agent 'a'"),
    (lambda: KnowledgeStructure(["p"], "p & ~p", {}), ModelError, "excludes every state: p & ~p"),
    (lambda: KnowledgeStructure(["p"], "K_a p", {"a": []}), FormulaError, "the law must be a boolean"),
    (lambda: KnowledgeStructure(["p", "q", "p"], True, {}), ModelError, "'p' appears twice"),
    (lambda: KnowledgeStructure([""], True, {}), ModelError, "nonempty name, got ''"),
    (lambda: KnowledgeStructure(["p"], "p", {}, [set()]), UnknownWorldError, "its law excludes it"),
    (lambda: KnowledgeStructure(["p"], "p", {}, "~p"), ModelError, "at least one state"),
    (lambda: BeliefStructure(["p"], True, {"a": "r'"}), UnknownAtomError, "unknown atom"),
    (lambda: BeliefStructure(["p", "p'"], True, {"a": "p'"}), ModelError, "primed"),
    (lambda: pair().point({"nonsense"}), UnknownAtomError, "nonsense"),
    (lambda: pair().holds("p", at=set()), UnknownWorldError, r"unknown state '\{\}'"),
    (lambda: pair().holds("p", at="p"), UnknownWorldError, "set of its true atoms"),
    (lambda: pair().holds("K_c p"), UnknownAgentError, "unknown agent 'c'"),
    (lambda: pair().valid("P"), UnknownAtomError, "did you mean 'p'"),
    (lambda: pair().valid("[dance]p"), UnknownActionError, "dance"),
    (lambda: pair().valid("Kv_a(x)"), UnknownVariableError, "'x'"),
    (lambda: pair().announce("r"), UnknownAtomError, "'r'"),
    (lambda: pair().announce("~p & ~q"), FalseAnnouncement, "~p & ~q .* all 3 designated worlds"),
    (lambda: pair().point({"q"}).announce("p"), FalseAnnouncement, r"\{q\}"),
    (lambda: pair().update(ActionModel({"e": Event()}, {})), UnknownAgentError, "'a'"),
    (lambda: pair().valid("forall p. [!p] [change] q", actions=CHANGE), FormulaError, "cannot replace p"),
)
def test_bad_input(make: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()  # type: ignore[operator]


def test_structures_are_immutable() -> None:
    s = pair()
    with pytest.raises(AttributeError, match="immutable"):
        s.space = s.space  # type: ignore[misc]
    before = list(s.worlds)
    s.announce("p").update(assign(q=False)).generated()
    assert list(s.worlds) == before
    assert repr(s) == "<KnowledgeStructure: agents a, b; atoms p, q; law of 3 nodes; designated all>"
    assert repr(s.worlds) == "<3 states>"
    assert "1 hidden" in repr(s.update(whether("p")))


@pytest.mark.parametrize("merge", [False, True])
def test_an_event_that_cannot_happen(merge: bool) -> None:
    structure = KnowledgeStructure(["p"], "~p", {"a": []})
    with pytest.raises(FalseAnnouncement, match="public"):
        structure.update(public("p"), merge=merge)
