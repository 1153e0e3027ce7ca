"""Published sets of stories read back: each label derived again from the text, twice.

ToMi (Le, Boureau and Nickel 2019, *Revisiting the Evaluation of Theory of Mind through Question Answering*)
and Hi-ToM (Wu and others 2023, *Hi-ToM*) say in the same words who is where and moves what; other sets
declare theirs in a grammar. A thing is in the room of the first person who moves it, or of those who came in
last before it was seen; those in a room see what is moved there, and if its places are open, where its things
are, even as they come in; to enter a room is to leave the one before.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from kripke_werewolf.base.errors import FormatError, GameError, check_known
from kripke_werewolf.base.files import parse_json, read_text
from kripke_werewolf.base.settings import check_fields, from_data
from kripke_werewolf.research.forge.family import least_order, numbered_lines
from kripke_werewolf.research.forge.judged import OPEN, Format, JudgedItem, RawItem, fields_of
from kripke_werewolf.research.forge.noticed import by_updates, thinks_in
from kripke_werewolf.research.stories import scenes
from kripke_werewolf.research.stories.occurrences import Occurrence, believed

_ORDINALS = ("first", "second", "third", "fourth")
SENTENCES = {"enter": "A room", "leave": "agent room", "move": "agent thing place", "lies": "thing place"}
SENTENCES |= {"told": "thing", "idle": ""}
QUESTIONS = {"reality": "thing", "first": "thing", "thought": "A thing"}
"""The kinds of sentences and of questions of a grammar, with the places of their wordings."""
Places: TypeAlias = Literal["open", "closed"]
"""How the places of things are: open, or so that those who come in see nothing."""


@dataclass(frozen=True)
class StoryGrammar:
    """How a set tells its stories: its sentences and its questions by kind, and how places are.

    `story`, `question`, `answer`: the names of an item's fields in lines of JSON.
    """

    sentences: scenes.Wordings[str]
    questions: scenes.Wordings[str]
    places: Places = "open"
    story: str = "story"
    question: str = "question"
    answer: str = "answer"

    def __post_init__(self) -> None:
        check_fields(self)


def grammar_of(text: str, source: str) -> StoryGrammar:
    """Return the grammar in a file (TOML); raise `FormatError` for anything else.

    The tables `sentences` and `questions` have lists of wordings by kind, with places such as {agent}, {A}
    for several people, {thing}, {place} and {room}; {A} of a question is a chain such as "Ann thinks Bo".
    """
    try:
        data = tomllib.loads(text)
        for table, kinds in (("sentences", SENTENCES), ("questions", QUESTIONS)):
            data[table] = _wordings(data.get(table), table, kinds)
        found: StoryGrammar = from_data(StoryGrammar, data, called="a grammar")
    except (tomllib.TOMLDecodeError, FormatError, GameError, LookupError) as error:
        raise FormatError(f"{source}: {error}") from None
    return found


def _wordings(given: Any, table: str, kinds: Mapping[str, str]) -> scenes.Wordings[str]:
    if not isinstance(given, dict):
        raise FormatError(f"expected a table {table!r} with a list of wordings for each kind, got {given!r}")
    for kind, several in given.items():
        check_known(kind, kinds, kind=f"kind of {table}")
        if not isinstance(several, list) or not all(isinstance(words, str) for words in several):
            raise FormatError(f"{kind}: expected a list of strings, got {several!r}")
    return scenes.Wordings(given, kinds)


def _deeds(kind: str, given: Mapping[str, str], setting: scenes.Setting, thing: str) -> Iterator[scenes.Deed]:
    """Yield the deeds in a sentence, as far as they are about one thing."""
    for agent in scenes.read_list(given["A"]) if kind == "enter" else ():
        if agent in setting.inside:
            yield scenes.Leaves(agent, setting.inside[agent])
        yield scenes.Enters(agent, given["room"])
    if kind == "leave":
        yield scenes.Leaves(given["agent"], given["room"])
    if kind == "move" and given["thing"] == thing and setting.things[thing] != given["place"]:
        yield scenes.Moves(given["agent"], thing, given["place"])


@lru_cache(maxsize=64)
def _acted(grammar: StoryGrammar, story: str, thing: str) -> tuple[scenes.Setting, bool]:
    """Act a story out, as far as it is about one thing, and return whether somebody speaks of the thing.

    Raises `FormatError` for a sentence that is not of the format, and `ModelError` for what cannot happen.
    """
    steps = [grammar.sentences.read(line) for line in story.split("\n")]
    about = [(kind, given) for kind, given in steps if kind in ("lies", "move") and given["thing"] == thing]
    if not about or about[0][0] != "lies":
        raise FormatError(f"the story does not say where the {thing} is before it is moved")
    first = next((step for step in about if step[0] == "move"), about[0])
    entered = [given for kind, given in steps[: steps.index(first)] if kind == "enter"]
    mover = first[1].get("agent")
    ways = [own["room"] for own in entered if mover in (None, *scenes.read_list(own["A"]))]
    room = ways[-1] if ways else ""
    rooms: dict[str, tuple[str, ...]] = {given["room"]: () for kind, given in steps if kind == "enter"}
    rooms |= {room: tuple(dict.fromkeys(given["place"] for _, given in about))}
    coming = [name for kind, given in steps if kind == "enter" for name in scenes.read_list(given["A"])]
    setting = scenes.Setting(tuple(dict.fromkeys(coming)), rooms, {}, {}, open=grammar.places == "open")
    for kind, given in steps:
        for deed in _deeds(kind, given, setting, thing):
            setting = deed.after(setting)
        if kind == "lies" and given["thing"] == thing:
            seen = Occurrence(thing, given["place"], setting.present(room))
            setting = setting._replace(things={thing: given["place"]}, happened=(*setting.happened, seen))
    return setting, any(kind == "told" and given["thing"] == thing for kind, given in steps)


def _judge(grammar: StoryGrammar, item: RawItem) -> JudgedItem:
    """Answer a question about where a thing is, and compare the answer with the label."""
    kind, given = grammar.questions.read(item.question)
    setting, told = _acted(grammar, item.story, given["thing"])
    asked = given.get("A", "").replace(" really", "")
    chain = tuple(filter(None, re.split(" thinks?(?: that)? ", asked)))
    if strangers := {*chain} - {*setting.agents}:
        raise FormatError(f"nobody called {min(strangers)} is in the story")
    log = setting.happened[:1] if kind == "first" else setting.happened
    answer = believed(log, chain)
    answers = {"perspectives": answer, "updates": by_updates(log, given["thing"], chain, setting)}
    needed = least_order(chain, lambda part: believed(log, part))
    flaw = ""
    if told and chain:
        flaw = OPEN
    elif answer != item.label:
        flaw = _flaw(log, chain, item.label)
        other = replace(grammar, places="closed" if setting.open else "open")
        if chain and believed(_acted(other, item.story, given["thing"])[0].happened, chain) == item.label:
            flaw = f"right under {other.places} places"
    formula = thinks_in(chain, given["thing"], answer)
    seen = [what.place for what in log if {*chain} <= what.group]
    why = f"{formula}; all of them together saw it in the {', '.join(seen)}"
    title = "the beginning" if kind == "first" else f"order {len(chain)}"
    return JudgedItem(item.place, title, item.label, answers, needed, flaw, why)


def _flaw(log: Sequence[Occurrence], chain: Sequence[str], label: str) -> str:
    """Return the kind of mistake that gives this label."""
    seen = [what.group for what in log if what.place == label]
    missed = [_ORDINALS[i] for i, agent in enumerate(chain) if not any(agent in group for group in seen)]
    if not seen:
        return "the thing was never in the place of the label"
    if missed:
        return f"the {scenes.listed(missed)} person named never saw the thing there"
    return "each person named saw the thing there, but not together with the others"


def _tomi(text: str) -> Iterator[RawItem]:
    story: list[str] = []
    for place, line in numbered_lines(text):
        number, _, said = line.partition(" ")
        question, *rest = said.split("\t")
        if number == "1":
            story = []
        if rest:
            yield RawItem(place, "\n".join(story), question, rest[0])
        else:
            story.append(said)


def _hitom(text: str) -> Iterator[RawItem]:
    for number, item in enumerate(fields_of(parse_json(text, "the file"), "the file", data=list)[0]):
        story, *rest = fields_of(item, f"item {number}", story=str, question=str, answer=str)
        told = (line.partition(" ")[2] for line in story.split("\n") if line[:1].isdecimal())
        yield RawItem(f"item {number}", "\n".join(told), *rest)


def _named(grammar: StoryGrammar, text: str) -> Iterator[RawItem]:
    """Yield the items in lines of JSON."""
    fields = grammar.story, grammar.question, grammar.answer
    for place, line in numbered_lines(text):
        story, *rest = fields_of(parse_json(line, place), place, **dict.fromkeys(fields, str))
        told = re.split(r"\n|(?<=\.) ", re.sub(r"(?m)^\d+ ", "", story))
        yield RawItem(place, "\n".join(filter(None, told)), *rest)


FORMATS: Mapping[str, Callable[[str], Iterator[RawItem]]] = {"tomi": _tomi, "hitom": _hitom}
"""The published formats by name: how each splits a file into items; their words are in published.toml."""


def format_of(name: str, *, places: Places | None = None) -> Format:
    """Return a published format, or that of a grammar file, which is named by its path.

    `places`: whether these are open or closed, if not as the format says.
    """
    path = name if name.endswith(".toml") else Path(__file__).with_suffix(".toml")
    grammar = grammar_of(read_text(path), os.fspath(path))
    grammar = replace(grammar, places=places or grammar.places)
    if name.endswith(".toml"):
        return Format(partial(_named, grammar), partial(_judge, grammar))
    return Format(FORMATS[check_known(name, FORMATS, kind="format")], partial(_judge, grammar))
