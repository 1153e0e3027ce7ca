"""The host of a class: what it takes, keeps and refuses."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.teach.exercises import Sheet, Task, class_host
from kripke_werewolf.teach.exercises.class_host import ClassHost, take
from kripke_werewolf.teach.exercises.classes import CourseSheet, make_class, parse_roster, read_class
from kripke_werewolf.teach.exercises.grading import grade_class, write_marks
from kripke_werewolf.teach.exercises.submissions import HANDED_IN, saved_answers
from kripke_werewolf.teach.explorer.page.exports import publish
from tests.running import invoke

SHEET = Sheet(
    "Week 1", (Task("truth-set", points=2), Task("to-formula", points=3)), 3, due="2026-05-04 12:00"
)
BEFORE, AFTER = datetime(2026, 5, 4, 11, 59, 59), datetime(2026, 5, 4, 12, 0, 1)


@pytest.fixture
def course(tmp_path: Path) -> CourseSheet:
    made = make_class(SHEET, parse_roster("name,id\nAnn,s1\nBo,s2\n"), tmp_path)
    publish(made, tmp_path / "site", "<p>page</p>")
    return made


def file_of(course: CourseSheet, number: int = 0, attempt: int = 1, **more: Any) -> bytes:
    """Return the file of a student's page, with right answers."""
    who, variant = course.students[number], course.variants[number]
    answers = {str(n): exercise.solution() for n, exercise in enumerate(variant.exercises, 1)}
    data = {"sheet": course.sheet.title, "student": who.key, "attempt": attempt, "answers": answers, **more}
    return saved_answers(data, course.seal(who)).encode()


def kept(folder: Path) -> list[Path]:
    return sorted((folder / HANDED_IN).rglob("*.*"))


def host_of(course: CourseSheet, folder: Path) -> ClassHost:
    return ClassHost(folder / "site", [folder])


def test_files_are_kept_beside_each_other_and_graded(course: CourseSheet, tmp_path: Path) -> None:
    host = host_of(course, tmp_path)
    ann, bo = (host.seats[course.code(student)] for student in course.students)
    first = take(ann, file_of(course, answers={}), BEFORE)
    assert first.startswith("20260504-115959-attempt-1.")
    assert take(ann, file_of(course, answers={}), AFTER) == first  # sent again, since the reply was lost
    second = take(ann, file_of(course, attempt=1), BEFORE)
    late = take(bo, file_of(course, 1, hints={"1": 2, "2": 1}), AFTER)
    assert ".late." in late
    assert len({first, second, late}) == 3
    assert [path.name for path in kept(tmp_path)] == [
        f"{name}.answers.json" for name in (*sorted((first, second)), late)
    ]
    assert {path.read_bytes() for path in kept(tmp_path)} >= {file_of(course, answers={}), file_of(course)}
    graded = grade_class(course, tmp_path / HANDED_IN, workers=1)
    assert [marks.points for marks in graded.marks] == [5, 5]
    table, *_ = write_marks(graded, tmp_path / "marks.csv")
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    assert [row["hints"] for row in rows] == ["0", "3"]
    assert ["handed in late" in row["remarks"] for row in rows] == [False, True]


def test_a_receipt_says_what_nobody_else_can_say(course: CourseSheet, tmp_path: Path) -> None:
    host = host_of(course, tmp_path)
    found = {
        take(host.seats[course.code(one)], file_of(course, n), BEFORE)
        for n, one in enumerate(course.students)
    }
    assert len({receipt.rsplit(".", 1)[1] for receipt in found}) == 2
    assert all(re.fullmatch(r"[\w-]+\.[0-9a-f]{12}", receipt) for receipt in found)


def test_what_is_not_the_student_s_is_refused(course: CourseSheet, tmp_path: Path) -> None:
    seat = host_of(course, tmp_path).seats[course.code(course.students[0])]
    good = json.loads(file_of(course))
    other_key = saved_answers({key: good[key] for key in ("sheet", "student", "attempt", "answers")}, "key")
    for data, message in (
        (b"", "line 1"),
        (b"[" * 100_000, "nested too deeply"),
        (b"{}", "not a file saved by a student's page"),
        (json.dumps(good | {"attempt": "1"}).encode(), "not a file saved"),
        (json.dumps(good | {"answers": {"1": "changed"}}).encode(), "not the file of your sheet"),
        (json.dumps(good | {"answers": {"9" * 5_000: "x"}}).encode(), "not the file of your sheet"),
        (file_of(course, 1), "not the file of your sheet"),
        (other_key.encode(), "not the file of your sheet"),
        (b"PK\x03\x04", "line 1"),
    ):
        with pytest.raises(FormatError, match=re.escape(message)):
            take(seat, data, BEFORE)
    assert kept(tmp_path) == []


def test_a_file_is_there_completely_or_not_at_all(
    course: CourseSheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = host_of(course, tmp_path).seats[course.code(course.students[0])]

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(FormatError, match=r"cannot write .*No space left"):
            take(seat, file_of(course), BEFORE)
    assert kept(tmp_path) == []
    assert take(seat, file_of(course), BEFORE)


def test_the_number_of_files_of_a_student_is_limited(
    course: CourseSheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_host, "MOST_KEPT", 2)
    seat = host_of(course, tmp_path).seats[course.code(course.students[0])]
    receipts = [take(seat, file_of(course, attempt=attempt), BEFORE) for attempt in (1, 2)]
    with pytest.raises(FormatError, match="at most 2 files"):
        take(seat, file_of(course, attempt=3), BEFORE)
    assert take(seat, file_of(course, attempt=2), AFTER) == receipts[1]


def test_a_site_without_the_sheets_of_a_class_is_refused(course: CourseSheet, tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"has not all sheets of .*: run `kripke-werewolf exercise class publish"
    ):
        ClassHost(tmp_path, [tmp_path])
    assert "expected a folder made by" in str(
        invoke("exercise", "class", "host", "x", tmp_path / "x").exception
    )


def test_a_sheet_may_be_due_on_another_day(course: CourseSheet, tmp_path: Path) -> None:
    from dataclasses import replace

    again = make_class(replace(SHEET, due="2026-05-11 12:00"), course.students, tmp_path)
    assert again.variants[0].exercises == course.variants[0].exercises
    assert [again.code(one) for one in again.students] == [course.code(one) for one in course.students]
    assert read_class(tmp_path).sheet.due == "2026-05-11 12:00"
    assert not read_class(tmp_path).sheet.is_late(AFTER)


# --- requests --------------------------------------------------------------------------------------

HERE = {"host": "here", "origin": "http://here", "content-type": "application/json"}


class Client:
    """Sends requests to the application of a host."""

    def __init__(self, host: ClassHost) -> None:
        self.app, _ = host.hosted("http://here/", ("here",))

    async def ask(
        self, method: str, path: str, body: bytes = b"", address: str = "1.2.3.4", **more: str
    ) -> tuple[int, Any]:
        headers = {
            **HERE,
            "content-length": str(len(body)),
            **{k.replace("_", "-"): v for k, v in more.items()},
        }
        scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "raw_path": path.encode()}
        scope |= {"scheme": "http", "server": ("here", 80), "client": (address, 1), "query_string": b""}
        scope |= {"headers": [(k.encode(), v.encode()) for k, v in headers.items()], "root_path": ""}
        sent: list[Mapping[str, Any]] = []

        parts = [{"type": "http.request", "body": body}]

        async def receive() -> Mapping[str, Any]:
            if not parts:
                await asyncio.Event().wait()  # nobody hangs up
            return parts.pop()

        async def send(message: Mapping[str, Any]) -> None:
            sent.append(message)

        await self.app(scope, receive, send)  # type: ignore[arg-type]
        text = b"".join(message.get("body", b"") for message in sent).decode()
        kind = dict(sent[0]["headers"]).get(b"content-type", b"")
        return sent[0]["status"], json.loads(text) if b"json" in kind else text


def test_codes_open_sheets_and_take_files(
    course: CourseSheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept = list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(class_host.asyncio, "sleep", sleep)
    client, code = Client(host_of(course, tmp_path)), course.code(course.students[0])

    async def script() -> None:
        assert (await client.ask("GET", "/"))[1] == "<p>page</p>"
        status, sheet = await client.ask("GET", f"/{code}.json")
        assert (status, sheet["student"], sheet["host"]) == (200, "s1", "yes")
        status, told = await client.ask("POST", f"/hand-in/{code}", file_of(course))
        assert status == 200
        assert told["late"] is True
        assert kept(tmp_path)[0].name.startswith(told["receipt"])
        for path in ("/class.json", "/links.csv", f"/{code}", "/../class.json", "/solutions.html"):
            assert (await client.ask("GET", path))[0] in (403, 404), path
        for given, expected in (
            ({"body": b"x" * 1_000_001}, 413),
            ({"body": file_of(course), "origin": "http://elsewhere"}, 403),
            ({"body": file_of(course), "host": "elsewhere"}, 421),
            ({"body": file_of(course), "content_type": "text/plain"}, 415),
            ({"body": b"{}"}, 400),
        ):
            assert (await client.ask("POST", f"/hand-in/{code}", **given))[0] == expected  # type: ignore[arg-type]
        slept.clear()
        found = [await client.ask("POST", f"/hand-in/{n:020}", file_of(course)) for n in range(30)]
        assert {status for status, _ in found} == {403, 429}
        assert "no student has this code" in found[0][1]["error"]
        assert len(slept) <= 20
        assert (await client.ask("GET", f"/{code}.json"))[0] == 200  # who has a code is not slowed down
        assert 429 in {(await client.ask("POST", f"/hand-in/{code}", file_of(course)))[0] for _ in range(30)}

    asyncio.run(script())
    assert len(kept(tmp_path)) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_what_was_handed_in_is_there_after_a_crash(course: CourseSheet, tmp_path: Path) -> None:
    code, command = course.code(course.students[0]), [sys.executable, "-m", "kripke_werewolf"]
    command += ["exercise", "class", "host", str(tmp_path / "site"), str(tmp_path), "--address", "127.0.0.1"]
    receipts = []
    for attempt in (1, 2):
        port = 18_000 + os.getpid() % 1_000 + attempt
        host = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.PIPE, text=True)
        assert host.stdout is not None
        assert "#sheet=CODE" in host.stdout.readline()
        head = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"}
        address = f"http://127.0.0.1:{port}/hand-in/{code}"
        with urlopen(Request(address, file_of(course, attempt=attempt), head), timeout=60) as answer:
            receipts.append(json.load(answer)["receipt"])
        began = time.monotonic()
        with pytest.raises(HTTPError, match="403"):
            urlopen(Request(f"{address}0", b"{}", head), timeout=60)
        assert time.monotonic() - began > 0.9
        host.send_signal(signal.SIGKILL)
        host.wait()
    assert [path.name.removesuffix(".answers.json") for path in kept(tmp_path)] == receipts
