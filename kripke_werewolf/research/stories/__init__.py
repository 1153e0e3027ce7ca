"""Stories: scenarios in plain text that run as programs and as tests."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.logic.puzzles.puzzle import Asked as Asked
from kripke_werewolf.logic.puzzles.puzzle import Happened as Happened
from kripke_werewolf.logic.puzzles.puzzle import Moment as Moment
from kripke_werewolf.logic.puzzles.puzzle import Sized as Sized
from kripke_werewolf.research.stories.story import Story as Story
from kripke_werewolf.research.stories.story import StoryOutcome as StoryOutcome
from kripke_werewolf.research.stories.story import read_story as read_story
from kripke_werewolf.research.stories.story import story as story

_help_callers(__name__)
