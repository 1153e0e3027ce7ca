"""How names of atoms and agents are written, and read back.

Any nonempty text may be a name. Plain ones (`wolf_2`, `0a`, `p'`) stand as they are; others take
braces (`K_{Mary Ann}`, `wolf_{Mary Ann}`) or quotes (`"2nd floor"`).
"""

from __future__ import annotations

import json
import re

__all__ = ["atom_latex", "atom_text", "braced", "group_latex", "group_text", "read_group", "read_name"]

RESERVED = frozenset(
    ["and", "or", "xor", "not", "implies", "iff", "true", "false", "everywhere", "somewhere"]
    + ["forall", "exists", "exactly", "atleast", "atmost", "oneof", "knows"]
)
_PLAIN = re.compile(r"\w[\w']*")
_OPERATOR = re.compile(r"(?:[KBMEPCD]|Kw|Kv|Cw|Dw)_\w")
_SPLIT_GROUP = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^,"]*))\s*(?:,|$)')
_TEX_ESCAPES = {c: "\\" + c for c in "#$%&_{}"} | {"\\": r"\textbackslash{}", "~": r"\~", "^": r"\^"}


def _is_plain(name: str) -> bool:
    # `K_a` alone would be read as an operator, `12` as a number
    return (
        _PLAIN.fullmatch(name) is not None
        and not name.isdecimal()
        and name not in RESERVED
        and _OPERATOR.match(name) is None
    )


def atom_text(name: str) -> str:
    """Return the name of an atom (or action) as the grammar reads it.

    >>> atom_text("wolf_2"), atom_text("wolf_Mary Ann"), atom_text("12")
    ('wolf_2', 'wolf_{Mary Ann}', '"12"')
    """
    if _is_plain(name):
        return name
    stem, _, index = name.partition("_")
    if (
        _is_plain(stem)
        and _is_plain(stem + "_x")
        and index
        and re.fullmatch(r'[^{}"\\\n\r_]+', index)
        and index.strip() == index
    ):
        return f"{stem}_{{{index}}}"
    return json.dumps(name, ensure_ascii=False)


def read_name(token: str) -> str:
    """Return the name that a token of the grammar (plain, braced, quoted, LaTeX) stands for."""
    if token.startswith('"'):
        return str(json.loads(token, strict=False))
    if token.startswith("\\text{"):
        inner = token[len("\\text{") : -1].replace(r"\textbackslash{}", "\0")
        return re.sub(r"\\(.)", r"\1", inner).replace("\0", "\\")
    if token.startswith("\\mathit{"):
        stem, _, index = token[len("\\mathit{") :].partition("}")
        return read_name(stem.replace("\\_", "_").replace("\\ ", " ") + index)
    return re.sub(r"_\{\s*([^{}]*?)\s*\}", r"_\1", token)


def atom_latex(name: str) -> str:
    r"""Return the name of an atom in LaTeX math mode: `wolf_2` as `\mathit{wolf}_{2}`."""
    stem, _, index = name.partition("_")
    if (
        re.fullmatch(r"[A-Za-z][A-Za-z0-9']*", stem)
        and re.fullmatch(r"[A-Za-z0-9]*", index)
        and _is_plain(name)
    ):
        base = stem if len(stem) == 1 else f"\\mathit{{{stem}}}"
        return f"{base}_{{{index}}}" if index else base if "_" not in name else _tex_text(name)
    return _tex_text(name)


def _tex_text(name: str) -> str:
    return "\\text{" + "".join(_TEX_ESCAPES.get(c, c) for c in name) + "}"


def braced(name: str) -> str:
    """Return an agent's name as a member of a group or an index in braces, quoted where needed."""
    # inside braces a name may hold blanks; quotes are for what would end or split it
    return name if re.fullmatch(r'[^{}",\\\n\r]+', name) and name.strip() == name else json.dumps(name)


def group_text(agents: tuple[str, ...]) -> str:
    """Return the index of an operator: `a`, `{Mary Ann}`, `{a,b}`."""
    if len(agents) == 1 and re.fullmatch(r"\w+", agents[0]):
        return agents[0]
    return "{" + ",".join(braced(a) for a in agents) + "}"


def group_latex(agents: tuple[str, ...]) -> str:
    """Return the index of an operator in LaTeX: always in braces."""
    return "{" + ",".join(braced(a) for a in agents) + "}"


def read_group(token: str) -> tuple[str, ...]:
    """Return the agents named after the first underscore of an operator's token.

    >>> read_group("C_{a, Mary Ann}"), read_group("K_2")
    (('a', 'Mary Ann'), ('2',))
    """
    _, _, index = token.partition("_")
    index = index.strip()
    if index.startswith("{"):
        index = index[1:-1]
    members, position = [], 0
    while position < len(index):
        found = _SPLIT_GROUP.match(index, position)
        if found is None:
            raise ValueError(f"cannot read the agents in {token!r}")
        quoted, plain = found.groups()
        name = json.loads(f'"{quoted}"', strict=False) if quoted is not None else plain.strip()
        if not name:
            raise ValueError(f"an agent without a name in {token!r}")
        members.append(name)
        position = found.end()
    if not members:
        raise ValueError(f"no agent in {token!r}")
    return tuple(members)
