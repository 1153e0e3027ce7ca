"""Translation of the full language to the core language: formulas are evaluated to literals.

The core language is a further carrier of the semantics (`semantics.space`): a truth set is the literal of a
core formula. So each operator translates itself by its own truth condition. After a public announcement a
relation leads only to the surviving worlds, which are given by a literal as well; this amounts to the
reduction axioms of public announcement logic (Plaza 1989), and for common knowledge those of Van Benthem, Van
Eijck and Kooi (2006), applied all at once. Other updates are reduced to conditions before them
(`language.reduction`), which is impossible for common knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from kripke_werewolf.deciding.core import FALSE, TRUE, Builder, Core
from kripke_werewolf.deciding.sat import Steps
from kripke_werewolf.errors import FormulaError, UnknownActionError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import Logic
from kripke_werewolf.language.reduction import as_announcements, reduce_announcements
from kripke_werewolf.language.simplification import simplify
from kripke_werewolf.semantics.space import Space

if TYPE_CHECKING:
    from kripke_werewolf.semantics.action import ActionModel

MOST_QUANTIFIED = 10
"""The most names of a quantifier; the formula is repeated 2^n times for n names."""


class UndecidedSchema(FormulaError):
    """A schema with letters in an action, or after an update other than a public announcement."""


def translate(
    formula: Formula,
    logic: Logic,
    steps: Steps,
    *,
    value: bool = True,
    letters: frozenset[str] = frozenset(),
) -> Core:
    """Return a core formula which says, on the frames of the logic, that a formula has a truth value.

    `letters`: the schematic atoms. An announcement may change the truth of the formulas they stand for, so
    each becomes a new atom for each set of worlds that are left (`Core.copies`).

    Raises `FormulaError` naming the operator: for probability, for knowing a value, and for common knowledge
    after updates other than public announcements, after which a schematic letter is an `UndecidedSchema`;
    `UnknownActionError` for an action that is not bound; `Undecided` when nested announcements take too many
    steps.
    """
    build = Builder(logic)
    relations = {a: _Look(build.box, (a,)) for a in formula.agents}

    def literal(f: Formula) -> int:
        return _Literals(build, relations, steps, letters).truth(_prepared(f, letters))

    try:
        found = literal(formula)
    except FormulaError as refusal:
        if letters:
            raise
        try:  # what cannot be decided may drop out: C_a is K_a where the relation is transitive
            found = literal(simplify(formula, logic=logic))
        except FormulaError:
            raise refusal from None
    return build.finish(found if value else -found, formula.agents)


def boolean_literal(formula: Formula, build: Builder, steps: Steps) -> int:
    """Return the literal of a Boolean formula; `build` gives those of the atoms."""
    return _Literals(build, {}, steps, frozenset()).truth(formula)


def _prepared(formula: Formula, letters: frozenset[str]) -> Formula:
    """Return the formula without updates other than public announcements."""
    if not formula.is_scattered:
        return formula
    if changed := sorted(letters & formula.acted_on):
        raise UndecidedSchema(
            f"cannot decide the schema {str(formula)!r}: an action speaks of {', '.join(changed)}"
        )
    prepared = formula.rewrite(lambda node: _reduced(node, letters))
    for node in prepared.subformulas():
        match node:
            case s.Quantifier() if len(node.names) > MOST_QUANTIFIED:
                raise FormulaError(
                    f"cannot decide {str(node)!r}: a quantifier over {len(node.names)} atoms is too large "
                    f"to write out (at most {MOST_QUANTIFIED})"
                )
            case s.KnowsValue():
                raise FormulaError(
                    f"cannot decide {str(node)!r}: Kv_a is not supported, because formulas do not say which "
                    "values the variable has"
                )
    return prepared


def _reduced(node: Formula, letters: frozenset[str]) -> Formula:
    """Reduce an update other than a public announcement; inner ones are already reduced."""
    match node:
        case s.Dynamic(s.Announce(_, None, False)):
            return node
        case s.Dynamic(s.Act(name, _, None)):
            raise UnknownActionError.unbound(name)
        case s.Dynamic(_, body):
            if (found := as_announcements(node, letters)) is not None:
                return found.rewrite(lambda part: _reduced(part, letters))
            if held := sorted(letters & body.atoms):
                raise UndecidedSchema(
                    f"cannot decide the schema: in {str(node)!r} the update may change whether "
                    f"{', '.join(held)} is true; schemas are decided under announcements such as [!p] only"
                )
            return reduce_announcements(node)
    return node


def with_opaque_updates(formula: Formula, letters: frozenset[str]) -> tuple[Formula, frozenset[str]]:
    """Return a schema that is valid only if a schema is, with updates that may change its letters opaque.

    [U]ψ becomes pre(U) -> χ, and <U>ψ becomes pre(U) & χ, with a new letter χ for "ψ holds after U". So what
    follows from the precondition alone is known.
    """
    new: dict[tuple[object, ...], s.Atom] = {}

    def opaque(node: Formula) -> Formula:
        inside = letters | {atom.name for atom in new.values()}
        if not isinstance(node, s.Dynamic) or node.action is None or inside.isdisjoint(node.body.atoms):
            return node
        update, body, outcomes = node.update, node.body, len(node.action.designated)
        # if there is one outcome at most, <U>~ψ says that U is possible and ψ false after it
        denied = outcomes == 1 and isinstance(body, s.Not)
        key = (update, body.children[0] if denied else body, outcomes == 1 or node.every)
        after: Formula = new.setdefault(key, s.Atom(f"\0{len(new)}"))
        possible = reduce_announcements(s.Diamond(update, s.TRUE))
        after = ~after if denied else after
        return possible >> after if node.every else possible & after

    found = formula.rewrite(opaque)
    return found, letters | {atom.name for atom in new.values()}


class _Look(NamedTuple):
    """A relation along which the relations of a group lead, as used by the builder's box or common."""

    say: Callable[[tuple[str, ...], int, int], int]
    group: tuple[str, ...]


class _Literals(Space[int]):
    """The worlds of any model at which the literal `alive` is true; truth sets are literals.

    The value of a literal at other worlds does not matter, since no relation leads there.
    """

    __slots__ = ("alive", "build", "letters", "relations", "spaces", "steps")
    all = TRUE
    relations: Mapping[str, _Look]
    variables: Mapping[str, Mapping[str, Formula]] = {}

    def __init__(
        self,
        build: Builder,
        relations: Mapping[str, _Look],
        steps: Steps,
        letters: frozenset[str],
        alive: int = TRUE,
        spaces: dict[int, _Literals] | None = None,
    ) -> None:
        super().__init__()
        self.build, self.relations, self.steps, self.alive = build, relations, steps, alive
        self.letters = letters
        self.spaces = {alive: self} if spaces is None else spaces

    def evaluated(self, f: Formula) -> int:
        # an operator under nested announcements costs as much as a few steps of the search
        self.steps.take(20)
        return f.truth(self)

    def fact(self, atom: str) -> int:
        return self.build.copy(atom, self.alive) if atom in self.letters else self.build.atom(atom)

    def some(self, inside: int) -> bool:
        return inside != FALSE

    def complement(self, inside: int) -> int:
        return -inside

    def all_of(self, sets: Sequence[int]) -> int:
        return self.build.conj(sets)

    def any_of(self, sets: Sequence[int]) -> int:
        return self.build.disj(sets)

    def odd_of(self, sets: Sequence[int]) -> int:
        return self.build.odd(sets)

    def counted(self, sets: Sequence[int], low: int, high: int) -> int:
        return self.build.conj((self.build.at_least(low, sets), -self.build.at_least(high + 1, sets)))

    def box(self, relation: _Look, inside: int) -> int:
        return relation.say(relation.group, self.alive, inside)

    def meet(self, left: _Look, right: _Look) -> _Look:
        return _Look(self.build.box, tuple(sorted({*left.group, *right.group})))

    def join(self, relations: list[_Look], within: int) -> _Look:
        def common(group: tuple[str, ...], alive: int, body: int) -> int:
            return self.build.common(group, self.build.conj((alive, within)), body)

        return _Look(common, tuple(agent for look in relations for agent in look.group))

    def make_total(self) -> _Look:
        return _Look(self.build.box, ())

    def restricted(self, inside: int) -> tuple[_Literals, Callable[[int], int]]:
        alive = self.build.conj((self.alive, inside))
        if alive not in self.spaces:
            self.spaces[alive] = _Literals(
                self.build, self.relations, self.steps, self.letters, alive, self.spaces
            )
        return self.spaces[alive], lambda found: self.build.conj((inside, found))

    def product(self, action: ActionModel) -> NoReturn:
        raise AssertionError("updates other than public announcements are reduced before")

    def compared(self, node: s.Probability) -> NoReturn:
        raise FormulaError(
            f"cannot decide {str(node)!r}: probability (P_a) is not supported; a given model evaluates it"
        )
