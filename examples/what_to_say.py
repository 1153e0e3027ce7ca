"""Planning: what should be said so that b learns the secret, and c does not?

python examples/what_to_say.py
"""

from itertools import product

import kripke_werewolf as kw
from kripke_werewolf.research.planning import shortest_announcement

# a knows all, b knows q, c knows nothing. The secret is p.
model = kw.KripkeModel.from_observations(
    ["".join(bits) for bits in product("10", repeat=2)],
    {"a": lambda w: w, "b": lambda w: w[1], "c": lambda w: None},
    lambda w: [atom for atom, bit in zip("pq", w, strict=True) if bit == "1"],
    designated=["11"],
)
model.draw()

# To say p aloud tells both; what only b can use is a formula that ties p to what b knows.
for said in ("p", "p | q", "p <-> q"):
    after = model.announce(kw.K("a", said))
    print(f"{said:8} b knows p: {after.holds('K_b p')!s:6} c knows whether p: {after.holds('Kw_c p')}")
model.announce(kw.K("a", "p | q")).draw()

# The planner finds it: a shortest announcement of a, named by what a knows.
found = shortest_announcement(model, "a", learns={"b": "p"}, ignorant={"c": "p"})
print("found:", found)
after = model.announce(found)
print("b knows p, and c does not know whether:", after.holds("K_b p & ~Kw_c p"))
after.draw()
