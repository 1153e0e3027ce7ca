"""Commands that are made of functions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import pytest
from click.testing import CliRunner

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.cli.declared import COMMANDS, Names, NewFile, Reply, Seconds, command
from kripke_werewolf.cli.main import cli
from tests.cases import cases


def _oven(*, heat: Positive = 200, fan: Literal["on", "off"] = "on", **others: Any) -> None:
    """Heat an oven.

    `heat`: the degrees of the oven, up to its
    end. `fan`: whether it turns.
    """


@command("bake", oven={_oven: "heat fan"})
def _bake(
    cakes: tuple[str, ...],
    *,
    out: NewFile,
    eggs: Positive = 2,
    kind: Literal["sweet", "salty"] = "sweet",
    toppings: tuple[str, ...] = (),
    guests: Names | None = None,
    within: Seconds | None = None,
    set_: str | None = None,
    wide: bool | None = None,
    extra: Annotated[str | None, "--more THINGS: Further things: any."] = None,
    oven: dict[str, Any],
) -> Reply:
    """Bake CAKES.

    Options:
      -o, --out PLACE: Where they go; by
        default nowhere.
      --eggs: How many eggs.
      --kind: What they taste like.
      --topping: What is on them; may be repeated.
      --guests NAMES: Who comes.
      --within SECONDS: The time.
      --set: A setting.
      --wide/--narrow: How wide it is.
      --fan: Whether the fan turns.
    """
    told = f"{cakes} {out} {wide} {eggs} {kind} {toppings} {guests} {within} {set_} {extra} {oven}"
    return Reply([told], {"cakes": len(cakes)}, yes=len(cakes) < 3)


def run(*words: str) -> str:
    return CliRunner().invoke(COMMANDS["bake"], words, catch_exceptions=False).output


def test_arguments_and_options_are_those_of_the_signature() -> None:
    assert run("a", "b", "-o", "x") == "('a', 'b') x None 2 sweet () None None None None {}\n"
    options = ["--eggs", "3", "--kind", "salty", "--topping", "t", "--topping", "u", "--guests", "Ann, Bo"]
    options += ["--within", "5", "--set", "s", "--more", "m", "--narrow", "--heat", "200"]
    found = "('a',) x False 3 salty ('t', 'u') ['Ann', 'Bo'] 5.0 s m {'heat': 200}\n"
    assert run("a", "--out", "x", *options) == found


def test_an_answer_is_text_or_json_and_an_exit_code() -> None:
    assert run("a", "-o", "x", "--json") == '{\n  "cakes": 1\n}\n'
    for cakes, code in (("a",), 0), (("a", "b", "c"), 1):
        assert CliRunner().invoke(COMMANDS["bake"], [*cakes, "-o", "x"]).exit_code == code


def test_a_file_that_exists_is_kept_without_force(tmp_path: Path) -> None:
    path = tmp_path / "cake"
    path.write_text("by hand", encoding="utf-8")
    with pytest.raises(FormatError, match=re.escape(f"{path} exists; add --force to write over it")):
        run("a", "-o", str(path))
    assert run("a", "-o", str(path), "--force").startswith("('a',)")
    assert run("a", "-o", "/dev/null").startswith("('a',)")


@cases(
    (["a"], "Missing option '-o'"),
    (["-o", "x"], "Missing argument 'CAKE…'"),
    (["a", "-o", "x", "--eggs", "0"], "0 is not in the range x>=1"),
    (["a", "-o", "x", "--heat", "0"], "0 is not in the range x>=1"),
    (["a", "-o", "x", "--fan", "of"], "'of' is not one of 'on', 'off'"),
    (["a", "-o", "x", "--kind", "sour"], "'sour' is not one of 'sweet', 'salty'"),
    (["a", "-o", "x", "--within", "nan"], "nan is not a number of seconds greater than 0"),
    (["a", "-o", "x", "--within", "soon"], "'soon' is not a valid float"),
)
def test_what_does_not_fit_is_refused(words: list[str], message: str) -> None:
    assert message in run(*words)


def test_the_help_is_the_docstring() -> None:
    told = " ".join(run("--help").split())
    assert told.count("Options:") == 1
    for line in (
        "Bake CAKES.",
        "-o, --out PLACE Where they go; by default nowhere. [required]",
        "--eggs INTEGER RANGE How many eggs. [default: 2; x>=1]",
        "--kind [sweet|salty] What they taste like. [default: sweet]",
        "--more THINGS Further things: any.",
        "--heat INTEGER RANGE The degrees of the oven, up to its end. [default: 200; x>=1]",
        "--fan [on|off] Whether the fan turns. [default: on]",
        "--json Print JSON for other programs. --force Write over files that exist.",
    ):
        assert line in told


def test_an_option_without_a_text_is_a_mistake() -> None:
    def silent(*, eggs: int = 1) -> None:
        """Say nothing of eggs."""

    with pytest.raises(AssertionError, match="does not spell the option of eggs"):
        command("silent")(silent)


def _every(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from _every(found, f"{path}{name} ")
        elif found is not None:
            yield f"{path}{name}", found


def test_commands_that_write_files_ask_before_they_write_over_one() -> None:
    going_on = {"exercise class make"}  # which continues what it has written
    for path, found in _every(cli):
        options = {name for p in found.params for name in p.opts}
        writes = options & {"--out", "--output", "--draw", "--export"}
        assert bool(writes) == ("--force" in options) or path in going_on, path


def test_an_exercise_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kept in ("e.md", "e.solution.md", "e.toml"):
        Path(kept).write_text("by hand", encoding="utf-8")
        new = ["exercise", "new", "--kind", "valid", "-o", "e.md", "--seed", "1"]
        done = CliRunner().invoke(cli, new, standalone_mode=False)
        assert str(done.exception) == f"{kept} exists; add --force to write over it"
        assert [path.name for path in tmp_path.iterdir()] == [kept]
        assert CliRunner().invoke(cli, [*new, "--force"], standalone_mode=False).exception is None
        for written in tmp_path.iterdir():
            written.unlink()
    Path("exam.toml").write_text("by hand", encoding="utf-8")
    sheet = ["exercise", "sheet", "new", "valid", "-o", "exam.toml"]
    assert "--force" in str(CliRunner().invoke(cli, sheet, standalone_mode=False).exception)
    assert Path("exam.toml").read_text(encoding="utf-8") == "by hand"


def test_the_demo_is_written_over_itself_only(tmp_path: Path) -> None:
    demo = ["demo", "--out", str(tmp_path)]
    for _ in range(2):
        assert CliRunner().invoke(cli, demo, standalone_mode=False).exception is None
    (tmp_path / "demo.jsonl").write_text("another game", encoding="utf-8")
    done = CliRunner().invoke(cli, demo, standalone_mode=False)
    assert str(done.exception) == f"{tmp_path / 'demo.jsonl'} exists; add --force to write over it"
