"""What groups know follows from what their members know, whatever the order, the size, or the engine."""

import random
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import GameError, ModelTooLarge
from kripke_werewolf.games.werewolf import engines, game_models, questions
from kripke_werewolf.games.werewolf.declarations import atoms_of
from kripke_werewolf.logic.models.model import Numbered
from tests.games.werewolf.test_own_information import play

NAMES = [f"P{i}" for i in range(1, 41)]


def of_each(kind: Any, group: list[str], body: kw.Formula) -> list[kw.Formula]:
    return [kind(agent, body) for agent in group]


def defined(group: list[str], f: kw.Formula) -> Iterator[tuple[kw.Formula, kw.Formula]]:
    """Yield operators of a group, each with a formula that means the same by definition."""
    some, every = kw.disjunction, kw.conjunction
    yield kw.E(group, f), every(of_each(kw.K, group, f))
    yield kw.Sk(group, f), some(of_each(kw.K, group, f))
    yield kw.Em(group, f), some(of_each(kw.M, group, f))
    yield kw.Em(group, f), ~kw.E(group, ~f)
    yield kw.Ew(group, f), every(kw.K(agent, f) | kw.K(agent, ~f) for agent in group)
    for box, dual, whether in ((kw.C, kw.Cm, kw.Cw), (kw.D, kw.Dm, kw.Dw)):
        yield dual(group, f), ~box(group, ~f)
        yield whether(group, f), box(group, f) | box(group, ~f)


def one_game(
    rules: Any, players: int, wolves: int, moves: int, seed: int, **options: Any
) -> kw.QuantumWerewolf:
    """Return a game after some random moves, often in the middle of a phase."""
    game = kw.QuantumWerewolf(NAMES[:players], wolves=wolves, rules=rules, rng=seed, **options)
    return play(game, random.Random(seed), moves)


@st.composite
def games(draw: st.DrawFn) -> kw.QuantumWerewolf:
    """A small game of one of the rule sets, in either deal."""
    options = draw(st.sampled_from([{}, {"targets": "public"}, {"deal": "classical"}]))
    rules, moves = draw(st.sampled_from(["cisra", "gekka", "straat"])), draw(st.integers(0, 8))
    game = one_game(rules, draw(st.integers(3, 4)), 1, moves, draw(st.integers(0, 2**32 - 1)), **options)
    assume(game.size > 0)
    return game


def groups(players: Any) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(players), min_size=1, max_size=3, unique=True)


def facts(game: kw.QuantumWerewolf) -> st.SearchStrategy[kw.Formula]:
    """A fact, or one of several; often one that somebody knows."""
    atoms = st.sampled_from([kw.Atom(atom) for atom in atoms_of(game.setup)])
    literal = st.builds(lambda atom, negated: ~atom if negated else atom, atoms, st.booleans())
    return st.lists(literal, min_size=1, max_size=3).map(kw.disjunction)


@given(st.data(), st.integers(1, 20))
def test_groups_in_models_are_defined_by_their_members(data: Any, size: int) -> None:
    agents = [f"a{i}" for i in range(size)]
    model = kw.KripkeModel.from_observations(
        range(6),
        {
            agent: dict(enumerate(data.draw(st.tuples(*[st.integers(0, 2)] * 6)))).__getitem__
            for agent in agents
        },
        lambda world: {"p"} if world % 2 else {"q"},
    )
    for f in (kw.parse("p"), kw.parse(f"K_{agents[-1]} p")):
        for short, long in defined(agents, f):
            assert Numbered(model).mask(short).tolist() == Numbered(model).mask(long).tolist()
        # common knowledge: everybody knows it, and that everybody does, as often as there are worlds
        often = reduce(lambda g, _: kw.E(agents, f & g), range(6), f)
        assert Numbered(model).mask(kw.C(agents, f)).tolist() == Numbered(model).mask(often).tolist()


@given(games(), st.data())
def test_groups_in_games_are_defined_by_their_members(game: kw.QuantumWerewolf, data: Any) -> None:
    group, f = data.draw(groups(game.players)), data.draw(facts(game))
    other = data.draw(st.sampled_from(game.players))
    f = data.draw(st.sampled_from([f, kw.K(other, f), ~kw.K(other, f)]))
    for short, long in data.draw(st.lists(st.sampled_from([*defined(group, f)]), min_size=1, max_size=3)):
        assert game.ask(short).verdict == game.ask(long).verdict, short


@given(games(), st.data())
def test_answers_part_by_part_are_those_of_the_model_of_all(game: kw.QuantumWerewolf, data: Any) -> None:
    group, f = data.draw(groups(game.players)), data.draw(facts(game))
    i, j = (data.draw(st.sampled_from(game.players)) for _ in range(2))
    nested = [
        kw.K(i, kw.E(group, f)),
        kw.E(group, kw.K(j, f)),
        kw.E(group, kw.E(group, f)),
        kw.M(i, kw.E(group, f)),
        kw.K(i, kw.Em(group, f)),
        kw.K(i, kw.Sk(group, f)),
        kw.C(group, kw.Sk(group, f)),
        kw.K(i, kw.K(j, f) & kw.C(group, f)),
        kw.E(group, f) & f,
        *(short for short, _ in defined(group, f)),
        kw.C(group, f),
        kw.D(group, f),
    ]
    for asked in data.draw(st.lists(st.sampled_from(nested), min_size=1, max_size=4)):
        try:
            joint = game.ask(asked, engine="explicit", limit=200_000)
        except ModelTooLarge:
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engines, "MANY", 0)  # as if every model were too large to be listed
            parts = game.ask(asked)
        assert parts.verdict.fraction == joint.verdict.fraction, asked
        assert parts.more == joint.more, asked


@given(games(), st.data())
def test_what_the_public_knows_is_common_knowledge(game: kw.QuantumWerewolf, data: Any) -> None:
    f, everybody = data.draw(facts(game)), list(game.players)
    asked = questions.AskedOfGame.of(game, f, limit=10**6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "MANY", data.draw(st.sampled_from([0, 10**6])))  # counted, or not
        public = asked._is_public(f)
    if public:
        assert all(game.ask(kw.K(i, kw.K(j, f))).holds for i in everybody for j in everybody)


@given(games(), st.data())
def test_order_and_repetition_in_a_group_do_not_matter(game: kw.QuantumWerewolf, data: Any) -> None:
    group, f = data.draw(groups(game.players)), data.draw(facts(game))
    again = data.draw(st.permutations([*group, *data.draw(st.lists(st.sampled_from(group)))]))
    operators = (kw.E, kw.Sk, kw.C, kw.D, kw.Em, kw.Ew, kw.Cm, kw.Cw, kw.Dm, kw.Dw)
    for kind in data.draw(st.lists(st.sampled_from(operators), min_size=1, max_size=2)):
        assert kind(group, f) is kind(again, f)
        letter = str(kind(group, f)).partition("_")[0]
        body = f"({f})"
        text = f"{letter}_{{{','.join(again)}}} {body}"
        numbers = f"{letter}_{{{','.join(str(game.players.index(p) + 1) for p in again)}}} {body}"
        if game.setup.numbers_hidden:
            numbers = text
        assert game.ask(text).verdict == game.ask(numbers).verdict == game.ask(kind(group, f)).verdict


@settings(max_examples=4)
@given(st.sampled_from(["cisra", "gekka"]), st.integers(0, 3), st.integers(0, 2**32 - 1), st.data())
def test_groups_by_tables_are_defined_by_their_members(rules: Any, moves: int, seed: int, data: Any) -> None:
    game = one_game(rules, 3, 1, moves, seed)
    group, f = data.draw(groups(game.players)), data.draw(facts(game))
    try:
        pairs = [(short, long, game.ask(short, reading="exact")) for short, long in defined(group, f)]
    except GameError:  # too much is to be searched
        return
    for short, long, answer in pairs:
        assert answer.verdict == game.ask(long, reading="exact").verdict, short
        if answer.holds and isinstance(short, kw.Everyone):
            assert game.ask(kw.Sk(group, f), reading="exact").holds


def steps_for(game: kw.QuantumWerewolf, question: Any) -> int:
    """Return how many views are counted and how many events are put into models for a question."""
    steps = 0

    def counted(original: Any) -> Any:
        def call(*args: Any, **named: Any) -> Any:
            nonlocal steps
            steps += 1
            return original(*args, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "seen_worlds", counted(engines.seen_worlds))
        patch.setattr(game_models, "after_event", counted(game_models.after_event))
        question(game)
    return steps


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("players", [8, 11])
def test_the_cost_of_a_group_is_at_most_that_of_its_members(rules: str, players: int) -> None:
    game = one_game(rules, players, players // 5, 2 * players, 1)
    everybody = "{" + ",".join(game.players) + "}"
    one = max(1, *(steps_for(game, lambda g, p=p: g.ask(f"K_{p} wolf_P4")) for p in game.players[:3]))
    for operator in ("E", "Sk", "Em", "Ew", "C", "Cm", "Cw"):
        asked = f"{operator}_{everybody} wolf_P4"
        assert steps_for(game, lambda g, f=asked: g.ask(f)) <= 5 * one * players, asked
    for asked in (f"E_{everybody} E_{everybody} wolf_P4", f"K_P1 E_{everybody} wolf_P4"):
        assert steps_for(game, lambda g, f=asked: g.ask(f)) <= 5 * one * players**2, asked
    assert steps_for(game, lambda g: g.ask("who knows wolf_P4")) <= 5 * one * players


def test_everybody_knows_what_was_told_in_public_in_a_large_game() -> None:
    game = kw.QuantumWerewolf(NAMES[:20], wolves=4, rules=kw.preset("cisra", announce_vote="role"), rng=1)
    game = game.end_phase(missing="random").vote_off("P20", role="villager")
    everybody = "{" + ",".join(game.players) + "}"
    for asked in (f"C_{everybody} ~wolf_P20", f"E_{everybody} C_{everybody} villager_P20"):
        assert game.ask(asked).holds
    assert not game.ask(f"C_{everybody} ~wolf_P1").holds


@pytest.mark.parametrize("depth", [1_000])
@pytest.mark.parametrize("shape", ["~", "K_P1 ", "K_P1 K_P2 ", "K_P1 ~K_P2 ~", "M_P1 ", "E_{P1,P2} "])
def test_questions_may_be_nested_deeply(depth: int, shape: str) -> None:
    question = shape * (depth // shape.count(" ") if " " in shape else depth) + "K_P1 wolf_P3"
    for players in (4, 12):
        game = one_game("cisra", players, 1 + (players > 4), 3, 1)
        answer = game.ask(question)
        assert answer.verdict in ("true", "false")
        assert game.handout("P1").ask(f"K_P1 {question}").verdict == game.ask(f"K_P1 {question}").verdict


def test_an_error_in_counting_is_not_taken_for_a_view_that_is_not_counted(monkeypatch: Any) -> None:
    def broken(handout: Any) -> Any:
        raise GameError("a fault in counting")

    game = one_game("cisra", 16, 4, 12, 1)
    monkeypatch.setattr(engines, "seen_worlds", broken)
    for ask in (
        lambda: game.ask("K_P1 wolf_P2"),
        lambda: game.probabilities("P1", "wolf_P2"),
        lambda: game.table(viewer="P1"),
        lambda: game.knowledge(),
        lambda: game.ask("who knows wolf_P2"),
        lambda: game.timeline("K_P1 wolf_P2"),
        lambda: game.handout("P1").ask("wolf_P2"),
    ):
        with pytest.raises(GameError, match="a fault in counting"):
            ask()
