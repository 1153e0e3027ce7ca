"""Lets pytest run every code block of the README and of docs/: Python as it stands, commands as typed.

In a block of language `console` a line that begins with `$ ` is run by the shell, in a directory of its own
that holds the examples and demo.jsonl; the lines below it are the output to expect, `...` standing for any.
Commands of pages that need no shell run in copies of a process (tests/forked.py), those of the README as they
are typed. A command may continue after a backslash. A block whose first line is `# exit code N` expects that
exit code.

Tests that took over half a second of processor time when they were measured (`tests/slow.txt`) are `slow`:
`make test` leaves them out, `make slow-tests` runs them.
"""

from __future__ import annotations

import doctest
import gc
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from tests.slow import known as slow_tests
from tests.slow import test_of

ROOT = Path(__file__).parent
# what cannot be collected: Sphinx runs the first, the others need packages that may not be installed
collect_ignore = ["docs/conf.py"]
for needs, path in {
    "pyspiel": "docs/learning-programs.md",
    "duckdb": "docs/tables.md",
    "pettingzoo": "docs/learning-programs.md",
    "anywidget": "kripke_werewolf/teach/explorer/page/notebook.py",
    "starlette": "kripke_werewolf/play/host/app.py",
    "uvicorn": "kripke_werewolf/play/host/serving.py",
}.items():
    if find_spec(needs) is None:
        collect_ignore.append(path)
# the commands of this environment come first, also when it is not activated
_ENVIRONMENT = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
_QUOTED = re.compile(r"'[^']*'|\"[^\"$`\\]*\"")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def _enter(namespace: dict[str, Any]) -> None:
    namespace["_home"] = os.getcwd()
    namespace["_place"] = place = tempfile.mkdtemp()
    shutil.copytree(ROOT / "examples", Path(place, "examples"))
    shutil.copy(ROOT / "tests" / "data" / "demo.jsonl", place)
    os.chdir(place)


def _leave(namespace: dict[str, Any]) -> None:
    os.chdir(namespace["_home"])
    shutil.rmtree(namespace["_place"])


def _done(command: str, *, alone: bool) -> tuple[int, str]:
    """Run a command; return its exit code and what it prints. `alone`: in a process of its own anyway."""
    name, *arguments = shlex.split(command.replace("\\\n", " "))
    # copies start no workers of their own
    shell = name != "kripke-werewolf" or re.search(
        "[|<>;&$*?~#()`]|--workers|exercise class", _QUOTED.sub("", command)
    )
    if not (alone or shell):
        from tests.forked import run

        code, out, err = run(tuple(arguments), cwd=Path.cwd())
        return code, out + err
    done = subprocess.run(
        command, shell=True, env=_ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


def _run(example: Example) -> str | None:
    wanted, commands = 0, []
    for line in example.parsed.splitlines():
        if line.startswith("# exit code "):
            wanted = int(line.removeprefix("# exit code "))
        elif line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and commands[-1][0].endswith("\\"):
            commands[-1] = (f"{commands[-1][0]}\n{line}", [])
        elif commands:
            commands[-1][1].append(line)
    for command, expected in commands:
        code, said = _done(command, alone=Path(example.path).name == "README.md")
        if code != wanted:
            return f"$ {command}\nexit code {code}, expected {wanted}\n{said}"
        text = "\n".join(expected).strip()
        if text and not doctest.OutputChecker().check_output(text + "\n", said, FLAGS):
            return f"$ {command}\nexpected:\n{text}\ngot:\n{said}"
    return None


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests; files with such tests come first, in the order of the files otherwise."""
    listed = slow_tests()
    for item in items:
        if test_of(item.nodeid) in listed:
            item.add_marker("slow")
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection, which they would only slow down."""
    gc.freeze()


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=FLAGS), CodeBlockParser("console", _run)],
    patterns=["README.md", "docs/*.md", "docs/course/*.md"],
    setup=_enter,
    teardown=_leave,
).pytest()
