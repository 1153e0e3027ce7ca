"""Answers to questions that no single formula answers: who, how many, how likely.

They are found from the verdicts of formulas and the probabilities of agents, so that models, games and
handouts answer them in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.logic.english.questions import HowLikely, Who
from kripke_werewolf.logic.formulas.operators import Probability
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.verdict import Verdict

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


def found_for(
    asked: Who | HowLikely,
    verdict_of: Callable[[Formula], Verdict],
    chances_of: Callable[[str, Formula], Chances],
    agents: Iterable[str],
) -> FoundAnswers:
    """Return the answer to an open question about some agents.

    `verdict_of`: whether a formula is true in all, some or none of the worlds; `chances_of`: the
    probabilities that an agent gives it. Without an agent the share of the worlds is taken. Raises
    KripkeError for a condition that is impossible, or if it is not the same for all worlds.
    """

    def chances(agent: str | None, f: Formula) -> Chances:
        if agent is not None:
            return chances_of(agent, f)
        verdict = verdict_of(f)
        return {verdict.fraction: verdict.total}

    def supposed(agent: str | None, f: Formula, given: Formula | None) -> Chances:
        if given is None:
            return chances(agent, f)
        both, alone = chances(agent, f & given), chances(agent, given)
        if len(both) > 1 or len(alone) > 1:
            raise KripkeError(f"{agent} does not give {given} the same probability in all worlds")
        ((part, worlds),), (whole,) = both.items(), alone
        if whole == 0:
            raise KripkeError(f"{given} is impossible, so no probability on this condition is defined")
        return {part / whole: worlds}

    if isinstance(asked, HowLikely):
        bodies = [f for f in (asked.body, asked.other) if f is not None]
        shares = {str(f): supposed(asked.agent, f, asked.given) for f in bodies}
        if not asked.relation:
            return FoundAnswers(chances=shares)
        first, *second = (next(iter(share)) for share in shares.values())
        holds = Probability.comparisons[asked.relation].holds(first - asked.factor * sum(second), asked.bound)
        return FoundAnswers(chances=shares, holds=holds)
    if asked.ranked:
        by_name = {name: chances(asked.viewer, f) for name, f in asked.answers}
        if asked.ranked > 1:
            return FoundAnswers(chances=by_name)
        best = max(asked.ranked * value for share in by_name.values() for value in share)
        return FoundAnswers(
            tuple(name for name, share in by_name.items() if asked.ranked * best in share), (), by_name
        )
    verdicts = {name: verdict_of(f) for name, f in asked.answers}
    return FoundAnswers(
        tuple(name for name, verdict in verdicts.items() if verdict == "true"),
        tuple(name for name, verdict in verdicts.items() if verdict == "mixed"),
        none="nobody" if {*agents} >= verdicts.keys() else "none",
    )
