"""The host of a class: it serves a published site, and keeps what students hand in.

A sheet and what is handed in belong to the code in a student's link. A file is kept beside those that came
before, under a name that is its receipt: the moment, the attempt, whether it was late, and what shows that
this host has written it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.base.files import parse_json, read_text, write_aside, writing
from kripke_werewolf.play.host.guard import FRAMELESS, Application, Bucket, Denied, Guard
from kripke_werewolf.teach.exercises.classes import CourseSheet, Student, read_class
from kripke_werewolf.teach.exercises.submissions import HANDED_IN, LATE, is_sealed, read_submission

MOST_KEPT = 200
"""The largest number of files of one student."""
_ENDING = ".answers.json"
_WARNING = "Without --tls nothing is encrypted: use a network you trust. Press Ctrl+C to stop."


class _Seat(NamedTuple):
    """A student of a class, and its folder."""

    folder: Path
    course: CourseSheet
    student: Student


def take(seat: _Seat, data: bytes, now: datetime) -> str:
    """Keep a file that a student hands in, and return its receipt; the same file has the same one.

    Raises `FormatError` for a file that is not the student's, and if it cannot be written.
    """
    (found,) = read_submission(f"hand-in{_ENDING}", data)
    course, student, answers = seat.course, seat.student, found.answers
    if answers is None:
        raise FormatError(found.problem)
    if answers.student != student.key or not is_sealed(answers, course.seal(student)):
        raise FormatError("this is not the file of your sheet: open your link again, and hand in there")
    folder = seat.folder / HANDED_IN / student.folder
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        kept = sorted(path for path in folder.iterdir() if path.name.endswith(_ENDING))
        same = next((path for path in kept if path.read_bytes() == data), None)
    if same is None:
        if len(kept) >= MOST_KEPT:
            raise FormatError(f"at most {MOST_KEPT} files of a student are kept; send it to your lecturer")
        late = LATE if course.sheet.is_late(now) else "."
        said = f"{now:%Y%m%d-%H%M%S}-attempt-{answers.attempt}{late}"
        receipt = course.receipt(student, f"{said} {sha256(data).hexdigest()}")
        same = folder / f"{said}{receipt}{_ENDING}"
        write_aside(same, data)
        print(f"{student.key}: {same}", flush=True)
    return same.name.removesuffix(_ENDING)


class _LargeGuard(Guard):
    largest = 1_000_000


class ClassHost:
    """A published site and its classes; `folders`: those that `class make` wrote.

    Raises `FormatError` for a class of which the site has no sheets.
    """

    def __init__(self, site: Path, folders: Iterable[Path]) -> None:
        self.seats = dict[str, _Seat]()
        for folder in folders:
            course = read_class(folder)
            self.seats |= {course.code(one): _Seat(folder, course, one) for one in course.students}
            if not all((site / f"{code}.json").is_file() for code in self.seats):
                publish = f"`kripke-werewolf exercise class publish {folder} -o {site} --force`"
                raise FormatError(f"{site} has not all sheets of {folder}: run {publish}")
        self._site = site
        self._wrong = Bucket(most=20, per_second=1 / 6)
        self._sent = Bucket(most=20, per_second=1 / 6)

    def hosted(self, address: str, names: tuple[str, ...]) -> tuple[Application, str]:
        """Return the web application for these names of the host, and what to tell in the terminal."""
        routes = [
            *(Route(path, self._index) for path in ("/", "/index.html")),
            Route("/{code}.json", self._sheet),
            Route("/hand-in/{code}", self._hand_in, methods=["POST"]),
        ]
        refused = dict.fromkeys((Denied, KripkeError), _refused)
        app = _LargeGuard(Starlette(routes=routes, exception_handlers=refused), names)
        folders = "\n".join(dict.fromkeys(str(seat.folder / HANDED_IN) for seat in self.seats.values()))
        return app, f"{address}#sheet=CODE, for the codes in links.csv\nKept in:\n{folders}\n{_WARNING}"

    async def _index(self, request: Request) -> Response:
        headers = {"Cache-Control": "private, max-age=86400", "Content-Security-Policy": FRAMELESS}
        return FileResponse(self._site / "index.html", headers=headers)

    async def _sheet(self, request: Request) -> Response:
        code = request.path_params["code"]
        await self._seat(request, code)
        return JSONResponse(parse_json(read_text(self._site / f"{code}.json"), code) | {"host": "yes"})

    async def _hand_in(self, request: Request) -> Response:
        code = request.path_params["code"]
        seat = await self._seat(request, code)
        if not self._sent.take(code):
            raise Denied(429, "too many files in a short time; wait a minute")
        receipt = take(seat, await request.body(), datetime.now())
        return JSONResponse({"receipt": receipt, "late": LATE in receipt})

    async def _seat(self, request: Request, code: str) -> _Seat:
        """Return the seat with a code; a wrong one is answered late, and after many of them not at all."""
        if code in self.seats:
            return self.seats[code]
        if not self._wrong.take(request.client.host if request.client else ""):
            raise Denied(429, "too many wrong codes; wait a minute")
        await asyncio.sleep(1)
        raise Denied(403, "no student has this code; open the link as you were given it")


def _refused(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, getattr(error, "status", 400))
