"""The checks before a release: `make release-check`, or `python -m tests.release`.

Builds the source archive and the wheel; checks their metadata; installs the wheel, with nothing else, into a
fresh environment of every Python from 3.11 on that this machine has, and imports it with every warning an
error; installs the source archive and runs its own tests, which takes some 20 minutes of processor time
(`--no-tests` leaves them out). At the beginning and at the end it says which addresses and persons are still
to be filled in (`tests.publication`). Needs the extra `release`.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.publication import Publication
from tests.publication import main as publication

ROOT = Path(__file__).parents[1]
OLDEST = (3, 11)
PYENV = glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin"))
PLACES = (*os.environ.get("PATH", "").split(os.pathsep), *PYENV)
ELSEWHERE = ("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
FIRST_STEPS = (["demo"], ["prove", "K_a p -> K_a K_a p", "--logic", "S5"], ["ask", "demo.jsonl", "wolf_Bob"])


def pythons() -> dict[str, Path]:
    """Return the interpreters of this machine by version (`"3.12"`), one of each, from 3.11 on."""
    found: dict[str, Path] = {f"{sys.version_info.major}.{sys.version_info.minor}": Path(sys.executable)}
    for place in PLACES:
        for path in sorted(Path(place or ".").glob("python3.*")):
            matched = re.fullmatch(r"python(3\.(\d+))", path.name)
            if matched and int(matched[2]) >= OLDEST[1] and matched[1] not in found and _works(path):
                found[matched[1]] = path
    return dict(sorted(found.items(), key=lambda item: int(item[0].split(".")[1])))


def _works(path: Path) -> bool:
    done = subprocess.run([path, "-c", "import venv, ensurepip, ssl"], capture_output=True, check=False)
    return done.returncode == 0


def build(into: Path) -> tuple[Path, Path]:
    """Build both archives and check their metadata; return the source archive and the wheel."""
    run(sys.executable, "-m", "build", "--outdir", into, ROOT)
    source, wheel = next(into.glob("*.tar.gz")), next(into.glob("*.whl"))
    run(sys.executable, "-m", "twine", "check", "--strict", source, wheel)
    return source, wheel


def try_wheel(wheel: Path, python: Path, place: Path) -> None:
    """Install a wheel alone, import it with warnings as errors, and use it as a newcomer would."""
    new = environment(python, place / "venv")
    run(new, "-m", "pip", "install", "--quiet", wheel)
    work = place / "work"
    work.mkdir()
    run(new, "-W", "error", "-c", "import kripke_werewolf, visualise", within=work)
    for arguments in FIRST_STEPS:
        run(new, "-m", "kripke_werewolf", *arguments, within=work)
    check_size(new)


def check_size(python: Path) -> None:
    """Compare what an environment weighs, without pip, with docs/install.md, which rounds."""
    place = next(python.parents[1].glob("[Ll]ib/**/site-packages"))
    own = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
    files = [f for f in place.rglob("*") if f.is_file() and not f.relative_to(place).parts[0].startswith(own)]
    packages = len({f.parent for f in files if f.parent.name.endswith(".dist-info") and f.name == "METADATA"})
    weight = sum(f.stat().st_size for f in files) / 2**20
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    said = re.search(r"(\d+) packages and takes (\d+) MB", page)
    print(f"{packages} packages, {weight:.0f} MB", flush=True)
    if said is None or abs(packages - int(said[1])) > 2 or abs(weight - int(said[2])) > 0.15 * weight:
        sys.exit("docs/install.md says something else: " + (said[0] if said else "nothing"))


def try_source(source: Path, python: Path, place: Path) -> None:
    """Unpack the source archive, install it with what its tests need, and run them."""
    with tarfile.open(source) as archive:
        archive.extractall(place, filter="data")
    (unpacked,) = (path for path in place.iterdir() if path.is_dir())
    new = environment(python, place / "venv")
    run(new, "-m", "pip", "install", "--quiet", f"{unpacked}[test]")
    run(new, "-m", "pytest", "-n", "auto", "--dist", "loadfile", within=unpacked)


def environment(python: Path, place: Path) -> Path:
    """Make a virtual environment, and return its interpreter."""
    run(python, "-m", "venv", place)
    return place / ("Scripts" if os.name == "nt" else "bin") / "python"


def run(*command: object, within: Path | None = None) -> None:
    """Run a command; end with its output if it fails."""
    words = [str(word) for word in command]
    print("$", *words, flush=True)
    # compiled files where everybody has them: they count in the size of an installation
    clean = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    done = subprocess.run(
        words, cwd=within, env=clean, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nfailed, exit code {done.returncode}: {' '.join(words)}")


def steps(arguments: argparse.Namespace, place: Path) -> Iterator[str]:
    """Do one check after the other; yield the results."""
    source, wheel = build(place)
    yield f"built {source.name}, {wheel.name}; their metadata is right"
    for version, python in pythons().items():
        room = place / version
        room.mkdir()
        try_wheel(wheel, python, room)
        yield f"Python {version}: the wheel installs, imports without a warning, and answers"
        shutil.rmtree(room)
    if not arguments.no_tests:
        room = place / "source"
        room.mkdir()
        try_source(source, Path(sys.executable), room)
        yield "the tests of the source archive pass"


def main(words: Sequence[str] | None = None) -> None:
    """Run the checks, and print their results."""
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=__doc__)
    parser.add_argument("--no-tests", action="store_true", help="leave out the tests of the source archive")
    parser.add_argument(
        "--tag", help="the tag that is released, such as v1.0.0: the version must be the same"
    )
    parser.add_argument("--keep", type=Path, help="where to leave the archives, if nothing is wrong")
    arguments = parser.parse_args(words)
    settings = Publication()
    version, _ = settings.release
    for name in settings.empty:
        print(f"still empty, so this check will fail: {name}", flush=True)
    if arguments.tag not in (None, f"v{version}"):
        sys.exit(f"the tag is {arguments.tag}; it must be v{version}, the newest release in CHANGELOG.md")
    with tempfile.TemporaryDirectory() as place:
        for shown in steps(arguments, Path(place)):
            print("ok:", shown, flush=True)
        publication(["--check"])
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            for archive in Path(place).glob("*.*"):
                shutil.copy(archive, arguments.keep)


if __name__ == "__main__":
    main()
