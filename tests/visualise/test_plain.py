"""On the way to a picture the package itself needs nothing but Python."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.running import run_python

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ABSENT = ("numpy", "matplotlib", "networkx", "oxidd", "PIL")

# what the package asks for is not there; the model still has what it needs
GUARD = f"""
import builtins, sys
real = builtins.__import__

def guarded(name, globals=None, *rest, **more):
    asking = (globals or {{}}).get("__name__", "")
    if asking.partition(".")[0] == "visualise" and name.partition(".")[0] in {ABSENT!r}:
        raise ImportError(f"{{asking}} needs {{name}}")
    return real(name, globals, *rest, **more)

builtins.__import__ = guarded
import kripke_werewolf as kw, visualise
"""

DRAWINGS = """
model = kw.KripkeModel.from_observations(
    range(9),
    {"a": lambda w: w % 3, "b": lambda w: w // 3, "c": lambda w: (2 * w) % 5},
    lambda w: [f"p_{k}" for k in range(4) if w >> k & 1],
    [5],
    weights={"a": {w: w + 1 for w in range(9)}},
)
secret = model.update(kw.private("a", "p_0"))
for limit in (200, 6):
    for options in {"formula": "K_a p_0"}, {"fills": "bisimulation"}, {"edges": "hulls"}:
        assert visualise.svg(model, limit=limit, **options)
    scene = visualise.picture(secret, limit=limit, edge_labels=True, arrangement="force")
    for write in visualise.svg, visualise.tikz, visualise.dot:
        assert write(scene)
assert visualise.svg(model, explain="K_a p_0", seed=3) and visualise.layout(model)
assert visualise.html(kw.History(model).then(kw.public("p_0")), formulas=["p_1"])
assert visualise.svg(visualise.difference(model, secret)) and visualise.svg(kw.suspected("a", "p_0"))
assert visualise.svg(visualise.update_picture(model.announce("p_0"), kw.private("a", "p_2")))
"""


def test_models_are_drawn_without_numpy() -> None:
    assert run_python(GUARD + DRAWINGS + "print('drawn')") == "drawn\n"


def test_the_guard_guards() -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run_python(GUARD + "visualise.draw(kw.KripkeModel(['w'], {}, {}))")
    assert "visualise.matplotlib_output needs matplotlib" in caught.value.stderr


def test_drawing_loads_no_processes_and_no_games() -> None:
    code = (
        "import sys, kripke_werewolf as kw, visualise;"
        "visualise.html(kw.KripkeModel(['w'], {}, {}));"
        "games = 'kripke_werewolf.games.werewolf', 'kripke_werewolf.games.avalon';"
        "print([name for name in ('concurrent.futures.process', *games) if name in sys.modules])"
    )
    assert run_python(code) == "[]\n"


def test_only_the_reader_looks_inside_models() -> None:
    for path in (ROOT / "visualise").glob("*.py"):
        imported = re.search(
            r"^ *from kripke_werewolf\.models\.", path.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert not imported or path.stem == "reading", path
