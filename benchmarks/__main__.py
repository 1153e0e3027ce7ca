"""All tables in one run: `python -m benchmarks [--quick] [--page FILE] [NAMES]`, or `make bench`.

Runs the benchmarks one after the other, each in a process of its own, and prints what they print, after the
versions of the programs that they compare with; what is not here is skipped, and the reason is given.
`--quick` takes about five minutes, with smaller models; without it everything takes about an hour.
`--page` also writes the output as a page of the documentation.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Peer(NamedTuple):
    """A program to compare with: the version that the tables are about, and the way to bring it.

    `found`: the version that is here, as a string; empty if it is missing.
    """

    name: str
    version: str
    brought: str
    found: Callable[[], str]


def package(name: str) -> str:
    """Return the version of an installed package; empty if it is missing."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def module(name: str) -> str:
    """Return a word for a module that can be imported but has no version."""
    return "here" if find_spec(name) else ""


def path(name: str) -> str:
    """Return a word for a program that does not tell its version."""
    return "here" if which(name) else ""


def program(name: str, *options: str) -> str:
    """Return the first line that a program prints about its version, empty if it is not on the path."""
    if which(name) is None:
        return ""
    done = subprocess.run([name, *options], capture_output=True, text=True, check=False)
    return next(iter((done.stdout + done.stderr).splitlines()), "here").strip()


PEERS = (
    Peer("numpy", "2.4", "pip install numpy", partial(package, "numpy")),
    Peer("networkx", "3.6", "pip install networkx", partial(package, "networkx")),
    Peer(
        "mlsolver",
        "October 2017",
        "clone github.com/erohkohl/mlsolver, and add its folder to PYTHONPATH",
        partial(module, "mlsolver"),
    ),
    Peer("Graphviz", "2.43 or later", "apt-get install graphviz", partial(program, "dot", "-V")),
    Peer("pygraphviz", "2.0", "pip install pygraphviz", partial(package, "pygraphviz")),
    Peer("DuckDB", "2.0", 'pip install "kripke-werewolf[duckdb]"', partial(package, "duckdb")),
    Peer("python-sat", "1.9", 'pip install "kripke-werewolf[sat]"', partial(package, "python-sat")),
    Peer("OR-Tools", "9.15", 'pip install "kripke-werewolf[infer]"', partial(package, "ortools")),
    Peer("OpenSpiel", "2.0", 'pip install "kripke-werewolf[openspiel]"', partial(package, "open_spiel")),
    Peer("metamath", "0.195", "apt-get install metamath", partial(program, "metamath", "exit")),
    Peer(
        "SMCDEL",
        "1.3.0",
        "build github.com/jrclogic/SMCDEL with GHC (HasCacBDD needs -fno-full-laziness); smcdel on the path",
        partial(program, "smcdel"),
    ),
    Peer(
        "CEGARBox++",
        "August 2023",
        "build github.com/cormackikkert/CEGARBoxCPP; its program kaleidoscope as cegarbox on the path",
        partial(path, "cegarbox"),
    ),
    Peer(
        "plank",
        "1.0",
        "build github.com/a-burigana/plank; plank on the path",
        partial(program, "plank", "help"),
    ),
)


class Table(NamedTuple):
    """A benchmark with its options, in full and `quick` (None: left out); what it `needs`."""

    name: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] | None = ()
    needs: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return the first words of its docstring."""
        return (import_module(f"benchmarks.{self.name}").__doc__ or "").partition(":")[0]

    def command(self, *, quick: bool) -> list[str]:
        """Return the words of the command."""
        options = self.quick if quick and self.quick is not None else self.full
        return ["-m", f"benchmarks.{self.name}", *options]


TABLES = (
    Table("peers", quick=None),
    Table("small"),
    Table("explicit", quick=("--quick",)),
    Table("symbolic", quick=("1",)),
    Table("schemas", quick=("S5",)),
    Table("lwb", ("--seconds", "4"), ("k_path_p", "s4_ph_p", "kt_md_p", "--seconds", "2")),
    Table("clauses", quick=("--seeds", "1", "--limit", "200000")),
    Table("proofs", quick=("--number", "40")),
    Table("natural", quick=("--number", "40", "--mutants", "200", "--seeds", "1")),
    Table("planning", ("--seconds", "10"), ("--seconds", "0.5")),
    Table("tables", ("1e8", "--rows", "--parts", "bcdg"), ("1e5",), ("DuckDB",)),
    Table("superposition", quick=("--players", "8", "10", "--repeats", "1")),
    Table("knowledge", quick=("--repeats", "1")),
    Table("inference", quick=None, needs=("OR-Tools",)),
    Table("avalon", ("--games", "5000", "--many", "0"), None),
    Table("forge", ("--batches", "4"), ("--batches", "1")),
    Table("pictures", quick=None, needs=("pygraphviz", "Graphviz")),
    Table("host", quick=None),
    Table("explorer", quick=None),
)


def versions() -> Iterator[str]:
    """Yield lines about the machine and the programs."""
    yield f"{platform.python_implementation()} {platform.python_version()}, {platform.system()}"
    yield f"{os.cpu_count()} processors, {platform.machine()}"
    for peer in PEERS:
        here = peer.found() or f"not here; the tables were made with {peer.version}: {peer.brought}"
        yield f"{peer.name + ':':12}{here}"


def missing(table: Table) -> list[str]:
    """Return the programs that a table needs and that are not here."""
    return [peer.name for peer in PEERS if peer.name in table.needs and not peer.found()]


def printed(table: Table, *, quick: bool) -> Iterator[str]:
    """Yield the lines of a benchmark while it runs."""
    if quick and table.quick is None:
        yield "skipped: it takes longer than a few minutes"
        return
    if lacking := missing(table):
        yield f"skipped: it needs {' and '.join(lacking)}"
        return
    command = [sys.executable, *table.command(quick=quick)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            yield line.rstrip()
    if running.returncode:
        yield f"failed with exit code {running.returncode}"


def main() -> int:
    """Run the benchmarks; return 1 if one failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAMES", help="the tables; by default all")
    parser.add_argument("--quick", action="store_true", help="smaller models, about five minutes")
    parser.add_argument("--page", type=Path, metavar="FILE", help="also write them as a page")
    given = parser.parse_args()
    names = [table.name for table in TABLES]
    if unknown := [name for name in given.names if name not in names]:
        parser.error(f"{unknown[0]!r} is not a table; the tables are {', '.join(names)}")
    parts = [("Programs", list(versions()))]
    print(*parts[0][1], sep="\n", flush=True)
    for table in TABLES:
        if given.names and table.name not in given.names:
            continue
        shown = " ".join(["python", *table.command(quick=given.quick)])
        print(f"\n== {table.title}: {shown}", flush=True)
        lines, begun = [shown, ""], time.monotonic()
        for line in printed(table, quick=given.quick):
            print(line, flush=True)
            lines.append(line)
        print(f"({time.monotonic() - begun:.0f} s)", flush=True)
        parts.append((table.title, lines))
    if given.page is not None:
        given.page.write_text(PAGE + "".join(map(section, parts)), encoding="utf-8")
        print(f"written: {given.page}")
    return any(line.startswith("failed") for _, lines in parts for line in lines)


PAGE = """# Measured

Printed by `make bench` (an hour) or `make bench QUICK=--quick` (five minutes), on one machine.
Compare the ratios: times depend on the machine.
"""


def section(part: tuple[str, list[str]]) -> str:
    """Return a table as a section of the page."""
    title, lines = part
    return "\n## {}\n\n```text\n{}\n```\n".format(title, "\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
