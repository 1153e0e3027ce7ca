"""Formulas in plain English, and back.

A fixed set of sentences, each with one reading: "Player 2 knows that player 3 does not know that
player 4 is a wolf." is K_2 ~K_3 wolf_4. Every construct is told by its first words and has as many
parts as these announce:

* atoms: "player 4 is a wolf" (`wolf_4`; likewise seer, villager, good, evil, dead, the dominant
  wolf, the alpha wolf, …), "p is true"; denied: "is not a wolf", "p is false";
* "it is not the case that …", "both … and …", "either … or …" (or both), "all of …, … and …", "at
  least one of …, … or …", "if …, then …", "it is the case that … exactly when …";
* "a knows that …", "a knows whether …", "a considers it possible that …", and the same with "does not
  know" and "does not consider";
* "everyone among a, b and c knows that …", "it is common knowledge among a and b that …" (or "whether
  …"), "it is distributed knowledge among a and b that …", and with "not".

An agent that is a number is "player 2", one that is a word is that word, and any other name, of an
agent or an atom, is put in quotation marks; `people` gives agents other names. A comma before "and",
"or" and "then" is for the eye.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from kripke_werewolf.errors import FormulaError, FormulaSyntaxError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula, group_of
from kripke_werewolf.language.phrases import (
    ATOMS_OF_ROLES,
    KNOWLEDGE,
    PHRASES,
    RESERVED,
    VERBS,
    WORD,
    People,
    quoted,
)

__all__ = ["from_sentence", "to_sentence"]

# --- writing -------------------------------------------------------------------------------------

_WORDS_OF_VERBS = {meaning: words for words, meaning in VERBS.items()}
_WORDS_OF_KNOWLEDGE = {meaning: words for words, meaning in KNOWLEDGE.items()}


def to_sentence(f: FormulaLike, *, people: Mapping[Any, str] | None = None) -> str:
    """Return a formula as an English sentence; `people` gives agents names of their own.

    >>> to_sentence("K_2 ~K_3 wolf_4")
    'Player 2 knows that player 3 does not know that player 4 is a wolf.'
    >>> to_sentence("C_{a,b} (p -> Kw_a q)", people={"a": "Ann", "b": "Bob Lee"})
    'It is common knowledge among Ann and Bob Lee that if p is true, then Ann knows whether q is true.'

    Raises `FormulaError` for an operator that no sentence here expresses, and for names in `people`
    that a reader of the sentence could not tell from its other words.
    """
    names = People(people)
    out: list[str] = []
    stack: list[Formula | str] = [formula(f)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            stack.extend(reversed(_pieces(piece, names)))
    text = "".join(out)
    # names stay as they are: `a` and `A` may be two agents
    first = re.match(rf"{WORD}(?=\s)", text)
    return (text[0].upper() + text[1:] if first and first[0] in RESERVED else text) + "."


def _pieces(node: Formula, people: People) -> list[Formula | str]:
    match node:
        case s.Atom(name):
            return [people.fact(name, denied=False)]
        case s.Not(s.Atom(name)):
            return [people.fact(name, denied=True)]
        case s.Constant(value):
            return ["truth holds" if value else "falsehood holds"]
        case s.And((f, g)):
            return ["both ", f, *_last("and", f), g]
        case s.Or((f, g)):
            return ["either ", f, *_last("or", f), g]
        case s.And(parts):
            return _listed("all of ", parts, "and")
        case s.Or(parts):
            return _listed("at least one of ", parts, "or")
        case s.Implies(f, g):
            return ["if ", f, ", then ", g]
        case s.Iff(f, g):
            return ["it is the case that ", f, " exactly when ", g]
    denied = isinstance(node, s.Not)
    inner = node.body if isinstance(node, s.Not) else node
    if words := _modal(inner, denied, people):
        return [words, inner.children[0]]
    if denied:
        return ["it is not the case that ", inner]
    said = "~ & | -> <->, K, M, Kw, E, C, Cw, D and Dw"
    raise FormulaError(f"no sentence here says {node}; there are words only for {said}")


def _modal(node: Formula, denied: bool, people: People) -> str:
    """Return the words of a modal operator up to its body, or nothing for another operator."""
    meaning = type(node), denied
    if meaning in _WORDS_OF_VERBS:
        return f"{people.said(node.label[0])} {_WORDS_OF_VERBS[meaning]} "
    if meaning in _WORDS_OF_KNOWLEDGE:
        opening, joint = _WORDS_OF_KNOWLEDGE[meaning]
        return f"{opening} {people.all_said(node.label)} {joint} "
    if isinstance(node, s.Everyone):
        return f"{'not ' if denied else ''}everyone among {people.all_said(node.group)} knows that "
    return ""


def _listed(head: str, parts: tuple[Formula, ...], joint: str) -> list[Formula | str]:
    pieces: list[Formula | str] = [head]
    for part in parts[:-2]:
        pieces += [part, ", "]
    return [*pieces, parts[-2], *_last(joint, parts[-2]), parts[-1]]


def _last(joint: str, before: Formula) -> list[str]:
    # after more than a fact, a comma shows that "and" does not belong to what precedes it
    fact = before.body if isinstance(before, s.Not) else before
    return [f" {joint} " if isinstance(fact, s.Atom) else f", {joint} "]


# --- reading -------------------------------------------------------------------------------------


def from_sentence(text: str, *, people: Mapping[Any, str] | None = None) -> Formula:
    """Read a sentence that `to_sentence` writes; the capital and the full stop may be missing.

    >>> print(from_sentence("Player 2 knows that player 3 does not know that player 4 is a wolf."))
    K_2 ~K_3 wolf_4

    Raises `FormulaSyntaxError`, which shows the place and what was expected there.
    """
    if not isinstance(text, str):
        raise FormulaError(f"expected the text of a sentence, got {text!r}")
    from lark import Token
    from lark.exceptions import UnexpectedToken

    parser = _lark().parse_interactive("")
    try:
        for kind, value, position in _tokens(text, People(people)):
            parser.feed_token(Token(kind, value, position))
        found: Formula = parser.feed_token(Token("$END", "", _end(text)))
    except UnexpectedToken as error:
        raise _syntax_error(text, error.token, parser.accepts()) from None
    return found


def _phrase(words: str, flags: str = "") -> str:
    return r"\s+".join(f"(?{flags}:{re.escape(word)})" for word in words.split()) + r"(?![\w'])"


@cache
def _phrases() -> re.Pattern[str]:
    def any_of(phrases: Iterable[str]) -> str:
        # in any capitals, but without the letters beyond ASCII that Unicode takes for capitals
        return "|".join(_phrase(words, "ai") for words in sorted(phrases, key=len, reverse=True))

    roles = any_of(ATOMS_OF_ROLES)
    return re.compile(
        rf"""(?P<SPACE> \s+ )
        | (?P<IS_NOT> (?ai:is) \s+ (?ai:not) \s+ (?P<is_not> {roles} ) )
        | (?P<IS> (?ai:is) \s+ (?P<is> {roles} ) )
        | (?P<PHRASE> ,\s* (?P<joint> {any_of(["and", "or", "then"])} ) | {any_of(PHRASES)} )
        | (?P<PLAYER> (?ai:player) \s+ (?P<number> [0-9]+ ) (?![\w']) )
        | (?P<QUOTED> "(?: [^"\\\n] | \\. )*" )
        | (?P<WORD> {WORD} )
        | (?P<_COMMA> , )""",
        re.VERBOSE,
    )


def _end(text: str) -> int:
    """Return where a sentence ends: before the full stop, if there is one."""
    return len(text.rstrip().removesuffix(".").rstrip())


def _tokens(text: str, people: People) -> Iterator[tuple[str, str, int]]:
    """Yield kind, value and place of the phrases and names of a sentence."""
    longest_first = sorted(people.agents, key=len, reverse=True)
    persons = re.compile("|".join(map(_phrase, longest_first)) or r"(?!)")
    position, end = 0, _end(text)
    while position < end:
        if person := persons.match(text, position, end):
            yield "PERSON", people.agents[" ".join(person[0].split())], position
            position = person.end()
            continue
        found = _phrases().match(text, position, end)
        if found is None:
            raise _misread(text, position, f"unexpected {quoted(text[position])}")
        kind, value = str(found.lastgroup), found[0]
        match kind:
            case "PLAYER":
                value = found["number"]
            case "QUOTED":
                kind, value = "WORD", _unquoted(text, position, value)
            case "IS" | "IS_NOT":
                value = ATOMS_OF_ROLES[_plain(found[kind.lower()])]
            case "PHRASE":
                value = _plain(found["joint"] or value)
                kind = PHRASES[value]
        if kind != "SPACE":
            yield kind, value, position
        position = found.end()


def _plain(words: str) -> str:
    return " ".join(words.lower().split())


def _unquoted(text: str, position: int, token: str) -> str:
    try:
        name = str(json.loads(token, strict=False))
    except ValueError:
        raise _misread(text, position, f"{token} is not quoted as in JSON") from None
    if not name:
        raise _misread(text, position, "a name is empty")
    return name


def _misread(text: str, position: int, found: str) -> FormulaSyntaxError:
    return FormulaSyntaxError(text, position, (), found, what="sentence")


_CLAUSE = "a clause (player 2 knows that …, p is true, both … and …, if …)"
_READABLE = {
    "IS": "'is a wolf' (a seer, dead, …)",
    "KNOWS_THAT": "'knows that'",
    "VERB": "'considers it possible that'",
    "_IS_TRUE": "'is true'",
    "THAT": "'that'",
    "WHETHER": "'whether'",
    "_AND": "'and'",
    "_OR": "'or'",
    "_THEN": "'then'",
    "_EXACTLY_WHEN": "'exactly when'",
    "_COMMA": "','",
    "PLAYER": "a name",
    "$END": "the end",
}


def _syntax_error(text: str, token: Any, accepted: set[str]) -> FormulaSyntaxError:
    if "_BOTH" in accepted:
        expected = [_CLAUSE]
    else:
        expected = [readable for terminal, readable in _READABLE.items() if terminal in accepted]
    position = int(token.start_pos)
    if token.type == "$END":
        found = "the sentence ends too early" if text.strip() else "the sentence is empty"
    else:
        word = re.compile(r"\w[\w']*|.").match(text, position)
        found = f"unexpected {quoted(word[0] if word else text[position])}"
    return FormulaSyntaxError(text, position, expected, found, what="sentence")


class _Builder:
    """Builds the formula for each rule of the grammar; the methods bear the names of its alternatives."""

    def start(self, args: list[Any]) -> Formula:
        found: Formula = args[0]
        return found

    def agent(self, args: list[Any]) -> str:
        return str(args[0])

    def group(self, args: list[Any]) -> tuple[str, ...]:
        return tuple(args)

    def clauses(self, args: list[Any]) -> list[Formula]:
        return args

    def true(self, args: list[Any]) -> Formula:
        return s.TRUE

    def false(self, args: list[Any]) -> Formula:
        return s.FALSE

    def is_true(self, args: list[Any]) -> Formula:
        return s.Atom(str(args[0]))

    def is_false(self, args: list[Any]) -> Formula:
        return ~s.Atom(str(args[0]))

    def is_role(self, args: list[Any]) -> Formula:
        agent, role = args
        return s.Atom(f"{role}_{agent}")

    def is_not_role(self, args: list[Any]) -> Formula:
        return ~self.is_role(args)

    def negation(self, args: list[Any]) -> Formula:
        return s.Not(args[0])

    def conjunction(self, args: list[Any]) -> Formula:
        return s.And(*args)

    def disjunction(self, args: list[Any]) -> Formula:
        return s.Or(*args)

    def all_of(self, args: list[Any]) -> Formula:
        return s.And(*args[0], args[1])

    def any_of(self, args: list[Any]) -> Formula:
        return s.Or(*args[0], args[1])

    def implies(self, args: list[Any]) -> Formula:
        return s.Implies(*args)

    def iff(self, args: list[Any]) -> Formula:
        return s.Iff(*args)

    def of_agent(self, args: list[Any]) -> Formula:
        agent, words, body = args
        operator, denied = VERBS[str(words)]
        return _denied(operator._make((agent,), (body,)), denied)

    def everyone(self, args: list[Any]) -> Formula:
        words, group, _, body = args
        return _denied(s.Everyone(group, body), words.startswith("not"))

    def of_group(self, args: list[Any]) -> Formula:
        opening, group, joint, body = args
        operator, denied = KNOWLEDGE[str(opening), str(joint)]
        return _denied(operator._make(group_of(group), (body,)), denied)


def _denied(f: Formula, denied: bool) -> Formula:
    return ~f if denied else f


@cache
def _lark() -> Any:
    from lark import Lark

    return Lark.open(
        "sentences.lark", rel_to=__file__, parser="lalr", transformer=_Builder(), maybe_placeholders=False
    )
