"""Tables on a small screen: to the character, which doctests do not look at."""

from itertools import product

import pytest

from kripke_werewolf import QuantumWerewolf, preset
from kripke_werewolf.base.reports.tables import cell_width
from kripke_werewolf.base.wording import LANGUAGES, in_language
from kripke_werewolf.games.werewolf import rule_sheet
from kripke_werewolf.play.console.terminal import table_text, wrapped_string
from kripke_werewolf.play.tabletop.views import table_view

GAME = (
    QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules=preset("cisra", show_worlds=True), wolves=1)
    .end_phase()
    .vote_off("Cy", role="villager")
    .attack("Ann", "Bo")
    .end_phase()
)
WHOLE = """\
number    good   evil    dead
1        66.7%  33.3%    0%
2        66.7%  33.3%   33.3%
3       100%     0%    100%
4        66.7%  33.3%    0%
left: 6 worlds"""
QUARTERS = """\
player  human  wolf  dead
Ann       75%   25%    0%
Bo        75%   25%    0%"""


def shown(game):
    return [line.rstrip() for line in table_text(table_view(game.table(public=True))).split("\n")]


def test_percentages_are_in_line():
    assert shown(GAME) == WHOLE.split("\n")


def test_without_decimals_nothing_is_left_blank_for_them():
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="gekka", wolves=1)
    assert shown(game)[:3] == QUARTERS.split("\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_is_wider_than_the_screen(language):
    """Japanese has no blanks to break at, and its characters are two columns wide."""
    texts = [in_language(rule_sheet(preset(name)), language).to_text() for name in ("cisra", "straat")]
    for text, width in product(texts, (30, 47, 80)):
        lines = wrapped_string(text, width)
        assert max(map(cell_width, lines)) <= width
        assert "".join(lines).replace(" ", "") == text.replace(" ", "").replace("\n", "")
        assert not [line for line in lines if line.startswith(tuple("、。」）：；ー"))]
        assert len(lines) <= len(text.split("\n")) + 1.2 * cell_width(text) / (width - 12)  # they are full
        assert wrapped_string("\n".join(lines), width) == lines
