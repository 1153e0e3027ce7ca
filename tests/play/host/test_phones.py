"""Phones and a screen in a browser: whole nights and days, and everything that happens to phones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from kripke_werewolf.games.werewolf import PRESETS, read_log, rule_sheet
from kripke_werewolf.games.werewolf.setup import Deal
from tests.browser import PHONE, errors, needs_browser, window
from tests.play.host.hosting import NAMES, Phone, hosted, join
from tests.play.host.test_host import joined, play
from tests.play.host.walks import Walk

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = needs_browser


@pytest.fixture(scope="module")
def table(browser: Browser) -> Iterator[tuple[dict[str, Page], Page]]:
    """Four phones and a screen, for one host after another."""
    with ExitStack() as stack:
        screen = stack.enter_context(window(browser, width=1920, height=1080))
        yield {name: stack.enter_context(window(browser, width=PHONE)) for name in NAMES[:4]}, screen


@pytest.fixture
def phones(table: tuple[dict[str, Page], Page]) -> dict[str, Page]:
    return table[0]


@pytest.fixture
def ann(phones: dict[str, Page]) -> Page:
    return phones["Ann"]


@contextmanager
def left(*pages: Page) -> Iterator[None]:
    """Leave the pages at the end, before their host is gone: they would say that it is."""
    try:
        yield
    finally:
        for page in pages:
            page.goto("about:blank")
            page.emulate_media(color_scheme="light")
            page.context.clear_cookies()
            errors(page).clear()


def phase(page: Page, text: str) -> None:
    page.wait_for_function("text => document.querySelector('header')?.textContent.includes(text)", arg=text)


def answer(page: Page) -> int:
    """Answer every question with the first name, and return the number of taps.

    Once confirmed, a question is answered: it does not come back while the host has not shown it yet.
    """
    asked = page.locator(".ask").count()
    for number in range(asked):
        ask = page.locator(".ask").nth(number)
        ask.locator(".name").first.click()
        ask.locator("button.primary").click()
    return 2 * asked


def in_sight(page: Page, selector: str) -> bool:
    """Whether the first of some elements is on the screen, without scrolling."""
    return bool(
        page.evaluate(
            """selector => {
                const box = document.querySelector(selector).getBoundingClientRect();
                return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
            }""",
            selector,
        )
    )


def test_a_night_and_a_day_on_phones(table: tuple[dict[str, Page], Page], tmp_path: Path) -> None:
    phones, screen = table
    settings = ("--rules", "cisra", "--wolves", "2", "--seed", "5")
    with hosted(tmp_path / "g", *settings) as host, left(*phones.values(), screen):
        screen.goto(f"{host.address}tv#{host.code}")
        screen.wait_for_selector(".qr svg")
        for name, page in phones.items():
            join(page, host, name)
        others = joined(host, NAMES[4:])
        phones["Ann"].get_by_role("button", name="begin").click()
        for page in (*phones.values(), screen):
            phase(page, "night")
        assert all(in_sight(page, ".ask button.primary") for page in phones.values())
        taps = {answer(page) for page in phones.values()}
        assert len(taps) == 1
        list(play(others, random.Random(5), rounds=1))
        for page in (*phones.values(), screen):
            phase(page, "day")
        for page in phones.values():
            if page.locator(".ask .name").count():  # the dead have no vote
                assert in_sight(page, ".ask button.primary")
                answer(page)
        list(play(others, random.Random(5), rounds=1))
        for page in (*phones.values(), screen):
            phase(page, "night")
        assert "Votes:" in screen.inner_text("main")
        for page in (*phones.values(), screen):
            assert errors(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_reload_two_tabs_offline_sleep_and_a_host_that_dies(phones: dict[str, Page], tmp_path: Path) -> None:
    settings = ("--rules", "gekka", "--wolves", "1", "--seed", "5")
    with hosted(tmp_path / "g", *settings) as host, left(*phones.values()):
        for name, page in phones.items():
            join(page, host, name)
        ann, bo, cy, di = phones.values()
        ann.get_by_role("button", name="begin").click()
        for page in phones.values():
            phase(page, "night")

        tab = ann.context.new_page()  # another tab is the same player
        tab.goto(host.address)
        phase(tab, "night")
        answer(ann)
        tab.wait_for_selector(".ask .answer")
        ann.reload()
        ann.wait_for_selector(".ask .answer")
        tab.close()

        bo.context.set_offline(True)  # what is tapped now is sent later
        bo.wait_for_selector(".cut")
        answer(bo)
        bo.wait_for_function("() => document.querySelector('footer').textContent.includes('Sending')")
        bo.context.set_offline(False)
        bo.wait_for_selector(".cut", state="detached")
        phase(cy, "night")
        cy.wait_for_function("() => document.querySelector('footer').textContent.includes('2 players')")

        asleep = di.context.new_cdp_session(di)
        asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
        host.kill()
        cy.wait_for_selector(".cut")
        answer(cy)
        host.start()
        cy.wait_for_selector(".cut", state="detached")
        asleep.send("Page.setWebLifecycleState", {"state": "active"})
        di.wait_for_function("() => document.querySelector('footer').textContent.includes('1 player ')")
        answer(di)
        for page in phones.values():
            phase(page, "day")


def test_an_answer_stays_and_a_tap_is_not_lost(phones: dict[str, Page], tmp_path: Path) -> None:
    """The host answers a tap before it sends the view: the question must not come back in between."""
    ann, bo, cy = (phones[name] for name in NAMES[:3])
    with hosted(tmp_path / "g", "--rules", "gekka", "--wolves", "1") as host, left(ann, bo, cy):
        for page, name in zip((ann, bo, cy), NAMES, strict=False):
            join(page, host, name)
        ann.get_by_role("button", name="begin").click()
        for page in (ann, bo, cy):
            phase(page, "night")
        ann.evaluate(
            """() => {
                window.seen = [];
                const look = () => window.seen.push(Boolean(document.querySelector(".ask .names")));
                new MutationObserver(look).observe(document.querySelector("main"), { childList: true });
            }"""
        )
        answer(ann)
        ann.wait_for_function("() => document.querySelector('footer').textContent.includes('2 players')")
        drawn = ann.evaluate("window.seen")
        assert drawn[-1] is False
        assert drawn == sorted(drawn, reverse=True)  # once gone, it is gone
        place = bo.locator(".name").first.bounding_box()
        assert place is not None
        bo.mouse.move(place["x"] + 5, place["y"] + 5)
        bo.mouse.down()
        answer(cy)  # Bo's page has something new to show while his finger is down
        ann.wait_for_function("() => document.querySelector('footer').textContent.includes('1 player ')")
        bo.mouse.up()
        bo.wait_for_selector(".name[aria-checked=true]")
        bo.wait_for_function("() => document.querySelector('footer').textContent.includes('1 player ')")


def test_the_rules_fit_one_page_of_paper(ann: Page, tmp_path: Path) -> None:
    for rules in PRESETS.values():
        for deal in get_args(Deal):
            file = tmp_path / f"{rules.name}-{deal}.html"
            file.write_text(rule_sheet(rules, deal=deal).to_page(), encoding="utf-8")
            ann.goto(file.as_uri())
            assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
            printed = ann.pdf(format="A4")
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


def test_every_button_pressed_twice_does_what_it_does_once(ann: Page, tmp_path: Path) -> None:
    """By a double click, and by two clicks before the page is drawn anew."""
    with hosted(tmp_path / "g", "--rules", "cisra", "--wolves", "1", "--seed", "5") as host:
        page = ann
        with left(page):
            join(page, host, "Ann")
            others = joined(host, NAMES[1:5]).values()
            page.get_by_role("button", name="begin").dblclick()
            phase(page, "night")
            sent: list[str | None] = []
            page.on("request", lambda r: r.url.endswith("/submit") and sent.append(r.post_data))
            twice = "button => { button.click(); button.click(); }"
            for kind in ("night", "day"):
                phase(page, kind)
                for name, press in (
                    ("Cy", lambda button: button.dblclick()),
                    ("Di", lambda button: button.evaluate(twice)),
                    ("Bo", lambda button: button.tap()),
                ):
                    sent.clear()
                    press(page.locator(".ask .name", has_text=name).first)
                    press(page.locator(".ask button.primary").first)
                    page.locator(".ask .answer", has_text=f"Your answer: {name}").wait_for()
                    page.wait_for_function(
                        "() => !document.querySelector('footer').textContent.includes('Sending')"
                    )
                    assert len(sent) == 1
                    assert f'"target":"{name}"' in str(sent[0])
                    page.wait_for_selector(".ask .answer + p button:enabled")
                    if name != "Bo":
                        press(page.locator(".ask .answer + p button").first)
                        page.wait_for_selector(".ask .names")
                if kind == "night":
                    for phone in others:
                        view = phone.view()
                        for ask in view["ask"]:
                            target = next(t for t in ask["targets"] if t != "Ann")
                            phone.submit(
                                {"do": "choose", "action": ask["action"], "target": target}, view["moment"]
                            )
            assert errors(page) == []
        votes = read_log(host.log).flow["votes"]
        assert votes == [["Ann", "Bo"]]


def test_the_story_is_on_phones_and_screen_when_the_game_ends(
    table: tuple[dict[str, Page], Page], tmp_path: Path
) -> None:
    settings, rng = ("--rules", "gekka", "--wolves", "1", "--seed", "3"), random.Random(3)
    page, screen = table[0]["Ann"], table[1]
    with hosted(tmp_path / "g", *settings) as host, left(page, screen):
        screen.goto(f"{host.address}tv#{host.code}")
        page.emulate_media(color_scheme="dark")
        join(page, host, "Ann")
        phones = {"Ann": Phone(host), **joined(host, NAMES[1:3])}
        phones["Ann"].cookies = {c["name"]: c["value"] for c in page.context.cookies()}  # type: ignore[typeddict-item]
        page.get_by_role("button", name="begin").click()
        phase(page, "night")
        while phones["Ann"].view()["kind"] != "over":
            list(play(phones, rng, rounds=1))
        for shown in (page, screen):
            shown.wait_for_selector(".afterwards h3")
            assert "The deaths" in shown.inner_text(".afterwards")
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert errors(shown) == []
        page.locator("summary", has_text="Who could have known what").click()
        page.wait_for_selector(".afterwards select")
        page.goto(f"{host.address}story")
        assert "The story of a game" in page.inner_text("h1")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 25, 29)"


def test_a_pair_is_chosen_by_two_names(ann: Page, tmp_path: Path) -> None:
    page = ann
    args = ("--rules", "cisra", "--cards", "cupid=1", "--wolves", "1")
    with hosted(tmp_path / "g", *args) as host, left(page):
        join(page, host, "Ann")
        joined(host, NAMES[1:4])
        page.click("button.primary")
        confirm = page.locator(".ask button.primary")
        for name, ready in (("Cy", False), ("Ann", True), ("Ann", False), ("Bo", True), ("Di", True)):
            page.click(f"[data-key='link {name}']")
            page.wait_for_function(
                "ready => document.querySelector('.ask button.primary').disabled !== ready", arg=ready
            )
        confirm.click()
        page.wait_for_selector(".answer")
        assert "Bo and Di" in page.inner_text(".answer")


def test_phones_show_what_the_log_says(phones: dict[str, Page], tmp_path: Path) -> None:
    """Random evenings: whatever happens to phones."""
    for rules in ("cisra", "straat"):
        rng, settings = random.Random(rules), ("--rules", rules, "--wolves", "1", "--seed", "4")
        with hosted(tmp_path / rules, *settings) as host, left(*phones.values()):
            walk = Walk(host, phones, rng)
            for _ in range(3):
                moves = [walk.tap, walk.tap, walk.reload, walk.cut, walk.deaf, walk.sleep, walk.kill]
                for move in rng.sample(moves, 5):
                    move(rng.choice(NAMES[:4]))
                if walk.settled():
                    break
                for name in phones:
                    walk.tap(name)
            assert len(walk.acknowledged) > 4
            for page in phones.values():
                page.goto("about:blank")
                assert not [said for said in errors(page) if "net::" not in said and "Failed to" not in said]


CHOOSE_AND_BEGIN = """(rules) => {
  const list = document.querySelector(".choices select");
  list.value = rules;
  list.dispatchEvent(new Event("change", { bubbles: true }));
  document.querySelectorAll("button.primary")[0].click();
}"""
"""Choose rules, and begin before the host has answered to the choice."""


def test_a_second_game_with_other_rules_on_phones(
    table: tuple[dict[str, Page], Page], tmp_path: Path
) -> None:
    """Who has won is said first; the first player opens the next lobby; who came late plays along."""
    settings, rng = ("--rules", "gekka", "--wolves", "1", "--seed", "3"), random.Random(3)
    (ann, late), screen = (table[0]["Ann"], table[0]["Bo"]), table[1]
    with hosted(tmp_path / "g", *settings) as host, left(ann, late, screen):
        screen.goto(f"{host.address}tv#{host.code}")
        join(ann, host, "Ann")
        phones = {"Ann": Phone(host), **joined(host, NAMES[1:3])}
        phones["Ann"].cookies = {c["name"]: c["value"] for c in ann.context.cookies()}  # type: ignore[typeddict-item]
        ann.get_by_role("button", name="begin").click()
        phase(ann, "night")
        late.goto(f"{host.address}#{host.code}")
        late.fill("#name", "Zoe")
        late.click("button.primary")
        late.wait_for_selector("text=You will play in the next one")
        while phones["Ann"].view()["kind"] != "over":
            list(play(phones, rng, rounds=1))
        ann.wait_for_selector("text=This evening so far")
        for shown, headline in ((ann, ".big"), (screen, "h1")):
            shown.wait_for_function(
                "([at, text]) => document.querySelector(at)?.textContent.includes(text)",
                arg=[headline, "wins; winners"],
            )
            assert in_sight(shown, headline)
        ann.get_by_role("button", name="same seats").click()
        ann.wait_for_selector(".choices select")
        ann.select_option(".choices select >> nth=0", "cisra")
        ann.wait_for_selector("text=Rules: cisra")
        assert late.locator(".choices").count() == 0
        assert late.locator("ol.people li").all_inner_texts() == ["Ann", "Bo", "Cy", "Zoe"]
        ann.evaluate(CHOOSE_AND_BEGIN, "one-night")
        late.wait_for_selector(".ask")
        assert phones["Ann"].view()["phase"] == "the night"
        for shown in (ann, late, screen):
            assert errors(shown) == []
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (tmp_path / "g" / "game-1.jsonl").exists()
    assert (tmp_path / "g" / "game-2.jsonl").exists()
