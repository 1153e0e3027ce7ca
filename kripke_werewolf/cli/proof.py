"""`kripke-werewolf proof check|edit|hint|expand`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from kripke_werewolf.cli.declared import AsJson, Names, command
from kripke_werewolf.cli.output import WholeHelps, exit_with, note, tell, write_file
from kripke_werewolf.cli.prove import Groups, Limit, declared_groups
from kripke_werewolf.deciding.decision import DEFAULT_STEPS
from kripke_werewolf.errors import KripkeError, Undecided
from kripke_werewolf.files import decoded, read_text
from kripke_werewolf.proofs import (
    Checked,
    NaturalProof,
    Proof,
    check,
    expand,
    fill,
    hint,
    natural_hint,
    read_natural,
)
from kripke_werewolf.proofs.declarations import named_apart
from kripke_werewolf.proofs.derived import rule_named
from kripke_werewolf.proofs.desk import Desk, read_desk, towards_goal
from kripke_werewolf.proofs.natural import is_natural
from kripke_werewolf.proofs.natural_rules import natural_rule
from kripke_werewolf.proofs.text import read_with_remarks
from kripke_werewolf.reports.tables import counted

_Logic = Annotated[
    str | None,
    '--logic: K, T, KD, K4, S4, K45, KD45 or S5, or one for each agent, as in "a: S5, b: KD45"; by default '
    "as FILE says, or S5.",
]


class _Read(NamedTuple):
    """How derivations are read and checked."""

    logic: _Logic = None
    groups: Groups = ()
    limit: Limit = DEFAULT_STEPS

    def proof(self, file: Path) -> tuple[Proof | NaturalProof, list[str]]:
        """Return the derivation or the natural deduction in a file, and print remarks on it."""
        text = decoded(sys.stdin.buffer.read(), "standard input") if str(file) == "-" else read_text(file)
        groups = declared_groups(self.groups)
        if is_natural(text):
            return read_natural(text, logic=self.logic, groups=groups, source=_name(file)), []
        proof, remarks = read_with_remarks(text, logic=self.logic, groups=groups, source=_name(file))
        note(*remarks)
        return proof, remarks

    def checked(self, file: Path, proof: Proof | NaturalProof) -> Checked:
        """Return whether a derivation is right."""
        if isinstance(proof, NaturalProof):
            return Checked(proof.done, *(proof.flaw or (None, proof.missing)))
        try:
            return check(proof, limit=self.limit)
        except Undecided as reason:
            raise Undecided(f"{_name(file)}, {reason}") from None

    def require_right(self, file: Path, proof: Proof | NaturalProof, *, as_json: bool = False) -> Proof:
        """Return a derivation; end the command with exit code 1 if a line is wrong, and print which."""
        found = self.checked(file, proof)
        if not found.right:
            told = {"right": False, "line": found.line, "reason": found.reason}
            tell([f"{_name(file)}: {found}"], told, as_json=as_json)
            exit_with(False)
        return proof.hilbert()


def _name(file: Path) -> str:
    return "standard input" if str(file) == "-" else str(file)


@click.group("proof", cls=WholeHelps)
def proof_command() -> None:
    """Write and check derivations, expand them into steps with axioms, export them for another checker."""


@command("check", of=proof_command)
def proof_check_command(
    file: Path, *, read: _Read, rules: Names | None = None, fill_: bool = False, as_json: AsJson = False
) -> None:
    """Check every line of the derivation in FILE; name the first wrong line and give a hint.

    A line is a formula, two blanks, a rule and the numbers of the lines it uses:
    `4. K_a p -> K_a q   MP 2, 3`. FILE may be - for standard input. Lines at the top may name the logic, as
    in `logic: K`, and groups, as in `group G = a, b`.

    Exit code 0 if all lines are right, 1 if not, 2 if the file cannot be read, or a line was not decided
    within the limit.

    Options:
      --rules NAMES: The axioms and rules that may be cited, between commas; by default all.
      --fill: Find rules for lines without one, and print all lines.
    """
    proof, remarks = read.proof(file)
    natural = isinstance(proof, NaturalProof)
    if rules:
        names = [natural_rule(name).name if natural else rule_named(name) for name in rules]
        proof = replace(proof, rules=tuple(names))
    if fill_ and isinstance(proof, Proof):
        proof = fill(proof, limit=read.limit)
    found = read.checked(file, proof)
    help_text = "" if isinstance(proof, NaturalProof) else hint(proof, limit=read.limit)
    lines = [str(proof)] if fill_ else []
    if found.right:
        what, unit = ("shown", "row") if natural else ("derived", "line")
        derived = (named_apart(proof)[0] if isinstance(proof, Proof) else proof).sequent()
        lines.append(f"right: {derived} is {what} in {proof.logic}, in {counted(len(proof), unit)}")
    else:
        lines += [f"{_name(file)}: {found}", *([f"hint: {help_text}"] if help_text else [])]
    told = {"right": found.right, "line": found.line, "reason": found.reason, "hint": help_text}
    data = str(proof) if isinstance(proof, NaturalProof) else proof.to_dict()
    tell(lines, told | {"notes": remarks, "proof": data}, as_json=as_json)
    exit_with(found.right)


@command("hint", of=proof_command)
def proof_hint_command(file: Path, *, read: _Read) -> None:
    """Print the next row of the proof in FILE, or a hint for a wrong line of a derivation.

    Exit code 0 if there is a hint, 1 if not.
    """
    proof, _ = read.proof(file)
    if isinstance(proof, NaturalProof):
        found = natural_hint(proof)
    elif told := hint(proof, limit=read.limit):
        click.echo(told)
        exit_with(True)
    else:
        found = towards_goal(proof, limit=read.limit)
    click.echo(f"{found.row}\n  {found.why}" if found.row else found.why)
    exit_with(bool(found.row))


@command("expand", of=proof_command)
def expand_command(file: Path, *, read: _Read, as_json: AsJson = False) -> None:
    """Print the derivation in FILE in steps with axioms, without abbreviations."""
    proof, _ = read.proof(file)
    whole = expand(read.require_right(file, proof, as_json=as_json))
    tell([str(whole)], whole.to_dict(), as_json=as_json)


@command("edit", of=proof_command)
def proof_edit_command(file: Path) -> None:
    """Write a proof at a desk in the terminal: every line is judged as it is entered.

    FILE says what is to be derived, as in `show: K_a p -> p`, and perhaps by which rules; it is saved after
    every line. Type a line, or one of the words next (for the next line), undo, redo, rules and quit. A wrong
    line is replaced by the one after it. Exit code 0 if the goal is derived at the end, 1 if not.
    """
    from kripke_werewolf.console.terminal import PlainTerminal, PromptTerminal

    desk, typed = read_desk(read_text(file), source=str(file)), ""
    terminal = PromptTerminal() if sys.stdin.isatty() else PlainTerminal()
    terminal.show(desk.text.rstrip())
    while typed != "quit":
        try:
            typed = terminal.ask("> ", ("next", "undo", "redo", "rules", "quit"), [*desk.palette])
            desk, told = _at_desk(desk, typed)
            terminal.show(told)
            write_file(file, desk.text)
        except KripkeError as error:
            terminal.show(str(error), "refused")
        except (EOFError, KeyboardInterrupt):
            break
    exit_with(desk.done)


def _at_desk(desk: Desk, typed: str) -> tuple[Desk, str]:
    """Return the desk after what was typed, and what to print."""
    match typed:
        case "undo" | "redo":
            after = desk.undo() if typed == "undo" else desk.redo()
            return after, after.text.rstrip()
        case "next":
            hinted = desk.hint()
            return desk, f"{hinted.why}\n{hinted.row}".rstrip()
        case "rules":
            return desk, "\n".join(f"{name}: {text}" for name, text in desk.palette.items())
        case "quit":
            return desk, ""
    after = desk.typed(typed)
    judged = after.judged[-1]
    told = "right" if judged.right else f"wrong: {judged.reason}"
    return after, f"{told}; {after.sheet.sequent()} is derived" if after.done else told
