"""Exercises: tasks about models, checked with a reason, generated from a seed, exported."""

from kripke_werewolf.exercises.files import read_exercise, to_latex, to_markdown, to_toml
from kripke_werewolf.exercises.generation import KINDS, new_exercise
from kripke_werewolf.exercises.tasks import (
    Announcement,
    ClosedTableau,
    Derivation,
    Distinguish,
    Exercise,
    FindModel,
    ModelChecking,
    Result,
    TruthSet,
)

__all__ = [
    "KINDS",
    "Announcement",
    "ClosedTableau",
    "Derivation",
    "Distinguish",
    "Exercise",
    "FindModel",
    "ModelChecking",
    "Result",
    "TruthSet",
    "new_exercise",
    "read_exercise",
    "to_latex",
    "to_markdown",
    "to_toml",
]
