"""Sheets as PDF: by pdfLaTeX, or by LuaLaTeX for characters that only its fonts have."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unicodedata import normalize

from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.teach.exercises.rendering import escaped, latex_lines, pictures_of, solution_lines
from kripke_werewolf.teach.exercises.sheet import Variant

_HEAD = "\\documentclass[11pt,a4paper]{article}\n"
_FIRST_FONTS = r"""\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
"""
_PACKAGES = r"""\usepackage[margin=2.3cm]{geometry}
\usepackage{amsmath,tikz,graphicx}
\usetikzlibrary{arrows.meta}
\setlength{\parindent}{0pt}\setlength{\parskip}{0.5ex}
\sloppy
"""
_BODY = "\\begin{{document}}\n{}\n\\end{{document}}\n"
_SECONDS = 120
_OPTIONS = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
MISSING = "pdflatex is not installed; it comes with TeX Live or MiKTeX"
"""The message if LaTeX is not installed."""


@cache
def _preamble() -> str:
    """Return the preamble, which allows Greek letters and logical signs anywhere."""
    from visualise.tikz_output import SYMBOLS

    signs = ((f"{ord(sign):04X}", command) for sign, command in SYMBOLS.items() if sign > "\xff")
    declared = (rf"\DeclareUnicodeCharacter{{{code}}}{{\ensuremath{{{command}}}}}" for code, command in signs)
    return _HEAD + _FIRST_FONTS + _PACKAGES + "".join(f"{line}\n" for line in declared)


def _lua_preamble(rare: Iterable[str]) -> str:
    """Return the preamble for LuaLaTeX, which takes rare characters from installed fonts."""
    from visualise.tikz_output import fonts_for

    return "\n".join([_HEAD, *fonts_for(sorted(rare)), _PACKAGES])


def sheet_tex(variant: Variant, *, name: str = "") -> str:
    """Return the body of the LaTeX document of a student's sheet; `name`: the student's."""
    lines = _head(variant.sheet.title, name or variant.student)
    if variant.sheet.text:
        lines += [escaped(variant.sheet.text), ""]
    for number, exercise in enumerate(variant.exercises, 1):
        tikz = [picture.tikz for picture in pictures_of(exercise)]
        lines += latex_lines(exercise, heading=variant.heading(number), pictures=tikz)
    return "\n".join(lines)


def book_tex(title: str, variants: Iterable[tuple[Variant, str]]) -> str:
    """Return the body of the LaTeX document with the solutions of all students."""
    lines = _head(title, "")
    for variant, name in variants:
        lines.append(rf"\section*{{{escaped(name)}}}")
        for number, exercise in enumerate(variant.exercises, 1):
            lines += solution_lines(exercise, f"{variant.heading(number)}.")
    return "\n".join(lines)


def tex_document(body: str) -> str:
    """Return a whole LaTeX document from its body, for pdfLaTeX if that can print all characters."""
    rare = rare_in(body)
    return f"{_lua_preamble(rare) if rare else _preamble()}{_BODY.format(body)}"


def _head(title: str, name: str) -> list[str]:
    shown = rf"{{\Large\bfseries {escaped(title)}}}\\[1ex]"
    return [r"\begin{center}", shown, escaped(name), r"\end{center}", ""]


def rare_in(text: str) -> frozenset[str]:
    """Return the characters of a string that pdfLaTeX cannot print.

    >>> sorted(rare_in("Zoë, α ∧ 王"))
    ['王']
    """
    return frozenset() if text.isascii() else frozenset(filter(_rare, set(text)))


@cache
def _rare(character: str) -> bool:
    from visualise.tikz_output import SYMBOLS, common

    return not (character <= "\xff" or character == "…" or character in SYMBOLS or common(character))


def _typesettable(text: str, settable: frozenset[str] = frozenset()) -> str:
    """Replace the rare characters of a string that no font has.

    A letter with accents becomes the letter without them, anything else a question mark.

    >>> _typesettable("Zoë, Nguyễn, α ∧ 王")
    'Zoë, Nguyen, α ∧ ?'
    """
    for character in rare_in(text) - settable:
        letter = normalize("NFKD", character)[0]
        text = text.replace(character, letter if letter.isascii() else "?")
    return text


@dataclass(frozen=True, slots=True)
class Kit:
    """The resources for printing documents: the folder with packages, and the characters of LuaLaTeX.

    `settable`: the rare characters for which LuaLaTeX has found a font.
    """

    folder: str = ""
    settable: frozenset[str] = frozenset()

    def name(self, name: str, key: str) -> str:
        """Return a student's name in print, with the key if letters are changed.

        A name that is unreadable without the missing letters is omitted.

        >>> Kit().name("Zoë Lee", "s1"), Kit().name("Nguyễn", "s2"), Kit().name("王", "s3")
        ('Zoë Lee', 'Nguyen (s2)', 's3')
        """
        shown = _typesettable(name, self.settable)
        if shown == name:
            return name
        return key if shown.count("?") > name.count("?") else f"{shown} ({key})"

    def printed(self, body: str) -> bytes:
        """Return the PDF of the body of a document; raises `KripkeError` with the first error of LaTeX."""
        text = _typesettable(body, self.settable)
        program = shutil.which("lualatex" if rare_in(text) else "pdflatex")
        if program is None:
            raise KripkeError(MISSING)
        document, form = tex_document(text), list[str]()
        if self.folder and not rare_in(text):
            document, form = _BODY.format(text), [f"-fmt={Path(self.folder) / 'kept'}"]
        with tempfile.TemporaryDirectory(prefix="sheet") as name:
            folder = Path(name)
            if not _run([program, *form, *_OPTIONS, "sheet.tex"], folder, document):
                why = "it wrote no log"
                if (log := folder / "sheet.log").exists():
                    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
                    why = next((line for line in lines if line.startswith("!")), "it took too long")
                raise KripkeError(f"{Path(program).stem} failed: {why}")
            return (folder / "sheet.pdf").read_bytes()


def printable() -> bool:
    """Return whether pdflatex is installed."""
    return shutil.which("pdflatex") is not None


@contextmanager
def printing(strings: Iterable[str] = ()) -> Iterator[Kit]:
    """Yield a `Kit` for several documents, so that packages and fonts are loaded only once.

    `strings`: the strings to print, which may have rare characters. It needs pdflatex.
    """
    with tempfile.TemporaryDirectory(prefix="sheets") as name:
        folder = Path(name)
        command = ["pdflatex", *_OPTIONS, "-ini", "-jobname=kept", "&pdflatex", "kept.tex"]
        made = _run(command, folder, _preamble() + "\\dump\n") and (folder / "kept.fmt").exists()
        yield Kit(name if made else "", _settable(rare_in("".join(strings))))


def _settable(rare: frozenset[str]) -> frozenset[str]:
    """Return the characters that LuaLaTeX finds in its fonts; none if it is not installed."""
    program = shutil.which("lualatex")
    if not rare or program is None:
        return frozenset()
    with tempfile.TemporaryDirectory(prefix="fonts") as name:
        folder = Path(name)
        text = f"{_lua_preamble(rare)}\n{_BODY.format(' '.join(sorted(rare)))}"
        if not _run([program, *_OPTIONS, "fonts.tex"], folder, text):
            return frozenset()
        log = (folder / "fonts.log").read_text(encoding="utf-8", errors="replace")
    lost = re.findall(r"Missing character:[^(]*\(U\+([0-9A-F]+)\)", log)
    return rare - {chr(int(number, 16)) for number in lost}


def print_sheet(variant: Variant) -> bytes:
    """Return the PDF of one sheet."""
    body = sheet_tex(variant)
    return Kit(settable=_settable(rare_in(body))).printed(body)


def _run(command: Sequence[str], folder: Path, text: str) -> bool:
    """Run a program on a file of a folder with this text, the last of its arguments; return its success."""
    (folder / command[-1]).write_text(text, encoding="utf-8")
    with suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
        return done.returncode == 0
    return False
