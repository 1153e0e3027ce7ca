"""Splits a story into statements `word arguments "label": content`.

A statement begins on a new line; lines that are indented further continue it. `#` begins a
comment. Blank lines are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from kripke_werewolf.base.reader import Part, begin
from kripke_werewolf.errors import FormulaSyntaxError, KripkeError, UnknownAgentError, UnknownAtomError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import QUOTED
from kripke_werewolf.language.reading import understand
from kripke_werewolf.models.model import KripkeModel

_COMMENT = re.compile(rf"{QUOTED}|(?:(?<=\s)|^)#[^\n]*", re.MULTILINE)
"""Quoted strings, which may contain `#`, and comments."""
_ACT = rf'(?:{QUOTED}|[^":\n\[\]<>])+'  # on either side of the colon in [name:event]
_ARGUMENTS = rf"(?:{QUOTED}|\[{_ACT}:{_ACT}\]|<{_ACT}:{_ACT}>|[^\":\n])*?"
_HEAD = re.compile(rf"(\w+)({_ARGUMENTS})\s*({QUOTED})?[ \t]*(:|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, and its word, arguments, label and content; `quoted`: the label in quotes."""

    whole: Part
    word: Part
    arguments: Part
    quoted: Part
    content: Part

    @property
    def label(self) -> str:
        """The label without its quotes."""
        return self.quoted.text[1:-1]


def statements(part: Part) -> Iterator[Statement]:
    """Yield the statements in a part of a story."""
    for block in part.blocks():
        found = _HEAD.match(block.text)
        if found is None:
            block.fail('expected a statement: a word, perhaps names and a "label", a colon')
        if not found[4]:
            block.fail(f"expected ':' after {found[0].strip()!r}", found.end(3 if found[3] else 2))
        word, arguments, quoted = (block.group(found, number) for number in (1, 2, 3))
        yield Statement(block, word, arguments, quoted, block.cut(found.end()))


def cells(part: Part) -> list[list[Part]]:
    """Return cells of names: names separated by spaces, cells by commas."""
    return [[cell.group(word) for word in re.finditer(r"\S+", cell.text)] for cell in part.split()]


def cell_of(
    cells: Iterable[Iterable[Part]], names: Sequence[str], kind: str, whose: str = ""
) -> dict[str, int]:
    """Return the cell number of each name; a name in no cell gets its own."""
    found = {name: -number for number, name in enumerate(names)}
    for number, cell in enumerate(cells, 1):
        for part in cell:
            if found[part.known(names, kind)] > 0:
                part.fail(f"{part.text!r} is in two cells{whose}")
            found[part.text] = number
    return found


# --- of any text -----------------------------------------------------------------------------------


def without_comments(text: str) -> str:
    """Replace comments by spaces, so that positions stay the same."""
    return _COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " " * len(m[0]), text)


def read_formula(
    text: str,
    model: KripkeModel | None,
    refuse: Callable[[str, int], NoReturn],
    *,
    agents: Collection[str] | None = None,
    groups: Mapping[str, Iterable[object]] | None = None,
    phrases: Mapping[str, str] | None = None,
) -> Formula:
    """Return the formula in a string, over the atoms and agents of the model, if one is given.

    `refuse` raises the error, from a message and a position in the string; `agents` and `groups` are as in
    `parse`, `phrases` as in `to_sentence`.
    """
    try:
        atoms = None if model is None else model.valuation
        found = understand(text, agents=agents, atoms=atoms, groups=groups, phrases=phrases).formula
        if model is not None:
            model.where(found)
    except FormulaSyntaxError as error:
        meant = f"; did you mean {error.meant}?" if error.meant else ""
        refuse(str(error).split("\n", 1)[0].partition(": ")[2] + meant, error.position)
    except (UnknownAtomError, UnknownAgentError) as error:
        refuse(str(error), place_of(str(error.name), text))
    except KripkeError as error:  # such as an action or variable that the model does not have
        refuse(str(error), begin(text))
    return found


def place_of(name: str, text: str) -> int:
    """Return the position of a name in a string; its beginning if the name is not found in this form."""
    found = re.search(rf"(?<![^\W_]){re.escape(name)}(?!\w)", text)
    return found.start() if found else begin(text)
