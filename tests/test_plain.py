"""Small models need nothing but Python: not numpy, and none of the other libraries."""

import subprocess
import sys
from pathlib import Path

import pytest

from kripke_werewolf import KripkeModel

pytestmark = pytest.mark.slow

ABSENT = ("numpy", "matplotlib", "networkx", "oxidd", "PIL", "lark", "concurrent.futures.process")

START = f"""
import sys
for name in {ABSENT!r}:
    sys.modules[name] = None
from fractions import Fraction
import kripke_werewolf as kw
from kripke_werewolf.logic.models.model import SMALL
assert SMALL >= 64
worlds = range(64)
cells = {{"a": [worlds[i::8] for i in range(8)], "b": [worlds[i:i + 4] for i in range(0, 64, 4)]}}
model = kw.KripkeModel.from_partitions(
    worlds,
    cells,
    {{"p": [w for w in worlds if w % 3 == 0], "q": [w for w in worlds if w % 5 < 2], "r": [0, 5, 9]}},
    9,
    weights={{"a": {{w: Fraction(1 + w % 2, 3) for w in worlds}}}},
    variables={{"x": {{"0": "p", "1": "~p"}}}},
)
"""

PARTS = {
    "questions": """
texts = '''
K_a (p -> M_b q)
E_{a,b} p | Ew_{a,b} q | Sk_{a,b} r
C_{a,b} (p | ~p) & ~Cw_{a,b} p
D_{a,b} p <-> Dm_{a,b} p
everywhere (p ^ q) | somewhere r
Kv_a(x) -> Kw_a p
exactly(1; p, q, r)
forall p. p | ~p
P_a(p) + 2*P_b(q) >= 1/2
[!p | q]K_a (p | q)
<a!p>K_b ~K_a p
[a,b?!p]Kw_a p
[?!p]Kw_a p
[act]M_a p
'''.strip().splitlines()
for text in texts:
    formula = kw.parse(text).bind(act=kw.assign(p="q", q=False))
    where = model.where(formula)
    explanation = model.explain(formula)
    assert explanation.value == model.holds(formula) == (9 in where)
    assert "at 9" in str(explanation)
assert kw.from_sentence(kw.to_sentence(kw.parse("K_a ~K_b p"))) is kw.parse("K_a ~K_b p")
assert kw.simplify("K_a K_a p", logic="S5") is kw.parse("K_a p")
""",
    "updates": """
after = model.announce("p | q")
for action in (
    kw.public("M_a p"), kw.private(["a"], "M_a p"), kw.semi_private(["a"], "p"), kw.observe("b", "q"),
    kw.assign(p="~p", r=True), kw.lie("b", "~M_b p"), kw.suspected(["a"], "M_a p"),
    kw.private(["a"], "M_b q").then(kw.public("M_b q")),
):
    updated = model.update(action)
    assert len(updated) >= len(updated.contract())
    assert updated.holds("K_a true") and str(updated.explain("K_a p"))
    assert all(loss.agent in "ab" for loss in updated.lost)
grown = model
for _ in range(8):
    grown = grown.update(kw.private(["a"], "p | ~p")).contract()
assert len(grown) <= 64
large = model.update(kw.private(["a"], "M_b p")).update(kw.private(["b"], "M_a q"))
assert len(large) > 128 and large.holds("K_b M_a q & [a! K_b M_a q]K_b M_a q")
assert str(large.explain("K_a M_b p")) and large.contract().holds("K_b M_a q")
assert model.holds("[a!(p | ~p)]" * 40 + "K_a (p | ~p)")
assert model.holds("[a!(p | ~p)]" * 5 + "D_{a,b} (p | ~p)")
""",
    "comparison": """
small = model.contract()
assert kw.bisimilar(model, 9, small, small.designated[0])
assert model.generated().holds("K_a p") == model.holds("K_a p")
other = model.announce("p | q | r")
assert kw.distinguishing_formula(model, 9, model, 10) is not None
assert str(model.frame_class("a")) == "S5"
assert kw.KripkeModel.from_dict(model.to_dict()) == model
""",
    "decisions": """
assert kw.valid("C_{a,b} p -> E_{a,b} C_{a,b} p", logic="S5")
assert kw.countermodel("K_a p -> p", logic="K") is not None
assert kw.satisfiable("[!p]~K_a p & M_a q", logic="KD45") is not None
assert kw.decide_validity("[a!p]K_a q", logic="S4").answer is False
assert kw.derivation("C_{a,b} p -> K_a C_{a,b} p").uses() == ("Mix", "RK", "PL")
from kripke_werewolf.logic.proofs import check, tableau
assert check(kw.read_proof("K_a p -> p   T")).right
assert len(tableau("K_a p -> K_a K_a p")) == 6
""",
    "explorer": """
from kripke_werewolf.teach.explorer import respond
def do(state, command, **arguments):
    reply = respond({"state": state, "do": {"command": command, **arguments}})
    assert reply["ok"], reply["error"]
    return reply
for name, n in (("muddy-children", 3), ("sum-and-product", 12), ("drinking-logicians", None)):
    reply = do(None, "open", puzzle=name) if n is None else do(None, "open", puzzle=name, n=n)
    assert reply["view"]["picture"]["svg"].startswith("<svg")
    agent = reply["view"]["model"]["agents"][0]["name"]
    reply = do(reply["state"], "formula", text=f"K_{agent} true")
    assert set(reply["view"]["formula"]["truth"]) == {"1"}
    reply = do(do(reply["state"], "next")["state"], "world", world=0)
    assert reply["view"]["explanation"]["value"]
    reply = do(do(reply["state"], "tell", how="tell", group=[agent], formula="true")["state"], "contract")
    for query in ("facts", "timeline", "strip", "catalogue"):
        do(reply["state"], query)
    for what in ("python", "json", "tikz", "svg", "link"):
        assert do(reply["state"], "copy", what=what)["result"]["text"]
""",
    "drawings": """
import visualise
from pathlib import Path
home = Path(sys.argv[1])
tiny = model.announce("r")
for ending in ("svg", "tex", "html", "dot"):
    for drawn in (tiny, tiny.update(kw.private(["a"], "p")), kw.private(["a"], "p")):
        if ending == "html" and isinstance(drawn, kw.ActionModel):
            continue
        visualise.save(drawn, home / f"picture.{ending}")
        assert (home / f"picture.{ending}").read_text(encoding="utf-8")
visualise.save(model, home / "picture.svg")
""",
}


@pytest.mark.parametrize("part", PARTS)
def test_it_runs_without_any_library(part: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START + PARTS[part], str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


COMMAND = f"""
import sys
for name in {ABSENT!r}:
    sys.modules[name] = None
from kripke_werewolf.cli import main
main()
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_commands_run_without_any_library(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, "w").save(path)
    picture = tmp_path / "picture.svg"
    for arguments, code in (
        (["ask", path, "p & ~K_a p", "--explain"], 0),
        (["check", path, "K_a p"], 1),
        (["prove", "K_a p -> K_a K_a p", "--logic", "S5", "--proof"], 0),
        (["puzzle", "muddy-children", "--steps"], 0),
        (["draw", path, "-o", picture], 0),
    ):
        done = run(*arguments)
        assert (done.returncode, done.stderr) == (code, ""), arguments
    assert picture.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["demo"], "numpy"),
        (["avalon", "solve"], "concurrent.futures.process, which this Python does not have"),
        (["puzzle", "muddy-children", "--engine", "symbolic"], "oxidd"),
        (["draw", "muddy-children", "-o", "picture.png"], "matplotlib"),
    ],
)
def test_what_needs_a_library_says_so(
    arguments: list[str], missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.returncode == 2
    assert missing in done.stderr
    assert "Traceback" not in done.stderr
