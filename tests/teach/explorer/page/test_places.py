"""The page in a browser, in its three places: from a server, from a file without network, in a notebook."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from kripke_werewolf import KripkeModel, replay
from kripke_werewolf.cli.pictures import _started
from kripke_werewolf.games.werewolf.told import told
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.teach.explorer import State, limits, respond
from kripke_werewolf.teach.explorer.actions import template
from kripke_werewolf.teach.explorer.page.html import online_page
from kripke_werewolf.teach.explorer.page.pyodide import CDN
from kripke_werewolf.teach.explorer.page.server import ExplorerServer
from tests.browser import DESKTOP, PHONE, errors, needs_browser, requests, window
from tests.strategies import formulas, models
from tests.teach.explorer.page.conftest import serving_reply

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
    from playwright.sync_api import Browser, Page

pytestmark = needs_browser
EXAMPLES = Path(__file__).parents[4] / "examples"
Serve = Callable[..., ExplorerServer]
Explore = Callable[..., "Page"]
LINE = ".line .formula-input"
COMPLETIONS = ".line .completions:not([hidden]):not([aria-busy])"


@pytest.fixture(scope="module")
def loaded(browser: Browser, offline: Path) -> Iterator[Page]:
    """Load the offline page once, without a network."""
    with window(browser) as page:
        page.context.set_offline(True)
        started(page, offline.as_uri())
        yield page


@pytest.fixture
def offline_tab(loaded: Page) -> Page:
    """Return the offline page with the muddy children as it was exported."""
    errors(loaded).clear()
    loaded.click("header .bar button.primary")
    loaded.click('[data-puzzle="muddy-children"]')
    loaded.wait_for_selector("dialog.opening:not([open])", state="attached")
    loaded.wait_for_selector('[data-tab="story"][aria-selected="true"]')
    worlds(loaded, 8)
    return loaded


def started(page: Page, address: str) -> None:
    """Go to an explorer, and wait until it answers."""
    page.goto(address)
    page.wait_for_selector("[data-ready] .palette button")
    page.wait_for_selector(".canvas svg", state="attached")
    painted(page)


def painted(page: Page) -> None:
    """Wait until the observers of the last change have run."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def becomes(page: Page, read: Callable[[], object], value: object) -> None:
    """Wait until what is read from the page is the value; fail with what was read last."""
    for _ in range(400):
        if read() == value:
            return
        page.wait_for_timeout(50)
    assert read() == value


def has(page: Page, field: str, text: str) -> None:
    """Wait until a field has this text."""
    becomes(page, lambda: page.input_value(field), text)


def ask(page: Page, formula: str) -> None:
    """Type a formula, and wait for its answer."""
    page.fill(LINE, formula)
    page.wait_for_function("text => document.querySelector('.line').dataset.answered === text", arg=formula)


def said(page: Page, words: str) -> None:
    page.wait_for_function(
        "words => document.querySelector('.status').textContent.includes(words)", arg=words
    )


def verdict(page: Page, words: str) -> None:
    script = "words => document.querySelector('.verdict').textContent.startsWith(words)"
    page.wait_for_function(script, arg=words)


def worlds(page: Page, number: int) -> None:
    script = "n => document.querySelectorAll('.canvas g.world:not(.leaving)').length === n"
    page.wait_for_function(script, arg=number)


def tab(page: Page, name: str) -> None:
    page.click(f'[data-tab="{name}"]')


def copied(page: Page, what: str) -> str:
    """Return the text copied by the page."""
    tab(page, "copy")
    area = "document.querySelector('.panel-copy textarea')"
    before = page.evaluate(f"{area}?.id ?? null")  # what was copied last is there until the answer comes
    page.click(f'[data-copy="{what}"]')
    page.wait_for_function(f"before => {area} && {area}.id !== before", arg=before)
    text: str = page.input_value(".panel-copy textarea")
    return text


def filled(page: Page, names: set[str]) -> None:
    """Wait until exactly these worlds are filled."""
    script = (
        "names => [...document.querySelectorAll('.canvas g.world:not(.leaving)')].every(g => "
        "names.includes(g.getAttribute('aria-label').split(/[:; ]/)[0]) === g.classList.contains('true'))"
    )
    page.wait_for_function(script, arg=sorted(names))


def fills(page: Page) -> dict[str, bool]:
    """Return for each world, by its name, whether it is filled."""
    found: list[list[Any]] = page.evaluate(
        "[...document.querySelectorAll('.canvas g.world')]"
        ".map(g => [g.getAttribute('aria-label').split(/[:; ]/)[0], g.classList.contains('true')])"
    )
    return dict(found)


def called(name: str, more: str = "") -> str:
    """Return the selector of a world by its name, with `more` in its label."""
    last = f'[aria-label*="{more}"]' if more else ""
    return ", ".join(f'.canvas g.world[aria-label^="{name}{end}"]{last}' for end in ":; ")


def world(page: Page, name: str) -> Any:
    return page.locator(called(name)).locator(".face").first


def centres(page: Page) -> list[tuple[int, int]]:
    boxes = (face.bounding_box() for face in page.locator(".canvas g.world .face").all())
    return [(round(b["x"] + b["width"] / 2), round(b["y"] + b["height"] / 2)) for b in boxes if b]


def shown(page: Page) -> KripkeModel:
    """Return the model on the board."""
    return KripkeModel.from_dict(json.loads(copied(page, "json")))


# --- the file without network ------------------------------------------------------------------------


def test_the_offline_page_as_it_is_shown(offline_tab: Page, offline: Path) -> None:
    assert offline.stat().st_size < 9_000_000
    page = offline_tab
    model = puzzle("muddy-children", n=3).model
    ask(page, "K_1 muddy_1")
    verdict(page, "True at 0 of 8")
    ask(page, "M_1 ~muddy_2")
    page.wait_for_selector("g.world.true")
    where = model.where("M_1 ~muddy_2")
    assert fills(page) == {str(world): world in where for world in model.worlds}
    ask(page, "K_1 muddy_1")
    tab(page, "ask")
    world(page, "111").click()
    page.wait_for_selector(".why .gist")
    assert "111 from 011" in page.inner_text(".why")
    becomes(page, page.locator("g.edge.path").count, 1)
    ask(page, "muddy_1 | muddy_2 | muddy_3")
    page.click("text=Announce")
    said(page, "7 of 8 worlds are left")
    worlds(page, 7)
    page.click(".undo")
    worlds(page, 8)
    assert r"\begin{tikzpicture}" in copied(page, "tikz")
    assert errors(page) == []
    assert all(address.startswith(("file:", "blob:")) for address in requests(page))


def drawn(strategy: SearchStrategy[Any], number: int) -> list[Any]:
    """Return values of a strategy, the same ones every time."""
    found: list[Any] = []

    @settings(
        max_examples=number,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    assert len(found) >= number
    return found[:number]


def questions() -> list[dict[str, Any]]:
    """Return 150 random requests, each for a formula at a model, and for the reason at its first world."""
    shown, asked = drawn(models(logic="S5"), 30), drawn(formulas(quantifiers=False, max_depth=3), 150)
    return [
        {
            "state": State({"model": model.to_dict()}, formula=str(formula), world=0).to_dict(),
            "want": ["formula", "explanation"],
        }
        for model, formula in zip(shown * 5, asked, strict=True)
    ]


def test_it_answers_150_questions_as_this_python_does(offline_tab: Page) -> None:
    asked = questions()
    found = offline_tab.workers[-1].evaluate(
        "(asked) => asked.map((request) => JSON.parse(respond(JSON.stringify(request))))", asked
    )
    expected = [json.loads(json.dumps(respond(request))) for request in asked]
    assert len({request["state"]["formula"] for request in asked}) > 100
    assert {reply["view"]["formula"]["verdict"] for reply in expected} >= {"true", "false"}
    for request, reply, right in zip(asked, found, expected, strict=True):
        assert reply == right, request


def test_it_opens_all_exercises(offline_tab: Page) -> None:
    files = sorted(EXAMPLES.glob("exercises/*.toml"))
    asked = [{"do": {"command": "open", "text": path.read_text(encoding="utf-8")}} for path in files]
    found = offline_tab.workers[-1].evaluate(
        "(asked) => asked.map((request) => JSON.parse(respond(JSON.stringify(request))))", asked
    )
    assert len(files) > 15
    assert [reply["error"]["message"] for reply in found if not reply["ok"]] == []


def test_it_opens_the_log_of_a_game(offline_tab: Page) -> None:
    page = offline_tab
    page.click("header .bar button.primary")
    page.set_input_files(".opening input[type=file]", EXAMPLES / "games" / "five_players.jsonl")
    page.click(".opening .players >> text=Ann")
    page.wait_for_selector(".panel-game details")
    ask(page, "K_Ann wolf_Bo")
    lines = (EXAMPLES / "games" / "five_players.jsonl").read_text("utf-8").splitlines()
    verdict(page, f"{replay(lines).handout('Ann').ask('K_Ann wolf_Bo')}.")
    assert "What Ann may know" in page.inner_text(".panel-game")
    assert errors(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_game_opens_with_a_choice_of_whose_view(browser: Browser, width: int) -> None:
    log = EXAMPLES / "games" / "five_players.jsonl"
    start = _started(str(log), None, {})
    known = told(replay(log.read_text("utf-8").splitlines()))
    with serving_reply(start) as server, window(browser, width=width) as page:
        page.goto(server.url)
        names = page.locator(".opening[open] .players button")
        names.last.wait_for()
        assert names.all_inner_texts() == ["What everybody knows", "Ann", "Bo", "Cy", "Di", "Ed"]
        for chosen in (None, "Bo", None):
            if chosen or page.locator(".panel-game details").count():  # by the file, once the first is open
                page.click("header .bar button.primary")
                page.set_input_files(".opening input[type=file]", log)
            page.click(f".opening .players [data-key='{chosen or 'What everybody knows'}']")
            heading = page.locator(".panel-game h2")
            becomes(page, heading.inner_text, f"What {chosen or 'everybody'} may know")
            page.wait_for_selector("dialog.opening:not([open])", state="attached")
            lines = page.locator(".panel-game").text_content() or ""
            assert all(line in lines for line in sum(known.told, ()))
            assert page.locator(".stage").is_visible() == bool(chosen)
            assert page.locator(LINE).is_visible()
        assert errors(page) == []


LIMITED = "(most) => { respond.__globals__.get('limits').EFFORT_OF_PART = most; }"


def test_the_effort_of_an_answer_is_limited_in_the_page(offline_tab: Page) -> None:
    page = offline_tab
    page.workers[-1].evaluate(LIMITED, 20_000)  # as in the tests of the functions, to be quick
    ask(page, "[1?!muddy_2]" * 60 + "K_1 muddy_1")
    page.wait_for_selector(".wrong:has-text('takes too long for this page')")
    page.workers[-1].evaluate(LIMITED, limits.EFFORT_OF_PART)
    ask(page, "K_1 muddy_2")
    verdict(page, "True at 4 of 8")
    assert errors(page) == []


def test_a_question_that_never_ends_is_stopped(offline_tab: Page) -> None:
    page = offline_tab
    page.workers[-1].evaluate("() => { respond = () => { for (;;); }; }")
    page.fill(LINE, "muddy_1")
    page.click(".busy button")
    page.wait_for_selector(".alert:not([hidden])")
    assert "stopped" in page.inner_text(".alert")
    page.fill(LINE, "muddy_2")
    verdict(page, "True at 4 of 8")


FORGED = "postMessage({ ready: true }); export const loadPyodide = () => ({}); export default 1;"


def test_the_online_page_loads_what_its_hashes_say(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "online.html"
    path.write_text(online_page(respond({"do": {"command": "open", "empty": True}})), encoding="utf-8")
    assert path.stat().st_size < 2_300_000
    with window(browser) as page:
        page.context.route(
            f"{CDN}*", lambda route: route.fulfill(body=FORGED, headers={"access-control-allow-origin": "*"})
        )
        page.goto(path.as_uri())
        page.wait_for_selector(".alert:not([hidden])")
        assert "Python could not start" in page.inner_text(".alert")
        asked = {
            address.removeprefix(CDN)
            for address in requests(page)
            if not address.startswith(("file:", "blob:"))
        }
        assert asked <= {"pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"}
        assert page.locator("[data-ready]").count() == 0


# --- by mouse, by touch, by keyboard -------------------------------------------------------------------


def test_hexa_is_built_by_mouse(explore: Explore) -> None:
    deals = ["rwb", "rbw", "wrb", "wbr", "brw", "bwr"]
    page = explore(empty=True)
    tab(page, "build")
    for agent in "abc":
        page.fill('[data-key="new agent"]', agent)
        page.click("text=Add agent")
        page.wait_for_selector(f'[data-key="agent {agent}"]')
    page.click('[data-tool="world"]')
    box = page.locator(".canvas").bounding_box()
    assert box is not None
    for k, deal in enumerate(deals):
        page.mouse.click(box["x"] + 120 + 200 * (k % 3), box["y"] + 120 + 220 * (k // 3))
        page.wait_for_function("n => document.querySelectorAll('.canvas g.world').length === n", arg=k + 1)
        page.fill(f'[data-key="name {k}"]', deal)
        page.press(f'[data-key="name {k}"]', "Tab")
        page.wait_for_selector(called(deal))
    page.click('[data-tool="join"]')
    for k, agent in enumerate("abc"):
        page.select_option('[data-key="agent"]', agent)
        for card in "rwb":
            first, second = (deal for deal in deals if deal[k] == card)
            drag(page, first, second)
            said_cells(page, agent, first, second)
    for k, agent in enumerate("abc"):
        page.fill('[data-key="new atom"]', f"w_{agent}")
        page.click("text=Add atom")
        page.wait_for_selector(f'[data-key="atom w_{agent}"]')
        for number, deal in enumerate(deals):
            if deal[k] == "w":
                page.check(f'[data-key="flip {number} w_{agent}"]')
                page.wait_for_selector(called(deal, f"w{agent}"))
    page.check('[data-key="actual 0"]')
    page.wait_for_selector('.canvas g.world[aria-label*="actual"]')
    built = shown(page)
    wanted = puzzle("hexa").model
    assert len(built) == len(wanted) == 6
    assert all(str(built.frame_class(agent)) == "S5" for agent in "abc")
    assert all(len(built.classes(agent) or []) == 3 for agent in "abc")
    assert built.holds("w_b & K_a ~w_a & ~Kw_a w_b & C_{a,b,c} (Kw_a w_a & Kw_b w_b & Kw_c w_c)")


def test_typing_goes_on_while_the_model_changes(explore: Explore) -> None:
    page = explore(empty=True)
    tab(page, "build")
    page.click('[data-key="new agent"]')
    page.keyboard.type("al")
    page.evaluate("document.querySelector('.tools button:last-child').click()")
    page.wait_for_selector(".canvas g.world")
    page.keyboard.type("ex")
    has(page, '[data-key="new agent"]', "alex")


def drag(page: Page, first: str, second: str) -> None:
    places = [world(page, name).bounding_box() for name in (first, second)]
    (x, y), (u, v) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + u) / 2, (y + v) / 2)
    page.mouse.move(u, v, steps=3)
    page.mouse.up()


def said_cells(page: Page, agent: str, first: str, second: str) -> None:
    """Wait until an agent has two worlds in one cell."""
    page.wait_for_function(
        "([agent, first, second]) => { const cell = (name) => document.querySelector("
        "`select[aria-label='Cell of ${name} for ${agent}']`)?.value; return cell(first) === cell(second); }",
        arg=[agent, first, second],
    )


def test_muddy_children_by_touch_on_a_phone(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=3, width=PHONE)
    page.locator('[data-key="prediction"]').fill("7")
    page.locator(".next .row button").tap()
    page.wait_for_selector(".done li:nth-child(1) .right")
    page.locator('[data-predict="false"]').tap()
    page.wait_for_selector(".done li:nth-child(2) .not-right")
    page.locator('[data-key="prediction"]').fill("3")
    page.locator(".next .row button").tap()
    page.wait_for_selector(".done li:nth-child(3) .not-right")
    worlds(page, 4)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tabs = "[...document.querySelectorAll('.tabs button:not([hidden])')]"
    for size in page.evaluate(f"{tabs}.map(tab => tab.getBoundingClientRect().height)"):
        assert size >= 44
    page.locator('[data-tab="ask"]').tap()
    page.locator(LINE).fill("K_1 muddy_1")
    verdict(page, "True at 2 of 4")
    world(page, "111").tap()
    page.wait_for_selector(".why .gist")


def test_by_keyboard_alone(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    keys = page.keyboard

    def until(selector: str, *, most: int = 40) -> None:
        for _ in range(most):
            keys.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    until(LINE)
    keys.type("K_1 mud")
    page.wait_for_selector(f"{COMPLETIONS} li")
    keys.press("ArrowDown")
    keys.press("Enter")
    verdict(page, "True at 0 of 4")
    becomes(page, lambda: page.input_value(LINE).strip(), "K_1 muddy_1")
    until('[data-tab="story"]')
    keys.press("ArrowRight")
    page.wait_for_selector('[data-tab="ask"][aria-selected="true"]')
    page.evaluate("document.activeElement.blur()")
    until("g.world")
    visited = set()
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
        keys.press(key)
        visited.add(page.evaluate("document.activeElement.dataset.w"))
    assert len(visited) >= 3
    keys.press("Enter")
    page.wait_for_selector(".why .gist")
    until(LINE)
    keys.press("Control+a")
    keys.type("muddy_1 | muddy_2")
    verdict(page, "True at 3 of 4")
    until("button.primary:not(header button)", most=1)
    keys.press("Enter")
    worlds(page, 3)
    becomes(page, page.locator(".history .chips li").count, 2)
    keys.press("Control+z")
    worlds(page, 4)
    page.wait_for_selector('.history li:first-child [aria-current="step"]')
    keys.press("Control+y")
    worlds(page, 3)
    assert page.locator(".alert:not([hidden])").count() == 0


def test_worlds_lie_where_they_are_put_and_one_act_is_one_step(explore: Explore) -> None:
    clicks = [(164, 239), (573, 239), (369, 523), (700, 600)]

    def steps() -> list[str]:
        return page.locator(".history .chips li").all_inner_texts()

    page = explore(empty=True)
    tab(page, "build")
    page.click('[data-tool="world"]')
    for count, spot in enumerate(clicks, 1):
        page.mouse.click(*spot)
        worlds(page, count)
        becomes(page, lambda: centres(page), clicks[:count])
        said(page, f"{count} world{'s' * (count > 1)}.")
    page.click('[data-tool="select"]')
    page.mouse.move(*clicks[0])
    page.mouse.down()
    page.mouse.move(120, 110, steps=4)
    page.mouse.move(100, 100)
    page.mouse.up()
    becomes(page, lambda: centres(page), [(100, 100), *clicks[1:]])
    page.fill('[data-key="new agent"]', "ann")
    page.press('[data-key="new agent"]', "Enter")
    page.wait_for_selector('[data-key="cell 1 ann"]')
    before = steps()
    page.select_option('[data-key="cell 1 ann"]', "0")
    becomes(page, steps, [*before, "move ann: w2 → w1"])
    assert Numbered(shown(page)).classes("ann") == [[0, 1], [2], [3]]
    tab(page, "build")
    page.mouse.click(*clicks[1])
    page.mouse.click(*clicks[2])
    becomes(page, page.locator("g.world.selected").count, 2)
    page.click('[data-key="delete"]')
    worlds(page, 2)
    becomes(page, lambda: len(steps()), len(before) + 2)
    page.keyboard.press("Control+z")
    worlds(page, 4)
    becomes(page, lambda: centres(page), [(100, 100), *clicks[1:]])


def test_the_board_says_what_its_picture_leaves_out(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=3)
    becomes(page, lambda: page.inner_text(".stage .caption"), "Loops are left out.")
    tab(page, "act")
    page.select_option(".panel-act select >> nth=0", "tell")
    page.check('.panel-act [type="checkbox"] >> nth=0')
    page.fill(".panel-act .formula-input", "muddy_1")
    page.click(".panel-act >> text=Do it")
    worlds(page, 12)
    page.wait_for_selector(".stage .caption >> text=Loops of 1 are left out.")
    assert page.evaluate(
        "[...document.querySelectorAll('.canvas g.world')].every(g => g.getAttribute('aria-label')"
        ".startsWith([...g.querySelectorAll('text')].filter(t => !t.closest('.icon'))"
        ".map(t => t.textContent).join(' ')))"
    )


def test_an_announcement_is_written_around_an_atom(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    names = page.eval_on_selector_all(
        ".palette button", "all => all.map(b => [b.innerText, b.getAttribute('aria-label')])"
    )
    assert all(name.startswith(f"{sign}: ") for sign, name in names)
    assert len({name for _, name in names}) == len(names)
    page.click('.palette [data-type="[!"]')
    has(page, LINE, "[!muddy_1] ")
    page.keyboard.type("muddy_2")  # over the atom, which is selected
    has(page, LINE, "[!muddy_2] ")
    page.keyboard.press("End")
    page.keyboard.type("muddy_2")
    verdict(page, "True at 4 of 4")


def test_operators_are_typed_by_their_keys(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    page.click('.palette [data-type="C_"]')
    page.wait_for_selector(f"{COMPLETIONS} li")
    becomes(page, lambda: page.inner_text(".completions .shown"), "C_{1,2}")
    page.click(".completions li")
    page.keyboard.type("muddy_1")
    page.click('.palette [data-type="|"]')
    page.keyboard.type("true")
    verdict(page, "True at 4 of 4")
    page.focus(".palette button")
    page.keyboard.press("ArrowRight")
    becomes(page, lambda: page.evaluate("document.activeElement.dataset.type"), "B_")


# what has a part in its question is answered after `release()`
HOLD = """(part) => {
    const [now, held] = [fetch, new Promise((release) => { window.release = release; })];
    const wait = (asked) => asked.body.includes(part) ? (window.held = held) : Promise.resolve();
    window.fetch = (url, asked) => wait(asked).then(() => now(url, asked));
}"""


def test_nothing_is_taken_from_the_completions_of_an_older_text(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    page.click(LINE)
    page.keyboard.type("K")
    page.wait_for_selector(f"{COMPLETIONS} li")
    page.evaluate(HOLD, "")
    page.keyboard.type("_1 mud")
    for event in ("pointerdown", "pointerup"):
        page.dispatch_event(".line .completions li", event)
    page.keyboard.press("Enter")
    assert page.input_value(LINE) == "K_1 mud"
    page.evaluate("release()")
    page.keyboard.type("dy_1")
    verdict(page, "True at 0 of 4")


def test_what_is_typed_stays_until_it_is_answered(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    page.click(LINE)
    page.keyboard.type("muddy_1")
    verdict(page, "True at 2 of 4")
    page.evaluate(HOLD, '"command":"formula"')
    page.keyboard.type(" ")
    page.wait_for_function("() => Boolean(window.held)")  # the question is on its way
    for tab in ("facts", "ask"):
        page.click(f'[data-tab="{tab}"]')
        assert page.input_value(LINE) == "muddy_1 "
    page.evaluate("release()")
    page.click(LINE)
    page.keyboard.press("End")
    page.keyboard.type("| true")
    verdict(page, "True at 4 of 4")


def test_ones_own_action_happens_and_the_picture_is_saved(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    tab(page, "act")
    page.click(".panel-act summary")
    own = '[data-key="own action"]'
    assert page.input_value(own) == template(puzzle("muddy-children", n=2).model)
    page.fill(own, "event e if muddy_1:\nevent f\n")
    page.click("text=Let your action happen")
    page.wait_for_selector(".alert >> text=expected ':' after 'event f'")
    page.fill(own, "event e if muddy_1:\nevent f:\nconfuses 2: e f")
    page.click("text=Let your action happen")
    said(page, "6 worlds")
    assert len(shown(page)) == 6
    with page.expect_download() as waiting:
        page.click('[data-copy="png"]')
    assert Path(waiting.value.path()).read_bytes().startswith(b"\x89PNG")


# --- links, exercises, games ------------------------------------------------------------------------------


def test_a_link_opens_the_same_in_all_places(browser: Browser, served: Serve, offline_tab: Page) -> None:
    with window(browser) as page:
        started(page, served(puzzle="muddy-children", n=3).url)
        ask(page, "muddy_1 | muddy_2")
        page.click("text=Announce")
        said(page, "6 of 8 worlds are left")
        ask(page, "K_1 muddy_2")
        filled(page, {"010", "011", "110", "111"})
        link = copied(page, "link").partition("#")[2]
        first = fills(page), shown(page), page.locator(".history .chips li").all_inner_texts()
        page.wait_for_function("link => location.hash === `#${link}`", arg=link)
        page.reload()
        page.wait_for_selector("[data-ready] .palette button")
        worlds(page, 6)
        has(page, LINE, "K_1 muddy_2")
    offline_tab.evaluate("link => { location.hash = link; }", f"#{link}")
    worlds(offline_tab, 6)
    filled(offline_tab, {"010", "011", "110", "111"})
    places = ".history .chips li"
    assert (fills(offline_tab), shown(offline_tab), offline_tab.locator(places).all_inner_texts()) == first
    offline_tab.evaluate("location.hash = '#1.broken'")
    offline_tab.wait_for_selector(".alert:not([hidden])")
    assert fills(offline_tab) == first[0]
    with window(browser) as page:
        notebook(page)
        page.click("text=Open")
        page.fill(".opening textarea", f"#{link}")
        page.click('[data-key="open text"]')
        worlds(page, 6)
        filled(page, {"010", "011", "110", "111"})
        assert (fills(page), shown(page), page.locator(".history .chips li").all_inner_texts()) == first


def notebook(page: Page) -> Any:
    """Draw a widget as a notebook does, its messages answered by the widget itself; return the widget."""
    from kripke_werewolf.teach.explorer.page.notebook import Explorer

    widget = Explorer("muddy-children", n=2)
    replies: list[Any] = []
    widget.send = lambda content, buffers=None: replies.append(content)

    def answer(content: Any) -> Any:
        widget._answer(widget, content, [])
        return replies.pop()

    page.expose_function("ask_kernel", answer)
    state = json.dumps({"_state": widget._state, "_words": widget._words})
    code = json.dumps(str(widget._esm)).replace("<", "\\u003c")
    page.set_content(f"<style>{widget._css}</style><div id='cell'></div>")
    page.evaluate(
        f"""async () => {{
          const listeners = [];
          const state = {state};
          const model = {{
            get: (name) => state[name],
            on: (name, listener) => listeners.push(listener),
            send: (content) => ask_kernel(content).then((reply) => listeners.forEach((tell) => tell(reply))),
          }};
          const source = new Blob([{code}], {{ type: "text/javascript" }});
          const {{ default: widget }} = await import(URL.createObjectURL(source));
          widget.render({{ model, el: document.getElementById("cell") }});
        }}"""
    )
    page.wait_for_selector("[data-ready] .palette button")
    return widget


def test_an_exercise_is_answered_and_checked(explore: Explore, tmp_path: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((EXAMPLES / "exercises").glob("*.toml"))]
    path = tmp_path / "week.json"
    path.write_text(json.dumps({"title": "Week 1", "exercises": texts}), encoding="utf-8")
    page = explore(empty=True)
    page.click("text=Open")
    page.set_input_files(".opening input[type=file]", path)
    page.wait_for_selector(".panel-exercise .question")
    names = [path.stem for path in sorted((EXAMPLES / "exercises").glob("*.toml"))]
    chip = f'[data-key="exercise {names.index("where-is-it-true")}"]'
    page.click(chip)
    page.wait_for_selector(f'[aria-current="step"]{chip}')
    page.check('.choice:has-text("w2") input')
    page.click('[data-key="check"]')
    page.wait_for_selector(".panel-exercise .not-right .reason")
    page.uncheck('.choice:has-text("w2") input')
    page.check('.choice:has-text("w1") input')
    page.click('[data-key="check"]')
    page.wait_for_selector(".panel-exercise .right .reason")


def test_what_is_wrong_is_told_on_the_page(browser: Browser, served: Serve) -> None:
    with window(browser) as page:
        server = served(puzzle="muddy-children", n=3)
        started(page, server.url)
        ask(page, "muddy_1 & ")
        page.wait_for_selector(".wrong mark")
        page.wait_for_selector(f"{LINE}[aria-invalid=true]")
        page.click("text=Open")
        page.fill(".opening textarea", '{"worlds": 3}')
        page.click('[data-key="open text"]')
        page.wait_for_selector(".opening .alert:not([hidden])")
        page.click(".opening >> text=Close")
        assert len(fills(page)) == 8
        server._helper.stop()  # the process dies: the next question gets a new one
        ask(page, "muddy_1")
        verdict(page, "True at 4 of 8")
