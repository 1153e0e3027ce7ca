"""The lessons: each runs and prints its results, and so does its notebook."""

import ast
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.test_display import INTERNALS

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"

# for each lesson a line of its output that says what it teaches
LESSONS = {
    "action_models": "Sally's false belief: True",
    "bit_transmission": "S gets an acknowledgement in 11/16 of the cases.",
    "bisimulation": "told apart by: M_a M_a true",
    "clocktower": "1 deals after executed ['Cy']: the demon was Ann",
    "cluedo": "   168  -    yes  -   Ann has neither Plum nor the pistol",
    "crew": "with showing a card: 0.472",
    "common_knowledge": "numbers of messages that make it common knowledge: []",
    "decision_procedure": "K_a K_b p -> K_b K_a p           3 worlds",
    "distributed_knowledge": "D_{a,b} p at u: False True",
    "first_model": "common knowledge that h: True",
    "game_from_the_inside": "      K_Bo (seer_Bo -> wolf_Di)   yes",
    "liars_dice": "   1/2  0.531  0.535  0.578",
    "one_night": "The village wins 31/80 of the games.",
    "secret_hitler": "The liberals win 33.7% of the games.",
    "hanabi": "Ann knows that her first card is a one since hint 4",
    "muddy_children": "who knows now: [1, 2, 3]",
    "private_announcements": "lost: b: KD45 -> KB5",
    "symbolic_muddy_children": "symbolic and explicit agree: [(15, 15), (11, 11), (5, 5), (1, 1)]",
    "shown_values": "<Puzzle: muddy-children: 3 events, 3 questions>",
    "tables": "after a says so: 16800",
    "the_resistance": "In the end it is common knowledge: True",
    "what_to_say": "found: K_a (p & q | ~p & ~q)",
}


def run(*arguments: object, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("to_notebooks", EXAMPLES / "to_notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_lesson_is_listed() -> None:
    found = {path.stem for path in tool().lessons()}
    assert found == LESSONS.keys()
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [name for name in sorted(found) if f"[{name}.py]" not in readme] == []


def shown(notebook: dict[str, Any]) -> Iterator[Any]:
    """Run the cells of a notebook one after the other; yield the values that it shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            body = ast.parse("".join(cell["source"])).body
            last = body.pop() if isinstance(body[-1], ast.Expr) else None
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
                if value is not None:
                    yield value


@pytest.mark.parametrize("name", LESSONS)
def test_lesson_and_notebook(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(EXAMPLES / f"{name}.py", cwd=tmp_path)
    assert LESSONS[name] in out.splitlines()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [*sys.argv])
    pictures = list(shown(tool().notebook(EXAMPLES / f"{name}.py", tmp_path)))
    assert capsys.readouterr().out == out
    bundles = [value._repr_mimebundle_() for value in pictures]
    drawn = any("<svg " in markup for bundle in bundles for markup in bundle.values())
    assert drawn is (name != "bit_transmission")
    for bundle in bundles:
        assert not INTERNALS.search("\n".join(bundle.values()))


def test_a_notebook_runs_in_a_kernel(tmp_path: Path) -> None:
    import nbformat  # reads a grammar when it is imported: only where it is needed
    from nbclient import NotebookClient

    data = tool().notebook(EXAMPLES / "shown_values.py", tmp_path)
    read = nbformat.reads(json.dumps(data), as_version=4)
    done = NotebookClient(read, timeout=100, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in done.cells for output in cell.get("outputs", ())]
    results = [output.data for output in shown if output.output_type == "execute_result"]
    assert len(results) > 15
    for result in results:
        rich = result.get("image/svg+xml") or result["text/html"]
        assert not INTERNALS.search(rich + result["text/plain"])
    assert not [output for output in shown if output.output_type in ("error", "stderr")]


def test_comments_become_text(tmp_path: Path) -> None:
    script = tmp_path / "lesson.py"
    script.write_text(
        '"""A title.\n\n    python examples/lesson.py\n\nMore.\n"""\n\nimport os\n\n# Text\n# on two lines.\n'
        "x = 1\n# a remark\n\n\ndef f():\n    # inside\n    return x\n",
        encoding="utf-8",
    )
    cells = [(c["cell_type"], "".join(c["source"])) for c in tool().notebook(script, tmp_path)["cells"]]
    assert cells == [
        ("markdown", "# A title\n\nMore."),
        ("code", "import os"),
        ("markdown", "Text\non two lines."),
        ("code", "x = 1\n# a remark\n\n\ndef f():\n    # inside\n    return x"),
    ]
