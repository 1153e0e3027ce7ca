"""The lines of a sheet as people type, copy, print and scan them, in the form that `sheets` reads.

Bullets, rules, headings of Markdown and the sentences at the head of a printed handout become plain lines;
rows of tables in any usual notation become a label and entries. Nothing is guessed: what can be read in two
ways is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.roles import ROLES, VILLAGER
from kripke_werewolf.werewolf.setup import COUNTED

MISSING = ("-", "?", "…")
"""Entries of a table that are not known."""

Line = tuple[int, str]
"""The number of a line, and its text."""

_BULLET = re.compile(r"^\s*(?:[*•·>]|[-–—](?=\s+\D))\s*")
_CHAT = re.compile(
    r"^(?:\[[^\]]*\d:\d\d[^\]]*\]|[\d./]+,? \d\d?:\d\d(?: [ap]m)? -) *(?:[^:]{1,30}: )?", re.IGNORECASE
)
"""The time and the name before a message that is copied from a chat."""
_RULE = re.compile(r"[\s=_*|:+–—-]*[=_*|+–—-]{2}[\s=_*|:+–—-]*")
_TITLE = re.compile(r"#+\s*(?=what .+ knows$|(?:night|day)\b)", re.IGNORECASE)
_PRINTED = re.compile(r"^\W*what .+ knows\W*$", re.IGNORECASE | re.MULTILINE)
_HEADING = re.compile(r"\W*(?:night|day|now:?)\b|.*\bknows$|.*%$|.*\||(?:number|player)\s", re.IGNORECASE)
_DIGITS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "−": "-"})
_ENTRY = r"[<>]?[\dOolI][\dOolI./,]*%?"

_SPOKEN = (
    r"what (?P<you>.+) knows",
    r"(?:i am|i'm|me:|my name:|you are|player:) (?!(?:told|passed|not)\b)(?P<you>.+)",
    r"(?:your|my) number(?: is|:)? ?(?P<number>[\dOolI]+)",
    r"(?P<count>[\dOolI]+) players under the rules [\"'‘’“”`](?P<rules>.+?)[\"'‘’“”`]: (?P<cards>.+); "
    r"(?P<deal>\w+) deal, (?P<targets>\w+) targets(?P<more>.*)",
)
"""The settings in sentences; the groups are the keys."""


def sheet_lines(text: str) -> list[Line]:
    """Return the lines of a sheet with their numbers, without comments and ornaments.

    >>> sheet_lines("## night 1\\n\\n- you look at Ann: good  # really")
    [(1, 'night 1'), (2, ''), (3, 'you look at Ann: good')]
    """
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _TITLE.sub("", raw.strip()).split("#", 1)[0].replace("**", "").replace("\xa0", " ")
        begins = _BULLET.match(line) is not None
        if _RULE.fullmatch(line):
            continue
        line = re.sub(r"(?ai:\b(was|were|is|are|have|has)n['’]?t\b)", r"\1 not", _CHAT.sub("", line))
        line = re.sub(
            r"(?ai:^(?:(n)|d)(?=\d+ *(?:$|[:.,–-])))", lambda found: "night " if found[1] else "day ", line
        )
        line = re.sub(r"(?ai:^(you|i)(?: have|['’]ve) (?!been\b))", r"\1 ", _BULLET.sub("", line).strip())
        lines.append((number, re.sub(r"(?<=[\dOolI])\s*(?:%|percent\b|per cent\b|pct\b)", "%", line), begins))
    if not _PRINTED.search("\n".join(line for _, line, _ in lines)):
        return [(number, line) for number, line, _ in lines]
    return list(_joined(lines))


def _joined(lines: list[tuple[int, str, bool]]) -> Iterator[Line]:
    """Yield the lines of a printed page, whose sentences end with a stop, with broken ones joined."""
    whole: tuple[int, str] | None = None
    for number, line, begins in lines:
        if whole is not None and line and not begins and not _HEADING.match(line):
            whole = whole[0], f"{whole[1]} {line}"
        else:
            yield from [whole] if whole is not None else ()
            whole = number, line
        if not whole[1] or whole[1].endswith(".") or (not begins and _HEADING.match(whole[1])):
            yield whole
            whole = None
    yield from [whole] if whole is not None else ()


def spoken_settings(line: str) -> Mapping[str, str]:
    """Return the settings that a sentence of the head gives, by key; none for another line.

    >>> dict(spoken_settings("Your number is 2.")), dict(spoken_settings("you look at Ann"))
    ({'number': '2'}, {})
    """
    for pattern in _SPOKEN:
        if found := re.fullmatch(pattern, line.rstrip(".!"), re.IGNORECASE):
            given = found.groupdict()
            return given if "cards" not in given else _announced(given)
    return {}


def _announced(given: Mapping[str, str]) -> Mapping[str, str]:
    """Return the settings in the first sentence of a printed handout."""
    if given["deal"] != "quantum" or given["more"]:
        what = f"{given['deal']} deal{given['more']}"
        raise GameError(f"a sheet cannot say {what!r}; `handout --json` writes a file that can")
    cards = dict.fromkeys(COUNTED, "0") | {"targets": given["targets"], "rules": given["rules"]}
    kinds = {word: role.several for role in ROLES.values() for word in (role.name, role.several)}
    further = list[str]()
    for held in re.split(r"\s*,\s*", given["cards"]):
        number, _, kind = held.partition(" ")
        number, several = number.translate(_DIGITS), kinds.get(kind.casefold(), kind)
        if several in COUNTED:
            cards[several] = number
        elif several != ROLES[VILLAGER].several:
            further.append(f"{number} {kind}")
    return cards | ({"cards": ", ".join(further)} if further else {})


def in_digits(text: str) -> str:
    """Return a number in which letters that look like digits are digits.

    >>> in_digits("l"), in_digits("1O"), in_digits("Io")
    ('1', '10', '10')
    """
    return text.translate(_DIGITS) if re.fullmatch(r"[\dOolI]+", text) else text


def is_entry(word: str) -> bool:
    """Whether a word is an entry of a table, however it is written."""
    return word in MISSING or (
        re.fullmatch(_ENTRY, word) is not None and re.search(r"[\d%]", word) is not None
    )


def row_of(line: str, labels: Collection[str], entries: int) -> tuple[str, list[str]] | None:
    """Return the label of a row and its entries; None if the line is not a row with this number of entries.

    Blanks, tabs, bars, semicolons or commas separate entries, and a comma may also be a decimal point.
    Raises GameError for a line that can be read in two ways.

    >>> row_of("| Ann | 7,5% | 0 |", ["Ann"], 2), row_of("Ann,7.5%,0", ["Ann"], 2)
    (('Ann', ['7.5%', '0']), ('Ann', ['7.5%', '0']))
    """
    flat = re.sub(r"\s+", " ", re.sub(r"[|;\t]", " ", line)).strip()
    readings = (filter(None, re.split(between, flat)) for between in (" ", r"[\s,]+", r"(?:,\s+|\s+)"))
    rows = (_row(list(words), labels, entries) for words in readings)
    found = {str(row): row for row in rows if row is not None}
    if len(found) > 1:
        each = " or ".join(" ".join([label, *cells]) for label, cells in found.values())
        raise GameError(
            f"the row {line!r} can be read as {each}; write decimal points, and blanks between entries"
        )
    return next(iter(found.values()), None) or _spaced_row(flat, labels, entries)


def _row(words: list[str], labels: Collection[str], entries: int) -> tuple[str, list[str]] | None:
    label, cells = " ".join(words[:-entries]).strip(" :"), words[-entries:]
    label = label if label in labels else in_digits(label)
    if label not in labels or len(cells) < entries or not all(map(is_entry, cells)):
        return None
    return label, list(map(cleaned, cells))


def _spaced_row(line: str, labels: Collection[str], entries: int) -> tuple[str, list[str]] | None:
    """Return a row whose entries, all with percent signs, contain blanks: `2 6 0% 4 0%`."""
    for label in labels:
        head = line[: len(label)]
        if in_digits(head) == label and line[len(label) : len(label) + 1] == " ":
            parts = [part.replace(" ", "") for part in re.findall(r"[^%]+%", line[len(label) :])]
            whole = sum(map(len, parts)) == len(line[len(label) :].replace(" ", ""))
            if whole and len(parts) == entries and all(map(is_entry, parts)):
                return label, list(map(cleaned, parts))
    return None


def cleaned(entry: str) -> str:
    """Return an entry with a decimal point, and with digits in place of letters that look like them."""
    return entry if entry in MISSING else entry.replace(",", ".").translate(_DIGITS)


def with_percent_signs(cells: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """Return the entries of a table, by row and column, with the percent signs that were left out.

    Bare numbers are percentages if one of them is greater than 1, which no probability is. Raises GameError
    for a bare number that may be either.

    >>> with_percent_signs({("Ann", "good"): "75", ("Ann", "evil"): "25"})
    {('Ann', 'good'): '75%', ('Ann', 'evil'): '25%'}
    """
    bare = {
        place: entry for place, entry in cells.items() if re.fullmatch(r"[<>]?(?:\d+\.?\d*|\.\d+)", entry)
    }
    numbers = {place: float(entry.lstrip("<>")) for place, entry in bare.items()}
    if not any(number > 1 for number in numbers.values()):
        return dict(cells)
    signed = any(entry.endswith("%") for entry in cells.values())
    for place, number in numbers.items():
        if signed and 0 < number <= 1:
            entry = bare[place]
            ways = f"{entry}% or the share {entry}; write {entry}% or {number * 100:g}%"
            raise GameError(f"the entry {' '.join(place)} {entry!r} may mean {ways}")
    return {place: f"{entry}%" if place in bare else entry for place, entry in cells.items()}
