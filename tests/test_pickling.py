"""Public values survive pickling, here and in a new process, and copying."""

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import kripke_werewolf as kw
from kripke_werewolf.logic.deciding import decide_validity
from kripke_werewolf.logic.puzzles import muddy_children, puzzle, sum_and_product
from kripke_werewolf.research.planning import Task, find_plan
from kripke_werewolf.research.stories import read_story

STORY = Path(__file__).parent.parent / "examples" / "stories" / "muddy-children.txt"
COIN = kw.KripkeModel.from_partitions(
    ["heads", "tails"], {"a": [["heads"], ["tails"]], "b": [["heads", "tails"]]}, {"h": ["heads"]}, "heads"
)
TOLD = kw.private("b", "h")
STRUCTURE = kw.KnowledgeStructure(["p", "q"], "p | q", {"a": ["p"], "b": ["q"]})


def game() -> kw.QuantumWerewolf:
    start = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="cisra", rng=1)
    return start.vision("Ann", "Bo").vision("Bo", "Cy").vision("Cy", "Ann")


MAKERS: dict[str, Callable[[], Any]] = {
    "model": lambda: COIN,
    "computed names": lambda: sum_and_product(40).model,
    "large model": lambda: puzzle("muddy-children", 12).model,
    "announced": lambda: COIN.announce("h"),
    "updated": lambda: COIN.update(TOLD),
    "relation": lambda: COIN.relation("b"),
    "relations": lambda: COIN.relations,
    "valuation": lambda: COIN.valuation,
    "world": lambda: COIN["heads"],
    "successors": lambda: COIN.successors("b", "heads"),
    "action": lambda: TOLD,
    "event": lambda: next(iter(TOLD.events.values())),
    "structure": lambda: STRUCTURE,
    "pointed structure": lambda: kw.KnowledgeStructure(["p"], True, {"a": []}, "p"),
    "updated structure": lambda: STRUCTURE.update(kw.private("b", "p")),
    "announced structure": lambda: STRUCTURE.announce("p"),
    "states": lambda: STRUCTURE.designated,
    "belief structure": lambda: kw.BeliefStructure(["p"], True, {"a": "p'"}),
    "history": lambda: kw.History(COIN).then("h"),
    "symbolic history": lambda: muddy_children(5, engine="symbolic").history(),
    "puzzle": lambda: muddy_children(3),
    "formula": lambda: kw.parse("[!p]K_a p & C_{a,b} q"),
    "bound formula": lambda: kw.parse("[x]K_b h").bind(x=TOLD),
    "understood": lambda: kw.understand("a knows p"),
    "verdict": lambda: kw.Verdict.of(1, 2),
    "explanation": lambda: COIN.explain("K_b h"),
    "learning": lambda: kw.History(COIN).then("h").explain_learning("K_b h"),
    "decision": lambda: decide_validity("K_a p -> p", "KD45"),
    "proof": lambda: kw.derivation("K_a p -> K_a K_a p"),
    "plan": lambda: find_plan(Task(COIN, {"tell": TOLD}, "K_b h")),
    "story": lambda: read_story(STORY),
    "game": game,
    "table": lambda: game().table(),
    "handout": lambda: game().handout("Bo"),
    "answer": lambda: game().ask("wolf_Ann"),
    "knowers": lambda: game().ask("who knows wolf_Ann"),
    "knowledge": lambda: game().knowledge(),
    "model of a game": lambda: game().model(),
    "timeline": lambda: game().timeline("wolf_Ann"),
    "audit": lambda: game().audit(),
}


@pytest.mark.parametrize("name", MAKERS)
def test_values_are_equal_after_pickling_and_copying(name: str) -> None:
    value = MAKERS[name]()
    for same in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert same == value


def test_values_are_equal_in_a_new_process(tmp_path: Path) -> None:
    (tmp_path / "values").write_bytes(
        pickle.dumps({name: pickle.dumps(make()) for name, make in MAKERS.items()})
    )
    code = (
        "import pickle, sys\n"
        "from tests.test_pickling import MAKERS\n"
        "read = {name: pickle.loads(data) for name, data in pickle.load(open(sys.argv[1], 'rb')).items()}\n"
        "print([name for name, value in read.items() if value != MAKERS[name]()])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "values")]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("seed", range(5))
def test_random_structures_answer_as_before(seed: int) -> None:
    chosen = random.Random(seed)
    atoms = [f"p{i}" for i in range(5)]
    clauses = [" | ".join(chosen.choice("~ ") + p for p in chosen.sample(atoms, 3)) for _ in range(3)]
    seen = {agent: chosen.sample(atoms, 2) for agent in "ab"}
    made = kw.KnowledgeStructure(atoms, " & ".join(f"({clause})" for clause in clauses), seen)
    made = made.update(kw.private("a", chosen.choice(atoms))).update(kw.assign({atoms[0]: atoms[1]}))
    again = pickle.loads(pickle.dumps(made))
    assert again.vocabulary == made.vocabulary
    assert repr(again) == repr(made)
    for p, q in combinations(atoms, 2):
        asked = f"M_a (K_b {p} | ~{q})"
        assert again.count(asked) == made.count(asked)
        assert again.announce(f"{p} | {q}").size == made.announce(f"{p} | {q}").size


def test_structures_that_are_pickled_together_share_their_manager() -> None:
    history = muddy_children(4, engine="symbolic").history()
    again = pickle.loads(pickle.dumps(history))
    managers = {id(step.model.space.bdds) for step in again.steps}
    assert len(managers) == 1
    many = kw.KnowledgeStructure([f"p{i}" for i in range(100)], True, {"a": ["p0"]})
    assert pickle.loads(pickle.dumps(many)).size == 2**100
