"""The table: a game and all that goes on around it, without input or output.

A front end (the console, one device that goes round, a server for phones) submits commands and shows views:

>>> from kripke_werewolf import QuantumWerewolf
>>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules="gekka", wolves=1)
>>> sitting = Sitting(game=game, manner=PHONES, seed=7)
>>> for name, target in (("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann")):
...     sitting, answer = sitting.submit(name, Choose(name, "vision", target))
>>> str(sitting.game.phase)
'day 2'

* `Sitting` is the value, `sitting.submit(seat, command, request=, moment=, now=)` the transition; it returns
  the next sitting and an `Answer`. `sitting.tick(now)` lets time pass. See the module `sitting`.
* `Keeper` holds the latest sitting for threads, and writes every change to the log before it answers:
  `submit`, `tick`, `player_view(seat)`, `public_view()`, `master_view()`, `revision`.
* Commands are values: see the module `commands`; `read_command` reads what a device sends as JSON.
* Views are JSON-ready; `view_bytes` gives the same bytes for equal views. See the module `views`.

**The fields of the views.** All of them: `view`, `settings`, `phase`, `kind` (`"night"`, `"day"`, `"over"`),
`moment` (to be sent back with a command), `players`, `alive`, `dead`, `away`, `paused`, `waiting` (how many
have not answered), `deadline` (when the time is up, by the clock of `now`) or `left` (seconds, paused),
`feed` (news by phases: `phase`, `position`, `lines`), `table` (`header`, `rows`, perhaps `left` and `note`;
or null), by day `ballot` (`kind`, `round`, `candidates`, and who `voted`, if open the `votes`), at the end
`ending`.

A player's: `player`, `you` (`alive`, `opening`, perhaps `number`, `card`, `chances`), `sheet` (everything
they were told, by phases: `phase`, `lines`, perhaps `table`), by night `ask`, a list of questions (`action`,
`question`, `targets`, `may_decline`, `answered`, `target`, `final`, `counts`, perhaps `why`, `refused`), by
day `vote` (`voted`, `target`).

The game master's: `master_table`, `worlds`, `choices`, `to_choose`, `waiting_for`, `votes`, `numbers`,
`house`, `steps`, `moments` (how far `Undo` can go), `last` (the last steps in words).

**What a front end must keep to.** Ask everybody the same: a question with `counts` false looks like the
others to those around, and its answer is submitted too. Send a player's view only where its bytes have
changed: `revision` moves with everybody's choices. The device makes the id of a request, once for each tap.
"""

from kripke_werewolf.tabletop.commands import (
    Away,
    Choose,
    Command,
    End,
    GoBack,
    Pause,
    Settle,
    Undo,
    Vote,
    VoteOff,
    Withdraw,
    read_command,
)
from kripke_werewolf.tabletop.keeper import Keeper
from kripke_werewolf.tabletop.sitting import DEVICE, MASTER, PHONES, Answer, Manner, Sitting
from kripke_werewolf.tabletop.views import Archive, View, master_view, player_view, public_view, view_bytes

__all__ = [
    "DEVICE",
    "MASTER",
    "PHONES",
    "Answer",
    "Archive",
    "Away",
    "Choose",
    "Command",
    "End",
    "GoBack",
    "Keeper",
    "Manner",
    "Pause",
    "Settle",
    "Sitting",
    "Undo",
    "View",
    "Vote",
    "VoteOff",
    "Withdraw",
    "master_view",
    "player_view",
    "public_view",
    "read_command",
    "view_bytes",
]
