"""The game of the example `crew.py`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

_spec = importlib.util.spec_from_file_location(
    "crew_lesson", Path(__file__).parents[2] / "examples" / "crew.py"
)
assert _spec is not None
assert _spec.loader is not None
_lesson = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = _lesson
_spec.loader.exec_module(_lesson)
Crew, careful = _lesson.Crew, _lesson.careful
