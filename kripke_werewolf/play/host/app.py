"""The web application: the pages, the streams of views, and the commands.

Every device has one stream of server-sent events. It receives its view at the start and after every change,
and heartbeats in between, so that its page notices a lost connection. Commands are sent by POST. Everything
that uses the table runs in one thread, in order.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from html import escape
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import segno
from starlette.applications import Starlette
from starlette.requests import Request, cookie_parser
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.base.reports.documents import Document, filled_page, inert
from kripke_werewolf.base.wording import ENGLISH, LANGUAGES, Sentence, in_language, page_words
from kripke_werewolf.play.host.afterwards import Afterwards
from kripke_werewolf.play.host.evening import MASTER, SECRETS, TV, WATCHER, Evening, Frames, Reader, reply_to
from kripke_werewolf.play.host.guard import LONGEST_KEY, Application, Bucket, Denied, Guard
from kripke_werewolf.play.host.seats import Device, SeatTaken, new_code, same_code
from kripke_werewolf.play.tabletop.commands import reason_of
from kripke_werewolf.play.tabletop.night import NightSitting
from kripke_werewolf.play.tabletop.sitting import Sitting

BEAT = 2.0
"""The seconds between two heartbeats of a stream, and the longest sleep of a machine that limits count."""
AT_LEAST = 0.02
"""The least time, in seconds, before a command is answered, however fast it was."""
MOST_STREAMS = 6
"""The largest number of streams of one seat, or of one device with the shared screen: tabs on that device."""
LANGUAGE = "kw-language"
"""The cookie with the language that was chosen on a phone."""
MOST_PUBLIC = 40
"""The greatest number of public streams."""

_ASSETS = {"js": "text/javascript", "css": "text/css", "json": "application/json"}
_SHARED = ("dom.js", "letters.js", "words.js", "style.css")
"""Files shared with the pages of `visualise`."""

T = TypeVar("T")


class Room:
    """The evening as used by the application: one thread for the table, and everybody's latest frame."""

    def __init__(
        self, evening: Evening, *, key: str, address: str, secure: bool = False, language: str | None = None
    ) -> None:
        self.evening = evening
        self.language = language
        """The language of the shared screen, and of phones that want none of those offered; None: English."""
        self.offered = {Path(name).stem: name for name in (*LANGUAGES, language or ENGLISH)}
        """The languages that a phone can choose, by name."""
        self.key = key
        """The code that admits the game master."""
        self.address = address
        """The address to open on phones."""
        self.secure = secure
        self.clock = time.time()
        """The time by which limits end: it stands still while no player's phone is connected."""
        self.frames: Frames = {}
        self.online: Counter[Reader] = Counter()
        self.open: Counter[str] = Counter()
        """The open streams by seat, those of the shared screen by device."""
        self.spoken: Counter[str] = Counter()
        """The languages of the open streams."""
        self.closing = False
        self.stopping: Callable[[], bool] = lambda: False
        """Whether the server waits for its last answers: streams do not end by themselves."""
        self.afterwards: Afterwards | None = None
        """What there is to tell after the game, computed as soon as it has begun."""
        self._telling: asyncio.Task[None] | None = None
        self.wrong = Bucket(most=10, per_second=1 / 6)
        """Limit on wrong codes, by device."""
        self.guesses = Bucket(most=300, per_second=1)
        """Limit on wrong codes, by address, which all players may share."""
        self.commands = Bucket(most=40, per_second=4)
        """Limit on commands, by device."""
        self.hinting = asyncio.Lock()
        """Held while a hint or an answer is worked out: one at a time, without stopping the table."""
        self._thread = ThreadPoolExecutor(1, "table")
        self._changed = asyncio.Event()
        self._dirty = False
        self._latest: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function that uses the table, after all earlier ones."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def publish(self) -> asyncio.Task[None]:
        """Send everybody the changes, soon; changes in quick succession are sent together."""
        if not self._dirty or self._latest is None:
            self._dirty = True
            self._latest = self.spawn(self._publish())
        return self._latest

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something in the background until it is finished or the host stops."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _publish(self) -> None:
        def frames() -> tuple[Frames, Sitting | NightSitting | None]:
            self._dirty = False
            online = {reader for reader, number in list(self.online.items()) if number}
            languages = [name for name, number in list(self.spoken.items()) if number]
            keeper = self.evening.keeper
            return self.evening.frames(online, languages), keeper.sitting if keeper else None

        self.frames, sitting = await self.run(frames)
        self.wake()
        if sitting is not None:
            if self.afterwards is None or self.afterwards.log != self.evening.log:
                if self._telling is not None:
                    self._telling.cancel()
                self.afterwards = Afterwards(self.evening.log)
                self._telling = self.spawn(self.afterwards.run())
            if isinstance(sitting, NightSitting):
                self.afterwards.tell(sitting.report() if sitting.stage == "over" else None)
            else:
                self.afterwards.follow(sitting.game)

    def language_of(self, request: Request) -> str:
        """Return the language of a device: as chosen there, or as its browser asks."""
        names = [request.cookies.get(LANGUAGE, "")]
        if self.language is None or request.url.path not in ("/tv", f"/events/{TV}"):
            names += _accepted_languages(request.headers.get("accept-language", ""))
        return next((self.offered[name] for name in names if name in self.offered), self.language or ENGLISH)

    def wake(self) -> None:
        """Make every stream check whether it has something to send."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def news(self, seconds: float) -> None:
        """Wait for a change, at most this many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    async def keep_time(self) -> None:
        """Let time pass at the table."""
        before = time.monotonic()
        while not self.closing:
            passed, before = time.monotonic() - before, time.monotonic()
            if any(number for (who, _), number in self.online.items() if who == "player"):
                self.clock += min(passed, BEAT)
            with suppress(OSError):  # a full disk: the phase ends when there is space again
                if await self.run(lambda: self.evening.tick(self.clock)):
                    self.publish()
            await asyncio.sleep(0.5)
            if self.stopping():
                self.closing = True
                self.wake()

    def close(self) -> None:
        """End all streams and the thread."""
        self.closing = True
        self.wake()
        for task in self._tasks:
            task.cancel()
        self._thread.shutdown(cancel_futures=True)


def _accepted_languages(header: str) -> list[str]:
    """Return the languages of an Accept-Language header without their regions, the preferred first.

    >>> _accepted_languages("nl;q=0.5, de-AT, fr; q=0, de;q=0.3")
    ['de', 'nl', 'de']
    """
    found = re.findall(r"([a-z]+)[^,;]*(?:;q=([01](?:\.\d*)?))?(?:,|$)", "".join(header.lower().split()))
    weighed = sorted(((float(weight or 1), name) for name, weight in found), key=itemgetter(0), reverse=True)
    return [name for weight, name in weighed if weight]


def _cookie_names(evening: str) -> tuple[str, str, str]:
    """Return the names of the cookies of a player, of the game master, and of those who watch."""
    return f"kw-{evening}", f"kw-{evening}-master", f"kw-{evening}-watch"


def application(room: Room, names: tuple[str, ...]) -> Application:
    """Return the application of a room. `names`: the host names allowed for this host."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        room.publish()
        room.spawn(room.keep_time())
        yield
        room.close()

    def error(request: Request, status: int, text: str) -> Response:
        return JSONResponse({"error": in_language(text, room.language_of(request))}, status)

    def full(request: Request, e: Exception) -> Response:
        """Say on phones that the log or the seats cannot be written; the terminal shows it too."""
        reason = getattr(e, "strerror", None) or str(e)
        place = getattr(e, "filename", None) or "the log"
        print(f"{place}: {reason}. Nothing confirmed is lost; free some space.", file=sys.stderr, flush=True)
        return error(request, 507, Sentence("not-saved", reason=reason))

    pages = _Pages(room)
    app = Starlette(
        routes=[
            *(Route(path, pages.page) for path in ("/", "/tv", "/master", "/watch")),
            Route("/assets/{name}", pages.asset),
            Route("/qr.svg", pages.qr),
            Route("/hello", pages.hello),
            Route("/events/{who}", pages.events),
            Route("/afterwards", pages.afterwards),
            *(Route(path, pages.report) for path in ("/report", "/story")),
            Route("/rules", pages.rules),
            Route("/hint/{action}", pages.hint),
            Route("/ask", pages.ask, methods=["POST"]),
            Route("/watch/enter", pages.watch, methods=["POST"]),
            Route("/robots", pages.robots, methods=["POST"]),
            Route("/master/watchers", pages.watchers, methods=["POST"]),
            Route("/join", pages.join, methods=["POST"]),
            Route("/leave", pages.leave, methods=["POST"]),
            Route("/settings", pages.settings, methods=["POST"]),
            Route("/begin", pages.begin, methods=["POST"]),
            Route("/again", pages.again, methods=["POST"]),
            Route("/submit", pages.submit, methods=["POST"]),
            Route("/master/enter", pages.enter, methods=["POST"]),
            Route("/master/free", pages.free, methods=["POST"]),
        ],
        lifespan=lifespan,
        exception_handlers={
            Denied: lambda request, e: error(request, getattr(e, "status", 400), str(e)),
            SeatTaken: lambda request, e: error(request, 409, str(e)),
            KripkeError: lambda request, e: error(request, 400, reason_of(e)),
            OSError: full,
        },
    )

    def seat(cookie: str) -> str | None:
        given, seats = cookie_parser(cookie), room.evening.seats
        devices = (seats.device(given[name]) for name in _cookie_names(seats.evening) if name in given)
        return next((device.check for device in devices if device is not None), None)

    return Guard(app, names, seat, lambda text, scope: in_language(text, room.language_of(Request(scope))))


class _Pages:
    """The answers to requests."""

    def __init__(self, room: Room) -> None:
        self._room = room

    # identification

    def _known(self, request: Request, kind: int) -> Device | None:
        """Return the device that sent a request, by the cookie at this place of `_cookie_names`, or None."""
        seats = self._room.evening.seats
        return seats.device(request.cookies.get(_cookie_names(seats.evening)[kind]))

    def _device(self, request: Request, *, master: bool) -> Device:
        """Return the device that sent a request; raise Denied if it has none here."""
        device = self._known(request, master)
        if device is None or device.watches or device.is_master != master:
            raise Denied(403, Sentence("no-seat-here", master=master))
        return device

    def _watcher(self, request: Request) -> Device | None:
        """Return the device that watches and sent a request, or None."""
        device = self._known(request, 2)
        return device if device is not None and device.watches else None

    def _either(self, request: Request, body: Mapping[str, Any]) -> Device:
        return self._device(request, master=body.get("as") == MASTER)

    def _calm(self, device: Device) -> Device:
        """Return a device; raise Denied if it sends too many commands."""
        if not self._room.commands.take(device.check):
            raise Denied(429, Sentence("too-many-commands"))
        return device

    def _let_in(self, request: Request, given: object, code: str) -> None:
        """Raise Denied if it is another code, or after too many attempts; "" admits nobody."""
        limits = {self._room.guesses: request.client.host if request.client else ""}
        if device := request.headers.get("cookie", "")[:LONGEST_KEY]:
            limits[self._room.wrong] = device
        if any(limit.empty(key) for limit, key in limits.items()):
            raise Denied(429, Sentence("too-many-codes"))
        if not code or not same_code(given, code):
            for limit, key in limits.items():
                limit.take(key)
            raise Denied(403, Sentence("wrong-code"))

    def _of_the_screen(self, request: Request) -> None:
        """Raise Denied unless a request has the code to join, as those of the shared screen do."""
        code = self._room.evening.seats.code
        if not same_code(given := request.headers.get("x-code"), code):
            self._let_in(request, given, code)

    async def _admitted(self, work: Callable[[], str], *, kind: int) -> Response:
        """Register a device at the table, send everybody the changes, and answer with its cookie."""
        token, answer = await self._room.run(work), JSONResponse({"accepted": True})
        self._room.publish()
        answer.set_cookie(
            _cookie_names(self._room.evening.seats.evening)[kind],
            token,
            max_age=365 * 24 * 3600 if not kind else None,
            httponly=True,
            samesite="strict",
            secure=self._room.secure,
        )
        return answer

    # pages

    async def page(self, request: Request) -> Response:
        kind = request.url.path.strip("/") or "player"
        language = self._room.language_of(request)
        words = page_words(language, "page-") | {"language": Path(language).stem}
        names = {name: Sentence("language-name").told(own) for name, own in self._room.offered.items()}
        parts = {
            "lang": words["language"],
            "languages": json.dumps(list(names.items()), ensure_ascii=False),
            "title": words["title"],
            "page": kind,
            "evening": self._room.evening.seats.evening,
            "needs": words["needs-script"],
        }
        texts = {name: escape(str(value)) for name, value in parts.items()} | {"words": inert(words)}
        answer = Response(filled_page(_asset("page.html"), texts), media_type="text/html")
        if not request.cookies:  # the device is known again before it has a seat
            name = f"kw-{self._room.evening.seats.evening}-guest"
            answer.set_cookie(name, new_code(20), httponly=True, samesite="strict", secure=self._room.secure)
        return answer

    async def asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        kind = _ASSETS.get(name.rpartition(".")[2])
        own = (entry.name for entry in files("kripke_werewolf.play.host").joinpath("assets").iterdir())
        if kind is None or name not in (*_SHARED, *own):
            raise Denied(404, "there is no such file here")
        return Response(_asset(name), media_type=kind)

    async def qr(self, request: Request) -> Response:
        """Return the QR code for phones, for a screen that has the code to join."""
        self._of_the_screen(request)
        drawn = io.BytesIO()
        made = segno.make(f"{self._room.address}#{self._room.evening.seats.code}", error="m")
        made.save(drawn, kind="svg", border=3, light="white", xmldecl=False, omitsize=True)
        return Response(drawn.getvalue(), media_type="image/svg+xml")

    async def rules(self, request: Request) -> Response:
        """Return the rules on one printable page."""
        return self._told(request, self._room.evening.sheet)

    def _told(self, request: Request, document: Document) -> Response:
        """Return a document in the language of a device, as a self-contained page."""
        language = self._room.language_of(request)
        policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
        text = in_language(document, language).to_page()
        return Response(text, media_type="text/html", headers={"Content-Security-Policy": policy})

    async def hello(self, request: Request) -> Response:
        """Return whether this device has a seat, and the free seats."""
        seats = self._room.evening.seats
        player, master = self._known(request, 0), self._known(request, 1)
        found = {
            "seat": player.seat if player else None,
            "master": master is not None and master.is_master,
            "watches": self._watcher(request) is not None,
        }
        about = {"begun": seats.begun, "free": list(seats.free), "address": self._room.address}
        return JSONResponse({**found, **about})

    # streams

    async def events(self, request: Request) -> Response:
        who = request.path_params["who"]
        reader: Reader
        if who == "player":
            reader = "player", self._device(request, master=False).seat
        elif who in (MASTER, SECRETS):
            self._device(request, master=True)
            reader = who, None
        elif who == WATCHER:
            if self._watcher(request) is None:
                raise Denied(403, Sentence("no-watcher-here"))
            reader = WATCHER, None
        elif who == TV:
            reader = TV, None
        else:
            raise Denied(404, f"there is no stream {who[:40]!r}")
        own = f"{who} {request.headers.get('cookie', '')[:LONGEST_KEY]}"
        screen = own if reader[0] in (TV, WATCHER) else str(reader)
        if self._room.open[screen] >= MOST_STREAMS or self._room.online[reader] >= MOST_PUBLIC:
            raise Denied(429, Sentence("too-many-pages"))
        return StreamingResponse(self._stream(request, reader, screen), media_type="text/event-stream")

    async def _stream(self, request: Request, reader: Reader, device: str) -> AsyncIterator[bytes]:
        room, sent, last, seats = self._room, "", 0.0, None
        language = room.language_of(request)
        room.online[reader] += 1
        room.open[device] += 1
        room.spoken[language] += 1
        try:
            await asyncio.shield(room.publish())  # the present frame may be outdated
            while not room.closing:
                if room.evening.seats is not seats:
                    seats = room.evening.seats
                    if not self._still(request, reader):
                        yield b"event: freed\ndata: {}\n\n"
                        return
                frame = room.frames.get((reader, language))
                if frame is not None and frame.mark != sent:
                    sent = frame.mark
                    yield b"event: view\ndata: " + frame.content + b"\n\n"
                if time.monotonic() - last >= BEAT:
                    last = time.monotonic()
                    yield b'event: beat\ndata: {"now":%.3f}\n\n' % room.clock
                await room.news(max(0.05, last + BEAT - time.monotonic()))
        finally:
            room.online[reader] -= 1
            room.open -= Counter([device])  # those without a stream are forgotten
            room.spoken[language] -= 1
            if not room.closing:
                room.publish()

    def _still(self, request: Request, reader: Reader) -> bool:
        """Whether a device may still read its stream."""
        if reader[0] in (TV, WATCHER):
            return reader[0] == TV or self._watcher(request) is not None
        with suppress(Denied):
            return self._device(request, master=reader[0] != "player").seat == reader[1]
        return False

    # when the game is over

    def _over(self, request: Request) -> Afterwards:
        """Return the results after the game; raise Denied before its end, and for strangers.

        A screen that has the code to join is not a stranger.
        """
        if request.headers.get("x-code"):
            self._of_the_screen(request)
        elif self._watcher(request) is None and self._known(request, 1) is None:
            self._device(request, master=False)
        if self._room.afterwards is None or not self._room.evening.over:
            raise Denied(403, Sentence("not-over"))
        return self._room.afterwards

    async def afterwards(self, request: Request) -> Response:
        """Return the story, and the players' possible knowledge as far as it is known, if there is more."""
        found = self._over(request)
        if request.query_params.get("seen") == str(found.version):
            return Response(status_code=204)
        return Response(found.told(self._room.language_of(request)), media_type="application/json")

    async def report(self, request: Request) -> Response:
        """Return the story, or all tables of the game."""
        found = self._over(request)
        document = found.story if request.url.path == "/story" else found.report
        if not document:
            raise Denied(503, Sentence("report-not-ready"))
        return self._told(request, document)

    # commands of players

    async def join(self, request: Request) -> Response:
        body = await _body(request)
        self._let_in(request, body.get("code"), self._room.evening.seats.code)
        if self._watcher(request) is not None:
            raise Denied(409, Sentence("watchers-do-not-play"))
        if own := self._known(request, 0):
            raise Denied(409, Sentence("seat-already", player=own.seat))
        language = self._room.language or ENGLISH
        return await self._admitted(lambda: self._room.evening.join(body.get("name"), language), kind=0)

    async def _accepted(self, work: Callable[[], object]) -> Response:
        """Run a function that uses the table, send everybody the changes, and say that it is done."""
        await self._room.run(work)
        self._room.publish()
        return JSONResponse({"accepted": True})

    async def watch(self, request: Request) -> Response:
        """Let a device without a seat watch."""
        body = await _body(request)
        given = body.get("code")
        self._let_in(request, given, self._room.evening.seats.watching)
        if self._known(request, 0) is not None:
            raise Denied(409, Sentence("players-do-not-watch"))
        promised = body.get("promised") is True
        return await self._admitted(lambda: self._room.evening.watch(given, promised=promised), kind=2)

    async def robots(self, request: Request) -> Response:
        """Let robots play along; the game master may decide it, and the player who begins."""
        number = (await self._leading(request)).get("number")
        return await self._accepted(lambda: self._room.evening.with_robots(number))

    async def hint(self, request: Request) -> Response:
        """Return a hint for an action to the player who asks, from what they were told."""
        device, action = self._calm(self._device(request, master=False)), request.path_params["action"]
        evening = self._room.evening
        async with self._room.hinting:
            text = await asyncio.to_thread(lambda: evening.hint(device.seat or "", action))
        return JSONResponse({"hint": in_language(text, self._room.language_of(request))})

    async def ask(self, request: Request) -> Response:
        """Return the answer to the question of a player, from what they were told, or how one may go on."""
        body, device = await _body(request), self._calm(self._device(request, master=False))
        evening, asked = self._room.evening, body.get("question")
        if "begun" in body:
            return JSONResponse({"words": await asyncio.to_thread(evening.continued, body["begun"])})
        async with self._room.hinting:
            text = await asyncio.to_thread(evening.ask, device.seat or "", asked)
        return JSONResponse({"answer": in_language(text, self._room.language_of(request))})

    async def leave(self, request: Request) -> Response:
        device = self._device(request, master=False)
        await _body(request)
        return await self._accepted(lambda: self._room.evening.leave(device.seat or ""))

    async def begin(self, request: Request) -> Response:
        await self._leading(request)
        return await self._accepted(lambda: self._room.evening.begin(self._room.clock))

    async def settings(self, request: Request) -> Response:
        """Change settings of the game to begin."""
        given = (await self._leading(request)).get("settings")
        if not isinstance(given, dict):
            raise FormatError("the settings are an object of names and values")
        return await self._accepted(lambda: self._room.evening.change(given))

    async def again(self, request: Request) -> Response:
        """Open the lobby for the next game."""
        draw = (await self._leading(request)).get("draw") is True
        return await self._accepted(lambda: self._room.evening.again(draw=draw))

    async def _leading(self, request: Request) -> Mapping[str, Any]:
        """Return the body sent by the game master or the player who begins; raise Denied for others."""
        body = await _body(request)
        device, seats = self._calm(self._either(request, body)), self._room.evening.seats
        if device.seat is not None and device.seat != seats.players[0]:
            raise Denied(403, Sentence("first-begins", player=seats.players[0]))
        return body

    async def submit(self, request: Request) -> Response:
        body = await _body(request)
        device = self._calm(self._either(request, body))
        evening, since = self._room.evening, time.monotonic()
        answer = await self._room.run(lambda: evening.submit(device.seat, body, self._room.clock))
        try:  # choices that count take longer than others
            await asyncio.sleep(since + AT_LEAST - time.monotonic())
        finally:
            self._room.publish()
        return Response(reply_to(answer, self._room.language_of(request)), media_type="application/json")

    # commands of the game master

    async def enter(self, request: Request) -> Response:
        body = await _body(request)
        self._let_in(request, body.get("key"), self._room.key)
        return await self._admitted(self._room.evening.join_master, kind=1)

    async def watchers(self, request: Request) -> Response:
        """Send watchers away, and admit others or not."""
        body = await _body(request)
        self._calm(self._device(request, master=True))
        allowed = body.get("allowed") is True
        return await self._accepted(lambda: self._room.evening.admit(allowed=allowed))

    async def free(self, request: Request) -> Response:
        body = await _body(request)
        self._calm(self._device(request, master=True))
        return await self._accepted(lambda: self._room.evening.free(body.get("player")))


async def _body(request: Request) -> Mapping[str, Any]:
    """Return the JSON object sent; raise FormatError for anything else."""
    try:
        data = json.loads(await request.body())  # the guard has checked its length
    except (ValueError, RecursionError):
        raise FormatError("the request is not JSON") from None
    if not isinstance(data, dict):
        raise FormatError("the request is not a JSON object")
    return data


def _asset(name: str) -> str:
    home = files("visualise") / "board" if name in _SHARED else files("kripke_werewolf.play.host") / "assets"
    return (home / name).read_text(encoding="utf-8")
