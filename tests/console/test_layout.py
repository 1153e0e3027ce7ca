"""Tables on a small screen: to the character, which doctests do not look at."""

import pytest

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.console.layout import table_text

GAME = (
    QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="cisra", wolves=1)
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
BESIDE = """\
number    good   evil    dead   |  number    good   evil    dead
1        66.7%  33.3%    0%     |  3       100%     0%    100%
2        66.7%  33.3%   33.3%   |  4        66.7%  33.3%    0%
left: 6 worlds"""
SHORT = """\
no.    good   evil    dead   |  no.    good   evil    dead
1     66.7%  33.3%    0%     |  3    100%     0%    100%
2     66.7%  33.3%   33.3%   |  4     66.7%  33.3%    0%
left: 6 worlds"""


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (None, WHOLE),
        ((80, 6), WHOLE),
        ((80, 5), BESIDE),
        ((64, 4), BESIDE),
        ((63, 4), SHORT),  # one column less: the heading is shortened
        ((58, 4), SHORT),
        ((57, 4), WHOLE),  # too narrow for two blocks: it comes in pages
    ],
)
def test_percentages_in_line_and_as_many_blocks_as_fit(size, expected):
    found = table_text(GAME.table(public=True), size)
    assert [line.rstrip() for line in found.split("\n")] == expected.split("\n")
    assert all(len(line) <= (size or (80,))[0] for line in found.split("\n"))
