"""Robots in a game on phones, and those who watch it."""

import json
import time
from contextlib import ExitStack

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from kripke_werewolf import GameError, replay
from kripke_werewolf.play.host.seats import Seats
from tests.browser import PHONE, browsing, errors, needs_browser, window
from tests.play.host.hosting import Phone, hosted


def code_of(host):
    """Return the code to watch, as the terminal shows it."""
    (line,) = [line for line in host.printed.split("\n") if "watch#" in line]
    return line.rpartition("#")[2].split()[0]


def watcher(host, code, **more):
    """Return a device that asked to watch, and the status and reply."""
    phone = Phone(host)
    return phone, phone.send("POST", "/watch/enter", {"code": code, **more})


def master(host):
    phone = Phone(host)
    assert phone.send("POST", "/master/enter", {"key": host.key})[0] == 200
    return phone


def until(phone, wanted, who="player"):
    """Return the first view for which something holds."""
    for _ in range(200):
        view = phone.view(who)
        if wanted(view):
            return view
        time.sleep(0.05)
    raise AssertionError(view)


@pytest.mark.parametrize("rules", ["cisra", "straat"])
def test_one_player_plays_a_whole_game_with_robots(tmp_path, rules):
    with hosted(tmp_path / "g", "--rules", rules, "--wolves", "1", "--seed", "5") as host:
        ann = Phone(host)
        ann.join("Ann")
        assert ann.send("POST", "/robots", {"number": 4})[0] == 200
        lobby = ann.view()
        assert lobby["players"] == ["Ann", "Robot 1", "Robot 2", "Robot 3", "Robot 4"]
        assert lobby["first"]
        assert ann.send("POST", "/begin", {})[0] == 200
        for _ in range(40):
            view = until(ann, lambda v: v["kind"] == "over" or todo(v))
            if view["kind"] == "over":
                break
            assert "Practice" in Phone(host).view("tv")["robots"]
            ann.submit(todo(view), view["moment"])
        assert replay(tmp_path / "g" / "game-1.jsonl").verdict is not None


def todo(view):
    """Return what a player has still to answer."""
    for ask in view.get("ask", ()):
        names = [name for name in ask["targets"] if name not in ask.get("refused", ())]
        if not ask["answered"]:
            return {"do": "choose", "action": ask["action"], "target": (names or ask["targets"])[-1]}
    if view.get("vote") and not view["vote"]["answered"]:
        return {"do": "vote", "target": view["ballot"]["candidates"][-1]}
    return None


@needs_browser
@pytest.mark.slow
def test_at_the_end_of_a_large_game_everybody_is_seen_without_scrolling(tmp_path):
    """All twenty players with their cards and results, between head and foot, in the widest language too."""
    with hosted(tmp_path / "g", "--rules", "cisra", "--seed", "4") as host, ExitStack() as stack:
        ann = Phone(host)
        ann.join("Ann")
        ann.send("POST", "/robots", {"number": 19})
        assert ann.send("POST", "/begin", {})[0] == 200
        while (view := until(ann, lambda v: v["kind"] == "over" or todo(v)))["kind"] != "over":
            ann.submit(todo(view), view["moment"])
        browser = stack.enter_context(browsing())
        for language in ("de", "en"):
            page = stack.enter_context(window(browser, width=PHONE))
            for name, value in {**ann.cookies, "kw-language": language}.items():
                page.context.add_cookies([{"name": name, "value": value, "url": host.address}])
            page.goto(host.address)
            page.wait_for_selector(".big + .texts")
            shown, end = page.evaluate(
                """() => [
                    [...document.querySelectorAll(".big + .texts tbody tr")].map(
                        (row) => row.getBoundingClientRect().bottom),
                    document.querySelector("footer").getBoundingClientRect().top,
                ]"""
            )
            assert len(shown) == 20
            assert max(shown) <= end
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE
            page.screenshot(path=tmp_path / f"end-{language}.png")


def test_an_empty_seat_is_filled_by_a_robot_and_taken_again(tmp_path):
    with hosted(tmp_path / "g", "--rules", "gekka", "--wolves", "1", "--seed", "5") as host:
        phones = {name: Phone(host) for name in ("Ann", "Bo", "Cy")}
        for name, phone in phones.items():
            phone.join(name)
        boss = master(host)
        phones["Ann"].send("POST", "/begin", {})
        boss.send("POST", "/master/free", {"player": "Cy"})
        moment = boss.view("master")["moment"]
        body = {"command": {"do": "robots", "players": ["Cy"]}, "moment": moment, "request": "r1"}
        assert boss.send("POST", "/submit", {**body, "as": "master"})[1]["accepted"]
        assert until(phones["Ann"], lambda v: v["waiting"] == 2)["robots"].endswith("plays for Cy.")
        assert phones["Cy"].join("Cy")[0] == 200
        assert "robots" not in phones["Ann"].view()
        for body in ({"command": {"do": "robots", "players": ["Bo"]}}, {"command": {"do": "robots"}}):
            status, _ = phones["Ann"].send("POST", "/submit", {**body, "moment": moment, "request": "r2"})
            assert status == 400  # robots are for the game master


def test_who_watches_sees_everything_and_plays_nowhere(tmp_path):
    with hosted(tmp_path / "g", "--rules", "cisra", "--wolves", "1", "--seed", "5") as host:
        ann = Phone(host)
        ann.join("Ann")
        ann.send("POST", "/robots", {"number": 4})
        secret = code_of(host)
        ann.send("POST", "/begin", {})
        until(ann, lambda view: view["waiting"] == 1)
        assert watcher(host, secret)[1][0] == 400  # without the promise
        assert watcher(host, "WRONG", promised=True)[1][0] == 403
        one, (status, _) = watcher(host, secret, promised=True)
        assert status == 200
        assert ann.view()["watchers"] == "1 person watches and sees everything."
        everything, _ = watcher(host, secret, promised=True)
        for seen in (ann.view(), Phone(host).view("tv"), everything.view("watch")):
            assert seen["watchers"] == "2 people watch and see everything."
        assert one.send("GET", "/afterwards") == (403, {"error": "the game is not over"})
        assert len(everything.view("watch")["choices"]) == 4
        assert "choices" not in Phone(host).view("tv")

        for phone in (one, everything):  # nobody who watches plays, and nobody who plays watches
            assert phone.send("POST", "/join", {"code": host.code, "name": "Robot 1"})[0] == 409
            assert phone.send("GET", "/events/player")[0] == 403
            assert phone.send("GET", "/events/secrets")[0] == 403
            evening, token = next((n, t) for n, t in phone.cookies.items() if n.endswith("-watch"))
            phone.cookies[evening.replace("-watch", "-master")] = token
            phone.cookies[evening.replace("-watch", "")] = token
            assert phone.send("GET", "/events/secrets")[0] == 403
            assert phone.send("GET", "/events/player")[0] == 403
            assert phone.send("POST", "/master/free", {"player": "Ann"})[0] == 403
        assert ann.send("POST", "/watch/enter", {"code": secret, "promised": True})[0] == 409

        host.kill()
        host.start()  # from its log
        host.wait()
        assert one.view("watch")["master_table"] == everything.view("watch")["master_table"]

        boss = master(host)  # revoked: the device and the link
        assert boss.send("POST", "/master/watchers", {"allowed": False})[0] == 200
        assert everything.send("GET", "/events/watch")[0] == 403
        assert watcher(host, secret, promised=True)[1][0] == 403
        assert watcher(host, "", promised=True)[1][0] == 403
        assert "watchers" not in ann.view()
        assert boss.view("master")["watching"] == ""
        assert ann.send("POST", "/master/watchers", {"allowed": True})[0] == 403
        assert boss.send("POST", "/master/watchers", {"allowed": True})[0] == 200
        assert watcher(host, boss.view("master")["watching"], promised=True)[1][0] == 200


def test_hints_are_for_who_asks(tmp_path):
    with hosted(tmp_path / "g", "--rules", "gekka", "--wolves", "1", "--seed", "5") as host:
        ann = Phone(host)
        ann.join("Ann")
        assert ann.send("GET", "/hint/vision")[0] == 400  # not yet
        ann.send("POST", "/robots", {"number": 3})
        ann.send("POST", "/begin", {})
        assert "Nothing" in ann.send("GET", "/hint/vision")[1]["hint"]
        assert ann.send("GET", f"/hint/{'x' * 3000}")[0] == 400
        assert ann.send("GET", "/hint/nonsense")[1] == ann.send("GET", "/hint/attack")[1]
        assert Phone(host).send("GET", "/hint/vision")[0] == 403


def test_codes_to_watch():
    seats = Seats(evening="e", code="ABCDEF")
    for code in ("", None, 3, seats.code):
        with pytest.raises(GameError, match="not the code"):
            seats.watch(code, promised=True)
    closed = seats.admitting(allowed=False)
    with pytest.raises(GameError, match="not the code"):
        closed.watch("", promised=True)
    with pytest.raises(GameError, match="promise"):
        seats.watch(seats.watching, promised=False)
    after, token = seats.watch(seats.watching, promised=True)
    assert not after.device(token).is_master
    for _ in range(19):
        after, _ = after.watch(after.watching, promised=True)
    with pytest.raises(GameError, match="at most 20 can watch"):
        after.watch(after.watching, promised=True)
    assert after.join_master()[0].watchers == after.watchers
    assert Seats.from_dict(json.loads(json.dumps(after.to_dict()))) == after


def test_robots_before_the_game():
    seats = Seats(evening="e", code="ABCDEF").with_robots(3)
    seats, _ = seats.join("Ann")
    assert seats.players == ("Ann", "Robot 1", "Robot 2", "Robot 3")
    assert seats.with_robots(1).players == ("Ann", "Robot 1")
    assert seats.without("Robot 2").robots == ("Robot 1", "Robot 3")
    taken, _ = seats.join("Robot 2")
    assert taken.robots == ("Robot 1", "Robot 3")
    for number in (-1, 31):
        with pytest.raises(GameError, match="robots cannot play"):
            seats.with_robots(number)


@needs_browser
def test_explanations_are_put_away_and_people_watch_in_a_browser(tmp_path):
    settings = ("--rules", "gekka", "--wolves", "1", "--seed", "5")
    with browsing() as browser, hosted(tmp_path / "g", *settings) as host, ExitStack() as stack:
        ann, eve, tv = (stack.enter_context(window(browser, width=PHONE)) for _ in range(3))
        ann.goto(f"{host.address}#{host.code}")
        ann.fill("#name", "Ann")
        ann.click("button.primary")
        for number in range(1, 4):
            ann.click('[data-key="more"]')
            ann.wait_for_function(
                "n => document.querySelectorAll('ol.people li').length === n + 1", arg=number
            )
        ann.get_by_role("button", name="begin").click()
        ann.wait_for_selector(".ask")
        assert "In the worlds where you are the seer" in ann.inner_text(".guide")
        ann.click(".guide summary")
        ann.wait_for_function("() => localStorage.getItem('kw-guide') === 'false'")  # kept a moment later
        ann.reload()
        ann.wait_for_selector(".ask")
        assert "In the worlds" not in ann.inner_text(".guide")  # put away for good
        ann.click('[data-key^="hint"]')
        ann.wait_for_function("() => document.querySelector('.ask').textContent.includes('Nothing that you')")

        tv.goto(f"{host.address}tv")
        tv.wait_for_selector(".people")
        eve.goto(f"{host.address}watch#{code_of(host)}")
        eve.check("#promise")
        eve.dblclick("button.primary")
        eve.wait_for_selector("table")
        assert "look at" in eve.inner_text("main")
        assert "#" not in eve.url  # nobody reads the code there
        for page in (ann, eve, tv):
            page.wait_for_function("() => document.body.textContent.includes('1 person watches and sees')")
            assert "Practice" in page.inner_text("footer")
        ann.locator(".ask .name").nth(1).dblclick()
        ann.click(".confirm button")
        ann.wait_for_selector(".changed")
        assert "What night 1 changed for you: if you are the seer" in ann.inner_text(".changed")
        master(host).send("POST", "/master/watchers", {"allowed": False})
        eve.wait_for_selector("#promise")
        assert "look at" not in eve.inner_text("main")
        for page in (ann, eve, tv):
            assert errors(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.goto("about:blank")
