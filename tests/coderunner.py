"""CodeRunner, as far as it runs the program of a question: the files in a folder, Twig, Python, JSON.

Twig's only expressions here are a variable, and `e('py')`, which escapes backslashes and quotation marks.
"""

import base64
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

_SHOWN = {"prologuehtml", "epiloguehtml", "instructorhtml", "testresults", "columnformats", "showdifferences"}

# Runs a program, but extracts and compiles a library once for all answers.
_ONCE = """
import os, runpy, sys
from zipfile import ZipFile
extracted, (_, kept, program) = ZipFile.extractall, sys.argv

def once(library, folder):
    if not os.path.exists(kept):
        import compileall
        own = f"{kept}.{os.getpid()}"
        extracted(library, own)
        compileall.compile_dir(own, quiet=2)
        if not os.path.exists(kept):
            os.rename(own, kept)
    os.symlink(kept, folder)

ZipFile.extractall, sys.argv = once, [program]
runpy.run_path(program, run_name="__main__")
"""


@cache
def _compiled() -> TemporaryDirectory[str]:
    """Return a folder for libraries with what is compiled of them, as long as the tests run."""
    return TemporaryDirectory()


class Question(NamedTuple):
    """A question with what it inherits from its prototype."""

    name: str
    settings: Mapping[str, str]
    files: Mapping[str, bytes]


def questions(quiz: str) -> Iterator[Question]:
    """Yield the questions of a quiz in Moodle XML that CodeRunner marks."""
    prototypes: dict[str, tuple[dict[str, str], dict[str, bytes]]] = {}
    for node in ET.fromstring(quiz).findall("question[@type='coderunner']"):
        settings = {child.tag: child.text or "" for child in node if not len(child)}
        found = {
            file.attrib["name"]: base64.b64decode(file.text or "", validate=True)
            for file in node.findall("testcases/file")
        }
        kind = settings["coderunnertype"]
        if settings["prototypetype"] != "0":
            assert kind not in prototypes
            prototypes[kind] = settings, found
            continue
        inherited, files = prototypes[kind]
        own = {tag: value for tag, value in settings.items() if value}
        yield Question(node.findtext("name/text") or "", {**inherited, **own}, {**files, **found})


def expanded(template: str, variables: Mapping[str, str]) -> str:
    """Return a template with its variables."""

    def value(found: re.Match[str]) -> str:
        name, _, escape = (part.strip() for part in found[1].partition("|"))
        assert escape in ("", "e('py')")
        said = variables[name]
        return said.replace("\\", "\\\\").replace('"', '\\"') if escape else said

    program = re.sub(r"\{\{(.*?)\}\}", value, template)
    assert "{%" not in template
    return program


def outcome(question: Question, answer: str, folder: Path, *, precheck: bool = False) -> dict[str, Any]:
    """Return the outcome of an answer, computed by Python without any library in an empty folder."""
    for name, content in question.files.items():
        (folder / name).write_bytes(content)
    variables = {"STUDENT_ANSWER": answer, "IS_PRECHECK": str(int(precheck))}
    program = folder / "__tester__.python3"
    program.write_text(expanded(question.settings["template"], variables), encoding="utf-8")
    kept = Path(_compiled().name, sha256(question.files["kripke_werewolf.zip"]).hexdigest())
    command = [sys.executable, "-I", "-S", "-c", _ONCE, str(kept), program.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert 0 <= found["fraction"] <= 1
    assert found.keys() <= _SHOWN | {"fraction"}
    return found
