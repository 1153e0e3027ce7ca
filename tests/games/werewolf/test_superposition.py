"""The enumerated superposition against the published worked tables and small cases by hand."""

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import Deck, ModelTooLarge
from kripke_werewolf.games.werewolf import enumerated
from kripke_werewolf.games.werewolf.enumerated import Enumerated
from kripke_werewolf.logic.formulas import TRUE, Constant, conjunction, simplify
from tests import strategies
from tests.cases import each
from tests.superposed import attack, fact, lives, sees

DATA = Path(__file__).parents[2] / "data"
ARTICLE = {
    c["id"]: c for c in json.loads((DATA / "gekka_article_tables.json").read_text(encoding="utf-8"))["cases"]
}
ROLES = {"v": "villager", "s": "seer", "a": "alpha", "b": "beta"}
SHOWN = {"good": frozenset({"villager", "seer"}), "evil": frozenset({"alpha", "beta"})}


def with_dead(worlds, world, player):
    """The same superposition with one player dead in one world (the article's artificial case)."""
    dealt = (fact(ROLES[letter.lower()], seat) for seat, letter in enumerate(world))
    dead = (~lives(seat) if letter.isupper() else lives(seat) for seat, letter in enumerate(world))
    return worlds.die(player, conjunction((*dealt, *dead)))


def article_worlds(case):
    if case["start"] == "initial":
        worlds = Enumerated.start(Deck(case["n"], wolves=case["wolves"], seers=case["seers"]))
    else:
        worlds = article_worlds(ARTICLE[case["start"]])
    for name, *arguments in case["ops"]:
        if name == "attack":
            worlds = worlds.die(**attack(*arguments))
        elif name == "vision":
            seer, target, result = arguments
            worlds = worlds.keep(sees(seer, target, SHOWN[result]))
        elif name == "pre_execute":
            worlds = worlds.keep(lives(*arguments))
        elif name == "execute":
            player, role = arguments
            worlds = worlds.keep(lives(player)).fix(player, ROLES[role]).die(player)
        else:
            worlds = with_dead(worlds, *arguments)
    return worlds


@pytest.mark.parametrize("case", ARTICLE.values(), ids=ARTICLE)
def test_tables_of_the_article(case):
    worlds = article_worlds(case)
    assert sorted(worlds.world_strings()) == sorted(case["expect"])
    if "table" in case:
        counts, dead = worlds.role_counts(), worlds.death_counts()
        for player, row in enumerate(case["table"]):
            good = counts["villager"][player] + counts["seer"][player]
            assert Fraction(good, worlds.size) == Fraction(row["human"])
            assert Fraction(worlds.size - good, worlds.size) == Fraction(row["wolf"])
            assert Fraction(dead[player], worlds.size) == Fraction(row["dead"])
    if "vision_weights" in case:
        (_, seer, target, _) = case["ops"][-1]
        before = article_worlds({**case, "ops": case["ops"][:-1]})
        looking = before.keep(fact("seer", seer))
        good, evil = looking.count(fact("good", target)), looking.count(fact("wolf", target))
        assert {"good": good, "evil": evil} == case["vision_weights"]
    if "collapse_weights" in case:
        (_, victim) = case["ops"][-1]
        weights = {r[0]: c[victim] for r, c in worlds.role_counts().items() if c[victim]}
        assert weights == case["collapse_weights"]


@each([Deck(5, 2), Deck(4, 3, 1), Deck(5, 1, 0), Deck(6, 2, 3), Deck(3, 1, 2)], [True, False])
def test_every_assignment_occurs_once(deck, ranked):
    deck = Deck(deck.players, wolves=deck.wolves, seers=deck.seers, ranked=ranked)
    wolves = "abc"[: deck.wolves] if ranked else "w" * deck.wolves
    expected = {"".join(p) for p in permutations("v" * deck.villagers + "s" * deck.seers + wolves)}
    strings = Enumerated.start(deck).world_strings()
    assert len(strings) == len(set(strings)) == deck.worlds
    assert set(strings) == expected


def test_more_players_than_bits_of_a_machine_word():
    worlds = Enumerated.start(Deck(70, wolves=1)).die(63).die(0).die(69)
    assert [p for p, c in enumerate(worlds.death_counts()) if c] == [0, 63, 69]


def test_the_limit_is_checked_before_anything_is_built(monkeypatch):
    deck = Deck(50, wolves=8)
    with pytest.raises(ModelTooLarge, match="counting engine") as caught:
        Enumerated.start(deck)
    assert caught.value.worlds == deck.worlds == 50 * 49 * 48 * 47 * 46 * 45 * 44 * 43 * 42
    small = Deck(4, wolves=2)
    monkeypatch.setattr(enumerated, "MAX_BYTES", 24 * 7)
    assert Enumerated.start(small).size == 24
    monkeypatch.setattr(enumerated, "MAX_BYTES", 24 * 7 - 1)
    with pytest.raises(ModelTooLarge):
        Enumerated.start(small)


def test_a_random_sample_is_distinct_and_valid():
    deck = Deck(9, wolves=3, seers=1, ranked=False)
    sample = Enumerated.sample(deck, 100, seed=1)
    strings = set(sample.world_strings())
    assert len(strings) == sample.size <= 100
    assert strings < set(Enumerated.start(deck).world_strings())
    assert Enumerated.sample(deck, 10**5, seed=1).size == deck.worlds


def test_the_smallest_sample_is_one_world():
    deck = Deck(6, wolves=2)
    for seed in range(5):
        (world,) = Enumerated.sample(deck, 1, seed=seed).world_strings()
        assert sorted(world) == sorted("vvvsab")


def test_a_chain_of_superpositions_takes_a_bit_per_world_and_change():
    """All states of a long night together take less than three times the memory of the start."""
    deck = Deck(14, wolves=3)
    worlds = Enumerated.start(deck)
    begun, kept = sum(map(len, worlds.deals.columns)), [worlds]
    for player in range(14):
        kept.append(kept[-1].keep(sees(player, (player + 1) % 14, frozenset({"villager", "seer"}))))
        kept.append(kept[-1].die(**attack(player, (player + 3) % 14)))
    sets = {id(s): s for state in kept for s in (state._alive, *state._facts["dead"])}
    assert sum(s.bit_length() // 8 for s in sets.values()) < 3 * begun


def test_a_table_of_its_own_holds_the_same_worlds():
    """Where less than half of the worlds survive, they are listed anew: nothing else changes."""
    worlds = Enumerated.start(Deck(12, wolves=2)).die(**attack(0, 1)).die(**attack(2, 3)).die(5)
    few = worlds.fix(4, "villager").fix(6, "seer")
    assert few.deals.size < worlds.deals.size
    kept = Enumerated(worlds.deals, worlds._rows(fact("villager", 4) & fact("seer", 6)), worlds._facts)
    strings = [w for w in worlds.world_strings() if w[4] == "v" and w[6] == "s"]
    assert few.world_strings() == kept.world_strings() == strings
    for counts in ("role_counts", "death_counts"):
        assert getattr(few, counts)() == getattr(kept, counts)(), counts
    assert all(few.count(fact("dominant", p)) == kept.count(fact("dominant", p)) for p in range(12))
    some = worlds.world_strings(deaths=False)[::3]
    assert worlds.among(some).world_strings(deaths=False) == some


@given(st.data())
def test_formulas_are_counted_and_kept_world_by_world(data):
    deck = Deck(4, wolves=2)
    worlds = Enumerated.start(deck)
    for _ in range(data.draw(st.integers(0, 3))):
        actor, target = data.draw(st.permutations(range(4)))[:2]
        worlds = worlds.die(**attack(actor, target))
    stems = (*deck.roles, "wolf", "good", "dead", "dominant")
    facts = tuple(f"{stem}_{p}" for stem in stems for p in range(4))
    f = data.draw(
        strategies.formulas(atoms=facts, modal=False, dynamic=False, quantifiers=False, everywhere=False)
    )
    true = [world for world in worlds.world_strings() if holds_at(f, world)]
    assert worlds.keep(f).world_strings() == true
    assert worlds.count(f) == len(true)


def holds_at(f, world):
    """Whether a formula is true in a world given by its letters."""
    led = min((letter for letter in world if letter in "ab"), default="")
    facts = {}
    for player, letter in enumerate(world):
        role = ROLES[letter.lower()]
        side = "wolf" if role in ("alpha", "beta") else "good"
        true = {role, side, *(["dead"] if letter.isupper() else []), *(["dominant"] if letter == led else [])}
        facts |= {
            f"{stem}_{player}": Constant(stem in true)
            for stem in (*ROLES.values(), "wolf", "good", "dead", "dominant")
        }
    return simplify(f.substitute(facts)) is TRUE
