"""Kinds of events: declared once, in one class; what is recorded of them; their models."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import pytest

import kripke_werewolf as kw
from kripke_werewolf import ActionModel, FormatError, GameError, IllegalMove, KripkeError
from kripke_werewolf import Event as Possible
from kripke_werewolf.games.werewolf import moves
from kripke_werewolf.games.werewolf.draws import Draw, drawn_outcome
from kripke_werewolf.games.werewolf.events import (
    Attack,
    Event,
    GameEnded,
    PhaseEnded,
    Played,
    VotedOff,
)
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.state import State
from kripke_werewolf.games.werewolf.tale import report
from tests.cases import cases
from tests.logs import signed
from tests.reference.game_model import game_model

PLAYERS = ["Ann", "Bo", "Cy", "Di"]
SETUP = kw.QuantumWerewolf(PLAYERS, wolves=1).setup


@pytest.fixture
def shown() -> Iterator[type[Event]]:
    """A kind of event that is declared here and nowhere else, as CONTRIBUTING.md says how."""

    @dataclass(frozen=True, slots=True)
    class Shown(Event):
        """`player` showed their card to `to`; everybody sees that, and these two see the card."""

        name = "shown"

        hearers = "to"
        audience: ClassVar[Any] = {"role": "insiders"}

        player: str
        to: str
        role: str | None = None

        @property
        def insiders(self) -> tuple[str, ...]:
            return self.player, self.to

        def worded(self, message: str, **more: object) -> str:
            card = "a card" if self.role is None else f"the card {self.role}"
            return f"{self.player} shows {self.to} {card}."

        def happen(self, game: Played, state: State, draw: Draw) -> tuple[Event, State]:
            seat = game.setup.seat(self.player)
            if seat in state.dead:
                raise IllegalMove(f"{self.player} is dead")
            weights = {r: counts[seat] for r, counts in state.worlds.role_counts().items()}
            forced = None if self.role is None else frozenset({self.role})
            role = drawn_outcome(draw, "card", self.player, weights, forced=forced)
            return replace(self, role=role), replace(state, worlds=state.worlds.fix(seat, role))

        def model(self, setup: Setup, before: frozenset[str], agents: frozenset[str]) -> ActionModel:
            events = {role: Possible(f"{role}_{self.player}") for role in setup.deck.roles}
            both = dict.fromkeys((self.player, self.to), str)
            shown = None if self.role is None else [self.role]
            return ActionModel.from_observations(events, both, shown, others=lambda role: None)

    yield Shown
    del Event.kinds["shown"]


def test_histories_are_not_searched_for_with_an_event_that_they_do_not_include(shown: Any) -> None:
    game = kw.QuantumWerewolf([*PLAYERS, "Ed"], wolves=1, rules="gekka", rng=1)
    game = game.vision("Ann", "Bo").play(shown("Bo", "Cy")).end_phase()
    assert game.ask("K_Cy good_Bo").verdict != "mixed"
    for asked in (game.ask, game.handout("Cy").ask):
        with pytest.raises(GameError, match="does not cover the event 'shown'"):
            asked("K_Cy good_Bo", reading="exact")
    with pytest.raises(GameError, match="does not cover the event 'shown'"):
        game.table(viewer="Di", reading="exact")


@pytest.fixture
def storm() -> Iterator[type[Event]]:
    """A public event without any effect."""

    @dataclass(frozen=True, slots=True)
    class Storm(Event):
        name = "storm"

        def worded(self, message: str, **more: object) -> str:
            return "There is a storm."

    yield Storm
    del Event.kinds["storm"]


def test_kinds_declared_outside_are_replayed_in_histories_or_refused(shown: Any, storm: Any) -> None:
    game = kw.QuantumWerewolf(PLAYERS[:3], wolves=1, rules="gekka", rng=1)
    for name, target in (("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Bo")):
        game = game.vision(name, target, result="human")
    played = game.play(storm()).play(shown("Bo", "Cy"))
    assert kw.replay(played.log) == played
    assert "There is a storm." in played.handout("Ann").told[-1]
    for question in ("K_Cy good_Bo", "K_Ann good_Bo", "K_Ann Kw_Cy seer_Bo", "C_{Ann,Bo,Cy} good_Bo"):
        facts, exact = (played.ask(question, reading=reading) for reading in ("facts", "exact"))
        assert exact.holds or not facts.holds, question
        assert game.play(shown("Bo", "Cy")).ask(question, reading="exact").verdict == exact.verdict
    assert played.ask("K_Cy good_Bo", reading="exact").holds


class TestKindDeclaredInTest:
    @pytest.fixture
    def game(self, shown: Any) -> kw.QuantumWerewolf:
        game = kw.QuantumWerewolf(PLAYERS, wolves=1, rules="cisra", rng=1)
        game = game.vision("Ann", "Bo", result="evil").play(shown("Bo", "Cy", "alpha"))
        return game.vision("Cy", "Di", result="good")

    def test_played(self, shown: Any, game: kw.QuantumWerewolf) -> None:
        assert game.events[1] == shown("Bo", "Cy", "alpha")
        assert set(game.worlds.role_counts()["alpha"]) == {0, game.size}
        drawn = kw.QuantumWerewolf(PLAYERS, rng=1).play(shown("Ann", "Di")).events[0]
        assert drawn.role in ("villager", "seer", "wolf")  # type: ignore[attr-defined]
        with pytest.raises(IllegalMove, match="Di: alpha is impossible in every world left"):
            game.play(shown("Di", "Ann", "alpha"))

    def test_logged(self, shown: Any, game: kw.QuantumWerewolf) -> None:
        assert '{"event": "shown", "player": "Bo", "to": "Cy", "role": "alpha"}' in game.log[2]
        assert kw.replay(game.log) == game
        lines = [line.replace('"role": "alpha"', '"role": "seer"') for line in game.log]
        with pytest.raises(FormatError, match="line 4: step 3 cannot have happened"):
            kw.replay(signed(lines))

    def test_handed_out(self, game: kw.QuantumWerewolf) -> None:
        told = {name: game.handout(name).told[0] for name in PLAYERS}
        before = "Had acted by then: Ann (vision)."
        assert told["Di"] == (before, "Bo shows Cy a card.")
        assert told["Cy"][:2] == (before, "Bo shows Cy the card alpha.")
        assert "Bo shows Cy the card alpha." in report(game, plots=False).to_text()
        assert [str(m) for m in game.at(2).news] == [
            "Bo shows Cy a card.",
            "[Cy] Bo shows Cy the card alpha.",
        ]

    @pytest.mark.parametrize("engine", ["explicit", "symbolic"])
    def test_roles_cannot_change(
        self, shown: Any, game: kw.QuantumWerewolf, engine: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        change = {"swap": Possible(True, {"seer_Bo": "seer_Cy"})}
        swapped = ActionModel(change, {}, ["swap"], name="swap", others=[("swap", "swap")])
        monkeypatch.setattr(shown, "model", lambda *_: swapped)
        with pytest.raises(GameError, match=r"'swap' changes seer_Bo; .* can change who is dead"):
            game.ask("K_Ann seer_Bo", engine=engine)

    @pytest.mark.parametrize("engine", ["explicit", "symbolic"])
    def test_asked_about(self, game: kw.QuantumWerewolf, engine: Any) -> None:
        for question, holds in (
            ("K_Cy wolf_Bo & K_Bo wolf_Bo", True),
            ("K_Di wolf_Bo", False),
            ("K_Di (Kw_Cy wolf_Bo & Kw_Bo wolf_Bo)", True),
            ("C_{Ann,Bo,Cy,Di} Kw_Cy wolf_Bo", True),
            ("P_Di(wolf_Bo) = 1/4", True),
            ("P_Ann(wolf_Bo) > 1/4", True),
        ):
            assert game.ask(question, engine=engine).holds == holds, question
        assert game.since("K_Cy wolf_Bo", engine=engine).number == 2  # type: ignore[union-attr]

    def test_agrees_with_the_full_product(self, game: kw.QuantumWerewolf) -> None:
        reference = game_model(game, PLAYERS[:2])
        for question in (
            "K_Ann ~wolf_Cy",
            "K_Di K_Cy wolf_Bo",
            "P_Ann(seer_Ann) = 1/3",
            "M_Bo K_Ann seer_Ann",
        ):
            f = kw.parse(question)
            assert game.ask(f).verdict.fraction == reference.verdict(f).fraction

    def test_audited(self, game: kw.QuantumWerewolf) -> None:
        assert not any(compared.leaks for compared in game.audit())


@pytest.mark.parametrize("kind", Event.kinds.values(), ids=Event.kinds)
def test_every_kind_is_told_and_logged(kind: type[Event]) -> None:
    values: dict[str, Any] = {
        "kind": "vote",
        "number": 2,
        "verdict": "draw",
        "action": "vision",
        "formula": "K_Ann wolf_Bo",
        "weights": (("wolf", 2), ("seer", 1)),
        "missing": (("Ann", "attack"),),
        "to": ("Bo",),
        "tied": ("Ann", "Bo"),
        "winners": ("Ann",),
        "roles": ("seer", "wolf"),
        "role": "seer",
        "believed": True,
    }
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    event = kind(**{name: values.get(name, "Ann") for name in names if name not in ("forced", "noticed")})
    assert Event.from_dict(event.to_dict()) == event
    assert event.in_full()
    for player in (None, "Ann", "Bo"):
        for targets in ("secret", "public"):
            seen = event.told_to(player, setup := replace(SETUP, targets=targets))
            if seen is not None:
                assert seen.told_to(player, setup) == seen
                assert isinstance(seen.in_public(), str)


@cases(
    ({"event": "vision", "actor": 5, "target": "Bo"}, "the actor of the event 'vision' cannot be 5"),
    ({"event": "vision", "actor": "Ann", "target": "Bo", "result": [[]]}, "result .* cannot be"),
    ({"event": "voted_off", "player": "Ann", "tied": "Bo"}, "tied .* cannot be 'Bo'"),
    ({"event": "phase_ended", "kind": "vote"}, "lacks 'number'"),
    ({"event": ["vision"]}, "unknown event"),
)
def test_an_event_of_the_wrong_types_is_refused(data: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        Event.from_dict(data)


def test_two_kinds_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="'vision' is the name of two kinds of events"):

        class Other(Event):
            name = "vision"


@cases(
    (lambda g: g.vision("Di", "Ann"), "Di cannot look at Ann: Di is dead"),
    (lambda g: g.vision("Ann", "Di"), "Ann cannot look at Di: Di is dead"),
    (lambda g: g.attack("Ann", "Ann"), "Ann cannot attack Ann: .*allow no attack on oneself"),
    (lambda g: g.decline("Di", action="attack"), "Di cannot decline the attack: Di is dead"),
    (lambda g: g.end_phase().end_phase().vote_off("Di"), "Di cannot be voted off: Di is dead"),
    (lambda g: g.claim("Di", "wolf_Ann"), "Di cannot speak: Di is dead"),
    (lambda g: g.play(VotedOff("Bo", tied=("Ann", "Cy"))), "Bo is not one of the tied: Ann, Cy"),
)
def test_a_refusal_says_who_cannot_do_what(move: Any, said: str) -> None:
    game = kw.QuantumWerewolf(PLAYERS, wolves=1, rules=kw.preset("gekka", cycle=("vote", "night", "vote")))
    game = game.end_phase().vote_off("Di", role="villager")
    assert game.phase.kind == "night"
    if "tied" in said:
        game = game.end_phase()
    with pytest.raises(IllegalMove, match=said):
        move(game)


def test_what_follows_from_moves_is_no_move() -> None:
    game = kw.QuantumWerewolf(PLAYERS, wolves=1)
    with pytest.raises(KripkeError, match="is not a move; it can only follow from one"):
        game.repeat((GameEnded("draw"),))
    assert game.play(Attack("Ann", "Cy")) == game.attack("Ann", "Cy")


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("engine", ["enumerated", "counting"])
def test_the_past_is_not_played_again(rules: str, engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = kw.QuantumWerewolf(PLAYERS, wolves=1, rules=rules, engine=engine, rng=4)
    while game.verdict is None and len(game.steps) < 12:
        voting = game.phase.kind == "vote"
        game = game.vote_off(game.alive[0]) if voting else game.end_phase(missing="random")

    def replayed(*_: object, **__: object) -> Any:
        raise AssertionError("played again")

    for name in ("play", "end_phase", "aftermath", "repeated"):
        monkeypatch.setattr(moves, name, replayed)
    assert [game.at(step).size for step in range(len(game.steps) + 1)] == [s.worlds.size for s in game.states]
    assert game.undo().states == game.states[:-1]
    for player in PLAYERS:
        assert game.handout(player).alive == game.alive
    assert report(game, plots=False)
    assert list(kw.story(game))
    assert kw.TableChange(game.at(0).table(), game.table())
    if game.size:
        question = f"K_{PLAYERS[0]} wolf_{PLAYERS[1]}"
        answering: Any = "explicit" if engine == "enumerated" else "symbolic"
        game.ask(question, engine=answering)
        assert game.timeline(question, engine=answering)
        game.since(question, engine=answering)


def test_who_is_passed_over_is_named_or_only_counted():
    ended = PhaseEnded("night", 1, (("Ann", "vision"), ("Bo", "attack")))
    assert ended.in_full() == "Passed over: Ann (vision), Bo (attack)."
    assert ended.told_to("Ann", replace(SETUP, deal="classical")).in_full() == "Passed over: attack, vision."
    assert PhaseEnded("night", 1).in_full() == ""
