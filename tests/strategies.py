"""Random formulas for property tests."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from kripke_werewolf import formulas as f
from kripke_werewolf.formulas import Formula


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
    variables: Sequence[str] = (),
    actions: Sequence[f.Act] = (),
    max_depth: int = 3,
) -> st.SearchStrategy[Formula]:
    """Return a strategy for formulas at most `max_depth` operators deep over these names.

    The flags leave out kinds of operators; `modal=False` leaves out everything with agents. The
    formulas mention no variable and no action model but those given.
    """
    leaves = st.one_of(st.sampled_from(atoms).map(f.Atom), st.sampled_from([f.TRUE, f.FALSE]))
    found: st.SearchStrategy[Formula] = leaves
    for _ in range(max_depth):
        found = _one_deeper(
            leaves, found, agents if modal else (), atoms, groups, dynamic, probability, quantifiers,
            everywhere, variables, actions,
        )  # fmt: skip
    return found


def _one_deeper(
    leaves: st.SearchStrategy[Formula],
    part: st.SearchStrategy[Formula],
    agents: Sequence[str],
    atoms: Sequence[str],
    groups: bool,
    dynamic: bool,
    probability: bool,
    quantifiers: bool,
    everywhere: bool,
    variables: Sequence[str],
    actions: Sequence[f.Act],
) -> st.SearchStrategy[Formula]:
    several = st.lists(part, min_size=2, max_size=3)
    options: list[st.SearchStrategy[Formula]] = [
        part,
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
        one = st.sampled_from([f.Knows, f.Possible, f.KnowsWhether])
        options += [st.builds(lambda kind, a, x: kind(a, x), one, agent, part)] * 2
        if groups:
            many = st.sampled_from(
                [f.Everyone, f.Common, f.CommonWhether, f.Distributed, f.DistributedWhether]
            )
            options.append(st.builds(lambda kind, g, x: kind(g, x), many, _group(agents), part))
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
