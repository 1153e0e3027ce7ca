"""Reasons why a formula is valid: the properties of relations that it needs, a rule, or a proof."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from kripke_werewolf import proofs
from kripke_werewolf.base.reader import Part
from kripke_werewolf.deciding import countermodel
from kripke_werewolf.errors import FormatError, FormulaError, KripkeError, Undecided
from kripke_werewolf.exercises.forms import EMPTY, past, quiet, refuse, word_of
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import FRAME_PROPERTIES, LOGICS, Logic, implied, logic_named
from kripke_werewolf.language.sentences import names
from kripke_werewolf.proofs.checker import Checking
from kripke_werewolf.proofs.derived import rule_named
from kripke_werewolf.proofs.systems import FRAME_AXIOMS

_AXIOMS = {rule.name: rule.frame for rule in proofs.RULES.values() if rule.frame in FRAME_PROPERTIES}
_AXIOMS["B"] = "symmetric"  # a derived rule
_ALSO = {
    "reflexive": r"|(?:(?:world|state)s? )?sees? (?:itself|themselves)|equivalence",
    "euclidean": "|equivalence",
}
_NAMED = {p: rf"(?:\b{p[:6]}\w*{_ALSO.get(p, '')})" for p in FRAME_PROPERTIES}
_UNLIMITED = rf"{EMPTY}|no|any|all|every|arbitrary|do(?:es)?(?: not|n't) any"
_FILLING = (
    r"\b(?:\w's|because|since|as|by|due|to|of|from|for|reasons?|why|it|is|are|an?|the|this|here|that|follows|"
    r"need(?:s|ed)?|uses?|last|axioms?|rules?|propert(?:y|ies)|conditions?|frames?|in|on|only|must be|both|"
    r"(?:accessibility )?relations?(?: of \w\b)?|instances?|propositional(?= taut)|special|holds?|can|"
    r"nothing else|R(?:_\w+)?)(?!\w)"
)
_EDGE = rf"(?:[\s.:;'\"(){{}}–-]|{_FILLING})++"


class Claim(NamedTuple):
    """The answer that a formula is valid, and the reason.

    `reason`: the properties that the relations must have, the name of a rule, a proof, or None.
    `unread`: why a reason that was given cannot be read.
    """

    reason: frozenset[str] | str | proofs.Proof | proofs.Tableau | None = None
    unread: str = ""

    def __str__(self) -> str:
        if self.unread:
            return f"valid, and a reason that cannot be read\n{self.unread}"
        if isinstance(self.reason, frozenset):
            return f"valid: {', '.join(p for p in FRAME_PROPERTIES if p in self.reason) or 'no property'}"
        if isinstance(self.reason, str):
            return f"valid: {self.reason}"
        return "" if self.reason else "valid"


def read_claim(given: Part, logic: str) -> Claim | None:
    """Return the answer that begins with `valid`, with its reason; None for any other."""
    start = r"(?:yes\b\W*)?(?:(?:it|this|the formula) is )?(?:always )?(?:valid|true)\b|yes\b"
    rest = past(given, rf"[\s$*]*(?:{start})[\s,.:;()–-]*")
    if rest.text == given.text:
        return None
    try:
        if not word_of(rest):
            return Claim()
        if not re.search(r"\S\s*\n\s*\S|->|→|↔", rest.text):
            return Claim(_read_names(rest))
        if re.search(r"\bw\d*\s*:", rest.text):
            return Claim(proofs.read_tableau(rest.text, source=given.source.name))
        return Claim(proofs.read_proof(rest.text, logic=logic, source=given.source.name))
    except FormatError as error:
        return Claim(unread=str(error))


def _read_names(given: Part) -> frozenset[str] | str:
    """Return the properties, given by their names or axioms, or the name of a rule."""
    found, rules = set[str](), set[str]()
    for part in re.split(r"(?i)\band\b|\bas well as\b|[,;&+]", quiet(given).text.replace("’", "'")):
        bare = re.sub(rf"(?i)^{_EDGE}|{_EDGE}$", "", part)
        words = " ".join(re.sub(rf"(?i){_FILLING}", " ", bare).split())
        if re.fullmatch(rf"(?i)(?:(?:all|every|each|any) )?(?:[ /]*(?:{'|'.join(_NAMED.values())}))+", words):
            found |= {p for p, named in _NAMED.items() if re.search(f"(?i){named}", words)}
        elif re.fullmatch(f"(?i){_UNLIMITED}", words):
            found.add("")
        elif bare:
            with suppress(KripkeError):
                bare = rule_named(bare)
            if bare not in proofs.RULES and bare not in proofs.DERIVED:
                refuse(given, f"expected reflexive, no property, RK or the like, got {bare!r}")
            if bare in _AXIOMS:
                found.add(_AXIOMS[bare])
            else:
                rules.add(bare)
    if found:
        rules.discard("K")  # an axiom of every logic
    if len(rules) + bool(found) != 1 or ("" in found and len(found) > 1):
        refuse(given, "give one reason: one rule, or the properties of relations")
    return rules.pop() if rules else frozenset(found - {""})


# --- what is needed --------------------------------------------------------------------------------


@lru_cache(1024)
def suffices(f: Formula, logic: str, needs: frozenset[str]) -> bool:
    """Return whether a formula is valid, as far as is known, if relations have only these properties.

    In a mixed logic, an agent's relation has those among them that its logic requires.

    >>> from kripke_werewolf.language import parse
    >>> five = parse("~K_a p -> K_a ~K_a p")
    >>> [suffices(five, "S5", frozenset(needs.split())) for needs in ("euclidean", "symmetric", "reflexive")]
    [True, False, False]
    """
    having = implied(needs)

    def stronger(one: Logic) -> str:
        """Return the first logic with derivations that agrees with this one about the properties."""
        known = having & _properties(one)
        return next(name for name in FRAME_AXIOMS if known <= _properties(LOGICS[name]))

    with suppress(FormulaError, Undecided):
        if countermodel(f, logic=_each(f, logic, partial(_weaker, having))) is None:
            return True
        if proof := proofs.derivation(f, logic=_each(f, logic, stronger)):
            used = proofs.expand(proof).uses()
            return all(name in having for axiom, name in _AXIOMS.items() if axiom in used)
    return False


def _each(f: Formula, logic: str, change: Callable[[Logic], str]) -> str:
    """Return a logic with each agent's logic changed."""
    whole = logic_named(logic)
    if not whole.mixed or not f.agents:
        return change(whole)
    return ", ".join(f"{agent}: {change(whole.of((agent,)))}" for agent in sorted(f.agents))


def _weaker(having: frozenset[str], logic: Logic) -> str:
    """Return the strongest logic with only these properties, among those not stronger than this one."""
    weaker = {one.name: _properties(one) for one in LOGICS.values()}
    known = having & _properties(logic)
    return max((name for name in weaker if weaker[name] <= known), key=lambda name: len(weaker[name]))


def _properties(logic: Logic) -> frozenset[str]:
    return implied(logic.properties)


def _allowed(f: Formula, logic: str) -> frozenset[str]:
    """Return the properties that the relation of some agent in a formula has."""
    whole = logic_named(logic)
    return frozenset().union(*(_properties(whole.of((agent,))) for agent in f.agents))


def reason_for(f: Formula, logic: str) -> Claim:
    """Return a right reason for a valid formula: the fewest properties, of those of the logic, that suffice.

    >>> from kripke_werewolf.language import parse
    >>> print(reason_for(parse("K_a p -> p"), "S5"))
    valid: reflexive
    """
    known = sorted(_allowed(f, logic), key=FRAME_PROPERTIES.index)
    tried = (frozenset(some) for n in range(len(known)) for some in combinations(known, n))
    return Claim(next((some for some in tried if suffices(f, logic, some)), frozenset(known)))


def flaw(claim: Claim, f: Formula, logic: str) -> str:
    """Return the fault of the properties or the rule in a right claim of validity; empty if there is none."""
    if isinstance(needs := claim.reason, frozenset):
        if stray := needs - _allowed(f, logic):
            return f"the relations of {logic} need not be {_listed(stray)}"
        if not suffices(f, logic, needs):
            where = f"where relations are {_listed(needs)}" if needs else "for relations of every kind"
            return f"that is not enough: it is not always true {where}"
        if less := frozenset(name for name in needs if suffices(f, logic, needs - {name})):
            return f"it does not need {_listed(less)} relations"
        return ""
    if not isinstance(rule := claim.reason, str):
        return f"the reason {'cannot be read' if claim.unread else 'is missing'}"
    if Checking(logic_named(logic)).allows(proofs.Line(f, rule)):
        return ""
    return f"{rule} alone does not give the formula in one line; write a derivation, or name the properties"


def _listed(needs: frozenset[str]) -> str:
    return names([name for name in FRAME_PROPERTIES if name in needs])
