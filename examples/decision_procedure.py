"""All models at once: what is valid in which logic, and the smallest counter-model where it is not.

python examples/decision_procedure.py
"""

import kripke_werewolf as kw

# The axioms, and the logics that they belong to.
axioms = {
    "T": "K_a p -> p",
    "D": "K_a p -> M_a p",
    "4": "K_a p -> K_a K_a p",
    "5": "~K_a p -> K_a ~K_a p",
    "B": "p -> K_a M_a p",
}
logics = ("K", "KD", "T", "K4", "S4", "K45", "KD45", "S5")
print("   " + " ".join(f"{logic:>5}" for logic in logics))
for name, axiom in axioms.items():
    print(f"{name:3}" + " ".join(f"{'yes' if kw.valid(axiom, logic=logic) else '-':>5}" for logic in logics))

# Beliefs may be false: in KD45 axiom T fails, and this is how.
model = kw.countermodel("B_a p -> p", logic="KD45")
print("a false belief:", model)
print(model.explain("B_a p -> p"))
model.draw(explain="B_a p -> p")

# How many worlds does it take to refute that ...
for f in ("p -> K_a p", "K_a K_b p -> K_b K_a p", "E_{a,b} p -> E_{a,b} E_{a,b} p", "E_{a,b} p -> C_{a,b} p"):
    print(f"{f:32} {len(kw.countermodel(f))} worlds")
kw.countermodel("E_{a,b} p -> C_{a,b} p").draw(formula="E_{a,b} p")

# The induction axiom of common knowledge is valid, so there is no counter-model.
induction = "p & C_{a,b} (p -> E_{a,b} p) -> C_{a,b} p"
print("induction has a counter-model:", kw.countermodel(induction) is not None)
