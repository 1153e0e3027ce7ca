"""CodeRunner, as far as it runs the program of a question: the files in a folder, Twig, Python, JSON.

Twig's only expressions here are a variable, and `e('py')`, which escapes backslashes and quotation marks.
"""

import base64
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

_SHOWN = {"prologuehtml", "epiloguehtml", "instructorhtml", "testresults", "columnformats", "showdifferences"}

# Runs programs, each in its folder. What the library needs is there once: its files with what is compiled of
# them, its modules, and after the first program the process that checks answers.
_ONCE = """
import os, runpy, sys
from contextlib import nullcontext
from functools import cache
from zipfile import ZipFile
extracted, (_, kept, *folders) = ZipFile.extractall, sys.argv

def once(library, folder):
    if not os.path.exists(kept):
        own = f"{kept}.{os.getpid()}"
        extracted(library, own)
        if not os.path.exists(kept):
            os.rename(own, kept)
    os.symlink(kept, folder)

ZipFile.extractall, sys.argv = once, ["__tester__.python3"]
for folder in folders:
    os.chdir(folder)
    runpy.run_path(*sys.argv, run_name="__main__")
    if folder == folders[0]:
        banks = sys.modules["kripke_werewolf.teach.exercises.banks"]
        banks.Worker = cache(lambda start=banks.Worker, **of: nullcontext(start(**of)))
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


def outcomes(
    questions: Iterable[Question], answers: Iterable[str], folder: Path, *, precheck: bool = False
) -> list[dict[str, Any]]:
    """Return the outcomes of answers, computed by Python without any library in a new folder."""
    command = [sys.executable, "-I", "-S", "-c", _ONCE]
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        if not number:
            digest = sha256(question.files["kripke_werewolf.xz"]).hexdigest()
            command.append(str(Path(_compiled().name, digest)))
        command.append(str(place := folder / str(number)))
        place.mkdir(parents=True)
        for name, content in question.files.items():
            (place / name).write_bytes(content)
        variables = {"STUDENT_ANSWER": answer, "IS_PRECHECK": str(int(precheck))}
        program = expanded(question.settings["template"], variables)
        (place / "__tester__.python3").write_text(program, encoding="utf-8")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == number + 1
    for one in found:
        assert 0 <= one["fraction"] <= 1
        assert one.keys() <= _SHOWN | {"fraction"}
    return found
