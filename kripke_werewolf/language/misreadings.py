"""Notation that is often written and means something else here, with the spelling that was probably meant.

Errors and the remarks of `prove` take their suggestions from here. A suggestion for a text is made only
if it can be read; names are compared with the operators that they look like.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import atom_text, group_text, single_letters

_OPERAND = r"(?=[\w(~¬!\[<⟨□◇\\-])"
_BETWEEN = r"(?<=[\w)'}])\s*"


def guesses(text: str) -> Iterator[str]:
    """Yield how a text that is no formula may have been meant: by one correction, or else by all of them."""
    letters = single_letters()
    corrected = text
    for pattern, replacement in _corrections(letters):
        single = re.sub(pattern, replacement, text)
        if single != text:
            yield single.strip()
        corrected = re.sub(pattern, replacement, corrected)
    if corrected != text:
        yield corrected.strip()


def _corrections(letters: str) -> list[tuple[str, str]]:
    return [
        # K(a, p), C(a, b, p); K[a] p, K{a} p
        (rf"\b([{letters}]w?)\s*\(\s*(\w+)\s*,\s*([\w']+)\s*\)", r"\1_\2 \3"),
        (rf"\b([{letters}]w?)\s*\(\s*(\w+(?:\s*,\s*\w+)+)\s*,\s*([\w']+)\s*\)", r"\1_{\2} \3"),
        (rf"\b([{letters}]w?)\s*\(\s*(\w+)\s*,", r"\1_\2 ("),
        (rf"\b([{letters}]w?)\s*[\[{{]\s*(\w+)\s*[\]}}]\s*", r"\1_\2 "),
        # K_a,b p and C_a,b p
        (r"\b[KBM]_(\w+(?:\s*,\s*\w+)+)", r"E_{\1}"),
        (rf"\b([{letters}]w?)_(\w+(?:\s*,\s*\w+)+)", r"\1_{\2}"),
        # Ka p, K a p, K_ap
        (rf"\b([{letters}]w?)\s?([a-zA-Z]|\d+)\s+{_OPERAND}", r"\1_\2 "),
        (rf"\b([{letters}]w?)_([a-z]|\d+)([p-s])\b", r"\1_\2 \3"),
        # [p!]q, <p!>q, [p & q]r
        (r"\[([^\[\]!?]+)!\s*\]", r"[!\1]"),
        (r"<([^<>!?-]+)!\s*>", r"<!\1>"),
        (r"\[([^\[\]!?:]+)\]", r"[!\1]"),
        (r"<([^<>!?:=-]+)>", r"<!\1>"),
        # other signs
        (rf"{_BETWEEN}(?:\bv\b|\\/)\s*{_OPERAND}", " | "),
        (rf"{_BETWEEN}/\\\s*{_OPERAND}", " & "),
        (rf"{_BETWEEN}==?(?![=>])\s*{_OPERAND}", " <-> "),
        (r"^\s*([^<>]+?)\s*<-+(?!>)\s*([^<>]+?)\s*$", r"\2 -> \1"),
        (r"\bknows\s+(?!that\b|whether\b)", "knows that "),
        (r"\b(AND|OR|XOR|NOT|IFF|IMPLIES)\b", lambda found: found[0].lower()),  # type: ignore[list-item]
    ]


def meant_by_atom(name: str) -> str | None:
    """Return the formula that the name of an atom looks like.

    >>> meant_by_atom("Kap"), meant_by_atom("pvq"), meant_by_atom("T"), meant_by_atom("wolf_2")
    ('K_a p', 'p | q', 'true', None)
    """
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if found := re.fullmatch(rf"([{single_letters()}]w?)_?([a-o]|\d)_?([pqr]'*)", name):
        return f"{found[1]}_{found[2]} {found[3]}"
    if found := re.fullmatch(r"([p-t])[vV]([p-t])", name):
        return f"{found[1]} | {found[2]}"
    if name in single_letters():
        return f"{name}_a …"
    return None


_CONSTANTS = {
    **dict.fromkeys(("T", "True", "TRUE"), "true"),
    **dict.fromkeys(("F", "False", "FALSE"), "false"),
}


def meant_by_agent(name: str, known: Collection[str] = ()) -> str | None:
    """Return the group, or the operators, that the name of an agent looks like.

    A group is one of the agents known, or, if there are none, of letters or digits in ascending order.

    >>> meant_by_agent("ab"), meant_by_agent("ba", ["a", "b"]), meant_by_agent("aK_b"), meant_by_agent("Bo")
    ('{a,b}', '{a,b}', 'a K_b', None)
    """
    if found := re.match(rf"(\w+?)([{single_letters()}]w?_)(?=\w)", name):
        return f"{found[1]} {name[found.start(2) :]}"
    if len(name) < 2 or name in known:
        return None
    if set(name) <= {*known} if known else re.fullmatch(r"a?b?c?d?e?|i?j?k?|1?2?3?4?5?", name):
        return group_text(tuple(sorted(name)))
    return None


def doubtful_names(f: Formula) -> Iterator[str]:
    """Yield a remark about each name of a formula that looks like something else.

    >>> from kripke_werewolf.language.parser import parse
    >>> print(*doubtful_names(parse("Kap -> C_{ab} q | C_G q")), sep="\\n")
    Kap is read as an atom; did you mean K_a p?
    ab is read as one agent; did you mean {a,b}?
    G is read as one agent; a group is declared as in --group G=a,b or parse(…, groups={"G": ["a", "b"]})
    """
    for atom in sorted(f.atoms):
        if meant := meant_by_atom(atom):
            yield f"{atom_text(atom)} is read as an atom; did you mean {meant}?"
    for agent in sorted(f.agents):
        if meant := meant_by_agent(agent):
            yield f"{agent} is read as one agent; did you mean {meant}?"
    alone = {
        node.label[0] for node in f.subformulas() if isinstance(node, s.OfGroup) and len(node.label) == 1
    }
    for name in sorted(alone):
        if re.fullmatch(r"[A-Z]", name):
            said = f'--group {name}=a,b or parse(…, groups={{"{name}": ["a", "b"]}})'
            yield f"{name} is read as one agent; a group is declared as in {said}"
