"""An arena for hidden-role games: any agents at a table, scored by what each of them could know.

In come a table, and for each seat a function from a prompt to an answer; out go records of all decisions with
scores of three kinds (knowledge, P under a named reference, truth), and reports.

Begin with `arena.Arena`; `tables` has the games, `scores` what the numbers mean.
"""

from kripke_werewolf.research.arena.arena import Agent, Arena, read_rows, replayed
from kripke_werewolf.research.arena.scores import arena_report
from kripke_werewolf.research.arena.tables import Night, Own, Werewolf, avalon

__all__ = ["Agent", "Arena", "Night", "Own", "Werewolf", "arena_report", "avalon", "read_rows", "replayed"]
