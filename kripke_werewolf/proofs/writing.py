"""Derivations as documents: Markdown, HTML, LaTeX and JSON; plain text is in `proofs.text`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import methodcaller
from typing import Any

from kripke_werewolf.errors import FormatError
from kripke_werewolf.language.logics import logic_named
from kripke_werewolf.language.names import TEX_ESCAPES
from kripke_werewolf.language.parser import parse
from kripke_werewolf.proofs.actions import named_apart, with_actions
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.proofs.tableau import Tableau
from kripke_werewolf.proofs.text import declaration, read_actions
from kripke_werewolf.reports.tables import Grid

FORMAT, VERSION = "kripke_werewolf derivation", 1


def grid(proof: Proof) -> Grid:
    """Return the table from which other formats are written."""
    apart, actions = named_apart(proof)
    rows = [(f"{n}.", line.formula.unicode(), line.reason) for n, line in enumerate(apart.lines, 1)]
    note = "; ".join(f"{name}: {_in_a_line(text)}" for name, text in actions.items())
    return Grid(("", "formula", f"rule ({proof.logic})"), tuple(rows), note, words=True)


def to_latex(proof: Proof) -> str:
    r"""Return a LaTeX `tabular`; long formulas are broken into lines.

    >>> from kripke_werewolf.proofs.text import read_proof
    >>> print(to_latex(read_proof("K_a p -> p   T", logic="T")))
    \begin{tabular}{r@{\quad}p{0.7\linewidth}@{\quad}l}
    1. & $K_{a} p \to p$ & T\\
    \end{tabular}
    """
    apart, actions = named_apart(proof)
    rows = [rf"& {_tex(name)}: {_tex(_in_a_line(text))} &\\" for name, text in actions.items()] + [
        rf"{n}. & ${line.formula.latex()}$ & {_tex(line.reason)}\\" for n, line in enumerate(apart.lines, 1)
    ]
    head = r"\begin{tabular}{r@{\quad}p{0.7\linewidth}@{\quad}l}"
    return "\n".join([head, *rows, r"\end{tabular}"])


def _in_a_line(declaration: str) -> str:
    return re.sub(r":?\n", "; ", declaration)


def _tex(text: str) -> str:
    return "".join(TEX_ESCAPES.get(c, c) for c in text).replace("->", r"$\to$")


def to_dict(proof: Proof) -> dict[str, Any]:
    """Return plain data for JSON; `from_dict` reads them back."""
    apart, actions = named_apart(proof)
    lines = [
        {"formula": str(line.formula), "rule": line.rule, "refs": list(line.refs)} for line in apart.lines
    ]
    found = {"format": FORMAT, "version": VERSION, "logic": proof.logic.name, "lines": lines}
    return found | ({"actions": actions} if actions else {})


def from_dict(data: Mapping[str, Any]) -> Proof:
    """Return the derivation written by `to_dict`; raises `FormatError` for other data.

    >>> from kripke_werewolf.proofs.text import read_proof
    >>> proof = read_proof("K_a p -> p   T", logic="T")
    >>> from_dict(to_dict(proof)) == proof
    True
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise FormatError(f"expected data with format {FORMAT!r} and version {VERSION}")
    try:
        declared = [declaration(str(name), str(told)) for name, told in data.get("actions", {}).items()]
        actions = read_actions("\n".join(declared), source="the actions of the derivation")
        lines = [
            Line(with_actions(parse(x["formula"]), actions), str(x["rule"]), tuple(map(int, x["refs"])))
            for x in data["lines"]
        ]
        return Proof(logic_named(data["logic"]), tuple(lines))
    except (AttributeError, KeyError, TypeError) as error:
        raise FormatError(f"the data are not a derivation: {error!r}") from None


FORMATS: Mapping[str, Callable[[Proof | Tableau], str]] = {
    "text": str,
    "markdown": methodcaller("to_markdown"),
    "html": methodcaller("to_html"),
    "latex": methodcaller("to_latex"),
}
"""The formats of derivations and tableaux, by name; JSON is `to_dict`."""
