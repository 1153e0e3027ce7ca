"""The proof desk: a proof written line by line, each judged at once, with hints on request.

Help with a derivation: missing rules, and a hint for the first wrong line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, takewhile

from kripke_werewolf.base.errors import FormatError, FormulaError, Undecided
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.deciding.decision import DEFAULT_STEPS, decide_validity
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import Abbreviator, unabbreviated
from kripke_werewolf.logic.proofs.checker import Checked, Checking, check, judgements
from kripke_werewolf.logic.proofs.declarations import NUMBER
from kripke_werewolf.logic.proofs.derivation import derived_lines
from kripke_werewolf.logic.proofs.derived import DERIVED, rules_about, write_line
from kripke_werewolf.logic.proofs.natural import Judgement, NaturalProof, is_natural, read_natural
from kripke_werewolf.logic.proofs.natural_rules import NATURAL, PALETTE, useful
from kripke_werewolf.logic.proofs.natural_search import HINT_STEPS, Hint, natural_hint
from kripke_werewolf.logic.proofs.proof import Line, Proof, pruned
from kripke_werewolf.logic.proofs.script import GIVEN, WITHIN_A_WORLD, Script, implication
from kripke_werewolf.logic.proofs.systems import RULES, system
from kripke_werewolf.logic.proofs.tautologies import follows
from kripke_werewolf.logic.proofs.text import DECLARES, read_proof


def fill(proof: Proof, *, limit: int = DEFAULT_STEPS) -> Proof:
    """Return a derivation with a rule for each line without one, if a single step suffices.

    A line is left unchanged if the search takes more than `limit` steps.

    >>> from kripke_werewolf.logic.proofs.text import read_proof
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
    for rule in ("PL", "RK", "RK4", "RK5", "RK45", "Ind", "Ind!", "Ind@", "Red"):
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
    for rule_name in ("Nec", "RK", "RE"):
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
    try:
        if (step := _one_step(checking, line.formula)) is not None:
            return f"the line is right by {step.reason}"
        # a tautology with other agents or in the other direction is seldom intended
        for other, what in _variants(line.formula):
            if line.rule not in ("", "Taut", "PL") and checking.allows(replace(line, formula=other)):
                return f"{line.reason} gives {other}: {what}"
        whole = implication(checking.premises, line.formula)
        decided = decide_validity(whole, logic=checking.logic, limit=limit)
        if not decided.answer:
            return f"{whole if checking.premises else 'the formula'} is {decided}"
        lines = completion(checking, line.formula, limit)
        assert lines, f"{line.formula} is valid, so it has a derivation"
        first = f"{lines[0].formula}   {lines[0].reason}"
        return f"the formula is valid, but does not follow in one step; a line to derive first: {first}"
    except (FormulaError, Undecided) as reason:
        return f"whether the formula is valid at all is not known: {reason}"


def towards_goal(proof: Proof, *, limit: int = DEFAULT_STEPS) -> Hint:
    """Return the next line on the way to the goal, or a hint for the first wrong line.

    If the goal does not follow, `why` has a counter-model.

    >>> from kripke_werewolf.logic.proofs.text import read_proof
    >>> towards_goal(read_proof("show: p -> M_a p\\n1. K_a ~p -> ~p   T")).row
    'p -> M_a p   PL 1'
    """
    try:
        if why := hint(proof, limit=limit):
            return Hint("", why)
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
    row = f"{plan[0].formula}   {plan[0].reason}"
    return Hint(row, f"on a path of {counted(len(plan), 'line')} to the goal")


def completion(checking: Checking, goal: Formula, limit: int) -> list[Line] | None:
    """Return lines that lead from those of a derivation to a goal; None if it does not follow.

    Where possible they cite existing lines, and only allowed rules.
    """
    if (step := _one_step(checking, goal)) is not None:
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


@dataclass(frozen=True, slots=True)
class Desk:
    """A proof file being worked on: its declarations, its lines as typed, and those taken back.

    >>> desk = read_desk("logic: T\\nshow: p -> M_a p").typed("p -> K_a p   T")
    >>> desk.judged[0].right, desk.hint().why
    (False, 'T gives K_a p -> p: the other direction')
    """

    header: str
    rows: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The proof file: `read_desk` reads it back."""
        return "\n".join([self.header, *(f"{n}. {row}" for n, row in enumerate(self.rows, 1)), ""])

    @property
    def sheet(self) -> Proof | NaturalProof:
        """The proof, in the calculus that the file names."""
        return _read(self.text)

    @property
    def judged(self) -> Sequence[Checked | Judgement]:
        """For each line, whether it is right, or the reason."""
        return self.sheet.judgements if isinstance(self.sheet, NaturalProof) else judgements(self.sheet)

    @property
    def done(self) -> bool:
        """Whether all lines are right and the last one is the goal."""
        return not self.sheet.missing and all(judged.right for judged in self.judged)

    def typed(self, row: str) -> Desk:
        """Return the desk with one more line, right or wrong; it replaces a last line that is wrong.

        Raises `FormatError` for a line that cannot be read.
        """
        wrong = bool(self.rows) and not self.judged[-1].right
        before = self.rows[:-1] if wrong else self.rows
        content, numbered = row.strip(), NUMBER.match(row)
        if numbered and str(len(before) + 1) in numbered.groups():
            content = row[numbered.end() :].strip()
        elif numbered and not numbered[3]:
            raise FormatError(f"expected line {len(before) + 1}, got {numbered[1] or numbered[2]}")
        after = Desk(self.header, (*before, content))
        if len(row.splitlines()) != 1 or len(after.sheet) != len(before) + 1:
            raise FormatError(f"expected one line, such as 'K_a p -> p   T', got {row!r:.60}")
        return after

    def after(self, entry: str) -> tuple[Desk, str]:
        """Return the desk after a line or one of its words (next, undo, redo, rules, quit), and the reply."""
        match entry:
            case "undo" | "redo":
                desk = self.undo() if entry == "undo" else self.redo()
                return desk, desk.text.rstrip()
            case "next":
                hinted = self.hint()
                return self, f"{hinted.why}\n{hinted.row}".rstrip()
            case "rules":
                return self, "\n".join(f"{name}: {text}" for name, text in self.palette.items())
            case "quit":
                return self, ""
        desk = self.typed(entry)
        judged = desk.judged[-1]
        told = "right" if judged.right else f"wrong: {judged.reason}"
        if desk.done:
            told += f"; {desk.sheet.sequent()} is derived"
        return desk, told

    def undo(self) -> Desk:
        """Return the desk without its last line, which `redo` brings back."""
        if not self.rows:
            raise FormulaError("there is no line to take back")
        return Desk(self.header, self.rows[:-1], (*self.undone, self.rows[-1]))

    def redo(self) -> Desk:
        """Return the desk with the line that was taken back last."""
        if not self.undone:
            raise FormulaError("no line was taken back")
        return Desk(self.header, (*self.rows, self.undone[-1]), self.undone[:-1])

    def hint(self) -> Hint:
        """Return the next line on the way to the goal, or help with a wrong line."""
        proof = self.sheet
        if isinstance(proof, Proof):
            return towards_goal(proof, limit=HINT_STEPS)
        found = natural_hint(proof)
        return replace(found, row=_unnumbered(found.row))

    @property
    def palette(self) -> dict[str, str]:
        """The rules that lines may cite, with their meaning: those allowed, or else those about the goal."""
        proof = self.sheet
        about = s.conjunction([f for f in (*proof.premises, proof.goal) if f is not None])
        known = tuple(rules_about(proof.logic, about))
        if isinstance(proof, NaturalProof):
            chosen = [*useful(known, proof.premises)] if proof.rules == PALETTE else [*proof.rules]
            return {name: f"{NATURAL[name].text}: {NATURAL[name].english}" for name in chosen}
        names = proof.rules or (*known, "PL", "RK", "RE", "Red", "Def")
        told = {}
        if proof.premises:
            told[GIVEN] = f"one of {', '.join(map(str, proof.premises))}"
        for name in names:
            if name != GIVEN:
                rule = RULES.get(name) or DERIVED[name][0]
                told[name] = f"{rule.text}: {rule.english}"
        return told


@lru_cache(256)
def _read(text: str, source: str = "proof") -> Proof | NaturalProof:
    return read_natural(text, source=source) if is_natural(text) else read_proof(text, source=source)


def _unnumbered(row: str) -> str:
    return row[number.end() :] if (number := NUMBER.match(row)) else row


def read_desk(text: str, *, source: str = "proof") -> Desk:
    """Return the desk for a proof file with a goal, finished or not; raises `FormatError`."""
    lines = text.rstrip().splitlines()
    top = [*takewhile(lambda row: DECLARES.match(row) or (row[:1] in " #" and not NUMBER.match(row)), lines)]
    rows = [line.strip() for line in lines[len(top) :] if line.partition("#")[0].strip()]
    desk = Desk("\n".join(top), tuple(map(_unnumbered, rows)))
    system(desk.sheet.logic)  # raises for a logic without derivations
    if _read(text, source) != desk.sheet or desk.sheet.goal is None:
        raise FormatError(f"{source}: expected what is to be derived, as in 'show: K_a p -> p', then lines")
    return desk
