"""Exercises: tasks about models, checked with a reason, generated from a seed, exported.

A kind of exercise is a frozen dataclass derived from `Exercise`, or from `OnModel` if the student is shown a
model. Files (TOML and JSON), the command line, sheets, grading, the exports and the explorer read its
declaration, which has

* `kind`, its name in files; `about`, the question in a few words;
* its fields, which files keep; their types are those of `exercises.serialisation` (`Formula`,
  `World`, `Agent`, `Logic`, `Goals`, `FreeFormula`, `KripkeModel`, `ActionModel`, numbers, strings, tuples of
  formulas or strings; also `| None`). Formulas, agents and worlds are checked against the last model before
  them;
* `question()`, the task in words, with formulas between backticks; `shown()`, the models and actions that are
  drawn (of an `OnModel`: the model);
* `form`, how an answer is written (`exercises.forms`: `YesNo`, `Names`, `Choice`, `AFormula`,
  `Number`; `exercises.drawings`: `AModel`; or a form of its own, which reads a
  string and refuses invalid answers);
* `judge(answer)`, for an answer that the form has read: a `Result` with the reason, and for a wrong one
  `partial`, its share of the points, if it deserves some;
* `solution()`, a right answer as a string.

A kind whose answer is a list of names, such as worlds or players, also derives from `Listing` and has
`right()`, the names that belong on the list, and `option_reason(name)`; judging, points and solution follow.

It may also have `parameters` and `generate(rng, *, …)`, which makes one random attempt and returns an
exercise or None (`exercises.random_parts` has models and formulas, and `assume` of
`exercises.generation` ends an attempt); `deck(*, …)`, which returns further arguments of it,
such as the verdict, that are dealt to a class and do not depend on the difficulty; `mistakes()`, the answers
caused by typical mistakes, each with its name (`random_parts.slips` finds them); `difficulty()`, by default
the number of claims in the reason for the solution plus the modal depth of the formulas;
`option_reason(option)`, why an option to tick is right or wrong; `same(answer, other)`, whether two answers
are equivalent, for recognising typical mistakes.

>>> from dataclasses import dataclass
>>> from kripke_werewolf.teach.exercises.forms import Number
>>> from kripke_werewolf.teach.exercises.random_parts import WORLDS, random_model
>>> @dataclass(frozen=True, slots=True, repr=False)
... class Doubts(OnModel):
...     kind = "doubts"
...     about = "between how many worlds can an agent not decide?"
...     parameters = {"size": WORLDS}
...     agent: Agent
...     form = Number()
...
...     def question(self):
...         return f"Between how many worlds can {self.agent} not decide, if w1 is actual?"
...
...     def judge(self, answer):
...         right = len(self.model.successors(self.agent, "w1"))
...         return Result(answer == right, f"at w1 {self.agent} considers {right} worlds possible")
...
...     def solution(self):
...         return str(len(self.model.successors(self.agent, "w1")))
...
...     @classmethod
...     def generate(cls, rng, *, size):
...         return cls("", random_model(size, "ab", rng), "a")
>>> exercise = new_exercise("doubts", size=5, rng=1)
>>> print(exercise.check("1"))
wrong: at w1 a considers 2 worlds possible
>>> from_dict(to_dict(exercise)) == exercise
True
>>> del Exercise.kinds["doubts"]
"""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.teach.exercises.exercise import (
    Exercise,
    Listing,
    Mistake,
    OnModel,
    Parameter,
    Result,
    Shown,
)
from kripke_werewolf.teach.exercises.games import WhoKnows
from kripke_werewolf.teach.exercises.generation import kinds_generated, new_exercise
from kripke_werewolf.teach.exercises.grading import Mark, Marks, grade
from kripke_werewolf.teach.exercises.relations import Bisimilar, FrameProperties
from kripke_werewolf.teach.exercises.rendering import to_latex, to_markdown
from kripke_werewolf.teach.exercises.serialisation import (
    Agent,
    FreeFormula,
    Goals,
    Logic,
    World,
    from_dict,
    parse_exercise,
    read_exercise,
    to_dict,
    to_toml,
)
from kripke_werewolf.teach.exercises.sheet import Sheet, Task, Variant, read_sheet
from kripke_werewolf.teach.exercises.translating import Reduce, ToFormula, ToSentence
from kripke_werewolf.teach.exercises.truth import (
    Announcement,
    Distinguish,
    HowProbable,
    ModelChecking,
    TruthSet,
)
from kripke_werewolf.teach.exercises.updating import Product, UpdatedTruthSet
from kripke_werewolf.teach.exercises.validity import ClosedTableau, Derivation, FindModel, Valid
from kripke_werewolf.teach.exercises.writing_actions import WriteAction

__all__ = [
    "Agent",
    "Announcement",
    "Bisimilar",
    "ClosedTableau",
    "Derivation",
    "Distinguish",
    "Exercise",
    "FindModel",
    "FrameProperties",
    "FreeFormula",
    "Goals",
    "HowProbable",
    "Listing",
    "Logic",
    "Mark",
    "Marks",
    "Mistake",
    "ModelChecking",
    "OnModel",
    "Parameter",
    "Product",
    "Reduce",
    "Result",
    "Sheet",
    "Shown",
    "Task",
    "ToFormula",
    "ToSentence",
    "TruthSet",
    "UpdatedTruthSet",
    "Valid",
    "Variant",
    "WhoKnows",
    "World",
    "WriteAction",
    "from_dict",
    "grade",
    "kinds_generated",
    "new_exercise",
    "parse_exercise",
    "read_exercise",
    "read_sheet",
    "to_dict",
    "to_latex",
    "to_markdown",
    "to_toml",
]

help_callers(__name__)
