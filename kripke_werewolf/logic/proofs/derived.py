"""Derived rules: shorter derivations for human readers, which expand into primitive steps.

A derived rule need not be trusted: it writes primitive steps (`proofs.script`), which are checked. Derived
axioms are defined by derivations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

from kripke_werewolf.base.display import Catalogue, Displayed
from kripke_werewolf.base.errors import UnknownNameError
from kripke_werewolf.base.grouping import all_after, grouped
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.operators import Scope
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import (
    readings,
    spelt_out,
    unabbreviated,
    without_double_negations,
)
from kripke_werewolf.logic.proofs.paths import fixed_point, instead, possible, states, under, updates_of
from kripke_werewolf.logic.proofs.proof import Line, Proof
from kripke_werewolf.logic.proofs.script import (
    DoesNotApply,
    Script,
    discharged,
    implication,
    is_box,
    paths_of,
    scope_contains,
)
from kripke_werewolf.logic.proofs.systems import (
    RULES,
    Premises,
    Rule,
    RuleForm,
    as_announced,
    elsewhere,
    filled,
    instance_of,
    reduced_once,
    system,
    told_in,
)
from kripke_werewolf.logic.proofs.tautologies import falsified, letters, operands, replaced

DEFINES = r"(?:def(?:\.|inition)?|df\.?|dual(?:ity)?)(?:\s+of)?\s+(?:M|Kw?|E|D|◇|◊|□|<>)(?:_\w+)?"
"""A pattern for the rule `Def` with the operator that it defines."""
_MOST_LETTERS = 6  # of a row of a truth table shown


@dataclass(frozen=True, slots=True, repr=False)
class Derived(Displayed):
    """A derived axiom or rule.

    `write` writes primitive steps for a conclusion from the lines with these numbers, and returns the number
    of the last; it raises `DoesNotApply` if the rule does not yield the conclusion. Other fields are as in
    `Rule`. `frames`: the properties of frames that a derived axiom needs; `cites`: axioms and rules behind
    it; `lines`: returns the derivation of an instance of a derived axiom, None for any other formula.
    """

    name: str
    text: str
    english: str
    write: Callable[[Script, Sequence[int], Formula], int]
    also: tuple[str, ...] = ()
    frames: frozenset[str] = frozenset()
    lines: Callable[[Formula], list[Line] | None] = lambda _: None
    cites: tuple[str, ...] = ()

    headline = Rule.headline


# --- propositional logic, reduction axioms ----------------------------------------------------------


def _by_connectives(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
    premises = [script.formula(n) for n in refs]
    needed = script.needed(premises, conclusion)
    if needed is None:
        if refs:
            lines = "that line" if len(refs) == 1 else "those lines"
            row = _in_a_row(script, implication(premises, conclusion))
            raise DoesNotApply(f"it does not follow from {lines} by the connectives alone{row}")
        raise DoesNotApply(f"it is not a tautology{_in_a_row(script, conclusion)}")
    return script.follows(conclusion, [refs[n] for n in needed])


def _in_a_row(script: Script, f: Formula) -> str:
    """Return a row of the truth table in which a formula is false, in words, if few letters matter."""
    values = falsified(f, limit=script.limit)
    if not 0 < len(values) <= _MOST_LETTERS:
        return ""
    told = []
    for word, known in (("true", True), ("false", False)):
        if found := [str(script.shown(g)) for g, value in values.items() if value is known]:
            verb = "is" if len(found) == 1 else "are"
            told.append(f"{', '.join(found)} {verb} {word}")
    return f": the connectives leave it false where {' and '.join(told)}"


def _by_abbreviation(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
    same = isinstance(conclusion, s.Iff) and conclusion.left is conclusion.right
    if any(script.formula(n) is not conclusion for n in refs) or not (refs or same):
        what = "the line cited and this one" if refs else "its two sides"
        if script.needed([script.formula(n) for n in refs], conclusion) is not None:
            what = f"it follows by PL, not by Def: {what}"
        raise DoesNotApply(f"{what} differ even with all abbreviations written out")
    return script.follows(conclusion, refs)


def _by_reduction(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
    premises = [script.formula(n) for n in refs]
    found = dict(reductions([*premises, conclusion]))
    needed = script.needed([*premises, *found], conclusion)
    if needed is None:
        raise DoesNotApply("it does not follow by reduction axioms for the updates in it and the connectives")
    cited, writers = [refs[n] for n in needed if n < len(refs)], list(found.values())
    axioms = [writers[n - len(refs)](script) for n in needed if n >= len(refs)]
    return script.follows(conclusion, [*cited, *axioms])


_Axiom: TypeAlias = tuple[s.Iff, Callable[[Script], int]]
"""An equivalence, and how to write it."""


def reductions(formulas: Sequence[Formula]) -> Iterator[_Axiom]:
    """Yield reduction axioms for the updates among the letters of formulas, and for those they lead to."""
    pending = [g for f in formulas for g in letters(f) if isinstance(g, s.Box)]
    seen = set(pending)
    while pending:
        box = pending.pop()
        found = reduction(box, whole=True)
        if found is not None:
            yield found
            new = [g for g in letters(found[0]) if isinstance(g, s.Box) and g not in seen]
            seen.update(new)
            pending += new


@lru_cache(4096)
def reduction(box: s.Box, *, whole: bool = False) -> _Axiom | None:
    """Return an equivalence that reduces [update]ψ by one step, and how to write it.

    If ψ begins with an update itself it is reduced first: by one step too, or else as a `whole`. An update
    that is an announcement becomes one if nothing else applies. None if there is no reduction: for common
    knowledge after an announcement, or after an event that some of the group confuse with others.
    """
    axiom = reduced_once(box)
    inner = None
    if axiom is None and isinstance(box.body, s.Box):
        inner = _reduced(box.body) if whole else reduction(box.body)
    if axiom is None and inner is None and (announced := as_announced(box)) is not None:
        axiom = "@!", s.Iff(box, announced)
    if axiom is not None:
        name, equal = axiom
        return equal, lambda script: script.add(equal, name)
    if inner is None:
        return None
    below, write = inner
    after = s.Iff(box, under(box, below.right))
    return after, lambda script: script.equal(box, after.right, {(below.left, below.right): write(script)})


def _reduced(box: s.Box) -> _Axiom | None:
    """Return an equivalence that reduces [update]ψ as far as possible, and how to write it."""
    steps: dict[Formula, _Axiom] = {}

    def parts(f: Formula) -> tuple[Formula, ...]:
        if isinstance(f, s.Box) and (found := reduction(f, whole=True)) is not None:
            steps[f] = found
            return (found[0].right,)
        return operands(f)

    new: dict[Formula, Formula] = {}
    for f in [g for g in box.ordered(parts) if g in steps]:
        new[f] = replaced(steps[f][0].right, lambda g: new.get(g, g))
    if not new:
        return None

    def write(script: Script) -> int:
        known: dict[tuple[Formula, Formula], int] = {}
        for f, reduct in new.items():
            equal, written = steps[f]
            rest = script.equal(equal.right, reduct, known)
            known[f, reduct] = script.follows(s.Iff(f, reduct), [written(script), rest])
        return known[box, new[box]]

    return s.Iff(box, new[box]), write


# --- rules about knowledge --------------------------------------------------------------------------


def conditional(f: Formula) -> tuple[list[Formula], Formula]:
    """Return the antecedents of an implication and of those in its consequent, and the final consequent.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> [str(f) for f in conditional(parse("p & q -> (r -> s)"))[0]]
    ['p', 'q', 'r']
    """
    antecedents: list[Formula] = []
    while isinstance(f, s.Implies):
        antecedents += s.conjuncts(f.left)
        f = f.right
    return antecedents, f


def _regular(
    positive: bool = False, negative: bool = False
) -> Callable[[Script, Sequence[int], Formula], int]:
    """Return the rule that puts a box before the consequent of lines, and before their antecedents.

    `positive`, `negative`: whether box x, and ~box x, may remain antecedents, by introspection.
    """

    def write(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
        conditions, consequent = conditional(conclusion)
        boxes = s.conjuncts(consequent)
        if not all(map(is_box, boxes)):
            raise DoesNotApply(
                f"it concludes an operator such as K_a before a formula, not {script.shown(consequent)}"
            )
        return script.follows(conclusion, [_one(script, refs, conditions, box) for box in boxes])

    def _one(script: Script, refs: Sequence[int], conditions: Sequence[Formula], box: Formula) -> int:
        boxes = [c for c in conditions if scope_contains(c, box)]
        denied = [c for c in conditions if isinstance(c, s.Not) and scope_contains(c.body, box)]
        items = [(c, c.children[-1]) for c in boxes]
        items += [(c, c) for c in boxes if positive or not c.label]
        items += [(c, c) for c in denied if negative or not c.children[0].label]
        premises, body = [script.formula(n) for n in refs], box.children[-1]
        needed = script.needed([*premises, *(item for _, item in items)], body)
        if needed is None:
            raise DoesNotApply(_missing(script, refs, [item for _, item in items], box))
        used = [items[n - len(refs)] for n in needed if n >= len(refs)]
        step = script.follows(
            implication([item for _, item in used], body), [refs[n] for n in needed if n < len(refs)]
        )
        return script.regular(box, used, body, step)

    return write


def _missing(script: Script, refs: Sequence[int], items: Sequence[Formula], box: Formula) -> str:
    wanted = str(script.shown(implication(items, box.children[-1])))
    missing = "does not follow propositionally from the lines cited" if refs else "is not a tautology"
    if not items:
        wanted = f"{wanted} (no antecedent has the same operator as {script.shown(box)})"
    return f"the rule would need {wanted}, which {missing}"


def _necessitated(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
    boxes = s.conjuncts(conclusion)
    if len(refs) != 1 or not all(is_box(b) and b.children[-1] is script.formula(refs[0]) for b in boxes):
        raise DoesNotApply("necessitation puts one operator before the whole formula of one line")
    return script.follows(conclusion, [script.necessitated(box, refs[0]) for box in boxes])


def _replaced(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
    equal = [n for n in refs if isinstance(script.formula(n), s.Iff)]
    others = [n for n in refs if n not in equal]
    if not equal:
        raise DoesNotApply("it needs a line φ <-> ψ")
    if len(others) > 1:
        raise DoesNotApply("it replaces equivalents in one line, or concludes an equivalence")
    tries = [(equal, others)]
    if not others:
        tries += [([m for m in equal if m != n], [n]) for n in equal]
    reasons, mark = list[str](), len(script.lines)
    for used, within in tries:
        try:
            return _replaced_in(script, used, within, conclusion)
        except DoesNotApply as reason:
            script.forget(mark)
            reasons.append(str(reason))
    raise DoesNotApply(reasons[0])


def _replaced_in(script: Script, equal: Sequence[int], within: Sequence[int], conclusion: Formula) -> int:
    """Write a conclusion by equivalences, from a line with the replaced parts if there is one."""
    known = {(f.left, f.right): n for n in equal if isinstance(f := script.formula(n), s.Iff)}
    if within:
        return script.follows(
            conclusion, [*within, script.equal(script.formula(within[0]), conclusion, known)]
        )
    if not isinstance(conclusion, s.Iff | s.Implies):
        raise DoesNotApply("it concludes an equivalence, or an implication, unless a line is cited as well")
    return script.follows(conclusion, [script.equal(conclusion.left, conclusion.right, known)])


def _induced(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
    implied = isinstance(conclusion, s.Implies)
    invariant, goal = conclusion.children if implied else (s.TRUE, conclusion)
    if states(goal) is None:
        raise DoesNotApply(f"induction yields C_G φ or [x]C_G φ, perhaps after ->, not {script.shown(goal)}")
    return script.follows(conclusion, [script.induction(invariant, goal, refs)])


# --- derived axioms ---------------------------------------------------------------------------------


def _true_in_group(conclusion: Formula) -> list[Line] | None:
    """Return the derivation of C_G φ -> φ, which holds because one member knows φ."""
    match conclusion:
        case s.Implies(s.Common(group, body) as known, right) if right is body:
            both = s.And(body, known)
            one = s.Knows(group[0], both)
            fixed = s.Iff(known, s.conjunction(s.Knows(agent, both) for agent in group))
            return [Line(fixed, "Mix"), Line(s.Implies(one, both), "T"), Line(conclusion, "PL", (1, 2))]
    return None


def _true_if_impossible(conclusion: Formula) -> list[Line] | None:
    """Return the derivation of ~pre(x) -> [x]ψ for one or more updates x."""
    match conclusion:
        case s.Implies(s.Not(given), body):
            updates = list[s.Update]()
            while isinstance(body, s.Box):
                updates.append(body.update)
                body = body.body
                lines = [Line(s.Implies(s.FALSE, body), "PL")]
                for update in reversed(updates):
                    lines.append(Line(s.Box(update, lines[-1].formula), "Nec", (len(lines),)))
                if isinstance(found := lines[-1].formula, s.Box) and possible(found) is given:
                    return [*lines, Line(conclusion, "Red", (len(lines),))]
    return None


def _fixed_point(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
    found = states(conclusion.left) if isinstance(conclusion, s.Iff) and not refs else None
    if found is None or conclusion is not fixed_point(found):
        raise DoesNotApply("it is not of the form [x]C_G ψ <-> (pre(x) -> &_a &_y K_a ([y]ψ & [y]C_G ψ))")
    goal = found[0].goal
    common = updates_of(goal)[1]
    mix = script.mix(common)
    fixed = script.formula(mix).children[1]
    lines = [script.equal(goal, instead(goal, fixed), {(common, fixed): mix})]
    for agent, end in found[0].steps:
        before, after = instead(found[end].goal, paths_of(common)[0].fixed), found[end].fixed
        same = _by_reduction(script, [], s.Iff(before, after))
        lines.append(script.equal(s.Knows(agent, before), s.Knows(agent, after), {(before, after): same}))
    return _by_reduction(script, lines, conclusion)


_WRITERS: Mapping[str, Callable[[Script, Sequence[int], Formula], int]] = {
    "PL": _by_connectives, "Def": _by_abbreviation, "Red": _by_reduction, "Nec": _necessitated,
    "RE": _replaced, "RK": _regular(), "RK4": _regular(True), "RK5": _regular(negative=True),
    "RK45": _regular(True, True), "Ind": _induced, "Ind!": _induced, "Ind@": _induced, "Mix!": _fixed_point,
    "Mix@": _fixed_point,
}  # fmt: skip
_LINES = {"T_C": _true_in_group, "!false": _true_if_impossible}
_CITES = {"RK4": ("4",), "RK5": ("5",), "RK45": ("4", "5"), "T_C": ("Mix", "T")}


def _derived(
    name: str, also: tuple[str, ...], frames: Iterable[str], english: str, rows: Iterable[str]
) -> Derived:
    """Return a derived axiom or rule as `theorems.txt` tells it, with or without its derivation."""
    steps = [re.split(r"\s{2,}", row.strip()) for row in rows]
    text, cites = "; ".join(step[0] for step in steps), _CITES.get(name, ())
    if name in _WRITERS:
        return Derived(name, text, english, _WRITERS[name], also, cites=cites)
    if name not in _LINES:
        text, cites = steps[-1][0], tuple(reason.partition(" ")[0] for _, reason in steps)
    lines = _LINES.get(name) or _told_lines(text, steps)

    def write(script: Script, refs: Sequence[int], conclusion: Formula) -> int:
        found = None if refs else lines(conclusion)
        if found is None:
            raise DoesNotApply(f"it is not of the form {text}")
        numbers: list[int] = []
        for line in found:
            numbers.append(write_line(script, line, [numbers[n - 1] for n in line.refs]))
        return numbers[-1]

    return Derived(name, text, english, write, also, frozenset(frames), lines, cites)


def _told_lines(text: str, steps: Sequence[Sequence[str]]) -> Callable[[Formula], list[Line] | None]:
    """Return the derivation of instances of an axiom by formulas and rules; the last formula is the axiom."""
    shape = RuleForm(text, lambda known: "a" not in known or known["a"][0] in known.get("G", known["a"]))

    def lines(conclusion: Formula) -> list[Line] | None:
        for meaning in shape.meanings((conclusion,)):
            found = instance_of(filled(text, meaning), (), conclusion)
            if found is not None:
                written = [filled(step, meaning).conclusion.substitute(found) for step, _ in steps[:-1]]
                reasons = [reason.partition(" ") for _, reason in steps]
                return [
                    Line(f, rule, tuple(map(int, cited.split(","))) if cited else ())
                    for f, (rule, _, cited) in zip([*written, conclusion], reasons, strict=True)
                ]
        return None

    return lines


DERIVED: Mapping[str, tuple[Derived, ...]] = Catalogue.of(
    {
        name: tuple(rules)
        for name, rules in grouped((told[0], _derived(*told)) for told in told_in("theorems")).items()
    },
    lambda rules: "; ".join(rule.text for rule in rules),
)
"""The derived axioms and rules by name; of several with one name, the first that applies is used."""


# --- names and steps --------------------------------------------------------------------------------


def rule_named(name: str) -> str:
    """Return the name of the axiom or rule with a given name or abbreviation from the literature.

    >>> rule_named("R1"), rule_named("rk"), rule_named("HS")
    ('MP', 'RK', 'PL')

    Raises `UnknownNameError`.
    """
    name = " ".join(name.split())
    if name in RULES or name in DERIVED:
        return name
    rules: list[Rule | Derived] = [*RULES.values(), *(rule for rules in DERIVED.values() for rule in rules)]
    for fold in (str, str.casefold):
        for rule in rules:
            if fold(name) in map(fold, (rule.name, *rule.also)):
                return rule.name
    if re.fullmatch(DEFINES, name, re.IGNORECASE):
        return "Def"
    names = [rule.name for rule in rules] + [name for rule in rules for name in rule.also]
    meant = elsewhere().get(name.casefold())
    raise UnknownNameError(name, dict.fromkeys(names), kind="axiom or rule", meant=meant)


def forbidden(names: Iterable[str], logic: Logic) -> frozenset[str]:
    """Return the names of rules, and those of all that are derived from axioms about frames among them.

    >>> from kripke_werewolf.logic.formulas.logics import LOGICS
    >>> sorted(forbidden(["4"], LOGICS["S4"])), sorted(forbidden(["5"], LOGICS["S5"]))
    (['4', 'RK4', 'RK45'], ['4', '5', 'B', 'RK4', 'RK45', 'RK5'])
    """
    found = {rule_named(name) for name in names}
    axioms = [name for name in found if name in RULES and RULES[name].frame]
    own, having = {rule.name for rule in system(logic)}, set(logic.properties)

    def citing(axiom: str) -> Iterator[str]:
        for name, rules in DERIVED.items():
            ways = [rule for rule in rules if logic.mixed or rule.frames <= having]
            if name not in own and any(axiom in way.cites for way in ways):
                yield name

    return frozenset(found.union(all_after(axioms, citing)))


def write_line(script: Script, line: Line, refs: Sequence[int], told: Sequence[Formula] = ()) -> int:
    """Write the primitive steps of a line in expanded form; raises `DoesNotApply`.

    `told`: the formulas of the line and of those cited as they were written. If there are abbreviations in
    them, double negations in which they may be expanded make no difference.
    """
    mark = len(script.lines)
    try:
        return _steps_of(script, line, refs)
    except DoesNotApply:
        if len([*readings(told)]) < 2:
            raise
        forms: list[Callable[[Formula], Formula]] = [without_double_negations]
        if not refs:
            forms.insert(0, lambda _: spelt_out(told[0]))
        for form in forms:
            script.forget(mark)
            with suppress(DoesNotApply):
                cited = [script.doubly(form(script.formula(n)), n) for n in refs]
                found = _steps_of(script, replace(line, formula=form(line.formula)), cited)
                return script.doubly(line.formula, found)
        script.forget(mark)
        raise


def _steps_of(script: Script, line: Line, refs: Sequence[int]) -> int:
    name = rule_named(line.rule)
    primitive, premises = RULES.get(name), tuple(map(script.formula, refs))
    reasons, unsound = [], False
    if primitive is not None and primitive in system(script.logic):
        if primitive.name == "Taut" and not refs:
            return _by_connectives(script, refs, line.formula)
        for order in permutations(refs) if len(refs) <= 2 else ():
            if primitive.instance(tuple(map(script.formula, order)), line.formula) is not None:
                if primitive.sound(primitive, script.logic, line.formula):
                    return script.add(line.formula, name, *order)
                unsound = True
        reasons.append(_not_an_instance(script, primitive, refs, line.formula))
    elif primitive is not None:
        unsound = primitive.instance(premises, line.formula) is not None
    for rule in DERIVED.get(name, ()):
        if not (script.logic.mixed or rule.frames <= set(script.logic.properties)):
            unsound = unsound or rule.lines(line.formula) is not None
        else:
            mark = len(script.lines)
            try:
                return rule.write(script, refs, line.formula)
            except DoesNotApply as reason:
                script.forget(mark)
                reasons.append(str(reason))
    if unsound or not reasons:
        known = ", ".join(rules_about(script.logic, line.formula))
        raise DoesNotApply(f"{name} is not sound in {script.logic}, which has {known}")
    raise DoesNotApply(reasons[0] if primitive is not None and primitive.is_axiom else reasons[-1])


def rules_about(logic: Logic, f: Formula) -> Iterator[str]:
    """Yield the axioms and rules of a logic, except those about operators that a formula lacks."""
    scopes = {g.scope for g in f.subformulas() if isinstance(g, s.Modal)}
    updates = {type(g.update) for g in f.subformulas() if isinstance(g, s.Dynamic)}
    absent = [sign for sign, scope in _SIGNS.items() if scope not in scopes and scope not in updates]
    for rule in system(logic):
        if not all(
            any(sign in form for sign in absent) for form in rule.text.split(";") if "and so on" not in form
        ):
            yield rule.name


_SIGNS = {
    "C_G": Scope.REACH, "D_G": Scope.MEET, "everywhere": Scope.WORLDS, "[!": s.Announce, "[U": s.Act,
}  # fmt: skip


def _not_an_instance(script: Script, rule: Rule, refs: Sequence[int], f: Formula) -> str:
    if not rule.is_axiom:
        return f"the lines do not fit {rule.name}: {rule.text}"
    said = f"it is not an instance of {rule.name}: {rule.text}"
    if refs:
        return f"{said}; an axiom cites no line: give it a row of its own, and then cite both rows by PL"
    if (meant := _nearly(rule, f)) is not None:
        return f"{said}; did you mean {script.shown(meant)}?"
    return said


def _nearly(rule: Rule, f: Formula) -> Formula | None:
    """Return the instance of an axiom whose right side, or else left side, is that of a formula."""
    for schema in rule.schemas((), f):
        pattern = schema.conclusion
        for part, given in reversed(list(zip(pattern.children, f.children, strict=False))):
            found = instance_of(schema._replace(conclusion=part), (), given)
            if type(pattern) is type(f) and found is not None and found.keys() >= schema.letters:
                return pattern.substitute(found)
    return None


def expand(proof: Proof) -> Proof:
    """Return a derivation of the same formula in primitive steps, with all abbreviations expanded.

    Every line of the result cites a primitive rule (`systems.RULES`). It has no premises: its conclusion is
    the implication from those used. Raises `DoesNotApply` for a line that
    its rule does not yield.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> from kripke_werewolf.logic.formulas.logics import LOGICS
    >>> lines = Line(parse("p & q -> p"), "PL"), Line(parse("K_a (p & q) -> K_a p"), "RK", (1,))
    >>> for line in expand(Proof(LOGICS["K"], lines)).lines:
    ...     print(line.formula, " ", line.reason)
    p & q -> p   Taut
    K_a (p & q -> p)   Nec 1
    K_a (p & q -> p) -> K_a (p & q) -> K_a p   K
    K_a (p & q) -> K_a p   MP 3, 2
    """
    lines, numbers = _primitive_steps(proof)
    return Proof(proof.logic, tuple(lines[: numbers[-1]])).pruned()


def _primitive_steps(proof: Proof) -> tuple[list[Line], list[int]]:
    """Return the primitive steps of a derivation, and the numbers of those that are its lines."""
    script, numbers = Script(proof.logic, write_line), list[int]()
    premises, rests = tuple(map(unabbreviated, proof.premises)), list[Premises]()
    for line in proof.lines:
        whole, used = discharged(line, premises, proof.lines, rests)
        told = [line.formula, *(proof.lines[n - 1].formula for n in line.refs)]
        numbers.append(write_line(script, whole, [numbers[n - 1] for n in whole.refs], told))
        rests.append(used)
    return script.lines, numbers
