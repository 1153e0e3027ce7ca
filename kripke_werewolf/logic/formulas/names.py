"""Notation of the names of atoms and agents, and names that look like other notation.

Any nonempty string may be a name. Plain names (`wolf_2`, `0a`, `p'`) are written as they are; others need
braces (`K_{Mary Ann}`, `wolf_{Mary Ann}`) or quotes (`"2nd floor"`), in LaTeX `\\text{2nd floor}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator

from kripke_werewolf.base.reader import QUOTED, read_names, unquoted
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, read_off

_PLAIN = re.compile(r"\w[\w']*")
_INDEX = re.compile(r'[^{}"\\\n\r_]+')
_MEMBER = re.compile(r'[^{}",:#\\\n\r]+')

_TEX_BODY = r"\{((?:[^{}\\]|\\[^a-zA-Z]|\\[a-zA-Z]+\{\})*)\}"
_TEX_FONT = r"\\(?:text|mathit|mathrm|mathsf)"
_TEX_NAME = re.compile(_TEX_FONT + _TEX_BODY + r"(?:_(?:(\w)|\{([^{}\\]*)\}|\{\\text" + _TEX_BODY + r"\}))?")
_TEX_MEMBER = re.compile(rf"{QUOTED}|{_TEX_FONT}{_TEX_BODY}")
TEX_ESCAPES = {c: "\\" + c for c in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
"""The LaTeX form of the characters with a special meaning in it."""
GREEK_ALPHABET = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)
GREEK = dict(zip(GREEK_ALPHABET, "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
del GREEK["omicron"]  # LaTeX has no such command
GREEK |= {"varepsilon": "ε", "vartheta": "θ", "varphi": "φ"}
"""The Greek letters by their LaTeX names; variants of a letter are the same letter."""
SCHEMATIC = re.compile(r"[φϕψχ](?:_\w+|\d*)'*")
"""Names of schematic letters, which stand for any formula in queries about validity."""
GREEK_LETTERS = "".join(sorted({*GREEK.values(), "ς", "ϕ", "ο"}))
_TEX_LETTERS = {letter: name for name, letter in GREEK.items()}
GREEK_TOKEN = (
    rf"\\(?:{'|'.join(sorted(GREEK, key=len, reverse=True))})(?![a-zA-Z])(?:_(?:\w|\{{[^{{}}\\]*\}}))?'*"
)
"""A Greek letter in LaTeX, with or without an index."""
PLAIN_INDEX = re.compile(rf"[^\W{GREEK_LETTERS}]+|[{GREEK_LETTERS}]\w*")
"""An agent's name as an index without braces: `K_aφ` is K_a φ, so no Greek letter follows others."""
QUANTIFIED = {
    "everyone": ("everyone", "everybody"),
    "each": ("each", "all"),
    "someone": ("someone", "somebody", "anyone", "anybody"),
    "nobody": ("nobody", "none"),
    "unclear": ("both", "neither", "one", "who", "which"),
}
"""Words for all, for some, for none or for a certain number of the agents: names of none unless quoted."""
_TEX_WORDS = {escape: c for c, escape in TEX_ESCAPES.items() if escape.endswith("{}")}


def spellings(kind: type[Formula]) -> list[s.Spelling]:
    """Return the signs of an operator: one, or one per kind."""
    several = getattr(kind, "spellings", None)
    return [kind.spelling] if several is None else list(several.values())  # type: ignore[attr-defined]


@read_off
def reserved(operators: tuple[type[Formula], ...]) -> frozenset[str]:
    """Return the words that are operators and cannot name an atom without quotes."""
    plain = [kind for kind in operators if not issubclass(kind, indexed())]
    signs = [sign for kind in plain for sign in spellings(kind)]
    words = {word for sign in signs for word in (sign.ascii, *sign.also)}
    return frozenset(word for word in words if word.isalpha()) | {"knows", "oneof"}


def indexed() -> tuple[type[Formula], ...]:
    """Return the forms of operators that are written with an index: K_a, C_{a,b}, Kv_a, P_a."""
    return s.OfAgent, s.OfGroup, s.KnowsValue, s.Probability


@read_off
def _operator(operators: tuple[type[Formula], ...]) -> re.Pattern[str]:
    letters = [k for kind in operators if issubclass(kind, indexed()) for k in spellings(kind)]
    plain = {word for sign in letters for word in (sign.ascii, *sign.also) if word.isalnum()}
    return re.compile(rf"(?:{'|'.join(sorted(plain))})_\w")


@read_off
def _single_letters(operators: tuple[type[Formula], ...]) -> str:
    """Return the letters that are operators of an agent or a group: K, B, M, E, C, D."""
    modal = [k for kind in operators if issubclass(kind, (s.OfAgent, s.OfGroup)) for k in spellings(kind)]
    letters = {w for sign in modal for w in (sign.ascii, *sign.also) if re.fullmatch("[A-Z]", w)}
    return "".join(sorted(letters))


@read_off
def run_together(operators: tuple[type[Formula], ...]) -> re.Pattern[str]:
    """Return the pattern of a word that is operators of one letter and an atom: `Kp`, `KKp_1`, `Cφ`.

    The atoms are p, q, r and Greek letters, with a number or primes, so that few names look like this.
    """
    index = r"(?:_?\d+|_\{\s*\d+\s*\})?'*"
    return re.compile(rf"([{_single_letters()}]+)([pqr{GREEK_LETTERS}]{index})(?![\w'])")


def _is_plain(name: str) -> bool:
    # `K_a` and `Kp` would be read as operators, `12` as a number, `not'` as a negation
    return (
        _PLAIN.fullmatch(name) is not None
        and run_together().fullmatch(name) is None
        and not name.isdecimal()
        and name.partition("'")[0] not in reserved()
        and _operator().match(name) is None
    )


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def atom_text(name: str) -> str:
    """Return the name of an atom (or action) in the notation of the grammar.

    >>> atom_text("wolf_2"), atom_text("wolf_Mary Ann"), atom_text("12")
    ('wolf_2', 'wolf_{Mary Ann}', '"12"')
    """
    if _is_plain(name):
        return name
    stem, _, index = name.partition("_")
    if _is_plain(stem) and _is_plain(stem + "_x") and _INDEX.fullmatch(index) and index.strip() == index:
        return f"{stem}_{{{index}}}"
    return _quoted(name)


def read_name(token: str) -> str:
    r"""Return the name denoted by a token of the grammar (plain, braced, quoted, LaTeX).

    >>> read_name(r"wolf_{4}"), read_name(r"\mathit{wolf}_{4}"), read_name(r"\text{100\%}")
    ('wolf_4', 'wolf_4', '100%')

    Raises `ValueError` for a quoted name with a wrong escape, and for an empty name.
    """
    if token.startswith('"'):
        name = unquoted(token)
    elif found := re.match(r"\\([a-z]+)(?=[_']|$)", token):
        name = GREEK[found[1]] + re.sub(r"[{}\s]", "", token[found.end() :])
    elif found := _TEX_NAME.fullmatch(token):
        stem, letter, plain, tex = found.groups()
        index = letter or (plain or "").strip() or _untex(tex or "")
        name = _untex(stem) + (f"_{index}" if index else "")
    else:
        name = re.sub(r"_\{\s*([^{}]*?)\s*\}", r"_\1", token)
    if not name:
        raise ValueError("a name is empty")
    return name


def atom_latex(name: str) -> str:
    r"""Return the name of an atom in LaTeX math mode: `wolf_2` as `\mathit{wolf}_{2}`."""
    stem, joint, index = name.partition("_")
    if stem in _TEX_LETTERS and (not joint or _is_tex_plain(index)):
        return f"\\{_TEX_LETTERS[stem]}" + (f"_{{{index}}}" if joint else "")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9']*|[0-9]+", stem) or (stem.isdecimal() and not index):
        return _tex_text(name)
    if joint and (not index or _operator().match(stem + "_x")):
        return _tex_text(name)
    upright = index and not _is_tex_plain(index)
    if upright or not (len(stem) == 1 or stem.isdecimal()):
        stem = f"\\mathit{{{stem}}}"
    if upright:
        index = _tex_text(index)
    return f"{stem}_{{{index}}}" if joint else stem


def _is_tex_plain(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9]+", name) is not None


def tex_escaped(text: str) -> str:
    """Return plain text as LaTeX."""
    return "".join(TEX_ESCAPES.get(c, c) for c in text)


def _tex_text(name: str) -> str:
    return f"\\text{{{tex_escaped(name)}}}"


def _untex(text: str) -> str:
    return re.sub(r"\\[a-zA-Z]+\{\}|\\(.)", lambda m: m[1] or _TEX_WORDS.get(m[0], ""), text, flags=re.DOTALL)


def group_text(agents: tuple[str, ...]) -> str:
    """Return the index of an operator: `a`, `{Mary Ann}`, `{a,b}`."""
    if len(agents) == 1 and PLAIN_INDEX.fullmatch(agents[0]):
        return agents[0]
    # inside braces a name may hold blanks; quotes are for what would end or split it
    return "{" + ",".join(a if _MEMBER.fullmatch(a) and a.strip() == a else _quoted(a) for a in agents) + "}"


def group_latex(agents: tuple[str, ...]) -> str:
    """Return the index of an operator in LaTeX: always in braces."""
    return "{" + ",".join(a if _is_tex_plain(a) else _tex_text(a) for a in agents) + "}"


def read_group(token: str) -> tuple[str, ...]:
    r"""Return the agents named after the first underscore of an operator's token.

    >>> read_group("C_{a, Mary Ann}"), read_group("K_2"), read_group(r"C_{\{a,b\}}")
    (('a', 'Mary Ann'), ('2',), ('a', 'b'))

    Raises `ValueError` for a list that is empty, has an empty member, or is not a list.
    """
    index = token.partition("_")[2].strip()
    if PLAIN_INDEX.fullmatch(index):
        return (index,)
    for opening, closing in ("{", "}"), ("\\{", "\\}"):
        if index.startswith(opening) and index.endswith(closing):
            index = index[len(opening) : -len(closing)].strip()
    index = _TEX_MEMBER.sub(lambda found: found[0] if found[1] is None else _quoted(_untex(found[1])), index)
    return tuple(name for name, _ in read_names(index, blanks=True))


# --- names that look like notation, and what they were probably meant to say ----------------------

LETTERS = r"(?=\w\w)(?:a?b?c?d?e?|i?j?k?|1?2?3?4?5?)"
"""Agents written together: letters or digits in ascending order."""


def meant_by_atom(name: str) -> str | None:
    """Return the formula that the name of an atom looks like.

    >>> meant_by_atom("Kap"), meant_by_atom("pvq"), meant_by_atom("T"), meant_by_atom("wolf_2")
    ('K_a p', 'p | q', 'true', None)
    >>> meant_by_atom("Cabp"), meant_by_atom("AKp"), meant_by_atom("Kpq"), meant_by_atom("KM")
    ('C_{a,b} p', 'everywhere K_a p', 'K_p q', 'K_a M_a …')
    """
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if found := re.fullmatch(rf"([{_single_letters()}]w?)_?([a-t]|\d)_?([pqr]'*)", name):
        return f"{found[1]}_{found[2]} {found[3]}"
    if found := re.fullmatch(rf"([{_single_letters()}])({LETTERS})([pqr]'*)", name):
        letter = "E" if found[1] in "KBM" else found[1]
        return f"{letter}_{group_text(tuple(found[2]))} {found[3]}"
    if found := re.fullmatch(rf"[AU]([{_single_letters()}])([pqr]'*)", name):
        return f"everywhere {found[1]}_a {found[2]}"
    if found := re.fullmatch(r"([p-t])[vV]([p-t])", name):
        return f"{found[1]} | {found[2]}"
    if re.fullmatch(rf"[{_single_letters()}]+_?", name):
        return "".join(f"{letter}_a " for letter in name.removesuffix("_")) + "…"
    return None


_CONSTANTS = {"T": "true", "F": "false"} | {
    foreign: sign.ascii for sign in s.Constant.spellings.values() for foreign in sign.foreign
}


def meant_by_agent(name: str, known: Collection[str] = ()) -> str | None:
    """Return the group, or the operators, that the name of an agent looks like.

    A group consists of known agents or, if none are given, of letters or digits in ascending order. G and H
    are textbook names for the group of all agents.

    >>> meant_by_agent("ab"), meant_by_agent("ba", ["a", "b"]), meant_by_agent("aK_b"), meant_by_agent("Bo")
    ('{a,b}', '{a,b}', 'a K_b', None)
    >>> meant_by_agent("K_a")  # the group of [K_a!p]q
    '[!K_a …]'
    """
    if re.fullmatch(rf"[{_single_letters()}]w?_\w+", name) and name not in known:
        return f"[!{name} …]"
    if found := re.match(rf"(\w+?)([{_single_letters()}]w?_)(?=\w)", name):
        return f"{found[1]} {name[found.start(2) :]}"
    if name in ("G", "H") and name not in known and 1 < len(known) < 6:
        return group_text(tuple(sorted(known)))
    if len(name) < 2 or name in known:
        return None
    parts = name.split()
    if len(parts) > 1 and all(part in known if known else len(part) == 1 for part in parts):
        return group_text(tuple(sorted(parts)))
    if set(name) <= {*known} if known else re.fullmatch(LETTERS, name):
        return group_text(tuple(sorted(name)))
    return None


def doubtful_caret(text: str, f: Formula) -> Iterator[str]:
    """Yield a remark if a formula was written with ^, which is a conjunction in some books.

    >>> from kripke_werewolf.logic.notation.parser import parse
    >>> print(*doubtful_caret("p ^ q", parse("p ^ q")))
    ^ is read as exclusive or; 'and' is written &
    """
    if "^" in text and any(isinstance(node, s.Xor) for node in f.subformulas()):
        yield "^ is read as exclusive or; 'and' is written &"


def doubtful_names(f: Formula) -> Iterator[str]:
    """Yield a remark about each name of a formula that looks like something else.

    >>> from kripke_werewolf.logic.notation.parser import parse
    >>> print(*doubtful_names(parse("Kap -> C_{ab} q | C_G q")), sep="\\n")
    Kap is read as an atom; did you mean K_a p?
    ab is read as one agent; did you mean {a,b}?
    G is read as one agent; a group is declared as in --group G=a,b, in Python by groups=...
    """
    for atom in sorted(f.atoms):
        if meant := meant_by_atom(atom):
            yield f"{atom_text(atom)} is read as an atom; did you mean {meant}?"
    one = {node.agent for node in f.subformulas() if isinstance(node, s.OfAgent)}
    for agent in sorted(f.agents):
        if agent in (*QUANTIFIED["everyone"], *QUANTIFIED["each"], "others"):
            yield f"{agent} is read as one agent; an operator without an index is about all agents"
        if meant := meant_by_agent(agent):
            remark = f"{agent} is read as one agent; did you mean {meant}?"
            if agent in one and meant[0] == "{":
                remark += f" For a group there are E_{meant}, C_{meant} and D_{meant}."
            yield remark
    alone = {g.label[0] for g in f.subformulas() if isinstance(g, s.OfGroup) and len(g.label) == 1}
    for name in sorted(alone):
        if re.fullmatch(r"[A-Z]", name):
            yield (
                f"{name} is read as one agent; a group is declared as in --group {name}=a,b, in Python by "
                f'groups={{"{name}": ["a", "b"]}}, in a file with a derivation by a line group {name} = a, b'
            )


def about_unindexed(signs: Collection[str], agents: Collection[str]) -> Iterator[str]:
    """Yield a remark on operators without an index, which are about the agents named by the others.

    >>> print(*about_unindexed(["K"], ["b"]))
    K without an index is about b, as operators with an index are; write K_b to be sure
    """
    if signs and agents:
        index = group_text(tuple(sorted(agents)))
        named = ", ".join(sorted(agents))
        letters = [sign for sign in signs if " " not in sign]
        written = " and ".join(f"{sign}_{index}" for sign in letters)
        remark = f"{' and '.join(signs)} without an index is about {named}, as operators with an index are"
        yield f"{remark}; write {written} to be sure" if letters else remark
