"""The host of an evening: a game of Quantum Werewolf on everybody's phone.

One program keeps the table (`kripke_werewolf.tabletop`) and its log; phones show it in their browsers. The
command is `kripke-werewolf host`, and needs the extra `kripke-werewolf[host]`.

* `seats`: who sits where, and on which device, in a private file beside the log.
* `evening`: the evening from the first player who joins to the end of the game, without any network.
* `afterwards`: who could have known what, computed in other processes when the game is over.
* `guard`: what a request must be like before anything looks at it.
* `app`: the pages, the streams of views, and the commands, as a web application.
* `serving`: addresses, the socket, and the terminal.
"""
