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

MISSING = ("-", "?", "…")
"""Entries of a table that are not known."""

Line = tuple[int, str]
"""The number of a line, and its text."""

_BULLET = re.compile(r"^\s*(?:[*•·>]|[-–—](?=\s+\D))\s*")
_RULE = re.compile(r"[\s=_*|:+–—-]*[=_*|+–—-]{2}[\s=_*|:+–—-]*")
_TITLE = re.compile(r"#+\s*(?=what .+ knows$|(?:night|day)\b)", re.IGNORECASE)
_PRINTED = re.compile(r"^\W*what .+ knows\W*$", re.IGNORECASE | re.MULTILINE)
_HEADING = re.compile(r"\W*(?:night|day|now:?)\b|.*\bknows$|.*%$|.*\||(?:number|player)\s", re.IGNORECASE)
_DIGITS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "−": "-"})
_ENTRY = r"[<>]?[\dOolI][\dOolI./,]*%?"

_SPOKEN = (
    (r"what (?P<you>.+) knows", re.IGNORECASE),
    (r"(?:i am|i'm|me:|my name:|you are|player:) (?!(?:told|passed|not)\b)(?P<you>.+)", re.IGNORECASE),
    (r"(?:your|my) number(?: is|:)? ?(?P<number>[\dOolI]+)", re.IGNORECASE),
    (
        r"(?P<count>[\dOolI]+) players under the rules [\"'‘’“”`](?P<rules>.+?)[\"'‘’“”`]: (?P<cards>.+); "
        r"(?P<deal>\w+) deal, (?P<targets>\w+) targets(?P<more>.*)",
        re.IGNORECASE,
    ),
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
        line = _BULLET.sub("", line).strip()
        lines.append((number, re.sub(r"(?<=[\dOolI])\s*(?:%|percent\b|per cent\b|pct\b)", "%", line), begins))
    if not _PRINTED.search("\n".join(line for _, line, _ in lines)):
        return [(number, line) for number, line, _ in lines]
    return list(_joined(lines))


def _joined(lines: list[tuple[int, str, bool]]) -> Iterator[Line]:
    """Yield the lines of a printed page, whose sentences end with a stop, with broken ones joined."""
    whole: tuple[int, str] | None = None
    for number, line, begins in lines:
        goes_on = whole is not None and line and not begins and not _HEADING.match(line)
        if whole is not None and goes_on:
            whole = whole[0], f"{whole[1]} {line}"
        else:
            if whole is not None:
                yield whole
            whole = number, line
        if not whole[1] or whole[1].endswith(".") or (not begins and _HEADING.match(whole[1])):
            yield whole
            whole = None
    if whole is not None:
        yield whole


def spoken_settings(line: str) -> Mapping[str, str]:
    """Return the settings that a sentence of the head gives, by key; none for another line.

    >>> dict(spoken_settings("Your number is 2.")), dict(spoken_settings("you look at Ann"))
    ({'number': '2'}, {})
    """
    for pattern, flags in _SPOKEN:
        found = re.fullmatch(pattern, line.rstrip(".!"), flags)
        if found:
            given = found.groupdict()
            return given if "cards" not in given else _announced(given)
    return {}


def _announced(given: Mapping[str, str]) -> Mapping[str, str]:
    """Return the settings in the first sentence of a printed handout."""
    if given["deal"] != "quantum" or given["more"]:
        what = f"{given['deal']} deal{given['more']}"
        raise GameError(f"a sheet cannot say {what!r}; `handout --json` writes a file that can")
    cards = {"seers": "0"} | {"targets": given["targets"], "rules": given["rules"]}
    for held in re.split(r"\s*,\s*", given["cards"]):
        number, _, kind = held.partition(" ")
        key = {"seer": "seers", "seers": "seers", "wolf": "wolves", "wolves": "wolves"}.get(kind.casefold())
        if key is None and not kind.casefold().startswith("villager"):
            raise GameError(f"a sheet cannot say {held!r}; `handout --json` writes a file that can")
        if key is not None:
            cards[key] = number.translate(_DIGITS)
    return cards


def as_digits(text: str) -> str:
    """Return a number in which letters that look like digits are digits.

    >>> as_digits("l"), as_digits("1O"), as_digits("Io")
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
    readings = [flat.split(" "), [part for part in re.split(r"[\s,]+", flat) if part]]
    readings.append([part for part in re.split(r"(?:,\s+|\s+)", flat) if part])
    found = {}
    for words in readings:
        row = _row(words, labels, entries)
        if row is not None:
            found[str(row)] = row
    if not found and (row := _spaced_row(flat, labels, entries)):
        return row
    if len(found) > 1:
        each = " or ".join(" ".join([label, *cells]) for label, cells in found.values())
        raise GameError(
            f"the row {line!r} can be read as {each}; write decimal points, and blanks between entries"
        )
    return next(iter(found.values()), None)


def _row(words: list[str], labels: Collection[str], entries: int) -> tuple[str, list[str]] | None:
    label, cells = " ".join(words[:-entries]).strip(" :"), words[-entries:]
    label = label if label in labels else as_digits(label)
    if label not in labels or len(cells) < entries or not all(map(is_entry, cells)):
        return None
    return label, list(map(cleaned, cells))


def _spaced_row(line: str, labels: Collection[str], entries: int) -> tuple[str, list[str]] | None:
    """Return a row whose entries, all with percent signs, contain blanks: `2 6 0% 4 0%`."""
    for label in labels:
        head = line[: len(label)]
        if as_digits(head) == label and line[len(label) : len(label) + 1] == " ":
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
