"""Coordinated attack: messengers and common knowledge."""

from __future__ import annotations

from kripke_werewolf.language import Atom, Everywhere, Formula, Iff, Knows
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, Question, ask, check_size

__all__ = ["coordinated_attack"]


def coordinated_attack(*, n: int = 12) -> Puzzle:
    """Return the puzzle of two generals who send each other a messenger up to n times.

    World i: so many messages have arrived, the next is lost. A sends the first message (of the hour of
    the attack) and acknowledges every answer, so A knows i // 2 and B (i + 1) // 2. The atom
    `arrived_3` says that at least three messages have arrived. Every arrival makes one more level of
    knowledge true, and none makes it common knowledge.
    """
    check_size(n, least=1, most=1000)
    model = KripkeModel.from_observations(
        range(n + 1),
        {"A": lambda i: i // 2, "B": lambda i: (i + 1) // 2},
        lambda i: [f"arrived_{k}" for k in range(1, i + 1)],
    )
    questions: list[Question] = []
    known: Formula = Atom("arrived_1")
    words = "the first message has arrived"
    for depth in range(min(n, 6) + 1):
        count = max(depth, 1)
        plural = "message has" if count == 1 else "messages have"
        meaning = f"{words}: just where {count} {plural} arrived"
        questions.append(ask(meaning, Everywhere(Iff(known, f"arrived_{count}")), after=0))
        knower = "BA"[depth % 2]
        known, words = Knows(knower, known), f"{knower} knows that {words}"
    questions.append(ask("somewhere it is common knowledge", "somewhere C_{A,B} arrived_1", False, after=0))
    return Puzzle(
        "coordinated-attack",
        "Two generals want to attack together; their messengers may be caught.",
        "Gray 1978; Fagin, Halpern, Moses and Vardi 1995, section 6.1",
        model,
        (),
        tuple(questions),
    )
