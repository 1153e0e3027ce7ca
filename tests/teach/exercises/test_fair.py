"""Fair sheets: what a class is dealt, the worth of a guess, and reasons for "valid"."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from numpy.random import default_rng

from kripke_werewolf import KripkeModel, countermodel, parse
from kripke_werewolf.logic.formulas.logics import FRAME_CLASSES
from kripke_werewolf.teach.exercises import Exercise, Sheet, Task, new_exercise, read_sheet
from kripke_werewolf.teach.exercises.generation import PRINCIPLES, checked_parameters, dealt, deck_of
from kripke_werewolf.teach.exercises.sheet import Variant, spreads
from kripke_werewolf.teach.exercises.validity import Claim, Valid, reason_for, suffices
from tests.guessing import best_guess, best_of_sheet
from tests.naming import naming

CLASS = 30
COURSE = Path(__file__).parents[3] / "examples" / "course"


@cache
def drawn(kind: str, seed: int, **parameters: int | str) -> list[Exercise]:
    """Return the exercises of a class."""
    sheet = Sheet("x", (Task(kind, parameters=parameters),), seed=seed)
    levels = sheet.levels()
    return [sheet.variant(f"s{n}", levels, n).exercises[0] for n in range(CLASS)]


# --- what is dealt ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(Exercise.kinds))
@pytest.mark.parametrize("seed", range(3))
def test_no_card_comes_again_before_the_others(kind: str, seed: int) -> None:
    suits = deck_of(kind, checked_parameters(kind, {}))
    cards = [str(dealt(suits, default_rng(seed), place)) for place in range(60)]
    for suit in suits:
        counts = Counter(cards)
        those = [counts[str(card)] for card in suit]
        assert max(those) - min(those) <= 1
        assert abs(sum(those) - 60 / len(suits)) < 1
    for first in range(0, 60 - len(suits), len(suits)):
        block = cards[first : first + len(suits)]
        assert all(any(str(card) in block for card in suit) for suit in suits)


@pytest.mark.parametrize("seed", range(2))
def test_half_of_a_class_has_each_verdict(seed: int) -> None:
    found = [exercise.solution().startswith("valid") for exercise in drawn("valid", seed, depth=1)]
    assert abs(sum(found) - CLASS // 2) <= 1
    assert len(set(map(tuple, zip(found[::2], found[1::2], strict=True)))) >= 2  # in no fixed order


@pytest.mark.parametrize("seed", range(3))
def test_few_of_a_class_share_a_key(seed: int) -> None:
    keys = Counter(exercise.solution() for exercise in drawn("frame-properties", seed, size=4))
    assert max(keys.values()) <= CLASS / 5, keys
    counts = Counter(len(exercise.right()) for exercise in drawn("who-knows", seed, size=5, depth=1))
    assert set(counts) == {1, 2, 3, 4}
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize(("logic", "seed"), [("S5", 0), ("KD45", 1)])
def test_a_guess_earns_little(logic: str, seed: int) -> None:
    sheet, exercises = Sheet("x", (Task("valid"),), seed=seed), drawn("valid", seed, depth=2, logic=logic)
    (spread,) = spreads([Variant(sheet, "", (exercise,)) for exercise in exercises])
    assert spread.guess <= Fraction(9, 25)
    right = sum(exercise.solution().startswith("valid") for exercise in exercises)
    assert sum(exercise.check("valid").credit for exercise in exercises) == right * Fraction(1, 3)
    for rule in ("K", "T", "5", "no property"):
        worth = sum(exercise.check(f"valid: {rule}").credit for exercise in exercises)
        assert worth <= CLASS * Fraction(9, 25), rule


@pytest.mark.slow
@pytest.mark.parametrize("week", range(1, 8))
def test_the_best_guess_earns_less_than_30_percent_of_a_sheet(week: int) -> None:
    sheet = read_sheet(COURSE / f"week{week}.toml")
    total, best = best_of_sheet(replace(sheet, seed=week), CLASS)
    assert total < Fraction(3, 10), best
    assert max(share for share, _ in best) <= Fraction(2, 5), best


@pytest.mark.slow
@pytest.mark.parametrize("seed", [41, 77])
@pytest.mark.parametrize("week", range(1, 8))
def test_the_tasks_of_a_class_are_about_equally_difficult(week: int, seed: int) -> None:
    sheet = replace(read_sheet(COURSE / f"week{week}.toml"), seed=seed)
    levels = sheet.levels()
    variants = [sheet.variant(f"s{n}", levels, n).exercises for n in range(12)]
    for task, exercises in zip(sheet.tasks, zip(*variants, strict=True), strict=True):
        claims = [exercise.difficulty() for exercise in exercises]
        assert max(claims) <= 1.5 * min(claims), task.name


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "size"), [("upgrade", 4), ("announcement", 5)])
@pytest.mark.parametrize("seed", range(2))
def test_no_formula_is_right_for_many_of_a_class(kind: str, size: int, seed: int) -> None:
    exercises = drawn(kind, seed, size=size)
    assert len({exercise.solution() for exercise in exercises}) == 4
    share, guess = best_guess(exercises)
    assert share <= Fraction(2, 5), guess


@pytest.mark.parametrize(("logic", "seed"), [("S5", 0), ("KD45", 1), ("T", 2), ("K", 3)])
def test_questions_of_validity_are_about_equally_difficult(logic: str, seed: int) -> None:
    claims = [exercise.difficulty() for exercise in drawn("valid", seed, depth=2, logic=logic)]
    assert max(claims) <= 1.5 * min(claims)


# --- reasons ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("logic", ["S5", "KD45", "T", "KTB", "S4", "K", "a: S5, b: KD45"])
def test_the_reason_given_is_right_and_needs_all_that_it_names(logic: str) -> None:
    for f in PRINCIPLES:
        exercise = Valid("", f, logic)
        if countermodel(f, logic=logic) is not None:
            told = exercise.check("valid: reflexive")
            assert (told.right, told.credit) == (False, 0)
            continue
        claim = reason_for(f, logic)
        assert isinstance(claim.reason, frozenset)
        assert exercise.check(exercise.solution()).right
        assert exercise.check("valid").credit == Fraction(1, 3)
        for size in range(len(claim.reason)):
            for fewer in combinations(sorted(claim.reason), size):
                found = exercise.check(str(Claim(frozenset(fewer))))
                assert (found.right, found.credit) == (False, Fraction(1, 3)), (f, fewer)


def frames(needs: frozenset[str]) -> Iterator[list[tuple[int, int]]]:
    """Yield the relations on two worlds with some properties."""
    pairs = list(product(range(2), range(2)))
    for kept in product((False, True), repeat=4):
        arrows = [pair for pair, there in zip(pairs, kept, strict=True) if there]
        if needs <= set(KripkeModel([0, 1], {"a": arrows}, {}).frame_class("a").properties):
            yield arrows


@pytest.mark.parametrize("needs", FRAME_CLASSES.values(), ids=FRAME_CLASSES)
def test_what_suffices_is_true_in_all_small_models_with_these_properties(needs: frozenset[str]) -> None:
    rng = random.Random(str(sorted(needs)))
    enough = [f for f in PRINCIPLES if suffices(f, "S5", needs)]
    assert {f for f in PRINCIPLES if suffices(f, "S5", frozenset())} <= set(enough)
    relations = list(frames(needs))
    assert enough != list(PRINCIPLES)
    for _ in range(25):
        true = {atom: [w for w in (0, 1) if rng.random() < 0.5] for atom in "xy"}
        model = KripkeModel([0, 1], {agent: rng.choice(relations) for agent in "ab"}, true)
        assert all(len(model.where(f)) == 2 for f in enough)


NEGATIVE = parse("~K_a p -> K_a ~K_a p")
READ = {
    "K_b q -> q": [
        *("valid, by T", "Yes, because of axiom T.", "Valid (T)", "valid: reflexivity"),
        *("It is valid, since the relations are reflexive.", "valid since R_b is reflexive"),
        *("valid: instance of T", "valid: K and T", "valid: reflexive and nothing else"),
    ],
    "~K_a p -> K_a ~K_a p": ["valid: symmetric and transitive", "always valid: negative introspection"],
    "K_a p -> K_a K_a p": ["valid: reflexive, euclidean", "valid: transitivity", "valid: 5 and T"],
    "K_a (p & q) -> K_a p": [
        *("valid: no property", "valid, it needs none", "valid, for any relations"),
        *("valid: no property needed", "valid: no properties needed"),
        *("valid: in all frames", "valid: ∅"),
    ],
    "K_a (p -> q) -> (K_a p -> K_a q)": ["valid by K"],
}


def test_any_right_reason_counts() -> None:
    for formula, answers in READ.items():
        exercise = Valid("", parse(formula), "S5")
        assert [answer for answer in answers if not exercise.check(answer).right] == []


A_WRONG_REASON_EARNS_THE_VERDICT_ONLY = [
    ("valid", "the reason is missing; the right reason: valid: euclidean"),
    ("valid: reflexive", "that is not enough: it is not always true where relations are reflexive"),
    ("valid: no property", "not always true for relations of every kind"),
    ("valid: reflexive and euclidean", "it does not need reflexive relations"),
    ("valid: Nec", "unknown property 'Nec' (known: reflexive, serial"),
]


def test_a_wrong_reason_earns_the_verdict_only() -> None:
    for answer, said in A_WRONG_REASON_EARNS_THE_VERDICT_ONLY:
        with naming(answer, said):
            found = Valid("", NEGATIVE, "S5").check(answer)
            assert (found.right, found.credit) == (False, Fraction(1, 3))
            assert said in found.reason


DENIED = [
    *("nobody sees itself", "no reflexive relation needed", "doesn't need reflexive", "isn’t reflexive"),
    *("cannot be reflexive", "unless reflexive", "true by itself", "irreflexive", "non-reflexive", "~T"),
    *("no property, reflexive", "reflexive is irrelevant"),
]
UNCLEAR = [": not reflexive", ": foo", ": T and RK", ": RK, PL", "\n1. p (", "\n1. w0: ("]


def test_a_reason_that_denies_the_right_one_or_is_unclear_earns_what_the_verdict_earns() -> None:
    reflexive = Valid("", parse("K_a p -> p"), "T")
    cases = [(reflexive, f": {reason}") for reason in DENIED]
    for exercise, reason in cases + [(Valid("", NEGATIVE, "S5"), reason) for reason in UNCLEAR]:
        with naming(reason):
            found = exercise.check(f"valid{reason}")
            assert (found.right, found.credit) == (False, Fraction(1, 3))
            assert "read as: valid, and a reason that cannot be read\nanswer, line " in found.reason
            assert Valid("", parse("p -> K_a p"), "S5").check(f"valid{reason}").credit == 0


# --- tasks worth asking ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_sentences_are_said_as_people_say_them(seed: int) -> None:
    for n in range(8):
        said = new_exercise("to-formula", rng=10 * seed + n, depth=2).question()
        assert not re.search(r"not consider it possible|whether \w+ (?:is false|does not)", said), said
        described = new_exercise("action-model", rng=10 * seed + n, depth=n % 2).question()
        assert not re.search(r"[~&|]|->", described), described


def fact(model: KripkeModel, world: str) -> KripkeModel:
    """Return the model of one world with the facts of a world."""
    here = model.atoms_at(world)
    return KripkeModel.from_partitions(
        [world], {"a": [[world]], "b": [[world]]}, {p: [world] * (p in here) for p in "pq"}
    )


@pytest.mark.parametrize("seed", range(6))
def test_what_is_reduced_is_not_about_facts_alone(seed: int) -> None:
    (f,) = new_exercise("reduce", rng=seed).formulas()
    rng = random.Random(seed)
    for _ in range(400):
        worlds = ["u", "v", "w"]
        views = {agent: {w: rng.randrange(2) for w in worlds}.__getitem__ for agent in "ab"}
        facts = {w: [p for p in "pq" if rng.random() < 0.5] for w in worlds}.__getitem__
        model = KripkeModel.from_observations(worlds, views, facts, "u", atoms="pq")
        if model.holds(f) != fact(model, "u").holds(f, at="u"):
            return
    pytest.fail(f"{f} is about facts alone")
