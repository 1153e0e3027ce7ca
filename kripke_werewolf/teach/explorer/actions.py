"""The events on a board: announcements, ready-made actions, and user-defined action models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from kripke_werewolf.base.errors import FormulaSyntaxError, UnknownNameError
from kripke_werewolf.base.reader import whole
from kripke_werewolf.logic.english.questions import Question, formulas_in
from kripke_werewolf.logic.formulas.operators import Atom
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.notation.reading import meanings_of
from kripke_werewolf.logic.semantics import assign, lie, observe, private, semi_private, suspected, whether
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.written import ActionReader, Statement, action_lines, read_formula
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.limits import check_length
from kripke_werewolf.teach.explorer.state import FieldError, chosen


class _Ready(NamedTuple):
    """A ready-made action.

    `function`: it is called with the group, if any, and the content. `group`: whether it is about one agent,
    several, or none. `content`: a formula, or changes of atoms.
    """

    label: str
    explained: str
    function: Callable[..., ActionModel]
    group: Literal["one", "some", ""] = ""
    content: Literal["formula", "changes"] = "formula"

    def arguments(self, group: Sequence[str], content: Any) -> tuple[Any, ...]:
        """Return the arguments of the function: the agent or the group, if any, and the content."""
        return {"": (), "one": (*group[:1],), "some": (list(group),)}[self.group] + (content,)


READY: Mapping[str, _Ready] = {
    "whether": _Ready("announce whether", "Everybody learns whether it is true.", whether),
    "tell": _Ready(
        "tell privately",
        "The group is told that it is true; the others believe that nothing happens.",
        private,
        "some",
    ),
    "show": _Ready(
        "show openly",
        "The group learns whether it is true; the others see that it does.",
        semi_private,
        "some",
    ),
    "suspect": _Ready(
        "show in secret, but suspected",
        "The group learns whether it is true; the others think that this may have happened.",
        suspected,
        "some",
    ),
    "observe": _Ready(
        "look", "The group finds out whether it is true, and the others see that it looks.", observe, "some"
    ),
    "lie": _Ready(
        "lie", "An agent who knows that it is false announces it, and the others believe it.", lie, "one"
    ),
    "assign": _Ready(
        "change facts", "Atoms take new truth values, and everybody sees it.", assign, content="changes"
    ),
}
"""The ready-made actions except the public announcement."""


def formula_in(text: object, model: KripkeModel, field: str = "formula", **how: Any) -> Formula:
    """Return the formula in a string, over the names of a model; see `questions_of`."""
    found, *others = questions_of(text, model, field, **how)
    if others or not isinstance(found, Formula):
        raise FieldError(f"expected a formula or a statement, got {text!r}", field)
    return found


def questions_of(
    text: object, model: KripkeModel, field: str, *, actions: Mapping[str, ActionModel] | None = None
) -> tuple[Question, ...]:
    """Return the meanings of a formula, or of a question in the words of a model.

    `actions`: the named ones. Raises `FieldError` with the position of the error.
    """
    if not isinstance(text, str):
        raise FieldError(f"expected a formula as a string, got {text!r}", field)
    check_length(text, limits.MOST_LINE, "the formula")
    try:
        found = meanings_of(text, model.words)
        if isinstance(found[0], Formula):
            found = (found[0].bind(**(actions or {})), *found[1:])
        for f in chain.from_iterable(map(formulas_in, found)):
            model.where(f)
    except FormulaSyntaxError as error:
        raise FieldError(str(error), field, error.position) from None
    except UnknownNameError as error:
        place = text.find(str(error.name))  # -1 if it is not written in this form
        raise FieldError(str(error), field, None if place < 0 else place) from None
    return found


def ready_made(do: Mapping[str, Any], model: KripkeModel) -> ActionModel:
    """Return the ready-made action described by a command `tell`."""
    ready = chosen(READY, do.get("how"), "action")
    group = (do.get("group") or []) if ready.group else []
    if ready.group and not group:
        raise FieldError("choose at least one agent", "group")
    if ready.group == "one" and len(group) != 1:
        raise FieldError("choose one agent", "group")
    for agent in group:
        model.relation(agent)  # raises for an unknown agent
    content: Any
    if ready.content == "changes":
        changes = do.get("changes")
        if not isinstance(changes, Mapping) or not changes:
            raise FieldError("say which atoms change, and to what", "changes")
        content = {atom: formula_in(f, model, f"changes.{atom}") for atom, f in changes.items()}
    else:
        content = formula_in(do.get("formula"), model)
    return ready.function(*ready.arguments(group, content))


def tell_in_words(do: Mapping[str, Any]) -> str:
    """Return a command `tell` in a few words, for the list of steps."""
    ready = READY[do["how"]]
    whom = f" {', '.join(do['group'])}" if ready.group else ""
    if ready.content == "changes":
        return f"{ready.label}: {', '.join(f'{atom} := {f}' for atom, f in do['changes'].items())}"
    return f"{ready.label}{whom}: {do['formula']}"


def action_in_lines(text: str, model: KripkeModel) -> ActionModel:
    """Return the action model in lines as stories write them, for a model; raises `FormatError`.

    >>> model = KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]})
    >>> model.update(action_in_lines(template(model), model)).holds("K_a p & ~K_b p")
    True
    """
    check_length(text, limits.MOST_LINE, "the action")
    part = whole(text, "your action")
    reader = ActionReader(
        formula=lambda piece: read_formula(piece.text, model, piece.fail),
        atom=lambda piece: piece.known(model.atoms, "atom"),
        agent=lambda piece: piece.known(model.agents, "agent"),
        agents=model.agents,
    )
    return reader.read("own action", Statement(part, part, part, part, part))


def template(model: KripkeModel) -> str:
    """Return an action to begin with, in lines: one agent is told one atom; empty if there are none."""
    if not model.agents or not model.atoms:
        return ""
    return "\n".join(action_lines(private(model.agents[0], Atom(model.atoms[0]))))
