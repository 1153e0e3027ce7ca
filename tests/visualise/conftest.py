"""Whatever a test of pictures draws, Graphviz draws from its DOT file too."""

import shutil
import subprocess
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

import visualise
from visualise.picture import Sketch

_MOST = 60  # pictures of a test that Graphviz draws: the first ones, and those with most lines


@pytest.fixture(autouse=True)
def pictures() -> Iterator[list[visualise.Scene]]:
    """Collect the pictures that a test makes, and let Graphviz draw them at its end."""
    found: list[visualise.Scene] = []

    def finished(sketch: Sketch, *args: Any, **options: Any) -> visualise.Scene:
        found.append(original(sketch, *args, **options))
        return found[-1]

    original = Sketch.finished
    with patch.object(Sketch, "finished", finished):
        yield found
    kept = (
        found[: _MOST // 2] + sorted(found[_MOST // 2 :], key=lambda scene: len(scene.edges))[-_MOST // 2 :]
    )
    if kept and shutil.which("dot"):
        files = "\n".join(dict.fromkeys(map(visualise.dot, kept)))
        done = subprocess.run(["dot", "-Tpng"], input=files.encode(), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        # worlds with icons are not as wide as their names
        assert all(line.endswith(b"size too small for label") for line in done.stderr.splitlines()), (
            done.stderr
        )
        assert done.stdout.startswith(b"\x89PNG")
