"""Checked derivations of formulas, short and readable.

Finding derivations: the lessons of the decision procedure as lines.

The search for a counter-model (`deciding.elimination`) ends with lessons: no type has a witness for a box
where certain other boxes are true, or no path keeps a promise of common knowledge. The first becomes a line
that follows propositionally, and then the same line under K_a (rule RK); the second becomes an induction
whose invariants are read off its clauses, one for each state of the paths: after actions, for each event. A
SAT solver determines the lines that a line needs; the others are omitted. So there is a derivation whenever
the decision procedure says "valid": in all logics but those of symmetric relations, with common knowledge,
also on a condition, distributed knowledge, announcements and actions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple, TypeAlias

from kripke_werewolf.base.errors import FormulaError, Undecided
from kripke_werewolf.base.grouping import grouped, remembered
from kripke_werewolf.logic.deciding.closure import Closure, closure_of
from kripke_werewolf.logic.deciding.core import (
    TRUE,
    AndNode,
    Builder,
    Core,
    Necessity,
    Node,
    Paths,
    PathStep,
    Proposition,
    strong_parts,
)
from kripke_werewolf.logic.deciding.decision import DEFAULT_STEPS, decide_validity, valid
from kripke_werewolf.logic.deciding.elimination import Lesson, NoPath, NoWitness, refutation
from kripke_werewolf.logic.deciding.sat import Solver, Steps
from kripke_werewolf.logic.deciding.translation import boolean_literal, translate
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import LOGICS, Logic, logic_named
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.proofs.abbreviations import Abbreviator, positive, same_box, unabbreviated
from kripke_werewolf.logic.proofs.checker import check
from kripke_werewolf.logic.proofs.derived import DERIVED, reduction, reductions
from kripke_werewolf.logic.proofs.paths import State, fixed_point, possible, states, under
from kripke_werewolf.logic.proofs.proof import Line, Proof, pruned
from kripke_werewolf.logic.proofs.script import implication
from kripke_werewolf.logic.proofs.systems import RULES, is_schematic, system
from kripke_werewolf.logic.proofs.tautologies import follows, replaced
from kripke_werewolf.logic.semantics.bits import members

_Clause: TypeAlias = tuple[int, ...]


def derived_lines(f: Formula, logic: Logic, steps: Steps, given: Sequence[Formula] = ()) -> list[Line] | None:
    """Return lines that derive a formula, with abbreviations expanded; None if it is not valid.

    `given`: formulas already derived, which may be cited as lines 1, 2, … before those returned. Raises
    `FormulaError` for a formula that cannot be decided, and `Undecided` when the steps are used up.
    """
    prover = _Prover(f, logic, steps, given)
    lines = prover.lines()
    if lines is None and (axioms := list(prover.translation.agreement())):
        lines = _Prover(f, logic, steps, [*given, *(line.formula for line in axioms)]).lines()
        if lines is not None:
            return pruned([*axioms, *lines], len(given))
    return lines


# --- the formula in the core language, its own subformulas kept -------------------------------------


class _Faithful(Builder):
    """Builds a graph with one node per box of the formula, without applying modal laws."""

    def __init__(self, logic: Logic) -> None:
        super().__init__(logic)
        self.letters: list[int] = []

    def atom(self, name: str) -> int:
        return self.letters[int(name)]

    def new(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def core(self, root: int, agents: Iterable[str]) -> Core:
        nodes = {n: node for n, node in enumerate(self._nodes) if node is not None}
        return Core(nodes, root, tuple(sorted(agents)), {})


class _At(NamedTuple):
    """A state of the paths of [x]C_G φ."""

    paths: Sequence[State]
    place: int

    @property
    def here(self) -> State:
        """The state."""
        return self.paths[self.place]


class _Translation:
    """Literals of formulas; `boxes` names the nodes of boxes, `common` those of common knowledge."""

    def __init__(self, logic: Logic, steps: Steps) -> None:
        self.build = _Faithful(logic)
        self.steps = steps
        self.boxes: dict[int, Formula] = {}
        self.common: dict[int, _At] = {}
        self.read: dict[tuple[int, Formula], s.Box] = {}
        """Schematic letters under updates; an announcement by the letter and the worlds that it leaves."""
        self.same: list[tuple[s.Box, s.Box]] = []
        self.states: dict[Formula, int] = {}
        """The nodes of common knowledge."""
        self._letters: dict[Formula, s.Atom] = {}

    def literal(self, f: Formula) -> int:
        for g in f.ordered(lambda node: () if isinstance(node, s.Box) else node.children):
            if isinstance(g, s.Modal):  # inner ones first, so that depth costs no recursion
                self._letter(g)
        return boolean_literal(replaced(f, self._letter), self.build, self.steps)

    def _letter(self, g: Formula) -> Formula:
        if g not in self._letters:
            found = self._node(g)
            self._letters[g] = s.Atom(str(len(self.build.letters)))
            self.build.letters.append(found)
        return self._letters[g]

    def _node(self, g: Formula) -> int:
        match g:
            case s.Atom(name):
                return self.build.new(Proposition(name))
            case s.Common():
                return self._of_paths(g)
            case s.Modal():
                node = self.build.new(Necessity(g.label, self.literal(g.children[-1])))
                self.boxes[node] = g
                return node
            case s.Box() if (found := reduction(g)) is not None:
                return self.literal(found[0].right)
            case s.Box() if states(g) is not None:
                return self._of_paths(g)
            case s.Box():
                within = self.literal(possible(g))
                told = isinstance(g.update, s.Announce) and is_schematic(g.body)
                first = self.read.setdefault((within, g.body if told else g), g)
                if first is not g:
                    self.same.append((first, g))
                    return self.literal(first)
                return self.build.disj((-within, self.build.new(Proposition(str(g)))))
        raise AssertionError(f"{g} was translated, but is not a formula of the core language")

    def _of_paths(self, g: Formula) -> int:
        """Return the literal of [x]C_G φ, a state of an automaton.

        The others are those that lead back to it. For one that does not, a path may end at its goal.
        """
        paths = states(g)
        assert paths is not None
        if g not in self.states:
            after = {place: {end for _, end in here.steps} for place, here in enumerate(paths)}
            inner = next(part for part in strong_parts(after) if 0 in part)
            body = [self._new_body(here, place in inner) for place, here in enumerate(paths)]
            within = [self.literal(here.within) for here in paths]
            edges = []
            for place, here in enumerate(paths):
                guard = TRUE if here.condition is None else self.literal(here.condition)
                steps = [PathStep(agent, guard, within[end], body[end], end) for agent, end in here.steps]
                edges.append(tuple(step for step in steps if place in inner))
            for place in inner:
                self.states[paths[place].goal] = node = self.build.new(Paths(tuple(edges), place))
                self.common[node] = _At(paths, place)
        return self.states[g]

    def _new_body(self, here: State, inside: bool) -> int:
        """Return the literal of the formula true at the end of a path to a state, as a node of its own.

        So no two automata are equal, and their boxes have one name each.
        """
        ends = [self.literal(here.body)]
        if not inside:
            ends.append(self.literal(here.goal))
        return self.build.new(AndNode(tuple(ends)))

    def agreement(self) -> Iterator[Line]:
        """Yield axioms by which announcements with the same effect leave every formula equally true.

        There is one for any two announcements before a schematic letter, and one for each compared with none.
        """
        told = [box for (_, letter), box in self.read.items() if letter is box.body]
        for box in told:
            content, letter = box.children
            yield Line(s.Implies(s.Everywhere(content), s.Iff(box, letter)), "!all")
        for box, other in combinations(told, 2):
            if box.body is other.body:
                contents = s.Iff(box.children[0], other.children[0])
                yield Line(s.Implies(s.Everywhere(contents), s.Iff(box, other)), "!=")


# --- the refutation of a denial, as small as time allows --------------------------------------------


class _Item(NamedTuple):
    """A formula true under a box because a condition is true: its body, or the condition itself."""

    condition: Formula
    formula: Formula
    kept: str
    """"4" or "5" if it is the condition itself, by introspection; empty if it is its body."""


class _Reasons:
    """Finds the assumptions and known lines that refute a negation; switches activate the clauses."""

    def __init__(self, closure: Closure, steps: Steps, given: Sequence[int], knowns: Iterable[int]) -> None:
        self.solver = solver = Solver(closure.size, steps=steps)
        for number, parts in closure.conjunctions.items():
            if number not in knowns:
                solver.define(number, parts)
        solver.add((TRUE,))
        reflexive = members(closure.reflexive)
        self.truth = {self._switch([(-n, closure.boxes[n].target)]): n for n in reflexive}
        self.fixed: dict[int, int] = {}
        for n in sorted(knowns):
            parts = closure.conjunctions[n]
            equal = [*((-n, part) for part in parts), (n, *(-part for part in parts))]
            self.fixed[self._switch(equal)] = n
        self.given = [self._switch([(literal,)]) for literal in given]
        self.lessons: dict[int, int] = {}
        self._broken: dict[Hashable, int] = {}
        entered = {n for laws in closure.laws.values() for n in members(laws.entered)}
        self.entered = {n: self._switch([(-n, closure.boxes[n].target)]) for n in sorted(entered)}
        """For each box, a switch for the clause that it is false or what it says is true."""

    def _switch(self, clauses: Iterable[Sequence[int]]) -> int:
        switch = self.solver.new_variable()
        for clause in clauses:
            self.solver.add((-switch, *clause))
        return switch

    def learn(self, number: int, clause: Sequence[int]) -> None:
        """Add the clause with this number."""
        self.lessons[self._switch([clause])] = number

    def broken(self, body: int, clauses: Sequence[_Clause]) -> int:
        """Return a switch for: the body is false, or all clauses are true."""
        key = body, tuple(clauses)
        if key not in self._broken:
            every = self.solver.new_variable()
            alternatives = [(-every, *clause) for clause in clauses]
            self._broken[key] = self._switch([(-body, every), *alternatives])
        return self._broken[key]

    def needed(self, assumed: Iterable[int], before: int) -> set[int] | None:
        """Return jointly inconsistent assumptions and switches; None if all are consistent.

        Only lessons up to `before` are used. To reduce the result, later lessons are dropped first, then
        introspection and other assumptions.
        """
        lessons = [switch for switch, number in self.lessons.items() if number < before]
        whole = [*dict.fromkeys(assumed), *self.given, *self.truth, *self.fixed, *lessons]
        if self.solver.solve(whole):
            return None
        core = set(self.solver.core)
        for literal in reversed(whole):
            if literal in core and not self.solver.solve([x for x in whole if x in core and x != literal]):
                core = set(self.solver.core)
        return core


_Step: TypeAlias = tuple[list[_Item], set[int]]
"""The items needed for a line, and the assumptions and switches."""
_Kept: TypeAlias = tuple[int, _Clause]
"""A state and a clause."""


_Plan: TypeAlias = dict[_Kept, list[_Step]]
"""The steps of a lesson, by clause; for an induction, one for each step of its state."""


class _Prover:
    """A search and its lines. Clauses of lessons are numbered, and written when a line needs them."""

    def __init__(self, f: Formula, logic: Logic, steps: Steps, given: Sequence[Formula]) -> None:
        self.formula, self.logic, self.steps, self.given = f, logic, steps, list(given)
        whole = s.conjunction([*given, s.Not(f)])
        translate(whole, logic, steps)  # names an operator that cannot be decided
        self.translation = translation = _Translation(logic, steps)
        goal = translation.literal(f)
        literals = [-goal, *(translation.literal(g) for g in given)]
        core = translation.build.core(translation.build.conj(literals), whole.agents)
        self.closure = closure_of(core, logic)
        self.denied, *valid = map(self._here, literals)
        self.boxes, self.common = self._named(translation)
        self.places = {g: n for n, g in enumerate(f.subformulas())}
        for known, at in self.common.items():
            place = self.places.get(at.here.goal, 0)
            self.places |= {self.boxes[n]: place for n in self._boxes_of(known)}
        self.lessons = refutation(self.closure, steps, valid)
        self.reasons = _Reasons(self.closure, steps, valid, self.common)
        self.numbers = {g: n for n, g in enumerate(self.given, 1)}
        self.written: list[Line] = []
        self.homes: list[tuple[Lesson, _Kept, int]] = []
        """For each clause, its lesson, the clause with its state, and the lesson's first number."""
        self.plans: dict[int, _Plan] = {}
        self.of_clause: dict[int, list[int]] = {}

    def _here(self, literal: int) -> int:
        return -self._here(-literal) if literal < 0 else self.closure.literals[literal]

    def _named(self, translation: _Translation) -> tuple[dict[int, Formula], dict[int, _At]]:
        """Return the boxes and the common knowledge represented by nodes of the closure."""
        boxes = {self._here(node): g for node, g in translation.boxes.items()}
        common = {self._here(node): at for node, at in translation.common.items()}
        for known, at in common.items():
            for number, (agent, end) in zip(self._boxes_of(known), at.here.steps, strict=True):
                boxes[number] = s.Knows(agent, at.paths[end].fixed)
        return boxes, common

    def _boxes_of(self, known: int) -> Iterator[int]:
        """Yield the boxes of common knowledge, one for each step; each may depend on the condition."""
        for part in self.closure.conjunctions[known]:
            if part != TRUE:  # there are steps
                yield part if part > 0 else -self.closure.conjunctions[-part][1]

    def lines(self) -> list[Line] | None:
        if self.lessons is None:
            return None
        for lesson in self.lessons:
            first = len(self.homes)
            for state, clause in _clauses(lesson):
                known = [lesson.promise.knowns[state]] if isinstance(lesson, NoPath) else []
                self.reasons.learn(len(self.homes), [*known, *clause])
                self.homes.append((lesson, (state, clause), first))
        core = self._needed([self.denied], len(self.homes))
        for number in self._all_lessons(core):
            self._lesson(number)
        last = self._by_connectives(self.formula, self._cited(core))
        return self.written[: last - len(self.given)]  # lines of a lesson may follow its conclusion

    def _all_lessons(self, core: set[int]) -> list[int]:
        """Return the numbers of the clauses needed, with dependencies first."""
        found, pending = set[int](), set(self._in(core))
        while pending:
            number = max(pending)
            found.add(number)
            steps = [step for each in self._plan(number).values() for step in each]
            pending |= {n for _, core in steps for n in self._in(core)}
            pending -= found
        return sorted(found)

    def _in(self, core: set[int]) -> Iterator[int]:
        return (number for switch, number in self.reasons.lessons.items() if switch in core)

    def _needed(self, assumed: Iterable[int], before: int) -> set[int]:
        found = self.reasons.needed(assumed, before)
        assert found is not None, "the search learnt something that does not follow"
        return found

    # --- lines -----------------------------------------------------------------------------------

    def _line(self, f: Formula, rule: str, refs: Iterable[int] = ()) -> int:
        if f not in self.numbers:
            cited = tuple(refs)
            if rule != "MP":
                cited = tuple(sorted(set(cited)))
            self.written.append(Line(f, rule, cited))
            self.numbers[f] = len(self.given) + len(self.written)
        return self.numbers[f]

    def _of(self, number: int) -> Formula:
        known = len(self.given)
        return self.given[number - 1] if number <= known else self.written[number - known - 1].formula

    def _by_connectives(self, f: Formula, refs: Iterable[int], letters: int | None = None) -> int:
        """Write a line that follows from others propositionally, with reduction axioms if needed.

        `letters`: the number of equivalences of letters under announcements that may be cited, if not all.
        """
        if f in self.numbers:
            return self.numbers[f]
        cited = list(dict.fromkeys(refs))
        chosen = sufficient([self._of(n) for n in cited], f)
        if chosen is None:  # [!θ]φ is true where θ is false: lessons use this, and no line says it yet
            cited += self._of_letters(letters)
            chosen = sufficient([self._of(n) for n in cited], f)
        assert chosen is not None, f"nothing that was learnt gives {f}"
        rule, places = chosen
        return self._line(f, rule, [cited[place] for place in places])

    def _cited(self, core: set[int]) -> list[int]:
        """Write the lines of active switches, and return their numbers."""
        refs = [n for n, switch in enumerate(self.reasons.given, 1) if switch in core]
        for switch, node in self.reasons.truth.items():
            if switch in core:
                box = self.boxes[node]
                refs.append(self._line(s.Implies(box, box.children[-1]), "T" if box.label else "T_U"))
        refs += [self._fixed_point(known) for switch, known in self.reasons.fixed.items() if switch in core]
        for number in self._in(core):
            refs += self._lesson(number)
        return refs

    def _fixed_point(self, known: int) -> int:
        at = self.common[known]
        return self._line(fixed_point(at.paths, at.place), f"Mix{at.here.sign}")

    def _of_letters(self, number: int | None) -> Iterator[int]:
        """Write the effect of announcements on any formula, which is irrelevant where they are impossible.

        The equivalence of the contents of two may rest on earlier pairs, which occur inside them.
        """
        for box in self.translation.read.values():
            yield self._line(s.Implies(s.Not(possible(box)), box), "!false")
        for place, (first, box) in enumerate(self.translation.same[:number]):
            contents = s.Iff(first.children[0], box.children[0])
            yield self._line(s.Iff(first, box), "RE", [self._by_connectives(contents, [], place)])

    # --- lessons ---------------------------------------------------------------------------------

    def _lesson(self, number: int) -> list[int]:
        (lesson, kept, _), plan = self.homes[number], self._plan(number)
        if isinstance(lesson, NoWitness):
            return remembered(self.of_clause, number, lambda: self._no_witness(lesson, *plan[kept][0]))
        return remembered(self.of_clause, number, lambda: self._no_path(lesson, plan, kept[0]))

    def _plan(self, number: int) -> _Plan:
        """Return the steps of the lesson of a clause."""
        if number not in self.plans:
            lesson, kept, first = self.homes[number]
            if isinstance(lesson, NoWitness):
                goal = [-self.closure.boxes[box].target for box in (lesson.box,) if box is not None]
                items = self._items(lesson.group, self._box(lesson), [-x for x in lesson.clause])
                core = self._needed([*goal, *items], number)
                used = [item for literal, item in items.items() if literal in core]
                self.plans[number] = {kept: [(used, core)]}
            else:
                self.plans[number] = self._induction(lesson, first)
        return self.plans[number]

    def _items(self, group: tuple[str, ...], box: Formula, causes: Iterable[int]) -> dict[int, _Item]:
        """Return by literal the formulas that are true wherever the group's relation leads.

        `box`: a box of the group. Those that need introspection come last.
        """
        found, kept = dict[int, _Item](), dict[int, _Item]()
        below = self.closure.below.get(group, 0)
        for cause in causes:
            known, shown = self.closure.boxes[abs(cause)], self.boxes[abs(cause)]
            if known.group and not below >> abs(cause) & 1:
                continue
            logic = self.logic.of(known.group) if known.group else LOGICS["S5"]
            condition, name, introspective = shown, "4", logic.transitive
            if cause > 0:
                found.setdefault(known.target, _Item(shown, shown.children[-1], ""))
            else:
                condition, name, introspective = s.Not(shown), "5", logic.euclidean
            if introspective:
                kept.setdefault(cause, _Item(condition, condition, name if known.group else ""))
        found |= {literal: item for literal, item in kept.items() if literal not in found}
        if group:
            for number in members(self.closure.laws[group].entered):
                true = s.Implies(self.boxes[number], self.boxes[number].children[-1])
                found[self.reasons.entered[number]] = _Item(under(box, true), true, "T_H")
        return found

    def _box(self, lesson: NoWitness) -> Formula:
        return s.Knows(lesson.group[0], s.FALSE) if lesson.box is None else self.boxes[lesson.box]

    def _no_witness(self, lesson: NoWitness, used: Sequence[_Item], core: set[int]) -> list[int]:
        box = self._box(lesson)
        if lesson.box is None and [item.condition for item in used] == [box]:
            return [self._line(s.Not(box), "D")]
        refs = [self._regular(box, used, self._cited(core)), *self._true_where_seen(used)]
        if lesson.box is None:
            refs.append(self._line(s.Not(box), "D"))
        return refs

    def _true_where_seen(self, used: Iterable[_Item]) -> list[int]:
        """Write the conditions of items that are axioms."""
        return [self._line(item.condition, "T_H") for item in used if item.kept == "T_H"]

    def _regular(self, box: Formula, used: Sequence[_Item], refs: Iterable[int]) -> int:
        """Write that the conditions of items imply a box, since the items imply its body by the lines cited.

        The box may be a conjunction of boxes, for everyone.
        """
        body = box.children[0].children[-1] if isinstance(box, s.And) else box.children[-1]
        used = sorted(used, key=lambda item: self._place(item.condition))
        items = [*dict.fromkeys(item.formula for item in used)]
        conditions = [*dict.fromkeys(item.condition for item in used)]
        kept = "".join(sorted({item.kept for item in used} - {"T_H"}))
        goal = implication(conditions, box)
        if items == [body]:
            return self._line(goal, kept if kept and same_box(positive(body), box) else f"RK{kept}")
        step = self._by_connectives(implication(items, body), refs)
        return self._line(goal, f"RK{kept}" if used else "Nec", (step,))

    def _place(self, condition: Formula) -> int:
        """Return the position of a box, possibly negated, in the derived formula."""
        box = positive(condition)
        if isinstance(box, s.And):
            box = box.children[0]
        return self.places.get(box, 0)

    # --- inductions ------------------------------------------------------------------------------

    def _no_path(self, lesson: NoPath, plan: _Plan, state: int) -> list[int]:
        here = self.common[lesson.promise.knowns[state]].here
        clauses = dict.fromkeys(clause for _, clause in plan)
        folded = [self._fixed_point(known) for x in clauses for known in self._folded([-y for y in x])]
        refs, invariants = list(folded), self._invariants(plan)
        for each in plan:
            refs += self._steps(lesson, plan, each, invariants, folded)
        goal = here.goal
        if invariants[state] is not s.TRUE:
            goal = s.Implies(invariants[state], goal)
        return [self._line(goal, f"Ind{here.sign}", refs), *folded]

    def _invariants(self, plan: _Plan) -> dict[int, Formula]:
        """Return the invariant of each state that has one; it is false for others that lead back."""
        found = grouped((state, self._conjunction([-x for x in clause])) for state, clause in plan)
        return {state: s.disjunction(parts) for state, parts in found.items()}

    def _induction(self, lesson: NoPath, first: int) -> _Plan:
        """Return the steps of an induction with the clauses of a lesson."""
        found, edges, clauses = dict[_Kept, list[_Step]](), lesson.promise.edges, _clauses(lesson)
        for state, clause in clauses:
            found[state, clause] = []
            for agent, _, within, body, end in edges[state]:
                items = self._items((agent,), s.Knows(agent, s.TRUE), [-x for x in clause])
                broken = self.reasons.broken(body, [other for x, other in clauses if x == end])
                wrong = [edges[end][0].guard, broken] if edges[end] else [-body]
                core = self._needed([*wrong, within, *items], first)
                found[state, clause].append(([item for x, item in items.items() if x in core], core))
        return found

    def _steps(
        self, lesson: NoPath, plan: _Plan, kept: _Kept, invariants: Mapping[int, Formula], folded: list[int]
    ) -> list[int]:
        """Write for each step, or for everyone at once, that it keeps the invariants."""
        state, clause = kept
        at, refs = self.common[lesson.promise.knowns[state]], list[int]()
        group = [agent for agent, _ in at.here.steps]
        for (used, core), (agent, end) in zip(plan[kept], at.here.steps, strict=True):
            invariant, inside = invariants.get(end, s.FALSE), at.paths[end].fixed
            if lesson.promise.edges[end]:
                inside = at.paths[end].entered(*(f for f in [invariant] if f is not s.TRUE))
            cited = [*self._cited(core), *folded]
            shared = [self._shared(item, group, clause) for item in used]
            if len(at.paths) == 1 and agent == group[0] and all(shared):
                everyone = s.conjunction(s.Knows(other, inside) for other in group)
                return [self._regular(everyone, [item for item in shared if item], cited)]
            refs += [self._regular(s.Knows(agent, inside), used, cited), *self._true_where_seen(used)]
        return refs

    def _shared(self, item: _Item, group: Sequence[str], clause: Sequence[int]) -> _Item | None:
        """Return an item with the same formula for everyone in the group, or None."""
        everyone = [s.Knows(other, item.formula) for other in group]
        shared = not item.kept and {self.boxes[-x] for x in clause if x < 0}.issuperset(everyone)
        if not shared:
            return None
        return _Item(s.conjunction(everyone), item.formula, "")

    def _folded(self, literals: Sequence[int]) -> list[int]:
        """Return the common knowledge, without updates, expressed by literals box by box."""
        return [
            known
            for known, at in self.common.items()
            if not at.here.sign and set(self._boxes_of(known)) <= set(literals)
        ]

    def _conjunction(self, literals: Sequence[int]) -> Formula:
        """Return the conjunction of boxes and their negations, with C_G φ for its boxes."""
        folded = self._folded(literals)
        gone = {n for known in folded for n in self._boxes_of(known)}
        parts = [self.common[known].here.goal for known in folded]
        rest = [self.boxes[x] if x > 0 else s.Not(self.boxes[-x]) for x in literals if x not in gone]
        for group in dict.fromkeys(tuple(a for a, _ in at.here.steps) for at in self.common.values()):
            for body in dict.fromkeys(g.body for g in rest if isinstance(g, s.Knows)):
                everyone = [s.Knows(agent, body) for agent in group]
                if len(group) > 1 and set(everyone) <= set(rest):
                    rest = [g for g in rest if g not in everyone]
                    parts.append(s.conjunction(everyone))
        return s.conjunction([*parts, *rest])


def sufficient(premises: Sequence[Formula], f: Formula) -> tuple[str, list[int]] | None:
    """Return how a formula follows from others propositionally, or with reduction axioms.

    That is the rule (MP, PL or Red) and the places of the premises needed; None if it does not follow.
    """
    needed = follows(premises, f)
    if needed is None:
        axioms = [equal for equal, _ in reductions([*premises, f])]
        needed = follows([*premises, *axioms], f)
        if needed is None:
            return None
        return "Red", [place for place in needed if place < len(premises)]
    if len(needed) == 2:
        for major, minor in (needed, needed[::-1]):
            if premises[major] is s.Implies(premises[minor], f):
                return "MP", [major, minor]
    return "PL", needed


def _clauses(lesson: Lesson) -> list[_Kept]:
    """Return the clauses of a lesson with their states, except those that say where updates can happen."""
    if isinstance(lesson, NoWitness):
        return [(0, lesson.clause)]
    edges = lesson.promise.edges
    return [(x, clause) for x, clause in lesson.clauses if edges[x] and edges[x][0].guard not in clause]


def derivation(f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS) -> Proof | None:
    """Return a derivation of a formula in a logic, or None if it is not valid.

    Its lines cite the axioms of the logic and derived rules; `expand` writes it in primitive steps. It has
    been checked. The logics are those of `valid`.

    >>> print(derivation("K_a p & K_b (p -> q) -> p", logic="T"))
    logic: T
    1. K_a p -> p                     T
    2. K_a p & K_b (p -> q) -> p      PL 1
    >>> derivation("K_a p -> p", logic="KD45") is None
    True

    The letters φ, ψ and χ stand for any formulas. The derivation then derives every instance: under
    announcements it uses no axiom about atoms for the letters.

    Raises `Undecided` after `limit` steps of the search; `FormulaError` for an operator that cannot be
    decided (probability, Kv), and for a logic in which formulas are decided and not derived, such as KB;
    `UnknownNameError` for an unknown logic.
    """
    found = formula(f)
    chosen = logic_named(logic, found.agents)
    goal, steps = unabbreviated(found), Steps(limit)
    lines = _known(goal, chosen) or derived_lines(goal, chosen, steps)
    if lines is None:
        nodes = list(goal.subformulas())  # under updates letters differ from atoms
        updated = any(map(is_schematic, nodes)) and any(isinstance(node, s.Box) for node in nodes)
        if updated and valid(found, logic=chosen, limit=limit):
            reason = "no axiom says that two actions have the same effect on a letter"
            raise Undecided(f"{found} is valid, but no derivation of it as a schema was found: {reason}")
        return None
    whole = Proof(chosen, tuple(lines))
    shown = Abbreviator(found).written
    for short in (whole.pruned(), whole):
        above = [replace(line, formula=shown(line.formula)) for line in short.lines[:-1]]
        last = replace(short.lines[-1], formula=found)
        for written in (Proof(chosen, (*above, last)), Proof(chosen, (*short.lines[:-1], last))):
            if check(written).right:  # a rule may need a line in expanded form
                return written
    raise Undecided(f"{found} is valid, but the derivation found for it does not pass the checker")


def prove(f: FormulaLike, logic: str | Logic = "S5", *, limit: int = DEFAULT_STEPS) -> Proof:
    """Return a derivation of a valid formula, as `derivation` does.

    Raises `FormulaError` for a formula that is not valid; its message lists a counter-model, as returned by
    `countermodel`.

    >>> prove("K_a p -> p", "K")
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.FormulaError: K_a p -> p is not valid in K: counter-model with 1 world, ...
    """
    found = derivation(f, logic=logic, limit=limit)
    if found is None:
        raise FormulaError(f"{formula(f)} is {decide_validity(f, logic=logic, limit=limit)}")
    return found


def _known(goal: Formula, logic: Logic) -> list[Line] | None:
    """Return the derivation of an axiom, or of a derived axiom that cites no other; else None."""
    for rule in system(logic):
        if rule.is_axiom and rule.instance((), goal) is not None and rule.sound(rule, logic, goal):
            return [Line(goal, rule.name)]
    axioms = {name for name, rules in DERIVED.items() if name not in RULES and "⊢" not in rules[0].text}
    for derived in chain(*DERIVED.values()):
        if derived.frames <= set(logic.properties):
            lines = derived.lines(goal)
            if lines and not any(line.rule in axioms for line in lines):
                return lines
    return None
