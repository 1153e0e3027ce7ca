"""Bisimulation: when two models say the same, and what tells them apart if they do not.

python examples/bisimulation.py
"""

import kripke_werewolf as kw

# One world that sees itself, or an endless walk between two: no formula can tell.
loop = kw.KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
pair = kw.KripkeModel(["u", "v"], {"a": [("u", "v"), ("v", "u")]}, {"p": ["u", "v"]})
print("loop and pair are bisimilar:", kw.bisimilar(loop, "w", pair, "u"))
pair.draw(fills="bisimulation")

# Let the walk end, and a formula tells them apart. It has the least depth that one can have.
stop = kw.KripkeModel(["u", "v"], {"a": [("u", "v")]}, {"p": ["u", "v"]})
f = kw.distinguishing_formula(loop, "w", stop, "u")
print("told apart by:", f)
print("true here, false there:", loop.holds(f, at="w"), stop.holds(f, at="u"))
print("up to depth 1 they are the same:", kw.bisimilar(loop, "w", stop, "u", depth=1))
stop.draw(formula=f)

# The contraction merges bisimilar worlds: the smallest model in which the same formulas are true.
tosses = kw.KripkeModel.from_partitions(["start"], {"a": [["start"]]}, {"heads": []})
toss = kw.ActionModel(
    {"h": kw.Event(post={"heads": True}), "t": kw.Event(post={"heads": False})},
    {"a": [(e, f) for e in "ht" for f in "ht"]},
)
tosses = tosses.update(toss).update(toss)
print("two hidden tosses:", len(tosses), "worlds, contracted:", len(tosses.contract()))
tosses.draw(fills="bisimulation")
