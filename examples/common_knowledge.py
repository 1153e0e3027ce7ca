"""Common knowledge is more than that everybody knows: two generals and one messenger.

python examples/common_knowledge.py
"""

import kripke_werewolf as kw

# World k: k messages have arrived. General A sends the first one, B confirms it, A confirms that …
# Who has sent a message does not see whether it arrived.
n = 12
war = kw.KripkeModel.from_observations(
    range(n + 1),
    {"A": lambda k: k // 2, "B": lambda k: (k + 1) // 2},
    lambda k: ["dawn"] if k >= 1 else [],
)
war.draw()

# B knows of the attack at dawn once the first message is there; A knows that B knows after the second …
f = kw.Atom("dawn")
for agent in "BABABA":
    f = kw.K(agent, f)
    print(f"{f!s:30} first true after {war.where(f)[0]} messages")
war.draw(formula=f)

# Each message adds one level, and no number of them makes it common knowledge.
print("numbers of messages that make it common knowledge:", war.where("C_{A,B} dawn"))
war.draw(formula="C_{A,B} dawn")

# "Everybody knows", nested k times, looks k steps far; common knowledge looks along all paths.
last = war.point(n)
print("the path that refutes it:", last.explain("C_{A,B} dawn").sentences())
last.draw(explain="C_{A,B} dawn")

# One public announcement does at once what no exchange of messages can.
print("after it is said aloud:", last.announce("dawn").holds("C_{A,B} dawn"))
last.announce("dawn").draw()
