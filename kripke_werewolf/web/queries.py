"""Queries of the page, which leave the state unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any

from kripke_werewolf.errors import FormatError, KripkeError, ModelTooLarge
from kripke_werewolf.grouping import grouped
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import LOGICS, logic_named
from kripke_werewolf.language.operators import Atom, KnowsWhether
from kripke_werewolf.models import History
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.semantics.action import ActionModel, public
from kripke_werewolf.web import limits
from kripke_werewolf.web.actions import READY
from kripke_werewolf.web.boards import Board, action_of, board_of, updated
from kripke_werewolf.web.completion import completions, operators
from kripke_werewolf.web.copying import COPIES, copied
from kripke_werewolf.web.limits import check_length, limited
from kripke_werewolf.web.pictures import picture_of
from kripke_werewolf.web.proving import desk_of, judged_live
from kripke_werewolf.web.state import Json, State, by_name, chosen, read_line, read_number
from kripke_werewolf.web.views import formula_of, theme_of
from visualise.picture import action_picture, origins, picture
from visualise.reading import Reader
from visualise.sequence import update_picture
from visualise.svg_output import to_svg
from visualise.text import world_texts

_MOST_DRAWN_EVENTS = 12
_MOST_ROWS = 60  # rows of agents' knowledge


# --- what there is ---------------------------------------------------------------------------------


def _catalogue(state: State, do: Json) -> Json:
    from kripke_werewolf.puzzles import PUZZLES

    board = board_of(state)
    puzzles = []
    for name, build in PUZZLES.items():
        size = signature(build).parameters.get("n")
        default = None if size is None else size.default
        puzzles.append({"name": name, "about": PUZZLES.about(name), "size": default})
    return {
        "puzzles": puzzles,
        "actions": [
            {"how": how} | {key: getattr(ready, key) for key in ("label", "explained", "group", "content")}
            for how, ready in READY.items()
        ],
        "named": list(board.source.actions),
        "logics": list(LOGICS),
        "derived": [name for name, of in LOGICS.items() if "symmetric" not in of.properties],
        "copies": [{"what": what, "label": copy.label} for what, copy in COPIES.items()],
        "operators": operators(),
    }


def _complete(state: State, do: Json) -> Json:
    text, at = do.get("text"), do.get("at")
    if not isinstance(text, str) or not isinstance(at, int) or not 0 <= at <= len(text):
        raise FormatError("complete: expected a string and a position in it")
    check_length(text, limits.MOST_LINE, "the formula")
    board = board_of(state)
    return completions(text, at, board.model, list(board.source.actions))


# --- the model -------------------------------------------------------------------------------------


def _facts(state: State, do: Json) -> Json:
    board = board_of(state)
    model = board.model
    lost = model.lost if board.action is not None else ()
    found = {agent: model.frame_class(agent) for agent in model.agents}
    agents = [{"name": a, "class": str(frame), "fails": list(frame.reasons)} for a, frame in found.items()]
    twins = contracted = None
    if len(model) <= limits.MOST_LISTED:
        block = Reader(model, model.agents).drawn(limits.MOST_LISTED).bisimilar()
        blocks = grouped((first, world) for world, first in enumerate(block))
        twins, contracted = [worlds for worlds in blocks.values() if len(worlds) > 1], len(blocks)
    return {
        "agents": agents,
        "twins": twins,
        "contracted": contracted,
        "outside": [f"{agent}: {flaw}" for agent, flaw in model.frame_flaws(state.logic).items()],
        "lost": [
            f"The relation of {loss.agent} was {loss.before} and is {loss.after}: "
            f"{'; '.join(found[loss.agent].reasons)}."
            for loss in lost
        ],
    }


def _timeline(state: State, do: Json) -> Json:
    """Return when formulas were true: those kept, the one in the line, and who knows each atom."""
    board = board_of(state)
    path = board.path
    given = do.get("formulas")
    known = list[KnowsWhether]()
    if given is None:
        given = [*state.pins, state.formula]
        known = [KnowsWhether(a, Atom(atom)) for a in board.model.agents for atom in board.model.atoms]
    return {
        "steps": [b.name for b in path],
        "rows": _rows(dict.fromkeys(given), board, path),
        "known": [_row(f, board, path) for f in known[:_MOST_ROWS]],
    }


def _rows(texts: Iterable[str], board: Board, path: list[Board]) -> list[Json]:
    """Return when formulas were true, or the error in them."""
    rows: list[Json] = []
    for text in filter(str.strip, texts):
        try:
            rows.append({"text": text, **_row(formula_of(text, board), board, path)})
        except KripkeError as error:
            rows.append({"text": text, "error": str(error).split("\n", 1)[0]})
    return rows


def _row(f: Formula, board: Board, path: list[Board]) -> Json:
    verdicts: list[str | None] = []
    for at in path:
        try:
            verdicts.append(str(at.model.verdict(f)))
        except KripkeError:  # an atom or agent that did not exist yet
            verdicts.append(None)
    since = enough = None
    if verdicts[-1] == "true":
        since, enough = len(verdicts) - 1, _enough(f, board)
        while since and verdicts[since - 1] == "true":
            since -= 1
    return {
        "formula": str(f),
        "unicode": f.unicode(),
        "verdicts": verdicts,
        "since": since,
        "enough": enough,
    }


def _enough(f: Formula, board: Board) -> str | None:
    """Return the steps that suffice to make a formula true, in a sentence; None if it is uninformative."""
    history: History[Any] = board.history
    if len(history) < 2:
        return None
    with limited(limits.EFFORT_OF_PART, "finding out which steps are enough"):
        try:
            found = history.explain_learning(f, limit=60)
        except KripkeError:
            return None
    if found is None or not 0 < len(found.sufficient) < len(history):
        return None
    return f"enough: {'; '.join(history.steps[k - 1].name for k in found.sufficient)}"


def _compare(state: State, do: Json) -> Json:
    first, second = (_step(state, do, key) for key in ("first", "second"))
    before, after = board_of(state, first), board_of(state, second)
    lines = [f"{before.name}: {counted(len(before.model), 'world')}."]
    lines += [f"{after.name}: {counted(len(after.model), 'world')}."]
    old, new = tuple(before.model.worlds), tuple(after.model.worlds)
    origin = origins(old, new)
    gone = sorted(set(range(len(old))).difference(origin))
    fresh = [k for k, number in enumerate(origin) if number is None]
    names, after_names = world_texts(old), world_texts(new)
    if gone:
        lines.append(f"Gone: {_some([names[k] for k in gone])}.")
    if fresh:
        lines.append(f"New: {_some([after_names[k] for k in fresh])}.")
    for agent in after.model.agents:
        if agent in before.model.agents:
            was, now = before.model.frame_class(agent), after.model.frame_class(agent)
            if was != now:
                lines.append(f"The relation of {agent} was {was} and is {now}.")
    pictures = [
        to_svg(picture_of(state, board, step).alone(theme_of(do.get("theme"))))
        for board, step in ((before, first), (after, second))
    ]
    return {
        "lines": lines,
        "svgs": pictures,
        "titles": [before.name, after.name],
        "formulas": _rows(dict.fromkeys([*state.pins, state.formula]), after, [before, after]),
    }


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:12])
    return shown if len(names) <= 12 else f"{shown} and {len(names) - 12} more"


def _step(state: State, do: Json, key: str) -> int:
    return read_number(do.get(key), key, len(state.steps), "a step")


# --- validity --------------------------------------------------------------------------------------


def _valid(state: State, do: Json) -> Json:
    from kripke_werewolf.deciding import decide_validity
    from kripke_werewolf.proofs import derivation

    text = do.get("formula") or state.formula
    logic = logic_named(do.get("logic") or state.logic)
    with limited(limits.EFFORT_OF_PART, "this question"):
        found = decide_validity(text, logic=logic)
    drawn, model, proof = None, None, None
    words = f"{found.formula.unicode()} is {str(found).split(chr(10), 1)[0]}."
    if found.model is not None:
        theme = theme_of(do.get("theme"))
        scene = picture(found.model, formula=found.instance, arrangement="auto", theme=theme, limit=40)
        drawn, model = to_svg(scene), found.model.to_dict()
    elif found.answer:
        try:
            with limited(limits.EFFORT_OF_PART, "the derivation"):
                derived = derivation(text, logic=logic)
        except KripkeError as error:
            words += f" No derivation: {str(error).split(chr(10), 1)[0]}."
        else:
            if derived is not None:
                proof = [
                    {
                        "number": number,
                        "formula": str(line.formula),
                        "unicode": line.formula.unicode(),
                        "reason": line.reason,
                    }
                    for number, line in enumerate(derived.lines, 1)
                ]
    told = {"answer": found.answer, "words": words, "logic": logic.name}
    return told | {"svg": drawn, "model": model, "derivation": proof}


# --- actions before they happen --------------------------------------------------------------------


def _happening(state: State, do: Json) -> tuple[Board, ActionModel]:
    inner = do.get("do")
    if inner is None:
        raise FormatError("do: expected the command whose action is to be drawn")
    board = board_of(state)
    action, _, _ = action_of(board, inner)
    if isinstance(action, Formula):
        action = public(action)
    if len(action.events) > _MOST_DRAWN_EVENTS:
        raise FormatError(f"actions of up to {_MOST_DRAWN_EVENTS} events are drawn here")
    return board, action


def _action(state: State, do: Json) -> Json:
    board, action = _happening(state, do)
    scene = action_picture(action, agents=board.model.agents, theme=theme_of(do.get("theme")))
    return {"svg": to_svg(scene), "words": scene.description}


def _updated(state: State, do: Json) -> Json:
    board, action = _happening(state, do)
    size = len(updated(board.model, action))
    if max(size, len(board.model)) > limits.MOST_DRAWN:
        raise ModelTooLarge(size, limits.MOST_DRAWN, "the picture of the product", "apply the action instead")
    pos = {
        world: tuple(spot)
        for world, spot in zip(board.model.worlds, picture_of(state, board).place, strict=True)
    }
    icons = board.source.icons
    scene = update_picture(
        board.model, action, pos=pos, theme=theme_of(do.get("theme")), edges="full", icons=icons
    )
    return {"svg": to_svg(scene), "words": scene.description}


# --- out of the page -------------------------------------------------------------------------------


def _strip(state: State, do: Json) -> Json:
    board, frames = board_of(state), []
    for number, at in zip([0, *state.path()], board.path, strict=True):
        shown = picture_of(state, at, number)
        svg, words = to_svg(shown.alone(theme_of(do.get("theme")))), shown.sketch.description
        frames.append({"title": at.name, "svg": svg, "words": words, "size": len(at.model)})
    return {"title": board.source.title, "frames": frames}


def _copy(state: State, do: Json) -> Json:
    chosen(COPIES, do.get("what"), "copy")
    return copied(do["what"], state, (do.get("student") or "")[:100])


QUERIES: Mapping[str, Callable[[State, Json], Any]] = {
    **by_name(_catalogue, _complete, _facts, _timeline, _compare, _valid, _action, _updated, _strip, _copy),
    "judge": lambda state, do: judged_live(desk_of(state), read_line(do.get("text"), "text")),
    "hint": lambda state, _: {"row": (found := desk_of(state).hint()).row, "why": found.why},
}
"""The commands that leave the state unchanged."""
