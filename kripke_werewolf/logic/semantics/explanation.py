"""Explanations: why a formula is true or false at a world, as a tree of reasons.

The declarations of the operators determine the reasons: one or all parts of a conjunction or
disjunction, one or all worlds in the scope of a modal operator, the outcomes of an update.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Unpack

from kripke_werewolf.base.display import DRAWN_WORLDS, Displayed, drawn
from kripke_werewolf.base.drawing import Options, Picture, drawer
from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.base.reports.documents import Beside, Block, Outline
from kripke_werewolf.logic.english.sentences import People, clause, happening, quoted
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import Mode, Scope, Update
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.action import action_of
from kripke_werewolf.logic.semantics.space import Worlds
from kripke_werewolf.logic.semantics.verdict import Verdict
from kripke_werewolf.logic.semantics.worlds import world_text

_Names = Callable[[Hashable], str]
"""A function that returns the words for a world."""
_GIST = 2  # claims that give the gist
_DEEPEST = 40  # levels after which a claim is evaluated without explanation
_TOLD = 4  # worlds named in a summary
_DESCRIBED = 2  # worlds of a summary up to which each is described in words
_FEW = 3  # worlds or parts that are explained one by one where all of them matter
_LONGEST = 60  # the length from which on many claims of equal standing are summed up


class Link(NamedTuple):
    """A step from a world to one that all of these agents consider possible there."""

    source: Hashable
    agents: tuple[str, ...]
    target: Hashable


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Displayed):
    """The claim that `formula` has the truth value `value` at `world`, and why.

    `children`: the claims from which it follows by the `rule`; if there are too many worlds or parts to
    list, there are no children and the sentence summarises them. `links`: the steps between worlds.
    `after`: the updates between the original model and this one; `world` is a world of the updated
    model, or None if the claim is about all designated worlds. `model`: the original model, only at the
    root of the tree; a notebook draws it with the path marked.

    `str` returns the whole tree, indented; `sentences` a summary.
    """

    formula: Formula
    value: bool
    world: Hashable | None
    rule: str
    sentence: str
    children: tuple[Explanation, ...] = ()
    links: tuple[Link, ...] = ()
    after: tuple[Update, ...] = ()
    model: Any = field(default=None, compare=False)

    def __iter__(self) -> Iterator[Explanation]:
        """Yield this claim and all claims below it, each before its own reasons."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def __str__(self) -> str:
        return "\n".join("  " * depth + node.sentence for depth, node in self._told())

    def _told(self) -> Iterator[tuple[int, Explanation]]:
        # the reason for a negation suffices, and an atom's value is stated where it is used
        stack = [(0, self)]
        while stack:
            depth, node = stack.pop()
            if node.rule != "negation":
                if not (depth and node.rule == "valuation"):
                    yield depth, node
                depth += 1
            stack.extend((depth, child) for child in reversed(node.children))

    def draw(self, **options: Unpack[Options]) -> Picture:
        """Return the picture of the model in which the steps between worlds are marked; see `visualise`."""
        return drawer("scene_of")(self, options)

    def sentences(self) -> str:
        """Return a summary of the reasons in at most two sentences."""
        # not capitalised: a sentence may begin with an agent's name
        return " ".join(f"{node.sentence}." for _, node in [*self._told()][:_GIST])

    headline = sentences

    def display(self) -> Iterator[Block]:
        """Yield the picture with the path and the gist, next to a longer tree of reasons."""
        tree = Outline(str(self))
        if self.model is None or len(self.model) > DRAWN_WORLDS:
            yield tree
        elif len(tree.text.splitlines()) <= _GIST:
            yield drawn(self.model, explain=self)
        else:
            yield Beside((drawn(self.model, explain=self), tree))

    @property
    def path(self) -> tuple[Link, ...]:
        """The steps between worlds of the original model, in the order of the reasons."""
        return tuple(dict.fromkeys(link for node in self if not node.after for link in node.links))

    @property
    def worlds(self) -> tuple[Hashable, ...]:
        """The worlds of the original model that the reasons mention, in this order."""
        found = [w for node in self if not node.after for w in (node.world, *(k.target for k in node.links))]
        return tuple(dict.fromkeys(w for w in found if w is not None))

    def reworded(self, change: Callable[[str], str]) -> Explanation:
        """Return the explanation with its sentences changed."""
        children = tuple(child.reworded(change) for child in self.children)
        return replace(self, sentence=change(self.sentence), children=children)


def _first_few(things: Sequence[str], number: int) -> str:
    """Return the first of `number` things: `w, v, u and 3 more`; with semicolons if they contain commas."""
    shown = "; ".join(things) if any("," in thing for thing in things) else ", ".join(things)
    if number > len(things):
        shown += f" and {number - len(things)} more"
    return shown


def explain(space: Worlds[Any], f: Formula, world: int, called: _Names, people: People) -> Explanation:
    """Return why a formula is true or false at a world of a space; `called` returns the words for a world."""
    place = _Place(space, (), called, people)
    return _described_once(_Claim(_Lengths(), place, f, world, 0).explained(), place.words, set())


def explain_verdict(
    space: Worlds[Any], f: Formula, points: Any, called: _Names, people: People
) -> Explanation:
    """Return why a formula is true at all, none or some of the designated worlds of a space."""
    place, lengths = _Place(space, (), called, people), _Lengths()
    true = space.truth(f)
    verdict = Verdict.of(space.count(points & true), space.count(points))
    children = []
    for there in (points & true, points & space.complement(true)):
        if space.some(there):
            world = lengths.shortest(space, f, there)
            children.append(_Claim(lengths, place, f, world, 0).explained())
    which = {"true": "all", "false": "none of the", "mixed": f"{verdict.satisfied:,} of the"}[verdict]
    sentence = f"{quoted(f)} is true at {which} {verdict.total:,} designated worlds"
    found = Explanation(f, verdict == "true", None, "designated worlds", sentence, tuple(children))
    return _described_once(found, place.words, set())


def _described_once(
    node: Explanation, words: Mapping[str, str], done: set[str], depth: int = 0
) -> Explanation:
    """Return an explanation that describes each world once and names it from then on."""
    if not words:
        return node
    sentence = node.sentence
    hidden = node.rule == "negation"
    for described, name in words.items():
        place = sentence.find(described)
        if place >= 0 and not hidden and not (depth and node.rule == "valuation"):
            kept = 0 if described in done else place + len(described)
            sentence = sentence[:kept] + sentence[kept:].replace(described, name)
            done.add(described)
    below = depth + (not hidden)
    children = tuple(_described_once(child, words, done, below) for child in node.children)
    return replace(node, sentence=sentence, children=children)


# --- what a claim rests on -----------------------------------------------------------------------


class _Place:
    """A space, and the updates that led to it."""

    def __init__(self, space: Worlds[Any], after: tuple[Update, ...], called: _Names, people: People) -> None:
        self.space, self.after, self.called, self.people = space, after, called, people
        self.words: dict[str, str] = {}
        """The descriptions of worlds used so far, each with the name of its world."""
        self.failures = {agent: r.failures(space.all) for agent, r in space.relations.items()}
        self.believers = [agent for agent, lacking in self.failures.items() if "reflexive" in lacking]

    def said(self, world: int) -> str:
        """Return the words for a world as used in sentences."""
        return world_text(self.space.name(world), self._described)

    def _described(self, world: Hashable) -> str:
        described = self.called(world)
        if described != str(world):
            self.words[described] = str(world)
        return described

    def listed(self, worlds: Sequence[int], number: int) -> str:
        """Return the first of `number` worlds by name, or described in words if they are few."""
        if number <= _DESCRIBED:
            return _first_few(list(map(self.said, worlds)), number)
        return _first_few([world_text(self.space.name(world)) for world in worlds], number)

    def updated(self, f: s.Dynamic) -> _Place:
        """Return the place after the update of a formula."""
        after = _Place(_after(self.space, f), (*self.after, f.update), self.called, self.people)
        after.words = self.words
        return after


def _after(space: Worlds[Any], f: s.Dynamic) -> Worlds[Any]:
    """Return the space after the update of a formula, with all its worlds."""
    for part in f.here():
        space.truth(part)
    after, _ = space.after(f, exact=True)
    assert isinstance(after, Worlds)
    return after


def _outcomes(space: Worlds[Any], f: s.Dynamic, after: Worlds[Any], world: int) -> list[int]:
    """Return the worlds to which the designated events of an update lead from a world."""
    name = space.name(world)
    found, action = [name], action_of(f)
    if action is not None:
        found = [(name, event) for event in action.designated]
    return [there for there in map(after.find, found) if there is not None]


def _junction(space: Worlds[Any], f: Formula) -> tuple[list[tuple[Formula, bool]], bool] | None:
    """Return the literals that determine a formula at a world, and the value that each decides alone."""
    if isinstance(f, s.Junction):
        return f.literals(), f.decides
    if isinstance(f, s.Quantifier):
        return [(g, True) for _, g in space.instances(f)], not f.every
    if isinstance(f, s.KnowsValue):
        return [(g, True) for g in f.instances(space)], True
    if isinstance(f, s.Modal) and (unfolded := f.unfolded()) is not None:
        return _junction(space, unfolded) or ([(unfolded, True)], True)
    return None


def _looked_at(space: Worlds[Any], f: s.Modal, world: int) -> Any:
    """Return the worlds in the scope of a modal operator at a world."""
    space.truth(f)
    scope = _scope(space, f)
    if scope in (Scope.BEST, Scope.ORDER):
        seen = space.sees(space.relations[f.label[0]], world)
        if scope is Scope.BEST:
            return seen & space.best(f.label[0], space.truth(f.within))
        below = space.complement(space.all)
        for level in space.levels(f.label[0]):
            below = below | level
            if space.has(level, world):
                return seen & below
    if scope is Scope.BELIEF:
        found, looking = space.complement(space.all), space.set_of([world])
        while space.some(looking):
            entered = [ends & space.steps(r, looking) for _, r, ends in _steps_of(space, f)]
            looking = space.any_of(entered) & space.complement(found)
            found = found | looking
        return found
    (relation,) = scope.relations(space, f.label, f.within)
    return space.sees(relation, world)


def _scope(space: Worlds[Any], f: s.Modal) -> Scope:
    """Return the scope of an operator: that of belief depends on whether the agent has ranks."""
    return Scope.BEST if isinstance(f, s.Believes) and space.ranks(f.agent) else f.scope


def _steps_of(space: Worlds[Any], f: s.Modal) -> list[tuple[str, Any, Any]]:
    """Return for each agent of a group the relation of the steps that count, and the worlds they lead to."""
    within = space.truth(f.within)
    best = f.scope is Scope.BELIEF
    return [(a, space.relations[a], space.best(a, within) if best else within) for a in f.label]


class _Claim:
    """A formula at a world, `depth` levels below the root of the explanation."""

    def __init__(self, lengths: _Lengths, place: _Place, f: Formula, w: int, depth: int) -> None:
        self.lengths, self.place, self.f, self.w, self.depth = lengths, place, f, w, depth
        self.space, self.names, self.about = place.space, place.people.group, place.people.about
        self.value = self.true(f)
        self.world, self.here = self.space.name(w), place.said(w)

    def true(self, f: Formula) -> bool:
        """Return whether a formula is true here."""
        return self.space.has(self.space.truth(f), self.w)

    def explained(self) -> Explanation:
        """Return the claim with its reasons."""
        f = self.f
        if self.depth > _DEEPEST:
            return self.node("looked up", self.claim())
        match f:
            case s.Atom() | s.Constant():
                return self.node("valuation", self.claim())
            case s.Not(body):
                return self.node("negation", self.claim(), [self.child(body)])
            case s.Count(_, _, parts):
                return self.count(parts)
            case s.Dynamic():
                return self.dynamic(f)
            case s.Probability():
                return self.probability(f)
            case s.KnowsValue() if not self.value:
                return self.no_value(f)
            case s.Modal(body) if f.scope not in (Scope.EACH, Scope.SOME) and f.mode is not Mode.OWN:
                if f.mode is not Mode.WHETHER and self.value == (f.mode is Mode.DIAMOND):
                    return self.witness(f)
                if f.mode is not Mode.WHETHER:
                    return self.all_worlds(f)
                if not self.value and f.scope in (Scope.AGENT, Scope.MEET, Scope.BEST):
                    return self.two_worlds(f, body)
        settled = _junction(self.space, f)
        if settled is not None and self.value == settled[1]:
            return self.one_part(*settled)
        if settled is not None:
            return self.all_parts(settled[0])
        if f.pointwise:
            return self.all_parts([(g, True) for g in f.children])
        return self.node("looked up", self.claim())

    # --- the claim in words, and parts of the tree -------------------------------------------------

    def clause(self, f: Formula, value: bool = True, *, place: _Place | None = None) -> str:
        """Return a clause about the model here or elsewhere; agents who may be wrong there *believe*."""
        return clause(f, value, believers=(place or self.place).believers, words=self.about)

    def claim(self) -> str:
        """Return the claim in words."""
        return f"{self.clause(self.f, self.value)} at {self.here}"

    def node(
        self, rule: str, sentence: str, children: Sequence[Explanation] = (), links: Sequence[Link] = ()
    ) -> Explanation:
        """Return the claim with the given reasons."""
        reasons = tuple(children), tuple(links)
        return Explanation(self.f, self.value, self.world, rule, sentence, *reasons, self.place.after)

    def child(self, f: Formula, w: int | None = None, place: _Place | None = None) -> Explanation:
        """Return the explanation of a claim about a part, another world, or the model after an update."""
        if w is None:
            w = self.w
        return _Claim(self.lengths, place or self.place, f, w, self.depth + 1).explained()

    def length(self, f: Formula) -> int:
        """Return the length of the explanation of a formula here."""
        return self.lengths.of(self.space, f, self.w)

    def is_short(self, length: int) -> bool:
        """Return whether claims of this total length are explained one by one."""
        return length + 8 * self.depth <= _LONGEST

    # --- parts of the formula, at the same world ---------------------------------------------------

    def one_part(self, literals: Sequence[tuple[Formula, bool]], decides: bool) -> Explanation:
        """One part decides: the one with the shortest explanation."""
        deciding = [g for g, positive in literals if self.true(g) == (positive == decides)]
        best = min(deciding, key=self.length)
        return self.node(
            "one part", f"{self.claim()}: {self.clause(best, self.true(best))}", [self.child(best)]
        )

    def all_parts(self, literals: Sequence[tuple[Formula, bool]]) -> Explanation:
        """All parts are needed."""
        parts = list(dict.fromkeys(g for g, _ in literals))
        true = [g for g in parts if self.true(g)]
        false = [g for g in parts if not self.true(g)]
        if len(parts) <= _FEW:
            told = " and ".join(self.clause(g, self.true(g)) for g in parts)
        elif true and false:
            told = f"{_few(true)} true, {_few(false)} false"
        else:
            told = f"all {len(parts)} parts are {'true' if true else 'false'}"
        sentence = f"{self.claim()}: {told}"
        if len(parts) > 2 * _FEW or not self.is_short(sum(map(self.length, parts))):
            return self.node("all parts", sentence)
        return self.node("all parts", sentence, [self.child(g) for g in parts])

    def count(self, parts: Sequence[Formula]) -> Explanation:
        """All parts are counted."""
        true = sum(map(self.true, parts))
        sentence = f"{self.claim()}: {true} of the {len(parts)} parts {_agreeing(true, 'is', 'are')} true"
        if len(parts) > 2 * _FEW:
            return self.node("all parts", sentence)
        return self.node("all parts", sentence, [self.child(g) for g in dict.fromkeys(parts)])

    # --- other worlds ------------------------------------------------------------------------------

    def witness(self, f: s.Modal) -> Explanation:
        """One world in the scope decides: this world if possible, else one with a short explanation."""
        wanted = f.mode is Mode.DIAMOND
        space, body = self.space, f.body
        deciding = space.truth(body)
        if not wanted:
            deciding = space.complement(deciding)
        if f.scope in (Scope.REACH, Scope.BELIEF):
            return self.path(f, deciding, wanted)
        deciding = deciding & _looked_at(space, f, self.w)
        if f.scope is Scope.WORLDS:
            v = self.lengths.shortest(space, body, deciding)
            sentence = f"{self.claim()}: {self.clause(body, wanted)} at {self.place.said(v)}"
            return self.node("one world", sentence, [self.child(body, v)])
        v = self.w
        if space.has(deciding, v):
            reason = f"at {self.here}, {self.clause(body, wanted)}"
        else:
            v = self.lengths.shortest(space, body, deciding)
            reason = f"{self.sight(f.label, v)}, where {self.clause(body, wanted)}"
        if _scope(space, f) in s.ORDERED and (f.scope is not Scope.ORDER or v != self.w):
            finds = f"at {self.here} {self.names(f.label)} finds {self.place.said(v)} {self.plausible(f)}"
            reason = f"{finds}, and {self.clause(body, wanted)} there"
        link = Link(self.world, f.label, space.name(v))
        sentence = f"{self.clause(f, self.value)}: {reason}"
        return self.node("one world", sentence, [self.child(body, v)], [link])

    def sight(self, agents: tuple[str, ...], v: int) -> str:
        """Return the words for the agents considering a world possible here."""
        there, number = self.place.said(v), len(agents)
        if any(self.place.failures[agent] for agent in agents):
            verb = _agreeing(number, "considers", "all consider")
            return f"at {self.here} {self.names(agents)} {verb} {there} possible"
        verb = _agreeing(number, "cannot tell", "together cannot tell")
        return f"{self.names(agents)} {verb} {self.here} from {there}"

    def plausible(self, f: s.Modal) -> str:
        """Return the words for how plausible the worlds in the scope of an operator are."""
        if f.scope is Scope.ORDER:
            return f"at least as plausible as {self.here}"
        given = "" if f.within is s.TRUE else f" of those where {self.clause(f.within)}"
        return f"most plausible{given}"

    def all_worlds(self, f: s.Modal) -> Explanation:
        """All worlds in the scope are needed."""
        space, body = self.space, f.body
        worlds = _looked_at(space, f, self.w)
        number = space.count(worlds)
        links: tuple[str, ...] = ()
        head = self.clause(f, self.value)
        if f.scope is Scope.WORLDS:
            head, which = self.claim(), "of the model"
        elif f.scope is Scope.REACH:
            which = f"that {self.names(f.label)} can reach from {self.here}"
            if f.within is not s.TRUE:
                which += f" through worlds where {self.clause(f.within)}"
        elif f.scope is Scope.BELIEF:
            which = f"that {self.names(f.label)} can reach from {self.here} by steps to most plausible worlds"
        elif _scope(space, f) in s.ORDERED:
            links, which = f.label, f"that {self.names(f.label)} finds {self.plausible(f)} at {self.here}"
        else:
            links = f.label
            which = f"that {self.together(f.label)} cannot exclude at {self.here}"
        if not number:
            if _scope(space, f) in s.ORDERED:
                return self.node("all worlds", f"{head}: there is no world {which}")
            if f.scope is Scope.REACH:
                none = "any world" if f.within is s.TRUE else f"a world where {self.clause(f.within)}"
                return self.node("all worlds", f"{head}: at {self.here} nobody considers {none} possible")
            verb = _agreeing(len(f.label), "considers", "consider")
            none = f"at {self.here} {self.together(f.label)} {verb} no world possible"
            return self.node("all worlds", f"{head}: {none}")
        first = space.members(worlds, _TOLD)
        shown = self.place.listed(first, number)
        said = f"{head}: {self.clause(body, f.mode is Mode.BOX)}"
        if first == [self.w] and number == 1:
            sentence = f"{said} here, at {self.here}, the only world {which.removesuffix(f' at {self.here}')}"
        elif number == 1:
            sentence = f"{said} at {shown}, the only world {which}"
        else:
            sentence = f"{said} at all {number:,} worlds {which}, which are {shown}"
        if number > _FEW or not self.is_short(sum(self.lengths.of(space, body, v) for v in first)):
            return self.node("all worlds", sentence)
        children = [self.child(body, v) for v in first]
        steps = [Link(self.world, links, space.name(v)) for v in first if links]
        return self.node("all worlds", sentence, children, steps)

    def together(self, agents: tuple[str, ...]) -> str:
        """Return the words for the joint knowledge of a group."""
        return self.names(agents) + _agreeing(len(agents), "", " together")

    def two_worlds(self, f: s.Modal, body: Formula) -> Explanation:
        """Two worlds show that agents do not know whether a formula is true."""
        seen, true = _looked_at(self.space, f, self.w), self.space.truth(body)
        pair = []
        for several in (seen & true, seen & self.space.complement(true)):
            if self.space.has(several, self.w):
                pair.append(self.w)
            else:
                pair.append(self.lengths.shortest(self.space, body, several))
        first, second = map(self.place.said, pair)
        possible = "most plausible" if _scope(self.space, f) in s.ORDERED else "possible"
        sentence = (
            f"{self.clause(f, False)}: at {self.here} {self.together(f.label)} "
            f"{_agreeing(len(f.label), 'considers', 'consider')} {first} {possible}, "
            f"where {self.clause(body)}, and {second}, where {self.clause(body, False)}"
        )
        links = [Link(self.world, f.label, self.space.name(v)) for v in pair]
        return self.node("two worlds", sentence, [self.child(body, v) for v in pair], links)

    def no_value(self, f: s.KnowsValue) -> Explanation:
        """Return why an agent does not know the value of a variable: two worlds without a common value."""
        space, agent = self.space, f.agent
        values = space.variables[f.variable]
        seen = space.sees(space.relations[agent], self.w)
        for first in [self.w] if space.has(seen, self.w) else space.members(seen):
            here = [(value, g) for value, g in values.items() if space.has(space.truth(g), first)]
            if not here:
                break
            value, g = here[0]
            shared = space.any_of([space.truth(other) for _, other in here])
            apart = space.members(seen & space.complement(shared), 1)
            if not apart:
                continue
            links = [Link(self.world, (agent,), space.name(v)) for v in (first, *apart)]
            sentence = (
                f"{self.clause(f, False)}: at {self.here} {self.names([agent])} considers "
                f"{self.place.said(first)} possible, where it is {value}, "
                f"and {self.place.said(apart[0])}, where it is not"
            )
            return self.node("two values", sentence, [self.child(g, v) for v in (first, *apart)], links)
        return self.all_parts([(g, True) for g in f.instances(space)])

    def path(self, f: s.Modal, goal: Any, wanted: bool) -> Explanation:
        """A shortest path to a world that decides."""
        space = self.space
        ways, best = _steps_of(space, f), "most plausible" if f.scope is Scope.BELIEF else "possible"
        steps = _shortest_path(space, ways, self.w, lambda there: there & goal, self.lengths, f.body)
        links = [Link(space.name(u), (agent,), space.name(v)) for u, agent, v in steps]
        told = [
            f"at {self.place.said(u)} {self.names([a])} considers {self.place.said(v)} {best}"
            for u, a, v in steps
        ]
        if len(told) > _TOLD:
            told[2:-1] = [f"… ({len(links)} steps)"]
        said = self.clause(f.body, wanted)
        sentence = f"{self.clause(f, self.value)}: {'; '.join(told)}, where {said}"
        return self.node("path", sentence, [self.child(f.body, steps[-1][2])], links)

    # --- after an update -----------------------------------------------------------------------------

    def dynamic(self, f: s.Dynamic) -> Explanation:
        """Return why a formula is true or false after an update."""
        place, body = self.place.updated(f), f.body
        after = place.space
        results = _outcomes(self.space, f, after, self.w)
        happened = happening(f.update, self.about)
        if not results:
            wanted, action = [*f.children[:1]], action_of(f)
            if action is not None:
                wanted = [action.events[e].pre for e in action.designated]
            children = [self.child(g) for g in list(dict.fromkeys(wanted))[:_FEW]]
            return self.node("cannot happen", f"{self.claim()}: {happened} cannot happen there", children)
        true = after.truth(body)
        if self.value != f.every:
            deciding = [v for v in results if after.has(true, v) == self.value]
            best = min(deciding, key=lambda v: self.lengths.of(after, body, v))
            said = f"afterwards {self.clause(body, self.value, place=place)} at {place.said(best)}"
            sentence = f"{self.claim()}: {happened} can happen, and {said}"
            return self.node("afterwards", sentence, [self.child(body, best, place)])
        shown = place.listed(results[:_TOLD], len(results))
        said = self.clause(body, self.value, place=place)
        sentence = f"{self.claim()}: after {happened}, {said} at {shown}"
        if len(results) > _FEW:
            return self.node("all outcomes", sentence)
        return self.node("all outcomes", sentence, [self.child(body, v, place) for v in results])

    # --- probabilities -------------------------------------------------------------------------------

    def probability(self, f: s.Probability) -> Explanation:
        """Return the probabilities that are compared, and how they arise."""
        space, said = self.space, []
        for _, agent, body in f.terms:
            seen = space.sees(space.relations[agent], self.w)
            inside = seen & space.truth(body)
            true, number = space.count(inside), space.count(seen)
            part = whole = 1
            if number:
                part, whole = space.weigh(agent, inside), space.weigh(agent, seen)
            weighed = f"with weight {part:,} of {whole:,}, " if agent in space.weights else ""
            said.append(
                f"{quoted(body)} is true at {true:,} of the {number:,} worlds that {self.names([agent])} "
                f"cannot exclude, {weighed}so P_{agent}({body}) is {Fraction(part, whole)}"
            )
        return self.node("numbers", f"{self.claim()}: {'; '.join(dict.fromkeys(said))}")


def _few(parts: Sequence[Formula]) -> str:
    return f"{_first_few([quoted(g) for g in parts[:_FEW]], len(parts))} {_agreeing(len(parts), 'is', 'are')}"


def _agreeing(number: int, one: str, several: str) -> str:
    """Return the form of a verb for a number of subjects."""
    return one if number == 1 else several


def _shortest_path(
    space: Worlds[Any],
    ways: Sequence[tuple[str, Any, Any]],
    start: int,
    goal: Any,
    lengths: _Lengths,
    body: Formula,
) -> list[tuple[int, str, int]]:
    """Return the steps (world, agent, world) of a shortest path to a goal; `ways`: see `_steps_of`."""
    layers = [space.set_of([start])]  # the worlds at distance 0, 1, 2, …
    new = space.complement(space.all)
    while not space.some(goal(new)):
        new = space.any_of([ends & space.steps(relation, layers[-1]) for _, relation, ends in ways])
        for layer in layers[1:]:
            new = new & space.complement(layer)
        layers.append(new)
    end = lengths.shortest(space, body, goal(new))
    steps = []
    for layer in reversed(layers[:-1]):
        for agent, relation, ends in ways:
            before = space.members(space.diamond(relation, space.set_of([end]) & ends) & layer, 1)
            if before:
                steps.append((before[0], agent, end))
                end = before[0]
                break
    return steps[::-1]


# --- how long explanations are -------------------------------------------------------------------


class _Lengths:
    """Estimates of the length of explanations, so that a short witness can be chosen.

    They are based on a few of the worlds and levels, and only guide choices.
    """

    _LEVELS = 6  # levels examined
    _TRIED = 16  # worlds compared
    _LONG = 10**6

    def __init__(self) -> None:
        self.found: dict[tuple[Worlds[Any], Formula, int, int], int] = {}

    def shortest(self, space: Worlds[Any], f: Formula, worlds: Any) -> int:
        """Return the world at which the explanation of a formula is shortest."""
        return min(space.members(worlds, self._TRIED), key=lambda w: self.of(space, f, w))

    def of(self, space: Worlds[Any], f: Formula, w: int, levels: int = _LEVELS) -> int:
        """Return the length of the explanation of a formula at a world."""
        while isinstance(f, s.Not):
            f = f.body
        if f.pointwise and not f.children:
            return 1
        if not levels:
            return 2
        length = partial(self._length, space, f, w, levels - 1)
        return remembered(self.found, (space, f, w, levels), lambda: min(length(), self._LONG))

    def _length(self, space: Worlds[Any], f: Formula, w: int, levels: int) -> int:
        value = space.has(space.truth(f), w)
        if isinstance(f, s.Dynamic):
            after = _after(space, f)
            results = [
                v
                for v in _outcomes(space, f, after, w)
                if value != f.every and after.has(after.truth(f.body), v) == value
            ]
            return 2 + min((self.of(after, f.body, v, levels) for v in results), default=-1)
        if isinstance(f, s.Modal) and f.scope not in (Scope.EACH, Scope.SOME) and f.mode is not Mode.OWN:
            return self._modal(space, f, w, value, levels)
        settled = _junction(space, f) or ([(g, True) for g in f.children], None)
        parts = [
            self.of(space, g, w, levels)
            for g, positive in settled[0][: self._TRIED]
            if value != settled[1] or space.has(space.truth(g), w) == (positive == value)
        ]
        if value == settled[1]:
            return 1 + min(parts, default=self._LONG)
        if f.pointwise or settled[1] is not None:
            return 1 + sum(parts)
        return 4

    def _modal(self, space: Worlds[Any], f: s.Modal, w: int, value: bool, levels: int) -> int:
        if f.scope in (Scope.REACH, Scope.BELIEF):
            return 4
        seen, true = _looked_at(space, f, w), space.truth(f.body)

        def least(worlds: Any) -> int:
            tried = space.members(worlds, self._TRIED)
            return min((self.of(space, f.body, v, levels) for v in tried), default=self._LONG)

        if f.mode is Mode.WHETHER and not value:
            return 1 + least(seen & true) + least(seen & space.complement(true))
        if f.mode is not Mode.WHETHER and value == (f.mode is Mode.DIAMOND):
            return 1 + least(seen & true if value else seen & space.complement(true))
        all_of_them = space.members(seen, _FEW + 1)
        if len(all_of_them) > _FEW:
            return 2
        return 1 + sum(self.of(space, f.body, v, levels) for v in all_of_them)
