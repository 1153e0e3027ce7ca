"""Random evenings on phones in a browser, which must show what the log says, whatever happens to them."""

from __future__ import annotations

import json
import random
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.wording import LANGUAGES, in_language, page_words
from kripke_werewolf.games.werewolf import LogFile
from kripke_werewolf.play.tabletop import PHONES, Keeper
from tests.play.host.hosting import NAMES, Host, join
from tests.play.tabletop.screens import contradictions, together

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

READ = """() => ({
    phase: document.querySelector("header .phase")?.textContent.trim() ?? "",
    cut: Boolean(document.querySelector(".cut")),
    asks: [...document.querySelectorAll(".ask")].map((ask) => [
        ask.querySelector("h2").textContent, ask.querySelector(".answer")?.textContent ?? null]),
    lines: [...document.querySelectorAll("main li")].map((part) => part.textContent),
})"""
CHOOSE = """number => document.querySelectorAll(".ask").forEach((ask) => {
    const names = ask.querySelectorAll(".name");
    if (names.length) names[number % names.length].click();
})"""
CONFIRM = "() => document.querySelectorAll('.ask button.primary').forEach((button) => button.click())"


class Walk:
    """Phones of a host, which sleep, lose their network or only its answers, and are loaded again."""

    def __init__(self, host: Host, pages: dict[str, Page], rng: random.Random) -> None:
        self.host, self.pages, self.rng = host, pages, rng
        self.languages = dict(zip(pages, LANGUAGES, strict=False))
        self.asleep: dict[str, Any] = {}
        self.offline = set[str]()
        self.acknowledged: list[tuple[str, str]] = []
        for name, page in pages.items():
            cookie = {"name": "kw-language", "value": self.languages[name], "url": host.address}
            page.context.add_cookies([cookie])  # type: ignore[list-item]
            page.on("response", lambda r, name=name: self.heard(name, r))  # type: ignore[misc]
            join(page, host, name)
        pages[NAMES[0]].click("button.primary")
        for page in pages.values():
            page.wait_for_selector(".ask")

    def heard(self, name: str, response: Any) -> None:
        """Remember what the host has acknowledged."""
        if response.url.endswith("/submit") and response.status == 200:
            self.acknowledged.append((name, json.loads(response.request.post_data)["request"]))

    def tap(self, name: str) -> None:
        """Answer every open question at random, without waiting for anything."""
        if name not in self.asleep:
            self.pages[name].evaluate(CHOOSE, self.rng.randrange(100))
            self.pages[name].evaluate(CONFIRM)

    def reload(self, name: str) -> None:
        if name not in self.asleep and name not in self.offline:
            self.pages[name].reload()

    def cut(self, name: str) -> None:
        """The network is lost, and then something is tapped."""
        self.offline.add(name)
        self.pages[name].context.set_offline(True)
        self.tap(name)

    def deaf(self, name: str) -> None:
        """The host hears the phone, and its answers are lost."""
        from playwright.sync_api import Error

        def lost(route: Route) -> None:
            for part in (route.fetch, route.abort):
                with suppress(Error):  # the host may be gone, or the network whole again
                    part()

        self.pages[name].route("**/submit", lost)
        self.tap(name)

    def sleep(self, name: str) -> None:
        if name not in self.asleep:
            self.asleep[name] = self.pages[name].context.new_cdp_session(self.pages[name])
            self.asleep[name].send("Page.setWebLifecycleState", {"state": "frozen"})

    def kill(self, name: str) -> None:
        """The host is killed while somebody taps, and started again."""
        self.tap(name)
        self.host.kill()
        self.host.start()
        self.host.wait()

    def heal(self) -> None:
        """Every phone wakes up, and has its network again."""
        for session in self.asleep.values():
            session.send("Page.setWebLifecycleState", {"state": "active"})
        self.asleep.clear()
        self.offline.clear()
        for page in self.pages.values():
            page.context.set_offline(False)
            page.unroute("**/submit")

    def settled(self) -> bool:
        """Check that every phone comes to show what the log says; return whether the game is over."""
        self.heal()
        end = time.monotonic() + 90
        while True:
            copy = self.host.log.with_name("copy.jsonl")
            copy.write_bytes(self.host.log.read_bytes())
            with LogFile.open(copy) as log:
                keeper = Keeper(log, PHONES)
            views = {name: keeper.player_view(name) for name in self.pages}
            found = {name: page.evaluate(READ) for name, page in self.pages.items()}
            wrong = [
                (name, found[name], shown)
                for name, language in self.languages.items()
                if not same(found[name], shown := in_language(views[name], language), language)
            ]
            if not wrong:
                break
            assert time.monotonic() < end, wrong
            time.sleep(0.1)
        for view in (*views.values(), keeper.public_view()):
            assert contradictions(view) == []
        assert together(views, keeper.public_view()) == []
        assert {*self.acknowledged} <= {*keeper.sitting.answered}
        return keeper.game.verdict is not None


def same(shown: dict[str, Any], view: Any, language: str) -> bool:
    """Whether a phone shows its view."""
    words, asked = page_words(language, "page-"), []

    def answer(asking: dict[str, Any], answered: bool, nobody: str) -> str | None:
        return words["answer"].replace("{name}", asking["target"] or nobody) if answered else None

    if view["kind"] == "day" and view["you"]["alive"]:
        asked = [[words["vote"], answer(view["vote"], view["vote"]["answered"], words["nobody"])]]
    elif view["kind"] == "night":
        asked = [
            [ask["question"], answer(ask, ask["answered"], words["decline"])] for ask in view.get("ask", ())
        ]
    news = {line for page in view["feed"] for line in page["lines"]}
    rest = (shown["phase"], shown["cut"], shown["asks"]) == (str(view["phase"]).strip(), False, asked)
    return rest and news <= {*shown["lines"]}
