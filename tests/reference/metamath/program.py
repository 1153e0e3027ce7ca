"""The program Metamath, and the expected content of its files: formulas in the notation of the grammar."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas import Formula

INSTALLED = shutil.which("metamath") is not None


def verdict(text: str) -> str:
    """Return what metamath says of a file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "p.mm").write_text(text, encoding="ascii")
        command = ["metamath", "read p.mm", "verify proof *", "exit"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def accepts(text: str) -> bool:
    """Return whether metamath has verified every proof of a file. Its exit code is always 0."""
    said = verdict(text)
    return "All proofs in the database were verified" in said and "?" not in said and "Warning" not in said


def statements(text: str) -> dict[str, tuple[str, str]]:
    """Return the statements of a file by label: `$a`, `$e` or `$p`, and the symbols, without the proof."""
    bare = re.sub(r"\$\(.*?\$\)", " ", text, flags=re.DOTALL)
    found = re.findall(r"(\S+)\s+(\$[aep])\s+(.*?)\s*(?:\$=.*?)?\$\.", bare, flags=re.DOTALL)
    return {label: (kind, " ".join(symbols.split())) for label, kind, symbols in found}


def axioms(text: str, *, after: str = "") -> list[str]:
    """Return what the axioms and rules of a file say, in its order, or those after a part of it.

    A rule is its premises and its conclusion, joined by `=>`.
    """
    found, premises = [], list[str]()
    for kind, symbols in statements(text.removeprefix(after)).values():
        if kind == "$e":
            premises.append(symbols)
            continue
        if kind == "$a" and symbols.startswith("|-"):
            found.append(" => ".join([*premises, symbols]))
        premises = []
    return found


_SIGNS = {f.And: "&", f.Or: "|", f.Xor: "^", f.Implies: "->", f.Iff: "<->"}


def written(g: Formula) -> str:
    """Return a formula whose names are words, without actions, as files for metamath should have it."""
    parts = [written(part) for part in g.children]
    match g:
        case f.Atom(name):
            return name
        case f.Constant(value):
            return "true" if value else "false"
        case f.Not():
            return f"~ {parts[0]}"
        case f.Count(kind, number):
            return f"{kind} ( {'S ' * number}0 , {' , '.join(parts)} )"
        case f.Knows(agent):
            return f"K_ {agent} {parts[0]}"
        case f.Common(group) if len(parts) == 2:
            return f"C^_ {{ {' , '.join(group)} }} ( {parts[0]} , {parts[1]} )"
        case f.Common(group):
            return f"C_ {{ {' , '.join(group)} }} {parts[0]}"
        case f.Distributed(group):
            return f"D_ {{ {' , '.join(group)} }} {parts[0]}"
        case f.Everywhere():
            return f"everywhere {parts[0]}"
        case f.Box():
            return f"[! {parts[0]} ] {parts[1]}"
    text = parts[0]
    for part in parts[1:]:
        text = f"( {text} {_SIGNS[type(g)]} {part} )"
    return text
