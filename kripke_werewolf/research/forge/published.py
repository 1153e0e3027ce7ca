"""Published sets of stories read back: each label derived again from the text, twice.

ToMi (Le, Boureau and Nickel 2019, *Revisiting the Evaluation of Theory of Mind through Question Answering*)
and Hi-ToM (Wu and others 2023, *Hi-ToM*) say in the same words who is where and moves what. A thing is in the
room of the first person who moves it, or of those who came in last before it was seen; those in a room see
where its things are, even as they come in; to enter a room is to leave the one before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import parse_json
from kripke_werewolf.research.forge.family import least_order, numbered_lines
from kripke_werewolf.research.forge.judged import OPEN, Format, JudgedItem, RawItem, fields_of, unknown
from kripke_werewolf.research.forge.rooms import by_updates, thinks_in
from kripke_werewolf.research.stories.occurrences import Occurrence, believed
from kripke_werewolf.research.stories.scenes import Deed, Enters, Leaves, Moves, Setting, listed, read_list

_SENTENCE = re.compile(
    r"\d+ (?:(?P<enter>[\w, ]+) entered the (?P<into>\w+)\.|(?P<leave>\w+) exited the (?P<room>\w+)\."
    r"|(?P<move>\w+) moved the (?P<moved>\w+) to the (?P<to>\w+)\.|The (?P<lies>\w+) is in the (?P<place>\w+)"
    r"\.|\w+ (?:publicly claimed|privately told \w+) that (?:the )?(?P<told>\w+) is in the \w+\."
    r"|\w+ (?:likes|dislikes|loves|hates|lost|saw|made no movements) ?.*)"
)
_QUESTION = re.compile(
    r"Where (?:is|was|will|does) (?:(?P<who>\w.*?)(?: really)? (?:look for|searches for|thinks?) )?"
    r"the (?P<thing>\w+)(?: is| really|(?P<first> at the beginning))?\?"
)
_ORDINALS = ("first", "second", "third", "fourth")


def _names(step: re.Match[str]) -> list[str]:
    return read_list(step["enter"]) if step["enter"] else []


def _deeds(step: re.Match[str], setting: Setting, thing: str) -> Iterator[Deed]:
    """Yield the deeds in a sentence, as far as they are about one thing."""
    for agent in _names(step):
        if agent in setting.inside:
            yield Leaves(agent, setting.inside[agent])
        yield Enters(agent, step["into"])
    if step["leave"]:
        yield Leaves(step["leave"], step["room"])
    if step["moved"] == thing and setting.things[thing] != step["to"]:
        yield Moves(step["move"], thing, step["to"])


@lru_cache(maxsize=64)
def _acted(story: str, thing: str) -> tuple[Setting, bool]:
    """Act a story out, as far as it is about one thing, and return whether somebody speaks of the thing.

    Raises `FormatError` for a sentence that is not of the format, and `ModelError` for what cannot happen.
    """
    steps = [_SENTENCE.fullmatch(line) or unknown(line) for line in story.split("\n")]
    about = [step for step in steps if thing in (step["lies"], step["moved"])]
    if not about or not about[0]["lies"]:
        raise FormatError(f"the story does not say where the {thing} is before it is moved")
    first = next((step for step in about if step["move"]), about[0])
    before = [step for step in steps[: steps.index(first)] if first["move"] in (None, *_names(step))]
    room = next((step["into"] for step in reversed(before) if step["into"]), "")
    rooms: dict[str, tuple[str, ...]] = {step["into"]: () for step in steps if step["into"]}
    rooms |= {room: tuple(dict.fromkeys(step["place"] or step["to"] for step in about))}
    agents = dict.fromkeys(name for step in steps for name in _names(step))
    setting = Setting(tuple(agents), rooms, {}, {}, open=True)
    for step in steps:
        for deed in _deeds(step, setting, thing):
            setting = deed.after(setting)
        if step["lies"] == thing:
            seen = Occurrence(thing, step["place"], setting.present(room))
            setting = setting._replace(things={thing: step["place"]}, happened=(*setting.happened, seen))
    return setting, any(step["told"] == thing for step in steps)


def _judge(item: RawItem) -> JudgedItem:
    """Answer a question about where a thing is, and compare the answer with the label."""
    asked = _QUESTION.fullmatch(item.question) or unknown(item.question)
    setting, told = _acted(item.story, asked["thing"])
    chain = tuple(re.split(" thinks?(?: that)? ", asked["who"])) if asked["who"] else ()
    if strangers := {*chain} - {*setting.agents}:
        raise FormatError(f"nobody called {min(strangers)} is in the story")
    log = setting.happened[:1] if asked["first"] else setting.happened
    answer = believed(log, chain)
    answers = {"perspectives": answer, "updates": by_updates(log, chain, setting)}
    needed = least_order(chain, lambda part: believed(log, part))
    kind = "the beginning" if asked["first"] else f"order {len(chain)}"
    flaw = ""
    if told and chain:
        flaw = OPEN
    elif answer != item.label:
        flaw = _flaw(log, chain, item.label)
    formula = thinks_in(chain, asked["thing"], answer)
    seen = [what.place for what in log if {*chain} <= what.group]
    why = f"{formula}; all of them together saw it in the {', '.join(seen)}" if flaw else ""
    return JudgedItem(item.place, kind, item.label, answers, needed, flaw, why)


def _flaw(log: Sequence[Occurrence], chain: Sequence[str], label: str) -> str:
    """Return the kind of mistake that gives this label."""
    seen = [what.group for what in log if what.place == label]
    missed = [_ORDINALS[i] for i, agent in enumerate(chain) if not any(agent in group for group in seen)]
    if not seen:
        return "the thing was never in the place of the label"
    if missed:
        return f"the {listed(missed)} person named never saw the thing there"
    return "each person named saw the thing there, but not together with the others"


def _tomi(text: str) -> Iterator[RawItem]:
    story: list[str] = []
    for place, line in numbered_lines(text):
        question, *rest = line.partition(" ")[2].split("\t")
        if line.startswith("1 "):
            story = []
        if rest:
            yield RawItem(place, "\n".join(story), question, rest[0])
        else:
            story.append(line)


def _hitom(text: str) -> Iterator[RawItem]:
    for number, item in enumerate(fields_of(parse_json(text, "the file"), "the file", data=list)[0]):
        story, *rest = fields_of(item, f"item {number}", story=str, question=str, answer=str)
        sentences = (line for line in story.split("\n") if line[:1].isdecimal())
        yield RawItem(f"item {number}", "\n".join(sentences), *rest)


FORMATS = {"tomi": Format(_tomi, _judge), "hitom": Format(_hitom, _judge)}
"""The published formats by name."""
