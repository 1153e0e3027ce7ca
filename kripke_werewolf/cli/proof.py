"""`kripke-werewolf proof check|edit|hint|expand`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import click

from kripke_werewolf.base.errors import KripkeError, Undecided
from kripke_werewolf.base.files import decoded, read_text
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.cli.declared import Given, Names, Reply, command
from kripke_werewolf.cli.output import note, write_file
from kripke_werewolf.cli.prove import Groups, declared_groups
from kripke_werewolf.logic import proofs
from kripke_werewolf.logic.proofs import NaturalProof, Proof
from kripke_werewolf.logic.proofs.declarations import named_apart
from kripke_werewolf.logic.proofs.derived import rule_named
from kripke_werewolf.logic.proofs.desk import read_desk, towards_goal
from kripke_werewolf.logic.proofs.natural import is_natural
from kripke_werewolf.logic.proofs.natural_rules import natural_rule
from kripke_werewolf.logic.proofs.text import read_with_remarks

_Proof: TypeAlias = Proof | NaturalProof


def _read(file: Path, *, logic: str | None = None, groups: Groups = ()) -> tuple[_Proof, list[str]]:
    """Return the derivation or the natural deduction in a file, and remarks on it, which are printed.

    Options:
      --logic: K, T, KD, K4, S4, K45, KD45 or S5, or one for each agent, as in "a: S5, b: KD45"; by default as
        FILE says, or S5.
    """
    text = decoded(sys.stdin.buffer.read(), "standard input") if str(file) == "-" else read_text(file)
    how: dict[str, Any] = {"logic": logic, "groups": declared_groups(groups), "source": _name(file)}
    if is_natural(text):
        return proofs.read_natural(text, **how), []
    proof, remarks = read_with_remarks(text, **how)
    note(*remarks)
    return proof, remarks


def _checked(file: Path, proof: _Proof, limit: Mapping[str, int]) -> proofs.Checked:
    """Return whether a derivation is right."""
    if isinstance(proof, NaturalProof):
        return proofs.Checked(proof.done, *(proof.flaw or (None, proof.missing)))
    try:
        return proofs.check(proof, **limit)
    except Undecided as reason:
        raise Undecided(f"{_name(file)}, {reason}") from None


def _name(file: Path) -> str:
    return "standard input" if str(file) == "-" else str(file)


_READING: Mapping[Any, str] = {_read: "logic groups"}
_LIMIT: Mapping[Any, str] = {proofs.check: "limit"}


@command("proof check", how=_READING, limit=_LIMIT)
def _check(file: Path, *, rules: Names | None = None, fill_: bool = False, how: Given, limit: Given) -> Reply:
    """Check every line of the derivation in FILE; name the first wrong line and give a hint.

    A line is a formula, two blanks, a rule and the numbers of the lines it uses:
    `4. K_a p -> K_a q   MP 2, 3`. FILE may be - for standard input. Lines at the top may name the logic, as
    in `logic: K`, and groups, as in `group G = a, b`.

    Exit code 0 if all lines are right, 1 if not, 2 if the file cannot be read, or a line was not decided
    within the limit.

    Options:
      --rules NAMES: The axioms and rules that may be cited, between commas; by default all.
      --fill: Find rules for lines without one, and print all lines.
      --limit: Stop after this many steps of the search.
    """
    proof, remarks = _read(file, **how)
    natural = isinstance(proof, NaturalProof)
    if rules:
        names = [natural_rule(name).name if natural else rule_named(name) for name in rules]
        proof = replace(proof, rules=tuple(names))
    if fill_ and isinstance(proof, Proof):
        proof = proofs.fill(proof, **limit)
    found = _checked(file, proof, limit)
    told: dict[str, Any] = {"right": found.right, "line": found.line, "reason": found.reason, "hint": ""}
    told |= {"notes": remarks, "proof": str(proof)}
    shown = f"{proof.sequent()} is shown in {proof.logic}, in {counted(len(proof), 'row')}"
    if isinstance(proof, Proof):
        told |= {"hint": proofs.hint(proof, **limit), "proof": proof.to_dict()}
        sequent = named_apart(proof)[0].sequent()
        shown = f"{sequent} is derived in {proof.logic}, in {counted(len(proof), 'line')}"
    lines = [str(proof)] if fill_ else []
    lines.append(f"right: {shown}" if found.right else f"{_name(file)}: {found}")
    if told["hint"] and not found.right:
        lines.append(f"hint: {told['hint']}")
    return Reply(lines, told, yes=found.right)


@command("proof hint", how=_READING, limit=_LIMIT)
def _hint(file: Path, *, how: Given, limit: Given) -> None:
    """Print the next row of the proof in FILE, or a hint for a wrong line of a derivation.

    Exit code 0 if there is a hint, 1 if not.

    Options:
      --limit: Stop after this many steps of the search.
    """
    proof, _ = _read(file, **how)
    context = click.get_current_context()
    if isinstance(proof, NaturalProof):
        found = proofs.natural_hint(proof)
    elif told := proofs.hint(proof, **limit):
        click.echo(told)
        return
    else:
        found = towards_goal(proof, **limit)
    click.echo(f"{found.row}\n  {found.why}" if found.row else found.why)
    context.exit(int(not found.row))


@command("proof expand", how=_READING, limit=_LIMIT)
def _expand(file: Path, *, how: Given, limit: Given) -> Reply:
    """Print the derivation in FILE in steps with axioms, without abbreviations.

    Options:
      --limit: Stop after this many steps of the search.
    """
    proof, _ = _read(file, **how)
    found = _checked(file, proof, limit)
    if not found.right:
        content = {"right": False, "line": found.line, "reason": found.reason}
        return Reply([f"{_name(file)}: {found}"], content, yes=False)
    whole = proofs.expand(proof.hilbert())
    return Reply([str(whole)], whole.to_dict())


@command("proof edit")
def _edit(file: Path) -> None:
    """Write a proof at a desk in the terminal: every line is judged as it is entered.

    FILE says what is to be derived, as in `show: K_a p -> p`, and perhaps by which rules; it is saved after
    every line. Type a line, or one of the words next (for the next line), undo, redo, rules and quit. A wrong
    line is replaced by the one after it. Exit code 0 if the goal is derived at the end, 1 if not.
    """
    from kripke_werewolf.play.console.terminal import PlainTerminal, PromptTerminal

    desk, typed = read_desk(read_text(file), source=str(file)), ""
    terminal = PromptTerminal() if sys.stdin.isatty() else PlainTerminal()
    terminal.show(desk.text.rstrip())
    if not (desk.rows or (begun := desk.hint()).row):
        terminal.show(begun.why, "refused")
    while typed != "quit":
        try:
            typed = terminal.ask("> ", ("next", "undo", "redo", "rules", "quit", *desk.palette))
            desk, told = desk.after(typed)
            terminal.show(told)
            write_file(file, desk.text)
        except KripkeError as error:
            terminal.show(str(error), "refused")
        except (EOFError, KeyboardInterrupt):
            break
    click.get_current_context().exit(int(not desk.done))
