"""The command `check`: SMCDEL's files, and formulas about them or about a model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kripke_werewolf.cli.declared import command
from kripke_werewolf.cli.output import exit_with, in_words, tell
from kripke_werewolf.cli.sources import load_model
from kripke_werewolf.errors import FormulaError
from kripke_werewolf.files import read_text

if TYPE_CHECKING:
    from kripke_werewolf.models import KripkeModel
    from kripke_werewolf.symbolic import KnowledgeStructure, SmcdelFile
    from kripke_werewolf.symbolic.smcdel import Answer as SmcdelAnswer


@command("check")
def check_command(source: str, formulas: tuple[str, ...] = (), *, json: bool = False) -> None:
    """Answer the queries of an SMCDEL file, and evaluate formulas on it or on a model.

    SOURCE is a file in SMCDEL's text format (- for standard input), or, with the ending .json, a model.
    FORMULAs have the syntax of this library, where SMCDEL's atom 1 is written "1", in quotes.

    Exit code 0, or 1 if a FORMULA is not true at all designated worlds.

    Options:
      --json: Print {"answers": […]} for other programs.
    """
    model: KripkeModel | KnowledgeStructure | None = None
    answered: list[tuple[str, SmcdelAnswer]] = []
    if source.endswith(".json"):
        model = load_model(source)
        if not formulas:
            raise FormulaError(f"{source} is a model: give a formula to check on it")
    else:
        file = _read_smcdel(source)
        answered = [(q.text, answer) for q, answer in zip(file.queries, file.answers(), strict=True)]
        if formulas:
            model = file.structure()
    verdicts = [(text, model.verdict(text)) for text in formulas] if model is not None else []
    true = [verdict == "true" for _, verdict in verdicts]
    lines = [f"{text}: {_answer_text(answer)}" for text, answer in answered]
    lines += [f"{text}: {in_words(verdict, yes='true', no='false')}" for text, verdict in verdicts]
    tell(lines, {"answers": [*(answer for _, answer in answered), *true]}, as_json=json, indent=None)
    exit_with(all(true))


def _read_smcdel(source: str) -> SmcdelFile:
    from kripke_werewolf.symbolic import read_smcdel

    if source == "-":
        return read_smcdel(sys.stdin.read(), source="standard input")
    return read_smcdel(read_text(source), source=source)


def _answer_text(answer: SmcdelAnswer) -> str:
    if isinstance(answer, bool):
        return "true" if answer else "false"
    # in the order of the answer, as programs get it
    return " ".join(f"{{{', '.join(map(str, state))}}}" for state in answer) or "nowhere"
