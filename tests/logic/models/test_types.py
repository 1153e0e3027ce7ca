"""A user's code, checked by `mypy --strict`: no result has the type Any."""

import subprocess
import sys
from pathlib import Path

import pytest

import kripke_werewolf as kw

ROOT = Path(__file__).parents[3]
CODE = """
import copy

import kripke_werewolf as kw

m = kw.KripkeModel.from_partitions([1, 2], {"a": [[1, 2]], "b": [[1], [2]]}, {"p": [1]}, 1)
action = kw.private("a", "p")
s = kw.KnowledgeStructure("pq", "p | q", {"a": "p"})
state = frozenset({"p"})
h = kw.History(m).then("p", name="told")
game = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=1)
"""
RESULTS = """
m, m.worlds, m.agents, m.atoms, m.designated, m.variables, m.weights, [w for w in m], len(m), 1 in m
m[1], m[1].name, m[1].atoms, m[1].sees["a"], m.atoms_at(1)
m.successors("a", 1), m.predecessors("a", 1), m.reachable(["a", "b"], 1), m.classes("a")
m.relation("a"), m.relations, m.relations["a"], list(m.relation("a")), m.relation("a").classes
m.relation("a").successors(1), m.relation("a") | {(1, 2)}, m.relation("a") == m.relation("b")
m.valuation, m.valuation["p"], list(m.valuation["p"]), m.valuation["p"] & {1}
m.holds("p"), m.holds("p", at=1), m.where("p"), m.valid("p"), m.verdict("p"), m.verdict("p").fraction
m.explain("p"), m.probabilities("a", "p"), m.frame_class("a"), m.lost, m.to_dict()
m.restrict([1]), m.point(2), m.announce("p"), m.update(action), m.generated(), m.contract(), m.closed("a")
m.replace(designated=2), m.for_agents(["a"], ["p"]), m == m, hash(m)
kw.bisimilar(m, m), kw.distinguishing_formula(m, m), kw.countermodel("K_a p -> K_b p"), kw.parse("K_a p")
action, action["told"], action["told"].pre, [e for e in action], action.successors("a", "told")
action.relation("a"), action.relations["a"], action.others, action.designated
action.then(action), action.to_dict(), action.agents
s, s.worlds, s[state], s.successors("a", state), s.relation("a"), s.valuation["p"], s.restrict([state])
s.to_explicit(), s.count("p"), s.where("p"), s.announce("p"), s.reachable("a", state), list(s), s.designated
h, h.model, h["told"], h["told"].action, [step.name for step in h], h.at(0), h.verdict("p"), h.timeline("p")
game.table(), game.table()["Ann"], game.table()["Ann", "wolf"], game.model()
game.ask("K_Ann wolf_Bo").verdict, game.size, game.model(moves=["attacked_Ann_Bo"])
game.handout("Ann"), game.handout("Ann").events, game.handout("Ann").document
kw.K("a", "p"), kw.C(["a", "b"], "p"), kw.K("a", "p") & "q", kw.K("a", "p").latex(), copy.deepcopy(m)
"""


@pytest.mark.slow
def test_no_result_has_the_type_any(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is in the extra dev, not in test")
    asked = [f"reveal_type(({line},))" for line in RESULTS.strip().splitlines()]
    user = tmp_path / "user.py"
    names = [f"from kripke_werewolf import {name}" for name in kw.__all__ if not name.startswith("_")]
    user.write_text("\n".join([CODE, *asked, *names]), encoding="utf-8")
    # in the project's own directory, where `make lint` has left what it found out about the library
    command = [sys.executable, "-m", "mypy", "--strict", str(user)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    revealed = [line for line in told.splitlines() if "Revealed type is" in line]
    assert len(revealed) == len(asked), told
    assert [line for line in revealed if "Any" in line] == []
    assert [line for line in told.splitlines() if "error:" in line] == []
