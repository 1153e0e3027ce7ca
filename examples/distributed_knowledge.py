"""Distributed knowledge: what a group could find out by putting its heads together.

python examples/distributed_knowledge.py
"""

from itertools import product

import kripke_werewolf as kw

# a sees whether p; b sees whether p implies q. Both are so.
worlds = [p + q for p, q in product(("p", ""), ("q", ""))]
model = kw.KripkeModel.from_observations(
    worlds,
    {"a": lambda w: "p" in w, "b": lambda w: "p" not in w or "q" in w},
    list,
    designated=["pq"],
)
model.draw()

# Neither knows q, together they do.
for question in ("K_a q", "K_b q", "D_{a,b} q", "C_{a,b} q"):
    print(f"{question:10} {model.holds(question)}")
model.draw(formula="D_{a,b} q")

# Each says what it knows: what was distributed is common now.
history = kw.History(model).then("K_a p").then("K_b (p -> q)")
print("sizes:", [len(m) for m in history.models])
print("common knowledge that q:", history.model.holds("C_{a,b} q"))
history.draw()

# The order of groups: what everybody knows, one knows; what one knows, the group knows.
for law in ("E_{a,b} q -> K_a q", "K_a q -> D_{a,b} q", "C_{a,b} q -> E_{a,b} q", "D_{a,b} q -> K_a q"):
    print(f"{law:24} {'valid' if kw.valid(law) else 'not valid'} in S5")

# D is no matter of bisimulation: these two models have the same formulas without D, and differ in D.
one = kw.KripkeModel.from_partitions("uv", {"a": ["uv"], "b": ["uv"]}, {"p": ["u"]})
two = kw.KripkeModel.from_partitions("uvxy", {"a": ["uv", "xy"], "b": ["uy", "xv"]}, {"p": ["u", "x"]})
print("bisimilar:", kw.bisimilar(one, "u", two, "u"))
print("D_{a,b} p at u:", one.holds("D_{a,b} p", at="u"), two.holds("D_{a,b} p", at="u"))
two.draw(formula="D_{a,b} p")
