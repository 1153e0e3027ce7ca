"""The family of rooms: what is certified, what must not change, and that errors would be found."""

import gc
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice, pairwise, product
from typing import Any

import pytest

from kripke_werewolf import FormatError, GameError, KripkeError, KripkeModel, bisimilar
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.research.forge import StoryItem, family_named, forged, noticed, read_items, rooms
from kripke_werewolf.research.stories import occurrences, scenes
from kripke_werewolf.research.stories.occurrences import Occurrence
from tests.cases import cases, each
from tests.renamed_stories import disagree, forget, groups, need_their_order

FAMILY = family_named("rooms")
SMALL = {"agents": 3, "events": 6}


def made(number: int, seed: int = 1, **knobs: Any) -> list[StoryItem]:
    return list(forged(FAMILY, rooms._RoomKnobs(**knobs), items=number, seed=seed))


@cache
def pairs(seed: int = 1) -> tuple[StoryItem, ...]:
    return tuple(made(160, seed, pairs=True))


def model(told: Any, thing: str) -> tuple[KripkeModel, Any]:
    """Return the model of the library after a story, and its actual world."""
    agents, places = told.start.agents, told.start.places_of(thing)
    now = KripkeModel.from_partitions(
        [0], {a: [[0]] for a in agents}, {f"{thing}_in_{p}": [] for p in places}, 0
    )
    for what in noticed.log_of(told.noticed(thing)):
        now = now.update(what.action(agents, places)).generated().contract()
    return now, now.designated[0]


# --- certificates ----------------------------------------------------------------------------------


@each([{"pairs": True, "orders": (1, 2, 3, 4, 5)}, {"quadruples": True, "orders": (1, 2, 3)}], range(2))
def test_groups_are_bisimilar_below_their_order_and_not_at_it(knobs: dict[str, Any], seed: int) -> None:
    for one, *others in groups(made(24, seed, batch=6, **knobs)):
        need_their_order([one, *others], FAMILY)
        left = rooms._read(one.story)
        _, thing = scenes.asked_about(one.question, left.start)
        for other in others:
            (m, w), (n, v) = model(left, thing), model(rooms._read(other.story), thing)
            assert bisimilar(m, w, n, v, depth=one.order - 1)
            assert one.answer == other.answer or not bisimilar(m, w, n, v, depth=one.order)


@each([{}, {"open": True}, {"rooms": 2, "agents": 5}])
def test_what_an_item_says_follows_from_its_text(knobs: dict[str, Any]) -> None:
    for item in made(20, orders=(1, 2, 3, 4), **knobs):
        told = rooms._read(item.story)
        chain, thing = scenes.asked_about(item.question, told.start)
        now, world = model(told, thing)
        true = [
            p
            for p in item.choices
            if now.holds(item.formula.replace(f"_in_{item.answer}", f"_in_{p}"), world)
        ]
        assert true == [item.answer]
        assert len(chain) == item.order
        log = noticed.log_of(told.noticed(thing))
        shorter = [c for k in range(item.order) for c in product(set(chain), repeat=k) if is_part(c, chain)]
        same = [len(c) for c in shorter if occurrences.believed(log, c) == item.answer]
        assert item.order_needed == min(same, default=item.order)


def is_part(some: tuple[str, ...], chain: tuple[str, ...]) -> bool:
    left = iter(chain)
    return all(agent in left for agent in some) and all(a != b for a, b in pairwise(some))


@each(range(2))
def test_shortcuts_fail_on_pairs_and_many_items_need_their_order(seed: int) -> None:
    items = pairs(seed)
    for name in [name for name in items[0].shortcuts if not name.startswith("notices")]:
        of = [item for item in items if item.order > 0]
        assert sum(item.shortcuts[name] == item.answer for item in of) <= 0.5 * len(of), name
    assert sum(item.order_needed == item.order for item in items) >= 0.45 * len(items)
    assert Counter(item.order for item in items) == dict.fromkeys((1, 2, 3, 4), len(items) // 4)
    places = Counter(item.choices.index(item.answer) for item in items)
    assert all(abs(n - len(items) / 4) < 5 * (len(items) * 3 / 16) ** 0.5 for n in places.values())


def test_no_side_of_a_pair_is_the_answer() -> None:
    """The item with the sentence and the one without come first equally often."""
    firsts = [item.own[0] for item in pairs()[::2]]
    denied = sum(" not " in said or "saw nothing" in said for said in firsts)
    assert 0.3 < denied / len(firsts) < 0.7


SWAPPED = (
    "Bo left the hall. Ann swapped what was in the box and the bag. Bo was watching through the window. "
    "Ann exchanged the contents of the bag and the jar. Bo was not watching."
)


@cases(("Ann", "jar"), ("Bo", "bag"), ("Ann Bo", "box"), ("Bo Ann", "bag"), ("Bo Ann Bo", "box"))
def test_what_is_swapped_goes_from_where_people_think_it_is(chain: str, place: str) -> None:
    told = f"{HALL._replace(open=False).english()} {SWAPPED}"
    asked = scenes.question(chain.split(), "key")
    assert {*FAMILY.derive(told, asked).answers.values()} == {place}


HALL = scenes.Setting(
    agents=("Ann", "Bo", "Cy"),
    rooms={"hall": ("box", "bag", "jar")},
    things={"key": "box"},
    inside=dict.fromkeys(("Ann", "Bo", "Cy"), "hall"),
    open=True,
)
AWAY = "Bo left the hall. Cy left the hall. Ann moved the key to the bag. Bo entered the hall."


@cases(
    ("", "Bo", "bag"),
    ("", "Bo Ann", "bag"),  # they see it together
    ("", "Bo Cy", None),  # Cy may have come in between, for all that Bo knows
    ("", "Ann Bo Cy", None),
    ("", "Ann Cy", "box"),
    ("", "Cy Bo", "box"),
    ("Cy entered the hall.", "Bo Cy", "bag"),
    ("Cy entered the hall. Ann left the hall. Bo moved the key to the jar.", "Bo Ann", "bag"),
    ("Bo left the hall. Bo told Cy in private that the key was in the bag.", "Cy Ann", None),
    ("Bo left the hall. Bo told Cy in private that the key was in the bag.", "Cy Bo", "bag"),
    ("Bo left the hall. Bo told Cy in private that the key was in the bag.", "Bo Cy", "bag"),
    ("Ann moved the key to the jar.", "Bo Cy", None),
)
def test_what_others_think_is_left_open_after_a_surprise(more: str, chain: str, answer: str | None) -> None:
    told, asked = f"{HALL.english()} {AWAY} {more}".strip(), scenes.question(chain.split(), "key")
    if answer is None:
        with pytest.raises(FormatError, match="did not expect"):
            FAMILY.derive(told, asked)
    else:
        assert {*FAMILY.derive(told, asked).answers.values()} == {answer}


def test_garbage_is_collected_as_before() -> None:
    for collecting in (True, False):
        (gc.enable if collecting else gc.disable)()
        try:
            made(1)
            assert gc.isenabled() is collecting
        finally:
            gc.enable()


# --- what must not change an answer -----------------------------------------------------------------


def renamed(text: str, fresh: dict[str, str]) -> str:
    """Return a text with other words."""
    return re.sub(r"[A-Za-z]+", lambda word: fresh.get(word[0], word[0]), text)


@each(range(3))
def test_names_change_names_alone(seed: int) -> None:
    for item in made(12, seed, rooms=2, agents=5, orders=(1, 3)):
        told = rooms._read(item.story)
        words = [*told.start.agents, *told.start.rooms, *told.start.things, *told.start.named()["place"]]
        fresh = {word: f"{'N' if word[0].isupper() else 'n'}{number}x" for number, word in enumerate(words)}

        story, question = renamed(item.story, fresh), renamed(item.question, fresh)
        found = FAMILY.derive(story, question)
        assert {*found.answers.values()} == {fresh[item.answer]}
        assert found.order_needed == item.order_needed
        assert FAMILY.derive(story, question).order == item.order


def test_remarks_may_stand_anywhere() -> None:
    for item in made(20, distractors=6):
        told = rooms._read(item.story)
        rest = [deed for deed in told.deeds if not isinstance(deed, scenes.Remarks)]
        story = " ".join(
            [told.start.english(), *(deed.sentence() for deed in rest), f"The {item.answer} was old."]
        )
        assert {*FAMILY.derive(story, item.question).answers.values()} == {item.answer}


def test_processes_and_the_length_of_a_run_change_nothing() -> None:
    knobs = rooms._RoomKnobs(pairs=True, batch=5, **SMALL)
    with ThreadPoolExecutor(3) as executor:
        several = list(forged(FAMILY, knobs, items=40, seed=4, executor=executor))
    assert several == list(forged(FAMILY, knobs, items=40, seed=4))
    assert list(forged(FAMILY, knobs, items=21, seed=4)) == several[:22]
    assert several != list(forged(FAMILY, knobs, items=40, seed=5))


def test_items_survive_their_file(tmp_path: Any) -> None:
    items = made(10) + made(10, pairs=True)
    file = tmp_path / "items.jsonl"
    file.write_text("".join(f"{item.to_json()}\n" for item in items), encoding="utf-8")
    again = list(read_items(file))
    assert again == items
    assert "".join(f"{item.to_json()}\n" for item in again) == file.read_text(encoding="utf-8")


def test_the_bytes_of_a_seed_stay_the_same() -> None:
    """A digest of the items: the same on every platform and version of Python."""
    from hashlib import sha256

    text = "".join(item.to_json().replace(item.version, "") for item in made(40, 7, pairs=True))
    assert sha256(text.encode()).hexdigest()[:16] == "bdd4fbfe9189add6"


# --- knobs -----------------------------------------------------------------------------------------


def test_knobs() -> None:
    for item in made(5, agents=6, rooms=2, things=4, places=3, events=4, distractors=0):
        start = rooms._read(item.story).start
        assert (len(start.agents), len(start.rooms), len(start.things), len(item.choices)) == (6, 2, 4, 3)
    assert len({item.id for item in made(60, pairs=True, agents=3, events=5)}) == 60


@cases(
    ({"agents": 1}, "agents=1 is not possible .allowed: 2 to 20."),
    ({"events": 100_000}, "allowed: 1 to 200"),
    ({"agents": 50}, "allowed: 2 to 20"),
    ({"places": 9}, "allowed: 2 to 8"),
    ({"rooms": 3}, "allowed: 1 to 2"),
    ({"orders": (7,)}, "allowed: 1 to 6"),
    ({"orders": ()}, "allowed: 1 to 6"),
    ({"open": 3}, "open=3"),
)
def test_impossible_knobs(knobs: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        rooms._RoomKnobs(**knobs)


def test_when_there_are_no_more_stories() -> None:
    with pytest.raises(GameError, match="distinct items of the family"):
        made(10_000, agents=2, events=1, places=2, things=1, distractors=0, orders=(1,))
    with pytest.raises(GameError, match="attempts"):
        made(2, agents=2, events=1, quadruples=True, orders=(6,))


# --- mutants ---------------------------------------------------------------------------------------

TAKEN, PLACE, BELIEVED = occurrences._taken, occurrences.place_in, occurrences.believed
ACTION, READ, SENTENCE, AGENTS = (
    Occurrence.action,
    scenes.DEED_WORDINGS.read,
    scenes.Deed.sentence,
    scenes.question,
)


def kept(before: Any, what: Any, agent: str) -> Any:
    """Return what is taken, without the part after the level of somebody who does not notice it."""
    found = TAKEN(before, what, agent)
    return found and found._replace(noticers=what.noticers)


def reading(change: Callable[[Any, dict[str, str]], Any]) -> Callable[[str], Any]:
    return lambda text: change(*READ(text))


def deed_for(one: type, other: type) -> Callable[[str], Any]:
    def changed(kind: Any, given: dict[str, str]) -> Any:
        if kind[0] is not one:
            return kind, given
        return (other, kind[1]), {name: given[name] for name in given if name in other.__match_args__}

    return reading(changed)


def without(part: Callable[[Occurrence], dict[str, Any]]) -> Callable[..., Any]:
    return lambda what, agents, places: ACTION(what._replace(**part(what)), agents, places)


MUTANTS: dict[str, tuple[Any, str, Any]] = {
    "all who are there notice everything": (occurrences, "_taken", kept),
    "those who are away see everything": (
        occurrences, "_taken", lambda b, w, a: TAKEN(b, w, a) or w._replace(noticers=()),
    ),
    "nobody believes what is told": (
        occurrences, "_taken", lambda b, w, a: None if w.kind == "told" else TAKEN(b, w, a),
    ),
    "who looks finds nothing": (occurrences, "_taken", lambda b, w, a: None if w.by else TAKEN(b, w, a)),
    "telling moves things": (
        occurrences, "place_in", lambda log: PLACE([w and w._replace(kind="moved") for w in log]),
    ),
    "swaps are moves": (
        occurrences, "place_in", lambda log: PLACE([w and w._replace(other="") for w in log]),
    ),
    "updates without watchers": (noticed, "action", without(lambda what: {"noticers": ()})),
    "denials are read as what they deny": (
        scenes.DEED_WORDINGS, "read", reading(lambda kind, given: ((kind[0], False), given)),
    ),
    "looking is not read": (scenes.DEED_WORDINGS, "read", deed_for(scenes.Looks, scenes.Remarks)),
    "a question leaves out the last agent": (
        scenes, "question", lambda chain, thing, *wording: AGENTS(chain[:-1], thing, *wording),
    ),
    "a sentence names another place": (
        scenes.Deed, "sentence", lambda deed, n=0: SENTENCE(deed, n).replace(" the bag", " the chest"),
    ),
    "open places are said to be closed": (scenes, "RULES", scenes.RULES[:1] * 2),
}  # fmt: skip


def stories(seed: int) -> Iterator[Any]:
    """Yield the items of stories of several kinds."""
    kinds: tuple[dict[str, Any], ...] = (
        {"orders": (1, 3)},
        {"orders": (1, 2, 4)},
        {"open": True},
        {"pairs": True},
        {"quadruples": True, "orders": (1, 2)},
    )
    for kind in kinds:
        knobs = rooms._RoomKnobs(batch=60, events=10, things=1, **kind)
        yield from FAMILY.items(knobs, Draws(f"mutants {seed}"), "s")


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, attribute, mutant = MUTANTS[name]
    forget(rooms, noticed, occurrences)
    monkeypatch.setattr(where, attribute, mutant)
    told = f"{HALL._replace(open=False).english()} {WRONG}"

    def judged() -> None:
        assert not disagree(FAMILY.derive, told, "Where is the key really?")
        for _ in stories(1):
            pass

    with pytest.raises((KripkeError, TypeError, ValueError, AssertionError)):
        judged()
    forget(rooms, noticed, occurrences)


WRONG = (
    "Bo left the hall. Cy left the hall. Ann moved the key to the bag. "
    "Bo told Cy in private that the key was in the box."
)


def test_no_mutant_is_found_where_there_is_none() -> None:
    assert len(list(islice(stories(1), 60))) == 60
