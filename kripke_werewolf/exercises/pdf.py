"""Sheets as PDF, by pdflatex where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from unicodedata import normalize

from kripke_werewolf.errors import KripkeError
from kripke_werewolf.exercises.asking import Picture, escaped, latex_lines, pictures_of, solution_lines
from kripke_werewolf.exercises.sheet import Variant

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage[margin=2.3cm]{geometry}
\usepackage{amsmath,tikz,graphicx}
\usetikzlibrary{arrows.meta}
\setlength{\parindent}{0pt}\setlength{\parskip}{0.5ex}
\sloppy
"""
_SECONDS = 120


@cache
def _preamble() -> str:
    """Return the preamble, in which Greek letters and logical signs may stand anywhere."""
    from visualise.tikz_output import SYMBOLS

    declared = (
        rf"\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{\ensuremath{{{command}}}}}" + "\n"
        for sign, command in SYMBOLS.items()
        if sign > "\xff"
    )
    return _PREAMBLE + "".join(declared)


def sheet_tex(
    variant: Variant, *, name: str = "", pictures: Sequence[Sequence[Picture]] | None = None
) -> str:
    """Return the body of the LaTeX document that is a student's sheet; `name`: theirs."""
    drawn = [pictures_of(exercise) for exercise in variant.exercises] if pictures is None else pictures
    shown = name or variant.student
    if typesettable(shown) != shown and shown != variant.student:
        shown = f"{shown} ({variant.student})"
    lines = _head(variant.sheet.title, shown)
    if variant.sheet.text:
        lines += [printable(variant.sheet.text), ""]
    for number, exercise in enumerate(variant.exercises, 1):
        tikz = [picture.tikz for picture in drawn[number - 1]]
        lines += latex_lines(exercise, heading=variant.heading(number), pictures=tikz)
    return "\n".join(map(typesettable, lines))


def book_tex(title: str, variants: Iterable[tuple[Variant, str]]) -> str:
    """Return the body of the LaTeX document with the solutions of all students, each with their name."""
    lines = _head(f"{title}: solutions", "")
    for variant, name in variants:
        lines += [rf"\section*{{{printable(name)}}}"]
        for number, exercise in enumerate(variant.exercises, 1):
            lines += solution_lines(exercise, f"{variant.heading(number)}.")
    return "\n".join(map(typesettable, lines))


def whole(body: str) -> str:
    """Return a whole LaTeX document from its body."""
    return f"{_preamble()}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def _head(title: str, name: str) -> list[str]:
    return [
        r"\begin{center}",
        rf"{{\Large\bfseries {printable(title)}}}\\[1ex]",
        printable(name),
        r"\end{center}",
        "",
    ]


def printable(text: str) -> str:
    """Return plain text as LaTeX that pdflatex can set."""
    return typesettable(escaped(text))


def typesettable(text: str) -> str:
    """Return text without the characters that pdflatex has no type for.

    A letter with accents becomes the letter without them, anything else a question mark.

    >>> typesettable("Zoë, Nguyễn, α ∧ 王")
    'Zoë, Nguyen, α ∧ ?'
    """
    return text if text.isascii() else "".join(map(_set, text))


@cache
def _set(character: str) -> str:
    from visualise.tikz_output import SYMBOLS, common

    if character <= "\xff" or character == "…" or character in SYMBOLS or common(character):
        return character
    letter = normalize("NFKD", character)[0]
    return letter if letter.isascii() else "?"


class Printer:
    """Makes PDF files; the packages are loaded once, for all of them.

    Use it as a context manager; raises `KripkeError` if there is no pdflatex.
    """

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._program = shutil.which("pdflatex")
        self._kept = False

    @staticmethod
    def available() -> bool:
        """Return whether pdflatex is installed."""
        return shutil.which("pdflatex") is not None

    def __enter__(self) -> Printer:
        if self._program is None:
            raise KripkeError("pdflatex is not installed; it comes with TeX Live or MiKTeX")
        self._folder = tempfile.TemporaryDirectory(prefix="sheets")
        folder = Path(self._folder.name)
        (folder / "kept.tex").write_text(_preamble() + "\\dump\n", encoding="utf-8")
        made = self._run("-ini", "-jobname=kept", "&pdflatex", "kept.tex")
        self._kept = made and (folder / "kept.fmt").exists()
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def folder(self) -> str:
        """Where the packages are kept, for `printed` in other processes."""
        assert self._folder is not None
        return self._folder.name if self._kept else ""

    def _run(self, *arguments: str) -> bool:
        assert self._folder is not None
        assert self._program is not None
        return _run([self._program, *_OPTIONS, *arguments], Path(self._folder.name))


_OPTIONS = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")


def printed(body: str, kept: str = "") -> bytes:
    """Return the PDF of the body of a document; `kept`: the folder of a `Printer`.

    Raises `KripkeError` with the first error of LaTeX.
    """
    program = shutil.which("pdflatex")
    if program is None:
        raise KripkeError("pdflatex is not installed; it comes with TeX Live or MiKTeX")
    with tempfile.TemporaryDirectory(prefix="sheet") as name:
        folder = Path(name)
        text = f"\\begin{{document}}\n{body}\n\\end{{document}}\n" if kept else whole(body)
        (folder / "sheet.tex").write_text(text, encoding="utf-8")
        form = [f"-fmt={Path(kept) / 'kept'}"] if kept else []
        if not _run([program, *form, *_OPTIONS, "sheet.tex"], folder):
            raise KripkeError(f"pdflatex failed: {_first_error(folder / 'sheet.log')}")
        return (folder / "sheet.pdf").read_bytes()


def _run(command: Sequence[str], folder: Path) -> bool:
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _first_error(log: Path) -> str:
    if not log.exists():
        return "it wrote no log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line for line in lines if line.startswith("!")), "it took too long")
