"""For which platforms and Pythons the dependencies have wheels: `python -m tests.wheels`.

Asks the package index, through pip, for a wheel of every dependency that pyproject.toml names, for Windows,
macOS and Linux; nothing is kept. A dependency without a wheel must be one that the library does without, with
a message. Exit code 1: a required one is missing somewhere.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# the names that wheels have; of macOS pip takes older versions, too
GLIBC = (34, 31, 28, 27, 24, 17)
PLATFORMS: dict[str, tuple[str, ...]] = {
    "Windows": ("win_amd64",),
    "macOS, Intel": ("macosx_14_0_x86_64", "macosx_14_0_universal2"),
    "macOS, Apple": ("macosx_14_0_arm64", "macosx_14_0_universal2"),
    "Linux, glibc": (*(f"manylinux_2_{n}_x86_64" for n in GLIBC), "manylinux2014_x86_64"),
    "Linux, musl": ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
}
MARKERS = {
    "Windows": {"sys_platform": "win32", "platform_system": "Windows", "platform_machine": "AMD64"},
    "macOS, Intel": {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "x86_64"},
    "macOS, Apple": {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"},
}
WITHOUT = {  # what the library does without them
    "oxidd": "the explicit engine answers; a symbolic structure says what is missing",
    "ortools": "tables with one wolf are explained exactly; the error for more names the extra",
}


def dependencies(extras: Sequence[str]) -> dict[str, list[Requirement]]:
    """Return what is required, under `""`, and what each extra adds; without the extras for developers."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    listed = {"": project["dependencies"]} | {extra: optional[extra] for extra in extras}
    return {extra: [Requirement(line) for line in lines] for extra, lines in listed.items()}


def applies(wanted: Requirement, platform: str, python: str) -> bool:
    """Return whether a dependency is asked for on a platform at all."""
    here = dict(default_environment()) | {"platform_machine": "x86_64"} | MARKERS.get(platform, {})
    here |= {"python_version": python, "python_full_version": f"{python}.0"}
    return wanted.marker is None or wanted.marker.evaluate({**here, "extra": ""})


def has_wheel(wanted: Requirement, empty: str, platform: str, python: str) -> bool:
    """Return whether the index has a wheel of a dependency; `empty` is a directory, and stays so."""
    short = python.replace(".", "")
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--target", empty]
    command += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python]
    command += [word for abi in (f"cp{short}", "abi3", "none") for word in ("--abi", abi)]
    command += [word for name in PLATFORMS[platform] for word in ("--platform", name)]
    command += [f"{wanted.name}{wanted.specifier}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main(words: Sequence[str] | None = None) -> int:
    """Print a table of the wheels by platform."""
    parser = argparse.ArgumentParser(prog="python -m tests.wheels", description=__doc__)
    parser.add_argument(
        "--extras",
        default="infer,notebook,play,pettingzoo,openspiel,tables",
        help="extras to look at",
    )
    parser.add_argument("--pythons", default=",".join(PYTHONS), help="versions to look at")
    arguments = parser.parse_args(words)
    pythons = arguments.pythons.split(",")
    wanted = dependencies(arguments.extras.split(",") if arguments.extras else ())
    places = [(platform, python) for platform in PLATFORMS for python in pythons]
    missing = 0
    with tempfile.TemporaryDirectory() as empty, ThreadPoolExecutor(4) as pool:
        for extra, requirements in wanted.items():
            print(f"[{extra}]" if extra else "required")
            for one in requirements:
                asked = [place for place in places if applies(one, *place)]
                found = list(pool.map(partial(has_wheel, one, empty), *zip(*asked, strict=True)))
                lacks = [f"{p} {v}" for (p, v), there in zip(asked, found, strict=True) if not there]
                none = "; none for " + ", ".join(lacks) if lacks else ""
                print(f"  {one.name:16} {sum(found):2} of {len(asked)}{none}")
                if lacks and one.name in WITHOUT:
                    print(f"  {'':16} without it: {WITHOUT[one.name]}")
                elif lacks and not extra:
                    missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
