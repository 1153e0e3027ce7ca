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
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

from kripke_werewolf.errors import FormatError, ModelError, ModelTooLarge, line_and_column, shortened
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, group_of
from kripke_werewolf.language.names import atom_text

if TYPE_CHECKING:
    from kripke_werewolf.models.model import KripkeModel
    from kripke_werewolf.symbolic.structure import KnowledgeStructure

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
        from kripke_werewolf.symbolic.smcdel import answers

        return answers(self, limit=limit)

    def structure(self) -> KnowledgeStructure:
        """Return the knowledge structure, on decision diagrams; states are frozensets of true atoms.

        Raises `ModelError` if no state satisfies the law.
        """
        from kripke_werewolf.symbolic.structure import KnowledgeStructure

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

_WORDS = {
    "Top": "formula", "Bot": "formula", "Not": "~", "not": "~", "iff": "iff",
    "AND": "list", "OR": "list", "XOR": "list", "ONEOF": "list", "K": "K", "Kw": "K",
    "Forall": "quantifier", "ForAll": "quantifier", "Exists": "quantifier",
    "VARS": "VARS", "LAW": "LAW", "OBS": "OBS",
}  # fmt: skip
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
_NUMBERS = re.compile(r"\s*[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*(?!\d)")


class _Token(NamedTuple):
    """A token: its kind (`atom`, `agent`, `formula`, `K`, a sign, a section, …), text and position."""

    kind: str
    text: str
    place: int


# --- reading ---------------------------------------------------------------------------------------

_JUNCTIONS: dict[str, type[s.Infix]] = {"&": s.And, "|": s.Or}
_ARROWS: dict[str, type[s.Infix]] = {"->": s.Implies, "iff": s.Iff}
_KNOWING: dict[str, type[s.Modal]] = {
    "knows that": s.Knows,
    "knows whether": s.KnowsWhether,
    "comknow that": s.Common,
    "comknow whether": s.CommonWhether,
    "distknow that": s.Distributed,
    "distknow whether": s.DistributedWhether,
}
_INNERMOST = re.compile(r"[^][(){}<>-]*\)")
_LONG = 64  # characters of a bracket that is remembered
_FORMULA, _OPERATOR, _QUERY = "a formula", "an operator (& | -> iff)", "a query (TRUE? VALID? WHERE?)"
_Nested: TypeAlias = "Generator[_Nested, Any, Any]"
"""The reading of a part of a formula: it yields the readings of parts of its own, and returns the part."""


class _Reading:
    """The state of the parser; VARS comes first and OBS before the queries, so names are known in time."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source, self.at = text, source, 0
        self.section = ""
        self.atoms: dict[str, None] = {}
        self.agents: dict[str, None] = {}
        self.begun: tuple[str, ...] = ()  # agents already read, with whom the next formula begins
        # brackets read: by how they begin, the place of the last one, and the formulas in it
        self.brackets: dict[tuple[str, bool, str], tuple[slice, list[Formula]]] = {}
        self.token = self.read()

    def file(self) -> SmcdelFile:
        """Parse the whole file."""
        self.take("VARS", "VARS")
        vocabulary = self.atoms_listed()
        self.take("LAW", "LAW", "','")
        law = self.formula("OBS")
        self.next()
        observables: dict[str, tuple[str, ...]] = {}
        while self.token.kind == "agent":
            agent = self.next().text
            self.take(":", "':'")
            observables[agent] = self.atoms_listed() if self.token.kind == "atom" else ()
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
            state = self.atoms_listed() if self.token.kind == "atom" else ()
            self.take("}", "'}'", "','")
        found = self.formula("query", "end")
        return Query(kind, found, state, _plain(self.text[start : self.token.place]))

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
            kind = _WORDS.get(text, group)
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
            self.error(place, f"{name} is not in VARS")
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
        token = self.token
        ended = token.kind == "end"
        found = "the file ends too early" if ended else f"unexpected {token.text!r}"
        place = len(self.text.rstrip()) if ended else token.place
        self.error(place, f"{found}; expected {' or '.join(expected)}")

    def error(self, place: int, reason: str) -> NoReturn:
        line, column, _ = line_and_column(self.text, place)
        raise FormatError(f"{self.source}, line {line}, column {column}: {shortened(reason)}")

    def listed(self, kind: str) -> dict[str, None]:
        """Read a list of atoms or of agents; return each once, in order."""
        found = {self.take(kind, f"an {kind}").text: None}
        while self.token.kind == ",":
            known = kind == "atom" and self.section != "VARS"
            ahead = _NUMBERS.match(self.text, self.at) if known else None
            numbers = dict.fromkeys(map(str, map(int, ahead[0].split(",")))) if ahead else {}
            if ahead and numbers.keys() <= self.atoms.keys():  # at once, as most lists are of numbers
                found |= numbers
                self.at = ahead.end()
                self.next()
            else:
                self.next()
                found[self.take(kind, f"an {kind}").text] = None
        return found

    def atoms_listed(self) -> tuple[str, ...]:
        """Read a list of atoms."""
        return tuple(self.listed("atom"))

    def agents_listed(self) -> tuple[str, ...]:
        """Read a list of agents."""
        return group_of(self.listed("agent"))

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
            return (yield self.known_by(agents or self.agents_listed()))
        if kind not in ("atom", "formula", "(", "~", "list", "K", "quantifier", "[", "<"):
            self.fail(_FORMULA)
        self.next()
        match kind:
            case "atom":
                return s.Atom(text)
            case "formula":
                return s.TRUE if text == "Top" else s.FALSE
            case "(":
                return (yield self.parenthesis())[0]
            case "~":
                return s.Not((yield self.operand()))
            case "list":
                self.take("(", "'('")
                return _LISTS[text]((yield self.bracketed(")", several=True)))
            case "K":
                agent = self.take("agent", "an agent").text
                return (s.Knows if text == "K" else s.KnowsWhether)._make((agent,), ((yield self.arrows()),))
            case "quantifier":
                names = self.atoms_listed()
                return (s.Exists if text == "Exists" else s.Forall)(names, (yield self.arrows()))
        return (yield self.announcement(s.Box if kind == "[" else s.Diamond))

    def bracketed(self, closing: str, *, several: bool = False) -> _Nested:
        """Read the formula before the end of a bracket, or several with commas between them.

        Innermost and long brackets that have been read before are not read again. (The law comes first, and
        what is read in it may stand anywhere.)
        """
        start, text, whole = self.token.place, self.text, not self.begun
        inner = _INNERMOST.match(text, start) if closing == ")" else None
        key = closing, several, inner[0] if inner else text[start : start + _LONG]
        if whole and (known := self.brackets.get(key)):
            same, formulas = known
            end = start + same.stop - same.start
            if text[same] == text[start:end]:
                self.at = end
                self.token = self.read()
                return formulas
        found = [(yield self.arrows())]
        while several and self.token.kind == ",":
            self.next()
            found.append((yield self.arrows()))
        if self.token.kind != closing:
            infix = [] if self.token.kind == "end" else [_OPERATOR]
            comma = ["','"] if several and self.token.kind in (")", "]", ">") else []
            self.fail(*infix, *comma, f"'{closing}'")
        end = self.token.place + 1
        if whole and (inner or end - start > _LONG):
            self.brackets[key] = slice(start, end), found
        self.next()
        return found

    def parenthesis(self, *, several: bool = False) -> _Nested:
        """Read the text after "(": a group with a knowledge operator, or formulas."""
        agents = self.agents_listed() if self.token.kind == "agent" else ()
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
        return s.conjunction(operator._make(agents, (body,)) for body in bodies)

    def announcement(self, kind: type[s.Dynamic]) -> _Nested:
        """Read an announcement and its formula."""
        group = self.agents_listed() if self.token.kind == "agent" else None
        whether = self.token.kind == "?"
        if whether:
            self.next()
        self.take("!", "'!'", *([] if whether else ["'?!'"]), *([] if group or whether else ["an agent"]))
        (content,) = yield self.bracketed("]" if kind is s.Box else ">")
        after = kind(s.Announce(content, group, whether or group is not None), (yield self.operand()))
        if group is None or whether:
            return after
        return (s.Implies if kind is s.Box else s.And)(content, after)


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


def _plain(text: str) -> str:
    return " ".join(" ".join(line.partition("--")[0] for line in text.splitlines()).split())


# --- writing ---------------------------------------------------------------------------------------

# literals of the law: about four bytes of text each
_MOST_LITERALS = 20_000_000
_KEYWORDS = frozenset({*_WORDS, "TRUE", "VALID", "WHERE", "knows", "comknow", "distknow"})


def to_smcdel(model: KripkeModel, *, named: bool = False) -> str:
    """Return an S5 model as an SMCDEL text file without queries.

    The worlds become the states of a knowledge structure with the same facts and knowledge (van Benthem, van
    Eijck, Gattinger and Su 2018, definition 14). Fresh atoms are added where the atoms do not determine the
    world or its cell for some agent.

    SMCDEL numbers its atoms: comments in the file give the meaning of each number and the original names of
    renamed agents. With `named`, atoms keep their names, which `read_smcdel` reads and SMCDEL does not.
    Names, weights and designation of worlds are lost.

    >>> from kripke_werewolf import KripkeModel
    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w"], ["v"]], "b": [["w", "v"]]}, {"p": ["w"]})
    >>> print(to_smcdel(m), end="")
    -- 1: p
    -- 2: true at every state, for b, who observes nothing
    VARS 1,2
    LAW OR(AND(1,2),AND(~1,2))
    OBS a: 1
        b: 2

    Raises `ModelError` if some relation is not an equivalence or a name cannot be kept, and `ModelTooLarge`
    if the law would have too many literals.
    """
    from kripke_werewolf.models.model import Numbered

    if not len(model):
        raise ModelError("a model without worlds cannot be written: no state law would fit")
    size = len(model)
    meanings = [str(atom_text(atom)) for atom in model.atoms]
    columns: list[list[bool]] = []
    places = Numbered(model)
    for atom in model.atoms:
        true = set(places.numbers(s.Atom(atom)))
        columns.append([w in true for w in range(size)])

    def add(new: Sequence[list[bool]], meaning: str) -> range:
        columns.extend(new)
        meanings.extend([meaning] * len(new))
        return range(len(columns) - len(new), len(columns))

    observed: dict[str, list[int]] = {}
    for agent in model.agents:
        cells = places.classes(agent)
        if cells is None:
            flaw = model.frame_flaws("S5")[agent]
            raise ModelError(f"SMCDEL files hold S5 models: the relation of agent {agent} is {flaw}")
        seen = constant_on(columns[: len(model.atoms)], cells)
        number = {w: k for k, cell in enumerate(cells) for w in cell}
        fresh = separating([columns[i] for i in seen], [number[w] for w in range(size)])
        observed[agent] = [*seen, *add(fresh, f"observed by {agent} only")]
    add(separating(columns, range(size)), "tells apart states that agree in all else")
    for agent, seen in observed.items():
        if not seen:
            seen += add([[True] * size], f"true at every state, for {agent}, who observes nothing")
    if not columns:
        add([[True] * size], "true at the only state")
    if len(columns) * size > _MOST_LITERALS:
        raise ModelTooLarge(size, _MOST_LITERALS // len(columns), "the state law", "contract the model first")

    names = _atom_names(model.atoms, len(columns), named)
    agents = _agent_names(list(observed), names)
    told = zip(names, meanings, strict=True)
    lines = [f"-- {name}: {meaning}" for name, meaning in told if name not in (meaning, meaning.strip('"'))]
    lines += [f"-- {new}: agent {atom_text(agent)}" for agent, new in agents.items() if agent != new]
    lines += [f"VARS {','.join(names)}", f"LAW {_law(names, columns, size)}"]
    sights = [f"{agents[agent]}: {','.join(names[i] for i in seen)}" for agent, seen in observed.items()]
    return "\n".join([*lines, "OBS " + "\n    ".join(sights)]) + "\n"


def constant_on(columns: Sequence[list[bool]], cells: Sequence[Sequence[int]]) -> list[int]:
    """Return the numbers of the columns that have one value on each cell: the atoms that an agent knows."""
    return [
        i for i, column in enumerate(columns) if all(len({column[w] for w in cell}) == 1 for cell in cells)
    ]


def separating(columns: Sequence[list[bool]], labels: Sequence[int]) -> list[list[bool]]:
    """Return columns that separate worlds with different labels that agree in the given columns."""
    ranks: dict[Any, dict[int, int]] = {}
    rank = []
    for w, label in enumerate(labels):
        here = ranks.setdefault(tuple(column[w] for column in columns), {})
        rank.append(here.setdefault(label, len(here)))
    return [[r >> bit & 1 == 1 for r in rank] for bit in range(max(rank, default=0).bit_length())]


def _atom_names(atoms: Sequence[str], number: int, named: bool) -> list[str]:
    """Return names for the atoms of the file: the given ones where possible, then fresh ones."""
    if named:
        for atom in atoms:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*|0|[1-9][0-9]*", atom) or atom in _KEYWORDS:
                raise ModelError(f"atom {atom!r} cannot keep its name in an SMCDEL file; use named=False")
        fresh = (name for i in range(1, 10**9) if (name := f"fresh{i}") not in atoms)
        return [*atoms, *(next(fresh) for _ in range(number - len(atoms)))]
    if all(re.fullmatch(r"0|[1-9][0-9]*", atom, re.ASCII) for atom in atoms):
        start = max(map(int, atoms), default=0) + 1
        return [*atoms, *map(str, range(start, start + number - len(atoms)))]
    return [str(i) for i in range(1, number + 1)]


def _agent_names(agents: Sequence[str], atoms: Sequence[str]) -> dict[str, str]:
    """Return the name of each agent in the file: its own if that is a word."""
    taken = {*agents, *atoms}
    fresh = (name for i in range(1, 10**9) if (name := f"agent{i}") not in taken)
    return {
        agent: agent
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", agent) and agent not in {*_KEYWORDS, *atoms}
        else next(fresh)
        for agent in agents
    }


def _law(names: Sequence[str], columns: Sequence[list[bool]], size: int) -> str:
    if size == 2 ** len(columns):
        return "Top"
    literals = [(f"~{name}", name) for name in names]
    states = [
        f"AND({','.join(pair[value] for pair, value in zip(literals, row, strict=True))})"
        for row in zip(*columns, strict=True)
    ]
    return states[0] if size == 1 else f"OR({','.join(states)})"
