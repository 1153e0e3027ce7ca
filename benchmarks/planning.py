"""Epistemic planning: how far each family of tasks goes, breadth-first, in a given CPU time.

    python -m benchmarks.planning [--seconds 30] [--plot planning.png] [--files FOLDER]

A family grows in one size: children, callers, rooms, blocks, or the depth of knowledge. For each size the
table has the length of a shortest plan, the number of states, the CPU time, and states per second; the last
row of a family is the largest size that is solved in the time. `--plot` writes the times as a picture, and
`--files` the tasks as EPDDL and JSON for other planners.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import kripke_werewolf as kw
from benchmarks.timing import timed
from kripke_werewolf.logic.puzzles import everybody_knows_all, muddy_children, public_calls
from kripke_werewolf.research.planning import PlanFound, Task, find_plan
from kripke_werewolf.research.planning.epddl import ground_data, parse_task, to_epddl
from visualise.palette import pen


class Solved(NamedTuple):
    """A solved task of a family."""

    size: int
    found: PlanFound
    seconds: float


def children(n: int) -> Task:
    """Return the task of the father of n muddy children."""
    puzzle = muddy_children(n, muddy=n)
    says = {name: puzzle.formulas[name] for name in ("father", "nobody")}
    goal = kw.conjunction(kw.Kw(str(i), f"muddy_{i}") for i in range(1, n + 1))
    return Task(puzzle.model, says, goal, name=f"children-{n}")


def callers(n: int) -> Task:
    """Return the task of telling n secrets in calls of two."""
    return Task(*public_calls(n), everybody_knows_all(n), name=f"callers-{n}")


def rooms(n: int) -> Task:
    """Return the task of finding a coin in one of n rooms in a row, and telling where it is.

    Ann walks; she sees what is in the room where she is, and is heard in the next room, where Bob waits.
    """
    places = range(n)
    coins = {f"coin_{k}": [k] for k in places}
    where = {f"in_{k}": list(places) if k == 0 else [] for k in places}
    start = kw.KripkeModel.from_partitions(places, {x: [places] for x in "ab"}, coins | where, [n - 1])
    acts: dict[str, kw.ActionModel] = {}
    for k in places:
        for other in (k - 1, k + 1):
            if other in places:
                step = kw.Event(f"in_{k}", {f"in_{k}": False, f"in_{other}": True})
                acts[f"walk {k} {other}"] = kw.ActionModel({"walk": step}, {}, others=[("walk", "walk")])
        acts[f"look {k}"] = kw.observe("a", [f"in_{k} & coin_{k}", f"in_{k} & ~coin_{k}"])
        acts[f"tell {k}"] = kw.public(f"in_0 & K_a coin_{k}")
    return Task(start, acts, kw.K("b", f"coin_{n - 1}"), name=f"rooms-{n}")


_BLOCKS = """(define (domain blocks) (:predicates (on ?x ?y) (free ?x) (block ?x))
 (:action stack :parameters (?b ?from ?to)
  :precondition (and (block ?b) (free ?b) (on ?b ?from) (free ?to) (block ?to) (not (= ?b ?to)))
  :effect (and (on ?b ?to) (free ?from) (not (on ?b ?from)) (not (free ?to))))
 (:action down :parameters (?b ?from)
  :precondition (and (block ?b) (block ?from) (free ?b) (on ?b ?from))
  :effect (and (on ?b table) (free ?from) (not (on ?b ?from)))))"""


def blocks(n: int) -> Task:
    """Return the task of turning a tower of n blocks upside down, without knowledge."""
    tower = " ".join(f"(block b{k}) (on b{k} {f'b{k - 1}' if k else 'table'})" for k in range(n))
    goal = " ".join(f"(on b{k} b{k + 1})" for k in range(n - 1))
    names = " ".join(f"b{k}" for k in range(n))
    problem = (
        f"(define (problem blocks-{n}) (:domain blocks) (:objects table {names})"
        f"(:init {tower} (free b{n - 1})) (:goal (and {goal})))"
    )
    return parse_task({"domain": _BLOCKS, "problem": problem})


def depth(n: int) -> Task:
    """Return the task in which two generals whose messages may be lost come to know that they know … p."""
    acts = {}
    for sender, receiver in ("ab", "ba"):
        sent = f"up & K_{sender} p"
        events: dict[str, kw.Event | str] = {
            "arrives": sent,
            "lost": kw.Event(sent, {"up": False}),
            "dead": f"~up & K_{sender} p",
            "silent": f"~K_{sender} p",
        }
        classes = {
            sender: [["arrives", "lost", "dead"], ["silent"]],
            receiver: [["arrives"], ["lost", "dead", "silent"]],
        }
        acts[f"{sender} sends"] = kw.ActionModel.from_partitions(events, classes, ["arrives"])
    sees = {"a": [["p"], ["q"]], "b": [["p", "q"]]}
    start = kw.KripkeModel.from_partitions("pq", sees, {"up": ["p", "q"], "p": ["p"]}, ["p"])
    goal = kw.formula("p")
    for k in range(n):
        goal = kw.K("ba"[k % 2], goal)
    return Task(start, acts, goal, name=f"depth-{n}")


FAMILIES: dict[str, Callable[[int], Task]] = {
    "children": children,
    "callers": callers,
    "rooms": rooms,
    "blocks": blocks,
    "depth": depth,
}


def solved(family: Callable[[int], Task], seconds: float) -> Iterator[Solved]:
    """Yield the sizes of a family that are solved in a CPU time each, from 2 on."""
    for size in count(2):
        task = family(size)
        end = time.process_time() + seconds

        def stop(states: int, length: int, end: float = end) -> None:
            if time.process_time() > end:
                raise KeyboardInterrupt

        taken, found = timed(lambda task=task, stop=stop: find_plan(task, progress=stop))  # type: ignore[misc]
        if found.plan is None or taken > seconds:
            return
        yield Solved(size, found, taken)


def plot(results: Mapping[str, Sequence[Solved]], seconds: float, path: Path) -> None:
    """Draw the CPU times by size; the legend has the largest tasks that were solved in the time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.subplots()
    families = [(name, rows) for name, rows in results.items() if rows]
    for number, (name, rows) in enumerate(families):
        last = rows[-1]
        told = f"{last.size} {name}: {len(last.found.plan or ())} steps, {last.found.states:,} states"
        sizes, times = [row.size for row in rows], [row.seconds for row in rows]
        axes.plot(sizes, times, "os^Dv"[number] + "-", color=pen(number).colour, label=told)
    axes.axhline(seconds, color="grey", linestyle=":")
    axes.set(xlabel="size", ylabel="CPU seconds", yscale="log", title="Shortest plans")
    axes.set_xticks(range(2, 1 + max(row.size for _, rows in families for row in rows)))
    axes.grid(alpha=0.3)
    title = f"largest in {seconds:g} s"
    figure.legend(loc="outside right upper", frameon=False, title=title, alignment="left")
    figure.savefig(path, dpi=150)
    print(f"written: {path}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--files", type=Path)
    given = parser.parse_args()
    find_plan(children(17), longest=1)  # loads what large models need
    results: dict[str, list[Solved]] = {}
    print(f"{'family':10}{'size':>6}{'steps':>7}{'states':>10}{'seconds':>10}{'states/s':>10}")
    for name, family in FAMILIES.items():
        results[name] = []
        for row in solved(family, given.seconds):
            results[name].append(row)
            length, states = len(row.found.plan or ()), row.found.states
            speed = states / max(row.seconds, 1e-6)
            print(f"{name:10}{row.size:6}{length:7}{states:10,}{row.seconds:10.3f}{speed:10,.0f}", flush=True)
            if given.files is not None:
                task = family(row.size)
                folder = given.files / task.name
                folder.mkdir(parents=True, exist_ok=True)
                for file, content in to_epddl(task).items():
                    (folder / file).write_text(content, encoding="utf-8")
                (folder / f"{task.name}.json").write_text(json.dumps(ground_data(task)), encoding="utf-8")
    if given.plot is not None:
        plot(results, given.seconds, given.plot)


if __name__ == "__main__":
    main()
