"""LaTeX to include in a document, or a document that compiles as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def included(body: Iterable[str], packages: Sequence[str], remarks: Iterable[str] = ()) -> str:
    r"""Return LaTeX with a comment on how to include it.

    >>> print(included(["$p$"], ["amsmath"]), end="")
    % include this file with \input; the preamble needs \usepackage{amsmath}
    $p$
    """
    head = rf"% include this file with \input; the preamble needs \usepackage{{{','.join(packages)}}}"
    return "\n".join([head, *(f"% {remark}" for remark in remarks), *body]) + "\n"


def standing_alone(body: Iterable[str], packages: Sequence[str], preamble: Iterable[str] = ()) -> str:
    """Return a document, with further lines in its preamble."""
    head = [r"\documentclass{article}", rf"\usepackage{{{','.join(packages)}}}", *preamble]
    return "\n".join([*head, r"\begin{document}", *body, r"\end{document}"]) + "\n"
