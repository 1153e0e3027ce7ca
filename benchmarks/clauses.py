"""Random modal clauses and quantified formulas: `python -m benchmarks.clauses [--peer COMMAND]`.

The clauses are those of Giunchiglia and Sebastiani ("Building decision procedures for modal logics from
propositional decision procedures", CADE 1996): clauses of three literals, which are atoms at the innermost
depth and boxes of clauses above it. Most are hard near the number of clauses where half of the formulas
are satisfiable. The quantified formulas are written in K as by Ladner (1977): a tree that branches at each
universal variable, every world of which fixes the variables before it, and whose leaves satisfy the clauses.

A line gives the parameters, the answer, and the CPU time in seconds without start and reading; with `--peer`
also the last word of the answer and the CPU time of a prover that reads a file in the notation of CEGARBox++.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from random import Random

from kripke_werewolf.base.errors import Undecided
from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.formulas import Atom, Formula, K, M, conjunction, disjunction

WIDTH = 3
CLAUSES = [(4, 24, 1), (6, 60, 1), (8, 80, 1), (10, 100, 1), (4, 40, 2), (6, 60, 2), (8, 80, 2), (10, 100, 2)]
QUANTIFIED = [(8, 10), (12, 16), (16, 22), (20, 28)]


def random_clauses(rng: Random, *, atoms: int, clauses: int, depth: int) -> Formula:
    """Return a conjunction of random clauses of three literals of a modal depth."""

    def literal(inside: int) -> Formula:
        if inside:
            found: Formula = K("a", clause(inside - 1))
        else:
            found = Atom(f"q{rng.randrange(atoms)}")
        return found if rng.random() < 0.5 else ~found

    def clause(inside: int) -> Formula:
        return disjunction([literal(inside) for _ in range(WIDTH)])

    return conjunction([clause(depth) for _ in range(clauses)])


def quantified(universal: Sequence[bool], matrix: Sequence[Sequence[int]]) -> Formula:
    """Return a formula that is satisfiable in K iff a quantified formula is true.

    Variable i + 1 is universal if `universal[i]` is true, else existential; the matrix is a list of clauses.
    """

    def at(depth: int, f: Formula) -> Formula:
        for _ in range(depth):
            f = K("a", f)
        return f

    def variable(number: int) -> Formula:
        return Atom(f"p{number}")

    parts = []
    for i, both in enumerate(universal, 1):
        here = variable(i)
        parts.append(at(i - 1, M("a", here) & M("a", ~here) if both else M("a", here | ~here)))
        parts += [at(d, (here >> K("a", here)) & (~here >> K("a", ~here))) for d in range(i, len(universal))]
    for clause in matrix:
        leaf = disjunction([variable(x) if x > 0 else ~variable(-x) for x in clause])
        parts.append(at(len(universal), leaf))
    return conjunction(parts)


def random_quantified(rng: Random, *, variables: int, clauses: int) -> Formula:
    """Return a random quantified formula in which universal and existential variables alternate."""
    matrix = []
    for _ in range(clauses):
        few = [rng.randrange(1, variables + 1, 2), *rng.sample(range(2, variables + 1, 2), 2)]
        matrix.append([rng.choice([-1, 1]) * v for v in few])
    return quantified([i % 2 == 0 for i in range(variables)], matrix)


def peer(command: Sequence[str], f: Formula) -> str:
    """Return the last word of the answer of another prover, and its CPU time."""
    import resource  # not on Windows

    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.write(f"{f}".replace("K_a ", "[1]").replace("M_a ", "<1>").replace("->", "=>") + "\n")
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, file.name], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{(done.stdout.split() or ['?'])[-1]} {taken:.2f}"


def formulas(seed: int) -> Iterator[tuple[str, Formula]]:
    """Yield the formulas of a seed with their parameters."""
    for atoms, clauses, depth in CLAUSES:
        made = random_clauses(Random(seed), atoms=atoms, clauses=clauses, depth=depth)
        yield f"{atoms} atoms, {clauses} clauses, depth {depth}", made
    for variables, clauses in QUANTIFIED:
        yield (
            f"{variables} quantifiers, {clauses} clauses",
            random_quantified(Random(seed), variables=variables, clauses=clauses),
        )


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--limit", type=int, default=10**8, help="steps of a search")
    options.add_argument("--peer", nargs="+", metavar="WORD", help="another prover, as in `main -f`")
    given, words = options.parse_known_args()
    for seed in given.seeds:
        for name, made in formulas(seed):
            start = time.process_time()
            try:
                answer = "unsatisfiable" if valid(~made, "K", limit=given.limit) else "satisfiable"
            except Undecided:
                answer = "undecided"
            taken = time.process_time() - start
            beside = f"  {peer([*given.peer, *words], made)}" if given.peer else ""
            print(f"seed {seed}: {name:36} {answer:13} {taken:7.2f}{beside}", flush=True)


if __name__ == "__main__":
    main()
