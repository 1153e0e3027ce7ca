"""The interactive page, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import visualise
from kripke_werewolf import KripkeModel, ModelError, private
from kripke_werewolf.logic.puzzles import Puzzle, puzzle
from tests.browser import DESKTOP, PHONE, errors, needs_browser, requests, window
from tests.visualise.golden import hostile, two_worlds

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


class _Tags(HTMLParser):
    """Collects the resources that a page would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        assert not any(name.startswith("on") for name, _ in attrs)


def test_page_is_one_file_without_addresses() -> None:
    page = visualise.html(puzzle("muddy-children", n=3), formulas=["K_1 muddy_1"])
    tags = _Tags()
    tags.feed(page)
    assert tags.links == ["data:,"]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "default-src 'none'" in page


def test_page_is_small() -> None:
    page = visualise.html(puzzle("muddy-children", n=3))
    data = page[page.index('id="data">') : page.index("</script>")]
    assert len(page.encode()) - len(data.encode()) < 300_000


def test_hostile_names_are_no_tags() -> None:
    tags = _Tags()
    page = visualise.html(
        hostile(), title="</title><img src=x onerror=alert(1)>", formulas=["K_{<b>ob} wolf_{<i>}"]
    )
    tags.feed(page)
    assert not {"img", "b", "i"} & tags.tags


def test_data_says_what_each_agent_considers_possible() -> None:
    model = two_worlds().update(private("a", "p"))
    page = visualise.html(model, formulas=["K_a p", "K_b p"])
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL).group(1))  # type: ignore[union-attr]
    (frame,) = data["frames"]
    names = [world["name"] for world in frame["worlds"]]
    a, b = frame["ties"]
    assert a["cells"] == [[0], [1, 2]]
    assert [[names[v] for v in seen] for seen in b["sees"]] == [["w nothing", "v nothing"]] * 3
    assert frame["truth"] == ["100", "000"]


def test_answers_count_worlds_not_nodes() -> None:
    model = KripkeModel.from_observations(
        range(500), {"a": lambda w: w % 5}, lambda w: ["p"] if w % 5 == 0 else [], [0]
    )
    page = visualise.html(model, formulas=["p"])
    assert "True at 100 of 500 worlds. At the designated worlds: true." in page


@pytest.mark.parametrize("name", ["width", "font_size"])
def test_a_page_has_the_width_of_its_window(name: str) -> None:
    with pytest.raises(ModelError, match=f"{name} is for pictures"):
        visualise.html(puzzle("hexa"), **{name: 9})  # type: ignore[arg-type]


# --- in a browser ------------------------------------------------------------------------------------

Opened = Callable[..., "Page"]
_pages: dict[str, str] = {}


def written(what: Any, options: dict[str, Any]) -> str:
    """Return the page of a model or a story; that of a puzzle is written once."""
    if not isinstance(what, Puzzle):
        return visualise.html(what, **options)
    key = f"{what.name} {options}"
    if key not in _pages:
        _pages[key] = visualise.html(what, **options)
    return _pages[key]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """A function that opens the page of a model or a story, in a window with the options left over."""
    with ExitStack() as stack:
        pages = []

        def open_page(what: Any, *, width: int = DESKTOP, scheme: Any = "light", **options: Any) -> Page:
            page = stack.enter_context(window(browser, width=width, scheme=scheme))
            file = tmp_path / f"{len(pages)}.html"
            file.write_text(written(what, options), encoding="utf-8")
            page.goto(file.as_uri())
            pages.append(page)
            return page

        yield open_page
        for page in pages:
            assert errors(page) == []
            assert requests(page) == [page.url]


@pytest.fixture
def muddy(opened: Opened) -> Page:
    return opened(puzzle("muddy-children", n=3), formulas=["Kw_1 muddy_1", "muddy_1 & muddy_2"])


def worlds(page: Page, more: str = "") -> list[str]:
    """Return the names of the worlds on the stage, or of those that a selector picks."""
    found: list[str] = page.eval_on_selector_all(
        f"#stage .world{more}", "found => found.map(w => w.dataset.name)"
    )
    return found


def lines(page: Page) -> int:
    return page.locator("#stage .edge:not([hidden])").count()


def text(page: Page, selector: str) -> str:
    return page.locator(selector).text_content() or ""


def world(name: str) -> str:
    return f'#stage .world[data-name="{name}"]'


def filled(page: Page) -> list[str]:
    chosen: list[str] = page.eval_on_selector_all(
        "#stage .world",
        "found => found.filter(w => w.querySelector('.face').style.fill === 'var(--true)')"
        ".map(w => w.dataset.name)",
    )
    return chosen


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.dataset.name || document.activeElement.id"))


def view(page: Page) -> list[float]:
    """Return the part of the picture that is seen: left, top, width and height."""
    return list(map(float, (page.locator("#stage svg").get_attribute("viewBox") or "").split()))


def hover(page: Page, name: str) -> None:
    page.locator(world(name)).locator(".face").hover(force=True)


@needs_browser
def test_slider_changes_the_worlds(muddy: Page) -> None:
    assert len(worlds(muddy)) == 8
    muddy.press("#step", "ArrowRight")
    assert len(worlds(muddy)) == 7
    assert "father" in text(muddy, "#caption")
    muddy.click("#on")
    assert sorted(worlds(muddy)) == ["011", "101", "110", "111"]
    muddy.click("#back")
    muddy.click("#back")
    assert len(worlds(muddy)) == 8


@needs_browser
def test_choosing_a_world_shows_what_is_possible_there(muddy: Page) -> None:
    muddy.press(world("110"), "Enter")
    assert "considers possible: 010; 110" in text(muddy, "#world")
    assert worlds(muddy, ".far") == ["000", "001", "011", "101"]
    muddy.uncheck("#agent-0")
    assert "010" in worlds(muddy, ".far")
    muddy.press(world("110"), "Escape")
    assert worlds(muddy, ".far") == []


@needs_browser
def test_chosen_world_stays_chosen_through_updates(muddy: Page) -> None:
    muddy.click(f"{world('110')} text >> nth=0")
    muddy.click("#on")
    assert worlds(muddy, ".chosen") == ["110"]


@needs_browser
def test_formula_fills_worlds(muddy: Page) -> None:
    muddy.select_option("#formula", "1")
    assert filled(muddy) == ["110", "111"]
    assert "True at 2 of 8 worlds. At the designated worlds: true." in text(muddy, "#verdict")
    muddy.select_option("#formula", "0")
    assert filled(muddy) == []
    muddy.click("#on")
    assert filled(muddy) == ["100"]


@needs_browser
def test_zoom_and_pan(muddy: Page) -> None:
    first = view(muddy)
    muddy.click("#in")
    near = view(muddy)
    assert near[2] < first[2]
    stage = muddy.locator("#stage").bounding_box()
    assert stage
    muddy.mouse.move(stage["x"] + 30, stage["y"] + 200)
    muddy.mouse.down()
    muddy.mouse.move(stage["x"] + 130, stage["y"] + 200, steps=3)
    muddy.mouse.up()
    moved = view(muddy)
    assert moved[0] < near[0]
    assert moved[2:] == near[2:]
    muddy.click("#fit")
    assert view(muddy)[2] > near[2]


@needs_browser
def test_hovering_tells_about_a_world(muddy: Page) -> None:
    hover(muddy, "110")
    assert text(muddy, "#tip").split("\n") == [
        "110",
        "muddy_1, muddy_2",
        "1: 010, 110",
        "2: 100, 110",
        "3: 110, 111",
    ]


@needs_browser
def test_a_tip_goes_with_its_world(muddy: Page) -> None:
    hover(muddy, "000")
    assert muddy.is_visible("#tip")
    muddy.press("#step", "ArrowRight")
    assert "000" not in worlds(muddy)
    assert muddy.is_hidden("#tip")


@needs_browser
def test_screen_readers_get_names(muddy: Page) -> None:
    found = muddy.get_by_role("button", name="world 111, designated; true: muddy_1, muddy_2, muddy_3")
    assert found.count() == 1
    assert muddy.locator("#stage .world[role=button]").count() == 8
    assert muddy.locator("#stage .world[tabindex='0']").count() == 1
    assert "Agent 1 confuses" in text(muddy, "#words")


@needs_browser
def test_no_tag_and_no_alert(opened: Opened) -> None:
    page = opened(hostile(), title="<img src=x onerror=alert(1)>", formulas=["K_{<b>ob} wolf_{<i>}"])
    page.click('.world[data-w="0"] text >> nth=0')
    assert worlds(page) == list(map(str, hostile().worlds))
    assert page.locator("img, b, i").count() == 0
    assert text(page, "h1") == "<img src=x onerror=alert(1)>"
    assert "<img onerror=alert(1)>" in text(page, "#world")


@needs_browser
def test_page_without_agents_asks_for_what_it_can_show(opened: Opened) -> None:
    page = opened(KripkeModel(["w", "v"], {}, {"p": ["w"]}))
    assert text(page, "#world") == "Choose a world to see what is true there."


@needs_browser
def test_a_story_that_grows_opens_near(opened: Opened) -> None:
    page = opened(puzzle("gossip"))
    first = view(page)[2]
    page.click("#on")
    page.click("#on")
    assert view(page)[2] > first


# --- dark screens, phones, keys, paper ---------------------------------------------------------------


@needs_browser
@pytest.mark.parametrize(
    ("scheme", "theme"),
    [("light", None), ("dark", None), ("light", "dark"), ("dark", "light"), ("dark", "print")],
)
def test_the_page_is_dark_where_it_is_wanted(opened: Opened, theme: str | None, scheme: str) -> None:
    options = {} if theme is None else {"theme": theme}
    page = opened(puzzle("muddy-children", n=2), scheme=scheme, formula="muddy_1", **options)
    shown = page.evaluate(
        "() => { const of = (s, k) => getComputedStyle(document.querySelector(s))[k];"
        "return [of('body', 'backgroundColor'), of('#stage svg > rect', 'fill'), of('.face', 'stroke'),"
        " of('.world text', 'fill'), of('#agents-part label:nth-of-type(2) line', 'stroke'),"
        " of('.edge[data-agents=\"1\"] path', 'stroke')]; }"
    )
    dark = theme == "dark" or (theme is None and scheme == "dark")
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 > 128 for colour in shown]
    assert bright[:4] == ([False, False, True, True] if dark else [True, True, False, False])
    assert shown[4] == shown[5]


@needs_browser
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", ["muddy-children", "gossip", "hexa"])
def test_names_can_be_read(opened: Opened, name: str, width: int) -> None:
    page = opened(puzzle(name), width=width)
    smallest, wide, inside = page.evaluate(
        "() => { const svg = document.querySelector('#stage svg');"
        "const sizes = [...svg.querySelectorAll('text')].map(t => t.getAttribute('font-size'));"
        "const b = document.querySelector('#stage').getBoundingClientRect();"
        "const w = svg.querySelector('.world[tabindex=\"0\"] .face').getBoundingClientRect();"
        "return [Math.min(...sizes) * svg.getScreenCTM().a, document.documentElement.scrollWidth,"
        " w.left >= b.left && w.right <= b.right && w.top >= b.top && w.bottom <= b.bottom]; }"
    )
    assert smallest >= 10.99
    assert wide <= width
    assert inside


@needs_browser
def test_a_finger_moves_the_picture_and_chooses_a_world(opened: Opened) -> None:
    page = opened(puzzle("muddy-children", n=3), width=PHONE)
    page.tap(f"{world('111')} .face")
    assert worlds(page, ".chosen") == ["111"]
    page.tap("#on")
    assert len(worlds(page)) == 7


@needs_browser
def test_one_stop_for_all_worlds_and_arrows_among_them(muddy: Page) -> None:
    stops = []
    for _ in range(4):
        muddy.keyboard.press("Tab")
        stops.append(focused(muddy))
    assert stops == ["111", "in", "out", "fit"]
    muddy.focus("#stage .world[tabindex='0']")
    middle = (
        "() => { const b = document.activeElement.querySelector('.face').getBoundingClientRect();"
        "return [b.x + b.width / 2, b.y + b.height / 2]; }"
    )
    for key, axis, way in (("Left", 0, -1), ("Down", 1, 1), ("Up", 1, -1), ("Right", 0, 1)):
        before = muddy.evaluate(middle)
        muddy.keyboard.press(f"Arrow{key}")
        assert way * (muddy.evaluate(middle)[axis] - before[axis]) > 0
        assert muddy.evaluate("document.activeElement.getAttribute('tabindex')") == "0"
    assert "1 of 4" in text(muddy, "#caption")
    name = focused(muddy)
    muddy.keyboard.press("Enter")
    assert text(muddy, "#world").startswith(name)


@needs_browser
def test_everything_is_done_with_the_keyboard_alone(muddy: Page) -> None:
    def tab_to(name: str) -> None:
        for _ in range(30):
            if focused(muddy) == name:
                return
            muddy.keyboard.press("Tab")
        pytest.fail(f"Tab does not reach {name}")

    tab_to("in")
    before = view(muddy)[2]
    muddy.keyboard.press("Enter")
    assert view(muddy)[2] < before
    tab_to("agent-1")
    muddy.keyboard.press("Space")
    assert lines(muddy) == 8
    tab_to("formula")
    muddy.keyboard.press("ArrowDown")
    muddy.keyboard.press("ArrowDown")
    assert filled(muddy) == ["110", "111"]
    tab_to("on")
    muddy.keyboard.press("Enter")
    assert len(worlds(muddy)) == 7
    assert muddy.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


@needs_browser
def test_all_steps_are_printed_on_one_sheet(opened: Opened) -> None:
    page = opened(puzzle("muddy-children", n=3), formula="Kw_1 muddy_1")
    page.press(world("110"), "Enter")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    titles = page.locator("#strip figcaption").all_text_contents()
    assert [title.partition(".")[0] for title in titles] == ["1", "2", "3", "4"]
    assert "Kw_1 muddy_1" in text(page, "#strip p")
    fills = page.eval_on_selector_all("#strip .face", "found => found.map(f => f.style.fill)")
    models = puzzle("muddy-children", n=3).history().models()
    assert fills.count("var(--true)") == sum(len(model.where("Kw_1 muddy_1")) for model in models)
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("#strip").inner_html() == ""
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf())) == 1


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_white(opened: Opened, scheme: str) -> None:
    page = opened(puzzle("muddy-children", n=2), scheme=scheme)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    colours = page.evaluate(
        "() => { const of = (s, k) => getComputedStyle(document.querySelector(s))[k];"
        "return [of('body', 'backgroundColor'), of('#strip .face', 'fill'), of('#strip text', 'fill')]; }"
    )
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 > 128 for colour in colours]
    assert bright == [True, True, False]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_white_hat_is_white_on_any_ground(opened: Opened, scheme: str) -> None:
    page = opened(puzzle("three-wise-men"), scheme=scheme)
    shapes = "#stage .icon polygon[fill='#FFFFFF']"
    colours = page.eval_on_selector_all(shapes, "all => all.map(one => getComputedStyle(one).fill)")
    assert len(colours) == 18
    assert set(colours) == {"rgb(255, 255, 255)"}
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
