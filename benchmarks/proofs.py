"""How long derivations are and how fast they are found: `python -m benchmarks.proofs`.

Random valid implications of two agents, three operators deep, in the eight logics in turn; a third has common
knowledge, a third announcements (`tests/theorems.py`). Each is derived, and the derivation checked.
`lines`: those of the derivation as it is printed; `steps`: those that cite axioms and primitive rules
only; `metamath`: those of the exported proof, the propositional theorems that every file contains left out;
`ms`: CPU time to derive, the median. The program metamath checks all of them if it is installed. A mutant is
a derivation with one symbol or rule changed; `unsound`: accepted by the checker though a line is not valid.
None may be; those that are right are checked by metamath as well. The last line is about the schemas of
`benchmarks.schemas`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from random import Random

from benchmarks.schemas import schema_rows
from benchmarks.timing import timed
from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.proofs import (
    Line,
    Proof,
    check,
    derivation,
    expand,
    tableau,
)
from tests.reference.metamath import INSTALLED, MetamathFile, accepts, to_metamath
from tests.theorems import KINDS, mutant, theorems

Row = tuple[float, int, int]


def spread(numbers: Sequence[float]) -> str:
    """Return median, 90% and maximum."""
    ordered = sorted(numbers)
    return f"{statistics.median(ordered):.0f} / {ordered[len(ordered) * 9 // 10]:.0f} / {ordered[-1]:.0f}"


def changed(proof: Proof, rng: Random) -> Proof:
    """Return a derivation with one of its lines changed."""
    place = rng.randrange(len(proof))
    line = proof.lines[place]
    other = Line(mutant(line.formula, rng), line.rule, line.refs)
    if rng.random() < 0.3:
        rule = rng.choice(
            ["PL", "MP", "Nec", "RK", "RK4", "RK5", "RE", "T", "D", "4", "5", "Mix", "Ind", "Red"]
        )
        other = Line(line.formula, rule, line.refs)
    return Proof(proof.logic, (*proof.lines[:place], other, *proof.lines[place + 1 :]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proofs")
    parser.add_argument("--number", type=int, default=1000, help="of theorems, and of mutants")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rows: dict[str, list[Row]] = defaultdict(list)
    proofs, checking, trees = list[Proof](), 0.0, list[float]()
    files, exporting = defaultdict[str, list[MetamathFile]](list), 0.0
    for found, logic, kind in theorems(options.number, Random(options.seed)):
        seconds, proof = timed(partial(derivation, found, logic=logic))
        assert proof is not None
        spent, answer = timed(partial(check, proof))
        assert answer.right, (found, logic, answer)
        checking += spent
        rows[kind].append((seconds, len(proof), len(expand(proof))))
        proofs.append(proof)
        spent, file = timed(partial(to_metamath, proof))
        exporting += spent
        files[kind].append(file)
        if kind != "common":
            trees.append(timed(partial(tableau, found, logic=logic))[0])
    print(
        f"{'kind':<12}{'theorems':>9}{'lines: median / 90% / max':>30}{'steps':>16}{'metamath':>20}"
        f"{'ms':>8}{'slowest':>9}"
    )
    for kind in KINDS:
        times, lines, steps = zip(*rows[kind], strict=True)
        speed = f"{1e3 * statistics.median(times):>8.1f}{1e3 * max(times):>9.0f}"
        sizes = spread([file.steps for file in files[kind]])
        print(f"{kind:<12}{len(lines):>9}{spread(lines):>30}{spread(steps):>16}{sizes:>20}{speed}")
    total = sum(row[0] for kind in KINDS for row in rows[kind])
    print(f"{len(proofs):,} derived in {total:.1f} s, checked in {checking:.1f} s")
    print(f"exported to metamath in {exporting:.1f} s")
    print(f"{len(trees):,} tableaux in {sum(trees):.1f} s, the slowest in {1e3 * max(trees):.0f} ms")
    refused_files = 0
    if INSTALLED:
        refused_files = sum(not accepts(file.text) for kind in KINDS for file in files[kind])
        print(f"metamath accepts {len(proofs) - refused_files:,} of {len(proofs):,}")
    rng = Random(options.seed)
    mutants = [changed(rng.choice(proofs), rng) for _ in range(options.number)]
    accepted = [proof for proof in mutants if check(proof).right]
    unsound = [p for p in accepted if not all(valid(line.formula, logic=p.logic) for line in p.lines)]
    refused = len(mutants) - len(accepted)
    print(f"{len(mutants):,} mutants: {refused:,} refused, {len(accepted):,} right, {len(unsound):,} unsound")
    if INSTALLED:
        wrong = [p for p in accepted if not accepts(to_metamath(p).text)]
        refused_files += len(wrong)
        print(
            f"metamath accepts {len(accepted) - len(wrong):,} of the {len(accepted):,} mutants that are right"
        )
    schemas = schema_rows()
    slowest = max(answer for _, answer, _ in schemas)
    print(f"{len(schemas)} schemas decided in each logic, the slowest in {1e3 * slowest:.1f} ms")
    return 1 if unsound or refused_files else 0


if __name__ == "__main__":
    sys.exit(main())
