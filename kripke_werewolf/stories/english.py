"""Sentences read back: those of any family of stories, and scenes with their deeds.

The names are learned from the setting, with which a story begins.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from kripke_werewolf.errors import FormatError
from kripke_werewolf.stories.scenes import DEEDS, RULES, Deed, Remarks, Setting, read_list

K = TypeVar("K", bound=Hashable)

_HEAD = re.compile(
    r"The (?P<places>[\w ,]+) stood in the (?P<of>\w+)\. ?|The (?P<thing>\w+) lay in the (?P<place>\w+)\. ?"
    r"|(?P<agents>\w+(, \w+)*( and \w+)?) (was|were) in the (?P<room>\w+)\. ?"
)
_THINK = ("think", "believe")
_WORD = r"\w+"
_FILLINGS = {"n": r"\d+", "A": ".+?", "fact": ".+?", "facts": ".+?"}


class Wordings(Generic[K]):
    """The wordings of sentences by what they say, to read sentences back.

    The place `{n}` of a wording is for a number, `{A}`, `{fact}` and `{facts}` are for some words, and any
    other place is for one word.

    >>> Wordings({"muddy": ["{a} is muddy"], "clean": ["{a} is clean"]}).read("Anne is clean")
    ('clean', {'a': 'Anne'})
    """

    def __init__(self, wordings: Mapping[K, Sequence[str]]) -> None:
        self._known = []
        for kind, several in wordings.items():
            for words in several:
                pieces = re.split(r"\{(\w+)\}", words)
                longest = max(pieces[::2], key=len)  # most wordings are ruled out without their pattern
                pieces[::2] = map(re.escape, pieces[::2])
                pieces[1::2] = [f"(?P<{place}>{_FILLINGS.get(place, _WORD)})" for place in pieces[1::2]]
                self._known.append((longest, re.compile("".join(pieces)), kind))

    def read(self, text: str) -> tuple[K, dict[str, str]]:
        """Return the meaning of a sentence, and the words in its places.

        Raises `FormatError` for a sentence that is none of these, or has several readings.
        """
        matches = [(kind, pattern.fullmatch(text)) for words, pattern, kind in self._known if words in text]
        found = [(kind, match.groupdict()) for kind, match in matches if match]
        if len(found) != 1:
            raise FormatError(f"{text!r} has {len(found)} meanings in this story (allowed: 1)")
        return found[0]


def sentences(text: str) -> list[str]:
    """Return the sentences of a story."""
    return re.split(r"(?<=\.) ", text)


_DEEDS: tuple[type[Deed], ...] = (*DEEDS.values(), Remarks)
DEED_WORDINGS = Wordings(
    {(deed, denied): deed.denials if denied else deed.wordings for deed in _DEEDS for denied in (False, True)}
)
"""The wordings of deeds, by the deed and whether it is denied."""


def read_scene(story: str) -> tuple[Setting, list[Deed]]:
    """Return the setting and the deeds of a story in English; raise `FormatError` for anything else.

    >>> hall = Setting(agents=("Ann", "Bo"), rooms={"hall": ("box", "bag")}, things={"key": "box"},
    ...                inside={"Ann": "hall", "Bo": "hall"})
    >>> setting, deeds = read_scene(f"{hall.english()} Ann put the key into the bag.")
    >>> setting == hall, deeds
    (True, [Moves(agent='Ann', thing='key', place='bag')])
    """
    rules = next((rules for rules in RULES if story.startswith(rules)), None)
    if rules is None:
        raise FormatError(f"the story does not begin with the rules of what is seen: {story[:60]!r}")
    end = len(rules) + 1
    rooms: dict[str, tuple[str, ...]] = {}
    things, inside = dict[str, str](), dict[str, str]()
    while head := _HEAD.match(story, end):
        end = head.end()
        if head["of"]:
            rooms[head["of"]] = tuple(read_list(head["places"], "the "))
        elif head["thing"]:
            things[head["thing"]] = head["place"]
        else:
            inside |= dict.fromkeys(read_list(head["agents"]), head["room"])
    setting = Setting(tuple(inside), rooms, things, inside, open=rules == RULES[True])
    named = setting.named()
    return setting, [_deed(said, named) for said in sentences(story[end:]) if said]


def _deed(sentence: str, named: Mapping[str, Collection[str]]) -> Deed:
    (deed, denied), given = DEED_WORDINGS.read(sentence)
    names: dict[str, Any] = {**given, "denied": True} if denied else {**given}
    for kind, name in given.items():
        if name not in named[kind]:
            raise FormatError(f"{sentence!r} is about {name!r}, but the story has not said where that is")
    return deed(**names)


def question(agents: Sequence[str], thing: str, wording: int = 0) -> str:
    """Return the question where some agents think that others think … that a thing is.

    >>> question(("Ann", "Bo"), "key"), question((), "key")
    ('Where does Ann think that Bo thinks the key is?', 'Where is the key really?')
    """
    if not agents:
        return f"Where is the {thing} really?"
    inner = "".join(f"that {agent} {_THINK[wording]}s " for agent in agents[1:])
    return f"Where does {agents[0]} {_THINK[wording]} {inner}the {thing} is?"


def asked_about(text: str, setting: Setting) -> tuple[tuple[str, ...], str]:
    """Return the agents and the thing that a question is about; raise `FormatError` for anything else."""
    words = text.removesuffix("?").split(" ")
    agents = tuple([word for word in words if word in setting.agents])
    thing = next((word for word in words if word in setting.things), "")
    if text not in (question(agents, thing), question(agents, thing, 1)):
        raise FormatError(
            f"this is not a question about where somebody in the story thinks that a thing is: {text!r}"
        )
    return agents, thing
