"""From a state to its models: the source of the first, and the steps that lead to the one shown.

Results are cached by their sources and steps, so that a reply computes only new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kripke_werewolf.base.errors import FormatError, ModelError, UnknownNameError
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.puzzles.puzzle import Asked, Happened, Icon, Moment, wolf_icons
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.actions import action_in_lines, formula_in, ready_made, tell_in_words
from kripke_werewolf.teach.explorer.edits import edited, numbers_of
from kripke_werewolf.teach.explorer.games import game_view
from kripke_werewolf.teach.explorer.limits import check_worlds
from kripke_werewolf.teach.explorer.practice import board_model, exercise_of
from kripke_werewolf.teach.explorer.state import Json, Kept, State, by_name, chosen, digest, read_line
from visualise.text import world_texts

# --- sources ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Origin:
    """The source of a board.

    `title`; `credit`: a sentence on its origin. `moments`: its events and questions, in order. `actions`: its
    named actions. `start`: the value it was read from. `icons`: those of a puzzle or a game.
    """

    title: str
    model: KripkeModel
    credit: str = ""
    moments: tuple[Moment, ...] = ()
    actions: Mapping[str, ActionModel] = field(default_factory=dict)
    start: Json = field(default_factory=dict)
    icons: tuple[Icon, ...] = ()


_EMPTY = KripkeModel.from_partitions([], {}, {})

_sources = Kept[Origin](12)


def source_of(state: State) -> Origin:
    """Return the source of the board of a state; raises `FormatError` if it is invalid."""
    return _sources.get(_key(state), lambda: _source(state))


def _key(state: State) -> str:
    """Return a name for everything that the source of a state is made from."""
    return digest(state.start, state.exercises if "exercise" in state.start else 0)


def _source(state: State) -> Origin:
    start = state.start
    kind = next(iter(start), "")
    if kind not in _SOURCES:
        raise FormatError(f"start: expected one of {', '.join(_SOURCES)}, got {kind!r}")
    found = _SOURCES[kind](state, start)
    check_worlds(len(found.model), "this model")
    return replace(found, start=start)


def _puzzle(state: State, start: Json) -> Origin:
    from kripke_werewolf.logic.puzzles import at_most, puzzle

    name, n = read_line(start["puzzle"], "puzzle"), start.get("n")
    with at_most(limits.MOST_WORLDS):
        found = puzzle(name, n)
    title = name.replace("-", " ") + ("" if n is None else f", n = {n}")
    about = found.source, tuple(found.moments), dict(found.actions)
    return Origin(title, found.model, *about, icons=found.icons)


def _story(state: State, start: Json) -> Origin:
    from kripke_werewolf.research.stories import story

    name = str(start.get("name", "story"))
    text = read_line(start["story"], "the story", limits.MOST_TEXT)
    told = story("\n".join(line.rstrip() for line in text.split("\n")), source=name)
    return Origin(told.title or name, told.model, told.credit, told.moments)


def _model(state: State, start: Json) -> Origin:
    return Origin(str(start.get("name", "")), KripkeModel.from_dict(start["model"]))


def _exercise(state: State, start: Json) -> Origin:
    exercise = exercise_of(state, start["exercise"])
    return Origin(exercise.title, board_model(exercise) or _EMPTY)


def _game(state: State, start: Json) -> Origin:
    shown, model = game_view(start["game"]), _EMPTY
    if start["game"].get("model") is not None:
        model = KripkeModel.from_dict(start["game"]["model"])
    return Origin(shown["title"], model, icons=wolf_icons(model.atoms))


_SOURCES: Mapping[str, Callable[[State, Json], Origin]] = {
    "empty": lambda *_: Origin("", _EMPTY),
    **by_name(_puzzle, _story, _model, _exercise, _game),
}


# --- steps -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Board:
    """A model of the explorer, and the step that made it.

    `key`: a name for everything it was made from. `before`: the board before the step, None at the start.
    `action`: the update, None if there was none (at the start, after an edit, and for a question).
    """

    key: str
    source: Origin
    model: KripkeModel
    before: Board | None = None
    do: Json = field(default_factory=dict)
    name: str = "At first"
    kind: str = "start"
    action: ActionModel | Formula | None = None
    moment: int = 0

    @property
    def path(self) -> list[Board]:
        """The boards from the start to this one."""
        found = [self]
        while found[-1].before is not None:
            found.append(found[-1].before)
        return found[::-1]

    @property
    def since_edit(self) -> list[Board]:
        """The boards from the last step that was not an update, such as an edit, or from the start."""
        path = self.path
        updates = [board.action is not None or board.kind == "question" for board in path]
        return path[max(n for n, is_update in enumerate(updates) if not is_update) :]


_boards = Kept[Board](400)


def board_of(state: State, step: int | None = None) -> Board:
    """Return the board of a step of a state, by default the one shown."""
    source, start = source_of(state), _key(state)
    board = _boards.get(start, lambda: Board(start, source, source.model))
    for number in state.path(step):
        do = state.steps[number - 1].do
        before = board
        key = digest(before.key, do)
        board = _boards.get(key, lambda: stepped(before, do, key))  # noqa: B023 (called at once)
    return board


def stepped(board: Board, do: Json, key: str = "") -> Board:
    """Return the board after one more step; raises the library's errors for an impossible one."""
    found = chosen(_STEPS, do.get("command"), "step")(board, do)
    check_worlds(len(found["model"]), "the model after this step")
    return Board(
        key=key or digest(board.key, do),
        source=board.source,
        before=board,
        do=do,
        moment=found.pop("moment", board.moment),
        **found,
    )


def action_done(board: Board, do: Json) -> tuple[ActionModel | Formula, str, str]:
    """Return the action of a command, its name, and its kind."""
    model = board.model
    match do.get("command"):
        case "announce":
            f = formula_in(do.get("formula"), model)
            return f, f"announce {f.unicode()}", "announce"
        case "tell":
            return ready_made(do, model), tell_in_words(do), "tell"
        case "act" if "named" in do:
            return chosen(board.source.actions, do["named"], "action"), str(do["named"]), "act"
        case "act":
            action = action_in_lines(read_line(do.get("text"), "text"), model)
            return action, action.name, "act"
        case other:
            raise UnknownNameError(other, ("announce", "tell", "act"), kind="event")


def updated(model: KripkeModel, action: ActionModel | Formula) -> KripkeModel:
    """Return a model after an update, if it is not too large for the page."""
    if isinstance(action, ActionModel):
        return model.update(action, limit=limits.MOST_WORLDS)
    return model.announce(action)


def _happens(board: Board, do: Json) -> dict[str, Any]:
    action, name, kind = action_done(board, do)
    return {"model": updated(board.model, action), "action": action, "name": name, "kind": kind}


def _edit(board: Board, do: Json) -> dict[str, Any]:
    model = edited(board.model, do)
    words = [str(do["edit"]).replace("_", " ")]
    words += [str(do[key]) for key in ("agent", "atom", "name", "under") if key in do]
    names = world_texts(tuple(board.model.worlds))
    worlds = [names[number] for number in (*numbers_of(do), do.get("from")) if number is not None]
    if do["edit"] == "add_world":
        worlds = [str(model.worlds[-1])]
    name = ": ".join(filter(None, [" ".join(words), ", ".join(worlds)]))
    if do.get("to") is not None:
        name += f" → {names[do['to']]}"
    return {"model": model, "name": name, "kind": "edit"}


def _next(board: Board, do: Json) -> dict[str, Any]:
    moments = board.source.moments
    if board.moment >= len(moments):
        raise ModelError("the story is over" if moments else "this board is not a story")
    moment = moments[board.moment]
    after = {"moment": board.moment + 1}
    if isinstance(moment, Happened):
        model = updated(board.model, moment.action)
        return after | {"model": model, "action": moment.action, "name": moment.name, "kind": "next"}
    name = moment.meaning if isinstance(moment, Asked) else "how many worlds?"
    return after | {"model": board.model, "name": name, "kind": "question"}


_STEPS: Mapping[str, Callable[[Board, Json], dict[str, Any]]] = {
    **dict.fromkeys(("announce", "tell", "act"), _happens),
    "contract": lambda board, _: {"model": board.model.contract(), "name": "contract", "kind": "contract"},
    **by_name(_edit, _next),
}
