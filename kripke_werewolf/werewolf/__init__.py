"""The game Quantum Werewolf: roles, rule sets, the superposition of worlds."""

from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.roles import Deck
from kripke_werewolf.werewolf.rules import PRESETS, Rules, preset
from kripke_werewolf.werewolf.superposition import Superposition

__all__ = ["PRESETS", "Deck", "Enumerated", "Rules", "Superposition", "preset"]
