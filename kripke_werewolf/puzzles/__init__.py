"""Puzzles of the literature, each a function that returns model, events and questions."""

from kripke_werewolf.puzzles.attack import coordinated_attack
from kripke_werewolf.puzzles.cards import aces_and_eights, hexa, russian_cards
from kripke_werewolf.puzzles.catalogue import PUZZLES, puzzle
from kripke_werewolf.puzzles.cheryl import cheryl
from kripke_werewolf.puzzles.children import muddy_children
from kripke_werewolf.puzzles.exam import surprise_exam
from kripke_werewolf.puzzles.gossip import everybody_knows_all, gossip, public_calls
from kripke_werewolf.puzzles.logicians import dining_cryptographers, drinking_logicians
from kripke_werewolf.puzzles.numbers import consecutive_numbers, sum_and_product, what_sum
from kripke_werewolf.puzzles.prisoners import prisoners
from kripke_werewolf.puzzles.puzzle import Answer, Happening, Puzzle, Question
from kripke_werewolf.puzzles.resistance import resistance
from kripke_werewolf.puzzles.sally_anne import sally_anne
from kripke_werewolf.puzzles.wise_men import three_wise_men

__all__ = [
    "PUZZLES",
    "Answer",
    "Happening",
    "Puzzle",
    "Question",
    "aces_and_eights",
    "cheryl",
    "consecutive_numbers",
    "coordinated_attack",
    "dining_cryptographers",
    "drinking_logicians",
    "everybody_knows_all",
    "gossip",
    "hexa",
    "muddy_children",
    "prisoners",
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
