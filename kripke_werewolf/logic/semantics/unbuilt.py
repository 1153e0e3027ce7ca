"""Truth after updates at single worlds, without the product models.

A carrier of the algebra of `semantics.space` in which a truth set is a test of one world at a time, and a
relation gives the successors of one world; both remember their answers. A formula after some actions is then
evaluated at only those worlds and events that it is about. Copy k of world w is world k * width + w, as in
`semantics.bits`, so that a world after several updates is a number, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, prod
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.action import ActionModel, action_of
from kripke_werewolf.logic.semantics.bits import BitSpace, members
from kripke_werewolf.logic.semantics.space import Copy, Space, check_formula_names, needs

T = TypeVar("T")

LEAST = 16  # worlds of a product up to which a question is answered sooner by building it
_MOST = 2000  # successors that one question may look at; not more than worlds of the product


class _Remembered(dict[int, T]):
    """A function of worlds that remembers its values."""

    __slots__ = ("find",)

    def __init__(self, find: Callable[[int], T]) -> None:
        self.find = find

    def __missing__(self, world: int) -> T:
        found = self[world] = self.find(world)
        return found


Test: TypeAlias = _Remembered[bool]
"""A truth set: whether a world is in it."""
Steps: TypeAlias = _Remembered[list[int]]
"""A relation: the successors of a world."""


class _TooManyWorlds(Exception):
    """Raised if a question needs more worlds than are worth visiting one by one."""


class _Unbuilt(Space[Test]):
    """Worlds that exist when they are asked about: those `before`, or their copies, with the changes in them.

    `left`: the number of successors that the question may still look at, in a list shared by all spaces.
    """

    __slots__ = ("all", "before", "left", "posts", "relations", "valuation", "variables", "width")
    remembered = 256
    relations: Mapping[str, Steps]

    def __init__(
        self, before: BitSpace | _Unbuilt, width: int, relations: Mapping[str, Steps], left: list[float]
    ) -> None:
        super().__init__()
        self.before, self.width, self.relations, self.left = before, width, relations, left
        self.all, self.valuation, self.variables = _Remembered(lambda _: True), before.valuation, {}
        self.posts: list[Mapping[str, Test]] = []

    @classmethod
    def ground(cls, space: BitSpace) -> _Unbuilt:
        """Return the worlds of a model before all updates."""

        def steps(agent: str) -> Steps:
            return _Remembered(lambda world: members(space.sees(space.relations[agent], world)))

        return cls(space, space.all.bit_length(), {agent: steps(agent) for agent in space.relations}, [0])

    def evaluated(self, f: Formula) -> Test:
        if isinstance(self.before, _Unbuilt) or f.is_scattered:
            return f.truth(self)
        inside = self.before.truth(f)
        return _Remembered(lambda world: bool(inside >> world & 1))

    def fact(self, atom: str) -> Test:
        if not isinstance(self.before, _Unbuilt):
            return self.truth(s.Atom(atom))
        old, width = self.before.truth(s.Atom(atom)), self.before.width
        tests = [post.get(atom, old) for post in self.posts]
        return _Remembered(lambda world: tests[world // width][world % width])

    def complement(self, inside: Test) -> Test:
        return _Remembered(lambda world: not inside[world])

    def all_of(self, sets: Sequence[Test]) -> Test:
        return _Remembered(lambda world: all(inside[world] for inside in sets))

    def any_of(self, sets: Sequence[Test]) -> Test:
        return _Remembered(lambda world: any(inside[world] for inside in sets))

    def odd_of(self, sets: Sequence[Test]) -> Test:
        return _Remembered(lambda world: sum(inside[world] for inside in sets) % 2 == 1)

    def counted(self, sets: Sequence[Test], low: int, high: int) -> Test:
        return _Remembered(lambda world: low <= sum(inside[world] for inside in sets) <= high)

    def box(self, relation: Steps, inside: Test) -> Test:
        return _Remembered(lambda world: all(map(inside.__getitem__, relation[world])))

    def meet(self, left: Steps, right: Steps) -> Steps:
        return _Remembered(lambda world: [v for v in left[world] if v in right[world]])

    def join(self, relations: list[Steps], within: Test) -> Steps:
        def reached(world: int) -> list[int]:
            found, new = set[int](), [world]
            while new:
                looking = new.pop()
                there = {v for relation in relations for v in relation[looking] if within[v]} - found
                found |= there
                new += there
            return list(found)

        return _Remembered(reached)

    def _refuse(self, *given: Any) -> NoReturn:
        raise _TooManyWorlds  # all worlds would have to be known, as for probabilities those of weight 0

    some: Any = _refuse
    make_total: Any = _refuse
    compared: Any = _refuse
    with_facts: Any = _refuse

    def restricted(self, inside: Test) -> tuple[_Unbuilt, Callable[[Test], Test]]:
        return self._updated([Copy(0, inside, {}, inside, ())], dict.fromkeys(self.relations, (0b1,)))

    def product(self, action: ActionModel) -> tuple[_Unbuilt, Callable[[Test], Test]]:
        return self._updated(self.copies(action), action.among(self.relations))

    def _updated(
        self, copies: Sequence[Copy[Test]], sights: Mapping[str, tuple[int, ...]]
    ) -> tuple[_Unbuilt, Callable[[Test], Test]]:
        width, left, happens = self.width, self.left, [copy.worlds for copy in copies]

        def steps(before: Steps, sight: tuple[int, ...]) -> Steps:
            seen = list(map(members, sight))

            def found(world: int) -> list[int]:
                there = before[world % width]
                new = [k * width + v for k in seen[world // width] for v in there if happens[k][v]]
                left[0] -= 1 + len(new)
                if left[0] < 0:
                    raise _TooManyWorlds
                return new

            return _Remembered(found)

        relations = {agent: steps(self.relations[agent], sight) for agent, sight in sights.items()}
        after = _Unbuilt(self, width * len(copies), relations, left)
        after.posts = [copy.post for copy in copies]
        chosen = [(copy.chosen, copy.event * width) for copy in copies]

        def before(inside: Test) -> Test:
            return _Remembered(lambda w: any(here[w] and inside[w + place] for here, place in chosen))

        return after, before


class Unfolding(NamedTuple):
    """A world after some actions, in a product that has only the worlds that are asked about.

    >>> from kripke_werewolf import KripkeModel
    >>> from kripke_werewolf.logic.formulas.syntax import formula
    >>> from kripke_werewolf.logic.semantics import private
    >>> start = KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]}, "w")
    >>> told = Unfolding.at(start.space, 0).then(private("a", "p")).then(private("b", "p"))
    >>> told.holds(formula("K_a p & K_b p & ~K_b K_a p"))
    True
    """

    space: _Unbuilt
    world: int

    @classmethod
    def at(cls, space: Space[Any], world: int) -> Unfolding:
        """Return a world of a small model before all actions."""
        assert isinstance(space, BitSpace)
        ground = _Unbuilt.ground(space)
        ground.left[0] = inf
        return cls(ground, world)

    def then(self, action: ActionModel) -> Unfolding:
        """Return the world after an action, exactly one of whose designated events must be possible there."""
        copies = self.space.copies(action)
        (event,) = [k for k, copy in enumerate(copies) if copy.chosen[self.world]]
        after, _ = self.space._updated(copies, action.among(self.space.relations))
        return Unfolding(after, event * self.space.width + self.world)

    def holds(self, f: Formula) -> bool:
        """Return whether a formula is true at the world."""
        return self.space.truth(f)[self.world]


def true_at(space: BitSpace, f: Formula, worlds: Sequence[int], least: int) -> list[bool] | None:
    """Return for each of some worlds whether a formula is true; None if building the products is faster.

    It is if they have at most `least` worlds, for probabilities, `everywhere`, `somewhere` and variables, and
    if the formula is about many worlds.
    """
    ground = space._groups.get("unbuilt")
    if ground is None or f not in ground.memo:
        check_formula_names(space, f)
        updates = (action_of(g) for g in f.subformulas() if isinstance(g, s.Dynamic))
        actions = [action for action in updates if action is not None]
        made = space.all.bit_count() * prod(map(len, actions))
        wide = 64 if needs(f, {}).depth == inf else 1  # common knowledge is about many worlds
        if space.variables or not actions or made <= least * wide:
            return None
        ground = space._groups.setdefault("unbuilt", ground or _Unbuilt.ground(space))
        ground.left[0] = min(made, _MOST)
    try:
        return list(map(ground.truth(f).__getitem__, worlds))
    except (_TooManyWorlds, RecursionError):  # tests call each other
        return None
