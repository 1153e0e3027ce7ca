"""The host with phones that only send requests: whole evenings, strangers, and failures."""

import asyncio
import http.client
import json
import os
import random
import shutil
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

import uvicorn

from kripke_werewolf.base.wording import LANGUAGES
from kripke_werewolf.games.werewolf.log import read_log, replay
from kripke_werewolf.games.werewolf.tale import to_ask
from kripke_werewolf.play.host.guard import Guard
from kripke_werewolf.play.host.serving import _Connection, bound
from tests.forked import run
from tests.play.host.evening import Evening
from tests.play.host.hosting import NAMES, Host, Phone, hosted

RULES = {"gekka": ("--rules", "gekka"), "straat": ("--rules", "straat")}
RULES["classical"] = ("--rules", "cisra", "--deal", "classical")


def joined(host: Host, names: tuple[str, ...] = NAMES) -> dict[str, Phone]:
    phones = {name: Phone(host) for name in names}
    for name, phone in phones.items():
        assert phone.join(name) == (200, {"accepted": True})
    return phones


def begun(host: Host, names: tuple[str, ...] = NAMES) -> dict[str, Phone]:
    phones = joined(host, names)
    status, reply = phones[names[0]].send("POST", "/begin", {})
    assert status == 200, reply
    return phones


def commands(view: dict[str, Any], rng: random.Random) -> list[dict[str, Any]]:
    """Return the requests that a player's page could send now."""
    if view["kind"] == "night":
        open_asks = [ask for ask in view.get("ask", ()) if not ask["answered"]]
        pick = [(a["action"], [t for t in a["targets"] if t not in a.get("refused", ())]) for a in open_asks]
        return [{"do": "choose", "action": action, "target": rng.choice(targets)} for action, targets in pick]
    if view["kind"] == "day" and "vote" in view and not view["vote"]["answered"]:
        return [{"do": "vote", "target": rng.choice(view["ballot"]["candidates"])}]
    return []


def play(phones: dict[str, Phone], rng: random.Random, *, rounds: int) -> Iterator[dict[str, Any]]:
    """Let everybody who is asked answer, and yield each player's view that was acted on."""
    for _ in range(rounds):
        for name in rng.sample(sorted(phones), len(phones)):
            view = phones[name].view()
            for command in commands(view, rng):
                status, reply = phones[name].submit(command, view["moment"])
                assert status == 200, reply
            yield view


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path / "g", "--rules", "gekka", "--seed", "3") as found:
        yield found


# --- whole evenings ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_a_night_and_a_day(rules: str, tmp_path: Path) -> None:
    with hosted(tmp_path / "g", *RULES[rules], "--seed", "8") as host:
        phones, rng = begun(host), random.Random(8)
        kinds = [view["kind"] for view in play(phones, rng, rounds=4)]
        assert {"night", "day"} <= set(kinds)
        assert read_log(tmp_path / "g" / "game-1.jsonl").steps
        frames = {name: phone.frame() for name, phone in phones.items()}
        assert len(set(map(len, frames.values()))) == 1  # all alike in size
        for name, frame in frames.items():
            seen = json.loads(frame)["view"]
            assert seen["view"] == "player"
            assert seen["player"] == name
            assert not {"master_table", "choices", "numbers", "to_choose", "last"} & seen.keys()
        assert Phone(host).view("tv")["view"] == "public"


def test_an_evening_of_eight(tmp_path: Path) -> None:
    """To its end: every confirmed move is in the log, and no phone has shown another's secrets."""
    with hosted(tmp_path / "g", "--rules", "cisra", "--wolves", "2", "--seed", "4") as host:
        evening = Evening(host, NAMES, random.Random(5))
        evening.begin()
        kinds = [evening.phase()]
        while kinds[-1] != "over":
            kinds.append(evening.phase())
            if len(kinds) == 4:  # in the middle of a phase the power goes
                name = evening.streams[NAMES[0]].view["alive"][0]
                moment = evening.streams[name].view["moment"]
                todo = evening.todo(name, moment)
                assert todo is not None
                assert evening.phones[name].submit(todo, moment)[1]["accepted"]
                evening.accepted.append((name, moment, todo))
                host.kill()
                host.start()
        evening.close()
        assert len(kinds) > 6
        assert len(evening.accepted) > 40
        assert evening.lost() == []
        assert evening.read() > 20
        assert evening.leaked() == []
        # this would be noticed: somebody reads over another's shoulder, or a move is another than confirmed
        ann, bo = (evening.streams[name] for name in NAMES[:2])
        ann.shown |= bo.shown
        assert "Ann" in {name for name, _ in evening.leaked()}
        name, moment, command = evening.accepted[0]
        evening.accepted.append((name, moment, {**command, "target": name}))
        assert evening.lost() == evening.accepted[-1:]


def test_the_lobby_survives(tmp_path: Path) -> None:
    with hosted(tmp_path / "g", "--rules", "cisra", "--wolves", "1") as host:
        phones, code = joined(host, NAMES[:4]), host.code
        host.kill()
        host.start()
        assert host.code == code
        assert phones["Di"].view()["players"] == list(NAMES[:4])
        assert phones["Di"].send("POST", "/begin", {})[1]["error"] == "Ann joined first, and starts the game"
        assert phones["Ann"].send("POST", "/begin", {})[0] == 200
        assert phones["Di"].view()["settings"].startswith("4 players under the rules 'cisra': 1 seer, 1 wolf")


def test_a_game_goes_on_from_its_log_alone(tmp_path: Path) -> None:
    with hosted(tmp_path / "g", "--rules", "gekka", "--seed", "3") as host:
        phones = begun(host)
        view = phones["Cy"].view()
        phones["Cy"].submit(commands(view, random.Random(1))[0], view["moment"])
        host.kill()
        (host.folder / "seats.json").unlink()
        host.start()
        assert phones["Cy"].send("GET", "/events/player")[0] == 403
        fresh = Phone(host)
        assert fresh.join("Cy") == (200, {"accepted": True})
        assert fresh.view()["ask"][0]["answered"]


def test_the_end_of_a_game(tmp_path: Path) -> None:
    """What players could have known is shown to them only when the game is over."""
    log = tmp_path / "g" / "game-1.jsonl"
    with hosted(tmp_path / "g", "--rules", "gekka", "--wolves", "1", "--seed", "3") as host:
        phones, rng = begun(host, NAMES[:3]), random.Random(3)
        screen = {"X-Code": host.code}
        for path in ("/afterwards", "/report", "/story"):
            assert phones["Ann"].send("GET", path) == (403, {"error": "the game is not over"})
            assert Phone(host).send("GET", path, headers=screen) == (403, {"error": "the game is not over"})
        for _ in range(20):
            views = list(play(phones, rng, rounds=1))
            if views[-1]["kind"] == "over":
                break
        assert {phone.view()["kind"] for phone in phones.values()} == {"over"}
        for path in ("/afterwards", "/report", "/story"):
            assert Phone(host).send("GET", path)[0] == 403
            assert Phone(host).send("GET", path, headers={"X-Code": "WRONGCODE"})[0] == 403
        end = time.monotonic() + 240
        while not (found := phones["Ann"].send("GET", "/afterwards")[1])["done"]:
            assert time.monotonic() < end
            time.sleep(0.3)
        assert found["report"]
        assert found["total"] == len(found["answers"]) == len(to_ask(replay(log)))
        assert {answer["reading"] for answer in found["answers"]} == {"facts", "exact"}
        status, page = phones["Bo"].send("GET", "/report")
        assert status == 200
        assert page.startswith("<!DOCTYPE html>")
        assert all(name in page for name in NAMES[:3])
        assert Phone(host).send("GET", "/afterwards", headers=screen)[1] == found
        secrets = [host.code, host.key, host.address, "127.0.0.1", phones["Bo"].cookies.popitem()[1]]
        for language in LANGUAGES:
            status, page = phones["Ann"].send("GET", "/story", headers={"Accept-Language": language})
            assert status == 200
            assert all(name in page for name in NAMES[:3])
            assert [secret for secret in secrets if secret in page] == []

        master = Phone(host)
        assert master.send("POST", "/master/enter", {"key": host.key})[0] == 200
        assert master.send("GET", "/report")[0] == 200
        moment = master.view("master")["moment"]
        body = {"as": "master", "command": {"do": "undo"}, "moment": moment, "request": "back"}
        assert master.send("POST", "/submit", body)[1]["accepted"]
        assert phones["Ann"].send("GET", "/report") == (403, {"error": "the game is not over"})


# --- strangers --------------------------------------------------------------------------------------


def test_joining_needs_the_code_a_free_seat_and_a_name(host: Host) -> None:
    phones = joined(host, NAMES[:2])
    stranger = Phone(host)
    assert stranger.join("Eve", code="WRONGX") == (403, {"error": "this is not the code that the host shows"})
    assert stranger.join("Ann") == (409, {"error": "Ann's seat is taken; take another name"})
    for name in ("", "  ", "A\u0000", "x" * 41, "An\u200bn", 7, None, ["Ann"]):
        status, reply = stranger.send("POST", "/join", {"code": host.code, "name": name})
        assert status == 400, (name, reply)
        assert "name" in reply["error"]
    assert stranger.join("\uff21nn")[0] == 400  # a wide A
    assert stranger.cookies == {}
    assert phones["Ann"].join("Eve")[0] == 409
    assert phones["Ann"].view()["players"] == ["Ann", "Bo"]


def test_wrong_codes_and_keys_are_limited_for_the_device_that_guesses(host: Host) -> None:
    guessing, other = Phone(host), Phone(host)
    for phone in (guessing, other):
        assert phone.send("GET", "/")[0] == 200
        assert len(phone.cookies) == 1
    found = [guessing.join("Eve", code=f"AAAAA{n}")[0] for n in range(12)]
    assert found == [403] * 10 + [429] * 2
    assert guessing.join("Eve")[0] == guessing.send("POST", "/master/enter", {"key": host.key})[0] == 429
    assert guessing.send("GET", "/qr.svg", headers={"X-Code": host.code})[0] == 200
    assert other.join("Ann")[0] == other.send("POST", "/master/enter", {"key": host.key})[0] == 200


def test_wrong_codes_of_one_address_are_limited_at_last(host: Host) -> None:
    found = [Phone(host).join("Eve", code=f"AAAAA{n}")[0] for n in range(340)]
    assert 300 <= found.count(403) < 340
    right = list[int]()  # however fast this machine is: one attempt a second is allowed
    while 429 not in right and len(right) < 20:
        Phone(host).join("Eve", code="AAAAAA")
        right.append(Phone(host).join("Eve")[0])
    assert 429 in right
    assert Phone(host).send("GET", "/qr.svg", headers={"X-Code": host.code})[0] == 200


def statuses(guard: Guard, address: str, cookies: list[str]) -> list[int]:
    """Return how the guard answers requests with these cookies, sent as fast as it can take them."""
    found: list[int] = []

    async def note(message) -> None:
        if message["type"] == "http.response.start":
            found.append(message["status"])

    async def all_of_them() -> None:
        for cookie in cookies:
            headers = [(b"host", b"here"), *([(b"cookie", cookie.encode())] if cookie else [])]
            scope = {"type": "http", "method": "GET", "scheme": "http", "path": "/", "headers": headers}
            await guard(scope | {"server": ("here", 80), "client": (address, 1)}, None, note)

    asyncio.run(all_of_them())
    return found


async def empty(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


def test_a_flooding_device_stops_only_itself() -> None:
    guard = Guard(empty, ["here"])
    assert 429 in statuses(guard, "flat", ["flooding"] * 2_000)
    assert {*statuses(guard, "flat", [*["other"] * 50, *[""] * 50])} == {200}
    assert 429 in statuses(guard, "street", [""] * 20_000)
    assert {*statuses(guard, "flat", ["third"] * 50)} == {200}


def test_whoever_has_a_seat_is_limited_alone() -> None:
    """However many requests come from the same address with cookies that are made up."""
    guard = Guard(empty, ["here"], {"seat of Ann": "Ann", "seat of Bo": "Bo"}.get)
    cookies = ["seat of Ann" if n % 100 == 0 else f"made up {n}" for n in range(20_000)]
    found = statuses(guard, "flat", cookies)
    assert 429 in found
    assert {*found[::100]} == {200}
    assert 429 in statuses(guard, "flat", ["seat of Bo"] * 2_000)


def test_one_device_cannot_take_all_screens(host: Host) -> None:
    """A device that opens the shared screen again and again leaves room for others."""
    begun(host)
    greedy, other = Phone(host), Phone(host)
    for phone in (greedy, other):
        assert phone.send("GET", "/tv")[0] == 200
    held = []
    for number in range(8):
        connection = host.connect()
        held.append(connection)
        cookie = "; ".join(f"{k}={v}" for k, v in greedy.cookies.items())
        connection.request("GET", "/events/tv", headers={"Cookie": cookie})
        reply = connection.getresponse()
        assert reply.status == (200 if number < 6 else 429)
        if reply.status == 200:
            reply.readline()  # the stream has begun
    assert other.view("tv")["kind"] == "night"
    for connection in held:
        connection.close()


HALF = (b"", b"GET / HTTP/1.1\r\nHost: h\r\n", b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{")


@pytest.mark.parametrize("part", HALF)
def test_half_sent_requests_are_closed_and_whole_ones_are_not(monkeypatch, part: bytes) -> None:
    """Sent to a server in this process, whose patience is short."""

    async def answer(scope, receive, send) -> None:
        while not scope["path"].startswith("/stream") and (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(8 if scope["path"] == "/stream" else 0):
            await send({"type": "http.response.body", "body": b".", "more_body": True})
            await asyncio.sleep(0.1)
        await send({"type": "http.response.body", "body": b"done"})

    monkeypatch.setattr(_Connection, "patience", 0.3)
    monkeypatch.setattr(_Connection, "most", 3)
    config = uvicorn.Config(answer, http=_Connection, ws="none", lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    with bound("127.0.0.1", 0) as listening:
        place = listening.getsockname()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            stream = http.client.HTTPConnection(*place, timeout=20)
            stream.request("GET", "/stream")
            half = [socket.create_connection(place, timeout=20) for _ in range(2)]
            for connection in half:
                connection.sendall(part)
            reply = stream.getresponse()  # so the first connections are known
            surplus = http.client.HTTPConnection(*place, timeout=20)  # in place of the first half
            surplus.request("POST", "/", b"{}")
            assert surplus.getresponse().read() == b"done"
            surplus.close()
            assert all(map(_closed, half))
            assert reply.read() == b"." * 8 + b"done"
            with closing(http.client.HTTPConnection(*place, timeout=20)) as again:
                again.request("POST", "/", b"{}")
                assert again.getresponse().read() == b"done"
        finally:
            server.should_exit = True
            thread.join()


def _closed(connection: socket.socket) -> bool:
    """Whether the other side closes a connection without an answer."""
    with connection:
        try:
            return connection.recv(1) == b""
        except ConnectionError:
            return True


def test_only_the_own_seat(host: Host) -> None:
    phones = begun(host)
    view = phones["Ann"].view()
    stranger = Phone(host)
    stranger.cookies = dict.fromkeys(phones["Ann"].cookies, "guessed")
    for path in ("/events/player", "/events/master", "/events/secrets"):
        assert stranger.send("GET", path)[0] == 403
        if path != "/events/player":
            assert phones["Ann"].send("GET", path)[0] == 403
    assert stranger.submit({"do": "choose", "action": "vision", "target": "Bo"}, view["moment"])[0] == 403
    for command, reason in (
        ({"do": "choose", "actor": "Bo", "action": "vision", "target": "Cy"}, "has no 'actor'"),
        ({"do": "choose", "action": "vision", "target": "Cy", "result": "wolf"}, "has no 'result'"),
        ({"do": "end"}, "for the game master"),
        ({"do": "undo"}, "for the game master"),
        ({"do": "away", "player": "Bo"}, "for the game master"),
        ({"do": "dance"}, "is not a command"),
        ("end", "a command is an object"),
    ):
        status, reply = phones["Ann"].submit(command, view["moment"])  # type: ignore[arg-type]
        assert status == 400
        assert reason in reply["error"]
    body = {"command": {"do": "end"}, "moment": view["moment"], "request": "x", "as": "master"}
    assert phones["Ann"].send("POST", "/submit", body)[0] == 403
    assert phones["Ann"].send("POST", "/master/free", {"player": "Bo"})[0] == 403


def test_requests_from_elsewhere(host: Host) -> None:
    phone, foreign = joined(host, NAMES[:1])["Ann"], Phone(host)
    body = {"code": host.code, "name": "Eve"}
    for headers, status in (
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": "10.1.2.3"}, 421),
        ({"Content-Type": "text/plain"}, 415),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ):
        assert foreign.send("POST", "/join", body, headers)[0] == status, headers
        if status in (421, 403) and headers.get("Origin") != "":
            assert phone.send("GET", "/events/player", headers=headers)[0] == status, headers
    assert phone.view()["players"] == ["Ann"]
    assert foreign.send("POST", "/join", body)[0] == 200


def test_requests_of_the_wrong_form(host: Host) -> None:
    phone = joined(host, NAMES[:1])["Ann"]
    assert phone.send("POST", "/submit", b"x" * 8193)[0] == 413
    assert phone.send("POST", "/submit", b"[" * 8000)[0] == 400
    assert phone.send("POST", "/submit", [1])[0] == 400
    assert phone.send("POST", "/submit", {})[1] == {"error": "the game has not begun"}
    assert "8,192" in phone.send("POST", "/submit", b"x" * 8193)[1]
    dutch = {"Accept-Language": "nl"}
    assert "hoogstens 8,192 bytes" in phone.send("POST", "/submit", b"x" * 8193, dutch)[1]
    assert "gebruik het adres" in phone.send("GET", "/", headers=dutch | {"Host": "evil.example"})[1]
    assert phone.send("PUT", "/submit")[0] == 405
    assert phone.send("GET", "/submit")[0] == 405
    for path in ("/nothing", "/assets/../seats.py", "/assets/%2e%2e/app.py", "/events/Ann", "/g.jsonl"):
        assert phone.send("GET", path)[0] in (404, 403), path
    # somebody who hammers is slowed down, also where the machine has much else to do
    assert any(phone.submit({"do": "x"}, "m")[0] == 429 for _ in range(600))


def test_tokens_are_nowhere_but_on_their_device(host: Host) -> None:
    phones = begun(host)
    master = Phone(host)
    assert master.send("POST", "/master/enter", {"key": host.key})[0] == 200
    side = host.folder / "seats.json"
    assert stat.S_IMODE(side.stat().st_mode) == 0o600
    kept = side.read_text(encoding="utf-8") + host.log.read_text(encoding="utf-8") + host.printed
    tokens = [token for phone in (*phones.values(), master) for token in phone.cookies.values()]
    assert len(set(tokens)) == len(tokens) == len(NAMES) + 1
    for phone in phones.values():
        kept += phone.frame().decode()
    assert not [token for token in tokens if token in kept]
    assert host.code not in host.log.read_text(encoding="utf-8")
    assert host.key not in kept.replace(host.printed, "")


def test_nothing_is_cached_framed_or_readable_by_scripts(host: Host) -> None:
    connection = host.connect()
    connection.request("GET", "/")
    headers = connection.getresponse().headers
    assert "no-store" in headers["Cache-Control"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "no-referrer")
    assert "Server" not in headers
    connection = host.connect()
    given = {"Origin": host.address.rstrip("/"), "Content-Type": "application/json"}
    connection.request("POST", "/join", json.dumps({"code": host.code, "name": "Ann"}), given)
    cookie = connection.getresponse().headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()


# --- the same from outside --------------------------------------------------------------------------


def test_answers_are_alike_in_size(host: Host) -> None:
    """A choice that counts, one that does not, a refusal: nobody can tell them apart by their length."""
    phones = begun(host)
    lengths = set()
    for name, phone in phones.items():
        view = phone.view()
        for target in ("Bo", "Nobody we know", name):
            phone.submit({"do": "choose", "action": "vision", "target": target}, view["moment"])
            lengths.add(len(phone.last))
    assert len(lengths) == 1


# --- bad luck ---------------------------------------------------------------------------------------


def test_the_game_master(host: Host) -> None:
    phones, master = begun(host), Phone(host)
    assert master.send("POST", "/master/enter", {"key": "WRONG"})[0] == 403
    assert master.send("POST", "/master/enter", {"key": host.key.lower()})[0] == 200
    public = master.view("master")
    assert "choices" not in public
    assert public["taken"] == list(NAMES)
    assert "choices" in master.view("secrets")

    def command(content: dict[str, Any]) -> Any:
        moment = master.view("master")["moment"]
        body = {"as": "master", "command": content, "moment": moment, "request": os.urandom(6).hex()}
        return master.send("POST", "/submit", body)[1]

    assert command({"do": "choose", "actor": "Di", "action": "vision", "target": "Bo"})["accepted"]
    assert phones["Di"].view()["ask"][0]["target"] == "Bo"
    assert command({"do": "pause"})["accepted"]
    assert phones["Ann"].view()["paused"]
    assert command({"do": "pause", "paused": False})["accepted"]
    assert command({"do": "end", "missing": "random"})["accepted"]
    assert phones["Ann"].view()["kind"] == "day"
    assert command({"do": "undo"})["accepted"]
    assert phones["Ann"].view()["kind"] == "night"

    assert master.send("POST", "/master/free", {"player": "Hal"})[0] == 200
    assert phones["Hal"].send("GET", "/events/player")[0] == 403
    fresh = Phone(host)
    assert fresh.join("Hal") == (200, {"accepted": True})
    assert fresh.view()["player"] == "Hal"
    assert command({"do": "away", "player": "Gus"})["accepted"]
    assert phones["Ann"].view()["away"] == ["Gus"]
    zoe = Phone(host)
    assert zoe.join("Zoe")[0] == 200
    assert zoe.view()["waits"]  # for the next game
    back = Phone(host)
    assert back.join("Gus")[0] == 200
    assert phones["Ann"].view()["away"] == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit for another program's files")
def test_a_full_disk_loses_nothing(host: Host) -> None:
    import resource

    phones = begun(host)
    view = phones["Ann"].view()
    command = commands(view, random.Random(1))[0]
    size = host.log.stat().st_size
    resource.prlimit(host.process.pid, resource.RLIMIT_FSIZE, (size + 10, resource.RLIM_INFINITY))
    status, reply = phones["Ann"].submit(command, view["moment"], "full")
    assert status == 507
    assert "it was not done. Everything confirmed before is saved. Free some space" in reply["error"]
    assert f"{host.log}: File too large. Nothing confirmed is lost" in host.output.readline()
    assert host.log.stat().st_size == size
    assert not phones["Ann"].view()["ask"][0]["answered"]
    resource.prlimit(host.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    assert phones["Ann"].submit(command, view["moment"], "full")[1]["accepted"]
    assert read_log(host.log).choices


def test_a_second_host(host: Host) -> None:
    here = ("--address", "127.0.0.1", "--port")
    code, _, said = run(("host", str(host.folder), *here, "0"), cwd=host.log.parent)
    assert code == 2
    assert said == f"error: '{host.folder}' is being hosted by another program; close that one first\n"
    code, _, said = run(("host", "other", *here, str(host.port)), cwd=host.log.parent)
    assert code == 2
    assert "choose another --port" in said


def test_too_few_players_and_settings_that_stay(host: Host) -> None:
    ann = joined(host, ("Ann",))["Ann"]
    status, reply = ann.send("POST", "/begin", {})
    assert status == 400
    assert "player" in reply["error"]
    assert not host.log.exists()
    assert ann.send("POST", "/leave", {})[0] == 200
    assert ann.send("GET", "/events/player")[0] == 403
    host.kill()
    host.start("--rules", "cisra")  # nobody waits: the settings may change
    bo = joined(host, ("Bo",))["Bo"]
    assert "Rules: cisra" in bo.view()["settings"]
    host.kill()
    host.start()
    assert "Rules: cisra" in bo.view()["settings"]
    host.kill()
    host.start("--rules", "gekka")  # those who wait can change them in the lobby
    assert "Rules: gekka" in bo.view()["settings"]


def test_a_log_that_is_gone(host: Host) -> None:
    begun(host, NAMES[:4])
    host.kill()
    host.log.unlink()
    code, _, said = run(("host", str(host.folder)), cwd=host.log.parent)
    assert code == 2
    assert "of the game that was hosted here is gone; put it back, or delete" in said


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (("--rules", "ciszra"), "did you mean 'cisra'"),
        (("--deal", "clasical"), "Did you mean 'classical'"),
        (("--targets", "open"), "'open' is not one of 'secret', 'public'"),
        (("--option", "vision_shows=roles"), "did you mean 'role'"),
        (("--seed", "-1"), "give an integer of at least 0"),
        (("--night-seconds", "0"), "0 is not in the range x>=1"),
    ],
)
def test_impossible_settings_are_refused_before_anybody_joins(
    settings: tuple[str, str], reason: str, tmp_path: Path
) -> None:
    code, out, said = run(("host", "g", *settings), cwd=tmp_path)
    assert (code, out) == (2, "")
    assert reason in said
    assert list(tmp_path.iterdir()) == []


# --- encrypted ----------------------------------------------------------------------------------------

OPENSSL = shutil.which("openssl")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself, and its key."""
    if OPENSSL is None:
        pytest.skip("there is no openssl here")
    made, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=host", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-out", str(made), "-keyout", str(key)]
    subprocess.run([OPENSSL, *request, *names, *files], check=True, capture_output=True)
    return made, key


def test_everything_is_encrypted(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    made, key = certificate
    context = ssl.create_default_context(cafile=str(made))
    settings = ("--rules", "gekka", "--seed", "3", "--tls", str(made), str(key))
    with hosted(tmp_path / "g", *settings, tls=context) as host:
        assert host.address.startswith("https://127.0.0.1:")
        assert "All traffic is encrypted." in host.printed
        phones = begun(host, NAMES[:3])
        view = phones["Ann"].view()
        assert phones["Ann"].submit(commands(view, random.Random(1))[0], view["moment"])[1]["accepted"]
        assert phones["Ann"].view()["ask"][0]["answered"]
        foreign = {"Origin": host.address.replace("https", "http").rstrip("/")}
        assert phones["Bo"].send("POST", "/leave", {}, foreign)[0] == 403
        connection = host.connect()
        body = json.dumps({"key": host.key})
        headers = {"Origin": host.address.rstrip("/"), "Content-Type": "application/json"}
        connection.request("POST", "/master/enter", body, headers)
        cookie = connection.getresponse().headers["Set-Cookie"]
        assert "Secure" in cookie
        assert "HttpOnly" in cookie
        with socket.create_connection(("127.0.0.1", host.port)) as line:  # not encrypted: no reply to read
            line.sendall(f"GET /hello HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\n\r\n".encode())
            assert b"HTTP" not in line.recv(1000)


def test_certificates_that_cannot_be_used(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    made, key = certificate
    locked = tmp_path / "locked.pem"
    lock = ["ec", "-in", str(key), "-aes256", "-passout", "pass:secret", "-out", str(locked)]
    subprocess.run([str(OPENSSL), *lock], check=True, capture_output=True)
    for pair in ((key, made), (made, made), (made, locked)):
        code, out, said = run(("host", "g", "--port", "0", "--tls", *map(str, pair)), cwd=tmp_path)
        assert code == 2, out
        assert f"--tls: cannot use the certificate '{pair[0]}' with the key '{pair[1]}'" in said
        assert "give PEM files, the key without a password" in said


@pytest.mark.parametrize("name", ["Game night", "http://table.local", "table:8000", ""])
def test_a_name_that_no_machine_has_is_refused(name: str, tmp_path: Path) -> None:
    code, _, said = run(("host", "g", "--port", "0", "--name", name), cwd=tmp_path)
    assert code == 2
    assert f"{name!r} is not the name of a machine in a network" in said


def test_what_a_host_keeps_is_only_for_its_owner(host: Host) -> None:
    begun(host)
    files = list(host.folder.iterdir())
    assert {host.log, host.folder / "seats.json"} < set(files)
    modes = {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in files}
    assert set(modes.values()) == {"0o600"}, modes
