"""Which tests are slow: those that took more than half a second of processor time when they were measured.

`tests/slow.txt` lists them, and conftest.py gives them the mark `slow`, so that `make test` leaves them out.

    python -m tests.slow              measures all tests, and writes the list anew
    python -m tests.slow --check      measures the others; exit code 1 if one of them takes too long
    python -m tests.slow PATH...      measures these, and changes their lines only

What is measured is the time of the test's process and of those that it started, whatever else the machine
does meanwhile. A page of the documentation is one test: its blocks need those above.
"""

import argparse
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("slow.txt")
LIMIT = 0.5  # seconds of processor time
TOLERATED = 1.0  # the same for --check, since machines differ
VARIABLE = "MEASURED_TESTS"


def test_of(node: str) -> str:
    """Return the test of a case: a function of a file with all its parameters, or a page.

    >>> test_of("tests/a/test_b.py::test_c[1-x]"), test_of("docs/play.md::line:3,column:1")
    ('tests/a/test_b.py::test_c', 'docs/play.md')
    """
    path, _, rest = node.partition("::")
    return path if path.endswith(".md") else f"{path}::{rest.partition('[')[0]}"


def known() -> frozenset[str]:
    """Return the tests in the list."""
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _spent() -> float:
    """Return the processor time of this process and all that it started."""
    import psutil

    here = psutil.Process()
    spent = 0.0
    for process in (here, *here.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:  # its parent's `children_user` has its time
            continue
        spent += times.user + times.system + times.children_user + times.children_system
    return spent


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Append the processor time of a test to the file that the environment names."""
    before = _spent()
    result = yield
    with open(os.environ[VARIABLE], "a", encoding="utf-8") as file:
        file.write(f"{_spent() - before:.3f} {item.nodeid}\n")
    return result


def measured(arguments: list[str], folder: Path) -> dict[str, float]:
    """Run tests; return the time of the slowest case of each, or of all blocks of a page."""
    times = folder / "times.txt"
    times.touch()
    command = [sys.executable, "-m", "pytest", "-p", "tests.slow", "-p", "no:cacheprovider", "-n", "auto"]
    command += ["--dist", "loadfile", *arguments]
    subprocess.run(command, cwd=ROOT, env=os.environ | {VARIABLE: str(times)}, check=False)
    cases: dict[str, list[float]] = defaultdict(list)
    for line in times.read_text(encoding="utf-8").splitlines():
        spent, _, node = line.partition(" ")
        cases[test_of(node)].append(float(spent))
    return {test: (sum if test.endswith(".md") else max)(spent) for test, spent in cases.items()}


def main() -> int:
    """Measure, and write or check the list."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="tests (default: all)")
    parser.add_argument("--check", action="store_true", help="measure the tests that are not in the list")
    options = parser.parse_args()
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        times = measured([*options.paths, *(["-m", "not slow"] if options.check else [])], Path(folder))
    if options.check:
        late = {test: spent for test, spent in times.items() if spent > TOLERATED}
        for test, spent in sorted(late.items(), key=lambda one: -one[1]):
            print(f"{spent:5.1f} s  {test}")
        print(f"{len(late)} of {len(times)} tests take more than {TOLERATED} s")
        return 1 if late else 0
    slow = {test for test in known() if test not in times} if options.paths else set()
    slow |= {test for test, spent in times.items() if spent > LIMIT}
    head = "# Tests of more than half a second of processor time; `python -m tests.slow` writes this list.\n"
    LIST.write_text(head + "".join(f"{test}\n" for test in sorted(slow)), encoding="utf-8")
    print(f"{len(slow)} slow tests; {sum(times.values()):.0f} s in all for the slowest case of each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
