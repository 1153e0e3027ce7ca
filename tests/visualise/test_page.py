"""The interactive page, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import visualise
from kripke_werewolf import KripkeModel, private
from kripke_werewolf.errors import ModelError
from kripke_werewolf.puzzles import puzzle
from tests.visualise.browser import Browser, available, browsing
from tests.visualise.golden import hostile, two_worlds

needs_browser = pytest.mark.skipif(not available(), reason="there is no Chromium with its driver here")


class _Tags(HTMLParser):
    """Collects what a page would load or run."""

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def muddy(browser: Browser, tmp_path: Path) -> Iterator[Browser]:
    formulas = ["Kw_1 muddy_1", "muddy_1 & muddy_2"]
    browser.open(visualise.save(puzzle("muddy-children", n=3), tmp_path / "m.html", formulas=formulas))
    yield browser
    assert browser.errors() == []


def worlds(browser: Browser) -> list[str]:
    found: list[str] = browser.run(
        "return [...document.querySelectorAll('#stage .world')].map(w => w.dataset.name)"
    )
    return found


def lines(browser: Browser) -> int:
    return int(browser.run("return document.querySelectorAll('#stage .edge:not([hidden])').length"))


def text(browser: Browser, selector: str) -> str:
    return str(browser.run("return document.querySelector(arguments[0]).textContent", selector))


@needs_browser
def test_toggling_an_agent_changes_the_lines(muddy: Browser) -> None:
    assert lines(muddy) == 12
    muddy.click("#agent-1")
    assert lines(muddy) == 8
    muddy.click("#agent-1")
    assert lines(muddy) == 12


@needs_browser
def test_slider_changes_the_worlds(muddy: Browser) -> None:
    assert len(worlds(muddy)) == 8
    muddy.keys("#step", "\ue014")  # the right arrow key
    assert len(worlds(muddy)) == 7
    assert "father" in text(muddy, "#caption")
    muddy.click("#on")
    assert sorted(worlds(muddy)) == ["011", "101", "110", "111"]
    muddy.click("#back")
    muddy.click("#back")
    assert len(worlds(muddy)) == 8


@needs_browser
def test_choosing_a_world_shows_what_is_possible_there(muddy: Browser) -> None:
    muddy.run("document.querySelector('.world[data-name=\"110\"]').focus()")
    muddy.keys('.world[data-name="110"]', "\ue007")  # Enter
    assert "considers possible: 010; 110" in text(muddy, "#world")
    far = "return [...document.querySelectorAll('#stage .world.far')].map(w => w.dataset.name)"
    assert muddy.run(far) == ["000", "001", "011", "101"]
    muddy.click("#agent-0")
    assert "010" in muddy.run(far)
    muddy.keys('.world[data-name="110"]', "\ue00c")  # Escape
    assert muddy.run(far) == []


@needs_browser
def test_chosen_world_stays_chosen_through_updates(muddy: Browser) -> None:
    muddy.click('.world[data-name="110"] text')
    muddy.click("#on")
    assert muddy.run("return document.querySelector('.world.chosen').dataset.name") == "110"


@needs_browser
def test_formula_fills_worlds(muddy: Browser) -> None:
    choose = (
        "const choice = document.querySelector('#formula');"
        "choice.value = arguments[0]; choice.dispatchEvent(new Event('change'))"
    )
    filled = (
        "return [...document.querySelectorAll('#stage .world')]"
        ".filter(w => w.querySelector('.face').style.fill === 'var(--true)').map(w => w.dataset.name)"
    )
    muddy.run(choose, "1")
    assert muddy.run(filled) == ["110", "111"]
    assert "True at 2 of 8 worlds. At the designated worlds: true." in text(muddy, "#verdict")
    muddy.run(choose, "0")
    assert muddy.run(filled) == []
    muddy.click("#on")
    assert muddy.run(filled) == ["100"]


@needs_browser
def test_zoom_and_pan(muddy: Browser) -> None:
    box = "return document.querySelector('#stage svg').getAttribute('viewBox').split(' ').map(Number)"
    first = muddy.run(box)
    muddy.click("#in")
    near = muddy.run(box)
    assert near[2] < first[2]
    origin = {"type": "pointerMove", "origin": "viewport", "duration": 0}
    muddy.actions(
        {**origin, "x": 60, "y": 300},
        {"type": "pointerDown", "button": 0},
        {**origin, "x": 160, "y": 300, "duration": 50},
        {"type": "pointerUp", "button": 0},
    )
    moved = muddy.run(box)
    assert moved[0] < near[0]
    assert moved[2:] == near[2:]
    muddy.click("#fit")
    assert muddy.run(box)[2] > near[2]


@needs_browser
def test_hovering_tells_about_a_world(muddy: Browser) -> None:
    spot = muddy.run(
        "const b = document.querySelector('.world[data-name=\"110\"] .face').getBoundingClientRect();"
        "return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)]"
    )
    muddy.actions({"type": "pointerMove", "origin": "viewport", "x": spot[0], "y": spot[1], "duration": 0})
    assert text(muddy, "#tip").split("\n") == [
        "110",
        "muddy_1, muddy_2",
        "1: 010, 110",
        "2: 100, 110",
        "3: 110, 111",
    ]


@needs_browser
def test_screen_readers_get_names(muddy: Browser) -> None:
    roles = muddy.run(
        "return [...document.querySelectorAll('#stage .world')]"
        ".map(w => [w.getAttribute('role'), w.getAttribute('tabindex'), w.getAttribute('aria-label')])"
    )
    assert [stop for _, stop, _ in roles].count("0") == 1
    assert ["button", "0", "world 111, designated; true: muddy_1, muddy_2, muddy_3"] in roles
    assert len(roles) == 8
    assert "Agent 1 confuses" in text(muddy, "#words")


@needs_browser
def test_no_request_and_no_alert(browser: Browser, tmp_path: Path) -> None:
    browser.requests()
    options = {"title": "<img src=x onerror=alert(1)>", "formulas": ["K_{<b>ob} wolf_{<i>}"]}
    path = visualise.save(hostile(), tmp_path / "h.html", **options)  # type: ignore[arg-type]
    browser.open(path)
    browser.click('.world[data-w="0"] text')
    assert browser.requests() == [path.resolve().as_uri()]
    assert browser.errors() == []
    assert worlds(browser) == list(map(str, hostile().worlds))
    assert browser.run("return document.querySelectorAll('img, b, i').length") == 0
    assert text(browser, "h1") == "<img src=x onerror=alert(1)>"
    assert "<img onerror=alert(1)>" in text(browser, "#world")


@needs_browser
def test_narrow_screens_scroll_down_not_sideways(tmp_path: Path) -> None:
    path = visualise.save(puzzle("muddy-children", n=3), tmp_path / "m.html")
    with browsing(width=500, height=900) as narrow:
        narrow.open(path)
        wide, inner = narrow.run("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= inner


def test_page_of_a_model_without_agents() -> None:
    page = visualise.html(KripkeModel(["w"], {}, {"p": ["w"]}))
    assert 'class="world" data-w="0"' in page


@needs_browser
def test_page_is_printed_on_one_sheet(browser: Browser, tmp_path: Path) -> None:
    browser.open(visualise.save(puzzle("muddy-children", n=3), tmp_path / "m.html"))
    script = "document.querySelector('#stage .world').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    browser.run(script)
    assert "considers possible" in text(browser, "#world")
    pages = re.findall(rb"/Type\s*/Page\b", browser.pdf())
    assert len(pages) == 1


@needs_browser
def test_page_without_agents_asks_for_what_it_can_show(browser: Browser, tmp_path: Path) -> None:
    alone = KripkeModel(["w", "v"], {}, {"p": ["w"]})
    browser.open(visualise.save(alone, tmp_path / "m.html"))
    said = browser.run("return document.getElementById('world').textContent")
    assert said == "Choose a world to see what is true there."


# --- dark screens, phones, keys, paper ---------------------------------------------------------------

TAB, LEFT, RIGHT, UP, DOWN = "\ue004", "\ue012", "\ue014", "\ue013", "\ue015"
FOCUS = "const f = document.activeElement; return f.dataset.name || f.id"


@pytest.fixture
def plain_browser(browser: Browser) -> Iterator[Browser]:
    yield browser
    browser.devtools("Emulation.clearDeviceMetricsOverride")
    browser.scheme("")


@needs_browser
@pytest.mark.parametrize("theme", [None, "light", "dark", "print"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_dark_where_it_is_wanted(
    plain_browser: Browser, tmp_path: Path, theme: str | None, scheme: str
) -> None:
    options = {} if theme is None else {"theme": theme}
    path = visualise.save(puzzle("muddy-children", n=2), tmp_path / "m.html", formula="muddy_1", **options)  # type: ignore[arg-type]
    plain_browser.scheme(scheme)
    plain_browser.open(path)
    shown = plain_browser.run(
        "const of = (s, k) => getComputedStyle(document.querySelector(s))[k];"
        "return [of('body', 'backgroundColor'), of('#stage svg > rect', 'fill'), of('.face', 'stroke'),"
        " of('.world text', 'fill'), of('#agents-part label:nth-of-type(2) line', 'stroke'),"
        " of('.edge[data-agents=\"1\"] path', 'stroke')]"
    )
    dark = theme == "dark" or (theme is None and scheme == "dark")
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 > 128 for colour in shown]
    assert bright[:4] == ([False, False, True, True] if dark else [True, True, False, False])
    assert shown[4] == shown[5]
    assert plain_browser.errors() == []


@needs_browser
@pytest.mark.parametrize("name", ["muddy-children", "gossip", "hexa"])
def test_names_can_be_read_on_a_phone(plain_browser: Browser, tmp_path: Path, name: str) -> None:
    plain_browser.window(390, 844)
    plain_browser.open(visualise.save(puzzle(name), tmp_path / "m.html"))
    smallest, wide, high = plain_browser.run(
        "const svg = document.querySelector('#stage svg');"
        "const sizes = [...svg.querySelectorAll('text')].map(t => t.getAttribute('font-size'));"
        "const b = document.querySelector('#stage').getBoundingClientRect();"
        "const w = svg.querySelector('.world[tabindex=\"0\"] .face').getBoundingClientRect();"
        "return [Math.min(...sizes) * svg.getScreenCTM().a, document.documentElement.scrollWidth,"
        " w.left >= b.left && w.right <= b.right && w.top >= b.top && w.bottom <= b.bottom]"
    )
    assert smallest >= 10.99
    assert wide <= 390
    assert high


@needs_browser
def test_one_stop_for_all_worlds_and_arrows_among_them(muddy: Browser) -> None:
    stops = []
    muddy.run("document.activeElement.blur()")
    for _ in range(4):
        muddy.press(TAB)
        stops.append(muddy.run(FOCUS))
    assert stops == ["111", "in", "out", "fit"]
    muddy.run("document.querySelector('.world[tabindex=\"0\"]').focus()")
    middle = (
        "const b = document.activeElement.querySelector('.face').getBoundingClientRect();"
        "return [b.x + b.width / 2, b.y + b.height / 2]"
    )
    for key, axis, way in ((LEFT, 0, -1), (DOWN, 1, 1), (UP, 1, -1), (RIGHT, 0, 1)):
        before = muddy.run(middle)
        muddy.press(key)
        assert way * (muddy.run(middle)[axis] - before[axis]) > 0
        assert muddy.run("return document.activeElement.getAttribute('tabindex')") == "0"
    assert "1 of 4" in text(muddy, "#caption")
    name = muddy.run(FOCUS)
    muddy.press("\ue007")
    assert text(muddy, "#world").startswith(name)


@needs_browser
def test_a_tip_goes_with_its_world(muddy: Browser) -> None:
    spot = muddy.run(
        "const b = document.querySelector('.world[data-name=\"000\"] .face').getBoundingClientRect();"
        "return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)]"
    )
    muddy.actions({"type": "pointerMove", "origin": "viewport", "x": spot[0], "y": spot[1], "duration": 0})
    assert muddy.run("return document.getElementById('tip').hidden") is False
    muddy.run("document.getElementById('step').focus()")
    muddy.press(RIGHT)
    assert "000" not in worlds(muddy)
    assert muddy.run("return document.getElementById('tip').hidden") is True


@needs_browser
def test_a_story_that_grows_opens_near(browser: Browser, tmp_path: Path) -> None:
    browser.open(visualise.save(puzzle("gossip"), tmp_path / "g.html"))
    wide = "return document.querySelector('#stage svg').viewBox.baseVal.width"
    first = browser.run(wide)
    browser.click("#on")
    browser.click("#on")
    assert browser.run(wide) > first


@needs_browser
def test_all_steps_are_printed(browser: Browser, tmp_path: Path) -> None:
    browser.open(visualise.save(puzzle("muddy-children", n=3), tmp_path / "m.html", formula="Kw_1 muddy_1"))
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    titles = browser.run("return [...document.querySelectorAll('#strip figcaption')].map(f => f.textContent)")
    assert [title.partition(".")[0] for title in titles] == ["1", "2", "3", "4"]
    assert "Kw_1 muddy_1" in browser.run("return document.querySelector('#strip p').textContent")
    fills = browser.run("return [...document.querySelectorAll('#strip .face')].map(f => f.style.fill)")
    models = puzzle("muddy-children", n=3).history().models()
    assert fills.count("var(--true)") == sum(len(model.where("Kw_1 muddy_1")) for model in models)
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    assert browser.run("return document.getElementById('strip').children.length") == 0
    assert len(re.findall(rb"/Type\s*/Page\b", browser.pdf())) == 1


@pytest.mark.parametrize("name", ["width", "font_size"])
def test_a_page_has_the_width_of_its_window(name: str) -> None:
    with pytest.raises(ModelError, match=f"{name} is for pictures"):
        visualise.html(puzzle("hexa"), **{name: 9})  # type: ignore[arg-type]
