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
    names = [world["name"] for world in frame["model"]["worlds"]]
    a, b = frame["sees"]
    assert a == {"agent": "a", "nodes": [[0], [1, 2], [1, 2]]}
    assert [[names[v] for v in seen] for seen in b["nodes"]] == [["w nothing", "v nothing"]] * 3
    assert frame["truth"] == ["100", "000"]


def test_answers_count_worlds_not_nodes() -> None:
    model = KripkeModel.from_observations(
        range(500), {"a": lambda w: w % 5}, lambda w: ["p"] if w % 5 == 0 else [], [0]
    )
    page = visualise.html(model, formulas=["p"])
    assert "True at 100 of 500 worlds. Answer: yes." in page


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
    key = f"{what.name} {len(what.model)} {options}"
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
            page.wait_for_selector(".canvas .world[aria-label]")
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
    """Return the names of the worlds on the board, or of those that a selector picks."""
    found: list[str] = page.eval_on_selector_all(
        f".canvas .world{more}", "found => found.map(w => w.getAttribute('aria-label').split(/[:;] ?/)[0])"
    )
    return sorted(name.split()[-1] for name in found)


def turned(page: Page, step: int) -> None:
    """Wait until a step is shown, with no world moving any more."""
    page.wait_for_selector(f".chips li:nth-child({step + 1}) [aria-current]")
    data = "JSON.parse(document.getElementById('data').textContent)"
    size = page.evaluate(f"{data}.frames[{step}].model.worlds.length")
    page.wait_for_function("size => document.querySelectorAll('.canvas .world').length === size", arg=size)


def view(page: Page) -> list[float]:
    """Return the part of the picture that is seen: left, top, width and height."""
    return list(map(float, (page.locator(".canvas svg").get_attribute("viewBox") or "").split()))


def text(page: Page, selector: str) -> str:
    return page.locator(selector).text_content() or ""


def world(name: str) -> str:
    return f".canvas .world[aria-label^='{name}'] .face"


@needs_browser
def test_steps_change_the_worlds(muddy: Page) -> None:
    assert len(worlds(muddy)) == 8
    muddy.click(".redo")
    turned(muddy, 1)
    assert "father" in text(muddy, ".chips [aria-current]")
    muddy.keyboard.press("ArrowRight")
    turned(muddy, 2)
    assert worlds(muddy) == ["011", "101", "110", "111"]
    muddy.click(".chips button >> nth=0")
    turned(muddy, 0)
    assert muddy.is_disabled(".undo")


@needs_browser
def test_the_next_step_is_shown_beforehand(muddy: Page) -> None:
    muddy.hover(".redo")
    assert worlds(muddy, ".will-go") == ["000"]
    muddy.hover("h1")
    assert worlds(muddy, ".will-go") == []


@needs_browser
def test_choosing_a_world_shows_what_is_possible_there(muddy: Page) -> None:
    muddy.click(world("110"))
    assert "1 considers possible: 010; 110" in text(muddy, ".panels")
    assert worlds(muddy, ".will-go") == ["000", "001", "011", "101"]
    muddy.click(".agent >> nth=0")
    assert "010" in worlds(muddy, ".will-go")
    muddy.keyboard.press("Escape")
    assert worlds(muddy, ".will-go") == []


@needs_browser
def test_a_chosen_world_stays_chosen_through_updates(muddy: Page) -> None:
    muddy.click(world("110"))
    muddy.click(".redo")
    turned(muddy, 1)
    assert worlds(muddy, ".chosen") == ["110"]


@needs_browser
def test_a_formula_fills_worlds(muddy: Page) -> None:
    muddy.select_option("select", "1")
    assert worlds(muddy, ".true") == ["110", "111"]
    assert text(muddy, ".verdict") == "True at 2 of 8 worlds. Answer: yes."
    muddy.select_option("select", "0")
    assert worlds(muddy, ".true") == []
    muddy.click(".redo")
    turned(muddy, 1)
    assert worlds(muddy, ".true") == ["100"]


@needs_browser
def test_agents_are_switched_off(muddy: Page) -> None:
    muddy.click(".agent >> nth=1")
    shown = muddy.eval_on_selector_all(
        ".canvas .edge", "all => all.filter(e => getComputedStyle(e).display !== 'none').length"
    )
    assert shown == 8
    assert "Lines of 2 are not shown." in text(muddy, ".caption")


@needs_browser
def test_zoom_and_pan(muddy: Page) -> None:
    first = view(muddy)
    muddy.click("[data-zoom=in]")
    near = view(muddy)
    assert near[2] < first[2]
    assert "out of view" in text(muddy, ".caption")
    muddy.click(".caption button")
    assert "out of view" not in text(muddy, ".caption")


@needs_browser
def test_screen_readers_get_names(muddy: Page) -> None:
    assert muddy.get_by_role("button", name="111: muddy_1, muddy_2, muddy_3; actual").count() == 1
    assert muddy.locator(".canvas .world[role=button]").count() == 8
    assert muddy.locator(".canvas .world[tabindex='0']").count() == 1
    assert "Agent 1 confuses" in text(muddy, "details p")


@needs_browser
def test_no_tag_and_no_alert(opened: Opened) -> None:
    page = opened(hostile(), title="<img src=x onerror=alert(1)>", formulas=["K_{<b>ob} wolf_{<i>}"])
    page.click(".canvas .world >> nth=0")
    assert page.locator("img, b, i").count() == 0
    assert text(page, "h1") == "<img src=x onerror=alert(1)>"
    assert "<img onerror=alert(1)>" in text(page, ".panels")


@needs_browser
def test_page_without_agents_asks_for_what_it_can_show(opened: Opened) -> None:
    page = opened(KripkeModel(["w", "v"], {}, {"p": ["w"]}))
    assert text(page, ".panels .hint") == "Choose a world to see what is true there."


@needs_browser
def test_the_table_of_a_step_stands_beside_it(opened: Opened) -> None:
    rows = (("player", "wolf"), ("Ann", "50 %"))
    page = opened([visualise.Frame("night", two_worlds(), rows), visualise.Frame("day", two_worlds())])
    assert page.locator(".panels td").all_text_contents() == ["Ann", "50 %"]
    page.click(".redo")
    turned(page, 1)
    assert page.locator(".panels td").count() == 0


@needs_browser
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", ["gossip", "russian-cards", "three-wise-men"])
def test_every_world_is_in_view_or_counted(opened: Opened, name: str, width: int) -> None:
    page = opened(puzzle(name), width=width)
    for step in range(1, min(4, page.locator(".chips li").count())):
        page.click(".redo")
        turned(page, step)
        page.wait_for_function(COUNTED)


COUNTED = """() => {
  const box = document.querySelector(".canvas").getBoundingClientRect();
  const outside = [...document.querySelectorAll(".canvas .world .face")].filter((face) => {
    const b = face.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2;
    return x < box.left || x > box.right || y < box.top || y > box.bottom;
  }).length;
  const caption = document.querySelector(".caption"), button = caption.querySelector("button");
  const said = /^(\\d+) worlds? (is|are) out of view/.exec(caption.textContent);
  const seen = !said || button.getBoundingClientRect().bottom <= caption.getBoundingClientRect().bottom + 1;
  return seen && outside === Number(said?.[1] ?? 0);
}"""


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
        "return [of('#explorer', 'backgroundColor'), of('.canvas svg > rect', 'fill'), of('.face', 'stroke'),"
        " of('.world text', 'fill'), of('.agent:nth-of-type(2) line', 'stroke'),"
        " of('.edge[data-agents=\"1\"] path', 'stroke')]; }"
    )
    dark = theme == "dark" or (theme is None and scheme == "dark")
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 > 128 for colour in shown]
    assert bright[:4] == ([False, False, True, True] if dark else [True, True, False, False])
    assert shown[4] == shown[5]


@needs_browser
def test_the_button_changes_the_colours(opened: Opened) -> None:
    page = opened(puzzle("muddy-children", n=2))
    page.click(".looks")
    page.wait_for_selector("[data-theme=dark] .canvas svg > rect[fill='#16191D']")


@needs_browser
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", ["muddy-children", "gossip", "hexa"])
def test_names_can_be_read(opened: Opened, name: str, width: int) -> None:
    page = opened(puzzle(name), width=width)
    smallest, wide = page.evaluate(
        "() => { const all = [...document.querySelectorAll('.canvas text')];"
        "const shown = all.filter(text => text.checkVisibility());"
        "const size = t => Number(t.getAttribute('font-size')) * t.getScreenCTM().a;"
        "return [Math.min(...shown.map(size)), document.documentElement.scrollWidth]; }"
    )
    assert smallest >= 10.99
    assert wide <= width


@needs_browser
def test_a_finger_chooses_a_world_and_the_next_step(opened: Opened) -> None:
    page = opened(puzzle("muddy-children", n=3), width=PHONE)
    page.tap(world("111"))
    assert worlds(page, ".chosen") == ["111"]
    page.tap(".redo")
    turned(page, 1)


@needs_browser
def test_everything_is_done_with_the_keyboard_alone(muddy: Page) -> None:
    def tab_to(selector: str) -> None:
        for _ in range(30):
            if muddy.evaluate("s => document.activeElement.matches(s)", selector):
                return
            muddy.keyboard.press("Tab")
        pytest.fail(f"Tab does not reach {selector}")

    tab_to(".world")
    muddy.keyboard.press("ArrowLeft")
    muddy.keyboard.press("Enter")
    assert len(worlds(muddy, ".chosen")) == 1
    tab_to(".agent")
    muddy.keyboard.press("Space")
    assert "Lines of 1 are not shown." in text(muddy, ".caption")
    tab_to("select")
    muddy.keyboard.press("ArrowDown")
    muddy.keyboard.press("ArrowDown")
    assert worlds(muddy, ".true") == ["110", "111"]
    tab_to(".redo")
    muddy.keyboard.press("Enter")
    turned(muddy, 1)
    assert muddy.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


@needs_browser
def test_all_steps_are_printed_on_one_sheet(opened: Opened) -> None:
    page = opened(puzzle("muddy-children", n=3), formula="Kw_1 muddy_1")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    titles = page.locator(".strip figcaption").all_text_contents()
    assert [title.partition(".")[0] for title in titles] == ["0", "1", "2", "3"]
    models = puzzle("muddy-children", n=3).history().models
    true = sum(len(model.where("Kw_1 muddy_1")) for model in models)
    assert page.locator(".strip .world.true").count() == true
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".strip").inner_html() == ""
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf())) == 1


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_white(opened: Opened, scheme: str) -> None:
    page = opened(puzzle("muddy-children", n=2), scheme=scheme)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    colours = page.evaluate(
        "() => { const of = (s, k) => getComputedStyle(document.querySelector(s))[k];"
        "return [of('#explorer', 'backgroundColor'),"
        " of('.strip .face', 'fill'), of('.strip text', 'fill')]; }"
    )
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 > 128 for colour in colours]
    assert bright == [True, True, False]


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_white_hat_is_white_on_any_ground(opened: Opened, scheme: str) -> None:
    page = opened(puzzle("three-wise-men"), scheme=scheme)
    shapes = ".canvas .icon polygon[fill='#FFFFFF']"
    colours = page.eval_on_selector_all(shapes, "all => all.map(one => getComputedStyle(one).fill)")
    assert len(colours) == 18
    assert set(colours) == {"rgb(255, 255, 255)"}
    ground = page.evaluate("getComputedStyle(document.querySelector('#explorer')).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
