"""The story of a game, as text, Markdown and a page with plots."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from kripke_werewolf import QuantumWerewolf, preset, story
from kripke_werewolf.games.werewolf.tale import report

NAMES = ["<script>alert(1)</script>", '_An"n $x$', "Bo'b | *x*", "Ζoë 🐺", "d\\e &amp;"]


def played(rules, **settings):
    game = QuantumWerewolf(NAMES, rules=rules, rng=5, **settings)
    while game.verdict is None:
        voting = game.phase.kind == "vote"
        game = game.vote_off(game.alive[:2]) if voting else game.end_phase(missing="random")
    return game


@pytest.fixture(scope="module", params=["cisra", "gekka", "straat"])
def game(request):
    return played(request.param)


class Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.found, self.text, self.ids, self.open = [], "", [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        self.ids += [value for key, value in attributes if key == "id"]
        assert not [key for key, _ in attributes if key.startswith("on")]
        assert not [v for k, v in attributes if k in ("href", "src", "xlink:href") and not v.startswith("#")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        self.text += data


def test_the_story_tells_every_event(game):
    episodes = list(story(game))
    assert [e.step for e in episodes] == list(range(len(game.steps) + 1))
    assert [e.worlds for e in episodes] == [game.at(i).size for i in range(len(episodes))]
    assert [e.table for e in episodes] == [game.at(i).table() for i in range(len(episodes))]
    assert [e.phase for e in episodes[1:]] == [game.at(i).phase for i in range(len(episodes) - 1)]
    assert [e.public is not None for e in episodes] == [game.at(i).table_due for i in range(len(episodes))]
    assert all(event.in_full() for event in game.events if type(event).__name__ != "PhaseEnded")


def test_the_page(game):
    document = report(game)
    page = document.to_page()
    tags = Tags(page)
    assert "script" not in tags.found
    assert tags.found.count("svg") == sum(type(b).__name__ == "Figure" for b in document.blocks)
    assert len(tags.ids) == len(set(tags.ids))
    for name in NAMES:
        assert name in tags.text
    for event in game.events:
        assert event.in_full() in tags.text
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", page)
    assert "url(http" not in page


def test_markdown_refers_to_the_figures(game):
    document = report(game)
    names = [figure.name for figure in document.figures()]
    assert names[0] == "table"
    assert "dead" in names
    text = document.to_markdown({name: f"{name}.svg" for name in names})
    for name in names:
        assert f"]({name}.svg)" in text
    assert "<script>" not in text
    assert "![" not in document.to_markdown()
    assert NAMES[0] in document.to_text()


def test_a_game_that_is_not_over_and_one_without_moves():
    game = QuantumWerewolf(NAMES, rules="straat")
    text = report(game).to_text()
    assert "The game is not over: it is night 1, with 30 worlds left." in text
    assert "Step 1" not in text
    text = report(game.end_phase(), plots=False).to_text()
    assert "Step 1: Passed over: <script>alert(1)</script> (vision)" in text


def test_house_rules_and_numbers_are_named():
    rules = preset("cisra", burnings=2, vision_shows="role")
    text = report(QuantumWerewolf(NAMES, rules=rules, numbers=[5, 4, 3, 2, 1]), plots=False).to_text()
    assert "up to 2 players one after the other. A look shows the exact role." in text
    assert re.search(r"<script>alert\(1\)</script> .* 5\n", text)
    dealt = QuantumWerewolf(NAMES, rules="gekka", deal="classical", roles=["seer", "alpha", "v", "v", "v"])
    assert re.search(r"<script>alert\(1\)</script> +seer", report(dealt, plots=False).to_text())


def test_the_forced_collapse_and_the_draws_are_told():
    for seed in range(200):
        game = QuantumWerewolf(list("abcd"), rules="cisra", wolves=1, rng=seed)
        while game.verdict is None:
            voting = game.phase.kind == "vote"
            game = game.end_phase() if voting else game.end_phase(missing="random")
        if game.forced:
            text = report(game, plots=False).to_text()
            assert "one world is drawn" in text
            assert "by the forced collapse" in text
            return
    raise AssertionError("no game was forced")


def test_figures_are_svg_with_the_names_as_text(game):
    again = {figure.name: figure.svg for figure in report(game).figures()}
    for figure in report(game).figures():
        root = ElementTree.fromstring(figure.svg)
        texts = "".join(root.itertext())
        for name in NAMES:
            assert name in texts
        assert figure.svg == again[figure.name]
