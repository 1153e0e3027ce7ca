"""Scenes read back from English: a sentence with kinds in the places of names is the pattern of one deed.

The names are learned from the setting, with which a story begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from kripke_werewolf.errors import FormatError
from kripke_werewolf.stories.scenes import DEEDS, RULES, Deed, Remarks, Setting, read_list

_HEAD = re.compile(
    r"The (?P<places>[\w ,]+) stood in the (?P<of>\w+)\. ?|The (?P<thing>\w+) lay in the (?P<place>\w+)\. ?"
    r"|(?P<agents>\w+(, \w+)*( and \w+)?) (was|were) in the (?P<room>\w+)\. ?"
)
_THINK = ("think", "believe")


def patterns() -> Iterator[tuple[tuple[str, ...], tuple[type[Deed], list[str], dict[str, Any]]]]:
    """Yield the pattern of every sentence, with its deed, its fields in order, and whether it is denied."""
    deeds: list[type[Deed]] = [*DEEDS.values(), Remarks]
    for deed in deeds:
        kinds = {str(name): f"{{{name}}}" for name in deed.__match_args__} | {"other": "{agent}"}
        for said in deed.wordings + deed.denials:
            denied = {"denied": True} if said in deed.denials else {}
            yield tuple(said[:-1].format(**kinds).split()), (deed, re.findall(r"\{(\w+)\}", said), denied)


_meanings = cache(lambda: dict(patterns()))


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
    named = setting.named() | {"other": ()}
    kinds = {name: f"{{{kind}}}" for kind, names in named.items() for name in names}
    return setting, [_deed(said, kinds) for said in story[end:].removesuffix(".").split(". ") if said]


def _deed(sentence: str, kinds: Mapping[str, str]) -> Deed:
    words = sentence.split(" ")
    meaning = _meanings().get(tuple([kinds.get(word, word) for word in words]))
    if meaning is None:
        raise FormatError(f"this is no sentence of a scene: {sentence!r}")
    deed, names, denied = meaning
    return deed(**dict(zip(names, filter(kinds.__contains__, words), strict=True)), **denied)


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
            f"this is no question about where somebody in the story thinks that a thing is: {text!r}"
        )
    return agents, thing
