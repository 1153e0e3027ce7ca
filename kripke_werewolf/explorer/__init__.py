"""The explorer: one page, from a local server, in a file of its own, or in a notebook.

`kripke-werewolf explore` serves it or writes it. What it knows is in `kripke_werewolf.web`.
"""
