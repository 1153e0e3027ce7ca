"""Exercises: tasks about models, checked with a reason, generated from a seed, handed out and graded.

A kind of exercise is a generator, a question and a key: a frozen dataclass derived from `Exercise`, or from
`OnModel` if the student is shown a model. Its answer has one of five forms, each with one parser: a
formula, a list of worlds or other names, a model, a proof, a choice, perhaps with a reason. A kind has

* `kind`, its name in files; `about`, the question in a few words;
* its fields, which files keep; their types are those of `exercises.serialisation` (`Formula`, `World`,
  `Agent`, `Logic`, `Goals`, `FreeFormula`, `KripkeModel`, `ActionModel`, numbers, strings, tuples of
  strings; also `| None`). Formulas, agents and worlds are checked against the last model before
  them;
* `question()`, the task in words, with formulas between backticks; `shown()`, the models and actions that
  are drawn (of an `OnModel`: the model);
* `form`, how an answer is written (`exercises.forms`, `exercises.drawings`);
* `judge(answer)`, for an answer that the form has read: a `Result` with the reason, and for a wrong one
  `partial`, its share of the points, if it deserves some;
* `solution()`, a right answer as a string;
* `parameters` and `generate(rng, *, …)`, which makes one random attempt (`exercises.generation` has
  models and formulas, and `assume` of `exercises.generation` ends an attempt).

A kind whose answer is a list of names also derives from `Listing` and has `right()`, the names that belong
on the list, and `option_reason(name)`; judging, points and solution follow.

It may also have `deck(*, …)`, which returns further arguments of `generate`, such as the verdict, that are
dealt to a class and do not depend on the difficulty; `mistakes()`, the answers caused by typical mistakes,
each with its name; `difficulty()`, by default the number of claims in the reason for the solution plus the
modal depth of the formulas; `same(answer, other)`, whether two answers are equivalent, for recognising
typical mistakes.

>>> from dataclasses import dataclass
>>> from kripke_werewolf.teach.exercises.forms import Names
>>> from kripke_werewolf.teach.exercises.generation import WORLDS, random_model
>>> from kripke_werewolf.teach.exercises.serialisation import Agent
>>> @dataclass(frozen=True, slots=True, repr=False)
... class Doubts(Listing, OnModel):
...     kind = "doubts"
...     parameters = {"size": WORLDS}
...     agent: Agent
...
...     @property
...     def form(self):
...         return Names(self.model.worlds)
...
...     def question(self):
...         return f"Between which worlds can {self.agent} not decide, if w1 is actual?"
...
...     def right(self):
...         return frozenset(self.model.successors(self.agent, "w1"))
...
...     def option_reason(self, option):
...         return f"{self.agent} sees {', '.join(sorted(self.right()))}"
...
...     @classmethod
...     def generate(cls, rng, *, size):
...         return cls("", random_model(size, "ab", rng), "a")
>>> exercise = new_exercise("doubts", size=5, rng=1)
>>> print(exercise.check("w1"))
wrong: w2 is missing
a sees w1, w2
>>> from_dict(to_dict(exercise)) == exercise
True
>>> del Exercise.kinds["doubts"]
"""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.teach.exercises import games, relations, translating, truth, validity, writing_actions
from kripke_werewolf.teach.exercises.exercise import Exercise, Listing, Mistake, OnModel, Parameter, Result
from kripke_werewolf.teach.exercises.generation import new_exercise
from kripke_werewolf.teach.exercises.grading import Mark, Marks, grade
from kripke_werewolf.teach.exercises.rendering import to_markdown
from kripke_werewolf.teach.exercises.serialisation import (
    from_dict,
    parse_exercise,
    read_exercise,
    to_dict,
    to_toml,
)
from kripke_werewolf.teach.exercises.sheet import Sheet, Task, Variant, read_sheet

__all__ = [
    "Exercise",
    "Listing",
    "Mark",
    "Marks",
    "Mistake",
    "OnModel",
    "Parameter",
    "Result",
    "Sheet",
    "Task",
    "Variant",
    "from_dict",
    "games",
    "grade",
    "new_exercise",
    "parse_exercise",
    "read_exercise",
    "read_sheet",
    "relations",
    "to_dict",
    "to_markdown",
    "to_toml",
    "translating",
    "truth",
    "validity",
    "writing_actions",
]

help_callers(__name__)
