"""`kripke-werewolf prove FORMULA`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from kripke_werewolf.base.errors import FormulaError, Undecided, UnknownActionError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.reader import whole
from kripke_werewolf.cli.declared import Given, NewFile, Pairs, Reply, Words, command
from kripke_werewolf.cli.output import note
from kripke_werewolf.logic.deciding.decision import Decision, decide_validity
from kripke_werewolf.logic.deciding.schemas import read_schema, without_prefix
from kripke_werewolf.logic.formulas.operators import Act, Dynamic
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.notation.reading import understand

if TYPE_CHECKING:
    from kripke_werewolf.logic.proofs import Proof, Tableau
    from kripke_werewolf.logic.semantics.action import ActionModel

Groups = Annotated[Pairs, "--group G=a,b: Let G in C_G, E_G and D_G stand for these agents; may be repeated."]
_FORMATS: dict[str, Callable[[Proof | Tableau], str]] = {"text": str}
_FORMATS |= {form: methodcaller(f"to_{form}") for form in ("markdown", "html", "latex")}


def declared_groups(pairs: Pairs) -> dict[str, list[str]]:
    """Return the groups that are declared on the command line, such as `G=a,b`; raises `FormatError`."""
    groups = ((name, whole(members or ",", f"--group {name}").names()) for name, members in pairs)
    return {name: [member.text for member in members] for name, members in groups}


def _read_argument(text: str, groups: Pairs, file: Path | None) -> tuple[Formula, frozenset[str], list[str]]:
    """Return a formula given on the command line, its schematic letters, and remarks on its notation.

    Actions in the file take the places of their names; raises `UnknownActionError` for others.
    """
    declared = declared_groups(groups)
    read, letters = read_schema(text, groups=declared)
    remarks = understand(without_prefix(text), agents=(), groups=declared).remarks
    actions: Mapping[str, ActionModel] = {}
    if file is not None:
        from kripke_werewolf.logic.proofs.declarations import read_actions, with_actions

        actions = read_actions(read_text(file), groups=declared, source=str(file))
        read = with_actions(read, actions)
    for node in read.subformulas():
        if isinstance(node, Dynamic) and isinstance(node.update, Act) and node.update.model is None:
            name = node.update.name
            where = "a file for the option --actions" if file is None else str(file)
            advice = f"write [!{name}] to announce it, or declare it in {where}"
            raise UnknownActionError(name, actions, place=f"the formula; {advice}")
    return read, letters, remarks


@command("prove", how={decide_validity: "logic limit"})
def _prove(
    formula: str,
    *,
    groups: Groups = (),
    actions: Path | None = None,
    proof: bool = False,
    tableau_: bool = False,
    format: Annotated[str, click.Choice(list(_FORMATS))] = "text",
    draw: NewFile | None = None,
    given: Words = (),
    how: Given,
) -> Reply:
    """Decide whether FORMULA is valid, that is, true in all models of the logic; if not, print a
    counter-model.

    The letters φ, ψ and χ, and all atoms after the prefix "schema:", stand for any formulas. Operators
    without an index, as in Kp and C p, are about the agents that FORMULA names, or else about a, and for
    groups about a and b.

    Formulas with probabilities or Kv are not decided.

    A derivation uses the axioms of the logic and derived rules; `kripke-werewolf proof` checks and expands
    derivations in files.

    Exit code 0 if it is valid, 1 if not, 2 if it was not decided within the limit.

    Options:
      --actions: Read the action models named in FORMULA from this file, written as in derivations.
      --limit: Stop after this many steps of the search.
      --logic: K, T, KD, K4, S4, K45, KD45, S5, KB, KDB, KTB, KD4, K5, KD5 or KB5, or for each agent, as in
        "a: S5, others: K".
      --given: A formula that is assumed to be true at every world. May be repeated.
      --proof: If it is valid, print a derivation.
      --tableau: If it is valid, print a closed tableau.
      --format: The format of a derivation, which it prints without --proof, or a tableau.
      -o, --draw: Draw the counter-model to this file.
    """
    read, letters, remarks = _read_argument(formula, groups, actions)
    assumed = [_read_argument(text, groups, actions) for text in given]
    letters = letters.union(*(more for _, more, _ in assumed))
    found = decide_validity(read, letters=letters, given=[f for f, _, _ in assumed], **how)
    remarks += _about_schema(found, how)
    evidence: dict[str, Proof | Tableau] = {}
    limit = {name: value for name, value in how.items() if name == "limit"}
    if found.answer and (proof or (format != "text" and not tableau_)):
        evidence |= _evidence("proof", found, limit)
    if found.answer and tableau_:
        evidence |= _evidence("tableau", found, limit)
    lines = [str(found), found.as_read()]
    if found.model is not None:
        lines.insert(1, "")
    lines += [line for shown in evidence.values() for line in ("", _FORMATS[format](shown))]
    note(*remarks)
    if draw is not None and found.model is None:
        note(f"{draw} is not written: there is no counter-model; --format latex prints a proof")
    elif draw is not None:
        from visualise import save

        save(found.model, draw, title=f"counter-model in {found.logic}: {found.formula.unicode()}")
    told = {name: shown.to_dict() for name, shown in evidence.items()}
    return Reply(lines, found.to_dict() | {"notes": remarks} | told, yes=found.answer)


def _evidence(name: str, found: Decision, limit: Mapping[str, int]) -> dict[str, Proof | Tableau]:
    """Return a derivation or a tableau of a valid formula, by its name; print the reason if there is none."""
    from kripke_werewolf.logic.proofs import derivation, tableau
    from kripke_werewolf.logic.proofs.systems import with_greek_letters

    finders: dict[str, Callable[..., Proof | Tableau | None]] = {"proof": derivation, "tableau": tableau}
    try:
        shown = finders[name](with_greek_letters(found.formula, found.letters), logic=found.logic, **limit)
    except (FormulaError, Undecided) as reason:
        note(f"no {finders[name].__name__}: {reason}")
        return {}
    return {} if shown is None else {name: shown}


def _about_schema(found: Decision, how: Mapping[str, Any]) -> Iterator[str]:
    """Yield a remark if a formula is valid for its atoms, and is not valid as a schema."""
    updates = any(isinstance(f, Dynamic) for f in found.formula.subformulas())
    if found.answer and updates and not found.letters:
        try:
            schema = decide_validity(found.formula, letters=found.formula.atoms, **how)
        except (FormulaError, Undecided):
            return
        if schema.values:
            put = ", ".join(f"{value} for {letter}" for letter, value in schema.values.items())
            yield f"valid for atoms, but not for all formulas: with {put}, {schema.instance} is not valid"
