"""`kripke-werewolf ask SOURCE FORMULA…`."""

from __future__ import annotations

import json
import re
from typing import Any

import click

from kripke_werewolf.cli.knowledge import knowledge_command
from kripke_werewolf.cli.sources import load
from kripke_werewolf.errors import KripkeError
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.questions import Answer

__all__ = ["ask_command"]

_WHO = re.compile(r"\s*who\s+knows\s+(?:that\s+|whether\s+)?(.*?)\s*\??\s*", re.IGNORECASE)


@click.command("ask")
@click.argument("source")
@click.argument("formulas", nargs=-1, required=True, metavar="FORMULA…")
@click.option(
    "--at", metavar="WORLD", help="Ask at this world of a model; by default at all designated ones."
)
@click.option("--explain", is_flag=True, help="Say why.")
@click.option("--since", is_flag=True, help="Of a game: say since which event, and which events suffice.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "explicit", "symbolic"]),
    default="auto",
    help="How to answer about a game; by default as its size demands.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_context
def ask_command(
    ctx: click.Context,
    source: str,
    formulas: tuple[str, ...],
    at: str | None,
    explain: bool,
    since: bool,
    engine: Any,
    as_json: bool,
) -> None:
    """Ask formulas about the game or model in the file SOURCE.

    A game is the log that `play` writes (JSON lines), a model a JSON file. In a game players go by name
    or number: "K_2 wolf_4", "K_Ann wolf_Di". A question may have a hole: "who knows wolf_4?".

    Exit code 0 if every formula is true (in all worlds that may be the actual one), 1 if not.
    """
    found = load(source)
    holes = [m for text in formulas if (m := _WHO.fullmatch(text))]
    if holes and isinstance(found, QuantumWerewolf):
        if len(formulas) > 1:
            raise KripkeError("ask one question with a hole at a time")
        ctx.invoke(knowledge_command, log=source, about=holes[0][1], as_json=as_json)
        return
    asked = [formula(text) for text in formulas]
    if isinstance(found, KripkeModel):
        if since:
            raise KripkeError("--since is about games: a model has no events")
        if at is not None:
            found = found.point({str(name): name for name in found.worlds}.get(at, at))
        answers = [Answer(f, found.verdict(f), found) for f in asked]
    else:
        if at is not None:
            raise KripkeError("--at is about models: in a game, ask about all surviving worlds")
        answers = [found.ask(f, engine=engine) for f in asked]
    reports = [_report(found, a, explain=explain, since=since) for a in answers]
    if as_json:
        click.echo(json.dumps(reports, indent=2, ensure_ascii=False))
    else:
        for report in reports:
            click.echo(_in_words(report, alone=len(reports) == 1))
    ctx.exit(0 if all(answer.holds for answer in answers) else 1)


def _report(
    source: QuantumWerewolf | KripkeModel, answer: Answer, *, explain: bool, since: bool
) -> dict[str, Any]:
    verdict: Verdict = answer.verdict
    report: dict[str, Any] = {
        "formula": str(answer.formula),
        "verdict": str(verdict),
        "worlds": verdict.total,
        "satisfied": verdict.satisfied,
        "answer": str(answer),
    }
    if explain:
        report["because"] = str(answer.explain())
    if since and isinstance(source, QuantumWerewolf):
        held = source.since(answer.formula)
        report["since"] = held and {
            "event": held.number,
            "what": held.event,
            "sufficient": list(held.sufficient),
        }
    return report


def _in_words(report: dict[str, Any], *, alone: bool) -> str:
    text = str(report["answer"]) if alone else f"{report['formula']}: {report['answer']}"
    if "since" in report:
        held = report["since"]
        if held is None:
            text += ", it does not hold now"
        elif held["event"] == 0:
            text += ", since the start"
        else:
            text += f", since event {held['event']}: {held['what']}"
            others = [str(n) for n in held["sufficient"] if n != held["event"]]
            if held["event"] not in held["sufficient"] or others:
                listed = ", ".join(map(str, held["sufficient"])) or "none"
                text += f"\nevents that suffice: {listed}"
    if "because" in report:
        text += f"\n{report['because']}"
    return text
