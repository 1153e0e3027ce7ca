"""Random formulas, models and action models for property tests."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from inspect import signature
from typing import Any

from hypothesis import strategies as st

from kripke_werewolf import ActionModel, Event, Formula, KripkeModel, logic_named
from kripke_werewolf.logic import formulas as f
from tests.reference.kripke import Plain


def formulas(
    *,
    agents: Sequence[str] = ("a", "b"),
    atoms: Sequence[str] = ("p", "q", "r"),
    modal: bool = True,
    groups: bool = True,
    dynamic: bool = True,
    probability: bool = True,
    quantifiers: bool = True,
    everywhere: bool = True,
    conditions: bool = True,
    variables: Sequence[str] = (),
    actions: Sequence[f.Act] = (),
    max_depth: int = 3,
) -> st.SearchStrategy[Formula]:
    """Return a strategy for formulas at most `max_depth` operators deep over these names.

    The flags leave out kinds of operators; `modal=False` leaves out everything with agents. The
    formulas mention no variable and no action model but those given.
    """
    return _deep(
        max_depth, tuple(agents) if modal else (), tuple(atoms), groups, dynamic, probability, quantifiers,
        everywhere, conditions, tuple(variables), tuple(actions),
    )  # fmt: skip


@cache  # building a strategy takes longer than drawing from it
def _deep(
    depth: int,
    agents: tuple[str, ...],
    atoms: tuple[str, ...],
    groups: bool,
    dynamic: bool,
    probability: bool,
    quantifiers: bool,
    everywhere: bool,
    conditions: bool,
    variables: tuple[str, ...],
    actions: tuple[f.Act, ...],
) -> st.SearchStrategy[Formula]:
    leaves = st.sampled_from([*map(f.Atom, atoms), *map(f.Atom, atoms), f.TRUE, f.FALSE])
    if not depth:
        return leaves
    part = _deep(
        depth - 1,
        agents,
        atoms,
        groups,
        dynamic,
        probability,
        quantifiers,
        everywhere,
        conditions,
        variables,
        actions,
    )
    several = st.lists(part, min_size=2, max_size=3)
    options: list[st.SearchStrategy[Formula]] = [
        st.builds(f.Not, part),
        st.builds(lambda kind, parts: kind(*parts), st.sampled_from([f.And, f.Or, f.Xor]), several),
        st.builds(lambda kind, x, y: kind(x, y), st.sampled_from([f.Implies, f.Iff]), part, part),
        st.builds(
            lambda kind, number, parts: f.Count(kind, number, *parts),
            st.sampled_from(f.Count.KINDS),
            st.integers(0, 3),
            st.lists(part, min_size=1, max_size=3),
        ),
    ]
    if quantifiers:
        names = st.lists(st.sampled_from(atoms), min_size=1, max_size=2)
        options.append(
            st.builds(lambda kind, n, x: kind(n, x), st.sampled_from([f.Forall, f.Exists]), names, part)
        )
    if everywhere:
        options.append(st.builds(lambda kind, x: kind(x), st.sampled_from([f.Everywhere, f.Somewhere]), part))
    if dynamic:
        options.append(_announcements(part, leaves, agents if groups else ()))
    if actions:
        options.append(
            st.builds(
                lambda kind, act, x: kind(act, x),
                st.sampled_from([f.Box, f.Diamond]),
                st.sampled_from(actions),
                part,
            )
        )
    if agents:
        agent = st.sampled_from(agents)
        one = st.sampled_from([f.Knows, f.Possible, f.KnowsWhether, f.Believes])
        # first, since hypothesis draws the first alternative most
        options.insert(0, st.builds(lambda kind, a, x: kind(a, x), one, agent, part))
        if groups:
            many = st.sampled_from(
                [
                    *(f.Everyone, f.EveryoneDual, f.EveryoneWhether, f.SomeoneKnows),
                    *(f.Common, f.CommonDual, f.CommonWhether),
                    *(f.Distributed, f.DistributedDual, f.DistributedWhether),
                ]
            )
            options.append(st.builds(lambda kind, g, x: kind(g, x), many, _group(agents), part))
            if conditions:
                reach = st.sampled_from([f.Common, f.CommonDual, f.CommonWhether])
                options.append(
                    st.builds(lambda kind, g, x, y: kind(g, x, within=y), reach, _group(agents), part, part)
                )
        if probability:
            options.append(_comparisons(part, agent))
        if variables:
            options.append(st.builds(f.KnowsValue, agent, st.sampled_from(variables)))
    return st.one_of(options)


def _group(agents: Sequence[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(agents), min_size=1, max_size=3, unique=True)


def _announcements(
    part: st.SearchStrategy[Formula], leaves: st.SearchStrategy[Formula], agents: Sequence[str]
) -> st.SearchStrategy[Formula]:
    group = st.one_of(st.none(), _group(agents).map(tuple)) if agents else st.none()
    update = st.builds(f.Announce, st.one_of(leaves, part), group, st.booleans())
    return st.builds(lambda kind, u, x: kind(u, x), st.sampled_from([f.Box, f.Diamond]), update, part)


def _comparisons(
    part: st.SearchStrategy[Formula], agent: st.SearchStrategy[str]
) -> st.SearchStrategy[Formula]:
    number = st.fractions(-2, 2, max_denominator=4)
    term = st.tuples(st.one_of(st.just(Fraction(1)), number), agent, part)
    return st.builds(
        f.Probability,
        st.lists(term, min_size=1, max_size=2),
        st.sampled_from(f.Probability.RELATIONS),
        number,
    )


def with_every_operator(body: Formula) -> list[Formula]:
    """Return a formula under each operator that has one formula, or an agent or group and one."""
    found: list[Formula] = []
    for name in f.__all__:
        kind = getattr(f, name)
        match getattr(kind, "__match_args__", None):
            case ("body",):
                found.append(kind(body))
            case ("agent", "body"):
                found.append(kind("a", body))
            case ("group", "body"):
                found += [kind(["a", "b"], body), kind(["a"], body)]
                if "within" in signature(kind).parameters:
                    found += [kind(["a", "b"], body, within="p"), kind(["a"], body, within=~body)]
    return list(dict.fromkeys(found))


# --- models ----------------------------------------------------------------------------------------


def equivalences(elements: Sequence[Hashable]) -> st.SearchStrategy[frozenset[tuple[Any, Any]]]:
    """Return a strategy for equivalence relations, as pairs."""
    classes = st.lists(st.integers(0, 2), min_size=len(elements), max_size=len(elements))
    return classes.map(
        lambda label: frozenset(
            (x, y)
            for x, i in zip(elements, label, strict=True)
            for y, j in zip(elements, label, strict=True)
            if i == j
        )
    )


def relations(elements: Sequence[Hashable]) -> st.SearchStrategy[frozenset[tuple[Any, Any]]]:
    """Return a strategy for any relations, as pairs."""
    return st.frozensets(st.tuples(st.sampled_from(elements), st.sampled_from(elements)), max_size=12)


@st.composite
def plain_models(
    draw: st.DrawFn,
    *,
    agents: Sequence[str] = ("a", "b"),
    atoms: Sequence[str] = ("p", "q", "r"),
    max_worlds: int = 5,
    s5: bool | None = None,
    weights: bool = True,
) -> Plain:
    """Return random models as sets, to be built: S5, any relations, or (`s5=None`) either.

    The variable `x` has the values `both`, `one` and `none`, according to the first two atoms.
    """
    worlds = tuple(range(draw(st.integers(1, max_worlds))))
    if s5 is None:
        s5 = draw(st.booleans())
    related = {a: draw(equivalences(worlds) if s5 else relations(worlds)) for a in agents}
    given: dict[str, dict[Hashable, Fraction]] = {}
    for agent in agents:
        numbers = st.fractions(Fraction(1, 3), 3, max_denominator=6) if weights else st.just(Fraction(1))
        if weights and draw(st.booleans()):
            numbers = st.just(Fraction(1))
        given[agent] = {w: draw(numbers) for w in worlds}
    p, q = f.Atom(atoms[0]), f.Atom(atoms[1])
    return Plain(
        worlds,
        related,
        {atom: draw(st.frozensets(st.sampled_from(worlds))) for atom in atoms},
        draw(st.frozensets(st.sampled_from(worlds), min_size=1)),
        given,
        {"x": {"both": p & q, "one": p ^ q, "none": ~p & ~q}},
    )


@st.composite
def action_models(
    draw: st.DrawFn,
    *,
    agents: Sequence[str] = ("a", "b"),
    max_events: int = 3,
    s5: bool | None = None,
    weights: bool = True,
    contents: st.SearchStrategy[Formula] | None = None,
) -> ActionModel:
    """Return random action models; `contents`: the strategy for pre- and postconditions."""
    events = tuple(f"e{i}" for i in range(draw(st.integers(1, max_events))))
    if s5 is None:
        s5 = draw(st.booleans())
    if contents is None:
        contents = _contents(tuple(agents))
    weight = st.fractions(Fraction(1, 3), 3, max_denominator=6) if weights else st.just(1)
    made = {
        e: Event(
            draw(contents),
            draw(st.dictionaries(st.sampled_from(("p", "q", "r")), contents, max_size=2)),
            weight=draw(weight),
        )
        for e in events
    }
    related = {a: draw(equivalences(events) if s5 else relations(events)) for a in agents}
    return ActionModel(made, related, draw(st.lists(st.sampled_from(events), min_size=1, unique=True)))


@st.composite
def formulas_with_actions(
    draw: st.DrawFn, *, agents: Sequence[str] = ("a", "b"), max_depth: int = 3, s5: bool | None = None
) -> Formula:
    """Return formulas with every operator, among them random action models, nested in one another."""
    inner = draw(action_models(agents=agents, s5=s5, contents=_contents(tuple(agents))))
    nested = _contents(tuple(agents), nested=True).map(lambda content: content.bind(inner=inner))
    outer = draw(action_models(agents=agents, s5=s5, max_events=2, contents=nested))
    return draw(_open_formulas(tuple(agents), max_depth)).bind(inner=inner, outer=outer)


@st.composite
def secret_actions(draw: st.DrawFn) -> tuple[Plain, Plain, list[ActionModel], Formula]:
    """Return a model of three agents, the part about two of them, actions, and a formula about these two.

    The part lacks the agent `c` and the atom `r`; the actions change `r` as well, and `c` sees them.
    Nothing in the formulas is about `c`, `r`, or worlds to which nobody's steps lead.
    """
    full = draw(plain_models(agents=("a", "b", "c"), max_worlds=4))
    part = replace(
        full,
        relations={a: full.relations[a] for a in ("a", "b")},
        true={atom: full.true[atom] for atom in ("p", "q")},
        weights={a: full.weights[a] for a in ("a", "b")},
    )
    contents = formulas(atoms=("p", "q"), quantifiers=False, everywhere=False, max_depth=1)
    few = action_models(agents=("a", "b", "c"), max_events=4, contents=contents)
    actions = draw(st.lists(few, min_size=1, max_size=2))
    asked = formulas(atoms=("p", "q"), everywhere=False, variables=["x"], max_depth=3)
    return full, part, actions, draw(asked)


def _contents(agents: tuple[str, ...], *, nested: bool = False) -> st.SearchStrategy[Formula]:
    acts = [f.Act("inner"), f.Act("inner", "e0")] if nested else []
    return formulas(agents=agents, quantifiers=False, max_depth=1, actions=acts)


def _open_formulas(agents: tuple[str, ...], max_depth: int) -> st.SearchStrategy[Formula]:
    acts = [f.Act("inner"), f.Act("outer"), f.Act("inner", "e0")]
    return formulas(agents=agents, variables=["x"], actions=acts, max_depth=max_depth)


def models(
    *,
    agents: Sequence[str] = ("a", "b"),
    atoms: Sequence[str] = ("p", "q", "r"),
    logic: str = "K",
    weights: bool = False,
    max_worlds: int = 5,
) -> st.SearchStrategy[KripkeModel]:
    """Return a strategy for models with worlds 0, 1, … whose relations are those of a logic."""
    named = tuple(agents), tuple(atoms)
    return st.integers(1, max_worlds).flatmap(lambda n: _models(n, *named, logic, weights))


@cache
def _models(
    n: int, agents: tuple[str, ...], atoms: tuple[str, ...], logic: str, weights: bool
) -> st.SearchStrategy[KripkeModel]:
    worlds = range(n)
    pairs = st.lists(st.tuples(st.sampled_from(worlds), st.sampled_from(worlds)), max_size=2 * n)
    relations = st.fixed_dictionaries({a: pairs.map(lambda found: closed(found, n, logic)) for a in agents})
    valuation = st.fixed_dictionaries({p: st.sets(st.sampled_from(worlds)) for p in atoms})
    numbers = st.fixed_dictionaries({w: st.integers(1, 3) for w in worlds})
    given = st.fixed_dictionaries(dict.fromkeys(agents, numbers)) if weights else st.none()
    return st.builds(lambda r, v, w: KripkeModel(worlds, r, v, weights=w), relations, valuation, given)


def closed(pairs: Iterable[tuple[int, int]], n: int, logic: str) -> set[tuple[int, int]]:
    """Return pairs closed under the properties of a logic, one missing pair after the other."""
    properties = logic_named(logic)
    found = set(pairs)
    if properties.reflexive:
        found |= {(w, w) for w in range(n)}
    if properties.serial:
        found |= {(w, w) for w in range(n) if not any(v == w for v, _ in found)}
    while True:
        more = set()
        for w, v in found:
            for x, y in found:
                if properties.transitive and v == x:
                    more.add((w, y))
                if properties.euclidean and w == x:
                    more.add((v, y))
        if more <= found:
            return found
        found |= more
