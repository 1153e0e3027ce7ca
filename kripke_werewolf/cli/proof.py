"""`kripke-werewolf proof check|expand|export`."""

from __future__ import annotations

from pathlib import Path

import click

from kripke_werewolf.cli.output import NEW_FILE, exit_with, json_option, tell, write_file
from kripke_werewolf.cli.sources import read_text
from kripke_werewolf.errors import FormulaSyntaxError, KripkeError
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.language.logics import logic_named
from kripke_werewolf.proofs import Proof, check, derivation, expand, fill, hint, read_proof, to_metamath
from kripke_werewolf.reports.tables import counted

_file = click.argument("file", type=click.Path(path_type=Path))
_logic = click.option("--logic", help="K, T, KD, K4, S4, K45, KD45 or S5; otherwise as FILE says, or S5.")


@click.group("proof")
def proof_command() -> None:
    """Check derivations, write them in the steps of the axioms, and export them for another checker."""


@proof_command.command("check")
@_file
@_logic
@click.option("--fill", "filled", is_flag=True, help="Find rules for lines without one, and print all lines.")
@json_option
def check_command(file: Path, logic: str | None, filled: bool, as_json: bool) -> None:
    """Is every line of the derivation in FILE right? If not, name the first wrong line, and give a hint.

    A line is a formula, two blanks, a rule and the numbers of the lines it is applied to:
    `4. K_a p -> K_a q   MP 2, 3`. Exit code 0 if all lines are right, 1 if not.
    """
    proof = _read(file, logic)
    if filled:
        proof = fill(proof)
    found, help_text = check(proof), hint(proof)
    lines = [str(proof)] if filled else []
    if found.right:
        lines.append(
            f"right: {proof.conclusion} is derived in {proof.logic}, in {counted(len(proof), 'line')}"
        )
    else:
        lines += [f"{file}: {found}", f"hint: {help_text}"]
    told = {"right": found.right, "line": found.line, "reason": found.reason, "hint": help_text}
    tell(lines, told | {"proof": proof.to_dict()}, as_json=as_json)
    exit_with(found.right)


@proof_command.command("expand")
@_file
@_logic
@json_option
def expand_command(file: Path, logic: str | None, as_json: bool) -> None:
    """Print the derivation in FILE in the steps of the axioms, with all abbreviations written out."""
    proof = _read(file, logic)
    found = check(proof)
    if not found.right:
        tell(
            [f"{file}: {found}"],
            {"right": False, "line": found.line, "reason": found.reason},
            as_json=as_json,
        )
        exit_with(False)
    whole = expand(proof)
    tell([str(whole)], whole.to_dict(), as_json=as_json)


@proof_command.command("export")
@click.argument("source")
@_logic
@click.option("-o", "--output", type=NEW_FILE, help="Write to this file; otherwise print.")
def export_command(source: str, logic: str | None, output: Path | None) -> None:
    """Write a derivation as a file for the program metamath, which checks every step of it.

    SOURCE is a file with a derivation, or a formula, for which a derivation is found. Exit code 1 if a line
    is wrong, or the formula is not valid.
    """
    proof = _read(Path(source), logic) if Path(source).is_file() else _derived(source, logic)
    found = check(proof)
    if not found.right:
        click.echo(f"{source}: {found}")
        exit_with(False)
    file = to_metamath(proof)
    write_file(output, file.text)
    if output is not None:
        click.echo(f"{counted(len(proof), 'line')}, {counted(file.steps, 'step')}; check them with")
        click.echo(f'metamath "read {output}" "verify proof *" exit')


def _read(file: Path, logic: str | None) -> Proof:
    return read_proof(read_text(file), logic=logic, source=str(file))


def _derived(text: str, logic: str | None) -> Proof:
    """Return a derivation of a formula; ends the command with exit code 1 if it is not valid."""
    try:
        f = formula(text)
    except FormulaSyntaxError as error:
        raise KripkeError(f"there is no file {text!r}, and it is no formula: {error}") from None
    chosen = logic_named(logic or "S5")
    found = derivation(f, logic=chosen)
    if found is None:
        click.echo(f"not valid in {chosen}: {f}")
        exit_with(False)
    return found
