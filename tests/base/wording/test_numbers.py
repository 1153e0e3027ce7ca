"""Percentages follow the language in which they are told: 33,3 % in German, 33,3% in Dutch."""

import re

import pytest

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.base.wording import LANGUAGES, in_language, word
from kripke_werewolf.games.werewolf.tale import tale
from kripke_werewolf.play.console.terminal import table_text
from kripke_werewolf.play.tabletop.views import table_view

WRITTEN = {"en": ".%", "ja": ".%", "nl": ",%", "de": ",\xa0%"}
"""The decimal mark of each language, and what ends a percentage."""


def in_english(text, language):
    """Return a text in a language with its percentages written as in English."""
    mark, end = WRITTEN[language][0], WRITTEN[language][1:]
    return re.sub(rf"(\d){re.escape(mark)}(\d)", r"\1.\2", text).replace(end, "%")


def percentages(text):
    return re.findall(r"[<>]?[\d.]+%", text)


def played(seed, *, rules="cisra"):
    """Return a game after a night or two, in which everybody has chosen at random."""
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed", "Flo"], rules=rules, rng=seed)
    for _ in range(6):
        if game.phase.kind == "vote" and game.verdict is None:
            game = game.vote_off(game.alive[seed % len(game.alive)])
        if game.verdict is None:
            game = game.end_phase(missing="random")
    return game


def test_every_language_says_how_it_writes_percentages():
    assert WRITTEN.keys() == set(LANGUAGES)
    for language, written in WRITTEN.items():
        assert word("<0.1%").told(language) == f"<0{written[0]}1{written[1:]}"
        assert word("100%").told(language) == f"100{written[1:]}"
        assert word("1.5").told(language) == "1.5"  # such as the number of a version


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("language", sorted(WRITTEN.keys() - {"en"}))
def test_the_same_numbers_are_told_in_every_language(seed, language):
    game = played(seed)
    handout, story = game.handout("Bo").document, tale(game, {})
    assert any("." in number for number in percentages(handout.to_markdown()))
    for document in (handout, story):
        told = in_language(document, language).to_markdown()
        assert percentages(in_english(told, language)) == percentages(document.to_markdown())
        assert language == "ja" or re.search(r"\d\.\d+\s?%", told) is None
    view = table_view(game.table())["rows"]
    assert [[in_english(cell, language) for cell in row] for row in in_language(view, language)] == view


@pytest.mark.parametrize("language", WRITTEN)
def test_the_decimals_of_a_column_stand_below_each_other(language):
    percentage = re.compile(rf"(\d)(?:{re.escape(WRITTEN[language][0])}\d)?{WRITTEN[language][1:]}")
    for seed in range(5):
        lines = table_text(table_view(played(seed).table()), language).split("\n")[1:]
        units = [{found.end(1) for found in percentage.finditer(line)} for line in lines]
        assert len({frozenset(places) for places in units if places}) == 1, lines
