"""What questions in English mean: the names they are about, and questions that no single formula answers.

The values of parts of sentences are here too: a predicate says something of each agent, a quantity says of
how many agents it holds, and alternatives are the possible answers to "who is …" or "which role …".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, group_of
from kripke_werewolf.language.operators import Mode, Scope, conjunction, disjunction, modal


class MoveWords(NamedTuple):
    """The words for a move, and the atoms about it: `attacked_Ann_Bo`, in night 1 `attacked_Ann_Bo_1`.

    With a result the atom ends in it: `saw_Ann_Bo_good`.
    """

    stem: str
    base: str
    """The base form of the verb: `attack`."""
    past: str
    """The past, which is the participle as well: `attacked`."""
    results: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that may occur in a sentence: those of a model or of a game.

    `agents`: names that may consist of several words, or look like words of sentences; they are recognised
    wherever a name may stand. `atoms`: all atoms. `numbers`: the names of agents that also have a number
    ("player 2"). `facts`: further words for facts, with the fact each stands for: with `evil` for `wolf`, "Di
    is evil" is `wolf_Di`. `single`: the stems of facts that exactly one agent has, who can be called by them:
    "the seer is dead". `moves`: what agents may have done to others. `asker`: the agent who says "I".
    `first_night`: the number of the first night.
    """

    agents: tuple[str, ...]
    atoms: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    single: tuple[str, ...] = ()
    moves: tuple[MoveWords, ...] = ()
    asker: str = ""
    first_night: int = 1

    def agent(self, name: str) -> str:
        """Return the name of an agent who may be given by a number."""
        return name if name in self.agents else dict(self.numbers).get(name, name)

    def atom(self, name: str) -> str:
        """Return the name of an atom about an agent who may be given by a number: `wolf_Ann` for `wolf_1`."""
        stem, _, agent = name.partition("_")
        return name if name in self.atoms or not agent else f"{stem}_{self.agent(agent)}"


# --- questions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Who:
    """A question with several possible answers: "who knows that …", "how many wolves are left".

    `answers`: the possible answers, each with the formula that it is right. `ranked`: 1 if the most likely
    of them is asked for, -1 if the least likely, 0 if those that are right; `viewer`: for whom it is likely.
    """

    answers: tuple[tuple[str, Formula], ...]
    ranked: int = 0
    viewer: str | None = None

    def of(self, answer: str) -> Formula:
        """Return the formula for an answer: for "who" the name of an agent."""
        return dict(self.answers)[answer]


@dataclass(frozen=True, slots=True)
class HowLikely:
    """The question how likely an agent holds something, or two things; without an agent, how likely it is.

    `given`: what is supposed; `relation` and `bound`: the comparison if the question is whether it is as
    likely as that, or how two things compare.
    """

    agent: str | None
    body: Formula
    other: Formula | None = None
    given: Formula | None = None
    relation: str = ""
    bound: Fraction = Fraction(0)

    def compared(self, relation: str, bound: Fraction) -> Question:
        """Return the question how it compares with a bound, which is a formula for an agent."""
        found = HowLikely(None, self.body, self.other, self.given, relation, bound)
        return found if self.agent is None else found.of(self.agent)

    def of(self, agent: str) -> Formula:
        """Return the comparison as a formula about what an agent holds.

        >>> asked = HowLikely(None, s.Atom("p"), given=s.Atom("q"))
        >>> print(asked.compared(">=", Fraction(1, 2)).of("a"))
        P_a(p & q) - 1/2*P_a(q) >= 0
        """
        terms = [(Fraction(1), agent, self.body)]
        if self.other is not None:
            terms.append((Fraction(-1), agent, self.other))
        if self.given is None:
            return s.Probability(terms, self.relation, self.bound)
        terms = [(factor, agent, f & self.given) for factor, _, f in terms]
        return s.Probability([*terms, (-self.bound, agent, self.given)], self.relation, 0)


Question: TypeAlias = Formula | Who | HowLikely


def formulas_in(asked: Question) -> list[Formula]:
    """Return the formulas that a question consists of."""
    if isinstance(asked, Who):
        return [f for _, f in asked.answers]
    if isinstance(asked, HowLikely):
        return [f for f in (asked.body, asked.other, asked.given) if f is not None]
    return [asked]


def _changed(asked: Formula | Who, change: Callable[[Formula], Formula | None]) -> Formula | Who | None:
    """Return a question with its formula, or those of its answers, changed; None if one cannot be."""
    if isinstance(asked, Formula):
        return change(asked)
    found = [(answer, changed) for answer, f in asked.answers if (changed := change(f)) is not None]
    return replace(asked, answers=tuple(found)) if len(found) == len(asked.answers) else None


def in_view_of(viewer: str, asked: Question) -> Question | None:
    """Return a question about what may be or how likely it is, in the view of an agent; None for another."""

    def seen(f: Formula) -> Formula | None:
        if not isinstance(f, s.Somewhere | s.Everywhere):
            return None
        return (s.Possible if isinstance(f, s.Somewhere) else s.Knows)(viewer, f.body)

    if isinstance(asked, HowLikely):
        own = replace(asked, agent=viewer)
        return None if asked.agent else own.compared(asked.relation, asked.bound) if asked.relation else own
    if isinstance(asked, Who) and asked.ranked:
        return replace(asked, viewer=viewer)
    return _changed(asked, seen)


def supposing(condition: Formula, asked: Question) -> Question | None:
    """Return a question under a condition: how likely something is then, and whether or who it may be."""

    def supposed(f: Formula) -> Formula:
        if isinstance(f, s.Somewhere):
            return s.Somewhere(condition & f.body)
        return (
            s.Everywhere(s.Implies(condition, f.body))
            if isinstance(f, s.Everywhere)
            else s.Implies(condition, f)
        )

    if isinstance(asked, HowLikely):
        return replace(asked, given=condition) if asked.given is None else None
    return None if isinstance(asked, Who) and asked.ranked else _changed(asked, supposed)


# --- the values of parts -------------------------------------------------------------------------

HIM = "\0"
"""The agent that a pronoun stands for, until it is known."""


@dataclass(frozen=True, eq=False)
class Predicate:
    """What is said of an agent; None where it cannot be said of them.

    `denies`: the predicate of which it is the negation; `unique`: whether it is true of exactly one agent.
    """

    of: Callable[[str], Formula | None]
    denies: Predicate | None = None
    unique: bool = False

    def negated(self) -> Predicate:
        """Return the predicate that it is not so."""

        def denied(agent: str) -> Formula | None:
            said = self.of(agent)
            of_fact = isinstance(said, s.Not) and isinstance(said.body, s.Atom)
            return None if said is None else said.body if of_fact else ~said  # type: ignore[attr-defined]

        return Predicate(denied, self)

    def each(self, agents: Iterable[str]) -> list[tuple[str, Formula]]:
        """Return the formula for each agent of whom it can be said; a pronoun in it stands for them."""
        said = ((agent, self.of(agent)) for agent in agents)
        return [(agent, with_pronoun(found, agent)) for agent, found in said if found is not None]


def with_pronoun(f: Formula, agent: str) -> Formula:
    """Return a formula where a pronoun stands for an agent."""
    if HIM not in f.agents and not any(HIM in atom for atom in f.atoms):
        return f
    return f.rename(
        agents=lambda name: agent if name == HIM else name, atoms=lambda name: name.replace(HIM, agent)
    )


Amount: TypeAlias = Literal["each", "some", "none", "not all", "atleast", "atmost", "exactly", "together"]


@dataclass(frozen=True, eq=False)
class Quantity:
    """The subject of a predicate: an amount of some agents, all or those of whom `among` is true.

    `listed`: whether they are named, as in "Ann and Bo", so that "Ann and Bo do not know" means neither.
    """

    amount: Amount
    agents: tuple[str, ...]
    among: Predicate | None = None
    number: int = 0
    listed: bool = False

    def of(self, said: Predicate) -> list[Formula]:
        """Return the readings of a predicate said of them: two for "everyone is not dead"."""
        found = self._of(said)
        if self.amount == "each" and not self.listed and said.denies is not None:
            every = self._of(said.denies)
            return [f for f in (found, None if every is None else ~every) if f is not None]
        return [] if found is None else [found]

    def _of(self, said: Predicate) -> Formula | None:
        if self.listed and len(self.agents) == 1:
            return said.of(self.agents[0])
        parts = said.each(self.agents)
        if not parts or (self.listed and len(parts) < len(self.agents)):
            return None
        if self.among is None:
            return self._joined([f for _, f in parts])
        inside = [(self.among.of(agent), f) for agent, f in parts]
        if self.amount in ("each", "not all"):
            return self._joined([s.Implies(one, f) for one, f in inside if one is not None])
        return self._joined([one if f in (one, s.TRUE) else one & f for one, f in inside if one is not None])

    def _joined(self, parts: list[Formula]) -> Formula | None:
        together_only = {"some": s.Everywhere, "each": s.Somewhere}.get(self.amount)
        if self.listed and together_only and all(isinstance(part, together_only) for part in parts):
            # "Ann or Bo must be a wolf", "Ann and Bo may be wolves": said of the two together, not of each
            said = self._joined([part.children[0] for part in parts])
            return None if said is None else together_only(said)
        match self.amount:
            case "each" | "some":
                return together(parts, Scope.EACH if self.amount == "each" else Scope.SOME)
            case "none" if self.listed:
                return conjunction(~part for part in parts)
            case "none":
                return ~together(parts, Scope.SOME)
            case "not all":
                return ~together(parts, Scope.EACH)
            case "together":
                return pooled(parts)
        return s.Count(self.amount, self.number, *parts)


def together(parts: Sequence[Formula], scope: Scope) -> Formula:
    """Return the conjunction or disjunction of what is said of each of several agents.

    What they all know, or one of them knows, is the operator of that scope.
    """
    first = parts[0]
    if isinstance(first, s.Modal) and first.scope is Scope.AGENT:
        alike = all(isinstance(part, type(first)) and part.children == first.children for part in parts)
        kind = modal(scope, first.mode)
        if alike and kind is not None:
            return kind._make(group_of([agent for part in parts for agent in part.label]), first.children)
    return disjunction(parts) if scope is Scope.SOME else conjunction(parts)


def pooled(parts: Sequence[Formula]) -> Formula | None:
    """Return the knowledge of several agents together, from what is said of each; None for anything else.

    >>> print(pooled([~s.Knows("a", "p"), ~s.Knows("b", "p")]))
    ~D_{a,b} p
    """
    first = parts[0]
    if isinstance(first, s.Modal) and first.scope is Scope.AGENT:
        known = together(parts, Scope.MEET)
        return known if isinstance(known, s.Modal) else None
    if not isinstance(first, s.Not | s.And | s.Or) or any(type(part) is not type(first) for part in parts):
        return None
    if any(len(part.children) != len(first.children) for part in parts):
        return None
    below = [pooled(alike) for alike in zip(*(part.children for part in parts), strict=True)]
    return None if None in below else first.with_children(part for part in below if part is not None)


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The possible answers to an indirect question, for the agent who knows the answer.

    `exclusive`: exactly one of them is right, so that who knows one answer knows the answer; of other
    questions one must know of every alternative whether it is right.
    """

    of: Callable[[str], Sequence[tuple[str, Formula]]]
    exclusive: bool = True

    def known(self) -> Predicate:
        """Return the predicate of knowing the answer."""
        kind = modal(Scope.AGENT, Mode.BOX if self.exclusive else Mode.WHETHER)
        join = disjunction if self.exclusive else conjunction
        assert kind is not None

        def known(agent: str) -> Formula | None:
            found = [with_pronoun(f, agent) for _, f in self.of(agent)]
            return join(kind._make((agent,), (f,)) for f in found) if found else None

        return Predicate(known)
