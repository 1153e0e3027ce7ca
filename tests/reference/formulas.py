"""Formulas read by lark, from a grammar of their language."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer

from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas.names import read_group, read_name
from kripke_werewolf.logic.formulas.operators import LinearSum, Term
from kripke_werewolf.logic.formulas.syntax import rational

OF_GROUP = {
    "E": f.Everyone, "Em": f.EveryoneDual, "Ew": f.EveryoneWhether, "Sk": f.SomeoneKnows,
    "C": f.Common, "Cm": f.CommonDual, "Cw": f.CommonWhether,
    "D": f.Distributed, "Dm": f.DistributedDual, "Dw": f.DistributedWhether,
    "hatE": f.EveryoneDual, "hatC": f.CommonDual, "hatD": f.DistributedDual,
}  # fmt: skip
AGENT = "a"  # whom an operator without an index is about
RELATIONS = {"≥": ">=", "≤": "<=", "≠": "!=", "\\geq": ">=", "\\leq": "<=", "\\neq": "!="}


class Misread(Exception):
    """A token that means nothing."""


def _agent(token: Token) -> str:
    members = read_group(str(token))
    if len(members) != 1:
        raise Misread(token)
    return members[0]


def _whole(token: Token) -> str:
    if not token.isdecimal():
        raise Misread(token)
    return str(token)


def _of_group(args: list[Any]) -> f.Formula:
    letters = re.sub(r"\\mathit|[^A-Za-z]", "", str(args[0]).partition("_")[0])
    return OF_GROUP[letters](read_group(str(args[0])), args[1])


def _within(args: list[Any]) -> f.Formula:
    sign, _, condition, body = args
    kind = type(_of_group([sign, body]))
    assert issubclass(kind, f.Common | f.CommonDual | f.CommonWhether)
    return kind(read_group(str(sign)), body, within=condition)


def _bare(args: list[Any]) -> f.Formula:
    letters = re.sub(r"[{} ]", "", str(args[0])).replace("\\hatK", "M").replace("\\", "")
    if letters in OF_GROUP:
        return OF_GROUP[letters](AGENT, args[1])
    kind = {"Kw": f.KnowsWhether, "M": f.Possible, "◇": f.Possible, "<>": f.Possible, "Diamond": f.Possible}
    kind["B"] = f.Believes
    return kind.get(letters, f.Knows)(AGENT, args[1])


def _joined(args: list[Any]) -> f.Formula:
    letters = re.match("[A-Z]+", args[0])
    assert letters
    found: f.Formula = f.Atom(read_name(args[0][letters.end() :]))
    for letter in reversed(letters[0]):
        found = _bare([letter, found])
    return found


def _count(args: list[Any]) -> f.Formula:
    kind = str(args[0]).removeprefix("\\mathsf{").removesuffix("}")
    return f.Count(kind, int(_whole(args[1])), *args[2])


def _compared(args: list[Any]) -> f.Formula:
    left, relation, right = args
    others = [] if isinstance(right, int) else right
    least = right if isinstance(right, int) else len(others)
    parts = [*left, *(f.Not(p) for p in others)]
    match RELATIONS.get(str(relation), str(relation)):
        case ">=":
            return f.atleast(least, *parts)
        case ">":
            return f.atleast(least + 1, *parts)
        case "<=":
            return f.atmost(least, *parts)
        case "<":
            return ~f.atleast(least, *parts)
        case "=":
            return f.exactly(least, *parts)
    return ~f.exactly(least, *parts)


def _probability(args: list[Any]) -> f.Formula:
    left, relation, right = args
    if not left.terms and not right.terms:
        raise Misread(relation)
    found: f.Formula = left.compared(RELATIONS.get(str(relation), str(relation)), right)
    return found


# what each alternative of the grammar builds
BUILD: dict[str, Callable[[list[Any]], Any]] = {
    "of_group": _of_group,
    "within": _within,
    "bare": _bare,
    "joined": _joined,
    "count": _count,
    "compared": _compared,
    "counted": lambda args: args[0],
    "whole": lambda args: int(_whole(args[0])),
    "probability": _probability,
    "start": lambda args: args[0],
    "sum": lambda args: args[0],
    "comparison": lambda args: args[0],
    "names": lambda args: args,
    "formulas": lambda args: args,
    "word": lambda args: read_name(str(args[0])),
    "numbered": lambda args: _whole(args[0]),
    "atom": lambda args: f.Atom(args[0]),
    "true": lambda args: f.TRUE,
    "false": lambda args: f.FALSE,
    "negation": lambda args: f.Not(args[0]),
    "conjunction": lambda args: f.And(*args),
    "exclusive": lambda args: f.Xor(*args),
    "disjunction": lambda args: f.Or(*args),
    "implies": lambda args: f.Implies(*args),
    "iff": lambda args: f.Iff(*args),
    "oneof": lambda args: f.oneof(*args[0]),
    "knows": lambda args: f.Knows(_agent(args[0]), args[1]),
    "believes": lambda args: f.Believes(_agent(args[0]), args[1]),
    "possible": lambda args: f.Possible(_agent(args[0]), args[1]),
    "knows_whether": lambda args: f.KnowsWhether(_agent(args[0]), args[1]),
    "knows_value": lambda args: f.KnowsValue(_agent(args[0]), args[1]),
    "words_knows": lambda args: f.Knows(*args),
    "words_knows_whether": lambda args: f.KnowsWhether(*args),
    "everywhere": lambda args: f.Everywhere(args[0]),
    "somewhere": lambda args: f.Somewhere(args[0]),
    "forall": lambda args: f.Forall(*args),
    "exists": lambda args: f.Exists(*args),
    "box": lambda args: f.Box(*args),
    "diamond": lambda args: f.Diamond(*(x for x in args if not isinstance(x, str))),
    "announce": lambda args: f.Announce(args[0]),
    "announce_whether": lambda args: f.Announce(args[0], whether=True),
    "announce_to": lambda args: f.Announce(args[1], args[0]),
    "announce_whether_to": lambda args: f.Announce(args[1], args[0], whether=True),
    "act": lambda args: f.Act(args[0]),
    "act_event": lambda args: f.Act(args[0], args[1]),
    "number": lambda args: LinearSum((), rational(str(args[0]))),
    "chance": lambda args: LinearSum([Term(Fraction(1), _agent(args[0]), args[1])]),
    "multiple": lambda args: LinearSum([Term(rational(str(args[0])), _agent(args[1]), args[2])]),
    "negative": lambda args: -args[0],
    "plus": lambda args: args[0] + args[1],
    "minus": lambda args: args[0] - args[1],
}


class Builder(Transformer[Token, Any]):
    """Builds the node for each rule of the grammar."""

    def __getattr__(self, rule: str) -> Callable[[list[Any]], Any]:
        if rule in BUILD:
            return BUILD[rule]
        raise AttributeError(rule)


@cache
def _lark() -> Lark:
    grammar = Path(__file__).with_name("formulas.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=False)


def read(text: str) -> f.Formula:
    """Read a formula, with operators without an index about `AGENT`; any exception if it is invalid."""
    for dollars in ("$$", "$"):
        inside = text.strip().removeprefix(dollars).removesuffix(dollars)
        if text.strip() == dollars + inside + dollars and "$" not in inside:
            text = inside
    return Builder().transform(_lark().parse(text))  # type: ignore[no-any-return]
