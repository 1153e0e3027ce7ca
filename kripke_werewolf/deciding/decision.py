"""Is a formula satisfiable, or valid, in a logic? With a model or counter-model to show it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from kripke_werewolf.deciding.closure import closure_of
from kripke_werewolf.deciding.core import Core
from kripke_werewolf.deciding.elimination import satisfiable_types
from kripke_werewolf.deciding.extraction import extracted
from kripke_werewolf.deciding.listing import listing
from kripke_werewolf.deciding.sat import Steps
from kripke_werewolf.deciding.small import model_of_size
from kripke_werewolf.deciding.structure import Structure, reduced
from kripke_werewolf.deciding.translation import translate
from kripke_werewolf.errors import Undecided
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.logics import Logic, logic_named
from kripke_werewolf.language.operators import Not
from kripke_werewolf.models.model import KripkeModel

__all__ = [
    "DEFAULT_STEPS",
    "Decision",
    "countermodel",
    "decide_satisfiability",
    "decide_validity",
    "satisfiable",
    "valid",
]

DEFAULT_STEPS = 4_000_000
"""How far a search goes unless the caller says otherwise: one or two seconds."""

# the search for the smallest model is for the reader's convenience: it gets less, and small sizes
_STEPS_FOR_SMALLEST = 500_000
_MOST_SEARCHED = 8
_MOST_WORLDS = 2_000


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a question about a formula, and what shows it.

    `model`: where the formula is true (asked whether it is satisfiable) or false (asked whether it is
    valid), at the designated world; None if there is none. `smallest`: whether it is known that no
    model has fewer worlds. `method`: how the answer was found.
    """

    formula: Formula
    logic: str
    question: Literal["satisfiable", "valid"]
    answer: bool
    model: KripkeModel | None
    method: str
    smallest: bool

    @property
    def checked(self) -> bool:
        """Whether the answer was confirmed by the model checker: whenever there is a model."""
        return self.model is not None

    def __str__(self) -> str:
        words = {
            ("satisfiable", True): "satisfiable",
            ("satisfiable", False): "unsatisfiable",
            ("valid", True): "valid",
            ("valid", False): "not valid",
        }
        said = f"{words[self.question, self.answer]} in {self.logic}"
        if self.model is None:
            return said
        role = "model" if self.question == "satisfiable" else "counter-model"
        worlds = f"{len(self.model)} world{'' if len(self.model) == 1 else 's'}"
        size = f"{worlds}, the fewest possible" if self.smallest else worlds
        truth = "true" if self.question == "satisfiable" else "false"
        return f"{said}: {role} with {size}\n\n{listing(self.model, f'the formula is {truth} here')}"


def satisfiable(
    f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS
) -> KripkeModel | None:
    """Return a model of the logic with a formula true at its designated world, or None if there is none.

    `logic`: K, T (KT), KD, K4, S4 (KT4), K45, KD45 or S5, for all agents alike. A model with the
    fewest worlds is found when that takes few steps. It was checked by the model checker.

    >>> satisfiable("~K_a p & ~K_a ~p").where("true")
    ['w0', 'w1']
    >>> satisfiable("K_a p & ~p") is None, len(satisfiable("K_a p & ~p", logic="KD45"))
    (True, 2)

    Raises `Undecided` after `limit` steps of the search, `FormulaError` for an operator that cannot
    be decided (probability, Kv, common knowledge after updates that are not public announcements),
    and `UnknownNameError` for another logic.
    """
    return decide_satisfiability(f, logic=logic, limit=limit).model


def valid(f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS) -> bool:
    """Return whether a formula is true at every world of every model of the logic.

    >>> valid("K_a p -> p"), valid("K_a p -> p", logic="KD45")
    (True, False)

    Arguments and errors as for `satisfiable`.
    """
    return decide_validity(f, logic=logic, limit=limit).answer


def countermodel(
    f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS
) -> KripkeModel | None:
    """Return a model of the logic with a formula false at its designated world, or None if it is valid.

    >>> len(countermodel("K_a K_b p -> K_b K_a p"))
    3

    Arguments and errors as for `satisfiable`.
    """
    return decide_validity(f, logic=logic, limit=limit).model


def decide_validity(f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS) -> Decision:
    """Return whether a formula is valid in a logic, with a counter-model if not; see `satisfiable`."""
    found = formula(f)
    negated = decide_satisfiability(Not(found), logic=logic, limit=limit)
    return replace(negated, formula=found, question="valid", answer=not negated.answer)


def decide_satisfiability(
    f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS
) -> Decision:
    """Return whether a formula is satisfiable in a logic, with a model if so; see `satisfiable`."""
    found, frames = formula(f), logic_named(logic)
    steps = Steps(limit)
    core = translate(found, frames, steps)
    structure, method, smallest = _model(core, frames, steps)
    model = None if structure is None else _checked(found, frames, structure)
    return Decision(found, frames.name, "satisfiable", model is not None, model, method, smallest)


def _model(core: Core, logic: Logic, steps: Steps) -> tuple[Structure | None, str, bool]:
    """Return a model if there is one, how it was found, and whether it is known to be smallest."""
    closure = closure_of(core, logic)
    for_smallest = Steps(min(steps.limit, _STEPS_FOR_SMALLEST))
    try:
        types = satisfiable_types(closure, steps)
        if types is None:
            return None, "elimination of types", False
        large = reduced(extracted(closure, types, worlds=_MOST_WORLDS), core, logic)
    except Undecided as undecided:
        small, _ = _smaller(core, logic, _MOST_SEARCHED + 1, for_smallest)
        if small is None:
            raise undecided from None
        return small, "search by size", True
    small, exhausted = _smaller(core, logic, large.size, for_smallest)
    if small is None:
        return large, "elimination of types", exhausted
    return small, "search by size", True


def _smaller(core: Core, logic: Logic, size: int, steps: Steps) -> tuple[Structure | None, bool]:
    """Return a smallest model with fewer worlds than `size`, or None and whether there is none."""
    try:
        for worlds in range(1, min(size, _MOST_SEARCHED + 1)):
            found = model_of_size(core, logic, worlds, steps)
            if found is not None:
                return reduced(found, core, logic), True
    except Undecided:
        return None, False
    return None, size <= _MOST_SEARCHED + 1


def _checked(f: Formula, logic: Logic, structure: Structure) -> KripkeModel:
    """Return the structure as a model, having checked that it is one of the formula and the logic."""
    names = [f"w{n}" for n in range(structure.size)]
    model = KripkeModel(
        names,
        {
            agent: [(v, w) for v, mask in zip(names, after, strict=True) for w in _members(names, mask)]
            for agent, after in structure.successors.items()
        },
        {atom: _members(names, structure.true.get(atom, 0)) for atom in sorted(f.atoms)},
        names[0],
    )
    wanted = set(logic.properties)
    if not model.holds(f) or any(not wanted <= set(model.frame_class(a).properties) for a in model.agents):
        raise RuntimeError(f"the model found for {str(f)!r} in {logic} does not pass the model checker")
    return model


def _members(names: list[str], mask: int) -> list[str]:
    return [name for n, name in enumerate(names) if mask >> n & 1]
