"""The answers to questions about a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

from kripke_werewolf.display import Displayed, drawn
from kripke_werewolf.errors import CallError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.documents import Block, Paragraph
from kripke_werewolf.semantics.answers import FoundAnswers
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.settings import check_possible
from kripke_werewolf.werewolf.superposition import Superposition

if TYPE_CHECKING:
    from kripke_werewolf.semantics.explanation import Explanation
    from kripke_werewolf.symbolic.structure import SymbolicStructure

Answering: TypeAlias = Literal["auto", "explicit", "symbolic"]
Reading: TypeAlias = Literal["facts", "exact"]
"""Whether to ask engines that use facts only, or those that use everything that follows."""


def reading_of(word: str) -> Reading:
    """Return a reading by its name; `table` is the old name of `exact`."""
    meant: Any = {"table": "exact"}.get(word, word)
    if meant not in ("facts", "exact"):
        check_possible("reading", meant, get_args(Reading))
    return meant  # type: ignore[no-any-return]


def reading_in_words(reading: Reading, *, more: bool) -> str:
    """Return the reading that an answer rests on; `more`: whether what was announced may say more.

    >>> reading_in_words("facts", more=True)
    'reading: facts; what was announced may say more (reading: exact)'
    """
    found = f"reading: {reading}"
    return f"{found}; what was announced may say more (reading: exact)" if more else found


class Asked(Protocol):
    """A question about a game, with what it takes to give reasons for its answer."""

    @property
    def knowers(self) -> frozenset[str] | None:
        """The players from whose information alone the answer follows; None if it is about facts."""

    def explanation(self, verdict: Verdict, shown: object) -> Explanation:
        """Return the explanation of an answer; `shown`: the model it was found on, if there is one."""

    def reasons(self) -> tuple[str, ...]:
        """Return the news and entries of tables on which a positive answer rests, if they are found."""


@dataclass(frozen=True, repr=False)
class Answer(Displayed):
    """The answer to a question about a game.

    `formula`: the question, players by name. `verdict`: whether it is true in all, none or some of the
    surviving worlds; for a question about knowledge alone, of the worlds that those players consider
    possible. `model`: the Kripke model or knowledge structure it was evaluated on, or the superposition if
    worlds were only counted; None if several parts of the question were answered separately. In an `if` an
    answer is true for yes and false for no; any other is an error.
    """

    formula: Formula
    verdict: Verdict
    model: KripkeModel | SymbolicStructure | Superposition | None
    asked: Asked = field(repr=False, compare=False)
    """The question about the game."""
    reading: Reading = "facts"
    """How published tables were read."""
    more: bool = False
    """Whether a published table may imply more than was used for a negative answer."""
    sampled: str = ""
    """The part of the worlds it refers to, if the game is played on a sample; else ""."""
    empty: bool = False
    """Whether it is true because no condition in it ever is: "the dead know …" while all are alive."""

    @property
    def _yes(self) -> bool | None:
        """Whether it is yes; None if it is neither yes nor no."""
        return None if self.verdict == "mixed" else self.holds

    def __bool__(self) -> bool:
        if self._yes is None:
            raise CallError(f"{self}: neither yes nor no; write answer.holds for all worlds")
        return self._yes

    def __eq__(self, other: object) -> bool:
        if isinstance(other, bool):
            return self._yes is other
        compared = [part.name for part in fields(self) if part.compare]
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in compared)

    @property
    def holds(self) -> bool:
        """Whether the formula is true in every surviving world."""
        return self.verdict == "true"

    @property
    def note(self) -> str:
        """The reading used for the answer, in words.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").vision("Ann", "Bo")
        >>> game.end_phase().ask("K_Ann wolf_Cy").note
        'reading: facts; what was announced may say more (reading: exact)'
        """
        return reading_in_words(self.reading, more=self.more)

    def explain(self) -> Explanation:
        """Return the explanation, a tree of checkable reasons; see `KripkeModel.explain`.

        If the worlds of all players in question are too many, it is given by fewer worlds: those that fit the
        information of one player, of a group, or of the public. Raises GameError if these do not suffice, and
        if the `timeout` of the question is over.
        """
        return self.asked.explanation(self.verdict, self.model)

    def reasons(self) -> tuple[str, ...]:
        """Return the news and table entries on which a positive answer about knowledge rests, if found."""
        return self.asked.reasons() if self.holds and self.asked.knowers else ()

    def headline(self) -> str:
        """Return the question and the answer."""
        return f"{self.formula.unicode()}: {self}"

    def display(self) -> Iterator[Block]:
        """Yield the line, and the picture of the model, filled where the formula is true."""
        yield Paragraph(self.headline())
        if isinstance(self.model, KripkeModel):
            yield drawn(self.model, formula=self.formula)

    def __str__(self) -> str:
        text = "yes" if self.holds else "no"
        if self.verdict == "mixed":
            text = f"in {self.verdict.satisfied} of {self.verdict.total} worlds"
        text += ", since it is about nobody: its condition is never true" if self.empty else ""
        return f"{text} ({self.sampled})" if self.sampled else text


@dataclass(frozen=True, repr=False, eq=False)
class OpenAnswer(Answer):
    """The answer to a question that asks who, how many or how likely, or that has several readings.

    `parts`: the answer to each formula that was asked, by name, number or reading. `found`: what they say
    together. It counts as the answer to the first part that is true, or else to the last one.
    """

    question: str = ""
    parts: tuple[tuple[str, Answer], ...] = field(default=(), repr=False)
    found: FoundAnswers | None = None

    @property
    def _yes(self) -> bool | None:
        said = {str(self)} if self.found else {str(answer) for _, answer in self.parts}
        return said == {"yes"} if said in ({"yes"}, {"no"}) else None

    def __bool__(self) -> bool:
        if self._yes is None:
            raise CallError(f"neither yes nor no, but {self}; write answer.names, .number or .probability")
        return self._yes

    def __float__(self) -> float:
        value = self.number if self.probability is None else self.probability
        return float(str(self) if value is None else value)

    @property
    def names(self) -> tuple[str, ...]:
        """The answers that are certainly right, or those that are most likely."""
        return self.found.names if self.found else ()

    @property
    def possible(self) -> tuple[str, ...]:
        """The answers that are right in some of the worlds."""
        return self.found.possible if self.found else ()

    @property
    def number(self) -> int | None:
        """The number that was asked for, if it is certain."""
        return int(self.names[0]) if len(self.names) == 1 and self.names[0].isdecimal() else None

    @property
    def probability(self) -> Fraction | None:
        """The probability that was asked for, if it is the same in all worlds."""
        return self.found.probability if self.found else None

    def headline(self) -> str:
        """Return the question and the answer."""
        return f"{self.question} {self}"

    def display(self) -> Iterator[Block]:
        """Yield the line."""
        yield Paragraph(self.headline())

    def __str__(self) -> str:
        if self.found is not None:
            return str(self.found)
        answers = dict.fromkeys(str(answer) for _, answer in self.parts)
        if len(answers) == 1:
            return f"{next(iter(answers))} ({len(self.parts)} readings)"
        return "; ".join(f"{answer} if it means {reading}" for reading, answer in self.parts)
