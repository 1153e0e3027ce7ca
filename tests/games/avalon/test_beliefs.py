import pickle

import pytest

from kripke_werewolf import GameError, KripkeModel, UnknownNameError, parse
from kripke_werewolf.games.avalon import Avalon, Deal, Evil, Good, choose, intended, published, simulate
from kripke_werewolf.logic.models.model import Numbered
from tests.cases import cases, each

RULES = intended(announcements="policy")


class Approving(Evil):
    """Approve of every party."""

    def approves(self, player, party, now):
        return True


class Wavering(Evil):
    def approves(self, player, party, now):
        return choose({True: "1/2", False: "1/2"})


def holder(model: KripkeModel, player: int, deal: Deal):
    """Return the query function of a player in a plain model."""

    def holds(f) -> bool:
        known, ruled_out = (model.holds(f"K_{player} ({g})", at=deal) for g in (f, f"~({f})"))
        assert known or ruled_out
        return known

    return holds


def replayed(game: Avalon, played) -> None:
    """Compare the beliefs of a play with ranks counted move by move in plain Kripke models."""
    deals = [*played.turns[0].state.knowledge.points.names]
    rank, left = dict.fromkeys(deals, 0), list(deals)
    believed = game.believed

    def model_now() -> KripkeModel:
        def cell(i, deal):
            alike = [
                d for d in left if (d == deal if i == deal.merlin else d.observed(i) == deal.observed(i))
            ]
            return [d for d in alike if rank[d] == min(rank[e] for e in alike)]

        pairs = {str(i): [(d, e) for d in left for e in cell(i, d)] for i in game.rules.seats}
        atoms = {f"e_{i}": [d for d in left if i in d.evil] for i in game.rules.seats}
        atoms |= {f"m_{i}": [d for d in left if d.merlin == i] for i in game.rules.seats}
        return KripkeModel(left, pairs, atoms)

    def surprised(model, player, expects) -> None:
        for deal in left:
            rank[deal] += not expects(deal, believed.strategies()[deal.role(player)], model)

    for turn in played.turns:
        now, party = turn.state.now, turn.party
        surprised(
            model_now(),
            now.leader,
            lambda d, s, m, now=now, party=party: party in s.party(now.leader, now, holder(m, now.leader, d)),
        )
        model = model_now()  # all vote at once
        for i, vote in turn.votes.items():
            surprised(
                model,
                i,
                lambda d, s, m, i=i, vote=vote, now=now, party=party: (
                    m.holds(s.approves(i, party, now), at=d) == vote.holds
                ),
            )
        if turn.announcement is not None:
            left = [d for d in left if model_now().holds(turn.announcement, at=d)]
        model, found = model_now(), turn.after.model
        assert set(found.worlds) == set(left)
        for i in game.rules.seats:
            for d in left:
                seen = {found.worlds[v] for v in Numbered(found).successors(str(i), found.worlds.index(d))}
                assert seen == {left[v] for v in Numbered(model).successors(str(i), left.index(d))}


@each([(RULES, 1), (intended(), 2), (intended(merlin="naive", assassinate=True), 1)])
def test_beliefs_are_of_the_worlds_with_the_fewest_unexpected_moves(rules, seed: int) -> None:
    game = Avalon(rules, evil=Approving(), beliefs={"evil": Evil()})
    replayed(game, game.play(rng=seed))


def test_who_expects_the_strategies_that_are_played_is_never_wrong() -> None:
    game = Avalon(RULES, evil=Approving(), beliefs={"evil": Approving()})
    for seed in range(3):
        played = game.play(rng=seed)
        for turn in played.turns:
            for i in game.rules.seats:
                assert turn.after.cell(i, played.deal) >> turn.after.number(played.deal) & 1


def test_who_expects_others_may_be_wrong_and_lose_by_it() -> None:
    """An evil player who approves of good parties looks good to players who do not expect it."""
    wrong = Avalon(intended(), evil=Approving(), beliefs={"evil": Evil()})
    right = Avalon(intended(), evil=Approving(), beliefs={"evil": Approving()})
    plays = [wrong.play(rng=seed) for seed in range(6)]
    assert any(
        turn.after.holds(parse(f"K_{i} ~e_{e} & e_{e}"), played.deal)
        for played in plays
        for turn in played.turns
        for i in played.deal.good
        for e in played.deal.evil
    )
    assert "rightly or wrongly" in str(plays[0])
    results = [simulate(game, 40, rng=1) for game in (wrong, right)]
    assert results[0].interval()[1] < results[1].interval()[0]


def test_beliefs_are_part_of_what_is_played() -> None:
    game, other = Avalon(RULES, beliefs={"evil": Evil()}), Avalon(RULES, beliefs={"evil": Approving()})
    assert game == Avalon(RULES, beliefs={}) != other
    assert Avalon(RULES) != game
    assert game.strategies()["believed evil"] == Evil()
    assert simulate(game, 5, rng=1).about["strategies"]["believed good"] == "Good()"
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    knowledge = game.play(rng=1).turns[0].after
    assert pickle.loads(pickle.dumps(knowledge)) is knowledge
    assert "believed evil Evil()" in repr(game)


def test_a_mixed_strategy_may_be_believed_in() -> None:
    game = Avalon(RULES, beliefs={"evil": Wavering()})
    start = next(iter(game.starts()))
    (_, p), *_ = game.turns(start, (1, 2))
    assert p == 1


@cases(
    (RULES, {"wolf": Evil()}, UnknownNameError, "unknown role 'wolf'"),
    (RULES, {"evil": Good()}, GameError, "has no fails and no suspects"),
    (RULES, Evil(), GameError, "is not a mapping"),
    (RULES, {"merlin": Good()}, GameError, "merlin=None"),
    (published(merlin=True), {}, GameError, "worlds='roles' or no Merlin"),
    (published(), {}, GameError, "beliefs need fifth='fails'"),
)
def test_impossible_beliefs_are_refused(rules, beliefs, error, said: str) -> None:
    with pytest.raises(error, match=said):
        Avalon(rules, beliefs=beliefs)
