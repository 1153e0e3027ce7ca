"""Sets made by `forge`, read back, and what they are like."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.research.forge.family import FAMILIES, StoryItem, family_named, forged
from kripke_werewolf.research.forge.judged import FORGED, JudgedItem, balance
from tests.cases import each

FAMILY = family_named("rooms")


def made(number: int, seed: int) -> list[StoryItem]:
    """Return items in pairs."""
    return list(forged(FAMILY, FAMILY.knobs(pairs=True), items=number, seed=seed))


def checked(tmp_path: Path, items: Sequence[StoryItem]) -> list[JudgedItem]:
    """Return the check of a file of these items."""
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f"{item.to_json()}\n" for item in items), encoding="utf-8")
    return FORGED.audit(path)


@pytest.mark.parametrize("seed", range(2))
def test_made_sets_follow_from_their_text(tmp_path: Path, seed: int) -> None:
    items = made(40, seed)
    found = checked(tmp_path, items)
    assert [item for item in found if item.flaw] == []
    assert [item.order_needed for item in found] == [item.order_needed for item in items]
    assert [item.place for item in found] == [f"line {n}" for n in range(1, len(items) + 1)]


def other_answer(item: StoryItem) -> str:
    """Return a choice that is not the answer."""
    return next(choice for choice in item.choices if choice != item.answer)


CHANGES: Mapping[str, Any] = {
    "answer": lambda item: replace(item, answer=other_answer(item)),
    "order": lambda item: replace(item, order=item.order + 1),
    "order_needed": lambda item: replace(item, order_needed=item.order_needed + 1),
    "formula": lambda item: replace(item, formula=item.formula.replace("B_", "K_")),
    "scene": lambda item: replace(item, scene=item.scene[:-1]),
    "shortcuts": lambda item: replace(item, shortcuts={**item.shortcuts, "reality": "nowhere"}),
    "group": lambda item: replace(item, own=(f"{item.own[0]} It was late.",)),
}


@pytest.mark.parametrize("field", CHANGES)
def test_a_changed_field_is_found(tmp_path: Path, field: str) -> None:
    items = made(8, 3)
    place = 2
    items[place] = CHANGES[field](items[place])
    found = checked(tmp_path, items)
    flaws = {item.place: item.flaw for item in found if item.flaw}
    assert field in flaws.pop(f"line {place + 1}").split(", ")
    assert {*flaws.values()} <= {"group"}


@each(FAMILIES)
def test_stories_and_questions_are_sentences_of_words(name: str) -> None:
    family = family_named(name)
    for item in forged(family, family.knobs(orders=(1, 2), batch=4), items=8, seed=6):
        for text in (item.story, item.question):
            assert re.fullmatch(r"[A-Z][A-Za-z0-9 ,.;:'?]+[.?]", text)
        for speaker, said in re.findall(r"(\w+) said: (I know [^.]+)", item.story):
            assert speaker not in said.split()


@pytest.mark.parametrize("knobs", [{"pairs": True}, {"quadruples": True}])
def test_groups_are_checked(tmp_path: Path, knobs: dict[str, bool]) -> None:
    items = list(forged(FAMILY, FAMILY.knobs(orders=(1, 2), batch=4, **knobs), items=8, seed=5))
    assert [judged.flaw for judged in checked(tmp_path, items)] == [""] * len(items)
    assert {judged.flaw for judged in checked(tmp_path, items[1:])} == {"", "group"}
    other = replace(items[0], story=items[1].story)
    assert any("group" in judged.flaw for judged in checked(tmp_path, [other, *items[1:]]))


def test_an_answer_that_is_not_a_choice(tmp_path: Path) -> None:
    item, twin = made(2, 5)
    found = checked(tmp_path, [replace(item, choices=(other_answer(item),)), twin])
    assert [judged.flaw for judged in found] == ["answer", ""]


def test_wrong_files(tmp_path: Path) -> None:
    items = made(2, 1)
    path = tmp_path / "items.jsonl"
    for text, message in (
        (f"{items[0].to_json()}\n\n{{}}\n", "line 3: an item lacks 'id'"),
        (replace(items[0], story=f"{items[0].story} Somebody slept.").to_json(), "line 1: "),
        (replace(items[0], family="dreams").to_json(), "line 1: .*'dreams'"),
        ("", "has no items"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            FORGED.audit(path)
    path.write_bytes(b"\x00\xff")
    with pytest.raises(FormatError) as caught:
        FORGED.audit(path)
    assert str(caught.value).count("items.jsonl") == 1


def test_balance_is_counted(tmp_path: Path) -> None:
    items = made(60, 2) + [replace(item, group="", corner=(), own=()) for item in made(6, 9)]
    grid = balance(items)
    shares = {name: cells for name, *cells in grid.rows}
    for column, order in enumerate(sorted({item.order for item in items})):
        own = [item for item in items if item.order == order]
        assert grid.header[column + 1] == f"order {order} ({len(own)})"
        right = {
            "need their order": sum(item.order_needed == item.order for item in own),
            "reality": sum(item.shortcuts["reality"] == item.answer for item in own),
            "the best label": max(Counter(item.answer for item in own).values()),
            "the best position": max(Counter(item.choices.index(item.answer) for item in own).values()),
        }
        assert {name: shares[name][column] for name in right} == {
            name: f"{number / len(own):.2f}" for name, number in right.items()
        }
    right = [item.shortcuts["reality"] == item.answer for item in items[:60]]
    assert shares["reality"][-1] == f"{sum(map(all, zip(right[::2], right[1::2], strict=True))) / 30:.2f}"
