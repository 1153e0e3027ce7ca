"""The exception classes of the library.

Every error of the library is a `KripkeError` and also the matching builtin exception, so a caller may
catch either. A message quotes the invalid value, and says what is wrong with it and what is allowed.
The command line prints only the message, on standard error, with exit code 2.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from math import log10
from typing import Any, Self, TypeVar

__all__ = [
    "CallError",
    "DiagramTooLarge",
    "FalseAnnouncement",
    "FormatError",
    "FormulaError",
    "FormulaSyntaxError",
    "GameError",
    "IllegalMove",
    "KripkeError",
    "ModelError",
    "ModelTooLarge",
    "Undecided",
    "UnknownActionError",
    "UnknownAgentError",
    "UnknownAtomError",
    "UnknownNameError",
    "UnknownVariableError",
    "UnknownWorldError",
]

T = TypeVar("T")


class KripkeError(Exception):
    """Base class of all errors this library raises on purpose.

    Errors can be pickled, so that they can be returned from another process.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[KripkeError], args: tuple[Any, ...], attributes: dict[str, Any]) -> KripkeError:
    # the constructors take other arguments than the message that `args` holds
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class FormulaError(KripkeError, ValueError):
    """A formula that cannot be built, or has no meaning where it is used.

    For example, validity of formulas with probabilities cannot be decided. Use another operator, or check
    the formula in one model.
    """


class CallError(KripkeError, TypeError):
    """A call with arguments that are missing, surplus, in the wrong order or of the wrong kind.

    The message shows the right call, such as `kw.K("a", "p")`. An unknown attribute is an `AttributeError`,
    which suggests similar ones.
    """


class FormulaSyntaxError(FormulaError):
    """A string that is not a formula, or (`what`) not a sentence for one.

    A caret marks the first character that cannot be read, and `did you mean` suggests a formula.

    Attributes: `text`, the whole input; `position`, the index at which parsing failed (0-based, `len(text)`
    at the end); `found`, the error there; `expected`, readable names of what was expected there; `meant`, a
    suggestion for what was probably meant, if there is one.
    """

    def __init__(
        self,
        text: str,
        position: int,
        expected: Sequence[str],
        found: str,
        *,
        what: str = "formula",
        meant: str | None = None,
        remark: str = "",
    ) -> None:
        self.text, self.position, self.expected = text, position, tuple(expected)
        self.found, self.what, self.meant, self.remark = found, what, meant, remark
        number, column, line = line_and_column(text, position)
        where = f"line {number}, column {column}" if "\n" in text else f"column {column}"
        wanted = f"; expected {' or '.join(self.expected)}" if self.expected else ""
        hint = f"\ndid you mean: {meant}" if meant else ""
        also = f"\n{remark}" if remark else ""
        super().__init__(
            f"cannot read the {what} at {where}: {cut_off(found, 800)}{wanted}\n"
            f"{pointed(line, column - 1)}{hint}{also}"
        )

    def explained(self, meant: str | None, remark: str = "", text: str = "") -> FormulaSyntaxError:
        """Return this error with another suggestion and remark.

        `text`: the longer string that it is about; in the one that was read, its other words are blanks.
        """
        place = text or self.text, self.position, self.expected, self.found
        return FormulaSyntaxError(*place, what=self.what, meant=meant, remark=remark)


def line_and_column(text: str, place: int) -> tuple[int, int, str]:
    r"""Return the line number and the column of a place in a string, and its line.

    >>> line_and_column("p &\nq r", 6)
    (2, 3, 'q r')
    """
    start = text.rfind("\n", 0, place) + 1
    return text.count("\n", 0, place) + 1, place - start + 1, text[start:].partition("\n")[0]


def pointed(line: str, column: int) -> str:
    """Return a line, or if it is long the neighbourhood of a column, with a caret below the column."""
    if len(line) > 100:
        first, last = max(0, column - 60), column + 40
        line = ("…" if first else "") + line[first:last] + ("…" if last < len(line) else "")
        column -= first - bool(first)
    # the caret lines up because every character before it is replaced by one blank (tabs stay)
    blank = "".join("\t" if c == "\t" else " " for c in line[:column])
    return f"  {line}\n  {blank}^"


class UnknownNameError(KripkeError, LookupError):
    """A name that does not occur in the model, game or file.

    Attributes: `kind`, what the name should refer to; `known`, the known names; `near`, the most similar of
    them. `meant` is another suggestion for what was probably meant.
    """

    kind = "name"

    def __init__(
        self,
        name: object,
        known: Iterable[object],
        *,
        kind: str | None = None,
        place: str = "",
        meant: str | None = None,
    ) -> None:
        self.name, self.kind = name, kind or self.kind
        values = tuple(sorted(known, key=str) if isinstance(known, set | frozenset) else known)
        self.known = tuple(map(str, values))
        self.near = tuple(near_misses(str(name), self.known))
        message = f"unknown {self.kind} {str(name)!r}{' in ' + place if place else ''}"
        twin = next((k for k in values if str(k) == str(name)), None)
        if twin is not None:  # the number 0 for the string '0', or the other way round
            quotes = "in quotes" if isinstance(twin, str) else "without quotes"
            message = f"unknown {self.kind} {name!r}{' in ' + place if place else ''}"
            message += f"; did you mean {twin!r}, {quotes}?"
        elif isinstance(name, list | set | dict):
            message += f": it is a {type(name).__name__}, not one {self.kind}"
        elif meant:
            message += f"; did you mean {meant}?"
        elif self.near:
            message += _suggestion(self.near)
        if self.known and (meant or not self.near or len(self.known) <= 12):
            shown = ", ".join(self.known[:24])
            more = f", … ({len(self.known)} in all)" if len(self.known) > 24 else ""
            message += f" (known: {shown}{more})"
        super().__init__(message)


def check_known(
    name: T, known: Collection[object], error: type[UnknownNameError] | None = None, **about: Any
) -> T:
    """Return a name that is among the known ones; raise `UnknownNameError`, or `error`, for any other.

    `about`: the other arguments of the error.

    >>> check_known("Ane", ["Anne", "Bo"], kind="player")
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.UnknownNameError: unknown player 'Ane'; did you mean 'Anne'? (known: Anne, Bo)
    """
    if name not in known:
        raise (error or UnknownNameError)(name, known, **about)
    return name


def cut_off(text: str, most: int = 60) -> str:
    """Return a string of at most `most` characters: without its end if it is longer.

    >>> cut_off("a", 3), cut_off("abcd", 3)
    ('a', 'ab…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def near_misses(name: str, known: Iterable[str], most: int = 3, least: float = 0.7) -> list[str]:
    """Return the known names most similar to `name`, best first; if there are none, those that begin with it.

    Or whose parts do, as in `e_4` for `evil_4`. `least`: how similar they must be, from 0 to 1.

    >>> near_misses("wolf_Alcie", ["wolf_Alice", "wolf_Bob", "seer_Alice"])
    ['wolf_Alice']
    >>> near_misses("muddy", ["muddy-children", "three-wise-men"]), near_misses("evil_4", ["e_1", "e_4"])
    (['muddy-children'], ['e_4'])
    """
    from difflib import get_close_matches

    by_folded = {k.casefold(): k for k in known}
    folded = name.casefold()
    # two letters of three that are exchanged leave two thirds
    near = get_close_matches(folded, by_folded, n=most, cutoff=least if len(name) > 3 else 0.6)
    if not near and len(name) > 2:
        near = [k for k in by_folded if k.startswith(folded) or _shortened(k, folded)][:most]
    return [by_folded[k] for k in near]


def _shortened(one: str, other: str) -> bool:
    pairs = [*zip(one.split("_"), other.split("_"), strict=False)]
    return len(pairs) > 1 and all(max(pair).startswith(min(pair)) for pair in pairs)


def missing_package(what: str, package: str, *, extra: str | None = None) -> str:
    """Return the message that a package is not installed, and how to install it.

    `extra`: the extra of this library that brings the package. Double quotes: every shell reads them.

    >>> missing_package("a table of rows", "duckdb", extra="duckdb")
    'a table of rows needs duckdb, which is not installed: pip install "kripke-werewolf[duckdb]"'
    """
    wanted = package if extra is None else f'"kripke-werewolf[{extra}]"'
    return f"{what} needs {package}, which is not installed: pip install {wanted}"


def did_you_mean(name: object, known: Iterable[str], most: int = 1) -> str:
    """Return the end of a message about an unknown name: the known ones most like it, if there are any.

    >>> did_you_mean("seer_Alcie", ["wolf_Alice", "seer_Alice"])
    "; did you mean 'seer_Alice'?"
    """
    near = near_misses(str(name), known, most)
    return _suggestion(near) if near else ""


def _suggestion(near: Iterable[str]) -> str:
    return f"; did you mean {' or '.join(map(repr, near))}?"


class UnknownAtomError(UnknownNameError):
    """An atom that is not in the valuation of the model.

    Declare an atom that is true nowhere with an empty list: `{"p": []}`.
    """

    kind = "atom"


class UnknownAgentError(UnknownNameError):
    """An agent for whom the model has no accessibility relation.

    Agents are the keys of the relations or partitions.
    """

    kind = "agent"


class UnknownWorldError(UnknownNameError):
    """A world that the model does not contain."""

    kind = "world"


class UnknownActionError(UnknownNameError):
    """A named action, as in `[told]p`, that the caller has not bound, or an event that the action lacks.

    Bind it with `actions={"told": …}`; to announce p, write `[!p]`.
    """

    kind = "action"

    @classmethod
    def unbound(cls, name: str) -> Self:
        """Return the error for an unbound name in `[name]φ`."""
        advice = f"bind it to an action model (actions=…), or write [!{name}] to announce it (or <!{name}>)"
        agent = f"for an agent, write K_{name} for [{name}] and M_{name} for <{name}>"
        return cls(name, (), place=f"the formula; {advice}; {agent}")


class UnknownVariableError(UnknownNameError):
    """A variable, as in `Kv_a(x)`, that the model does not declare."""

    kind = "variable"


class ModelError(KripkeError, ValueError):
    """Parts that do not make a model: unknown worlds in a relation, overlapping classes, …

    The message names the part.
    """


def counted_roughly(number: int) -> str:
    """Return a number in digits, or if it is huge the nearest power of ten.

    >>> counted_roughly(13_041_000), counted_roughly(8 * 10**23)
    ('13,041,000', 'about 10^24')
    """
    return f"{number:,}" if number < 10**12 else f"about 10^{round(log10(number))}"


class ModelTooLarge(ModelError):
    """A model that would exceed the limit; raised before anything is built.

    Make the model smaller, raise the limit if possible, or use the symbolic engine.

    Attributes: `worlds`, the predicted number; `limit`, the number allowed.
    """

    def __init__(self, worlds: int, limit: int, what: str, advice: str) -> None:
        self.worlds, self.limit = worlds, limit
        size = counted_roughly(worlds)
        super().__init__(f"{what} would have {size} worlds, above the limit of {limit:,}; {advice}")


class DiagramTooLarge(ModelError, MemoryError):
    """Decision diagrams that exceed, or certainly would exceed, the memory limit of their manager.

    List related atoms next to each other in the vocabulary, or allow more memory.

    Attributes: `nodes`, the actual or predicted number of nodes; `limit`, the number allowed.
    """

    def __init__(
        self,
        nodes: int,
        limit: int,
        advice: str = "allow more (bdds=Oxidd(nodes=…)), or list related atoms next to each other in the "
        "vocabulary",
    ) -> None:
        self.nodes, self.limit = nodes, limit
        if nodes > limit:  # foreseen
            about = counted_roughly(nodes).removeprefix("about ")
            much = f"would need about {about} nodes, above the limit of {limit:,}"
        else:
            much = f"need more than the limit of {limit:,} nodes ({nodes:,} in use)"
        super().__init__(f"the decision diagrams {much}; {advice}")


class FalseAnnouncement(KripkeError, ValueError):
    """An announcement or action that can happen at no designated world.

    Announce something true, or designate a world where it is.

    Attributes: `formula`, the announced formula or the precondition; `worlds`, the designated worlds,
    where it is false; only the first few if worlds are not listed. `count`: the number of designated
    worlds, if `worlds` does not list them all.
    """

    def __init__(
        self,
        formula: object,
        worlds: Sequence[object],
        *,
        what: str = "announcement",
        count: int | None = None,
    ) -> None:
        self.formula, self.worlds = formula, tuple(worlds)
        number = len(self.worlds) if count is None else count
        shown = ", ".join(map(str, self.worlds[:5])) + (", …" if number > 5 else "")
        plural = "the designated world" if number == 1 else f"all {number:,} designated worlds"
        super().__init__(f"false {what}: {formula} is false at {plural} ({shown})")


class Undecided(KripkeError, RuntimeError):
    """A question that was not answered within its limit of time, steps or memory.

    Raise the limit, which the message names, or ask about a smaller formula or game.
    """


class FormatError(KripkeError, ValueError):
    """A file or string that cannot be read.

    The message names the file, the place in it, and what was expected there.
    """


class GameError(KripkeError, ValueError):
    """A game that cannot be set up or continued: impossible decks, unknown options, …"""


class IllegalMove(GameError):
    """A move that the rules do not allow now.

    The game is unchanged; the message says which moves are allowed.
    """


# tracebacks name errors by their short address, as programs import them
_ADDRESS = "kripke_werewolf.errors"
sys.modules[_ADDRESS] = sys.modules[__name__]
for _name in __all__:
    globals()[_name].__module__ = _ADDRESS
