"""What can be tried of Windows without it; `python -m tests.windows` tries all tests."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import cases
from tests.windows import ENCODING, MISSING, OUTPUT

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for folder in ("kripke_werewolf", "visualise", "tests", "benchmarks", "examples")
    for path in (ROOT / folder).rglob("*.py")
)
LACKING = re.compile(rf"\b(?:{'|'.join(MISSING)})\b")


def imported(path: Path) -> set[str]:
    """Return what a file imports as soon as it is imported itself, if it names what is missing."""
    found, code = set(), path.read_text(encoding="utf-8")
    for node in ast.parse(code if LACKING.search(code) else "").body:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def test_no_file_needs_a_module_that_windows_lacks() -> None:
    assert len(FILES) > 600
    assert {str(path): lacking for path in FILES if (lacking := imported(path) & MISSING)} == {}


@cases(
    ("prove", "K_a φ -> φ", "--json"),
    ("game", "rules", "straat", "--language", "ja"),
)
def test_letters_that_a_pipe_lacks_stop_no_command(arguments: tuple[str, ...]) -> None:
    there = os.environ | OUTPUT | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "kripke_werewolf", *arguments]
    done = subprocess.run(command, env=there, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u" in done.stdout


@pytest.mark.slow
def test_files_locks_and_texts_as_on_windows() -> None:
    tried = ("tests/test_files.py", "tests/games/werewolf/test_log.py")
    command = [sys.executable, "-m", "tests.windows", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    done = subprocess.run(
        [*command, *tried], cwd=ROOT, capture_output=True, text=True, encoding=ENCODING, errors="replace"
    )
    assert done.returncode == 0, done.stdout[-4000:]
