"""`python -m kripke_werewolf` is the command `kripke-werewolf`."""

from kripke_werewolf.cli import main

main()
