"""Answers to questions: yes or no, who, which worlds, how many, how likely, perhaps on a condition.

Models, puzzles, games and handouts are asked in the same way (`answer_to`): each says how a formula is
answered, and how likely an agent finds it; questions that no single formula answers follow from that. A
condition restricts the worlds that a question is about (`formulas.operators.conditioned`, `chances_on`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.display import Displayed, drawn
from kripke_werewolf.base.errors import CallError, KripkeError
from kripke_werewolf.base.reports.documents import Block, Paragraph
from kripke_werewolf.logic.formulas.operators import TRUE, And, P, Probability, conditioned, within
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, asked_on_condition, joined
from kripke_werewolf.logic.semantics.verdict import NO_WORLD, Verdict, verdict_heading

if TYPE_CHECKING:
    from kripke_werewolf.logic.english.questions import HowLikely, Question, WhatHappened, Who
    from kripke_werewolf.logic.english.vocabulary import Vocabulary
    from kripke_werewolf.logic.semantics.explanation import Explanation

Chances = Mapping[Fraction, int]
"""Probabilities, each with the number of worlds where an agent has it."""


def chances_in_words(chances: Chances) -> str:
    """Return probabilities in words.

    >>> chances_in_words({Fraction(1, 2): 1, Fraction(1, 3): 3})
    '1/2 in 1 of 4 worlds, 1/3 in 3 of 4 worlds'
    """
    if len(chances) == 1:
        return str(*chances)
    total = sum(chances.values())
    return ", ".join(f"{value} in {n} of {total} worlds" for value, n in chances.items())


_MOST_FORMULAS = 3
"""The largest number of formulas in the line that says how a question was read."""


@dataclass(frozen=True, repr=False)
class Answer(Displayed):
    """The answer to a question about a model, a puzzle, a game or a handout.

    `formula`: the question. `verdict`: whether it is true in all, none or some of the worlds asked about; for
    a question about knowledge in a game, of those that its players consider possible. `given`: the condition
    to which they were restricted. In an `if` an answer is true for yes and false for no; any other is an
    error.

    Of a question that asks who, how many or how likely, or that has several readings, `parts` are the
    answers to the formulas that were asked, by name or reading. It counts as the answer to the first part
    that is true, or else to the last one.

    >>> from kripke_werewolf import KripkeModel
    >>> m = KripkeModel.from_partitions("wv", {"Ann": ["wv"], "Bo": [["w"], ["v"]]}, {"p": ["w"]}, "w")
    >>> answer = m.ask("who knows that p?")
    >>> print(answer, answer.names, answer.read_as)
    Bo ('Bo',) K_Ann p, K_Bo p
    """

    formula: Formula
    verdict: Verdict
    asked: Any = field(repr=False, compare=False)
    """What was asked: it has the `model` on which the answer can be checked."""
    given: Formula | None = None
    question: str = field(default="", compare=False)
    parts: tuple[tuple[str, Any], ...] = field(default=(), repr=False, compare=False)
    names: tuple[str, ...] = ()
    """The answers that are certainly right, or those that are most likely."""
    possible: tuple[str, ...] = ()
    """The answers that are right in some of the worlds."""
    chances: Mapping[str, Chances] = field(default_factory=dict, hash=False)
    """The probabilities that were asked for, by formula or answer."""
    none: str = ""
    """The word for no answer, if neither yes nor no was asked for."""
    compared: str = ""
    """How chances were compared, with `{}` for each of them; `{}` alone if one was asked for."""

    @property
    def model(self) -> Any:
        """The model on which it can be checked; of a game also the counted worlds.

        None if several parts of the question were answered separately.
        """
        return self.asked.model

    @property
    def _yes(self) -> bool | None:
        """Whether it is yes; None if it is neither yes nor no."""
        compared = () if self.chances else self.parts
        said = {self.none or self.verdict, *(part.verdict for _, part in compared)}
        return {"true": True, "false": False}.get(" or ".join(sorted(said)))

    def __bool__(self) -> bool:
        if self._yes is None:
            if self.parts:
                instead = "answer.names, .number or .probability"
                raise CallError(f"neither yes nor no, but {self}; write {instead}")
            raise CallError(f"{self}: neither yes nor no; write answer.holds for all worlds")
        return self._yes

    def __eq__(self, other: object) -> bool:
        if isinstance(other, bool):
            return self._yes is other
        compared = [part.name for part in fields(self) if part.compare]
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in compared)

    def __float__(self) -> float:
        for value in (self.probability, self.number):
            if value is not None:
                return float(value)
        return float(str(self))

    @property
    def holds(self) -> bool:
        """Whether the formula is true in every world asked about."""
        return self.verdict == "true"

    @property
    def number(self) -> int | None:
        """The number that was asked for, if it is certain."""
        return int(self.names[0]) if len(self.names) == 1 and self.names[0].isdecimal() else None

    @property
    def probability(self) -> Fraction | None:
        """The probability that was asked for, if it is the same in all worlds."""
        values = {value for chances in self.chances.values() for value in chances}
        return values.pop() if len(values) == 1 else None

    @property
    def said(self) -> str:
        """The formula as text: `K_a p`, or `P_a(p)` if its probability was asked for."""
        return str(self.formula).removesuffix(" >= 0" if self.none else "")

    @property
    def read_as(self) -> str:
        """How the question was read, in one line: its formulas, and the condition."""
        if self.none and self.formula is TRUE:  # the log was asked
            return self.question
        if self.parts and not self.none and not self.chances:
            return " or ".join(reading for reading, _ in self.parts)
        read = [*dict.fromkeys(part.said for _, part in self.parts)] or [self.said]
        if self.compared:
            read = [self.compared.format(*(f if f.startswith("P_") else f"P({f})" for f in read))]
        if len(read) > _MOST_FORMULAS:
            read = [*read[: _MOST_FORMULAS - 1], f"… ({len(read)} formulas)"]
        return ", ".join(read) + ("" if self.given is None else f", if {self.given}")

    def explain(self) -> Explanation:
        """Return the explanation, a tree of checkable reasons; see `KripkeModel.explain`."""
        found: Explanation = self.model.explain(self.formula, given=self.given)
        return found

    @property
    def heading(self) -> str:
        """The formula in mathematical symbols, perhaps on a condition; or the question and its answer."""
        return f"{self.question} {self}" if self.parts else verdict_heading(self.formula, self.given)

    def headline(self) -> str:
        """Return the question and the answer."""
        return self.heading if self.parts else f"{self.heading}: {self}"

    def display(self) -> Iterator[Block]:
        """Yield the line, and the picture of the model, filled where the formula is true."""
        yield Paragraph(self.headline())
        if not self.parts and hasattr(self.model, "draw"):
            yield drawn(self.model, formula=self.formula)

    def __str__(self) -> str:
        if self.none:
            return self._found()
        if self.chances or not self.parts:
            return verdict_in_words(
                self.verdict, self.formula, self.given, getattr(self.asked, "words", None)
            )
        answers = dict.fromkeys(str(answer) for _, answer in self.parts)
        if len(answers) == 1:
            return f"{next(iter(answers))} ({len(self.parts)} readings)"
        return "; ".join(f"{answer} if it means {reading}" for reading, answer in self.parts)

    def _found(self) -> str:
        """Return the names or probabilities that were found."""
        if self.chances and not self.names:
            if len(self.chances) == 1:
                return "".join(map(chances_in_words, self.chances.values()))
            return "; ".join(f"{name}: {chances_in_words(found)}" for name, found in self.chances.items())
        said = ", ".join(self.names)
        best = next((self.chances[name] for name in self.names if name in self.chances), None)
        if best is not None:
            said += f" ({chances_in_words(best)})"
        if not self.possible:
            return said or self.none
        return f"{said or f'{self.none} for certain'}; possibly {', '.join(self.possible)}"


# --- asking ----------------------------------------------------------------------------------------


def answer_of(of: OfModel, question: FormulaLike, given: FormulaLike | None = None) -> Answer:
    """Return the answer to a formula, or a question in English, perhaps on a condition."""
    from kripke_werewolf.logic.notation.reading import meanings_of

    conditions = () if given is None else (given,)
    return answer_to(of, str(question), meanings_of(question, of.words, *conditions))


def answer_to(of: OfModel, question: str, meant: Sequence[Question]) -> Answer:
    """Return the answer to a question that was read; `meant`: its readings."""
    answers = [_answer(of, question, one) for one in meant]
    if len(answers) == 1:
        return answers[0]
    return _over(question, tuple((answer.read_as, answer) for answer in answers), given=None)


def _answer(of: OfModel, question: str, asked: Question) -> Answer:
    if isinstance(asked, Formula):
        return of.answer(asked, None)
    from kripke_werewolf.logic.english.questions import WhatHappened, Who, parted

    plain, given = parted(asked)
    if isinstance(plain, Formula):
        return of.answer(plain, given)
    if isinstance(plain, WhatHappened):
        return _over(question, (("", of.answer(TRUE, None)),), **of.happened(plain))
    parts: dict[Formula, Answer] = {}

    def verdict_of(f: Formula) -> Verdict:
        parts[f] = of.answer(f, given)
        return parts[f].verdict

    def chances_of(agent: str | None, f: Formula) -> Chances:
        parts[f] = of.chances(agent, f, given)
        return parts[f].chances[""]

    found = found_for(plain, verdict_of, chances_of, of.words.agents)
    named = plain.answers if isinstance(plain, Who) else [(str(f), f) for f in parts]
    return _over(question, tuple((name, parts[f]) for name, f in named), given=given, **found)


def _over(question: str, parts: tuple[tuple[str, Answer], ...], **found: Any) -> Answer:
    """Return the answer that rests on some parts."""
    shown = next((answer for _, answer in parts if answer.holds), parts[-1][1])
    plain = {"names": (), "possible": (), "chances": {}, "none": ""}
    return replace(shown, question=question, parts=parts, **{**plain, **found})


@dataclass(frozen=True)
class OfModel:
    """A model that is asked, with the names and words of its questions; the base of others that can be."""

    model: Any
    words: Vocabulary

    def answer(self, f: Formula, given: Formula | None) -> Answer:
        """Return the answer to a formula, perhaps on a condition."""
        return Answer(f, self.model.verdict(f, given=given), self, given)

    def chances(self, agent: str | None, f: Formula, given: Formula | None) -> Answer:
        """Return the probabilities that an agent gives to a formula; of a game also the share of its worlds.

        There are none if no world has the condition. Raises KripkeError for a model without an agent.
        """
        if agent is None:
            remedy = 'ask "how likely is it for AGENT that …"'
            raise KripkeError(f"in a model only agents have probabilities: {remedy}")
        values = self.model.probabilities(agent, f, **({} if given is None else {"given": given}))
        return Answer(P(agent, f) >= 0, Verdict.of(1, 1), self, given, chances={"": values}, none=NO_WORLD)

    def happened(self, asked: WhatHappened) -> dict[str, Any]:
        """Return worlds, their number, or those that an agent considers possible; of a game its events."""
        if asked.kind in ("where", "counted"):
            worlds = self.model.where(asked.of(""))
            found = worlds if asked.kind == "where" else [len(worlds)]
            return {"names": tuple(map(str, found)), "none": "none"}
        if asked.kind != "cells":
            raise KripkeError("nothing has happened in a model; what happens is in the log of a game")
        (agent,) = asked.agents
        seen = [{*self.model.successors(agent, at=world)} for world in self.model.designated]
        some, sure = set[Any]().union(*seen), set.intersection(*seen)
        in_order = [world for world in self.model.worlds if world in some]
        return {
            "names": tuple(str(world) for world in in_order if world in sure),
            "possible": tuple(str(world) for world in in_order if world not in sure),
            "none": "none",
        }


def asked_of_model(
    space: Any, f: FormulaLike, given: FormulaLike | None, actions: Mapping[str, Any] | None
) -> tuple[Formula, Formula | None]:
    """Return a query as it is asked on its condition, and where, if it has one; see `conditioned`."""
    asked, where = asked_on_condition(f, given, space.relations, space.atoms)
    named = actions or {}
    if where is None:
        return asked.bind(**named), None
    ordered = [agent for agent in asked.agents if agent in space.relations and space.ranks(agent)]
    return conditioned(asked.bind(**named), where.bind(**named), ordered)


def verdict_in_words(verdict: Verdict, f: Formula, given: Formula | None, words: Any = None) -> str:
    """Return the answer to a question, perhaps on a condition, in the words of a vocabulary.

    >>> from kripke_werewolf import Atom, Knows
    >>> print(verdict_in_words(Verdict.of(1, 4), Atom("dead_Bo"), Atom("seer_Bo")))
    in 1 of 4 of the worlds where Bo is a seer
    >>> print(verdict_in_words(Verdict.of(0, 4), Knows("Ann", "p"), Atom("p")))
    no (as things are: nobody learns the condition)
    """
    if given is None or verdict == "none":
        return verdict.in_words()
    said = verdict.in_words(mixed="in {} of {} of the worlds")
    if verdict == "mixed":
        from kripke_werewolf.logic.english.sentences import clause

        parts = given.children if isinstance(given, And) else (given,)
        said += f" where {' and '.join(clause(part, words=words) for part in parts)}"
    asked = (part for part in f.ordered(joined) if part.agents and not joined(part))
    if any(within(given, part)[0] is part for part in asked):
        said += " (as things are: nobody learns the condition)"
    return said


def chances_on(given: Formula, chances_of: Callable[[Formula], Chances], f: Formula) -> Chances:
    """Return the probability of a formula in those worlds of an agent where a condition holds.

    Empty if there are none. Raises KripkeError if it is not the same for all worlds.
    """
    both, alone = chances_of(f & given), chances_of(given)
    if len(both) > 1 or len(alone) > 1:
        raise KripkeError(f"not in all worlds has {given} the same probability, on which {f} depends")
    ((part, worlds),), (whole,) = both.items(), alone
    return {part / whole: worlds} if whole else {}


def found_for(
    asked: Who | HowLikely,
    verdict_of: Callable[[Formula], Verdict],
    chances: Callable[[str | None, Formula], Chances],
    agents: Iterable[str],
) -> dict[str, Any]:
    """Return the fields of the answer to an open question about some agents, that were found.

    `verdict_of`: whether a formula is true in all, some or none of the worlds; `chances`: the probabilities
    that an agent gives it, see `OfModel`.
    """
    from kripke_werewolf.logic.english.questions import HowLikely

    if isinstance(asked, HowLikely):
        bodies = [f for f in (asked.body, asked.other) if f is not None]
        shares = {str(f): chances(asked.agent, f) for f in bodies}
        if not all(shares.values()):
            return {"none": NO_WORLD}
        if not asked.relation:
            return {"chances": shares, "none": NO_WORLD, "compared": "{}"}
        first, *second = (next(iter(share)) for share in shares.values())
        holds = Probability.comparisons[asked.relation].holds(first - sum(second), asked.bound)
        compared = f"{{}} {asked.relation} {'{}' if second else asked.bound}"
        return {"chances": shares, "verdict": Verdict.of(int(holds), 1), "compared": compared}
    if asked.ranked:
        by_name = {name: chances(asked.viewer, f) for name, f in asked.answers}
        if not all(by_name.values()):
            return {"none": NO_WORLD}
        if asked.ranked > 1:
            return {"chances": by_name, "none": "nobody"}
        best = max(asked.ranked * value for share in by_name.values() for value in share)
        names = tuple(name for name, share in by_name.items() if asked.ranked * best in share)
        return {"names": names, "chances": by_name, "none": "nobody"}
    verdicts = {name: verdict_of(f) for name, f in asked.answers}
    if "none" in verdicts.values():
        return {"none": NO_WORLD}
    return {
        "names": tuple(name for name, verdict in verdicts.items() if verdict == "true"),
        "possible": tuple(name for name, verdict in verdicts.items() if verdict == "mixed"),
        "none": "nobody" if {*agents} >= verdicts.keys() else "none",
    }
