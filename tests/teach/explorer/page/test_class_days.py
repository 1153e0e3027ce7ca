"""A class works through links, with mishaps, by host and by file: nothing that was typed is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kripke_werewolf.teach.exercises import Sheet, Task, grade, read_sheet
from kripke_werewolf.teach.exercises.class_host import ClassHost
from kripke_werewolf.teach.exercises.classes import CourseSheet, make_class, parse_roster
from kripke_werewolf.teach.exercises.grading import grade_class
from kripke_werewolf.teach.exercises.submissions import HANDED_IN
from kripke_werewolf.teach.explorer.page.exports import publish
from tests.browser import needs_browser
from tests.teach.explorer.page.class_days import handed_in, serving, site_page, spend_a_week

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [needs_browser, pytest.mark.slow]
COURSE = Path(__file__).parents[4] / "examples" / "course"
TYPE = """(text) => {
    const field = document.querySelector('[data-key="answer"]');
    field.value = text;
    field.dispatchEvent(new Event("input"));
}"""
BUSY = "for (const end = Date.now() + 3000; Date.now() < end;);"
KEY = 1000 / 12  # milliseconds
READY = '#explorer[data-ready="true"] [data-key="hand in"]'


@pytest.mark.parametrize(("week", "by_host"), [(1, True), (6, False)])
def test_a_class_hands_in_all_that_it_has_typed(
    browser: Browser, tmp_path: Path, week: int, by_host: bool
) -> None:
    roster = "name,id\n" + "".join(f"Student {n},s{n:02}\n" for n in range(8))
    course = make_class(read_sheet(COURSE / f"week{week}.toml"), parse_roster(roster), tmp_path)
    typed = spend_a_week(browser, course, tmp_path, by_host=by_host, week=week)
    assert handed_in(tmp_path / HANDED_IN) == typed
    graded = grade_class(course, tmp_path / HANDED_IN, workers=1)
    for marks, variant in zip(graded.marks, course.variants, strict=True):
        answers = {int(number): text for number, text in typed[variant.student].items()}
        assert marks.points == grade(variant, answers).points


SHEET = Sheet("Week 1", (Task("to-formula", points=3), Task("derivation"), Task("to-formula")), seed=3)


@contextmanager
def at_home(
    browser: Browser, folder: Path, sheet: Sheet = SHEET, *, late: float = 0
) -> Iterator[tuple[BrowserContext, str, CourseSheet]]:
    """Yield a student's browser, the address of their sheet, and the class."""
    course = make_class(sheet, parse_roster("name,id\nAnn,s1\n"), folder)
    publish(course, folder / "site", site_page())
    context = browser.new_context()
    context.set_default_timeout(60_000)
    host = ClassHost(folder / "site", [folder])
    with serving(host, folder / "site", by_host=True, late=late) as address:
        yield context, f"{address}#sheet={course.code(course.students[0])}", course
    context.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(READY)
    return page


def saved(folder: Path) -> dict[str, dict[str, object]]:
    """Return the last file that was handed in."""
    last = sorted((folder / HANDED_IN / "s1").iterdir())[-1]
    found: dict[str, dict[str, object]] = json.loads(last.read_text("utf-8"))
    return found


def test_two_tabs_at_one_task_keep_both_texts(browser: Browser, tmp_path: Path) -> None:
    with at_home(browser, tmp_path) as (context, address, _):
        one, two = opened(context, address), opened(context, address)
        one.fill('[data-key="answer"]', "from one")
        two.wait_for_function("() => document.querySelector('[data-key=\"answer\"]').value === 'from one'")
        two.fill('[data-key="answer"]', "from one, then two")  # it has seen the other: no choice to make
        one.wait_for_function(
            "() => document.querySelector('[data-key=\"answer\"]').value === 'from one, then two'"
        )
        assert not one.locator(".other").count()
        # both type at once: the second is busy while the first types, and has not seen it
        two.evaluate(f"() => setTimeout(() => {{ {BUSY} ({TYPE})('second'); }})")
        one.evaluate(TYPE, "first")
        one.wait_for_selector(".other >> text=first")  # the last is the answer in both
        two.wait_for_selector(".other >> text=first")
        assert {page.input_value('[data-key="answer"]') for page in (one, two)} == {"second"}
        for page in (one, two):
            page.close()
        again = opened(context, address)
        texts = {again.input_value('[data-key="answer"]'), again.inner_text(".other pre")}
        assert texts == {"first", "second"}
        beside = again.inner_text(".other pre")
        again.click('[data-key="take other"]')
        again.wait_for_function(
            "text => document.querySelector('[data-key=\"answer\"]').value === text", arg=beside
        )
        again.click('[data-key="drop other"]')
        again.wait_for_selector(".other", state="detached")
        again.click('[data-key="hand in"]')
        again.wait_for_selector(".receipts li")
    assert saved(tmp_path)["answers"] == {"1": beside}


def test_the_desk_is_the_answer_and_half_a_row_is_kept(browser: Browser, tmp_path: Path) -> None:
    with at_home(browser, tmp_path) as (context, address, course):
        page = opened(context, address)
        page.click('.panel-exercise [data-key="exercise 1"]')
        page.click('.panel-exercise [data-key="desk"]')
        solution = course.variants[0].exercises[1].solution().splitlines()[1:]
        first = solution[0].partition(". ")[2]
        page.fill('[data-key="row"]', first)
        page.press('[data-key="row"]', "Enter")
        page.wait_for_selector(".panel-proof .sheet tr")
        page.fill('[data-key="row"]', "half a row")
        page.click('[data-tab="exercise"]')
        page.wait_for_function(
            "(row) => document.querySelector('[data-key=\"answer\"]').value.includes(row)", arg=first[:12]
        )
        page.click('.panel-exercise [data-key="exercise 2"]')
        page.wait_for_selector('[data-key="exercise 2"][aria-current="step"]')
        page.fill('[data-key="answer"]', "p")
        page.click('.panel-exercise [data-key="exercise 1"]')
        page.wait_for_selector('[data-key="exercise 1"][aria-current="step"]')
        page.click('[data-tab="proof"]')
        assert page.locator(".panel-proof .sheet tr").count() == 1
        assert page.input_value('[data-key="row"]') == "half a row"
        kept = context.storage_state(indexed_db=True)
        context.close()
        context = browser.new_context(storage_state=kept)
        page = opened(context, address)
        page.click('[data-tab="proof"]')
        page.wait_for_selector(".panel-proof .sheet tr")
        assert page.locator(".panel-proof .sheet tr").count() == 1
        assert page.input_value('[data-key="row"]') == "half a row"
        page.click(".panel-proof >> text=Show the next line")
        page.wait_for_selector(".hint-row p")
        page.click('[data-tab="exercise"]')
        page.click('[data-key="hand in"]')
        page.wait_for_selector(".receipts li")
        context.close()
    found = saved(tmp_path)
    assert set(found["answers"]) == {"2", "3"}
    assert found["hints"] == {"2": 1}


def test_rows_that_are_wrong_wait_in_the_order_in_which_they_were_typed(
    browser: Browser, tmp_path: Path
) -> None:
    typed = ["p -> p   nonsense", "q -> q   nonsense", "p -> q   nonsense"]
    asked = list[str]()
    with at_home(browser, tmp_path, late=0.3) as (context, address, _):
        page = opened(context, address)
        page.on("request", lambda request: asked.append(request.post_data or ""))
        page.click('.panel-exercise [data-key="exercise 1"]')
        page.wait_for_selector('.panel-exercise [data-key="desk"]')
        page.click('.panel-exercise [data-key="exercise 1"]')
        page.click('.panel-exercise [data-key="desk"]')  # while the task is being opened again
        page.wait_for_selector('[data-key="row"]')
        page.focus('[data-key="row"]')
        for number, row in enumerate(typed, 1):  # one after another: each is refused on its own
            page.keyboard.type(row, delay=KEY)
            page.keyboard.press("Enter")
            page.wait_for_function(
                "n => document.querySelectorAll('.waits .not-right').length === n", arg=number
            )
        assert sum('"judge"' in text for text in asked) < sum(map(len, typed)) / 2  # only the newest text
        waiting = page.locator(".waits .not-right")
        assert [" ".join(row.split()) for row in typed] == [
            " ".join(row.split()) for row in waiting.all_inner_texts()
        ]
        page.click('[data-key="mend 1"]')
        assert page.input_value('[data-key="row"]') == typed[1]
        page.press('[data-key="row"]', "Enter")
        page.wait_for_function("() => document.querySelectorAll('.waits .not-right').length === 3")
        assert waiting.all_inner_texts()[1].startswith("q -> q")


TYPED = ("to-formula", "find-model", "natural-deduction", "derivation", "distinguish")


@pytest.mark.parametrize("seed", range(3))
def test_no_letter_is_lost_while_answers_are_late(browser: Browser, tmp_path: Path, seed: int) -> None:
    """One types 12 keys a second, and the engine and the host need 300 ms for every answer."""
    sheet = Sheet("Week 1", tuple(map(Task, TYPED)), seed)
    with at_home(browser, tmp_path, sheet, late=0.3) as (context, address, course):
        page, answers = opened(context, address), dict[str, str]()
        page.set_default_timeout(240_000)  # for machines that do much else
        for number, exercise in enumerate(course.variants[0].exercises):
            answers[str(number + 1)] = said = exercise.solved()[0]
            page.click(f'.panel-exercise [data-key="exercise {number}"]')
            page.wait_for_selector(f'[data-key="exercise {number}"][aria-current="step"]')
            if TYPED[number] != "derivation":
                page.focus('[data-key="answer"]')
                page.keyboard.type(said, delay=KEY)
                assert page.input_value('[data-key="answer"]') == said
                continue
            page.click('.panel-exercise [data-key="desk"]')
            page.focus('[data-key="row"]')
            rows = [line.partition(". ")[2] for line in said.splitlines() if line[0].isdigit()]
            for row in rows:  # without waiting for the verdict on the one before
                page.keyboard.type(row, delay=KEY)
                page.keyboard.press("Enter", delay=KEY)
            page.keyboard.type("half a row", delay=KEY)
            page.wait_for_function("() => !document.querySelector('.panel-proof .waits > .formula')")
            assert page.input_value('[data-key="row"]') == "half a row"
            shown = page.locator(".panel-proof .sheet tr").all_inner_texts()
            for row, told in zip(rows, shown, strict=True):
                assert "".join(row.split()) in "".join(told.split())
            page.click('[data-tab="exercise"]')
        page.click('[data-key="hand in"]')
        page.wait_for_selector(".receipts li")
    found = saved(tmp_path)["answers"]
    del answers[str(TYPED.index("derivation") + 1)], found[str(TYPED.index("derivation") + 1)]
    assert found == answers
