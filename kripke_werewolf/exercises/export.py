"""Exercises as Markdown and LaTeX, with or without the solution."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from kripke_werewolf.exercises.tasks import Exercise
from kripke_werewolf.language.parser import parse
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Partition
from kripke_werewolf.semantics.wording import names as group_names
from kripke_werewolf.semantics.wording import subject, world_text

__all__ = ["to_latex", "to_markdown"]

_MOST_ROWS = 40  # worlds that are listed


def to_markdown(exercise: Exercise, *, solution: bool = False) -> str:
    """Return an exercise as Markdown; with `solution`, its solution and the reason below."""
    lines = [f"# {exercise.title or 'Exercise'}", ""]
    model = exercise.shown_model
    if model is not None:
        lines += ["| world | true there |", "|---|---|"]
        lines += [f"| {name} | {', '.join(atoms) or '-'} |" for name, atoms in _rows(model)]
        lines += ["", *(f"* {sentence}" for sentence in _relations(model)), ""]
    lines += [exercise.question(), ""]
    if exercise.shown_choices:
        lines += [*(f"{n}. `{f}`" for n, f in enumerate(exercise.shown_choices, 1)), ""]
    lines += [f"Answer: {exercise.answer_form()}."]
    if solution:
        answer, reason = _solved(exercise)
        lines += ["", "## Solution", "", f"`{answer}`", "", "```", reason, "```"]
    return "\n".join(lines) + "\n"


def to_latex(exercise: Exercise, *, solution: bool = False) -> str:
    """Return an exercise as LaTeX to be input; with `solution`, its solution and the reason below."""
    lines = [rf"\subsection*{{{_escaped(exercise.title or 'Exercise')}}}"]
    model = exercise.shown_model
    if model is not None:
        lines += [r"\begin{center}\begin{tabular}{ll}", r"world & true there\\\hline"]
        lines += [
            rf"{_escaped(name)} & {', '.join(f'${parse(_atom(a)).latex()}$' for a in atoms) or '--'}\\"
            for name, atoms in _rows(model)
        ]
        lines += [r"\end{tabular}\end{center}", r"\begin{itemize}"]
        lines += [rf"  \item {_escaped(sentence)}" for sentence in _relations(model)]
        lines += [r"\end{itemize}"]
    lines += [_sentence(exercise.question())]
    if exercise.shown_choices:
        lines += [r"\begin{enumerate}"]
        lines += [rf"  \item ${f.latex()}$" for f in exercise.shown_choices]
        lines += [r"\end{enumerate}"]
    if solution:
        answer, reason = _solved(exercise)
        lines += [
            "",
            rf"\paragraph{{Solution.}} \texttt{{{_escaped(answer)}}}",
            "",
            r"\begin{quote}\raggedright",
        ]
        for line in reason.split("\n"):
            indent = (len(line) - len(line.lstrip())) // 2
            lines += [r"\quad" * indent + "{}" * bool(indent) + _escaped(line.strip()) + r"\par"]
        lines += [r"\end{quote}"]
    return "\n".join(lines) + "\n"


def _solved(exercise: Exercise) -> tuple[str, str]:
    answer = exercise.solution()
    return answer, exercise.check(answer).reason


def _rows(model: KripkeModel) -> Iterator[tuple[str, tuple[str, ...]]]:
    for world in model.worlds[:_MOST_ROWS]:
        yield world_text(world), model.atoms_at(world)
    if len(model) > _MOST_ROWS:
        yield f"… ({len(model):,} in all)", ()


def _relations(model: KripkeModel) -> Iterator[str]:
    """Yield for each agent a sentence on what it cannot tell apart, or considers possible."""
    if len(model) > _MOST_ROWS:
        yield f"{len(model):,} worlds; agents {group_names(model.agents)}"
        return
    text = [world_text(w) for w in model.worlds]
    for agent, relation in model.relations.items():
        if isinstance(relation, Partition):
            cells = [cell.tolist() for cell in relation.members if len(cell) > 1]
            shown = "; ".join("{" + ", ".join(text[w] for w in cell) + "}" for cell in cells)
            told = f"cannot tell apart the worlds in {shown}" if cells else "tells all worlds apart"
            yield f"{subject(agent)} {told}"
            continue
        arrows = []
        for number, name in enumerate(text):
            seen = np.sort(relation.successors(number)).tolist()
            arrows.append(f"at {name}: {', '.join(text[v] for v in seen) or 'none'}")
        yield f"{subject(agent)} considers possible {'; '.join(arrows)}"


def _sentence(text: str) -> str:
    parts = text.split("`")
    return "".join(f"${parse(part).latex()}$" if n % 2 else _escaped(part) for n, part in enumerate(parts))


def _atom(name: str) -> str:
    from kripke_werewolf.language.operators import Atom

    return str(Atom(name))


_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "…": r"\dots{}"}


def _escaped(text: str) -> str:
    return re.sub(r"[\\~^…#$%&_{}]", lambda m: _SPECIAL.get(m[0], "\\" + m[0]), text)
