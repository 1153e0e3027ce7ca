"""Writing primitive steps: the reasoning needed for each kind of operator.

A `Script` collects lines that cite only primitive rules. Its methods return the number of the line with the
requested formula; checking the steps is left to the checker.

Premises: a line that rests on premises stands for the implication from them.

By the deduction theorem, `φ1, …, φn ⊢ ψ` says that `φ1 & … & φn -> ψ` is derived. So the checker sees no
premises: it checks implications. Premises are true at one world, and need not be known; so a rule such as Nec
applies only to lines that rest on none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.operators import Mode, Scope
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import positive, readings, same_box, unabbreviated
from kripke_werewolf.logic.proofs.paths import State, fixed_point, induction_step, states, under
from kripke_werewolf.logic.proofs.proof import Line
from kripke_werewolf.logic.proofs.systems import RULES, Premises, system
from kripke_werewolf.logic.proofs.tautologies import DEFAULT_STEPS, follows, letters

Frames: TypeAlias = frozenset[str]
"""The frame properties on which lines depend."""


class DoesNotApply(Exception):
    """The reason why a rule does not yield a line from the lines to which it is applied."""


def is_box(f: Formula) -> bool:
    """Return whether a formula, with abbreviations expanded, is a box."""
    return isinstance(f, s.Box) or (isinstance(f, s.Modal) and f.mode is Mode.BOX)


def scope_contains(known: Formula, box: Formula) -> bool:
    """Return whether a formula is a box whose scope contains that of another: K_a contains D_G.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> scope_contains(parse("K_a p"), parse("D_{a,b} q")), scope_contains(parse("D_{a,b} p"), parse("K_a q"))
    (True, False)
    """
    if not is_box(known):
        return False
    if same_box(known, box):
        return True
    if not (isinstance(known, s.Modal) and isinstance(box, s.Modal)):
        return False
    if known.scope is Scope.WORLDS:
        return box.scope in (Scope.AGENT, Scope.MEET)
    inner = known.scope in (Scope.AGENT, Scope.MEET)
    return inner and box.scope is Scope.MEET and set(known.label) <= set(box.label)


def implication(antecedents: Sequence[Formula], consequent: Formula) -> Formula:
    """Return the formula that formulas together imply another."""
    return s.Implies(s.conjunction(antecedents), consequent) if antecedents else consequent


def paths_of(goal: Formula) -> tuple[State, ...]:
    """Return the fixed points on which a goal [x]C_G φ depends, itself first."""
    found = states(goal)
    assert found is not None
    return found


def _stripped(f: Formula) -> Formula:
    """Return a formula without the double negations before it."""
    while isinstance(f, s.Not) and isinstance(f.body, s.Not | s.Constant):
        f = negated(f.body)
    return f


class Script:
    """Lines that cite only primitive rules, without repeated formulas.

    `write`: writes the steps of a line that cites a derived rule. `limit`: the greatest number of steps for a
    propositional search; `shown`: writes formulas for messages.
    """

    def __init__(
        self, logic: Logic, write: Callable[[Script, Line, Sequence[int]], int], limit: int = DEFAULT_STEPS
    ) -> None:
        self.logic, self.limit, self._write = logic, limit, write
        self.shown: Callable[[Formula], Formula] = lambda f: f
        self.lines: list[Line] = []
        self.used: list[Frames] = []
        """For each line, the frame properties on which it depends."""
        self._numbers: dict[Formula, int] = {}

    def add(self, f: Formula, rule: str, *refs: int) -> int:
        """Return the number of a line, written now unless there is one with no more dependencies."""
        frame = RULES[rule].frame
        used = frozenset(filter(None, [frame])).union(*(self.used[n - 1] for n in refs))
        known = self._numbers.get(f)
        if known is not None and self.used[known - 1] <= used:
            return known
        self.lines.append(Line(f, rule, refs))
        self.used.append(used)
        self._numbers[f] = len(self.lines)
        return len(self.lines)

    def take(self, line: Line, *, known: bool = True) -> int:
        """Add a line as it is; `known`: whether later ones may rest on it without being told to."""
        self.lines.append(line)
        self.used.append(frozenset())
        if known:
            self._numbers.setdefault(line.formula, len(self.lines))
        return len(self.lines)

    def forget(self, length: int) -> None:
        """Remove all lines after the first `length`."""
        del self.lines[length:], self.used[length:]
        self._numbers = {f: n for f, n in self._numbers.items() if n <= length}

    def formula(self, number: int) -> Formula:
        """Return the formula of a line."""
        return self.lines[number - 1].formula

    def needed(self, premises: Sequence[Formula], f: Formula) -> list[int] | None:
        """Return the indices of premises from which a formula follows propositionally, or None.

        Raises `Undecided` at the limit.
        """
        return follows(premises, f, limit=self.limit)

    def follows(self, f: Formula, refs: Iterable[int]) -> int:
        """Write that a formula follows from lines propositionally: by a tautology and modus ponens."""
        premises = list(dict.fromkeys(refs))
        for number in premises:
            known = self.formula(number)
            if known is f:
                return number
            if isinstance(known, s.Implies) and known.right is f:
                for other in premises:
                    if self.formula(other) is known.left:
                        return self.add(f, "MP", number, other)
        chain = [f]
        for number in reversed(premises):
            chain.append(s.Implies(self.formula(number), chain[-1]))
        found = self.add(chain.pop(), "Taut")
        for number in premises:
            found = self.add(chain.pop(), "MP", found, number)
        return found

    # --- boxes -----------------------------------------------------------------------------------

    def necessitated(self, box: Formula, line: int) -> int:
        """Write the necessitation of a line by a box."""
        body = self.formula(line)
        goal = under(box, body)
        match box:
            case s.Box(s.Announce()):
                return self.add(goal, "Nec!", line)
            case s.Box():
                return self.add(goal, "Nec@", line)
            case s.Modal(scope=Scope.MEET, label=group):
                known = s.Knows(group[0], body)
                return self.follows(goal, [self.add(known, "Nec", line), self.spread(known, goal)])
            case s.Modal(scope=Scope.REACH):
                here = self.follows(paths_of(goal)[0].entered(), [line])
                steps = [self.add(s.Knows(a, self.formula(here)), "Nec", here) for a in box.label]
                return self.follows(goal, [self.induction(s.TRUE, goal, steps)])
        return self.add(goal, "Nec", line)

    def spread(self, known: Formula, box: Formula) -> int:
        """Write that a box implies another with a smaller scope (`scope_contains`) and the same body."""
        body = known.children[-1]
        goal = s.Implies(known, under(box, body))
        if same_box(known, box):
            return self.follows(goal, [])
        if known.label:
            return self.add(goal, "D+")
        one = s.Knows(box.label[0], body)
        first = self.add(s.Implies(known, one), "U")
        if same_box(one, box):
            return first
        return self.follows(goal, [first, self.spread(one, box)])

    def normal(self, box: Formula, f: Formula, g: Formula) -> int:
        """Write box (f -> g) -> (box f -> box g)."""
        boxes = [under(box, body) for body in (s.Implies(f, g), f, g)]
        goal = s.Implies(boxes[0], s.Implies(boxes[1], boxes[2]))
        match box:
            case s.Box(update):
                axiom = "!B" if isinstance(update, s.Announce) else "@B"
                equal = self.add(s.Iff(boxes[0], s.Implies(boxes[1], boxes[2])), axiom)
                return self.follows(goal, [equal])
            case s.Modal(scope=Scope.REACH):
                return self._normal_common(goal, boxes, f, g)
        return self.add(goal, "K")

    def _normal_common(self, goal: Formula, boxes: list[Formula], f: Formula, g: Formula) -> int:
        known = s.And(boxes[0], boxes[1])
        inner, entered = [paths_of(box)[0].fixed for box in boxes[:2]], paths_of(boxes[2])[0].entered(known)
        step = self.follows(implication(inner, entered), [])
        mixes = [self.mix(box) for box in boxes[:2]]
        steps = []
        for agent in boxes[0].label:
            box = s.Knows(agent, g)
            steps.append(self.regular(box, [(under(box, x), x) for x in inner], entered, step))
        return self.follows(goal, [self.induction(known, boxes[2], [*mixes, *steps])])

    def regular(
        self, box: Formula, items: Sequence[tuple[Formula, Formula]], body: Formula, line: int
    ) -> int:
        """Write that the conditions of items imply box body, from a line by which the items imply body.

        An item is a condition with a formula that is then true under the box: box x with x, or, by
        introspection, box x with itself and ~box x with itself. The box may be another with at least this
        scope.
        """
        rest = [body]
        for _, item in reversed(items):
            rest.append(s.Implies(item, rest[-1]))
        used = [self.necessitated(box, self.follows(rest.pop(), [line]))]
        for condition, item in items:
            used.append(self.normal(box, item, rest.pop()))
            if condition is item:
                used.append(self.introspection(box, item))
            elif not same_box(condition, box):
                used.append(self.spread(condition, box))
        return self.follows(implication([condition for condition, _ in items], under(box, body)), used)

    def introspection(self, box: Formula, known: Formula) -> int:
        """Write that a formula box' x or ~box' x implies its own box, where box' has the scope of box."""
        goal = s.Implies(known, under(box, known))
        own = positive(known)
        if not same_box(own, box):
            twice = self.introspection(own, known)
            return self.follows(goal, [twice, self.spread(under(own, known), box)])
        if isinstance(box, s.Modal) and box.scope is Scope.REACH:
            if isinstance(known, s.Not):
                raise DoesNotApply(f"negative introspection is not available for {self.shown(known.body)}")
            return self.derived(goal, "4_C")
        if isinstance(box, s.Box):
            raise DoesNotApply(f"there is no introspection for {self.shown(box)}")
        everywhere = isinstance(box, s.Modal) and box.scope is Scope.WORLDS
        rules = [rule for rule in system(self.logic) if rule.name in ("T", "4", "5", "T_U", "5_U")]
        names = {rule.name for rule in rules if rule.sound(rule, self.logic, own)}
        true, negative = ("T_U", "5_U") if everywhere else ("T", "5")
        if isinstance(known, s.Not):
            if negative not in names:
                raise DoesNotApply(
                    f"negative introspection (5) is not sound in {self.logic}: {self.shown(goal)}"
                )
            return self.add(goal, negative)
        if "4" in names and not everywhere:
            return self.add(goal, "4")
        if not {true, negative} <= names:
            raise DoesNotApply(f"positive introspection (4) is not sound in {self.logic}: {self.shown(goal)}")
        return self.derived(goal, "4")

    def derived(self, f: Formula, name: str) -> int:
        """Write an instance of a derived axiom."""
        return self._write(self, Line(f, name), [])

    # --- common knowledge --------------------------------------------------------------------------

    def mix(self, goal: Formula) -> int:
        """Write that [x]C_G φ is a fixed point."""
        found = paths_of(goal)
        equal, sign = fixed_point(found), found[0].sign
        return self.derived(equal, f"Mix{sign}") if sign else self.add(equal, "Mix")

    def induction(self, invariant: Formula, goal: Formula, lines: Sequence[int]) -> int:
        """Write that an invariant implies a goal [x]C_G φ, from lines by which its premises follow.

        The invariants of other states are those in the lines, or the goals of these states.
        """
        found = paths_of(goal)
        kept, steps = self._invariants(found, invariant, lines), list[int]()
        for place in range(len(found)):
            premise = induction_step(found, place, kept)
            cited = [*lines, *self._weaker(found, place, kept)]
            needed = self.needed([self.formula(n) for n in cited], premise)
            if needed is None:
                wanted = self.shown(premise if kept[place] is not s.TRUE else premise.right)
                missing = "which does not follow propositionally from the lines cited"
                raise DoesNotApply(f"the rule would need {wanted}, {missing}")
            steps.append(self.follows(premise, [cited[n] for n in needed]))
        return self.add(s.Implies(invariant, goal), f"Ind{found[0].sign}", *steps)

    def _invariants(self, found: Sequence[State], first: Formula, lines: Iterable[int]) -> list[Formula]:
        """Return an invariant for each state.

        These are: the first; those that agents know by the lines; the goals, for other states to which a step
        leads; and false for the rest.
        """
        kept = {0: first}
        known = {g: None for n in lines for g in letters(self.formula(n)) if isinstance(g, s.Knows)}
        for agent, end in dict.fromkeys(step for here in found for step in here.steps):
            for box in known:
                if end not in kept and box.agent == agent and isinstance(box.body, s.Implies):
                    after = box.body.right
                    inside = after.children[0] if isinstance(after, s.And) else s.TRUE
                    if box.body in (found[end].entered(inside), found[end].entered()):
                        kept[end] = inside
        pending = list(kept)
        for place in pending:
            for _, end in found[place].steps:
                if kept[place] is not s.FALSE and end not in kept:
                    kept[end] = found[end].goal
                    pending.append(end)
        return [kept.get(place, s.FALSE) for place in range(len(found))]

    def _weaker(self, found: Sequence[State], place: int, kept: Sequence[Formula]) -> Iterator[int]:
        """Write lines that imply a premise whose invariant is `true`, or the goal of its state."""
        if kept[place] is found[place].goal:
            yield self.mix(found[place].goal)
        for agent, end in found[place].steps:
            here = found[end]
            inside = {s.TRUE: here.entered(), here.goal: here.fixed}.get(kept[end])
            if inside is not None:
                body, known = here.entered(kept[end]), s.Knows(agent, inside)
                line = self.follows(s.Implies(inside, body), [])
                yield self.regular(known, [(known, inside)], body, line)

    # --- equivalents -------------------------------------------------------------------------------

    def doubly(self, f: Formula, number: int) -> int:
        """Write a formula that differs from that of a line in double negations."""
        known = self.formula(number)
        return number if known is f else self.follows(f, [number, self.equal(known, f, {})])

    def equal(self, left: Formula, right: Formula, known: dict[tuple[Formula, Formula], int]) -> int:
        """Write the equivalence of two formulas that differ in equivalent parts, or in double negations.

        `known` gives the lines for parts; raises `DoesNotApply` if they differ otherwise.
        """
        if (left, right) in known:
            return known[left, right]
        goal = s.Iff(left, right)
        if left is right:
            return self.follows(goal, [])
        if (right, left) in known:
            return self.follows(goal, [known[right, left]])
        bare = _stripped(left), _stripped(right)
        if bare != (left, right):
            return self.follows(goal, [self.equal(*bare, known)])
        alike = type(left) is type(right) and left.label == right.label
        if isinstance(left, s.Modal):
            alike = same_box(left, right)
        if not alike or len(left.children) != len(right.children):
            raise DoesNotApply(f"{self.shown(left)} and {self.shown(right)} differ in more than equivalents")
        pairs = list(zip(left.children, right.children, strict=True))
        if left.pointwise:
            return self.follows(goal, [self.equal(x, y, known) for x, y in pairs if x is not y])
        refs = []
        middle = under(right, left.children[-1])
        if middle is not left:  # the announcements differ
            contents = self.equal(left.children[0], right.children[0], known)
            refs.append(self.add(s.Iff(left, middle), "RE!", contents))
        if middle is not right:
            x, y = pairs[-1]
            inner = self.equal(x, y, known)
            refs += [
                self.regular(right, [(middle, x)], y, inner), self.regular(right, [(right, y)], x, inner)
            ]  # fmt: skip
        return self.follows(goal, refs)


GIVEN = "given"
"""The word by which a line cites a premise."""

WITHIN_A_WORLD = ("MP", "PL", "Red", "RE", "Def")
"""The rules that also preserve truth at a single world."""


def discharged(
    line: Line, premises: Premises, above: Sequence[Line], rests: Sequence[Premises]
) -> tuple[Line, Premises]:
    """Return a line, expanded, as the implication from the premises on which it rests, and the premises.

    `premises` in expanded form; `rests`: the premises on which each line above rests.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> p = parse("p")
    >>> print(discharged(Line(parse("p | q"), "PL", (1,)), (p,), [Line(p, GIVEN)], [(p,)])[0].formula)
    p -> p | q

    Raises `DoesNotApply` for what is not a premise, and for a rule that does not apply to lines that rest on
    premises.
    """
    f, rule = unabbreviated(line.formula), line.rule
    if rule == GIVEN:
        if f not in premises:
            known = ", ".join(map(str, premises)) or "there are none"
            raise DoesNotApply(f"it is not one of the premises: {known}")
        return Line(s.Implies(f, f), "Taut"), (f,)
    used = tuple(p for p in premises if any(p in rests[n - 1] for n in line.refs))
    if used and rule not in WITHIN_A_WORLD:
        number, found = next((n, rests[n - 1]) for n in line.refs if rests[n - 1])
        raise DoesNotApply(
            f"{rule} needs lines that rest on no premise, and line {number} rests on "
            f"{', '.join(map(str, found))}, which is true here but perhaps not elsewhere"
        )
    if used and rule == "MP":  # between implications it is a step of propositional logic
        forms = readings([line.formula, *(above[n - 1].formula for n in line.refs)])
        if not any(RULES[rule].instance(order, g) for g, *cited in forms for order in permutations(cited)):
            raise DoesNotApply(f"the lines that it cites and this one are not of the form {RULES[rule].text}")
        rule = "PL"
    return Line(implication(used, f), rule, line.refs), used
