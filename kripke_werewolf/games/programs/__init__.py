"""Games whose players act on what they know: `program` declares them; they are solved, simulated, measured.

`kripke_werewolf.games` has the names that programs need.
"""
