"""The game of the example `crew.py`, without the solving and drawing at its end."""

import ast
import sys
from pathlib import Path
from types import ModuleType

_PATH = Path(__file__).parents[3] / "examples" / "crew.py"
_tree = ast.parse(_PATH.read_text(encoding="utf-8"))
_tree.body = [part for part in _tree.body if not isinstance(part, ast.For | ast.Expr)]
_lesson = sys.modules["crew_lesson"] = ModuleType("crew_lesson")
exec(compile(_tree, _PATH, "exec"), vars(_lesson))
Crew, careful = _lesson.Crew, _lesson.careful
