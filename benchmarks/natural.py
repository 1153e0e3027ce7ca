"""Natural deductions of random theorems, and wrong ones: `python -m benchmarks.natural`.

Theorems of the eight logics in turn, and of five kinds: plain ones, with common knowledge, with
announcements, with distributed knowledge, and with all of these. Each is proved from the empty sheet, the
hints finish it again from a random row, and the kernel checks the derivation; the program metamath does too
if it is installed. `ms`: CPU time of the search. The mutants are textbook proofs, and a hundred of those
found, with one thing changed (`tests/logic/proofs/natural_mutants.py`); one that is accepted must pass the
kernel, be valid, and be true in all small models and in random ones.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from benchmarks.timing import timed
from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.formulas.logics import logic_named
from kripke_werewolf.logic.proofs import NaturalProof, check, natural_hint, read_natural
from kripke_werewolf.logic.proofs.script import implication
from tests.logic.deciding.test_updates import ATOMS, random_model
from tests.logic.proofs.natural_mutants import KINDS as MUTATIONS
from tests.logic.proofs.natural_mutants import mutants
from tests.logic.proofs.textbook import BOOK
from tests.reference.kripke import extension
from tests.reference.metamath import INSTALLED, accepts, to_metamath
from tests.reference.small_models import SmallModels
from tests.theorems import KINDS, theorems

small = cache(SmallModels)
Row = tuple[float, NaturalProof, bool, bool]


def completed(proof: NaturalProof) -> NaturalProof:
    """Return a proof with the rows that its hint plans."""
    return proof.and_row(*natural_hint(proof).plan)


def accepted(proof: NaturalProof) -> bool:
    """Return whether a proof is finished, right for the kernel, and right for metamath if it is there."""
    if not proof.done:
        return False
    derived = proof.hilbert()
    return check(derived).right and (not INSTALLED or accepts(to_metamath(derived).text))


def refuted(f: Formula, logic: str, rng: Random) -> bool:
    """Return whether a formula is false in a small model of a logic, or in a random one."""
    of = dict.fromkeys("abc", logic)
    models = (random_model(rng, of) for _ in range(20)) if f.atoms <= set(ATOMS) else ()
    found: bool = small(logic, 2, "ab", tuple("pqr")).satisfy(~f)  # type: ignore[no-untyped-call]
    return found or any(extension(m, ~f) for m in models)


def proved(number: int, seed: int) -> dict[str, list[Row]]:
    """Return for each kind times and proofs of theorems, whether they are right, and finished by hints."""
    rng, rows = Random(seed), defaultdict[str, list[Row]](list)
    for f, logic, kind in theorems(number, rng, depth=2 + seed % 2, kinds=(*KINDS, "together", "mixed")):
        start = NaturalProof(logic_named(logic), goal=f)
        seconds, proof = timed(lambda start=start: completed(start))  # type: ignore[misc]
        right = accepted(proof)
        begun = replace(proof, rows=proof.rows[: rng.randrange(len(proof) or 1)])
        natural = right and completed(begun).done
        rows[kind].append((seconds, proof, right, natural))
        if not (right and natural):
            print(f"seed {seed}: {f} in {logic}: {proof.flaw or proof.missing or 'refused'}", flush=True)
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.natural")
    parser.add_argument("--number", type=int, default=1000, help="of theorems, over all seeds")
    parser.add_argument("--mutants", type=int, default=10_000, help="of mutants, over all seeds")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    options = parser.parse_args(arguments)
    rows, failed = defaultdict[str, list[Row]](list), 0
    for seed in options.seeds:
        for kind, found in proved(options.number // len(options.seeds), seed).items():
            rows[kind] += found
    print(f"{'kind':<12}{'theorems':>9}{'right':>7}{'from a row':>12}{'rows':>7}{'ms':>8}{'slowest':>9}")
    for kind, found in rows.items():
        times, proofs, right, finished = zip(*found, strict=True)
        sizes = statistics.median(map(len, proofs))
        speed = f"{1e3 * statistics.median(times):>8.0f}{1e3 * max(times):>9.0f}"
        print(f"{kind:<12}{len(proofs):>9}{sum(right):>7}{sum(finished):>12}{sizes:>7.0f}{speed}")
        failed += 2 * len(proofs) - sum(right) - sum(finished)
    print(f"checked by the kernel{' and by metamath' if INSTALLED else ''}", flush=True)
    counts = Counter[str]()
    for seed in options.seeds:
        rng = Random(seed)
        base = [proof for found in rows.values() for _, proof, right, _ in found if right and len(proof) < 40]
        base = [*map(read_natural, BOOK.values()), *rng.sample(base, min(len(base), 100))]
        for mutant in mutants(base, options.mutants // len(options.seeds), rng):
            if not mutant.done:
                counts["refused"] += 1
                continue
            f = implication(mutant.given, mutant.rows[-1].formula)
            sound = check(mutant.hilbert()).right and valid(f, logic=mutant.logic)
            counts["right" if sound and not refuted(f, mutant.logic.name, rng) else "unsound"] += 1
    print(f"mutants of {len(MUTATIONS)} kinds: {', '.join(f'{n:,} {word}' for word, n in counts.items())}")
    return 1 if failed or counts["unsound"] else 0


if __name__ == "__main__":
    sys.exit(main())
