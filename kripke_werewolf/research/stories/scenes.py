"""Scenes: people in rooms who move things between places, and what each of them takes to happen.

A deed is declared once: its line in a story file, its sentences in English, and what it does. What it does to
beliefs is an `Occurrence`, which gives an action model, and is read without models by `perspective`.

Those in a room see what happens there, which is common knowledge among them; all others think that nothing
happens. Things stay in their rooms. If the places are open, those who come in see where the things are; if
they are closed, only looking shows that, and the others see who looks but not what they find. Telling is
private and believed, changes nothing else, and the last word wins. A watcher sees a move from outside the
room; watching and noticing are themselves unnoticed, unless another deed says so.

Sentences read back: those of any family of stories, and scenes with their deeds.

The names are learned from the setting, with which a story begins.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.logic.english.sentences import enumerated
from kripke_werewolf.research.stories.occurrences import Occurrence, believed

PLACES = ("closed", "open")
"""How places are: closed, or open, so that those in a room see what is in them."""


class Setting(NamedTuple):
    """Who is where, and what has happened.

    `rooms`: the places in each room. `things`: the place of each thing. `inside`: the rooms of those agents
    who are in one. `open`: whether those in a room see what is in its places. `happened`: all that matters to
    beliefs. `watchable`: how much of the end of this somebody may have noticed.
    """

    agents: tuple[str, ...]
    rooms: Mapping[str, Sequence[str]]
    things: Mapping[str, str]
    inside: Mapping[str, str]
    open: bool = False
    happened: tuple[Occurrence, ...] = ()
    watchable: int = 0

    def begun(self) -> Setting:
        """Return the setting when everybody has seen where everything is."""
        everybody = frozenset(self.agents)
        shown = [Occurrence(thing, place, everybody) for thing, place in self.things.items()]
        return self._replace(happened=tuple(shown))

    def room_of(self, thing: str) -> str:
        """Return the room of a thing."""
        return next(room for room, places in self.rooms.items() if self.things[thing] in places)

    def places_of(self, thing: str) -> tuple[str, ...]:
        """Return the places where a thing may be: those of its room."""
        return tuple(self.rooms[self.room_of(thing)])

    def present(self, room: str) -> frozenset[str]:
        """Return those in a room."""
        return frozenset([agent for agent, where in self.inside.items() if where == room])

    def named(self) -> dict[str, Collection[str]]:
        """Return the names that each field of a deed may have."""
        places = [place for places in self.rooms.values() for place in places]
        kinds = {"agent": self.agents, "other": self.agents, "room": self.rooms, "thing": self.things}
        return {**kinds, "place": places, "second": places, "present": self.agents}

    def log(self, thing: str) -> tuple[Occurrence, ...]:
        """Return all that has happened to a thing."""
        return tuple([what for what in self.happened if what.thing == thing])

    def lines(self) -> list[str]:
        """Return the setting as the head of a story file."""
        rooms = [f"room {room}: {', '.join(places)}" for room, places in self.rooms.items()]
        people = [f"inside {agent}: {room}" for agent, room in self.inside.items()]
        things = [f"thing {thing}: {place}" for thing, place in self.things.items()]
        kind = "open" if self.open else "closed"
        return [f"agents: {', '.join(self.agents)}", f"places: {kind}", *rooms, *people, *things]

    def english(self) -> str:
        """Return the setting in English, with the rules of what is seen."""
        told = [RULES[self.open]]
        told += [f"The {listed(places, 'the ')} stood in the {room}." for room, places in self.rooms.items()]
        told += [f"The {thing} lay in the {place}." for thing, place in self.things.items()]
        for room in self.rooms:
            if people := [agent for agent, where in self.inside.items() if where == room]:
                told.append(f"{listed(people)} {'were' if people[1:] else 'was'} in the {room}.")
        return " ".join(told)


_COMMON = (
    "At the start everybody knows where everything is. Those in a room see who comes and goes and what is "
    "moved there, and know this of each other; everybody else thinks that nothing happens there. {} Those "
    "who watch or notice something go unnoticed, unless the story says otherwise. People say what they "
    "think, and are believed."
)
RULES = tuple(
    _COMMON.format(f"The places are {how}.")
    for how in (
        "closed: only those who look see where something is; the others in the room see that they look, but "
        "not what they find; nobody sees what is in two places when they are swapped",
        "open: those in a room see what is in them",
    )
)
"""What a story says about who sees what: for closed places, and for open ones."""


def listed(names: Sequence[str], article: str = "") -> str:
    """Return names as English lists them, all but the first with an article if one is given."""
    return enumerated([*names[:1], *(article + name for name in names[1:])])


def read_list(text: str, article: str = "") -> list[str]:
    """Return the names in a list that `listed` has written.

    >>> read_list(listed(["box", "bag", "tub"], "the "), "the ")
    ['box', 'bag', 'tub']
    """
    return re.split(f"(?:, | and ){article}", text)


# --- deeds ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that an agent does.

    A subclass declares `word`, the beginning of its line in a story file; `wordings`, its sentences, with
    places for its fields; `watchable`, whether somebody may notice it; and `happen`. A field is called after
    what it names, `other` is another agent.
    """

    word: ClassVar[str] = ""
    wordings: ClassVar[tuple[str, ...]] = ()
    denials: ClassVar[tuple[str, ...]] = ()
    watchable: ClassVar[bool] = False
    agent: str

    @property
    def names(self) -> dict[str, str]:
        """The names in the deed, by field."""
        return {name: getattr(self, name) for name in self.__match_args__}

    def line(self) -> str:
        """Return the line of a story file; none for a deed that changes nothing."""
        if not self.word or self.said is not self.wordings:
            return ""
        agent, *rest = self.names.values()
        return f"{self.word} {agent}: {', '.join(rest)}".rstrip()

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences that may say this, with places for the names."""
        return self.denials if getattr(self, "denied", False) else self.wordings

    def sentence(self, number: int = 0) -> str:
        """Return one of the sentences that say this."""
        return self.said[number].format(**self.names)

    def after(self, setting: Setting) -> Setting:
        """Return the setting after the deed; raise `ModelError` if it cannot be done."""
        changed = self.happen(setting)
        new = len(changed.get("happened", setting.happened)) - len(setting.happened)
        return setting._replace(watchable=self.watchable and (new or setting.watchable), **changed)

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        return {}

    def need(self, true: object, reason: str) -> None:
        """Raise `ModelError` with a reason unless a condition is true."""
        if not true:
            raise ModelError(f"{self.sentence()!r} cannot happen: {reason}")


@dataclass(frozen=True, slots=True)
class Enters(Deed):
    """An agent comes into a room; if its places are open, all in it then see where its things are."""

    word = "enter"
    wordings = ("{agent} came into the {room}.", "{agent} entered the {room}.")
    room: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        where = setting.inside.get(self.agent)
        self.need(where is None, f"{self.agent} is in the {where}")
        group, places = setting.present(self.room) | {self.agent}, setting.rooms[self.room]
        here = [thing for thing, place in setting.things.items() if setting.open and place in places]
        seen = [Occurrence(thing, setting.things[thing], group) for thing in here]
        inside = {**setting.inside, self.agent: self.room}
        return {"inside": inside, "happened": (*setting.happened, *seen)}


@dataclass(frozen=True, slots=True)
class Leaves(Deed):
    """An agent leaves a room."""

    word = "leave"
    wordings = ("{agent} left the {room}.", "{agent} walked out of the {room}.")
    room: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        self.need(setting.inside.get(self.agent) == self.room, f"{self.agent} is not in the {self.room}")
        return {"inside": {agent: room for agent, room in setting.inside.items() if agent != self.agent}}


@dataclass(frozen=True, slots=True)
class Looks(Deed):
    """An agent looks where a thing is; the others in the room see that, but not what is found."""

    word = "look"
    wordings = ("{agent} looked to see where the {thing} was.", "{agent} checked where the {thing} was.")
    thing: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        self.need(not setting.open, "the places are open, so everybody in the room sees this anyway")
        return self.seen(setting, Occurrence(self.thing, "", frozenset(), kind="looked", by=self.agent))

    def seen(self, setting: Setting, what: Occurrence) -> dict[str, Any]:
        """Return the change if all in the room of the thing, such as the agent, see this."""
        room = setting.room_of(self.thing)
        group = setting.present(room)
        self.need(self.agent in group, f"{self.agent} is not in the {room}, where the {self.thing} is")
        return {"happened": (*setting.happened, what._replace(group=group))}


@dataclass(frozen=True, slots=True)
class Moves(Looks):
    """An agent moves a thing to another place in the room where both are."""

    word = "move"
    wordings = ("{agent} moved the {thing} to the {place}.", "{agent} put the {thing} into the {place}.")
    watchable = True
    place: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        self.need(self.place in setting.places_of(self.thing), f"the {self.place} is in another room")
        self.need(self.place != setting.things[self.thing], f"the {self.thing} is there already")
        things = {**setting.things, self.thing: self.place}
        return {"things": things} | self.seen(setting, Occurrence(self.thing, self.place, frozenset()))


@dataclass(frozen=True, slots=True)
class Swaps(Deed):
    """An agent swaps what is in two places of their room; in closed places nobody sees what it is."""

    word = "swap"
    wordings = (
        "{agent} swapped what was in the {place} and the {second}.",
        "{agent} exchanged the contents of the {place} and the {second}.",
    )
    watchable = True
    place: str
    second: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        room, places = next(item for item in setting.rooms.items() if self.place in item[1])
        self.need(self.second in places and self.second != self.place, "these are not two places of a room")
        group = setting.present(room)
        self.need(self.agent in group, f"{self.agent} is not in the {room}")
        turned = {self.place: self.second, self.second: self.place}
        things = {thing: turned.get(place, place) for thing, place in setting.things.items()}
        inside = {thing: place for thing, place in setting.things.items() if place in places}
        seen = [Occurrence(thing, things[thing], group) for thing in inside if inside[thing] in turned]
        self.need(seen or not setting.open, "there is nothing in them")
        if not setting.open:
            seen = [Occurrence(thing, self.place, group, other=self.second) for thing in inside]
        return {"things": things, "happened": (*setting.happened, *seen)}


@dataclass(frozen=True, slots=True)
class Tells(Deed):
    """An agent tells another in private where they think that a thing is, and is believed."""

    word = "tells"
    wordings = (
        "{agent} told {other} in private that the {thing} was in the {place}.",
        "In private {agent} told {other} that the {thing} was in the {place}.",
    )
    other: str
    thing: str
    place: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        self.need(self.agent != self.other, "nobody tells themselves anything")
        thought = believed(setting.log(self.thing), (self.agent,))
        self.need(thought == self.place, f"{self.agent} thinks that the {self.thing} is in the {thought}")
        sees = setting.open and setting.inside.get(self.other) == setting.room_of(self.thing)
        self.need(not sees, f"{self.other} sees where the {self.thing} is")
        what = Occurrence(self.thing, self.place, frozenset([self.agent, self.other]), kind="told")
        return {"happened": (*setting.happened, what)}


@dataclass(frozen=True, slots=True)
class Watches(Deed):
    """An agent sees the last move from outside the room; with `denied`, they do not."""

    word = "watches"
    wordings = ("{agent} was watching through the window.", "{agent} saw this through the keyhole.")
    denials = ("{agent} was not watching.", "{agent} saw nothing of this.")
    watchable = True
    denied: bool = field(default=False, kw_only=True)

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        self.need(setting.watchable, "it does not follow a move")
        before, last = setting.happened[: -setting.watchable], setting.happened[-setting.watchable :]
        self.check(last[-1])
        noticed = [what._replace(noticers=(*what.noticers, self.agent)) for what in last]
        return {} if self.denied else {"happened": (*before, *noticed)}

    def check(self, what: Occurrence) -> None:
        """Raise `ModelError` if the agent cannot notice this."""
        self.need(not what.noticers, "somebody is already watching; say who notices it")
        self.need(self.agent not in what.group, f"{self.agent} is in the room")


@dataclass(frozen=True, slots=True)
class Notices(Watches):
    """An agent in the room notices the watcher; with `denied`, they do not."""

    word = "notices"
    wordings = ("{agent} noticed that {other} was watching.", "{agent} saw {other} watching.")
    denials = ("{agent} did not notice that {other} was watching.", "{agent} did not see {other} watching.")
    noticed: ClassVar[range] = range(1, 2)
    """How many may have noticed something before: here only the watcher."""
    other: str

    def check(self, what: Occurrence) -> None:
        """Raise `ModelError` if the agent cannot notice this."""
        self.need(len(what.noticers) in self.noticed, "there is nothing here to notice")
        self.need(what.noticers[-1] == self.other, f"the last to notice something was {what.noticers[-1]}")
        there = self.agent in what.group or self.agent in what.noticers
        self.need(there and self.agent != self.other, f"{self.agent} cannot see that")


@dataclass(frozen=True, slots=True)
class Realises(Notices):
    """An agent notices that another has noticed something; with `denied`, they do not."""

    word = "realises"
    wordings = ("{agent} realised that {other} had noticed.", "{agent} could tell that {other} had noticed.")
    denials = (
        "{agent} did not realise that {other} had noticed.",
        "{agent} could not tell that {other} had noticed.",
    )
    noticed = range(2, sys.maxsize)


@dataclass(frozen=True, slots=True)
class Remarks(Deed):
    """Something that changes no belief about where things are; it stands in no story file."""

    wordings = ("{agent} liked the {place}.", "{agent} was hungry.", "The {place} was old.")
    agent: str = ""
    place: str = ""


DEEDS: Mapping[str, type[Deed]] = {
    deed.word: deed for deed in (Enters, Leaves, Looks, Moves, Swaps, Tells, Watches, Notices, Realises)
}
"""The deeds of story files, by their words."""


K = TypeVar("K", bound=Hashable)

_HEAD = re.compile(
    r"The (?P<places>[\w ,]+) stood in the (?P<of>\w+)\. ?|The (?P<thing>\w+) lay in the (?P<place>\w+)\. ?"
    r"|(?P<agents>\w+(, \w+)*( and \w+)?) (was|were) in the (?P<room>\w+)\. ?"
)
_THINK = ("think", "believe")
_WORD = r"\w+"
_FILLINGS = {"n": r"\d+", "A": r"\w+(?:(?: really)?(?:, | and | thinks? (?:that )?)\w+)*(?: really)?"}
_FILLINGS |= dict.fromkeys(("fact", "words", "present"), ".+?")


class Wordings(Generic[K]):
    """The wordings of sentences by what they say, to read sentences back.

    The place `{n}` of a wording is for a number, `{A}` is for one name or several, in a list or as in "Ann
    thinks Bo", `{fact}` and `{words}` are for some words, and any other place is for one word. `needed`: by
    kind, the places that its wordings must have.

    >>> Wordings({"muddy": ["{a} is muddy"], "clean": ["{a} is clean"]}).read("Anne is clean")
    ('clean', {'a': 'Anne'})
    """

    def __init__(self, wordings: Mapping[K, Sequence[str]], needed: Mapping[K, str] | None = None) -> None:
        self._known = []
        for kind, several in wordings.items():
            for words in several:
                pieces = re.split(r"\{([A-Za-z]\w*)\}", words)
                places, wanted = pieces[1::2], (needed or {}).get(kind, "").split()
                if {*wanted} - {*places} or len({*places}) < len(places):
                    raise FormatError(f"{kind}: {words!r} needs the places {', '.join(wanted)}, each once")
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


def deed_wordings(*deeds: type[Deed]) -> Wordings[tuple[type[Deed], bool]]:
    """Return the wordings of deeds, by the deed and whether it is denied."""
    kinds = product(deeds, (False, True))
    return Wordings({(deed, denied): deed.denials if denied else deed.wordings for deed, denied in kinds})


DEED_WORDINGS = deed_wordings(*DEEDS.values(), Remarks)


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
    return setting, [read_deed(said, named, DEED_WORDINGS) for said in sentences(story[end:]) if said]


def read_deed(
    sentence: str, named: Mapping[str, Collection[str]], wordings: Wordings[tuple[type[Deed], bool]]
) -> Deed:
    """Return the deed in a sentence; raise `FormatError` for any other, and for names that are not known."""
    (deed, denied), given = wordings.read(sentence)
    names: dict[str, Any] = {**given, "denied": True} if denied else {**given}
    for kind, name in ((kind, name) for kind, some in given.items() for name in read_list(some)):
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
        raise FormatError(f"{text!r} is not a question about where somebody thinks that a thing is")
    return agents, thing
