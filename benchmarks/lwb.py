"""The families of the Logics Workbench: `python -m benchmarks.lwb [CLASS …] [--published FOLDER]`.

Balsiger, Heuerding and Schwendimann, "A benchmark method for the propositional modal logics K, KT, S4"
(Journal of Automated Reasoning 24, 2000): 27 families of formulas that grow with n, those that end in `_p`
provable, those in `_n` not. A prover is measured by the largest n up to 21 for which it answers in time. The
table gives this n, and the CPU time of the formula. A wrong answer is reported as such, and a formula that is
not provable is answered without its counter-model.

The formulas are written with binary connectives in random brackets, the same in every run of one `--seed`.
With `--published FOLDER` they are read from published files instead: `CLASS.txt`, the format of the Logics
Workbench, with the formulas of a class numbered from 1, or `CLASS.0021.intohylo`, as other provers read it,
with the denial of one formula. Such files are published, for example by the generator in
github.com/cormackikkert/LWB-benchmark-generator; as it has no licence, they are not part of this project.

Partial types (`deciding.partial`) bring all classes but the six of `branch_n` and `ph_p` to n = 21. Those of
`branch_n` force a tree with 2^n leaves, every one of which the search visits, within the default limit up to
n = 10; for `ph_p`, the pigeonhole principle, learning clauses takes exponentially many of them.

The definitions of `k_path_n` and its relatives, `k_ph_n`, `k_grz_p` and `k_t4p_n` are made from those of the
same family in the other logics, or of its other half.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.formulas import (
    FALSE,
    TRUE,
    And,
    Atom,
    Formula,
    K,
    M,
    Or,
    conjunction,
    disjunction,
    formula,
)

SIZES = (21, 18, 15, 12, 9, 7, 5, 3, 1)
LOGICS = {"k": "K", "kt": "T", "s4": "S4"}
STEPS = 10**13

Instance = Callable[[Formula], Formula]


def p(number: int) -> Formula:
    return Atom(f"p{number}")


def box(f: Formula, times: int = 1) -> Formula:
    for _ in range(times):
        f = K("a", f)
    return f


def dia(f: Formula, times: int = 1) -> Formula:
    for _ in range(times):
        f = M("a", f)
    return f


# --- axioms --------------------------------------------------------------------------------------


def axiom_t(f: Formula) -> Formula:
    return box(f) >> f


def axiom_b(f: Formula) -> Formula:
    return f >> box(dia(f))


def axiom_4(f: Formula) -> Formula:
    return box(f) >> box(f, 2)


def axiom_5(f: Formula) -> Formula:
    return ~box(f) >> box(~box(f))


def linear(f: Formula, g: Formula) -> Formula:
    return box((f & box(f)) >> g) | box((g & box(g)) >> f)


def linear_plus(f: Formula, g: Formula) -> Formula:
    return box(box(f) >> g) | box(box(g) >> f)


def axiom_h(f: Formula, g: Formula) -> Formula:
    return (box(f | g) & box(box(f) | g) & box(f | box(g))) >> (box(f) | box(g))


def _returns(f: Formula) -> Formula:
    return box(box(f >> box(f)) >> f)


def grz(f: Formula) -> Formula:
    return _returns(f) >> f


def grz_box(f: Formula) -> Formula:
    return _returns(f) >> box(f)


def dum(f: Formula) -> Formula:
    return _returns(f) >> (dia(box(f)) >> f)


def dum_box(f: Formula) -> Formula:
    return _returns(f) >> (dia(box(f)) >> box(f))


def dum_either(f: Formula) -> Formula:
    return _returns(f) >> (dia(box(f)) >> (f | box(f)))


# --- branch: trees with 2^n leaves -----------------------------------------------------------------


def tree(n: int) -> Formula:
    """Return that a world is at one depth, keeps the bits of those above it, and has two children."""
    deeper = [p(100 + i) >> p(99 + i) for i in range(1, n + 2)]
    keeps = [
        p(100 + i) >> ((bit >> box(p(100 + i) >> bit)) & (~bit >> box(p(100 + i) >> ~bit)))
        for i, bit in ((i, p(i)) for i in range(n + 1))
    ]
    children = [
        (p(100 + i) & ~p(101 + i))
        >> (dia(p(101 + i) & ~p(102 + i) & p(i + 1)) & dia(p(101 + i) & ~p(102 + i) & ~p(i + 1)))
        for i in range(n)
    ]
    return conjunction([*deeper, *keeps, *children])


def branch(logic: str, n: int, *, provable: bool) -> Formula:
    match logic:
        case "k":
            everywhere, end = conjunction(box(tree(n), i) for i in range(n + 1)), box(p(n // 3 + 1), n)
        case "kt":
            everywhere, end = box(tree(n), n), box(p(n // 3 + 1), n)
        case _:
            everywhere, end = box(tree(n)), box(p(n // 3 + 1))
    no_tree = ~(p(100) & ~p(101) & everywhere)
    return no_tree | ~end if provable else no_tree


# --- 45, d4: axioms from other axioms ----------------------------------------------------------------


def derived(
    n: int, wrapped: Callable[[int, Formula], Formula], goal: Formula, givens: Iterable[Formula]
) -> Formula:
    """Return the disjunction, for i up to n, of the goal at depth n and the denials of givens at depth i."""
    denied = list(givens)
    return disjunction(
        disjunction([wrapped(n, goal), *(~wrapped(i, given) for given in denied)]) for i in range(1, n + 1)
    )


def deep(i: int, f: Formula) -> Formula:
    return box(f, i)


def aside(i: int, f: Formula) -> Formula:
    """Return a formula under boxes each of which stands beside others."""
    for _ in range(i):
        f = box(p(0)) | box(f) | box(p(1))
    return f


def d4_p(n: int) -> Formula:
    f = p(0)
    givens = [dia(TRUE), axiom_4(f), axiom_4(dia(f)), axiom_b(f), axiom_b(~f)]
    return derived(n, deep, axiom_t(f), givens)


EITHER = box(p(0)) | box(dia(~p(0)))


def d4_n(n: int) -> Formula:
    f = p(0)
    givens = [
        *(dia(TRUE), axiom_4(f), axiom_4(dia(f)), box(f) >> dia(f)),
        *(axiom_4(dia(f) >> f), axiom_4(box(f) >> f)),
    ]
    return derived(n, deep, EITHER, givens)


def kt_45_p(n: int) -> Formula:
    f = p(0)
    return derived(n, deep, axiom_4(f), [dia(TRUE), axiom_5(dia(~f)), box(axiom_5(f)), axiom_b(f)])


def kt_45_n(n: int) -> Formula:
    f = p(0)
    givens = [axiom_4(f), axiom_4(dia(f)), axiom_t(f), axiom_4(dia(f) >> f), axiom_4(box(f) >> f)]
    return derived(n, deep, EITHER, givens)


def s4_45_p(n: int) -> Formula:
    f = p(0)
    return derived(n, aside, axiom_5(f), [dia(TRUE), axiom_5(dia(~f)), box(axiom_5(f)), axiom_b(f)])


def s4_45_n(n: int) -> Formula:
    f = p(0)
    givens = [axiom_4(f), axiom_4(dia(f)), axiom_t(f), axiom_4(box(f) >> f), axiom_t(box(f) >> f)]
    return derived(n, aside, EITHER, givens)


# --- dum and grz: McKinsey-like axioms -------------------------------------------------------------


def dum_family(n: int, axiom: Instance, given: Formula, goal: Formula, depth: int) -> Formula:
    """Return that instances of an axiom above and below half the depth give the goal."""
    f, half = p(0), n // 2
    at_half = [axiom_4(box(f >> box(f)) >> f), box(axiom_4(f)), axiom(f), axiom(f >> box(f))]
    above = conjunction(box(given, i) for i in range(1, half + 1))
    below = disjunction(dia(~given, i) for i in range(half + 2, n))
    return (above & ~box(goal, depth)) >> (dia(~conjunction(at_half), depth) | below)


def k_dum_p(n: int) -> Formula:
    return dum_family(n, dum, box(axiom_4(p(0))) & dum(p(0)), dum_box(p(0)), n // 2 + 1)


def k_dum_n(n: int) -> Formula:
    return dum_family(n, dum_either, box(axiom_4(p(0))) & dum_either(p(0)), dum(p(0)), n + 1)


def kt_dum_p(n: int) -> Formula:
    return dum_family(n, dum, axiom_4(p(0)), dum_box(p(0)), n // 2 + 1)


def kt_dum_n(n: int) -> Formula:
    return dum_family(n, dum, box(axiom_4(p(0))) & dum(p(0)), grz(p(0)), n // 2 + 1)


@cache
def _nested(i: int) -> Formula:
    return box(_nested(i - 1)) | disjunction(p(k) for k in range(1, 5)) if i else FALSE


def grz_family(n: int, axiom: Instance, side: Instance, goal: Formula) -> Formula:
    """Return that instances of an axiom, with n - 1 superfluous ones, give the goal."""
    returning = box(p(2) >> box(p(2))) >> p(2)
    superfluous = []
    for i in range(1, n):
        inner = _nested(i // 4)
        more = [p(k) for k in range(1, i % 4 + 1)]
        superfluous.append(side(disjunction([box(inner), *more]) if more else inner))
    return conjunction([box(axiom(p(2))), *superfluous, axiom(returning & axiom_4(returning))]) >> goal


def k_grz_p(n: int) -> Formula:
    return grz_family(n, grz, grz, disjunction(grz_box(p(i)) for i in (1, 2, 3)))


def k_grz_n(n: int) -> Formula:
    return grz_family(n, grz_box, grz_box, disjunction(grz(p(i)) for i in (1, 2, 3)))


def kt_grz_p(n: int) -> Formula:
    first, second, third = (grz_box(p(i)) for i in (1, 2, 3))
    return grz_family(n, grz, grz, first | (second & dia(box(~p(0)))) | third | (second & dia(p(0))))


def s4_grz_p(n: int) -> Formula:
    first, second, third = (grz_box(p(i)) for i in (1, 2, 3))
    often = box(dia(p(0)))
    return grz_family(n, grz, grz, first | (second & ~often) | third | (second & ~dia(~(often | p(1)))))


def grz_n(n: int) -> Formula:
    return grz_family(n, grz_box, grz_box, disjunction(axiom_5(p(i)) for i in (1, 2, 3)))


# --- lin: linear frames ------------------------------------------------------------------------------


def k_lin_p(n: int) -> Formula:
    def given(f: Formula, g: Formula) -> Formula:
        return axiom_h((f & box(f) & f) >> g, ~f >> ~(box(g) & g))

    parts = [~given(p(i), p(i + 1)) for i in range(1, n + 1)]
    return disjunction([*parts[: n // 3], linear(p(n), p(n)), *parts[n // 3 :]])


def k_lin_n(n: int) -> Formula:
    def denied(i: int) -> Formula:
        return ~linear(dia(p(i)), p(i + 1)) | ~linear(p(i) >> box(p(i + 1)), p(i + 1))

    before, after = range(1, 2 * n - 1), range(2 * n, 4 * n - 3)
    return disjunction([*map(denied, before), linear_plus(p(n), p(n)), *map(denied, after)])


# --- md: modal depth -----------------------------------------------------------------------------------


def md(logic: str, n: int, *, provable: bool) -> Formula:
    def steps(f: Formula, times: int) -> Formula:
        for _ in range(times):
            f = dia(f) | p(2) if logic == "s4" else dia(f)
        return f

    def through(i: int, f: Formula) -> Formula:
        return steps(box(steps(f, n - i)), i - 1)

    def nested(i: int, f: Formula) -> Formula:
        for k in range(2, i + 1):
            f = through(k, f)
        return f

    ends = [~p(1) & dia(through(1, p(1)))]
    if provable:
        ends += [~p(1) & dia(through(1, p(2))), ~p(2) & dia(through(1, p(1)))]
    parts = [p(1), *(nested(i, end) for i in range(1, n) for end in ends)]
    return disjunction([*parts, nested(n, ~p(1))] if provable else parts)


# --- path: a path through a graph with many dead ends ---------------------------------------------


def path_node(level: int, n: int) -> int:
    node = 2
    for i in range(2, level + 1):
        node += 3 if i > n // 2 else 5
        node -= 6 if node > 6 else 0
    return node


def edges(level: int, n: int, *, cut: int | None) -> Iterable[tuple[int, int]]:
    """Yield the edges from a level of six nodes to the next; the path is cut after the level `cut`."""
    here, there = path_node(level, n), path_node(level + 1, n)
    for node in range(1, 7):
        if node == here:
            ends = [there] if node % 2 == 0 else [1, 3, there, 5]
            ends = [end for end in ends if level != cut or end != there]
        else:
            ends = [end for end in (1, 3, 5) if end != there] if node % 2 else []
        yield from ((node, end) for end in ends)
    for end in (2, 4, 6):
        yield from ((node, end) for node in (2, 4, 6) if node != here)


def path(logic: str, n: int, *, provable: bool) -> Formula:
    """Return that the first level is left, or the last reached, or some edge leads from outside in."""
    levels = n if provable else n + 1
    cut = None if provable else levels // 2
    starts = {1, 3, 5, path_node(1, levels)}
    ends = {2, 4, 6, path_node(levels, levels)}
    parts = [box(p(10 + i), 2 if logic == "s4" else 1) for i in sorted(starts)]
    for level in range(1, levels):
        for node, end in edges(level, levels, cut=cut):
            parts.append(dia(~p(10 * level + node) & box(p(10 * (level + 1) + end)), level))
    last = [~p(10 * levels + i) for i in sorted(ends)]
    if logic == "s4":
        return disjunction([*parts, dia(disjunction(map(dia, last)))])
    return disjunction([*parts, *(dia(f, levels) for f in last)])


# --- ph: pigeonholes -------------------------------------------------------------------------------------


def pigeons(logic: str, n: int, *, provable: bool) -> Formula:
    """Return that of n + 1 pigeons in n holes two are in one; not so, if one place is denied on the right."""

    def sits(i: int, j: int) -> Formula:
        place = p(100 * i + j)
        return box(place) if i < j else place

    def denied(i: int, j: int) -> Formula:
        return ~sits(i, j) if not provable and i == j == 2 * n // 3 + 1 else sits(i, j)

    left = conjunction(disjunction(sits(i, j) for j in range(1, n + 1)) for i in range(1, n + 2))
    pairs = [
        denied(i, j) & denied(k, j) for j in range(1, n + 1) for i, k in combinations(range(1, n + 2), 2)
    ]
    right = disjunction(map(dia, pairs) if logic == "s4" else pairs)
    return (dia(left) if logic == "k" else left) >> dia(right)


# --- poly, t4p, ipc, s5 ----------------------------------------------------------------------------


def poly(logic: str, n: int, *, provable: bool) -> Formula:
    """Return that two neighbours among the corners of a polygon are equal: provable for an odd number."""
    factor = 5 if logic == "kt" and provable else 3
    corners = factor * n + (n % 2 != provable)
    shift = 2 if logic == "kt" else 0
    inner: Formula = FALSE
    for i in range(1, corners + 1):
        neighbour = p(1) if i == corners else p(i + 1)
        inner = dia(inner | dia(p(i).iff(neighbour), i + shift)) | box(p(i + 2))
    every = [p(i) for i in range(1, corners + 2)]
    even = [~p(2 * i) for i in range(1, corners + 2)]
    return box(conjunction(every), corners + 1) | inner | box(conjunction(even), corners + 1)


def t4p(logic: str, n: int, *, provable: bool) -> Formula:
    f, g = p(0), p(0) & dia(~p(3))
    often = box(dia(f))
    stays = box((dia(often) & f) >> box(g))
    parts = {
        ("k", True): [
            often >> dia(g),
            box(box(~box(dia(g))) >> ~often),
            often >> box(dia(g), 2),
            stays,
            box(dia(g)),
        ],
        ("k", False): [often >> dia(g), box(box(~box(dia(g))) >> ~often), often >> box(dia(g), 2), stays],
        ("kt", True): [often >> box(dia(g), 2), stays, box(dia(g))],
        ("kt", False): [often >> dia(g), often >> box(dia(g), 2), stays],
        ("s4", True): [stays, box(dia(g))],
        ("s4", False): [often >> dia(g), stays],
    }
    given = conjunction(parts[logic, provable])
    for _ in range(
        {("s4", True): 2 * n - 1, ("s4", False): 4 * n - 1}.get(
            (logic, provable), n if provable else 2 * n - 1
        )
    ):
        match logic:
            case "k":
                given = box(axiom_4(p(1))) & box(given) & box(axiom_4(dia(p(1))))
            case "kt":
                given = box(axiom_4(p(1))) & box(given)
            case _:
                given = dum(p(1)) & box(given)
    goal = dia(box(f))
    for _ in range(n if provable else 2 * n - 1):
        goal = dia(~axiom_4(~p(1))) | box(goal) | box(axiom_5(p(1)))
    return goal | ~given | dia(p(4))


def ipc(n: int, *, provable: bool) -> Formula:
    every = conjunction(box(p(j)) for j in range(1, n + 1))
    parts = [box(box(box(p(i)) >> every) >> FALSE) for i in range(1, n + 1) if provable or i != (n + 1) // 2]
    return conjunction(parts) >> FALSE


def s5(n: int, *, provable: bool) -> Formula:
    last = 3 * n if provable else 6 * n

    def differ(end: int) -> Formula:
        found: Formula = FALSE
        for i in range(end - 1, 0, -1):
            found = dia((p(i) & ~p(i + 1)) | (~p(i) & p(i + 1))) | box(found)
        return found

    if provable:
        equal = disjunction(p(i).iff(p(i + 1)) for i in range(1, 3 * n - 1))
        inside = box(equal) | box(p(last)) | differ(3 * n - 1)
    else:
        inside = box(p(last)) | differ(6 * n - 5)
    return box(dia(inside)) | box(dia(p(1)) >> ~p(last))


# --- the classes ---------------------------------------------------------------------------------------


def _both(name: str, family: Callable[..., Formula], *logic: str) -> dict[str, Callable[[int], Formula]]:
    return {
        f"{name}_p": lambda n: family(*logic, n, provable=True),
        f"{name}_n": lambda n: family(*logic, n, provable=False),
    }


FAMILIES: dict[str, Callable[[int], Formula]] = {
    "k_d4_p": d4_p, "k_d4_n": d4_n, "k_dum_p": k_dum_p, "k_dum_n": k_dum_n,
    "k_grz_p": k_grz_p, "k_grz_n": k_grz_n, "k_lin_p": k_lin_p, "k_lin_n": k_lin_n,
    "kt_45_p": kt_45_p, "kt_45_n": kt_45_n, "kt_dum_p": kt_dum_p, "kt_dum_n": kt_dum_n,
    "kt_grz_p": kt_grz_p, "kt_grz_n": grz_n,
    "s4_45_p": s4_45_p, "s4_45_n": s4_45_n, "s4_grz_p": s4_grz_p, "s4_grz_n": grz_n,
    **_both("s4_ipc", ipc), **_both("s4_s5", s5),
}  # fmt: skip
for _logic in LOGICS:
    for _name, _family in (("branch", branch), ("path", path), ("ph", pigeons), ("t4p", t4p)):
        FAMILIES |= _both(f"{_logic}_{_name}", _family, _logic)
for _logic in ("k", "kt"):
    FAMILIES |= _both(f"{_logic}_poly", poly, _logic)
for _logic in ("kt", "s4"):
    FAMILIES |= _both(f"{_logic}_md", md, _logic)


# --- how they are written --------------------------------------------------------------------------------


def bracketed(f: Formula, rng: Random) -> Formula:
    """Return a formula with binary conjunctions and disjunctions, in random brackets."""

    def step(node: Formula) -> Formula:
        if not isinstance(node, And | Or):
            return node
        parts = list(node.children)
        while len(parts) > 1:
            at = rng.randrange(len(parts) - 1)
            parts[at : at + 2] = [type(node)(*parts[at : at + 2])]
        return parts[0]

    return f.rewrite(step)


_WORDS = {"[r1]": "K_a", "box": "K_a", "<r1>": "M_a", "dia": "M_a", "v": "|"}


def read(text: str) -> Formula:
    """Return a formula in the notation of the Logics Workbench or of InToHyLo, with one modality.

    >>> read("(box(p0 v (dia ~p1)) -> ([r1] p0) & <r1>true)").unicode()
    'K_a (p0 ∨ M_a ¬p1) → K_a p0 ∧ M_a ⊤'
    """
    return formula(re.sub(r"\[r1\]|<r1>|\b(?:box|dia|v)\b", lambda found: f" {_WORDS[found[0]]} ", text))


def published(folder: Path, name: str, n: int) -> Formula:
    """Return a formula of a published file; see above."""
    denied, numbered = folder / f"{name}.{n:04}.intohylo", folder / f"{name}.txt"
    if denied.exists():
        return ~read(denied.read_text(encoding="utf-8").strip().removeprefix("begin").removesuffix("end"))
    if numbered.exists():
        found = re.search(
            rf"^\s*{n}\s*:([^:]*?)(?=^\s*\d+\s*:|^\s*end\b|\Z)", numbered.read_text(encoding="utf-8"), re.M
        )
        if found:
            return read(found[1])
    raise SystemExit(f"{folder} has neither {denied.name} nor formula {n} of {numbered.name}")


def answered(name: str, n: int, texts: Path | None, seed: int) -> str:
    """Decide one formula, and tell the answer and the CPU time with start and reading."""
    if texts is None:
        asked = bracketed(FAMILIES[name](n), Random(f"{seed} {name} {n}"))
    else:
        asked = published(texts, name, n)
    found = valid(asked, logic=LOGICS[name.partition("_")[0]], limit=STEPS)
    return f"{'right' if found == name.endswith('_p') else 'WRONG'} {time.process_time():.2f}"


def row(name: str, sizes: Iterable[int], seconds: int, further: list[str]) -> tuple[int, str]:
    """Return the largest of the sizes that is answered in time, and the answer."""
    import resource  # not on Windows

    for n in sizes:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.lwb", name, "--one", str(n), *further],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )
        if done.returncode == 0:
            return n, done.stdout.strip()
        if done.returncode > 0:
            raise SystemExit(done.stderr)
    return 0, ""


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("classes", nargs="*", help="the classes to try; by default all 54")
    options.add_argument("--seconds", type=int, default=11, help="CPU time for a formula")
    options.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="the sizes to try, in this order"
    )
    options.add_argument(
        "--published", type=Path, metavar="FOLDER", help="read the formulas from published files"
    )
    options.add_argument("--seed", type=int, default=1, help="of the brackets")
    options.add_argument("--one", type=int, metavar="N", help="decide one formula of one class")
    given = options.parse_args()
    if unknown := [name for name in given.classes if name not in FAMILIES]:
        options.error(f"there is no class {unknown[0]}; the classes are {', '.join(sorted(FAMILIES))}")
    if given.one:
        print(answered(given.classes[0], given.one, given.published, given.seed))
        return
    further = ["--seed", str(given.seed), *(["--published", str(given.published)] if given.published else [])]
    rows = {}
    for name in given.classes or sorted(FAMILIES):
        rows[name] = row(name, given.sizes, given.seconds, further)
        n, answer = rows[name]
        print(f"{name:14}{n:4}  {answer}", flush=True)
    reached = sum(n == given.sizes[0] for n, _ in rows.values())
    wrong = sum(answer.startswith("WRONG") for _, answer in rows.values())
    print(
        f"{reached} of {len(rows)} classes reach n = {given.sizes[0]} within {given.seconds} s; {wrong} wrong"
    )


if __name__ == "__main__":
    main()
