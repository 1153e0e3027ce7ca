"""Muddy children: how those who say that they do not know teach the others.

python examples/muddy_children.py
"""

import kripke_werewolf as kw
from kripke_werewolf.logic.puzzles import puzzle

# Four children, three of them muddy. Each sees the foreheads of the others and not its own.
children = puzzle("muddy-children", n=4)
start = children.model.point("1110")
print(f"{len(start)} worlds; child 1 cannot exclude", start.where("muddy_2 & muddy_3 & ~muddy_4"))
start.draw()

# The father says what everybody knows already. What is new: that everybody knows that everybody knows …
everybody = [1, 2, 3, 4]
father = kw.disjunction(f"muddy_{i}" for i in everybody)
print("everybody knows it before he speaks:", start.holds(kw.E(everybody, father)))
print("and it is common knowledge:", start.holds(kw.C(everybody, father)))
history = kw.History(start).then(father, name="the father speaks")
print("after he has spoken:", history.model.holds(kw.C(everybody, father)))
history.steps[-1].draw()

# Now they are asked again and again, all at once, whether they know. "Nobody" is news each time.
nobody = kw.conjunction(~kw.Kw(i, f"muddy_{i}") for i in everybody)
for number in (1, 2):
    history = history.then(nobody, name=f"round {number}: nobody knows")
for name, model in zip(["start", *(step.name for step in history.steps)], history.models, strict=True):
    print(f"{len(model):>3} worlds  {name}")
history.draw()

# Three are muddy: after two rounds of silence these three know it, and the fourth does not.
print("who knows now:", [i for i in everybody if history.model.holds(f"Kw_{i} muddy_{i}")])
history.model.draw(formula="Kw_1 muddy_1")

# Which of the steps were needed for it? All.
print("steps needed:", history.explain_learning("K_1 muddy_1").sufficient)
history.model.draw(explain="K_1 muddy_1")
