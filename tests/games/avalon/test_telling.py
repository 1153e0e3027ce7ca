from textwrap import wrap

import pytest

from kripke_werewolf.games.avalon import Avalon, Rules, intended, published
from kripke_werewolf.games.avalon.telling import known_facts, news
from kripke_werewolf.logic.formulas import conjunction
from kripke_werewolf.logic.models.model import Numbered

RULES = [
    published(),
    published(merlin=True, higher_order=True, assassinate=True),
    intended(merlin="naive", higher_order=True, assassinate=True),
]


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
    told = known_facts(played.turns[0].state.knowledge, deal)
    for turn in played.turns:
        for before, after in ((turn.state.knowledge, turn.heard), (turn.heard, turn.after)):
            learnt = news(before, after, deal)
            assert not told.keys() & learnt.keys()
            told |= learnt
            assert known_facts(after, deal).keys() <= told.keys()  # all that is known has been told
            assert all(after.holds(f, deal) for f in told)  # and what is known stays known


@pytest.mark.parametrize("rules", RULES)
def test_good_players_are_told_to_know_all_they_know_of_who_is_evil(rules: Rules) -> None:
    """The facts told about a good player leave exactly the evil pairs that they consider possible."""
    played = Avalon(rules).play(rng=4)
    deal = played.deal
    for knowledge in (turn.after for turn in played.turns):
        worlds = knowledge.model.worlds
        here = worlds.index(knowledge.world(deal))
        for i in deal.good:
            told = conjunction(f for f in known_facts(knowledge, deal) if str(f).startswith(f"K_{i} "))
            left = {w.evil for w in worlds if knowledge.holds(told, w)}
            assert left == {worlds[w].evil for w in Numbered(knowledge.model).successors(str(i), here)}


def test_what_the_leader_goes_by_is_told() -> None:
    """The evil leader of this game asks who is evil and who knows it; nobody does yet."""
    played = Avalon(intended(merlin="naive")).play(rng=1)
    turn, lines = played.turns[0], str(played).splitlines()
    assert played.deal.evil == (2, 4)
    assert turn.state.now.leader == 2
    assert set(turn.choice.moves) == {(1, 2), (1, 4), (2, 3), (2, 5), (3, 4), (4, 5)}
    start = lines.index("2 (evil) may propose 6 parties; of what they ask is true")
    assert lines[start + 1 : start + 4] == ["  K_2 e_2  true", "  K_2 e_4  true", ""]


def test_a_long_formula_is_told_whole() -> None:
    played = Avalon(intended(merlin="cautious", higher_order=True)).play(rng=5)
    lines = str(played).splitlines()
    decisions = [d for turn in played.turns for d in (*turn.votes.values(), *turn.cards.values())]
    assert max(len(d.formula.unicode()) for d in decisions) > 1000
    for decision in decisions:
        pieces = wrap(decision.formula.unicode(), 120)
        assert any(
            all(piece in line for piece, line in zip(pieces, lines[n:], strict=False))
            for n in range(len(lines))
        )
    assert max(map(len, lines)) < 160


def test_worlds_that_do_not_say_who_is_merlin_tell_nothing_about_him() -> None:
    told = str(Avalon(published(merlin=True)).play(rng=4))
    assert "is Merlin" not in told
    assert "is not Merlin" not in told
