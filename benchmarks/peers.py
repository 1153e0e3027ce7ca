"""The same questions to other programs: `python -m benchmarks.peers`.

Four tables, each for a program that is compared with if it is here (the other tables are skipped):

* mlsolver's `solve` beside an announcement of the same formula: the worlds that remain, and the CPU time;
* SMCDEL on files that both programs read: muddy children and dining cryptographers;
* CEGARBox++ on formulas of the Logics Workbench in K (see `benchmarks.lwb`);
* plank on tasks in EPDDL: reading and grounding.

The answers must agree. The time of another program is that of its process; for SMCDEL less that of a trivial
file. A program that takes longer than 20 seconds is stopped.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from functools import partial, reduce
from importlib.util import find_spec
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from shutil import which

import kripke_werewolf as kw
from benchmarks.lwb import FAMILIES, STEPS, bracketed
from benchmarks.timing import repeated, timed
from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.formulas import And, Atom, Formula, Iff, Implies, Knows, Not, Or, Possible
from kripke_werewolf.logic.models.formats.mlsolver import to_mlsolver, to_mlsolver_formula
from kripke_werewolf.logic.puzzles import muddy_children
from kripke_werewolf.research.planning.epddl import load_task

LIMIT = 20


def child(command: list[str]) -> tuple[float | None, str]:
    """Return the CPU time of a program (None: it was stopped), and what it prints."""
    import resource  # not on Windows

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def least(command: list[str], runs: int = 3) -> tuple[float | None, str]:
    """Return the least CPU time of several runs, and what the last one prints."""
    times, printed = [], ""
    for _ in range(runs):
        seconds, printed = child(command)
        if seconds is None:
            return None, printed
        times.append(seconds)
    return min(times), printed


def compared(name: str, theirs: float | None, ours: float) -> str:
    """Return a line: both times in ms, and how many times ours is theirs."""
    if theirs is None:
        return f"{name:44} {'over 20 s':>10} {ours * 1e3:10.1f}"
    return f"{name:44} {theirs * 1e3:10.1f} {ours * 1e3:10.1f} {ours / max(theirs, 1e-4):8.2f}"


# --- mlsolver ----------------------------------------------------------------------------------------------


def announcements() -> Iterator[tuple[str, kw.KripkeModel, str]]:
    """Yield names, models and the formulas that are announced in them."""
    blind = kw.KripkeModel.from_partitions(["p", "not p"], {"a": [["p", "not p"]]}, {"p": ["p"]})
    yield "two worlds: p & ~K_a p", blind, "p & ~K_a p"
    for number in (2, 3, 4):
        children = range(1, number + 1)
        somebody = " | ".join(f"muddy_{i}" for i in children)
        nobody = " & ".join(f"~K_{i} muddy_{i} & ~K_{i} ~muddy_{i}" for i in children)
        model = muddy_children(n=number).model
        yield f"muddy children {number}: somebody is muddy", model, somebody
        yield f"muddy children {number}: nobody knows", model.announce(somebody), nobody
    yield "muddy children 4: muddy_1", muddy_children(n=4).model, "muddy_1"


def solving() -> Iterator[str]:
    """Yield the lines of the table beside mlsolver."""
    yield f"{'':44} {'solve':>16} {'announce':>16}"
    yield f"{'':44} {'worlds':>7} {'ms':>8} {'worlds':>7} {'ms':>8}"
    for name, model, announced in announcements():
        structure, asked = to_mlsolver(model), to_mlsolver_formula(announced)
        theirs, left = timed(partial(structure.solve, asked))
        ours, told = timed(partial(model.announce, announced))
        yield f"{name:44} {len(left.worlds):7} {theirs * 1e3:8.1f} {len(told):7} {ours * 1e3:8.2f}"


# --- SMCDEL ------------------------------------------------------------------------------------------------


def listed(numbers: Iterable[int]) -> str:
    """Return numbers as a file lists them."""
    return ",".join(map(str, numbers))


def children_file(number: int) -> str:
    """Return a file about muddy children who all are muddy: they all know after one round less than that."""
    every = range(1, number + 1)
    observers = [f"    child{i}: {listed(j for j in every if j != i)}" for i in every]
    nobody = "AND (" + ",".join(f"~ (child{i} knows whether {i})" for i in every) + ")"
    somebody = f"[! OR ({listed(every)})]"
    rounds = [somebody, *[f"[! {nobody}]"] * (number - 1)]
    lines = [f"VARS {listed(every)}", "LAW Top", "OBS", *observers]
    lines.append(f"VALID? {' '.join(rounds)} AND ({listed(every)})")
    lines.append(f"TRUE? {{{listed(every)}}} {' '.join(rounds[:-1])} {nobody}")
    return "\n".join(lines) + "\n"


def diners_file(number: int) -> str:
    """Return a file about dining cryptographers: their words tell whether one paid, and not who."""
    diners = range(1, number + 1)
    coins = {pair: number + 1 + at for at, pair in enumerate(combinations(diners, 2))}
    seen = {i: listed([i, *(coin for pair, coin in coins.items() if i in pair)]) for i in diners}
    names = ",".join(f"diner{i}" for i in diners)
    hidden = [f"{i} -> ~ (diner{j} knows that {i})" for i, j in permutations(diners, 2)]
    said = " ".join(f"[?! XOR ({seen[i]})]" for i in diners)
    lines = [
        f"VARS {listed(range(number + len(coins) + 1))}",
        f"LAW ONEOF ({listed(range(number + 1))})",
        "OBS",
    ]
    lines += [f"    diner{i}: {seen[i]}" for i in diners]
    lines.append(f"VALID? {said} AND ( 0 -> (({names}) comknow that 0), {', '.join(hidden)} )")
    return "\n".join(lines) + "\n"


def truth_values(printed: str) -> list[bool]:
    """Return the answers that SMCDEL prints."""
    return [word == "True" for word in re.findall(r"(True|False)$", printed, re.MULTILINE)]


def files() -> Iterator[str]:
    """Yield the lines of the table beside SMCDEL."""
    made = [(f"muddy children, n={n}", children_file(n)) for n in (5, 10, 20, 30, 40)]
    made += [(f"dining cryptographers, n={n}", diners_file(n)) for n in (3, 5, 7, 9)]
    yield f"{'':44} {'SMCDEL ms':>10} {'here ms':>10} {'ratio':>8}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "asked.smcdel.txt")

        path.write_text("VARS 1 LAW Top OBS a: 1 VALID? Top", encoding="utf-8")
        start, _ = least(["smcdel", str(path)])
        assert start is not None
        for name, content in made:
            path.write_text(content, encoding="utf-8")
            times, found = repeated(lambda: kw.read_smcdel(path.read_text(encoding="utf-8")).answers(), 3)
            seconds, printed = least(["smcdel", str(path)])
            if seconds is not None:
                assert truth_values(printed) == found, name
                seconds -= start
            yield compared(name, seconds, min(times))


# --- CEGARBox++ ---------------------------------------------------------------------------------------------

PROVED = {
    **dict.fromkeys(("k_branch_p", "k_d4_p", "k_dum_n", "k_grz_p", "k_lin_p"), 21),
    **dict.fromkeys(("k_path_n", "k_poly_n", "k_t4p_p"), 21),
    "k_branch_n": 5,
    "k_ph_p": 7,
}


def in_cegarbox(f: Formula) -> str:
    """Return a formula in the notation of CEGARBox++."""
    parts = [in_cegarbox(part) for part in f.children]
    match f:
        case Atom():
            return f.name
        case Not():
            return f"~{parts[0]}"
        case Knows():
            return f"[1]{parts[0]}"
        case Possible():
            return f"<1>{parts[0]}"
        case And() if parts:
            return f"({' & '.join(parts)})"
        case Or() if parts:
            return f"({' | '.join(parts)})"
        case Implies():
            return f"({parts[0]} => {parts[1]})"
        case Iff():
            return f"({parts[0]} <=> {parts[1]})"
    return {"true": "$true", "false": "$false"}[str(f)]


def proving() -> Iterator[str]:
    """Yield the lines of the table beside CEGARBox++."""
    yield f"{'':44} {'theirs ms':>10} {'here ms':>10} {'ratio':>8}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "asked.txt")
        for name, n in PROVED.items():
            f = bracketed(FAMILIES[name](n), Random(f"1 {name} {n}"))
            path.write_text(in_cegarbox(f) + "\n", encoding="utf-8")
            theirs, printed = least(["cegarbox", "-f", str(path), "--valid"])
            times, found = repeated(partial(valid, f, logic="K", limit=STEPS), 2)
            assert found == name.endswith("_p"), name
            if theirs is not None:
                assert printed.strip() == ("Valid" if found else "Invalid"), name
            yield compared(f"{name}, n={n}", theirs, min(times))


# --- plank --------------------------------------------------------------------------------------------------

DOMAIN = """(define (domain post)
  (:requirements :typing :partial-observability :multi-pointed-models :list-comprehensions :lists
    :negative-preconditions)
  (:action-type-libraries intermediate)
  (:types parcel)
  (:predicates (fragile ?p - parcel))
  (:event rattles :parameters (?p - parcel) :precondition (fragile ?p))
  (:event silent :parameters (?p - parcel) :precondition (not (fragile ?p)))
  (:event nothing)
  (:action shake
    :parameters (?i - agent ?p - parcel)
    :action-type (private-sensing (rattles ?p) (silent ?p) (nothing))
    :observability-conditions (:and (?i Fully) (default Oblivious))))
"""
PROBLEM = """(define (problem parcels)
  (:domain post)
  (:requirements :finitary-S5-theories :modal-goals :knowing-whether :group-modalities :typing)
  (:agents {agents})
  (:objects {parcels} - parcel)
  (:init (:and {fragile}
    (:forall (?i - agent) (:forall (?p - parcel) ([C. All] (<Kw. ?i> (fragile ?p)))))))
  (:goal (and {goal})))
"""


def problem_text(agents: int, parcels: int) -> str:
    """Return a problem: each agent is to know of some of the parcels, which are all fragile."""
    names = [f"p{i}" for i in range(parcels)]
    return PROBLEM.format(
        agents=" ".join(f"a{i}" for i in range(agents)),
        parcels=" ".join(names),
        fragile=" ".join(f"(fragile {name})" for name in names),
        goal=" ".join(f"([a{i % agents}] (fragile {name}))" for i, name in enumerate(names)),
    )


def carried_out(domain: Path, problem: Path, plan: Iterable[str]) -> bool:
    """Return whether a plan reaches the goal of the task in two files."""
    task = load_task(str(domain), str(problem))
    return reduce(task.after, plan, task.model).holds(task.goal)


def tasks() -> Iterator[str]:
    """Yield the lines of the table beside plank: each parcel is shaken by somebody while nobody looks."""
    library = Path(kw.__file__).parent / "research/planning/epddl/libraries/intermediate.epddl"
    yield f"{'':44} {'plank ms':>10} {'here ms':>10} {'ratio':>8}"
    with tempfile.TemporaryDirectory() as folder:
        domain, problem = Path(folder, "post.epddl"), Path(folder, "parcels.epddl")
        domain.write_text(DOMAIN, encoding="utf-8")

        for agents, parcels in ((2, 2), (3, 4), (4, 6), (5, 8), (6, 10)):
            problem.write_text(problem_text(agents, parcels), encoding="utf-8")
            plan = [f"shake_a{i % agents}_p{i}" for i in range(parcels)]
            given = ["-d", str(domain), "-p", str(problem), "-l", str(library)]
            seconds, printed = least(["plank", "validate", *given, "-a", *plan])
            times, found = repeated(partial(carried_out, domain, problem, plan), 3)
            assert found, plan
            assert seconds is None or "true" in printed.lower(), printed
            yield compared(f"{agents} agents, {parcels} parcels shaken", seconds, min(times))


# --- all ----------------------------------------------------------------------------------------------------


def main() -> None:
    """Print the tables of the programs that are here."""
    tables = (
        ("mlsolver", find_spec("mlsolver"), solving),
        ("SMCDEL", which("smcdel"), files),
        ("CEGARBox++", which("cegarbox"), proving),
        ("plank", which("plank"), tasks),
    )
    for name, found, lines in tables:
        if found is None:
            print(f"{name}: skipped, it is not here\n")
            continue
        for line in lines():
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
