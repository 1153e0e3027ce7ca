"""The puzzles have the answers that are known for them, and the same in both engines."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import pytest

from kripke_werewolf.errors import FalseAnnouncement, GameError
from kripke_werewolf.language import Announce, Box, C, K, Kw, conjunction, parse
from kripke_werewolf.symbolic import puzzles
from kripke_werewolf.symbolic.puzzles import Puzzle


def sizes(puzzle: Puzzle, *names: str) -> list[int]:
    structure = puzzle.structure
    found = [structure.size]
    for name in names or puzzle.story:
        structure = structure.announce(puzzle.formulas[name])
        found.append(structure.size)
    return found


def told(puzzle: Puzzle, *names: str):
    structure = puzzle.structure
    for name in names or puzzle.story:
        structure = structure.announce(puzzle.formulas[name])
    return structure


@pytest.mark.parametrize("n", [1, 4, 6, 30])
def test_muddy_children(n: int) -> None:
    expected = [2**n] + [sum(comb(n, k) for k in range(j + 1, n + 1)) for j in range(n)]
    puzzle = puzzles.muddy_children(n)
    assert sizes(puzzle) == expected
    last = told(puzzle)
    assert last.valid(conjunction(puzzle.formulas[f"knows_{i}"] for i in range(n)))
    with pytest.raises(FalseAnnouncement):
        last.announce(puzzle.formulas["nobody"])


def test_muddy_children_who_answer_exactly() -> None:
    # children 0, 1, 2 of five are muddy; in every round each says whether it knows
    puzzle = puzzles.muddy_children(5)
    structure = puzzle.structure.announce(puzzle.formulas["father"])
    state, rounds = frozenset({"m0", "m1", "m2"}), []
    knows = [puzzle.formulas[f"knows_{i}"] for i in range(5)]
    for _ in range(4):
        answers = [structure.holds(f, at=state) for f in knows]
        rounds.append((structure.size, [i for i, yes in enumerate(answers) if yes]))
        structure = structure.announce(
            conjunction(f if yes else ~f for f, yes in zip(knows, answers, strict=True))
        )
    assert rounds == [(31, []), (26, []), (16, [0, 1, 2]), (1, [0, 1, 2, 3, 4])]


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_the_quotient_of_the_muddy_children_is_exact(n: int) -> None:
    puzzle = puzzles.muddy_children(n)
    structure = puzzle.structure.announce(puzzle.formulas["father"])
    quotient = puzzles.muddy_by_number(n)
    while True:
        assert structure.size == sum(comb(n, k) for k in quotient.numbers)
        assert quotient.size == len(quotient.numbers)
        if structure.valid(~puzzle.formulas["nobody"]):
            assert quotient.nobody().size == 0
            return
        structure, quotient = structure.announce(puzzle.formulas["nobody"]), quotient.nobody()


def test_a_thousand_muddy_children() -> None:
    quotient, rounds = puzzles.muddy_by_number(1000), 0
    while quotient.size > 1:
        quotient, rounds = quotient.nobody(), rounds + 1
    assert (rounds, quotient.numbers) == (999, [1000])


@pytest.mark.parametrize("ring", [False, True])
def test_three_dining_cryptographers(ring: bool) -> None:
    puzzle = puzzles.dining_cryptographers(3, ring=ring)
    says = [puzzle.formulas[f"says_{i}"] for i in range(3)]
    one_of_us, nsa = parse("paid_0 | paid_1 | paid_2"), parse("nsa")
    group = ["0", "1", "2"]
    assert puzzle.structure.size == 32
    for bits in range(8):
        heard = [f if bits >> i & 1 else ~f for i, f in enumerate(says)]
        structure = puzzle.structure.announce(conjunction(heard))
        if bits.bit_count() % 2:
            assert structure.size == 6
            assert structure.valid(C(group, one_of_us))
            for i in range(3):
                for k in range(3):
                    assert i == k or structure.valid(~K(str(i), f"paid_{k}"))
        else:
            assert structure.size == 2
            assert structure.valid(C(group, nsa))


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("n", [4, 12])
def test_dining_cryptographers_at_once_and_one_by_one(n: int, ring: bool) -> None:
    puzzle = puzzles.dining_cryptographers(n, ring=ring)
    safe = puzzle.formulas["safe"]
    assert puzzle.structure.valid(Box(Announce(puzzle.formulas["odd"], None, True), safe))
    assert not puzzle.structure.valid(safe)
    in_turn = safe
    for i in range(n):
        in_turn = Box(Announce(puzzle.formulas[f"says_{i}"], None, True), in_turn)
    assert puzzle.structure.valid(in_turn)
    # with all but one announcement nothing is common knowledge yet
    assert isinstance(in_turn, Box)
    assert not puzzle.structure.valid(in_turn.body)


def test_drinking_logicians() -> None:
    puzzle = puzzles.drinking_logicians(5)
    assert sizes(puzzle) == [32, 16, 8, 4, 2]
    assert told(puzzle).valid(Kw("4", puzzle.formulas["all"]))
    assert sizes(puzzles.drinking_logicians(100))[-1] == 2


def test_russian_cards() -> None:
    puzzle = puzzles.russian_cards()
    f, ab, abc = puzzle.formulas, ["a", "b"], ["a", "b", "c"]
    assert sizes(puzzle) == [140, 20, 3]
    announced = told(puzzle, "announcement")
    assert announced.holds(C(ab, f["b_learns_a"]))
    assert announced.holds(C(abc, f["c_ignorant"]))
    assert announced.holds("K_b c_6")
    assert told(puzzle).holds(C(ab, f["a_learns_b"] & f["b_learns_a"]))
    unsafe = told(puzzle, "unsafe")
    assert unsafe.size == 20
    assert unsafe.holds(f["b_learns_a"])
    assert unsafe.holds(K("a", f["c_ignorant"]))
    assert not unsafe.holds(C(abc, f["c_ignorant"]))
    betrayed = unsafe.announce(K("a", f["c_ignorant"]))
    assert betrayed.size == 4
    assert betrayed.holds("K_c a_0")


def test_cheryls_birthday() -> None:
    puzzle = puzzles.cheryl()
    assert sizes(puzzle) == [10, 5, 3, 1]
    assert list(told(puzzle).worlds) == [{"July", "day_16"}]


def number(state: frozenset[str], name: str) -> int:
    return sum(1 << int(atom[2:]) for atom in state if atom.startswith(name + "_"))


def test_sum_and_product() -> None:
    puzzle = puzzles.sum_and_product()
    assert puzzle.structure.count(puzzle.formulas["ignorant"]) == 1747
    assert sizes(puzzle) == [2352, 145, 86, 1]
    (state,) = told(puzzle).worlds
    assert [number(state, name) for name in "xysp"] == [4, 13, 17, 52]


def test_sum_and_product_with_other_bounds() -> None:
    puzzle = puzzles.sum_and_product(65)
    assert sizes(puzzle) == [961, 79, 51, 1]
    puzzle = puzzles.sum_and_product(64)
    assert sizes(puzzle, "knew", "product") == [930, 62, 46]
    assert told(puzzle, "knew", "product").count(puzzle.formulas["sum"]) == 0


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_prisoner_who_counts_declares_in_time(n: int) -> None:
    puzzle = puzzles.prisoners(n)
    structure, days = puzzle.structure, [day for i in range(1, n) for day in (i, 0)]
    for count, day in enumerate(days, 1):
        structure = structure.update(puzzle.actions[f"day_{day}"])
        assert structure.size == n**count
        assert structure.holds(puzzle.formulas["declares"]) == (count == len(days))
        assert structure.holds(puzzle.formulas["all"]) == ({*days[:count]} == {*range(n)})
        assert structure.valid(puzzle.formulas["declares"] >> puzzle.formulas["all"])


@pytest.mark.parametrize(("n", "calls", "ways"), [(2, 1, 1), (3, 3, 12), (4, 4, 24)])
def test_the_least_number_of_calls(n: int, calls: int, ways: int) -> None:
    puzzle = puzzles.gossip(n, observing="calls")
    structure = puzzle.structure
    for number_of_calls in range(1, calls + 1):
        structure = structure.update(puzzle.actions["call"])
        assert structure.size == comb(n, 2) ** number_of_calls
        assert structure.count(puzzle.formulas["experts"]) == (ways if number_of_calls == calls else 0)


def test_what_gossips_know_of_each_other() -> None:
    puzzle = puzzles.gossip(4)
    structure = puzzle.structure.update(puzzle.actions["call_0_1"]).update(puzzle.actions["call_1_2"])
    assert (structure.size, structure.designated.size) == (36, 1)
    assert structure.holds("K_2 s_0_1 & K_2 s_1_0 & ~K_0 s_1_2")
    explicit = structure.to_explicit()
    (actual,) = explicit.designated_indices
    assert [len(explicit.relation(a).successors(actual)) for a in "0123"] == [3, 1, 1, 9]


@pytest.mark.parametrize(
    "make",
    [
        lambda: puzzles.muddy_children(5),
        lambda: puzzles.dining_cryptographers(4),
        lambda: puzzles.drinking_logicians(4),
        puzzles.russian_cards,
        puzzles.cheryl,
        lambda: puzzles.sum_and_product(40),
    ],
)
def test_both_engines_tell_the_same_story(make: Callable[[], Puzzle]) -> None:
    puzzle = make()
    structure, model = puzzle.structure, puzzle.structure.to_explicit()
    for name in [None, *puzzle.story]:
        if name is not None:
            try:
                model = model.announce(puzzle.formulas[name])
            except FalseAnnouncement:
                with pytest.raises(FalseAnnouncement):
                    structure.announce(puzzle.formulas[name])
                return
            structure = structure.announce(puzzle.formulas[name])
        assert list(structure.worlds) == list(model.worlds)
        for f in puzzle.formulas.values():
            assert structure.verdict(f).fraction == model.verdict(f).fraction


@pytest.mark.parametrize(
    "make",
    [
        lambda: puzzles.muddy_children(0),
        lambda: puzzles.dining_cryptographers(2),
        lambda: puzzles.gossip(4, observing="nothing"),
        lambda: puzzles.prisoners(1),
    ],
)
def test_impossible_puzzles_are_refused(make: Callable[[], Puzzle]) -> None:
    with pytest.raises(GameError):
        make()
