"""Stories about who believes what, with questions whose answers and depth are certified."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.research.forge.family import (
    FAMILIES,
    Certificate,
    Family,
    Knobs,
    StoryItem,
    family_named,
    forged,
    read_items,
)

__all__ = ["FAMILIES", "Certificate", "Family", "Knobs", "StoryItem"]
__all__ += ["family_named", "forged", "read_items"]

help_callers(__name__)
