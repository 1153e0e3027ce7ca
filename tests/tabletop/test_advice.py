"""Advice and robots: right, and the same in games that a player cannot tell apart."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import QuantumWerewolf, preset
from kripke_werewolf.errors import GameError
from kripke_werewolf.tabletop import DEVICE, PHONES, Archive, Choose, Robots, Sitting, player_view, view_bytes
from kripke_werewolf.tabletop.advice import changed, hint, robot_answer, robot_names
from kripke_werewolf.werewolf import LogFile
from kripke_werewolf.werewolf.events import Vision
from kripke_werewolf.werewolf.log import HouseRules
from kripke_werewolf.werewolf.rulesheet import explained, kind_of
from kripke_werewolf.wording import LANGUAGES
from tests.superposed import facts_of

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]
CARDS = {"cupid": 1, "bodyguard": 1, "witch": 1, "hunter": 1}


def played(rules, seed, phases, **more):
    """Return a game after some phases of random moves."""
    numbers = "shuffled" if preset(rules).table == "anonymous" else None
    game = QuantumWerewolf(NAMES, rules=rules, wolves=1, numbers=numbers, rng=seed, **more)
    for _ in range(phases):
        if game.verdict is None:
            voting = game.phase.kind == "vote"
            game = game.vote_off(game.alive[-1]) if voting else game.end_phase(missing="random")
    return game
