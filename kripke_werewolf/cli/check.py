"""`kripke-werewolf check FILE [FORMULA…]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from kripke_werewolf.cli.sources import load
from kripke_werewolf.errors import FormatError, FormulaError
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.models.formats.smcdel import Answer, SmcdelFile, read_smcdel
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.symbolic.structure import KnowledgeStructure

__all__ = ["check_command"]


@click.command("check")
@click.argument("source")
@click.argument("formulas", nargs=-1, metavar="[FORMULA…]")
@click.option("--json", "as_json", is_flag=True, help='Print {"answers": […]} for programs.')
@click.pass_context
def check_command(ctx: click.Context, source: str, formulas: tuple[str, ...], as_json: bool) -> None:
    """Answer the queries of an SMCDEL file, and check formulas on it or on a model.

    SOURCE is a file in SMCDEL's text format (- for standard input), or, with the ending .json, a model.
    FORMULAs are in this library's own syntax; an integer atom of SMCDEL is written "1" there, in quotes.

    Exit code 0, or 1 if a FORMULA is not true at all designated worlds.
    """
    file = None if source.endswith(".json") else _read(source)
    model = _model(source) if file is None else file.structure() if formulas else None
    if file is None and not formulas:
        raise FormulaError(f"{source} is a model: give a formula to check on it")
    answers: list[Answer] = [] if file is None else file.answers()
    verdicts = [] if model is None else [model.verdict(formula(text)) for text in formulas]
    if as_json:
        click.echo(json.dumps({"answers": [*answers, *(verdict == "true" for verdict in verdicts)]}))
    else:
        for query, answer in zip(file.queries if file else (), answers, strict=True):
            click.echo(f"{query.text}: {_shown(answer)}")
        for text, verdict in zip(formulas, verdicts, strict=True):
            click.echo(f"{text}: {_said(verdict)}")
    ctx.exit(0 if all(verdict == "true" for verdict in verdicts) else 1)


def _read(source: str) -> SmcdelFile:
    if source == "-":
        return read_smcdel(sys.stdin.read(), source="standard input")
    try:
        return read_smcdel(Path(source).read_text(encoding="utf-8"), source=source)
    except UnicodeDecodeError as error:
        raise FormatError(f"{source}: not a text in UTF-8: {error.reason} at byte {error.start}") from None


def _model(source: str) -> KripkeModel | KnowledgeStructure:
    found = load(source)
    if not isinstance(found, KripkeModel):
        raise FormatError(f"{source}: the log of a game, not a model; `ask` asks about games")
    return found


def _shown(answer: Answer) -> str:
    if isinstance(answer, bool):
        return "true" if answer else "false"
    # in the order of the answer, as programs get it
    return " ".join(f"{{{', '.join(map(str, state))}}}" for state in answer) or "nowhere"


def _said(verdict: Verdict) -> str:
    return f"in {verdict.satisfied} of {verdict.total} worlds" if verdict == "mixed" else str(verdict)
