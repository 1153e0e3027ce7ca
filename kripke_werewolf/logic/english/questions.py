"""What questions in English mean, if no single formula answers them.

The values of parts of sentences are here too: a predicate says something of each agent, a quantity says of
how many agents it holds, and alternatives are the possible answers to "who is …" or "which role …".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal, TypeAlias

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import Mode, Scope, conjunction, disjunction, modal, within
from kripke_werewolf.logic.formulas.syntax import Formula, group_of

# --- questions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Who:
    """A question with several possible answers: "who knows that …", "how many wolves are left".

    `answers`: the possible answers, each with the formula that it is right. `ranked`: 1 if the most likely
    of them is asked for, -1 if the least likely, 2 if the chances of all, 0 if those that are right;
    `viewer`: for whom it is likely.
    """

    answers: tuple[tuple[str, Formula], ...]
    ranked: int = 0
    viewer: str | None = None

    def of(self, answer: str) -> Formula:
        """Return the formula for an answer: for "who" the name of an agent."""
        return dict(self.answers)[answer]


@dataclass(frozen=True)
class WhatHappened(Who):
    """The question what has happened: `kind` is `deaths`, `votes`, `moves`, a move, or empty for everything.

    With `counted` it asks in how many worlds that are left the formula of its only answer is true, with
    `where` in which of them, with `cells` which of them an agent considers possible.

    `agents`: who made the moves, or whom anything else was about; nobody for all. `when`: `night 1`,
    `night last`, `day 2`, or empty for the whole game.
    """

    answers: tuple[tuple[str, Formula], ...] = ()
    kind: str = ""
    agents: tuple[str, ...] = ()
    when: str = ""


@dataclass(frozen=True, slots=True)
class HowLikely:
    """The question how likely an agent finds something, or two things; without an agent, how likely it is.

    `relation` and `bound`: the comparison if the question is whether it is as likely as that.
    """

    agent: str | None
    body: Formula
    other: Formula | None = None
    relation: str = ""
    bound: Fraction = Fraction(0)

    @property
    def settled(self) -> Question:
        """The question as a formula if it is a comparison for an agent; else the question itself."""
        return self.of(self.agent) if self.agent and self.relation else self

    def of(self, agent: str) -> Formula:
        """Return the comparison as a formula about the probabilities of an agent.

        >>> print(HowLikely(None, s.Atom("p"), s.Atom("q"), ">=").of("a"))
        P_a(p) - P_a(q) >= 0
        """
        other = [] if self.other is None else [(Fraction(-1), agent, self.other)]
        return s.Probability([(Fraction(1), agent, self.body), *other], self.relation, self.bound)


@dataclass(frozen=True, slots=True)
class Supposed:
    """A question on a condition, which is asked of those worlds only where `given` is true.

    A formula `p -> q` is something else: it is true wherever p is false.
    """

    asked: Formula | Who | HowLikely
    given: Formula

    def __str__(self) -> str:
        return f"{self.asked}, if {self.given}"


Question: TypeAlias = Formula | Who | HowLikely | Supposed


def parted(asked: Question) -> tuple[Formula | Who | HowLikely, Formula | None]:
    """Return a question without its condition, and the condition if there is one."""
    return (asked.asked, asked.given) if isinstance(asked, Supposed) else (asked, None)


def formulas_in(asked: Question) -> list[Formula]:
    """Return the formulas that a question consists of."""
    if isinstance(asked, Who):
        return [f for _, f in asked.answers]
    if isinstance(asked, HowLikely):
        return [f for f in (asked.body, asked.other) if f is not None]
    if isinstance(asked, Supposed):
        return [*formulas_in(asked.asked), asked.given]
    return [asked]


def beneath(asked: Supposed, change: Callable[[Any], Any]) -> Supposed | None:
    """Return a question changed, on the same condition; None if it cannot be."""
    found = change(asked.asked)
    return None if found is None else Supposed(found, asked.given)


def changed(asked: Question | None, change: Callable[[Formula], Formula | None]) -> Any:
    """Return a question with its formula, or those of its answers, changed; None if one cannot be."""
    if isinstance(asked, Formula):
        return change(asked)
    if isinstance(asked, Supposed):
        return beneath(asked, partial(changed, change=change))
    if asked is None or isinstance(asked, HowLikely):
        return None
    found = [(answer, now) for answer, f in asked.answers if (now := change(f)) is not None]
    return replace(asked, answers=tuple(found)) if found and len(found) == len(asked.answers) else None


def in_view_of(viewer: str, asked: Question | None) -> Question | None:
    """Return a question about what is possible or likely from an agent's point of view; None for others."""
    if isinstance(asked, Supposed) and not _of_chances(asked):  # the condition is one of their worlds, too
        given = asked.given
        asked = Supposed(changed(asked.asked, lambda f: within(given, f)[0]), s.Possible(viewer, given))
    if isinstance(asked, Supposed):
        return beneath(asked, partial(in_view_of, viewer))

    def seen(f: Formula) -> Formula | None:
        if not isinstance(f, s.Somewhere | s.Everywhere):
            return None
        return s.Possible(viewer, f.body) if isinstance(f, s.Somewhere) else s.Knows(viewer, f.body)

    if isinstance(asked, HowLikely):
        return None if asked.agent else replace(asked, agent=viewer).settled
    if isinstance(asked, Who) and asked.ranked:
        return replace(asked, viewer=viewer)
    return changed(asked, seen)  # type: ignore[no-any-return]


def asked_by(agent: str, asked: Question) -> Question:
    """Return a question as an agent asks it: what may be true, or must be, for them."""
    if _of_chances(asked):
        return asked
    seen = in_view_of(agent, asked)
    return asked if seen is None else seen


def _of_chances(asked: Question) -> bool:
    """Whether chances are asked for, and perhaps compared."""
    plain, _ = parted(asked)
    return isinstance(plain, HowLikely) or (isinstance(plain, Who) and bool(plain.ranked))


def supposing(condition: Formula, asked: Question) -> Supposed | WhatHappened | None:
    """Return a question on a condition, perhaps besides another; None if it is about what has happened."""
    if isinstance(asked, Supposed):
        return Supposed(asked.asked, condition & asked.given)
    if isinstance(asked, WhatHappened):  # of worlds, those that have the condition as well
        return changed(asked, lambda f: condition & f)  # type: ignore[no-any-return]
    return Supposed(asked, condition)


def on_condition(asked: Question, given: Any, read: Callable[[Any], Question]) -> Question:
    """Return a question on a condition, which is read; FormulaError if it is none, or cannot have one."""
    if given is None:
        return asked
    condition = read(given)
    if isinstance(condition, Formula) and (found := supposing(condition, asked)) is not None:
        return found
    said = f"the condition {given!r} is not a statement or a formula of a question about what is so"
    raise FormulaError(said)


# --- the values of parts -------------------------------------------------------------------------

HIM = "\0"
"""The agent that a pronoun stands for, until it is known."""


@dataclass(frozen=True, eq=False)
class Predicate:
    """What is said of an agent; None where it cannot be said of them.

    `denies`: the predicate of which it is the negation; `unique`: whether it is true of exactly one agent;
    `of_both`: whether it denies that it is true of all of several agents.
    """

    of: Callable[[str], Formula | None]
    denies: Predicate | None = None
    unique: bool = False
    of_both: bool = False

    def negated(self) -> Predicate:
        """Return the negation of the predicate."""

        def denied(agent: str) -> Formula | None:
            said = self.of(agent)
            if said is None:
                return None
            return said.body if isinstance(said, s.Not) and isinstance(said.body, s.Atom) else ~said

        return Predicate(denied, self)

    def said_of(self, agents: Iterable[str]) -> list[Formula]:
        """Return the formulas for some agents."""
        return [f for _, f in self.each(agents)]

    def each(self, agents: Iterable[str]) -> list[tuple[str, Formula]]:
        """Return the formula for each agent of whom it can be said; a pronoun in it stands for them."""
        said = ((agent, self.of(agent)) for agent in agents)
        return [(agent, _with_pronoun(found, agent)) for agent, found in said if found is not None]


def _with_pronoun(f: Formula, agent: str) -> Formula:
    """Return a formula where a pronoun stands for an agent."""
    if HIM not in f.agents and not any(HIM in atom for atom in f.atoms):
        return f
    return f.rename(
        agents=lambda name: agent if name == HIM else name,
        atoms=lambda name: name.replace(HIM, agent),
    )


Amount: TypeAlias = Literal["each", "some", "none", "not all", "atleast", "atmost", "exactly", "jointly"]


@dataclass(frozen=True, eq=False)
class Quantity:
    """The subject of a predicate: a quantity of some agents, all or those of whom `among` is true.

    `listed`: whether they are named, as in "Ann and Bo", so that "Ann and Bo do not know" means neither.
    """

    amount: Amount
    agents: tuple[str, ...]
    among: Predicate | None = None
    number: int = 0
    listed: bool = False

    @property
    def is_one(self) -> bool:
        """Whether it is one agent who is named, or the only one of a kind."""
        named = self.listed and len(self.agents) == 1
        return named or (self.among is not None and self.among.unique)

    def of(self, said: Predicate) -> list[Formula]:
        """Return the readings of a predicate said of them: two for "everyone is not dead"."""
        found = self._of(said)
        if self.amount == "each" and said.denies is not None and (said.of_both or not self.listed):
            every = self._of(said.denies)
            readings = None if said.of_both else found, None if every is None else ~every
            return [f for f in readings if f is not None]
        return [] if found is None else [found]

    def asked(self, said: Predicate) -> list[Formula]:
        """Return the readings of a question whether something may be, or must be, true of them.

        >>> nobody = Quantity("none", ("a", "b"))
        >>> print(*nobody.asked(Predicate(lambda agent: s.Somewhere(s.Atom(f"wolf_{agent}")))))
        somewhere ~(wolf_a | wolf_b)
        """
        parts = said.each(self.agents)
        kinds = {(type(f), f.label if isinstance(f, s.Modal) else ()) for _, f in parts}
        of_all = parts[0][1] if len(parts) > 1 and len(kinds) == 1 else None
        may_be = isinstance(of_all, s.Somewhere | s.Possible) and self.among is None
        if (may_be and self.amount == "some") or not isinstance(of_all, s.Modal | s.Somewhere | s.Everywhere):
            return self.of(said)
        inside = Predicate(lambda agent: None if (f := said.of(agent)) is None else f.children[0])
        joint = [of_all.with_children((f,)) for f in self.of(inside)]
        of_each = self.of(said) if may_be and self.amount == "each" else []
        return list(dict.fromkeys([*joint, *of_each]))

    def _of(self, said: Predicate) -> Formula | None:
        if self.listed and len(self.agents) == 1:
            return said.of(self.agents[0])
        parts = said.each(self.agents)
        kinds = dict(self.among.each(self.agents)) if self.among else dict.fromkeys(self.agents, s.TRUE)
        inside = [(kinds[agent], f) for agent, f in parts if agent in kinds]
        if not inside or (self.listed and len(parts) < len(self.agents)):
            return None
        if self.among is None:
            return self._joined([f for _, f in parts])
        if self.amount in ("each", "not all"):
            return self._joined([s.Implies(one, f) for one, f in inside])
        return self._joined([one if f in (one, s.TRUE) else one & f for one, f in inside])

    def _joined(self, parts: list[Formula]) -> Formula | None:
        all_worlds = self.amount in ("some", "atleast", "exactly")
        together_only = s.Everywhere if all_worlds else s.Somewhere
        joint = all_worlds or (self.amount == "each" and self.listed)
        if joint and all(isinstance(part, together_only) for part in parts):
            # "one of us must be a wolf", "Ann and Bo may be wolves": said of them together, not of each
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
            case "jointly":
                return pooled(parts)
        return s.Count(self.amount, self.number, *parts)


def together(parts: Sequence[Formula], scope: Scope) -> Formula:
    """Return the conjunction or disjunction of what is said of each of several agents.

    What they all know, or one of them knows, is expressed by the operator of that scope.
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

    `exclusive`: exactly one of them is right, so that knowing one is knowing the answer; with other questions
    one must know of every alternative whether it is right.
    """

    of: Callable[[str], Sequence[tuple[str, Formula]]]
    exclusive: bool = True

    def held(self, scope: Scope, agents: Sequence[str]) -> Formula | None:
        """Return the statement that the answer is known to agents, in a scope."""
        kind = modal(scope, Mode.BOX if self.exclusive else Mode.WHETHER)
        assert kind is not None
        found = [f for _, f in self.of(agents[0])]
        join = disjunction if self.exclusive else conjunction
        return join(kind._make(group_of(agents), (f,)) for f in found) if found else None
