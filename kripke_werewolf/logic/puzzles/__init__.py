"""Puzzles from the literature, each a function that returns the start, the events and the questions."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.logic.puzzles.actions import everybody_knows_all as everybody_knows_all
from kripke_werewolf.logic.puzzles.actions import gossip as gossip
from kripke_werewolf.logic.puzzles.actions import prisoners as prisoners
from kripke_werewolf.logic.puzzles.actions import public_calls as public_calls
from kripke_werewolf.logic.puzzles.actions import sally_anne as sally_anne
from kripke_werewolf.logic.puzzles.announcements import cheryl as cheryl
from kripke_werewolf.logic.puzzles.announcements import coordinated_attack as coordinated_attack
from kripke_werewolf.logic.puzzles.announcements import dining_cryptographers as dining_cryptographers
from kripke_werewolf.logic.puzzles.announcements import drinking_logicians as drinking_logicians
from kripke_werewolf.logic.puzzles.announcements import muddy_children as muddy_children
from kripke_werewolf.logic.puzzles.announcements import surprise_exam as surprise_exam
from kripke_werewolf.logic.puzzles.announcements import three_wise_men as three_wise_men
from kripke_werewolf.logic.puzzles.cards import aces_and_eights as aces_and_eights
from kripke_werewolf.logic.puzzles.cards import hexa as hexa
from kripke_werewolf.logic.puzzles.cards import resistance as resistance
from kripke_werewolf.logic.puzzles.cards import russian_cards as russian_cards
from kripke_werewolf.logic.puzzles.catalogue import PUZZLES as PUZZLES
from kripke_werewolf.logic.puzzles.catalogue import puzzle as puzzle
from kripke_werewolf.logic.puzzles.numbers import consecutive_numbers as consecutive_numbers
from kripke_werewolf.logic.puzzles.numbers import sum_and_product as sum_and_product
from kripke_werewolf.logic.puzzles.numbers import what_sum as what_sum
from kripke_werewolf.logic.puzzles.puzzle import Asked as Asked
from kripke_werewolf.logic.puzzles.puzzle import Engine as Engine
from kripke_werewolf.logic.puzzles.puzzle import Happened as Happened
from kripke_werewolf.logic.puzzles.puzzle import Moment as Moment
from kripke_werewolf.logic.puzzles.puzzle import Puzzle as Puzzle
from kripke_werewolf.logic.puzzles.puzzle import PuzzleAnswer as PuzzleAnswer
from kripke_werewolf.logic.puzzles.puzzle import Question as Question
from kripke_werewolf.logic.puzzles.puzzle import Scenario as Scenario
from kripke_werewolf.logic.puzzles.puzzle import Sized as Sized
from kripke_werewolf.logic.puzzles.puzzle import at_most as at_most

_help_callers(__name__)
