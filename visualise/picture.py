"""From a model or an action model to a `Scene`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from math import ceil, inf
from typing import Any, Self, Unpack, get_args, get_type_hints

from kripke_werewolf.base.drawing import Arrangement, EdgeChoice, Options
from kripke_werewolf.base.errors import (
    ModelError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownNameError,
    check_known,
    cut_off,
)
from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.base.settings import fits
from kripke_werewolf.base.usage import meant_names
from kripke_werewolf.logic.formulas.syntax import formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics import ActionModel, Event, Explanation
from visualise.geometry import Point, Rect
from visualise.icons import drawn_icons
from visualise.layout import GAP, Positions, apart, arrange, by_hand, needed
from visualise.measures import OVERLAP, behind, entwined, measured, struck
from visualise.palette import ACCENT_FILL, FADED, PAPER, PENS, TRUE_FILL, Pen, class_fill, pen
from visualise.reading import Drawn, Graph, Reader, as_list, ignorant, read_action, shown_agents
from visualise.routing import Look, Triples, called, compose, gap_for, rooms
from visualise.scene import LINE_SIZE, MARGIN, NAME_LINE, NAME_SIZE, UNREAD, LegendEntry, Node, Scene, Sign
from visualise.text import (
    Run,
    Text,
    atom_runs,
    elided,
    formula_runs,
    in_list,
    index_names,
    is_product,
    plain,
    series,
    text_of,
    told_apart,
    two_lines,
    width_of,
    world_label,
    world_texts,
    wrapped,
)
from visualise.themes import THEMES

_MEASURED = 80  # worlds of a picture that is drawn in several ways to choose the best
_UNUSUAL = 9  # what an arrow that stands for several costs: its meaning must be read in the caption
_COMPARABLE = 1.2  # times the score of outlines: lines that are worse at their positions have no others
_READABLE = 7.0  # points of letters in print
_FEW = 10  # worlds for which outlines are always tried
_UNHELD = 1000.0  # the cost of a group without an outline
_LIMIT = 64  # worlds drawn one by one, unless the caller allows more
_FARTHER = (1.25, 1.5)  # times the distances, to keep lines off texts
_ZOOMED = 24  # and so many where those would be crowded:
_CROWDED = 400_000.0  # where they need more room than this, texts of a picture as wide as a page are tiny
_PARTS = (1.0, 0.8, 0.65, 0.5)  # of a narrow page between which worlds stand, if lines bend beyond it
_SLIMMER = ((1.0, 1.0), (0.95, 1.25))  # times the distances across and up on a narrow page
_HIGH = (3.0, 1.8)  # times its width: its height, and one for fewer worlds


def cited(value: object) -> str:
    """Return a value as messages quote it: as Python writes it, shortened."""
    return elided(repr(value), 70)


def check_args(model: object, options: Options, *, kind: type = KripkeModel, what: str = "a model") -> None:
    """Raise `ModelError` for a wrong class or value, `UnknownNameError` for an unknown option.

    `kind`, `what`: the expected class, and its name in messages.
    """
    if not isinstance(model, kind):
        raise ModelError(f"cannot draw {cited(model)}: expected {what}")
    known = Options.__annotations__
    if unknown := [name for name in options if name not in known]:
        meant = " or ".join(map(repr, meant_names(unknown[0], known)))
        raise UnknownNameError(unknown[0], list(known), kind="option", meant=meant)
    for name, value in options.items():
        if name == "edges":
            check_known(str(value), get_args(EdgeChoice), kind="choice of edges")
        if name == "theme":
            check_known(str(value), THEMES, kind="theme")
        if name == "width" and value is not None:
            _centimetres(value)
        if name == "font_size" and value is not None:
            check_bounds(name, value, 2, 200, "points")
        if name in _WANTED and not fits(value, get_type_hints(Options, include_extras=True)[name]):
            raise ModelError(f"{name} must be {_WANTED[name]}, got {cited(value)}")


def check_bounds(name: str, value: object, least: float, most: float, unit: str) -> float:
    """Return a number within bounds; raises `ModelError` for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise ModelError(f"{name} must be a number of {unit} from {least:g} to {most:g}, got {cited(value)}")


_WANTED: Mapping[str, str] = {
    "agents": "names of agents",
    "pos": "a mapping {world: (x, y)}",
    "seed": "a whole number",
    "atoms": "names of atoms, or a function of the world",
    "colors": "a mapping {agent: colour}",
    "names": "a mapping {world: string}, or a function of the world",
    "icons": "icons of a puzzle",
    "title": "a string",
    "caption": "a string",
    "limit": "a whole number of worlds, at least 1",
}


# --- sketches --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A picture without positions: nodes, their relations, line styles, and words.

    `title`; `description`: its content in words. `remarks`: sentences for the caption, mostly about
    omissions; `said`: the first of them, such as an explanation. `options`: the drawing options.
    `widest`: the width of a narrow page, for which worlds stand closer to each other.
    """

    nodes: tuple[Node, ...]
    graph: Graph
    look: Look
    title: str = field(compare=False)
    description: str = field(compare=False)
    remarks: tuple[str, ...] = field(compare=False)
    options: Options = field(compare=False)
    said: str = field(compare=False, default="")
    widest: float = inf
    _scenes: dict[tuple[Point, ...], Scene] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    @property
    def rooms(self) -> list[Rect]:
        """The room that each node needs around its centre."""
        return rooms(self.nodes, self.graph)

    def placed(self, *, anew: bool = False, quick: bool = False) -> Positions:
        """Return the positions of the nodes: by hand (but not `anew`), or by the arrangement that fits.

        `quick`: by one that is found quickly, unless lines would pass behind worlds.
        """
        pos = self.options.get("pos")
        if pos is not None and not anew:
            return by_hand(pos, [node.world for node in self.nodes], self.rooms)
        way, seed = self.options.get("arrangement", "auto"), self.options.get("seed", 0)
        place = [*_arranged(self.unnamed(), way, seed, quick)]
        if quick and self.hides(place):
            return self.placed(anew=anew)
        return self._labelled(place)

    def unnamed(self) -> Self:
        """Return the sketch without names on the lines."""
        return replace(self, look=replace(self.look, edge_labels=False)) if self.look.edge_labels else self

    def _labelled(self, place: Positions) -> Positions:
        """Return positions scaled up, if necessary, to make room for names on the lines."""
        if not self.look.edge_labels:
            return place
        return apart(place, self.rooms, gap_for(self.graph, self.look))

    def _measure(self, place: Positions) -> float:
        """Return the cost of lines and texts with these positions."""
        scene = self.composed(place)
        return measured(scene).cost + self._unheld(scene)

    def _unheld(self, scene: Scene) -> float:
        """Return the cost of cells that have no outline because it would hold others."""
        cells = [cell for ties in self.graph.ties if self.look.outlines(ties) for cell in ties.cells]
        return _UNHELD * (sum(len(cell) > 1 for cell in cells) - len(scene.hulls))

    def score(self, place: Positions) -> float:
        """Return how hard the picture with these positions is to read."""
        scene = self.composed(place)
        found = measured(scene)
        faults = 2 * found.struck + OVERLAP * (found.behind + found.overlaps)
        crossings = found.crossings + entwined(scene)
        return len(scene.edges) + len(scene.hulls) + 2 * crossings + 5 * faults + self._unheld(scene)

    def hides(self, place: Positions) -> bool:
        """Return whether lines would pass behind worlds at these positions; not tested for large pictures."""
        return self.graph.size <= _MEASURED and bool(behind(self.composed(place)))

    def scene(self) -> Scene:
        """Return the finished scene, with the nodes where it places them."""
        return self.finished(self.composed(self.placed()))

    def composed(self, place: Positions) -> Scene:
        """Return the bare scene at given positions."""

        def scene() -> Scene:
            nodes = [replace(node, position=at) for node, at in zip(self.nodes, place, strict=True)]
            return compose(nodes, self.graph, self.look, self.widest)

        return remembered(self._scenes, tuple(place), scene)

    def caption(self, scene: Scene) -> str:
        """Return the sentences below a bare scene, mostly about what it omits."""
        return " ".join(filter(None, [self.said, *self.remarks, *_about_lines(scene, self.look)]))

    def finished(self, scene: Scene, *, body: Rect | None = None, **changes: Unpack[Options]) -> Scene:
        """Return a bare scene with its legend, its caption and its description.

        `body`: the area kept free of heading and legend, by default that of the drawing. `changes`: options
        that replace its own.
        """
        options: Options = {**self.options, **changes}
        title, caption = options.get("title", ""), options.get("caption")
        if caption is None:
            caption = self.caption(scene)
        done = replace(scene, title=title or self.title, description=self.description).with_notes(
            self._legend() if scene.nodes and options.get("legend", True) else (),
            heading=title,
            caption=caption,
            body=body,
            widest=self.widest,
        )
        model, unread = self.told(options)
        theme = options.get("theme", "light")
        return replace(done, model=model, unread=unread, theme=theme, scale=scale_of(done.box, options))

    def told(self, options: Options) -> tuple[KripkeModel | None, str]:
        """Return the model that the picture tells in full, and why none can be read from it."""
        return None, UNREAD

    def _legend(self) -> list[LegendEntry]:
        """Return the entries of the legend: the agents' lines and the meanings of fills."""
        found, options = [], self.options
        labelled = options.get("edge_labels")
        for ties in self.graph.ties:
            if self.look.outlines(ties) or not labelled:
                look = self.look.pens[ties.agent]
                name = plain(self.look.called[ties.agent])
                found.append(LegendEntry(name, look, agent=ties.agent, heads=ties.classes is None))
        wanted = options.get("formula")
        if wanted is not None:
            found.append(
                LegendEntry(formula_runs(formula(wanted).unicode(), 60, self.look.called), fill=TRUE_FILL)
            )
        if options.get("explain") is not None:
            found.append(LegendEntry(plain("why"), fill=ACCENT_FILL))
        return found


@lru_cache(maxsize=8)
def _arranged(bare: Sketch, way: Arrangement, seed: int, quick: bool) -> Sequence[Point]:
    """Return the positions of nodes without names on the lines: found once for all formats of a figure."""
    return arrange(
        bare.graph,
        bare.rooms,
        arrangement=way,
        seed=seed,
        gap=(1.4 if bare.look.outlined else 1.0) * (GAP if bare.widest == inf else _CLOSE * GAP),
        measure=bare._measure if bare.graph.size <= _MEASURED and not quick else None,
        quick=quick,
        widest=bare.widest,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSketch(Sketch):
    """The sketch of a model.

    `outlined`: with outlines around the groups of belief. `joined`: with lines without heads in them, if the
    sketch itself has all arrows. `briefs`: the lines beside the nodes with the number of atoms for their
    names.
    """

    drawn: Drawn = field(compare=False)
    briefs: Sequence[tuple[Text, ...]] = field(compare=False)
    outlined: ModelSketch | None = None
    joined: ModelSketch | None = None

    def chosen(self) -> tuple[ModelSketch, Positions]:
        """Return the form that is easiest to read, with its positions; it has them in all formats.

        In larger models there are no outlines if they would not hold all groups where lines are short.
        """
        if self.outlined is None:
            return self, self.placed()
        lines = self.joined or self
        bare, outlined = lines.unnamed(), self.outlined.unnamed()
        near = bare.placed(quick=True)
        if self.graph.size > _FEW and outlined._unheld(outlined.composed(near)):
            return lines, lines.placed()
        place = outlined.placed()
        own, best = outlined.score(place), place
        if bare.score(place) + _UNUSUAL <= _COMPARABLE * own:
            best = min((place, near), key=bare.score)
        if own <= bare.score(best) + _UNUSUAL:
            return self.outlined, self.outlined._labelled(place)
        return lines, lines._labelled(best)

    def at(self, place: Positions) -> ModelSketch:
        """Return the form without outlines that is easier to read with these positions."""
        if self.joined is None or self.graph.size > _MEASURED:
            return self
        return self.joined if self.joined.score(place) + _UNUSUAL < self.score(place) else self

    def scene(self) -> Scene:
        """Return the finished scene, in the form that is easiest to read at the width of the picture."""
        ready, place = self.chosen()
        scene = ready.finished(ready.composed(place))
        if self.options.get("width") is None:
            clear = [scene, *self._clearer(scene, ready, place)]
            return min(clear, key=lambda one: measured(one).faults)
        if _smallest(scene) >= _READABLE and not measured(scene).struck:
            return scene
        best = min([scene, *self._narrower()], key=_illegible)
        if _smallest(best) < _READABLE:
            least = ceil(10 * best.box.width * _READABLE / LINE_SIZE / 72 * 2.54) / 10
            warnings.warn(
                f"this picture cannot be read below a width of {least:g} cm: its letters now have"
                f" {_smallest(best):.1f} points; fewer atoms=, agents= or limit= leave more room",
                stacklevel=2,
            )
        return best

    def _clearer(self, scene: Scene, ready: ModelSketch, place: Positions) -> Iterator[Scene]:
        """Yield scenes in which lines may miss the texts, if some strike them in the scene given.

        Atoms that are in the names of worlds are left out, or everything is farther apart.
        """
        if self.graph.size > _MEASURED or self.options.get("pos") is not None or not measured(scene).struck:
            return
        if self.look.alive is None:
            bare = sketch(self.drawn.whole, self.options, bare=True)
            if bare.nodes != self.nodes:
                own, at = bare.chosen()
                yield own.finished(own.composed(at))
        for by in _FARTHER:
            yield (wide := ready.finished(ready.composed([Point(by * x, by * y) for x, y in place])))
            if not measured(wide).faults:
                return
        yield from ready._briefer(place)

    def _briefer(self, place: Positions) -> Iterator[Scene]:
        """Yield scenes with only the number of the atoms true at worlds where lines strike their names."""
        brief, before = self, None
        while brief != before:
            before, scene = brief, brief.composed(place)
            own = {number: self.briefs[number] for number in struck(scene)}
            nodes = enumerate(brief.nodes)
            brief = replace(
                brief, nodes=tuple(replace(node, texts=own.get(number, node.texts)) for number, node in nodes)
            )
        told = () if _COUNTED in self.remarks else (_COUNTED,)
        yield replace(brief, remarks=(*self.remarks, *told)).finished(scene)

    def _narrower(self) -> Iterator[Scene]:
        """Yield scenes for a narrow page, until the letters in one of them can be read.

        Worlds stand closer, lines beside them are shorter, and atoms that are in their names are left out; in
        the end icons give way to names, and there are fewer worlds.
        """
        room = _centimetres(self.options["width"]) / 2.54 * 72 * LINE_SIZE / _READABLE - 2 * MARGIN
        signs = any(node.signs for node in self.nodes)
        icons = [self.options.get("icons", ()), ()] if signs else [()]
        if self.look.alive is not None:
            return
        for high, own, part in product(_HIGH, icons, _PARTS):
            options: Options = {**self.options, "icons": own}
            ready = sketch(self.drawn.whole, options, widest=part * room, page=high * room**2, bare=True)
            if high < _HIGH[0] and ready.drawn.size > high * _ZOOMED / _HIGH[0]:
                return
            ready, place = ready.chosen()
            forms = product(_SLIMMER, (ready, replace(ready, widest=inf)))
            bare = (form.composed([Point(x * w, y * h) for x, y in place]) for (w, h), form in forms)
            for scene in (*map(ready.finished, bare), *ready._briefer(place)):
                yield scene
                if _illegible(scene) <= (0, -_READABLE):
                    return

    def told(self, options: Options) -> tuple[KripkeModel | None, str]:
        """Return the model unless an option hides a part of it, or it is too large to be stored."""
        drawn, asked = self.drawn, options.get("atoms")
        own = callable(asked) or (asked is not None and len(_shown_atoms(drawn, asked)) < len(drawn.atoms))
        reasons = {
            drawn.remark: bool(drawn.remark),
            "it compares two models": self.look.alive is not None,
            "its caption does not say which lines are left out": options.get("caption") is not None,
            "it has no legend": not options.get("legend", True) and not self.look.edge_labels,
            "some atoms are not shown": own,
            "some agents are not shown": len(drawn.graph.ties) < len(shown_agents(drawn.whole, None)),
            "its worlds have other names": options.get("names") is not None,
            "its worlds are drawn with icons (icons=() writes their atoms)": any(n.signs for n in self.nodes),
            "it has too many worlds": drawn.size > _LIMIT,
        }
        unread = next((reason for reason, holds in reasons.items() if holds), "")
        return None if unread else drawn.whole, unread

    def on_board(self, scene: Scene, lots: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Return the picture as JSON-ready values for a page: its box, and its nodes with their worlds."""
        box = scene.box
        return {
            "width": round(box.width, 2),
            "height": round(box.height, 2),
            "origin": [round(box.left, 2), round(box.top, 2)],
            "nodes": [
                {"worlds": lot, "x": round(x, 2), "y": round(y, 2), **self._written(k)}
                for k, (lot, (x, y)) in enumerate(zip(lots, scene.positions.values(), strict=True))
            ],
            "words": self.description,
            "remarks": self.caption(scene),
        }

    def _written(self, node: int) -> dict[str, Any]:
        """Return the text in and beside a node, and the atoms true there that it omits."""
        drawn, true = self.nodes[node], self.drawn.true_at(node)
        texts = drawn.texts if drawn.signs else (drawn.name, *drawn.texts)  # with icons the name is beside
        beside = set(" ".join(map(text_of, texts[1:])).split(", "))
        return {
            "text": " ".join("".join(run.text for run in text) for text in texts),
            "omitted": [atom for atom in true if atom not in beside],
            "repeats": _names_atoms(text_of(drawn.name), true, self.drawn.atoms),
        }

    def faded(self, after: Drawn) -> ModelSketch:
        """Return the sketch with the worlds and lines that a later model lacks in grey."""
        origin = origins(self.drawn.worlds, after.worlds)
        nodes = tuple(
            node if number in origin else replace(node, stroke=FADED, title=f"{node.title}; lost")
            for number, node in enumerate(self.nodes)
        )
        alive = set[tuple[str, int, int]]()
        for ties in after.ties:
            for start, seen in zip(origin, ties.sees, strict=True):
                ends = (origin[node] for node in seen)
                alive.update((ties.agent, start, end) for end in ends if not (start is None or end is None))
        graph = self.graph.unordered()  # what is left may follow from what is lost
        told = [set(_conventions(each, self.look, "", "")) for each in (self.graph, graph)]
        return replace(
            self,
            nodes=nodes,
            graph=graph,
            look=replace(self.look, alive=frozenset(alive)),
            remarks=tuple(text for text in self.remarks if text not in told[0] - told[1]),
            said="Grey: what is lost.",
            outlined=None,
            joined=None,
        )


def picture(model: KripkeModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of a model; `Options` explains the options.

    Raises `UnknownAgentError`, `UnknownAtomError` and `UnknownNameError` for names that do not
    occur, and `ModelError` for positions or an arrangement that do not fit.
    """
    return sketch(model, options).scene()


def layout(model: KripkeModel, **options: Unpack[Options]) -> dict[Hashable, tuple[float, float]]:
    """Return the positions that `picture` uses, in points; pass them as `pos=` to share positions."""
    return {world: (x, y) for world, (x, y) in picture(model, **options).positions.items()}


def difference(before: KripkeModel, after: KripkeModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of a model with everything that a later one lacks in grey.

    Worlds correspond by name; where `after` is a product, the world (w, e) comes from w.
    """
    check_args(after, {})
    whole: Options = {"limit": _LIMIT, **options}
    return sketch(before, whole).faded(Reader(after, after.agents).drawn(len(after))).scene()


def sketch(
    model: KripkeModel,
    options: Options,
    *,
    widest: float = inf,
    page: float = _CROWDED,
    bare: bool = False,
) -> ModelSketch:
    """Return the sketch of a model; raises errors for wrong options and unknown names.

    `widest`: the width of a narrow page; `page`: its area. `bare`: without atoms that are in the names of
    worlds.
    """
    check_args(model, options)
    found = _read(model, options, _SHORT if widest < inf else _LONG_LINE, page, bare=bare)
    drawn = found.drawn
    if options.get("edges", "spanning") != "spanning":
        drawn = replace(drawn, graph=drawn.graph.plain())
    wanted = options.get("explain")
    if "explain" in options or options.get("edges", "spanning") != "spanning":
        drawn = replace(drawn, graph=drawn.graph.unordered())
    why = wanted if wanted is None or isinstance(wanted, Explanation) else drawn.whole.explain(wanted)
    shown = len(drawn.graph.ties)
    if shown > PENS and not options.get("edge_labels", False):
        advice = f"name at most {PENS}, or give edge_labels=True"
        raise ModelError(f"the lines of {shown} agents cannot be told apart; {advice}")
    accents, path, said = Triples(), tuple[Hashable, ...](), ""
    if why is not None:
        accents, path, said = _accents(drawn, why), why.worlds, why.sentences()
    look = _look(drawn.whole.agents, drawn.graph, options, accents)
    arrows = ModelSketch(
        nodes=tuple(replace(node, accent=node.world in path) for node in found.nodes),
        graph=drawn.graph,
        look=look,
        title=_headline(drawn.whole),
        description=_description(drawn),
        remarks=tuple(_remarks(replace(found, drawn=drawn), look, options)),
        options=options,
        said=said,
        drawn=drawn,
        briefs=found.briefs,
        widest=widest,
    )
    if look.edges == "full" or why is not None or (grouped := drawn.grouped()) is None:
        return arrows

    def form(own: Look) -> ModelSketch:
        remarks = tuple(_remarks(replace(found, drawn=grouped), own, options))
        return replace(arrows, graph=grouped.graph, look=own, remarks=remarks, drawn=grouped)

    joined = None if any(ties.groups for ties in arrows.graph.ties) else form(look)
    return replace(arrows, outlined=form(replace(look, outlined=True)), joined=joined)


@dataclass(frozen=True, slots=True)
class _Found:
    """A model as drawn, and its nodes; `briefs`: see `ModelSketch`.

    `everywhere`: the atoms omitted beside the nodes because they are true at all; `cut`: whether others are
    omitted; `spoken`: the sentence that the names of worlds say them, if all are omitted for that.
    """

    drawn: Drawn
    nodes: tuple[Node, ...]
    briefs: Sequence[tuple[Text, ...]]
    everywhere: Sequence[str]
    cut: bool
    spoken: str = ""


def _read(model: KripkeModel, options: Options, line: float, page: float, *, bare: bool) -> _Found:
    """Return a model as drawn: if it would be crowded, only around its designated worlds.

    It stays whole if the caller asks for more worlds or gives positions for all. Atoms that do not fit beside
    worlds are left out if the names say them.
    """
    pos, reader = options.get("pos"), Reader(model, shown_agents(model, options.get("agents")))
    found = _found(reader.drawn(options.get("limit", _LIMIT)), options, line, bare=False)
    asked = "limit" in options or options.get("explain") is not None
    asked |= pos is not None and all(world in pos for world in model.worlds)
    need = max(1.0, needed(rooms(found.nodes, found.drawn.graph)))
    most = _ZOOMED if page == _CROWDED else min(_ZOOMED, int(found.drawn.size * page / need))
    crowded = found.drawn.size > most and need > page
    if crowded and not asked and (around := reader.around(most)):
        found = _found(around, options, line, bare=False)
    return _found(found.drawn, options, line, bare=True) if bare or found.cut else found


def _accents(drawn: Drawn, why: Explanation) -> Triples:
    """Return the steps of an explanation that are visible in the picture."""
    number = {world: node for node, world in enumerate(drawn.worlds)}
    shown = {ties.agent for ties in drawn.graph.ties}
    return frozenset(
        (agent, number[link.source], number[link.target])
        for link in why.path
        if link.source in number and link.target in number
        for agent in shown.intersection(link.agents)
    )


def _look(agents: Sequence[str], graph: Graph, options: Options, accents: Triples = frozenset()) -> Look:
    """Return the style of the lines of a graph, of some of the agents."""
    shown = [ties.agent for ties in graph.ties]
    pens, labels = pens_of(agents, options, shown), options.get("edge_labels", False)
    names = called(agents, graph, labels=labels)
    own = {agent: pens[agent] for agent in shown}
    return Look(own, names, options.get("edges", "spanning"), labels, accents)


def pens_of(agents: Sequence[str], options: Options, shown: Sequence[str] = ()) -> dict[str, Pen]:
    """Return the pen of each agent, by its position, in the colour chosen.

    If there are more agents than pens, those `shown` come first.
    """
    wanted = {str(agent): colour for agent, colour in (options.get("colors") or {}).items()}
    for agent in wanted:
        check_known(agent, agents, UnknownAgentError, place="colors; colours are those of agents")
    order = dict.fromkeys([*shown, *agents]) if len(agents) > PENS else agents
    own = {agent: pen(number) for number, agent in enumerate(order)}
    return own | {agent: replace(own[agent], colour=_colour_of(agent, c)) for agent, c in wanted.items()}


def _colour_of(agent: str, colour: object) -> str:
    """Return a colour as `#RRGGBB`; raises `ModelError` for anything else.

    >>> _colour_of("a", "tomato")
    '#FF6347'
    """
    from PIL.ImageColor import getrgb

    try:
        red, green, blue, *_ = getrgb(str(colour))
    except ValueError:
        raise ModelError(
            f"colors[{agent!r}] must be a colour, '#rrggbb' or one with a name in CSS, got {cited(colour)}"
        ) from None
    return f"#{red:02X}{green:02X}{blue:02X}"


def scale_of(box: Rect, options: Options) -> float:
    """Return the scale for a picture that fills a box."""
    size = options.get("font_size")
    if options.get("width") is None:
        return 1.0 if size is None else size / NAME_SIZE
    if size is not None:
        raise ModelError("give width= or font_size=, not both: the lettering scales with the picture")
    return _centimetres(options["width"]) / 2.54 * 72 / box.width


def _centimetres(width: object) -> float:
    """Return a width in centimetres, given as a number, as a length, or as that of one of two columns.

    >>> _centimetres("8cm"), _centimetres("column"), _centimetres(8)
    (8.0, 8.4, 8)
    """
    value = 8.4 if width == "column" else width
    if isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)? ?(cm)?", value):
        value = float(value.removesuffix("cm"))
    return check_bounds("width", value, 1, 500, "centimetres, a length like '8cm' or 'column',")


def _illegible(scene: Scene) -> tuple[int, float]:
    """Return how hard a picture is to read in print: its faults, and the size of its letters, negative."""
    long = scene.box.height > _HIGH[0] * scene.box.width  # no page has room for it
    return measured(scene).faults + int(long), -min(_smallest(scene), _READABLE)


def _smallest(scene: Scene) -> float:
    """Return the size of the letters beside worlds, in points of the picture; indices are smaller."""
    return round(LINE_SIZE * scene.scale, 1)


# --- nodes -----------------------------------------------------------------------------------------

_RADIUS = 15.0
_MOST_LINES = 4
_LONGEST_NAME, _SHORT_NAME = 22, 12  # letters in a line, also on a narrow page
_IDLE, _UNCHANGED = " nothing", " –"  # an event in the names of products, and what stands for it in long ones
_WIDEST_IN_CIRCLE = 31.0  # wider names get a node with straight sides


def _found(drawn: Drawn, options: Options, line: float, *, bare: bool) -> _Found:
    """Return a model as drawn, with its nodes; `line`, `bare`: see `sketch`."""
    fills = _fills(drawn, options)
    some = len(drawn.designated) < drawn.size or drawn.size == 1
    shown = world_texts(drawn.worlds)
    names = _names(drawn.worlds, shown, options.get("names"), _LONGEST_NAME if line > _SHORT else _SHORT_NAME)
    weighed, half = _weighed(drawn, options), _half(names)
    signs, inside, drawn_atoms = _signs(drawn, options)
    half = inside or half
    width = max(line, 2 * half.x)
    agents = called(drawn.whole.agents, drawn.graph, labels=options.get("edge_labels", False))

    def beside(but: Container[str]) -> tuple[list[tuple[Text, ...]], list[tuple[Text, ...]]]:
        lots = _texts(drawn, options.get("atoms"), but)
        lines = [wrapped(own, LINE_SIZE, width, _MOST_LINES) for own in lots]
        if callable(options.get("atoms")):
            return lines, lines
        return lines, [tuple(plain(f"+{len(own)}") for _ in own[:1]) for own in lots]

    (texts, counts), everywhere = beside(drawn_atoms), _everywhere(drawn, options.get("atoms"))
    cut = any(map(_cut, texts))
    spoken = ""
    if bare and options.get("atoms") is None and not drawn_atoms:
        spoken = _spoken(drawn, shown)
    if spoken:
        texts, counts = beside(drawn.atoms)
    elif cut and everywhere:
        texts, counts = beside({*everywhere, *drawn_atoms})
    if spoken or not cut:
        everywhere = []
    out, briefs = [], []
    for number, world in enumerate(drawn.worlds):
        ring = some and number in drawn.designated
        true = ", ".join(drawn.true_at(number)) or "no atom"
        more = [plain(f"{in_list(agents[a])}: {drawn.weights[a][number]:,}") for a in weighed]
        more += [plain(f"{in_list(agents[a])}: {each[number]}°") for a, each in drawn.ranks.items()]
        more += [plain(f"{in_list(agents[a])}: +{count:,}") for a, count in drawn.beyond.get(number, ())]
        above = list(map(plain, text_of(names[number]).split("\n") if signs[number] else ()))
        below = wrapped(more, LINE_SIZE, width, len(more))
        node = Node(
            key=f"w{number}",
            world=world,
            name=names[number],
            half=half,
            texts=(*above, *texts[number], *below),
            ring=ring,
            fill=fills[number],
            title=f"world {shown[number]}{', designated' if ring else ''}; true: {true}",
            signs=signs[number],
        )
        out.append(node)
        briefs.append((*above, *counts[number], *below))
    return _Found(drawn, tuple(out), briefs, everywhere, any(map(_cut, texts)), spoken)


_LONG_LINE, _SHORT = 84.0, 60.0  # the width of the lines beside worlds, also on a narrow page
_CLOSE = 0.6  # how far apart worlds are on it, compared with others


def _names_atoms(name: str, true: Sequence[str], atoms: Sequence[str]) -> bool:
    """Return whether the name of a world says which atoms are true there: July_16, digits, cards.

    >>> _names_atoms("101", ["a_1", "a_3"], ["a_1", "a_2", "a_3"]), _names_atoms("w", ["p"], ["p"])
    (True, False)
    """
    tails = [atom.rpartition("_")[2] for atom in true]
    digits = [str(int(atom in true)) for atom in atoms]
    said = ("".join(filter(str.isalnum, "".join(texts))) for texts in (true, tails, digits))
    return "".join(filter(str.isalnum, name)) in said


def _spoken(drawn: Drawn, names: Sequence[str]) -> str:
    """Return the sentence that the names of worlds say which atoms are true; empty if they do not."""
    true = [drawn.true_at(node) for node in range(drawn.size)]
    if all(_names_atoms(name, own, drawn.atoms) for name, own in zip(names, true, strict=True)):
        return "The name of a world says which atoms are true there."
    columns = {"".join(str(int(atom in own)) for own in true): atom for atom in drawn.atoms}
    order = [columns.get("".join(column), "") for column in zip(*names, strict=False)]
    if sorted(order) != sorted(drawn.atoms) or any(len(name) != len(order) for name in names):
        return ""
    return f"The digits in the name of a world say whether these are true: {series(told_apart(order))}."


def _signs(drawn: Drawn, options: Options) -> tuple[list[tuple[Sign, ...]], Point | None, set[str]]:
    """Return the icons of each node, half the size of nodes with icons, and the atoms the icons show."""
    icons = [icon for icon in options.get("icons", ()) if set(icon.shows) <= set(drawn.atoms)]
    several = any(len(worlds) > 1 for worlds in drawn.stands or ())
    found = list[tuple[tuple[Sign, ...], Point]]()
    if icons and not several and options.get("atoms") is None:
        lots = (drawn_icons(icons, set(drawn.true_at(node))) for node in range(drawn.size))
        found = list(filter(None, lots))
    if not found or len(found) < drawn.size:
        return [()] * drawn.size, None, set()
    (x, y) = found[0][1]
    half = Point(x + 0.45 * (y + 3), y + 3)  # round ends leave room for the corners
    return [signs for signs, _ in found], half, {atom for icon in icons for atom in icon.shows}


def _weighed(drawn: Drawn, options: Options) -> list[str]:
    """Return the agents whose weights are written beside the nodes."""
    found = [a for a in _uneven(drawn, options) if max(drawn.weights[a]) < _LONG]
    if drawn.stands is not None or drawn.size * len(found) > _MOST_WEIGHTS:
        return []
    return found


_MOST_WEIGHTS, _LONG = 48, 10**9  # the most weights, and the least that is too long, beside worlds by default


def _uneven(drawn: Drawn, options: Options) -> list[str]:
    """Return the agents in the picture with unequal weights; some of them may have no lines."""
    lines = [ties.agent for ties in drawn.graph.ties]
    shown = drawn.whole.agents if options.get("agents") is None else lines
    return [agent for agent, weights in drawn.weights.items() if any(weights) and agent in shown]


def _everywhere(drawn: Drawn, atoms: Any) -> list[str]:
    """Return the atoms that are true at all nodes, if they are few enough to be named."""
    if callable(atoms) or drawn.size < 2:
        return []
    common = set(drawn.true_at(0)).intersection(*(drawn.true_at(node) for node in range(drawn.size)))
    found = [atom for atom in _shown_atoms(drawn, atoms) if atom in common]
    return [] if len(found) > 12 else found


def _cut(texts: Sequence[Text]) -> bool:
    """Return whether the lines beside a node end in a number of omitted items."""
    return any(text and text[-1].text.startswith("+") for text in texts[-1:])


def _fills(drawn: Drawn, options: Options) -> list[str]:
    wanted, fills = options.get("formula"), options.get("fills")
    if fills is not None:
        check_known(str(fills), ["bisimulation"], kind="choice of fills")
    if fills and wanted is not None:
        raise ModelError("fills show a formula or bisimulation classes; give formula= or fills=, not both")
    if fills:
        classes, own = drawn.bisimilar(), dict[int, str]()
        for number in classes:
            if classes.count(number) > 1 and number not in own:
                own[number] = class_fill(len(own))
        return [own.get(number, PAPER) for number in classes]  # a world like no other stays white
    if wanted is None:
        return [PAPER] * drawn.size
    true = drawn.marks(set(Numbered(drawn.whole).numbers(wanted)))
    return [TRUE_FILL if mark == "1" else PAPER for mark in true]


def _names(
    worlds: Sequence[Hashable],
    shown: Sequence[str],
    given: Mapping[Any, str] | Callable[[Any], str] | None,
    most: int,
) -> list[Text]:
    """Return the names inside the nodes: as given, else as shown; in two lines if longer than `most`.

    Different names remain different when shortened. A mapping may also name the parts of worlds of a product.
    """
    if callable(given):
        wanted = [str(given(world)) for world in worlds]
    elif given:
        wanted = [_renamed(world, text, given) for world, text in zip(worlds, shown, strict=True)]
    else:
        wanted = list(shown)
    if any(len(name) > _LONGEST_NAME for name in wanted):
        wanted = [_UNCHANGED.join(name.split(_IDLE)) for name in wanted]
    distinct = list(dict.fromkeys(wanted))
    lines = [two_lines(name, most) for name in told_apart(distinct, 2 * _LONGEST_NAME)]
    if any(len(line) > _LONGEST_NAME for name in lines for line in name.split("\n")):
        lines = told_apart(distinct, _LONGEST_NAME)
    short = dict(zip(distinct, lines, strict=True))
    return [(Run(short[name]),) for name in wanted]


def _renamed(world: Hashable, text: str, given: Mapping[Any, str]) -> str:
    if world in given:
        return str(given[world])
    if not is_product(world):
        return text
    before, event = world
    return f"{_renamed(before, world_label(before), given)} {_renamed(event, event, given)}"


def _half(names: Sequence[Text]) -> Point:
    """Return half the width and height of nodes with these names: all circles, or all wider than high."""
    lines = [text_of(name).split("\n") for name in names]
    widest = max((width_of(plain(line), NAME_SIZE) for name in lines for line in name), default=0.0)
    if widest <= _WIDEST_IN_CIRCLE:
        radius = max(_RADIUS, widest / 2 + 3.6)
        return Point(radius, radius)
    return Point(widest / 2 + 7, _RADIUS + NAME_LINE / 2 * (max(map(len, lines)) - 1))


def _texts(
    drawn: Drawn, atoms: Iterable[str] | Callable[[Any], str | Iterable[str]] | None, but: Container[str]
) -> list[list[Text]]:
    """Return the pieces of text beside each node: true atoms except `but`, or the caller's strings."""
    if callable(atoms):
        said = (atoms(world) for world in drawn.worlds)
        return [list(filter(None, map(plain, as_list(own)))) for own in said]
    shown = _shown_atoms(drawn, atoms)
    names = dict(zip(drawn.atoms, told_apart(drawn.atoms), strict=True))
    indices = index_names(drawn.atoms, drawn.whole.agents)
    runs = {atom: atom_runs(in_list(names[atom]), indices) for atom in shown if atom not in but}
    true = (set(drawn.true_at(node)) for node in range(drawn.size))
    return [[text for atom, text in runs.items() if atom in own] for own in true]


def _shown_atoms(drawn: Drawn, atoms: Iterable[str] | None) -> list[str]:
    """Return the atoms to show: those requested, by default all; raises `UnknownAtomError`."""
    if atoms is None:
        return list(drawn.atoms)
    shown = as_list(atoms)
    for atom in shown:
        check_known(atom, drawn.atoms, UnknownAtomError)
    return shown


# --- words -----------------------------------------------------------------------------------------


def _headline(model: KripkeModel) -> str:
    """Return the title of a model without a name."""
    return f"Kripke model with {counted(len(model), 'world')}"


def _remarks(found: _Found, look: Look, options: Options) -> Iterable[str]:
    """Yield sentences about everything that a picture omits."""
    drawn, nodes = found.drawn, found.nodes
    if drawn.remark:
        yield drawn.remark
    if drawn.beyond:
        some = look.called[next(iter(drawn.beyond.values()))[0][0]]
        yield f"“{some}: +k”: {some} considers k more worlds possible there, which are not drawn."
    if any(_UNCHANGED in text_of(node.name) and _IDLE in node.title for node in nodes):
        yield f"“{_UNCHANGED.strip()}” stands for “{_IDLE.strip()}”."
    if len(drawn.designated) == drawn.size > 1:
        yield "All worlds are designated."
    yield from [found.spoken] if found.spoken else _about_atoms(found, options.get("atoms"))
    if drawn.ranks:
        some = look.called[next(iter(drawn.ranks))]
        yield f"“{some}: k°”: {some} finds k layers of the worlds there more plausible."
    if weighed := _weighed(drawn, options):
        some = look.called[weighed[0]]
        yield f"“{some}: k”: {some} gives the world the weight k."
    if unweighed := [a for a in _uneven(drawn, options) if a not in weighed]:
        yield f"Weights of {look.listed(unweighed)} are not shown."
    if without := [a for a, weights in drawn.weights.items() if not any(weights)]:
        yield f"There are no probabilities for {look.listed(without)}."
    blind = ignorant(drawn.whole) if options.get("agents") is None else ()
    if blind:
        yield f"{look.listed(blind)} cannot tell any of these worlds apart."
    shown = {ties.agent for ties in drawn.graph.ties}
    hidden = [a for a in drawn.whole.agents if a not in shown and a not in blind]
    if hidden and options.get("agents") is None:
        yield f"{len(hidden)} more agents are not drawn: there are too many lines to tell apart."
    elif hidden:
        yield f"Not drawn: {look.listed(hidden)}."
    every = drawn.stands is None
    scope = ("all worlds", "no world") if every else ("these worlds", "none of these worlds")
    yield from _conventions(drawn.graph, look, *scope)
    if options.get("fills") == "bisimulation":
        yield "Worlds of one colour are bisimilar; white ones are like no other."
    if drawn.whole.variables:
        yield f"Variables not shown: {series(sorted(drawn.whole.variables))}."


def _about_atoms(found: _Found, atoms: Any) -> Iterable[str]:
    """Yield sentences about atoms not written beside the worlds where they are true."""
    drawn = found.drawn
    if callable(atoms) or not drawn.size:
        return
    shown = _shown_atoms(drawn, atoms)
    names = dict(zip(drawn.atoms, told_apart(drawn.atoms), strict=True))
    if hidden := [names[atom] for atom in drawn.atoms if atom not in shown]:
        yield f"Atoms not shown: {_several(hidden)}." if shown else "Atoms are not shown."
    if found.everywhere:
        where = "everywhere" if drawn.stands is None else "at all of these worlds"
        yield f"{series([names[atom] for atom in found.everywhere])} {_are(found.everywhere)} true {where}."
    nowhere = [atom for atom in shown if not any(atom in drawn.true_at(node) for node in range(drawn.size))]
    if nowhere and drawn.stands is None:  # otherwise they may be true at worlds that are not drawn
        yield f"{_several([names[atom] for atom in nowhere])} {_are(nowhere)} false everywhere."
    if found.cut:
        yield _COUNTED


_COUNTED = "+k: k more atoms are true there."


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _about_lines(scene: Scene, look: Look) -> Iterable[str]:
    """Yield sentences about lines that replace outlines, and lines that pass behind worlds."""
    if look.edges == "hulls" and any(e.source != e.target and not any(e.heads) for e in scene.edges):
        yield "Lines join the worlds of a class that an outline would not hold alone."
    lines = {line for line, _ in behind(scene)}
    if lines:
        passing = "passes behind a world" if len(lines) == 1 else "pass behind worlds"
        yield f"{counted(len(lines), 'line')} {passing} without ending there."


def _several(names: Sequence[str]) -> str:
    """Return a list of names, or their number."""
    return series(names) if len(names) <= 6 else f"{len(names):,} atoms"


def _conventions(graph: Graph, look: Look, everything: str, nothing: str) -> Iterable[str]:
    """Yield sentences about the lines that a picture omits, and about agents without lines.

    `everything`, `nothing`: the words for all nodes, and for none.
    """
    if not graph.size:
        return
    knowing = [ties.agent for ties in graph.ties if len(ties.classes or ()) == graph.size]
    nowhere = [ties.agent for ties in graph.ties if not any(ties.sees)]
    drawn = [ties for ties in graph.ties if ties.agent not in {*knowing, *nowhere}]
    loops = [ties.agent for ties in drawn if ties.reflexive]
    cells = (cell for ties in drawn for cell in ties.classes or ())
    implied = look.edges == "spanning" and any(len(cell) > 2 for cell in cells)
    if knowing:
        yield f"{look.listed(knowing)} can tell {everything} apart."
    if nowhere:
        verb = "considers" if len(nowhere) == 1 else "consider"
        yield f"{look.listed(nowhere)} {verb} {nothing} possible."
    grouped = [ties for ties in graph.ties if ties.groups]
    several = any(len(cell) > 1 for ties in grouped for cell in ties.groups)
    if several and look.outlined:
        yield "Worlds in an outline see each other and themselves; arrows to it go to all of them."
    elif several:
        yield (
            "Lines without heads join worlds that see each other and themselves;"
            " arrows to one of them go to all."
        )
    if alone := [t.agent for t in grouped if all(t.sees) and any(len(cell) == 1 for cell in t.groups)]:
        yield (
            f"Where nothing of {look.listed(alone)} is drawn but arrows that end there,"
            " they consider only that world possible."
        )
    every = len(loops) == len(drawn)
    if implied and every:
        yield "Loops and lines implied by transitivity are left out."
    elif loops:
        yield "Loops are left out." if every else f"Loops of {look.listed(loops)} are left out."
    if implied and not every:
        yield "Lines implied by transitivity are left out."
    if ordered := [ties.agent for ties in drawn if ties.ordered]:
        yield f"Arrows of {look.listed(ordered)} that follow by transitivity are left out."


def _description(drawn: Drawn) -> str:
    """Return the relations in words, for those who cannot see the picture."""
    names = world_texts(drawn.worlds)
    parts = [f"{_headline(drawn.whole)}.", drawn.remark]
    if len(drawn.designated) < drawn.size:
        parts.append(f"Designated: {', '.join(names[node] for node in sorted(drawn.designated))}.")
    for ties in drawn.graph.ties:
        if ties.classes is None:
            parts.append(f"Agent {ties.agent}: {len(ties.arrows)} arrows between different worlds.")
            continue
        cells = "; ".join(", ".join(names[w] for w in cell) for cell in ties.classes if len(cell) > 1)
        parts.append(f"Agent {ties.agent} confuses {cells or 'no worlds'}.")
        if ranks := drawn.ranks.get(ties.agent):
            layers = ", ".join(f"{name} {layer}°" for name, layer in zip(names, ranks, strict=True))
            parts.append(f"Layers of plausibility, the most plausible 0°: {layers}.")
    return cut_off(" ".join(filter(None, parts)), 2000)


# --- before and after ------------------------------------------------------------------------------


def origins(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[int | None]:
    """Return for each world of an updated model the number of the world it comes from.

    That is the world of the same name; for a world (w, e) of a product, w; and if names are strings extended
    by records, as in games, the longest old name with which the new one begins, ignoring case (capitals mark
    the dead).
    """
    number = {world: k for k, world in enumerate(before)}
    last_first = reversed([*enumerate(before)])  # of names that are alike, the first counts
    folded = {world.casefold(): k for k, world in last_first if isinstance(world, str)}
    found: list[int | None] = []
    for world in after:
        origin = number.get(world)
        if origin is None and isinstance(world, tuple) and len(world) == 2:
            origin = number.get(world[0])
        if origin is None and isinstance(world, str):
            words = world.casefold().split(" ")
            starts = (" ".join(words[:k]) for k in range(len(words), 0, -1))
            origin = next((folded[start] for start in starts if start in folded), None)
        found.append(origin)
    return found


# --- action models ---------------------------------------------------------------------------------

_LONGEST_FORMULA = 40


def action_picture(action: ActionModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of an action model.

    The agents are those with relations, and the others together. The options about agents, edges, positions,
    title and caption apply.
    """
    check_args(action, options, kind=ActionModel, what="an action model")
    wanted = options.get("agents")
    agents = list(action.relations)
    if action.others is not None:
        agents.append("others" if action.relations else "all agents")
    if wanted is not None:
        agents = list(map(str, as_list(wanted)))
    return action_sketch(action, agents, agents, {**options, "arrangement": "auto"}).scene()


def action_sketch(
    action: ActionModel, agents: Sequence[str], order: Sequence[str], options: Options
) -> Sketch:
    """Return the sketch of an action model; agents have the pens of their positions in `order`."""
    graph = read_action(action, agents)
    look = _look(order, graph, options)
    names = [plain(name) for name in told_apart(map(world_label, action.events), _LONGEST_NAME)]
    some = len(action.designated) < len(action.events) or len(action.events) == 1
    half, nodes = _half(names), list[Node]()
    remarks = list(_conventions(graph, look, "all events", "no event"))
    if not some:
        remarks.insert(0, "All events are designated.")
    for number, (name, event) in enumerate(action.events.items()):
        ring = some and name in action.designated
        changes = ", ".join(f"{atom} := {value}" for atom, value in event.post.items())
        title = f"event {name}{', designated' if ring else ''}: precondition {event.pre}"
        node = Node(
            key=f"w{number}",
            world=name,
            name=names[number],
            half=half,
            texts=_event_texts(event, order),
            shape="square",
            ring=ring,
            title="; ".join(filter(None, (title, changes))),
        )
        nodes.append(node)
    events = "; ".join(node.title for node in nodes)
    designated = series(world_label(name) for name in action.designated)
    return Sketch(
        nodes=tuple(nodes),
        graph=graph,
        look=look,
        title=f"Action model {action.name}",
        description=f"Action model {action.name} with the events {events}. Designated: {designated}.",
        remarks=tuple(remarks),
        options=options,
    )


def _event_texts(event: Event, agents: Sequence[str]) -> tuple[Text, ...]:
    """Return the lines beside an event: the precondition, weight, ranks, and a line for each changed atom."""
    lines = [(*plain("pre: "), *formula_runs(event.pre.unicode(), _LONGEST_FORMULA, agents))]
    if event.weight != 1:
        lines.append(plain(f"weight: {event.weight}"))
    for agent, rank in event.ranks.items():
        lines.append(plain(f"rank for {agent or 'others'}: {rank}"))
    for atom, value in event.post.items():
        assigned = formula_runs(value.unicode(), _LONGEST_FORMULA, agents)
        lines.append((*atom_runs(atom, agents), *plain(" := "), *assigned))
    return tuple(lines)
