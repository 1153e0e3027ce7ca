"""The Python inside a page that needs no server: Pyodide from npm, with this package.

Pyodide is not part of this project. `bundle` reads it from a folder or has npm fetch it, checks the hash of
every file, and packs it with the modules of this package into the parts of a page.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import zipped
from kripke_werewolf.teach.exercises.own_files import sources

VERSION = "314.0.7"
"""The version of Pyodide that pages are made with."""

HASHES: Mapping[str, str] = {
    "pyodide.mjs": "sha384-Lp79fMwxa4n2BLtugpUAoQMlbxIdg8iCUiP1r3h7nJLkQjwlXT1JzZTeHVL+f4Dg",
    "pyodide.asm.mjs": "sha384-/2281iaC0Iimw0B3Kagy1DBfZcJG3W4KYW+EmOqhsdY3fR9BJ88FE2Zt6y0KQKpa",
    "pyodide.asm.wasm": "sha384-y++qrQ72KPA1fTjLIuGMP+jppgGxjbLCgfdb0zMrnNnQVhxRUXTOTF6rTxNzllSu",
    "python_stdlib.zip": "sha384-xW3A5jmenkrPXbsgrIaB1FCJh9OuLT7FRMagsJMgtlhVc19k/mSy3+7nMaF/d767",
}
"""The files of Pyodide needed by a page, with their hashes as in the attribute `integrity` of HTML."""

LOCK = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
"""The list of packages for Pyodide; a page has none."""

CDN = f"https://cdn.jsdelivr.net/npm/pyodide@{VERSION}/"
"""The address from which a page made with `online` loads Pyodide: the files of the npm package."""

LIBRARY = "kripke_werewolf.zip"
_STDLIB = "python_stdlib.zip"


def bundle(folder: Path | None = None) -> dict[str, str]:
    """Return the parts of an offline page: by name, compressed and in base64.

    `folder` has the files of the npm package `pyodide`; without it npm fetches them. Node compiles the
    modules used at the start, so that the page starts in about a third of the time.
    """
    with tempfile.TemporaryDirectory() as home:
        place = folder or _fetched(Path(home))
        found = {name: _checked(place, name) for name in HASHES}
        archives = {_STDLIB: found.pop(_STDLIB), LIBRARY: library()}
        return encoded({**found, **_compiled(place, archives)})


def library() -> bytes:
    """Return the modules and data files of this package as a zip archive, without those of the page."""
    return zipped(dict(sources()), stored=True)


def encoded(parts: Mapping[str, bytes]) -> dict[str, str]:
    """Return parts of a page as it stores them: in base64, and compressed, if they are not yet."""
    packed = {n: part if n.endswith(".zst") else gzip.compress(part, 9, mtime=0) for n, part in parts.items()}
    return {name: base64.b64encode(content).decode("ascii") for name, content in packed.items()}


def _checked(folder: Path, name: str) -> bytes:
    """Return a file of Pyodide; raises `FormatError` if it is missing or of another version."""
    path = folder / name
    content = path.read_bytes() if path.exists() else b""
    digest = f"sha384-{base64.b64encode(hashlib.sha384(content).digest()).decode()}"
    if digest != HASHES[name]:
        raise FormatError(f"{folder}: no {name} of npm's package pyodide {VERSION}")
    return content


def _fetched(home: Path) -> Path:
    """Have npm fetch its package `pyodide`, and return the folder with its files."""
    pack = ["npm", "pack", f"pyodide@{VERSION}", "--pack-destination", str(home), "--prefer-offline"]
    _run(pack, home, r"npm (error|ERR!)", f"npm could not fetch pyodide {VERSION}")
    with tarfile.open(next(home.glob("*.tgz"))) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 has it
        packed.extractall(home)
    return home / "package"


def _compiled(folder: Path, archives: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the archives as a page holds them, made by the Python that will read them, which Node runs.

    The modules that a short session loads are compiled, and modules of Python that no answer needs left out.
    """
    with tempfile.TemporaryDirectory() as home:
        place = Path(home)
        for name, content in archives.items():
            (place / name).write_bytes(content)
        script = place / "compile.mjs"
        script.write_text(asset("compile.mjs"), encoding="utf-8")
        (place / "session.py").write_text(asset("session.txt"), encoding="utf-8")
        (place / "lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
        (place / "made").mkdir()
        command = ["node", str(script), str(folder.resolve()), str(place)]
        _run(command, place, r"\s*[\w.]*Error\b", "Node could not compile the modules of the page")
        return {path.name: path.read_bytes() for path in sorted((place / "made").iterdir())}


def _run(command: Sequence[str], folder: Path, wrong: str, failing: str) -> None:
    """Run a program in a folder; if it fails, the error has the lines of its messages that match `wrong`."""
    program, *arguments = command
    path = shutil.which(program)  # on Windows also a script
    if path is None:
        raise FormatError(f"{failing}: {program} is not installed; install Node.js, or use --online")
    done = subprocess.run([path, *arguments], capture_output=True, text=True, cwd=folder)
    if done.returncode:
        errors = [line.strip()[:400] for line in done.stderr.splitlines() if re.match(wrong, line)]
        raise FormatError("\n".join([f"{failing}:", *(errors or [f"exit code {done.returncode}"])[-4:]]))


def asset(name: str) -> str:
    """Return a file of the page, or of the board on it, which pages of `visualise` show as well."""
    own = files("kripke_werewolf.teach.explorer.page").joinpath("assets", name)
    file = own if own.is_file() else files("visualise").joinpath("board", name)
    return file.read_text(encoding="utf-8")
