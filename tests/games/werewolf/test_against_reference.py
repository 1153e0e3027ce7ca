"""Random games of random variants, against the brute-force reference, step by step."""

import random
from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import PRESETS, Atom, QuantumWerewolf, replay
from kripke_werewolf.games.werewolf.events import Notice
from tests.reference.werewolf import Reference

PHASES = [("vote", "night"), ("vote", "attacks", "visions"), ("vote", "visions", "attacks")]
CHOICES = {
    "vision_shows": ["side", "kind", "role"],
    "vision_worlds": ["all", "alive"],
    "vision_compulsory": [True, False],
    "vision_self": [True, False],
    "bites": ["intended", "script"],
    "attack_self": [True, False],
    "attack_must_be_possible": [True, False],
    "first_attack": [True, False],
    "opening": [("night",), ("visions",), ("attacks", "visions")],
    "cycle": PHASES,
    "first_number": [0, 1],
    "number_rises_at": ["vote", "night"],
    "acting_order": ["number", "random"],
    "burnings": [1, 2],
    "vote_eliminates": [True, False],
    "cascade": ["lowest", "rounds"],
    "announce_vote": ["death", "side", "kind", "role"],
    "announce_found": ["death", "side", "kind", "role"],
    "told": ["role", "kind", "probabilities", "nothing"],
    "good_wins": ["all dead", "known dead", "none living"],
    "evil_wins": ["parity", "known half", "all wolves"],
    "forced_collapse": ["annihilation", "parity", "none"],
    "verdict_after": ["phase", "lynching"],
    "verdict_at_vote": ["after deaths", "before deaths"],
    "columns": [("good", "evil", "dead"), ("villager", "seer", "wolf", "dead"), ("seer", "dead"), ("wolf",)],
    "split_seer": [True, False],
    "table": ["open", "anonymous"],
    "show_dead": [True, False],
    "show_worlds": [True, False],
    "table_at": [("morning",), ("nightfall",), ("nightfall", "morning")],
}


@st.composite
def variants(draw):
    """A preset with any of its fields changed, as far as they fit together."""
    base = draw(st.sampled_from(list(PRESETS.values())))
    changes = draw(st.fixed_dictionaries({}, optional={k: st.sampled_from(v) for k, v in CHOICES.items()}))
    ranked = draw(st.booleans()) if draw(st.booleans()) else base.ranked
    changes["ranked"] = ranked
    changes["attack"] = draw(st.sampled_from(["dominant", "fractional"])) if ranked else "fractional"
    changes["attackers"] = draw(st.sampled_from(["dominant", "wolf"])) if ranked else "wolf"
    if changes["attack"] == "fractional":
        changes["attack_must_be_possible"] = False
    return replace(base, name="variant", several_seers=True, **changes)


@st.composite
def decks(draw):
    players = draw(st.integers(3, 6))
    wolves = draw(st.integers(1, min(3, players - 1)))
    return players, wolves, draw(st.integers(0, min(2, players - wolves)))


class Draws:
    """Draws at random for the engine, and hands the same outcomes to the reference with a check."""

    def __init__(self, chance):
        self.chance, self.made = chance, deque()

    def engine(self, kind, player, weights):
        outcome = self.chance.choices(list(weights), list(weights.values()))[0]
        if kind in ("vision", "role", "collapse"):
            self.made.append((kind, int(player), dict(weights), outcome))
        return outcome

    def reference(self, kind, player, weights):
        expected_kind, expected_player, given_weights, outcome = self.made.popleft()
        assert (expected_kind, expected_player, given_weights) == (kind, player, weights)
        return outcome


def agree(game, reference, draws):
    assert not draws.made
    n = len(game.players)
    strings = {"villager": "v", "seer": "s", "wolf": "w", "alpha": "a", "beta": "b", "gamma": "c"}
    worlds = [
        "".join(strings[r].upper() if p in dead else strings[r] for p, r in enumerate(roles))
        for roles, dead in reference.worlds
    ]
    assert sorted(game.worlds.world_strings()) == sorted(worlds)
    table = game.table(columns=("villager", "seer", "wolf", "dead"))
    assert [list(row) for row in table.rows] == reference.table()
    assert {int(p) for p in game.players} - {int(p) for p in game.alive} == reference.dead
    assert (game.verdict, game.forced) == (reference.verdict, reference.forced)
    told = sorted((int(e.player), e.role) for e in game.events if isinstance(e, Notice))
    assert told == sorted(reference.known.items())
    single = game.worlds.role_counts()
    living = [game.worlds.keep(~Atom(f"dead_{p}")).role_counts() for p in range(n)]
    for role in game.setup.deck.roles:
        for p in range(n):
            assert single[role][p] == reference.count(lambda w, p=p, r=role: w[0][p] == r)
            alive = reference.count(lambda w, p=p, r=role: w[0][p] == r and p not in w[1])
            assert living[p][role][p] == alive
    if game.verdict is not None:
        assert [game.results[p] for p in game.players] == reference.winners()
        return
    assert (game.phase.kind, game.phase.number) == (reference.kind, reference.number)
    assert game.state.standing == reference.judge()
    may = {(int(p), a) for p, actions in game.may_act.items() for a in actions}
    assert may == {(p, a) for a, ps in reference.open.items() for p in ps}
    for p, a in may:
        assert [int(t) for t in game.legal_targets(str(p), a)] == reference.legal(p, a)


@settings(max_examples=50, deadline=None)
@given(rules=variants(), deck=decks(), seed=st.integers(0, 2**32), public=st.booleans())
def test_random_games_of_random_variants(rules, deck, seed, public):
    players, wolves, seers = deck
    play_out(rules, players, wolves, seers, random.Random(seed), "public" if public else "secret")


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seed", range(12))
def test_random_games_of_the_presets(rules, seed):
    chance = random.Random(seed)
    players = chance.randint(3, 7)
    play_out(rules, players, chance.randint(1, 2), 1, chance, "secret")


def play_out(rules, players, wolves, seers, chance, targets):
    draws = Draws(chance)
    numbers = chance.sample(range(1, players + 1), players)
    game = QuantumWerewolf(
        [str(p) for p in range(players)],
        wolves=wolves,
        seers=seers,
        rules=rules,
        targets=targets,
        numbers=numbers,
        draw=draws.engine,
    )
    reference = Reference(rules, players, wolves, seers, draws.reference, numbers)
    agree(game, reference, draws)
    while game.verdict is None:
        if game.phase.kind == "vote" and chance.random() < 0.9:
            victim = chance.choice(game.alive)
            game = game.vote_off(victim)
            reference.vote_off(int(victim))
        elif game.may_act and chance.random() < 0.97:
            player = chance.choice(list(game.may_act))
            action = chance.choice(game.may_act[player])
            possible = game.legal_targets(player, action)
            if not possible:  # such variants exist: nobody is left whom he could choose
                game = game.end_phase()
                reference.end_phase()
            elif action == "vision" and not rules.vision_compulsory and chance.random() < 0.2:
                game = game.decline(player)
                reference.done(int(player), "vision")
            else:
                target = chance.choice(possible)
                game = game.vision(player, target) if action == "vision" else game.attack(player, target)
                (reference.vision if action == "vision" else reference.attack)(int(player), int(target))
        else:
            game = game.end_phase()
            reference.end_phase()
        agree(game, reference, draws)
    assert replay(game.log) == game
