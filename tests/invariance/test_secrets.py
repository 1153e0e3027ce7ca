"""Two games that a player cannot tell apart look the same to them; the audit finds what does not.

`told_by_declaration` says what a player can tell apart, from the declarations and the moves alone. Each leak
below is planted on another surface or about another secret.
"""

import os
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from kripke_werewolf import GameError, QuantumWerewolf, replay
from kripke_werewolf.games import audit as auditing
from kripke_werewolf.games.audit import audit_rules, told_by_declaration
from kripke_werewolf.games.werewolf import events, preset, telling, told
from kripke_werewolf.games.werewolf.inference import infer
from kripke_werewolf.games.werewolf.inference.plan import Acting, Voted
from kripke_werewolf.games.werewolf.inference.search import Find
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import PHONES, Receipt, Sitting, views
from kripke_werewolf.play.tabletop.views import Archive
from tests.games.werewolf.test_against_reference import variants
from tests.games.werewolf.test_own_information import night_with_a_known_wolf
from tests.invariance.tables import AtTables


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs need not survive a loss of power here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


# --- nothing leaks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [st.sampled_from(["cisra", "gekka", "straat"]), variants()])
@settings(max_examples=2)
@given(
    data=st.data(),
    targets=st.sampled_from(["secret", "public"]),
    deal=st.sampled_from(["quantum", "classical"]),
    seed=st.integers(0, 2**20),
)
def test_nothing_leaks(rules: Any, data: st.DataObject, targets: Any, deal: Any, seed: int) -> None:
    rules = data.draw(rules)
    phones = AtTables.phones

    def soon_over(self: AtTables, game: QuantumWerewolf) -> QuantumWerewolf:
        return phones(self, game) if len(game.steps) < 16 else reject()  # the time grows with the square

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AtTables, "phones", soon_over)
        found = AtTables(seed).rules(rules, 3, wolves=1, targets=targets, deal=deal, games=1, seed=seed)
    assert [compared for compared in found if compared.leaks] == []
    pairs = {compared.surface: compared.pairs for compared in found}
    # a short game may have no two players who choose alike on one device
    shown = min(pairs.get(surface, 0) for surface in ("handout", "phone", "refusals"))
    assert shown > 0 or not isinstance(rules, str)


# --- the other game is one of those that `infer` finds -----------------------------------------------


def as_inferred(find: Find) -> QuantumWerewolf:
    """Return one of the histories of a find, played."""
    plan, place = find.scenario.plan, dict(find.scenario.place)
    setup, size = plan.setup, len(plan.setup.players)
    rest = [p for p in range(size) if p not in place.values()]
    place |= zip([name for name in setup.players if name not in place], rest, strict=True)
    names = {p: name for name, p in place.items()}
    numbers = tuple(place[name] + 1 for name in setup.players) if setup.numbers_hidden else setup.numbers
    died = {names[p]: role for (_, p), role in find.scenario.roles.items()}
    looks = [move for move in find.example() if move.action == "vision" and move.target is not None]

    def draw(kind: str, player: str | None, weights: Any) -> str:
        return died.get(player or "", next(iter(weights)))

    game = QuantumWerewolf.from_setup(replace(setup, numbers=numbers), draw=draw)
    for number, step in enumerate(plan.steps):
        if isinstance(step, Voted):
            game = game.vote_off(*step.dead)
        elif isinstance(step, Acting) and step.ended:
            while game.phase.position < step.phase.position:
                game = game.end_phase(missing="pass")
            for target in step.refused:
                game = game.refuse(plan.viewer, target)
            for look in looks:
                if look.step == number:
                    game = game.vision(names[look.actor], names[look.target], result=look.result)
            for (at, actor), hit in find.attacks[0].items():
                if at == number and hit is not None:
                    game = game.attack(names[actor], names[hit])
            if game.phase == step.phase:
                game = game.end_phase(missing="pass")
    return game


@settings(max_examples=6)
@given(
    rules=st.sampled_from(["cisra", "gekka", "straat"]),
    phases=st.integers(1, 3),
    table=st.booleans(),
    seed=st.integers(0, 2**20),
)
def test_a_game_and_one_inferred_from_a_handout_look_the_same(
    rules: str, phases: int, table: bool, seed: int
) -> None:
    """The player sees the same, byte for byte, in the game and in others that explain their handout."""
    chosen = preset(rules) if table else preset(rules, table_at=())
    names = ["Ann", "Bo", "Cy"]
    game = QuantumWerewolf(names, wolves=1, rules=chosen, numbers="shuffled", rng=seed)
    for _ in range(phases):
        assume(game.verdict is None)
        voting = game.phase.kind == "vote"
        game = game.vote_off(game.alive[-1]) if voting else game.end_phase(missing="random")
    assume(game.verdict is None)
    finds = sorted(infer(game.handout("Ann")).finds, key=lambda find: find.weight)
    for find in finds[:: max(1, len(finds) // 2)]:
        other = as_inferred(find)
        assert told_by_declaration(other, "Ann") == told_by_declaration(game, "Ann")
        comparison = AtTables(0)
        for played in (game, other):
            comparison.chance.seed(0)
            sitting = Sitting(game=played, manner=PHONES)
            comparison.on_phone(sitting, "Ann", Archive())
            comparison.steps(played, len(played.steps))
            comparison.device(played)
        found = {compared.surface: (compared.pairs > 0, compared.leaks) for compared in comparison.report()}
        if other != game:
            surfaces = ("device", "handout", "messages", "phone", "refusals")
            assert [found[surface] for surface in surfaces] == [(True, 0)] * len(surfaces)


# --- what is planted is found ------------------------------------------------------------------------

Patch = pytest.MonkeyPatch


def vision_for_all(patch: Patch) -> None:
    patch.setattr(events.Vision, "told_to", lambda self, player, setup: self)


def count_of_moves(patch: Patch) -> None:
    screen = auditing.screen
    patch.setattr(
        auditing,
        "screen",
        lambda game: replace(screen(game), title=f"{game.phase}, {len(game.state.acted)} acted"),
    )


def order_of_moves(patch: Patch) -> None:
    patch.setattr(events, "in_seat_order", lambda setup, events: tuple(events))


def chances_of_the_neighbour(patch: Patch) -> None:
    chances = told.own_chances

    def wrong(setup: Any, state: Any) -> Any:
        own = chances(setup, state)
        names = list(own)
        return {name: own[names[number - 1]] for number, name in enumerate(names)}

    patch.setattr(told, "own_chances", wrong)


def answered_on_a_phone(patch: Patch) -> None:
    table = views._table_now
    patch.setattr(views, "_table_now", lambda s: {**table(s), "answered": [c.actor for c in s.choices]})


def table_of_a_classical_deal(patch: Patch) -> None:
    due = telling.table_due
    patch.setattr(telling, "table_due", lambda setup, *args: due(replace(setup, deal="quantum"), *args))


def order_of_messages(patch: Patch) -> None:
    patch.setattr(telling, "in_seat_order", lambda setup, events: tuple(events))


def worlds_below_own_chances(patch: Patch) -> None:
    table = QuantumWerewolf.table

    def noted(self: QuantumWerewolf, **options: Any) -> Any:
        return replace(table(self, **options), note=f"{self.size} worlds")

    patch.setattr(QuantumWerewolf, "table", noted)


def whisper_for_all(patch: Patch) -> None:
    patch.setattr(events.Said, "told_to", lambda self, player, setup: self)


def whether_a_noticed_whisper_is_so(patch: Patch) -> None:
    heard = events.Said.told_to
    patch.setattr(
        events.Said, "told_to", lambda self, p, setup: self if self.noticed else heard(self, p, setup)
    )


def length_of_a_prompt(patch: Patch) -> None:
    ask = Rounds.ask
    patch.setattr(
        Rounds,
        "ask",
        lambda self, prompt, *more, **gap: ask(
            self, prompt + " " * len(self.sitting.to_choose), *more, **gap
        ),
    )


def refusal_by_a_role(patch: Patch) -> None:
    choose = Sitting._choose

    def told(self: Sitting, choice: Any) -> Any:
        try:
            return choose(self, choice)
        except GameError as error:
            end = "!" if (self.game.setup.roles or ("",))[0] == "villager" else "."
            raise type(error)(f"{error}{end}") from None

    patch.setattr(Sitting, "_choose", told)


def notice_of_those_who_are_late(patch: Patch) -> None:
    tick = Sitting.tick

    def late(self: Sitting, now: float) -> Sitting:
        after, due = tick(self, now), self.flow.deadline
        away = tuple(self.to_choose) if due is not None and now >= due else ()
        return replace(after, flow=replace(after.flow, away=away))

    patch.setattr(Sitting, "tick", late)


def answer_to_the_last(patch: Patch) -> None:
    patch.setattr(Receipt, "for_seat", lambda self, seat: self)


def settings_with_roles(patch: Patch) -> None:
    patch.setattr(Setup, "public", property(lambda self: self))


def those_who_acted_before_words(patch: Patch) -> None:
    patch.setattr(told, "_of", lambda moves, players: moves)


PLANTED: dict[Callable[[Patch], None], tuple[dict[str, Any], str]] = {
    vision_for_all: ({"rules": "gekka"}, "handout"),
    count_of_moves: ({"rules": "straat"}, "shared screen"),
    order_of_moves: ({"rules": "gekka", "targets": "public"}, "handout"),
    chances_of_the_neighbour: ({"rules": "straat", "players": 4, "seed": 3}, "handout"),
    answered_on_a_phone: ({"rules": "straat"}, "phone"),
    table_of_a_classical_deal: ({"rules": "gekka", "deal": "classical"}, "handout"),
    order_of_messages: ({"rules": "gekka", "targets": "public"}, "messages"),
    worlds_below_own_chances: ({"rules": "cisra", "seed": 1}, "knowledge"),
    length_of_a_prompt: ({"rules": "straat", "deal": "classical"}, "device"),
    refusal_by_a_role: (
        {"rules": "gekka", "deal": "classical", "players": 4, "seed": 2},
        "refusals",
    ),
    notice_of_those_who_are_late: ({"rules": "straat", "deal": "classical"}, "phone"),
    answer_to_the_last: ({"rules": "gekka", "games": 2}, "phone"),
    settings_with_roles: ({"rules": "gekka", "deal": "classical"}, "handout"),
}


class Leaked(Exception):
    """Ends an audit at the first difference."""


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    options, surface = PLANTED[plant]
    add = auditing.Audit.add

    def found(self: auditing.Audit, *moment: Any) -> None:
        add(self, *moment)
        if surface in self.leaks:
            raise Leaked

    monkeypatch.setattr(auditing.Audit, "add", found)
    plant(monkeypatch)
    with pytest.raises(Leaked):
        AtTables(options.get("seed", 0)).rules(**{"players": 3, "games": 1, **options}, wolves=1)


def with_words(*, noticed: bool) -> QuantumWerewolf:
    """Return a game in which somebody is told something in private."""
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka", rng=1)
    return game.vision("Ann", "Bo").private("Bo", ["Cy"], "~wolf_Ann", noticed=noticed)


def with_a_claim() -> QuantumWerewolf:
    """Return a game of ordinary Werewolf in which somebody speaks after the seer has looked."""
    roles = ["wolf", "seer", "villager", "villager"]
    names = ["Ann", "Bo", "Cy", "Di"]
    game = QuantumWerewolf(names, wolves=1, rules="straat", deal="classical", roles=roles)
    return game.vision("Bo", "Ann").claim("Cy", "wolf_Ann", believed=False)


@pytest.mark.parametrize(
    ("plant", "game"),
    [
        (whisper_for_all, with_words(noticed=False)),
        (whether_a_noticed_whisper_is_so, with_words(noticed=True)),
        (those_who_acted_before_words, with_a_claim()),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_words_are_audited(plant: Callable[[Patch], None], game: QuantumWerewolf, monkeypatch: Patch) -> None:
    assert not any(compared.leaks for compared in game.audit(seed=1))
    plant(monkeypatch)
    assert any(compared.leaks for compared in game.audit(seed=1) if compared.surface == "handout")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:nobody")
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_games_in_which_the_dead_name_somebody_are_audited(rules: str) -> None:
    found = audit_rules(rules, 4, wolves=1, games=2, seed=3, cards={"hunter": 1})
    assert {compared.leaks for compared in found} == {0}


def test_a_difference_comes_with_its_two_games(monkeypatch: Patch) -> None:
    """They are logs that can be replayed, and the player was told the same in both."""
    vision_for_all(monkeypatch)
    found = audit_rules("gekka", 3, wolves=1, games=1)
    (compared,) = [compared for compared in found if compared.surface == "handout"]
    player = compared.example.partition(" sees ")[0]
    one, two = (replay(game["log"]) for game in compared.to_dict()["games"])
    assert one != two
    assert told_by_declaration(one, player) == told_by_declaration(two, player)
    assert str(one.handout(player)) != str(two.handout(player))


# --- twelve kinds of leaks, found among the twins of a game -------------------------------------------

FOUR = ["Ann", "Bo", "Cy", "Di"]


def one_night(**settings: Any) -> QuantumWerewolf:
    """Return a game after a night, a vote, and the beginning of another night."""
    game = QuantumWerewolf(FOUR, **{"wolves": 1, "rules": preset("gekka", table_at=()), "rng": 3, **settings})
    while game.phase.kind != "vote":
        game = game.end_phase(missing="random")
    return game.vote_off("Di")


Printer: TypeAlias = Callable[[QuantumWerewolf, str], dict[str, str]]


def leaks(game: QuantumWerewolf, printer: Printer = lambda game, player: {}) -> set[str]:
    """Return the surfaces on which a game and its twins differ though a player was told the same."""

    class Printing(auditing.Audit):
        """Compares what the library and a printer print."""

        def printed(self, game: QuantumWerewolf, player: str) -> dict[str, str]:
            return super().printed(game, player) | printer(game, player)

        def known(self, game: QuantumWerewolf, player: str) -> dict[str, str]:
            return {}

    comparison = Printing(0)
    twins = [*auditing._twins(game)]
    most = 12 if game is CARDS else 40
    for twin in (game, *comparison.chance.sample(twins, min(most, len(twins)))):
        comparison.steps(twin)
    assert comparison.pairs["handout"] > 20
    return {compared.surface for compared in comparison.report() if compared.leaks}


def to_targets(action: str) -> Callable[[Patch], None]:
    def plant(patch: Patch) -> None:
        told_to = events.Acted.told_to

        def also(self: Any, player: str | None, setup: Setup) -> Any:
            aimed = player in self.targets and self.action == action
            return replace(self, weights=()) if aimed else told_to(self, player, setup)

        patch.setattr(events.Acted, "told_to", also)

    return plant


def to_all(kind: type[events.Event]) -> Callable[[Patch], None]:
    return lambda patch: patch.setattr(kind, "told_to", lambda self, player, setup: self)


def news_of_others(patch: Patch) -> None:
    entry_of = told.Entry.of
    patch.setattr(told.Entry, "of", lambda self, *how: replace(entry_of(self, *how), shown=self.shown))


CARDS = one_night(cards={"cupid": 1, "bodyguard": 1})
DEALT = one_night(cards={"cupid": 1, "witch": 1}, deal="classical", roles=["cupid", "witch", "alpha", "seer"])
PLAIN = one_night()
KINDS: dict[str, tuple[QuantumWerewolf, Callable[[Patch], None]]] = {
    "protect": (CARDS, to_targets("protect")),
    "link": (CARDS, to_targets("link")),
    "notice": (PLAIN, to_all(events.Notice)),
    "drawn role": (PLAIN, to_all(events.OfficialDeath)),
    "refusal": (night_with_a_known_wolf().refuse("Ann", "Bo"), to_all(events.Refused)),
    "order": (one_night(targets="public"), order_of_moves),
    "count": (PLAIN, count_of_moves),
    "news of a card": (DEALT, news_of_others),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_leak_of_any_kind_is_found(kind: str, monkeypatch: Patch) -> None:
    game, plant = KINDS[kind]
    assert leaks(game) == set()
    plant(monkeypatch)
    assert leaks(game) & {"handout", "shared screen", "messages"}


def linked(what: str) -> dict[str, str]:
    return {"share link": b64encode(what.encode()).decode()}


PRINTED: dict[str, tuple[Printer, Printer]] = {
    "hint": (
        lambda game, player: {"hint": f"Look at {min(game.handout(player).alive)}."},
        lambda game, player: {"hint": f"Look at {max(game.players, key=lambda p: game.table()[p, 'wolf'])}."},
    ),
    "table": (
        lambda game, player: {"table": str(game.handout(player).tables[-1:])},
        lambda game, player: {"table": str(game.table())},
    ),
    "prompt": (
        lambda game, player: {"prompt": f"{player} {game.phase}"},
        lambda game, player: {"prompt": "" if len(game.state.acted) < 2 else f"{player} {game.phase}"},
    ),
    "rule page": (
        lambda game, player: {"rule page": str(game.rules)},
        lambda game, player: {"rule page": f"{game.rules} {game.size}"},
    ),
    "share link": (
        lambda game, player: linked(game.handout(player).to_json()),
        lambda game, player: linked("\n".join(game.log)),
    ),
}


@pytest.mark.parametrize("surface", PRINTED)
def test_what_others_print_is_audited(surface: str) -> None:
    clean, leaking = PRINTED[surface]
    assert leaks(PLAIN, clean) == set()
    assert leaks(PLAIN, leaking) == {surface}
