"""Answers to questions that no single formula answers: who, how many, how likely, and on which condition.

They are found from the verdicts of formulas and the probabilities of agents, so that models, games and
handouts answer them in the same way. A condition restricts the worlds that a question is about
(`formulas.operators.conditioned`, `chances_on`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.logic.formulas.operators import And, Probability, conditioned, within
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, asked_on_condition, joined
from kripke_werewolf.logic.semantics.verdict import NO_WORLD, Verdict

if TYPE_CHECKING:
    from kripke_werewolf.logic.english.questions import HowLikely, Who

Chances = Mapping[Fraction, int]
"""Probabilities, each with the number of worlds where an agent has it."""


@dataclass(frozen=True)
class FoundAnswers:
    """What was found for an open question.

    `names`: the answers that are certainly right, or the most likely ones; `possible`: those that are right
    in some worlds. `chances`: the probabilities asked for, by formula or answer. `holds`: whether a
    comparison of probabilities is true.
    """

    names: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    chances: Mapping[str, Chances] = field(default_factory=dict)
    holds: bool | None = None
    none: str = "nobody"
    """The word for no answer."""

    @property
    def probability(self) -> Fraction | None:
        """The probability asked for, if there is exactly one."""
        values = {value for chances in self.chances.values() for value in chances}
        return values.pop() if len(values) == 1 else None

    def __str__(self) -> str:
        if self.holds is not None:
            return "yes" if self.holds else "no"
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


def chances_in_words(chances: Chances) -> str:
    """Return probabilities in words.

    >>> chances_in_words({Fraction(1, 2): 1, Fraction(1, 3): 3})
    '1/2 in 1 of 4 worlds, 1/3 in 3 of 4 worlds'
    """
    if len(chances) == 1:
        return str(*chances)
    total = sum(chances.values())
    return ", ".join(f"{value} in {n} of {total} worlds" for value, n in chances.items())


def asked_of_model(
    space: Any, f: FormulaLike, given: FormulaLike | None, actions: Mapping[str, Any] | None
) -> tuple[Formula, Formula | None]:
    """Return a query as it is asked on its condition, and where, if it has one; see `conditioned`."""
    asked, where = asked_on_condition(f, given, space.relations, space.valuation)
    named = actions or {}
    if where is None:
        return asked.bind(**named), None
    return conditioned(asked.bind(**named), where.bind(**named))


def verdict_in_words(verdict: Verdict, f: Formula, given: Formula | None) -> str:
    """Return the answer to a question, perhaps on a condition.

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
        said += f" where {' and '.join(map(clause, parts))}"
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
    chances_of: Callable[[str, Formula], Chances],
    agents: Iterable[str],
) -> FoundAnswers:
    """Return the answer to an open question about some agents.

    `verdict_of`: whether a formula is true in all, some or none of the worlds; `chances_of`: the
    probabilities that an agent gives it. Without an agent the share of the worlds is taken.
    """
    from kripke_werewolf.logic.english.questions import HowLikely

    def chances(agent: str | None, f: Formula) -> Chances:
        if agent is not None:
            return chances_of(agent, f)
        verdict = verdict_of(f)
        if verdict == "none":
            return {}
        return {verdict.fraction: verdict.total}

    if isinstance(asked, HowLikely):
        bodies = [f for f in (asked.body, asked.other) if f is not None]
        shares = {str(f): chances(asked.agent, f) for f in bodies}
        if not all(shares.values()):
            return FoundAnswers(none=NO_WORLD)
        if not asked.relation:
            return FoundAnswers(chances=shares)
        first, *second = (next(iter(share)) for share in shares.values())
        holds = Probability.comparisons[asked.relation].holds(first - asked.factor * sum(second), asked.bound)
        return FoundAnswers(chances=shares, holds=holds)
    if asked.ranked:
        by_name = {name: chances(asked.viewer, f) for name, f in asked.answers}
        if not all(by_name.values()):
            return FoundAnswers(none=NO_WORLD)
        if asked.ranked > 1:
            return FoundAnswers(chances=by_name)
        best = max(asked.ranked * value for share in by_name.values() for value in share)
        return FoundAnswers(
            tuple(name for name, share in by_name.items() if asked.ranked * best in share), (), by_name
        )
    verdicts = {name: verdict_of(f) for name, f in asked.answers}
    if "none" in verdicts.values():
        return FoundAnswers(none=NO_WORLD)
    return FoundAnswers(
        tuple(name for name, verdict in verdicts.items() if verdict == "true"),
        tuple(name for name, verdict in verdicts.items() if verdict == "mixed"),
        none="nobody" if {*agents} >= verdicts.keys() else "none",
    )
