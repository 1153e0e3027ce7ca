"""What people write instead: each mistake gets a message with the spelling that was meant."""

from __future__ import annotations

import pytest

from kripke_werewolf import C, Formula, History, K, KripkeModel, atleast, parse, private, valid
from kripke_werewolf.errors import FormulaError, FormulaSyntaxError, KripkeError
from kripke_werewolf.language.misreadings import doubtful_names, meant_by_agent, meant_by_atom
from visualise import save

W = ["w", "v"]


@pytest.fixture
def model() -> KripkeModel:
    return KripkeModel.from_partitions(W, {"a": [W], "b": [["w"], ["v"]]}, {"p": ["w"], "q": ["v"]}, "w")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Ka p", "K_a p"),
        ("K a p", "K_a p"),
        ("K 1 p -> p", "K_1 p -> p"),
        ("Ka p -> Kb q", "K_a p -> K_b q"),
        ("K(a,p)", "K_a p"),
        ("K(a, p & q)", "K_a ( p & q)"),
        ("C(a, b, p)", "C_{a, b} p"),
        ("K{a} p", "K_a p"),
        ("K_ap", "K_a p"),
        ("Kab p", "E_{a,b} p"),
        ("K_{a,b} p", "E_{a,b} p"),
        ("Cab p -> p", "C_{a,b} p -> p"),
        ("K_a,b p", "E_{a,b} p"),
        ("C_a,b p", "C_{a,b} p"),
        ("D_a, b p", "D_{a, b} p"),
        ("[p!]q", "[!p]q"),
        ("<p!>q", "<!p>q"),
        ("[p & q]K_a p", "[!p & q]K_a p"),
        ("[K_a p]q", "[!K_a p]q"),
        ("<p & q>r", "<!p & q>r"),
        ("p v q", "p | q"),
        (r"p \/ q", "p | q"),
        (r"p /\ q", "p & q"),
        ("p = q", "p <-> q"),
        ("p == q", "p <-> q"),
        ("p <- q & r", "q & r -> p"),
        ("p AND NOT q", "p and not q"),
        ("a knows p", "a knows that p"),
        ("Kp & K_b p", "K_a p & K_b p"),
        ("Kp -> C p", "K_a p -> C_{a,b} p"),
        ("~□p", "~K_a p"),
    ],
)
def test_a_correction_is_shown_and_can_be_read(written: str, meant: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(written)
    assert caught.value.meant == meant
    assert str(caught.value).splitlines()[-1] == f"did you mean: {meant}"
    assert isinstance(parse(meant), Formula)


@pytest.mark.parametrize("text", ["p &", "(p", "p q", "K_a p, q", "$", "[!p q", "&& p", "K_a"])
def test_where_nothing_can_be_guessed_nothing_is(text: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    assert caught.value.meant is None
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ("Kap", "K_a p"),
        ("pvq", "p | q"),
        ("T", "true"),
        ("E_ab p", "{a,b}"),
        ("C_{ab} p", "{a,b}"),
        ("K_aK_b p", "a K_b"),
        ("[p]K_b p", "[!p]"),
        ("<p>q", "[!p]"),
        ("Kp", "K_a p"),
    ],
)
def test_a_name_that_a_model_does_not_have_may_be_notation(
    model: KripkeModel, written: str, spelling: str
) -> None:
    with pytest.raises(KripkeError) as caught:
        model.holds(written)
    assert spelling in str(caught.value)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("-p", "~p"),
        ("p => q", "p -> q"),
        ("p && q", "p & q"),
        ("p || q", "p | q"),
        (r"\phi", "φ"),
        ("$K_a p$", "K_a p"),
    ],
)
def test_other_notation_is_read(written: str, read: str) -> None:
    assert parse(written) is parse(read)


def test_names_of_people_and_things_are_left_alone() -> None:
    for name in ("wolf_2", "Keep", "Kate", "p", "p1", "eve", "ivy", "Kp1x"):
        assert meant_by_atom(name) is None
    for name in ("a", "Bo", "Ann", "12", "bob", "deb"):
        assert meant_by_agent(name) in (None, "{1,2}")
    assert meant_by_agent("Bo", ["B", "o"]) == "{B,o}"
    assert list(doubtful_names(parse("K_Ann wolf_Bo -> C_{Ann,Bo} seer_1"))) == []


def test_mistakes_in_python(model: KripkeModel) -> None:
    def check(error: type[Exception], spelling: str, mistake: object) -> None:
        with pytest.raises(error) as caught:
            mistake()  # type: ignore[operator]
        assert spelling in str(caught.value)

    check(KripkeError, "{'p': ['w']}", lambda: KripkeModel(W, {}, {"w": ["p"], "v": ["q"]}))
    check(KripkeError, "[['w', 'v']]", lambda: KripkeModel.from_partitions(W, {"a": W}, {}))
    check(KripkeError, "[[1, 2]]", lambda: KripkeModel.from_partitions([1, 2], {"a": [1, 2]}, {}))
    pairs = [("w", "w"), ("w", "v"), ("v", "w"), ("v", "v")]
    check(KripkeError, "plain constructor", lambda: KripkeModel.from_partitions(W, {"a": pairs}, {}))
    for equal in (K("a", "p") == K("b", "p"), K("a", "p") == K("a", "p")):
        check(FormulaError, "f.iff(g)", lambda equal=equal: model.holds(equal))
        check(FormulaError, "f <-> g", lambda equal=equal: valid(equal))
    check(FormulaError, 'C(["a", "b"], "p")', lambda: C("a", "b", "p"))
    check(FormulaError, 'K("a", "p")', lambda: K("a"))
    seen = {"a": {"w": 1, "v": 2}}
    check(KripkeError, "{…}.get", lambda: KripkeModel.from_observations(W, seen, lambda w: []))
    check(KripkeError, "lambda", lambda: KripkeModel.from_observations(W, {"a": 1}, lambda w: []))
    check(KripkeError, "lambda world: …", lambda: KripkeModel.from_observations(W, {}, {"p": ["w"]}))
    check(AttributeError, "history.then(…)", lambda: History(model).announce("p"))
    check(TypeError, "at=", lambda: model.holds("p", world="v"))
    check(KripkeError, "private(agents, formula)", lambda: model.update(private("p", "b")))
    check(KripkeError, "save(…, 'x.png')", lambda: save("x.png", model))
    assert atleast(2, ["p", "q"]) == atleast(2, "p", "q")


def test_the_logic_may_follow_the_formula() -> None:
    assert valid("K_a p -> p", "T")
    assert not valid("K_a p -> p", "K")


def test_other_attributes_are_missing_as_usual(model: KripkeModel) -> None:
    with pytest.raises(AttributeError, match="'KripkeModel' object has no attribute 'colour'"):
        _ = model.colour
    with pytest.raises(AttributeError, match="'History' object has no attribute 'colour'"):
        _ = History(model).colour
