from __future__ import annotations

from html.parser import HTMLParser

import pytest

from kripke_werewolf.avalon import Avalon, Rules, intended, published
from kripke_werewolf.avalon.telling import known, news

RULES = [
    published(),
    published(merlin=True, higher_order=True, assassinate=True),
    intended(merlin="naive", higher_order=True, assassinate=True),
]


@pytest.mark.parametrize("rules", RULES)
def test_the_same_seed_tells_the_same_game(rules: Rules) -> None:
    told = str(Avalon(rules).play(rng=4))
    assert told == str(Avalon(rules).play(rng=4))
    assert told != str(Avalon(rules).play(rng=5))


@pytest.mark.parametrize("rules", RULES)
def test_everything_that_happens_is_told(rules: Rules) -> None:
    played = Avalon(rules).play(rng=4)
    lines = str(played).splitlines()
    assert f"The deal: {played.deal}" in lines
    assert lines[-1] == f"The end: {played.outcome}"
    for turn in played.turns:
        now = turn.state.now
        (proposal,) = [
            n
            for n, line in enumerate(lines)
            if line.startswith(f"Quest {now.quest}, proposal {now.attempt}:")
        ]
        for line, (player, vote) in zip(lines[proposal + 1 :], turn.votes.items(), strict=False):
            assert line.split()[:3] == [
                str(player),
                played.deal.role(player),
                "for" if vote.holds else "against",
            ]
            assert vote.formula.unicode() in line
        if turn.announcement is not None:
            assert sum(turn.announcement.unicode() in line for line in lines if "announced" in line) >= 1


@pytest.mark.parametrize("rules", RULES)
def test_what_is_told_as_known_now_is_new(rules: Rules) -> None:
    played = Avalon(rules).play(rng=4)
    deal = played.deal
    told = known(played.turns[0].state.knowledge, deal)
    for turn in played.turns:
        for before, after in ((turn.state.knowledge, turn.heard), (turn.heard, turn.after)):
            learnt = news(before, after, deal)
            assert not told.keys() & learnt.keys()
            told |= learnt
            assert told == known(after, deal)  # what is known stays known, and all of it has been told


def test_worlds_that_do_not_say_who_is_merlin_tell_nothing_about_him() -> None:
    told = str(Avalon(published(merlin=True)).play(rng=4))
    assert "is Merlin" not in told
    assert "is not Merlin" not in told


class Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_is_whole_and_holds_the_story() -> None:
    played = Avalon(RULES[2]).play(rng=4)
    page = Checker()
    page.feed(played.html())
    assert page.open == []
    for turn in played.turns:
        for vote in turn.votes.values():
            assert vote.formula.unicode() in page.text
