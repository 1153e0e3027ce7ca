"""Short texts in pictures: names of worlds, atoms and formulas, and how wide they are.

A text is a sequence of runs, so that every writer can typeset `m_1` with an index, and no name of a world or
an agent is ever read as markup.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from sys import maxsize
from typing import Literal, TypeAlias, TypeGuard, TypeVar

from kripke_werewolf.base.display import JOINERS
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.formulas.names import indexed, spellings
from kripke_werewolf.logic.formulas.syntax import all_operators

Style: TypeAlias = Literal["plain", "italic", "index", "bold"]

# the fonts that writers ask for; Verdana is as wide as DejaVu, the others are narrower
FAMILY = ("DejaVu Sans", "Verdana", "Segoe UI", "Helvetica", "Arial", "sans-serif")
INDEX_SCALE = 0.74  # the size of an index, and how far it sits below the line, in ems
INDEX_DROP = 0.22
_SIZES = {"index": INDEX_SCALE, "bold": 1.12}  # how wide a style is, compared with the plain one

# advance widths of DejaVu Sans in hundredths of an em: the characters from blank to tilde
_ASCII = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63,
    61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97,
    63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
]  # fmt: skip
_SYMBOLS = dict.fromkeys("¬→↔⊤⊥∅⊗⊕≥≤", 84) | dict.fromkeys("∧∨", 73) | {"·": 32, "…": 100, "⟨": 39, "⟩": 39}


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in one style; `index` is smaller and lowered."""

    text: str
    style: Style = "plain"


Text: TypeAlias = tuple[Run, ...]
_T = TypeVar("_T")


_REPLACED = {"Cc": " ", "Zl": " ", "Zp": " ", "Cs": "\ufffd", "Cf": ""}
# Greek letters that look like Latin ones
LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_LOOKS = str.maketrans({"“": '"', "”": '"'} | dict.fromkeys(JOINERS, "") | LATIN)


@lru_cache(maxsize=4096)
def plain(text: str, style: Style = "plain") -> Text:
    """Return a string as a text of one run, on one line, without invisible characters."""
    kinds = ((c, unicodedata.category(c)) for c in text)
    shown = "".join(c if c in JOINERS else _REPLACED.get(kind, c) for c, kind in kinds)
    return (Run(shown, style),) if shown else ()


def text_of(text: Text) -> str:
    """Return the characters of a text without styles, with an underscore before an index.

    >>> text_of(atom_runs("wolf_2"))
    'wolf_2'
    """
    return "".join({"index": "_"}.get(run.style, "") + run.text for run in text)


def _joined(parts: Sequence[Text]) -> Text:
    """Return the parts with commas between them."""
    return tuple(run for part in parts for run in (Run(", "), *part))[1:]


@lru_cache(maxsize=4096)
def width_of(text: Text, size: float) -> float:
    """Return the width of a text at a font size, in the unit of the size (DejaVu Sans).

    >>> width_of(plain("ab"), 10)
    12.4
    """
    total = sum(_SIZES.get(run.style, 1.0) * sum(map(_advance, run.text)) for run in text)
    return round(total * size / 100, 3)


def _advance(character: str) -> float:
    code = ord(character)
    if 32 <= code < 127:
        return _ASCII[code - 32]
    if character in _SYMBOLS:
        return _SYMBOLS[character]
    if unicodedata.combining(character):
        return 0
    return {"W": 100, "F": 100}.get(unicodedata.east_asian_width(character), 66)


def wrapped(parts: Sequence[Text], size: float, width: float, lines: int) -> tuple[Text, ...]:
    """Return the parts, with commas, in at most `lines` lines of at most this width.

    Parts that do not fit are counted: the last line then ends in `+3`. A single part may be wider.
    """

    def fits(line: list[Text]) -> bool:
        return width_of(_joined(line), size) <= width

    if not parts:
        return ()
    rows = rows_of(parts, fits)
    kept, left = rows[:lines], sum(map(len, rows[lines:]))
    if left:
        while len(kept[-1]) > 1 and not fits([*kept[-1], plain(f"+{left}")]):
            kept[-1].pop()
            left += 1
        kept[-1].append(plain(f"+{left}"))
    *others, last = map(_joined, kept)
    return (*((*row, Run(",")) for row in others), last)


def rows_of(parts: Iterable[_T], fits: Callable[[list[_T]], bool]) -> list[list[_T]]:
    """Return the parts in rows, each as long as it fits.

    >>> rows_of("abcde", lambda row: len(row) <= 2)
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rows: list[list[_T]] = []
    for part in parts:
        if rows and fits([*rows[-1], part]):
            rows[-1].append(part)
        else:
            rows.append([part])
    return rows


def atom_runs(atom: str, names: Iterable[str] = ()) -> Text:
    """Return a typeset atom: `m_1` with an index, a single letter in italics.

    An index is one of the names, or numbers and single letters after one or two words.

    >>> atom_runs("m_1"), atom_runs("wolf_Ann", ["Ann"])[1]
    ((Run(text='m', style='italic'), Run(text='1', style='index')), Run(text='Ann', style='index'))
    >>> atom_runs("it_is_raining_today"), atom_runs("it_is_raining_0")
    ((Run(text='it_is_raining_today', style='plain'),), (Run(text='it_is_raining_0', style='plain'),))
    """
    stem, index = _indexed(atom, names)
    return plain(stem, "italic" if len(stem) == 1 and stem.isalpha() else "plain") + plain(index, "index")


_INDEX = re.compile(r"([^_]+(?:_[^_]+)??)_((?:\d+|[^\W_])'*(?:_(?:\d+|[^\W_])'*)*)")


def _indexed(atom: str, names: Iterable[str]) -> tuple[str, str]:
    """Return an atom without its index, and the index, which may be empty."""
    for name in names:
        if name and atom.endswith(f"_{name}") and len(atom) > len(name) + 1:
            return atom.removesuffix(f"_{name}"), name
    found = _INDEX.fullmatch(atom)
    return (found[1], found[2]) if found else (atom, "")


def index_names(atoms: Sequence[str], agents: Iterable[str]) -> list[str]:
    """Return the names that are indices: those of the agents, and of others in the same place in atoms.

    >>> index_names(["wolf_Ann", "wolf_Bob", "it_rains"], ["Ann"])
    ['Ann', 'Bob']
    """
    found = list(agents)
    stems = {stem for stem, index in (_indexed(atom, found) for atom in atoms) if index in found}
    begun = [(atom, f"{stem}_") for atom in atoms for stem in stems]
    others = (atom.removeprefix(stem) for atom, stem in begun if atom.startswith(stem))
    return sorted({*found, *others}, key=lambda name: (-len(name), name))


def formula_runs(text: str, most: int, names: Iterable[str] = ()) -> Text:
    """Return a typeset formula with lowered indices, truncated to `most` characters.

    `names`: those that are indices of atoms, as in `atom_runs`.

    >>> text_of(formula_runs("¬K_a m_1", 40)), formula_runs("K_{a,b} p", 40)[1]
    ('¬K_a m_1', Run(text='a,b', style='index'))
    """
    kinds = (kind for kind in all_operators() if issubclass(kind, indexed()))
    signs = {sign.unicode for kind in kinds for sign in spellings(kind)}
    out, flat = list[Run](), ""
    for piece in re.split(r"(\w+(?:\{[^{}]*\})?)", elided(text, most)):
        sign, joint, who = piece.partition("_")
        stem, index = _indexed(piece, names)
        if joint and sign in signs:
            stem, index = sign, who.strip("{}")
        flat += stem
        if index:
            out += (*plain(flat), *plain(index, "index"))
            flat = ""
    return (*out, *plain(flat))


def natural_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in natural order, numbers by their value.

    >>> natural_order(["m_10", "m_2", "a"])
    ('a', 'm_2', 'm_10')
    """

    def key(name: str) -> list[tuple[int, int, str]]:
        return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in re.split(r"(\d+)", name) if p]

    return tuple(sorted(names, key=key))


LONGEST_NAME = 28
"""The most characters of a player's name in a picture."""


def elided(text: str, most: int = LONGEST_NAME) -> str:
    """Return a string shortened to at most `most` characters by omitting its middle.

    >>> elided("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def told_apart(names: Iterable[str], most: int = maxsize) -> list[str]:
    """Return displayed names: on one line, at most `most` characters each, all different.

    If shortening makes names equal, the part in which they differ is kept; names that still look alike are
    numbered.

    >>> told_apart(["a world with a long name", "b"], 10)
    ['a wor…name', 'b']
    >>> told_apart(["a long name, number 1 of two", "a long name, number 2 of two"], 14)
    ['…ber 1 of two', '…ber 2 of two']
    >>> told_apart(["a b", "a\\nb"])
    ['a b #0', 'a b #1']
    >>> told_apart(["K", "\N{GREEK CAPITAL LETTER KAPPA}"])
    ['K #0', 'Κ #1']
    """
    full = [" ".join(text_of(plain(name)).split()) or (name and _BLANK) for name in names]
    shown = [elided(text, most) for text in full]
    for group in _alike(shown):
        start = _same([full[k] for k in group])
        for k in group:
            shown[k] = _window(full[k], start, most)
    taken = set(shown)
    for group in _alike(shown):
        for k in group:
            tries = (f"{shown[k]} #{number}" for number in count(k, len(full)))
            shown[k] = next(name for name in tries if name not in taken)
            taken.add(shown[k])
    return shown


def _alike(shown: Sequence[str]) -> list[list[int]]:
    """Return the indices of names that look alike, in lists of at least two."""
    looks = (unicodedata.normalize("NFC", text).translate(_LOOKS) for text in shown)
    alike = grouped((look, k) for k, look in enumerate(looks))
    return [places for places in alike.values() if len(places) > 1]


def _same(texts: Sequence[str]) -> int:
    """Return the length of the common prefix of strings."""
    columns = zip(*texts, strict=False)
    return next((k for k, column in enumerate(columns) if len(set(column)) > 1), min(map(len, texts)))


def _window(text: str, start: int, most: int) -> str:
    """Return at most `most` characters of a string, around `start`."""
    if len(text) <= most:
        return text
    left = start - most // 3
    if left < 2:
        return f"{text[: most - 1]}…"
    right = left + most - 2
    return f"…{text[left:right]}…" if right < len(text) else f"…{text[left:]}"


def two_lines(name: str, most: int) -> str:
    """Return a name with a line break between words near its middle if it is longer than `most`.

    >>> two_lines("the key is in the drawer", 20), two_lines("state_of_the_engine_12", 20)
    ('the key is\\nin the drawer', 'state_of_\\nthe_engine_12')
    """
    ends = [place for place, sign in enumerate(name, 1) if sign in " _" and place < len(name)]
    if len(name) <= most or not ends:
        return name
    middle = min(ends, key=lambda end: max(end, len(name) - end))
    return f"{name[:middle].rstrip()}\n{name[middle:]}"


def in_list(name: str) -> str:
    """Return a name for a list with commas: in quotation marks if it could mislead.

    >>> in_list("Ann"), in_list("Ann, Bob"), in_list("p and q")
    ('Ann', '“Ann, Bob”', '“p and q”')
    """
    inner = name.replace("“", '"').replace("”", '"')  # so that the marks around it are the only ones
    if inner == name and not _MISLEADING.search(name):
        return name
    return f"“{inner}”"


_BLANK = "␣"  # a name without visible characters
_MISLEADING = re.compile(r"[,.]| and |^\+[\d,]+$|: \+?[\d,]+$")


def series(names: Iterable[str]) -> str:
    """Return names as a list in words.

    >>> series(["a", "b", "c and d"])
    'a, b and “c and d”'
    """
    found = [in_list(name) for name in names]
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


def world_texts(worlds: Iterable[Hashable]) -> list[str]:
    """Return the displayed names of worlds, all different.

    Tuples of zeros and ones are joined if all names are such. Common parts of names after several updates are
    omitted.

    >>> world_texts([(0, 1), (1, 1)]), world_texts([(0, 1), (2, 1)])
    (['01', '11'], ['0,1', '2,1'])
    >>> world_texts([(("w", "told"), "seen"), (("w", "nothing"), "seen"), (("v", "nothing"), "seen")])
    ['w told', 'w nothing', 'v nothing']
    >>> world_texts([(("w", "assigned"), "assigned")])
    ['w']
    """
    found = _essential(list(worlds))
    numbers = {part for world in found if isinstance(world, tuple) for part in world if isinstance(part, int)}
    bits = numbers <= {0, 1}
    return told_apart(world_label(world, bits=bits) for world in found)


def _essential(worlds: list[Hashable]) -> list[Hashable]:
    """Return the names of worlds without their common parts, if they are worlds of products."""
    bases, events = worlds, list[list[str]]()
    while bases and all(map(is_product, bases)):
        events.insert(0, [world[1] for world in bases if is_product(world)])
        bases = [world[0] for world in bases if is_product(world)]
    telling = [column for column in events if len(set(column)) > 1]
    if len(events) < 2:
        return worlds
    if len(set(bases)) == 1 < len(telling):  # the same world before all updates
        bases = list(telling.pop(0))
    for column in telling:
        bases = list(zip(bases, column, strict=True))
    return bases


def world_label(world: Hashable, *, bits: bool = True) -> str:
    """Return the displayed name of a world, with tuples of short items joined.

    A world of a product is followed by the names of the events that happened.

    >>> world_label((0, 1, 1)), world_label((8, 10)), world_label((((True, False), "e"), "told"))
    ('011', '8,10', '10 e told')
    """
    if isinstance(world, bool):
        return str(int(world))
    if isinstance(world, frozenset | set):
        return "{" + ", ".join(sorted(map(world_label, world))) + "}"
    if isinstance(world, tuple):
        parts = [world_label(part, bits=bits) for part in world]
        if world and all(isinstance(part, int) for part in world):
            return ("" if bits and set(parts) <= {"0", "1"} else ",").join(parts)
        if all(len(part) == 1 for part in parts):
            return "".join(parts)
        return (" " if is_product(world) else ", ").join(parts)
    return str(world)


def is_product(world: Hashable) -> TypeGuard[tuple[Hashable, str]]:
    """Return whether a name looks like a world of a product: a pair of a world and an event."""
    return isinstance(world, tuple) and len(world) == 2 and isinstance(world[1], str)
