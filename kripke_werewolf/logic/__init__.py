"""Dynamic epistemic logic: operators, formulas, models, updates, validity, proofs, puzzles.

In come formulas, as strings or values, and models; out go truth values with reasons, new models,
counter-models, derivations. `formulas` declares each operator once, `notation` reads formulas as logicians
write them, `english` sentences. `semantics` gives their meaning over any carrier: `models` (worlds one by
one), `symbolic` (decision diagrams). `deciding` asks all models of a logic, `proofs` says why, `puzzles`
has the classics; `written` reads statements, models and actions from plain text, `testing` checks a game of
your own.

Begin with `formulas.operators`, then `semantics.space`: what an operator is, and what it means.
"""
