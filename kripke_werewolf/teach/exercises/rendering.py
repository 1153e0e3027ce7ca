"""Exercises as Markdown, LaTeX and HTML to hand out, with or without the solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from kripke_werewolf.base.display import DRAWN_WORLDS
from kripke_werewolf.base.reports.latex import included, standing_alone
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.logic.english.sentences import names as group_names
from kripke_werewolf.logic.english.sentences import subject
from kripke_werewolf.logic.formulas import Atom, parse
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises.exercise import Exercise


def to_markdown(
    exercise: Exercise,
    *,
    solution: bool = False,
    heading: str = "",
    level: int = 1,
    pictures: Sequence[str] = (),
) -> str:
    """Return an exercise as Markdown; with `solution`, followed by the solution and the reason.

    `heading` replaces the title, `level` is its level. `pictures`: the files with the pictures of the models
    shown, in order.
    """
    mark = "#" * level
    lines = [f"{mark} {heading or exercise.title or 'Exercise'}", ""]
    for number, (thing, caption) in enumerate(exercise.shown()):
        head, rows, sentences = picture_in_words(thing)
        if caption:
            lines += [f"{caption}:", ""]
        if number < len(pictures):
            lines += [f"![{caption or 'the model'}]({pictures[number]})", ""]
        cells = tuple((name, ", ".join(map(str, said)) or "-") for name, said in rows)
        lines += [Grid(head, cells, words=True).to_markdown(), ""]
        lines += [*(f"* {sentence}" for sentence in sentences), ""]
    lines += [exercise.question(), ""]
    if exercise.lists_options:
        lines += [*(f"{option.answer}. {option.label}" for option in exercise.form.options), ""]
    lines += [f"Answer: {exercise.form.words}."]
    if solution:
        answer, reason = exercise.solved()
        shown = f"```\n{answer}\n```" if "\n" in answer else f"`{answer}`"
        lines += ["", f"{mark}# Solution", "", shown, "", "```", reason, "```"]
    return "\n".join(lines) + "\n"


def to_latex(exercise: Exercise, *, solution: bool = False, document: bool = False) -> str:
    """Return an exercise as LaTeX to include, or as a document that compiles as it is.

    With `solution`, the solution and the reason follow.
    """
    lines = [rf"\subsection*{{{_escaped(exercise.title or 'Exercise')}}}"]
    for thing, caption in exercise.shown():
        if caption:
            lines.append(rf"\paragraph{{{_escaped(caption)}.}}")
        head, rows, sentences = picture_in_words(thing)
        lines += [r"\begin{center}\begin{tabular}{ll}", rf"{' & '.join(map(_escaped, head))}\\\hline"]
        for name, said in rows:
            formulas = ", ".join(f"${f.latex()}$" for f in said) or "--"
            lines.append(rf"{_escaped(name)} & {formulas}\\")
        lines += [r"\end{tabular}\end{center}", r"\begin{itemize}"]
        lines += [rf"  \item {_escaped(sentence)}" for sentence in sentences]
        lines += [r"\end{itemize}"]
    lines += [_typeset(exercise.question())]
    if exercise.lists_options:
        lines += [r"\begin{enumerate}"]
        lines += [rf"  \item {_typeset(option.label)}" for option in exercise.form.options]
        lines += [r"\end{enumerate}"]
    lines += ["", rf"\emph{{Answer: {_escaped(exercise.form.words)}.}}"]
    if solution:
        lines += _solved(exercise)
    finish = standing_alone if document else included
    return finish(lines, ["amsmath"])


def _solved(exercise: Exercise) -> list[str]:
    """Return the solution of an exercise and its reason as lines of LaTeX."""
    answer, reason = exercise.solved()
    lines = ["", rf"\paragraph{{Solution.}} \texttt{{{_escaped(answer)}}}"]
    if "\n" in answer:
        lines = ["", r"\paragraph{Solution.}", r"\begin{verbatim}", answer, r"\end{verbatim}"]
    lines += ["", r"\begin{quote}\raggedright"]
    for line in reason.split("\n"):
        depth = (len(line) - len(line.lstrip())) // 2
        indent = r"\quad" * depth + "{}" if depth else ""
        lines.append(indent + _escaped(line.strip()) + r"\par")
    return [*lines, r"\end{quote}"]


def to_html(
    exercise: Exercise, *, heading: str = "", pictures: Sequence[str] = (), options: bool = True
) -> str:
    """Return an exercise as a fragment of XHTML; `pictures` are the models shown, as SVG or `img`.

    The models are also given in words, folded below their pictures. Without `options`, the options to tick
    are omitted, for systems that list them themselves.
    """
    parts = []
    if heading or exercise.title:
        parts.append(f"<h2>{escape(heading or exercise.title)}</h2>")
    for number, (thing, caption) in enumerate(exercise.shown()):
        if caption:
            parts.append(f"<p>{escape(caption)}:</p>")
        head, rows, sentences = picture_in_words(thing)
        cells = tuple((name, ", ".join(f.unicode() for f in formulas) or "–") for name, formulas in rows)
        said = f"{Grid(head, cells, words=True).to_html()}\n{_list('ul', map(escape, sentences))}"
        if number >= len(pictures):
            parts.append(said)
            continue
        parts.append(f"<div>{pictures[number]}</div>")
        parts.append(f"<details><summary>in words</summary>\n{said}\n</details>")
    parts.append(f"<p>{marked(exercise.question())}</p>")
    if options and exercise.lists_options:
        parts.append(_list("ol", (marked(option.label) for option in exercise.form.options)))
    if options or not exercise.form.options:
        parts.append(f"<p>Answer: {escape(exercise.form.words)}.</p>")
    return "\n".join(parts)


def _list(tag: str, items: Iterable[str]) -> str:
    return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"


@lru_cache(maxsize=256)
def pictures_of(exercise: Exercise) -> tuple[str, ...]:
    """Return the pictures of the models and actions in a task as SVG, with agents' names on the lines."""
    from visualise import action_picture, picture, svg

    found = []
    for thing, _ in exercise.shown():
        scene = action_picture(thing) if isinstance(thing, ActionModel) else picture(thing, edge_labels=True)
        found.append(svg(scene))
    return tuple(found)


class _Description(NamedTuple):
    """A model or an action in words: two column headings, rows of a name and formulas, sentences."""

    head: tuple[str, str]
    rows: tuple[tuple[str, tuple[Formula, ...]], ...]
    sentences: tuple[str, ...]


def picture_in_words(thing: KripkeModel | ActionModel) -> _Description:
    """Return a model or an action in words, for use with or instead of the picture.

    >>> picture_in_words(KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]})).sentences
    ('a cannot tell apart the worlds in {w, v}',)
    """
    if isinstance(thing, ActionModel):
        return _described_action(thing)
    text = [world_text(w) for w in thing.worlds[:DRAWN_WORLDS]]
    rows = [(name, tuple(map(Atom, thing.atoms_at(w)))) for name, w in zip(text, thing.worlds, strict=False)]
    head = ("world", "true there")
    if len(thing) > DRAWN_WORLDS:
        rows.append((f"… ({len(thing):,} in all)", ()))
        said = f"{len(thing):,} worlds; agents {group_names(thing.agents)}"
        return _Description(head, tuple(rows), (said,))
    sentences = []
    for agent in thing.agents:
        classes = thing.classes(agent)
        if classes is None:
            seen = [list(map(world_text, thing.successors(agent, w))) for w in thing]
            sentences.append(_arrows(agent, text, seen))
            continue
        cells = "; ".join("{" + ", ".join(map(world_text, cell)) + "}" for cell in classes if len(cell) > 1)
        told = f"cannot tell apart the worlds in {cells}" if cells else "tells all worlds apart"
        sentences.append(f"{subject(agent)} {told}")
    return _Description(head, tuple(rows), tuple(sentences))


def _described_action(action: ActionModel) -> _Description:
    rows = [
        (str(name), (event.pre, *(Atom(atom).iff(f) for atom, f in event.post.items())))
        for name, event in action.events.items()
    ]
    sentences = []
    others = {} if action.others is None else {"anyone else": action.others}
    for agent, pairs in {**action.relations, **others}.items():
        seen = [[str(f) for e, f in pairs if e == event] for event in action]
        sentences.append(_arrows(agent, [name for name, _ in rows], seen))
    sentences.append(f"the actual event is {' or '.join(map(str, action.designated))}")
    return _Description(("event", "happens where"), tuple(rows), tuple(sentences))


def _arrows(agent: str, names: Sequence[str], seen: Iterable[Sequence[str]]) -> str:
    arrows = (f"at {name}: {', '.join(there) or 'none'}" for name, there in zip(names, seen, strict=True))
    return f"{subject(agent)} considers possible {'; '.join(arrows)}"


def _typeset(text: str) -> str:
    """Return a sentence as LaTeX, with formulas between backticks as mathematics.

    >>> _typeset("Is `K_a p` true at w_1?")
    'Is $K_{a} p$ true at w\\\\_1?'
    """
    return _spelled(text, lambda f: f"${f.latex()}$", _escaped)


def marked(text: str) -> str:
    """Return a sentence as HTML, with formulas between backticks as code.

    >>> marked("Is `~K_a p` true?")
    'Is <code>¬K_a p</code> true?'
    """
    return _spelled(text, lambda f: f"<code>{escape(f.unicode())}</code>", escape)


def _spelled(text: str, formula: Callable[[Formula], str], words: Callable[[str], str]) -> str:
    """Return a sentence with the formulas between backticks, and all else, written by these functions."""
    parts = enumerate(text.split("`"))
    return "".join(formula(parse(part)) if n % 2 else words(part) for n, part in parts)


def _escaped(text: str) -> str:
    r"""Return plain text as LaTeX, with logical signs and Greek letters as mathematics.

    >>> print(_escaped("50% ¬p"))
    50\% $\neg$p
    """
    from visualise.tikz_output import escaped

    return escaped(text)
