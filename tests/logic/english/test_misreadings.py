"""What people write instead: each mistake gets a message with the spelling that was meant."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from networkx import DiGraph

from kripke_werewolf import Formula, KripkeModel, QuantumWerewolf, bisimilar, parse, valid
from kripke_werewolf.base.errors import CallError, FormatError, FormulaSyntaxError, GameError, KripkeError
from kripke_werewolf.logic.formulas.names import doubtful_names, meant_by_agent, meant_by_atom
from kripke_werewolf.logic.proofs.text import read_with_remarks
from kripke_werewolf.logic.puzzles import muddy_children, puzzle
from kripke_werewolf.teach.exercises import new_exercise
from tests.cases import cases, each
from tests.test_mistakes import command as run

W = ["w", "v"]


MODEL = KripkeModel.from_partitions(W, {"a": [W], "b": [["w"], ["v"]]}, {"p": ["w"], "q": ["v"]}, "w")


@pytest.fixture
def model() -> KripkeModel:
    return MODEL


@cases(
    ("K 1 p -> p", "K_1 p -> p"),
    ("K(a, p & q)", "K_a (p & q)"),
    ("K_{a,b} p", "E_{a,b} p"),
    ("C_a,b p", "C_{a,b} p"),
    ("[p!]q", "[!p]q"),
    ("[K_a p]q", "[!K_a p]q"),
    (r"p \/ q", "p | q"),
    ("p == q", "p <-> q"),
    ("p <- q & r", "q & r -> p"),
    ("a knows p", "K_a p"),
)
def test_a_correction_is_shown_and_can_be_read(written: str, meant: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(written)
    assert caught.value.meant == meant
    assert f"did you mean: {meant}" in str(caught.value).splitlines()
    assert isinstance(parse(meant), Formula)


@each(["p &", "(p", "p q", "K_a p, q", "$", "[!p q", "&& p", "K_a"])
def test_where_nothing_can_be_guessed_nothing_is(text: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    assert caught.value.meant is None
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ("pvq", "p | q"),
        ("C_{ab} p", "{a,b}"),
        ("K_aK_b p", "a K_b"),
        ("[p]K_b p", "[!p]"),
        ("<p>q", "[!p]"),
    ],
)
def test_a_name_that_a_model_does_not_have_may_be_notation(
    model: KripkeModel, written: str, spelling: str
) -> None:
    with pytest.raises(KripkeError) as caught:
        model.holds(written)
    assert spelling in str(caught.value)


# notation of textbooks, and what `prove`, a file with a derivation and a model say about it


@cases(
    ("Kp -> p", "K_a p -> p"),
    ("<>p -> p", "M_a p -> p"),
    ("pvq -> qvp", "did you mean p | q?"),
    ("T -> p", "did you mean true?"),
    ("C_{ab} p -> K_a p", "did you mean {a,b}?"),
    ("C_G p -> p", "group"),
    ("[p]q -> q", "write [!p] to announce it"),
    ("K_{a,b} p -> p", "E_{a,b} p -> p"),
)
def test_notation_has_the_same_answer_everywhere(written: str, shown: str) -> None:
    assert shown in run("prove", written)
    try:
        proof, remarks = read_with_remarks(f"{written}   PL")
        told = [str(proof.conclusion), *remarks]
    except FormatError as error:
        told = [str(error)]
    assert any(shown in said for said in told), told
    told = []
    try:
        told.append(str(parse(written, agents=["a", "b"] if written[0] in "CE" else ["a"])))
        MODEL.holds(told[0])
    except KripkeError as error:
        told.append(str(error))
    assert any((shown if shown != "group" else "{a,b}") in said for said in told), told


def test_names_of_people_and_things_are_left_alone() -> None:
    for name in ("wolf_2", "Keep", "Kate", "p", "p1", "eve", "ivy", "Kp1x"):
        assert meant_by_atom(name) is None
    for name in ("a", "Bo", "Ann", "12", "bob", "deb"):
        assert meant_by_agent(name) in (None, "{1,2}")
    assert meant_by_agent("Bo", ["B", "o"]) == "{B,o}"
    assert list(doubtful_names(parse("K_Ann wolf_Bo -> C_{Ann,Bo} seer_1"))) == []


@each(["True", "TRUE -> p", "Kpq", "KM", "K_ | p", "[K_a!p]q", "C_{ab} p"])
def test_a_name_that_looks_like_something_else_is_pointed_out(text: str) -> None:
    (remark,) = doubtful_names(parse(text))
    with pytest.warns(UserWarning, match="did you mean") as caught:
        valid(text)
    assert [str(w.message) for w in caught] == [remark]


@each(["and", "K_a", "not", "12", "true_", "everywhere"])
def test_an_atom_named_like_a_word_is_asked_in_quotes(name: str) -> None:
    model = KripkeModel(W, {}, {name: ["w"]})
    if name != "true_":
        with pytest.raises(FormulaSyntaxError, match=f'written in quotes: "{name}"'):
            model.where(name)
        name = f'"{name}"'
    assert model.where(name) == ["w"]


GAME = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rng=1)


@pytest.mark.parametrize("rng", ["x", -1, 1.5, object()])
@pytest.mark.parametrize(
    "take",
    [
        lambda rng: QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rng=rng),
        lambda rng: new_exercise("truth-set", size=4, depth=2, rng=rng),
    ],
    ids=["game", "exercise"],
)
def test_a_source_of_randomness_is_taken_or_refused_at_once(take: Callable[..., Any], rng: object) -> None:
    assert str(take(Random(7))) == str(take(Random(7)))
    with pytest.raises(GameError, match=r"rng=.* is not possible"):
        take(rng)


@each([Random(1), 5, "x"])
def test_a_draw_is_a_function(draw: Any) -> None:
    for give in (GAME.with_draw, lambda d: QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, draw=d)):
        with pytest.raises(GameError, match=r"draw=.* a function draw"):
            give(draw)


@each([(0, "0", "0, without"), ("0", 0, "'0', in"), (1, "1", "1, w")])
def test_a_number_and_its_digits_are_different_worlds(name: object, asked: object, written: str) -> None:
    with pytest.raises(KripkeError, match=f"did you mean {written}"):
        KripkeModel([name, "v"], {}, {"p": [name]}).holds("p", at=asked)


@each(["ask", "since", "knowledge", "handout", "probabilities"])
def test_a_surplus_argument_names_the_method_and_what_it_takes(method: str) -> None:
    with pytest.raises(CallError, match=rf"game\.{method}\(.*\): too many positional arguments"):
        getattr(GAME, method)("Ann", "Bo", "Cy", 4, 5)
    with pytest.raises(CallError, match=rf"game\.{method}\(.*\): (got an unexpected|missing a required)"):
        getattr(GAME, method)(colour=1)


def test_puzzles_models_files_and_graphs_say_what_they_take(tmp_path: Path) -> None:
    assert puzzle("muddy-children", n=4, muddy=2).model == muddy_children(4, muddy=2).model
    other = KripkeModel.from_partitions("x", {"a": ["x"], "b": [["x"]]}, {"p": [], "q": []}, "x")
    assert bisimilar(MODEL, MODEL.point("w"))
    assert not bisimilar(MODEL, other)
    (tmp_path / "x.json").write_bytes(b"\x89PNG\xff")
    for mistake, said in (
        (lambda: puzzle("muddy-children", colour=2), "unexpected keyword argument .colour."),
        (lambda: bisimilar(MODEL, MODEL.point("w", "v")), "designates several worlds"),
        (lambda: KripkeModel.load(tmp_path), "a folder, not a file"),
        (lambda: KripkeModel.load(tmp_path / "x.json"), "^[^:]*x.json: not valid UTF-8"),
        (lambda: KripkeModel(DiGraph([("w", "v")]), {}, {}), "from_networkx"),
    ):
        with pytest.raises(KripkeError, match=said):
            mistake()  # type: ignore[no-untyped-call]


def test_the_command_knows_puzzles_and_the_usual_words() -> None:
    assert run("ask", "muddy-children", "muddy_1 -> K_2 muddy_1").endswith("\nyes\n")
    assert "version" in run("-V")
    assert run("help").startswith("Usage: ")
