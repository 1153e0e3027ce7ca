"""Stories: scenarios in plain text that run as programs and as tests."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.puzzles.puzzle import Asked, Happened, Moment, Sized
from kripke_werewolf.research.stories.story import Story, StoryOutcome, read_story, story

__all__ = ["Asked", "Happened", "Moment", "Sized", "Story", "StoryOutcome", "read_story", "story"]

help_callers(__name__)
