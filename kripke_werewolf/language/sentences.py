"""Formulas in plain English, and back.

A fixed set of sentences, each with one reading: "Player 2 knows that player 3 does not know that
player 4 is a wolf." is K_2 ~K_3 wolf_4. Every construct is told by its first words and has as many
parts as these announce:

* atoms: "player 4 is a wolf" (`wolf_4`; likewise seer, villager, good, evil, dead, the dominant
  wolf, the alpha wolf, …), "p is true"; denied: "is not a wolf", "p is false";
* "it is not the case that …", "both … and …", "either … or …" (or both), "all of …, … and …", "at
  least one of …, … or …", "if …, then …", "it is the case that … exactly when …";
* modal operators, by the words of their declarations: "a knows that …", "everyone among a, b and c
  knows that …", "it is common knowledge among a and b whether …", and their denials.

An agent that is a number is "player 2", one that is a word is that word, and any other name, of an
agent or an atom, is put in quotation marks; `people` gives agents other names. A comma before "and",
"or" and "then" is for the eye.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from kripke_werewolf.errors import FormulaError, FormulaSyntaxError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, agent_name, formula, group_of, read_off

# --- the words -----------------------------------------------------------------------------------

_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)
# what the atom `wolf_4` says of player 4
_ROLES = {"wolf": "a wolf", "seer": "a seer", "villager": "a villager", "dominant": "the dominant wolf"}
_ROLES |= {word: word for word in ("good", "evil", "dead")}
_ROLES |= {letter: f"the {letter} wolf" for letter in _GREEK}
_ATOMS_OF_ROLES = {words: stem for stem, words in _ROLES.items()}

_IS_TRUE, _IS_FALSE = "is true", "is false"
_CONSTANTS = {"truth holds": s.TRUE, "falsehood holds": s.FALSE}
_WORD = r"\w[\w']*"


class _Construct(NamedTuple):
    """A construct of two or more clauses: its opening words, the word before the last clause, its formula."""

    opening: str
    joint: str
    several: bool
    build: Callable[..., Formula]


_CONSTRUCTS = (
    _Construct("both", "and", False, s.And),
    _Construct("either", "or", False, s.Or),
    _Construct("all of", "and", True, s.And),
    _Construct("at least one of", "or", True, s.Or),
    _Construct("if", "then", False, s.Implies),
    _Construct("it is the case that", "exactly when", False, s.Iff),
)
_NOT_SO = "it is not the case that"


class _Phrase(NamedTuple):
    """The words of a modal operator, or of its denial, before and after its agents."""

    kind: type[s.Modal]
    denied: bool
    head: str
    tail: str

    def of(self, agents: tuple[str, ...], body: Formula) -> Formula:
        """Return the formula that the words say of a body."""
        found = self.kind._make(group_of(agents), (body,))
        return ~found if self.denied else found


@read_off
def _phrases(operators: tuple[type[Formula], ...]) -> tuple[_Phrase, ...]:
    found = []
    for kind in operators:
        if issubclass(kind, s.Modal) and kind.english is not None:
            for number, words in enumerate(kind.english):
                if words:
                    head, _, tail = words.partition("{}")
                    found.append(_Phrase(kind, number % 2 == 1, head.strip(), tail.strip()))
    return tuple(found)


@read_off
def _vocabulary(operators: tuple[type[Formula], ...]) -> frozenset[str]:
    """Return all phrases but names and roles."""
    found = {_NOT_SO, _IS_TRUE, _IS_FALSE, *_CONSTANTS}
    found.update(words for c in _CONSTRUCTS for words in (c.opening, c.joint))
    return frozenset(found.union(*((p.head, p.tail) for p in _phrases())) - {""})


@read_off
def _reserved(operators: tuple[type[Formula], ...]) -> frozenset[str]:
    # a phrase is known by its first word, which is therefore no name, unless quoted
    return frozenset({"is", "player", *(words.split()[0] for words in _vocabulary())})


class _People:
    """What agents and atoms are called in sentences."""

    def __init__(self, people: Mapping[Any, str] | None) -> None:
        self.names = {agent_name(agent): name for agent, name in (people or {}).items()}
        self.agents = {name: agent for agent, name in self.names.items()}
        if len(self.agents) < len(self.names):
            raise FormulaError(f"two people have the same name: {', '.join(sorted(self.names.values()))}")
        for name in self.agents:
            words = name.split() if isinstance(name, str) else []
            if not words or name != " ".join(words) or not re.fullmatch(r"[\w'.\- ]+", name):
                raise FormulaError(f"a person's name consists of words, got {name!r}")
            if clash := [word for word in words if word.lower() in _reserved()]:
                raise FormulaError(f"the word {clash[0]!r} of {name!r} has a meaning of its own in sentences")

    def said(self, agent: str) -> str:
        """Return what an agent is called."""
        if agent in self.names:
            return self.names[agent]
        if agent.isdecimal() and agent.isascii():
            return f"player {agent}"
        return _in_quotes(agent) if agent in self.agents else _word(agent)

    def all_said(self, group: tuple[str, ...]) -> str:
        """Return what the agents of a group are called: `a, b and c`."""
        *others, last = map(self.said, group)
        return f"{', '.join(others)} and {last}" if others else last

    def fact(self, atom: str, *, denied: bool) -> str:
        """Return the clause that says, or denies, an atom."""
        stem, _, agent = atom.partition("_")
        if stem in _ROLES and agent:
            return f"{self.said(agent)} is {'not ' if denied else ''}{_ROLES[stem]}"
        return (
            f"{_in_quotes(atom) if atom in self.agents else _word(atom)} {_IS_FALSE if denied else _IS_TRUE}"
        )


def _word(name: str) -> str:
    return name if re.fullmatch(_WORD, name) and name.lower() not in _reserved() else _in_quotes(name)


def _in_quotes(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


# --- writing -------------------------------------------------------------------------------------


def to_sentence(f: FormulaLike, *, people: Mapping[Any, str] | None = None) -> str:
    """Return a formula as an English sentence; `people` gives agents names of their own.

    >>> to_sentence("K_2 ~K_3 wolf_4")
    'Player 2 knows that player 3 does not know that player 4 is a wolf.'
    >>> to_sentence("C_{a,b} (p -> Kw_a q)", people={"a": "Ann", "b": "Bob Lee"})
    'It is common knowledge among Ann and Bob Lee that if p is true, then Ann knows whether q is true.'

    Raises `FormulaError` for an operator that no sentence here expresses, and for names in `people`
    that a reader of the sentence could not tell from its other words.
    """
    called = _People(people)
    out: list[str] = []
    stack: list[Formula | str] = [formula(f)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            stack.extend(reversed(_pieces(piece, called)))
    text = "".join(out)
    # names stay as they are: `a` and `A` may be two agents
    first = re.match(rf"{_WORD}(?=\s)", text)
    return (text[0].upper() + text[1:] if first and first[0] in _reserved() else text) + "."


def _pieces(node: Formula, people: _People) -> list[Formula | str]:
    match node:
        case s.Atom(name):
            return [people.fact(name, denied=False)]
        case s.Not(s.Atom(name)):
            return [people.fact(name, denied=True)]
        case s.Constant():
            return [next(words for words, value in _CONSTANTS.items() if value is node)]
    several = len(node.children) > 2
    for construct in _CONSTRUCTS:
        if construct.build is type(node) and construct.several == several:
            return _constructed(construct, node.children)
    inner, denied = (node.body, True) if isinstance(node, s.Not) else (node, False)
    if isinstance(inner, s.Modal) and inner.english is not None:
        words = inner.english.denies if denied else inner.english.says
        return [(words.format(people.all_said(inner.label)) if inner.label else words) + " ", inner.body]
    if denied:
        return [f"{_NOT_SO} ", inner]
    letters = [p.kind.spelling.ascii for p in _phrases() if not p.denied]
    said = ", ".join(dict.fromkeys(letters))
    raise FormulaError(f"no sentence here says {node}; there are words only for ~ & | -> <-> and {said}")


def _constructed(construct: _Construct, parts: tuple[Formula, ...]) -> list[Formula | str]:
    *others, last = parts
    pieces: list[Formula | str] = [f"{construct.opening} "]
    for part in others:
        pieces += [part, ", "]
    # after more than a fact, a comma shows that "and" does not belong to what precedes it
    fact = others[-1].body if isinstance(others[-1], s.Not) else others[-1]
    plain = construct.joint == "exactly when" or (isinstance(fact, s.Atom) and construct.joint != "then")
    return [*pieces[:-1], f"{' ' if plain else ', '}{construct.joint} ", last]


_DEEP = 6  # operators that a clause spells out before it quotes the formula


def clause(f: Formula, value: bool = True, *, believers: Collection[str] = ()) -> str:
    """Return the clause that a formula is true, or that it is false, with Boolean operators in signs.

    `believers`: the agents whose K reads "believes", because they may be wrong.

    >>> clause(s.Knows(2, "~wolf_4")), clause(s.Not(s.KnowsWhether("b", "p")), False)
    ('player 2 knows that player 4 is not a wolf', 'b knows whether p is true')
    >>> clause(s.Knows("a", s.Knows("b", "p")), False, believers={"b"})
    'a does not know that b believes that p is true'
    """
    head = ""
    for _ in range(_DEEP):
        match f:
            case s.Not(body):
                f, value = body, not value
                continue
            case s.Modal() if f.english is not None:
                says, denies, believes, disbelieves = f.english
                if believes and not {*f.label}.isdisjoint(believers):
                    says, denies = believes, disbelieves
                head += (says if value else denies).format(names(f.label)) + " "
            case s.KnowsValue(agent, variable):
                verb = "knows" if value else "does not know"
                return f"{head}{subject(agent)} {verb} the value of {variable}"
            case s.Atom(name):
                return head + _People(None).fact(name, denied=not value)
            case _:
                break
        f, value = f.body, True
    return f"{head}{quoted(f)} is {'true' if value else 'false'}"


def quoted(f: Formula) -> str:
    """Return the text of a formula, in parentheses if it is an infix operator."""
    return f"({f})" if isinstance(f, s.Infix) else str(f)


def subject(agent: str) -> str:
    """Return an agent as it is called in sentences: a number is a player."""
    return f"player {agent}" if agent.isdecimal() else agent


def names(group: Sequence[str]) -> str:
    """Return the names of a group: `a, b and c`, `players 1 and 2`."""
    *others, last = group
    if not others:
        return subject(last)
    numbered = "players " if all(agent.isdecimal() for agent in group) else ""
    return f"{numbered}{', '.join(others)} and {last}"


# --- reading -------------------------------------------------------------------------------------


def from_sentence(text: str, *, people: Mapping[Any, str] | None = None) -> Formula:
    """Read a sentence that `to_sentence` writes; the capital and the full stop may be missing.

    >>> print(from_sentence("Player 2 knows that player 3 does not know that player 4 is a wolf."))
    K_2 ~K_3 wolf_4

    Raises `FormulaSyntaxError`, which shows the place and what was expected there.
    """
    if not isinstance(text, str):
        raise FormulaError(f"expected the text of a sentence, got {text!r}")
    return _Reading(text, _People(people)).formula()


class _Token(NamedTuple):
    """A `PHRASE` (its words), `IS` or `IS_NOT` (a role), a name, a comma or the end."""

    kind: str
    value: str
    place: int


def _phrase(words: str, flags: str = "") -> str:
    return r"\s+".join(f"(?{flags}:{re.escape(word)})" for word in words.split()) + r"(?![\w'])"


@read_off
def _pattern(operators: tuple[type[Formula], ...]) -> re.Pattern[str]:
    def any_of(phrases: Iterable[str]) -> str:
        # in any capitals, but without the letters beyond ASCII that Unicode takes for capitals
        return "|".join(_phrase(words, "ai") for words in sorted(phrases, key=len, reverse=True))

    roles = any_of(_ATOMS_OF_ROLES)
    joints = {c.joint for c in _CONSTRUCTS if c.joint != "exactly when"}
    return re.compile(
        rf"""(?P<SPACE> \s+ )
        | (?P<IS_NOT> (?ai:is) \s+ (?ai:not) \s+ (?P<is_not> {roles} ) )
        | (?P<IS> (?ai:is) \s+ (?P<is> {roles} ) )
        | (?P<PHRASE> ,\s* (?P<joint> {any_of(joints)} ) | {any_of(_vocabulary())} )
        | (?P<PLAYER> (?ai:player) \s+ (?P<number> [0-9]+ ) (?![\w']) )
        | (?P<QUOTED> "(?: [^"\\\n] | \\. )*" )
        | (?P<WORD> {_WORD} )
        | (?P<COMMA> , )""",
        re.VERBOSE,
    )


def _end(text: str) -> int:
    """Return where a sentence ends: before the full stop, if there is one."""
    return len(text.rstrip().removesuffix(".").rstrip())


def _plain(words: str) -> str:
    return " ".join(words.lower().split())


def _tokens(text: str, people: _People) -> Iterator[_Token]:
    longest_first = sorted(people.agents, key=len, reverse=True)
    persons = re.compile("|".join(map(_phrase, longest_first)) or r"(?!)")
    position, end = 0, _end(text)
    while position < end:
        if person := persons.match(text, position, end):
            yield _Token("PERSON", people.agents[" ".join(person[0].split())], position)
            position = person.end()
            continue
        found = _pattern().match(text, position, end)
        if found is None:
            raise _misread(text, position, f"unexpected {_in_quotes(text[position])}")
        kind, value = str(found.lastgroup), found[0]
        match kind:
            case "PLAYER":
                value = found["number"]
            case "QUOTED":
                kind, value = "WORD", _unquoted(text, position, value)
            case "IS" | "IS_NOT":
                value = _ATOMS_OF_ROLES[_plain(found[kind.lower()])]
            case "PHRASE":
                value = _plain(found["joint"] or value)
        if kind != "SPACE":
            yield _Token(kind, value, position)
        position = found.end()
    yield _Token("END", "", end)


def _unquoted(text: str, position: int, token: str) -> str:
    try:
        name = str(json.loads(token, strict=False))
    except ValueError:
        raise _misread(text, position, f"{token} is not quoted as in JSON") from None
    if not name:
        raise _misread(text, position, "a name is empty")
    return name


def _misread(text: str, position: int, found: str, expected: Sequence[str] = ()) -> FormulaSyntaxError:
    return FormulaSyntaxError(text, position, expected, found, what="sentence")


_CLAUSE = "a clause (player 2 knows that …, p is true, both … and …, if …)"
_AGENTS = ("PERSON", "PLAYER", "WORD")


class _Waiting:
    """A construct whose first clauses have been read, or the words of a modal operator or negation."""

    def __init__(
        self, construct: _Construct | None, apply: Callable[[Formula], Formula] | None = None
    ) -> None:
        self.construct, self.apply = construct, apply
        self.parts: list[Formula] = []
        self.last = False  # whether the joint has been read, so that one clause is missing


class _Reading:
    """The state of reading a sentence; constructs wait on a stack, so that depth costs no recursion."""

    def __init__(self, text: str, people: _People) -> None:
        self.text = text
        self.tokens = _tokens(text, people)
        self.token = next(self.tokens)
        self.waiting: list[_Waiting] = []

    def advance(self) -> _Token:
        """Return the token and go to the next."""
        token = self.token
        if token.kind != "END":
            self.token = next(self.tokens)
        return token

    def fail(self, *expected: str) -> NoReturn:
        """Raise an error at the token."""
        if self.token.kind == "END":
            found = "the sentence ends too early" if self.text.strip() else "the sentence is empty"
        else:
            word = re.compile(r"\w[\w']*|.").match(self.text, self.token.place)
            found = f"unexpected {_in_quotes(word[0] if word else self.text[self.token.place])}"
        raise _misread(self.text, self.token.place, found, expected)

    def formula(self) -> Formula:
        """Return the formula that the whole sentence says."""
        while True:
            found = self.opened()
            while found is not None:
                if not self.waiting:
                    if self.token.kind != "END":
                        self.fail("the end")
                    return found
                found = self.completed(self.waiting[-1], found)

    def opened(self) -> Formula | None:
        """Read an atom or constant, or the words that open a construct (None)."""
        token = self.token
        if token.kind in _AGENTS:
            return self.about_agent()
        if token.kind != "PHRASE":
            self.fail(_CLAUSE)
        if token.value in _CONSTANTS:
            return _CONSTANTS[self.advance().value]
        heads = [p for p in _phrases() if p.head and p.head == token.value]
        if heads:
            self.advance()
            self.about_group(heads)
        elif token.value == _NOT_SO:
            self.advance()
            self.waiting.append(_Waiting(None, s.Not))
        else:
            construct = next((c for c in _CONSTRUCTS if c.opening == token.value), None)
            if construct is None:
                self.fail(_CLAUSE)
            self.advance()
            self.waiting.append(_Waiting(construct))
        return None

    def about_agent(self) -> Formula | None:
        """Read what a clause says of an agent or an atom that comes first."""
        name = self.advance()
        token = self.token
        if token.kind in ("IS", "IS_NOT"):
            self.advance()
            atom = s.Atom(f"{token.value}_{name.value}")
            return atom if token.kind == "IS" else ~atom
        if name.kind == "WORD" and token.value in (_IS_TRUE, _IS_FALSE) and token.kind == "PHRASE":
            self.advance()
            return s.Atom(name.value) if token.value == _IS_TRUE else ~s.Atom(name.value)
        verbs = [p for p in _phrases() if not p.head]
        expected = [
            "'is a wolf' (a seer, dead, …)",
            *dict.fromkeys(f"'{p.tail}'" for p in verbs if not p.denied),
        ]
        if name.kind == "WORD":
            expected.append(f"'{_IS_TRUE}'")
        self.about_body(verbs, (name.value,), expected)
        return None

    def about_group(self, heads: list[_Phrase]) -> None:
        """Read a group, and the words that follow it."""
        agents, joined = [self.one_agent()], False
        while not joined and (self.token.kind == "COMMA" or self.token.value == "and"):
            joined = self.advance().value == "and"
            agents.append(self.one_agent())
        if len(agents) > 1 and not joined:
            self.fail("'and'", "','")
        tails = list(dict.fromkeys(f"'{p.tail}'" for p in heads))
        self.about_body(heads, tuple(agents), tails if joined else [*tails, "'and'", "','"])

    def one_agent(self) -> str:
        if self.token.kind not in _AGENTS:
            self.fail("a name")
        return self.advance().value

    def about_body(self, phrases: list[_Phrase], agents: tuple[str, ...], expected: list[str]) -> None:
        """Read the words between the agents and the body of a modal operator."""
        found = [p for p in phrases if self.token.kind == "PHRASE" and p.tail == self.token.value]
        if not found:
            self.fail(*expected)
        self.advance()
        self.waiting.append(_Waiting(None, lambda body: found[0].of(agents, body)))

    def completed(self, top: _Waiting, found: Formula) -> Formula | None:
        """Give a clause to what waits for one; return what that completes (None: it needs another)."""
        if top.apply is not None:
            self.waiting.pop()
            return top.apply(found)
        construct = top.construct
        assert construct is not None
        top.parts.append(found)
        if top.last:
            self.waiting.pop()
            return construct.build(*top.parts)
        if construct.several and self.token.kind == "COMMA":
            self.advance()
            return None
        if self.token.kind != "PHRASE" or self.token.value != construct.joint:
            self.fail(f"'{construct.joint}'", *(["','"] if construct.several else []))
        self.advance()
        top.last = True
        return None
