"""An evening of three games with eight phones in a browser, in four languages, and a TV.

One phone joins late, one sleeps, one is closed and opened again, and the host is killed in between. Nothing
waits for time: a page taps until it shows the next moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from kripke_werewolf.base.wording import LANGUAGES, page_words
from kripke_werewolf.games.werewolf import replay
from kripke_werewolf.play.tabletop.night import read_night
from tests.browser import PHONE, errors, needs_browser, window
from tests.play.host.hosting import NAMES, Host, hosted, join

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_browser, pytest.mark.slow]

TAPPING = """before => {
    for (const ask of document.querySelectorAll(".ask")) {
        const names = ask.querySelectorAll(".name"), confirm = ask.querySelector("button.primary");
        if (!names.length) continue;
        names[Math.floor(names.length * Math.random())].click();
        confirm.click();
    }
    const phase = document.querySelector("header .phase")?.textContent.trim() ?? before;
    return phase !== before;
}"""
"""Answer whatever is asked; whether another phase than before is shown."""
READY = """() => {
    const asked = [...document.querySelectorAll(".ask")].every((ask) => ask.querySelector(".answer"));
    return asked && !document.querySelector("footer").textContent.includes("…");
}"""
"""Whether every question is answered, and nothing is on its way."""


class Table:
    """Phones by name, and a TV, at a host."""

    def __init__(self, host: Host, phones: Mapping[str, Page], tv: Page, shots: Path) -> None:
        self.host, self.phones, self.tv, self.shots = host, dict(phones), tv, shots
        self.languages = dict(zip(phones, LANGUAGES * 2, strict=True))
        shots.mkdir()

    def join(self, name: str) -> None:
        """Let a phone join in its language."""
        self.speak(name)
        join(self.phones[name], self.host, name)

    def speak(self, name: str) -> None:
        cookie = {"name": "kw-language", "value": self.languages[name], "url": self.host.address}
        self.phones[name].context.add_cookies([cookie])  # type: ignore[list-item]

    def shown(self, what: str, *names: str) -> None:
        """Take pictures of the TV and of some phones."""
        for name in names:
            self.phones[name].screenshot(path=self.shots / f"{what}-{name}-{self.languages[name]}.png")
        self.tv.screenshot(path=self.shots / f"{what}-tv.png")
        for page in (self.tv, *map(self.phones.get, names)):
            assert page is not None
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def phase(self, name: str) -> str:
        found: str = self.phones[name].evaluate("document.querySelector('header .phase').textContent.trim()")
        return found

    def play(self, names: list[str], *, left_out: str = "") -> None:
        """Let everybody answer until the next phase is shown on every phone; who is left out answers last."""
        before = {name: self.phase(name) for name in names}
        for name in sorted(names, key=lambda name: name == left_out):
            page = self.phones[name]
            page.wait_for_function(f"before => ({TAPPING})(before) || ({READY})()", arg=before[name])
        for name in names:
            self.phones[name].wait_for_function(TAPPING, arg=before[name])

    def over(self) -> bool:
        """Whether the game is over, by the TV."""
        return bool(self.tv.locator("main.over").count())


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as stack:
        settings = ("--rules", "straat", "--wolves", "2", "--seed", "8")
        host = stack.enter_context(hosted(tmp_path / "g", *settings))
        tv = stack.enter_context(window(browser, width=1280, height=720))
        phones = {name: stack.enter_context(window(browser, width=PHONE)) for name in NAMES}
        found = Table(host, phones, tv, tmp_path / "shots")
        yield found
        for page in (tv, *found.phones.values()):
            page.goto("about:blank")  # before the host is gone


def words(language: str, name: str) -> Any:
    return page_words(language, "page-")[name]


def table_of_the_end(page: Page) -> tuple[bool, bool]:
    """Whether who was what is on the screen from side to side, and from top to bottom."""
    wide, high = page.evaluate(
        """() => {
            const part = document.querySelector(".texts"), box = part.getBoundingClientRect();
            return [part.scrollWidth <= part.clientWidth + 1, box.top >= 0 && box.bottom <= innerHeight + 1];
        }"""
    )
    return wide, high


def test_three_games_in_a_row(table: Table) -> None:
    host, phones, tv = table.host, table.phones, table.tv
    *first, late = NAMES
    leader = first[0]
    tv.goto(f"{host.address}tv#{host.code}")
    tv.wait_for_selector(".qr svg")
    for name in first:
        table.join(name)
    phones[leader].wait_for_function("n => document.querySelectorAll('ol.people li').length === n", arg=7)
    phones[leader].wait_for_selector("td:has-text('28.6%')")  # two wolves of seven cards
    table.shown("1-lobby", leader, "Bo")
    for number, rules in enumerate(("straat", "cisra", "one-night"), 1):
        playing = list(first) if number == 1 else list(NAMES)
        if number > 1:
            phones[leader].get_by_role("button", name="same seats").click()
            phones[leader].wait_for_selector(".choices select")
            phones[leader].select_option(".choices select >> nth=0", rules)
            phones[leader].wait_for_selector(f"text=Rules: {rules}")
            phones[late].wait_for_function(
                "n => document.querySelectorAll('ol.people li').length === n", arg=8
            )
            table.shown(f"{number}-lobby", leader, late)
        phones[leader].get_by_role("button", name="begin").click()
        for name in playing:
            phones[name].wait_for_selector(".ask")
        table.shown(f"{number}-night", leader, "Bo", "Cy")
        if number == 1:
            table.speak(late)
            phones[late].goto(f"{host.address}#{host.code}")
            phones[late].fill("#name", late)
            phones[late].click("button.primary")
            phones[late].wait_for_selector(f"text={words(table.languages[late], 'waits')}")
            asleep = phones["Bo"].context.new_cdp_session(phones["Bo"])
            asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
            others = [name for name in playing if name != "Bo"]
            for name in others:
                phones[name].wait_for_function(f"() => ({TAPPING})('') && ({READY})()")
            host.kill()
            phones["Cy"].wait_for_selector(".cut")
            host.start()
            asleep.send("Page.setWebLifecycleState", {"state": "active"})
            for page in (tv, *phones.values()):
                page.wait_for_selector(".cut", state="detached")
        if number == 2:
            context = phones["Di"].context
            phones["Di"].close()  # and opened again: the cookie gives the seat back
            phones["Di"] = context.new_page()
            phones["Di"].goto(host.address)
            phones["Di"].wait_for_selector(".ask")
        rounds = 0
        while not table.over():
            rounds += 1
            assert rounds < 40
            table.play(playing, left_out="Cy" if rounds == 2 else "")
            if rounds == 1:
                table.shown(f"{number}-day", leader, "Bo", "Cy")
        for name in playing:
            phones[name].wait_for_selector(".big")
        tv.wait_for_selector("main.over .texts")
        table.shown(f"{number}-end", leader, "Bo", "Cy", "Di")
        assert table_of_the_end(tv) == (True, True)
        for name in ("Cy", "Bo", "Di", leader):
            assert table_of_the_end(phones[name])[0], name
        log = host.folder / f"game-{number}.jsonl"
        won = read_night(log).night.winners if rules == "one-night" else replay(log).results
        headline = tv.inner_text("h1")
        assert all(name in headline for name in won if rules == "one-night" or replay(log).results[name])
    score = phones[leader].locator("table", has_text="This evening so far")
    assert score.locator("tbody tr").count() == 8
    assert {row.split("\t")[2] for row in score.locator("tbody tr").all_inner_texts()} == {"2", "3"}
    pages = [tv, *(page for name, page in phones.items() if name != "Di")]
    said = [text for page in pages for text in errors(page)]
    assert not [text for text in said if "net::" not in text and "Failed to" not in text]
