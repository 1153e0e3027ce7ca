"""The wheel in Pyodide, installed by micropip with nothing else: as JupyterLite and pages install it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from kripke_werewolf.explorer.pyodide import _fetched

ROOT = Path(__file__).parents[2]
NODE = """
import fs from "node:fs";
import { pathToFileURL } from "node:url";
const [pyodide, home] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(pyodide + "/pyodide.mjs").href);
const python = await loadPyodide({ indexURL: pyodide + "/" });
const wheels = fs.readdirSync(home).filter((name) => name.endsWith(".whl"));
for (const name of wheels) python.FS.writeFile("/tmp/" + name, fs.readFileSync(home + "/" + name));
const ours = wheels.find((name) => name.startsWith("kripke"));
const tools = wheels.filter((name) => name !== ours);
await python.loadPackage(tools.map((name) => home + "/" + name), { checkIntegrity: false });
python.globals.set("wheel", "emfs:/tmp/" + ours);
try {
  await python.runPythonAsync(fs.readFileSync(home + "/session.py", "utf8"));
} catch (error) {
  console.log(error.message);
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
model.save("/tmp/m.json")
puzzle = kw.puzzles.muddy_children(3)
found = {
    "knows": model.holds("K_a p & ~K_b p & K_b Kw_a p"),
    "announced": model.announce("p").holds("C_{a,b} p"),
    "told": model.update(kw.private("b", "p")).holds("K_b p & K_a ~K_b p"),
    "why": str(model.explain("K_b p")),
    "valid": [kw.valid("K_a p -> K_a K_a p", logic) for logic in ("S5", "T")],
    "lines": len(kw.derivation("K_a p -> K_a K_a p").lines),
    "read back": kw.KripkeModel.load("/tmp/m.json") == model,
    "picture": visualise.save(model, "/tmp/m.svg").read_text(encoding="utf-8").count("<svg"),
    "puzzle": [str(answer.verdict) == answer.question.expected for answer in puzzle.answers()],
    "others": [name for name in ("numpy", "matplotlib", "networkx", "click", "rich") if name in sys.modules],
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
    pyodide = _fetched(tmp_path)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = re.match(r"\d+\.\d+", lock["info"]["python"])[0]
    tools = [*pip, "download", "--no-deps", "--dest", str(tmp_path), "--python-version", version]
    done = subprocess.run([*tools, "micropip", "packaging"], capture_output=True, text=True)
    if done.returncode:
        pytest.skip("micropip cannot be had here")
    (tmp_path / "run.mjs").write_text(NODE, encoding="utf-8")
    (tmp_path / "session.py").write_text(SESSION, encoding="utf-8")
    command = ["node", str(tmp_path / "run.mjs"), str(pyodide), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-2000:]
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
