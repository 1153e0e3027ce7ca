"""The proof desk: a proof written line by line, each judged at once, with hints on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from kripke_werewolf.errors import FormatError, FormulaError, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.proofs.checker import Checked, judgements
from kripke_werewolf.proofs.declarations import NUMBER
from kripke_werewolf.proofs.derived import DERIVED, rules_about
from kripke_werewolf.proofs.hints import hint, towards_goal
from kripke_werewolf.proofs.natural import Judgement, NaturalProof
from kripke_werewolf.proofs.natural_rules import NATURAL, PALETTE, useful
from kripke_werewolf.proofs.natural_search import HINT_STEPS, Hint, natural_hint
from kripke_werewolf.proofs.natural_text import is_natural, read_natural
from kripke_werewolf.proofs.premises import GIVEN
from kripke_werewolf.proofs.proof import Proof
from kripke_werewolf.proofs.systems import RULES, system
from kripke_werewolf.proofs.text import DECLARES, read_proof


@dataclass(frozen=True, slots=True)
class Desk:
    """A proof file being worked on: its declarations, its lines as typed, and those taken back.

    >>> desk = read_desk("logic: T\\nshow: p -> M_a p").typed("p -> K_a p   T")
    >>> desk.judged[0].right, desk.hint().why
    (False, 'T gives K_a p -> p: the other direction')
    """

    header: str
    rows: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The proof file: `read_desk` reads it back."""
        return "\n".join([self.header, *(f"{n}. {row}" for n, row in enumerate(self.rows, 1)), ""])

    @property
    def sheet(self) -> Proof | NaturalProof:
        """The proof, in the calculus that the file names."""
        return _read(self.text)

    @property
    def judged(self) -> Sequence[Checked | Judgement]:
        """For each line, whether it is right, or the reason."""
        if isinstance(self.sheet, NaturalProof):
            return self.sheet.judgements
        return judgements(self.sheet)

    @property
    def done(self) -> bool:
        """Whether all lines are right and the last one is the goal."""
        return not self.sheet.missing and all(judged.right for judged in self.judged)

    def typed(self, row: str) -> Desk:
        """Return the desk with one more line, right or wrong; it replaces a last line that is wrong.

        Raises `FormatError` for a line that cannot be read.
        """
        wrong = bool(self.rows) and not self.judged[-1].right
        before = self.rows[:-1] if wrong else self.rows
        content = row.strip().removeprefix(f"{len(before) + 1}.").strip()
        after = Desk(self.header, (*before, content))
        if len(row.splitlines()) != 1 or len(after.sheet) != len(before) + 1:
            raise FormatError(f"expected one line, such as 'K_a p -> p   T', got {row!r:.60}")
        return after

    def undo(self) -> Desk:
        """Return the desk without its last line, which `redo` brings back."""
        if not self.rows:
            raise FormulaError("there is no line to take back")
        return Desk(self.header, self.rows[:-1], (*self.undone, self.rows[-1]))

    def redo(self) -> Desk:
        """Return the desk with the line that was taken back last."""
        if not self.undone:
            raise FormulaError("no line was taken back")
        return Desk(self.header, (*self.rows, self.undone[-1]), self.undone[:-1])

    def hint(self) -> Hint:
        """Return the next line on the way to the goal, or help with a wrong line."""
        proof = self.sheet
        if isinstance(proof, Proof):
            try:
                why = hint(proof, limit=HINT_STEPS)
            except (FormulaError, Undecided) as reason:
                why = str(reason)
            if why:
                return Hint("", why)
            return towards_goal(proof, limit=HINT_STEPS)
        found = natural_hint(proof)
        return replace(found, row=_unnumbered(found.row))

    @property
    def palette(self) -> dict[str, str]:
        """The rules that lines may cite, with their meaning: those allowed, or else those about the goal."""
        proof = self.sheet
        about = s.conjunction([f for f in (*proof.premises, proof.goal) if f is not None])
        known = tuple(rules_about(proof.logic, about))
        if isinstance(proof, NaturalProof):
            chosen = [*proof.rules]
            if proof.rules == PALETTE:
                chosen = [*useful(known, proof.premises)]
            return {name: f"{NATURAL[name].text}: {NATURAL[name].english}" for name in chosen}
        names = proof.rules or (*known, "PL", "RK", "RE", "Red", "Def")
        told = {}
        if proof.premises:
            told[GIVEN] = f"one of {', '.join(map(str, proof.premises))}"
        for name in names:
            if name != GIVEN:
                rule = RULES.get(name) or DERIVED[name][0]
                told[name] = f"{rule.text}: {rule.english}"
        return told


@lru_cache(256)
def _read(text: str, source: str = "proof") -> Proof | NaturalProof:
    return read_natural(text, source=source) if is_natural(text) else read_proof(text, source=source)


def _unnumbered(row: str) -> str:
    return row[number.end() :] if (number := NUMBER.match(row)) else row


def read_desk(text: str, *, source: str = "proof") -> Desk:
    """Return the desk for a proof file with a goal, finished or not; raises `FormatError`."""
    lines = text.rstrip().splitlines()
    top = [
        *takewhile(lambda line: DECLARES.match(line) or (line[:1] in " #" and not NUMBER.match(line)), lines)
    ]
    rows = [line.strip() for line in lines[len(top) :] if line.partition("#")[0].strip()]
    desk = Desk("\n".join(top), tuple(map(_unnumbered, rows)))
    system(desk.sheet.logic)  # raises for a logic without derivations
    if _read(text, source) != desk.sheet or desk.sheet.goal is None:
        raise FormatError(f"{source}: expected what is to be derived, as in 'show: K_a p -> p', then lines")
    return desk
