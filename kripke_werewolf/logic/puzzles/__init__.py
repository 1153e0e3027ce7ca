"""Puzzles from the literature, each a function that returns the start, the events and the questions."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.puzzles.actions import (
    everybody_knows_all,
    gossip,
    prisoners,
    public_calls,
    sally_anne,
)
from kripke_werewolf.logic.puzzles.announcements import (
    cheryl,
    coordinated_attack,
    dining_cryptographers,
    drinking_logicians,
    muddy_children,
    surprise_exam,
    three_wise_men,
)
from kripke_werewolf.logic.puzzles.beliefs import diagnosis, nearest_worlds, professor
from kripke_werewolf.logic.puzzles.cards import aces_and_eights, hexa, resistance, russian_cards
from kripke_werewolf.logic.puzzles.catalogue import PUZZLES, puzzle
from kripke_werewolf.logic.puzzles.numbers import consecutive_numbers, sum_and_product, what_sum
from kripke_werewolf.logic.puzzles.puzzle import (
    Asked,
    Engine,
    Happened,
    Moment,
    Puzzle,
    PuzzleAnswer,
    Question,
    Scenario,
    Sized,
    at_most,
)

__all__ = [
    "PUZZLES",
    "Asked",
    "Engine",
    "Happened",
    "Moment",
    "Puzzle",
    "PuzzleAnswer",
    "Question",
    "Scenario",
    "Sized",
    "aces_and_eights",
    "at_most",
    "cheryl",
    "consecutive_numbers",
    "coordinated_attack",
    "diagnosis",
    "dining_cryptographers",
    "drinking_logicians",
    "everybody_knows_all",
    "gossip",
    "hexa",
    "muddy_children",
    "nearest_worlds",
    "prisoners",
    "professor",
    "public_calls",
    "puzzle",
    "resistance",
    "russian_cards",
    "sally_anne",
    "sum_and_product",
    "surprise_exam",
    "three_wise_men",
    "what_sum",
]

help_callers(__name__)
