"""From what a picture shows to its model: for pictures that were changed by hand, or drawn by others.

Nothing is guessed: what can be meant in two ways is refused, with the reason.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import permutations, product
from typing import Any, TypeAlias

import networkx as nx

from kripke_werewolf.errors import FormatError
from kripke_werewolf.models import KripkeModel
from visualise.picture import sketch
from visualise.routing import called
from visualise.shown import Content, World, straight
from visualise.text import natural_order, text_of, told_apart

_Known: TypeAlias = Mapping[tuple[str, str], Any]  # names in a model by what is shown for them
_Said: TypeAlias = Mapping[str, set[str]]  # what a caption says, of whom
_Pairs: TypeAlias = set[tuple[int, int]]

_QUOTED = "“[^”]*”"
_ITEM = re.compile(rf"(?:^|,|\n| and )((?:{_QUOTED}|(?!,|\n| and ).)*)")
_SENTENCE = re.compile(rf"((?:{_QUOTED}|[^.]|\.(?!\s|$))+)(\.(?=\s|$))?")
_SENTENCES = {
    "knowing": "(.+) can tell all worlds apart",
    "blind": "(.+) cannot tell any of these worlds apart",
    "nowhere": "(.+) considers? no world possible",
    "loops": "Loops (?:and lines implied by transitivity )?are left out",
    "looped": "Loops of (.+) are left out",
    "implied": "(?:Loops and l|L)ines implied by transitivity are left out|Lines join the worlds of .*",
    "grouped": "(?:Worlds in an outline|Lines without heads join worlds that) see each other and themselves; "
    "arrows to (?:it go to all of them|one of them go to all)",
    "ordered": "Arrows of (.+) that follow by transitivity are left out",
    "alone": "Where nothing of (.+) is drawn but arrows that end there, they consider only that world "
    "possible",
    "absent": "(.+) (?:is|are) false everywhere",
    "designated": "All worlds are designated",
    "outlines": "Outlines are drawn as lines without heads",
    "places": r"[\d,]+ lines? pass(?:es)? behind worlds? .*|“–” stands for “nothing”",
}
_OMITS = re.compile(
    r"^(?:Where|Worlds|Lines|Loops) |\b(?:omit|left out|leave|impli|suppress|not (?:drawn|shown))",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"(¬|~|!|not |-)?\s*([\w'. ]+)|[∅–—-]")


def items(text: str) -> list[str]:
    """Return the items of a list with commas, line breaks or `and`, without quotation marks.

    >>> items("p, “q, r” and s")
    ['p', 'q, r', 's']
    """
    found = (item.strip() for item in _ITEM.findall(text))
    return [re.sub("^“(.*)”$", r"\1", item) for item in found if item]


def model_shown(shown: Content, model: KripkeModel | None = None) -> KripkeModel:
    """Return the model that a picture shows.

    `model`: the one for which `visualise` drew it, before the picture was changed; its names are kept where
    the picture still shows them. In pictures by others, lines without heads are those of an equivalence,
    without its loops and what follows by transitivity; arrows are taken as they are drawn; lines without
    names are those of one agent, a; without a double outline every world is designated.

    Raises `FormatError` for a picture whose meaning is in doubt.
    """
    known = _known(model) if model else {}
    shown = shown if model else replace(shown, worlds=_by_others(shown.worlds))
    looks = [straight(world.name) for world in shown.worlds]
    if len(set(looks)) < len(looks) or ("" in looks and ("world", "") not in known):
        raise FormatError("two worlds have the same name, or one has none")
    names = _named("world", [world.name for world in shown.worlds], known)
    said = _said(shown.caption, known)
    rings = [name for name, world in zip(names, shown.worlds, strict=True) if world.double]
    if bool(rings) == ("designated" in said) and (rings or model):
        raise FormatError("it does not say clearly which worlds are designated")
    valuation = {atom: set[Any]() for (kind, _), atom in known.items() if kind == "atom"}
    for name, world in zip(names, shown.worlds, strict=True):
        for atom, true in _facts(world, known):
            valuation.setdefault(atom, set()).update([name] if true else [])
    if wrong := next((atom for atom in said.get("absent", ()) if valuation.get(atom)), None):
        raise FormatError(f"its caption says that {wrong} is false everywhere")
    relations = _relations(shown, known, said, own=model is not None)
    if model and model.weights:
        raise FormatError("the agents have weights")
    if lost := [agent for agent in model.agents if agent not in relations] if model else []:
        raise FormatError(f"it no longer shows anything of {lost[0]}, neither lines nor a sentence")
    order = dict.fromkeys([*(model.agents if model else ()), *natural_order(relations)])
    found = {a: {(names[i], names[j]) for i, j in relations[a]} for a in order if a in relations}
    return KripkeModel(names, found, valuation, rings or None)


def _known(model: KripkeModel) -> _Known:
    """Return the names of worlds, agents and atoms by what pictures of a model show for them."""
    own = sketch(model, {"edge_labels": True, "limit": len(model), "icons": ()})
    found: list[tuple[str, str, Any]] = [("world", text_of(node.name), node.world) for node in own.nodes]
    for labels in (True, False):
        names = called(model.agents, own.graph, labels=labels)
        found += [("agent", text, agent) for agent, text in names.items()]
    atoms = own.drawn.atoms
    found += [("atom", text, atom) for text, atom in zip(told_apart(atoms), atoms, strict=True)]
    return {(kind, straight(text)): name for kind, text, name in found}


def _named(kind: str, texts: Iterable[str], known: _Known) -> list[Any]:
    """Return the names for which texts are shown; others stand for themselves."""
    return [known.get((kind, straight(text)), text) for text in texts]


def _said(caption: str, known: _Known) -> _Said:
    """Return the claims of a caption, each with the agents or atoms that it is about.

    Raises `FormatError` for a sentence that may say more than is understood.
    """
    found: dict[str, set[str]] = {}
    for text, stop in _SENTENCE.findall(caption):
        line = " ".join(text.split())
        matches = {
            kind: match for kind, pattern in _SENTENCES.items() if (match := re.fullmatch(pattern, line))
        }
        for kind, match in matches.items():
            whom = items(match[1]) if match.re.groups else ()
            found.setdefault(kind, set()).update(_named("atom" if kind == "absent" else "agent", whom, known))
        if not matches and ((known and stop) or _OMITS.search(text)):  # no heading of ours
            raise FormatError(f"its caption says {line[:60]!r}, which cannot be read")
    return found


def _facts(world: World, known: _Known) -> Iterable[tuple[str, bool]]:
    """Yield the atoms beside a world, and whether they are true there."""
    for item in items("\n".join(world.beside)):
        literal = _LITERAL.fullmatch(item)
        if ("atom", straight(item)) in known:
            yield known["atom", straight(item)], True
        elif literal is None:
            raise FormatError(f"{item!r} beside the world {world.name!r} is not the name of an atom")
        elif literal[2]:
            yield literal[2].strip(), not literal[1]


def _relations(shown: Content, known: _Known, said: _Said, *, own: bool) -> dict[str, _Pairs]:
    """Return the relation of each agent, among the numbers of worlds."""
    nameless = not own and not any(text for text, *_ in shown.lines)
    if nameless and len(shown.looks) > 1:
        raise FormatError("its lines have different looks, and no names of agents")
    arrows, plain = defaultdict[str, _Pairs](set), defaultdict[str, _Pairs](set)
    for name, i, j, (back, forth) in shown.lines:
        text = "a" if nameless else name
        if not (whose := _named("agent", [text] if text in shown.legend else items(text), known)):
            ends = " and ".join(shown.worlds[k].name for k in (i, j))
            raise FormatError(f"the line between {ends} has no agent, neither by a name nor by its look")
        headed = ({(j, i)} if back else set()) | ({(i, j)} if forth or i == j else set())
        for agent in whose:
            arrows[agent] |= headed
            plain[agent] |= set() if headed else {(i, j)}
    inside = Counter[tuple[str, int]]()
    for text, members in shown.outlines:
        (agent,) = _named("agent", [text], known)
        plain[agent] |= set(permutations(members, 2))
        inside.update((agent, k) for k in members)
    if twice := next((agent for (agent, _), number in inside.items() if number > 1), None):
        raise FormatError(f"a world is in two outlines of {twice}")
    drawn = {*_named("agent", shown.legend, known), *plain}
    worlds = range(len(shown.worlds))
    identity = {(k, k) for k in worlds}
    fixed = {"knowing": identity, "nowhere": set[Any](), "blind": set(product(worlds, repeat=2))}
    found = {agent: pairs for kind, pairs in fixed.items() for agent in said.get(kind, ())}
    looped = drawn - found.keys() if "loops" in said else said.get("looped", set())
    if found.keys() & plain.keys() or looped - drawn:
        raise FormatError("its caption and its lines say different things about an agent")
    for agent in drawn - found.keys():
        steps, bare = arrows[agent], plain[agent]
        grouped = "grouped" in said and agent not in looped
        if bare and not grouped and (steps or (own and agent not in looped)):
            raise FormatError(f"of the lines of {agent} only some have heads, or no loops are left out")
        classes = list(nx.connected_components(nx.Graph(list(bare))))
        closed = {pair for part in classes for pair in permutations(part, 2)}
        if own and not grouped and "implied" not in said and closed != bare | {(j, i) for i, j in bare}:
            raise FormatError(f"of the lines of {agent} some are missing that follow from others")
        if grouped:
            cell = {k: part for part in classes for k in part}
            steps = {(i, k) for i, j in steps for k in cell.get(j, {j})} | {(k, k) for k in cell}
        if agent in said.get("ordered", ()):
            steps = set(nx.transitive_closure(nx.DiGraph(list(steps))).edges)
        looping = agent in looped or (bare and not own and not grouped)
        found[agent] = closed | steps | (identity if looping else set())
        if agent in said.get("alone", ()):
            found[agent] |= identity - {(i, i) for i, _ in found[agent]}
    return found


def _by_others(worlds: list[World]) -> list[World]:
    """Return the worlds of a picture by others: which of their texts are names, and which are atoms.

    A text that is much the same as the name in the file is the name, else the first line in the node, unless
    it must be an atom.
    """
    inside = [world.name.strip().splitlines() or [""] for world in worlds]
    single = [lines[0] for lines in inside if len(lines) == 1]
    listed = any(re.search("[,{¬~!]|^$", text) or single.count(text) > 1 for text in single)
    atomic = listed and not any(world.beside for world in worlds)
    found = []
    for world, (first, *lines) in zip(worlds, inside, strict=True):
        head, _, more = first.partition(":")
        texts = [text.strip("{} ") for text in (head, more, *lines, *world.beside)]
        default = world.key if not texts[0] or (atomic and not lines) else texts[0]
        name = next((text for text in texts if _alike(text) == _alike(world.key)), default)
        found.append(World(name, [text for text in texts if text != name], world.double))
    return found


def _alike(text: str) -> str:
    return re.sub(r"\W|_", "", text).casefold()
