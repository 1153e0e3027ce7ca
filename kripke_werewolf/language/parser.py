"""Reading formulas from text: ASCII, Unicode and LaTeX, mixed as one likes.

The language is defined by the grammar file beside this module. Parsing is LALR with the nodes
built as they are recognised, so a formula 10,000 operators deep needs no recursion.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from kripke_werewolf.errors import FormulaError, FormulaSyntaxError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import rational
from kripke_werewolf.language.names import read_group, read_name
from kripke_werewolf.language.probability import LinearSum, Term

if TYPE_CHECKING:
    from kripke_werewolf.semantics.action import ActionModel

__all__ = ["parse"]


def parse(text: str, *, actions: Mapping[str, ActionModel] | None = None) -> s.Formula:
    r"""Read a formula.

    `actions` gives the action models that names in `[name]φ` stand for; a name without one stays
    open and can be bound later (`Formula.bind`).

    >>> parse("K_a p -> ~K_b p") == parse(r"K_{a} p \to \neg K_{b} p") == parse("K_a p → ¬K_b p")
    True

    Raises `FormulaSyntaxError`, which shows the place and what was expected there.
    """
    if not isinstance(text, str):
        raise FormulaError(f"expected the text of a formula, got {text!r}")
    from lark.exceptions import UnexpectedInput

    try:
        found: s.Formula = _lark().parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(text, error) from None
    except _Misread as error:
        raise FormulaSyntaxError(text, error.token.start_pos, (), error.why) from None
    return found.bind(**actions) if actions else found


class _Misread(Exception):
    """A token that the grammar admits but that means nothing: a wrong escape, a division by zero."""

    def __init__(self, token: Any, why: str) -> None:
        self.token, self.why = token, why


def _agent(token: Any) -> str:
    members = _group(token)
    if len(members) != 1:
        raise _Misread(token, f"one agent expected, not the group {', '.join(members)}")
    return members[0]


def _group(token: Any) -> tuple[str, ...]:
    try:
        return read_group(str(token))
    except ValueError as error:
        raise _Misread(token, str(error)) from None


def _number(token: Any) -> Fraction:
    try:
        return rational(str(token))
    except FormulaError:
        raise _Misread(token, "not a number that can be used (a division by zero, or too long)") from None


class _Builder:
    """Builds the node for each rule of the grammar; the methods bear the names of its alternatives."""

    def start(self, args: list[Any]) -> Any:
        return args[0]

    def names(self, args: list[Any]) -> list[str]:
        return args

    def formulas(self, args: list[Any]) -> list[s.Formula]:
        return args

    def word(self, args: list[Any]) -> str:
        try:
            return read_name(str(args[0]))
        except ValueError as error:
            raise _Misread(args[0], str(error)) from None

    def numbered(self, args: list[Any]) -> str:
        if not args[0].isdecimal():
            raise _Misread(args[0], "a name or a whole number expected")
        return str(args[0])

    def atom(self, args: list[Any]) -> s.Formula:
        return s.Atom(args[0])

    def true(self, args: list[Any]) -> s.Formula:
        return s.TRUE

    def false(self, args: list[Any]) -> s.Formula:
        return s.FALSE

    def negation(self, args: list[Any]) -> s.Formula:
        return s.Not(args[0])

    def conjunction(self, args: list[Any]) -> s.Formula:
        return s.And(*args)

    def exclusive(self, args: list[Any]) -> s.Formula:
        return s.Xor(*args)

    def disjunction(self, args: list[Any]) -> s.Formula:
        return s.Or(*args)

    def implies(self, args: list[Any]) -> s.Formula:
        return s.Implies(*args)

    def iff(self, args: list[Any]) -> s.Formula:
        return s.Iff(*args)

    def count(self, args: list[Any]) -> s.Formula:
        kind, number, parts = args
        word = str(kind).removeprefix("\\mathsf{").removesuffix("}")
        if not number.isdecimal():
            raise _Misread(number, f"{word} needs a whole number")
        return s.Count(word, int(_number(number)), *parts)

    def oneof(self, args: list[Any]) -> s.Formula:
        return s.oneof(*args[0])

    def knows(self, args: list[Any]) -> s.Formula:
        return s.Knows(_agent(args[0]), args[1])

    def possible(self, args: list[Any]) -> s.Formula:
        return s.Possible(_agent(args[0]), args[1])

    def knows_whether(self, args: list[Any]) -> s.Formula:
        return s.KnowsWhether(_agent(args[0]), args[1])

    def knows_value(self, args: list[Any]) -> s.Formula:
        return s.KnowsValue(_agent(args[0]), args[1])

    def words_knows(self, args: list[Any]) -> s.Formula:
        return s.Knows(args[0], args[1])

    def words_knows_whether(self, args: list[Any]) -> s.Formula:
        return s.KnowsWhether(args[0], args[1])

    def everyone(self, args: list[Any]) -> s.Formula:
        return s.Everyone(_group(args[0]), args[1])

    def common(self, args: list[Any]) -> s.Formula:
        return s.Common(_group(args[0]), args[1])

    def common_whether(self, args: list[Any]) -> s.Formula:
        return s.CommonWhether(_group(args[0]), args[1])

    def distributed(self, args: list[Any]) -> s.Formula:
        return s.Distributed(_group(args[0]), args[1])

    def distributed_whether(self, args: list[Any]) -> s.Formula:
        return s.DistributedWhether(_group(args[0]), args[1])

    def everywhere(self, args: list[Any]) -> s.Formula:
        return s.Everywhere(args[0])

    def somewhere(self, args: list[Any]) -> s.Formula:
        return s.Somewhere(args[0])

    def forall(self, args: list[Any]) -> s.Formula:
        return s.Forall(*args)

    def exists(self, args: list[Any]) -> s.Formula:
        return s.Exists(*args)

    def box(self, args: list[Any]) -> s.Formula:
        return s.Box(*args)

    def diamond(self, args: list[Any]) -> s.Formula:
        update, body = (x for x in args if not isinstance(x, str))
        return s.Diamond(update, body)

    def announce(self, args: list[Any]) -> s.Announce:
        return s.Announce(args[0])

    def announce_whether(self, args: list[Any]) -> s.Announce:
        return s.Announce(args[0], whether=True)

    def announce_to(self, args: list[Any]) -> s.Announce:
        return s.Announce(args[1], args[0])

    def announce_whether_to(self, args: list[Any]) -> s.Announce:
        return s.Announce(args[1], args[0], whether=True)

    def act(self, args: list[Any]) -> s.Act:
        return s.Act(args[0])

    def act_event(self, args: list[Any]) -> s.Act:
        return s.Act(args[0], args[1])

    def number(self, args: list[Any]) -> LinearSum:
        return LinearSum((), _number(args[0]))

    def chance(self, args: list[Any]) -> LinearSum:
        return LinearSum([Term(Fraction(1), _agent(args[0]), args[1])])

    def multiple(self, args: list[Any]) -> LinearSum:
        return LinearSum([Term(_number(args[0]), _agent(args[1]), args[2])])

    def sum(self, args: list[Any]) -> LinearSum:
        return args[0]  # type: ignore[no-any-return]

    def negative(self, args: list[Any]) -> LinearSum:
        return -args[0]  # type: ignore[no-any-return]

    def plus(self, args: list[Any]) -> LinearSum:
        return args[0] + args[1]  # type: ignore[no-any-return]

    def minus(self, args: list[Any]) -> LinearSum:
        return args[0] - args[1]  # type: ignore[no-any-return]

    def comparison(self, args: list[Any]) -> Any:
        return args[0]

    def probability(self, args: list[Any]) -> s.Formula:
        left, relation, right = args
        if not left.terms and not right.terms:
            raise _Misread(relation, "a comparison needs a probability P_a(…) on one of its sides")
        return left.compared(_RELATIONS.get(str(relation), str(relation)), right)  # type: ignore[no-any-return]


_RELATIONS = {"≥": ">=", "≤": "<=", "≠": "!=", "\\geq": ">=", "\\leq": "<=", "\\neq": "!="}


@cache
def _lark() -> Any:
    # imported and built on first use: about 0.1 s that a program without texts never pays
    from lark import Lark

    return Lark.open(
        "grammar.lark", rel_to=__file__, parser="lalr", transformer=_Builder(), maybe_placeholders=False
    )


# what the terminals of the grammar are called in messages
_FORMULA = "a formula (an atom, ~, K_a, [!p], '(' …)"
_READABLE = {
    "_AND": "an operator (& ^ | -> <->)",
    "_THAT": "'knows that'",
    "_WHETHER": "'knows whether'",
    "_PLUS": "'+'",
    "_TIMES": "'*'",
    "COMPARISON": "a comparison (>= > <= < = !=)",
    "NUMBER": "a number",
    "PROBABILITY": "P_a(…)",
    "NAME": "a name",
    "_LPAR": "'('",
    "_BANG": "'!'",
    "_QUERY": "'?!'",
    "_COLON": "':'",
    "_SEMICOLON": "';'",
    "_DOT": "'.'",
    "COMMA": "','",
    "_RPAR": "')'",
    "_RSQUARE": "']'",
    "_RANGLE": "'>'",
    "$END": "the end",
}


def _syntax_error(text: str, error: Any) -> FormulaSyntaxError:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedCharacters):
        position = int(error.pos_in_stream or 0)
        found = f"unexpected {json.dumps(text[position], ensure_ascii=False)}"
    elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
        position = int(error.token.start_pos or 0)
        found = f"unexpected {json.dumps(str(error.token), ensure_ascii=False)}"
    else:
        position = len(text.rstrip())
        found = "the text ends too early" if text.strip() else "the text is empty"
    parser = getattr(error, "interactive_parser", None)
    accepted = parser.accepts() if parser is not None else set()
    if "_NOT" in accepted:  # wherever a negation may stand, any formula may
        expected = [_FORMULA]
    else:
        expected = [readable for terminal, readable in _READABLE.items() if terminal in accepted]
    return FormulaSyntaxError(text, position, expected, found)
