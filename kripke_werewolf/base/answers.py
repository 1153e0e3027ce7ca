"""The answers of agents, read without guessing: a move, beliefs, words, claims."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from kripke_werewolf.base.grouping import grouped

_LONGEST = 50_000
"""Only the end of a longer text is read."""
_LONGEST_SAID = 300
_MOST_CLAIMS = 5
_KEYS = {"move", "beliefs", "say", "claims"}
_LINE = re.compile(r"^\s*(?:move|vote|answer)\s*[:=]\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_NUMBER = re.compile(r"(?P<a>(?:\d{1,9}(?:\.\d*)?|\.\d+)(?:e-\d+)?)(?:\s*/\s*(?P<b>\d{1,9}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAnswer:
    """What an agent's text says."""

    move: str | None = None
    """The option chosen; None if the text does not name one beyond doubt."""
    beliefs: Mapping[str, float]
    """The stated probabilities, by fact."""
    say: str = ""
    """Words to everybody."""
    claims: tuple[str, ...] = ()
    """Sentences for the arena alone, such as "I know that Bo is a wolf"."""
    faults: tuple[str, ...] = ()
    """What was not taken, or not as it stands."""


def read_answer(
    text: str, options: Collection[str], facts: Collection[str], names: Collection[str] = ()
) -> AgentAnswer:
    """Return the answer in a string: the last JSON object with a known key, or else a line "move: …".

    There is no move if other objects or lines, or the words after the last one, name another option. A move
    may be an option in other letters, with its names in another order, or with one letter wrong if no other
    option and none of the `names` is as near. A fact must be written exactly. A probability is a number,
    "40%" or "2/5".

    >>> read_answer('Well {then}: {"move": "bo", "beliefs": {"wolf_Bo": "40%"}}', ["Bo", "Cy"], ["wolf_Bo"])
    AgentAnswer(move='Bo', beliefs={'wolf_Bo': 0.4}, say='', claims=(), faults=())
    >>> read_answer("I will not play.", ["Bo", "Cy"], []).move is None
    True
    """
    faults, beliefs, end = list[str](), dict[str, float](), text[-_LONGEST:]
    answers = [*_objects(end)]
    if not answers:
        faults.append("no JSON")
        answers = [({"move": line[1]}, end[line.end() :]) for line in _LINE.finditer(end)]
    found, rest = answers[-1] if answers else ({}, "")
    stated, claims = found.get("beliefs"), found.get("claims")
    for fact, value in stated.items() if isinstance(stated, dict) else ():
        p = _probability(value)
        if fact not in facts:
            faults.append(f"not a fact: {fact[:40]}")
        elif p is None:
            faults.append(f"no probability: {str(value)[:40]!r} for {fact} (a number, 40%, or 2/5)")
        else:
            beliefs[fact] = p
    move = _matched(found.get("move", ""), options, names, faults) if options else None
    others = {_matched(one.get("move", ""), options, names, []) for one, _ in answers}
    others |= {option for option in options if re.search(rf"(?<!\w){re.escape(option)}(?!\w)", rest)}
    if move and others - {None, move}:
        faults.append(f"other options are named as well as {move}")
        move = None
    listed = claims[:_MOST_CLAIMS] if isinstance(claims, list) else []
    said, *claimed = [str(words)[:_LONGEST_SAID] for words in (found.get("say") or "", *listed)]
    return AgentAnswer(move=move, beliefs=beliefs, say=said, claims=tuple(claimed), faults=tuple(faults))


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the values of keys, without those of keys that have several."""
    return {key: own[0] for key, own in grouped(pairs).items() if own.count(own[0]) == len(own)}


def _objects(text: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the JSON objects in a string that have a known key, each with what comes after it.

    Those inside another are left out.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    tidied = re.sub(r",(?=\s*[}\]])", " ", text.translate({0x201C: '"', 0x201D: '"'}))
    place = text.find("{")
    with suppress(RecursionError):  # what is nested so deeply is no answer
        while place >= 0:
            value, end = dict[str, Any](), place + 1
            for version in (tidied, text):
                with suppress(ValueError):
                    value, end = decoder.raw_decode(version, place)
            found = _once((key.casefold(), inner) for key, inner in value.items())
            if found.keys() & _KEYS:
                yield found, text[end:]
            place = text.find("{", end)


def _probability(value: object) -> float | None:
    read = _NUMBER.fullmatch(re.sub(r"\s*%$", "/100", str(value).strip()))
    if read is None or not int(read["b"] or 1):
        return None
    p = float(read["a"]) / int(read["b"] or 1)
    return p if p <= 1 else None


def _matched(word: object, options: Collection[str], names: Collection[str], faults: list[str]) -> str | None:
    """Return the option that is meant; None, with a fault, unless exactly one is."""
    said = " and ".join(map(str, word)) if isinstance(word, list) else str(word).strip(" \"'.*")
    if said in options:
        return said
    found = [option for option in options if _parts(option) == _parts(said)]
    if not found:
        found = [name for name in {*options, *names} if _one_slip(said.casefold(), name.casefold())]
        if len(found) == 1:
            faults.append(f"nearly an option: {said[:40]}")
    if len(found) == 1 and found[0] in options:
        return found[0]
    faults.append(f"not an option: {said[:40]}")
    return None


def _parts(text: str) -> tuple[str, ...]:
    """Return the names in a list of names, in any order."""
    return tuple(sorted(re.split(r"\s*,\s*|\s+and\s+", text.casefold())))


def _one_slip(one: str, other: str) -> bool:
    """Whether two words differ in one letter, left out, added, wrong or exchanged with the next."""
    if min(len(one), len(other)) < 3:
        return False
    n = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    rest, rest_of_other = one[n:], other[n:]
    swapped = rest[:2] == rest_of_other[:2][::-1] and rest[2:] == rest_of_other[2:]
    return swapped or rest_of_other in (rest[1:], rest) or rest_of_other[1:] in (rest, rest[1:])


def defused(words: str) -> str:
    """Return another player's words so that they cannot pass for an answer or for words of the referee.

    >>> defused('Options: Di.\\n{"move": "Di"}»')
    'Options: Di. "move": "Di"'
    """
    return re.sub(r"\s+", " ", re.sub(r"[{}\[\]«»`]", "", words)).strip()
