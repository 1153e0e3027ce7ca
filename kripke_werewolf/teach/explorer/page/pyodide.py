"""The Python inside a page that needs no server: Pyodide from npm, with this package.

Pyodide is not part of this project. `bundle` reads it from a folder or has npm fetch it, checks the hash of
every file, and packs it with the modules of this package into the parts of a page.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping
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


def bundle(folder: Path | None = None, *, note: Callable[[str], None] = lambda text: None) -> dict[str, str]:
    """Return the parts of an offline page: by name, compressed and in base64.

    `folder` has the files of the npm package `pyodide`; without it npm fetches them. If Node is installed,
    the modules used at the start are compiled, so that the page starts in about a third of the time; if not,
    `note` is called.
    """
    with tempfile.TemporaryDirectory() as home:
        return _packed(folder or _fetched(Path(home)), note)


def library() -> bytes:
    """Return the modules and data files of this package as a zip archive, without those of the page."""
    return zipped(dict(sources()), stored=True)


def encoded(content: bytes) -> str:
    """Return bytes compressed and in base64, as stored in a page."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


def _packed(folder: Path, note: Callable[[str], None]) -> dict[str, str]:
    found = {name: _checked(folder, name) for name in HASHES}
    archives = {LIBRARY: library(), _STDLIB: found[_STDLIB]}
    node = shutil.which("node")
    if node is not None:
        archives = _compiled(node, folder, archives)
    else:
        note("Node is not installed: the modules of the page are not compiled, and it starts more slowly")
        archives = {name: zipped(_entries(archive), stored=True) for name, archive in archives.items()}
    return {name: encoded(part) for name, part in {**found, **archives}.items()}


def _checked(folder: Path, name: str) -> bytes:
    """Return a file of Pyodide; raises `FormatError` if it is missing or of another version."""
    try:
        content = (folder / name).read_bytes()
    except FileNotFoundError:
        wanted = f"the folder must hold the files of npm's package pyodide {VERSION}"
        raise FormatError(f"{folder}: no {name}; {wanted}") from None
    digest = f"sha384-{base64.b64encode(hashlib.sha384(content).digest()).decode()}"
    if digest != HASHES[name]:
        raise FormatError(f"{folder / name}: not the file of pyodide {VERSION}: its hash is {digest}")
    return content


def _fetched(home: Path) -> Path:
    """Have npm fetch its package `pyodide`, and return the folder with its files."""
    npm = shutil.which("npm")
    if npm is None:
        raise FormatError(
            "the page holds Pyodide, which npm fetches, but npm is not installed: install Node.js, or give"
            f" --pyodide FOLDER with the files of npm's package pyodide {VERSION}, or use --online"
        )
    command = [npm, "pack", f"pyodide@{VERSION}", "--pack-destination", str(home), "--prefer-offline"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=home)
    archive = next(home.glob("*.tgz"), None)
    if done.returncode or archive is None:
        errors = [line for line in done.stderr.splitlines() if re.match(r"npm (error|ERR!)", line)]
        reason = "\n".join(errors[:4]) or f"exit code {done.returncode}"
        raise FormatError(f"npm could not fetch pyodide {VERSION}:\n{reason}")
    with tarfile.open(archive) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 has it
        packed.extractall(home)
    return home / "package"


def _entries(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def _compiled(node: str, folder: Path, archives: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the archives with the modules used by a page compiled by the Python that will run them.

    Node runs a short session, and compiles the modules that it loaded.
    """
    with tempfile.TemporaryDirectory() as home:
        place = Path(home)
        for name, content in archives.items():
            (place / name).write_bytes(content)
        script = place / "compile.mjs"
        script.write_text(asset("compile.mjs"), encoding="utf-8")
        (place / "session.py").write_text(asset("session.txt"), encoding="utf-8")
        (place / "lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
        command = [node, str(script), str(folder.resolve()), str(place)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if re.match(r"\s*[\w.]*Error\b", line)]
            reason = (errors or [f"exit code {done.returncode}"])[-1].strip()[:400]
            raise FormatError(f"Node could not compile the modules of the page: {reason}")
        compiled = {name: _entries((place / f"compiled-{name}").read_bytes()) for name in archives}
    both = {}
    for name, archive in archives.items():
        plain = _entries(archive).items()
        kept = {entry: content for entry, content in plain if f"{entry}c" not in compiled[name]}
        both[name] = zipped(kept | compiled[name], stored=True)
    return both


def asset(name: str) -> str:
    """Return a file of the page, or of the board on it, which pages of `visualise` show as well."""
    own = files("kripke_werewolf.teach.explorer.page").joinpath("assets", name)
    file = own if own.is_file() else files("visualise").joinpath("board", name)
    return file.read_text(encoding="utf-8")
