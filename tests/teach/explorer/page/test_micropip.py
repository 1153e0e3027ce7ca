"""The wheel in Pyodide, installed by micropip with nothing else: as JupyterLite and pages install it."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from kripke_werewolf.teach.explorer.page.pyodide import LOCK, _fetched

ROOT = Path(__file__).parents[4]
NODE = """
import fs from "node:fs";
import { pathToFileURL } from "node:url";
const [pyodide, wheel, ...tools] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(pyodide + "/pyodide.mjs").href);
const python = await loadPyodide({ indexURL: pyodide + "/" });
python.FS.writeFile(wheel, fs.readFileSync(wheel));
await python.loadPackage(tools, { checkIntegrity: false });
python.globals.set("wheel", "emfs:" + wheel);
try {
  await python.runPythonAsync(fs.readFileSync("session.py", "utf8"));
} catch (error) { // Node would show the line of Pyodide, which is long
  console.error(error.message);
  process.exit(1);
}
"""
SESSION = """
import json, sys
import micropip

await micropip.install(wheel, deps=False)

import kripke_werewolf as kw
import visualise

model = kw.KripkeModel.from_partitions(
    ["w", "v"], {"a": [["w"], ["v"]], "b": [["w", "v"]]}, {"p": ["w"]}, designated="w"
)
model.save("m.json")
puzzle = kw.puzzles.muddy_children(3)
found = {
    "knows": model.holds("K_a p & ~K_b p & K_b Kw_a p"),
    "announced": model.announce("p").holds("C_{a,b} p"),
    "told": model.update(kw.private("b", "p")).holds("K_b p & K_a ~K_b p"),
    "why": str(model.explain("K_b p")),
    "valid": [kw.valid("K_a p -> K_a K_a p", logic) for logic in ("S5", "T")],
    "lines": len(kw.derivation("K_a p -> K_a K_a p").lines),
    "read back": kw.KripkeModel.load("m.json") == model,
    "picture": visualise.save(model, "m.svg").read_text(encoding="utf-8").count("<svg"),
    "puzzle": [str(answer.verdict) == answer.question.expected for answer in puzzle.answers()],
    "others": [name for name in ("numpy", "matplotlib", "networkx", "click") if name in sys.modules],
}
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("npm") and shutil.which("node")), reason="there is no npm here")
@pytest.mark.skipif(find_spec("hatchling") is None, reason="the wheel is built with hatchling")
def test_the_wheel_works_in_pyodide_without_any_other_package(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    built = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(ROOT)]
    done = subprocess.run(built, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    tools = [*pip, "download", "--no-deps", "--dest", str(tmp_path), "--python-version", LOCK["python"]]
    if subprocess.run([*tools, "micropip", "packaging"], capture_output=True).returncode:
        pytest.skip("micropip cannot be had here")
    (tmp_path / "run.mjs").write_text(NODE, encoding="utf-8")
    (tmp_path / "session.py").write_text(SESSION, encoding="utf-8")
    others = [str(path) for path in tmp_path.glob("*.whl") if path != wheel]
    command = ["node", "run.mjs", str(_fetched(tmp_path)), wheel.name, *others]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found.pop("lines") > 3
    assert found == {
        "knows": True,
        "announced": True,
        "told": True,
        "why": "b does not know that p is true: b cannot tell w from v, where p is false",
        "valid": [True, False],
        "read back": True,
        "picture": 1,
        "puzzle": [True, True, True],
        "others": [],
    }
