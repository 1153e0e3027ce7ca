"""Finding explanations: the reasons for the truth value of a formula at a world."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kripke_werewolf.checking.costs import FEW, Lengths
from kripke_werewolf.checking.explanation import Explanation, Link
from kripke_werewolf.checking.paths import layers_until, only, steps_back
from kripke_werewolf.checking.probability import probabilities
from kripke_werewolf.checking.truth import Frame, evaluated
from kripke_werewolf.checking.verdict import Verdict
from kripke_werewolf.checking.wording import clause, listed, names, quoted
from kripke_werewolf.formulas import syntax as s
from kripke_werewolf.formulas.probability import Probability
from kripke_werewolf.models.common import reachable
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Partition, Relation

__all__ = ["explain"]

_DEEPEST = 40  # levels after which a claim is only looked up
_LONGEST = 60  # the length from which on many claims of equal standing are summed up
_TOLD = 4  # worlds named in a summary


def explain(model: KripkeModel, formula: s.Formula, at: Hashable | None = None) -> Explanation:
    """Return why a formula is true or false at a world; see `KripkeModel.explain`."""
    frame = evaluated(model, [formula])
    builder, place = _Builder(), _Place(frame, ())
    if at is not None:
        return builder.build(place, formula, model.names.index(at))
    chosen = model.designated_indices
    if len(chosen) == 1:
        return builder.build(place, formula, int(chosen[0]))
    true = frame.memo[formula][chosen]
    verdict = Verdict.of(int(np.count_nonzero(true)), len(chosen))
    children = [
        builder.build(place, formula, builder.shortest(place, formula, chosen[true == value]))
        for value in (True, False)
        if (true == value).any()
    ]
    which = {"true": "all", "false": "none of the", "mixed": f"{verdict.satisfied:,} of the"}[verdict]
    sentence = f"{quoted(formula)} is true at {which} {verdict.total:,} designated worlds"
    return Explanation(formula, verdict == "true", None, "designated worlds", sentence, tuple(children))


class _Place(NamedTuple):
    """A model of the query, and the updates that lead to it."""

    frame: Frame
    after: tuple[s.Announce | s.Act, ...]

    def name(self, world: int) -> Hashable:
        return self.frame.model.names[world]


Worlds = npt.NDArray[np.integer]


class _Builder:
    def __init__(self) -> None:
        self.lengths = Lengths()

    def shortest(self, place: _Place, f: s.Formula, worlds: Worlds) -> int:
        """Return the world, of several, at which the explanation of a formula is shortest."""
        return int(worlds[int(np.argmin(self.lengths.of(place.frame, f)[worlds]))])

    def build(self, place: _Place, f: s.Formula, w: int, depth: int = 0) -> Explanation:
        return _Step(self, place, f, w, depth).explained()


class _Step:
    """One claim to be explained."""

    def __init__(self, builder: _Builder, place: _Place, f: s.Formula, w: int, depth: int) -> None:
        self.builder, self.place, self.f, self.w, self.depth = builder, place, f, w, depth
        self.frame = place.frame
        self.model = place.frame.model
        self.value = bool(self.frame.memo[f][w])
        self.here = place.name(w)

    def explained(self) -> Explanation:
        """Return the claim with its reasons."""
        if self.depth > _DEEPEST:
            return self.node("looked up", self.claim())
        f, value = self.f, self.value
        match f:
            case s.Atom() | s.Constant():
                return self.node("valuation", self.claim())
            case s.Not(body):
                return self.node("negation", self.claim(), [self.child(body)])
            case s.And(parts):
                return self.every(parts) if value else self.some(parts, False)
            case s.Or(parts):
                return self.some(parts, True) if value else self.every(parts)
            case s.Implies(left, right):
                return self.implication(left, right)
            case s.Xor() | s.Iff():
                return self.every(f.children)
            case s.Count(kind, number, parts):
                return self.count(kind, number, parts)
            case s.Knows(agent, body):
                relation = self.model.relations[agent]
                return (
                    self.all_seen((agent,), relation, body) if value else self.seen((agent,), relation, body)
                )
            case s.Possible(agent, body):
                relation = self.model.relations[agent]
                return (
                    self.seen((agent,), relation, body) if value else self.all_seen((agent,), relation, body)
                )
            case s.Distributed(group, body):
                relation = self.frame.meet(group)
                return self.all_seen(group, relation, body) if value else self.seen(group, relation, body)
            case s.KnowsWhether(agent, body):
                return self.whether((agent,), self.model.relations[agent], body)
            case s.DistributedWhether(group, body):
                return self.whether(group, self.frame.meet(group), body)
            case s.KnowsValue(agent, variable):
                return self.some(self.frame.expanded(f), True) if value else self.no_value(agent, variable)
            case s.Forall() | s.Exists():
                instances = self.frame.expanded(f)
                return (
                    self.every(instances) if value == isinstance(f, s.Forall) else self.some(instances, value)
                )
            case s.Everyone(group, body):
                knowing = [s.Knows(agent, body) for agent in group]
                return self.every(knowing) if value else self.some(knowing, False)
            case s.Common(group, body):
                return self.all_reached(group, body) if value else self.reached(group, body)
            case s.CommonWhether(group, body):
                either = [s.Common(group, body), s.Common(group, ~body)]
                return self.some(either, True) if value else self.every(either)
            case s.Everywhere(body):
                return self.all_worlds(body) if value else self.some_world(body)
            case s.Somewhere(body):
                return self.some_world(body) if value else self.all_worlds(body)
            case s.Box(update, body) | s.Diamond(update, body):
                return self.dynamic(update, body)
            case Probability():
                return self.probability(f)
        raise TypeError(f"no explanation for {type(f).__name__}")

    # --- the claim in words, and parts of the tree ---------------------------------------------------

    def claim(self) -> str:
        return f"{clause(self.f, self.value)} at {self.here}"

    def node(
        self,
        rule: str,
        sentence: str,
        children: Sequence[Explanation] = (),
        links: Sequence[Link] = (),
    ) -> Explanation:
        return Explanation(
            self.f, self.value, self.here, rule, sentence, tuple(children), tuple(links), self.place.after
        )

    def child(self, f: s.Formula, w: int | None = None, place: _Place | None = None) -> Explanation:
        """Return the explanation of another claim: of a part, at another world, or after an update."""
        place = place or self.place
        place.frame.add([f])
        return self.builder.build(place, f, self.w if w is None else w, self.depth + 1)

    def length(self, f: s.Formula) -> npt.NDArray[np.int64]:
        return self.builder.lengths.of(self.frame, f)

    def brief(self, claims: int, length: int) -> bool:
        """Whether that many claims, of this length altogether, are explained one by one."""
        return claims <= FEW and length + 8 * self.depth <= _LONGEST

    # --- parts of the formula, at the same world -----------------------------------------------------

    def some(self, parts: Sequence[s.Formula], value: bool) -> Explanation:
        """One part of that truth value decides: the one with the shortest explanation."""
        self.frame.add(parts)
        deciding = [g for g in parts if bool(self.frame.memo[g][self.w]) == value]
        best = min(deciding, key=lambda g: int(self.length(g)[self.w]))
        return self.node("one part", f"{self.claim()}: {clause(best, value)}", [self.child(best)])

    def every(self, parts: Sequence[s.Formula]) -> Explanation:
        """All parts matter."""
        parts = list(dict.fromkeys(parts))
        self.frame.add(parts)
        w = self.w
        true = [g for g in parts if self.frame.memo[g][w]]
        false = [g for g in parts if not self.frame.memo[g][w]]
        if len(parts) <= FEW:
            what = " and ".join(clause(g, bool(self.frame.memo[g][w])) for g in parts)
        elif true and false:
            what = f"{_few(true)} {_is(true)} true, {_few(false)} {_is(false)} false"
        else:
            what = f"all {len(parts)} parts are {'true' if true else 'false'}"
        sentence = f"{self.claim()}: {what}"
        if len(parts) > 2 * FEW or sum(int(self.length(g)[w]) for g in parts) + 8 * self.depth > _LONGEST:
            return self.node("all parts", sentence)
        return self.node("all parts", sentence, [self.child(g) for g in parts])

    def implication(self, left: s.Formula, right: s.Formula) -> Explanation:
        memo, w = self.frame.memo, self.w
        if not self.value:
            sentence = f"{self.claim()}: {clause(left)}, but {clause(right, False)}"
            return self.node("one part", sentence, [self.child(left), self.child(right)])
        deciding = [g for g, value in ((left, False), (right, True)) if bool(memo[g][w]) == value]
        best = min(deciding, key=lambda g: int(self.length(g)[w]))
        return self.node(
            "one part", f"{self.claim()}: {clause(best, bool(memo[best][w]))}", [self.child(best)]
        )

    # --- other worlds ----------------------------------------------------------------------------------

    def where(self, v: int) -> str:
        return str(self.place.name(v))

    def sight(self, agents: tuple[str, ...], relation: Relation, v: int) -> str:
        """Return in words that the agents consider v possible here."""
        if isinstance(relation, Partition):
            verb = "cannot tell" if len(agents) == 1 else "together cannot tell"
            return f"{names(agents)} {verb} {self.here} from {self.where(v)}"
        verb = "considers" if len(agents) == 1 else "all consider"
        return f"at {self.here} {names(agents)} {verb} {self.where(v)} possible"

    def seen(self, agents: tuple[str, ...], relation: Relation, body: s.Formula) -> Explanation:
        """One accessible world decides: this one if it does, else the one with the shortest explanation."""
        wanted = isinstance(self.f, s.Possible)
        found = relation.successors(self.w)
        found = found[self.frame.memo[body][found] == wanted]
        v = self.w if self.w in found else self.builder.shortest(self.place, body, found)
        said = clause(body, wanted)
        reason = (
            f"that is {'true' if wanted else 'false'} at {self.here} itself"
            if v == self.w
            else f"{self.sight(agents, relation, v)}, where {said}"
        )
        link = Link(self.here, agents, self.place.name(v))
        return self.node(
            "one world", f"{clause(self.f, self.value)}: {reason}", [self.child(body, v)], [link]
        )

    def all_seen(self, agents: tuple[str, ...], relation: Relation, body: s.Formula) -> Explanation:
        """All accessible worlds matter."""
        found = relation.successors(self.w)
        who = names(agents) if len(agents) == 1 else f"{names(agents)} together"
        head = clause(self.f, self.value)
        if not len(found):
            verb = "considers" if len(agents) == 1 else "consider"
            return self.node("all worlds", f"{head}: at {self.here} {who} {verb} no world possible")
        said = clause(body, bool(self.frame.memo[body][found[0]]))
        return self.all_of(
            found, body, f"{head}: {said}", f"that {who} cannot exclude at {self.here}", agents
        )

    def all_of(
        self, found: Worlds, body: s.Formula, head: str, which: str, agents: tuple[str, ...]
    ) -> Explanation:
        shown = listed([self.place.name(v) for v in found[:_TOLD].tolist()], len(found))
        if list(found) == [self.w]:
            sentence = f"{head} here, at {self.here}, the only world {which.removesuffix(f' at {self.here}')}"
        elif len(found) == 1:
            sentence = f"{head} at {shown}, the only world {which}"
        else:
            sentence = f"{head} at all {len(found):,} worlds {which} ({shown})"
        if not self.brief(len(found), int(self.length(body)[found].sum())):
            return self.node("all worlds", sentence)
        links = [Link(self.here, agents, self.place.name(v)) for v in found.tolist()] if agents else []
        return self.node("all worlds", sentence, [self.child(body, v) for v in found.tolist()], links)

    def whether(self, agents: tuple[str, ...], relation: Relation, body: s.Formula) -> Explanation:
        """Return why agents know, or do not know, whether something is true."""
        if self.value:
            kind = s.Knows if isinstance(self.f, s.KnowsWhether) else s.Distributed
            subject = agents[0] if kind is s.Knows else agents
            return self.some([kind(subject, body), kind(subject, ~body)], True)
        found = relation.successors(self.w)
        true = self.frame.memo[body][found]
        pair = []
        for value in (True, False):
            several = found[true == value]
            pair.append(self.w if self.w in several else self.builder.shortest(self.place, body, several))
        who = names(agents) if len(agents) == 1 else f"{names(agents)} together"
        verb = "considers" if len(agents) == 1 else "consider"
        first, second = map(self.where, pair)
        sentence = (
            f"{clause(self.f, False)}: at {self.here} {who} {verb} {first} possible, where {clause(body)}, "
            f"and {second}, where {clause(body, False)}"
        )
        links = [Link(self.here, agents, self.place.name(v)) for v in pair]
        return self.node("two worlds", sentence, [self.child(body, v) for v in pair], links)

    def no_value(self, agent: str, variable: str) -> Explanation:
        """Return why an agent does not know the value of a variable: two worlds that share none."""
        values = self.model.variables[variable]
        formulas = list(values.values())
        self.frame.add(formulas)
        memo, found = self.frame.memo, self.model.relations[agent].successors(self.w)
        for first in [self.w] if self.w in found else found.tolist():
            here = [g for g in formulas if memo[g][first]]
            if not here:
                break
            for second in found[~memo[here[0]][found]].tolist():
                if any(memo[g][second] for g in here):
                    continue
                links = [Link(self.here, (agent,), self.place.name(v)) for v in (first, second)]
                value = next(name for name, g in values.items() if g is here[0])
                sentence = (
                    f"{agent} does not know the value of {variable}: at {self.here} {agent} considers "
                    f"{self.where(first)} possible, where it is {value}, "
                    f"and {self.where(second)}, where it is not"
                )
                children = [self.child(here[0], v) for v in (first, second)]
                return self.node("two values", sentence, children, links)
        return self.every(self.frame.expanded(self.f))

    # --- paths and whole models ------------------------------------------------------------------------

    def reached(self, group: tuple[str, ...], body: s.Formula) -> Explanation:
        """A shortest path to a world outside decides."""
        relations = {agent: self.model.relations[agent] for agent in group}
        layers = layers_until(relations.values(), self.w, ~self.frame.memo[body])
        end = self.builder.shortest(self.place, body, np.flatnonzero(layers[-1] & ~self.frame.memo[body]))
        steps = steps_back(relations, layers, end)
        links = [Link(self.place.name(u), (agent,), self.place.name(v)) for u, agent, v in steps]
        told = [f"at {u} {agent} considers {v} possible" for u, (agent,), v in links]
        if len(told) > _TOLD:
            told[2:-1] = [f"… ({len(links)} steps)"]
        sentence = f"{clause(self.f, False)}: {'; '.join(told)}, where {clause(body, False)}"
        return self.node("path", sentence, [self.child(body, end)], links)

    def all_reached(self, group: tuple[str, ...], body: s.Formula) -> Explanation:
        """All worlds that steps of the group lead to matter."""
        relations = [self.model.relations[agent] for agent in group]
        found = np.flatnonzero(reachable(relations, only(len(self.model), self.w)))
        head = clause(self.f, True)
        if not len(found):
            return self.node("all worlds", f"{head}: at {self.here} nobody considers any world possible")
        which = f"that steps of {names(group)} lead to from {self.here}"
        return self.all_of(found, body, f"{head}: {clause(body)}", which, ())

    def some_world(self, body: s.Formula) -> Explanation:
        """One world of the model decides."""
        wanted = isinstance(self.f, s.Somewhere)
        v = self.builder.shortest(self.place, body, np.flatnonzero(self.frame.memo[body] == wanted))
        said = f"{clause(body, wanted)} at {self.where(v)}"
        return self.node("one world", f"{self.claim()}: {said}", [self.child(body, v)])

    def all_worlds(self, body: s.Formula) -> Explanation:
        """All worlds of the model matter."""
        value = isinstance(self.f, s.Everywhere)
        found = np.arange(len(self.model))
        return self.all_of(found, body, f"{self.claim()}: {clause(body, value)}", "of the model", ())

    # --- after an update -------------------------------------------------------------------------------

    def dynamic(self, update: s.Announce | s.Act, body: s.Formula) -> Explanation:
        """Return why something holds, or does not, after an update."""
        after, updated = self.frame.after[update]
        place = _Place(after, (*self.place.after, update))
        results = np.flatnonzero((updated.world == self.w) & updated.chosen)
        action = self.frame.action(update)
        conditions = (
            [action.events[e].pre for e in action.designated] if action is not None else [self.f.children[0]]
        )
        conditions = list(dict.fromkeys(conditions))
        name = _happening(update)
        if not len(results):
            sentence = f"{self.claim()}: {name} cannot happen there"
            return self.node("cannot happen", sentence, [self.child(g) for g in conditions[:FEW]])
        wanted = isinstance(self.f, s.Diamond)
        true = after.memo[body][results]
        if self.value == wanted:
            lengths = self.builder.lengths.of(after, body)
            deciding = results[true == wanted]
            best = int(deciding[int(np.argmin(lengths[deciding]))])
            there = place.name(best)
            sentence = f"{self.claim()}: {name} can happen, and afterwards {clause(body, wanted)} at {there}"
            return self.node("afterwards", sentence, [self.child(body, best, place)])
        shown = listed([place.name(v) for v in results[:_TOLD].tolist()], len(results))
        sentence = f"{self.claim()}: after {name} {clause(body, not wanted)} at {shown}"
        if len(results) > FEW:
            return self.node("all outcomes", sentence)
        return self.node("all outcomes", sentence, [self.child(body, v, place) for v in results.tolist()])

    # --- numbers -----------------------------------------------------------------------------------------

    def count(self, kind: str, number: int, parts: Sequence[s.Formula]) -> Explanation:
        true = sum(bool(self.frame.memo[g][self.w]) for g in parts)
        sentence = f"{self.claim()}: {true} of the {len(parts)} parts {'is' if true == 1 else 'are'} true"
        if len(parts) > 2 * FEW:
            return self.node("all parts", sentence)
        return self.node("all parts", sentence, [self.child(g) for g in dict.fromkeys(parts)])

    def probability(self, f: Probability) -> Explanation:
        said = []
        for _, agent, body in f.terms:
            part, whole = probabilities(self.model, agent, self.frame.memo[body])
            share = Fraction(int(part[self.w]), int(whole[self.w]))
            found = self.model.relations[agent].successors(self.w)
            true = int(np.count_nonzero(self.frame.memo[body][found]))
            weights = ", by weight," if agent in self.model.weights else ","
            said.append(
                f"{quoted(body)} is true at {true:,} of the {len(found):,} worlds that {agent} cannot exclude"
                f"{weights} so P_{agent}({body}) is {share}"
            )
        return self.node("numbers", f"{self.claim()}: {'; '.join(dict.fromkeys(said))}")


def _few(parts: Sequence[s.Formula]) -> str:
    return listed([quoted(g) for g in parts[:FEW]], len(parts))


def _is(parts: Sequence[s.Formula]) -> str:
    return "is" if len(parts) == 1 else "are"


def _happening(update: s.Announce | s.Act) -> str:
    match update:
        case s.Announce(content, None, whether):
            return f"the announcement {'whether' if whether else 'that'} {clause(content)}"
        case s.Announce(content, group, whether):
            return f"telling {names(group or ())} {'whether' if whether else 'that'} {clause(content)}"
        case s.Act(name, event, _):
            return name if event is None else f"{name}: {event}"
