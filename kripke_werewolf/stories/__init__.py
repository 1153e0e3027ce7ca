"""Stories: scenarios in plain text that run as programs and as tests."""

from kripke_werewolf.puzzles.puzzle import Asked, Happened, Moment, Sized
from kripke_werewolf.stories.story import Story, StoryOutcome, read_story, story
from kripke_werewolf.usage import help_callers

__all__ = ["Asked", "Happened", "Moment", "Sized", "Story", "StoryOutcome", "read_story", "story"]

help_callers(__name__)
