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
from kripke_werewolf.formulas import syntax as s
from kripke_werewolf.formulas.names import read_group, read_name
from kripke_werewolf.formulas.probability import LinearSum, Term

if TYPE_CHECKING:
    from kripke_werewolf.updates.action import ActionModel

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
    """A token that the grammar admits but that names no agent or number."""

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


class _Builder:
    """Builds the node for each rule of the grammar; the methods bear the names of its alternatives."""

    def start(self, args: list[Any]) -> Any:
        return args[0]

    def names(self, args: list[Any]) -> list[str]:
        return [str(a) for a in args]

    def formulas(self, args: list[Any]) -> list[s.Formula]:
        return args

    def word(self, args: list[Any]) -> str:
        return read_name(str(args[0]))

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
        value = Fraction(str(number))
        if value.denominator != 1:
            raise _Misread(number, f"{word} needs a whole number")
        return s.Count(word, int(value), *parts)

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
        return s.Knows(str(args[0]), args[1])

    def words_knows_whether(self, args: list[Any]) -> s.Formula:
        return s.KnowsWhether(str(args[0]), args[1])

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
        return s.Announce(args[1], s.group_of(args[0]))

    def announce_whether_to(self, args: list[Any]) -> s.Announce:
        return s.Announce(args[1], s.group_of(args[0]), whether=True)

    def act(self, args: list[Any]) -> s.Act:
        return s.Act(args[0])

    def act_event(self, args: list[Any]) -> s.Act:
        return s.Act(args[0], str(args[1]))

    def number(self, args: list[Any]) -> LinearSum:
        return LinearSum((), Fraction(str(args[0])))

    def chance(self, args: list[Any]) -> LinearSum:
        return LinearSum([Term(Fraction(1), _agent(args[0]), args[1])])

    def multiple(self, args: list[Any]) -> LinearSum:
        return LinearSum([Term(Fraction(str(args[0])), _agent(args[1]), args[2])])

    def sum(self, args: list[Any]) -> LinearSum:
        return args[0]  # type: ignore[no-any-return]

    def negative(self, args: list[Any]) -> LinearSum:
        return -args[0]  # type: ignore[no-any-return]

    def plus(self, args: list[Any]) -> LinearSum:
        return args[0] + args[1]  # type: ignore[no-any-return]

    def minus(self, args: list[Any]) -> LinearSum:
        return args[0] - args[1]  # type: ignore[no-any-return]

    def comparison(self, args: list[Any]) -> str:
        symbols = {"≥": ">=", "≤": "<=", "≠": "!=", "\\geq": ">=", "\\leq": "<=", "\\neq": "!="}
        return symbols.get(str(args[0]), str(args[0]))

    def probability(self, args: list[Any]) -> s.Formula:
        left, relation, right = args
        return left.compared(relation, right)  # type: ignore[no-any-return]


@cache
def _lark() -> Any:
    # imported and built on first use: about 0.1 s that a program without texts never pays
    from lark import Lark

    return Lark.open(
        "grammar.lark", rel_to=__file__, parser="lalr", transformer=_Builder(), maybe_placeholders=False
    )


# what the terminals of the grammar are called in messages
_FORMULA = "a formula (an atom, ~, K_a, [!p], '(' …)"
_OPERATOR = "an operator (& ^ | -> <->)"
_READABLE = {
    "_NOT": _FORMULA,
    "_AND": _OPERATOR,
    "_LPAR": "'('",
    "_SEMICOLON": "';'",
    "_DOT": "'.'",
    "_BANG": "'!'",
    "_WHETHER": "'knows whether'",
    "_PLUS": "'+'",
    "COMPARISON": "a comparison (>= > <= < = !=)",
    "NUMBER": "a number",
    "NAME": "a name",
    "PROBABILITY": "P_a(…)",
}
_CLOSING = {"(": "')'", "[": "']'", "": "the end"}
_CLOSING_TERMINALS = frozenset({"_RPAR", "_RSQUARE", "MORE", "$END", "COMMA"})


def _syntax_error(text: str, error: Any) -> FormulaSyntaxError:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    wanted = set(getattr(error, "allowed", None) or getattr(error, "expected", None) or ())
    if isinstance(error, UnexpectedCharacters):
        position = int(error.pos_in_stream or 0)
        found = f"unexpected {json.dumps(text[position], ensure_ascii=False)}"
    elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
        position = int(error.token.start_pos or 0)
        found = f"unexpected {json.dumps(str(error.token), ensure_ascii=False)}"
    else:
        position = len(text.rstrip())
        found = "the text ends too early" if text.strip() else "the text is empty"
    return FormulaSyntaxError(text, position, _expected(wanted, text[:position]), found)


def _expected(terminals: set[str], before: str) -> list[str]:
    if "_NOT" in terminals:  # wherever a negation may stand, any formula may
        return [_FORMULA]
    if "_AND" in terminals:  # a formula is complete: it may go on, or what encloses it may end
        readable = [_OPERATOR] if "COMPARISON" not in terminals or "_WHETHER" in terminals else []
        return [
            *readable,
            *(["'knows whether'"] if "_WHETHER" in terminals else []),
            _CLOSING[_innermost(before)],
        ]
    return [_READABLE[t] for t in _READABLE if t in terminals] + (
        [_CLOSING[_innermost(before)]] if terminals & _CLOSING_TERMINALS else []
    )


def _innermost(text: str) -> str:
    """Return the bracket that is open at the end of the text, or nothing."""
    stack = [""]
    for character in text:
        if character in "([":
            stack.append(character)
        elif character in ")]" and len(stack) > 1:
            stack.pop()
    return stack[-1]
