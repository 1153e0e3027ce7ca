"""The game as it is used: the README's example, refusals, whole phases, notices, classical deals."""

import json
import warnings
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from kripke_werewolf import Atom, GameError, IllegalMove, KripkeError, UnknownNameError
from kripke_werewolf.games.werewolf import Deck, Enumerated, QuantumWerewolf, preset, story
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.events import Declined, FoundDead, PhaseEnded, TakenAlong, Vision
from kripke_werewolf.games.werewolf.moves import aftermath
from kripke_werewolf.games.werewolf.state import start_state
from kripke_werewolf.games.werewolf.told import told, told_first, told_next
from tests.cases import cases

README = json.loads(
    (Path(__file__).parents[2] / "data" / "straat_readme_tables.json").read_text(encoding="utf-8")
)["cases"]
FOUR = ["Alice", "Bob", "Craig", "David"]


def recorded(outcomes):
    """Return a draw that gives these outcomes (kind, player, outcome) in order."""
    rest = iter(outcomes)

    def draw(kind, player, weights):
        *asked, outcome = next(rest)
        assert asked == [kind, player]
        return outcome

    return draw


def straat(**settings):
    return QuantumWerewolf(FOUR, wolves=2, seers=1, rules="straat", **settings)


def readme_states():
    game = straat()
    night = game.vision("Alice", "Bob", result="wolf").attack("Alice", "Craig")
    day = night.vote_off("David", role="wolf")
    return [game, night, day, day.vote_off("Bob", role="wolf")]


@pytest.mark.parametrize(("case", "game"), list(zip(README, readme_states(), strict=True)), ids=lambda c: "")
def test_the_example_of_the_readme(case, game):
    assert sorted(game.worlds.world_strings(deaths=False)) == sorted(case["expect"])
    for row, printed, values in zip(
        str(game.table()).splitlines()[1:], case.get("printed", ()), case.get("table", ()), strict=False
    ):
        assert row.split()[1:] == printed
        name = row.split()[0]
        assert {c: game.table()[name, c] for c in values} == {c: Fraction(f) for c, f in values.items()}
    assert game.verdict == {None: None, "villagers": "village"}[case.get("check_win")]


def test_the_end_of_the_readme_game():
    game = readme_states()[-1]
    assert game.size == 2
    assert game.results == {"Alice": True, "Bob": False, "Craig": True, "David": False}
    assert [m.text for m in game.messages if m.to == "Alice"] == [
        "You look at Bob and see: wolf.",
        "You attack Craig.",
    ]
    assert "Bob is voted off and was a wolf." in [m.text for m in game.news if m.to is None]
    assert game.may_act == {}
    assert game.waiting_for == ()


def refused(game, error, match, move):
    """Check that a move is refused with the reason and nothing has changed."""
    before = (game.steps, game.size, game.phase, game.table())
    with pytest.raises(error, match=match):
        move(game)
    assert (game.steps, game.size, game.phase, game.table()) == before


@cases(
    (UnknownNameError, "unknown player 'Alise'; did you mean 'Alice'", lambda g: g.vision("Alise", "Bob")),
    (UnknownNameError, "unknown player '7'", lambda g: g.attack(7, 1)),
    (
        IllegalMove,
        "cannot show 'sear'; did you mean 'seer'",
        lambda g: g.vision("Bob", "Alice", result="sear"),
    ),
    (IllegalMove, "already used or declined the vision of night 1", lambda g: g.vision("Alice", "Bob")),
    (IllegalMove, "compulsory under the rules 'straat'", lambda g: g.decline("Bob")),
    (IllegalMove, "two or more living", lambda g: g.vote_off(["Bob"])),
    (
        IllegalMove,
        "seer is impossible in every world left",
        lambda g: g.vision("Bob", "Craig", result="seer"),
    ),
    (GameError, "missing='skip'", lambda g: g.end_phase(missing="skip")),
    (GameError, "step 9 does not exist", lambda g: g.at(9)),
    (UnknownNameError, "unknown phase 'dusk'", lambda g: g.at("dusk")),
    (UnknownNameError, "unknown column 'wolfs'; did you mean 'wolf'", lambda g: g.table(columns=["wolfs"])),
)
def test_refusals_at_night(error, match, move):
    refused(straat().vision("Alice", "Bob", result="wolf"), error, match, move)


def test_the_dead_do_nothing_and_are_no_targets():
    game = readme_states()[2]
    assert game.alive == ("Alice", "Bob", "Craig")
    refused(game, IllegalMove, "David is dead", lambda g: g.vision("David", "Bob"))
    refused(game, IllegalMove, "David is dead", lambda g: g.attack("Alice", "David"))
    refused(game, IllegalMove, "David is dead", lambda g: g.vote_off("David"))
    assert game.refusal("David", "vision") == "David is dead"
    assert game.refusal("Alice", "attack", target="David") == "David is dead"
    assert game.legal_targets("Alice", "attack") == ("Alice", "Bob", "Craig")
    over = readme_states()[3]
    refused(over, IllegalMove, "the game is over", lambda g: g.attack("Alice", "Craig"))
    refused(over, IllegalMove, "the game is over", lambda g: g.vote_off("Craig"))
    refused(over, IllegalMove, "the game is over", lambda g: g.end_phase())
    refused(over, IllegalMove, "the game is over", lambda g: g.vote_off(["Alice", "Craig"]))


def test_a_strict_game_waits_for_everybody():
    game = straat(strict=True)
    refused(game, IllegalMove, "there is no vote in night 1", lambda g: g.vote_off("David"))
    refused(game, IllegalMove, r"still to act: Alice \(vision\)", lambda g: g.end_phase())
    refused(game, IllegalMove, "vision of Alice comes before", lambda g: g.attack("Alice", "Bob"))
    refused(game, IllegalMove, "it is Alice's turn", lambda g: g.vision("Bob", "Alice"))
    assert game.end_phase(missing="pass").phase.kind == "vote"
    full = game.end_phase(missing="random")
    assert full.phase.kind == "vote" or full.verdict
    assert sum(isinstance(e, Vision) for e in full.events) == 4


def test_gekka_lets_turns_come_in_any_order_but_not_mix():
    game = QuantumWerewolf(FOUR, rules=preset("gekka", first_attack=True), strict=True, rng=1)
    game = game.vision("Craig", "Craig")
    refused(game, IllegalMove, "it is Craig's turn", lambda g: g.vision("Alice", "Bob"))
    refused(game, IllegalMove, "allow no attack on oneself", lambda g: g.attack("Craig", "Craig"))
    assert game.attack("Craig", "Alice").vision("Alice", "Bob").size


def test_a_strict_phase_waits_for_all():
    night = straat(strict=True).vision("Alice", "Bob")
    refused(night, IllegalMove, "still to act", lambda g: g.end_phase())


def test_visions_may_be_declined_in_cisra():
    game = QuantumWerewolf(list("ABCDE"), wolves=1, rules="cisra", rng=2)
    assert str(game.phase) == "night 1, visions"
    game = game.vision("A", "B").vision("C", "A", result="good").end_phase()
    assert [e.actor for e in game.events if isinstance(e, Declined)] == ["B", "D", "E"]
    assert game.phase.kind == "vote"
    one = QuantumWerewolf(list("ABC"), wolves=1, rules="cisra", rng=2).decline("A").decline("B").decline("C")
    assert one.phase.kind == "vote"
    assert one.size == 6


def test_an_attack_needs_a_world_in_cisra():
    game = QuantumWerewolf(list("ABCD"), wolves=2, seers=0, rules="cisra", rng=2)
    game = game.end_phase().vote_off("D", role="villager")
    game = game.attack("A", "B")  # now, where A is the alpha, C is the beta
    assert game.legal_targets("B", "attack") == ("A", "C")
    later = game.attack("B", "C")
    assert str(later.phase) == "night 2, attacks"
    assert later.refusal("C", "attack", target="C") == "the rules 'cisra' allow no attack on oneself"
    assert later.refusal("C", "vision") == (
        "there are no visions in night 2, attacks; the next are in night 2, visions"
    )
    assert later.refusal("D", "attack") == "D is dead"


def test_public_messages_keep_secrets():
    secret = straat().vision("Alice", "Bob", result="wolf").attack("Alice", "Craig")
    assert [m for m in secret.messages if m.to is None] == []
    public = straat(targets="public").vision("Alice", "Bob", result="wolf").attack("Alice", "Craig")
    assert [m.text for m in public.messages if m.to is None] == [
        "Alice looks at Bob.",
        "Alice attacks Craig.",
    ]
    burned = QuantumWerewolf(list("ABCDE"), wolves=2, rules="cisra").end_phase().vote_off("E", role="beta")
    assert next(m.text for m in burned.news if m.to is None) == "E is voted off and was evil."
    assert all("beta" not in m.text for m in burned.messages if m.to is None)
    silent = QuantumWerewolf(list("ABCDE"), wolves=2, rules="gekka").vote_off("E", role="beta")
    assert "E is voted off." in [m.text for m in silent.news]


def test_house_rules():
    twice = QuantumWerewolf(list("ABCDEFG"), wolves=2, rules=preset("cisra", burnings=2), rng=1).end_phase()
    twice = twice.vote_off("A", role="villager")
    assert twice.phase.kind == "vote"
    assert twice.vote_off("B", role="villager").phase.kind == "attacks"
    none = QuantumWerewolf(list("ABCDE"), wolves=1, rules="cisra").end_phase().end_phase()
    assert none.phase.kind == "attacks"
    tied = straat(draw=recorded([("tie", None, "Craig"), ("role", "Craig", "wolf")])).vote_off(
        ["Bob", "Craig"]
    )
    assert tied.alive == ("Alice", "Bob", "David")
    assert "tied between Bob and Craig; the lot decides" in tied.news[0].text
    refused(straat(), IllegalMove, "nobody is named in the vote", lambda g: g.vote_off([]))
    refused(straat(), IllegalMove, "each once", lambda g: g.vote_off(["Bob", "Craig", "Bob"]))
    refused(straat(), IllegalMove, "two or more", lambda g: g.vote_off(["Bob"]))


def test_a_word_for_several_roles_restricts_the_draw():
    game = QuantumWerewolf(list("ABCDE"), wolves=2, rules=preset("cisra", vision_shows="role"), rng=4)
    assert game.vision("A", "B", result="wolf").events[0].result in ("alpha", "beta")
    assert game.vision("A", "B", result="b").events[0].result == "beta"
    good = game.end_phase().vote_off("A", role="good").events[-1 - 2 :]
    assert any(getattr(e, "role", None) in ("villager", "seer") for e in good)


def test_cascades_by_number_or_in_rounds():
    """P2 and P3 are dead in both worlds; when P2 turns out to be the seer, P1 is dead as well."""
    worlds = Enumerated.start(Deck(4, wolves=1)).keep(Atom("alpha_3") & ~Atom("seer_0"))
    worlds = worlds.die(0, Atom("seer_1")).die(1).die(2)
    assert worlds.world_strings() == ["VSVa", "vVSa"]

    def order(cascade):
        game = QuantumWerewolf(list("1234"), wolves=1, rules=preset("gekka", cascade=cascade))
        draw = recorded([("role", "2", "seer"), *(("role", p, "villager") for p in second[cascade])])
        before = start_state(game.setup, worlds)
        after, events = aftermath(game, before, draw, voted=False)
        told = told_next(told_first(game.setup, before), game.setup, events, before, after).of("4")
        # hidden numbers decide the order, so nobody may be told it
        assert [e.player for e in told.events if isinstance(e, FoundDead)] == ["1", "2", "3"]
        return [e.player for e in events if isinstance(e, FoundDead)]

    second = {"lowest": "13", "rounds": "31"}
    assert order("lowest") == ["2", "1", "3"]
    assert order("rounds") == ["2", "3", "1"]


def test_a_classical_deal_is_one_world():
    roles = {"Alice": "seer", "Bob": "werewolf", "Craig": "wolf", "David": "villager"}
    game = straat(deal="classical", roles=roles, targets="public")
    assert game.worlds.world_strings() == ["swwv"]
    assert game.may_act == {"Alice": ("vision",), "Bob": ("attack",), "Craig": ("attack",)}
    night = game.vision("Alice", "Bob").attack("Bob", "David").attack("Craig", "David")
    assert [(e.actor, e.result) for e in night.events if isinstance(e, Vision)] == [("Alice", "wolf")]
    assert [e.player for e in night.events if isinstance(e, FoundDead)] == ["David"]
    drawn = straat(deal="classical", rng=1)
    assert sorted(drawn.setup.roles) == ["seer", "villager", "wolf", "wolf"]
    assert straat(deal="classical", rng=1).setup == drawn.setup


@cases(
    ([], {}, "empty"),
    ("Alice", {}, "not a list"),
    (["A", "B", "A"], {}, "'A' and 'A' look alike"),
    (["A", "", "C"], {}, "''"),
    (["A", "B\nC"], {}, "line break"),
    (["A", "B\u200b"], {}, r"'B\\u200b' has the invisible character ZERO WIDTH SPACE"),
    (["Zo\u00eb", "Zoe\u0308", "C"], {}, r"'Zo\\xeb' and 'Zoe\\u0308' look alike"),
    (["Ann", "An\u034fn", "C"], {}, "look alike"),
    (["A", "\u3164", "C"], {}, r"'\\u3164' has only invisible characters"),
    (["A", "B", 3], {}, "3 is not a player's name"),
    (FOUR, {"wolves": 4}, "more roles than players: 4 wolves and 1 seer for 4 players"),
    (FOUR, {"wolves": 0}, "at least one wolf"),
    (FOUR[:3], {"rules": "straat"}, "2 wolves by default, more than all others of 3 players"),
    (FOUR, {"wolves": 1.5}, "wolves=1.5"),
    (FOUR, {"rules": "strat"}, "unknown rule set 'strat'; did you mean 'straat'"),
    (FOUR, {"rules": 3}, "neither"),
    (FOUR, {"rules": "cisra", "seers": 2}, "at most one"),
    (FOUR, {"targets": "open"}, "targets='open'"),
    (FOUR, {"roles": ["wolf"] * 4}, "classical"),
    (FOUR, {"deal": "classical", "roles": ["wolf", "wolf", "wolf", "seer"]}, "cards of the deck"),
    (FOUR, {"deal": "classical", "roles": ["good", "wolf", "wolf", "seer"]}, "'good' is not an exact"),
    (FOUR, {"deal": "classical", "roles": {"Alice": "wolf"}}, "the players are"),
    (FOUR, {"deal": "classical", "sample": 3}, "single world"),
    (FOUR, {"numbers": "random"}, "numbers='random'"),
    (FOUR, {"numbers": [1, 2, "3", 4]}, "numbers=.*are not the numbers 1 to 4"),
    (FOUR, {"sample": 0}, "sample=0"),
    (
        [f"P{i}" for i in range(40)],
        {"wolves": 9, "seers": 2, "engine": "enumerated"},
        "(?<!engine needs no worlds, and )sample=",
    ),
    (FOUR, {"rng": 1, "draw": max}, "both"),
    (
        [f"P{i}" for i in range(40)],
        {"wolves": 8, "rules": "cisra", "engine": "enumerated"},
        "counting engine",
    ),
)
def test_impossible_games(players, settings, match):
    with pytest.raises(KripkeError, match=match):
        QuantumWerewolf(players, **settings)


@cases(
    ({"frist_attack": True}, "unknown option 'frist_attack'; did you mean 'first_attack'"),
    ({"table": "opne"}, "table='opne' is not possible; did you mean 'open'"),
    ({"first_attack": 1}, "first_attack=1"),
    ({"ranked": False}, "attack='dominant' needs ranked=True"),
    ({"cycle": ("night",)}, "no 'vote'"),
    ({"cycle": ("vote", "dusk")}, "cycle='dusk'"),
    ({"cycle": "vote"}, "cycle='vote' is not a list"),
    ({"vision_shows": ()}, r"vision_shows=\(\) is not possible"),
    ({"burnings": 0}, "burnings=0"),
    ({"columns": ("wolves",)}, "columns='wolves' is not possible \\(allowed: 'villager', 'seer', 'good'"),
    ({"sides": ("good",)}, "two different sides"),
    ({"attack": "fractional", "attack_must_be_possible": True}, "bite"),
)
def test_impossible_rules(options, match):
    with pytest.raises(KripkeError, match=match):
        preset("gekka", **options)


def test_usual_numbers_of_wolves():
    sizes = {7: 1, 8: 2, 12: 2, 13: 3, 19: 3, 20: 4}
    assert {n: preset("gekka").wolves_for(n) for n in sizes} == sizes
    assert preset("straat").wolves_for(9) == 2


def test_anonymous_and_hiding_tables():
    game = QuantumWerewolf(list("ABCD"), wolves=1, rules="cisra", numbers=[3, 1, 4, 2], rng=1)
    assert game.table(public=True).labels == ("1", "2", "3", "4")
    assert game.table().labels == tuple("ABCD")
    burned = game.end_phase().vote_off("A", role="villager")
    assert burned.table(public=True)["3", "dead"] == 1
    hiding = QuantumWerewolf(
        list("ABCDE"), wolves=1, rules=preset("gekka", show_dead=False, first_attack=True)
    )
    night = hiding.attack("A", "B").attack("B", "A")
    assert night.table()["A", "dead"] == Fraction(1, 5)
    assert night.table(public=True)["A", "dead"] is None
    assert "?" in str(night.table(public=True))
    with pytest.raises(UnknownNameError, match="unknown row 'X'"):
        night.table()["X", "dead"]


def test_when_the_table_is_due():
    def due(rules):
        game = QuantumWerewolf(list("ABCDE"), wolves=1, rules=rules, rng=1)
        found = [game.table_due]
        for _ in range(len(game.rules.opening + game.rules.cycle)):
            game = game.end_phase()
            found.append(game.table_due)
        return found

    # after: the start, night 1, day 1, attacks, visions; the start, night, day, night
    assert due("cisra") == [False, True, False, False, True]
    assert due("gekka") == [True, True, True, True]
    assert due("straat") == [False, True, False, True]


def with_hunters(rules, seed):
    """Return a random game to its end, in which the dead name others to take along."""
    chance = Random(seed)
    game = QuantumWerewolf(list("ABCDEFG"), wolves=2, rules=rules, cards={"hunter": 2}, rng=seed)
    while game.verdict is None:
        if game.state.naming:
            name = min(game.state.naming)
            game = game.take_along(name, chance.choice(game.legal_targets(name, "take")))
        elif game.phase.kind == "vote" and not game.state.votes and chance.random() < 0.7:
            game = game.vote_off(chance.choice(game.alive))
        else:
            game = game.end_phase(missing="random")
    return game


def moments_of_tables(game):
    """Yield the steps after which it is night or morning: another phase begins, or the last one has ended."""
    yield 0, "nightfall"
    ended = {(event.kind, event.number) for event in game.events if isinstance(event, PhaseEnded)}
    for step in range(1, len(game.steps) + 1):
        before, now = game.at(step - 1), game.at(step)
        last = now.verdict is not None and (now.phase.kind, now.phase.number) in ended
        if now.phase == before.phase and not last:
            continue
        if before.phase.kind == "vote":
            yield step, "nightfall"
        elif now.phase.kind == "vote" or last:
            yield step, "morning"


@pytest.mark.parametrize("table_at", [("morning",), ("nightfall", "morning")], ids=len)
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_the_table_is_due_once_for_each_moment_though_the_dead_name_others(rules, table_at):
    """However many must name somebody before the day or the night begins; handouts have each table."""
    named = set()
    for seed in range(8):
        game = with_hunters(preset(rules, table_at=table_at), seed)
        moments = dict(moments_of_tables(game))
        steps = range(len(game.steps) + 1)
        due = [step for step in steps if moments.get(step) in table_at]
        assert [step for step in steps if game.at(step).table_due] == due
        assert list(told(game, "A").tables) == [game.at(step).table(public=True) for step in due]
        named |= {moments[step] for step in due if step and isinstance(game.steps[step - 1][0], TakenAlong)}
    assert "morning" in named


def test_a_sample_says_so():
    game = QuantumWerewolf([f"P{i}" for i in range(9)], rules="cisra", sample=50, rng=1)
    assert game.size <= 50
    said = "a random sample of at most 50 of 504 worlds"
    texts = [game.table(), game.table(viewer="P1"), game.ask("wolf_P1"), game.knowledge(), game.handout("P1")]
    assert all(said in str(text) for text in texts)


def test_the_worlds_of_a_large_sampled_game_are_a_power():
    game = QuantumWerewolf([f"P{i}" for i in range(60)], rules="cisra", wolves=20, sample=50, rng=1)
    assert game.setup.sampled == "a random sample of at most 50 of about 10^36 worlds"


def test_a_sample_of_all_worlds_is_none():
    game = QuantumWerewolf([f"P{i}" for i in range(5)], rules="cisra", sample=20, rng=1)
    assert game.setup.sample is None
    assert game.size == 20
    assert "sample" not in str(game.table())


@pytest.mark.parametrize("rules", ["cisra", "straat"])
def test_hidden_cells_are_explained(rules):
    game = QuantumWerewolf(FOUR, wolves=1, rules=preset(rules, show_dead=False))
    assert str(game.table(public=True)).endswith("\n?: hidden until it is certain")
    assert "?" not in str(game.table())
    assert "?" not in str(game.table(public=True, columns=["seer"]))
    seen = str(game.table(viewer=1))
    assert ("?: perhaps bitten" in seen) == ("?" in seen) == (rules == "straat")


def test_chance_is_exact_for_large_weights():
    weights = {"a": 2**70, "b": 1}
    assert {Chance(s)("role", None, weights) for s in range(50)} == {"a"}
    counts = [Chance(7, i)("role", None, {"x": 1, "y": 3}) for i in range(4000)]
    assert 2850 < counts.count("y") < 3150
    assert Chance(3)("role", None, {"only": 5}) == "only"


def test_a_draw_that_cheats_is_noticed():
    with pytest.raises(GameError, match="gave 'king', which is impossible"):
        straat(draw=lambda kind, player, weights: "king").vote_off("Bob")


def test_games_are_values():
    game = straat()
    assert game == straat()
    assert hash(game) == hash(straat())
    assert game != straat(targets="public")
    assert game != game.vision("Alice", "Bob", result="wolf")
    assert game.vision("Alice", "Bob", result="wolf").undo() == game
    assert game.vision(1, 2, result="w") == game.vision("Alice", "Bob", result="werewolf")


def test_a_string_is_one_player():
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    assert game.model("Ann").worlds == game.model(["Ann"]).worlds
    assert game.model("Ann", deaths_of="Bo").atoms == game.model(["Ann"], deaths_of=["Bo"]).atoms
    assert game.model(1).agents == ("Ann",)


def test_a_move_that_ends_a_phase_in_which_nobody_did_anything_says_so() -> None:
    players = ["Ann", "Bo", "Cy", "Di"]
    night = QuantumWerewolf(players, wolves=1, rules="straat", rng=1)
    with pytest.warns(UserWarning, match="nobody does anything in night 1: the move ends it"):
        night.vote_off("Di")
    acted = night.vision("Ann", "Bo")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        day = acted.vote_off("Di")
        assert day.phase.kind == "vote"
    with pytest.warns(UserWarning, match="nobody is voted off in day 1: the move ends it"):
        acted.end_phase().vision("Ann", "Cy")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_a_phase_names_the_steps_until_its_end(rules, seed):
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed"], wolves=1, rules=rules, rng=seed)
    for _ in range(5):
        game = game.end_phase(missing="random")
    told = [(str(episode.phase), episode.step) for episode in story(game) if episode.step]
    for phase in {name for full, _ in told for name in (full, full.partition(",")[0])}:
        last = max(step for full, step in told if phase in (full, full.partition(",")[0]))
        assert game.at(phase).steps == game.steps[:last]
