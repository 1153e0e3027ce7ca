"""Reading whatever a person writes for a formula: our notation, that of others, or English.

A string that is a formula of our notation (`parse`) is never read in another way. Otherwise the notation of
textbooks and other programs is tried (`foreign`), then English (`sentence_parser`); they are loaded then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from warnings import warn

from kripke_werewolf.base.errors import FormulaError, FormulaSyntaxError
from kripke_werewolf.logic.formulas.names import about_unindexed, doubtful_caret, doubtful_names
from kripke_werewolf.logic.formulas.operators import Atom, Knows, OfAgent
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, OnCondition, asked_formula
from kripke_werewolf.logic.notation.parser import (
    ALL_INDEXED,
    Unindexed,
    indexed_by,
    members_of,
    parse,
    strictly,
)

if TYPE_CHECKING:
    from kripke_werewolf.logic.english.questions import Question
    from kripke_werewolf.logic.english.vocabulary import Vocabulary

_SHORT = 400  # characters of a string for which another reading is suggested
_OF_SEVERAL = "(E: each of them knows; C_ is common and D_ distributed knowledge)"
_NUMBER_LAST = re.compile(r"\b(exactly|atleast|atmost)\(([^;()]+)[;,] *(\d+)\)")
_ONE_WORD = re.compile(r"\s*\w[\w']*\s*")
_WHO = re.compile(r"\s*who\s+knows\s+(?!that\b|whether\b|the\b|who\b)(.*?)\s*\??\s*", re.IGNORECASE)
_CHANCE = re.compile(r"\s*P(?:r(?:ob)?)?(?:_\{?(?P<agent>\w+)\}?)?\s*\((?P<body>.*)\)\s*(?:=\s*)?\??\s*")
ASKING = re.compile(
    r"\s*(?ai:do|does|did|is|are|was|were|has|have|can|could|may|might|must|who|whom|which|what|how)\b"
)
"""The beginnings of questions in English, which formulas do not have."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a string says, and how it was understood.

    `question`: its formula; `given`: the condition on which it is asked, if there is one. `guessed`: whether
    the string might mean something else; `several`: whether an operator of one agent has several, so that E,
    C or D is meant. `text`: the string, if it is in our notation.
    """

    question: Formula
    unindexed: Unindexed
    guessed: bool = False
    several: bool = False
    given: Formula | None = None
    text: str = ""

    @property
    def formula(self) -> Formula:
        """The formula; raises FormulaError for a question on a condition."""
        if self.given is None:
            return self.question
        raise OnCondition(self.question, self.given)

    @property
    def how(self) -> str:
        """One line that says how the string was read, if that is not obvious."""
        return f"read as {self.formula}" if self.guessed else ""

    @property
    def remarks(self) -> list[str]:
        """How it was read, whom operators without an index are about, and names that look like notation."""
        bare = about_unindexed(self.unindexed.signs, self.unindexed.named)
        doubtful = *doubtful_caret(self.text, self.formula), *doubtful_names(self.formula)
        return [remark for remark in (self.how, *bare, *doubtful) if remark]


def understand(
    text: str,
    *,
    agents: Collection[str] | None = None,
    atoms: Collection[str] | None = None,
    groups: Mapping[str, Iterable[object]] | None = None,
    phrases: Mapping[str, str] | None = None,
) -> Understood:
    r"""Read a formula in our notation, in that of others, or in English.

    `agents` and `groups` are as in `parse`, `phrases` as in `to_sentence`. If all `agents` and
    `atoms` are known, English sentences are about them.

    >>> for text in ("AND(p, Kw a q)", r"\square_a p \land \lnot q", "if K_a^2 p then L_b q", "is p true?"):
    ...     print(understand(text).formula)
    p & Kw_a q
    K_a p & ~q
    K_a K_a p -> M_b q
    p
    >>> print(understand("[p & q]K_a p").how)
    read as [!p & q]K_a p

    Raises `FormulaSyntaxError`, with a suggestion if the string can be read and may well mean something else.
    """
    try:
        found = Understood(*strictly(text, agents, groups), text=text)
        parts = found.formula.children
        if " knows " in text and parts[1:] and isinstance(parts[0], OfAgent):
            return replace(found, guessed=True)  # "a knows that p or q": its end is not what is known
        return found
    except FormulaSyntaxError as wrong:
        other = _otherwise(text, agents, atoms, groups, phrases)
        if other is None or other.several:
            raise _explained(wrong, other) from None
        return other


def meanings_of(question: FormulaLike, about: Vocabulary, *given: FormulaLike) -> tuple[Question, ...]:
    """Return the meanings of a formula or a question in English, on some conditions.

    >>> from kripke_werewolf.logic.english.vocabulary import Vocabulary
    >>> about = Vocabulary(("Bo", "Di"), ("wolf_Bo", "wolf_Di"))
    >>> print(*meanings_of("is Di a wolf?", about, "Bo is not a wolf"))
    wolf_Di, if ~wolf_Bo

    Raises `FormulaSyntaxError` for a string that is not understood, and for a condition with two meanings.
    """
    from kripke_werewolf.logic.english.questions import on_condition

    def read(said: FormulaLike) -> Question:
        return read_asked(said, about) if isinstance(said, str) else asked_formula(said, about.agents)

    try:
        found: tuple[Question, ...] = (read(question),)
    except FormulaSyntaxError as error:
        if not (found := getattr(error, "readings", ())):
            raise
    for condition in given:
        found = tuple(on_condition(asked, condition, read) for asked in found)
    return found


@lru_cache(maxsize=1024)
def read_asked(text: str, vocabulary: Vocabulary) -> Question:
    """Read a formula or a question about the names of a game; see `understand` and `read_question`.

    Words of the grammar that are misspelt are read, with a warning that says so.

    >>> from kripke_werewolf.logic.english.vocabulary import Vocabulary
    >>> about = Vocabulary(("Bo", "Di"), ("wolf_Bo", "wolf_Di"))
    >>> print(read_asked("And(Know(Bo, wolf_Di), Not(wolf_Bo))", about))
    K_Bo wolf_Di & ~wolf_Bo
    """
    if text.isascii() and not ASKING.match(text):
        with suppress(FormulaSyntaxError):
            ours = parse(text.rstrip().removesuffix("?"), agents=vocabulary.agents)
            if ours.agents <= {*vocabulary.agents, *dict(vocabulary.numbers)}:
                for remark in doubtful_caret(text, ours):
                    warn(remark, stacklevel=2)
                return ours
    from kripke_werewolf.logic.english.questions import HowLikely, Who
    from kripke_werewolf.logic.english.sentence_parser import SeveralMeanings, read_question, respelt

    if chance := _CHANCE.fullmatch(text):
        with suppress(FormulaSyntaxError):
            agent = chance["agent"] and vocabulary.agent(chance["agent"])
            return HowLikely(agent, parse(chance["body"], agents=vocabulary.agents))
    if who := _WHO.fullmatch(text):
        with suppress(FormulaSyntaxError):
            fact = parse(who[1], agents=vocabulary.agents)
            if vocabulary.agents and {*map(vocabulary.atom, fact.atoms)} <= {*vocabulary.atoms}:
                return Who(tuple((agent, Knows(agent, fact)) for agent in vocabulary.agents))
    try:
        return read_question(text, vocabulary)
    except SeveralMeanings:
        raise
    except FormulaSyntaxError:
        other = _in_other_notation(text, vocabulary.agents, None)
        known = {*vocabulary.agents, *dict(vocabulary.numbers)}, {*vocabulary.atoms}
        if other and not other.several and _names_known(other.formula, *known, vocabulary.atom):
            return other.formula
        if (spelt := respelt(text, vocabulary)) != text:
            with suppress(FormulaSyntaxError):
                found = read_question(spelt, vocabulary)
                warn(f"{text!r} is read as {spelt!r}", stacklevel=2)
                return found
        raise


def suggesting_other(
    wrong: FormulaSyntaxError, agents: Collection[str] | None, groups: Mapping[str, Iterable[object]] | None
) -> FormulaSyntaxError:
    """Return an error of `parse` with the formula that `understand` finds in the string, if it finds one."""
    if wrong.meant or len(wrong.text) > _SHORT:
        return wrong
    return _explained(wrong, _otherwise(wrong.text, agents or (), None, groups))


def _explained(wrong: FormulaSyntaxError, other: Understood | None) -> FormulaSyntaxError:
    if wrong.meant:
        return wrong
    remark = ""
    if other:
        remark = _OF_SEVERAL if other.several else "(kw.understand reads this as it is)"
    elif "|=" in wrong.text or "⊨" in wrong.text:
        remark = "(write the formula alone, and the world as at=…, in a command --at)"
    elif counted := _NUMBER_LAST.search(wrong.text):
        return wrong.explained(counted.expand(r"\1(\3; \2)"))
    elif _ONE_WORD.fullmatch(wrong.text):
        remark = f"(an atom of this name is written in quotes: {json.dumps(wrong.text.strip())})"
    return wrong.explained(str(other.formula) if other else None, remark)


def _otherwise(
    text: str,
    agents: Collection[str] | None,
    atoms: Collection[str] | None,
    groups: Mapping[str, Iterable[object]] | None,
    phrases: Mapping[str, str] | None = None,
) -> Understood | None:
    """Read a string in the notation of others or in English, as its unknown names suggest."""
    other = _in_other_notation(text, agents, groups)
    if other and (atoms is None or _names_known(other.formula, agents or (), atoms, str)):
        return other
    from kripke_werewolf.logic.english.questions import Supposed
    from kripke_werewolf.logic.english.sentence_parser import from_sentence, read_question
    from kripke_werewolf.logic.english.vocabulary import Vocabulary

    with suppress(FormulaError):
        known = None if agents is None or atoms is None else Vocabulary(tuple(agents), tuple(atoms))
        if known is not None:
            with suppress(FormulaError):
                asked = read_question(text, replace(known, phrases=tuple((phrases or {}).items())))
                if isinstance(asked, Supposed) and isinstance(asked.asked, Formula):
                    return Understood(asked.asked, ALL_INDEXED, given=asked.given)
        said = from_sentence(text, phrases=phrases, vocabulary=known)
        if not (isinstance(said, Atom) and _ONE_WORD.fullmatch(text)):
            return Understood(said, ALL_INDEXED)
    return other


def _names_known(
    f: Formula, agents: Collection[str], atoms: Collection[str], called: Callable[[str], str]
) -> bool:
    return f.agents <= {*agents} and {*map(called, f.atoms)} <= {*atoms}


def _in_other_notation(
    text: str, agents: Collection[str] | None, groups: Mapping[str, Iterable[object]] | None
) -> Understood | None:
    from kripke_werewolf.logic.notation.foreign import ForeignParsing

    with suppress(FormulaError):
        reading = ForeignParsing(text, members_of(groups), agents or ())
        found, bare = reading.read()
        return Understood(*indexed_by(text, found, bare, agents), reading.guessed, reading.several)
    return None
