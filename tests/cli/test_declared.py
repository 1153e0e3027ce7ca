"""Commands that are made of functions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import click
import pytest
from click.testing import CliRunner

from kripke_werewolf.cli.declared import AsJson, Names, Positive, Seconds, command


class Looks(NamedTuple):
    """How it looks.

    Options:
      --wide/--narrow: How wide it is.
    """

    wide: bool | None = None


@command("bake")
def bake(
    cakes: tuple[str, ...],
    *,
    out: Path,
    looks: Looks,
    eggs: Positive = 2,
    kind: Literal["sweet", "salty"] = "sweet",
    toppings: tuple[str, ...] = (),
    guests: Names | None = None,
    within: Seconds | None = None,
    set_: str | None = None,
    extra: Annotated[str | None, "--more THINGS: Further things: any."] = None,
    as_json: AsJson = False,
) -> None:
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
    """
    click.echo(f"{cakes} {out} {looks} {eggs} {kind} {toppings} {guests} {within} {set_} {extra} {as_json}")


def run(*words: str) -> str:
    return CliRunner().invoke(bake, words, catch_exceptions=False).output


def test_arguments_and_options_are_those_of_the_signature() -> None:
    plain = "('a', 'b') x Looks(wide=None) 2 sweet () None None None None False\n"
    assert run("a", "b", "-o", "x") == plain
    options = ["--eggs", "3", "--kind", "salty", "--topping", "t", "--topping", "u", "--guests", "Ann, Bo"]
    options += ["--within", "5", "--set", "s", "--more", "m", "--json", "--narrow"]
    found = "('a',) x Looks(wide=False) 3 salty ('t', 'u') ['Ann', 'Bo'] 5.0 s m True\n"
    assert run("a", "--out", "x", *options) == found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a"], "Missing option '-o'"),
        (["-o", "x"], "Missing argument 'CAKE…'"),
        (["a", "-o", "x", "--eggs", "0"], "0 is not in the range x>=1"),
        (["a", "-o", "x", "--kind", "sour"], "'sour' is not one of 'sweet', 'salty'"),
        (["a", "-o", "x", "--within", "nan"], "nan is not a number of seconds greater than 0"),
        (["a", "-o", "x", "--within", "soon"], "'soon' is not a valid float"),
    ],
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
    ):
        assert line in told


def test_an_option_without_a_text_is_a_mistake() -> None:
    def silent(*, eggs: int = 1) -> None:
        """Say nothing of eggs."""

    with pytest.raises(AssertionError, match="does not spell the option of eggs"):
        command("silent")(silent)
