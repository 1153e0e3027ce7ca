"""A printed page is everything that was told: it is read back as it was, and answers as the handout."""

import json
import os
import random
from typing import get_args

import pytest

import kripke_werewolf as kw
from kripke_werewolf.base.settings import possible_values, types_of
from kripke_werewolf.games.werewolf.events import PhaseEnded
from kripke_werewolf.games.werewolf.inference import read_sheet
from kripke_werewolf.games.werewolf.roles import ROLES
from kripke_werewolf.games.werewolf.rules import Rules
from kripke_werewolf.games.werewolf.told import Told, told

PAGES = int(os.environ.get("PAGES", "60"))
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"]
OWN = kw.Role(name="mason", knows=("mason_{t}",), rule="Masons know each other.")
SEVERAL: dict[str, list[object]] = {
    "columns": [("villager", "seer", "wolf", "dead"), ("evil", "dead"), ("human", "werewolf")],
    "sides": [("village", "wolves"), ("human", "wolf")],
    "opening": [("night",), ("visions",), ("visions", "attacks")],
    "cycle": [("vote", "night"), ("vote", "attacks", "visions")],
    "table_at": [("morning",), ("nightfall", "morning"), ()],
    "first_number": [0, 1, 2],
    "burnings": [1, 2],
    "default_wolves": [1, None],
}


def random_rules(chance: random.Random) -> Rules:
    """Return published rules with some fields changed."""
    while True:
        name = chance.choice([*kw.PRESETS])
        fields = chance.sample(sorted(types_of(Rules).keys() - {"name"}), chance.choice([0, 0, 1, 2, 5]))
        try:
            values = {f: chance.choice(SEVERAL.get(f) or possible_values(types_of(Rules)[f])) for f in fields}
            return kw.preset(name, **values)
        except kw.GameError:
            continue


def random_start(chance: random.Random) -> kw.QuantumWerewolf:
    """Return a game with random settings before its first move."""
    while True:
        names = NAMES[: chance.randint(3, 7)]
        further = [*ROLES][3:] + [OWN]
        cards = {role: 1 for role in chance.sample(further, chance.choice([0, 0, 1, 2]))}
        settings = {
            "wolves": chance.choice([1, 1, 2]),
            "cards": cards,
            "deal": chance.choice(["quantum", "quantum", "classical"]),
            "targets": chance.choice(["secret", "public"]),
            "numbers": chance.choice([None, "shuffled"]),
            "strict": chance.random() < 0.1,
            "rng": chance.randrange(2**32),
        }
        try:
            return kw.QuantumWerewolf(names, rules=random_rules(chance), **settings)
        except kw.GameError:
            continue


def random_step(game: kw.QuantumWerewolf, chance: random.Random) -> kw.QuantumWerewolf:
    """Return the game after a random move, refusal, statement, vote, or the end of the phase."""
    turns = [(name, action) for name, actions in game.may_act.items() for action in actions]
    if chance.random() < 0.1:
        speaker, *others = chance.sample(game.alive, len(game.alive))
        words = chance.choice(
            [f"~wolf_{speaker}", f"K_{speaker} ~dead_{speaker}", f"wolf_{others[0]} | seer_{speaker}"]
        )
        if chance.random() < 0.5:
            return game.private(speaker, others[: chance.randint(1, 2)], words, noticed=chance.random() < 0.7)
        return game.claim(speaker, words, believed=chance.random() < 0.3)
    if game.phase.kind == "vote" and not turns and chance.random() < 0.8:
        if chance.random() < 0.2:
            return game.vote_off(chance.sample(game.alive, 2))
        return game.vote_off(chance.choice(game.alive))
    if not turns or chance.random() < 0.15:
        return game.end_phase()
    name, action = chance.choice(turns)
    if chance.random() < 0.1:
        return game.decline(name, action=action)
    refused = [t for t in game.alive if "every remaining" in str(game.refusal(name, action, target=t))]
    if refused:
        return game.refuse(name, chance.choice(refused))
    if action == "take":
        return game.take_along(name, chance.choice(game.legal_targets(name, action)))
    return game.do(name, action, *chance.choice([*game.legal_choices(name, action).values()]))


def random_game(seed: int) -> kw.QuantumWerewolf:
    """Return a random game at a random moment."""
    chance = random.Random(seed)
    game = random_start(chance)
    for _ in range(chance.choice([0, 3, 10, 20, 40])):
        if game.verdict is not None:
            break
        try:
            game = random_step(game, chance)
        except (kw.GameError, IndexError, ValueError):
            continue
    return game


@pytest.mark.parametrize("seed", range(PAGES))
def test_a_page_is_read_as_it_was_told(seed):
    chance, game = random.Random(seed), random_game(seed)
    group = chance.sample(game.players, 2)
    for known in (game.handout(chance.choice(game.players)), told(game), told(game, *group)):
        assert Told.from_dict(json.loads(known.to_json())) == known
        assert read_sheet(str(known)) == known, str(known)
        assert read_sheet(known.to_markdown()) == known
