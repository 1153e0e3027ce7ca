"""An evening at a table: sittings, the game master's console, the host of a game on phones.

In come the commands of players and masters; out go views, each made from one player's information only, and
the log.

`tabletop` is the table itself, without input or output: who may do what, votes, clocks, what is told to
whom. `console` shows it on a terminal to a master, or to one device that is passed around; `host` serves it
to phones.

Begin with `tabletop.sitting`; a front end submits commands to it and shows what it answers.
"""
