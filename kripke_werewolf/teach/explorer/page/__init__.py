"""The explorer: one page, served locally, in a single file, or in a notebook.

`kripke-werewolf explore` serves it or writes it. Its logic is in `kripke_werewolf.teach.explorer`.
"""
