"""Stories about who believes what, with questions whose answers and depth are certified."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.research.forge.family import FAMILIES as FAMILIES
from kripke_werewolf.research.forge.family import Certificate as Certificate
from kripke_werewolf.research.forge.family import Contrast as Contrast
from kripke_werewolf.research.forge.family import Family as Family
from kripke_werewolf.research.forge.family import Knobs as Knobs
from kripke_werewolf.research.forge.family import StoryItem as StoryItem
from kripke_werewolf.research.forge.family import family_named as family_named
from kripke_werewolf.research.forge.family import forged as forged
from kripke_werewolf.research.forge.family import read_items as read_items

_help_callers(__name__)
