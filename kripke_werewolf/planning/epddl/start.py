"""Initial states: listed worlds, finitary S5 theories, and PDDL's list of true atoms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kripke_werewolf.errors import ModelError, counted_roughly
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.planning.epddl.actions import read_relations
from kripke_werewolf.planning.epddl.brackets import Expression
from kripke_werewolf.planning.epddl.terms import Context, Declarations
from kripke_werewolf.semantics.bits import BitSpace, Rows

_MOST_WORLDS = 100_000


def listed_worlds(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
    """Return the model in `(:init :worlds … :relations … :labels … :designated …)`.

    An agent without a relation considers nothing possible.
    """
    given = node.options(1, ":worlds", ":relations", ":labels", ":designated")
    worlds: list[str] = []
    for item in given[":worlds"].enclosed("worlds", some=True):
        worlds.append(item.new(worlds, "a world"))
    context = words.with_local(worlds, "world")
    relations = read_relations(context, given[":relations"], words.agents, "agent", "world")
    true: dict[str, list[str]] = {atom: [] for atom in atoms}
    for item, label in given[":labels"].paired():
        world = item.among(worlds, "world")
        for f in context.listed(label, Context.atom):
            if isinstance(f, s.Atom):
                true.setdefault(f.name, []).append(world)
    points = [item.among(worlds, "world") for item in given[":designated"].enclosed("worlds", some=True)]
    return KripkeModel(worlds, relations, true, points)


def stated_atoms(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
    """Return the model of one world in which exactly the atoms in PDDL's `(:init …)` are true."""
    true = [Context(words).atom(item).label[0] for item in node.items[1:]]
    return KripkeModel(["w"], {}, {atom: ["w"] * (atom in true) for atom in (*atoms, *true)})


class _Statement(NamedTuple):
    """A part of a theory: `kind` is empty for what is true, C. for what is commonly known, or the bracket of
    a Kw. inside."""

    kind: str
    agents: Sequence[str]
    formula: Formula
    node: Expression


def finitary_theory(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
    """Return the S5 model described by the theory in `(:init LIST)`.

    Its worlds are the valuations in which all is true that is commonly known; designated are those in which
    the rest is true as well. An agent can tell two worlds apart iff they differ in something that the agent
    is commonly known to know. Son and others 2014.
    """
    (theory,) = node.parts("(:init LIST)")
    told = list(Context(words, modal=False).listed(theory, _statement))
    names = list(dict.fromkeys([*atoms, *(atom for part in told for atom in sorted(part.formula.atoms))]))
    space = _valuations([part for part in told if part.kind == "C."], names, node)
    points, cells = space.all, {agent: [space.all] for agent in words.agents}
    for kind, agents, f, place in told:
        true = space.truth(f)
        points &= true if kind == "" else points
        if not points:
            raise place.fault(f"no world is designated: {f} contradicts the rest of the theory")
        for agent in agents if kind == "[" else ():
            cells[agent] = [half for cell in cells[agent] for half in (cell & true, cell & ~true) if half]
    for kind, agents, f, place in told:
        true = space.truth(f)
        for agent in agents if kind == "<" else ():
            if not all(cell & true and cell & ~true for cell in cells[agent]):
                raise place.fault(f"in some world {agent} does know whether {f}")
    relations = {agent: Rows((cell, cell) for cell in seen) for agent, seen in cells.items()}
    return KripkeModel.from_space(BitSpace.numbered(space.all, relations, space.valuation), points)


def _statement(context: Context, node: Expression) -> _Statement:
    if not node.items or node.items[0].bracket not in ("[", "<"):
        return _Statement("", (), context.formula(node), node)
    if str(node.items[0]) != "[C. All]":
        raise node.items[0].fault(
            f"a finitary S5 theory speaks of knowledge only inside [C. All], found {node}"
        )
    (inside,) = node.parts("([C.All] FORMULA)")
    index = inside.items[0] if inside.items else inside
    if index.bracket not in ("[", "<"):
        return _Statement("C.", (), context.formula(inside), node)
    *names, agents = index.items or (index,)
    f = context.formula(inside.parts("(MODALITY FORMULA)")[0])
    if [name.word for name in names] == ["Kw."]:
        return _Statement(index.bracket, context.group(agents), f, node)
    if names or index.bracket == "<":
        raise index.fault(f"expected [AGENT], [Kw. AGENT] or <Kw. AGENT> inside [C. All], found {index}")
    return _Statement("C.", context.group(agents), f, node)  # if it is commonly known that one knows it


def _valuations(known: Sequence[_Statement], names: Sequence[str], place: Expression) -> BitSpace:
    """Return the valuations in which all is true that is commonly known, as worlds without relations."""
    from kripke_werewolf.symbolic import KnowledgeStructure

    try:
        found = KnowledgeStructure(names, s.conjunction(part.formula for part in known), {})
    except ModelError:
        if not known:
            raise
        _valuations(known[:-1], names, place)  # an earlier statement may be the wrong one
        *_, wrong = known
        told = f"no world is possible: {wrong.formula} contradicts what else is commonly known"
        raise wrong.node.fault(told) from None
    if found.size > _MOST_WORLDS:
        told_of = frozenset[str]().union(*(part.formula.atoms for part in known))
        free = [name for name in names if name not in told_of]
        why = f", as nothing is commonly known about {', '.join(free[:5])}{', …' if len(free) > 5 else ''}"
        raise place.fault(
            f"the theory has {counted_roughly(found.size)} worlds, above the limit of {_MOST_WORLDS:,}"
            f"{why if free else ''}; say more that is commonly known, such as ([C. All] (not ATOM))"
        )
    columns = dict.fromkeys(names, 0)
    for world, true in enumerate(found.worlds):
        for name in true:
            columns[name] |= 1 << world
    return BitSpace.numbered((1 << found.size) - 1, {}, columns)
