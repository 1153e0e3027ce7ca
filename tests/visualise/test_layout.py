"""Arrangements by structure, and positions by hand."""

from collections.abc import Callable
from functools import cache
from itertools import product
from math import dist, isclose
from random import Random
from typing import Any

import pytest

import visualise
from benchmarks.pictures import arrows
from kripke_werewolf import KripkeModel, QuantumWerewolf, private, public
from kripke_werewolf.base.errors import (
    KripkeError,
    ModelError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownNameError,
)
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle
from visualise import Scene
from visualise.geometry import Point, Rect, convex_hull, cut, sampled, spanning_tree
from visualise.layout import _centred, _parted, arrange, reach, spread
from visualise.measures import Measures, measured
from visualise.picture import sketch

Places = dict[Any, tuple[float, float]]


def steps(at: Places, moves: list[tuple[str, str]]) -> set[tuple[float, float]]:
    return {(round(at[v][0] - at[w][0], 6), round(at[v][1] - at[w][1], 6)) for w, v in moves}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_muddy_children_make_a_cube(n: int) -> None:
    at = visualise.layout(puzzle("muddy-children", n=n).model)
    for child in range(n):
        others = ["".join(bits) for bits in product("01", repeat=n - 1)]
        moves = [(f"{w[:child]}0{w[child:]}", f"{w[:child]}1{w[child:]}") for w in others]
        assert len(steps(at, moves)) == 1  # parallel, and of the same length
    assert len(set(at.values())) == 2**n


def test_hexa_is_a_regular_hexagon() -> None:
    at = visualise.layout(puzzle("hexa").model)
    centre = [sum(axis) / len(at) for axis in zip(*at.values(), strict=True)]
    far = [dist(p, centre) for p in at.values()]
    assert all(isclose(r, far[0]) for r in far)
    nearest = [min(dist(p, q) for q in at.values() if q != p) for p in at.values()]
    assert all(isclose(r, far[0]) for r in nearest)


def test_chain_is_a_line() -> None:
    model = KripkeModel.from_observations(
        range(6), {"a": lambda w: w // 2, "b": lambda w: (w + 1) // 2}, lambda w: []
    )
    at = visualise.layout(model)
    assert len({y for _, y in at.values()}) == 1
    order = sorted(at, key=lambda world: at[world])
    assert order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0])


def test_two_agents_make_a_grid() -> None:
    model = KripkeModel.from_observations(
        product("abc", "1234"), {"row": lambda w: w[0], "column": lambda w: w[1]}, lambda w: []
    )
    at = visualise.layout(model)
    for letter in "abc":
        assert len({at[letter, number][1] for number in "1234"}) == 1
    for number in "1234":
        assert len({at[letter, number][0] for letter in "abc"}) == 1


@pytest.mark.parametrize("arrangement", ["cube", "ring", "grid", "layers", "force", "rows"])
def test_arrangements_by_name(arrangement: Any) -> None:
    model = puzzle("muddy-children", n=3).model
    at = visualise.layout(model, arrangement=arrangement)
    assert min(dist(p, q) for p in at.values() for q in at.values() if p != q) > 30


@cache
def picture_of(name: str) -> Scene:
    return visualise.picture(puzzle(name).model)


def test_pictures_of_puzzles_do_not_sprawl() -> None:
    for name in sorted(PUZZLES.keys() - {"what-sum"}):  # of 134,550 worlds few are drawn
        scene = picture_of(name)
        need = sum((n.box.width + 60) * (n.box.height + 80) for n in scene.nodes)
        # the page, a little wider than high, that holds all
        side = max(scene.box.width / 1.4, scene.box.height)
        assert 1.4 * side * side < 10 * max(need, 40_000), name


def test_arrows_lead_down_from_the_actual_world() -> None:
    coin = KripkeModel.from_partitions(
        ["heads", "tails"],
        {"a": [["heads"], ["tails"]], "b": [["heads", "tails"]]},
        {"h": ["heads"]},
        ["heads"],
    )
    for first, second in ("ab", "ba", "bb"):
        model = coin.update(private(first, "h")).update(private(second, "h"))
        at = visualise.layout(model)
        assert at[model.designated[0]][1] == pytest.approx(max(y for _, y in at.values()))
        assert measured(visualise.picture(model)).upward == 0, (first, second)
    three = coin.update(private("a", "h")).update(private("b", "h")).update(private("a", "h"))
    assert measured(visualise.picture(three)).upward == 0


def test_names_on_lines_do_not_change_the_arrangement() -> None:
    for name in sorted(PUZZLES.keys() - {"what-sum"}):  # of 134,550 worlds few are drawn
        places = [picture_of(name).positions, visualise.layout(puzzle(name).model, edge_labels=True)]
        one, other = (_centred([Point(*at) for at in found.values()]) for found in places)
        factor = reach(other) / (reach(one) or 1)
        for p, q in zip(one, other, strict=True):
            assert q == pytest.approx((factor * p.x, factor * p.y), abs=1e-6), name


def test_sixteen_agents_do_not_hang() -> None:
    agents = [f"agent {k}" for k in range(16)]
    model = KripkeModel.from_observations(
        range(8), {a: (lambda w, k=k: w * (k + 3) % 11 % 3) for k, a in enumerate(agents)}, lambda w: []
    )
    assert len(visualise.layout(model)) == 8


def test_force_depends_on_the_seed_alone() -> None:
    model = puzzle("resistance").model
    once = visualise.layout(model, arrangement="force", seed=3)
    assert once == visualise.layout(model, arrangement="force", seed=3)
    assert once != visualise.layout(model, arrangement="force", seed=4)


def test_positions_by_hand_keep_their_proportions_and_get_room() -> None:
    model = KripkeModel.from_partitions("uvw", {"a": ["uvw"]}, {})
    at = visualise.layout(model, pos={"u": (0, 0), "v": (1, 0), "w": (0, 2)})
    assert isclose(2 * dist(at["u"], at["v"]), dist(at["u"], at["w"]))
    assert dist(at["u"], at["v"]) > 30


def refused(error: type[KripkeError], **options: Any) -> str:
    model = KripkeModel.from_partitions(["w1", "w2"], {"a": [["w1", "w2"]]}, {"p": ["w1"]})
    with pytest.raises(error) as caught:
        visualise.picture(model, **options)
    return str(caught.value)


def test_wrong_options_are_refused() -> None:
    assert "world 'w2'" in refused(ModelError, pos={"w1": (0, 0)})
    assert "'w22'" in refused(ModelError, pos={"w1": (0, 0), "w22": (1, 1)})
    assert "two numbers" in refused(ModelError, pos={"w1": (0, 0), "w2": "up"})
    assert "finite" in refused(ModelError, pos={"w1": (0, 0), "w2": (0, float("nan"))})
    assert "same position" in refused(ModelError, pos={"w1": (0, 0), "w2": (0, 0)})
    assert "'rings'" in refused(UnknownNameError, arrangement="rings")
    assert "does not fit" in refused(ModelError, arrangement="cube")
    assert "'all'" in refused(UnknownNameError, edges="all")
    assert "'rainbow'" in refused(UnknownNameError, fills="rainbow")
    assert "not both" in refused(ModelError, fills="bisimulation", formula="p")
    assert "'c'" in refused(UnknownAgentError, agents=["c"])
    assert "'q'" in refused(UnknownAtomError, formula="q")
    assert "'q'" in refused(UnknownAtomError, atoms=["q"])


def test_values_that_fit_no_option_are_refused() -> None:
    assert "did you mean 'colors'" in refused(UnknownNameError, colour="red")
    for name, value in {
        "limit": 0, "seed": "x", "title": 5, "caption": 5, "names": 5, "agents": 5, "atoms": 5, "pos": 5,
    }.items():  # fmt: skip
        message = refused(ModelError, **{name: value})
        assert message.startswith(f"{name} must be ")
        assert message.endswith(f"got {value!r}")


def test_what_cannot_be_drawn_is_refused() -> None:
    model = puzzle("hexa").model
    calls: list[Callable[[Any], Any]] = [
        visualise.draw, visualise.svg, visualise.html, visualise.picture, visualise.layout,
        visualise.action_picture, lambda it: visualise.difference(model, it),
        lambda it: visualise.difference(it, model), lambda it: visualise.update_picture(it, public("a_0")),
    ]  # fmt: skip
    for call in calls:
        for wrong in ("p", 5, None):
            with pytest.raises(ModelError, match=f"cannot draw {wrong!r}: expected a"):
                call(wrong)
    with pytest.raises(ModelError, match=r'write game\.model\("Ann"\)\.draw\(\)'):
        visualise.draw(QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1))
    with pytest.raises(ModelError, match=r"write kw\.visualise\.save\(action, "):
        visualise.html(public("a_0"))
    with pytest.raises(ModelError, match="a finished picture has no options: formula"):
        visualise.draw(visualise.picture(model), formula="a_0")
    with pytest.raises(ModelError, match="ax must be the axes of a matplotlib figure, got 5"):
        visualise.draw(model, ax=5)  # type: ignore[arg-type]


# --- geometry --------------------------------------------------------------------------------------


@pytest.mark.parametrize("fit", [spread, _parted])
def test_boxes_are_apart(fit: Any) -> None:
    box = Rect(-40, -20, 40, 5)
    spots = [Point(k * k % 7, k * 3 % 5 + 0.1 * k) for k in range(20)]
    boxes = [box.moved(spot) for spot in fit(spots, [box] * 20, 7)]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])


def test_cut_is_a_part_of_the_curve() -> None:
    curve = (Point(0, 0), Point(10, 20), Point(30, 0))
    part = sampled(cut(curve, 0.25, 0.75), 3)
    assert all(dist(p, q) < 1e-6 for p, q in zip(part, sampled(curve, 9)[2:7:2], strict=True))


def test_spanning_tree_is_the_shortest() -> None:
    at = [(0, 0), (1, 0), (2.5, 0), (1, 1.2)]
    assert spanning_tree(range(4), lambda i, j: dist(at[i], at[j])) == [(0, 1), (1, 2), (1, 3)]


def test_convex_hull() -> None:
    points = [Point(0, 0), Point(2, 0), Point(1, 1), Point(2, 2), Point(0, 2), Point(1, 0)]
    assert convex_hull(points) == [(0, 0), (2, 0), (2, 2), (0, 2)]


def test_the_measured_cost_of_positions_is_heeded() -> None:
    def cost(place: list[Point]) -> float:
        return 40 * abs(place[0].x - place[-1].x) / reach(place)

    heeded = 0
    for seed in range(5):
        rng, worlds = Random(seed), range(9)
        related = {a: [(u, v) for u in worlds for v in worlds if rng.random() < 0.2] for a in "ab"}
        ready = sketch(KripkeModel(worlds, related, {}, [0]), {})
        cheap, other = (arrange(ready.graph, ready.rooms, measure=how) for how in (cost, lambda place: 0.0))
        assert cost(cheap) <= cost(other) + 20
        heeded += cheap != other
    assert heeded


def faults(found: Measures) -> tuple[int, int, int]:
    return found.struck, found.behind, found.overlaps


@pytest.mark.parametrize("change", [1, 5, 7])
def test_no_line_runs_through_a_text_in_whatever_order_the_worlds_come(change: int) -> None:
    """Not even among 61 lines that cross each other."""
    crowded = arrows(16, "ab")
    order = [crowded.worlds[change * k % 16] for k in range(16)]
    true = {atom: crowded.where(atom) for atom in crowded.atoms}
    model = KripkeModel(order, crowded.relations, true, crowded.designated)
    assert faults(measured(visualise.picture(model))) == (0, 0, 0)
