"""Action models and product updates as pictures: events are squares with pre- and postconditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.relation import General, Relation
from kripke_werewolf.semantics import ActionModel, Event
from visualise.compose import Item, boxes_of, compose
from visualise.content import left_out, listed, remarks, shown_agents
from visualise.edges import Look, gap_for
from visualise.geometry import Box, Positions
from visualise.layout import arrange, by_hand
from visualise.legend import with_notes
from visualise.options import Options, check
from visualise.palette import Pen, pen
from visualise.picture import Sketch, finished, placed, samples, sketch
from visualise.scene import Scene, beside
from visualise.sequence import inherited, roomy
from visualise.structure import Structure, Ties, ties_of
from visualise.text import Text, atom_runs, formula_runs, plain, world_text

__all__ = ["action_picture", "update_picture"]

_OTHERS, _ALL = "others", "all agents"  # how agents without a relation of their own are called
_LONGEST_FORMULA = 40


def action_picture(action: ActionModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of an action model.

    Agents are those it has relations for, and the others together. Of the options those apply that
    are about agents, edges, positions, title and caption.
    """
    check(action, options, kind=ActionModel, what="an action model")
    wanted = options.get("agents")
    others = _OTHERS if action.relations else _ALL
    agents = (*action.relations, *((others,) if action.others is not None else ()))
    if wanted is not None:
        agents = tuple(str(a) for a in ([wanted] if isinstance(wanted, str) else wanted))
    scene, s, look = _composed(action, agents, agents, options, pos=options.get("pos"))
    title, caption = options.get("title", ""), options.get("caption")
    return with_notes(
        replace(scene, title=title or f"Action model {action.name}"),
        samples(s, look.pens, options) if options.get("legend", True) else (),
        heading=title,
        caption=" ".join(left_out(s, options)) if caption is None else caption,
    )


def update_picture(model: KripkeModel, action: ActionModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of a product update: the model, the action model, and the model after it.

    A world (w, e) of the product stands where w stands, in a block of its own for each event.
    """
    check(model, options)
    product = model.update(action)
    telling = [shown_agents(m, options.get("agents")) for m in (model, product)]
    shown = tuple(agent for agent in model.agents if any(agent in found for found in telling))
    blind = [agent for agent in model.agents if agent not in shown] if options.get("agents") is None else []
    options = {**options, "agents": shown}
    before, after = sketch(model, options), sketch(product, options)
    place = placed(before, options)
    room = Box.union(boxes_of(after.items, after.structure))
    later = inherited(roomy(place, room), before, after, options)
    plain_options: Options = {**options, "legend": False, "caption": "", "title": ""}
    middle, s, look = _composed(action, shown, model.agents, options)
    scenes = [
        finished(before, place, plain_options),
        middle,
        finished(after, later, plain_options),
    ]
    joined = beside(scenes, ["M", f"A: {action.name.replace('_', '-')}", "M ⊗ A"])
    title, caption = options.get("title", ""), options.get("caption")
    return with_notes(
        replace(joined, title=title or joined.title),
        samples(s, look.pens, options) if options.get("legend", True) else (),
        heading=title,
        caption=_said(before, after, blind, options) if caption is None else caption,
    )


def _said(before: Sketch, after: Sketch, blind: Sequence[str], options: Options) -> str:
    """Return what has to be said of a model and its product, each sentence once."""
    out = [f"{listed(blind)} cannot tell any worlds apart."] if blind else []
    first, second = (remarks(ready.drawn, ready.structure, options) for ready in (before, after))
    for name, own, other in ("M", first, second), ("M ⊗ A", second, first):
        out += [sentence if sentence in other else f"In {name}: {sentence}" for sentence in own]
    return " ".join(dict.fromkeys(out))


def _composed(
    action: ActionModel,
    agents: Sequence[str],
    order: Sequence[str],
    options: Options,
    *,
    pos: Mapping[Any, Sequence[float]] | None = None,
) -> tuple[Scene, Structure, Look]:
    """Return the bare scene; agents have the pens of their place in `order`."""
    items = [_item(action, name, event) for name, event in action.events.items()]
    s = Structure(
        len(items), tuple(_ties(action, agent) for agent in agents), np.zeros((len(items), 0), bool)
    )
    pens: tuple[Pen, ...] = tuple(pen(list(order).index(agent)) for agent in agents)
    look = Look(pens, options.get("edges", "spanning"), options.get("edge_labels", False))
    boxes = boxes_of(items, s)
    place: Positions
    if pos is not None:
        place = by_hand(pos, list(action.events), boxes)
    else:
        place = arrange(s, boxes, seed=options.get("seed", 0), gap=gap_for(s, look))
    scene = compose(items, s, place, look)
    designated = listed(world_text(e) for e in action.designated)
    events = "; ".join(item.title for item in items)
    said = f"Action model {action.name} with the events {events}. Designated: {designated}."
    return replace(scene, description=said), s, look


def _item(action: ActionModel, name: object, event: Event) -> Item:
    parts: list[Text] = [(*plain("pre: "), *formula_runs(event.pre.unicode(), _LONGEST_FORMULA))]
    for atom, value in event.post.items():
        assigned = formula_runs(value.unicode(), _LONGEST_FORMULA)
        parts.append((*atom_runs(atom), *plain(" := "), *assigned))
    ring = name in action.designated and len(action.designated) < len(action.events)
    changes = ", ".join(f"{atom} := {value}" for atom, value in event.post.items())
    title = f"event {name}{', designated' if ring else ''}: precondition {event.pre}"
    title += f"; {changes}" if changes else ""
    return Item(name, world_text(name), tuple(parts), shape="square", ring=ring, title=title, stacked=True)


def _ties(action: ActionModel, agent: str) -> Ties:
    if agent in (_OTHERS, _ALL) and agent not in action.relations and action.others is not None:
        relation: Relation = General.from_pairs(len(action.events), action.others)
    else:
        relation = action.relation(agent)
    return replace(ties_of(agent, relation), groups=())
