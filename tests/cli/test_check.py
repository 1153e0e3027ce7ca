"""`kripke-werewolf check`: SMCDEL files and formulas."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kripke_werewolf import FormatError, FormulaError, KripkeModel, UnknownAgentError
from kripke_werewolf.cli.main import cli

CASES = json.loads((Path(__file__).parents[1] / "data" / "smcdel_answers.json").read_text(encoding="utf-8"))[
    "cases"
]
TEXT = "VARS 1,2 LAW 1 | 2 OBS alice: 1 bob: 2\nWHERE? K alice 2\nVALID? 1 & 2\nTRUE? {1} 1 WHERE? Bot"


def check(*arguments: object, stdin: str | None = None) -> Result:
    found = CliRunner().invoke(cli, ["check", *map(str, arguments)], input=stdin, standalone_mode=False)
    if found.exception is not None:
        raise found.exception
    return found


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "two.smcdel.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_answers_for_people(source: Path) -> None:
    found = check(source)
    assert found.output == (
        "WHERE? K alice 2: {2}\nVALID? 1 & 2: false\nTRUE? {1} 1: true\nWHERE? Bot: nowhere\n"
    )
    assert found.return_value == 0


def test_answers_for_programs(source: Path) -> None:
    assert json.loads(check(source, "--json").output) == {"answers": [[[2]], False, True, []]}


@pytest.mark.parametrize("case", CASES[:5], ids=range(5))
def test_answers_of_smcdel(case: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "case.smcdel.txt"
    path.write_text(str(case["text"]), encoding="utf-8")

    def ordered(answers: list[object]) -> list[object]:
        return [sorted(map(sorted, a)) if isinstance(a, list) else a for a in answers]  # type: ignore[type-var]

    assert ordered(json.loads(check(path, "--json").output)["answers"]) == ordered(case["answers"])  # type: ignore[arg-type]


def test_standard_input() -> None:
    assert check("-", stdin=TEXT).output.startswith("WHERE? K alice 2: {2}\n")


def test_formulas_on_a_file(source: Path) -> None:
    found = check(source, '"1" | "2"', 'K_alice "2"', "false", "--json")
    assert json.loads(found.output)["answers"][4:] == [True, False, False]
    assert found.return_value == 1
    found = check(source, '"1" | "2"', 'K_alice "2"', "false")
    assert found.output.splitlines()[4:] == [
        '"1" | "2": true',
        'K_alice "2": in 1 of 3 worlds',
        "false: false",
    ]
    assert check(source, '"1" | "2"').return_value == 0


def test_formulas_on_a_model(tmp_path: Path) -> None:
    model = KripkeModel(["w", "v"], {"a": [("w", "v"), ("v", "v")]}, {"p": ["v"]}, designated=["w"])
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model.to_dict()), encoding="utf-8")
    found = check(path, "K_a p & ~p", "p", "false")
    assert found.output == (
        "K_a p & ~p: true (true at 1 of 2 worlds: w)\n"
        "p: false (true at 1 of 2 worlds: v)\n"
        "false: false (true at 0 of 2 worlds)\n"
    )
    assert found.return_value == 1
    assert json.loads(check(path, "K_a p", "--json").output) == {"answers": [True], "where": [["w", "v"]]}
    with pytest.raises(FormulaError, match="give a formula"):
        check(path)


def test_bad_input(source: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownAgentError, match="unknown agent 'carol'"):
        check(source, "K_carol true")
    broken = tmp_path / "broken.smcdel.txt"
    broken.write_text("VARS 1 LAW 2", encoding="utf-8")
    with pytest.raises(FormatError, match=r"broken\.smcdel\.txt, line 1, column 12: atom 2 is not in VARS"):
        check(broken)
    broken.write_bytes(b"VARS \xff")
    with pytest.raises(FormatError, match="not valid UTF-8"):
        check(broken)
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "missing.smcdel.txt")
