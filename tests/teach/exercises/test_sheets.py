"""Sheets: read and written, the same for the same student, equally difficult for all; rosters."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import parse
from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.teach.exercises import (
    Exercise,
    Sheet,
    Task,
    new_exercise,
    read_sheet,
)
from kripke_werewolf.teach.exercises.classes import parse_roster, read_roster
from kripke_werewolf.teach.exercises.sheet import parse_sheet, sheet_from_dict, spreads
from tests.cases import cases
from tests.naming import naming

SHEET = Sheet(
    "Week 1",
    (
        Task("truth-set", points=3, parameters={"size": 5}),
        Task("to-formula", points=Fraction(1, 2), title="Once more"),
        Task(new_exercise("distinguish", rng=1), points=2),
    ),
    seed=7,
    attempts=2,
    text="Read each picture first.",
)


def test_a_sheet_is_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "sheet.toml"
    path.write_text(SHEET.to_toml(), encoding="utf-8")
    assert read_sheet(path) == SHEET == sheet_from_dict(SHEET.to_dict())
    assert SHEET.points == Fraction(11, 2)


@settings(max_examples=3)
@given(st.text(max_size=12), st.text(max_size=12))
def test_a_student_gets_the_same_sheet_again(first: str, second: str) -> None:
    one, two = SHEET.variant(first), SHEET.variant(second)
    assert SHEET.variant(first) == one
    assert (one.exercises == two.exercises) == (first == second)
    assert one.exercises[2] == two.exercises[2]  # a finished exercise is the same for all


def test_all_students_have_exercises_of_the_same_difficulty() -> None:
    variants = [SHEET.variant(str(number)) for number in range(8)]
    for (least, most, *_), level in zip(spreads(variants), SHEET.levels(), strict=True):
        assert least <= level <= most
        assert max(most - level, level - least) * 8 <= level
    assert len({variant.exercises[0] for variant in variants}) == 8


def test_the_difficulty_can_be_chosen() -> None:
    easy, hard = (Sheet("x", (Task("truth-set", difficulty=d),), 1) for d in (11, 25))
    assert easy.variant("ann").exercises[0].difficulty() == 11
    assert hard.variant("ann").exercises[0].difficulty() == 25


def test_two_kinds_cannot_have_one_name() -> None:
    with pytest.raises(TypeError, match="the name of two kinds"):
        type("Other", (Exercise,), {"kind": "truth-set", "__module__": "elsewhere"})


HEAD = 'title = "x"\nseed = 1\n'
TASK = '[[task]]\nkind = "truth-set"\n'


BROKEN_SHEETS = [
    ("title = ", 1, "this is not TOML"),
    ("seed = 1\n" + TASK, 1, "needs the key 'title'"),
    ('title = "x"\n' + TASK, 1, "needs the key 'seed'"),
    ('title = "x"\nseed = -1\n' + TASK, 2, "from 0, got -1"),
    (HEAD, 1, "at least one [[task]]"),
    (HEAD + "sede = 2\n" + TASK, 3, "did you mean 'seed'?"),
    (HEAD + "attempts = 0\n" + TASK, 3, "from 1 to 100, got 0"),
    (HEAD + TASK + "size = 99\n", 5, "from 3 to 12, got 99"),
    (HEAD + TASK + TASK + "points = 0\n", 7, "more than 0"),
    (HEAD + '[[task]]\nkind = "truth-sett"\n', 4, "did you mean 'truth-set'?"),
    (HEAD + "[[task]]\npoints = 3\n", 3, "either a kind or an exercise"),
    (HEAD + '[[task]]\nexercise = "none.toml"\n', 4, "cannot open 'none.toml'"),
    (HEAD + TASK + "difficulty = true\n", 5, "expected a whole number, got True"),
    (HEAD + '[[task]]\nkind = "derivation"\nformulas = ["p ->"]\n', 4, "expected"),
]


def test_broken_sheets(tmp_path: Path) -> None:
    for text, line, words in BROKEN_SHEETS:
        with naming(text, line, words):
            with pytest.raises(FormatError) as caught:
                parse_sheet(text, "s.toml", tmp_path)
            assert str(caught.value).startswith(f"s.toml, line {line}, column "), caught.value
            assert words in str(caught.value)


@cases(
    lambda: Sheet("x", (), 1),
    lambda: Task("truth-set", points=0),
    lambda: Task(new_exercise("truth-set", rng=1), parameters={"size": 4}),
    lambda: Task("truth-set", parameters={"size": "4"}),
    lambda: new_exercise("truth-set", sise=4),
)
def test_what_cannot_be_on_a_sheet(make) -> None:
    with pytest.raises(KripkeError):
        make()  # type: ignore[operator]


LISTED = ("K_a x -> K_b x", "K_a (x & K_b y) -> y")


@pytest.mark.parametrize(
    "kind", ["truth-set", "find-model", "valid", "derivation", "tableau", "natural-deduction"]
)
def test_a_list_of_formulas_is_a_task(kind: str) -> None:
    formulas = LISTED[1:] if kind in ("derivation", "tableau", "natural-deduction") else LISTED
    task = Task(kind, parameters={"formulas": list(formulas)})
    sheet = parse_sheet(Sheet("x", (task,), 1).to_toml())
    assert sheet.tasks == (task,)
    for place in range(4):
        (exercise,) = sheet.variant(str(place), place=place).exercises
        f = exercise.formula  # type: ignore[attr-defined]
        assert any(type(f) is type(parse(shape)) for shape in formulas)
        assert exercise.solvable()


# --- rosters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_rosters_in_any_encoding(encoding: str, mark: str, tmp_path: Path) -> None:
    head = "Nachname|Vorname|Matrikelnummer|E-Mail"
    text = "\r\n".join([head, "Müller|Zoë|17|zoe@uni.example", "|||", "Šimek|Jan|18|"]).replace("|", mark)
    (tmp_path / "r.csv").write_bytes(text.encode(encoding))
    students = read_roster(tmp_path / "r.csv")
    assert [(s.key, s.name, s.email) for s in students] == [
        ("17", "Zoë Müller", "zoe@uni.example"),
        ("18", "Jan Šimek", ""),
    ]


def test_doubled_names_are_told_apart_by_their_ids() -> None:
    students = parse_roster("name,id\nAnn Lee,1\nAnn Lee,2\n../x,../x\n..\\x,..\\x\n")
    assert [s.key for s in students[:2]] == ["1", "2"]
    assert len({s.folder.casefold() for s in students}) == 4
    assert not any("/" in s.folder or s.folder.startswith(".") for s in students)


@cases(
    ("", "the file is empty"),
    ("name,id\n", "no students"),
    ("points,mark\n1,2\n", "expected the columns name"),
    ("name\nAnn Lee\nann lee\n", "line 3: 'ann lee' also stands in line 2; add a column id"),
    ("name,id\nAnn,1\nBo,1\n", "line 3: '1' also stands in line 2"),
    ("name,id,email\n , ,\n,,\nx\n", ""),
    ("name,id\n\0", "not a table"),
    ('name,id\nAnn,1\n"Bo,2\n', "line 3: a quotation mark is not closed"),
)
def test_broken_rosters(text, words) -> None:
    if not words:
        assert [s.key for s in parse_roster(text)] == ["x"]
        return
    with pytest.raises(FormatError) as caught:
        parse_roster(text, "r.csv")
    assert words in str(caught.value)
