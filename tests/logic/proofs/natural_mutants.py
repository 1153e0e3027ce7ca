"""Wrong natural deductions: with one thing changed in a right one, and written to get past a checker."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import LOGICS
from kripke_werewolf.logic.proofs import NaturalProof, NaturalRow

Kind = Callable[[NaturalProof, Random], NaturalProof | None]


def _changed(proof: NaturalProof, place: int, row: NaturalRow) -> NaturalProof:
    return replace(proof, rows=(*proof.rows[:place], row, *proof.rows[place + 1 :]))


def _some(proof: NaturalProof, rng: Random, fits: Callable[[NaturalRow], object]) -> int | None:
    places = [place for place, row in enumerate(proof.rows) if fits(row)]
    return rng.choice(places) if places else None


def _repeated_into_a_box(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Bring a row into a box as if the box were no obstacle."""
    place = _some(proof, rng, lambda row: row.rule in ("KE", "R4", "R5"))
    if place is None:
        return None
    row = proof.rows[place]
    rule = rng.choice(["R", "premise", "assume"])
    return _changed(proof, place, replace(row, rule=rule, cited=row.cited if rule == "R" else ()))


def _through_two_boxes(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Bring a row into a box from outside the box around it."""
    place = _some(proof, rng, lambda row: row.rule in ("KE", "R4", "R5") and row.depth > 1)
    if place is None:
        return None
    row = proof.rows[place]
    outer = [n for n, other in enumerate(proof.rows[:place], 1) if other.depth < row.depth - 1]
    return _changed(proof, place, replace(row, cited=(rng.choice(outer),))) if outer else None


def _other_agent(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Swap the agents of one row."""
    place = _some(proof, rng, lambda row: row.formula.agents)
    if place is None:
        return None
    row, swap = proof.rows[place], {"a": "b", "b": "a"}
    return _changed(proof, place, replace(row, formula=row.formula.rename(agents=lambda a: swap.get(a, a))))


def _weaker_logic(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Use the rules of another logic."""
    return replace(proof, logic=LOGICS[rng.choice(["K", "T", "KD", "K4", "S4", "KD45"])])


def _closed_subproof(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Cite a row of a closed subproof, or from a row one bar further out."""
    place = _some(proof, rng, lambda row: row.depth and row.rule not in ("assume", "box", "invariant"))
    if place is None:
        return None
    row = proof.rows[place]
    if rng.random() < 0.5:
        return _changed(proof, place, replace(row, depth=row.depth - 1))
    end = len(proof) + 1
    return proof.and_row(NaturalRow(0, row.formula, "R", (place + 1,))) if place + 1 < end else None


def _fewer_cases(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Leave out something that is cited."""
    place = _some(proof, rng, lambda row: row.cited)
    if place is None:
        return None
    row, gone = proof.rows[place], rng.randrange(len(proof.rows[place].cited))
    return _changed(proof, place, replace(row, cited=(*row.cited[:gone], *row.cited[gone + 1 :])))


def _under_an_announcement(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Bring the conclusion under an announcement, where agents may be left without worlds."""
    n, last, box = len(proof), proof.rows[-1], s.Box(s.Announce(s.Atom("p")), s.TRUE)
    whole = box.with_children((*box.children[:-1], last.formula))
    added = (
        NaturalRow(1, box, "box"),
        NaturalRow(1, last.formula, "R", (n,)),
        NaturalRow(0, whole, "KI", ((n + 1, n + 2),)),
    )
    return replace(proof, goal=None, premises=()).and_row(*added)


def _other_row(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """Cite a neighbour of a row that is cited."""
    place = _some(proof, rng, lambda row: any(isinstance(n, int) for n in row.cited))
    if place is None:
        return None
    row, step = proof.rows[place], rng.choice([-2, -1, 1, 2])
    cited = tuple(n + step if isinstance(n, int) else n for n in row.cited)
    return _changed(proof, place, replace(row, cited=cited))


def _other_formula(proof: NaturalProof, rng: Random) -> NaturalProof | None:
    """State something else that occurs in the proof."""
    place = rng.randrange(len(proof))
    nodes = [node for row in proof.rows for node in row.formula.subformulas()]
    return _changed(proof, place, replace(proof.rows[place], formula=rng.choice(nodes)))


KINDS: tuple[Kind, ...] = (
    _repeated_into_a_box,
    _through_two_boxes,
    _other_agent,
    _weaker_logic,
    _closed_subproof,
    _fewer_cases,
    _under_an_announcement,
    _other_row,
    _other_formula,
)


def mutants(proofs: list[NaturalProof], number: int, rng: Random) -> Iterator[NaturalProof]:
    """Yield different wrong proofs, of every kind in turn; what they show is not given."""
    seen = set[NaturalProof]()
    tries = 0
    while len(seen) < number and tries < 100 * number:
        tries += 1
        proof = replace(rng.choice(proofs), goal=None, premises=())
        found = KINDS[tries % len(KINDS)](proof, rng)
        if found is not None and rng.random() < 0.3:
            found = rng.choice(KINDS)(found, rng)
        if found is not None and found != proof and found not in seen:
            seen.add(found)
            yield found


HOSTILE = {
    "necessitation of a premise": (
        "outside the strict",
        "1. p   premise\n2. | K_a:   box\n3. | p   R 1\n4. K_a p   KI 2-3",
    ),
    "another agent": (
        "the box is about K_a",
        "1. K_b p   premise\n2. | K_a:   box\n3. | p   KE 1\n4. K_a p   KI 2-3",
    ),
    "two boxes deep": (
        "outside the strict",
        "1. K_a p   premise\n2. | K_b:   box\n3. | | K_a:   box\n4. | | p   KE 1\n5. | K_a p   KI 3-4\n"
        "6. K_b K_a p   KI 2-5",
    ),
    "a closed subproof": ("closed", "1. | p   assume\n2. | p   R 1\n3. p   R 2"),
    "T in K": ("not sound", "logic: K\n1. K_a p   premise\n2. p   T 1"),
    "D in K": (
        "not sound",
        "logic: K\n1. | K_a false   assume\n2. | | K_a:   box\n3. | | false   KE 1\n"
        "4. | false   D 2-3\n5. ~K_a false   ~I 1-4",
    ),
    "D under an announcement": (
        "serial",
        "logic: KD45\n1. | [!p]:   box\n2. | | K_a false   assume\n3. | | | K_a:   box\n"
        "4. | | | false   KE 2\n"
        "5. | | false   D 3-4\n6. | ~K_a false   ~I 2-5\n7. [!p]~K_a false   KI 1-6",
    ),
    "an atom after another announcement": ("!p, ", "1. p   premise\n2. [!q]p   !p 1"),
    "a letter as an atom": ("!, ", "1. q -> φ   premise\n2. [!q]φ   ! 1"),
    "induction that does not say more": (
        "the rule would need",
        "1. p   premise\n2. | p   invariant\n3. | p   R 2\n4. C_{a,b} p   Ind 1, 2-3",
    ),
    "distributed knowledge of another": (
        "the box is about D_{a,b}",
        "1. K_c p   premise\n2. | D_{a,b}:   box\n3. | p   KE 1\n4. D_{a,b} p   KI 2-3",
    ),
    "an empty box": ("a row in it", "1. | K_a:   box\n2. K_a p   KI 1-1"),
}
"""Proofs with a wrong row, each with a part of the reason."""
