"""Semantics of formulas: truth sets, verdicts and explanations; action models and their elimination."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from kripke_werewolf.base.provided import provide as _provide
from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.logic.semantics.action import ActionModel as ActionModel
from kripke_werewolf.logic.semantics.action import Event as Event
from kripke_werewolf.logic.semantics.action import assign as assign
from kripke_werewolf.logic.semantics.action import lie as lie
from kripke_werewolf.logic.semantics.action import observe as observe
from kripke_werewolf.logic.semantics.action import private as private
from kripke_werewolf.logic.semantics.action import public as public
from kripke_werewolf.logic.semantics.action import semi_private as semi_private
from kripke_werewolf.logic.semantics.action import suspected as suspected
from kripke_werewolf.logic.semantics.action import whether as whether
from kripke_werewolf.logic.semantics.explored import Accessibility as Accessibility
from kripke_werewolf.logic.semantics.explored import NameSet as NameSet
from kripke_werewolf.logic.semantics.explored import PossibleWorld as PossibleWorld
from kripke_werewolf.logic.semantics.model import Model as Model
from kripke_werewolf.logic.semantics.verdict import Verdict as Verdict

if _TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.explanation import Explanation as Explanation
    from kripke_werewolf.logic.semantics.explanation import Link as Link
    from kripke_werewolf.logic.semantics.reduction import reduce_announcements as reduce_announcements

_provide("kripke_werewolf.logic.semantics.action", "assign")
_help_callers(__name__)
