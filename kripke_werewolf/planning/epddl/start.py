"""Initial states: listed worlds, finitary S5 theories, and PDDL's list of true atoms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from kripke_werewolf.errors import counted_roughly
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.planning.epddl.actions import read_relations
from kripke_werewolf.planning.epddl.brackets import Expression
from kripke_werewolf.planning.epddl.terms import Context, Declarations
from kripke_werewolf.semantics.bits import BitSpace, Rows, renumbered

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

    Its worlds are the valuations in which all is true that is commonly known, found by adding one atom after
    another; designated are those in which the rest is true as well. An agent can tell two worlds apart iff
    they differ in something that the agent is commonly known to know. Son and others 2014.
    """
    (theory,) = node.parts("(:init LIST)")
    told = list(Context(words, modal=False).listed(theory, _statement))
    names = dict.fromkeys([*atoms, *(atom for part in told for atom in sorted(part.formula.atoms))])
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


def _valuations(known: Iterable[_Statement], names: Collection[str], place: Expression) -> BitSpace:
    """Return the valuations in which all is true that is commonly known, as worlds without relations.

    One atom is added at a time, of the formula with the fewest atoms left, and what can no longer satisfy a
    formula is dropped: there are seldom many more of them than in the end.
    """
    waiting = {
        f: (set(f.atoms), _possible(f, True), part.node)
        for part in known
        for f in (part.formula.children if isinstance(part.formula, s.And) else [part.formula])
    }
    worlds, columns = 1, dict[str, int]()
    while waiting:
        left, _, _ = min(waiting.values(), key=lambda entry: len(entry[0]))
        atom = min(left, default=None)
        if atom is not None:
            worlds, columns = _with_atom(worlds, columns, atom)
        for f in [f for f, (left, _, _) in waiting.items() if atom in left or not left]:
            left, possible, node = waiting[f]
            left.discard(atom or "")
            values = {name: columns.get(name, worlds) for name in f.atoms}
            denied = {f"~{name}": worlds & ~columns.get(name, 0) for name in f.atoms}
            kept = BitSpace.numbered(worlds, {}, values | denied).truth(possible)
            if not kept:
                raise node.fault(f"no world is possible: {f} contradicts what else is commonly known")
            if kept != worlds:
                columns = {name: renumbered(column, kept) for name, column in columns.items()}
                worlds = (1 << kept.bit_count()) - 1
            if not left:
                del waiting[f]
        _check_number(worlds.bit_length(), f"after {len(columns)} of {len(names)} atoms", place)
    free = [name for name in names if name not in columns]
    told = f"as nothing is commonly known about {', '.join(free[:5])}{', …' if len(free) > 5 else ''}"
    _check_number(worlds.bit_length() << len(free), told, place)
    for name in free:
        worlds, columns = _with_atom(worlds, columns, name)
    return BitSpace.numbered(worlds, {}, columns)


def _check_number(worlds: int, why: str, place: Expression) -> None:
    if worlds > _MOST_WORLDS:
        raise place.fault(
            f"the theory has {counted_roughly(worlds)} worlds, above the limit of {_MOST_WORLDS:,}, {why}; "
            "say more that is commonly known, such as ([C. All] (not ATOM))"
        )


def _with_atom(worlds: int, columns: dict[str, int], atom: str) -> tuple[int, dict[str, int]]:
    """Return the valuations with one more atom: first those where it is false."""
    number = worlds.bit_length()
    doubled = {name: column | column << number for name, column in columns.items()}
    return worlds | worlds << number, {**doubled, atom: worlds << number}


def _possible(f: Formula, value: bool) -> Formula:
    """Return a formula without negations that is true iff atoms not yet decided can give f the value.

    Its atoms `p` and `~p` say that p can be true and that it can be false.
    """
    match f:
        case s.Atom(name=name):
            return s.Atom(name if value else f"~{name}")
        case s.Not(body=body):
            return _possible(body, not value)
        case s.Implies(left=left, right=right):
            return _possible(s.Or(s.Not(left), right), value)
        case s.And() | s.Or():
            parts = (_possible(part, value) for part in f.children)
            return (s.conjunction if isinstance(f, s.And) == value else s.disjunction)(parts)
    return s.Constant((f is s.TRUE) == value)
