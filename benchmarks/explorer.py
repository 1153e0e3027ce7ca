"""How fast and how large the explorer's page is: `python -m benchmarks.explorer`.

It needs npm, Chromium and Playwright. The offline page is made by the command, and opened from disk with the
network off. Beside each figure stands its goal. Times are of the clock, least of three runs, so
that a busy machine gives larger ones; the load is printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import browsing, window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COMMAND = [sys.executable, "-m", "kripke_werewolf", "explore", "muddy-children", "-n", "3"]
FORMULAS = ["K_1 muddy_1", "M_1 ~muddy_2", "K_2 K_3 muddy_1", "C_{1,2,3} muddy_1", "muddy_1 & M_3 muddy_2"]
RUNS = 3

TYPED = """
async (text) => {
  const line = document.querySelector(".line"), input = line.querySelector(".formula-input");
  const began = performance.now();
  input.value = text;
  input.dispatchEvent(new Event("input"));
  while (line.dataset.answered !== text) await new Promise((done) => setTimeout(done, 0));
  const world = document.querySelector(".canvas g.world .face");
  getComputedStyle(world).fill;
  return performance.now() - began;
}
"""


def drawn(page: Page, path: Path) -> tuple[float, float]:
    """Return the seconds until the first picture, and until the first answer of Python in the page."""
    start = time.perf_counter()
    page.goto(path.as_uri(), wait_until="commit")
    page.wait_for_selector(".canvas g.world")
    picture = time.perf_counter() - start
    page.wait_for_selector("[data-ready]", timeout=120_000)
    return picture, time.perf_counter() - start


def typed(page: Page) -> float:
    """Return the seconds from a typed formula to filled worlds, the median of some."""
    page.wait_for_selector(".palette button")
    page.wait_for_timeout(1500)
    times = []
    for text in FORMULAS * 3:
        times.append(float(page.evaluate(TYPED, text)) / 1000)
        page.wait_for_timeout(800)  # for the completions and the new address
    return sorted(times)[len(times) // 2]


def started() -> float:
    """Return the seconds until the local server has printed the address that it answers at."""
    begin = time.perf_counter()
    with subprocess.Popen([*COMMAND, "--no-browser"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = time.perf_counter() - begin
        process.terminate()
    return seconds


def offline(browser: Browser, path: Path) -> Iterator[tuple[str, float, str, float]]:
    pictures, answers, fills = [], [], []
    for _ in range(RUNS):
        with window(browser) as page:
            page.context.set_offline(True)
            picture, answer = drawn(page, path)
            pictures.append(picture)
            answers.append(answer)
            fills.append(typed(page))
    yield "first picture of the offline file", min(pictures), "s", 4
    yield "first answer of Python in it", min(answers), "s", 4
    yield "typed formula to filled picture", 1000 * min(fills), "ms", 50


def main() -> None:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"the explorer, muddy children with n = 3{load}")
    with tempfile.TemporaryDirectory() as home, browsing() as browser:
        path = Path(home) / "page.html"
        subprocess.run([*COMMAND, "--export", str(path)], check=True, capture_output=True)
        rows = [
            *offline(browser, path),
            ("size of the offline file", path.stat().st_size / 1e6, "MB", 9),
            ("start of the local server", min(started() for _ in range(RUNS)), "s", 1),
        ]
    for what, value, unit, goal in rows:
        print(f"{what:36}{value:8.2f} {unit:4}goal {goal} {unit}")


if __name__ == "__main__":
    main()
