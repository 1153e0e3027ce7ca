"""SMCDEL's text files (`.smcdel.txt`): knowledge structures and questions about them.

SMCDEL (Gattinger 2018, *New Directions in Model Checking Dynamic Epistemic Logic*) takes a
vocabulary, a state law, what each agent observes, and queries. Files are read with exactly its
precedence, which is not that of `parse`: see the grammar file beside this module. Beyond SMCDEL,
atoms may have names, and an agent may observe nothing.

In these files an announcement to a group, `[a,b ! φ]ψ`, is semi-private: where φ is true the group
learns it and the others see that they learn whether it is; so it is read as φ -> [a,b?!φ]ψ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from kripke_werewolf.errors import FormatError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula

if TYPE_CHECKING:
    from kripke_werewolf.models.model import KripkeModel
    from kripke_werewolf.symbolic.structure import KnowledgeStructure

__all__ = ["Answer", "Query", "SmcdelFile", "read_smcdel"]

Answer: TypeAlias = bool | list[list[int | str]]
"""Of `TRUE?` and `VALID?` a truth value, of `WHERE?` the states, each the list of its true atoms."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question of an SMCDEL file."""

    kind: str
    """`TRUE?`, `VALID?` or `WHERE?`."""
    formula: Formula
    state: tuple[str, ...] | None
    """The true atoms of the state that a `TRUE?` asks about."""
    text: str
    """The question as it stands in the file, without comments and line breaks."""


@dataclass(frozen=True, slots=True)
class SmcdelFile:
    """What an SMCDEL file says: a knowledge structure and queries."""

    vocabulary: tuple[str, ...]
    """The atoms; integers as texts."""
    law: Formula
    """The state law, a boolean formula: the states are the sets of atoms that satisfy it."""
    observables: Mapping[str, tuple[str, ...]]
    """For each agent the atoms that it observes."""
    queries: tuple[Query, ...]

    def answers(self, *, limit: int = 1_000_000) -> list[Answer]:
        """Return the answers to the queries, in order, as SMCDEL gives them (integers for integers).

        Raises `ModelTooLarge` if a `WHERE?` has more than `limit` states for an answer.
        """
        from kripke_werewolf.symbolic.smcdel import answers

        return answers(self, limit=limit)

    def structure(self) -> KnowledgeStructure:
        """Return the knowledge structure, on decision diagrams; states are frozensets of true atoms.

        Raises `ModelError` for a law that no state satisfies.
        """
        from kripke_werewolf.symbolic.structure import KnowledgeStructure

        return KnowledgeStructure(self.vocabulary, self.law, self.observables)

    def model(self) -> KripkeModel:
        """Return the explicit S5 model, whose worlds are the states.

        Raises `ModelTooLarge` if they are too many, and `ModelError` if there are none.
        """
        return self.structure().to_explicit()


def read_smcdel(text: str, *, source: str = "<text>") -> SmcdelFile:
    """Read an SMCDEL file, given as a text; `source` is what errors call it.

    >>> file = read_smcdel("VARS 1,2 LAW 1 | 2 OBS alice: 1 bob: 2 WHERE? K alice 2 VALID? 1 | 2 & 1")
    >>> file.answers()
    [[[2]], False]

    Raises `FormatError` that names line and column for a text that is no such file, for atoms that
    are not in VARS and agents that are not in OBS, and for an agent with two lines in OBS.
    """
    from lark.exceptions import UnexpectedInput

    try:
        vocabulary, law, observables, queries = _lark().parse(text)
    except UnexpectedInput as error:
        raise FormatError(f"{_place(source, text, error)}: {_reason(text, error)}") from None
    except _Misplaced as error:
        line, column = error.token.line, error.token.column
        raise FormatError(f"{source}, line {line}, column {column}: {error.reason}") from None
    starts = [start for start, *_ in queries[1:]] + [len(text)]
    return SmcdelFile(
        tuple(dict.fromkeys(vocabulary)),
        law,
        observables,
        tuple(
            Query(kind, formula, state, _plain(text[start:end]))
            for (start, kind, state, formula), end in zip(queries, starts, strict=False)
        ),
    )


def _plain(text: str) -> str:
    return " ".join(" ".join(line.partition("--")[0] for line in text.splitlines()).split())


class _Misplaced(Exception):
    """A token that the grammar admits, but not in this place or not again."""

    def __init__(self, token: Any, reason: str) -> None:
        self.token, self.reason = token, reason


class _Names:
    """Tells atoms from agents, and checks that both are declared, as the tokens pass.

    VARS comes first and OBS before the queries, so at every token it is known what there is.
    """

    always_accept = ("NAME", "NUMBER")

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        atoms: set[str] = set()
        agents: set[str] = set()
        section = ""
        for token in stream:
            if token.type in ("_VARS", "_LAW", "_OBS", "TRUE_AT", "VALID", "WHERE"):
                section = token.type
            elif not section:
                raise _Misplaced(token, f"expected VARS, with which a file begins, got {token.strip()!r}")
            elif token.type in self.always_accept:
                token = self.named(token, section, atoms, agents)
            elif section == "_LAW" and token.type in _NOT_BOOLEAN:
                raise _Misplaced(token, f"the law must be boolean, without {token.strip()!r}")
            yield token

    @staticmethod
    def named(token: Any, section: str, atoms: set[str], agents: set[str]) -> Any:
        number = token.type == "NUMBER"
        name = (token.lstrip("0") or "0") if number else str(token)
        if section == "_VARS":
            atoms.add(name)
        kind = "ATOM" if number or name in atoms else "AGENT"
        if kind == "ATOM" and name not in atoms:
            raise _Misplaced(token, f"atom {name} is not in VARS")
        if kind == "AGENT" and section == "_LAW":
            raise _Misplaced(token, f"{name} is not in VARS")
        if kind == "AGENT" and section == "_OBS":
            if name in agents:
                raise _Misplaced(token, f"agent {name} has a line in OBS already")
            agents.add(name)
        elif kind == "AGENT" and name not in agents:
            raise _Misplaced(token, f"{name} is neither an agent in OBS nor an atom in VARS")
        return type(token).new_borrow_pos(kind, name, token)


_NOT_BOOLEAN = frozenset({"_K", "_KW", "LSQB", "LESSTHAN"})


class _Builder:
    """Builds the value of each rule of the grammar; the methods bear the names of its alternatives."""

    def start(self, args: list[Any]) -> tuple[Any, ...]:
        vocabulary, law, *rest = args
        observables = {r[0]: r[1] for r in rest if len(r) == 2}
        return vocabulary, law, observables, [r for r in rest if len(r) == 4]

    def observation(self, args: list[Any]) -> tuple[str, tuple[str, ...]]:
        return str(args[0]), args[1] if len(args) > 1 else ()

    def true_at(self, args: list[Any]) -> tuple[Any, ...]:
        return args[0].start_pos, "TRUE?", args[1], args[2]

    def valid(self, args: list[Any]) -> tuple[Any, ...]:
        return args[0].start_pos, "VALID?", None, args[1]

    def where(self, args: list[Any]) -> tuple[Any, ...]:
        return args[0].start_pos, "WHERE?", None, args[1]

    def state(self, args: list[Any]) -> tuple[str, ...]:
        return args[0] if args else ()

    def atoms(self, args: list[Any]) -> tuple[str, ...]:
        return tuple(map(str, args))

    agents = atoms

    def formulas(self, args: list[Any]) -> list[Formula]:
        return args

    def atom(self, args: list[Any]) -> Formula:
        return s.Atom(str(args[0]))

    def true(self, args: list[Any]) -> Formula:
        return s.TRUE

    def false(self, args: list[Any]) -> Formula:
        return s.FALSE

    def negation(self, args: list[Any]) -> Formula:
        return s.Not(args[0])

    def both(self, args: list[Any]) -> Formula:
        left, right = args
        found: Formula = left & right
        return found

    def either(self, args: list[Any]) -> Formula:
        left, right = args
        found: Formula = left | right
        return found

    def implies(self, args: list[Any]) -> Formula:
        return s.Implies(*args)

    def iff(self, args: list[Any]) -> Formula:
        return s.Iff(*args)

    def all_of(self, args: list[Any]) -> Formula:
        return s.conjunction(args[0])

    def any_of(self, args: list[Any]) -> Formula:
        return s.disjunction(args[0])

    def odd_of(self, args: list[Any]) -> Formula:
        parts: list[Formula] = args[0]
        return s.Xor(*parts) if len(parts) > 1 else parts[0]

    def one_of(self, args: list[Any]) -> Formula:
        return s.oneof(*args[0])

    def knows(self, args: list[Any]) -> Formula:
        return s.Knows(*args)

    def knows_whether(self, args: list[Any]) -> Formula:
        return s.KnowsWhether(*args)

    def knows_whether_each(self, args: list[Any]) -> Formula:
        agent, first, others = args
        return s.conjunction(s.KnowsWhether(agent, f) for f in (first, *others))

    def common(self, args: list[Any]) -> Formula:
        return s.Common(*args)

    def common_whether(self, args: list[Any]) -> Formula:
        return s.CommonWhether(*args)

    def distributed(self, args: list[Any]) -> Formula:
        return s.Distributed(*args)

    def distributed_whether(self, args: list[Any]) -> Formula:
        return s.DistributedWhether(*args)

    # an announcement is read as (what must be true, None for nothing; the library's announcement)

    def public(self, args: list[Any]) -> tuple[Formula | None, s.Announce]:
        return None, s.Announce(args[0])

    def whether(self, args: list[Any]) -> tuple[Formula | None, s.Announce]:
        return None, s.Announce(args[0], whether=True)

    def to_group(self, args: list[Any]) -> tuple[Formula | None, s.Announce]:
        return args[1], s.Announce(args[1], args[0], whether=True)

    def whether_to_group(self, args: list[Any]) -> tuple[Formula | None, s.Announce]:
        return None, s.Announce(args[1], args[0], whether=True)

    def box(self, args: list[Any]) -> Formula:
        (condition, update), body = args
        after = s.Box(update, body)
        return after if condition is None else s.Implies(condition, after)

    def diamond(self, args: list[Any]) -> Formula:
        (condition, update), body = args
        after = s.Diamond(update, body)
        return after if condition is None else s.And(condition, after)

    def forall(self, args: list[Any]) -> Formula:
        return s.Forall(*args)

    def exists(self, args: list[Any]) -> Formula:
        return s.Exists(*args)


@cache
def _lark() -> Any:
    from lark import Lark

    return Lark.open(
        "smcdel.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="basic",
        postlex=_Names(),
        transformer=_Builder(),
        maybe_placeholders=False,
    )


# what the terminals of the grammar are called in messages
_READABLE = {
    "_VARS": "VARS",
    "_LAW": "LAW",
    "_OBS": "OBS",
    "_TOP": "a formula",
    "_AND": "an operator (& | -> iff)",
    "_KNOWS_THAT": "'knows that', 'knows whether'",
    "_COMKNOW_THAT": "'comknow that', 'comknow whether', 'distknow that', 'distknow whether'",
    "LBRACE": "a state {…}",
    "AGENT": "an agent",
    "ATOM": "an atom",
    "COLON": "':'",
    "COMMA": "','",
    "BANG": "'!'",
    "QMARK": "'?!'",
    "LPAR": "'('",
    "RPAR": "')'",
    "RSQB": "']'",
    "MORETHAN": "'>'",
    "RBRACE": "'}'",
    "WHERE": "a query (TRUE? VALID? WHERE?)",
    "$END": "the end",
}


def _place(source: str, text: str, error: Any) -> str:
    if getattr(getattr(error, "token", None), "type", None) == "$END":
        lines = text.rstrip().split("\n")
        return f"{source}, line {len(lines)}, column {len(lines[-1]) + 1}"
    return f"{source}, line {error.line}, column {error.column}"


def _reason(text: str, error: Any) -> str:
    from lark.exceptions import UnexpectedCharacters

    if isinstance(error, UnexpectedCharacters):
        return f"unexpected {text[int(error.pos_in_stream or 0)]!r}"
    found = "the file ends too early" if error.token.type == "$END" else f"unexpected {str(error.token)!r}"
    accepted = set(error.accepts or ())
    if "_TOP" in accepted:  # where a formula may begin, atoms and agents may
        accepted -= {"ATOM", "AGENT", "LPAR"}
    expected = [readable for terminal, readable in _READABLE.items() if terminal in accepted]
    return f"{found}; expected {' or '.join(expected)}" if expected else found
