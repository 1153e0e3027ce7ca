"""The host of an evening: a game of Quantum Werewolf on everybody's phone.

One program runs the table (`play.tabletop`) and keeps its log; phones show it in their browsers.
The command is `kripke-werewolf host`; it needs the extra `kripke-werewolf[play]`.

* `seats`: the players and their devices, in a private file beside the log.
* `evening`: the evening from the first player to the end of the game, without any network.
* `afterwards`: what players could have known, computed in another process after the game.
* `guard`: checks of requests before they are processed.
* `app`: the pages, the streams of views, and the commands, as a web application.
* `asking`: a page of its own that asks one person, without any table.
* `serving`: addresses, the socket, and the terminal.
"""
