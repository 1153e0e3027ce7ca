"""Stories: scenarios in plain text that run as programs and as tests."""

from kripke_werewolf.stories.reader import read_story, story
from kripke_werewolf.stories.story import Asked, Happened, Moment, Outcome, Sized, Story

__all__ = ["Asked", "Happened", "Moment", "Outcome", "Sized", "Story", "read_story", "story"]
