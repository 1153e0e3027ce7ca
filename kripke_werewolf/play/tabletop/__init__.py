"""The table: a game and its players' choices, votes and time limits, without input or output.

A front end (the console, one device passed around, a server for phones) submits commands and shows views:

>>> from kripke_werewolf import QuantumWerewolf
>>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules="gekka", wolves=1)
>>> sitting = Sitting(game=game, manner=PHONES, seed=7)
>>> for name, target in (("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann")):
...     sitting, answer = sitting.submit(name, Choose(name, "vision", target))
>>> str(sitting.game.phase)
'day 2'

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
paused), `feed` (news by phases: `phase`, `position`, `lines`), `table` (`header`, `rows`, perhaps `left` and
`note`; or null), perhaps `robots` (that they play), by day `ballot` (`kind`, `round`, `candidates`,
`explained`, `voted`, and in an open ballot `votes`), at the end `ending`.

A player's: `player`, `you` (`alive`, `opening`, perhaps `number`, `card`, `chances`), `sheet` (all they were
told, by phases: `phase`, `lines`, perhaps `table`), `early` (whether questions should be explained now),
`changed` (what the last night changed for them, or ""), by night `ask`, a list of questions (`action`,
`question`, `explained`, `targets`, for pairs their `labels` and names, `pairs`, then `may_decline`,
`answered`, `target`, `final`, `counts`, perhaps `why`, `refused`), by day `vote` (`voted`, `target`).

The game master's: `master_table`, `worlds`, `choices`, `to_choose`, `waiting_for`, `votes`, `numbers`,
`house`, `steps`, `moments` (how far `Undo` can go), `last` (the last steps in words).

**Requirements on a front end.** Ask everybody the same: a question with `counts` false must look like the
others, and its answer is submitted too. Send a player's view only if its bytes have changed: `revision`
changes with everybody's choices. The device makes a new request id for each tap.
"""

from kripke_werewolf.base.usage import load_later as _load_later
from kripke_werewolf.play.tabletop.commands import Away as Away
from kripke_werewolf.play.tabletop.commands import Choose as Choose
from kripke_werewolf.play.tabletop.commands import Command as Command
from kripke_werewolf.play.tabletop.commands import EndPhase as EndPhase
from kripke_werewolf.play.tabletop.commands import GoBack as GoBack
from kripke_werewolf.play.tabletop.commands import Pause as Pause
from kripke_werewolf.play.tabletop.commands import Robots as Robots
from kripke_werewolf.play.tabletop.commands import Settle as Settle
from kripke_werewolf.play.tabletop.commands import TakeTurn as TakeTurn
from kripke_werewolf.play.tabletop.commands import Undo as Undo
from kripke_werewolf.play.tabletop.commands import Vote as Vote
from kripke_werewolf.play.tabletop.commands import VoteOff as VoteOff
from kripke_werewolf.play.tabletop.commands import Withdraw as Withdraw
from kripke_werewolf.play.tabletop.commands import read_command as read_command
from kripke_werewolf.play.tabletop.keeper import Keeper as Keeper
from kripke_werewolf.play.tabletop.sitting import DEVICE as DEVICE
from kripke_werewolf.play.tabletop.sitting import MASTER as MASTER
from kripke_werewolf.play.tabletop.sitting import PHONES as PHONES
from kripke_werewolf.play.tabletop.sitting import DeviceTurn as DeviceTurn
from kripke_werewolf.play.tabletop.sitting import Manner as Manner
from kripke_werewolf.play.tabletop.sitting import Receipt as Receipt
from kripke_werewolf.play.tabletop.sitting import Sitting as Sitting
from kripke_werewolf.play.tabletop.views import Archive as Archive
from kripke_werewolf.play.tabletop.views import View as View
from kripke_werewolf.play.tabletop.views import master_view as master_view
from kripke_werewolf.play.tabletop.views import player_view as player_view
from kripke_werewolf.play.tabletop.views import public_view as public_view
from kripke_werewolf.play.tabletop.views import view_bytes as view_bytes

_load_later(__name__)
