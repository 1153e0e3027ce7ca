"""Weeks of a class in a browser: everybody opens their link, works through mishaps, and hands in.

The pages are those of a published site, but Python answers them in this process: Pyodide takes some seconds
of every start, and has tests of its own. What the browser keeps, merges and sends is what the site does.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.requests import Request

from kripke_werewolf.play.host.serving import bound
from kripke_werewolf.teach.exercises.class_host import ClassHost
from kripke_werewolf.teach.exercises.classes import CourseSheet, Student
from kripke_werewolf.teach.exercises.exercise import Exercise
from kripke_werewolf.teach.exercises.submissions import HANDED_IN
from kripke_werewolf.teach.explorer import respond, respond_json
from kripke_werewolf.teach.explorer.page import html
from kripke_werewolf.teach.explorer.page.exports import publish

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

MISHAPS = ("none", "reload", "two tabs", "closed", "no network")
AT_A_TIME = 8


def site_page() -> str:
    """Return the page of a site whose questions are answered by the server at /answer."""
    start = respond({"do": {"command": "open", "empty": True}})
    return html._page({"place": "server", "address": "/py/", "site": True}, start, connect="'self'")


@contextmanager
def serving(host: ClassHost, site: Path, *, by_host: bool, late: float = 0) -> Iterator[str]:
    """Serve a site by its host, or as files only; yield the address. `late`: seconds before each answer."""
    app, _ = host.hosted("", ("localhost",))

    async def both(scope: Any, receive: Any, send: Any) -> None:
        path, kind = scope["path"], b"application/json"
        await asyncio.sleep(late)
        if path == "/py/answer":
            content = respond_json((await Request(scope, receive).body()).decode()).encode()
        elif by_host:
            await app(scope, receive, send)
            return
        else:
            file = site / (path.strip("/") or "index.html")
            content, kind = file.read_bytes(), b"text/html" if path.endswith(("/", "html")) else kind
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
        await send({"type": "http.response.body", "body": content})

    with bound("127.0.0.1", 0) as listening:
        server = uvicorn.Server(uvicorn.Config(both, log_level="error", ws="none", lifespan="off"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join()


@dataclass
class Days:
    """One student's work on one sheet; `answers`: what was typed for each task."""

    course: CourseSheet
    student: Student
    mishap: str
    answers: dict[str, str]
    context: BrowserContext
    page: Page
    address: str

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        return self.course.variant(self.student.key).exercises

    def open(self) -> None:
        """Begin to load the page."""
        self.page.goto(f"{self.address}#sheet={self.course.code(self.student)}", wait_until="commit")

    def ready(self, page: Page | None = None) -> None:
        (page or self.page).wait_for_selector('#explorer[data-ready="true"] [data-key="hand in"]')

    def show(self, number: int, page: Page | None = None) -> Page:
        """Show a task."""
        page = page or self.page
        if len(self.exercises) > 1:
            page.click(f'.panel-exercise [data-key="exercise {number}"]')
            page.wait_for_selector(f'.panel-exercise [data-key="exercise {number}"][aria-current="step"]')
        return page

    def answer(self, number: int, page: Page | None = None, *, typed: str | None = None) -> None:
        """Answer a task: most are right, some wrong, and some left out."""
        exercise, page = self.exercises[number], self.show(number, page)
        who = self.course.students.index(self.student)
        if typed is None and (who + number) % 7 == 6:
            return
        said = exercise.solved()[0] if typed is None else typed
        options = exercise.form.options
        if not options:
            said = f"{said} ?" if typed is None and (who + number) % 5 == 4 else said
            page.fill('[data-key="answer"]', said)
        else:
            chosen = [option for option in options if option in said.split(", ")]
            for k, option in enumerate(options):
                if option in chosen:
                    page.check(f'[data-key="option {k}"]')
            said = ", ".join(chosen)
            if not chosen:
                return
        self.answers[str(number + 1)] = said

    def work(self, browser: Browser) -> None:
        """Answer all tasks; in the middle the mishap happens."""
        count = len(self.exercises)
        middle = count // 2
        for number in range(middle):
            self.answer(number)
        match self.mishap:
            case "reload":
                self.page.reload(wait_until="commit")  # at once, while the last text is being told
                self.ready()
            case "two tabs":
                other = self.context.new_page()
                other.goto(self.page.url)
                self.ready(other)
                for number in range(middle, count):
                    self.answer(number, other if number % 2 else self.page)
                self.page.close()
                self.page = other
                return
            case "closed":
                kept = self.context.storage_state(indexed_db=True)
                self.context.close()
                self.context = browser.new_context(storage_state=kept)
                self.page = self.context.new_page()
                self.open()
                self.ready()
        for number in range(middle, count):
            self.answer(number)

    def hand_in(self, folder: Path, *, by_host: bool) -> None:
        """Hand in, by the host or by a file that is put into the folder."""
        if not by_host:
            with self.page.expect_download() as saved:
                self.page.click('[data-key="hand in"]')
            folder.mkdir(parents=True, exist_ok=True)
            saved.value.save_as(folder / f"{self.student.folder}.json")
            return
        if self.mishap == "no network":
            self.page.route("**/hand-in/*", lambda route: route.abort())
            self.page.click('[data-key="hand in"]')
            self.page.wait_for_selector("text=There is no connection")
            self.page.unroute("**/hand-in/*")
        self.page.click('[data-key="hand in"]')
        self.page.wait_for_selector(".receipts li")


def spend_a_week(
    browser: Browser, course: CourseSheet, folder: Path, *, by_host: bool, week: int
) -> dict[str, Mapping[str, str]]:
    """Let everybody of a class open their link, work and hand in; return what they typed.

    The answers are in the folder of the class then.
    """
    site = folder / "site"
    publish(course, site, site_page())
    typed = dict[str, Mapping[str, str]]()
    with serving(ClassHost(site, [folder]), site, by_host=by_host) as address:
        for first in range(0, len(course.students), AT_A_TIME):
            group = []
            for number in range(first, min(first + AT_A_TIME, len(course.students))):
                context = browser.new_context()
                context.set_default_timeout(120_000)
                mishap = MISHAPS[(number + week) % len(MISHAPS)]
                student = course.students[number]
                group.append(Days(course, student, mishap, {}, context, context.new_page(), address))
                group[-1].open()
            for days in group:
                days.ready()
            for days in group:
                days.work(browser)
            for days in group:
                days.hand_in(folder / HANDED_IN, by_host=by_host)
                typed[days.student.key] = days.answers
                days.context.close()
    return typed


def handed_in(folder: Path) -> dict[str, Mapping[str, str]]:
    """Return the answers in the files of a folder, by student; each has one file."""
    found = dict[str, Mapping[str, str]]()
    for path in sorted(folder.rglob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        assert data["student"] not in found, path
        found[data["student"]] = data["answers"]
    return found
