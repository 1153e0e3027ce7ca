"""Formulas in a logic: whether one is valid, a model in which it is true, and a proof of it."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from textwrap import indent
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from kripke_werewolf.base.errors import FormatError, FormulaError, KripkeError, ModelError, Undecided
from kripke_werewolf.base.reader import Part
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic import proofs
from kripke_werewolf.logic.deciding import countermodel, satisfiable
from kripke_werewolf.logic.english.sentences import names
from kripke_werewolf.logic.formulas import logics
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import FRAME_AXIOMS, FRAME_PROPERTIES, LOGICS, implied, logic_named
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.proofs.checker import Checking
from kripke_werewolf.logic.proofs.derived import forbidden, rule_named
from kripke_werewolf.logic.proofs.desk import completion
from kripke_werewolf.logic.proofs.natural import NaturalProof, NaturalRow
from kripke_werewolf.logic.proofs.natural_rules import PALETTE
from kripke_werewolf.teach.exercises import forms, generation
from kripke_werewolf.teach.exercises.drawings import AModel, drawing
from kripke_werewolf.teach.exercises.exercise import Card, Exercise, Parameter, Result, Rng, modal_depth
from kripke_werewolf.teach.exercises.generation import assume
from kripke_werewolf.teach.exercises.serialisation import FreeFormula, Logic
from kripke_werewolf.teach.language import CourseLanguage

LOGIC = Parameter("S5", tuple(LOGICS), "the logic")
"""The parameter for the logic."""
PRINCIPLE_DEPTH = Parameter(2, range(1, 5), "modal depth of the formula")
"""The modal depth of generated formulas that may be valid."""

_STEPS = 300_000  # about a second; formulas of exercises take a hundredth of that
_STEPS_OF_MODEL = 30_000  # enough for the small formulas of exercises
_STEPS_OF_LINE = 20_000  # of a search for one line; students' lines need few steps
_MOST_LINES = 300
_VERDICT = Fraction(1, 3)  # for `valid` without a right reason
_MOST_FOUND = 30  # lines of the solution of a generated task
_APART = 1.5  # how much longer one proof may be than another of the same task
_EASIEST = 5  # claims about the easiest formula that may be valid, without its modal depth
_HINTED = 40  # lines up to which a hint is sought
_RULES = tuple(dict.fromkeys((*proofs.RULES, *proofs.DERIVED)))


@lru_cache(512)
def small_countermodel(f: Formula, logic: str) -> KripkeModel | None:
    """Return a small counter-model, None if the formula is valid; raises `Undecided` if unknown."""
    return countermodel(f, logic=logic, limit=_STEPS)


# --- reasons ---------------------------------------------------------------------------------------


class Claim(NamedTuple):
    """The answer that a formula is valid, and the reason: the properties that the relations must have.

    `unread`: why a reason that was given cannot be read.
    """

    reason: frozenset[str] | None = None
    unread: str = ""

    def __str__(self) -> str:
        if self.unread:
            return f"valid, and a reason that cannot be read\n{self.unread}"
        if self.reason is None:
            return "valid"
        return f"valid: {', '.join(p for p in FRAME_PROPERTIES if p in self.reason) or 'no property'}"


def _read_claim(given: Part) -> Claim | None:
    """Return the answer that begins with `valid`, with its reason; None for any other."""
    found, rest = forms.opened(forms.quiet(given), "yes", "valid", "always", "true")
    if not found or re.search(r"\b(?:not |in)valid\b", rest.text):
        return None
    if not rest.text.strip():
        return Claim()
    try:
        return Claim(_read_needs(rest))
    except FormatError as error:
        return Claim(unread=str(error))


def _read_needs(given: Part) -> frozenset[str]:
    """Return the properties, given by their names or axioms."""
    known = forms.Names((*FRAME_PROPERTIES, *forms.AXIOMS, "K"), "property")
    given = forms.blanked(given, r"\bR(?:_\w)?\b|\b[a-z]\b")  # relations and agents
    words = re.sub(r"\b[^\W\d_][\w ]*[^\W_]|\d", lambda found: _axiom(found[0]), given.text)
    found = known.parse(replace(given, text=words))
    if len(found) == len(known.names):
        forms.refuse(given, f"expected {known.words}")
    return frozenset(forms.AXIOMS.get(name, name) for name in found) - {"K"}


def _axiom(name: str) -> str:
    """Return the name of an axiom or rule in this library; any other word unchanged."""
    try:
        return rule_named(name)
    except KripkeError:
        return name


@lru_cache(1024)
def suffices(f: Formula, logic: str, needs: frozenset[str]) -> bool:
    """Return whether a formula is valid, as far as is known, if relations have only these properties.

    In a mixed logic, an agent's relation has those among them that its logic requires.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> five = parse("~K_a p -> K_a ~K_a p")
    >>> [suffices(five, "S5", frozenset(needs.split())) for needs in ("euclidean", "symmetric", "reflexive")]
    [True, False, False]
    """
    having = implied(needs)

    def weaker(one: logics.Logic) -> str:
        """Return the strongest logic with only these properties, among those not stronger than this one."""
        known = having & _properties(one)
        return max((name for name in LOGICS if every[name] <= known), key=lambda name: len(every[name]))

    def stronger(one: logics.Logic) -> str:
        """Return the first logic with derivations that agrees with this one about the properties."""
        known = having & _properties(one)
        return next(name for name in FRAME_AXIOMS if known <= every[name])

    every = {name: _properties(one) for name, one in LOGICS.items()}
    with suppress(FormulaError, Undecided):
        if countermodel(f, logic=_each(f, logic, weaker)) is None:
            return True
        if proof := proofs.derivation(f, logic=_each(f, logic, stronger)):
            used = proofs.expand(proof).uses()
            return all(name in having for axiom, name in forms.AXIOMS.items() if axiom in used)
    return False


def _each(f: Formula, logic: str, change: Callable[[logics.Logic], str]) -> str:
    """Return a logic with each agent's logic changed."""
    whole = logic_named(logic)
    if not whole.mixed or not f.agents:
        return change(whole)
    return ", ".join(f"{agent}: {change(whole.of((agent,)))}" for agent in sorted(f.agents))


def _properties(logic: logics.Logic) -> frozenset[str]:
    return implied(logic.properties)


def _allowed(f: Formula, logic: str) -> frozenset[str]:
    """Return the properties that the relation of some agent in a formula has."""
    whole = logic_named(logic)
    return frozenset().union(*(_properties(whole.of((agent,))) for agent in f.agents))


def reason_for(f: Formula, logic: str) -> Claim:
    """Return a right reason for a valid formula: the fewest properties, of those of the logic, that suffice.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> print(reason_for(parse("K_a p -> p"), "S5"))
    valid: reflexive
    """
    known = sorted(_allowed(f, logic), key=FRAME_PROPERTIES.index)
    tried = (frozenset(some) for n in range(len(known)) for some in combinations(known, n))
    return Claim(next((some for some in tried if suffices(f, logic, some)), frozenset(known)))


def _fault(claim: Claim, f: Formula, logic: str) -> str:
    """Return the fault of the reason in a right claim of validity; empty if there is none."""
    needs = claim.reason
    if needs is None:
        return f"the reason {'cannot be read' if claim.unread else 'is missing'}"
    if stray := needs - _allowed(f, logic):
        return f"the relations of {logic} need not be {_listed(stray)}"
    if not suffices(f, logic, needs):
        where = f"where relations are {_listed(needs)}" if needs else "for relations of every kind"
        return f"that is not enough: it is not always true {where}"
    less = frozenset(name for name in needs if suffices(f, logic, needs - {name}))
    return f"it does not need {_listed(less)} relations" if less else ""


def _listed(needs: frozenset[str]) -> str:
    return names([name for name in FRAME_PROPERTIES if name in needs])


# --- validity --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ValidOrModel(AModel):
    """The word `valid` with a reason, as a `Claim`, or a counter-model with a designated world."""

    others: ClassVar[bool] = True

    @property
    def words(self) -> str:
        """The form in words."""
        model = AModel(self.atoms, self.agents, self.logic).words
        return f"valid: reflexive, valid: no property or the like, or a counter-model: {model}"

    def parse(self, given: Part) -> KripkeModel | Claim:  # type: ignore[override]
        """Return the claim that it is valid, or the model."""
        if (claim := _read_claim(given)) is not None:
            return claim
        if not re.search(r"[:=⊨]", given.text):
            forms.refuse(given, f"expected {self.words}")
        return AModel.parse(self, forms.opened(given, "not valid", "invalid", "no", "⊭")[1])

    def write(self, answer: KripkeModel | Claim) -> str:
        """Return `valid` with the reason, or the model drawn as text; nothing for a proof."""
        return str(answer) if isinstance(answer, Claim) else AModel.write(self, answer)


@dataclass(frozen=True, slots=True, repr=False)
class _InLogic(Exercise):
    """A task about a formula in a logic, of all agents or one for each."""

    formula: FreeFormula
    logic: Logic

    @property
    def vocabulary(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The atoms and the agents of the formula."""
        return tuple(sorted(self.formula.atoms)), tuple(sorted(self.formula.agents))

    @property
    def notation(self) -> CourseLanguage:
        """The language of the course, with B for K if the agents of the logic may be wrong."""
        known = _properties(logic_named(self.logic))
        belief = "euclidean" in known and "transitive" in known and "reflexive" not in known
        return self.language.about(self.formula.agents, belief=belief)

    def told_in(self, language: CourseLanguage) -> Self:
        """Return the exercise in the language of a course, about its agents."""
        return replace(self, language=language, formula=language.formula(self.formula))

    @property
    def in_words(self) -> str:
        """The logic in a sentence: that of each agent in the formula if they differ."""
        return logic_named(self.logic).words(self.formula.agents)


@dataclass(frozen=True, slots=True, repr=False)
class Valid(_InLogic):
    """Is a formula valid in a logic? The answer is `valid` and why, or a model where it is false at a world.

    Without a right reason, `valid` gets a third of the points where it is right.
    """

    kind: ClassVar[str] = "valid"
    parameters: ClassVar = {"depth": PRINCIPLE_DEPTH, "logic": LOGIC, "formulas": generation.FORMULAS}

    def __post_init__(self) -> None:
        if logic_named(self.logic).ordered:
            raise ModelError("reasons are properties of relations, not of orders; use find-model instead")

    def question(self) -> str:
        """Return the task in words."""
        return (
            f"Is {forms.formal(self.formula)} valid in {self.in_words}? If it is, name the properties of "
            "relations that it needs, or say that it needs none. If it is not, give a counter-model."
        )

    @property
    def form(self) -> ValidOrModel:
        """Valid, or a model."""
        return ValidOrModel(*self.vocabulary, self.logic)

    def judge(self, answer: KripkeModel | Claim) -> Result:
        """Return whether it is valid for that reason, or the model belongs to the logic and refutes it."""
        if isinstance(answer, Claim):
            return self._judge_claim(answer)
        if wrong := _frame_flaw(answer, self.logic):
            return Result(False, wrong)
        why = answer.explain(self.formula)
        said = "not a counter-model: the formula is true there\n" if why.value else ""
        return Result(not why.value, f"{said}{why}")

    def _judge_claim(self, claim: Claim) -> Result:
        found = small_countermodel(self.formula, self.logic)
        if found is not None:
            shown = indent(drawing(found, logic=self.logic), "  ")
            said = f"it is not valid in {self.in_words}; here is a counter-model"
            return Result(False, f"{said}\n{shown}\n{found.explain(self.formula)}")
        if wrong := _fault(claim, self.formula, self.logic):
            told = f"it is valid, but {wrong}; the right reason: {reason_for(self.formula, self.logic)}"
            return Result(False, f"{told}\n{self._proof()}", _VERDICT)
        return Result(True, self._proof())

    def _proof(self) -> str:
        """Return why the formula is valid: a closed tableau of its negation, if there are rules for it."""
        said = f"it is valid in {self.in_words}"
        try:
            closed = proofs.tableau(self.formula, logic=self.logic)
        except (FormulaError, Undecided):
            return said
        return f"{said}: supposing that it is false leads to contradictions\n{closed}"

    def solution(self) -> str:
        """Return `valid` with the properties that are needed, or a counter-model."""
        found = small_countermodel(self.formula, self.logic)
        if found is None:
            return str(reason_for(self.formula, self.logic))
        return drawing(found, logic=self.logic)

    @classmethod
    def deck(cls, *, depth: int, logic: str) -> Sequence[Sequence[Card]]:
        """Return the valid principles, by the properties needed, and others, none too easy or too difficult.

        The valid ones are in up to three suits, and as many suits have the others.
        """
        least = depth + _EASIEST
        shallow = [f for f in generation.PRINCIPLES if modal_depth(f) <= depth]
        claims = {f: cls("", f, logic).difficulty() + depth - modal_depth(f) for f in shallow}
        simple = [f for f in shallow if least / _APART <= claims[f] <= least * _APART]
        if all(small_countermodel(f, logic) is not None for f in simple):
            least = 0  # without rules for tableaux, nothing tells how difficult a formula is
            simple = shallow
        needs = {f: reason_for(f, logic).reason for f in simple if small_countermodel(f, logic) is None}
        common = [some for some, _ in Counter(needs.values()).most_common(2)]
        rest = [need for need in needs.values() if need not in common]
        valid = [[f for f in needs if needs[f] in some] for some in ([common[0]], common[1:], rest) if some]
        false = [f for f in simple if f not in needs]
        suits = [*valid, *(false[n :: len(valid)] for n in range(len(valid)))]
        return [[{"principle": f, "least": least} for f in suit] for suit in suits]

    @classmethod
    def generate(cls, rng: Rng, *, depth: int, logic: str, principle: Formula, least: int = 0) -> Self:
        """Return a question about an instance of a principle, which is valid exactly if the principle is.

        With the `least` difficulty, it is at most 1.5 times as difficult.
        """
        f = generation.random_instance(principle, depth, rng)
        found = small_countermodel(f, logic)
        assume((found is None) == (small_countermodel(principle, logic) is None))
        assume(found is not None or reason_for(f, logic) == reason_for(principle, logic))
        assume(found is None or len(found) > 1 or rng.random() >= 0.7)
        exercise = cls("", f, logic)
        assume(not least or least <= exercise.difficulty() <= _APART * least)
        return exercise


def _frame_flaw(model: KripkeModel, logic: str) -> str:
    """Return why a pointed model does not belong to a logic, or lacks a single designated world; else ""."""
    if len(model.designated) != 1:
        return f"{len(model.designated)} worlds are designated; designate the one you mean"
    flaws = (f"the relation of {agent} is {lacking}" for agent, lacking in model.frame_flaws(logic).items())
    return next(flaws, "").replace("'", "")


# --- models ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class FindModel(_InLogic):
    """Find a model of a logic in which a formula is true. The answer is a model."""

    kind: ClassVar[str] = "find-model"
    parameters: ClassVar = {
        "size": Parameter(3, range(2, 4), "worlds of the smallest model"),
        "depth": generation.DEPTH,
        "logic": replace(LOGIC, allowed=(*LOGICS, "S5 with orders")),
        "formulas": generation.FORMULAS,
    }
    most_worlds: int | None = None

    def question(self) -> str:
        """Return the task in words."""
        model = f"a model of {self.in_words}"
        if self.most_worlds:
            model += f" with at most {self.most_worlds} worlds"
        return f"Find {model} and a world in it where {forms.formal(self.formula)} is true."

    @property
    def form(self) -> AModel:
        """A model with a designated world."""
        return AModel(*self.vocabulary, self.logic)

    def judge(self, answer: KripkeModel) -> Result:
        """Return whether the model belongs to the logic, is small enough, and makes the formula true."""
        if self.most_worlds is not None and len(answer) > self.most_worlds:
            return Result(False, f"it has {len(answer)} worlds, and at most {self.most_worlds} are allowed")
        if wrong := _frame_flaw(answer, self.logic):
            return Result(False, wrong)
        return Result(answer.holds(self.formula), str(answer.explain(self.formula)))

    def solution(self) -> str:
        """Return a smallest model found by the decision procedure."""
        model = satisfiable(self.formula, logic=self.logic)
        if model is None or (self.most_worlds is not None and len(model) > self.most_worlds):
            raise ModelError(f"no model of {self.logic} is known that solves the exercise: {self.question()}")
        return drawing(model, logic=self.logic)

    @classmethod
    def generate(
        cls, rng: Rng, *, size: int, depth: int, logic: str, principle: Formula | None = None
    ) -> Self:
        """Return an instance of a formula of the list, or short conditions, and the fewest worlds needed.

        The conditions are such as p & ~K_a p & K_a Kw_b p, of this modal depth, and need `size` worlds.
        """
        if principle is not None:
            f = generation.random_instance(principle, depth, rng)
        else:
            depths = [0, depth, *(int(rng.integers(1, depth + 1)) for _ in range(size))]
            f = s.conjunction(dict.fromkeys(generation.plain_formula(d, rng) for d in depths))
            assume(len(str(f)) <= 80 and modal_depth(f) == depth and len(f.atoms) == len(f.agents) == 2)
        smallest = len(satisfiable(f, logic=logic, limit=_STEPS_OF_MODEL) or ())
        assume(smallest == size or (principle is not None and smallest))
        return cls("", f, logic, smallest)


# --- proofs ----------------------------------------------------------------------------------------


Found: TypeAlias = proofs.Proof | proofs.Tableau | NaturalProof
_READERS: Mapping[str, Callable[..., Any]] = {
    "derivation": proofs.read_proof,
    "natural deduction": proofs.read_natural,
    "tableau": lambda text, *, logic, source: proofs.read_tableau(text, source=source),
}


@dataclass(frozen=True, slots=True)
class ProofLines(forms.Form):
    """A proof in a logic, line by line: a derivation, a natural deduction or a tableau, as `noun` says."""

    noun: str
    example: str
    logic: str = "S5"
    lines: ClassVar[int] = 8
    _tidied: ClassVar[tuple[Callable[[Part], Part], ...]] = ()

    @property
    def words(self) -> str:
        """The form in words."""
        return f"lines such as {self.example}"

    def parse(self, given: Part) -> Any:
        """Return the proof; refuse too many lines."""
        if given.text.count("\n") > _MOST_LINES:
            forms.refuse(given, f"expected a {self.noun} of at most {_MOST_LINES} lines")
        if "natural" in self.noun and re.match(r"(?ms)(?!.*[|│]).*^\s*\d+[.)] {4,}\S", given.text):
            forms.refuse(given, f"expected {self.words}")
        text = re.sub(r",\s+(?=(?:by|from)\s)", "    ", given.text)
        if self.noun == "natural deduction":  # Carnap prints `p :AS`, and `□ :AS` for a box
            text = re.sub(r"(?m)[ \t]+:(?=\S)", "   ", text)
            text = re.sub(r"(?m)^([\s\d.|]*K_\w+)\s+assume$", r"\1:   box", text)
        return _READERS[self.noun](text, logic=self.logic, source=given.source.name)


@dataclass(frozen=True, slots=True, repr=False)
class _ProvingTask(_InLogic):
    """Prove a formula in a logic, line by line."""

    close: ClassVar[float] = _APART
    parameters: ClassVar = {
        "depth": PRINCIPLE_DEPTH,
        "logic": replace(LOGIC, allowed=tuple(FRAME_AXIOMS)),
        "formulas": generation.FORMULAS,
    }

    @abstractmethod
    def found(self) -> Found | None:
        """Return a proof, or None if the formula is not valid."""

    def solution(self) -> str:
        """Return a proof found by search."""
        proof = _proof_of(self)
        if proof is None:
            found = small_countermodel(self.formula, self.logic)
            why = "no such proof was found"
            if found is not None:
                why = f"{self.formula} is not valid in {self.in_words}\n{drawing(found, logic=self.logic)}"
            raise ModelError(f"the exercise has no solution: {why}")
        return str(proof)

    def difficulty(self) -> int:
        """Return the number of rows of a natural deduction; of the solution if none is found."""
        natural = NaturalProof(logic_named(self.logic), (), self.formula, (), PALETTE)
        return len(proofs.natural_hint(natural).plan) or len(_proof_of(self) or ())

    @classmethod
    def deck(cls, *, depth: int, **given: Any) -> Sequence[Sequence[Card]]:
        """Return the principles whose instances are tasks: as many as are about equally difficult."""
        tasks = [cls("", f, **given) for f in generation.PRINCIPLES if modal_depth(f) <= depth]
        rows = {task.formula: task.difficulty() for task in tasks if _fits(task)}
        near = [[f for f in rows if n <= rows[f] <= _APART * n] for n in sorted(rows.values())]
        return ([{"principle": f} for f in max(near, key=len, default=[])],)

    @classmethod
    def generate(cls, rng: Rng, *, depth: int, principle: Formula, **given: Any) -> Self:
        """Return a task about an instance of a principle that is as difficult as the principle."""
        exercise = cls("", generation.random_instance(principle, depth, rng), **given)
        assume(exercise.difficulty() == replace(exercise, formula=principle).difficulty() and _fits(exercise))
        return exercise

    def at_once(self) -> bool:
        """Return whether a single line is a solution."""
        return False


@lru_cache(512)
def _fits(task: _ProvingTask) -> bool:
    """Return whether a formula has a proof of moderate length, and no proof in a single line."""
    if small_countermodel(task.formula, task.logic) is not None:
        return False
    proof = _proof_of(task)
    return proof is not None and len(proof) <= _MOST_FOUND and not task.at_once()


@lru_cache(512)
def _proof_of(task: _ProvingTask) -> Found | None:
    return task.found()


@dataclass(frozen=True, slots=True, repr=False)
class Derivation(_ProvingTask):
    """Derive a formula in a logic. The answer is a derivation, line by line; a wrong one gets a hint."""

    kind: ClassVar[str] = "derivation"
    parameters: ClassVar = {
        **_ProvingTask.parameters,
        "rules": Parameter((), _RULES, "axioms and rules that may be cited, by default all"),
        "without": Parameter((), _RULES, "axioms and rules that may not be cited"),
        "using": Parameter((), _RULES, "axioms and rules that must be cited"),
        "most_lines": Parameter(0, range(_MOST_LINES), "lines at most; 0: any number"),
    }
    rules: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    using: tuple[str, ...] = ()
    most_lines: int = 0

    def question(self) -> str:
        """Return the task in words."""
        asked = [f"Derive {forms.formal(self.formula)} in {self.in_words}."]
        never = _forbidden(self.without, self.logic)
        told = {"Cite only": self.rules, "Do not cite": never, "Make use of": self.using}
        for said, rules in told.items():
            if rules:
                asked.append(f"{said} {', '.join(f'`{rule_named(rule)}`' for rule in rules)}.")
        if self.most_lines:
            asked.append(f"Write at most {counted(self.most_lines, 'line')}.")
        return " ".join(asked)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The axioms and rules that may be cited; () if all may."""
        never, known = _forbidden(self.without, self.logic), self.rules or (_RULES if self.without else ())
        return tuple(name for name in map(rule_named, known) if name not in never)

    @property
    def form(self) -> ProofLines:
        """A derivation."""
        example = "4. K_a p -> K_a q   MP 2, 3: a formula, a rule, and the lines it is applied to"
        return ProofLines("derivation", example, self.logic)

    def desk(self) -> str:
        """Return the head of a derivation, with the rules that may be cited."""
        rules = f"rules: {', '.join(self.allowed)}\n" if self.allowed else ""
        return f"logic: {self.logic}\nshow: {self.formula}\n{rules}"

    def judge(self, answer: proofs.Proof) -> Result:
        """Return whether every line is correct and the last one is the formula; if not, where, and a hint."""
        if not answer.lines:
            return Result(False, "it has no lines")
        answer = replace(answer, premises=(), goal=self.formula, rules=self.allowed)
        try:
            found = proofs.check(answer, limit=_STEPS_OF_LINE)
            if found.line is not None:
                hint = proofs.hint(answer, limit=_STEPS_OF_LINE) if found.line <= _HINTED else None
                return Result(False, f"{found}\nhint: {hint}" if hint else str(found))
        except Undecided as error:
            return Result(False, f"this cannot be checked; write it in smaller steps: {error}")
        flaw = self._flaw(answer)
        if answer.missing:
            flaw = f"it derives {answer.conclusion.unicode()}, not {self.formula.unicode()}"
        lines = f"each of the {len(answer)} lines" if len(answer) > 1 else "the line"
        return Result(not flaw, flaw or f"{lines} follows by its rule")

    def _flaw(self, proof: proofs.Proof) -> str:
        """Return why a derivation is longer than allowed, or lacks a rule that it should use; else ""."""
        if 0 < self.most_lines < len(proof):
            return f"it has {counted(len(proof), 'line')}, and at most {self.most_lines} are allowed"
        if unused := {rule_named(name) for name in self.using}.difference(proof.pruned().uses()):
            return f"the last line does not depend on a use of {', '.join(sorted(unused))}"
        return ""

    def found(self) -> proofs.Proof | None:
        """Return a derivation as in a book: in small steps only where rules are restricted."""
        first = proofs.derivation(self.formula, logic=self.logic)
        if not first:
            return None
        checking = Checking(first.logic, _STEPS, rules=self.allowed)
        plain = replace(first, lines=tuple(completion(checking, self.formula, _STEPS) or first.lines))
        tries = (p for proof in (plain, proofs.expand(first).pruned()) for p in (condensed(proof), proof))
        fits = (p for p in tries if proofs.check(replace(p, rules=self.allowed)).right and not self._flaw(p))
        return next(fits, None)

    def at_once(self) -> bool:
        """Return whether a single line is a solution."""
        checking = Checking(logic_named(self.logic), rules=self.allowed)
        return any(checking.allows(proofs.Line(self.formula, name)) for name in self.allowed or _RULES)


def condensed(proof: proofs.Proof) -> proofs.Proof:
    """Return a derivation with PL in place of tautologies from which a line follows by several steps of MP.

    >>> print(condensed(proofs.expand(proofs.derivation("K_a p & K_b q -> q", logic="T"))))
    logic: T
    1. K_b q -> q             T
    2. K_a p & K_b q -> q     PL 1
    """
    rests, lines = dict[int, tuple[int, ...]](), list[proofs.Line]()
    for number, line in enumerate(proof.lines, 1):
        rests[number], new = (number,), line
        if line.rule in ("Taut", "MP", "PL"):
            needed = tuple(dict.fromkeys(ref for n in line.refs for ref in rests[n]))
            if line.rule != "MP" or needed != line.refs:
                rests[number], new = needed, replace(line, rule="PL", refs=tuple(sorted(needed)))
        lines.append(new)
    return replace(proof, lines=tuple(lines)).pruned()


@cache
def _forbidden(without: tuple[str, ...], logic: str) -> tuple[str, ...]:
    """Return the axioms and rules that may not be cited: those named, and those derived from such axioms."""
    named = tuple(map(rule_named, without))
    rest = forbidden(named, logic_named(logic)).difference(named)
    return (*named, *(name for name in _RULES if name in rest))


@dataclass(frozen=True, slots=True, repr=False)
class ClosedTableau(_ProvingTask):
    """Show by a closed tableau that a formula is valid in a logic. The answer is the tableau."""

    kind: ClassVar[str] = "tableau"
    form: ClassVar[forms.Form] = ProofLines(
        "tableau", "4. w1: ~K_a p   3, branches indented, and x 4, 5 where a branch closes"
    )

    def question(self) -> str:
        """Return the task in words."""
        return f"Show by a closed tableau that {forms.formal(self.formula)} is valid in {self.in_words}."

    def judge(self, answer: proofs.Tableau) -> Result:
        """Return whether the tableau is for the formula, correct and closed; if not, which line is wrong."""
        found = proofs.check_tableau(answer, self.formula, logic=self.logic)
        return Result(found.right, "every branch is closed" if found.right else str(found))

    def found(self) -> proofs.Tableau | None:
        """Return a closed tableau."""
        return proofs.tableau(self.formula, logic=self.logic)


@dataclass(frozen=True, slots=True, repr=False)
class NaturalDeduction(_ProvingTask):
    """Show a formula by natural deduction. The answer is the proof, row by row; a wrong one gets a hint."""

    kind: ClassVar[str] = "natural-deduction"

    def question(self) -> str:
        """Return the task in words."""
        return f"Show {forms.formal(self.formula)} in {self.in_words} by natural deduction."

    @property
    def form(self) -> ProofLines:
        """A natural deduction."""
        example = "3. | p   KE 1: bars for the subproofs, a formula, a rule, and the rows it is applied to"
        return ProofLines("natural deduction", example, self.logic)

    def desk(self) -> str:
        """Return the head of a natural deduction."""
        return f"calculus: natural\nlogic: {self.logic}\nshow: {self.formula}\n"

    def of(self, rows: tuple[NaturalRow, ...]) -> NaturalProof:
        """Return rows as a proof of this task, whatever they say about themselves."""
        return NaturalProof(logic_named(self.logic), rows, self.formula, (), PALETTE)

    def judge(self, answer: NaturalProof) -> Result:
        """Return whether every row is right and the last one is the formula; if not, why, and a hint."""
        proof = self.of(answer.rows)
        if proof.done:
            return Result(True, f"each of the {len(proof)} rows follows by its rule")
        if proof.flaw is None:
            return Result(False, proof.missing)
        number, why = proof.flaw
        hint = proofs.natural_hint(replace(proof, rows=proof.rows[: number - 1])).row
        return Result(False, f"row {number} is wrong: {why}" + (f"\nhint: {hint}" if hint else ""))

    def found(self) -> NaturalProof | None:
        """Return a proof, following the hints."""
        plan = proofs.natural_hint(self.of(())).plan
        return self.of(plan) if plan else None
