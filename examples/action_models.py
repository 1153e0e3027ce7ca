"""Action models: Sally, Anne and the marble, step by step.

python examples/action_models.py
"""

import kripke_werewolf as kw

# There is one world: nobody has any doubt. Sally is here, and the marble is not yet in the basket.
start = kw.KripkeModel.from_partitions(
    ["start"], {"Sally": [["start"]], "Anne": [["start"]]}, {"here": ["start"], "basket": []}
)
start.draw()

# An action model says what may happen: events with preconditions and changes of atoms, and who can tell
# which events apart. Anne moves the marble; Sally, who is out, believes that nothing happens.
move = kw.ActionModel(
    {"moved": kw.Event("~here", {"basket": False}), "nothing": kw.Event()},
    {
        "Anne": [("moved", "moved"), ("nothing", "nothing")],
        "Sally": [("moved", "nothing"), ("nothing", "nothing")],
    },
    designated=["moved"],
    name="move",
)
move.draw()

# The product update pairs worlds with the events that can happen there.
history = (
    kw.History(start)
    .then(kw.assign(basket=True), name="Sally puts the marble into the basket")
    .then(kw.assign(here=False), name="Sally goes out")
    .then(move, name="Anne moves the marble to the box")
    .then(kw.assign(here=True), name="Sally comes back")
)
for step, (truth, sally, knows) in zip(
    history.steps, history.timeline("basket", "B_Sally basket", "K_Anne B_Sally basket")[1:], strict=True
):
    print(f"{step.name:38} in the basket: {truth:6} Sally believes so: {sally:6} Anne knows that: {knows}")
print("Sally's false belief:", history.model.holds("~basket & B_Sally basket"))
history.draw()

# Inside a formula: before Anne moves the marble one can ask what will be so afterwards.
before = history.at(2)
print("[move]~basket:", before.holds("[move]~basket", actions={"move": move}))
before.draw()

# Two actions in a row are one action: their composition gives a bisimilar model.
twice = before.update(move).update(kw.assign(here=True))
once = before.update(move.then(kw.assign(here=True)))
same = kw.bisimilar(twice, twice.designated[0], once, once.designated[0])
print("M x A x B is bisimilar to M x (A;B):", same)
once.draw()
