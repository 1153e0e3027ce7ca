"""Programs that grade, run as their systems run them: nbgrader and otter-grader."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

CHEATING = """
import kripke_werewolf.teach.exercises.notebooks as n
n.graded = lambda data, answer, points: points
n.reaches = lambda data, answer, quarters: None
n._checked = n._result = None
"""
"""Lines that a student might write into a cell for an answer."""


def run(folder: Path, *command: str) -> str:
    """Run a program of Python in a folder; return what it prints."""
    light = folder / "light"
    light.mkdir(exist_ok=True)
    # jsonschema builds a grammar for web addresses when it is loaded, which takes seconds; none is checked
    (light / "rfc3987_syntax.py").write_text("raise ImportError", encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": f"{light}{os.pathsep}{ROOT}",
        "HOME": str(folder),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "JUPYTER_PLATFORM_DIRS": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout
