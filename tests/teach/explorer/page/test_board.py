"""The board as a canvas: places, sizes of letters, zooming, icons, and the texts that it hides."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import visualise
from kripke_werewolf import KripkeModel
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.teach.explorer.page.server import ExplorerServer
from tests.browser import DESKTOP, PHONE, errors, needs_browser, window
from tests.teach.explorer.page.test_places import (
    LINE,
    becomes,
    centres,
    drag,
    has,
    painted,
    said,
    shown,
    started,
    tab,
    verdict,
    world,
    worlds,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = needs_browser
Serve = Callable[..., ExplorerServer]
Explore = Callable[..., "Page"]


SIZES = """[...document.querySelectorAll(':is(.canvas, .figure) :is(text, tspan)')]
    .filter((text) => text.checkVisibility())
    .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""

SEEN = """selector => { const [drawn, panel] = [selector, '.panels'].map((name) =>
    document.querySelector(name).getBoundingClientRect());
    return drawn.top < panel.bottom - 50 && drawn.bottom > panel.top + 50; }"""

PAPER = "document.querySelector('.panel-act .figure svg rect, .panel-act .figure svg .world *')?.outerHTML"

SIZE = "document.querySelector('.canvas g.world .face').getBoundingClientRect().width"

ON_LINES = """() => {
    const all = [...document.querySelectorAll('.canvas g.world text')];
    const texts = all.filter((text) => text.checkVisibility());
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const spots = [...document.querySelectorAll('.canvas g.edge > path')].flatMap((path) => {
        const length = path.getTotalLength(), matrix = path.getScreenCTM();
        const spot = (_, k) => path.getPointAtLength(k * length / 100).matrixTransform(matrix);
        return Array.from({ length: 101 }, spot);
    });
    return texts.filter((_, k) => spots.some(({ x, y }) => boxes[k].left + 2 < x && x < boxes[k].right - 2
        && boxes[k].top + 3 < y && y < boxes[k].bottom - 3)).map((text) => text.textContent);
}"""

AWAY = "() => document.querySelectorAll('.canvas g.world:has(.away)').length"


def letters(page: Page) -> list[float]:
    """Return the heights on the screen of all letters shown in pictures."""
    painted(page)
    found: list[float] = page.evaluate(SIZES)
    return found


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_letters_are_never_too_small_nor_on_lines(browser: Browser, served: Serve, width: int) -> None:
    def told() -> bool:
        return "hidden for lack of room" in caption.inner_text()

    with window(browser, width=width) as page:
        caption = page.locator(".stage .caption")
        for name in ("muddy-children", "cheryl", "three-wise-men", "sum-and-product", "gossip"):
            started(page, served(puzzle=name).url)
            for _ in range(3):
                if name in ("cheryl", "three-wise-men", "sum-and-product"):
                    becomes(page, lambda: page.evaluate(ON_LINES), [])
                found = letters(page)
                assert all(size >= 11 for size in found), (name, min(found))
                becomes(page, lambda: told() == (page.evaluate(AWAY) > 0), True)
                assert caption.is_visible()
                page.click('[data-zoom="out"]')
            page.click('[data-zoom="fit"]')
            assert all(size >= 11 for size in letters(page)), name
            assert errors(page) == [], name


def test_texts_come_into_view_after_worlds_are_joined(explore: Explore) -> None:
    names = ["w", "v", "u", "t"]
    long = {"a long atom": ["w", "v"], "another long atom": ["w", "u"]}
    apart = KripkeModel.from_partitions(names, {a: [[w] for w in names] for a in "ab"}, long, "w")
    pairs = [("a", "w", "u"), ("a", "v", "t"), ("b", "w", "v"), ("b", "u", "t")]
    page = explore(text=json.dumps(apart.to_dict()), width=PHONE)
    tab(page, "build")
    page.click('[data-tool="join"]')
    for count, (agent, first, second) in enumerate(pairs, 2):
        page.select_option('[data-key="agent"]', agent)
        page.locator(".canvas").scroll_into_view_if_needed()
        drag(page, first, second)
        becomes(page, page.locator(".history .chips li").count, count)
        painted(page)
        becomes(page, lambda: page.evaluate(AWAY), 0)


def test_the_verdict_stays_in_view_on_a_phone(explore: Explore) -> None:
    below = """() => { const [stage, verdict, footer] = ['.stage', '.verdict', 'footer'].map((name) =>
        document.querySelector(name).getBoundingClientRect());
        return stage.bottom <= verdict.top + 1 && verdict.bottom <= footer.top; }"""
    page = explore(puzzle="muddy-children", n=2, width=PHONE)
    page.fill(LINE, "K_1 muddy_1")
    verdict(page, "True at 0 of 4")
    for name in ("ask", "facts", "build", "ask"):
        page.locator(f'[data-tab="{name}"]').tap()
        page.wait_for_selector(f'[data-tab="{name}"][aria-selected="true"]')
        page.wait_for_function(below)


def test_what_has_the_focus_is_not_behind_the_picture_on_a_phone(explore: Explore) -> None:
    clear = """() => { const focused = document.activeElement, stage = document.querySelector('.stage');
        return !focused.closest('aside')
            || focused.getBoundingClientRect().top >= stage.getBoundingClientRect().bottom - 1; }"""
    page = explore(puzzle="muddy-children", n=2, width=PHONE)
    page.locator('[data-tab="build"]').tap()
    page.focus('[data-key="name 3"]')
    for key in ["Shift+Tab"] * 40 + ["Tab"] * 30:
        page.keyboard.press(key)
        page.wait_for_function(clear)


def test_hidden_texts_are_told_beside_a_world(explore: Explore) -> None:
    page = explore(puzzle="gossip", n=3)
    page.click('[data-zoom="fit"]')
    while not page.evaluate(AWAY):
        page.click('[data-zoom="out"]')
    page.hover(".canvas g.world .face")
    page.wait_for_selector(".details:not([hidden])")
    assert "has_0_0" in page.inner_text(".details")


def test_an_action_is_drawn_with_readable_letters(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=3)
    tab(page, "act")
    page.select_option(".panel-act select >> nth=0", "tell")
    page.check('.panel-act [type="checkbox"] >> nth=0')
    page.fill(".panel-act .formula-input", "muddy_1")
    page.click(".panel-act >> text=Draw the action")
    page.wait_for_selector(".panel-act .figure svg text >> text=told")
    page.wait_for_function(SEEN, arg=".panel-act .figure")
    assert all(size >= 11 for size in letters(page))
    page.click(".panel-act .enlarge")
    page.wait_for_selector("dialog.large[open]")
    assert all(size >= 11 for size in letters(page))
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.large", state="detached")
    paper = page.evaluate(PAPER)
    page.click(".looks")  # the first press changes what is seen, also what is drawn already
    page.wait_for_function(f"paper => {PAPER} !== paper", arg=paper)
    page.wait_for_selector(".kripke-explorer[data-theme=dark]")


def test_what_one_writes_is_met_halfway(explore: Explore) -> None:
    page = explore(puzzle="hexa")
    page.wait_for_selector(f"{LINE}[placeholder='for example K_a a_0']")
    page.click(LINE)
    page.keyboard.type("K_a")
    page.wait_for_selector(".line .wrong.unfinished p")  # it may still become a formula
    page.keyboard.type(" b_2")
    verdict(page, "True at 0 of 6")
    page.keyboard.press("Escape")
    page.click("text=Announce")
    page.wait_for_selector(".alert:not([hidden])")
    page.fill(LINE, "a_0 &")
    page.wait_for_selector(".line .wrong.unfinished p")
    page.wait_for_selector(".alert", state="hidden")  # it was about another formula
    page.press(LINE, "Tab")
    page.wait_for_selector(".line .wrong:not(.unfinished) p")
    page.fill(LINE, "a_0")
    verdict(page, "True at 2 of 6")
    tab(page, "act")
    has(page, ".panel-act .formula-input", "a_0")
    page.click(".panel-act >> text=Do it")
    said(page, "All 6 worlds are left")


def test_an_atom_is_made_true_at_the_selected_worlds_in_one_step(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    tab(page, "build")
    for name in ("00", "11"):
        world(page, name).click()
        page.wait_for_selector(f"g.world.selected[aria-label^='{name}']")
    box = page.locator('[data-key="flip muddy_1"]')
    becomes(page, lambda: box.evaluate("box => [box.checked, box.indeterminate]"), [False, True])
    box.click()
    page.wait_for_selector(".history .chips >> text=flip muddy_1: 00, 11")
    becomes(page, lambda: box.evaluate("box => [box.checked, box.indeterminate]"), [True, False])
    box.click()
    becomes(page, page.locator(".history .chips li").count, 3)
    assert shown(page).where("muddy_1") == ["10"]


def test_two_fingers_and_the_wheel_zoom_about_their_place(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2, width=PHONE)
    before, size = centres(page), page.evaluate(SIZE)
    box = page.locator(".canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    send = page.context.new_cdp_session(page).send

    def fingers(kind: str, *apart: float) -> None:
        points = [{"x": x + k * far, "y": y, "id": n} for far in apart for n, k in enumerate((-1, 1))]
        send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 30)
    for far in (35, 45, 60):
        fingers("touchMove", far)
    fingers("touchEnd")
    page.wait_for_function(f"size => {SIZE} > 1.9 * size", arg=size)
    after = centres(page)
    for (a, b), (c, d) in zip(before, after, strict=True):
        assert (c - x, d - y) == pytest.approx((2 * (a - x), 2 * (b - y)), abs=3)
    becomes(page, page.locator(".history .chips li").count, 1)
    page = explore(puzzle="muddy-children", n=2)
    before, size = centres(page), page.evaluate(SIZE)
    page.mouse.move(*before[0])
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"size => {SIZE} > 1.2 * size", arg=size)
    after = centres(page)
    assert after[0] == pytest.approx(before[0], abs=1)
    assert after[1] != pytest.approx(before[1], abs=20)


def test_the_view_stays_while_it_shows_every_world(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=3)
    before = centres(page)
    page.fill(LINE, "muddy_1 | muddy_2")
    page.click("text=Announce")
    said(page, "6 of 8 worlds are left")
    worlds(page, 6)
    page.wait_for_function("() => !document.querySelector('.canvas .leaving')")
    page.wait_for_function("() => !document.getAnimations().some((one) => one.playState === 'running')")
    assert set(centres(page)) <= set(before)
    page.click(".undo")
    worlds(page, 8)
    becomes(page, lambda: centres(page), before)


def test_undo_goes_back_to_the_view_before_an_update_that_needs_more_room(explore: Explore) -> None:
    page = explore(puzzle="three-wise-men")
    before, size = centres(page), page.evaluate(SIZE)
    tab(page, "act")
    page.select_option(".panel-act select >> nth=0", "tell")
    page.check('[data-key="group 3"]')
    page.fill(".panel-act .formula-input", "red_1 | red_2")
    page.click(".panel-act >> text=Do it")
    worlds(page, 13)
    page.wait_for_function(f"size => {SIZE} < 0.8 * size", arg=size)
    page.wait_for_function("() => !document.getAnimations().some((one) => one.playState === 'running')")
    page.click(".undo")
    worlds(page, 7)
    page.wait_for_function(f"size => Math.abs({SIZE} - size) < 1", arg=size)
    becomes(page, lambda: centres(page), before)  # the caption has its room again


def test_undo_takes_back_a_world_that_was_moved(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    tab(page, "build")
    before = centres(page)
    x, y = before[0]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    moved = [(x + 60, y + 40), *before[1:]]
    becomes(page, lambda: centres(page), moved)
    page.click(".undo")
    page.wait_for_function("() => document.querySelector('.undo').disabled")
    becomes(page, lambda: centres(page), before)
    page.click(".redo")
    becomes(page, lambda: centres(page), moved)


def test_the_selection_stays_with_its_world(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=2)
    tab(page, "build")
    world(page, "10").click()
    page.wait_for_selector("g.world.selected")
    page.click('[aria-label="Remove world 00"]')
    worlds(page, 3)
    page.wait_for_selector("g.world.selected[aria-label^='10']")
    page.click(".undo")
    worlds(page, 4)
    becomes(page, page.locator("g.world.selected").count, 0)


def test_a_click_on_a_child_asks_for_its_mud(explore: Explore) -> None:
    page = explore(puzzle="muddy-children", n=3)
    page.locator("g.world[aria-label^='001'] g.icon").nth(2).click()
    verdict(page, "True at 4 of 8")
    has(page, LINE, "muddy_3")
    page.locator("g.world[aria-label^='001'] g.icon").nth(0).click()
    has(page, LINE, "~muddy_1")
    page.fill(LINE, "K_1 muddy_2")
    verdict(page, "True at 4 of 8")
    world(page, "111").click()  # a formula written by hand stays
    assert page.input_value(LINE) == "K_1 muddy_2"


def test_the_icons_on_the_board_show_what_is_true(explore: Explore) -> None:
    read = """() => Object.fromEntries([...document.querySelectorAll('.canvas g.world')].map((world) =>
        [world.getAttribute('aria-label').split(/[:;] /)[0],
         [...world.querySelectorAll('.icon')].flatMap((icon) => JSON.parse(icon.dataset.true))]))"""
    for name in ("hexa", "three-wise-men"):
        page = explore(puzzle=name)
        found: dict[str, Any] = page.evaluate(read)
        model = puzzle(name).model
        assert {name: set(true) for name, true in found.items()} == {
            str(w): set(model.atoms_at(w)) for w in model.worlds
        }


def test_an_empty_board_loses_the_title_of_the_puzzle_before(explore: Explore) -> None:
    page = explore(puzzle="hexa")
    becomes(page, lambda: page.inner_text("h1"), "hexa")
    page.click("header .bar button.primary")
    page.click(".opening [data-key=empty]")
    worlds(page, 0)
    becomes(page, lambda: page.inner_text("h1"), "Explorer")
    assert page.title() == "Explorer"


def test_the_lines_of_an_agent_are_hidden_and_said_to_be(explore: Explore) -> None:
    page = explore(puzzle="muddy-children")
    drawn = """() => [...document.querySelectorAll('.canvas g.edge')]
        .filter((line) => getComputedStyle(line).display !== 'none').map((line) => line.dataset.agents)"""
    page.locator(".canvas g.edge").first.wait_for()
    every = page.evaluate(drawn)
    page.get_by_role("button", name="2", exact=True).click()
    assert page.evaluate(drawn) == [agents for agents in every if agents != "1"] != every
    assert "Lines of 2 are not shown." in page.locator(".caption").inner_text()
    page.get_by_role("button", name="2", exact=True).click()
    assert page.evaluate(drawn) == every
    assert "not shown" not in page.locator(".caption").inner_text()


SWITCHES = """() => [...document.querySelectorAll('.legend button')].map((button) => {
    const line = button.querySelector('line').getBoundingClientRect(), box = button.getBoundingClientRect();
    return button.scrollWidth <= button.clientWidth && box.left <= line.left && line.right <= box.right; })"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("engine", [True, False])
def test_thirty_agents_have_switches(
    explore: Explore, browser: Browser, tmp_path: Path, width: int, *, engine: bool
) -> None:
    draw = Random(f"{width} {engine}")
    names, agents = [f"w{k}" for k in range(6)], [f"agent{k}" for k in range(30)]
    pairs = {agent: draw.sample(names, 2) for agent in agents}
    cells = {agent: [pair, *([name] for name in names if name not in pair)] for agent, pair in pairs.items()}
    model = KripkeModel.from_partitions(names, cells, {}, "w0")
    shown = """() => [...document.querySelectorAll('.canvas g.edge')]
        .filter((line) => getComputedStyle(line).display !== 'none').map((line) => line.dataset.agents)"""
    with ExitStack() as stack:
        if engine:
            page = explore(text=json.dumps(model.to_dict()), width=width)
        else:
            page = stack.enter_context(window(browser, width=width))
            page.goto(visualise.save(model, tmp_path / "thirty.html").as_uri())
            page.wait_for_selector(".canvas .world[aria-label]")
        assert page.evaluate(SWITCHES) == [True] * 30
        assert {int(n) for lines in page.evaluate(shown) for n in lines.split()} == set(range(30))
        unseen = sorted(draw.sample(range(30), 12))
        for number in unseen:
            page.click(f'.legend [data-key="agent agent{number}"]')
        left = {int(n) for lines in page.evaluate(shown) for n in lines.split()}
        assert set(range(30)) - set(unseen) <= left
        assert all({*map(int, lines.split())} - {*unseen} for lines in page.evaluate(shown))
        said = set(page.inner_text(".caption").partition("Lines of ")[2].split(" are ")[0].split(", "))
        assert said == {f"agent{number}" for number in unseen}
        assert errors(page) == []


NAMELESS = """() => [...document.querySelectorAll('.canvas g.world > text.away:not([paint-order])')].length"""

WHOLE = """() => { const svg = document.querySelector('.canvas svg'), view = svg.viewBox.baseVal;
    return Math.abs(view.width / view.height - svg.clientWidth / svg.clientHeight) < 0.01; }"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", ["gossip", "prisoners"])
def test_names_can_be_read_from_step_to_step(explore: Explore, name: str, width: int) -> None:
    page = explore(puzzle=name, width=width)
    moments = len(puzzle(name).moments)
    for step in range(1, moments + 1):
        page.click('[data-key="next"]')
        becomes(page, page.locator(".history .chips li").count, step + 1)
        page.wait_for_function("() => !document.querySelector('.canvas .leaving')")
        becomes(page, lambda: page.evaluate(NAMELESS), 0)
        becomes(page, lambda: page.evaluate(WHOLE), True)
        assert all(size >= 11 for size in letters(page))


@pytest.mark.slow
def test_worlds_out_of_view_are_counted_and_can_be_shown(explore: Explore) -> None:
    page = explore(puzzle="gossip")
    outside = """() => { const box = document.querySelector('.canvas').getBoundingClientRect();
        return [...document.querySelectorAll('.canvas g.world .face')]
            .map((face) => face.getBoundingClientRect()).filter(({x, y, width, height}) =>
            !(box.left < x + width / 2 && x + width / 2 < box.right
                && box.top < y + height / 2 && y + height / 2 < box.bottom)).length; }"""
    for count in (6, 36):
        page.get_by_role("button", name="Let it happen").click()
        worlds(page, count)
    page.get_by_role("button", name="Show all").wait_for()
    said = page.locator(".caption")
    becomes(page, lambda: f"{page.evaluate(outside)} worlds are out of view" in said.inner_text(), True)
    page.get_by_role("button", name="Show all").click()
    becomes(page, lambda: page.evaluate(outside), 0)
    assert "out of view" not in page.inner_text(".caption")


def test_the_verdict_of_an_older_text_is_pale(explore: Explore) -> None:
    page = explore(puzzle="muddy-children")
    field = page.locator(".line .formula-input")
    field.fill("muddy_1")
    page.locator(".verdict:not(:empty)").wait_for()
    look = "getComputedStyle(document.querySelector('.verdict')).opacity"
    becomes(page, lambda: page.evaluate(look), "1")
    page.route("**/*", lambda route: None)  # nothing is answered any more
    field.fill("muddy_1 & muddy_2")
    assert page.evaluate(look) == "0.4"
