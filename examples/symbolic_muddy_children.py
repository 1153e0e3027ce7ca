"""Symbolic model checking: thirty muddy children, a billion worlds, no list of them.

python examples/symbolic_muddy_children.py
"""

import kripke_werewolf as kw

# A knowledge structure has no worlds. It has a vocabulary, a law, and for each agent the atoms it sees; the
# states are the sets of atoms that obey the law, kept as a binary decision diagram.
n = 30
atoms = [f"m{i}" for i in range(n)]
structure = kw.KnowledgeStructure(atoms, True, {i: [a for a in atoms if a != f"m{i}"] for i in range(n)})
print(f"{structure.size:,} states")

# The questions and the announcements are the same as ever.
father = kw.disjunction(atoms)
nobody = kw.conjunction(~kw.Kw(i, f"m{i}") for i in range(n))
structure = structure.announce(father)
print("K_0 m0 holds in", structure.count("K_0 m0"), "state: where nobody else is muddy")
for round_number in range(1, 4):
    structure = structure.announce(nobody)
    left = structure.count("K_0 m0")
    print(
        f"after round {round_number}: {structure.size:,} states, child 0 knows that it is muddy in {left:,}"
    )

# With few children the explicit model gives the same numbers.
small = kw.KnowledgeStructure(atoms[:4], True, {i: [a for a in atoms[:4] if a != f"m{i}"] for i in range(4)})
explicit = kw.KripkeModel.from_observations(
    range(16),
    {str(i): lambda w, i=i: w & ~(1 << i) for i in range(4)},
    lambda w: [f"m{i}" for i in range(4) if w >> i & 1],
)
some, none = kw.disjunction(atoms[:4]), kw.conjunction(~kw.Kw(i, f"m{i}") for i in range(4))
sizes = []
for update in (some, none, none, none):
    small, explicit = small.announce(update), explicit.announce(update)
    sizes.append((small.size, len(explicit)))
print("symbolic and explicit agree:", sizes)
explicit.draw()
