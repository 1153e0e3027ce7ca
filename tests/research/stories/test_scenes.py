"""Scenes: two engines, story files and English say the same."""

import random
import re
from collections.abc import Iterator
from itertools import product

import pytest

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.research.forge import family, noticed, rooms
from kripke_werewolf.research.stories import story
from kripke_werewolf.research.stories.occurrences import believed
from kripke_werewolf.research.stories.scenes import (
    DEED_WORDINGS,
    DEEDS,
    Deed,
    Enters,
    Leaves,
    Looks,
    Moves,
    Notices,
    Realises,
    Remarks,
    Setting,
    Tells,
    Watches,
    asked_about,
    question,
    read_scene,
)
from tests.cases import cases, each

HALL = Setting(
    agents=("Ann", "Bo", "Cy"),
    rooms={"hall": ("box", "bag", "jar")},
    things={"key": "box"},
    inside=dict.fromkeys(("Ann", "Bo", "Cy"), "hall"),
)
HEAD = "\n".join(HALL.lines()) + "\n"


def after(*deeds: Deed, start: Setting = HALL) -> Setting:
    now = start.begun()
    for deed in deeds:
        now = deed.after(now)
    return now


def thought(now: Setting, *chain: str) -> str | None:
    """Return the answer on which both engines agree."""
    log = now.log("key")
    found = believed(log, chain)
    assert noticed.by_updates(log, "key", chain, now) == found
    return found


def chains(agents: tuple[str, ...], depth: int) -> Iterator[tuple[str, ...]]:
    for length in range(depth + 1):
        yield from product(agents, repeat=length)


def test_those_who_are_absent_think_that_nothing_happens() -> None:
    now = after(Leaves("Cy", "hall"), Moves("Ann", "key", "bag"))
    assert thought(now) == thought(now, "Ann", "Bo") == "bag"
    assert {thought(now, *chain) for chain in chains(HALL.agents, 4) if "Cy" in chain} == {"box"}


@each([False, True])
def test_who_comes_back_sees_where_things_are_if_the_places_are_open(is_open: bool) -> None:
    start = HALL._replace(open=is_open)
    now = after(
        Leaves("Cy", "hall"),
        Moves("Ann", "key", "bag"),
        Leaves("Ann", "hall"),
        Enters("Cy", "hall"),
        start=start,
    )
    assert thought(now, "Cy") == thought(now, "Bo", "Cy") == ("bag" if is_open else "box")
    assert thought(now, "Ann", "Cy") == "box"  # who leaves does not see who returns


def test_others_see_who_looks_but_not_what_they_find() -> None:
    now = after(
        Leaves("Cy", "hall"), Moves("Ann", "key", "bag"), Leaves("Ann", "hall"), Leaves("Bo", "hall"),
        Enters("Cy", "hall"), Enters("Bo", "hall"), Looks("Cy", "key"),
    )  # fmt: skip
    assert thought(now, "Cy") == "bag"
    assert thought(now, "Cy", "Bo") == "box"  # Bo saw it put into the bag, but Cy does not know that
    assert thought(now, "Bo", "Cy") == "bag"
    assert thought(now, "Ann", "Cy") == "box"


def test_telling_is_believed_moves_nothing_and_the_last_word_wins() -> None:
    gone = (
        Leaves("Cy", "hall"),
        Moves("Ann", "key", "bag"),
        Leaves("Bo", "hall"),
        Moves("Ann", "key", "jar"),
    )
    now = after(*gone, Tells("Bo", "Cy", "key", "bag"))
    assert thought(now) == "jar"
    assert thought(now, "Cy") == thought(now, "Cy", "Bo") == "bag"
    assert thought(now, "Ann", "Cy") == "box"
    assert (
        thought(after(*gone, Tells("Bo", "Cy", "key", "bag"), Tells("Ann", "Cy", "key", "jar")), "Cy")
        == "jar"
    )
    with pytest.raises(ModelError, match="Bo thinks that the key is in the bag"):
        after(*gone, Tells("Bo", "Cy", "key", "jar"))


def test_each_who_notices_something_adds_one_link() -> None:
    moved = (Leaves("Cy", "hall"), Moves("Ann", "key", "bag"))
    noticing = (Watches("Cy"), Notices("Bo", "Cy"), Realises("Cy", "Bo"), Realises("Ann", "Cy"))
    links = ("Cy", "Bo", "Cy", "Ann")
    for number in range(len(noticing) + 1):
        now = after(*moved, *noticing[:number])
        for depth in range(1, len(links) + 1):
            assert thought(now, *links[:depth][::-1]) == ("bag" if depth <= number else "box")


def test_deeds_that_are_impossible_are_refused() -> None:
    for deeds, reason in (
        ((Enters("Ann", "hall"),), "Ann is in the hall"),
        ((Leaves("Ann", "hall"), Leaves("Ann", "hall")), "Ann is not in the hall"),
        ((Leaves("Ann", "hall"), Moves("Ann", "key", "bag")), "Ann is not in the hall, where the key is"),
        ((Moves("Ann", "key", "box"),), "there already"),
        ((Watches("Ann"),), "does not follow a move"),
        ((Moves("Ann", "key", "bag"), Watches("Bo")), "Bo is in the room"),
        (
            (Leaves("Cy", "hall"), Moves("Ann", "key", "bag"), Notices("Bo", "Cy")),
            "there is nothing here to notice",
        ),
        ((Tells("Ann", "Ann", "key", "box"),), "tells themselves"),
    ):
        with pytest.raises(ModelError, match=reason):
            after(*deeds)
    with pytest.raises(ModelError, match="sees this anyway"):
        after(Looks("Ann", "key"), start=HALL._replace(open=True))


# --- English ---------------------------------------------------------------------------------------


def test_no_sentence_has_two_readings() -> None:
    names = " ".join([family.NAMES, rooms.THINGS, rooms.PLACES, rooms.ROOM_NAMES]).split()
    assert len(set(names)) == len(names)
    given = {"agent": "Anne", "other": "Bob", "room": "hall", "thing": "key", "place": "bag", "second": "box"}
    for deed in (*DEEDS.values(), Remarks):
        for said in deed.wordings + deed.denials:
            (read, denied), places = DEED_WORDINGS.read(said.format(**given))
            assert (read, denied) == (deed, said in deed.denials)
            assert places.items() <= given.items()
            assert not set(re.sub(r"\{\w+\}", "", said).rstrip(".").split()) & set(names)


@each(DEEDS.values())
def test_every_wording_is_read_back(kind: type[Deed]) -> None:
    given = {"agent": "Ann", "other": "Bo", "room": "hall", "thing": "key", "place": "bag", "second": "box"}
    names = {name: given[name] for name in kind.__match_args__}
    for denied in [{}, {"denied": True}] if kind.denials else [{}]:
        deed = kind(**names, **denied)
        for number in range(len(deed.said)):
            assert read_scene(f"{HALL.english()} {deed.sentence(number)}") == (HALL, [deed])


def test_names_inside_names_are_read() -> None:
    start = Setting(
        ("Ann", "Anne", "An"), {"hall": ("box", "boxes"), "hallway": ("bo", "o")},
        {"key": "bo", "keys": "boxes"}, {"Ann": "hall", "Anne": "hallway", "An": "hallway"},
    )  # fmt: skip
    deeds = [Moves("An", "key", "o"), Leaves("Anne", "hallway"), Moves("Ann", "keys", "box")]
    text = " ".join([start.english(), *(deed.sentence() for deed in deeds)])
    assert read_scene(text) == (start, deeds)
    assert asked_about(question(("Anne", "An", "Ann"), "keys"), start) == (("Anne", "An", "Ann"), "keys")


def test_other_sentences_are_refused() -> None:
    for text in (
        "Ann was in the hall.",
        f"{HALL.english()} Ann ate the key.",
        f"{HALL.english()} Dora left the hall.",
    ):
        with pytest.raises(FormatError):
            read_scene(text)
    with pytest.raises(FormatError, match="not a question"):
        asked_about("Where does Ann think that Dora thinks the key is?", HALL)


# --- story files -----------------------------------------------------------------------------------


@each([{}, {"open": True}, {"rooms": 2}], range(3))
def test_the_lines_of_an_item_run_as_a_story_file(changes: dict[str, int], seed: int) -> None:
    family = rooms.ROOMS
    knobs = rooms._RoomKnobs(orders=(1, 2, 3), events=5, things=1, agents=3, batch=4, **changes)
    for (item,) in family.items(knobs, rooms.Draws(f"file {seed}"), "s"):
        told = story("\n".join([*item.scene, f"expect yes: {item.formula}"]))
        assert [outcome.right for outcome in told.outcomes()][-1]


def test_a_story_file_may_add_atoms_and_events_of_its_own() -> None:
    told = story(
        HEAD + "atoms: rain\nleave Cy: hall\nmove Ann: key, bag\nwatches Cy:\ntell Bo: rain\n"
        "expect yes: B_Cy key_in_bag & B_Bo rain & ~B_Ann rain\nexpect no: B_Ann B_Cy key_in_bag\n"
        "move Bo: key, jar\n"
    )
    assert all(outcome.right for outcome in told.outcomes())
    assert told.moments[1].headline() == "Ann moved the key to the bag. Cy was watching through the window"


def test_names_with_blanks_stand_in_braces_everywhere() -> None:
    told = story(
        "agents: {Mary Ann}, Bo\nroom {big hall}: {tin box}, bag\ninside {Mary Ann}: {big hall}\n"
        "thing key: {tin box}\nmove {Mary Ann}: key, bag\n"
        "expect yes: B_{Mary Ann} key_in_bag & ~B_Bo key_in_bag\nleave {Mary Ann}: {big hall}\n"
    )
    assert all(outcome.right for outcome in told.outcomes())


@cases(
    ("move Ann: key, sack", "line 8, column 16: unknown place 'sack'"),
    ("move Ann: key, box", "there already"),
    ("leave Cy: hall\nmove Ann: key, bag\nexpect yes: key_in_bag\nwatches Cy:", "follow the event"),
    ("thing key: bag", "'key' is named twice"),
    ("inside Dora: hall", "unknown agent 'Dora'"),
    ("inside Ann: hall", "line 8, column 8: 'Ann' is named twice"),
    ("room hall: sack", "line 8, column 6: 'hall' is named twice"),
    ("thing coin: box, bag", "line 8, column 13: expected one place"),
    ("places: shut", "expected places"),
)
def test_errors_name_the_place(lines: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        story(HEAD + lines)


def test_random_scenes_by_both_engines() -> None:
    draw = random.Random(5)
    for _ in range(20):
        now, kinds = HALL.begun(), list(DEEDS.values())
        for _ in range(25):
            kind = draw.choice(kinds)
            names = {name: draw.choice(list(now.named()[name])) for name in kind.__match_args__}
            try:
                now = kind(**names).after(now)
            except ModelError:
                continue
        for chain in chains(HALL.agents, 3):
            thought(now, *chain)
