"""Clauses of answers and reasons: what is printed is read back, and means the same."""

from collections.abc import Iterator
from random import Random

import pytest

from kripke_werewolf import QuantumWerewolf, decide_validity, parse
from kripke_werewolf.logic.english.sentence_parser import read_question
from kripke_werewolf.logic.english.sentences import clause
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle
from tests.cases import cases

CHILDREN = puzzle("muddy-children", 3).model.words
GAME = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=1, rules="straat").words


def moves(about: Vocabulary, rng: Random) -> Iterator[str]:
    """Yield for each move of a game, and each of its results, an atom of a night and one of any."""
    for move in about.moves:
        who, *whom = rng.sample(about.agents, 3)
        whom = sorted(whom, key=about.agents.index) if move.two else whom[:1]
        for result in move.results or ("",):
            atom = "_".join(filter(None, (move.stem, who, *whom, result)))
            yield from (atom, f"{atom}_1")


def vocabularies(rng: Random) -> Iterator[tuple[Vocabulary, list[str]]]:
    """Yield the words of all puzzles and of two games, each with some atoms."""
    for name in PUZZLES:
        about = puzzle(name).model.words
        yield about, [*about.atoms]
    for rules in ("straat", "cisra"):
        about = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, seers=1, rules=rules).words
        yield about, [*rng.sample(about.atoms, 6), *moves(about, rng)]


def drawn(about: Vocabulary, atoms: list[str], rng: Random, depth: int) -> Formula:
    """Return a random formula of knowledge and Boolean operators."""
    if not depth:
        fact = s.Atom(rng.choice(atoms))
        return rng.choice((fact, ~fact))
    one, other = (drawn(about, atoms, rng, depth - 1) for _ in range(2))
    agent, group = rng.choice(about.agents), rng.sample(about.agents, min(len(about.agents), 2))
    of_some = s.disjunction(rng.sample(atoms, min(3, len(atoms))))
    made = (
        *(one | other, one & other, s.Implies(one, other), s.Iff(one, other), of_some, ~one, one),
        *(s.Knows(agent, one), s.KnowsWhether(agent, one), s.Possible(agent, one), s.Knows(agent, of_some)),
        *(s.Common(group, one), s.Everyone(group, one), s.Distributed(group, one)),
    )
    return rng.choice(made)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_what_is_printed_is_read_back_and_means_the_same(seed: int) -> None:
    rng, read = Random(seed), 0
    for about, atoms in vocabularies(rng):
        for _ in range(8):
            f, value = drawn(about, atoms, rng, rng.randrange(4)), rng.random() < 0.5
            said = clause(f, value, words=about)
            if said.endswith((" is true", " is false")) and "(" in said:
                continue  # what is too long is said in signs
            found, meant = read_question(said, about), f if value else ~f
            assert isinstance(found, Formula), said
            assert found is meant or decide_validity(s.Iff(found, meant), logic="S5").answer, (said, meant)
            read += 1
    assert read > 120


@cases(
    ("~muddy_1 | ~muddy_3", "child 1 or child 3 is not muddy"),
    ("~(muddy_1 & muddy_2)", "child 1 or child 2 is not muddy"),
    ("~muddy_1 & ~muddy_2 & ~muddy_3", "neither child 1, child 2 nor child 3 is muddy"),
    ("K_1 (muddy_1 -> ~muddy_2)", "child 1 knows that if child 1 is muddy, then child 2 is not muddy"),
    ("muddy_1 | K_2 muddy_3", "either child 1 is muddy or child 2 knows that child 3 is muddy"),
    (
        "C_{1,2} (muddy_1 | muddy_2)",
        "it is common knowledge among children 1 and 2 that child 1 or child 2 is muddy",
    ),
    ("muddy_1 | other", "(muddy_1 | other) is true"),
)
def test_clauses_about_a_puzzle(formula: str, said: str) -> None:
    assert clause(parse(formula), words=CHILDREN) == said


@cases(
    ("attacked_Ann_Bo", "Ann attacked Bo"),
    ("~attacked_Ann_Bo_1", "Ann did not attack Bo in night 1"),
    ("attacked_Ann_Cy | attacked_Bo_Cy", "Ann or Bo attacked Cy"),
    ("K_Cy ~(attacked_Ann_Bo | dead_Bo)", "Cy knows that both Ann did not attack Bo and Bo is not dead"),
)
def test_clauses_about_a_game(formula: str, said: str) -> None:
    assert clause(parse(formula), words=GAME) == said


def test_agents_who_may_be_wrong_believe_also_beneath() -> None:
    f = parse("muddy_1 -> K_2 muddy_1")
    said = clause(f, words=CHILDREN, believers={"2"})
    assert said == "if child 1 is muddy, then child 2 believes that child 1 is muddy"
