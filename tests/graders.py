"""Programs that grade, run as their systems run them: nbgrader, otter-grader, Gradescope's archive."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from kripke_werewolf.exercises.classes import CourseSheet
from kripke_werewolf.exercises.exports import export_class

ROOT = Path(__file__).parents[1]

CHEATING = """
import kripke_werewolf.exercises.notebooks as n
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


def gradescope(folder: Path, course: CourseSheet, metadata: dict[str, Any], **files: str) -> dict[str, Any]:
    """Return the results of the archive, in folders as Gradescope makes them, without any library."""
    for name in ("source", "submission"):
        (folder / name).mkdir(parents=True)
    export_class(course, "gradescope", folder / "a.zip")
    with zipfile.ZipFile(folder / "a.zip") as archive:
        archive.extractall(folder / "source")
    for name, text in files.items():
        (folder / "submission" / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / "submission_metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
    environment = {
        "AUTOGRADER": str(folder),
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONNOUSERSITE": "1",
    }
    # Python as an operating system has it: without the packages of this environment
    (folder / "python3.11").write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n', encoding="utf-8")
    (folder / "python3.11").chmod(0o755)
    script = str(folder / "source" / "run_autograder")
    subprocess.run(["bash", script], env=environment, check=True, timeout=120)
    found: dict[str, Any] = json.loads((folder / "results" / "results.json").read_text("utf-8"))
    return found
