"""The systems of proof, made of the axioms and rules that `axioms.txt` declares.

Checker, prover, printers, the documentation and the export to other provers read these declarations. The
axioms are those of Fagin, Halpern, Moses and Vardi (1995, chapter 3) for K, C and D, of van Ditmarsch, van
der Hoek and Kooi (2007, chapters 4, 6 and 8) for announcements and action models, of Wáng and Ågotnes
(2013) for announcements together with common and distributed knowledge, of Van Benthem, Van Eijck and Kooi
(2006) for common knowledge on a condition, of Baltag, Moss and Solecki (1998) for common knowledge after an
action. Common knowledge is over one or more steps, so `C_G φ -> φ` needs reflexivity.

Schemas of axioms and rules, and their instances.

A schema is a formula in which φ, ψ, χ, … stand for any formulas, and p for any atom. Its agents and groups
are those of the instance: `K_a φ -> φ` is a schema for every agent, `C_G φ -> C_G C_G φ` for every group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, count, islice, product
from typing import NamedTuple, TypeAlias

from kripke_werewolf.base.display import Catalogue, Displayed
from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import FRAME_AXIOMS, Logic
from kripke_werewolf.logic.formulas.names import SCHEMATIC
from kripke_werewolf.logic.formulas.operators import Scope
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.notation.parser import parse
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.proofs.paths import condition, induction_step, states, taken_for, under
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows
from kripke_werewolf.logic.semantics.reduction import as_announcements

LABELS = frozenset({("a",), ("G",), ("H",)})
"""The labels of modal operators that are replaced in an instance: an agent, or a group."""


def is_schematic(f: Formula) -> bool:
    """Return whether a formula is a schematic letter: φ, ψ or χ, perhaps with an index.

    A derivation for it holds for all formulas, so axioms about atoms do not apply to it.
    """
    return isinstance(f, s.Atom) and SCHEMATIC.fullmatch(f.name) is not None


def with_greek_letters(f: Formula, letters: Iterable[str]) -> Formula:
    """Return a formula with schematic letters for derivations: p becomes φ_1.

    >>> print(with_greek_letters(parse("φ_1 -> p"), ["p", "φ_1"]))
    φ_1 -> φ_2
    """
    fresh = (name for n in count(1) if (name := f"φ_{n}") not in f.atoms)
    greek = {letter: next(fresh) for letter in sorted(letters) if not is_schematic(s.Atom(letter))}
    return f.rename(atoms=lambda atom: greek.get(atom, atom))


class Schema(NamedTuple):
    """Premises and a conclusion, with abbreviations expanded; an axiom has no premises.

    `letters`: the atoms in them that stand for any formulas. All others stand for themselves.
    """

    premises: tuple[Formula, ...]
    conclusion: Formula
    letters: frozenset[str] = frozenset()


Premises: TypeAlias = tuple[Formula, ...]
Schemas: TypeAlias = Callable[[Premises, Formula], Iterable[Schema]]
Meaning: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The letters for agents and groups, each with its agents."""


@dataclass(frozen=True, slots=True)
class RuleForm:
    """One form of a rule in its notation: `φ -> ψ, φ ⊢ ψ`; without `⊢` it is an axiom.

    `groups`: whether agents and groups, given by their letters, fit together, if not all do.
    """

    text: str
    groups: Callable[[Mapping[str, tuple[str, ...]]], bool]

    def schemas(self, premises: Premises, conclusion: Formula) -> Iterator[Schema]:
        """Yield the schema for all agents and groups that may occur in the formulas."""
        return (filled(self.text, meaning) for meaning in self.meanings((*premises, conclusion)))

    def meanings(self, formulas: Premises) -> Iterator[Meaning]:
        """Yield the agents and groups for which the letters may stand in an instance."""
        labels, fits = dict.fromkeys(chain(*map(_labels, formulas))), _fits(self.text)
        for chosen in product(*([label for label in labels if fit(label)] for fit in fits.values())):
            meaning = tuple(zip(fits, chosen, strict=True))
            if self.groups(dict(meaning)):
                yield meaning


@lru_cache(4096)
def _labels(f: Formula) -> tuple[tuple[str, ...], ...]:
    """Return the agents and groups of the modal operators in a formula."""
    return tuple(dict.fromkeys(node.label for node in f.subformulas() if isinstance(node, s.Modal)))


def instance_of(schema: Schema, premises: Premises, conclusion: Formula) -> dict[str, Formula] | None:
    """Return the formulas for the letters of a schema that yield an instance, or None.

    Abbreviations in the instance must be expanded.
    """
    if len(premises) != len(schema.premises):
        return None
    found: dict[str, Formula] = {}
    for pattern, f in zip((*schema.premises, schema.conclusion), (*premises, conclusion), strict=True):
        if not _matches(schema, pattern, f, found):
            return None
    return found


def _matches(schema: Schema, pattern: Formula, f: Formula, found: dict[str, Formula]) -> bool:
    """Return whether a formula is an instance of a pattern; `found` receives the formulas of its letters."""
    if schema.letters.isdisjoint(pattern.atoms):
        return pattern is f
    if isinstance(pattern, s.Atom):
        return found.setdefault(pattern.name, f) is f
    if type(pattern) is not type(f) or pattern.label != f.label or len(pattern.children) != len(f.children):
        return False
    return all(_matches(schema, part, g, found) for part, g in zip(pattern.children, f.children, strict=True))


def _read(text: str) -> Schema:
    before, turnstile, after = text.rpartition("⊢")
    premises = tuple(parse(part) for part in before.split(",")) if turnstile else ()
    conclusion = parse(after)
    return Schema(premises, conclusion, conclusion.atoms.union(*(f.atoms for f in premises)))


@lru_cache(256)
def _fits(text: str) -> Mapping[str, Callable[[tuple[str, ...]], bool]]:
    """Return the letters for agents and groups in a schema's text, each with its possible labels."""
    schema = _read(text)
    found: dict[str, Callable[[tuple[str, ...]], bool]] = {}
    for f in (*schema.premises, schema.conclusion):
        for node in f.subformulas():
            if isinstance(node, s.Modal) and node.label in LABELS:
                letter = node.label[0]
                found[letter] = (lambda label: len(label) == 1) if letter == "a" else bool
    return found


@lru_cache(4096)
def filled(text: str, meaning: Meaning) -> Schema:
    """Return the schema given by a string, for these agents and groups."""
    labels = {(letter,): label for letter, label in meaning}

    def step(node: Formula) -> Formula:
        if not isinstance(node, s.Modal) or not node.label:
            return node
        return node._make(labels[node.label], node.children)

    schema = _read(text)
    premises = tuple(unabbreviated(f.rewrite(step)) for f in schema.premises)
    return Schema(premises, unabbreviated(schema.conclusion.rewrite(step)), schema.letters)


def _for_its_agents(rule: Rule, logic: Logic, instance: Formula) -> bool:
    """Return whether the relation of the box that an axiom is about has the properties it needs."""
    while rule.frame and not isinstance(instance, s.Modal):
        instance = instance.children[0]
    return not rule.frame or set(rule.frame.split()) <= {*logic.of(instance.label).properties}


def _for_those_seen(rule: Rule, logic: Logic, instance: Formula) -> bool:
    """Return whether a step of H leads only to worlds that all of G see themselves: D_H (D_G φ -> φ)."""
    step, group = instance.label, instance.children[0].children[0].label
    logics = {agent: logic.of((agent,)) for agent in group}
    return all(of.reflexive or (agent in step and of.euclidean) for agent, of in logics.items())


@dataclass(frozen=True, slots=True, repr=False)
class Rule(Displayed):
    """An axiom or a rule of inference that is not derived from others.

    `name`: its name in derivations; `also`: other names; `text`: its notation, with the premises before `⊢`;
    `english`: its meaning; `frame`: the frame property that makes it sound, empty if it is sound on all
    frames. `schemas`: its schemas for the agents, groups, connectives and actions of given formulas.
    `under_update`: whether it infers a formula after an update from one before it, which is sound only for
    lines that are valid in the updated models as well. `sound`: whether an instance is sound in a logic, in
    which agents may differ.
    """

    name: str
    text: str
    english: str
    schemas: Schemas
    frame: str = ""
    also: tuple[str, ...] = ()
    under_update: bool = False
    sound: Callable[[Rule, Logic, Formula], bool] = _for_its_agents

    def headline(self) -> str:
        """Return the name, the notation and the meaning."""
        return f"{self.name}, {self.text}: {self.english}"

    @property
    def is_axiom(self) -> bool:
        """Whether it has no premises."""
        return "⊢" not in self.text

    def instance(self, premises: Premises, conclusion: Formula) -> dict[str, Formula] | None:
        """Return the formulas for the letters that yield these premises, in order, and conclusion; or None.

        Abbreviations in the formulas must be expanded (`unabbreviated`).

        >>> from kripke_werewolf.logic.formulas import parse
        >>> RULES["T"].instance((), parse("K_b (q & r) -> q & r"))
        {'φ': parse('q & r')}
        """
        for schema in self.schemas(premises, conclusion):
            found = instance_of(schema, premises, conclusion)
            if found is not None:
                return found
        return None


def told_in(name: str) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...], str, list[str]]]:
    """Yield the parts of a text file of this package: names, properties in brackets, English, and rows."""
    text = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n")[1:]:
        head, *rows = block.strip().splitlines()
        [(names, properties, english)] = re.findall(r"(.+?)(?: \((.+)\))?: (.+)", head)
        known, *also = names.split(", ")
        yield known, tuple(also), tuple(filter(None, properties.split(", "))), english, rows


@cache
def elsewhere() -> dict[str, str]:
    """Return for words of textbooks what they are here."""
    lines = files(__package__).joinpath("elsewhere.txt").read_text(encoding="utf-8").splitlines()[2:]
    return {word: line.partition(": ")[2] for line in lines for word in line.partition(": ")[0].split(", ")}


def _reduction(kind: type[s.Announce] | type[s.Act], right: Right) -> Schemas:
    """Return the schemas of an axiom `[update]ψ <-> …` that depends on the shape of ψ or on the action."""

    def schemas(premises: Premises, conclusion: Formula) -> Iterator[Schema]:
        match conclusion:
            case s.Iff(s.Box(update) as left, _) if isinstance(update, kind):
                if (found := right(left)) is not None:
                    yield Schema((), s.Iff(left, found))

    return schemas


# --- what holds after an update ---------------------------------------------------------------------


Right: TypeAlias = Callable[[s.Box], Formula | None]
"""The right side of a reduction axiom for [update]ψ; None if it does not apply to such a ψ."""


def _after_atom(f: s.Box) -> Formula | None:
    if not isinstance(f.body, s.Atom) or is_schematic(f.body):
        return None
    match f.update:
        case s.Act(_, event, model) if model is not None:
            value = model.events[event].post.get(f.body.name, f.body)
            return s.Implies(condition(f), unabbreviated(value))
    return s.Implies(condition(f), f.body)


def _after_connective(f: s.Box) -> Formula | None:
    body = f.body
    if not body.pointwise or isinstance(body, s.Atom):
        return None
    parts = body.with_children(under(f, part) for part in body.children)
    return parts if _true_of_truths(body) else s.Implies(condition(f), parts)


def _true_of_truths(node: Formula) -> bool:
    """Return whether a connective is true if all its operands are, as where an update cannot happen."""
    trivial = node.with_children(s.TRUE for _ in node.children)
    return bool(BitSpace.numbered(1, {}, {}).truth(trivial))


def _after_box(scope: Scope) -> Right:
    def right(f: s.Box) -> Formula | None:
        body = f.body
        if not isinstance(body, s.Modal) or body.scope is not scope:
            return None
        after = (s.Box(seen, body.body) for seen in taken_for(body.label, f.update))
        return s.Implies(condition(f), s.conjunction(body.with_children([g]) for g in after))

    return right


@lru_cache(4096)
def reduced_once(f: s.Box) -> tuple[str, s.Iff] | None:
    """Return the instance of a reduction axiom with [update]ψ on its left, and the name of the axiom.

    None if there is none: for common knowledge, and for an event followed by another update.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> name, instance = reduced_once(parse("[!p]K_a q"))
    >>> print(name, " ", instance)
    !K   [!p]K_a q <-> p -> K_a [!p]q
    """
    match f:
        case s.Box(s.Announce(s.TRUE), body):
            return "!true", s.Iff(f, body)
        case s.Box(s.Announce(said), s.Box(s.Announce(then), body)):
            return "!!", s.Iff(f, s.Box(s.Announce(s.And(said, under(f, then))), body))
    sign = "!" if isinstance(f.update, s.Announce) else "@"
    found = ((f"{sign}{name}", right(f)) for name, right in _RIGHTS.items())
    return next(((name, s.Iff(f, reduct)) for name, reduct in found if reduct is not None), None)


def as_announced(f: s.Box) -> Formula | None:
    """Return [!pre(e)]ψ for [U,e]ψ if this is equivalent; None if it is not, or another update."""
    letters = [atom for atom in f.body.atoms if is_schematic(s.Atom(atom))]
    found = as_announcements(f, letters)
    return None if found is None else unabbreviated(found)


def kept_by(f: Formula, properties: Iterable[str]) -> frozenset[str]:
    """Return the frame properties that the update of [update]ψ preserves in all models.

    A submodel preserves all but seriality; a product preserves a property of the action, for the agents in ψ,
    or for all agents if ψ has schematic letters, except seriality.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> sorted(kept_by(parse("[!p]q"), ["serial", "transitive", "euclidean"]))
    ['euclidean', 'transitive']
    """
    assert isinstance(f, s.Box)
    lost = {"serial"}
    match f.update:
        case s.Act(_, _, model) if model is not None:
            sights = [model._sight(agent) for agent in f.body.agents]
            if any(is_schematic(s.Atom(atom)) for atom in f.body.atoms):
                sights += [sight for sight in (*model._sights.values(), model._others) if sight is not None]
            every = (1 << len(model.events)) - 1
            lost = lost.union(*(Rows.of_sights(sight).failures(every) for sight in sights))
    return frozenset(kind for kind in properties if lost.isdisjoint(kind.split()))


# --- the declarations -------------------------------------------------------------------------------


def _after_every_event(premises: Premises, conclusion: Formula) -> Iterator[Schema]:
    if isinstance(conclusion, s.Box) and isinstance(conclusion.update, s.Act):
        yield Schema((conclusion.body,), conclusion)


def _induction(sign: str) -> Schemas:
    """Return the schemas of induction for common knowledge, after updates of a kind.

    There is a premise for each of the `states` of [x]C_G φ, for the action rule of Baltag, Moss and Solecki.
    """

    def schemas(premises: Premises, conclusion: Formula) -> Iterator[Schema]:
        if not isinstance(conclusion, s.Implies):
            return
        found = states(conclusion.right)
        if found is not None and found[0].sign == sign:
            names = (name for n in count() if (name := f"χ{n or ''}") not in conclusion.atoms)
            kept = list(map(s.Atom, islice(names, len(found))))
            steps = tuple(induction_step(found, place, kept) for place in range(len(found)))
            yield Schema(steps, s.Implies(kept[0], found[0].goal), frozenset(x.name for x in kept))

    return schemas


_GROUPS: Mapping[str, Callable[[Mapping[str, tuple[str, ...]]], bool]] = {
    "D+": lambda groups: set(groups["G"]) <= set(groups["H"])
}
_RIGHTS: Mapping[str, Right] = {
    "p": _after_atom, "B": _after_connective, "K": _after_box(Scope.AGENT), "D": _after_box(Scope.MEET),
    "U": _after_box(Scope.WORLDS),
}  # fmt: skip
_SCHEMAS: Mapping[str, Schemas] = {
    "Taut": lambda premises, conclusion: (), "@!": _reduction(s.Act, as_announced),
    "Nec@": _after_every_event, **{f"Ind{sign}": _induction(sign) for sign in ("", "!", "@")},
    **{f"!{name}": _reduction(s.Announce, right) for name, right in _RIGHTS.items()},
    **{f"@{name}": _reduction(s.Act, right) for name, right in _RIGHTS.items()},
}  # fmt: skip


def _rule(
    name: str, also: tuple[str, ...], needed: Iterable[str], english: str, texts: Iterable[str]
) -> Rule:
    """Return a rule as `axioms.txt` tells it: of its forms, unless its schemas are computed."""
    forms = [RuleForm(text.strip(), _GROUPS.get(name, lambda _: True)) for text in texts]

    def schemas(premises: Premises, conclusion: Formula) -> Iterator[Schema]:
        for form in forms:
            yield from form.schemas(premises, conclusion)

    text, updates = "; ".join(form.text for form in forms), name in ("Nec!", "Nec@")
    sound = _for_those_seen if name == "T_H" else _for_its_agents
    return Rule(name, text, english, _SCHEMAS.get(name, schemas), " ".join(needed), also, updates, sound)


RULES: Mapping[str, Rule] = Catalogue.of(
    {told[0]: _rule(*told) for told in told_in("axioms")},
    lambda rule: f"{rule.text}: {rule.english}",
)
"""The axioms and rules by name."""

TAUT = RULES["Taut"]
"""Tautologies are decided, not matched: see `proofs.tautologies`."""


@lru_cache(256)
def system(logic: Logic) -> tuple[Rule, ...]:
    """Return the axioms and rules of a logic from which all others are derived.

    In a mixed logic they are those of the logics of all agents, each for those agents whose logic has it.

    >>> from kripke_werewolf.logic.formulas.logics import LOGICS, logic_named
    >>> [rule.name for rule in system(LOGICS["S5"]) if rule.frame]
    ['T', '5']
    >>> [rule.name for rule in system(logic_named("a: S5, b: KD45, others: K")) if rule.frame]
    ['T', 'D', '4', '5', 'T_H']

    Raises `FormulaError` for a logic without axioms here, such as those of symmetric relations.
    """
    logics = [of for _, of in logic.mixed] or [logic]
    if any(of.name not in FRAME_AXIOMS for of in logics):
        raise FormulaError(
            f"formulas are decided in {logic} (valid, prove), not derived: derivations and tableaux are in "
            f"one of {', '.join(FRAME_AXIOMS)}, and derivations may have one of them for each agent"
        )
    names = {name for of in logics for name in FRAME_AXIOMS[of.name]}
    if logic.mixed:
        names.add("T_H")
    return tuple(rule for rule in RULES.values() if not rule.frame or rule.name in names)
