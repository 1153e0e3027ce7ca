"""The puzzles of Clocktower: rules, what is learnt, random games, invariances."""

import importlib.util
import random
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def lesson() -> ModuleType:
    path = Path(__file__).parents[2] / "examples" / "clocktower.py"
    spec = importlib.util.spec_from_file_location("clocktower_lesson", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


ct = lesson()
PLAYERS = ("You", "Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus")
HIDDEN = ("Imp", "Poisoner", "Spy", "ScarletWoman", "Baron", "Drunk")
ONCE = (
    "Washerwoman",
    "Librarian",
    "Investigator",
    "Chef",
    "Clockmaker",
    "Knight",
    "Noble",
    "Seamstress",
    "Steward",
)
NIGHTLY = ("Empath", "FortuneTeller", "Dreamer", "VillageIdiot")
OTHERS = ("Undertaker", "Ravenkeeper", "Monk", "Virgin", "Slayer", "Soldier", "Mayor")
NUMBERS = ("Chef", "Empath", "Clockmaker")


def test_forty_characters() -> None:
    assert len(ct.KIND) == 40
    assert set(ct.LEARNS) <= {c for c, kind in ct.KIND.items() if kind == ct.TOWNSFOLK}
    waking = f"{ct.ALWAYS} {ct.FIRST} {ct.LATER}".split()
    assert len(waking) == len(set(waking))
    assert set(waking) <= set(ct.KIND)


# --- what is learnt ------------------------------------------------------------------------------------
TOWN = ("Empath", "Imp", "Poisoner", "Saint", "Knight", "Drunk", "Mayor")
DEAD = {3}


def answers(character: str, me: int, candidates: list[Any], *, town: Any = None) -> set[Any]:
    """What a player may learn of a town."""
    town = town or ct.Town(TOWN, herring=6, night=1, dead=frozenset(DEAD))
    puzzle = ct.Puzzle(dict(zip(PLAYERS, town.now, strict=False)), ("Imp", "Poisoner", "Drunk"), (), {})

    def may_learn(learnt: Any) -> bool:
        question = ct.LEARNS[character]
        return ct.possible(lambda choose: question(ct.View(puzzle, town, me, len(town.now), choose), *learnt))

    return set(filter(may_learn, candidates))


SEATS = range(7)
COUNTS = [(k,) for k in range(5)]
EXPECTED: dict[tuple[str, int], tuple[list[Any], set[Any]]] = {
    ("Washerwoman", 0): ([(4, 6, "Knight"), (4, 6, "Imp"), (3, 6, "Knight")], {(4, 6, "Knight")}),
    ("Librarian", 0): (
        [(3, 1, "Saint"), (3, 5, "Drunk"), (1, 2, "Saint"), ()],
        {(3, 1, "Saint"), (3, 5, "Drunk")},
    ),
    ("Investigator", 0): ([(2, 6, "Poisoner"), (2, 6, "Spy"), (3, 6, "Poisoner")], {(2, 6, "Poisoner")}),
    ("Chef", 3): (COUNTS, {(1,)}),
    ("Empath", 0): (COUNTS, {(1,)}),
    ("Empath", 4): (COUNTS, {(1,)}),
    ("Empath", 6): (COUNTS, {(0,)}),
    ("Empath", 1): (COUNTS, {(1,)}),
    ("Clockmaker", 5): (COUNTS, {(1,)}),
    ("Oracle", 5): (COUNTS, {(0,)}),
    ("FortuneTeller", 0): (
        [(0, 1, True), (0, 6, True), (0, 2, True), (0, 2, False), (0, 1, False)],
        {(0, 1, True), (0, 6, True), (0, 2, False)},
    ),
    ("Undertaker", 0): ([(3, "Saint"), (3, "Imp")], {(3, "Saint")}),
    ("Ravenkeeper", 0): ([(5, "Drunk"), (5, "Mayor")], {(5, "Drunk")}),
    ("Knight", 4): (list(combinations(SEATS, 2)), {pair for pair in combinations(SEATS, 2) if 1 not in pair}),
    ("Steward", 4): ([(p,) for p in SEATS], {(0,), (3,), (4,), (5,), (6,)}),
    ("Noble", 0): ([(1, 2, 3), (1, 3, 4), (3, 4, 5)], {(1, 3, 4)}),
    ("Seamstress", 0): (
        [(1, 2, True), (1, 2, False), (1, 3, False), (3, 5, True)],
        {(1, 2, True), (1, 3, False), (3, 5, True)},
    ),
    ("Dreamer", 0): (
        [(1, "Chef", "Imp"), (1, "Chef", "Spy"), (5, "Drunk", "Imp")],
        {(1, "Chef", "Imp"), (5, "Drunk", "Imp")},
    ),
    ("Shugenja", 0): ([(True,), (False,)], {(True,)}),
    ("Shugenja", 4): ([(True,), (False,)], {(False,)}),
    ("Shugenja", 5): ([(True,), (False,)], {(True,), (False,)}),
    ("VillageIdiot", 0): ([(1, True), (1, False), (5, True), (5, False)], {(1, True), (5, False)}),
    ("Chambermaid", 3): (
        [(0, 2, k) for k in range(3)] + [(1, 4, k) for k in range(3)],
        {(0, 2, 2), (1, 4, 1)},
    ),
    ("Artist", 0): (
        [("Imp_Ann & evil_Bob & ~evil_You",), ("Spy | townsfolk_Ed",)],
        {("Imp_Ann & evil_Bob & ~evil_You",)},
    ),
    ("Savant", 0): (
        [("Imp_Ann", "Imp_Bob"), ("Imp_Ann", ("Chef", 1)), ("Spy", ("Chef", 1)), ("Spy", "Imp_You")],
        {("Imp_Ann", "Imp_Bob"), ("Spy", ("Chef", 1))},
    ),
}


@pytest.mark.parametrize(("character", "me"), EXPECTED)
def test_what_is_learnt(character: str, me: int) -> None:
    candidates, true = EXPECTED[character, me]
    assert answers(character, me, candidates) == true


def test_everything_that_can_be_learnt_is_tested() -> None:
    assert {name for name, _ in EXPECTED} | {"Juggler", "Balloonist"} == set(ct.LEARNS)


def test_the_last_night_and_day_matter() -> None:
    told = ct.Town(TOWN, said=((0, 3), (4, 3), (0, 1)))
    assert answers("Balloonist", 0, [(p,) for p in SEATS], town=told) == {(0,), (2,), (3,), (4,), (5,), (6,)}
    assert answers("Balloonist", 4, [(p,) for p in SEATS], town=told) == {(0,), (1,), (2,), (4,), (6,)}
    guessed = ct.Town(TOWN, said=((0, (1, "Imp"), (2, "Spy"), (6, "Mayor")),))
    assert answers("Juggler", 0, COUNTS, town=guessed) == {(2,)}
    assert answers("Chambermaid", 3, [(1, 4, k) for k in range(3)], town=ct.Town(TOWN, night=2)) == {
        (1, 4, 1)
    }


def test_spy_and_recluse_may_appear_in_other_ways_each_time() -> None:
    town = ct.Town(("Empath", "Recluse", "Imp", "Mayor", "Spy"))
    assert answers("Chef", 0, COUNTS, town=town) == {(0,), (1,)}
    assert answers("Empath", 0, COUNTS, town=town) == {(0,), (1,), (2,)}
    between = ct.Town(("Chef", "Imp", "Recluse", "Poisoner", "Mayor"))
    assert answers("Chef", 0, COUNTS, town=between) == {(0,), (1,), (2,)}
    poisoned = between._replace(poisoned=2)
    assert answers("Chef", 0, COUNTS, town=poisoned) == {(0,)}


# --- what happens --------------------------------------------------------------------------------------
def after(deal: tuple[str, ...], *diary: Any, poisoned: int | None = None) -> set[Any]:
    """The characters, the dead, in the towns that may follow."""
    puzzle = ct.Puzzle(dict(zip(PLAYERS, deal, strict=False)), HIDDEN, (), {})
    towns = [ct.Town(deal, poisoned=poisoned)]
    for happens, *whom in diary:
        towns = [new for town in towns for new in happens(puzzle, town, *whom)]
    return {(town.now, *sorted(town.dead)) for town in towns}


def test_nights_and_deaths() -> None:
    night, executed, shoots, nominates = ct.night, ct.executed, ct.shoots, ct.nominates
    deal = ("Imp", "Baron", "Chef", "Slayer", "Virgin")
    assert after(deal, (night,)) == {(deal,)}
    assert after(deal, (night, 2)) == set()  # nobody dies in the first night
    assert after(deal, (night,), (night,)) == set()  # somebody dies in the second
    assert after(deal, (night,), (night, 2)) == {(deal, 2)}
    assert after(deal, (night,), (night, 2, 3)) == set()
    assert after(deal, (night,), (night, 0)) == {(("Imp", "Imp", *deal[2:]), 0)}
    assert after(deal, (executed, 0)) == set()  # the good have won
    assert after(deal, (shoots, 3, 0, True)) == set()
    assert after(deal, (shoots, 3, 0, False)) == set()
    assert after(deal, (shoots, 3, 2, True)) == set()
    assert after(deal, (shoots, 3, 2, False)) == {(deal,)}
    assert after(deal, (shoots, 3, 2, False), (shoots, 3, 0, False)) == {(deal,)}
    assert after(deal, (shoots, 3, 0, False), poisoned=3) == {(deal,)}
    assert after(deal, (nominates, 2, 4, True)) == {(deal, 2)}
    assert after(deal, (nominates, 2, 4, False)) == set()
    assert after(deal, (nominates, 1, 4, False), (nominates, 2, 4, False)) == {(deal,)}
    assert after(deal, (nominates, 1, 4, True)) == set()
    woman = ("Imp", "ScarletWoman", "Chef", "Soldier", "Saint")
    heir = ("Imp", "Imp", "Chef", "Soldier", "Saint")
    assert after(woman, (executed, 0)) == {(heir, 0)}
    assert after(woman, (executed, 2), (executed, 0)) == set()  # too few are alive
    assert after(woman, (executed, 4)) == set()  # evil has won
    assert after(woman, (executed, 4), poisoned=4) == {(woman, 4)}
    assert after(woman, (night,), (night,)) == {(woman,)}  # the Soldier was attacked
    assert after(woman, (night,), (night, 3)) == set()
    monk = ("Imp", "Poisoner", "Chef", "Monk", "Recluse")
    assert after(monk, (night,), (night,)) == {(monk,)}
    assert after(monk, (executed, 3), (night,), (night,)) == {(monk, 3)}  # the Imp attacked the dead
    assert after(monk, (shoots, 2, 4, True)) == set()
    slayer = ("Imp", "Poisoner", "Slayer", "Monk", "Recluse")
    assert after(slayer, (shoots, 2, 4, True)) == {(slayer, 4)}
    assert after(slayer, (shoots, 2, 4, False)) == {(slayer,)}
    leviathan = ("Leviathan", "Goblin", "Chef", "Monk", "Mayor")
    assert after(leviathan, (night,), (executed, 1), (night,), (executed, 2)) == {(leviathan, 1, 2)}
    assert after(leviathan, (executed, 3), (executed, 2)) == set()


def test_poison_ends_with_the_poisoner() -> None:
    deal = ("Imp", "Poisoner", "Chef", "Slayer", "Mayor")
    puzzle = ct.Puzzle(dict(zip(PLAYERS, deal, strict=False)), HIDDEN, (), {})
    (dead,) = ct.executed(puzzle, ct.Town(deal, poisoned=3), 1)
    assert dead.poisoned is None
    starts = list(ct.night(puzzle, ct.Town(deal, night=1), 0))
    assert {(town.now[1], town.poisoned) for town in starts} == {("Imp", None)}
    for before in (None, 1, 3):  # also after the Poisoner has chosen themselves
        assert {town.poisoned for town in ct.night(puzzle, ct.Town(deal, poisoned=before))} == set(range(5))


# --- random games --------------------------------------------------------------------------------------
def candidates(character: str, n: int, me: int, script: list[str], last: int | None) -> list[Any]:
    """What somebody might say that they have learnt."""
    others = [p for p in range(n) if p != me]
    pairs = list(combinations(others, 2))
    of = lambda kind: [c for c in script if ct.KIND[c] == kind]  # noqa: E731
    named = {"Washerwoman": ct.TOWNSFOLK, "Librarian": ct.OUTSIDER, "Investigator": ct.MINION}
    if character in NUMBERS:
        return [(k,) for k in range(4)]
    if character in named:
        return [(*pair, c) for pair in pairs for c in of(named[character])]
    if character in ("FortuneTeller", "Seamstress"):
        return [(*pair, yes) for pair in pairs for yes in (True, False)]
    if character == "Dreamer":
        return [(p, a, b) for p in others for a in of(ct.TOWNSFOLK) for b in of(ct.MINION) + of(ct.DEMON)]
    return {
        "Knight": pairs,
        "Steward": [(p,) for p in others],
        "Noble": list(combinations(others, 3)),
        "VillageIdiot": [(p, evil) for p in others for evil in (True, False)],
        "Undertaker": [(last, c) for c in script],
        "Ravenkeeper": [(p, c) for p in others for c in script],
    }[character]


def random_game(
    rng: random.Random, hidden: tuple[str, ...] = HIDDEN, n: int = 7
) -> tuple[Any, tuple[str, ...]]:
    """A puzzle from a random game of two nights, and the deal of that game."""
    minion = rng.choice([c for c in hidden if ct.KIND[c] == ct.MINION])
    outsiders = ct.NUMBERS[n][0] + 2 * (minion == "Baron")
    strange = ["Drunk", "Saint", "Butler", *(["Recluse"] if "Spy" in hidden else [])]
    good = rng.sample(ONCE + NIGHTLY + OTHERS, n - 2 - outsiders) + rng.sample(strange, outsiders)
    deal = tuple(rng.sample([*good, minion, "Imp"], n))
    spare = rng.sample([c for c in ONCE + NIGHTLY + OTHERS if c not in deal], n)
    lies = [spare.pop() if ct.KIND[c] in ct.EVIL or c == "Drunk" else c for c in deal]
    names = PLAYERS[:n]
    puzzle = ct.Puzzle(dict(zip(names, lies, strict=True)), hidden, (), {})
    assert puzzle.allows(deal)
    good_seats = [p for p, c in enumerate(deal) if ct.KIND[c] in ct.GOOD]
    town = ct.Town(deal, herring=rng.choice(good_seats) if "FortuneTeller" in deal else None)
    diary: list[Any] = []
    last: int | None = None
    named = lambda x: names[x] if type(x) is int else x  # noqa: E731
    for night in (1, 2):
        deaths = [()] if night == 1 else [(), *((p,) for p in range(n) if p not in town.dead)]
        died, town = rng.choice([(d, new) for d in deaths for new in ct.night(puzzle, town, *d)])
        diary.append((ct.night, *map(named, died)))
        for p, c in enumerate(lies):
            awake = p not in town.dead and (c in NIGHTLY or c in (ONCE if night == 1 else ("Undertaker",)))
            if awake or (c == "Ravenkeeper" and p in died):
                possible = candidates(c, n, p, puzzle.script(), last)
                told = [(x, new) for x in possible for new in ct.says(puzzle, town, p, *x)]
                if told:
                    learnt, town = rng.choice(told)
                    diary.append((ct.says, names[p], *(learnt if c in NUMBERS else map(named, learnt))))
        if night == 1:
            living = [p for p in range(n) if p not in town.dead]
            last, town = rng.choice([(p, new) for p in living for new in ct.executed(puzzle, town, p)])
            diary.append((ct.executed, names[last]))
    return puzzle._replace(diary=tuple(diary)), deal


@pytest.mark.parametrize("seed", range(12))
def test_the_deal_of_a_game_is_found(seed: int) -> None:
    puzzle, deal = random_game(random.Random(seed))
    solutions = puzzle.solve()
    assert deal in solutions
    shorter = puzzle._replace(diary=puzzle.diary[:-1]).solve()
    assert set(solutions) <= set(shorter)


@pytest.mark.parametrize("seed", range(6))
def test_seats_names_and_the_order_of_claims_do_not_matter(seed: int) -> None:
    rng = random.Random(seed + 100)
    puzzle, _ = random_game(rng)
    solutions = set(puzzle.solve())
    turned = dict([*puzzle.claims.items()][2:] + [*puzzle.claims.items()][:2])
    assert {deal[2:] + deal[:2] for deal in solutions} == set(puzzle._replace(claims=turned).solve())
    new = dict(zip(puzzle.claims, rng.sample(["Imp", "Zoe", "x1", "You", "Li", "M", "Ann"], 7), strict=True))
    if "Imp" not in str([learnt for _, *learnt in puzzle.diary]):
        renamed = puzzle._replace(
            claims={new[name]: claim for name, claim in puzzle.claims.items()},
            diary=tuple(tuple(new.get(x, x) for x in entry) for entry in puzzle.diary),
        )
        assert set(renamed.solve()) == solutions
    first = next(k for k, entry in enumerate(puzzle.diary) if entry[0] is ct.executed)
    shuffled = (puzzle.diary[0], *rng.sample(puzzle.diary[1:first], first - 1), *puzzle.diary[first:])
    hidden = tuple(rng.sample(puzzle.hidden, len(puzzle.hidden)))
    assert set(puzzle._replace(diary=shuffled, hidden=hidden).solve()) == solutions


def test_what_the_solver_of_a_puzzle_may_be() -> None:
    free = ct.puzzle._replace(diary=ct.diary[:4], perhaps={})
    bound = ct.puzzle._replace(diary=ct.diary[:4])
    assert set(bound.solve()) == {deal for deal in free.solve() if deal[0] in ("Investigator", "Drunk")}
    assert any(deal[0] == "Imp" for deal in free.solve())


def test_rare_setups() -> None:
    claims = dict(
        zip(
            PLAYERS,
            ("VillageIdiot", "VillageIdiot", "Chef", "Balloonist", "Saint", "Mayor", "Knight"),
            strict=False,
        )
    )
    puzzle = ct.Puzzle(claims, ("Imp", "Marionette", "Goblin"), (), {})
    deals = set(puzzle.deals())
    for deal in deals:
        if "Marionette" in deal:
            p, q = deal.index("Marionette"), deal.index("Imp")
            assert abs(p - q) in (1, 6)
    # the Saint is an outsider too many, unless a lie or brought by the Balloonist
    assert all(deal[4] != "Saint" or deal[3] == "Balloonist" for deal in deals)
    idiots = ("VillageIdiot", "VillageIdiot", "Chef", "Balloonist", "Saint", "Imp", "Goblin")
    assert idiots in deals
    assert {town.tipsy for town in puzzle.towns(idiots)} == {0, 1}
    chefs = ct.Puzzle(
        dict(zip(PLAYERS[:5], ("Chef", "Chef", "Mayor", "Monk", "Noble"), strict=True)), HIDDEN, (), {}
    )
    assert not chefs.allows(("Chef", "Imp", "Spy", "Drunk", "Noble"))  # five play without outsiders
    six = chefs._replace(claims={**chefs.claims, "Ed": "Slayer"})
    assert six.allows(("Chef", "Imp", "Spy", "Drunk", "Noble", "Slayer"))
    assert not six.allows(("Chef", "Drunk", "Imp", "Spy", "Noble", "Slayer"))  # there is one Chef in the bag
    saint = six._replace(claims={**six.claims, "Ed": "Saint"})
    assert not saint.allows(
        ("Chef", "Imp", "Spy", "Monk", "Noble", "Drunk")
    )  # drunk players think they are townsfolk
    same = ct.Puzzle({**claims, "Bob": "Mayor"}, ("Imp", "Goblin"), (), {})
    assert all(Counter(deal)["Mayor"] < 2 for deal in same.deals())
    assert any(Counter(deal)["Mayor"] == 2 for deal in same._replace(twins=True).deals())
