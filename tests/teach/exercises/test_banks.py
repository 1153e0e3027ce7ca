"""Exports of sheets: their names and files, and that none of them knows a kind."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.teach.exercises import Exercise, Sheet, Task, read_exercise
from kripke_werewolf.teach.exercises.classes import make_class, parse_roster
from kripke_werewolf.teach.explorer.page.exports import export

EXERCISES = Path(__file__).parents[3] / "examples" / "exercises"
SHEET = Sheet("Bank: a/b <&> {x}", (Task(read_exercise(EXERCISES / "derive.toml")),), seed=4)


def test_categories_with_a_slash_are_not_divided(tmp_path: Path) -> None:
    (path,) = export(SHEET, "coderunner", tmp_path / "x.xml")
    place = ET.parse(path).findtext("question/category/text") or ""
    assert re.split(r"(?<!/)/(?!/)", place)[:3] == ["$course$", "top", "Bank: a//b <&> {x}"]


def test_wrong_names_of_files_and_systems(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'otter'"):
        export(SHEET, "oter", tmp_path / "x.xml")
    with pytest.raises(FormatError, match=r"its extension must be \.xml"):
        export(SHEET, "coderunner", tmp_path / "x.zip")
    with pytest.raises(FormatError, match="cannot write"):
        export(SHEET, "coderunner", tmp_path / "none" / "x.xml")
    with pytest.raises(FormatError, match="only a question bank made from a sheet has variants"):
        export(SHEET, "otter", tmp_path, variants=2)
    course = make_class(SHEET, parse_roster("name,id\nAnn,1\n"), tmp_path / "class")
    with pytest.raises(FormatError, match="only a question bank made from a sheet has variants"):
        export(course, "coderunner", tmp_path / "x.xml", variants=2)


def test_no_exporter_knows_a_kind() -> None:
    folder = EXERCISES.parents[1] / "kripke_werewolf" / "teach" / "exercises"
    for name in ("banks", "notebooks", "../explorer/page/exports", "classes", "grading", "sheet"):
        text = (folder / f"{name}.py").read_text("utf-8")
        code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
        for kind in Exercise.kinds.values():
            assert f'"{kind.kind}"' not in code
            assert not re.search(rf"\b{kind.__name__}\b", code)
