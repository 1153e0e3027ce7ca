"""Notebook displays: every kind of value, one in each cell.

    python examples/shown_values.py

In a terminal a value is a line; here that line is printed. The notebook made of this script
(python examples/to_notebooks.py DIRECTORY) shows pictures and tables instead.
"""

import kripke_werewolf as kw
from kripke_werewolf.logic.deciding import decide_validity
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.teach.exercises import new_exercise

# A formula, and a model: the picture.
formula = kw.parse("K_a p -> ~K_b K_a p")
model = kw.KripkeModel.from_partitions(
    ["w", "v"], {"a": [["w"], ["v"]], "b": [["w", "v"]]}, {"p": ["w"]}, designated="w"
)
print(model)
model.draw()

# A verdict says at how many of the designated worlds a formula is true.
model.point("w", "v").verdict("p")

# An explanation stands beside its picture, the path marked.
model.explain("K_b (p | K_a p)")

# The class of a relation, and what it lacks.
model.update(kw.private("a", "p")).frame_class("b")

# An action model.
kw.suspected("a", "p").draw()

# A history is a strip, with a slider for one step at a time.
history = kw.History(model).then(kw.semi_private("b", "p"), name="b asks").then("p", name="it is said aloud")
print(history)
history.draw()

# One of its steps: what is lost, or the model, the action and the product.
history.steps[0].draw()

# The verdicts over time, and what was needed for one of them.
print(history.timeline("K_b p", "C_{a,b} p"))
history.timeline("K_b p", "C_{a,b} p")

# Which updates were needed?
history.explain_learning("C_{a,b} p")

# A puzzle, with its source and its questions.
muddy = puzzle("muddy-children", n=3)
print(muddy)
muddy.draw()

# The answers to these questions.
muddy.answers()

# A decision, with the counter-model that shows it.
decide_validity("K_a K_b p -> K_b K_a p")

# An exercise, as a student sees it, and the result of an answer.
exercise = new_exercise("truth-set", rng=4)
print(exercise)
exercise.check("none")

# A game shows what everybody may know.
game = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="straat", rng=1)
game = game.vision("Ann", "Bo", result="wolf").attack("Ann", "Cy").end_phase(missing="random")
print(repr(game))
game.at(1)

# The game master's table, and everybody's knowledge.
game.table()

# Who knows what about whom?
game.knowledge()

# A question about the game, and the verdicts after every event.
game.ask("K_Ann wolf_Bo")

# When did it become so?
game.timeline("wolf_Bo", "K_Ann wolf_Bo")
