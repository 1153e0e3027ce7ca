"""Epistemic planning: tasks, plans, policies, and shortest announcements."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.research.planning.announcement import shortest_announcement as shortest_announcement
from kripke_werewolf.research.planning.policies import Policy as Policy
from kripke_werewolf.research.planning.policies import Validation as Validation
from kripke_werewolf.research.planning.policies import find_policy as find_policy
from kripke_werewolf.research.planning.policies import state_space as state_space
from kripke_werewolf.research.planning.policies import validate as validate
from kripke_werewolf.research.planning.search import PlanFound as PlanFound
from kripke_werewolf.research.planning.search import find_plan as find_plan
from kripke_werewolf.research.planning.search import plan as plan
from kripke_werewolf.research.planning.task import ObservedAction as ObservedAction
from kripke_werewolf.research.planning.task import Task as Task

_help_callers(__name__)
