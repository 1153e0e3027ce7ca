"""The puzzles: answers as the literature has them, sizes, bad input."""

import sys
from pathlib import Path

import pytest

from kripke_werewolf import FormatError, ModelError, ModelTooLarge, UnknownNameError, parse, puzzles
from kripke_werewolf.logic.puzzles import PUZZLES, Puzzle, Scenario, puzzle
from kripke_werewolf.logic.puzzles.catalogue import names_puzzle
from kripke_werewolf.logic.puzzles.puzzle import check_size
from tests.cases import cases, each
from tests.reference.kripke import announced, extension, plain, producted

VARIANTS: dict[str, Puzzle] = {name: build() for name, build in PUZZLES.items()} | {
    "two of four children": puzzles.muddy_children(n=4, muddy=2),
    "no father": puzzles.muddy_children(n=3, father=False),
    "seated wise men": puzzles.three_wise_men(seated=True),
    "smallest sum and product": puzzles.sum_and_product(n=65),
    "more numbers": puzzles.consecutive_numbers(n=25),
    "short exam": puzzles.surprise_exam(n=2),
    "the NSA paid": puzzles.dining_cryptographers(payer=None),
    "denial": puzzles.hexa(move="deny"),
    "whisper": puzzles.hexa(move="whisper"),
    "strange spies": puzzles.resistance(spies_know=False),
}


@each(VARIANTS)
def test_answers_are_those_of_the_literature(name: str) -> None:
    for question, verdict in VARIANTS[name].answers():
        assert verdict == question.expected, question.meaning


@each([n for n, p in VARIANTS.items() if len(p.model) <= 40 and not p.model.ranks])
def test_the_reference_sees_the_same_happen(name: str) -> None:
    given = VARIANTS[name]
    model = plain(given.model)
    models = [model]
    for event in given.events[: 3 if "prisoners" in name else None]:
        act = event.action
        model = producted(model, act) if hasattr(act, "events") else announced(model, act)
        models.append(model)
    for expected, found in zip(models, given.history().models, strict=False):
        if len(found) <= 40:
            assert plain(found).worlds == expected.worlds
            assert plain(found).relations == expected.relations
            assert plain(found).true == expected.true
    for question, verdict in given.answers():
        if question.after < len(models) and len(models[question.after].worlds) <= 40:
            after = models[question.after]
            true = len(after.designated & extension(after, question.formula))
            assert (verdict.satisfied, verdict.total) == (true, len(after.designated))


def test_every_puzzle_cites_its_source_and_asks_something() -> None:
    for name, build in PUZZLES.items():
        found = build()
        assert found.name == name
        assert found.source
        assert found.description.endswith((".", "?"))
        assert found.questions


def test_a_word_is_a_puzzle_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in PUZZLES:
        assert names_puzzle(name)
        assert names_puzzle(name, 3)
        assert not names_puzzle(f"{name}.json")
        assert not names_puzzle(f"./{name}")
        with pytest.raises(UnknownNameError, match=f"puzzle or file '{name}x'; did you mean .*'{name}'"):
            names_puzzle(f"{name}x")
        (tmp_path / f"{name}x").touch()
        assert not names_puzzle(f"{name}x")
        with pytest.raises(FormatError, match="a size is for puzzles"):
            names_puzzle(f"{name}x", 3)
        with pytest.raises(UnknownNameError, match=f"did you mean .*'{name}x'"):  # also files are similar
            names_puzzle(f"{name}xx")


@cases(
    (lambda: puzzle("muddy-childern"), UnknownNameError),
    (lambda: puzzle("cheryl", n=3), ModelError),
    (lambda: puzzle("muddy-children", n=21), ModelTooLarge),
    (lambda: puzzle("muddy-children", n=0), ModelError),
    (lambda: puzzles.muddy_children(n=3, muddy=4), ModelError),
    (lambda: puzzles.hexa(move="steal"), ModelError),
    (lambda: puzzles.russian_cards(hands=["0123"]), ModelError),
    (lambda: puzzles.dining_cryptographers(payer=4), ModelError),
    (lambda: puzzles.prisoners(visits=[4]), ModelError),
    (lambda: puzzles.gossip(calls=["04"]), ModelError),
    (lambda: puzzles.gossip(4, observing="nothing"), ModelError),
    (lambda: puzzles.muddy_children(0, engine="symbolic"), ModelError),
    (lambda: puzzles.hexa(engine="quantum"), ModelError),
)
def test_bad_input(build, error) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error):
        build()


def test_sizes_are_checked_before_anything_is_built() -> None:
    with pytest.raises(ModelTooLarge, match=r"2,097,152 worlds.*at most 20") as caught:
        puzzle("muddy-children", n=21)
    assert caught.value.worlds == 2**21
    with pytest.raises(ModelError, match="whole number"):
        check_size("6", least=1, most=9)
    with pytest.raises(ModelError, match="at most 9"):
        check_size(10, least=1, most=9)


def test_names_of_computed_worlds_are_found() -> None:
    children = puzzles.muddy_children(n=4).model
    assert children.worlds.index("0110") == 6
    assert "012" not in children.worlds
    assert "01101" not in children.worlds
    numbers = puzzles.sum_and_product(n=20).model
    assert all(numbers.worlds.index(w) == i for i, w in enumerate(numbers.worlds))
    assert (4, 4) not in numbers.worlds
    assert "4, 13" not in numbers.worlds
    assert numbers.holds("x_4 & ~x_2 & y_8", at=(4, 13))


@pytest.mark.parametrize(
    "build",
    [
        lambda: puzzles.muddy_children(4, muddy=2),
        lambda: puzzles.drinking_logicians(5),
        lambda: puzzles.dining_cryptographers(3, payer=2),
        lambda: puzzles.sum_and_product(18),
    ],
)
def test_small_models_are_built_without_arrays_and_are_the_same(build, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    small = build().model
    module = sys.modules["kripke_werewolf.logic.puzzles.puzzle"]  # the package has a function of this name
    monkeypatch.setattr(module, "_FEW", 0)
    large = build().model
    assert len(small) <= 64
    assert small == large
    assert small.atoms == large.atoms
    assert large.worlds.index(small.worlds[5]) == 5


def test_a_law_makes_the_worlds() -> None:
    some = Scenario(["p", "q"], parse("p | q"), {"a": ["q"], "b": []}, ["p"])
    model = some.model()
    assert list(model.worlds) == ["01", "10", "11"]
    assert model.designated == ("10",)
    assert model.where("K_a p") == ["10"]
    assert [model.verdict(f) for f in ("K_a p", "K_b p")] == [
        some.structure().verdict(f) for f in ("K_a p", "K_b p")
    ]
    with pytest.raises(ModelError, match="leave no world"):
        Scenario(["p"], parse("p & ~p"), {}, []).model()
    with pytest.raises(ModelError, match="more than 2,097,152 states"):
        puzzles.muddy_children(30, engine="symbolic").model  # noqa: B018


def test_questions_stand_where_they_are_asked() -> None:
    found = puzzles.three_wise_men()
    assert [q.after for q in found.questions] == [0, 1, 2]
    assert [e.name.split()[0] for e in found.events] == ["1", "2"]
