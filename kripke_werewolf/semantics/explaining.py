"""Finding explanations: the reasons for the truth value of a formula at a world."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.models.common import reachable
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Partition, Relation
from kripke_werewolf.semantics.action import action_of_update
from kripke_werewolf.semantics.claim import Claim, Place, Worlds
from kripke_werewolf.semantics.costs import FEW, Lengths
from kripke_werewolf.semantics.explanation import Explanation, Link
from kripke_werewolf.semantics.paths import layers_until, only, steps_back
from kripke_werewolf.semantics.probability import probabilities
from kripke_werewolf.semantics.truth import evaluated
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.semantics.wording import clause, listed, names, quoted, subject

__all__ = ["explain"]

_DEEPEST = 40  # levels after which a claim is only looked up
_TOLD = 4  # worlds named in a summary


def explain(model: KripkeModel, formula: s.Formula, at: Hashable | None = None) -> Explanation:
    """Return why a formula is true or false at a world; see `KripkeModel.explain`."""
    place, lengths = Place(evaluated(model, [formula]), ()), Lengths()

    def at_world(w: int) -> Explanation:
        return _Claim(lengths, place, formula, w, 0).explained()

    if at is not None:
        return at_world(model.names.index(at))
    chosen = model.designated_indices
    if len(chosen) == 1:
        return at_world(int(chosen[0]))
    true = place.frame.memo[formula][chosen]
    verdict = Verdict.of(int(np.count_nonzero(true)), len(chosen))
    children = [
        at_world(lengths.shortest(place.frame, formula, chosen[true == value]))
        for value in (True, False)
        if (true == value).any()
    ]
    which = {"true": "all", "false": "none of the", "mixed": f"{verdict.satisfied:,} of the"}[verdict]
    sentence = f"{quoted(formula)} is true at {which} {verdict.total:,} designated worlds"
    return Explanation(formula, verdict == "true", None, "designated worlds", sentence, tuple(children))


class _Claim(Claim):
    """A claim with an operator of any kind."""

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
            case s.Count(_, _, parts):
                return self.count(parts)
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

    # --- other worlds ----------------------------------------------------------------------------------

    def where(self, v: int) -> str:
        return self.place.said(v)

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
        v = self.w if self.w in found else self.lengths.shortest(self.frame, body, found)
        said = self.clause(body, wanted)
        reason = (
            f"that is {'true' if wanted else 'false'} at {self.here} itself"
            if v == self.w
            else f"{self.sight(agents, relation, v)}, where {said}"
        )
        link = Link(self.world, agents, self.place.name(v))
        return self.node(
            "one world", f"{self.clause(self.f, self.value)}: {reason}", [self.child(body, v)], [link]
        )

    def all_seen(self, agents: tuple[str, ...], relation: Relation, body: s.Formula) -> Explanation:
        """All accessible worlds matter."""
        found = relation.successors(self.w)
        who = names(agents) if len(agents) == 1 else f"{names(agents)} together"
        head = self.clause(self.f, self.value)
        if not len(found):
            verb = "considers" if len(agents) == 1 else "consider"
            return self.node("all worlds", f"{head}: at {self.here} {who} {verb} no world possible")
        said = self.clause(body, bool(self.frame.memo[body][found[0]]))
        return self.all_of(
            found, body, f"{head}: {said}", f"that {who} cannot exclude at {self.here}", agents
        )

    def all_of(
        self, found: Worlds, body: s.Formula, head: str, which: str, agents: tuple[str, ...]
    ) -> Explanation:
        shown = listed([self.place.said(v) for v in found[:_TOLD].tolist()], len(found))
        if list(found) == [self.w]:
            sentence = f"{head} here, at {self.here}, the only world {which.removesuffix(f' at {self.here}')}"
        elif len(found) == 1:
            sentence = f"{head} at {shown}, the only world {which}"
        else:
            sentence = f"{head} at all {len(found):,} worlds {which} ({shown})"
        if not self.brief(len(found), int(self.length(body)[found].sum())):
            return self.node("all worlds", sentence)
        links = [Link(self.world, agents, self.place.name(v)) for v in found.tolist()] if agents else []
        return self.node("all worlds", sentence, [self.child(body, v) for v in found.tolist()], links)

    def whether(self, agents: tuple[str, ...], relation: Relation, body: s.Formula) -> Explanation:
        """Return why agents know, or do not know, whether something is true."""
        if self.value:
            kind = s.Knows if isinstance(self.f, s.KnowsWhether) else s.Distributed
            who = agents[0] if kind is s.Knows else agents
            return self.some([kind(who, body), kind(who, ~body)], True)
        found = relation.successors(self.w)
        true = self.frame.memo[body][found]
        pair = []
        for value in (True, False):
            several = found[true == value]
            pair.append(self.w if self.w in several else self.lengths.shortest(self.frame, body, several))
        told = names(agents) if len(agents) == 1 else f"{names(agents)} together"
        verb = "considers" if len(agents) == 1 else "consider"
        first, second = map(self.where, pair)
        sentence = (
            f"{self.clause(self.f, False)}: at {self.here} {told} {verb} {first} possible, "
            f"where {self.clause(body)}, and {second}, where {self.clause(body, False)}"
        )
        links = [Link(self.world, agents, self.place.name(v)) for v in pair]
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
                links = [Link(self.world, (agent,), self.place.name(v)) for v in (first, second)]
                value = next(name for name, g in values.items() if g is here[0])
                sentence = (
                    f"{self.clause(self.f, False)}: at {self.here} {subject(agent)} considers "
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
        end = self.lengths.shortest(self.frame, body, np.flatnonzero(layers[-1] & ~self.frame.memo[body]))
        steps = steps_back(relations, layers, end)
        links = [Link(self.place.name(u), (agent,), self.place.name(v)) for u, agent, v in steps]
        told = [f"at {self.where(u)} {subject(a)} considers {self.where(v)} possible" for u, a, v in steps]
        if len(told) > _TOLD:
            told[2:-1] = [f"… ({len(links)} steps)"]
        sentence = f"{self.clause(self.f, False)}: {'; '.join(told)}, where {self.clause(body, False)}"
        return self.node("path", sentence, [self.child(body, end)], links)

    def all_reached(self, group: tuple[str, ...], body: s.Formula) -> Explanation:
        """All worlds that steps of the group lead to matter."""
        relations = [self.model.relations[agent] for agent in group]
        found = np.flatnonzero(reachable(relations, only(len(self.model), self.w)))
        head = self.clause(self.f, True)
        if not len(found):
            return self.node("all worlds", f"{head}: at {self.here} nobody considers any world possible")
        which = f"that steps of {names(group)} lead to from {self.here}"
        return self.all_of(found, body, f"{head}: {self.clause(body)}", which, ())

    def some_world(self, body: s.Formula) -> Explanation:
        """One world of the model decides."""
        wanted = isinstance(self.f, s.Somewhere)
        v = self.lengths.shortest(self.frame, body, np.flatnonzero(self.frame.memo[body] == wanted))
        said = f"{self.clause(body, wanted)} at {self.where(v)}"
        return self.node("one world", f"{self.claim()}: {said}", [self.child(body, v)])

    def all_worlds(self, body: s.Formula) -> Explanation:
        """All worlds of the model matter."""
        value = isinstance(self.f, s.Everywhere)
        found = np.arange(len(self.model))
        return self.all_of(found, body, f"{self.claim()}: {self.clause(body, value)}", "of the model", ())

    # --- after an update -------------------------------------------------------------------------------

    def dynamic(self, update: s.Announce | s.Act, body: s.Formula) -> Explanation:
        """Return why something holds, or does not, after an update."""
        after, updated = self.frame.after[update]
        place = Place(after, (*self.place.after, update))
        results = np.flatnonzero((updated.world == self.w) & updated.chosen)
        action = action_of_update(update)
        conditions = (
            [action.events[e].pre for e in action.designated] if action is not None else [self.f.children[0]]
        )
        conditions = list(dict.fromkeys(conditions))
        name = _happening(update)
        if not len(results):
            sentence = f"{self.claim()}: {name} cannot happen there"
            return self.node("cannot happen", sentence, [self.child(g) for g in conditions[:FEW]])
        wanted = isinstance(self.f, s.Diamond)
        if self.value == wanted:
            best = self.lengths.shortest(after, body, results[after.memo[body][results] == wanted])
            there = place.said(best)
            sentence = (
                f"{self.claim()}: {name} can happen, and afterwards {self.clause(body, wanted)} at {there}"
            )
            return self.node("afterwards", sentence, [self.child(body, best, place)])
        shown = listed([place.said(v) for v in results[:_TOLD].tolist()], len(results))
        sentence = f"{self.claim()}: after {name} {self.clause(body, not wanted, place=place)} at {shown}"
        if len(results) > FEW:
            return self.node("all outcomes", sentence)
        return self.node("all outcomes", sentence, [self.child(body, v, place) for v in results.tolist()])

    # --- probabilities ------------------------------------------------------------------------------

    def probability(self, f: Probability) -> Explanation:
        said = []
        for _, agent, body in f.terms:
            part, whole = probabilities(self.model, agent, self.frame.memo[body])
            share = Fraction(int(part[self.w]), int(whole[self.w]))
            found = self.model.relations[agent].successors(self.w)
            true = int(np.count_nonzero(self.frame.memo[body][found]))
            weighed = ""
            if agent in self.model.weights:
                weighed = f"with weight {part[self.w]:,} of {whole[self.w]:,}, "
            said.append(
                f"{quoted(body)} is true at {true:,} of the {len(found):,} worlds that {subject(agent)} "
                f"cannot exclude, {weighed}so P_{agent}({body}) is {share}"
            )
        return self.node("numbers", f"{self.claim()}: {'; '.join(dict.fromkeys(said))}")


def _happening(update: s.Announce | s.Act) -> str:
    match update:
        case s.Announce(content, None, whether):
            return f"the announcement {'whether' if whether else 'that'} {clause(content)}"
        case s.Announce(content, group, whether):
            return f"telling {names(group or ())} {'whether' if whether else 'that'} {clause(content)}"
        case s.Act(name, event, _):
            return name if event is None else f"{name}: {event}"
