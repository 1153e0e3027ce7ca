"""New random examples for the property tests: `make explore-tests MINUTES=10`, or `python -m tests.explore`.

Runs the tests that draw examples (`-m hypothesis`), round after round with a new seed, until the time is up.
The first seed is taken from the clock and printed. A round that is cut off by the time limit counts for the
tests that it finished. A failure is printed with the command that repeats it, and not tried again; the exit
code is then 1.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "CI"} | {"EXPLORE": "1"}


def run_round(seed: int, paths: Sequence[str], *, known: Sequence[str], end: float) -> tuple[list[str], str]:
    """Run the tests with a seed until they or the time end; return what failed, and a summary."""
    command = [
        *(sys.executable, "-m", "pytest", "-m", "hypothesis and not slow", "-p", "no:cacheprovider", "-rfE"),
        *("--tb=short", f"--hypothesis-seed={seed}", "-n", "auto", "--dist", "loadfile"),
        *(word for test in known for word in ("--deselect", test)),
        *paths,
    ]
    running = subprocess.Popen(
        command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        said, _ = running.communicate(timeout=max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGINT)  # pytest stops, and reports what it has found
        said, _ = running.communicate()
    failed = list(dict.fromkeys(re.findall(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", said, re.MULTILINE)))
    passed = sum(map(int, re.findall(r"\b(\d+) passed", said)[-1:]))
    if failed or running.returncode not in (0, 2):
        print(said)
    return failed, f"{passed} passed, {len(failed)} failed"


def main() -> int:
    """Explore until the time is up; return 1 if a test failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="tests (default: all in tests/)")
    parser.add_argument("--minutes", type=float, default=10, help="when to stop (default: 10)")
    parser.add_argument(
        "--seed", type=int, default=int(time.time()), help="the first seed (default: the clock)"
    )
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    seed: int = options.seed
    found: dict[str, int] = {}
    while time.monotonic() < end:
        failed, report = run_round(seed, options.paths or ["tests"], known=list(found), end=end)
        found |= dict.fromkeys(failed, seed)
        print(f"seed {seed}: {report}", flush=True)
        seed += 1
    for test, with_seed in found.items():
        print(f"EXPLORE=1 {sys.executable} -m pytest '{test}' --hypothesis-seed={with_seed}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
