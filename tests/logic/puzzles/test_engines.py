"""The puzzles have the known answers on the symbolic engine, and the same ones on both engines."""

from math import comb

import pytest

import kripke_werewolf as kw
from kripke_werewolf import FalseAnnouncement, puzzles
from kripke_werewolf.logic.formulas import Announce, Box, C, Formula, K, conjunction, disjunction, parse
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import PUZZLES, Puzzle
from tests.cases import each


def sizes(puzzle: Puzzle) -> list[int]:
    return [model.size for model in puzzle.history().models]  # type: ignore[attr-defined]


def numbered(prefix: str, n: int) -> list[Formula]:
    return [parse(f"{prefix}_{i}") for i in range(1, n + 1)]


@each([1, 6, 30])
def test_muddy_children(n: int) -> None:
    expected = [2**n] + [sum(comb(n, k) for k in range(j + 1, n + 1)) for j in range(n)]
    puzzle = puzzles.muddy_children(n, engine="symbolic")
    assert sizes(puzzle) == expected
    last = puzzle.history().model
    assert last.valid(conjunction(puzzle.formulas[f"knows_{i}"] for i in range(1, n + 1)))
    with pytest.raises(FalseAnnouncement):
        last.announce(puzzle.formulas["nobody"])


def test_muddy_children_who_answer_exactly() -> None:
    # children 1, 2, 3 of five are muddy; in every round each says whether it knows
    puzzle = puzzles.muddy_children(5, muddy=3)
    structure = puzzle.structure.announce(puzzle.formulas["father"])
    state, rounds = frozenset({"muddy_1", "muddy_2", "muddy_3"}), []
    assert list(structure.designated) == [state]
    knows = [puzzle.formulas[f"knows_{i}"] for i in range(1, 6)]
    for _ in range(4):
        answers = [structure.holds(f, at=state) for f in knows]
        rounds.append((structure.size, [i for i, yes in enumerate(answers, 1) if yes]))
        structure = structure.announce(
            conjunction(f if yes else ~f for f, yes in zip(knows, answers, strict=True))
        )
    assert rounds == [(31, []), (26, []), (16, [1, 2, 3]), (1, [1, 2, 3, 4, 5])]


@each([False, True])
def test_three_dining_cryptographers(ring: bool) -> None:
    puzzle = puzzles.dining_cryptographers(3, ring=ring)
    says = [puzzle.formulas[f"says_{i}"] for i in range(1, 4)]
    one_of_us, group = disjunction(numbered("paid", 3)), ["1", "2", "3"]
    start = puzzle.structure.point(parse("true"))
    assert start.size == 32
    for bits in range(8):
        heard = [f if bits >> i & 1 else ~f for i, f in enumerate(says)]
        structure = start.announce(conjunction(heard))
        if bits.bit_count() % 2:
            assert structure.size == 6
            assert structure.valid(C(group, one_of_us))
            for i in group:
                for k in group:
                    assert i == k or structure.valid(~K(i, f"paid_{k}"))
        else:
            assert structure.size == 2
            assert structure.valid(C(group, ~one_of_us))


@each([4, 12], [False, True])
def test_dining_cryptographers_at_once_and_one_by_one(n: int, ring: bool) -> None:
    puzzle = puzzles.dining_cryptographers(n, ring=ring, engine="symbolic")
    safe = puzzle.formulas["safe"]
    assert puzzle.structure.valid(Box(Announce(puzzle.formulas["odd"], None, True), safe))
    assert not puzzle.structure.valid(safe)
    in_turn = safe
    for i in range(1, n + 1):
        in_turn = Box(Announce(puzzle.formulas[f"says_{i}"], None, True), in_turn)
    assert puzzle.structure.valid(in_turn)
    # with all but one announcement nothing is common knowledge yet
    assert isinstance(in_turn, Box)
    assert not puzzle.structure.valid(in_turn.body)


def test_sum_and_product_with_other_bounds() -> None:
    puzzle = puzzles.sum_and_product(65, engine="symbolic")
    assert sizes(puzzle) == [961, 79, 51, 1]
    puzzle = puzzles.sum_and_product(64, engine="symbolic")
    history, impossible = puzzle.possible()
    assert impossible == "S: now I know them too"
    assert [model.size for model in history.models] == [930, 62, 46]  # type: ignore[attr-defined]
    assert history.model.count(puzzle.events[-1].action) == 0  # type: ignore[attr-defined]


@each([2, 3, 4])
def test_the_prisoner_who_counts_declares_in_time(n: int) -> None:
    puzzle = puzzles.prisoners(n)
    structure, days = puzzle.structure, [day for i in range(2, n + 1) for day in (i, 1)]
    for count, day in enumerate(days, 1):
        structure = structure.update(puzzle.actions[f"day_{day}"])
        assert structure.size == n**count
        assert structure.holds(puzzle.formulas["declares"]) == (count == len(days))
        assert structure.holds(puzzle.formulas["all"]) == ({*days[:count]} == {*range(1, n + 1)})
        assert structure.valid(puzzle.formulas["declares"] >> puzzle.formulas["all"])


@each([(2, 1, 1), (3, 3, 12), (4, 4, 24)])
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
    assert structure.holds("K_2 has_0_1 & K_2 has_1_0 & ~K_0 has_1_2")
    explicit = structure.to_explicit()
    (actual,) = Numbered(explicit).points
    assert [len(Numbered(explicit).successors(str(a), actual)) for a in "0123"] == [3, 1, 1, 9]


def test_six_gossips_and_eight_calls() -> None:
    calls = ["01", "12", "23", "34", "45", "05", "14", "25"]
    puzzle = puzzles.gossip(6, calls=calls, observing="calls", engine="auto")
    assert puzzle.engine == "symbolic"
    symbolic, explicit = puzzle.history(), puzzles.gossip(6, calls=calls, observing="calls").history()
    model = symbolic.model
    assert model.size == 15**8
    assert model.holds("has_2_0 & ~K_2 has_2_0 & K_2 (has_2_5 & has_5_2)")
    asked = ("has_2_0", "K_2 has_2_0", "K_2 (has_2_5 & has_5_2)", "Kw_3 has_4_5", "K_0 K_1 has_1_0")
    for number in (2, 5, 6, 8):
        for f in asked[: -1 if number == 8 else None]:  # the last takes half a minute there
            assert explicit.verdict(f, step=number) == symbolic.verdict(f, step=number), (number, f)


SMALL = {name: build() for name, build in PUZZLES.items() if name != "what-sum"} | {
    "five children": puzzles.muddy_children(5),
    "two of four children": puzzles.muddy_children(4, muddy=2),
    "every two share a coin": puzzles.dining_cryptographers(4, ring=False),
    "the NSA paid": puzzles.dining_cryptographers(4, payer=None),
    "four logicians": puzzles.drinking_logicians(4),
    "smaller numbers": puzzles.sum_and_product(40),
    "denial": puzzles.hexa(move="deny"),
    "whisper": puzzles.hexa(move="whisper"),
    "gossips who see the calls": puzzles.gossip(4, calls=["01", "12", "23"], observing="calls"),
    "strange spies": puzzles.resistance(spies_know=False),
}


@each(SMALL)
def test_both_engines_tell_the_same_story(name: str) -> None:
    puzzle = SMALL[name]
    structure, model = puzzle.structure, puzzle.model
    formulas = [*puzzle.formulas.values(), *(question.formula for question in puzzle.questions)]
    for event in [None, *puzzle.events]:
        if event is not None:
            try:
                model = kw.History(model).then(event.action).model
            except FalseAnnouncement:
                with pytest.raises(FalseAnnouncement):
                    structure.announce(event.action)  # type: ignore[arg-type]
                return
            structure = kw.History(structure).then(event.action).model  # type: ignore[arg-type]
        assert structure.size == len(model)
        assert set(structure.atoms) == set(model.atoms)
        assert set(structure.agents) == set(model.agents)
        for f in formulas:
            assert structure.verdict(f) == model.verdict(f), str(f)
            assert structure.count(f) == Numbered(model).mask(f).sum(), str(f)


def test_the_automatic_engine_goes_by_size() -> None:
    assert puzzles.muddy_children(10, engine="auto").engine == "explicit"
    assert puzzles.muddy_children(30, engine="auto").engine == "symbolic"
    assert puzzles.gossip(4, calls=["01"] * 5, engine="auto").engine == "explicit"
    assert puzzles.gossip(4, calls=["01"] * 9, engine="auto").engine == "symbolic"
