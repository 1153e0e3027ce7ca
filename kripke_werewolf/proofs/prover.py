"""Finding derivations: the lessons of the decision procedure as lines.

The search for a counter-model (`deciding.elimination`) ends with lessons: no type has a witness for a box
where certain other boxes are true, or no path keeps a promise of common knowledge. The first becomes a line
that follows propositionally, and then the same line under K_a (rule RK); the second becomes an induction
whose invariant is read off its clauses. A SAT solver determines the lines that a line needs; the others are
omitted. So there is a derivation whenever the decision procedure says "valid": in all logics, with common and
distributed knowledge, announcements, and actions without common knowledge after them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias, TypeVar

from kripke_werewolf.deciding.closure import Closure, Eventuality, closure_of
from kripke_werewolf.deciding.core import (
    TRUE,
    AndNode,
    Builder,
    Core,
    Necessity,
    Node,
    Proposition,
    common_node,
)
from kripke_werewolf.deciding.elimination import Lesson, NoPath, NoWitness, refutation
from kripke_werewolf.deciding.sat import Solver, Steps
from kripke_werewolf.deciding.translation import boolean_literal, translate
from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import Logic
from kripke_werewolf.proofs.derived import reduction, reductions
from kripke_werewolf.proofs.proof import Line, pruned
from kripke_werewolf.proofs.schemas import is_schematic
from kripke_werewolf.proofs.script import implication, same_box, under
from kripke_werewolf.proofs.tautologies import follows, replaced
from kripke_werewolf.semantics.bits import members

T = TypeVar("T", bound=Hashable)
_Clause: TypeAlias = tuple[int, ...]


def derived_lines(f: Formula, logic: Logic, steps: Steps, given: Sequence[Formula] = ()) -> list[Line] | None:
    """Return lines that derive a formula, with abbreviations expanded; None if it is not valid.

    `given`: formulas already derived, which may be cited as lines 1, 2, … before those returned. Raises
    `FormulaError` for a formula that cannot be decided, and `Undecided` when the steps are used up.
    """
    prover = _Prover(f, logic, steps, given)
    lines = prover.lines()
    if lines is None and (axioms := list(prover.translation.agreement())):
        known = [*given, *(line.formula for line in axioms)]
        found = _Prover(f, logic, steps, known).lines()
        lines = None if found is None else pruned([*axioms, *found], len(given))
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


class _After(NamedTuple):
    """[!θ]C_G ψ, which holds where θ implies C_G ψ relative to θ."""

    formula: s.Box
    content: Formula

    @property
    def inside(self) -> Formula:
        """[!θ]ψ & [!θ]C_G ψ: the formula that everyone knows in this case."""
        common = self.formula.body
        return s.And(under(self.formula, common.children[-1]), self.formula)


class _Translation:
    """Literals of formulas; `boxes` names the nodes of boxes, `common` those of common knowledge."""

    def __init__(self, logic: Logic, steps: Steps) -> None:
        self.build = _Faithful(logic)
        self.steps = steps
        self.boxes: dict[int, Formula] = {}
        self.common: dict[int, Formula | _After] = {}
        self.opaque: Formula | None = None
        self.read: dict[tuple[int, Formula], s.Box] = {}
        """Schematic letters under announcements, by the worlds that these leave."""
        self.same: list[tuple[s.Box, s.Box]] = []
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
            case s.Common(group, body):
                node = self.build.new(common_node(group, TRUE, self.literal(body)))
                self.common[node] = g
                return node
            case s.Modal():
                node = self.build.new(Necessity(g.label, self.literal(g.children[-1])))
                self.boxes[node] = g
                return node
            case s.Box(s.Announce(content, None, False), s.Common(group, body)):
                # a separate node, since C_G relative to a valid formula is not named C_G
                within = self.build.new(AndNode((self.literal(content),)))
                node = self.build.new(common_node(group, within, self.literal(under(g, body))))
                self.common[node] = _After(g, content)
                return self.build.disj((-within, node))
            case s.Box(s.Announce(content, None, False), body) if is_schematic(body):
                within = self.literal(content)
                first = self.read.setdefault((within, body), g)
                if first is not g:
                    self.same.append((first, g))
                    return self.literal(first)
                return self.build.disj((-within, self.build.new(Proposition(str(g)))))
            case s.Box():
                found = reduction(g)
                if found is None:  # it does not matter, or there is no derivation
                    self.opaque = g
                    return self.build.new(Proposition(str(g)))
                return self.literal(found[0].right)
        raise AssertionError(f"{g} was translated, but is not a formula of the core language")

    def agreement(self) -> Iterator[Line]:
        """Yield axioms by which announcements with the same effect leave every formula equally true.

        There is one for any two announcements before a schematic letter, and for each one and none.
        """
        for box in self.read.values():
            content, letter = box.children
            if content is s.TRUE:
                yield Line(s.Iff(box, letter), "!true")
            else:
                yield Line(s.Implies(s.Everywhere(content), s.Iff(box, letter)), "!all")
        for box, other in combinations(self.read.values(), 2):
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

    def __init__(self, closure: Closure, steps: Steps, given: Sequence[int]) -> None:
        self.solver = solver = Solver(closure.size, steps=steps)
        knowns = {e.knowns[0] for e in closure.eventualities}
        for number, parts in closure.conjunctions.items():
            if number not in knowns:
                solver.define(number, parts)
        solver.add((TRUE,))
        reflexive = members(closure.reflexive)
        self.truth = {self._switch([(-n, closure.boxes[n].target)]): n for n in reflexive}
        self.fixed = {self._switch(_equal(n, closure.conjunctions[n])): n for n in sorted(knowns)}
        self.given = [self._switch([(literal,)]) for literal in given]
        self.lessons: dict[int, int] = {}
        self._broken: dict[Hashable, int] = {}

    def _switch(self, clauses: Iterable[Sequence[int]]) -> int:
        switch = self.solver.new_variable()
        for clause in clauses:
            self.solver.add((-switch, *clause))
        return switch

    def learn(self, number: int, clause: Sequence[int]) -> None:
        """Add the clause with this number."""
        self.lessons[self._switch([clause])] = number

    def broken(self, promise: Eventuality, clauses: Sequence[_Clause]) -> int:
        """Return a switch for: the body is false, or all clauses are true."""
        key = promise.knowns[0], tuple(clauses)
        if key not in self._broken:
            every = self.solver.new_variable()
            alternatives = [(-every, *clause) for clause in clauses]
            self._broken[key] = self._switch([(-promise.edges[0][0].body, every), *alternatives])
        return self._broken[key]

    def needed(self, assumed: Iterable[int], before: int) -> set[int] | None:
        """Return jointly inconsistent assumptions and switches; None if all are consistent.

        Only lessons up to `before` are used. To reduce the result, later lessons are dropped first, then
        introspection and other assumptions.
        """
        lessons = [switch for switch, number in self.lessons.items() if number < before]
        whole = [*dict.fromkeys(assumed), *self.truth, *self.fixed, *self.given, *lessons]
        if self.solver.solve(whole):
            return None
        core = set(self.solver.core)
        for literal in reversed(whole):
            if literal in core and not self.solver.solve([x for x in whole if x in core and x != literal]):
                core = set(self.solver.core)
        return core


def _equal(whole: int, parts: Sequence[int]) -> list[_Clause]:
    return [*((-whole, part) for part in parts), (whole, *(-part for part in parts))]


_Step: TypeAlias = tuple[list[_Item], set[int]]
"""The items needed for a line, and the assumptions and switches."""


class _Plan(NamedTuple):
    """The steps of a lesson; for an induction, by clause and agent."""

    of: dict[tuple[_Clause, str], _Step]
    steps: list[_Step]

    @property
    def cores(self) -> list[set[int]]:
        """The assumptions and switches of each step."""
        return [core for _, core in self.steps]


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
        for known, g in self.common.items():
            place = self.places.get(g.formula if isinstance(g, _After) else g, 0)
            self.places |= {self.boxes[n]: place for n in self.closure.conjunctions[known]}
        self.lessons = refutation(self.closure, steps, valid)
        if self.lessons is None and translation.opaque is not None:
            raise FormulaError(
                f"{str(f)!r} can be decided (valid, prove), not derived: no axiom is known for "
                f"{translation.opaque}"
            )
        self.reasons = _Reasons(self.closure, steps, valid)
        self.numbers = {g: n for n, g in enumerate(self.given, 1)}
        self.written: list[Line] = []
        self.homes: list[tuple[Lesson, int, int]] = []
        """For each clause its lesson, its position there, and the number of the lesson's first clause."""
        self.plans: dict[int, _Plan] = {}
        self.of_clause: dict[int, list[int]] = {}
        self.inductions: list[Callable[[], list[int]]] = []
        self.stronger: list[int] = []
        """Lines with the content of lessons where an announcement is false; `inductions` write more."""

    def _here(self, literal: int) -> int:
        found = self.closure.literals[abs(literal)]
        return found if literal > 0 else -found

    def _named(self, translation: _Translation) -> tuple[dict[int, Formula], dict[int, Formula | _After]]:
        """Return the boxes and the common knowledge represented by nodes of the closure."""
        boxes = {self._here(node): g for node, g in translation.boxes.items()}
        common = {self._here(node): g for node, g in translation.common.items()}
        for known, g in common.items():
            inside = g.inside if isinstance(g, _After) else s.And(g.children[-1], g)
            for member in self.closure.conjunctions[known]:
                boxes[member] = s.Knows(self.closure.boxes[member].group[0], inside)
        return boxes, common

    def lines(self) -> list[Line] | None:
        if self.lessons is None:
            return None
        for lesson in self.lessons:
            first, known = len(self.homes), [lesson.promise.knowns[0]] if isinstance(lesson, NoPath) else []
            for place, clause in enumerate(lesson.clauses if isinstance(lesson, NoPath) else [lesson.clause]):
                self.reasons.learn(len(self.homes), (*known, *clause))
                self.homes.append((lesson, place, first))
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
            pending |= {n for inner in self._plan(number).cores for n in self._in(inner)}
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
            cited = tuple(refs) if rule == "MP" else tuple(sorted(set(refs)))
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
        if chosen is None:  # [!θ]ψ is true where θ is false: lessons use this, and no line says it yet
            cited += [self._fixed_point(n) for n, g in self.common.items() if isinstance(g, _After)]
            writers, self.inductions = self.inductions, []
            for write in writers:
                self.stronger += write()
            cited += [*self.stronger, *self._of_letters(letters)]
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
        g = self.common[known]
        everyone = s.conjunction(self.boxes[n] for n in self.closure.conjunctions[known])
        if isinstance(g, _After):
            return self._line(s.Iff(g.formula, s.Implies(g.content, everyone)), "Mix!")
        return self._line(s.Iff(g, everyone), "Mix")

    def _of_letters(self, number: int | None) -> Iterator[int]:
        """Write the effect of announcements on any formula, which is irrelevant where they are impossible.

        The equivalence of the contents of two may rest on earlier pairs, which occur inside them.
        """
        for box in self.translation.read.values():
            yield self._line(s.Implies(s.Not(box.children[0]), box), "!false")
        for place, (first, box) in enumerate(self.translation.same[:number]):
            contents = s.Iff(first.children[0], box.children[0])
            yield self._line(s.Iff(first, box), "RE", [self._by_connectives(contents, [], place)])

    # --- lessons ---------------------------------------------------------------------------------

    def _lesson(self, number: int) -> list[int]:
        if number not in self.of_clause:
            lesson, plan = self.homes[number][0], self._plan(number)
            if isinstance(lesson, NoWitness):
                self.of_clause[number] = self._no_witness(lesson, plan)
            else:
                self.of_clause[number] = self._no_path(lesson, plan)
        return self.of_clause[number]

    def _plan(self, number: int) -> _Plan:
        """Return the steps of the lesson of a clause, the fewest sufficient for that clause."""
        if number not in self.plans:
            lesson, place, first = self.homes[number]
            if isinstance(lesson, NoWitness):
                goal = [] if lesson.box is None else [-self.closure.boxes[lesson.box].target]
                items = self._items(lesson.group, [-x for x in lesson.clause])
                core = self._needed([*goal, *items], number)
                used = [item for literal, item in items.items() if literal in core]
                self.plans[number] = _Plan({}, [(used, core)])
            else:
                clauses = self._fewer(lesson, lesson.clauses[place], first)
                pairs = [(clause, agent) for clause in clauses for agent in lesson.promise.group]
                steps = [self._step(lesson, clauses, clause, agent, first) for clause, agent in pairs]
                found = [step for step in steps if step is not None]
                assert len(found) == len(steps), "the search learnt an induction that does not hold"
                self.plans[number] = _Plan(dict(zip(pairs, found, strict=True)), found)
        return self.plans[number]

    def _items(self, group: tuple[str, ...], causes: Iterable[int]) -> dict[int, _Item]:
        """Return by literal the formulas that are true wherever the group's relation leads.

        Those that need introspection come last.
        """
        found, kept = dict[int, _Item](), dict[int, _Item]()
        below = self.closure.below.get(group, 0)
        for cause in causes:
            box, shown = self.closure.boxes[abs(cause)], self.boxes[abs(cause)]
            condition = shown if cause > 0 else s.Not(shown)
            near = not box.group or below >> abs(cause) & 1
            if cause > 0 and near:
                found.setdefault(box.target, _Item(condition, shown.children[-1], ""))
            introspective = self.logic.transitive if cause > 0 else self.logic.euclidean
            if near and (introspective or not box.group):
                name = "" if not box.group else "4" if cause > 0 else "5"
                kept.setdefault(cause, _Item(condition, condition, name))
        return found | {literal: item for literal, item in kept.items() if literal not in found}

    def _no_witness(self, lesson: NoWitness, plan: _Plan) -> list[int]:
        box = s.Knows(lesson.group[0], s.FALSE) if lesson.box is None else self.boxes[lesson.box]
        used, core = plan.steps[0]
        if lesson.box is None and [item.condition for item in used] == [box]:
            return [self._line(s.Not(box), "D")]
        refs = [self._regular(box, used, self._cited(core))]
        return [*refs, self._line(s.Not(box), "D")] if lesson.box is None else refs

    def _regular(self, box: Formula, used: Sequence[_Item], refs: Iterable[int]) -> int:
        """Write that the conditions of items imply a box, since the items imply its body by the lines cited.

        The box may be a conjunction of boxes, for everyone.
        """
        body = box.children[0].children[-1] if isinstance(box, s.And) else box.children[-1]
        used = sorted(used, key=lambda item: self._place(item.condition))
        items, conditions = _once(i.formula for i in used), _once(i.condition for i in used)
        kept = "".join(sorted({item.kept for item in used}))
        goal = implication(conditions, box)
        if items == [body]:
            own = body.body if isinstance(body, s.Not) else body
            return self._line(goal, kept if kept and same_box(own, box) else f"RK{kept}")
        step = self._by_connectives(implication(items, body), refs)
        return self._line(goal, f"RK{kept}" if used else "Nec", (step,))

    def _place(self, condition: Formula) -> int:
        """Return the position of a box, possibly negated, in the derived formula."""
        box = condition.body if isinstance(condition, s.Not) else condition
        if isinstance(box, s.And):
            box = box.children[0]
        return self.places.get(box, 0)

    # --- inductions ------------------------------------------------------------------------------

    def _no_path(self, lesson: NoPath, plan: _Plan) -> list[int]:
        clauses = _once(clause for clause, _ in plan.of)
        g = self.common[lesson.promise.knowns[0]]
        invariant = s.disjunction(self._conjunction([-x for x in clause]) for clause in clauses)
        if isinstance(g, _After):
            after = under(g.formula, g.formula.body.children[-1])
            kept = after if invariant is s.TRUE else s.And(invariant, after)
            inside: Formula = s.Implies(g.content, kept)
        else:
            inside = g.children[-1] if invariant is s.TRUE else s.And(g.children[-1], invariant)
        folded = [self._fixed_point(known) for x in clauses for known in self._folded([-y for y in x])]
        refs = list(folded)
        for clause in clauses:
            refs += self._steps(lesson, plan, clause, inside, folded)
        goal = g.formula if isinstance(g, _After) else g
        if invariant is not s.TRUE:
            goal = s.Implies(invariant, goal)
        if not isinstance(g, _After):
            return [self._line(goal, "Ind", refs), *folded]
        found = self._line(goal, "Ind!", refs)
        known = lesson.promise.knowns[0]
        self.inductions.append(lambda: self._where_false(g, known, inside, found, refs))
        return [found, *folded]

    def _where_false(self, g: _After, known: int, inside: Formula, found: int, refs: list[int]) -> list[int]:
        """Write that a formula implying [!θ]C_G ψ by induction makes everyone know [!θ]ψ & [!θ]C_G ψ."""
        boxes = [self.boxes[n] for n in self.closure.conjunctions[known]]
        step = self._by_connectives(
            s.Implies(inside, boxes[0].children[-1]), [found, self._fixed_point(known)]
        )
        return [*refs, *(self._line(s.Implies(under(box, inside), box), "RK", (step,)) for box in boxes)]

    def _fewer(self, lesson: NoPath, kept: _Clause, first: int) -> list[_Clause]:
        """Return clauses of the lesson, including a given one, that suffice for the induction."""
        clauses = list(lesson.clauses)
        for clause in lesson.clauses[::-1]:
            rest = [other for other in clauses if other != clause]
            if clause != kept and all(
                self._step(lesson, rest, other, agent, first)
                for other in rest
                for agent in lesson.promise.group
            ):
                clauses = rest
        return clauses

    def _step(
        self, lesson: NoPath, clauses: Sequence[_Clause], clause: Sequence[int], agent: str, first: int
    ) -> _Step | None:
        """Return the items that preserve the invariant along a step of an agent, and the switches needed."""
        items = self._items((agent,), [-x for x in clause])
        switch = self.reasons.broken(lesson.promise, clauses)
        core = self.reasons.needed([switch, lesson.promise.edges[0][0].within, *items], first)
        return None if core is None else ([item for x, item in items.items() if x in core], core)

    def _steps(
        self, lesson: NoPath, plan: _Plan, clause: _Clause, inside: Formula, folded: list[int]
    ) -> list[int]:
        """Write for each agent, or for everyone at once, that a step preserves the invariant."""
        group, refs = lesson.promise.group, list[int]()
        for agent in group:
            used, core = plan.of[clause, agent]
            cited = [*self._cited(core), *folded]
            shared = [self._shared(item, agent, group, clause) for item in used]
            if agent == group[0] and all(shared):
                everyone = s.conjunction(s.Knows(other, inside) for other in group)
                return [self._regular(everyone, [item for item in shared if item], cited)]
            refs.append(self._regular(s.Knows(agent, inside), used, cited))
        return refs

    def _shared(self, item: _Item, agent: str, group: Sequence[str], clause: Sequence[int]) -> _Item | None:
        """Return an item with the same formula for everyone in the group, or None."""
        if item.kept:
            return None
        conditions = {self.boxes[-x] for x in clause if x < 0}
        everyone = [s.Knows(other, item.formula) for other in group]
        if item.condition is not s.Knows(agent, item.formula) or not conditions.issuperset(everyone):
            return None
        return _Item(s.conjunction(everyone), item.formula, "")

    def _folded(self, literals: Sequence[int]) -> list[int]:
        """Return the common knowledge expressed by literals box by box."""
        return [
            known
            for known, g in self.common.items()
            if not isinstance(g, _After) and set(self.closure.conjunctions[known]) <= set(literals)
        ]

    def _conjunction(self, literals: Sequence[int]) -> Formula:
        """Return the conjunction of boxes and their negations, with C_G φ for its boxes."""
        folded = self._folded(literals)
        gone = {n for known in folded for n in self.closure.conjunctions[known]}
        parts = [g for known in folded if not isinstance(g := self.common[known], _After)]
        rest = [self.boxes[x] if x > 0 else s.Not(self.boxes[-x]) for x in literals if x not in gone]
        for group in {e.group for e in self.closure.eventualities}:
            for body in _once(g.body for g in rest if isinstance(g, s.Knows)):
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
        return None if needed is None else ("Red", [place for place in needed if place < len(premises)])
    if len(needed) == 2:
        for major, minor in (needed, needed[::-1]):
            if premises[major] is s.Implies(premises[minor], f):
                return "MP", [major, minor]
    return "PL", needed


def _once(values: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(values))
