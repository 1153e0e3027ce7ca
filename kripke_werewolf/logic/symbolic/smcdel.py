r"""SMCDEL's text files (`.smcdel.txt`): knowledge structures and questions about them.

SMCDEL (Gattinger 2018, *New Directions in Model Checking Dynamic Epistemic Logic*) takes a vocabulary, a
state law, the atoms each agent observes, and queries. Files are read with exactly its precedence, which is
not that of `parse`. Beyond SMCDEL, atoms may have names, and an agent may observe nothing. The grammar:

    file     = VARS atoms LAW formula OBS { agent ":" [ atoms ] } { query }
    query    = "TRUE?" "{" [ atoms ] "}" formula | "VALID?" formula | "WHERE?" formula
    formula  = junction { ("->" | "iff") junction }            from the left
    junction = tight { ("&" | "|") tight }                     from the left, both on one level
    tight    = atom | "Top" | "Bot" | "(" formula ")" | "~" tight | AND|OR|XOR|ONEOF "(" formulas ")"
             | agent ("knows that" | "knows whether") tight | agent "knows whether" "(" formulas ")"
             | agents ("comknow" | "distknow") ("that" | "whether") tight
             | "[" announcement "]" tight | "<" announcement ">" tight
             | K agent formula | Kw agent formula | Forall atoms formula | Exists atoms formula
    announcement = [ agents ] [ "?" ] "!" formula

The prefix operators K, Kw, Forall and Exists reach as far to the right as they can. An announcement to a
group, `[a,b ! f]g`, is semi-private: where f is true the group learns it and the others see that they learn
whether it is; so it is read as f -> [a,b?!f]g.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, TypeAlias

from kripke_werewolf.base.errors import FormatError, ModelTooLarge, cut_off, line_and_column
from kripke_werewolf.base.files import unmarked
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, group_of
from kripke_werewolf.logic.models.formats.smcdel import KEYWORDS
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.space import Space
from kripke_werewolf.logic.symbolic.bdd import Oxidd, Variables, variable_set
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor
from kripke_werewolf.logic.symbolic.diagrams import DiagramSpace
from kripke_werewolf.logic.symbolic.relation import Law, Relation
from kripke_werewolf.logic.symbolic.structure import KnowledgeStructure

Answer: TypeAlias = bool | list[list[int | str]]
"""For `TRUE?` and `VALID?` a truth value, for `WHERE?` the states, each as the list of its true atoms."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question of an SMCDEL file."""

    kind: str
    """`TRUE?`, `VALID?` or `WHERE?`."""
    formula: Formula
    state: tuple[str, ...] | None
    """The true atoms of the state in a `TRUE?` query."""
    text: str
    """The query as written in the file, without comments and line breaks."""


@dataclass(frozen=True, slots=True)
class SmcdelFile:
    """The content of an SMCDEL file: a knowledge structure and queries."""

    vocabulary: tuple[str, ...]
    """The atoms; integers as strings."""
    law: Formula
    """The state law, a boolean formula: the states are the sets of atoms that satisfy it."""
    observables: Mapping[str, tuple[str, ...]]
    """For each agent, the atoms that it observes."""
    queries: tuple[Query, ...]

    def answers(self, *, limit: int = 1_000_000) -> list[Answer]:
        """Return the answers to the queries, in order, as SMCDEL gives them (integers for integers).

        Raises `ModelTooLarge` if the answer to a `WHERE?` has more than `limit` states.
        """
        bdds = Oxidd()
        number = dict(zip(self.vocabulary, bdds.declare(len(self.vocabulary)), strict=True))
        relations = {
            agent: _Everywhere(variable_set(number[p] for p in atoms))
            for agent, atoms in self.observables.items()
        }
        facts = {p: Factor(bdds.variable(v), 1 << v) for p, v in number.items()}
        assignments = _Assignments(Conjunction(bdds), variable_set(number.values()))
        everything = _Functions(bdds, number, facts, assignments, relations, {})
        space = everything.with_law(everything.truth(self.law))
        law = space.law.all.whole()
        found: list[Answer] = []
        for query in self.queries:
            true = space.truth(query.formula)
            if query.state is not None:
                found.append(bdds.value(true.diagram, {number[p] for p in query.state}))
            elif query.kind == "VALID?":
                found.append((law & ~true).diagram == bdds.false)
            else:
                inside = law & true
                size = bdds.count(inside.diagram, len(number))
                if size > limit:
                    advice = "ask VALID? or TRUE? instead, or narrow the question"
                    raise ModelTooLarge(size, limit, f"the answer to {query.text}", advice)
                states = space.assignments(Conjunction(bdds, (inside,)))
                names = {v: int(p) if p.isdecimal() else p for p, v in number.items()}
                found.append([[name for v, name in names.items() if v in state] for state in states])
        return found

    def structure(self) -> KnowledgeStructure:
        """Return the knowledge structure, on decision diagrams; states are frozensets of true atoms.

        Raises `ModelError` if no state satisfies the law.
        """
        return KnowledgeStructure(self.vocabulary, self.law, self.observables)

    def model(self) -> KripkeModel:
        """Return the explicit S5 model, whose worlds are the states.

        Raises `ModelTooLarge` if there are too many states, and `ModelError` if there are none.
        """
        return self.structure().to_explicit()


def read_smcdel(text: str, *, source: str = "<text>") -> SmcdelFile:
    """Read an SMCDEL file, given as a string; errors call it `source`.

    >>> file = read_smcdel("VARS 1,2 LAW 1 | 2 OBS alice: 1 bob: 2 WHERE? K alice 2 VALID? 1 | 2 & 1")
    >>> file.answers()
    [[[2]], False]

    Raises `FormatError`, with line and column, for invalid syntax, for atoms missing in VARS and agents
    missing in OBS, and for an agent with two lines in OBS.
    """
    return _Reading(text, source).file()


# --- tokens ----------------------------------------------------------------------------------------

_MARKS = {"¬": "~", "∧": "&", "∨": "|", "→": "->"}
_TOKEN = re.compile(
    r"""(?:\s+|--[^\n]*)*(?:
      (?P<query>TRUE\?|VALID\?|WHERE\?)
    | (?P<knows>(?:knows|comknow|distknow)[ ](?:that|whether))
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>\d+)
    | (?P<mark>->|→|[&∧|∨~¬!?:,(){}<>\[\]])
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)


class _Token(NamedTuple):
    """A token: its kind (`atom`, `agent`, `formula`, `K`, a sign, a section, …), text and position."""

    kind: str
    text: str
    place: int


# --- reading ---------------------------------------------------------------------------------------

_UPDATES: dict[str, tuple[str, type[s.Dynamic], type[s.Infix]]] = {
    "[": ("]", s.Box, s.Implies),
    "<": (">", s.Diamond, s.And),
}
"""For the bracket of an announcement: the closing one, the operator, and how a condition joins it."""
_JUNCTIONS: dict[str, type[s.Infix]] = {"&": s.And, "|": s.Or}
_ARROWS: dict[str, type[s.Infix]] = {"->": s.Implies, "iff": s.Iff}
_KNOWING: dict[str, type[s.Modal]] = {"knows that": s.Knows, "knows whether": s.KnowsWhether}
for _kind in s.Common, s.CommonWhether, s.Distributed, s.DistributedWhether:
    _KNOWING |= dict.fromkeys((sign for sign in _kind.spelling.foreign if " " in sign), _kind)
_FORMULA, _OPERATOR, _QUERY = "a formula", "an operator (& | -> iff)", "a query (TRUE? VALID? WHERE?)"
_Nested: TypeAlias = "Generator[_Nested, Any, Any]"
"""The reading of a part of a formula: it yields the readings of parts of its own, and returns the part."""


class _Reading:
    """The state of the parser; VARS comes first and OBS before the queries, so names are known in time."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source, self.at = unmarked(text), source, 0
        self.section = ""
        self.atoms: dict[str, None] = {}
        self.agents: dict[str, None] = {}
        self.begun: tuple[str, ...] = ()  # agents already read, with whom the next formula begins
        self.token = self.read()

    def file(self) -> SmcdelFile:
        """Parse the whole file."""
        self.take("VARS", "VARS")
        vocabulary = self.listed("atom")
        self.take("LAW", "LAW", "','")
        law = self.formula("OBS")
        self.next()
        observables: dict[str, tuple[str, ...]] = {}
        while self.token.kind == "agent":
            agent = self.next().text
            self.take(":", "':'")
            observables[agent] = self.some("atom")
        queries = []
        while self.token.kind == "query":
            queries.append(self.query())
        if self.token.kind != "end":
            self.fail("an agent", _QUERY, "the end")
        return SmcdelFile(vocabulary, law, observables, tuple(queries))

    def query(self) -> Query:
        """Read a query."""
        kind, state, start = self.token.text, None, self.token.place
        self.next()
        if kind == "TRUE?":
            self.take("{", "a state {…}")
            state = self.some("atom")
            self.take("}", "'}'", "','")
        found = self.formula("query", "end")
        lines = self.text[start : self.token.place].splitlines()
        plain = " ".join(line.partition("--")[0] for line in lines)
        return Query(kind, found, state, " ".join(plain.split()))

    # --- tokens ----------------------------------------------------------------------------------

    def read(self) -> _Token:
        """Read the next token from the text."""
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            blank = re.compile(r"(?:\s+|--[^\n]*)*").match(self.text, self.at)
            assert blank is not None
            self.error(blank.end(), f"unexpected {self.text[blank.end()]!r}")
        group = str(found.lastgroup)
        text, place = found[group], found.start(group)
        self.at = found.end()
        kind = group
        if group == "word":
            kind = KEYWORDS.get(text, group)
        elif group == "mark":
            kind = _MARKS.get(text, text)
        if group == "query" or kind in ("VARS", "LAW", "OBS"):
            self.section = kind
        elif not self.section and group != "end":
            self.error(place, f"expected VARS, with which a file begins, got {text!r}")
        elif kind in ("word", "number"):
            return self.named(group, text, place)
        elif self.section == "LAW" and kind in ("K", "[", "<"):
            self.error(place, f"the law must be boolean, without {text!r}")
        return _Token(kind, text, place)

    def named(self, group: str, text: str, place: int) -> _Token:
        """Return the token of a name: an atom if it is a number or declared, else an agent."""
        name = text.lstrip("0") or "0" if group == "number" else text
        if self.section == "VARS":
            self.atoms[name] = None
        if name in self.atoms:
            return _Token("atom", name, place)
        if group == "number":
            self.error(place, f"atom {name} is not in VARS")
        if self.section == "LAW":
            self.error(place, f"{name} is not in VARS; what is always true is Top")
        if self.section == "OBS":
            if name in self.agents:
                self.error(place, f"agent {name} has a line in OBS already")
            self.agents[name] = None
        elif name not in self.agents:
            self.error(place, f"{name} is neither an agent in OBS nor an atom in VARS")
        return _Token("agent", name, place)

    def next(self) -> _Token:
        """Return the current token and advance."""
        token, self.token = self.token, self.read()
        return token

    def take(self, kind: str, *expected: str) -> _Token:
        """Return the current token and advance; raise an error unless it has the given kind."""
        if self.token.kind != kind:
            self.fail(*expected)
        return self.next()

    def fail(self, *expected: str) -> NoReturn:
        """Raise an error at the current token."""
        wanted = f"expected {' or '.join(expected)}"
        if self.token.kind == "end":
            self.error(len(self.text.rstrip()), f"the file ends too early; {wanted}")
        self.error(self.token.place, f"unexpected {self.token.text!r}; {wanted}")

    def error(self, place: int, reason: str) -> NoReturn:
        line, column, _ = line_and_column(self.text, place)
        raise FormatError(f"{self.source}, line {line}, column {column}: {cut_off(reason, 800)}")

    def listed(self, kind: str) -> tuple[str, ...]:
        """Read a list of atoms or of agents; return each once, in order."""
        found = {self.take(kind, f"an {kind}").text: None}
        while self.token.kind == ",":
            self.next()
            found[self.take(kind, f"an {kind}").text] = None
        return tuple(found)

    def some(self, kind: str) -> tuple[str, ...]:
        """Read a list of atoms or of agents, if one begins here."""
        return self.listed(kind) if self.token.kind == kind else ()

    # --- formulas --------------------------------------------------------------------------------

    def formula(self, *ends: str) -> Formula:
        """Read a formula; `ends` are the kinds of token that may follow it."""
        found: Formula = _whole(self.arrows())
        if self.token.kind not in ends:
            named = {"OBS": "OBS", "query": _QUERY, "end": "the end"}
            self.fail(_OPERATOR, *(named[kind] for kind in ends))
        return found

    def arrows(self) -> _Nested:
        """Read formulas joined by arrows, as far as they reach."""
        found = yield self.junctions()
        while self.token.kind in _ARROWS:
            kind: Any = _ARROWS[self.next().kind]
            found = kind(found, (yield self.junctions()))
        return found

    def junctions(self) -> _Nested:
        """Read formulas joined by & and |, which bind equally tightly."""
        found = yield self.operand()
        while (sign := self.token.kind) in _JUNCTIONS:
            kind: Any = _JUNCTIONS[sign]
            # a conjunction in parentheses that comes first is part of the whole one
            parts = [*found.children] if type(found) is kind else [found]
            while self.token.kind == sign:
                self.next()
                parts.append((yield self.operand()))
            found = kind(*parts)
        return found

    def operand(self) -> _Nested:
        """Read a formula that is not made by an infix operator."""
        (kind, text, _), agents, self.begun = self.token, self.begun, ()
        if agents or kind == "agent":
            return (yield self.known_by(agents or self.listed("agent")))
        if kind not in ("atom", "formula", "(", "~", "list", "K", "quantifier", "[", "<"):
            self.fail(_FORMULA)
        self.next()
        match kind:
            case "atom":
                return s.Atom(text)
            case "formula":
                return s.Constant(text == "Top")
            case "(":
                return (yield self.parenthesis())[0]
            case "~":
                return s.Not((yield self.operand()))
            case "list":
                self.take("(", "'('")
                return _LISTS[text]((yield self.bracketed(")", several=True)))
            case "K":
                agent = self.take("agent", "an agent").text
                known = s.Knows if text == "K" else s.KnowsWhether
                return known._make((agent,), ((yield self.arrows()),))
            case "quantifier":
                names = self.listed("atom")
                body = yield self.arrows()
                return s.Exists(names, body) if text == "Exists" else s.Forall(names, body)
        return (yield self.announcement(*_UPDATES[kind]))

    def bracketed(self, closing: str, *, several: bool = False) -> _Nested:
        """Read the formula before the end of a bracket, or several with commas between them."""
        found = [(yield self.arrows())]
        while several and self.token.kind == ",":
            self.next()
            found.append((yield self.arrows()))
        expected = [f"'{closing}'"]
        if several and self.token.kind in (")", "]", ">"):
            expected.insert(0, "','")
        if self.token.kind != "end":
            expected.insert(0, _OPERATOR)
        self.take(closing, *expected)
        return found

    def parenthesis(self, *, several: bool = False) -> _Nested:
        """Read the text after "(": a group with a knowledge operator, or formulas."""
        agents = self.some("agent")
        if agents and self.token.kind == ")":
            self.next()
            return [(yield self.known_by(agents))]
        self.begun = agents
        return (yield self.bracketed(")", several=several))

    def known_by(self, agents: tuple[str, ...]) -> _Nested:
        """Read a knowledge operator and its formula; it may ask whether each of several formulas is true."""
        if self.token.kind != "knows" or (len(agents) > 1 and self.token.text.startswith("knows")):
            self.fail(*(f"'{words}'" for words in _KNOWING))
        operator = _KNOWING[self.next().text]
        if operator is s.KnowsWhether and self.token.kind == "(":
            self.next()
            bodies = yield self.parenthesis(several=True)
        else:
            bodies = [(yield self.operand())]
        return s.conjunction(operator._make(group_of(agents), (body,)) for body in bodies)

    def announcement(self, closing: str, kind: type[s.Dynamic], joined: Any) -> _Nested:
        """Read an announcement and its formula."""
        group = self.some("agent")
        expected = ["'!'"]
        whether = self.token.kind == "?"
        if whether:
            self.next()
        elif group:
            expected += ["'?!'"]
        else:
            expected += ["'?!'", "an agent"]
        self.take("!", *expected)
        (content,) = yield self.bracketed(closing)
        announced = s.Announce(content, group or None, whether or bool(group))
        after = kind(announced, (yield self.operand()))
        return joined(content, after) if group and not whether else after


def _whole(part: _Nested) -> Any:
    """Return the result of a reading; a stack of readings replaces recursion, so formulas may be deep."""
    stack, found = [part], None
    while stack:
        try:
            inner = stack[-1].send(found)
        except StopIteration as done:
            found = done.value
            stack.pop()
        else:
            stack.append(inner)
            found = None
    return found


_LISTS: dict[str, Callable[[list[Formula]], Formula]] = {
    "AND": s.conjunction,
    "OR": s.disjunction,
    "XOR": lambda parts: s.Xor(*parts) if len(parts) > 1 else parts[0],
    "ONEOF": lambda parts: s.oneof(*parts),
}


# --- answers ---------------------------------------------------------------------------------------


class _Assignments(Law):
    """A law as a single diagram, whose functions are distinguished even where it is violated."""

    def also(self, *parts: Factor, new: Variables = 0) -> Law:
        whole = Conjunction(self.bdds, (*self.all.parts, *parts)).whole()
        return _Assignments(Conjunction(self.bdds, (whole,)), self.scope | new)

    def some(self, inside: Factor) -> bool:
        return bool(inside.diagram != self.bdds.false)

    def settled(self, p: Factor) -> Factor:
        return p


@dataclass(frozen=True, slots=True)
class _Everywhere(Relation):
    """The states that an agent considers possible, even at assignments that violate the law."""

    def _context(self, law: Law, inside: Factor) -> tuple[Variables, list[Factor]]:
        return law.scope & ~self.observed, [law.all.whole()]

    def meet(self, bdds: Oxidd, other: Relation) -> Relation:
        return _Everywhere(self.observed | other.observed)

    def also(self, observed: Variables, *link: Factor) -> Relation:
        return _Everywhere(self.observed | observed)


class _Functions(DiagramSpace):
    """A space whose quantifiers range over the variables themselves."""

    def instances(self, node: s.Quantifier) -> list[tuple[Space[Factor], Formula]]:
        return [(self, node.body)]

    def quantified(self, node: s.Quantifier, sets: list[Factor]) -> Factor:
        return self._projected(node, sets[0], variable_set(self.vocabulary[p] for p in node.names))
