"""Exercises as documents to hand out, with or without the solution, and models in words and pictures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache, partial

from kripke_werewolf.base.display import DRAWN_WORLDS
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.documents import Block, Document, Figure, Heading, Items, Outline
from kripke_werewolf.logic.english.sentences import names
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises.exercise import Exercise


def to_markdown(exercise: Exercise, *, solution: bool = False) -> str:
    """Return an exercise as Markdown, its models in words; with `solution`, that and its reason follow."""
    blocks = [*exercise.blocks(lambda thing: Items(tuple(in_words(thing))))]
    if solution:
        blocks += [Heading("Solution"), *map(Outline, exercise.solved())]
    return Document(exercise.title or "Exercise", tuple(blocks)).to_markdown()


def illustrated(exercise: Exercise, place: Callable[[str, str], str] = lambda _, svg: svg) -> Iterator[Block]:
    """Yield the blocks of a task, with pictures described by their captions.

    They are named model1, model2, ...; `place` returns what stands in their places, for a name and the SVG.
    """
    numbers = {thing: f"model{number}" for number, (thing, _) in enumerate(exercise.shown(), 1)}

    def picture(thing: KripkeModel | ActionModel) -> Block:
        name = numbers[thing]
        return Figure(name, place(name, task_picture(thing)), "; ".join(in_words(thing)))

    return exercise.blocks(picture)


@cache
def task_picture(thing: KripkeModel | ActionModel) -> str:
    """Return the picture of a model or an action in a task as SVG, with agents' names on the lines."""
    from visualise import action_picture, picture, svg

    draw = action_picture if isinstance(thing, ActionModel) else partial(picture, edge_labels=True)
    return svg(draw(thing))  # type: ignore[arg-type]


def in_words(thing: KripkeModel | ActionModel) -> Iterator[str]:
    """Yield sentences that say all that a picture of a model or an action shows.

    >>> [*in_words(KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]}))]
    ['at w: p', 'at v: no atom', 'a cannot tell apart the worlds in {w, v}']
    """
    if isinstance(thing, ActionModel):
        yield from _action_in_words(thing)
    elif len(thing) > DRAWN_WORLDS:
        yield f"{len(thing):,} worlds; agents {names(thing.agents)}"
    else:
        for w in thing.worlds:
            yield f"at {world_text(w)}: {', '.join(thing.atoms_at(w)) or 'no atom'}"
        for agent in thing.agents:
            if (classes := thing.classes(agent)) is None:
                seen = {world_text(w): [*map(world_text, thing.successors(agent, w))] for w in thing}
                yield _arrows(agent, seen)
                continue
            ranks = thing.ranks.get(agent, dict.fromkeys(thing, 0))
            same = [_by_layers(cell, ranks) for cell in classes if len(cell) > 1]
            told = f"cannot tell apart the worlds in {'; '.join(same)}" if same else "tells all worlds apart"
            order = ", where < is “more plausible than”" if agent in thing.ranks else ""
            yield f"{names([agent])} {told}{order}"


def _by_layers(cell: Iterable[Hashable], ranks: Mapping[Hashable, int]) -> str:
    layers = grouped((ranks[world], world_text(world)) for world in cell)
    return "{" + " < ".join(", ".join(layers[rank]) for rank in sorted(layers)) + "}"


def _action_in_words(action: ActionModel) -> Iterator[str]:
    for name, event in action.events.items():
        changes = [f"{atom} becomes {f.unicode()}" for atom, f in event.post.items()]
        yield "; ".join([f"{name} happens where {event.pre.unicode()}", *changes])
    others = {} if action.others is None else {"anyone else": action.others}
    for agent, pairs in {**action.relations, **others}.items():
        yield _arrows(agent, {str(event): [str(f) for e, f in pairs if e == event] for event in action})
    yield f"the actual event is {' or '.join(map(str, action.designated))}"


def _arrows(agent: str, seen: Mapping[str, list[str]]) -> str:
    arrows = (f"at {name}: {', '.join(there) or 'none'}" for name, there in seen.items())
    return f"{names([agent])} considers possible {'; '.join(arrows)}"
