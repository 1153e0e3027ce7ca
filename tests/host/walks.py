"""Random evenings on eight phones in a browser: `python -m tests.host.walks [--walks N] [--steps N]`.

Players tap, tap twice, change their answers, go back, reload, open a second tab; phones sleep, networks are
cut, fall silent, or lose the answers of the host; the host is killed; the game master undoes, pauses, frees
seats; others come late, or with a name that is taken. Then every phone that is awake has to show what a fresh
reader derives from the log, in its language, and nothing else.
"""

from __future__ import annotations

import json
import random
import re
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kripke_werewolf.tabletop import PHONES, Keeper
from kripke_werewolf.werewolf import LogFile
from kripke_werewolf.wording import LANGUAGES, in_language, page_words
from tests.browser import PHONE, browsing, window
from tests.host.hosting import NAMES, Phone, hosted
from tests.host.proxy import Proxy
from tests.tabletop.screens import contradictions, together
from tests.tabletop.walks import given_walks, undone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

READ = """() => {
    const text = (place) => document.querySelector(place)?.textContent.trim() ?? "";
    const body = document.body.cloneNode(true);
    body.querySelectorAll("script").forEach((part) => part.remove());
    return {
        name: text("header h1"), phase: text("header .phase"), status: text("footer .status"),
        cut: Boolean(document.querySelector(".cut")), refused: text("footer .wrong"), all: body.textContent,
        lines: [...document.querySelectorAll("main li")].map((part) => part.textContent),
        asks: [...document.querySelectorAll(".ask")].map((ask) => [
            ask.querySelector("h2").textContent, ask.querySelector(".answer")?.textContent ?? null,
            [...ask.querySelectorAll(".name")].map((part) => part.textContent)]),
    };
}"""
ADDRESSES = [f"127.0.1.{number}" for number in range(1, len(NAMES) + 1)]
REACHED = [part for address in ("127.0.0.1", *ADDRESSES) for part in ("--name", address)]
"""The names by which the phones reach the host, each through a network of its own."""
PATIENCE = 90.0
"""The seconds after which a phone must show what the log says."""


@dataclass
class Handset:
    """A player's phone: its page, its network, its language."""

    name: str
    page: Page
    proxy: Proxy
    language: str
    asleep: Any = None
    """The session that froze the page, while it sleeps."""
    answered: list[str] = field(default_factory=list)
    """The requests whose acknowledgement has reached the phone."""
    crashed: list[str] = field(default_factory=list)
    changing: bool = False

    @property
    def awake(self) -> bool:
        return self.asleep is None and self.proxy.line == "open"


@contextmanager
def handsets(browser: Browser) -> Iterator[list[tuple[Page, list[str], list[str]]]]:
    """Open eight phones, for one evening after another: their pages, what was acknowledged, their errors."""
    with ExitStack() as stack:
        found = []
        for _ in NAMES:
            page = stack.enter_context(window(browser, width=PHONE))
            found.append((page, *watched(page)))
        yield found


def watched(page: Page) -> tuple[list[str], list[str]]:
    """Collect the acknowledged requests and the errors of a page."""
    answered, crashed = list[str](), list[str]()
    page.on(
        "response",
        lambda r: (
            answered.append(r.request.post_data or "")
            if r.url.endswith("/submit") and r.status == 200
            else None
        ),
    )
    page.on("pageerror", lambda error: crashed.append(str(error)))
    return answered, crashed


class PhoneWalk:
    """An evening on phones that goes on at random; `wrong` lists what was found, by kind."""

    def __init__(
        self, folder: Path, seed: int, pages: list[tuple[Page, list[str], list[str]]], host: Any
    ) -> None:
        self.rng, self.host, self.folder = random.Random(f"phones {seed}"), host, folder
        self.wrong: list[tuple[str, str]] = []
        self.steps: Counter[str] = Counter()
        self.phones: list[Handset] = []
        self.master = Phone(host)
        languages = [*LANGUAGES, *LANGUAGES]
        for name, address, language, (page, answered, crashed) in zip(
            NAMES, ADDRESSES, languages, pages, strict=False
        ):
            answered.clear()
            crashed.clear()
            self.phones.append(
                Handset(name, page, Proxy(address, host.port), language, None, answered, crashed)
            )
        for phone in self.phones:
            self.join(phone, phone.page)
        self.taken(self.phones[0])
        assert self.master.send("POST", "/master/enter", {"key": host.key})[0] == 200
        self.phones[0].page.locator("button.primary").click()
        end = time.monotonic() + PATIENCE
        while not host.log.exists() or not host.log.stat().st_size:
            assert time.monotonic() < end, "the game does not begin"
            time.sleep(0.1)
        self.settled()

    def address(self, phone: Handset) -> str:
        return f"http://{phone.proxy.address}:{self.host.port}/"

    def join(self, phone: Handset, page: Page) -> None:
        """Join with a new device."""
        page.context.add_cookies(
            [{"name": "kw-language", "value": phone.language, "url": self.address(phone)}]
        )
        page.goto("about:blank")
        page.goto(f"{self.address(phone)}#{self.host.code}")
        phone.changing = False
        page.locator("#code, ol.people, .folded").first.wait_for()
        if not page.locator("#code").count():
            return  # this device has the seat
        if page.locator("#name").count():
            page.fill("#name", phone.name)
            page.click("button.primary")
        else:
            page.locator("button.name", has_text=re.compile(f"^{phone.name}$")).click()
        page.locator("ol.people, .folded").first.wait_for()

    def taken(self, phone: Handset) -> None:
        """Somebody else gives the name of a player, and is sent away."""
        reply = Phone(self.host).join(phone.name)
        if reply[0] != 409:
            self.note("name twice", f"{phone.name}: {reply}")

    def note(self, kind: str, text: str) -> None:
        self.wrong.append((kind, text))

    # what happens

    def step(self) -> None:
        """Let something happen; now and then everything has to come to rest."""
        moves = (
            [self.tap] * 8
            + [self.twice] * 2
            + [self.change] * 2
            + [self.tab, self.back, self.reload, self.reload]
        )
        moves += [
            self.cut,
            self.silent,
            self.deaf,
            self.sleep,
            self.heal,
            self.heal,
            self.kill,
            self.rule,
            self.rule,
        ]
        moves += [self.late] + [self.everybody] * 5
        move = self.rng.choice(moves)
        self.steps[move.__name__] += 1
        phone = self.rng.choice(self.phones)
        if (
            move in (self.tap, self.twice, self.change, self.tab, self.back, self.reload, self.rule)
            and phone.asleep
        ):
            move = self.heal
        from playwright.sync_api import Error

        try:
            move(phone)
        except (
            Error
        ):  # a page has changed under a finger, or this machine is too busy: the page is loaded anew
            self.steps["interrupted"] += 1
            self.heal(phone)
            self.join(phone, phone.page)
        if self.rng.random() < 0.5:
            self.settled()

    def tap(self, phone: Handset) -> None:
        """Choose a name and confirm it, for every open question, without waiting for anything."""
        self.answer(phone.page, lambda button: button.tap(timeout=10000))

    def twice(self, phone: Handset) -> None:
        """The same with every button pressed twice."""
        press = self.rng.choice(["button => { button.click(); button.click(); }", ""])
        self.answer(
            phone.page, lambda b: b.evaluate(press, timeout=10000) if press else b.dblclick(timeout=10000)
        )

    def answer(self, page: Page, press: Any) -> None:
        for number in range(page.locator(".ask").count()):
            ask = page.locator(".ask").nth(number)
            names = ask.locator(".name")
            if how_many := names.count():
                press(names.nth(self.rng.randrange(how_many)))
                press(ask.locator("button.primary"))

    def change(self, phone: Handset) -> None:
        """Change an answer."""
        again = phone.page.locator(".ask .answer + p button:enabled")
        if again.count():
            phone.changing = True  # until a new answer is confirmed, or the page is loaded again
            again.first.tap(timeout=10000)
            self.tap(phone)

    def tab(self, phone: Handset) -> None:
        """Answer in a second tab of the same phone, and leave it open for a moment."""
        if phone.proxy.line != "open":
            return
        page = phone.page.context.new_page()
        answered, crashed = watched(page)
        page.goto(self.address(phone), timeout=30000)
        page.locator(".folded").first.wait_for(timeout=30000)
        self.answer(page, lambda button: button.tap(timeout=10000))
        self.answer(phone.page, lambda button: button.tap(timeout=10000))
        end = time.monotonic() + PATIENCE
        while page.evaluate("() => Object.keys(localStorage).length") and time.monotonic() < end:
            time.sleep(0.1)
        page.close()
        phone.answered.extend(answered)
        phone.crashed.extend(crashed)

    def back(self, phone: Handset) -> None:
        """Leave the page, and come back to it."""
        if phone.proxy.line == "open":
            phone.page.goto(f"{self.address(phone)}rules", timeout=30000)
            phone.page.go_back(timeout=30000)
            phone.page.locator(".folded").first.wait_for(timeout=30000)

    def reload(self, phone: Handset) -> None:
        """Load the page again."""
        if phone.proxy.line == "open":
            phone.page.reload(timeout=30000)
            phone.page.locator(".folded").first.wait_for(timeout=30000)

    def cut(self, phone: Handset) -> None:
        """The network is lost: the stream ends as well. Then something is tapped."""
        phone.proxy.set("cut")
        if not phone.asleep:
            self.tap(phone)

    def silent(self, phone: Handset) -> None:
        """Nothing passes any more, and nobody is told."""
        phone.proxy.set("silent")
        if not phone.asleep:
            self.tap(phone)

    def deaf(self, phone: Handset) -> None:
        """The host hears the phone, and its answers are lost."""
        phone.proxy.set("deaf")
        if not phone.asleep:
            self.tap(phone)
            time.sleep(0.2)

    def sleep(self, phone: Handset) -> None:
        """The phone sleeps."""
        if phone.asleep is None:
            phone.asleep = phone.page.context.new_cdp_session(phone.page)
            phone.asleep.send("Page.setWebLifecycleState", {"state": "frozen"})

    def heal(self, phone: Handset) -> None:
        """Every phone wakes up, and has its network again."""
        for one in self.phones:
            if one.asleep is not None:
                one.asleep.send("Page.setWebLifecycleState", {"state": "active"})
                one.asleep.detach()
                one.asleep = None
            if one.proxy.line != "open":
                one.proxy.set("open")

    def kill(self, phone: Handset) -> None:
        """The host is killed while somebody taps, and started again."""
        if not phone.asleep:
            self.tap(phone)
        self.host.kill()
        if self.rng.random() < 0.5 and not phone.asleep:
            self.tap(phone)
        self.host.start(*REACHED)
        self.host.wait()
        self.master = Phone(self.host)
        assert self.master.send("POST", "/master/enter", {"key": self.host.key})[0] == 200

    def rule(self, phone: Handset) -> None:
        """The game master."""
        rng = self.rng
        view = self.master.view("master")
        command = rng.choice(
            [
                {"do": "undo"},
                {"do": "undo", "phase": True},
                {"do": "end"},
                {"do": "pause"},
                {"do": "away", "player": phone.name},
                {"do": "vote_off", "players": [rng.choice(view["alive"] or ["Ann"])]},
            ]
        )
        self.command(command, view["moment"])
        if command["do"] == "pause":
            time.sleep(0.2)
            self.command({"do": "pause", "paused": False}, view["moment"])
        if command["do"] == "away" and phone.name not in view["away"]:
            self.heal(phone)
            self.join(phone, phone.page)

    def command(self, command: dict[str, Any], moment: str) -> None:
        body = {"as": "master", "command": command, "moment": moment, "request": secrets.token_hex(6)}
        status, reply = self.master.send("POST", "/submit", body)
        assert status == 200, reply

    def late(self, phone: Handset) -> None:
        """A seat is freed; the phone joins again as a new device."""
        self.heal(phone)
        assert self.master.send("POST", "/master/free", {"player": phone.name})[0] == 200
        phone.page.locator("button.name").first.wait_for(timeout=30000)
        self.taken(self.rng.choice([one for one in self.phones if one is not phone]))
        self.join(phone, phone.page)

    def everybody(self, phone: Handset) -> None:
        """Everybody who is awake answers."""
        for one in self.rng.sample(self.phones, len(self.phones)):
            if not one.asleep:
                self.tap(one)

    # what must hold

    def truth(self) -> Keeper:
        """Return what a fresh reader finds in the log."""
        copy = self.folder / "copy.jsonl"
        copy.write_bytes(self.host.log.read_bytes())
        with LogFile.open(copy) as log:
            return Keeper(log, PHONES)

    def settled(self) -> None:
        """Wait until every phone that is awake shows what the log says; note what it shows otherwise."""
        for one in self.phones:
            if one.changing and one.awake:
                self.reload(one)
                one.changing = False
        end, found = time.monotonic() + PATIENCE, dict[str, list[str]]()
        while True:
            sent, keeper = self.sent(), self.truth()
            shown = {one.name: one.page.evaluate(READ) for one in self.phones if one.awake}
            views = {name: keeper.player_view(name) for name in NAMES}
            found = {}
            for one in self.phones:
                if one.awake and (
                    wrong := differences(
                        shown[one.name], in_language(views[one.name], one.language), one.language
                    )
                ):
                    found[one.name] = wrong
            if not found or time.monotonic() > end:
                break
            time.sleep(0.1)
        for name, wrong in found.items():
            self.note("another screen", f"{name}: {wrong[0]}")
        for name, view in [*views.items(), ("everybody", keeper.public_view())]:
            for text in contradictions(view):
                self.note("contradiction", f"{name}: {text}")
        for text in together(views, keeper.public_view()):
            self.note("contradiction", text)
        if keeper.game.verdict is None:
            told = [(m.to, m.text) for m in keeper.game.messages if m.to is not None]
            for one in self.phones:
                own = {text for to, text in told if to == one.name}
                for to, text in told:
                    if (
                        one.awake
                        and to != one.name
                        and text not in own
                        and in_language(text, one.language) in shown[one.name]["all"]
                    ):
                        self.note("seen by others", f"{one.name} reads of {to}: {text}")
        for one in self.phones:
            for text in one.crashed:
                self.note("page error", f"{one.name}: {text}")
        self.kept(keeper, sent)

    def kept(self, keeper: Keeper, sent: list[tuple[str, dict[str, Any]]]) -> None:
        """Whatever was acknowledged is in the log."""
        for name, content in sent:
            if (name, content["request"]) not in keeper.sitting.answered:
                self.note("lost", f"{name}: {content}")

    def sent(self) -> list[tuple[str, dict[str, Any]]]:
        return [(one.name, json.loads(text)) for one in self.phones for text in one.answered]

    def close(self) -> None:
        """Bring everything to rest, for the last time."""
        try:
            self.heal(self.phones[0])
            self.settled()
            self.finished()
        finally:
            for phone in self.phones:
                phone.proxy.close()
                phone.page.goto("about:blank")

    def finished(self) -> None:
        """Nothing waits to be sent any more, and what was acknowledged was done."""
        acknowledged = {(name, sent["request"]): sent for name, sent in self.sent()}
        sitting = self.truth().sitting
        for one in self.phones:
            if waiting := one.page.evaluate("() => Object.entries(localStorage)"):
                self.note("not sent", f"{one.name}: {waiting}")
        last: dict[str, dict[tuple[str, str], str | None]] = {}
        order = {key: number for number, key in enumerate(sitting.answered)}
        era = str(sitting.flow.era)
        for key in sorted(acknowledged.keys() & order.keys(), key=order.__getitem__):
            sent, command = acknowledged[key], acknowledged[key]["command"]
            if sitting.answered[key].answer.accepted and sent["moment"].partition(".")[0] == era:
                last.setdefault(sent["moment"], {})[key[0], command.get("action", "vote")] = command["target"]
        for moment, said in last.items():
            for text in undone(sitting, moment, said):
                self.note("lost", text)


def differences(shown: dict[str, Any], view: Any, language: str) -> list[str]:
    """Return what a phone shows otherwise than its view says."""
    words = page_words(language, "page-")
    wrong = []
    if shown["cut"]:
        wrong.append("it says that it is cut off")
    if shown["name"] != view["player"] or shown["phase"] != str(view["phase"]).strip():
        wrong.append(f"{shown['name']}, {shown['phase']}: it is {view['player']}, {view['phase']}")
    if view["kind"] != "over" and shown["status"] != waiting(view, words):
        wrong.append(f"{shown['status']!r}, not {waiting(view, words)!r}")
    if view["kind"] != "over" and shown["asks"] != asks(view, words):
        wrong.append(f"{shown['asks']}, not {asks(view, words)}")
    states = {
        name: "dead" if name in view["dead"] else "away" if name in view["away"] else ""
        for name in view["players"]
    }
    allowed = {f"{name} {words[state]}" if state else name for name, state in states.items()}
    allowed |= {
        *view["you"]["opening"],
        *(line for page in (*view["feed"], *view["sheet"]) for line in page["lines"]),
    }
    for voter, name in view.get("ballot", {}).get("votes", ()):
        allowed.add(words["voted-for"].replace("{voter}", voter).replace("{name}", name or words["nobody"]))
    wrong += [f"unknown line {line!r}" for line in shown["lines"] if line not in allowed]
    news = [line for page in view["feed"] for line in page["lines"]]
    wrong += [f"missing line {line!r}" for line in news if line not in shown["lines"]]
    return wrong


def waiting(view: Any, words: dict[str, Any]) -> str:
    if view["paused"]:
        return str(words["paused"])
    if not view["waiting"]:
        return ""
    forms = words["waiting-votes" if view["kind"] == "day" else "waiting-choices"]
    form = forms.get("one" if view["waiting"] == 1 else "other", forms["other"])
    return str(form).replace("{n}", str(view["waiting"]))


def asks(view: Any, words: dict[str, Any]) -> list[list[Any]]:
    """Return the questions that a page shows, with the answer or else the names."""

    def one(
        question: str, answered: bool, target: str | None, names: list[str], nobody: str | None
    ) -> list[Any]:
        told = words["answer"].replace("{name}", target or nobody or words["nobody"])
        return [question, told, []] if answered else [question, None, names + ([nobody] if nobody else [])]

    if view["kind"] == "over" or (not view["you"]["alive"] and not view.get("ask")):
        return []
    if view["kind"] == "day":
        vote, names = view.get("vote"), view["ballot"]["candidates"]
        return [
            one(words["vote"], vote["voted"], vote["target"], names, words["nobody"])
            if vote
            else [words["vote"], None, []]
        ]
    found = []
    for ask in view.get("ask", ()):
        labels = dict(zip(ask["targets"], ask.get("labels", ask["targets"]), strict=True))
        target = labels.get(ask["target"], ask["target"])
        nobody = words["decline"] if ask["may_decline"] else None
        pairs = ask.get("pairs", ())
        two = all(len(pair) == 2 for pair in pairs)  # two names are tapped
        names = list(dict.fromkeys(chain.from_iterable(pairs))) if pairs and two else list(labels.values())
        found.append(one(ask["question"], ask["answered"], target, names, nobody))
    return found


def walked(pages: Any, seed: int, steps: int) -> PhoneWalk:
    """Return an evening of some steps, or up to its first fault."""
    rng = random.Random(seed)
    folder = Path(tempfile.mkdtemp())
    settings = ["--rules", ("straat", "cisra", "gekka")[seed % 3], "--wolves", "1", "--seed", str(seed)]
    settings += [
        "--ballot",
        rng.choice(["open", "open", "secret"]),
        "--ties",
        rng.choice(["lot", "village", "nobody"]),
    ]
    settings += ["--deal", rng.choice(["quantum", "classical"])]
    decks = [[], ["hunter"], ["cupid"], *([["bodyguard"], ["witch"], ["fox"]] if seed % 3 else [])]
    for card in rng.choice(decks):
        settings += ["--cards", f"{card}=1"]
    with hosted(folder / "g.jsonl", *settings, *REACHED) as host:
        walk = PhoneWalk(folder, seed, pages, host)
        try:
            for _ in range(steps):
                walk.step()
                if walk.wrong:
                    break
        finally:
            walk.close()
    return walk


if __name__ == "__main__":
    given = given_walks(__doc__, walks=10, steps=15)
    kinds, steps = Counter[str](), Counter[str]()
    with browsing() as browser, handsets(browser) as pages:
        for number in range(given.seed, given.seed + given.walks):
            began = time.monotonic()
            found = walked(pages, number, given.steps)
            steps += found.steps
            kinds.update({kind for kind, _ in found.wrong[:1]})
            print(number, f"{time.monotonic() - began:.0f} s", dict(found.steps), found.wrong[:2], flush=True)
    print(f"{given.walks} walks from seed {given.seed}, {steps.total()} steps: {dict(steps)}")
    print(f"walks with a fault: {dict(kinds)}")
