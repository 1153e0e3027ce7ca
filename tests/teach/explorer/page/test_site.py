"""A class at one address: sheets behind links, kept in the browser, handed in as files, graded."""

from __future__ import annotations

import csv
import json
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kripke_werewolf.teach.exercises import Sheet, Task
from kripke_werewolf.teach.exercises.class_host import ClassHost
from kripke_werewolf.teach.exercises.classes import make_class, parse_roster
from kripke_werewolf.teach.exercises.grading import grade_class
from kripke_werewolf.teach.exercises.submissions import HANDED_IN
from tests.browser import errors, needs_browser, window
from tests.running import invoke
from tests.teach.explorer.page.class_days import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_browser, pytest.mark.slow]
SHEET = Sheet("Week 1", (Task("truth-set", points=2), Task("to-formula", points=3)), seed=3)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


def opened(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector('#explorer[data-ready="true"] [data-key="hand in"]')


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
def test_a_sheet_is_answered_kept_handed_in_and_graded(browser: Browser, tmp_path: Path) -> None:
    students = parse_roster("name,id\nAnn,s1\nBo,s2\n")
    course = make_class(SHEET, students, tmp_path / "class")
    site = tmp_path / "site"
    made = invoke("exercise", "class", "publish", tmp_path / "class", "-o", site, "--address", "x/")
    assert made.exception is None, made.output
    rows = csv.DictReader((tmp_path / "class" / "links.csv").read_text("utf-8-sig").splitlines())
    ends = [row["link"].removeprefix("x/") for row in rows]
    assert len(set(ends)) == 2
    assert not any(student.key in name.name for student in students for name in site.iterdir())
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (tmp_path / "answers").mkdir()
    right = [exercise.solution() for exercise in course.variants[0].exercises]
    try:
        with window(browser) as page:
            address = f"http://127.0.0.1:{server.server_port}/index.html"
            opened(page, address + ends[0])
            wanted = right[0].split(", ")
            for box in page.locator(".choice").all():
                if box.inner_text() in wanted:
                    box.locator("input").check()
            page.click('[data-key="exercise 1"]')
            page.fill('[data-key="answer"]', right[1])
            page.reload()  # at once
            page.wait_for_selector('#explorer[data-ready="true"] [data-key="hand in"]')
            assert page.input_value('[data-key="answer"]') == right[1]
            page.click('[data-key="check"]')
            page.wait_for_selector("text=read as")
            assert "right" not in page.inner_text(".panel-exercise").lower()
            with page.expect_download() as saved:
                page.click('[data-key="hand in"]')
            saved.value.save_as(tmp_path / "answers" / "a.json")
            assert errors(page) == []
    finally:
        server.shutdown()
    host = ClassHost(site, [tmp_path / "class"])
    with serving(host, site, by_host=True) as address, window(browser) as page:
        opened(page, address + ends[1])
        page.click('[data-key="exercise 1"]')
        page.fill('[data-key="answer"]', course.variants[1].exercises[1].solution())
        page.context.set_offline(True)
        page.click('[data-key="hand in"]')
        page.wait_for_selector("text=There is no connection")
        page.context.set_offline(False)
        page.click('[data-key="hand in"]')
        page.wait_for_selector(".receipts li")
        (kept,) = (tmp_path / "class" / HANDED_IN / "s2").iterdir()
        assert kept.name.removesuffix(".answers.json") in page.inner_text(".receipts")
        shutil.copy(kept, tmp_path / "answers")
    assert json.loads((tmp_path / "answers" / "a.json").read_text("utf-8"))["attempt"] == 1
    graded = grade_class(course, tmp_path / "answers", workers=1)
    assert [marks.points for marks in graded.marks] == [5, 3], graded.remarks
