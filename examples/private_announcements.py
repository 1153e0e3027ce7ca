"""Private announcements: how a whisper makes a false belief, and what becomes of S5.

python examples/private_announcements.py
"""

import kripke_werewolf as kw

# Nobody knows whether p. In fact it is true.
start = kw.KripkeModel.from_partitions(
    ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, designated="w"
)
start.draw()

# a is told that p, while b believes that nothing happens. B reads "believes"; it is the same operator as K.
told = start.update(kw.private("a", "p"))
print("a knows p:", told.holds("K_a p"))
print("b believes that a does not know:", told.holds("B_b ~Kw_a p"))
print("which is false, so b's relation is", told.frame_class("b"), "now, and a's", told.frame_class("a"))
told.draw()

# Compare: b sees that a is told something (semi-private), or suspects it.
seen = start.update(kw.semi_private("a", "p"))
print("semi-private, b knows that a knows whether:", seen.holds("K_b Kw_a p"), seen.frame_class("b"))
suspected = start.update(kw.suspected("a", "p"))
print("suspected, b considers both possible:", suspected.holds("M_b Kw_a p & M_b ~Kw_a p"))
suspected.draw()

# The truth about a's knowledge, said aloud, contradicts all that b believes: b believes anything then.
broken = told.announce("K_a p")
print("after 'a knows p' b believes even what is false:", broken.holds("B_b false"))
print("lost:", ", ".join(map(str, broken.lost)))
broken.draw()
