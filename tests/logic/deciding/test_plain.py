"""Small questions are decided, and small plans made, where only Python is installed."""

import subprocess
import sys

import pytest

ABSENT = ("numpy", "networkx", "oxidd", "matplotlib", "PIL", "prompt_toolkit")

DECIDING = """
from kripke_werewolf.logic.deciding import (
    LOGICS, countermodel, decide_satisfiability, decide_validity, satisfiable, valid
)

for logic in LOGICS:
    assert valid("K_a (p -> q) -> (K_a p -> K_a q)", logic=logic)
    assert valid("C_{a,b} p -> E_{a,b} (p & C_{a,b} p)", logic=logic)
    assert valid("K_a p -> D_{a,b} p", logic=logic)
    assert not valid("K_a K_b p -> K_b K_a p", logic=logic)
    assert countermodel("K_a p -> C_{a,b} p", logic=logic).holds("K_a p & ~C_{a,b} p")
    assert satisfiable("D_{a,b} p & ~K_a p & ~K_b p", logic=logic).holds("D_{a,b} p")
    assert satisfiable("Ew_{a,b} p & ~Cw_{a,b} p & Dm_{a,b} q", logic=logic) is not None
assert valid("[?!p]C_{a,b} Kw_a p")
assert not decide_validity("[!p]K_a p -> K_a p").answer
print(decide_satisfiability("~Kw_a p & everywhere (q | K_b p)", logic="KD45"))
"""

PLANNING = """
import kripke_werewolf as kw
from kripke_werewolf.research.planning import Task, find_plan, shortest_announcement

m = kw.KripkeModel.from_partitions(["w", "v"], {"a": [["w"], ["v"]], "b": [["w", "v"]]}, {"p": ["w"]}, "w")
acts = {"whisper": kw.private("b", "p"), "say": "K_a p"}
assert find_plan(Task(m, acts, "C_{a,b} p")).plan == ("say",)
assert find_plan(Task(m, {"whisper": kw.private("b", "p")}, "C_{a,b} p")).plan is None
assert str(shortest_announcement(m, "a", learns={"b": "p"})) == "K_a p"
"""


@pytest.mark.parametrize("code", [DECIDING, PLANNING], ids=["deciding", "planning"])
def test_without_other_libraries(code: str) -> None:
    hidden = f"import sys\nsys.modules.update(dict.fromkeys({ABSENT!r}))\n"
    done = subprocess.run([sys.executable, "-c", hidden + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
