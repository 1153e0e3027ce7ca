"""Help with a derivation: missing rules, and a hint for the first wrong line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from kripke_werewolf.deciding.decision import DEFAULT_STEPS, decide_validity
from kripke_werewolf.deciding.sat import Steps
from kripke_werewolf.errors import FormulaError, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.proofs.abbreviations import Abbreviator, unabbreviated
from kripke_werewolf.proofs.checker import Checking, check
from kripke_werewolf.proofs.derived import DERIVED, write_line
from kripke_werewolf.proofs.natural_search import Hint
from kripke_werewolf.proofs.premises import GIVEN, WITHIN_A_WORLD
from kripke_werewolf.proofs.proof import Line, Proof, pruned
from kripke_werewolf.proofs.prover import derived_lines
from kripke_werewolf.proofs.script import Script, implication
from kripke_werewolf.proofs.systems import system
from kripke_werewolf.proofs.tautologies import follows
from kripke_werewolf.reports.tables import counted

_FROM_ONE = ("Nec", "RK", "RE")
_FROM_ALL = ("PL", "RK", "RK4", "RK5", "RK45", "Ind", "Ind!", "Ind@", "Red")


def fill(proof: Proof, *, limit: int = DEFAULT_STEPS) -> Proof:
    """Return a derivation with a rule for each line without one, if a single step suffices.

    A line is left unchanged if the search takes more than `limit` steps.

    >>> from kripke_werewolf.proofs.text import read_proof
    >>> print(fill(read_proof("p & q -> p\\nK_a (p & q) -> K_a p", logic="K")))
    logic: K
    1. p & q -> p               PL
    2. K_a (p & q) -> K_a p     RK 1
    """
    checking, lines = Checking(proof.logic, limit, proof.premises, proof.rules), list[Line]()
    for line in proof.lines:
        found = line
        try:
            found = line if line.rule else _one_step(checking, line.formula) or line
            flaw = checking.add(found)
        except Undecided as reason:
            flaw = str(reason)
        lines.append(found)
        if flaw is not None:
            break
    return replace(proof, lines=(*lines, *proof.lines[len(lines) :]))


def _one_step(checking: Checking, f: Formula) -> Line | None:
    """Return a formula as the next line of a derivation by a single rule, if there is one."""
    for rule, refs in _tries(checking, unabbreviated(f)):
        if checking.allows(Line(f, rule, refs)):
            return Line(f, rule, refs)
    for rule in _FROM_ALL:
        everywhere = rule not in WITHIN_A_WORLD
        above = tuple(n for n, rests in enumerate(checking.rests, 1) if not (rests and everywhere))
        if checking.allows(Line(f, rule, above)):
            refs = above
            for ref in above:
                fewer = tuple(n for n in refs if n != ref)
                if checking.allows(Line(f, rule, fewer)):
                    refs = fewer
            return Line(f, rule, refs)
    return None


def _tries(checking: Checking, f: Formula) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield GIVEN, ()
    for rule in system(checking.logic):
        if rule.is_axiom and rule.name != "Taut":
            yield rule.name, ()
    for name, rules in DERIVED.items():
        if any(rule.lines(f) for rule in rules) or name in ("Def", "Mix!"):
            yield name, ()
    yield "PL", ()
    formulas = [unabbreviated(line.formula) for line in checking.lines]
    for major, g in enumerate(formulas, 1):
        if isinstance(g, s.Implies) and g.right is f:
            yield from (("MP", (major, n)) for n, h in enumerate(formulas, 1) if h is g.left)
    for rule_name in _FROM_ONE:
        yield from ((rule_name, (n,)) for n in range(len(formulas), 0, -1))


def hint(proof: Proof, *, limit: int = DEFAULT_STEPS) -> str:
    """Return a hint for the first wrong line of a derivation; empty if all lines are correct.

    In this order: a rule that yields the line directly; the wrong agent or direction; that the formula is not
    valid, with a counter-model; or a possible next line.
    """
    found = check(proof, limit=limit)
    if found.line is None:
        return ""
    checking = Checking(proof.logic, limit, proof.premises, proof.rules)
    line = proof.lines[found.line - 1]
    for right in proof.lines[: found.line - 1]:
        checking.add(right)
    return "".join(_hints(checking, line, limit)) or "no hint is known"


def _hints(checking: Checking, line: Line, limit: int) -> Iterator[str]:
    try:
        step = _one_step(checking, line.formula)
        if step is not None:
            yield f"the line is right by {step.reason}"
            return
        # a tautology with other agents or in the other direction is seldom intended
        for other, what in _variants(line.formula):
            if line.rule not in ("", "Taut", "PL") and checking.allows(replace(line, formula=other)):
                yield f"{line.reason} gives {other}: {what}"
                return
        whole = implication(checking.premises, line.formula)
        decided = decide_validity(whole, logic=checking.logic, limit=limit)
        if not decided.answer:
            yield f"{whole if checking.premises else 'the formula'} is {decided}"
            return
        lines = completion(checking, line.formula, limit)
        assert lines, f"{line.formula} is valid, so it has a derivation"
        first = f"{lines[0].formula}   {lines[0].reason}"
        yield f"the formula is valid, but does not follow in one step; a line to derive first: {first}"
    except (FormulaError, Undecided) as reason:
        yield f"whether the formula is valid at all is not known: {reason}"


def towards_goal(proof: Proof, *, limit: int = DEFAULT_STEPS) -> Hint:
    """Return the next line on the way to the goal, in a derivation whose lines are right.

    If the goal does not follow, `why` has a counter-model.

    >>> from kripke_werewolf.proofs.text import read_proof
    >>> towards_goal(read_proof("show: p -> M_a p\\n1. K_a ~p -> ~p   T")).row
    'p -> M_a p   PL 1'
    """
    try:
        if proof.goal is None or not proof.missing:
            return Hint("", "all lines are right")
        checking = Checking(proof.logic, limit, proof.premises, proof.rules)
        for line in proof.lines:
            checking.add(line)
        plan = completion(checking, proof.goal, limit)
        if plan is None:
            whole = implication(proof.premises, proof.goal)
            return Hint("", f"{proof.sequent()}: {decide_validity(whole, logic=proof.logic, limit=limit)}")
    except (FormulaError, Undecided) as reason:
        return Hint("", str(reason))
    if not all(checking.allowed(line.rule) for line in plan):
        return Hint("", f"no derivation of the goal by these rules alone is known: {', '.join(proof.rules)}")
    return Hint(
        f"{plan[0].formula}   {plan[0].reason}", f"on a path of {counted(len(plan), 'line')} to the goal"
    )


def completion(checking: Checking, goal: Formula, limit: int) -> list[Line] | None:
    """Return lines that lead from those of a derivation to a goal; None if it does not follow.

    Where possible they cite existing lines, and only allowed rules.
    """
    step = _one_step(checking, goal)
    if step is not None:
        return [step]
    f, before = unabbreviated(goal), len(checking.lines)
    formulas = [unabbreviated(line.formula) for line in checking.lines]
    known = {g: n for n, g in enumerate(formulas, 1) if not checking.rests[n - 1]}
    stated = {g: n for n, g in enumerate(formulas, 1) if checking.rests[n - 1]}
    plan = [Line(premise, GIVEN) for premise in checking.premises if premise not in stated]
    stated |= {line.formula: before + n for n, line in enumerate(plan, 1)}
    lines = derived_lines(implication([*stated], f), checking.logic, Steps(limit), [*known])
    if lines is None:
        return None
    place = [*known.values(), *range(before + len(plan) + 1, before + len(plan) + len(lines) + 1)]
    plan += [replace(line, refs=tuple(place[n - 1] for n in line.refs)) for line in lines]
    if stated:  # the last line, if it is not known already, is the implication from these
        last = [plan.pop()] if lines else []
        found = known | stated | {line.formula: before + n for n, line in enumerate(plan, 1)}
        if follows([*found], f, limit=limit) is None:
            plan += last
            found |= {line.formula: before + len(plan) for line in last}
        if checking.allowed("MP"):
            plan += _detached(found, before + len(plan))
        if f in found:
            del plan[found[f] - before :]
        else:
            needed = follows([*found], f, limit=limit) or ()
            plan.append(Line(f, "PL", tuple([*found.values()][n] for n in needed)))
    plan = pruned(plan, before)
    if not all(checking.allowed(line.rule) for line in plan):
        plan = _in_smaller_steps(checking, plan)
    shown = Abbreviator(s.conjunction([goal, *(line.formula for line in checking.lines)])).written
    above = [replace(line, formula=shown(line.formula)) for line in plan[:-1]]
    return [*above, replace(plan[-1], formula=goal)]


def _detached(known: dict[Formula, int], before: int) -> Iterator[Line]:
    """Yield lines by MP from known formulas, given with their numbers, as long as there are new ones."""
    while new := [g for g in known if isinstance(g, s.Implies) and g.left in known and g.right not in known]:
        refs = known[new[0]], known[new[0].left]
        known[new[0].right] = before = before + 1
        yield Line(new[0].right, "MP", refs)


def _in_smaller_steps(checking: Checking, plan: Sequence[Line]) -> list[Line]:
    """Return a plan where lines by rules that are not allowed are expanded."""
    script, numbers = Script(checking.logic, write_line, checking.limit), list[int]()
    for line, rests in zip(checking.lines, checking.rests, strict=True):
        numbers.append(script.take(replace(line, formula=unabbreviated(line.formula)), known=not rests))
    for line in plan:
        refs = tuple(numbers[n - 1] for n in line.refs)
        if checking.allowed(line.rule):
            numbers.append(script.take(replace(line, refs=refs), known=line.rule != GIVEN))
        else:
            numbers.append(write_line(script, line, refs))
    before = len(checking.lines)
    return pruned(script.lines[before : numbers[-1]], before)


def _variants(f: Formula) -> Iterator[tuple[Formula, str]]:
    """Yield formulas that may have been intended."""
    if isinstance(f, s.Implies):
        yield s.Implies(f.right, f.left), "the other direction"
    for node in reversed(list(f.subformulas())):
        if isinstance(node, s.OfAgent):
            for agent in sorted(f.agents - {node.agent}):
                other = type(node)(agent, node.body)
                yield f.rewrite(lambda g, old=node, new=other: new if g is old else g), "another agent"  # type: ignore[misc]
    for a, b in permutations(sorted(f.agents), 2):
        if a < b:
            swap = {a: b, b: a}
            yield f.rename(agents=lambda name, swap=swap: swap.get(name, name)), "other agents"  # type: ignore[misc]
