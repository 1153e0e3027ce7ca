"""The table: a game and its players' choices, votes and time limits, without input or output.

A front end (the console, one device passed around, a server for phones) submits commands and shows views:

>>> from kripke_werewolf import QuantumWerewolf
>>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules="gekka", wolves=1)
>>> sitting = Sitting(game=game, manner=PHONES, seed=7)
>>> for name, target in (("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann")):
...     sitting, answer = sitting.submit(name, Choose(name, "vision", target))
>>> str(sitting.game.phase)
'day 1'

* `Sitting` is the value, `sitting.submit(seat, command, request=, moment=, now=)` the transition; it returns
  the next sitting and a `Receipt`. `sitting.tick(now)` lets time pass. See the module `sitting`.
* `Keeper` holds the latest sitting for threads, and writes every change to the log before it answers:
  `submit`, `tick`, `player_view(seat)`, `public_view()`, `master_view()`, `revision`.
* Robots are players for whom the program answers: `Robots`, and `keeper.play_robots()` in each moment.
* `keeper.hint(seat, action)`: whom a player might name, from what they were told. See the module `advice`.
* Commands are values: see the module `commands`; `read_command` reads a command sent as JSON.
* Views are JSON-ready; `view_bytes` gives the same bytes for equal views. See the module `views`.

**The fields of the views.** In all views: `view`, `settings`, `phase`, `kind` (`"night"`, `"day"`, `"over"`),
`moment` (to be sent back with a command), `players`, `alive`, `dead`, `away`, `paused`, `waiting` (the number
of players who have not answered), `deadline` (the end of the time, by the clock of `now`) or `left` (seconds,
paused), `feed` (news by phases: `phase`, `position`, `lines`), `table` (`header`, `rows`, perhaps `left`,
`note` and `since`, after which phase it was made public; or null), perhaps `robots` (that they play), by day
`ballot` (`kind`, `round`, `candidates`, `voted`, and in an open ballot `votes`), at the end `ending` and
`headline` (who won).

A player's: `player`, `you` (`alive`, `opening`, perhaps `number`, `card`, `chances`), `sheet` (all they were
told, by phases: `phase`, `lines`, perhaps `table`), `early` (whether questions should be explained now),
`changed` (what the last night changed for them, or ""), by night `ask`, a list of questions (`action`,
`question`, `explained`, `targets`, for pairs their `labels` and names, `pairs`, then `may_decline`,
`answered`, `target`, `final`, `counts`, perhaps `why`, `refused`), by day `vote`, a question, too.

The game master's: `master_table`, `worlds`, `choices`, `waiting_for`, `votes`, `steps`,
`last` (the last steps in words).

**Requirements on a front end.** Ask everybody the same: a question with `counts` false must look like the
others, and its answer is submitted too. Send a player's view only if its bytes have changed: `revision`
changes with everybody's choices. The device makes a new request id for each tap.
"""

from kripke_werewolf.play.tabletop.commands import Away, Choose, EndPhase, Pause, Robots, Undo, Vote, VoteOff
from kripke_werewolf.play.tabletop.keeper import Keeper
from kripke_werewolf.play.tabletop.sitting import DEVICE, MASTER, PHONES, Receipt, Sitting

__all__ = [
    "DEVICE",
    "MASTER",
    "PHONES",
    "Away",
    "Choose",
    "EndPhase",
    "Keeper",
    "Pause",
    "Receipt",
    "Robots",
    "Sitting",
    "Undo",
    "Vote",
    "VoteOff",
]
