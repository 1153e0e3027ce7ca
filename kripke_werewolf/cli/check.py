"""The command `check`: SMCDEL's files, and formulas about them or about a model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kripke_werewolf.cli.declared import Reply, command
from kripke_werewolf.cli.output import in_words
from kripke_werewolf.cli.sources import load_model
from kripke_werewolf.errors import FormulaError
from kripke_werewolf.files import read_text

if TYPE_CHECKING:
    from kripke_werewolf.models import KripkeModel
    from kripke_werewolf.models.formats.smcdel import Answer as SmcdelAnswer
    from kripke_werewolf.symbolic import KnowledgeStructure


@command("check")
def _check(source: str, formulas: tuple[str, ...] = ()) -> Reply:
    """Answer the queries of an SMCDEL file, and evaluate formulas on it or on a model.

    SOURCE is a file in SMCDEL's text format (- for standard input), or, with the ending .json, a model.
    FORMULAs have the syntax of this library, where SMCDEL's atom 1 is written "1", in quotes.

    Exit code 0, or 1 if a FORMULA is not true at all designated worlds.
    """
    model: KripkeModel | KnowledgeStructure | None = None
    answered: list[tuple[str, SmcdelAnswer]] = []
    if source.endswith(".json"):
        model = load_model(source)
        if not formulas:
            raise FormulaError(f"{source} is a model: give a formula to check on it")
    else:
        from kripke_werewolf.models import read_smcdel

        if source == "-":
            file = read_smcdel(sys.stdin.read(), source="standard input")
        else:
            file = read_smcdel(read_text(source), source=source)
        answered = [(q.text, answer) for q, answer in zip(file.queries, file.answers(), strict=True)]
        if formulas:
            model = file.structure()
    verdicts = [(text, model.verdict(text)) for text in formulas if model is not None]
    true = [verdict == "true" for _, verdict in verdicts]
    lines = [f"{text}: {_answer_text(answer)}" for text, answer in answered]
    lines += [f"{text}: {in_words(verdict, yes='true', no='false')}" for text, verdict in verdicts]
    content = {"answers": [*(answer for _, answer in answered), *true]}
    return Reply(lines, content, yes=all(true), indent=None)


def _answer_text(answer: SmcdelAnswer) -> str:
    if isinstance(answer, bool):
        return "true" if answer else "false"
    # in the order of the answer, as programs get it
    return " ".join(f"{{{', '.join(map(str, state))}}}" for state in answer) or "nowhere"
