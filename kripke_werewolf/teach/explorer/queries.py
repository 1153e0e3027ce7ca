"""Queries of the page, which leave the state unchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from inspect import signature
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.english.sentence_parser import completions
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import FRAME_AXIOMS, LOGICS, logic_named
from kripke_werewolf.logic.formulas.names import atom_text, group_text, spellings
from kripke_werewolf.logic.formulas.syntax import Formula, all_operators
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import public
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.actions import READY, template
from kripke_werewolf.teach.explorer.boards import Board, action_done, board_of
from kripke_werewolf.teach.explorer.copying import COPIES, copied
from kripke_werewolf.teach.explorer.limits import limited
from kripke_werewolf.teach.explorer.pictures import picture_of
from kripke_werewolf.teach.explorer.practice import handed_in
from kripke_werewolf.teach.explorer.proving import desk_of, judged_live, language_of
from kripke_werewolf.teach.explorer.state import Json, State, by_name, read_line, read_number
from kripke_werewolf.teach.explorer.views import formula_of, theme_of
from visualise.picture import action_picture, picture
from visualise.reading import Reader
from visualise.svg_output import to_svg

_MOST_DRAWN_EVENTS = 12
_MOST_ROWS = 60  # rows of agents' knowledge


# --- what there is ---------------------------------------------------------------------------------


def _catalogue(state: State, do: Json) -> Json:
    from kripke_werewolf.logic.puzzles import PUZZLES

    board = board_of(state)
    sizes = {name: signature(build).parameters.get("n") for name, build in PUZZLES.items()}
    return {
        "puzzles": [
            {"name": name, "about": PUZZLES.about(name), "size": None if size is None else size.default}
            for name, size in sizes.items()
        ],
        "actions": [
            {"how": how} | {key: getattr(ready, key) for key in ("label", "explained", "group", "content")}
            for how, ready in READY.items()
        ],
        "named": list(board.source.actions),
        "own": template(board.model),
        "logics": list(LOGICS),
        "derived": list(FRAME_AXIOMS),
        "copies": [{"what": what, "label": copy.label} for what, copy in COPIES.items()],
        "operators": _operators(),
    }


def _complete(state: State, do: Json) -> Json:
    text, board = read_line(do.get("text"), "text"), board_of(state)
    at = read_number(do.get("at"), "at", len(text), "a position in the text")
    return _completions(text, at, board.model, list(board.source.actions))


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
    rows = list[Json]()
    for text in dict.fromkeys([*state.pins, state.formula]):
        with suppress(KripkeError):
            rows.append({"text": text, **_row(formula_of(text, board), path)})
    known = [s.KnowsWhether(a, s.Atom(atom)) for a in board.model.agents for atom in board.model.atoms]
    return {
        "steps": [b.name for b in path],
        "rows": rows,
        "known": [_row(f, path) for f in known[:_MOST_ROWS]],
    }


def _row(f: Formula, path: list[Board]) -> Json:
    verdicts: list[str | None] = []
    for at in path:
        try:
            verdicts.append(str(at.model.verdict(f)))
        except KripkeError:  # an atom or agent that did not exist yet
            verdicts.append(None)
    since = None
    if verdicts[-1] == "true":
        since = max((n for n, verdict in enumerate(verdicts, 1) if verdict != "true"), default=0)
    return {"formula": str(f), "unicode": f.unicode(), "verdicts": verdicts, "since": since}


# --- validity --------------------------------------------------------------------------------------


def _valid(state: State, do: Json) -> Json:
    from kripke_werewolf.logic.deciding import decide_validity
    from kripke_werewolf.logic.proofs import derivation

    text = do.get("formula") or state.formula
    logic = logic_named(do.get("logic") or state.logic)
    with limited(limits.EFFORT_OF_PART, "this question"):
        found = decide_validity(text, logic=logic)
        logic.about({*found.formula.agents, *board_of(state).model.agents})
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
            rows = enumerate(() if derived is None else derived.lines, 1)
            lines = [{"number": n, "unicode": row.formula.unicode(), "reason": row.reason} for n, row in rows]
            proof = lines or None
    told = {"answer": found.answer, "words": words, "logic": logic.name}
    return told | {"svg": drawn, "model": model, "derivation": proof}


# --- actions before they happen --------------------------------------------------------------------


def _action(state: State, do: Json) -> Json:
    """Return the picture of the action of a command that has not been given yet."""
    board = board_of(state)
    action, _, _ = action_done(board, do.get("do") or {})
    if isinstance(action, Formula):
        action = public(action)
    if len(action.events) > _MOST_DRAWN_EVENTS:
        raise FormatError(f"actions of up to {_MOST_DRAWN_EVENTS} events are drawn here")
    scene = action_picture(action, agents=board.model.agents, theme=theme_of(do.get("theme")))
    return {"svg": to_svg(scene), "words": scene.description}


# --- out of the page -------------------------------------------------------------------------------


def _strip(state: State, do: Json) -> Json:
    board, frames = board_of(state), []
    for number, at in zip([0, *state.path()], board.path, strict=True):
        shown = picture_of(state, at, number)
        svg, words = to_svg(shown.alone(theme_of(do.get("theme")))), shown.sketch.description
        frames.append({"title": at.name, "svg": svg, "words": words, "size": len(at.model)})
    return {"title": board.source.title, "frames": frames}


# --- completion of formulas -------------------------------------------------------------------------

_MOST_ITEMS = 12


class _Item(NamedTuple):
    """A completion: the text to insert, its display, and its meaning."""

    insert: str
    shown: str
    kind: str
    explained: str


def _about(kind: type[Formula]) -> str:
    """Return the first sentence of an operator's docstring."""
    return (kind.__doc__ or "").strip().split("\n", 1)[0]


def _operators() -> list[dict[str, str]]:
    """Return the signs with keys on the page: how they are typed and shown, their words and their meaning.

    The operators of an agent, and those about a group's knowledge, come first; the others of a group come
    last. They are inserted up to the agents, which completion adds; announcements around a formula.

    >>> [(sign["type"], sign["shown"], sign["name"]) for sign in _operators() if sign["type"] in ("K_", "[!")]
    [('K_', 'K', 'an agent knows that'), ('[!', '[!φ]', 'after an announcement, …')]
    """
    modal: list[dict[str, str]] = []
    others: list[dict[str, str]] = []
    rare: list[dict[str, str]] = []
    for kind in all_operators():
        for number, sign in enumerate(spellings(kind)):
            who = "an agent" if issubclass(kind, s.OfAgent) else "a group"
            name = _words(kind, number, who)
            key = {"shown": sign.unicode, "name": name, "explained": _about(kind), "close": ""}
            if issubclass(kind, s.Dynamic):
                shown, close = f"{sign.unicode}!φ{kind.closing.unicode}", f"{kind.closing.ascii} "
                others.append(key | {"type": f"{sign.ascii}!", "shown": shown, "close": close})
            elif issubclass(kind, s.OfAgent | s.OfGroup) and kind is not s.BelievesGiven:
                common = issubclass(kind, s.OfAgent) or kind.mode is s.Mode.BOX
                (modal if common else rare).append({"type": f"{sign.ascii}_"} | key)
            elif not issubclass(kind, s.Modal) and sign.ascii != sign.unicode:
                others.append({"type": sign.ascii} | key)
    return modal + others + rare


def _words(kind: type[Formula], number: int, who: str) -> str:
    """Return the words of a sign of an operator for some agents, about any atoms and announcements."""
    given = getattr(kind, "english", None)
    phrases = list(given.values()) if isinstance(given, Mapping) else [given]
    if (phrase := phrases[number]) is None:
        return _about(kind)
    said: str = phrase.says
    return said.format(who, name="a variable", names="atoms", number="some", update="an announcement")


def _completions(text: str, at: int, model: KripkeModel, actions: Sequence[str] = ()) -> dict[str, Any]:
    """Return the completions of the word before a position: the part to be replaced, and the items.

    >>> model = KripkeModel.from_partitions("wv", {"ann": ["wv"], "bo": ["wv"]}, {"muddy_1": [], "p": ["w"]})
    >>> found = _completions("K_a", 3, model)
    >>> found["start"], found["end"], [item["insert"] for item in found["items"]]
    (0, 3, ['K_ann '])
    >>> [item["insert"] for item in _completions("Does ann know wheth", 19, model)["items"]]
    ['whether ', 'whether muddy_1 is true?']
    >>> [item["insert"] for item in _completions("p & mud", 7, model)["items"]]
    ['muddy_1']
    """
    before = text[:at]
    items: Iterable[_Item] = _all_items(model, actions)
    if group := re.search(r"\w+_\{([^{}]*)$", before):  # the agents that can continue it
        *others, last = group[1].split(",")
        typed, there = last.lstrip(), {name.strip() for name in others}
        items = (_Item(agent, agent, "agent", "an agent") for agent in model.agents if agent not in there)
    else:
        word = re.search(r"(?:\[|<)?[\w']*$", before)
        typed = word[0] if word else ""
    start = before[: len(before) - len(typed)]
    said = completions(before, model.words) if re.search(r"(?:^|\s)$", start) else ()
    english = [_Item(f"{word} ".replace("? ", "?"), word, "english", "") for word in said]
    ordered = [*english, *items] if start.strip() else [*items, *english]
    begun = (item for item in ordered if item.insert.casefold().startswith(typed.casefold()))
    fitting = [item._asdict() for item in begun if item.insert.strip() != typed]
    return {"start": at - len(typed), "end": at, "items": fitting[:_MOST_ITEMS]}


def _all_items(model: KripkeModel, actions: Sequence[str]) -> Iterator[_Item]:
    for atom in model.atoms:
        yield _Item(atom_text(atom), s.Atom(atom).unicode(), "atom", "an atom")
    single = [(agent,) for agent in model.agents]
    for family, groups in ((s.OfAgent, single), (s.OfGroup, [model.agents] if len(single) > 1 else [])):
        for kind in (kind for kind in all_operators() if issubclass(kind, family)):
            for group in groups:
                sign = f"{kind.spelling.ascii}_{group_text(group)}"
                yield _Item(f"{sign} ", sign, "operator", _words(kind, 0, ", ".join(group)))
    for variable in model.variables:
        for agent in model.agents:
            sign = f"Kv_{group_text((agent,))}({variable})"
            yield _Item(sign, sign, "operator", _about(s.KnowsValue))
    for word in ("everywhere", "somewhere", "true", "false"):
        yield _Item(word, word, "word", "")
    for name in actions:
        yield _Item(f"[{name}]", f"[{name}]", "action", "after this action")
    yield _Item("[!", "[!φ]ψ", "operator", _about(s.Box))


def _hint(state: State, _: Json) -> Json:
    """Return the next line on the way to the goal, or why there is none."""
    found, shown = desk_of(state).hint(), language_of(state).shown
    return {"row": shown(found.row), "why": shown(found.why)}


QUERIES: Mapping[str, Callable[[State, Json], Any]] = {
    **by_name(_catalogue, _complete, _facts, _timeline, _valid, _action, _strip),
    "copy": copied,
    "hand-in": handed_in,
    "judge": lambda state, do: judged_live(state, read_line(do.get("text"), "text")),
    "hint": _hint,
}
"""The commands that leave the state unchanged."""
