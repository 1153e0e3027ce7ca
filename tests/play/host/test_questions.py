"""Questions on phones: the words that are offered, the answer, and who gets none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from kripke_werewolf import replay
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.sentence_parser import completions
from tests.browser import PHONE, errors, needs_browser, window
from tests.play.host.hosting import NAMES, Host, Phone, hosted, join
from tests.play.host.test_host import joined

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OPEN = '[data-key="sum-ask"]'
LINE, WORDS = '[data-key="question"]', ".said button"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path / "g", "--rules", "cisra", "--wolves", "1", "--seed", "5") as found:
        yield found


def test_a_phone_hears_what_its_handout_says(host: Host) -> None:
    phones = joined(host, NAMES[:4])
    bo = phones["Bo"]
    assert bo.send("POST", "/ask", {"question": "Am I a wolf?"})[0] == 400  # nothing has begun
    assert phones["Ann"].send("POST", "/begin", {})[0] == 200
    look = {"do": "choose", "action": "vision", "target": "Ann"}
    assert bo.submit(look, bo.view()["moment"])[1]["accepted"]
    handout = replay(host.log).handout("Bo")
    for question in ("Am I a wolf?", "How likely is Ann to be evil?", "Who could be the seer?"):
        status, reply = bo.send("POST", "/ask", {"question": question})
        assert status == 200
        assert reply["answer"].startswith(f"{handout.ask(question)} (read as ")
    for begun in ("", "Does ", "Does Bo know that Ann ", "Why "):
        words = bo.send("POST", "/ask", {"begun": begun})[1]["words"]
        assert words == [*completions(begun, vocabulary(handout.setup.public))]
    assert "trust" in bo.send("POST", "/ask", {"question": "Does Ann trust me?"})[1]["error"]
    for wrong in ({}, {"question": 3}, {"question": "x" * 301}, {"begun": None}):
        assert bo.send("POST", "/ask", wrong)[0] == 400
    assert Phone(host).send("POST", "/ask", {"question": "Is Bo a wolf?"})[0] == 403


def typed(page: Page, text: str) -> None:
    """Wait until this is typed."""
    page.wait_for_function("([line, text]) => document.querySelector(line).value === text", arg=[LINE, text])


@needs_browser
def test_a_question_is_tapped(host: Host, browser: Browser) -> None:
    with window(browser, width=PHONE) as page:
        join(page, host, "Ann")
        joined(host, NAMES[1:4])
        page.get_by_role("button", name="begin").click()
        page.click(OPEN)
        for word in ("Could", "Bo", "be", "a", "wolf"):
            page.locator(WORDS).get_by_text(word, exact=True).click()
        typed(page, "Could Bo be a wolf ")
        page.press(LINE, "Enter")
        page.wait_for_selector(".folded .answer >> text=yes (read as M_Ann wolf_Bo)")
        foot = page.locator("footer").bounding_box()
        said = page.locator("#said").bounding_box()
        assert said["y"] + said["height"] <= foot["y"] + 1  # it comes into sight
        page.fill(LINE, "Is it pos")  # what is typed of a word chooses among the words
        page.wait_for_function(f"() => document.querySelectorAll('{WORDS}').length === 2")
        page.locator(WORDS).first.click()
        typed(page, "Is it possible ")
        page.wait_for_selector(f"{WORDS} >> text=that")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE
        assert errors(page) == []
        page.goto("about:blank")
