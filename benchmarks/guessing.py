"""What guessing earns on the sheets of the course: `python -m benchmarks.guessing --seeds 20`.

For every seed, a class gets each sheet; a guess is one answer that everybody gives to a task, such as a
frequent right one, or one that fits the form. The best guesses of all tasks are the worth of guessing.
Results are added to the file, and those that are there are not computed again. A task that is the same for
all is left out: its answer is not guessed, but copied.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from kripke_werewolf.teach.exercises import Exercise, Sheet, read_sheet
from kripke_werewolf.teach.exercises.sheet import spreads, worth

SHEETS = sorted((Path(__file__).parents[1] / "examples" / "course").glob("week*.toml"))
RULES = ("K", "RK", "PL", "Nec", "MP", "RE", "T", "D", "4", "5", "B", "no property", "reflexive")


def guesses(exercise: Exercise) -> tuple[str, ...]:
    """Return answers that fit the form of an exercise, whatever it asks."""
    boxes = [option.answer for option in exercise.form.options]
    several = [", ".join(boxes), "none"] if exercise.form.several else []
    return (*boxes, *several, "valid", *(f"valid: {rule}" for rule in RULES), "true", "false", "1/2", "w0*:")


def best_guesses(sheet: Sheet, size: int) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Yield the title, the points and the worth of the best guess of each task that differs in a class."""
    levels = sheet.levels()
    variants = [sheet.variant(f"s{place}", levels, place) for place in range(size)]
    for number, (task, spread) in enumerate(zip(sheet.tasks, spreads(variants), strict=True)):
        if spread.exercises > 1:
            given = [variant.exercises[number] for variant in variants]
            best = max(worth(given, answer) for answer in guesses(given[0]))
            yield f"{number + 1} {task.name}", task.points, max(spread.guess, best)


def main() -> None:
    """Print the worth of guessing for each sheet and seed, and its greatest and mean over the seeds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guessing", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--to", type=Path, default=Path("guessing.jsonl"))
    given = parser.parse_args()
    done = (
        [json.loads(line) for line in given.to.read_text("utf-8").splitlines()] if given.to.exists() else []
    )
    known = {(row["sheet"], row["seed"]) for row in done}
    for seed in range(given.seeds):
        for path in SHEETS:
            if (path.stem, seed) in known:
                continue
            found = list(best_guesses(replace(read_sheet(path), seed=seed), given.students))
            whole = sum(points * guess for _, points, guess in found) / sum(points for _, points, _ in found)
            tasks = {title: round(float(guess), 3) for title, _, guess in found}
            done.append({"sheet": path.stem, "seed": seed, "guess": round(float(whole), 3), "tasks": tasks})
            with given.to.open("a", encoding="utf-8") as file:
                print(json.dumps(done[-1], ensure_ascii=False), file=file)
            print(path.stem, seed, f"{float(whole):.1%}", flush=True)
    by_sheet, by_task = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for row in done:
        by_sheet[row["sheet"]].append(row["guess"])
        for title, guess in row["tasks"].items():
            by_task[f"{row['sheet']}, task {title}"].append(guess)
    for name, values in (*sorted(by_sheet.items()), *sorted(by_task.items())):
        mean = sum(values) / len(values)
        print(f"{name}: {len(values)} seeds, mean {mean:.1%}, greatest {max(values):.1%}")


if __name__ == "__main__":
    main()
