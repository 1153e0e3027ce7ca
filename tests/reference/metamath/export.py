"""Derivations as metamath files.

Metamath (Megill and Wheeler 2019) has no logic of its own: a file states its axioms as schemas, and the
program checks that every step substitutes expressions for the variables of an axiom or a theorem. A file has
four parts: the prelude; the language; the axioms and rules of the system that the derivation uses, printed
from their declarations, and its tautologies; and the lines of the derivation, each a theorem proved from
axioms and earlier lines.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import TypeAlias

from kripke_werewolf import Formula, FormulaError, Proof
from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.proofs.checker import check
from kripke_werewolf.logic.proofs.derived import _primitive_steps
from kripke_werewolf.logic.proofs.paths import after, updates_of
from kripke_werewolf.logic.proofs.systems import TAUT, Rule, Schema, is_schematic, kept_by, system
from tests.reference.metamath.database import PROVABLE, Reference, prelude, prelude_text
from tests.reference.metamath.language import Language, SchemaVariables, ascii_text
from tests.reference.metamath.tautology import is_tautology

_Claim: TypeAlias = tuple[str, int]
"""The sign of a theorem and its expression."""
_BY_SHAPE = re.compile("[!@][pBKDU]|Ind[!@]?|Nec@")


@dataclass(frozen=True, slots=True, repr=False)
class MetamathFile(Displayed):
    """A derivation as a Metamath file; its last statement, `proof.goal`, is the conclusion.

    `steps`: the number of steps in its proofs, without those of the prelude.
    """

    text: str
    steps: int

    def headline(self) -> str:
        """Return the conclusion and the number of steps."""
        goal = self.text.rpartition("proof.goal $p ")[2].partition(" $=")[0]
        return f"{goal}, {counted(self.steps, 'step')}"


def to_metamath(proof: Proof) -> MetamathFile:
    r"""Return a derivation as a Metamath file: a theorem for each line, with abbreviations expanded.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> from kripke_werewolf.logic.formulas.logics import LOGICS
    >>> from kripke_werewolf.logic.proofs.proof import Line
    >>> file = to_metamath(Proof(LOGICS["T"], (Line(parse("K_a p -> p"), "T"),)))
    >>> print(*file.text.splitlines()[-4:], sep="\n")
    $( T $)
    line.1 $p |- ( K_ a p -> p ) $= ( atom.1 w.atom agent.1 ruleT.1 ) ABCD $.
    $( what is derived $)
    proof.goal $p |- ( K_ a p -> p ) $= ( line.1 ) A $.

    Raises `FormulaError` for a derivation with a wrong line and for a formula that is too long, `Undecided`
    for a tautology with too many letters.
    """
    checked = check(proof)
    if not checked.right:
        raise FormulaError(f"cannot export the derivation: {checked}")
    lines, numbers = _primitive_steps(proof)
    writer = _Writer(Proof(proof.logic, tuple(lines)))
    for line, number in zip(proof.lines, numbers, strict=True):
        writer.write_line(number, line.reason)
    return writer.file(numbers[-1])


def primitive_file(proof: Proof) -> MetamathFile:
    """Return a derivation from primitive rules as a Metamath file, correct or not.

    The proof of a line that its rule does not yield is `?`, and Metamath reports it as unproved.
    """
    writer = _Writer(proof)
    for number, line in enumerate(proof.lines, 1):
        writer.write_line(number, line.reason)
    return writer.file(len(proof))


class _Writer:
    """The parts of a file during writing, from a derivation in primitive steps.

    A line that depends on an axiom for some class of frames may not be necessitated under an update that
    leaves this class. If a derivation has such updates (`tracks`), the sign of a theorem names the frame
    axioms on which it depends, so that Metamath checks this too: |-T5 for T and 5, |- for none. If the class
    is preserved only for the agents of a formula, the rule is stated for this formula alone.
    """

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.rules = {rule.name: rule for rule in system(proof.logic)}
        self.frames = {rule.frame: rule.name for rule in self.rules.values() if rule.frame}
        self.formulas = [unabbreviated(line.formula) for line in proof.lines]
        self.depends = self._dependence()
        self.tracks = any(
            line.rule in self.rules
            and self.rules[line.rule].under_update
            and not _kept_for_all(f, self.frames)
            for line, f in zip(proof.lines, self.formulas, strict=True)
        )
        self.language = Language(frozenset[str]().union(*(f.acted_on for f in self.formulas)))
        self.steps = self.language.steps
        self.proved: list[int | None] = []
        """The steps that prove the lines, as far as they have been computed."""
        self.axioms: list[str] = []
        self.theorems: list[str] = []
        self.count = 0
        modus_ponens = prelude().statements["ax.mp"]
        self._statements = {
            tuple((PROVABLE, f) for f in self.steps.claims(modus_ponens)): modus_ponens.reference
        }

    def _dependence(self) -> list[frozenset[str]]:
        """Return for each line the frame axioms on which it depends."""
        found: list[frozenset[str]] = []
        for number, line in enumerate(self.proof.lines, 1):
            frame = self.rules[line.rule].frame if line.rule in self.rules else ""
            used = (found[ref - 1] for ref in line.refs if 0 < ref < number)
            found.append(frozenset((frame,) if frame else ()).union(*used))
        return found

    def write_line(self, number: int, reason: str) -> None:
        """Write a line as a theorem, together with earlier steps that are not theorems."""
        while len(self.proved) < number:
            self.proved.append(self._derived(len(self.proved) + 1))
        label = f"line.{len(self.theorems) // 2 + 1}"
        self._write_theorem(
            label, reason, self._sign(self.depends[number - 1]), number, self.proved[number - 1]
        )
        variables = self.steps.variables(self.language.expression(self.formulas[number - 1]))
        self.proved[number - 1] = self.steps.step(label, *map(self.steps.step, variables))

    def file(self, last: int) -> MetamathFile:
        """Return the whole file, which proves the formula of a line that is a theorem."""
        sign = self._sign(self.frames)
        self._write_theorem("proof.goal", "what is derived", sign, last, self._cited(last, sign))
        parts = [
            prelude_text(),
            "$( The language: atoms, agents, groups and events, operators, names. $)",
            *self.language.declarations,
            f"\n$( The axioms and rules of {self.proof.logic} that are used. $)",
            *self.axioms,
            "\n$( The derivation. $)",
            *self.theorems,
        ]
        return MetamathFile("\n".join(parts) + "\n", self.count)

    def _sign(self, depends: Iterable[str]) -> str:
        """Return the sign of theorems that depend on these frame axioms."""
        used = frozenset(depends)
        names = [name for frame, name in self.frames.items() if frame in used and self.tracks]
        sign = PROVABLE + "".join(names)
        self.language.declare_constants(sign)
        return sign

    # --- proofs of lines ---------------------------------------------------------------------------

    def _derived(self, number: int) -> int | None:
        """Return the step that proves a line from earlier ones by its rule; None if the rule does not."""
        line, f = self.proof.lines[number - 1], self.formulas[number - 1]
        rule = self.rules.get(line.rule)
        if rule is None or not all(0 < ref < number for ref in line.refs):
            return None
        if rule is TAUT:
            return None if line.refs or not is_tautology(f) else self._tautology(self.language.expression(f))
        if rule.under_update and not _kept(f, self.depends[number - 1]):
            return None
        premises = tuple(self.formulas[ref - 1] for ref in line.refs)
        formulas = [self.language.expression(g) for g in (*premises, f)]
        for schema, facts in _schemas(rule, premises, f):
            if not rule.sound(rule, self.proof.logic, schema.conclusion):
                continue
            patterns, meaning = self._patterns(rule, schema, facts), dict[str, int]()
            if rule.under_update and not _kept_for_all(f, self.depends[number - 1]):
                patterns = formulas
            if len(patterns) == len(formulas) and all(
                self.steps.matches(p, g, meaning) for p, g in zip(patterns, formulas, strict=True)
            ):
                return self._applied(number, rule, patterns, meaning)
        return None

    def _tautology(self, formula: int) -> int:
        """Return the step that cites a tautology as an axiom."""
        statement = self._statement("taut", [(PROVABLE, formula)], "a tautology, by its truth table")
        return self.steps.apply(statement, {v: self.steps.step(v) for v in statement.variables})

    def _applied(
        self, number: int, rule: Rule, patterns: Sequence[int], meaning: Mapping[str, int]
    ) -> int | None:
        """Return the step that applies an axiom or a rule to yield a line."""
        sign = self._sign(self.depends[number - 1])
        given = [self._cited(ref, sign) for ref in self.proof.lines[number - 1].refs]
        steps = [step for step in given if step is not None]
        label = "".join(c if c.isalnum() else f"-{ord(c)}" for c in f"rule{rule.name}")
        statement = self._statement(label, [(sign, pattern) for pattern in patterns], rule.english)
        return self.steps.apply(statement, meaning, *steps) if len(steps) == len(given) else None

    def _cited(self, number: int, sign: str) -> int | None:
        """Return the step that proves a line as a theorem with a sign at least as strong as its own."""
        step, own = self.proved[number - 1], self._sign(self.depends[number - 1])
        if own == sign or step is None:
            return step
        anything = self.steps.step("v.ph")
        lift = self._statement("up", [(own, anything), (sign, anything)], "what depends on less")
        return self.steps.apply(lift, {"v.ph": self.language.expression(self.formulas[number - 1])}, step)

    def _patterns(self, rule: Rule, schema: Schema, facts: frozenset[str]) -> list[int]:
        """Return the premises and the conclusion of a schema as expressions with variables.

        A schema is about all agents unless it is about an action, or about an agent's logic.
        """
        formulas = (*schema.premises, schema.conclusion)
        named = any(map(_names_action, formulas)) or (rule.frame and self.proof.logic.mixed)
        reading = SchemaVariables(schema.letters, facts, not named)
        if reading.agents:
            agents = sorted(frozenset[str]().union(*(f.agents for f in formulas)))
            width = len(str(len(agents)))  # so that the variables are in the order of the agents
            names = {agent: f"A{n:0{width}}" for n, agent in enumerate(agents, 1)}
            formulas = tuple(f.rename(agents=names.__getitem__) for f in formulas)
        return [self.language.expression(f, reading) for f in formulas]

    # --- writing -----------------------------------------------------------------------------------

    def _statement(self, name: str, claims: Sequence[_Claim], english: str) -> Reference:
        """Return an axiom or rule with these premises and this conclusion, writing it if it is new."""
        key = tuple(claims)
        if key not in self._statements:
            number = sum(known.label.startswith(f"{name}.") for known in self._statements.values()) + 1
            label = f"{name}.{number}"
            *premises, conclusion = (f"{sign} {self.steps.text(f)}" for sign, f in claims)
            assumed = [f"{label}.{n} $e {text} $." for n, text in enumerate(premises, 1)]
            lines = [*assumed, f"{label} $a {conclusion} $."]
            self.axioms += [f"$( {ascii_text(english)} $)", *(["${", *lines, "$}"] if assumed else lines)]
            self._statements[key] = Reference(label, self.steps.variables(*(f for _, f in claims)))
        return self._statements[key]

    def _write_theorem(self, label: str, remark: str, sign: str, number: int, step: int | None) -> None:
        goal, words = self.language.expression(self.formulas[number - 1]), ["?"]
        if step is not None:
            labels, codes = self.steps.proof(step, self.steps.variables(goal))
            words = ["(", *labels, ")", *textwrap.wrap("".join(codes), 76)]
            self.count += len(codes)
        text = f"{label} $p {sign} {self.steps.text(goal)} $= {' '.join(words)} $."
        lines = textwrap.wrap(text, 79, break_long_words=False, break_on_hyphens=False)
        self.theorems += [f"$( {ascii_text(remark)} $)", "\n".join(lines)]


def _schemas(rule: Rule, premises: Sequence[Formula], f: Formula) -> Iterator[tuple[Schema, frozenset[str]]]:
    """Yield the schemas of a rule, and those of their letters that stand for atoms.

    Axioms that depend on the shape of a formula are those of a formula of letters with that shape.
    """
    letters, facts = frozenset[str](), frozenset[str]()
    if _BY_SHAPE.fullmatch(rule.name):
        match f:
            case s.Iff(s.Box() as left, _) if (found := _general(left)) is not None:
                left, letters, facts = found
                f = s.Iff(left, s.TRUE)
            case s.Implies(_, right) if (found := _general(right)) is not None:
                right, letters, facts = found
                f = s.Implies(s.TRUE, right)
            case s.Box(s.Act() as act, _):
                f, letters = s.Box(act, s.Atom("φ")), frozenset("φ")
    for schema in rule.schemas(tuple(premises), f):
        yield schema._replace(letters=schema.letters | letters), facts


def _general(f: Formula) -> tuple[Formula, frozenset[str], frozenset[str]] | None:
    """Return [x]ψ, where x are updates, with letters for the formulas in it but the outermost operator of ψ.

    Actions are unchanged. None for a schematic letter ψ. Then the letters, and those that stand for atoms.
    """
    updates, body = updates_of(f)
    if is_schematic(body):
        return None
    acts, facts = [update for update in updates if isinstance(update, s.Act)], frozenset[str]()
    taken = frozenset[str]().union(*(s.Box(act, s.TRUE).acted_on for act in acts))
    letters = list(islice(_letters("φ", taken), len(updates) - len(acts)))
    contents = iter(letters)
    updates = [update if isinstance(update, s.Act) else s.Announce(next(contents)) for update in updates]
    if isinstance(body, s.Atom) and not acts:
        body, facts = s.Atom("p"), frozenset({"p"})
    many, fresh = len(body.children), _letters("ψ" if updates else "φ", taken)
    letters += islice(fresh, many > 1, many + (many > 1))
    body = body.with_children(letters[len(letters) - many :])
    return after(updates, body), frozenset(letter.name for letter in letters), facts


def _letters(letter: str, taken: frozenset[str]) -> Iterator[s.Atom]:
    """Yield a schematic letter without and with numbers, except those taken."""
    names = (f"{letter}{n}" if n else letter for n in count())
    return (s.Atom(name) for name in names if name not in taken)


def _kept(f: Formula, kinds: Iterable[str]) -> bool:
    """Return whether the update of [update]ψ preserves these frame properties."""
    return isinstance(f, s.Box) and frozenset(kinds) <= kept_by(f, kinds)


def _kept_for_all(f: Formula, kinds: Iterable[str]) -> bool:
    """Return the same for the update of [update]χ for all χ, about any agents."""
    if isinstance(f, s.Box) and isinstance(f.update, s.Act) and f.update.model is not None:
        model = f.update.model
        agents = [*model.relations, *(["anybody else"] if model.others is not None else [])]
        f = s.Box(f.update, s.conjunction(s.Knows(agent, s.TRUE) for agent in agents))
    return _kept(f, kinds)


def _names_action(f: Formula) -> bool:
    return any(isinstance(g, s.Box) and isinstance(g.update, s.Act) for g in f.subformulas())
