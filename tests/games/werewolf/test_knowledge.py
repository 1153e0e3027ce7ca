"""What players know: the model of a game against the full product of all action models."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import (
    DiagramTooLarge,
    GameError,
    IllegalMove,
    ModelTooLarge,
    UnknownAgentError,
    UnknownAtomError,
)
from kripke_werewolf.games.werewolf import questions
from kripke_werewolf.games.werewolf.declarations import atoms_of
from kripke_werewolf.games.werewolf.events import Said, is_action
from kripke_werewolf.logic.models.model import Numbered
from tests.cases import each
from tests.reference.game_model import game_model, product_size, without_dominance
from tests.strategies import formulas

PLAYERS = ["Ann", "Bo", "Cy", "Di"]


@st.composite
def games(
    draw: st.DrawFn, *, words: bool = True, deals: tuple[Any, ...] = ("quantum",)
) -> kw.QuantumWerewolf:
    """A random game of a random rule set, short enough for the full product."""
    rules, options = draw(
        st.sampled_from(
            [
                ("cisra", {}),
                ("cisra", {"vision_worlds": "alive"}),
                ("cisra", {"forced_collapse": "parity"}),
                ("cisra", {"vision_shows": "role"}),
                ("gekka", {}),
                ("gekka", {"first_attack": True}),
                ("straat", {}),
                ("straat", {"announce_vote": "side"}),
            ]
        )
    )
    players, deal = PLAYERS[: draw(st.integers(3, 4))], draw(st.sampled_from(deals))
    game = kw.QuantumWerewolf(
        players,
        wolves=draw(st.integers(1, 2)) if rules != "gekka" else 1,
        rules=kw.preset(rules, **options),
        targets=draw(st.sampled_from(["secret", "public"])),
        deal=deal,
        rng=draw(st.integers(0, 10_000)),
    )
    for _ in range(draw(st.integers(0, 5))):
        if game.verdict is not None:
            break
        speaks = words and deal == "quantum" and draw(st.integers(0, 4)) == 0
        following = _word(draw, game) if speaks else _move(draw, game)
        if following is None or product_size(following, _two(game)) > 40_000:
            break
        game = following
    assume(game.size > 0)
    return game


def _two(game: kw.QuantumWerewolf) -> tuple[str, ...]:
    """Two players whose knowledge is asked about: every other one would multiply the worlds."""
    return game.players[:2]


def _move(draw: st.DrawFn, game: kw.QuantumWerewolf) -> kw.QuantumWerewolf | None:
    if game.phase.kind == "vote":
        return game.vote_off(draw(st.sampled_from(game.alive)))
    possible = [(n, a) for n, actions in game.may_act.items() for a in actions]
    if not possible or draw(st.integers(0, 5)) == 0:
        return game.end_phase()
    name, action = draw(st.sampled_from(possible))
    targets = game.legal_targets(name, action)
    if not targets:
        return game.end_phase()
    target = draw(st.sampled_from(targets))
    return game.vision(name, target) if action == "vision" else game.attack(name, target)


def _word(draw: st.DrawFn, game: kw.QuantumWerewolf) -> kw.QuantumWerewolf | None:
    speaker = draw(st.sampled_from([name for name in _two(game) if name in game.alive] or game.alive))
    what = kw.K(speaker, draw(_questions(game, depth=1)))
    others = [p for p in game.players if p != speaker]
    to = draw(st.lists(st.sampled_from(others), max_size=2, unique=True))
    try:
        if to:
            return game.private(speaker, to, what, noticed=draw(st.booleans()))
        return game.claim(speaker, what, believed=draw(st.booleans()))
    except IllegalMove:
        return None


def _questions(game: kw.QuantumWerewolf, depth: int = 3) -> st.SearchStrategy[kw.Formula]:
    return formulas(
        agents=_two(game),
        atoms=atoms_of(game.setup),
        dynamic=False,
        quantifiers=False,
        everywhere=False,
        max_depth=depth,
    )


@given(st.data())
def test_asking_gives_the_same_as_the_full_product(data: Any) -> None:
    game = data.draw(games(deals=("quantum", "classical")))
    words = {agent for e in game.events if isinstance(e, Said) for agent in kw.parse(e.formula).agents}
    assume(product_size(game, words | {*_two(game)}) <= 100_000)
    reference = game_model(game, words | {*_two(game)})
    for f in data.draw(st.lists(_questions(game), min_size=1, max_size=3)):
        engines = ["symbolic"] if any(event.unnoticed for event in game.events) else ["explicit", "symbolic"]
        engines = ["explicit"] if game.setup.deal == "classical" else engines
        answer = game.ask(f, engine=data.draw(st.sampled_from(engines)))
        expected = reference.verdict(without_dominance(game, answer.formula))
        assert answer.verdict.fraction == expected.fraction, (f, answer, expected)


@given(games(words=False), st.data())
def test_designated_worlds_are_the_superposition_each_once(game: kw.QuantumWerewolf, data: Any) -> None:
    agents = data.draw(st.lists(st.sampled_from(game.players), unique=True, max_size=2))
    model = game.model(agents)
    assert sorted(str(w).split(" ")[0] for w in model.designated) == sorted(_worlds(game))


def _worlds(game: kw.QuantumWerewolf) -> list[str]:
    # the superposition marks the dead of fractional attacks only when they are officially dead
    return game.worlds.world_strings()  # type: ignore[attr-defined,no-any-return]


@given(games(words=False))
def test_designated_worlds_lie_in_one_class_of_every_player(game: kw.QuantumWerewolf) -> None:
    model = game.model(_two(game))
    for agent in model.agents:
        assert len(np.unique(model.arrays.relations[str(agent)].labels[Numbered(model).points])) == 1


@given(games(words=False), st.data())
def test_probability_one_is_knowledge(game: kw.QuantumWerewolf, data: Any) -> None:
    agent = data.draw(st.sampled_from(game.players))
    facts = formulas(
        agents=game.players,
        atoms=atoms_of(game.setup),
        modal=False,
        dynamic=False,
        max_depth=2,
        quantifiers=False,
        everywhere=False,
    )
    f = data.draw(facts)
    assert game.ask(kw.P(agent, f) >= 1).verdict == game.ask(kw.K(agent, f)).verdict


@given(games(words=False), st.data())
def test_answer_does_not_depend_on_who_else_is_modelled(game: kw.QuantumWerewolf, data: Any) -> None:
    f = data.draw(_questions(game, depth=2))
    answer = game.ask(f)
    more = data.draw(st.sets(st.sampled_from(_two(game)))) | answer.formula.agents
    assert game.model(more).verdict(answer.formula).fraction == answer.verdict.fraction


@given(games(words=False), st.data())
def test_knowledge_is_true_and_introspective(game: kw.QuantumWerewolf, data: Any) -> None:
    agent = data.draw(st.sampled_from(game.players))
    f = data.draw(_questions(game, depth=1))
    known, other = kw.K(agent, f), ~kw.K(agent, f)
    for law in (known >> f, known >> kw.K(agent, known), other >> kw.K(agent, other)):
        assert game.ask(law).holds


class TestWords:
    @pytest.fixture
    def game(self) -> kw.QuantumWerewolf:
        game = kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra")
        return game.vision("Ann", "Bo", result="evil").vision("Bo", "Di", result="good")

    def test_a_believed_claim_becomes_common_knowledge(self, game: kw.QuantumWerewolf) -> None:
        said = game.claim("Ann", "K_Ann (seer_Ann -> wolf_Bo)")
        assert said.ask("C_{Ann,Bo,Cy,Di} (seer_Ann -> wolf_Bo)").holds
        assert said.size == game.size
        assert said.since("K_Cy (seer_Ann -> wolf_Bo)").number == 3  # type: ignore[union-attr]

    def test_believing_an_open_fact_collapses_the_superposition(self) -> None:
        game = kw.QuantumWerewolf(["A", "B", "C", "D"], wolves=2).vision("A", "B", result="wolf")
        said = game.claim("B", "seer_B")
        assert (said.size, said.table()["B", "seer"]) == (3, 1)
        assert sorted(str(w).split(" ")[0] for w in said.model(["A"]).designated) == sorted(
            said.worlds.world_strings()  # type: ignore[attr-defined]
        )
        voted = said.vote_off("C", role="wolf")
        assert voted.ask("K_A seer_B").holds
        assert kw.replay(voted.log) == voted

    def test_a_mere_claim_changes_nothing(self, game: kw.QuantumWerewolf) -> None:
        said = game.claim("Ann", "K_Ann (seer_Ann -> wolf_Bo)", believed=False)
        assert not said.ask("K_Cy (seer_Ann -> wolf_Bo)").holds
        assert "claims" in str(said.news[0])

    def test_told_in_private(self, game: kw.QuantumWerewolf) -> None:
        seen = game.private("Ann", "Bo", "K_Ann (seer_Ann -> wolf_Bo)")
        assert seen.ask("K_Bo (seer_Ann -> wolf_Bo) & ~K_Cy (seer_Ann -> wolf_Bo)").holds
        assert seen.ask("K_Cy Kw_Bo K_Ann (seer_Ann -> wolf_Bo)").holds
        unseen = game.private("Ann", "Bo", "K_Ann (seer_Ann -> wolf_Bo)", noticed=False)
        assert unseen.ask("K_Bo (seer_Ann -> wolf_Bo)").holds
        assert unseen.ask("K_Cy ~K_Bo (seer_Ann -> wolf_Bo)").holds  # a false belief
        assert [m.to for m in unseen.news] == ["Bo"]
        with pytest.raises(GameError, match="symbolic"):
            unseen.model()

    @pytest.mark.parametrize(
        ("speaker", "to", "what", "said"),
        [
            ("Ann", [], "K_Ann wolf_Cy", "false in every surviving world"),
            ("Ann", ["Ann"], "K_Ann (seer_Ann -> wolf_Bo)", "name others"),
            ("Di", [], "wolf_Di", "Di is dead"),
        ],
    )
    def test_refused(
        self, game: kw.QuantumWerewolf, speaker: str, to: list[str], what: str, said: str
    ) -> None:
        game = game.end_phase().vote_off("Di", role="villager") if speaker == "Di" else game
        with pytest.raises(IllegalMove, match=said):
            game.private(speaker, to, what) if to else game.claim(speaker, what)

    def test_words_are_in_the_log(self, game: kw.QuantumWerewolf) -> None:
        said = game.private("Ann", ["Bo", "Cy"], "K_Ann (seer_Ann -> wolf_Bo)").claim("Bo", "~K_Bo wolf_Bo")
        assert kw.replay(said.log) == said


class TestVisionsOfNothing:
    """Where no world is left to draw from, the seer learns that they have died."""

    @pytest.fixture
    def game(self) -> kw.QuantumWerewolf:
        names, roles = ["Ann", "Bo", "Cy", "Di", "Ed"], ["wolf", "seer", "villager", "villager", "villager"]
        game = kw.QuantumWerewolf(names, wolves=1, rules="gekka", deal="classical", roles=roles)
        game = game.vision("Bo", "Di").vote_off("Di").attack("Ann", "Bo")
        return game.vision("Bo", "Cy")

    def test_everything_can_be_asked(self, game: kw.QuantumWerewolf) -> None:
        assert any("You look at Cy and see nothing." in told for told in game.handout("Bo").told)
        assert game.ask("K_Bo dead_Bo & ~K_Bo wolf_Ann").holds
        assert game.ask("K_Ann dead_Bo & ~K_Ann seer_Bo").holds
        assert "Cy" in game.ask("who knows dead_Bo").names
        assert game.timeline("K_Bo dead_Bo")[-1].verdicts[0] == "true"
        assert not any(compared.leaks for compared in game.audit())
        assert game.table(viewer="Bo")["Bo", "dead"] == 1
        assert game.knowledge().known("Bo", "Bo") == "seer"
        assert kw.replay(game.log) == game

    def test_two_seers(self) -> None:
        game = kw.QuantumWerewolf(PLAYERS, wolves=1, seers=2, rules="straat", deal="classical", rng=2)
        seers = [name for name, role in zip(PLAYERS, game.setup.roles or (), strict=True) if role == "seer"]
        for seer in seers:
            game = game.vision(seer, PLAYERS[0])
        role = (game.setup.roles or ())[0]
        assert all(game.ask(f"K_{seer} {role}_{PLAYERS[0]}").holds for seer in seers)

    def test_in_the_quantum_deal_the_seer_would_be_dead(self) -> None:
        game = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules=kw.preset("gekka", first_attack=True))
        game = game.attack("Ann", "Bo").attack("Cy", "Bo").vision("Bo", "Cy")
        assert game.events[2].result is None  # type: ignore[attr-defined]
        assert game.ask("K_Bo (seer_Bo -> dead_Bo)").holds
        assert not game.ask("K_Ann (seer_Bo -> dead_Bo)").holds


@each(["Mary Ann", "Mary_Ann", "K_Bo"])
def test_names_with_spaces_and_underscores_have_chances_by_the_tables(name: str) -> None:
    game = kw.QuantumWerewolf([name, "Bo", "Cy"], wolves=1, rules="gekka", rng=1)
    game = game.vision("Bo", "Cy").end_phase()
    shares = game.knowledge(reading="exact").shares
    for name in game.players:
        assert shares["Bo", name]["wolf"] == game.table(viewer="Bo", reading="exact")[name, "wolf"]
        assert shares["Bo", name]["wolf"] == game.table(public=True)[name, "wolf"]


def test_the_last_event_of_a_phase_includes_the_messages_of_the_next() -> None:
    game = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="cisra", rng=2)
    game = game.vision("Bo", "Cy", result="evil").vision("Cy", "Ann", result="good")
    game = game.vision("Ann", "Cy", result="good").end_phase()
    game = game.attack("Cy", "Ann").attack("Bo", "Ann")
    last = game.timeline("K_Bo wolf_Cy")[-1].event
    assert last == "Ann is told that only one role is left: villager. Then night 2, visions begins."


class TestPrivate:
    @given(games(words=False))
    def test_actions_at_night_are_shown_to_their_actor_alone(self, game: kw.QuantumWerewolf) -> None:
        for event in game.events:
            if is_action(event) and game.setup.targets == "secret":
                seen = [name for name in game.players if event.told_to(name, game.setup) is not None]
                assert seen == [event.actor]


class TestQuestions:
    @pytest.fixture
    def game(self) -> kw.QuantumWerewolf:
        game = kw.QuantumWerewolf(["Alice", "Bob", "Craig", "David"], wolves=2)
        return game.vision("Alice", "Bob", result="wolf").attack("Alice", "Craig")

    def test_mixed_answers_give_numbers(self, game: kw.QuantumWerewolf) -> None:
        answer = game.ask("wolf_Bob")
        assert (answer.verdict, str(answer)) == ("mixed", "in 6 of 11 worlds")

    def test_players_by_number(self, game: kw.QuantumWerewolf) -> None:
        assert game.ask("K_1 (seer_1 -> wolf_2)").formula is kw.parse("K_Alice (seer_Alice -> wolf_Bob)")

    def test_player_named_like_a_number_is_meant_by_it(self) -> None:
        game = kw.QuantumWerewolf(["2", "1", "x"], wolves=1)
        assert game.ask("K_1 wolf_2").formula is kw.parse("K_1 wolf_2")
        assert game.ask("K_3 wolf_2").formula is kw.parse("K_x wolf_2")

    @pytest.mark.parametrize(
        ("question", "error", "said"),
        [
            ("K_Alcie wolf_Bob", UnknownAgentError, "'Alice'"),
            ("K_Alice wolf_Bobb", UnknownAtomError, "'wolf_Bob'"),
            ("K_Alice alpha_Bob", UnknownAtomError, "unknown atom 'alpha_Bob'"),
            ("K_9 wolf_Bob", UnknownAgentError, "Craig"),
        ],
    )
    def test_unknown_names(
        self, game: kw.QuantumWerewolf, question: str, error: type[Exception], said: str
    ) -> None:
        with pytest.raises(error) as caught:
            game.ask(question)
        assert said in str(caught.value)

    def test_too_large_is_refused_with_numbers(self, game: kw.QuantumWerewolf) -> None:
        with pytest.raises(ModelTooLarge) as caught:
            game.ask("K_Alice K_Bob wolf_Craig", engine="explicit", limit=10)
        assert caught.value.limit == 10
        assert "public" in str(caught.value)

    def test_large_questions_go_to_the_symbolic_engine(self, game: kw.QuantumWerewolf) -> None:
        small, large = (game.ask("K_Alice ~K_Bob wolf_Craig", limit=n) for n in (10_000, 10))
        assert isinstance(small.model, kw.KripkeModel)
        assert isinstance(large.model, kw.SymbolicStructure)
        assert small.verdict == large.verdict

    @pytest.mark.parametrize(
        "question",
        ["wolf_P2", "wolf_P2 & ~dead_P3 | good_P4 ^ seer_P1", "alpha_P1 | dead_P3", "dominant_P3", "~true"],
    )
    def test_facts_are_counted_where_worlds_are_too_many(self, question: str) -> None:
        players = [f"P{i}" for i in range(1, 7)]
        games = [
            kw.QuantumWerewolf(players, wolves=2, rules="cisra", engine=engine)
            .vision("P1", "P2", result="evil")
            .vision("P3", "P1", result="good")
            .vote_off("P6", role="villager")
            .attack("P4", "P3")
            for engine in ("enumerated", "counting")
        ]
        listed = games[0].ask(question)
        assert isinstance(listed.model, kw.KripkeModel)
        for game in games:
            counted = game.ask(question, limit=1)
            assert counted.model == game.worlds
            assert (counted.verdict.satisfied, counted.verdict.total) == (
                listed.verdict.satisfied,
                listed.verdict.total,
            )
            assert game.ask(question, engine="symbolic").verdict == listed.verdict
        assert games[1].ask(question, limit=1).explain().value == listed.holds

    @pytest.mark.parametrize(
        ("wolves", "question"),
        [(15, "K_P1 ~K_P2 wolf_P3"), (5, "P_P1(K_P2 dead_P2) > 1/2")],
    )
    def test_hopeless_questions_are_refused_before_building(self, wolves: int, question: str) -> None:
        game = kw.QuantumWerewolf([f"P{i}" for i in range(1, 71)], wolves=wolves, rules="cisra")
        game = game.vision("P1", "P2", result="evil").vision("P2", "P3", result="good").end_phase()
        with pytest.raises(DiagramTooLarge) as caught:
            game.ask(question)
        assert caught.value.nodes > caught.value.limit == 5_000_000
        for help_ in ("fewer players", "who knows, knowledge", 'targets="public"'):
            assert help_ in str(caught.value)

    @pytest.mark.parametrize("players", [20, 40])
    def test_a_refusal_recommends_only_what_is_possible(self, players: int) -> None:
        game = kw.QuantumWerewolf([f"P{i}" for i in range(1, players + 1)], wolves=4)
        game = game.vision("P1", "P2", result="wolf").vision("P2", "P3", result="villager")
        with pytest.raises((DiagramTooLarge, ModelTooLarge)) as caught:
            game.ask("K_P1 ~K_P2 wolf_P3", limit=1_000)
        listed = re.findall(r"list up to ([\d,]+) worlds \(limit=\)", str(caught.value))
        assert all(int(number.replace(",", "")) <= 100_000_000 for number in listed)

    def test_unknown_engine(self, game: kw.QuantumWerewolf) -> None:
        with pytest.raises(GameError, match="'explicit', 'symbolic'"):
            game.ask("wolf_Bob", engine="quantum")  # type: ignore[arg-type]


def test_every_answer_names_its_reading_and_what_a_table_may_add():
    game = kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka")
    for viewer, target in zip(game.players, ("Bo", "Ann", "Ann", "Ann"), strict=True):
        game = game.vision(viewer, target, result="human")
    more = "reading: facts; what was announced may say more (reading: exact)"
    facts = [
        game.ask("K_Bo wolf_Cy").note,
        game.ask("who knows wolf_Cy").note,
        game.knowledge().note,
        game.knowledge().of("Bo").note,
        game.table(viewer="Bo").note.removeprefix("as Bo sees it, "),
        game.handout("Bo").probabilities().note.removeprefix("as Bo sees it, "),
    ]
    assert facts == [more] * len(facts)
    exact = [
        game.ask("K_Bo wolf_Cy", reading="exact").note,
        game.ask("who knows wolf_Cy", reading="exact").note,
        game.knowledge(reading="exact").note,
        game.table(viewer="Bo", reading="exact").note.removeprefix("as Bo sees it, "),
    ]
    assert exact == ["reading: exact"] * len(exact)
    known = game.ask("who knows ~wolf_Ann")
    assert known.names == tuple(game.players)
    assert (known.note, known.reading, len(known.parts)) == ("reading: facts", "facts", 4)
    assert game.table(viewer="Bo", columns=["dead"]).note == "as Bo sees it, reading: facts"
    assert more in str(game.knowledge())
    before = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="straat").vision("Ann", "Bo")
    assert before.knowledge().note == before.ask("who knows seer_Cy").note == "reading: facts"


@pytest.mark.parametrize("seed", [2])
def test_explanations_by_fewer_worlds_agree_with_the_answers(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra", rng=seed)
    for act in ("vision", "attack"):
        for name, target in zip(game.players, ("Bo", "Di", "Ann", "Cy"), strict=True):
            game = getattr(game, act)(name, target)
    game = game.end_phase()
    told = 0
    alone = ["D_{Ann,Bo}", "K_Ann", "K_Ann K_Bo", "C_{Ann,Cy}", "E_{Ann,Bo} K_Cy", "~K_Bo K_Ann"]
    joined = [
        "K_Bo good_Di & K_Ann",
        "~K_Bo good_Di & ~K_Ann",
        "K_Cy wolf_Ann | K_Ann",
        "~K_Ann wolf_Di -> K_Bo",
    ]
    for fact in ("good_Di", "wolf_Cy -> seer_Ann", "~(seer_Ann & wolf_Ann)", "wolf_Ann", "~dead_Bo"):
        for known in alone + joined:
            answer = game.ask(f"{known} ({fact})", engine="symbolic")
            with monkeypatch.context() as smaller:
                smaller.setattr(questions, "_MOST_EXPLAINED", 2 * game.setup.deck.worlds)
                try:
                    why = answer.explain()
                except GameError:
                    continue
            for node in [why, *why.children]:
                if node.world is None:
                    assert node.value == game.ask(node.formula).holds, node
            told += any("fit" in node.sentence for node in why)
    assert told > 5


def test_knowledge_in_a_large_game_is_explained_by_probabilities() -> None:
    game = kw.QuantumWerewolf([f"P{i}" for i in range(1, 31)], wolves=7, rules="cisra")
    game = game.vision("P1", "P2", result="evil").vision("P3", "P4", result="good")
    answer = game.ask("K_1 (seer_1 -> wolf_2) & ~K_3 wolf_4")
    assert answer.holds
    why = answer.explain()
    assert why.value
    assert [(str(part.formula), part.value) for part in why.children] == [
        ("K_P1 (seer_P1 -> wolf_P2)", True),
        ("~K_P3 wolf_P4", True),
    ]
    assert "P1 knows that if P1 is the seer, then P2 is a wolf: P_P1(seer_P1 -> wolf_P2) is 1\n" in str(why)
    share = game.probabilities("P3", "wolf_P4").popitem()[0]
    assert str(why).endswith(f"P3 does not know that P4 is a wolf: P_P3(wolf_P4) is {share}")
    (part,) = game.ask("K_1 wolf_2 & K_3 ~wolf_4").explain().children
    assert (str(part.formula), part.value) == ("K_P1 wolf_P2", False)
