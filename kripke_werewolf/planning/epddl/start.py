"""Initial states: listed worlds, finitary S5 theories, and PDDL's list of true atoms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


def initial_state(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
    """Return the model in `(:init …)`; `atoms` are some of its atoms.

    PDDL's list of true atoms describes one world.
    """
    if words.pddl:
        true = [Context(words).atom(item).label[0] for item in node.items[1:]]
        return KripkeModel(["w"], {}, {**dict.fromkeys(atoms, ()), **dict.fromkeys(true, ("w",))})
    if [item.word for item in node.items[1:2]] == [":worlds"]:
        return _listed_worlds(words, node, atoms)
    return _finitary_theory(words, node, atoms)


def _listed_worlds(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
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


class _Statement(NamedTuple):
    """A part of a theory: what is true, or with "C" commonly known; with "Kw" or "~Kw" an agent is commonly
    known to know or not to know whether it is true."""

    kind: str
    agent: str
    formula: Formula
    node: Expression


def _finitary_theory(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
    """Return the S5 model described by the theory in `(:init LIST)`.

    Its worlds are the valuations in which everything commonly known is true; designated are those in which
    the rest is true as well. An agent can tell two worlds apart iff they differ in something that the agent
    is commonly known to know. Son and others 2014.
    """
    (theory,) = node.parts("(:init LIST)")
    told = [part for parts in Context(words).listed(theory, _statements) for part in parts]
    names = list(dict.fromkeys([*atoms, *(atom for part in told for atom in sorted(part.formula.atoms))]))
    space = _valuations([part for part in told if part.kind == "C"], names, node)
    points, cells = space.all, {agent: [space.all] for agent in words.agents}
    for kind, agent, f, place in told:
        true = space.truth(f)
        if not kind:
            points &= true
        if not points:
            raise place.fault(f"no world is designated: {f} contradicts the rest of the theory")
        if kind == "Kw":
            cells[agent] = [half for cell in cells[agent] for half in (cell & true, cell & ~true) if half]
    for kind, agent, f, place in told:
        true = space.truth(f)
        if kind == "~Kw" and not all(cell & true and cell & ~true for cell in cells[agent]):
            raise place.fault(f"in some world {agent} does know whether {f}")
    relations = {agent: Rows((cell, cell) for cell in seen) for agent, seen in cells.items()}
    return KripkeModel.from_space(BitSpace.numbered(space.all, relations, space.valuation), points)


def _statements(context: Context, node: Expression) -> Iterator[_Statement]:
    """Yield the parts of a statement; it is commonly known that agents know what is commonly known."""
    whole = context.formula(node)
    common = isinstance(whole, s.Common) and {*whole.label} == {*context.words.agents}
    for f in s.conjuncts(whole.children[0]) if common else (whole,):
        match f:
            case s.KnowsWhether(agent, body) if common:
                found = _Statement("Kw", agent, body, node)
            case s.Not(s.KnowsWhether(agent, body)) if common:
                found = _Statement("~Kw", agent, body, node)
            case s.Knows(_, body) if common:
                found = _Statement("C", "", body, node)
            case _:
                found = _Statement("C" if common else "", "", f, node)
        if not found.formula.is_boolean:
            raise node.fault(
                "a finitary S5 theory mentions knowledge only inside [C. All], as [AGENT], [Kw. AGENT] or "
                f"<Kw. AGENT>, found {node}"
            )
        yield found


def _valuations(known: Sequence[_Statement], names: Sequence[str], place: Expression) -> BitSpace:
    """Return the valuations in which everything commonly known is true, as worlds without relations."""
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
        if len(free) > 5:
            free[5:] = ["…"]
        why = f", as nothing is commonly known about {', '.join(free)}" if free else ""
        raise place.fault(
            f"the theory has {counted_roughly(found.size)} worlds, above the limit of {_MOST_WORLDS:,}"
            f"{why}; add more common knowledge, such as ([C. All] (not ATOM))"
        )
    columns = dict.fromkeys(names, 0)
    for world, true in enumerate(found.worlds):
        for name in true:
            columns[name] |= 1 << world
    return BitSpace.numbered((1 << found.size) - 1, {}, columns)
