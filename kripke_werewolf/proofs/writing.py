"""Derivations as documents: Markdown, HTML, LaTeX and JSON; plain text is in `proofs.text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from operator import methodcaller
from typing import Any

from kripke_werewolf.errors import FormatError
from kripke_werewolf.language.logics import logic_named
from kripke_werewolf.language.names import TEX_ESCAPES
from kripke_werewolf.language.parser import parse
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.proofs.tableau import Tableau
from kripke_werewolf.reports.tables import markdown_text

FORMAT, VERSION = "kripke_werewolf derivation", 1


def to_markdown(proof: Proof) -> str:
    """Return a table of GitHub's Markdown."""
    rows = [
        f"| {n}. | {markdown_text(line.formula.unicode())} | {markdown_text(line.reason)} |"
        for n, line in enumerate(proof.lines, 1)
    ]
    return "\n".join([f"| | formula | rule ({proof.logic}) |", "| --: | :-- | :-- |", *rows])


def to_html(proof: Proof) -> str:
    """Return an HTML table."""
    rows = "".join(
        f'<tr><td style="text-align: right">{n}.</td>'
        f'<td style="text-align: left">{escape(line.formula.unicode())}</td>'
        f'<td style="text-align: left">{escape(line.reason)}</td></tr>\n'
        for n, line in enumerate(proof.lines, 1)
    )
    head = f'<tr><th></th><th scope="col">formula</th><th scope="col">rule ({proof.logic})</th></tr>'
    return f"<table>\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table>"


def to_latex(proof: Proof) -> str:
    r"""Return a `tabular` of LaTeX; long formulas are broken into lines.

    >>> from kripke_werewolf.proofs.text import read_proof
    >>> print(to_latex(read_proof("K_a p -> p   T", logic="T")))
    \begin{tabular}{r@{\quad}p{0.7\linewidth}@{\quad}l}
    1. & $K_{a} p \to p$ & T\\
    \end{tabular}
    """
    rows = [
        rf"{n}. & ${line.formula.latex()}$ & {_tex(line.reason)}\\" for n, line in enumerate(proof.lines, 1)
    ]
    head = r"\begin{tabular}{r@{\quad}p{0.7\linewidth}@{\quad}l}"
    return "\n".join([head, *rows, r"\end{tabular}"])


def _tex(text: str) -> str:
    return "".join(TEX_ESCAPES.get(c, c) for c in text).replace("->", r"$\to$")


def to_dict(proof: Proof) -> dict[str, Any]:
    """Return plain data that JSON can hold; `from_dict` reads them back."""
    lines = [
        {"formula": str(line.formula), "rule": line.rule, "refs": list(line.refs)} for line in proof.lines
    ]
    return {"format": FORMAT, "version": VERSION, "logic": proof.logic.name, "lines": lines}


def from_dict(data: Mapping[str, Any]) -> Proof:
    """Return the derivation that `to_dict` wrote; raises `FormatError` for other data.

    >>> from kripke_werewolf.proofs.text import read_proof
    >>> proof = read_proof("K_a p -> p   T", logic="T")
    >>> from_dict(to_dict(proof)) == proof
    True
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise FormatError(f"expected data with format {FORMAT!r} and version {VERSION}")
    try:
        lines = [Line(parse(x["formula"]), str(x["rule"]), tuple(map(int, x["refs"]))) for x in data["lines"]]
        return Proof(logic_named(data["logic"]), tuple(lines))
    except (KeyError, TypeError) as error:
        raise FormatError(f"the data are no derivation: {error!r}") from None


FORMATS: Mapping[str, Callable[[Proof | Tableau], str]] = {
    "text": str,
    "markdown": methodcaller("to_markdown"),
    "html": methodcaller("to_html"),
    "latex": methodcaller("to_latex"),
}
"""The formats in which derivations and tableaux are written, by name; JSON is `to_dict`."""
