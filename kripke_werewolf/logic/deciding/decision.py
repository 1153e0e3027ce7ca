"""Deciding whether a formula is satisfiable or valid in a logic, with a model or counter-model."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from kripke_werewolf.base.display import Displayed, drawn
from kripke_werewolf.base.errors import FormulaError, Undecided
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.documents import Block, Paragraph
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.deciding.closure import Type, closure_of
from kripke_werewolf.logic.deciding.core import simplified
from kripke_werewolf.logic.deciding.elimination import Elimination
from kripke_werewolf.logic.deciding.extraction import Witnessed, model_of_types
from kripke_werewolf.logic.deciding.orders import rank_atoms
from kripke_werewolf.logic.deciding.partial import partial_types_suffice, witnessed_types
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.deciding.schemas import likely_instances, named_instance, read_schema, truth_sets
from kripke_werewolf.logic.deciding.smallest import in_class, model_of_size, shrunk
from kripke_werewolf.logic.deciding.translation import translate
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic, logic_named
from kripke_werewolf.logic.formulas.names import doubtful_caret, doubtful_names
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.bits import BitSpace

DEFAULT_STEPS = 4_000_000
"""The default limit of a search, one or two seconds."""

# the search for an instance of a schema that reads well, likewise
_STEPS_FOR_INSTANCE = 20_000
# the search for the smallest model is a convenience: it gets fewer steps, and small sizes
_STEPS_FOR_SMALLEST = 500_000
_MOST_SEARCHED = 8
_MOST_WORLDS = 2_000


@dataclass(frozen=True, slots=True, repr=False)
class Decision(Displayed):
    """The answer to a question about a formula, with the model that proves it.

    `model`: a model in which the formula is true (for satisfiability) or false (for validity) at the
    designated world; None if there is none or it is too large to build. `smallest`: whether it is known that
    no model has fewer worlds. `method`: how the answer was found.

    `letters`: the schematic letters of a schema; the answer is then about all its instances (validity) or
    some of them (satisfiability). `values`: the formulas that replace the letters in the instance that is
    true or false in the model.
    """

    formula: Formula
    logic: str
    question: Literal["satisfiable", "valid"]
    answer: bool
    model: KripkeModel | None
    method: str
    smallest: bool
    letters: tuple[str, ...] = ()
    values: Mapping[str, Formula] = field(default_factory=dict)

    @property
    def instance(self) -> Formula:
        """The formula evaluated in the model: the formula itself, or an instance of the schema."""
        return self.formula.substitute(self.values)

    @property
    def too_large(self) -> str | None:
        """Why an existing model is not shown; None if it is shown or does not exist."""
        if self.model is not None or self.answer != (self.question == "satisfiable"):
            return None
        return f"there is a {self._role}, but none was found with at most {_MOST_WORLDS:,} worlds"

    @property
    def _role(self) -> str:
        return "model" if self.question == "satisfiable" else "counter-model"

    @property
    def _as_schema(self) -> str:
        """The quantifier over the letters in the answer, in words."""
        if not self.letters:
            return ""
        if self.answer != (self.question == "satisfiable"):
            several = len(self.letters) > 1
            stand = "formulas {} stand" if several else "formula {} stands"
            return f", whatever {stand.format(', '.join(self.letters))} for"
        if not self.values:
            return " as a schema"
        put = ", ".join(f"{letter} = {value}" for letter, value in self.values.items())
        return f" as a schema, for example with {put}"

    def as_read(self) -> str:
        """Return the formula as it was read, with its names."""
        f, letters = self.formula, frozenset(self.letters)
        names = {"schematic letters": letters, "atoms": f.atoms - letters, "agents": f.agents}
        told = [f"{kind}: {', '.join(sorted(which))}" for kind, which in names.items() if which]
        return "; ".join([f"read as {f}", *told])

    def to_dict(self) -> dict[str, Any]:
        """Return the answer for JSON, with the model or counter-model if there is one."""
        f, letters = self.formula, frozenset(self.letters)
        told: dict[str, Any] = {"formula": str(f), "logic": self.logic, self.question: self.answer}
        told |= {"method": self.method, "atoms": sorted(f.atoms - letters), "agents": sorted(f.agents)}
        if self.letters:
            told["letters"] = list(self.letters)
        if self.values:
            told |= {"values": {k: str(v) for k, v in self.values.items()}, "instance": str(self.instance)}
        if self.model is not None:
            name = "countermodel" if self.question == "valid" else "model"
            told |= {"smallest": self.smallest, name: self.model.to_dict()}
        return told

    def headline(self) -> str:
        """Return the formula and the answer."""
        return f"{self.formula.unicode()} is {self._answer()}"

    def display(self) -> Iterator[Block]:
        """Yield the answer, and the picture of the model, filled where the formula or instance is true."""
        yield Paragraph(self.headline())
        if self.model is not None:
            yield drawn(self.model, formula=self.instance)

    def __str__(self) -> str:
        if self.model is None:
            return self._answer()
        truth = "true" if self.question == "satisfiable" else "false"
        shown = f"the {'instance' if self.letters else 'formula'} is {truth} here"
        return f"{self._answer()}\n\n{_listing(self.model, shown)}"

    def _answer(self) -> str:
        denial = "un" if self.question == "satisfiable" else "not "
        said = f"{'' if self.answer else denial}{self.question} in {self.logic}{self._as_schema}"
        if self.model is None:
            return f"{said}: {self.too_large}" if self.too_large else said
        worlds = counted(len(self.model), "world")
        size = f"{worlds}, the fewest possible" if self.smallest else worlds
        return f"{said}: {self._role} with {size}"


def satisfiable(
    f: FormulaLike,
    logic: str | Logic = "S5",
    *,
    limit: int = DEFAULT_STEPS,
    letters: Iterable[str] | None = None,
    given: Iterable[FormulaLike] = (),
) -> KripkeModel | None:
    """Return a model of the logic with a formula true at its designated world, or None if there is none.

    `logic`: one of `LOGICS` for all agents, or one for each, as in `a: S5, b: KD45, others: K` (an agent
    named there whom the formula does not mention is refused if others have the default). `given`:
    assumptions, which are true at every world of the model. If it takes few steps, a model with the fewest
    worlds is found. The model checker has verified the model.

    >>> satisfiable("~K_a p & ~K_a ~p").where("true")
    ['w0', 'w1']
    >>> satisfiable("K_a p & ~p") is None, len(satisfiable("K_a p & ~p", logic="a: KD45, others: S5"))
    (True, 2)

    A formula with schematic letters is a schema, and some satisfiable instance is sought. The letters are φ,
    ψ and χ, also with an index or primes; all atoms of a string that begins with `schema:`; or `letters`, if
    given. An instance replaces them by formulas with any atoms and agents.

    Raises `Undecided` after `limit` steps of the search, or if no small model is found (hard formulas are
    decided much faster with `pip install "kripke-werewolf[sat]"`); `FormulaError` for an
    operator that cannot be decided (probability, Kv), and for a schematic letter after an update other than a
    public announcement, if neither all instances nor a simple one give the answer; `UnknownNameError` for an
    unknown logic.
    """
    return _model_of(decide_satisfiability(f, logic=logic, limit=limit, letters=letters, given=given))


def valid(
    f: FormulaLike,
    logic: str | Logic = "S5",
    *,
    limit: int = DEFAULT_STEPS,
    letters: Iterable[str] | None = None,
    given: Iterable[FormulaLike] = (),
) -> bool:
    """Return whether a formula is true at every world of every model of the logic.

    >>> valid("K_a p -> p"), valid("K_a p -> p", logic="KD45")
    (True, False)
    >>> valid("C_{a,b} q", given=["p -> q", "p"]), valid("[a!p]C_{b,c} q <-> (p -> C_{b,c} q)")
    (True, True)

    For a schema, return whether every instance is valid:

    >>> valid("[!p]p"), valid("[!φ]φ"), valid("schema: [!p]p"), valid("[!φ]K_a ψ <-> (φ -> K_a [!φ]ψ)")
    (True, False, False, True)

    No counter-model is built. Arguments and errors otherwise as for `satisfiable`.
    """
    return not _Search(f, False, logic, limit, letters, given).succeeded


def countermodel(
    f: FormulaLike,
    logic: str | Logic = "S5",
    *,
    limit: int = DEFAULT_STEPS,
    letters: Iterable[str] | None = None,
    given: Iterable[FormulaLike] = (),
) -> KripkeModel | None:
    """Return a model of the logic with a formula false at its designated world, or None if it is valid.

    >>> len(countermodel("K_a K_b p -> K_b K_a p"))
    3

    Arguments and errors as for `satisfiable`.
    """
    return _model_of(decide_validity(f, logic=logic, limit=limit, letters=letters, given=given))


def _model_of(found: Decision) -> KripkeModel | None:
    if found.too_large:
        raise Undecided(found.too_large)
    return found.model


def decide_validity(
    f: FormulaLike,
    logic: str | Logic = "S5",
    *,
    limit: int = DEFAULT_STEPS,
    letters: Iterable[str] | None = None,
    given: Iterable[FormulaLike] = (),
) -> Decision:
    """Return whether a formula is valid in a logic, with a counter-model if not; see `satisfiable`.

    For an invalid schema, the decision contains an invalid instance. A counter-model that is too large is
    omitted.

    >>> found = decide_validity("[!φ]φ")
    >>> print(found.answer, found.instance, len(found.model))
    False [!p & ~K_a p](p & ~K_a p) 2
    """
    return _decided(_Search(f, False, logic, limit, letters, given))


def decide_satisfiability(
    f: FormulaLike,
    logic: str | Logic = "S5",
    *,
    limit: int = DEFAULT_STEPS,
    letters: Iterable[str] | None = None,
    given: Iterable[FormulaLike] = (),
) -> Decision:
    """Return whether a formula is satisfiable in a logic, with a model if so; see `satisfiable`.

    A model that is too large is omitted.
    """
    return _decided(_Search(f, True, logic, limit, letters, given))


def _decided(search: _Search) -> Decision:
    question: Literal["satisfiable", "valid"] = "satisfiable" if search.value else "valid"
    start = search.formula, search.logic.name, question, search.succeeded == search.value
    if not (search.letters and search.succeeded):
        return Decision(*start, *search.model(), tuple(sorted(search.letters)))
    values, shown = search.instance()
    return Decision(*start, *shown, tuple(sorted(search.letters)), values)


_Shown: TypeAlias = tuple[KripkeModel | None, str, bool]


class _Search:
    """The search for a proof that a formula, or an instance of a schema, can have a truth value.

    It finds types or a small model.
    """

    def __init__(
        self,
        f: FormulaLike,
        value: bool,
        logic: str | Logic,
        limit: int,
        letters: Iterable[str] | None,
        given: Iterable[FormulaLike] = (),
    ) -> None:
        self.formula, self.letters = read_schema(f, letters)
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise FormulaError(f"given= must be a list of formulas, such as ['p -> q'], got {given!r}")
        if theory := [read_schema(assumption, letters) for assumption in given]:
            assumed = s.Everywhere(s.conjunction(assumption for assumption, _ in theory))
            self.formula = s.And(assumed, self.formula) if value else s.Implies(assumed, self.formula)
            self.letters = self.letters.union(*(more for _, more in theory))
        if isinstance(f, str):
            for remark in (*doubtful_caret(f, self.formula), *doubtful_names(self.formula)):
                warnings.warn(remark, stacklevel=3)
        self.value, self.logic, self.limit = value, logic_named(logic, self.formula.agents), limit
        self.steps = steps = Steps(limit)
        self.types: Sequence[Type] | Witnessed | None = None
        self.likely: tuple[dict[str, Formula], _Search] | None = None
        self.core = translate(self.formula, self.logic, steps, value=value, letters=self.letters)
        self.simpler, self.always = simplified(self.core, self.logic)
        self.closure = closure_of(self.simpler, self.logic)
        # every rank is an atom, which makes many types, but models with orders mostly need few worlds
        self.small, _ = self._smaller_than(3 if self.logic.ordered else 1)
        try:
            if self.small is None and partial_types_suffice(self.closure):
                self.types = witnessed_types(self.closure, steps)
            elif self.small is None:
                self.types = Elimination(self.closure, steps).run()
        except Undecided:
            self.small, _ = self._smaller_than(_MOST_SEARCHED + 1)
            if self.small is None:
                raise
        # not every model of the core formula need give an instance of a schema
        if self.succeeded and (self.core.free or self.letters & self.formula.acted_on):
            self.types, self.small, self.likely = None, None, self._likely_instance()
            if self.likely is None:
                raise FormulaError(self._unsettled)

    @property
    def _unsettled(self) -> str:
        names = ", ".join(sorted(self.letters))
        reason = "after actions they are true of different things, and no simple instance is known"
        if changed := sorted(self.letters & self.formula.acted_on):
            reason = f"an action mentions {', '.join(changed)}"
        return (
            f"cannot decide the schema {str(self.formula)!r}: it does not follow for all formulas {names}; "
            f"{reason}; with atoms for {names} the formula can be decided"
        )

    @property
    def succeeded(self) -> bool:
        """Whether the formula has the value at some world of a model of the logic."""
        return self.types is not None or self.small is not None or self.likely is not None

    def model(self) -> _Shown:
        """Return a model if there is one to show, how it was found, and whether no smaller one exists."""
        small, exhausted, large = self.small, False, None
        if small is None and self.types is not None:
            extracted = self._extracted(self.types)
            large = None if extracted is None else self._shown(extracted)
            small, exhausted = self._smaller_than(_MOST_SEARCHED + 1 if large is None else len(large))
        if small is not None:
            return self._shown(small), "search by size", True
        return large, "elimination of types", exhausted and large is not None

    def instance(self) -> tuple[dict[str, Formula], _Shown]:
        """Return the formulas for the letters of a schema, and the model of that instance; see `model`."""
        likely = self.likely or self._likely_instance()
        if likely is not None:
            return likely[0], likely[1].model()
        space = self.small
        if space is None and self.types is not None:
            space = self._smaller_than(_MOST_SEARCHED + 1)[0] or self._extracted(self.types)
        if space is None:
            return {}, (None, "elimination of types", False)
        values, named = named_instance(self.core, space, self.formula)
        instance = self.formula.substitute(values)
        return values, (_shown(named, instance, self.logic, value=self.value), "names of worlds", False)

    def _likely_instance(self) -> tuple[dict[str, Formula], _Search] | None:
        """Return a short instance of a schema that has the value at some world, if one is found."""
        if self.letters & self.formula.acted_on:
            return None
        for values in likely_instances(self.formula, self.letters):
            try:
                instance = self.formula.substitute(values)
                found = _Search(instance, self.value, self.logic, _STEPS_FOR_INSTANCE, ())
            except (FormulaError, Undecided):
                continue
            if found.succeeded:
                return values, found
        return None

    def _extracted(self, types: Sequence[Type] | Witnessed) -> BitSpace | None:
        """Return a model built from types; None if it is too large, or if types do not make one (D)."""
        if len(types) > _MOST_WORLDS:
            return None
        found = model_of_types(self.closure, types)
        if not truth_sets(self.simpler, found)[self.simpler.root] & 1:
            return None
        return found.with_facts(dict.fromkeys(self.always, found.all))

    def _smaller_than(self, size: int) -> tuple[BitSpace | None, bool]:
        """Return a smallest model with fewer worlds than `size`, or None and whether none exists."""
        steps = Steps(min(self.limit, _STEPS_FOR_SMALLEST))
        try:
            for worlds in range(1, min(size, _MOST_SEARCHED + 1)):
                found = model_of_size(self.core, self.logic, worlds, steps)
                if found is not None:
                    return found, True
        except Undecided:
            return None, False
        return None, size <= _MOST_SEARCHED + 1

    def _shown(self, found: BitSpace) -> KripkeModel:
        return _shown(found, self.formula, self.logic, value=self.value)


def _shown(found: BitSpace, f: Formula, logic: Logic, *, value: bool) -> KripkeModel:
    """Return a model without superfluous worlds after checking that it belongs to the logic."""
    atoms = [*sorted(f.atoms), *rank_atoms(f, logic)]
    valuation = {atom: found.valuation.get(atom, 0) for atom in atoms}
    whole = BitSpace.numbered(found.all, found.relations, valuation)
    small = shrunk(whole, lambda space: bool(space.truth(f) & 1) == value, logic).compact()
    model = KripkeModel.from_space(BitSpace.numbered(small.all, small.relations, small.valuation).tidied(), 1)
    if model.holds(f) != value or not in_class(small, logic):
        raise RuntimeError(f"the model found for {str(f)!r} in {logic} does not pass the model checker")
    return model


def _listing(model: KripkeModel, mark: str) -> str:
    """Return a small model in words, line by line, with a mark at the designated worlds.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": ["w"]}, "w")
    >>> print(_listing(m, "here"))
    w: p, q  <- here
    v: (none of p, q)
    a cannot tell apart: w and v
    """
    designated = set(model.designated)
    nothing = f"({'none of' if len(model.atoms) > 1 else 'not'} {', '.join(model.atoms)})"
    lines = []
    for world in model.worlds:
        true = ", ".join(model.atoms_at(world)) or (nothing if model.atoms else "-")
        lines.append(f"{world}: {true}{f'  <- {mark}' if world in designated else ''}")
    lines += [_listed_relation(model, agent) for agent in model.agents]
    for agent, ranks in model.ranks.items():
        layers = grouped((rank, str(world)) for world, rank in ranks.items())
        told = "; then ".join(", ".join(layers[rank]) for rank in sorted(layers))
        lines.append(f"{agent} finds most plausible: {told}")
    return "\n".join(lines)


def _listed_relation(model: KripkeModel, agent: str) -> str:
    classes = model.classes(agent)
    if classes is not None:
        cells = [" and ".join(map(str, cell)) for cell in classes if len(cell) > 1]
        if not cells:
            return f"{agent} tells all worlds apart" if len(model) > 1 else f"{agent} knows the world"
        return f"{agent} cannot tell apart: {'; '.join(cells)}"
    seen = {w: ", ".join(map(str, model.successors(agent, w))) for w in model}
    sights = [f"at {w} {cell or 'no world'}" for w, cell in seen.items()]
    return f"{agent} considers possible: {'; '.join(sights)}"
